/* SPDX-License-Identifier: MIT */
/* Interval arithmetic over a stream: unions, and time per set of active classes. */
#include "base/tr_interval.h"

#include <stdlib.h>
#include <string.h>

bool tr_sweep_init(struct tr_sweep *s, unsigned n_classes)
{
    memset(s, 0, sizeof *s);
    if (n_classes > TR_SWEEP_MAX_CLASSES)
        return false;
    s->n_classes = n_classes;
    s->sum_ns = calloc((size_t)1 << n_classes, sizeof *s->sum_ns);
    return s->sum_ns != NULL;
}

void tr_sweep_free(struct tr_sweep *s)
{
    if (!s)
        return;
    free(s->sum_ns);
    memset(s, 0, sizeof *s);
}

/* Advance to a moment, and close classes that end before. */
static void advance(struct tr_sweep *s, int64_t to_ns)
{
    while (s->now_ns < to_ns) {
        int64_t next = to_ns;
        for (unsigned c = 0; c < s->n_classes; c++)
            if (s->active >> c & 1u && s->end_ns[c] < next)
                next = s->end_ns[c];
        s->sum_ns[s->active] += (uint64_t)next - (uint64_t)s->now_ns;
        s->now_ns = next;
        for (unsigned c = 0; c < s->n_classes; c++)
            if (s->active >> c & 1u && s->end_ns[c] <= next)
                s->active &= ~(1u << c);
    }
}

void tr_sweep_add(struct tr_sweep *s, int64_t start_ns, int64_t end_ns, uint32_t classes)
{
    if (!s->started) {
        s->started = true;
        s->now_ns = s->last_ns = start_ns;
    }
    advance(s, start_ns);
    if (end_ns <= start_ns)
        end_ns = start_ns;
    if (end_ns > s->last_ns)
        s->last_ns = end_ns;
    if (end_ns == start_ns)
        return;
    for (unsigned c = 0; c < s->n_classes; c++) {
        if (!(classes >> c & 1u))
            continue;
        if (!(s->active >> c & 1u) || end_ns > s->end_ns[c])
            s->end_ns[c] = end_ns;
        s->active |= 1u << c;
    }
}

void tr_sweep_finish(struct tr_sweep *s)
{
    if (s->started)
        advance(s, s->last_ns);
}
