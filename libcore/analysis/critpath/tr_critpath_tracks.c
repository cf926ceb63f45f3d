/* SPDX-License-Identifier: MIT */
/* Critical paths: which tracks are one thread or stream, which call launched what, and whose path is it? */
#include "analysis/critpath/tr_critpath_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

/* ---- threads and streams ---- */

/* The key by which tracks are one thread, or one stream. */
struct key {
    uint32_t source;
    uint8_t type[2];
    int64_t number[2];
    uint32_t track;
};

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    for (int i = 0; i < 2; i++) {
        if (x->type[i] != y->type[i])
            return x->type[i] < y->type[i] ? -1 : 1;
        if (x->number[i] != y->number[i])
            return x->number[i] < y->number[i] ? -1 : 1;
    }
    return (x->track > y->track) - (x->track < y->track);
}

static bool same(const struct key *a, const struct key *b)
{
    struct key as_b = *a;
    as_b.track = b->track;
    return by_key(&as_b, b) == 0;
}

static struct key thread_key(const struct tr_track *t)
{
    return (struct key){ t->source, { t->pid_type, t->tid_type }, { t->pid, t->tid }, 0 };
}

/* Streams belong to a device.  Without a stream number, a line of a viewer is a stream. */
static struct key stream_key(const struct tr_track *t)
{
    bool known = t->stream != TR_I64_NONE;
    return (
        struct key){ t->source,
                     { (uint8_t)(t->device == TR_I64_NONE ? t->pid_type : 0xff),
                       (uint8_t)(known ? 0xff : t->tid_type) },
                     { t->device == TR_I64_NONE ? t->pid : t->device, known ? t->stream : t->tid },
                     0 };
}

static bool number(const struct tr_dict *d, struct key (*key_of)(const struct tr_track *),
                   uint32_t **of_track, uint32_t *n)
{
    struct key *keys = malloc((d->n_tracks + 1) * sizeof *keys);
    *of_track = malloc((d->n_tracks + 1) * sizeof **of_track);
    *n = 0;
    if (keys && *of_track) {
        for (size_t i = 0; i < d->n_tracks; i++) {
            keys[i] = key_of(&d->tracks[i]);
            keys[i].track = (uint32_t)i;
        }
        qsort(keys, d->n_tracks, sizeof *keys, by_key);
        for (size_t i = 0; i < d->n_tracks; i++) {
            *n += i == 0 || !same(&keys[i - 1], &keys[i]);
            (*of_track)[keys[i].track] = *n - 1;
        }
    }
    free(keys);
    return keys && *of_track;
}

uint32_t tr__cp_find_stream(const struct tr_critpath *c, uint32_t source, int64_t device,
                            int64_t stream)
{
    struct tr_track t = { .source = source, .device = device, .stream = stream };
    const struct key key = stream_key(&t);
    uint32_t low = 0, high = c->n_streams;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        struct key at = stream_key(&c->dict->tracks[c->stream_track[mid]]);
        int order = by_key(&at, &key);
        if (order == 0)
            return mid;
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return CP_NONE;
}

bool tr__cp_same_device(const struct tr_critpath *c, uint32_t stream_a, uint32_t stream_b)
{
    struct key a = stream_key(&c->dict->tracks[c->stream_track[stream_a]]);
    struct key b = stream_key(&c->dict->tracks[c->stream_track[stream_b]]);
    return a.source == b.source && a.type[0] == b.type[0] && a.number[0] == b.number[0];
}

#define SEVERAL (CP_NONE - 1)

/* The only thread with such a name in each source; CP_NONE: none, SEVERAL: more than one. */
static uint32_t *only_threads(const struct tr_critpath *c, uint8_t bit)
{
    uint32_t *found = malloc((c->dict->n_sources + 1) * sizeof *found);
    for (size_t s = 0; found && s < c->dict->n_sources; s++)
        found[s] = CP_NONE;
    for (size_t t = 0; found && t < c->dict->n_tracks; t++) {
        uint32_t *thread = &found[c->dict->tracks[t].source];
        if (c->thread_names[t] & bit)
            *thread = *thread == CP_NONE || *thread == c->thread_of[t] ? c->thread_of[t] : SEVERAL;
    }
    return found;
}

static uint32_t track_of(const struct tr_critpath *c, uint32_t thread)
{
    uint32_t t = 0;
    while (c->thread_of[t] != thread)
        t++;
    return t;
}

/* Two threads are one, or they are not: if a part is solved, this must not change. */
static void see_joined(struct tr_critpath *c, uint32_t source, uint32_t back, uint32_t forward)
{
    struct cp_part *q = &c->parts[source];
    bool joined = back < SEVERAL && forward < SEVERAL && back != forward;
    if (!q->host)
        return;
    if (source < c->n_solved && c->solved[source].any)
        c->crossed |= joined != (q->back != CP_NONE) ||
                      (joined && (c->thread_of[q->back] != back || c->thread_of[q->forward] != forward));
    q->back = joined ? track_of(c, back) : CP_NONE;
    q->forward = joined ? track_of(c, forward) : CP_NONE;
}

/*
 * A backward pass runs in a thread of its own while the thread that started it waits: if a source has one such thread,
 * and one for the forward pass, they are one line of work.
 */
static bool join_backward(struct tr_critpath *c)
{
    uint32_t *back = only_threads(c, CP_NAME_AUTOGRAD);
    uint32_t *forward = only_threads(c, CP_NAME_FORWARD);
    bool ok = back && forward;
    for (uint32_t s = 0; ok && s < c->n_parts; s++)
        see_joined(c, s, back[s], forward[s]);
    for (size_t t = 0; ok && t < c->dict->n_tracks; t++) {
        uint32_t s = c->dict->tracks[t].source;
        if (forward[s] < SEVERAL && c->thread_of[t] == back[s])
            c->thread_of[t] = forward[s];
    }
    free(back);
    free(forward);
    return ok;
}

bool tr__cp_number_tracks(struct tr_critpath *c)
{
    if (!number(c->dict, thread_key, &c->thread_of, &c->n_threads) ||
        !number(c->dict, stream_key, &c->stream_of, &c->n_streams))
        return false;
    for (size_t i = 0; i < c->n_kernels; i++) {
        struct cp_kernel *k = &c->kernels[i];
        k->stream = c->stream_of[k->track];
        k->thread = k->launch_track == CP_NONE ? CP_NONE : c->thread_of[k->launch_track];
    }
    for (size_t i = 0; i < c->n_waits; i++) {
        c->waits[i].stream = c->stream_of[c->waits[i].track];
        c->waits[i].thread = c->thread_of[c->waits[i].launch_track];
    }
    for (size_t i = 0; i < c->n_records; i++)
        if (c->records[i].track != CP_NONE)
            c->records[i].stream = c->stream_of[c->records[i].track];
    c->stream_track = malloc((c->n_streams + 1) * sizeof *c->stream_track);
    if (!c->stream_track)
        return false;
    for (size_t t = c->dict->n_tracks; t-- > 0;)
        c->stream_track[c->stream_of[t]] = (uint32_t)t;
    return join_backward(c);
}

/* ---- launches ---- */

TR_ORDER(by_record, struct cp_call, TR_UP(source), TR_UP(record))

uint32_t tr__cp_call_of(const struct tr_critpath *c, uint32_t source, uint64_t record)
{
    struct cp_call key = { record, source, 0 };
    const struct cp_call *found =
        c->n_calls ? bsearch(&key, c->calls, c->n_calls, sizeof key, by_record) : NULL;
    return found ? found->event : CP_NONE;
}

static void host_has_nodes(const struct tr_critpath *c, bool *of_source)
{
    for (uint32_t s = 0; s < c->n_parts; s++)
        of_source[s] = c->parts[s].host;
    for (size_t e = 0; e < c->n; e++)
        if (c->flags[e] & CP_HOST && cp_has_nodes(c, (uint32_t)e))
            of_source[cp_source(c, (uint32_t)e)] = true;
}

/* Records of calls that are looked up, by their last bits. */
struct wanted {
    uint8_t *bits;
    uint64_t mask;
};

static bool want_calls(const struct tr_critpath *c, struct wanted *w)
{
    w->mask = 63;
    while (w->mask / 8 < c->n_kernels + c->n_waits)
        w->mask = 2 * w->mask + 1;
    w->bits = calloc(w->mask / 8 + 1, 1);
    for (size_t i = 0; w->bits && i < c->n_kernels + c->n_waits; i++) {
        uint64_t record = i < c->n_kernels ? c->kernels[i].launch_record : c->waits[i - c->n_kernels].launch_record;
        w->bits[(record & w->mask) / 8] |= (uint8_t)(1u << (record & 7));
    }
    return w->bits;
}

static bool list_calls(struct tr_critpath *c)
{
    struct wanted w;
    bool ok = want_calls(c, &w);
    for (uint32_t e = 0; ok && e < c->n; e++) {
        uint64_t record = c->record[e];
        if (!(w.bits[(record & w.mask) / 8] >> (record & 7) & 1) || !(c->flags[e] & CP_HOST) || !cp_has_nodes(c, e))
            continue;
        ok = cp_grow(c, &c->calls, &c->cap_calls, c->n_calls + 1, sizeof *c->calls);
        if (ok)
            c->calls[c->n_calls++] = (struct cp_call){ record, cp_source(c, e), e };
    }
    if (c->n_calls)
        qsort(c->calls, c->n_calls, sizeof *c->calls, by_record);
    free(w.bits);
    return ok;
}

bool tr__cp_find_launches(struct tr_critpath *c)
{
    bool *host = calloc(c->dict->n_sources + 1, sizeof *host);
    if (!host || !list_calls(c)) {
        free(host);
        return false;
    }
    host_has_nodes(c, host);
    for (size_t i = 0; i < c->n_kernels; i++) {
        struct cp_kernel *k = &c->kernels[i];
        uint32_t source = c->dict->tracks[k->track].source;
        if (k->launch_ts != TR_TIME_NONE)
            k->launch = tr__cp_call_of(c, source, k->launch_record);
        /* Device work without a known launch is kept if the trace shows no host at all; with gaps always, as other work
         * waits for it. */
        bool early = !c->ending && k->launch_ts != TR_TIME_NONE && !cp_is_final_at(c, source, k->launch_ts);
        if (k->event != CP_NONE && !early && !cp_is_solved(c, cp_start(k->event)) && k->launch == CP_NONE &&
            ((host[source] && !c->opts.gaps) || k->launch_ts != TR_TIME_NONE)) {
            c->flags[k->event] |= CP_DEAD;
            k->event = CP_NONE;
        }
    }
    free(host);
    return true;
}

/* ---- groups ---- */

struct owner {
    int64_t rank;
    uint32_t source;
};

/* By rank; sources of unknown rank are separate groups, last. */
TR_ORDER(by_rank, struct owner, TR_CMP(a->rank < 0, b->rank < 0), TR_UP(rank), TR_UP(source))

static size_t owners(const struct tr_critpath *c, struct owner *list)
{
    size_t n = 0;
    for (uint32_t s = 0; s < c->dict->n_sources; s++)
        c->group_of[s] = CP_NONE;
    for (size_t e = 0; e < c->n; e++)
        if (cp_has_nodes(c, (uint32_t)e))
            c->group_of[cp_source(c, (uint32_t)e)] = 0;
    for (uint32_t s = 0; s < c->dict->n_sources; s++)
        if (c->group_of[s] == 0)
            list[n++] = (struct owner){ c->dict->sources[s].rank, s };
    qsort(list, n, sizeof *list, by_rank);
    return n;
}

/* Which of two events is the first, in whatever order the ranks are read? */
bool tr__cp_sooner(const struct tr_critpath *c, uint32_t a, uint32_t b)
{
    if (c->ts[a] != c->ts[b])
        return c->ts[a] < c->ts[b];
    return cp_source(c, a) != cp_source(c, b) ? cp_source(c, a) < cp_source(c, b) : a < b;
}

bool tr__cp_find_groups(struct tr_critpath *c)
{
    size_t room = c->dict->n_sources + 1;
    struct owner *list = malloc(room * sizeof *list);
    c->group_of = malloc(room * sizeof *c->group_of);
    c->group_rank = malloc(room * sizeof *c->group_rank);
    c->group_first = malloc(room * sizeof *c->group_first);
    c->group_end = malloc(room * sizeof *c->group_end);
    bool ok = list && c->group_of && c->group_rank && c->group_first && c->group_end;
    size_t n = ok ? owners(c, list) : 0;
    for (size_t i = 0; i < n; i++) {
        bool first = i == 0 || list[i].rank < 0 || list[i].rank != list[i - 1].rank;
        if (i == 0 || (first && !c->opts.join)) {
            c->group_rank[c->n_groups] = c->opts.join && n > 1 ? -1 : list[i].rank;
            c->group_first[c->n_groups] = CP_NONE;
            c->group_end[c->n_groups++] = CP_NONE;
        }
        c->group_of[list[i].source] = (uint32_t)c->n_groups - 1;
    }
    for (uint32_t e = 0; ok && e < c->n; e++) {
        uint32_t *first = cp_has_nodes(c, e) ? &c->group_first[c->group_of[cp_source(c, e)]] : NULL;
        if (first && (*first == CP_NONE || tr__cp_sooner(c, e, *first)))
            *first = e;
    }
    free(list);
    return ok;
}
