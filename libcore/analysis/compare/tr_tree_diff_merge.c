/* SPDX-License-Identifier: MIT */
/* Call trees of two runs: the merged tree. */
#include "analysis/compare/tr_tree_diff_int.h"

#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

/* How often the rest of a list is matched again. */
#define MAX_ROUNDS 8u

bool tr__tree_renamed(const struct tr_tree_diff *d, const struct tr__tree_pair *p)
{
    return p->node[0] != TR__NO_NODE && p->node[1] != TR__NO_NODE &&
           tr__tree_name(d, tr__tree_node(d, 0, p->node[0])) != tr__tree_name(d, tr__tree_node(d, 1, p->node[1]));
}

static bool add_pair(struct tr__tree_pairs *p, uint32_t base, uint32_t test)
{
    if (!tr_grow(&p->pairs, &p->cap, p->n + 1, sizeof *p->pairs))
        return false;
    p->pairs[p->n++] = (struct tr__tree_pair){ { base, test } };
    return true;
}

/* ---- marks of names ---- */

static bool start_marks(struct tr_tree_diff *d)
{
    if (d->marks[0])
        return true;
    d->n_marks = tr_strtab_count(d->texts);
    for (int side = 0; side < 2; side++)
        d->marks[side] = calloc(d->n_marks + 1, sizeof *d->marks[side]);
    return d->marks[0] && d->marks[1];
}

static void mark(struct tr_tree_diff *d, int side, uint32_t node)
{
    d->marks[side][tr__tree_name(d, tr__tree_node(d, side, node))] = d->mark;
}

static bool is_marked(const struct tr_tree_diff *d, int side, const struct tr__tree_node *node)
{
    return d->marks[side][tr__tree_name(d, node)] == d->mark;
}

/* ---- what is left between two matches ---- */

/* Elements of both lists between two matches. */
struct gap {
    const struct tr__tree_item *items[2];
    size_t n[2];
};

static bool resolve(struct tr_tree_diff *d, const struct tr__tree_list lists[2], unsigned round,
                    struct tr__tree_pairs *out);

static bool leave(const struct gap *g, struct tr__tree_pairs *out)
{
    bool ok = true;
    for (size_t i = 0; ok && i < g->n[0]; i++)
        ok = add_pair(out, g->items[0][i].node, TR__NO_NODE);
    for (size_t i = 0; ok && i < g->n[1]; i++)
        ok = add_pair(out, TR__NO_NODE, g->items[1][i].node);
    return ok;
}

/* Does an operator, or the launch of a captured graph, have a child of a name that the other run has in this gap? */
static bool is_wrapper(const struct tr_tree_diff *d, int side, uint32_t node)
{
    const struct tr__tree_node *nodes = d->sides[side].nodes;
    if (!tr__tree_opens(&nodes[node]))
        return false;
    for (uint32_t k = nodes[node].first; k != TR__NO_NODE; k = nodes[k].next)
        if (tr__tree_has_work(&nodes[k]) && is_marked(d, !side, &nodes[k]))
            return true;
    return false;
}

/* The first wrapper of each side of a gap; SIZE_MAX: there is none. */
static void find_wrappers(struct tr_tree_diff *d, const struct gap *g, size_t first[2])
{
    d->mark++;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < g->n[side]; i++)
            mark(d, side, g->items[side][i].node);
    for (int side = 0; side < 2; side++) {
        first[side] = SIZE_MAX;
        for (size_t i = 0; i < g->n[side] && first[side] == SIZE_MAX; i++)
            if (is_wrapper(d, side, g->items[side][i].node))
                first[side] = i;
    }
}

/* Which side has wrappers to replace: if both have, the one whose first one has the smaller name. */
static int side_to_open(const struct tr_tree_diff *d, const struct gap *g, const size_t first[2])
{
    if (first[0] == SIZE_MAX || first[1] == SIZE_MAX)
        return first[0] == SIZE_MAX;
    return tr__tree_by_text(d, &g->items[0][first[0]], &g->items[1][first[1]]) > 0;
}

static bool copy_gap(struct tr_tree_diff *d, const struct gap *g, int side, struct tr__tree_list *out)
{
    bool ok = true;
    for (size_t i = 0; ok && i < g->n[side]; i++)
        ok = tr__tree_push(d, out, side, g->items[side][i].node);
    return ok;
}

static bool open_wrappers(struct tr_tree_diff *d, const struct gap *g, int side, struct tr__tree_list *out)
{
    const struct tr__tree_node *nodes = d->sides[side].nodes;
    bool ok = true;
    for (size_t i = 0; ok && i < g->n[side]; i++) {
        uint32_t node = g->items[side][i].node;
        if (!is_wrapper(d, side, node)) {
            ok = tr__tree_push(d, out, side, node);
            continue;
        }
        for (uint32_t k = nodes[node].first; ok && k != TR__NO_NODE; k = nodes[k].next)
            if (tr__tree_has_work(&nodes[k]))
                ok = tr__tree_push(d, out, side, k);
    }
    return ok;
}

/* The only child with device work; TR__NO_NODE: it has none or several. */
static uint32_t only_child(const struct tr__tree_node *nodes, uint32_t node)
{
    uint32_t only = TR__NO_NODE;
    for (uint32_t k = nodes[node].first; k != TR__NO_NODE; k = nodes[k].next) {
        if (!tr__tree_has_work(&nodes[k]))
            continue;
        if (only != TR__NO_NODE)
            return TR__NO_NODE;
        only = k;
    }
    return only;
}

/* The last operator of a chain of single children, above the call that launches. */
static uint32_t chain_end(const struct tr_tree_diff *d, int side, uint32_t node)
{
    const struct tr__tree_node *nodes = d->sides[side].nodes;
    while (tr__tree_opens(&nodes[node]) && !nodes[node].launches) {
        uint32_t child = only_child(nodes, node);
        if (child == TR__NO_NODE || nodes[child].launches)
            break;
        node = child;
    }
    return node;
}

/* *changed: a chain of the gap is longer than one. */
static bool close_chains(struct tr_tree_diff *d, const struct gap *g, int side, struct tr__tree_list *out,
                         bool *changed)
{
    bool ok = true;
    for (size_t i = 0; ok && i < g->n[side]; i++) {
        uint32_t node = chain_end(d, side, g->items[side][i].node);
        *changed = *changed || node != g->items[side][i].node;
        ok = tr__tree_push(d, out, side, node);
    }
    return ok;
}

/* Are they equally many, none launches, and does each have device work if the one opposite has? */
static bool match_by_place(const struct tr_tree_diff *d, const struct gap *g)
{
    bool ok = g->n[0] == g->n[1];
    for (size_t i = 0; ok && i < g->n[0]; i++) {
        const struct tr__tree_node *base = tr__tree_node(d, 0, g->items[0][i].node);
        const struct tr__tree_node *test = tr__tree_node(d, 1, g->items[1][i].node);
        ok = !base->launches && !test->launches && tr__tree_has_work(base) == tr__tree_has_work(test);
    }
    return ok;
}

/* Compare operators by the names of their children; others match nothing. */
static void key_by_children(const struct tr_tree_diff *d, int side, struct tr__tree_list *list)
{
    const struct tr__tree_node *nodes = d->sides[side].nodes;
    for (size_t i = 0; i < list->n; i++) {
        const struct tr__tree_node *node = &nodes[list->items[i].node];
        uint64_t hash = 0;
        for (uint32_t k = node->first; k != TR__NO_NODE; k = nodes[k].next)
            if (tr__tree_has_work(&nodes[k]))
                hash = tr__tree_mix(hash, (uint64_t)tr__tree_name(d, &nodes[k]) + 1);
        bool counts = hash && tr__tree_opens(node) && !node->launches;
        list->items[i].key = counts ? hash : (uint64_t)side + 1;
    }
}

/* The items from this index on; an empty list has no memory to point into. */
static struct tr__tree_item *items_from(const struct tr__tree_list *l, size_t i)
{
    return l->n ? l->items + i : NULL;
}

/* Put the pairs of a match, and call between for what is left between them. */
static bool put_matches(struct tr_tree_diff *d, const struct tr__tree_list lists[2], const size_t *match,
                        unsigned round, bool (*between)(struct tr_tree_diff *, const struct gap *, unsigned,
                                                        struct tr__tree_pairs *),
                        struct tr__tree_pairs *out)
{
    bool ok = true;
    for (size_t i = 0, from = 0, next = 0; ok && i <= lists[0].n; i++) {
        size_t j = i < lists[0].n ? match[i] : lists[1].n;
        if (j == SIZE_MAX)
            continue;
        struct gap g = { { items_from(&lists[0], from), items_from(&lists[1], next) }, { i - from, j - next } };
        if (g.n[0] || g.n[1])
            ok = between(d, &g, round, out);
        if (ok && i < lists[0].n)
            ok = add_pair(out, lists[0].items[i].node, lists[1].items[j].node);
        from = i + 1;
        next = j + 1;
    }
    return ok;
}

static bool leave_gap(struct tr_tree_diff *d, const struct gap *g, unsigned round, struct tr__tree_pairs *out)
{
    (void)d;
    (void)round;
    return leave(g, out);
}

/* The last attempt: operators whose children have equal names. */
static bool match_by_children(struct tr_tree_diff *d, const struct gap *g, struct tr__tree_list lists[2],
                              struct tr__tree_pairs *out)
{
    size_t *match = malloc((g->n[0] + 1) * sizeof *match);
    lists[0].n = lists[1].n = 0;
    bool ok = match && copy_gap(d, g, 0, &lists[0]) && copy_gap(d, g, 1, &lists[1]);
    for (int side = 0; ok && side < 2; side++)
        key_by_children(d, side, &lists[side]);
    ok = ok && tr__tree_align(d, &lists[0], &lists[1], match) && put_matches(d, lists, match, 0, leave_gap, out);
    free(match);
    return ok;
}

static bool fill_gap(struct tr_tree_diff *d, const struct gap *g, unsigned round, struct tr__tree_pairs *out)
{
    struct tr__tree_list lists[2] = { { 0 }, { 0 } };
    size_t first[2];
    bool changed = false, ok = true;
    if (!g->n[0] || !g->n[1])
        return leave(g, out);
    find_wrappers(d, g, first);
    if (round < MAX_ROUNDS && (first[0] != SIZE_MAX || first[1] != SIZE_MAX)) {
        int side = side_to_open(d, g, first);
        ok = open_wrappers(d, g, side, &lists[side]) && copy_gap(d, g, !side, &lists[!side]) &&
             resolve(d, lists, round + 1, out);
    } else if (match_by_place(d, g)) {
        for (size_t i = 0; ok && i < g->n[0]; i++)
            ok = add_pair(out, g->items[0][i].node, g->items[1][i].node);
    } else {
        ok = close_chains(d, g, 0, &lists[0], &changed) && close_chains(d, g, 1, &lists[1], &changed);
        if (ok && changed && round < MAX_ROUNDS)
            ok = resolve(d, lists, round + 1, out);
        else if (ok)
            ok = match_by_children(d, g, lists, out);
    }
    free(lists[0].items);
    free(lists[1].items);
    return ok;
}

static bool resolve(struct tr_tree_diff *d, const struct tr__tree_list lists[2], unsigned round,
                    struct tr__tree_pairs *out)
{
    size_t *match = malloc((lists[0].n + 1) * sizeof *match);
    bool ok = match && tr__tree_align(d, &lists[0], &lists[1], match) &&
              put_matches(d, lists, match, round, fill_gap, out);
    free(match);
    return ok;
}

/* ---- children of a pair ---- */

/* Children with device work; and one without, if only the other run has such a name with device work. */
static bool list_children(struct tr_tree_diff *d, const struct tr__tree_pair *p, struct tr__tree_list lists[2])
{
    bool ok = true;
    d->mark++;
    for (int side = 0; side < 2; side++) {
        const struct tr__tree_node *nodes = d->sides[side].nodes;
        for (uint32_t k = nodes[p->node[side]].first; k != TR__NO_NODE; k = nodes[k].next)
            if (tr__tree_has_work(&nodes[k]))
                mark(d, side, k);
    }
    for (int side = 0; ok && side < 2; side++) {
        const struct tr__tree_node *nodes = d->sides[side].nodes;
        for (uint32_t k = nodes[p->node[side]].first; ok && k != TR__NO_NODE; k = nodes[k].next)
            if (tr__tree_has_work(&nodes[k]) || (nodes[k].kind == TR__TREE_OPERATOR && is_marked(d, !side, &nodes[k]) &&
                                                 !is_marked(d, side, &nodes[k])))
                ok = tr__tree_push(d, &lists[side], side, k);
    }
    return ok;
}

/* Matched ones first, then those of the base, then those of the test. */
static bool order_pairs(struct tr__tree_pairs *p)
{
    struct tr__tree_pair *sorted = malloc((p->n + 1) * sizeof *sorted);
    size_t n = 0;
    for (int pass = 0; sorted && pass < 3; pass++)
        for (size_t i = 0; i < p->n; i++) {
            bool base = p->pairs[i].node[0] != TR__NO_NODE, test = p->pairs[i].node[1] != TR__NO_NODE;
            if (pass == (base && test ? 0 : base ? 1 : 2))
                sorted[n++] = p->pairs[i];
        }
    if (!sorted)
        return false;
    free(p->pairs);
    p->pairs = sorted;
    p->cap = p->n + 1;
    return true;
}

static bool pair_children(struct tr_tree_diff *d, struct tr__tree_frame *f)
{
    int one = f->is.node[0] == TR__NO_NODE; /* the side that has it, if only one has */
    if (f->is.node[0] != TR__NO_NODE && f->is.node[1] != TR__NO_NODE) {
        struct tr__tree_list lists[2] = { { 0 }, { 0 } };
        bool ok = list_children(d, &f->is, lists) && resolve(d, lists, 0, &f->children) && order_pairs(&f->children);
        free(lists[0].items);
        free(lists[1].items);
        return ok;
    }
    const struct tr__tree_node *nodes = d->sides[one].nodes;
    bool ok = true;
    for (uint32_t k = nodes[f->is.node[one]].first; ok && k != TR__NO_NODE; k = nodes[k].next)
        if (tr__tree_has_work(&nodes[k]))
            ok = one ? add_pair(&f->children, TR__NO_NODE, k) : add_pair(&f->children, k, TR__NO_NODE);
    return ok;
}

/* ---- the walk ---- */

static bool push_frame(struct tr__tree_walk *w, struct tr__tree_pair is)
{
    size_t depth = w->cap ? w->depth + 1 : 0;
    if (!tr_grow(&w->frames, &w->cap, depth + 1, sizeof *w->frames))
        return false;
    w->frames[depth] = (struct tr__tree_frame){ .is = is, .point = SIZE_MAX };
    w->depth = depth;
    return true;
}

static void pop_frame(struct tr__tree_walk *w)
{
    free(w->frames[w->depth].children.pairs);
    w->frames[w->depth].children = (struct tr__tree_pairs){ 0 };
    w->depth--; /* after frame 0, the walk ends */
}

static void find_point(struct tr__tree_walk *w)
{
    struct tr__tree_frame *f = &w->frames[w->depth];
    bool matched = w->depth == 0 || (f->is.node[0] != TR__NO_NODE && f->is.node[1] != TR__NO_NODE);
    for (size_t i = 0; i < f->children.n && !f->differs; i++)
        f->differs = f->children.pairs[i].node[0] == TR__NO_NODE || f->children.pairs[i].node[1] == TR__NO_NODE;
    if (w->depth == 0)
        f->point = 0;
    else if (matched && (f->differs || tr__tree_node(w->d, 0, f->is.node[0])->kind == TR__TREE_WORK))
        f->point = w->depth;
    else
        f->point = w->frames[w->depth - 1].point;
    f->differs = f->differs && matched;
}

/* Visit everything below frame 0. */
static enum tr_status walk_down(struct tr__tree_walk *w, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    while (st == TR_OK) {
        struct tr__tree_frame *f = &w->frames[w->depth];
        if (f->next < f->children.n) {
            if (!push_frame(w, f->children.pairs[f->next++]))
                return tr_fail_memory(err);
            w->frames[w->depth].id = w->n_nodes++;
            if (!pair_children(w->d, &w->frames[w->depth]))
                return tr_fail_memory(err);
            find_point(w);
            st = w->visit(w, err);
        } else if (w->depth) {
            pop_frame(w);
        } else {
            return TR_OK;
        }
    }
    return st;
}

/* The number of roots of the rank that starts at root number at. */
static size_t roots_of_rank(const struct tr__tree_side *s, size_t at)
{
    size_t n = 0;
    while (at + n < s->n_roots && tr__tree_compare_ranks(&s->roots[at].of, &s->roots[at + n].of) == 0)
        n++;
    return n;
}

static size_t count_ranks(const struct tr__tree_side *s)
{
    size_t n = 0;
    for (size_t at = 0; at < s->n_roots; at += roots_of_rank(s, at))
        n++;
    return n;
}

/* All roots of a rank; n 0: a run does not have it. */
static enum tr_status walk_rank(struct tr__tree_walk *w, const size_t at[2], const size_t n[2], struct tr_error *err)
{
    static const struct tr__tree_pair none = { { TR__NO_NODE, TR__NO_NODE } };
    struct tr__tree_list lists[2] = { { 0 }, { 0 } };
    bool ok = true;
    w->rank = w->d->sides[n[0] ? 0 : 1].roots[at[n[0] ? 0 : 1]].of.rank;
    w->depth = 0;
    free(w->frames);
    w->frames = NULL;
    w->cap = 0;
    for (int side = 0; ok && side < 2; side++)
        for (size_t i = 0; ok && i < n[side]; i++)
            ok = tr__tree_push(w->d, &lists[side], side, w->d->sides[side].roots[at[side] + i].node);
    ok = ok && push_frame(w, none) && resolve(w->d, lists, 0, &w->frames[0].children) &&
         order_pairs(&w->frames[0].children);
    free(lists[0].items);
    free(lists[1].items);
    enum tr_status st = ok ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK) {
        find_point(w);
        st = w->visit(w, err);
    }
    if (st == TR_OK)
        st = walk_down(w, err);
    for (size_t k = 0; w->frames && k <= w->depth; k++)
        free(w->frames[k].children.pairs);
    return st;
}

enum tr_status tr__tree_walk(struct tr__tree_walk *w, struct tr_error *err)
{
    const struct tr__tree_side *s = w->d->sides;
    bool in_order = count_ranks(&s[0]) == count_ranks(&s[1]);
    enum tr_status st = start_marks(w->d) ? TR_OK : tr_fail_memory(err);
    for (size_t at[2] = { 0, 0 }; st == TR_OK && (at[0] < s[0].n_roots || at[1] < s[1].n_roots);) {
        size_t n[2] = { roots_of_rank(&s[0], at[0]), roots_of_rank(&s[1], at[1]) };
        int c = 0;
        if (!in_order && n[0] && n[1])
            c = tr__tree_compare_ranks(&s[0].roots[at[0]].of, &s[1].roots[at[1]].of);
        n[0] = c > 0 ? 0 : n[0];
        n[1] = c < 0 ? 0 : n[1];
        st = walk_rank(w, at, n, err);
        at[0] += n[0];
        at[1] += n[1];
    }
    free(w->frames);
    w->frames = NULL;
    return st;
}
