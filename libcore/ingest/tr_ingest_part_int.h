/* SPDX-License-Identifier: MIT */
/*
 * Parts of a source that other threads decode: each part with a builder of its own.  Internal to libcore.
 *
 *     a thread:  tr__part_start(part); tr_ingest_begin(part, ...) ... tr__part_end(part, err);
 *     in order:  tr__part_commit(g, part, first_record, err);
 *
 * A part shares nothing with the others while it is decoded.  Parts are committed by one thread at a time, in the order
 * of the source.  So the whole is what one builder would have made of it.
 */
#ifndef TR_INGEST_PART_INT_H
#define TR_INGEST_PART_INT_H

#include "ingest/tr_ingest.h"

/* As tr_ingest_open, for a reader that decodes parts where there are builders for them. */
enum tr_status tr__ingest_open_parts(struct tr_input **out, const struct tr_ingest_reader *reader, void *ctx,
                                     const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                     struct tr_error *err);

unsigned tr__n_parts(const struct tr_ingest *g); /* builders for parts; 0: all is decoded in one thread */
struct tr_ingest *tr__part(struct tr_ingest *g, unsigned i);

/* Parts start: what the builder itself was given comes before them in the source.  TR_OK, or a failure. */
enum tr_status tr__parts_start(struct tr_ingest *g, struct tr_error *err);

void tr__part_start(struct tr_ingest *part);
/* It is decoded: its events are put in order, by the thread that decoded it.  TR_OK, or why it failed. */
enum tr_status tr__part_end(struct tr_ingest *part, struct tr_error *err);
/* Records of the part count from first_record on in the source. */
enum tr_status tr__part_commit(struct tr_ingest *g, struct tr_ingest *part, uint64_t first_record,
                               struct tr_error *err);

/* A member whose key tr_ingest_key has given: a text by its number. */
void tr__ingest_member_number(struct tr_ingest *g, uint32_t text);

/* Damage that is found from now on stands at this byte of the source. */
void tr__ingest_stands(struct tr_ingest *g, uint64_t offset);

/*
 * An event of a nest is added elsewhere: what is open in it, and what comes, is joined after all is sorted.
 * False: out of memory.
 */
bool tr__nest_leave(struct tr_ingest *g, uint32_t nest);

/*
 * The same as an event that is the end of a nest, and nothing else, at the place of the nest's last such end.  *taken:
 * it was joined with its start; if not, add the event as any other.  False: out of memory.
 */
bool tr__nest_end(struct tr_ingest *g, uint32_t nest, int64_t ts, uint64_t record, bool *taken);

#endif
