/* SPDX-License-Identifier: MIT */
/* Critical paths: parts of a path by names, in this run and in others. */
#include "analysis/paths/tr_critpath_member.h"

#include "analysis/critpath/tr_critpath_int.h"
#include "base/tr_sort.h"
#include "base/tr_strtab.h"

#include <stdlib.h>

/* An event with nodes. */
struct named {
    int64_t rank;
    uint32_t name, event;
};

TR_ORDER(by_name, struct named, TR_UP(rank), TR_UP(name), TR_UP(event))

struct tr_cp_finder {
    const struct tr_critpath *c;
    struct named *list; /* by rank, name and time */
    size_t n;
    uint32_t *nth;    /* by event */
    uint8_t *on_path; /* by node */
};

const char *tr_cp_side_name(unsigned side)
{
    static const char *const names[] = { [TR_CP_START] = "start", [TR_CP_END] = "end", [TR_CP_ALL_CAME] = "all" };
    return side < sizeof names / sizeof *names ? names[side] : "?";
}

/* ---- paths that were saved ---- */

struct tr_cp_saved *tr_cp_saved_new(void)
{
    struct tr_cp_saved *s = calloc(1, sizeof *s);
    if (s && !(s->names = tr_arena_new(1 << 14))) {
        free(s);
        return NULL;
    }
    return s;
}

void tr_cp_saved_free(struct tr_cp_saved *s)
{
    if (s) {
        tr_arena_free(s->names);
        free(s->v);
    }
    free(s);
}

static bool own(struct tr_cp_saved *s, struct tr_str *name)
{
    const char *copy = tr_arena_copy(s->names, name->s ? name->s : "", name->len);
    *name = (struct tr_str){ copy, name->len };
    return copy != NULL;
}

bool tr_cp_saved_add(struct tr_cp_saved *s, const struct tr_cp_member *m)
{
    struct tr_cp_member copy = *m;
    if (!tr_grow(&s->v, &s->cap, s->n + 1, sizeof *s->v) || !own(s, &copy.from.name) || !own(s, &copy.to.name))
        return false;
    s->v[s->n++] = copy;
    return true;
}

/* ---- this run ---- */

void tr_cp_finder_free(struct tr_cp_finder *f)
{
    if (f) {
        free(f->list);
        free(f->nth);
        free(f->on_path);
    }
    free(f);
}

static int64_t rank_of(const struct tr_critpath *c, uint32_t event)
{
    int64_t rank = c->dict->sources[cp_source(c, event)].rank;
    return rank < 0 ? TR_I64_NONE : rank;
}

struct tr_cp_finder *tr_cp_finder_new(const struct tr_critpath *c)
{
    struct tr_cp_finder *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->c = c;
    f->list = malloc((c->n + 1) * sizeof *f->list);
    f->nth = malloc((c->n + 1) * sizeof *f->nth);
    f->on_path = calloc(c->n_nodes + 1, 1);
    if (!f->list || !f->nth || !f->on_path) {
        tr_cp_finder_free(f);
        return NULL;
    }
    for (uint32_t e = 0; e < c->n; e++)
        if (cp_has_nodes(c, e))
            f->list[f->n++] = (struct named){ rank_of(c, e), c->name[e], e };
    if (f->n)
        qsort(f->list, f->n, sizeof *f->list, by_name);
    for (size_t i = 0, first = 0; i < f->n; i++) {
        const struct named *a = &f->list[first], *b = &f->list[i];
        first = a->rank == b->rank && a->name == b->name ? first : i;
        f->nth[b->event] = (uint32_t)(i - first);
    }
    for (size_t g = 0; g < c->n_groups; g++)
        for (uint32_t node = c->group_end[g]; node != CP_NONE; node = c->before[node])
            f->on_path[node] = 1;
    return f;
}

static struct tr_cp_moment moment_of(const struct tr_cp_finder *f, uint32_t node)
{
    const struct tr_critpath *c = f->c;
    uint32_t e = cp_event(c, node);
    return (struct tr_cp_moment){ .rank = rank_of(c, e),
                                  .name = tr_dict_text_if(c->dict, c->name[e]),
                                  .nth = f->nth[e],
                                  .side = cp_is_hub(c, node) ? TR_CP_ALL_CAME : node & 1 ? TR_CP_END : TR_CP_START };
}

enum tr_status tr_cp_members(const struct tr_cp_finder *f, size_t group, struct tr_cp_member **members, size_t *n,
                             struct tr_error *err)
{
    const struct tr_critpath *c = f->c;
    *n = 0;
    for (uint32_t node = c->group_end[group]; node != CP_NONE && c->before[node] != CP_NONE; node = c->before[node])
        ++*n;
    *members = malloc((*n + 1) * sizeof **members);
    if (!*members)
        return tr_fail_memory(err);
    uint32_t node = c->group_end[group];
    for (size_t i = *n; i-- > 0; node = c->before[node]) {
        const uint32_t from = c->before[node];
        const enum tr_cp_edge type = (enum tr_cp_edge)c->before_type[node];
        (*members)[i] = (struct tr_cp_member){ .from = moment_of(f, from),
                                               .to = moment_of(f, node),
                                               .place = i,
                                               .edge = (uint8_t)type,
                                               .bound = (uint8_t)tr__cp_bound(c, from, node, type),
                                               .weight = tr__cp_weight(c, from, node, type) };
    }
    return TR_OK;
}

/* ---- of another run ---- */

/* The moment when all have come to the collective of an event; CP_NONE: it is no member of one. */
static uint32_t all_came(const struct tr_critpath *c, uint32_t event)
{
    uint32_t from = cp_start(event);
    for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++)
        if (c->type[i] == TR_CP_ARRIVAL)
            return c->to[i];
    return CP_NONE;
}

static uint32_t node_of(const struct tr_cp_finder *f, const struct tr_cp_moment *m)
{
    const struct tr_critpath *c = f->c;
    uint32_t name = m->name.len ? tr_strtab_find(c->dict->strings, m->name.s, m->name.len) : TR_NO_STR;
    const struct named key = { m->rank, name, 0 };
    size_t at = 0;
    TR_BOUND(at, f->n, mid, by_name(&f->list[mid], &key) < 0);
    if ((m->name.len && name == TR_NO_STR) || m->nth >= f->n - at || f->list[at + m->nth].rank != m->rank ||
        f->list[at + m->nth].name != name)
        return CP_NONE;
    uint32_t event = f->list[at + m->nth].event;
    return m->side == TR_CP_ALL_CAME ? all_came(c, event) : m->side == TR_CP_END ? cp_end(event) : cp_start(event);
}

/* The edge between two nodes, of the same name if there are several; else the type that it had. */
static enum tr_cp_edge edge_between(const struct tr_critpath *c, uint32_t from, uint32_t to, enum tr_cp_edge type)
{
    enum tr_cp_edge found = type;
    bool any = false;
    for (uint32_t i = c->first[from]; i < c->first[from + 1]; i++)
        if (c->to[i] == to && c->type[i] != TR_CP_ORDER && (!any || c->type[i] == type)) {
            found = (enum tr_cp_edge)c->type[i];
            any = true;
        }
    return found;
}

struct tr_cp_found tr_cp_find(const struct tr_cp_finder *f, const struct tr_cp_member *m)
{
    const struct tr_critpath *c = f->c;
    uint32_t from = node_of(f, &m->from), to = node_of(f, &m->to);
    if (from == CP_NONE || to == CP_NONE)
        return (struct tr_cp_found){ .weight = TR_TIME_NONE };
    return (struct tr_cp_found){ tr__cp_weight(c, from, to, edge_between(c, from, to, (enum tr_cp_edge)m->edge)),
                                 f->on_path[from] && f->on_path[to] };
}
