/* SPDX-License-Identifier: MIT */
/*
 * Ideal cycles: how many cycles a kernel takes if its device does nothing but compute, as the compiler of IBM's AIU
 * says.
 *
 *     struct tr_ideal ideal = { 0 };
 *     st = tr_ideal_log(&ideal, 0, text, len, &err);
 *     ...ideal.tables[t].rows...
 *     tr_ideal_free(&ideal);
 *
 * A log has a table for each graph that was compiled:
 *
 *        DECODING                                              the phase of the tables after it, or PREFILL
 *     ~~~~ Ideal/Total Cycles ~~~~                             begins a table
 *     add-opCatBmm_fp16                          46127         kernel, category, cycles
 *     noop-NA                                    0             category NotAvailable
 *     Total                                      46127         the sum, as the log says it
 *     ====== Perf Summary End ======                           ends it
 *
 * Rows with "Precompute" or "-LxPreload" in their names run at another time, and are left out.  Of several rows of a
 * kernel, the first counts.  After "DSM-AutoPilot BEGIN", kernels of the trace cannot be told apart: only the sum is
 * of use.  Other lines are passed over.
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
    char *kernel, *category; /* category NULL: of the sum */
    int64_t cycles;
};

struct tr_ideal_table {
    size_t file;                    /* which of the files it was read from, from 0 */
    char *phase;                    /* "PREFILL", "DECODING", or "UNKN" */
    bool autopilot;
    struct tr_ideal_row *rows;      /* as in the log */
    uint32_t *by_name;              /* their numbers, by kernel, without the sum */
    size_t n_rows, cap_rows, n_by_name;
    int64_t total;                  /* cycles: the sum that the log says, else that of the rows */
};

struct tr_ideal {
    struct tr_ideal_table *tables;
    size_t n_tables, cap_tables, n_files;
};

/* Add the tables of a log, as file number ideal->n_files.  TR_OK; TR_NO: it has none; TR_SYSTEM. */
enum tr_status tr_ideal_log(struct tr_ideal *ideal, const char *text, size_t len, struct tr_error *err);

/* Add a table; add a row to the last one, unless the kernel is there already; end it.  False: out of memory. */
bool tr_ideal_begin(struct tr_ideal *ideal, const char *phase, bool autopilot);
bool tr_ideal_add(struct tr_ideal *ideal, struct tr_str kernel, struct tr_str category, int64_t cycles);
bool tr_ideal_end(struct tr_ideal *ideal);

/* The row of a kernel; NULL: none. */
const struct tr_ideal_row *tr_ideal_find(const struct tr_ideal_table *t, struct tr_str kernel);

/* The tables and their rows; afterwards it is empty. */
void tr_ideal_free(struct tr_ideal *ideal);

#ifdef __cplusplus
}
#endif
#endif
