/* SPDX-License-Identifier: MIT */
/* Which steps have a selected event? */
#include "analysis/time/tr_steps_seen.h"

#include "base/tr_mem.h"
#include "model/tr_steps.h"

#include <stdlib.h>

struct tr_steps_seen {
    struct tr_steps *steps;
    size_t *first; /* by source: the number of its first step; one more entry at the end */
    size_t n_sources;
    bool *seen; /* by number of the step */
    struct tr_step_columns launched;
};

struct tr_steps_seen *tr_steps_seen_new(const struct tr_summary *summary)
{
    struct tr_steps_seen *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->n_sources = summary->n;
    s->first = calloc((size_t)s->n_sources + 1, sizeof *s->first);
    s->steps = tr_steps_new(summary);
    for (size_t i = 0; s->first && i < s->n_sources; i++)
        s->first[i + 1] = s->first[i] + summary->sources[i].n_steps;
    s->seen = s->first ? calloc(s->first[s->n_sources] + 1, sizeof *s->seen) : NULL;
    if (!s->steps || !s->seen) {
        tr_steps_seen_free(s);
        return NULL;
    }
    return s;
}

void tr_steps_seen_free(struct tr_steps_seen *s)
{
    if (!s)
        return;
    tr_steps_free(s->steps);
    free(s->first);
    free(s->seen);
    tr_step_columns_free(&s->launched);
    free(s);
}

bool tr_steps_seen_feed(struct tr_steps_seen *s, const struct tr_batch *b, const uint8_t *keep)
{
    if (!tr_step_columns_read(&s->launched, b))
        return false;
    for (size_t i = 0; i < b->n; i++) {
        if (keep && !keep[i])
            continue;
        struct tr_step_moment at = tr_step_columns_moment(&s->launched, s->steps, b, i);
        size_t place = tr_steps_place(s->steps, b->dict, at);
        if (place != SIZE_MAX && at.source < s->n_sources)
            s->seen[s->first[at.source] + place] = true;
    }
    return true;
}

bool tr_steps_seen_has(const struct tr_steps_seen *s, uint32_t source, size_t place)
{
    return source < s->n_sources && place < s->first[source + 1] - s->first[source] &&
           s->seen[s->first[source] + place];
}
