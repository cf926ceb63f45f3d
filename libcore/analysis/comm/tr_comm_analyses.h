/* SPDX-License-Identifier: MIT */
/*
 * Collectives across ranks: their times, mismatches, stragglers and exchanges.
 *
 * The analyses of this folder and their options.  A member of an option struct is zero unless its defaults set it.
 * The description of an analysis (struct tr_analysis) has its question and its columns; the pages of the programs
 * describe the options.
 *
 * Central: struct tr_collective_times.
 */
#ifndef TR_COMM_ANALYSES_H
#define TR_COMM_ANALYSES_H

#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Collectives across ranks: tr_collective_times.h.  Each collective; each member; mismatches; sums by name, by size,
 * by process group; the ranks that others waited for, also by step.
 */
struct tr_comm_options {
    uint64_t gpus_per_node; /* ranks of a node; 0: unknown */
};
extern const struct tr_analysis tr_analysis_collective, tr_analysis_member, tr_analysis_mismatch;
extern const struct tr_analysis tr_analysis_comm_name, tr_analysis_comm_size, tr_analysis_comm_group;
extern const struct tr_analysis tr_analysis_straggler;
/* The stages of each step, without a common clock: tr_stages.h. */
extern const struct tr_analysis tr_analysis_stage;
/* Waits of the stages of a pipeline for each other. */
extern const struct tr_analysis tr_analysis_bubble;
/* All-to-alls of different sizes (alltoallv), and what each rank sends to each other in them. */
extern const struct tr_analysis tr_analysis_exchange, tr_analysis_pair;
/* Dumps of flight recorders of a job that hangs: which call it waits for, and whose fault that is. */
extern const struct tr_analysis tr_analysis_verdict;
/* Logs of NCCL's inspector: each collective, how long it took on its ranks, and which came last. */
extern const struct tr_analysis tr_analysis_log;
/* Sums of these by communicator, name and size; the ranks that others waited for. */
extern const struct tr_analysis tr_analysis_log_group, tr_analysis_log_name, tr_analysis_log_size;
extern const struct tr_analysis tr_analysis_log_rank;
/* Traces and dumps of flight recorders together: each rank in each collective that both have. */
extern const struct tr_analysis tr_analysis_joined;

#ifdef __cplusplus
}
#endif
#endif
