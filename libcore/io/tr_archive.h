/* SPDX-License-Identifier: MIT */
/*
 * The members of a zip or tar archive, in the order in which they stand there, read without
 * seeking; and what is compressed with xz or bzip2, which is one member.  Internal to io; a wrapper
 * of libarchive that fails politely where that is not built in.
 */
#ifndef TR_ARCHIVE_H
#define TR_ARCHIVE_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>

struct tr__archive;

enum tr__container { TR__NO_CONTAINER, TR__ZIP, TR__TAR, TR__XZ, TR__BZIP2, TR__CANNOT_TELL };

/*
 * What the first n bytes look like, as for archives; TR__CANNOT_TELL if more of them are needed (never with n >=
 * 512).
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
 * Bytes of the current member, as tr_read_some; TR_DAMAGED if they are cut or their checksum is
 * wrong.
 */
enum tr_status tr__archive_read(void *archive, void *buf, size_t cap, size_t *got,
                                struct tr_error *err);

/* Has a member been begun, and not yet the next one asked for? */
bool tr__archive_in_member(const struct tr__archive *a);
/* Bytes of the input that have been decoded, but for some before damage; 0: unknown, since nothing was. */
uint64_t tr__archive_used(const struct tr__archive *a);

#endif
