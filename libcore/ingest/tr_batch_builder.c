/* SPDX-License-Identifier: MIT */
/* Rows of several interners become batches of one dictionary. */
#include "ingest/tr_batch_numbers_int.h"

#include <stdlib.h>

struct tr_batch_builder *tr_batch_builder_new(struct tr__interner *const *interners, size_t n_interners,
                                const struct tr_launch_table *launches, bool drop_args)
{
    struct tr_batch_builder *g = calloc(1, sizeof *g);
    if (!g || pthread_mutex_init(&g->lock, NULL)) {
        free(g);
        return NULL;
    }
    g->interners = interners;
    g->n_interners = n_interners;
    g->launches = launches;
    g->drop_args = drop_args;
    g->maps = calloc(n_interners ? n_interners : 1, sizeof *g->maps);
    struct tr_spill *spill = n_interners ? interners[0]->texts_in.spill : NULL;
    g->dict = tr_dict_new_in(spill);
    g->tracks = tr_strtab_new();
    if (!g->maps || !g->dict || !g->tracks)
        goto fail;
    for (size_t i = 0; i < n_interners; i++) {
        struct tr__interner_map *m = &g->maps[i];
        m->strings.in.spill = spill;
        m->n_plans = interners[i]->n_shapes;
        m->plans = calloc(m->n_plans + 1, sizeof *m->plans);
        if (!m->plans || !tr_number_map_grow(&m->strings, interners[i]->n_texts) ||
            !tr_number_map_grow(&m->tracks, interners[i]->n_tracks))
            goto fail;
    }
    return g;
fail:
    tr_batch_builder_free(g);
    return NULL;
}

void tr_batch_builder_free(struct tr_batch_builder *g)
{
    if (!g)
        return;
    for (size_t i = 0; g->maps && i < g->n_interners; i++) {
        struct tr__interner_map *m = &g->maps[i];
        for (size_t k = 0; m->plans && k < m->n_plans; k++)
            free(m->plans[k]);
        free(m->plans);
        tr_number_map_free(&m->strings);
        tr_number_map_free(&m->tracks);
    }
    free(g->maps);
    tr_dict_free(g->dict);
    tr_strtab_free(g->tracks);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

void tr_batch_builder_links(struct tr_batch_builder *g, const struct tr_launch_table *ends,
                            const struct tr_paged *launched, bool by_record)
{
    g->arrow_ends = ends;
    g->launched = launched;
    g->by_record = by_record;
}

void tr_batch_builder_names(struct tr_batch_builder *g, tr_batch_builder_name_fn *fn, void *ctx)
{
    g->name_fn = fn;
    g->name_ctx = ctx;
}

struct tr_dict *tr_batch_builder_dict(struct tr_batch_builder *g)
{
    return g->dict;
}

static inline bool put(struct tr_batch *b, uint32_t column, int64_t v)
{
    struct tr_col *c = &b->cols[column];
    if (c->n == c->cap && !tr_col_reserve(c, c->n + 1, TR_T_INT))
        return false;
    c->v.i64[c->n++] = v;
    return true;
}

static inline bool put_string(struct tr_batch *b, uint32_t column, uint32_t v)
{
    struct tr_col *c = &b->cols[column];
    if (c->n == c->cap && !tr_col_reserve(c, c->n + 1, TR_T_STRING))
        return false;
    c->v.str[c->n++] = v;
    return true;
}

/* The correlation number of a row, 0 if it has none. */
static int64_t correlation_of(const struct tr_batch_builder *g, const struct tr_row *row, const struct tr__plan *p)
{
    const unsigned char *at = tr_row_values(row) + (row->flags & TR_FROM_BE ? 8 : 0);
    int64_t v;
    uint32_t id;
    if (row->has & TR_ROW_LINK) {
        memcpy(&v, at, 8);
        return v;
    }
    if (p->correlation_at < 0)
        return 0;
    at += p->correlation_at;
    if (!p->correlation_text) {
        memcpy(&v, at, 8);
        return v;
    }
    memcpy(&id, at, 4);
    const struct tr__text *t = &g->interners[row->interner]->texts[id];
    return t->is_int ? t->value : 0;
}

/* Does the table have the record of this row?  *l: its launch, NULL: none. */
static bool launch_of_record(const struct tr_batch_builder *g, const struct tr_row *row, const struct tr_launch **l)
{
    if (!g->launched || row->record >= g->launched->n)
        return false;
    const uint32_t number = *(const uint32_t *)tr_paged_at(g->launched, (size_t)row->record);
    *l = number ? tr_launch_at(g->launches, number - 1) : NULL;
    return true;
}

/* The number of device events that the call of a row launched. */
static int64_t launched_by(const struct tr_batch_builder *g, const struct tr_row *row, int64_t correlation)
{
    const struct tr_launch *l;
    bool known = launch_of_record(g, row, &l);
    if (!known || (l && !g->by_record))
        l = tr_launch_of_record(g->launches, correlation, row->ts, row->record);
    return l ? l->n_device : 0;
}

/* The launch of the work in a row. */
static const struct tr_launch *launch_of(const struct tr_batch_builder *g, const struct tr_row *row,
                                         int64_t correlation)
{
    const struct tr_launch *l;
    if (g->by_record && tr_is_device_work(row->activity) && launch_of_record(g, row, &l))
        return l;
    return tr_launch_find(g->launches, tr__launch_key(g->arrow_ends, correlation, row->ts), row->ts);
}

/* Launch columns of device events, and the number of device events of launches. */
static bool put_links(struct tr_batch_builder *g, const struct tr_row *row, const struct tr__plan *p,
                      struct tr_batch *b, uint8_t *flags)
{
    const struct tr_launch_table *t = g->launches;
    int64_t c = t ? correlation_of(g, row, p) : 0;
    if (c == 0)
        return true;
    if (row->activity == TR_ACT_RUNTIME_API || row->activity == TR_ACT_DRIVER_API) {
        int64_t n = launched_by(g, row, c);
        if (!n)
            return true;
        *flags |= TR_HAS_DEVICE;
        return put(b, TR_COL_N_DEVICE, n);
    }
    if (row->ts == TR_TIME_NONE)
        return true;
    const struct tr_launch *l = launch_of(g, row, c);
    if (!l)
        return true;
    uint32_t track = tr__map_track(g, l->interner, l->track), name = tr__map_string(g, l->interner, l->name);
    *flags |= TR_HAS_LAUNCH;
    return track != TR_NO_STR && put(b, TR_COL_LAUNCH_TS, l->ts) && put(b, TR_COL_LAUNCH_DUR, l->dur) &&
           put(b, TR_COL_LAUNCH_RECORD, (int64_t)l->record) && put(b, TR_COL_LAUNCH_TRACK, track) &&
           put_string(b, TR_COL_LAUNCH_NAME, name);
}

/* The graph of device work, from its values at v: the numbers of the graph and of the node; 0: none. */
static bool put_graph(const unsigned char *v, const struct tr__plan *p, struct tr_batch *b, uint8_t *flags)
{
    int64_t of[2] = { 0, 0 };
    for (unsigned k = 0; k < 2; k++)
        if (p->graph_at[k] >= 0)
            memcpy(&of[k], v + p->graph_at[k], 8);
    if (!of[0] && !of[1])
        return true;
    *flags |= TR_HAS_GRAPH;
    return put(b, TR_COL_GRAPH_ID, of[0] ? of[0] : TR_I64_NONE) &&
           put(b, TR_COL_GRAPH_NODE, of[1] ? of[1] : TR_I64_NONE);
}

/* Add the extras at v (enum tr_row_has) except the correlation, and move v past all of them. */
static bool put_known(const struct tr_row *row, const unsigned char **v, struct tr_batch *b, uint8_t *flags)
{
    int64_t of[2];
    const unsigned char *at = *v + (row->has & TR_ROW_LINK ? 8 : 0);
    bool ok = true;
    if (row->has & TR_ROW_PS) {
        memcpy(of, at, sizeof of);
        at += sizeof of;
        *flags |= TR_HAS_PS;
        ok = put(b, TR_COL_TS_PS, of[0]) && put(b, TR_COL_DUR_PS, of[1]);
    }
    if (row->has & TR_ROW_GRAPH) {
        memcpy(of, at, sizeof of);
        at += sizeof of;
        *flags |= TR_HAS_GRAPH;
        ok = ok && put(b, TR_COL_GRAPH_ID, of[0]) && put(b, TR_COL_GRAPH_NODE, of[1]);
    }
    *v = at;
    return ok;
}

/* May this event have a launch, or be one?  A separate end is neither. */
static inline bool may_link(const struct tr_row *row)
{
    return row->activity >= TR_ACT_RUNTIME_API && row->activity <= TR_ACT_SYNC &&
           row->phase != TR_SPAN_END;
}

/* The values at v, to the columns of the plan. */
static inline bool put_values(struct tr_batch_builder *g, size_t interner, const struct tr__plan *p,
                              const unsigned char *v, struct tr_batch *b)
{
    for (uint32_t k = 0; k < p->n_ops; k++) {
        const struct tr__op *op = &p->ops[k];
        if (op->is_string) {
            uint32_t id;
            memcpy(&id, v, 4);
            v += 4;
            if (op->column != UINT32_MAX && !put_string(b, op->column, tr__map_string(g, interner, id)))
                return false;
        } else {
            int64_t x;
            memcpy(&x, v, 8);
            v += 8;
            if (op->column != UINT32_MAX && !put(b, op->column, x))
                return false;
        }
    }
    return true;
}

bool tr_batch_builder_row(struct tr_batch_builder *g, const struct tr_row *row, struct tr_batch *b)
{
    size_t interner = row->interner, i = b->n;
    if (i == b->cap && !tr_batch_reserve(b, TR_BATCH_MAX))
        return false;
    uint32_t track = tr__map_track(g, interner, row->track);
    b->name[i] = tr__map_string(g, interner, row->name);
    b->cat[i] = tr__map_string(g, interner, row->cat);
    const struct tr__plan *p = tr__plan_of(g, interner, row->shape);
    if (!p || track == TR_NO_STR || (b->n_cols < g->dict->n_columns &&
                               !tr_batch_reserve_cols(b, g->dict->n_columns)))
        return false;
    b->ts[i] = row->ts;
    b->dur[i] = row->dur;
    b->record[i] = row->record;
    b->track[i] = track;
    b->shape[i] = p->shape;
    b->phase[i] = row->phase;
    b->activity[i] = row->activity;
    b->kind[i] = row->kind;
    b->suspect[i] = row->suspect;
    uint8_t flags = row->flags;
    const unsigned char *v = tr_row_values(row);
    if (flags & TR_FROM_BE) { /* the record of the E is before the values */
        int64_t end_record;
        memcpy(&end_record, v, 8);
        v += 8;
        if (!put(b, TR_COL_END_RECORD, end_record))
            return false;
    }
    if (row->has && !put_known(row, &v, b, &flags))
        return false;
    if (may_link(row) && !put_links(g, row, p, b, &flags))
        return false;
    if ((p->graph_at[0] >= 0 || p->graph_at[1] >= 0) && tr_is_device_work(row->activity) &&
        !(row->has & TR_ROW_GRAPH) && !put_graph(v, p, b, &flags))
        return false;
    if (row->suspect == TR_SUSPECT_ZERO_TIME && !(flags & TR_HAS_LAUNCH))
        b->suspect[i] = TR_SUSPECT_NO;
    b->flags[i] = flags;
    b->n++;
    return put_values(g, interner, p, v, b) && !g->failed;
}
