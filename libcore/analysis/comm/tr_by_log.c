/* SPDX-License-Identifier: MIT */
/* Collectives of logs of NCCL's inspector (formats/nccl_inspector), which have durations and no clocks. */
#include "analysis/comm/tr_comm_analyses.h"
#include "engine/tr_rows.h"
#include "stream/tr_args.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A collective: one number of one communicator.  Texts are numbers of the dictionary. */
struct coll {
    uint32_t group, comm, name; /* group: first, of the engine */
    uint32_t source;            /* how it was timed; of one name, times compare */
    int64_t seq;
    uint32_t comm_name;
    int64_t size, bytes;
    struct tr_stats time;       /* ns, of its ranks */
    int64_t last;               /* the rank with the shortest time: the others waited for it */
    int64_t spread;
    double busbw;
};

enum key { COMM, COMM_NAME, COMM_RANK, N_RANKS, SEQ, BYTES, EXEC, SOURCE, BUSBW, N_KEYS };
#define KEYS "comm", "comm_name", "comm_rank", "n_ranks", "seq", "bytes", "exec_ns", "timing_source", "busbw_gbs"
static const char *const keys[N_KEYS] = { KEYS };

struct logs {
    struct tr_grouped g; /* first: tr_rows_first */
    struct tr_args args;
};

static const struct tr_table_column columns[] = {
    { "comm", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct coll, comm), .meaning = "the communicator" },
    { "seq", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct coll, seq), .meaning = "number of the collective in it" },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct coll, name), .meaning = "what it does" },
    { "bytes", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct coll, bytes), .unit = "bytes",
      .meaning = "size of the message" },
    { "ranks", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct coll, time), .meaning = "ranks whose logs have it" },
    { "time_min", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct coll, time), .meaning = "shortest execution" },
    { "spread", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct coll, spread),
      .meaning = "the difference: how long the others waited for the last rank" },
    { "last_rank", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct coll, last),
      .meaning = "rank in the communicator whose execution is the shortest, so that it came last; empty: none is" },
    { "busbw_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct coll, busbw), .unit = "GB/s",
      .meaning = "bus bandwidth in the log of the shortest execution" },
    { "time_max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct coll, time), .extra = true,
      .meaning = "longest execution" },
    { "size", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct coll, size), .extra = true,
      .meaning = "ranks of the communicator" },
    { "timing", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct coll, source), .extra = true,
      .meaning = "how it was timed: times of one way compare" },
    { "comm_name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct coll, comm_name), .extra = true,
      .meaning = "its name in the log" },
};

static bool merge(void *to, const void *from, bool is_new)
{
    struct coll *a = to;
    const struct coll *b = from;
    if (is_new || !a->time.n || (b->time.n && (b->time.min < a->time.min ||
                                               (b->time.min == a->time.min && b->last < a->last)))) {
        a->last = b->last;
        a->busbw = b->busbw;
    }
    tr_stats_merge(&a->time, &b->time);
    a->comm_name = b->comm_name;
    a->size = b->size;
    a->bytes = b->bytes;
    return true;
}

static const struct tr_row_type type = {
    .name = "logs",
    .size = sizeof(struct coll),
    .key_size = offsetof(struct coll, comm_name),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "comm,seq:asc,name,timing",
    .merge = merge,
};

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct logs *s = state;
    (void)options;
    s->args = (struct tr_args){ .place = TR_PLACE_ARGS, .keys = keys, .n_keys = N_KEYS };
    return tr_grouped_start(&s->g, &type, in, 1u << TR_ACT_OTHER, err);
}

static double real(struct tr_arg_value v)
{
    double d = NAN;
    if (v.type == TR_T_DOUBLE + 1)
        memcpy(&d, &v.v, sizeof d);
    else if (v.type == TR_T_INT + 1)
        d = (double)v.v;
    return d;
}

static bool add(struct logs *s, const struct tr_batch *b, size_t i, const struct tr_arg_value *v)
{
    const struct coll key = { .comm = tr_arg_value_text(v[COMM]), .name = b->name[i],
                              .source = tr_arg_value_text(v[SOURCE]), .seq = tr_arg_value_int(v[SEQ]) };
    int64_t time = tr_arg_value_int(v[EXEC]), rank = tr_arg_value_int(v[COMM_RANK]);
    if (key.comm == TR_NO_STR || key.seq == TR_I64_NONE || time == TR_I64_NONE || time < 0)
        return true;
    struct coll *c = tr_rows_at(s->g.rows, &key);
    if (!c)
        return false;
    if (!c->time.n || time < c->time.min || (time == c->time.min && rank < c->last)) {
        c->last = rank;
        c->busbw = real(v[BUSBW]);
    }
    tr_stats_add(&c->time, time);
    c->comm_name = tr_arg_value_text(v[COMM_NAME]);
    c->size = tr_arg_value_int(v[N_RANKS]);
    c->bytes = tr_arg_value_int(v[BYTES]);
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct logs *s = state;
    struct tr_arg_value v[N_KEYS];
    bool ok = tr_args_start(&s->args, b);
    (void)t;
    for (size_t i = 0; ok && i < b->n; i++) {
        tr_args_take(&s->args, b, i, v);
        if ((!keep || keep[i]) && tr_str_is(tr_dict_text_if(b->dict, b->cat[i]), "nccl_inspector"))
            ok = add(s, b, i, v);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* Equal times name no rank. */
static enum tr_status complete(void *state, struct tr_error *err)
{
    struct logs *s = state;
    (void)err;
    for (size_t i = 0; i < tr_rows_count(s->g.rows); i++) {
        struct coll *c = tr_rows_get(s->g.rows, i);
        c->spread = c->time.max - c->time.min;
        if (!c->spread)
            c->last = TR_I64_NONE;
    }
    return TR_OK;
}

static void release(void *state)
{
    struct logs *s = state;
    tr_args_free(&s->args);
    tr_grouped_free(state);
}

const struct tr_analysis tr_analysis_log = {
    .name = "log",
    .question = "How long did collectives take by the logs of NCCL's inspector, and which rank came last?",
    .nothing = "no logs of NCCL's inspector",
    .group = TR_PER_ALL,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(CAT), TR_KEYS(KEYS) },
               .all_in_any_order = true, .host = true },
    TR_OWN_COLUMNS(columns),
    .rows = tr_rows_first,
    .state_size = sizeof(struct logs),
    .start = start,
    .feed = feed,
    .complete = complete,
    .free = release,
    .unsaved = "logs are small, so give them",
};
