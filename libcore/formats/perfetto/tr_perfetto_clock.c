/* SPDX-License-Identifier: MIT */
/*
 * Reader of Perfetto's traces: clocks.
 *
 * A snapshot has the values of several clocks at one moment.  All times are converted to the clock of the trace, by the
 * last snapshot at or before them that has both clocks.  Times of an incremental clock are distances from the packet
 * before.
 */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include "base/tr_sort.h"
#include "base/tr_time.h"

#include <stdlib.h>

enum { SNAPSHOT_CLOCK = 1, SNAPSHOT_PRIMARY = 2 };
enum { CLOCK_ID = 1, CLOCK_TIME = 2, CLOCK_INCREMENTAL = 3, CLOCK_UNIT = 4 };
enum { CLOCK_REALTIME = 1, CLOCK_BOOT = 6 };
enum { FIRST_OWN = 64, LAST_OWN = 127 }; /* clocks of one writer */

/* The value of one clock in a snapshot. */
struct reading {
    uint32_t id;
    int64_t at; /* ns, TR_TIME_NONE: out of range */
    uint64_t unit;
    bool incremental;
};

static uint64_t key_of(uint32_t sequence, uint32_t id)
{
    return id >= FIRST_OWN && id <= LAST_OWN ? (uint64_t)sequence << 32 | id : id;
}

static int64_t scaled(uint64_t v, uint64_t unit)
{
    return v <= (uint64_t)(INT64_MAX - 1) / (unit ? unit : 1) ? (int64_t)(v * (unit ? unit : 1)) : TR_TIME_NONE;
}

static struct reading read_clock(struct tr__proto m)
{
    struct reading c = { .unit = 1 };
    uint64_t at = 0;
    while (tr__proto_next(&m)) {
        if (m.wire != TR__WIRE_VARINT)
            continue;
        if (m.field == CLOCK_ID)
            c.id = (uint32_t)m.v;
        else if (m.field == CLOCK_TIME)
            at = m.v;
        else if (m.field == CLOCK_INCREMENTAL)
            c.incremental = m.v != 0;
        else if (m.field == CLOCK_UNIT)
            c.unit = m.v;
    }
    c.at = scaled(at, c.unit);
    return c;
}

static struct tr__clock *clock_of(struct tr__perfetto_reader *r, uint64_t key)
{
    uint32_t at = tr__numbers_get(&r->clock_of, key);
    if (at != UINT32_MAX)
        return &r->clocks[at];
    if (!tr_grow(&r->clocks, &r->cap_clocks, r->n_clocks + 1, sizeof *r->clocks) ||
        !tr__numbers_set(&r->clock_of, key, (uint32_t)r->n_clocks)) {
        tr__perfetto_no_memory(r);
        return NULL;
    }
    r->clocks[r->n_clocks] = (struct tr__clock){ .unit = 1 };
    return &r->clocks[r->n_clocks++];
}

static bool add_pair(struct tr__perfetto_reader *r, struct tr__clock *c, int64_t at, int64_t to)
{
    if (!tr_grow(&c->pairs, &c->cap, c->n + 1, sizeof *c->pairs))
        return tr__perfetto_no_memory(r);
    c->uneven |= c->n > 0 && (uint64_t)to - (uint64_t)at != (uint64_t)c->pairs[0].to - (uint64_t)c->pairs[0].at;
    c->pairs[c->n++] = (struct tr__clock_pair){ at, to };
    c->sorted = false;
    r->n_pairs++;
    return true;
}

bool tr__perfetto_snapshot(struct tr__perfetto_reader *r, const struct tr__packet *packet)
{
    struct tr__proto m = tr__proto_of(packet->body.data, packet->body.len);
    int64_t primary = TR_TIME_NONE, real = TR_TIME_NONE;
    bool ok = true;
    for (struct tr__proto k = m; tr__proto_next(&k);)
        if (tr__proto_is(&k, SNAPSHOT_PRIMARY, TR__WIRE_VARINT) && !r->has_primary) {
            r->no_nests |= r->by_clock && r->primary != (uint32_t)k.v;
            r->primary = (uint32_t)k.v;
            r->has_primary = true;
        }
    for (struct tr__proto k = m; tr__proto_next(&k);) {
        struct reading c = read_clock(tr__proto_inner(&k));
        if (k.field != SNAPSHOT_CLOCK)
            continue;
        primary = c.id == r->primary ? c.at : primary;
        real = c.id == CLOCK_REALTIME ? c.at : real;
    }
    if (!r->second && !r->has_base && primary != TR_TIME_NONE && real != TR_TIME_NONE && r->primary != CLOCK_REALTIME) {
        r->has_base = true;
        r->base = real - primary; /* both from 0 on */
    }
    while (ok && tr__proto_next(&m)) {
        if (!tr__proto_is(&m, SNAPSHOT_CLOCK, TR__WIRE_BYTES))
            continue;
        struct reading c = read_clock(tr__proto_inner(&m));
        struct tr__clock *clock = c.at == TR_TIME_NONE ? NULL : clock_of(r, key_of(packet->sequence, c.id));
        if (c.at == TR_TIME_NONE)
            continue;
        ok = clock != NULL;
        if (!ok)
            break;
        r->in_order |= c.incremental || clock->incremental || (clock->seen && clock->unit != (c.unit ? c.unit : 1));
        clock->seen = true;
        clock->unit = c.unit ? c.unit : 1;
        clock->incremental = c.incremental;
        clock->now = c.at;
        if (!r->second && primary != TR_TIME_NONE && c.id != r->primary)
            ok = add_pair(r, clock, c.at, primary);
    }
    return ok;
}

TR_ORDER(by_time, struct tr__clock_pair, TR_UP(at), TR_UP(to))

/* The time of the trace's clock; TR_TIME_NONE: out of range. */
static int64_t convert(struct tr__clock *c, int64_t at)
{
    size_t lo = 0;
    if (!c->sorted)
        qsort(c->pairs, c->n, sizeof *c->pairs, by_time);
    c->sorted = true;
    TR_BOUND(lo, c->n, mid, c->pairs[mid].at <= at);
    const struct tr__clock_pair *p = &c->pairs[lo ? lo - 1 : 0];
    int64_t passed = at - p->at; /* both from 0 on */
    bool fits = passed <= INT64_MAX - 1 - p->to && passed + p->to >= 0; /* before it started, it had no time */
    return fits ? passed + p->to : TR_TIME_NONE;
}

static bool find_time(struct tr__perfetto_reader *r, const struct tr__sequence *s, struct tr__packet *packet)
{
    uint32_t id = packet->has_clock ? packet->clock : s->default_clock;
    uint32_t at = id && id != r->primary ? tr__numbers_get(&r->clock_of, key_of(packet->sequence, id)) : UINT32_MAX;
    struct tr__clock *c = at == UINT32_MAX ? NULL : &r->clocks[at];
    int64_t ts = scaled(packet->ts, c ? c->unit : 1);
    if (ts == TR_TIME_NONE)
        return false;
    if (c && c->incremental) {
        if (ts > INT64_MAX - 1 - c->now)
            return false;
        ts = c->now += ts;
    }
    r->by_clock |= id != 0;
    packet->clock = at;
    packet->lost_clock = id && id != r->primary && (!c || !c->n);
    packet->time = c && c->n ? convert(c, ts) : ts;
    return packet->time != TR_TIME_NONE;
}

void tr__perfetto_sort_clocks(struct tr__perfetto_reader *r)
{
    for (size_t i = 0; i < r->n_clocks; i++) {
        struct tr__clock *c = &r->clocks[i];
        if (!c->sorted && c->n)
            qsort(c->pairs, c->n, sizeof *c->pairs, by_time);
        c->sorted = true;
    }
}

void tr__perfetto_convert_time(struct tr__perfetto_reader *r, const struct tr__sequence *s, struct tr__packet *packet)
{
    packet->timed = packet->has_ts && find_time(r, s, packet);
}

bool tr__perfetto_time(struct tr__perfetto_reader *r, const struct tr__packet *packet, int64_t *ts)
{
    *ts = packet->time;
    if (packet->timed && packet->lost_clock)
        tr__perfetto_damaged(r, TR__LOST_CLOCK, packet->offset);
    return packet->timed;
}

void tr__perfetto_clocks_init(struct tr__perfetto_reader *r)
{
    r->primary = CLOCK_BOOT;
}

void tr__perfetto_clocks_free(struct tr__perfetto_reader *r)
{
    for (size_t i = 0; i < r->n_clocks; i++)
        free(r->clocks[i].pairs);
    free(r->clocks);
    tr__numbers_free(&r->clock_of);
}
