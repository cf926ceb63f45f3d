/* SPDX-License-Identifier: MIT */
/*
 * How formats open an input: the state of a reader is made, and takes the input.  If memory runs out, nothing is left.
 * Internal to libcore.
 */
#ifndef TR_READER_OPEN_INT_H
#define TR_READER_OPEN_INT_H

#include "ingest/tr_ingest.h"

/*
 * Set in the state what follows from the input and from the options.  of: what the format gives, such as itself.
 * False: out of memory.
 */
typedef bool tr__reader_init(void *state, const void *of, const struct tr_ingest_bytes *bytes,
                             const struct tr_open_opts *opts);

/*
 * A state of so many bytes, zero where init sets nothing; init may be NULL.  NULL: out of memory, which err says; the
 * input is closed, and what init made is released.
 */
void *tr__reader_state(size_t size, tr__reader_init *init, const void *of, void (*release)(void *state),
                       const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts, struct tr_error *err);

/* Open the input with such a state, which reader->free releases: see tr_ingest_open. */
enum tr_status tr__reader_open(struct tr_input **out, const struct tr_ingest_reader *reader, size_t size,
                               tr__reader_init *init, const void *of, const struct tr_ingest_bytes *bytes,
                               const struct tr_open_opts *opts, struct tr_error *err);

#endif
