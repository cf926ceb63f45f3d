/* SPDX-License-Identifier: MIT */
/* What the table and its sinks share; not for users of libcore. */
#ifndef TR_TABLE_INT_H
#define TR_TABLE_INT_H

#include "table/tr_table.h"

#include <string.h>

struct tr__cell {
    bool absent;
    bool lost; /* absent because it does not fit: so is what is calculated from it */
    uint8_t decimals; /* of TR_CELL_DOUBLE: so many, and one; 0: as few as give it back */
    bool real; /* a time that was given as v.t.exact */
    union {
        int64_t i;
        uint64_t u;
        double d; /* also where it is infinite, and so absent */
        struct {
            int64_t ns; /* i */
            double exact;
        } t;
        struct {
            size_t at, len; /* in strings */
        } s;
    } v;
};

struct tr__column {
    struct tr_table_column is; /* texts in the table's arena */
    char *printed;       /* its name with the unit */
};

/* Rows are ordered by several columns, the first that tells them apart. */
#define TR__MAX_ORDER 6u
struct tr__order {
    size_t by;
    enum { TR__ASC, TR__DESC, TR__SIZE } how; /* TR__SIZE: by the absolute value, largest first */
};

struct tr_table {
    enum tr_unit unit;
    size_t width; /* of a line of text, 0: any */
    bool colour;  /* the header of text stands out */
    struct tr_arena *texts;
    struct tr__column *cols;
    size_t n_cols, cap_cols;
    struct tr_arrange arrange; /* texts in the arena */
    bool arranged;             /* a user can ask for other columns */
    bool ready;                /* shown, sort and keys are found */
    size_t *keys;              /* columns of role group, then those of role key */
    size_t n_group, n_keys;
    size_t *shown;             /* columns that are printed, in their order */
    size_t n_shown;
    const char *own_order;     /* unless the user asks for another; in the arena, NULL: as they come */
    struct tr__order sort[TR__MAX_ORDER];
    size_t n_sort; /* 0: rows as they come */
    struct tr__cell *cells; /* row by row */
    size_t n_cells, cap_cells;
    bool *hidden; /* by row, as far as n_hidden goes; NULL: none is */
    size_t n_hidden, cap_hidden;
    size_t total; /* the first of the rows that stay at the end; SIZE_MAX: there are none */
    size_t *order; /* rows as they are printed; NULL: as they came */
    size_t n_order;
    struct tr_buf strings;
    const struct tr_row_sink *sink;
    tr_table_out *out;
    void *out_self;
    struct tr_buf text; /* for the output */
    struct tr_error err; /* the first thing that went wrong */
    bool begun;          /* the header has been written */
    char *temp_dir;          /* for rows of text that are put aside; NULL: they are held */
    struct tr__layout *layout; /* of text; NULL: there is none yet */
    size_t n_written;        /* rows flushed so far */
};

/* Rows to be printed now, and the cell of one under a printed column. */
static inline size_t tr__rows(const struct tr_table *t)
{
    return t->order ? t->n_order : tr_table_rows(t);
}

static inline const struct tr__cell *tr__cell_at(const struct tr_table *t, size_t row, size_t shown)
{
    return &t->cells[(t->order ? t->order[row] : row) * t->n_cols + t->shown[shown]];
}

static inline const struct tr__column *tr__column_at(const struct tr_table *t, size_t shown)
{
    return &t->cols[t->shown[shown]];
}

/* Nothing more comes: rows get the order in which they are printed.  Once more changes nothing. */
void tr__table_complete(struct tr_table *t);
/* The rows are printed: forget them. */
void tr__forget_rows(struct tr_table *t);

static inline struct tr__cell *tr__cell_of(const struct tr_table *t, size_t row, size_t col)
{
    return &t->cells[row * t->n_cols + col];
}

/* Do its cells count bytes? */
static inline bool tr__is_bytes(const struct tr_table_column *is)
{
    return is->unit && strcmp(is->unit, "bytes") == 0 && (is->type == TR_CELL_INT || is->type == TR_CELL_COUNT);
}

/* tr_table_arrange.c: sort, cut at top.  Sets order.  False: out of memory. */
bool tr__arrange(struct tr_table *t);
/* Are all rows needed before the first is printed? */
static inline bool tr__needs_all(const struct tr_table *t)
{
    return t->n_sort || t->arrange.top || t->arrange.shorten || t->hidden || t->total != SIZE_MAX;
}
/* The column of a name; SIZE_MAX: there is none. */
size_t tr__find_column(const struct tr_table *t, const char *s, size_t len);
/* Sort rows by group and key; stable.  scratch: n numbers. */
void tr__sort_by_key(const struct tr_table *t, size_t *rows, size_t *scratch, size_t n);

/* tr_table_fold.c: rows that are put together, as the roles of their columns tell. */

/* Of two cells of one type that are there, in two tables or one. */
int tr__compare(enum tr_cell type, const struct tr_table *a, const struct tr__cell *x, const struct tr_table *b,
                const struct tr__cell *y);
/*
 * The order of a row of a and one of b by columns [from, to) of their keys, absent cells last; columns are
 * alike.
 */
int tr__compare_keys(const struct tr_table *a, size_t x, const struct tr_table *b, size_t y, size_t from, size_t to);
/* A new row that begins as a copy of another, with a name.  SIZE_MAX: out of memory. */
size_t tr__fold_begin(struct tr_table *t, size_t row, const char *name);
/* Figures that several rows do not determine are absent from now on. */
void tr__fold_blank(struct tr_table *t, size_t row);
void tr__fold_add(struct tr_table *t, size_t into, size_t row);
/* All rows are in: what follows from other columns.  False: out of memory. */
bool tr__fold_end(struct tr_table *t, size_t row);
/* to less from; absent if one of them is, or it does not fit.  Of counts it is an integer. */
struct tr__cell tr__minus(enum tr_cell type, const struct tr__cell *to, const struct tr__cell *from);
/* As a number, where it is rounded too; NaN: absent. */
double tr__number(enum tr_cell type, const struct tr__cell *cell);
double tr__percent(double of, double per);
/* "added" and so on. */
const char *tr__change(uint64_t base, uint64_t test);

/* tr_cell_text.c: what all formats print alike. */

/* The plain text of a cell that is not absent and no string: digits, sign, point. */
bool tr__cell_number(const struct tr_table *t, const struct tr__column *column,
                     const struct tr__cell *cell, struct tr_buf *out);

static inline const char *tr__cell_string(const struct tr_table *t, const struct tr__cell *cell)
{
    return (const char *)t->strings.data + cell->v.s.at;
}

/* A format whose lines are cells with marks before, between and after them. */
struct tr__lines {
    const char *before, *between, *after;
    bool (*string)(struct tr_buf *out, const char *s, size_t n);
    bool (*name)(struct tr_buf *out, const char *s, size_t n);
    bool (*below_header)(const struct tr_table *t, struct tr_buf *out); /* NULL: nothing */
};
enum tr_status tr__lines_rows(struct tr_table *t, const struct tr__lines *f, struct tr_buf *out,
                              struct tr_error *err);

/* tr_row_sink_text.c */
void tr__text_free(struct tr_table *t);

#endif
