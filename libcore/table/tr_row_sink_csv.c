/* SPDX-License-Identifier: MIT */
/* Tables as comma-separated values: RFC 4180. */
#include "table/tr_table_int.h"

static bool csv_string(struct tr_buf *out, const char *s, size_t n)
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

static const struct tr__lines lines = {
    .before = "", .between = ",", .after = "\r\n", .string = csv_string, .name = csv_string,
};

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    return tr__lines_rows(t, &lines, out, err);
}

const struct tr_row_sink tr_row_sink_csv = { .name = "csv", .streams = true, .rows = rows };
