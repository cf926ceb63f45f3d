/* SPDX-License-Identifier: MIT */
/* The sources, tracks, clocks, steps and the summary of an extract, which has only some events of a stream. */
#include "model/selection/tr_extract.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_time.h"
#include "model/tr_kinds.h"
#include "model/tr_steps.h"
#include "stream/merge/tr_parts.h"
#include "stream/tr_clock.h"

#include <stdlib.h>
#include <string.h>

struct numbered {
    int64_t number;
    size_t place; /* in the input's summary */
};

struct source {
    struct tr_source_summary sum; /* of its events here; steps and damage are those of the input */
    uint8_t *in_step;             /* by place of the step in the input's summary: an event lies in it */
    struct numbered *by_number;   /* the steps by number, those of a number by place */
    size_t n_steps;               /* that the summary had before the first event */
    int64_t last_step;            /* the last step that was found, if there was one */
    bool any_step;
    uint32_t to;
};

struct track {
    bool used;
    uint32_t to;
};

struct tr_extract {
    const struct tr_dict *dict;
    const struct tr_summary *from;
    struct tr_steps *steps; /* of all sources that the summary had at the first batch */
    struct source *sources;
    struct track *tracks;
    int64_t *launch_ts, *launch_track;
    size_t n_sources, cap_sources, n_tracks, cap_tracks, cap_launch_ts, cap_launch_track;
    struct tr_summary *summary;
    uint32_t *clock_to; /* by number in the input: that in the extract */
    struct tr_clock *clocks;
    size_t n_clocks;
};

enum tr_status tr_extract_new(struct tr_extract **out, const struct tr_dict *dict, const struct tr_summary *summary,
                              struct tr_error *err)
{
    struct tr_extract *x = *out = calloc(1, sizeof *x);
    if (!x)
        return tr_fail_memory(err);
    x->dict = dict;
    x->from = summary;
    return TR_OK;
}

void tr_extract_free(struct tr_extract *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->n_sources; i++) {
        free(x->sources[i].in_step);
        free(x->sources[i].by_number);
    }
    for (size_t i = 0; i < x->n_clocks; i++) {
        free(x->clocks[i].fixes);
        free(x->clocks[i].step_fixes);
    }
    free(x->sources);
    free(x->tracks);
    free(x->launch_ts);
    free(x->launch_track);
    free(x->clock_to);
    free(x->clocks);
    tr_steps_free(x->steps);
    tr_summary_free(x->summary);
    free(x);
}

/* ---- counting ---- */

TR_ORDER(compare_numbered, struct numbered, TR_UP(number), TR_UP(place))

static bool add_source(struct tr_extract *x)
{
    struct source *s = &x->sources[x->n_sources];
    size_t n_steps = x->n_sources < x->from->n ? x->from->sources[x->n_sources].n_steps : 0;
    *s = (struct source){ .n_steps = n_steps, .to = TR_EXTRACT_GONE };
    s->sum.first_ts = s->sum.last_end = s->sum.lag_min = s->sum.lag_max = TR_TIME_NONE;
    x->n_sources++;
    s->in_step = calloc(n_steps + 1, 1);
    s->by_number = calloc(n_steps + 1, sizeof *s->by_number);
    if (!s->in_step || !s->by_number)
        return false;
    for (size_t i = 0; i < n_steps; i++)
        s->by_number[i] = (struct numbered){ x->from->sources[x->n_sources - 1].steps[i].number, i };
    qsort(s->by_number, n_steps, sizeof *s->by_number, compare_numbered);
    return true;
}

/* Room for every source and track of the dictionary, and for the columns of a batch. */
static bool follow(struct tr_extract *x, size_t n)
{
    const struct tr_dict *d = x->dict;
    if (!x->steps && !(x->steps = tr_steps_new(x->from)))
        return false;
    if (!tr_grow(&x->sources, &x->cap_sources, d->n_sources + 1, sizeof *x->sources) ||
        !tr_grow(&x->tracks, &x->cap_tracks, d->n_tracks + 1, sizeof *x->tracks) ||
        !tr_grow(&x->launch_ts, &x->cap_launch_ts, n + 1, sizeof *x->launch_ts) ||
        !tr_grow(&x->launch_track, &x->cap_launch_track, n + 1, sizeof *x->launch_track))
        return false;
    while (x->n_sources < d->n_sources)
        if (!add_source(x))
            return false;
    for (; x->n_tracks < d->n_tracks; x->n_tracks++)
        x->tracks[x->n_tracks] = (struct track){ false, TR_EXTRACT_GONE };
    return true;
}

static void widen(int64_t *low, int64_t *high, int64_t from, int64_t to)
{
    if (*low == TR_TIME_NONE || from < *low)
        *low = from;
    if (*high == TR_TIME_NONE || to > *high)
        *high = to;
}

/* The place in by_number of the first step with a number. */
static size_t first_numbered(const struct source *s, int64_t number)
{
    size_t low = 0;
    TR_BOUND(low, s->n_steps, mid, s->by_number[mid].number < number);
    return low;
}

/* All steps of a number are kept, or none: where the first one is marked, all are. */
static void mark_step(struct tr_extract *x, struct tr_step_moment at)
{
    struct source *s = &x->sources[at.source];
    int64_t number;
    if (at.source >= x->from->n || !tr_steps_find(x->steps, x->dict, at, &number) ||
        (s->any_step && number == s->last_step))
        return;
    size_t i = first_numbered(s, number);
    if (i < s->n_steps && !s->in_step[s->by_number[i].place])
        for (; i < s->n_steps && s->by_number[i].number == number; i++)
            s->in_step[s->by_number[i].place] = true;
    s->any_step = true;
    s->last_step = number;
}

static void add_event(struct tr_extract *x, const struct tr_batch *b, size_t i)
{
    uint32_t source = x->dict->tracks[b->track[i]].source;
    struct tr_source_summary *s = &x->sources[source].sum;
    x->tracks[b->track[i]].used = true;
    if (x->launch_track[i] != TR_I64_NONE && (uint64_t)x->launch_track[i] < x->n_tracks)
        x->tracks[x->launch_track[i]].used = true;
    s->n_events++;
    s->n_phase[b->phase[i] < TR_N_PHASES ? b->phase[i] : TR_PHASE_UNKNOWN]++;
    s->n_activity[b->activity[i] < TR_N_ACTIVITIES ? b->activity[i] : TR_ACT_OTHER]++;
    if (b->suspect[i] < TR_N_SUSPECTS)
        s->n_suspect[b->suspect[i]]++;
    if (b->phase[i] != TR_META) /* what names a thread lies in no step, whatever its time */
        mark_step(x, tr_steps_moment(x->steps, b, i, x->launch_ts[i], x->launch_track[i]));
    if (x->launch_ts[i] != TR_TIME_NONE && tr_is_device_work(b->activity[i])) {
        int64_t lag = tr_time_diff(b->ts[i], x->launch_ts[i]);
        s->n_device_linked++;
        if (lag != TR_TIME_NONE && b->suspect[i] != TR_SUSPECT_ZERO_TIME)
            widen(&s->lag_min, &s->lag_max, lag, lag);
    }
    if (b->ts[i] == TR_TIME_NONE || b->suspect[i] != TR_SUSPECT_NO || b->phase[i] == TR_META)
        return;
    widen(&s->first_ts, &s->last_end, b->ts[i], b->dur[i] == TR_TIME_NONE ? b->ts[i] : b->ts[i] + b->dur[i]);
}

enum tr_status tr_extract_add(struct tr_extract *x, const struct tr_batch *b, struct tr_error *err)
{
    struct tr_entries e;
    if (!follow(x, b->n))
        return tr_fail_memory(err);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, x->launch_ts);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TRACK, TR_I64_NONE, x->launch_track);
    for (size_t i = 0; i < b->n; i++)
        add_event(x, b, i);
    for (tr_entries_start(&e, b, TR_COL_N_DEVICE); tr_entries_next(&e);) {
        struct tr_source_summary *s = &x->sources[x->dict->tracks[b->track[e.event]].source].sum;
        s->n_launches++;
        s->n_launches_linked += e.value > 0;
    }
    return TR_OK;
}

/* ---- the result ---- */

/* Renumber the step fixes of a clock after some steps were removed. */
static bool move_step_fixes(const struct source *s, const struct tr_clock *from, struct tr_clock *to)
{
    uint64_t step = 0, kept = 0;
    for (size_t k = 0; k < from->n_step_fixes; k++) {
        for (; step < s->n_steps && step < from->step_fixes[k] / 2; step++)
            kept += s->in_step[step];
        if (step < s->n_steps && s->in_step[step] && !tr_clock_add_step_fix(to, 2 * kept + from->step_fixes[k] % 2))
            return false;
    }
    return true;
}

static bool copy_clock(struct tr_extract *x, const struct tr_clock *from)
{
    const struct source *s = &x->sources[from->source];
    struct tr_clock *to = &x->clocks[x->n_clocks++];
    *to = *from;
    to->source = s->to;
    to->before = x->clock_to[from->before];
    to->fixes = NULL;
    to->step_fixes = NULL;
    to->n_fixes = to->cap_fixes = to->n_step_fixes = to->cap_step_fixes = 0;
    for (size_t k = 0; k < from->n_fixes; k++)
        if (!tr_clock_add_fix(to, from->fixes[k].record, from->fixes[k].bits))
            return false;
    return move_step_fixes(s, from, to);
}

/* The spans that summaries had before clocks were moved are those of the extract, too: from the last clock back. */
static void move_spans(struct tr_extract *x)
{
    for (size_t i = x->n_clocks; i-- > 0;) {
        struct tr_clock *c = &x->clocks[i];
        const struct tr_source_summary *s = &x->summary->sources[c->source];
        int64_t first = s->first_ts, last = s->last_end;
        if (!c->keeps_summary)
            continue;
        for (size_t k = i + 1; k < x->n_clocks; k++)
            if (x->clocks[k].source == c->source && x->clocks[k].keeps_summary) {
                first = x->clocks[k].first_ts;
                last = x->clocks[k].last_end;
                break;
            }
        if (first == TR_TIME_NONE || !tr_clock_invert(c, first, false, &c->first_ts) ||
            !tr_clock_invert(c, last, false, &c->last_end))
            c->first_ts = c->last_end = TR_TIME_NONE;
    }
}

static bool make_clocks(struct tr_extract *x)
{
    const struct tr_dict *d = x->dict;
    x->clock_to = calloc(d->n_clocks + 1, sizeof *x->clock_to);
    x->clocks = calloc(d->n_clocks + 1, sizeof *x->clocks);
    if (!x->clock_to || !x->clocks)
        return false;
    for (size_t i = 0; i < d->n_clocks; i++) {
        if (d->clocks[i].source >= x->n_sources || x->sources[d->clocks[i].source].to == TR_EXTRACT_GONE)
            continue;
        if (!copy_clock(x, &d->clocks[i]))
            return false;
        x->clock_to[i + 1] = (uint32_t)x->n_clocks;
    }
    move_spans(x);
    return true;
}

/* The summary of a kept source. */
static bool sum_up(const struct tr_source_summary *from, const struct source *s, struct tr_source_summary *to)
{
    *to = s->sum;
    for (size_t i = 0; from && i < from->n_damage; i++)
        if (!tr_summary_add_damage(to, &from->damage[i]))
            return false;
    for (size_t i = 0; from && i < s->n_steps; i++) {
        struct tr_step step = from->steps[i];
        if (s->in_step[i] && !tr_summary_add_step(to, &step))
            return false;
    }
    return true;
}

/* The thread of a step may have no event here. */
static void keep_tracks_of_steps(struct tr_extract *x, size_t source)
{
    const struct source *s = &x->sources[source];
    for (size_t i = 0; i < s->n_steps; i++) {
        uint32_t track = x->from->sources[source].steps[i].track;
        if (s->in_step[i] && track < x->n_tracks)
            x->tracks[track].used = true;
    }
}

enum tr_status tr_extract_end(struct tr_extract *x, struct tr_error *err)
{
    uint32_t n = 0;
    if (!follow(x, 0))
        return tr_fail_memory(err);
    for (size_t i = 0; i < x->n_sources; i++)
        if (x->sources[i].sum.n_events) {
            x->sources[i].to = n++;
            keep_tracks_of_steps(x, i);
        }
    x->summary = tr_summary_new(n);
    if (!x->summary)
        return tr_fail_memory(err);
    x->summary->sorted = x->from->sorted;
    x->summary->filtered = x->from->filtered;
    x->summary->redacted = x->from->redacted;
    n = 0;
    for (size_t i = 0; i < x->n_tracks; i++)
        if (x->tracks[i].used)
            x->tracks[i].to = n++;
    for (size_t i = 0; i < x->n_sources; i++) {
        const struct source *s = &x->sources[i];
        struct tr_source_summary *to = s->to == TR_EXTRACT_GONE ? NULL : &x->summary->sources[s->to];
        if (!to)
            continue;
        if (!sum_up(i < x->from->n ? &x->from->sources[i] : NULL, s, to))
            return tr_fail_memory(err);
        for (size_t k = 0; k < to->n_steps; k++)
            to->steps[k].track = tr_extract_track(x, to->steps[k].track);
    }
    return make_clocks(x) ? TR_OK : tr_fail_memory(err);
}

const struct tr_summary *tr_extract_summary(const struct tr_extract *x)
{
    return x->summary;
}

uint32_t tr_extract_source(const struct tr_extract *x, uint32_t source)
{
    return source < x->n_sources ? x->sources[source].to : TR_EXTRACT_GONE;
}

uint32_t tr_extract_track(const struct tr_extract *x, uint32_t track)
{
    return track < x->n_tracks ? x->tracks[track].to : TR_EXTRACT_GONE;
}

uint64_t tr_extract_whole(const struct tr_extract *x, uint32_t source)
{
    const struct tr_source *s = &x->dict->sources[source];
    const uint32_t to = tr_extract_source(x, source);
    uint64_t whole = s->whole;
    if (to == TR_EXTRACT_GONE || source >= x->from->n)
        return 0;
    if (!whole)
        whole = tr_summary_identity(s, &x->from->sources[source]);
    return whole == tr_summary_identity(s, &x->summary->sources[to]) ? 0 : whole;
}

void tr_extract_renumber(const struct tr_extract *x, struct tr_track *track)
{
    track->source = tr_extract_source(x, track->source);
    if (track->clock && track->clock <= x->dict->n_clocks)
        track->clock = x->clock_to[track->clock];
}

const struct tr_clock *tr_extract_clocks(const struct tr_extract *x, size_t *n)
{
    *n = x->n_clocks;
    return x->clocks;
}

/* ---- tables ---- */

/* False: the row refers to a track or source that is not in the extract. */
static bool map_row(const struct tr_extract *x, const struct tr_side_table *t, struct tr_side_value *values)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        struct tr_side_value *v = &values[i];
        uint32_t to = 0;
        if (!v->present)
            continue;
        if (t->columns[i].type == TR_SIDE_RECORD)
            v->of = to = tr_extract_source(x, v->of);
        else if (t->columns[i].type == TR_SIDE_TIME)
            v->of = to = tr_extract_track(x, v->of);
        else if (t->columns[i].type == TR_SIDE_TRACK)
            v->v = to = tr_extract_track(x, (uint32_t)v->v);
        if (to == TR_EXTRACT_GONE)
            return false;
    }
    return true;
}

enum tr_status tr_extract_table(const struct tr_extract *x, const struct tr_side_table *from,
                                struct tr_side_table **out, struct tr_error *err)
{
    struct tr_side_value values[TR_SIDE_MAX_COLUMNS];
    *out = NULL;
    if (from->source != UINT32_MAX && tr_extract_source(x, from->source) == TR_EXTRACT_GONE)
        return TR_OK;
    struct tr_side_table *t = tr_side_table_like(from);
    if (!t)
        return tr_fail_memory(err);
    if (from->source != UINT32_MAX)
        t->source = tr_extract_source(x, from->source);
    for (size_t at = 0; tr_side_table_row(from, &at, values);)
        if (map_row(x, from, values) && !tr_side_table_add(t, values)) {
            tr_side_table_free(t);
            return tr_fail_memory(err);
        }
    *out = t;
    return TR_OK;
}
