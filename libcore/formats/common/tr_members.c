/* SPDX-License-Identifier: MIT */
/* Values of packed columns as JSON, in step with the events of a batch. */
#include "formats/common/tr_members.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "json/tr_json_write.h"

#include <stdlib.h>
#include <string.h>

/* What is known about a string. */
enum {
    STR_KNOWN = 1,  /* it has been checked as a string ... */
    STR_PLAIN = 2,  /* ... and needs no escape */
    TEXT_KNOWN = 4, /* it has been checked as JSON text ... */
    TEXT_PLAIN = 8, /* ... and is valid and in one line */
};

bool tr_members_start(struct tr_members *m, const struct tr_batch *b)
{
    size_t n = m->dict->n_columns;
    m->batch = b;
    if (!tr_grow(&m->cursor, &m->cap_cursor, n, sizeof *m->cursor))
        return false;
    memset(m->cursor, 0, n * sizeof *m->cursor);
    size_t strings = tr_strtab_count(m->dict->strings);
    if (!tr_grow(&m->known, &m->cap_known, strings, 1))
        return false;
    memset(m->known + m->n_known, 0, strings - m->n_known);
    m->n_known = strings;
    return true;
}

void tr_members_free(struct tr_members *m)
{
    free(m->cursor);
    free(m->known);
    tr_buf_free(&m->scratch);
    memset(m, 0, sizeof *m);
}

bool tr_members_peek(const struct tr_members *m, uint32_t column, int64_t *value)
{
    if (column >= m->batch->n_cols)
        return false;
    const struct tr_col *c = &m->batch->cols[column];
    size_t at = m->cursor[column];
    if (at >= c->n)
        return false;
    *value =
        tr_type_is_string(m->dict->columns[column].type) ? (int64_t)c->v.str[at] : c->v.i64[at];
    return true;
}

bool tr_members_take(struct tr_members *m, uint32_t column, int64_t *value)
{
    if (!tr_members_peek(m, column, value))
        return false;
    m->cursor[column]++;
    return true;
}

void tr_members_advance(struct tr_members *m, size_t i)
{
    const struct tr_shape *s = &m->dict->shapes[m->batch->shape[i]];
    for (uint32_t k = 0; k < s->n_slots; k++)
        if (s->slots[k].role == TR_ROLE_COLUMN && tr_type_has_entry(s->slots[k].type) &&
            s->slots[k].column < m->dict->n_columns)
            m->cursor[s->slots[k].column]++;
    unsigned flags = m->batch->flags[i];
    for (unsigned c = 0; flags && c < TR_N_DERIVED; c++)
        m->cursor[c] += (flags & m->dict->columns[c].flag) != 0;
}

bool tr_members_str(struct tr_members *m, uint32_t id, struct tr_buf *out)
{
    if (id == TR_NO_STR)
        return tr_buf_add(out, "\"\"", 2);
    const char *s = tr_strtab_get(m->dict->strings, id);
    size_t len = tr_strtab_len(m->dict->strings, id);
    if (id >= m->n_known)
        return tr_escape_json(out, s, len);
    if (!(m->known[id] & STR_KNOWN))
        m->known[id] |= (uint8_t)(STR_KNOWN | (tr_escape_json_plain(s, len) == len ? STR_PLAIN : 0));
    if (!(m->known[id] & STR_PLAIN))
        return tr_escape_json(out, s, len);
    if (!tr_buf_reserve(out, len + 2))
        return false;
    unsigned char *p = out->data + out->len;
    p[0] = '"';
    memcpy(p + 1, s, len);
    p[len + 1] = '"';
    out->len += len + 2;
    return true;
}

static bool add_text(struct tr_members *m, uint32_t id, struct tr_buf *out)
{
    const char *s = tr_dict_str(m->dict, id);
    size_t len = id == TR_NO_STR ? 0 : tr_strtab_len(m->dict->strings, id);
    if (id >= m->n_known)
        return tr_json_add_text(out, s, len, true);
    if (!(m->known[id] & TEXT_KNOWN)) {
        m->scratch.len = 0;
        if (!tr_json_add_text(&m->scratch, s, len, true))
            return false;
        bool same = m->scratch.len == len && memcmp(m->scratch.data, s, len) == 0;
        m->known[id] |= (uint8_t)(TEXT_KNOWN | (same ? TEXT_PLAIN : 0));
    }
    return m->known[id] & TEXT_PLAIN ? tr_buf_add(out, s, len)
                                     : tr_json_add_text(out, s, len, true);
}

bool tr_members_value(struct tr_members *m, unsigned type, int64_t value, struct tr_buf *out)
{
    uint32_t id = (uint32_t)value;
    switch (type) {
    case TR_T_INT:
    case TR_T_IN_CAT:
        return tr_json_add_i64(out, value);
    case TR_T_QUOTED:
        return tr_buf_add(out, "\"", 1) && tr_json_add_i64(out, value) && tr_buf_add(out, "\"", 1);
    case TR_T_HEX: {
        char text[TR_NUM_HEX];
        size_t len = tr_num_print_hex(value, text);
        return tr_buf_add(out, "\"", 1) && tr_buf_add(out, text, len) && tr_buf_add(out, "\"", 1);
    }
    case TR_T_UINT:
        return tr_json_add_u64(out, (uint64_t)value);
    case TR_T_DECIMAL:
        return tr_json_add_scaled(out, tr_decimal_mantissa(value), tr_decimal_scale(value));
    case TR_T_DOUBLE:
        return tr_json_add_double(out, tr_members_double(value));
    case TR_T_STRING:
        return tr_members_str(m, id, out);
    case TR_T_JSON:
        return add_text(m, id, out);
    case TR_T_NUMBER:
        if (id == TR_NO_STR)
            break;
        return tr_json_add_number(out, tr_strtab_get(m->dict->strings, id),
                                  tr_strtab_len(m->dict->strings, id));
    default:
        break;
    }
    return tr_buf_add(out, "null", 4);
}

bool tr_members_json(struct tr_members *m, uint32_t column, struct tr_buf *out)
{
    int64_t value;
    if (!tr_members_take(m, column, &value))
        return tr_buf_add(out, "null", 4);
    return tr_members_value(m, m->dict->columns[column].type, value, out);
}
