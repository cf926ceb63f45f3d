#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The headline of tr-diff for two runs of Kineto traces, by brute force: usage: headline.py BASE TEST"""
import math
import sys
from fractions import Fraction

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k
import steps

METRICS = ("busy", "compute", "exposed_comm", "idle", "launches")
COLUMNS = ("metric", "base", "test", "diff", "diff_pct", "sigma")


def figures(work):
    on = k.active(work)
    busy = sum(ns for kinds, ns in on.items() if kinds)
    return {"busy": busy, "compute": sum(ns for kinds, ns in on.items() if "compute" in kinds),
            "exposed_comm": sum(ns for kinds, ns in on.items() if "comm" in kinds and "compute" not in kinds),
            "idle": sum(on.values()) - busy, "launches": sum(w.launch is not None for w in work)}


def variance(values):
    """Of a sample; None: there are fewer than two."""
    n = len(values)
    return Fraction(n * sum(v * v for v in values) - sum(values) ** 2, n * (n - 1)) if n > 1 else None


def run(files):
    """{metric: (value, its variance)}"""
    ranks, lengths, own = {}, {}, {}
    for i, path in enumerate(files):
        rank, work = k.read(path, i, k.options("", argv=[path]))
        ranks.setdefault(rank, []).extend(work)
        for s in steps.timed(path, rank, work)[0]:
            lengths[s.number] = max(s.end - s.start, lengths.get(s.number, 0))
        for s, w in steps.assigned(path, rank, work):
            if s:
                own.setdefault((s.number, rank), []).append(w)
    sums = {}
    for (number, _), work in own.items():
        mine, total = figures(work), sums.setdefault(number, dict.fromkeys(METRICS, 0))
        mine["idle"] = lengths[number] - mine["busy"]
        for m in METRICS:
            total[m] += mine[m]
    n, whole = len(ranks), [figures(work) for work in ranks.values()]
    spread = variance(list(lengths.values()))
    found = {"step_time": (Fraction(sum(lengths.values()), len(lengths)) if lengths else None,
                           None if spread is None else spread / len(lengths))}
    for m in METRICS:
        spread = variance([total[m] for total in sums.values()])
        found[m] = (Fraction(sum(f[m] for f in whole), n) if n else None,
                    None if spread is None else len(sums) * spread / n ** 2)
    return found


def table(base, test):
    """[metric, base, test, diff, pct, sigma] as numbers, None: absent; times in us."""
    a, b, rows = run(base), run(test), []
    for m in ("step_time", *METRICS):
        (x, v), (y, w), unit = a[m], b[m], 1 if m == "launches" else 1000
        diff = None if x is None or y is None else y - x
        noise = None if v is None or w is None else math.sqrt(v + w)
        sigma = None if diff is None or noise is None else float(diff) / noise if noise else None if diff else 0
        rows.append([m if m == "launches" else m + "_us", *(None if t is None else float(t / unit) for t in (x, y, diff)),
                     float(100 * diff / x) if diff is not None and x else None, sigma])
    return rows


def wrong(text, base, test):
    """Why a table that was printed is not that; None: it is."""
    lines = [line.split("\t") for line in text.split("\n")[:-1]]
    want = table(base, test)
    if tuple(lines[0]) != COLUMNS or [line[0] for line in lines[1:]] != [row[0] for row in want]:
        return (text, "\n".join(map(str, want)) + "\n")
    for line, row in zip(lines[1:], want):
        for cell, value, least in zip(line[1:], row[1:], (.001, .001, .001, .01, .01)):
            if (cell == "") != (value is None) or (cell and abs(float(cell) - value) > least * .51 + abs(value) * 1e-9):
                return (text, "\n".join(map(str, want)) + "\n")
    return None


if __name__ == "__main__":
    for line in table([sys.argv[1]], [sys.argv[2]]):
        print(*line, sep="\t")
