/* SPDX-License-Identifier: MIT */
/* Critical paths: edges between device work, its launches, and calls that wait for it. */
#include "analysis/critpath/tr_critpath_queue_int.h"

#include "analysis/critpath/tr_critpath_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>

/* Work that starts this long after the work before it on its stream did not wait for it. */
#define QUEUE_LIMIT_NS INT64_C(1500000)

/* Device work by its start, and waits by their end, in order of time. */
struct turn {
    int64_t at;
    uint32_t event; /* CP_NONE: a wait */
    size_t index;   /* of the kernel, or of the wait */
};

/* Work by when it ended. */
struct ended {
    uint32_t device; /* as a stream: the first of the device */
    uint32_t event;
    int64_t end;
    size_t kernel;
};

struct device {
    struct tr_critpath *c;
    uint32_t *last; /* by stream: the work that came last, or CP_NONE */
    size_t *first;
    struct turn *turns;
    size_t n_turns;
    struct cp_held *held;
    size_t n_held;
    struct ended *ended; /* opts.gaps, or sends and receives: by device and end */
    size_t n_ended;
    uint32_t *device_of,
        *next_device; /* by stream: the first stream of its device; the first of the next device */
    struct cp_infer *infer; /* opts.gaps */
    int64_t *asked; /* by kernel, with rules: when its thread made streams wait before; tr__cp_find_asked */
};

/* A wait that ends when work starts did not wait for that work. */
TR_ORDER(by_turn, struct turn, TR_UP(at), TR_CMP(b->event == CP_NONE, a->event == CP_NONE), TR_UP(event), TR_UP(index))

static bool make_turns(struct device *d)
{
    const struct tr_critpath *c = d->c;
    d->turns = tr__cp_alloc_temp(d->c, c->n_kernels + c->n_waits + 1, sizeof *d->turns);
    if (!d->turns)
        return false;
    for (size_t i = 0; i < c->n_kernels; i++)
        if (c->kernels[i].event != CP_NONE)
            d->turns[d->n_turns++] =
                (struct turn){ c->ts[c->kernels[i].event], c->kernels[i].event, i };
    for (size_t i = 0; i < c->n_waits; i++)
        d->turns[d->n_turns++] = (struct turn){ c->waits[i].end, CP_NONE, i };
    qsort(d->turns, d->n_turns, sizeof *d->turns, by_turn);
    return true;
}

TR_ORDER(by_end, struct ended, TR_UP(device), TR_UP(end), TR_UP(event))

static bool make_ended(struct device *d)
{
    const struct tr_critpath *c = d->c;
    d->ended = tr__cp_alloc_temp(d->c, c->n_kernels + 1, sizeof *d->ended);
    d->device_of = malloc((c->n_streams + 1) * sizeof *d->device_of);
    d->next_device = malloc((c->n_streams + 1) * sizeof *d->next_device);
    if (!d->ended || !d->device_of || !d->next_device)
        return false;
    for (uint32_t s = 0; s < c->n_streams; s++)
        d->device_of[s] = s && tr__cp_same_device(c, s - 1, s) ? d->device_of[s - 1] : s;
    for (uint32_t s = c->n_streams; s-- > 0;)
        d->next_device[s] = s + 1 < c->n_streams && d->device_of[s + 1] == d->device_of[s]
                                ? d->next_device[s + 1]
                                : s + 1;
    for (size_t i = 0; i < c->n_kernels; i++) {
        const struct cp_kernel *k = &c->kernels[i];
        if (k->event != CP_NONE)
            d->ended[d->n_ended++] =
                (struct ended){ d->device_of[k->stream], k->event, c->end[k->event], i };
    }
    qsort(d->ended, d->n_ended, sizeof *d->ended, by_end);
    return true;
}

/* The work on a device that had ended last at the start of an event, or at a time (event CP_NONE); or CP_NONE. */
static uint32_t ended_by(const struct device *d, uint32_t device, int64_t ts, uint32_t event)
{
    const struct ended key = { device, event, ts, 0 };
    size_t low = 0;
    TR_BOUND(low, d->n_ended, mid, by_end(&d->ended[mid], &key) < 0);
    return low && d->ended[low - 1].device == key.device ? d->ended[low - 1].event : CP_NONE;
}

/* ---- work ---- */

/* Edges from the work that device work had to wait for by order of events; *until: the latest end of that work. */
static bool held_edges(struct device *d, uint32_t event, uint32_t stream, int64_t *until)
{
    struct tr_critpath *c = d->c;
    size_t first = 0; /* work of several ranks does not come in the order of events */
    bool ok = true;
    *until = INT64_MIN;
    TR_BOUND(first, d->n_held, mid, d->held[mid].event < event);
    for (size_t i = first; ok && i < d->n_held && d->held[i].event == event; i++) {
        uint32_t source = d->held[i].until;
        bool again = i > first && d->held[i - 1].until == source;
        if (again || c->stream_of[c->track[source]] == stream)
            continue;
        *until = c->end[source] > *until ? c->end[source] : *until;
        ok = tr__cp_add_edge(c, cp_end(source), cp_start(event), TR_CP_SYNC);
    }
    return ok;
}

/* The send or receive that ended last before work, if that was after a time, and shortly before; else CP_NONE. */
static uint32_t received(const struct device *d, const struct cp_kernel *k, int64_t after)
{
    const struct tr_critpath *c = d->c;
    int64_t start = c->ts[k->event];
    uint32_t e = c->n_peers ? ended_by(d, d->device_of[k->stream], start, k->event) : CP_NONE;
    bool right = e != CP_NONE && c->flags[e] & CP_WAITS && c->end[e] > after && start - c->end[e] <= CP_FAR_NS;
    return right ? e : CP_NONE;
}

/* What decided when device work started: its launch, the work before it on its stream, or what it has received? */
static bool start_edges(struct device *d, const struct cp_kernel *k, int64_t until)
{
    struct tr_critpath *c = d->c;
    uint32_t node = cp_start(k->event), last = d->last[k->stream];
    int64_t start = c->ts[k->event];
    int64_t before = last == CP_NONE ? INT64_MIN : c->end[last];
    int64_t called = k->launch == CP_NONE ? INT64_MIN : c->ts[k->launch];
    int64_t known = before > called ? before : called;
    uint32_t peer = received(d, k, until > known ? until : known);
    bool follows = !k->leads; /* it follows work of the same call on its stream */
    bool called_last = k->launch != CP_NONE && before < called && until < called;
    if (called_last && k->lone && k->leads && peer == CP_NONE)
        return tr__cp_add_edge(c, cp_start(k->launch), node, TR_CP_LAUNCH);
    bool ok = true, queued = last != CP_NONE && until < before && (follows || start - before < QUEUE_LIMIT_NS);
    if (peer != CP_NONE)
        ok = tr__cp_add_edge(c, cp_end(peer), node, TR_CP_AFTER);
    else if (queued)
        ok = tr__cp_add_edge(c, cp_end(last), node, TR_CP_QUEUE);
    return ok &&
           (k->launch == CP_NONE || !c->opts.launch_edges ||
            tr__cp_add_edge(c, cp_start(k->launch), node, TR_CP_LAUNCH_FREE));
}

/* Without any work for long, a device waits for nothing that the trace shows. */
static bool waits_for_end(struct device *d, uint32_t work, const struct cp_kernel *k, enum tr_cp_edge type)
{
    struct tr_critpath *c = d->c;
    bool lost = c->ts[k->event] - c->end[work] > CP_FAR_NS;
    return tr__cp_add_edge(c, cp_end(work), cp_start(k->event), lost ? TR_CP_GAP : type);
}

/* The work that this work, as far as is known, can have waited for alone, after what it is known to wait for; CP_NONE:
 * there is none, or there are several. */
static uint32_t inferred(struct device *d, const struct cp_kernel *k, int64_t known)
{
    struct tr_critpath *c = d->c;
    const int64_t start = c->ts[k->event], asked = tr__cp_asked_at(d->infer, k);
    const int64_t after = known > start - CP_NEAR_NS ? known : start - CP_NEAR_NS;
    const struct ended key = { d->device_of[k->stream], CP_NONE, start, 0 };
    const struct cp_kernel *found = NULL;
    int64_t recorded = TR_TIME_NONE;
    size_t i = 0;
    TR_BOUND(i, asked == TR_TIME_NONE ? 0 : d->n_ended, mid, by_end(&d->ended[mid], &key) < 0);
    for (; i > 0 && d->ended[i - 1].device == key.device && d->ended[i - 1].end > after; i--) {
        const struct cp_kernel *other = &c->kernels[d->ended[i - 1].kernel];
        if (other->stream == k->stream || (found && found->stream == other->stream &&
                                           found->launch_record == other->launch_record))
            continue;
        int64_t at = tr__cp_recorded_at(d->infer, other, asked);
        if (at != TR_TIME_NONE && found)
            return CP_NONE;
        found = at != TR_TIME_NONE ? other : found;
        recorded = at != TR_TIME_NONE ? at : recorded;
    }
    if (found && c->parts && cp_is_final(c, cp_start(k->event)) && c->stream_track[found->stream] < c->n_last) {
        int64_t *last = &c->last_record[c->stream_track[found->stream]];
        *last = recorded > *last ? recorded : *last;
    }
    return found ? found->event : CP_NONE;
}

/*
 * The same for paths without lost time.  Work waits for its launch, for the work before it on its stream, and for the
 * work that it is known to wait for (until); the last of these counts.  If it waits long after that, it most likely
 * waits for the other work of its device that has ended last since, such as communication.
 */
static bool explain_start(struct device *d, const struct cp_kernel *k, int64_t until)
{
    struct tr_critpath *c = d->c;
    uint32_t node = cp_start(k->event), last = d->last[k->stream], other = CP_NONE;
    int64_t start = c->ts[k->event];
    if (last != CP_NONE && c->end[last] > start) /* they overlap: it has not waited for that end */
        last = CP_NONE;
    int64_t before = last == CP_NONE ? INT64_MIN : c->end[last];
    int64_t called = k->launch == CP_NONE || !k->leads ? INT64_MIN : c->ts[k->launch];
    int64_t known = before > called ? before : called;
    known = until > known ? until : known;
    if (known == INT64_MIN || start - known > CP_NEAR_NS)
        other = ended_by(d, d->device_of[k->stream], start, k->event);
    uint32_t only = other == CP_NONE ? CP_NONE : inferred(d, k, known);
    bool ok = true, guessed = other != CP_NONE && c->end[other] > known,
         alone = last == CP_NONE && until == INT64_MIN; /* nothing but its launch is before it */
    if (!guessed && only == CP_NONE && k->launch != CP_NONE && (alone || (called > before && called > until)))
        return tr__cp_add_edge(c, cp_start(k->launch), node, TR_CP_LAUNCH);
    if (only != CP_NONE)
        ok = tr__cp_add_edge(c, cp_end(only), node, TR_CP_INFERRED);
    else if (guessed)
        ok = waits_for_end(d, other, k, TR_CP_AFTER);
    else if (before > until)
        ok = waits_for_end(d, last, k, TR_CP_QUEUE);
    return ok && (k->launch == CP_NONE || !c->opts.launch_edges ||
                  tr__cp_add_edge(c, cp_start(k->launch), node, TR_CP_LAUNCH_FREE));
}

/*
 * What a send or receive does while other work of its device runs is of no account: it waits.  What is left after the
 * last of that work has ended decides when it ends itself.
 */
static bool own_edges(struct device *d, const struct cp_kernel *k)
{
    struct tr_critpath *c = d->c;
    uint32_t e = k->event, other = CP_NONE;
    if (c->flags[e] & CP_JOINED && !c->opts.contract)
        return true;
    if (c->flags[e] & CP_WAITS)
        other = ended_by(d, d->device_of[k->stream], c->end[e], e);
    if (other != CP_NONE && c->end[other] <= c->ts[e])
        other = CP_NONE;
    if (c->flags[e] & CP_JOINED) {
        c->other[e] = other;
        return true;
    }
    if (other == CP_NONE)
        return tr__cp_add_edge(c, cp_start(e), cp_end(e), TR_CP_OPERATOR);
    return tr__cp_add_edge(c, cp_start(e), cp_end(e), TR_CP_OPERATOR_FREE) &&
           tr__cp_add_edge(c, cp_end(other), cp_end(e), TR_CP_PEER);
}

/*
 * What has decided nothing, and may do so with other times: the work before on the stream; and for the first work that
 * a thread launches after it made a stream wait, the last work that was launched before that on each other stream.
 */
static bool order_edges(struct device *d, const struct cp_kernel *k)
{
    struct tr_critpath *c = d->c;
    uint32_t low = k->stream, high = k->stream + 1, last = d->last[k->stream];
    int64_t start = c->ts[k->event], asked = d->asked[k - c->kernels];
    bool follows = last != CP_NONE && c->end[last] <= start;
    bool ok = !follows || tr__cp_add_edge(c, cp_end(last), cp_start(k->event), TR_CP_ORDER);
    while (asked != TR_TIME_NONE && low > 0 && tr__cp_same_device(c, low - 1, k->stream))
        low--;
    while (asked != TR_TIME_NONE && high < c->n_streams && tr__cp_same_device(c, high, k->stream))
        high++;
    for (uint32_t s = low; ok && s < high && asked != TR_TIME_NONE; s++) {
        uint32_t e = s == k->stream ? CP_NONE : tr__cp_launched_before(c, d->first, s, asked);
        if (e != CP_NONE && c->end[e] <= start)
            ok = tr__cp_add_edge(c, cp_end(e), cp_start(k->event), TR_CP_ORDER);
    }
    return ok;
}

/* ---- waits ---- */

/* The host does no work in such a call; with gaps, only if it still had to wait.  A later part may know better. */
bool tr__cp_wait_for(struct tr_critpath *c, uint32_t work, uint32_t call)
{
    bool final = cp_is_final(c, cp_end(call));
    if (final && (!c->opts.gaps || c->end[work] > c->ts[call]))
        c->flags[call] |= CP_WAITS;
    if (final)
        c->flags[call] &= (uint8_t)~CP_SYNCS;
    return tr__cp_add_edge(c, cp_end(work), cp_end(call), TR_CP_SYNC);
}

static bool wait_for(struct device *d, uint32_t work_event, uint32_t call)
{
    return work_event == CP_NONE || tr__cp_wait_for(d->c, work_event, call);
}

/* A call that waits for the copy that it launches; it has not if it ended before. */
static bool wait_for_copy(struct tr_critpath *c, const struct cp_kernel *k)
{
    uint32_t call = c->opts.gaps && c->activity[k->event] == TR_ACT_MEMCPY ? k->launch : CP_NONE;
    if (call == CP_NONE || c->end[k->event] <= c->ts[call] || c->end[k->event] > c->end[call])
        return true;
    bool blocks = k->blocks || (c->name[call] != TR_NO_STR && c->names[c->name[call]] & CP_NAME_BLOCKS);
    return !blocks || tr__cp_wait_for(c, k->event, call);
}

static bool enter_work(struct device *d, const struct cp_kernel *k)
{
    struct tr_critpath *c = d->c;
    int64_t until;
    bool ok = held_edges(d, k->event, k->stream, &until) &&
              (c->opts.gaps ? explain_start(d, k, until) : start_edges(d, k, until)) && own_edges(d, k) &&
              (!d->asked || order_edges(d, k)) && wait_for_copy(c, k);
    d->last[k->stream] = k->event;
    return ok;
}

static bool wait_for_device(struct device *d, uint32_t stream, uint32_t call)
{
    struct tr_critpath *c = d->c;
    uint32_t low = stream, high = stream + 1;
    bool ok = true;
    while (low > 0 && tr__cp_same_device(c, low - 1, stream))
        low--;
    while (high < c->n_streams && tr__cp_same_device(c, high, stream))
        high++;
    for (uint32_t s = low; ok && s < high; s++)
        ok = wait_for(d, d->last[s], call);
    return ok;
}

static bool wait_ends(struct device *d, const struct cp_wait *w)
{
    struct tr_critpath *c = d->c;
    uint32_t call = tr__cp_call_of(c, c->dict->tracks[w->track].source, w->launch_record);
    if (call == CP_NONE || w->kind == TR_WAIT_STREAM_FOR_EVENT)
        return true;
    if (w->kind == TR_WAIT_CONTEXT)
        return wait_for_device(d, w->stream, call);
    return wait_for(d,
                    w->kind == TR_WAIT_STREAM ? d->last[w->stream]
                                              : tr__cp_recorded(c, d->first, w),
                    call);
}

/*
 * Calls that wait, by their names, if the trace does not say for what: most likely for the work that ended last during
 * the call.
 */
static bool guess_waits(struct device *d)
{
    struct tr_critpath *c = d->c;
    bool ok = true;
    for (uint32_t e = 0; ok && e < c->n; e++) {
        uint32_t best = CP_NONE;
        if ((c->flags[e] & (CP_SYNCS | CP_DEAD)) != CP_SYNCS || !cp_is_final(c, cp_end(e)))
            continue;
        for (uint32_t s = 0; s < c->n_streams; s = d->next_device[s]) {
            uint32_t w = c->dict->tracks[c->stream_track[s]].source == cp_source(c, e)
                             ? ended_by(d, s, c->end[e], CP_NONE)
                             : CP_NONE;
            if (w != CP_NONE && c->end[w] > c->ts[e] &&
                (best == CP_NONE || c->end[w] > c->end[best]))
                best = w;
        }
        ok = wait_for(d, best, e);
        c->flags[e] |= CP_SYNCS; /* to find the same again, if the part ends before */
    }
    return ok;
}

bool tr__cp_device_edges(struct tr_critpath *c)
{
    struct device d = { .c = c };
    d.last = malloc((c->n_streams + 1) * sizeof *d.last);
    d.first = malloc((c->n_streams + 2) * sizeof *d.first);
    bool ok = d.last && d.first && tr__cp_order_launches(c, d.first) && make_turns(&d) &&
              (!(c->opts.gaps || c->n_peers) || make_ended(&d));
    if (ok)
        tr__cp_order_records(c);
    ok = ok && tr__cp_held_work(c, d.first, &d.held, &d.n_held) &&
         (!(c->opts.order || (c->opts.gaps && c->opts.n_rules)) || tr__cp_find_asked(c, &d.asked));
    ok = ok && (!c->opts.gaps || tr__cp_infer_new(c, d.first, &d.infer));
    for (uint32_t s = 0; ok && s < c->n_streams; s++)
        d.last[s] = CP_NONE;
    for (size_t i = 0; ok && i < d.n_turns; i++) {
        const struct turn *t = &d.turns[i];
        ok = t->event == CP_NONE ? wait_ends(&d, &c->waits[t->index])
                                 : enter_work(&d, &c->kernels[t->index]);
    }
    free(d.last);
    free(d.first);
    free(d.turns);
    free(d.asked);
    tr__cp_infer_free(d.infer);
    ok = ok && tr__cp_arrow_waits(c) && (!c->opts.gaps || guess_waits(&d));
    free(d.next_device);
    free(d.held);
    free(d.ended);
    free(d.device_of);
    return ok;
}

TR_ORDER(by_work, struct cp_arrow, TR_UP(rank), TR_UP(work), TR_DOWN(from_work), TR_UP(ts), TR_UP(track))

TR_ORDER(by_place, struct cp_arrow, TR_UP(ts), TR_DOWN(from_work), TR_UP(thread))

/* The first of the arrows that is not before a place. */
static size_t first_from(const struct tr_critpath *c, const struct cp_arrow *place)
{
    size_t low = 0;
    TR_BOUND(low, c->n_arrows, mid, by_place(&c->arrows[mid], place) < 0);
    return low;
}

/*
 * Find the work or call at each arrow.  Of calls inside each other that start together, the last one is the innermost.
 * Events of different ranks come in any order.
 */
static void find_ends(struct tr_critpath *c)
{
    for (size_t i = 0; i < c->n_arrows; i++)
        c->arrows[i].thread = c->thread_of[c->arrows[i].track];
    qsort(c->arrows, c->n_arrows, sizeof *c->arrows, by_place);
    for (uint32_t e = 0; e < c->n; e++) {
        struct cp_arrow place = { .ts = c->ts[e],
                                  .from_work = !(c->flags[e] & CP_HOST),
                                  .thread = c->thread_of[c->track[e]] };
        size_t found = cp_has_nodes(c, e) ? first_from(c, &place) : c->n_arrows;
        if (found < c->n_arrows && by_place(&c->arrows[found], &place) == 0)
            c->arrows[found].event = e;
    }
    for (size_t i = 1; i < c->n_arrows; i++)
        if (by_place(&c->arrows[i - 1], &c->arrows[i]) == 0)
            c->arrows[i].event = c->arrows[i - 1].event;
}

bool tr__cp_arrow_waits(struct tr_critpath *c)
{
    uint32_t work = CP_NONE;
    bool ok = true;
    if (!c->n_arrows)
        return true;
    find_ends(c);
    qsort(c->arrows, c->n_arrows, sizeof *c->arrows, by_work);
    for (size_t i = 0; ok && i < c->n_arrows; i++) {
        const struct cp_arrow *a = &c->arrows[i];
        if (i == 0 || a->rank != a[-1].rank || a->work != a[-1].work)
            work = CP_NONE;
        uint32_t e = a->event;
        if (a->from_work)
            work = work == CP_NONE ? e : work;
        else if (work != CP_NONE && e != CP_NONE && cp_source(c, e) == cp_source(c, work) &&
                 c->ts[work] < c->end[e] && c->end[work] <= c->end[e]) /* no wait ends before the work does */
            ok = tr__cp_wait_for(c, work, e);
    }
    return ok;
}
