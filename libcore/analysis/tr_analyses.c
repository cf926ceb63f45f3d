/* SPDX-License-Identifier: MIT */
/* The list of analyses. */
#include "analysis/tr_analyses.h"
#include "analysis/tr_replay.h"

const struct tr_analysis *const tr_analyses[] = {
    &tr_analysis_time,  &tr_analysis_timeline,  &tr_analysis_overlap,    &tr_analysis_type, &tr_analysis_classes,
    &tr_analysis_beside,
    &tr_analysis_idle, &tr_analysis_cause, &tr_analysis_gap, &tr_analysis_step, &tr_analysis_iteration,
    &tr_analysis_stream_idle, &tr_analysis_kernel, &tr_analysis_class, &tr_analysis_annotation,
    &tr_analysis_api,   &tr_analysis_launch,     &tr_analysis_operator, &tr_analysis_category, &tr_analysis_sequence, &tr_analysis_tree,
    &tr_analysis_nesting, &tr_analysis_collective, &tr_analysis_member, &tr_analysis_mismatch,
    &tr_analysis_comm_name, &tr_analysis_comm_size, &tr_analysis_comm_group, &tr_analysis_straggler,
    &tr_analysis_exchange, &tr_analysis_pair,
    &tr_analysis_memory_series, &tr_analysis_memory_peak, &tr_analysis_memory_end,
    &tr_analysis_memory_summary, &tr_analysis_metrics, &tr_analysis_metric_list, &tr_analysis_metric_series,
    &tr_analysis_size,  &tr_analysis_sum, &tr_analysis_graph, &tr_analysis_pattern,    &tr_analysis_rules, &tr_analysis_rules_across,
    &tr_analysis_unmatched,
    &tr_analysis_queue, &tr_analysis_bandwidth,  &tr_analysis_full_queue,
    &tr_analysis_queue_series, &tr_analysis_bandwidth_series, &tr_analysis_busy_series,
    &tr_analysis_power_series, &tr_analysis_waiting_series, &tr_analysis_collective_series, &tr_analysis_power, &tr_analysis_power_kernel,
    &tr_analysis_ideal, &tr_analysis_utilization, &tr_analysis_utilization_category, &tr_analysis_utilization_rank,
    &tr_analysis_stall_kernel, &tr_analysis_stall_instruction, &tr_analysis_stall_cause, &tr_analysis_stall_wait,
    &tr_analysis_critpath, &tr_analysis_critpath_path, &tr_analysis_critpath_edges, &tr_analysis_critpath_counts,
    &tr_analysis_roofline, &tr_analysis_roofline_family, &tr_analysis_replay,
    &tr_analysis_inference, &tr_analysis_phase, &tr_analysis_window,
    &tr_analysis_roofline_kernel, &tr_analysis_roofline_point, &tr_analysis_roofline_roof, &tr_analysis_roofline_precision,
    NULL,
};
