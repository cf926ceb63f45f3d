/* SPDX-License-Identifier: MIT */
/* Critical paths: the results, for callers. */
#include "analysis/critpath/tr_critpath_int.h"

#include <stdlib.h>
#include <string.h>

uint64_t tr_critpath_instances(const struct tr_critpath *c)
{
    uint64_t max = 0;
    for (size_t i = 0; i < c->n_windows; i++)
        max = c->windows[i].seen > max ? c->windows[i].seen : max;
    return max;
}

size_t tr_critpath_annotations(const struct tr_critpath *c, uint32_t *out, size_t max)
{
    size_t n = c->n_annotations < max ? c->n_annotations : max;
    if (n)
        memcpy(out, c->annotations, n * sizeof *out);
    return n;
}

size_t tr_critpath_groups(const struct tr_critpath *c)
{
    return c->n_groups;
}

int64_t tr_critpath_rank(const struct tr_critpath *c, size_t group)
{
    return c->group_rank[group];
}

/* A length in the result; a value beyond 64 bits is TR_TIME_NONE. */
static int64_t known(int64_t ns)
{
    return ns == INT64_MAX ? TR_TIME_NONE : ns;
}

/* The result of the solved parts of a group, NULL: there are none. */
static const struct cp_solved *solved_of(const struct tr_critpath *c, size_t group)
{
    for (uint32_t s = 0; s < c->n_solved; s++)
        if (c->group_of[s] == group && c->solved[s].any)
            return &c->solved[s];
    return NULL;
}

int64_t tr_critpath_total(const struct tr_critpath *c, size_t group)
{
    const struct cp_solved *solved = solved_of(c, group);
    uint32_t end = c->group_end[group];
    int64_t reach = end == CP_NONE ? 0 : c->reach[end];
    return known(solved && solved->reach > reach ? solved->reach : reach);
}

void tr_critpath_windows(const struct tr_critpath *c, struct tr_range *windows)
{
    for (size_t g = 0; g < c->n_groups; g++) {
        const struct cp_solved *solved = solved_of(c, g);
        windows[g] = solved ? solved->window : (struct tr_range){ INT64_MAX, INT64_MIN };
    }
    for (size_t e = 0; e < c->n; e++) {
        uint32_t g = c->flags[e] & CP_DEAD ? CP_NONE : c->group_of[cp_source(c, (uint32_t)e)];
        if (g == CP_NONE || !cp_is_final(c, cp_start((uint32_t)e)))
            continue;
        struct tr_range *r = &windows[g];
        r->from = c->ts[e] < r->from ? c->ts[e] : r->from;
        r->to = c->end[e] > r->to ? c->end[e] : r->to;
    }
}

/* ---- links ---- */

struct tr_cp_event tr__cp_event(const struct tr_critpath *c, uint32_t e)
{
    return (struct tr_cp_event){ c->ts[e],    c->end[e],  c->record[e],
                                 c->track[e], c->name[e], c->activity[e] };
}

static uint8_t side_of(const struct tr_critpath *c, uint32_t node)
{
    if (cp_is_hub(c, node))
        return TR_CP_ALL_CAME;
    return node & 1 ? TR_CP_END : TR_CP_START;
}

struct tr_cp_link tr__cp_link(const struct tr_critpath *c, uint32_t from, uint32_t to,
                                   enum tr_cp_edge type)
{
    uint32_t payer = tr__cp_payer(c, from, to, type);
    struct tr_cp_link l = {
        .from = tr__cp_event(c, cp_event(c, from)),
        .to = tr__cp_event(c, cp_event(c, to)),
        .from_side = side_of(c, from),
        .to_side = side_of(c, to),
        .edge = (uint8_t)type,
        .bound = (uint8_t)tr__cp_bound(c, from, to, type),
        .from_ts = cp_time(c, from),
        .to_ts = cp_time(c, to),
        .weight = known(tr__cp_weight(c, from, to, type)),
        .slack = TR_TIME_NONE,
        .charged = payer != CP_NONE,
    };
    if (l.charged)
        l.payer = tr__cp_event(c, payer);
    return l;
}

/* ---- the path ---- */

static size_t path_length(const struct tr_critpath *c, size_t group)
{
    size_t n = 0;
    uint32_t node = c->group_end[group];
    for (; node != CP_NONE && c->before[node] != CP_NONE; node = c->before[node])
        n++;
    return n;
}

/*
 * How much later does each edge of the path reach its node than the next-latest edge?  place: by node, index in links +
 * 1.
 */
void tr__cp_find_leads(const struct tr_critpath *c, const uint32_t *place, struct tr_cp_link *links)
{
    for (uint32_t from = 0; from < c->n_nodes; from++) {
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++) {
            uint32_t to = c->to[i];
            if (!place[to] || c->before[to] == from || c->position[to] < c->position[from])
                continue;
            struct tr_cp_link *l = &links[place[to] - 1];
            int64_t lead = tr_time_diff(tr_time_diff(known(c->reach[to]), known(c->reach[from])),
                                        known(tr__cp_weight(c, from, to, (enum tr_cp_edge)c->type[i])));
            if (lead == TR_TIME_NONE)
                continue;
            if (l->slack == TR_TIME_NONE || lead < l->slack)
                l->slack = lead;
        }
    }
}

enum tr_status tr_critpath_path(const struct tr_critpath *c, size_t group,
                                struct tr_cp_link **links, size_t *n, struct tr_error *err)
{
    uint32_t *place = calloc(c->n_nodes + 1, sizeof *place);
    *n = path_length(c, group);
    *links = malloc((*n + 1) * sizeof **links);
    if (!place || !*links) {
        free(place);
        free(*links);
        *links = NULL;
        return tr_fail_memory(err);
    }
    uint32_t node = c->group_end[group];
    for (size_t i = *n; i-- > 0; node = c->before[node]) {
        (*links)[i] = tr__cp_link(c, c->before[node], node, (enum tr_cp_edge)c->before_type[node]);
        (*links)[i].on_path = true;
        place[node] = (uint32_t)i + 1;
    }
    tr__cp_find_leads(c, place, *links);
    free(place);
    return TR_OK;
}

static bool is_of_rank(const struct tr_critpath *c, uint32_t event, int64_t rank)
{
    return rank == TR_CP_ANY_RANK || c->dict->sources[cp_source(c, event)].rank == rank;
}

static void add_to(int64_t *sum, int64_t ns)
{
    *sum = tr_time_sum(*sum, known(ns));
}

/* The edge of the path to a node. */
static void sum_up_edge(const struct tr_critpath *c, uint32_t node, int64_t rank, struct cp_sums *sums)
{
    enum tr_cp_edge type = (enum tr_cp_edge)c->before_type[node];
    uint32_t from = c->before[node], payer = tr__cp_payer(c, from, node, type);
    int64_t weight = tr__cp_weight(c, from, node, type);
    bool apart = type == TR_CP_LAUNCH || type == TR_CP_LAUNCH_FREE || type == TR_CP_SYNC || type == TR_CP_ARRIVAL ||
                 type == TR_CP_TRANSFER;
    bool back = cp_time(c, node) < cp_time(c, from), own = type == TR_CP_OPERATOR || type == TR_CP_PEER;
    if (is_of_rank(c, payer == CP_NONE ? cp_event(c, node) : payer, rank))
        add_to(&sums->bounds[tr__cp_bound(c, from, node, type)], weight);
    if (type == TR_CP_QUEUE && weight > CP_FAR_NS)
        add_to(&sums->long_queues, weight);
    if (type == TR_CP_INFERRED) {
        add_to(&sums->inferred, weight);
        add_to(&sums->inferred, c->end[cp_event(c, from)] - c->ts[cp_event(c, from)]);
        sums->n_inferred++;
    }
    if (own && payer != CP_NONE && (c->flags[payer] & (CP_HOST | CP_WAITS)) == CP_WAITS)
        add_to(&sums->spinning, weight);
    sums->back.overlap += back && !apart;
    sums->back.clocks += back && apart;
}

uint32_t tr__cp_sum_up(const struct tr_critpath *c, uint32_t node, const uint8_t *marks, int64_t rank,
                       struct cp_sums *sums)
{
    for (bool first = true; c->before[node] != CP_NONE && (first || !marks || marks[node] != 2); first = false) {
        sum_up_edge(c, node, rank, sums);
        node = c->before[node];
    }
    return node;
}

void tr__cp_add_sums(struct cp_sums *to, const struct cp_sums *sums)
{
    for (unsigned b = 0; b < TR_CP_N_BOUNDS; b++)
        to->bounds[b] = tr_time_sum(to->bounds[b], sums->bounds[b]);
    to->long_queues = tr_time_sum(to->long_queues, sums->long_queues);
    to->spinning = tr_time_sum(to->spinning, sums->spinning);
    to->inferred = tr_time_sum(to->inferred, sums->inferred);
    to->n_inferred += sums->n_inferred;
    to->back.overlap += sums->back.overlap;
    to->back.clocks += sums->back.clocks;
}

static struct cp_sums sums_of(const struct tr_critpath *c, size_t group, int64_t rank)
{
    const struct cp_solved *solved = solved_of(c, group);
    struct cp_sums sums = { .long_queues = 0 };
    uint32_t end = c->group_end[group];
    if (solved && (end == CP_NONE || solved->reach >= c->reach[end]))
        return solved->sums;
    uint32_t first = end == CP_NONE ? CP_NONE : tr__cp_sum_up(c, end, NULL, rank, &sums);
    if (first != CP_NONE && cp_is_solved(c, first))
        tr__cp_add_sums(&sums, &c->bases[c->carried[first / 2].base[first & 1]]);
    return sums;
}

void tr_critpath_bounds(const struct tr_critpath *c, size_t group, int64_t rank,
                        int64_t sums[TR_CP_N_BOUNDS])
{
    const struct cp_sums s = sums_of(c, group, rank);
    memcpy(sums, s.bounds, sizeof s.bounds);
}

struct tr_cp_back tr_critpath_back(const struct tr_critpath *c, size_t group)
{
    return sums_of(c, group, TR_CP_ANY_RANK).back;
}

int64_t tr_critpath_long_queues(const struct tr_critpath *c, size_t group)
{
    return sums_of(c, group, TR_CP_ANY_RANK).long_queues;
}

int64_t tr_critpath_spinning(const struct tr_critpath *c, size_t group)
{
    return sums_of(c, group, TR_CP_ANY_RANK).spinning;
}

int64_t tr_critpath_inferred(const struct tr_critpath *c, size_t group, uint64_t *n)
{
    const struct cp_sums s = sums_of(c, group, TR_CP_ANY_RANK);
    *n = s.n_inferred;
    return s.inferred;
}

/* ---- all edges ---- */

bool tr_critpath_edge(const struct tr_critpath *c, size_t *at, struct tr_cp_link *link)
{
    if (*at >= c->n_edges)
        return false;
    size_t low = 0, high = c->n_nodes; /* the last node whose edges start at or before *at */
    while (high - low > 1) {
        size_t mid = low + (high - low) / 2;
        if (c->first[mid] <= *at)
            low = mid;
        else
            high = mid;
    }
    uint32_t from = (uint32_t)low, to = c->to[*at];
    uint32_t group = c->group_of[cp_source(c, cp_event(c, from))];
    *link = tr__cp_link(c, from, to, (enum tr_cp_edge)c->type[*at]);
    int64_t total = tr_critpath_total(c, group);
    link->slack = tr_time_diff(tr_time_diff(tr_time_diff(total, known(c->reach[from])), link->weight),
                               known(c->rest[to]));
    link->on_path = c->on_path[to] && c->before[to] == from && c->before_type[to] == c->type[*at];
    ++*at;
    return true;
}

/* ---- counts ---- */

static bool in_group(const struct tr_critpath *c, uint32_t event, size_t group)
{
    return cp_has_nodes(c, event) && c->group_of[cp_source(c, event)] == group;
}

/* What is solved is counted; what will be later will be counted then. */
static bool counts(const struct tr_critpath *c, uint32_t node)
{
    return !cp_is_solved(c, node) && (cp_is_hub(c, node) || cp_is_final(c, node));
}

static void count_edges(const struct tr_critpath *c, size_t group, uint8_t *led,
                        struct tr_cp_counts *n)
{
    for (uint32_t from = 0; from < c->n_nodes; from++) {
        if (!in_group(c, cp_event(c, from), group))
            continue;
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++) {
            enum tr_cp_edge type = (enum tr_cp_edge)c->type[i];
            uint32_t to = c->to[i];
            if (!counts(c, to))
                continue;
            n->edges[type]++;
            add_to(&n->weight[type], tr__cp_weight(c, from, to, type));
            bool back = cp_time(c, to) < cp_time(c, from);
            n->negative += back;
            n->early_ends += back && type == TR_CP_TRANSFER;
            n->cut += c->position[to] < c->position[from];
            if (type == TR_CP_LAUNCH || type == TR_CP_QUEUE || type == TR_CP_AFTER ||
                type == TR_CP_INFERRED || type == TR_CP_SYNC)
                led[cp_event(c, to)] = 1;
        }
    }
}

uint64_t tr_critpath_stream_waits(const struct tr_critpath *c, bool *shown)
{
    *shown = c->shows_waits;
    for (size_t i = 0; i < c->n_waits; i++)
        *shown |= c->waits[i].kind == TR_WAIT_STREAM_FOR_EVENT;
    return c->stream_wait_calls;
}

enum tr_status tr_critpath_counts(const struct tr_critpath *c, size_t group,
                                  struct tr_cp_counts *out, struct tr_error *err)
{
    const struct cp_solved *solved = solved_of(c, group);
    uint8_t *led = calloc(c->n + 1, 1);
    memset(out, 0, sizeof *out);
    if (solved)
        *out = solved->counts;
    if (!led)
        return tr_fail_memory(err);
    count_edges(c, group, led, out);
    for (uint32_t e = 0; e < c->n; e++) {
        if (!in_group(c, e, group))
            continue;
        bool starts = counts(c, cp_start(e));
        out->nodes += (uint64_t)starts + counts(c, cp_end(e));
        out->unexplained += starts && !(c->flags[e] & CP_HOST) && !led[e];
    }
    for (size_t i = 0; i < c->n_waits; i++) {
        const struct tr_track *t = &c->dict->tracks[c->waits[i].track];
        bool mine = c->group_of[t->source] == group && !c->waits[i].counted;
        out->stream_syncs += mine && c->waits[i].kind != TR_WAIT_STREAM_FOR_EVENT &&
                             t->stream != TR_I64_NONE && t->stream >= 0;
        out->waits += mine;
    }
    for (uint32_t s = 0; c->lost_waits && s < c->dict->n_sources; s++)
        out->lost_waits += c->group_of[s] == group ? c->lost_waits[s] : 0;
    free(led);
    return TR_OK;
}
