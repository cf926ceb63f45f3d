/* SPDX-License-Identifier: MIT */
/*
 * Sorted arrays: orders for qsort, said as lists of comparisons, and places in what is sorted.
 *
 *     TR_ORDER(by_time, struct span, TR_UP(start), TR_DOWN(end), tr_str_cmp(a->name, b->name))
 *
 *     qsort(spans, n, sizeof *spans, by_time);
 *     size_t at = 0;
 *     TR_BOUND(at, n, mid, spans[mid].start < ts);       the first that does not start before ts
 */
#ifndef TR_SORT_H
#define TR_SORT_H

#include <stddef.h>
#include <stdint.h>

/* clang-format off */
/* -1, 0 or 1: the order of two numbers. */
#define TR_CMP(x, y) (((x) > (y)) - ((x) < (y)))

/* Comparisons for TR_ORDER: by a member, from small to large and from large to small. */
#define TR_UP(member)   TR_CMP(a->member, b->member)
#define TR_DOWN(member) TR_CMP(b->member, a->member)

/*
 * Define a function for qsort, which compares two structs a and b.  The first of up to eight comparisons that is not 0
 * decides.
 */
#define TR_ORDER(name, type, ...)                                                                      \
    static int name(const void *tr_left, const void *tr_right)                                         \
    {                                                                                                  \
        const type *a = tr_left, *b = tr_right;                                                        \
        int tr_order;                                                                                  \
        TR__PICK(__VA_ARGS__, TR__BY8, TR__BY7, TR__BY6, TR__BY5, TR__BY4, TR__BY3, TR__BY2, TR__BY1,) \
        (__VA_ARGS__)                                                                                  \
        return tr_order;                                                                               \
    }
#define TR__PICK(c1, c2, c3, c4, c5, c6, c7, c8, which, ...) which
#define TR__BY(c)       if ((tr_order = (c)) != 0) return tr_order;
#define TR__BY1(c)      TR__BY(c)
#define TR__BY2(c, ...) TR__BY(c) TR__BY1(__VA_ARGS__)
#define TR__BY3(c, ...) TR__BY(c) TR__BY2(__VA_ARGS__)
#define TR__BY4(c, ...) TR__BY(c) TR__BY3(__VA_ARGS__)
#define TR__BY5(c, ...) TR__BY(c) TR__BY4(__VA_ARGS__)
#define TR__BY6(c, ...) TR__BY(c) TR__BY5(__VA_ARGS__)
#define TR__BY7(c, ...) TR__BY(c) TR__BY6(__VA_ARGS__)
#define TR__BY8(c, ...) TR__BY(c) TR__BY7(__VA_ARGS__)

/*
 * Move at, a number from which to search, to the first number below high for which before is false; high if there is
 * none.  before is a condition about the number mid, true up to some number and false from there on.
 */
#define TR_BOUND(at, high, mid, before)                  \
    for (size_t tr_high = (high); (at) < tr_high;) {     \
        const size_t mid = (at) + (tr_high - (at)) / 2;  \
        if (before)                                      \
            (at) = mid + 1;                              \
        else                                             \
            tr_high = mid;                               \
    }
/* clang-format on */

/* Orders of plain numbers. */
static inline int tr_by_i64(const void *x, const void *y)
{
    return TR_CMP(*(const int64_t *)x, *(const int64_t *)y);
}

static inline int tr_by_u64(const void *x, const void *y)
{
    return TR_CMP(*(const uint64_t *)x, *(const uint64_t *)y);
}

static inline int tr_by_f64(const void *x, const void *y)
{
    return TR_CMP(*(const double *)x, *(const double *)y);
}

#endif
