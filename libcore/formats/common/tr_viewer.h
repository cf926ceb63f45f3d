/* SPDX-License-Identifier: MIT */
/*
 * Several sources in one file for a viewer: numbers that are unique over all of them.
 *
 * Processes: pid P of a source of rank R becomes R * 10000000 + P, which people can read, if P is an integer from 0 to
 * 9999999, R is below 300 and no other source has that number; else the next number from 3000000000 on.  Viewers keep
 * pids in 32 bits.
 *
 * Ids of flows and async events: an integer id (or a string 0x...) below 2^40 of source number
 * S < 4096 becomes S * 2^40 + id.  Any other id gets the next number from 2^52 on; only these need memory.
 *
 * Numbers depend only on the stream.
 */
#ifndef TR_VIEWER_H
#define TR_VIEWER_H

#include "base/tr_mem.h"
#include "stream/tr_dict.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_viewer;

/* dict is borrowed; it may grow.  NULL: out of memory. */
struct tr_viewer *tr_viewer_new(const struct tr_dict *dict);
void tr_viewer_free(struct tr_viewer *v);

/* The pid to write for a track.  False: out of memory. */
bool tr_viewer_pid(struct tr_viewer *v, uint32_t track, uint64_t *pid);

/*
 * The id to write for an id of a source, given as JSON text (17 or "0x11").  False: out of
 * memory.
 */
bool tr_viewer_id(struct tr_viewer *v, uint32_t source, const char *text, size_t len, uint64_t *id);

/* "rank 3", "rank 3 (source 1)" if several sources have it, "source 1" if it has none; to out. */
bool tr_viewer_source_name(const struct tr_viewer *v, uint32_t source, struct tr_buf *out);

/*
 * Append process_name and process_sort_index events for every process that tr_viewer_pid has met,
 * ",\n" between events, and before the first one if more is true.
 */
bool tr_viewer_names(struct tr_viewer *v, bool more, struct tr_buf *out);

#ifdef __cplusplus
}
#endif
#endif
