/* SPDX-License-Identifier: MIT */
/*
 * Reading of SQLite databases, for formats that are such.  Internal to libcore.
 *
 * libsqlite3 gets the bytes of the input, so that may be a file, or the copy of a pipe or of what was compressed; no
 * file beside it is opened, and nothing is changed.  Columns are asked for by name, and one that is not there has no
 * values.
 * After damage in a table, its rows are read from the last one back to the damage.  Which rows of a damaged page
 * libsqlite3 gives may differ from run to run: a cell that goes beyond its page is read from what follows in memory.
 *
 *     struct tr__scan rows = { 0 };
 *     st = tr__db_open(&db, g, "...", err);
 *     st = tr__scan_start(&rows, db, "KERNELS", columns, n, err);
 *     while (st == TR_OK && (st = tr__scan_next(&rows, err)) == TR_OK)
 *         ...tr__scan_int(&rows, 0)...
 *     tr__scan_end(&rows);
 *     tr__db_close(db);
 */
#ifndef TR_SQLITE_INT_H
#define TR_SQLITE_INT_H

#include "base/tr_str.h"
#include "ingest/tr_ingest.h"

#define TR__SCAN_COLUMNS 32u /* most columns that are asked for */

/* Does an input start as a database, and as one of tracepipe's own?  And does its start have one of these names? */
bool tr__db_starts(const unsigned char *p, size_t n);
bool tr__db_is_own(const unsigned char *p, size_t n);
bool tr__db_start_has(const unsigned char *p, size_t n, const char *const *names, size_t n_names);

struct tr__db;

/*
 * Open the input of g.  what: its format, for messages.  TR_OK; TR_DAMAGED: it is no database that can be read, or
 * there is no libsqlite3; TR_SYSTEM.  A database that is cut is counted as damage.
 */
enum tr_status tr__db_open(struct tr__db **out, struct tr_ingest *g, const char *what, struct tr_error *err);
void tr__db_close(struct tr__db *db); /* NULL is allowed */

/* The names of its tables and views, in the order of the database.  NULL: there are no more. */
const char *tr__db_table(const struct tr__db *db, size_t i);
/* The table of this name; of several with _V2, _V3 and so on after it, the one with the highest number. */
const char *tr__db_find(const struct tr__db *db, const char *name);
bool tr__db_is_view(const struct tr__db *db, const char *table); /* table: as one of these two gave it */
/* About how many rows a table has: its highest row number; 0: unknown.  TR_OK, or a failure. */
enum tr_status tr__db_about_rows(struct tr__db *db, const char *table, int64_t *n, struct tr_error *err);

struct sqlite3_stmt;

/* The rows of a table. */
struct tr__scan {
    struct tr__db *db;
    struct sqlite3_stmt *rows;
    const char *table;
    const char *const *columns;
    size_t n;
    int at[TR__SCAN_COLUMNS]; /* of the row; -1: the table has no such column */
    bool numbered;            /* its rows have numbers, which grow */
    bool started, back;       /* back: it is read from its end, to the last row before the damage */
    int64_t first, last;      /* row numbers: of the last row before the damage; of the row before this one */
    uint64_t n_rows;
    bool doubt; /* a value was not of the type that it was asked for; the caller resets it */
};

/* TR_OK; TR_END: there is no such table, or it has none of the columns; TR_SYSTEM. */
enum tr_status tr__scan_start(struct tr__scan *s, struct tr__db *db, const char *table, const char *const *columns,
                              size_t n, struct tr_error *err);
enum tr_status tr__scan_next(struct tr__scan *s, struct tr_error *err); /* TR_OK: a row; TR_END; TR_SYSTEM */
void tr__scan_end(struct tr__scan *s);

/* The value of a column in the row; TR_I64_NONE, false, or s NULL: there is none. */
int64_t tr__scan_int(struct tr__scan *s, size_t column);
bool tr__scan_real(struct tr__scan *s, size_t column, double *value);
bool tr__scan_has(struct tr__scan *s, size_t column); /* a value of any type */
bool tr__scan_empty(struct tr__scan *s, size_t column); /* none, or a text without bytes */
struct tr_str tr__scan_text(struct tr__scan *s, size_t column); /* until the next row */

/*
 * Start to look for rows by a number, in a column that each value is in once; tr__scan_end ends it, too.  TR_OK;
 * TR_END: it would be slow, because the table has no index for this, or there is no such table; TR_SYSTEM.
 */
enum tr_status tr__find_start(struct tr__scan *s, struct tr__db *db, const char *table, const char *id,
                              const char *const *columns, size_t n, struct tr_error *err);
/* TR_OK: the values are those of the row; TR_END: there is none, or it was not started; TR_SYSTEM. */
enum tr_status tr__find(struct tr__scan *s, int64_t id, struct tr_error *err);

#endif
