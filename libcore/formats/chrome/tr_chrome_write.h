/* SPDX-License-Identifier: MIT */
/*
 * Writing events as Trace Event Format ("Chrome JSON"): what tr-view -O chrome gives.
 *
 * One source: the input again.  Every event has the members of its shape in their order, with
 * their JSON types; top-level members stand before and after traceEvents as they did; a bare
 * array stays one.  Equal to the input as JSON values, except where the input was damaged, and
 * except that events stand in the order of the stream.  A span that was joined from B and E is
 * written as these two, one after the other.
 *
 * Several sources: one object that viewers show side by side.  It is for looking at, not for
 * analysis: what identifies an event inside its source is rewritten, so that nothing of two
 * sources coincides.
 *   pid        integer, different for each (source, pid): tr_viewer.h
 *   id, bind_id  of flows and async events: different for each (source, id); id2: the source is put
 *              into scope
 *   names      process_name and process_sort_index events are left out; one of each per process
 *              stands at the end, "rank 3: " before the name, ordered by rank, sort index, pid
 *   ts         counts from the earliest time base of the sources that name one
 *   top level  the members of the first source, baseTimeNanoseconds replaced by that time base, and
 *              tracepipeSources: an array with rank, name, host and header of every source
 *
 * Text is appended to a struct tr_buf which the caller empties whenever it has grown beyond his
 * liking; a call to tr_chrome_batch returns early for that.
 *
 *     st = TR_OK;
 *     while (st == TR_OK && (st = tr_input_next(in, &b, &err)) == TR_OK)
 *         for (size_t at = 0; at < b->n && st == TR_OK; )
 *             if ((st = tr_chrome_batch(w, b, &at, b->n, &buf, &err)) == TR_OK)
 *                 st = write_and_empty(&buf);
 *     if (st == TR_END)
 *         st = tr_chrome_end(w, &buf, &err);
 *
 * One thread per writer.
 */
#ifndef TR_CHROME_WRITE_H
#define TR_CHROME_WRITE_H

#include "base/tr_mem.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_chrome_writer;

/*
 * A writer for the events of a dictionary, which must outlive it.
 * n_sources  how many sources there will be (of dictionary and summary the larger); more than 1
 *            makes the form for viewers
 * NULL: out of memory.
 */
struct tr_chrome_writer *tr_chrome_writer_new(const struct tr_dict *dict, size_t n_sources);
void tr_chrome_writer_free(struct tr_chrome_writer *w);

/*
 * The lanes of the events of the next batch, as tr_overlaps.h has them: those of a further lane of a thread get a
 * thread of their own, "7 (2)", whose name stands at the end.  Such events of phase async_begin whose shape is that of
 * a span become a begin and an end.  Borrowed until the batch is written.
 */
void tr_chrome_writer_lanes(struct tr_chrome_writer *w, const uint32_t *lanes);

/*
 * Append the events of a batch from *at on (0 begins a batch), until end or until out holds
 * TR_TEXT_CHUNK bytes; *at is set past the last one appended.
 * TR_OK; TR_DAMAGED if a time leaves its range, or if a second source turns up where one was
 * promised; TR_SYSTEM: out of memory.
 */
enum tr_status tr_chrome_batch(struct tr_chrome_writer *w, const struct tr_batch *b, size_t *at,
                               size_t end, struct tr_buf *out, struct tr_error *err);

/* Append what stands after the events (and before them, if there were none).  Once. */
enum tr_status tr_chrome_end(struct tr_chrome_writer *w, struct tr_buf *out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
