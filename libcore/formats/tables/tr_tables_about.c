/* SPDX-License-Identifier: MIT */
/* Databases whose rows are events: small tables; the facts of a database, and what was not read. */
#include "formats/tables/tr_tables_int.h"

#include <string.h>

enum tr_status tr__tables_each(struct tr__tables *t, const char *table, const char *const *columns, size_t n,
                               tr__tables_row_fn *fn, void *ctx)
{
    enum tr_status st = tr__tables_scan(t, &t->scan, table, columns, n);
    while (st == TR_OK && (st = tr__scan_next(&t->scan, t->err)) == TR_OK)
        st = fn(t->own, ctx);
    tr__scan_end(&t->scan);
    if (t->scan.doubt)
        tr__tables_bad_value(t);
    t->scan.doubt = false;
    return st == TR_END ? TR_OK : st;
}

enum tr_status tr__tables_fact(struct tr__tables *t, const char *fact, struct tr_str text, int64_t n)
{
    const struct tr_side_value row[] = {
        { .present = true, .text = fact, .len = strlen(fact) },
        { .present = text.s != NULL, .text = text.s, .len = text.len },
        { .present = n != TR_I64_NONE, .v = n },
    };
    if (!t->about)
        t->about = tr_side_table_new(t->schema->name, 0);
    bool ok = t->about && (t->about->n_columns || (tr_side_table_column(t->about, "fact", TR_T_STRING) &&
                                                   tr_side_table_column(t->about, "text", TR_T_STRING) &&
                                                   tr_side_table_column(t->about, "n", TR_T_INT)));
    return ok && tr_side_table_add(t->about, row) ? TR_OK : tr_fail_memory(t->err);
}

static bool starts(const char *table, const char *start)
{
    return strncmp(table, start, strlen(start)) == 0;
}

/* Is it this table, or one with a version or a suffix after its name? */
static bool is_table(const struct tr__schema *s, const char *table, const char *name)
{
    const char *rest = table + strlen(name);
    return starts(table, name) && (!*rest || (*rest == '_' && (s->next || rest[1] == 'V')));
}

/* Is it read, or about the capture, or made by another program? */
static bool is_known(const struct tr__schema *s, const char *table)
{
    bool found = starts(table, "sqlite_") || starts(table, s->strings);
    for (size_t i = 0; !found && s->about[i]; i++)
        found = starts(table, s->about[i]);
    for (size_t i = 0; !found && i < s->n_tables; i++)
        found = is_table(s, table, s->tables[i]->name);
    return found;
}

enum tr_status tr__tables_facts_end(struct tr__tables *t)
{
    const char *table;
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && (table = tr__db_table(t->db, i)) != NULL; i++) {
        int64_t n = 0;
        if (!is_known(t->schema, table))
            st = tr__db_about_rows(t->db, table, &n, t->err);
        if (st == TR_OK && n)
            st = tr__tables_fact(t, "rows_not_read", (struct tr_str){ table, strlen(table) }, n);
    }
    if (st == TR_OK && t->about) {
        tr_ingest_table(t->g, t->about);
        t->about = NULL;
    }
    return st;
}
