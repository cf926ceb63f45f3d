/* SPDX-License-Identifier: MIT */
/* Steps of inference: one by one, by phase, and runs of them that are typical of a phase. */
#include "analysis/time/tr_step_work.h"
#include "analysis/time/tr_time_analyses.h"
#include "base/tr_mem.h"
#include "base/tr_stats.h"

#include <math.h>
#include <stdlib.h>

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err)
{
    (void)options;
    struct tr_step_work *w = *state = calloc(1, sizeof *w);
    return w ? tr_step_work_start(w, in, err) : tr_fail_memory(err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    (void)t;
    return tr_step_work_feed(state, b, keep, err);
}

static void release(void *state)
{
    tr_step_work_free(state);
    free(state);
}

static void number(struct tr_table *t, int64_t value)
{
    if (value < 0)
        tr_table_absent(t);
    else
        tr_table_count(t, (uint64_t)value);
}

static bool same_rank(const struct tr_step_row *a, const struct tr_step_row *b)
{
    return a->key.rank == b->key.rank && a->key.capture == b->key.capture;
}

/* ---- one by one ---- */

static const struct tr_table_column step_columns[] = {
    { "step", TR_CELL_INT, TR_ROLE_KEY, .meaning = "number of the step" },
    { "start", TR_CELL_TIME, TR_ROLE_KEY, .label = true, .extra = true,
      .meaning = "when the host starts it, as in the file" },
    { "phase", TR_CELL_STRING, TR_ROLE_TEXT, .main = true, .meaning = "prefill, decode, mixed or diffusion" },
    { "requests", TR_CELL_COUNT, TR_ROLE_SUM, .main = true, .meaning = "requests in its batch" },
    { "tokens", TR_CELL_COUNT, TR_ROLE_SUM, .main = true, .meaning = "tokens that it computes" },
    { "time", TR_CELL_TIME, TR_ROLE_SUM, .main = true,
      .meaning = "from its start to its end, or to the end of its last work" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "how long it takes on the host" },
    { "work", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "kernels, copies and memsets that it launches" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "length of the union of this work" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "time without any of this work" },
    { "idle_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .extra = true, .unit = "%", .of = "idle", .per = "time",
      .meaning = "share of its time" },
    { "c_requests", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "requests whose prompt is processed" },
    { "g_requests", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "requests that get another token" },
    { "c_sq", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "tokens of prompts" },
    { "c_sk", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "keys that these read" },
    { "c_sqsq", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "sum of the squares of the tokens of prompts" },
    { "c_sqsk", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "sum of tokens times keys" },
    { "g_sq", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "new tokens" },
    { "g_sk", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "keys that these read" },
    { "g_sqsq", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "sum of the squares of the new tokens" },
    { "g_sqsk", TR_CELL_COUNT, TR_ROLE_SUM, .extra = true, .meaning = "sum of new tokens times keys" },
};

static enum tr_status steps_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct tr_step_work *w = state;
    enum tr_status st = tr_step_work_finish(w, err);
    for (size_t i = 0; st == TR_OK && i < w->n; i++) {
        const struct tr_step_row *r = &w->rows[i];
        int64_t time = tr_step_row_time(r), busy = (int64_t)r->busy.sum_ns, idle = busy < time ? time - busy : 0;
        tr_group_cells(t, TR_PER_RANK, &r->key);
        tr_table_int(t, r->at->number);
        tr_table_time(t, tr_source_to_file(&w->in.dict->sources[r->source], r->at->start));
        tr_table_string(t, tr_step_phase_name(r->at->about.phase));
        number(t, tr_step_number(r->at, TR_STEP_REQUESTS));
        number(t, tr_step_number(r->at, TR_STEP_TOKENS));
        tr_table_time(t, time);
        tr_table_time(t, r->at->end - r->at->start);
        tr_table_count(t, r->pieces);
        tr_table_time(t, busy);
        tr_table_time(t, idle);
        tr_table_pct(t, idle, time);
        for (unsigned k = TR_STEP_C_REQUESTS; k < TR_N_STEP_NUMBERS; k++)
            number(t, tr_step_number(r->at, k));
        st = tr_table_status(t, err);
    }
    return st;
}

const struct tr_analysis tr_analysis_inference = {
    .name = "inference",
    .chart = &(const struct tr_chart){ TR_CHART_SCATTER, .x = "tokens", .y = { "time" }, .series = "phase",
                                       .facet = "rank" },
    .question = "What did each step of an inference engine compute, and how long did it take with its work?",
    .nothing = "no step is selected",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    .needs = tr_step_work_needs,
    TR_OWN_COLUMNS(step_columns),
    .start = start,
    .feed = feed,
    .finish = steps_finish,
    .free = release,
    .unsaved = "work of steps has no saved form",
};

/* ---- by phase ---- */

static const struct tr_table_column phase_columns[] = {
    { "phase", TR_CELL_STRING, TR_ROLE_KEY, .label = true,
      .meaning = "prefill, decode, mixed or diffusion; empty: not known" },
    { "steps", TR_CELL_COUNT, TR_ROLE_COUNT, .main = true, .meaning = "steps of this phase" },
    { "requests", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .meaning = "mean of the requests in a step" },
    { "tokens", TR_CELL_COUNT, TR_ROLE_SUM, .main = true, .meaning = "tokens that the steps compute" },
    { "mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .main = true,
      .meaning = "mean of the times of the steps, with their work" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "median of these" },
    { "p99", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "99th percentile of these" },
    { "elapsed", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "length of the union of these times" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, .extra = true,
      .meaning = "sum over steps: union of the work that a step launches" },
    { "busy_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "busy", .per = "elapsed",
      .meaning = "of elapsed" },
    { "tokens_per_s", TR_CELL_RATIO, TR_ROLE_RATIO, 1, .main = true, .meaning = "tokens per second of elapsed" },
};

/* Sums over steps. */
struct sums {
    uint64_t steps;
    int64_t requests, tokens; /* -1: some step does not say */
    uint64_t busy;
    struct tr_union elapsed;
};
#define SUMS_INIT { .elapsed = TR_UNION_INIT }

/* Steps come by start. */
static void add(struct sums *s, const struct tr_step_row *r)
{
    int64_t requests = tr_step_number(r->at, TR_STEP_REQUESTS), tokens = tr_step_number(r->at, TR_STEP_TOKENS);
    s->steps++;
    s->requests = s->requests < 0 || requests < 0 || requests > INT64_MAX - s->requests ? -1 : s->requests + requests;
    s->tokens = s->tokens < 0 || tokens < 0 || tokens > INT64_MAX - s->tokens ? -1 : s->tokens + tokens;
    s->busy += r->busy.sum_ns;
    tr_union_add(&s->elapsed, r->start, r->end);
}

static double mean_requests(const struct sums *s)
{
    return s->requests < 0 ? NAN : (double)s->requests / (double)s->steps;
}

static double rate(const struct sums *s)
{
    return s->tokens < 0 || !s->elapsed.sum_ns ? NAN : (double)s->tokens * 1e9 / (double)s->elapsed.sum_ns;
}

/* The row of a phase, of the steps from first to end, which are those of a rank. */
static bool phase_row(struct tr_table *t, const struct tr_step_row *first, const struct tr_step_row *end,
                      unsigned phase)
{
    struct sums s = SUMS_INIT;
    struct tr_stats times = TR_STATS_INIT;
    struct tr_hist *h = tr_hist_new(0);
    bool ok = h != NULL;
    for (const struct tr_step_row *r = first; ok && r < end; r++) {
        if (r->at->about.phase != phase)
            continue;
        add(&s, r);
        tr_stats_add(&times, tr_step_row_time(r));
        ok = tr_hist_add(h, tr_step_row_time(r), 1);
    }
    if (ok && s.steps) {
        tr_hist_seal(h);
        tr_group_cells(t, TR_PER_RANK, &first->key);
        tr_table_string(t, tr_step_phase_name(phase));
        tr_table_count(t, s.steps);
        tr_table_ratio(t, mean_requests(&s));
        number(t, s.tokens);
        tr_table_time_f(t, tr_stats_mean(&times));
        tr_table_time_f(t, tr_hist_quantile(h, 1, 2));
        tr_table_time_f(t, tr_hist_quantile(h, 99, 100));
        tr_table_time(t, tr_time_of_length(s.elapsed.sum_ns));
        tr_table_time(t, tr_time_of_length(s.busy));
        tr_table_pct(t, tr_time_of_length(s.busy), tr_time_of_length(s.elapsed.sum_ns));
        tr_table_ratio(t, rate(&s));
    }
    tr_hist_free(h);
    return ok;
}

static enum tr_status phases_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct tr_step_work *w = state;
    enum tr_status st = tr_step_work_finish(w, err);
    for (size_t from = 0, to; st == TR_OK && from < w->n; from = to) {
        for (to = from; to < w->n && same_rank(&w->rows[from], &w->rows[to]);)
            to++;
        for (unsigned i = 1; st == TR_OK && i <= TR_N_STEP_PHASES; i++) /* the unknown one last */
            st = phase_row(t, &w->rows[from], &w->rows[to], i % TR_N_STEP_PHASES) ? tr_table_status(t, err)
                                                                                   : tr_fail_memory(err);
    }
    return st;
}

const struct tr_analysis tr_analysis_phase = {
    .name = "phase",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "phase", .y = { "mean" }, .facet = "rank" },
    .question = "How long do the steps of prefill and decode take, and how many tokens per second do they compute?",
    .nothing = "no step is selected",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    .needs = tr_step_work_needs,
    TR_OWN_COLUMNS(phase_columns),
    .start = start,
    .feed = feed,
    .finish = phases_finish,
    .free = release,
    .unsaved = "work of steps has no saved form",
};

/* ---- windows ---- */

static const struct tr_table_column window_columns[] = {
    { "window", TR_CELL_STRING, TR_ROLE_KEY, .label = true, .main = true, .meaning = "typical, decode or prefill" },
    { "first", TR_CELL_INT, TR_ROLE_TEXT, .main = true, .meaning = "number of its first step" },
    { "last", TR_CELL_INT, TR_ROLE_TEXT, .main = true, .meaning = "number of its last step" },
    { "prefill", TR_CELL_COUNT, TR_ROLE_SUM, .meaning = "its steps that only read prompts" },
    { "decode", TR_CELL_COUNT, TR_ROLE_SUM, .meaning = "its steps that only add tokens" },
    { "mixed", TR_CELL_COUNT, TR_ROLE_SUM, .meaning = "its steps that do both" },
    { "requests", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .meaning = "mean of the requests in a step" },
    { "tokens", TR_CELL_COUNT, TR_ROLE_SUM, .meaning = "tokens that its steps compute" },
    { "elapsed", TR_CELL_TIME, TR_ROLE_SUM, .main = true,
      .meaning = "time of its steps with their work; overlaps count once" },
    { "busy_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .extra = true, .meaning = "their work, of elapsed" },
    { "tokens_per_s", TR_CELL_RATIO, TR_ROLE_RATIO, 1, .main = true, .meaning = "tokens per second of elapsed" },
};

struct windows {
    struct tr_step_work w; /* first, because the functions above take it */
    size_t steps;          /* of a window */
};

enum window { TYPICAL, DECODE, PREFILL, N_WINDOWS };

/* What decides whether a window is chosen, of the steps in it. */
struct counts {
    uint64_t of[TR_N_STEP_PHASES];
    uint64_t requests, prompts; /* sums; a step that does not say counts as 0 */
};

static void count(struct counts *c, const struct tr_step_row *r, bool remove)
{
    int64_t requests = tr_step_number(r->at, TR_STEP_REQUESTS), prompts = tr_step_number(r->at, TR_STEP_C_TOKENS);
    uint64_t sign = remove ? UINT64_MAX : 1; /* modulo 2^64 */
    c->of[r->at->about.phase] += sign;
    c->requests += requests < 0 ? 0 : sign * (uint64_t)requests;
    c->prompts += prompts < 0 ? 0 : sign * (uint64_t)prompts;
}

static uint64_t prefills(const struct counts *c)
{
    return c->of[TR_STEP_PREFILL] + c->of[TR_STEP_MIXED];
}

/* Steps with prefill in n steps, against those of all steps, as a difference of products. */
static uint64_t far_from_typical(const struct counts *c, uint64_t n, const struct counts *all, uint64_t n_all)
{
    uint64_t x = prefills(c) * n_all, y = prefills(all) * n;
    return x > y ? x - y : y - x;
}

/* Is a window better than the best so far?  Of equal ones the first is taken. */
static bool better(enum window which, const struct counts *c, const struct counts *best, uint64_t n,
                   const struct counts *all, uint64_t n_all)
{
    if (which == TYPICAL) {
        uint64_t far = far_from_typical(c, n, all, n_all), min = far_from_typical(best, n, all, n_all);
        return far != min ? far < min : c->requests > best->requests;
    }
    if (which == DECODE)
        return c->requests > best->requests;
    if (c->prompts != best->prompts)
        return c->prompts > best->prompts;
    return prefills(c) > prefills(best);
}

static bool allowed(enum window which, const struct counts *c, uint64_t n)
{
    return which == TYPICAL || (which == DECODE ? c->of[TR_STEP_DECODE] == n : prefills(c) > 0);
}

/* The row of the best window among n steps. */
static void window_row(struct tr_table *t, const struct tr_step_row *rows, size_t n, size_t steps, enum window which)
{
    static const char *const names[] = { "typical", "decode", "prefill" };
    struct counts all = { 0 }, now = { 0 }, best = { 0 };
    size_t at = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        count(&all, &rows[i], false);
    for (size_t i = 0; i < n; i++) {
        count(&now, &rows[i], false);
        if (i >= steps)
            count(&now, &rows[i - steps], true);
        if (i + 1 >= steps && allowed(which, &now, steps) &&
            (at == SIZE_MAX || better(which, &now, &best, steps, &all, n))) {
            best = now;
            at = i + 1 - steps;
        }
    }
    if (at == SIZE_MAX)
        return;
    struct sums s = SUMS_INIT;
    for (size_t i = at; i < at + steps; i++)
        add(&s, &rows[i]);
    tr_group_cells(t, TR_PER_RANK, &rows->key);
    tr_table_string(t, names[which]);
    tr_table_int(t, rows[at].at->number);
    tr_table_int(t, rows[at + steps - 1].at->number);
    tr_table_count(t, best.of[TR_STEP_PREFILL]);
    tr_table_count(t, best.of[TR_STEP_DECODE]);
    tr_table_count(t, best.of[TR_STEP_MIXED]);
    tr_table_ratio(t, mean_requests(&s));
    number(t, s.tokens);
    tr_table_time(t, tr_time_of_length(s.elapsed.sum_ns));
    tr_table_pct(t, tr_time_of_length(s.busy), tr_time_of_length(s.elapsed.sum_ns));
    tr_table_ratio(t, rate(&s));
}

static enum tr_status windows_start(const struct tr_analysis_in *in, const void *options, void **state,
                                    struct tr_error *err)
{
    struct windows *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->steps = (size_t)((const struct tr_window_options *)options)->steps;
    return tr_step_work_start(&s->w, in, err);
}

static enum tr_status windows_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct windows *s = state;
    struct tr_step_work *w = &s->w;
    enum tr_status st = tr_step_work_finish(w, err);
    for (size_t from = 0, to; st == TR_OK && from < w->n; from = to) {
        for (to = from; to < w->n && same_rank(&w->rows[from], &w->rows[to]);)
            to++;
        for (unsigned i = 0; to - from >= s->steps && i < N_WINDOWS; i++)
            window_row(t, &w->rows[from], to - from, s->steps, (enum window)i);
        st = tr_table_status(t, err);
    }
    return st;
}

static const struct tr_window_options window_defaults = TR_WINDOW_DEFAULTS;
static const struct tr_option window_options[] = {
    { 0, "steps", "N", TR_OPTION_U64, offsetof(struct tr_window_options, steps), .lo = 1, .hi = INT64_MAX,
      .help = "number of steps in a row [32]" },
    { 0 },
};

const struct tr_analysis tr_analysis_window = {
    .name = "window",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "window", .y = { "tokens_per_s" }, .facet = "rank" },
    .question = "Which steps in a row are typical of the run, of decode or of prefill?",
    .nothing = "no rank has as many selected steps as a window",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    TR_OPTIONS(window_options, window_defaults),
    .needs = tr_step_work_needs,
    TR_OWN_COLUMNS(window_columns),
    .start = windows_start,
    .feed = feed,
    .finish = windows_finish,
    .free = release,
    .unsaved = "work of steps has no saved form",
};
