/* SPDX-License-Identifier: MIT */
/* Critical paths: contracted graphs as partial results. */
#include "analysis/paths/tr_critpath_saved_int.h"

#include "base/tr_time.h"

#include <stdlib.h>
#include <string.h>

#define MAX_POINTS (UINT32_C(1) << 30)

/* Its rows of the other tables follow those of the graph before it. */
struct saved_graph {
    int64_t rank, from, to; /* rank TR_I64_NONE: unknown; the window */
    uint64_t source, points, edges, joints, cut, aligned;
    uint64_t first; /* the point at which it starts */
};

/* ts: from the point before; of the first one, from the start of the window. */
struct saved_point {
    int64_t ts, dur;
    uint64_t record, bits;
};

struct saved_edge {
    uint64_t from, to;
    int64_t start; /* TR_I64_NONE: it does not come from the first event of all; else from the start of the window */
    struct cp_sums sums;
};

struct saved_joint {
    uint64_t start, end, other;
};

#define GRAPH(what, kind) { #what, TR_SAVED_##kind, offsetof(struct saved_graph, what) }
const struct tr_saved_column tr__cp_graph_columns[] = {
    GRAPH(rank, INT), GRAPH(source, COUNT), GRAPH(from, INT), GRAPH(to, INT), GRAPH(points, COUNT),
    GRAPH(edges, COUNT), GRAPH(joints, COUNT), GRAPH(cut, COUNT), GRAPH(aligned, COUNT), GRAPH(first, COUNT),
};
#define POINT(what, kind) { #what, TR_SAVED_##kind, offsetof(struct saved_point, what) }
const struct tr_saved_column tr__cp_point_columns[] = { POINT(ts, INT), POINT(dur, INT), POINT(record, COUNT),
                                                        POINT(bits, COUNT) };
#define EDGE(what, kind) { #what, TR_SAVED_##kind, offsetof(struct saved_edge, what) }
#define SUM(name, what, kind) { name, TR_SAVED_##kind, offsetof(struct saved_edge, sums.what) }
#define BOUND(name, bound) SUM(name, bounds[TR_CP_BY_##bound], INT)
const struct tr_saved_column tr__cp_edge_columns[] = {
    EDGE(from, COUNT), EDGE(to, COUNT), EDGE(start, INT),
    BOUND("operator", OPERATOR), BOUND("cpu", CPU), BOUND("data", DATA), BOUND("compute", COMPUTE),
    BOUND("comm", COMM), BOUND("memory", MEMORY), BOUND("other", OTHER), BOUND("launch", LAUNCH),
    BOUND("queue", QUEUE), BOUND("gap", GAP), BOUND("sync", SYNC),
    SUM("long_queues", long_queues, INT), SUM("spinning", spinning, INT),
    SUM("overlap", back.overlap, COUNT), SUM("clocks", back.clocks, COUNT),
    SUM("inferred", inferred, INT), SUM("inferred_waits", n_inferred, COUNT),
};
#define JOINT(what) { #what, TR_SAVED_COUNT, offsetof(struct saved_joint, what) }
const struct tr_saved_column tr__cp_joint_columns[] = { JOINT(start), JOINT(end), JOINT(other) };

#define IS(what, count) \
    _Static_assert(sizeof tr__cp_##what##_columns / sizeof *tr__cp_##what##_columns == (count), "columns of a table")
IS(graph, TR__CP_GRAPH_COLUMNS);
IS(point, TR__CP_POINT_COLUMNS);
IS(edge, TR__CP_EDGE_COLUMNS);
IS(joint, TR__CP_JOINT_COLUMNS);

enum { GRAPHS = TR__COMM_OWN_TABLES, POINTS, EDGES, JOINTS };

/* ---- saving ---- */

static void save_graph(const struct tr_dict *d, const struct cp_contractions *k, const struct cp_contraction *g,
                       size_t point, bool aligned, struct tr_partial_out *out)
{
    const struct tr_source *source = &d->sources[g->source];
    struct saved_graph r = { .rank = source->rank < 0 ? TR_I64_NONE : source->rank, .source = g->source,
                             .from = g->window.from, .to = g->window.to, .points = g->n_points, .edges = g->n_edges,
                             .joints = g->n_joints, .cut = g->cut, .aligned = aligned };
    for (size_t i = point; i < point + g->n_points; i++)
        if (k->points[i].bits & CP_POINT_FIRST)
            r.first = i - point + 1;
    tr_partial_put(out, GRAPHS, &r);
}

enum tr_status tr__cp_save(const struct tr_analysis_in *in, struct tr__comm_matching *matching,
                           const struct cp_contractions *k, bool aligned, struct tr_partial_out *out,
                           struct tr_error *err)
{
    struct tr__comm_state comm = { .in = *in, .matching = matching };
    size_t point = 0, edge = 0, joint = 0;
    enum tr_status st = tr__comm_save_members(&comm, false, out, err); /* only kernels join ranks */
    for (size_t i = 0; st == TR_OK && i < k->n_graphs; i++) {
        const struct cp_contraction *g = &k->graphs[i];
        int64_t last = g->window.from;
        save_graph(in->dict, k, g, point, aligned, out);
        for (size_t end = point + g->n_points; point < end; point++) {
            const struct cp_point *p = &k->points[point];
            const struct saved_point r = { p->ts - last, p->dur, p->record, p->bits & ~(unsigned)CP_POINT_FIRST };
            tr_partial_put(out, POINTS, &r);
            last = p->ts;
        }
        for (size_t end = edge + g->n_edges; edge < end; edge++) {
            const struct cp_contracted *e = &k->edges[edge];
            const struct saved_edge r = { e->from, e->to, e->from ? TR_I64_NONE : e->start - g->window.from,
                                          tr_cp_edge_sums(k, e) };
            tr_partial_put(out, EDGES, &r);
        }
        for (size_t end = joint + g->n_joints; joint < end; joint++) {
            const struct saved_joint r = { k->joints[joint].start, k->joints[joint].end, k->joints[joint].other };
            tr_partial_put(out, JOINTS, &r);
        }
    }
    return st;
}

/* ---- loading ---- */

enum tr_status tr__cp_loaded_start(struct cp_loaded *l, const struct tr_dict *dict, struct tr_error *err)
{
    return tr_coll_finder_new(dict, NULL, &l->matching.finder, err);
}

void tr__cp_loaded_free(struct cp_loaded *l)
{
    tr__comm_matching_free(&l->matching);
    tr_cp_contractions_free(&l->graphs);
    tr_cp_contractions_free(&l->own);
    tr_critpath_free(l->c);
}

struct loading {
    struct tr_partial_in *in;
    struct cp_contractions *k;
    struct saved_graph *saved; /* by graph that is loaded now */
    size_t *partial_of;        /* by graph: its partial result */
    size_t n, cap[2];
    size_t first; /* of these among all graphs */
};

/* Is a condition of a row true? */
static bool right(struct loading *l, bool is, const char *what)
{
    if (!is)
        tr_partial_wrong(l->in, what);
    return is;
}

/* False: out of memory. */
static bool load_graph(struct loading *l, struct cp_loaded *to, const struct saved_graph *r)
{
    uint32_t source = tr__comm_source(&to->matching, r->rank, r->source);
    if (!right(l, source != UINT32_MAX, "a graph of a source that is not listed"))
        return true;
    int64_t shift = to->matching.shifts[source];
    const struct cp_contraction g = { .source = source, .cut = r->cut,
                                      .window = { tr_time_sum(r->from, shift), tr_time_sum(r->to, shift) } };
    if (!right(l, !tr_time_far(g.window.from) && !tr_time_far(g.window.to) && g.window.from <= g.window.to,
               "a graph whose window has no times") ||
        !right(l, r->points < MAX_POINTS && r->first - 1 < r->points && r->joints <= r->points && r->cut < INT64_MAX,
               "a graph with impossible numbers"))
        return true;
    if (!tr_grow(&l->k->graphs, &l->k->cap_graphs, l->k->n_graphs + 1, sizeof *l->k->graphs) ||
        !tr_grow(&l->saved, &l->cap[0], l->n + 1, sizeof *l->saved) ||
        !tr_grow(&l->partial_of, &l->cap[1], l->n + 1, sizeof *l->partial_of))
        return false;
    to->unaligned |= !r->aligned;
    l->saved[l->n] = *r;
    l->partial_of[l->n++] = tr_partial_of_row(l->in);
    l->k->graphs[l->k->n_graphs++] = g;
    return true;
}

/* The next row of a graph.  False: there is none, which is remembered. */
static bool next_row(struct loading *l, size_t table, size_t graph, void *row)
{
    bool is = tr_partial_get(l->in, table, row) && tr_partial_of_row(l->in) == l->partial_of[graph];
    return right(l, is, "a graph with fewer rows than it says");
}

static bool load_points(struct loading *l, size_t graph)
{
    const struct saved_graph *g = &l->saved[graph];
    struct cp_contractions *k = l->k;
    struct cp_contraction *to = &k->graphs[l->first + graph];
    struct saved_point r;
    int64_t last = to->window.from;
    for (uint64_t i = 1; i <= g->points && next_row(l, POINTS, graph, &r); i++) {
        struct cp_point p = { tr_time_sum(last, r.ts), r.dur, r.record,
                              (uint8_t)(r.bits | (i == g->first ? CP_POINT_FIRST : 0)) };
        if (!right(l, !tr_time_far(p.ts) && p.dur >= 0 && !tr_time_far(p.dur) &&
                          !(r.bits & ~(uint64_t)(CP_POINT_END | CP_POINT_ROOT | CP_POINT_LAST)) &&
                          !(r.bits & CP_POINT_END && (p.bits & (CP_POINT_ROOT | CP_POINT_FIRST))),
                   "a point of a graph that cannot be") ||
            !right(l, k->n_points < MAX_POINTS, "too many points"))
            break;
        if (!tr_grow(&k->points, &k->cap_points, k->n_points + 1, sizeof *k->points))
            return false;
        k->points[k->n_points++] = p;
        to->n_points++;
        last = p.ts;
    }
    return true;
}

static bool sums_are_right(const struct cp_sums *s)
{
    int64_t sum = 0;
    bool ok = s->long_queues >= 0 && s->spinning >= 0 && s->inferred >= 0 && s->n_inferred < MAX_POINTS &&
              s->back.overlap < MAX_POINTS && s->back.clocks < MAX_POINTS;
    for (unsigned b = 0; b < TR_CP_N_BOUNDS; b++) {
        ok = ok && s->bounds[b] >= 0;
        sum = tr_time_sum(sum, s->bounds[b]);
    }
    return ok && !tr_time_far(sum);
}

static bool load_edges(struct loading *l, size_t graph)
{
    const struct saved_graph *g = &l->saved[graph];
    struct cp_contractions *k = l->k;
    struct cp_contraction *to = &k->graphs[l->first + graph];
    struct saved_edge r;
    uint64_t last = 1;
    for (uint64_t i = 0; i < g->edges && next_row(l, EDGES, graph, &r); i++) {
        int64_t start = r.from ? 0 : tr_time_sum(to->window.from, r.start);
        if (!right(l, r.to >= last && r.to <= g->points && r.from <= g->points && r.from != r.to &&
                          (r.from == 0) == (r.start != TR_I64_NONE) && !tr_time_far(start) && sums_are_right(&r.sums),
                   "an edge of a graph that cannot be") ||
            !right(l, k->n_edges < UINT32_MAX, "too many edges"))
            break;
        if (!tr_cp_add_edge(k, to, (uint32_t)r.from, (uint32_t)r.to, start, &r.sums))
            return false;
        last = r.to;
    }
    return true;
}

static bool load_joints(struct loading *l, size_t graph, const struct cp_point *points)
{
    const struct saved_graph *g = &l->saved[graph];
    struct cp_contractions *k = l->k;
    uint8_t *used = calloc((size_t)g->points + 1, 1);
    bool ok = used != NULL;
    struct saved_joint r;
    for (uint64_t i = 0; ok && i < g->joints && next_row(l, JOINTS, graph, &r); i++) {
        if (!right(l, r.start - 1 < g->points && r.end - 1 < g->points && r.other <= g->points &&
                          !(points[r.start - 1].bits & CP_POINT_END) && points[r.end - 1].bits & CP_POINT_END &&
                          !used[r.start]++ && !used[r.end]++ &&
                          (!r.other || (r.other != r.end && points[r.other - 1].bits & CP_POINT_END)),
                   "a collective of a graph that cannot be"))
            break;
        ok = tr_grow(&k->joints, &k->cap_joints, k->n_joints + 1, sizeof *k->joints);
        if (!ok)
            break;
        k->joints[k->n_joints++] = (struct cp_joint){ (uint32_t)r.start, (uint32_t)r.end, (uint32_t)r.other };
        k->graphs[l->first + graph].n_joints++;
    }
    free(used);
    return ok;
}

enum tr_status tr__cp_load(struct cp_loaded *to, struct tr_partial_in *from, struct tr_error *err)
{
    struct loading l = { .in = from, .k = &to->graphs, .first = to->graphs.n_graphs };
    struct saved_graph graph;
    size_t point = to->graphs.n_points;
    enum tr_status st = tr__comm_load_members(&to->matching, from, err);
    to->dict = tr_partial_dict(from);
    bool ok = true;
    while (ok && st == TR_OK && tr_partial_get(from, GRAPHS, &graph))
        ok = load_graph(&l, to, &graph);
    for (size_t i = 0; ok && st == TR_OK && i < l.n && (st = tr_partial_status(from, err)) == TR_OK; i++) {
        ok = load_points(&l, i);
        if (ok && (st = tr_partial_status(from, err)) == TR_OK)
            ok = load_edges(&l, i) && load_joints(&l, i, &to->graphs.points[point]);
        point += (size_t)l.saved[i].points;
    }
    free(l.saved);
    free(l.partial_of);
    return !ok ? tr_fail_memory(err) : st == TR_OK ? tr_partial_status(from, err) : st;
}
