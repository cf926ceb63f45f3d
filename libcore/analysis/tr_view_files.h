/* SPDX-License-Identifier: MIT */
/* Options of views whose values are files, and what reads these into the options of analyses. */
#ifndef TR_VIEW_FILES_H
#define TR_VIEW_FILES_H

#include "analysis/tr_capture_files.h"
#include "table/tr_option.h"

/* tr_operator_options: captures of graphs. */
extern const struct tr_option tr_view_operator_files[];
enum tr_status tr_view_operator_ready(void *options, const struct tr_view_host *host, struct tr_error *err);
void tr_view_operator_release(void *options);

/* tr_graph_options: columns of the nodes, from a file or from captures. */
extern const struct tr_option tr_view_graph_files[];
enum tr_status tr_view_graph_ready(void *options, const struct tr_view_host *host, struct tr_error *err);
void tr_view_graph_release(void *options);

/* tr_node_options: execution traces. */
extern const struct tr_option tr_view_node_files[];
enum tr_status tr_view_node_ready(void *options, const struct tr_view_host *host, struct tr_error *err);
void tr_view_node_release(void *options);

/* tr_critpath_options: a path that was saved. */
extern const struct tr_option tr_view_path_files[];
void tr_view_path_release(void *options);

/* tr_critpath_options: what-if rules. */
enum tr_status tr_view_what_if_ready(void *options, const struct tr_view_host *host, struct tr_error *err);
void tr_view_what_if_release(void *options);

/* tr_rules_options: rules; all that come with the library, unless some are given. */
extern const struct tr_option tr_view_rules_files[];
enum tr_status tr_view_rules_ready(void *options, const struct tr_view_host *host, struct tr_error *err);
void tr_view_rules_release(void *options);

/* tr_roofline_options: code that inductor generated, which is the first one; models, peaks, and captures of graphs. */
extern const struct tr_option tr_view_roofline_files[];
enum tr_status tr_view_roofline_ready(void *options, const struct tr_view_host *host, struct tr_error *err);
void tr_view_roofline_release(void *options);

/* tr_findings_options: peaks, captures of graphs, and the models that come with the library. */
extern const struct tr_option tr_view_findings_files[];
enum tr_status tr_view_findings_ready(void *options, const struct tr_view_host *host, struct tr_error *err);
void tr_view_findings_release(void *options);

/* tr_kernel_roofline_options: peaks. */
extern const struct tr_option tr_view_peaks_files[];
void tr_view_peaks_release(void *options);

/* tr_replay_options: schemas. */
extern const struct tr_option tr_view_replay_files[];
enum tr_status tr_view_replay_ready(void *options, const struct tr_view_host *host, struct tr_error *err);
void tr_view_replay_release(void *options);

/* tr_stalls_options: dumps of instructions. */
extern const struct tr_option tr_view_stalls_files[];
void tr_view_stalls_release(void *options);

/* tr_ideal_options: tables of ideal cycles. */
extern const struct tr_option tr_view_ideal_files[];
enum tr_status tr_view_ideal_ready(void *options, const struct tr_view_host *host, struct tr_error *err);
void tr_view_ideal_release(void *options);

/* tr_sum_options: without keys, groups are those of names. */
enum tr_status tr_view_sum_ready(void *options, const struct tr_view_host *host, struct tr_error *err);

#endif
