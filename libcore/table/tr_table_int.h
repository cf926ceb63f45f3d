/* What the table and its sinks share; not for users of libcore. */
#ifndef TR_TABLE_INT_H
#define TR_TABLE_INT_H

#include "table/tr_table.h"

struct tr__cell {
    bool absent;
    union {
        int64_t i;
        uint64_t u;
        double d;
        struct {
            size_t at, len; /* in strings */
        } s;
    } v;
};

struct tr__column {
    struct tr_table_column is; /* texts in the table's arena */
    char *printed;       /* its name with the unit */
};

struct tr_table {
    enum tr_unit unit;
    size_t width; /* of a line of text, 0: any */
    struct tr_arena *texts;
    struct tr__column *cols;
    size_t n_cols, cap_cols;
    struct tr_arrange arrange; /* texts in the arena */
    bool ready;                /* shown and sort_by are found */
    size_t *shown;             /* columns that are printed, in their order */
    size_t n_shown;
    size_t sort_by; /* SIZE_MAX: rows as they come */
    bool descending;
    struct tr__cell *cells; /* row by row */
    size_t n_cells, cap_cells;
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
    struct tr__aside *aside; /* NULL: none are */
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

/* The rows are printed: forget them. */
void tr__forget_rows(struct tr_table *t);

/* tr_table_arrange.c: sort, cut at top.  Sets order.  False: out of memory. */
bool tr__arrange(struct tr_table *t);

/* tr_cell_text.c: what all formats print alike. */

/* The plain text of a cell that is not absent and no string: digits, sign, point. */
bool tr__cell_number(const struct tr_table *t, const struct tr__column *column,
                     const struct tr__cell *cell, struct tr_buf *out);

static inline const unsigned char *tr__cell_string(const struct tr_table *t, const struct tr__cell *cell)
{
    return t->strings.data + cell->v.s.at;
}

/* Length of the UTF-8 sequence at s (1 to 4), or 0 if there is none; n > 0 bytes are left. */
size_t tr__utf8(const unsigned char *s, size_t n);
/* A byte as two hexadecimal digits after some text. */
bool tr__add_hex(struct tr_buf *out, const char *before, unsigned value);
/* A string as TSV has it, which is also how Markdown and TSV print names of columns. */
bool tr__add_tsv(struct tr_buf *out, const unsigned char *s, size_t n);

/* A format whose lines are cells with marks before, between and after them. */
struct tr__lines {
    const char *before, *between, *after;
    bool (*string)(struct tr_buf *out, const unsigned char *s, size_t n);
    bool (*name)(struct tr_buf *out, const unsigned char *s, size_t n);
    bool (*below_header)(const struct tr_table *t, struct tr_buf *out); /* NULL: nothing */
};
enum tr_status tr__lines_rows(struct tr_table *t, const struct tr__lines *f, struct tr_buf *out,
                              struct tr_error *err);

/* sink_text.c */
void tr__text_free(struct tr_table *t);

#endif
