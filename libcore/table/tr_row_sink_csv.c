/* SPDX-License-Identifier: MIT */
/* Tables as comma-separated values: RFC 4180. */
#include "base/tr_escape.h"
#include "table/tr_table_int.h"

#include <string.h>

/* Tabs and line ends are data.  All other characters that are not plain are escaped. */
static bool is_space(char c)
{
    return c == '\t' || c == '\r' || c == '\n';
}

/* guard: added before the text, inside the quotes. */
static bool put_field(struct tr_buf *out, const char *s, size_t n, const char *guard)
{
    bool quote = false;
    for (size_t i = 0; i < n; i++)
        quote |= s[i] == ',' || s[i] == '"' || s[i] == '\r' || s[i] == '\n';
    bool ok = (!quote || tr_buf_add_str(out, "\"")) && tr_buf_add_str(out, guard);
    for (size_t i = 0, len; ok && i < n; i += len) {
        bool plain = tr_escape_plain(s + i, n - i, &len) || is_space(s[i]);
        ok = (s[i] != '"' || tr_buf_add_str(out, "\"")) &&
             (plain ? tr_buf_add(out, s + i, len) : tr_escape_bytes(out, s + i, len));
    }
    return ok && (!quote || tr_buf_add_str(out, "\""));
}

static bool csv_string(struct tr_buf *out, const char *s, size_t n)
{
    return put_field(out, s, n, "");
}

/* A spreadsheet takes a field that starts with one of these as a formula (OWASP, "CSV Injection").  With an apostrophe
 * in front, it is a text. */
static bool safe_string(struct tr_buf *out, const char *s, size_t n)
{
    return put_field(out, s, n, n > 0 && s[0] && strchr("=+-@\t\r", s[0]) ? "'" : "");
}

static const struct tr__lines lines = {
    .before = "", .between = ",", .after = "\r\n", .string = csv_string, .name = csv_string,
};
static const struct tr__lines safe_lines = {
    .before = "", .between = ",", .after = "\r\n", .string = safe_string, .name = csv_string,
};

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    return tr__lines_rows(t, &lines, out, err);
}

static enum tr_status safe_rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    return tr__lines_rows(t, &safe_lines, out, err);
}

const struct tr_row_sink tr_row_sink_csv_safe = { .name = "csv", .streams = true, .rows = safe_rows };
const struct tr_row_sink tr_row_sink_csv = { .name = "csv", .streams = true, .rows = rows };
