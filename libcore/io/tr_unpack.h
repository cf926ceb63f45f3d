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

#ifdef __cplusplus
}
#endif
#endif
