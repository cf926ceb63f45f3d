/* SPDX-License-Identifier: MIT */
/* Hardware counters of kernels, operators and their stacks. */
#include "analysis/tr_analyses.h"

#include <inttypes.h>
#include <stdlib.h>

struct state {
    struct tr_analysis_in in;
    const struct tr_metrics_options *options;
    struct tr_metrics *metrics;
    bool told; /* that there are no counters */
};

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->host = true;
    n->want.fixed = TR_FIXED_ALL;
    n->want.all_packed = true; /* which keys are counters is known only from the ranges */
}

/* ---- columns ---- */

static const struct tr_table_column rank_column = { "rank", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "the rank" };
static const struct tr_table_column range_columns[] = {
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, .meaning = "the range's place in its file" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "the kernel" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "when it starts, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "its duration" },
    { "launch_record", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "the launch's place in its file" },
    { "op_stack", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true,
      .meaning = "operators around the launch, outermost first" },
    { "top_op", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "the outermost of them" },
    { "bottom_op", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true, .names = true, .meaning = "the innermost of them" },
};
static const struct tr_table_column count_column = { "count", TR_CELL_COUNT, TR_ROLE_COUNT,
                                                     .meaning = "ranges that are added up" };

static void counter_columns(const struct tr_metrics *m, struct tr_table *t)
{
    const char *name;
    bool real;
    for (size_t k = 0; (name = tr_metrics_counter(m, k, &real)) != NULL; k++) {
        const struct tr_table_column counter = { name, real ? TR_CELL_DOUBLE : TR_CELL_INT, TR_ROLE_SUM,
                                                 .meaning = "a counter of the trace" };
        tr_table_columns(t, &counter, 1);
    }
}

static void columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    static const char *const meanings[] = {
        [TR_METRICS_KERNEL] = "the kernel",
        [TR_METRICS_OPERATOR] = "the innermost operator around the launch",
        [TR_METRICS_STACK] = "operators around the launch, outermost first",
    };
    const struct tr_metrics_options *o = options;
    (void)in;
    tr_table_columns(t, &rank_column, 1);
    if (o->by == TR_METRICS_RANGE) {
        tr_table_columns(t, range_columns, sizeof range_columns / sizeof *range_columns);
    } else {
        const struct tr_table_column key = { o->by == TR_METRICS_STACK ? "op_stack" : "name", TR_CELL_STRING,
                                             TR_ROLE_KEY, .names = o->by != TR_METRICS_STACK,
                                             .meaning = meanings[o->by] };
        tr_table_columns(t, &key, 1);
        tr_table_columns(t, &count_column, 1);
    }
}

/* ---- rows ---- */

static bool stack_cell(struct tr_table *t, const struct tr_dict *d, const struct tr_metrics_row *r)
{
    struct tr_buf text = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < r->n_stack; i++)
        ok = tr_buf_add_str(&text, i ? "|" : "") &&
             tr_buf_add_text(&text, tr_dict_text(d, r->stack[i]));
    if (r->n_stack)
        tr_table_bytes(t, (const char *)text.data, text.len);
    else
        tr_table_absent(t);
    tr_buf_free(&text);
    return ok;
}

static void op_cell(struct tr_table *t, const struct tr_dict *d, const struct tr_metrics_row *r,
                    size_t number)
{
    tr_table_text(t, tr_dict_text_if(d, number < r->n_stack ? r->stack[number] : TR_NO_STR));
}

static bool range_cells(struct tr_table *t, const struct tr_dict *d, const struct tr_metrics_row *r)
{
    tr_table_count(t, r->record);
    tr_table_text(t, tr_dict_text(d, r->name));
    tr_table_time(t, tr_source_to_file(&d->sources[r->source], r->ts));
    tr_table_time(t, r->dur);
    if (r->launched)
        tr_table_count(t, r->launch);
    else
        tr_table_absent(t);
    bool ok = stack_cell(t, d, r);
    op_cell(t, d, r, 0);
    op_cell(t, d, r, r->n_stack - 1);
    return ok;
}

static bool sum_cells(struct tr_table *t, const struct tr_dict *d, enum tr_metrics_by by,
                      const struct tr_metrics_row *r)
{
    bool ok = true;
    if (by == TR_METRICS_STACK)
        ok = stack_cell(t, d, r);
    else if (by == TR_METRICS_OPERATOR)
        op_cell(t, d, r, r->n_stack - 1);
    else
        tr_table_text(t, tr_dict_text(d, r->name));
    tr_table_count(t, r->count);
    return ok;
}

static bool add_row(struct tr_table *t, const struct tr_metrics *m, const struct tr_dict *d, enum tr_metrics_by by,
                    const struct tr_metrics_row *r)
{
    bool real;
    if (r->rank < 0)
        tr_table_absent(t);
    else
        tr_table_int(t, r->rank);
    bool ok = by == TR_METRICS_RANGE ? range_cells(t, d, r) : sum_cells(t, d, by, r);
    for (size_t k = 0; tr_metrics_counter(m, k, &real); k++) {
        const struct tr_metric *v = &r->metrics[k];
        if (v->is == TR_METRIC_NONE)
            tr_table_absent(t);
        else if (real)
            tr_table_ratio(t, v->is == TR_METRIC_INT ? (double)v->v.i : v->v.d);
        else
            tr_table_int(t, v->v.i);
    }
    return ok;
}

/* ---- the run ---- */

static void release(void *state)
{
    struct state *s = state;
    tr_metrics_free(s->metrics);
    free(s);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state,
                            struct tr_error *err)
{
    const struct tr_metrics_options *o = options;
    struct state *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = *in;
    s->options = o;
    s->metrics = tr_metrics_new(in->dict, o->category);
    return s->metrics ? TR_OK : tr_fail_memory(err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    (void)t;
    return tr_metrics_feed(s->metrics, b, keep, err);
}

/* Ranges that cannot be given to launches are no reason to fail, but to be told. */
static void tell_mismatch(struct state *s)
{
    const struct tr_dict *d = s->in.dict;
    uint64_t ranges, launches, all = 0;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        tr_metrics_found(s->metrics, i, &ranges, &launches);
        all += ranges;
        if (ranges && ranges != launches && (!s->in.select || tr_select_source(s->in.select, i)))
            tr_analysis_tell(&s->in, TR_TELL_WARN,
                             d->n_sources > 1 ? tr_dict_str(d, d->sources[i].name) : "",
                             "%" PRIu64 " counter ranges and %" PRIu64
                             " launches of kernels: which belong together is not known",
                             ranges, launches);
    }
    s->told = !all;
    if (!all)
        tr_analysis_tell(&s->in, TR_TELL_WARN, "",
                         "no hardware counters: no event has the category of counter ranges");
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    const struct tr_metrics_row *rows;
    size_t n;
    tell_mismatch(s);
    enum tr_status st = tr_metrics_finish(s->metrics, s->options->by, &rows, &n, err);
    if (st == TR_OK) {
        columns(&s->in, s->options, t);
        counter_columns(s->metrics, t);
    }
    for (size_t i = 0; st == TR_OK && i < n; i++)
        st = add_row(t, s->metrics, s->in.dict, s->options->by, &rows[i]) ? tr_table_status(t, err)
                                                                 : tr_fail_memory(err);
    return st;
}

static const char *why(const void *state)
{
    const struct state *s = state;
    return s->told ? NULL : "no counter range is selected";
}

static const struct tr_metrics_options defaults = { .by = TR_METRICS_RANGE, .category = TR_METRICS_CATEGORY };

const struct tr_analysis tr_analysis_metrics = {
    .name = "metrics",
    .question = "What did the hardware counters count for kernels and operators?",
    .nothing = "no counter range is selected",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    .defaults = &defaults,
    .needs = needs,
    .columns = columns,
    .late = true,
    .start = start,
    .feed = feed,
    .finish = finish,
    .why = why,
    .free = release,
    .unsaved = "sums of real numbers depend on their order",
};
