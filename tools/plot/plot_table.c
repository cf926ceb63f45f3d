/* SPDX-License-Identifier: MIT */
/*
 * From a printed table to one with types, units and roles, by the cells and the names of its columns: sum_us is a time,
 * pct a share, rank says which.
 */
#include "plot/plot.h"

#include "base/tr_num.h"
#include "base/tr_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_TEXT 400u

static bool ends_with(struct tr_str s, const char *end)
{
    size_t n = strlen(end);
    return s.len >= n && memcmp(s.s + s.len - n, end, n) == 0;
}

/* A cell of a number that stands for none. */
static bool is_absent(struct tr_str cell)
{
    static const char *const words[] = {
        "-", "NaN", "nan", "NAN", "inf", "-inf", "Infinity", "-Infinity", "null", "NA"
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (tr_str_is(cell, words[i]))
            return true;
    return !cell.s || !cell.len;
}

static bool copy_number(struct tr_str cell, char text[NUMBER_TEXT])
{
    if (cell.len >= NUMBER_TEXT)
        return false;
    memcpy(text, cell.s, cell.len);
    text[cell.len] = '\0';
    return true;
}

static bool is_number(struct tr_str cell, bool *whole)
{
    char text[NUMBER_TEXT];
    double v;
    int64_t n;
    if (!copy_number(cell, text) || !tr_num_decimal(text, &v) || !isfinite(v))
        return false;
    *whole = tr_num_plain(text, cell.len, &n);
    return true;
}

/* The unit of a name such as "sum_us"; -1: none. */
static int unit_of(struct tr_str name)
{
    for (int u = TR_UNIT_NS; u <= TR_UNIT_S; u++) {
        char end[8];
        snprintf(end, sizeof end, "_%s", tr_unit_name((enum tr_unit)u));
        if (ends_with(name, end) && !(u == TR_UNIT_S && ends_with(name, "_per_s")))
            return u;
    }
    return -1;
}

static void look_at(const struct tr_printed_table *from, size_t c, struct plot_column *column)
{
    bool all_whole = true;
    *column = (struct plot_column){ .unit = -1, .name_len = from->names[c].len, .odd = SIZE_MAX };
    for (size_t r = 0; r < from->n_rows; r++) {
        struct tr_str cell = tr_printed_table_cell(from, r, c);
        bool whole = false;
        column->ever |= cell.s && cell.len;
        if (is_absent(cell))
            continue;
        if (is_number(cell, &whole)) {
            column->n_numbers++;
            all_whole &= whole;
        } else if (column->odd == SIZE_MAX) {
            column->odd = r;
        }
    }
    bool numbers = column->odd == SIZE_MAX && (column->n_numbers || (!column->ever && c > 0));
    column->type = !numbers ? TR_CELL_STRING : all_whole && column->n_numbers ? TR_CELL_INT : TR_CELL_DOUBLE;
    int unit = unit_of(from->names[c]);
    if (numbers && unit >= 0) {
        column->type = TR_CELL_TIME;
        column->unit = unit;
        column->name_len -= strlen(tr_unit_name((enum tr_unit)unit)) + 1;
    }
}

enum tr_status plot_columns(const struct tr_printed_table *from, struct plot_column **columns, int *unit,
                            struct tr_error *err)
{
    *unit = -1;
    *columns = calloc(from->n_cols + 1, sizeof **columns);
    if (!*columns)
        return tr_fail_memory(err);
    for (size_t c = 0; c < from->n_cols; c++) {
        look_at(from, c, &(*columns)[c]);
        if (*unit < 0)
            *unit = (*columns)[c].unit;
    }
    return TR_OK;
}

/* ---- roles ---- */

static bool is_one_of(struct tr_str name, const char *const *words)
{
    for (; *words; words++)
        if (tr_str_is(name, *words))
            return true;
    return false;
}

static void describe(const struct tr_printed_table *from, const struct plot_column *column, size_t c, char *name,
                     struct tr_table_column *is)
{
    static const char *const which[] = { "device", "stream", "step", "record", "window",    "position",
                                         "source", "pid",    "tid",  "seq",    "iteration", NULL };
    static const char *const sums[] = { "sum", "dur", "total", "time", "device_self", "busy", "idle", "weight", NULL };
    static const char *const counts[] = { "count", "calls", "launches", "kernels", "n", NULL };
    static const char *const moments[] = { "ts", "start", "end", "time_since_start", NULL };
    struct tr_str full = from->names[c], base = { full.s, column->name_len };
    memcpy(name, base.s, base.len);
    name[base.len] = '\0';
    *is = (struct tr_table_column){ .name = name, .type = column->type, .role = TR_ROLE_QUANTILE };
    if (column->type == TR_CELL_STRING) {
        is->role = TR_ROLE_KEY;
        is->names = tr_str_is(base, "name") || tr_str_is(base, "kernel") || tr_str_is(base, "operator");
        return;
    }
    bool whole = column->type == TR_CELL_INT;
    if (whole && tr_str_is(base, "rank"))
        is->role = TR_ROLE_GROUP;
    else if (whole && is_one_of(base, which))
        is->role = TR_ROLE_KEY;
    else if (column->type == TR_CELL_TIME && is_one_of(base, moments))
        is->role = TR_ROLE_TIME;
    else if (is_one_of(base, sums))
        is->role = TR_ROLE_SUM;
    else if (is_one_of(base, counts))
        is->role = TR_ROLE_COUNT;
    if (tr_str_is(base, "pct") || ends_with(base, "_pct"))
        is->unit = "%";
    if (tr_str_is(base, "pct")) {
        is->role = TR_ROLE_SHARE;
        is->of = "sum";
    }
    if (tr_str_is(base, "bytes") || ends_with(base, "_bytes"))
        is->unit = "bytes";
    else if (ends_with(base, "GBps"))
        is->unit = "GB/s";
}

/* ---- rows ---- */

/* A time in ns: exact where it has no more digits than that. */
static void add_time(struct tr_table *t, const char *text, int unit)
{
    static const double scale[] = { 1, 1e3, 1e6, 1e9 };
    char with_unit[NUMBER_TEXT + 4];
    int64_t ns;
    double v = 0;
    snprintf(with_unit, sizeof with_unit, "%s%s", text, tr_unit_name((enum tr_unit)unit));
    if (tr_num_time(with_unit, INT64_MIN + 1, INT64_MAX, &ns, NULL) == TR_OK)
        tr_table_time(t, ns);
    else if (tr_num_decimal(text, &v))
        tr_table_time_f(t, v * scale[unit]);
    else
        tr_table_absent(t);
}

static void add_cell(struct tr_table *t, const struct plot_column *column, struct tr_str cell)
{
    char text[NUMBER_TEXT];
    double v = (double)NAN;
    int64_t n;
    if (column->type == TR_CELL_STRING) {
        if (cell.s && cell.len)
            tr_table_text(t, cell);
        else
            tr_table_absent(t);
    } else if (is_absent(cell) || !copy_number(cell, text)) {
        tr_table_absent(t);
    } else if (column->type == TR_CELL_TIME) {
        add_time(t, text, column->unit);
    } else if (column->type == TR_CELL_INT && tr_num_plain(text, cell.len, &n)) {
        tr_table_int(t, n);
    } else if (tr_num_decimal(text, &v)) {
        tr_table_ratio(t, v);
    } else {
        tr_table_absent(t);
    }
}

enum tr_status plot_fill(const struct tr_printed_table *from, const struct plot_column *columns, struct tr_table *t,
                         struct tr_error *err)
{
    for (size_t c = 0; c < from->n_cols; c++) {
        struct tr_table_column is;
        char *name = malloc(from->names[c].len + 1);
        if (!name)
            return tr_fail_memory(err);
        describe(from, &columns[c], c, name, &is);
        tr_table_columns(t, &is, 1);
        free(name);
    }
    enum tr_status st = tr_table_ready(t, err);
    for (size_t r = 0; st == TR_OK && r < from->n_rows; r++)
        for (size_t c = 0; c < from->n_cols; c++)
            add_cell(t, &columns[c], tr_printed_table_cell(from, r, c));
    return st == TR_OK ? tr_table_status(t, err) : st;
}
