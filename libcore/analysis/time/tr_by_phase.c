/* SPDX-License-Identifier: MIT */
/* Steps of inference: one by one, by phase, and runs of them that are typical of a phase. */
#include "analysis/time/tr_step_work.h"
#include "analysis/time/tr_time_analyses.h"
#include "engine/tr_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct steps {
    struct tr_rows *rows; /* first: tr_rows_first */
    struct tr_step_work *w; /* owner: the run */
    size_t window; /* steps in one */
};

static enum tr_status start(const struct tr_analysis_in *in, const struct tr_row_type *type, void *state,
                            struct tr_error *err)
{
    struct steps *s = state;
    enum tr_status st = tr_step_work_shared(in, &s->w, err);
    if (st == TR_OK && !(s->rows = tr_rows_new(type, in, &s->w->work, false)))
        return tr_fail_memory(err);
    return st;
}

static void release(void *state)
{
    struct steps *s = state;
    tr_rows_free(s->rows);
}

/* Make rows of the n steps of a rank, the group of this number.  False: out of memory. */
typedef bool make_rows(struct steps *s, uint32_t group, const struct tr_step_row *steps, size_t n);

static enum tr_status complete(struct steps *s, make_rows *make, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    const struct tr_step_row *r = s->w->rows;
    for (size_t from = 0, to; st == TR_OK && from < s->w->n; from = to) {
        uint32_t group;
        for (to = from; to < s->w->n && r[to].key.rank == r[from].key.rank && r[to].key.capture == r[from].key.capture;)
            to++;
        if (!tr_group_by_key_group(&s->w->work, &r[from].key, &group) || !make(s, group, r + from, to - from))
            st = tr_fail_memory(err);
    }
    return st;
}

/* A number of a step, or of several. */
static int64_t known(int64_t number)
{
    return number < 0 ? TR_I64_NONE : number;
}

/* The steps of a rank depend on each other. */
#define SAVING(table)                                                           \
    {                                                                           \
        .version = 1, .whole_ranks = true, .tables = &(table), .n_tables = 1    \
    }

/* ---- one by one ---- */

enum { N_PARTS = TR_N_STEP_NUMBERS - TR_STEP_C_REQUESTS };

struct step {
    uint32_t group, phase;
    int64_t place; /* in the order of the rank */
    int64_t number, start, requests, tokens, time, dur, busy, idle;
    uint64_t work;
    int64_t parts[N_PARTS];
};

#define PART(title, number, what)                                                                            \
    {                                                                                                        \
        title, TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct step, parts[number]), .extra = true, .meaning = what \
    }
static const struct tr_table_column step_columns[] = {
    { "place", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct step, place) }, /* not printed */
    { "step", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct step, number), .meaning = "number of the step" },
    { "start", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct step, start), .label = true, .extra = true,
      .meaning = "when the host starts it, as in the file" },
    { "phase", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct step, phase), .word = tr_step_phase_name,
      .n_words = TR_N_STEP_PHASES, .main = true, .meaning = "prefill, decode, mixed or diffusion" },
    { "requests", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct step, requests), .main = true,
      .meaning = "requests in its batch" },
    { "tokens", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct step, tokens), .main = true,
      .meaning = "tokens that it computes" },
    { "time", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct step, time), .main = true,
      .meaning = "from its start to its end, or to the end of its last work" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct step, dur), .meaning = "how long it takes on the host" },
    { "work", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct step, work),
      .meaning = "kernels, copies and memsets that it launches" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct step, busy), .meaning = "length of the union of this work" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct step, idle), .meaning = "time without any of this work" },
    { "idle_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .extra = true, .unit = "%", .of = "idle", .per = "time",
      .meaning = "share of its time" },
    PART("c_requests", 0, "requests whose prompt is processed"),
    PART("g_requests", 1, "requests that get another token"),
    PART("c_sq", 2, "tokens of prompts"),
    PART("c_sk", 3, "keys that these read"),
    PART("c_sqsq", 4, "sum of the squares of the tokens of prompts"),
    PART("c_sqsk", 5, "sum of tokens times keys"),
    PART("g_sq", 6, "new tokens"),
    PART("g_sk", 7, "keys that these read"),
    PART("g_sqsq", 8, "sum of the squares of the new tokens"),
    PART("g_sqsk", 9, "sum of new tokens times keys"),
};

static const struct tr_row_type step_type = {
    .name = "steps",
    .size = sizeof(struct step),
    .key_size = offsetof(struct step, number),
    .columns = step_columns,
    .n_columns = sizeof step_columns / sizeof *step_columns,
    .order = "place",
};

static bool make_steps(struct steps *s, uint32_t group, const struct tr_step_row *steps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct tr_step_row *r = &steps[i];
        int64_t time = tr_step_row_time(r), busy = (int64_t)r->busy.sum_ns;
        struct step row = { .group = group,
                            .phase = r->at->about.phase,
                            .place = (int64_t)i,
                            .number = r->at->number,
                            .start = tr_source_to_file(&s->w->in.dict->sources[r->source], r->at->start),
                            .requests = known(tr_step_number(r->at, TR_STEP_REQUESTS)),
                            .tokens = known(tr_step_number(r->at, TR_STEP_TOKENS)),
                            .time = time,
                            .dur = r->at->end - r->at->start,
                            .busy = busy,
                            .idle = busy < time ? time - busy : 0,
                            .work = r->pieces };
        for (unsigned k = 0; k < N_PARTS; k++)
            row.parts[k] = known(tr_step_number(r->at, TR_STEP_C_REQUESTS + k));
        struct step *to = tr_rows_at(s->rows, &row);
        if (!to)
            return false;
        *to = row;
    }
    return true;
}

static enum tr_status step_start(const struct tr_analysis_in *in, const void *options, void *state,
                                 struct tr_error *err)
{
    (void)options;
    return start(in, &step_type, state, err);
}

static enum tr_status step_complete(void *state, struct tr_error *err)
{
    return complete(state, make_steps, err);
}

static const struct tr_saved_table saved_steps = { .rows = &step_type };
static const struct tr_saving step_saving = SAVING(saved_steps);

const struct tr_analysis tr_analysis_inference = {
    .name = "inference",
    .chart = &(const struct tr_chart){ TR_CHART_SCATTER, .x = "tokens", .y = { "time" }, .series = "phase",
                                       .facet = "rank" },
    .question = "What did each step of an inference engine compute, and how long did it take with its work?",
    .nothing = "no step is selected",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    .more = tr_step_work_needs,
    .own_columns = step_columns + 1,
    .n_columns = sizeof step_columns / sizeof *step_columns - 1,
    .state_size = sizeof(struct steps),
    .start = step_start,
    .complete = step_complete,
    .rows = tr_rows_first,
    .free = release,
    .saving = &step_saving,
};

/* ---- sums over steps ---- */

struct sums {
    int64_t requests, tokens; /* -1: some step does not say */
    uint64_t busy;
    struct tr_union elapsed;
};
#define SUMS_INIT                \
    {                            \
        .elapsed = TR_UNION_INIT \
    }

/* Steps come by start. */
static void add(struct sums *s, const struct tr_step_row *r)
{
    int64_t requests = tr_step_number(r->at, TR_STEP_REQUESTS), tokens = tr_step_number(r->at, TR_STEP_TOKENS);
    s->requests = s->requests < 0 || requests < 0 || requests > INT64_MAX - s->requests ? -1 : s->requests + requests;
    s->tokens = s->tokens < 0 || tokens < 0 || tokens > INT64_MAX - s->tokens ? -1 : s->tokens + tokens;
    s->busy += r->busy.sum_ns;
    tr_union_add(&s->elapsed, r->start, r->end);
}

/* What rows have of them. */
struct figures {
    int64_t requests, tokens, busy, elapsed; /* TR_I64_NONE: not known */
    double mean_requests, busy_pct, rate;
};

static struct figures figures_of(const struct sums *s)
{
    return (struct figures){ .requests = known(s->requests),
                             .tokens = known(s->tokens),
                             .busy = tr_time_of_length(s->busy),
                             .elapsed = tr_time_of_length(s->elapsed.sum_ns) };
}

static void complete_figures(struct figures *f, uint64_t steps)
{
    bool timed = f->elapsed > 0;
    f->mean_requests = f->requests < 0 ? NAN : (double)f->requests / (double)steps;
    f->busy_pct = timed && f->busy != TR_TIME_NONE ? 100.0 * (double)f->busy / (double)f->elapsed : NAN;
    f->rate = timed && f->tokens >= 0 ? (double)f->tokens * 1e9 / (double)f->elapsed : NAN;
}

/* Saved, not printed. */
#define REQUESTS(type)                                                      \
    {                                                                       \
        "all_requests", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(type, f.requests) \
    }
#define BUSY(type)                                                                             \
    {                                                                                          \
        "busy", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(type, f.busy),                                \
            .extra = true, .meaning = "sum over steps: union of the work that a step launches" \
    }

/* ---- by phase ---- */

struct phase {
    uint32_t group, phase; /* by its place: the unknown one is last */
    uint64_t steps;
    struct tr_sample times;
    struct figures f;
};

static const char *phase_at(unsigned place)
{
    return tr_step_phase_name((place + 1) % TR_N_STEP_PHASES);
}

static const struct tr_table_column phase_columns[] = {
    REQUESTS(struct phase),
    { "phase", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct phase, phase), .word = phase_at, .n_words = TR_N_STEP_PHASES,
      .label = true, .meaning = "prefill, decode, mixed or diffusion; empty: not known" },
    { "steps", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct phase, steps), .main = true,
      .meaning = "steps of this phase" },
    { "requests", TR_CELL_RATIO, TR_ROLE_MEAN, 2, TR_OF(struct phase, f.mean_requests), .per = "steps",
      .meaning = "mean of the requests in a step" },
    { "tokens", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct phase, f.tokens), .main = true,
      .meaning = "tokens that the steps compute" },
    { "mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct phase, times), .per = "steps", .main = true,
      .meaning = "mean of the times of the steps, with their work" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct phase, times), .percent = 50, .meaning = "median of these" },
    { "p99", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct phase, times), .percent = 99,
      .meaning = "99th percentile of these" },
    { "elapsed", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct phase, f.elapsed), .extra = true,
      .meaning = "length of the union of these times" },
    BUSY(struct phase),
    { "busy_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "busy", .per = "elapsed",
      .meaning = "of elapsed" },
    { "tokens_per_s", TR_CELL_RATIO, TR_ROLE_RATIO, 1, TR_OF(struct phase, f.rate), .main = true,
      .meaning = "tokens per second of elapsed" },
};

static const struct tr_row_type phase_type = {
    .name = "phases",
    .size = sizeof(struct phase),
    .key_size = offsetof(struct phase, steps),
    .columns = phase_columns,
    .n_columns = sizeof phase_columns / sizeof *phase_columns,
    .order = "phase",
};

static bool make_phases(struct steps *s, uint32_t group, const struct tr_step_row *steps, size_t n)
{
    struct sums sums[TR_N_STEP_PHASES];
    struct phase *row;
    for (unsigned p = 0; p < TR_N_STEP_PHASES; p++)
        sums[p] = (struct sums)SUMS_INIT;
    for (size_t i = 0; i < n; i++) {
        unsigned phase = steps[i].at->about.phase, place = (phase + TR_N_STEP_PHASES - 1) % TR_N_STEP_PHASES;
        row = tr_rows_at(s->rows, (const uint32_t[]){ group, place });
        if (!row || !tr_sample_add(&row->times, tr_step_row_time(&steps[i])))
            return false;
        add(&sums[phase], &steps[i]);
        row->steps++;
        row->f = figures_of(&sums[phase]);
    }
    return true;
}

static enum tr_status phase_start(const struct tr_analysis_in *in, const void *options, void *state,
                                  struct tr_error *err)
{
    (void)options;
    return start(in, &phase_type, state, err);
}

static enum tr_status phase_complete(void *state, struct tr_error *err)
{
    struct steps *s = state;
    enum tr_status st = complete(s, make_phases, err);
    for (size_t i = 0; i < tr_rows_count(s->rows); i++) {
        struct phase *row = tr_rows_get(s->rows, i);
        complete_figures(&row->f, row->steps);
    }
    return st;
}

static const struct tr_saved_table saved_phases = { .rows = &phase_type };
static const struct tr_saving phase_saving = SAVING(saved_phases);

const struct tr_analysis tr_analysis_phase = {
    .name = "phase",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "phase", .y = { "mean" }, .facet = "rank" },
    .question = "How long do the steps of prefill and decode take, and how many tokens per second do they compute?",
    .nothing = "no step is selected",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    .more = tr_step_work_needs,
    .own_columns = phase_columns + 1,
    .n_columns = sizeof phase_columns / sizeof *phase_columns - 1,
    .state_size = sizeof(struct steps),
    .start = phase_start,
    .complete = phase_complete,
    .rows = tr_rows_first,
    .free = release,
    .saving = &phase_saving,
};

/* ---- windows ---- */

enum window { TYPICAL, DECODE, PREFILL, N_WINDOWS };

static const char *window_name(unsigned which)
{
    static const char *const names[N_WINDOWS] = { "typical", "decode", "prefill" };
    return names[which];
}

struct window_row {
    uint32_t group, which;
    int64_t first, last; /* numbers of steps */
    uint64_t prefill, decode, mixed;
    struct figures f;
};

static const struct tr_table_column window_columns[] = {
    REQUESTS(struct window_row),
    BUSY(struct window_row),
    { "window", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct window_row, which), .word = window_name, .n_words = N_WINDOWS,
      .label = true, .main = true, .meaning = "typical, decode or prefill" },
    { "first", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct window_row, first), .main = true,
      .meaning = "number of its first step" },
    { "last", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct window_row, last), .main = true,
      .meaning = "number of its last step" },
    { "prefill", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct window_row, prefill),
      .meaning = "its steps that only read prompts" },
    { "decode", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct window_row, decode),
      .meaning = "its steps that only add tokens" },
    { "mixed", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct window_row, mixed), .meaning = "its steps that do both" },
    { "requests", TR_CELL_RATIO, TR_ROLE_RATIO, 2, TR_OF(struct window_row, f.mean_requests),
      .meaning = "mean of the requests in a step" },
    { "tokens", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct window_row, f.tokens),
      .meaning = "tokens that its steps compute" },
    { "elapsed", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct window_row, f.elapsed), .main = true,
      .meaning = "time of its steps with their work; overlaps count once" },
    { "busy_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, TR_OF(struct window_row, f.busy_pct), .unit = "%", .extra = true,
      .meaning = "their work, of elapsed" },
    { "tokens_per_s", TR_CELL_RATIO, TR_ROLE_RATIO, 1, TR_OF(struct window_row, f.rate), .main = true,
      .meaning = "tokens per second of elapsed" },
};
enum { N_WINDOW_COLUMNS = sizeof window_columns / sizeof *window_columns, WINDOW_PRINTED = 2 };

static const struct tr_row_type window_type = {
    .name = "windows",
    .size = sizeof(struct window_row),
    .key_size = offsetof(struct window_row, first),
    .columns = window_columns,
    .n_columns = N_WINDOW_COLUMNS,
    .order = "window",
};

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

/* The first step of the best window among n steps; SIZE_MAX: there is none. */
static size_t best_window(const struct tr_step_row *rows, size_t n, size_t steps, enum window which,
                          struct counts *best)
{
    struct counts all = { 0 }, now = { 0 };
    size_t at = SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        count(&all, &rows[i], false);
    for (size_t i = 0; i < n; i++) {
        count(&now, &rows[i], false);
        if (i >= steps)
            count(&now, &rows[i - steps], true);
        if (i + 1 >= steps && allowed(which, &now, steps) &&
            (at == SIZE_MAX || better(which, &now, best, steps, &all, n))) {
            *best = now;
            at = i + 1 - steps;
        }
    }
    return at;
}

static bool make_windows(struct steps *s, uint32_t group, const struct tr_step_row *steps, size_t n)
{
    for (uint32_t which = 0; n >= s->window && which < N_WINDOWS; which++) {
        struct counts best = { 0 };
        struct sums sums = SUMS_INIT;
        size_t at = best_window(steps, n, s->window, (enum window)which, &best);
        struct window_row *row = at == SIZE_MAX ? NULL : tr_rows_at(s->rows, (const uint32_t[]){ group, which });
        if (at == SIZE_MAX)
            continue;
        if (!row)
            return false;
        for (size_t i = at; i < at + s->window; i++)
            add(&sums, &steps[i]);
        *row = (struct window_row){ .group = group,
                                    .which = which,
                                    .first = steps[at].at->number,
                                    .last = steps[at + s->window - 1].at->number,
                                    .prefill = best.of[TR_STEP_PREFILL],
                                    .decode = best.of[TR_STEP_DECODE],
                                    .mixed = best.of[TR_STEP_MIXED],
                                    .f = figures_of(&sums) };
    }
    return true;
}

static enum tr_status window_start(const struct tr_analysis_in *in, const void *options, void *state,
                                   struct tr_error *err)
{
    ((struct steps *)state)->window = (size_t)((const struct tr_window_options *)options)->steps;
    return start(in, &window_type, state, err);
}

static enum tr_status window_complete(void *state, struct tr_error *err)
{
    struct steps *s = state;
    enum tr_status st = complete(s, make_windows, err);
    for (size_t i = 0; i < tr_rows_count(s->rows); i++)
        complete_figures(&((struct window_row *)tr_rows_get(s->rows, i))->f, s->window);
    return st;
}

static const struct tr_saved_table saved_windows = { .rows = &window_type };
static const struct tr_saving window_saving = SAVING(saved_windows);

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
    .more = tr_step_work_needs,
    .own_columns = window_columns + WINDOW_PRINTED,
    .n_columns = N_WINDOW_COLUMNS - WINDOW_PRINTED,
    .state_size = sizeof(struct steps),
    .start = window_start,
    .complete = window_complete,
    .rows = tr_rows_first,
    .free = release,
    .saving = &window_saving,
};
