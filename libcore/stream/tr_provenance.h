/* SPDX-License-Identifier: MIT */
/*
 * Provenance: the program runs that produced a stream.
 *
 * Each run has a record, numbered from 0.  Its parents are the runs whose output it read.  Parents come before their
 * children, so the records form a graph without cycles.  A filter adds one record, whose parent is the last run of its
 * input.  A merge appends the records of all inputs, and adds one record with several parents.
 *
 *     uint32_t head;
 *     tr_provenance_append(p, in->provenance, &head);
 *     tr_provenance_add_last(p, "tr-filter", "0.1.0", "tr-filter 'dur > 1ms' run.trs");
 *
 * Not shared between threads while it grows.
 */
#ifndef TR_PROVENANCE_H
#define TR_PROVENANCE_H

#include "base/tr_mem.h"
#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_NO_RUN UINT32_MAX

struct tr_run {
    char *program, *version, *command;
    uint32_t *parents;
    size_t n_parents;
};

struct tr_provenance {
    struct tr_run *runs;
    size_t n, cap;
};

struct tr_provenance *tr_provenance_new(void); /* empty; NULL: out of memory */
void tr_provenance_free(struct tr_provenance *p);

/*
 * Add a run; texts and parents are copied.
 *
 * parents  numbers of earlier runs of p; TR_NO_RUN among them is left out
 * number   receives the number of the new run; may be NULL
 *
 * False: out of memory.
 */
bool tr_provenance_add(struct tr_provenance *p, const char *program, const char *version,
                       const char *command, const uint32_t *parents, size_t n_parents,
                       uint32_t *number);

/*
 * Add the run that reads the results of all other runs: its parents are the runs that are not parents of another run.
 * False: out of memory.
 */
bool tr_provenance_add_last(struct tr_provenance *p, const char *program, const char *version,
                            const char *command);

/*
 * Append copies of all runs of another graph (which may be NULL).
 *
 * head  receives the number in p of the last run of other, or TR_NO_RUN if other has no runs
 *
 * False: out of memory.
 */
bool tr_provenance_append(struct tr_provenance *p, const struct tr_provenance *other,
                          uint32_t *head);

#ifdef __cplusplus
}
#endif
#endif
