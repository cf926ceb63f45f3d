/* SPDX-License-Identifier: MIT */
/* Packing bytes by gzip (RFC 1952): one member without a name and without a time, so equal bytes give equal ones. */
#ifndef TR_GZIP_H
#define TR_GZIP_H

#include "base/tr_mem.h"
#include "base/tr_status.h"

/* Append len bytes, packed.  TR_OK, or TR_SYSTEM: out of memory. */
enum tr_status tr_gzip(const void *bytes, size_t len, struct tr_buf *out, struct tr_error *err);

#endif
