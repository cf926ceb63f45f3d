/* SPDX-License-Identifier: MIT */
/* One column of an event block as bytes: its encodings. */
#include "stream/format/tr_column_int.h"

#include "base/tr_wide_int.h"
#include "stream/tr_event.h"
#include "stream/tr_wire_int.h"

#include <stdlib.h>
#include <string.h>

void tr__column_put(const struct tr__column *c, unsigned char out[TR_COLUMN_BYTES])
{
    tr__put32(out, c->id);
    out[4] = c->encoding;
    out[5] = c->context;
    out[6] = c->width;
    out[7] = c->codec;
    out[8] = c->reference;
    out[9] = c->flags;
    tr__put16(out + 10, 0);
    tr__put32(out + 12, c->n);
    tr__put32(out + 16, c->stored);
    tr__put64(out + 20, (uint64_t)c->base);
}

void tr__column_get(struct tr__column *c, const unsigned char in[TR_COLUMN_BYTES])
{
    c->id = tr__get32(in);
    c->encoding = in[4];
    c->context = in[5];
    c->width = in[6];
    c->codec = in[7];
    c->reference = in[8];
    c->flags = in[9];
    c->n = tr__get32(in + 12);
    c->stored = tr__get32(in + 16);
    c->base = (int64_t)tr__get64(in + 20);
}

void tr__column_room_free(struct tr__column_room *k)
{
    free(k->u);
    free(k->bytes);
    memset(k, 0, sizeof *k);
}

static bool reserve(struct tr__column_room *k, size_t n)
{
    return tr_grow(&k->u, &k->cap_u, n, sizeof *k->u) &&
           tr_grow(&k->bytes, &k->cap_bytes, n * 8, 1);
}

/* ---- encoding ---- */

/* Offsets of v from base; with absent, 0 is TR_TIME_NONE and others count from 1. */
TR_WIDE
static void make_offsets(const int64_t *v, size_t n, int64_t base, bool absent, uint64_t *u)
{
    uint64_t b = (uint64_t)base;
    if (absent)
        for (size_t i = 0; i < n; i++)
            u[i] = v[i] == TR_I64_NONE ? 0 : (uint64_t)v[i] - b + 1;
    else
        for (size_t i = 0; i < n; i++)
            u[i] = (uint64_t)v[i] - b;
}

TR_WIDE_PART uint64_t fold(uint64_t difference, unsigned drop)
{
    uint64_t d = difference << drop;                   /* sign into the top bit ... */
    return ((d << 1) ^ (0 - (d >> 63))) >> drop; /* ... and folded into the lowest */
}

TR_WIDE
static uint64_t deltas_of_all(const int64_t *v, size_t n, uint64_t base, unsigned drop, uint64_t *u)
{
    uint64_t all = u[0] = fold((uint64_t)v[0] - base, drop);
    for (size_t i = 1; i < n; i++) {
        u[i] = fold((uint64_t)v[i] - (uint64_t)v[i - 1], drop);
        all |= u[i];
    }
    return all;
}

TR_WIDE
static uint64_t fold_all(uint64_t *u, size_t n, unsigned drop)
{
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++) {
        u[i] = fold(u[i], drop);
        all |= u[i];
    }
    return all;
}

/* Replace the entry before; the difference to it. */
static inline uint64_t exchange(uint64_t *last, uint64_t v)
{
    uint64_t before = *last;
    *last = v;
    return v - before;
}

/* Differences to the entries before them.  event NULL: an entry for each event. */
static void subtract_previous(const int64_t *v, size_t n, const uint16_t *slot, const uint16_t *event, uint64_t *last,
                              uint64_t *u)
{
    size_t i = 0;
    for (; event && i + 4 <= n; i += 4)
        for (unsigned k = 0; k < 4; k++)
            u[i + k] = exchange(&last[slot[event[i + k]]], (uint64_t)v[i + k]);
    for (; !event && i + 4 <= n; i += 4)
        for (unsigned k = 0; k < 4; k++)
            u[i + k] = exchange(&last[slot[i + k]], (uint64_t)v[i + k]);
    for (; i < n; i++)
        u[i] = exchange(&last[slot[event ? event[i] : i]], (uint64_t)v[i]);
}

/* Folded differences modulo 2^(8 elem); returns all of them or-ed, which gives the width.  n is at least 1. */
static uint64_t make_deltas(const int64_t *v, size_t n, int64_t base, unsigned elem,
                            const uint16_t *slot, const uint16_t *event, uint64_t *u)
{
    uint64_t last[TR_CONTEXT_SLOTS];
    unsigned drop = 64 - 8 * elem;
    if (!slot)
        return deltas_of_all(v, n, (uint64_t)base, drop, u);
    if (n < TR_CONTEXT_SLOTS) /* only those that are used */
        for (size_t i = 0; i < n; i++)
            last[slot[event ? event[i] : i]] = (uint64_t)base;
    else
        for (size_t i = 0; i < TR_CONTEXT_SLOTS; i++)
            last[i] = (uint64_t)base;
    subtract_previous(v, n, slot, event, last, u);
    return fold_all(u, n, drop);
}

TR_WIDE
static void put_interleaved(const uint64_t *u, size_t n, unsigned width, unsigned char *to)
{
    size_t i;
    switch (width) {
    case 1:
        for (i = 0; i < n; i++)
            to[i] = (unsigned char)u[i];
        break;
    case 2:
        for (i = 0; i < n; i++)
            tr__put16(to + 2 * i, (uint16_t)u[i]);
        break;
    case 4:
        for (i = 0; i < n; i++)
            tr__put32(to + 4 * i, (uint32_t)u[i]);
        break;
    default:
        for (i = 0; i < n; i++)
            tr__put64(to + 8 * i, u[i]);
    }
}

TR_WIDE
static void put_planes(const uint64_t *u, size_t n, unsigned width, unsigned char *to)
{
    for (unsigned j = 0; j < width; j++, to += n)
        for (size_t i = 0; i < n; i++)
            to[i] = (unsigned char)(u[i] >> (8 * j));
}

struct choice {
    uint8_t encoding, context;
};

static unsigned next_power(unsigned width)
{
    return width <= 2 ? width : width <= 4 ? 4 : 8;
}

#define SAMPLE 512u

/* Rough cost of a folded difference after compression: repeated values cost almost nothing. */
static inline size_t rough_cost(uint64_t difference, uint64_t before)
{
    return difference == before ? 1 : 8 * tr__bytes_for(difference);
}

/* Does a context have more than one slot in the sample?  Else it is like no context. */
static bool has_slots(const uint16_t *slot, const uint16_t *event, size_t n)
{
    uint16_t first = slot[event ? event[0] : 0];
    for (size_t i = 1; i < n; i++)
        if (slot[event ? event[i] : i] != first)
            return true;
    return false;
}

/* The cost of a sample in a context; limit: that, or more. */
static size_t context_cost(const int64_t *v, size_t n, unsigned drop, const uint16_t *slot, const uint16_t *event,
                           size_t limit)
{
    uint64_t last[TR_CONTEXT_SLOTS], before = UINT64_MAX;
    size_t cost = 0;
    for (size_t i = 0; i < n; i++)
        last[slot[event ? event[i] : i]] = (uint64_t)v[0];
    for (size_t i = 0; i < n && cost < limit; i++) {
        size_t s = slot[event ? event[i] : i];
        uint64_t difference = fold((uint64_t)v[i] - last[s], drop);
        last[s] = (uint64_t)v[i];
        cost += rough_cost(difference, before);
        before = difference;
    }
    return cost < limit ? cost : limit;
}

/* The context with the smallest differences in the sample; u: those without a context. */
static unsigned choose_context(const uint64_t *u, const int64_t *v, size_t n, unsigned elem,
                               const struct tr__contexts *x)
{
    unsigned best = TR_CONTEXT_NONE;
    size_t best_cost = 0;
    for (size_t i = 0; i < n; i++)
        best_cost += rough_cost(u[i], i ? u[i - 1] : UINT64_MAX);
    for (unsigned c = TR_CONTEXT_NONE + 1; c < TR_N_CONTEXTS; c++) {
        if (!x->slot[c] || !has_slots(x->slot[c], x->event, n))
            continue;
        size_t cost = context_cost(v, n, 64 - 8 * elem, x->slot[c], x->event, best_cost);
        if (cost < best_cost) {
            best = c;
            best_cost = cost;
        }
    }
    return best;
}

/* Try the encodings on a run of entries from the middle; it depends on nothing but the column
 * itself. */
static struct choice choose(struct tr__column_room *k, struct tr__packer *pack, const int64_t *v,
                            size_t n, unsigned elem, const struct tr__contexts *contexts,
                            const struct tr__column *offsets)
{
    size_t m = n <= SAMPLE ? n : SAMPLE, from = (n - m) / 2;
    struct tr__contexts x = *contexts;
    if (x.event)
        x.event += from;
    else
        for (unsigned c = 0; c < TR_N_CONTEXTS; c++)
            x.slot[c] = x.slot[c] ? x.slot[c] + from : NULL;
    v += from;

    uint64_t all = make_deltas(v, m, v[0], elem, NULL, NULL, k->u);
    unsigned context = choose_context(k->u, v, m, elem, &x);
    if (context != TR_CONTEXT_NONE)
        all = make_deltas(v, m, v[0], elem, x.slot[context], x.event, k->u);
    unsigned width = tr__bytes_for(all);
    put_planes(k->u, m, width, k->bytes);
    size_t delta = tr__pack_estimate(pack, k->bytes, m * width);

    make_offsets(v, m, offsets->base, offsets->flags != 0, k->u);
    width = next_power(offsets->width);
    put_interleaved(k->u, m, width, k->bytes);
    size_t base = tr__pack_estimate(pack, k->bytes, m * width), planes = base;
    if (width > 1) { /* else these are the same bytes */
        put_planes(k->u, m, offsets->width, k->bytes);
        planes = tr__pack_estimate(pack, k->bytes, m * offsets->width);
    }

    /* Encodings that are slower to decode must be clearly smaller. */
    if (delta + delta / 32 < base && delta + delta / 32 < planes)
        return (struct choice){ TR_ENC_DELTA, (uint8_t)context };
    return (struct choice){ planes + planes / 32 < base ? TR_ENC_PLANES : TR_ENC_BASE, 0 };
}

bool tr__column_encode(struct tr__column_room *k, struct tr__packer *pack, const int64_t *v,
                       size_t n, unsigned elem, const struct tr__contexts *contexts,
                       struct tr__column *c, struct tr_buf *out)
{
    struct tr__extent e = tr__extent64(v, n);
    c->n = (uint32_t)n;
    if (tr__column_constant(c, &e))
        return true;
    if (!reserve(k, n))
        return false;
    tr__column_offsets(c, &e);
    struct choice how = choose(k, pack, v, n, elem, contexts, c);
    c->encoding = how.encoding;
    c->context = how.context;
    if (how.encoding == TR_ENC_DELTA) {
        c->base = v[0];
        c->flags = 0;
        c->width = (uint8_t)tr__bytes_for(
            make_deltas(v, n, v[0], elem, contexts->slot[how.context], contexts->event, k->u));
        put_planes(k->u, n, c->width, k->bytes);
    } else {
        make_offsets(v, n, c->base, c->flags != 0, k->u);
        if (how.encoding == TR_ENC_BASE) {
            c->width = (uint8_t)next_power(c->width);
            put_interleaved(k->u, n, c->width, k->bytes);
        } else {
            put_planes(k->u, n, c->width, k->bytes);
        }
    }
    size_t before = out->len;
    int codec = tr__pack(pack, k->bytes, n * c->width, out);
    if (codec < 0)
        return false;
    c->codec = (uint8_t)codec;
    c->stored = (uint32_t)(out->len - before);
    return true;
}

/* ---- decoding ---- */

/* Write the low elem bytes of u[0..n) to element `at` and on. */
TR_WIDE
static void store(const uint64_t *u, size_t n, unsigned elem, void *to, size_t at)
{
    if (elem == 8) {
        memcpy((uint64_t *)to + at, u, n * 8);
    } else if (elem == 4) {
        uint32_t *t = (uint32_t *)to + at;
        for (size_t i = 0; i < n; i++)
            t[i] = (uint32_t)u[i];
    } else {
        uint8_t *t = (uint8_t *)to + at;
        for (size_t i = 0; i < n; i++)
            t[i] = (uint8_t)u[i];
    }
}

#define PIECE 512u /* entries decoded at a time, so that they stay in the nearest cache */

/* Entries [at, at+n) out of planes of total bytes each. */
TR_WIDE
static void get_planes(const unsigned char *p, size_t total, size_t at, size_t n, unsigned width,
                       uint64_t *u)
{
    p += at;
    for (size_t i = 0; i < n; i++)
        u[i] = p[i];
    for (unsigned j = 1; j < width; j++) {
        p += total;
        for (size_t i = 0; i < n; i++)
            u[i] |= (uint64_t)p[i] << (8 * j);
    }
}

TR_WIDE
static void add_base(uint64_t *u, size_t n, int64_t base, bool absent)
{
    uint64_t b = (uint64_t)base;
    if (absent)
        for (size_t i = 0; i < n; i++)
            u[i] = u[i] ? b + u[i] - 1 : (uint64_t)TR_I64_NONE;
    else
        for (size_t i = 0; i < n; i++)
            u[i] += b;
}

TR_WIDE
static void unfold(uint64_t *u, size_t n)
{
    for (size_t i = 0; i < n; i++)
        u[i] = (u[i] >> 1) ^ (0 - (u[i] & 1));
}

/* Add to the differences the entries before them.  event NULL: an entry for each event. */
static void add_previous(uint64_t *u, size_t n, const uint16_t *slot, const uint16_t *event, uint64_t *last)
{
    size_t i = 0;
    if (!slot) {
        uint64_t v = last[0];
        for (; i < n; i++)
            u[i] = v += u[i];
        last[0] = v;
    } else if (event) {
        for (; i + 4 <= n; i += 4)
            for (unsigned k = 0; k < 4; k++)
                u[i + k] = last[slot[event[i + k]]] += u[i + k];
        for (; i < n; i++)
            u[i] = last[slot[event[i]]] += u[i];
    } else {
        for (; i + 4 <= n; i += 4)
            for (unsigned k = 0; k < 4; k++)
                u[i + k] = last[slot[i + k]] += u[i + k];
        for (; i < n; i++)
            u[i] = last[slot[i]] += u[i];
    }
}

static void decode_constant(const struct tr__column *c, unsigned elem, void *to)
{
    uint64_t u[PIECE];
    size_t m = c->n < PIECE ? c->n : PIECE;
    if (elem == 1) {
        memset(to, (int)((uint64_t)c->base & 255), c->n);
        return;
    }
    for (size_t i = 0; i < m; i++)
        u[i] = (uint64_t)c->base;
    for (size_t at = 0; at < c->n; at += m)
        store(u, c->n - at < m ? c->n - at : m, elem, to, at);
}

static enum tr_status check_column(const struct tr__column *c, unsigned elem,
                                   const struct tr__contexts *x, struct tr_error *err)
{
    bool constant = c->encoding == TR_ENC_CONSTANT;
    if (c->encoding > TR_ENC_DELTA)
        return tr_fail(err, TR_DAMAGED, "column %u has the unknown encoding %u", c->id,
                       c->encoding);
    if (c->codec >= TR_N_CODECS)
        return tr_fail(err, TR_DAMAGED, "column %u has the unknown codec %u", c->id, c->codec);
    if (constant ? c->width || c->stored : c->width < 1 || c->width > elem)
        return tr_fail(err, TR_DAMAGED, "column %u has width %u", c->id, c->width);
    if (c->encoding == TR_ENC_BASE && next_power(c->width) != c->width)
        return tr_fail(err, TR_DAMAGED, "column %u has width %u", c->id, c->width);
    bool offsets = c->encoding == TR_ENC_BASE || c->encoding == TR_ENC_PLANES;
    if (c->flags > (TR_CRITICAL | TR_SAFE_TO_COPY | TR_COLUMN_ABSENT) ||
        ((c->flags & TR_COLUMN_ABSENT) && (elem != 8 || !offsets)))
        return tr_fail(err, TR_DAMAGED, "column %u has flags %u", c->id, c->flags);
    if (c->context >= TR_N_CONTEXTS || (c->context && c->encoding != TR_ENC_DELTA) ||
        (c->context && !x->slot[c->context]))
        return tr_fail(err, TR_DAMAGED, "column %u has context %u", c->id, c->context);
    return TR_OK;
}

enum tr_status tr__column_decode(struct tr__column_room *k, const struct tr__column *c,
                                 const unsigned char *stored, unsigned elem,
                                 const struct tr__contexts *x, void *to, struct tr_error *err)
{
    enum tr_status st = check_column(c, elem, x, err);
    if (st != TR_OK)
        return st;
    if (c->encoding == TR_ENC_CONSTANT) {
        decode_constant(c, elem, to);
        return TR_OK;
    }
    size_t len = (size_t)c->n * c->width;
    const unsigned char *p = stored;
    if (c->codec != TR_CODEC_NONE) {
        if (!tr_grow(&k->bytes, &k->cap_bytes, len, 1))
            return tr_fail_memory(err);
        st = tr__unpack(c->codec, stored, c->stored, k->bytes, len);
        if (st == TR_SYSTEM)
            return tr_fail_memory(err);
        if (st != TR_OK)
            return tr_fail(err, TR_DAMAGED, "column %u does not decompress to %zu bytes", c->id,
                           len);
        p = k->bytes;
    } else if (c->stored != len) {
        return tr_fail(err, TR_DAMAGED, "column %u has %u bytes, %zu expected", c->id, c->stored,
                       len);
    }
    if (c->encoding == TR_ENC_BASE) {
        tr__base_decode(c, p, elem, to);
        return TR_OK;
    }
    uint64_t last[TR_CONTEXT_SLOTS], piece[PIECE];
    const uint16_t *slot = x->slot[c->context];
    if (c->encoding == TR_ENC_DELTA)
        for (size_t i = 0; i < (slot ? TR_CONTEXT_SLOTS : 1); i++)
            last[i] = (uint64_t)c->base;
    for (size_t at = 0; at < c->n; at += PIECE) {
        size_t m = c->n - at < PIECE ? c->n - at : PIECE;
        uint64_t *u = elem == 8 ? (uint64_t *)to + at : piece;
        get_planes(p, c->n, at, m, c->width, u);
        if (c->encoding == TR_ENC_DELTA) {
            unfold(u, m);
            add_previous(u, m, x->event || !slot ? slot : slot + at, x->event ? x->event + at : NULL, last);
        } else {
            add_base(u, m, c->base, (c->flags & TR_COLUMN_ABSENT) != 0);
        }
        if (elem < 8)
            store(u, m, elem, to, at);
    }
    return TR_OK;
}
