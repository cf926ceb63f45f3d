/* SPDX-License-Identifier: MIT */
/* Databases whose rows are events: texts that rows name by a number. */
#include "formats/tables/tr_tables_int.h"

#include "base/tr_escape.h"
#include "stream/tr_dict.h"

bool tr__tables_clean(struct tr__tables *t, struct tr_str *text)
{
    if (tr_utf8_valid(text->s, text->len))
        return true;
    t->clean.len = 0;
    if (!tr_utf8_add(&t->clean, text->s, text->len))
        return false;
    *text = (struct tr_str){ (const char *)t->clean.data, t->clean.len };
    return true;
}

uint32_t tr__tables_number(struct tr__tables *t, struct tr_str text)
{
    const char *before = text.s;
    if (!tr__tables_clean(t, &text))
        return TR_NO_STR;
    if (text.s != before)
        tr_ingest_damaged(t->g, TR_DAMAGE_BAD_UTF8, TR_NO_OFFSET);
    return tr_ingest_text(t->g, text.len ? text.s : "", text.len);
}

/* Texts of a table without an index are all read at once. */
static enum tr_status read_all(struct tr__tables *t)
{
    const char *const columns[] = { t->schema->string_id, t->schema->string_text };
    enum tr_status st = tr__tables_scan(t, &t->scan, t->schema->strings, columns, 2);
    while (st == TR_OK && (st = tr__scan_next(&t->scan, t->err)) == TR_OK) {
        int64_t id = tr__scan_int(&t->scan, 0);
        struct tr_str text = tr__scan_text(&t->scan, 1);
        uint32_t number = id != TR_I64_NONE && text.s ? tr__tables_number(t, text) : TR_NO_STR;
        if (number != TR_NO_STR && !tr__numbers_set(&t->strings, (uint64_t)id, number))
            st = tr_fail_memory(t->err);
    }
    tr__scan_end(&t->scan);
    return st == TR_END ? TR_OK : st;
}

enum tr_status tr__tables_strings(struct tr__tables *t)
{
    tr__scan_end(&t->lookup);
    tr__numbers_clear(&t->strings);
    enum tr_status st = tr__tables_find(t, &t->lookup, t->schema->strings, t->schema->string_id,
                                        &t->schema->string_text, 1);
    t->searched = st == TR_OK;
    return st == TR_END ? read_all(t) : st;
}

enum tr_status tr__tables_text(struct tr__tables *t, int64_t id, struct tr_str *text)
{
    if (!t->searched)
        return TR_END;
    enum tr_status st = tr__find(&t->lookup, id, t->err);
    if (st == TR_OK)
        *text = tr__scan_text(&t->lookup, 0);
    return st == TR_OK && !text->s ? TR_END : st;
}

enum tr_status tr__tables_text_of(struct tr__tables *t, int64_t id, uint32_t *number)
{
    struct tr_str text;
    *number = TR_NO_STR;
    if (id == TR_I64_NONE)
        return TR_OK;
    *number = tr__numbers_get(&t->strings, (uint64_t)id);
    if (*number != UINT32_MAX || !t->searched)
        return TR_OK;
    enum tr_status st = tr__tables_text(t, id, &text);
    if (st == TR_END) {
        tr__tables_bad_value(t);
        return TR_OK;
    }
    if (st == TR_OK)
        *number = tr__tables_number(t, text);
    if (st == TR_OK && *number != TR_NO_STR && !tr__numbers_set(&t->strings, (uint64_t)id, *number))
        return tr_fail_memory(t->err);
    return st;
}

enum tr_status tr__tables_text_at(struct tr__tables *t, size_t column, uint32_t *number)
{
    return tr__tables_text_of(t, tr__scan_int(&t->scan, column), number);
}
