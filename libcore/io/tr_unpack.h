/* SPDX-License-Identifier: MIT */
/* Decompresses bytes in memory, for formats that have compressed parts. */
#ifndef TR_UNPACK_H
#define TR_UNPACK_H

#include "base/tr_mem.h"
#include "base/tr_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Decompress p[0 .. n), whose content decides the kind of compression, as in tr_bytes; and append the result to out.
 *
 * max  the largest number of bytes of the result
 *
 * Returns TR_OK; TR_DAMAGED: the bytes are damaged, the result has more than max bytes, or the kind is not built in;
 * out then has the part before; TR_SYSTEM: out of memory.
 */
enum tr_status tr_unpack(const void *p, size_t n, size_t max, struct tr_buf *out, struct tr_error *err);

/*
 * The same in parts, so that the result need not be in memory as a whole.  p[0 .. n) must remain until it is freed.
 * NULL with *err: out of memory.
 */
struct tr_unpacker;
struct tr_unpacker *tr_unpacker_new(const void *p, size_t n, struct tr_error *err);

/*
 * The next 1 to cap bytes of the result.  Returns TR_OK; TR_END: there are no more; TR_DAMAGED: the bytes are damaged
 * here, bytes follow that are no part of them, or the kind is not built in; TR_SYSTEM: out of memory.  A window of zstd
 * above 8 MiB counts as damage.
 */
enum tr_status tr_unpacker_read(struct tr_unpacker *u, void *buf, size_t cap, size_t *got, struct tr_error *err);
void tr_unpacker_free(struct tr_unpacker *u); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
