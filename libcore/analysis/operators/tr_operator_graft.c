/* SPDX-License-Identifier: MIT */
/* Work of launched graphs goes to the operators of their capture. */
#include "analysis/operators/tr_operators_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX

/* What a span of the capture is in one launch. */
struct tr__graft_span {
    bool wanted;   /* it is around work */
    uint32_t call; /* its call, or that around it; NO_ENTRY: none */
    struct tr_operator_key key; /* what calls inside it have in common */
};

void tr_operators_captures(struct tr_operators *a, struct tr_graph_calls *graphs)
{
    a->grafts.graphs = graphs;
}

const struct tr_graph_counts *tr_operators_graphs(const struct tr_operators *a)
{
    return &a->grafts.counts;
}

void tr__operators_grafts_free(struct tr__operator_grafts *g)
{
    free(g->of);
    tr_freelist_free(&g->places);
    free(g->texts);
    free(g->names);
    free(g->pieces);
    free(g->kernels);
    free(g->spans);
}

/* ---- strings of the captures and of the trace ---- */

static bool known(uint32_t **of, size_t *n, size_t *cap, size_t number)
{
    if (!tr_grow(of, cap, number + 1, sizeof **of))
        return false;
    for (; *n <= number; (*n)++)
        (*of)[*n] = 0;
    return true;
}

/* The number in the dictionary of a string of the captures. */
static bool in_trace(struct tr_operators *a, uint32_t id, uint32_t *to)
{
    struct tr__operator_grafts *g = &a->grafts;
    const struct tr_strtab *from = g->graphs->strings;
    *to = TR_NO_STR;
    if (id == TR_NO_STR)
        return true;
    if (!known(&g->texts, &g->n_texts, &g->cap_texts, id))
        return false;
    if (!g->texts[id]) {
        uint32_t number = tr_strtab_add(a->work.dict->strings, tr_strtab_get(from, id), tr_strtab_len(from, id));
        if (number == TR_NO_STR)
            return false;
        g->texts[id] = number + 1;
    }
    *to = g->texts[id] - 1;
    return true;
}

/* The number in the captures of a name of the trace; TR_NO_STR: they do not have it. */
static bool in_captures(struct tr_operators *a, uint32_t name, uint32_t *to)
{
    struct tr__operator_grafts *g = &a->grafts;
    *to = TR_NO_STR;
    if (name == TR_NO_STR)
        return true;
    if (!known(&g->names, &g->n_names, &g->cap_names, name))
        return false;
    if (!g->names[name]) { /* number + 1; UINT32_MAX: not there */
        struct tr_str text = tr_dict_text(a->work.dict, name);
        uint32_t number = tr_strtab_find(g->graphs->strings, text.s, text.len);
        g->names[name] = number == TR_NO_STR ? NO_ENTRY : number + 1;
    }
    *to = g->names[name] == NO_ENTRY ? TR_NO_STR : g->names[name] - 1;
    return true;
}

/* ---- the launch ---- */

uint32_t tr__operators_graft(struct tr_operators *a, const struct tr_batch *b, size_t i, struct tr_callpath *path,
                             uint32_t around, bool counts)
{
    struct tr__operator_grafts *g = &a->grafts;
    struct tr__operator_graft f = { .record = b->record[i], .call = around, .track = b->track[i], .counts = counts };
    f.source = a->work.dict->tracks[f.track].source;
    f.start = tr_select_clip(a->work.select, f.source, path->open[path->depth].start);
    if (!tr__operator_key_around(&a->keys, b, i, path, &f.base) || !tr_group_by_group(&a->work, i, &f.base.group))
        return NO_ENTRY;
    f.base.step = tr__operator_step(&a->keys, path);
    f.tokens = tr_graph_tokens_around(a->work.dict, path);
    uint32_t number = tr_freelist_take(&g->places, &g->of, sizeof *g->of);
    if (number == NO_ENTRY)
        return NO_ENTRY;
    g->of[number] = f;
    if (around != NO_ENTRY)
        a->calls[around].pending++;
    return number;
}

/* ---- its work ---- */

TR_ORDER(by_start, struct tr__operator_piece, TR_UP(at.start), TR_UP(n))

/* The work in the order of its start, in g->pieces.  False: out of memory. */
static bool order_work(struct tr_operators *a, struct tr__operator_list work, size_t *n)
{
    struct tr__operator_grafts *g = &a->grafts;
    *n = 0;
    for (uint32_t i = work.first, next; i != NO_ENTRY; i = next) {
        if (!tr_grow(&g->pieces, &g->cap_pieces, *n + 1, sizeof *g->pieces))
            return false;
        g->pieces[(*n)++] = a->items[i].piece;
        next = a->items[i].next;
        tr_freelist_give(&a->item_places, i);
    }
    if (*n)
        qsort(g->pieces, *n, sizeof *g->pieces, by_start);
    if (!tr_grow(&g->kernels, &g->cap_kernels, *n + 1, sizeof *g->kernels))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < *n; i++) {
        unsigned act = g->pieces[i].activity;
        ok = in_captures(a, g->pieces[i].name, &g->kernels[i]);
        if (g->kernels[i] == TR_NO_STR)
            g->kernels[i] = act == TR_ACT_MEMCPY ? TR_GRAPH_COPY : act == TR_ACT_MEMSET ? TR_GRAPH_MEMSET : TR_NO_STR;
    }
    return ok;
}

static bool find_nodes(struct tr_operators *a, const struct tr__operator_graft *f, size_t n, struct tr_graph_match *m)
{
    struct tr__operator_grafts *g = &a->grafts;
    const struct tr_graph_launch launch = { .kernels = g->kernels, .n = n,
                                            .rank = a->work.dict->sources[f->source].rank,
                                            .tokens = f->tokens };
    if (!tr_graph_calls_match(g->graphs, &launch, m))
        return false;
    tr_graph_count(&g->counts, &launch, m);
    return true;
}

/* ---- its calls ---- */

static bool is_around(struct tr_operators *a, uint32_t row, uint32_t call)
{
    while (call != NO_ENTRY && a->calls[call].row != row)
        call = a->calls[call].parent;
    return call != NO_ENTRY;
}

/* What the capture says of a call. */
static bool take_span(struct tr_operators *a, const struct tr_graph_span *s, struct tr_operator_key *key)
{
    unsigned by = a->keys.by;
    return in_trace(a, s->name, &key->name) &&
           (!(by & TR_OPERATOR_SHAPE) || (in_trace(a, s->dims, &key->dims) && in_trace(a, s->types, &key->types) &&
                                          in_trace(a, s->strides, &key->strides))) &&
           (!(by & TR_OPERATOR_ARGS) || in_trace(a, s->args, &key->args));
}

/* A span of the capture that launched nothing. */
static bool note_span(struct tr_operators *a, const struct tr_graph_span *s, uint32_t around)
{
    struct tr_operator_key key = TR_OPERATOR_KEY_INIT;
    if (!a->owned || around == NO_ENTRY || a->calls[around].asker == NO_ENTRY || !tr__is_operator(s->activity))
        return true;
    return take_span(a, s, &key) && (key.name == TR_NO_STR || tr__operators_inside(a, around, &key));
}

/* A call of an operator of the capture.  NO_ENTRY: out of memory. */
static uint32_t add_call(struct tr_operators *a, const struct tr__operator_graft *f, const struct tr_graph_span *s,
                         const struct tr_operator_key *around, uint32_t parent)
{
    struct tr__operator_call c = { .start = f->start, .end = f->start, .open_until = f->start, .covered = f->start,
                                   .parent = parent, .source = f->source, .track = f->track, .counts = f->counts,
                                   .live = true, .around = UINT64_MAX, .program = TR_NO_STR, .key = *around,
                                   .record = f->record, .names = TR_STACK_NONE,
                                   .opening = TR_OPERATOR_OPENING_INIT,
                                   .opening_below = TR_OPERATOR_OPENING_INIT, .asker = NO_ENTRY,
                                   .parted = NO_ENTRY, .inside = NO_ENTRY, .pieces = TR__OPERATOR_LIST_INIT,
                                   .owner = TR__OWNER_CALL_INIT, .forward = NO_ENTRY, .node = NO_ENTRY };
    c.key.step = TR_NO_STR;
    if (!take_span(a, s, &c.key))
        return NO_ENTRY;
    a->keys.shapes |= c.key.dims != TR_NO_STR;
    a->keys.operators = true;
    const struct tr_operator_models *m = &a->owners.models;
    if (a->owned && c.key.name != TR_NO_STR) {
        c.owner.model = m->has(m->self, c.key.name);
        c.key.step = m->needs_step(m->self, c.key.name) ? f->base.step : TR_NO_STR;
    }
    if ((c.row = tr__operators_row_of(a, &c.key)) == NO_ENTRY)
        return NO_ENTRY;
    uint32_t number = tr_freelist_take(&a->call_places, &a->calls, sizeof *a->calls);
    if (number == NO_ENTRY)
        return NO_ENTRY;
    c.inner = is_around(a, c.row, parent);
    if (parent != NO_ENTRY) {
        a->calls[parent].pending++;
        c.owner.covered = a->calls[parent].owner.model || a->calls[parent].owner.covered;
    }
    a->calls[number] = c;
    if (!tr__operators_begin(a, number, &c))
        return NO_ENTRY;
    a->calls[number] = c;
    tr__operators_count_captured(a, number);
    return number;
}

/* Is a span replayed with this capture? */
static bool is_inside(const struct tr_graph_capture *c, const struct tr_graph_span *s, uint32_t span)
{
    return span >= c->first_span && s->inside;
}

/* Spans around nodes of work, and what they are: g->spans, from the first span of the capture. */
static bool make_calls(struct tr_operators *a, const struct tr__operator_graft *f, const struct tr_graph_match *m,
                       size_t n)
{
    struct tr__operator_grafts *g = &a->grafts;
    const struct tr_graph_capture *c = &g->graphs->captures[m->capture];
    const struct tr_graph_span *spans = g->graphs->spans;
    size_t n_spans = c->end_span > c->first_span ? c->end_span - c->first_span : 0;
    if (!tr_grow(&g->spans, &g->cap_spans, n_spans + 1, sizeof *g->spans))
        return false;
    for (size_t i = 0; i < n_spans; i++)
        g->spans[i].wanted = false;
    for (size_t i = 0; i < n; i++)
        for (uint32_t s = m->nodes[i] == TR_GRAPH_NONE ? NO_ENTRY : g->graphs->nodes[m->nodes[i]].span;
             s != NO_ENTRY && is_inside(c, &spans[s], s) && !g->spans[s - c->first_span].wanted; s = spans[s].outer)
            g->spans[s - c->first_span].wanted = true;
    for (size_t i = 0; i < n_spans; i++) { /* those around others come first */
        const struct tr_graph_span *s = &spans[c->first_span + i];
        struct tr__graft_span *to = &g->spans[i];
        bool inner = s->outer != NO_ENTRY && is_inside(c, &spans[s->outer], s->outer);
        uint32_t name;
        to->call = inner ? g->spans[s->outer - c->first_span].call : f->call;
        if (!to->wanted && !note_span(a, s, to->call))
            return false;
        if (!to->wanted)
            continue;
        to->key = inner ? g->spans[s->outer - c->first_span].key : f->base;
        if (tr__is_operator(s->activity) && (to->call = add_call(a, f, s, &to->key, to->call)) == NO_ENTRY)
            return false;
        if (!in_trace(a, s->name, &name) || !tr__operator_key_inside(&a->keys, name, s->activity, &to->key))
            return false;
    }
    return true;
}

/* The calls are done: those inside others first. */
static bool finish_calls(struct tr_operators *a, const struct tr_graph_match *m)
{
    struct tr__operator_grafts *g = &a->grafts;
    const struct tr_graph_capture *c = &g->graphs->captures[m->capture];
    size_t n_spans = c->end_span > c->first_span ? c->end_span - c->first_span : 0;
    bool ok = true;
    for (size_t i = n_spans; ok && i > 0; i--)
        if (g->spans[i - 1].wanted && tr__is_operator(g->graphs->spans[c->first_span + i - 1].activity))
            ok = tr__operators_finish_call(a, g->spans[i - 1].call);
    return ok;
}

bool tr__operators_grafted(struct tr_operators *a, uint32_t graft, struct tr__operator_list work)
{
    struct tr__operator_grafts *g = &a->grafts;
    const struct tr__operator_graft f = g->of[graft];
    struct tr_graph_match m;
    size_t n;
    tr_freelist_give(&g->places, graft);
    if (!order_work(a, work, &n) || !find_nodes(a, &f, n, &m) ||
        (m.capture != TR_GRAPH_NONE && !make_calls(a, &f, &m, n)))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        const struct tr__operator_piece *p = &g->pieces[i];
        uint32_t node = m.nodes[i], call = f.call;
        uint32_t span = node == TR_GRAPH_NONE ? NO_ENTRY : g->graphs->nodes[node].span;
        if (!p->counts)
            continue;
        if (span != NO_ENTRY && is_inside(&g->graphs->captures[m.capture], &g->graphs->spans[span], span))
            call = g->spans[span - g->graphs->captures[m.capture].first_span].call;
        ok = call == NO_ENTRY ? tr__operators_give_nobody(a, p) : tr__operators_give(a, p, call);
    }
    ok = ok && (m.capture == TR_GRAPH_NONE || finish_calls(a, &m));
    if (f.call != NO_ENTRY)
        a->calls[f.call].pending--;
    return ok;
}
