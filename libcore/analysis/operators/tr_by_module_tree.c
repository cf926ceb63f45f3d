/* SPDX-License-Identifier: MIT */
/* What do modules cost?  As a tree, in which layers of one kind are one row. */
#include "analysis/operators/tr_by_operator_int.h"
#include "analysis/operators/tr_operator_keys_int.h"
#include "base/tr_strtab.h"

#include <stdlib.h>
#include <string.h>

#define BETWEEN " > "

/* A module of the tree: all modules with one path, but for numbers. */
struct node {
    uint32_t group, text; /* a number of texts */
    uint64_t depth, instances;
    int64_t host_self, device_self, device;
    int64_t whole;   /* device work of the group */
    uint64_t before; /* rows of the tree after it, and itself: the order */
};

#define OF(name) TR_OF(struct node, name)
static const struct tr_table_column columns[] = {
    { "module", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct node, text), .wide = true,
      .meaning = "module, after those around it; layers.* are all layers" },
    { "depth", TR_CELL_COUNT, TR_ROLE_MAX, OF(depth), .extra = true, .meaning = "modules around it" },
    { "instances", TR_CELL_COUNT, TR_ROLE_COUNT, OF(instances), .meaning = "modules that the row stands for" },
    { "host_self", TR_CELL_TIME, TR_ROLE_SUM, OF(host_self), .extra = true,
      .meaning = "host time in operators of the module itself, without operators inside them" },
    { "device_self", TR_CELL_TIME, TR_ROLE_SUM, OF(device_self), .main = true,
      .meaning = "sum of durations of the work of the module itself, and of no module inside it" },
    { "device", TR_CELL_TIME, TR_ROLE_INCLUSIVE, OF(device), .of = "device_self",
      .meaning = "the same with all modules inside it" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, OF(whole), .unit = "%", .of = "device_self",
      .meaning = "device_self as a share of all device work of the group" },
    { "before", TR_CELL_COUNT, TR_ROLE_COUNT, OF(before) }, /* in no table */
};
enum { N_COLUMNS = sizeof columns / sizeof *columns };

static bool name_of(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                    struct tr_str *text)
{
    const struct tr__by_operator *s = self;
    uint32_t number = ((const struct node *)row)->text;
    (void)is;
    (void)room;
    *text = (struct tr_str){ tr_strtab_get(s->texts, number), tr_strtab_len(s->texts, number) };
    return true;
}

static const struct tr_row_own own = { .text = name_of };
static const struct tr_row_type type = {
    .name = "modules",
    .size = sizeof(struct node),
    .key_size = offsetof(struct node, depth),
    .columns = columns,
    .n_columns = N_COLUMNS,
    .order = "before,module",
    .own = &own,
};

static void tree_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, columns, N_COLUMNS - 1);
}

/* ---- folding ---- */

/* Add a module without its number: "layers.*" of layers.0, "Block" of Block_3.  False: out of memory. */
static bool add_folded(struct tr_buf *out, struct tr_str part)
{
    size_t end = part.len;
    while (end && part.s[end - 1] >= '0' && part.s[end - 1] <= '9')
        end--;
    bool number = end < part.len && end > 1, layer = number && part.s[end - 1] == '.';
    if (!layer)
        end = number && part.s[end - 1] == '_' ? end - 1 : part.len;
    return tr_buf_add(out, part.s, end) && (!layer || tr_buf_add(out, "*", 1));
}

/* Room to go through the modules of a path. */
struct walk {
    struct tr_buf folded;
    struct tr_strtab *seen; /* a group and a path with its numbers, as far as this module */
    struct tr_buf key;
};

static struct node *node_of(struct tr__by_operator *s, uint32_t group, const struct tr_buf *name)
{
    const struct node key = { .group = group,
                              .text = tr_strtab_add(s->texts, (const char *)name->data, name->len) };
    return key.text == TR_NO_STR ? NULL : tr_rows_at(s->sums, &key);
}

/* Is it the first time that a group has this path?  False in *ok: out of memory. */
static bool is_new(struct walk *w, uint32_t group, const char *path, size_t len, bool *ok)
{
    size_t n = tr_strtab_count(w->seen);
    w->key.len = 0;
    *ok = tr_buf_add(&w->key, &group, sizeof group) && tr_buf_add(&w->key, path, len) &&
          tr_strtab_add(w->seen, (const char *)w->key.data, w->key.len) != TR_NO_STR;
    return *ok && tr_strtab_count(w->seen) > n;
}

/* Add an operator to all modules of its path, to the innermost one as its own.  False: out of memory. */
static bool add_path(struct tr__by_operator *s, struct walk *w, struct tr_str path, const struct tr_operator_row *r)
{
    bool ok = true;
    uint64_t depth = 0;
    w->folded.len = 0;
    for (size_t from = 0; ok && from < path.len; depth++) {
        const char *in = memchr(path.s + from, TR__MODULE_IN, path.len - from);
        size_t end = in ? (size_t)(in - path.s) : path.len;
        ok = (!from || tr_buf_add_str(&w->folded, BETWEEN)) &&
             add_folded(&w->folded, (struct tr_str){ path.s + from, end - from });
        struct node *n = ok ? node_of(s, r->key.group, &w->folded) : NULL;
        if (!n)
            return false;
        n->depth = depth;
        n->instances += is_new(w, r->key.group, path.s, end, &ok);
        n->device = tr_time_sum(n->device, r->device_self);
        if (end == path.len) {
            n->host_self = tr_time_sum(n->host_self, r->host_self);
            n->device_self = tr_time_sum(n->device_self, r->device_self);
        }
        from = end + 1;
    }
    return ok;
}

static bool add_outside(struct tr__by_operator *s, struct walk *w, const struct tr_operator_row *r)
{
    w->folded.len = 0;
    struct node *n = tr_buf_add_str(&w->folded, "(outside modules)") ? node_of(s, r->key.group, &w->folded) : NULL;
    if (!n)
        return false;
    if (r->key.name != TR_NO_STR)
        n->host_self = tr_time_sum(n->host_self, r->host_self);
    n->device_self = tr_time_sum(n->device_self, r->device_self);
    n->device = n->device_self;
    return true;
}

/* ---- the order: each module before those inside it, and the largest first ---- */

struct place {
    struct node *node;
    struct tr_str name;
    int64_t *costs; /* of the modules around it and itself, outermost first */
    struct tr_str *names;
    size_t n;
};

/* By the first module in which two paths differ. */
static int by_tree(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    if (a->node->group != b->node->group)
        return a->node->group < b->node->group ? -1 : 1;
    for (size_t i = 0; i < a->n && i < b->n; i++) {
        int order = tr_str_cmp(a->names[i], b->names[i]);
        if (order && a->costs[i] != b->costs[i])
            return a->costs[i] > b->costs[i] ? -1 : 1;
        if (order)
            return order;
    }
    return (a->n > b->n) - (a->n < b->n);
}

/* The modules around a module, and their costs.  False: out of memory. */
static bool place_of(struct tr__by_operator *s, struct node *n, struct place *p)
{
    *p = (struct place){ .node = n,
                         .name = { tr_strtab_get(s->texts, n->text), tr_strtab_len(s->texts, n->text) },
                         .costs = calloc((size_t)n->depth + 1, sizeof *p->costs),
                         .names = calloc((size_t)n->depth + 1, sizeof *p->names) };
    if (!p->costs || !p->names)
        return false;
    for (size_t i = 0, from = 0; i <= n->depth; i++) {
        size_t end = from;
        while (end < p->name.len && !(end + strlen(BETWEEN) <= p->name.len &&
                                      memcmp(p->name.s + end, BETWEEN, strlen(BETWEEN)) == 0))
            end++;
        const struct node key = { .group = n->group, .text = tr_strtab_find(s->texts, p->name.s, end) };
        const struct node *around = tr_rows_at(s->sums, &key);
        if (!around)
            return false;
        p->names[p->n] = (struct tr_str){ p->name.s, end };
        p->costs[p->n++] = around->device;
        from = end + strlen(BETWEEN);
    }
    return true;
}

static bool put_in_order(struct tr__by_operator *s)
{
    size_t n = tr_rows_count(s->sums);
    struct place *places = calloc(n + 1, sizeof *places);
    bool ok = places != NULL;
    for (size_t i = 0; ok && i < n; i++)
        ok = place_of(s, tr_rows_get(s->sums, i), &places[i]);
    if (ok)
        qsort(places, n, sizeof *places, by_tree);
    for (size_t i = 0; ok && i < n; i++)
        places[i].node->before = n - i;
    for (size_t i = 0; places && i < n; i++) {
        free(places[i].costs);
        free(places[i].names);
    }
    free(places);
    return ok;
}

/* ---- the run ---- */

static bool find_wholes(struct tr__by_operator *s, const struct tr_rows *rows)
{
    int64_t *wholes = calloc(tr_operators_groups(s->operators)->n_groups + 1, sizeof *wholes);
    for (size_t i = 0; wholes && i < tr_rows_count(rows); i++) {
        const struct tr_operator_row *r = tr_rows_get(rows, i);
        wholes[r->key.group] = tr_time_sum(wholes[r->key.group], r->device_self);
    }
    for (size_t i = 0; wholes && i < tr_rows_count(s->sums); i++) {
        struct node *n = tr_rows_get(s->sums, i);
        n->whole = wholes[n->group];
    }
    free(wholes);
    return wholes != NULL;
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct tr__by_operator *s = state;
    struct walk w = { .seen = tr_strtab_new() };
    enum tr_status st = w.seen ? tr__by_operator_complete(s, true, err) : tr_fail_memory(err);
    const struct tr_rows *rows = st == TR_OK ? tr__by_operator_rows(s) : NULL;
    bool ok = rows && (s->texts = tr_strtab_new()) &&
              (s->sums = tr_rows_new(&type, &s->in, tr_operators_groups(s->operators), true));
    if (ok)
        tr_rows_owner(s->sums, s);
    for (size_t i = 0; ok && i < tr_rows_count(rows); i++) {
        const struct tr_operator_row *r = tr_rows_get(rows, i);
        struct tr_str path = tr_operators_text(s->operators, r->key.module);
        if (!tr__by_operator_hides(s, r))
            ok = path.s ? add_path(s, &w, path, r) : add_outside(s, &w, r);
    }
    s->n_shown = ok ? tr_rows_count(s->sums) : 0;
    ok = ok && find_wholes(s, rows) && put_in_order(s);
    tr_strtab_free(w.seen);
    tr_buf_free(&w.folded);
    tr_buf_free(&w.key);
    return st != TR_OK ? st : ok ? TR_OK : tr_fail_memory(err);
}

static struct tr_rows *modules(void *state)
{
    return ((struct tr__by_operator *)state)->sums;
}

static const struct tr_operator_options defaults = { .by = TR_OPERATOR_TREE };

const struct tr_analysis tr_analysis_module_tree = {
    .name = "module-tree",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "module", .y = { "device" }, .facet = "rank" },
    .question = "Which parts of the model cost most on the devices, layer by layer?",
    .nothing = "no operator and no device work is selected",
    .groups = TR__BY_OPERATOR_GROUPS,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr__by_operator_settings, defaults),
    .more = tr__by_operator_needs,
    .columns = tree_columns,
    .state_size = sizeof(struct tr__by_operator),
    .start = tr__by_operator_start,
    .feed = tr__by_operator_feed,
    .complete = complete,
    .rows = modules,
    .finish = tr__by_operator_finish,
    .free = tr__by_operator_free,
    .saving = &tr__by_operator_saving,
};
