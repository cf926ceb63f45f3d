/* SPDX-License-Identifier: MIT */
/* Combines rows, as the roles of their columns say. */
#include "base/tr_time.h"
#include "table/tr_table_int.h"

#include <math.h>
#include <string.h>

/* ---- cells ---- */

static int compare_strings(const struct tr_table *a, const struct tr__cell *x, const struct tr_table *b,
                           const struct tr__cell *y)
{
    size_t n = x->v.s.len < y->v.s.len ? x->v.s.len : y->v.s.len;
    int c = n ? memcmp(tr__cell_string(a, x), tr__cell_string(b, y), n) : 0;
    return c ? c : (x->v.s.len > y->v.s.len) - (x->v.s.len < y->v.s.len);
}

int tr__compare(enum tr_cell type, const struct tr_table *a, const struct tr__cell *x, const struct tr_table *b,
                const struct tr__cell *y)
{
    switch (type) {
    case TR_CELL_STRING:
        return compare_strings(a, x, b, y);
    case TR_CELL_COUNT:
        return (x->v.u > y->v.u) - (x->v.u < y->v.u);
    case TR_CELL_RATIO:
    case TR_CELL_DOUBLE:
        return (x->v.d > y->v.d) - (x->v.d < y->v.d);
    default:
        return (x->v.i > y->v.i) - (x->v.i < y->v.i);
    }
}

int tr__compare_keys(const struct tr_table *a, size_t x, const struct tr_table *b, size_t y, size_t from, size_t to)
{
    int order = 0;
    for (size_t k = from; k < to && !order; k++) {
        size_t c = a->keys[k];
        const struct tr__cell *p = tr__cell_of(a, x, c), *q = tr__cell_of(b, y, c);
        order = p->absent || q->absent ? p->absent - q->absent : tr__compare(a->cols[c].is.type, a, p, b, q);
    }
    return order;
}

static bool is_double(enum tr_cell type)
{
    return type == TR_CELL_RATIO || type == TR_CELL_DOUBLE;
}

double tr__number(enum tr_cell type, const struct tr__cell *cell)
{
    if (is_double(type))
        return cell->v.d;
    if (cell->absent || type == TR_CELL_STRING)
        return NAN;
    return cell->real ? cell->v.t.exact : type == TR_CELL_COUNT ? (double)cell->v.u : (double)cell->v.i;
}

double tr__percent(double of, double per)
{
    if (per == 0)
        return of == 0 || isnan(of) ? NAN : of > 0 ? INFINITY : -INFINITY;
    return 100 * of / per;
}

const char *tr__change(uint64_t base, uint64_t test)
{
    return base == test ? "same" : !base ? "added" : !test ? "removed" : test > base ? "more" : "fewer";
}

struct tr__cell tr__minus(enum tr_cell type, const struct tr__cell *to, const struct tr__cell *from)
{
    struct tr__cell x = { .absent = to->absent || from->absent, .lost = to->lost || from->lost };
    if (is_double(type)) {
        x.v.d = to->v.d - from->v.d;
        x.absent = x.absent || !isfinite(x.v.d);
    } else if (!x.absent && (to->real || from->real)) {
        x.v.t.exact = tr__number(type, to) - tr__number(type, from);
        x.absent = !(fabs(x.v.t.exact) < 9223372036854775807.0);
        x.v.t.ns = x.absent ? 0 : (int64_t)round(x.v.t.exact);
        x.real = true;
    } else if (!x.absent && type == TR_CELL_COUNT) {
        uint64_t size = to->v.u < from->v.u ? from->v.u - to->v.u : to->v.u - from->v.u;
        x.absent = x.lost = size > INT64_MAX;
        x.v.i = to->v.u < from->v.u ? -(int64_t)(size & INT64_MAX) : (int64_t)(size & INT64_MAX);
    } else if (!x.absent) {
        x.v.i = tr_time_diff(to->v.i, from->v.i);
        x.absent = x.lost = x.v.i == TR_I64_NONE;
    }
    return x;
}

/* ---- a row for several ---- */

/* The column for the name of a combined row: a key, or else a text; SIZE_MAX: there is none. */
size_t tr_table_label(const struct tr_table *t)
{
    size_t best = SIZE_MAX;
    int best_rank = 0;
    for (size_t c = 0; c < t->n_cols; c++) {
        const struct tr_table_column *is = &t->cols[c].is;
        bool text = is->type == TR_CELL_STRING;
        int rank = !text                     ? 0
                   : is->role == TR_ROLE_KEY ? 2 + is->names + 2 * is->label
                                             : is->role == TR_ROLE_TEXT;
        if (rank > best_rank || (rank == best_rank && rank >= 2)) {
            best = c;
            best_rank = rank;
        }
    }
    return best;
}

static bool adds_up(enum tr_column_role role)
{
    return role == TR_ROLE_SUM || role == TR_ROLE_COUNT || role == TR_ROLE_SHARE;
}

/* Make the combination of no rows: sums are 0, and all other cells are absent. */
static void make_none(struct tr_table *t, size_t at)
{
    for (size_t c = 0; c < t->n_cols; c++) {
        memset(&t->cells[at + c], 0, sizeof t->cells[at + c]);
        t->cells[at + c].absent = !adds_up(t->cols[c].is.role);
    }
}

size_t tr__fold_start(struct tr_table *t, size_t row, const char *name)
{
    size_t at = t->n_cells, text = t->strings.len, label = tr_table_label(t);
    if (!tr__cells_reserve(t, t->n_cells + t->n_cols) || !tr__strings_reserve(t, strlen(name) + 1) ||
        !tr_buf_add(&t->strings, name, strlen(name) + 1))
        return SIZE_MAX;
    if (row == SIZE_MAX)
        make_none(t, at);
    else
        memcpy(t->cells + at, t->cells + row * t->n_cols, t->n_cols * sizeof *t->cells);
    t->n_cells += t->n_cols;
    tr__fold_blank(t, at / t->n_cols);
    for (size_t c = 0; c < t->n_cols; c++) {
        struct tr__cell *x = &t->cells[at + c];
        x->absent = x->absent || (t->cols[c].is.role == TR_ROLE_KEY && c != t->top_per);
        if (c == label) {
            x->absent = false;
            x->v.s.at = text;
            x->v.s.len = strlen(name);
        }
    }
    return at / t->n_cols;
}

void tr__fold_blank(struct tr_table *t, size_t row)
{
    for (size_t c = 0; c < t->n_cols; c++) {
        enum tr_column_role role = t->cols[c].is.role;
        if (role == TR_ROLE_TEXT || role == TR_ROLE_QUANTILE || role == TR_ROLE_VARIANCE || role == TR_ROLE_TIME ||
            role == TR_ROLE_RANK)
            tr__cell_of(t, row, c)->absent = true;
    }
}

static void add_number(enum tr_cell type, struct tr__cell *sum, const struct tr__cell *more)
{
    sum->real = false;
    if (type == TR_CELL_COUNT)
        sum->v.u = sum->v.u > UINT64_MAX - more->v.u ? UINT64_MAX : sum->v.u + more->v.u;
    else if (is_double(type))
        sum->v.d += more->v.d;
    else if (more->v.i > 0 ? sum->v.i > INT64_MAX - more->v.i : sum->v.i < INT64_MIN - more->v.i)
        sum->absent = sum->lost = true; /* an absent sum is better than a wrong one */
    else
        sum->v.i += more->v.i;
}

/* The cell of a row in the column with this name, and the type of the column; NULL: there is none. */
static const struct tr__cell *named(const struct tr_table *t, size_t row, const char *name,
                                    const struct tr_table_column **is)
{
    size_t c = name ? tr__find_column(t, name, strlen(name)) : SIZE_MAX;
    if (c == SIZE_MAX)
        return NULL;
    *is = &t->cols[c].is;
    return tr__cell_of(t, row, c);
}

/* Combine two means, before their weights are added up. */
static void add_mean(struct tr_table *t, size_t into, size_t row, size_t c)
{
    const struct tr_table_column *is = &t->cols[c].is, *per = NULL;
    struct tr__cell *to = tr__cell_of(t, into, c);
    const struct tr__cell *from = tr__cell_of(t, row, c), *w = named(t, into, is->per, &per);
    double old = w ? tr__number(per->type, w) : NAN;
    double more = w ? tr__number(per->type, named(t, row, is->per, &per)) : NAN;
    if (from->absent || more == 0)
        return;
    if (to->absent || old == 0) {
        *to = *from;
        return;
    }
    double x = tr__number(is->type, to), mean = x + (tr__number(is->type, from) - x) * (more / (old + more));
    to->absent = !isfinite(mean);
    to->real = is->type == TR_CELL_TIME && !to->absent;
    if (to->real) {
        to->v.t.ns = (int64_t)round(mean);
        to->v.t.exact = mean;
    } else if (is_double(is->type)) {
        to->v.d = mean;
    }
}

void tr__fold_add(struct tr_table *t, size_t into, size_t row)
{
    for (size_t c = 0; c < t->n_cols; c++)
        if (t->cols[c].is.role == TR_ROLE_MEAN)
            add_mean(t, into, row, c);
    for (size_t c = 0; c < t->n_cols; c++) {
        struct tr__cell *to = tr__cell_of(t, into, c);
        const struct tr__cell *from = tr__cell_of(t, row, c);
        const struct tr_table_column *is = &t->cols[c].is;
        bool adds = adds_up(is->role), extreme = is->role == TR_ROLE_MIN || is->role == TR_ROLE_MAX;
        if (is->role == TR_ROLE_GROUP) /* a row for several streams has no stream */
            to->absent = to->absent || from->absent || tr__compare(is->type, t, from, t, to) != 0;
        if (!adds && !extreme)
            continue;
        if (adds && (to->lost || from->lost)) {
            to->absent = to->lost = true;
        } else if (from->absent) {
            continue;
        } else if (to->absent) {
            *to = *from;
        } else if (adds) {
            add_number(is->type, to, from);
        } else {
            int order = tr__compare(is->type, t, from, t, to);
            if (is->role == TR_ROLE_MIN ? order < 0 : order > 0)
                *to = *from;
        }
    }
}

/* ---- what follows from other columns ---- */

static void set_ratio(struct tr__cell *x, const struct tr_table_column *is, double of, double per)
{
    bool percent = is->unit && strcmp(is->unit, "%") == 0;
    double value = percent ? tr__percent(of, per) : per == 0 ? NAN : of / per;
    x->absent = !isfinite(value);
    if (is->type != TR_CELL_TIME)
        x->v.d = value;
    else if (!x->absent)
        x->v.i = (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
    x->real = false;
}

/* A column of one of the roles that follow from others.  False: out of memory. */
static bool derive(struct tr_table *t, size_t row, size_t col)
{
    const struct tr_table_column *is = &t->cols[col].is, *of_is = NULL, *per_is = NULL;
    const struct tr__cell *of = named(t, row, is->of, &of_is), *per = named(t, row, is->per, &per_is);
    struct tr__cell *x = tr__cell_of(t, row, col);
    bool two = of && per && !of->absent && !per->absent;
    if (is->role == TR_ROLE_INCLUSIVE) {
        x->absent = !of;
        if (of)
            *x = *of;
    } else if (is->role == TR_ROLE_DIFFERENCE) {
        x->absent = true;
        if (of && per)
            *x = tr__minus(of_is->type, of, per);
    } else if (is->role == TR_ROLE_CHANGE) {
        const char *text = two ? tr__change(per->v.u, of->v.u) : "";
        x->absent = !two;
        x->v.s.at = t->strings.len;
        x->v.s.len = strlen(text);
        return tr__strings_reserve(t, x->v.s.len + 1) && tr_buf_add(&t->strings, text, x->v.s.len + 1);
    } else if (two && of_is->role != TR_ROLE_INCLUSIVE) { /* inclusive values of combined rows have another meaning */
        set_ratio(x, is, tr__number(of_is->type, of), tr__number(per_is->type, per));
    } else {
        x->absent = true;
        x->v.d = NAN;
    }
    return true;
}

bool tr__fold_end(struct tr_table *t, size_t row)
{
    /* in this order, because a ratio may refer to differences, and a difference to inclusive columns */
    static const enum tr_column_role roles[] = { TR_ROLE_INCLUSIVE, TR_ROLE_DIFFERENCE, TR_ROLE_CHANGE,
                                                 TR_ROLE_RATIO };
    bool ok = true;
    for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
        for (size_t c = 0; c < t->n_cols && ok; c++)
            if (t->cols[c].is.role == roles[r])
                ok = derive(t, row, c);
    return ok;
}
