/* SPDX-License-Identifier: MIT */
/* When did each step end, with its work? */
#include "analysis/time/tr_step_ends.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "engine/tr_analysis.h"
#include "model/tr_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NO_CELL SIZE_MAX
#define NO_LANE SIZE_MAX

/* A stream of a source; a track, if its stream is unknown. */
struct lane {
    uint32_t source, track; /* of the first track with this stream */
    int64_t device, stream; /* TR_I64_NONE: unknown */
    size_t next;                             /* another lane of its source; NO_LANE: the last one */
    size_t last_step, last_cell;             /* the cell that was used last */
    int64_t loose_first, loose_last, loose_end; /* work without a step: first and last start, last end */
    bool loose;
};

/* The work of a step on a lane. */
struct cell {
    size_t step, next; /* next: of the step, NO_CELL: the last one */
    uint32_t lane;
    int64_t first, end;
    uint64_t compute, kernels, all; /* lengths of work, added up */
};

struct step {
    const struct tr_step *at;
    uint32_t source;
    size_t cells; /* its first one */
    bool first;   /* of its thread */
};

struct tr_step_ends {
    const struct tr_dict *dict;
    const struct tr_summary *summary;
    struct tr_summary *own; /* a copy of it; NULL: it is the caller's */
    struct tr_steps *of;
    size_t *first; /* by source: the number of its first step; one more entry at the end */
    struct step *steps;
    struct lane *lanes;
    struct tr_hash_index index; /* of lanes */
    size_t n_lanes, cap_lanes;
    size_t *lanes_of; /* by source: one of its lanes, from which the others follow; NO_LANE: it has none */
    size_t n_lanes_of, cap_lanes_of;
    uint32_t *lane_of; /* by track; UINT32_MAX: not known yet */
    size_t n_lane_of, cap_lane_of;
    struct cell *cells;
    size_t n_cells, cap_cells;
    struct tr_step_columns launched; /* of this batch */
    struct tr_step_span *rows;
    size_t n_rows;
    bool missing; /* launches of left-over work */
};

/* Which steps are the first ones of their threads? */
static void mark_first(struct step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        steps[i].first = true;
        for (size_t k = i; k > 0 && steps[i].first; k--)
            steps[i].first = steps[k - 1].at->track != steps[i].at->track;
    }
}

static bool make_steps(struct tr_step_ends *e)
{
    const struct tr_summary *s = e->summary;
    size_t n = 0;
    e->first = calloc(s->n + 1, sizeof *e->first);
    for (size_t i = 0; e->first && i < s->n; i++)
        e->first[i + 1] = e->first[i] + s->sources[i].n_steps;
    e->steps = e->first ? calloc(e->first[s->n] + 1, sizeof *e->steps) : NULL;
    for (uint32_t i = 0; e->steps && i < s->n; i++) {
        for (size_t k = 0; k < s->sources[i].n_steps; k++)
            e->steps[n++] = (struct step){ .at = &s->sources[i].steps[k], .source = i, .cells = NO_CELL };
        mark_first(e->steps + e->first[i], s->sources[i].n_steps);
    }
    return e->steps != NULL;
}

struct tr_step_ends *tr_step_ends_new(const struct tr_dict *dict, const struct tr_summary *summary)
{
    struct tr_summary *own = summary ? tr_summary_copy(summary) : tr_summary_new(0);
    struct tr_step_ends *e = own ? tr_step_ends_new_in(dict, own) : NULL;
    if (e)
        e->own = own;
    else
        tr_summary_free(own);
    return e;
}

struct tr_step_ends *tr_step_ends_new_in(const struct tr_dict *dict, const struct tr_summary *summary)
{
    struct tr_step_ends *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->dict = dict;
    e->summary = summary;
    e->of = tr_steps_new(summary);
    if (e->of && make_steps(e))
        return e;
    tr_step_ends_free(e);
    return NULL;
}

void tr_step_ends_free(struct tr_step_ends *e)
{
    if (!e)
        return;
    tr_summary_free(e->own);
    tr_steps_free(e->of);
    free(e->first);
    free(e->steps);
    free(e->lanes);
    free(e->lanes_of);
    tr_hash_index_free(&e->index);
    free(e->lane_of);
    free(e->cells);
    free(e->rows);
    tr_step_columns_free(&e->launched);
    free(e);
}

const struct tr_summary *tr_step_ends_summary(const struct tr_step_ends *e)
{
    return e->summary;
}

/* ---- shared ---- */

struct shared {
    struct tr_step_ends *ends;
    struct tr_select *select;
};

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err)
{
    struct shared *s = *state = calloc(1, sizeof *s);
    (void)options;
    if (!s || !(s->ends = tr_step_ends_new(in->dict, in->summary)))
        return tr_fail_memory(err);
    s->select = in->select;
    return TR_OK;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    const struct shared *s = state;
    (void)keep; /* steps are selected, not work */
    return tr_step_ends_feed(s->ends, b, tr_select_where_alone(s->select)) ? TR_OK : tr_fail_memory(err);
}

static void release(void *state)
{
    struct shared *s = state;
    tr_step_ends_free(s->ends);
    free(s);
}

static const struct tr_service service = {
    .name = "ends of steps",
    .start = start,
    .feed = feed,
    .free = release,
};

enum tr_status tr_step_ends_shared(const struct tr_analysis_in *in, struct tr_step_ends **ends, struct tr_error *err)
{
    void *state = NULL;
    enum tr_status st = tr_service_get(in, &service, NULL, &state, err);
    *ends = st == TR_OK ? ((const struct shared *)state)->ends : NULL;
    return st;
}

/* ---- events ---- */

static size_t first_lane(const struct tr_step_ends *e, uint32_t source)
{
    return source < e->n_lanes_of ? e->lanes_of[source] : NO_LANE;
}

static bool find_lane(struct tr_step_ends *e, uint32_t track)
{
    const struct tr_track *t = &e->dict->tracks[track];
    const int64_t key[] = { t->source, t->device, t->stream, t->stream == TR_I64_NONE ? (int64_t)track : 0 };
    uint64_t hash = tr_hash(key, sizeof key);
    struct tr_hash_walk walk = tr_hash_index_walk(&e->index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;) {
        const struct lane *l = &e->lanes[i];
        if (l->source == t->source && l->device == t->device && l->stream == t->stream &&
            (t->stream != TR_I64_NONE || l->track == track))
            return e->lane_of[track] = i, true;
    }
    if (!tr_grow(&e->lanes, &e->cap_lanes, e->n_lanes + 1, sizeof *e->lanes) ||
        !tr_hash_index_add(&e->index, hash, (uint32_t)e->n_lanes))
        return false;
    e->lane_of[track] = (uint32_t)e->n_lanes;
    e->lanes[e->n_lanes] = (struct lane){ .source = t->source, .track = track, .device = t->device,
                                          .stream = t->stream, .next = e->lanes_of[t->source],
                                          .last_step = NO_CELL };
    e->lanes_of[t->source] = e->n_lanes++;
    return true;
}

static bool know_tracks(struct tr_step_ends *e)
{
    if (!tr_grow(&e->lane_of, &e->cap_lane_of, e->dict->n_tracks, sizeof *e->lane_of) ||
        !tr_grow(&e->lanes_of, &e->cap_lanes_of, e->dict->n_sources, sizeof *e->lanes_of))
        return false;
    while (e->n_lanes_of < e->dict->n_sources)
        e->lanes_of[e->n_lanes_of++] = NO_LANE;
    while (e->n_lane_of < e->dict->n_tracks)
        e->lane_of[e->n_lane_of++] = UINT32_MAX;
    return true;
}

/* The cell of a step on a lane, which is added if it is new.  NULL: out of memory. */
static struct cell *cell_of(struct tr_step_ends *e, size_t step, uint32_t lane, int64_t start)
{
    struct lane *l = &e->lanes[lane];
    size_t i = l->last_step == step ? l->last_cell : e->steps[step].cells;
    while (i != NO_CELL && e->cells[i].lane != lane)
        i = e->cells[i].next;
    if (i == NO_CELL) {
        if (!tr_grow(&e->cells, &e->cap_cells, e->n_cells + 1, sizeof *e->cells))
            return NULL;
        i = e->n_cells++;
        e->cells[i] = (struct cell){ .step = step, .next = e->steps[step].cells, .lane = lane, .first = start,
                                     .end = start };
        e->steps[step].cells = i;
    }
    l->last_step = step;
    l->last_cell = i;
    return &e->cells[i];
}

static void add_loose(struct lane *l, int64_t start, int64_t end)
{
    if (!l->loose)
        l->loose_first = start;
    l->loose_last = start;
    l->loose_end = l->loose && l->loose_end > end ? l->loose_end : end;
    l->loose = true;
}

static bool add_work(struct tr_step_ends *e, const struct tr_batch *b, size_t i, struct tr_step_moment at)
{
    int64_t start = b->ts[i], dur = tr_dur_used(b->dur[i], TR_SUSPECT_NO);
    uint32_t track = b->track[i];
    if (e->lane_of[track] == UINT32_MAX && !find_lane(e, track))
        return false;
    size_t place = tr_steps_place(e->of, e->dict, at);
    if (place == SIZE_MAX) {
        add_loose(&e->lanes[e->lane_of[track]], start, start + dur);
        return true;
    }
    struct cell *c = cell_of(e, e->first[at.source] + place, e->lane_of[track], start);
    if (!c)
        return false;
    c->end = start + dur > c->end ? start + dur : c->end;
    c->compute += b->kind[i] == TR_KIND_COMPUTE ? (uint64_t)dur : 0;
    c->kernels += b->activity[i] == TR_ACT_KERNEL ? (uint64_t)dur : 0;
    c->all += (uint64_t)dur;
    return true;
}

bool tr_step_ends_feed(struct tr_step_ends *e, const struct tr_batch *b, const uint8_t *keep)
{
    bool none = e->first[e->summary->n] == 0, ok = none || (know_tracks(e) && tr_step_columns_read(&e->launched, b));
    for (size_t i = 0; ok && !none && i < b->n; i++)
        if (tr_is_device_work(b->activity[i]) && (!keep || keep[i]) && b->suspect[i] == TR_SUSPECT_NO &&
            b->phase[i] == TR_SPAN && b->ts[i] != TR_TIME_NONE)
            ok = add_work(e, b, i, tr_step_columns_moment(&e->launched, e->of, b, i));
    return ok;
}

/* ---- sequences ---- */

/* The sums of a sequence on a lane. */
struct use {
    uint64_t compute, kernels, all;
    int64_t first; /* start of work with a step */
    bool used, main;
};

/* The steps of a sequence, and its use of the lanes of its source. */
struct sequence {
    size_t *steps, n;
    size_t lane;      /* the first of them, NO_LANE: there are none */
    struct use *uses; /* by lane */
    size_t *mains;    /* lanes: the main stream of each device */
    const struct step **room;
};

static bool same_process(const struct tr_dict *d, uint32_t a, uint32_t b)
{
    return a == b || (a < d->n_tracks && b < d->n_tracks && d->tracks[a].pid == d->tracks[b].pid &&
                      d->tracks[a].pid_type == d->tracks[b].pid_type);
}

/* Orders steps by number, then by thread. */
static int by_number(const void *x, const void *y)
{
    const struct step *a = *(const struct step *const *)x, *b = *(const struct step *const *)y;
    if (a->at->number != b->at->number)
        return a->at->number < b->at->number ? -1 : 1;
    return (a->at->track > b->at->track) - (a->at->track < b->at->track);
}

/* Does a number come on two threads of the process of a track?  room is for as many steps. */
static bool by_thread(const struct tr_step_ends *e, size_t from, size_t to, uint32_t track, const struct step **room)
{
    bool others = false;
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        if (same_process(e->dict, e->steps[i].at->track, track)) {
            room[n++] = &e->steps[i];
            others |= e->steps[i].at->track != track;
        }
    if (!others)
        return false;
    qsort(room, n, sizeof *room, by_number);
    for (size_t i = 1; i < n; i++)
        if (room[i]->at->number == room[i - 1]->at->number && room[i]->at->track != room[i - 1]->at->track)
            return true;
    return false;
}

static bool usable(const struct tr_step *s)
{
    return s->end >= s->start && tr_time_diff(s->end, s->start) != TR_TIME_NONE;
}

/* The steps of a source from one that is in no sequence yet. */
static void gather(const struct tr_step_ends *e, size_t from, size_t to, bool *done, struct sequence *s)
{
    uint32_t track = e->steps[from].at->track;
    bool own = by_thread(e, from, to, track, s->room);
    s->lane = first_lane(e, e->steps[from].source);
    for (size_t i = s->lane; i != NO_LANE; i = e->lanes[i].next)
        s->uses[i] = (struct use){ .used = false };
    s->n = 0;
    for (size_t i = from; i < to; i++) {
        uint32_t other = e->steps[i].at->track;
        if (done[i] || !(own ? other == track : same_process(e->dict, other, track)))
            continue;
        done[i] = true;
        if (!usable(e->steps[i].at))
            continue;
        s->steps[s->n++] = i;
        for (size_t c = e->steps[i].cells; c != NO_CELL; c = e->cells[c].next) {
            const struct cell *cell = &e->cells[c];
            struct use *u = &s->uses[cell->lane];
            u->first = u->used && u->first < cell->first ? u->first : cell->first;
            u->compute += cell->compute;
            u->kernels += cell->kernels;
            u->all += cell->all;
            u->used = true;
        }
    }
}

/* Is a lane more of a main stream than another one of its device? */
static bool before(const struct tr_step_ends *e, const struct use *uses, size_t a, size_t b)
{
    if (uses[a].compute != uses[b].compute)
        return uses[a].compute > uses[b].compute;
    if (uses[a].kernels != uses[b].kernels)
        return uses[a].kernels > uses[b].kernels;
    if (uses[a].all != uses[b].all)
        return uses[a].all > uses[b].all;
    if (e->lanes[a].stream != e->lanes[b].stream)
        return e->lanes[a].stream < e->lanes[b].stream;
    return e->lanes[a].track < e->lanes[b].track;
}

/* Of each device the first lane by that order; devices are few. */
static void choose_main(const struct tr_step_ends *e, struct sequence *s)
{
    size_t n = 0;
    for (size_t i = s->lane, k; i != NO_LANE; i = e->lanes[i].next) {
        if (!s->uses[i].used)
            continue;
        for (k = 0; k < n && e->lanes[s->mains[k]].device != e->lanes[i].device;)
            k++;
        if (k == n || before(e, s->uses, i, s->mains[k]))
            s->mains[k] = i;
        n += k == n;
    }
    for (size_t k = 0; k < n; k++)
        s->uses[s->mains[k]].main = true;
}

/* The start of the first step. */
static int64_t first_start(struct tr_step_ends *e, const struct sequence *s)
{
    int64_t host = e->steps[s->steps[0]].at->start, start = host;
    bool missing = false;
    for (size_t i = s->lane; i != NO_LANE; i = e->lanes[i].next) {
        const struct lane *l = &e->lanes[i];
        if (!s->uses[i].main || !l->loose || l->loose_first >= s->uses[i].first)
            continue;
        missing |= l->loose_last >= s->uses[i].first;
        start = l->loose_end > start ? l->loose_end : start;
    }
    e->missing |= missing;
    return missing ? host : start;
}

/* When a step ends that does not start before a time. */
static int64_t end_of(const struct tr_step_ends *e, const struct sequence *s, size_t step, int64_t start)
{
    int64_t end = e->steps[step].at->end > start ? e->steps[step].at->end : start;
    for (size_t c = e->steps[step].cells; c != NO_CELL; c = e->cells[c].next)
        if (s->uses[e->cells[c].lane].main && e->cells[c].end > end)
            end = e->cells[c].end;
    return end;
}

/* From a start to the first work of a step: at most to the end of the step, after which other streams may start. */
static int64_t lead_of(const struct tr_step_ends *e, size_t step, int64_t start, int64_t end)
{
    int64_t first = end;
    for (size_t c = e->steps[step].cells; c != NO_CELL; c = e->cells[c].next)
        first = e->cells[c].first < first ? e->cells[c].first : first;
    return e->steps[step].cells == NO_CELL || first < start ? 0 : tr_time_diff(first, start);
}

static void add_rows(struct tr_step_ends *e, const struct sequence *s)
{
    bool infers = s->n && tr_summary_infers(&e->summary->sources[e->steps[s->steps[0]].source]);
    int64_t end = s->n ? first_start(e, s) : 0;
    for (size_t i = 0; i < s->n; i++) {
        const struct step *step = &e->steps[s->steps[i]];
        struct tr_step_span r = { .source = step->source, .at = *step->at, .start = end };
        r.place = s->steps[i] - e->first[step->source];
        if (i && infers && step->at->start > end) {
            r.start = step->at->start;
            r.between = tr_time_diff(r.start, end);
        }
        r.end = end = end_of(e, s, s->steps[i], r.start);
        r.lead = i ? 0 : lead_of(e, s->steps[i], r.start, r.end);
        if (tr_time_diff(r.end, r.start) != TR_TIME_NONE && r.between != TR_TIME_NONE && r.lead != TR_TIME_NONE)
            e->rows[e->n_rows++] = r;
    }
}

TR_ORDER(by_place, struct tr_step_span, TR_UP(source), TR_UP(place))

bool tr_step_ends_finish(struct tr_step_ends *e)
{
    size_t n = e->first[e->summary->n];
    struct sequence s = { .steps = malloc((n + 1) * sizeof *s.steps),
                          .uses = calloc(e->n_lanes + 1, sizeof *s.uses),
                          .mains = calloc(e->n_lanes + 1, sizeof *s.mains),
                          .room = calloc(n + 1, sizeof *s.room) };
    bool *done = calloc(n + 1, sizeof *done);
    free(e->rows);
    e->rows = calloc(n + 1, sizeof *e->rows);
    e->n_rows = 0;
    e->missing = false;
    bool ok = s.steps && s.uses && s.mains && s.room && done && e->rows;
    for (size_t source = 0; ok && source < e->summary->n; source++)
        for (size_t i = e->first[source]; i < e->first[source + 1]; i++) {
            if (done[i])
                continue;
            gather(e, i, e->first[source + 1], done, &s);
            choose_main(e, &s);
            add_rows(e, &s);
        }
    if (ok && e->n_rows)
        qsort(e->rows, e->n_rows, sizeof *e->rows, by_place);
    free(s.steps);
    free(s.uses);
    free(s.mains);
    free(s.room);
    free(done);
    return ok;
}

const struct tr_step_span *tr_step_ends_rows(const struct tr_step_ends *e, size_t *n)
{
    *n = e->n_rows;
    return e->rows;
}

/* ---- bounds ---- */

static bool add_bound(int64_t time, int64_t **times, size_t *n, size_t *cap)
{
    if (!tr_grow(times, cap, *n + 1, sizeof **times))
        return false;
    (*times)[(*n)++] = time;
    return true;
}

bool tr_step_ends_bounds(const struct tr_step_ends *e, uint32_t source, int64_t **times, size_t *n, size_t *cap)
{
    bool ok = true;
    if (source >= e->summary->n)
        return true;
    for (size_t i = e->first[source]; ok && i < e->first[source + 1]; i++) {
        const struct step *s = &e->steps[i];
        ok = add_bound(s->at->start, times, n, cap) && add_bound(s->at->end, times, n, cap);
        for (size_t c = s->cells; ok && c != NO_CELL; c = e->cells[c].next)
            ok = add_bound(e->cells[c].end, times, n, cap) &&
                 (!s->first || add_bound(e->cells[c].first, times, n, cap));
    }
    for (size_t i = first_lane(e, source); ok && i != NO_LANE; i = e->lanes[i].next)
        if (e->lanes[i].loose)
            ok = add_bound(e->lanes[i].loose_end, times, n, cap);
    return ok;
}

/* ---- remarks ---- */

bool tr_step_ends_remark(const struct tr_step_ends *e, struct tr_select *select, enum tr_step_remark which, char *text,
                         size_t size)
{
    double host = 0, time = 0;
    size_t n = 0;
    if (which == TR_STEP_REMARK_LAUNCHES) {
        snprintf(text, size, "device work without a step starts before and after the first work of a step: launches "
                             "are missing, and the first step starts with the host");
        return e->missing;
    }
    for (size_t i = 0; i < e->n_rows; i++) {
        const struct tr_step_span *r = &e->rows[i];
        if (select && !tr_select_step(select, r->source, &r->at))
            continue;
        host += (double)(r->at.end - r->at.start);
        time += (double)tr_step_span_time(r);
        n++;
    }
    if (!n || fabs(time - host) <= 0.1 * host)
        return false;
    snprintf(text, size, "steps take %.1f us in the mean, with their device work, and %.1f us on the host",
             time / (double)n / 1000, host / (double)n / 1000);
    return true;
}
