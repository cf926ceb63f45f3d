/* SPDX-License-Identifier: MIT */
/* Cycle clocks: lines through points, frequencies, and shifts of jobs. */
#include "analysis/clocks/tr_cycles_int.h"
#include "base/tr_sort.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Add a point.  Means are updated in steps, so that no large numbers are subtracted (Welford 1962). */
void tr__fit_add(struct tr__fit *f, double x, double y)
{
    double n = (double)++f->n, dx = x - f->x, dy = y - f->y;
    f->x += dx / n;
    f->y += dy / n;
    f->xx += dx * (x - f->x);
    f->xy += dx * (y - f->y);
    f->yy += dy * (y - f->y);
}

/* Join two sets of points (Chan, Golub, LeVeque 1979). */
void tr__fit_join(struct tr__fit *f, const struct tr__fit *more)
{
    double n = (double)f->n, m = (double)more->n, dx = more->x - f->x, dy = more->y - f->y;
    if (!more->n)
        return;
    f->n += more->n;
    f->x += dx * m / (n + m);
    f->y += dy * m / (n + m);
    f->xx += more->xx + dx * dx * n * m / (n + m);
    f->xy += more->xy + dx * dy * n * m / (n + m);
    f->yy += more->yy + dy * dy * n * m / (n + m);
}

/* ---- jobs ---- */

/* How far does a job have to move so that its work starts with its round trip? */
static void find_shift(const struct tr_cycles *c, struct tr_cycles_job *j)
{
    if (!j->events || j->host_start == TR_TIME_NONE ||
        (j->device_start >= j->host_start && j->device_end <= j->host_end))
        return;
    j->too_long = j->device_end - j->device_start > j->host_end - j->host_start;
    if (!j->too_long && !c->opts.keep_jobs)
        j->shift = j->host_start - j->device_start;
}

/* The points of all jobs of a device, with jobs already moved. */
static struct tr__fit all_points(const struct tr_cycles *c, size_t device)
{
    struct tr__fit all = { 0 };
    for (size_t i = 0; i < c->n_jobs; i++)
        if (c->jobs[i].device == device) {
            struct tr__fit moved = c->fits[i];
            moved.x += (double)c->jobs[i].shift;
            moved.y -= (double)c->jobs[i].shift * (double)c->counters[device].f0 * 1e-9;
            tr__fit_join(&all, &moved);
        }
    return all;
}

/* ---- frequencies ---- */

static void see(const struct tr_cycles *c, size_t device)
{
    struct tr_cycles_device *d = &c->devices[device];
    const struct tr__counter *k = &c->counters[device];
    struct tr__fit f = all_points(c, device);
    if (f.xx > 0) {
        double rest = f.yy - f.xy * f.xy / f.xx;
        d->seen_hz = (double)k->f0 + f.xy / f.xx * 1e9;
        if (f.n > 2)
            d->se_hz = sqrt((rest > 0 ? rest : 0) / (double)(f.n - 2) / f.xx) * 1e9;
    } else if (k->part_ns > 0) {
        d->seen_hz = k->part_cycles / k->part_ns * 1e9;
    } else if (k->whole_ns > 0) {
        d->seen_hz = k->whole_cycles / k->whole_ns * 1e9;
    }
}

static int64_t given_for(const struct tr_cycles *c, int64_t rank)
{
    int64_t hz = 0;
    for (size_t i = 0; i < c->opts.n_given; i++)
        if (c->opts.given[i].rank == rank || (c->opts.given[i].rank < 0 && !hz))
            hz = c->opts.given[i].hz;
    return hz;
}

static void name_rank(const struct tr_cycles_device *d, char *out, size_t n)
{
    if (d->rank == d->device || d->device == TR_I64_NONE)
        snprintf(out, n, "rank %" PRId64, d->rank);
    else
        snprintf(out, n, "rank %" PRId64 ", device %" PRId64, d->rank, d->device);
}

static enum tr_status choose(const struct tr_cycles *c, struct tr_cycles_device *d, struct tr_error *err)
{
    char who[64];
    int64_t given = given_for(c, d->rank);
    bool seen = d->seen_hz >= 0.5 && d->seen_hz <= (double)TR_CYCLES_HZ_MAX;
    name_rank(d, who, sizeof who);
    d->given = given > 0;
    d->hz = given ? given : seen ? llround(d->seen_hz) : 0;
    if (!d->hz)
        return tr_fail(err, TR_NO, "%s: its stamps and durations show no frequency: give it with --freq", who);
    double off = d->seen_hz - (double)d->hz;
    if (given && seen && !c->opts.any_freq && fabs(off) > TR_CYCLES_WRONG * (double)given &&
        !(fabs(off) <= 4 * d->se_hz))
        return tr_fail(err, TR_NO,
                       "%s: --freq %.6g contradicts its stamps, which show %.6g MHz: leave --freq out, or use it "
                       "with --any-freq",
                       who, (double)given / 1e6, d->seen_hz / 1e6);
    return TR_OK;
}

/* At a time of the host with this counter value, how far is a clock of the device's hz from the host's? */
static void note_drift(struct tr_cycles_device *d, const struct tr__counter *k, int64_t host, int64_t at)
{
    double off = (double)(host - k->origin) - (double)(at - k->origin_at) / (double)d->hz * 1e9;
    if (fabs(off) > fabs(d->drift_ns))
        d->drift_ns = off;
}

/* The distance grows with time, so it is largest at the start or end of a job. */
static void find_drift(const struct tr_cycles *c, size_t device)
{
    struct tr_cycles_device *d = &c->devices[device];
    for (size_t i = 0; i < c->n_jobs; i++) {
        const struct tr_cycles_job *j = &c->jobs[i];
        if (j->device != device || !j->events)
            continue;
        d->jobs++;
        d->shifted += j->shift != 0;
        note_drift(d, &c->counters[device], j->first_end + j->shift, j->first_at);
        note_drift(d, &c->counters[device], j->last_end + j->shift, j->last_at);
    }
}

TR_ORDER(by_rank, struct tr_cycles_device, TR_UP(rank), TR_UP(device))

TR_ORDER(by_source, struct tr_cycles_job, TR_UP(source), TR_UP(pid))

/* Data by track number is found again in the second reading, and counters start anew. */
static void reorder(struct tr_cycles *c)
{
    for (size_t i = 0; i < c->n_jobs; i++) {
        struct tr_cycles_job *j = &c->jobs[i];
        struct tr_cycles_device key = { .rank = j->device == SIZE_MAX ? 0 : c->devices[j->device].rank,
                                        .device = j->device == SIZE_MAX ? 0 : c->devices[j->device].device };
        size_t at = 0;
        if (j->device == SIZE_MAX)
            continue;
        for (size_t d = 0; d < c->n_devices; d++)
            at += by_rank(&c->devices[d], &key) < 0;
        j->device = at;
    }
    if (c->n_devices)
        qsort(c->devices, c->n_devices, sizeof *c->devices, by_rank);
    if (c->n_jobs)
        qsort(c->jobs, c->n_jobs, sizeof *c->jobs, by_source);
    if (c->n_devices)
        memset(c->counters, 0, c->n_devices * sizeof *c->counters);
    c->n_job_of = 0;
    c->solved = true;
}

enum tr_status tr_cycles_solve(struct tr_cycles *c, const char *input, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    uint64_t events = 0;
    for (size_t i = 0; i < c->n_jobs; i++)
        find_shift(c, &c->jobs[i]);
    for (size_t d = 0; d < c->n_devices && st == TR_OK; d++) {
        events += c->devices[d].events;
        if (!c->devices[d].events)
            continue;
        see(c, d);
        st = choose(c, &c->devices[d], err);
        if (st == TR_OK)
            find_drift(c, d);
    }
    if (st == TR_OK && c->n_devices && !events)
        st = tr_fail(err, TR_NO, "no span has five cycle stamps that fit its duration");
    if (st == TR_OK)
        reorder(c);
    else
        tr_error_input(err, input);
    return st;
}
