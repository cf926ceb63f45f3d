/*
 * Reader of the memory timeline that PyTorch's memory profiler exports in its raw form
 * (export_memory_timeline to a file *.raw.json.gz): one JSON array of entries
 *
 *     [time in ns, action, bytes, category]
 *
 * Each entry becomes an event as Kineto writes them about allocations: an instant of name [memory] with
 * args Bytes (negative: freed), Category and Action, which are named here.  Entries with a time below 0
 * tell of memory that was there before the profiler was started; they become metadata events, which
 * have no time.  The record of an event is the place of its entry in the array.
 *
 * Category and action numbers are those of torch.profiler's _memory_profiler module: Category counts from
 * 0 there when it is exported, Action from 1.  Other numbers are named after themselves.
 */
#ifndef TR_MEMORY_TIMELINE_H
#define TR_MEMORY_TIMELINE_H

#include "ingest/tr_ingest.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Does a text that begins with these bytes, white space and a mark of byte order left out, look like one? */
bool tr_memory_timeline_probe(const unsigned char *p, size_t n);

/* Open one: as tr_ingest_open. */
enum tr_status tr_memory_timeline_open(struct tr_input **out, const struct tr_ingest_bytes *bytes,
                                       const struct tr_open_opts *opts, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
