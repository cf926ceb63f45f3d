/* SPDX-License-Identifier: MIT */
/*
 * Databases whose rows are events: names of ranges.  PyTorch's emit_nvtx puts what it knows of an operator after its
 * name: "aten::mm, op_id = 7, seq = 3, sizes = [[2, 3]]".
 */
#include "formats/tables/tr_tables_int.h"

#include "base/tr_num.h"
#include "json/tr_json.h"
#include "stream/tr_dict.h"

#include <string.h>

enum { OP_ID, SEQUENCE, DIMS };
static const char *const parts[TR__TABLES_PARTS] = { ", op_id = ", ", seq = ", ", sizes = ", ", input_op_ids = " };
const char *const tr__tables_parts[TR__TABLES_PARTS] = { "op_id", "Sequence number", "Input Dims", "input_op_ids" };

/* The place of the next part of a name, from a byte on: its text; n: there is none.  *which: of parts. */
static size_t next_part(struct tr_str s, size_t from, size_t *which)
{
    for (size_t at = from; at < s.len; at++) {
        const char *comma = memchr(s.s + at, ',', s.len - at);
        if (!comma)
            break;
        at = (size_t)(comma - s.s);
        for (*which = 0; *which < TR__TABLES_PARTS; ++*which) {
            size_t len = strlen(parts[*which]);
            if (s.len - at >= len && memcmp(comma, parts[*which], len) == 0)
                return at;
        }
    }
    return s.len;
}

/* A list of sizes as JSON without blanks; TR_NO_STR: it is none. */
static uint32_t sizes_of(struct tr__tables *t, struct tr_str s)
{
    size_t whole;
    unsigned defects;
    t->text.len = 0;
    for (size_t i = 0; i < s.len; i++)
        if (s.s[i] != ' ' && !tr_buf_add(&t->text, s.s + i, 1))
            return TR_NO_STR;
    const char *p = (const char *)t->text.data;
    bool list = t->text.len && *p == '[' &&
                tr_json_scan(p, t->text.len, true, NULL, &whole, &defects) == TR_JSON_DONE && !defects &&
                whole == t->text.len && strspn(p, "[]0123456789,-") >= t->text.len;
    return list ? tr_ingest_json(t->g, p, t->text.len) : TR_NO_STR;
}

static void add_part(struct tr__tables *t, size_t part, struct tr_str value)
{
    uint32_t key = t->parts[part], text = TR_NO_STR;
    int64_t number;
    if ((part == OP_ID || part == SEQUENCE) && tr_num_plain(value.s, value.len, &number))
        tr__tables_add(t, key, TR_T_INT, number);
    else if (part == DIMS && (text = sizes_of(t, value)) != TR_NO_STR)
        tr__tables_add(t, key, TR_T_JSON, text);
    else if ((text = tr_ingest_text(t->g, value.s, value.len)) != TR_NO_STR)
        tr__tables_add(t, key, TR_T_STRING, text);
}

uint32_t tr__tables_range(struct tr__tables *t, struct tr_str text, bool *op)
{
    size_t part = 0, at = next_part(text, 0, &part);
    *op = at < text.len && at > 0;
    if (!*op)
        return tr__tables_number(t, text);
    uint32_t number = tr__tables_number(t, (struct tr_str){ text.s, at });
    while (at < text.len) {
        size_t of = part, from = at + strlen(parts[of]), next = next_part(text, from, &part);
        add_part(t, of, (struct tr_str){ text.s + from, next - from });
        at = next;
    }
    return number;
}
