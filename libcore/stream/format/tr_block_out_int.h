/* SPDX-License-Identifier: MIT */
/*
 * The frame of a stream that is being written: blocks in order, numbered, chained and indexed.  Internal to libcore.
 *
 * Payloads are built in f.payload, or in f.out after room for the header.  Rows are built in f.row.
 */
#ifndef TR_BLOCK_OUT_INT_H
#define TR_BLOCK_OUT_INT_H

#include "stream/format/tr_index_int.h"
#include "stream/format/tr_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr__block_out {
    struct tr_sink sink;
    struct tr__packer *pack; /* for all blocks except event blocks; NULL: not compressed */
    uint64_t offset;         /* bytes given to the sink */
    uint32_t n_blocks;
    struct tr__index index;
    struct tr__trailer trailer; /* counts and chain so far */
    struct tr_buf out, payload, row;
};

void tr__block_out_free(struct tr__block_out *f); /* what it holds */

enum tr_status tr__block_out_start(struct tr__block_out *f, struct tr_error *err); /* writes the preamble */

/* Complete the header in the first TR_BLOCK_BYTES of f->out, and send the header and the payload.  b has type, codec,
 * n_items, raw, range and check. */
enum tr_status tr__block_send(struct tr__block_out *f, struct tr_block *b, uint32_t source_min,
                              uint32_t source_max, struct tr_error *err);

/* Send f->payload as a block without events, and empty it. */
enum tr_status tr__payload_send(struct tr__block_out *f, enum tr_block_type type, uint32_t n_items,
                                struct tr_error *err);

/* Send the index of all blocks since the last one. */
enum tr_status tr__index_send(struct tr__block_out *f, struct tr_error *err);

/*
 * Append f->row to a payload that has *n_items rows, and empty it.  If the row would make the block too large, the
 * block is sent first; the next one starts with head (or nothing).
 */
enum tr_status tr__row_add(struct tr__block_out *f, enum tr_block_type type, uint32_t *n_items,
                           const struct tr_buf *head, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
