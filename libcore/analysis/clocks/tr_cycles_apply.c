/* SPDX-License-Identifier: MIT */
/* Cycle clocks, the second reading: times computed from cycles. */
#include "analysis/clocks/tr_cycles_int.h"

#include "base/tr_int128.h"
#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

bool tr_cycles_ns(int64_t cycles, int64_t hz, int64_t *ns)
{
    uint64_t size = cycles < 0 ? 0 - (uint64_t)cycles : (uint64_t)cycles, rest;
    struct tr_u128 scaled = tr_u128_add(tr_u128_mul(size, 1000000000), tr_i128_of(hz / 2)); /* half away from 0 */
    struct tr_u128 v = tr_u128_div(scaled, (uint64_t)hz, &rest);
    *ns = (int64_t)(cycles < 0 ? 0 - v.lo : v.lo);
    return !v.hi && v.lo <= INT64_MAX;
}

const struct tr_cycles_event *tr_cycles_events(const struct tr_cycles *c)
{
    return c->events;
}

static bool own_times(struct tr_cycles *c, const struct tr_batch *b)
{
    if (!tr_grow(&c->ts, &c->cap_ts, b->n + 1, sizeof *c->ts) ||
        !tr_grow(&c->dur, &c->cap_dur, b->n + 1, sizeof *c->dur) ||
        !tr_grow(&c->events, &c->cap_events, b->n + 1, sizeof *c->events))
        return false;
    if (b->n) {
        memcpy(c->ts, b->ts, b->n * sizeof *c->ts);
        memcpy(c->dur, b->dur, b->n * sizeof *c->dur);
    }
    return true;
}

/* Spans of sources are measured again, from the new times. */
static bool start_spans(struct tr_cycles *c)
{
    size_t n = c->dict->n_sources + 1;
    if (c->first)
        return true;
    c->first = malloc(n * sizeof *c->first);
    c->last = malloc(n * sizeof *c->last);
    c->lag_min = malloc(n * sizeof *c->lag_min);
    c->lag_max = malloc(n * sizeof *c->lag_max);
    if (!c->first || !c->last || !c->lag_min || !c->lag_max)
        return false;
    for (size_t s = 0; s < n; s++)
        c->first[s] = c->last[s] = c->lag_min[s] = c->lag_max[s] = TR_TIME_NONE;
    return true;
}

static void at_least(int64_t *known, int64_t value)
{
    *known = *known == TR_TIME_NONE || value > *known ? value : *known;
}

static void at_most(int64_t *known, int64_t value)
{
    *known = *known == TR_TIME_NONE || value < *known ? value : *known;
}

/* launch: the start of the call that launched it; TR_TIME_NONE: not known. */
static void note(struct tr_cycles *c, const struct tr_batch *b, size_t i, int64_t launch)
{
    uint32_t source = c->dict->tracks[b->track[i]].source;
    int64_t ts = c->ts[i], dur = tr_dur_used(c->dur[i], b->suspect[i]);
    if (ts == TR_TIME_NONE || b->suspect[i] != TR_SUSPECT_NO)
        return;
    at_most(&c->first[source], ts);
    at_least(&c->last[source], dur <= INT64_MAX - (ts > 0 ? ts : 0) ? ts + dur : ts);
    if (launch != TR_TIME_NONE && tr_is_device_work(b->activity[i])) {
        at_most(&c->lag_min[source], tr_time_diff(ts, launch));
        at_least(&c->lag_max[source], tr_time_diff(ts, launch));
    }
}

static enum tr_status retime(struct tr_cycles *c, size_t i, struct tr_cycles_event *e, struct tr_error *err)
{
    const struct tr_cycles_job *j = &c->jobs[e->job];
    const struct tr_cycles_device *d = &c->devices[j->device];
    const struct tr_cycle_stamps *s = &e->stamps;
    int64_t dur, end = tr_time_sum(c->ts[i] + c->dur[i], j->shift);
    dur = c->dur[i];
    if (e->found && !d->hz)
        return tr_fail(err, TR_DAMAGED, "has changed while it was read");
    if (end == TR_TIME_NONE || (e->found && !tr_cycles_ns(s->at[s->to] - s->at[s->from], d->hz, &dur)) ||
        tr_time_diff(end, dur) == TR_TIME_NONE)
        return tr_fail(err, TR_DAMAGED, "times made of cycles leave the range of 64 bits");
    c->ts[i] = end - dur;
    c->dur[i] = dur;
    e->lap -= d->min_lap;
    e->add -= d->min_lap * TR__LAP;
    return TR_OK;
}

enum tr_status tr_cycles_apply(struct tr_cycles *c, const struct tr_batch *b, const struct tr_batch **out,
                               struct tr_error *err)
{
    size_t launch = 0, jobs = c->n_jobs;
    enum tr_status st = TR_OK;
    if (!tr__cycles_start(c, b) || !own_times(c, b) || !start_spans(c))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n && st == TR_OK; i++) {
        bool launched = (b->flags[i] & TR_HAS_LAUNCH) != 0 && b->n_cols > TR_COL_LAUNCH_TS;
        st = tr__cycles_event(c, b, i, &c->events[i], err);
        if (st == TR_OK && c->n_jobs != jobs)
            st = tr_fail(err, TR_DAMAGED, "has changed while it was read");
        if (st == TR_OK && (c->events[i].found || c->events[i].unusable))
            st = retime(c, i, &c->events[i], err);
        if (st == TR_OK)
            note(c, b, i, launched ? b->cols[TR_COL_LAUNCH_TS].v.i64[launch] : TR_TIME_NONE);
        launch += launched;
    }
    c->batch = *b;
    c->batch.ts = c->ts;
    c->batch.dur = c->dur;
    *out = &c->batch;
    return st;
}

const struct tr_summary *tr_cycles_summary(struct tr_cycles *c, const struct tr_summary *summary)
{
    tr_summary_free(c->summary);
    c->summary = tr_summary_copy(summary);
    for (size_t s = 0; c->summary && c->first && s < c->summary->n && s < c->dict->n_sources; s++) {
        struct tr_source_summary *to = &c->summary->sources[s];
        if (summary->filtered || c->first[s] == TR_TIME_NONE)
            continue; /* the summary is for the whole source, but only a part was read */
        to->first_ts = c->first[s];
        to->last_end = c->last[s];
        to->lag_min = c->lag_min[s];
        to->lag_max = c->lag_max[s];
    }
    return c->summary;
}
