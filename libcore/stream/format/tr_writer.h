/* SPDX-License-Identifier: MIT */
/*
 * Writing an event stream: tr-stream(5).
 *
 * A writer turns batches into blocks, and passes them in order to a sink.  Before each block of events, it sends the
 * new rows of the dictionary.  So the dictionary may grow while the writer works.  Block boundaries depend only on the
 * events and on block_events, not on the sizes of the batches.
 *
 *     struct tr_writer *w;
 *     struct tr_writer_opts opts = { .codec = TR_CODEC_LZ4 };
 *     st = tr_writer_new(&w, &sink, &opts, &err);
 *     st = tr_writer_start(w, in->dict, in->summary, provenance, in->sorted, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         if ((st = tr_writer_batch(w, b, &err)) != TR_OK)
 *             break;
 *     if (st == TR_END)
 *         st = tr_writer_finish(w, &err);  (index and trailer: the stream is complete)
 *     else
 *         tr_writer_abandon(w);            (no trailer: every reader notices this)
 *
 * For each writer, call exactly one of these two.  One thread at a time.  After a failure, all later calls fail, too,
 * and tr_writer_finish writes no trailer.
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

/* The destination of the bytes.  write takes all len bytes, or fails. */
struct tr_sink {
    enum tr_status (*write)(void *ctx, const void *buf, size_t len, struct tr_error *err);
    void *ctx;
};

struct tr_writer_opts {
    enum tr_codec codec; /* none: for pipes, only the fastest encodings; lz4, zlib: for files */
    int level;           /* of the codec; 0: its default */
    unsigned n_threads;  /* that encode blocks; 0, 1: only the caller's thread; the output is the same */
    size_t block_events; /* largest number of events in a block, up to TR_MAX_EVENTS; 0: TR_BATCH_MAX */
};

struct tr_writer;

/*
 * A new writer.  sink is copied; its ctx must outlive the writer.  opts may be NULL.
 * Returns TR_OK, TR_USAGE (unknown codec, too many events per block) or TR_SYSTEM.
 */
enum tr_status tr_writer_new(struct tr_writer **out, const struct tr_sink *sink,
                             const struct tr_writer_opts *opts, struct tr_error *err);

/*
 * Set the tables to write; NULL: none.  Call it before tr_writer_start.  Tables of a sorted stream are complete at
 * tr_writer_start, and sent before the summary.  Otherwise, tr_writer_finish sends them.  Borrowed until the end of the
 * writer.
 */
void tr_writer_tables(struct tr_writer *w, const struct tr_side_tables *tables);

/*
 * Write everything before the first event.
 *
 * dict        of all batches; borrowed until the end of the writer.  It may grow.  Rows of sources and tracks may
 *             change, and are then sent again
 * summary     of the sources; may be NULL; borrowed until the end of the writer.  Sorted: complete now, and sent now.
 *             Otherwise, tr_writer_finish sends it, and it must be complete then
 * provenance  program runs that produced this stream, including this one; NULL: left out
 * sorted      the events come in canonical order
 */
enum tr_status tr_writer_start(struct tr_writer *w, const struct tr_dict *dict,
                               const struct tr_summary *summary,
                               const struct tr_provenance *provenance, bool sorted,
                               struct tr_error *err);

/*
 * Write the events of a batch, which must have all its columns.  The writer may keep events until a block is full.  The
 * batch is not needed after the call.
 * Returns TR_OK, TR_USAGE (another dictionary, columns missing), TR_DAMAGED (a string or shape
 * beyond the limits of the format), or what the sink returns.
 */
enum tr_status tr_writer_batch(struct tr_writer *w, const struct tr_batch *b, struct tr_error *err);

/* The same for the events that a mask keeps: one byte per event, 1 keep, 0 leave out. */
enum tr_status tr_writer_select(struct tr_writer *w, const struct tr_batch *b, const uint8_t *mask,
                                struct tr_error *err);

/* Write a block with the events that the writer keeps.  For live streams. */
enum tr_status tr_writer_flush(struct tr_writer *w, struct tr_error *err);


/* Write the rest, the index and the trailer.  The writer is released, also on failure; NULL is allowed. */
enum tr_status tr_writer_finish(struct tr_writer *w, struct tr_error *err);

/* Release the writer without a trailer; NULL is allowed. */
void tr_writer_abandon(struct tr_writer *w);

#ifdef __cplusplus
}
#endif
#endif
