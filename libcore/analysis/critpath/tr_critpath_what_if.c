/* SPDX-License-Identifier: MIT */
/* Critical paths: other times of events by what-if rules, edge by edge. */
#include "analysis/critpath/tr_critpath_int.h"

#include "base/tr_sort.h"
#include "model/tr_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps ---- */

bool tr__cp_find_steps(struct tr_critpath *c)
{
    c->step = tr__cp_alloc(c, c->n + 1, sizeof *c->step);
    for (uint32_t e = 0; c->step && e < c->n; e++) {
        const struct tr_step_moment at = { c->ts[e], cp_source(c, e), c->track[e] };
        if (!c->opts.steps || !(c->flags[e] & CP_HOST) || !tr_steps_find(c->opts.steps, c->dict, at, &c->step[e]))
            c->step[e] = TR_I64_NONE;
    }
    for (size_t i = 0; c->step && i < c->n_kernels; i++) {
        const struct cp_kernel *k = &c->kernels[i];
        if (k->event != CP_NONE && k->launch != CP_NONE)
            c->step[k->event] = c->step[k->launch];
    }
    return c->step != NULL;
}

struct reached {
    uint32_t source;
    int64_t step, reach;
};

TR_ORDER(by_reach, struct reached, TR_UP(source), TR_UP(step), TR_UP(reach))

bool tr_critpath_step_times(const struct tr_critpath *c, size_t group, uint64_t *n, int64_t *sum)
{
    struct reached *list = malloc((c->n + 1) * sizeof *list);
    size_t n_list = 0;
    *n = 0;
    *sum = 0;
    for (uint32_t e = 0; list && e < c->n; e++)
        if (cp_has_nodes(c, e) && c->step[e] != TR_I64_NONE && c->group_of[cp_source(c, e)] == group)
            list[n_list++] = (struct reached){ cp_source(c, e), c->step[e], c->reach[cp_end(e)] };
    if (n_list)
        qsort(list, n_list, sizeof *list, by_reach);
    int64_t last = TR_TIME_NONE;
    for (size_t i = 0; i < n_list; i++) {
        bool same = i + 1 < n_list && list[i + 1].source == list[i].source;
        if (same && list[i + 1].step == list[i].step)
            continue;
        *n += last != TR_TIME_NONE;
        *sum = last == TR_TIME_NONE ? *sum : tr_time_sum(*sum, tr_time_diff(list[i].reach, last));
        last = same ? list[i].reach : TR_TIME_NONE;
    }
    free(list);
    return list != NULL;
}

/* ---- which rule an edge follows ---- */

/* The event whose rule decides about the time of an edge, or CP_NONE: no rule changes it. */
static uint32_t decider(const struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type)
{
    if (tr__cp_is_own_time(type))
        return tr__cp_payer(c, from, to, type);
    return type == TR_CP_GAP ? cp_event(c, to) : CP_NONE;
}

static const struct tr_cp_rule *rule_of(const struct tr_critpath *c, uint32_t event)
{
    return event != CP_NONE && c->rule[event] < c->opts.n_rules ? &c->opts.rules[c->rule[event]] : NULL;
}

static bool follows(const struct tr_critpath *c, uint32_t event, enum tr_cp_action action)
{
    const struct tr_cp_rule *r = rule_of(c, event);
    return r && r->action == action;
}

/* Does a rule change this edge?  Gaps belong to no event whose time could be multiplied. */
static const struct tr_cp_rule *edge_rule(const struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type)
{
    if (follows(c, cp_event(c, from), TR_CP_OVERLAP) && from & 1 && !cp_is_hub(c, from))
        return rule_of(c, cp_event(c, from));
    if (type == TR_CP_LAUNCH && follows(c, cp_event(c, from), TR_CP_ONE_GRAPH))
        return rule_of(c, cp_event(c, from));
    const struct tr_cp_rule *r = rule_of(c, decider(c, from, to, type));
    bool no_gaps = r && (r->action == TR_CP_SCALE || r->action == TR_CP_OVERLAP);
    return type == TR_CP_GAP && no_gaps ? NULL : r;
}

bool tr_critpath_pays(const struct tr_critpath *c, uint8_t rule)
{
    for (uint32_t from = 0; from < c->n_nodes; from++)
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++)
            if (edge_rule(c, from, c->to[i], (enum tr_cp_edge)c->type[i]) == &c->opts.rules[rule])
                return true;
    return false;
}

/* ---- the same operation on other ranks and in other steps ---- */

struct named {
    uint32_t source, name;
    int64_t step;
    uint32_t event;
};

TR_ORDER(by_name, struct named, TR_UP(source), TR_UP(name), TR_UP(step), TR_UP(event))

/* By event: how many of its name are before it in its step on its rank. */
static uint32_t *find_ordinals(struct tr_critpath *c)
{
    uint32_t *ordinals = tr__cp_alloc_temp(c, c->n + 1, sizeof *ordinals);
    struct named *list = tr__cp_alloc_temp(c, c->n + 1, sizeof *list);
    size_t n = 0;
    for (uint32_t e = 0; list && ordinals && e < c->n; e++)
        if (cp_has_nodes(c, e))
            list[n++] = (struct named){ cp_source(c, e), c->name[e], c->step[e], e };
    if (n)
        qsort(list, n, sizeof *list, by_name);
    for (size_t i = 0, first = 0; i < n; i++) {
        const struct named *a = &list[first], *b = &list[i];
        first = a->source == b->source && a->name == b->name && a->step == b->step ? first : i;
        ordinals[b->event] = (uint32_t)(i - first);
    }
    bool ok = list && ordinals;
    free(list);
    if (ok)
        return ordinals;
    free(ordinals);
    return NULL;
}

/* A node, so that it is the same on every rank and in every step. */
struct place {
    uint32_t name;
    uint32_t nth; /* of that name, times 4; plus 1: its end, plus 2: all came */
};

/* The weight of an edge, to be compared with that of the same edge elsewhere. */
struct alike {
    struct place from, to;
    int64_t step; /* TR_CP_AS_OTHERS; else 0 */
    int64_t weight;
    uint32_t edge;
    uint8_t type;
    bool changes;
};

TR_ORDER(by_place, struct alike, TR_UP(from.name), TR_UP(from.nth), TR_UP(to.name), TR_UP(to.nth), TR_UP(type),
         TR_UP(step), TR_UP(weight), TR_UP(edge))

static bool same_place(const struct alike *a, const struct alike *b)
{
    struct alike as_b = *a;
    as_b.weight = b->weight;
    as_b.edge = b->edge;
    return by_place(&as_b, b) == 0;
}

static struct place place_of(const struct tr_critpath *c, const uint32_t *ordinals, uint32_t node)
{
    uint32_t e = cp_event(c, node);
    if (cp_is_hub(c, node))
        return (struct place){ TR_NO_STR, 2 };
    return (struct place){ c->name[e], 4 * ordinals[e] + (node & 1) };
}

/* The value for the edges list[0..n) of one place, sorted by weight; TR_TIME_NONE: there is none. */
static int64_t value_of(const struct alike *list, size_t n, enum tr_cp_action action)
{
    size_t n_others = 0, at = 0;
    int64_t middle[2] = { TR_TIME_NONE, TR_TIME_NONE };
    if (action == TR_CP_BEST)
        return list[0].weight;
    for (size_t i = 0; i < n; i++)
        n_others += action == TR_CP_MEDIAN || !list[i].changes;
    for (size_t i = 0; i < n; i++) {
        if (action != TR_CP_MEDIAN && list[i].changes)
            continue;
        middle[0] = at == (n_others - 1) / 2 ? list[i].weight : middle[0];
        middle[1] = at == n_others / 2 ? list[i].weight : middle[1];
        at++;
    }
    return n_others ? middle[0] + (middle[1] - middle[0]) / 2 : TR_TIME_NONE;
}

static void take_values(struct tr_critpath *c, const struct alike *list, size_t n, enum tr_cp_action action)
{
    for (size_t i = 0, to; i < n; i = to) {
        for (to = i + 1; to < n && same_place(&list[i], &list[to]);)
            to++;
        int64_t value = value_of(&list[i], to - i, action);
        for (size_t k = i; k < to; k++)
            if (list[k].changes && value != TR_TIME_NONE)
                c->what_if[list[k].edge] = value;
    }
}

/* Edges with time of their own, as TR_CP_BEST, TR_CP_MEDIAN or TR_CP_AS_OTHERS compares them; list NULL: count them. */
static size_t list_alike(const struct tr_critpath *c, const uint32_t *ordinals, enum tr_cp_action action,
                         struct alike *list)
{
    size_t n = 0;
    for (uint32_t from = 0; from < c->n_nodes; from++)
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++) {
            enum tr_cp_edge type = (enum tr_cp_edge)c->type[i];
            uint32_t e = decider(c, from, c->to[i], type);
            if (e == CP_NONE)
                continue;
            if (list)
                list[n] = (struct alike){ place_of(c, ordinals, from),
                                          place_of(c, ordinals, c->to[i]),
                                          action == TR_CP_AS_OTHERS ? c->step[e] : 0,
                                          tr__cp_weight(c, from, c->to[i], type),
                                          i,
                                          c->type[i],
                                          follows(c, e, action) };
            n++;
        }
    return n;
}

static bool compare(struct tr_critpath *c, enum tr_cp_action action)
{
    uint32_t *ordinals = find_ordinals(c);
    size_t n = ordinals ? list_alike(c, ordinals, action, NULL) : 0;
    struct alike *list = ordinals ? tr__cp_alloc_temp(c, n + 1, sizeof *list) : NULL;
    bool ok = list != NULL;
    if (ok && n) {
        list_alike(c, ordinals, action, list);
        qsort(list, n, sizeof *list, by_place);
        take_values(c, list, n, action);
    }
    free(list);
    free(ordinals);
    return ok;
}

/* ---- steps as one graph each ---- */

/* The first call of a step that launched work. */
struct region {
    uint32_t source;
    int64_t step;
    int64_t ts;
    uint32_t call;
};

TR_ORDER(by_region, struct region, TR_UP(source), TR_UP(step), TR_UP(ts), TR_UP(call))

static bool is_launch(enum tr_cp_edge type)
{
    return type == TR_CP_LAUNCH || type == TR_CP_LAUNCH_FREE;
}

/* All launches, by step; list NULL: count them. */
static size_t list_launches(const struct tr_critpath *c, struct region *list)
{
    size_t n = 0;
    for (uint32_t from = 0; from < c->n_nodes; from++)
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++)
            if (is_launch((enum tr_cp_edge)c->type[i])) {
                uint32_t e = cp_event(c, from);
                if (list)
                    list[n] = (struct region){ cp_source(c, e), c->step[e], c->ts[e], e };
                n++;
            }
    return n;
}

/* The first launch of the step of an event; CP_NONE: it launches nothing. */
static uint32_t first_launch(const struct tr_critpath *c, const struct region *list, size_t n, uint32_t event)
{
    const struct region key = { cp_source(c, event), c->step[event], INT64_MIN, 0 };
    size_t low = 0;
    TR_BOUND(low, n, mid, by_region(&list[mid], &key) < 0);
    return low < n && list[low].source == key.source && list[low].step == key.step ? list[low].call : CP_NONE;
}

static bool as_graphs(struct tr_critpath *c)
{
    size_t n = list_launches(c, NULL);
    struct region *list = tr__cp_alloc_temp(c, n + 1, sizeof *list);
    if (!list)
        return false;
    list_launches(c, list);
    if (n)
        qsort(list, n, sizeof *list, by_region);
    for (uint32_t from = 0; from < c->n_nodes; from++)
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++) {
            enum tr_cp_edge type = (enum tr_cp_edge)c->type[i];
            uint32_t e = type == TR_CP_LAUNCH ? cp_event(c, from) : decider(c, from, c->to[i], type);
            if (e == CP_NONE || !follows(c, e, TR_CP_ONE_GRAPH) || c->flags[e] & CP_DATA)
                continue;
            uint32_t first = first_launch(c, list, n, e);
            bool later = type == TR_CP_LAUNCH ? e != first : first != CP_NONE && cp_time(c, c->to[i]) > c->end[first];
            c->what_if[i] = later ? 0 : c->what_if[i];
        }
    free(list);
    return true;
}

/* ---- all edges ---- */

static int64_t scaled(int64_t weight, double scale)
{
    double ns = (double)weight * scale;
    return ns >= 0x1p62 ? INT64_MAX : llround(ns);
}

/* The time that work needs to start right after other work of its stream: the median of a job; 0: unknown. */
static bool find_turnaround(struct tr_critpath *c, int64_t *out)
{
    int64_t *list = tr__cp_alloc_temp(c, c->n_edges + 1, sizeof *list);
    size_t n = 0;
    for (uint32_t from = 0; list && from < c->n_nodes; from++)
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++) {
            int64_t weight = c->type[i] == TR_CP_QUEUE ? tr__cp_weight(c, from, c->to[i], TR_CP_QUEUE) : INT64_MAX;
            if (weight <= CP_NEAR_NS)
                list[n++] = weight;
        }
    if (n)
        qsort(list, n, sizeof *list, tr_by_i64);
    *out = n ? list[n / 2] : 0;
    free(list);
    return list != NULL;
}

/* A guess that work waited for another stream, although no call has made it wait: it counts only without rules. */
static bool is_idle_guess(const struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type)
{
    bool other = c->stream_of[c->track[cp_event(c, from)]] != c->stream_of[c->track[cp_event(c, to)]];
    return type == TR_CP_AFTER && c->unasked && other && c->unasked[cp_event(c, to)];
}

/* An edge that decides nothing in the trace weighs no more than the time that it has there. */
static int64_t order_weight(const struct tr_critpath *c, uint32_t from, uint32_t to, int64_t turnaround)
{
    int64_t apart = cp_time(c, to) - cp_time(c, from);
    bool stream = c->stream_of[c->track[cp_event(c, from)]] == c->stream_of[c->track[cp_event(c, to)]];
    return !stream ? 0 : turnaround < apart ? turnaround : apart;
}

bool tr__cp_apply_rules(struct tr_critpath *c)
{
    bool has[TR_CP_ONE_GRAPH + 1] = { false }, ok;
    int64_t turnaround = 0;
    c->what_if = tr__cp_alloc(c, c->n_edges + 1, sizeof *c->what_if);
    if (!c->what_if || !find_turnaround(c, &turnaround))
        return false;
    for (size_t i = 0; i < c->opts.n_rules; i++)
        has[c->opts.rules[i].action] = true;
    for (uint32_t from = 0; from < c->n_nodes; from++)
        for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++) {
            enum tr_cp_edge type = (enum tr_cp_edge)c->type[i];
            const struct tr_cp_rule *r = edge_rule(c, from, c->to[i], type);
            int64_t weight = type == TR_CP_ORDER ? order_weight(c, from, c->to[i], turnaround)
                                                 : tr__cp_weight(c, from, c->to[i], type);
            bool cut = is_idle_guess(c, from, c->to[i], type) ||
                       (r && r->action == TR_CP_OVERLAP && !follows(c, cp_event(c, c->to[i]), TR_CP_OVERLAP));
            c->what_if[i] = cut ? CP_CUT : r && r->action == TR_CP_SCALE ? scaled(weight, r->scale) : weight;
        }
    ok = !has[TR_CP_ONE_GRAPH] || as_graphs(c);
    for (unsigned a = TR_CP_BEST; ok && a <= TR_CP_AS_OTHERS; a++)
        ok = !has[a] || compare(c, (enum tr_cp_action)a);
    return ok;
}
