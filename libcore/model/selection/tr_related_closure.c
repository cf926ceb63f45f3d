/* SPDX-License-Identifier: MIT */
/*
 * Flows and metadata of a closed selection.
 *
 * A flow event is bound to the innermost span that encloses its ts on its track; the start of the span is included.  An
 * end without the member bp is bound to the next span that starts on its track.  A span that starts at the ts of a flow
 * event comes after it in canonical order.  So flow events wait until the track moves on.
 *
 * Flow events are on the host side.  If one track with work of the device has the same process and thread, they are
 * meant for that.
 */
#include "model/selection/tr_related_events_int.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "model/tr_open_spans.h"

#include <stdlib.h>
#include <string.h>

/* --- members of flow events ------------------------------------------------------------------- */

static bool is_flow(const struct tr_batch *b, size_t i)
{
    return b->phase[i] >= TR_FLOW_START && b->phase[i] <= TR_FLOW_END;
}

static bool has_flows(const struct tr_batch *b)
{
    for (size_t i = 0; i < b->n; i++)
        if (is_flow(b, i))
            return true;
    return false;
}

bool tr__closure_batch(struct tr__closure *c, const struct tr_batch *b)
{
    return !has_flows(b) ||
           (tr_arg_read(&c->id, b, TR_PLACE_TOP, "id") && tr_arg_read(&c->bp, b, TR_PLACE_TOP, "bp"));
}

/* --- binding ---------------------------------------------------------------------------------- */

static struct tr__flow_track *track_at(struct tr__closure *c, uint32_t track)
{
    size_t want = (size_t)track + 1, old = c->n_tracks;
    if (want > old) {
        if (!tr_grow(&c->tracks, &c->cap_tracks, want, sizeof *c->tracks))
            return NULL;
        c->n_tracks = c->cap_tracks;
        memset(c->tracks + old, 0, (c->n_tracks - old) * sizeof *c->tracks);
        for (size_t i = old; i < c->n_tracks; i++)
            c->tracks[i].ts = c->tracks[i].last_start = TR_TIME_NONE;
    }
    return &c->tracks[track];
}

/*
 * Bind a flow event to a span, by its position, with TR__UNDECIDED if the span may be kept later.  Nothing is stored
 * for a span that is certainly not kept.
 */
static bool bind(struct tr__closure *c, const struct tr__bits *keep, struct tr__flow *f,
                 uint64_t span)
{
    f->span = span & ~TR__UNDECIDED;
    if (!(span & TR__UNDECIDED) && !tr__bits_get(keep, f->span))
        return true;
    if (!tr_grow(&c->flows, &c->cap_flows, c->n_flows + 1, sizeof *c->flows))
        return false;
    c->flows[c->n_flows++] = *f;
    return true;
}

static bool settle(struct tr__closure *c, struct tr__flow_track *t, const struct tr__bits *keep,
                   const struct tr_open_spans_track *open)
{
    uint64_t span = TR__NOWHERE;
    if (t->last_start == t->ts)
        span = t->last_span;
    else if (open->len)
        span = tr_open_spans_innermost(open)->tag;
    size_t left = 0;
    for (size_t k = 0; k < t->n; k++) {
        if (t->waiting[k].to_next)
            t->waiting[left++] = t->waiting[k];
        else if (span != TR__NOWHERE && !bind(c, keep, &t->waiting[k], span))
            return false;
    }
    t->n = left;
    return true;
}

bool tr__closure_move(struct tr__closure *c, uint32_t track, int64_t ts, const struct tr__bits *keep,
                      const struct tr_open_spans_track *open)
{
    struct tr__flow_track *t = track_at(c, track);
    if (!t || (ts != t->ts && t->n && !settle(c, t, keep, open)))
        return false;
    t->ts = ts;
    return true;
}

bool tr__closure_flow(struct tr__closure *c, const struct tr_batch *b, size_t i, uint64_t at)
{
    struct tr__flow_track *t = &c->tracks[tr__closure_flow_track(c, b->track[i])];
    const struct tr_arg_value id = tr_arg_at(&c->id, i);
    bool named = id.type && tr_type_has_entry(id.type - 1u); /* null is no id */
    if (!tr_grow(&t->waiting, &t->cap, t->n + 1, sizeof *t->waiting))
        return false;
    t->waiting[t->n++] = (struct tr__flow){
        .id = named ? id.v : 0,
        .source = b->dict->tracks[b->track[i]].source,
        .cat = b->cat[i],
        .name = b->name[i],
        .id_type = named ? id.type : 0,
        .phase = b->phase[i],
        .to_next = b->phase[i] == TR_FLOW_END && tr_arg_at(&c->bp, i).type != TR_T_STRING + 1,
        .at = at,
    };
    return true;
}

bool tr__closure_span(struct tr__closure *c, uint32_t track, uint64_t span,
                      const struct tr__bits *keep)
{
    struct tr__flow_track *t = &c->tracks[track];
    size_t left = 0;
    t->last_start = t->ts;
    t->last_span = span;
    for (size_t k = 0; k < t->n; k++) {
        if (!t->waiting[k].to_next)
            t->waiting[left++] = t->waiting[k];
        else if (!bind(c, keep, &t->waiting[k], span))
            return false;
    }
    t->n = left;
    return true;
}

/* --- the end ---------------------------------------------------------------------------------- */

TR_ORDER(same_flow, struct tr__flow, TR_UP(source), TR_UP(cat), TR_UP(name), TR_UP(id_type),
         TR_CMP((uint64_t)a->id, (uint64_t)b->id))

TR_ORDER(by_flow, struct tr__flow, same_flow(a, b), TR_UP(at))

/* A flow is kept if it has a start and another event on kept spans. */
static void keep_flows(struct tr__closure *c, struct tr__bits *keep)
{
    size_t n = 0;
    for (size_t k = 0; k < c->n_flows; k++)
        if (tr__bits_get(keep, c->flows[k].span))
            c->flows[n++] = c->flows[k];
    c->n_flows = n;
    if (n)
        qsort(c->flows, n, sizeof *c->flows, by_flow);
    for (size_t from = 0, to; from < n; from = to) {
        bool start = false, other = false;
        for (to = from; to < n && same_flow(&c->flows[from], &c->flows[to]) == 0; to++) {
            start |= c->flows[to].phase == TR_FLOW_START;
            other |= c->flows[to].phase != TR_FLOW_START;
        }
        for (size_t k = from; start && other && k < to; k++)
            tr__bits_set(keep, c->flows[k].at);
    }
}

/* A track, with the keys of metadata: the process and the thread of a source. */
struct place {
    uint32_t source, track;
    uint8_t pid_type, tid_type;
    int64_t pid, tid;
};

TR_ORDER(same_process, struct place, TR_UP(source), TR_UP(pid_type), TR_CMP((uint64_t)a->pid, (uint64_t)b->pid))

TR_ORDER(same_thread, struct place, same_process(a, b), TR_UP(tid_type), TR_CMP((uint64_t)a->tid, (uint64_t)b->tid))

TR_ORDER(by_place, struct place, same_thread(a, b), TR_UP(track))

/* The tracks, ordered by process and thread.  NULL: out of memory. */
static struct place *places_of(const struct tr_dict *d)
{
    struct place *p = malloc((d->n_tracks + 1) * sizeof *p);
    for (size_t i = 0; p && i < d->n_tracks; i++) {
        const struct tr_track *t = &d->tracks[i];
        /* A number that the input leaves out equals the number that it stands for. */
        p[i] = (struct place){ t->source,
                               (uint32_t)i,
                               t->pid_type == TR_T_NULL ? TR_T_INT : t->pid_type,
                               t->tid_type == TR_T_NULL ? TR_T_INT : t->tid_type,
                               t->pid,
                               t->tid };
    }
    if (p)
        qsort(p, d->n_tracks, sizeof *p, by_place);
    return p;
}

bool tr__closure_note_work(struct tr__closure *c, const struct tr_batch *b)
{
    size_t old = c->n_works;
    if (!tr_grow(&c->works, &c->n_works, b->dict->n_tracks + 1, sizeof *c->works))
        return false;
    memset(c->works + old, 0, (c->n_works - old) * sizeof *c->works);
    for (size_t i = 0; i < b->n; i++)
        c->works[b->track[i]] |= tr_is_device_work(b->activity[i]);
    return true;
}

bool tr__closure_start(struct tr__closure *c, const struct tr_dict *d)
{
    struct place *p = places_of(d);
    c->flow_tracks = malloc((d->n_tracks + 1) * sizeof *c->flow_tracks);
    if (!p || !c->flow_tracks) {
        free(p);
        return false;
    }
    c->n_flow_tracks = d->n_tracks;
    for (size_t from = 0, to; from < d->n_tracks; from = to) {
        uint32_t device = 0, n = 0;
        for (to = from; to < d->n_tracks && same_thread(&p[from], &p[to]) == 0; to++)
            if (p[to].track < c->n_works && c->works[p[to].track]) {
                device = p[to].track;
                n++;
            }
        for (size_t k = from; k < to; k++)
            c->flow_tracks[p[k].track] = n == 1 ? device : p[k].track;
    }
    free(p);
    return true;
}

uint32_t tr__closure_flow_track(const struct tr__closure *c, uint32_t track)
{
    return track < c->n_flow_tracks ? c->flow_tracks[track] : track;
}

/* If one track of a group of equal keys is kept, metadata of all of them are kept. */
static void spread(const struct tr__closure *c, const struct place *p, size_t n,
                   int (*same)(const void *, const void *), uint8_t flag)
{
    for (size_t from = 0, to; from < n; from = to) {
        bool kept = false;
        for (to = from; to < n && same(&p[from], &p[to]) == 0; to++)
            kept |= p[to].track < c->cap_kept && c->track_kept[p[to].track];
        for (size_t k = from; kept && k < to; k++)
            c->track_wants[p[k].track] |= flag;
    }
}

static bool find_wants(struct tr__closure *c, const struct tr_dict *d)
{
    struct place *p = places_of(d);
    c->track_wants = calloc(d->n_tracks + 1, 1);
    if (!p || !c->track_wants) {
        free(p);
        return false;
    }
    c->n_wants = d->n_tracks;
    spread(c, p, d->n_tracks, same_process, TR__WANTS_PROCESS);
    spread(c, p, d->n_tracks, same_thread, TR__WANTS_THREAD);
    free(p);
    return true;
}

bool tr__closure_keep_track(struct tr__closure *c, uint32_t track)
{
    size_t old = c->cap_kept;
    if (!tr_grow(&c->track_kept, &c->cap_kept, (size_t)track + 1, 1))
        return false;
    memset(c->track_kept + old, 0, c->cap_kept - old);
    c->track_kept[track] = 1;
    return true;
}

bool tr__closure_end(struct tr__closure *c, const struct tr_dict *dict, struct tr_open_spans *nest,
                     struct tr__bits *keep)
{
    for (size_t k = 0; k < c->n_tracks; k++)
        if (c->tracks[k].n && !settle(c, &c->tracks[k], keep, tr_open_spans_peek(nest, (uint32_t)k)))
            return false;
    keep_flows(c, keep);
    return find_wants(c, dict);
}

bool tr__closure_wants_meta(const struct tr__closure *c, const struct tr_batch *b, size_t i)
{
    uint32_t track = b->track[i];
    bool of_thread = strncmp(tr_dict_str(b->dict, b->name[i]), "thread_", 7) == 0;
    return b->phase[i] == TR_META && track < c->n_wants &&
           (c->track_wants[track] & (of_thread ? TR__WANTS_THREAD : TR__WANTS_PROCESS));
}

void tr__closure_free(struct tr__closure *c)
{
    for (size_t k = 0; k < c->n_tracks; k++)
        free(c->tracks[k].waiting);
    free(c->tracks);
    free(c->flows);
    free(c->works);
    free(c->flow_tracks);
    tr_arg_free(&c->id);
    tr_arg_free(&c->bp);
    free(c->track_kept);
    free(c->track_wants);
}
