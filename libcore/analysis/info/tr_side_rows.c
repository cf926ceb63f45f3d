/* SPDX-License-Identifier: MIT */
/* From tables of a stream to rows of one table. */
#include "analysis/info/tr_side_rows.h"

#include "stream/tr_batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 1024u /* of all tables of one name together */

/* A column of the result. */
struct column {
    const char *name; /* in these tables */
    uint8_t type;     /* TR_T_ or TR_SIDE_ */
    bool mixed;       /* other tables have it with another type */
};

struct rows {
    const struct tr_dict *dict;
    const struct tr_side_tables *tables;
    const char *name;
    struct column *columns;
    size_t n, cap;
    size_t *place; /* for the table that is shown: its column for each of these, or SIZE_MAX */
    struct tr_table *t;
};

static bool is_asked_for(const struct rows *r, const struct tr_side_table *t)
{
    return strcmp(t->name, r->name) == 0;
}

/* ---- columns ---- */

static size_t find_column(const struct rows *r, const char *name)
{
    size_t i = 0;
    while (i < r->n && strcmp(r->columns[i].name, name) != 0)
        i++;
    return i;
}

static enum tr_status collect_columns(struct rows *r, struct tr_error *err)
{
    for (size_t k = 0; k < r->tables->n; k++) {
        const struct tr_side_table *t = r->tables->v[k];
        for (size_t c = 0; is_asked_for(r, t) && c < t->n_columns; c++) {
            size_t i = find_column(r, t->columns[c].name);
            if (i < r->n) {
                r->columns[i].mixed |= r->columns[i].type != t->columns[c].type;
                continue;
            }
            if (r->n == MAX_COLUMNS)
                return tr_fail(err, TR_DAMAGED, "tables '%.80s' have more than %u different columns", r->name,
                               MAX_COLUMNS);
            if (!tr_grow(&r->columns, &r->cap, r->n + 1, sizeof *r->columns))
                return tr_fail_memory(err);
            r->columns[r->n++] = (struct column){ t->columns[c].name, t->columns[c].type, false };
        }
    }
    return TR_OK;
}

static enum tr_cell cell_type(const struct column *c)
{
    if (c->mixed)
        return TR_CELL_STRING;
    switch (c->type) {
    case TR_T_INT:
    case TR_T_QUOTED:
        return TR_CELL_INT;
    case TR_T_UINT:
        return TR_CELL_COUNT;
    case TR_T_DECIMAL:
    case TR_T_DOUBLE:
        return TR_CELL_DOUBLE;
    case TR_SIDE_TIME:
        return TR_CELL_TIME;
    default:
        return TR_CELL_STRING;
    }
}

static void add_column(struct rows *r, const struct column *c, const char *suffix, enum tr_cell type,
                       const char *meaning)
{
    char full[TR_SIDE_MAX_NAME + 16];
    snprintf(full, sizeof full, "%s%s", c->name, suffix);
    bool text = type == TR_CELL_STRING && c->type == TR_T_STRING;
    const struct tr_table_column column = { .name = full,
                                            .type = type,
                                            .role = text ? TR_ROLE_KEY : TR_ROLE_TEXT,
                                            .names = text && strcmp(full, "name") == 0,
                                            .extra = c->type == TR_SIDE_TIME && *suffix,
                                            .mixed = c->type == TR_T_UINT, /* from 2^63 on */
                                            .meaning = meaning };
    tr_table_columns(r->t, &column, 1);
}

void tr_side_rows_columns(struct tr_table *t)
{
    static const struct tr_table_column rank = { "rank", TR_CELL_INT, TR_ROLE_GROUP,
                                                 .meaning = "rank of the source that the table belongs to" };
    tr_table_columns(t, &rank, 1);
}

static void add_columns(struct rows *r)
{
    tr_side_rows_columns(r->t);
    for (size_t i = 0; i < r->n; i++) {
        const struct column *c = &r->columns[i];
        const char *own = strcmp(c->name, "rank") == 0 ? "_of_table" : "";
        if (c->type == TR_SIDE_RECORD && !c->mixed) {
            add_column(r, c, "_source", TR_CELL_INT, "source of the event");
            add_column(r, c, "_record", TR_CELL_COUNT, "number of the event in its source");
            continue;
        }
        add_column(r, c, own, cell_type(c), "value in the table");
        if (c->type == TR_SIDE_TIME && !c->mixed)
            add_column(r, c, "_track", TR_CELL_STRING, "the track whose clock it was read from");
    }
}

/* ---- cells ---- */

/* The place of a track: a stream of a device, or a thread. */
static void track_cell(struct rows *r, uint32_t track)
{
    const struct tr_dict *d = r->dict;
    const struct tr_track *k = &d->tracks[track];
    char pid[TR_TRACK_DIGITS], tid[TR_TRACK_DIGITS], text[160];
    const char *p = pid, *i = tid;
    if (k->side == TR_SIDE_DEVICE && k->device != TR_I64_NONE && k->stream != TR_I64_NONE) {
        snprintf(text, sizeof text, "device %" PRId64 " stream %" PRId64, k->device, k->stream);
    } else {
        tr_track_digits(k->pid_type, k->pid, pid);
        tr_track_digits(k->tid_type, k->tid, tid);
        if (k->pid_type == TR_T_STRING)
            p = tr_dict_str(d, (uint32_t)k->pid);
        if (k->tid_type == TR_T_STRING)
            i = tr_dict_str(d, (uint32_t)k->tid);
        snprintf(text, sizeof text, "pid %.64s tid %.64s", k->pid_type == TR_T_NULL ? "-" : p,
                 k->tid_type == TR_T_NULL ? "-" : i);
    }
    tr_table_string(r->t, text);
}

static void time_cell(struct rows *r, const struct tr_side_value *v)
{
    int64_t now;
    tr_table_time(r->t, tr_side_time(r->dict, v, &now) ? now : TR_TIME_NONE);
    track_cell(r, v->of);
}

static double double_of(unsigned type, int64_t v)
{
    double d;
    if (type == TR_T_DECIMAL)
        return tr_decimal_double(v);
    memcpy(&d, &v, sizeof d);
    return d;
}

/* A value of a column whose type is another in other tables. */
static void text_cell(struct rows *r, unsigned type, const struct tr_side_value *v)
{
    char text[64];
    int64_t now = v->v;
    if (tr_type_is_string(type)) {
        tr_table_bytes(r->t, v->text, v->len);
        return;
    }
    if (type == TR_SIDE_TRACK) {
        track_cell(r, (uint32_t)v->v);
        return;
    }
    if (type == TR_T_UINT)
        snprintf(text, sizeof text, "%" PRIu64, (uint64_t)v->v);
    else if (type == TR_T_DOUBLE || type == TR_T_DECIMAL)
        snprintf(text, sizeof text, "%.17g", double_of(type, v->v));
    else if (type == TR_SIDE_BOOL)
        snprintf(text, sizeof text, "%s", v->v ? "true" : "false");
    else if (type == TR_SIDE_RECORD)
        snprintf(text, sizeof text, "source %" PRIu32 " record %" PRIu64, v->of, (uint64_t)v->v);
    else if (type == TR_SIDE_TIME && tr_side_time(r->dict, v, &now))
        snprintf(text, sizeof text, "%" PRId64 "ns", now);
    else
        snprintf(text, sizeof text, "%" PRId64, v->v);
    tr_table_string(r->t, text);
}

static void value_cells(struct rows *r, unsigned type, const struct tr_side_value *v)
{
    switch (type) {
    case TR_T_INT:
    case TR_T_QUOTED:
        tr_table_int(r->t, v->v);
        break;
    case TR_T_UINT:
        tr_table_count(r->t, (uint64_t)v->v);
        break;
    case TR_T_DECIMAL:
    case TR_T_DOUBLE:
        tr_table_ratio(r->t, double_of(type, v->v));
        break;
    case TR_SIDE_TIME:
        time_cell(r, v);
        break;
    case TR_SIDE_RECORD:
        tr_table_int(r->t, v->of);
        tr_table_count(r->t, (uint64_t)v->v);
        break;
    default:
        text_cell(r, type, v);
    }
}

static void put_row(struct rows *r, const struct tr_side_table *t, const struct tr_side_value *values)
{
    int64_t rank = t->source == UINT32_MAX ? -1 : r->dict->sources[t->source].rank;
    if (rank < 0)
        tr_table_absent(r->t);
    else
        tr_table_int(r->t, rank);
    for (size_t i = 0; i < r->n; i++) {
        const struct column *c = &r->columns[i];
        const struct tr_side_value *v = r->place[i] == SIZE_MAX ? NULL : &values[r->place[i]];
        bool two = !c->mixed && (c->type == TR_SIDE_TIME || c->type == TR_SIDE_RECORD);
        if (v && v->present && c->mixed) {
            text_cell(r, t->columns[r->place[i]].type, v);
        } else if (v && v->present) {
            value_cells(r, c->type, v);
        } else {
            tr_table_absent(r->t);
            if (two)
                tr_table_absent(r->t);
        }
    }
}

static enum tr_status put_tables(struct rows *r, struct tr_error *err)
{
    struct tr_side_value values[TR_SIDE_MAX_COLUMNS];
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < r->tables->n && st == TR_OK; k++) {
        const struct tr_side_table *t = r->tables->v[k];
        if (!is_asked_for(r, t))
            continue;
        for (size_t i = 0; i < r->n; i++)
            r->place[i] = SIZE_MAX;
        for (size_t c = 0; c < t->n_columns; c++)
            r->place[find_column(r, t->columns[c].name)] = c;
        for (size_t at = 0; st == TR_OK && tr_side_table_row(t, &at, values);) {
            put_row(r, t, values);
            st = tr_table_status(r->t, err);
        }
    }
    return st;
}

/* ---- the whole ---- */

static enum tr_status no_such(const struct rows *r, struct tr_error *err)
{
    char names[400] = "";
    size_t len = 0;
    for (size_t i = 0; r->tables && i < r->tables->n && len < sizeof names; i++) {
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again |= strcmp(r->tables->v[k]->name, r->tables->v[i]->name) == 0;
        if (again)
            continue;
        int n = snprintf(names + len, sizeof names - len, "%s%s", len ? ", " : "", r->tables->v[i]->name);
        len += n > 0 ? (size_t)n : 0;
    }
    if (!len)
        return tr_fail(err, TR_DAMAGED, "no table '%.80s': there are no tables", r->name);
    return tr_fail(err, TR_DAMAGED, "no table '%.80s': the tables are %s%s", r->name, names,
                   len >= sizeof names ? " ..." : "");
}

enum tr_status tr_side_rows(const struct tr_dict *dict, const struct tr_side_tables *tables, const char *name,
                            struct tr_table *t, struct tr_error *err)
{
    struct rows r = { .dict = dict, .tables = tables, .name = name, .t = t };
    bool any = false;
    for (size_t i = 0; tables && i < tables->n; i++)
        any |= is_asked_for(&r, tables->v[i]);
    if (!any)
        return no_such(&r, err);
    enum tr_status st = collect_columns(&r, err);
    if (st == TR_OK && !(r.place = calloc(r.n, sizeof *r.place)))
        st = tr_fail_memory(err);
    if (st == TR_OK) {
        add_columns(&r);
        st = tr_table_ready(t, err);
    }
    if (st == TR_OK)
        st = put_tables(&r, err);
    free(r.columns);
    free(r.place);
    return st;
}
