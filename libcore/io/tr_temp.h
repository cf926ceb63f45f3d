/* SPDX-License-Identifier: MIT */
/*
 * Temporary files without a name, so nothing remains when a program ends in any way.
 *
 * They are written from front to back, and read at any offset.  The caller chooses the folder (-T, $TMPDIR, /var/tmp);
 * it should not be a file system in memory.  One thread at a time; after tr_temp_flush, several threads may call
 * tr_temp_read_at, as long as no thread writes.
 */
#ifndef TR_TEMP_H
#define TR_TEMP_H

#include "base/tr_status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_temp;

/* A new file in the folder dir.  Failures name the folder as their input. */
enum tr_status tr_temp_open(struct tr_temp **out, const char *dir, struct tr_error *err);
void tr_temp_free(struct tr_temp *t); /* also releases its contents */

/*
 * Append len bytes.  Returns TR_OK, or TR_SYSTEM, also for ENOSPC; after a failure the file cannot be used any more.
 */
enum tr_status tr_temp_write(struct tr_temp *t, const void *buf, size_t len, struct tr_error *err);

/* Write buffered bytes to the file.  Needed only before several threads read. */
enum tr_status tr_temp_flush(struct tr_temp *t, struct tr_error *err);

/* Number of bytes appended so far: the offset of the next ones. */
uint64_t tr_temp_size(const struct tr_temp *t);

/* Read len bytes from offset at; all of them must have been written (else TR_USAGE). */
enum tr_status tr_temp_read_at(struct tr_temp *t, void *buf, size_t len, uint64_t at,
                               struct tr_error *err);

/* Internal to libcore: a descriptor of a new file without a name, for reading and writing. */
enum tr_status tr__temp_fd(int *fd, const char *dir, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
