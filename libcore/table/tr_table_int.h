/* SPDX-License-Identifier: MIT */
/* What the table and its sinks share; not for users of libcore. */
#ifndef TR_TABLE_INT_H
#define TR_TABLE_INT_H

#include "table/tr_table.h"

#include <string.h>

#define TR__DIGITS 1u

struct tr__cell {
    bool absent;
    bool lost; /* absent because it does not fit; figures that are calculated from it are absent, too */
    /* Of TR_CELL_DOUBLE: their number + 1; 0: the fewest digits that give back the same number.  Of TR_CELL_STRING:
     * TR__DIGITS, if the text is a number, or true or false (tr_table_digits). */
    uint8_t decimals;
    bool real; /* a time that was given as v.t.exact */
    union {
        int64_t i;
        uint64_t u;
        double d; /* set even if it is infinite, and the cell therefore absent */
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
    size_t of, per, with; /* the columns that is.of, is.per, is.with name; SIZE_MAX: none; set by tr_table_row */
};

/* Rows are ordered by the first of these columns in which they differ. */
#define TR__MAX_ORDER 6u
struct tr__order {
    size_t by;
    enum { TR__ASC, TR__DESC, TR__SIZE } how; /* TR__SIZE: by the absolute value, largest first */
};

struct tr_table {
    enum tr_unit unit;
    size_t width; /* of a line of text, 0: any */
    bool colour;  /* text highlights the header */
    struct tr_arena *texts;
    struct tr__column *cols;
    size_t n_cols, cap_cols;
    struct tr_arrange arrange; /* texts in the arena */
    bool arranged;             /* a user can choose columns */
    bool cut;                  /* not all rows were asked for, whoever limits them */
    bool ready;                /* shown, sort and keys are set */
    size_t top_per;            /* the column of arrange.top_per; SIZE_MAX: none */
    size_t *keys;              /* columns of role group, then those of role key */
    size_t n_group, n_keys;
    size_t *shown;             /* columns that are printed, in their order */
    size_t n_shown;
    bool hold;                 /* rows stay in memory until the end */
    struct tr_go_on go_on;
    size_t unasked;            /* rows since it was asked */
    bool kept;                 /* and also after they were written: it is printed again */
    bool no_figures;           /* only texts, groups and keys have values */
    const char *own_order;     /* the default order; in the arena; NULL: rows as they were added */
    struct tr__order sort[TR__MAX_ORDER];
    size_t n_sort; /* 0: rows as they were added */
    struct tr__cell *cells; /* row by row */
    size_t n_cells, cap_cells;
    struct tr_spilling cells_in, strings_in; /* where cells and strings are */
    bool *hidden; /* by row, for the first n_hidden rows; NULL: no row is hidden */
    size_t n_hidden, cap_hidden;
    size_t n_totals; /* rows at the end of order that are totals */
    size_t total; /* the first total; it and all rows after it stay at the end; SIZE_MAX: none */
    size_t *order; /* rows in the order of printing; NULL: as they were added */
    size_t n_order;
    struct tr_buf strings;
    const struct tr_row_sink *sink;
    const struct tr_picture *picture; /* for sinks that draw; NULL: what the columns suggest */
    tr_table_out *out;
    void *out_self;
    bool linked; /* of and per of columns are set */
    struct tr_str (*string)(const void *self, uint32_t number); /* NULL: rows have no numbers of strings */
    const void *string_self;
    struct tr_buf text; /* for the output */
    struct tr_error err; /* the first failure */
    bool started;        /* the header has been written */
    char *temp_dir;          /* folder for rows of text; NULL: they stay in memory */
    struct tr__layout *layout; /* of text; NULL: there is none yet */
    size_t n_written;        /* rows written so far */
};

static inline struct tr__cell *tr__cell_of(const struct tr_table *t, size_t row, size_t col)
{
    tr_spilling_touched(&t->cells_in);
    return &t->cells[row * t->n_cols + col];
}

/* The number of rows to print now, and the cell of such a row in a printed column. */
static inline size_t tr__rows(const struct tr_table *t)
{
    return t->order ? t->n_order : tr_table_rows(t);
}

static inline const struct tr__cell *tr__cell_at(const struct tr_table *t, size_t row, size_t shown)
{
    return tr__cell_of(t, t->order ? t->order[row] : row, t->shown[shown]);
}

static inline const struct tr__column *tr__column_at(const struct tr_table *t, size_t shown)
{
    return &t->cols[t->shown[shown]];
}

/* All rows are added: put them in the order of printing.  A second call changes nothing. */
void tr__table_complete(struct tr_table *t);
/* The rows are printed: forget them, unless they are kept. */
void tr__forget_rows(struct tr_table *t);

/* A new row, with room for all of its cells.  False: there was a failure, or the last row is not complete. */
bool tr__row_open(struct tr_table *t);
/* Room for so many cells in all, and for so many bytes after the strings.  False: out of memory. */
bool tr__cells_reserve(struct tr_table *t, size_t n);
bool tr__strings_reserve(struct tr_table *t, size_t more);

/* Are its cells numbers of bytes? */
static inline bool tr__is_bytes(const struct tr_table_column *is)
{
    return is->unit && strcmp(is->unit, "bytes") == 0 && (is->type == TR_CELL_INT || is->type == TR_CELL_COUNT);
}

/* tr_table_arrange.c: sort the rows, and combine those after top.  Sets order.  False: out of memory. */
bool tr__arrange(struct tr_table *t);
/* Are all rows needed before the first one can be printed? */
static inline bool tr__needs_all(const struct tr_table *t)
{
    return t->hold || (t->sink && t->sink->draws) || t->n_sort || t->arrange.top || t->arrange.shorten || t->hidden ||
           t->total != SIZE_MAX;
}
/* Is it a figure, which can be compared over rows: no name, number of a thing, moment or rank? */
static inline bool tr__is_figure(const struct tr_table_column *is)
{
    static const unsigned roles = 1u << TR_ROLE_SUM | 1u << TR_ROLE_COUNT | 1u << TR_ROLE_MIN | 1u << TR_ROLE_MAX |
                                  1u << TR_ROLE_INCLUSIVE | 1u << TR_ROLE_SHARE | 1u << TR_ROLE_RATIO |
                                  1u << TR_ROLE_DIFFERENCE | 1u << TR_ROLE_QUANTILE | 1u << TR_ROLE_MEAN;
    return tr_cell_is_number(is->type) && (roles >> is->role & 1);
}
/* The column with this name; SIZE_MAX: there is none. */
size_t tr__find_column(const struct tr_table *t, const char *s, size_t len);
/* Sort rows by group and key; stable.  scratch: n numbers. */
void tr__sort_by_key(const struct tr_table *t, size_t *rows, size_t *scratch, size_t n);

/* tr_table_fold.c: combines rows, as the roles of their columns say. */

/* The order of two present cells of one type, in two tables or one. */
int tr__compare(enum tr_cell type, const struct tr_table *a, const struct tr__cell *x, const struct tr_table *b,
                const struct tr__cell *y);
/*
 * The order of a row of a and a row of b by columns [from, to) of their keys, absent cells last.  Both tables have the
 * same columns.
 */
int tr__compare_keys(const struct tr_table *a, size_t x, const struct tr_table *b, size_t y, size_t from, size_t to);
/* Add a combined row, at first a copy of row, with a name.  SIZE_MAX: out of memory. */
size_t tr__fold_start(struct tr_table *t, size_t row, const char *name);
/* Make the figures absent that cannot be calculated from several rows. */
void tr__fold_blank(struct tr_table *t, size_t row);
void tr__fold_add(struct tr_table *t, size_t into, size_t row);
/* All rows are added: calculate the figures that follow from other columns.  False: out of memory. */
bool tr__fold_end(struct tr_table *t, size_t row);
/* to - from; absent if one of them is absent, or the result does not fit.  The difference of counts is an integer. */
struct tr__cell tr__minus(enum tr_cell type, const struct tr__cell *to, const struct tr__cell *from);
/* The value as a number, without the rounding for print; NaN: absent. */
double tr__number(enum tr_cell type, const struct tr__cell *cell);
double tr__percent(double of, double per);
/* "added" and so on. */
const char *tr__change(uint64_t base, uint64_t test);

/* tr_cell_text.c: the parts of a cell that are the same in all formats. */

/* The plain text of a cell that is present and not a string: digits, sign, point. */
bool tr__cell_number(const struct tr_table *t, const struct tr__column *column,
                     const struct tr__cell *cell, struct tr_buf *out);

static inline const char *tr__cell_string(const struct tr_table *t, const struct tr__cell *cell)
{
    tr_spilling_touched(&t->strings_in);
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
