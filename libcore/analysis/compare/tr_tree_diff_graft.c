/* SPDX-License-Identifier: MIT */
/* Call trees of two runs: work of launched graphs goes below the operators of their capture. */
#include "analysis/compare/tr_tree_diff_int.h"

#include "base/tr_mem.h"

#include <stdlib.h>

/* Room to work on one launch after the other. */
struct graft {
    struct tr_tree_diff *d;
    struct tr__tree_side *side;
    struct tr_graph_calls *graphs;
    uint32_t *texts; /* by string of the captures: its text + 1; 0: not known yet */
    uint32_t *names; /* by text: its number in the captures + 1; 0: not known yet, UINT32_MAX: they do not have it */
    size_t n_names, cap_names;
    uint32_t *works, *kernels; /* of the launch, in the order of their start */
    size_t n, cap_works, cap_kernels;
    uint32_t *of_node, *of_span; /* of the capture: the work of a node, the tree node of a span, + 1; 0: none */
    size_t cap_nodes, cap_spans;
    uint32_t *chain;
    size_t cap_chain;
};

/* ---- strings ---- */

static bool to_text(struct graft *g, uint32_t string, uint32_t *text)
{
    const struct tr_strtab *from = g->graphs->strings;
    *text = TR_NO_STR;
    if (string == TR_NO_STR)
        return true;
    if (!g->texts[string]) {
        struct tr_str s = { tr_strtab_get(from, string), tr_strtab_len(from, string) };
        uint32_t number = tr__tree_add_name(g->d, s);
        if (number == TR_NO_STR)
            return false;
        g->texts[string] = number + 1;
    }
    *text = g->texts[string] - 1;
    return true;
}

/* The name of a kernel as the captures have it. */
static bool to_kernel(struct graft *g, const struct tr__tree_node *work, uint32_t *kernel)
{
    if (!tr_grow(&g->names, &g->cap_names, work->name + 1, sizeof *g->names))
        return false;
    while (g->n_names <= work->name)
        g->names[g->n_names++] = 0;
    if (!g->names[work->name]) {
        const struct tr_strtab *texts = g->d->texts;
        uint32_t number = tr_strtab_find(g->graphs->strings, tr_strtab_get(texts, work->name),
                                         tr_strtab_len(texts, work->name));
        g->names[work->name] = number == TR_NO_STR ? UINT32_MAX : number + 1;
    }
    if (g->names[work->name] != UINT32_MAX)
        *kernel = g->names[work->name] - 1;
    else
        *kernel = work->activity == TR_ACT_MEMCPY   ? TR_GRAPH_COPY
                  : work->activity == TR_ACT_MEMSET ? TR_GRAPH_MEMSET
                                                    : TR_NO_STR;
    return true;
}

/* ---- nodes ---- */

/* A call in one launch of what was captured: it has the place and the record of the launch. */
static bool add_node(struct graft *g, uint32_t launch, uint32_t parent, uint32_t name, int kind, uint32_t *number)
{
    struct tr__tree_side *s = g->side;
    if (name == TR_NO_STR)
        name = 0; /* without text */
    if (s->n >= TR__NO_NODE - 1 || !tr_grow(&s->nodes, &s->cap, s->n + 1, sizeof *s->nodes))
        return false;
    const struct tr__tree_node *of = &s->nodes[launch];
    *number = (uint32_t)s->n;
    s->nodes[s->n++] = (struct tr__tree_node){ .ts = of->ts,
                                               .record = of->record,
                                               .name = name,
                                               .parent = parent,
                                               .first = TR__NO_NODE,
                                               .next = TR__NO_NODE,
                                               .track = of->track,
                                               .kind = (uint8_t)kind };
    return true;
}

/* The tree node of a span of the capture; a span that takes no part has that of the span around it. */
static bool add_span(struct graft *g, uint32_t launch, uint32_t parent, uint32_t span, uint32_t *number)
{
    const struct tr_graph_span *s = &g->graphs->spans[span];
    struct tr__tree_args args;
    uint32_t name;
    *number = parent;
    if (!tr__tree_takes_part(s->activity))
        return true;
    bool op = tr__tree_is_operator(s->activity);
    if (!to_text(g, s->name, &name) ||
        !add_node(g, launch, parent, name, op ? TR__TREE_OPERATOR : TR__TREE_CALL, number))
        return false;
    if (!op || g->d->view != TR_TREE_DIFF_KERNEL)
        return true;
    return to_text(g, s->dims, &args.text[TR__TREE_DIMS]) && to_text(g, s->types, &args.text[TR__TREE_TYPES]) &&
           to_text(g, s->strides, &args.text[TR__TREE_STRIDES]) && to_text(g, s->args, &args.text[TR__TREE_ARGS]) &&
           tr__tree_add_args(g->d, &args, &g->side->nodes[*number].args);
}

/* The tree node of the innermost span around a node of the capture; the launch, if there is none. */
static bool add_spans(struct graft *g, uint32_t launch, const struct tr_graph_capture *c, uint32_t span,
                      uint32_t *number)
{
    const struct tr_graph_span *spans = g->graphs->spans;
    size_t n = 0;
    *number = launch;
    for (; span != TR_GRAPH_NONE && span >= c->first_span && spans[span].inside; span = spans[span].outer) {
        if (g->of_span[span - c->first_span]) {
            *number = g->of_span[span - c->first_span] - 1;
            break;
        }
        if (!tr_grow(&g->chain, &g->cap_chain, n + 1, sizeof *g->chain))
            return false;
        g->chain[n++] = span;
    }
    while (n > 0) {
        uint32_t at = g->chain[--n];
        if (!add_span(g, launch, *number, at, number))
            return false;
        g->of_span[at - c->first_span] = *number + 1;
    }
    return true;
}

/* ---- launches ---- */

/* The work of the launch, and its names. */
static bool take_works(struct graft *g, uint32_t launch)
{
    struct tr__tree_node *nodes = g->side->nodes;
    bool ok = true;
    g->n = 0;
    for (uint32_t i = nodes[launch].first, next; ok && i != TR__NO_NODE; i = next) {
        next = nodes[i].next;
        nodes[i].next = TR__NO_NODE;
        ok = tr_grow(&g->works, &g->cap_works, g->n + 1, sizeof *g->works) &&
             tr_grow(&g->kernels, &g->cap_kernels, g->n + 1, sizeof *g->kernels) &&
             to_kernel(g, &nodes[i], &g->kernels[g->n]);
        if (ok)
            g->works[g->n++] = i;
    }
    nodes[launch].first = TR__NO_NODE;
    return ok;
}

/* Room for what the capture has, all 0. */
static bool clear(struct graft *g, const struct tr_graph_capture *c)
{
    size_t n_spans = c->end_span > c->first_span ? c->end_span - c->first_span : 0;
    if (!tr_grow(&g->of_node, &g->cap_nodes, c->n + 1, sizeof *g->of_node) ||
        !tr_grow(&g->of_span, &g->cap_spans, n_spans + 1, sizeof *g->of_span))
        return false;
    for (size_t i = 0; i < c->n; i++)
        g->of_node[i] = 0;
    for (size_t i = 0; i < n_spans; i++)
        g->of_span[i] = 0;
    return true;
}

/* Work that the capture does not have stays with a call of the launch, after what was captured. */
static bool keep_rest(struct graft *g, uint32_t launch, const struct tr_graph_match *m)
{
    uint32_t call = TR__NO_NODE;
    for (size_t i = 0; i < g->n; i++) {
        if (m->nodes[i] != TR_GRAPH_NONE)
            continue;
        if (call == TR__NO_NODE &&
            !add_node(g, launch, launch, g->side->nodes[launch].name, TR__TREE_CALL, &call))
            return false;
        g->side->nodes[g->works[i]].parent = call;
    }
    return true;
}

/* Calls in the order of the capture, and the work below them. */
static bool add_calls(struct graft *g, uint32_t launch, const struct tr_graph_match *m)
{
    const struct tr_graph_capture *c = &g->graphs->captures[m->capture];
    if (!clear(g, c))
        return false;
    for (size_t i = 0; i < g->n; i++)
        if (m->nodes[i] != TR_GRAPH_NONE)
            g->of_node[m->nodes[i] - c->first] = g->works[i] + 1;
    for (uint32_t k = 0; k < c->n; k++) {
        const struct tr_graph_node *node = &g->graphs->nodes[c->first + k];
        uint32_t around, name, call;
        if (!g->of_node[k])
            continue;
        if (!add_spans(g, launch, c, node->span, &around) || !to_text(g, node->call, &name) ||
            !add_node(g, launch, around, name, TR__TREE_CALL, &call))
            return false;
        g->side->nodes[g->of_node[k] - 1].parent = call;
    }
    return keep_rest(g, launch, m);
}

static bool graft_launch(struct graft *g, uint32_t launch)
{
    struct tr_tree_diff *d = g->d;
    struct tr_graph_match m;
    if (!take_works(g, launch))
        return false;
    const struct tr__tree_node *node = &g->side->nodes[launch];
    const struct tr_graph_launch l = { .kernels = g->kernels, .n = g->n, .tokens = (int64_t)node->hash,
                                       .rank = d->dict->sources[d->dict->tracks[node->track].source].rank };
    if (g->n == 0)
        return true;
    if (!tr_graph_calls_match(g->graphs, &l, &m))
        return false;
    tr_graph_count(&d->graph_counts[d->run], &l, &m);
    if (m.capture != TR_GRAPH_NONE)
        return add_calls(g, launch, &m) && tr__tree_fits(d);
    g->side->nodes[launch].kind = TR__TREE_CALL;
    return true;
}

/* Each launch of a graph gets the list of its work, in the order of events. */
static void gather_works(struct tr__tree_side *s)
{
    for (size_t i = s->n; i-- > 0;) {
        struct tr__tree_node *node = &s->nodes[i];
        if (node->kind != TR__TREE_WORK || node->parent == TR__NO_NODE ||
            s->nodes[node->parent].kind != TR__TREE_GRAPH)
            continue;
        node->next = s->nodes[node->parent].first;
        s->nodes[node->parent].first = (uint32_t)i;
    }
}

bool tr__tree_graft(struct tr_tree_diff *d)
{
    struct graft g = { .d = d, .side = &d->sides[d->run], .graphs = d->graphs[d->run] };
    if (!g.graphs)
        return true;
    size_t n = g.side->n;
    g.texts = calloc(tr_strtab_count(g.graphs->strings) + 1, sizeof *g.texts);
    bool ok = g.texts != NULL;
    gather_works(g.side);
    for (uint32_t i = 0; ok && i < n; i++)
        if (g.side->nodes[i].kind == TR__TREE_GRAPH)
            ok = graft_launch(&g, i);
    free(g.texts);
    free(g.names);
    free(g.works);
    free(g.kernels);
    free(g.of_node);
    free(g.of_span);
    free(g.chain);
    return ok;
}
