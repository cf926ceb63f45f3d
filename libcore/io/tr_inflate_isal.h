/* SPDX-License-Identifier: MIT */
/* The ISA-L side of tr_inflate.h, and the function that it shares with the zlib side.  Internal to io. */
#ifndef TR_INFLATE_ISAL_H
#define TR_INFLATE_ISAL_H

#include "io/tr_inflate.h"

struct tr__isal;
struct z_stream_s;

enum tr_status tr__isal_new(struct tr__isal **out); /* NULL: the library is not there.  TR_SYSTEM: out of memory */
void tr__isal_free(struct tr__isal *z);
void tr__isal_reset(struct tr__isal *z);
enum tr_status tr__isal_run(struct tr__isal *z, const unsigned char *in, size_t n_in, bool last,
                            unsigned char *out, size_t cap, ptrdiff_t *used, size_t *made,
                            struct tr_error *err);

uint32_t tr__isal_crc32(const struct tr__isal *z, uint32_t crc, const unsigned char *p, size_t n);

/* One call of inflate() on raw deflate data; results as tr__inflate_run. */
enum tr_status tr__zlib_run(struct z_stream_s *s, const unsigned char *in, size_t n_in,
                            unsigned char *out, size_t cap, size_t *used, size_t *made,
                            struct tr_error *err);

#endif
