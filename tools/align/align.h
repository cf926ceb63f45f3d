/* SPDX-License-Identifier: MIT */
/* A part of tr-align: offsets from a file. */
#ifndef ALIGN_H
#define ALIGN_H

#include "analysis/clocks/tr_rank_set.h"
#include "stream/tr_clock.h"

/*
 * Read offset (ns) and drift (10^-12) of each rank from a table of tab-separated values.  The table has a header line
 * as printed by --report; or it has rank, offset in microseconds and perhaps drift in ppm.
 * has_reference: it is known to which rank drifts refer.  If not, drifts are refused if the table has a lower rank than
 * all ranks of the input.
 * TR_OK; TR_DAMAGED: not such a table, or a rank is missing; TR_SYSTEM.
 */
enum tr_status align_offsets_read(const char *path, const struct tr_rank_set *ranks, bool has_reference,
                                  int64_t *offset, int64_t *drift, struct tr_error *err);

#endif
