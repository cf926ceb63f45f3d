/* SPDX-License-Identifier: MIT */
/* Where did the time of devices go, and how much of the communication was hidden? */
#include "analysis/time/tr_busy.h"
#include "analysis/time/tr_time_analyses.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the busy time of devices, as a service ---- */

struct busy_options {
    struct tr_group_by_opts work;
    int64_t micro;
    bool memsets_compute;
};

struct busy {
    struct tr_busy *busy;
    const struct tr_busy_row *rows;
    size_t n;
};

static void busy_free(void *state)
{
    struct busy *s = state;
    tr_busy_free(s->busy);
    free(s);
}

static enum tr_status busy_start(const struct tr_analysis_in *in, const void *options, void **state,
                                 struct tr_error *err)
{
    const struct busy_options *o = options;
    struct busy *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    enum tr_status st = tr_busy_new(&o->work, in->dict, in->summary, in->sorted, in->select, &s->busy, err);
    if (st == TR_OK)
        tr_busy_tune(s->busy, o->micro, o->memsets_compute);
    return st;
}

static enum tr_status busy_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    struct busy *s = state;
    return tr_busy_feed(s->busy, b, keep, err);
}

static enum tr_status busy_finish(void *state, struct tr_error *err)
{
    struct busy *s = state;
    return tr_busy_finish(s->busy, &s->rows, &s->n, err);
}

static const struct tr_service busy_service = {
    .name = "busy",
    .options_size = sizeof(struct busy_options),
    .start = busy_start,
    .feed = busy_feed,
    .finish = busy_finish,
    .free = busy_free,
};

/* ---- all analyses ---- */

struct time_state {
    struct tr_analysis_in in;
    enum tr_per per;
    void *busy; /* owner: the run */
    const struct tr_timeline_options *timeline;
};

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct busy_options work;
    struct time_state *s = state;
    s->in = *in;
    memset(&work, 0, sizeof work);
    work.work.per = s->per = in->work.per;
    work.work.suspect = in->work.suspect;
    s->timeline = options;
    if (s->timeline) {
        work.micro = s->timeline->micro_idle;
        work.memsets_compute = s->timeline->memsets == TR_MEMSETS_COMPUTE;
    }
    return tr_service_get(in, &busy_service, &work, &s->busy, err);
}

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    const struct time_state *s = state;
    (void)err;
    tr_busy_save(((const struct busy *)s->busy)->busy, out);
    return TR_OK;
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    const struct time_state *s = state;
    return tr_busy_load(((const struct busy *)s->busy)->busy, in, err);
}

/* What the unions depend on; other options only choose what is printed. */
static const struct tr_saving saving = {
    .version = 3,
    .whole_ranks = true,
    .unions = true,
    .tables = &tr_busy_saved,
    .n_tables = 1,
    .save = save,
    .load = load,
};

/* ---- time ---- */

static const struct tr_table_column time_columns[] = {
    { "span", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, span),
      .meaning = "first start to last end of device work, or the window" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, busy), .extra = true,
      .meaning = "time with any device work" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, idle),
      .meaning = "time without device work: span minus busy" },
    { "compute", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, compute), .meaning = "compute ran" },
    { "comm", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, comm), .meaning = "communication ran" },
    { "memory", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, memory), .extra = true,
      .meaning = "time with copies or memsets" },
    { "exposed_comm", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, exposed_comm),
      .meaning = "time with communication and without compute" },
    { "exposed_memory", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, exposed_memory), .extra = true,
      .meaning = "time with copies or memsets, without compute and communication" },
    { "other", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, other), .extra = true,
      .meaning = "time with work of kind other only" },
    { "non_compute", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, non_compute), .extra = true,
      .meaning = "busy without compute" },
    { "idle_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "idle", .per = "span",
      .meaning = "share of the span" },
    { "compute_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .extra = true, .unit = "%", .of = "compute", .per = "span",
      .meaning = "share of the span" },
    { "non_compute_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .extra = true, .unit = "%", .of = "non_compute",
      .per = "span", .meaning = "share of the span" },
};

/* Which idle time of steps a reader may miss here, and which may be taken for that of a step. */
static void remark_steps(const struct time_state *s)
{
    const struct busy *b = s->busy;
    bool steps = false, none = false;
    if (s->timeline && s->timeline->quiet)
        return;
    for (size_t i = 0; s->per == TR_PER_STEP && i < b->n; i++) {
        steps = steps || b->rows[i].key.step != TR_GROUP_NONE;
        none = none || (b->rows[i].key.step == TR_GROUP_NONE && b->rows[i].idle > 0);
    }
    if (steps)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "",
                           "idle time before the first work of a step does not count: see tr-breakdown --by step");
    else if (s->per != TR_PER_STEP && b->n && tr_busy_by_launch(b->busy))
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "",
                           "idle time before the first selected work does not count: see tr-breakdown --by step");
    if (steps && none)
        tr_analysis_remark(
            &s->in, TR_REMARK_RESULT, "",
            "rows without a step: work of no step, or of an unknown launch; idle is the time between it");
}

/* A rank with several devices is idle only when none of them works.  False: out of memory. */
static bool remark_devices(const struct time_state *s)
{
    const struct busy *b = s->busy;
    const uint64_t *track_ns;
    const struct tr_group_by *w = tr_busy_groups(b->busy, &track_ns);
    return (s->timeline && s->timeline->quiet) || tr_group_remark_devices(&s->in, w, track_ns);
}

static enum tr_status rows_of_time(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct time_state *s = state;
    const struct busy *b = s->busy;
    remark_steps(s);
    if (!remark_devices(s))
        return tr_fail_memory(err);
    tr_table_grouped_rows(t, b->rows, b->n, sizeof *b->rows);
    return TR_OK;
}

const struct tr_analysis tr_analysis_time = {
    .name = "time",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "rank",
                                       .y = { "compute", "exposed_comm", "exposed_memory", "other", "idle" } },
    .compares = true,
    .question = "Where did the time of the devices go?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED, .any_rank_order = true } },
    TR_OWN_COLUMNS(time_columns),
    .state_size = sizeof(struct time_state),
    .start = start,
    .finish = rows_of_time,
    .saving = &saving,
};

/* ---- timeline ---- */

struct part {
    const char *type;
    int64_t time;
    double pct;
};

static const struct tr_table_column timeline_columns[] = {
    { "type", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct part, type),
      .meaning = "the part: computation to idle add up to total; then busy, total_comm, total_memory" },
    { "time", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct part, time), .meaning = "how long" },
    { "pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, TR_OF(struct part, pct), .unit = "%",
      .meaning = "share of the total" },
};

static void put_part(struct tr_table *t, const struct tr_busy_row *r, const char *type, int64_t time)
{
    bool known = r->span && r->span != TR_TIME_NONE && time != TR_TIME_NONE;
    const struct part part = { type, time, known ? 100.0 * (double)time / (double)r->span : NAN };
    tr_table_row(t, &(struct tr_row){ .group = &r->key, .row = &part });
}

static enum tr_status rows_of_timeline(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct time_state *s = state;
    const struct busy *b = s->busy;
    remark_steps(s);
    if (!remark_devices(s))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        const struct tr_busy_row *r = &b->rows[i];
        put_part(t, r, "computation", r->compute);
        put_part(t, r, "exposed_comm", r->exposed_comm);
        put_part(t, r, "exposed_memory", r->exposed_memory);
        put_part(t, r, "other", r->other);
        if (s->timeline->micro_idle) {
            put_part(t, r, "micro_idle", r->micro_idle);
            put_part(t, r, "macro_idle", tr_time_diff(r->idle, r->micro_idle));
        } else {
            put_part(t, r, "idle", r->idle);
        }
        put_part(t, r, "total", r->span);
        put_part(t, r, "busy", r->busy);
        put_part(t, r, "total_comm", r->comm);
        put_part(t, r, "total_memory", r->memory);
    }
    return TR_OK;
}

static const struct tr_timeline_options timeline_defaults = { .memsets = TR_MEMSETS_MEMORY };
static const char *const memsets[] = { [TR_MEMSETS_MEMORY] = "memory", [TR_MEMSETS_COMPUTE] = "compute", NULL };
static const struct tr_option timeline_options[] = {
    { 0, "micro-idle", "TIME", TR_OPTION_TIME, offsetof(struct tr_timeline_options, micro_idle), .lo = 0,
      .hi = INT64_MAX, .help = "idle time in gaps shorter than TIME has a separate row" },
    { 0, "memset", "KIND", TR_OPTION_CHOICE, offsetof(struct tr_timeline_options, memsets), .choices = memsets,
      .help = "memsets count as memory or as compute [memory]" },
    { 0 },
};

const struct tr_analysis tr_analysis_timeline = {
    .name = "timeline",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "rank", .y = { "time" }, .series = "type",
                                       .sums = "total,busy,total_comm,total_memory" },
    .compares = true,
    .question = "Which parts make up the time of the devices?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(timeline_options, timeline_defaults),
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED, .any_rank_order = true } },
    TR_OWN_COLUMNS(timeline_columns),
    .state_size = sizeof(struct time_state),
    .start = start,
    .finish = rows_of_timeline,
    .saving = &saving,
};

/* ---- overlap ---- */

static const struct tr_table_column overlap_columns[] = {
    { "comm", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, comm), .meaning = "communication ran" },
    { "compute", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, compute), .meaning = "compute ran" },
    { "memory", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, memory), .extra = true,
      .meaning = "time with copies or memsets" },
    { "overlap", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, overlap),
      .meaning = "time with communication and compute" },
    { "overlap_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "overlap", .per = "comm",
      .meaning = "share of the communication time" },
    { "exposed_comm", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_busy_row, exposed_comm),
      .meaning = "time with communication and without compute" },
};

static enum tr_status rows_of_overlap(void *state, struct tr_table *t, struct tr_error *err)
{
    const struct time_state *s = state;
    const struct busy *b = s->busy;
    (void)err;
    tr_table_grouped_rows(t, b->rows, b->n, sizeof *b->rows);
    return TR_OK;
}

const struct tr_analysis tr_analysis_overlap = {
    .name = "overlap",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "rank", .y = { "overlap", "exposed_comm" } },
    .compares = true,
    .question = "How much of the communication was hidden under compute?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED, .any_rank_order = true } },
    TR_OWN_COLUMNS(overlap_columns),
    .state_size = sizeof(struct time_state),
    .start = start,
    .finish = rows_of_overlap,
    .saving = &saving,
};
