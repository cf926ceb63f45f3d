/* The tables of tr-counters. */
#ifndef COUNTERS_REPORT_H
#define COUNTERS_REPORT_H

#include "analysis/tr_counters.h"
#include "cli/cli_analysis.h"

enum report { REPORT_NONE, REPORT_QUEUE, REPORT_BANDWIDTH, REPORT_FULL };

struct counters {
    struct cli_analysis a;
    int report, series; /* enum report; counter + 1, 0: none */
    uint64_t max_queue;
};

/* The counters that the options ask for, as bits. */
unsigned counters_needed(const struct counters *o);

/* Read all samples and print the table that the options ask for. */
enum tr_status counters_report(struct cli *cli, const struct counters *o, struct tr_counters *c,
                               const struct tr_series *series, size_t n, struct tr_error *err);

#endif
