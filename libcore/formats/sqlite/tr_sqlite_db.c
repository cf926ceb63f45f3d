/* SPDX-License-Identifier: MIT */
/* Databases: opening them, and the tables that there are. */
#include "formats/sqlite/tr_sqlite_db_int.h"

#include "base/tr_num.h"

#ifndef HAVE_SQLITE3

enum tr_status tr__db_open(struct tr__db **out, struct tr_ingest *g, const char *what, struct tr_error *err)
{
    (void)g;
    *out = NULL;
    return tr_fail(err, TR_DAMAGED, "%s, which is not read: libsqlite3 was left out when this program was built", what);
}

void tr__db_close(struct tr__db *db)
{
    (void)db;
}

const char *tr__db_table(const struct tr__db *db, size_t i)
{
    (void)db, (void)i;
    return NULL;
}

const char *tr__db_find(const struct tr__db *db, const char *name)
{
    (void)db, (void)name;
    return NULL;
}

bool tr__db_is_view(const struct tr__db *db, const char *table)
{
    (void)db, (void)table;
    return false;
}

enum tr_status tr__db_about_rows(struct tr__db *db, const char *table, int64_t *n, struct tr_error *err)
{
    (void)db, (void)table, (void)n, (void)err;
    return TR_OK;
}

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_VALUE   (16 << 20) /* bytes of a text */
#define ENOUGH      ((size_t)1 << 20)
#define MAX_PATTERN 40         /* of LIKE in a view, whose time may grow with a power of its length */
#define TURN        100000     /* steps of libsqlite3's machine */
#define MAX_TURNS   300u       /* without a row: a view that does not end */
#define PAGE_SIZE   16u        /* in the header: two bytes */
#define PAGES       28u        /* four bytes: the size of the database in pages, */
#define CHANGES     24u        /* if the number of changes here */
#define PAGES_AT    92u        /* is the same as there */

/* ---- failures ---- */

bool tr__db_has_memory(void)
{
    void *volatile p = malloc(ENOUGH); /* which no compiler leaves out */
    free(p);
    return p != NULL;
}

enum tr_status tr__db_failed(struct tr__db *db, int code, struct tr_error *err)
{
    if (db->failure.status != TR_OK) {
        *err = db->failure;
        return err->status;
    }
    return (code & 0xff) == SQLITE_NOMEM && !tr__db_has_memory() ? tr_fail_memory(err) : TR_END;
}

enum tr_status tr__db_prepare(struct tr__db *db, const char *sql, sqlite3_stmt **row, struct tr_error *err)
{
    *row = NULL;
    /* the first time, a damaged schema is an error; then there is what could be read of it */
    int code = db->lib.prepare_v2(db->db, sql, -1, row, NULL);
    if (code != SQLITE_OK)
        code = db->lib.prepare_v2(db->db, sql, -1, row, NULL);
    if (code == SQLITE_OK)
        return TR_OK;
    *row = NULL;
    enum tr_status st = tr__db_failed(db, code, err);
    return st == TR_END ? TR_OK : st;
}

/* ---- its start ---- */

static uint64_t number_at(const unsigned char *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

/* Are there as many bytes as its header says?  A page that is cut is left out: what is missing would read as zeros. */
static enum tr_status check_size(struct tr__db *db, const char *what, struct tr_error *err)
{
    unsigned char head[100];
    size_t got = 0;
    enum tr_status st = tr_ingest_read_at(db->g, head, sizeof head, 0, &got, err);
    if (st != TR_OK)
        return st;
    if (got < sizeof head || !tr__db_starts(head, got))
        return got ? tr_fail(err, TR_DAMAGED, "%s that is cut in its first bytes, or none", what)
                   : tr_fail(err, TR_DAMAGED, "empty input");
    uint64_t page = number_at(head + PAGE_SIZE, 2), pages = number_at(head + PAGES, 4);
    page = page == 1 ? 65536 : page;
    db->size = tr_ingest_size(db->g);
    if (number_at(head + CHANGES, 4) == number_at(head + PAGES_AT, 4) && pages * page > db->size)
        tr_ingest_damaged(db->g, TR_DAMAGE_TRUNCATED, db->size);
    if (page >= 512 && db->size > page)
        db->size -= db->size % page;
    return TR_OK;
}

/* ---- tables ---- */

/* The text of a column, NULL: none. */
static const char *text_of(struct tr__db *db, sqlite3_stmt *row, int column)
{
    return (const char *)db->lib.column_text(row, column);
}

static enum tr_status add_table(struct tr__db *db, sqlite3_stmt *row, struct tr_error *err)
{
    static const char virtual[] = "CREATE VIRTUAL";
    const char *name = text_of(db, row, 0), *type = text_of(db, row, 1), *sql = text_of(db, row, 2);
    if (!name || !type || !sql || strncasecmp(sql, virtual, sizeof virtual - 1) == 0)
        return TR_OK;
    char *own = tr_arena_copy(db->arena, name, strlen(name) + 1);
    if (!own || !tr_grow(&db->tables, &db->cap, db->n + 1, sizeof *db->tables))
        return tr_fail_memory(err);
    db->tables[db->n++] = (struct tr__db_table){ own, strcmp(type, "view") == 0 };
    return TR_OK;
}

static enum tr_status list_tables(struct tr__db *db, const char *what, struct tr_error *err)
{
    sqlite3_stmt *row;
    int code = SQLITE_OK;
    enum tr_status st = tr__db_prepare(
        db, "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')", &row, err);
    if (st == TR_OK && !row)
        return tr_fail(err, TR_DAMAGED, "%s that cannot be read: its list of tables is damaged", what);
    while (st == TR_OK && (code = db->lib.step(row)) == SQLITE_ROW)
        st = add_table(db, row, err);
    db->lib.finalize(row);
    if (st != TR_OK || code == SQLITE_DONE)
        return st;
    st = tr__db_failed(db, code, err);
    if (st != TR_END)
        return st;
    if (!db->n)
        return tr_fail(err, TR_DAMAGED, "%s that cannot be read: its list of tables is damaged", what);
    static const struct tr_ingest_cause cause = { "bad_schema", "damaged list of tables, some may be lost", true };
    tr_ingest_damaged_by(db->g, &cause, TR_NO_OFFSET);
    return TR_OK;
}

const char *tr__db_table(const struct tr__db *db, size_t i)
{
    return i < db->n ? db->tables[i].name : NULL;
}

const char *tr__db_find(const struct tr__db *db, const char *name)
{
    const char *found = NULL;
    size_t len = strlen(name);
    int64_t best = 0;
    for (size_t i = 0; i < db->n; i++) {
        const char *end = db->tables[i].name + len;
        int64_t version = 1;
        if (strncmp(db->tables[i].name, name, len) != 0 ||
            (*end && (strncmp(end, "_V", 2) != 0 || !tr_num_plain(end + 2, strlen(end + 2), &version))))
            continue;
        if (version > best) {
            best = version;
            found = db->tables[i].name;
        }
    }
    return found;
}

bool tr__db_is_view(const struct tr__db *db, const char *table)
{
    size_t i = 0;
    while (i < db->n && db->tables[i].name != table)
        i++;
    return i < db->n && db->tables[i].view;
}

/* Not in double quotes: a name that is not there would be a text. */
bool tr__db_quote(struct tr_buf *sql, const char *name)
{
    bool ok = tr_buf_add_str(sql, "`");
    for (; ok && *name; name++)
        ok = (*name != '`' || tr_buf_add_str(sql, "`")) && tr_buf_add(sql, name, 1);
    return ok && tr_buf_add_str(sql, "`");
}

enum tr_status tr__db_about_rows(struct tr__db *db, const char *table, int64_t *n, struct tr_error *err)
{
    struct tr_buf sql = { 0 };
    sqlite3_stmt *row = NULL;
    bool ok = tr_buf_add_str(&sql, "SELECT max(_rowid_) FROM ") && tr__db_quote(&sql, table) && tr_buf_add(&sql, "", 1);
    *n = 0;
    if (tr__db_is_view(db, table)) {
        tr_buf_free(&sql);
        return TR_OK;
    }
    enum tr_status st = ok ? tr__db_prepare(db, (const char *)sql.data, &row, err) : tr_fail_memory(err);
    db->turns = 0;
    int code = st == TR_OK && row ? db->lib.step(row) : SQLITE_DONE;
    if (code == SQLITE_ROW)
        *n = db->lib.column_int64(row, 0);
    else if (code != SQLITE_DONE && (st = tr__db_failed(db, code, err)) == TR_END)
        st = TR_OK;
    db->lib.finalize(row);
    tr_buf_free(&sql);
    return st;
}

/* ---- opening ---- */

/* Called after each turn. */
static int is_too_long(void *ctx)
{
    struct tr__db *db = ctx;
    return ++db->turns > MAX_TURNS;
}

/* Read what there is of a damaged schema; little memory; nothing in a database is trusted. */
static void settle(struct tr__db *db)
{
    static const char *const pragmas[] = { "PRAGMA writable_schema=ON", "PRAGMA trusted_schema=OFF",
                                           "PRAGMA query_only=ON",      "PRAGMA cell_size_check=ON",
                                           "PRAGMA cache_size=-2048",   "PRAGMA temp_store=2" };
    db->lib.limit(db->db, SQLITE_LIMIT_LENGTH, MAX_VALUE);
    db->lib.limit(db->db, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_PATTERN);
    db->lib.progress_handler(db->db, TURN, is_too_long, db);
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++)
        db->lib.exec(db->db, pragmas[i], NULL, NULL, NULL);
}

void tr__db_close(struct tr__db *db)
{
    if (!db)
        return;
    if (db->db)
        db->lib.close(db->db);
    if (db->registered)
        db->lib.vfs_unregister(&db->vfs);
    tr_arena_free(db->arena);
    free(db->tables);
    free(db->ahead);
    free(db);
}

static enum tr_status open_db(struct tr__db *db, const char *what, struct tr_error *err)
{
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    enum tr_status st = check_size(db, what, err);
    if (st != TR_OK)
        return st;
    tr__db_file(db);
    db->registered = db->lib.vfs_register(&db->vfs, 0) == SQLITE_OK;
    if (!db->registered || db->lib.open_v2("trace", &db->db, flags, db->vfs_name) != SQLITE_OK)
        return tr_fail_memory(err);
    settle(db);
    return list_tables(db, what, err);
}

enum tr_status tr__db_open(struct tr__db **out, struct tr_ingest *g, const char *what, struct tr_error *err)
{
    static const struct tr_library_function functions[] = { TR__SQLITE_FUNCTIONS(TR_LIBRARY_FUNCTION) };
    struct tr__sqlite lib;
    *out = NULL;
    if (tr_library_load("libsqlite3.so.0", what, functions, sizeof functions / sizeof *functions, &lib, err) != TR_OK)
        return err->status == TR_USAGE ? (err->status = TR_DAMAGED) : err->status;
    struct tr__db *db = calloc(1, sizeof *db);
    if (db)
        *db = (struct tr__db){ .lib = lib, .g = g, .ahead = malloc(TR__DB_AHEAD), .arena = tr_arena_new(4096),
                               .failure = TR_ERROR_INIT };
    enum tr_status st = db && db->ahead && db->arena ? open_db(db, what, err) : tr_fail_memory(err);
    if (st == TR_OK)
        *out = db;
    else
        tr__db_close(db);
    return st;
}

#endif
