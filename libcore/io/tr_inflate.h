/* SPDX-License-Identifier: MIT */
/*
 * The deflate decoder (RFC 1951) for gzip and zlib streams: ISA-L if it can be loaded, otherwise zlib.  Internal to io.
 *
 * Both give the same bytes, also from incomplete or damaged data.  ISA-L alone would not: at the end of incomplete
 * data, it does not return the last literals, and it detects some errors at another place than zlib.  So the ISA-L side
 * keeps about half a megabyte of its last input and output.  After an error, zlib continues from the last block
 * boundary in this input.  One
 * difference remains: if the Huffman code of a damaged block is incomplete, zlib refuses the block, but ISA-L may have
 * decoded a part of it before.
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
 * Decode from in[0 .. n_in) to out[0 .. cap), cap > 0.  last: no input follows.
 *
 * *used is the number of input bytes that were used.  With TR_END and TR_DAMAGED it may be negative: bytes of earlier
 * calls were not needed.  These are at most TR__INFLATE_BACK, and fewer than were passed in since the reset.  *made
 * bytes were decoded; they are valid with every status.
 *
 * Returns TR_OK       continue; *made is 0 only if all input is used and (with last) ends too early
 *         TR_END      the last block has ended, and all of it was delivered
 *         TR_DAMAGED  the bits at *used are not valid
 *         TR_SYSTEM   out of memory
 */
enum tr_status tr__inflate_run(struct tr__inflate *z, const unsigned char *in, size_t n_in,
                               bool last, unsigned char *out, size_t cap, ptrdiff_t *used,
                               size_t *made, struct tr_error *err);

/* Update a CRC-32 (of gzip; 0 to start with) over n bytes. */
uint32_t tr__inflate_crc32(const struct tr__inflate *z, uint32_t crc, const unsigned char *p, size_t n);

#endif
