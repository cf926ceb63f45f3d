/* SPDX-License-Identifier: MIT */
/* The training step that a moment belongs to, by source. */
#include "model/tr_steps.h"

#include "base/tr_mem.h"

#include <stdlib.h>

/* The time of one source, split where the current step changes. */
struct piece {
    int64_t start; /* up to the next piece's; of pieces that start together the last counts */
    int64_t number;
    bool in_step;
};

struct source_pieces {
    struct piece *pieces;
    size_t n, cap;
};

struct tr_steps {
    struct source_pieces *sources;
    size_t n;
};

static bool add_piece(struct source_pieces *p, int64_t start, const struct tr_step *step)
{
    if (!tr_grow(&p->pieces, &p->cap, p->n + 1, sizeof *p->pieces))
        return false;
    p->pieces[p->n++] = (struct piece){ start, step ? step->number : 0, step != NULL };
    return true;
}

/* Leave steps that end by a moment; the step that started before them counts again. */
static bool leave(struct source_pieces *p, const struct tr_step **open, size_t *n_open,
                  int64_t until)
{
    bool ok = true;
    while (ok && *n_open && open[*n_open - 1]->end <= until) {
        int64_t end = open[*n_open - 1]->end;
        while (*n_open && open[*n_open - 1]->end <= end)
            --*n_open;
        ok = add_piece(p, end, *n_open ? open[*n_open - 1] : NULL);
    }
    return ok;
}

static bool cut(struct source_pieces *p, const struct tr_source_summary *s)
{
    const struct tr_step **open = calloc(s->n_steps ? s->n_steps : 1, sizeof *open);
    size_t n_open = 0;
    bool ok = open != NULL;
    for (size_t i = 0; ok && i < s->n_steps; i++) {
        const struct tr_step *step = &s->steps[i];
        ok = leave(p, open, &n_open, step->start);
        if (!ok || step->end <= step->start)
            continue;
        ok = add_piece(p, step->start, step);
        open[n_open++] = step;
    }
    ok = ok && leave(p, open, &n_open, INT64_MAX);
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

bool tr_steps_find(const struct tr_steps *s, uint32_t source, int64_t ts, int64_t *number)
{
    if (source >= s->n || ts == TR_TIME_NONE)
        return false;
    const struct source_pieces *p = &s->sources[source];
    size_t low = 0, high = p->n; /* pieces below low start by ts, those from high on after */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->pieces[mid].start <= ts)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0 || !p->pieces[low - 1].in_step)
        return false;
    *number = p->pieces[low - 1].number;
    return true;
}
