/* SPDX-License-Identifier: MIT */
/* All-to-alls whose parts differ: each of them, and what each rank sent to each other. */
#include "analysis/comm/tr_collective_table.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "base/tr_sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char nothing[] = "no all-to-alls of different sizes (alltoallv)";

/* ---- each exchange ---- */

struct exchange {
    struct tr__comm_of of;
    uint32_t dtype;
    uint64_t n;
    int64_t bytes, wall, dur_min, dur_max, spread, end_spread, start;
    double total, slowest, fastest, imbalance, dur_mean;
    bool differ;
};

static const struct tr_table_column exchange_columns[] = {
    TR__COMM_OF(struct exchange),
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct exchange, of.name), .extra = true,
      .meaning = "what it does" },
    { "dtype", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct exchange, dtype), .extra = true,
      .meaning = "type of the elements" },
    { "ranks", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct exchange, n), .meaning = "number of ranks that have it" },
    { "bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct exchange, bytes), .unit = "bytes",
      .meaning = "what all these ranks send" },
    { "wall", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct exchange, wall), .meaning = "last end minus first start" },
    { "total_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct exchange, total), .unit = "GB/s",
      .meaning = "bytes divided by wall, in 10^9 bytes" },
    { "rank_min_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct exchange, slowest), .unit = "GB/s",
      .meaning = "what a rank sends divided by its duration: the minimum" },
    { "rank_max_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct exchange, fastest), .unit = "GB/s",
      .meaning = "the maximum" },
    { "imbalance", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct exchange, imbalance),
      .meaning = "what a rank sends: the maximum divided by the mean" },
    { "dur_min", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct exchange, dur_min), .extra = true,
      .meaning = "shortest duration" },
    { "dur_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct exchange, dur_mean), .extra = true,
      .meaning = "mean duration" },
    { "dur_max", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct exchange, dur_max), .extra = true,
      .meaning = "longest duration" },
    { "arrival_spread", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct exchange, spread), .extra = true,
      .meaning = "last start minus first start" },
    { "end_spread", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct exchange, end_spread), .extra = true,
      .meaning = "last end minus first end" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct exchange, start), .extra = true,
      .meaning = "first start, as in its file" },
    TR__COMM_GROUP_RANKS(struct exchange),
    TR__COMM_SPAN(struct exchange),
    TR__COMM_DIFFER(struct exchange, differ),
};

/* What the ranks of an exchange send, bytes. */
struct sent {
    bool known;      /* by all of them */
    int64_t all;     /* -1: it does not fit */
    int64_t max;
    double slowest, fastest; /* of a rank, bytes per second; NaN: unknown */
    int64_t durations;
};

static struct sent sent_of(const struct tr__comm_view *v, const struct tr_coll *coll)
{
    struct sent s = { .known = true, .slowest = NAN, .fastest = NAN };
    for (uint32_t k = 0; k < coll->n; k++) {
        const struct tr_coll_member *m = &v->c->members[coll->first + k];
        if (m->suspect && !v->suspect)
            continue;
        int64_t bytes = tr_coll_side_bytes(v->dict, &v->c->calls[m->call], false), dur = m->end - m->start;
        s.durations = tr_time_sum(s.durations, dur);
        s.known &= bytes >= 0;
        if (!s.known)
            continue;
        s.all = s.all < 0 || bytes > INT64_MAX - s.all ? -1 : s.all + bytes;
        s.max = bytes > s.max ? bytes : s.max;
        double rate = dur > 0 ? (double)bytes * 1e9 / (double)dur : NAN;
        s.slowest = fmin(s.slowest, rate);
        s.fastest = fmax(s.fastest, rate);
    }
    s.known &= s.all >= 0;
    return s;
}

static void exchange_row(const struct tr__comm_view *v, size_t i)
{
    const struct tr_coll *coll = &v->c->colls[i];
    const struct tr_coll_member *m = &v->c->members[coll->first];
    struct tr_collective_times t;
    bool timed = tr_collective_measure(v->dict, v->c, i, v->suspect, &t), several = t.compared;
    struct sent s = sent_of(v, coll);
    /*
     * from the first start to the last end: the ends are end_spread apart, the first of them transfer after the last
     * start
     */
    int64_t wall = timed ? tr_time_sum(tr_time_sum(t.spread, t.transfer), t.end_spread) : TR_TIME_NONE;
    double mean = timed ? (double)s.all / t.n : NAN;
    bool walled = s.known && wall != TR_TIME_NONE && wall > 0;
    const struct exchange row = { .of = tr__comm_of(v, coll),
                                  .dtype = v->c->calls[m->call].dtype,
                                  .n = coll->n,
                                  .bytes = s.known ? s.all : TR_I64_NONE,
                                  .wall = wall,
                                  .total = walled ? (double)s.all * 1e9 / (double)wall / 1e9 : NAN,
                                  .slowest = s.known ? s.slowest / 1e9 : NAN,
                                  .fastest = s.known ? s.fastest / 1e9 : NAN,
                                  .imbalance = s.known && mean > 0 ? (double)s.max / mean : NAN,
                                  .dur_min = timed ? t.dur_min : TR_TIME_NONE,
                                  .dur_mean = timed && s.durations != TR_TIME_NONE ? (double)s.durations / t.n : NAN,
                                  .dur_max = timed ? t.dur_max : TR_TIME_NONE,
                                  .spread = several ? t.spread : TR_TIME_NONE,
                                  .end_spread = several ? t.end_spread : TR_TIME_NONE,
                                  .start = tr__comm_start_of(v, &m[t.first]),
                                  .differ = tr_collective_differs(v->c, coll) };
    tr__comm_row(v, &row);
}

static bool is_exchange(const struct tr__comm_view *v, size_t i)
{
    return v->c->colls[i].type == TR_COLL_ALLTOALLV && tr_collective_picked(v->c, i);
}

static enum tr_status exchange_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    for (size_t i = 0; i < v->c->n; i++)
        if (is_exchange(v, i))
            exchange_row(v, i);
    return tr_table_status(v->t, err);
}

TR__COMM_TABLE(exchange, "exchange", exchange_rows, TR_PER_ALL, TR__COMM_SAYS_DOUBTS,
               .name = "exchange",
               .chart = &(const struct tr_chart){ TR_CHART_SCATTER, .x = "bytes", .y = { "total_GBps" },
                                                  .series = "name", .log_x = true },
               .question = "How even are all-to-alls of different sizes, and how fast?",
               .nothing = nothing,
               TR_OPTIONS(tr__comm_node_options, tr__comm_defaults),
               TR_OWN_COLUMNS(exchange_columns));

/* ---- pairs of ranks ---- */

struct pair {
    int64_t src, dst;
    uint64_t count;
    int64_t bytes; /* TR_I64_NONE: it does not fit */
    const char *span;
};

static const struct tr_table_column pair_columns[] = {
    { "src", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct pair, src), .meaning = "rank that sends" },
    { "dst", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct pair, dst), .meaning = "rank that receives" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct pair, count), .meaning = "number of all-to-alls" },
    { "bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct pair, bytes), .unit = "bytes",
      .meaning = "what it sends in all of them" },
    { "mean_bytes", TR_CELL_RATIO, TR_ROLE_RATIO, 3, .of = "bytes", .per = "count", .unit = "bytes",
      .meaning = "the mean of what it sends in one of them" },
    { "span", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct pair, span), .quiet = TR_QUIET_SAME,
      .meaning = "intra: both are on one node; inter: they are not; empty: unknown" },
};

struct pairs {
    struct pair *v;
    size_t n, cap;
    struct tr_hash_index index;
    struct tr__comm_list ranks; /* of the current group */
    uint64_t unknown;           /* members whose parts or ranks are not in the trace */
};

static bool add_pair(struct pairs *p, int64_t src, int64_t dst, int64_t bytes)
{
    const int64_t key[2] = { src, dst };
    uint64_t hash = tr_hash(key, sizeof key);
    struct tr_hash_walk walk = tr_hash_index_walk(&p->index, hash);
    struct pair *found = NULL;
    for (uint32_t i; !found && (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        found = p->v[i].src == src && p->v[i].dst == dst ? &p->v[i] : NULL;
    if (!found) {
        if (p->n >= TR_HASH_NONE - 1 || !tr_grow(&p->v, &p->cap, p->n + 1, sizeof *p->v) ||
            !tr_hash_index_add(&p->index, hash, (uint32_t)p->n))
            return false;
        found = &p->v[p->n++];
        *found = (struct pair){ .src = src, .dst = dst };
    }
    found->count++;
    found->bytes = tr_time_sum(found->bytes, bytes);
    return true;
}

/* The parts of one member: as many as there are ranks in the group, in their order. */
static bool add_member(const struct tr__comm_view *v, struct pairs *p, const struct tr_coll_member *m)
{
    const struct tr_coll_call *call = &v->c->calls[m->call];
    struct tr_str list = tr_dict_text_if(v->dict, call->in_split), rest = list;
    int64_t size = call->dtype == TR_NO_STR ? 0 : (int64_t)tr_coll_elem_size(tr_dict_text(v->dict, call->dtype));
    int64_t src = v->c->parties[m->party].rank, elements;
    size_t n = 0;
    bool fits = true, ok = true;
    while (list.s && tr__comm_list_next(&rest, &elements)) {
        fits &= size && elements <= INT64_MAX / size;
        n++;
    }
    if (!n || n != p->ranks.n || !fits || !size || src < 0) {
        p->unknown++;
        return true;
    }
    for (size_t i = 0; ok && i < n && tr__comm_list_next(&list, &elements); i++)
        ok = add_pair(p, src, p->ranks.v[i], elements * size);
    return ok;
}

TR_ORDER(by_ranks, struct pair, TR_UP(src), TR_UP(dst))

static enum tr_status pair_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    struct pairs p = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < v->c->n; i++) {
        const struct tr_coll *coll = &v->c->colls[i];
        if (!is_exchange(v, i))
            continue;
        ok = tr__comm_ranks(v, coll, &p.ranks);
        for (uint32_t k = 0; ok && k < coll->n; k++)
            ok = add_member(v, &p, &v->c->members[coll->first + k]);
    }
    if (ok && p.n)
        qsort(p.v, p.n, sizeof *p.v, by_ranks);
    for (size_t i = 0; ok && i < p.n; i++) {
        p.v[i].span = tr__comm_span(v, p.v[i].src, p.v[i].dst);
        tr__comm_row(v, &p.v[i]);
    }
    if (ok && p.unknown)
        tr_analysis_remark(v->in, TR_REMARK_WARN, "",
                           "calls left out, since the trace does not say what they send to which rank (In split size, "
                           "Process Group Ranks): %" PRIu64, p.unknown);
    free(p.v);
    free(p.ranks.v);
    tr_hash_index_free(&p.index);
    return ok ? tr_table_status(v->t, err) : tr_fail_memory(err);
}

TR__COMM_TABLE(pair, "pair", pair_rows, TR_PER_ALL, TR__COMM_SAYS_DOUBTS,
               .name = "pair",
               .chart = &(const struct tr_chart){ TR_CHART_HEAT, .x = "src", .y = { "dst", "bytes" } },
               .question = "How much does each rank send to each other in all-to-alls of different sizes?",
               .nothing = nothing,
               TR_OPTIONS(tr__comm_node_options, tr__comm_defaults),
               TR_OWN_COLUMNS(pair_columns));
