#include "stream/tr_writer.h"

#include "stream/tr_events.h"
#include "stream/tr_frame.h"
#include "stream/tr_rows.h"
#include "stream/tr_wire.h"

#include <stdlib.h>
#include <string.h>

#define N_DICT_TYPES 5u

/* In this order everything that a row refers to has been sent before. */
static const enum tr_block_type dict_types[N_DICT_TYPES] = {
    TR_BLOCK_STRINGS, TR_BLOCK_COLUMNS, TR_BLOCK_SHAPES, TR_BLOCK_SOURCES, TR_BLOCK_TRACKS,
};

struct tr_writer {
    struct tr__frame frame;
    size_t block_events;
    struct tr__encoder *encoder;
    const struct tr_dict *dict;
    const struct tr_summary *summary;
    bool begun, sorted;
    enum tr_status failed; /* TR_OK, or what the first failure was */
    size_t n_sent[N_DICT_TYPES];
    struct tr_track *tracks; /* as sent */
    uint64_t *source_sums;   /* checksums of the rows sent */
    size_t cap_tracks, cap_sources;
    struct tr_batch *pending; /* events of a block that is not full yet */
    /* What that block holds, and what one more event of a shape adds. */
    size_t pending_raw, pending_columns;
    uint64_t n_event_blocks;
    struct shape_cost {
        uint32_t bytes, columns;
        uint64_t block; /* of events, from 1, that its columns were last counted in */
    } * shapes;
    size_t cap_shapes;
    uint32_t flag_bytes[256];
    struct tr__layout layout; /* of the events being copied to pending */
    size_t *col_at;           /* by column: entries of the current batch that are done */
    size_t cap_col_at;
};

enum tr_status tr_writer_new(struct tr_writer **out, const struct tr_sink *sink,
                             const struct tr_writer_opts *opts, struct tr_error *err)
{
    struct tr_writer_opts o = { TR_CODEC_NONE, 0, 0 };
    if (opts)
        o = *opts;
    if (o.block_events == 0)
        o.block_events = TR_BATCH_MAX;
    if ((unsigned)o.codec >= TR_N_CODECS || o.block_events > TR_MAX_EVENTS)
        return tr_fail(err, TR_USAGE, "codec %u with %zu events per block, at most %u allowed",
                       (unsigned)o.codec, o.block_events, TR_MAX_EVENTS);
    struct tr_writer *w = calloc(1, sizeof *w);
    if (!w)
        return tr_fail_memory(err);
    w->frame.sink = *sink;
    w->block_events = o.block_events;
    w->encoder = tr__encoder_new(o.codec, o.level);
    w->pending = tr_batch_new();
    if (o.codec != TR_CODEC_NONE)
        w->frame.pack = tr__packer_new(o.codec, o.level);
    if (!w->encoder || !w->pending || (o.codec != TR_CODEC_NONE && !w->frame.pack)) {
        tr_writer_abandon(w);
        return tr_fail_memory(err);
    }
    *out = w;
    return TR_OK;
}

void tr_writer_abandon(struct tr_writer *w)
{
    if (!w)
        return;
    tr__frame_free(&w->frame);
    tr__encoder_free(w->encoder);
    tr_batch_free(w->pending);
    tr__layout_free(&w->layout);
    free(w->tracks);
    free(w->source_sums);
    free(w->shapes);
    free(w->col_at);
    free(w);
}

uint64_t tr_writer_bytes(const struct tr_writer *w)
{
    return w->frame.offset;
}

/* ---- header, provenance, summary ---- */

static enum tr_status send_provenance(struct tr_writer *w, const struct tr_provenance *p,
                                      struct tr_error *err)
{
    uint32_t n = 0;
    for (size_t i = 0; p && i < p->n; i++) {
        if (!tr__run_put(&p->runs[i], &w->frame.row))
            return tr_fail_memory(err);
        enum tr_status st = tr__row_add(&w->frame, TR_BLOCK_PROVENANCE, &n, NULL, err);
        if (st != TR_OK)
            return st;
    }
    return n ? tr__payload_send(&w->frame, TR_BLOCK_PROVENANCE, n, err) : TR_OK;
}

static enum tr_status send_summary(struct tr_writer *w, const struct tr_summary *s,
                                   struct tr_error *err)
{
    struct tr_summary own = { .sources = NULL };
    struct tr_buf head = { NULL, 0, 0 };
    uint32_t n = 0;
    enum tr_status st = TR_OK;
    if (s)
        own = *s; /* shares the rows */
    own.sorted = w->sorted;
    if (own.n > w->dict->n_sources)
        return tr_fail(err, TR_USAGE, "a summary of %zu sources for %zu", own.n,
                       w->dict->n_sources);
    if (!tr__summary_put_head(&own, &head) || !tr_buf_add(&w->frame.payload, head.data, head.len)) {
        st = tr_fail_memory(err);
        goto out;
    }
    for (size_t i = 0; i < own.n && st == TR_OK; i++) {
        if (tr__summary_put_row(&own, i, &w->frame.row))
            st = tr__row_add(&w->frame, TR_BLOCK_SUMMARY, &n, &head, err);
        else
            st = tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = tr__payload_send(&w->frame, TR_BLOCK_SUMMARY, n, err);
    tr__trailer_causes(&w->frame.trailer, &own);
out:
    tr_buf_free(&head);
    return st;
}

/* ---- dictionaries ---- */

static bool same_track(const struct tr_track *a, const struct tr_track *b)
{
    return a->source == b->source && a->side == b->side && a->pid_type == b->pid_type &&
           a->tid_type == b->tid_type && a->pid == b->pid && a->tid == b->tid &&
           a->device == b->device && a->context == b->context && a->stream == b->stream &&
           a->process_name == b->process_name && a->thread_name == b->thread_name &&
           a->labels == b->labels && a->process_sort == b->process_sort &&
           a->thread_sort == b->thread_sort && a->clock == b->clock;
}

/* Is row i the one that was sent under this number?  Remembers it if not. */
static bool unchanged(struct tr_writer *w, enum tr_block_type type, size_t i, size_t n_sent)
{
    if (type == TR_BLOCK_TRACKS) {
        if (i < n_sent && same_track(&w->tracks[i], &w->dict->tracks[i]))
            return true;
        w->tracks[i] = w->dict->tracks[i];
    } else if (type == TR_BLOCK_SOURCES) {
        uint64_t sum = tr__checksum(w->frame.row.data, w->frame.row.len);
        if (i < n_sent && w->source_sums[i] == sum)
            return true;
        w->source_sums[i] = sum;
    }
    return false;
}

/* What one event of each new shape adds to its block. */
static enum tr_status measure_shapes(struct tr_writer *w, size_t from, struct tr_error *err)
{
    const struct tr_dict *d = w->dict;
    if (!tr_grow(&w->shapes, &w->cap_shapes, d->n_shapes, sizeof *w->shapes))
        return tr_fail_memory(err);
    for (size_t i = from; i < d->n_shapes; i++) {
        struct shape_cost cost = { 0, 0, 0 };
        if (d->shapes[i].n_slots > TR_MAX_SLOTS - TR_N_DERIVED)
            return tr_fail(err, TR_DAMAGED, "an event with %u members, at most %u can be carried",
                           d->shapes[i].n_slots, TR_MAX_SLOTS - TR_N_DERIVED);
        for (uint32_t k = 0; k < d->shapes[i].n_slots; k++) {
            uint32_t column = d->shapes[i].slots[k].column;
            if (column == UINT32_MAX)
                continue;
            cost.bytes += tr__column_elem(&d->columns[column]);
            cost.columns++;
        }
        w->shapes[i] = cost;
    }
    return TR_OK;
}

/* Send the rows that are new or, if asked, changed. */
static enum tr_status send_rows(struct tr_writer *w, unsigned k, bool changed, struct tr_error *err)
{
    enum tr_block_type type = dict_types[k];
    size_t n_sent = w->n_sent[k], n_rows = tr__row_count(w->dict, type);
    uint32_t n = 0;
    if (!tr_grow(&w->tracks, &w->cap_tracks, w->dict->n_tracks, sizeof *w->tracks) ||
        !tr_grow(&w->source_sums, &w->cap_sources, w->dict->n_sources, sizeof *w->source_sums))
        return tr_fail_memory(err);
    for (size_t i = changed ? 0 : n_sent; i < n_rows; i++) {
        if (type == TR_BLOCK_TRACKS && unchanged(w, type, i, n_sent))
            continue;
        w->frame.row.len = 0;
        if (!tr__row_put(w->dict, type, i, &w->frame.row))
            return tr_fail_memory(err);
        if (type == TR_BLOCK_SOURCES && unchanged(w, type, i, n_sent))
            continue;
        enum tr_status st = tr__row_add(&w->frame, type, &n, NULL, err);
        if (st != TR_OK)
            return st;
    }
    w->n_sent[k] = n_rows;
    return n ? tr__payload_send(&w->frame, type, n, err) : TR_OK;
}

/* Sources change seldom and cost more to compare, so they are looked at only at the ends of a
 * stream. */
static enum tr_status send_dict(struct tr_writer *w, bool at_end, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (unsigned k = 0; k < N_DICT_TYPES && st == TR_OK; k++) {
        size_t before = w->n_sent[k];
        bool changed =
            dict_types[k] == TR_BLOCK_TRACKS || (dict_types[k] == TR_BLOCK_SOURCES && at_end);
        w->frame.row.len = 0;
        st = send_rows(w, k, changed, err);
        if (st == TR_OK && dict_types[k] == TR_BLOCK_SHAPES)
            st = measure_shapes(w, before, err);
    }
    return st;
}

/* ---- events ---- */

static enum tr_status send_events(struct tr_writer *w, const struct tr__range *r,
                                  struct tr_error *err)
{
    struct tr__frame *f = &w->frame;
    struct tr__events_info info;
    enum tr_status st = tr__block_begin(f, err);
    if (st == TR_OK)
        st = tr__events_encode(w->encoder, r, &f->out, &info, err);
    if (st != TR_OK)
        return st;
    struct tr_block b = { .type = TR_BLOCK_EVENTS,
                          .n_items = info.n,
                          .raw = info.raw,
                          .start = info.start,
                          .end = info.end };
    f->trailer.n_events += info.n;
    for (unsigned p = 0; p < TR_N_PHASES; p++)
        f->trailer.n_phase[p] += info.n_phase[p];
    w->n_event_blocks++;
    return tr__block_send(f, &b, info.source_min, info.source_max, err);
}

static void pending_reset(struct tr_writer *w)
{
    tr_batch_clear(w->pending);
    w->pending_raw = 0;
    w->pending_columns = 0;
}

/*
 * How many events from `from` on still go into the block that pending has begun; counts them in.
 * *full: the next event begins another block.
 */
static size_t fit(struct tr_writer *w, const struct tr_batch *b, size_t from, bool *full)
{
    size_t n = w->pending->n, i = from;
    for (; i < b->n && n < w->block_events; i++, n++) {
        struct shape_cost *s = &w->shapes[b->shape[i]];
        size_t raw = TR_FIXED_BYTES + s->bytes + w->flag_bytes[b->flags[i]];
        size_t columns = s->block == w->n_event_blocks + 1 ? 0 : s->columns;
        if (n && (w->pending_raw + raw > TR_SOFT_RAW ||
                  w->pending_columns + columns > TR_MAX_SLOTS - TR_N_DERIVED))
            break;
        s->block = w->n_event_blocks + 1;
        w->pending_raw += raw;
        w->pending_columns += columns;
    }
    *full = i < b->n || n == w->block_events;
    return i - from;
}

static bool append_fixed(struct tr_batch *p, const struct tr_batch *b, size_t from, size_t n)
{
    if (!tr_batch_reserve(p, p->n + n))
        return false;
    memcpy(p->ts + p->n, b->ts + from, n * sizeof *p->ts);
    memcpy(p->dur + p->n, b->dur + from, n * sizeof *p->dur);
    memcpy(p->record + p->n, b->record + from, n * sizeof *p->record);
    memcpy(p->track + p->n, b->track + from, n * sizeof *p->track);
    memcpy(p->shape + p->n, b->shape + from, n * sizeof *p->shape);
    memcpy(p->name + p->n, b->name + from, n * sizeof *p->name);
    memcpy(p->cat + p->n, b->cat + from, n * sizeof *p->cat);
    memcpy(p->phase + p->n, b->phase + from, n);
    memcpy(p->activity + p->n, b->activity + from, n);
    memcpy(p->kind + p->n, b->kind + from, n);
    memcpy(p->suspect + p->n, b->suspect + from, n);
    memcpy(p->flags + p->n, b->flags + from, n);
    p->n += n;
    return true;
}

/* Copy a range of a batch behind the pending events, and move the cursors on. */
static enum tr_status append(struct tr_writer *w, const struct tr_batch *b, size_t from, size_t n,
                             struct tr_error *err)
{
    struct tr_batch *p = w->pending;
    struct tr__layout *l = &w->layout;
    p->dict = w->dict;
    enum tr_status st =
        tr__layout_make(l, w->dict, b->shape + from, b->flags + from, n, SIZE_MAX, err);
    if (st != TR_OK)
        return st;
    if (!append_fixed(p, b, from, n) || !tr_batch_reserve_cols(p, w->dict->n_columns))
        return tr_fail_memory(err);
    for (size_t i = 0; i < l->n_present; i++) {
        uint32_t column = l->present[i].column;
        const struct tr_column *def = &w->dict->columns[column];
        struct tr_col *to = &p->cols[column];
        size_t at = w->col_at[column], m = l->present[i].n;
        if (column >= b->n_cols || b->cols[column].n < at + m)
            return tr_fail(err, TR_USAGE, "the batch lacks entries of column '%s'",
                           tr_dict_str(w->dict, def->key));
        if (!tr_col_reserve(to, to->n + m, def->type))
            return tr_fail_memory(err);
        if (tr_type_is_string(def->type))
            memcpy(to->v.str + to->n, b->cols[column].v.str + at, m * sizeof *to->v.str);
        else
            memcpy(to->v.i64 + to->n, b->cols[column].v.i64 + at, m * sizeof *to->v.i64);
        to->n += m;
        w->col_at[column] += m;
    }
    return TR_OK;
}

static enum tr_status send_pending(struct tr_writer *w, struct tr_error *err)
{
    struct tr__range r = { w->pending, 0, w->pending->n, NULL };
    enum tr_status st = r.n ? send_events(w, &r, err) : TR_OK;
    pending_reset(w);
    return st;
}

static bool complete(const struct tr_batch *b)
{
    return b->ts && b->dur && b->record && b->track && b->shape && b->name && b->cat && b->phase &&
           b->activity && b->kind && b->suspect && b->flags;
}

static enum tr_status write_batch(struct tr_writer *w, const struct tr_batch *b,
                                  struct tr_error *err)
{
    if (b->n == 0)
        return TR_OK;
    if (!w->begun || b->dict != w->dict || !complete(b))
        return tr_fail(err, TR_USAGE, "the batch lacks columns or belongs to another stream");
    enum tr_status st = send_dict(w, false, err);
    if (st != TR_OK)
        return st;
    if (!tr_grow(&w->col_at, &w->cap_col_at, w->dict->n_columns, sizeof *w->col_at))
        return tr_fail_memory(err);
    memset(w->col_at, 0, w->dict->n_columns * sizeof *w->col_at);
    for (size_t from = 0; from < b->n && st == TR_OK;) {
        bool full;
        size_t n = fit(w, b, from, &full);
        if (full && w->pending->n == 0) { /* a whole block of this batch: no need to copy it */
            struct tr__range r = { b, from, n, w->col_at };
            st = send_events(w, &r, err);
            const struct tr__layout *l = tr__encoder_layout(w->encoder);
            for (size_t i = 0; i < l->n_present && st == TR_OK; i++)
                w->col_at[l->present[i].column] += l->present[i].n;
            pending_reset(w);
        } else {
            if (n)
                st = append(w, b, from, n, err);
            if (full && st == TR_OK)
                st = send_pending(w, err);
        }
        from += n;
    }
    return st;
}

/* ---- the public sequence ---- */

/* Remember the first failure; later calls return it again. */
static enum tr_status leave(struct tr_writer *w, enum tr_status st)
{
    if (st != TR_OK)
        w->failed = st;
    return st;
}

static enum tr_status begin(struct tr_writer *w, const struct tr_provenance *provenance,
                            struct tr_error *err)
{
    unsigned char header[8];
    enum tr_status st = tr__frame_begin(&w->frame, err);
    if (st != TR_OK)
        return st;
    tr__put32(header, w->sorted);
    tr__put32(header + 4, TR_N_DERIVED);
    if (!tr_buf_add(&w->frame.payload, header, sizeof header))
        return tr_fail_memory(err);
    st = tr__payload_send(&w->frame, TR_BLOCK_HEADER, 1, err);
    if (st == TR_OK)
        st = send_provenance(w, provenance, err);
    if (st == TR_OK)
        st = send_dict(w, true, err);
    if (st == TR_OK)
        st = send_summary(w, w->sorted ? w->summary : NULL, err);
    return st;
}

enum tr_status tr_writer_begin(struct tr_writer *w, const struct tr_dict *dict,
                               const struct tr_summary *summary,
                               const struct tr_provenance *provenance, bool sorted,
                               struct tr_error *err)
{
    if (w->begun)
        return leave(w, tr_fail(err, TR_USAGE, "the stream has begun already"));
    w->begun = true;
    w->dict = dict;
    w->summary = summary;
    w->sorted = sorted;
    for (unsigned f = 0; f < 256; f++)
        for (unsigned c = 0; c < TR_N_DERIVED; c++)
            if (f & dict->columns[c].flag)
                w->flag_bytes[f] += tr__column_elem(&dict->columns[c]);
    return leave(w, begin(w, provenance, err));
}

enum tr_status tr_writer_batch(struct tr_writer *w, const struct tr_batch *b, struct tr_error *err)
{
    return w->failed ? w->failed : leave(w, write_batch(w, b, err));
}

enum tr_status tr_writer_flush(struct tr_writer *w, struct tr_error *err)
{
    if (w->failed)
        return w->failed;
    enum tr_status st = w->begun ? send_dict(w, false, err) : TR_OK;
    return leave(w, st == TR_OK ? send_pending(w, err) : st);
}

static enum tr_status finish(struct tr_writer *w, struct tr_error *err)
{
    if (!w->begun)
        return tr_fail(err, TR_USAGE, "the stream has not begun");
    enum tr_status st = send_pending(w, err);
    if (st == TR_OK)
        st = send_dict(w, true, err);
    if (st == TR_OK && !w->sorted)
        st = send_summary(w, w->summary, err);
    w->frame.trailer.index_offset = w->frame.offset;
    if (st == TR_OK)
        st = tr__index_send(&w->frame, err);
    if (st != TR_OK)
        return st;
    unsigned char trailer[TR_TRAILER_BYTES];
    w->frame.trailer.offset = w->frame.offset;
    tr__trailer_put(&w->frame.trailer, trailer);
    if (!tr_buf_add(&w->frame.payload, trailer, sizeof trailer))
        return tr_fail_memory(err);
    return tr__payload_send(&w->frame, TR_BLOCK_TRAILER, 1, err);
}

enum tr_status tr_writer_finish(struct tr_writer *w, struct tr_error *err)
{
    if (!w)
        return TR_OK;
    enum tr_status st = w->failed ? w->failed : finish(w, err);
    tr_writer_abandon(w);
    return st;
}
