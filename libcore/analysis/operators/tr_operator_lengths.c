/* SPDX-License-Identifier: MIT */
/* Statistics of calls that launched work themselves, for each row. */
#include "analysis/operators/tr_operators_int.h"

#include <math.h>
#include <stdlib.h>

void tr__operator_lengths_free(struct tr__operator_lengths *l)
{
    tr_spilling_free(&l->in, l->of);
    tr_spilling_free(&l->rows_in, l->rows);
    tr_stacks_free(&l->works);
}

bool tr__operator_lengths_add(struct tr__operator_lengths *l, const struct tr__owner_work *work)
{
    static const struct tr_operator_launched empty = { TR_STATS_INIT, TR_STATS_INIT, NAN, NAN, INT64_MAX, 0,
                                                       TR_STACK_NONE };
    tr_spilling_touched(&l->rows_in);
    tr_spilling_touched(&l->in);
    if (!tr_spilling_grow(&l->in, &l->of, &l->cap, l->n + 1, sizeof *l->of) ||
        !tr_spilling_grow(&l->rows_in, &l->rows, &l->cap_rows, (size_t)work->row + 1, sizeof *l->rows))
        return false;
    for (; l->n_rows <= work->row; l->n_rows++)
        l->rows[l->n_rows] = empty;
    l->of[l->n++] = (struct tr__operator_length){ work->own, work->all, work->row };
    struct tr_operator_launched *r = &l->rows[work->row];
    tr_stats_add_known(&r->own, work->own);
    tr_stats_add_known(&r->all, work->all);
    if (work->start < r->start || (work->start == r->start && work->record < r->record)) {
        r->start = work->start;
        r->record = work->record;
        r->work = work->names;
    }
    return true;
}

static int by_own(const void *x, const void *y)
{
    const struct tr__operator_length *a = x, *b = y;
    return a->row != b->row ? (a->row < b->row ? -1 : 1) : (a->own > b->own) - (a->own < b->own);
}

static int by_all(const void *x, const void *y)
{
    const struct tr__operator_length *a = x, *b = y;
    return a->row != b->row ? (a->row < b->row ? -1 : 1) : (a->all > b->all) - (a->all < b->all);
}

/* The mean of the two values in the middle, or the one in the middle. */
static double middle(int64_t a, int64_t b)
{
    return a == TR_TIME_NONE || b == TR_TIME_NONE ? NAN : (double)a / 2 + (double)b / 2;
}

void tr__operator_lengths_finish(struct tr__operator_lengths *l)
{
    for (unsigned own = 0; own < 2 && l->n; own++) {
        qsort(l->of, l->n, sizeof *l->of, own ? by_own : by_all);
        for (size_t i = 0, end; i < l->n; i = end) {
            struct tr_operator_launched *r = &l->rows[l->of[i].row];
            for (end = i; end < l->n && l->of[end].row == l->of[i].row;)
                end++;
            const struct tr__operator_length *low = &l->of[i + (end - i - 1) / 2], *high = &l->of[i + (end - i) / 2];
            tr_spilling_touched(&l->rows_in);
            tr_spilling_touched(&l->in);
            if (own)
                r->own_p50 = middle(low->own, high->own);
            else
                r->all_p50 = middle(low->all, high->all);
        }
    }
}
