/* SPDX-License-Identifier: MIT */
/*
 * Text of tables: what its files share.
 *
 * Rows are measured as they come and kept as the text of their cells, a tab after each; names as numbers, so
 * that each name is held once.  When all are known, it is settled which columns are printed and how wide they
 * are; names that are longer than their column are cut; then lines are laid out.
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
    bool key;        /* tells rows apart, so it stays */
    bool last;       /* texts that can be long: at the end of the line */
    bool telling;    /* some cell says something */
    bool main;       /* what the table is about, or rows are ordered by */
    struct tr__cell first; /* of numbers: that of the first row */
    size_t header;   /* columns of the terminal that its name takes */
    size_t widest;   /* likewise its widest cell, of times without the decimals */
    size_t decimals; /* of times: those that some cell needs, in threes */
    size_t width;    /* as it is printed */
    struct tr_strtab *texts; /* its distinct cells, of columns of text; NULL: numbers */
    struct tr__form *forms;  /* by number of the text */
    struct tr_arena *cut;    /* what forms that are no whole texts point to */
};

/* Columns of the table that are printed side by side. */
struct tr__text_block {
    size_t *list; /* into columns */
    size_t n;
    size_t share; /* place in the list of the column that has a bar; SIZE_MAX: none has */
    size_t bar;   /* how wide it is */
};

struct tr__layout {
    struct tr__text_column *columns;
    size_t n_columns;
    struct tr_buf rows;     /* all of them; of those in a file a piece */
    struct tr_temp *temp;   /* NULL: all are held */
    uint64_t n_rows, read;  /* read: how far the file has been read */
    size_t at;              /* in rows: the next one to print */
    size_t *list;           /* columns that are printed, in their order */
    size_t n_list, n_keys;  /* of them the first n_keys are repeated in each block */
    size_t next;            /* the first that no block had yet */
    bool planned, turned, begun, done;
    struct tr__text_block block;
};

/* Room between columns. */
enum { TR__TEXT_GAP = 2 };

/* A column's width if nothing is cut. */
static inline size_t tr__natural(const struct tr__text_column *c)
{
    size_t widest = c->widest + (c->decimals ? c->decimals + 1 : 0);
    return widest > c->header ? widest : c->header;
}

/* The number of a text from the digits that stand for it in the rows. */
static inline uint32_t tr__text_number(const unsigned char *s)
{
    uint32_t n = 0;
    for (; *s >= '0' && *s <= '9'; s++)
        n = 10 * n + (uint32_t)(*s - '0');
    return n;
}

/* tr_text_layout.c */

/* Settle which columns are printed.  Afterwards the first block is next.  False: out of memory. */
bool tr__layout_plan(const struct tr_table *t, struct tr__layout *l);
/* Settle the next block: its columns, their widths, their names.  False: out of memory. */
bool tr__layout_block(const struct tr_table *t, struct tr__layout *l);

/* tr_text_names.c */

/*
 * The forms of a column's texts, at most c->width columns of the terminal each.  What is longer is cut in the
 * middle; where that would make two of them alike, elsewhere, so that it shows how they differ; where that does
 * not help either, they end in numbers.  False: out of memory.
 */
bool tr__text_forms(struct tr__text_column *c);
void tr__text_forms_free(struct tr__text_column *c);

#endif
