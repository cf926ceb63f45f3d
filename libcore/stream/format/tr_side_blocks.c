/* SPDX-License-Identifier: MIT */
/* Tables of a stream as blocks, and back. */
#include "stream/format/tr_side_blocks_int.h"

#include "stream/tr_batch.h"
#include "stream/tr_side_table_int.h"

#include <stdlib.h>
#include <string.h>

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
    struct tr__in in = { t->rows.data, t->rows.len ? t->rows.data + t->rows.len : t->rows.data, false };
    uint32_t n = 0;
    enum tr_status st = check_head(t, err);
    if (st == TR_OK && !(put_head(t, false, &f->payload) && put_head(t, true, &head)))
        st = tr_fail_memory(err);
    for (uint64_t i = 0; i < t->n_rows && st == TR_OK; i++) {
        struct tr__in row = tr__side_next_row(&in);
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
    return in->bad ? NULL : strndup((const char *)p, len);
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
        struct tr__in row = tr__side_next_row(&in);
        tr__side_get_row(t, &row, values);
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
