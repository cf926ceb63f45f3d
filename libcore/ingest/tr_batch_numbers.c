/* SPDX-License-Identifier: MIT */
/* Numbers of interners become numbers of one dictionary, by content. */
#include "ingest/tr_batch_numbers_int.h"

#include <stdlib.h>

#define TEXTS_AHEAD 16u

uint32_t tr__add_string(struct tr_batch_builder *g, size_t interner, uint32_t id)
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
    return g->drop_args && (slot->place == TR_PLACE_ARGS || slot->place == TR_PLACE_END_ARGS ||
                            slot->role == TR_ROLE_ARGS);
}

static bool is_key(const struct tr__text *key, const char *name)
{
    return key->len == strlen(name) && !memcmp(key->text, name, key->len);
}

/* Find the places of the correlation, and of the numbers of the graph, among the values of a shape's rows. */
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

static bool grow_plans(struct tr__interner_map *m, size_t want)
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
    bool ok = p && slots;
    uint32_t n = 0;
    if (ok)
        p->ops = (struct tr__op *)(void *)(p + 1);
    for (uint32_t i = 0; ok && i < s->n_slots; i++) {
        struct tr_slot slot = s->slots[i];
        bool packed = slot.role == TR_ROLE_COLUMN && tr_type_has_entry(slot.type), drop = dropped(g, &slot);
        slot.key = drop ? TR_NO_STR : tr__map_string(g, interner, slot.key);
        slot.column = UINT32_MAX;
        if (packed && !drop) {
            slot.column = map_column(g, &slot);
            ok = slot.column != UINT32_MAX;
        }
        if (packed)
            p->ops[p->n_ops++] = (struct tr__op){ slot.column, tr_type_is_string(slot.type) };
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

/* Add rows until the source has n further clocks. */
static bool add_clocks(struct tr_dict *d, size_t n)
{
    while (d->n_clocks < n)
        if (tr_dict_add_domain(d, 0) == UINT32_MAX)
            return false;
    return true;
}

uint32_t tr__add_track(struct tr_batch_builder *g, size_t interner, uint32_t id)
{
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
    t.process_sort = t.thread_sort = TR_I64_NONE;
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
    return tr_number_map_set(&g->maps[interner].tracks, id, n) ? n : TR_NO_STR;
}

bool tr_batch_builder_clocks(struct tr_batch_builder *g, uint32_t n)
{
    return add_clocks(g->dict, n);
}

uint32_t tr_batch_builder_track(struct tr_batch_builder *g, size_t interner, uint32_t track)
{
    return tr__map_track(g, interner, track);
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
