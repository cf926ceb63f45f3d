/* SPDX-License-Identifier: MIT */
/* Clocks: converts times from one clock to another, and records the changes to the times of tracks. */
#include "stream/tr_clock.h"

#include "base/tr_int128.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "stream/tr_event.h"

#include <stdlib.h>

static uint64_t size_of(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* round((t - origin) * drift / (unit + drift)), halves up.  t - origin may need 65 bits: its size fits
 * 64. */
static int64_t drift_at(const struct tr_clock *c, int64_t t)
{
    if (c->drift == 0)
        return 0;
    uint64_t away =
        t >= c->origin ? (uint64_t)t - (uint64_t)c->origin : (uint64_t)c->origin - (uint64_t)t;
    uint64_t d = (uint64_t)(TR_DRIFT_UNIT + c->drift), rest;
    uint64_t whole = tr_u128_div(tr_u128_mul(away, size_of(c->drift)), d, &rest).lo; /* less than away */
    bool negative = (t < c->origin) != (c->drift < 0);
    if (negative)
        return -(int64_t)(whole + (2 * rest > d));
    return (int64_t)(whole + (2 * rest >= d));
}

/* a - b.  False: beyond 64 bits, or equal to TR_TIME_NONE. */
static bool subtract(int64_t a, int64_t b, int64_t *out)
{
    if (b > 0 ? a <= INT64_MIN + b : a > INT64_MAX + b)
        return false;
    *out = a - b;
    return *out != TR_TIME_NONE;
}

bool tr_clock_apply(const struct tr_clock *c, int64_t old, int64_t *now)
{
    int64_t t;
    return subtract(old, c->offset, &t) && subtract(t, drift_at(c, old), now);
}

bool tr_clock_invert(const struct tr_clock *c, int64_t now, bool upper, int64_t *old)
{
    struct tr_clock back = { .origin = c->origin, .drift = c->drift };
    int64_t t, at;
    if (c->offset == INT64_MIN || !subtract(now, -c->offset, &t))
        return false;
    /* new = old - offset - D(old), and D grows by less than 1 in 900, so a few rounds come close. */
    int64_t start = t;
    for (int i = 0; i < 8; i++)
        if (!subtract(start, -drift_at(&back, t), &t))
            return false;
    while (tr_clock_apply(c, t, &at) && at >= now)
        if (!subtract(t, 1, &t))
            return false;
    do {
        if (!subtract(t, -1, &t) || !tr_clock_apply(c, t, &at))
            return false;
    } while (at < now);
    return subtract(t, upper ? -1 : 0, old);
}

bool tr_clock_add_fix(struct tr_clock *c, uint64_t record, uint8_t bits)
{
    if (!tr_grow(&c->fixes, &c->cap_fixes, c->n_fixes + 1, sizeof *c->fixes))
        return false;
    c->fixes[c->n_fixes++] = (struct tr_clock_fix){ record, bits };
    return true;
}

bool tr_clock_add_step_fix(struct tr_clock *c, uint64_t place)
{
    if (!tr_grow(&c->step_fixes, &c->cap_step_fixes, c->n_step_fixes + 1, sizeof *c->step_fixes))
        return false;
    c->step_fixes[c->n_step_fixes++] = place;
    return true;
}

TR_ORDER(by_record, struct tr_clock_fix, TR_UP(record))

void tr_clock_sort_fixes(struct tr_clock *c)
{
    if (c->n_fixes > 1)
        qsort(c->fixes, c->n_fixes, sizeof *c->fixes, by_record);
}

uint8_t tr_clock_fix_of(const struct tr_clock *c, uint64_t record)
{
    const struct tr_clock_fix key = { record, 0 };
    const struct tr_clock_fix *f =
        c->n_fixes ? bsearch(&key, c->fixes, c->n_fixes, sizeof *c->fixes, by_record) : NULL;
    return f ? f->bits : 0;
}
