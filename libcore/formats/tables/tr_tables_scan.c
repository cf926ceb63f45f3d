/* SPDX-License-Identifier: MIT */
/* Databases whose rows are events: tables by their names with a suffix, and values that are not what they should be. */
#include "formats/tables/tr_tables_int.h"

void tr__tables_bad_value(struct tr__tables *t)
{
    static const struct tr_ingest_cause cause = { "bad_value", "value of another type than its column, left out",
                                                  false };
    tr_ingest_damaged_by(t->g, &cause, TR_NO_OFFSET);
}

/* The name of a table with the suffix; NULL: out of memory. */
static const char *full_name(struct tr__tables *t, const char *table)
{
    t->table_name.len = 0;
    bool ok = tr_buf_add_str(&t->table_name, table) && tr_buf_add(&t->table_name, t->suffix.data, t->suffix.len) &&
              tr_buf_add(&t->table_name, "", 1);
    return ok ? (const char *)t->table_name.data : NULL;
}

enum tr_status tr__tables_scan(struct tr__tables *t, struct tr__scan *s, const char *table, const char *const *columns,
                               size_t n)
{
    const char *name = full_name(t, table);
    return name ? tr__scan_start(s, t->db, name, columns, n, t->err) : tr_fail_memory(t->err);
}

enum tr_status tr__tables_find(struct tr__tables *t, struct tr__scan *s, const char *table, const char *id,
                               const char *const *columns, size_t n)
{
    const char *name = full_name(t, table);
    return name ? tr__find_start(s, t->db, name, id, columns, n, t->err) : tr_fail_memory(t->err);
}
