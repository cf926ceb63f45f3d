/* SPDX-License-Identifier: MIT */
/* Tables as tab-separated values. */
#include "base/tr_escape.h"
#include "table/tr_table_int.h"

static const struct tr__lines lines = {
    .before = "", .between = "\t", .after = "\n", .string = tr_escape_tsv, .name = tr_escape_tsv,
};

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    return tr__lines_rows(t, &lines, out, err);
}

const struct tr_row_sink tr_row_sink_tsv = { .name = "tsv", .streams = true, .rows = rows };
