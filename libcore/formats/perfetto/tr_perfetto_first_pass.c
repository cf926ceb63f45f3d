/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: the first walk by several threads.
 *
 * Each thread takes the next piece of whole packets, and skims it: of plain events, it keeps what this walk needs, by
 * track.  All other packets are only listed.  The pieces are taken in order: what was kept is noted, and the packets of
 * the list are used as they are in a walk by one thread.  So the result does not depend on the pieces.
 *
 * The walk stops at the first damage, because the packets after it must be searched.
 */
#include "formats/common/tr_ordered_workers_int.h"
#include "formats/perfetto/tr_perfetto_read_int.h"

#include <stdlib.h>

struct helper;

struct workers {
    struct tr__perfetto_reader *r;
    struct tr__pieces pieces;
    uint64_t stopped;
};

/* Plain events, and the packet after them that is not one. */
struct run {
    size_t at, end, last; /* of the events, in the piece; of the last one */
    size_t n;             /* number of the events */
    size_t end_tracks, end_writers; /* their tracks and writers end here in the lists of the piece */
    size_t packet, len;   /* len: SIZE_MAX: there is none */
};

struct helper {
    struct workers *workers;
    struct tr_buf piece;
    uint64_t offset;
    bool damaged;      /* after the last run */
    struct run *runs;
    struct tr__run_of_track *tracks;
    uint32_t *writers;
    size_t n_runs, cap_runs, n_tracks, cap_tracks, n_writers, cap_writers;
    struct tr__numbers track_of, writer_of; /* their last places in the lists */
    /* of the run that is being made */
    struct run run;
    size_t first_track, first_writer; /* where its tracks and writers start */
    size_t last_track;
    uint32_t last_writer;
};

static enum tr_status find_piece(void *helper, struct tr_error *err)
{
    struct helper *h = helper;
    return tr__perfetto_next_piece(&h->workers->pieces, &h->piece, &h->offset, err);
}

/* ---- one piece ---- */

static bool add_writer(struct helper *h, uint32_t sequence)
{
    uint32_t at = tr__numbers_get(&h->writer_of, sequence);
    h->last_writer = sequence;
    if (at != UINT32_MAX && at >= h->first_writer)
        return true;
    if (!tr_grow(&h->writers, &h->cap_writers, h->n_writers + 1, sizeof *h->writers) ||
        !tr__numbers_set(&h->writer_of, sequence, (uint32_t)h->n_writers))
        return false;
    h->writers[h->n_writers++] = sequence;
    return true;
}

/* The events of the track in this run; NULL: out of memory. */
static struct tr__run_of_track *track_of(struct helper *h, uint64_t track)
{
    uint32_t at = tr__numbers_get(&h->track_of, track);
    if (at != UINT32_MAX && at >= h->first_track) {
        h->last_track = at;
        return &h->tracks[at];
    }
    if (!tr_grow(&h->tracks, &h->cap_tracks, h->n_tracks + 1, sizeof *h->tracks) ||
        !tr__numbers_set(&h->track_of, track, (uint32_t)h->n_tracks))
        return NULL;
    h->last_track = h->n_tracks++;
    h->tracks[h->last_track] = (struct tr__run_of_track){ .track = track };
    return &h->tracks[h->last_track];
}

static bool add_event(struct helper *h, const struct tr__skimmed *k)
{
    bool started = h->n_writers > h->first_writer;
    if ((!started || k->sequence != h->last_writer) && !add_writer(h, k->sequence))
        return false;
    struct tr__run_of_track *t = started ? &h->tracks[h->last_track] : NULL;
    if ((!t || t->track != k->track) && !(t = track_of(h, k->track)))
        return false;
    if (k->joins) {
        t->unordered |= t->joins && k->time < t->last;
        t->first = t->joins ? t->first : k->time;
        t->last = k->time;
        t->joins = true;
    }
    h->run.n++;
    return true;
}

/* The run is complete; the next one starts at an offset of the piece. */
static bool end_run(struct helper *h, size_t next)
{
    if (!tr_grow(&h->runs, &h->cap_runs, h->n_runs + 1, sizeof *h->runs))
        return false;
    h->run.end_tracks = h->first_track = h->n_tracks;
    h->run.end_writers = h->first_writer = h->n_writers;
    h->runs[h->n_runs++] = h->run;
    h->run = (struct run){ .at = next, .len = SIZE_MAX };
    return true;
}

static void start_piece(struct helper *h)
{
    h->n_runs = h->n_tracks = h->n_writers = h->first_track = h->first_writer = 0;
    h->run = (struct run){ .len = SIZE_MAX };
    tr__numbers_clear(&h->track_of);
    tr__numbers_clear(&h->writer_of);
}

static enum tr_status skim_piece(void *helper, struct tr_error *err)
{
    struct helper *h = helper;
    const unsigned char *first = h->piece.data, *p = first, *end = p + h->piece.len, *at = p;
    uint64_t len = 0;
    bool ok = true;
    start_piece(h);
    while (ok && p < end && (at = tr__perfetto_packet(p, end, &len)) != NULL) {
        struct tr__skimmed k;
        if (len <= TR__LARGE_PACKET && tr__perfetto_skim(at, (size_t)len, &k)) {
            h->run.last = (size_t)(p - first);
            ok = add_event(h, &k);
            p = at + len;
            continue;
        }
        h->run.end = (size_t)(p - first);
        h->run.packet = (size_t)(at - first);
        h->run.len = (size_t)len;
        p = at + len;
        ok = end_run(h, (size_t)(p - first));
    }
    h->damaged = p < end && !at;
    h->run.end = (size_t)(p - first);
    return ok && end_run(h, 0) ? TR_OK : tr_fail_memory(err);
}

/* ---- pieces in order ---- */

/* A packet is used as in a walk by one thread.  TR_END: it is not a packet. */
static enum tr_status use(struct helper *h, size_t mark, size_t packet, size_t len)
{
    struct workers *t = h->workers;
    bool whole = true;
    enum tr_status st = tr__perfetto_use(t->r, h->piece.data + packet, len, h->offset + mark, &whole);
    while (st == TR_OK && t->r->n_packed) /* they stand in the piece */
        st = tr__perfetto_unpack_more(t->r);
    if (whole)
        return st;
    t->stopped = h->offset + mark;
    return TR_END;
}

/* Do the times of these writers need no clock? */
static bool are_plain(const struct tr__perfetto_reader *r, const uint32_t *writers, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t at = tr__numbers_get(&r->sequence_of, writers[i]);
        if (at != UINT32_MAX && r->sequences[at].default_clock)
            return false;
    }
    return true;
}

/* The events of a run one by one. */
static enum tr_status use_events(struct helper *h, const struct run *run)
{
    const unsigned char *first = h->piece.data, *p = first + run->at, *end = first + run->end;
    enum tr_status st = TR_OK;
    uint64_t len = 0;
    while (st == TR_OK && p < end) {
        const unsigned char *at = tr__perfetto_packet(p, end, &len);
        st = use(h, (size_t)(p - first), (size_t)(at - first), (size_t)len);
        p = at + len;
    }
    return st;
}

/* What was kept of the events of a run. */
static enum tr_status note_events(struct helper *h, const struct run *run, size_t track, size_t writer)
{
    struct tr__perfetto_reader *r = h->workers->r;
    for (; writer < run->end_writers; writer++) {
        struct tr__sequence *s = tr__perfetto_sequence(r, h->writers[writer]);
        if (!s)
            return r->err->status;
        s->used = true;
    }
    for (; track < run->end_tracks; track++)
        if (!tr__perfetto_note_run(r, &h->tracks[track]))
            return TR_SYSTEM;
    r->at = h->offset + run->last;
    tr__ingest_stands(r->g, r->at);
    return tr__perfetto_count_packets(r, run->n);
}

static enum tr_status take_piece(void *helper, struct tr_error *err)
{
    struct helper *h = helper;
    struct workers *t = h->workers;
    size_t track = 0, writer = 0;
    enum tr_status st = TR_OK;
    t->r->err = err;
    for (size_t i = 0; st == TR_OK && i < h->n_runs; i++) {
        const struct run *run = &h->runs[i];
        if (run->n)
            st = are_plain(t->r, h->writers + writer, run->end_writers - writer) ? note_events(h, run, track, writer)
                                                                                 : use_events(h, run);
        track = run->end_tracks;
        writer = run->end_writers;
        if (st == TR_OK && run->len != SIZE_MAX)
            st = use(h, run->end, run->packet, run->len);
    }
    if (st != TR_OK || !h->damaged)
        return st;
    t->stopped = h->offset + h->runs[h->n_runs - 1].end;
    return TR_END;
}

enum tr_status tr__perfetto_first_pass(struct tr__perfetto_reader *r, uint64_t *stopped, struct tr_error *err)
{
    static const struct tr__ordered_workers_steps work = { find_piece, skim_piece, take_piece };
    struct workers t = { .r = r, .pieces = { .g = r->g, .bytes = r->piece_bytes } };
    unsigned n = tr__n_parts(r->g);
    struct helper *helpers = calloc(n, sizeof *helpers);
    for (unsigned i = 0; helpers && i < n; i++)
        helpers[i].workers = &t;
    enum tr_status st =
        helpers ? tr__ordered_workers_run(helpers, sizeof *helpers, n, &work, err) : tr_fail_memory(err);
    r->err = err;
    *stopped = t.stopped;
    for (unsigned i = 0; helpers && i < n; i++) {
        struct helper *h = &helpers[i];
        tr_buf_free(&h->piece);
        free(h->runs);
        free(h->tracks);
        free(h->writers);
        tr__numbers_free(&h->track_of);
        tr__numbers_free(&h->writer_of);
    }
    free(helpers);
    tr_buf_free(&t.pieces.carry);
    return st;
}
