/* SPDX-License-Identifier: MIT */
/* Tables in reports of unitrace: titles, and rows whose cells are separated by commas. */
#include "formats/unitrace/tr_unitrace_int.h"

#include "base/tr_num.h"
#include "json/tr_json.h"

#include <stdlib.h>

#define MAX_TABLE (16u << 20) /* bytes of rows */

/* The columns of the tables.  title: in the report; NULL: the column does not come from a cell. */
static const struct field {
    enum tr__report_table table;
    const char *column, *title;
    uint8_t type;
} fields[] = {
    { TR__TOTALS, "report", NULL, TR_T_STRING },
    { TR__TOTALS, "section", NULL, TR_T_STRING },
    { TR__TOTALS, "quantity", NULL, TR_T_STRING },
    { TR__TOTALS, "time_ns", NULL, TR_T_INT },
    { TR__TIMING, "report", NULL, TR_T_STRING },
    { TR__TIMING, "section", NULL, TR_T_STRING },
    { TR__TIMING, "backend", NULL, TR_T_STRING },
    { TR__TIMING, "name", "Kernel", TR_T_STRING },
    { TR__TIMING, "name", "Function", TR_T_STRING },
    { TR__TIMING, "calls", "Calls", TR_T_INT },
    { TR__TIMING, "time_ns", "Time (ns)", TR_T_INT },
    { TR__TIMING, "time_pct", "Time (%)", TR_T_DECIMAL },
    { TR__TIMING, "avg_ns", "Average (ns)", TR_T_INT },
    { TR__TIMING, "min_ns", "Min (ns)", TR_T_INT },
    { TR__TIMING, "max_ns", "Max (ns)", TR_T_INT },
    { TR__PROPERTIES, "report", NULL, TR_T_STRING },
    { TR__PROPERTIES, "name", "Kernel", TR_T_STRING },
    { TR__PROPERTIES, "compiled", "Compiled", TR_T_STRING },
    { TR__PROPERTIES, "simd", "SIMD", TR_T_INT },
    { TR__PROPERTIES, "arguments", "Number of Arguments", TR_T_INT },
    { TR__PROPERTIES, "slm_bytes", "SLM Per Work Group", TR_T_INT },
    { TR__PROPERTIES, "private_bytes", "Private Memory Per Thread", TR_T_INT },
    { TR__PROPERTIES, "spill_bytes", "Spill Memory Per Thread", TR_T_INT },
    { TR__PROPERTIES, "registers", "Register File Size Per Thread", TR_T_INT },
    { TR__SUBMISSIONS, "report", NULL, TR_T_STRING },
    { TR__SUBMISSIONS, "backend", NULL, TR_T_STRING },
    { TR__SUBMISSIONS, "name", "Kernel", TR_T_STRING },
    { TR__SUBMISSIONS, "calls", "Calls", TR_T_INT },
    { TR__SUBMISSIONS, "append_ns", "Append (ns)", TR_T_INT },
    { TR__SUBMISSIONS, "append_pct", "Append (%)", TR_T_DECIMAL },
    { TR__SUBMISSIONS, "submit_ns", "Submit (ns)", TR_T_INT },
    { TR__SUBMISSIONS, "submit_pct", "Submit (%)", TR_T_DECIMAL },
    { TR__SUBMISSIONS, "execute_ns", "Execute (ns)", TR_T_INT },
    { TR__SUBMISSIONS, "execute_pct", "Execute (%)", TR_T_DECIMAL },
};
#define N_FIELDS (sizeof fields / sizeof *fields)

static const char *const table_names[TR__N_REPORT_TABLES] = {
    [TR__TOTALS] = "timing_totals",
    [TR__TIMING] = "timing_summary",
    [TR__PROPERTIES] = "kernel_properties",
    [TR__SUBMISSIONS] = "kernel_submissions",
};

/* Is the field the second title of the column before it? */
static bool is_again(size_t field)
{
    return field > 0 && fields[field].table == fields[field - 1].table &&
           strcmp(fields[field].column, fields[field - 1].column) == 0;
}

/* The number of a field's column in its table. */
static size_t column_of(size_t field)
{
    size_t n = 0;
    for (size_t i = 0; i <= field; i++)
        n += fields[i].table == fields[field].table && !is_again(i);
    return n - 1;
}

bool tr__report_tables_init(struct tr__report_tables *t)
{
    bool ok = true;
    for (unsigned k = 0; ok && k < TR__N_REPORT_TABLES; k++)
        ok = (t->v[k] = tr_side_table_new(table_names[k], 0)) != NULL;
    for (size_t i = 0; ok && i < N_FIELDS; i++)
        ok = is_again(i) || tr_side_table_column(t->v[fields[i].table], fields[i].column, fields[i].type);
    return ok;
}

void tr__report_tables_free(struct tr__report_tables *t)
{
    for (unsigned k = 0; k < TR__N_REPORT_TABLES; k++)
        tr_side_table_free(t->v[k]);
    tr_buf_free(&t->backend);
    tr_buf_free(&t->name);
}

uint64_t tr__report_tables_rows(const struct tr__report_tables *t)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < TR__N_REPORT_TABLES; k++)
        n += t->v[k]->n_rows;
    return n;
}

void tr__report_tables_give(struct tr__report_tables *t, struct tr_ingest *g)
{
    for (unsigned k = 0; k < TR__N_REPORT_TABLES; k++)
        if (t->v[k]->n_rows) {
            tr_ingest_table(g, t->v[k]);
            t->v[k] = NULL;
        }
}

bool tr__unquoted(struct tr_str s, struct tr_buf *buf, struct tr_str *name)
{
    struct tr_str rest = s;
    int64_t tile;
    size_t before = 0;
    if (tr__skip_text(&rest, "Tile #") && tr__take_int(&rest, &tile) && tr__skip_text(&rest, ": "))
        before = s.len - rest.len;
    else
        rest = s;
    *name = s;
    if (rest.len < 2 || rest.s[0] != '"' || rest.s[rest.len - 1] != '"')
        return true;
    rest = (struct tr_str){ rest.s + 1, rest.len - 2 };
    *name = rest;
    if (!before)
        return true;
    buf->len = 0;
    bool ok = tr_buf_add(buf, s.s, before) && tr_buf_add(buf, rest.s, rest.len);
    *name = (struct tr_str){ (const char *)buf->data, buf->len };
    return ok;
}

bool tr__name_is_whole(struct tr_str name, struct tr_str written)
{
    return name.s != written.s || !name.len || !memchr(name.s, '"', name.len);
}

static enum tr__report_table table_of(enum tr__report_section section)
{
    return section == TR__SECTION_PROPERTIES   ? TR__PROPERTIES
           : section == TR__SECTION_SUBMISSION ? TR__SUBMISSIONS
                                               : TR__TIMING;
}

/* Take the text before the next comma. */
static struct tr_str take_cell(struct tr_str *s)
{
    const char *comma = s->len ? memchr(s->s, ',', s->len) : NULL;
    struct tr_str cell = { s->s, comma ? (size_t)(comma - s->s) : s->len };
    size_t n = cell.len + (comma != NULL);
    s->s += n;
    s->len -= n;
    return tr__trim(cell);
}

bool tr__report_titles(struct tr__report_tables *t, struct tr_str line)
{
    struct tr_str rest = line;
    unsigned titles[TR__MAX_TITLES], n = 0;
    if (t->section == TR__SECTION_NONE)
        return false;
    while (rest.len && n < TR__MAX_TITLES) {
        struct tr_str title = take_cell(&rest);
        size_t i = 0;
        while (i < N_FIELDS && !(fields[i].table == table_of(t->section) && fields[i].title &&
                                 tr_str_is(title, fields[i].title)))
            i++;
        if (i == N_FIELDS)
            return false;
        titles[n++] = (unsigned)i;
    }
    if (rest.len || n < 2 || strcmp(fields[titles[0]].column, "name") != 0)
        return false;
    memcpy(t->titles, titles, sizeof titles);
    t->n_titles = n;
    return true;
}

bool tr__is_masked(struct tr_str cell)
{
    size_t n = 0;
    while (n < cell.len && cell.s[n] == '*')
        n++;
    return n && n == cell.len;
}

/* The value of a cell; "unknown", "ANY" of a width, and "*" are absent.  False: it does not have the type. */
static bool read_cell(struct tr_str cell, unsigned type, struct tr_side_value *v)
{
    struct tr_number number;
    if (type != TR_T_STRING && (tr_str_is(cell, "unknown") || tr_str_is(cell, "ANY") || tr__is_masked(cell)))
        return true;
    v->present = true;
    if (type == TR_T_STRING) {
        v->text = cell.s;
        v->len = cell.len;
        return true;
    }
    if (type == TR_T_INT)
        return tr_num_plain(cell.s, cell.len, &v->v);
    if (!tr_json_number(cell.s, cell.len, &number) ||
        (number.cls != TR_NUMBER_DECIMAL && number.cls != TR_NUMBER_INT))
        return false;
    if (number.i > TR_DECIMAL_MAX_MANTISSA || number.i < -TR_DECIMAL_MAX_MANTISSA)
        return false;
    v->v = tr_decimal_make(number.i, number.cls == TR_NUMBER_INT ? 0 : number.scale);
    return true;
}

static void set_text(struct tr_side_value *v, struct tr_str text)
{
    if (text.len)
        *v = (struct tr_side_value){ .present = true, .text = text.s, .len = text.len };
}

static struct tr_str section_name(enum tr__report_section section)
{
    static const char *const names[] = { [TR__SECTION_HOST] = "host", [TR__SECTION_DEVICE] = "device",
                                         [TR__SECTION_CCL] = "ccl" };
    return tr_str_of(section <= TR__SECTION_CCL ? names[section] : NULL);
}

/* The columns that come from the text above the row. */
static void set_place(const struct tr__report_tables *t, enum tr__report_table table, struct tr_side_value *row)
{
    size_t n = 0;
    set_text(&row[n++], t->report);
    if (table == TR__TOTALS || table == TR__TIMING)
        set_text(&row[n++], section_name(t->section));
    if (table == TR__TIMING || table == TR__SUBMISSIONS)
        set_text(&row[n], (struct tr_str){ (const char *)t->backend.data, t->backend.len });
}

static enum tr_status add(struct tr__report_tables *t, enum tr__report_table table, const struct tr_side_value *row,
                          struct tr_error *err)
{
    if (t->v[table]->rows.len >= MAX_TABLE)
        return TR_END;
    return tr_side_table_add(t->v[table], row) ? TR_OK : tr_fail_memory(err);
}

/* Take the text after the last comma off the end. */
static bool take_last_cell(struct tr_str *s, struct tr_str *cell)
{
    size_t at = s->len;
    while (at && s->s[at - 1] != ',')
        at--;
    if (!at)
        return false;
    *cell = tr__trim((struct tr_str){ s->s + at, s->len - at });
    s->len = at - 1;
    return true;
}

enum tr_status tr__report_row(struct tr__report_tables *t, struct tr_str line, struct tr_error *err)
{
    struct tr_side_value row[TR__MAX_TITLES] = { { 0 } };
    enum tr__report_table table = table_of(t->section);
    for (unsigned k = t->n_titles; k-- > 1;) { /* the name, which may have commas, comes first */
        struct tr_str cell;
        if (!take_last_cell(&line, &cell) ||
            !read_cell(cell, fields[t->titles[k]].type, &row[column_of(t->titles[k])]))
            return TR_END;
    }
    struct tr_str name;
    line = tr__trim(line);
    if (!tr__unquoted(line, &t->name, &name))
        return tr_fail_memory(err);
    if (!name.len || !tr__name_is_whole(name, line) || (name.s == line.s && memchr(name.s, ',', name.len)))
        return TR_END; /* nothing, half of a name, or more cells than titles: a name with commas is in quotes */
    set_text(&row[column_of(t->titles[0])], name);
    set_place(t, table, row);
    return add(t, table, row, err);
}

enum tr_status tr__report_total(struct tr__report_tables *t, struct tr_str quantity, int64_t ns, struct tr_error *err)
{
    struct tr_side_value row[4] = { { 0 } };
    set_place(t, TR__TOTALS, row);
    set_text(&row[2], quantity);
    row[3] = (struct tr_side_value){ .present = ns != TR_I64_NONE, .v = ns };
    return add(t, TR__TOTALS, row, err);
}
