/* SPDX-License-Identifier: MIT */
/* Tables as JSON: an array of objects. */
#include "base/tr_escape.h"
#include "table/tr_table_int.h"

#include <string.h>

static bool add_cell(const struct tr_table *t, size_t row, size_t shown, struct tr_buf *out)
{
    const struct tr__cell *cell = tr__cell_at(t, row, shown);
    const struct tr__column *column = tr__column_at(t, shown);
    if (cell->absent)
        return tr_buf_add(out, "null", 4);
    if (column->is.type != TR_CELL_STRING)
        return tr__cell_number(t, column, cell, out);
    return tr_escape_json(out, tr__cell_string(t, cell), cell->v.s.len);
}

static enum tr_status rows(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    bool ok = t->started || tr_buf_add_str(out, "[");
    for (size_t r = 0; ok && r < tr__rows(t); r++) {
        ok = tr_buf_add_str(out, t->n_written + r ? ",\n{" : "\n{");
        for (size_t k = 0; ok && k < t->n_shown; k++) {
            const char *name = tr__column_at(t, k)->printed;
            ok = (k == 0 || tr_buf_add_str(out, ", ")) &&
                 tr_escape_json(out, name, strlen(name)) &&
                 tr_buf_add_str(out, ": ") && add_cell(t, r, k, out);
        }
        ok = ok && tr_buf_add_str(out, "}");
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status end(struct tr_table *t, struct tr_buf *out, struct tr_error *err)
{
    (void)t;
    return tr_buf_add_str(out, "\n]\n") ? TR_END : tr_fail_memory(err);
}

const struct tr_row_sink tr_row_sink_json = { .name = "json", .streams = true, .rows = rows, .end = end };
