/* SPDX-License-Identifier: MIT */
/* Reading an event stream. */
#include "stream/format/tr_reader.h"

#include "stream/format/tr_block_in_int.h"
#include "stream/format/tr_dict_rows_int.h"
#include "stream/format/tr_index_int.h"
#include "stream/format/tr_projected_int.h"
#include "stream/format/tr_side_blocks_int.h"
#include "stream/tr_order.h"
#include "stream/tr_provenance_int.h"
#include "stream/tr_wire_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tr_reader {
    struct tr_input in;
    struct tr__blocks *blocks;
    struct tr_dict *dict;
    struct tr__dict_rows rows;
    struct tr_summary *summary; /* filled in as it comes; others have its address */
    size_t n_summary; /* rows of it that have arrived */
    bool have_header, have_summary;
    struct tr_provenance *provenance;
    struct tr_side_tables tables;
    enum tr_status ended;  /* TR_OK while there is more; after that, the status that every call returns */
    struct tr_error error; /* of this status */
    const struct tr__block_in *now; /* the current block; NULL: none so far */
    unsigned char *raw;             /* its payload, decompressed */
    size_t cap_raw;
    struct tr_reader_room room;
    uint64_t held; /* bytes, roughly, that have been taken of its budget */
    /* Facts that the index and the trailer must match. */
    struct tr__trailer seen;
    uint64_t index_hash, index_claimed, index_block_at;
    bool index_last; /* no block since the last index block */
    /* Events. */
    const struct tr_batch *batch;
    bool left_out; /* a block that is not needed: its phases are not known */
    struct tr_order_key last; /* of the event before this block */
    bool have_last;
};

#define ORDER_COLUMNS \
    (TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(SUSPECT) | TR_FIXED_BIT(TRACK) | TR_FIXED_BIT(RECORD))

/* The payload unpacked. */
static enum tr_status unpack(struct tr_reader *r, const struct tr_block *b,
                             const unsigned char **raw, struct tr_error *err)
{
    *raw = r->now->stored;
    if (b->codec == TR_CODEC_NONE && b->raw == b->stored)
        return TR_OK;
    if (!tr_grow(&r->raw, &r->cap_raw, b->raw ? b->raw : 1, 1))
        return tr_fail_memory(err);
    enum tr_status st = tr__unpack(b->codec, r->now->stored, b->stored, r->raw, b->raw);
    if (st == TR_SYSTEM)
        return tr_fail_memory(err);
    if (st != TR_OK)
        return tr_fail(err, TR_DAMAGED, "the %s block does not decompress to %u bytes",
                       tr__block_name(b->type), b->raw);
    *raw = r->raw;
    return TR_OK;
}

/* ---- blocks without events ---- */

static enum tr_status take_header(struct tr_reader *r, const unsigned char *raw, size_t len,
                                  struct tr_error *err)
{
    if (r->have_header || len < 8)
        return tr_fail(err, TR_DAMAGED, "a second or too short header");
    uint32_t flags = tr__get32(raw), n_derived = tr__get32(raw + 4);
    if (flags > 1 || n_derived != TR_N_DERIVED)
        return tr_fail(err, TR_DAMAGED, "header with flags %u and %u derived columns is unknown",
                       flags, n_derived);
    r->in.sorted = flags & 1;
    r->have_header = true;
    return TR_OK;
}

/* The events of a sorted stream are in one order of time, so they count from one base. */
static enum tr_status take_sources(struct tr_reader *r, const struct tr_block *b,
                                   const unsigned char *raw, struct tr_error *err)
{
    enum tr_status st = tr__dict_rows_get(&r->rows, b->type, raw, b->raw, b->n_items, err);
    for (size_t i = 1; i < r->dict->n_sources && st == TR_OK && r->in.sorted; i++)
        if (r->dict->sources[i].base_ns != r->dict->sources[0].base_ns)
            st = tr_fail(err, TR_DAMAGED, "sources of a sorted stream with different time bases");
    return st;
}

static enum tr_status take_summary(struct tr_reader *r, const struct tr_block *b,
                                   const unsigned char *raw, struct tr_error *err)
{
    if (r->have_summary && r->in.sorted)
        return tr_fail(err, TR_DAMAGED, "a second summary in a sorted stream");
    enum tr_status st =
        tr__summary_get(r->summary, &r->n_summary, r->dict, raw, b->raw, b->n_items, err);
    if (st != TR_OK)
        return st;
    if (r->summary->sorted != r->in.sorted)
        return tr_fail(err, TR_DAMAGED, "header and summary disagree about the order");
    if (r->n_summary == r->summary->n)
        r->have_summary = true;
    return TR_OK;
}

static enum tr_status take_index(struct tr_reader *r, const struct tr_block *b,
                                 const unsigned char *raw, struct tr_error *err)
{
    uint64_t previous;
    enum tr_status st = tr__index_get(raw, b->raw, b->n_items, &r->index_claimed, &previous, err);
    if (st != TR_OK)
        return st;
    if (previous != r->index_block_at || r->index_claimed != r->index_hash)
        return tr_fail(err, TR_DAMAGED, "the index disagrees with the blocks before it");
    r->index_block_at = r->now->at;
    return TR_OK;
}

static enum tr_status compare_trailer(struct tr_reader *r, const struct tr__trailer *t,
                                      struct tr_error *err)
{
    if (t->n_events != r->seen.n_events)
        return tr_fail(err, TR_DAMAGED, "%" PRIu64 " events were read, the trailer counts %" PRIu64,
                       r->seen.n_events, t->n_events);
    for (unsigned i = 0; i < TR_TRAILER_PHASES && !r->left_out; i++)
        if (t->n_phase[i] != r->seen.n_phase[i])
            return tr_fail(err, TR_DAMAGED,
                           "%" PRIu64 " events of phase %s were read, "
                           "the trailer counts %" PRIu64,
                           r->seen.n_phase[i], tr_phase_name(i), t->n_phase[i]);
    tr__trailer_damage(&r->seen, r->summary);
    if (t->n_repaired != r->seen.n_repaired || t->n_lost != r->seen.n_lost)
        return tr_fail(err, TR_DAMAGED,
                       "the summary counts %" PRIu64 " repairs and %" PRIu64 " losses, "
                       "the trailer %" PRIu64 " and %" PRIu64,
                       r->seen.n_repaired, r->seen.n_lost, t->n_repaired, t->n_lost);
    if (t->offset != r->now->at || t->chain != r->now->chain || !r->index_last ||
        t->index_offset != r->index_block_at)
        return tr_fail(err, TR_DAMAGED, "the trailer does not belong to the blocks before it");
    return TR_OK;
}

static enum tr_status take_trailer(struct tr_reader *r, const struct tr_block *b,
                                   const unsigned char *raw, struct tr_error *err)
{
    struct tr__trailer t;
    bool more;
    if (b->raw != TR_TRAILER_BYTES || !r->have_summary || r->n_summary != r->summary->n)
        return tr_fail(err, TR_DAMAGED, "trailer of %u bytes, or at a wrong place", b->raw);
    tr__trailer_get(&t, raw);
    enum tr_status st = compare_trailer(r, &t, err);
    if (st == TR_OK && r->room.grows)
        return TR_END;
    if (st == TR_OK)
        st = tr__blocks_more(r->blocks, &more, err);
    if (st != TR_OK)
        return st;
    if (more) {
        tr_error_place(err, "byte %" PRIu64, r->now->end);
        return tr_fail(err, TR_DAMAGED,
                       "bytes follow the trailer: streams cannot be joined by cat, "
                       "use tr-merge");
    }
    return TR_END;
}

/*
 * The approximate memory that a block needs: a number of bytes for each row, and one for each byte of the block,
 * because rows may be short.  Blocks that are not kept need nothing.
 */
static uint64_t cost(const struct tr_block *b)
{
    static const struct {
        uint8_t type, of_byte;
        uint16_t of_row;
    } costs[] = {
        { TR_BLOCK_STRINGS, 1, 48 },
        { TR_BLOCK_COLUMNS, 0, 128 }, /* with the entry in every batch */
        { TR_BLOCK_SHAPES, sizeof(struct tr_slot) / 5 + 1, 48 }, /* a slot has at least 5 bytes */
        { TR_BLOCK_SOURCES, 4, sizeof(struct tr_source) + sizeof(struct tr_source_summary) },
        { TR_BLOCK_TRACKS, 0, 2 * sizeof(struct tr_track) }, /* a writer remembers what it has sent */
        { TR_BLOCK_CLOCKS, 16, sizeof(struct tr_clock) },
        { TR_BLOCK_SUMMARY, 8, 0 },
        { TR_BLOCK_TABLE, 2, 0 },
        { TR_BLOCK_PROVENANCE, 4, sizeof(struct tr_run) + 128 }, /* four allocations */
    };
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (costs[i].type == b->type)
            sum = (uint64_t)b->raw * costs[i].of_byte + (uint64_t)b->n_items * costs[i].of_row;
    if (b->type == TR_BLOCK_TABLE) /* of its columns, a name and a type, more is made than of rows */
        sum += 20 * (uint64_t)(b->raw < 3 * TR_SIDE_MAX_COLUMNS ? b->raw : 3 * TR_SIDE_MAX_COLUMNS);
    return sum;
}

static enum tr_status take_other(struct tr_reader *r, const struct tr_block *b,
                                 struct tr_error *err)
{
    const unsigned char *raw;
    bool spilled = b->type == TR_BLOCK_STRINGS && r->room.spill;
    uint64_t more = spilled ? 0 : cost(b) * (1 + (uint64_t)r->room.copies);
    if (!tr_budget_take(r->room.budget, more))
        return tr_fail(err, TR_SYSTEM, "its texts, tracks and sets of args need more memory than -M allows");
    r->held += more;
    enum tr_status st = unpack(r, b, &raw, err);
    if (st != TR_OK)
        return st;
    if (b->type == TR_BLOCK_CLOCKS && r->have_summary && r->in.sorted)
        return tr_fail(err, TR_DAMAGED, "clocks after the summary");
    switch (b->type) {
    case TR_BLOCK_HEADER:
        return take_header(r, raw, b->raw, err);
    case TR_BLOCK_PROVENANCE:
        return tr__runs_get(r->provenance, raw, b->raw, b->n_items, err);
    case TR_BLOCK_STRINGS:
    case TR_BLOCK_COLUMNS:
    case TR_BLOCK_SHAPES:
    case TR_BLOCK_CLOCKS:
    case TR_BLOCK_TRACKS:
        return tr__dict_rows_get(&r->rows, b->type, raw, b->raw, b->n_items, err);
    case TR_BLOCK_SOURCES:
        return take_sources(r, b, raw, err);
    case TR_BLOCK_SUMMARY:
        return take_summary(r, b, raw, err);
    case TR_BLOCK_INDEX:
        return take_index(r, b, raw, err);
    case TR_BLOCK_TRAILER:
        return take_trailer(r, b, raw, err);
    case TR_BLOCK_TABLE:
        if (r->have_summary && r->in.sorted)
            return tr_fail(err, TR_DAMAGED, "a table after the summary");
        return tr__side_get(&r->tables, r->dict, raw, b->raw, b->n_items, err);
    case TR_BLOCK_WATERMARK: /* shows live readers that no earlier events will come */
        if (r->in.sorted || b->raw != 8)
            return tr_fail(err, TR_DAMAGED, "a watermark of %u bytes, or a watermark in a sorted stream", b->raw);
        return TR_OK;
    case TR_BLOCK_RESET:
        return tr_fail(err, TR_DAMAGED, "the dictionaries start again here: this program cannot read such a stream");
    default:
        if (b->flags & TR_CRITICAL)
            return tr_fail(err, TR_DAMAGED,
                           "block type %u is unknown and critical: "
                           "a newer program wrote it",
                           b->type);
        return TR_OK; /* it may be skipped */
    }
}

/* ---- events ---- */

static enum tr_status out_of_order(struct tr_reader *r, size_t i, int64_t ts, int64_t before,
                                   struct tr_error *err)
{
    tr_error_place(err, "event %" PRIu64, r->seen.n_events + i);
    if (ts < before)
        return tr_fail(err, TR_DAMAGED,
                       "starts at %" PRId64 " ns, after %" PRId64 " ns: "
                       "input is not ordered by start",
                       ts, before);
    return tr_fail(err, TR_DAMAGED,
                   "belongs before the event in front of it, which starts at the "
                   "same time: input is not in canonical order");
}

/* Does event i belong before the event before it?  The other keys are compared only if start and duration are equal. */
static bool misplaced(const struct tr_reader *r, size_t i)
{
    const struct tr_batch *v = r->batch;
    if (i) {
        int c = tr_order_cmp(v->ts[i - 1], tr_order_dur(v->dur[i - 1], v->suspect[i - 1]),
                             v->ts[i], tr_order_dur(v->dur[i], v->suspect[i]));
        if (c)
            return c > 0;
        if (r->dict->tracks[v->track[i - 1]].source == r->dict->tracks[v->track[i]].source)
            return v->record[i - 1] > v->record[i];
    }
    struct tr_order_key key = tr_order_key(v, i), last = i ? tr_order_key(v, i - 1) : r->last;
    return tr_order_key_cmp(r->dict, &last, &key) > 0;
}

static enum tr_status check_order(struct tr_reader *r, struct tr_error *err)
{
    const struct tr_batch *v = r->batch;
    bool all = (tr__blocks_wanted(r->blocks)->fixed & ORDER_COLUMNS) == ORDER_COLUMNS;
    int64_t before = r->have_last ? r->last.ts : TR_TIME_NONE;
    for (size_t i = 0; i < v->n; before = v->ts[i++]) {
        if (v->ts[i] > before)
            continue;
        if (v->ts[i] < before || (all && (i || r->have_last) && misplaced(r, i)))
            return out_of_order(r, i, v->ts[i], before, err);
    }
    r->have_last = true;
    if (all)
        r->last = tr_order_key(v, v->n - 1);
    else
        r->last.ts = before;
    return TR_OK;
}

static enum tr_status take_events(struct tr_reader *r, struct tr_error *err)
{
    const uint32_t *n_phase;
    enum tr_status st = tr__blocks_events(r->blocks, &r->batch, &n_phase, err);
    if (st == TR_OK && r->in.sorted)
        st = check_order(r, err);
    if (st != TR_OK)
        return st;
    for (unsigned p = 0; p < TR_N_PHASES; p++)
        r->seen.n_phase[p] += n_phase[p];
    r->seen.n_events += r->batch->n;
    return TR_OK;
}

static enum tr_status leave_out(struct tr_reader *r)
{
    r->seen.n_events += r->now->block.n_items;
    r->left_out = true;
    return TR_OK;
}

/* ---- the sequence ---- */

static bool before_summary(unsigned type)
{
    return type != TR_BLOCK_EVENTS && type != TR_BLOCK_INDEX && type != TR_BLOCK_TRAILER;
}

/* Read and process one block. */
static enum tr_status one_block(struct tr_reader *r, struct tr_error *err)
{
    r->now = tr__blocks_next(r->blocks);
    const struct tr_block *b = &r->now->block;
    if (r->room.grows && r->now->cut && r->have_summary)
        return TR_END;
    if (r->now->st != TR_OK) {
        if (err)
            *err = r->now->err;
        return r->now->st;
    }
    if (!r->have_header && b->type != TR_BLOCK_HEADER)
        return tr_fail(err, TR_DAMAGED, "a %s block stands before the header",
                       tr__block_name(b->type));
    if (!r->have_summary && !before_summary(b->type))
        return tr_fail(err, TR_DAMAGED, "a %s block stands before the summary",
                       tr__block_name(b->type));
    enum tr_status st = r->now->skipped                ? leave_out(r)
                        : b->type == TR_BLOCK_EVENTS ? take_events(r, err)
                                                     : take_other(r, b, err);
    if (st != TR_OK)
        return st;
    struct tr__index_entry e = { b->type, b->n_items, r->now->at, b->start, b->end, 0, 0 };
    tr__index_hash(&r->index_hash, &e);
    r->index_last = b->type == TR_BLOCK_INDEX;
    return TR_OK;
}

/* Add input and place to an error, and let every later call fail with it. */
static enum tr_status leave(struct tr_reader *r, enum tr_status st, struct tr_error *err)
{
    if (st == TR_OK)
        return st;
    if (st != TR_END) {
        tr_error_input(err, r->in.name);
        if (r->now && r->now->end > TR_PREAMBLE_BYTES && !r->now->cut)
            tr_error_place(err, "block %u, byte %" PRIu64, r->now->number, r->now->at);
    }
    r->ended = st;
    if (err)
        r->error = *err;
    return st;
}

static enum tr_status reader_next(void *self, const struct tr_batch **batch, struct tr_error *err)
{
    struct tr_reader *r = self;
    enum tr_status st = r->ended;
    if (st != TR_OK) {
        if (err && st != TR_END)
            *err = r->error;
        return st;
    }
    do
        st = one_block(r, err);
    while (st == TR_OK && (r->now->block.type != TR_BLOCK_EVENTS || r->now->skipped));
    if (st == TR_OK)
        *batch = r->batch;
    return leave(r, st, err);
}

static void release(struct tr_reader *r)
{
    if (!r)
        return;
    tr__dict_rows_free(&r->rows);
    tr_dict_free(r->dict);
    tr_summary_free(r->summary);
    tr_provenance_free(r->provenance);
    tr_side_tables_free(&r->tables);
    tr_budget_give(r->room.budget, r->held);
    free(r->raw);
    free(r);
}

static void reader_close(void *self)
{
    struct tr_reader *r = self;
    tr__blocks_close(r->blocks);
    release(r);
}

static bool reader_want(void *self, const struct tr_projection *want)
{
    return tr__blocks_want(((struct tr_reader *)self)->blocks, want);
}

static void reader_ahead(void *self, unsigned n_blocks)
{
    tr__blocks_ahead(((struct tr_reader *)self)->blocks, n_blocks);
}

/* The sources of a sorted stream come before its events; a block may have events of any of them. */
static void reader_only(void *self, const struct tr_needed *needed)
{
    struct tr_reader *r = self;
    struct tr_needed all = { INT64_MAX, INT64_MIN };
    for (size_t i = 0; i < r->dict->n_sources; i++) {
        if (needed[i].from >= needed[i].to)
            continue;
        all.from = needed[i].from < all.from ? needed[i].from : all.from;
        all.to = needed[i].to > all.to ? needed[i].to : all.to;
    }
    tr__blocks_only(r->blocks, &all);
}

static void reader_drop_rows(void *self, const char *begin)
{
    tr_side_tables_drop_rows(&((struct tr_reader *)self)->tables, begin);
}

static const struct tr_input_ops reader_ops = { .next = reader_next,
                                                .close = reader_close,
                                                .want = reader_want,
                                                .ahead = reader_ahead,
                                                .only = reader_only,
                                                .drop_rows = reader_drop_rows };

enum tr_status tr_reader_open(struct tr_input **out, const struct tr_stream_bytes *from,
                              const char *name, struct tr_error *err)
{
    static const struct tr_reader_room any = { .spill = NULL };
    return tr_reader_open_within(out, from, name, &any, err);
}

enum tr_status tr_reader_open_within(struct tr_input **out, const struct tr_stream_bytes *from, const char *name,
                                     const struct tr_reader_room *room, struct tr_error *err)
{
    struct tr_reader *r = calloc(1, sizeof *r);
    if (!r)
        return tr_fail_memory(err);
    r->room = *room;
    r->in.ops = &reader_ops;
    r->in.self = r;
    snprintf(r->in.name, sizeof r->in.name, "%s", name);
    r->dict = tr_dict_new_in(room->spill);
    r->in.dict = r->rows.dict = r->dict;
    r->provenance = tr_provenance_new();
    r->in.provenance = r->provenance;
    r->summary = tr_summary_new(0);
    r->in.summary = r->summary;
    r->in.tables = &r->tables;
    enum tr_status st = TR_OK;
    if (!r->dict || !r->provenance || !r->summary)
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = tr__blocks_open(&r->blocks, from, r->dict, err);
    if (st == TR_OK)
        tr__blocks_idle(r->blocks, room->idle, room->idle_ctx);
    while (st == TR_OK && !r->have_summary)
        st = one_block(r, err);
    if (leave(r, st, err) != TR_OK) {
        tr__blocks_abandon(r->blocks);
        release(r);
        return st;
    }
    *out = &r->in;
    return TR_OK;
}
