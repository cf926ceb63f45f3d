/* SPDX-License-Identifier: MIT */
/* Sorting within one run: by start in passes over its digits, ties by comparison. */
#include "stream/sort/tr_external_sort_int.h"

#include <string.h>

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

/* Move events without ts to the front; returns their number. */
static size_t untimed_first(struct tr_row_ref *refs, struct tr_row_ref *tmp, size_t n)
{
    size_t n_untimed = 0, rest = 0;
    for (size_t i = 0; i < n; i++)
        if (refs[i].ts == TR_TIME_NONE)
            tmp[n_untimed++] = refs[i];
    if (n_untimed == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (refs[i].ts != TR_TIME_NONE)
            tmp[n_untimed + rest++] = refs[i];
    memcpy(refs, tmp, n * sizeof *refs);
    return n_untimed;
}

/* Sort by the whole key.  It must not be quadratic, because all events of a trace may have one start. */
static void sort_whole(struct tr_row_ref *refs, struct tr_row_ref *tmp, size_t n,
                       const uint32_t *order_of)
{
    size_t half = n / 2, left = 0, right = half, to = 0;
    if (n < 2)
        return;
    sort_whole(refs, tmp, half, order_of);
    sort_whole(refs + half, tmp, n - half, order_of);
    if (tr_row_cmp(refs[half - 1].row, refs[half].row, order_of) <= 0)
        return;
    memcpy(tmp, refs, half * sizeof *refs);
    while (left < half && right < n)
        refs[to++] = tr_row_cmp(tmp[left].row, refs[right].row, order_of) <= 0 ? tmp[left++]
                                                                               : refs[right++];
    memcpy(refs + to, tmp + left, (half - left) * sizeof *refs);
}

#define MAX_MOVES 4u /* by row, on average */

/*
 * Sort rows that are nearly in order: each moves to its place among those before it.  False: too many moves; the rows
 * are then in some order.
 */
static bool sort_near(struct tr_row_ref *refs, size_t n, const uint32_t *order_of)
{
    size_t moves = MAX_MOVES * n;
    for (size_t i = 1; i < n; i++) {
        const struct tr_row_ref r = refs[i];
        size_t k = i;
        while (k > 0 && moves > 0 && (r.ts < refs[k - 1].ts || (r.ts == refs[k - 1].ts &&
                                                                tr_row_cmp(refs[k - 1].row, r.row, order_of) > 0))) {
            refs[k] = refs[k - 1];
            k--;
            moves--;
        }
        refs[k] = r;
        if (!moves)
            return false;
    }
    return true;
}

#define MAX_RUNS 16u

static inline bool is_after(const struct tr_row_ref *x, const struct tr_row_ref *y, const uint32_t *order_of)
{
    return x->ts != y->ts ? x->ts > y->ts : tr_row_cmp(x->row, y->row, order_of) > 0;
}

/* Merge refs[0 .. half) and refs[half .. n), which are in order. */
static void merge_two(struct tr_row_ref *refs, struct tr_row_ref *tmp, size_t half, size_t n, const uint32_t *order_of)
{
    size_t left = 0, right = half, to = 0;
    memcpy(tmp, refs, half * sizeof *refs);
    while (left < half && right < n)
        refs[to++] = is_after(&tmp[left], &refs[right], order_of) ? refs[right++] : tmp[left++];
    memcpy(refs + to, tmp + left, (half - left) * sizeof *refs);
}

/* Sort rows that are a few runs in order, such as those of some threads one after the other.  False: there are more. */
static bool sort_runs(struct tr_row_ref *refs, struct tr_row_ref *tmp, size_t n, const uint32_t *order_of)
{
    size_t starts[MAX_RUNS + 1], n_runs = 0;
    for (size_t i = 0; i < n; i++)
        if (!i || is_after(&refs[i - 1], &refs[i], order_of)) {
            if (n_runs == MAX_RUNS)
                return false;
            starts[n_runs++] = i;
        }
    for (; n_runs > 1; n_runs = (n_runs + 1) / 2) {
        starts[n_runs] = n;
        for (size_t k = 0; k < n_runs; k += 2) {
            if (k + 1 < n_runs)
                merge_two(refs + starts[k], tmp, starts[k + 1] - starts[k], starts[k + 2] - starts[k], order_of);
            starts[k / 2] = starts[k];
        }
    }
    return true;
}

static void sort_ties(struct tr_row_ref *refs, struct tr_row_ref *tmp, size_t n,
                      const uint32_t *order_of)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && refs[end].ts == refs[i].ts;)
            end++;
        sort_whole(refs + i, tmp, end - i, order_of);
    }
}

void tr_refs_sort(struct tr_row_ref *refs, struct tr_row_ref *tmp, size_t n,
                  const uint32_t *order_of)
{
    if (sort_runs(refs, tmp, n, order_of) || sort_near(refs, n, order_of))
        return;
    size_t skip = untimed_first(refs, tmp, n);
    sort_whole(refs, tmp, skip, order_of);
    refs += skip;
    n -= skip;
    if (n == 0)
        return;
    int64_t min = refs[0].ts, max = refs[0].ts;
    for (size_t i = 1; i < n; i++) {
        min = refs[i].ts < min ? refs[i].ts : min;
        max = refs[i].ts > max ? refs[i].ts : max;
    }
    uint64_t range = (uint64_t)max - (uint64_t)min;
    struct tr_row_ref *from = refs, *to = tmp;
    for (unsigned shift = 0; shift < 64 && range >> shift; shift += DIGIT_BITS) {
        size_t at[DIGITS] = { 0 }, sum = 0;
        for (size_t i = 0; i < n; i++)
            at[((uint64_t)from[i].ts - (uint64_t)min) >> shift & (DIGITS - 1)]++;
        for (size_t d = 0; d < DIGITS; d++) {
            size_t c = at[d];
            at[d] = sum;
            sum += c;
        }
        for (size_t i = 0; i < n; i++)
            to[at[((uint64_t)from[i].ts - (uint64_t)min) >> shift & (DIGITS - 1)]++] = from[i];
        struct tr_row_ref *swap = from;
        from = to;
        to = swap;
    }
    if (from != refs)
        memcpy(refs, from, n * sizeof *refs);
    sort_ties(refs, tmp, n, order_of);
}
