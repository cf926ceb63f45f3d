/* SPDX-License-Identifier: MIT */
/* Tables of the inputs of a merge: their sources, tracks and records get the numbers of the result. */
#include "stream/merge/tr_merge_int.h"

#include <stdlib.h>
#include <string.h>

/* False: a time beyond 64 bits.  m->failed: out of memory. */
static bool map_row(struct tr__merge *m, struct tr__lane *l, const struct tr_side_table *t,
                    struct tr_side_value *values)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        struct tr_side_value *v = &values[i];
        if (!v->present)
            continue;
        if (t->columns[i].type == TR_SIDE_RECORD) {
            v->of = l->sources[v->of].number;
        } else if (t->columns[i].type == TR_SIDE_TRACK) {
            v->v = tr__merge_track(m, l, (uint32_t)v->v);
        } else if (t->columns[i].type == TR_SIDE_TIME) {
            if (!tr__merge_time(&v->v, l->sources[l->in->dict->tracks[v->of].source].shift))
                return false;
            v->of = tr__merge_track(m, l, v->of);
        }
    }
    return true;
}

/* A table of another input with the same name and columns, of the same parts; NULL: there is none. */
static struct tr_side_table *find_joined(const struct tr__merge *m, const struct tr__lane *l,
                                         const struct tr_side_table *from, const struct tr_side_table *t)
{
    bool joined = from->source == UINT32_MAX ? m->joins.any : l->sources[from->source].joined;
    for (size_t i = 0; joined && i < m->tables.n; i++)
        if (tr_side_table_same_head(m->tables.v[i], t))
            return m->tables.v[i];
    return NULL;
}

static enum tr_status copy_table(struct tr__merge *m, struct tr__lane *l, const struct tr_side_table *from,
                                 struct tr_error *err)
{
    struct tr_side_value values[TR_SIDE_MAX_COLUMNS];
    struct tr_side_table *t = tr_side_table_like(from);
    enum tr_status st = t && tr_buf_reserve(&t->rows, from->rows.len) ? TR_OK : tr_fail_memory(err);
    if (t && from->source != UINT32_MAX)
        t->source = l->sources[from->source].number;
    for (size_t at = 0; st == TR_OK && tr_side_table_row(from, &at, values);) {
        if (!map_row(m, l, from, values))
            st = tr__merge_too_far(l, err);
        else if (m->failed || !tr_side_table_add(t, values))
            st = tr_fail_memory(err);
    }
    struct tr_side_table *other = st == TR_OK ? find_joined(m, l, from, t) : NULL;
    if (st == TR_OK && !other)
        return tr_side_tables_add(&m->tables, t) ? TR_OK : tr_fail_memory(err);
    if (other && !tr__join_rows(other, t))
        st = tr_fail_memory(err);
    tr_side_table_free(t);
    return st;
}

static enum tr_status copy_tables(struct tr__merge *m, struct tr__lane *l, struct tr_error *err)
{
    const struct tr_side_tables *tables = l->in->tables;
    enum tr_status st = TR_OK;
    for (size_t i = 0; tables && i < tables->n && st == TR_OK; i++)
        st = copy_table(m, l, tables->v[i], err);
    tr_input_drop_rows(l->in, "");
    return st;
}

/* By source, those of none last, in the order of inputs.  False: out of memory. */
static bool order_tables(struct tr_side_tables *list, size_t n_sources)
{
    size_t *from = calloc(n_sources + 2, sizeof *from);
    struct tr_side_table **v = calloc(list->n + 1, sizeof(struct tr_side_table *));
    bool ok = from && v;
    for (size_t i = 0; ok && i < list->n; i++)
        from[(list->v[i]->source == UINT32_MAX ? n_sources : list->v[i]->source) + 1]++;
    for (size_t k = 0; ok && k < n_sources; k++)
        from[k + 1] += from[k];
    for (size_t i = 0; ok && i < list->n; i++)
        v[from[list->v[i]->source == UINT32_MAX ? n_sources : list->v[i]->source]++] = list->v[i];
    if (ok && list->n)
        memcpy(list->v, v, list->n * sizeof(struct tr_side_table *));
    free(from);
    free(v);
    return ok;
}

enum tr_status tr__merge_tables(struct tr__merge *m, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < m->n && st == TR_OK; i++)
        st = copy_tables(m, &m->lanes[i], err);
    return st != TR_OK || order_tables(&m->tables, m->dict->n_sources) ? st : tr_fail_memory(err);
}
