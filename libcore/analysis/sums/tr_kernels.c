/* SPDX-License-Identifier: MIT */
/* Durations of device work by name and by class, and of annotations. */
#include "analysis/sums/tr_name_stats.h"
#include "analysis/sums/tr_sums_analyses.h"

#include <stdlib.h>

struct kernels_state {
    struct tr_analysis_in in;
    struct tr_name_stats *names;
};

/* ---- columns: those of names, from one to another ---- */

static void add(struct tr_table *t, unsigned from, unsigned to)
{
    tr_table_columns(t, tr_name_stats_columns + from, to - from + 1);
}

/* A column with another name and meaning. */
static void add_as(struct tr_table *t, unsigned column, const char *name, bool names, const char *meaning)
{
    struct tr_table_column own = tr_name_stats_columns[column];
    own.name = name;
    own.names = names;
    own.meaning = meaning;
    tr_table_columns(t, &own, 1);
}

static void kernel_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, tr_name_stats_columns, TR_N_NAME_STATS);
}

static void class_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    add_as(t, TR_NAME_STATS_NAME, "class", false, "class that tr-categorize gave");
    add(t, TR_NAME_STATS_COUNT, TR_NAME_STATS_PCT);
    add(t, TR_NAME_STATS_MEAN, TR_NAME_STATS_MAX);
    add_as(t, TR_NAME_STATS_NAMES, "classes", false, "number of names that the row sums up");
    add(t, TR_NAME_STATS_APPROX, TR_NAME_STATS_APPROX);
}

static void annotation_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    add_as(t, TR_NAME_STATS_NAME, "name", true, "the annotation");
    add(t, TR_NAME_STATS_COUNT, TR_NAME_STATS_SUM);
    add(t, TR_NAME_STATS_MEAN, TR_NAME_STATS_APPROX);
}

/* ---- what is read ---- */

static void annotation_needs(const void *options, struct tr_needs *n)
{
    const struct tr_name_stats_options *o = options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME);
    n->want.any_rank_order = o->side != TR_ANNOTATION_WORK; /* work asks which annotations start at one time */
    n->host = o->side != TR_ANNOTATION_WORK;
}

/* ---- the run ---- */

static void release(void *state)
{
    struct kernels_state *s = state;
    tr_name_stats_free(s->names);
}

static enum tr_status start(const struct tr_analysis_in *in, struct tr_name_stats_opts opts, void *state,
                            struct tr_error *err)
{
    struct kernels_state *s = state;
    s->in = *in;
    return tr_name_stats_new(&opts, in, &s->names, err);
}

static enum tr_status kernel_start(const struct tr_analysis_in *in, const void *options, void *state,
                                   struct tr_error *err)
{
    const struct tr_name_stats_options *o = options;
    const struct tr_name_stats_opts opts = {
        .work = in->work, .by_kind = true, .shorter = o->shorter, .sums_only = o->sums_only
    };
    return start(in, opts, state, err);
}

static enum tr_status class_start(const struct tr_analysis_in *in, const void *options, void *state,
                                  struct tr_error *err)
{
    const struct tr_name_stats_opts opts = { .work = in->work, .by_class = true };
    (void)options;
    return start(in, opts, state, err);
}

static enum tr_status annotation_start(const struct tr_analysis_in *in, const void *options,
                                       void *state, struct tr_error *err)
{
    const struct tr_name_stats_options *o = options;
    struct tr_name_stats_opts opts = { .work = in->work, .by_cover = o->side == TR_ANNOTATION_WORK };
    if (o->side == TR_ANNOTATION_HOST)
        opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_ANNOTATION);
    if (o->side == TR_ANNOTATION_DEVICE)
        opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_DEVICE_ANNOTATION);
    return start(in, opts, state, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct kernels_state *s = state;
    (void)t;
    return tr_name_stats_feed(s->names, b, keep, err);
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    return tr_name_stats_complete(((struct kernels_state *)state)->names, err);
}

static struct tr_rows *rows(void *state)
{
    return tr_name_stats_rows(((struct kernels_state *)state)->names);
}

static void cut(const void *options, struct tr_rows_cut *cut)
{
    cut->ratio = ((const struct tr_name_stats_options *)options)->ratio;
}

/* If no event has a class, tr-categorize has probably not run. */
static enum tr_status warn_of_no_class(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernels_state *s = state;
    const struct tr_rows *r = rows(state);
    (void)t;
    (void)err;
    for (size_t i = 0; i < tr_rows_count(r); i++) {
        const struct tr_name_stats_row *row = tr_rows_get(r, i);
        if (tr_dict_text(s->in.dict, row->name).len)
            return TR_OK;
    }
    if (tr_rows_count(r))
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "", "no work has a class: run tr-categorize first");
    return TR_OK;
}

/* ---- partial results ---- */

static const struct tr_saved_table saved = { .rows = &tr_name_stats_type };
static const struct tr_saving saving = { .version = 2, .tables = &saved, .n_tables = 1 };

/* Work and the annotation above it may come from different files of a rank. */
static const struct tr_saving saving_annotations = {
    .version = 2, .whole_ranks = true, .tables = &saved, .n_tables = 1
};

static const struct tr_name_stats_options defaults = TR_NAME_STATS_DEFAULTS;
static const char *const sides[] = { "host", "device", "work", NULL };
#define SHOWN_RATIO                                                                                       \
    { 0, "ratio", "R", TR_OPTION_DOUBLE, offsetof(struct tr_name_stats_options, ratio), .lo = 0, .hi = 1, \
      .shown = true, .help = "print the largest rows up to the share R of the sum, then others [1]" }
static const struct tr_option options_of_kernels[] = {
    SHOWN_RATIO,
    { 0, "shorter", "TIME", TR_OPTION_TIME, offsetof(struct tr_name_stats_options, shorter), .hidden = true },
    { 0, "sums-only", NULL, TR_OPTION_FLAG, offsetof(struct tr_name_stats_options, sums_only), .hidden = true },
    { 0 },
};
static const struct tr_option options_of_annotations[] = {
    { 0, "side", "SIDE", TR_OPTION_CHOICE, offsetof(struct tr_name_stats_options, side), .choices = sides,
      .help = "annotations of the host, of the device, or the device work inside them [host]" },
    SHOWN_RATIO,
    { 0 },
};
#define OPTIONS_OF_CLASSES (&options_of_annotations[1])

const struct tr_analysis tr_analysis_kernel = {
    .name = "kernel",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "sum" }, .series = "kind", .facet = "rank" },
    .question = "Which kernels took the time?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .cuts = true,
    TR_OPTIONS(options_of_kernels, defaults),
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME), .any_rank_order = true },
               .all_in_any_order = true },
    .columns = kernel_columns,
    .state_size = sizeof(struct kernels_state),
    .start = kernel_start,
    .feed = feed,
    .complete = complete,
    .rows = rows,
    .cut = cut,
    .free = release,
    .saving = &saving,
};

const struct tr_analysis tr_analysis_class = {
    .name = "class",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "class", .y = { "sum" }, .facet = "rank" },
    .question = "Which classes of device work took the time?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .cuts = true,
    TR_OPTIONS(OPTIONS_OF_CLASSES, defaults),
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED, .derived = 1u << TR_COL_CLASS, .any_rank_order = true },
               .all_in_any_order = true },
    .columns = class_columns,
    .state_size = sizeof(struct kernels_state),
    .start = class_start,
    .feed = feed,
    .complete = complete,
    .rows = rows,
    .cut = cut,
    .finish = warn_of_no_class,
    .free = release,
    .saving = &saving,
};

const struct tr_analysis tr_analysis_annotation = {
    .name = "annotation",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "mean" }, .facet = "rank", .low = "min",
                                       .high = "max" },
    .question = "How long did annotated parts of the program take?",
    .nothing = "no annotations of this side are selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .cuts = true,
    TR_OPTIONS(options_of_annotations, defaults),
    .more = annotation_needs,
    .columns = annotation_columns,
    .state_size = sizeof(struct kernels_state),
    .start = annotation_start,
    .feed = feed,
    .complete = complete,
    .rows = rows,
    .cut = cut,
    .free = release,
    .saving = &saving_annotations,
};
