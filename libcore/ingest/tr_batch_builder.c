/* SPDX-License-Identifier: MIT */
/* Rows of several interners become batches of one dictionary. */
#include "ingest/tr_batch_builder_int.h"

#include "stream/tr_number_map.h"

#include <pthread.h>
#include <stdlib.h>

#define TEXTS_AHEAD 16u

/* How to read the values from the rows of a shape. */
struct plan {
    uint32_t shape; /* in the stream */
    uint32_t n_ops;
    struct op {
        uint32_t column; /* UINT32_MAX: leave out */
        uint32_t is_string;
    } * ops;
    int32_t correlation_at; /* offset among the values, or -1 */
    bool correlation_text;
    int32_t graph_at[2]; /* the same for the numbers of a graph and of its node */
};

/* The numbers in the stream, by numbers of an interner. */
struct interner_map {
    struct tr_number_map strings, tracks;
    struct plan **plans; /* by shape */
    size_t n_plans;
};

struct tr_batch_builder {
    struct tr__interner *const *interners;
    size_t n_interners;
    const struct tr_launch_table *launches, *arrow_ends;
    const struct tr_paged *launched; /* NULL: not known */
    bool by_record;
    bool drop_args, failed; /* failed: memory ran out */
    struct interner_map *maps;
    struct tr_dict *dict;
    struct tr_strtab *tracks; /* distinct by content */
    tr_batch_builder_name_fn *name_fn;
    void *name_ctx;
    pthread_mutex_t lock; /* held while dict grows, and while it is copied */
};

/* ---- numbers of the stream ---- */

/* For the first use of a number.  TR_NO_STR, NULL: out of memory. */
static uint32_t add_string(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    const struct tr__interner *in = g->interners[interner];
    const struct tr__text *t = &in->texts[id], *later = t + TEXTS_AHEAD;
    pthread_mutex_lock(&g->lock);
    if (id + TEXTS_AHEAD < in->n_texts) /* texts are mostly used in the order of their numbers */
        tr_strtab_expect(g->dict->strings, later->text, later->len);
    uint32_t n = tr_strtab_add(g->dict->strings, t->text, t->len);
    pthread_mutex_unlock(&g->lock);
    if (!tr_number_map_set(&g->maps[interner].strings, id, n)) {
        g->failed = true;
        return TR_NO_STR;
    }
    return n;
}

/* The number in the stream of a text of an interner. */
static inline uint32_t map_string(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    uint32_t n = tr_number_of(&g->maps[interner].strings, id);
    return n != TR_NUMBER_UNKNOWN || id == TR_NO_STR ? n : add_string(g, interner, id);
}

/* The stream's number of a packed column. */
static uint32_t map_column(struct tr_batch_builder *g, const struct tr_slot *slot)
{
    struct tr_column c = { .key = slot->key, .place = slot->place, .type = slot->type };
    pthread_mutex_lock(&g->lock);
    uint32_t column = tr_dict_need_column(g->dict, &c);
    pthread_mutex_unlock(&g->lock);
    return column;
}

static bool dropped(const struct tr_batch_builder *g, const struct tr_slot *slot)
{
    return g->drop_args &&
           (slot->place == TR_PLACE_ARGS || slot->place == TR_PLACE_END_ARGS || slot->role == TR_ROLE_ARGS);
}

static bool is_key(const struct tr__text *key, const char *name)
{
    return key->len == strlen(name) && !memcmp(key->text, name, key->len);
}

/* Find the places of the correlation, and of the numbers of the graph, among the values of a shape's rows. */
static void find_numbers(struct plan *p, const struct tr__interner *interner, const struct tr_slot *slots, uint32_t n)
{
    int32_t at = 0;
    p->correlation_at = p->graph_at[0] = p->graph_at[1] = -1;
    for (uint32_t i = 0; i < n; i++) {
        if (slots[i].role != TR_ROLE_COLUMN || !tr_type_has_entry(slots[i].type))
            continue;
        const struct tr__text *key = &interner->texts[slots[i].key];
        if (tr__is_correlation(key, slots[i].place) && (slots[i].type == TR_T_INT || slots[i].type == TR_T_STRING)) {
            p->correlation_at = at;
            p->correlation_text = slots[i].type == TR_T_STRING;
        }
        for (unsigned k = 0; k < 2 && slots[i].place == TR_PLACE_ARGS && slots[i].type == TR_T_INT; k++)
            if (is_key(key, k ? "graph node id" : "graph id"))
                p->graph_at[k] = at;
        at += tr_type_is_string(slots[i].type) ? 4 : 8;
    }
}

static bool grow_plans(struct interner_map *m, size_t want)
{
    size_t cap = want + want / 2;
    struct plan **bigger = realloc(m->plans, cap * sizeof(struct plan *));
    if (!bigger)
        return false;
    memset(bigger + m->n_plans, 0, (cap - m->n_plans) * sizeof(struct plan *));
    m->plans = bigger;
    m->n_plans = cap;
    return true;
}

static struct plan *make_plan(struct tr_batch_builder *g, size_t interner, uint32_t shape)
{
    if (shape >= g->maps[interner].n_plans && !grow_plans(&g->maps[interner], shape + (size_t)1))
        return NULL;
    const struct tr_shape *s = &g->interners[interner]->shapes[shape];
    struct plan *p = calloc(1, sizeof *p + s->n_slots * sizeof *p->ops);
    struct tr_slot *slots = calloc(s->n_slots + 1u, sizeof *slots);
    bool ok = p && slots;
    uint32_t n = 0;
    if (ok)
        p->ops = (struct op *)(void *)(p + 1);
    for (uint32_t i = 0; ok && i < s->n_slots; i++) {
        struct tr_slot slot = s->slots[i];
        bool packed = slot.role == TR_ROLE_COLUMN && tr_type_has_entry(slot.type), drop = dropped(g, &slot);
        slot.key = drop ? TR_NO_STR : map_string(g, interner, slot.key);
        slot.column = UINT32_MAX;
        if (packed && !drop) {
            slot.column = map_column(g, &slot);
            ok = slot.column != UINT32_MAX;
        }
        if (packed)
            p->ops[p->n_ops++] = (struct op){ slot.column, tr_type_is_string(slot.type) };
        if (!drop)
            slots[n++] = slot;
        ok = ok && (drop || slot.key != TR_NO_STR);
    }
    if (ok) {
        struct tr_shape out = { slots, n, s->ph };
        pthread_mutex_lock(&g->lock);
        p->shape = tr_dict_need_shape(g->dict, &out); /* another interner may already have it */
        pthread_mutex_unlock(&g->lock);
        ok = p->shape != UINT32_MAX;
        find_numbers(p, g->interners[interner], s->slots, s->n_slots);
    }
    free(slots);
    if (!ok) {
        free(p);
        return NULL;
    }
    g->maps[interner].plans[shape] = p;
    return p;
}

/* The plan of an interner's shape; NULL: out of memory. */
static inline const struct plan *plan_of(struct tr_batch_builder *g, size_t interner, uint32_t shape)
{
    const struct interner_map *m = &g->maps[interner];
    const struct plan *p = shape < m->n_plans ? m->plans[shape] : NULL;
    return p ? p : make_plan(g, interner, shape);
}

/* Add rows until the source has n further clocks. */
static bool add_clocks(struct tr_dict *d, size_t n)
{
    while (d->n_clocks < n)
        if (tr_dict_add_domain(d, 0) == UINT32_MAX)
            return false;
    return true;
}

static uint32_t add_track(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    const struct tr_track *raw = &g->interners[interner]->tracks[id];
    struct tr_track t = *raw;
    if (tr_track_pid_is_text(&t))
        t.pid = map_string(g, interner, (uint32_t)t.pid);
    if (t.pid == TR_NO_STR && t.pid_type == TR_T_STRING)
        return TR_NO_STR;
    if (tr_track_tid_is_text(&t))
        t.tid = map_string(g, interner, (uint32_t)t.tid);
    if (t.tid == TR_NO_STR && t.tid_type == TR_T_STRING)
        return TR_NO_STR;
    t.process_name = t.thread_name = t.labels = TR_NO_STR;
    t.process_sort = t.thread_sort = TR_I64_NONE;
    const int64_t content[] = { t.source, t.side,   t.pid_type, t.tid_type, t.pid,
                                t.tid,    t.device, t.context,  t.stream,   t.clock };
    uint32_t before = tr_strtab_count(g->tracks);
    uint32_t n = tr_strtab_add(g->tracks, content, sizeof content);
    if (n != TR_NO_STR && n == before) {
        pthread_mutex_lock(&g->lock);
        bool named = add_clocks(g->dict, t.clock) &&
                     (!g->name_fn || g->name_fn(g->name_ctx, &t, raw, g->dict->strings, g->interners[interner]));
        if (!named || tr_dict_add_track(g->dict, &t) == UINT32_MAX)
            n = TR_NO_STR;
        pthread_mutex_unlock(&g->lock);
    }
    return tr_number_map_set(&g->maps[interner].tracks, id, n) ? n : TR_NO_STR;
}

/* The same for a track. */
static inline uint32_t map_track(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    uint32_t n = tr_number_of(&g->maps[interner].tracks, id);
    return n != TR_NUMBER_UNKNOWN ? n : add_track(g, interner, id);
}

bool tr_batch_builder_clocks(struct tr_batch_builder *g, uint32_t n)
{
    return add_clocks(g->dict, n);
}

uint32_t tr_batch_builder_track(struct tr_batch_builder *g, size_t interner, uint32_t track)
{
    return map_track(g, interner, track);
}

struct tr_dict_state tr_batch_builder_state(const struct tr_batch_builder *g)
{
    return tr_dict_state(g->dict);
}

bool tr_batch_builder_publish(struct tr_batch_builder *g, struct tr_dict *to, const struct tr_dict_state *state)
{
    const struct tr_dict_state have = tr_dict_state(to);
    if (!memcmp(&have, state, sizeof have))
        return true;
    pthread_mutex_lock(&g->lock);
    bool ok = tr_dict_follow(to, g->dict, state);
    pthread_mutex_unlock(&g->lock);
    return ok;
}

/* ---- rows ---- */

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
        struct interner_map *m = &g->maps[i];
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
        struct interner_map *m = &g->maps[i];
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
static int64_t correlation_of(const struct tr_batch_builder *g, const struct tr_row *row, const struct plan *p)
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
static bool put_links(struct tr_batch_builder *g, const struct tr_row *row, const struct plan *p, struct tr_batch *b,
                      uint8_t *flags)
{
    const struct tr_launch_table *t = g->launches;
    int64_t c = t ? correlation_of(g, row, p) : 0;
    if (c == 0)
        return true;
    if (row->activity == TR_ACT_RUNTIME_API || row->activity == TR_ACT_DRIVER_API || row->activity == TR_ACT_CPU_OP) {
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
    uint32_t track = map_track(g, l->interner, l->track), name = map_string(g, l->interner, l->name);
    *flags |= TR_HAS_LAUNCH;
    return track != TR_NO_STR && put(b, TR_COL_LAUNCH_TS, l->ts) && put(b, TR_COL_LAUNCH_DUR, l->dur) &&
           put(b, TR_COL_LAUNCH_RECORD, (int64_t)l->record) && put(b, TR_COL_LAUNCH_TRACK, track) &&
           put_string(b, TR_COL_LAUNCH_NAME, name);
}

/* The graph of device work, from its values at v: the numbers of the graph and of the node; 0: none. */
static bool put_graph(const unsigned char *v, const struct plan *p, struct tr_batch *b, uint8_t *flags)
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

/* May this event have a launch, or be one, as an operator is that a format links itself?  A separate end is neither. */
static inline bool may_link(const struct tr_row *row)
{
    bool linked = row->activity == TR_ACT_CPU_OP && row->has & TR_ROW_LINK;
    return ((row->activity >= TR_ACT_RUNTIME_API && row->activity <= TR_ACT_SYNC) || linked) &&
           row->phase != TR_SPAN_END;
}

/* The values at v, to the columns of the plan. */
static inline bool put_values(struct tr_batch_builder *g, size_t interner, const struct plan *p, const unsigned char *v,
                              struct tr_batch *b)
{
    for (uint32_t k = 0; k < p->n_ops; k++) {
        const struct op *op = &p->ops[k];
        if (op->is_string) {
            uint32_t id;
            memcpy(&id, v, 4);
            v += 4;
            if (op->column != UINT32_MAX && !put_string(b, op->column, map_string(g, interner, id)))
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
    if (i == b->cap && !tr_batch_reserve(b, i < TR_BATCH_MAX ? TR_BATCH_MAX : i + 1))
        return false;
    uint32_t track = map_track(g, interner, row->track);
    b->name[i] = map_string(g, interner, row->name);
    b->cat[i] = map_string(g, interner, row->cat);
    const struct plan *p = plan_of(g, interner, row->shape);
    if (!p || track == TR_NO_STR || (b->n_cols < g->dict->n_columns && !tr_batch_reserve_cols(b, g->dict->n_columns)))
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
