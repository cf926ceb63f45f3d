/* SPDX-License-Identifier: MIT */
/* Collectives of logs of NCCL's inspector (formats/nccl_inspector), which have durations and no clocks. */
#include "analysis/comm/tr_comm_analyses.h"
#include "engine/tr_rows.h"
#include "model/collectives/tr_collective.h"
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

/* The time of a rank in a collective. */
struct member {
    uint32_t coll; /* number of its row */
    int64_t rank, time;
};

struct logs {
    struct tr_grouped g; /* first: tr_rows_first */
    struct tr_args args;
    struct tr_rows *sums; /* of the views that sum up; NULL: rows are the collectives */
    struct member *members; /* for sums by rank */
    size_t n_members, cap_members;
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
    const struct member m = { (uint32_t)tr_rows_number(s->g.rows, c), rank, time };
    if (s->sums && !tr_grow(&s->members, &s->cap_members, s->n_members + 1, sizeof m))
        return false;
    if (s->sums)
        s->members[s->n_members++] = m;
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
        struct tr_str cat = tr_dict_text_if(b->dict, b->cat[i]);
        if ((!keep || keep[i]) && (tr_str_is(cat, "nccl_inspector") || tr_str_is(cat, "nccl_profiler")))
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
    tr_rows_free(s->sums);
    free(s->members);
    tr_grouped_free(state);
}

#define OF_LOGS                                                                                               \
    .nothing = "no logs of NCCL's inspector",                                                                 \
    .group = TR_PER_ALL,                                                                                      \
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(CAT), TR_KEYS(KEYS) }, \
               .all_in_any_order = true, .host = true },                                                     \
    .state_size = sizeof(struct logs), .feed = feed, .free = release,                                         \
    .unsaved = "logs are small, so give them"

const struct tr_analysis tr_analysis_log = {
    .name = "log",
    .question = "How long did collectives take by the logs of NCCL's inspector, and which rank came last?",
    TR_OWN_COLUMNS(columns),
    .rows = tr_rows_first,
    .start = start,
    .complete = complete,
    OF_LOGS,
};

/* ---- sums of collectives: by communicator, name, size ---- */

struct sum {
    uint32_t group, comm, name, source; /* keys; those that the view does not have are TR_NO_STR, TR_I64_NONE */
    int64_t bytes;
    uint32_t comm_name;
    int64_t size;
    struct tr_stats time, spread, bandwidth; /* ns; bytes per second */
    double busbw;
};

#define COUNTED                                                                                                       \
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct sum, time), .meaning = "number of collectives" },          \
    { "time_sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct sum, time), .meaning = "sum of their shortest executions" }, \
    { "time_mean", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct sum, time), .of = "time_sum", .per = "count",            \
      .meaning = "mean of these" },                                                                                   \
    { "spread_sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct sum, spread),                                             \
      .meaning = "sum of longest less shortest execution: how long others waited for the last rank" },               \
    { "spread_max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct sum, spread), .meaning = "the largest of these" },        \
    { "busbw_mean_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct sum, busbw), .unit = "GB/s",                \
      .meaning = "mean of the bus bandwidths, where logs have them" },                                                \
    { "timing", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, source), .extra = true,                                \
      .meaning = "how they were timed: times of one way compare" }

static const struct tr_table_column group_columns[] = {
    { "comm", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, comm), .meaning = "the communicator" },
    COUNTED,
    { "size", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct sum, size), .meaning = "ranks of the communicator" },
    { "comm_name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct sum, comm_name), .meaning = "its name in the log" },
};
static const struct tr_table_column name_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, name), .meaning = "what they do" },
    COUNTED,
};
static const struct tr_table_column size_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, name), .meaning = "what they do" },
    { "bytes", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct sum, bytes), .unit = "bytes", .meaning = "size of the message" },
    COUNTED,
};

#define SUM_TYPE(of, by)                                                                                         \
    static const struct tr_row_type of##_type = {                                                                \
        .name = "log-" #of, .size = sizeof(struct sum), .key_size = offsetof(struct sum, comm_name),             \
        .columns = of##_columns, .n_columns = sizeof of##_columns / sizeof *of##_columns, .order = by,           \
    }
SUM_TYPE(group, "time_sum,comm,timing");
SUM_TYPE(name, "time_sum,name,timing");
SUM_TYPE(size, "time_sum,name,bytes:asc,timing");

static struct tr_rows *rows_of_sums(void *state)
{
    return ((struct logs *)state)->sums;
}

static enum tr_status start_sums(const struct tr_analysis_in *in, void *state, const struct tr_row_type *of,
                                 struct tr_error *err)
{
    struct logs *s = state;
    enum tr_status st = start(in, NULL, state, err);
    if (st == TR_OK && !(s->sums = tr_rows_new(of, in, &s->g.work, true)))
        st = tr_fail_memory(err);
    return st;
}

static enum tr_status sum_up(struct logs *s, bool comm, bool bytes, struct tr_error *err)
{
    enum tr_status st = complete(s, err);
    for (size_t i = 0; st == TR_OK && i < tr_rows_count(s->g.rows); i++) {
        const struct coll *c = tr_rows_get(s->g.rows, i);
        const struct sum key = { .group = c->group, .comm = comm ? c->comm : TR_NO_STR,
                                 .name = comm ? TR_NO_STR : c->name, .source = c->source,
                                 .bytes = bytes ? c->bytes : TR_I64_NONE };
        struct sum *sum = tr_rows_at(s->sums, &key);
        if (!sum)
            return tr_fail_memory(err);
        sum->comm_name = c->comm_name;
        sum->size = c->size;
        tr_stats_add(&sum->time, c->time.min);
        tr_stats_add(&sum->spread, c->spread);
        if (isfinite(c->busbw) && c->busbw > 0 && c->busbw < 1e9)
            tr_stats_add(&sum->bandwidth, llround(c->busbw * 1e9));
        sum->busbw = sum->bandwidth.n ? tr_stats_mean(&sum->bandwidth) / 1e9 : NAN;
    }
    return st;
}

#define SUMS(of, asks, comm, bytes)                                                                             \
    static enum tr_status start_##of(const struct tr_analysis_in *in, const void *options, void *state,         \
                                     struct tr_error *err)                                                      \
    {                                                                                                           \
        (void)options;                                                                                          \
        return start_sums(in, state, &of##_type, err);                                                          \
    }                                                                                                           \
    static enum tr_status complete_##of(void *state, struct tr_error *err)                                      \
    {                                                                                                           \
        return sum_up(state, comm, bytes, err);                                                                 \
    }                                                                                                           \
    const struct tr_analysis tr_analysis_log_##of = {                                                           \
        .name = "log-" #of, .question = asks, TR_OWN_COLUMNS(of##_columns), .rows = rows_of_sums,               \
        .start = start_##of, .complete = complete_##of, OF_LOGS,                                                \
    }
SUMS(group, "What did collectives of each communicator cost, by the logs of NCCL's inspector?", true, false);
SUMS(name, "What did collectives of each name cost, by the logs of NCCL's inspector?", false, false);
SUMS(size, "What did collectives of each size cost, by the logs of NCCL's inspector?", false, true);

/* ---- ranks that the others waited for ---- */

struct late {
    uint32_t group, comm;
    int64_t rank; /* keys */
    uint64_t collectives, last;
    int64_t caused, wait;
    double pct;
};

static const struct tr_table_column rank_columns[] = {
    { "comm", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct late, comm), .meaning = "the communicator" },
    { "rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct late, rank), .meaning = "rank in it" },
    { "last_arrivals", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct late, last),
      .meaning = "collectives in which its execution is the shortest, and not that of all" },
    { "pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct late, pct), .unit = "%",
      .meaning = "share of its collectives" },
    { "wait_caused", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct late, caused),
      .meaning = "sum of the waits of the others in these" },
    { "wait", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct late, wait),
      .meaning = "sum of its execution less the shortest one: how long it waited itself" },
    { "collectives", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct late, collectives),
      .meaning = "collectives in which all ranks wait, that two or more logs have" },
};
static const struct tr_row_type rank_type = {
    .name = "log-ranks",
    .size = sizeof(struct late),
    .key_size = offsetof(struct late, collectives),
    .columns = rank_columns,
    .n_columns = sizeof rank_columns / sizeof *rank_columns,
    .order = "wait_caused,comm,rank:asc",
};

static enum tr_status start_rank(const struct tr_analysis_in *in, const void *options, void *state,
                                 struct tr_error *err)
{
    (void)options;
    return start_sums(in, state, &rank_type, err);
}

static bool waits(const struct logs *s, const struct coll *c)
{
    return c->time.n > 1 && tr_coll_is_sync(tr_coll_type_of(tr_dict_text_if(s->g.work.dict, c->name)));
}

static enum tr_status complete_rank(void *state, struct tr_error *err)
{
    struct logs *s = state;
    enum tr_status st = complete(state, err);
    for (size_t i = 0; st == TR_OK && i < s->n_members; i++) {
        const struct member *m = &s->members[i];
        const struct coll *c = tr_rows_get(s->g.rows, m->coll);
        struct late key = { .group = c->group, .comm = c->comm, .rank = m->rank }, *r;
        if (!waits(s, c))
            continue;
        if (!(r = tr_rows_at(s->sums, &key)))
            return tr_fail_memory(err);
        r->collectives++;
        r->wait = tr_time_sum(r->wait, m->time - c->time.min);
        if (c->last != m->rank)
            continue;
        r->last++;
        int64_t all = tr_stats_sum(&c->time), min = c->time.min;
        bool fits = all != TR_TIME_NONE && min <= INT64_MAX / (int64_t)c->time.n;
        r->caused = tr_time_sum(r->caused, fits ? all - min * (int64_t)c->time.n : TR_TIME_NONE);
    }
    for (size_t i = 0; st == TR_OK && i < tr_rows_count(s->sums); i++) {
        struct late *r = tr_rows_get(s->sums, i);
        r->pct = 100.0 * (double)r->last / (double)r->collectives;
    }
    return st;
}

const struct tr_analysis tr_analysis_log_rank = {
    .name = "log-rank",
    .question = "Which rank do the others wait for, by the logs of NCCL's inspector?",
    TR_OWN_COLUMNS(rank_columns),
    .rows = rows_of_sums,
    .start = start_rank,
    .complete = complete_rank,
    OF_LOGS,
};
