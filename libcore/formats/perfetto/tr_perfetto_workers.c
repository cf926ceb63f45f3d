/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: the second walk by several threads.
 *
 * The file is settled, see tr_perfetto_read_int.h, and all of it is packets.  Each thread takes the next piece of whole
 * packets and passes them to its own builder.  The pieces are committed in order.  Data that depends on earlier events
 * waits until then: flows, which start with their first event, and copies whose device is known only by an agent.
 */
#include "formats/common/tr_ordered_workers_int.h"
#include "formats/perfetto/tr_perfetto_read_int.h"

#include <stdlib.h>

struct helper;

struct workers {
    struct tr__perfetto_reader *r; /* which does not change until the end */
    struct tr__perfetto_reader emitter;
    struct helper *helpers;
    unsigned n;
    struct tr__pieces pieces;
};

struct helper {
    struct workers *workers;
    struct tr__perfetto_reader r;
    struct tr_buf piece;
    uint64_t offset; /* of the piece */
};

static enum tr_status find_piece(void *helper, struct tr_error *err)
{
    struct helper *h = helper;
    return tr__perfetto_next_piece(&h->workers->pieces, &h->piece, &h->offset, err);
}

/* ---- one piece ---- */

static void start_piece(struct tr__perfetto_reader *r)
{
    r->n_events = r->n_work = r->n_met_work = 0;
    r->n_later = r->n_queues = 0;
    tr__numbers_clear(&r->queues);
    tr__numbers_clear(&r->agents);
    tr__part_start(r->g);
}

static enum tr_status decode_piece(void *helper, struct tr_error *err)
{
    struct helper *h = helper;
    struct tr__perfetto_reader *r = &h->r;
    const unsigned char *p = h->piece.data, *end = p + h->piece.len;
    enum tr_status st = TR_OK;
    bool whole = true;
    r->err = err;
    start_piece(r);
    while (st == TR_OK && whole && p < end) {
        uint64_t len = 0, offset = h->offset + (uint64_t)(p - h->piece.data);
        const unsigned char *at = tr__perfetto_packet(p, end, &len);
        whole = at != NULL;
        if (whole)
            st = tr__perfetto_use(r, at, (size_t)len, offset, &whole);
        if (st == TR_OK && !whole) /* the first walk found no such packet */
            st = tr_fail(r->err, TR_DAMAGED, "it changes while it is read");
        p = whole ? at + len : end;
    }
    return st == TR_OK ? tr__part_end(r->g, r->err) : st;
}

/* Pass on the data that waited; all earlier events are passed on. */
static enum tr_status emit_later(struct tr__perfetto_reader *to, const struct tr__perfetto_reader *from, uint64_t first)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < from->n_later; i++) {
        const struct tr__later *l = &from->later[i];
        to->n_events = first + l->record;
        if (l->what == TR__LATER_FLOW) {
            st = tr__perfetto_emit_flow(to, l);
        } else if (l->what == TR__LATER_AGENT) {
            if (!tr__numbers_set(&to->agents, l->id, (uint32_t)l->ts))
                st = tr_fail_memory(to->err);
        } else {
            struct tr__sequence *s = tr__perfetto_sequence(to, l->packet.sequence);
            tr__ingest_stands(to->g, l->packet.offset);
            if (!s)
                return to->err->status;
            st = l->what == TR__LATER_EVENT ? tr__perfetto_track_event(to, s, &l->packet)
                                            : tr__perfetto_gpu_counter(to, s, &l->packet);
            if (st == TR_END && l->what == TR__LATER_COUNTERS) /* the helper has counted what cannot be read */
                st = TR_OK;
        }
    }
    return st;
}

/* Queues of the piece: their names, and whether their work starts at the end of the work in earlier pieces. */
static enum tr_status take_queues(struct tr__perfetto_reader *to, const struct tr__perfetto_reader *from)
{
    to->n_work += from->n_work;
    to->n_met_work += from->n_met_work;
    for (size_t i = 0; i < from->n_queues; i++) {
        const struct tr__queue *q = &from->queue[i];
        bool is_new;
        struct tr__queue *mine = tr__perfetto_queue(to, q->key, &is_new);
        if (!mine)
            return TR_SYSTEM;
        if (is_new)
            tr__perfetto_name_queue(to, q);
        if (q->first == TR_TIME_NONE)
            continue;
        to->n_met_work += mine->end == q->first;
        mine->end = q->end;
    }
    return TR_OK;
}

static enum tr_status take_piece(void *helper, struct tr_error *err)
{
    struct helper *h = helper;
    struct tr__perfetto_reader *to = &h->workers->emitter, *from = &h->r;
    uint64_t *n_events = &h->workers->r->n_events;
    to->err = err;
    enum tr_status st = tr__part_commit(to->g, from->g, *n_events, err);
    if (st == TR_OK)
        st = emit_later(to, from, *n_events);
    if (st == TR_OK)
        st = take_queues(to, from);
    *n_events += from->n_events;
    return st;
}

/* ---- the workers ---- */

/* A reader that shares what the first walk has found.  False: out of memory. */
static bool share(struct tr__perfetto_reader *to, const struct tr__perfetto_reader *r, enum tr__role role,
                  struct tr_ingest *g, struct tr_error *err)
{
    *to = (struct tr__perfetto_reader){
        .g = g, .err = err, .max_memory = r->max_memory, .second = true, .role = role, .shared = r->strings,
        .n_shared = tr_strtab_count(r->strings), .no_nests = r->no_nests, .last_track = UINT32_MAX,
        .first_step = UINT32_MAX,
        .track_of = r->track_of, .sequence_of = r->sequence_of, .tracks = r->tracks, .n_tracks = r->n_tracks,
        .sequences = r->sequences, .n_sequences = r->n_sequences, .clocks = r->clocks, .n_clocks = r->n_clocks,
        .clock_of = r->clock_of, .primary = r->primary, .has_primary = r->has_primary,
        .gpu_counters = r->gpu_counters, .gpu_forwards = r->gpu_forwards,
    };
    to->strings = tr_strtab_new();
    to->values = tr_strtab_new();
    return to->strings && to->values;
}

static void add_counts(struct tr__perfetto_reader *r, const struct tr__perfetto_reader *from)
{
    r->n_packets += from->n_packets;
    for (unsigned k = 0; k < TR__PERFETTO_KINDS; k++)
        r->n_kinds[k] += from->n_kinds[k];
}

enum tr_status tr__perfetto_workers(struct tr__perfetto_reader *r, struct tr_error *err)
{
    static const struct tr__ordered_workers_steps work = { find_piece, decode_piece, take_piece };
    struct workers t = { .r = r, .n = tr__n_parts(r->g), .pieces = { .g = r->g, .bytes = r->piece_bytes } };
    bool ok = (t.helpers = calloc(t.n, sizeof *t.helpers)) != NULL &&
              share(&t.emitter, r, TR__EMITTER, r->g, err);
    for (unsigned i = 0; ok && i < t.n; i++) {
        t.helpers[i].workers = &t;
        ok = share(&t.helpers[i].r, r, TR__HELPER, tr__part(r->g, i), err);
    }
    enum tr_status st =
        ok ? tr__ordered_workers_run(t.helpers, sizeof *t.helpers, t.n, &work, err) : tr_fail_memory(err);
    for (unsigned i = 0; t.helpers && i < t.n; i++) {
        add_counts(r, &t.helpers[i].r);
        tr__perfetto_free_own(&t.helpers[i].r);
        tr_buf_free(&t.helpers[i].piece);
    }
    r->n_work = t.emitter.n_work;
    r->n_met_work = t.emitter.n_met_work;
    tr__perfetto_free_own(&t.emitter);
    free(t.helpers);
    tr_buf_free(&t.pieces.carry);
    return st;
}
