/*
 * Output files that appear under their name only when they are complete.
 *
 * If the target is absent or a regular file (links are followed), everything goes to a temporary
 * file beside it, which takes the target's place on commit; the mode of an existing target is kept,
 * and an input may be replaced by the output that is made from it.  Devices, pipes and sockets are
 * written directly.  Where the system can, the temporary file has no name until it is complete, so
 * that nothing is left behind if the program is killed.
 *
 *     st = tr_outfile_open(&o, path, &err);
 *     ...tr_outfile_write...
 *     if (st == TR_OK)
 *         st = tr_outfile_commit(o, &err);
 *     else
 *         tr_outfile_abandon(o);
 *
 * Failures are TR_SYSTEM, and name the target as their input.  One thread at a time.
 */
#ifndef TR_OUTFILE_H
#define TR_OUTFILE_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_outfile;

/* Open for writing to path.  A target that exists must be writable. */
enum tr_status tr_outfile_open(struct tr_outfile **out, const char *path, struct tr_error *err);

/*
 * Write to a descriptor that is open already, such as standard output, from its present position
 * on. own_fd: it is closed by commit and abandon, also if this fails.  name is for messages;
 * copied.
 */
enum tr_status tr_outfile_open_fd(struct tr_outfile **out, int fd, bool own_fd, const char *name,
                                  struct tr_error *err);

enum tr_status tr_outfile_write(struct tr_outfile *o, const void *buf, size_t len,
                                struct tr_error *err);

/* Hand what is buffered to the system: for pipes whose reader should see it now. */
enum tr_status tr_outfile_flush(struct tr_outfile *o, struct tr_error *err);

/*
 * Flush, close and put in place; o is released in every case.  On failure the target is as it was
 * (unless it is written directly).  A descriptor that is not owned is flushed only.
 */
enum tr_status tr_outfile_commit(struct tr_outfile *o, struct tr_error *err);

/* Give up: the target stays as it was; what was buffered is dropped.  NULL is allowed. */
void tr_outfile_abandon(struct tr_outfile *o);

uint64_t tr_outfile_size(const struct tr_outfile *o);      /* bytes written so far */
const char *tr_outfile_name(const struct tr_outfile *o);   /* for messages */
int tr_outfile_fd(const struct tr_outfile *o);             /* to ask isatty and the like */
bool tr_outfile_is_regular(const struct tr_outfile *o);    /* the bytes end up in a regular file */

#ifdef __cplusplus
}
#endif
#endif
