/* SPDX-License-Identifier: MIT */
/* Parts of a source: which belong together, and what their summaries are together. */
#include "stream/merge/tr_parts.h"

#include "base/tr_hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- identity ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    return tr_mix64(h ^ v ^ 0xa0761d6478bd642fu, (v << 32 | v >> 32) + 0xe7037ed1a0b428dbu) + h;
}

static uint64_t mix_text(uint64_t h, const struct tr_dict *d, uint32_t id)
{
    struct tr_str s = tr_dict_text_if(d, id);
    return mix(h, id == TR_NO_STR ? 1 : tr_hash(s.s, s.len));
}

/* A time without the base that it counts from. */
static uint64_t mix_time(uint64_t h, const struct tr_source *s, int64_t t)
{
    return t == TR_TIME_NONE ? mix(h, 1) : mix(mix(h, 2), (uint64_t)t + (uint64_t)s->base_ns);
}

/* Parts whose times were changed in different ways do not fit together. */
static uint64_t mix_clock(uint64_t h, const struct tr_source *s, const struct tr_clock *c)
{
    h = mix(h, (uint64_t)(c->domain != 0) | (uint64_t)(c->keeps_summary != 0) << 1);
    h = mix(h, (uint64_t)c->frame);
    h = mix(mix(h, (uint64_t)c->offset), (uint64_t)c->drift);
    return c->domain ? h : mix_time(h, s, c->origin);
}

/* What a source says of its trace.  Merges may change its rank, its capture and the base of its times. */
static uint64_t row_identity(const struct tr_dict *d, uint32_t source)
{
    const struct tr_source *s = &d->sources[source];
    uint64_t h = mix((uint64_t)s->pid, (uint64_t)s->file_base_ns);
    h = mix(h, (uint64_t)(s->has_base != 0) | (uint64_t)(s->partial != 0) << 1 | (uint64_t)(s->bare_array != 0) << 2);
    h = mix_text(h, d, s->name);
    h = mix_text(h, d, s->host);
    h = mix_text(h, d, s->mesh);
    h = mix_text(h, d, s->format);
    h = mix_text(h, d, s->job);
    h = mix(h, (uint64_t)s->n_header << 32 | s->events_at);
    for (uint32_t i = 0; i < s->n_header; i++) {
        h = mix_text(h, d, s->header_keys[i]);
        h = mix_text(h, d, s->header_values[i]);
    }
    for (size_t i = 0; i < d->n_clocks; i++)
        if (d->clocks[i].source == source)
            h = mix_clock(h, s, &d->clocks[i]);
    return h;
}

/* Without launches and lags: an extract counts only launches of work, and tr-align estimates lags. */
uint64_t tr_summary_identity(const struct tr_source *source, const struct tr_source_summary *s)
{
    uint64_t h = mix_time(0, source, s->first_ts);
    h = mix_time(h, source, s->last_end);
    h = mix(h, s->n_events);
    for (unsigned i = 0; i < TR_N_PHASES; i++)
        h = mix(h, s->n_phase[i]);
    for (unsigned i = 0; i < TR_N_ACTIVITIES; i++)
        h = mix(h, s->n_activity[i]);
    for (unsigned i = 0; i < TR_N_SUSPECTS; i++)
        h = mix(h, s->n_suspect[i]);
    h = mix(h, s->n_device_linked);
    h = mix(h, s->n_launches_linked);
    for (size_t i = 0; i < s->n_damage; i++)
        h = mix(mix(h, tr_hash(s->damage[i].name, strlen(s->damage[i].name))), s->damage[i].count);
    return h ? h : 1;
}

struct tr_part tr_part_of(const struct tr_dict *d, const struct tr_summary *s, uint32_t i)
{
    struct tr_part p = { 0 };
    if (!s || i >= s->n || !s->sorted)
        return p;
    p.row = row_identity(d, i);
    p.own = tr_summary_identity(&d->sources[i], &s->sources[i]);
    p.whole = d->sources[i].whole ? d->sources[i].whole : p.own;
    p.filtered = s->filtered;
    p.metadata = s->sources[i].n_phase[TR_META] == s->sources[i].n_events;
    return p;
}

bool tr_parts_of_one(const struct tr_part *a, const struct tr_part *b)
{
    return a->own && b->own && a->row == b->row && a->whole == b->whole;
}

bool tr_part_is(const struct tr_part *p)
{
    return p->filtered || p->whole != p->own;
}

bool tr_parts_join(const struct tr_part *a, const struct tr_part *b)
{
    const bool same_events = a->own == b->own && !a->filtered && !b->filtered && !a->metadata;
    return tr_parts_of_one(a, b) && tr_part_is(a) && tr_part_is(b) && !same_events;
}

/* ---- summaries ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void widen(int64_t *low, int64_t *high, int64_t from, int64_t to)
{
    if (from != TR_TIME_NONE && (*low == TR_TIME_NONE || from < *low))
        *low = from;
    if (to != TR_TIME_NONE && (*high == TR_TIME_NONE || to > *high))
        *high = to;
}

void tr_summary_add_piece(struct tr_source_summary *to, const struct tr_source_summary *from)
{
    const uint64_t meta = larger(to->n_phase[TR_META], from->n_phase[TR_META]);
    const uint64_t twice = to->n_phase[TR_META] + from->n_phase[TR_META] - meta;
    to->n_events += from->n_events - twice;
    for (unsigned i = 0; i < TR_N_PHASES; i++)
        to->n_phase[i] += from->n_phase[i];
    to->n_phase[TR_META] = meta;
    for (unsigned i = 0; i < TR_N_ACTIVITIES; i++)
        to->n_activity[i] += from->n_activity[i];
    to->n_activity[TR_ACT_OTHER] -= twice;
    for (unsigned i = 0; i < TR_N_SUSPECTS; i++)
        to->n_suspect[i] += from->n_suspect[i];
    to->n_suspect[TR_SUSPECT_NO] -= twice;
    to->n_device_linked += from->n_device_linked;
    to->n_launches += from->n_launches;
    to->n_launches_linked += from->n_launches_linked;
    widen(&to->first_ts, &to->last_end, from->first_ts, from->last_end);
    widen(&to->lag_min, &to->lag_max, from->lag_min, from->lag_max);
}

void tr_summary_take_counts(struct tr_source_summary *to, const struct tr_source_summary *from)
{
    const struct tr_source_summary old = *to;
    *to = *from;
    to->steps = old.steps;
    to->n_steps = old.n_steps;
    to->cap_steps = old.cap_steps;
    to->damage = old.damage;
    to->n_damage = old.n_damage;
    to->cap_damage = old.cap_damage;
}

/* ---- steps ---- */

/* Enclosing steps before those inside. */
int tr_step_cmp(const struct tr_step *a, const struct tr_step *b)
{
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return (a->track > b->track) - (a->track < b->track);
}

static int by_order(const void *a, const void *b)
{
    return tr_step_cmp(a, b);
}

bool tr_summary_join_steps(struct tr_source_summary *to, const struct tr_source_summary *from)
{
    size_t n = 0;
    for (size_t i = 0; i < from->n_steps; i++)
        if (!tr_summary_add_step(to, &from->steps[i]))
            return false;
    if (!from->n_steps)
        return true;
    qsort(to->steps, to->n_steps, sizeof *to->steps, by_order);
    for (size_t i = 0; i < to->n_steps; i++)
        if (!n || tr_step_cmp(&to->steps[n - 1], &to->steps[i]) != 0)
            to->steps[n++] = to->steps[i];
    to->n_steps = n;
    return true;
}
