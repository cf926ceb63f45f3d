/* SPDX-License-Identifier: MIT */
/* Collectives one by one, their members, and their mismatches. */
#include "analysis/comm/tr_collective_table_int.h"
#include "analysis/comm/tr_comm_analyses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char nothing[] = "no collectives, on devices or in records of the host";

/* ---- one row for each collective ---- */

static const struct tr_table_column each_columns[] = {
    { "group", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "name of the process group" },
    { "seq", TR_CELL_INT, TR_ROLE_KEY, .meaning = "number of the collective in its group" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "what it does" },
    { "bytes", TR_CELL_INT, TR_ROLE_SUM, .unit = "bytes",
      .meaning = "size of the data; empty: unknown, or not the same on all ranks" },
    { "ranks", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true, .meaning = "number of ranks that have it" },
    { "arrival_spread", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "last start minus first start" },
    { "transfer", TR_CELL_TIME, TR_ROLE_SUM, .extra = true,
      .meaning = "earliest end minus last start; empty: a rank ended before the last one started" },
    { "dur_min", TR_CELL_TIME, TR_ROLE_SUM, .extra = true,
      .meaning = "shortest duration: about the time of the transfer" },
    { "dur_max", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "longest duration" },
    { "algbw_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .extra = true, .unit = "GB/s",
      .meaning = "bytes divided by dur_min, in 10^9 bytes" },
    { "busbw_GBps", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .unit = "GB/s",
      .meaning = "algbw times the bytes that the bus moves for each byte" },
    { "first_rank", TR_CELL_INT, TR_ROLE_RANK, .extra = true, .meaning = "rank that started first" },
    { "last_rank", TR_CELL_INT, TR_ROLE_RANK, .meaning = "rank that started last" },
    { "match", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true,
      .meaning = "seq, id, order or alone: how it was matched" },
    { "group_size", TR_CELL_INT, TR_ROLE_TEXT, .extra = true, .meaning = "ranks of the group" },
    { "dtype", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true, .meaning = "type of the elements" },
    { "end_spread", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "last end minus first end" },
    { "wait_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true,
      .meaning = "mean wait of a rank for the last one" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "first start, as in its file" },
    { "group_ranks", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true,
      .meaning = "ranks of the group, as the trace lists them" },
    { "span", TR_CELL_STRING, TR_ROLE_TEXT, .quiet = TR_QUIET_SAME,
      .meaning = "intra: its ranks are on one node; inter: on several; empty: unknown" },
};

static void each_row(const struct tr__comm_view *v, size_t i)
{
    const struct tr_coll *coll = &v->c->colls[i];
    const struct tr_coll_member *m = &v->c->members[coll->first];
    struct tr_collective_times s;
    bool timed = tr_collective_measure(v->dict, v->c, i, v->suspect, &s), several = s.compared;
    tr__comm_identity(v, coll);
    tr__comm_number_cell(v, s.bytes);
    tr_table_count(v->t, coll->n);
    tr__comm_time_cell(v, several, s.spread);
    tr__comm_time_cell(v, several && s.transfer >= 0, s.transfer);
    tr__comm_time_cell(v, timed, s.dur_min);
    tr__comm_time_cell(v, timed, s.dur_max);
    tr__comm_rate_cell(v, s.algbw);
    tr__comm_rate_cell(v, s.busbw);
    tr__comm_rank_cell(v, several, m[s.first].party);
    tr__comm_rank_cell(v, several, m[s.last].party);
    tr__comm_how_cell(v, coll);
    tr__comm_number_cell(v, v->c->groups[coll->group].size);
    tr__comm_text_cell(v, v->c->calls[m->call].dtype);
    tr__comm_time_cell(v, several, s.end_spread);
    if (several && s.wait != TR_TIME_NONE)
        tr_table_time_f(v->t, (double)s.wait / s.n);
    else
        tr_table_absent(v->t);
    if (several || s.n < 2)
        tr__comm_start_cell(v, &m[s.first]);
    else
        tr_table_absent(v->t);
    tr__comm_text_cell(v, v->c->groups[coll->group].ranks);
    tr__comm_span_cell(v, coll);
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

static enum tr_status finish_each(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, each_rows, false, err);
}

static const struct tr_saving collective_saving = TR__COMM_SAVING("collective");

const struct tr_analysis tr_analysis_collective = {
    .name = "collective",
    .chart = &(const struct tr_chart){ TR_CHART_SCATTER, .x = "bytes", .y = { "busbw_GBps" }, .series = "name",
                                       .log_x = true },
    .question = "What did each collective cost, and who came last?",
    .nothing = nothing,
    .groups = 0,
    .group = TR_PER_ALL,
    TR_OPTIONS(tr__comm_node_options, tr__comm_defaults),
    .more = tr__comm_needs,
    TR_OWN_COLUMNS(each_columns),
    .state_size = sizeof(struct tr__comm_state),
    .start = tr__comm_start,
    .finish = finish_each,
    .saving = &collective_saving,
};

/* ---- one row for each member ---- */

static const struct tr_table_column member_columns[] = {
    { "group", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "name of the process group" },
    { "seq", TR_CELL_INT, TR_ROLE_KEY, .meaning = "number of the collective in its group" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "what it does" },
    { "rank", TR_CELL_INT, TR_ROLE_KEY, .meaning = "the rank" },
    { "device", TR_CELL_INT, TR_ROLE_KEY, .quiet = TR_QUIET_SAME, .meaning = "its device" },
    { "stream", TR_CELL_INT, TR_ROLE_KEY, .quiet = TR_QUIET_SAME, .meaning = "the stream" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "start, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "its duration" },
    { "lag", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "start minus that of the first rank" },
    { "wait", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "start of the last rank minus its own" },
    { "in_bytes", TR_CELL_INT, TR_ROLE_SUM, .quiet = TR_QUIET_0, .unit = "bytes", .meaning = "bytes of its input" },
    { "out_bytes", TR_CELL_INT, TR_ROLE_SUM, .quiet = TR_QUIET_0, .unit = "bytes",
      .meaning = "bytes of its output" },
    { "in_split", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true,
      .meaning = "sizes of its input for each rank" },
    { "out_split", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true,
      .meaning = "sizes of its output for each rank" },
    { "dtype", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true, .meaning = "type of the elements" },
    { "match", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true,
      .meaning = "seq, id, order or alone: how it was matched" },
    { "record", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "its index in its file" },
    { "kernel", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .names = true, .extra = true, .meaning = "the kernel" },
    { "collective", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true,
      .meaning = "number of the collective, the same for all its members" },
    { "node", TR_CELL_INT, TR_ROLE_TEXT, .extra = true, .meaning = "number of the rank's node" },
};

static void member_row(const struct tr__comm_view *v, const struct tr_coll *coll,
                       const struct tr_collective_times *s, const struct tr_coll_member *m)
{
    const struct tr_coll_member *all = &v->c->members[coll->first];
    const struct tr_coll_call *call = &v->c->calls[m->call];
    const struct tr_track *track = &v->dict->tracks[m->track];
    bool timed = v->suspect || !m->suspect, several = timed && s->compared;
    tr__comm_identity(v, coll);
    tr__comm_rank_cell(v, true, m->party);
    tr__comm_number_cell(v, v->c->parties[m->party].device);
    tr__comm_number_cell(v, track->stream);
    tr__comm_start_cell(v, m);
    tr__comm_time_cell(v, timed, m->end - m->start);
    tr__comm_time_cell(v, several, tr_time_diff(m->start, all[s->first].start));
    tr__comm_time_cell(v, several, tr_time_diff(all[s->last].start, m->start));
    tr__comm_number_cell(v, tr_coll_side_bytes(v->dict, call, false));
    tr__comm_number_cell(v, tr_coll_side_bytes(v->dict, call, true));
    tr__comm_text_cell(v, call->in_split);
    tr__comm_text_cell(v, call->out_split);
    tr__comm_text_cell(v, call->dtype);
    tr__comm_how_cell(v, coll);
    tr_table_count(v->t, m->record);
    tr__comm_text_cell(v, m->name);
    tr_table_count(v->t, (uint64_t)(coll - v->c->colls));
    tr__comm_node_cell(v, m->party);
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
        for (uint32_t k = 0; k < coll->n; k++)
            member_row(v, coll, &s, &v->c->members[coll->first + k]);
        st = tr_table_status(v->t, err);
    }
    return st;
}

static enum tr_status finish_members(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, member_rows, false, err);
}

static const struct tr_saving member_saving = TR__COMM_SAVING("member");

const struct tr_analysis tr_analysis_member = {
    .name = "member",
    .chart = &(const struct tr_chart){ TR_CHART_BAND, .x = "start", .y = { "dur" }, .series = "name", .facet = "rank" },
    .question = "When did each rank come to each collective?",
    .nothing = nothing,
    .groups = 0,
    .group = TR_PER_ALL,
    TR_OPTIONS(tr__comm_node_options, tr__comm_defaults),
    .more = tr__comm_needs,
    TR_OWN_COLUMNS(member_columns),
    .state_size = sizeof(struct tr__comm_state),
    .start = tr__comm_start,
    .finish = finish_members,
    .saving = &member_saving,
};

/* ---- mismatches ---- */

static const struct tr_table_column mismatch_columns[] = {
    { "group", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "name of the process group" },
    { "seq", TR_CELL_INT, TR_ROLE_KEY, .meaning = "number of the collective in its group" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "what it does" },
    { "match", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "seq, id, order or alone: how it was matched" },
    { "rank", TR_CELL_INT, TR_ROLE_KEY, .meaning = "the rank" },
    { "problem", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "name, size, missing or outside" },
    { "first_rank", TR_CELL_INT, TR_ROLE_RANK, .meaning = "rank that it is compared with" },
    { "first_shows", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .meaning = "value of that rank" },
    { "rank_shows", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .meaning = "value of this rank" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "start on the first rank, as in its file" },
    { "group_ranks", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true,
      .meaning = "ranks of the group, as the trace lists them" },
};

/* Print a text, at most max bytes of it; returns their number. */
static size_t put_text(char *to, size_t max, struct tr_str text)
{
    size_t n = text.len < max ? text.len : max;
    memcpy(to, text.s, n);
    return n;
}

/* The values of a member: "allreduce Float 100 100". */
static void shows_cell(const struct tr__comm_view *v, const struct tr_coll_member *m)
{
    const struct tr_coll_call *call = &v->c->calls[m->call];
    char text[300];
    size_t n = put_text(text, 150, tr_dict_text(v->dict, call->name == TR_NO_STR ? m->name : call->name));
    if (call->dtype != TR_NO_STR) {
        text[n++] = ' ';
        n += put_text(text + n, 60, tr_dict_text(v->dict, call->dtype));
    }
    if (call->in_elems >= 0 || call->out_elems >= 0)
        n += (size_t)snprintf(text + n, sizeof text - n, " %" PRId64 " %" PRId64, call->in_elems, call->out_elems);
    tr_table_bytes(v->t, text, n);
}

static void mismatch_row(const struct tr__comm_view *v, const struct tr_coll *coll, uint32_t party,
                         const char *problem, const struct tr_coll_member *shown)
{
    const struct tr_coll_member *first = &v->c->members[coll->first];
    tr__comm_identity(v, coll);
    tr__comm_how_cell(v, coll);
    tr__comm_rank_cell(v, true, party);
    tr_table_string(v->t, problem);
    tr__comm_rank_cell(v, true, first->party);
    shows_cell(v, first);
    if (shown)
        shows_cell(v, shown);
    else
        tr_table_absent(v->t);
    tr__comm_start_cell(v, first);
    tr__comm_text_cell(v, v->c->groups[coll->group].ranks);
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

static enum tr_status finish_mismatches(void *state, struct tr_table *t, struct tr_error *err)
{
    return tr__comm_finish(state, t, mismatch_rows, true, err);
}

static const struct tr_saving mismatch_saving = TR__COMM_SAVING("mismatch");

const struct tr_analysis tr_analysis_mismatch = {
    .name = "mismatch",
    .question = "Which ranks miss a collective, or differ in it?",
    .nothing = "no rank is missing in a collective, and none differs",
    .groups = 0,
    .group = TR_PER_ALL,
    TR_OPTIONS(NULL, tr__comm_defaults),
    .more = tr__comm_needs,
    TR_OWN_COLUMNS(mismatch_columns),
    .state_size = sizeof(struct tr__comm_state),
    .start = tr__comm_start,
    .finish = finish_mismatches,
    .saving = &mismatch_saving,
};
