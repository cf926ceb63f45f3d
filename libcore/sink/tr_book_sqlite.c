/* SPDX-License-Identifier: MIT */
/*
 * Tables as an SQLite database.
 *
 * A new file is written without a journal: a file that is not complete is never seen.  In an existing one, all is one
 * transaction, so readers see all of a run or nothing, also after a crash.
 *
 * The library is loaded when the first database is opened: linking it would make each start a fifth slower.
 */
#include "sink/tr_book_int.h"

#ifndef HAVE_SQLITE3

static const struct tr_book_kind kind = { .adds = true, .library = "libsqlite3" }; /* it cannot be opened */
const struct tr_row_sink tr_row_sink_sqlite = { .name = "sqlite", .book = &kind };

#else

#include "base/tr_escape.h"
#include "base/tr_library.h"
#include "base/tr_num.h"
#include "table/tr_table_int.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* "trcp": what the file is for, in its header; and the version of the table runs. */
#define APPLICATION_ID 0x74726370
#define USER_VERSION   1

#define WAIT_MS 1000 /* for another program that writes */

/* ---- the library ---- */

/* Its functions that are used. */
#define FUNCTIONS(X) \
    X(bind_double, sqlite3_bind_double) X(bind_int64, sqlite3_bind_int64) X(bind_null, sqlite3_bind_null) \
    X(bind_text, sqlite3_bind_text) X(bind_text64, sqlite3_bind_text64) X(busy_timeout, sqlite3_busy_timeout) \
    X(close, sqlite3_close) X(column_int, sqlite3_column_int) X(column_int64, sqlite3_column_int64) \
    X(column_text, sqlite3_column_text) X(db_config, sqlite3_db_config) X(db_readonly, sqlite3_db_readonly) \
    X(errcode, sqlite3_errcode) X(errmsg, sqlite3_errmsg) X(exec, sqlite3_exec) \
    X(extended_result_codes, sqlite3_extended_result_codes) X(finalize, sqlite3_finalize) \
    X(last_insert_rowid, sqlite3_last_insert_rowid) X(open_v2, sqlite3_open_v2) X(prepare_v2, sqlite3_prepare_v2) \
    X(prepare_v3, sqlite3_prepare_v3) X(reset, sqlite3_reset) X(step, sqlite3_step) \
    X(system_errno, sqlite3_system_errno)
FUNCTIONS(TR_LIBRARY_LINKED)
struct functions {
    FUNCTIONS(TR_LIBRARY_MEMBER)
};
static const struct tr_library_function functions[] = { FUNCTIONS(TR_LIBRARY_FUNCTION) };

static const struct tr_book_kind kind;

struct book_table {
    struct sqlite_book *book;
    const char *name;
    sqlite3_stmt *insert;
    struct tr_buf *texts; /* by column: its cell of this row, if that is not UTF-8 */
    bool *bound;          /* by column: the row before had a value, which stays until it is bound again */
    size_t n;
};

struct sqlite_book {
    struct tr_book base;
    struct functions sqlite;
    sqlite3 *db;
    const char *path; /* for messages */
    bool adds;
    int64_t run; /* its id */
    struct tr_arena *arena;
    struct book_table **tables;
    size_t n, cap;
    const char **names; /* of the tables that have been made */
    size_t n_names, cap_names;
};

/* ---- failures ---- */

static enum tr_status fail(const struct sqlite_book *b, struct tr_error *err)
{
    const struct functions *f = &b->sqlite;
    int code = b->db ? f->errcode(b->db) & 0xff : SQLITE_NOMEM, reason = b->db ? f->system_errno(b->db) : 0;
    const char *what = b->db ? f->errmsg(b->db) : "";
    tr_error_input(err, b->path);
    switch (code) {
    case SQLITE_NOMEM:
        return tr_fail_memory(err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return tr_fail(err, TR_DAMAGED, "the database is locked by another program");
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return tr_fail(err, TR_DAMAGED, "the database is read-only");
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT: /* also if the disk fails while it is read */
        return errno == EIO ? tr_fail_sys(err, errno, "cannot read the database")
                            : tr_fail(err, TR_DAMAGED, "not a database of tracepipe, so nothing is added to it");
    case SQLITE_FULL:
        return tr_fail_sys(err, reason ? reason : ENOSPC, "cannot write the database");
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return tr_fail_sys(err, reason ? reason : EIO, "cannot write the database");
    default:
        return tr_fail(err, TR_SYSTEM, "cannot write the database: %.300s", what);
    }
}

static enum tr_status run(const struct sqlite_book *b, const char *sql, struct tr_error *err)
{
    return b->sqlite.exec(b->db, sql, NULL, NULL, NULL) == SQLITE_OK ? TR_OK : fail(b, err);
}

/* The number that a statement gives. */
static enum tr_status ask(const struct sqlite_book *b, const char *sql, int64_t *value, struct tr_error *err)
{
    sqlite3_stmt *s = NULL;
    bool ok = b->sqlite.prepare_v2(b->db, sql, -1, &s, NULL) == SQLITE_OK && b->sqlite.step(s) == SQLITE_ROW;
    enum tr_status st = ok ? TR_OK : fail(b, err);
    if (ok)
        *value = b->sqlite.column_int64(s, 0);
    b->sqlite.finalize(s);
    return st;
}

/* ---- opening ---- */

static enum tr_status check_owner(const struct sqlite_book *b, struct tr_error *err)
{
    int64_t id = 0, version = 0;
    enum tr_status st = ask(b, "PRAGMA application_id", &id, err);
    if (st == TR_OK)
        st = ask(b, "PRAGMA user_version", &version, err);
    if (st != TR_OK || (id == APPLICATION_ID && version == USER_VERSION))
        return st;
    tr_error_input(err, b->path);
    return id == APPLICATION_ID
               ? tr_fail(err, TR_DAMAGED, "a database of another version of tracepipe, so nothing is added to it")
               : tr_fail(err, TR_DAMAGED, "not a database of tracepipe, so nothing is added to it");
}

/* What cannot be written is opened for reading; errno says why, then. */
static enum tr_status check_writable(const struct sqlite_book *b, struct tr_error *err)
{
    int reason = errno;
    if (b->sqlite.db_readonly(b->db, "main") != 1)
        return TR_OK;
    tr_error_input(err, b->path);
    return reason == EACCES || reason == EPERM || reason == EROFS
               ? tr_fail(err, TR_DAMAGED, "the database is read-only")
               : tr_fail_sys(err, reason, "cannot write the database");
}

static enum tr_status start_new(const struct sqlite_book *b, struct tr_error *err)
{
    char sql[320];
    snprintf(sql, sizeof sql,
             "PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
             "PRAGMA encoding='UTF-8'; PRAGMA application_id=%d; PRAGMA user_version=%d; BEGIN EXCLUSIVE;"
             "CREATE TABLE runs (id INTEGER PRIMARY KEY, command TEXT, inputs TEXT, time TEXT)",
             APPLICATION_ID, USER_VERSION);
    return run(b, sql, err);
}

static enum tr_status start_adding(const struct sqlite_book *b, struct tr_error *err)
{
    enum tr_status st = check_owner(b, err);
    return st == TR_OK ? run(b, "BEGIN IMMEDIATE", err) : st;
}

/* Names of inputs as a list of JSON, for json_each. */
static bool list_inputs(const struct tr_book_about *about, struct tr_buf *text)
{
    bool ok = tr_buf_add_str(text, "[");
    for (size_t i = 0; ok && i < about->n_inputs; i++)
        ok = (!i || tr_buf_add_str(text, ", ")) && tr_escape_json(text, about->inputs[i], strlen(about->inputs[i]));
    return ok && tr_buf_add_str(text, "]");
}

static enum tr_status add_run(struct sqlite_book *b, const struct tr_book_about *about, struct tr_error *err)
{
    struct tr_buf inputs = { 0 }, command = { 0 };
    sqlite3_stmt *s = NULL;
    char time[40] = "";
    time_t seconds = (time_t)about->time;
    struct tm utc;
    if (gmtime_r(&seconds, &utc))
        strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (!list_inputs(about, &inputs) || !tr_utf8_add(&command, about->command, strlen(about->command))) {
        tr_buf_free(&inputs);
        tr_buf_free(&command);
        return tr_fail_memory(err);
    }
    bool ok = b->sqlite.prepare_v2(b->db, "INSERT INTO runs (command, inputs, time) VALUES (?, ?, ?)", -1, &s, NULL) ==
                  SQLITE_OK &&
              b->sqlite.bind_text(s, 1, (char *)command.data, (int)command.len, SQLITE_STATIC) == SQLITE_OK &&
              b->sqlite.bind_text(s, 2, (char *)inputs.data, (int)inputs.len, SQLITE_STATIC) == SQLITE_OK &&
              b->sqlite.bind_text(s, 3, time, -1, SQLITE_STATIC) == SQLITE_OK && b->sqlite.step(s) == SQLITE_DONE;
    enum tr_status st = ok ? TR_OK : fail(b, err);
    b->run = b->sqlite.last_insert_rowid(b->db);
    b->sqlite.finalize(s);
    tr_buf_free(&inputs);
    tr_buf_free(&command);
    return st;
}

static enum tr_status book_open(struct tr_book **book, const struct tr_book_about *about, struct tr_error *err)
{
    struct functions sqlite;
    enum tr_status st = tr_library_load("libsqlite3.so.0", "-O sqlite", functions, sizeof functions / sizeof *functions,
                                        &sqlite, err);
    if (st != TR_OK)
        return st;
    struct sqlite_book *b = calloc(1, sizeof *b);
    if (!b || !(b->arena = tr_arena_new(4096))) {
        free(b);
        return tr_fail_memory(err);
    }
    *book = &b->base;
    b->base.kind = &kind;
    b->sqlite = sqlite;
    b->adds = about->add;
    if (!(b->path = tr_arena_copy(b->arena, about->name, strlen(about->name) + 1)))
        return tr_fail_memory(err);
    errno = 0;
    if (b->sqlite.open_v2(about->path, &b->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        return fail(b, err);
    if ((st = check_writable(b, err)) != TR_OK)
        return st;
    b->sqlite.extended_result_codes(b->db, 1);
    b->sqlite.busy_timeout(b->db, WAIT_MS);
    b->sqlite.db_config(b->db, SQLITE_DBCONFIG_DEFENSIVE, (int)about->add, NULL); /* a new one has no journal */
    st = about->add ? start_adding(b, err) : start_new(b, err);
    return st == TR_OK ? add_run(b, about, err) : st;
}

/* ---- tables ---- */

static bool add_name(struct tr_buf *sql, const char *name)
{
    bool ok = tr_buf_add_str(sql, "\"");
    for (; ok && *name; name++)
        ok = (*name != '"' || tr_buf_add_str(sql, "\"")) && tr_buf_add(sql, name, 1);
    return ok && tr_buf_add_str(sql, "\"");
}

static const char *type_of(const struct tr_table_column *is)
{
    static const char *const types[] = {
        [TR_CELL_STRING] = "TEXT", [TR_CELL_INT] = "INTEGER", [TR_CELL_COUNT] = "INTEGER",
        [TR_CELL_TIME] = "INTEGER", [TR_CELL_RATIO] = "REAL", [TR_CELL_DOUBLE] = "REAL",
    };
    return is->mixed ? "" : types[is->type];
}

/* The database keeps the text of the statement, so its comments say what the columns mean. */
static bool add_columns(struct tr_buf *sql, const struct tr_table *t, const char *const *names)
{
    bool ok = tr_buf_add_str(sql, " (\n    run_id INTEGER NOT NULL");
    for (size_t k = 0; ok && k < t->n_shown; k++) {
        const struct tr_table_column *is = &tr__column_at(t, k)->is;
        const char *before = k ? tr__column_at(t, k - 1)->is.meaning : "of the row of the table runs";
        ok = tr_buf_add_str(sql, ",") && (!before || (tr_buf_add_str(sql, " -- ") && tr_buf_add_str(sql, before))) &&
             tr_buf_add_str(sql, "\n    ") && add_name(sql, names[k + 1]) &&
             tr_buf_add_str(sql, is->mixed ? "" : " ") && tr_buf_add_str(sql, type_of(is));
    }
    const char *last = t->n_shown ? tr__column_at(t, t->n_shown - 1)->is.meaning : NULL;
    return ok && (!last || (tr_buf_add_str(sql, " -- ") && tr_buf_add_str(sql, last))) && tr_buf_add_str(sql, "\n)");
}

/* Does the database have a table of this name? */
static enum tr_status find(const struct book_table *x, bool *found, struct tr_error *err)
{
    const struct functions *f = &x->book->sqlite;
    static const char sql[] = "SELECT count(*) FROM sqlite_schema WHERE name = ? COLLATE NOCASE";
    sqlite3_stmt *s = NULL;
    bool ok = f->prepare_v2(x->book->db, sql, -1, &s, NULL) == SQLITE_OK &&
              f->bind_text(s, 1, x->name, -1, SQLITE_STATIC) == SQLITE_OK && f->step(s) == SQLITE_ROW;
    enum tr_status st = ok ? TR_OK : fail(x->book, err);
    *found = ok && f->column_int(s, 0) > 0;
    f->finalize(s);
    return st;
}

/* Has the existing table these columns, and no others? */
static enum tr_status compare(const struct book_table *x, const struct tr_table *t, const char *const *names,
                              struct tr_error *err)
{
    const struct functions *f = &x->book->sqlite;
    sqlite3_stmt *s = NULL;
    size_t n = 0;
    bool same = true;
    if (f->prepare_v2(x->book->db, "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", -1, &s, NULL) !=
            SQLITE_OK ||
        f->bind_text(s, 1, x->name, -1, SQLITE_STATIC) != SQLITE_OK) {
        f->finalize(s);
        return fail(x->book, err);
    }
    for (; f->step(s) == SQLITE_ROW; n++) {
        const char *name = (const char *)f->column_text(s, 0), *type = (const char *)f->column_text(s, 1);
        same = same && name && type && n <= t->n_shown && strcmp(name, names[n]) == 0 &&
               strcmp(type, n ? type_of(&tr__column_at(t, n - 1)->is) : "INTEGER") == 0;
    }
    f->finalize(s);
    if (same && n == t->n_shown + 1)
        return TR_OK;
    tr_error_input(err, x->book->path);
    return tr_fail(err, TR_DAMAGED, "it has a table %.80s with other columns: choose the same ones, or another file",
                   x->name);
}

static bool make_insert(struct book_table *x, struct tr_buf *sql)
{
    sql->len = 0;
    bool ok = tr_buf_add_str(sql, "INSERT INTO ") && add_name(sql, x->name) && tr_buf_add_str(sql, " VALUES (?");
    for (size_t k = 0; ok && k < x->n; k++)
        ok = tr_buf_add_str(sql, ",?");
    return ok && tr_buf_add(sql, ")", 2);
}

/* The table of the database, and the statement that adds a row to it. */
static enum tr_status create(struct book_table *x, const struct tr_table *t, struct tr_error *err)
{
    struct sqlite_book *b = x->book;
    const char *const *names = tr__book_columns(t, "run_id", b->arena);
    struct tr_buf sql = { 0 };
    bool exists = false;
    x->name = tr__book_name(x->name, b->names, b->n_names, b->arena);
    if (!x->name || !tr_grow(&b->names, &b->cap_names, b->n_names + 1, sizeof *b->names))
        return tr_fail_memory(err);
    b->names[b->n_names++] = x->name;
    x->n = t->n_shown;
    x->texts = calloc(x->n + 1, sizeof *x->texts);
    x->bound = calloc(x->n + 1, sizeof *x->bound);
    bool ok = names && x->texts && x->bound && tr_buf_add_str(&sql, "CREATE TABLE ") && add_name(&sql, x->name) &&
              add_columns(&sql, t, names) && tr_buf_add(&sql, "", 1);
    enum tr_status st = ok ? find(x, &exists, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = exists ? compare(x, t, names, err) : run(b, (const char *)sql.data, err);
    if (st == TR_OK && !make_insert(x, &sql))
        st = tr_fail_memory(err);
    if (st == TR_OK && (b->sqlite.prepare_v3(b->db, (const char *)sql.data, -1, SQLITE_PREPARE_PERSISTENT,
                                           &x->insert, NULL) != SQLITE_OK ||
                        b->sqlite.bind_int64(x->insert, 1, b->run) != SQLITE_OK))
        st = fail(b, err);
    tr_buf_free(&sql);
    return st;
}

/* ---- rows ---- */

/* Real numbers as other formats print them, so that all say the same. */
static int bind_real(const struct book_table *x, int at, const struct tr_table *t, const struct tr__column *column,
                     const struct tr__cell *cell, struct tr_buf *text)
{
    const struct functions *f = &x->book->sqlite;
    double d;
    text->len = 0;
    if (!tr__cell_number(t, column, cell, text) || !tr_buf_add(text, "", 1))
        return SQLITE_NOMEM;
    return tr_num_decimal((const char *)text->data, &d) ? f->bind_double(x->insert, at, d)
                                                         : f->bind_null(x->insert, at);
}

static int bind_text(const struct book_table *x, int at, const char *text, size_t len, struct tr_buf *repaired)
{
    if (!tr_utf8_valid(text, len)) {
        repaired->len = 0;
        if (!tr_utf8_add(repaired, text, len))
            return SQLITE_NOMEM;
        text = (const char *)repaired->data;
        len = repaired->len;
    }
    return x->book->sqlite.bind_text64(x->insert, at, text, len, SQLITE_STATIC, SQLITE_UTF8);
}

/* Whole numbers that do not fit stay texts: a real number would lose digits. */
static int bind_digits(const struct book_table *x, int at, const char *text, size_t len)
{
    int64_t i;
    double d;
    if (tr_num_plain(text, len, &i))
        return x->book->sqlite.bind_int64(x->insert, at, i);
    if (len && (*text == 't' || *text == 'f'))
        return x->book->sqlite.bind_int64(x->insert, at, *text == 't');
    return strspn(text, "-0123456789") < len && tr_num_decimal(text, &d)
               ? x->book->sqlite.bind_double(x->insert, at, d)
               : x->book->sqlite.bind_text64(x->insert, at, text, len, SQLITE_STATIC, SQLITE_UTF8);
}

/* As digits, in a column that has no type; others would make a real number of it. */
static int bind_large(const struct book_table *x, int at, const struct tr_table *t, const struct tr__column *column,
                      const struct tr__cell *cell, struct tr_buf *text)
{
    text->len = 0;
    if (!column->is.mixed)
        return x->book->sqlite.bind_null(x->insert, at);
    if (!tr__cell_number(t, column, cell, text))
        return SQLITE_NOMEM;
    return x->book->sqlite.bind_text64(x->insert, at, (char *)text->data, text->len, SQLITE_STATIC, SQLITE_UTF8);
}

static int bind(struct book_table *x, const struct tr_table *t, size_t k, const struct tr__cell *cell)
{
    const struct tr__column *column = tr__column_at(t, k);
    int at = (int)k + 2;
    bool bound = x->bound[k];
    x->bound[k] = !cell->absent;
    if (cell->absent)
        return bound ? x->book->sqlite.bind_null(x->insert, at) : SQLITE_OK;
    switch (column->is.type) {
    case TR_CELL_STRING:
        if (cell->decimals == TR__DIGITS)
            return bind_digits(x, at, tr__cell_string(t, cell), cell->v.s.len);
        return bind_text(x, at, tr__cell_string(t, cell), cell->v.s.len, &x->texts[k]);
    case TR_CELL_RATIO:
    case TR_CELL_DOUBLE:
        return bind_real(x, at, t, column, cell, &x->texts[k]);
    case TR_CELL_COUNT:
        return cell->v.u <= INT64_MAX ? x->book->sqlite.bind_int64(x->insert, at, (int64_t)cell->v.u)
                                      : bind_large(x, at, t, column, cell, &x->texts[k]);
    default:
        return x->book->sqlite.bind_int64(x->insert, at, cell->v.i);
    }
}

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    struct book_table *x = t->out_self;
    enum tr_status st = x->insert ? TR_OK : create(x, t, err);
    (void)out;
    for (size_t r = 0; st == TR_OK && r < tr__rows(t); r++) {
        int code = SQLITE_OK;
        for (size_t k = 0; code == SQLITE_OK && k < t->n_shown; k++)
            code = bind(x, t, k, tr__cell_at(t, r, k));
        if (code == SQLITE_OK) {
            code = x->book->sqlite.step(x->insert) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
            x->book->sqlite.reset(x->insert);
        }
        if (code != SQLITE_OK)
            st = code == SQLITE_NOMEM ? tr_fail_memory(err) : fail(x->book, err);
    }
    return st;
}

static enum tr_status no_bytes(void *self, const void *bytes, size_t n, struct tr_error *err)
{
    (void)self, (void)bytes, (void)n, (void)err;
    return TR_OK; /* rows go to the database at once */
}

static enum tr_status book_table(struct tr_book *book, const char *name, struct tr_table *t, struct tr_error *err)
{
    struct sqlite_book *b = (struct sqlite_book *)book;
    struct book_table *x = calloc(1, sizeof *x);
    bool taken = tr__book_has((const char *const[]){ "runs" }, 1, name) || strncmp(name, "sqlite_", 7) == 0;
    struct tr_buf own = { 0 };
    bool ok = x && tr_grow(&b->tables, &b->cap, b->n + 1, sizeof *b->tables) &&
              tr_buf_print(&own, "%s%s", taken ? "table_" : "", name) &&
              (x->name = tr_arena_copy(b->arena, own.data, own.len + 1)) != NULL;
    tr_buf_free(&own);
    if (!ok) {
        free(x);
        return tr_fail_memory(err);
    }
    x->book = b;
    b->tables[b->n++] = x;
    tr_table_output(t, &tr_row_sink_sqlite, no_bytes, x);
    return TR_OK;
}

/* ---- the end ---- */

static void release(struct sqlite_book *b)
{
    for (size_t i = 0; i < b->n; i++) {
        b->sqlite.finalize(b->tables[i]->insert);
        for (size_t k = 0; b->tables[i]->texts && k < b->tables[i]->n; k++)
            tr_buf_free(&b->tables[i]->texts[k]);
        free(b->tables[i]->texts);
        free(b->tables[i]->bound);
        free(b->tables[i]);
    }
    b->n = 0;
}

static enum tr_status book_sql(struct tr_book *book, const char *sql, struct tr_error *err)
{
    return run((struct sqlite_book *)book, sql, err);
}

static enum tr_status book_end(struct tr_book *book, struct tr_error *err)
{
    struct sqlite_book *b = (struct sqlite_book *)book;
    release(b);
    enum tr_status st = run(b, "COMMIT", err);
    if (st == TR_OK && b->sqlite.close(b->db) != SQLITE_OK)
        return fail(b, err);
    if (st == TR_OK)
        b->db = NULL;
    return st;
}

static void book_free(struct tr_book *book)
{
    struct sqlite_book *b = (struct sqlite_book *)book;
    release(b);
    if (b->db && b->adds)
        b->sqlite.exec(b->db, "ROLLBACK", NULL, NULL, NULL);
    b->sqlite.close(b->db);
    tr_arena_free(b->arena);
    free(b->tables);
    free(b->names);
    free(b);
}

static const struct tr_book_kind kind = {
    .adds = true, .open = book_open, .table = book_table, .sql = book_sql, .end = book_end, .free = book_free,
};
const struct tr_row_sink tr_row_sink_sqlite = { .name = "sqlite", .streams = true, .book = &kind, .rows = rows };

#endif
