/* Tables as aligned text: widths first, then lines. */
#include "base/tr_escape.h"
#include "table/tr_table_int.h"

#include "io/tr_temp.h"

#include <stdlib.h>
#include <string.h>

static bool add_cell(const struct tr_table *t, size_t row, size_t shown, struct tr_buf *out)
{
    const struct tr__cell *cell = tr__cell_at(t, row, shown);
    const struct tr__column *column = tr__column_at(t, shown);
    if (cell->absent)
        return tr_buf_add(out, "-", 1);
    if (column->is.type != TR_CELL_STRING)
        return tr__cell_number(t, column, cell, out);
    return cell->v.s.len == 0 ||
           tr_escape_text(out, tr__cell_string(t, cell), cell->v.s.len, TR_ROW_SINK_TEXT_WIDTH, NULL);
}

static bool add_name(const struct tr_table *t, size_t shown, struct tr_buf *out)
{
    const char *name = tr__column_at(t, shown)->printed;
    return tr_escape_text(out, name, strlen(name), TR_ROW_SINK_TEXT_WIDTH, NULL);
}

static size_t characters(const unsigned char *s, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += s[i] >> 6 != 2;
    return count;
}

/* Header is row 0, then the table's rows. */
static bool text_cell(const struct tr_table *t, size_t line, size_t col, struct tr_buf *out)
{
    return line == 0 ? add_name(t, col, out) : add_cell(t, line - 1, col, out);
}

static bool add_blanks(struct tr_buf *out, size_t n)
{
    if (n == 0 || !tr_buf_reserve(out, n))
        return n == 0;
    memset(out->data + out->len, ' ', n);
    out->len += n;
    return true;
}

/*
 * The text laid out: lines and columns of it.  As it stands, a line is the header or a row; turned,
 * it is a column of the table, and the header is in front.
 */
struct layout {
    const struct tr_table *t;
    bool turned;
    size_t lines, cols;
    size_t *width;      /* by column */
    struct tr_buf cell; /* scratch */
};

/* The text of one cell into l->cell. */
static bool lay_cell(struct layout *l, size_t line, size_t col)
{
    l->cell.len = 0;
    return l->turned ? text_cell(l->t, col, line, &l->cell) : text_cell(l->t, line, col, &l->cell);
}

/* Find the widths; *total is that of a line.  False: out of memory. */
static bool measure(struct layout *l, bool turned, size_t *total)
{
    size_t lines = tr__rows(l->t) + 1, cols = l->t->n_shown;
    l->turned = turned;
    l->lines = turned ? cols : lines;
    l->cols = turned ? lines : cols;
    free(l->width);
    l->width = calloc(l->cols + 1, sizeof *l->width);
    *total = 0;
    for (size_t c = 0; l->width && c < l->cols; c++) {
        for (size_t line = 0; line < l->lines; line++) {
            if (!lay_cell(l, line, c))
                return false;
            size_t n = characters(l->cell.data, l->cell.len);
            l->width[c] = n > l->width[c] ? n : l->width[c];
        }
        *total += l->width[c] + (c ? 2 : 0);
    }
    return l->width != NULL;
}

static bool text_line(struct layout *l, size_t line, struct tr_buf *out)
{
    bool ok = true;
    size_t owed = 0; /* blanks due before the next cell, so that lines end without any */
    for (size_t c = 0; ok && c < l->cols; c++) {
        ok = lay_cell(l, line, c);
        size_t pad = l->width[c] - characters(l->cell.data, l->cell.len);
        bool right = l->turned ? c > 0 : tr_cell_is_number(tr__column_at(l->t, c)->is.type);
        if (l->cell.len)
            ok = ok && add_blanks(out, owed + (right ? pad : 0)) &&
                 tr_buf_add(out, l->cell.data, l->cell.len);
        owed = l->cell.len ? (right ? 0 : pad) + 2 : owed + l->width[c] + 2;
    }
    return ok && tr_buf_add_str(out, "\n");
}

static bool add_text(const struct tr_table *t, struct tr_buf *out)
{
    struct layout l = { .t = t };
    size_t total, turned;
    bool ok = measure(&l, false, &total);
    if (ok && t->width && total > t->width)
        ok = measure(&l, true, &turned) && (turned <= t->width || measure(&l, false, &total));
    for (size_t line = 0; ok && line < l.lines; line++)
        ok = text_line(&l, line, out);
    tr_buf_free(&l.cell);
    free(l.width);
    return ok;
}

/* ---- tables too long to hold ---- */

/*
 * Rows put aside stand in a temporary file as text: cells with a tab after each, which no cell has in it.
 * Once all widths are known, they are read back.
 */
struct tr__aside {
    struct tr_temp *temp;
    size_t *width;     /* by column, so far */
    uint64_t read;     /* how far it has been written out */
    struct tr_buf piece; /* read, and not yet written out */
    bool header;       /* has been written out */
};

#define PIECE_BYTES ((size_t)1 << 18)

void tr__text_free(struct tr_table *t)
{
    if (!t->aside)
        return;
    tr_temp_free(t->aside->temp);
    tr_buf_free(&t->aside->piece);
    free(t->aside->width);
    free(t->aside);
    t->aside = NULL;
}

static enum tr_status begin_aside(struct tr_table *t, struct tr_error *err)
{
    if (t->aside)
        return TR_OK;
    struct tr__aside *a = t->aside = calloc(1, sizeof *a);
    struct tr_buf name = { 0 };
    bool ok = a && (a->width = calloc(t->n_shown + 1, sizeof *a->width));
    for (size_t c = 0; ok && c < t->n_shown; c++) {
        name.len = 0;
        ok = add_name(t, c, &name);
        a->width[c] = characters(name.data, name.len);
    }
    tr_buf_free(&name);
    return ok ? tr_temp_open(&a->temp, t->temp_dir, err) : tr_fail_memory(err);
}

static enum tr_status put_aside(struct tr_table *t, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st = begin_aside(t, err);
    size_t rows = tr__rows(t);
    bool ok = true;
    for (size_t r = 0; st == TR_OK && ok && r < rows; r++) {
        for (size_t c = 0; ok && c < t->n_shown; c++) {
            size_t from = text.len;
            ok = add_cell(t, r, c, &text);
            size_t n = ok ? characters(text.data + from, text.len - from) : 0;
            t->aside->width[c] = n > t->aside->width[c] ? n : t->aside->width[c];
            ok = ok && tr_buf_add(&text, "\t", 1);
        }
        if (ok && (text.len >= PIECE_BYTES || r + 1 == rows)) {
            st = tr_temp_write(t->aside->temp, text.data, text.len, err);
            text.len = 0;
        }
    }
    tr_buf_free(&text);
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

struct cell_text {
    const unsigned char *s;
    size_t len;
};

/* The line of a row whose cells are text already. */
static bool lay_row(const struct tr_table *t, const size_t *width, const struct cell_text *cells,
                    struct tr_buf *out)
{
    size_t owed = 0;
    bool ok = true;
    for (size_t c = 0; ok && c < t->n_shown; c++) {
        size_t pad = width[c] - characters(cells[c].s, cells[c].len);
        bool right = tr_cell_is_number(tr__column_at(t, c)->is.type);
        if (cells[c].len)
            ok = add_blanks(out, owed + (right ? pad : 0)) && tr_buf_add(out, cells[c].s, cells[c].len);
        owed = cells[c].len ? (right ? 0 : pad) + 2 : owed + width[c] + 2;
    }
    return ok && tr_buf_add_str(out, "\n");
}

/* Add whole rows at the start of the piece to out; *used: their bytes. */
static bool lay_piece(const struct tr_table *t, const struct tr__aside *a, struct cell_text *cells,
                      struct tr_buf *out, size_t *used)
{
    const unsigned char *at = a->piece.data, *end = at + a->piece.len;
    bool ok = true;
    *used = 0;
    while (ok && at < end) {
        size_t c = 0;
        for (; c < t->n_shown; c++) {
            const unsigned char *tab = memchr(at, '\t', (size_t)(end - at));
            if (!tab)
                return true; /* the rest of the row is not here yet */
            cells[c] = (struct cell_text){ at, (size_t)(tab - at) };
            at = tab + 1;
        }
        ok = lay_row(t, a->width, cells, out);
        *used = (size_t)(at - a->piece.data);
    }
    return ok;
}

static bool lay_header(const struct tr_table *t, const struct tr__aside *a, struct cell_text *cells,
                       struct tr_buf *out)
{
    struct tr_buf names = { 0 };
    bool ok = true;
    for (size_t c = 0; ok && c < t->n_shown; c++) {
        cells[c].len = names.len;
        ok = add_name(t, c, &names);
        cells[c].len = names.len - cells[c].len;
    }
    for (size_t c = 0, from = 0; ok && c < t->n_shown; from += cells[c++].len)
        cells[c].s = names.data + from;
    ok = ok && lay_row(t, a->width, cells, out);
    tr_buf_free(&names);
    return ok;
}

/* The next piece of rows put aside.  TR_END: all of them are written. */
static enum tr_status write_aside(const struct tr_table *t, struct tr__aside *a, struct tr_buf *out,
                                  struct tr_error *err)
{
    uint64_t left = tr_temp_size(a->temp) - a->read;
    size_t n = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES, used = 0;
    struct cell_text *cells = calloc(t->n_shown + 1, sizeof *cells);
    bool ok = cells && tr_buf_reserve(&a->piece, n + 1);
    enum tr_status st = ok ? tr_temp_read_at(a->temp, a->piece.data + a->piece.len, n, a->read, err)
                           : tr_fail_memory(err);
    if (st == TR_OK) {
        a->read += n;
        a->piece.len += n;
        ok = (a->header || lay_header(t, a, cells, out)) && lay_piece(t, a, cells, out, &used);
        a->header = true;
        memmove(a->piece.data, a->piece.data + used, a->piece.len - used);
        a->piece.len -= used;
        st = !ok ? tr_fail_memory(err) : left == n ? TR_END : TR_OK;
    }
    free(cells);
    return st;
}

/* Rows of text can be put aside only where there is a folder for them; else all wait for the end. */
static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    (void)out;
    return put_aside(t, err);
}

static enum tr_status end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    if (!t->aside)
        return add_text(t, out) ? TR_END : tr_fail_memory(err);
    enum tr_status st = TR_OK;
    if (tr__rows(t)) {
        st = put_aside(t, err);
        tr__forget_rows(t);
    }
    if (st == TR_OK)
        st = write_aside(t, t->aside, out, err);
    if (st == TR_END)
        tr__text_free(t);
    return st;
}

const struct tr_row_sink tr_row_sink_text = { .name = "text", .rows = rows, .end = end };
