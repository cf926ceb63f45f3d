/* tr-breakdown --by operator: operators and the kernels that they launch. */
#include <config.h>

#include "analysis/tr_sequences.h"
#include "breakdown.h"

#include <inttypes.h>

const struct tr_want breakdown_want_operator = {
    .fixed = TR_WORK_FIXED | TR_WANT(NAME) | TR_WANT(RECORD),
    .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK |
               1u << TR_COL_N_DEVICE,
};

static void columns(struct tr_table *t, enum tr_per per)
{
    tr_group_columns(t, per);
    tr_table_column(t, "name", TR_CELL_STRING, 0);
    tr_table_column(t, "kernel_sequence", TR_CELL_STRING, 0);
    tr_table_column(t, "count", TR_CELL_COUNT, 0);
    tr_table_column(t, "mean_launch_delay", TR_CELL_TIME, 0);
    tr_table_column(t, "mean_queue_delay", TR_CELL_TIME, 0);
    tr_table_column(t, "kernels", TR_CELL_COUNT, 0);
    tr_table_column(t, "kernel_sum", TR_CELL_TIME, 0);
    tr_table_column(t, "operator_sum", TR_CELL_TIME, 0);
}

static bool row(struct tr_table *t, enum tr_per per, const struct tr_dict *d,
                const struct tr_sequences_row *r, struct tr_buf *text)
{
    bool ok = true;
    text->len = 0;
    for (size_t i = 0; ok && i < r->n_work; i++)
        ok = tr_buf_add_str(text, i ? " -> " : "") &&
             tr_buf_add_str(text, tr_dict_str(d, r->work[i]));
    tr_group_cells(t, per, &r->key);
    tr_table_string(t, r->name);
    tr_table_bytes(t, (const char *)text->data, text->len);
    tr_table_count(t, r->count);
    tr_table_time_f(t, tr_stats_mean(&r->launch_delay));
    tr_table_time_f(t, tr_stats_mean(&r->queue_delay));
    tr_table_count(t, r->n_work * r->count);
    tr_table_time(t, tr_stats_sum(&r->work_dur));
    tr_table_time(t, tr_stats_sum(&r->call_dur));
    return ok;
}

static void note_coverage(struct cli *cli, const struct tr_sequences *s)
{
    uint64_t work, unowned;
    tr_sequences_coverage(s, &work, &unowned);
    if (unowned)
        cli_note(cli, "%" PRIu64 " of %" PRIu64 " kernels were launched by no operator", unowned,
                 work);
}

enum tr_status breakdown_operator(struct cli *cli, struct cli_analysis *a, struct cli_names *op,
                                  struct tr_table *t, struct tr_error *err)
{
    struct tr_sequences_opts opts = {
        .work = cli_analysis_work(a, TR_PER_RANK),
        .callers = TR_ACTIVITY_BIT(TR_ACT_CPU_OP) | TR_ACTIVITY_BIT(TR_ACT_COMM_RECORD),
        .match = op->given ? cli_names_match : NULL,
        .match_self = op,
    };
    struct tr_sequences *s = NULL;
    const struct tr_sequences_row *rows;
    const struct tr_batch *b;
    const uint8_t *keep;
    struct tr_buf text = { 0 };
    size_t n = 0;
    opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_KERNEL);
    enum tr_status st =
        tr_sequences_new(&opts, a->in->dict, a->in->summary, a->in->sorted, a->selected, &s, err);
    while (st == TR_OK && (st = cli_analysis_next(a, &b, &keep, err)) == TR_OK)
        st = tr_sequences_feed(s, b, keep, err);
    if (st == TR_END)
        st = op->no_memory ? tr_fail_memory(err) : tr_sequences_finish(s, &rows, &n, err);
    columns(t, opts.work.per);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        st = row(t, opts.work.per, a->in->dict, &rows[i], &text) ? TR_OK : tr_fail_memory(err);
        if (st == TR_OK)
            st = tr_table_status(t, err);
    }
    if (st == TR_OK)
        note_coverage(cli, s);
    tr_buf_free(&text);
    tr_sequences_free(s);
    return st;
}
