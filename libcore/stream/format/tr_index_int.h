/* SPDX-License-Identifier: MIT */
/*
 * The index of a stream, with one entry per block, and the trailer.  Internal to libcore; tr-stream(5), "Index" and
 * "Trailer".
 */
#ifndef TR_INDEX_INT_H
#define TR_INDEX_INT_H

#include "base/tr_mem.h"
#include "stream/format/tr_block_int.h"
#include "stream/tr_event.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr__index_entry {
    uint16_t type;
    uint32_t n_items;
    uint64_t offset;                 /* of the block's header in the stream */
    int64_t start, end;              /* as in the block's header */
    uint32_t source_min, source_max; /* of an event block; else 0 */
};

/*
 * The index of a writer or reader: entries as bytes, and a hash of what both know.  So a reader can check an index
 * without keeping the entries.
 */
struct tr__index {
    struct tr_buf rows;
    uint32_t n;           /* entries in rows */
    uint64_t last_offset; /* of the entry before */
    uint64_t previous;    /* offset of the index block before, 0: none */
    uint64_t hash;
};

void tr__index_hash(uint64_t *hash, const struct tr__index_entry *e);
bool tr__index_add(struct tr__index *x, const struct tr__index_entry *e); /* false: out of memory */
bool tr__index_put(const struct tr__index *x, struct tr_buf *payload);
void tr__index_restart(struct tr__index *x, uint64_t offset); /* after an index block at offset */

/* Read an index block, and add its entries to *hash.  *previous receives the offset of the index block before. */
enum tr_status tr__index_get(const unsigned char *payload, size_t len, uint32_t n_items,
                             uint64_t *hash, uint64_t *previous, struct tr_error *err);

#define TR_TRAILER_PHASES 16u
#define TR_TRAILER_BYTES (32u + 8 * TR_TRAILER_PHASES + 16u)

struct tr__trailer {
    uint64_t n_events;
    uint64_t index_offset; /* of the last index block */
    uint64_t offset;       /* of the trailer itself */
    uint64_t chain;        /* all block checksums before it, see tr__chain */
    uint64_t n_phase[TR_TRAILER_PHASES];
    uint64_t n_repaired, n_lost; /* of the summary */
};

void tr__trailer_put(const struct tr__trailer *t, unsigned char out[TR_TRAILER_BYTES]);
void tr__trailer_get(struct tr__trailer *t, const unsigned char in[TR_TRAILER_BYTES]);

/* Add a block to the chain: its header, which has the checksum of its payload. */
uint64_t tr__chain(uint64_t chain, const unsigned char header[TR_BLOCK_BYTES]);

/* The sums over all sources for the trailer; 0 for a NULL summary. */
void tr__trailer_damage(struct tr__trailer *t, const struct tr_summary *s);

#ifdef __cplusplus
}
#endif
#endif
