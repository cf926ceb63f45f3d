/* SPDX-License-Identifier: MIT */
/*
 * Books: outputs that hold several tables.  A database, for example.
 *
 *     st = tr_book_open(&book, &tr_row_sink_sqlite, &about, &err);
 *     st = tr_book_table(book, "kernel", t, &err);     for each table, before its first row
 *     ...rows, tr_table_end(t, &err)...                in any order, also at the same time
 *     st = tr_book_end(book, &err);                    all tables are in the file
 *     tr_book_free(book);                              in any case; without tr_book_end, the file has nothing new
 *
 * Tables are written as they are described: whole numbers exactly, times as whole ns (xlsx: in any unit), absent cells
 * as nothing.  Texts are those of JSON: invalid UTF-8 becomes U+FFFD.
 *
 *   sqlite  a table of the database for each table, with its name; columns have the printed names.  Rows begin with
 *           run_id, the number of a row of the table runs (id, command, inputs, time).  An existing database of
 *           tracepipe is added to in one transaction.
 *   xlsx    a sheet of a workbook for each table: the header stays in view and has filters, shares have bars.  Numbers
 *           of more than 15 digits are texts, because Excel would lose digits.
 */
#ifndef TR_BOOK_H
#define TR_BOOK_H

#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_book;

/* Of a run.  Texts are borrowed until the book is open. */
struct tr_book_about {
    const char *path; /* sqlite: the file, which exists; empty unless add */
    enum tr_status (*write)(void *self, const void *bytes, size_t n, struct tr_error *err); /* xlsx: to the file */
    void *self;
    const char *name; /* of the file in messages */
    bool add;         /* to what it has */
    const char *command;
    const char *const *inputs;
    size_t n_inputs;
    int64_t time;     /* seconds since 1970 */
};

/* The functions of a kind of book, for a struct tr_row_sink. */
struct tr_book_kind {
    bool adds;     /* to a file that exists, by its path; other kinds replace it */
    bool any_unit; /* of times; others have whole ns */
    const char *library; /* that it needs; NULL: none */
    /* *book is set also on failure, unless memory ran out. */
    enum tr_status (*open)(struct tr_book **book, const struct tr_book_about *about, struct tr_error *err);
    enum tr_status (*table)(struct tr_book *book, const char *name, struct tr_table *t, struct tr_error *err);
    enum tr_status (*sql)(struct tr_book *book, const char *sql, struct tr_error *err); /* NULL: nothing */
    enum tr_status (*end)(struct tr_book *book, struct tr_error *err);
    void (*free)(struct tr_book *book);
};

struct tr_book { /* what each kind starts with */
    const struct tr_book_kind *kind;
};

/*
 * TR_DAMAGED: the file is not a database of tracepipe, is locked or read-only, or has such a table with other columns.
 * TR_USAGE: there is no library for the format.  TR_SYSTEM: the file cannot be written.  Also of the functions
 * below, and of the ends of tables.
 */
enum tr_status tr_book_open(struct tr_book **book, const struct tr_row_sink *sink, const struct tr_book_about *about,
                            struct tr_error *err);

/* The book becomes the output of a table (tr_table_output). */
enum tr_status tr_book_table(struct tr_book *book, const char *name, struct tr_table *t, struct tr_error *err);
/* Statements of SQL that make its tables easier to use, such as indexes.  Nothing in books that are no databases. */
enum tr_status tr_book_sql(struct tr_book *book, const char *sql, struct tr_error *err);
enum tr_status tr_book_end(struct tr_book *book, struct tr_error *err);
void tr_book_free(struct tr_book *book); /* NULL is allowed */

extern const struct tr_row_sink tr_row_sink_sqlite, tr_row_sink_xlsx;

#ifdef __cplusplus
}
#endif
#endif
