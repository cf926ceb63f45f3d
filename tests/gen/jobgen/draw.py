# SPDX-License-Identifier: MIT
"""Draws: integers from a seed and keys, equal on every machine.

Each block of a program (rank, step, place) has draws of its own, so a fault that adds work in one place leaves the
draws of all others as they are.
"""
import functools

MASK = (1 << 64) - 1


def mix(*keys):
    """A 64-bit number from integers and texts."""
    h = 0x9E3779B97F4A7C15
    for k in keys:
        if isinstance(k, str):
            for c in k.encode():
                h = ((h ^ c) * 0x100000001B3) & MASK
        else:
            h ^= k & MASK
        h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        h = (h ^ (h >> 27)) * 0x94D049BB133111EB & MASK
        h ^= h >> 31
    return h


class Draw:
    """A generator of numbers from keys."""

    def __init__(self, *keys):
        self.state = mix(*keys)

    def bits(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & MASK
        return self.state >> 33

    def below(self, n):
        return self.bits() % n

    def between(self, low, high):
        """A real number."""
        return low + (high - low) * self.bits() / 2147483648.0

    def pick(self, things):
        return things[self.below(len(things))]

    def chance(self, p):
        return self.bits() < p * 2147483648.0


def _normal_table():
    """4096 draws that are nearly normal (sums of 12 uniform ones), mean 0, deviation 1."""
    d, out = Draw("normal"), []
    for _ in range(4096):
        out.append(sum(d.bits() for _ in range(12)) / 2147483648.0 - 6.0)
    mean = sum(out) / len(out)
    return [x - mean for x in out]


NORMAL = _normal_table()


@functools.lru_cache(maxsize=64)
def factors(sigma):
    """4096 factors in 1/2^20, lognormal with mean about 1: exp by its series, exact enough and equal everywhere."""
    out = []
    for x in NORMAL:
        y = sigma * x - sigma * sigma / 2
        out.append(int(1048576 * (1 + y + y * y / 2 + y * y * y / 6)))
    return out
