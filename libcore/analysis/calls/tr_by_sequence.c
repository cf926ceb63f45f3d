/* SPDX-License-Identifier: MIT */
/* Operators and the sequences of kernels that they launch. */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/calls/tr_sequences.h"
#include "base/tr_sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct sequence_state {
    struct tr_analysis_in in;
    struct tr_name_test op;
    struct tr_sequences *sequences;
};

/* ---- what both tables share ---- */

/* What it needs of a stream. */
#define NEEDS                                                                                              \
    .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD),                      \
              .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK | \
                         1u << TR_COL_N_DEVICE,                                                            \
              .any_rank_order = true }

static void release(void *state)
{
    struct sequence_state *s = state;
    tr_sequences_free(s->sequences);
}

static enum tr_status open_state(const struct tr_analysis_in *in, struct tr_name_test op,
                                 struct tr_sequences_opts *opts, void *state, struct tr_error *err)
{
    struct sequence_state *s = state;
    s->in = *in;
    s->op = op;
    opts->match = op.match;
    opts->match_self = op.self;
    return tr_sequences_new(opts, in, &s->sequences, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct sequence_state *s = state;
    (void)t;
    return tr_sequences_feed(s->sequences, b, keep, err);
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    return tr_sequences_complete(((struct sequence_state *)state)->sequences, err);
}

static struct tr_rows *rows(void *state)
{
    return tr_sequences_rows(((struct sequence_state *)state)->sequences);
}

/* ---- partial results ---- */

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    return tr_sequences_save(((struct sequence_state *)state)->sequences, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    return tr_sequences_load(((struct sequence_state *)state)->sequences, in, err);
}

static const struct tr_saving saving = {
    .version = 4, .tables = tr_sequences_saved, .n_tables = TR_SEQUENCES_TABLES, .save = save, .load = load
};

/* ---- operators and the kernels that they launch ---- */

static void sequence_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, tr_sequences_columns, TR_SEQUENCE_COLUMNS);
}

static enum tr_status sequence_start(const struct tr_analysis_in *in, const void *options, void *state,
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

static void remark_coverage(const struct sequence_state *s)
{
    uint64_t work, unowned;
    tr_sequences_coverage(s->sequences, &work, &unowned);
    if (unowned)
        tr_analysis_remark(&s->in, TR_REMARK_DETAIL, "",
                           "%" PRIu64 " of %" PRIu64 " kernels were launched by no operator", unowned, work);
}

static enum tr_status sequence_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    (void)t;
    (void)err;
    remark_coverage(state);
    return TR_OK;
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
    .needs = { NEEDS },
    .columns = sequence_columns,
    .state_size = sizeof(struct sequence_state),
    .start = sequence_start,
    .feed = feed,
    .complete = complete,
    .rows = rows,
    .finish = sequence_finish,
    .free = release,
    .saving = &saving,
};

/* ---- patterns: any host span, and all the work that it launches ---- */

static void pattern_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, tr_sequences_columns + TR_SEQUENCE_COLUMNS, TR_PATTERN_COLUMNS);
}

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

static enum tr_status pattern_start(const struct tr_analysis_in *in, const void *options, void *state,
                                    struct tr_error *err)
{
    const struct tr_pattern_options *o = options;
    struct tr_sequences_opts opts = tr_pattern_sequences(o, &in->work);
    return open_state(in, o->op, &opts, state, err);
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

TR_ORDER(by_time, struct chosen, TR_DOWN(sum), by_name(a, b))

bool tr_pattern_chosen(const struct tr_sequences *a, const struct tr_dict *dict, char *text, size_t size)
{
    const struct tr_rows *rows = tr_sequences_rows(a);
    size_t n = tr_rows_count(rows), n_names = 0, len;
    struct chosen *v = malloc((n + 1) * sizeof *v);
    if (!v)
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct tr_sequences_row *r = tr_rows_get(rows, i);
        v[i] = (struct chosen){ tr_dict_text(dict, r->name), tr_stats_sum(&r->work_dur) };
    }
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
    (void)t;
    if (s->op.match)
        return TR_OK;
    if (!tr_pattern_chosen(s->sequences, s->in.dict, text, sizeof text))
        return tr_fail_memory(err);
    tr_analysis_remark(&s->in, TR_REMARK_RESULT, "", "%s", text);
    return TR_OK;
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
    .needs = { NEEDS },
    .columns = pattern_columns,
    .state_size = sizeof(struct sequence_state),
    .start = pattern_start,
    .feed = feed,
    .complete = complete,
    .rows = rows,
    .finish = pattern_finish,
    .free = release,
    .saving = &saving,
};
