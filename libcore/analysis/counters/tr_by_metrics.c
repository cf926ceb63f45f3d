/* SPDX-License-Identifier: MIT */
/* Metrics of kernels, operators and their stacks. */
#include "analysis/counters/tr_counters_analyses.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

struct metrics_state {
    struct tr_analysis_in in;
    const struct tr_metrics_options *options;
    struct tr_metrics *metrics;
    bool files; /* there are rows of metric files */
    bool warned; /* the user has been warned that there are no counters */
};

/* ---- columns ---- */

static const struct tr_table_column rank_column = { "rank", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "the rank" };
static const struct tr_table_column range_columns[] = {
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, .meaning = "index of the range in its file" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "the kernel" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "start, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "its duration" },
    { "launch_record", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "index of the launch in its file" },
    { "op_stack", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true,
      .meaning = "operators around the launch, outermost first" },
    { "top_op", TR_CELL_STRING, TR_ROLE_TEXT, .quiet = TR_QUIET_0, .names = true, .meaning = "the outermost of them" },
    { "bottom_op", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true, .names = true, .meaning = "the innermost of them" },
};
static const struct tr_table_column instance_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .meaning = "the kernel" },
    { "instance", TR_CELL_COUNT, TR_ROLE_KEY,
      .meaning = "number of the kernel among those of this name in its rank, from 1; in a metric file, on its device" },
    { "record", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "index of the range or kernel in its file" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "start, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "its duration" },
    { "operator", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true, .names = true,
      .meaning = "the innermost operator around its launch" },
    { "samples", TR_CELL_COUNT, TR_ROLE_COUNT,
      .meaning = "1 for a range; for a kernel, counter events while it ran; for a metric file, its rows" },
    { "device", TR_CELL_INT, TR_ROLE_TEXT, .quiet = TR_QUIET_SAME, .meaning = "device of the kernel or metric file" },
};
static const struct tr_table_column count_column = { "count", TR_CELL_COUNT, TR_ROLE_COUNT,
                                                     .meaning = "number of ranges, or of kernels with samples" };

/* "ffma.sum" becomes ffma.sum_per_ns, and "READ[bytes]" READ_GBps: bytes per ns are GB/s.  False: out of memory. */
static bool rate_column(const char *name, struct tr_buf *text, struct tr_table *t)
{
    bool bytes = tr_metric_is_bytes(name);
    text->len = 0;
    if (!tr_buf_add_text(text, tr_metric_base(name)) || !tr_buf_add_str(text, bytes ? "_GBps" : "_per_ns") ||
        !tr_buf_add(text, "", 1))
        return false;
    const struct tr_table_column rate = { (const char *)text->data, TR_CELL_DOUBLE, TR_ROLE_RATIO,
                                          .unit = bytes ? "GB/s" : NULL,
                                          .meaning = "a metric of the trace, divided by the time of its kernels" };
    tr_table_columns(t, &rate, 1);
    return true;
}

/* Is it right to add a metric up?  So it has a throughput, too. */
static bool adds(const struct metrics_state *s, size_t k, const char *name)
{
    return tr_metric_counts(name) && (!s->files || tr_metrics_adds(s->metrics, k));
}

/* Columns of metrics.  False: out of memory. */
static bool metric_columns(const struct metrics_state *s, struct tr_table *t)
{
    const char *name;
    struct tr_buf text = { 0 };
    bool real, ok = true, sampled = tr_metrics_sampled(s->metrics);
    for (size_t k = 0; ok && (name = tr_metrics_counter(s->metrics, k, &real)) != NULL; k++) {
        const struct tr_table_column metric = { name, real || sampled ? TR_CELL_DOUBLE : TR_CELL_INT,
                                                !sampled && (adds(s, k, name) || tr_metric_is_time(name))
                                                    ? TR_ROLE_SUM
                                                    : TR_ROLE_QUANTILE,
                                                .meaning = "a metric of the trace" };
        if (!s->options->throughput)
            tr_table_columns(t, &metric, 1);
        else if (adds(s, k, name))
            ok = rate_column(name, &text, t);
    }
    tr_buf_free(&text);
    return ok;
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
    } else if (o->by == TR_METRICS_INSTANCE) {
        tr_table_columns(t, instance_columns, sizeof instance_columns / sizeof *instance_columns);
    } else {
        const struct tr_table_column key = { o->by == TR_METRICS_STACK ? "op_stack" : "name", TR_CELL_STRING,
                                             TR_ROLE_KEY, .names = o->by != TR_METRICS_STACK,
                                             .meaning = meanings[o->by] };
        tr_table_columns(t, &key, 1);
        tr_table_columns(t, &count_column, 1);
    }
}

/* ---- rows ---- */

static bool stack_cell(struct tr_table *t, const struct tr_dict *d, const struct tr_stacks *stacks,
                       const struct tr_metrics_row *r)
{
    struct tr_buf text = { 0 };
    bool ok = r->stack == TR_STACK_NONE || tr_stacks_text(stacks, d, r->stack, "|", &text);
    if (r->stack != TR_STACK_NONE)
        tr_table_bytes(t, text.data ? (const char *)text.data : "", text.len);
    else
        tr_table_absent(t);
    tr_buf_free(&text);
    return ok;
}

/* The name of a frame. */
static void op_cell(struct tr_table *t, const struct tr_dict *d, const struct tr_stacks *stacks, uint32_t frame)
{
    tr_table_text(t, tr_dict_text_if(d, frame == TR_STACK_NONE ? TR_NO_STR : stacks->frames[frame].name));
}

static bool range_cells(struct tr_table *t, const struct tr_dict *d, const struct tr_stacks *stacks,
                        const struct tr_metrics_row *r)
{
    tr_table_count(t, r->record);
    tr_table_text(t, tr_dict_text(d, r->name));
    tr_table_time(t, r->start);
    tr_table_time(t, r->dur);
    if (r->launched)
        tr_table_count(t, r->launch);
    else
        tr_table_absent(t);
    bool ok = stack_cell(t, d, stacks, r);
    op_cell(t, d, stacks, r->stack == TR_STACK_NONE ? TR_STACK_NONE : tr_stacks_at(stacks, r->stack, 0));
    op_cell(t, d, stacks, r->stack);
    return ok;
}

static void instance_cells(struct tr_table *t, const struct tr_dict *d, const struct tr_stacks *stacks,
                           const struct tr_metrics_row *r)
{
    tr_table_text(t, tr_dict_text_if(d, r->name));
    if (r->instance == TR_METRICS_NO_INSTANCE)
        tr_table_absent(t);
    else
        tr_table_count(t, r->instance);
    tr_table_count(t, r->record);
    tr_table_time(t, r->start);
    tr_table_time(t, r->dur);
    op_cell(t, d, stacks, r->stack);
    tr_table_count(t, r->samples);
    if (r->device == TR_I64_NONE)
        tr_table_absent(t);
    else
        tr_table_int(t, r->device);
}

static bool sum_cells(struct tr_table *t, const struct tr_dict *d, const struct tr_stacks *stacks,
                      enum tr_metrics_by by, const struct tr_metrics_row *r)
{
    bool ok = true;
    if (by == TR_METRICS_STACK)
        ok = stack_cell(t, d, stacks, r);
    else if (by == TR_METRICS_OPERATOR)
        op_cell(t, d, stacks, r->stack);
    else
        tr_table_text(t, tr_dict_text(d, r->name));
    tr_table_count(t, r->count);
    return ok;
}

/* Metrics of counts are sums, samples of series are means. */
static void metric_cell(struct tr_table *t, const struct metrics_state *s, size_t k, const char *name,
                        const struct tr_metrics_cell *c, bool real)
{
    double sum = tr_metric_number(c->sum);
    if (s->options->throughput && !adds(s, k, name))
        return;
    if (s->options->throughput)
        tr_table_ratio(t, c->time > 0 ? sum / c->time : NAN);
    else if (c->mean || tr_metrics_sampled(s->metrics))
        tr_table_ratio(t, sum / (double)c->n);
    else if (real)
        tr_table_ratio(t, sum);
    else if (c->sum.is == TR_METRIC_NONE)
        tr_table_absent(t);
    else
        tr_table_int(t, c->sum.v.i);
}

static bool add_row(struct tr_table *t, const struct metrics_state *s, const struct tr_metrics_row *r)
{
    const struct tr_dict *d = s->in.dict;
    const struct tr_stacks *stacks = tr_metrics_stacks(s->metrics);
    enum tr_metrics_by by = (enum tr_metrics_by)s->options->by;
    const char *name;
    bool real, ok = true;
    if (r->rank < 0)
        tr_table_absent(t);
    else
        tr_table_int(t, r->rank);
    if (by == TR_METRICS_RANGE)
        ok = range_cells(t, d, stacks, r);
    else if (by == TR_METRICS_INSTANCE)
        instance_cells(t, d, stacks, r);
    else
        ok = sum_cells(t, d, stacks, by, r);
    for (size_t k = 0; (name = tr_metrics_counter(s->metrics, k, &real)) != NULL; k++)
        metric_cell(t, s, k, name, &r->metrics[k], real);
    return ok;
}

/* ---- the run ---- */

static void release(void *state)
{
    struct metrics_state *s = state;
    tr_metrics_free(s->metrics);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    const struct tr_metrics_options *o = options;
    struct metrics_state *s = state;
    s->in = *in;
    s->options = o;
    s->metrics = tr_metrics_new(in->dict, o->category, o->metrics);
    return s->metrics ? TR_OK : tr_fail_memory(err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct metrics_state *s = state;
    (void)t;
    const uint8_t *sampled = s->in.select ? tr_select_before_where(s->in.select, keep) : keep;
    return tr_metrics_feed(s->metrics, b, keep, sampled, err);
}

/* Ranges that cannot be matched to launches are not an error, but the user is warned. */
static void remark_found(struct metrics_state *s)
{
    const struct tr_metrics_unmatched *of;
    size_t n;
    const struct tr_metrics_found *found = tr_metrics_found(s->metrics, &of, &n);
    for (size_t i = 0; i < n; i++)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, found->sources > 1 ? tr_dict_str(s->in.dict, of[i].name) : "",
                           "%" PRIu64 " counter ranges and %" PRIu64
                           " launches of kernels: they cannot be matched",
                           of[i].ranges, of[i].launches);
    s->warned = !found->ranges && (!found->samples || s->options->by == TR_METRICS_RANGE);
    if (s->warned)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "",
                           "no hardware counters: no event has the category of counter ranges");
    /* how many kernels got metrics from files, and a doubt about whose they are */
    if (found->ambiguous)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "",
                         "a metric file names no rank, and kernels of several ranks match an instance of it: it counts "
                           "with the first of them");
    if (found->joined)
        tr_analysis_remark(&s->in, TR_REMARK_DETAIL, NULL, "kernels with metrics of a metric file: %" PRIu64,
                           found->joined);
    s->files = found->files;
}

/* A value of something without a length, or that is not a count, cannot be divided by time. */
static enum tr_status check_throughput(const struct metrics_state *s, struct tr_error *err)
{
    const struct tr_metrics_unmatched *of;
    const char *name;
    size_t n;
    bool real, some = false, sampled = tr_metrics_sampled(s->metrics);
    if (!s->options->throughput)
        return TR_OK;
    if (sampled && tr_metrics_found(s->metrics, &of, &n)->samples)
        return tr_fail(err, TR_ABSENT, "no counter ranges: samples of series cover no time, so there is no throughput");
    for (size_t k = 0; (name = tr_metrics_counter(s->metrics, k, &real)) != NULL; k++)
        some |= adds(s, k, name);
    return some || sampled
               ? TR_OK
               : tr_fail(err, TR_ABSENT, "percentages, rates and times have no throughput, and there are no other "
                                         "metrics");
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct metrics_state *s = state;
    return tr_metrics_complete(s->metrics, s->in.select, err);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct metrics_state *s = state;
    const struct tr_metrics_row *rows;
    size_t n;
    remark_found(s);
    enum tr_status st = tr_metrics_finish(s->metrics, (enum tr_metrics_by)s->options->by, &rows, &n, err);
    if (st == TR_OK)
        st = check_throughput(s, err);
    if (st == TR_OK) {
        columns(&s->in, s->options, t);
        st = metric_columns(s, t) ? TR_OK : tr_fail_memory(err);
    }
    for (size_t i = 0; st == TR_OK && i < n; i++)
        st = add_row(t, s, &rows[i]) ? tr_table_status(t, err) : tr_fail_memory(err);
    return st;
}

static const char *why(const void *state)
{
    const struct metrics_state *s = state;
    return s->warned                        ? NULL
           : tr_metrics_sampled(s->metrics) ? "no kernel that is selected ran while a sample was taken"
                                            : "no counter range is selected";
}

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    return tr_metrics_save(((struct metrics_state *)state)->metrics, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    return tr_metrics_load(((struct metrics_state *)state)->metrics, in, err);
}

const struct tr_metrics_options tr_metrics_defaults = TR_METRICS_DEFAULTS;
static const char *const keys[] = { "range", "kernel", "operator", "stack", "instance", NULL };
const struct tr_option tr_metrics_settings[] = {
    { 0, "key", "KEY", TR_OPTION_CHOICE, offsetof(struct tr_metrics_options, by), .choices = keys, .hidden = true },
    { 0, "throughput", NULL, TR_OPTION_FLAG, offsetof(struct tr_metrics_options, throughput), .shown = true,
      .help = "divide counters by the time of their kernels: bytes become GB/s" },
    { 0, "metrics", "LIST", TR_OPTION_TEXT, offsetof(struct tr_metrics_options, metrics),
      .help = "only these metrics, in this order" },
    { 0, "category", "CAT", TR_OPTION_TEXT, offsetof(struct tr_metrics_options, category),
      .help = "category of the ranges [" TR_METRICS_CATEGORY "]" },
    { 0 },
};

const struct tr_analysis tr_analysis_metrics = {
    .name = "metrics",
    .question = "What did the hardware counters count for kernels and operators?",
    .nothing = "no counter range is selected",
    .groups = TR_PER_BIT(TR_PER_RANK),
    .group = TR_PER_RANK,
    TR_OPTIONS(tr_metrics_settings, tr_metrics_defaults),
    /* which keys are counters is known only from the ranges */
    .needs = { .want = { .fixed = TR_FIXED_ALL, .all_packed = true,
                         .derived = 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK },
               .host = true },
    .columns = columns,
    .late = true,
    .state_size = sizeof(struct metrics_state),
    .start = start,
    .feed = feed,
    .complete = complete,
    .finish = finish,
    .why = why,
    .free = release,
    .saving = &(const struct tr_saving){ .version = 1, .whole_ranks = true, .tables = tr_metrics_saved,
                                         .n_tables = TR_METRICS_TABLES, .save = save, .load = load },
};
