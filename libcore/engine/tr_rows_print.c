/* SPDX-License-Identifier: MIT */
/* Rows of groups as a table: their order, shares of the whole, and one row for those that are cut off. */
#include "base/tr_mem.h"
#include "engine/tr_rows_int.h"
#include "stream/sort/tr_record_sort.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ORDER 8u

/* ---- order ---- */

struct order {
    const struct tr_table_column *is;
    bool descends;
};

struct sorted {
    uint32_t row, place; /* place: of its group in the order of keys */
    uint64_t first;      /* of the first column of the order, if that is a figure: the smallest comes first */
};

struct sorting {
    const struct tr_rows *r;
    struct order by[MAX_ORDER];
    size_t n_by;
    struct sorted *all;
    const void **v; /* the same, in order */
};

/* Entry number i of an order. */
static const struct sorted *entry(const void *const *v, size_t i)
{
    return v[i];
}

static void sorting_free(struct sorting *s)
{
    free(s->all);
    free((void *)s->v);
}

static const struct tr_table_column *column_of(const struct tr_row_type *type, const char *name, size_t len)
{
    for (size_t c = 0; c < type->n_columns; c++)
        if (strlen(type->columns[c].name) == len && memcmp(type->columns[c].name, name, len) == 0)
            return &type->columns[c];
    return NULL;
}

static bool is_figure(const struct tr_table_column *is)
{
    return is->type != TR_CELL_STRING && is->role != TR_ROLE_KEY && is->role != TR_ROLE_GROUP;
}

static void read_order(struct sorting *s)
{
    const char *at = s->r->type->order ? s->r->type->order : "";
    while (*at && s->n_by < MAX_ORDER) {
        size_t len = strcspn(at, ","), name = strcspn(at, ",:");
        const struct tr_table_column *is = column_of(s->r->type, at, name);
        bool descends = name < len ? memcmp(at + name, ":desc", 5) == 0 : is && is_figure(is);
        if (is)
            s->by[s->n_by++] = (struct order){ is, descends };
        at += len + (at[len] == ',');
    }
}

/* Rows of one group that are equal in a first figure. */
static int compare_others(const struct sorting *s, const struct sorted *a, const struct sorted *b)
{
    int c = 0;
    for (size_t k = 0; !c && k < s->n_by; k++) {
        c = tr__row_compare(s->r, s->by[k].is, tr__row_at(s->r, a->row), tr__row_at(s->r, b->row));
        c = s->by[k].descends ? -c : c;
    }
    return c ? c : (a->row > b->row) - (a->row < b->row);
}

static int compare(void *self, const void *x, const void *y)
{
    const struct sorted *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return compare_others(self, a, b);
}

static bool sort_rows(struct sorting *s)
{
    const struct tr_rows *r = s->r;
    uint32_t *order = tr_group_by_order(r->groups);
    uint32_t *place = malloc((r->groups->n_groups + 1) * sizeof *place);
    const void **scratch = malloc((r->n / 2 + 1) * sizeof *scratch);
    s->all = malloc((r->n + 1) * sizeof *s->all);
    s->v = malloc((r->n + 1) * sizeof *s->v);
    bool ok = order && place && scratch && s->all && s->v;
    for (size_t g = 0; ok && g < r->groups->n_groups; g++)
        place[order[g]] = (uint32_t)g;
    bool number = s->n_by && is_figure(s->by[0].is);
    for (size_t i = 0; ok && i < r->n; i++) {
        const void *row = tr__row_at(r, i);
        uint64_t first = number ? (uint64_t)tr__row_integer(row, s->by[0].is) : 0; /* TR_I64_NONE is the largest */
        s->all[i] = (struct sorted){ (uint32_t)i, place[*(const uint32_t *)row],
                                     number && s->by[0].descends ? ~first : first };
        s->v[i] = &s->all[i];
    }
    if (ok)
        tr_records_order(s->v, scratch, r->n, compare, s);
    free(order);
    free(place);
    free((void *)scratch);
    return ok;
}

uint32_t *tr_rows_order(const struct tr_rows *r)
{
    struct sorting s = { .r = r };
    uint32_t *order = malloc((r->n + 1) * sizeof *order);
    read_order(&s);
    bool ok = order && sort_rows(&s);
    for (size_t i = 0; ok && i < r->n; i++)
        order[i] = entry(s.v, i)->row;
    sorting_free(&s);
    if (ok)
        return order;
    free(order);
    return NULL;
}

/* ---- wholes of shares ---- */

struct whole {
    uint32_t column;
    int64_t within;
    int64_t sum;
};

/* The wholes of one group. */
struct wholes {
    struct whole *v;
    size_t n, cap;
};

static struct whole *whole_of(struct wholes *w, uint32_t column, int64_t within)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->v[i].column == column && w->v[i].within == within)
            return &w->v[i];
    if (!tr_grow(&w->v, &w->cap, w->n + 1, sizeof *w->v))
        return NULL;
    w->v[w->n] = (struct whole){ column, within, 0 };
    return &w->v[w->n++];
}

static bool is_share(const struct tr_table_column *is)
{
    return is->role == TR_ROLE_SHARE && !is->member && is->of;
}

/* The value of a column by which a whole or a limit is divided; NULL: it is not. */
static int64_t within_of(const struct tr_table_column *is, const void *row)
{
    return is ? tr__row_integer(row, is) : 0;
}

/* The column of rows that a name of the table or of the type means; NULL: none. */
static const struct tr_table_column *named(const struct tr_row_type *type, const struct tr_table *t, const char *name)
{
    size_t c = name ? tr_table_find(t, name) : SIZE_MAX;
    return c != SIZE_MAX ? tr_table_column_at(t, c) : name ? column_of(type, name, strlen(name)) : NULL;
}

/* A column of shares, that whose sum is the whole, and that by which wholes are divided; NULL: they are not. */
struct share {
    uint32_t column;
    const struct tr_table_column *of, *within;
};

/* Add a row to the wholes of its group.  False: out of memory. */
static bool add_to_wholes(struct wholes *w, const struct share *shares, size_t n, const void *row)
{
    for (size_t k = 0; k < n; k++) {
        struct whole *to = whole_of(w, shares[k].column, within_of(shares[k].within, row));
        if (!to)
            return false;
        to->sum = tr_time_sum(to->sum, tr__row_integer(row, shares[k].of));
    }
    return true;
}

/* ---- rows ---- */

/* A row that sums up others. */
struct others {
    int64_t within;
    void *row; /* of its own */
    uint64_t n_rows;
    bool *differ; /* by column of the table */
    size_t kept;  /* rows with the same value that are printed */
    int64_t sum;  /* of those */
    double enough; /* the sum that the ratio asks for */
};

struct printing {
    struct tr_rows *r;
    struct tr_table *t;
    struct tr_rows_cut cut;
    const struct tr_table_column *limited; /* the column that a ratio refers to */
    const struct tr_table_column *within;  /* of the limit */
    struct wholes wholes;
    struct share *shares;
    size_t n_shares;
    int64_t *of; /* by column: the wholes of one row */
    size_t n_columns;
    struct others *others; /* of one group */
    size_t n_others, cap_others;
};

/* Do the rows that others sum up differ in a column? */
static bool differ_in(const struct printing *p, const struct others *of, const char *name)
{
    size_t c = tr_table_find(p->t, name);
    return c == SIZE_MAX || of->differ[c];
}

/* of: the rows that it sums up; NULL: it is one row. */
static void print_row(struct printing *p, const void *row, const struct others *of)
{
    for (size_t k = 0; k < p->n_shares; k++) {
        const struct share *s = &p->shares[k];
        bool known = !(of && s->within && differ_in(p, of, s->within->name));
        const struct whole *w = known ? whole_of(&p->wholes, s->column, within_of(s->within, row)) : NULL;
        p->of[s->column] = w ? w->sum : TR_TIME_NONE;
    }
    const struct tr_row out = { .group = tr_rows_group(p->r, row),
                                .row = row,
                                .wholes = p->of,
                                .n_rows = of ? of->n_rows : 1,
                                .label = of ? "others" : NULL,
                                .differ = of ? of->differ : NULL };
    tr_table_row(p->t, &out);
}

static struct others *others_of(struct printing *p, int64_t within)
{
    for (size_t i = 0; i < p->n_others; i++)
        if (p->others[i].within == within)
            return &p->others[i];
    if (!tr_grow(&p->others, &p->cap_others, p->n_others + 1, sizeof *p->others))
        return NULL;
    p->others[p->n_others] = (struct others){ .within = within };
    return &p->others[p->n_others++];
}

/* Add a row to those that are cut off.  False: out of memory. */
static bool cut_off(struct printing *p, struct others *o, const void *row)
{
    const struct tr_row_type *type = p->r->type;
    if (!o->row) {
        o->row = malloc(type->size);
        o->differ = calloc(p->n_columns + 1, sizeof *o->differ);
        if (!o->row || !o->differ) {
            free(o->row);
            o->row = NULL;
            return false;
        }
        tr__row_init(p->r, o->row, row);
    }
    const struct tr_table_column *is;
    for (size_t c = 0; (is = tr_table_column_at(p->t, c)) != NULL; c++)
        if (is->member && is->member != TR_MEMBER_GROUP && is->at < type->key_size)
            o->differ[c] = o->differ[c] || tr__row_compare(p->r, is, o->row, row) != 0;
    return tr__row_merge(p->r, o->row, row, o->n_rows++ == 0);
}

static void forget_others(struct printing *p)
{
    for (size_t i = 0; i < p->n_others; i++) {
        if (p->others[i].row)
            tr__row_free(p->r->type, p->others[i].row);
        free(p->others[i].row);
        free(p->others[i].differ);
    }
    p->n_others = 0;
}

/* The sum that a ratio refers to, of the rows of a group with the same value. */
static double whole_of_ratio(const struct printing *p, const void *const *v, size_t n, int64_t within)
{
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const void *row = tr__row_at(p->r, entry(v, i)->row);
        if (within_of(p->within, row) == within)
            sum = tr_time_sum(sum, tr__row_integer(row, p->limited));
    }
    return (double)sum;
}

/* Print the rows of a group, and sum up those beyond the limit. */
static bool print_group(struct printing *p, const void *const *v, size_t n)
{
    bool ratio = p->cut.ratio > 0 && p->cut.ratio < 1 && p->limited, ok = true;
    p->wholes.n = 0;
    for (size_t i = 0; ok && p->n_shares && i < n; i++)
        ok = add_to_wholes(&p->wholes, p->shares, p->n_shares, tr__row_at(p->r, entry(v, i)->row));
    for (size_t i = 0; ok && i < n; i++) {
        const void *row = tr__row_at(p->r, entry(v, i)->row);
        if (!ratio && !p->cut.top) { /* no row is cut off */
            if (!p->cut.skip || !p->cut.skip(p->cut.self, row))
                print_row(p, row, NULL);
            continue;
        }
        struct others *o = others_of(p, within_of(p->within, row));
        if (!o)
            return false;
        if (ratio && !o->kept && !o->row)
            o->enough = p->cut.ratio * whole_of_ratio(p, v, n, o->within);
        if (p->cut.skip && p->cut.skip(p->cut.self, row))
            continue;
        bool reached = (p->cut.top && o->kept >= p->cut.top) || (ratio && o->kept && (double)o->sum >= o->enough);
        if (o->row || reached) {
            ok = cut_off(p, o, row);
            continue;
        }
        o->kept++;
        o->sum = ratio ? tr_time_sum(o->sum, tr__row_integer(row, p->limited)) : 0;
        print_row(p, row, NULL);
    }
    for (size_t i = 0; ok && i < p->n_others; i++)
        if (p->others[i].row)
            print_row(p, p->others[i].row, &p->others[i]);
    forget_others(p);
    return ok;
}

/* The columns of shares; all cells have no whole so far.  False: out of memory. */
static bool find_shares(struct printing *p)
{
    p->of = malloc((p->n_columns + 1) * sizeof *p->of);
    p->shares = malloc((p->n_columns + 1) * sizeof *p->shares);
    for (uint32_t c = 0; p->of && p->shares && c < p->n_columns; c++) {
        const struct tr_table_column *is = tr_table_column_at(p->t, c);
        const struct tr_table_column *of = is_share(is) ? column_of(p->r->type, is->of, strlen(is->of)) : NULL;
        p->of[c] = TR_TIME_NONE;
        if (of)
            p->shares[p->n_shares++] = (struct share){ c, of, named(p->r->type, p->t, is->within) };
    }
    return p->of && p->shares;
}

enum tr_status tr_rows_finish(struct tr_rows *r, struct tr_table *t, const struct tr_rows_cut *cut,
                              struct tr_error *err)
{
    struct sorting s = { .r = r };
    struct printing p = { .r = r, .t = t };
    if (cut)
        p.cut = *cut;
    read_order(&s);
    while (tr_table_column_at(t, p.n_columns))
        p.n_columns++;
    p.limited = s.n_by ? s.by[0].is : NULL;
    p.within = named(r->type, t, p.cut.within);
    bool ok = find_shares(&p) && sort_rows(&s);
    for (size_t i = 0, end; ok && i < r->n; i = end) {
        for (end = i; end < r->n && entry(s.v, end)->place == entry(s.v, i)->place;)
            end++;
        ok = print_group(&p, s.v + i, end - i);
    }
    forget_others(&p);
    free(p.others);
    free(p.shares);
    free(p.wholes.v);
    free(p.of);
    sorting_free(&s);
    return ok ? tr_table_status(t, err) : tr_fail_memory(err);
}
