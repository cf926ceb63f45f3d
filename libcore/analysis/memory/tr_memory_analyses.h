/* SPDX-License-Identifier: MIT */
/*
 * Device memory, from allocation events.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_memory.
 */
#ifndef TR_MEMORY_ANALYSES_H
#define TR_MEMORY_ANALYSES_H

#include "analysis/memory/tr_memory.h"
#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Device memory from allocation events: tr_memory.h.  Over time, at the peak, at the end. */
struct tr_memory_options {
    int by; /* enum tr_memory_by: key of the allocations */
};
extern const struct tr_analysis tr_analysis_memory_series, tr_analysis_memory_peak, tr_analysis_memory_end;
/* Sums of the same.  No options. */
extern const struct tr_analysis tr_analysis_memory_summary;

#ifdef __cplusplus
}
#endif
#endif
