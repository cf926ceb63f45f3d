/* SPDX-License-Identifier: MIT */
/* Critical paths: the graph of a rank shrinks to the points that others can change: tr_critpath_contract.h. */
#include "analysis/critpath/tr_critpath_contract.h"

#include "analysis/critpath/tr_critpath_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

#define FIRST CP_FIRST

/* An edge that may decide when a point comes. */
struct candidate {
    uint32_t before; /* the node that it comes from */
    uint32_t origin; /* of that node */
    int64_t far;     /* the weight from there to the point */
    uint8_t type;
};

/* A node that is a point. */
struct kept {
    uint32_t node, source;
    size_t first, n;   /* its candidates */
    uint8_t bits;
    bool leaf;         /* a path ends here, and it is no origin */
    int64_t ts;
    uint32_t end;      /* the node at which the heaviest path from here ends */
    int64_t end_far, way_far; /* the weight of that path; of one by way of another point, at least */
    uint32_t number;   /* of the point in its graph */
};

struct work {
    struct tr_critpath *c;
    size_t *in_first; /* edges by the node that they lead to */
    uint32_t *in_from;
    uint8_t *in_type;
    uint32_t *origin; /* by node; of a point, itself */
    uint32_t *place;  /* by node: in kept, CP_NONE: it is none so far */
    uint8_t *bits;    /* by node: of what is a point in any case, and MUST */
    uint32_t *first;  /* by source: its first event, CP_NONE: none */
    struct kept *kept;
    size_t n_kept, cap_kept;
    struct candidate *candidates;
    size_t n_candidates, cap_candidates;
    struct kept *firsts; /* by source: the origin FIRST; its weights are times */
    uint64_t *cut;       /* by source */
    uint8_t *marks;             /* by node, as in tr__cp_sum_up */
    uint32_t *summed;           /* by node: its place in sums */
    struct cp_sums *sums;
};

enum { MUST = 128 };

void tr_cp_contractions_free(struct cp_contractions *k)
{
    free(k->graphs);
    free(k->points);
    free(k->edges);
    free(k->joints);
    tr_buf_free(&k->sums);
    free(k->nodes);
    free(k->lasts);
    free(k->origins);
    *k = (struct cp_contractions){ .n_graphs = 0 };
}

/* ---- sums, packed: a bit for each that is not 0, and its value, 7 bits a byte ---- */

#define N_SUMS (TR_CP_N_BOUNDS + 6)
#define N_PRESENT ((N_SUMS + 7) / 8)

static void list_sums(const struct cp_sums *s, uint64_t list[N_SUMS])
{
    for (size_t b = 0; b < TR_CP_N_BOUNDS; b++)
        list[b] = (uint64_t)s->bounds[b];
    list[TR_CP_N_BOUNDS] = (uint64_t)s->long_queues;
    list[TR_CP_N_BOUNDS + 1] = (uint64_t)s->spinning;
    list[TR_CP_N_BOUNDS + 2] = s->back.overlap;
    list[TR_CP_N_BOUNDS + 3] = s->back.clocks;
    list[TR_CP_N_BOUNDS + 4] = (uint64_t)s->inferred;
    list[TR_CP_N_BOUNDS + 5] = s->n_inferred;
}

static bool pack(struct tr_buf *to, const struct cp_sums *sums)
{
    uint64_t list[N_SUMS];
    unsigned char bytes[N_PRESENT + 10 * N_SUMS];
    size_t n = N_PRESENT;
    unsigned present = 0;
    list_sums(sums, list);
    for (size_t i = 0; i < N_SUMS; i++) {
        present |= list[i] ? 1u << i : 0u;
        for (uint64_t left = list[i]; left; left >>= 7)
            bytes[n++] = (unsigned char)((left & 127) | (left > 127 ? 128 : 0));
    }
    for (size_t i = 0; i < N_PRESENT; i++)
        bytes[i] = (unsigned char)(present >> 8 * i & 255);
    return tr_buf_add(to, bytes, n);
}

static int64_t weight_of(const struct cp_sums *sums)
{
    int64_t weight = 0;
    for (unsigned b = 0; b < TR_CP_N_BOUNDS; b++)
        weight = tr_time_sum(weight, sums->bounds[b]);
    return weight;
}

bool tr_cp_add_edge(struct cp_contractions *k, struct cp_contraction *graph, uint32_t from, uint32_t to, int64_t start,
                    const struct cp_sums *sums)
{
    if (!tr_grow(&k->edges, &k->cap_edges, k->n_edges + 1, sizeof *k->edges))
        return false;
    k->edges[k->n_edges++] = (struct cp_contracted){ from, to, start, weight_of(sums), k->sums.len };
    graph->n_edges++;
    return pack(&k->sums, sums);
}

struct cp_sums tr_cp_edge_sums(const struct cp_contractions *k, const struct cp_contracted *edge)
{
    const unsigned char *at = k->sums.data + edge->sums;
    unsigned present = 0;
    uint64_t list[N_SUMS] = { 0 };
    struct cp_sums s;
    for (size_t i = 0; i < N_PRESENT; i++)
        present |= (unsigned)*at++ << 8 * i;
    for (size_t i = 0; i < N_SUMS; i++)
        for (unsigned shift = 0; present >> i & 1; shift += 7) {
            list[i] |= (uint64_t)(*at & 127) << shift;
            if (!(*at++ & 128))
                break;
        }
    for (size_t b = 0; b < TR_CP_N_BOUNDS; b++)
        s.bounds[b] = (int64_t)list[b];
    s.long_queues = (int64_t)list[TR_CP_N_BOUNDS];
    s.spinning = (int64_t)list[TR_CP_N_BOUNDS + 1];
    s.back.overlap = list[TR_CP_N_BOUNDS + 2];
    s.back.clocks = list[TR_CP_N_BOUNDS + 3];
    s.inferred = (int64_t)list[TR_CP_N_BOUNDS + 4];
    s.n_inferred = list[TR_CP_N_BOUNDS + 5];
    return s;
}

/* ---- the graph from its ends ---- */

static bool turn_edges(struct work *w)
{
    struct tr_critpath *c = w->c;
    w->in_first = tr__cp_alloc_zero(c, c->n_nodes + 2, sizeof *w->in_first);
    w->in_from = tr__cp_alloc(c, c->n_edges + 1, sizeof *w->in_from);
    w->in_type = tr__cp_alloc(c, c->n_edges + 1, 1);
    if (!w->in_first || !w->in_from || !w->in_type)
        return false;
    for (size_t i = 0; i < c->n_edges; i++)
        w->in_first[c->to[i] + 2]++;
    for (size_t i = 2; i < c->n_nodes + 2; i++)
        w->in_first[i] += w->in_first[i - 1];
    for (uint32_t from = 0; from < c->n_nodes; from++)
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++) {
            size_t at = w->in_first[c->to[i] + 1]++;
            w->in_from[at] = from;
            w->in_type[at] = c->type[i];
        }
    return true;
}

/* ---- points ---- */

static void find_firsts(struct work *w)
{
    const struct tr_critpath *c = w->c;
    for (uint32_t s = 0; s < c->dict->n_sources; s++)
        w->first[s] = CP_NONE;
    for (uint32_t e = 0; e < c->n; e++) {
        uint32_t *first = cp_has_nodes(c, e) ? &w->first[cp_source(c, e)] : NULL;
        if (first && (*first == CP_NONE || tr__cp_sooner(c, e, *first)))
            *first = e;
    }
}

/* What is a point in any case. */
static void mark_points(struct work *w)
{
    const struct tr_critpath *c = w->c;
    for (uint32_t e = 0; e < c->n; e++) {
        if (!cp_has_nodes(c, e))
            continue;
        uint32_t first = w->first[cp_source(c, e)], start = cp_start(e);
        bool led = w->in_first[start] < w->in_first[start + 1];
        if (!led && c->ts[e] == c->ts[first])
            w->bits[start] |= MUST | CP_POINT_ROOT;
        if (e == first)
            w->bits[start] |= MUST | CP_POINT_FIRST;
        if ((c->flags[e] & (CP_HOST | CP_JOINED)) != CP_JOINED)
            continue;
        w->bits[start] |= MUST;
        w->bits[cp_end(e)] |= MUST;
        if (c->other[e] != CP_NONE)
            w->bits[cp_end(c->other[e])] |= MUST;
    }
}

static bool add_point(struct work *w, uint32_t node, size_t first)
{
    if (!cp_grow(w->c, &w->kept, &w->cap_kept, w->n_kept + 1, sizeof *w->kept))
        return false;
    w->place[node] = (uint32_t)w->n_kept;
    w->origin[node] = node;
    w->c->before[node] = CP_NONE;
    w->c->reach[node] = 0;
    w->marks[node] = 2;
    w->kept[w->n_kept++] = (struct kept){ .node = node,
                                          .source = cp_source(w->c, cp_event(w->c, node)),
                                          .ts = cp_time(w->c, node),
                                          .first = first,
                                          .n = w->n_candidates - first,
                                          .bits = (uint8_t)((w->bits[node] & ~MUST) | (node & 1 ? CP_POINT_END : 0)),
                                          .end = node };
    return true;
}

/* Of several edges from one origin, the heaviest counts; of equal ones that from the latest node. */
static bool add_candidate(struct work *w, size_t first, const struct candidate *k)
{
    for (size_t i = first; i < w->n_candidates; i++) {
        struct candidate *old = &w->candidates[i];
        if (old->origin != k->origin)
            continue;
        if (k->far > old->far || (k->far == old->far && tr__cp_later(w->c, k->before, old->before)))
            *old = *k;
        return true;
    }
    if (!cp_grow(w->c, &w->candidates, &w->cap_candidates, w->n_candidates + 1, sizeof *w->candidates))
        return false;
    w->candidates[w->n_candidates++] = *k;
    return true;
}

/* From the latest node before a point to the earliest; there are few. */
static void sort_candidates(struct work *w, size_t first)
{
    for (size_t i = first + 1; i < w->n_candidates; i++)
        for (size_t k = i; k > first && tr__cp_later(w->c, w->candidates[k].before, w->candidates[k - 1].before); k--) {
            struct candidate swap = w->candidates[k];
            w->candidates[k] = w->candidates[k - 1];
            w->candidates[k - 1] = swap;
        }
}

/* A node to which nothing leads: the first event of all does, unless it is an end, or may be no later. */
static bool enter_origin(struct work *w, uint32_t node)
{
    struct tr_critpath *c = w->c;
    bool led = w->in_first[node] < w->in_first[node + 1];
    if (led || node & 1 || w->bits[node] & MUST) {
        size_t first = w->n_candidates;
        bool follows = !led && !(node & 1) && !(w->bits[node] & CP_POINT_ROOT);
        const struct candidate k = { CP_NONE, FIRST, cp_time(c, node), TR_CP_GAP };
        return (!follows || add_candidate(w, first, &k)) && add_point(w, node, first);
    }
    w->origin[node] = FIRST;
    c->before[node] = CP_NONE;
    c->reach[node] = cp_time(c, node);
    return true;
}

static bool enter_node(struct work *w, uint32_t node)
{
    struct tr_critpath *c = w->c;
    size_t first = w->n_candidates;
    for (size_t i = w->in_first[node]; i < w->in_first[node + 1]; i++) {
        uint32_t from = w->in_from[i];
        enum tr_cp_edge type = (enum tr_cp_edge)w->in_type[i];
        if (c->position[from] >= c->position[node]) {
            w->cut[cp_source(c, cp_event(c, node))]++;
            continue;
        }
        const struct candidate k = { from, w->origin[from], cp_plus(c->reach[from], tr__cp_weight(c, from, node, type)),
                                     (uint8_t)type };
        if (!add_candidate(w, first, &k))
            return false;
    }
    if (w->n_candidates == first)
        return enter_origin(w, node);
    if (w->n_candidates > first + 1 || w->bits[node] & MUST) {
        sort_candidates(w, first);
        return add_point(w, node, first);
    }
    const struct candidate *only = &w->candidates[first];
    w->origin[node] = only->origin;
    c->before[node] = only->before;
    c->before_type[node] = only->type;
    c->reach[node] = only->far;
    w->n_candidates = first;
    return true;
}

static bool find_points(struct work *w)
{
    const struct tr_critpath *c = w->c;
    bool ok = true;
    for (size_t i = 0; ok && i < c->n_nodes; i++)
        if (cp_has_nodes(c, cp_event(c, c->order[i])))
            ok = enter_node(w, c->order[i]);
    return ok;
}

/* ---- where paths end ---- */

static struct kept *origin_of(struct work *w, uint32_t origin, uint32_t source)
{
    return origin == FIRST ? &w->firsts[source] : &w->kept[w->place[origin]];
}

/* The heaviest path from each origin, to the earliest node. */
static void find_ends(struct work *w)
{
    const struct tr_critpath *c = w->c;
    for (uint32_t node = 0; node < 2 * c->n; node++) {
        if (!cp_has_nodes(c, node / 2))
            continue;
        struct kept *k = origin_of(w, w->origin[node], cp_source(c, node / 2));
        if (k->end == CP_NONE || c->reach[node] > k->end_far ||
            (c->reach[node] == k->end_far && tr__cp_later(c, k->end, node))) {
            k->end = node;
            k->end_far = c->reach[node];
        }
    }
}

TR_ORDER(by_time, struct kept, TR_UP(source), TR_UP(ts), TR_UP(node))

static void sort_points(struct work *w)
{
    if (w->n_kept)
        qsort(w->kept, w->n_kept, sizeof *w->kept, by_time);
    for (size_t i = 0; i < w->n_kept; i++)
        if (!w->kept[i].leaf)
            w->place[w->kept[i].node] = (uint32_t)i;
}

static void see_way(struct kept *from, int64_t far, const struct kept *by)
{
    int64_t more = by->end_far > by->way_far ? by->end_far : by->way_far;
    int64_t sum = cp_plus(far, more);
    from->way_far = sum > from->way_far ? sum : from->way_far;
}

/*
 * From the last point to the first, so that most ways by later points are known; one that is not known only leaves an
 * end that is not needed.  A joint does not end before it starts.
 */
static void find_ways(struct work *w)
{
    const struct tr_critpath *c = w->c;
    for (size_t i = w->n_kept; i-- > 0;) {
        const struct kept *k = &w->kept[i];
        uint32_t e = k->node / 2;
        for (size_t m = k->first; m < k->first + k->n; m++)
            see_way(origin_of(w, w->candidates[m].origin, k->source), w->candidates[m].far, k);
        if (k->node & 1 && (c->flags[e] & (CP_HOST | CP_JOINED)) == CP_JOINED)
            see_way(&w->kept[w->place[cp_start(e)]], 0, k);
    }
}

/* The node at which the heaviest path from an origin ends becomes a point, without being an origin. */
static bool add_end(struct work *w, uint32_t origin, struct kept *k, uint32_t source)
{
    const struct tr_critpath *c = w->c;
    uint32_t node = k->end;
    if (node == CP_NONE || k->way_far > k->end_far)
        return true;
    if (node == origin) {
        k->bits |= CP_POINT_LAST;
        return true;
    }
    const struct kept leaf = { .node = node, .source = source, .ts = cp_time(c, node), .first = w->n_candidates, .n = 1,
                               .bits = CP_POINT_LAST | (node & 1 ? CP_POINT_END : 0), .leaf = true };
    const struct candidate only = { c->before[node], origin, k->end_far, c->before_type[node] };
    if (!cp_grow(w->c, &w->kept, &w->cap_kept, w->n_kept + 1, sizeof *w->kept) ||
        !add_candidate(w, w->n_candidates, &only))
        return false;
    w->kept[w->n_kept++] = leaf;
    return true;
}

static bool add_ends(struct work *w)
{
    size_t n = w->n_kept;
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        struct kept k = w->kept[i];
        ok = add_end(w, k.node, &k, k.source);
        w->kept[i].bits = k.bits;
    }
    for (uint32_t s = 0; ok && s < w->c->dict->n_sources; s++)
        ok = add_end(w, FIRST, &w->firsts[s], s);
    return ok;
}

/* ---- sums ---- */

static bool is_point(const struct work *w, uint32_t node)
{
    return w->place[node] != CP_NONE;
}

/* The sums of the paths to the nodes from which edges lead to points, and to those where these paths part. */
static bool sum_up(struct work *w)
{
    struct tr_critpath *c = w->c;
    size_t n = 0;
    for (size_t i = 0; i < w->n_candidates; i++)
        if (w->candidates[i].before != CP_NONE)
            w->marks[w->candidates[i].before] = 2;
    tr__cp_mark_forks(c, w->marks);
    for (uint32_t node = 0; node < c->n_nodes; node++)
        n += w->marks[node] == 2 && !is_point(w, node);
    w->sums = tr__cp_alloc_temp(c, n + 1, sizeof *w->sums);
    w->summed = tr__cp_alloc_temp(c, c->n_nodes + 1, sizeof *w->summed);
    n = 0;
    for (size_t i = 0; w->sums && w->summed && i < c->n_nodes; i++) {
        uint32_t node = c->order[i];
        if (w->marks[node] != 2 || is_point(w, node))
            continue;
        struct cp_sums *sums = &w->sums[n];
        *sums = (struct cp_sums){ .long_queues = 0 };
        uint32_t from = tr__cp_sum_up(c, node, w->marks, TR_CP_ANY_RANK, sums);
        if (from != node && w->marks[from] == 2 && !is_point(w, from))
            tr__cp_add_sums(sums, &w->sums[w->summed[from]]);
        w->summed[node] = (uint32_t)n++;
    }
    return w->sums && w->summed;
}

/* The sums of one edge to a point, from its origin on. */
static struct cp_sums sums_of(struct work *w, uint32_t node, const struct candidate *k)
{
    struct tr_critpath *c = w->c;
    const uint32_t before = c->before[node];
    const uint8_t type = c->before_type[node];
    struct cp_sums sums = { .long_queues = 0 };
    if (k->before == CP_NONE)
        return sums;
    c->before[node] = k->before;
    c->before_type[node] = k->type;
    tr__cp_sum_up(c, node, w->marks, TR_CP_ANY_RANK, &sums);
    c->before[node] = before;
    c->before_type[node] = type;
    if (!is_point(w, k->before))
        tr__cp_add_sums(&sums, &w->sums[w->summed[k->before]]);
    return sums;
}

/* ---- the result ---- */

static bool put_point(struct work *w, struct kept *k, struct cp_contraction *graph, struct cp_contractions *out)
{
    const struct tr_critpath *c = w->c;
    uint32_t e = k->node / 2;
    if (!tr_grow(&out->points, &out->cap_points, out->n_points + 1, sizeof *out->points) ||
        !tr_grow(&out->nodes, &out->cap_nodes, out->n_points + 1, sizeof *out->nodes))
        return false;
    out->nodes[out->n_points] = k->node;
    out->points[out->n_points++] = (struct cp_point){ k->ts, c->end[e] - c->ts[e], c->record[e], k->bits };
    k->number = (uint32_t)++graph->n_points;
    return true;
}

static bool put_edges(struct work *w, const struct kept *k, struct cp_contraction *graph, struct cp_contractions *out)
{
    bool ok = true;
    for (size_t i = k->first; ok && i < k->first + k->n; i++) {
        const struct candidate *from = &w->candidates[i];
        const struct cp_sums sums = sums_of(w, k->node, from);
        bool first = from->origin == FIRST;
        if (!tr_grow(&out->lasts, &out->cap_lasts, out->n_edges + 1, sizeof *out->lasts))
            return false;
        out->lasts[out->n_edges] = (struct cp_last){ from->before, from->type };
        ok = tr_cp_add_edge(out, graph, first ? 0 : w->kept[w->place[from->origin]].number, k->number,
                            first ? from->far - weight_of(&sums) : 0, &sums);
    }
    return ok;
}

static bool put_joint(struct work *w, const struct kept *k, struct cp_contraction *graph, struct cp_contractions *out)
{
    const struct tr_critpath *c = w->c;
    uint32_t e = k->node / 2;
    if (k->leaf || k->node & 1 || (c->flags[e] & (CP_HOST | CP_JOINED)) != CP_JOINED)
        return true;
    if (!tr_grow(&out->joints, &out->cap_joints, out->n_joints + 1, sizeof *out->joints))
        return false;
    struct cp_joint joint = { .start = k->number, .end = w->kept[w->place[cp_end(e)]].number };
    if (c->other[e] != CP_NONE)
        joint.other = w->kept[w->place[cp_end(c->other[e])]].number;
    out->joints[out->n_joints++] = joint;
    graph->n_joints++;
    return true;
}

static struct tr_range window_of(const struct tr_critpath *c, uint32_t source)
{
    struct tr_range r = { INT64_MAX, INT64_MIN };
    for (uint32_t e = 0; e < c->n; e++) {
        if (c->flags[e] & CP_DEAD || cp_source(c, e) != source)
            continue;
        r.from = c->ts[e] < r.from ? c->ts[e] : r.from;
        r.to = c->end[e] > r.to ? c->end[e] : r.to;
    }
    return r;
}

/* Points are by source. */
static bool put_all(struct work *w, struct cp_contractions *out)
{
    bool ok = true;
    for (size_t i = 0, next; ok && i < w->n_kept; i = next) {
        uint32_t source = w->kept[i].source;
        ok = tr_grow(&out->graphs, &out->cap_graphs, out->n_graphs + 1, sizeof *out->graphs);
        if (!ok)
            break;
        struct cp_contraction *graph = &out->graphs[out->n_graphs++];
        *graph = (struct cp_contraction){ .source = source, .window = window_of(w->c, source), .cut = w->cut[source] };
        for (next = i; ok && next < w->n_kept && w->kept[next].source == source; next++)
            ok = put_point(w, &w->kept[next], graph, out);
        for (size_t k = i; ok && k < next; k++)
            ok = put_edges(w, &w->kept[k], graph, out) && put_joint(w, &w->kept[k], graph, out);
    }
    return ok;
}

/* From nodes to points. */
static bool keep_origins(struct work *w, struct cp_contractions *out)
{
    const struct tr_critpath *c = w->c;
    for (size_t i = 0; i < w->n_kept; i++)
        if (!w->kept[i].leaf)
            w->place[w->kept[i].node] = (uint32_t)i; /* points are in this order */
    for (uint32_t node = 0; node < c->n_nodes; node++)
        if (cp_has_nodes(c, cp_event(c, node)) && w->origin[node] != FIRST)
            w->origin[node] = w->place[w->origin[node]];
    out->origins = w->origin;
    w->origin = NULL;
    return true;
}

static bool make_room(struct work *w)
{
    struct tr_critpath *c = w->c;
    size_t n_sources = c->dict->n_sources + 1;
    w->origin = tr__cp_alloc(c, c->n_nodes + 1, sizeof *w->origin);
    w->place = tr__cp_alloc(c, c->n_nodes + 1, sizeof *w->place);
    w->bits = tr__cp_alloc_zero(c, c->n_nodes + 1, 1);
    w->marks = tr__cp_alloc_zero(c, c->n_nodes + 1, 1);
    w->first = malloc(n_sources * sizeof *w->first);
    w->firsts = calloc(n_sources, sizeof *w->firsts);
    w->cut = calloc(n_sources, sizeof *w->cut);
    if (!w->origin || !w->place || !w->bits || !w->marks || !w->first || !w->firsts || !w->cut)
        return false;
    memset(w->place, 0xff, (c->n_nodes + 1) * sizeof *w->place);
    for (size_t s = 0; s < n_sources; s++)
        w->firsts[s] = (struct kept){ .end = CP_NONE, .end_far = INT64_MIN, .way_far = INT64_MIN };
    return true;
}

static bool contract(struct work *w, struct cp_contractions *out)
{
    if (!make_room(w) || !turn_edges(w))
        return false;
    find_firsts(w);
    mark_points(w);
    if (!find_points(w))
        return false;
    find_ends(w);
    sort_points(w);
    find_ways(w);
    if (!add_ends(w))
        return false;
    sort_points(w);
    return sum_up(w) && put_all(w, out) && keep_origins(w, out);
}

enum tr_status tr_cp_contract(struct tr_critpath *c, const struct tr_coll_gathered *members,
                              struct cp_contractions *out, struct tr_error *err)
{
    struct work w = { .c = c };
    enum tr_status st = tr__cp_make_graph(c, NULL, members, err);
    bool ok = st != TR_OK || tr__cp_end_stage(c, contract(&w, out));
    free(w.in_first);
    free(w.in_from);
    free(w.in_type);
    free(w.origin);
    free(w.place);
    free(w.bits);
    free(w.first);
    free(w.kept);
    free(w.candidates);
    free(w.firsts);
    free(w.cut);
    free(w.marks);
    free(w.summed);
    free(w.sums);
    return ok ? st : tr__cp_fail(c, err);
}

/* ---- and back ---- */

void tr_cp_take_reach(struct tr_critpath *c, const struct cp_contractions *k, size_t graph, const int64_t *reach,
                      const struct cp_joined *joined, int64_t moved)
{
    size_t first = 0;
    for (size_t g = 0; g < graph; g++)
        first += k->graphs[g].n_points;
    for (uint32_t node = 0; node < c->n_nodes; node++) {
        uint32_t e = cp_event(c, node), origin = k->origins[node];
        if (!cp_has_nodes(c, e) || cp_source(c, e) != k->graphs[graph].source)
            continue;
        if (origin == CP_FIRST)
            c->reach[node] += moved - joined->first_ts + joined->first_reach;
        else
            c->reach[node] = cp_plus(reach[origin - first], c->reach[node]);
    }
}

static bool add_link(const struct tr_critpath *c, uint32_t before, uint32_t node, enum tr_cp_edge type,
                     struct cp_expanded *out)
{
    if (!tr_grow(&out->links, &out->cap, out->n + 1, sizeof *out->links) ||
        !tr_grow(&out->to, &out->cap_to, out->n + 1, sizeof *out->to))
        return false;
    out->to[out->n] = node;
    out->links[out->n++] = tr__cp_link(c, before, node, type);
    return true;
}

/* The place of a point in all points; the edge leads to it. */
static size_t point_of_edge(const struct cp_contractions *k, size_t edge)
{
    size_t point = 0, at = 0;
    for (size_t g = 0; at + k->graphs[g].n_edges <= edge; g++) {
        point += k->graphs[g].n_points;
        at += k->graphs[g].n_edges;
    }
    return point + k->edges[edge].to - 1;
}

static bool ends_chain(const struct tr_critpath *c, const struct cp_contractions *k, uint32_t node)
{
    uint32_t origin = k->origins[node];
    return origin == CP_FIRST ? c->before[node] == CP_NONE : k->nodes[origin] == node;
}

/* From the first to the last. */
static void turn(struct cp_expanded *out, size_t first)
{
    for (size_t a = first, b = out->n; a + 1 < b; a++) {
        const struct tr_cp_link link = out->links[a];
        const uint32_t to = out->to[a];
        out->links[a] = out->links[--b];
        out->links[b] = link;
        out->to[a] = out->to[b];
        out->to[b] = to;
    }
}

enum tr_status tr_cp_expand(struct tr_critpath *c, const struct cp_contractions *k, size_t edge,
                            struct cp_expanded *out, struct tr_error *err)
{
    const struct cp_last *last = &k->lasts[edge];
    const size_t first = out->n;
    uint32_t node = k->nodes[point_of_edge(k, edge)];
    bool ok = true;
    if (last->before != CP_NONE) {
        c->before[node] = last->before; /* the path comes from there */
        ok = add_link(c, last->before, node, (enum tr_cp_edge)last->type, out);
    }
    for (node = last->before; ok && node != CP_NONE && !ends_chain(c, k, node); node = c->before[node])
        ok = add_link(c, c->before[node], node, (enum tr_cp_edge)c->before_type[node], out);
    if (!ok)
        return tr_fail_memory(err);
    turn(out, first);
    return TR_OK;
}

enum tr_status tr_cp_expand_end(const struct tr_critpath *c, struct cp_expanded *out, struct tr_error *err)
{
    uint32_t *place = calloc(c->n_nodes + 1, sizeof *place);
    for (size_t i = 0; place && i < out->n; i++)
        place[out->to[i]] = (uint32_t)i + 1;
    if (place)
        tr__cp_find_leads(c, place, out->links);
    bool ok = place;
    free(place);
    return ok ? TR_OK : tr_fail_memory(err);
}

void tr_cp_expanded_free(struct cp_expanded *e)
{
    free(e->links);
    free(e->to);
}

struct tr_cp_event tr_cp_point_event(const struct tr_critpath *c, const struct cp_contractions *k, size_t point)
{
    return tr__cp_event(c, cp_event(c, k->nodes[point]));
}
