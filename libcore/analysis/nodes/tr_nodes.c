/* SPDX-License-Identifier: MIT */
/* Graphs of execution traces. */
#include "analysis/nodes/tr_nodes.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_time.h"

#include <stdlib.h>
#include <string.h>

const char *tr_node_need_name(unsigned need)
{
    static const char *const names[TR_N_NEEDS] = { "data", "order", "parent" };
    return need < TR_N_NEEDS ? names[need] : NULL;
}

struct tr_nodes *tr_nodes_new(size_t max_memory)
{
    struct tr_nodes *n = calloc(1, sizeof *n);
    if (n)
        n->max_memory = max_memory;
    if (n && !(n->texts = tr_strtab_new())) {
        free(n);
        return NULL;
    }
    return n;
}

void tr_nodes_free(struct tr_nodes *n)
{
    if (!n)
        return;
    free(n->nodes);
    free(n->edges);
    free(n->first);
    tr_strtab_free(n->texts);
    tr_eventmap_free(&n->by_id);
    free(n);
}

struct tr_str tr_nodes_text(const struct tr_nodes *n, uint32_t text)
{
    if (text == TR_NO_STR)
        return (struct tr_str){ NULL, 0 };
    return (struct tr_str){ tr_strtab_get(n->texts, text), tr_strtab_len(n->texts, text) };
}

/* ---- memory ---- */

/* With the index of nodes, which is up to half empty, and with what the search for the longest chain takes. */
#define NODE_BYTES (sizeof(struct tr_node) + 2 * sizeof(struct tr_eventmap_slot) + 8 * sizeof(int64_t))
#define EDGE_BYTES (sizeof(struct tr_node_edge) + sizeof(uint32_t))

/* Are so many more nodes and edges allowed?  Lists grow by doubling. */
static bool fits(const struct tr_nodes *n, size_t nodes, size_t edges)
{
    size_t texts = tr_strtab_bytes(n->texts);
    size_t left = texts < n->max_memory ? n->max_memory - texts : 0;
    return n->n + nodes <= left / NODE_BYTES && n->n_edges + edges <= (left - (n->n + nodes) * NODE_BYTES) / EDGE_BYTES;
}

/* ---- reading ---- */

/* The column of a name, if it has the type; SIZE_MAX: none. */
static size_t column(const struct tr_side_table *t, const char *name, unsigned type)
{
    size_t i = 0;
    while (i < t->n_columns && strcmp(t->columns[i].name, name) != 0)
        i++;
    return i < t->n_columns && t->columns[i].type == type ? i : SIZE_MAX;
}

static int64_t value(const struct tr_side_value *row, size_t at, int64_t otherwise)
{
    return at != SIZE_MAX && row[at].present ? row[at].v : otherwise;
}

/* False: out of memory. */
static bool text(struct tr_nodes *n, const struct tr_side_value *row, size_t at, uint32_t *out)
{
    bool has = at != SIZE_MAX && row[at].present;
    *out = has ? tr_strtab_add(n->texts, row[at].text, row[at].len) : TR_NO_STR;
    return !has || *out != TR_NO_STR;
}

static bool add_nodes(struct tr_nodes *n, const struct tr_side_table *t, int64_t rank, uint32_t trace)
{
    const size_t id = column(t, "id", TR_T_UINT), rf = column(t, "rf_id", TR_T_UINT),
                 parent = column(t, "parent", TR_T_UINT), dur = column(t, "dur_ns", TR_T_INT),
                 self = column(t, "self_ns", TR_T_INT),
                 host = column(t, "is_cpu_op", TR_SIDE_BOOL), name = column(t, "name", TR_T_STRING),
                 kind = column(t, "kind", TR_T_STRING);
    struct tr_side_value row[TR_SIDE_MAX_COLUMNS];
    for (size_t at = 0; id != SIZE_MAX && tr_side_table_row(t, &at, row);) {
        struct tr_node node = { .id = (uint64_t)value(row, id, 0), .rf_id = (uint64_t)value(row, rf, 0), .rank = rank,
                                .dur = value(row, dur, TR_I64_NONE),
                                .self = value(row, self, value(row, dur, TR_I64_NONE)),
                                .parent_id = (uint64_t)value(row, parent, 0),
                                .has_parent = value(row, parent, -1) != -1, .parent = TR_NODE_NONE, .trace = trace,
                                .host = value(row, host, 1) != 0 };
        if (n->n >= TR_NODE_NONE - 1 || !text(n, row, name, &node.name) || !text(n, row, kind, &node.kind) ||
            !tr_grow(&n->nodes, &n->cap, n->n + 1, sizeof node))
            return false;
        if (tr_eventmap_has(&n->by_id, trace, node.id)) {
            n->doubled++;
            continue;
        }
        if (!tr_eventmap_put(&n->by_id, trace, node.id, 0))
            return false;
        n->nodes[n->n++] = node;
    }
    return true;
}

static bool add_edges(struct tr_nodes *n, const struct tr_side_table *t, uint32_t trace)
{
    static const struct {
        const char *kind;
        enum tr_node_need need;
    } kinds[] = { { "data", TR_NEED_DATA }, { "tensor", TR_NEED_DATA }, { "thread", TR_NEED_ORDER },
                  { "sync", TR_NEED_ORDER }, { "control", TR_NEED_PARENT } };
    const size_t node = column(t, "node", TR_T_UINT), on = column(t, "on", TR_T_UINT),
                 kind = column(t, "kind", TR_T_STRING);
    struct tr_side_value row[TR_SIDE_MAX_COLUMNS];
    if (node == SIZE_MAX || on == SIZE_MAX || kind == SIZE_MAX)
        return true;
    for (size_t at = 0; tr_side_table_row(t, &at, row);) {
        struct tr_node_edge e = { .from = (uint64_t)value(row, node, 0), .to = (uint64_t)value(row, on, 0),
                                  .trace = trace, .need = TR_N_NEEDS };
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (row[kind].present && tr_str_is((struct tr_str){ row[kind].text, row[kind].len }, kinds[k].kind))
                e.need = kinds[k].need;
        if (e.need == TR_N_NEEDS)
            continue;
        if (!tr_grow(&n->edges, &n->cap_edges, n->n_edges + 1, sizeof e))
            return false;
        n->edges[n->n_edges++] = e;
    }
    return true;
}

enum tr_status tr_nodes_add(struct tr_nodes *n, const struct tr_dict *dict, const struct tr_side_tables *tables,
                            struct tr_error *err)
{
    for (size_t i = 0; tables && i < tables->n; i++) {
        const struct tr_side_table *t = tables->v[i];
        if (strcmp(t->name, "nodes") != 0 || t->source == UINT32_MAX)
            continue;
        uint32_t trace = n->n_traces++;
        bool ok = true, enough = fits(n, (size_t)t->n_rows, 0);
        if (enough)
            ok = add_nodes(n, t, dict->sources[t->source].rank, trace);
        for (size_t k = 0; ok && enough && k < tables->n; k++)
            if (strcmp(tables->v[k]->name, "dependencies") == 0 && tables->v[k]->source == t->source &&
                (enough = fits(n, 0, (size_t)tables->v[k]->n_rows)))
                ok = add_edges(n, tables->v[k], trace);
        if (!ok)
            return tr_fail_memory(err);
        if (!enough)
            return tr_fail(err, TR_SYSTEM, "the graph of the execution traces needs more memory than -M allows "
                           "(%zu bytes for each node, %zu for each dependency)", NODE_BYTES, EDGE_BYTES);
    }
    return TR_OK;
}

/* ---- the graph ---- */

TR_ORDER(by_node, struct tr_node, TR_UP(trace), TR_UP(id))
TR_ORDER(by_edge, struct tr_node_edge, TR_UP(trace), TR_UP(from), TR_UP(to), TR_UP(need))

/* The number of nodes around each.  A parent has a lower id; one that has not is in a circle, or damaged. */
static void find_depths(struct tr_nodes *n)
{
    for (size_t i = 0; i < n->n; i++) {
        uint32_t parent = n->nodes[i].parent;
        n->nodes[i].depth = parent < i ? n->nodes[parent].depth + 1 : 0;
    }
}

enum tr_status tr_nodes_index(struct tr_nodes *n, struct tr_error *err)
{
    if (n->n)
        qsort(n->nodes, n->n, sizeof *n->nodes, by_node);
    if (n->n_edges)
        qsort(n->edges, n->n_edges, sizeof *n->edges, by_edge);
    bool ok = (n->first = calloc(n->n + 1, sizeof *n->first)) != NULL;
    for (size_t i = 0; ok && i < n->n; i++)
        ok = tr_eventmap_put(&n->by_id, n->nodes[i].trace, n->nodes[i].id, (uint32_t)i);
    if (!ok)
        return tr_fail_memory(err);
    size_t kept = 0, node = 0;
    for (size_t e = 0; e < n->n_edges; e++) {
        struct tr_node_edge *x = &n->edges[e];
        uint32_t from = tr_eventmap_get(&n->by_id, x->trace, x->from);
        const struct tr_node_edge *last = kept ? &n->edges[kept - 1] : NULL;
        if (from == TR_EVENTMAP_NONE ||
            (last && last->trace == x->trace && last->from == x->from && last->to == x->to && last->need == x->need))
            continue;
        x->on = tr_eventmap_get(&n->by_id, x->trace, x->to);
        while (node < from)
            n->first[++node] = kept;
        n->edges[kept++] = *x;
    }
    n->n_edges = kept;
    while (node < n->n)
        n->first[++node] = kept;
    for (size_t i = 0; i < n->n; i++)
        if (n->nodes[i].has_parent && n->nodes[i].parent_id != n->nodes[i].id)
            n->nodes[i].parent = tr_eventmap_get(&n->by_id, n->nodes[i].trace, n->nodes[i].parent_id);
    find_depths(n);
    return TR_OK;
}

/* ---- chains ---- */

/* Working memory by node, of which the nodes of one trace are used. */
struct search {
    size_t from, to;            /* these nodes */
    int64_t *sum;               /* of the best chain that ends there */
    uint32_t *before, *missing; /* the node before in it; needed nodes that have not been reached */
    uint32_t *queue;            /* nodes in an order in which what is needed comes first */
    size_t *users_at;           /* by node: its first user; n + 1 entries */
    uint32_t *users;
};

static bool counts(const struct tr_nodes *n, size_t node, size_t edge)
{
    return n->edges[edge].need != TR_NEED_PARENT && n->edges[edge].on != TR_NODE_NONE && n->edges[edge].on != node;
}

/* Who needs each node. */
static bool find_users(const struct tr_nodes *n, struct search *s)
{
    for (size_t i = s->from; i < s->to; i++)
        for (size_t e = n->first[i]; e < n->first[i + 1]; e++)
            if (counts(n, i, e)) {
                s->users_at[n->edges[e].on + 1]++;
                s->missing[i]++;
            }
    for (size_t i = s->from; i < s->to; i++)
        s->users_at[i + 1] += s->users_at[i];
    size_t *next = malloc((n->n + 1) * sizeof *next);
    s->users = malloc((s->users_at[s->to] + 1) * sizeof *s->users);
    if (next && s->users) {
        memcpy(next, s->users_at, (n->n + 1) * sizeof *next);
        for (size_t i = s->from; i < s->to; i++)
            for (size_t e = n->first[i]; e < n->first[i + 1]; e++)
                if (counts(n, i, e))
                    s->users[next[n->edges[e].on]++] = (uint32_t)i;
    }
    bool ok = next && s->users;
    free(next);
    return ok;
}

/* The best chain to a node whose needed nodes all have theirs. */
static void reach(const struct tr_nodes *n, struct search *s, uint32_t node, const int64_t *weights)
{
    int64_t best = 0;
    for (size_t e = n->first[node]; e < n->first[node + 1]; e++) {
        uint32_t on = n->edges[e].on;
        if (!counts(n, node, e) || (s->before[node] != TR_NODE_NONE && s->sum[on] <= best))
            continue;
        best = s->sum[on];
        s->before[node] = on;
    }
    s->sum[node] = tr_time_sum(best, weights[node] > 0 ? weights[node] : 0);
}

static bool find_chain(const struct tr_nodes *n, struct search *s, const int64_t *weights, uint32_t **chain,
                       size_t *len, uint64_t *circles)
{
    size_t in = 0, out = 0;
    uint32_t last = TR_NODE_NONE;
    for (size_t i = s->from; i < s->to; i++) {
        s->before[i] = TR_NODE_NONE;
        if (!s->missing[i])
            s->queue[in++] = (uint32_t)i;
    }
    for (; out < in; out++) {
        uint32_t node = s->queue[out];
        reach(n, s, node, weights);
        if (last == TR_NODE_NONE || s->sum[node] > s->sum[last] || (s->sum[node] == s->sum[last] && node < last))
            last = node;
        for (size_t u = s->users_at[node]; u < s->users_at[node + 1]; u++)
            if (--s->missing[s->users[u]] == 0)
                s->queue[in++] = s->users[u];
    }
    *circles = s->to - s->from - out;
    *len = 0;
    for (uint32_t at = last; at != TR_NODE_NONE; at = s->before[at])
        (*len)++;
    if (!(*chain = malloc((*len + 1) * sizeof **chain)))
        return false;
    for (size_t k = *len; k-- > 0; last = s->before[last])
        (*chain)[k] = last;
    return true;
}

bool tr_nodes_chain(const struct tr_nodes *n, uint32_t trace, const int64_t *weights, uint32_t **chain, size_t *len,
                    uint64_t *circles)
{
    struct search s = { .sum = calloc(n->n + 1, sizeof *s.sum), .before = calloc(n->n + 1, sizeof *s.before),
                        .missing = calloc(n->n + 1, sizeof *s.missing), .queue = calloc(n->n + 1, sizeof *s.queue),
                        .users_at = calloc(n->n + 1, sizeof *s.users_at) };
    while (s.from < n->n && n->nodes[s.from].trace < trace)
        s.from++;
    for (s.to = s.from; s.to < n->n && n->nodes[s.to].trace == trace;)
        s.to++;
    *chain = NULL;
    bool ok = s.sum && s.before && s.missing && s.queue && s.users_at && find_users(n, &s) &&
              find_chain(n, &s, weights, chain, len, circles);
    free(s.sum);
    free(s.before);
    free(s.missing);
    free(s.queue);
    free(s.users_at);
    free(s.users);
    return ok;
}
