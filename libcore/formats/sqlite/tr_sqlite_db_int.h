/* SPDX-License-Identifier: MIT */
/*
 * Inside of the reader of databases.  Internal to formats/sqlite.
 *
 *   tr_sqlite_start.c  the first bytes
 *   tr_sqlite_file.c   the file that libsqlite3 sees
 *   tr_sqlite_db.c     opening; the tables that there are
 *   tr_sqlite_scan.c   rows and values
 */
#ifndef TR_SQLITE_DB_INT_H
#define TR_SQLITE_DB_INT_H

#include "formats/sqlite/tr_sqlite_int.h"

#ifdef HAVE_SQLITE3

#include "base/tr_library.h"
#include "base/tr_mem.h"

#include <sqlite3.h>

#define TR__DB_AHEAD ((size_t)64 << 10) /* bytes that are read at a time; the largest page */

/* The functions of libsqlite3 that are used. */
#define TR__SQLITE_FUNCTIONS(X) \
    X(bind_int64, sqlite3_bind_int64) X(close, sqlite3_close) X(column_bytes, sqlite3_column_bytes) \
    X(column_count, sqlite3_column_count) X(column_double, sqlite3_column_double) \
    X(column_int64, sqlite3_column_int64) X(column_name, sqlite3_column_name) X(column_text, sqlite3_column_text) \
    X(column_type, sqlite3_column_type) X(exec, sqlite3_exec) X(finalize, sqlite3_finalize) X(limit, sqlite3_limit) \
    X(open_v2, sqlite3_open_v2) X(prepare_v2, sqlite3_prepare_v2) X(progress_handler, sqlite3_progress_handler) \
    X(reset, sqlite3_reset) X(step, sqlite3_step) X(vfs_register, sqlite3_vfs_register) \
    X(vfs_unregister, sqlite3_vfs_unregister)
TR__SQLITE_FUNCTIONS(TR_LIBRARY_LINKED)
struct tr__sqlite {
    TR__SQLITE_FUNCTIONS(TR_LIBRARY_MEMBER)
};

struct tr__db {
    struct tr__sqlite lib;
    struct tr_ingest *g;
    uint64_t size; /* of its whole pages */
    sqlite3 *db;
    sqlite3_vfs vfs;
    bool registered;
    char vfs_name[40];
    unsigned char *ahead; /* bytes of the input, from ahead_at on */
    uint64_t ahead_at, next; /* next: after the last bytes that were read */
    size_t ahead_n;
    struct tr_error failure; /* of the input; status TR_OK: none */
    struct tr_arena *arena;
    struct tr__db_table {
        const char *name;
        bool view;
    } *tables;
    size_t n, cap;
    unsigned turns; /* of libsqlite3 since the last row */
};

void tr__db_file(struct tr__db *db); /* makes db->vfs */

/*
 * Prepare a statement; *row stays NULL if the database is too damaged for it.  TR_OK, or TR_SYSTEM, or what made the
 * input fail.
 */
enum tr_status tr__db_prepare(struct tr__db *db, const char *sql, sqlite3_stmt **row, struct tr_error *err);
/* Is there memory?  Of some damage, too, libsqlite3 says that memory has run out. */
bool tr__db_has_memory(void);
/* After a code of failure: TR_END if that is damage, else what it is. */
enum tr_status tr__db_failed(struct tr__db *db, int code, struct tr_error *err);
/* A name in quotes.  False: out of memory. */
bool tr__db_quote(struct tr_buf *sql, const char *name);

#endif
#endif
