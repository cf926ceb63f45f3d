#include "base/tr_num.h"
#include "table/tr_table_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const unit_names[] = { "ns", "us", "ms", "s" };
static const char *const format_names[] = { "text", "tsv", "csv", "json", "md" };

static int find_name(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int tr_table_format_by_name(const char *name)
{
    return find_name(format_names, (int)(sizeof format_names / sizeof *format_names), name);
}

int tr_unit_by_name(const char *name)
{
    return find_name(unit_names, (int)(sizeof unit_names / sizeof *unit_names), name);
}

const char *tr_unit_name(enum tr_unit unit)
{
    return unit_names[unit];
}

struct tr_table *tr_table_new(enum tr_unit unit)
{
    struct tr_table *t = calloc(1, sizeof *t);
    if (t)
        t->unit = unit;
    return t;
}

void tr_table_width(struct tr_table *t, size_t width)
{
    t->width = width;
}

void tr_table_free(struct tr_table *t)
{
    if (!t)
        return;
    for (size_t c = 0; c < t->n_cols; c++)
        free(t->cols[c].name);
    free(t->cols);
    free(t->cells);
    tr__text_free(t);
    free(t->temp_dir);
    tr_buf_free(&t->strings);
    free(t);
}

static void fail(struct tr_table *t, enum tr_status status)
{
    if (t->status == TR_OK)
        t->status = status;
}

void tr_table_column(struct tr_table *t, const char *name, enum tr_cell type, unsigned decimals)
{
    if (t->status != TR_OK)
        return;
    if (t->n_cells || t->begun || decimals > 17) {
        fail(t, TR_USAGE);
        return;
    }
    size_t len = strlen(name) + sizeof "_ns";
    char *copy = malloc(len);
    if (!copy || !tr_grow(&t->cols, &t->cap_cols, t->n_cols + 1, sizeof *t->cols)) {
        free(copy);
        fail(t, TR_SYSTEM);
        return;
    }
    snprintf(copy, len, "%s%s%s", name, type == TR_CELL_TIME ? "_" : "",
             type == TR_CELL_TIME ? unit_names[t->unit] : "");
    t->cols[t->n_cols++] = (struct tr__column){ copy, type, decimals };
}

/* The next cell, or NULL when something is wrong. */
static struct tr__cell *next_cell(struct tr_table *t, bool fits)
{
    if (t->status != TR_OK)
        return NULL;
    if (!fits || t->n_cols == 0) {
        fail(t, TR_USAGE);
        return NULL;
    }
    if (!tr_grow(&t->cells, &t->cap_cells, t->n_cells + 1, sizeof *t->cells)) {
        fail(t, TR_SYSTEM);
        return NULL;
    }
    struct tr__cell *cell = &t->cells[t->n_cells++];
    memset(cell, 0, sizeof *cell);
    return cell;
}

static bool next_is(const struct tr_table *t, enum tr_cell type)
{
    return t->n_cols && t->cols[t->n_cells % t->n_cols].type == type;
}

void tr_table_absent(struct tr_table *t)
{
    struct tr__cell *cell = next_cell(t, true);
    if (cell)
        cell->absent = true;
}

void tr_table_bytes(struct tr_table *t, const char *s, size_t len)
{
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_STRING));
    if (!cell)
        return;
    cell->v.s.at = t->strings.len;
    cell->v.s.len = len;
    if (!tr_buf_add(&t->strings, s, len))
        fail(t, TR_SYSTEM);
}

void tr_table_string(struct tr_table *t, const char *s)
{
    if (s)
        tr_table_bytes(t, s, strlen(s));
    else
        tr_table_absent(t);
}

void tr_table_int(struct tr_table *t, int64_t value)
{
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_INT));
    if (cell)
        cell->v.i = value;
}

void tr_table_count(struct tr_table *t, uint64_t value)
{
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_COUNT));
    if (cell)
        cell->v.u = value;
}

void tr_table_time(struct tr_table *t, int64_t ns)
{
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_TIME));
    if (cell)
        cell->v.i = ns;
}

void tr_table_time_f(struct tr_table *t, double ns)
{
    if (isnan(ns))
        tr_table_absent(t);
    else if (ns >= 9223372036854775807.0)
        tr_table_time(t, INT64_MAX);
    else if (ns <= -9223372036854775807.0)
        tr_table_time(t, -INT64_MAX);
    else
        tr_table_time(t, (int64_t)round(ns));
}

void tr_table_ratio(struct tr_table *t, double value)
{
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_RATIO) || next_is(t, TR_CELL_DOUBLE));
    if (!cell)
        return;
    cell->absent = !isfinite(value);
    cell->v.d = value;
}

void tr_table_pct(struct tr_table *t, int64_t part, int64_t whole)
{
    if (whole)
        tr_table_ratio(t, 100.0 * (double)part / (double)whole);
    else
        tr_table_absent(t);
}

size_t tr_table_rows(const struct tr_table *t)
{
    return t->n_cols ? (t->n_cells + t->n_cols - 1) / t->n_cols : 0;
}

bool tr_table_temp_dir(struct tr_table *t, const char *dir)
{
    size_t n = strlen(dir) + 1;
    free(t->temp_dir);
    t->temp_dir = malloc(n);
    if (t->temp_dir)
        memcpy(t->temp_dir, dir, n);
    return t->temp_dir != NULL;
}

bool tr_table_empty(const struct tr_table *t)
{
    return !t->n_cells && !t->n_written;
}

/* ---- numbers ---- */

/* printf writes the point of the locale, which may be several bytes: put "." in its place. */
static void neutral_point(char *s)
{
    size_t len = strlen(s), from = 0;
    while (from < len && strchr("+-0123456789", s[from]))
        from++;
    size_t to = from;
    while (to < len && !strchr("0123456789eE", s[to]))
        to++;
    if (to == from)
        return;
    s[from] = '.';
    memmove(s + from + 1, s + to, len - to + 1);
}

/* The digits of a number, at least so many, up to end; where they begin.  Two at a time, which halves
 * the divisions. */
static char *put_digits(char *end, uint64_t value, int at_least)
{
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    for (; value >= 10; value /= 100, at_least -= 2) {
        end -= 2;
        memcpy(end, pairs + value % 100 * 2, 2);
    }
    for (; value || at_least > 0; value /= 10, at_least--)
        *--end = (char)('0' + value % 10);
    return end;
}

/* Listings have millions of integers, for which printf takes most of the time. */
static bool add_integer(struct tr_buf *out, bool negative, uint64_t whole, uint64_t rest, int digits)
{
    char text[48], *end = text + sizeof text, *p = end;
    if (digits) {
        p = put_digits(p, rest, digits);
        *--p = '.';
    }
    p = put_digits(p, whole, 1);
    if (negative)
        *--p = '-';
    return tr_buf_add(out, p, (size_t)(end - p));
}

static uint64_t size_of(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static bool add_time(struct tr_buf *out, int64_t ns, enum tr_unit unit)
{
    static const uint64_t scale[] = { 1, 1000, 1000000, 1000000000 };
    static const int digits[] = { 0, 3, 6, 9 };
    uint64_t size = size_of(ns);
    return add_integer(out, ns < 0, size / scale[unit], size % scale[unit], digits[unit]);
}

static bool add_ratio(struct tr_buf *out, double d, unsigned decimals)
{
    char text[352]; /* the largest double has 309 digits before the point */
    snprintf(text, sizeof text, "%.*f", (int)decimals, d);
    neutral_point(text);
    if (text[0] == '-' && strspn(text + 1, "0.") == strlen(text + 1))
        memmove(text, text + 1, strlen(text)); /* no "-0.00" */
    return tr_buf_add_str(out, text);
}

static bool add_double(struct tr_buf *out, double d)
{
    char text[TR_NUM_TEXT];
    tr_num_print(d, text);
    return tr_buf_add_str(out, text);
}

bool tr__cell_number(const struct tr_table *t, size_t column, const struct tr__cell *cell,
                     struct tr_buf *out)
{
    switch (t->cols[column].type) {
    case TR_CELL_TIME:
        return add_time(out, cell->v.i, t->unit);
    case TR_CELL_RATIO:
        return add_ratio(out, cell->v.d, t->cols[column].decimals);
    case TR_CELL_DOUBLE:
        return add_double(out, cell->v.d);
    case TR_CELL_COUNT:
        return add_integer(out, false, cell->v.u, 0, 0);
    default:
        return add_integer(out, cell->v.i < 0, size_of(cell->v.i), 0, 0);
    }
}
