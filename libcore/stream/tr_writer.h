/* SPDX-License-Identifier: MIT */
/*
 * Writing an event stream: tr-stream(5).
 *
 * A writer turns batches into blocks and gives them, in order, to a sink.  It sends what the
 * dictionary has gained before each block of events, so dictionaries may grow while it writes.
 * Block boundaries depend on the events and on block_events alone, not on how the events are spread
 * over batches.
 *
 *     struct tr_writer *w;
 *     struct tr_writer_opts opts = { .codec = TR_CODEC_LZ4 };
 *     st = tr_writer_new(&w, &sink, &opts, &err);
 *     st = tr_writer_begin(w, in->dict, in->summary, provenance, in->sorted, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         if ((st = tr_writer_batch(w, b, &err)) != TR_OK)
 *             break;
 *     if (st == TR_END)
 *         st = tr_writer_finish(w, &err);  (index and trailer: the stream is whole)
 *     else
 *         tr_writer_abandon(w);            (no trailer: every reader will notice)
 *
 * Exactly one of the two ends is called for each writer.  One thread at a time.
 * Once a call has failed, all later ones fail too, and finish writes no trailer.
 */
#ifndef TR_WRITER_H
#define TR_WRITER_H

#include "stream/tr_batch.h"
#include "stream/tr_format.h"
#include "stream/tr_provenance.h"
#include "stream/tr_side_table.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where bytes go.  write takes all len bytes or fails. */
struct tr_sink {
    enum tr_status (*write)(void *ctx, const void *buf, size_t len, struct tr_error *err);
    void *ctx;
};

struct tr_writer_opts {
    enum tr_codec codec; /* none: for pipes, encodings that cost nothing; lz4, zlib: for files */
    int level;           /* of the codec, 0: its default */
    unsigned n_threads;  /* that encode blocks, 0 and 1: the caller's; the output is the same */
    size_t block_events; /* events in a block at most, 0: TR_BATCH_MAX; at most TR_MAX_EVENTS */
};

struct tr_writer;

/*
 * A new writer.  sink is copied, its ctx has to outlive the writer; opts may be NULL.
 * Returns TR_OK, TR_USAGE (unknown codec, too many events per block) or TR_SYSTEM.
 */
enum tr_status tr_writer_new(struct tr_writer **out, const struct tr_sink *sink,
                             const struct tr_writer_opts *opts, struct tr_error *err);

/*
 * Tables to be written, before tr_writer_begin; NULL: none.  Sorted: complete at the begin, and sent before
 * the summary.  Else they are sent by finish.  Borrowed until the writer's end.
 */
void tr_writer_tables(struct tr_writer *w, const struct tr_side_tables *tables);

/*
 * Write what stands before the first event.
 *
 * dict        of all batches to come; borrowed until the writer's end.  It may grow, and rows of
 *             sources and tracks may change, which sends them again
 * summary     of the sources; may be NULL.  Sorted: complete now, and sent now.  Else it is sent by
 *             finish, and has to be complete then; borrowed until the writer's end
 * provenance  runs that led to this stream, this one included; NULL: left out
 * sorted      the events will come in canonical order
 */
enum tr_status tr_writer_begin(struct tr_writer *w, const struct tr_dict *dict,
                               const struct tr_summary *summary,
                               const struct tr_provenance *provenance, bool sorted,
                               struct tr_error *err);

/*
 * Write the events of a batch, all of whose columns are needed.  Events may stay with the writer
 * until a block is full; the batch itself is not needed after the call.
 * Returns TR_OK, TR_USAGE (another dictionary, columns missing), TR_DAMAGED (a string or shape
 * beyond the limits of the format), or what the sink returns.
 */
enum tr_status tr_writer_batch(struct tr_writer *w, const struct tr_batch *b, struct tr_error *err);

/* The same for the events that a mask keeps: one byte per event, 1 keep, 0 leave out. */
enum tr_status tr_writer_select(struct tr_writer *w, const struct tr_batch *b, const uint8_t *mask,
                                struct tr_error *err);

/* Write a block of the events that wait for more; for live streams. */
enum tr_status tr_writer_flush(struct tr_writer *w, struct tr_error *err);


/* Write the rest, index and trailer.  Releases the writer whatever it returns; NULL is allowed. */
enum tr_status tr_writer_finish(struct tr_writer *w, struct tr_error *err);

/* Release the writer without a trailer; NULL is allowed. */
void tr_writer_abandon(struct tr_writer *w);

#ifdef __cplusplus
}
#endif
#endif
