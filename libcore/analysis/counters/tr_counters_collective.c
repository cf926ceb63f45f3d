/* SPDX-License-Identifier: MIT */
/* Counters of collectives: their bandwidth while all ranks take part. */
#include "analysis/comm/tr_collective_times.h"
#include "analysis/counters/tr_counters_int.h"

#include <stdlib.h>

struct tr__transfers {
    struct tr_coll_finder *finder;
    uint32_t series[TR_COLL_N_TYPES]; /* by type, + 1; 0: none yet */
};

enum tr_status tr__counters_new_collectives(struct tr_counters *c, struct tr_select *select, struct tr_error *err)
{
    if (!(c->opts.which & 1u << TR_COUNTER_COLLECTIVE))
        return TR_OK;
    c->transfers = calloc(1, sizeof *c->transfers);
    return c->transfers ? tr_coll_finder_new(c->work.groups.dict, select, &c->transfers->finder, err)
                        : tr_fail_memory(err);
}

void tr__counters_free_collectives(struct tr_counters *c)
{
    if (c->transfers)
        tr_coll_finder_free(c->transfers->finder);
    free(c->transfers);
}

enum tr_status tr__counters_collectives(struct tr_counters *c, const struct tr_batch *b, const uint8_t *keep,
                                        struct tr_error *err)
{
    return c->transfers ? tr_coll_feed(c->transfers->finder, b, keep, err) : TR_OK;
}

/* The member that starts last, and the one that ends last; false: no member has usable times. */
static bool last_members(const struct tr_colls *colls, size_t i, const struct tr_coll_member **start,
                         const struct tr_coll_member **end)
{
    const struct tr_coll *coll = &colls->colls[i];
    *start = *end = NULL;
    for (uint32_t k = 0; k < coll->n; k++) {
        const struct tr_coll_member *m = &colls->members[coll->first + k];
        if (m->suspect)
            continue;
        *start = *start && (*start)->start >= m->start ? *start : m;
        *end = *end && (*end)->end >= m->end ? *end : m;
    }
    return *start != NULL;
}

static enum tr_status add_collective(struct tr_counters *c, const struct tr_colls *colls, size_t i,
                                     struct tr_error *err)
{
    const struct tr_group_key none = { .rank = TR_GROUP_NONE, .device = TR_GROUP_NONE, .stream = TR_GROUP_NONE,
                                       .step = TR_GROUP_NONE };
    const struct tr_coll *coll = &colls->colls[i];
    const struct tr_coll_member *start, *end;
    struct tr_comm_times t;
    uint32_t *series = &c->transfers->series[coll->type], number;
    if (!tr_comm_picked(colls, i) || !tr_comm_measure(c->work.groups.dict, colls, i, false, &t) ||
        (t.n > 1 && !t.compared) || !last_members(colls, i, &start, &end))
        return TR_OK;
    double factor = tr_coll_bus_factor((enum tr_coll_type)coll->type, tr_coll_size(colls, coll));
    int64_t ns = tr_time_diff(end->end, start->start);
    double rate = t.bytes > 0 && ns > 0 ? (double)t.bytes * factor / (double)ns * 1e9 + 0.5 : 0;
    if (rate < 1 || rate >= 9e18)
        return TR_OK;
    if (!*series) {
        const char *name = tr_coll_type_name((enum tr_coll_type)coll->type);
        if (!tr__counters_add_series(c, TR_COUNTER_COLLECTIVE, &none, name, colls->members[coll->first].track, &number))
            return tr_fail_memory(err);
        *series = number + 1;
    }
    enum tr_status st = tr__counters_change(c, start->start, false, *series - 1, (int64_t)rate, start->record, err);
    return st == TR_OK ? tr__counters_change(c, end->end, true, *series - 1, -(int64_t)rate, end->record, err) : st;
}

enum tr_status tr__counters_end_collectives(struct tr_counters *c, struct tr_error *err)
{
    struct tr_colls *colls = NULL;
    enum tr_status st = c->transfers ? tr_coll_match(c->transfers->finder, &colls, err) : TR_OK;
    for (size_t i = 0; st == TR_OK && colls && i < colls->n; i++)
        st = add_collective(c, colls, i, err);
    tr_colls_free(colls);
    return st;
}
