/* How a user wants to see a table: which columns, in which order rows come, and how many. */
#include "table/tr_table_int.h"

#include <stdlib.h>
#include <string.h>

enum tr_status tr_table_arrange(struct tr_table *t, const struct tr_arrange *a, struct tr_error *err)
{
    t->arrange = *a;
    if (a->columns)
        t->arrange.columns = tr_arena_copy(t->texts, a->columns, strlen(a->columns) + 1);
    if (a->sort)
        t->arrange.sort = tr_arena_copy(t->texts, a->sort, strlen(a->sort) + 1);
    bool ok = (!a->columns || t->arrange.columns) && (!a->sort || t->arrange.sort);
    return ok ? TR_OK : tr_fail_memory(err);
}

uint64_t tr_table_take_top(struct tr_table *t)
{
    uint64_t top = t->arrange.sort ? 0 : t->arrange.top;
    if (top)
        t->arrange.top = 0;
    return top;
}

/* ---- which columns ---- */

static bool is_name(const char *name, const char *s, size_t len)
{
    return strlen(name) == len && memcmp(name, s, len) == 0;
}

/* The column of a name; SIZE_MAX: there is none. */
static size_t find(const struct tr_table *t, const char *s, size_t len)
{
    for (size_t c = 0; c < t->n_cols; c++)
        if (is_name(t->cols[c].printed, s, len) || is_name(t->cols[c].is.name, s, len))
            return c;
    return SIZE_MAX;
}

/* "there is no column 'x': there are a, b, c", as far as it fits. */
static enum tr_status no_such(const struct tr_table *t, const char *s, size_t len, struct tr_error *err)
{
    char all[480] = "";
    size_t n = 0;
    for (size_t c = 0; c < t->n_cols; c++) {
        size_t more = strlen(t->cols[c].printed) + 2;
        if (n + more + 4 > sizeof all) {
            memcpy(all + n, ", ...", 6);
            break;
        }
        if (c)
            memcpy(all + n, ", ", 2);
        n += c ? 2 : 0;
        memcpy(all + n, t->cols[c].printed, more - 1);
        n += more - 2;
    }
    return tr_fail(err, TR_USAGE, "there is no column '%.*s': there are %s", (int)(len < 80 ? len : 80), s,
                   all);
}

static enum tr_status choose(struct tr_table *t, struct tr_error *err)
{
    const char *list = t->arrange.columns;
    if (!list || strcmp(list, "all") == 0) {
        for (size_t c = 0; c < t->n_cols; c++)
            t->shown[t->n_shown++] = c;
        return TR_OK;
    }
    while (*list) {
        size_t len = strcspn(list, ","), c = find(t, list, len);
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

static enum tr_status choose_order(struct tr_table *t, struct tr_error *err)
{
    const char *sort = t->arrange.sort;
    if (!sort)
        return TR_OK;
    size_t len = strcspn(sort, ":"), c = find(t, sort, len);
    if (c == SIZE_MAX)
        return no_such(t, sort, len, err);
    enum tr_column_role role = t->cols[c].is.role;
    bool number = tr_cell_is_number(t->cols[c].is.type);
    t->sort_by = c;
    t->descending = number && role != TR_ROLE_GROUP && role != TR_ROLE_KEY;
    if (strcmp(sort + len, ":desc") == 0 || strcmp(sort + len, ":asc") == 0)
        t->descending = sort[len + 1] == 'd';
    else if (sort[len])
        return tr_fail(err, TR_USAGE, "'%.40s' is not :asc or :desc", sort + len);
    return TR_OK;
}

enum tr_status tr_table_ready(struct tr_table *t, struct tr_error *err)
{
    if (t->ready)
        return TR_OK;
    if (tr_table_status(t, err) != TR_OK)
        return t->err.status;
    t->shown = calloc(t->n_cols + 1, sizeof *t->shown);
    enum tr_status st = t->shown ? choose(t, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = choose_order(t, err);
    t->ready = st == TR_OK;
    return st;
}

/* ---- the order of rows ---- */

static const struct tr__cell *cell(const struct tr_table *t, size_t row, size_t col)
{
    return &t->cells[row * t->n_cols + col];
}

static int compare_strings(const struct tr_table *t, const struct tr__cell *a, const struct tr__cell *b)
{
    size_t n = a->v.s.len < b->v.s.len ? a->v.s.len : b->v.s.len;
    int c = n ? memcmp(tr__cell_string(t, a), tr__cell_string(t, b), n) : 0;
    return c ? c : (a->v.s.len > b->v.s.len) - (a->v.s.len < b->v.s.len);
}

/* Of two cells that are there. */
static int compare(const struct tr_table *t, enum tr_cell type, const struct tr__cell *a,
                   const struct tr__cell *b)
{
    switch (type) {
    case TR_CELL_STRING:
        return compare_strings(t, a, b);
    case TR_CELL_COUNT:
        return (a->v.u > b->v.u) - (a->v.u < b->v.u);
    case TR_CELL_RATIO:
    case TR_CELL_DOUBLE:
        return (a->v.d > b->v.d) - (a->v.d < b->v.d);
    default:
        return (a->v.i > b->v.i) - (a->v.i < b->v.i);
    }
}

static int compare_role(const struct tr_table *t, enum tr_column_role role, size_t a, size_t b);

/* Does row a come after row b?  Absent cells come last.  by SIZE_MAX: by group and key. */
static bool comes_after(const struct tr_table *t, size_t by, size_t a, size_t b)
{
    if (by == SIZE_MAX) {
        int order = compare_role(t, TR_ROLE_GROUP, a, b);
        return (order ? order : compare_role(t, TR_ROLE_KEY, a, b)) > 0;
    }
    const struct tr__cell *x = cell(t, a, by), *y = cell(t, b, by);
    if (x->absent || y->absent)
        return x->absent && !y->absent;
    int c = compare(t, t->cols[by].is.type, x, y);
    return t->descending ? c < 0 : c > 0;
}

/* Merge sort: stable, and qsort has no place for the table. */
static void sort_rows(const struct tr_table *t, size_t by, size_t *rows, size_t *scratch, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, k = half, to = 0;
    sort_rows(t, by, rows, scratch, half);
    sort_rows(t, by, rows + half, scratch, n - half);
    while (i < half && k < n)
        scratch[to++] = comes_after(t, by, rows[i], rows[k]) ? rows[k++] : rows[i++];
    while (i < half)
        scratch[to++] = rows[i++];
    while (k < n)
        scratch[to++] = rows[k++];
    memcpy(rows, scratch, n * sizeof *rows);
}

/* ---- the first rows of each group, and one for the others ---- */

struct group {
    size_t row;    /* one of its rows, which tells the group */
    uint64_t n;    /* rows so far */
    size_t others; /* the row for the others; SIZE_MAX: none yet */
};

/* Are groups told apart?  Only if a group can have several rows. */
static bool has_groups(const struct tr_table *t)
{
    bool group = false, key = false;
    for (size_t c = 0; c < t->n_cols; c++) {
        group |= t->cols[c].is.role == TR_ROLE_GROUP;
        key |= t->cols[c].is.role == TR_ROLE_KEY;
    }
    return group && key;
}

/* The order of two rows by the cells of one role, absent ones last. */
static int compare_role(const struct tr_table *t, enum tr_column_role role, size_t a, size_t b)
{
    for (size_t c = 0; c < t->n_cols; c++) {
        const struct tr__cell *x = cell(t, a, c), *y = cell(t, b, c);
        if (t->cols[c].is.role != role)
            continue;
        int order = x->absent || y->absent ? x->absent - y->absent : compare(t, t->cols[c].is.type, x, y);
        if (order)
            return order;
    }
    return 0;
}

static bool same_group(const struct tr_table *t, size_t a, size_t b)
{
    return compare_role(t, TR_ROLE_GROUP, a, b) == 0;
}

/* The column in which a row is called "others": a key, else a text; SIZE_MAX: there is none. */
static size_t label_column(const struct tr_table *t)
{
    size_t best = SIZE_MAX;
    int best_rank = 0;
    for (size_t c = 0; c < t->n_cols; c++) {
        const struct tr_table_column *is = &t->cols[c].is;
        bool text = is->type == TR_CELL_STRING;
        int rank = !text ? 0 : is->role == TR_ROLE_KEY ? 2 + is->names : is->role == TR_ROLE_TEXT;
        if (rank > best_rank || (rank == best_rank && rank >= 2)) {
            best = c;
            best_rank = rank;
        }
    }
    return best;
}

/* A new row that begins as a copy of another, named "others".  SIZE_MAX: out of memory. */
static size_t begin_others(struct tr_table *t, size_t row)
{
    static const char name[] = "others";
    size_t at = t->n_cells, text = t->strings.len, label = label_column(t);
    if (!tr_grow(&t->cells, &t->cap_cells, t->n_cells + t->n_cols, sizeof *t->cells) ||
        !tr_buf_add_str(&t->strings, name))
        return SIZE_MAX;
    memcpy(t->cells + at, t->cells + row * t->n_cols, t->n_cols * sizeof *t->cells);
    t->n_cells += t->n_cols;
    for (size_t c = 0; c < t->n_cols; c++) {
        struct tr__cell *x = &t->cells[at + c];
        enum tr_column_role role = t->cols[c].is.role;
        x->absent = x->absent || role == TR_ROLE_KEY || role == TR_ROLE_TEXT || role == TR_ROLE_QUANTILE;
        if (c == label) {
            x->absent = false;
            x->v.s.at = text;
            x->v.s.len = sizeof name - 1;
        }
    }
    return at / t->n_cols;
}

static void add_number(enum tr_cell type, struct tr__cell *sum, const struct tr__cell *more)
{
    if (type == TR_CELL_COUNT)
        sum->v.u = sum->v.u > UINT64_MAX - more->v.u ? UINT64_MAX : sum->v.u + more->v.u;
    else if (type == TR_CELL_RATIO || type == TR_CELL_DOUBLE)
        sum->v.d += more->v.d;
    else if (more->v.i > 0 ? sum->v.i > INT64_MAX - more->v.i : sum->v.i < INT64_MIN - more->v.i)
        sum->absent = true; /* no sum that fits is better than a wrong one */
    else
        sum->v.i += more->v.i;
}

/* Put a row into the row of the others, column by column. */
static void put_together(struct tr_table *t, size_t others, size_t row)
{
    for (size_t c = 0; c < t->n_cols; c++) {
        struct tr__cell *to = &t->cells[others * t->n_cols + c];
        const struct tr__cell *from = cell(t, row, c);
        const struct tr_table_column *is = &t->cols[c].is;
        bool adds = is->role == TR_ROLE_SUM || is->role == TR_ROLE_COUNT || is->role == TR_ROLE_SHARE;
        bool extreme = is->role == TR_ROLE_MIN || is->role == TR_ROLE_MAX;
        if ((!adds && !extreme) || from->absent)
            continue;
        if (to->absent) {
            *to = *from;
        } else if (adds) {
            add_number(is->type, to, from);
        } else {
            int order = compare(t, is->type, from, to);
            if (is->role == TR_ROLE_MIN ? order < 0 : order > 0)
                *to = *from;
        }
    }
}

static double as_double(enum tr_cell type, const struct tr__cell *x)
{
    return type == TR_CELL_COUNT                              ? (double)x->v.u
           : type == TR_CELL_RATIO || type == TR_CELL_DOUBLE ? x->v.d
                                                              : (double)x->v.i;
}

/* Ratios of the others, from their sums; absent where the table does not have these. */
static void find_ratios(struct tr_table *t, size_t others)
{
    for (size_t c = 0; c < t->n_cols; c++) {
        const struct tr_table_column *is = &t->cols[c].is;
        struct tr__cell *x = &t->cells[others * t->n_cols + c];
        if (is->role != TR_ROLE_RATIO)
            continue;
        size_t of = is->of ? find(t, is->of, strlen(is->of)) : SIZE_MAX;
        size_t per = is->per ? find(t, is->per, strlen(is->per)) : SIZE_MAX;
        x->absent = of == SIZE_MAX || per == SIZE_MAX || cell(t, others, of)->absent ||
                    cell(t, others, per)->absent;
        double whole = x->absent ? 0 : as_double(t->cols[per].is.type, cell(t, others, per));
        x->absent = x->absent || whole == 0;
        double value = x->absent ? 0 : as_double(t->cols[of].is.type, cell(t, others, of)) / whole;
        if (is->type == TR_CELL_TIME)
            x->v.i = (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
        else
            x->v.d = value;
    }
}

/* The group of a row; NULL: out of memory. */
static struct group *group_of(const struct tr_table *t, struct group **groups, size_t *n, size_t *cap,
                              bool apart, size_t row)
{
    for (size_t i = *n; i-- > 0;) /* most often the last one */
        if (!apart || same_group(t, (*groups)[i].row, row))
            return &(*groups)[i];
    if (!tr_grow(groups, cap, *n + 1, sizeof **groups))
        return NULL;
    (*groups)[(*n)++] = (struct group){ row, 0, SIZE_MAX };
    return &(*groups)[*n - 1];
}

/* The groups of a table, and that of each row that is left. */
struct cutting {
    struct group *groups;
    size_t n, cap;
    size_t *of; /* by place in the order */
    size_t kept;
};

/* Keep the first rows of each group, and put the others together.  False: out of memory. */
static bool divide(struct tr_table *t, struct cutting *d)
{
    bool apart = has_groups(t);
    for (size_t i = 0; i < t->n_order; i++) {
        size_t row = t->order[i];
        struct group *g = group_of(t, &d->groups, &d->n, &d->cap, apart, row);
        if (!g)
            return false;
        if (g->n++ < t->arrange.top) {
            d->of[d->kept] = (size_t)(g - d->groups);
            t->order[d->kept++] = row;
        } else if (g->others != SIZE_MAX) {
            put_together(t, g->others, row);
        } else if ((g->others = begin_others(t, row)) == SIZE_MAX) {
            return false;
        }
    }
    return true;
}

/* Add the row for the others of a group, if it has one. */
static void end_group(struct tr_table *t, struct group *g, size_t *order, size_t *n)
{
    if (g->others == SIZE_MAX)
        return;
    find_ratios(t, g->others);
    order[(*n)++] = g->others;
    g->others = SIZE_MAX;
}

/* The others stand after their group, in a sorted table at the end. */
static bool cut(struct tr_table *t)
{
    struct cutting d = { .of = calloc(t->n_order + 1, sizeof *d.of) };
    bool ok = d.of && divide(t, &d);
    size_t *order = ok ? calloc(d.kept + d.n + 1, sizeof *order) : NULL;
    size_t n = 0;
    for (size_t i = 0; order && i < d.kept; i++) {
        order[n++] = t->order[i];
        bool last = i + 1 == d.kept || d.of[i + 1] != d.of[i];
        if (last && t->sort_by == SIZE_MAX)
            end_group(t, &d.groups[d.of[i]], order, &n);
    }
    for (size_t g = 0; order && g < d.n; g++)
        end_group(t, &d.groups[g], order, &n);
    free(d.groups);
    free(d.of);
    if (!order)
        return false;
    free(t->order);
    t->order = order;
    t->n_order = n;
    return true;
}

/* ---- names that were shortened ---- */

/* A row that stands for several: figures that rows do not determine are not known. */
static void make_sum(struct tr_table *t, size_t row)
{
    for (size_t c = 0; c < t->n_cols; c++)
        if (t->cols[c].is.role == TR_ROLE_QUANTILE || t->cols[c].is.role == TR_ROLE_TEXT)
            t->cells[row * t->n_cols + c].absent = true;
}

/* Put rows of equal group and key into the first of them.  scratch: two numbers a row. */
static void unite(struct tr_table *t, size_t *scratch)
{
    size_t n = t->n_order, *sorted = scratch + n, kept = 0;
    memcpy(sorted, t->order, n * sizeof *sorted);
    sort_rows(t, SIZE_MAX, sorted, scratch, n); /* stable: the first row of a key is the first to come */
    for (size_t i = 0; i < n; i++)
        scratch[i] = 1;
    for (size_t i = 1, first = 0; i < n; i++) {
        if (comes_after(t, SIZE_MAX, sorted[i], sorted[first])) {
            first = i;
            continue;
        }
        make_sum(t, sorted[first]);
        put_together(t, sorted[first], sorted[i]);
        find_ratios(t, sorted[first]);
        scratch[sorted[i]] = 0;
    }
    for (size_t i = 0; i < n; i++)
        if (scratch[i])
            t->order[kept++] = i;
    t->n_order = kept;
}

bool tr__arrange(struct tr_table *t)
{
    size_t n = tr_table_rows(t);
    if ((t->sort_by == SIZE_MAX && !t->arrange.top && !t->arrange.shorten) || n == 0)
        return true;
    size_t *scratch = calloc(2 * n + 1, sizeof *scratch);
    t->order = calloc(n + 1, sizeof *t->order);
    t->n_order = n;
    bool ok = scratch && t->order;
    for (size_t i = 0; ok && i < n; i++)
        t->order[i] = i;
    if (ok && t->arrange.shorten)
        unite(t, scratch);
    if (ok && t->sort_by != SIZE_MAX)
        sort_rows(t, t->sort_by, t->order, scratch, t->n_order);
    free(scratch);
    return ok && (!t->arrange.top || cut(t));
}
