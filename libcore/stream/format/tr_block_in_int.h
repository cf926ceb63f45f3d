/* SPDX-License-Identifier: MIT */
/*
 * Reads blocks, checks each block, and decodes events.  Internal to libcore.
 *
 * This part of reading needs little of the dictionary, so a separate thread can do it in advance.  Decoding needs the
 * columns and shapes, and the numbers of strings and tracks.  The header of a block of strings has their number; the
 * reader checks it before it gives out any event after the block.  After every other block of the dictionary, the
 * thread waits until the reader has processed that block.
 *
 * So while the thread runs, the reader may add strings to the dictionary at any time, and anything else only between
 * two calls of tr__blocks_next.
 */
#ifndef TR_BLOCK_IN_INT_H
#define TR_BLOCK_IN_INT_H

#include "stream/format/tr_block_int.h"
#include "stream/format/tr_projected_int.h"
#include "stream/format/tr_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr__block_in {
    struct tr_block block;
    enum tr_status st;   /* TR_OK, or the failure of reading the block */
    struct tr_error err; /* unless st is TR_OK */
    bool cut;            /* the block is missing because the input has ended */
    uint32_t number;     /* blocks before it */
    uint64_t at, end;    /* its first byte in the input, the one after the last that was read */
    uint64_t chain;      /* of all blocks up to this one, the trailer left out */
    unsigned char *stored;
    size_t cap_stored;
    bool skipped; /* a block of events that are not needed: it has a header only */
    bool decoded; /* of a block of events: they are in view; otherwise decode_st and err have the reason */
    enum tr_status decode_st;
    uint32_t n_strings; /* number of strings that its events may use */
    struct tr__view view;
    uint32_t n_phase[TR_N_PHASES]; /* events of each phase */
};

struct tr__blocks;

/*
 * Read the preamble.  dict belongs to the reader and must outlive this; from is copied, and on failure the caller still
 * owns it.
 */
enum tr_status tr__blocks_open(struct tr__blocks **out, const struct tr_stream_bytes *from,
                               const struct tr_dict *dict, struct tr_error *err);

/* Release, but do not close the input. */
void tr__blocks_abandon(struct tr__blocks *b);

/*
 * Close the input and release.  If a thread waits for input, it does this when its read returns, which may be later.
 */
void tr__blocks_close(struct tr__blocks *b);

/* Choose the columns of events to decode: as tr_input_want. */
bool tr__blocks_want(struct tr__blocks *b, const struct tr_projection *want);
const struct tr__wanted *tr__blocks_wanted(const struct tr__blocks *b);

/* Leave out blocks of events whose times do not meet these, from the next call on, unless a thread reads already. */
void tr__blocks_only(struct tr__blocks *b, const struct tr_needed *times);

/* Read so many blocks in advance, from the next call on.  Without effect if no thread can be started. */
void tr__blocks_ahead(struct tr__blocks *b, unsigned n_blocks);

/* Called from time to time while that thread waits for input: as idle in struct tr_reader_room. */
void tr__blocks_idle(struct tr__blocks *b, enum tr_status (*idle)(void *ctx, struct tr_error *err), void *ctx);

/*
 * The next block, or the reason why there is none.  The block before it has been processed, and is overwritten.  Do not
 * call it after a trailer or a failure.
 */
const struct tr__block_in *tr__blocks_next(struct tr__blocks *b);

/*
 * The events of the block that came last, whose times are in the range that its header names, and how many
 * there are of each phase.
 */
enum tr_status tr__blocks_events(struct tr__blocks *b, const struct tr_batch **events,
                                 const uint32_t **n_phase, struct tr_error *err);

/* After the trailer: are there more bytes? */
enum tr_status tr__blocks_more(struct tr__blocks *b, bool *more, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
