/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: the ends of flows in order.
 *
 * Parts of a file come in order.  Each is a run, and the last runs are merged while they are about as long as the one
 * after them, so an end is moved a few times only.
 */
#include "formats/xplane/tr_xplane_flow_ends_int.h"

#include "base/tr_mem.h"
#include "stream/sort/tr_record_sort.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_RUNS = 64 }; /* each is less than half as long as the one before it */

struct tr__xplane_flow_ends {
    struct tr__xplane_flow_end *at, *tmp; /* runs, one after the other; tmp: for a merge */
    size_t n, cap, cap_tmp, next;
    size_t runs[MAX_RUNS], n_runs;  /* their lengths */
    struct tr_record_sort *sort;    /* runs that did not fit; NULL: none */
    bool ended;
};

#define COMPARE(member) \
    if (x->member != y->member) \
    return x->member < y->member ? -1 : 1

static inline int by_flow(const struct tr__xplane_flow_end *x, const struct tr__xplane_flow_end *y)
{
    COMPARE(kind);
    COMPARE(id);
    COMPARE(ts);
    COMPARE(ts_ps);
    COMPARE(role);
    COMPARE(record);
    return 0;
}

static int compare(const void *a, const void *b)
{
    return by_flow(a, b);
}

static int compare_records(void *self, const void *a, const void *b)
{
    (void)self;
    return by_flow(a, b);
}

void tr__xplane_flow_ends_order(struct tr__xplane_flow_end *ends, size_t n)
{
    if (n > 1)
        qsort(ends, n, sizeof *ends, compare);
}

/* The last two runs become one.  False: out of memory. */
static bool merge_last(struct tr__xplane_flow_ends *e)
{
    size_t n = e->runs[--e->n_runs];
    struct tr__xplane_flow_end *first = e->at + e->n - n - e->runs[e->n_runs - 1], *x = e->at + e->n - n,
                               *to = e->at + e->n;
    if (!tr_grow(&e->tmp, &e->cap_tmp, n, sizeof *e->tmp))
        return false;
    memcpy(e->tmp, x, n * sizeof *x);
    for (const struct tr__xplane_flow_end *y = e->tmp + n; y > e->tmp;)
        *--to = x > first && by_flow(x - 1, y - 1) > 0 ? *--x : *--y;
    e->runs[e->n_runs - 1] += n;
    return true;
}

static bool merge_all(struct tr__xplane_flow_ends *e)
{
    while (e->n_runs > 1)
        if (!merge_last(e))
            return false;
    return true;
}

/* What is in memory goes to the file. */
static enum tr_status make_room(struct tr__xplane_flow_ends *e, size_t max_memory, const char *temp_dir,
                                struct tr_error *err)
{
    enum tr_status st = merge_all(e) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK && !e->sort)
        st = tr_record_sort_new(&e->sort, max_memory, temp_dir, compare_records, NULL, err);
    for (size_t i = 0; st == TR_OK && i < e->n; i++)
        st = tr_record_sort_put(e->sort, &e->at[i], sizeof e->at[i], err);
    e->n = e->n_runs = 0;
    return st == TR_OK ? tr_record_sort_cut(e->sort, err) : st;
}

enum tr_status tr__xplane_flow_ends_add(struct tr__xplane_flow_ends **ends, const struct tr__xplane_flow_end *more,
                                        size_t n, size_t max_memory, const char *temp_dir, struct tr_error *err)
{
    struct tr__xplane_flow_ends *e = *ends ? *ends : (*ends = calloc(1, sizeof *e));
    enum tr_status st = e ? TR_OK : tr_fail_memory(err);
    if (st != TR_OK || !n)
        return st;
    if (e->n && (e->n + n) * 2 * sizeof *more > max_memory) /* 2: as much again for a merge */
        st = make_room(e, max_memory, temp_dir, err);
    if (st != TR_OK || !tr_grow(&e->at, &e->cap, e->n + n, sizeof *e->at))
        return st != TR_OK ? st : tr_fail_memory(err);
    memcpy(e->at + e->n, more, n * sizeof *more);
    e->n += n;
    e->runs[e->n_runs++] = n;
    while (e->n_runs > 1 && e->runs[e->n_runs - 2] / 2 <= e->runs[e->n_runs - 1])
        if (!merge_last(e))
            return tr_fail_memory(err);
    return TR_OK;
}

enum tr_status tr__xplane_flow_ends_next(struct tr__xplane_flow_ends *e, const struct tr__xplane_flow_end **end,
                                         struct tr_error *err)
{
    const void *record;
    size_t n;
    enum tr_status st = TR_OK;
    if (!e->ended) {
        if (e->sort)
            st = make_room(e, 0, NULL, err);
        else if (!merge_all(e))
            st = tr_fail_memory(err);
        if (st == TR_OK && e->sort)
            st = tr_record_sort_merge(e->sort, err);
        e->ended = true;
    }
    if (st != TR_OK)
        return st;
    if (!e->sort) {
        *end = e->at + e->next;
        return e->next++ < e->n ? TR_OK : TR_END;
    }
    if ((st = tr_record_sort_next(e->sort, &record, &n, err)) == TR_OK)
        *end = record;
    return st;
}

void tr__xplane_flow_ends_free(struct tr__xplane_flow_ends *e)
{
    if (!e)
        return;
    tr_record_sort_free(e->sort);
    free(e->at);
    free(e->tmp);
    free(e);
}
