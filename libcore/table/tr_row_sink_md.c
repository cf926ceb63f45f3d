/* SPDX-License-Identifier: MIT */
/* Tables as Markdown. */
#include "base/tr_escape.h"
#include "table/tr_table_int.h"

#include <string.h>

static bool md_string(struct tr_buf *out, const char *s, size_t n)
{
    bool ok = true;
    for (size_t i = 0, len; ok && i < n; i += len) {
        if (tr_escape_plain(s + i, n - i, &len))
            ok = (!strchr("\\`*_[]<>|~&", s[i]) || tr_buf_add_str(out, "\\")) && tr_buf_add(out, s + i, len);
        else
            for (size_t k = 0; ok && k < len; k++)
                ok = tr_escape_hex(out, "\\\\x", (unsigned char)s[i + k]);
    }
    return ok;
}

static bool below_header(const struct tr_table *t, struct tr_buf *out)
{
    bool ok = tr_buf_add_str(out, "|");
    for (size_t k = 0; ok && k < t->n_shown; k++)
        ok = tr_buf_add_str(out, tr_cell_is_number(tr__column_at(t, k)->is.type) ? "---:|" : "---|");
    return ok && tr_buf_add_str(out, "\n");
}

static const struct tr__lines lines = {
    .before = "| ",
    .between = " | ",
    .after = " |\n",
    .string = md_string,
    .name = tr_escape_tsv,
    .below_header = below_header,
};

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    return tr__lines_rows(t, &lines, out, err);
}

const struct tr_row_sink tr_row_sink_md = { .name = "md", .streams = true, .rows = rows };
