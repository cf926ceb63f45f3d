/* SPDX-License-Identifier: MIT */
/*
 * Random numbers that are the same on every machine: xoshiro256** seeded by splitmix64 (Blackman
 * and Vigna, public formulas).  Integers only.
 */
#ifndef GEN_RNG_H
#define GEN_RNG_H

#include <stdint.h>

struct gen_rng {
    uint64_t s[4];
};

static inline uint64_t gen_splitmix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* One independent sequence for each (seed, a, b, c). */
static inline struct gen_rng gen_rng_make(uint64_t seed, uint64_t a, uint64_t b, uint64_t c)
{
    struct gen_rng r;
    uint64_t x = seed;
    x = gen_splitmix(&x) ^ a;
    x = gen_splitmix(&x) ^ b;
    x = gen_splitmix(&x) ^ c;
    for (int i = 0; i < 4; i++)
        r.s[i] = gen_splitmix(&x);
    return r;
}

static inline uint64_t gen_rotl(uint64_t v, int k)
{
    return (v << k) | (v >> (64 - k));
}

static inline uint64_t gen_next(struct gen_rng *r)
{
    uint64_t *s = r->s, out = gen_rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = gen_rotl(s[3], 45);
    return out;
}

/* 0 <= result < n; n from 1 to 2^32-1. */
static inline uint32_t gen_below(struct gen_rng *r, uint32_t n)
{
    return (uint32_t)(((gen_next(r) >> 32) * n) >> 32);
}

/* lo <= result <= hi; the two at most 2^32-2 apart. */
static inline int64_t gen_range(struct gen_rng *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)gen_below(r, (uint32_t)(hi - lo + 1));
}

/* True in n of 1000 cases. */
static inline int gen_chance(struct gen_rng *r, uint32_t n)
{
    return gen_below(r, 1000) < n;
}

#endif
