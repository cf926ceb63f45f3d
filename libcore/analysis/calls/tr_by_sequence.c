/* SPDX-License-Identifier: MIT */
/* Operators and the sequences of kernels that they launch. */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/calls/tr_sequences.h"
#include "base/tr_mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct sequence_state {
    struct tr_analysis_in in;
    struct tr_name_test op;
    struct tr_sequences *sequences;
    const struct tr_sequences_row *rows; /* in the end */
    size_t n_rows;
};

/* ---- what both tables share ---- */

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD);
    n->want.derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK |
                      1u << TR_COL_N_DEVICE;
    n->want.any_rank_order = true;
}

static void release(void *state)
{
    struct sequence_state *s = state;
    tr_sequences_free(s->sequences);
    free(s);
}

static enum tr_status open_state(const struct tr_analysis_in *in, struct tr_name_test op,
                                 struct tr_sequences_opts *opts, void **state, struct tr_error *err)
{
    struct sequence_state *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = *in;
    s->op = op;
    opts->match = op.match;
    opts->match_self = op.self;
    return tr_sequences_new(opts, in->dict, in->summary, in->sorted, in->select, &s->sequences, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct sequence_state *s = state;
    (void)t;
    return tr_sequences_feed(s->sequences, b, keep, err);
}

/* Append the names of a row's work, separated by a text. */
static bool add_work(const struct sequence_state *s, const struct tr_sequences_row *r, const char *between,
                     struct tr_buf *text)
{
    bool ok = true;
    for (size_t i = 0; ok && i < r->n_work; i++)
        ok = tr_buf_add_str(text, i ? between : "") &&
             tr_buf_add_text(text, tr_dict_text(s->in.dict, r->work[i]));
    return ok;
}

typedef bool add_row(const struct sequence_state *s, const struct tr_sequences_row *r, struct tr_buf *text,
                     struct tr_table *t);

static enum tr_status add_rows(struct sequence_state *s, add_row *add, struct tr_table *t, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st = tr_sequences_finish(s->sequences, &s->rows, &s->n_rows, err);
    for (size_t i = 0; i < s->n_rows && st == TR_OK; i++)
        st = add(s, &s->rows[i], &text, t) ? tr_table_status(t, err) : tr_fail_memory(err);
    tr_buf_free(&text);
    return st;
}

/* ---- operators and the kernels that they launch ---- */

static const struct tr_table_column sequence_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .meaning = "the operator" },
    { "kernel_sequence", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
      .meaning = "the kernels that it launched, in order" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "calls that launched this sequence" },
    { "to_launch_mean", TR_CELL_TIME, TR_ROLE_MEAN, .per = "count", .extra = true,
      .meaning = "mean time from the start of the call to its first launch" },
    { "launch_to_start_mean", TR_CELL_TIME, TR_ROLE_MEAN, .per = "count", .extra = true,
      .meaning = "mean time from the start of that launch to the start of its kernel" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true, .meaning = "number of kernels of all these calls" },
    { "kernel_sum", TR_CELL_TIME, TR_ROLE_SUM, .main = true, .meaning = "sum of their durations" },
    { "operator_sum", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "sum of durations of the calls" },
};

static enum tr_status sequence_start(const struct tr_analysis_in *in, const void *options, void **state,
                                     struct tr_error *err)
{
    const struct tr_sequence_options *o = options;
    struct tr_sequences_opts opts = {
        .work = in->work,
        .callers = TR_ACTIVITY_BIT(TR_ACT_CPU_OP) | TR_ACTIVITY_BIT(TR_ACT_COMM_RECORD),
    };
    opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_KERNEL);
    return open_state(in, o->op, &opts, state, err);
}

static bool sequence_row(const struct sequence_state *s, const struct tr_sequences_row *r, struct tr_buf *text,
                         struct tr_table *t)
{
    text->len = 0;
    bool ok = add_work(s, r, " -> ", text);
    tr_group_cells(t, s->in.work.per, &r->key);
    tr_table_text(t, r->name);
    tr_table_bytes(t, (const char *)text->data, text->len);
    tr_table_count(t, r->count);
    tr_table_time_f(t, tr_stats_mean(&r->to_launch));
    tr_table_time_f(t, tr_stats_mean(&r->launch_to_start));
    tr_table_count(t, r->n_work * r->count);
    tr_table_time(t, tr_stats_sum(&r->work_dur));
    tr_table_time(t, tr_stats_sum(&r->call_dur));
    return ok;
}

static void remark_coverage(const struct sequence_state *s)
{
    uint64_t work, unowned;
    tr_sequences_coverage(s->sequences, &work, &unowned);
    if (unowned)
        tr_analysis_remark(&s->in, TR_REMARK_DETAIL, "",
                           "%" PRIu64 " of %" PRIu64 " kernels were launched by no operator", unowned, work);
}

/* ---- partial results ---- */

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct sequence_state *s = state;
    return tr_sequences_save(s->sequences, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct sequence_state *s = state;
    return tr_sequences_load(s->sequences, in, err);
}

static const struct tr_saving sequence_saving = { .version = 3,
                                                  .tables = tr_sequences_saved,
                                                  .n_tables = TR_SEQUENCES_TABLES,
                                                  .save = save,
                                                  .load = load };
static const struct tr_saving pattern_saving = { .version = 3,
                                                 .tables = tr_sequences_saved,
                                                 .n_tables = TR_SEQUENCES_TABLES,
                                                 .save = save,
                                                 .load = load };

/* ---- rows of operators ---- */

static enum tr_status sequence_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct sequence_state *s = state;
    enum tr_status st = add_rows(s, sequence_row, t, err);
    if (st == TR_OK)
        remark_coverage(s);
    return st;
}

static const struct tr_sequence_options sequence_defaults = { .op = { .match = NULL } };
static const struct tr_option sequence_options[] = {
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct tr_sequence_options, op),
      .help = "only kernels of such operators [all]" },
    { 0 },
};

const struct tr_analysis tr_analysis_sequence = {
    .name = "sequence",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "kernel_sequence", .y = { "kernel_sum" }, .facet = "rank" },
    .question = "Which operators launch which kernels?",
    .nothing = "no kernel that is selected was launched by an operator",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(sequence_options, sequence_defaults),
    .needs = needs,
    TR_OWN_COLUMNS(sequence_columns),
    .start = sequence_start,
    .feed = feed,
    .finish = sequence_finish,
    .free = release,
    .saving = &sequence_saving,
};

/* ---- patterns: any host span, and all the work that it launches ---- */

static const struct tr_table_column pattern_columns[] = {
    { "pattern", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
      .meaning = "name of the span and names of its work, with | between them" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of spans that launched this work" },
    { "gpu", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of durations of their work" },
    { "cpu", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of durations of the spans" },
    { "length", TR_CELL_COUNT, TR_ROLE_TEXT, .meaning = "number of kernels, copies and memsets in the pattern" },
};

struct tr_sequences_opts tr_pattern_sequences(const struct tr_pattern_options *o, const struct tr_group_by_opts *work)
{
    const uint32_t operators = TR_ACTIVITY_BIT(TR_ACT_CPU_OP) | TR_ACTIVITY_BIT(TR_ACT_COMM_RECORD);
    return (struct tr_sequences_opts){ .work = *work,
                                       .callers = o->op.match ? 0 : operators,
                                       .match = o->op.match,
                                       .match_self = o->op.self,
                                       .outermost = true,
                                       .by_start = true,
                                       .min_length = o->length };
}

static enum tr_status pattern_start(const struct tr_analysis_in *in, const void *options, void **state,
                                    struct tr_error *err)
{
    const struct tr_pattern_options *o = options;
    struct tr_sequences_opts opts = tr_pattern_sequences(o, &in->work);
    return open_state(in, o->op, &opts, state, err);
}

static bool pattern_row(const struct sequence_state *s, const struct tr_sequences_row *r, struct tr_buf *text,
                        struct tr_table *t)
{
    text->len = 0;
    bool ok = tr_buf_add_text(text, r->name) && tr_buf_add_str(text, "|") && add_work(s, r, "|", text);
    tr_group_cells(t, s->in.work.per, &r->key);
    tr_table_bytes(t, (const char *)text->data, text->len);
    tr_table_count(t, r->count);
    tr_table_time(t, tr_stats_sum(&r->work_dur));
    tr_table_time(t, tr_stats_sum(&r->call_dur));
    tr_table_count(t, r->n_work);
    return ok;
}

/* An operator that takes part, and the time of the work that it launched. */
struct chosen {
    struct tr_str name;
    int64_t sum;
};

static int by_name(const void *a, const void *b)
{
    return tr_str_cmp(((const struct chosen *)a)->name, ((const struct chosen *)b)->name);
}

static int by_time(const void *a, const void *b)
{
    const struct chosen *x = a, *y = b;
    return x->sum == y->sum ? by_name(a, b) : x->sum > y->sum ? -1 : 1;
}

bool tr_pattern_chosen(const struct tr_sequences_row *rows, size_t n, char *text, size_t size)
{
    struct chosen *v = malloc((n + 1) * sizeof *v);
    size_t n_names = 0, len;
    if (!v)
        return false;
    for (size_t i = 0; i < n; i++)
        v[i] = (struct chosen){ rows[i].name, tr_stats_sum(&rows[i].work_dur) };
    qsort(v, n, sizeof *v, by_name);
    for (size_t i = 0; i < n; i++) {
        if (n_names && by_name(&v[n_names - 1], &v[i]) == 0)
            v[n_names - 1].sum = tr_time_sum(v[n_names - 1].sum, v[i].sum);
        else
            v[n_names++] = v[i];
    }
    qsort(v, n_names, sizeof *v, by_time);
    len = (size_t)snprintf(text, size, "without --op, the outermost operators are used");
    for (size_t i = 0; i < n_names && i < 3 && len < size; i++)
        len += (size_t)snprintf(text + len, size - len, "%s'%.*s'", i ? ", " : ", most device time in ",
                                (int)(v[i].name.len < 80 ? v[i].name.len : 80), v[i].name.s);
    free(v);
    return true;
}

static enum tr_status pattern_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct sequence_state *s = state;
    char text[400];
    enum tr_status st = add_rows(s, pattern_row, t, err);
    if (st == TR_OK && !s->op.match && !tr_pattern_chosen(s->rows, s->n_rows, text, sizeof text))
        st = tr_fail_memory(err);
    if (st == TR_OK && !s->op.match)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "", "%s", text);
    return st;
}

static const struct tr_pattern_options pattern_defaults = TR_PATTERN_DEFAULTS;
static const struct tr_option pattern_options[] = {
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct tr_pattern_options, op),
      .help = "host spans with such names [outermost operators]" },
    { 0, "length", "N", TR_OPTION_U64, offsetof(struct tr_pattern_options, length), .lo = 1,
      .help = "only patterns with at least N kernels, copies and memsets [3]" },
    { 0 },
};

const struct tr_analysis tr_analysis_pattern = {
    .name = "pattern",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "pattern", .y = { "gpu", "cpu" }, .facet = "rank" },
    .question = "Which sequences of device work do operators launch, and how often?",
    .nothing = "no operator launched as many kernels, copies and memsets as --length requires",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(pattern_options, pattern_defaults),
    .needs = needs,
    TR_OWN_COLUMNS(pattern_columns),
    .start = pattern_start,
    .feed = feed,
    .finish = pattern_finish,
    .free = release,
    .saving = &pattern_saving,
};
