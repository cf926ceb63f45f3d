/* SPDX-License-Identifier: MIT */
/* The list of the kinds of findings: of equal impacts, the first one comes first. */
#include "analysis/findings/tr_finding.h"

extern const struct tr_finding_kind tr_finding_fusion, tr_finding_profiler_overhead, tr_finding_graph_breaks;
extern const struct tr_finding_kind tr_finding_data_loading, tr_finding_blocking_call, tr_finding_small_kernels,
    tr_finding_host_bound, tr_finding_late_stage, tr_finding_slow_link, tr_finding_pipeline_bubble,
    tr_finding_imbalance, tr_finding_exposed_comm, tr_finding_exposed_copies, tr_finding_recompute,
    tr_finding_low_roofline, tr_finding_drift, tr_finding_warmup, tr_finding_frequency, tr_finding_memory_growth,
    tr_finding_compute_bound, tr_finding_untrusted_times, tr_finding_nesting, tr_finding_missing_work,
    tr_finding_capture_incomplete, tr_finding_unmatched_ranks, tr_finding_unread_device;

const struct tr_finding_kind *const tr_finding_kinds[] = {
    &tr_finding_untrusted_times,
    &tr_finding_nesting,
    &tr_finding_missing_work,
    &tr_finding_unread_device,
    &tr_finding_capture_incomplete,
    &tr_finding_drift,
    &tr_finding_data_loading,
    &tr_finding_blocking_call,
    &tr_finding_profiler_overhead,
    &tr_finding_graph_breaks,
    &tr_finding_small_kernels,
    &tr_finding_host_bound,
    &tr_finding_straggler,
    &tr_finding_slow_link,
    &tr_finding_pipeline_bubble,
    &tr_finding_imbalance,
    &tr_finding_exposed_comm,
    &tr_finding_exposed_copies,
    &tr_finding_recompute,
    &tr_finding_fusion,
    &tr_finding_low_roofline,
    &tr_finding_frequency,
    &tr_finding_warmup,
    &tr_finding_memory_growth,
    &tr_finding_late_stage,
    &tr_finding_compute_bound,
    &tr_finding_unmatched_ranks,
    NULL,
};
