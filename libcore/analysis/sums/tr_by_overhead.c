/* SPDX-License-Identifier: MIT */
/* How long did the profiler itself hold up the program, and did devices wait for that?  By the name of what it did. */
#include "analysis/sums/tr_sums_analyses.h"
#include "base/tr_mem.h"
#include "engine/tr_rows.h"
#include "model/calls/tr_call_path.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>

struct row {
    uint32_t group, name;
    struct tr_stats dur;
    int64_t idle; /* ns */
};

static const struct tr_table_column columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, name), .meaning = "what the profiler did" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, dur), .meaning = "how often" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .meaning = "sum of durations" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, idle),
      .meaning = "idle time of the devices of its rank that it can have caused" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct row, dur), .of = "sum", .per = "count",
      .meaning = "mean duration" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct row, dur), .meaning = "longest" },
};

static const struct tr_row_type type = {
    .name = "overhead",
    .size = sizeof(struct row),
    .key_size = offsetof(struct row, dur),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "sum,name",
};

/*
 * What delays a host need not delay its devices: they have work that was launched before.  But the host is then less
 * far ahead of them, until it waits for them; so their next gaps may be longer for that, even if they begin later.
 *
 * So overhead of a thread that launches is a debt, from the first device work of its rank on.  Gaps that end with work
 * of this thread pay it, as far as they are before the end of the launch call.  A wait of the thread for the device
 * cancels the rest: what the host was ahead by would be gone in any case.
 */
struct debt {
    size_t row;
    uint32_t track;
    uint64_t ns; /* not paid so far */
    int64_t end; /* of the last overhead in it */
};

/* The devices of a rank, as one. */
#define MAX_DEBTS 64u /* of threads and names at a time; of more, the oldest is forgotten */
struct rank {
    int64_t end; /* of its work, and of gaps that paid; TR_TIME_NONE: none yet */
    struct debt debts[MAX_DEBTS];
    size_t n;
};

struct overhead {
    struct tr_grouped sums; /* first: tr_rows_first */
    struct tr_group_by work; /* device work by rank, whatever rows are grouped by */
    struct rank *ranks;
    size_t n_ranks, cap_ranks;
    int64_t *covered; /* by track: end of its overhead so far */
    size_t n_covered, cap_covered;
    uint8_t *names; /* by string: enum of_name */
    size_t n_names, cap_names;
    int64_t *launch_ts, *launch_dur, *launch_track; /* of this batch */
    size_t cap_ts, cap_dur, cap_track;
};
enum of_name { UNKNOWN, WAITS, OTHER };

static void release(void *state)
{
    struct overhead *s = state;
    free(s->ranks);
    free(s->covered);
    free(s->names);
    free(s->launch_ts);
    free(s->launch_dur);
    free(s->launch_track);
    tr_group_by_free(&s->work);
    tr_grouped_free(&s->sums);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct overhead *s = state;
    struct tr_group_by_opts work = in->work;
    (void)options;
    work.per = TR_PER_RANK;
    work.activities = TR_DEVICE_WORK;
    enum tr_status st = tr_grouped_start(&s->sums, &type, in, TR_ACTIVITY_BIT(TR_ACT_OVERHEAD), err);
    return st == TR_OK ? tr_group_by_init(&s->work, &work, in->dict, in->summary, in->sorted, in->select, err) : st;
}

/* ---- debts ---- */

/*
 * A thread is held up by what it does itself.  Some profilers say what they do without the thread; then it is on a
 * track without one, or of a process that is none.
 */
static bool holds_up(const struct tr_dict *d, uint32_t track, uint32_t launching)
{
    const struct tr_track *a = &d->tracks[track], *b = &d->tracks[launching];
    bool other_process = a->source != b->source || a->pid_type != b->pid_type || a->pid != b->pid;
    return track == launching || other_process || a->tid_type == TR_T_NULL;
}

/* The part of a debt that is from before a time. */
static uint64_t owed(const struct debt *d, int64_t at)
{
    uint64_t later = d->end > at ? (uint64_t)d->end - (uint64_t)at : 0;
    return d->ns > later ? d->ns - later : 0;
}

/* A gap from r->end until a time pays debts of a thread, the oldest first. */
static void pay(struct overhead *s, struct rank *r, int64_t until, uint32_t thread)
{
    uint64_t left = until > r->end ? (uint64_t)until - (uint64_t)r->end : 0;
    for (struct debt *d = r->debts; d < r->debts + r->n && left; d++) {
        uint64_t ns = holds_up(s->work.dict, d->track, thread) ? owed(d, until) : 0;
        ns = ns < left ? ns : left;
        struct row *row = tr_rows_get(s->sums.rows, d->row);
        row->idle = tr_time_sum(row->idle, ns <= INT64_MAX ? (int64_t)ns : TR_TIME_NONE);
        d->ns -= ns;
        left -= ns;
    }
}

/* What is owed from before a time is cancelled; thread: the one that waits, TR_NO_STR: all. */
static void cancel(struct overhead *s, struct rank *r, int64_t before, uint32_t thread)
{
    size_t kept = 0;
    for (size_t i = 0; i < r->n; i++) {
        struct debt *d = &r->debts[i];
        if (thread == TR_NO_STR || holds_up(s->work.dict, d->track, thread))
            d->ns -= owed(d, before);
        if (d->ns)
            r->debts[kept++] = *d;
    }
    r->n = kept;
}

static void owe(struct rank *r, size_t row, uint32_t track, int64_t from, int64_t end)
{
    struct debt *d = r->debts, *oldest = d;
    for (; d < r->debts + r->n && !(d->row == row && d->track == track); d++)
        oldest = d->end < oldest->end ? d : oldest;
    if (d == r->debts + MAX_DEBTS) {
        d = oldest;
        d->ns = 0;
    } else if (d == r->debts + r->n) {
        r->n++;
        d->ns = 0;
    }
    *d = (struct debt){ row, track, d->ns + ((uint64_t)end - (uint64_t)from), end };
}

/* ---- events ---- */

/* The rank of event i, which may be new; NULL: out of memory. */
static struct rank *rank_of(struct overhead *s, size_t i)
{
    uint32_t rank;
    if (!tr_group_by_group(&s->work, i, &rank) ||
        !tr_grow(&s->ranks, &s->cap_ranks, s->work.n_groups, sizeof *s->ranks))
        return NULL;
    for (; s->n_ranks < s->work.n_groups; s->n_ranks++) {
        s->ranks[s->n_ranks].end = TR_TIME_NONE;
        s->ranks[s->n_ranks].n = 0;
    }
    return &s->ranks[rank];
}

static bool add_work(struct overhead *s, size_t i)
{
    struct tr_group_by_item item;
    struct rank *r = rank_of(s, i);
    if (!r || !tr_group_by_item(&s->work, i, &item))
        return false;
    int64_t thread = s->launch_track[i], length = s->launch_dur[i];
    if (r->end == TR_TIME_NONE) {
        cancel(s, r, item.start, TR_NO_STR);
    } else if (r->n && s->launch_ts[i] != TR_I64_NONE && thread >= 0 && (uint64_t)thread < s->work.dict->n_tracks) {
        int64_t launched = tr_time_sum(s->launch_ts[i], length == TR_TIME_NONE || length < 0 ? 0 : length);
        pay(s, r, launched != TR_TIME_NONE && launched < item.start ? launched : item.start, (uint32_t)thread);
    }
    r->end = r->end == TR_TIME_NONE || item.end > r->end ? item.end : r->end;
    return true;
}

static bool add_overhead(struct overhead *s, const struct tr_batch *b, size_t i)
{
    struct tr_group_by_item item;
    uint32_t track = b->track[i];
    struct rank *r = rank_of(s, i);
    if (!r || !tr_group_by_item(&s->sums.work, i, &item))
        return false;
    struct row *row = tr_rows_at(s->sums.rows, &(struct row){ .group = item.group, .name = b->name[i] });
    if (!row)
        return false;
    tr_stats_add(&row->dur, item.end - item.start);
    int64_t from = item.start > s->covered[track] ? item.start : s->covered[track];
    if (item.end > from) {
        owe(r, tr_rows_number(s->sums.rows, row), track, from, item.end);
        s->covered[track] = item.end;
    }
    return true;
}

/* A call that waits for the device starts: a gap so far pays first. */
static bool add_wait(struct overhead *s, const struct tr_batch *b, size_t i)
{
    struct rank *r = rank_of(s, i);
    if (!r)
        return false;
    if (!r->n || r->end == TR_TIME_NONE)
        return true;
    pay(s, r, b->ts[i], b->track[i]);
    r->end = b->ts[i] > r->end ? b->ts[i] : r->end;
    cancel(s, r, b->ts[i], b->track[i]);
    return true;
}

static bool waits(struct overhead *s, const struct tr_batch *b, size_t i)
{
    const struct tr_dict *d = s->work.dict;
    uint32_t name = b->name[i];
    if ((b->activity[i] != TR_ACT_RUNTIME_API && b->activity[i] != TR_ACT_DRIVER_API) || !tr_is_call(b, i) ||
        name == TR_NO_STR)
        return false;
    if (s->names[name] == UNKNOWN) {
        struct tr_str text = tr_dict_text(d, name);
        s->names[name] = tr_roles_of(d->names, text.s, text.len) & TR_NAMED_SYNC ? WAITS : OTHER;
    }
    return s->names[name] == WAITS;
}

/* Make room for new tracks and strings, and for the launches of a batch. */
static bool prepare(struct overhead *s, const struct tr_batch *b)
{
    const struct tr_dict *d = s->work.dict;
    if (!tr_grow(&s->covered, &s->cap_covered, d->n_tracks, sizeof *s->covered) ||
        !tr_grow(&s->names, &s->cap_names, tr_strtab_count(d->strings), sizeof *s->names) ||
        !tr_grow(&s->launch_ts, &s->cap_ts, b->n, sizeof *s->launch_ts) ||
        !tr_grow(&s->launch_dur, &s->cap_dur, b->n, sizeof *s->launch_dur) ||
        !tr_grow(&s->launch_track, &s->cap_track, b->n, sizeof *s->launch_track))
        return false;
    while (s->n_covered < d->n_tracks)
        s->covered[s->n_covered++] = INT64_MIN;
    while (s->n_names < tr_strtab_count(d->strings))
        s->names[s->n_names++] = UNKNOWN;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, s->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_DUR, TR_TIME_NONE, s->launch_dur);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, s->launch_track);
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct overhead *s = state;
    (void)t;
    enum tr_status st = tr_group_by_batch(&s->sums.work, b, keep, err);
    if (st == TR_OK)
        st = tr_group_by_batch(&s->work, b, keep, err);
    if (st != TR_OK)
        return st;
    bool ok = prepare(s, b);
    for (size_t i = 0; ok && i < b->n; i++)
        if (tr_group_by_counts(&s->work, i))
            ok = add_work(s, i);
        else if (tr_group_by_counts(&s->sums.work, i) && b->dur[i] != TR_TIME_NONE)
            ok = add_overhead(s, b, i);
        else if ((!keep || keep[i]) && waits(s, b, i))
            ok = add_wait(s, b, i);
    return ok ? TR_OK : tr_fail_memory(err);
}

const struct tr_analysis tr_analysis_overhead = {
    .name = "overhead",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "sum" }, .facet = "rank" },
    .question = "How long did the profiler itself hold up the program?",
    .nothing = "the trace shows no overhead of its profiler",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME),
                         .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_DUR | 1u << TR_COL_LAUNCH_TRACK,
                         .any_rank_order = true },
               .all_in_any_order = true,
               .host = true },
    TR_OWN_COLUMNS(columns),
    .rows = tr_rows_first,
    .state_size = sizeof(struct overhead),
    .start = start,
    .feed = feed,
    .free = release,
    /* A gap is between device work and the next of its rank, which may be in another file. */
    .saving = &(const struct tr_saving){ .version = 2, .whole_ranks = true, TR_SAVED_ROWS(type) },
};
