/* SPDX-License-Identifier: MIT */
/* Tables of a stream in memory. */
#include "stream/tr_side_table_int.h"

#include "stream/tr_batch.h"

#include <stdlib.h>
#include <string.h>

struct tr_side_table *tr_side_table_new(const char *name, uint32_t source)
{
    struct tr_side_table *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->source = source;
    t->name = strdup(name);
    if (t->name)
        return t;
    free(t);
    return NULL;
}

struct tr_side_table *tr_side_table_like(const struct tr_side_table *t)
{
    struct tr_side_table *like = tr_side_table_new(t->name, t->source);
    for (size_t i = 0; like && i < t->n_columns; i++) {
        if (!tr_side_table_column(like, t->columns[i].name, t->columns[i].type)) {
            tr_side_table_free(like);
            return NULL;
        }
    }
    return like;
}

void tr_side_table_free(struct tr_side_table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n_columns; i++)
        free(t->columns[i].name);
    free(t->columns);
    free(t->name);
    tr_buf_free(&t->rows);
    free(t);
}

bool tr_side_table_column(struct tr_side_table *t, const char *name, unsigned type)
{
    char *copy = strdup(name);
    if (!copy || !tr_grow(&t->columns, &t->cap_columns, t->n_columns + 1, sizeof *t->columns)) {
        free(copy);
        return false;
    }
    t->columns[t->n_columns++] = (struct tr_side_column){ copy, (uint8_t)type };
    return true;
}

/* ---- rows ---- */

#define MAX_NUMBER 10u /* bytes */

static unsigned char *put_number(unsigned char *p, uint64_t v)
{
    for (; v >= 128; v >>= 7)
        *p++ = (unsigned char)(v | 128);
    *p++ = (unsigned char)v;
    return p;
}

static unsigned char *put_value(unsigned char *p, unsigned type, const struct tr_side_value *v)
{
    if (tr_type_is_string(type)) {
        p = put_number(p, v->len);
        if (v->len)
            memcpy(p, v->text, v->len);
        return p + v->len;
    }
    if (type == TR_T_DOUBLE) {
        tr__put64(p, (uint64_t)v->v);
        return p + 8;
    }
    if (type == TR_T_UINT || type == TR_SIDE_TRACK || type == TR_SIDE_BOOL)
        return put_number(p, (uint64_t)v->v);
    if (type == TR_SIDE_RECORD)
        return put_number(put_number(p, v->of), (uint64_t)v->v);
    p = put_number(p, tr__zigzag(v->v));
    return type == TR_SIDE_TIME ? put_number(p, v->of) : p;
}

/* The bytes of a row, or more. */
static size_t row_bound(const struct tr_side_table *t, const struct tr_side_value *values)
{
    size_t n = (t->n_columns + 7) / 8;
    for (size_t i = 0; i < t->n_columns; i++)
        if (values[i].present)
            n += 2 * MAX_NUMBER + (tr_type_is_string(t->columns[i].type) ? values[i].len : 0);
    return n;
}

static void get_value(struct tr__in *in, unsigned type, struct tr_side_value *v)
{
    if (tr_type_is_string(type)) {
        v->len = tr__in_size(in, tr__in_left(in));
        v->text = (const char *)tr__in_bytes(in, v->len);
    } else if (type == TR_T_UINT) {
        v->v = (int64_t)tr__in_varint(in);
    } else if (type == TR_SIDE_TRACK || type == TR_SIDE_BOOL) {
        v->v = (int64_t)tr__in_max(in, type == TR_SIDE_BOOL ? 1 : UINT32_MAX);
    } else if (type == TR_T_DOUBLE) {
        v->v = (int64_t)tr__in_u64(in);
    } else if (type == TR_SIDE_RECORD) {
        v->of = (uint32_t)tr__in_max(in, UINT32_MAX);
        v->v = (int64_t)tr__in_varint(in);
    } else {
        v->v = tr__in_signed(in);
        if (type == TR_SIDE_TIME)
            v->of = (uint32_t)tr__in_max(in, UINT32_MAX);
    }
}

/* Its length comes before a row and is known after it, so the row is made where the longest one would end. */
bool tr_side_table_add(struct tr_side_table *t, const struct tr_side_value *values)
{
    size_t n_bits = (t->n_columns + 7) / 8;
    if (!tr_buf_reserve(&t->rows, MAX_NUMBER + row_bound(t, values)))
        return false;
    unsigned char *at = t->rows.data + t->rows.len, *row = at + MAX_NUMBER, *end = row + n_bits;
    memset(row, 0, n_bits);
    for (size_t i = 0; i < t->n_columns; i++) {
        if (!values[i].present)
            continue;
        row[i / 8] |= (unsigned char)(1u << i % 8);
        end = put_value(end, t->columns[i].type, &values[i]);
    }
    size_t len = (size_t)(end - row);
    at = put_number(at, len);
    memmove(at, row, len);
    t->rows.len = (size_t)(at - t->rows.data) + len;
    t->n_rows++;
    return true;
}

void tr__side_get_row(const struct tr_side_table *t, struct tr__in *in, struct tr_side_value *values)
{
    const unsigned char *bits = tr__in_bytes(in, (t->n_columns + 7) / 8);
    for (size_t i = 0; i < t->n_columns; i++) {
        values[i] = (struct tr_side_value){ .present = bits && bits[i / 8] >> i % 8 & 1 };
        if (values[i].present)
            get_value(in, t->columns[i].type, &values[i]);
    }
}

struct tr__in tr__side_next_row(struct tr__in *in)
{
    size_t len = tr__in_size(in, tr__in_left(in));
    const unsigned char *p = tr__in_bytes(in, len);
    return (struct tr__in){ p, p ? p + len : p, in->bad };
}

bool tr_side_table_row(const struct tr_side_table *t, size_t *at, struct tr_side_value *values)
{
    if (*at >= t->rows.len)
        return false;
    struct tr__in in = { t->rows.data + *at, t->rows.data + t->rows.len, false };
    struct tr__in row = tr__side_next_row(&in);
    tr__side_get_row(t, &row, values);
    *at = (size_t)(in.p - t->rows.data);
    return true;
}

bool tr_side_table_same_head(const struct tr_side_table *a, const struct tr_side_table *b)
{
    bool same = strcmp(a->name, b->name) == 0 && a->source == b->source && a->n_columns == b->n_columns;
    for (size_t i = 0; same && i < a->n_columns; i++)
        same = strcmp(a->columns[i].name, b->columns[i].name) == 0 && a->columns[i].type == b->columns[i].type;
    return same;
}

bool tr_side_table_has_text(const struct tr_side_table *t)
{
    bool any = false;
    for (size_t i = 0; i < t->n_columns; i++)
        any |= tr_type_is_string(t->columns[i].type);
    return any;
}

bool tr_side_tables_add(struct tr_side_tables *list, struct tr_side_table *t)
{
    if (!tr_grow(&list->v, &list->cap, list->n + 1, sizeof(struct tr_side_table *))) {
        tr_side_table_free(t);
        return false;
    }
    list->v[list->n++] = t;
    return true;
}

void tr_side_tables_free(struct tr_side_tables *list)
{
    for (size_t i = 0; i < list->n; i++)
        tr_side_table_free(list->v[i]);
    free(list->v);
    *list = (struct tr_side_tables){ NULL, 0, 0 };
}

void tr_side_tables_drop_rows(struct tr_side_tables *list, const char *begin)
{
    for (size_t i = 0; i < list->n; i++) {
        if (strncmp(list->v[i]->name, begin, strlen(begin)) != 0)
            continue;
        tr_buf_free(&list->v[i]->rows);
        list->v[i]->n_rows = 0;
    }
}

/* A clock's row follows that of the clock before it, so the first is the last of the chain. */
static bool show(const struct tr_dict *d, uint32_t clock, unsigned depth, int64_t *t)
{
    if (clock == 0 || clock > d->n_clocks || depth > d->n_clocks)
        return true;
    return show(d, d->clocks[clock - 1].before, depth + 1, t) && tr_clock_apply(&d->clocks[clock - 1], *t, t);
}

bool tr_side_time(const struct tr_dict *d, const struct tr_side_value *value, int64_t *now)
{
    *now = value->v;
    return show(d, d->tracks[value->of].clock, 0, now);
}
