/* SPDX-License-Identifier: MIT */
/* The process groups of a merged file: each row goes to the source of its group. */
#include "ingest/tr_process_groups_int.h"

#include "vendor/tr_vocab.h"

#include <stdlib.h>

#define RUN_ROWS 65536u /* rows that are sorted at a time */

struct moving {
    struct tr__source_state *l;
    struct tr__groups *g;
    struct tr_external_sort *to;
    struct tr_row_arena rows;
    struct tr_row_ref *refs;
    size_t n, cap;
};

struct tr_source_summary *tr__group_sum(struct tr__file *f, size_t interner, uint32_t track)
{
    return f->groups ? &f->groups->v[tr__process_of(f->groups, interner, track)->group].sum : &f->sum;
}

uint32_t tr__group_of(const struct tr__file *f, size_t interner, uint32_t track)
{
    return f->groups ? tr__process_of(f->groups, interner, track)->group : 0;
}

/* The launch of the work in a row; NULL: unknown. */
static const struct tr_launch *launch_of(const struct tr__file *f, const struct tr_row *row)
{
    if (!tr_is_device_work(row->activity) || row->record >= f->launched.n)
        return NULL;
    const uint32_t number = *(const uint32_t *)tr_paged_at(&f->launched, (size_t)row->record);
    return number ? tr_launch_at(f->launches, number - 1) : NULL;
}

/* The group of a row: of its process, or, under a pid that groups share, of its launch. */
static uint32_t group_of(const struct moving *m, const struct tr_row *row)
{
    const struct tr__process *p = tr__process_of(m->g, row->interner, row->track);
    const struct tr_launch *a = p->shared ? launch_of(&m->l->file, row) : NULL;
    return a ? tr__process_of(m->g, a->interner, a->track)->group : p->group;
}

/* As the summary counts it: the time base and launches were not known when the row was read. */
static unsigned suspect_of(const struct tr__file *f, const struct tr_row *row)
{
    if (row->suspect == TR_SUSPECT_ZERO_TIME && !launch_of(f, row))
        return TR_SUSPECT_NO;
    bool early = f->has_base && row->ts < 0 && row->ts != TR_TIME_NONE && row->suspect == TR_SUSPECT_NO;
    return early ? TR_SUSPECT_BEFORE_BASE : row->suspect;
}

static void count(const struct tr__file *f, struct tr__group *g, const struct tr__process *p, const struct tr_row *row)
{
    struct tr_source_summary *s = &g->sum;
    unsigned suspect = suspect_of(f, row);
    s->n_events++;
    s->n_phase[row->phase]++;
    s->n_activity[row->activity]++;
    s->n_suspect[suspect]++;
    bool host = row->activity >= TR_ACT_CPU_OP && row->activity <= TR_ACT_DRIVER_API;
    if (host && p->number != TR_I64_NONE && (g->pid == TR_I64_NONE || row->record < g->pid_record)) {
        g->pid = p->number;
        g->pid_record = row->record;
    }
    if (row->ts != TR_TIME_NONE && suspect == TR_SUSPECT_NO && row->phase != TR_META)
        tr__widen(&s->first_ts, &s->last_end, row->ts, row->dur == TR_TIME_NONE ? row->ts : row->ts + row->dur);
}

static enum tr_status end_run(struct moving *m, struct tr_error *err)
{
    struct tr_row_ref *tmp = malloc((m->n + 1) * sizeof *tmp);
    if (!tmp)
        return tr_fail_memory(err);
    tr_refs_sort(m->refs, tmp, m->n, m->g->order);
    free(tmp);
    size_t n = m->n;
    m->n = 0;
    return tr_external_sort_add(m->to, &m->rows, m->refs, n, err);
}

static enum tr_status move_row(struct moving *m, const struct tr_row *from, struct tr_error *err)
{
    struct tr__interner *in = &m->l->lanes[from->interner]->interner;
    const struct tr__process *p = tr__process_of(m->g, from->interner, from->track);
    unsigned char *mem = tr_row_arena_reserve(&m->rows, from->size);
    if (!mem || !tr_grow(&m->refs, &m->cap, m->n + 1, sizeof *m->refs))
        return tr_fail_memory(err);
    memcpy(mem, from, from->size);
    struct tr_row *row = (struct tr_row *)(void *)mem;
    row->source = group_of(m, from);
    count(&m->l->file, &m->g->v[row->source], p, from);
    if (row->source != p->group) { /* a track of the other group, alike */
        struct tr_track t = in->tracks[from->track];
        t.source = row->source;
        if ((row->track = tr__intern_track(in, &t)) == UINT32_MAX)
            return tr_fail_memory(err);
    }
    tr_row_arena_commit(&m->rows, row->size);
    m->refs[m->n++] = (struct tr_row_ref){ row->ts, row };
    return m->n >= RUN_ROWS ? end_run(m, err) : TR_OK;
}

enum tr_status tr__move_rows(struct tr__source_state *l, struct tr_error *err)
{
    struct moving m = { .l = l, .g = l->file.groups };
    const struct tr_row *row;
    if (!m.g)
        return TR_OK;
    for (size_t i = 0; i < m.g->n_of; i++) /* before further tracks come */
        for (size_t k = 0; k < l->lanes[i]->interner.n_tracks; k++)
            l->lanes[i]->interner.tracks[k].source = tr__process_of(m.g, i, (uint32_t)k)->group;
    m.rows.pool = l->pool;
    m.to = tr_external_sort_new(l->opts->max_memory_bytes / 6, l->opts->temp_dir);
    enum tr_status st = m.to ? tr_external_sort_merge(l->runs, NULL, err) : tr_fail_memory(err);
    if (st == TR_OK)
        tr_external_sort_order(m.to, m.g->order);
    while (st == TR_OK && (st = tr_external_sort_next(l->runs, &row, err)) == TR_OK)
        st = move_row(&m, row, err);
    if (st == TR_END)
        st = end_run(&m, err);
    tr_row_arena_release(&m.rows);
    free(m.refs);
    if (st == TR_OK) {
        tr_external_sort_free(l->runs);
        l->runs = m.to;
    } else {
        tr_external_sort_free(m.to);
    }
    return st;
}
