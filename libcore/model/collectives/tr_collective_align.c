/* SPDX-License-Identifier: MIT */
/*
 * Two sequences side by side: the shortest way from one to the other by leaving elements out
 * (E. W. Myers, An O(ND) difference algorithm and its variations, 1986).
 */
#include "base/tr_mem.h"
#include "model/collectives/tr_collective_int.h"

#include <stdlib.h>

#define MAX_D 1000 /* differences at a time; bounds memory to 2 MiB and time to MAX_D * n */
#define MAX_N (INT32_C(1) << 29)

/* How far along a each diagonal is reached with d differences: row d has entries for k = -d..d. */
struct rows {
    int32_t *v;
    size_t cap;
};

static int32_t *entry(const struct rows *r, int32_t d, int32_t k)
{
    return &r->v[(size_t)d * (size_t)(d + 1) / 2 + (size_t)((k + d) / 2)];
}

/* Is the last step of the best path to diagonal k with d differences to leave out an element of b? */
static bool came_down(const struct rows *r, int32_t d, int32_t k)
{
    return k == -d || (k != d && *entry(r, d - 1, k - 1) < *entry(r, d - 1, k + 1));
}

static int32_t before_snake(const struct rows *r, int32_t d, int32_t k)
{
    if (d == 0)
        return 0;
    return came_down(r, d, k) ? *entry(r, d - 1, k + 1) : *entry(r, d - 1, k - 1) + 1;
}

/* Record the aligned elements on the path to diagonal k with d differences. */
static void walk_back(const struct rows *r, int32_t d, int32_t k, size_t from_a, size_t from_b,
                      size_t *at)
{
    for (;; d--) {
        int32_t x = *entry(r, d, k), first = before_snake(r, d, k);
        for (; x > first; x--)
            at[from_b + (size_t)(x - 1 - k)] = from_a + (size_t)(x - 1);
        if (d == 0)
            return;
        k = came_down(r, d, k) ? k + 1 : k - 1;
    }
}

/*
 * Go on from two places with at most MAX_D differences, and move the places on.  If the end of both is not reached, the
 * path that passes most elements is chosen; of equal ones, the path that passes about as many on both sides.
 */
static bool advance(struct rows *r, const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b,
                    size_t *from_a, size_t *from_b, size_t *at)
{
    int32_t n = (int32_t)(n_a - *from_a < MAX_N ? n_a - *from_a : MAX_N);
    int32_t m = (int32_t)(n_b - *from_b < MAX_N ? n_b - *from_b : MAX_N);
    int32_t best_k = 0, best = 0, d = 0;
    for (;; d++) {
        if (!tr_grow(&r->v, &r->cap, (size_t)(d + 1) * (size_t)(d + 2) / 2, sizeof *r->v))
            return false;
        best = -1;
        for (int32_t k = -d; k <= d; k += 2) {
            int32_t x = before_snake(r, d, k);
            while (x < n && x - k < m && a[*from_a + (size_t)x] == b[*from_b + (size_t)(x - k)])
                x++;
            *entry(r, d, k) = x;
            int32_t sum = 2 * x - k;
            if (x <= n && x - k <= m && (sum > best || (sum == best && abs(k) < abs(best_k)))) {
                best = sum;
                best_k = k;
            }
        }
        if (best == n + m || d == MAX_D)
            break;
    }
    int32_t x = *entry(r, d, best_k);
    walk_back(r, d, best_k, *from_a, *from_b, at);
    *from_a += (size_t)x;
    *from_b += (size_t)(x - best_k);
    return true;
}

/* If there are as many elements of a as of b between two aligned pairs, align these elements. */
static void pair_rest(size_t n_a, size_t n_b, size_t *at)
{
    size_t next_a = 0, next_b = 0;
    for (size_t j = 0; j <= n_b; j++) {
        size_t place = j == n_b ? n_a : at[j];
        if (place == SIZE_MAX)
            continue;
        if (place - next_a == j - next_b)
            for (; next_b < j; next_b++)
                at[next_b] = next_a++;
        next_a = place + 1;
        next_b = j + 1;
    }
}

bool tr__coll_align(const uint64_t *a, size_t n_a, const uint64_t *b, size_t n_b, size_t *at)
{
    struct rows r = { 0 };
    size_t from_a = 0, from_b = 0;
    bool ok = true;
    for (size_t j = 0; j < n_b; j++)
        at[j] = SIZE_MAX;
    while (ok && from_a < n_a && from_b < n_b)
        ok = advance(&r, a, n_a, b, n_b, &from_a, &from_b, at);
    free(r.v);
    pair_rest(n_a, n_b, at);
    return ok;
}
