/* SPDX-License-Identifier: MIT */
/* analysis FILE...: adds an analysis: the longest event of each activity, as CSV. */
#include <tracepipe.h>

#include <stdio.h>

static void columns(void *ctx, struct tr_table *t)
{
    (void)ctx;
    tr_table_add_column(t, "activity", TR_CELL_STRING, TR_ROLE_KEY, NULL, "what was done");
    tr_table_add_column(t, "longest", TR_CELL_TIME, TR_ROLE_MAX, NULL, "its longest duration");
}
static enum tr_status feed(void *ctx, const struct tr_batch *b, struct tr_table *t, struct tr_error *err)
{
    int64_t *longest = ctx;
    (void)t, (void)err;
    for (size_t i = 0; i < tr_batch_count(b); i++)
        if (tr_batch_dur(b)[i] > longest[tr_batch_activity(b)[i]]) /* an absent duration is below 0 */
            longest[tr_batch_activity(b)[i]] = tr_batch_dur(b)[i];
    return TR_OK;
}
static enum tr_status finish(void *ctx, struct tr_table *t, struct tr_error *err)
{
    const int64_t *longest = ctx;
    (void)err;
    for (unsigned a = 0; a < 256; a++)
        if (longest[a])
            tr_table_put_text(t, tr_activity_name(a), SIZE_MAX), tr_table_put_time(t, longest[a]);
    return TR_OK;
}
static enum tr_status put(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    return fwrite(bytes, 1, n, ctx) == n ? TR_OK : tr_fail(err, TR_SYSTEM, "cannot write");
}
int main(int argc, char **argv)
{
    static const struct tr_analysis_def def = { sizeof def, "longest", "Which is longest?", columns, feed, finish };
    int64_t longest[256] = { 0 }; /* activities are bytes */
    char text[1400];
    struct tr_error *err = tr_error_new();
    struct tr_report *report = tr_report_new();
    struct tr_trace *trace = NULL;
    enum tr_status st = tr_trace_open(&trace, (const char *const *)argv + 1, (size_t)argc - 1, NULL, err);
    if (st == TR_OK && (st = tr_report_add_own(report, &def, longest, err)) == TR_OK &&
        (st = tr_report_run(report, trace, err)) == TR_OK)
        st = tr_table_print(tr_report_table(report, 0), "csv", put, stdout, err);
    if (st != TR_OK)
        fprintf(stderr, "analysis: %s\n", tr_error_text(err, text, sizeof text));
    tr_report_free(report), tr_trace_close(trace), tr_error_free(err);
    return st != TR_OK;
}
