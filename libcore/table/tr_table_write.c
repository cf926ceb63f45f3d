#include "table/tr_table_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t tr__utf8(const unsigned char *s, size_t n)
{
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t len = s[0] < 0x80       ? 1
                 : s[0] >> 5 == 6  ? 2
                 : s[0] >> 4 == 14 ? 3
                 : s[0] >> 3 == 30 ? 4
                                   : 0;
    if (len <= 1 || len > n)
        return len <= 1 ? len : 0;
    uint32_t code = s[0] & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    bool good = code >= smallest[len] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return good ? len : 0;
}

static bool is_control(const unsigned char *s, size_t len)
{
    return s[0] < 0x20 || s[0] == 0x7f || (len == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}

static bool add_hex(struct tr_buf *out, const char *before, unsigned value)
{
    char text[16];
    snprintf(text, sizeof text, "%s%02x", before, value);
    return tr_buf_add_str(out, text);
}

/* ---- one string in each format ---- */

static const bool tsv_escaped[256] = {
    [0] = 1,  [1] = 1,  [2] = 1,  [3] = 1,  [4] = 1,  [5] = 1,  [6] = 1,    [7] = 1,     [8] = 1,
    [9] = 1,  [10] = 1, [11] = 1, [12] = 1, [13] = 1, [14] = 1, [15] = 1,   [16] = 1,    [17] = 1,
    [18] = 1, [19] = 1, [20] = 1, [21] = 1, [22] = 1, [23] = 1, [24] = 1,   [25] = 1,    [26] = 1,
    [27] = 1, [28] = 1, [29] = 1, [30] = 1, [31] = 1, [0x7f] = 1, ['\\'] = 1,
};

static bool tsv_string(struct tr_buf *out, const unsigned char *s, size_t n)
{
    bool ok = true;
    for (size_t i = 0, from = 0; ok && i <= n; i++) {
        while (i < n && !tsv_escaped[s[i]])
            i++;
        ok = tr_buf_add(out, s + from, i - from);
        from = i + 1;
        if (!ok || i == n)
            break;
        const char *known = memchr("\tt\nn\rr\\\\", s[i], 8);
        ok = known ? tr_buf_add_str(out, "\\") && tr_buf_add(out, known + 1, 1)
                   : add_hex(out, "\\x", s[i]);
    }
    return ok;
}

static bool csv_string(struct tr_buf *out, const unsigned char *s, size_t n)
{
    bool quote = false;
    for (size_t i = 0; i < n; i++)
        quote |= s[i] == ',' || s[i] == '"' || s[i] == '\r' || s[i] == '\n';
    if (!quote)
        return tr_buf_add(out, s, n);
    bool ok = tr_buf_add_str(out, "\"");
    for (size_t i = 0; ok && i < n; i++)
        ok = (s[i] != '"' || tr_buf_add_str(out, "\"")) && tr_buf_add(out, s + i, 1);
    return ok && tr_buf_add_str(out, "\"");
}

static bool json_string(struct tr_buf *out, const unsigned char *s, size_t n)
{
    bool ok = tr_buf_add_str(out, "\"");
    for (size_t i = 0; ok && i < n;) {
        size_t len = tr__utf8(s + i, n - i);
        if (s[i] == '"' || s[i] == '\\')
            ok = tr_buf_add_str(out, "\\") && tr_buf_add(out, s + i, 1);
        else if (s[i] < 0x20 || s[i] == 0x7f)
            ok = add_hex(out, "\\u00", s[i]);
        else
            ok = len ? tr_buf_add(out, s + i, len) : tr_buf_add_str(out, "\xef\xbf\xbd");
        i += len ? len : 1;
    }
    return ok && tr_buf_add_str(out, "\"");
}

static bool md_string(struct tr_buf *out, const unsigned char *s, size_t n)
{
    bool ok = true;
    for (size_t i = 0; ok && i < n; i++) {
        if (s[i] < 0x20 || s[i] == 0x7f)
            ok = add_hex(out, "\\\\x", s[i]);
        else
            ok = (!strchr("\\`*_[]<>|~&", s[i]) || tr_buf_add_str(out, "\\")) &&
                 tr_buf_add(out, s + i, 1);
    }
    return ok;
}

/* For a terminal; at most max characters.  Returns false when memory ran out. */
static bool text_string(struct tr_buf *out, const unsigned char *s, size_t n, size_t max)
{
    bool ok = true;
    size_t width = 0, cut = out->len; /* where "..." goes if the string turns out too long */
    for (size_t i = 0; ok && i < n;) {
        size_t len = tr__utf8(s + i, n - i);
        bool escape = len == 0 || is_control(s + i, len);
        size_t step = escape ? 1 : len, add = escape ? 4 : 1;
        if (width + add > max) {
            out->len = cut;
            return tr_buf_add_str(out, "...");
        }
        ok = escape ? add_hex(out, "\\x", s[i]) : tr_buf_add(out, s + i, step);
        width += add;
        if (width + 3 <= max)
            cut = out->len;
        i += step;
    }
    return ok;
}

/* ---- rows ---- */

bool tr__add_cell(const struct tr_table *t, enum tr_table_format format, size_t col,
                  const struct tr__cell *cell, struct tr_buf *out)
{
    if (cell->absent)
        return format == TR_FORMAT_TEXT   ? tr_buf_add(out, "-", 1)
               : format == TR_FORMAT_JSON ? tr_buf_add(out, "null", 4)
                                          : true;
    if (t->cols[col].type != TR_CELL_STRING)
        return tr__cell_number(t, col, cell, out);
    if (cell->v.s.len == 0)
        return format != TR_FORMAT_JSON || tr_buf_add_str(out, "\"\"");
    const unsigned char *s = t->strings.data + cell->v.s.at;
    switch (format) {
    case TR_FORMAT_TSV:
        return tsv_string(out, s, cell->v.s.len);
    case TR_FORMAT_CSV:
        return csv_string(out, s, cell->v.s.len);
    case TR_FORMAT_JSON:
        return json_string(out, s, cell->v.s.len);
    case TR_FORMAT_MD:
        return md_string(out, s, cell->v.s.len);
    default:
        return text_string(out, s, cell->v.s.len, TR_TABLE_TEXT_WIDTH);
    }
}

bool tr__add_name(const struct tr_table *t, enum tr_table_format format, size_t col,
                  struct tr_buf *out)
{
    const unsigned char *s = (const unsigned char *)t->cols[col].name;
    size_t n = strlen(t->cols[col].name);
    switch (format) {
    case TR_FORMAT_CSV:
        return csv_string(out, s, n);
    case TR_FORMAT_JSON:
        return json_string(out, s, n);
    case TR_FORMAT_TEXT:
        return text_string(out, s, n, TR_TABLE_TEXT_WIDTH);
    default:
        return tsv_string(out, s, n);
    }
}

/* TSV, CSV and Markdown differ in what stands before, between and after the cells of a line. */
struct marks {
    const char *before, *between, *after;
};

static struct marks marks_of(enum tr_table_format format)
{
    if (format == TR_FORMAT_TSV)
        return (struct marks){ "", "\t", "\n" };
    if (format == TR_FORMAT_CSV)
        return (struct marks){ "", ",", "\r\n" };
    return (struct marks){ "| ", " | ", " |\n" };
}

static bool add_header(const struct tr_table *t, enum tr_table_format format, struct tr_buf *out)
{
    struct marks m = marks_of(format);
    bool ok = tr_buf_add_str(out, m.before);
    for (size_t c = 0; ok && c < t->n_cols; c++)
        ok = (c == 0 || tr_buf_add_str(out, m.between)) && tr__add_name(t, format, c, out);
    ok = ok && tr_buf_add_str(out, m.after);
    if (format != TR_FORMAT_MD)
        return ok;
    ok = ok && tr_buf_add_str(out, "|");
    for (size_t c = 0; ok && c < t->n_cols; c++)
        ok = tr_buf_add_str(out, tr__is_number(t->cols[c].type) ? "---:|" : "---|");
    return ok && tr_buf_add_str(out, "\n");
}

static bool add_rows(struct tr_table *t, enum tr_table_format format, struct tr_buf *out)
{
    struct marks m = marks_of(format);
    size_t before = strlen(m.before), between = strlen(m.between), after = strlen(m.after);
    size_t rows = tr_table_rows(t);
    bool ok = t->begun || add_header(t, format, out);
    for (size_t r = 0; ok && r < rows; r++) {
        ok = tr_buf_add(out, m.before, before);
        for (size_t c = 0; ok && c < t->n_cols; c++)
            ok = (c == 0 || tr_buf_add(out, m.between, between)) &&
                 tr__add_cell(t, format, c, tr__cell_at(t, r, c), out);
        ok = ok && tr_buf_add(out, m.after, after);
    }
    return ok;
}

static bool add_json(struct tr_table *t, bool last, struct tr_buf *out)
{
    size_t rows = tr_table_rows(t);
    bool ok = t->begun || tr_buf_add_str(out, "[");
    for (size_t r = 0; ok && r < rows; r++) {
        ok = tr_buf_add_str(out, t->n_written + r ? ",\n{" : "\n{");
        for (size_t c = 0; ok && c < t->n_cols; c++)
            ok = (c == 0 || tr_buf_add_str(out, ", ")) && tr__add_name(t, TR_FORMAT_JSON, c, out) &&
                 tr_buf_add_str(out, ": ") && tr__add_cell(t, TR_FORMAT_JSON, c, tr__cell_at(t, r, c), out);
        ok = ok && tr_buf_add_str(out, "}");
    }
    return ok && (!last || tr_buf_add_str(out, "\n]\n"));
}

/* ---- writing ---- */

/* Complete the last row.  What went wrong so far, if anything has. */
static enum tr_status complete(struct tr_table *t, struct tr_error *err)
{
    while (t->status == TR_OK && t->n_cols && t->n_cells % t->n_cols)
        tr_table_absent(t);
    if (t->status == TR_USAGE)
        return tr_fail(err, TR_USAGE, "the cells of a table do not fit its columns");
    return t->status == TR_OK ? TR_OK : tr_fail_memory(err);
}

static void forget_rows(struct tr_table *t)
{
    t->n_written += tr_table_rows(t);
    t->n_cells = t->strings.len = 0;
    t->begun = true;
}

static bool add_all(struct tr_table *t, enum tr_table_format format, bool last, struct tr_buf *out)
{
    return format == TR_FORMAT_JSON ? add_json(t, last, out) : add_rows(t, format, out);
}

enum tr_status tr_table_flush(struct tr_table *t, enum tr_table_format format, struct tr_buf *out,
                              struct tr_error *err)
{
    enum tr_status st = complete(t, err);
    if (st != TR_OK)
        return st;
    if (format == TR_FORMAT_TEXT) {
        if (!t->temp_dir)
            return TR_OK;
        st = tr__text_put_aside(t, err);
    } else if (!add_all(t, format, false, out)) {
        st = tr_fail_memory(err);
    }
    if (st == TR_OK)
        forget_rows(t);
    return st;
}

enum tr_status tr_table_write_some(struct tr_table *t, enum tr_table_format format,
                                   struct tr_buf *out, struct tr_error *err)
{
    enum tr_status st = complete(t, err);
    if (st != TR_OK)
        return st;
    if (format == TR_FORMAT_TEXT)
        st = tr__text_write(t, out, err);
    else
        st = add_all(t, format, true, out) ? TR_END : tr_fail_memory(err);
    if (st == TR_END) {
        forget_rows(t);
        t->begun = false;
        t->n_written = 0;
    }
    return st;
}

enum tr_status tr_table_write(struct tr_table *t, enum tr_table_format format, struct tr_buf *out,
                              struct tr_error *err)
{
    enum tr_status st;
    while ((st = tr_table_write_some(t, format, out, err)) == TR_OK)
        continue;
    return st == TR_END ? TR_OK : st;
}
