/* SPDX-License-Identifier: MIT */
/*
 * From batches to blocks of events.  Internal to libcore.
 *
 * Events are collected until a block is full.  Full blocks are encoded here or by worker threads, and sent in order.  A
 * block is full if one more event would be too many, or would make it larger than TR_SOFT_RAW bytes.  So the boundaries
 * do not depend on batches or threads.
 */
#ifndef TR_BLOCK_BUILDER_INT_H
#define TR_BLOCK_BUILDER_INT_H

#include "stream/format/tr_block_out_int.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr__block_builder;

/* The frame and the dictionary are borrowed; n_threads 1: no threads. */
enum tr_status tr__block_builder_new(struct tr__block_builder **out, struct tr__block_out *frame,
                                     const struct tr_writer_opts *opts, struct tr_error *err);
void tr__block_builder_free(struct tr__block_builder *c);

void tr__block_builder_start(struct tr__block_builder *c, const struct tr_dict *dict);

/* Call it when the dictionary has new shapes, before they are used. */
enum tr_status tr__block_builder_shapes(struct tr__block_builder *c, struct tr_error *err);

/* Add the events of a batch that a mask keeps (NULL: all); the batch has all fixed columns. */
enum tr_status tr__block_builder_batch(struct tr__block_builder *c, const struct tr_batch *b, const uint8_t *mask,
                                       struct tr_error *err);

/* End the block that is being filled. */
enum tr_status tr__block_builder_cut(struct tr__block_builder *c, struct tr_error *err);

/* Wait until all ended blocks have been sent. */
enum tr_status tr__block_builder_drain(struct tr__block_builder *c, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
