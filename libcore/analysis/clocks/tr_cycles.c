/* SPDX-License-Identifier: MIT */
/* Cycle clocks: which device and job an event belongs to, its laps, and the first reading. */
#include "analysis/clocks/tr_cycles_int.h"

#include "base/tr_int128.h"
#include "base/tr_mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_ENTRY SIZE_MAX
#define FIT_FROM 16u /* number of events from which the slope is more exact than durations */

enum tr_status tr_cycles_new(const struct tr_cycles_opts *opts, const struct tr_dict *dict, struct tr_cycles **out,
                             struct tr_error *err)
{
    struct tr_cycles *c = calloc(1, sizeof *c);
    if (!c)
        return tr_fail_memory(err);
    c->opts = *opts;
    c->dict = dict;
    *out = c;
    return TR_OK;
}

void tr_cycles_free(struct tr_cycles *c)
{
    if (!c)
        return;
    tr_cycle_stamps_free(&c->reader);
    free(c->devices);
    free(c->counters);
    free(c->jobs);
    free(c->fits);
    free(c->job_of);
    free(c->device_of);
    free(c->round_trip);
    free(c->events);
    free(c->ts);
    free(c->dur);
    free(c->first);
    free(c->last);
    free(c->lag_min);
    free(c->lag_max);
    tr_summary_free(c->summary);
    free(c);
}

const struct tr_cycles_device *tr_cycles_devices(const struct tr_cycles *c, size_t *n)
{
    *n = c->n_devices;
    return c->devices;
}

const struct tr_cycles_job *tr_cycles_jobs(const struct tr_cycles *c, size_t *n)
{
    *n = c->n_jobs;
    return c->jobs;
}

/* ---- devices and jobs ---- */

bool tr__cycles_start(struct tr_cycles *c, const struct tr_batch *b)
{
    size_t n_tracks = c->dict->n_tracks, n_names = tr_strtab_count(c->dict->strings);
    if (!tr_grow(&c->job_of, &c->cap_job_of, n_tracks + 1, sizeof *c->job_of) ||
        !tr_grow(&c->device_of, &c->cap_device_of, n_tracks + 1, sizeof *c->device_of) ||
        !tr_grow(&c->round_trip, &c->cap_names, n_names + 1, sizeof *c->round_trip))
        return false;
    for (; c->n_job_of < n_tracks; c->n_job_of++)
        c->job_of[c->n_job_of] = c->device_of[c->n_job_of] = NO_ENTRY;
    for (; c->n_names < n_names; c->n_names++)
        c->round_trip[c->n_names] = tr_str_is(tr_dict_text(c->dict, (uint32_t)c->n_names), "AIU Roundtrip");
    return tr_cycle_stamps_start(&c->reader, b);
}

static size_t find_job(struct tr_cycles *c, uint32_t track)
{
    const struct tr_track *t = &c->dict->tracks[track];
    if (c->job_of[track] != NO_ENTRY)
        return c->job_of[track];
    size_t j = 0;
    while (j < c->n_jobs && (c->jobs[j].source != t->source || c->jobs[j].pid != t->pid))
        j++;
    if (j == c->n_jobs) {
        if (!tr_grow(&c->jobs, &c->cap_jobs, j + 1, sizeof *c->jobs) ||
            !tr_grow(&c->fits, &c->cap_fits, j + 1, sizeof *c->fits))
            return NO_ENTRY;
        c->jobs[j] = (struct tr_cycles_job){ .source = t->source, .pid = t->pid, .device = NO_ENTRY,
                                             .host_start = TR_TIME_NONE, .host_end = TR_TIME_NONE,
                                             .device_start = TR_TIME_NONE, .device_end = TR_TIME_NONE };
        memset(&c->fits[j], 0, sizeof c->fits[j]);
        c->n_jobs++;
    }
    return c->job_of[track] = j;
}

static size_t find_device(struct tr_cycles *c, uint32_t track)
{
    const struct tr_track *t = &c->dict->tracks[track];
    int64_t rank = c->dict->sources[t->source].rank;
    int64_t device = t->device != TR_I64_NONE ? t->device : t->pid; /* a waiting request has no device */
    if (c->device_of[track] != NO_ENTRY)
        return c->device_of[track];
    size_t d = 0;
    while (d < c->n_devices && (c->devices[d].rank != rank || c->devices[d].device != device))
        d++;
    if (d == c->n_devices) {
        if (!tr_grow(&c->devices, &c->cap_devices, d + 1, sizeof *c->devices) ||
            !tr_grow(&c->counters, &c->cap_counters, d + 1, sizeof *c->counters))
            return NO_ENTRY;
        c->devices[d] = (struct tr_cycles_device){ .rank = rank, .device = device, .seen_hz = NAN, .se_hz = NAN };
        memset(&c->counters[d], 0, sizeof c->counters[d]);
        c->n_devices++;
    }
    return c->device_of[track] = d;
}

/* ---- laps ---- */

/* Cycles per ns, as far as it is known. */
static double speed(const struct tr__counter *k)
{
    const struct tr__fit *f = &k->fit;
    if (f->n >= FIT_FROM && f->xx > 0)
        return (double)k->f0 * 1e-9 + f->xy / f->xx;
    if (k->part_ns > 0)
        return k->part_cycles / k->part_ns;
    return k->whole_ns > 0 ? k->whole_cycles / k->whole_ns : (double)k->f0 * 1e-9;
}

/* The number of whole laps nearest to this number of cycles; far beyond the range of stamps: 0. */
static int64_t laps_in(double cycles)
{
    double laps = round(cycles / (double)TR__LAP);
    return fabs(laps) < 1e9 ? (int64_t)laps : 0;
}

static void start_counter(struct tr__counter *k, const struct tr_cycle_stamps *s, int64_t end, int64_t dur)
{
    int64_t cycles = s->at[s->to] - s->at[s->from];
    k->started = true;
    k->f0 = dur > 0 && cycles > 0 ? llround((double)cycles / (double)dur * 1e9) : 1000000000;
    k->origin = k->end = end;
    k->origin_at = k->at = s->at[s->to];
}

/*
 * Stretch the part by the laps that follow from its duration, so that at[to] - at[from] is all of it.  False: its
 * stamps are too far apart for its duration by half a lap or more.
 */
static bool stretch(const struct tr__counter *k, struct tr_cycle_stamps *s, int64_t dur)
{
    double cycles = (double)(s->at[s->to] - s->at[s->from]);
    int64_t laps = laps_in((double)dur * speed(k) - cycles);
    if (laps < 0)
        return false;
    for (unsigned i = s->to; laps && i < TR_N_CYCLE_STAMPS; i++)
        s->at[i] += laps * TR__LAP;
    return true;
}

static void count_estimate(struct tr_cycles_estimate *e, double mhz)
{
    if (!isfinite(mhz))
        return;
    e->min = e->n && e->min < mhz ? e->min : mhz;
    e->max = e->n && e->max > mhz ? e->max : mhz;
    e->sum += mhz;
    e->n++;
}

/* The estimates that other programs print: from kernels alone. */
static void estimate(struct tr_cycles_device *d, struct tr__counter *k, const struct tr_cycles_event *e, int64_t ts,
                     int64_t dur)
{
    const struct tr_cycle_stamps *s = &e->stamps;
    if (s->part != TR_CYCLE_STAMP_COMPUTE)
        return;
    double of_duration = dur > 0 ? (double)(s->at[3] - s->at[2]) * 1e3 / (double)dur : NAN;
    int64_t at = s->at[2] + e->add;
    double gap = (double)(ts - k->kernel_start);
    count_estimate(&d->by_duration, of_duration);
    count_estimate(&d->by_interval, k->had_kernel && gap > 0 ? (double)(at - k->kernel_at) * 1e3 / gap : of_duration);
    k->had_kernel = true;
    k->kernel_start = ts;
    k->kernel_at = at;
}

static double point_y(const struct tr__counter *k, int64_t at, int64_t end)
{
    struct tr_u128 y = tr_i128_sub(tr_i128_mul(at - k->origin_at, 1000000000), tr_i128_mul(end - k->origin, k->f0));
    return tr_i128_double(y) / 1e9;
}

/* Update the counter of a device after an event with stamps. */
static void count_event(struct tr_cycles *c, struct tr_cycles_event *e, int64_t ts, int64_t dur)
{
    struct tr_cycles_job *j = &c->jobs[e->job];
    struct tr__counter *k = &c->counters[j->device];
    const struct tr_cycle_stamps *s = &e->stamps;
    int64_t end = ts + dur, cycles = s->at[s->to] - s->at[s->from];
    double x = (double)(end - k->origin), y = point_y(k, s->at[s->to] + e->add, end);
    *(s->part == TR_CYCLE_STAMP_WHOLE ? &k->whole_cycles : &k->part_cycles) += (double)cycles;
    *(s->part == TR_CYCLE_STAMP_WHOLE ? &k->whole_ns : &k->part_ns) += (double)dur;
    tr__fit_add(&k->fit, x, y);
    k->end = end;
    k->at = s->at[s->to] + e->add;
    if (c->solved)
        return;
    struct tr_cycles_device *d = &c->devices[j->device];
    estimate(d, k, e, ts, dur);
    tr__fit_add(&c->fits[e->job], x, y);
    d->events++;
    d->wrapped += e->wrapped != 0;
    d->min_lap = d->events == 1 || e->lap < d->min_lap ? e->lap : d->min_lap;
    d->max_lap = d->events == 1 || e->lap > d->max_lap ? e->lap : d->max_lap;
    if (!j->events++) {
        j->first_lap = j->last_lap = e->lap;
        j->first_end = end;
        j->first_at = k->at;
        j->device_start = ts;
        j->device_end = end;
    }
    j->last_end = end;
    j->last_at = k->at;
    j->first_lap = e->lap < j->first_lap ? e->lap : j->first_lap;
    j->last_lap = e->lap > j->last_lap ? e->lap : j->last_lap;
    j->device_start = ts < j->device_start ? ts : j->device_start;
    j->device_end = end > j->device_end ? end : j->device_end;
}

/* The laps of an event, from the event before it on the device. */
static void place(struct tr__counter *k, struct tr_cycles_event *e, int64_t end)
{
    struct tr_cycle_stamps *s = &e->stamps;
    double expected = (double)(k->at - s->at[s->to]) + (double)(end - k->end) * speed(k);
    int64_t lap = laps_in(expected);
    e->add = lap * TR__LAP;
    e->lap = lap;
    e->wrapped = 0;
    for (unsigned i = TR_N_CYCLE_STAMPS - 1; i > 0; i--)
        if (s->raw[i] < s->raw[i - 1])
            e->wrapped = i + 1;
}

static void note_round_trip(struct tr_cycles_job *j, int64_t ts, int64_t dur)
{
    if (j->host_start == TR_TIME_NONE || ts < j->host_start)
        j->host_start = ts;
    if (j->host_end == TR_TIME_NONE || ts + dur > j->host_end)
        j->host_end = ts + dur;
}

enum tr_status tr__cycles_event(struct tr_cycles *c, const struct tr_batch *b, size_t i, struct tr_cycles_event *e,
                                struct tr_error *err)
{
    enum tr_cycle_stamps_found found = tr_cycle_stamps_take(&c->reader, b, i, &e->stamps);
    bool trip = found == TR_CYCLE_STAMPS_NONE && b->phase[i] == TR_SPAN && b->name[i] != TR_NO_STR &&
                c->round_trip[b->name[i]] && b->ts[i] != TR_TIME_NONE && b->dur[i] >= 0 &&
                b->suspect[i] == TR_SUSPECT_NO;
    e->found = e->unusable = false;
    e->job = NO_ENTRY;
    if ((found == TR_CYCLE_STAMPS_NONE && !trip) || b->ts[i] > INT64_MAX - b->dur[i])
        return TR_OK;
    e->job = find_job(c, b->track[i]);
    if (e->job == NO_ENTRY)
        return tr_fail_memory(err);
    if (trip) {
        if (!c->solved)
            note_round_trip(&c->jobs[e->job], b->ts[i], b->dur[i]);
        return TR_OK;
    }
    size_t device = find_device(c, b->track[i]);
    if (device == NO_ENTRY)
        return tr_fail_memory(err);
    struct tr__counter *k = &c->counters[device];
    c->jobs[e->job].device = device;
    if (found == TR_CYCLE_STAMPS_FOUND && !k->started)
        start_counter(k, &e->stamps, b->ts[i] + b->dur[i], b->dur[i]);
    if (found == TR_CYCLE_STAMPS_UNUSABLE || !stretch(k, &e->stamps, b->dur[i])) {
        c->devices[device].unusable += !c->solved;
        e->unusable = true;
        return TR_OK;
    }
    e->found = true;
    place(k, e, b->ts[i] + b->dur[i]);
    count_event(c, e, b->ts[i], b->dur[i]);
    return TR_OK;
}

enum tr_status tr_cycles_feed(struct tr_cycles *c, const struct tr_batch *b, struct tr_error *err)
{
    struct tr_cycles_event e;
    enum tr_status st = tr__cycles_start(c, b) ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; i < b->n && st == TR_OK; i++)
        st = tr__cycles_event(c, b, i, &e, err);
    return st;
}
