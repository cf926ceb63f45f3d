/* SPDX-License-Identifier: MIT */
/*
 * One column of an event block as bytes: its encodings.  Internal to libcore; tr-stream(5),
 * "Columns".
 *
 *   constant  all entries are equal; no bytes
 *   base      entry = base + offset, offsets of 1, 2, 4 or 8 bytes
 *   planes    the same offsets, lowest bytes of all entries first, then the second lowest, ...
 *   delta     entry = previous entry with the same context + difference, sign folded, in planes
 *
 * Delta has a table of 1024 previous entries, which are the column's base at first.  The context of an entry is nothing
 * (one previous entry for all), or the shape, name or track number of its event modulo 1024.  Numbers such as records,
 * correlations and external ids grow steadily within a shape or track, while events of many shapes and tracks are
 * mixed.  Values that depend only on the name (category, activity) become zeros.
 *
 * Arithmetic is modulo 2 to the power of the element's bits.
 */
#ifndef TR_COLUMN_INT_H
#define TR_COLUMN_INT_H

#include "stream/format/tr_block_int.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_CONTEXT_SLOTS 1024u
#define TR_COLUMN_BYTES 28u /* of an entry in the directory of an event block */

enum tr_encoding { TR_ENC_CONSTANT = 0, TR_ENC_BASE = 1, TR_ENC_PLANES = 2, TR_ENC_DELTA = 3 };

enum tr_related { TR_CONTEXT_NONE = 0, TR_CONTEXT_SHAPE = 1, TR_CONTEXT_NAME = 2, TR_CONTEXT_TRACK = 3, TR_N_CONTEXTS };

#define TR_COLUMN_ABSENT                                                                           \
    4u /* flag, in addition to TR_CRITICAL: offset 0 is TR_TIME_NONE, others count from 1 */

/* A column's entry in the directory. */
struct tr__column {
    uint32_t id; /* fixed column, or 64 + number of a packed one */
    uint8_t encoding, context;
    uint8_t width;     /* bytes of an offset, or number of planes; 0 if constant */
    uint8_t codec;     /* of the bytes */
    uint8_t reference; /* enum tr_reference, tr_layout_int.h */
    uint8_t flags;
    uint32_t n;      /* entries */
    uint32_t stored; /* bytes */
    int64_t base;
};

void tr__column_put(const struct tr__column *c, unsigned char out[TR_COLUMN_BYTES]);
void tr__column_get(struct tr__column *c, const unsigned char in[TR_COLUMN_BYTES]);

/* Contexts of a column's entries: slot[event[i]], or slot[i] where event is NULL. */
struct tr__contexts {
    const uint16_t
        *slot[TR_N_CONTEXTS]; /* by event, below TR_CONTEXT_SLOTS; NULL: not used */
    const uint16_t *event;    /* by entry */
};

/* Working memory, one per thread; zero-initialise, and release with tr__column_room_free. */
struct tr__column_room {
    uint64_t *u;          /* offsets or folded differences */
    unsigned char *bytes; /* before compression, or after decompression */
    size_t cap_u, cap_bytes;
};
void tr__column_room_free(struct tr__column_room *k);

/* The number of bytes for v, 1 to 8. */
static inline unsigned tr__bytes_for(uint64_t v)
{
#if defined(__GNUC__)
    return (71 - (unsigned)__builtin_clzll(v | 1)) / 8;
#else
    unsigned n = 1;
    while (n < 8 && v >> (8 * n))
        n++;
    return n;
#endif
}

/* The range of a column's entries. */
struct tr__extent {
    int64_t min, max; /* of entries that are not TR_I64_NONE, if some are */
    bool absent;      /* some are TR_I64_NONE */
    bool any;         /* some are not */
};
struct tr__extent tr__extent64(const int64_t *v, size_t n);

/* Fill in c for a column whose entries are all equal, if they are. */
bool tr__column_constant(struct tr__column *c, const struct tr__extent *e);
/* Base, flag and smallest width in bytes of offsets. */
void tr__column_offsets(struct tr__column *c, const struct tr__extent *e);

/*
 * As tr__column_encode without a packer: constant or base, for an array of n elements of elem bytes.  And back, from
 * c->n offsets at p of a checked column.
 */
bool tr__base_encode(const void *v, size_t n, unsigned elem, struct tr__column *c,
                     struct tr_buf *out);
void tr__base_decode(const struct tr__column *c, const unsigned char *p, unsigned elem, void *to);

/*
 * Append the bytes of a column to out and fill in c (all but id, reference and flag bits other than
 * TR_COLUMN_ABSENT).
 *
 * v     entries, sign-extended to 64 bits
 * n     their number, at least 1 and at most TR_MAX_EVENTS
 * elem  bytes of an element: 1, 4 or 8
 * pack  choose the encoding that is smallest for a sample
 *
 * False: out of memory.
 */
bool tr__column_encode(struct tr__column_room *k, struct tr__packer *pack, const int64_t *v,
                       size_t n, unsigned elem, const struct tr__contexts *contexts,
                       struct tr__column *c, struct tr_buf *out);

/*
 * Decode into n elements of elem bytes each.  There are c->n entries, and c->stored bytes at stored.
 * Returns TR_OK, TR_DAMAGED (unknown encoding or codec, sizes that do not agree) or TR_SYSTEM.
 */
enum tr_status tr__column_decode(struct tr__column_room *k, const struct tr__column *c,
                                 const unsigned char *stored, unsigned elem,
                                 const struct tr__contexts *contexts, void *to,
                                 struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
