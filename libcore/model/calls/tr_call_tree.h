/* SPDX-License-Identifier: MIT */
/*
 * Complete call trees: the spans inside every span.
 *
 * Nodes are the spans of a stream in canonical order, host and device.  tr_call_path.h defines the parent of a host
 * span.  The parent of device work, and of a wait on the device, is its launch, or the span of the host from which an
 * arrow of an operator leads to it (tr_work_arrows.h); a span may have any number of children.  A node without a parent
 * is a root.  Annotations on the device, and device work without a known launch, are
 * in no tree.
 *
 *   depth    0 for a root; for device work, that of its launch + 1
 *   height   0 for device work; for a host span, 1 + the largest height of its children, or 1
 *            without children
 *   kernels  device work (kernels, copies, memsets; not waits) below a node, and the node itself if it is
 *            device work; also their sum, earliest start and latest end
 *   self     the time of a host span in which none of its children on its thread runs
 *   forward  of a host operator: the operator of the forward pass whose gradient it computes, from
 *            flows of category fwdbwd, or else from a common arg "Sequence number"
 *
 * tr_call_tree_finish may join the thread of the backward pass to the main thread.  This needs a source in which
 * exactly one host thread has numbered steps, and exactly one other thread has a span with "autograd::" in its name.
 * Roots of that other thread inside an annotation "## backward ##" of the main thread, or inside a step if there is no
 * such annotation, become children of the innermost such range.
 *
 * Memory: 80 bytes per span; 48 to 96 per launch while the sums are calculated, per sequence number, and per fwdbwd
 * flow whose other end has not come yet.  Not shared between threads.
 */
#ifndef TR_CALL_TREE_H
#define TR_CALL_TREE_H

#include "model/calls/tr_call_path.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_NO_NODE UINT32_MAX

struct tr_call_node {
    int64_t ts;
    int64_t dur;       /* ns; 0 if impossible, INT64_MAX if the span never ends */
    int64_t self;      /* ns; INT64_MAX as dur; device: 0 */
    uint64_t record;
    int64_t kernel_sum, first_kernel, last_kernel; /* ns; the latter two only if there are kernels */
    uint32_t parent, forward; /* node or TR_NO_NODE */
    uint32_t track, name;
    uint32_t kernels;
    unsigned depth : 14, height : 13; /* at most 16383 and 8191 */
    unsigned activity : 4;
    unsigned in_tree : 1; /* 0: it is in no tree */
};

struct tr_call_tree;

struct tr_call_tree *tr_call_tree_new(const struct tr_dict *dict); /* NULL: out of memory */
void tr_call_tree_free(struct tr_call_tree *s);

/* The next batch; keep: one byte per event, NULL: all.  TR_OK or TR_SYSTEM. */
enum tr_status tr_call_tree_feed(struct tr_call_tree *s, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err);

/* After the last batch.  The nodes are owned by s. */
enum tr_status tr_call_tree_finish(struct tr_call_tree *s, bool join_backward, const struct tr_call_node **nodes,
                                   size_t *n, struct tr_error *err);

/* The duration of a node by which its event is ordered (tr_order_dur), while dur is the one that counts. */
int64_t tr_call_tree_order_dur(const struct tr_call_tree *s, size_t node);

#ifdef __cplusplus
}
#endif
#endif
