/* SPDX-License-Identifier: MIT */
/* The headline of a run, from the tables of busy times and of launches. */
#include "analysis/compare/tr_run_summary.h"

#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>

const char *const tr_run_summary_names[] = { "step_time", "busy", "compute", "exposed_comm", "idle", "launches", NULL };

enum { TIME, TIME_STEPS, LAUNCH, LAUNCH_STEPS, N_TABLES };

struct tr_run_summary_maker {
    struct tr_table *tables[N_TABLES];
};

/* What a step did, on one rank or on all. */
struct step {
    int64_t capture, number;
    int64_t values[TR_N_RUN_SUMMARY];
};

struct steps {
    struct step *v;
    size_t n, cap;
};

void tr_run_summary_init(struct tr_run_summary *h)
{
    *h = (struct tr_run_summary){ .n_ranks = 0 };
    for (int m = 0; m < TR_N_RUN_SUMMARY; m++)
        h->steps[m] = (struct tr_stats)TR_STATS_INIT;
}

void tr_run_summary_figures(const struct tr_run_summary *h, const struct tr_step_times *steps,
                            struct tr_run_summary_figure figures[TR_N_RUN_SUMMARY])
{
    double ranks = (double)h->n_ranks;
    figures[TR_RUN_SUMMARY_STEP_TIME] =
        (struct tr_run_summary_figure){ steps->mean, steps->std * steps->std / (double)steps->n };
    for (int m = TR_RUN_SUMMARY_STEP_TIME + 1; m < TR_N_RUN_SUMMARY; m++) {
        double std = tr_stats_std(&h->steps[m]) / ranks;
        bool known = h->n_ranks && h->whole[m] != TR_TIME_NONE;
        figures[m] = (struct tr_run_summary_figure){ known ? (double)h->whole[m] / ranks : NAN,
                                                     known ? (double)h->steps[m].n * std * std : NAN };
    }
}

struct tr_run_summary_difference tr_run_summary_compare(struct tr_run_summary_figure base,
                                                        struct tr_run_summary_figure test)
{
    double diff = test.value - base.value, noise = sqrt(base.variance + test.variance);
    return (struct tr_run_summary_difference){
        .base = base.value,
        .test = test.value,
        .diff = diff,
        .pct = base.value == 0 ? NAN : 100 * diff / base.value,
        .sigma = diff == 0 && noise == 0 ? 0 : diff / noise,
    };
}

/* ---- called by the runner ---- */

enum tr_status tr_run_summary_maker_new(struct tr_runner *r, struct tr_run_summary_maker **run, struct tr_error *err)
{
    static const struct tr_timeline_options quiet = { .quiet = true };
    static const struct {
        const struct tr_analysis *analysis;
        const void *options;
        enum tr_per per;
    } parts[N_TABLES] = { [TIME] = { &tr_analysis_time, &quiet, TR_PER_RANK },
                          [TIME_STEPS] = { &tr_analysis_time, &quiet, TR_PER_STEP },
                          [LAUNCH] = { &tr_analysis_api, &tr_launch_means, TR_PER_RANK },
                          [LAUNCH_STEPS] = { &tr_analysis_api, &tr_launch_means, TR_PER_STEP } };
    struct tr_run_summary_maker *own = calloc(1, sizeof *own);
    enum tr_status st = own ? TR_OK : tr_fail_memory(err);
    for (int i = 0; i < N_TABLES && st == TR_OK; i++) {
        own->tables[i] = tr_table_new(TR_UNIT_NS);
        st = own->tables[i] ? tr_runner_add(r, parts[i].analysis, parts[i].options, (int)parts[i].per,
                                            own->tables[i], err)
                            : tr_fail_memory(err);
    }
    if (st == TR_OK)
        *run = own;
    else
        tr_run_summary_maker_free(own);
    return st;
}

void tr_run_summary_maker_free(struct tr_run_summary_maker *run)
{
    if (!run)
        return;
    for (int i = 0; i < N_TABLES; i++)
        tr_table_free(run->tables[i]);
    free(run);
}

/* ---- data from the tables ---- */

/* A table, and its columns, looked up once. */
struct columns {
    const struct tr_table *t;
    size_t capture, step, of[TR_N_RUN_SUMMARY];
};

static struct columns columns_of(const struct tr_table *t)
{
    struct columns c = { .t = t, .capture = tr_table_find(t, "capture"), .step = tr_table_find(t, "step") };
    for (int m = 0; m < TR_N_RUN_SUMMARY; m++)
        c.of[m] = tr_table_find(t, tr_run_summary_names[m]);
    return c;
}

/* A cell; TR_TIME_NONE: absent. */
static int64_t cell(const struct columns *c, size_t row, size_t column)
{
    double value = tr_table_number(c->t, row, column);
    return value > -9223372036854775807.0 && value < 9223372036854775807.0 ? (int64_t)value : TR_TIME_NONE;
}

/* Add a row of times or of launches. */
static void add_row(int64_t values[TR_N_RUN_SUMMARY], const struct columns *c, size_t row, bool launches)
{
    int first = launches ? TR_RUN_SUMMARY_LAUNCHES : TR_RUN_SUMMARY_BUSY;
    int end = launches ? TR_N_RUN_SUMMARY : TR_RUN_SUMMARY_LAUNCHES;
    for (int m = first; m < end; m++) {
        int64_t value = cell(c, row, c->of[m]);
        values[m] = value == TR_TIME_NONE ? value : tr_time_sum(values[m], value);
    }
}

/* The steps of one rank each.  False: out of memory. */
static bool list_steps(struct steps *s, const struct tr_step_times *times, const struct tr_table *t, bool launches)
{
    const struct columns c = columns_of(t);
    for (size_t row = 0, n = tr_table_rows(t); row < n; row++) {
        if (isnan(tr_table_number(t, row, c.step)))
            continue; /* in no step */
        if (!tr_grow(&s->v, &s->cap, s->n + 1, sizeof *s->v))
            return false;
        struct step *to = &s->v[s->n++];
        *to = (struct step){ .capture = cell(&c, row, c.capture), .number = cell(&c, row, c.step) };
        add_row(to->values, &c, row, launches);
        if (!launches)
            to->values[TR_RUN_SUMMARY_IDLE] =
                tr_time_diff(tr_step_times_of(times, to->capture, to->number), to->values[TR_RUN_SUMMARY_BUSY]);
    }
    return true;
}

TR_ORDER(by_number, struct step, TR_UP(capture), TR_UP(number))

/* Steps of the same number and capture are one step of all ranks. */
static void add_steps(struct tr_run_summary *h, struct steps *s)
{
    if (s->n)
        qsort(s->v, s->n, sizeof *s->v, by_number);
    for (size_t i = 0, end; i < s->n; i = end) {
        struct step *first = &s->v[i];
        for (end = i + 1; end < s->n && by_number(&s->v[end], first) == 0; end++)
            for (int m = 0; m < TR_N_RUN_SUMMARY; m++)
                first->values[m] = tr_time_sum(first->values[m], s->v[end].values[m]);
        for (int m = 0; m < TR_N_RUN_SUMMARY; m++)
            tr_stats_add_known(&h->steps[m], first->values[m]);
    }
}

enum tr_status tr_run_summary_maker_end(const struct tr_run_summary_maker *run, const struct tr_step_times *times,
                                        struct tr_run_summary *h, struct tr_error *err)
{
    struct steps steps = { NULL, 0, 0 };
    tr_run_summary_init(h);
    h->n_ranks = tr_table_rows(run->tables[TIME]);
    for (int i = TIME; i <= LAUNCH; i += LAUNCH - TIME) {
        const struct columns c = columns_of(run->tables[i]);
        for (size_t row = 0, n = tr_table_rows(run->tables[i]); row < n; row++)
            add_row(h->whole, &c, row, i == LAUNCH);
    }
    bool ok = list_steps(&steps, times, run->tables[TIME_STEPS], false) &&
              list_steps(&steps, times, run->tables[LAUNCH_STEPS], true);
    if (ok)
        add_steps(h, &steps);
    free(steps.v);
    return ok ? TR_OK : tr_fail_memory(err);
}
