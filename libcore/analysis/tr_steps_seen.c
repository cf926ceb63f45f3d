/* SPDX-License-Identifier: MIT */
/* Which steps have a selected event? */
#include "analysis/tr_steps_seen.h"

#include "base/tr_mem.h"
#include "model/tr_steps.h"

#include <stdlib.h>

struct tr_steps_seen {
    struct tr_steps *steps;
    size_t *first; /* by source: the number of its first step; one more entry at the end */
    size_t n_sources;
    bool *seen; /* by number of the step */
    int64_t *launch_ts;
    size_t cap;
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
    free(s->launch_ts);
    free(s);
}

bool tr_steps_seen_feed(struct tr_steps_seen *s, const struct tr_batch *b, const uint8_t *keep)
{
    if (!tr_grow(&s->launch_ts, &s->cap, b->n, sizeof *s->launch_ts))
        return false;
    tr_batch_expand_i64(b, TR_COL_LAUNCH_TS, TR_TIME_NONE, s->launch_ts);
    for (size_t i = 0; i < b->n; i++) {
        if (keep && !keep[i])
            continue;
        uint32_t source = b->dict->tracks[b->track[i]].source;
        int64_t ts = tr_steps_time(s->steps, b, i, s->launch_ts[i]);
        size_t place = ts == TR_TIME_NONE ? SIZE_MAX : tr_steps_place(s->steps, source, ts);
        if (place != SIZE_MAX && source < s->n_sources)
            s->seen[s->first[source] + place] = true;
    }
    return true;
}

bool tr_steps_seen_has(const struct tr_steps_seen *s, uint32_t source, size_t place)
{
    return source < s->n_sources && place < s->first[source + 1] - s->first[source] &&
           s->seen[s->first[source] + place];
}
