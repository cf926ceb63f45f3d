/* SPDX-License-Identifier: MIT */
/* busy FILE...: the busy time of the devices of each rank, in ns. */
#include <tracepipe.h>

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct tr_error *err = tr_error_new();
    struct tr_report *report = tr_report_new();
    struct tr_trace *trace = NULL;
    char text[1400];
    enum tr_status st = err && report ? TR_OK : TR_SYSTEM;

    if (st == TR_OK)
        st = tr_trace_open(&trace, (const char *const *)argv + 1, (size_t)argc - 1, NULL, err);
    if (st == TR_OK)
        st = tr_report_add(report, "breakdown.time", err);
    if (st == TR_OK)
        st = tr_report_set(report, "per", "rank", err);
    if (st == TR_OK)
        st = tr_report_run(report, trace, err);
    if (st == TR_OK) {
        const struct tr_table *t = tr_report_table(report, 0);
        size_t rank = tr_table_column_by_name(t, "rank"), busy = tr_table_column_by_name(t, "busy");
        for (size_t row = 0; row < tr_table_row_count(t); row++)
            printf("%" PRId64 "\t%" PRId64 "\n", tr_table_cell_int(t, row, rank), tr_table_cell_int(t, row, busy));
    } else if (err) {
        fprintf(stderr, "busy: %s\n", tr_error_text(err, text, sizeof text));
    }
    tr_report_free(report);
    tr_trace_close(trace);
    tr_error_free(err);
    return st == TR_OK ? 0 : 1;
}
