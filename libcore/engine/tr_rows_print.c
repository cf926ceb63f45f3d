/* SPDX-License-Identifier: MIT */
/* Rows of groups as a table: their order, shares of the whole, and one row for those that are cut off. */
#include "base/tr_mem.h"
#include "engine/tr_rows_int.h"
#include "stream/sort/tr_record_sort.h"
#include "stream/sort/tr_record_text.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ORDER 24u

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
    uint32_t *place; /* by group: its place in the order of keys */
    struct tr_str *texts[2]; /* of two packed rows */
    bool *first; /* by column: it is the first with its text, so that is packed */
    struct tr_record_sort *file; /* rows in a file */
    size_t next;
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
    free(s->place);
    free(s->texts[0]);
    free(s->texts[1]);
    free(s->first);
    tr_record_sort_free(s->file);
}

static bool is_figure(const struct tr_table_column *is)
{
    return is->type != TR_CELL_STRING && is->role != TR_ROLE_KEY && is->role != TR_ROLE_GROUP;
}

static void read_order(struct sorting *s, const char *order)
{
    const char *at = order ? order : "";
    while (*at && s->n_by < MAX_ORDER) {
        size_t len = strcspn(at, ","), name = strcspn(at, ",:");
        const struct tr_table_column *is = tr__row_column(s->r->type, at, name);
        bool descends = name < len ? memcmp(at + name, ":desc", 5) == 0 : is && is_figure(is);
        if (is)
            s->by[s->n_by++] = (struct order){ is, descends };
        at += len + (at[len] == ',');
    }
}

/* By group and first figure; *tie: they are equal in both, so far. */
static int compare_entries(const struct sorting *s, const struct sorted *a, const struct sorted *b, bool *tie)
{
    *tie = a->place == b->place && (!s->n_by || a->first == b->first);
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return *tie ? 0 : a->first < b->first ? -1 : 1;
}

static int compare(void *self, const void *x, const void *y)
{
    const struct sorting *s = self;
    const struct sorted *a = x, *b = y;
    bool tie;
    int c = compare_entries(s, a, b, &tie);
    for (size_t k = 0; tie && !c && k < s->n_by; k++) {
        c = tr__row_compare(s->r, s->by[k].is, tr_rows_get(s->r, a->row), tr_rows_get(s->r, b->row));
        c = s->by[k].descends ? -c : c;
    }
    return c ? c : (a->row > b->row) - (a->row < b->row);
}

static struct sorted entry_of(const struct sorting *s, size_t i)
{
    const void *row = tr_rows_get(s->r, i);
    bool number = s->n_by && is_figure(s->by[0].is);
    uint64_t first = number ? (uint64_t)tr__row_integer(row, s->by[0].is) : 0; /* TR_I64_NONE is the largest */
    return (struct sorted){ (uint32_t)i, s->place[*(const uint32_t *)row],
                            number && s->by[0].descends ? ~first : first };
}

static bool find_places(struct sorting *s)
{
    const struct tr_group_by *groups = s->r->groups;
    uint32_t *order = tr_group_by_order(groups);
    s->place = malloc((groups->n_groups + 1) * sizeof *s->place);
    bool ok = order && s->place;
    for (size_t g = 0; ok && g < groups->n_groups; g++)
        s->place[order[g]] = (uint32_t)g;
    free(order);
    return ok;
}

static bool sort_rows(struct sorting *s)
{
    const struct tr_rows *r = s->r;
    const void **scratch = malloc((r->n / 2 + 1) * sizeof *scratch);
    s->all = malloc((r->n + 1) * sizeof *s->all);
    s->v = malloc((r->n + 1) * sizeof *s->v);
    bool ok = scratch && s->all && s->v && find_places(s);
    for (size_t i = 0; ok && i < r->n; i++) {
        s->all[i] = entry_of(s, i);
        s->v[i] = &s->all[i];
    }
    if (ok)
        tr_records_order(s->v, scratch, r->n, compare, s);
    free((void *)scratch);
    return ok;
}

uint32_t *tr_rows_order(const struct tr_rows *r)
{
    struct sorting s = { .r = r };
    uint32_t *order = malloc((r->n + 1) * sizeof *order);
    read_order(&s, r->type->order);
    bool ok = order && sort_rows(&s);
    for (size_t i = 0; ok && i < r->n; i++)
        order[i] = entry(s.v, i)->row;
    sorting_free(&s);
    if (ok)
        return order;
    free(order);
    return NULL;
}

/* ---- rows in a file: sorted there together with their texts, which may be in files, too ---- */

/* A row as its entry, its bytes, and its texts in the order of columns.  False: out of memory. */
static bool pack(const struct sorting *s, size_t i, struct tr_buf *packed)
{
    const struct tr_row_type *type = s->r->type;
    const struct sorted e = entry_of(s, i);
    const void *row = tr_rows_get(s->r, i);
    bool ok = tr_record_start(packed, &e, sizeof e) && tr_buf_add(packed, row, type->size);
    for (size_t c = 0; ok && c < type->n_columns; c++)
        ok = !s->first[c] ||
             tr_record_add_text(packed, tr__row_text(s->r, row, &type->columns[c], 0));
    return ok;
}

/* The texts of a packed row, by column of the type. */
static void unpack(const struct sorting *s, const struct sorted *packed, struct tr_str *texts)
{
    const struct tr_row_type *type = s->r->type;
    const char *at = (const char *)(packed + 1) + type->size;
    for (size_t c = 0; c < type->n_columns; c++)
        texts[c] = s->first[c] ? tr_record_next_text(&at) : tr_str_of(NULL);
}

/* Texts of one member are that of its first column, and others that follow from it. */
static bool find_first(struct sorting *s)
{
    const struct tr_row_type *type = s->r->type;
    s->first = calloc(type->n_columns, sizeof *s->first);
    for (size_t c = 0; s->first && c < type->n_columns; c++) {
        s->first[c] = tr__row_has_text(&type->columns[c]);
        for (size_t k = 0; k < c; k++)
            s->first[c] = s->first[c] && !(s->first[k] && type->columns[k].at == type->columns[c].at);
    }
    return s->first != NULL;
}

static int compare_packed(void *self, const void *x, const void *y)
{
    struct sorting *s = self;
    const struct tr_row_type *type = s->r->type;
    const struct sorted *a = x, *b = y;
    bool tie;
    int c = compare_entries(s, a, b, &tie);
    if (!tie)
        return c;
    unpack(s, a, s->texts[0]);
    unpack(s, b, s->texts[1]);
    for (size_t k = 0; !c && k < s->n_by; k++) {
        const struct tr_table_column *is = s->by[k].is;
        size_t at = (size_t)(is - type->columns);
        bool text = s->first[at] && !(is->member == TR_MEMBER_OWN && type->own->compare);
        c = text ? tr__compare_texts(is, s->texts[0][at], s->texts[1][at]) : tr__row_compare(s->r, is, a + 1, b + 1);
        c = s->by[k].descends ? -c : c;
    }
    return c ? c : (a->row > b->row) - (a->row < b->row);
}

static enum tr_status sort_file(struct sorting *s, struct tr_error *err)
{
    size_t n = s->r->type->n_columns;
    struct tr_buf packed = { 0 };
    s->texts[0] = calloc(n, sizeof *s->texts[0]);
    s->texts[1] = calloc(n, sizeof *s->texts[1]);
    if (!s->texts[0] || !s->texts[1] || !(s->first || find_first(s)) || !find_places(s))
        return tr_fail_memory(err);
    enum tr_status st = tr_record_sort_new(&s->file, s->r->max_memory, s->r->temp_dir, compare_packed, s, err);
    for (size_t i = 0; st == TR_OK && i < s->r->n; i++)
        st = pack(s, i, &packed) ? tr_record_sort_add(s->file, packed.data, packed.len, err) : tr_fail_memory(err);
    tr_buf_free(&packed);
    return st == TR_OK ? tr_record_sort_merge(s->file, err) : st;
}

/* The next row in the order; TR_END: no more.  texts: its texts by column of the type; NULL: in the row. */
static enum tr_status next_row(struct sorting *s, const void **row, uint32_t *place, struct tr_str **texts,
                               struct tr_error *err)
{
    const struct sorted *e;
    const void *packed;
    size_t n;
    *texts = NULL;
    if (!s->file) {
        if (s->next == s->r->n)
            return TR_END;
        e = entry(s->v, s->next++);
        *row = tr_rows_get(s->r, e->row);
        *place = e->place;
        return TR_OK;
    }
    enum tr_status st = tr_record_sort_next(s->file, &packed, &n, err);
    if (st != TR_OK)
        return st;
    e = packed;
    *row = e + 1;
    *place = e->place;
    unpack(s, e, s->texts[0]);
    *texts = s->texts[0];
    return TR_OK;
}

static enum tr_status sort_all(struct sorting *s, struct tr_error *err)
{
    if (s->r->at.in.file)
        return sort_file(s, err);
    return sort_rows(s) ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_rows_each(struct tr_rows *r, const char *order, tr_rows_take *take, void *self, struct tr_error *err)
{
    struct sorting s = { .r = r };
    const struct tr_row_type *type = r->type;
    struct tr_str *texts, *own = calloc(type->n_columns, sizeof *own);
    const void *row;
    uint32_t place;
    read_order(&s, order);
    enum tr_status st = own && find_first(&s) ? sort_all(&s, err) : tr_fail_memory(err);
    while (st == TR_OK && (st = next_row(&s, &row, &place, &texts, err)) == TR_OK) {
        for (size_t c = 0; !texts && c < type->n_columns; c++)
            if (s.first[c])
                own[c] = tr__row_text(r, row, &type->columns[c], (unsigned)c);
        st = take(self, row, texts ? texts : own, err);
    }
    free(own);
    sorting_free(&s);
    if (st == TR_END && r->failed)
        return tr_fail_memory(err);
    return st == TR_END ? TR_OK : st;
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
    return c != SIZE_MAX ? tr_table_column_at(t, c) : name ? tr__row_column(type, name, strlen(name)) : NULL;
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
};

/* A column of the table. */
struct column {
    const struct tr_table_column *is, *of, *within; /* of: of a share */
    const struct tr_table_column *text;             /* of the type; NULL: it has no text that may be packed */
};

struct printing {
    struct tr_rows *r;
    struct tr_table *t;
    struct tr_rows_cut cut;
    const struct tr_table_column *limited; /* the column that a ratio refers to; NULL: none */
    const struct tr_table_column *within;  /* of the limit */
    struct column *columns;
    uint32_t n_columns;
    bool own;              /* texts are those of the rows' owner */
    struct wholes *wholes; /* by group; those of column n_columns are for the ratio */
    int64_t *of; /* by column: the wholes of one row */
    struct tr_str *texts;
    const bool *packed;    /* by column of the type: the texts of rows in a file have it */
    struct others *others; /* of one group */
    size_t n_others, cap_others;
};

static bool find_columns(struct printing *p)
{
    const struct tr_row_type *type = p->r->type;
    while (tr_table_column_at(p->t, p->n_columns))
        p->n_columns++;
    p->columns = calloc(p->n_columns + 1, sizeof *p->columns);
    p->of = calloc(p->n_columns + 1, sizeof *p->of);
    p->texts = calloc(p->n_columns + 1, sizeof *p->texts);
    for (uint32_t c = 0; p->columns && c < p->n_columns; c++) {
        const struct tr_table_column *is = tr_table_column_at(p->t, c);
        p->own |= is->member == TR_MEMBER_OWN;
        p->columns[c] = (struct column){ .is = is,
                                         .of = is_share(is) ? tr__row_column(type, is->of, strlen(is->of)) : NULL,
                                         .within = named(type, p->t, is->within),
                                         .text = tr__row_has_text(is)
                                                     ? tr__row_column(type, is->name, strlen(is->name))
                                                     : NULL };
    }
    return p->columns && p->of && p->texts;
}

/* Add all rows to the wholes of their groups, as they are stored.  False: out of memory. */
static bool add_wholes(struct printing *p)
{
    bool ok = (p->wholes = calloc(p->r->groups->n_groups + 1, sizeof *p->wholes)) != NULL;
    for (size_t i = 0; ok && i < p->r->n; i++) {
        const void *row = tr_rows_get(p->r, i);
        struct wholes *w = &p->wholes[*(const uint32_t *)row];
        for (uint32_t c = 0; ok && c <= p->n_columns; c++) {
            const struct tr_table_column *of = c == p->n_columns ? p->limited : p->columns[c].of;
            const struct tr_table_column *within = c == p->n_columns ? p->within : p->columns[c].within;
            struct whole *to = of ? whole_of(w, c, within_of(within, row)) : NULL;
            ok = !of || to;
            if (to)
                to->sum = tr_time_sum(to->sum, tr__row_integer(row, of));
        }
    }
    return ok;
}

/* Do the rows that others sum up differ in a column? */
static bool differ_in(const struct printing *p, const struct others *of, const char *name)
{
    size_t c = tr_table_find(p->t, name);
    return c == SIZE_MAX || of->differ[c];
}

/* texts: by column of the type, NULL: in the row; of: the rows that it sums up, NULL: it is one row. */
static void print_row(struct printing *p, const void *row, const struct tr_str *texts, const struct others *of)
{
    for (uint32_t c = 0; c < p->n_columns; c++) {
        const struct column *at = &p->columns[c];
        bool known = is_share(at->is) && !(of && at->is->within && differ_in(p, of, at->is->within));
        struct wholes *w = &p->wholes[*(const uint32_t *)row];
        const struct whole *whole = known ? whole_of(w, c, within_of(at->within, row)) : NULL;
        p->of[c] = whole ? whole->sum : TR_TIME_NONE;
        if (texts && at->text && p->packed[at->text - p->r->type->columns])
            p->texts[c] = texts[at->text - p->r->type->columns];
        else if ((texts || p->own) && at->text)
            p->texts[c] = tr__row_text(p->r, row, at->is, c);
    }
    const struct tr_row out = { .group = tr_rows_group(p->r, row),
                                .row = row,
                                .wholes = p->of,
                                .n_rows = of ? of->n_rows : 1,
                                .label = of ? "others" : NULL,
                                .texts = texts || p->own ? p->texts : NULL,
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
    for (size_t c = 0; c < p->n_columns; c++) {
        const struct tr_table_column *is = p->columns[c].is;
        if (is->member && is->member != TR_MEMBER_GROUP && is->at < type->key_size)
            o->differ[c] = o->differ[c] || tr__row_compare(p->r, is, o->row, row) != 0;
    }
    return tr__row_merge(p->r, o->row, row, o->n_rows++ == 0);
}

/* The rows of a group have been printed: print the others. */
static void end_group(struct printing *p, bool print)
{
    for (size_t i = 0; i < p->n_others; i++) {
        if (print && p->others[i].row)
            print_row(p, p->others[i].row, NULL, &p->others[i]);
        if (p->others[i].row)
            tr__row_free(p->r->type, p->others[i].row);
        free(p->others[i].row);
        free(p->others[i].differ);
    }
    p->n_others = 0;
}

/* Print a row, or add it to the others beyond the limit.  False: out of memory. */
static bool show(struct printing *p, const void *row, const struct tr_str *texts)
{
    int64_t within = within_of(p->within, row);
    if ((p->cut.skip && p->cut.skip(p->cut.self, row)) || (p->r->skip && p->r->skip(p->r->skip_self, row)))
        return true;
    struct others *o = others_of(p, within);
    const struct whole *w = p->limited && o ? whole_of(&p->wholes[*(const uint32_t *)row], p->n_columns, within) : NULL;
    if (!o)
        return false;
    bool reached = (p->cut.top && o->kept >= p->cut.top) ||
                   (w && o->kept && (double)o->sum >= p->cut.ratio * (double)w->sum);
    if (o->row || reached)
        return cut_off(p, o, row);
    o->kept++;
    o->sum = w ? tr_time_sum(o->sum, tr__row_integer(row, p->limited)) : 0;
    print_row(p, row, texts, NULL);
    return true;
}

static enum tr_status show_rows(struct printing *p, struct sorting *s, struct tr_error *err)
{
    const void *row;
    struct tr_str *texts;
    uint32_t place, last = UINT32_MAX;
    enum tr_status st;
    while ((st = next_row(s, &row, &place, &texts, err)) == TR_OK) {
        if (place != last)
            end_group(p, true);
        last = place;
        if (!show(p, row, texts))
            return tr_fail_memory(err);
    }
    if (st == TR_END)
        end_group(p, true);
    return st == TR_END ? tr_table_status(p->t, err) : st;
}

enum tr_status tr_rows_finish(struct tr_rows *r, struct tr_table *t, const struct tr_rows_cut *cut,
                              struct tr_error *err)
{
    struct sorting s = { .r = r };
    struct printing p = { .r = r, .t = t };
    if (cut)
        p.cut = *cut;
    read_order(&s, r->type->order);
    p.limited = s.n_by && p.cut.ratio > 0 && p.cut.ratio < 1 ? s.by[0].is : NULL;
    p.within = named(r->type, t, p.cut.within);
    enum tr_status st = find_columns(&p) && add_wholes(&p) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = sort_all(&s, err);
    p.packed = s.first;
    if (st == TR_OK)
        st = show_rows(&p, &s, err);
    end_group(&p, false);
    for (size_t g = 0; p.wholes && g < r->groups->n_groups; g++)
        free(p.wholes[g].v);
    free(p.wholes);
    free(p.columns);
    free(p.texts);
    free(p.others);
    free(p.of);
    sorting_free(&s);
    return st == TR_OK && r->failed ? tr_fail_memory(err) : st;
}
