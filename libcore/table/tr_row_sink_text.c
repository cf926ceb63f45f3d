/* SPDX-License-Identifier: MIT */
/* Tables as aligned text: rows are measured and kept, then laid out as tr_text_layout.c says. */
#include "base/tr_escape.h"
#include "base/tr_width.h"
#include "io/tr_temp.h"
#include "table/tr_text_int.h"

#include <stdio.h>
#include <stdlib.h>

/* The number of bytes of one write to the file, of one read from it, or of one piece of output. */
#define PIECE_BYTES ((size_t)1 << 18)
/* Tables with at least this number of rows are kept in a file. */
#define FILE_ROWS 32768u

/* ---- the state ---- */

static bool start_column(const struct tr_table *t, size_t shown, struct tr__text_column *c)
{
    const struct tr__column *column = tr__column_at(t, shown);
    const struct tr_table_column *is = &column->is;
    c->col = t->shown[shown];
    c->number = tr_cell_is_number(is->type);
    c->is_time = is->type == TR_CELL_TIME;
    c->key = is->role == TR_ROLE_GROUP || is->role == TR_ROLE_KEY;
    c->main = is->main || (t->n_sort && t->sort[0].by == c->col);
    c->last = !c->number && (is->names || is->wide);
    c->header = tr_width(column->printed, strlen(column->printed));
    c->texts = c->number ? NULL : tr_strtab_new();
    return c->number || c->texts;
}

static bool start(struct tr_table *t)
{
    if (t->layout)
        return true;
    struct tr__layout *l = t->layout = calloc(1, sizeof *l);
    bool ok = l && (l->columns = calloc(t->n_shown + 1, sizeof *l->columns));
    for (; ok && l->n_columns < t->n_shown; l->n_columns++)
        ok = start_column(t, l->n_columns, &l->columns[l->n_columns]);
    return ok;
}

/* ---- rows come ---- */

/* "512 B", "1.5 MiB". */
static bool add_bytes(struct tr_buf *out, const struct tr__cell *cell, bool is_signed)
{
    static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    char text[40];
    bool negative = is_signed && cell->v.i < 0;
    uint64_t size = negative ? 0 - (uint64_t)cell->v.i : cell->v.u;
    double d = (double)size;
    size_t unit = 0;
    if (size < 1024) {
        snprintf(text, sizeof text, "%s%u B", negative ? "-" : "", (unsigned)size);
        return tr_buf_add_str(out, text);
    }
    for (d /= 1024; d >= 1023.95 && unit + 1 < sizeof units / sizeof *units; unit++)
        d /= 1024;
    unsigned tenths = (unsigned)(d * 10 + 0.5);
    snprintf(text, sizeof text, "%s%u.%u %s", negative ? "-" : "", tenths / 10, tenths % 10, units[unit]);
    return tr_buf_add_str(out, text);
}

static bool is_number(const struct tr_table_column *is, const struct tr__cell *cell, int n)
{
    bool real = is->type == TR_CELL_RATIO || is->type == TR_CELL_DOUBLE;
    return real ? cell->v.d == n : cell->v.i == n;
}

/* Does a cell have information?  A quiet column is left out if no cell has. */
static bool is_informative(const struct tr_table *t, const struct tr__text_column *c, const struct tr__cell *cell)
{
    const struct tr_table_column *is = &t->cols[c->col].is;
    if (is->quiet == TR_QUIET_SAME && !c->number)
        return tr_strtab_count(c->texts) > 1;
    if (is->quiet == TR_QUIET_SAME) {
        const struct tr__cell *first = &c->first;
        return first->absent != cell->absent || (!cell->absent && tr__compare(is->type, t, first, t, cell) != 0);
    }
    return !cell->absent && (c->number ? !is_number(is, cell, is->quiet == TR_QUIET_1) : cell->v.s.len != 0);
}

/* The number of decimals that a time needs, a multiple of three; text is that of its cell. */
static size_t decimals_of(const unsigned char *text, size_t n, const unsigned char *point)
{
    size_t need = point ? n - (size_t)(point + 1 - text) : 0;
    while (need && memcmp(point + 1 + need - 3, "000", 3) == 0)
        need -= 3;
    return need;
}

/* Add the text of a cell to the rows, and update the properties of its column. */
static bool keep_number(const struct tr_table *t, struct tr__text_column *c, const struct tr__cell *cell,
                        struct tr_buf *rows)
{
    const struct tr__column *column = &t->cols[c->col];
    size_t from = rows->len;
    bool ok = cell->absent ? tr_buf_add(rows, "-", 1)
              : t->arrange.human && tr__is_bytes(&column->is)
                  ? add_bytes(rows, cell, column->is.type == TR_CELL_INT)
                  : tr__cell_number(t, column, cell, rows);
    if (!ok)
        return false;
    const unsigned char *text = rows->data + from;
    size_t n = rows->len - from;
    const unsigned char *point = c->is_time ? memchr(text, '.', n) : NULL;
    size_t need = decimals_of(text, n, point);
    n = point ? (size_t)(point - text) : n;
    c->decimals = need > c->decimals ? need : c->decimals;
    c->widest = n > c->widest ? n : c->widest;
    return true;
}

static bool keep_text(const struct tr_table *t, struct tr__text_column *c, const struct tr__cell *cell,
                      struct tr_buf *scratch, struct tr_buf *rows)
{
    char number[16];
    size_t width = 1;
    scratch->len = 0;
    bool ok = cell->absent ? tr_buf_add(scratch, "-", 1)
                           : cell->v.s.len == 0 || tr_escape_text(scratch, tr__cell_string(t, cell), cell->v.s.len,
                                                                  SIZE_MAX, &width);
    uint32_t id = ok ? tr_strtab_add(c->texts, scratch->data ? (const char *)scratch->data : "", scratch->len)
                     : TR_NO_STR;
    if (id == TR_NO_STR)
        return false;
    c->widest = width > c->widest ? width : c->widest;
    snprintf(number, sizeof number, "%u", (unsigned)id);
    return tr_buf_add_str(rows, number);
}

/* Measure the present rows and keep them; many rows go to the file.  TR_OK or TR_SYSTEM. */
static enum tr_status keep_rows(struct tr_table *t, struct tr_error *err)
{
    struct tr_buf scratch = { 0 };
    size_t n = tr__rows(t);
    bool ok = start(t);
    struct tr__layout *l = t->layout;
    enum tr_status st = TR_OK;
    if (ok && !l->temp && t->temp_dir && n >= FILE_ROWS)
        st = tr_temp_open(&l->temp, t->temp_dir, err);
    for (size_t r = 0; st == TR_OK && ok && r < n; r++) {
        for (size_t k = 0; ok && k < l->n_columns; k++) {
            struct tr__text_column *c = &l->columns[k];
            const struct tr__cell *cell = tr__cell_at(t, r, k);
            if (l->n_rows == 0)
                c->first = *cell;
            ok = (c->number ? keep_number(t, c, cell, &l->rows) : keep_text(t, c, cell, &scratch, &l->rows)) &&
                 tr_buf_add(&l->rows, "\t", 1);
            c->informative = c->informative || (t->cols[c->col].is.quiet && is_informative(t, c, cell));
        }
        l->n_rows++;
        if (ok && l->temp && (l->rows.len >= PIECE_BYTES || r + 1 == n)) {
            st = tr_temp_write(l->temp, l->rows.data, l->rows.len, err);
            l->rows.len = 0;
        }
    }
    tr_buf_free(&scratch);
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

/* ---- rows go ---- */

static bool add_blanks(struct tr_buf *out, size_t n)
{
    if (n == 0 || !tr_buf_reserve(out, n))
        return n == 0;
    memset(out->data + out->len, ' ', n);
    out->len += n;
    return true;
}

/* The printed form of a cell, from its text in the rows. */
static struct tr__form form_of(const struct tr__text_column *c, const unsigned char *text, size_t n)
{
    if (!c->number)
        return c->forms[tr__text_number(text)];
    const unsigned char *point = c->is_time ? memchr(text, '.', n) : NULL;
    if (point)
        n = (size_t)(point - text) + (c->decimals ? 1 + c->decimals : 0);
    return (struct tr__form){ (const char *)text, n, n };
}

static struct tr__form header_of(const struct tr_table *t, const struct tr__text_column *c)
{
    const char *name = t->cols[c->col].printed;
    return (struct tr__form){ name, strlen(name), c->header };
}

/* The texts of the cells of the next row; false: the row is not complete. */
static bool next_row(struct tr__layout *l, struct tr_str *cells)
{
    size_t at = l->at;
    for (size_t i = 0; i < l->n_columns; i++) {
        if (at >= l->rows.len) /* without rows there are no bytes to point to */
            return false;
        const unsigned char *from = l->rows.data + at;
        const unsigned char *tab = memchr(from, '\t', l->rows.len - at);
        if (!tab)
            return false;
        cells[i] = (struct tr_str){ (const char *)from, (size_t)(tab - from) };
        at += cells[i].len + 1;
    }
    l->at = at;
    return l->n_columns != 0;
}

/* The length of a bar for a printed share, whose decimal point does not depend on the locale. */
static size_t bar_of(const struct tr__form *f, size_t bar)
{
    double pct = 0, unit = 0;
    for (size_t i = 0; i < f->len; i++) {
        if (f->s[i] == '.')
            unit = 0.1;
        else if (f->s[i] < '0' || f->s[i] > '9')
            return 0; /* negative, or absent */
        else if (unit > 0)
            pct += unit * (f->s[i] - '0'), unit /= 10;
        else
            pct = 10 * pct + (f->s[i] - '0');
    }
    return pct > 100 ? bar : (size_t)(pct / 100 * (double)bar + 0.5);
}

static bool add_bar(struct tr_buf *out, size_t n)
{
    bool ok = n == 0 || tr_buf_add(out, " ", 1);
    for (size_t i = 0; i < n && ok; i++)
        ok = tr_buf_add(out, "#", 1);
    return ok;
}

/* A line of the block; cells NULL: its header. */
static bool lay_line(const struct tr_table *t, const struct tr__layout *l, const struct tr_str *cells,
                     struct tr_buf *out)
{
    const struct tr__text_block *b = &l->block;
    size_t owed = 0; /* blanks to write before the next cell, so that no line ends with blanks */
    bool ok = true;
    for (size_t i = 0; ok && i < b->n; i++) {
        const struct tr__text_column *c = &l->columns[b->list[i]];
        struct tr__form f = cells ? form_of(c, (const unsigned char *)cells[b->list[i]].s, cells[b->list[i]].len)
                                  : header_of(t, c);
        size_t pad = c->width > f.width ? c->width - f.width : 0;
        if (f.len)
            ok = add_blanks(out, owed + (c->number ? pad : 0)) && tr_buf_add(out, f.s, f.len);
        owed = f.len ? (c->number ? 0 : pad) + TR__TEXT_GAP : owed + c->width + TR__TEXT_GAP;
        if (i == b->share) {
            size_t n = cells ? bar_of(&f, b->bar) : 0;
            ok = ok && add_bar(out, n);
            owed += 1 + b->bar - (n ? 1 + n : 0);
        }
    }
    return ok;
}

static bool mark(const struct tr_table *t, bool on, struct tr_buf *out)
{
    return !t->colour || tr_buf_add_str(out, on ? "\033[1m" : "\033[0m");
}

/* The transposed table: a line for each column. */
static bool lay_turned(const struct tr_table *t, struct tr__layout *l, struct tr_buf *out)
{
    size_t names = 0, n_rows = (size_t)l->n_rows, n = l->n_columns;
    struct tr_str *cells = calloc(n_rows * n + 1, sizeof *cells);
    size_t *width = calloc(n_rows + 1, sizeof *width);
    bool ok = cells && width;
    for (size_t r = 0; ok && r < n_rows; r++)
        ok = next_row(l, cells + r * n);
    for (size_t i = 0; ok && i < l->n_list; i++) {
        const struct tr__text_column *c = &l->columns[l->list[i]];
        names = c->header > names ? c->header : names;
        for (size_t r = 0; r < n_rows; r++) {
            const struct tr_str *cell = &cells[r * n + l->list[i]];
            size_t w = form_of(c, (const unsigned char *)cell->s, cell->len).width;
            width[r] = w > width[r] ? w : width[r];
        }
    }
    for (size_t i = 0; ok && i < l->n_list; i++) {
        const struct tr__text_column *c = &l->columns[l->list[i]];
        struct tr__form f = header_of(t, c);
        size_t owed = names - f.width;
        ok = mark(t, true, out) && tr_buf_add(out, f.s, f.len) && mark(t, false, out);
        for (size_t r = 0; ok && r < n_rows; r++) {
            const struct tr_str *cell = &cells[r * n + l->list[i]];
            f = form_of(c, (const unsigned char *)cell->s, cell->len);
            owed += TR__TEXT_GAP + width[r] - f.width;
            ok = !f.len || (add_blanks(out, owed) && tr_buf_add(out, f.s, f.len));
            owed = f.len ? 0 : owed + f.width;
        }
        ok = ok && tr_buf_add_str(out, "\n");
    }
    free(cells);
    free(width);
    return ok;
}

/* Read more rows from the file; rows that were read but not printed yet stay before them. */
static enum tr_status read_more(struct tr__layout *l, struct tr_error *err)
{
    uint64_t left = tr_temp_size(l->temp) - l->read;
    size_t n = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
    if (l->rows.len)
        memmove(l->rows.data, l->rows.data + l->at, l->rows.len - l->at);
    l->rows.len -= l->at;
    l->at = 0;
    if (!tr_buf_reserve(&l->rows, n + 1))
        return tr_fail_memory(err);
    enum tr_status st = tr_temp_read_at(l->temp, l->rows.data + l->rows.len, n, l->read, err);
    l->rows.len += n;
    l->read += n;
    return st;
}

/* Start the next block: write its header, and start again with the first row. */
static bool start_block(const struct tr_table *t, struct tr__layout *l, struct tr_buf *out)
{
    bool ok = !l->started || tr_buf_add_str(out, "\n");
    l->started = true;
    l->at = 0;
    l->read = 0;
    if (l->temp)
        l->rows.len = 0;
    return ok && tr__layout_block(t, l) && mark(t, true, out) && lay_line(t, l, NULL, out) && mark(t, false, out) &&
           tr_buf_add_str(out, "\n");
}

/* Write some rows of a block.  TR_OK: there may be more; TR_END: these were the last ones. */
static enum tr_status lay_rows(const struct tr_table *t, struct tr__layout *l, struct tr_buf *out, struct tr_error *err)
{
    struct tr_str *cells = calloc(l->n_columns + 1, sizeof *cells);
    bool ok = cells != NULL;
    enum tr_status st = ok && l->temp ? read_more(l, err) : TR_OK;
    while (st == TR_OK && ok && next_row(l, cells))
        ok = lay_line(t, l, cells, out) && tr_buf_add_str(out, "\n");
    free(cells);
    if (st != TR_OK || !ok)
        return st != TR_OK ? st : tr_fail_memory(err);
    return !l->temp || l->read == tr_temp_size(l->temp) ? TR_END : TR_OK;
}

/* Rows of text can be kept in a file only if there is a folder for it.  Otherwise, all rows stay in memory. */
static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    (void)out;
    return keep_rows(t, err);
}

static enum tr_status lay_some(struct tr_table *t, struct tr__layout *l, struct tr_buf *out, struct tr_error *err)
{
    if (l->turned)
        return lay_turned(t, l, out) ? TR_END : tr_fail_memory(err);
    bool next = !l->started || l->done;
    if (next && !start_block(t, l, out))
        return tr_fail_memory(err);
    enum tr_status st = lay_rows(t, l, out, err);
    l->done = st == TR_END;
    return st == TR_END && l->next < l->n_list ? TR_OK : st;
}

static enum tr_status end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!t->layout || !t->layout->planned) {
        st = keep_rows(t, err);
        tr__forget_rows(t);
        if (st == TR_OK && !tr__layout_plan(t, t->layout))
            st = tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = lay_some(t, t->layout, out, err);
    if (st != TR_OK)
        tr__text_free(t);
    return st;
}

const struct tr_row_sink tr_row_sink_text = { .name = "text", .rows = rows, .end = end };
