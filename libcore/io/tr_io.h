/* SPDX-License-Identifier: MIT */
/*
 * Whole reads and writes on descriptors.
 *
 * The system may transfer fewer bytes than requested, be interrupted by a signal, or have nothing ready on a
 * non-blocking descriptor.  These functions continue until everything is done, or return a failure.  They have no state
 * and may be used from any thread.
 *
 * Failures are TR_SYSTEM with errno kept in err; the caller names the file (tr_error_input).
 */
#ifndef TR_IO_H
#define TR_IO_H

#include "base/tr_mem.h"
#include "base/tr_status.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * open(2), repeated if a signal interrupts it (a FIFO waits for its other end), with O_CLOEXEC.  -1: errno has the
 * reason.
 */
int tr_open_fd(const char *path, int flags, mode_t mode);

/*
 * Read the available bytes, at most cap > 0: one successful read(2).  *got is always set.
 * Returns TR_OK with *got > 0, TR_END at the end of the file with *got = 0, or TR_SYSTEM.
 */
enum tr_status tr_read_some(int fd, void *buf, size_t cap, size_t *got, struct tr_error *err);

/*
 * Read len bytes; fewer only if the file ends.
 * Returns TR_OK with *got = len, TR_END with *got < len, or TR_SYSTEM (*got bytes were read).
 */
enum tr_status tr_read_full(int fd, void *buf, size_t len, size_t *got, struct tr_error *err);

/* Append a whole file of at most max bytes.  TR_OK; TR_USAGE: it is longer; TR_SYSTEM. */
enum tr_status tr_read_file(const char *path, size_t max, struct tr_buf *out, struct tr_error *err);

/* Write len bytes.  Returns TR_OK, or TR_SYSTEM; then a part may have been written. */
enum tr_status tr_write_full(int fd, const void *buf, size_t len, struct tr_error *err);

/* The same at a byte offset, without moving the file position; the file must be seekable. */
enum tr_status tr_pread_full(int fd, void *buf, size_t len, uint64_t at, size_t *got,
                             struct tr_error *err);
enum tr_status tr_pwrite_full(int fd, const void *buf, size_t len, uint64_t at,
                              struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
