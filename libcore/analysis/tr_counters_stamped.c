/* SPDX-License-Identifier: MIT */
/* Counters of events with cycle stamps: power, from a counter of charge; requests that wait for their turn. */
#include "analysis/tr_counters_int.h"

#include "base/tr_int128.h"
#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

/*
 * The counter has 32 bits, and makes 512 steps per ampere and microsecond; it is read at TS4.  The supply has 12 volts.
 * So n steps in t ns are 12 * n / 512 * 1000 / t watts.
 */
#define UW_NS_PER_STEP 23437500ll    /* 12 V / 512 * 1000 ns, in uW */
#define MOST_UW        100000000ll   /* no device takes 100 W: two such readings do not belong together */
#define SHORTEST       100           /* ns; a shorter event was not read at TS4 */

/* ---- devices ---- */

/* The device of a track; it is made if it is new.  NULL: out of memory. */
static struct tr__unit *unit_of(struct tr_counters *c, uint32_t track)
{
    const struct tr_dict *d = c->work.groups.dict;
    const struct tr_track *t = &d->tracks[track];
    int64_t rank = d->sources[t->source].rank;
    const struct tr_group_key key = { .rank = rank < 0 ? TR_GROUP_NONE : rank,
                                      /* a waiting request has no device */
                                      .device = t->device != TR_I64_NONE ? t->device : t->pid,
                                      .stream = TR_GROUP_NONE,
                                      .step = TR_GROUP_NONE };
    if (c->unit_of[track])
        return &c->units[c->unit_of[track] - 1];
    size_t u = 0;
    while (u < c->n_units && (c->units[u].key.rank != key.rank || c->units[u].key.device != key.device))
        u++;
    if (u == c->n_units) {
        if (!tr_grow(&c->units, &c->cap_units, u + 1, sizeof *c->units))
            return NULL;
        c->units[u] = (struct tr__unit){ .key = key };
        c->n_units++;
    }
    c->unit_of[track] = (uint32_t)u + 1;
    return &c->units[u];
}

/* The number of a series of a device; it is made if it is new.  False: out of memory. */
static bool series_of(struct tr_counters *c, struct tr__unit *u, enum tr_counter counter, uint32_t track,
                      uint32_t *number)
{
    uint32_t *of = counter == TR_COUNTER_POWER ? &u->power : &u->waiting;
    if (!*of) {
        if (!tr__counters_add_series(c, counter, &u->key, NULL, track, number))
            return false;
        *of = *number + 1;
    }
    *number = *of - 1;
    return true;
}

/* ---- power ---- */

static bool before(const struct tr__charge *a, const struct tr__charge *b)
{
    return a->ts != b->ts ? a->ts < b->ts : a->record < b->record;
}

static bool push(struct tr__unit *u, const struct tr__charge *r)
{
    if (!tr_grow(&u->later, &u->cap_later, u->n_later + 1, sizeof *r))
        return false;
    size_t at = u->n_later++;
    for (; at && before(r, &u->later[(at - 1) / 2]); at = (at - 1) / 2)
        u->later[at] = u->later[(at - 1) / 2];
    u->later[at] = *r;
    return true;
}

static struct tr__charge pop(struct tr__unit *u)
{
    struct tr__charge first = u->later[0], last = u->later[--u->n_later];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < u->n_later; at = child) {
        if (child + 1 < u->n_later && before(&u->later[child + 1], &u->later[child]))
            child++;
        if (!before(&u->later[child], &last))
            break;
        u->later[at] = u->later[child];
    }
    u->later[at] = last;
    return first;
}

/* uW from the charge between two readings; the first one is the earlier. */
static int64_t power(struct tr_counters *c, const struct tr__charge *a, const struct tr__charge *b)
{
    uint32_t steps = b->charge - a->charge; /* modulo 2^32: the counter wraps */
    int64_t ns = tr_time_diff(b->ts, a->ts);
    if (ns == TR_TIME_NONE)
        return 0;
    uint64_t rest;
    struct tr_u128 uw = tr_u128_div(tr_u128_add(tr_u128_mul(steps, UW_NS_PER_STEP), tr_i128_of(ns / 2)), (uint64_t)ns,
                                    &rest);
    if (!uw.hi && uw.lo <= MOST_UW)
        return (int64_t)uw.lo;
    c->too_much++;
    return 0;
}

/* The next reading in order: it ends the interval that the last one began. */
static enum tr_status take_reading(struct tr_counters *c, struct tr__unit *u, uint32_t track,
                                   const struct tr__charge *r, struct tr_error *err)
{
    uint32_t series;
    if (!r->charge || (u->last.charge && r->ts <= u->last.ts))
        return TR_OK;
    struct tr__charge a = u->last;
    u->last = *r;
    if (!a.charge)
        return TR_OK;
    if (!series_of(c, u, TR_COUNTER_POWER, track, &series))
        return tr_fail_memory(err);
    int64_t uw = power(c, &a, r), by = uw - u->watts;
    u->watts = uw;
    return tr__counters_change(c, a.ts, false, series, by, a.record, err);
}

/* The time of TS4, from an event's own cycles and duration. */
static int64_t time_of_ts4(const struct tr_stamps *s, int64_t ts, int64_t dur)
{
    int64_t cycles = s->at[s->to] - s->at[s->from];
    if (cycles <= 0)
        return ts + dur;
    struct tr_u128 later = tr_i128_mul(s->at[3] - s->at[s->to], dur);
    bool minus = tr_i128_is_negative(later);
    uint64_t rest;
    struct tr_u128 ns = tr_u128_div(minus ? tr_i128_negate(later) : later, (uint64_t)cycles, &rest);
    ns = tr_u128_add(ns, tr_i128_of(minus ? 2 * rest > (uint64_t)cycles : 2 * rest >= (uint64_t)cycles)); /* halves go up */
    if (ns.hi || ns.lo > INT64_MAX / 4)
        return TR_TIME_NONE;
    return tr_time_sum(ts + dur, minus ? -(int64_t)ns.lo : (int64_t)ns.lo);
}

static enum tr_status add_reading(struct tr_counters *c, size_t i, const struct tr_stamps *s, struct tr_error *err)
{
    const struct tr_batch *b = c->batch;
    struct tr__charge r = { .record = b->record[i] };
    enum tr_status st = TR_OK;
    if (b->dur[i] <= SHORTEST || !tr_stamp_number(b->dict, tr_arg_at(&c->charge, i), &r.charge))
        return TR_OK;
    r.ts = time_of_ts4(s, b->ts[i], b->dur[i]);
    struct tr__unit *u = unit_of(c, b->track[i]);
    if (!u || (r.ts != TR_TIME_NONE && !push(u, &r)))
        return tr_fail_memory(err);
    /* TS4 is at the start of an event or after it: no reading to come is earlier than this start. */
    while (st == TR_OK && u->n_later && u->later[0].ts < b->ts[i]) {
        struct tr__charge next = pop(u);
        st = take_reading(c, u, b->track[i], &next, err);
    }
    return st;
}

/* ---- waiting requests ---- */

static enum tr_status add_wait(struct tr_counters *c, size_t i, struct tr_error *err)
{
    const struct tr_batch *b = c->batch;
    struct tr__unit *u = unit_of(c, b->track[i]);
    uint32_t series;
    int64_t end = tr_time_sum(b->ts[i], b->dur[i]);
    if (!u || !series_of(c, u, TR_COUNTER_WAITING, b->track[i], &series))
        return tr_fail_memory(err);
    if (!b->dur[i] || end == TR_TIME_NONE)
        return TR_OK;
    enum tr_status st = tr__counters_change(c, b->ts[i], false, series, 1, b->record[i], err);
    return st == TR_OK ? tr__counters_change(c, end, true, series, -1, b->record[i], err) : st;
}

/* ---- feeding ---- */

bool tr__counters_begin_stamped(struct tr_counters *c, const struct tr_batch *b)
{
    size_t n = b->dict->n_tracks;
    if (!tr_grow(&c->unit_of, &c->cap_unit_of, n + 1, sizeof *c->unit_of))
        return false;
    for (; c->n_unit_of < n; c->n_unit_of++)
        c->unit_of[c->n_unit_of] = 0;
    return tr_stamps_begin(&c->stamps, b) && tr_arg_read(&c->charge, b, TR_PLACE_ARGS, "Power");
}

enum tr_status tr__counters_stamped(struct tr_counters *c, size_t i, bool keep, struct tr_error *err)
{
    struct tr_stamps s;
    if (tr_stamps_take(&c->stamps, c->batch, i, &s) != TR_STAMPS_FOUND || !keep)
        return TR_OK;
    if (s.part == TR_STAMP_PREP)
        return c->opts.which & 1u << TR_COUNTER_WAITING ? add_wait(c, i, err) : TR_OK;
    return c->opts.which & 1u << TR_COUNTER_POWER ? add_reading(c, i, &s, err) : TR_OK;
}

enum tr_status tr__counters_end_stamped(struct tr_counters *c, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (uint32_t track = 0; track < c->n_unit_of; track++) {
        struct tr__unit *u = c->unit_of[track] ? &c->units[c->unit_of[track] - 1] : NULL;
        while (st == TR_OK && u && u->n_later) {
            struct tr__charge next = pop(u);
            st = take_reading(c, u, track, &next, err);
        }
    }
    for (size_t i = 0; i < c->n_units && st == TR_OK; i++) {
        const struct tr__unit *u = &c->units[i];
        if (u->power)
            st = tr__counters_change(c, u->last.ts, false, u->power - 1, -u->watts, u->last.record, err);
    }
    return st;
}

void tr__counters_free_stamped(struct tr_counters *c)
{
    for (size_t u = 0; u < c->n_units; u++)
        free(c->units[u].later);
    free(c->units);
    free(c->unit_of);
    tr_stamps_free(&c->stamps);
    tr_arg_free(&c->charge);
}
