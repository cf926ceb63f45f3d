/* SPDX-License-Identifier: MIT */
/* Databases whose rows are events: opening, which profiler's database it is, and its tables one after the other. */
#include "formats/tables/tr_tables_int.h"

#include "formats/common/tr_not_read_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "stream/tr_dict.h"

#include <stdlib.h>
#include <string.h>

#define ROWS      4096u  /* that are read at a time */
#define MAX_NAMES 65536u /* bytes of names of tables that are looked at */
#define POSSIBLE  30     /* a database whose tables are not in its first bytes: too little for a file of a folder */

/* ---- which one it is ---- */

/* A mark is the start of a name of a table. */
static bool has_table(const struct tr__db *db, const char *mark)
{
    const char *table;
    bool found = false;
    for (size_t i = 0; !found && (table = tr__db_table(db, i)) != NULL; i++)
        found = strncmp(table, mark, strlen(mark)) == 0;
    return found;
}

static bool is_of(const struct tr__db *db, const struct tr__schema *s)
{
    bool found = false;
    for (size_t i = 0; !found && i < s->n_marks; i++)
        found = has_table(db, s->marks[i]);
    return found;
}

/* The failure says what the database is, if no schema is known, or if it is one that is known for not being read. */
static enum tr_status check_known(struct tr__tables *t, const struct tr__schema *s)
{
    if (s && has_table(t->db, s->strings))
        return TR_OK;
    struct tr_buf names = { 0 };
    const char *table;
    bool ok = true;
    for (size_t i = 0; ok && names.len < MAX_NAMES && (table = tr__db_table(t->db, i)) != NULL; i++)
        ok = (!i || tr_buf_add_str(&names, ", ")) && tr_buf_add_str(&names, table);
    ok = ok && tr_buf_add(&names, "", 1);
    const char *what = ok ? tr__not_read_database(names.data, names.len) : NULL;
    enum tr_status st = !ok    ? tr_fail_memory(t->err)
                        : what ? tr_fail(t->err, TR_DAMAGED, "%s", what)
                        : s    ? TR_OK
                               : tr_fail(t->err, TR_DAMAGED,
                                         "an SQLite database that no known profiler has written (its tables: %.200s)",
                                         names.len > 1 ? (const char *)names.data : "none");
    tr_buf_free(&names);
    return st;
}

static enum tr_status choose(struct tr__tables *t)
{
    const struct tr__schema *s = is_of(t->db, t->schema) ? t->schema : NULL;
    for (size_t i = 0; !s && t->schemas[i]; i++)
        if (is_of(t->db, t->schemas[i]))
            s = t->schemas[i];
    enum tr_status st = check_known(t, s);
    if (st == TR_OK) {
        t->schema = s;
        tr_ingest_format(t->g, s->name);
    }
    return st;
}

/* ---- reading ---- */

static enum tr_status start(struct tr__tables *t)
{
    enum tr_status st = tr__db_open(&t->db, t->g, "an SQLite database", t->err);
    bool ok = true;
    if (st == TR_OK)
        st = choose(t);
    if (st != TR_OK)
        return st;
    for (size_t i = 0; i < t->schema->n_keys; i++)
        ok = (t->keys[i] = tr_ingest_text(t->g, t->schema->keys[i], strlen(t->schema->keys[i]))) != TR_NO_STR && ok;
    for (size_t i = 0; i < TR__TABLES_PARTS; i++)
        ok = (t->parts[i] = tr_ingest_text(t->g, tr__tables_parts[i], strlen(tr__tables_parts[i]))) != TR_NO_STR && ok;
    t->own = ok ? t->schema->make(t) : NULL;
    return t->own ? t->schema->start(t->own) : tr_fail_memory(t->err);
}

/* The next table that is there and is wanted.  TR_END: there is none. */
static enum tr_status next_table(struct tr__tables *t)
{
    enum tr_status st = TR_END;
    const struct tr__schema *s = t->schema;
    tr__scan_end(&t->scan);
    t->scanning = false;
    while (st == TR_END) {
        for (; t->table < s->n_tables && st == TR_END; t->table++) {
            const struct tr__tables_table *of = s->tables[t->table];
            if (!of->wanted || of->wanted(t->own))
                st = tr__tables_scan(t, &t->scan, of->name, of->columns, of->n);
            if (st == TR_OK)
                break;
        }
        if (st != TR_END || !s->next)
            break;
        enum tr_status more = s->next(t->own);
        if (more != TR_OK)
            return more;
        t->table = 0;
    }
    t->scanning = st == TR_OK;
    return st;
}

static enum tr_status read_row(struct tr__tables *t)
{
    enum tr_status st = tr__scan_next(&t->scan, t->err);
    if (st == TR_END) {
        t->table++;
        return next_table(t);
    }
    if (st == TR_OK)
        st = t->schema->tables[t->table]->row(t->own);
    if (st == TR_END) { /* an event that was begun is replaced by the next one */
        static const struct tr_ingest_cause cause = { "bad_row", "row without what an event needs, lost", true };
        tr_ingest_damaged_by(t->g, &cause, TR_NO_OFFSET);
        st = TR_OK;
    }
    if (t->scan.doubt)
        tr__tables_bad_value(t);
    t->scan.doubt = false;
    t->record++;
    return st;
}

static enum tr_status read_rows(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct tr__tables *t = ctx;
    enum tr_status st = TR_OK;
    t->g = g;
    t->err = err;
    if (!t->db) {
        st = start(t);
        if (st == TR_OK)
            st = next_table(t);
    }
    for (unsigned i = 0; i < ROWS && st == TR_OK; i++)
        st = read_row(t);
    if (st != TR_END)
        return st;
    st = t->schema->end(t->own);
    return st == TR_OK ? TR_END : st;
}

static void release(void *ctx)
{
    struct tr__tables *t = ctx;
    if (t->own)
        t->schema->free(t->own);
    tr__scan_end(&t->scan);
    tr__scan_end(&t->lookup);
    tr__db_close(t->db);
    tr__numbers_free(&t->strings);
    tr__numbers_free(&t->process_of);
    tr__numbers_free(&t->pids);
    tr_strtab_free(t->stream_keys);
    tr_side_table_free(t->about);
    tr_buf_free(&t->suffix);
    tr_buf_free(&t->table_name);
    tr_buf_free(&t->text);
    tr_buf_free(&t->clean);
    free(t->processes);
    free(t->streams);
    free(t);
}

/* What a database may be: one of these, first this one. */
struct choice {
    const struct tr__schema *const *schemas, *likely;
};

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct tr__tables *t = state;
    const struct choice *choice = of;
    size_t quarter = opts->max_memory_bytes / 4;
    t->schemas = choice->schemas;
    t->schema = choice->likely;
    t->max_memory = quarter > TR__TABLES_MIN_MEMORY ? quarter : TR__TABLES_MIN_MEMORY;
    t->warn = opts->warn;
    t->warn_ctx = opts->warn_ctx;
    t->name = bytes->name;
    t->rank = TR_I64_NONE;
    for (size_t i = 0; i < sizeof t->dims / sizeof *t->dims; i++)
        t->dims[i].number = TR_NO_STR;
    for (size_t i = 0; i < TR__TABLES_MAX; i++)
        t->likes[i].like.shape = UINT32_MAX;
    return (t->stream_keys = tr_strtab_new()) != NULL;
}

enum tr_status tr__tables_open(const struct tr__schema *const *schemas, const struct tr__schema *likely,
                               struct tr_input **out, const struct tr_ingest_bytes *bytes,
                               const struct tr_open_opts *opts, struct tr_error *err)
{
    static const struct tr_ingest_reader reader = { "sqlite", read_rows, release };
    const struct choice choice = { schemas, likely };
    return tr__reader_open(out, &reader, sizeof(struct tr__tables), init, &choice, bytes, opts, err);
}

int tr__tables_probe(const struct tr__schema *schema, const unsigned char *p, size_t n)
{
    if (!tr__db_starts(p, n) || tr__db_is_own(p, n))
        return 0;
    if (tr__db_start_has(p, n, schema->marks, schema->n_marks))
        return 95;
    return tr__not_read_database(p, n) ? 0 : POSSIBLE;
}
