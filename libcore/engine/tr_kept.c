/* SPDX-License-Identifier: MIT */
/* Rows kept as they are printed: saved, loaded, and put in the order of one run. */
#include "engine/tr_kept.h"

#include "base/tr_mem.h"
#include "base/tr_time.h"
#include "stream/tr_order.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct tr_saving tr_saving_ranks = { .version = 1, .whole_ranks = true, .kept = TR_KEPT_BY_RANK };
const struct tr_saving tr_saving_times = { .version = 1, .whole_ranks = true, .kept = TR_KEPT_BY_TIME };

const struct tr_saving tr_saving_stream_times = {
    .version = 1, .whole_ranks = true, .kept = TR_KEPT_BY_TIME, .stream_times = true
};

enum { ROWS, REMARKS, BASES, N_TABLES };
#define MAX_COLUMNS 100u /* of a table that is kept: the saved form has at most two of each */

/* The saved form of a row: this, and for each column of the table a union value, or two for a time. */
struct head {
    uint64_t place;
    int64_t ts, dur;
};

union value {
    struct tr_str text;
    int64_t i;
    double d;
};

static const struct tr_saved_column remark_columns[] = {
    { "rank", TR_SAVED_INT, offsetof(struct tr__kept_remark, rank) },
    { "place", TR_SAVED_COUNT, offsetof(struct tr__kept_remark, place) },
    { "how", TR_SAVED_COUNT, offsetof(struct tr__kept_remark, how) },
    { "at", TR_SAVED_TEXT, offsetof(struct tr__kept_remark, at) },
    { "text", TR_SAVED_TEXT, offsetof(struct tr__kept_remark, text) },
    { "n", TR_SAVED_INT, offsetof(struct tr__kept_remark, n) },
};

static const struct tr_saved_column base_columns[] = { { "base", TR_SAVED_INT, 0 } };

static size_t n_table_columns(const struct tr_table *t)
{
    size_t n = 0;
    while (tr_table_column_at(t, n))
        n++;
    return n;
}

const char *tr__kept_refuses(const struct tr_table *t, enum tr_per per)
{
    if (per == TR_PER_ALL || tr_table_find(t, "rank") == SIZE_MAX)
        return "its rows are of all ranks together";
    return n_table_columns(t) > MAX_COLUMNS ? "it has too many columns" : NULL;
}

static enum tr_saved saved_as(enum tr_cell type)
{
    return type == TR_CELL_STRING                            ? TR_SAVED_TEXT
           : type == TR_CELL_RATIO || type == TR_CELL_DOUBLE ? TR_SAVED_REAL
                                                             : TR_SAVED_INT;
}

/* The columns of the saved form. */
static bool describe(struct tr_kept *k)
{
    size_t n = n_table_columns(k->table), at = 0;
    k->columns = malloc((2 * n + 3) * sizeof *k->columns);
    if (!k->columns)
        return false;
    k->columns[at++] = (struct tr_saved_column){ "kept.place", TR_SAVED_COUNT, offsetof(struct head, place) };
    if (k->by == TR_KEPT_BY_TIME) {
        k->columns[at++] = (struct tr_saved_column){ "kept.ts", TR_SAVED_INT, offsetof(struct head, ts) };
        k->columns[at++] = (struct tr_saved_column){ "kept.dur", TR_SAVED_INT, offsetof(struct head, dur) };
    }
    size_t offset = sizeof(struct head);
    for (size_t c = 0; c < n; c++, offset += sizeof(union value)) {
        const struct tr_table_column *is = tr_table_column_at(k->table, c);
        k->columns[at++] = (struct tr_saved_column){ is->name, saved_as(is->type), offset };
        if (is->type == TR_CELL_TIME) { /* before it was rounded */
            offset += sizeof(union value);
            k->columns[at++] = (struct tr_saved_column){ is->name, TR_SAVED_REAL, offset };
        }
    }
    k->tables[ROWS] = (struct tr_saved_table){ .name = "rows", .columns = k->columns, .n_columns = at };
    k->tables[REMARKS] = (struct tr_saved_table)TR_SAVED_TABLE("remarks", remark_columns);
    k->tables[BASES] = (struct tr_saved_table)TR_SAVED_TABLE("bases", base_columns);
    return true;
}

struct tr_kept *tr__kept_new(const struct tr_saving *saving, const struct tr_table *like, struct tr_spill *spill)
{
    struct tr_kept *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->by = saving->kept;
    k->saving = *saving;
    k->saving.tables = k->tables;
    k->saving.n_tables = N_TABLES;
    k->ts = k->dur = k->base = TR_TIME_NONE;
    k->rank = tr_table_find(like, "rank");
    k->capture = tr_table_find(like, "capture");
    k->texts = tr_arena_new(1024);
    k->table = tr_table_new(tr_table_unit(like));
    if (k->table)
        tr_table_spill(k->table, spill);
    for (size_t c = 0; k->table && tr_table_column_at(like, c); c++)
        tr_table_columns(k->table, tr_table_column_at(like, c), 1);
    if (k->texts && k->table && describe(k))
        return k;
    tr__kept_free(k);
    return NULL;
}

void tr__kept_free(struct tr_kept *k)
{
    if (!k)
        return;
    tr_table_free(k->table);
    tr_arena_free(k->texts);
    free(k->columns);
    free(k->rows);
    free(k->remarks);
    free(k);
}

/* ---- what the analysis adds ---- */

/* Note rows that were added to the table since the last call: each with the time of the next row, as of now. */
static bool note_rows(struct tr_kept *k)
{
    for (size_t row = k->n_rows, n = tr_table_rows(k->table); row < n; row++) {
        int64_t rank = tr_table_value(k->table, row, k->rank).i;
        if (!tr_grow(&k->rows, &k->cap_rows, k->n_rows + 1, sizeof *k->rows))
            return false;
        k->rows[k->n_rows++] = (struct tr__kept_row){ rank == TR_I64_NONE ? -1 : rank, k->ts, k->dur, row, row };
    }
    return true;
}

/* Other runs count their times from elsewhere. */
void tr__kept_at(struct tr_kept *k, const struct tr_source *source, int64_t ts, int64_t dur)
{
    k->no_memory |= !note_rows(k);
    k->ts = ts == TR_TIME_NONE ? ts : tr_time_sum(source->base_ns, ts);
    k->dur = dur;
}

/* A copy with a zero after it.  False: out of memory. */
static bool copy_text(struct tr_kept *k, struct tr_str *text)
{
    char *own = text->s ? tr_arena_alloc(k->texts, text->len + 1) : NULL;
    if (!text->s || !own)
        return !text->s;
    memcpy(own, text->s, text->len);
    own[text->len] = '\0';
    text->s = own;
    return true;
}

static bool add_remark(struct tr_kept *k, const struct tr__kept_remark *r)
{
    struct tr__kept_remark own = *r;
    if (!copy_text(k, &own.at) || !copy_text(k, &own.text) ||
        !tr_grow(&k->remarks, &k->cap_remarks, k->n_remarks + 1, sizeof *k->remarks))
        return false;
    k->remarks[k->n_remarks++] = own;
    return true;
}

void tr__kept_remark(struct tr_kept *k, enum tr_remark_kind how, const char *place, const char *text, int64_t n)
{
    const struct tr__kept_remark r = { TR_I64_NONE, k->n_remarks, how, tr_str_of(place), tr_str_of(text), n };
    k->no_memory |= !add_remark(k, &r);
}

/* Give a remark, with its number if there is one. */
static void give(tr_remark_fn *remark, void *self, enum tr_remark_kind how, const char *place, const char *text,
                 int64_t n)
{
    char full[512];
    const char *mark = n != TR_I64_NONE ? strchr(text, '#') : NULL;
    if (mark)
        snprintf(full, sizeof full, "%.*s%" PRId64 "%s", (int)(mark - text), text, n, mark + 1);
    remark(self, how, place, mark ? full : text);
}

void tr_analysis_remark_sum(const struct tr_analysis_in *in, enum tr_remark_kind how, const char *place, uint64_t n,
                            const char *text)
{
    int64_t number = n <= INT64_MAX ? (int64_t)n : INT64_MAX;
    if (in->kept)
        tr__kept_remark(in->kept, how, place, text, number);
    else if (in->remark)
        give(in->remark, in->remark_self, how, place, text, number);
}

/* ---- order ---- */

/* Unknown ranks come last in the order of ranks, and first in that of events. */
static int by_rank(const void *a, const void *b)
{
    const struct tr__kept_row *x = a, *y = b;
    if (x->rank != y->rank)
        return (uint64_t)x->rank < (uint64_t)y->rank ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_time(const void *a, const void *b)
{
    const struct tr__kept_row *x = a, *y = b;
    int c = tr_order_cmp(x->ts, x->dur, y->ts, y->dur);
    if (c || x->rank != y->rank)
        return c ? c : x->rank < y->rank ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int by_rank_of(const void *a, const void *b)
{
    const struct tr__kept_remark *x = a, *y = b;
    if (x->rank != y->rank)
        return (uint64_t)x->rank < (uint64_t)y->rank ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* All rows and remarks in their order.  False: out of memory. */
static bool arrange(struct tr_kept *k)
{
    if (k->no_memory || !note_rows(k))
        return false;
    if (k->n_rows)
        qsort(k->rows, k->n_rows, sizeof *k->rows, by_rank);
    for (size_t i = 0, first = 0; i < k->n_rows; i++) { /* places that do not depend on other ranks */
        first = i && k->rows[i].rank == k->rows[i - 1].rank ? first : i;
        k->rows[i].place = i - first;
    }
    if (k->n_rows && k->by == TR_KEPT_BY_TIME)
        qsort(k->rows, k->n_rows, sizeof *k->rows, by_time);
    if (k->n_remarks)
        qsort(k->remarks, k->n_remarks, sizeof *k->remarks, by_rank_of);
    return true;
}

/* ---- saving ---- */

static void put_row(const struct tr_kept *k, const struct tr__kept_row *r, union value *v, struct tr_partial_out *out)
{
    const struct head head = { r->place, r->ts, r->dur };
    memcpy(v, &head, sizeof head);
    union value *to = (union value *)(void *)((char *)v + sizeof head);
    const struct tr_table_column *is;
    for (size_t c = 0; (is = tr_table_column_at(k->table, c)) != NULL; c++) {
        struct tr_cell_value cell = tr_table_value(k->table, r->row, c);
        if (is->type == TR_CELL_STRING)
            (to++)->text = cell.text;
        else if (saved_as(is->type) == TR_SAVED_REAL)
            (to++)->d = cell.d;
        else
            (to++)->i = cell.i;
        if (is->type == TR_CELL_TIME)
            (to++)->d = cell.d;
    }
    tr_partial_put(out, ROWS, v);
}

enum tr_status tr__kept_save(struct tr_kept *k, int64_t rank, struct tr_partial_out *out, struct tr_error *err)
{
    union value *v = malloc(sizeof(struct head) + 2 * MAX_COLUMNS * sizeof *v);
    for (size_t i = 0; i < k->n_remarks; i++)
        if (k->remarks[i].rank == TR_I64_NONE)
            k->remarks[i].rank = rank;
    bool ok = v && arrange(k);
    for (size_t i = 0; ok && i < k->n_rows; i++)
        put_row(k, &k->rows[i], v, out);
    for (size_t i = 0; ok && i < k->n_remarks; i++)
        tr_partial_put(out, REMARKS, &k->remarks[i]);
    if (ok)
        tr_partial_put(out, BASES, &k->base);
    free(v);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- loading ---- */

static void add_row(const struct tr_kept *k, const struct tr_partial_in *in, const union value *from)
{
    struct tr_table *t = k->table;
    const struct tr_table_column *is;
    int64_t rank = TR_GROUP_NONE;
    for (size_t c = 0; (is = tr_table_column_at(t, c)) != NULL; c++) {
        struct tr_cell_value cell = { .i = TR_I64_NONE, .d = NAN };
        if (is->type == TR_CELL_STRING)
            cell.text = (from++)->text;
        else if (saved_as(is->type) == TR_SAVED_REAL)
            cell.d = (from++)->d;
        else
            cell.i = (from++)->i;
        if (is->type == TR_CELL_TIME)
            cell.d = (from++)->d;
        if (c == k->rank)
            rank = cell.i;
        if (c == k->capture && cell.i != TR_I64_NONE)
            cell.i = tr_partial_capture(in, rank, cell.i);
        tr_table_add_value(t, &cell);
    }
}

enum tr_status tr__kept_load(struct tr_kept *k, struct tr_partial_in *in, struct tr_error *err)
{
    union value *v = calloc(1, sizeof(struct head) + 2 * MAX_COLUMNS * sizeof *v);
    struct tr__kept_remark remark;
    int64_t base;
    bool ok = v != NULL;
    while (ok && tr_partial_get(in, ROWS, v)) {
        struct head head;
        memcpy(&head, v, sizeof head);
        add_row(k, in, (const union value *)(const void *)((const char *)v + sizeof head));
        if (k->by == TR_KEPT_BY_TIME) {
            k->ts = head.ts;
            k->dur = head.dur;
        }
        ok = note_rows(k);
        if (ok && k->n_rows)
            k->rows[k->n_rows - 1].place = head.place;
    }
    while (ok && tr_partial_get(in, REMARKS, &remark)) {
        if (!remark.text.s || remark.how > TR_REMARK_WARN)
            tr_partial_wrong(in, "a remark");
        else
            ok = add_remark(k, &remark);
    }
    while (ok && tr_partial_get(in, BASES, &base))
        if (k->base == TR_TIME_NONE || (base != TR_TIME_NONE && base < k->base))
            k->base = base; /* as streams are merged */
    free(v);
    enum tr_status st = ok ? tr_partial_status(in, err) : tr_fail_memory(err);
    return st == TR_OK ? tr_table_status(k->table, err) : st;
}

/* ---- printing ---- */

static bool same_remark(const struct tr__kept_remark *a, const struct tr__kept_remark *b)
{
    return a->how == b->how && !a->at.s == !b->at.s && (!a->at.s || tr_str_cmp(a->at, b->at) == 0) &&
           tr_str_cmp(a->text, b->text) == 0;
}

/* Give each remark once, with the sum of its numbers. */
static void give_remarks(const struct tr_kept *k, tr_remark_fn *remark, void *self)
{
    for (size_t i = 0; i < k->n_remarks; i++) {
        const struct tr__kept_remark *r = &k->remarks[i];
        size_t first = 0;
        int64_t n = r->n;
        while (!same_remark(&k->remarks[first], r))
            first++;
        for (size_t later = i + 1; first == i && later < k->n_remarks; later++)
            if (same_remark(&k->remarks[later], r))
                n = tr_time_sum(n, k->remarks[later].n);
        if (first == i)
            give(remark, self, (enum tr_remark_kind)r->how, r->at.s, r->text.s, n);
    }
}

/* A column that is shown only if there are several captures. */
static void show_captures(const struct tr_kept *k, struct tr_table *t)
{
    for (size_t i = 0; k->capture != SIZE_MAX && i < k->n_rows; i++) {
        int64_t number = tr_table_value(k->table, k->rows[i].row, k->capture).i;
        if (number != TR_I64_NONE && number != 0) {
            tr_table_show(t, "capture");
            return;
        }
    }
}

enum tr_status tr__kept_print(struct tr_kept *k, struct tr_table *t, tr_remark_fn *remark, void *self,
                              struct tr_error *err)
{
    enum tr_status st = tr_table_status(k->table, err);
    if (st != TR_OK)
        return st;
    if (!arrange(k))
        return tr_fail_memory(err);
    if (remark)
        give_remarks(k, remark, self);
    show_captures(k, t);
    size_t n = n_table_columns(k->table);
    size_t ts = k->saving.stream_times && k->base != TR_TIME_NONE ? tr_table_find(k->table, "ts") : SIZE_MAX;
    for (size_t i = 0; i < k->n_rows; i++)
        for (size_t c = 0; c < n; c++) {
            struct tr_cell_value cell = tr_table_value(k->table, k->rows[i].row, c);
            if (c == ts)
                cell.i = tr_time_diff(k->rows[i].ts, k->base);
            tr_table_add_value(t, &cell);
        }
    return tr_table_status(t, err);
}
