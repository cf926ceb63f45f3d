/* SPDX-License-Identifier: MIT */
/* From batches to encoded blocks of events, here or by worker threads. */
#include "stream/format/tr_block_builder_int.h"

#include "io/tr_pool.h"
#include "stream/format/tr_dict_rows_int.h"
#include "stream/format/tr_events_int.h"
#include "stream/tr_batch_select.h"
#include "stream/tr_wire_int.h"

#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS TR_MAX_MEMBERS /* of shapes in one block */

/* A block of events on its way: filled by one thread, encoded by another, sent by the first. */
struct job {
    struct tr__block_builder *elider;
    struct tr_batch *batch;
    struct tr__range range;
    struct tr__layout layout;
    struct tr__events_info info;
    struct tr_buf out; /* room for the block's header, then the payload */
    uint64_t check;    /* of the payload */
};

struct tr__block_builder {
    struct tr__block_out *frame;
    const struct tr_dict *dict;
    size_t block_events;
    bool plain; /* nothing is packed */
    struct tr_pool *pool; /* NULL: the caller's thread encodes blocks */
    struct tr__encoder **encoders;
    unsigned n_threads;
    struct job *jobs; /* a ring: the one being filled, and those in the pool before it */
    size_t n_jobs, current;
    /* The size of the current block, and the bytes and columns that one more event of each shape adds. */
    size_t raw, n_columns;
    uint64_t n_blocks;
    struct cost {
        uint32_t bytes, columns;
        uint64_t block; /* number, from 1, of the last block in which its columns were counted */
    } * shapes;
    size_t n_shapes, cap_shapes, all_columns; /* of all shapes together */
    uint32_t flag_bytes[256];
    struct tr__layout part; /* of the events being copied */
    struct tr_selector *selector;
    size_t *col_at;         /* by column: entries of the batch that are done */
    size_t cap_col_at;
};

static enum tr_status open_jobs(struct tr__block_builder *c, const struct tr_writer_opts *o, struct tr_error *err)
{
    size_t max_jobs = c->n_threads > 1 ? 2 * (size_t)c->n_threads : 0;
    c->n_jobs = max_jobs + 1;
    c->jobs = calloc(c->n_jobs, sizeof *c->jobs);
    c->encoders = calloc(c->n_threads, sizeof *c->encoders);
    c->selector = tr_selector_new();
    if (!c->jobs || !c->encoders || !c->selector)
        return tr_fail_memory(err);
    for (unsigned i = 0; i < c->n_threads; i++) {
        c->encoders[i] = tr__encoder_new(o->codec, o->level);
        if (!c->encoders[i])
            return tr_fail_memory(err);
    }
    for (size_t i = 0; i < c->n_jobs; i++) {
        c->jobs[i].elider = c;
        c->jobs[i].batch = tr_batch_new();
        if (!c->jobs[i].batch)
            return tr_fail_memory(err);
    }
    return max_jobs ? tr_pool_open(&c->pool, c->n_threads, max_jobs, err) : TR_OK;
}

enum tr_status tr__block_builder_new(struct tr__block_builder **out, struct tr__block_out *frame,
                                     const struct tr_writer_opts *opts, struct tr_error *err)
{
    struct tr__block_builder *c = calloc(1, sizeof *c);
    if (!c)
        return tr_fail_memory(err);
    c->frame = frame;
    c->block_events = opts->block_events;
    c->plain = opts->codec == TR_CODEC_NONE;
    c->n_threads = opts->n_threads ? opts->n_threads : 1;
    enum tr_status st = open_jobs(c, opts, err);
    if (st != TR_OK) {
        tr__block_builder_free(c);
        return st;
    }
    *out = c;
    return TR_OK;
}

void tr__block_builder_free(struct tr__block_builder *c)
{
    if (!c)
        return;
    if (c->pool)
        tr_pool_free(c->pool, NULL);
    for (size_t i = 0; c->jobs && i < c->n_jobs; i++) {
        tr_batch_free(c->jobs[i].batch);
        tr__layout_free(&c->jobs[i].layout);
        tr_buf_free(&c->jobs[i].out);
    }
    for (unsigned i = 0; c->encoders && i < c->n_threads; i++)
        tr__encoder_free(c->encoders[i]);
    tr__layout_free(&c->part);
    tr_selector_free(c->selector);
    free(c->jobs);
    free(c->encoders);
    free(c->shapes);
    free(c->col_at);
    free(c);
}

void tr__block_builder_start(struct tr__block_builder *c, const struct tr_dict *dict)
{
    c->dict = dict;
    for (unsigned f = 0; f < 256; f++)
        for (unsigned k = 0; k < TR_N_DERIVED; k++)
            if (f & dict->columns[k].flag)
                c->flag_bytes[f] += tr__column_elem(&dict->columns[k]);
}

enum tr_status tr__block_builder_shapes(struct tr__block_builder *c, struct tr_error *err)
{
    const struct tr_dict *d = c->dict;
    if (!tr_grow(&c->shapes, &c->cap_shapes, d->n_shapes, sizeof *c->shapes))
        return tr_fail_memory(err);
    for (; c->n_shapes < d->n_shapes; c->n_shapes++) {
        const struct tr_shape *s = &d->shapes[c->n_shapes];
        struct cost cost = { 0, 0, 0 };
        if (s->n_slots > MAX_COLUMNS)
            return tr_fail(err, TR_DAMAGED, "an event with %u members, at most %u can be carried",
                           s->n_slots, MAX_COLUMNS);
        for (uint32_t k = 0; k < s->n_slots; k++) {
            if (s->slots[k].column == UINT32_MAX)
                continue;
            cost.bytes += tr__column_elem(&d->columns[s->slots[k].column]);
            cost.columns++;
        }
        c->shapes[c->n_shapes] = cost;
        c->all_columns += cost.columns;
    }
    return TR_OK;
}

/* ---- encoding and sending ---- */

static enum tr_status encode(void *job, unsigned worker, struct tr_error *err)
{
    struct job *j = job;
    j->out.len = 0;
    if (!tr_buf_reserve(&j->out, TR_BLOCK_BYTES))
        return tr_fail_memory(err);
    j->out.len = TR_BLOCK_BYTES;
    enum tr_status st = tr__events_encode(j->elider->encoders[worker], &j->range, &j->layout,
                                          &j->info, &j->out, err);
    if (st == TR_OK)
        j->check = tr__checksum(j->out.data + TR_BLOCK_BYTES, j->out.len - TR_BLOCK_BYTES);
    return st;
}

static enum tr_status send(struct tr__block_builder *c, struct job *j, struct tr_error *err)
{
    struct tr__block_out *f = c->frame;
    struct tr_buf out = f->out;
    struct tr_block b = { .type = TR_BLOCK_EVENTS,
                          .n_items = j->info.n,
                          .raw = j->info.raw,
                          .start = j->info.start,
                          .end = j->info.end,
                          .check = j->check };
    f->out = j->out; /* exchanged, so that both are used again */
    j->out = out;
    tr_batch_clear(j->batch);
    f->trailer.n_events += j->info.n;
    for (unsigned p = 0; p < TR_N_PHASES; p++)
        f->trailer.n_phase[p] += j->info.n_phase[p];
    return tr__block_send(f, &b, j->info.source_min, j->info.source_max, err);
}

/* Wait for the oldest block in the pool, and send it.  TR_END: there is none. */
static enum tr_status send_oldest(struct tr__block_builder *c, struct tr_error *err)
{
    void *done;
    if (!c->pool || tr_pool_outstanding(c->pool) == 0)
        return TR_END;
    enum tr_status st = tr_pool_next(c->pool, &done, err);
    return st == TR_OK ? send(c, done, err) : st;
}

enum tr_status tr__block_builder_drain(struct tr__block_builder *c, struct tr_error *err)
{
    enum tr_status st;
    do
        st = send_oldest(c, err);
    while (st == TR_OK);
    return st == TR_END ? TR_OK : st;
}

/* The current job's range is a block: encode it, or have it encoded. */
static enum tr_status dispatch(struct tr__block_builder *c, struct job *j, struct tr_error *err)
{
    enum tr_status st = tr__events_plan(&j->range, &j->layout, &j->info, err);
    if (st != TR_OK)
        return st;
    c->raw = c->n_columns = 0;
    c->n_blocks++;
    if (!c->pool) {
        st = encode(j, 0, err);
        return st == TR_OK ? send(c, j, err) : st;
    }
    if (tr_pool_full(c->pool))
        st = send_oldest(c, err);
    if (st == TR_OK)
        st = tr_pool_submit(c->pool, encode, j);
    c->current = (c->current + 1) % c->n_jobs;
    return st;
}

enum tr_status tr__block_builder_cut(struct tr__block_builder *c, struct tr_error *err)
{
    struct job *j = &c->jobs[c->current];
    if (j->batch->n == 0)
        return TR_OK;
    j->range = (struct tr__range){ .batch = j->batch, .n = j->batch->n, .plain = c->plain };
    return dispatch(c, j, err);
}

/* ---- gathering ---- */

/* The number of events after from that contain *n kept ones, at most to - from; *n: how many kept ones are missing. */
static size_t until_kept(const uint8_t *mask, size_t from, size_t to, size_t *n)
{
    size_t i = from;
    if (!mask) {
        i = to - from < *n ? to : from + *n;
        *n -= i - from;
        return i - from;
    }
    for (; to - i >= 8 && *n >= 8; i += 8)
        *n -= (size_t)(tr__get64(mask + i) * 0x0101010101010101u >> 56); /* the sum of its bytes */
    for (; i < to && *n; i++)
        *n -= mask[i];
    return i - from;
}

static size_t raw_bytes(const struct tr__block_builder *c, const struct tr_batch *b, const uint8_t *mask, size_t from,
                        size_t n)
{
    size_t raw = 0;
    for (size_t i = from; i < from + n; i++) {
        size_t all = TR_FIXED_BYTES + c->shapes[b->shape[i]].bytes + c->flag_bytes[b->flags[i]];
        raw += !mask || mask[i] ? all : 0;
    }
    return raw;
}

/* The same as fit, event by event. */
static size_t fit_slowly(struct tr__block_builder *c, const struct tr_batch *b, const uint8_t *mask, size_t from,
                         bool *full)
{
    size_t n = c->jobs[c->current].batch->n, i = from;
    for (; i < b->n && n < c->block_events; i++) {
        struct cost *s = &c->shapes[b->shape[i]];
        if (mask && !mask[i])
            continue;
        size_t raw = TR_FIXED_BYTES + s->bytes + c->flag_bytes[b->flags[i]];
        size_t columns = s->block == c->n_blocks + 1 ? 0 : s->columns;
        if (n && (c->raw + raw > TR_SOFT_RAW || c->n_columns + columns > MAX_COLUMNS))
            break;
        s->block = c->n_blocks + 1;
        c->raw += raw;
        c->n_columns += columns;
        n++;
    }
    *full = i < b->n || n == c->block_events;
    return i - from;
}

/*
 * How many events from `from` on go into the current block, those that the mask leaves out included;
 * counts them in.  *full: the next event starts another block.
 */
static size_t fit(struct tr__block_builder *c, const struct tr_batch *b, const uint8_t *mask, size_t from, bool *full)
{
    size_t missing = c->block_events - c->jobs[c->current].batch->n;
    size_t n = until_kept(mask, from, b->n, &missing), raw = raw_bytes(c, b, mask, from, n);
    if (c->raw + raw > TR_SOFT_RAW || c->all_columns > MAX_COLUMNS)
        return fit_slowly(c, b, mask, from, full);
    c->raw += raw;
    *full = !missing;
    return n;
}

static bool append_fixed(struct tr_batch *to, const struct tr_batch *b, size_t from, size_t n)
{
    if (!tr_batch_reserve(to, to->n + n))
        return false;
    memcpy(to->ts + to->n, b->ts + from, n * sizeof *to->ts);
    memcpy(to->dur + to->n, b->dur + from, n * sizeof *to->dur);
    memcpy(to->record + to->n, b->record + from, n * sizeof *to->record);
    memcpy(to->track + to->n, b->track + from, n * sizeof *to->track);
    memcpy(to->shape + to->n, b->shape + from, n * sizeof *to->shape);
    memcpy(to->name + to->n, b->name + from, n * sizeof *to->name);
    memcpy(to->cat + to->n, b->cat + from, n * sizeof *to->cat);
    memcpy(to->phase + to->n, b->phase + from, n);
    memcpy(to->activity + to->n, b->activity + from, n);
    memcpy(to->kind + to->n, b->kind + from, n);
    memcpy(to->suspect + to->n, b->suspect + from, n);
    memcpy(to->flags + to->n, b->flags + from, n);
    to->n += n;
    return true;
}

/* Copy n entries of a packed column after those of another batch.  False: out of memory. */
static bool append_packed(struct tr_col *to, const struct tr_col *from, size_t at, size_t n,
                          uint8_t type)
{
    if (!tr_col_reserve(to, to->n + n, type))
        return false;
    if (tr_type_is_string(type))
        memcpy(to->v.str + to->n, from->v.str + at, n * sizeof *to->v.str);
    else
        memcpy(to->v.i64 + to->n, from->v.i64 + at, n * sizeof *to->v.i64);
    to->n += n;
    return true;
}

/* Copy the kept events of a range into the current block, and move the cursors on. */
static enum tr_status append_kept(struct tr__block_builder *c, const struct tr_batch *b, const uint8_t *mask,
                                  size_t from, size_t n, struct tr_error *err)
{
    struct tr_batch *to = c->jobs[c->current].batch;
    to->dict = c->dict;
    return tr_batch_select_range(c->selector, b, mask, from, from + n, c->col_at, to, err);
}

/* The same for all events of a range. */
static enum tr_status append(struct tr__block_builder *c, const struct tr_batch *b, size_t from, size_t n,
                             struct tr_error *err)
{
    struct tr_batch *to = c->jobs[c->current].batch;
    struct tr__layout *l = &c->part;
    to->dict = c->dict;
    enum tr_status st =
        tr__layout_make(l, c->dict, b->shape + from, b->flags + from, n, SIZE_MAX, err);
    if (st != TR_OK)
        return st;
    if (!tr_batch_reserve_cols(to, c->dict->n_columns) || !append_fixed(to, b, from, n))
        return tr_fail_memory(err);
    for (size_t i = 0; i < l->n_present; i++) {
        uint32_t column = l->present[i].column;
        const struct tr_column *def = &c->dict->columns[column];
        size_t m = l->present[i].n;
        if (column >= b->n_cols || b->cols[column].n < c->col_at[column] + m)
            return tr_fail(err, TR_USAGE, "the batch lacks entries of column '%s'",
                           tr_dict_str(c->dict, def->key));
        if (!append_packed(&to->cols[column], &b->cols[column], c->col_at[column], m, def->type))
            return tr_fail_memory(err);
        c->col_at[column] += m;
    }
    return TR_OK;
}

enum tr_status tr__block_builder_batch(struct tr__block_builder *c, const struct tr_batch *b, const uint8_t *mask,
                                       struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!tr_grow(&c->col_at, &c->cap_col_at, c->dict->n_columns, sizeof *c->col_at))
        return tr_fail_memory(err);
    memset(c->col_at, 0, c->dict->n_columns * sizeof *c->col_at);
    for (size_t from = 0, n; from < b->n && st == TR_OK; from += n) {
        struct job *j = &c->jobs[c->current];
        bool full;
        n = fit(c, b, mask, from, &full);
        if (full && j->batch->n == 0 && !c->pool && !mask) { /* a whole block: no need to copy it */
            j->range = (struct tr__range){ b, from, n, c->col_at, false };
            st = dispatch(c, j, err);
            for (size_t i = 0; i < j->layout.n_present && st == TR_OK; i++)
                c->col_at[j->layout.present[i].column] += j->layout.present[i].n;
        } else {
            if (n)
                st = mask ? append_kept(c, b, mask, from, n, err) : append(c, b, from, n, err);
            if (full && st == TR_OK)
                st = tr__block_builder_cut(c, err);
        }
    }
    return st;
}
