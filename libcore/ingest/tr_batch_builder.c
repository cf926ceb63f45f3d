/* Rows of several interners become batches of one dictionary. */
#include "ingest/tr_batch_builder_int.h"

#include <pthread.h>
#include <stdlib.h>

/* How to take the values of a shape's rows apart. */
struct plan {
    uint32_t shape; /* in the stream */
    uint32_t n_ops;
    struct op {
        uint32_t column;  /* UINT32_MAX: leave out */
        uint32_t is_string;
    } *ops;
    int32_t correlation_at; /* offset among the values, or -1 */
    bool correlation_text;
    int32_t graph_at[2]; /* the same of the numbers of a graph and a node of it */
};

struct number_map {
    uint32_t *strings, *tracks;
    struct plan **plans;
    size_t n_strings, n_tracks, n_plans;
};

struct tr_batch_builder {
    struct tr__interner *const *interners;
    size_t n_interners;
    const struct tr_launch_table *launches;
    bool drop_args, failed; /* failed: memory ran out */
    struct number_map *maps;
    struct tr_dict *dict;
    struct tr_strtab *columns, *shapes, *tracks; /* distinct by content */
    tr_batch_builder_name_fn *name_fn;
    void *name_ctx;
    pthread_mutex_t lock; /* of dict, while it grows and while it is copied */
};

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
    g->dict = tr_dict_new();
    g->columns = tr_strtab_new();
    g->shapes = tr_strtab_new();
    g->tracks = tr_strtab_new();
    if (!g->maps || !g->dict || !g->columns || !g->shapes || !g->tracks)
        goto fail;
    for (size_t i = 0; i < n_interners; i++) {
        struct number_map *m = &g->maps[i];
        m->n_strings = interners[i]->n_texts;
        m->n_tracks = interners[i]->n_tracks;
        m->n_plans = interners[i]->n_shapes;
        m->strings = malloc((m->n_strings + 1) * sizeof *m->strings);
        m->tracks = malloc((m->n_tracks + 1) * sizeof *m->tracks);
        m->plans = calloc(m->n_plans + 1, sizeof *m->plans);
        if (!m->strings || !m->tracks || !m->plans)
            goto fail;
        memset(m->strings, 0xff, m->n_strings * sizeof *m->strings);
        memset(m->tracks, 0xff, m->n_tracks * sizeof *m->tracks);
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
        struct number_map *m = &g->maps[i];
        for (size_t k = 0; m->plans && k < m->n_plans; k++)
            free(m->plans[k]);
        free(m->plans);
        free(m->strings);
        free(m->tracks);
    }
    free(g->maps);
    tr_dict_free(g->dict);
    tr_strtab_free(g->columns);
    tr_strtab_free(g->shapes);
    tr_strtab_free(g->tracks);
    pthread_mutex_destroy(&g->lock);
    free(g);
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

/* Spaces grow while a trace is read live; the maps follow. */
static bool grow_map(uint32_t **map, size_t *n, size_t want)
{
    uint32_t *bigger = realloc(*map, (want + want / 2) * sizeof **map);
    if (!bigger)
        return false;
    memset(bigger + *n, 0xff, (want + want / 2 - *n) * sizeof **map);
    *map = bigger;
    *n = want + want / 2;
    return true;
}

static uint32_t add_string(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    struct number_map *m = &g->maps[interner];
    if (id >= m->n_strings && !grow_map(&m->strings, &m->n_strings, id + (size_t)1)) {
        g->failed = true;
        return TR_NO_STR;
    }
    if (m->strings[id] != TR_NO_STR)
        return m->strings[id];
    const struct tr__text *t = &g->interners[interner]->texts[id];
    pthread_mutex_lock(&g->lock);
    uint32_t n = tr_strtab_add(g->dict->strings, t->text, t->len);
    pthread_mutex_unlock(&g->lock);
    g->maps[interner].strings[id] = n;
    g->failed |= n == TR_NO_STR;
    return n;
}

/* The stream's number of a interner's text. */
static inline uint32_t map_string(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    if (id == TR_NO_STR)
        return TR_NO_STR;
    const struct number_map *m = &g->maps[interner];
    return id < m->n_strings && m->strings[id] != TR_NO_STR ? m->strings[id] : add_string(g, interner, id);
}

/* A slot or column as a number, to tell equal ones. */
static uint64_t content_of(uint32_t key, unsigned place, unsigned role, unsigned type)
{
    return (uint64_t)key << 32 | (uint64_t)place << 16 | (uint64_t)role << 8 | type;
}

/* The stream's number of a packed column. */
static uint32_t map_column(struct tr_batch_builder *g, const struct tr_slot *slot, uint32_t key)
{
    struct tr_column c = { .key = key, .place = slot->place, .type = slot->type };
    uint64_t content = content_of(key, slot->place, 0, slot->type);
    uint32_t before = tr_strtab_count(g->columns);
    uint32_t id = tr_strtab_add(g->columns, &content, sizeof content);
    if (id != TR_NO_STR && id == before) {
        pthread_mutex_lock(&g->lock);
        uint32_t at = tr_dict_add_column(g->dict, &c);
        pthread_mutex_unlock(&g->lock);
        if (at == UINT32_MAX)
            return UINT32_MAX;
    }
    return id == TR_NO_STR ? UINT32_MAX : id + TR_N_DERIVED;
}

static bool dropped(const struct tr_batch_builder *g, const struct tr_slot *slot)
{
    return g->drop_args && (slot->place == TR_PLACE_ARGS || slot->place == TR_PLACE_END_ARGS ||
                            slot->role == TR_ROLE_ARGS);
}

static bool is_key(const struct tr__text *key, const char *name)
{
    return key->len == strlen(name) && !memcmp(key->text, name, key->len);
}

/* Where a shape's correlation number, and those of its graph, stand among the values of its rows. */
static void find_numbers(struct plan *p, const struct tr__interner *interner, const struct tr_slot *slots,
                             uint32_t n)
{
    int32_t at = 0;
    p->correlation_at = p->graph_at[0] = p->graph_at[1] = -1;
    for (uint32_t i = 0; i < n; i++) {
        if (slots[i].role != TR_ROLE_COLUMN || !tr_type_has_entry(slots[i].type))
            continue;
        const struct tr__text *key = &interner->texts[slots[i].key];
        if (tr__is_correlation(key, slots[i].place) &&
            (slots[i].type == TR_T_INT || slots[i].type == TR_T_STRING)) {
            p->correlation_at = at;
            p->correlation_text = slots[i].type == TR_T_STRING;
        }
        for (unsigned k = 0; k < 2 && slots[i].place == TR_PLACE_ARGS && slots[i].type == TR_T_INT; k++)
            if (is_key(key, k ? "graph node id" : "graph id"))
                p->graph_at[k] = at;
        at += tr_type_is_string(slots[i].type) ? 4 : 8;
    }
}

static bool grow_plans(struct number_map *m, size_t want)
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
    uint64_t *content = calloc(s->n_slots + 1u, sizeof *content);
    bool ok = p && slots && content;
    uint32_t n = 0;
    if (ok)
        p->ops = (struct op *)(void *)(p + 1);
    for (uint32_t i = 0; ok && i < s->n_slots; i++) {
        struct tr_slot slot = s->slots[i];
        bool packed = slot.role == TR_ROLE_COLUMN && tr_type_has_entry(slot.type), drop = dropped(g, &slot);
        slot.key = drop ? TR_NO_STR : map_string(g, interner, slot.key);
        slot.column = UINT32_MAX;
        if (packed && !drop) {
            slot.column = map_column(g, &slot, slot.key);
            ok = slot.column != UINT32_MAX;
        }
        if (packed)
            p->ops[p->n_ops++] = (struct op){ slot.column, tr_type_is_string(slot.type) };
        content[n] = content_of(slot.key, slot.place, slot.role, slot.type);
        if (!drop)
            slots[n++] = slot;
        ok = ok && (drop || slot.key != TR_NO_STR);
    }
    if (ok) {
        /* equal content, equal number: two interners have met the same shape; ph is part of it */
        content[n] = (unsigned char)s->ph;
        uint32_t before = tr_strtab_count(g->shapes);
        p->shape = tr_strtab_add(g->shapes, content, (n + 1u) * sizeof *content);
        ok = p->shape != TR_NO_STR;
        if (ok && p->shape == before) {
            struct tr_shape out = { slots, n, s->ph };
            pthread_mutex_lock(&g->lock);
            ok = tr_dict_add_shape(g->dict, &out) != UINT32_MAX;
            pthread_mutex_unlock(&g->lock);
        }
        find_numbers(p, g->interners[interner], s->slots, s->n_slots);
    }
    free(slots);
    free(content);
    if (!ok) {
        free(p);
        return NULL;
    }
    g->maps[interner].plans[shape] = p;
    return p;
}

/* Rows for as many clocks of the source. */
static bool add_clocks(struct tr_dict *d, size_t n)
{
    while (d->n_clocks < n)
        if (tr_dict_add_domain(d, 0) == UINT32_MAX)
            return false;
    return true;
}

static uint32_t add_track(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    struct number_map *m = &g->maps[interner];
    if (id >= m->n_tracks && !grow_map(&m->tracks, &m->n_tracks, id + (size_t)1))
        return TR_NO_STR;
    if (m->tracks[id] != TR_NO_STR)
        return m->tracks[id];
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
    t.process_sort = t.thread_sort = TR_TIME_NONE;
    const int64_t content[] = { t.source, t.side, t.pid_type, t.tid_type, t.pid, t.tid, t.device,
                                t.context, t.stream, t.clock };
    uint32_t before = tr_strtab_count(g->tracks);
    uint32_t n = tr_strtab_add(g->tracks, content, sizeof content);
    if (n != TR_NO_STR && n == before) {
        pthread_mutex_lock(&g->lock);
        bool named = add_clocks(g->dict, t.clock) && (!g->name_fn ||
                     g->name_fn(g->name_ctx, &t, raw, g->dict->strings, g->interners[interner]));
        if (!named || tr_dict_add_track(g->dict, &t) == UINT32_MAX)
            n = TR_NO_STR;
        pthread_mutex_unlock(&g->lock);
    }
    g->maps[interner].tracks[id] = n;
    return n;
}

static inline uint32_t map_track(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    const struct number_map *m = &g->maps[interner];
    return id < m->n_tracks && m->tracks[id] != TR_NO_STR ? m->tracks[id] : add_track(g, interner, id);
}

bool tr_batch_builder_clocks(struct tr_batch_builder *g, uint32_t n)
{
    return add_clocks(g->dict, n);
}

uint32_t tr_batch_builder_track(struct tr_batch_builder *g, size_t interner, uint32_t track)
{
    return map_track(g, interner, track);
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

/* Launch columns of device events, and the number of device events of launches. */
static bool put_links(struct tr_batch_builder *g, const struct tr_row *row, const struct plan *p,
                      struct tr_batch *b, uint8_t *flags)
{
    const struct tr_launch_table *t = g->launches;
    int64_t c = t ? correlation_of(g, row, p) : 0;
    if (c == 0)
        return true;
    if (row->activity == TR_ACT_RUNTIME_API || row->activity == TR_ACT_DRIVER_API) {
        const struct tr_launch *l = tr_launch_of_record(t, c, row->ts, row->record);
        if (!l || !l->n_device)
            return true;
        *flags |= TR_HAS_DEVICE;
        return put(b, TR_COL_N_DEVICE, l->n_device);
    }
    if (row->ts == TR_TIME_NONE)
        return true;
    const struct tr_launch *l = tr_launch_find(t, c, row->ts);
    if (!l)
        return true;
    uint32_t track = map_track(g, l->interner, l->track), name = map_string(g, l->interner, l->name);
    *flags |= TR_HAS_LAUNCH;
    return track != TR_NO_STR && put(b, TR_COL_LAUNCH_TS, l->ts) && put(b, TR_COL_LAUNCH_DUR, l->dur) &&
           put(b, TR_COL_LAUNCH_RECORD, (int64_t)l->record) && put(b, TR_COL_LAUNCH_TRACK, track) &&
           put_string(b, TR_COL_LAUNCH_NAME, name);
}

/* The graph of device work whose values begin at v: its number and the node's, 0 where there is none. */
static bool put_graph(const unsigned char *v, const struct plan *p, struct tr_batch *b, uint8_t *flags)
{
    int64_t of[2] = { 0, 0 };
    for (unsigned k = 0; k < 2; k++)
        if (p->graph_at[k] >= 0)
            memcpy(&of[k], v + p->graph_at[k], 8);
    if (!of[0] && !of[1])
        return true;
    *flags |= TR_HAS_GRAPH;
    return put(b, TR_COL_GRAPH_ID, of[0] ? of[0] : TR_TIME_NONE) &&
           put(b, TR_COL_GRAPH_NODE, of[1] ? of[1] : TR_TIME_NONE);
}

/* What the builder of events was told besides its link, at v; v is moved past all of it. */
static bool put_told(const struct tr_row *row, const unsigned char **v, struct tr_batch *b, uint8_t *flags)
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

/* Has this event a launch, or may it be one?  Ends that stand alone tell nothing. */
static inline bool may_link(const struct tr_row *row)
{
    return row->activity >= TR_ACT_RUNTIME_API && row->activity <= TR_ACT_SYNC &&
           row->phase != TR_SPAN_END;
}

bool tr_batch_builder_row(struct tr_batch_builder *g, const struct tr_row *row, struct tr_batch *b)
{
    size_t interner = row->interner, i = b->n;
    if (i == b->cap && !tr_batch_reserve(b, TR_BATCH_MAX))
        return false;
    uint32_t track = map_track(g, interner, row->track);
    b->name[i] = map_string(g, interner, row->name);
    b->cat[i] = map_string(g, interner, row->cat);
    const struct number_map *m = &g->maps[interner];
    const struct plan *p = row->shape < m->n_plans ? m->plans[row->shape] : NULL;
    if (!p && !(p = make_plan(g, interner, row->shape)))
        return false;
    if (track == TR_NO_STR || (b->n_cols < g->dict->n_columns &&
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
    if (flags & TR_FROM_BE) { /* the E's record stands before the values */
        int64_t end_record;
        memcpy(&end_record, v, 8);
        v += 8;
        if (!put(b, TR_COL_END_RECORD, end_record))
            return false;
    }
    if (row->has && !put_told(row, &v, b, &flags))
        return false;
    if (may_link(row) && !put_links(g, row, p, b, &flags))
        return false;
    if ((p->graph_at[0] >= 0 || p->graph_at[1] >= 0) && tr_is_device_work(row->activity) &&
        !(row->has & TR_ROW_GRAPH) && !put_graph(v, p, b, &flags))
        return false;
    b->flags[i] = flags;
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
    b->n++;
    return !g->failed;
}

struct tr__dict_state tr_batch_builder_state(const struct tr_batch_builder *g)
{
    return (struct tr__dict_state){ tr_strtab_count(g->dict->strings), g->dict->n_columns,
                                    g->dict->n_shapes, g->dict->n_tracks, g->dict->n_clocks };
}

bool tr_batch_builder_publish(struct tr_batch_builder *g, struct tr_dict *to, const struct tr__dict_state *state)
{
    bool ok = true;
    size_t have = tr_strtab_count(to->strings);
    if (have == state->n_strings && to->n_columns == state->n_columns &&
        to->n_shapes == state->n_shapes && to->n_tracks == state->n_tracks && to->n_clocks == state->n_clocks)
        return true;
    pthread_mutex_lock(&g->lock);
    const struct tr_dict *d = g->dict;
    for (; ok && have < state->n_strings; have++)
        ok = tr_strtab_add(to->strings, tr_strtab_get(d->strings, (uint32_t)have),
                           tr_strtab_len(d->strings, (uint32_t)have)) == have;
    while (ok && to->n_columns < state->n_columns)
        ok = tr_dict_add_column(to, &d->columns[to->n_columns]) != UINT32_MAX;
    while (ok && to->n_shapes < state->n_shapes)
        ok = tr_dict_add_shape(to, &d->shapes[to->n_shapes]) != UINT32_MAX;
    ok = ok && add_clocks(to, state->n_clocks);
    while (ok && to->n_tracks < state->n_tracks)
        ok = tr_dict_add_track(to, &d->tracks[to->n_tracks]) != UINT32_MAX;
    pthread_mutex_unlock(&g->lock);
    return ok;
}
