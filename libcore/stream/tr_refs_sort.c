/* Sorting within one run: by start in passes over its digits, ties by comparison. */
#include "stream/tr_runs.h"

#include <string.h>

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

static bool in_order(const struct tr_row_ref *refs, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (refs[i].ts < refs[i - 1].ts ||
            (refs[i].ts == refs[i - 1].ts && tr_row_cmp(refs[i - 1].row, refs[i].row, NULL) > 0))
            return false;
    return true;
}

/* Events without ts to the front, in file order; returns how many. */
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

static void sort_ties(struct tr_row_ref *refs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct tr_row_ref r = refs[i];
        size_t k = i;
        while (k > 0 && refs[k - 1].ts == r.ts && tr_row_cmp(refs[k - 1].row, r.row, NULL) > 0) {
            refs[k] = refs[k - 1];
            k--;
        }
        refs[k] = r;
    }
}

void tr_refs_sort(struct tr_row_ref *refs, struct tr_row_ref *tmp, size_t n)
{
    if (in_order(refs, n))
        return;
    size_t skip = untimed_first(refs, tmp, n);
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
    sort_ties(refs, n);
}
