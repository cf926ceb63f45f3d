/* SPDX-License-Identifier: MIT */
/* Moving the times of whole batches from one clock to another, and back. */
#include "stream/tr_clock_apply.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

/* The change of a source, and the span of its events after the change. */
struct plan {
    struct tr_clock host, device; /* forward */
    bool set, has_device;
    int64_t first, last; /* of its events, after the change */
};

struct tr_clock_apply {
    const struct tr_dict *in;
    struct plan *plans; /* by source */
    size_t n_sources;
    bool undo;
    struct tr_clock *made; /* forward: new clocks, in the order in which tracks needed them */
    size_t n_made, cap_made;
    size_t *made_of; /* by track: number among made, + 1 */
    size_t n_made_of, cap_made_of;
    bool *top;             /* undo, by clock: the last one of its tracks */
    struct tr_batch batch; /* the result */
    int64_t *ts, *dur, *launch_ts, *launch_dur;
    size_t cap_ts, cap_dur, cap_launch_ts, cap_launch_dur;
    struct tr_col *cols;
    size_t cap_cols;
    struct tr_dict dict; /* the result's; tracks and the array of clocks are its own */
    struct tr_summary *summary;
};

enum tr_status tr_clock_apply_new(struct tr_clock_apply **out, const struct tr_dict *dict, struct tr_error *err)
{
    struct tr_clock_apply *r = calloc(1, sizeof *r);
    if (r)
        r->plans = calloc(dict->n_sources + 1, sizeof *r->plans);
    if (!r || !r->plans) {
        free(r);
        return tr_fail_memory(err);
    }
    r->in = dict;
    r->n_sources = dict->n_sources;
    for (size_t i = 0; i < r->n_sources; i++)
        r->plans[i].first = r->plans[i].last = TR_TIME_NONE;
    *out = r;
    return TR_OK;
}

void tr_clock_apply_free(struct tr_clock_apply *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n_made; i++) {
        free(r->made[i].fixes);
        free(r->made[i].step_fixes);
    }
    free(r->plans);
    free(r->made);
    free(r->made_of);
    free(r->top);
    free(r->ts);
    free(r->dur);
    free(r->launch_ts);
    free(r->launch_dur);
    free(r->cols);
    free(r->dict.tracks);
    free(r->dict.clocks);
    tr_summary_free(r->summary);
    free(r);
}

static struct tr_clock new_clock(uint32_t source, const struct tr_clock *from)
{
    return (struct tr_clock){ .source = source,
                              .frame = from->frame,
                              .origin = from->origin,
                              .offset = from->offset,
                              .drift = from->drift,
                              .first_ts = TR_TIME_NONE,
                              .last_end = TR_TIME_NONE };
}

void tr_clock_apply_set(struct tr_clock_apply *r, uint32_t source, const struct tr_clock *host,
                        const struct tr_clock *device)
{
    struct plan *p = &r->plans[source];
    p->set = true;
    p->host = new_clock(source, host);
    p->has_device = device != NULL;
    if (device)
        p->device = new_clock(source, device);
}

enum tr_status tr_clock_apply_undo(struct tr_clock_apply *r, struct tr_error *err)
{
    const struct tr_dict *d = r->in;
    size_t moved = 0; /* clocks to which tracks were moved */
    for (size_t i = 0; i < d->n_clocks; i++)
        moved += !d->clocks[i].domain;
    if (moved == 0)
        return TR_NO;
    r->undo = true;
    r->top = calloc(d->n_clocks, sizeof *r->top);
    if (!r->top)
        return tr_fail_memory(err);
    memset(r->top, 1, d->n_clocks * sizeof *r->top);
    for (size_t i = 0; i < d->n_clocks; i++) {
        uint32_t before = d->clocks[i].before;
        if (d->clocks[i].domain)
            r->top[i] = false;
        if (before && before <= d->n_clocks)
            r->top[before - 1] = false;
    }
    return TR_OK;
}

/* ---- the clock of a track ---- */

static bool same_rule(const struct tr_clock *a, const struct tr_clock *b)
{
    return a->origin == b->origin && a->offset == b->offset && a->drift == b->drift;
}

/* The new clock for one rule and one clock before it; it is added if it is new.  0: out of memory. */
static size_t find_made(struct tr_clock_apply *r, const struct tr_clock *rule, uint32_t before)
{
    for (size_t i = 0; i < r->n_made; i++)
        if (r->made[i].source == rule->source && r->made[i].before == before &&
            same_rule(&r->made[i], rule))
            return i + 1;
    if (!tr_grow(&r->made, &r->cap_made, r->n_made + 1, sizeof *r->made))
        return 0;
    r->made[r->n_made] = *rule;
    r->made[r->n_made].before = before;
    return ++r->n_made;
}

static bool place_tracks(struct tr_clock_apply *r)
{
    if (r->undo || r->n_made_of == r->in->n_tracks)
        return true;
    if (!tr_grow(&r->made_of, &r->cap_made_of, r->in->n_tracks, sizeof *r->made_of))
        return false;
    for (; r->n_made_of < r->in->n_tracks; r->n_made_of++) {
        const struct tr_track *t = &r->in->tracks[r->n_made_of];
        const struct plan *p = &r->plans[t->source];
        const struct tr_clock *rule =
            p->has_device && t->side == TR_SIDE_DEVICE ? &p->device : &p->host;
        size_t made = p->set ? find_made(r, rule, t->clock) : 0;
        if (p->set && !made)
            return false;
        r->made_of[r->n_made_of] = made;
    }
    return true;
}

/* The clock whose rule moves the times of a track; NULL: they do not change. */
static struct tr_clock *clock_of(const struct tr_clock_apply *r, uint32_t track)
{
    if (!r->undo)
        return r->made_of[track] ? &r->made[r->made_of[track] - 1] : NULL;
    uint32_t n = r->in->tracks[track].clock;
    return n && n <= r->in->n_clocks && r->top[n - 1] ? &r->in->clocks[n - 1] : NULL;
}

/* ---- times ---- */

/* Move a time; *bits has or gets the bit if the inverse alone does not give the old time. */
static bool move(const struct tr_clock_apply *r, const struct tr_clock *c, int64_t *t, uint8_t bit, uint8_t *bits)
{
    int64_t old = *t, before;
    if (r->undo)
        return tr_clock_invert(c, old, *bits & bit, t);
    if (!tr_clock_apply(c, old, t))
        return false;
    if (c->drift > 0 && tr_clock_apply(c, old - 1, &before) && before == *t)
        *bits |= bit;
    return true;
}

/* start + dur in range? */
static bool has_end(int64_t start, int64_t dur)
{
    return dur <= INT64_MAX - (start > 0 ? start : 0);
}

/*
 * Move the start and the end of a span.  A duration does not change if it is absent or negative, or if the end does not
 * fit; bit[2] is set in the last case.
 */
static bool move_span(const struct tr_clock_apply *r, const struct tr_clock *c, int64_t *start, int64_t *dur,
                      bool may_move, const uint8_t bit[3], uint8_t *bits)
{
    int64_t old = *start, end;
    if (!move(r, c, start, bit[0], bits))
        return false;
    if (*dur == TR_TIME_NONE || *dur < 0 || !may_move)
        return true;
    if (r->undo ? (*bits & bit[2]) != 0 : !has_end(old, *dur)) {
        *bits |= bit[2];
        return true;
    }
    if (!has_end(old, *dur))
        return false;
    end = old + *dur;
    if (!move(r, c, &end, bit[1], bits))
        return false;
    *dur = tr_time_diff(end, *start);
    return *dur != TR_TIME_NONE;
}

static const uint8_t own_bits[3] = { TR_FIX_TS, TR_FIX_END, TR_FIX_DUR };
static const uint8_t launch_bits[3] = { TR_FIX_LAUNCH_TS, TR_FIX_LAUNCH_END, TR_FIX_LAUNCH_DUR };

static void note_span(struct plan *p, int64_t ts, int64_t dur, unsigned suspect)
{
    if (ts == TR_TIME_NONE || suspect != TR_SUSPECT_NO)
        return;
    int64_t used = tr_dur_used(dur, suspect), end = ts + (used > 0 && has_end(ts, used) ? used : 0);
    if (p->first == TR_TIME_NONE || ts < p->first)
        p->first = ts;
    if (p->last == TR_TIME_NONE || end > p->last)
        p->last = end;
}

/* Is the duration moved?  Impossible durations do not change. */
static bool dur_moves(unsigned suspect)
{
    return suspect == TR_SUSPECT_NO || suspect == TR_SUSPECT_BEFORE_BASE;
}

/* Move event i, whose launch is at *launch among the packed entries. */
static enum tr_status move_event(struct tr_clock_apply *r, const struct tr_batch *b, size_t i, size_t *launch,
                                 struct tr_error *err)
{
    struct tr_clock *c = clock_of(r, b->track[i]);
    uint8_t bits = r->undo && c ? tr_clock_fix_of(c, b->record[i]) : 0;
    bool ok = true;
    if (c && r->ts[i] != TR_TIME_NONE)
        ok = move_span(r, c, &r->ts[i], &r->dur[i], dur_moves(b->suspect[i]), own_bits, &bits);
    if (b->flags[i] & TR_HAS_LAUNCH) {
        size_t at = (*launch)++;
        const struct tr_clock *of = clock_of(r, (uint32_t)b->cols[TR_COL_LAUNCH_TRACK].v.i64[at]);
        if (of && r->launch_ts[at] != TR_TIME_NONE)
            ok = ok &&
                 move_span(r, of, &r->launch_ts[at], &r->launch_dur[at], true, launch_bits, &bits);
    }
    if (!ok) {
        tr_error_place(err, "record %llu", (unsigned long long)b->record[i]);
        return tr_fail(err, TR_DAMAGED, "its times leave the range of 64 bits when moved");
    }
    if (!r->undo && c && bits && !tr_clock_add_fix(c, b->record[i], bits))
        return tr_fail_memory(err);
    note_span(&r->plans[b->dict->tracks[b->track[i]].source], r->ts[i], r->dur[i], b->suspect[i]);
    return TR_OK;
}

static bool own_copy(int64_t **to, size_t *cap, const int64_t *from, size_t n)
{
    if (!tr_grow(to, cap, n + 1, sizeof **to))
        return false;
    if (n)
        memcpy(*to, from, n * sizeof **to);
    return true;
}

enum tr_status tr_clock_apply_batch(struct tr_clock_apply *r, const struct tr_batch *b, const struct tr_batch **out,
                                    struct tr_error *err)
{
    const struct tr_col *ts = &b->cols[TR_COL_LAUNCH_TS], *dur = &b->cols[TR_COL_LAUNCH_DUR];
    bool launches = b->n_cols >= TR_N_DERIVED;
    size_t launch = 0;
    if (!place_tracks(r) || !own_copy(&r->ts, &r->cap_ts, b->ts, b->n) ||
        !own_copy(&r->dur, &r->cap_dur, b->dur, b->n) ||
        (launches && (!own_copy(&r->launch_ts, &r->cap_launch_ts, ts->v.i64, ts->n) ||
                      !own_copy(&r->launch_dur, &r->cap_launch_dur, dur->v.i64, dur->n))) ||
        !tr_grow(&r->cols, &r->cap_cols, b->n_cols + 1, sizeof *r->cols))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        enum tr_status st = move_event(r, b, i, &launch, err);
        if (st != TR_OK)
            return st;
    }
    if (b->n_cols)
        memcpy(r->cols, b->cols, b->n_cols * sizeof *r->cols);
    if (launches) {
        r->cols[TR_COL_LAUNCH_TS].v.i64 = r->launch_ts;
        r->cols[TR_COL_LAUNCH_DUR].v.i64 = r->launch_dur;
    }
    r->batch = *b;
    r->batch.ts = r->ts;
    r->batch.dur = r->dur;
    r->batch.cols = r->cols;
    *out = &r->batch;
    return TR_OK;
}

/* ---- dictionary ---- */

static bool is_host_rule(const struct tr_clock_apply *r, const struct tr_clock *c)
{
    return same_rule(c, &r->plans[c->source].host);
}

/* The number of the last clock of a source, 0 if it has none. */
static uint32_t last_clock(const struct tr_dict *d, uint32_t source)
{
    for (size_t i = d->n_clocks; i > 0; i--)
        if (d->clocks[i - 1].source == source)
            return (uint32_t)i;
    return 0;
}

/* Choose for each source the clock with the span of its summary. */
static bool choose_keepers(struct tr_clock_apply *r)
{
    for (uint32_t s = 0; s < r->n_sources; s++) {
        size_t at = 0;
        if (!r->plans[s].set)
            continue;
        for (size_t i = 0; i < r->n_made && !at; i++)
            if (r->made[i].source == s && is_host_rule(r, &r->made[i]))
                at = i + 1;
        if (!at)
            at = find_made(r, &r->plans[s].host, last_clock(r->in, s));
        if (!at)
            return false;
        r->made[at - 1].keeps_summary = true;
    }
    return true;
}

static bool forward_dict(struct tr_clock_apply *r)
{
    struct tr_dict *d = &r->dict;
    size_t n = r->in->n_clocks;
    d->clocks = calloc(n + r->n_made + 1, sizeof *d->clocks);
    if (!d->clocks)
        return false;
    if (n)
        memcpy(d->clocks, r->in->clocks, n * sizeof *d->clocks);
    for (size_t i = 0; i < r->n_made; i++) {
        tr_clock_sort_fixes(&r->made[i]);
        d->clocks[n + i] = r->made[i];
    }
    d->n_clocks = n + r->n_made;
    for (size_t i = 0; i < d->n_tracks; i++)
        if (r->made_of[i])
            d->tracks[i].clock = (uint32_t)(n + r->made_of[i]);
    return true;
}

/* The number of a clock after the last clocks of all tracks are removed. */
static uint32_t left_number(const struct tr_clock_apply *r, uint32_t clock)
{
    uint32_t n = 0;
    if (clock > r->in->n_clocks) /* without a row */
        return clock;
    for (uint32_t i = 0; i < clock; i++)
        n += !r->top[i];
    return n;
}

static bool backward_dict(struct tr_clock_apply *r)
{
    struct tr_dict *d = &r->dict;
    d->clocks = calloc(r->in->n_clocks + 1, sizeof *d->clocks);
    if (!d->clocks)
        return false;
    d->n_clocks = 0;
    for (size_t i = 0; i < r->in->n_clocks; i++)
        if (!r->top[i]) {
            struct tr_clock *c = &d->clocks[d->n_clocks++];
            *c = r->in->clocks[i];
            c->before = left_number(r, c->before);
        }
    for (size_t i = 0; i < d->n_tracks; i++) {
        const struct tr_clock *c = clock_of(r, (uint32_t)i);
        d->tracks[i].clock = left_number(r, c ? c->before : d->tracks[i].clock);
    }
    return true;
}

/* ---- summary ---- */

static bool move_steps(struct tr_clock_apply *r, struct tr_clock *c, struct tr_source_summary *s)
{
    size_t at = 0;
    for (size_t i = 0; i < 2 * s->n_steps; i++) {
        struct tr_step *step = &s->steps[i / 2];
        uint8_t bits = r->undo && at < c->n_step_fixes && c->step_fixes[at] == i;
        at += bits;
        if (!move(r, c, i & 1 ? &step->end : &step->start, 1, &bits) ||
            (!r->undo && bits && !tr_clock_add_step_fix(c, i)))
            return false;
    }
    return true;
}

/* False: they leave the range. */
static bool move_lags(struct tr_source_summary *s, int64_t by)
{
    bool known = s->lag_min != TR_TIME_NONE;
    s->lag_min = tr_time_sum(s->lag_min, by);
    s->lag_max = tr_time_sum(s->lag_max, by);
    return !known || (s->lag_min != TR_TIME_NONE && s->lag_max != TR_TIME_NONE);
}

/* By how much the device's tracks moved against the host's: a later origin, an earlier time. */
static int64_t device_shift(const struct tr_clock *host, const struct tr_clock *device)
{
    return tr_time_diff(host->origin, device->origin);
}

static bool forward_source(struct tr_clock_apply *r, struct tr_clock *c, bool filtered, struct tr_source_summary *s)
{
    const struct plan *p = &r->plans[c->source];
    uint8_t none = 0;
    c->first_ts = s->first_ts;
    c->last_end = s->last_end;
    if (s->first_ts != TR_TIME_NONE &&
        (!move(r, c, &s->first_ts, 0, &none) || !move(r, c, &s->last_end, 0, &none)))
        return false;
    if (p->has_device) {
        if (!move_lags(s, device_shift(&p->host, &p->device)))
            return false;
        if (!filtered && p->first != TR_TIME_NONE) {
            s->first_ts = p->first;
            s->last_end = p->last;
        }
    }
    return move_steps(r, c, s);
}

static bool backward_source(struct tr_clock_apply *r, struct tr_clock *c, struct tr_source_summary *s)
{
    s->first_ts = c->first_ts;
    s->last_end = c->last_end;
    for (size_t i = 0; i < r->in->n_clocks; i++) {
        const struct tr_clock *other = &r->in->clocks[i];
        if (r->top[i] && other->source == c->source && other->origin != c->origin) {
            if (!move_lags(s, device_shift(other, c)))
                return false;
            break;
        }
    }
    return move_steps(r, c, s);
}

static enum tr_status move_summary(struct tr_clock_apply *r, const struct tr_summary *from, struct tr_error *err)
{
    size_t n = r->undo ? r->in->n_clocks : r->n_made;
    struct tr_clock *clocks = r->undo ? r->in->clocks : r->made;
    r->summary = tr_summary_copy(from);
    if (!r->summary)
        return tr_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        struct tr_clock *c = &clocks[i];
        if (!c->keeps_summary || c->source >= from->n || (r->undo && !r->top[i]))
            continue;
        struct tr_source_summary *s = &r->summary->sources[c->source];
        if (!(r->undo ? backward_source(r, c, s) : forward_source(r, c, from->filtered, s)))
            return tr_fail(err, TR_DAMAGED, "times of the summary leave the range of 64 bits");
    }
    return TR_OK;
}

enum tr_status tr_clock_apply_end(struct tr_clock_apply *r, const struct tr_summary *summary,
                                  const struct tr_dict **out_dict, const struct tr_summary **out_summary,
                                  struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!place_tracks(r) || (!r->undo && !choose_keepers(r)))
        return tr_fail_memory(err);
    if (summary)
        st = move_summary(r, summary, err);
    if (st != TR_OK)
        return st;
    r->dict = *r->in;
    r->dict.clocks = NULL;
    r->dict.tracks = calloc(r->in->n_tracks + 1, sizeof *r->dict.tracks);
    if (!r->dict.tracks)
        return tr_fail_memory(err);
    if (r->in->n_tracks)
        memcpy(r->dict.tracks, r->in->tracks, r->in->n_tracks * sizeof *r->dict.tracks);
    if (!(r->undo ? backward_dict(r) : forward_dict(r)))
        return tr_fail_memory(err);
    *out_dict = &r->dict;
    *out_summary = r->summary;
    return TR_OK;
}
