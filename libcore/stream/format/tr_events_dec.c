/* SPDX-License-Identifier: MIT */
/* Decodes event blocks: from columns to a run of events. */
#include "stream/format/tr_events_int.h"

#include "base/tr_wide_int.h"
#include "stream/tr_wire_int.h"

#include <stdlib.h>
#include <string.h>

struct tr__decoder {
    const struct tr_dict *dict;
    struct tr__column_room codec;
    struct tr__layout layout;
    const unsigned char *payload;
    struct tr__column *columns; /* the directory: fixed ones, then as layout.present */
    uint32_t *at;               /* by directory entry: its bytes in the payload */
    size_t cap_columns, cap_at;
    void *fixed[TR_N_FIXED]; /* decoded arrays, NULL: not yet */
    uint16_t *slot[TR_N_CONTEXTS];
    size_t cap_slot[TR_N_CONTEXTS];
    bool have_slot[TR_N_CONTEXTS];
    unsigned char *room; /* all arrays of the block, back to back */
    size_t cap_room, used;
    size_t n; /* events */
    uint32_t n_strings;
};

struct tr__decoder *tr__decoder_new(const struct tr_dict *dict)
{
    struct tr__decoder *d = calloc(1, sizeof *d);
    if (d)
        d->dict = dict;
    return d;
}

void tr__decoder_free(struct tr__decoder *d)
{
    if (!d)
        return;
    tr__column_room_free(&d->codec);
    tr__layout_free(&d->layout);
    for (unsigned c = 0; c < TR_N_CONTEXTS; c++)
        free(d->slot[c]);
    free(d->columns);
    free(d->at);
    free(d->room);
    free(d);
}

const struct tr__layout *tr__decoder_layout(const struct tr__decoder *d)
{
    return &d->layout;
}

/* Room for an array in the block's memory, which tr__decoder_start has made large enough. */
static void *array_room(struct tr__decoder *d, size_t bytes)
{
    void *p = d->room + d->used;
    d->used += (bytes + 7) & ~(size_t)7;
    return p;
}

/* Read the directory; columns of unknown id that are not critical are left out. */
static enum tr_status read_directory(struct tr__decoder *d, const struct tr_block *b, size_t *n_out,
                                     struct tr_error *err)
{
    size_t n = b->stored >= 4 ? tr__get32(d->payload) : 0, kept = 0;
    if (n > (b->stored - 4) / TR_COLUMN_BYTES || n > TR_MAX_SLOTS + TR_FIRST_PACKED ||
        b->stored < 4)
        return tr_fail(err, TR_DAMAGED, "directory of %zu columns in %u bytes", n, b->stored);
    if (!tr_grow(&d->columns, &d->cap_columns, n, sizeof *d->columns) ||
        !tr_grow(&d->at, &d->cap_at, n, sizeof *d->at))
        return tr_fail_memory(err);
    uint64_t at = 4 + n * TR_COLUMN_BYTES;
    int64_t before = -1;
    for (size_t i = 0; i < n; i++) {
        struct tr__column *c = &d->columns[kept];
        tr__column_get(c, d->payload + 4 + i * TR_COLUMN_BYTES);
        if ((int64_t)c->id <= before)
            return tr_fail(err, TR_DAMAGED, "column %u stands after column %lld", c->id,
                           (long long)before);
        before = c->id;
        d->at[kept] = (uint32_t)at;
        at += c->stored;
        if (at > b->stored)
            return tr_fail(err, TR_DAMAGED, "column %u ends after its block", c->id);
        if (c->id < TR_N_FIXED || c->id >= TR_FIRST_PACKED)
            kept++;
        else if (c->flags & TR_CRITICAL)
            return tr_fail(err, TR_DAMAGED,
                           "column %u is unknown and critical: "
                           "a newer program wrote it",
                           c->id);
    }
    if (at != b->stored)
        return tr_fail(err, TR_DAMAGED, "%llu bytes after the last column",
                       (unsigned long long)(b->stored - at));
    for (unsigned id = 0; id < TR_N_FIXED; id++)
        if (id >= kept || d->columns[id].id != id)
            return tr_fail(err, TR_DAMAGED, "column '%s' is missing", tr__fixed_columns[id].name);
    *n_out = kept;
    return TR_OK;
}

/* The block must have exactly the columns that shapes and flags need. */
static enum tr_status compare_directory(const struct tr__decoder *d, const struct tr_block *b,
                                        size_t n, struct tr_error *err)
{
    uint64_t raw = d->n * TR_FIXED_BYTES;
    for (size_t i = 0; i < d->layout.n_present || i + TR_N_FIXED < n; i++) {
        const struct tr__present *p = i < d->layout.n_present ? &d->layout.present[i] : NULL;
        const struct tr__column *c = i + TR_N_FIXED < n ? &d->columns[i + TR_N_FIXED] : NULL;
        if (!p || (c && c->id - TR_FIRST_PACKED < p->column))
            return tr_fail(err, TR_DAMAGED, "column %u belongs to no event of the block", c->id);
        if (!c || c->id - TR_FIRST_PACKED > p->column)
            return tr_fail(err, TR_DAMAGED, "column %u is missing", p->column + TR_FIRST_PACKED);
        if (c->n != p->n)
            return tr_fail(err, TR_DAMAGED, "column %u has %u entries, %u expected", c->id, c->n,
                           p->n);
        if (c->reference != p->reference)
            return tr_fail(err, TR_DAMAGED, "column %u has reference kind %u", c->id, c->reference);
        raw += (uint64_t)p->n * p->elem;
    }
    if (raw != b->raw)
        return tr_fail(err, TR_DAMAGED, "raw size %u, %llu expected", b->raw,
                       (unsigned long long)raw);
    return TR_OK;
}

enum tr_status tr__decoder_start(struct tr__decoder *d, const struct tr_block *b,
                                 const unsigned char *payload, uint32_t n_strings,
                                 struct tr_error *err)
{
    size_t n_columns = 0;
    d->payload = payload;
    d->n_strings = n_strings;
    d->n = b->n_items;
    d->used = 0;
    memset(d->fixed, 0, sizeof d->fixed);
    memset(d->have_slot, 0, sizeof d->have_slot);
    if (d->n < 1 || d->n > TR_MAX_EVENTS)
        return tr_fail(err, TR_DAMAGED, "%zu events in a block, 1 to %u allowed", d->n,
                       TR_MAX_EVENTS);
    enum tr_status st = read_directory(d, b, &n_columns, err);
    if (st != TR_OK)
        return st;
    for (unsigned id = 0; id < TR_N_FIXED; id++)
        if (d->columns[id].n != d->n || d->columns[id].reference != tr__fixed_columns[id].reference)
            return tr_fail(err, TR_DAMAGED,
                           "column '%s' has %u entries of kind %u, %zu of %u expected",
                           tr__fixed_columns[id].name, d->columns[id].n, d->columns[id].reference,
                           d->n, tr__fixed_columns[id].reference);
    /* Every array is rounded up to 8 bytes. */
    if (!tr_grow(&d->room, &d->cap_room, b->raw + TR_FIXED_BYTES * d->n + 8 * n_columns, 1))
        return tr_fail_memory(err);
    void *shape, *flags;
    st = tr__decoder_fixed(d, TR_FIXED_SHAPE, &shape, err);
    if (st == TR_OK)
        st = tr__decoder_fixed(d, TR_FIXED_FLAGS, &flags, err);
    if (st == TR_OK)
        st = tr__layout_make(&d->layout, d->dict, shape, flags, d->n, TR_MAX_RAW, err);
    if (st == TR_OK)
        st = compare_directory(d, b, n_columns, err);
    return st;
}

TR_WIDE
static uint32_t largest32(const uint32_t *v, size_t n, uint32_t add)
{
    uint32_t max = 0;
    for (size_t i = 0; i < n; i++)
        max = v[i] + add > max ? v[i] + add : max;
    return max;
}

TR_WIDE
static uint8_t largest8(const uint8_t *v, size_t n)
{
    uint8_t max = 0;
    for (size_t i = 0; i < n; i++)
        max = v[i] > max ? v[i] : max;
    return max;
}

/* Check numbers of rows and of enumerations here, so that no other code has to check them. */
static enum tr_status check_fixed(const struct tr__decoder *d, enum tr_fixed id,
                                  struct tr_error *err)
{
    static const uint8_t limits[TR_N_FIXED] = {
        [TR_FIXED_PHASE] = TR_N_PHASES,
        [TR_FIXED_ACTIVITY] = TR_N_ACTIVITIES,
        [TR_FIXED_KIND] = TR_N_KINDS,
        [TR_FIXED_SUSPECT] = TR_N_SUSPECTS,
        [TR_FIXED_FLAGS] = TR_ALL_FLAGS + 1,
    };
    uint64_t largest = 0, limit = 1;
    switch (id) {
    case TR_FIXED_TRACK:
        largest = largest32(d->fixed[id], d->n, 0);
        limit = d->dict->n_tracks;
        break;
    case TR_FIXED_SHAPE:
        largest = largest32(d->fixed[id], d->n, 0);
        limit = d->dict->n_shapes;
        break;
    case TR_FIXED_NAME:
    case TR_FIXED_CAT: /* one more, so that "none" is 0 */
        largest = largest32(d->fixed[id], d->n, 1);
        limit = (uint64_t)d->n_strings + 1;
        break;
    case TR_FIXED_PHASE:
    case TR_FIXED_ACTIVITY:
    case TR_FIXED_KIND:
    case TR_FIXED_SUSPECT:
    case TR_FIXED_FLAGS:
        largest = largest8(d->fixed[id], d->n);
        limit = limits[id];
        break;
    default:
        break;
    }
    if (largest >= limit)
        return tr_fail(err, TR_DAMAGED, "column '%s' holds a number that is not defined",
                       tr__fixed_columns[id].name);
    return TR_OK;
}

/* Make the contexts that a column needs; rank says what may depend on what, so that there is no
 * circle. */
static enum tr_status need_context(struct tr__decoder *d, unsigned context, unsigned rank,
                                   struct tr_error *err)
{
    static const enum tr_fixed numbers[TR_N_CONTEXTS] = {
        [TR_CONTEXT_SHAPE] = TR_FIXED_SHAPE,
        [TR_CONTEXT_NAME] = TR_FIXED_NAME,
        [TR_CONTEXT_TRACK] = TR_FIXED_TRACK,
    };
    if (context == TR_CONTEXT_NONE)
        return TR_OK;
    if (context >= TR_N_CONTEXTS || context > rank)
        return tr_fail(err, TR_DAMAGED, "a column has context %u", context);
    if (d->have_slot[context])
        return TR_OK;
    void *array;
    enum tr_status st = tr__decoder_fixed(d, numbers[context], &array, err);
    if (st != TR_OK)
        return st;
    if (!tr_grow(&d->slot[context], &d->cap_slot[context], d->n, sizeof **d->slot))
        return tr_fail_memory(err);
    const uint32_t *v = array;
    for (size_t i = 0; i < d->n; i++)
        d->slot[context][i] = (uint16_t)(v[i] % TR_CONTEXT_SLOTS);
    d->have_slot[context] = true;
    return TR_OK;
}

static struct tr__contexts contexts_of(const struct tr__decoder *d, unsigned context,
                                       const uint16_t *event)
{
    struct tr__contexts x = { { NULL }, event };
    if (context < TR_N_CONTEXTS && d->have_slot[context])
        x.slot[context] = d->slot[context];
    return x;
}

enum tr_status tr__decoder_fixed(struct tr__decoder *d, enum tr_fixed id, void **array,
                                 struct tr_error *err)
{
    if (!d->fixed[id]) {
        const struct tr__column *c = &d->columns[id];
        unsigned rank = id == TR_FIXED_SHAPE   ? TR_CONTEXT_NONE
                        : id == TR_FIXED_NAME  ? TR_CONTEXT_SHAPE
                        : id == TR_FIXED_TRACK ? TR_CONTEXT_NAME
                                               : TR_CONTEXT_TRACK;
        enum tr_status st = need_context(d, c->context, rank, err);
        if (st != TR_OK)
            return st;
        struct tr__contexts x = contexts_of(d, c->context, NULL);
        unsigned elem = tr__fixed_columns[id].elem;
        void *to = array_room(d, d->n * elem);
        st = tr__column_decode(&d->codec, c, d->payload + d->at[id], elem, &x, to, err);
        if (st != TR_OK)
            return st;
        d->fixed[id] = to;
        st = check_fixed(d, id, err);
        if (st != TR_OK) {
            d->fixed[id] = NULL;
            return st;
        }
    }
    *array = d->fixed[id];
    return TR_OK;
}

static enum tr_status check_packed(const struct tr__decoder *d, const struct tr__column *c,
                                   const void *v, struct tr_error *err)
{
    if (c->reference == TR_REF_STRING && largest32(v, c->n, 1) > d->n_strings)
        return tr_fail(err, TR_DAMAGED, "column %u holds a number that no string has", c->id);
    if (c->reference == TR_REF_TRACK) {
        const int64_t *t = v;
        for (size_t i = 0; i < c->n; i++)
            if (t[i] < 0 || (uint64_t)t[i] >= d->dict->n_tracks)
                return tr_fail(err, TR_DAMAGED, "column %u holds a number that no track has",
                               c->id);
    }
    return TR_OK;
}

enum tr_status tr__decoder_packed(struct tr__decoder *d, size_t i, void **array,
                                  struct tr_error *err)
{
    const struct tr__present *p = &d->layout.present[i];
    const struct tr__column *c = &d->columns[TR_N_FIXED + i];
    enum tr_status st = need_context(d, c->context, TR_CONTEXT_TRACK, err);
    if (st != TR_OK)
        return st;
    const uint16_t *event = NULL;
    if (c->context != TR_CONTEXT_NONE) {
        event = tr__layout_events(&d->layout, p);
        if (!event)
            return tr_fail_memory(err);
    }
    struct tr__contexts x = contexts_of(d, c->context, event);
    unsigned elem = p->elem;
    *array = array_room(d, (size_t)c->n * elem);
    st = tr__column_decode(&d->codec, c, d->payload + d->at[TR_N_FIXED + i], elem, &x, *array, err);
    return st == TR_OK ? check_packed(d, c, *array, err) : st;
}
