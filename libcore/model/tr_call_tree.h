/* SPDX-License-Identifier: MIT */
/*
 * Call trees as a whole: for every span what lies below it.
 *
 * Nodes are the spans of a stream in canonical order, host and device.  A host span's parent is as in
 * tr_call_path.h; that of device work, and of a wait that the device shows, is its launch, in another
 * tree of nodes than time would tell: one launch may have any number of children.  What has no parent
 * is a root; annotations of the device side and device work without a known launch stand in no tree.
 *
 *   depth    of a root 0; of device work that of its launch + 1
 *   height   of device work 0, of a host span 1 + the largest height below it; without anything
 *            below it 1
 *   kernels  device work (kernels, copies, fills; no waits) below a node, itself included if it is
 *            some; their sum, earliest start and latest end likewise
 *   self     the time of a host span in which none of its children on its thread runs
 *   forward  of a host operator: the operator of the forward pass whose gradient it computes, as
 *            flows of category fwdbwd tell, or else the arg "Sequence number" that both bear
 *
 * tr_call_tree_finish may join the thread of the backward pass to the main one: if exactly one host
 * thread of a source has numbered steps and exactly one other has a span with "autograd::" in its
 * name, the roots of the latter that lie within an annotation "## backward ##" of the main thread, or
 * if there is none within a step, become children of the innermost such range.
 *
 * Memory: 80 bytes per span, 48 to 96 per launch while the sums are made, as many per fwdbwd flow
 * whose other end has not come and per sequence number.  Not shared between threads.
 */
#ifndef TR_CALL_TREE_H
#define TR_CALL_TREE_H

#include "model/tr_call_path.h"

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
    unsigned depth : 14, height : 13; /* cut to the largest that they hold, 16383 and 8191 */
    unsigned activity : 4;
    unsigned in_tree : 1; /* 0: it stands in none */
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

#ifdef __cplusplus
}
#endif
#endif
