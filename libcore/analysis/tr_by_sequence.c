/* Operators and the sequences of kernels that they launch. */
#include "analysis/tr_analyses.h"
#include "analysis/tr_sequences.h"
#include "base/tr_mem.h"

#include <inttypes.h>
#include <stdlib.h>

struct state {
    struct tr_analysis_in in;
    const struct tr_sequence_options *options;
    struct tr_sequences *sequences;
};

static const struct tr_table_column own_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .meaning = "the operator" },
    { "kernel_sequence", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "the kernels that it launched, in order" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "calls that launched this sequence" },
    { "mean_launch_delay", TR_CELL_TIME, TR_ROLE_QUANTILE,
      .meaning = "mean time from the start of the call to its first launch" },
    { "mean_queue_delay", TR_CELL_TIME, TR_ROLE_QUANTILE,
      .meaning = "mean time from a launch to the start of its kernel" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "kernels of all these calls" },
    { "kernel_sum", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "their durations added up" },
    { "operator_sum", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "durations of the calls added up" },
};

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_WORK_FIXED | TR_WANT(NAME) | TR_WANT(RECORD);
    n->want.derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK |
                      1u << TR_COL_N_DEVICE;
}

static void release(void *state)
{
    struct state *s = state;
    tr_sequences_free(s->sequences);
    free(s);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state,
                            struct tr_error *err)
{
    const struct tr_sequence_options *o = options;
    struct tr_sequences_opts opts = {
        .work = in->work,
        .callers = TR_ACTIVITY_BIT(TR_ACT_CPU_OP) | TR_ACTIVITY_BIT(TR_ACT_COMM_RECORD),
        .match = o->op.match,
        .match_self = o->op.self,
    };
    struct state *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->in = *in;
    s->options = o;
    opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_KERNEL);
    return tr_sequences_new(&opts, in->dict, in->summary, in->sorted, in->select, &s->sequences, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    (void)t;
    return tr_sequences_feed(s->sequences, b, keep, err);
}

static bool add_row(const struct state *s, const struct tr_sequences_row *r, struct tr_buf *text,
                    struct tr_table *t)
{
    bool ok = true;
    text->len = 0;
    for (size_t i = 0; ok && i < r->n_work; i++)
        ok = tr_buf_add_str(text, i ? " -> " : "") &&
             tr_buf_add_text(text, tr_dict_text(s->in.dict, r->work[i]));
    tr_group_cells(t, s->in.work.per, &r->key);
    tr_table_text(t, r->name);
    tr_table_bytes(t, (const char *)text->data, text->len);
    tr_table_count(t, r->count);
    tr_table_time_f(t, tr_stats_mean(&r->launch_delay));
    tr_table_time_f(t, tr_stats_mean(&r->queue_delay));
    tr_table_count(t, r->n_work * r->count);
    tr_table_time(t, tr_stats_sum(&r->work_dur));
    tr_table_time(t, tr_stats_sum(&r->call_dur));
    return ok;
}

static void tell_coverage(const struct state *s)
{
    uint64_t work, unowned;
    tr_sequences_coverage(s->sequences, &work, &unowned);
    if (unowned)
        tr_analysis_tell(&s->in, TR_TELL_NOTE, "",
                         "%" PRIu64 " of %" PRIu64 " kernels were launched by no operator", unowned, work);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    const struct tr_sequences_row *rows;
    struct tr_buf text = { 0 };
    size_t n = 0;
    enum tr_status st = s->options->op.status ? s->options->op.status(s->options->op.self, err) : TR_OK;
    if (st == TR_OK)
        st = tr_sequences_finish(s->sequences, &rows, &n, err);
    for (size_t i = 0; i < n && st == TR_OK; i++)
        st = add_row(s, &rows[i], &text, t) ? tr_table_status(t, err) : tr_fail_memory(err);
    if (st == TR_OK)
        tell_coverage(s);
    tr_buf_free(&text);
    return st;
}

static const struct tr_sequence_options defaults = { .op = { .match = NULL } };

const struct tr_analysis tr_analysis_operator = {
    .name = "operator",
    .question = "Which operators launch which kernels?",
    .nothing = "no kernel that is selected was launched by an operator",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .defaults = &defaults,
    .needs = needs,
    TR_OWN_COLUMNS(own_columns),
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
};
