/* SPDX-License-Identifier: MIT */
/*
 * The internal state of tables as text.
 *
 * Rows are measured when they arrive, and kept as the text of their cells with a tab after each.  A name is kept once,
 * and rows have its number.  After the last row, the columns and their widths are chosen, names that are longer than
 * their column are cut, and lines are written.
 */
#ifndef TR_TEXT_INT_H
#define TR_TEXT_INT_H

#include "base/tr_strtab.h"
#include "table/tr_table_int.h"

/* A name as it is printed. */
struct tr__form {
    const char *s;
    size_t len, width; /* bytes, columns of the terminal */
};

struct tr__text_column {
    size_t col;      /* of the table */
    bool number;     /* to the right */
    bool is_time;    /* its cells have decimals that can be left out */
    bool key;        /* distinguishes rows, so it is always printed */
    bool last;       /* long texts: at the end of the line */
    bool informative;    /* some cell has information; see enum tr_quiet */
    bool main;       /* a main figure of the table, or rows are ordered by it */
    struct tr__cell first; /* of numbers: the cell of the first row */
    size_t header;   /* width of its name, in columns of the terminal */
    size_t widest;   /* width of its widest cell; of times without the decimals */
    size_t decimals; /* of times: decimals that some cell needs, in threes */
    size_t width;    /* printed width */
    struct tr_strtab *texts; /* its distinct cells, of columns of text; NULL: numbers */
    struct tr__form *forms;  /* by number of the text */
    struct tr_arena *cut;    /* texts of forms that were cut */
};

/* Columns of the table that are printed next to each other. */
struct tr__text_block {
    size_t *list; /* into columns */
    size_t n;
    size_t share; /* place in the list of the column that has a bar; SIZE_MAX: none has */
    size_t bar;   /* width of the bar */
};

struct tr__layout {
    struct tr__text_column *columns;
    size_t n_columns;
    struct tr_buf rows;     /* all rows; of rows in a file, one piece */
    struct tr_temp *temp;   /* NULL: all rows are in memory */
    uint64_t n_rows, read;  /* read: bytes of the file that have been read */
    size_t at;              /* in rows: the next one to print */
    size_t *list;           /* columns that are printed, in their order */
    size_t n_list, n_keys;  /* the first n_keys are repeated in each block */
    size_t next;            /* the first column that no block has printed yet */
    bool planned, turned, started, done;
    struct tr__text_block block;
};

/* Blanks between columns. */
enum { TR__TEXT_GAP = 2 };

/* The width of a column if nothing is cut. */
static inline size_t tr__natural(const struct tr__text_column *c)
{
    size_t widest = c->widest + (c->decimals ? c->decimals + 1 : 0);
    return widest > c->header ? widest : c->header;
}

/* The number of a text, from its digits in the rows. */
static inline uint32_t tr__text_number(const unsigned char *s)
{
    uint32_t n = 0;
    for (; *s >= '0' && *s <= '9'; s++)
        n = 10 * n + (uint32_t)(*s - '0');
    return n;
}

/* tr_text_layout.c */

/* Choose the columns to print.  Then the first block is next.  False: out of memory. */
bool tr__layout_plan(const struct tr_table *t, struct tr__layout *l);
/* Prepare the next block: its columns, their widths and names.  False: out of memory. */
bool tr__layout_block(const struct tr_table *t, struct tr__layout *l);

/* tr_text_names.c */

/*
 * The printed forms of a column's texts, at most c->width columns of the terminal each.  A longer text is cut in the
 * middle.  If two texts would then look alike, they are cut elsewhere, to show the difference.  If they still look
 * alike, they end in numbers.  False: out of memory.
 */
bool tr__text_forms(struct tr__text_column *c);
void tr__text_forms_free(struct tr__text_column *c);

#endif
