/* SPDX-License-Identifier: MIT */
/*
 * A temporary copy of an input, for programs that have to read it more than once.  Some inputs cannot be opened again
 * (pipes), and others would be slow to read again (raw traces).
 *
 *     tr_spool_new(&s, in, dir, n_threads, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         tr_spool_add(s, b, &err);
 *     if (st == TR_END)
 *         tr_spool_end(s, &err);
 *     tr_spool_input(s, &again, &err); as often as needed
 *
 * The copy is an event stream in an unlinked file.  Strings, tracks and so on have the same numbers as in the input.
 * Not shared between threads.
 */
#ifndef TR_SPOOL_H
#define TR_SPOOL_H

#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_spool;

/* Prepare a copy of an input in the folder dir.  TR_OK; TR_SYSTEM. */
enum tr_status tr_spool_new(struct tr_spool **out, const struct tr_input *in, const char *dir,
                            unsigned n_threads, struct tr_error *err);
void tr_spool_free(struct tr_spool *s); /* after all its inputs have been closed */

/* Append a batch of the input, with all its columns. */
enum tr_status tr_spool_add(struct tr_spool *s, const struct tr_batch *b, struct tr_error *err);

/* The input has ended with TR_END.  Nothing can be added after this. */
enum tr_status tr_spool_end(struct tr_spool *s, struct tr_error *err);

/*
 * Read the copy from its start.  Close it with tr_input_close before the next one is opened.  It has the name of the
 * original.
 */
enum tr_status tr_spool_input(struct tr_spool *s, struct tr_input **in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
