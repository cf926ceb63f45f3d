/* SPDX-License-Identifier: MIT */
/* Tables: columns, cells, and when rows are written. */
#include "base/tr_time.h"
#include "table/tr_chart.h"
#include "table/tr_table_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows that are worth a write, or cells, so that those of wide tables are still in a cache; rows that are worth a
 * temporary file. */
#define FLUSH_ROWS       4096u
#define FLUSH_CELLS      16384u
#define FLUSH_ASIDE_ROWS 32768u


static const char *const unit_names[] = { "ns", "us", "ms", "s" };

int tr_unit_by_name(const char *name)
{
    for (int i = 0; i < (int)(sizeof unit_names / sizeof *unit_names); i++)
        if (strcmp(unit_names[i], name) == 0)
            return i;
    return -1;
}

const char *tr_unit_name(enum tr_unit unit)
{
    return unit_names[unit];
}

/* ---- making one ---- */

struct tr_table *tr_table_new(enum tr_unit unit)
{
    struct tr_table *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->unit = unit;
    t->total = t->top_per = SIZE_MAX;
    t->texts = tr_arena_new(4096);
    if (!t->texts) {
        free(t);
        return NULL;
    }
    return t;
}

void tr_table_free(struct tr_table *t)
{
    if (!t)
        return;
    tr__text_free(t);
    tr_arena_free(t->texts);
    free(t->cols);
    free(t->shown);
    free(t->keys);
    tr_spilling_free(&t->cells_in, t->cells);
    tr_spilling_free(&t->strings_in, t->strings.data);
    free(t->hidden);
    free(t->order);
    free(t->temp_dir);
    tr_buf_free(&t->text);
    free(t);
}

void tr_table_width(struct tr_table *t, size_t width)
{
    t->width = width;
}

void tr_table_colour(struct tr_table *t, bool colour)
{
    t->colour = colour;
}

void tr_table_picture(struct tr_table *t, const struct tr_picture *picture)
{
    t->picture = picture;
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

void tr_table_go_on(struct tr_table *t, const struct tr_go_on *go_on)
{
    t->go_on = *go_on;
}

void tr_table_spill(struct tr_table *t, struct tr_spill *spill)
{
    t->cells_in.spill = t->strings_in.spill = spill;
}

void tr_table_output(struct tr_table *t, const struct tr_row_sink *sink, tr_table_out *write, void *self)
{
    t->sink = sink;
    t->out = write;
    t->out_self = self;
}

static void fail_usage(struct tr_table *t)
{
    if (t->err.status == TR_OK)
        tr_fail(&t->err, TR_USAGE, "the cells of a table do not fit its columns");
}

static void fail_memory(struct tr_table *t)
{
    if (t->err.status == TR_OK)
        tr_fail_memory(&t->err);
}

void tr_table_no_memory(struct tr_table *t)
{
    fail_memory(t);
}

/* ---- columns ---- */

/* A copy that lives as long as the table; NULL stays NULL.  False: out of memory. */
static bool keep_text(struct tr_table *t, const char **text)
{
    if (*text)
        *text = tr_arena_copy(t->texts, *text, strlen(*text) + 1);
    return *text != NULL;
}

static const char *heading_of(const struct tr_table *t, const char *name)
{
    for (const struct tr_table_heading *h = t->arrange.headings; h && h->name; h++)
        if (strcmp(h->name, name) == 0)
            return h->heading;
    return NULL;
}

static bool add_column(struct tr_table *t, const struct tr_table_column *c)
{
    struct tr__column own = { .is = *c };
    const char *heading = heading_of(t, c->name), *shown = heading ? heading : c->name;
    size_t len = strlen(shown) + sizeof " (ns)";
    own.printed = tr_arena_alloc(t->texts, len);
    bool ok = own.printed && keep_text(t, &own.is.name) && (!c->unit || keep_text(t, &own.is.unit)) &&
              (!c->of || keep_text(t, &own.is.of)) && (!c->per || keep_text(t, &own.is.per)) &&
              (!c->within || keep_text(t, &own.is.within)) && (!c->meaning || keep_text(t, &own.is.meaning)) &&
              tr_grow(&t->cols, &t->cap_cols, t->n_cols + 1, sizeof *t->cols);
    if (!ok)
        return false;
    bool time = c->type == TR_CELL_TIME;
    snprintf(own.printed, len, time ? heading ? "%s (%s)" : "%s_%s" : "%s", shown, unit_names[t->unit]);
    t->cols[t->n_cols++] = own;
    return true;
}

void tr_table_columns(struct tr_table *t, const struct tr_table_column *columns, size_t n)
{
    for (size_t i = 0; i < n && t->err.status == TR_OK; i++) {
        if (t->ready || t->n_cells || columns[i].decimals > 17)
            fail_usage(t);
        else if (!add_column(t, &columns[i]))
            fail_memory(t);
    }
}

void tr_table_column(struct tr_table *t, const char *name, enum tr_cell type, unsigned decimals)
{
    tr_table_columns(t, &(struct tr_table_column){ .name = name, .type = type, .decimals = decimals }, 1);
}

void tr_table_order(struct tr_table *t, const char *order)
{
    t->own_order = tr_arena_copy(t->texts, order, strlen(order) + 1);
    if (!t->own_order)
        fail_memory(t);
}

void tr_table_hold(struct tr_table *t)
{
    t->hold = true;
}

/* Has the table an x and a y for this chart?  Options may leave them out. */
static bool can_draw(const struct tr_table *t, const struct tr_chart *chart)
{
    bool y = false;
    for (size_t i = 0; chart && i < TR_CHART_Y && chart->y[i]; i++)
        y |= tr_table_find(t, chart->y[i]) != SIZE_MAX;
    return y && tr_table_find(t, chart->x) != SIZE_MAX;
}

void tr_table_describe(const struct tr_table *t, const struct tr_chart *chart, struct tr_table *out)
{
    static const struct tr_table_column columns[] = {
        { "column", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "its name" },
        { "type", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "type of the cells" },
        { "unit", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "unit of the numbers" },
        { "role", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "how cells are combined when rows are summed up" },
        { "shown", TR_CELL_STRING, TR_ROLE_TEXT,
          .meaning = "shown in text: always, if some cell has a value, or only with --columns" },
        { "meaning", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "what it says" },
        { "chart", TR_CELL_STRING, TR_ROLE_TEXT, .quiet = TR_QUIET_0, .meaning = "its part in the chart of the table" },
    };
    static const char *const when[] = { "default", "if not 0", "if not 1", "if they differ" };
    struct tr_buf part = { 0 };
    if (!can_draw(t, chart))
        chart = NULL;
    tr_table_columns(out, columns, sizeof columns / sizeof *columns);
    for (size_t c = 0; c < t->n_cols; c++) {
        const struct tr_table_column *is = &t->cols[c].is;
        if (is->rare)
            continue;
        tr_table_string(out, t->cols[c].printed);
        tr_table_string(out, tr_cell_name(is->type));
        tr_table_string(out, is->type == TR_CELL_TIME ? unit_names[t->unit] : is->unit);
        tr_table_string(out, tr_column_role_name(is->role));
        tr_table_string(out, is->extra ? "extra" : when[is->quiet]);
        tr_table_string(out, is->meaning);
        part.len = 0;
        if (!tr_chart_part(chart, is->name, &part))
            tr_fail_memory(&out->err);
        tr_table_text(out, (struct tr_str){ part.len ? (const char *)part.data : NULL, part.len });
    }
    tr_buf_free(&part);
}

/* ---- memory ---- */

/* ---- cells ---- */

static void flush(struct tr_table *t);

/* Prepare for a new row: find the columns, and write rows if there are enough of them. */
static bool row_starts(struct tr_table *t)
{
    if (!t->ready && tr_table_ready(t, &t->err) != TR_OK)
        return false;
    if (t->out && (t->n_cells >= FLUSH_CELLS || t->n_cells / t->n_cols >= FLUSH_ROWS))
        flush(t);
    if (++t->unasked >= FLUSH_ROWS && t->err.status == TR_OK) {
        t->unasked = 0;
        tr_go_on(&t->go_on, &t->err);
    }
    tr_spilling_touched(&t->cells_in);
    tr_spilling_touched(&t->strings_in);
    return t->err.status == TR_OK;
}

/* The next cell; NULL: there was a failure. */
static struct tr__cell *next_cell(struct tr_table *t, bool fits)
{
    if (t->err.status != TR_OK)
        return NULL;
    if (!fits || t->n_cols == 0) {
        fail_usage(t);
        return NULL;
    }
    if (t->n_cells % t->n_cols == 0 && !row_starts(t))
        return NULL;
    if (!tr__cells_reserve(t, t->n_cells + 1)) {
        fail_memory(t);
        return NULL;
    }
    struct tr__cell *cell = &t->cells[t->n_cells++];
    memset(cell, 0, sizeof *cell);
    return cell;
}

bool tr__row_open(struct tr_table *t)
{
    if (t->err.status != TR_OK || !t->n_cols || t->n_cells % t->n_cols || !row_starts(t))
        return false;
    if (!tr__cells_reserve(t, t->n_cells + t->n_cols))
        fail_memory(t);
    return t->err.status == TR_OK;
}

static bool next_is(const struct tr_table *t, enum tr_cell type)
{
    return t->n_cols && t->cols[t->n_cells % t->n_cols].is.type == type;
}

void tr_table_absent(struct tr_table *t)
{
    struct tr__cell *cell = next_cell(t, true);
    if (!cell)
        return;
    enum tr_cell type = t->cols[(t->n_cells - 1) % t->n_cols].is.type;
    cell->absent = true;
    if (type == TR_CELL_RATIO || type == TR_CELL_DOUBLE)
        cell->v.d = NAN;
}

void tr_table_no_figures(struct tr_table *t)
{
    t->no_figures = true;
}

/* Is the next cell a figure, in a table without?  Then it is absent now. */
static bool left_out(struct tr_table *t)
{
    if (!t->no_figures || !t->n_cols)
        return false;
    enum tr_column_role role = t->cols[t->n_cells % t->n_cols].is.role;
    if (role <= TR_ROLE_KEY || role == TR_ROLE_RANK)
        return false;
    tr_table_absent(t);
    return true;
}

void tr_table_bytes(struct tr_table *t, const char *s, size_t len)
{
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_STRING));
    if (!cell)
        return;
    cell->v.s.at = t->strings.len;
    cell->v.s.len = len;
    if (!tr__strings_reserve(t, len + 1)) {
        fail_memory(t);
        return;
    }
    unsigned char *to = t->strings.data + t->strings.len;
    if (len)
        memcpy(to, s, len);
    to[len] = '\0';
    t->strings.len += len + 1;
}

void tr_table_digits(struct tr_table *t, const char *s, size_t len)
{
    tr_table_bytes(t, s, len);
    if (t->err.status == TR_OK)
        t->cells[t->n_cells - 1].decimals = TR__DIGITS;
}

void tr_table_string(struct tr_table *t, const char *s)
{
    if (s)
        tr_table_bytes(t, s, strlen(s));
    else
        tr_table_absent(t);
}

void tr_table_text(struct tr_table *t, struct tr_str text)
{
    if (text.s)
        tr_table_bytes(t, text.s, text.len);
    else
        tr_table_absent(t);
}

void tr_table_int(struct tr_table *t, int64_t value)
{
    if (left_out(t))
        return;
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_INT));
    if (cell)
        cell->v.i = value;
}

void tr_table_count(struct tr_table *t, uint64_t value)
{
    if (left_out(t))
        return;
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_COUNT));
    if (cell)
        cell->v.u = value;
}

void tr_table_time(struct tr_table *t, int64_t ns)
{
    if (left_out(t))
        return;
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_TIME));
    if (!cell)
        return;
    cell->absent = ns == TR_TIME_NONE;
    cell->v.i = ns;
}

void tr_table_time_f(struct tr_table *t, double ns)
{
    if (left_out(t))
        return;
    if (isnan(ns))
        tr_table_absent(t);
    else if (ns >= 9223372036854775807.0 || ns <= -9223372036854775807.0)
        tr_table_absent(t);
    else {
        tr_table_time(t, (int64_t)round(ns));
        if (t->err.status == TR_OK) {
            t->cells[t->n_cells - 1].real = true;
            t->cells[t->n_cells - 1].v.t.exact = ns;
        }
    }
}

void tr_table_ratio(struct tr_table *t, double value)
{
    if (left_out(t))
        return;
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_RATIO) || next_is(t, TR_CELL_DOUBLE));
    if (!cell)
        return;
    cell->absent = !isfinite(value);
    cell->v.d = value;
}

enum tr_unit tr_table_unit(const struct tr_table *t)
{
    return t->unit;
}

void tr_table_decimal(struct tr_table *t, double value, unsigned decimals)
{
    if (left_out(t))
        return;
    struct tr__cell *cell = next_cell(t, next_is(t, TR_CELL_DOUBLE) && decimals <= 17);
    if (!cell)
        return;
    cell->absent = !isfinite(value);
    cell->decimals = (uint8_t)(decimals + 1);
    cell->v.d = value;
}

void tr_table_decimal_time(struct tr_table *t, double ns)
{
    static const double scale[] = { 1, 1e3, 1e6, 1e9 };
    tr_table_decimal(t, ns / scale[t->unit], 3 * (unsigned)t->unit);
}

void tr_table_pct(struct tr_table *t, int64_t part, int64_t whole)
{
    if (whole && whole != TR_TIME_NONE && part != TR_TIME_NONE)
        tr_table_ratio(t, 100.0 * (double)part / (double)whole);
    else
        tr_table_absent(t);
}

/* ---- rows in memory ---- */

/* The row for those of n rows that are of the group of the first, SIZE_MAX: for none.  SIZE_MAX: out of memory. */
static size_t add_total(struct tr_table *t, size_t n, size_t first, const char *name)
{
    size_t total = tr__fold_start(t, first, name);
    for (size_t row = first; total != SIZE_MAX && row < n; row++)
        if (row != first && tr_table_same_group(t, row, first))
            tr__fold_add(t, total, row);
    return total != SIZE_MAX && tr__fold_end(t, total) ? total : SIZE_MAX;
}

/* A total for each group.  False: out of memory. */
static bool add_totals(struct tr_table *t, size_t n, const char *name)
{
    for (size_t row = 0; row < n; row++) {
        size_t end = tr_table_rows(t), at = n;
        while (at < end && !tr_table_same_group(t, at, row))
            at++;
        if (at == end && add_total(t, n, row, name) == SIZE_MAX)
            return false;
    }
    t->total = n;
    return true;
}

void tr_table_total(struct tr_table *t, const char *name)
{
    size_t n = tr_table_rows(t);
    bool ok = t->err.status == TR_OK && (t->ready || tr_table_ready(t, &t->err) == TR_OK);
    if (!ok)
        return;
    if (t->n_cells % t->n_cols || t->total != SIZE_MAX) {
        fail_usage(t);
        return;
    }
    ok = n ? add_totals(t, n, name) : (t->total = add_total(t, n, SIZE_MAX, name)) != SIZE_MAX;
    if (!ok)
        fail_memory(t);
}

void tr_table_hide(struct tr_table *t, size_t row)
{
    if (t->err.status != TR_OK)
        return;
    if (!tr_grow(&t->hidden, &t->cap_hidden, row + 1, sizeof *t->hidden)) {
        fail_memory(t);
        return;
    }
    for (; t->n_hidden <= row; t->n_hidden++)
        t->hidden[t->n_hidden] = false;
    t->hidden[row] = true;
}

size_t tr_table_find(const struct tr_table *t, const char *name)
{
    return tr__find_column(t, name, strlen(name));
}

double tr_table_number(const struct tr_table *t, size_t row, size_t column)
{
    return tr__number(t->cols[column].is.type, tr__cell_of(t, row, column));
}

struct tr_str tr_table_get(const struct tr_table *t, size_t row, size_t column)
{
    const struct tr__cell *cell = tr__cell_of(t, row, column);
    return cell->absent ? tr_str_of(NULL)
                        : (struct tr_str){ (const char *)tr__cell_string(t, cell), cell->v.s.len };
}

struct tr_cell_value tr_table_value(const struct tr_table *t, size_t row, size_t column)
{
    const struct tr__cell *cell = tr__cell_of(t, row, column);
    struct tr_cell_value v = { .i = TR_I64_NONE, .d = NAN };
    switch (t->cols[column].is.type) {
    case TR_CELL_STRING:
        v.text = tr_table_get(t, row, column);
        break;
    case TR_CELL_RATIO:
    case TR_CELL_DOUBLE:
        v.d = cell->v.d;
        v.decimals = cell->decimals;
        break;
    default:
        v.i = cell->absent ? TR_I64_NONE : cell->v.i;
        v.d = cell->real ? cell->v.t.exact : NAN;
    }
    return v;
}

void tr_table_add_value(struct tr_table *t, const struct tr_cell_value *value)
{
    enum tr_cell type = t->n_cols ? t->cols[t->n_cells % t->n_cols].is.type : TR_CELL_STRING;
    if (type == TR_CELL_STRING)
        tr_table_text(t, value->text);
    else if (type == TR_CELL_DOUBLE && value->decimals)
        tr_table_decimal(t, value->d, value->decimals - 1u);
    else if (type == TR_CELL_RATIO || type == TR_CELL_DOUBLE)
        tr_table_ratio(t, value->d);
    else if (type == TR_CELL_TIME && !isnan(value->d))
        tr_table_time_f(t, value->d);
    else if (value->i == TR_I64_NONE)
        tr_table_absent(t);
    else if (type == TR_CELL_TIME)
        tr_table_time(t, value->i);
    else if (type == TR_CELL_COUNT)
        tr_table_count(t, (uint64_t)value->i);
    else
        tr_table_int(t, value->i);
}

bool tr_table_empty(const struct tr_table *t)
{
    return !t->n_cells && !t->n_written;
}

/* ---- writing ---- */

static void put_out(struct tr_table *t)
{
    if (t->err.status == TR_OK && t->text.len)
        t->out(t->out_self, t->text.data, t->text.len, &t->err);
    t->text.len = 0;
}

/* The rows in memory are complete: write them, unless all rows are needed first. */
static void flush(struct tr_table *t)
{
    if (tr__needs_all(t) || (!t->sink->streams && (!t->temp_dir || tr_table_rows(t) < FLUSH_ASIDE_ROWS)))
        return;
    if (t->sink->rows(t, &t->text, &t->err) == TR_OK)
        tr__forget_rows(t);
    put_out(t);
}

void tr__table_complete(struct tr_table *t)
{
    while (t->err.status == TR_OK && t->n_cols && t->n_cells % t->n_cols)
        tr_table_absent(t);
    if (t->err.status == TR_OK && !t->ready)
        tr_table_ready(t, &t->err);
    t->go_on = (struct tr_go_on){ NULL, NULL }; /* the caller may be gone when it is printed */
    if (t->err.status == TR_OK && !tr__arrange(t))
        fail_memory(t);
}

/* The next piece of the end of a complete table into out; TR_END: that was all. */
static enum tr_status write_some(struct tr_table *t, const struct tr_row_sink *sink, bool first,
                                 struct tr_buf *out, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (first && sink->streams) {
        st = sink->rows(t, out, err);
        tr__forget_rows(t);
    }
    if (st == TR_OK)
        st = sink->end ? sink->end(t, out, err) : TR_END;
    return st;
}

/* Empty the table; it keeps its columns. */
static void start_over(struct tr_table *t)
{
    tr__forget_rows(t);
    t->started = false;
    t->n_written = 0;
}

enum tr_status tr_table_write(struct tr_table *t, const struct tr_row_sink *sink, struct tr_buf *out,
                              struct tr_error *err)
{
    bool first = true;
    tr__table_complete(t);
    enum tr_status st = tr_table_status(t, err);
    for (; st == TR_OK; first = false)
        st = write_some(t, sink, first, out, err);
    if (st == TR_END)
        start_over(t);
    return st == TR_END ? TR_OK : st;
}

enum tr_status tr_table_end(struct tr_table *t, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    bool first = true;
    tr__table_complete(t);
    for (; st == TR_OK && t->err.status == TR_OK; first = false) {
        st = write_some(t, t->sink, first, &t->text, &t->err);
        put_out(t);
    }
    if (st == TR_END && t->err.status == TR_OK)
        start_over(t);
    return tr_table_status(t, err);
}
