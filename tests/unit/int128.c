/* SPDX-License-Identifier: MIT */
/* Numbers of 128 bits: known results, laws, and what a compiler that has such numbers makes of them. */
#include "base/tr_int128.h"
#include "harness/tap.h"

#include <float.h>

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A number of any size, or one next to a power of two. */
static uint64_t any(uint64_t *state)
{
    uint64_t r = next_random(state), kind = next_random(state) % 64;
    return next_random(state) % 3 ? r >> kind : (UINT64_C(1) << kind) + r % 3 - 1;
}

static bool same(struct tr_u128 a, struct tr_u128 b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

static struct tr_u128 pair(uint64_t hi, uint64_t lo)
{
    return (struct tr_u128){ hi, lo };
}

static void test_known(void)
{
    uint64_t rest;
    CHECK(same(tr_u128_mul(UINT64_MAX, UINT64_MAX), pair(UINT64_MAX - 1, 1)));
    CHECK(same(tr_i128_mul(INT64_MIN, INT64_MIN), pair(UINT64_C(1) << 62, 0)));
    CHECK(same(tr_i128_mul(INT64_MIN, 3), pair(UINT64_MAX - 1, UINT64_C(1) << 63)));
    CHECK(same(tr_i128_negate(pair(0, 0)), pair(0, 0)));
    CHECK(same(tr_i128_negate(pair(0, 1)), pair(UINT64_MAX, UINT64_MAX)));
    CHECK(same(tr_u128_times(tr_i128_of(-5), 1000), tr_i128_of(-5000)));
    CHECK(same(tr_u128_div(pair(1, 0), 3, &rest), pair(0, 0x5555555555555555)) && rest == 1);
    CHECK(same(tr_u128_div_bits(pair(UINT64_MAX - 1, 1), UINT64_MAX, &rest), pair(0, UINT64_MAX)) && rest == 0);
    CHECK(tr_i128_cmp(tr_i128_of(-1), tr_i128_of(0)) < 0 && tr_i128_cmp(pair(1, 0), pair(0, UINT64_MAX)) > 0);
    CHECK(tr_i128_cmp(pair(7, 9), pair(7, 9)) == 0);
}

/* Of two doubles that are equally near, the even one. */
static void test_doubles(void)
{
    const double two64 = 18446744073709551616.0;
    CHECK(tr_i128_double(tr_i128_of(-12345)) == -12345);
    CHECK(tr_i128_double(pair(1, 0)) == two64);
    CHECK(tr_i128_double(pair(1, 2048)) == two64);
    CHECK(tr_i128_double(pair(1, 2049)) == two64 * (1 + DBL_EPSILON));
    CHECK(tr_i128_double(pair(1, 4096 + 2048)) == two64 * (1 + 2 * DBL_EPSILON));
    CHECK(tr_i128_double(tr_i128_negate(pair(1, 2049))) == -two64 * (1 + DBL_EPSILON));
    CHECK(tr_i128_double(pair(UINT64_C(1) << 63, 0)) == -two64 * two64 / 2);
}

/* (a * b + c) / a is b, with rest c; in both ways of computing it. */
static void test_laws(void)
{
    uint64_t rng = 1, rest, rest_too;
    int wrong = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t a = any(&rng) | 1, b = any(&rng), c = any(&rng) % a;
        struct tr_u128 p = tr_u128_mul(a, b), n = tr_u128_add(p, pair(0, c));
        wrong += !same(p, tr_u128_mul_pieces(b, a));
        wrong += !same(tr_u128_div(n, a, &rest), pair(0, b)) || rest != c;
        wrong += !same(tr_u128_div_bits(n, a, &rest_too), pair(0, b)) || rest_too != c;
        wrong += !same(tr_i128_sub(n, p), pair(0, c));
        n = pair(any(&rng), c);
        struct tr_u128 q = tr_u128_div(n, a, &rest);
        wrong += !same(tr_u128_add(tr_u128_times(q, a), pair(0, rest)), n) || rest >= a;
        wrong += !same(q, tr_u128_div_bits(n, a, &rest_too)) || rest_too != rest;
    }
    CHECK(wrong == 0);
}

#if defined __SIZEOF_INT128__
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

static struct tr_u128 of(u128 v)
{
    return pair((uint64_t)(v >> 64), (uint64_t)v);
}

static void test_compiler(void)
{
    uint64_t rng = 2, rest;
    int wrong = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t x = any(&rng), y = any(&rng), d = any(&rng) | 1;
        int64_t a = (int64_t)x, b = (int64_t)y;
        u128 n = (u128)x << 64 | y, m = (u128)d << 64 | x;
        i128 s = (i128)n, t = (i128)m;
        wrong += !same(tr_u128_mul_pieces(x, y), of((u128)x * y));
        wrong += !same(tr_i128_mul(a, b), of((u128)((i128)a * b)));
        wrong += !same(tr_u128_add(of(n), of(m)), of(n + m)) || !same(tr_i128_sub(of(n), of(m)), of(n - m));
        wrong += !same(tr_u128_times(of(n), d), of(n * d));
        wrong += !same(tr_u128_div_bits(of(n), d, &rest), of(n / d)) || rest != (uint64_t)(n % d);
        wrong += tr_i128_cmp(of(n), of(m)) != (s > t) - (s < t);
        wrong += tr_i128_double(of(n)) != (double)s || tr_i128_double(tr_i128_of(a)) != (double)a;
    }
    CHECK(wrong == 0);
}
#endif

static const struct tap_test tests[] = {
    { "known sums, products, quotients and orders", test_known },
    { "the nearest double", test_doubles },
    { "quotients take products apart", test_laws },
#if defined __SIZEOF_INT128__
    { "as the compiler computes", test_compiler },
#endif
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
