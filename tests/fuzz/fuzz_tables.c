/* SPDX-License-Identifier: MIT */
/* Any bytes as a printed table, as TSV, CSV or JSON: refused with a reason, or each cell is in its place. */
#include "formats/tr_printed_table.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
    if (!good)
        abort();
}

/*
 * Cells as TSV, escaped as programs print them; an absent cell is empty.  Brackets are escaped, too: with one of them as
 * the first character, a text is JSON.
 */
static void print(const struct tr_printed_table *t, struct tr_buf *out)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < t->n_cols * (t->n_rows + 1); i++) {
        struct tr_str cell = i < t->n_cols ? t->names[i] : t->cells[i - t->n_cols];
        for (size_t k = 0; k < cell.len; k++) {
            unsigned char c = (unsigned char)cell.s[k];
            const char hex[] = { '\\', 'x', digits[c >> 4], digits[c & 15] };
            bool plain = c >= ' ' && c < 0x7f && c != '\\' && c != ',' && c != '[' && c != '{';
            must(plain ? tr_buf_add(out, cell.s + k, 1) : tr_buf_add(out, hex, sizeof hex));
        }
        must(tr_buf_add_str(out, (i + 1) % t->n_cols ? "\t" : "\n"));
    }
}

static enum tr_status read_table(struct tr_printed_table *t, const void *data, size_t size)
{
    struct tr_buf text = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    must(tr_buf_add(&text, size ? data : "", size));
    enum tr_status st = tr_printed_table_read(t, &text, 1 << 24, &err);
    must(st == TR_OK || (err.what[0] && (st == TR_DAMAGED || st == TR_SYSTEM)));
    tr_buf_free(&text);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tr_printed_table t = { .n_cols = 0 }, again = { .n_cols = 0 };
    struct tr_buf out = { 0 };
    if (read_table(&t, data, size) == TR_OK && t.n_cols > 1) {
        print(&t, &out);
        must(read_table(&again, out.data, out.len) == TR_OK);
        must(again.n_cols == t.n_cols && again.n_rows == t.n_rows);
        for (size_t i = 0; i < t.n_cols * t.n_rows; i++)
            must(t.cells[i].len == again.cells[i].len &&
                 (!t.cells[i].len || memcmp(t.cells[i].s, again.cells[i].s, t.cells[i].len) == 0));
    }
    tr_printed_table_free(&t);
    tr_printed_table_free(&again);
    tr_buf_free(&out);
    return 0;
}
