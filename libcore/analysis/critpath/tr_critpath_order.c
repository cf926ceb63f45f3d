/* SPDX-License-Identifier: MIT */
/* Critical paths: the graph in order, and the heaviest paths through it. */
#include "analysis/critpath/tr_critpath_int.h"

#include <stdlib.h>
#include <string.h>

static bool add_edge(struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type)
{
    size_t n = c->n_edges + 1;
    if (n >= UINT32_MAX || !cp_grow(c, &c->from, &c->cap_edges[0], n, sizeof *c->from) ||
        !cp_grow(c, &c->to, &c->cap_edges[1], n, sizeof *c->to) ||
        !cp_grow(c, &c->type, &c->cap_edges[2], n, 1))
        return false;
    c->from[c->n_edges] = from;
    c->to[c->n_edges] = to;
    c->type[c->n_edges] = (uint8_t)type;
    c->n_edges = n;
    return true;
}

bool tr__cp_add_edge(struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type)
{
    return cp_is_solved(c, to) || add_edge(c, from, to, type);
}

bool tr__cp_add_solved(struct tr_critpath *c)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < 2 * c->n_carried; i++) {
        const struct cp_carried *k = &c->carried[i / 2];
        if (k->solved[i & 1] && k->before[i & 1] != CP_NONE)
            ok = add_edge(c, k->before[i & 1], i, (enum tr_cp_edge)k->type[i & 1]);
    }
    return ok;
}

/* ---- what an edge weighs, and which event is charged ---- */

uint32_t tr__cp_payer(const struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type)
{
    switch (type) {
    case TR_CP_OPERATOR:
    case TR_CP_OPERATOR_FREE:
        if (!(from & 1))
            return cp_event(c, from);
        return to & 1 ? cp_event(c, to) : c->parent[cp_event(c, from)];
    case TR_CP_QUEUE:
    case TR_CP_AFTER:
    case TR_CP_INFERRED:
        return cp_event(c, from);
    case TR_CP_PEER:
    case TR_CP_TRANSFER:
        return cp_event(c, to);
    default:
        return CP_NONE;
    }
}

bool tr__cp_is_own_time(enum tr_cp_edge type)
{
    return type == TR_CP_OPERATOR || type == TR_CP_PEER || type == TR_CP_TRANSFER;
}

static bool has_length(enum tr_cp_edge type)
{
    return type == TR_CP_GAP || type == TR_CP_LAUNCH ||
           type == TR_CP_QUEUE || type == TR_CP_AFTER || type == TR_CP_INFERRED || tr__cp_is_own_time(type);
}

/* With gaps, the weight of a sync is the time between its nodes, unless the work ended before the call started. */
static bool sync_has_length(const struct tr_critpath *c, int64_t from_ts, uint32_t to)
{
    return c->opts.gaps && (!(to & 1) || from_ts > c->ts[to / 2]);
}

int64_t tr__cp_weight(const struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type)
{
    if (c->rules) {
        uint32_t i = c->first[from];
        while (c->to[i] != to || c->type[i] != type)
            i++;
        return c->what_if[i];
    }
    int64_t a = cp_time(c, from), b = cp_time(c, to);
    bool weighs = b > a && (has_length(type) || (type == TR_CP_SYNC && sync_has_length(c, a, to)));
    return weighs ? b - a : 0;
}

static enum tr_cp_bound bound_of_event(const struct tr_critpath *c, uint32_t e)
{
    if (e == CP_NONE)
        return TR_CP_BY_SYNC;
    if (c->flags[e] & CP_DATA)
        return TR_CP_BY_DATA;
    if (c->flags[e] & CP_HOST)
        return c->activity[e] == TR_ACT_RUNTIME_API || c->activity[e] == TR_ACT_DRIVER_API
                   ? TR_CP_BY_CPU
                   : TR_CP_BY_OPERATOR;
    switch (c->kind[e]) {
    case TR_KIND_COMPUTE:
        return TR_CP_BY_COMPUTE;
    case TR_KIND_COMM:
        return TR_CP_BY_COMM;
    case TR_KIND_MEMORY:
        return TR_CP_BY_MEMORY;
    default:
        return TR_CP_BY_OTHER;
    }
}

enum tr_cp_bound tr__cp_bound(const struct tr_critpath *c, uint32_t from, uint32_t to,
                              enum tr_cp_edge type)
{
    switch (type) {
    case TR_CP_OPERATOR:
    case TR_CP_OPERATOR_FREE:
    case TR_CP_PEER:
    case TR_CP_TRANSFER:
        return bound_of_event(c, tr__cp_payer(c, from, to, type));
    case TR_CP_GAP:
        return TR_CP_BY_GAP;
    case TR_CP_LAUNCH:
    case TR_CP_LAUNCH_FREE:
        return TR_CP_BY_LAUNCH;
    case TR_CP_QUEUE:
    case TR_CP_AFTER:
    case TR_CP_INFERRED:
        return TR_CP_BY_QUEUE;
    default:
        return TR_CP_BY_SYNC;
    }
}

/* ---- order ---- */

/* Sort edges by their first node; edges of one node keep their order. */
static bool sort_edges(struct tr_critpath *c)
{
    uint32_t *to = tr__cp_alloc(c, c->n_edges + 1, sizeof *to);
    uint8_t *type = tr__cp_alloc(c, c->n_edges + 1, 1);
    c->first = tr__cp_alloc_zero(c, c->n_nodes + 2, sizeof *c->first);
    bool ok = to && type && c->first;
    for (size_t i = 0; ok && i < c->n_edges; i++)
        c->first[c->from[i] + 2]++;
    for (size_t i = 2; ok && i < c->n_nodes + 2; i++)
        c->first[i] += c->first[i - 1];
    for (size_t i = 0; ok && i < c->n_edges; i++) {
        uint32_t place = c->first[c->from[i] + 1]++;
        to[place] = c->to[i];
        type[place] = c->type[i];
    }
    if (!ok) {
        free(to);
        free(type);
        return false;
    }
    free(c->from);
    free(c->to);
    free(c->type);
    c->held -= c->cap_edges[0] * sizeof *c->from + c->cap_edges[1] * sizeof *c->to + c->cap_edges[2];
    c->from = NULL;
    c->to = to;
    c->type = type;
    return true;
}

/*
 * Each node comes after all nodes that lead to it.  Clocks that disagree can make a cycle.  Then the first event that
 * is left goes on without waiting, and edges that lead back to it do not count.
 */
static void sort_nodes(struct tr_critpath *c)
{
    size_t n = 0, done = 0, left = 0;
    for (size_t i = 0; i < c->n_edges; i++)
        c->position[c->to[i]]++;
    for (size_t i = 0; i < c->n_nodes; i++)
        if (c->position[i] == 0)
            c->order[n++] = (uint32_t)i;
    while (n < c->n_nodes || done < n) {
        if (done == n) {
            while (c->position[left] == 0) /* in the list, or done */
                left++;
            c->position[left] = 0;
            c->order[n++] = (uint32_t)left;
        }
        uint32_t from = c->order[done++];
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++)
            if (c->position[c->to[i]] > 0 && --c->position[c->to[i]] == 0)
                c->order[n++] = c->to[i];
    }
    for (size_t i = 0; i < n; i++)
        c->position[c->order[i]] = (uint32_t)i;
}

/* With gaps, work and spans that nothing leads to come after the first event of their group. */
static bool first_edges(struct tr_critpath *c)
{
    uint8_t *led = calloc(c->n_nodes + 1, 1);
    bool ok = led != NULL;
    for (size_t i = 0; ok && i < c->n_edges; i++)
        led[c->to[i]] = 1;
    for (uint32_t e = 0; ok && e < c->n; e++) {
        uint32_t g = cp_has_nodes(c, e) ? c->group_of[cp_source(c, e)] : CP_NONE;
        if (g != CP_NONE && !led[cp_start(e)] && c->ts[e] > c->ts[c->group_first[g]])
            ok = tr__cp_add_edge(c, cp_start(c->group_first[g]), cp_start(e), TR_CP_GAP);
    }
    free(led);
    return ok;
}

bool tr__cp_graph_index(struct tr_critpath *c)
{
    c->n_nodes = 2 * c->n + c->n_hubs;
    if ((c->opts.gaps && !c->opts.contract && !first_edges(c)) || !sort_edges(c))
        return false;
    c->order = tr__cp_alloc(c, c->n_nodes + 1, sizeof *c->order);
    c->position = tr__cp_alloc_zero(c, c->n_nodes + 1, sizeof *c->position);
    c->reach = tr__cp_alloc(c, c->n_nodes + 1, sizeof *c->reach);
    c->before = tr__cp_alloc(c, c->n_nodes + 1, sizeof *c->before);
    c->before_type = tr__cp_alloc(c, c->n_nodes + 1, 1);
    if (!c->order || !c->position || !c->reach || !c->before || !c->before_type)
        return false;
    sort_nodes(c);
    return true;
}

/* ---- distances ---- */

bool tr__cp_later(const struct tr_critpath *c, uint32_t a, uint32_t b)
{
    int64_t ta = cp_time(c, a), tb = cp_time(c, b);
    return ta != tb ? ta > tb : a > b;
}

static uint32_t group_of_node(const struct tr_critpath *c, uint32_t node)
{
    uint32_t e = cp_event(c, node);
    return cp_has_nodes(c, e) ? c->group_of[cp_source(c, e)] : CP_NONE;
}

/* The weight of edge i; CP_CUT: it does not count. */
static int64_t weight_now(const struct tr_critpath *c, uint32_t from, uint32_t i)
{
    if (c->rules)
        return c->what_if[i];
    enum tr_cp_edge type = (enum tr_cp_edge)c->type[i];
    return type == TR_CP_ORDER ? CP_CUT : tr__cp_weight(c, from, c->to[i], type);
}

static void find_ends(struct tr_critpath *c)
{
    for (size_t g = 0; g < c->n_groups; g++)
        c->group_end[g] = CP_NONE;
    for (size_t i = 0; i < c->n_nodes; i++) {
        uint32_t node = (uint32_t)i, g = group_of_node(c, node);
        if (g == CP_NONE)
            continue;
        uint32_t *end = &c->group_end[g];
        if (*end == CP_NONE || c->reach[node] > c->reach[*end] ||
            (c->reach[node] == c->reach[*end] && tr__cp_later(c, *end, node)))
            *end = node;
    }
}

void tr_critpath_retime(struct tr_critpath *c, bool rules)
{
    c->rules = rules;
    for (size_t i = 0; i < c->n_nodes; i++) {
        c->before[i] = CP_NONE;
        c->reach[i] = cp_is_solved(c, (uint32_t)i) ? c->carried[i / 2].reach[i & 1] : 0;
    }
    for (size_t k = 0; k < c->n_nodes; k++) {
        uint32_t from = c->order[k];
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++) {
            uint32_t to = c->to[i];
            if (cp_is_solved(c, to)) {
                c->before[to] = from;
                c->before_type[to] = c->type[i];
                continue;
            }
            int64_t weight = weight_now(c, from, i);
            if (c->position[to] < k || weight == CP_CUT)
                continue;
            int64_t reach = cp_plus(c->reach[from], weight);
            if (c->before[to] != CP_NONE &&
                (reach < c->reach[to] || (reach == c->reach[to] && !tr__cp_later(c, from, c->before[to]))))
                continue;
            c->reach[to] = reach;
            c->before[to] = from;
            c->before_type[to] = c->type[i];
        }
    }
    find_ends(c);
}

enum tr_status tr_critpath_slacks(struct tr_critpath *c, struct tr_error *err)
{
    if (!c->rest)
        c->rest = tr__cp_alloc(c, c->n_nodes + 1, sizeof *c->rest);
    if (!c->on_path)
        c->on_path = tr__cp_alloc(c, c->n_nodes + 1, 1);
    if (!c->rest || !c->on_path)
        return tr__cp_fail(c, err);
    memset(c->on_path, 0, c->n_nodes + 1);
    for (size_t g = 0; g < c->n_groups; g++)
        for (uint32_t node = c->group_end[g]; node != CP_NONE; node = c->before[node])
            c->on_path[node] = 1;
    for (size_t k = c->n_nodes; k-- > 0;) {
        uint32_t from = c->order[k];
        c->rest[from] = 0;
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++) {
            uint32_t to = c->to[i];
            if (c->position[to] < k)
                continue;
            int64_t rest =
                cp_plus(c->rest[to], tr__cp_weight(c, from, to, (enum tr_cp_edge)c->type[i]));
            c->rest[from] = rest > c->rest[from] ? rest : c->rest[from];
        }
    }
    return TR_OK;
}
