/* SPDX-License-Identifier: MIT */
/* Durations of device work by name and by class, and of annotations. */
#include "analysis/sums/tr_name_stats.h"
#include "analysis/sums/tr_sums_analyses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The differences between the three analyses. */
struct view {
    bool kind;       /* a column for the kind of the work */
    bool share;      /* a column for the share of the whole */
    bool by_class;
    const char *key; /* the column for the name of the row: its name and meaning */
    const char *key_meaning;
    const char *names; /* column with the number of events of the row */
};
static const struct view kernel_view = { .kind = true, .share = true, .key = "name",
                                         .key_meaning = "the kernel, copy or memset", .names = "names" };
static const struct view class_view = { .share = true, .by_class = true, .key = "class",
                                        .key_meaning = "class that tr-categorize gave",
                                        .names = "classes" };
static const struct view annotation_view = { .key = "name", .key_meaning = "the annotation",
                                             .names = "names" };

struct kernels_state {
    struct tr_analysis_in in;
    const struct view *view;
    struct tr_name_stats *names;
    bool partly; /* some data are left out */
};

/* ---- columns ---- */

static const struct tr_table_column kind_column = { "kind", TR_CELL_STRING, TR_ROLE_KEY,
                                              .meaning = "compute, comm, memory or other" };
static const struct tr_table_column sums[] = {
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "how often" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, .main = true, .meaning = "sum of durations" },
};
static const struct tr_table_column share_column = { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%",
                                               .of = "sum", .meaning = "share of the sum of the group" };
static const struct tr_table_column kind_share_column = { "kind_pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .extra = true,
                                                           .unit = "%", .of = "sum",
                                                           .meaning = "share of the sum of its kind in the group" };
static const struct tr_table_column spread[] = {
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "sum", .per = "count", .meaning = "mean duration" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "standard deviation of the sample" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "shortest duration" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "median duration" },
    { "p99", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "99th percentile of durations" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "longest duration" },
};

static void add_columns(const struct view *v, enum tr_per per, struct tr_table *t)
{
    const struct tr_table_column key = {
        v->key, TR_CELL_STRING, TR_ROLE_KEY, .names = !v->by_class, .meaning = v->key_meaning
    };
    const struct tr_table_column last[] = {
        { v->names, TR_CELL_COUNT, TR_ROLE_COUNT, .quiet = TR_QUIET_1,
          .meaning = "number of names that the row sums up" },
        { "approx", TR_CELL_COUNT, TR_ROLE_MAX, .quiet = TR_QUIET_0,
          .meaning = "1: percentiles are approximate, to 2^-11 of their value" },
    };
    tr_group_columns(t, per);
    if (v->kind)
        tr_table_columns(t, &kind_column, 1);
    tr_table_columns(t, &key, 1);
    tr_table_columns(t, sums, sizeof sums / sizeof *sums);
    if (v->share)
        tr_table_columns(t, &share_column, 1);
    if (v->kind)
        tr_table_columns(t, &kind_share_column, 1);
    tr_table_columns(t, spread, sizeof spread / sizeof *spread);
    tr_table_columns(t, last, sizeof last / sizeof *last);
}

static void kernel_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    add_columns(&kernel_view, in->work.per, t);
}

static void class_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    add_columns(&class_view, in->work.per, t);
}

static void annotation_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    add_columns(&annotation_view, in->work.per, t);
}

/* ---- what is read ---- */

static void kernel_needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME);
    n->want.any_rank_order = n->all_in_any_order = true;
}

static void class_needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED;
    n->want.derived = 1u << TR_COL_CLASS;
    n->want.any_rank_order = n->all_in_any_order = true;
}

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
    free(s);
}

static enum tr_status start(const struct tr_analysis_in *in, const struct view *view, struct tr_name_stats_opts opts,
                            void **state, struct tr_error *err)
{
    struct kernels_state *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = *in;
    s->view = view;
    s->partly = opts.sums_only || opts.shorter;
    return tr_name_stats_new(&opts, in->dict, in->summary, in->sorted, in->select, &s->names, err);
}

static enum tr_status kernel_start(const struct tr_analysis_in *in, const void *options, void **state,
                                   struct tr_error *err)
{
    const struct tr_name_stats_options *o = options;
    const struct tr_name_stats_opts opts = {
        .work = in->work, .by_kind = true, .top = in->top, .distinct = in->distinct, .ratio = o->ratio,
        .shorter = o->shorter, .sums_only = o->sums_only
    };
    return start(in, &kernel_view, opts, state, err);
}

static enum tr_status class_start(const struct tr_analysis_in *in, const void *options, void **state,
                                  struct tr_error *err)
{
    const struct tr_name_stats_options *o = options;
    const struct tr_name_stats_opts opts = {
        .work = in->work, .by_class = true, .top = in->top, .distinct = in->distinct, .ratio = o->ratio
    };
    return start(in, &class_view, opts, state, err);
}

static enum tr_status annotation_start(const struct tr_analysis_in *in, const void *options,
                                       void **state, struct tr_error *err)
{
    const struct tr_name_stats_options *o = options;
    struct tr_name_stats_opts opts = { .work = in->work, .top = in->top, .distinct = in->distinct, .ratio = o->ratio };
    opts.by_cover = o->side == TR_ANNOTATION_WORK;
    if (o->side == TR_ANNOTATION_HOST)
        opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_ANNOTATION);
    if (o->side == TR_ANNOTATION_DEVICE)
        opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_DEVICE_ANNOTATION);
    return start(in, &annotation_view, opts, state, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct kernels_state *s = state;
    (void)t;
    return tr_name_stats_feed(s->names, b, keep, err);
}

static void add_row(struct tr_table *t, enum tr_per per, const struct view *v, const struct tr_name_stats_row *r)
{
    int64_t sum = tr_stats_sum(&r->stats);
    tr_group_cells(t, per, &r->key);
    if (v->kind)
        tr_table_string(t, r->kind == TR_KIND_NONE ? NULL : tr_kind_name(r->kind));
    if (v->by_class && tr_str_is(r->name, ""))
        tr_table_absent(t);
    else
        tr_table_text(t, r->name.s ? r->name : tr_str_of("others"));
    tr_table_count(t, r->stats.n);
    tr_table_time(t, sum);
    if (v->share)
        tr_table_pct(t, sum, r->whole);
    if (v->kind)
        tr_table_pct(t, sum, r->kind_whole);
    tr_table_time_f(t, tr_stats_mean(&r->stats));
    tr_table_time_f(t, tr_stats_std(&r->stats));
    tr_table_time(t, r->stats.min);
    tr_table_time_f(t, r->durations ? tr_hist_quantile(r->durations, 50, 100) : NAN);
    tr_table_time_f(t, r->durations ? tr_hist_quantile(r->durations, 99, 100) : NAN);
    tr_table_time(t, r->stats.max);
    tr_table_count(t, r->n_names);
    tr_table_count(t, r->durations && tr_hist_approx(r->durations));
}

/* If no event has a class, tr-categorize has probably not run. */
static void warn_of_no_class(const struct kernels_state *s, const struct tr_name_stats_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!tr_str_is(rows[i].name, ""))
            return;
    if (n)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "", "no work has a class: run tr-categorize first");
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct kernels_state *s = state;
    const struct tr_name_stats_row *rows;
    size_t n;
    enum tr_status st = tr_name_stats_finish(s->names, &rows, &n, err);
    for (size_t i = 0; st == TR_OK && i < n; i++) {
        tr_name_stats_touched(s->names);
        add_row(t, s->in.work.per, s->view, &rows[i]);
    }
    if (st == TR_OK && s->view->by_class)
        warn_of_no_class(s, rows, n);
    return st;
}

/* ---- partial results ---- */

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct kernels_state *s = state;
    if (s->partly)
        return tr_fail(err, TR_USAGE, "sums alone, or those of short kernels, are not kept as a partial result");
    return tr_name_stats_save(s->names, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct kernels_state *s = state;
    return tr_name_stats_load(s->names, in, err);
}

/* The annotations that count; a limit by ratio does not change the state. */
static enum tr_status side_options_text(const void *options, struct tr_buf *text, struct tr_error *err)
{
    static const char *const sides[] = { "side=host", "side=device", "side=work" };
    const struct tr_name_stats_options *o = options;
    return tr_buf_add_str(text, sides[o->side]) ? TR_OK : tr_fail_memory(err);
}

static const struct tr_saving saving = {
    .version = 1, .tables = &tr_name_stats_saved, .n_tables = 1, .save = save, .load = load
};

/* Work and the annotation above it may come from different files of a rank. */
static const struct tr_saving saving_annotations = { .version = 1,
                                                     .whole_ranks = true,
                                                     .tables = &tr_name_stats_saved,
                                                     .n_tables = 1,
                                                     .options_text = side_options_text,
                                                     .save = save,
                                                     .load = load };

static const struct tr_name_stats_options defaults = TR_NAME_STATS_DEFAULTS;
static const char *const sides[] = { "host", "device", "work", NULL };
static const struct tr_option options_of_annotations[] = {
    { 0, "side", "SIDE", TR_OPTION_CHOICE, offsetof(struct tr_name_stats_options, side), .choices = sides,
      .help = "annotations of the host, of the device, or the device work inside them [host]" },
    { 0, "ratio", "R", TR_OPTION_DOUBLE, offsetof(struct tr_name_stats_options, ratio),
      .help = "print the largest rows up to the share R of the sum, then others [1]" },
    { 0 },
};
#define OPTIONS_OF_WORK (&options_of_annotations[1])

const struct tr_analysis tr_analysis_kernel = {
    .name = "kernel",
    .question = "Which kernels took the time?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .cuts = true,
    TR_OPTIONS(OPTIONS_OF_WORK, defaults),
    .needs = kernel_needs,
    .columns = kernel_columns,
    .start = kernel_start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .saving = &saving,
};

const struct tr_analysis tr_analysis_class = {
    .name = "class",
    .question = "Which classes of device work took the time?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .cuts = true,
    TR_OPTIONS(OPTIONS_OF_WORK, defaults),
    .needs = class_needs,
    .columns = class_columns,
    .start = class_start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .saving = &saving,
};

const struct tr_analysis tr_analysis_annotation = {
    .name = "annotation",
    .question = "How long did annotated parts of the program take?",
    .nothing = "no annotations of this side are selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .cuts = true,
    TR_OPTIONS(options_of_annotations, defaults),
    .needs = annotation_needs,
    .columns = annotation_columns,
    .start = annotation_start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .saving = &saving_annotations,
};
