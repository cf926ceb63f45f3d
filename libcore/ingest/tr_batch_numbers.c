/* Numbers of interners become numbers of one dictionary, by content. */
#include "ingest/tr_batch_numbers_int.h"

#include <stdlib.h>

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

uint32_t tr__add_string(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    struct tr__number_map *m = &g->maps[interner];
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
static void find_numbers(struct tr__plan *p, const struct tr__interner *interner, const struct tr_slot *slots,
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

static bool grow_plans(struct tr__number_map *m, size_t want)
{
    size_t cap = want + want / 2;
    struct tr__plan **bigger = realloc(m->plans, cap * sizeof(struct tr__plan *));
    if (!bigger)
        return false;
    memset(bigger + m->n_plans, 0, (cap - m->n_plans) * sizeof(struct tr__plan *));
    m->plans = bigger;
    m->n_plans = cap;
    return true;
}

struct tr__plan *tr__make_plan(struct tr_batch_builder *g, size_t interner, uint32_t shape)
{
    if (shape >= g->maps[interner].n_plans && !grow_plans(&g->maps[interner], shape + (size_t)1))
        return NULL;
    const struct tr_shape *s = &g->interners[interner]->shapes[shape];
    struct tr__plan *p = calloc(1, sizeof *p + s->n_slots * sizeof *p->ops);
    struct tr_slot *slots = calloc(s->n_slots + 1u, sizeof *slots);
    uint64_t *content = calloc(s->n_slots + 1u, sizeof *content);
    bool ok = p && slots && content;
    uint32_t n = 0;
    if (ok)
        p->ops = (struct tr__op *)(void *)(p + 1);
    for (uint32_t i = 0; ok && i < s->n_slots; i++) {
        struct tr_slot slot = s->slots[i];
        bool packed = slot.role == TR_ROLE_COLUMN && tr_type_has_entry(slot.type), drop = dropped(g, &slot);
        slot.key = drop ? TR_NO_STR : tr__map_string(g, interner, slot.key);
        slot.column = UINT32_MAX;
        if (packed && !drop) {
            slot.column = map_column(g, &slot, slot.key);
            ok = slot.column != UINT32_MAX;
        }
        if (packed)
            p->ops[p->n_ops++] = (struct tr__op){ slot.column, tr_type_is_string(slot.type) };
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

uint32_t tr__add_track(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
    struct tr__number_map *m = &g->maps[interner];
    if (id >= m->n_tracks && !grow_map(&m->tracks, &m->n_tracks, id + (size_t)1))
        return TR_NO_STR;
    if (m->tracks[id] != TR_NO_STR)
        return m->tracks[id];
    const struct tr_track *raw = &g->interners[interner]->tracks[id];
    struct tr_track t = *raw;
    if (tr_track_pid_is_text(&t))
        t.pid = tr__map_string(g, interner, (uint32_t)t.pid);
    if (t.pid == TR_NO_STR && t.pid_type == TR_T_STRING)
        return TR_NO_STR;
    if (tr_track_tid_is_text(&t))
        t.tid = tr__map_string(g, interner, (uint32_t)t.tid);
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

bool tr_batch_builder_clocks(struct tr_batch_builder *g, uint32_t n)
{
    return add_clocks(g->dict, n);
}

uint32_t tr_batch_builder_track(struct tr_batch_builder *g, size_t interner, uint32_t track)
{
    return tr__map_track(g, interner, track);
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
