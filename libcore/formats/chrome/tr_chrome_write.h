/* SPDX-License-Identifier: MIT */
/*
 * Writing events as Trace Event Format ("Chrome JSON"): the output of tr-view -O chrome.
 *
 * One source: the output is the input again.  Every event has the members of its shape in their order, with their JSON
 * types.  Top-level members are before and after traceEvents, as in the input; a bare array stays one.  As JSON values,
 * output and input are equal, except where the input was damaged, and except for the order of events, which is that of
 * the stream.  A span that was joined from B and E is written as these two, one after the other.
 *
 * Several sources: one object that viewers show side by side.  It is for viewing, not for analysis: the numbers of
 * events are rewritten, so that no two sources share one.
 *   pid        integer, different for each (source, pid): tr_viewer.h
 *   id, bind_id  of flows and async events: different for each (source, id); id2: the source is put
 *              into scope
 *   names      process_name and process_sort_index events are left out; one of each per process
 *              is at the end, "rank 3: " before the name, ordered by rank, sort index, pid
 *   ts         counts from the earliest time base of the sources that have one
 *   top level  the members of the first source, baseTimeNanoseconds replaced by that time base, and
 *              tracepipeSources: an array with rank, name, host and header of every source
 *
 * Text is appended to a struct tr_buf, which the caller empties when it is large enough; tr_chrome_batch returns early
 * for that.
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
 * n_sources  the number of sources (the larger one of dictionary and summary); more than 1
 *            makes the form for viewers
 * NULL: out of memory.
 */
struct tr_chrome_writer *tr_chrome_writer_new(const struct tr_dict *dict, size_t n_sources);
void tr_chrome_writer_free(struct tr_chrome_writer *w);

/*
 * The lanes of the events of the next batch, see tr_overlaps.h.  Events of a further lane of a thread get a separate
 * thread, "7 (2)", whose name is at the end.  Such events of phase async_begin with the shape of a span become a start
 * and an end.  Borrowed until the batch is written.
 */
void tr_chrome_writer_lanes(struct tr_chrome_writer *w, const uint32_t *lanes);

/*
 * Append the events of a batch from *at on (0 starts a batch), until end or until out holds
 * TR_TEXT_CHUNK bytes; *at is set past the last one appended.
 * TR_OK; TR_DAMAGED if a time is out of range, or if there is a second source after n_sources was 1; TR_SYSTEM: out of
 * memory.
 */
enum tr_status tr_chrome_batch(struct tr_chrome_writer *w, const struct tr_batch *b, size_t *at,
                               size_t end, struct tr_buf *out, struct tr_error *err);

/* Append the text after the events (and before them, if there were none).  Call it once. */
enum tr_status tr_chrome_end(struct tr_chrome_writer *w, struct tr_buf *out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
