/* SPDX-License-Identifier: MIT */
/* Profiles: the tree of stacks, its order and totals. */
#include "profile/tr_profile.h"

#include "model/tr_eventmap.h"

#include <stdlib.h>
#include <string.h>

const char *const tr_profile_weight_names[] = { "host", "device", "launches", "bytes", NULL };

const char *tr_profile_says(enum tr_profile_weight w)
{
    static const char *const says[] = { "time on the host", "time of device work", "kernels, copies and memsets",
                                        "bytes allocated" };
    return says[w];
}

struct values {
    int64_t of[TR_N_PROFILE_SIDES][TR_N_PROFILE_WEIGHTS];
};

struct tr_profile {
    struct tr_strtab *names;
    struct tr_profile_node *nodes;
    size_t n, cap;
    struct tr_eventmap children; /* of (node, name) */
    struct values *self, *total; /* self: of the first n_self nodes */
    size_t n_self, cap_self;
    uint32_t *order;
};

struct tr_profile *tr_profile_new(void)
{
    struct tr_profile *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->names = tr_strtab_new();
    uint32_t none = p->names ? tr_strtab_add(p->names, "", 0) : TR_NO_STR;
    if (none == TR_NO_STR || !tr_grow(&p->nodes, &p->cap, 1, sizeof *p->nodes)) {
        tr_profile_free(p);
        return NULL;
    }
    p->nodes[p->n++] = (struct tr_profile_node){ TR_PROFILE_NONE, none, TR_PROFILE_OTHER, 0 };
    return p;
}

void tr_profile_free(struct tr_profile *p)
{
    if (!p)
        return;
    tr_strtab_free(p->names);
    tr_eventmap_free(&p->children);
    free(p->nodes);
    free(p->self);
    free(p->total);
    free(p->order);
    free(p);
}

uint32_t tr_profile_child(struct tr_profile *p, uint32_t node, struct tr_str name, enum tr_profile_kind kind)
{
    if (p->nodes[node].depth >= TR_PROFILE_MAX_DEPTH)
        return node;
    uint32_t text = tr_strtab_add(p->names, name.s ? name.s : "", name.len);
    if (text == TR_NO_STR)
        return TR_PROFILE_NONE;
    uint32_t child = tr_eventmap_get(&p->children, node, text);
    if (child != TR_EVENTMAP_NONE) {
        if (p->nodes[child].kind < kind)
            p->nodes[child].kind = kind;
        return child;
    }
    if (p->n >= TR_PROFILE_NONE - 1 || !tr_grow(&p->nodes, &p->cap, p->n + 1, sizeof *p->nodes) ||
        !tr_eventmap_put(&p->children, node, text, (uint32_t)p->n))
        return TR_PROFILE_NONE;
    p->nodes[p->n] = (struct tr_profile_node){ node, text, kind, p->nodes[node].depth + 1 };
    return (uint32_t)p->n++;
}

size_t tr_profile_count(const struct tr_profile *p)
{
    return p->n;
}

const struct tr_profile_node *tr_profile_at(const struct tr_profile *p, uint32_t node)
{
    return &p->nodes[node];
}

struct tr_str tr_profile_name(const struct tr_profile *p, uint32_t node)
{
    uint32_t name = p->nodes[node].name;
    return (struct tr_str){ tr_strtab_get(p->names, name), tr_strtab_len(p->names, name) };
}

/* The number of frames of a node. */
static unsigned frames_of(const struct tr_profile *p, uint32_t node)
{
    unsigned n = 0;
    for (; node != TR_PROFILE_ROOT; node = p->nodes[node].parent)
        n++;
    return n;
}

int tr_profile_compare(const struct tr_profile *p, uint32_t a, uint32_t b)
{
    unsigned in_a = frames_of(p, a), in_b = frames_of(p, b);
    int longer = (in_a > in_b) - (in_a < in_b);
    for (; in_a > in_b; in_a--)
        a = p->nodes[a].parent;
    for (; in_b > in_a; in_b--)
        b = p->nodes[b].parent;
    if (a == b)
        return longer;
    while (p->nodes[a].parent != p->nodes[b].parent) {
        a = p->nodes[a].parent;
        b = p->nodes[b].parent;
    }
    return tr_str_cmp(tr_profile_name(p, a), tr_profile_name(p, b));
}

bool tr_profile_text(const struct tr_profile *p, uint32_t node, const char *between, struct tr_buf *out)
{
    unsigned n = frames_of(p, node);
    uint32_t *path = malloc((n + (size_t)1) * sizeof *path);
    bool ok = path != NULL;
    for (unsigned i = n; ok && i > 0; node = p->nodes[node].parent)
        path[--i] = node;
    for (unsigned i = 0; ok && i < n; i++)
        ok = tr_buf_add_str(out, i ? between : "") && tr_buf_add_text(out, tr_profile_name(p, path[i]));
    free(path);
    return ok;
}

/* ---- weights ---- */

static int64_t sum(int64_t a, int64_t b)
{
    return b > 0 && a > INT64_MAX - b ? INT64_MAX : a + b;
}

bool tr_profile_add(struct tr_profile *p, uint32_t node, enum tr_profile_side side, enum tr_profile_weight weight,
                    int64_t value)
{
    if (node >= p->n_self) {
        if (!tr_grow(&p->self, &p->cap_self, p->n, sizeof *p->self))
            return false;
        memset(p->self + p->n_self, 0, (p->n - p->n_self) * sizeof *p->self);
        p->n_self = p->n;
    }
    int64_t *to = &p->self[node].of[side][weight];
    *to = sum(*to, value > 0 ? value : 0);
    return true;
}

bool tr_profile_merge(struct tr_profile *to, enum tr_profile_side side, const struct tr_profile *from)
{
    uint32_t *as = malloc(from->n * sizeof *as);
    bool ok = as != NULL;
    for (uint32_t i = 0; ok && i < from->n; i++) {
        const struct tr_profile_node *node = &from->nodes[i];
        as[i] = i ? tr_profile_child(to, as[node->parent], tr_profile_name(from, i), (enum tr_profile_kind)node->kind)
                  : TR_PROFILE_ROOT;
        ok = as[i] != TR_PROFILE_NONE;
        for (unsigned w = 0; ok && i < from->n_self && w < TR_N_PROFILE_WEIGHTS; w++)
            ok = tr_profile_add(to, as[i], side, (enum tr_profile_weight)w, from->self[i].of[TR_PROFILE_TEST][w]);
    }
    free(as);
    return ok;
}

int64_t tr_profile_self(const struct tr_profile *p, uint32_t node, enum tr_profile_side side, enum tr_profile_weight w)
{
    return node < p->n_self ? p->self[node].of[side][w] : 0;
}

int64_t tr_profile_total(const struct tr_profile *p, uint32_t node, enum tr_profile_side side,
                         enum tr_profile_weight w)
{
    return p->total[node].of[side][w];
}

/* ---- order ---- */

uint32_t tr_profile_ordered(const struct tr_profile *p, size_t i)
{
    return p->order[i];
}

unsigned tr_profile_depth(const struct tr_profile *p, uint32_t node)
{
    return p->nodes[node].depth;
}

struct child {
    uint32_t parent, node;
    struct tr_str name;
};

static int compare_children(const void *a, const void *b)
{
    const struct child *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    return tr_str_cmp(x->name, y->name);
}

static void find_totals(struct tr_profile *p)
{
    for (size_t i = 0; i < p->n_self; i++)
        p->total[i] = p->self[i];
    for (size_t i = p->n; i-- > 1;)
        for (unsigned k = 0; k < TR_N_PROFILE_SIDES * TR_N_PROFILE_WEIGHTS; k++) {
            int64_t *to = &p->total[p->nodes[i].parent].of[k / TR_N_PROFILE_WEIGHTS][k % TR_N_PROFILE_WEIGHTS];
            *to = sum(*to, p->total[i].of[k / TR_N_PROFILE_WEIGHTS][k % TR_N_PROFILE_WEIGHTS]);
        }
}

/* Each node, then its children with all that is inside them.  children: by parent, then by name. */
static bool find_order(struct tr_profile *p, const struct child *children)
{
    uint32_t *first = calloc(p->n + 1, sizeof *first), *open = malloc(p->n * sizeof *open);
    size_t n_open = 0, n = 0;
    bool ok = first && open;
    for (size_t i = 0; ok && i + 1 < p->n; i++)
        first[children[i].parent + (size_t)1]++;
    for (size_t i = 0; ok && i < p->n; i++)
        first[i + 1] += first[i];
    if (ok)
        open[n_open++] = TR_PROFILE_ROOT;
    while (ok && n_open) {
        uint32_t node = open[--n_open];
        p->order[n++] = node;
        for (uint32_t i = first[node + (size_t)1]; i-- > first[node];)
            open[n_open++] = children[i].node;
    }
    free(first);
    free(open);
    return ok;
}

bool tr_profile_end(struct tr_profile *p)
{
    struct child *children = malloc(p->n * sizeof *children);
    p->total = calloc(p->n, sizeof *p->total);
    p->order = malloc(p->n * sizeof *p->order);
    bool ok = children && p->total && p->order;
    if (ok) {
        for (uint32_t i = 1; i < p->n; i++)
            children[i - 1] = (struct child){ p->nodes[i].parent, i, tr_profile_name(p, i) };
        qsort(children, p->n - 1, sizeof *children, compare_children);
        find_totals(p);
        ok = find_order(p, children);
    }
    free(children);
    return ok;
}
