/* SPDX-License-Identifier: MIT */
/* The index of a stream, and its trailer. */
#include "stream/format/tr_index_int.h"

#include "stream/tr_wire_int.h"

#include <string.h>

void tr__index_hash(uint64_t *hash, const struct tr__index_entry *e)
{
    unsigned char b[48];
    tr__put64(b, *hash);
    tr__put64(b + 8, e->type);
    tr__put64(b + 16, e->n_items);
    tr__put64(b + 24, e->offset);
    tr__put64(b + 32, (uint64_t)e->start);
    tr__put64(b + 40, (uint64_t)e->end);
    *hash = tr__checksum(b, sizeof b);
}

bool tr__index_add(struct tr__index *x, const struct tr__index_entry *e)
{
    struct tr__out o = { &x->rows, false };
    bool range = e->end != TR_TIME_NONE;
    tr__out_varint(&o, e->type);
    tr__out_varint(&o, e->n_items);
    tr__out_varint(&o, e->offset - x->last_offset);
    tr__out_u8(&o, range);
    if (range) {
        tr__out_signed(&o, e->start);
        tr__out_signed(&o, e->end);
    }
    tr__out_varint(&o, e->source_min);
    tr__out_varint(&o, e->source_max);
    x->last_offset = e->offset;
    x->n++;
    tr__index_hash(&x->hash, e);
    return !o.failed;
}

bool tr__index_put(const struct tr__index *x, struct tr_buf *payload)
{
    struct tr__out o = { payload, false };
    tr__out_u64(&o, x->previous);
    tr__out_bytes(&o, x->rows.data, x->rows.len);
    return !o.failed;
}

void tr__index_restart(struct tr__index *x, uint64_t offset)
{
    x->rows.len = 0;
    x->n = 0;
    x->last_offset = 0;
    x->previous = offset;
}

enum tr_status tr__index_get(const unsigned char *payload, size_t len, uint32_t n_items,
                             uint64_t *hash, uint64_t *previous, struct tr_error *err)
{
    struct tr__in in = { payload, payload + len, false };
    uint64_t last_offset = 0;
    *previous = tr__in_u64(&in);
    for (uint32_t i = 0; i < n_items && !in.bad; i++) {
        struct tr__index_entry e = { .type = (uint16_t)tr__in_max(&in, UINT16_MAX) };
        e.n_items = (uint32_t)tr__in_max(&in, UINT32_MAX);
        e.offset = last_offset += tr__in_varint(&in);
        uint8_t range = tr__in_u8(&in);
        e.start = range ? tr__in_signed(&in) : TR_TIME_NONE;
        e.end = range ? tr__in_signed(&in) : TR_TIME_NONE;
        e.source_min = (uint32_t)tr__in_max(&in, UINT32_MAX);
        e.source_max = (uint32_t)tr__in_max(&in, UINT32_MAX);
        in.bad |= range > 1 || e.source_min > e.source_max;
        tr__index_hash(hash, &e);
    }
    if (in.bad || tr__in_left(&in))
        return tr_fail(err, TR_DAMAGED, "the index is malformed");
    return TR_OK;
}

void tr__trailer_put(const struct tr__trailer *t, unsigned char out[TR_TRAILER_BYTES])
{
    tr__put64(out, t->n_events);
    tr__put64(out + 8, t->index_offset);
    tr__put64(out + 16, t->offset);
    tr__put64(out + 24, t->chain);
    for (unsigned i = 0; i < TR_TRAILER_PHASES; i++)
        tr__put64(out + 32 + 8 * i, t->n_phase[i]);
    tr__put64(out + 32 + 8 * TR_TRAILER_PHASES, t->n_repaired);
    tr__put64(out + 40 + 8 * TR_TRAILER_PHASES, t->n_lost);
}

void tr__trailer_get(struct tr__trailer *t, const unsigned char in[TR_TRAILER_BYTES])
{
    t->n_events = tr__get64(in);
    t->index_offset = tr__get64(in + 8);
    t->offset = tr__get64(in + 16);
    t->chain = tr__get64(in + 24);
    for (unsigned i = 0; i < TR_TRAILER_PHASES; i++)
        t->n_phase[i] = tr__get64(in + 32 + 8 * i);
    t->n_repaired = tr__get64(in + 32 + 8 * TR_TRAILER_PHASES);
    t->n_lost = tr__get64(in + 40 + 8 * TR_TRAILER_PHASES);
}

uint64_t tr__chain(uint64_t chain, const unsigned char header[TR_BLOCK_BYTES])
{
    unsigned char b[8 + TR_BLOCK_BYTES];
    tr__put64(b, chain);
    memcpy(b + 8, header, TR_BLOCK_BYTES);
    return tr__checksum(b, sizeof b);
}

void tr__trailer_damage(struct tr__trailer *t, const struct tr_summary *s)
{
    t->n_repaired = t->n_lost = 0;
    for (size_t i = 0; s && i < s->n; i++) {
        t->n_repaired += tr_summary_damage(&s->sources[i], false);
        t->n_lost += tr_summary_damage(&s->sources[i], true);
    }
}
