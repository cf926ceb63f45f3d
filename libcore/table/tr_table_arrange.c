/* SPDX-License-Identifier: MIT */
/* The arrangement of a table: its columns, the order of its rows, and their number. */
#include "table/tr_table_int.h"

#include "base/tr_near.h"
#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum tr_status tr_table_arrange(struct tr_table *t, const struct tr_arrange *a, struct tr_error *err)
{
    t->arrange = *a;
    t->arranged = true;
    t->cut = a->top > 0;
    if (a->columns)
        t->arrange.columns = tr_arena_copy(t->texts, a->columns, strlen(a->columns) + 1);
    if (a->sort)
        t->arrange.sort = tr_arena_copy(t->texts, a->sort, strlen(a->sort) + 1);
    if (a->top_per)
        t->arrange.top_per = tr_arena_copy(t->texts, a->top_per, strlen(a->top_per) + 1);
    bool ok = (!a->columns || t->arrange.columns) && (!a->sort || t->arrange.sort) &&
              (!a->top_per || t->arrange.top_per);
    return ok ? TR_OK : tr_fail_memory(err);
}

uint64_t tr_table_take_top(struct tr_table *t, const char **per)
{
    *per = t->arrange.top_per;
    uint64_t top = t->arrange.sort ? 0 : t->arrange.top;
    if (top)
        t->arrange.top = 0;
    return top;
}

/* ---- which columns ---- */

/* "there is no column 'x': there are a, b, c", as far as it fits. */
static enum tr_status no_such(const struct tr_table *t, const char *s, size_t len, struct tr_error *err)
{
    struct tr_near near = { .word = s, .len = len };
    char all[400] = "", hint[TR_NEAR_TEXT];
    size_t n = 0;
    for (size_t c = 0; c < t->n_cols; c++) {
        tr_near_try(&near, t->cols[c].printed);
        tr_near_try(&near, t->cols[c].is.name);
    }
    for (size_t c = 0; c < t->n_cols; c++) {
        size_t more = strlen(t->cols[c].printed) + 2;
        if (t->cols[c].is.rare)
            continue;
        if (n + more + 4 > sizeof all) {
            memcpy(all + n, ", ...", 6);
            break;
        }
        size_t comma = n ? 2 : 0;
        memcpy(all + n, ", ", comma);
        n += comma;
        memcpy(all + n, t->cols[c].printed, more - 1);
        n += more - 2;
    }
    return tr_fail(err, TR_USAGE, "there is no column '%.*s'%s: there are %s", (int)(len < 80 ? len : 80), s,
                   tr_near_text(&near, hint), all);
}

static enum tr_status choose(struct tr_table *t, struct tr_error *err)
{
    const char *list = t->arrange.columns;
    if (!list || strcmp(list, "all") == 0) {
        for (size_t c = 0; c < t->n_cols; c++)
            if (!t->cols[c].is.rare)
                t->shown[t->n_shown++] = c;
        return TR_OK;
    }
    while (*list) {
        size_t len = strcspn(list, ","), c = tr__find_column(t, list, len);
        if (c == SIZE_MAX)
            return no_such(t, list, len, err);
        if (t->n_shown == t->n_cols)
            return tr_fail(err, TR_USAGE, "a column is named twice");
        t->shown[t->n_shown++] = c;
        list += len;
        list += *list == ',';
    }
    return t->n_shown ? TR_OK : tr_fail(err, TR_USAGE, "no column is named");
}

void tr_table_show(struct tr_table *t, const char *name)
{
    size_t c = tr__find_column(t, name, strlen(name));
    if (c == SIZE_MAX || !t->cols[c].is.rare)
        return;
    t->cols[c].is.rare = false;
    if (!t->ready)
        return;
    t->n_shown = 0;
    if (choose(t, &t->err) != TR_OK)
        t->ready = false;
}

/* One more column to order by, "name:how" of len characters. */
static enum tr_status add_order(struct tr_table *t, const char *s, size_t len, struct tr_error *err)
{
    const char *colon = memchr(s, ':', len);
    size_t n = colon ? (size_t)(colon - s) : len, c = tr__find_column(t, s, n);
    if (c == SIZE_MAX)
        return no_such(t, s, n, err);
    struct tr_str how = { colon, len - n };
    enum tr_column_role role = t->cols[c].is.role;
    bool number = tr_cell_is_number(t->cols[c].is.type);
    bool desc = number && role != TR_ROLE_GROUP && role != TR_ROLE_KEY;
    struct tr__order *o = &t->sort[t->n_sort];
    *o = (struct tr__order){ c, desc ? TR__DESC : TR__ASC };
    if (colon && tr_str_is(how, ":desc"))
        o->how = TR__DESC;
    else if (colon && tr_str_is(how, ":asc"))
        o->how = TR__ASC;
    else if (colon && s != t->arrange.sort && tr_str_is(how, ":size"))
        o->how = TR__SIZE;
    else if (colon)
        return tr_fail(err, TR_USAGE, "'%.40s' is not :asc or :desc", colon);
    t->n_sort++;
    return TR_OK;
}

/* The user's column first, then those of the table. */
static enum tr_status choose_order(struct tr_table *t, struct tr_error *err)
{
    const char *sort = t->arrange.sort, *own = t->own_order;
    enum tr_status st = sort ? add_order(t, sort, strlen(sort), err) : TR_OK;
    while (own && *own && st == TR_OK && t->n_sort < TR__MAX_ORDER) {
        size_t len = strcspn(own, ",");
        st = add_order(t, own, len, err);
        own += len;
        own += *own == ',';
    }
    return st;
}

/* Set the columns that identify rows: groups, then keys.  False: out of memory. */
static bool find_keys(struct tr_table *t)
{
    free(t->keys);
    t->n_keys = 0;
    t->keys = calloc(t->n_cols + 1, sizeof *t->keys);
    for (size_t c = 0; t->keys && c < t->n_cols; c++)
        if (t->cols[c].is.role == TR_ROLE_GROUP)
            t->keys[t->n_keys++] = c;
    t->n_group = t->n_keys;
    for (size_t c = 0; t->keys && c < t->n_cols; c++)
        if (t->cols[c].is.role == TR_ROLE_KEY)
            t->keys[t->n_keys++] = c;
    return t->keys != NULL;
}

/* The column that --top-per names. */
static enum tr_status find_top_per(struct tr_table *t, struct tr_error *err)
{
    const char *name = t->arrange.top_per;
    t->top_per = name ? tr__find_column(t, name, strlen(name)) : SIZE_MAX;
    return name && t->top_per == SIZE_MAX ? no_such(t, name, strlen(name), err) : TR_OK;
}

/* An option without effect is refused, because the user expects an effect. */
static enum tr_status check_meaning(const struct tr_table *t, struct tr_error *err)
{
    bool names = false, times = false, bytes = false;
    for (size_t c = 0; c < t->n_cols; c++) {
        names |= t->cols[c].is.names;
        times |= t->cols[c].is.type == TR_CELL_TIME || t->cols[c].is.times;
        bytes |= tr__is_bytes(&t->cols[c].is);
    }
    if (t->arrange.shorten && !names)
        return tr_fail(err, TR_USAGE, "--short-names: the table has no names");
    if (t->arrange.has_unit && !times)
        return tr_fail(err, TR_USAGE, "--unit: the table has no times");
    if (t->arrange.human && !bytes)
        return tr_fail(err, TR_USAGE, "--human: the table has no bytes");
    if (t->arrange.human && t->sink && t->sink != &tr_row_sink_text)
        return tr_fail(err, TR_USAGE, "--human is for people: it goes with -O text");
    if (t->arrange.csv_safe && t->sink && t->sink != &tr_row_sink_csv_safe)
        return tr_fail(err, TR_USAGE, "--csv-safe goes with -O csv");
    return TR_OK;
}

enum tr_status tr_table_ready(struct tr_table *t, struct tr_error *err)
{
    if (t->ready)
        return TR_OK;
    if (tr_table_status(t, err) != TR_OK)
        return t->err.status;
    free(t->shown); /* of a call that failed */
    t->n_shown = t->n_sort = 0;
    t->shown = calloc(t->n_cols + 1, sizeof *t->shown);
    enum tr_status st = t->shown && find_keys(t) ? choose(t, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = choose_order(t, err);
    if (st == TR_OK)
        st = find_top_per(t, err);
    if (st == TR_OK)
        st = check_meaning(t, err);
    t->ready = st == TR_OK;
    return st;
}

/* ---- the order of rows ---- */

static uint64_t size_of(enum tr_cell type, const struct tr__cell *x)
{
    return type == TR_CELL_COUNT ? x->v.u : x->v.i < 0 ? 0 - (uint64_t)x->v.i : (uint64_t)x->v.i;
}

/* By the largest absolute value; a value that does not fit is the largest. */
static int compare_size(enum tr_cell type, const struct tr__cell *x, const struct tr__cell *y)
{
    if (x->absent || y->absent)
        return y->absent - x->absent;
    if (type == TR_CELL_RATIO || type == TR_CELL_DOUBLE)
        return (fabs(x->v.d) < fabs(y->v.d)) - (fabs(x->v.d) > fabs(y->v.d));
    uint64_t p = size_of(type, x), q = size_of(type, y);
    return (p < q) - (p > q);
}

/* Of two rows by one column, absent cells last. */
static int compare_by(const struct tr_table *t, const struct tr__order *o, size_t a, size_t b)
{
    enum tr_cell type = t->cols[o->by].is.type;
    const struct tr__cell *x = tr__cell_of(t, a, o->by), *y = tr__cell_of(t, b, o->by);
    if (o->how == TR__SIZE)
        return compare_size(type, x, y);
    if (x->absent || y->absent)
        return x->absent - y->absent;
    int c = tr__compare(type, t, x, t, y);
    return o->how == TR__DESC ? -c : c;
}

/* Does row a come after row b?  by_key: by group and key. */
static bool comes_after(const struct tr_table *t, bool by_key, size_t a, size_t b)
{
    int order = 0;
    if (by_key)
        return tr__compare_keys(t, a, t, b, 0, t->n_keys) > 0;
    for (size_t i = 0; i < t->n_sort && !order; i++)
        order = compare_by(t, &t->sort[i], a, b);
    return order > 0;
}

/* Merge sort: it is stable, and qsort has no parameter for the table. */
static void sort_rows(const struct tr_table *t, bool by_key, size_t *rows, size_t *scratch, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, k = half, to = 0;
    sort_rows(t, by_key, rows, scratch, half);
    sort_rows(t, by_key, rows + half, scratch, n - half);
    if (!comes_after(t, by_key, rows[half - 1], rows[half]))
        return; /* in order already */
    while (i < half && k < n)
        scratch[to++] = comes_after(t, by_key, rows[i], rows[k]) ? rows[k++] : rows[i++];
    while (i < half)
        scratch[to++] = rows[i++];
    while (k < n)
        scratch[to++] = rows[k++];
    memcpy(rows, scratch, n * sizeof *rows);
}

bool tr_table_before(const struct tr_table *t, size_t a, size_t b)
{
    int order = 0;
    for (size_t i = t->arrange.sort ? 1 : 0; i < t->n_sort && !order; i++)
        order = compare_by(t, &t->sort[i], a, b);
    return order < 0 || (!order && a < b);
}

void tr__sort_by_key(const struct tr_table *t, size_t *rows, size_t *scratch, size_t n)
{
    sort_rows(t, true, rows, scratch, n);
}

/* ---- the first rows of each group, and one for the others ---- */

struct group {
    size_t row;    /* one of its rows, for comparison */
    uint64_t n;    /* rows so far */
    size_t last;   /* place of its last row that is kept */
    size_t others; /* the row for the others; SIZE_MAX: none yet */
};

/* Does the table have groups?  Only if a group can have several rows. */
static bool has_groups(const struct tr_table *t)
{
    return t->n_group && t->n_keys > t->n_group;
}

bool tr_table_same_group(const struct tr_table *t, size_t a, size_t b)
{
    return !has_groups(t) || tr__compare_keys(t, a, t, b, 0, t->n_group) == 0;
}

/* Are two rows cut together? */
static bool cut_together(const struct tr_table *t, size_t a, size_t b)
{
    if (!tr_table_same_group(t, a, b) || t->top_per == SIZE_MAX)
        return tr_table_same_group(t, a, b);
    const struct tr__cell *x = tr__cell_of(t, a, t->top_per), *y = tr__cell_of(t, b, t->top_per);
    return x->absent || y->absent ? x->absent == y->absent
                                  : tr__compare(t->cols[t->top_per].is.type, t, x, t, y) == 0;
}

/* The group of a row; NULL: out of memory. */
static struct group *group_of(const struct tr_table *t, struct group **groups, size_t *n, size_t *cap,
                              size_t row)
{
    for (size_t i = *n; i-- > 0;) /* most often the last one */
        if (cut_together(t, (*groups)[i].row, row))
            return &(*groups)[i];
    if (!tr_grow(groups, cap, *n + 1, sizeof **groups))
        return NULL;
    (*groups)[(*n)++] = (struct group){ .row = row, .others = SIZE_MAX };
    return &(*groups)[*n - 1];
}

/* The groups of a table, and the group of each row that is kept. */
struct cutting {
    struct group *groups;
    size_t n, cap;
    size_t *of; /* by place in the order */
    size_t kept;
};

/* Keep the first rows of each group, and combine the others.  False: out of memory. */
static bool divide(struct tr_table *t, struct cutting *d)
{
    for (size_t i = 0; i < t->n_order; i++) {
        size_t row = t->order[i];
        struct group *g = group_of(t, &d->groups, &d->n, &d->cap, row);
        if (!g)
            return false;
        if (g->n++ < t->arrange.top) {
            d->of[d->kept] = (size_t)(g - d->groups);
            g->last = d->kept;
            t->order[d->kept++] = row;
        } else if (g->others != SIZE_MAX) {
            tr__fold_add(t, g->others, row);
        } else if ((g->others = tr__fold_start(t, row, "others")) == SIZE_MAX) {
            return false;
        }
    }
    return true;
}

/* Add the row for the others of a group, if it has one.  False: out of memory. */
static bool end_group(struct tr_table *t, struct group *g, size_t *order, size_t *n)
{
    if (g->others == SIZE_MAX)
        return true;
    bool ok = tr__fold_end(t, g->others);
    order[(*n)++] = g->others;
    g->others = SIZE_MAX;
    return ok;
}

/* Are its rows of one rank each?  Ranks do not add up. */
static bool of_ranks(const struct tr_table *t)
{
    bool rank = false;
    for (size_t k = 0; k < t->n_keys; k++) {
        const char *name = t->cols[t->keys[k]].is.name;
        rank |= strcmp(name, "rank") == 0;
        if (k >= t->n_group || (strcmp(name, "rank") != 0 && strcmp(name, "capture") != 0))
            return false;
    }
    return rank;
}

struct of_rank {
    const struct tr_table *t;
    const struct tr__cell *cell;
    enum tr_cell type;
};

TR_ORDER(by_figure, struct of_rank, tr__compare(a->type, a->t, a->cell, b->t, b->cell))

/* The figures of ranks that are combined are their medians, of an even number the lower ones.  False: out of memory. */
static bool set_medians(struct tr_table *t, size_t into, const size_t *rows, size_t n)
{
    struct of_rank *v = calloc(n + 1, sizeof *v);
    for (size_t c = 0; v && c < t->n_cols; c++) {
        size_t present = 0;
        for (size_t i = 0; tr__is_figure(&t->cols[c].is) && i < n; i++) {
            const struct tr__cell *x = tr__cell_of(t, rows[i], c);
            if (!x->absent)
                v[present++] = (struct of_rank){ t, x, t->cols[c].is.type };
        }
        qsort(v, present, sizeof *v, by_figure);
        if (present)
            *tr__cell_of(t, into, c) = *v[(present - 1) / 2].cell;
    }
    free(v);
    return v != NULL;
}

/* Combine the rows after top.  The row "others" is after the last row of its group; in a sorted table, it is at the
 * end.  After all these rows, there is room for the totals. */
static bool cut(struct tr_table *t, size_t n_totals)
{
    struct cutting d = { .of = calloc(t->n_order + 1, sizeof *d.of) };
    bool ok = d.of && divide(t, &d);
    const size_t others = ok && d.n == 1 && of_ranks(t) ? d.groups[0].others : SIZE_MAX;
    size_t *order = ok ? calloc(d.kept + d.n + n_totals + 1, sizeof *order) : NULL;
    size_t n = 0;
    ok = order != NULL;
    for (size_t i = 0; ok && i < d.kept; i++) {
        order[n++] = t->order[i];
        if (d.groups[d.of[i]].last == i && !t->n_sort)
            ok = end_group(t, &d.groups[d.of[i]], order, &n);
    }
    for (size_t g = 0; ok && g < d.n; g++)
        ok = end_group(t, &d.groups[g], order, &n);
    if (ok && others != SIZE_MAX) /* all after the first, because there is one group */
        ok = set_medians(t, others, t->order + d.kept, t->n_order - d.kept);
    free(d.groups);
    free(d.of);
    if (!order)
        return false;
    free(t->order);
    t->order = order;
    t->n_order = n;
    return ok;
}

/* ---- names that are shortened ---- */

static bool shorten_names(struct tr_table *t)
{
    struct tr_buf brief = { 0 }; /* needed because the name is in the same buffer that its short form goes to */
    bool ok = true;
    for (size_t c = 0; c < t->n_cols; c++) {
        for (size_t i = 0; t->cols[c].is.names && ok && i < t->n_order; i++) {
            struct tr__cell *x = tr__cell_of(t, t->order[i], c);
            if (x->absent)
                continue;
            brief.len = 0;
            size_t at = t->strings.len;
            ok = t->arrange.shorten((const char *)tr__cell_string(t, x), x->v.s.len, &brief) &&
                 tr__strings_reserve(t, brief.len) && tr_buf_add(&t->strings, brief.data, brief.len);
            x->v.s.at = at;
            x->v.s.len = brief.len;
        }
    }
    tr_buf_free(&brief);
    return ok;
}

/* Combine rows with equal group and key in the first of them.  scratch: two numbers per row.  False: out of memory. */
static bool unite(struct tr_table *t, size_t *scratch)
{
    size_t n = t->n_order, *sorted = scratch + tr_table_rows(t), kept = 0;
    bool ok = true;
    memcpy(sorted, t->order, n * sizeof *sorted);
    tr__sort_by_key(t, sorted, scratch, n); /* stable: the first row with a key comes first */
    for (size_t i = 0; i < n; i++)
        scratch[t->order[i]] = 1;
    for (size_t i = 1, first = 0; i < n && ok; i++) {
        if (comes_after(t, true, sorted[i], sorted[first])) {
            first = i;
            continue;
        }
        tr__fold_blank(t, sorted[first]);
        tr__fold_add(t, sorted[first], sorted[i]);
        ok = tr__fold_end(t, sorted[first]);
        scratch[sorted[i]] = 0;
    }
    for (size_t i = 0; i < n; i++)
        if (scratch[t->order[i]])
            t->order[kept++] = t->order[i];
    t->n_order = kept;
    return ok;
}

static bool is_hidden(const struct tr_table *t, size_t row)
{
    return row < t->n_hidden && t->hidden[row];
}

/* List the rows to print, without totals. */
static void list_rows(struct tr_table *t, size_t n)
{
    for (size_t i = 0; i < n && i < t->total; i++)
        if (!is_hidden(t, i))
            t->order[t->n_order++] = i;
}

bool tr__arrange(struct tr_table *t)
{
    size_t n = tr_table_rows(t);
    if (!tr__needs_all(t) || n == 0 || t->order)
        return true;
    size_t *scratch = calloc(2 * n + 1, sizeof *scratch);
    t->order = calloc(n + 1, sizeof *t->order);
    t->n_order = 0;
    bool ok = scratch && t->order;
    if (ok)
        list_rows(t, n);
    if (ok && t->arrange.shorten)
        ok = shorten_names(t) && unite(t, scratch);
    if (ok && t->n_sort)
        sort_rows(t, false, t->order, scratch, t->n_order);
    free(scratch);
    ok = ok && (!t->arrange.top || cut(t, t->total < n ? n - t->total : 0));
    t->n_totals = 0;
    for (size_t i = t->total; ok && i < n; i++)
        if (!is_hidden(t, i)) {
            t->order[t->n_order++] = i;
            t->n_totals++;
        }
    return ok;
}
