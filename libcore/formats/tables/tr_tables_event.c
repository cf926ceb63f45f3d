/* SPDX-License-Identifier: MIT */
/* Databases whose rows are events: the event that a row becomes, and its args. */
#include "formats/tables/tr_tables_int.h"

#include "base/tr_time.h"
#include "stream/tr_dict.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum tr_status tr__tables_begin_at(struct tr__tables *t, enum tr_phase phase, int64_t start, int64_t end)
{
    if (start == TR_I64_NONE)
        return TR_END;
    t->n_args = 0;
    tr_ingest_begin(t->g, phase, start, phase == TR_SPAN ? tr_time_diff(end, start) : TR_TIME_NONE);
    tr_ingest_record(t->g, t->record);
    return TR_OK;
}

enum tr_status tr__tables_begin(struct tr__tables *t, enum tr_phase phase, size_t start, size_t end)
{
    return tr__tables_begin_at(t, phase, tr__scan_int(&t->scan, start), tr__scan_int(&t->scan, end));
}

enum tr_status tr__tables_end(struct tr__tables *t)
{
    struct tr__tables_like *l = &t->likes[t->table];
    bool same = l->n == t->n_args && l->like.shape != UINT32_MAX;
    for (size_t i = 0; same && i < t->n_args; i++)
        same = l->keys[i] == t->args[i].key && l->types[i] == t->args[i].type;
    if (same)
        tr__ingest_args_like(t->g, t->args, t->n_args, &l->like);
    else
        tr__ingest_args(t->g, t->args, t->n_args);
    enum tr_status st = tr_ingest_end(t->g, t->err);
    for (size_t i = 0; !same && i < t->n_args; i++) {
        l->keys[i] = t->args[i].key;
        l->types[i] = t->args[i].type;
    }
    l->n = t->n_args;
    l->like = tr__ingest_like(t->g);
    return st;
}

/* ---- args ---- */

void tr__tables_add(struct tr__tables *t, uint32_t key, enum tr_type type, int64_t bits)
{
    if (t->n_args < TR__TABLES_ARGS)
        t->args[t->n_args++] = (struct tr__arg){ key, (uint8_t)type, bits };
}

void tr__tables_arg_int(struct tr__tables *t, size_t key, int64_t value)
{
    if (value != TR_I64_NONE)
        tr__tables_add(t, t->keys[key], TR_T_INT, value);
}

void tr__tables_arg_column(struct tr__tables *t, size_t key, size_t column)
{
    tr__tables_arg_int(t, key, tr__scan_int(&t->scan, column));
}

void tr__tables_arg_text(struct tr__tables *t, size_t key, uint32_t number)
{
    if (number != TR_NO_STR)
        tr__tables_add(t, t->keys[key], TR_T_STRING, number);
}

void tr__tables_arg_json(struct tr__tables *t, size_t key, uint32_t number)
{
    if (number != TR_NO_STR)
        tr__tables_add(t, t->keys[key], TR_T_JSON, number);
}

/* Infinities and NaN have no form in JSON. */
static void add_real(struct tr__tables *t, uint32_t key, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value - value == 0)
        tr__tables_add(t, key, TR_T_DOUBLE, bits);
}

void tr__tables_arg_real(struct tr__tables *t, size_t key, double value)
{
    add_real(t, t->keys[key], value);
}

void tr__tables_arg_value(struct tr__tables *t, uint32_t key, double value)
{
    bool whole = value > -9e15 && value < 9e15 && value == (double)(int64_t)value;
    if (key != TR_NO_STR && whole)
        tr__tables_add(t, key, TR_T_INT, (int64_t)value);
    else if (key != TR_NO_STR)
        add_real(t, key, value);
}

void tr__tables_arg_dims(struct tr__tables *t, size_t key, const int64_t v[3])
{
    int64_t x = v[0], y = v[1], z = v[2];
    char text[80];
    if (x == TR_I64_NONE || y == TR_I64_NONE || z == TR_I64_NONE)
        return;
    size_t at = (size_t)((uint64_t)x * 31 + (uint64_t)y * 7 + (uint64_t)z) % (sizeof t->dims / sizeof *t->dims);
    if (t->dims[at].number == TR_NO_STR || t->dims[at].x != x || t->dims[at].y != y || t->dims[at].z != z) {
        int n = snprintf(text, sizeof text, "[%" PRId64 ",%" PRId64 ",%" PRId64 "]", x, y, z);
        t->dims[at].x = x;
        t->dims[at].y = y;
        t->dims[at].z = z;
        t->dims[at].number = tr_ingest_json(t->g, text, (size_t)n);
    }
    tr__tables_arg_json(t, key, t->dims[at].number);
}

void tr__tables_arg_groups(struct tr__tables *t, size_t grid, size_t block, size_t grid_size, const int64_t items[3],
                           const int64_t group[3])
{
    int64_t groups[3];
    bool whole = true;
    for (size_t i = 0; i < 3; i++)
        whole &= items[i] >= 0 && group[i] > 0;
    for (size_t i = 0; whole && i < 3; i++)
        groups[i] = items[i] / group[i] + (items[i] % group[i] != 0);
    if (whole) {
        tr__tables_arg_dims(t, grid, groups);
        tr__tables_arg_dims(t, block, group);
    }
    tr__tables_arg_dims(t, grid_size, items);
}
