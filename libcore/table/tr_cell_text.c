/* SPDX-License-Identifier: MIT */
/* Cells as text: functions for all formats. */
#include "base/tr_num.h"
#include "table/tr_table_int.h"

#include <stdio.h>
#include <string.h>

/* ---- numbers ---- */

/* printf writes the decimal point of the locale, which may have several bytes: replace it by ".". */
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

/* Write the digits of a number, with leading zeros up to a minimum count, so that they end at end; returns their start.
 * Two digits at a time need half as many divisions. */
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

bool tr__cell_number(const struct tr_table *t, const struct tr__column *column,
                     const struct tr__cell *cell, struct tr_buf *out)
{
    switch (column->is.type) {
    case TR_CELL_TIME:
        return add_time(out, cell->v.i, t->unit);
    case TR_CELL_RATIO:
        return add_ratio(out, cell->v.d, column->is.decimals);
    case TR_CELL_DOUBLE:
        return cell->decimals ? add_ratio(out, cell->v.d, cell->decimals - 1u) : add_double(out, cell->v.d);
    case TR_CELL_COUNT:
        return add_integer(out, false, cell->v.u, 0, 0);
    default:
        return add_integer(out, cell->v.i < 0, size_of(cell->v.i), 0, 0);
    }
}

/* ---- lines of cells ---- */

static bool add_cell(const struct tr_table *t, const struct tr__lines *f, size_t row, size_t shown,
                     struct tr_buf *out)
{
    const struct tr__cell *cell = tr__cell_at(t, row, shown);
    const struct tr__column *column = tr__column_at(t, shown);
    if (cell->absent)
        return true;
    if (column->is.type != TR_CELL_STRING)
        return tr__cell_number(t, column, cell, out);
    return cell->v.s.len == 0 || f->string(out, tr__cell_string(t, cell), cell->v.s.len);
}

static bool add_header(const struct tr_table *t, const struct tr__lines *f, struct tr_buf *out)
{
    bool ok = tr_buf_add_str(out, f->before);
    for (size_t k = 0; ok && k < t->n_shown; k++) {
        const char *name = tr__column_at(t, k)->printed;
        ok = (k == 0 || tr_buf_add_str(out, f->between)) &&
             f->name(out, name, strlen(name));
    }
    ok = ok && tr_buf_add_str(out, f->after);
    return ok && (!f->below_header || f->below_header(t, out));
}

enum tr_status tr__lines_rows(struct tr_table *t, const struct tr__lines *f, struct tr_buf *out,
                              struct tr_error *err)
{
    size_t before = strlen(f->before), between = strlen(f->between), after = strlen(f->after);
    bool ok = t->started || add_header(t, f, out);
    for (size_t r = 0; ok && r < tr__rows(t); r++) {
        ok = tr_buf_add(out, f->before, before);
        for (size_t k = 0; ok && k < t->n_shown; k++)
            ok = (k == 0 || tr_buf_add(out, f->between, between)) && add_cell(t, f, r, k, out);
        ok = ok && tr_buf_add(out, f->after, after);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}
