/* SPDX-License-Identifier: MIT */
/*
 * Detects files that change while they are read more than once.
 *
 * If another file got the same name, or the bytes changed, the two readings do not belong together.  A file is
 * recognised by its device, its inode number, its size and the time of its last change.
 *
 *     struct tr_reopened_files *s = tr_reopened_files_new();
 *     st = tr_reopened_files_open(s, path, fd, &file, &err);      each time that path has been opened
 *     st = tr_reopened_files_still(s, file, fd, &err);            after each read of fd
 *     tr_reopened_files_close(s, file);
 *
 * May be used from several threads.
 */
#ifndef TR_REOPENED_FILES_H
#define TR_REOPENED_FILES_H

#include "base/tr_status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_reopened_files;
struct tr_reopened_file;

struct tr_reopened_files *tr_reopened_files_new(void); /* NULL: out of memory */
/* Opens no more.  It goes with the last open file: a thread that waits for its bytes may have one for longer. */
void tr_reopened_files_free(struct tr_reopened_files *s);

/*
 * A path was opened as fd.  The first time, remember the file; later, compare it.
 *
 * file  set on TR_OK, owned by s, open until tr_reopened_files_close; NULL: not a regular file, which is not compared
 *
 * Returns TR_OK; TR_DAMAGED: the file has changed; TR_SYSTEM: out of memory, or fstat failed.
 */
enum tr_status tr_reopened_files_open(struct tr_reopened_files *s, const char *path, int fd,
                                      struct tr_reopened_file **file, struct tr_error *err);

/*
 * Is the file of fd unchanged?  A file that was opened only once may change, such as a trace that is still being
 * written: then TR_OK.  file may be NULL.  TR_OK, TR_DAMAGED or TR_SYSTEM.
 */
enum tr_status tr_reopened_files_still(struct tr_reopened_files *s, const struct tr_reopened_file *file, int fd,
                                       struct tr_error *err);

/* fd is read no more.  file may be NULL. */
void tr_reopened_files_close(struct tr_reopened_files *s, const struct tr_reopened_file *file);

#ifdef __cplusplus
}
#endif
#endif
