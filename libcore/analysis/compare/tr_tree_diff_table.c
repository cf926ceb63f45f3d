/* SPDX-License-Identifier: MIT */
/* Call trees of two runs: the tables. */
#include "analysis/compare/tr_tree_diff_int.h"

#include "base/tr_interval.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_time.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY(array) (array), sizeof(array) / sizeof *(array)
/* A list of names has at most this many. */
#define MAX_NAMES 8u
/* A line of the merged tree is indented by at most so many levels: deeper trees would take quadratic space. */
#define INDENTED 64u

static const struct tr_table_column point_columns[] = {
    { "change", TR_CELL_STRING, TR_ROLE_KEY,
      .meaning = "differs: a run has children that the other has not; renamed: two names opposite each other; "
                 "equal: all the rest" },
    { "points", TR_CELL_COUNT, TR_ROLE_COUNT,
      .meaning = "number of such points; equal: of kernels, copies and memsets" },
    { "base_work", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true, .meaning = "of the base: kernels, copies and memsets" },
    { "test_work", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true, .meaning = "of the test: kernels, copies and memsets" },
    { "base", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "of the base: sum of the durations of this work" },
    { "test", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "of the test: sum of the durations of this work" },
    { "diff", TR_CELL_TIME, TR_ROLE_DIFFERENCE, .of = "test", .per = "base", .main = true,
      .meaning = "test less base" },
    { "base_busy", TR_CELL_TIME, TR_ROLE_SUM, .extra = true,
      .meaning = "of the base: time in which this work runs, per point" },
    { "test_busy", TR_CELL_TIME, TR_ROLE_SUM, .extra = true,
      .meaning = "of the test: time in which this work runs, per point" },
    { "base_below", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .extra = true,
      .meaning = "of the base: durations of all device work below the point" },
    { "test_below", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .extra = true,
      .meaning = "of the test: durations of all device work below the point" },
    { "base_only", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
      .meaning = "names that only the base has there: operators, or kernels that the point launches" },
    { "test_only", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .meaning = "names that only the test has there" },
    { "place", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .label = true,
      .meaning = "the point: names from the outermost operator inwards" },
};

static const struct tr_table_column kernel_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, .quiet = TR_QUIET_SAME, .meaning = "rank of the base, or of the test" },
    { "run", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "base or test" },
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, .meaning = "index of the device work in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .main = true, .meaning = "its duration" },
    { "point", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true,
      .meaning = "node of its point of difference in the merged tree" },
    { "point_busy", TR_CELL_TIME, TR_ROLE_QUANTILE,
      .meaning = "time in which work of this point and run is active" },
    { "operator_record", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "index of the operator in its file" },
    { "shapes", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true, .meaning = "shapes of its arguments" },
    { "dtypes", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true, .meaning = "their types" },
    { "strides", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true, .meaning = "their strides" },
    { "args", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .extra = true, .meaning = "values of other arguments" },
    { "operator", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "innermost operator around its launch" },
    { "place", TR_CELL_STRING, TR_ROLE_TEXT, .names = true,
      .meaning = "the point of difference, or the matched work itself; two names that differ have ' | ' between" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "kernel, copy or memset" },
};

static const struct tr_table_column pair_columns[] = {
    { "run", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "who has it: both, base or test" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "how often these names stand opposite each other" },
    { "base", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .meaning = "of the base: durations of the device work below them" },
    { "test", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .meaning = "of the test: durations of the device work below them" },
    { "diff", TR_CELL_TIME, TR_ROLE_DIFFERENCE, .of = "test", .per = "base", .main = true,
      .meaning = "test less base" },
    { "base_name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .label = true, .meaning = "name in the base" },
    { "test_name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .meaning = "name in the test" },
};

static const struct tr_table_column node_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, .quiet = TR_QUIET_SAME, .meaning = "rank of the base, or of the test" },
    { "node", TR_CELL_COUNT, TR_ROLE_KEY, .extra = true, .meaning = "number of the node, from 0" },
    { "depth", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "nodes above it" },
    { "run", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true, .meaning = "who has it: both, base or test" },
    { "base_record", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "index in the file of the base" },
    { "test_record", TR_CELL_COUNT, TR_ROLE_TEXT, .extra = true, .meaning = "index in the file of the test" },
    { "base", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .meaning = "of the base: durations of the device work below it" },
    { "test", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .meaning = "of the test: durations of the device work below it" },
    { "base_name", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .extra = true, .meaning = "name in the base" },
    { "test_name", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .extra = true, .meaning = "name in the test" },
    { "tree", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true,
      .meaning = "- base only, + test only, ! two names; then the name, two blanks further for each depth" },
};

void tr_tree_diff_columns(enum tr_tree_diff_view view, struct tr_table *t)
{
    static const struct {
        const struct tr_table_column *columns;
        size_t n;
    } of[TR_N_TREE_DIFF] = { { ARRAY(point_columns) },
                             { ARRAY(kernel_columns) },
                             { ARRAY(pair_columns) },
                             { ARRAY(node_columns) } };
    tr_table_columns(t, of[view].columns, of[view].n);
    if (view == TR_TREE_DIFF_POINT)
        tr_table_order(t, "diff:size,base:size,place:asc,base_only:asc,test_only:asc");
    else if (view == TR_TREE_DIFF_PAIR)
        tr_table_order(t, "diff:size,count:desc,base_name:asc,test_name:asc");
}

/* ---- rows of points and pairs ---- */

struct work {
    uint64_t n, busy;
    int64_t dur, below;
};

struct row {
    uint32_t change, place, only[2]; /* texts; of a pair only: names, or TR_NO_STR */
    uint64_t count;
    struct work work[2];
};

struct span {
    int64_t start, end;
};

struct rows {
    struct tr_tree_diff *d;
    struct tr_table *t;
    struct tr_strtab *texts;
    struct row *rows;
    size_t n, cap;
    struct tr_hash_index index;
    struct span *spans;
    size_t n_spans, cap_spans;
    struct tr_buf text;
    uint32_t *operators[2]; /* by node of a side, what operator_of has found */
};

static struct row *row_of(struct rows *r, const uint32_t key[4])
{
    uint64_t hash = tr_hash(key, 4 * sizeof *key);
    struct tr_hash_walk walk = tr_hash_index_walk(&r->index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;) {
        const struct row *x = &r->rows[i];
        if (x->change == key[0] && x->place == key[1] && x->only[0] == key[2] && x->only[1] == key[3])
            return &r->rows[i];
    }
    if (!tr_grow(&r->rows, &r->cap, r->n + 1, sizeof *r->rows) || !tr_hash_index_add(&r->index, hash, (uint32_t)r->n))
        return NULL;
    r->rows[r->n] = (struct row){ key[0], key[1], { key[2], key[3] }, 0, { { 0 }, { 0 } } };
    return &r->rows[r->n++];
}

static struct tr_str name_of(const struct tr_tree_diff *d, const struct tr__tree_node *node)
{
    return (struct tr_str){ tr_strtab_get(d->texts, node->name), tr_strtab_len(d->texts, node->name) };
}

static const struct tr__tree_node *node_of(const struct tr__tree_walk *w, size_t depth, int side)
{
    uint32_t node = w->frames[depth].is.node[side];
    return node == TR__NO_NODE ? NULL : tr__tree_node(w->d, side, node);
}

/* ---- work that is on one side only ---- */

static bool add_span(struct rows *r, const struct tr__tree_node *work)
{
    if (!tr_grow(&r->spans, &r->cap_spans, r->n_spans + 1, sizeof *r->spans))
        return false;
    r->spans[r->n_spans++] = (struct span){ work->ts, tr_time_sum(work->ts, work->dur) };
    return true;
}

TR_ORDER(by_start, struct span, TR_UP(start))

/* The length of the union of the collected spans, which are then forgotten. */
static uint64_t take_busy(struct rows *r)
{
    struct tr_union busy = TR_UNION_INIT;
    if (r->n_spans)
        qsort(r->spans, r->n_spans, sizeof *r->spans, by_start);
    for (size_t i = 0; i < r->n_spans; i++)
        tr_union_add(&busy, r->spans[i].start, r->spans[i].end);
    r->n_spans = 0;
    return busy.sum_ns;
}

/* The next node of a tree, parents first; TR__NO_NODE: there is none. */
static uint32_t next_below(const struct tr__tree_node *nodes, uint32_t root, uint32_t node)
{
    if (nodes[node].first != TR__NO_NODE)
        return nodes[node].first;
    while (node != root && nodes[node].next == TR__NO_NODE)
        node = nodes[node].parent;
    return node == root ? TR__NO_NODE : nodes[node].next;
}

/* A list of distinct names, as a text. */
struct names {
    uint32_t seen[MAX_NAMES];
    size_t n;
    bool cut;
};

static bool list_name(struct rows *r, struct names *names, const struct tr__tree_node *node)
{
    for (size_t i = 0; i < names->n; i++)
        if (names->seen[i] == node->name)
            return true;
    if (names->cut)
        return true;
    bool ok = !r->text.len || tr_buf_add_str(&r->text, ", ");
    if (names->n == MAX_NAMES) {
        names->cut = true;
        return ok && tr_buf_add_str(&r->text, "...");
    }
    names->seen[names->n++] = node->name;
    struct tr_str name = name_of(r->d, node);
    return ok && tr_buf_add(&r->text, name.s, name.len);
}

/* Names and work of the children that only one run has.  *only: their names as a text. */
static bool one_sided(struct rows *r, const struct tr__tree_frame *f, int side, struct work *work, uint32_t *only)
{
    const struct tr__tree_node *nodes = r->d->sides[side].nodes;
    struct names names = { .n = 0 };
    bool ok = true;
    r->text.len = 0;
    for (size_t i = 0; ok && i < f->children.n; i++) {
        uint32_t child = f->children.pairs[i].node[side];
        if (child == TR__NO_NODE || f->children.pairs[i].node[!side] != TR__NO_NODE || !nodes[child].works)
            continue;
        if (nodes[child].kind != TR__TREE_CALL)
            ok = list_name(r, &names, &nodes[child]);
        for (uint32_t k = child; ok && k != TR__NO_NODE; k = next_below(nodes, child, k)) {
            if (nodes[k].kind != TR__TREE_WORK)
                continue;
            ok = add_span(r, &nodes[k]) &&
                 (nodes[child].kind != TR__TREE_CALL || list_name(r, &names, &nodes[k]));
        }
        work->n += nodes[child].works;
        work->dur = tr_time_sum(work->dur, nodes[child].dur);
    }
    work->busy += take_busy(r);
    *only = ok ? tr_strtab_add(r->texts, r->text.len ? (const char *)r->text.data : "", r->text.len) : TR_NO_STR;
    return *only != TR_NO_STR;
}

/* ---- names of places ---- */

/* The name of a frame, or both of a matched pair. */
static bool add_frame_name(struct rows *r, const struct tr__tree_walk *w, size_t depth)
{
    const struct tr__tree_node *base = node_of(w, depth, 0), *test = node_of(w, depth, 1);
    struct tr_str name = name_of(r->d, base ? base : test);
    bool ok = tr_buf_add(&r->text, name.s, name.len);
    if (ok && tr__tree_renamed(r->d, &w->frames[depth].is)) {
        name = name_of(r->d, test);
        ok = tr_buf_add_str(&r->text, " | ") && tr_buf_add(&r->text, name.s, name.len);
    }
    return ok;
}

/* The names from the root to a frame, as a text.  TR_NO_STR: out of memory. */
static uint32_t place_of(struct rows *r, const struct tr__tree_walk *w, size_t depth)
{
    bool ok = true;
    r->text.len = 0;
    for (size_t k = 1; ok && k <= depth; k++)
        ok = (k == 1 || tr_buf_add_str(&r->text, " > ")) && add_frame_name(r, w, k);
    return ok ? tr_strtab_add(r->texts, r->text.len ? (const char *)r->text.data : "", r->text.len) : TR_NO_STR;
}

static uint32_t text_id(struct rows *r, struct tr_str text)
{
    return tr_strtab_add(r->texts, text.len ? text.s : "", text.len);
}

/* ---- points ---- */

static bool add_point(struct rows *r, const uint32_t key[4], const struct work work[2])
{
    struct row *row = NULL;
    for (int k = 0; k < 4; k++)
        if (key[k] == TR_NO_STR)
            return false;
    if (!(row = row_of(r, key)))
        return false;
    row->count++;
    for (int side = 0; side < 2; side++) {
        row->work[side].n += work[side].n;
        row->work[side].busy += work[side].busy;
        row->work[side].dur = tr_time_sum(row->work[side].dur, work[side].dur);
        row->work[side].below = tr_time_sum(row->work[side].below, work[side].below);
    }
    return true;
}

static bool visit_differs(struct rows *r, struct tr__tree_walk *w)
{
    struct work work[2] = { { 0 }, { 0 } };
    uint32_t key[4] = { text_id(r, tr_str_of("differs")), 0, 0, 0 };
    for (int side = 0; side < 2; side++) {
        const struct tr__tree_node *node = w->depth ? node_of(w, w->depth, side) : NULL;
        if (!one_sided(r, &w->frames[w->depth], side, &work[side], &key[2 + side]))
            return false;
        work[side].below = node ? node->dur : 0;
        w->frames[w->depth].busy[side] = work[side].busy;
    }
    if (r->d->view != TR_TREE_DIFF_POINT || (!work[0].n && !work[1].n))
        return true;
    key[1] = place_of(r, w, w->depth);
    return add_point(r, key, work);
}

/* A matched pair of different names, or of work. */
static bool visit_matched(struct rows *r, struct tr__tree_walk *w)
{
    const struct tr__tree_node *node[2] = { node_of(w, w->depth, 0), node_of(w, w->depth, 1) };
    bool renamed = tr__tree_renamed(r->d, &w->frames[w->depth].is), is_work = node[0]->kind == TR__TREE_WORK;
    struct work work[2] = { { 0 }, { 0 } };
    if (!renamed && !is_work)
        return true;
    for (int side = 0; side < 2; side++) {
        work[side].below = node[side]->dur;
        if (is_work)
            work[side] = (struct work){ 1, (uint64_t)node[side]->dur, node[side]->dur, node[side]->dur };
    }
    if (!renamed) {
        uint32_t empty = text_id(r, tr_str_of("")), key[4] = { text_id(r, tr_str_of("equal")), empty, empty, empty };
        return add_point(r, key, work);
    }
    uint32_t key[4] = { text_id(r, tr_str_of("renamed")), place_of(r, w, w->depth - 1),
                        text_id(r, name_of(r->d, node[0])), text_id(r, name_of(r->d, node[1])) };
    return add_point(r, key, work);
}

static enum tr_status visit_point(struct tr__tree_walk *w, struct tr_error *err)
{
    struct rows *r = w->self;
    const struct tr__tree_frame *f = &w->frames[w->depth];
    bool ok = !f->differs || visit_differs(r, w);
    if (ok && w->depth && f->is.node[0] != TR__NO_NODE && f->is.node[1] != TR__NO_NODE)
        ok = visit_matched(r, w);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- device work ---- */

static void put_rank(struct tr_table *t, int64_t rank)
{
    if (rank < 0)
        tr_table_absent(t);
    else
        tr_table_int(t, rank);
}

static struct tr_str text_at(const struct tr_tree_diff *d, uint32_t text)
{
    if (text == TR_NO_STR)
        return tr_str_of(NULL);
    return (struct tr_str){ tr_strtab_get(d->texts, text), tr_strtab_len(d->texts, text) };
}

/*
 * The innermost operator above a node; NULL: there is none.  What is found is kept for all nodes on the way, since
 * calls can be nested as deep as there are calls.
 */
static const struct tr__tree_node *operator_of(const struct rows *r, int side, const struct tr__tree_node *of)
{
    enum { NONE_ABOVE = 1, FIRST }; /* 0: not looked for yet; from FIRST on: numbers of nodes */
    uint32_t *known = r->operators[side], found, from = (uint32_t)(of - r->d->sides[side].nodes);
    uint32_t n = from;
    while (n != TR__NO_NODE && !known[n] && tr__tree_node(r->d, side, n)->kind != TR__TREE_OPERATOR)
        n = tr__tree_node(r->d, side, n)->parent;
    if (n == TR__NO_NODE)
        found = NONE_ABOVE;
    else
        found = known[n] ? known[n] : n + FIRST;
    for (n = from; n != TR__NO_NODE && !known[n] && n + FIRST != found; n = tr__tree_node(r->d, side, n)->parent)
        known[n] = found;
    return found == NONE_ABOVE ? NULL : tr__tree_node(r->d, side, found - FIRST);
}

static bool put_kernel(struct rows *r, const struct tr__tree_walk *w, int side)
{
    const struct tr__tree_frame *f = &w->frames[w->depth], *point = &w->frames[f->point];
    const struct tr__tree_node *node = node_of(w, w->depth, side), *op = operator_of(r, side, node);
    static const struct tr__tree_args none = { { TR_NO_STR, TR_NO_STR, TR_NO_STR, TR_NO_STR } };
    const struct tr__tree_args *args = op && op->args ? &r->d->args[op->args - 1] : &none;
    bool itself = f->point == w->depth;
    put_rank(r->t, w->rank);
    tr_table_string(r->t, side ? "test" : "base");
    tr_table_count(r->t, node->record);
    tr_table_time(r->t, node->dur);
    if (f->point)
        tr_table_count(r->t, point->id);
    else
        tr_table_absent(r->t);
    tr_table_time(r->t, itself ? node->dur : (int64_t)point->busy[side]);
    if (op)
        tr_table_count(r->t, op->record);
    else
        tr_table_absent(r->t);
    for (int k = 0; k < TR__TREE_N_ARGS; k++)
        tr_table_text(r->t, text_at(r->d, args->text[k]));
    tr_table_text(r->t, op ? name_of(r->d, op) : tr_str_of(NULL));
    r->text.len = 0;
    if (f->point && !add_frame_name(r, w, f->point))
        return false;
    tr_table_bytes(r->t, r->text.len ? (const char *)r->text.data : "", r->text.len);
    tr_table_text(r->t, name_of(r->d, node));
    return true;
}

static enum tr_status visit_kernel(struct tr__tree_walk *w, struct tr_error *err)
{
    struct rows *r = w->self;
    bool ok = !w->frames[w->depth].differs || visit_differs(r, w);
    for (int side = 0; ok && side < 2 && w->depth; side++) {
        const struct tr__tree_node *node = node_of(w, w->depth, side);
        ok = !node || node->kind != TR__TREE_WORK || put_kernel(r, w, side);
    }
    return ok ? tr_table_status(r->t, err) : tr_fail_memory(err);
}

/* ---- pairs ---- */

static enum tr_status visit_pair(struct tr__tree_walk *w, struct tr_error *err)
{
    struct rows *r = w->self;
    uint32_t key[4] = { 0, 0, TR_NO_STR, TR_NO_STR };
    if (!w->depth)
        return TR_OK;
    for (int side = 0; side < 2; side++)
        if (node_of(w, w->depth, side))
            key[2 + side] = node_of(w, w->depth, side)->name;
    struct row *row = row_of(r, key);
    if (!row)
        return tr_fail_memory(err);
    row->count++;
    for (int side = 0; side < 2; side++)
        if (node_of(w, w->depth, side))
            row->work[side].dur = tr_time_sum(row->work[side].dur, node_of(w, w->depth, side)->dur);
    return TR_OK;
}

static const char *who(bool base, bool test)
{
    return base && test ? "both" : base ? "base" : "test";
}

static void put_pair(struct rows *r, const struct row *row)
{
    tr_table_string(r->t, who(row->only[0] != TR_NO_STR, row->only[1] != TR_NO_STR));
    tr_table_count(r->t, row->count);
    tr_table_time(r->t, row->work[0].dur);
    tr_table_time(r->t, row->work[1].dur);
    tr_table_time(r->t, tr_time_diff(row->work[1].dur, row->work[0].dur));
    tr_table_text(r->t, text_at(r->d, row->only[0]));
    tr_table_text(r->t, text_at(r->d, row->only[1]));
}

static void put_point(struct rows *r, const struct row *row)
{
    const struct work *base = &row->work[0], *test = &row->work[1];
    tr_table_string(r->t, tr_strtab_get(r->texts, row->change));
    tr_table_count(r->t, row->count);
    tr_table_count(r->t, base->n);
    tr_table_count(r->t, test->n);
    tr_table_time(r->t, base->dur);
    tr_table_time(r->t, test->dur);
    tr_table_time(r->t, tr_time_diff(test->dur, base->dur));
    tr_table_time(r->t, (int64_t)base->busy);
    tr_table_time(r->t, (int64_t)test->busy);
    tr_table_time(r->t, base->below);
    tr_table_time(r->t, test->below);
    for (int side = 0; side < 2; side++)
        tr_table_bytes(r->t, tr_strtab_get(r->texts, row->only[side]), tr_strtab_len(r->texts, row->only[side]));
    tr_table_bytes(r->t, tr_strtab_get(r->texts, row->place), tr_strtab_len(r->texts, row->place));
}

/* ---- the merged tree ---- */

static enum tr_status visit_node(struct tr__tree_walk *w, struct tr_error *err)
{
    struct rows *r = w->self;
    const struct tr__tree_node *node[2];
    if (!w->depth)
        return TR_OK;
    node[0] = node_of(w, w->depth, 0);
    node[1] = node_of(w, w->depth, 1);
    bool renamed = tr__tree_renamed(r->d, &w->frames[w->depth].is);
    put_rank(r->t, w->rank);
    tr_table_count(r->t, w->frames[w->depth].id);
    tr_table_count(r->t, w->depth - 1);
    tr_table_string(r->t, who(node[0], node[1]));
    for (int side = 0; side < 2; side++)
        if (node[side])
            tr_table_count(r->t, node[side]->record);
        else
            tr_table_absent(r->t);
    for (int side = 0; side < 2; side++)
        tr_table_time(r->t, node[side] ? node[side]->dur : 0);
    for (int side = 0; side < 2; side++)
        tr_table_text(r->t, node[side] ? name_of(r->d, node[side]) : tr_str_of(NULL));
    r->text.len = 0;
    bool ok = tr_buf_add_str(&r->text, renamed ? "! " : !node[1] ? "- " : !node[0] ? "+ " : "  ");
    for (size_t k = 1; ok && k < w->depth && k <= INDENTED; k++)
        ok = tr_buf_add_str(&r->text, "  ");
    if (!ok || !add_frame_name(r, w, w->depth))
        return tr_fail_memory(err);
    tr_table_bytes(r->t, (const char *)r->text.data, r->text.len);
    return tr_table_status(r->t, err);
}

enum tr_status tr_tree_diff_table(struct tr_tree_diff *d, struct tr_table *t, struct tr_error *err)
{
    static enum tr_status (*const visits[TR_N_TREE_DIFF])(struct tr__tree_walk *, struct tr_error *) = {
        visit_point, visit_kernel, visit_pair, visit_node
    };
    struct rows r = { .d = d, .t = t, .texts = tr_strtab_new() };
    struct tr__tree_walk w = { .d = d, .self = &r, .visit = visits[d->view] };
    bool ok = r.texts != NULL;
    for (int side = 0; ok && side < 2 && d->view == TR_TREE_DIFF_KERNEL; side++)
        ok = (r.operators[side] = calloc(d->sides[side].n + 1, sizeof *r.operators[side])) != NULL;
    enum tr_status st = ok ? tr__tree_walk(&w, err) : tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < r.n; i++) {
        if (d->view == TR_TREE_DIFF_PAIR)
            put_pair(&r, &r.rows[i]);
        else
            put_point(&r, &r.rows[i]);
        st = tr_table_status(t, err);
    }
    tr_strtab_free(r.texts);
    tr_hash_index_free(&r.index);
    tr_buf_free(&r.text);
    free(r.rows);
    free(r.spans);
    free(r.operators[0]);
    free(r.operators[1]);
    return st;
}
