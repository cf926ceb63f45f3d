/* SPDX-License-Identifier: MIT */
/* Critical paths: the contracted graphs of all ranks, joined by collectives, and the path through them. */
#include "analysis/critpath/tr_critpath_contract.h"

#include "analysis/critpath/tr_critpath_int.h"
#include "base/tr_sort.h"
#include "model/tr_eventmap.h"
#include "stream/tr_order.h"

#include <stdlib.h>
#include <string.h>

/* What a joint turned out to be. */
enum { JOINED = 1, WAITS = 2 };

/* Numbers: point p of graph g is node graph_at[g] + p - 1; the moments when all have come are the nodes after these. */
struct join {
    const struct cp_contractions *k;
    const struct tr_colls *colls;
    const struct tr_dict *dict;
    uint32_t *place;        /* by source, in the order of events */
    uint32_t *graph_at, *joint_at; /* by graph: its first point, its first joint */
    uint32_t *graph_of;     /* by point */
    uint32_t *in_first;     /* by point: the edges that lead to it */
    uint32_t *out_first;    /* by point: the edges that come from it, as numbers in out */
    uint32_t *out;
    uint32_t *joint_of;     /* by point, CP_NONE: it is no start or end of one */
    uint32_t *other_first, *other_next; /* by point, by joint: joints of which it is the other work */
    uint8_t *joint_bits;
    uint32_t *hub_of, *hub_next, *joint_graph; /* by joint: the moment when all have come, the next one in it */
    size_t *member_of;      /* by joint: in colls, SIZE_MAX: none */
    uint32_t *hub_first;
    int64_t *hub_ts;
    uint32_t *hub_last;     /* the joint that came last */
    size_t n_hubs, cap_hubs[3];
    uint32_t first;         /* the first event of all */
    size_t n_nodes;
    uint32_t *left, *queue; /* by node: edges to it that are not done; nodes in order */
    int64_t *reach;         /* -1: not done */
    uint32_t *by;
    uint8_t *how;
    uint64_t cut;
};

static void join_free(struct join *j)
{
    CP_FREE(&j->place, &j->graph_at, &j->joint_at, &j->graph_of, &j->in_first, &j->out_first, &j->out, &j->joint_of,
            &j->other_first, &j->other_next, &j->joint_bits, &j->hub_of, &j->hub_next, &j->joint_graph, &j->member_of,
            &j->hub_first, &j->hub_ts, &j->hub_last, &j->left, &j->queue, &j->reach, &j->by, &j->how);
}

static uint32_t start_of(const struct join *j, uint32_t joint)
{
    return j->graph_at[j->joint_graph[joint]] + j->k->joints[joint].start - 1;
}
static uint32_t end_of(const struct join *j, uint32_t joint)
{
    return j->graph_at[j->joint_graph[joint]] + j->k->joints[joint].end - 1;
}
/* CP_NONE: there is none. */
static uint32_t other_of(const struct join *j, uint32_t joint)
{
    uint32_t other = j->k->joints[joint].other;
    return other ? j->graph_at[j->joint_graph[joint]] + other - 1 : CP_NONE;
}
static uint32_t source_of(const struct join *j, uint32_t node)
{
    return j->k->graphs[j->graph_of[node]].source;
}
static int64_t time_of(const struct join *j, uint32_t node)
{
    return node < j->k->n_points ? j->k->points[node].ts : j->hub_ts[node - j->k->n_points];
}
/* Of an edge of a graph. */
static uint32_t from_of(const struct join *j, const struct cp_contracted *edge, uint32_t graph)
{
    return edge->from ? j->graph_at[graph] + edge->from - 1 : j->first;
}

static int64_t from_to(int64_t from, int64_t to)
{
    return to > from ? to - from : 0;
}

/* Of two points of any ranks, does a come after b?  As tr__cp_later for a graph of all ranks. */
static bool later(const struct join *j, uint32_t a, uint32_t b)
{
    const struct cp_point *p = &j->k->points[a], *q = &j->k->points[b];
    bool end_p = p->bits & CP_POINT_END, end_q = q->bits & CP_POINT_END;
    int64_t start_p = end_p ? p->ts - p->dur : p->ts, start_q = end_q ? q->ts - q->dur : q->ts;
    if (p->ts != q->ts)
        return p->ts > q->ts;
    if (start_p != start_q)
        return start_p > start_q;
    if (p->dur != q->dur)
        return p->dur < q->dur;
    if (source_of(j, a) != source_of(j, b))
        return j->place[source_of(j, a)] > j->place[source_of(j, b)];
    return p->record != q->record ? p->record > q->record : end_p && !end_q;
}

void tr_cp_joined_free(struct cp_joined *j)
{
    free(j->steps);
    free(j->reach);
}

/* ---- the graph ---- */

static bool make_room(struct join *j)
{
    const struct cp_contractions *k = j->k;
    size_t n = k->n_points + 1, n_joints = k->n_joints + 1, n_graphs = k->n_graphs + 1;
    j->place = malloc((j->dict->n_sources + 1) * sizeof *j->place);
    j->graph_at = malloc(n_graphs * sizeof *j->graph_at);
    j->joint_at = malloc(n_graphs * sizeof *j->joint_at);
    j->graph_of = malloc(n * sizeof *j->graph_of);
    j->in_first = calloc(n + 1, sizeof *j->in_first);
    j->out_first = calloc(n + 2, sizeof *j->out_first);
    j->out = malloc((k->n_edges + 1) * sizeof *j->out);
    j->joint_of = malloc(n * sizeof *j->joint_of);
    j->other_first = malloc(n * sizeof *j->other_first);
    j->other_next = malloc(n_joints * sizeof *j->other_next);
    j->joint_bits = calloc(n_joints, 1);
    j->hub_of = malloc(n_joints * sizeof *j->hub_of);
    j->hub_next = malloc(n_joints * sizeof *j->hub_next);
    j->joint_graph = malloc(n_joints * sizeof *j->joint_graph);
    j->member_of = malloc(n_joints * sizeof *j->member_of);
    return j->place && j->graph_at && j->joint_at && j->graph_of && j->in_first && j->out_first && j->out &&
           j->joint_of && j->other_first && j->other_next && j->joint_bits && j->hub_of && j->hub_next &&
           j->joint_graph && j->member_of && tr_sources_place(j->dict, j->place);
}

/* Number what graphs have, and find the first event of all. */
static void number(struct join *j)
{
    const struct cp_contractions *k = j->k;
    uint32_t point = 0, joint = 0;
    size_t edge = 0;
    j->first = CP_NONE;
    for (uint32_t g = 0; g < k->n_graphs; g++) {
        const struct cp_contraction *graph = &k->graphs[g];
        j->graph_at[g] = point;
        j->joint_at[g] = joint;
        for (size_t i = 0; i < graph->n_points; i++, point++) {
            j->graph_of[point] = g;
            j->joint_of[point] = j->other_first[point] = CP_NONE;
            if (k->points[point].bits & CP_POINT_FIRST &&
                (j->first == CP_NONE || k->points[point].ts < k->points[j->first].ts ||
                 (k->points[point].ts == k->points[j->first].ts &&
                  j->place[graph->source] < j->place[source_of(j, j->first)])))
                j->first = point;
        }
        for (size_t i = 0; i < graph->n_joints; i++)
            j->joint_graph[joint++] = g;
        for (size_t i = 0; i < graph->n_edges; i++, edge++)
            j->in_first[j->graph_at[g] + k->edges[edge].to]++;
        j->cut += graph->cut;
    }
    for (size_t i = 1; i <= k->n_points; i++)
        j->in_first[i] += j->in_first[i - 1];
    for (uint32_t i = 0; i < k->n_joints; i++) {
        uint32_t other = other_of(j, i);
        j->hub_of[i] = CP_NONE;
        j->member_of[i] = SIZE_MAX;
        j->joint_of[start_of(j, i)] = j->joint_of[end_of(j, i)] = i;
        if (other == CP_NONE)
            continue;
        j->other_next[i] = j->other_first[other];
        j->other_first[other] = i;
    }
}

/* Edges by the point that they come from.  Those from the first event of all are not among them. */
static void list_out(struct join *j)
{
    const struct cp_contractions *k = j->k;
    for (unsigned fill = 0; fill < 2; fill++) {
        size_t edge = 0;
        for (uint32_t g = 0; g < k->n_graphs; g++)
            for (size_t i = 0; i < k->graphs[g].n_edges; i++, edge++) {
                uint32_t from = k->edges[edge].from ? from_of(j, &k->edges[edge], g) : CP_NONE;
                if (from != CP_NONE && fill)
                    j->out[j->out_first[from + 1]++] = (uint32_t)edge;
                else if (from != CP_NONE)
                    j->out_first[from + 2]++;
            }
        for (size_t i = 2; !fill && i < k->n_points + 2; i++)
            j->out_first[i] += j->out_first[i - 1];
    }
}

/* ---- collectives ---- */

static bool map_joints(const struct join *j, struct tr_eventmap *map)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < j->k->n_joints; i++) {
        uint32_t start = start_of(j, i);
        ok = tr_eventmap_put(map, source_of(j, start), j->k->points[start].record, i);
    }
    return ok;
}

static uint32_t joint_of_member(const struct join *j, const struct tr_eventmap *map, const struct tr_coll_member *m)
{
    uint32_t joint = m->suspect ? CP_NONE : tr_eventmap_get(map, m->source, m->record);
    return joint == CP_NONE || j->joint_bits[joint] & JOINED ? CP_NONE : joint;
}

/* As add_hub of tr_critpath_join.c. */
static bool add_hub(struct join *j, const struct tr_eventmap *map, const struct tr_coll *coll)
{
    const struct cp_point *points = j->k->points;
    size_t found = 0;
    int64_t last = INT64_MIN;
    uint32_t came = CP_NONE;
    for (size_t i = coll->first; i < coll->first + coll->n; i++) {
        uint32_t joint = joint_of_member(j, map, &j->colls->members[i]);
        int64_t ts = joint == CP_NONE ? INT64_MIN : points[start_of(j, joint)].ts;
        found += joint != CP_NONE;
        came = ts > last ? joint : came;
        last = ts > last ? ts : last;
    }
    if (found < 2)
        return true;
    uint32_t hub = (uint32_t)j->n_hubs;
    if (!tr_grow(&j->hub_ts, &j->cap_hubs[0], j->n_hubs + 1, sizeof *j->hub_ts) ||
        !tr_grow(&j->hub_first, &j->cap_hubs[1], j->n_hubs + 1, sizeof *j->hub_first) ||
        !tr_grow(&j->hub_last, &j->cap_hubs[2], j->n_hubs + 1, sizeof *j->hub_last))
        return false;
    j->hub_ts[hub] = last;
    j->hub_last[hub] = came;
    j->hub_first[hub] = CP_NONE;
    j->n_hubs++;
    for (size_t i = coll->first; i < coll->first + coll->n; i++) {
        uint32_t joint = joint_of_member(j, map, &j->colls->members[i]);
        if (joint == CP_NONE || j->hub_of[joint] != CP_NONE)
            continue;
        j->hub_of[joint] = hub;
        j->hub_next[joint] = j->hub_first[hub];
        j->hub_first[hub] = joint;
        j->member_of[joint] = i;
        if (tr__cp_waited(coll->type, points[end_of(j, joint)].ts, last))
            j->joint_bits[joint] |= JOINED;
    }
    return true;
}

static bool join_ranks(struct join *j)
{
    struct tr_eventmap map = { 0 };
    const struct tr_colls *colls = j->colls;
    bool ok = colls->host || map_joints(j, &map);
    for (size_t i = 0; ok && !colls->host && i < colls->n; i++)
        if (tr__cp_joins(&colls->colls[i], &colls->members[colls->colls[i].first]))
            ok = add_hub(j, &map, &colls->colls[i]);
    for (size_t i = 0; ok && !colls->host && i < colls->n_members; i++) {
        uint32_t joint = tr__cp_waits_for_peer(&colls->members[i]) ? joint_of_member(j, &map, &colls->members[i])
                                                                    : CP_NONE;
        if (joint != CP_NONE)
            j->joint_bits[joint] |= WAITS;
    }
    tr_eventmap_free(&map);
    return ok;
}

/* ---- the heaviest paths ---- */

static bool has_peer(const struct join *j, uint32_t joint)
{
    return (j->joint_bits[joint] & (JOINED | WAITS)) == WAITS && other_of(j, joint) != CP_NONE;
}

static bool is_end(const struct join *j, uint32_t point)
{
    return j->joint_of[point] != CP_NONE && end_of(j, j->joint_of[point]) == point;
}

static bool follows_first(const struct join *j, uint32_t point)
{
    return j->k->points[point].bits & CP_POINT_ROOT && j->k->points[point].ts > j->k->points[j->first].ts;
}

static bool prepare(struct join *j)
{
    size_t n = j->n_nodes = j->k->n_points + j->n_hubs;
    j->left = calloc(n + 1, sizeof *j->left);
    j->queue = malloc((n + 1) * sizeof *j->queue);
    j->reach = malloc((n + 1) * sizeof *j->reach);
    j->by = malloc((n + 1) * sizeof *j->by);
    j->how = calloc(n + 1, 1);
    if (!j->left || !j->queue || !j->reach || !j->by || !j->how)
        return false;
    for (uint32_t p = 0; p < j->k->n_points; p++) {
        j->left[p] = j->in_first[p + 1] - j->in_first[p] + follows_first(j, p);
        if (is_end(j, p))
            j->left[p] += 1u + has_peer(j, j->joint_of[p]);
    }
    for (uint32_t i = 0; i < j->k->n_joints; i++)
        if (j->hub_of[i] != CP_NONE)
            j->left[j->k->n_points + j->hub_of[i]]++;
    for (size_t i = 0; i < n; i++)
        j->reach[i] = -1;
    return true;
}

/* Another way to a node.  Of equal ones, the first counts. */
static void offer(struct join *j, uint32_t node, uint32_t from, int64_t weight, int how, uint32_t by)
{
    if (j->reach[from] < 0) /* it closes a cycle */
        return;
    int64_t reach = cp_plus(j->reach[from], weight);
    if (j->how[node] != CP_BY_NOTHING && reach <= j->reach[node])
        return;
    j->reach[node] = reach;
    j->how[node] = (uint8_t)how;
    j->by[node] = by;
}

static int64_t weight_of_gap(const struct join *j, const struct cp_contracted *edge)
{
    return edge->from ? 0 : from_to(j->k->points[j->first].ts, edge->start);
}

static void reach_point(struct join *j, uint32_t p)
{
    const struct cp_contractions *k = j->k;
    for (uint32_t i = j->in_first[p]; i < j->in_first[p + 1]; i++) {
        const struct cp_contracted *edge = &k->edges[i];
        offer(j, p, from_of(j, edge, j->graph_of[p]), cp_plus(weight_of_gap(j, edge), edge->weight), CP_BY_EDGE, i);
    }
    if (follows_first(j, p))
        offer(j, p, j->first, k->points[p].ts - k->points[j->first].ts, CP_BY_GAP, 0);
    if (!is_end(j, p))
        return;
    uint32_t joint = j->joint_of[p], start = start_of(j, joint), hub = j->hub_of[joint];
    if (j->joint_bits[joint] & JOINED) {
        offer(j, p, (uint32_t)k->n_points + hub, from_to(j->hub_ts[hub], k->points[p].ts), CP_BY_TRANSFER, joint);
    } else if (has_peer(j, joint)) { /* from the later node first */
        uint32_t other = other_of(j, joint);
        offer(j, p, other, from_to(k->points[other].ts, k->points[p].ts), CP_BY_PEER, joint);
        offer(j, p, start, 0, CP_BY_FREE, joint);
    } else {
        offer(j, p, start, from_to(k->points[start].ts, k->points[p].ts), CP_BY_OWN, joint);
    }
}

static void reach_hub(struct join *j, uint32_t node)
{
    uint32_t best = CP_NONE;
    for (uint32_t i = j->hub_first[node - j->k->n_points]; i != CP_NONE; i = j->hub_next[i]) {
        uint32_t start = start_of(j, i);
        if (j->reach[start] < 0)
            continue;
        if (best == CP_NONE || j->reach[start] > j->reach[best] ||
            (j->reach[start] == j->reach[best] && later(j, start, best)))
            best = start;
    }
    if (best != CP_NONE)
        offer(j, node, best, 0, CP_BY_ARRIVAL, j->joint_of[best]);
}

struct solver {
    uint32_t *sorted; /* all nodes by time, if there is a cycle */
    size_t n, done, at;
};

static void come(struct join *j, struct solver *s, uint32_t node)
{
    if (j->left[node] && !--j->left[node])
        j->queue[s->n++] = node;
}

/* What follows a node that is done. */
static void go_on(struct join *j, struct solver *s, uint32_t node)
{
    const struct cp_contractions *k = j->k;
    if (node >= k->n_points) {
        for (uint32_t i = j->hub_first[node - k->n_points]; i != CP_NONE; i = j->hub_next[i])
            if (j->joint_bits[i] & JOINED)
                come(j, s, end_of(j, i));
        return;
    }
    for (size_t i = j->out_first[node]; i < j->out_first[node + 1]; i++)
        come(j, s, j->graph_at[j->graph_of[node]] + k->edges[j->out[i]].to - 1);
    uint32_t joint = j->joint_of[node];
    if (joint != CP_NONE && start_of(j, joint) == node) {
        if (j->hub_of[joint] != CP_NONE)
            come(j, s, (uint32_t)k->n_points + j->hub_of[joint]);
        if (!(j->joint_bits[joint] & JOINED))
            come(j, s, end_of(j, joint));
    }
    for (uint32_t i = j->other_first[node]; i != CP_NONE; i = j->other_next[i])
        if (has_peer(j, i))
            come(j, s, end_of(j, i));
    if (node != j->first)
        return;
    size_t edge = 0;
    for (uint32_t g = 0; g < k->n_graphs; g++)
        for (size_t i = 0; i < k->graphs[g].n_edges; i++, edge++)
            if (!k->edges[edge].from)
                come(j, s, j->graph_at[g] + k->edges[edge].to - 1);
    for (uint32_t p = 0; p < k->n_points; p++)
        if (follows_first(j, p))
            come(j, s, p);
}

struct timed {
    int64_t ts;
    uint32_t node;
};
TR_ORDER(by_time, struct timed, TR_UP(ts), TR_UP(node))

static bool sort_by_time(const struct join *j, struct solver *s)
{
    struct timed *list = malloc((j->n_nodes + 1) * sizeof *list);
    s->sorted = malloc((j->n_nodes + 1) * sizeof *s->sorted);
    bool ok = list && s->sorted;
    for (uint32_t i = 0; ok && i < j->n_nodes; i++)
        list[i] = (struct timed){ time_of(j, i), i };
    if (ok && j->n_nodes)
        qsort(list, j->n_nodes, sizeof *list, by_time);
    for (uint32_t i = 0; ok && i < j->n_nodes; i++)
        s->sorted[i] = list[i].node;
    free(list);
    return ok;
}

/* The first node that is left goes on without waiting, as in tr_critpath_order.c.  False: out of memory. */
static bool break_cycle(struct join *j, struct solver *s)
{
    if (!s->sorted && !sort_by_time(j, s))
        return false;
    while (!j->left[s->sorted[s->at]])
        s->at++;
    uint32_t node = s->sorted[s->at];
    j->cut += j->left[node];
    j->left[node] = 0;
    j->queue[s->n++] = node;
    return true;
}

static bool solve(struct join *j)
{
    struct solver s = { .n = 0 };
    bool ok = true;
    for (uint32_t i = 0; i < j->n_nodes; i++)
        if (!j->left[i])
            j->queue[s.n++] = i;
    while (ok && s.done < j->n_nodes) {
        if (s.done == s.n && !(ok = break_cycle(j, &s)))
            break;
        uint32_t node = j->queue[s.done++];
        if (node < j->k->n_points)
            reach_point(j, node);
        else
            reach_hub(j, node);
        j->reach[node] = j->how[node] == CP_BY_NOTHING ? 0 : j->reach[node];
        go_on(j, &s, node);
    }
    free(s.sorted);
    return ok;
}

/* ---- the path ---- */

static uint32_t find_end(const struct join *j)
{
    uint32_t end = CP_NONE;
    for (uint32_t p = 0; p < j->k->n_points; p++) {
        if (!(j->k->points[p].bits & CP_POINT_LAST))
            continue;
        if (end == CP_NONE || j->reach[p] > j->reach[end] || (j->reach[p] == j->reach[end] && later(j, end, p)))
            end = p;
    }
    return end;
}

/* The node before one on the path. */
static uint32_t before(const struct join *j, uint32_t node)
{
    uint32_t by = j->by[node];
    switch (j->how[node]) {
    case CP_BY_EDGE:
        return from_of(j, &j->k->edges[by], j->graph_of[node]);
    case CP_BY_GAP:
        return j->first;
    case CP_BY_OWN:
    case CP_BY_FREE:
    case CP_BY_ARRIVAL:
        return start_of(j, by);
    case CP_BY_PEER:
        return other_of(j, by);
    case CP_BY_TRANSFER:
        return (uint32_t)j->k->n_points + j->hub_of[by];
    default:
        return CP_NONE;
    }
}

/* How much later the path reaches a node than another edge to it, from this node with this weight. */
static void see_other(const struct join *j, uint32_t node, uint32_t from, int64_t weight, int64_t *slack)
{
    if (j->reach[from] < 0 || before(j, node) == from)
        return;
    int64_t lead = j->reach[node] - cp_plus(j->reach[from], weight);
    *slack = *slack == TR_TIME_NONE || lead < *slack ? lead : *slack;
}

/* Of a node that a joint leads to. */
static int64_t slack_of(const struct join *j, uint32_t node)
{
    int64_t slack = TR_TIME_NONE;
    uint32_t joint = j->by[node];
    if (j->how[node] == CP_BY_ARRIVAL)
        for (uint32_t i = j->hub_first[node - j->k->n_points]; i != CP_NONE; i = j->hub_next[i])
            see_other(j, node, start_of(j, i), 0, &slack);
    if (j->how[node] == CP_BY_FREE)
        see_other(j, node, other_of(j, joint), from_to(time_of(j, other_of(j, joint)), time_of(j, node)), &slack);
    if (j->how[node] == CP_BY_PEER)
        see_other(j, node, start_of(j, joint), 0, &slack);
    return slack;
}

static struct cp_step step_to(const struct join *j, uint32_t node)
{
    uint32_t from = before(j, node), by = j->by[node], mine = j->how[node] == CP_BY_ARRIVAL ? from : node;
    struct cp_step s = { .way = j->how[node],
                         .source = source_of(j, mine),
                         .graph = j->graph_of[mine],
                         .joint = CP_NONE,
                         .point = node,
                         .member = SIZE_MAX,
                         .from = time_of(j, from),
                         .to = time_of(j, node),
                         .slack = slack_of(j, node) };
    int64_t weight = from_to(s.from, s.to);
    bool back = s.to < s.from;
    if (s.way == CP_BY_EDGE) {
        s.edge = by;
        s.sums = tr_cp_edge_sums(j->k, &j->k->edges[by]);
        s.sums.bounds[TR_CP_BY_GAP] = cp_plus(s.sums.bounds[TR_CP_BY_GAP], weight_of_gap(j, &j->k->edges[by]));
        return s;
    }
    if (s.way == CP_BY_GAP) {
        s.sums.bounds[TR_CP_BY_GAP] = weight;
        return s;
    }
    s.joint = s.way == CP_BY_ARRIVAL ? j->hub_last[j->hub_of[by]] : by;
    s.member = j->member_of[s.joint];
    if (s.way == CP_BY_OWN || s.way == CP_BY_PEER) {
        s.sums.bounds[TR_CP_BY_COMM] = weight;
        s.sums.spinning = j->joint_bits[by] & WAITS ? weight : 0;
        s.sums.back.overlap = back;
    }
    if (s.way == CP_BY_TRANSFER) {
        s.sums.bounds[TR_CP_BY_COMM] = weight;
        s.sums.back.clocks = back;
    }
    return s;
}

static bool list_steps(const struct join *j, struct cp_joined *out)
{
    uint32_t end = find_end(j);
    for (uint32_t node = end; node != CP_NONE && before(j, node) != CP_NONE; node = before(j, node))
        out->n++;
    out->steps = malloc((out->n + 1) * sizeof *out->steps);
    out->total = end == CP_NONE ? 0 : j->reach[end];
    uint32_t node = end;
    for (size_t i = out->n; out->steps && i-- > 0; node = before(j, node))
        out->steps[i] = step_to(j, node);
    return out->steps != NULL;
}

static void count(const struct join *j, struct cp_joined *out)
{
    const struct cp_contractions *k = j->k;
    out->window = (struct tr_range){ INT64_MAX, INT64_MIN };
    for (size_t g = 0; g < k->n_graphs; g++) {
        const struct tr_range *r = &k->graphs[g].window;
        out->window.from = r->from < out->window.from ? r->from : out->window.from;
        out->window.to = r->to > out->window.to ? r->to : out->window.to;
    }
    for (uint32_t i = 0; i < k->n_joints; i++) {
        if (!(j->joint_bits[i] & JOINED))
            continue;
        out->transfers++;
        out->early += k->points[end_of(j, i)].ts < j->hub_ts[j->hub_of[i]];
    }
    out->cut = j->cut;
}

enum tr_status tr_cp_join(const struct cp_contractions *k, const struct tr_colls *colls, const struct tr_dict *dict,
                          struct cp_joined *out, struct tr_error *err)
{
    struct join j = { .k = k, .colls = colls, .dict = dict };
    *out = (struct cp_joined){ .n = 0 };
    bool ok = make_room(&j);
    if (ok) {
        number(&j);
        list_out(&j);
        ok = join_ranks(&j) && prepare(&j) && solve(&j) && list_steps(&j, out);
    }
    if (ok)
        count(&j, out);
    if (ok && j.first != CP_NONE) {
        out->first_ts = time_of(&j, j.first);
        out->first_reach = j.reach[j.first];
    }
    if (ok) {
        out->reach = j.reach;
        j.reach = NULL;
    }
    join_free(&j);
    return ok ? TR_OK : tr_fail_memory(err);
}
