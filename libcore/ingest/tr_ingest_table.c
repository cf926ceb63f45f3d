/* SPDX-License-Identifier: MIT */
/* Tables of a source. */
#include "ingest/tr_ingest_builder_int.h"

uint32_t tr_ingest_last_track(const struct tr_ingest *g)
{
    return g->last_track;
}

void tr_ingest_table(struct tr_ingest *g, struct tr_side_table *t)
{
    g->load->file.tables_interner = g->lane.interner_no;
    g->no_memory |= t && !tr_side_tables_add(&g->load->file.tables, t);
}

/* False: out of memory. */
static bool map_row(const struct tr__file *f, struct tr_batch_builder *b, size_t n_known, const struct tr_side_table *t,
                    struct tr_side_value *values)
{
    for (size_t i = 0; i < t->n_columns; i++) {
        struct tr_side_value *v = &values[i];
        bool time = t->columns[i].type == TR_SIDE_TIME;
        if (!v->present || (!time && t->columns[i].type != TR_SIDE_TRACK))
            continue;
        uint32_t track = tr_batch_builder_track(b, f->tables_interner, time ? v->of : (uint32_t)v->v);
        if (track == TR_NO_STR)
            return false;
        v->present = track < n_known;
        if (time)
            v->of = track;
        else
            v->v = track;
    }
    return true;
}

static bool has_tracks(const struct tr_side_table *t)
{
    bool has = false;
    for (size_t i = 0; i < t->n_columns; i++)
        has |= t->columns[i].type == TR_SIDE_TIME || t->columns[i].type == TR_SIDE_TRACK;
    return has;
}

bool tr__map_tables(struct tr__file *f, struct tr_batch_builder *b, size_t n_known)
{
    struct tr_side_value values[TR_SIDE_MAX_COLUMNS];
    for (size_t i = 0; i < f->tables.n; i++) {
        const struct tr_side_table *from = f->tables.v[i];
        if (!has_tracks(from))
            continue;
        struct tr_side_table *t = tr_side_table_like(from);
        bool ok = t != NULL;
        for (size_t at = 0; ok && tr_side_table_row(from, &at, values);)
            ok = map_row(f, b, n_known, from, values) && tr_side_table_add(t, values);
        if (!ok) {
            tr_side_table_free(t);
            return false;
        }
        tr_side_table_free(f->tables.v[i]);
        f->tables.v[i] = t;
    }
    return true;
}
