/* SPDX-License-Identifier: MIT */
/* The step that a moment belongs to, by thread, process and source. */
#include "model/tr_steps.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <stdlib.h>

/* The time of one thread, split where the current step changes. */
struct piece {
    int64_t start; /* up to the next piece's; of pieces that start together the last counts */
    int64_t number;
    size_t place; /* of the step in the summary */
    bool in_step;
    uint8_t phase; /* of the step */
};

/* The steps of a thread, or of a device. */
struct lane {
    uint32_t track;
    struct piece *pieces;
    size_t n, cap;
    size_t *at;    /* by bucket of time: its first piece; one more for the end */
    size_t n_at;   /* buckets, at most as many as pieces */
    unsigned shift; /* from a time since the first piece to its bucket */
};

struct source_lanes {
    struct lane *lanes;
    size_t n, cap;
};

struct tr_steps {
    struct source_lanes *sources;
    size_t n;
};

static bool add_piece(struct lane *p, const struct tr_step *all, int64_t start, const struct tr_step *step)
{
    if (!tr_grow(&p->pieces, &p->cap, p->n + 1, sizeof *p->pieces))
        return false;
    p->pieces[p->n++] = (struct piece){
        .start = start, .number = step ? step->number : 0, .in_step = step != NULL,
        .place = step ? (size_t)(step - all) : SIZE_MAX, .phase = step ? step->about.phase : TR_STEP_NO_PHASE
    };
    return true;
}

/* Leave steps that end by a moment; the step that started before them counts again. */
static bool leave(struct lane *p, const struct tr_step *all, const struct tr_step **open, size_t *n_open, int64_t until)
{
    bool ok = true;
    while (ok && *n_open && open[*n_open - 1]->end <= until) {
        int64_t end = open[*n_open - 1]->end;
        while (*n_open && open[*n_open - 1]->end <= end)
            --*n_open;
        ok = add_piece(p, all, end, *n_open ? open[*n_open - 1] : NULL);
    }
    return ok;
}

/* Cut the time of a lane by its steps; those that are open take the room of those before them. */
static bool cut(struct lane *p, const struct tr_step *all, const struct tr_step **steps, size_t n)
{
    size_t n_open = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        const struct tr_step *step = steps[i];
        ok = leave(p, all, steps, &n_open, step->start);
        if (!ok || step->end <= step->start)
            continue;
        ok = add_piece(p, all, step->start, step);
        steps[n_open++] = step;
    }
    return ok && leave(p, all, steps, &n_open, INT64_MAX);
}

/* Buckets of equal length: most have one piece, so that of a moment is found in about one step. */
static bool add_buckets(struct lane *p)
{
    if (!p->n)
        return true;
    const uint64_t from = (uint64_t)p->pieces[0].start, span = (uint64_t)p->pieces[p->n - 1].start - from;
    while (span >> p->shift >= p->n)
        p->shift++;
    p->n_at = (size_t)(span >> p->shift) + 1;
    if (!(p->at = calloc(p->n_at + 1, sizeof *p->at)))
        return false;
    for (size_t i = 0, k = 0; i < p->n; i++)
        while (k <= ((uint64_t)p->pieces[i].start - from) >> p->shift)
            p->at[k++] = i;
    p->at[p->n_at] = p->n;
    return true;
}

/* By track and start, as a sound summary has them, then in the order of the summary. */
static int by_track(const void *x, const void *y)
{
    const struct tr_step *a = *(const struct tr_step *const *)x, *b = *(const struct tr_step *const *)y;
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a > b) - (a < b);
}

/* A lane for each track that has steps, in the order of tracks. */
static bool add_lanes(struct source_lanes *l, const struct tr_source_summary *s)
{
    const struct tr_step **steps = calloc(s->n_steps + 1, sizeof *steps);
    bool ok = steps != NULL;
    for (size_t i = 0; ok && i < s->n_steps; i++)
        steps[i] = &s->steps[i];
    if (ok && s->n_steps)
        qsort(steps, s->n_steps, sizeof *steps, by_track);
    for (size_t i = 0, end; ok && i < s->n_steps; i = end) {
        uint32_t track = steps[i]->track;
        for (end = i + 1; end < s->n_steps && steps[end]->track == track; end++)
            ;
        ok = tr_grow(&l->lanes, &l->cap, l->n + 1, sizeof *l->lanes);
        if (ok)
            l->lanes[l->n++] = (struct lane){ .track = track };
        ok = ok && cut(&l->lanes[l->n - 1], s->steps, steps + i, end - i) && add_buckets(&l->lanes[l->n - 1]);
    }
    free(steps);
    return ok;
}

struct tr_steps *tr_steps_new(const struct tr_summary *summary)
{
    struct tr_steps *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->sources = calloc(summary->n ? summary->n : 1, sizeof *s->sources);
    bool ok = s->sources != NULL;
    for (size_t i = 0; ok && i < summary->n; i++, s->n++)
        ok = add_lanes(&s->sources[i], &summary->sources[i]);
    if (ok)
        return s;
    s->n = s->sources ? summary->n : 0;
    tr_steps_free(s);
    return NULL;
}

void tr_steps_free(struct tr_steps *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->sources[i].n; k++) {
            free(s->sources[i].lanes[k].pieces);
            free(s->sources[i].lanes[k].at);
        }
        free(s->sources[i].lanes);
    }
    free(s->sources);
    free(s);
}

/* ---- moments ---- */

static bool of_device(const struct tr_dict *d, uint32_t track)
{
    return track < d->n_tracks && d->tracks[track].side == TR_SIDE_DEVICE;
}

struct tr_step_moment tr_steps_moment(const struct tr_steps *s, const struct tr_batch *b, size_t i, int64_t launch_ts,
                                      int64_t launch_track)
{
    const struct tr_dict *d = b->dict;
    uint32_t source = d->tracks[b->track[i]].source;
    struct tr_step_moment at = { tr_event_host_time(b, i, launch_ts), source, b->track[i] };
    if (launch_ts != TR_TIME_NONE)
        at.track = launch_track >= 0 && (uint64_t)launch_track < d->n_tracks ? (uint32_t)launch_track
                                                                             : TR_STEPS_ANY_TRACK;
    const struct source_lanes *l = s && source < s->n ? &s->sources[source] : NULL;
    if (at.ts == TR_TIME_NONE && l && l->n && tr_is_device_work(b->activity[i]) && of_device(d, l->lanes[0].track))
        at.ts = b->ts[i];
    return at;
}

bool tr_step_columns_read(struct tr_step_columns *c, const struct tr_batch *b)
{
    if (!tr_grow(&c->launch_ts, &c->cap_ts, b->n, sizeof *c->launch_ts) ||
        !tr_grow(&c->launch_track, &c->cap_track, b->n, sizeof *c->launch_track))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, c->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, c->launch_track);
    return true;
}

void tr_step_columns_free(struct tr_step_columns *c)
{
    free(c->launch_ts);
    free(c->launch_track);
    *c = (struct tr_step_columns){ NULL, NULL, 0, 0 };
}

/* The piece of a lane in which a moment is; NULL: it is in no step. */
static const struct piece *find_piece(const struct lane *p, int64_t ts)
{
    if (!p->n || ts < p->pieces[0].start)
        return NULL;
    uint64_t k = ((uint64_t)ts - (uint64_t)p->pieces[0].start) >> p->shift;
    size_t low = k < p->n_at ? p->at[k] : p->n; /* pieces below low start by ts, those from high on after */
    size_t high = k < p->n_at ? p->at[k + 1] : p->n;
    TR_BOUND(low, high, mid, p->pieces[mid].start <= ts);
    return p->pieces[low - 1].in_step ? &p->pieces[low - 1] : NULL;
}

static bool same_process(const struct tr_dict *d, uint32_t a, uint32_t b)
{
    return a < d->n_tracks && b < d->n_tracks && d->tracks[a].pid == d->tracks[b].pid &&
           d->tracks[a].pid_type == d->tracks[b].pid_type;
}

/* The lane of a track; NULL: it has no steps. */
static const struct lane *find_lane(const struct source_lanes *l, uint32_t track)
{
    size_t low = 0;
    TR_BOUND(low, l->n, mid, l->lanes[mid].track < track);
    return low < l->n && l->lanes[low].track == track ? &l->lanes[low] : NULL;
}

/*
 * Do all lanes of the source count for a track whose process has none?  They do for a track of a device, and if the
 * steps are those of one process, or of a device.
 */
static bool uses_all(const struct source_lanes *l, const struct tr_dict *d, uint32_t track)
{
    bool one = true;
    if (track == TR_STEPS_ANY_TRACK)
        return true;
    for (size_t k = 1; k < l->n && one; k++)
        one = same_process(d, l->lanes[0].track, l->lanes[k].track);
    return one || of_device(d, track) || of_device(d, l->lanes[0].track);
}

/* The piece of the step that started last: places are in the order of starts. */
static const struct piece *later(const struct piece *last, const struct lane *p, int64_t ts)
{
    const struct piece *piece = find_piece(p, ts);
    return piece && (!last || piece->place > last->place) ? piece : last;
}

/* The piece of a moment; of several, that of the step that started last.  NULL: it is in no step. */
static const struct piece *find(const struct tr_steps *s, const struct tr_dict *d, struct tr_step_moment at)
{
    if (at.source >= s->n || at.ts == TR_TIME_NONE)
        return NULL;
    const struct source_lanes *l = &s->sources[at.source];
    if (l->n == 1) /* it counts for all tracks */
        return find_piece(&l->lanes[0], at.ts);
    const struct lane *own = find_lane(l, at.track);
    const struct piece *last = NULL;
    if (own)
        return find_piece(own, at.ts);
    bool process = false; /* it has lanes */
    for (size_t k = 0; k < l->n && at.track != TR_STEPS_ANY_TRACK; k++)
        if (same_process(d, at.track, l->lanes[k].track)) {
            process = true;
            last = later(last, &l->lanes[k], at.ts);
        }
    bool all = !process && l->n && uses_all(l, d, at.track);
    for (size_t k = 0; all && k < l->n; k++)
        last = later(last, &l->lanes[k], at.ts);
    return last;
}

bool tr_steps_find(const struct tr_steps *s, const struct tr_dict *dict, struct tr_step_moment at, int64_t *number)
{
    const struct piece *p = find(s, dict, at);
    if (p)
        *number = p->number;
    return p != NULL;
}

size_t tr_steps_place(const struct tr_steps *s, const struct tr_dict *dict, struct tr_step_moment at)
{
    const struct piece *p = find(s, dict, at);
    return p ? p->place : SIZE_MAX;
}

unsigned tr_steps_phase(const struct tr_steps *s, const struct tr_dict *dict, struct tr_step_moment at)
{
    const struct piece *p = find(s, dict, at);
    return p ? p->phase : TR_STEP_NO_PHASE;
}
