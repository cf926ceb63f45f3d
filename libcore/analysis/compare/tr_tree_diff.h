/* SPDX-License-Identifier: MIT */
/*
 * The call trees of two runs, laid on each other: what stands where, and where they differ.
 *
 *     struct tr_tree_diff *d = tr_tree_diff_new(TR_TREE_DIFF_POINT, false, max_bytes);
 *     for each run:
 *         tr_tree_diff_start(d, run, in->dict, &err);
 *         while (...)
 *             st = tr_tree_diff_feed(d, b, keep, &err);
 *         st = tr_tree_diff_end(d, &err);
 *     tr_tree_diff_columns(TR_TREE_DIFF_POINT, t);
 *     st = tr_tree_diff_table(d, t, &err);
 *
 * A tree has operators, calls of the device's API, and device work below the call that launched it.  An operator
 * without anything around it is a root; a call without an operator is one if device work is below it.  Below a root,
 * only what leads to device work takes part.  A child without device work takes part, too, if the other run has a child
 * of that name with device work there, and this run has none.
 *
 * Ranks of the runs are paired by number, or in their order if the runs have equally many.  The roots of a rank are
 * ordered by thread, threads by their first root.  Two lists of children (or roots) are matched so:
 *
 *   1. Most names are equal, in order.  Names are compared without hexadecimal numbers and lines of Python files.
 *      Among such matches, those are chosen whose trees agree below for most levels, of at most four.
 *   2. Between two matches, an operator that has a child of a name that the other run has there is replaced by its
 *      children.
 *   3. What is left between two matches is matched by place if it is equally many on both sides, none of it is a call
 *      that launches, and opposite each other are two with device work or two without.
 *   4. Otherwise, operators with a single child are replaced by it, down to the one whose child launches, and the
 *      rest is matched again.
 *   5. Then operators whose children have equal names are matched.
 *
 * What is not matched is on one side only, with everything below it.  A point of difference is the lowest matched node
 * with a child of one side only, or a matched pair of different names.
 *
 * Cost: linear in what is equal.  Lists that differ are compared by pairs; if there are more than 2^20 pairs, in
 * windows of 1024 by 1024, of which each step takes half.
 *
 * Memory: 64 bytes per node, the texts of names, and while a run is read 64 bytes per launch.  One thread at a time.
 */
#ifndef TR_TREE_DIFF_H
#define TR_TREE_DIFF_H

#include "analysis/graphs/tr_graph_calls.h"
#include "stream/tr_batch.h"
#include "stream/tr_projection.h"
#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_tree_diff_view {
    TR_TREE_DIFF_POINT,  /* points of difference, and all that is equal */
    TR_TREE_DIFF_KERNEL, /* device work, each with its point of difference */
    TR_TREE_DIFF_PAIR,   /* names that stand opposite each other */
    TR_TREE_DIFF_NODE,   /* the merged tree */
    TR_N_TREE_DIFF
};

struct tr_tree_diff;

/*
 * suspect    impossible durations of device work count; otherwise they count as 0
 * max_bytes  for nodes and names of both runs; 0: no limit
 *
 * NULL: out of memory.
 */
struct tr_tree_diff *tr_tree_diff_new(enum tr_tree_diff_view view, bool suspect, size_t max_bytes);
void tr_tree_diff_free(struct tr_tree_diff *d);

/*
 * The captures of the graphs that a run launches, before the run is read; borrowed until its end.  Work of such a
 * launch is below the calls that were captured, and these are below the launch, which counts as an operator.
 */
void tr_tree_diff_graphs(struct tr_tree_diff *d, int run, struct tr_graph_calls *graphs);
/* After the end of a run. */
const struct tr_graph_counts *tr_tree_diff_graph_counts(const struct tr_tree_diff *d, int run);

/* The columns of events that a view reads. */
struct tr_projection tr_tree_diff_wants(enum tr_tree_diff_view view);

/*
 * Read a run, the base (0) or the test (1), in canonical order.  dict is borrowed until tr_tree_diff_end.  keep: one
 * byte per event, NULL: all.  TR_OK; TR_SYSTEM: no memory, or more than max_bytes.
 */
enum tr_status tr_tree_diff_start(struct tr_tree_diff *d, int run, const struct tr_dict *dict, struct tr_error *err);
enum tr_status tr_tree_diff_feed(struct tr_tree_diff *d, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err);
enum tr_status tr_tree_diff_end(struct tr_tree_diff *d, struct tr_error *err);

/* Add the columns of a view. */
void tr_tree_diff_columns(enum tr_tree_diff_view view, struct tr_table *t);
/* The rows, after both runs. */
enum tr_status tr_tree_diff_table(struct tr_tree_diff *d, struct tr_table *t, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
