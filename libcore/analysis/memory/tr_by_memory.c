/* SPDX-License-Identifier: MIT */
/* Device memory: over time, at its peak, at the end, and in sum. */
#include "analysis/memory/tr_memory_analyses.h"
#include "model/selection/tr_select.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct memory_state {
    struct tr_analysis_in in;
    struct tr_memory *memory;
    struct tr_table *t; /* while changes are written */
};

static void release(void *state)
{
    struct memory_state *s = state;
    tr_memory_free(s->memory);
}

static enum tr_status start(const struct tr_analysis_in *in, enum tr_memory_by by, tr_memory_change_fn *change,
                            void *state, struct tr_error *err)
{
    struct memory_state *s = state;
    s->in = *in;
    const struct tr_memory_opts opts = { .by = by,
                                         .per_step = in->grouped && in->work.per == TR_PER_STEP,
                                         .suspect = in->work.suspect,
                                         .timed = in->select && tr_select_timed(in->select),
                                         .change = change,
                                         .change_self = s };
    s->memory = tr_memory_new(&opts, in->dict, in->summary);
    return s->memory ? TR_OK : tr_fail_memory(err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct memory_state *s = state;
    s->t = t;
    return tr_memory_feed(s->memory, b, keep, err);
}

static const char *why(const void *state)
{
    const struct memory_state *s = state;
    const struct tr_summary *sum = s->in.summary;
    for (size_t i = 0; sum && i < sum->n; i++)
        if (sum->sources[i].n_activity[TR_ACT_MEMORY_INSTANT])
            return "no event about memory is selected";
    return "no event about memory: PyTorch's profiler writes them with profile_memory=True";
}

/* ---- rows ---- */

/* The pool of a row, and a time, as they are printed. */
struct place {
    int64_t rank, ts; /* ts: as in its file */
    char number[24];
    struct tr_str device;
};

static void set_place(struct place *at, const struct tr_dict *d, const struct tr_memory_pool *p, int64_t ts)
{
    at->rank = p->rank >= 0 ? p->rank : TR_I64_NONE;
    at->ts = ts == TR_TIME_NONE ? ts : tr_source_to_file(&d->sources[p->source], ts);
    snprintf(at->number, sizeof at->number, "%" PRId64, p->device);
    at->device = tr_str_of(p->host ? "host" : p->device == TR_MEMORY_NONE ? NULL : at->number);
}

/* ---- one time: changes, peak, end ---- */

struct moment {
    struct place at;
    struct tr_memory_row r;
};

static const struct tr_table_column row_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct moment, at.rank), .meaning = "the rank" },
    { "ts", TR_CELL_TIME, TR_ROLE_TIME, TR_OF(struct moment, at.ts), .meaning = "time, as in its file" },
    { "device", TR_CELL_STRING, TR_ROLE_GROUP, TR_OF(struct moment, at.device),
      .meaning = "number of the device; or host" },
    { "category", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct moment, r.category), .names = true,
      .meaning = "category of the memory, or the span that allocated it" },
    { "allocated_bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct moment, r.allocated), .unit = "bytes",
      .meaning = "bytes allocated at that time in this category" },
    { "reserved_bytes", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct moment, r.reserved), .unit = "bytes",
      .meaning = "bytes that the allocator had reserved on the device" },
    { "total_bytes", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct moment, r.total), .unit = "bytes",
      .meaning = "bytes allocated at that time in all categories" },
};
static const struct tr_table_column share_columns[] = {
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, TR_OF(struct moment, r.total), .unit = "%", .of = "allocated_bytes",
      .meaning = "share of the total" },
    { "allocations", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct moment, r.n_allocations),
      .meaning = "number of allocations of the trace that were not freed by then" },
};

static void put_moment(struct tr_table *t, const struct tr_dict *d, const struct tr_memory_row *r)
{
    struct moment row = { .r = *r };
    set_place(&row.at, d, &r->pool, r->ts);
    tr_table_row(t, &(struct tr_row){ .row = &row });
}

static void columns_of_series(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_table_columns(t, row_columns, sizeof row_columns / sizeof *row_columns);
}

static void columns_of_moment(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    columns_of_series(in, options, t);
    tr_table_columns(t, share_columns, sizeof share_columns / sizeof *share_columns);
}

static enum tr_status write_change(void *self, const struct tr_memory_row *row, struct tr_error *err)
{
    struct memory_state *s = self;
    tr_analysis_at(&s->in, row->pool.source, row->ts, TR_TIME_NONE);
    put_moment(s->t, s->in.dict, row);
    return tr_table_status(s->t, err);
}

static enum tr_status start_series(const struct tr_analysis_in *in, const void *options, void *state,
                                   struct tr_error *err)
{
    const struct tr_memory_options *o = options;
    return start(in, o->by, write_change, state, err);
}

static enum tr_status start_moment(const struct tr_analysis_in *in, const void *options, void *state,
                                   struct tr_error *err)
{
    const struct tr_memory_options *o = options;
    return start(in, o->by, NULL, state, err);
}

static enum tr_status finish_series(void *state, struct tr_table *t, struct tr_error *err)
{
    struct memory_state *s = state;
    s->t = t;
    return tr_memory_finish(s->memory, err);
}

static enum tr_status finish_moment(struct memory_state *s, bool peak, struct tr_table *t, struct tr_error *err)
{
    const struct tr_memory_row *rows;
    size_t n;
    enum tr_status st = tr_memory_finish(s->memory, err);
    if (st == TR_OK)
        st = peak ? tr_memory_peak(s->memory, &rows, &n, err) : tr_memory_end(s->memory, &rows, &n, err);
    for (size_t i = 0; st == TR_OK && i < n; i++)
        put_moment(t, s->in.dict, &rows[i]);
    return st;
}

static enum tr_status finish_peak(void *state, struct tr_table *t, struct tr_error *err)
{
    return finish_moment(state, true, t, err);
}

static enum tr_status finish_end(void *state, struct tr_table *t, struct tr_error *err)
{
    return finish_moment(state, false, t, err);
}

static const char *const key_names[] = { "category", "operator", "top-operator", "annotation", "all", NULL };
static const struct tr_memory_options defaults = { .by = TR_MEMORY_CATEGORY };
static const struct tr_option settings[] = {
    { 0, "key", "KEY", TR_OPTION_CHOICE, offsetof(struct tr_memory_options, by), .choices = key_names, .hidden = true },
    { 0 },
};

/* A view of memory: its name, question, groups, columns, functions and saved form. */
#define MEMORY(id, name_of, question_of, groups_of, columns_of, start_of, finish_of, saving_of, ...)      \
    const struct tr_analysis tr_analysis_memory_##id = {                                                  \
        .name = name_of,                                                                                  \
        .question = question_of,                                                                          \
        .nothing = "no event about memory",                                                               \
        .groups = groups_of,                                                                              \
        .group = TR_PER_DEVICE,                                                                           \
        .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME),                             \
                             TR_KEYS("Bytes", "Addr", "Total Allocated", "Total Reserved", "Device Type", \
                                     "Device Id", "Category") },                                          \
                   .host = true },                                                                        \
        .columns = columns_of,                                                                            \
        .state_size = sizeof(struct memory_state),                                                        \
        .start = start_of,                                                                                \
        .feed = feed,                                                                                     \
        .finish = finish_of,                                                                              \
        .why = why,                                                                                       \
        .free = release,                                                                                  \
        .saving = &saving_of,                                                                             \
        __VA_ARGS__                                                                                       \
    }

MEMORY(series, "series", "How much device memory was allocated over time?", TR_PER_BIT(TR_PER_DEVICE),
       columns_of_series, start_series, finish_series, tr_saving_times, TR_OPTIONS(settings, defaults),
       .chart = &(const struct tr_chart){ TR_CHART_STEP, .x = "ts", .y = { "allocated_bytes" }, .series = "category",
                                          .facet = "device", .stacked = true });

MEMORY(peak, "peak", "What was allocated at the peak?", TR_PER_BIT(TR_PER_DEVICE), columns_of_moment, start_moment,
       finish_peak, tr_saving_ranks, TR_OPTIONS(settings, defaults),
       .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "category", .y = { "allocated_bytes" },
                                          .facet = "device" });

MEMORY(end, "end", "What is still allocated at the end?", TR_PER_BIT(TR_PER_DEVICE), columns_of_moment, start_moment,
       finish_end, tr_saving_ranks, TR_OPTIONS(settings, defaults),
       .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "category", .y = { "allocated_bytes" },
                                          .facet = "device" });

/* ---- sums ---- */

struct sum {
    struct place at;
    struct tr_memory_sum s;
    int64_t n_live, n_unmatched; /* TR_I64_NONE: not known, as s.live */
};

static const struct tr_table_column pool_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct sum, at.rank), .meaning = "the rank" },
    { "device", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct sum, at.device), .meaning = "number of the device; or host" },
};
static const struct tr_table_column step_column = { "step", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct sum, s.step),
                                                    .meaning = "the step" };
static const struct tr_table_column sum_columns[] = {
    { "allocations", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct sum, s.n_allocs), .meaning = "how many" },
    { "frees", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct sum, s.n_frees), .meaning = "how many" },
    { "allocated_bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct sum, s.allocated), .extra = true, .unit = "bytes",
      .meaning = "sum of all allocations" },
    { "freed_bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct sum, s.freed), .extra = true, .unit = "bytes",
      .meaning = "sum of all frees" },
    { "largest_bytes", TR_CELL_INT, TR_ROLE_MAX, TR_OF(struct sum, s.largest), .extra = true, .unit = "bytes",
      .meaning = "the largest allocation" },
    { "start_bytes", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct sum, s.start), .extra = true, .unit = "bytes",
      .meaning = "bytes allocated before the first event" },
    { "end_bytes", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct sum, s.end), .extra = true, .unit = "bytes",
      .meaning = "bytes allocated after the last event" },
    { "growth_bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct sum, s.growth), .unit = "bytes",
      .meaning = "end minus start" },
    { "peak_bytes", TR_CELL_INT, TR_ROLE_MAX, TR_OF(struct sum, s.peak), .unit = "bytes",
      .meaning = "maximum of the allocated bytes" },
    { "peak", TR_CELL_TIME, TR_ROLE_TEXT, TR_OF(struct sum, at.ts),
      .meaning = "time when that was reached first, as in its file" },
    { "max_reserved_bytes", TR_CELL_INT, TR_ROLE_MAX, TR_OF(struct sum, s.reserved), .extra = true, .unit = "bytes",
      .meaning = "maximum of the bytes that the allocator had reserved on the device" },
    { "max_unused_bytes", TR_CELL_INT, TR_ROLE_MAX, TR_OF(struct sum, s.unused), .extra = true, .unit = "bytes",
      .meaning = "largest difference of reserved and allocated bytes" },
    { "live", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct sum, n_live),
      .meaning = "number of allocations that are not freed in the trace" },
    { "live_bytes", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct sum, s.live), .extra = true, .unit = "bytes",
      .meaning = "sum of their sizes" },
    { "unmatched_frees", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct sum, n_unmatched), .quiet = TR_QUIET_0,
      .meaning = "number of frees of memory that was not allocated in the trace" },
};

static void columns_of_sums(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_table_columns(t, pool_columns, sizeof pool_columns / sizeof *pool_columns);
    if (in->grouped && in->work.per == TR_PER_STEP)
        tr_table_columns(t, &step_column, 1);
    tr_table_columns(t, sum_columns, sizeof sum_columns / sizeof *sum_columns);
}

static void put_sum(struct tr_table *t, const struct tr_dict *d, const struct tr_memory_sum *s)
{
    struct sum row = { .s = *s, .n_live = TR_I64_NONE, .n_unmatched = TR_I64_NONE };
    set_place(&row.at, d, &s->pool, s->peak_ts);
    if (s->addresses) {
        row.n_live = (int64_t)s->n_live;
        row.n_unmatched = (int64_t)s->n_unmatched;
    } else {
        row.s.live = TR_I64_NONE;
    }
    tr_table_row(t, &(struct tr_row){ .row = &row });
}

static enum tr_status start_sums(const struct tr_analysis_in *in, const void *options, void *state,
                                 struct tr_error *err)
{
    (void)options;
    return start(in, TR_MEMORY_CATEGORY, NULL, state, err);
}

static enum tr_status finish_sums(void *state, struct tr_table *t, struct tr_error *err)
{
    struct memory_state *s = state;
    const struct tr_memory_sum *rows;
    size_t n;
    enum tr_status st = tr_memory_finish(s->memory, err);
    if (st == TR_OK)
        st = tr_memory_sums(s->memory, &rows, &n, err);
    for (size_t i = 0; st == TR_OK && i < n; i++)
        put_sum(t, s->in.dict, &rows[i]);
    return st;
}

MEMORY(summary, "summary", "How much memory was allocated and freed, and how much was the peak?",
       TR_PER_BIT(TR_PER_DEVICE) | TR_PER_BIT(TR_PER_STEP), columns_of_sums, start_sums, finish_sums, tr_saving_ranks,
       .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "device", .y = { "peak_bytes", "max_reserved_bytes" },
                                          .facet = "rank" });
