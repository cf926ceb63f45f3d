/* SPDX-License-Identifier: MIT */
/*
 * Preamble and blocks as bytes, and back.  Internal to libcore; tr-stream(5), "Layout".
 *
 * A stream is a preamble of 16 bytes and then blocks.  A block is a header of 48 bytes and a
 * payload whose meaning depends on the type.
 */
#ifndef TR_BLOCK_INT_H
#define TR_BLOCK_INT_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "stream/tr_format.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_PREAMBLE_BYTES 16u
#define TR_BLOCK_BYTES 48u /* header of a block */

enum tr_block_type {
    TR_BLOCK_HEADER = 1,
    TR_BLOCK_PROVENANCE = 2,
    TR_BLOCK_STRINGS = 3,
    TR_BLOCK_COLUMNS = 4,
    TR_BLOCK_SHAPES = 5,
    TR_BLOCK_SOURCES = 6,
    TR_BLOCK_TRACKS = 7,
    TR_BLOCK_CLOCKS = 8,
    TR_BLOCK_SUMMARY = 9,
    TR_BLOCK_EVENTS = 10,
    TR_BLOCK_TABLE = 11,
    TR_BLOCK_INDEX = 12,
    TR_BLOCK_TRAILER = 13,
    TR_BLOCK_WATERMARK = 14, /* skipped */
    TR_BLOCK_RESET = 15,     /* refused */
};

enum {
    TR_CRITICAL = 1,     /* a reader that does not know this type must refuse the stream */
    TR_SAFE_TO_COPY = 2, /* has no string, track, source or record numbers */
};

struct tr_block {
    uint16_t type;
    uint8_t flags;
    uint8_t codec; /* of the whole payload; none in event blocks, because each of their columns has its own codec */
    uint32_t n_items;
    uint32_t stored;    /* bytes of payload in the stream */
    uint32_t raw;       /* bytes once decoded */
    int64_t start, end; /* smallest start and largest end of events, or TR_TIME_NONE */
    uint32_t number;    /* of blocks in this stream, from 0 */
    uint64_t check;     /* tr__checksum of the payload as stored */
};

/* 64-bit checksum of bytes, the same on every machine: XXH3 with seed 0. */
uint64_t tr__checksum(const void *data, size_t len);

void tr__preamble_put(unsigned char out[TR_PREAMBLE_BYTES]);
/* TR_OK, or TR_DAMAGED: not a stream, another major version (checked before the checksum), or damaged. */
enum tr_status tr__preamble_check(const unsigned char in[TR_PREAMBLE_BYTES], struct tr_error *err);

void tr__block_put(const struct tr_block *b, unsigned char out[TR_BLOCK_BYTES]);
/* TR_OK with sizes inside the limits, or TR_DAMAGED.  The payload is not read. */
enum tr_status tr__block_get(struct tr_block *b, const unsigned char in[TR_BLOCK_BYTES],
                             struct tr_error *err);

const char *tr__block_name(unsigned type); /* "events"; "unknown" */
uint8_t tr__block_flags(unsigned type);    /* flags that a block of a known type carries */

/* A compressor with its working memory; one per thread. */
struct tr__packer;
struct tr__packer *tr__packer_new(enum tr_codec codec,
                                  int level); /* level 0: the codec's default */
void tr__packer_free(struct tr__packer *p);

/*
 * Append raw bytes to out, compressed if that makes them shorter.
 * Returns the codec used, or -1: out of memory.
 */
int tr__pack(struct tr__packer *p, const void *raw, size_t len, struct tr_buf *out);

/* The LZ4 size of at most 64 KiB: an estimate that needs no output buffer. */
size_t tr__pack_estimate(struct tr__packer *p, const void *raw, size_t len);

/* Undo tr__pack.  TR_DAMAGED: the result does not have exactly raw_len bytes; TR_SYSTEM: out of memory. */
enum tr_status tr__unpack(unsigned codec, const void *stored, size_t stored_len, void *raw,
                          size_t raw_len);

#ifdef __cplusplus
}
#endif
#endif
