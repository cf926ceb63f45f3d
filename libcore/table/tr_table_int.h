/* What the table and its writers share; not for users of libcore. */
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
    char *name; /* as printed, with unit */
    enum tr_cell type;
    unsigned decimals;
};

struct tr_table {
    enum tr_unit unit;
    size_t width; /* of a line of text, 0: any */
    struct tr__column *cols;
    size_t n_cols, cap_cols;
    struct tr__cell *cells; /* row by row */
    size_t n_cells, cap_cells;
    struct tr_buf strings;
    enum tr_status status; /* of the first thing that went wrong */
    bool begun;            /* the header has been written */
    char *temp_dir;          /* for rows of text that are put aside; NULL: they are held */
    struct tr__aside *aside; /* NULL: none are */
    size_t n_written;      /* rows flushed so far */
};

/* The plain text of a cell that is not absent and no string: digits, sign, point. */
bool tr__cell_number(const struct tr_table *t, size_t column, const struct tr__cell *cell,
                     struct tr_buf *out);

/* Length of the UTF-8 sequence at s (1 to 4), or 0 if there is none; n > 0 bytes are left. */
size_t tr__utf8(const unsigned char *s, size_t n);

static inline const struct tr__cell *tr__cell_at(const struct tr_table *t, size_t row, size_t col)
{
    return &t->cells[row * t->n_cols + col];
}

/* A cell or the name of a column, as the format writes it.  False: out of memory. */
bool tr__add_cell(const struct tr_table *t, enum tr_table_format format, size_t col,
                  const struct tr__cell *cell, struct tr_buf *out);
bool tr__add_name(const struct tr_table *t, enum tr_table_format format, size_t col,
                  struct tr_buf *out);

/* Text: put the rows aside, which the caller then forgets; write the next piece, TR_END: the last. */
enum tr_status tr__text_put_aside(struct tr_table *t, struct tr_error *err);
enum tr_status tr__text_write(struct tr_table *t, struct tr_buf *out, struct tr_error *err);
void tr__text_free(struct tr_table *t);

static inline bool tr__is_number(enum tr_cell type)
{
    return type != TR_CELL_STRING;
}

#endif
