/* SPDX-License-Identifier: MIT */
/*
 * A row: one event with all its values in contiguous memory.  Events are sorted in this form.
 *
 * Batches have columns, which are good for computing and storing.  But a sort moves whole events.  So readers of
 * unsorted formats write rows, and the merge turns them into batches.  A row consists of
 *
 *   header  struct tr_row
 *   end     of a joined span: the record of its E event, 8 bytes
 *   extras  those that the event has (enum tr_row_has)
 *   values  of the event's packed columns, in the order of its shape's slots: 8 bytes for a number, 4 for a string, not
 *           aligned
 *
 * The numbers of strings, shapes and tracks belong to the interner of the thread that read the event.  The merge maps
 * them to those of the stream.
 */
#ifndef TR_ROW_INT_H
#define TR_ROW_INT_H

#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The extras before the values, in this order: bits of tr_row.has. */
enum tr_row_has {
    TR_ROW_LINK = 1,  /* the correlation of launch and device work, 8 bytes */
    TR_ROW_PS = 2,    /* picoseconds of ts, then of dur, 8 bytes each */
    TR_ROW_GRAPH = 4, /* graph, then node, 8 bytes each */
};

struct tr_row {
    int64_t ts, dur;
    uint64_t record;
    uint32_t size; /* bytes, this header included; a multiple of 8 */
    uint32_t source;
    uint32_t shape, track, name, cat;
    uint16_t interner;
    uint8_t phase, activity, kind, suspect, flags;
    uint8_t has; /* bits of enum tr_row_has */
};

#define TR_ROW_HEADER sizeof(struct tr_row)

static inline const unsigned char *tr_row_values(const struct tr_row *r)
{
    return (const unsigned char *)r + TR_ROW_HEADER;
}

/* The number of bytes of these extras. */
static inline size_t tr_row_has_size(unsigned has)
{
    return (has & TR_ROW_LINK ? 8u : 0u) + (has & TR_ROW_PS ? 16u : 0u) + (has & TR_ROW_GRAPH ? 16u : 0u);
}

/* A row with the first key of the order, so most comparisons do not read the row itself. */
struct tr_row_ref {
    int64_t ts;
    const struct tr_row *row;
};

/* Canonical order of two rows; order_of[source]: position of a source among the sources. */
static inline int tr_row_cmp(const struct tr_row *a, const struct tr_row *b,
                             const uint32_t *order_of)
{
    int c = tr_order_cmp(a->ts, tr_order_dur(a->dur, a->suspect), b->ts,
                         tr_order_dur(b->dur, b->suspect));
    if (c)
        return c;
    if (a->source != b->source && order_of && order_of[a->source] != order_of[b->source])
        return order_of[a->source] < order_of[b->source] ? -1 : 1;
    if (a->record != b->record)
        return a->record < b->record ? -1 : 1;
    return a->source < b->source ? -1 : a->source > b->source;
}

#ifdef __cplusplus
}
#endif
#endif
