/* SPDX-License-Identifier: MIT */
/* Maps numbers of one dictionary to those of another. */
#include "stream/tr_number_map.h"

#include "base/tr_mem.h"

#include <string.h>

bool tr_number_map_grow_now(struct tr_number_map *m, size_t n)
{
    if (n < m->n)
        return true;
    if (!tr_spilling_grow(&m->in, &m->to, &m->cap, n + 1, sizeof *m->to))
        return false;
    memset(m->to + m->n, 0xff, (m->cap - m->n) * sizeof *m->to);
    m->n = m->cap;
    return true;
}

bool tr_number_map_set(struct tr_number_map *m, uint32_t number, uint32_t to)
{
    if (to == TR_NUMBER_UNKNOWN || !tr_number_map_grow(m, number + (size_t)1))
        return false;
    m->to[number + (size_t)1] = to;
    return true;
}

void tr_number_map_free(struct tr_number_map *m)
{
    tr_spilling_free(&m->in, m->to);
    *m = (struct tr_number_map){ .to = NULL };
}

void tr_track_renumber(struct tr_track *t, tr_number_fn *fn, void *ctx)
{
    if (tr_track_pid_is_text(t))
        t->pid = fn(ctx, (uint32_t)t->pid);
    if (tr_track_tid_is_text(t))
        t->tid = fn(ctx, (uint32_t)t->tid);
    t->process_name = fn(ctx, t->process_name); /* in the order in which readers meet them */
    t->labels = fn(ctx, t->labels);
    t->thread_name = fn(ctx, t->thread_name);
}

void tr_source_renumber(struct tr_source *s, tr_number_fn *fn, void *ctx)
{
    uint32_t *const texts[] = { &s->name, &s->host, &s->job, &s->mesh, &s->format };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = fn(ctx, *texts[i]);
    for (uint32_t i = 0; i < s->n_header; i++) {
        s->header_keys[i] = fn(ctx, s->header_keys[i]);
        s->header_values[i] = fn(ctx, s->header_values[i]);
    }
}
