/* SPDX-License-Identifier: MIT */
/* Compressed bytes within some format, all of them in memory. */
#ifndef TR_UNPACK_H
#define TR_UNPACK_H

#include "base/tr_mem.h"
#include "base/tr_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Decode p[0 .. n) by its content, as tr_bytes does, and append what comes of it.
 *
 * max  bytes that may come of it
 *
 * Returns TR_OK; TR_DAMAGED: they are damaged, make more than max, or are of a kind that is not built in, and what came
 * before is in out; TR_SYSTEM: out of memory.
 */
enum tr_status tr_unpack(const void *p, size_t n, size_t max, struct tr_buf *out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
