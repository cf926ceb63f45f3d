/* SPDX-License-Identifier: MIT */
/* ask FILE: the busy time of each rank and step, asked by a thread for each rank of a trace that is read once. */
#include <tracepipe.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>

enum { MAX_RANKS = 64 };
static struct tr_dataset *set;
static struct tr_report *reports[MAX_RANKS];

static void *ask(void *report)
{
    struct tr_report **to = report;
    struct tr_error *err = tr_error_new();
    struct tr_trace *trace = NULL;
    char rank[24];
    snprintf(rank, sizeof rank, "%td", to - reports);
    *to = tr_report_new();
    if (tr_dataset_open(set, &trace, NULL, err) != TR_OK || tr_trace_select(trace, "rank", rank, err) != TR_OK ||
        tr_report_add(*to, "breakdown.step", err) != TR_OK || tr_report_run(*to, trace, err) != TR_OK) {
        tr_report_free(*to); /* for one, there is no such rank */
        *to = NULL;
    }
    tr_trace_close(trace);
    tr_error_free(err);
    return NULL;
}
int main(int argc, char **argv)
{
    struct tr_error *err = tr_error_new();
    struct tr_trace *trace = NULL;
    pthread_t threads[MAX_RANKS];
    if (tr_trace_open(&trace, (const char *const *)argv + 1, (size_t)argc - 1, NULL, err) != TR_OK ||
        tr_dataset_new(&set, trace, err) != TR_OK)
        return 1;
    tr_trace_close(trace);
    for (int i = 0; i < MAX_RANKS; i++)
        pthread_create(&threads[i], NULL, ask, &reports[i]);
    for (int i = 0; i < MAX_RANKS; i++) {
        pthread_join(threads[i], NULL);
        const struct tr_table *t = reports[i] ? tr_report_table(reports[i], 0) : NULL;
        size_t step = tr_table_column_by_name(t, "step"), busy = tr_table_column_by_name(t, "busy");
        for (size_t row = 0; row < tr_table_row_count(t); row++)
            printf("%d\t%" PRId64 "\t%" PRId64 "\n", i, tr_table_cell_int(t, row, step),
                   tr_table_cell_int(t, row, busy));
        tr_report_free(reports[i]);
    }
    return 0;
}
