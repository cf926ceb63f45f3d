/* SPDX-License-Identifier: MIT */
/* The legs of the path of all ranks: from where it comes to a rank to where it leaves it. */
#include "analysis/paths/tr_by_leg_int.h"

#include <math.h>
#include <stdlib.h>

struct leg {
    int64_t rank, start, dur, sum;
    double pct;
    int64_t record; /* TR_I64_NONE: the path begins here, or no collective leads to it */
    uint32_t name;
};

static const struct tr_table_column columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct leg, rank), .meaning = "the rank" },
    { "start", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct leg, start),
      .meaning = "when the path comes to the rank, on the clock of its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct leg, dur), .meaning = "until it leaves the rank" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct leg, sum), .meaning = "time on the path" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SUM, 2, TR_OF(struct leg, pct), .unit = "%", .meaning = "share of the path" },
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct leg, record), .extra = true,
      .meaning = "index in its file of the collective through which the path comes; empty: it comes through none" },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct leg, name), .names = true, .meaning = "name of that kernel" },
};

void tr__critpath_leg_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

/* Legs, as they come. */
struct legs {
    struct tr_table *t;
    const struct tr_dict *dict;
    int64_t total;
    const struct tr_source *source; /* of the leg that has begun; NULL: none */
    struct leg leg;
    int64_t from, to;
};

static void end_leg(struct legs *l)
{
    if (!l->source)
        return;
    bool known = l->total && l->total != TR_TIME_NONE && l->leg.sum != TR_TIME_NONE;
    l->leg.rank = l->source->rank < 0 ? TR_I64_NONE : l->source->rank;
    l->leg.start = tr_source_to_file(l->source, l->from);
    l->leg.dur = tr_time_diff(l->to, l->from);
    l->leg.pct = known ? 100.0 * (double)l->leg.sum / (double)l->total : NAN;
    tr_table_row(l->t, &(struct tr_row){ .row = &l->leg });
}

/* A part of the path; record, name: of the collective through which it comes, if it does. */
static void take(struct legs *l, uint32_t source, const struct tr_range *when, int64_t weight, int64_t record,
                 uint32_t name)
{
    const struct tr_source *of = &l->dict->sources[source];
    if (!l->source || (l->source != of && (l->source->rank < 0 || l->source->rank != of->rank))) {
        end_leg(l);
        l->source = of;
        l->from = when->from;
        l->leg = (struct leg){ .record = record, .name = name };
    }
    l->to = when->to;
    l->leg.sum = tr_time_sum(l->leg.sum, weight);
}

enum tr_status tr__critpath_legs(const struct tr_critpath *c, const struct tr_dict *dict, struct tr_table *t,
                                 struct tr_error *err)
{
    struct tr_cp_link *links;
    size_t n;
    if (!tr_critpath_groups(c))
        return TR_OK;
    enum tr_status st = tr_critpath_path(c, 0, &links, &n, err);
    if (st != TR_OK)
        return st;
    struct legs l = { .t = t, .dict = dict, .total = tr_critpath_total(c, 0) };
    for (size_t i = 0; i < n; i++) {
        const struct tr_cp_link *k = &links[i];
        const struct tr_cp_event *e = k->charged ? &k->payer : k->edge == TR_CP_ARRIVAL ? &k->from : &k->to;
        bool comes = k->edge == TR_CP_TRANSFER;
        take(&l, dict->tracks[e->track].source, &(struct tr_range){ k->from_ts, k->to_ts }, k->weight,
             comes ? (int64_t)k->to.record : TR_I64_NONE, comes ? k->to.name : TR_NO_STR);
    }
    end_leg(&l);
    free(links);
    return tr_table_status(t, err);
}

enum tr_status tr__critpath_joined_legs(const struct cp_joined *joined, const struct tr_colls *colls,
                                        const struct tr_dict *dict, struct tr_table *t, struct tr_error *err)
{
    struct legs l = { .t = t, .dict = dict, .total = joined->total };
    for (size_t i = 0; i < joined->n; i++) {
        const struct cp_step *s = &joined->steps[i];
        const struct tr_coll_member *m = s->member == SIZE_MAX ? NULL : &colls->members[s->member];
        int64_t weight = 0;
        for (unsigned b = 0; b < TR_CP_N_BOUNDS; b++)
            weight = tr_time_sum(weight, s->sums.bounds[b]);
        take(&l, s->source, &(struct tr_range){ s->from, s->to }, weight, m ? (int64_t)m->record : TR_I64_NONE,
             m ? m->name : TR_NO_STR);
    }
    end_leg(&l);
    return tr_table_status(t, err);
}
