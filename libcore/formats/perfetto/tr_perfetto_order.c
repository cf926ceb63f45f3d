/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: finds the tracks whose starts and ends are in order of time.
 *
 * Their starts and ends are joined as they come.  Starts and ends belong together by process and thread, so a thread
 * with more than one track has no such order.  A track has none either if the distance of its clock to the clock of the
 * trace changes.
 */
#include "formats/perfetto/tr_perfetto_read_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>

enum {
    EVENT_DELTA_US = 1, EVENT_CATEGORY_ID = 3, EVENT_NOTE = 4, EVENT_LEGACY = 6, EVENT_TYPE = 9, EVENT_NAME_ID = 10,
    EVENT_TRACK = 11, EVENT_EXTRA_VALUES = 12,
    EVENT_TIME_US = 16, EVENT_CATEGORY = 22, EVENT_NAME = 23, EVENT_EXTRA_DOUBLES = 46,
};
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_COUNTER = 4 };

struct tr__tree_track *tr__perfetto_track_of(struct tr__perfetto_reader *r, const struct tr__sequence *s,
                                             bool has_track, uint64_t track)
{
    if (has_track || s->has_default_track)
        return tr__tree_track(r, has_track ? track : s->default_track);
    return s->thread != UINT32_MAX ? &r->tracks[s->thread] : tr__tree_track(r, 0);
}

/* What this walk needs of an event. */
struct brief {
    uint64_t type, track;
    bool has_track, own_time;
    bool in_order; /* it depends on earlier events */
    struct tr__legacy legacy;
};

/* A field that few events have, or that is not needed here. */
static void take_field(struct brief *e, const struct tr__proto *m)
{
    if (tr__proto_is(m, EVENT_LEGACY, TR__WIRE_BYTES))
        tr__perfetto_legacy(&e->legacy, (struct tr__span){ m->data, m->len });
    else if (m->field == EVENT_DELTA_US || m->field == EVENT_TIME_US)
        e->own_time = e->in_order = true;
    else if (m->field == EVENT_EXTRA_VALUES || m->field == EVENT_EXTRA_DOUBLES)
        e->in_order = true;
}

static inline void read_brief(struct tr__span body, struct brief *e)
{
    const unsigned char *p = body.data, *end = p ? p + body.len : p;
    bool ok = true;
    while (ok && p < end) {
        struct tr__span annotation;
        struct tr__proto m;
        uint64_t v;
        switch (*p++) {
        case TR__PROTO_KEY(EVENT_NOTE, TR__WIRE_BYTES):
            ok = tr__proto_take_bytes(&p, end, &annotation.data, &annotation.len);
            while (ok && tr__proto_is_short(p, end, EVENT_NOTE)) /* more of them */
                p += 2 + p[1];
            break;
        case TR__PROTO_KEY(EVENT_CATEGORY_ID, TR__WIRE_VARINT):
        case TR__PROTO_KEY(EVENT_NAME_ID, TR__WIRE_VARINT):
            ok = tr__proto_take(&p, end, &v);
            break;
        case TR__PROTO_KEY(EVENT_TYPE, TR__WIRE_VARINT):
            ok = tr__proto_take(&p, end, &v);
            e->type = ok ? v : e->type;
            break;
        case TR__PROTO_KEY(EVENT_TRACK, TR__WIRE_VARINT):
            ok = tr__proto_take(&p, end, &v);
            e->track = ok ? v : e->track;
            e->has_track |= ok;
            break;
        case TR__FIRST_OF_FLOW:
            if (tr__perfetto_is_flow(p, end)) {
                p += TR__REST_OF_FLOW;
                break;
            }
            /* fall through */
        default:
            m = tr__proto_of(p - 1, (size_t)(end - p) + 1);
            ok = tr__proto_next(&m);
            if (ok)
                take_field(e, &m);
            p = m.p;
        }
    }
}

/* Is it a start or an end? */
static bool joins(const struct brief *e)
{
    return e->legacy.phase ? e->legacy.phase == 'B' || e->legacy.phase == 'E'
                           : e->type == TYPE_BEGIN || e->type == TYPE_END;
}

/* The time of a start or end on its track. */
static void note_time(struct tr__tree_track *t, int64_t time, bool unordered)
{
    t->unordered |= unordered || (t->has_order && time < t->last);
    t->has_order = true;
    t->last = time;
}

bool tr__perfetto_note_order(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__packet *packet)
{
    struct brief e = { 0 };
    read_brief(packet->body, &e);
    r->in_order |= e.in_order;
    bool counts = e.type == TYPE_COUNTER && !e.legacy.phase && !e.has_track; /* on the default track, even if it is 0 */
    struct tr__tree_track *t =
        counts ? tr__tree_track(r, s->default_track) : tr__perfetto_track_of(r, s, e.has_track, e.track);
    if (!t)
        return false;
    t->used = true;
    if (!joins(&e))
        return true;
    r->no_nests |= e.legacy.has_pid || e.legacy.has_tid;
    note_time(t, packet->time, !packet->timed || packet->lost_clock || e.own_time);
    if (packet->clock != UINT32_MAX && packet->timed) /* its number in the reader */
        t->clock = t->clock == UINT32_MAX || t->clock == packet->clock ? packet->clock : UINT32_MAX - 1;
    return true;
}

/* ---- plain events ---- */

bool tr__perfetto_skim(const unsigned char *p, size_t n, struct tr__skimmed *k)
{
    const unsigned char *end = p + n;
    uint64_t ts = UINT64_MAX, sequence = 0, flags;
    struct brief e = { 0 };
    bool ok = true, has_event = false;
    while (ok && p < end) {
        struct tr__span body;
        struct tr__proto m;
        switch (*p++) {
        case TR__PROTO_KEY(PACKET_TIMESTAMP, TR__WIRE_VARINT):
            ok = tr__proto_take(&p, end, &ts);
            break;
        case TR__PROTO_KEY(PACKET_SEQUENCE, TR__WIRE_VARINT):
            ok = tr__proto_take(&p, end, &sequence);
            break;
        case TR__PROTO_KEY(PACKET_EVENT, TR__WIRE_BYTES):
            ok = !has_event && tr__proto_take_bytes(&p, end, &body.data, &body.len);
            has_event = true;
            if (ok)
                read_brief(body, &e);
            break;
        case TR__PROTO_KEY(TR__FIELD_FLAGS, TR__WIRE_VARINT):
            ok = tr__proto_take(&p, end, &flags) && !(flags & TR__FLAG_CLEARED);
            break;
        default:
            m = tr__proto_of(p - 1, (size_t)(end - p) + 1);
            ok = tr__proto_next(&m) && tr__perfetto_says_nothing(&m);
            p = m.p;
        }
    }
    *k = (struct tr__skimmed){ .track = e.track, .time = (int64_t)ts, .sequence = (uint32_t)sequence,
                               .joins = joins(&e) };
    /* without a track or time of its own it needs more */
    return ok && e.has_track && ts < INT64_MAX && !e.in_order && !e.legacy.has_pid && !e.legacy.has_tid;
}

bool tr__perfetto_note_run(struct tr__perfetto_reader *r, const struct tr__run_of_track *run)
{
    struct tr__tree_track *t = tr__tree_track(r, run->track);
    if (!t)
        return false;
    t->used = true;
    if (run->joins) {
        note_time(t, run->first, run->unordered);
        t->last = run->last;
    }
    return true;
}

bool tr__perfetto_use_skimmed(struct tr__perfetto_reader *r, const struct tr__skimmed *k)
{
    uint32_t of = tr__numbers_get(&r->sequence_of, k->sequence);
    if (of == UINT32_MAX || r->sequences[of].default_clock)
        return false;
    r->sequences[of].used = true;
    return tr__perfetto_note_run(r, &(struct tr__run_of_track){ k->track, k->time, k->time, k->joins, false });
}

/* ---- tracks in order ---- */

struct at_place {
    int64_t pid, tid;
    uint32_t pid_text, tid_text, track;
};

/* The process and thread by which starts and ends are paired.  A track without a tid is the process itself. */
static struct at_place place_of(const struct tr__tree_track *t, uint32_t track)
{
    struct at_place p = { .pid_text = t->pid_text, .tid_text = t->tid_text, .track = track };
    if (t->pid_text == TR_NO_STR)
        p.pid = t->pid == TR_I64_NONE ? 0 : t->pid;
    if (t->tid_text == TR_NO_STR)
        p.tid = t->tid != TR_I64_NONE ? t->tid : t->pid_text == TR_NO_STR ? p.pid : (int64_t)t->pid_text;
    return p;
}

TR_ORDER(by_place, struct at_place, TR_UP(pid), TR_UP(tid), TR_UP(pid_text), TR_UP(tid_text), TR_UP(track))

static bool same_place(const struct at_place *x, const struct at_place *y)
{
    return x->pid == y->pid && x->tid == y->tid && x->pid_text == y->pid_text && x->tid_text == y->tid_text;
}

static bool keeps_distance(const struct tr__perfetto_reader *r, uint32_t clock)
{
    return clock == UINT32_MAX || (clock < r->n_clocks && !r->clocks[clock].uneven);
}

bool tr__perfetto_number_nests(struct tr__perfetto_reader *r)
{
    struct at_place *places = r->n_tracks ? malloc(r->n_tracks * sizeof *places) : NULL;
    size_t n = 0;
    uint32_t number = 0;
    if (r->n_tracks && !places)
        return tr__perfetto_no_memory(r);
    for (size_t i = 0; i < r->n_tracks; i++) {
        struct tr__tree_track *t = &r->tracks[i];
        struct tr_ingest_track at;
        if (!t->has_order)
            continue;
        if (!tr__tree_place(r, t, &at)) {
            free(places);
            return false;
        }
        places[n++] = place_of(t, (uint32_t)i);
    }
    if (n)
        qsort(places, n, sizeof *places, by_place);
    for (size_t i = 0; i < n && !r->no_nests; i++) {
        struct tr__tree_track *t = &r->tracks[places[i].track];
        bool alone = (i == 0 || !same_place(&places[i - 1], &places[i])) &&
                     (i + 1 == n || !same_place(&places[i], &places[i + 1]));
        if (alone && !t->unordered && keeps_distance(r, t->clock))
            t->nest = number++;
    }
    free(places);
    return true;
}
