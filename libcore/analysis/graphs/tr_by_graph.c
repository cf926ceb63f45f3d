/* SPDX-License-Identifier: MIT */
/* Graphs that are launched again and again, node by node. */
#include "analysis/graphs/tr_graphs_analyses.h"
#include "base/tr_freelist.h"
#include "base/tr_sort.h"
#include "base/tr_stats.h"
#include "engine/tr_rows.h"
#include "service/tr_pending.h"
#include "vendor/tr_roles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX

/* Device work of a launch that is not complete yet. */
struct item {
    int64_t ts, dur, graph, node, stream;
    uint64_t place; /* in the order in which work came */
    uint32_t name, group, next;
    bool counts;
};

/* A launch whose work has not all come, or that has not come itself. */
struct launch {
    uint32_t first, last; /* of its work */
};
static const struct launch no_launch = { NO_ENTRY, NO_ENTRY };

struct graph {
    uint32_t group;
    int64_t id;        /* TR_I64_NONE: not in the trace */
    uint64_t sequence; /* if so: hash of the names of its work */
    uint64_t number;   /* if so: in the order in which first launches were complete, from 1 */
    uint64_t launches, seen; /* seen: number of the launch that was counted last */
    uint32_t nodes;
    int64_t sum;
};

struct node {
    uint32_t graph, position;
    int64_t id; /* TR_I64_NONE: its position identifies it */
    uint32_t name;
    struct tr_stats stats;
    struct tr_hist *durations;
};

struct graph_state {
    struct tr_analysis_in in;
    struct tr_graph_options options;
    struct tr_group_by work;
    struct item *items;
    struct tr_pending launches; /* of graphs */
    struct tr_freelist item_places;
    struct graph *graphs;
    size_t n_graphs, cap_graphs;
    struct tr_hash_index graph_of;
    struct node *nodes;
    size_t n_nodes, cap_nodes;
    struct tr_hash_index node_of;
    struct item *whole; /* the work of one launch */
    size_t cap_whole;
    uint64_t n_work, n_launches;
    uint64_t n_attached; /* nodes with attached names */
    uint8_t *role; /* by string: 1 no graph launch, 2 a graph launch; 0: not looked up yet */
    size_t n_role, cap_role;
    int64_t *graph_id, *graph_node; /* of this batch */
    uint32_t *launch_name;
    size_t cap_graph, cap_node, cap_name;
};

/* ---- columns ---- */

static void columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    static const struct tr_table_column first[] = {
        { "graph", TR_CELL_STRING, TR_ROLE_GROUP,
          .meaning = "number of the graph in the trace; #1 and so on if it has none" },
        { "launches", TR_CELL_COUNT, TR_ROLE_TEXT, .meaning = "number of launches of the graph" },
        { "nodes", TR_CELL_COUNT, TR_ROLE_TEXT, .meaning = "number of nodes of the graph" },
        { "position", TR_CELL_COUNT, TR_ROLE_KEY, .meaning = "position of the node in the graph, from 0" },
        { "node", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "number of the node in the trace" },
        { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .label = true, .meaning = "the kernel, copy or memset" },
    };
    static const struct tr_table_column rest[] = {
        { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of runs of the node" },
        { "sum", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of durations" },
        { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "sum",
          .meaning = "share of the sum of the graph" },
        { "mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "sum", .per = "count", .meaning = "mean duration" },
        { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "median duration" },
        { "p99", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "99th percentile of durations" },
        { "max", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "longest duration" },
        { "approx", TR_CELL_COUNT, TR_ROLE_MAX, .extra = true,
          .meaning = "1: percentiles are approximate, to 2^-11 of their value" },
    };
    const struct tr_graph_options *o = options;
    size_t n = 0;
    const char *const *names = o->names ? tr_graph_names_columns(o->names, &n) : NULL;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, first, sizeof first / sizeof *first);
    for (size_t i = 0; i < n; i++)
        tr_table_columns(t, &(struct tr_table_column){ names[i], TR_CELL_STRING, TR_ROLE_TEXT,
                                                       .meaning = "as attached" }, 1);
    tr_table_columns(t, rest, sizeof rest / sizeof *rest);
}

/* ---- the run ---- */

static void release(void *state)
{
    struct graph_state *s = state;
    tr_group_by_free(&s->work);
    tr_freelist_free(&s->item_places);
    tr_pending_free(&s->launches);
    tr_hash_index_free(&s->graph_of);
    tr_hash_index_free(&s->node_of);
    for (size_t i = 0; i < s->n_nodes; i++)
        tr_hist_free(s->nodes[i].durations);
    free(s->items);
    free(s->graphs);
    free(s->nodes);
    free(s->whole);
    free(s->role);
    free(s->graph_id);
    free(s->graph_node);
    free(s->launch_name);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct graph_state *s = state;
    s->in = *in;
    s->options = *(const struct tr_graph_options *)options;
    s->launches.keep_all = true;
    tr_pending_init(&s->launches, in->dict, &no_launch, sizeof no_launch);
    return tr_group_by_init(&s->work, &in->work, in->dict, in->summary, in->sorted, in->select, err);
}

/* ---- graphs and nodes ---- */

/* False: out of memory, here and below. */
static bool find_graph(struct graph_state *s, uint32_t group, int64_t id, uint64_t sequence, uint32_t *out)
{
    uint64_t hash = tr_mix64((uint64_t)id ^ group, sequence ^ UINT64_C(0x9e3779b97f4a7c15));
    struct tr_hash_walk walk = tr_hash_index_walk(&s->graph_of, hash);
    while ((*out = tr_hash_index_next(&walk)) != TR_HASH_NONE) {
        const struct graph *g = &s->graphs[*out];
        if (g->group == group && g->id == id && g->sequence == sequence)
            return true;
    }
    if (s->n_graphs >= NO_ENTRY - 1 || !tr_grow(&s->graphs, &s->cap_graphs, s->n_graphs + 1, sizeof *s->graphs) ||
        !tr_hash_index_add(&s->graph_of, hash, (uint32_t)s->n_graphs))
        return false;
    s->graphs[s->n_graphs] = (struct graph){ .group = group, .id = id, .sequence = sequence };
    *out = (uint32_t)s->n_graphs++;
    return true;
}

static bool find_node(struct graph_state *s, uint32_t graph, int64_t id, uint32_t position, uint32_t name,
                      uint32_t *out)
{
    uint64_t what = id == TR_I64_NONE ? position : (uint64_t)id;
    uint64_t hash = tr_mix64((uint64_t)graph << 32 | name, what ^ UINT64_C(0xe7037ed1a0b428db));
    struct tr_hash_walk walk = tr_hash_index_walk(&s->node_of, hash);
    while ((*out = tr_hash_index_next(&walk)) != TR_HASH_NONE) {
        const struct node *n = &s->nodes[*out];
        if (n->graph == graph && n->id == id && n->name == name && (id != TR_I64_NONE || n->position == position))
            return true;
    }
    if (s->n_nodes >= NO_ENTRY - 1 || !tr_grow(&s->nodes, &s->cap_nodes, s->n_nodes + 1, sizeof *s->nodes))
        return false;
    struct node *n = &s->nodes[s->n_nodes];
    *n = (struct node){ graph, position, id, name, TR_STATS_INIT, NULL };
    n->durations = tr_hist_new(s->in.distinct ? s->in.distinct : TR_ROWS_DISTINCT);
    if (!n->durations || !tr_hash_index_add(&s->node_of, hash, (uint32_t)s->n_nodes)) {
        tr_hist_free(n->durations);
        return false;
    }
    s->graphs[graph].nodes++;
    *out = (uint32_t)s->n_nodes++;
    return true;
}

/* launch: its number; 0: not known. */
static bool count(struct graph_state *s, const struct item *w, uint32_t graph, uint32_t position, uint64_t launch)
{
    uint32_t node;
    struct graph *g = &s->graphs[graph];
    if (!w->counts)
        return true;
    if (launch && g->seen != launch) {
        g->seen = launch;
        g->launches++;
    }
    g->sum = tr_time_sum(g->sum, w->dur);
    if (!find_node(s, graph, w->node, position, w->name, &node))
        return false;
    tr_stats_add(&s->nodes[node].stats, w->dur);
    return tr_hist_add(s->nodes[node].durations, w->dur, 1);
}

/* ---- launches ---- */

TR_ORDER(by_start, struct item, TR_UP(ts), TR_UP(place))

/* One stream after the other, so that their overlap does not matter. */
TR_ORDER(by_stream, struct item, TR_UP(stream), by_start(a, b))

/* Count all work of a launch, by numbers of nodes if all work has them, else by position. */
static bool finish_launch(struct graph_state *s, uint32_t first)
{
    size_t n = 0, n_named = 0;
    bool ok = true;
    uint64_t sequence = 1;
    uint32_t graph = 0;
    for (uint32_t i = first; i != NO_ENTRY; i = s->items[i].next) {
        if (!tr_grow(&s->whole, &s->cap_whole, n + 1, sizeof *s->whole))
            return false;
        s->whole[n++] = s->items[i];
        n_named += s->items[i].graph != TR_I64_NONE;
        tr_freelist_give(&s->item_places, i);
    }
    if (!n)
        return true;
    s->n_launches++;
    qsort(s->whole, n, sizeof *s->whole, n_named == n ? by_start : by_stream);
    for (size_t i = 0; i < n; i++)
        sequence = tr_mix64(sequence ^ s->whole[i].name, UINT64_C(0xa0761d6478bd642f));
    for (size_t i = 0; ok && i < n; i++) {
        struct item *w = &s->whole[i];
        if (n_named < n) /* numbers are used for all work of a launch, or for none */
            w->graph = w->node = TR_I64_NONE;
        ok = find_graph(s, w->group, w->graph, n_named == n ? 0 : sequence, &graph) &&
             count(s, w, graph, (uint32_t)i, s->n_launches);
    }
    return ok;
}

static bool end_if_whole(struct graph_state *s, uint32_t number)
{
    const struct launch *l = tr_pending_at(&s->launches, number);
    uint32_t first = l->first;
    if (!tr_pending_is_whole(&s->launches, number))
        return true;
    tr_pending_settle(&s->launches, number);
    return finish_launch(s, first);
}

static bool is_graph_launch(struct graph_state *s, uint32_t name, bool *is)
{
    *is = false;
    if (name == TR_NO_STR)
        return true;
    if (!tr_grow(&s->role, &s->cap_role, (size_t)name + 1, sizeof *s->role))
        return false;
    for (; s->n_role <= name; s->n_role++)
        s->role[s->n_role] = 0;
    if (!s->role[name]) {
        struct tr_str text = tr_dict_text(s->in.dict, name);
        s->role[name] = tr_roles_of(s->in.dict->names, text.s, text.len) & TR_NAMED_GRAPH_LAUNCH ? 2 : 1;
    }
    *is = s->role[name] == 2;
    return true;
}

/* A call comes that launches a graph. */
static bool add_call(struct graph_state *s, const struct tr_batch *b, size_t i)
{
    uint32_t number;
    bool is;
    if (!is_graph_launch(s, b->name[i], &is))
        return false;
    if (!is && !tr_pending_is_early(&s->launches, b, i))
        return true;
    if (!tr_pending_call(&s->launches, b, i, true, &number))
        return false;
    return number == TR_PENDING_NONE || end_if_whole(s, number);
}

static bool add_work(struct graph_state *s, const struct tr_batch *b, size_t i)
{
    struct tr_group_by_item w;
    const struct tr_dict *d = s->in.dict;
    bool numbered = s->graph_id[i] != TR_I64_NONE && (s->graph_id[i] != 0 || s->graph_node[i] > 0), is;
    if (!is_graph_launch(s, s->launch_name[i], &is))
        return false;
    if (!is && !numbered)
        return true;
    struct item work = { .ts = b->ts[i], .name = b->name[i], .next = NO_ENTRY, .place = s->n_work++ };
    work.counts = tr_group_by_counts(&s->work, i);
    work.graph = numbered ? s->graph_id[i] : TR_I64_NONE;
    work.node = numbered ? s->graph_node[i] : TR_I64_NONE;
    work.stream = d->tracks[b->track[i]].stream;
    if (work.counts) {
        if (!tr_group_by_item(&s->work, i, &w))
            return false;
        work.group = w.group;
        work.dur = w.end - w.start;
    } else if (!tr_group_by_group(&s->work, i, &work.group)) {
        return false;
    }
    uint32_t graph;
    if (!tr_pending_is_linked(&s->launches, i))
        return !numbered || (find_graph(s, work.group, work.graph, 0, &graph) &&
                             count(s, &work, graph, s->graphs[graph].nodes, 0));
    uint32_t number, place;
    if (!tr_pending_work(&s->launches, b, i, &number))
        return false;
    place = tr_freelist_take(&s->item_places, &s->items, sizeof *s->items);
    if (place == NO_ENTRY)
        return false;
    struct launch *l = tr_pending_at(&s->launches, number);
    s->items[place] = work;
    if (l->first == NO_ENTRY)
        l->first = place;
    else
        s->items[l->last].next = place;
    l->last = place;
    return end_if_whole(s, number);
}

/* ---- batches ---- */

static bool expand(struct graph_state *s, const struct tr_batch *b)
{
    if (!tr_pending_batch(&s->launches, b) || !tr_grow(&s->graph_id, &s->cap_graph, b->n, sizeof *s->graph_id) ||
        !tr_grow(&s->graph_node, &s->cap_node, b->n, sizeof *s->graph_node) ||
        !tr_grow(&s->launch_name, &s->cap_name, b->n, sizeof *s->launch_name))
        return false;
    tr_batch_expand_i64(b, TR_COL_GRAPH_ID, TR_I64_NONE, s->graph_id);
    tr_batch_expand_i64(b, TR_COL_GRAPH_NODE, TR_I64_NONE, s->graph_node);
    tr_batch_expand_str(b, TR_COL_LAUNCH_NAME, s->launch_name);
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct graph_state *s = state;
    (void)t;
    enum tr_status st = tr_group_by_batch(&s->work, b, keep, err);
    bool ok = expand(s, b);
    for (size_t i = 0; ok && st == TR_OK && i < b->n; i++) {
        if (b->flags[i] & TR_HAS_DEVICE)
            ok = add_call(s, b, i);
        else if (b->phase[i] == TR_SPAN && tr_is_device_work(b->activity[i]) &&
                 (b->flags[i] & (TR_HAS_LAUNCH | TR_HAS_GRAPH)))
            ok = add_work(s, b, i);
    }
    return ok ? st : tr_fail_memory(err);
}

/* ---- rows ---- */

struct sorted {
    const struct graph *graph;
    const struct node *node;
    size_t place; /* of the group */
};

static int by_row(const void *x, const void *y)
{
    const struct sorted *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->graph != b->graph && a->graph->sum != b->graph->sum)
        return a->graph->sum > b->graph->sum ? -1 : 1;
    if (a->graph != b->graph)
        return a->graph < b->graph ? -1 : 1;
    if (a->node->position != b->node->position)
        return a->node->position < b->node->position ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

static void add_row(struct graph_state *s, struct tr_table *t, const struct graph *g, const struct node *n)
{
    char graph[32], node[32] = "", position[32];
    size_t n_names = 0;
    struct tr_str name = tr_dict_text(s->in.dict, n->name);
    if (g->id == TR_I64_NONE)
        snprintf(graph, sizeof graph, "#%" PRIu64, g->number);
    else
        snprintf(graph, sizeof graph, "%" PRId64, g->id);
    if (n->id != TR_I64_NONE)
        snprintf(node, sizeof node, "%" PRId64, n->id);
    snprintf(position, sizeof position, "%" PRIu32, n->position);
    tr_group_cells(t, s->in.work.per, &s->work.groups[g->group]);
    tr_table_string(t, graph);
    if (g->launches)
        tr_table_count(t, g->launches);
    else
        tr_table_absent(t);
    tr_table_count(t, g->nodes);
    tr_table_count(t, n->position);
    if (n->id != TR_I64_NONE)
        tr_table_int(t, n->id);
    else
        tr_table_absent(t);
    tr_table_text(t, name);
    const struct tr_str keys[] = { tr_str_of(graph), tr_str_of(node), tr_str_of(position), name };
    const struct tr_str *attached = s->options.names ? tr_graph_names_find(s->options.names, keys) : NULL;
    if (s->options.names)
        tr_graph_names_columns(s->options.names, &n_names);
    s->n_attached += attached != NULL;
    for (size_t i = 0; i < n_names; i++)
        tr_table_text(t, attached ? attached[i] : tr_str_of(NULL));
    tr_table_count(t, n->stats.n);
    tr_table_time(t, tr_stats_sum(&n->stats));
    tr_table_pct(t, tr_stats_sum(&n->stats), g->sum);
    tr_table_time_f(t, tr_stats_mean(&n->stats));
    tr_table_time_f(t, tr_hist_quantile(n->durations, 50, 100));
    tr_table_time_f(t, tr_hist_quantile(n->durations, 99, 100));
    tr_table_time(t, n->stats.max);
    tr_table_count(t, tr_hist_approx(n->durations));
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct graph_state *s = state;
    bool ok = true;
    for (uint32_t n = 0; ok && n < s->launches.places.n; n++) { /* the rest of their work never comes */
        const struct launch *l = tr_pending_at(&s->launches, n);
        ok = !tr_pending_is_used(&s->launches, n) || finish_launch(s, l->first);
    }
    uint32_t *order = tr_group_by_order(&s->work);
    size_t *places = calloc(s->work.n_groups + 1, sizeof *places);
    struct sorted *rows = calloc(s->n_nodes + 1, sizeof *rows);
    uint64_t *unnamed = calloc(s->work.n_groups + 1, sizeof *unnamed);
    ok = ok && order && places && rows && unnamed;
    for (size_t i = 0; ok && i < s->n_graphs; i++)
        if (s->graphs[i].id == TR_I64_NONE)
            s->graphs[i].number = ++unnamed[s->graphs[i].group];
    for (size_t i = 0; ok && i < s->work.n_groups; i++)
        places[order[i]] = i;
    for (size_t i = 0; ok && i < s->n_nodes; i++) {
        const struct graph *g = &s->graphs[s->nodes[i].graph];
        rows[i] = (struct sorted){ g, &s->nodes[i], places[g->group] };
        tr_hist_seal(s->nodes[i].durations);
    }
    if (ok)
        qsort(rows, s->n_nodes, sizeof *rows, by_row);
    for (size_t i = 0; ok && i < s->n_nodes; i++)
        add_row(s, t, rows[i].graph, rows[i].node);
    if (ok && s->options.captured && s->n_attached < s->n_nodes)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, NULL,
                           "%" PRIu64 " of %zu nodes of graphs are not in the captures: they "
                           "have no operator",
                           s->n_nodes - s->n_attached, s->n_nodes);
    free(order);
    free(places);
    free(unnamed);
    free(rows);
    return ok ? tr_table_status(t, err) : tr_fail_memory(err);
}

static const struct tr_graph_options defaults = { .names = NULL };

const struct tr_analysis tr_analysis_graph = {
    .name = "graph",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "position", .y = { "sum" }, .facet = "graph" },
    .question = "Which nodes of launched graphs took the time?",
    .nothing = "no device work of a graph is selected",
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_STEP) | TR_PER_BIT(TR_PER_CAPTURE) | TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_RANK,
    TR_OPTIONS(NULL, defaults),
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(FLAGS),
                         .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK |
                                    1u << TR_COL_LAUNCH_NAME | 1u << TR_COL_N_DEVICE | 1u << TR_COL_GRAPH_ID |
                                    1u << TR_COL_GRAPH_NODE,
                         .any_rank_order = true } },
    .columns = columns,
    .state_size = sizeof(struct graph_state),
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .saving = &tr_saving_ranks,
};
