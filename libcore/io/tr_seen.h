/* SPDX-License-Identifier: MIT */
/*
 * Files that are opened more than once: are they still what they were?
 *
 * Whoever reads a file twice compares what it found the first time with what it finds now.  If another file has
 * taken its name, or its bytes have changed, the two do not belong together.  A file is known by its device, its
 * number there, its size and the time of its last change.
 *
 *     struct tr_seen *s = tr_seen_new();
 *     st = tr_seen_open(s, path, fd, &file, &err);      each time that path has been opened
 *     st = tr_seen_still(s, file, fd, &err);            after each read of fd
 *
 * May be used from several threads.
 */
#ifndef TR_SEEN_H
#define TR_SEEN_H

#include "base/tr_status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_seen;
struct tr_seen_file;

struct tr_seen *tr_seen_new(void); /* NULL: out of memory */
void tr_seen_free(struct tr_seen *s);

/*
 * A path has been opened as fd: keep in mind what it is, or compare it with what it was the first time.
 *
 * file  set on TR_OK, owned by s; NULL: what is no regular file is not compared
 *
 * Returns TR_OK; TR_DAMAGED: it has changed; TR_SYSTEM: out of memory, or nothing is known about fd.
 */
enum tr_status tr_seen_open(struct tr_seen *s, const char *path, int fd, struct tr_seen_file **file,
                            struct tr_error *err);

/*
 * Is what is open as fd still what it was?  A file that has been opened only once may change, such as a trace that
 * is still being written: then TR_OK.  file may be NULL.  TR_OK, TR_DAMAGED or TR_SYSTEM.
 */
enum tr_status tr_seen_still(struct tr_seen *s, const struct tr_seen_file *file, int fd, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
