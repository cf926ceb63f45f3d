/* SPDX-License-Identifier: MIT */
/* Encodes event blocks: from a run of events to columns. */
#include "stream/format/tr_events_int.h"

#include "base/tr_wide_int.h"
#include "stream/format/tr_column_int.h"
#include "stream/tr_wire_int.h"

#include <stdlib.h>
#include <string.h>

const struct tr__fixed_column tr__fixed_columns[TR_N_FIXED] = {
    [TR_FIXED_TS] = { "ts", 8, TR_REF_NONE },
    [TR_FIXED_DUR] = { "dur", 8, TR_REF_NONE },
    [TR_FIXED_RECORD] = { "record", 8, TR_REF_RECORD },
    [TR_FIXED_TRACK] = { "track", 4, TR_REF_TRACK },
    [TR_FIXED_SHAPE] = { "shape", 4, TR_REF_SHAPE },
    [TR_FIXED_NAME] = { "name", 4, TR_REF_STRING },
    [TR_FIXED_CAT] = { "cat", 4, TR_REF_STRING },
    [TR_FIXED_PHASE] = { "phase", 1, TR_REF_NONE },
    [TR_FIXED_ACTIVITY] = { "activity", 1, TR_REF_NONE },
    [TR_FIXED_KIND] = { "kind", 1, TR_REF_NONE },
    [TR_FIXED_SUSPECT] = { "suspect", 1, TR_REF_NONE },
    [TR_FIXED_FLAGS] = { "flags", 1, TR_REF_NONE },
};

struct tr__encoder {
    struct tr__packer *pack; /* NULL: fast encodings */
    struct tr__column_room codec;
    int64_t *wide; /* entries of a narrow column as 64 bits */
    size_t cap_wide;
    uint16_t *slot[TR_N_CONTEXTS];
    size_t cap_slot[TR_N_CONTEXTS];
};

struct tr__encoder *tr__encoder_new(enum tr_codec codec, int level)
{
    struct tr__encoder *e = calloc(1, sizeof *e);
    if (e && codec != TR_CODEC_NONE) {
        e->pack = tr__packer_new(codec, level);
        if (!e->pack) {
            free(e);
            return NULL;
        }
    }
    return e;
}

void tr__encoder_free(struct tr__encoder *e)
{
    if (!e)
        return;
    tr__packer_free(e->pack);
    tr__column_room_free(&e->codec);
    free(e->wide);
    for (unsigned c = 0; c < TR_N_CONTEXTS; c++)
        free(e->slot[c]);
    free(e);
}

/* The array of a fixed column from event `from` on; NULL if the batch lacks it. */
static const void *fixed_array(const struct tr_batch *b, unsigned id, size_t from)
{
    switch (id) {
    case TR_FIXED_TS:
        return b->ts ? b->ts + from : NULL;
    case TR_FIXED_DUR:
        return b->dur ? b->dur + from : NULL;
    case TR_FIXED_RECORD:
        return b->record ? b->record + from : NULL;
    case TR_FIXED_TRACK:
        return b->track ? b->track + from : NULL;
    case TR_FIXED_SHAPE:
        return b->shape ? b->shape + from : NULL;
    case TR_FIXED_NAME:
        return b->name ? b->name + from : NULL;
    case TR_FIXED_CAT:
        return b->cat ? b->cat + from : NULL;
    case TR_FIXED_PHASE:
        return b->phase ? b->phase + from : NULL;
    case TR_FIXED_ACTIVITY:
        return b->activity ? b->activity + from : NULL;
    case TR_FIXED_KIND:
        return b->kind ? b->kind + from : NULL;
    case TR_FIXED_SUSPECT:
        return b->suspect ? b->suspect + from : NULL;
    default:
        return b->flags ? b->flags + from : NULL;
    }
}

/* Entries as 64-bit numbers: 4-byte ones with their sign, so that "no string" is -1, bytes without.
 */
static const int64_t *widen(struct tr__encoder *e, const void *v, size_t n, unsigned elem)
{
    if (elem == 8)
        return v;
    if (!tr_grow(&e->wide, &e->cap_wide, n, sizeof *e->wide))
        return NULL;
    if (elem == 4) {
        const uint32_t *from = v;
        for (size_t i = 0; i < n; i++)
            e->wide[i] = (int64_t)(from[i] ^ 0x80000000u) - 0x80000000;
    } else {
        const uint8_t *from = v;
        for (size_t i = 0; i < n; i++)
            e->wide[i] = from[i];
    }
    return e->wide;
}

static bool make_slots(struct tr__encoder *e, enum tr_related context, const uint32_t *v, size_t n)
{
    if (!tr_grow(&e->slot[context], &e->cap_slot[context], n, sizeof **e->slot))
        return false;
    for (size_t i = 0; i < n; i++)
        e->slot[context][i] = (uint16_t)(v[i] % TR_CONTEXT_SLOTS);
    return true;
}

static bool any_suspect(const uint8_t *suspect, size_t n)
{
    uint8_t any = TR_SUSPECT_NO;
    for (size_t i = 0; i < n; i++)
        any |= suspect[i];
    return any != TR_SUSPECT_NO;
}

/* The latest end, if no event is suspect or without ts, and no end is out of range. */
TR_WIDE
static int64_t latest_end(const int64_t *ts, const int64_t *dur, size_t n)
{
    int64_t high = TR_TIME_NONE;
    for (size_t i = 0; i < n; i++) {
        int64_t e = ts[i] + (dur[i] > 0 ? dur[i] : 0);
        high = e > high ? e : high;
    }
    return high;
}

/* The same for all events. */
static int64_t latest_end_of_any(const int64_t *ts, const int64_t *dur, const uint8_t *suspect, size_t n)
{
    int64_t high = TR_TIME_NONE;
    for (size_t i = 0; i < n; i++) {
        bool counts = dur[i] > 0 && suspect[i] == TR_SUSPECT_NO && ts[i] != TR_TIME_NONE;
        int64_t e = (int64_t)((uint64_t)ts[i] + (counts ? (uint64_t)dur[i] : 0));
        e = e < ts[i] ? INT64_MAX : e;
        high = e > high ? e : high;
    }
    return high;
}

void tr__events_span(const int64_t *ts, const int64_t *dur, const uint8_t *suspect, size_t n,
                     int64_t *start, int64_t *end)
{
    *start = *end = TR_TIME_NONE;
    if (!n)
        return;
    struct tr__extent starts = tr__extent64(ts, n), durs = tr__extent64(dur, n);
    bool plain = !starts.absent && !any_suspect(suspect, n);
    if (starts.any)
        *start = starts.min;
    if (plain && (durs.max <= 0 || starts.max <= INT64_MAX - durs.max))
        *end = latest_end(ts, dur, n);
    else
        *end = latest_end_of_any(ts, dur, suspect, n);
}

/* The smallest and the largest number of a source. */
static void find_sources(const struct tr__range *r, struct tr__events_info *info)
{
    const struct tr_track *tracks = r->batch->dict->tracks;
    const uint32_t *track = r->batch->track + r->from;
    uint32_t low = UINT32_MAX, high = 0;
    for (size_t i = 0; i < r->n && r->batch->dict->n_sources > 1; i++) {
        uint32_t s = tracks[track[i]].source;
        low = s < low ? s : low;
        high = s > high ? s : high;
    }
    info->source_min = low < high ? low : high;
    info->source_max = high;
}

void tr__events_phases(const uint8_t *phase, size_t n, uint32_t n_phase[TR_N_PHASES])
{
    uint32_t count[256];
    tr__count_bytes(phase, n, count);
    memcpy(n_phase, count, TR_N_PHASES * sizeof *n_phase);
}

/* The facts that need no dictionary. */
static void describe(const struct tr__range *r, struct tr__events_info *info)
{
    const struct tr_batch *b = r->batch;
    tr__events_phases(b->phase + r->from, r->n, info->n_phase);
    tr__events_span(b->ts + r->from, b->dur + r->from, b->suspect + r->from, r->n, &info->start,
                    &info->end);
}

static enum tr_status put_column(struct tr__encoder *e, struct tr__column *c, const void *v,
                                 size_t n, unsigned elem, const struct tr__contexts *x,
                                 struct tr_buf *out, size_t head_at, struct tr_error *err)
{
    uint8_t flags = c->reference == TR_REF_NONE ? TR_CRITICAL | TR_SAFE_TO_COPY : TR_CRITICAL;
    const int64_t *wide = e->pack ? widen(e, v, n, elem) : NULL;
    bool ok = wide ? tr__column_encode(&e->codec, e->pack, wide, n, elem, x, c, out)
                   : !e->pack && tr__base_encode(v, n, elem, c, out);
    if (!ok)
        return tr_fail_memory(err);
    c->flags |= flags;
    tr__column_put(c, out->data + head_at);
    return TR_OK;
}

static enum tr_status put_fixed(struct tr__encoder *e, const struct tr__range *r,
                                struct tr_buf *out, size_t head_at, struct tr_error *err)
{
    for (unsigned id = 0; id < TR_N_FIXED; id++) {
        struct tr__contexts x = { { NULL }, NULL };
        /* Shapes have no context, names may have shapes as context, and tracks both. */
        if (id != TR_FIXED_SHAPE)
            x.slot[TR_CONTEXT_SHAPE] = e->slot[TR_CONTEXT_SHAPE];
        if (id != TR_FIXED_SHAPE && id != TR_FIXED_NAME)
            x.slot[TR_CONTEXT_NAME] = e->slot[TR_CONTEXT_NAME];
        if (id != TR_FIXED_SHAPE && id != TR_FIXED_NAME && id != TR_FIXED_TRACK)
            x.slot[TR_CONTEXT_TRACK] = e->slot[TR_CONTEXT_TRACK];
        struct tr__column c = { .id = id, .reference = tr__fixed_columns[id].reference };
        enum tr_status st =
            put_column(e, &c, fixed_array(r->batch, id, r->from), r->n, tr__fixed_columns[id].elem,
                       &x, out, head_at + id * TR_COLUMN_BYTES, err);
        if (st != TR_OK)
            return st;
    }
    return TR_OK;
}

static enum tr_status put_packed(struct tr__encoder *e, const struct tr__range *r,
                                 struct tr__layout *layout, struct tr_buf *out, size_t head_at,
                                 struct tr_error *err)
{
    for (size_t i = 0; i < layout->n_present; i++) {
        const struct tr__present *p = &layout->present[i];
        const struct tr_col *col = &r->batch->cols[p->column];
        size_t from = r->col_from ? r->col_from[p->column] : 0;
        struct tr__contexts x = { { NULL }, NULL };
        if (e->pack) {
            for (unsigned c = 1; c < TR_N_CONTEXTS; c++)
                x.slot[c] = e->slot[c];
            x.event = tr__layout_events(layout, p);
            if (!x.event)
                return tr_fail_memory(err);
        }
        struct tr__column c = { .id = TR_FIRST_PACKED + p->column, .reference = p->reference };
        const void *v = p->elem == 4 ? (const void *)(col->v.str + from) : col->v.i64 + from;
        enum tr_status st =
            put_column(e, &c, v, p->n, p->elem, &x, out, head_at + i * TR_COLUMN_BYTES, err);
        if (st != TR_OK)
            return st;
    }
    return TR_OK;
}

enum tr_status tr__events_plan(const struct tr__range *r, struct tr__layout *layout,
                               struct tr__events_info *info, struct tr_error *err)
{
    const struct tr_batch *b = r->batch;
    for (unsigned id = 0; id < TR_N_FIXED; id++)
        if (!fixed_array(b, id, r->from))
            return tr_fail(err, TR_USAGE, "the batch lacks the column '%s'",
                           tr__fixed_columns[id].name);
    enum tr_status st =
        r->plain ? tr__layout_count(layout, b, TR_MAX_RAW, err)
                 : tr__layout_make(layout, b->dict, b->shape + r->from, b->flags + r->from, r->n,
                                   TR_MAX_RAW, err);
    if (st != TR_OK)
        return st;
    find_sources(r, info);
    info->n = (uint32_t)r->n;
    info->raw = (uint32_t)(r->n * TR_FIXED_BYTES);
    for (size_t i = 0; i < layout->n_present; i++) {
        const struct tr__present *p = &layout->present[i];
        size_t from = r->col_from ? r->col_from[p->column] : 0;
        if (p->column >= b->n_cols || b->cols[p->column].n < from + p->n)
            return tr_fail(err, TR_USAGE, "the batch lacks entries of column '%s'",
                           tr_dict_str(b->dict, b->dict->columns[p->column].key));
        info->raw += p->n * p->elem;
    }
    return TR_OK;
}

enum tr_status tr__events_encode(struct tr__encoder *e, const struct tr__range *r,
                                 struct tr__layout *layout, struct tr__events_info *info,
                                 struct tr_buf *out, struct tr_error *err)
{
    const struct tr_batch *b = r->batch;
    describe(r, info);
    if (e->pack && (!make_slots(e, TR_CONTEXT_SHAPE, b->shape + r->from, r->n) ||
                    !make_slots(e, TR_CONTEXT_NAME, b->name + r->from, r->n) ||
                    !make_slots(e, TR_CONTEXT_TRACK, b->track + r->from, r->n)))
        return tr_fail_memory(err);
    size_t n_columns = TR_N_FIXED + layout->n_present, at = out->len;
    if (!tr_buf_reserve(out, 4 + n_columns * TR_COLUMN_BYTES))
        return tr_fail_memory(err);
    tr__put32(out->data + at, (uint32_t)n_columns);
    out->len = at + 4 + n_columns * TR_COLUMN_BYTES;
    enum tr_status st = put_fixed(e, r, out, at + 4, err);
    if (st == TR_OK)
        st = put_packed(e, r, layout, out, at + 4 + TR_N_FIXED * TR_COLUMN_BYTES, err);
    return st;
}
