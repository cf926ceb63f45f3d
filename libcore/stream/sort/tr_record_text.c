/* SPDX-License-Identifier: MIT */
/* Texts of records: written after the fixed part, read, compared. */
#include "stream/sort/tr_record_text.h"

#include <stdint.h>
#include <string.h>

#define ABSENT UINT32_MAX

bool tr_record_start(struct tr_buf *record, const void *fixed, size_t size)
{
    record->len = 0;
    return tr_buf_add(record, fixed, size);
}

bool tr_record_add_text(struct tr_buf *record, struct tr_str text)
{
    uint32_t len = text.s ? (uint32_t)text.len : ABSENT;
    return tr_buf_add(record, &len, sizeof len) && (!text.s || tr_buf_add_text(record, text));
}

struct tr_str tr_record_next_text(const char **at)
{
    uint32_t len;
    memcpy(&len, *at, sizeof len); /* texts end anywhere, so lengths are not aligned */
    *at += sizeof len;
    if (len == ABSENT)
        return tr_str_of(NULL);
    struct tr_str text = { *at, len };
    *at += len;
    return text;
}

int tr_record_compare_texts(const char *left, const char *right, size_t n)
{
    int c = 0;
    for (size_t k = 0; !c && k < n; k++) {
        struct tr_str a = tr_record_next_text(&left), b = tr_record_next_text(&right);
        c = !a.s || !b.s ? (a.s != NULL) - (b.s != NULL) : tr_str_cmp(a, b);
    }
    return c;
}
