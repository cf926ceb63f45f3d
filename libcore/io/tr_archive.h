/* SPDX-License-Identifier: MIT */
/*
 * The members of a zip or tar archive in their order, read without seeking.  Data in xz or bzip2 are one member.
 * Internal to io.  A wrapper of libarchive; without libarchive, its functions return a failure.
 */
#ifndef TR_ARCHIVE_H
#define TR_ARCHIVE_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>

struct tr__archive;

enum tr__container { TR__NO_CONTAINER, TR__ZIP, TR__TAR, TR__XZ, TR__BZIP2, TR__NOT_YET_KNOWN };

/*
 * The kind of archive that the first n bytes belong to; TR__NOT_YET_KNOWN if it takes more bytes (never with n >= 512).
 */
enum tr__container tr__container_of(const unsigned char *p, size_t n);

/* The bytes of the archive come from read(self, ...), which works as tr_read_some. */
enum tr_status tr__archive_open(struct tr__archive **out, enum tr__container kind,
                                enum tr_status (*read)(void *self, void *buf, size_t cap,
                                                       size_t *got, struct tr_error *err),
                                void *self, struct tr_error *err);
void tr__archive_free(struct tr__archive *a);

/*
 * Go on to the next regular file.  *name is valid until the next call.
 * Returns TR_OK, TR_END (no more members), or a failure.
 */
enum tr_status tr__archive_next(struct tr__archive *a, const char **name, struct tr_error *err);

/*
 * Bytes of the current member, as tr_read_some.  TR_DAMAGED: the member is incomplete, or its checksum is wrong.
 */
enum tr_status tr__archive_read(void *archive, void *buf, size_t cap, size_t *got,
                                struct tr_error *err);

/* Is a member open?  From its start until the next one is opened. */
bool tr__archive_in_member(const struct tr__archive *a);
/* Bytes of the input that have been decoded, except some before damage; 0: nothing was decoded. */
uint64_t tr__archive_used(const struct tr__archive *a);

#endif
