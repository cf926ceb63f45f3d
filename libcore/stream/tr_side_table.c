/* SPDX-License-Identifier: MIT */
/* Tables of a stream in memory, and as blocks. */
#include "stream/tr_side_table_int.h"

#include "stream/tr_batch.h"
#include "stream/tr_wire_int.h"

#include <stdlib.h>

static char *copy_name(const char *s, size_t len)
{
    char *copy = malloc(len + 1);
    if (!copy)
        return NULL;
    memcpy(copy, s, len);
    copy[len] = '\0';
    return copy;
}

struct tr_side_table *tr_side_table_new(const char *name, uint32_t source)
{
    struct tr_side_table *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->source = source;
    t->name = copy_name(name, strlen(name));
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
    char *copy = copy_name(name, strlen(name));
    if (!copy || !tr_grow(&t->columns, &t->cap_columns, t->n_columns + 1, sizeof *t->columns)) {
        free(copy);
        return false;
    }
    t->columns[t->n_columns++] = (struct tr_side_column){ copy, (uint8_t)type };
    return true;
}

/* ---- rows ---- */

static void put_value(struct tr__out *o, unsigned type, const struct tr_side_value *v)
{
    if (tr_type_is_string(type)) {
        tr__out_varint(o, v->len);
        tr__out_bytes(o, v->text, v->len);
    } else if (type == TR_T_UINT || type == TR_SIDE_TRACK || type == TR_SIDE_BOOL) {
        tr__out_varint(o, (uint64_t)v->v);
    } else if (type == TR_T_DOUBLE) {
        tr__out_u64(o, (uint64_t)v->v);
    } else if (type == TR_SIDE_RECORD) {
        tr__out_varint(o, v->of);
        tr__out_varint(o, (uint64_t)v->v);
    } else {
        tr__out_signed(o, v->v);
        if (type == TR_SIDE_TIME)
            tr__out_varint(o, v->of);
    }
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

bool tr_side_table_add(struct tr_side_table *t, const struct tr_side_value *values)
{
    struct tr_buf row = { NULL, 0, 0 };
    struct tr__out o = { &row, false }, to = { &t->rows, false };
    for (size_t i = 0; i < t->n_columns; i += 8) {
        unsigned bits = 0;
        for (size_t k = i; k < i + 8 && k < t->n_columns; k++)
            bits |= (unsigned)values[k].present << (k - i);
        tr__out_u8(&o, (uint8_t)bits);
    }
    for (size_t i = 0; i < t->n_columns; i++)
        if (values[i].present)
            put_value(&o, t->columns[i].type, &values[i]);
    size_t before = t->rows.len;
    tr__out_varint(&to, row.len);
    tr__out_bytes(&to, row.data, row.len);
    bool ok = !o.failed && !to.failed;
    tr_buf_free(&row);
    if (!ok)
        t->rows.len = before;
    t->n_rows += ok;
    return ok;
}

/* The values of a row; a malformed one sets in->bad. */
static void get_row(const struct tr_side_table *t, struct tr__in *in, struct tr_side_value *values)
{
    const unsigned char *bits = tr__in_bytes(in, (t->n_columns + 7) / 8);
    for (size_t i = 0; i < t->n_columns; i++) {
        values[i] = (struct tr_side_value){ .present = bits && bits[i / 8] >> i % 8 & 1 };
        if (values[i].present)
            get_value(in, t->columns[i].type, &values[i]);
    }
}

/* The bytes of the next row.  The length may be anything. */
static struct tr__in next_row(struct tr__in *in)
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
    struct tr__in row = next_row(&in);
    get_row(t, &row, values);
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

/* ---- blocks ---- */

enum { GOES_ON = 1 };

static void put_name(struct tr__out *o, const char *s)
{
    tr__out_varint(o, strlen(s));
    tr__out_bytes(o, s, strlen(s));
}

static bool put_head(const struct tr_side_table *t, bool goes_on, struct tr_buf *head)
{
    struct tr__out o = { head, false };
    tr__out_u8(&o, goes_on ? GOES_ON : 0);
    put_name(&o, t->name);
    tr__out_ref(&o, t->source);
    tr__out_varint(&o, t->n_columns);
    for (size_t i = 0; i < t->n_columns; i++) {
        put_name(&o, t->columns[i].name);
        tr__out_u8(&o, t->columns[i].type);
    }
    return !o.failed;
}

static bool good_name(const char *s)
{
    size_t len = strlen(s);
    return len > 0 && len <= TR_SIDE_MAX_NAME;
}

/* Refuse to write a table that a reader would refuse. */
static enum tr_status check_head(const struct tr_side_table *t, struct tr_error *err)
{
    bool good = good_name(t->name);
    for (size_t i = 0; i < t->n_columns; i++)
        good &= good_name(t->columns[i].name);
    if (t->n_columns == 0 || t->n_columns > TR_SIDE_MAX_COLUMNS)
        return tr_fail(err, TR_USAGE, "table '%.255s' has %zu columns, 1 to %u are allowed", t->name, t->n_columns,
                       TR_SIDE_MAX_COLUMNS);
    return good ? TR_OK
                : tr_fail(err, TR_USAGE, "a name of table '%.255s' is not of 1 to %u bytes", t->name,
                          TR_SIDE_MAX_NAME);
}

enum tr_status tr__side_send(struct tr__block_out *f, const struct tr_side_table *t, struct tr_error *err)
{
    struct tr_buf head = { NULL, 0, 0 };
    struct tr__in in = { t->rows.data, t->rows.data + t->rows.len, false };
    uint32_t n = 0;
    enum tr_status st = check_head(t, err);
    if (st == TR_OK && !(put_head(t, false, &f->payload) && put_head(t, true, &head)))
        st = tr_fail_memory(err);
    for (uint64_t i = 0; i < t->n_rows && st == TR_OK; i++) {
        struct tr__in row = next_row(&in);
        if (tr_buf_add(&f->row, row.p, tr__in_left(&row)))
            st = tr__row_add(f, TR_BLOCK_TABLE, &n, &head, err);
        else
            st = tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = tr__payload_send(f, TR_BLOCK_TABLE, n, err);
    tr_buf_free(&head);
    return st;
}

static char *get_name(struct tr__in *in)
{
    size_t len = tr__in_size(in, TR_SIDE_MAX_NAME);
    const unsigned char *p = tr__in_bytes(in, len);
    in->bad |= len == 0 || !p || memchr(p, 0, len);
    return in->bad ? NULL : copy_name((const char *)p, len);
}

static bool good_type(unsigned type)
{
    return (type >= TR_T_INT && type <= TR_T_QUOTED) || (type >= TR_SIDE_BOOL && type <= TR_SIDE_RECORD);
}

/* The table at the start of a block, without rows.  NULL: it is malformed (in->bad), or memory ran out. */
static struct tr_side_table *get_head(struct tr__in *in, const struct tr_dict *dict, bool *goes_on)
{
    struct tr_side_table *t = calloc(1, sizeof *t);
    bool ok = t != NULL;
    uint8_t flags = tr__in_u8(in);
    *goes_on = flags & GOES_ON;
    ok = ok && (t->name = get_name(in));
    if (ok)
        t->source = tr__in_ref(in, dict->n_sources);
    size_t n = tr__in_size(in, TR_SIDE_MAX_COLUMNS);
    in->bad |= flags > GOES_ON || n == 0;
    for (size_t i = 0; i < n && ok && !in->bad; i++) {
        char *name = get_name(in);
        unsigned type = tr__in_u8(in);
        in->bad |= !good_type(type);
        ok = name && !in->bad && tr_side_table_column(t, name, type);
        free(name);
    }
    if (ok && !in->bad)
        return t;
    tr_side_table_free(t);
    return NULL;
}

/* Are the tracks and sources that a row names known? */
static bool known(const struct tr_side_table *t, const struct tr_dict *d, const struct tr_side_value *values)
{
    bool good = true;
    for (size_t i = 0; i < t->n_columns; i++) {
        const struct tr_side_value *v = &values[i];
        if (!v->present)
            continue;
        if (t->columns[i].type == TR_SIDE_TIME)
            good &= v->of < d->n_tracks && v->v != TR_TIME_NONE;
        else if (t->columns[i].type == TR_SIDE_TRACK)
            good &= (uint64_t)v->v < d->n_tracks;
        else if (t->columns[i].type == TR_SIDE_RECORD)
            good &= v->of < d->n_sources;
    }
    return good;
}

enum tr_status tr__side_get(struct tr_side_tables *list, const struct tr_dict *dict, const unsigned char *payload,
                            size_t len, uint32_t n_items, struct tr_error *err)
{
    struct tr__in in = { payload, payload + len, false };
    struct tr_side_value values[TR_SIDE_MAX_COLUMNS];
    bool goes_on;
    struct tr_side_table *t = get_head(&in, dict, &goes_on);
    if (!t)
        return in.bad ? tr_fail(err, TR_DAMAGED, "the table is malformed") : tr_fail_memory(err);
    if (goes_on) {
        struct tr_side_table *last = list->n ? list->v[list->n - 1] : NULL;
        bool same = last && tr_side_table_same_head(last, t);
        tr_side_table_free(t);
        if (!same)
            return tr_fail(err, TR_DAMAGED, "rows of another table than the one before");
        t = last;
    } else if (!tr_side_tables_add(list, t)) {
        return tr_fail_memory(err);
    }
    const unsigned char *rows = in.p;
    for (uint32_t i = 0; i < n_items; i++) {
        struct tr__in row = next_row(&in);
        get_row(t, &row, values);
        if (row.bad || !known(t, dict, values))
            return tr_fail(err, TR_DAMAGED, "row %u of table '%s' is malformed", i, t->name);
    }
    if (tr__in_left(&in))
        return tr_fail(err, TR_DAMAGED, "%zu bytes after the last row", tr__in_left(&in));
    if (!tr_buf_add(&t->rows, rows, (size_t)(in.p - rows)))
        return tr_fail_memory(err);
    t->n_rows += n_items;
    return TR_OK;
}
