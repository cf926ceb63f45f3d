/* SPDX-License-Identifier: MIT */
/* The public interface: reading and writing rows of tables. */
#include "api/tr_api_int.h"

#include "sink/tr_sinks.h"
#include "table/tr_table_int.h"

#include <math.h>
#include <string.h>

/* ---- reading ---- */

size_t tr_table_row_count(const struct tr_table *t)
{
    return t ? tr__rows(t) : 0;
}

size_t tr_table_column_count(const struct tr_table *t)
{
    return t ? t->n_shown : 0;
}

bool tr_table_column_info(const struct tr_table *t, size_t column, struct tr_column_info *info)
{
    if (!t || column >= t->n_shown)
        return false;
    const struct tr__column *c = tr__column_at(t, column);
    struct tr_column_info own = { .name = c->printed, .type = c->is.type, .role = c->is.role,
                                  .unit = c->is.type == TR_CELL_TIME ? tr_unit_name(t->unit) : c->is.unit,
                                  .meaning = c->is.meaning };
    tr__api_give(info, &own, sizeof own);
    return true;
}

size_t tr_table_column_by_name(const struct tr_table *t, const char *name)
{
    size_t c = t ? tr_table_find(t, name) : SIZE_MAX;
    for (size_t i = 0; c != SIZE_MAX && i < t->n_shown; i++)
        if (t->shown[i] == c)
            return i;
    return SIZE_MAX;
}

/* The cell, if there is one with a value. */
static const struct tr__cell *cell_at(const struct tr_table *t, size_t row, size_t column, enum tr_cell *type)
{
    if (!t || row >= tr__rows(t) || column >= t->n_shown)
        return NULL;
    const struct tr__cell *cell = tr__cell_at(t, row, column);
    *type = tr__column_at(t, column)->is.type;
    return cell->absent ? NULL : cell;
}

const char *tr_table_cell_text(const struct tr_table *t, size_t row, size_t column, size_t *len)
{
    enum tr_cell type;
    const struct tr__cell *cell = cell_at(t, row, column, &type);
    bool text = cell && type == TR_CELL_STRING;
    if (len)
        *len = text ? cell->v.s.len : 0;
    return text ? tr__cell_string(t, cell) : NULL;
}

int64_t tr_table_cell_int(const struct tr_table *t, size_t row, size_t column)
{
    enum tr_cell type;
    const struct tr__cell *cell = cell_at(t, row, column, &type);
    if (cell && type == TR_CELL_COUNT)
        return cell->v.u > INT64_MAX ? INT64_MAX : (int64_t)cell->v.u;
    return cell && (type == TR_CELL_INT || type == TR_CELL_TIME) ? cell->v.i : TR_I64_NONE;
}

double tr_table_cell_real(const struct tr_table *t, size_t row, size_t column)
{
    enum tr_cell type;
    const struct tr__cell *cell = cell_at(t, row, column, &type);
    return cell && type != TR_CELL_STRING ? tr__number(type, cell) : (double)NAN;
}

enum tr_status tr_table_print(struct tr_table *t, const char *format,
                              enum tr_status (*write)(void *ctx, const void *bytes, size_t n, struct tr_error *err),
                              void *ctx, struct tr_error *err)
{
    const struct tr_row_sink *sink = tr_row_sink_by_name(format);
    if (!t)
        return tr_fail(err, TR_USAGE, "there is no table");
    if (!sink || sink->book)
        return tr_fail(err, TR_USAGE, "tables are not written as '%.80s'", format);
    tr_table_output(t, sink, write, ctx);
    t->kept = true;
    enum tr_status st = tr_table_end(t, err);
    tr_table_output(t, NULL, NULL, NULL);
    return st;
}

/* ---- writing ---- */

void tr_table_add_column(struct tr_table *t, const char *name, enum tr_cell type, enum tr_column_role role,
                         const char *unit, const char *meaning)
{
    if (t)
        tr_table_columns(t, &(struct tr_table_column){ .name = name, .type = type, .role = role, .decimals = 3,
                                                   .unit = unit, .meaning = meaning }, 1);
}

void tr_table_put_text(struct tr_table *t, const char *text, size_t len)
{
    if (t)
        tr_table_text(t, (struct tr_str){ text, text && len == SIZE_MAX ? strlen(text) : len });
}

void tr_table_put_int(struct tr_table *t, int64_t value)
{
    if (t)
        tr_table_int(t, value);
}

void tr_table_put_count(struct tr_table *t, uint64_t value)
{
    if (t)
        tr_table_count(t, value);
}

void tr_table_put_time(struct tr_table *t, int64_t ns)
{
    if (t)
        tr_table_time(t, ns);
}

void tr_table_put_real(struct tr_table *t, double value)
{
    if (t)
        tr_table_ratio(t, value);
}

void tr_table_put_absent(struct tr_table *t)
{
    if (t)
        tr_table_absent(t);
}
