/* SPDX-License-Identifier: MIT */
/*
 * The layout of packed columns: the events of a run that have an entry in each.  Internal to libcore.
 *
 * A packed column has an entry for each event whose shape has a slot of that column.  A derived column has one for each
 * event whose flags have the column's bit.  Writer and reader compute this in the same way from shapes and flags.  So a
 * stream needs no bitmaps, and a reader knows the number of entries before it decodes a column.
 */
#ifndef TR_LAYOUT_INT_H
#define TR_LAYOUT_INT_H

#include "stream/tr_batch.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The dictionary that the entries of a column refer to. */
enum tr_reference {
    TR_REF_NONE = 0,
    TR_REF_STRING = 1,
    TR_REF_TRACK = 2,
    TR_REF_SHAPE = 3,
    TR_REF_RECORD = 4,
};

/* A packed column with entries in the run. */
struct tr__present {
    uint32_t column;
    uint32_t n;        /* entries */
    uint64_t shapes;   /* bit i: local shape i has it; those from 64 on are in layout.many */
    uint8_t flag;      /* or the bit of the flags that decides */
    uint8_t elem;      /* bytes of an entry in memory: 4 or 8 */
    uint8_t reference; /* enum tr_reference */
    bool many;         /* some local shape from 64 on has it */
};

/* A finished layout does not depend on the dictionary, which may grow then. */
struct tr__layout {
    size_t n; /* events */
    const uint32_t *shape;
    const uint8_t *flags;
    uint16_t *local;                 /* by event: number of its shape among those of the run */
    uint32_t *local_shape, *local_n; /* by that number: shape, events */
    size_t n_local, cap_local_shape, cap_local_n, cap_local;
    struct tr__present *present; /* by column number */
    size_t n_present, cap_present;
    uint32_t *of_shape;  /* by shape: local number + 1, else 0; all 0 between runs */
    uint32_t *of_column; /* by column: position in present + 1, else 0; all 0 between runs */
    size_t cap_of_shape, cap_of_column;
    struct tr__layout_list {
        uint64_t shapes;
        uint8_t flag;
        uint16_t *event;
        size_t cap;
    } lists[32]; /* events of columns that other columns share */
    size_t n_lists;
    struct tr__layout_pair {
        uint32_t column;
        uint16_t local;
    } * many; /* local shapes from 64 on and their columns, by column */
    size_t n_many, cap_many;
    uint8_t *has; /* by local shape: does it have the column in question? */
    size_t cap_has;
    uint64_t *maps; /* of each local shape below 64: its events as a bitmap; made when they are needed */
    uint64_t *bits; /* a bitmap: events that have an entry in the column in question */
    size_t cap_maps, cap_bits;
    bool have_maps;
    uint16_t *other; /* events of a column that shares them with no other column; overwritten by the next one */
    size_t cap_other;
};

void tr__layout_free(struct tr__layout *l); /* zero-initialise it before use */

/*
 * Work out the layout of n events, n <= TR_MAX_EVENTS.  The arrays are borrowed until the next
 * call; shapes have to be in the dictionary.  shape NULL: only the derived columns.
 * Returns TR_OK; TR_DAMAGED if there are more than TR_MAX_SLOTS columns or max_bytes of entries;
 * TR_SYSTEM.
 */
enum tr_status tr__layout_make(struct tr__layout *l, const struct tr_dict *dict,
                               const uint32_t *shape, const uint8_t *flags, size_t n,
                               size_t max_bytes, struct tr_error *err);

/*
 * The same for a batch that has only entries of its events: without the information which event has which entry.
 */
enum tr_status tr__layout_count(struct tr__layout *l, const struct tr_batch *b, size_t max_bytes,
                                struct tr_error *err);

/* The events (from 0, ascending) that have an entry in a column; NULL: out of memory.  Valid until
 * the next call. */
const uint16_t *tr__layout_events(struct tr__layout *l, const struct tr__present *p);

/*
 * The same as a bitmap, the lowest bit first; bits after the last event are 0.  NULL: out of memory.  Valid until the
 * next call of either.
 */
const uint64_t *tr__layout_bits(struct tr__layout *l, const struct tr__present *p);

/* A bitmap of the bytes that have the only bit of mask. */
void tr__bits_of_bytes(const uint8_t *v, uint8_t mask, size_t n, uint64_t *bits);

/* The number of the lowest bit that is set; v is not 0. */
static inline unsigned tr__lowest_bit(uint64_t v)
{
#if defined(__GNUC__)
    return (unsigned)__builtin_ctzll(v);
#else
    unsigned n = 0;
    while (!(v >> n & 1))
        n++;
    return n;
#endif
}

/* Counts of each byte value. */
void tr__count_bytes(const uint8_t *v, size_t n, uint32_t count[256]);

/* Bytes of an entry in memory, and the dictionary it refers to (enum tr_reference). */
uint8_t tr__column_elem(const struct tr_column *c);
uint8_t tr__column_reference(const struct tr_dict *d, uint32_t column);

#ifdef __cplusplus
}
#endif
#endif
