/* SPDX-License-Identifier: MIT */
/* Databases: rows of tables, and values in them. */
#include "formats/sqlite/tr_sqlite_db_int.h"

#ifndef HAVE_SQLITE3

enum tr_status tr__scan_start(struct tr__scan *s, struct tr__db *db, const char *table, const char *const *columns,
                              size_t n, struct tr_error *err)
{
    (void)s, (void)db, (void)table, (void)columns, (void)n, (void)err;
    return TR_END;
}

enum tr_status tr__scan_next(struct tr__scan *s, struct tr_error *err)
{
    (void)s, (void)err;
    return TR_END;
}

void tr__scan_end(struct tr__scan *s)
{
    (void)s;
}

int64_t tr__scan_int(struct tr__scan *s, size_t column)
{
    (void)s, (void)column;
    return TR_I64_NONE;
}

bool tr__scan_has(struct tr__scan *s, size_t column)
{
    (void)s, (void)column;
    return false;
}

bool tr__scan_empty(struct tr__scan *s, size_t column)
{
    (void)s, (void)column;
    return true;
}

bool tr__scan_real(struct tr__scan *s, size_t column, double *value)
{
    (void)s, (void)column, (void)value;
    return false;
}

struct tr_str tr__scan_text(struct tr__scan *s, size_t column)
{
    (void)s, (void)column;
    return (struct tr_str){ NULL, 0 };
}

enum tr_status tr__find_start(struct tr__scan *s, struct tr__db *db, const char *table, const char *id,
                              const char *const *columns, size_t n, struct tr_error *err)
{
    (void)s, (void)db, (void)table, (void)id, (void)columns, (void)n, (void)err;
    return TR_END;
}

enum tr_status tr__find(struct tr__scan *s, int64_t id, struct tr_error *err)
{
    (void)s, (void)id, (void)err;
    return TR_END;
}

#else

#include <stdlib.h>
#include <string.h>

/* ---- starting ---- */

/* Which of the columns the table has; *any: there is one. */
static void find_columns(struct tr__scan *s, sqlite3_stmt *all, bool *any)
{
    const struct tr__sqlite *lib = &s->db->lib;
    int n = lib->column_count(all), at = s->numbered;
    *any = false;
    for (size_t k = 0; k < s->n; k++) {
        s->at[k] = -1;
        for (int i = 0; i < n && s->at[k] < 0; i++) {
            const char *name = lib->column_name(all, i);
            if (name && strcmp(name, s->columns[k]) == 0)
                s->at[k] = at++;
        }
        *any |= s->at[k] >= 0;
    }
}

/* The columns that the table has, as SQL.  False: out of memory. */
static bool add_columns(const struct tr__scan *s, struct tr_buf *sql)
{
    bool ok = true;
    for (size_t k = 0; ok && k < s->n; k++)
        if (s->at[k] >= 0)
            ok = (s->at[k] == 0 || tr_buf_add_str(sql, ", ")) && tr__db_quote(sql, s->columns[k]);
    return ok;
}

/* Prepare the statement that reads it; s->rows stays NULL if it cannot be read. */
static enum tr_status prepare(struct tr__scan *s, bool *any, struct tr_error *err)
{
    struct tr_buf sql = { 0 };
    sqlite3_stmt *all = NULL;
    bool ok = tr_buf_add_str(&sql, "SELECT * FROM ") && tr__db_quote(&sql, s->table) && tr_buf_add(&sql, "", 1);
    enum tr_status st = ok ? tr__db_prepare(s->db, (const char *)sql.data, &all, err) : tr_fail_memory(err);
    s->rows = NULL;
    *any = true;
    if (st == TR_OK && all) {
        sql.len = 0;
        find_columns(s, all, any);
        ok = tr_buf_add_str(&sql, s->numbered ? "SELECT _rowid_" : "SELECT ") && add_columns(s, &sql) &&
             tr_buf_add_str(&sql, " FROM ") && tr__db_quote(&sql, s->table) &&
             tr_buf_add_str(&sql, !s->back ? "" : " WHERE _rowid_ > ? ORDER BY _rowid_ DESC") &&
             tr_buf_add(&sql, "", 1);
        st = !ok ? tr_fail_memory(err) : *any ? tr__db_prepare(s->db, (const char *)sql.data, &s->rows, err) : TR_OK;
    }
    s->db->lib.finalize(all);
    tr_buf_free(&sql);
    return st;
}

static void count_damage(const struct tr__scan *s)
{
    static const struct tr_ingest_cause cause = { "bad_table", "damaged table, rows of it are lost", true };
    tr_ingest_damaged_by(s->db->g, &cause, TR_NO_OFFSET);
}

enum tr_status tr__scan_start(struct tr__scan *s, struct tr__db *db, const char *table, const char *const *columns,
                              size_t n, struct tr_error *err)
{
    const char *found = tr__db_find(db, table);
    bool any = false;
    *s = (struct tr__scan){ .db = db, .table = found, .columns = columns, .n = n };
    if (!found)
        return TR_END;
    s->numbered = !tr__db_is_view(db, found);
    enum tr_status st = prepare(s, &any, err);
    if (st == TR_OK && any && !s->rows && s->numbered) { /* made WITHOUT ROWID */
        s->numbered = false;
        st = prepare(s, &any, err);
    }
    if (st == TR_OK && any && !s->rows)
        count_damage(s);
    db->turns = 0;
    return st == TR_OK && !s->rows ? TR_END : st;
}

void tr__scan_end(struct tr__scan *s)
{
    if (s->rows)
        s->db->lib.finalize(s->rows);
    s->rows = NULL;
}

/* ---- rows ---- */

/* After damage: read from the end.  TR_END: that is not possible, either. */
static enum tr_status turn_back(struct tr__scan *s, struct tr_error *err)
{
    bool any;
    if (!s->back)
        count_damage(s);
    if (s->back || !s->numbered)
        return TR_END;
    s->db->lib.finalize(s->rows);
    s->back = true;
    s->first = s->started ? s->last : INT64_MIN;
    s->started = false;
    enum tr_status st = prepare(s, &any, err);
    if (st != TR_OK || !s->rows)
        return st == TR_OK ? TR_END : st;
    s->db->lib.bind_int64(s->rows, 1, s->first);
    return TR_OK;
}

/* Is the row after the one before it?  A damaged table may lead to the same rows again and again. */
static bool in_order(struct tr__scan *s)
{
    if (!s->numbered) /* no view has more rows than the database bytes */
        return ++s->n_rows <= tr_ingest_size(s->db->g);
    int64_t number = s->db->lib.column_int64(s->rows, 0);
    bool ok = !s->started || (s->back ? number < s->last : number > s->last);
    s->started = true;
    s->last = ok ? number : s->last;
    return ok;
}

enum tr_status tr__scan_next(struct tr__scan *s, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    while (st == TR_OK) {
        int code = s->db->failure.status == TR_OK ? s->db->lib.step(s->rows) : SQLITE_ERROR;
        s->db->turns = 0;
        if (code == SQLITE_DONE)
            return TR_END;
        if (code == SQLITE_ROW && in_order(s))
            return TR_OK;
        st = code == SQLITE_ROW ? TR_END : tr__db_failed(s->db, code, err);
        if (st == TR_END)
            st = turn_back(s, err);
    }
    return st;
}

/* ---- values ---- */

int64_t tr__scan_int(struct tr__scan *s, size_t column)
{
    const struct tr__sqlite *lib = &s->db->lib;
    int at = s->at[column];
    double real;
    if (at < 0)
        return TR_I64_NONE;
    switch (lib->column_type(s->rows, at)) {
    case SQLITE_INTEGER:
        return lib->column_int64(s->rows, at);
    case SQLITE_FLOAT:
        real = lib->column_double(s->rows, at);
        if (real > -9e15 && real < 9e15 && (double)(int64_t)real == real)
            return (int64_t)real;
        break;
    case SQLITE_NULL:
        return TR_I64_NONE;
    default:
        break;
    }
    s->doubt = true;
    return TR_I64_NONE;
}

bool tr__scan_has(struct tr__scan *s, size_t column)
{
    return s->at[column] >= 0 && s->db->lib.column_type(s->rows, s->at[column]) != SQLITE_NULL;
}

bool tr__scan_empty(struct tr__scan *s, size_t column)
{
    const struct tr__sqlite *lib = &s->db->lib;
    return !tr__scan_has(s, column) || (lib->column_type(s->rows, s->at[column]) == SQLITE_TEXT &&
                                        lib->column_bytes(s->rows, s->at[column]) == 0);
}

bool tr__scan_real(struct tr__scan *s, size_t column, double *value)
{
    const struct tr__sqlite *lib = &s->db->lib;
    int at = s->at[column], type = at < 0 ? SQLITE_NULL : lib->column_type(s->rows, at);
    bool number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
    if (number)
        *value = lib->column_double(s->rows, at);
    s->doubt |= !number && type != SQLITE_NULL;
    return number;
}

/* s NULL: the pages of the text are damaged.  If memory runs out, what comes next fails. */
static struct tr_str text_at(struct tr__db *db, sqlite3_stmt *row, int at)
{
    const char *text = (const char *)db->lib.column_text(row, at);
    text = text ? text : (const char *)db->lib.column_text(row, at);
    int n = text ? db->lib.column_bytes(row, at) : 0;
    if (!text && db->failure.status == TR_OK && !tr__db_has_memory())
        tr_fail_memory(&db->failure);
    return (struct tr_str){ text, n > 0 ? (size_t)n : 0 };
}

struct tr_str tr__scan_text(struct tr__scan *s, size_t column)
{
    const struct tr__sqlite *lib = &s->db->lib;
    int at = s->at[column], type = at < 0 ? SQLITE_NULL : lib->column_type(s->rows, at);
    struct tr_str text = type == SQLITE_TEXT ? text_at(s->db, s->rows, at) : (struct tr_str){ NULL, 0 };
    s->doubt |= !text.s && type != SQLITE_NULL;
    return text;
}

/* ---- rows by number ---- */

/* Is a row found without reading all of them? */
static enum tr_status is_fast(struct tr__db *db, struct tr_buf *sql, bool *fast, struct tr_error *err)
{
    struct tr_buf plan = { 0 };
    sqlite3_stmt *row = NULL;
    bool ok = tr_buf_add_str(&plan, "EXPLAIN QUERY PLAN ") && tr_buf_add(&plan, sql->data, sql->len);
    enum tr_status st = ok ? tr__db_prepare(db, (const char *)plan.data, &row, err) : tr_fail_memory(err);
    *fast = false;
    if (st == TR_OK && row && db->lib.step(row) == SQLITE_ROW) {
        const char *text = (const char *)db->lib.column_text(row, 3);
        *fast = text && strncmp(text, "SEARCH", 6) == 0;
    }
    db->lib.finalize(row);
    tr_buf_free(&plan);
    return st;
}

enum tr_status tr__find_start(struct tr__scan *s, struct tr__db *db, const char *table, const char *id,
                              const char *const *columns, size_t n, struct tr_error *err)
{
    struct tr_buf sql = { 0 };
    bool any = false, fast = false;
    *s = (struct tr__scan){ .db = db, .table = tr__db_find(db, table), .columns = columns, .n = n };
    if (!s->table)
        return TR_END;
    enum tr_status st = prepare(s, &any, err); /* finds the columns */
    tr__scan_end(s);
    bool ok = tr_buf_add_str(&sql, "SELECT ") && add_columns(s, &sql) && tr_buf_add_str(&sql, " FROM ") &&
              tr__db_quote(&sql, s->table) && tr_buf_add_str(&sql, " WHERE ") && tr__db_quote(&sql, id) &&
              tr_buf_add(&sql, " = ?", 5);
    if (st == TR_OK && any)
        st = ok ? is_fast(db, &sql, &fast, err) : tr_fail_memory(err);
    if (st == TR_OK && fast)
        st = tr__db_prepare(db, (const char *)sql.data, &s->rows, err);
    tr_buf_free(&sql);
    return st == TR_OK && !s->rows ? TR_END : st;
}

enum tr_status tr__find(struct tr__scan *s, int64_t id, struct tr_error *err)
{
    const struct tr__sqlite *lib = &s->db->lib;
    if (!s->rows)
        return TR_END;
    lib->reset(s->rows);
    lib->bind_int64(s->rows, 1, id);
    s->db->turns = 0;
    int code = s->db->failure.status == TR_OK ? lib->step(s->rows) : SQLITE_ERROR;
    return code == SQLITE_ROW ? TR_OK : code == SQLITE_DONE ? TR_END : tr__db_failed(s->db, code, err);
}

#endif
