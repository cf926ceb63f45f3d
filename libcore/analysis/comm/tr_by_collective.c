/* SPDX-License-Identifier: MIT */
/* Collectives one by one, their members, and their mismatches. */
#include "analysis/comm/tr_collective_table.h"
#include "analysis/comm/tr_comm_analyses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char nothing[] = "no collectives, on devices or in records of the host";

/* ---- one row for each collective ---- */

struct each {
    struct tr__comm_of of;
    int64_t bytes, spread, transfer, dur_min, dur_max, first_rank, last_rank, end_spread, start;
    uint64_t n;
    double algbw, busbw, wait;
    uint32_t dtype;
    bool differ;
};

static const struct tr_table_column each_columns[] = {
    TR__COMM_OF(struct each),
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct each, of.name), .meaning = "what it does" },
    { "bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct each, bytes), .unit = "bytes",
      .meaning = "size of the data; empty: unknown, or not the same on all ranks" },
    { "ranks", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct each, n), .extra = true,
      .meaning = "number of ranks that have it" },
    { "arrival_spread", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct each, spread),
      .meaning = "last start minus first start" },
    { "transfer", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct each, transfer), .extra = true,
      .meaning = "earliest end minus last start; empty: a rank ended before the last one started" },
    { "dur_min", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct each, dur_min), .extra = true,
      .meaning = "shortest duration: about the time of the transfer" },
    { "dur_max", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct each, dur_max), .extra = true,
      .meaning = "longest duration" },
    { "algbw_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct each, algbw), .extra = true, .unit = "GB/s",
      .meaning = "bytes divided by dur_min, in 10^9 bytes" },
    { "busbw_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, TR_OF(struct each, busbw), .unit = "GB/s",
      .meaning = "algbw times the bytes that the bus moves for each byte" },
    { "first_rank", TR_CELL_INT, TR_ROLE_RANK, TR_OF(struct each, first_rank), .extra = true,
      .meaning = "rank that started first" },
    { "last_rank", TR_CELL_INT, TR_ROLE_RANK, TR_OF(struct each, last_rank), .meaning = "rank that started last" },
    TR__COMM_MATCH(struct each, .extra = true,),
    { "group_size", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct each, of.size), .extra = true,
      .meaning = "ranks of the group" },
    { "dtype", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct each, dtype), .extra = true,
      .meaning = "type of the elements" },
    { "end_spread", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct each, end_spread), .extra = true,
      .meaning = "last end minus first end" },
    { "wait_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct each, wait), .extra = true,
      .meaning = "mean wait of a rank for the last one" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct each, start), .extra = true,
      .meaning = "first start, as in its file" },
    TR__COMM_GROUP_RANKS(struct each),
    TR__COMM_SPAN(struct each),
    TR__COMM_DIFFER(struct each, differ),
};

static void each_row(const struct tr__comm_view *v, size_t i)
{
    const struct tr_coll *coll = &v->c->colls[i];
    const struct tr_coll_member *m = &v->c->members[coll->first];
    struct tr_collective_times s;
    bool timed = tr_collective_measure(v->dict, v->c, i, v->suspect, &s), several = s.compared;
    const struct each row = { .of = tr__comm_of(v, coll),
                              .bytes = tr__comm_number(s.bytes),
                              .n = coll->n,
                              .spread = several ? s.spread : TR_TIME_NONE,
                              .transfer = several && s.transfer >= 0 ? s.transfer : TR_TIME_NONE,
                              .dur_min = timed ? s.dur_min : TR_TIME_NONE,
                              .dur_max = timed ? s.dur_max : TR_TIME_NONE,
                              .algbw = tr__comm_gbps(s.algbw),
                              .busbw = tr__comm_gbps(s.busbw),
                              .first_rank = several ? tr__comm_rank(v, m[s.first].party) : TR_I64_NONE,
                              .last_rank = several ? tr__comm_rank(v, m[s.last].party) : TR_I64_NONE,
                              .dtype = v->c->calls[m->call].dtype,
                              .end_spread = several ? s.end_spread : TR_TIME_NONE,
                              .wait = several && s.wait != TR_TIME_NONE ? (double)s.wait / s.n : NAN,
                              .start = several || s.n < 2 ? tr__comm_start_of(v, &m[s.first]) : TR_TIME_NONE,
                              .differ = tr_collective_differs(v->c, coll) };
    tr__comm_row(v, &row);
}

static enum tr_status each_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < v->c->n && st == TR_OK; i++) {
        if (tr_collective_picked(v->c, i))
            each_row(v, i);
        st = tr_table_status(v->t, err);
    }
    return st;
}

TR__COMM_TABLE(collective, "collective", each_rows, TR_PER_ALL, TR__COMM_SAYS_DOUBTS,
               .name = "collective",
               .chart = &(const struct tr_chart){ TR_CHART_SCATTER, .x = "bytes", .y = { "busbw_GBps" },
                                                  .series = "name", .log_x = true },
               .question = "What did each collective cost, and who came last?",
               .nothing = nothing,
               TR_OPTIONS(tr__comm_node_options, tr__comm_defaults),
               TR_OWN_COLUMNS(each_columns));

/* ---- one row for each member ---- */

struct member {
    struct tr__comm_of of;
    int64_t rank, device, stream, start, dur, lag, wait, in_bytes, out_bytes, node;
    uint64_t record, collective;
    uint32_t in_split, out_split, dtype, kernel;
    bool differ;
};

static const struct tr_table_column member_columns[] = {
    TR__COMM_OF(struct member),
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct member, of.name), .meaning = "what it does" },
    { "rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct member, rank), .meaning = "the rank" },
    { "device", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct member, device), .quiet = TR_QUIET_SAME,
      .meaning = "its device" },
    { "stream", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct member, stream), .quiet = TR_QUIET_SAME,
      .meaning = "the stream" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct member, start), .extra = true,
      .meaning = "start, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct member, dur), .meaning = "its duration" },
    { "lag", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct member, lag), .meaning = "start minus that of the first rank" },
    { "wait", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct member, wait),
      .meaning = "start of the last rank minus its own" },
    { "in_bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct member, in_bytes), .quiet = TR_QUIET_0, .unit = "bytes",
      .meaning = "bytes of its input" },
    { "out_bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct member, out_bytes), .quiet = TR_QUIET_0, .unit = "bytes",
      .meaning = "bytes of its output" },
    { "in_split", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct member, in_split), .wide = true, .extra = true,
      .meaning = "sizes of its input for each rank" },
    { "out_split", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct member, out_split), .wide = true, .extra = true,
      .meaning = "sizes of its output for each rank" },
    { "dtype", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct member, dtype), .extra = true,
      .meaning = "type of the elements" },
    TR__COMM_MATCH(struct member, .extra = true,),
    { "record", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct member, record), .extra = true,
      .meaning = "its index in its file" },
    { "kernel", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct member, kernel), .wide = true, .names = true, .extra = true,
      .meaning = "the kernel" },
    { "collective", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct member, collective), .extra = true,
      .meaning = "number of the collective, the same for all its members" },
    { "node", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct member, node), .extra = true,
      .meaning = "number of the rank's node" },
    TR__COMM_DIFFER(struct member, differ),
};

static void member_row(const struct tr__comm_view *v, const struct tr_coll *coll, const struct tr__comm_of *of,
                       const struct tr_collective_times *s, const struct tr_coll_member *m)
{
    const struct tr_coll_member *all = &v->c->members[coll->first];
    const struct tr_coll_call *call = &v->c->calls[m->call];
    bool timed = v->suspect || !m->suspect, several = timed && s->compared;
    int64_t rank = v->c->parties[m->party].rank;
    const struct member row = {
        .of = *of,
        .rank = tr__comm_number(rank),
        .device = tr__comm_number(v->c->parties[m->party].device),
        .stream = tr__comm_number(v->dict->tracks[m->track].stream),
        .start = tr__comm_start_of(v, m),
        .dur = timed ? m->end - m->start : TR_TIME_NONE,
        .lag = several ? tr_time_diff(m->start, all[s->first].start) : TR_TIME_NONE,
        .wait = several ? tr_time_diff(all[s->last].start, m->start) : TR_TIME_NONE,
        .in_bytes = tr__comm_number(tr_coll_side_bytes(v->dict, call, false)),
        .out_bytes = tr__comm_number(tr_coll_side_bytes(v->dict, call, true)),
        .in_split = call->in_split,
        .out_split = call->out_split,
        .dtype = call->dtype,
        .record = m->record,
        .kernel = m->name,
        .collective = (uint64_t)(coll - v->c->colls),
        .node = v->gpus_per_node && rank >= 0 ? rank / v->gpus_per_node : TR_I64_NONE,
        .differ = tr_collective_differs(v->c, coll),
    };
    tr__comm_row(v, &row);
}

static enum tr_status member_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < v->c->n && st == TR_OK; i++) {
        const struct tr_coll *coll = &v->c->colls[i];
        struct tr_collective_times s;
        if (!tr_collective_picked(v->c, i))
            continue;
        tr_collective_measure(v->dict, v->c, i, v->suspect, &s);
        const struct tr__comm_of of = tr__comm_of(v, coll);
        for (uint32_t k = 0; k < coll->n; k++)
            member_row(v, coll, &of, &s, &v->c->members[coll->first + k]);
        st = tr_table_status(v->t, err);
    }
    return st;
}

TR__COMM_TABLE(member, "member", member_rows, TR_PER_ALL, TR__COMM_SAYS_DOUBTS,
               .name = "member",
               .chart = &(const struct tr_chart){ TR_CHART_BAND, .x = "start", .y = { "dur" }, .series = "name",
                                                  .facet = "rank" },
               .question = "When did each rank come to each collective?",
               .nothing = nothing,
               TR_OPTIONS(tr__comm_node_options, tr__comm_defaults),
               TR_OWN_COLUMNS(member_columns));

/* ---- mismatches ---- */

struct mismatch {
    struct tr__comm_of of;
    int64_t rank, first_rank, start;
    const char *problem;
    struct tr_str first_shows, shows;
};

static const struct tr_table_column mismatch_columns[] = {
    TR__COMM_OF(struct mismatch),
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct mismatch, of.name), .meaning = "what it does" },
    TR__COMM_MATCH(struct mismatch, ),
    { "rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct mismatch, rank), .meaning = "the rank" },
    { "problem", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct mismatch, problem),
      .meaning = "name, size, missing or outside" },
    { "first_rank", TR_CELL_INT, TR_ROLE_RANK, TR_OF(struct mismatch, first_rank),
      .meaning = "rank that it is compared with" },
    { "first_shows", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct mismatch, first_shows), .wide = true,
      .meaning = "value of that rank" },
    { "rank_shows", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct mismatch, shows), .wide = true,
      .meaning = "value of this rank" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct mismatch, start), .extra = true,
      .meaning = "start on the first rank, as in its file" },
    TR__COMM_GROUP_RANKS(struct mismatch),
};

#define MAX_SHOWN 300

/* Print a text, at most max bytes of it; returns their number. */
static size_t put_text(char *to, size_t max, struct tr_str text)
{
    size_t n = text.len < max ? text.len : max;
    memcpy(to, text.s, n);
    return n;
}

/* The values of a member: "allreduce Float 100 100". */
static struct tr_str shown_of(const struct tr__comm_view *v, const struct tr_coll_member *m, char text[MAX_SHOWN])
{
    const struct tr_coll_call *call = &v->c->calls[m->call];
    size_t n = put_text(text, 150, tr_dict_text(v->dict, call->name == TR_NO_STR ? m->name : call->name));
    if (call->dtype != TR_NO_STR) {
        text[n++] = ' ';
        n += put_text(text + n, 60, tr_dict_text(v->dict, call->dtype));
    }
    if (call->in_elems >= 0 || call->out_elems >= 0)
        n += (size_t)snprintf(text + n, MAX_SHOWN - n, " %" PRId64 " %" PRId64, call->in_elems, call->out_elems);
    return (struct tr_str){ text, n };
}

static void mismatch_row(const struct tr__comm_view *v, const struct tr_coll *coll, uint32_t party,
                         const char *problem, const struct tr_coll_member *shown)
{
    const struct tr_coll_member *first = &v->c->members[coll->first];
    char first_text[MAX_SHOWN], text[MAX_SHOWN];
    const struct mismatch row = { .of = tr__comm_of(v, coll),
                                  .rank = tr__comm_rank(v, party),
                                  .problem = problem,
                                  .first_rank = tr__comm_rank(v, first->party),
                                  .first_shows = shown_of(v, first, first_text),
                                  .shows = shown ? shown_of(v, shown, text) : tr_str_of(NULL),
                                  .start = tr__comm_start_of(v, first) };
    tr__comm_row(v, &row);
}

static enum tr_status mismatch_rows(const struct tr__comm_view *v, struct tr_error *err)
{
    const struct tr_colls *c = v->c;
    size_t flaw = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct tr_coll *coll = &c->colls[i];
        bool picked = tr_collective_picked(c, i);
        for (uint32_t k = 1; k < coll->n && picked; k++) {
            const struct tr_coll_member *m = &c->members[coll->first + k];
            unsigned wrong = tr_coll_differs(c, &c->members[coll->first], m);
            if (wrong)
                mismatch_row(v, coll, m->party, wrong & TR_COLL_NAMES_DIFFER ? "name" : "size", m);
        }
        for (; flaw < c->n_flaws && c->flaws[flaw].coll == i; flaw++)
            if (picked)
                mismatch_row(v, coll, c->flaws[flaw].party,
                             c->flaws[flaw].outside ? "outside" : "missing", NULL);
    }
    return tr_table_status(v->t, err);
}

TR__COMM_TABLE(mismatch, "mismatch", mismatch_rows, TR_PER_ALL, TR__COMM_LISTS_MISMATCHES,
               .name = "mismatch",
               .question = "Which ranks miss a collective, or differ in it?",
               .nothing = "no rank is missing in a collective, and none differs",
               TR_OPTIONS(NULL, tr__comm_defaults),
               TR_OWN_COLUMNS(mismatch_columns));
