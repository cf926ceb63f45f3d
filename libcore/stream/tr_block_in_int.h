/* SPDX-License-Identifier: MIT */
/*
 * Blocks coming in: read, checked for themselves, events decoded.  Internal to libcore.
 *
 * This is the part of reading that needs little of the dictionary, so a thread of its own can do it
 * ahead of the reader.  To decode events one has to know the columns and shapes, and how many
 * strings and tracks there are.  The strings are counted by the blocks that bring them; whether
 * they really do the reader finds out before it gets at any event after them.  After every other
 * block of the dictionary the thread waits until the reader has taken it in.
 *
 * So while the thread is at work, the reader may add strings to the dictionary at any time, and
 * anything else only between two calls of tr__blocks_next.
 */
#ifndef TR_BLOCK_IN_INT_H
#define TR_BLOCK_IN_INT_H

#include "stream/tr_block_int.h"
#include "stream/tr_reader.h"
#include "stream/tr_projection_int.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr__block_in {
    struct tr_block block;
    enum tr_status st;   /* TR_OK, or why there is no such block */
    struct tr_error err; /* if not */
    bool cut;            /* it is missing because the input has ended */
    uint32_t number;     /* blocks before it */
    uint64_t at, end;    /* its first byte in the input, the one after the last that was read */
    uint64_t chain;      /* of all blocks up to this one, the trailer left out */
    unsigned char *stored;
    size_t cap_stored;
    bool decoded; /* if it holds events: they are in view, or decode_st and err say why not */
    enum tr_status decode_st;
    uint32_t n_strings; /* that its events may use */
    struct tr__view view;
    uint32_t n_phase[TR_N_PHASES]; /* events of each phase */
};

struct tr__blocks;

/*
 * Read the preamble.  dict belongs to the reader and has to outlive this; from is copied, and left
 * to the caller on failure.
 */
enum tr_status tr__blocks_open(struct tr__blocks **out, const struct tr_stream_bytes *from,
                               const struct tr_dict *dict, struct tr_error *err);

/* Release, but do not close what it reads. */
void tr__blocks_abandon(struct tr__blocks *b);

/*
 * Close what it reads and release.  A thread that waits for input does so itself when its read
 * returns, which may be later.
 */
void tr__blocks_close(struct tr__blocks *b);

/* Which columns of events are decoded: as tr_input_want. */
bool tr__blocks_want(struct tr__blocks *b, const struct tr_projection *want);
const struct tr__wanted *tr__blocks_wanted(const struct tr__blocks *b);

/* Read so many blocks ahead from the next call on.  Nothing happens if no thread can be started. */
void tr__blocks_ahead(struct tr__blocks *b, unsigned n_blocks);

/*
 * The next block, or in its place what kept it from being read.  The block before it has been taken
 * in, and is overwritten.  Not to be called after a trailer or a failure.
 */
const struct tr__block_in *tr__blocks_next(struct tr__blocks *b);

/*
 * The events of the block that came last, whose times are in the range that its header names, and how many
 * there are of each phase.
 */
enum tr_status tr__blocks_events(struct tr__blocks *b, const struct tr_batch **events,
                                 const uint32_t **n_phase, struct tr_error *err);

/* After the trailer: does the input go on? */
enum tr_status tr__blocks_more(struct tr__blocks *b, bool *more, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
