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

/* A row of any view; the values of its metrics follow. */
struct shown {
    int64_t rank, start, dur, launch, instance, device; /* TR_I64_NONE: unknown */
    uint64_t record, count, samples;
    uint32_t name, top, bottom; /* top, bottom: the outermost and innermost operators; TR_NO_STR: none */
    struct tr_str stack;
};

union value {
    int64_t i;
    double d;
};

static const struct tr_table_column rank_column = { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct shown, rank),
                                                    .meaning = "the rank" };
static const struct tr_table_column range_columns[] = {
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct shown, record), .meaning = "index of the range in its file" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct shown, name), .none = "", .names = true,
      .meaning = "the kernel" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct shown, start), .extra = true,
      .meaning = "start, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct shown, dur), .meaning = "its duration" },
    { "launch_record", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct shown, launch), .extra = true,
      .meaning = "index of the launch in its file" },
    { "op_stack", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct shown, stack), .wide = true, .extra = true,
      .meaning = "operators around the launch, outermost first" },
    { "top_op", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct shown, top), .quiet = TR_QUIET_0, .names = true,
      .meaning = "the outermost of them" },
    { "bottom_op", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct shown, bottom), .extra = true, .names = true,
      .meaning = "the innermost of them" },
};
static const struct tr_table_column instance_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct shown, name), .names = true, .meaning = "the kernel" },
    { "instance", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct shown, instance),
      .meaning = "number of the kernel among those of this name in its rank, from 1; in a metric file, on its device" },
    { "record", TR_CELL_COUNT, TR_ROLE_TEXT, TR_OF(struct shown, record), .extra = true,
      .meaning = "index of the range or kernel in its file" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct shown, start), .extra = true,
      .meaning = "start, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct shown, dur), .meaning = "its duration" },
    { "operator", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct shown, bottom), .extra = true, .names = true,
      .meaning = "the innermost operator around its launch" },
    { "samples", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct shown, samples),
      .meaning = "1 for a range; for a kernel, counter events while it ran; for a metric file, its rows" },
    { "device", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct shown, device), .quiet = TR_QUIET_SAME,
      .meaning = "device of the kernel or metric file" },
};
static const struct tr_table_column count_column = { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct shown, count),
                                                     .meaning = "number of ranges, or of kernels with samples" };

/* "ffma.sum" becomes ffma.sum_per_ns, and "READ[bytes]" READ_GBps: bytes per ns are GB/s.  False: out of memory. */
static bool rate_column(const char *name, size_t at, struct tr_buf *text, struct tr_table *t)
{
    bool bytes = tr_metric_is_bytes(name);
    text->len = 0;
    if (!tr_buf_add_text(text, tr_metric_base(name)) || !tr_buf_add_str(text, bytes ? "_GBps" : "_per_ns") ||
        !tr_buf_add(text, "", 1))
        return false;
    const struct tr_table_column rate = { (const char *)text->data, TR_CELL_DOUBLE, TR_ROLE_RATIO,
                                          .member = TR_MEMBER_REAL, .at = at, .unit = bytes ? "GB/s" : NULL,
                                          .meaning = "a metric of the trace, divided by the time of its kernels" };
    tr_table_columns(t, &rate, 1);
    return true;
}

/* Is it right to add a metric up?  So it has a throughput, too. */
static bool adds(const struct metrics_state *s, size_t k, const char *name)
{
    return tr_metric_counts(name) && (!s->files || tr_metrics_adds(s->metrics, k));
}

/* Columns of metrics, whose values stand after a row.  False: out of memory. */
static bool metric_columns(const struct metrics_state *s, struct tr_table *t)
{
    const char *name;
    struct tr_buf text = { 0 };
    size_t at = sizeof(struct shown);
    bool real, ok = true, sampled = tr_metrics_sampled(s->metrics);
    for (size_t k = 0; ok && (name = tr_metrics_counter(s->metrics, k, &real)) != NULL;
         k++, at += sizeof(union value)) {
        const struct tr_table_column metric = { name, real || sampled ? TR_CELL_DOUBLE : TR_CELL_INT,
                                                !sampled && (adds(s, k, name) || tr_metric_is_time(name))
                                                    ? TR_ROLE_SUM
                                                    : TR_ROLE_QUANTILE,
                                                .member = real || sampled ? TR_MEMBER_REAL : TR_MEMBER_I64,
                                                .at = at,
                                                .meaning = "a metric of the trace" };
        if (!s->options->throughput)
            tr_table_columns(t, &metric, 1);
        else if (adds(s, k, name))
            ok = rate_column(name, at, &text, t);
    }
    tr_buf_free(&text);
    return ok;
}

static void columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    const struct tr_metrics_options *o = options;
    (void)in;
    tr_table_columns(t, &rank_column, 1);
    if (o->by == TR_METRICS_RANGE) {
        tr_table_columns(t, range_columns, sizeof range_columns / sizeof *range_columns);
    } else if (o->by == TR_METRICS_INSTANCE) {
        tr_table_columns(t, instance_columns, sizeof instance_columns / sizeof *instance_columns);
    } else {
        static const struct tr_table_column keys[] = {
            [TR_METRICS_KERNEL] = { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct shown, name), .none = "",
                                    .names = true, .meaning = "the kernel" },
            [TR_METRICS_OPERATOR] = { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct shown, bottom), .names = true,
                                      .meaning = "the innermost operator around the launch" },
            [TR_METRICS_STACK] = { "op_stack", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct shown, stack),
                                   .meaning = "operators around the launch, outermost first" },
        };
        tr_table_columns(t, &keys[o->by], 1);
        tr_table_columns(t, &count_column, 1);
    }
}

/* ---- rows ---- */

/* A row without its metrics; text: for its stack.  False: out of memory. */
static bool show(const struct metrics_state *s, const struct tr_metrics_row *r, struct tr_buf *text, struct shown *to)
{
    const struct tr_stacks *stacks = tr_metrics_stacks(s->metrics);
    *to = (struct shown){ .rank = r->rank < 0 ? TR_I64_NONE : r->rank,
                          .start = r->start,
                          .dur = r->dur,
                          .launch = r->launched ? (int64_t)r->launch : TR_I64_NONE,
                          .instance = r->instance == TR_METRICS_NO_INSTANCE ? TR_I64_NONE : (int64_t)r->instance,
                          .device = r->device,
                          .record = r->record,
                          .count = r->count,
                          .samples = r->samples,
                          .name = r->name,
                          .top = TR_NO_STR,
                          .bottom = TR_NO_STR };
    if (r->stack == TR_STACK_NONE)
        return true;
    to->top = stacks->frames[tr_stacks_at(stacks, r->stack, 0)].name;
    to->bottom = stacks->frames[r->stack].name;
    bool shows_stack = s->options->by == TR_METRICS_RANGE || s->options->by == TR_METRICS_STACK;
    text->len = 0;
    bool ok = !shows_stack || tr_stacks_text(stacks, s->in.dict, r->stack, "|", text);
    to->stack = (struct tr_str){ text->data ? (const char *)text->data : "", text->len };
    return ok;
}

/* Metrics of counts are sums, samples of series are means. */
static union value value_of(const struct metrics_state *s, const struct tr_metrics_cell *c, bool real)
{
    double sum = tr_metric_number(c->sum);
    if (s->options->throughput)
        return (union value){ .d = c->time > 0 ? sum / c->time : NAN };
    if (c->mean || tr_metrics_sampled(s->metrics))
        return (union value){ .d = sum / (double)c->n };
    if (real)
        return (union value){ .d = sum };
    return (union value){ .i = c->sum.is == TR_METRIC_NONE ? TR_I64_NONE : c->sum.v.i };
}

static enum tr_status add_rows(const struct metrics_state *s, const struct tr_metrics_row *rows, size_t n,
                               struct tr_table *t, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    size_t n_metrics = 0;
    bool real;
    while (tr_metrics_counter(s->metrics, n_metrics, &real))
        n_metrics++;
    struct shown *row = malloc(sizeof *row + n_metrics * sizeof(union value));
    union value *values = row ? (union value *)(void *)(row + 1) : NULL;
    bool ok = row != NULL;
    enum tr_status st = TR_OK;
    for (size_t i = 0; ok && st == TR_OK && i < n; i++) {
        ok = show(s, &rows[i], &text, row);
        for (size_t k = 0; k < n_metrics; k++) {
            tr_metrics_counter(s->metrics, k, &real);
            values[k] = value_of(s, &rows[i].metrics[k], real);
        }
        tr_table_row(t, &(struct tr_row){ .row = row });
        st = tr_table_status(t, err);
    }
    free(row);
    tr_buf_free(&text);
    return ok ? st : tr_fail_memory(err);
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
    return st == TR_OK ? add_rows(s, rows, n, t, err) : st;
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
