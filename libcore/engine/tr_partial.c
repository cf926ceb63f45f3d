/* SPDX-License-Identifier: MIT */
/* Partial results as tables: their columns, and writing of rows. */
#include "engine/tr_partial_int.h"

#include "base/tr_mem.h"
#include "stream/tr_wire_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tr__partial_column group_parts[] = {
    { "rank", TR_T_INT }, { "device", TR_T_INT }, { "stream", TR_T_INT }, { "step", TR_T_INT },
    { "capture", TR_T_INT }
};
static const struct tr__partial_column stats_parts[] = {
    { "n", TR_T_UINT },      { "min", TR_T_INT },         { "max", TR_T_INT },       { "sum_hi", TR_T_UINT },
    { "sum_lo", TR_T_UINT }, { "squares_hi", TR_T_UINT }, { "squares_lo", TR_T_UINT }
};
static const struct tr__partial_column sum_parts[] = { { "hi", TR_T_UINT }, { "lo", TR_T_UINT } };
static const struct tr__partial_column int_parts[] = { { NULL, TR_T_INT } };
static const struct tr__partial_column count_parts[] = { { NULL, TR_T_UINT } };
static const struct tr__partial_column real_parts[] = { { NULL, TR_T_DOUBLE } };
static const struct tr__partial_column text_parts[] = { { NULL, TR_T_STRING } };
static const struct tr__partial_column values_parts[] = { { "packed", TR_T_STRING }, { "approx", TR_SIDE_BOOL } };

const struct tr__partial_kind tr__partial_kinds[] = {
    [TR_SAVED_GROUP] = { group_parts, TR__PARTIAL_N_GROUP },
    [TR_SAVED_INT] = { int_parts, 1 },
    [TR_SAVED_COUNT] = { count_parts, 1 },
    [TR_SAVED_REAL] = { real_parts, 1 },
    [TR_SAVED_TEXT] = { text_parts, 1 },
    [TR_SAVED_SUM] = { sum_parts, 2 },
    [TR_SAVED_STATS] = { stats_parts, TR__PARTIAL_N_STATS },
    [TR_SAVED_VALUES] = { values_parts, 2 },
};

/* ---- tables that all partial results have ---- */

static const struct tr_saved_column head_columns[] = {
    { "version", TR_SAVED_COUNT, offsetof(struct tr__partial_head_row, version) },
    { "per", TR_SAVED_TEXT, offsetof(struct tr__partial_head_row, per) },
    { "suspect", TR_SAVED_COUNT, offsetof(struct tr__partial_head_row, suspect) },
    { "distinct", TR_SAVED_COUNT, offsetof(struct tr__partial_head_row, distinct) },
    { "options", TR_SAVED_TEXT, offsetof(struct tr__partial_head_row, options) },
    { "selection", TR_SAVED_TEXT, offsetof(struct tr__partial_head_row, selection) },
    { "captures", TR_SAVED_COUNT, offsetof(struct tr__partial_head_row, captures) },
    { "rows", TR_SAVED_COUNT, offsetof(struct tr__partial_head_row, rows) },
};

static const struct tr_saved_column source_columns[] = {
    { "rank", TR_SAVED_INT, offsetof(struct tr_partial_source, rank) },
    { "window_base", TR_SAVED_INT, offsetof(struct tr_partial_source, window_base) },
    { "capture", TR_SAVED_COUNT, offsetof(struct tr_partial_source, capture) },
    { "host", TR_SAVED_TEXT, offsetof(struct tr_partial_source, host) },
    { "job", TR_SAVED_TEXT, offsetof(struct tr_partial_source, job) },
    { "first", TR_SAVED_INT, offsetof(struct tr_partial_source, first) },
    { "last", TR_SAVED_INT, offsetof(struct tr_partial_source, last) },
    { "events", TR_SAVED_INT, offsetof(struct tr_partial_source, events) },
    { "world_size", TR_SAVED_COUNT, offsetof(struct tr_partial_source, world_size) },
    { "digest", TR_SAVED_COUNT, offsetof(struct tr_partial_source, digest) },
};

static const struct tr_saved_table common[TR__PARTIAL_N_COMMON] = {
    [TR__PARTIAL_HEAD] = TR_SAVED_TABLE(NULL, head_columns),
    [TR__PARTIAL_SOURCES] = TR_SAVED_TABLE("ranks", source_columns),
};

struct tr__partial_table *tr__partial_tables(const struct tr_saving *s, size_t *n)
{
    *n = TR__PARTIAL_N_COMMON + s->n_tables;
    struct tr__partial_table *v = calloc(*n, sizeof *v);
    for (size_t i = 0; v && i < *n; i++) {
        struct tr_saved_table *is = &v[i].is;
        *is = i < TR__PARTIAL_N_COMMON ? common[i] : s->tables[i - TR__PARTIAL_N_COMMON];
        if (!is->rows)
            continue;
        is->name = is->rows->name;
        tr__row_layout(is->rows, &v[i].rows); /* saving says so if there is none */
        is->columns = v[i].rows.columns;
        is->n_columns = v[i].rows.n_columns;
    }
    return v;
}

void tr__partial_name(const struct tr_partial_head *h, const struct tr_saved_table *t, char name[TR_SIDE_MAX_NAME + 1])
{
    snprintf(name, TR_SIDE_MAX_NAME + 1, "partial.%s%s%s", h->name, t->name ? "." : "", t->name ? t->name : "");
}

/* The name of a part of a column: "dur.n", "dur"; for a group, "rank". */
void tr__partial_column_name(const struct tr_saved_column *c, const struct tr__partial_column *p,
                             char name[TR_SIDE_MAX_NAME + 1])
{
    snprintf(name, TR_SIDE_MAX_NAME + 1, "%s%s%s", c->name ? c->name : "", c->name && p->suffix ? "." : "",
             p->suffix ? p->suffix : "");
}

/* ---- out ---- */

struct tr_partial_out {
    struct tr_partial_head head;
    struct tr__partial_table *describe;
    struct tr_side_table **tables;
    size_t n_tables;
    uint64_t rows; /* of the analysis */
    struct tr_buf text; /* of the row's values */
    bool failed;
};

static struct tr_side_table *make_table(const struct tr_partial_head *h, const struct tr_saved_table *from)
{
    char name[TR_SIDE_MAX_NAME + 1];
    tr__partial_name(h, from, name);
    struct tr_side_table *t = tr_side_table_new(name, UINT32_MAX);
    bool ok = t != NULL;
    for (size_t c = 0; c < from->n_columns; c++)
        for (size_t p = 0; ok && p < tr__partial_kinds[from->columns[c].type].n; p++) {
            const struct tr__partial_column *part = &tr__partial_kinds[from->columns[c].type].parts[p];
            tr__partial_column_name(&from->columns[c], part, name);
            ok = tr_side_table_column(t, name, part->type);
        }
    if (ok)
        return t;
    tr_side_table_free(t);
    return NULL;
}

struct tr_partial_out *tr_partial_out_new(const struct tr_partial_head *head)
{
    struct tr_partial_out *o = calloc(1, sizeof *o);
    size_t n = 0;
    if (!o)
        return NULL;
    o->head = *head;
    o->describe = tr__partial_tables(head->saving, &n);
    o->tables = o->describe ? calloc(n, sizeof *o->tables) : NULL;
    for (; o->tables && o->n_tables < n; o->n_tables++)
        if (!(o->tables[o->n_tables] = make_table(head, &o->describe[o->n_tables].is)))
            break;
    if (o->tables && o->n_tables == n)
        return o;
    tr_partial_out_free(o);
    return NULL;
}

void tr_partial_out_free(struct tr_partial_out *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->n_tables; i++)
        tr_side_table_free(o->tables[i]);
    free(o->tables);
    free(o->describe);
    tr_buf_free(&o->text);
    free(o);
}

static struct tr_side_value int_value(int64_t v, int64_t none)
{
    return (struct tr_side_value){ .present = v != none, .v = v };
}

static struct tr_side_value count_value(uint64_t v)
{
    return (struct tr_side_value){ .present = true, .v = (int64_t)v };
}

static struct tr_side_value real_value(double d)
{
    struct tr_side_value v = { .present = !isnan(d) };
    memcpy(&v.v, &d, sizeof d);
    return v;
}

static struct tr_side_value text_value(struct tr_str s)
{
    return (struct tr_side_value){ .present = s.s != NULL, .text = s.s, .len = s.len };
}

/* Append the values of a histogram to text; v gets their offset, since text may move. */
static struct tr_side_value values_value(struct tr_hist *h, struct tr_buf *text, bool *failed)
{
    struct tr__out o = { text, false };
    size_t from = text->len, n = 0, at = 0;
    int64_t value, number, last = 0;
    uint64_t count;
    tr_hist_seal(h);
    while (tr_hist_next(h, &at, &value, &count))
        n++;
    tr__out_varint(&o, n);
    for (at = 0; tr_hist_next(h, &at, &value, &count); last = number) {
        bool first = at == 1;
        number = tr_hist_short(h, value);
        tr__out_varint(&o, first ? tr__zigzag(number) : (uint64_t)number - (uint64_t)last);
    }
    for (at = 0; tr_hist_next(h, &at, &value, &count);)
        tr__out_varint(&o, count);
    *failed |= o.failed;
    return (struct tr_side_value){ .present = true, .v = (int64_t)from, .len = text->len - from };
}

/* Add the columns of one member; returns their number. */
static size_t put_member(struct tr_partial_out *o, enum tr_saved type, const void *member, struct tr_side_value *to)
{
    if (type == TR_SAVED_GROUP) {
        const struct tr_group_key *k = member;
        const int64_t parts[] = { k->rank, k->device, k->stream, k->step, k->capture ? k->capture : TR_GROUP_NONE };
        for (size_t i = 0; i < TR__PARTIAL_N_GROUP; i++)
            to[i] = int_value(parts[i], TR_GROUP_NONE);
    } else if (type == TR_SAVED_SUM) {
        const struct tr_u128 *sum = member;
        to[0] = count_value(sum->hi);
        to[1] = count_value(sum->lo);
    } else if (type == TR_SAVED_STATS) {
        const struct tr_stats *s = member;
        const uint64_t sums[] = { s->sum.hi, s->sum.lo, s->squares.hi, s->squares.lo };
        to[0] = count_value(s->n);
        to[1] = s->n ? int_value(s->min, INT64_MAX) : (struct tr_side_value){ .present = false };
        to[2] = s->n ? int_value(s->max, INT64_MIN) : (struct tr_side_value){ .present = false };
        for (size_t i = 0; i < 4; i++)
            to[3 + i] = count_value(sums[i]);
    } else if (type == TR_SAVED_VALUES) {
        struct tr_hist *const *h = member;
        to[0] = *h ? values_value(*h, &o->text, &o->failed) : text_value(tr_str_of(NULL));
        to[1] = *h ? count_value(tr_hist_approx(*h)) : to[0];
    } else if (type == TR_SAVED_TEXT) {
        to[0] = text_value(*(const struct tr_str *)member);
    } else if (type == TR_SAVED_REAL) {
        to[0] = real_value(*(const double *)member);
    } else if (type == TR_SAVED_COUNT) {
        to[0] = count_value(*(const uint64_t *)member);
    } else {
        to[0] = int_value(*(const int64_t *)member, TR_TIME_NONE);
    }
    return tr__partial_kinds[type].n;
}

static void put_row(struct tr_partial_out *o, size_t i, const void *row)
{
    const struct tr_saved_table *t = &o->describe[i].is;
    struct tr_side_value values[TR__PARTIAL_MAX_VALUES];
    size_t n = 0;
    o->text.len = 0;
    for (size_t c = 0; c < t->n_columns; c++)
        n += put_member(o, t->columns[c].type, (const char *)row + t->columns[c].offset, values + n);
    n = 0;
    for (size_t c = 0; c < t->n_columns; n += tr__partial_kinds[t->columns[c++].type].n)
        if (t->columns[c].type == TR_SAVED_VALUES)
            values[n].text = o->text.data ? (const char *)o->text.data + values[n].v : "";
    if (!o->failed)
        o->failed = !tr_side_table_add(o->tables[i], values);
}

void tr_partial_put(struct tr_partial_out *out, size_t i, const void *row)
{
    put_row(out, TR__PARTIAL_N_COMMON + i, row);
    out->rows++;
}

void tr_partial_put_source(struct tr_partial_out *out, const struct tr_partial_source *source)
{
    struct tr_partial_source row = *source;
    row.rank = source->rank < 0 ? TR_I64_NONE : source->rank;
    put_row(out, TR__PARTIAL_SOURCES, &row);
}

struct tr__partial_head_row tr__partial_head_row(const struct tr_partial_head *h, uint64_t rows)
{
    return (struct tr__partial_head_row){ .version = h->saving->version,
                              .per = tr_str_of(tr_per_name(h->per)),
                              .suspect = h->suspect,
                              .distinct = h->distinct,
                              .options = h->options,
                              .selection = h->selection,
                              .captures = h->captures,
                              .rows = rows };
}

enum tr_status tr_partial_out_end(struct tr_partial_out *out, struct tr_side_tables *tables, struct tr_error *err)
{
    const struct tr__partial_head_row row = tr__partial_head_row(&out->head, out->rows);
    put_row(out, TR__PARTIAL_HEAD, &row);
    bool ok = !out->failed;
    for (size_t i = 0; ok && i < out->n_tables; i++) {
        ok = tr_side_tables_add(tables, out->tables[i]);
        out->tables[i] = NULL; /* in any case, the list owns it */
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- lists ---- */

bool tr_partial_list_add(struct tr_buf *list, struct tr_str text)
{
    char len[32];
    if (!text.s)
        return tr_buf_add_str(list, "-");
    snprintf(len, sizeof len, "%zu:", text.len);
    return tr_buf_add_str(list, len) && tr_buf_add_text(list, text);
}
