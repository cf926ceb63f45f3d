/* SPDX-License-Identifier: MIT */
/* Tables as HTML: the rows as an element of a page, and a page of their own. */
#include "sink/tr_html.h"
#include "table/tr_table_int.h"

#include <stdlib.h>

#define MAX_ROWS  1000u
#define MAX_BYTES ((size_t)400 << 10) /* of a table */
#define LONG_TEXT 40u                 /* bytes; longer ones may have several lines */

/* ---- rows ---- */

/* The table, and which of the columns a reader sees: as in text, and only those with values. */
struct page_rows {
    const struct tr_table *t;
    bool *show;
    size_t n; /* rows at most */
};

static bool has_values(const struct page_rows *p, size_t k)
{
    size_t row = 0;
    while (row < p->n && tr__cell_at(p->t, row, k)->absent)
        row++;
    return row < p->n;
}

static bool choose_columns(struct page_rows *p)
{
    p->show = calloc(p->t->n_shown + 1, sizeof *p->show);
    for (size_t k = 0; p->show && k < p->t->n_shown; k++) {
        const struct tr_table_column *is = &tr__column_at(p->t, k)->is;
        p->show[k] = p->t->arrange.columns || ((is->main || !is->extra) && has_values(p, k));
    }
    return p->show != NULL;
}

/* Commas between thousands, as pictures have them. */
static bool add_grouped(struct tr_buf *out, const char *s, size_t len)
{
    size_t sign = len && *s == '-', whole = strspn(s + sign, "0123456789");
    bool ok = tr_buf_add(out, s, sign);
    for (size_t i = 0; ok && i < whole; i++)
        ok = (!i || whole < 4 || (whole - i) % 3 || tr_buf_add_str(out, ",")) && tr_buf_add(out, s + sign + i, 1);
    return ok && tr_buf_add(out, s + sign + whole, len - sign - whole);
}

static bool add_cell(const struct tr_table *t, const struct tr__column *column, const struct tr__cell *cell,
                     struct tr_buf *out)
{
    struct tr_buf number = { 0 };
    if (cell->absent)
        return true;
    if (column->is.type == TR_CELL_STRING) {
        const char *s = cell->v.s.len ? tr__cell_string(t, cell) : "";
        return cell->v.s.len > LONG_TEXT ? tr_html_element(out, "span class=\"long\"", s, cell->v.s.len)
                                         : tr_html_text(out, s, cell->v.s.len);
    }
    bool ok = tr__cell_number(t, column, cell, &number);
    size_t len = number.len;
    ok = ok && tr_buf_add(&number, "", 1) &&
         (column->is.role == TR_ROLE_KEY || column->is.role == TR_ROLE_GROUP
              ? tr_buf_add(out, number.data, len)
              : add_grouped(out, tr_buf_text(&number), len));
    tr_buf_free(&number);
    return ok;
}

static bool is_numeric(const struct tr__column *column)
{
    return tr_cell_is_number(column->is.type);
}

static bool add_header(const struct page_rows *p, struct tr_buf *out)
{
    const struct tr_table *t = p->t;
    bool ok = tr_buf_add_str(out, "<div class=\"scroll\"><table>\n<thead><tr>");
    for (size_t k = 0; ok && k < t->n_shown; k++) {
        const struct tr__column *column = tr__column_at(t, k);
        const char *meaning = column->is.meaning;
        if (!p->show[k])
            continue;
        ok = tr_buf_add_str(out, is_numeric(column) ? "<th class=\"num\"" : "<th") &&
             (!meaning || (tr_buf_add_str(out, " title=\"") && tr_html_text(out, meaning, strlen(meaning)) &&
                           tr_buf_add_str(out, "\""))) &&
             tr_buf_add_str(out, ">") && tr_html_text(out, column->printed, strlen(column->printed)) &&
             tr_buf_add_str(out, "</th>");
    }
    return ok && tr_buf_add_str(out, "</tr></thead>\n<tbody>\n");
}

/* Does the row sum up others?  It stays below the rows that a reader sorts. */
static bool is_rest(const struct tr_table *t, size_t row)
{
    for (size_t k = 0; k < t->n_shown; k++) {
        const struct tr__cell *cell = tr__cell_at(t, row, k);
        if (tr__column_at(t, k)->is.type == TR_CELL_STRING && !cell->absent &&
            tr_str_is((struct tr_str){ tr__cell_string(t, cell), cell->v.s.len }, "others"))
            return true;
    }
    return false;
}

static bool add_row(const struct page_rows *p, size_t row, struct tr_buf *out)
{
    const struct tr_table *t = p->t;
    bool ok = tr_buf_add_str(out, is_rest(t, row) ? "<tr class=\"rest\">" : "<tr>");
    for (size_t k = 0; ok && k < t->n_shown; k++) {
        const struct tr__column *column = tr__column_at(t, k);
        if (!p->show[k])
            continue;
        ok = tr_buf_add_str(out, is_numeric(column) ? "<td class=\"num\">" : "<td>") &&
             add_cell(t, column, tr__cell_at(t, row, k), out) && tr_buf_add_str(out, "</td>");
    }
    return ok && tr_buf_add_str(out, "</tr>\n");
}

static bool add_table(const struct tr_table *t, struct tr_buf *out)
{
    const size_t n = tr__rows(t), before = out->len;
    struct page_rows p = { .t = t, .n = n < MAX_ROWS ? n : MAX_ROWS };
    size_t row = 0;
    bool ok = choose_columns(&p) && add_header(&p, out);
    for (; ok && row < p.n && out->len - before < MAX_BYTES; row++)
        ok = add_row(&p, row, out);
    ok = ok && tr_buf_add_str(out, "</tbody></table></div>\n");
    free(p.show);
    return ok && (row == n ||
                  tr_buf_print(out, "<p class=\"notes\">The first %zu of %zu rows: -O tsv has all.</p>\n", row, n));
}

static enum tr_status no_rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    (void)t;
    (void)out;
    (void)err;
    return TR_OK; /* all are needed first */
}

static enum tr_status rows_end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    return add_table(t, out) ? TR_END : tr_fail_memory(err);
}

const struct tr_row_sink tr_html_rows = { .name = "html", .draws = true, .rows = no_rows, .end = rows_end };

/* ---- a page ---- */

static const char *title_of(const struct tr_picture *p)
{
    return p->title ? p->title : p->inputs ? p->inputs : "tracepipe";
}

static bool add_about(const struct tr_picture *p, struct tr_buf *out)
{
    const char *title = title_of(p);
    struct tr_buf about = { 0 };
    bool ok = (!p->inputs || title == p->inputs || tr_buf_add_str(&about, p->inputs)) &&
              (!p->selection || !*p->selection ||
               tr_buf_print(&about, "%s%s", about.len ? " \xc2\xb7 " : "", p->selection)) &&
              tr_html_element(out, "h1", title, strlen(title)) &&
              tr_html_element(out, "p class=\"question\"", tr_buf_text(&about), about.len);
    tr_buf_free(&about);
    return ok;
}

/* The columns that were chosen may make no picture. */
static enum tr_status add_figure(struct tr_table *t, const struct tr_picture *p, struct tr_buf *out,
                                 struct tr_error *err)
{
    struct tr_error why = TR_ERROR_INIT;
    enum tr_status st = tr_html_figure(out, t, p, &why);
    return st == TR_OK || st == TR_USAGE ? TR_OK : tr_fail_memory(err);
}

static const struct tr_picture no_picture = { .title = NULL };

static enum tr_status section_end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    const struct tr_picture *p = t->picture ? t->picture : &no_picture;
    enum tr_status st = p->chart && tr__rows(t) ? add_figure(t, p, out, err) : TR_OK;
    bool ok = true;
    if (st != TR_OK)
        return st;
    if (!tr__rows(t))
        ok = tr_html_element(out, "p", p->nothing ? p->nothing : "the table has no rows",
                             strlen(p->nothing ? p->nothing : "the table has no rows"));
    ok = ok && add_table(t, out) && (!p->command || tr_html_command(out, p->command, strlen(p->command), true));
    return ok ? TR_END : tr_fail_memory(err);
}

static enum tr_status page_end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    const struct tr_picture *p = t->picture ? t->picture : &no_picture;
    bool ok = tr_html_start(out, title_of(p)) && add_about(p, out) && tr_buf_add_str(out, "<section>\n");
    enum tr_status st = ok ? section_end(t, out, err) : tr_fail_memory(err);
    ok = st != TR_END || (tr_buf_add_str(out, "</section>\n") && tr_html_end(out));
    return ok ? st : tr_fail_memory(err);
}

const struct tr_row_sink tr_html_section = { .name = "html", .draws = true, .rows = no_rows, .end = section_end };

const struct tr_row_sink tr_row_sink_html = { .name = "html", .draws = true, .rows = no_rows, .end = page_end };
