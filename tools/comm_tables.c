/* Tables of tr-comm: one function for each, their columns above it. */
#include <config.h>

#include "comm_tables.h"
#include "model/tr_select.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- cells ---- */

struct column {
    const char *name;
    enum tr_cell type;
    unsigned decimals;
};

static void add_columns(struct tr_table *t, const struct column *columns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tr_table_column(t, columns[i].name, columns[i].type, columns[i].decimals);
}

static void text_cell(const struct comm_view *v, uint32_t string)
{
    tr_table_string(v->t, string == TR_NO_STR ? NULL : tr_dict_str(v->dict, string));
}

/* A number that is not negative; else the cell stays empty. */
static void number_cell(const struct comm_view *v, int64_t number)
{
    if (number < 0)
        tr_table_absent(v->t);
    else
        tr_table_int(v->t, number);
}

static void rate_cell(const struct comm_view *v, double bytes_per_s)
{
    if (bytes_per_s > 0)
        tr_table_ratio(v->t, bytes_per_s / 1e9);
    else
        tr_table_absent(v->t);
}

static void time_cell(const struct comm_view *v, bool known, int64_t ns)
{
    if (known)
        tr_table_time(v->t, ns);
    else
        tr_table_absent(v->t);
}

static void rank_cell(const struct comm_view *v, bool known, uint32_t party)
{
    number_cell(v, known ? v->c->parties[party].rank : -1);
}

/* When, as in the file that a member comes from. */
static void start_cell(const struct comm_view *v, const struct tr_coll_member *m)
{
    tr_table_time(v->t, tr_source_to_file(&v->dict->sources[m->source], m->start));
}

static void how_cell(const struct comm_view *v, const struct tr_coll *coll)
{
    static const char *const names[] = { "seq", "order", "alone" };
    tr_table_string(v->t, names[coll->how]);
}

/* group, seq and name: what a collective is known by. */
static void identity(const struct comm_view *v, const struct tr_coll *coll)
{
    text_cell(v, v->c->groups[coll->group].name);
    tr_table_int(v->t, coll->seq);
    tr_table_string(v->t, tr_coll_label(v->dict, v->c, coll));
}

/* ---- one row for each collective ---- */

static const struct column each_columns[] = {
    { "group", TR_CELL_STRING, 0 },     { "seq", TR_CELL_INT, 0 },
    { "name", TR_CELL_STRING, 0 },      { "bytes", TR_CELL_INT, 0 },
    { "ranks", TR_CELL_COUNT, 0 },      { "arrival_spread", TR_CELL_TIME, 0 },
    { "transfer", TR_CELL_TIME, 0 },    { "dur_min", TR_CELL_TIME, 0 },
    { "dur_max", TR_CELL_TIME, 0 },     { "algbw_GBps", TR_CELL_RATIO, 3 },
    { "busbw_GBps", TR_CELL_RATIO, 3 }, { "first_rank", TR_CELL_INT, 0 },
    { "last_rank", TR_CELL_INT, 0 },    { "match", TR_CELL_STRING, 0 },
    { "group_size", TR_CELL_INT, 0 },   { "dtype", TR_CELL_STRING, 0 },
    { "end_spread", TR_CELL_TIME, 0 },  { "wait_mean", TR_CELL_TIME, 0 },
    { "start", TR_CELL_TIME, 0 },       { "group_ranks", TR_CELL_STRING, 0 },
};

static void each_row(const struct comm_view *v, size_t i)
{
    const struct tr_coll *coll = &v->c->colls[i];
    const struct tr_coll_member *m = &v->c->members[coll->first];
    struct tr_comm_times s;
    bool timed = tr_comm_measure(v->dict, v->c, i, v->suspect, &s), several = s.n > 1;
    identity(v, coll);
    number_cell(v, s.bytes);
    tr_table_count(v->t, coll->n);
    time_cell(v, several, s.spread);
    time_cell(v, several, s.transfer);
    time_cell(v, timed, s.dur_min);
    time_cell(v, timed, s.dur_max);
    rate_cell(v, s.algbw);
    rate_cell(v, s.busbw);
    rank_cell(v, several, m[s.first].party);
    rank_cell(v, several, m[s.last].party);
    how_cell(v, coll);
    number_cell(v, v->c->groups[coll->group].size);
    text_cell(v, v->c->calls[m->call].dtype);
    time_cell(v, several, s.end_spread);
    if (several)
        tr_table_time_f(v->t, (double)s.wait / s.n);
    else
        tr_table_absent(v->t);
    start_cell(v, &m[s.first]);
    text_cell(v, v->c->groups[coll->group].ranks);
}

void comm_each(const struct comm_view *v)
{
    add_columns(v->t, each_columns, sizeof each_columns / sizeof *each_columns);
    for (size_t i = 0; i < v->c->n; i++)
        if (tr_comm_picked(v->c, i))
            each_row(v, i);
}

/* ---- one row for each member ---- */

static const struct column member_columns[] = {
    { "group", TR_CELL_STRING, 0 },     { "seq", TR_CELL_INT, 0 },
    { "name", TR_CELL_STRING, 0 },      { "rank", TR_CELL_INT, 0 },
    { "device", TR_CELL_INT, 0 },       { "stream", TR_CELL_INT, 0 },
    { "start", TR_CELL_TIME, 0 },       { "dur", TR_CELL_TIME, 0 },
    { "lag", TR_CELL_TIME, 0 },         { "wait", TR_CELL_TIME, 0 },
    { "in_bytes", TR_CELL_INT, 0 },     { "out_bytes", TR_CELL_INT, 0 },
    { "in_split", TR_CELL_STRING, 0 },  { "out_split", TR_CELL_STRING, 0 },
    { "dtype", TR_CELL_STRING, 0 },     { "match", TR_CELL_STRING, 0 },
    { "record", TR_CELL_COUNT, 0 },     { "kernel", TR_CELL_STRING, 0 },
    { "collective", TR_CELL_COUNT, 0 },
};

static void member_row(const struct comm_view *v, const struct tr_coll *coll,
                       const struct tr_comm_times *s, const struct tr_coll_member *m)
{
    const struct tr_coll_member *all = &v->c->members[coll->first];
    const struct tr_coll_call *call = &v->c->calls[m->call];
    const struct tr_track *track = &v->dict->tracks[m->track];
    bool timed = v->suspect || !m->suspect, several = timed && s->n > 1;
    identity(v, coll);
    rank_cell(v, true, m->party);
    number_cell(v, v->c->parties[m->party].device);
    number_cell(v, track->stream);
    start_cell(v, m);
    time_cell(v, timed, m->end - m->start);
    time_cell(v, several, tr_comm_minus(m->start, all[s->first].start));
    time_cell(v, several, tr_comm_minus(all[s->last].start, m->start));
    number_cell(v, tr_coll_side_bytes(v->dict, call, false));
    number_cell(v, tr_coll_side_bytes(v->dict, call, true));
    text_cell(v, call->in_split);
    text_cell(v, call->out_split);
    text_cell(v, call->dtype);
    how_cell(v, coll);
    tr_table_count(v->t, m->record);
    text_cell(v, m->name);
    tr_table_count(v->t, (uint64_t)(coll - v->c->colls));
}

void comm_members(const struct comm_view *v)
{
    add_columns(v->t, member_columns, sizeof member_columns / sizeof *member_columns);
    for (size_t i = 0; i < v->c->n; i++) {
        const struct tr_coll *coll = &v->c->colls[i];
        struct tr_comm_times s;
        if (!tr_comm_picked(v->c, i))
            continue;
        tr_comm_measure(v->dict, v->c, i, v->suspect, &s);
        for (uint32_t k = 0; k < coll->n; k++)
            member_row(v, coll, &s, &v->c->members[coll->first + k]);
    }
}

/* ---- sums ---- */

static const struct column sum_columns[] = {
    { "count", TR_CELL_COUNT, 0 },          { "dur_sum", TR_CELL_TIME, 0 },
    { "dur_mean", TR_CELL_TIME, 0 },        { "dur_min", TR_CELL_TIME, 0 },
    { "dur_p50", TR_CELL_TIME, 0 },         { "dur_max", TR_CELL_TIME, 0 },
    { "spread_mean", TR_CELL_TIME, 0 },     { "spread_p50", TR_CELL_TIME, 0 },
    { "spread_max", TR_CELL_TIME, 0 },      { "algbw_mean_GBps", TR_CELL_RATIO, 3 },
    { "algbw_min_GBps", TR_CELL_RATIO, 3 }, { "algbw_p50_GBps", TR_CELL_RATIO, 3 },
    { "algbw_max_GBps", TR_CELL_RATIO, 3 }, { "busbw_mean_GBps", TR_CELL_RATIO, 3 },
    { "busbw_min_GBps", TR_CELL_RATIO, 3 }, { "busbw_p50_GBps", TR_CELL_RATIO, 3 },
    { "busbw_max_GBps", TR_CELL_RATIO, 3 },
};

static void rate_cells(const struct comm_view *v, const struct tr_comm_stat *s)
{
    bool any = s->hist != NULL;
    rate_cell(v, any ? tr_stats_mean(&s->stats) : 0);
    rate_cell(v, any ? (double)s->stats.min : 0);
    rate_cell(v, any ? tr_hist_quantile(s->hist, 50, 100) : 0);
    rate_cell(v, any ? (double)s->stats.max : 0);
}

static void sum_row(const struct comm_view *v, const struct tr_comm_sum *s, enum tr_comm_by by)
{
    const struct tr_coll *coll = &v->c->colls[s->coll];
    const struct tr_coll_group *group = &v->c->groups[coll->group];
    if (by == TR_COMM_BY_GROUP) {
        text_cell(v, group->name);
        text_cell(v, group->desc);
        number_cell(v, group->size);
        text_cell(v, group->ranks);
    } else {
        tr_table_string(v->t, tr_coll_label(v->dict, v->c, coll));
    }
    if (by == TR_COMM_BY_SIZE) {
        text_cell(v, v->c->calls[v->c->members[coll->first].call].dtype);
        number_cell(v, s->bytes);
    }
    tr_table_count(v->t, s->dur.stats.n);
    tr_table_time(v->t, tr_stats_sum(&s->dur.stats));
    tr_table_time_f(v->t, tr_stats_mean(&s->dur.stats));
    tr_table_time(v->t, s->dur.stats.min);
    tr_table_time_f(v->t, tr_hist_quantile(s->dur.hist, 50, 100));
    tr_table_time(v->t, s->dur.stats.max);
    bool compared = s->spread.hist != NULL;
    tr_table_time_f(v->t, compared ? tr_stats_mean(&s->spread.stats) : NAN);
    tr_table_time_f(v->t, compared ? tr_hist_quantile(s->spread.hist, 50, 100) : NAN);
    time_cell(v, compared, s->spread.stats.max);
    rate_cells(v, &s->algbw);
    rate_cells(v, &s->busbw);
}

enum tr_status comm_sums(const struct comm_view *v, enum tr_comm_by by, struct tr_error *err)
{
    static const struct column group[] = { { "group", TR_CELL_STRING, 0 },
                                           { "description", TR_CELL_STRING, 0 },
                                           { "group_size", TR_CELL_INT, 0 },
                                           { "group_ranks", TR_CELL_STRING, 0 } };
    static const struct column size[] = { { "name", TR_CELL_STRING, 0 },
                                          { "dtype", TR_CELL_STRING, 0 },
                                          { "bytes", TR_CELL_INT, 0 } };
    struct tr_comm_sums s;
    enum tr_status st = tr_comm_sum_up(v->dict, v->c, by, v->suspect, &s, err);
    if (by == TR_COMM_BY_GROUP)
        add_columns(v->t, group, sizeof group / sizeof *group);
    else
        add_columns(v->t, size, by == TR_COMM_BY_SIZE ? 3 : 1);
    add_columns(v->t, sum_columns, sizeof sum_columns / sizeof *sum_columns);
    for (size_t i = 0; i < s.n && st == TR_OK; i++)
        sum_row(v, &s.v[i], by);
    tr_comm_sums_free(&s);
    return st;
}

/* ---- stragglers ---- */

static const struct column lag_columns[] = {
    { "rank", TR_CELL_INT, 0 },
    { "last_arrivals", TR_CELL_COUNT, 0 },
    { "pct", TR_CELL_RATIO, 2 },
    { "wait_caused", TR_CELL_TIME, 0 },
    { "mean_lag", TR_CELL_TIME, 0 },
    { "collectives", TR_CELL_COUNT, 0 },
    { "first_arrivals", TR_CELL_COUNT, 0 },
    { "wait", TR_CELL_TIME, 0 },
    { "mean_wait", TR_CELL_TIME, 0 },
    { "dur", TR_CELL_TIME, 0 },
    { "device", TR_CELL_INT, 0 },
};

static void lag_row(const struct comm_view *v, const struct tr_comm_lag *l)
{
    if (v->steps)
        number_cell(v, l->step);
    rank_cell(v, true, l->party);
    tr_table_count(v->t, l->n_last);
    tr_table_pct(v->t, (int64_t)l->n_last, (int64_t)l->n);
    tr_table_time(v->t, l->caused);
    tr_table_time_f(v->t, tr_stats_mean(&l->lag));
    tr_table_count(v->t, l->n);
    tr_table_count(v->t, l->n_first);
    tr_table_time(v->t, tr_stats_sum(&l->wait));
    tr_table_time_f(v->t, tr_stats_mean(&l->wait));
    tr_table_time(v->t, l->dur);
    number_cell(v, v->c->parties[l->party].device);
}

enum tr_status comm_stragglers(const struct comm_view *v, struct tr_error *err)
{
    struct tr_comm_lags l;
    enum tr_status st = tr_comm_lag_of_all(v->dict, v->c, v->steps, v->suspect, &l, err);
    if (v->steps)
        tr_table_column(v->t, "step", TR_CELL_INT, 0);
    add_columns(v->t, lag_columns, sizeof lag_columns / sizeof *lag_columns);
    for (size_t i = 0; i < l.n && st == TR_OK; i++)
        lag_row(v, &l.v[i]);
    tr_comm_lags_free(&l);
    return st;
}

/* ---- mismatches ---- */

static const struct column mismatch_columns[] = {
    { "group", TR_CELL_STRING, 0 },       { "seq", TR_CELL_INT, 0 },
    { "name", TR_CELL_STRING, 0 },        { "match", TR_CELL_STRING, 0 },
    { "rank", TR_CELL_INT, 0 },           { "problem", TR_CELL_STRING, 0 },
    { "first_rank", TR_CELL_INT, 0 },     { "first_shows", TR_CELL_STRING, 0 },
    { "rank_shows", TR_CELL_STRING, 0 },  { "start", TR_CELL_TIME, 0 },
    { "group_ranks", TR_CELL_STRING, 0 },
};

/* What a member says of itself: "allreduce Float 100 100". */
static void shows_cell(const struct comm_view *v, const struct tr_coll_member *m)
{
    const struct tr_coll_call *call = &v->c->calls[m->call];
    const char *name =
        call->name == TR_NO_STR ? tr_dict_str(v->dict, m->name) : tr_dict_str(v->dict, call->name);
    char text[300];
    int n = snprintf(text, sizeof text, "%.150s", name);
    if (call->dtype != TR_NO_STR)
        n += snprintf(text + n, sizeof text - (size_t)n, " %.60s",
                      tr_dict_str(v->dict, call->dtype));
    if (call->in_elems >= 0 || call->out_elems >= 0)
        snprintf(text + n, sizeof text - (size_t)n, " %" PRId64 " %" PRId64, call->in_elems,
                 call->out_elems);
    tr_table_string(v->t, text);
}

static void mismatch_row(const struct comm_view *v, const struct tr_coll *coll, uint32_t party,
                         const char *problem, const struct tr_coll_member *shown)
{
    const struct tr_coll_member *first = &v->c->members[coll->first];
    identity(v, coll);
    how_cell(v, coll);
    rank_cell(v, true, party);
    tr_table_string(v->t, problem);
    rank_cell(v, true, first->party);
    shows_cell(v, first);
    if (shown)
        shows_cell(v, shown);
    else
        tr_table_absent(v->t);
    start_cell(v, first);
    text_cell(v, v->c->groups[coll->group].ranks);
}

void comm_mismatches(const struct comm_view *v)
{
    const struct tr_colls *c = v->c;
    size_t flaw = 0;
    add_columns(v->t, mismatch_columns, sizeof mismatch_columns / sizeof *mismatch_columns);
    for (size_t i = 0; i < c->n; i++) {
        const struct tr_coll *coll = &c->colls[i];
        bool picked = tr_comm_picked(c, i);
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
}
