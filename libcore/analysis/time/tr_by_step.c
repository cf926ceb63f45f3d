/* SPDX-License-Identifier: MIT */
/* How long did each step take, what did the devices do in that time, and what did they wait for? */
#include "analysis/time/tr_step_account.h"
#include "analysis/time/tr_time_analyses.h"

#include <stdlib.h>
#include <string.h>

struct steps {
    struct tr_analysis_in in;
    struct tr_step_accounts *accounts;
};

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    tr_step_accounts_needs(n);
}

struct row {
    int64_t rank; /* TR_I64_NONE: unknown */
    int64_t number, start, time, dur, between, lead, busy, idle, cause_idle;
    const char *cause;
    uint32_t during;
    int64_t of[TR_N_ACCOUNTS], drained;
};

static const struct tr_table_column slowest_column = { "rank", TR_CELL_INT, TR_ROLE_RANK, TR_OF(struct row, rank),
                                                       .meaning = "the rank on which the step takes longest" };
static const struct tr_table_column columns[] = {
    { "step", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, number), .meaning = "number of the step" },
    { "start", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct row, start), .label = true, .extra = true,
      .meaning = "when the host starts it, as in the file" },
    { "time", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, time), .main = true,
      .meaning = "from the end of the step before to its own end" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, dur), .meaning = "how long it takes on the host" },
    { "between", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, between), .extra = true,
      .meaning = "inference: from the end of the step before to its start" },
    { "lead", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, lead), .extra = true,
      .meaning = "first step: the part of its time before its first work; not idle time" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, busy), .extra = true,
      .meaning = "some device work ran meanwhile" },
#define PART(name, which, says)                                                                           \
    {                                                                                                     \
        (name), TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, of[which]), .extra = true, .meaning = (says) \
    }
    PART("compute", TR_ACCOUNT_COMPUTE, "compute ran meanwhile"),
    PART("exposed_comm", TR_ACCOUNT_COMM, "communication ran, and no compute"),
    PART("exposed_memory", TR_ACCOUNT_MEMORY, "copies or memsets ran, and neither compute nor communication"),
    PART("other", TR_ACCOUNT_OTHER, "only other work ran"),
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, idle), .main = true,
      .meaning = "nothing ran on any stream meanwhile" },
    { "idle_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .extra = true, .unit = "%", .of = "idle", .per = "time",
      .meaning = "share of its time" },
    { "cause", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, cause), .main = true,
      .meaning = "the largest cause of this idle time, as in --by cause" },
    { "cause_idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, cause_idle), .meaning = "idle time by that cause" },
    { "during", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, during), .names = true,
      .meaning = "what the launching thread did in the longest part of it" },
#define IDLE(name, which, says) PART(name, TR_ACCOUNT_IDLE + TR_IDLE_##which, says)
    IDLE("host_busy", HOST_BUSY, "idle while the launching thread was busy"),
    IDLE("host_blocked", HOST_BLOCKED, "idle while it waited for the device"),
    IDLE("data_loading", DATA_LOADING, "idle while it loaded data"),
    IDLE("collective_wait", COLLECTIVE_WAIT, "idle while it took part in a collective of the host"),
    IDLE("launch_overhead", LAUNCH_OVERHEAD, "idle inside of the launch call"),
    IDLE("device_overhead", DEVICE_OVERHEAD, "idle for a short time after it"),
    IDLE("dependency", DEPENDENCY, "idle for longer after it"),
    IDLE("unknown", UNKNOWN, "idle before work whose launch is not known"),
    IDLE("edge", EDGE, "idle after the last work of the trace"),
#undef PART
#undef IDLE
    { "drained", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, drained), .extra = true,
      .meaning =
          "part of idle that waits of the host for the device caused, up to their length, without data_loading" },
};

static void add_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    if (in->work.per == TR_PER_ALL)
        tr_table_columns(t, &slowest_column, 1);
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

/* ---- the analysis ---- */

static void steps_free(void *state)
{
    struct steps *s = state;
    tr_step_accounts_free(s->accounts);
}

static enum tr_status steps_start(const struct tr_analysis_in *in, const void *options, void *state,
                                  struct tr_error *err)
{
    const struct tr_idle_options *o = options;
    struct steps *s = state;
    s->in = *in;
    return tr_step_accounts_new(in, o->threshold, &s->accounts, err);
}

static enum tr_status steps_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                 struct tr_error *err)
{
    (void)keep; /* steps are selected, not work */
    (void)t;
    return tr_step_accounts_feed(((struct steps *)state)->accounts, b, err);
}

/* ---- rows ---- */

static void put_step(const struct steps *s, struct tr_table *t, const struct tr_step_account *of)
{
    const struct tr_step_span *at = &of->step;
    const int64_t *idle = of->of + TR_ACCOUNT_IDLE;
    unsigned max = 0;
    for (unsigned c = 1; c < TR_N_IDLE_CAUSES; c++)
        max = c != TR_IDLE_EDGE && idle[c] > idle[max] ? c : max;
    struct row row = {
        .rank = of->key.rank == TR_GROUP_NONE ? TR_I64_NONE : of->key.rank,
        .number = at->at.number,
        .start = tr_source_to_file(&s->in.dict->sources[at->source], at->at.start),
        .time = tr_step_span_time(at),
        .dur = at->at.end - at->at.start,
        .between = at->between,
        .lead = at->lead,
        .busy = tr_step_span_time(at) - at->lead - tr_step_account_idle(of),
        .idle = tr_step_account_idle(of),
        .cause_idle = idle[max],
        .cause = idle[max] ? tr_idle_cause_name(max) : NULL,
        .during = idle[max] ? of->during[max] : TR_NO_STR,
        .drained = of->drained,
    };
    memcpy(row.of, of->of, sizeof row.of);
    tr_table_row(t, &(struct tr_row){ .group = &of->key, .row = &row });
}

/* Of one number, the longest first. */
static int by_number(const void *x, const void *y)
{
    const struct tr_step_account *a = *(const struct tr_step_account *const *)x;
    const struct tr_step_account *b = *(const struct tr_step_account *const *)y;
    if (a->key.capture != b->key.capture)
        return a->key.capture < b->key.capture ? -1 : 1;
    if (a->step.at.number != b->step.at.number)
        return a->step.at.number < b->step.at.number ? -1 : 1;
    int64_t time_a = tr_step_span_time(&a->step), time_b = tr_step_span_time(&b->step);
    return time_a != time_b ? (time_a > time_b ? -1 : 1) : (a > b) - (a < b);
}

static enum tr_status put_steps(const struct steps *s, struct tr_table *t, struct tr_error *err)
{
    bool once = s->in.work.per == TR_PER_ALL; /* each step on its slowest rank */
    enum tr_status st = TR_OK;
    size_t n;
    const struct tr_step_account *rows = tr_step_accounts_rows(s->accounts, &n), **all;
    all = malloc((n + 1) * sizeof *all);
    if (!all)
        return tr_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        all[i] = &rows[i];
    if (once && n)
        qsort(all, n, sizeof *all, by_number);
    for (size_t i = 0; st == TR_OK && i < n; i++) {
        if (once && i && all[i]->step.at.number == all[i - 1]->step.at.number &&
            all[i]->key.capture == all[i - 1]->key.capture)
            continue;
        put_step(s, t, all[i]);
        st = tr_table_status(t, err);
    }
    free(all);
    return st;
}

static enum tr_status steps_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct steps *s = state;
    char text[200];
    enum tr_status st = tr_step_accounts_finish(s->accounts, err);
    for (int which = 0; st == TR_OK && which < TR_N_STEP_REMARKS; which++)
        if (tr_step_accounts_remark(s->accounts, (enum tr_step_remark)which, text, sizeof text))
            tr_analysis_remark(&s->in, TR_REMARK_RESULT, "", "%s", text);
    return st == TR_OK ? put_steps(s, t, err) : st;
}

const struct tr_analysis tr_analysis_step = {
    .name = "step",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "step", .y = { "busy", "idle" }, .facet = "rank" },
    .question = "How long did each step take, and what did the devices wait for?",
    .nothing = "no numbered step is selected",
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_RANK,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .more = needs,
    .columns = add_columns,
    .state_size = sizeof(struct steps),
    .start = steps_start,
    .feed = steps_feed,
    .finish = steps_finish,
    .free = steps_free,
    .saving = &tr_saving_ranks,
};
