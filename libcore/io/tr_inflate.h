/* SPDX-License-Identifier: MIT */
/*
 * The deflate decoder (RFC 1951) under gzip and zlib streams: ISA-L where it is built in, else
 * zlib.  Internal to io.
 *
 * Both give the same bytes, also from data that are cut or damaged.  ISA-L alone does not: at a cut
 * it holds back the last literals, and some faults it notices at another place than zlib.  So the
 * ISA-L side remembers the last half a megabyte or so of its input and what it had decoded before;
 * when something goes wrong, it looks for the last block boundary that it can hand over to zlib,
 * and zlib goes on from there.  What can still differ is the tail of a damaged block whose Huffman
 * code is incomplete: zlib refuses the block, ISA-L may have decoded a part of it before.
 */
#ifndef TR_INFLATE_H
#define TR_INFLATE_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR__INFLATE_BACK ((ptrdiff_t)32 << 10)

struct tr__inflate;

struct tr__inflate *tr__inflate_new(bool only_zlib); /* NULL: out of memory */
void tr__inflate_free(struct tr__inflate *z);
void tr__inflate_reset(struct tr__inflate *z); /* to the start of a new stream */

/*
 * Decode from in[0 .. n_in) to out[0 .. cap), cap > 0.  `last` says that no input follows.
 *
 * *used is the number of input bytes after which to go on.  With TR_END and TR_DAMAGED it may be
 * negative: bytes of earlier calls that turned out not to be needed; these are at most
 * TR__INFLATE_BACK, and fewer than were handed in since the reset.  *made bytes were decoded; they
 * are good to use whatever is returned.
 *
 * Returns TR_OK       go on; *made is 0 only if the input is used up and (with last) ends too early
 *         TR_END      the last block has ended, and all of it was delivered
 *         TR_DAMAGED  the bits at *used make no sense
 *         TR_SYSTEM   out of memory
 */
enum tr_status tr__inflate_run(struct tr__inflate *z, const unsigned char *in, size_t n_in,
                               bool last, unsigned char *out, size_t cap, ptrdiff_t *used,
                               size_t *made, struct tr_error *err);

/* Update a CRC-32 (of gzip; 0 to start with) over n bytes. */
uint32_t tr__crc32(uint32_t crc, const unsigned char *p, size_t n);

#endif
