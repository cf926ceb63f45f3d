/* SPDX-License-Identifier: MIT */
/* Critical paths: the work of a graph, and which work needs which, without a time line. */
#include "analysis/critpath/tr_critpath_int.h"

#include "base/tr_sort.h"

#include <stdlib.h>

#define MAX_NEEDS 64u /* of a node; with more, one piece of work without length stands for them */

/* Work that has to end before a node: a list in cells, from the newest. */
struct cell {
    uint32_t id, next; /* CP_NONE: the last one */
};

struct work {
    struct tr_critpath *c;
    size_t group;
    struct cell *cells;
    size_t n_cells, cap_cells;
    uint32_t *head;  /* by node */
    uint32_t *parts; /* by event: parts of its own time; then, those that were given */
    uint32_t *given;
    uint32_t needs[MAX_NEEDS + 1];
    uint32_t last; /* id */
    tr_cp_take_work *take;
    void *self;
};

static bool of_group(const struct work *w, uint32_t event)
{
    return cp_has_nodes(w->c, event) && w->c->group_of[cp_source(w->c, event)] == w->group;
}

static bool is_host(const struct work *w, uint32_t event)
{
    return (w->c->flags[event] & CP_HOST) != 0;
}

/* Own time of a host span, as an edge. */
static bool is_part(const struct work *w, uint32_t from, uint32_t to, enum tr_cp_edge type, uint32_t *event)
{
    if (type != TR_CP_OPERATOR || tr__cp_weight(w->c, from, to, type) <= 0)
        return false;
    *event = tr__cp_payer(w->c, from, to, type);
    return *event != CP_NONE && is_host(w, *event);
}

/* Add work to what a node needs, unless it is there. */
static bool add_need(struct work *w, uint32_t node, uint32_t id)
{
    for (uint32_t at = w->head[node]; at != CP_NONE; at = w->cells[at].next)
        if (w->cells[at].id == id)
            return true;
    if (w->n_cells >= CP_NONE - 1 || !cp_grow(w->c, &w->cells, &w->cap_cells, w->n_cells + 1, sizeof *w->cells))
        return false;
    w->cells[w->n_cells] = (struct cell){ id, w->head[node] };
    w->head[node] = (uint32_t)w->n_cells++;
    return true;
}

static int by_id(const void *a, const void *b)
{
    return TR_CMP(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* What a node needs, in order; more than MAX_NEEDS: the first so many, so there are others. */
static size_t needs_of(struct work *w, uint32_t node)
{
    size_t n = 0;
    for (uint32_t at = w->head[node]; at != CP_NONE && n <= MAX_NEEDS; at = w->cells[at].next)
        w->needs[n++] = w->cells[at].id;
    qsort(w->needs, n, sizeof *w->needs, by_id);
    return n;
}

/* Give work that starts at a node.  *id: its number. */
static enum tr_status give(struct work *w, uint32_t node, uint32_t event, int64_t dur, uint32_t *id,
                           struct tr_error *err)
{
    const struct tr_critpath *c = w->c;
    const struct tr_cp_work work = {
        .id = *id = ++w->last,
        .event = { c->ts[event], c->end[event], c->record[event], c->track[event], c->name[event],
                   c->activity[event] },
        .part = w->given[event]++,
        .parts = w->parts[event],
        .start = cp_time(c, node),
        .dur = dur,
        .host = is_host(w, event),
        .kind = c->kind[event],
        .n_needs = needs_of(w, node),
        .needs = w->needs,
    };
    return w->take(w->self, &work, err);
}

/*
 * A node with too many needs passes on one piece of work in place of them.  One that has many more than MAX_NEEDS was
 * never shortened, because each node adds to it: so this is done as they are added.
 */
static enum tr_status shorten(struct work *w, uint32_t node, struct tr_error *err)
{
    uint32_t id;
    if (needs_of(w, node) <= MAX_NEEDS)
        return TR_OK;
    enum tr_status st = give(w, node, cp_event(w->c, node), 0, &id, err);
    w->head[node] = CP_NONE;
    return st == TR_OK && !add_need(w, node, id) ? tr__cp_fail(w->c, err) : st;
}

/* What the first node needs, the second one needs too. */
static enum tr_status pass_on(struct work *w, uint32_t from, uint32_t to, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (uint32_t at = w->head[from]; st == TR_OK && at != CP_NONE; at = w->cells[at].next) {
        if (!add_need(w, to, w->cells[at].id))
            return tr__cp_fail(w->c, err);
        st = shorten(w, to, err);
    }
    return st;
}

static enum tr_status take_edge(struct work *w, uint32_t from, size_t edge, struct tr_error *err)
{
    const struct tr_critpath *c = w->c;
    uint32_t to = c->to[edge], event, id;
    enum tr_cp_edge type = (enum tr_cp_edge)c->type[edge];
    if (c->position[to] < c->position[from] || !of_group(w, cp_event(c, to)))
        return TR_OK;
    if ((to & 1) && !is_host(w, to / 2)) /* the end of device work comes from its own time */
        return TR_OK;
    if (!is_part(w, from, to, type, &event))
        return pass_on(w, from, to, err);
    enum tr_status st = give(w, from, event, tr__cp_weight(c, from, to, type), &id, err);
    return st == TR_OK && !add_need(w, to, id) ? tr__cp_fail(c, err) : st;
}

static enum tr_status take_node(struct work *w, uint32_t node, struct tr_error *err)
{
    const struct tr_critpath *c = w->c;
    uint32_t event = cp_event(c, node), id;
    enum tr_status st = TR_OK;
    if (cp_is_hub(c, node) || !of_group(w, event))
        return TR_OK;
    if (!(node & 1) && !is_host(w, event)) {
        st = give(w, node, event, c->end[event] - c->ts[event], &id, err);
        if (st == TR_OK && !add_need(w, cp_end(event), id))
            st = tr__cp_fail(c, err);
    }
    for (size_t i = c->first[node]; st == TR_OK && i < c->first[node + 1]; i++)
        st = take_edge(w, node, i, err);
    return st;
}

static void count_parts(struct work *w)
{
    const struct tr_critpath *c = w->c;
    uint32_t event;
    for (uint32_t node = 0; node < 2 * c->n; node++) {
        if (!of_group(w, node / 2))
            continue;
        w->parts[node / 2] += !(node & 1) && !is_host(w, node / 2);
        for (size_t i = c->first[node]; i < c->first[node + 1]; i++)
            if (c->position[c->to[i]] >= c->position[node] &&
                is_part(w, node, c->to[i], (enum tr_cp_edge)c->type[i], &event))
                w->parts[event]++;
    }
}

enum tr_status tr_critpath_work(struct tr_critpath *c, size_t group, tr_cp_take_work *take, void *self,
                                struct tr_error *err)
{
    struct work w = { .c = c, .group = group, .take = take, .self = self };
    w.head = malloc((c->n_nodes + 1) * sizeof *w.head);
    w.parts = calloc(c->n + 1, sizeof *w.parts);
    w.given = calloc(c->n + 1, sizeof *w.given);
    enum tr_status st = w.head && w.parts && w.given ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < c->n_nodes; i++)
        w.head[i] = CP_NONE;
    if (st == TR_OK)
        count_parts(&w);
    for (size_t i = 0; st == TR_OK && i < c->n_nodes; i++)
        st = take_node(&w, c->order[i], err);
    free(w.cells);
    free(w.head);
    free(w.parts);
    free(w.given);
    return st;
}
