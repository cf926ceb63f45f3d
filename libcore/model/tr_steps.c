/* SPDX-License-Identifier: MIT */
/* The step that a moment belongs to, by source. */
#include "model/tr_steps.h"

#include "base/tr_mem.h"

#include <stdlib.h>

/* The time of one source, split where the current step changes. */
struct piece {
    int64_t start; /* up to the next piece's; of pieces that start together the last counts */
    int64_t number;
    size_t place; /* of the step in the summary */
    bool in_step;
    uint8_t phase; /* of the step */
};

struct source_pieces {
    struct piece *pieces;
    size_t n, cap;
    uint32_t track; /* of the first step; UINT32_MAX: none */
};

struct tr_steps {
    struct source_pieces *sources;
    size_t n;
};

static bool add_piece(struct source_pieces *p, const struct tr_step *all, int64_t start, const struct tr_step *step)
{
    if (!tr_grow(&p->pieces, &p->cap, p->n + 1, sizeof *p->pieces))
        return false;
    p->pieces[p->n++] = (struct piece){
        .start = start, .number = step ? step->number : 0, .in_step = step != NULL,
        .place = step ? (size_t)(step - all) : SIZE_MAX, .phase = step ? step->about.phase : TR_STEP_NO_PHASE
    };
    return true;
}

/* Leave steps that end by a moment; the step that started before them counts again. */
static bool leave(struct source_pieces *p, const struct tr_step *all, const struct tr_step **open, size_t *n_open,
                  int64_t until)
{
    bool ok = true;
    while (ok && *n_open && open[*n_open - 1]->end <= until) {
        int64_t end = open[*n_open - 1]->end;
        while (*n_open && open[*n_open - 1]->end <= end)
            --*n_open;
        ok = add_piece(p, all, end, *n_open ? open[*n_open - 1] : NULL);
    }
    return ok;
}

static bool cut(struct source_pieces *p, const struct tr_source_summary *s)
{
    const struct tr_step **open = calloc(s->n_steps ? s->n_steps : 1, sizeof *open);
    size_t n_open = 0;
    bool ok = open != NULL;
    p->track = s->n_steps ? s->steps[0].track : UINT32_MAX;
    for (size_t i = 0; ok && i < s->n_steps; i++) {
        const struct tr_step *step = &s->steps[i];
        ok = leave(p, s->steps, open, &n_open, step->start);
        if (!ok || step->end <= step->start)
            continue;
        ok = add_piece(p, s->steps, step->start, step);
        open[n_open++] = step;
    }
    ok = ok && leave(p, s->steps, open, &n_open, INT64_MAX);
    free(open);
    return ok;
}

struct tr_steps *tr_steps_new(const struct tr_summary *summary)
{
    struct tr_steps *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->sources = calloc(summary->n ? summary->n : 1, sizeof *s->sources);
    bool ok = s->sources != NULL;
    for (size_t i = 0; ok && i < summary->n; i++, s->n++)
        ok = cut(&s->sources[i], &summary->sources[i]);
    if (ok)
        return s;
    s->n = s->sources ? summary->n : 0;
    tr_steps_free(s);
    return NULL;
}

void tr_steps_free(struct tr_steps *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->n; i++)
        free(s->sources[i].pieces);
    free(s->sources);
    free(s);
}

int64_t tr_steps_time(const struct tr_steps *s, const struct tr_batch *b, size_t i, int64_t launch_ts)
{
    int64_t at = tr_event_host_time(b, i, launch_ts);
    uint32_t source = b->dict->tracks[b->track[i]].source;
    if (at != TR_TIME_NONE || !s || source >= s->n || !tr_is_device_work(b->activity[i]))
        return at;
    uint32_t track = s->sources[source].track;
    return track < b->dict->n_tracks && b->dict->tracks[track].side == TR_SIDE_DEVICE ? b->ts[i] : TR_TIME_NONE;
}

/* The piece of a moment in a step; NULL: it is in no step. */
static const struct piece *find(const struct tr_steps *s, uint32_t source, int64_t ts)
{
    if (source >= s->n || ts == TR_TIME_NONE)
        return NULL;
    const struct source_pieces *p = &s->sources[source];
    size_t low = 0, high = p->n; /* pieces below low start by ts, those from high on after */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->pieces[mid].start <= ts)
            low = mid + 1;
        else
            high = mid;
    }
    return low && p->pieces[low - 1].in_step ? &p->pieces[low - 1] : NULL;
}

bool tr_steps_find(const struct tr_steps *s, uint32_t source, int64_t ts, int64_t *number)
{
    const struct piece *p = find(s, source, ts);
    if (p)
        *number = p->number;
    return p != NULL;
}

size_t tr_steps_place(const struct tr_steps *s, uint32_t source, int64_t ts)
{
    const struct piece *p = find(s, source, ts);
    return p ? p->place : SIZE_MAX;
}

unsigned tr_steps_phase(const struct tr_steps *s, uint32_t source, int64_t ts)
{
    const struct piece *p = find(s, source, ts);
    return p ? p->phase : TR_STEP_NO_PHASE;
}
