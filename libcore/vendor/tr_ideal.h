/* SPDX-License-Identifier: MIT */
/*
 * Ideal cycles: how many cycles does a kernel take if its device only computes?  The compiler of IBM's AIU writes them
 * to a log.
 *
 *     struct tr_ideal ideal = { 0 };
 *     st = tr_ideal_log(&ideal, 0, text, len, &err);
 *     ...ideal.tables[t].rows...
 *     tr_ideal_free(&ideal);
 *
 * A log has a table for each compiled graph:
 *
 *        DECODING                                              the phase of the next tables, or PREFILL
 *     ~~~~ Ideal/Total Cycles ~~~~                             starts a table
 *     add-opCatBmm_fp16                          46127         kernel, category, cycles
 *     noop-NA                                    0             category NotAvailable
 *     Total                                      46127         the sum in the log
 *     ====== Perf Summary End ======                           ends it
 *
 * Rows with "Precompute" or "-LxPreload" in their names run at another time, and are left out.  If a kernel has several
 * rows, the first counts.  After "DSM-AutoPilot BEGIN", the kernels of the trace cannot be distinguished: only the sum
 * is useful.  Other lines are skipped.
 */
#ifndef TR_IDEAL_H
#define TR_IDEAL_H

#include "base/tr_status.h"
#include "base/tr_str.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_IDEAL_TOTAL "Total"

struct tr_ideal_row {
    char *kernel, *category; /* category NULL: the row is the sum */
    int64_t cycles;
};

struct tr_ideal_table {
    size_t file;                    /* number of the file it was read from, from 0 */
    char *phase;                    /* "PREFILL", "DECODING", or "UNKN" */
    bool autopilot;
    struct tr_ideal_row *rows;      /* as in the log */
    uint32_t *by_name;              /* their numbers, by kernel, without the sum */
    size_t n_rows, cap_rows, n_by_name;
    int64_t total;                  /* cycles: the sum in the log, else the sum of the rows */
};

struct tr_ideal {
    struct tr_ideal_table *tables;
    size_t n_tables, cap_tables, n_files;
};

/* Add the tables of a log, as file number ideal->n_files.  TR_OK; TR_NO: it has none; TR_SYSTEM. */
enum tr_status tr_ideal_log(struct tr_ideal *ideal, const char *text, size_t len, struct tr_error *err);

/* Add a table; add a row to the last one, unless the kernel is there already; end it.  False: out of memory. */
bool tr_ideal_start(struct tr_ideal *ideal, const char *phase, bool autopilot);
bool tr_ideal_add(struct tr_ideal *ideal, struct tr_str kernel, struct tr_str category, int64_t cycles);
bool tr_ideal_end(struct tr_ideal *ideal);

/* The row of a kernel; NULL: none. */
const struct tr_ideal_row *tr_ideal_find(const struct tr_ideal_table *t, struct tr_str kernel);

/* Free the tables and their rows; afterwards it is empty. */
void tr_ideal_free(struct tr_ideal *ideal);

#ifdef __cplusplus
}
#endif
#endif
