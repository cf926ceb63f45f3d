/* SPDX-License-Identifier: MIT */
/* Hardware counters of profiled ranges, and what launched them. */
#include "analysis/tr_metrics.h"

#include "base/tr_mem.h"
#include "model/tr_call_path.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>
#include <string.h>

struct launch {
    uint64_t record;
    uint32_t stack; /* string number in stacks */
};

struct range {
    uint64_t record;
    int64_t ts, dur;
    uint32_t name;
    bool keep;
    size_t first_value; /* in values */
    size_t n_values;
};

struct value {
    uint32_t counter;
    struct tr_metric m;
};

struct source {
    struct launch *launches;
    struct range *ranges;
    size_t n_launches, cap_launches, n_ranges, cap_ranges;
};

/* A packed column of one batch. */
struct expanded {
    int64_t *of; /* by event */
    size_t cap;
    uint64_t batch; /* the n-th, from 1 */
};

struct tr_metrics {
    const struct tr_dict *dict;
    char *category;
    struct tr_call_path *tree;
    struct source *sources;
    size_t n_sources, cap_sources;
    struct tr_strtab *stacks;   /* arrays of string numbers */
    struct tr_strtab *counters; /* names, in the order of their arrival */
    uint32_t *ops;              /* of one stack */
    size_t cap_ops;
    struct value *values;
    size_t n_values, cap_values;
    struct expanded *columns; /* by number */
    size_t n_columns, cap_columns;
    uint64_t n_batches; /* so far */
    uint32_t *place; /* in the order of names, by counter */
    uint32_t *named; /* the counter at a place */
    bool *real;      /* by counter */
    struct tr_metrics_row *rows;
    struct tr_metric *cells; /* of all rows */
    size_t n_rows;
};

struct tr_metrics *tr_metrics_new(const struct tr_dict *dict, const char *category)
{
    struct tr_metrics *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->dict = dict;
    a->category = malloc(strlen(category) + 1);
    a->tree = tr_call_path_new();
    a->stacks = tr_strtab_new();
    a->counters = tr_strtab_new();
    if (a->category && a->tree && a->stacks && a->counters) {
        memcpy(a->category, category, strlen(category) + 1);
        return a;
    }
    tr_metrics_free(a);
    return NULL;
}

void tr_metrics_free(struct tr_metrics *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->n_sources; i++) {
        free(a->sources[i].launches);
        free(a->sources[i].ranges);
    }
    tr_call_path_free(a->tree);
    tr_strtab_free(a->stacks);
    tr_strtab_free(a->counters);
    free(a->category);
    free(a->sources);
    free(a->ops);
    free(a->values);
    for (size_t c = 0; c < a->n_columns; c++)
        free(a->columns[c].of);
    free(a->columns);
    free(a->place);
    free(a->named);
    free(a->real);
    free(a->rows);
    free(a->cells);
    free(a);
}

/* ---- events ---- */

static struct source *source_of(struct tr_metrics *a, const struct tr_batch *b, size_t i)
{
    uint32_t number = a->dict->tracks[b->track[i]].source;
    if (!tr_grow(&a->sources, &a->cap_sources, (size_t)number + 1, sizeof *a->sources))
        return NULL;
    for (; a->n_sources <= number; a->n_sources++)
        memset(&a->sources[a->n_sources], 0, sizeof *a->sources);
    return &a->sources[number];
}

static bool is_launch(const struct tr_metrics *a, const struct tr_call *c)
{
    return (c->activity == TR_ACT_RUNTIME_API || c->activity == TR_ACT_DRIVER_API) &&
           (tr_roles_of(tr_dict_str(a->dict, c->name), tr_strtab_len(a->dict->strings, c->name)) & TR_NAMED_LAUNCH);
}

static bool add_call(struct tr_metrics *a, const struct tr_batch *b, size_t i, struct tr_error *err)
{
    struct tr_callpath path;
    size_t n = 0;
    if (tr_call_path_enter(a->tree, b, i, &path, err) != TR_OK)
        return false;
    if (!is_launch(a, &path.open[path.depth]))
        return true;
    if (!tr_grow(&a->ops, &a->cap_ops, path.depth + 1, sizeof *a->ops))
        return false;
    for (size_t k = 0; k < path.depth; k++) {
        unsigned act = path.open[k].activity;
        if (is_launch(a, &path.open[k]))
            return true;
        if (act == TR_ACT_CPU_OP || act == TR_ACT_COMM_RECORD)
            a->ops[n++] = path.open[k].name;
    }
    struct source *s = source_of(a, b, i);
    uint32_t stack = tr_strtab_add(a->stacks, a->ops, n * sizeof *a->ops);
    if (!s || stack == TR_NO_STR ||
        !tr_grow(&s->launches, &s->cap_launches, s->n_launches + 1, sizeof *s->launches))
        return false;
    s->launches[s->n_launches++] = (struct launch){ b->record[i], stack };
    return true;
}

static struct tr_metric metric_of(unsigned type, int64_t stored)
{
    struct tr_metric m = { .is = TR_METRIC_REAL };
    if (type == TR_T_INT || (type == TR_T_UINT && stored >= 0)) {
        m.is = TR_METRIC_INT;
        m.v.i = stored;
    } else if (type == TR_T_UINT) {
        m.v.d = (double)(uint64_t)stored;
    } else if (type == TR_T_DECIMAL) {
        m.v.d = tr_decimal_double(stored);
    } else {
        memcpy(&m.v.d, &stored, sizeof m.v.d);
    }
    return m;
}

static bool is_counter(const struct tr_column *c)
{
    return c->place == TR_PLACE_ARGS && (c->type == TR_T_INT || c->type == TR_T_UINT ||
                                         c->type == TR_T_DECIMAL || c->type == TR_T_DOUBLE);
}

static bool add_value(struct tr_metrics *a, uint32_t counter, struct tr_metric m)
{
    if (!tr_grow(&a->values, &a->cap_values, a->n_values + 1, sizeof *a->values))
        return false;
    a->values[a->n_values++] = (struct value){ counter, m };
    return true;
}

/*
 * A packed column with an entry per event.  Where an event's entry stands is known only from the start
 * of the column on, so this is done once per batch.  NULL: out of memory.
 */
static const int64_t *column_of(struct tr_metrics *a, const struct tr_batch *b, uint32_t c)
{
    if (!tr_grow(&a->columns, &a->cap_columns, (size_t)c + 1, sizeof *a->columns))
        return NULL;
    for (; a->n_columns <= c; a->n_columns++)
        memset(&a->columns[a->n_columns], 0, sizeof *a->columns);
    struct expanded *x = &a->columns[c];
    if (x->batch == a->n_batches)
        return x->of;
    if (!tr_grow(&x->of, &x->cap, b->n, sizeof *x->of))
        return NULL;
    tr_batch_expand_i64(b, c, 0, x->of);
    x->batch = a->n_batches;
    return x->of;
}

static bool add_values(struct tr_metrics *a, const struct tr_batch *b, size_t i, struct range *r)
{
    const struct tr_shape *shape = &a->dict->shapes[b->shape[i]];
    r->first_value = a->n_values;
    for (uint32_t k = 0; k < shape->n_slots; k++) {
        uint32_t c = shape->slots[k].column;
        if (c >= b->n_cols || c >= a->dict->n_columns || !is_counter(&a->dict->columns[c]))
            continue;
        const struct tr_column *col = &a->dict->columns[c];
        struct tr_str key = tr_dict_text(a->dict, col->key);
        uint32_t counter = tr_strtab_add(a->counters, key.s, key.len);
        const int64_t *values = column_of(a, b, c);
        if (!values || counter == TR_NO_STR || !add_value(a, counter, metric_of(col->type, values[i])))
            return false;
    }
    r->n_values = a->n_values - r->first_value;
    return true;
}

static bool add_range(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep)
{
    struct source *s = source_of(a, b, i);
    struct range r = { .record = b->record[i],
                       .ts = b->ts[i],
                       .dur = tr_dur_used(b->dur[i], b->suspect[i]),
                       .name = b->name[i],
                       .keep = keep };
    if (!s || !tr_grow(&s->ranges, &s->cap_ranges, s->n_ranges + 1, sizeof *s->ranges) ||
        !add_values(a, b, i, &r))
        return false;
    s->ranges[s->n_ranges++] = r;
    return true;
}

enum tr_status tr_metrics_feed(struct tr_metrics *a, const struct tr_batch *b, const uint8_t *keep,
                               struct tr_error *err)
{
    uint32_t category = tr_strtab_find(a->dict->strings, a->category, strlen(a->category));
    bool ok = true;
    a->n_batches++;
    for (size_t i = 0; ok && i < b->n; i++) {
        if (b->phase[i] != TR_SPAN || b->ts[i] == TR_TIME_NONE)
            continue;
        if (b->cat[i] == category && category != TR_NO_STR)
            ok = add_range(a, b, i, !keep || keep[i]);
        else if (tr_is_call(b, i))
            ok = add_call(a, b, i, err);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- rows ---- */

static void add_metric(struct tr_metric *sum, struct tr_metric m)
{
    if (sum->is == TR_METRIC_NONE) {
        *sum = m;
    } else if (sum->is == TR_METRIC_INT && m.is == TR_METRIC_INT &&
               (m.v.i < 0 ? sum->v.i >= INT64_MIN - m.v.i : sum->v.i <= INT64_MAX - m.v.i)) {
        sum->v.i += m.v.i;
    } else {
        double x = sum->is == TR_METRIC_INT ? (double)sum->v.i : sum->v.d;
        sum->is = TR_METRIC_REAL;
        sum->v.d = x + (m.is == TR_METRIC_INT ? (double)m.v.i : m.v.d);
    }
}

struct name {
    const char *text;
    uint32_t counter;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->text, ((const struct name *)b)->text);
}

static bool sort_counters(struct tr_metrics *a)
{
    uint32_t n = tr_strtab_count(a->counters);
    struct name *names = calloc((size_t)n + 1, sizeof *names);
    a->place = calloc((size_t)n + 1, sizeof *a->place);
    a->named = calloc((size_t)n + 1, sizeof *a->named);
    a->real = calloc((size_t)n + 1, sizeof *a->real);
    bool ok = names && a->place && a->named && a->real;
    for (uint32_t i = 0; ok && i < n; i++)
        names[i] = (struct name){ tr_strtab_get(a->counters, i), i };
    if (ok)
        qsort(names, n, sizeof *names, by_name);
    for (uint32_t i = 0; ok && i < n; i++) {
        a->named[i] = names[i].counter;
        a->place[names[i].counter] = i;
    }
    free(names);
    return ok;
}

/* The row of a range by itself, its counters left out. */
static struct tr_metrics_row row_of(const struct tr_metrics *a, uint32_t source, size_t k)
{
    const struct source *s = &a->sources[source];
    const struct range *r = &s->ranges[k];
    struct tr_metrics_row row = { .rank = a->dict->sources[source].rank,
                                  .source = source,
                                  .record = r->record,
                                  .ts = r->ts,
                                  .dur = r->dur,
                                  .name = r->name,
                                  .count = 1 };
    if (s->n_ranges == s->n_launches) {
        const struct launch *l = &s->launches[k];
        row.launched = true;
        row.launch = l->record;
        row.stack = (const uint32_t *)(const void *)tr_strtab_get(a->stacks, l->stack);
        row.n_stack = tr_strtab_len(a->stacks, l->stack) / sizeof *row.stack;
    }
    return row;
}

/* What rows with the same rank have in common: kernel, innermost operator or stack. */
static void key_of(const struct tr_metrics_row *r, enum tr_metrics_by by, const void **key,
                   size_t *len)
{
    static const uint32_t none = TR_NO_STR;
    *key = by == TR_METRICS_KERNEL ? &r->name : by == TR_METRICS_STACK ? r->stack : &none;
    *len = by == TR_METRICS_STACK ? r->n_stack * sizeof *r->stack : sizeof none;
    if (by == TR_METRICS_OPERATOR && r->n_stack)
        *key = &r->stack[r->n_stack - 1];
    if (!*key)
        *key = &none;
}

/* The row that a range adds to; NULL: out of memory. */
static struct tr_metrics_row *take_row(struct tr_metrics *a, enum tr_metrics_by by,
                                       struct tr_strtab *keys, struct tr_buf *text,
                                       const struct tr_metrics_row *range)
{
    size_t n_counters = tr_strtab_count(a->counters), number = a->n_rows;
    const void *key;
    size_t len;
    if (by != TR_METRICS_RANGE) {
        key_of(range, by, &key, &len);
        text->len = 0;
        if (!tr_buf_add(text, &range->rank, sizeof range->rank) || !tr_buf_add(text, key, len))
            return NULL;
        number = tr_strtab_add(keys, text->data, text->len);
        if (number == TR_NO_STR)
            return NULL;
    }
    struct tr_metrics_row *row = &a->rows[number];
    if (number < a->n_rows) {
        row->count++;
        row->dur = tr_time_sum(row->dur, range->dur);
        return row;
    }
    *row = *range;
    row->metrics = &a->cells[number * n_counters];
    a->n_rows++;
    return row;
}

static bool make_rows(struct tr_metrics *a, enum tr_metrics_by by, struct tr_strtab *keys,
                      struct tr_buf *text)
{
    size_t n_counters = tr_strtab_count(a->counters);
    for (uint32_t s = 0; s < a->n_sources; s++) {
        for (size_t k = 0; k < a->sources[s].n_ranges; k++) {
            const struct range *r = &a->sources[s].ranges[k];
            if (!r->keep)
                continue;
            struct tr_metrics_row range = row_of(a, s, k);
            struct tr_metrics_row *row = take_row(a, by, keys, text, &range);
            if (!row)
                return false;
            struct tr_metric *cells = &a->cells[(size_t)(row - a->rows) * n_counters];
            for (size_t v = r->first_value; v < r->first_value + r->n_values; v++) {
                uint32_t place = a->place[a->values[v].counter];
                add_metric(&cells[place], a->values[v].m);
                a->real[place] |= cells[place].is == TR_METRIC_REAL;
            }
        }
    }
    return true;
}

struct sorted {
    const struct tr_dict *dict;
    enum tr_metrics_by by;
    size_t number;
    const struct tr_metrics_row *row;
};

static int compare_rows(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    const struct tr_metrics_row *r = x->row, *q = y->row;
    int c = 0;
    if (r->rank != q->rank)
        return r->rank < q->rank ? -1 : 1;
    if (x->by == TR_METRICS_RANGE)
        return x->number < y->number ? -1 : 1;
    if (r->count != q->count)
        return r->count > q->count ? -1 : 1;
    if (x->by == TR_METRICS_KERNEL)
        c = tr_str_cmp(tr_dict_text(x->dict, r->name), tr_dict_text(x->dict, q->name));
    size_t n = r->n_stack < q->n_stack ? r->n_stack : q->n_stack;
    if (x->by == TR_METRICS_OPERATOR && n)
        c = tr_str_cmp(tr_dict_text(x->dict, r->stack[r->n_stack - 1]),
                   tr_dict_text(x->dict, q->stack[q->n_stack - 1]));
    for (size_t i = 0; x->by == TR_METRICS_STACK && !c && i < n; i++)
        c = tr_str_cmp(tr_dict_text(x->dict, r->stack[i]), tr_dict_text(x->dict, q->stack[i]));
    if (!c && r->n_stack != q->n_stack)
        c = r->n_stack < q->n_stack ? -1 : 1;
    return c ? c : x->number < y->number ? -1 : 1;
}

static bool sort_rows(struct tr_metrics *a, enum tr_metrics_by by)
{
    struct sorted *sorted = calloc(a->n_rows + 1, sizeof *sorted);
    struct tr_metrics_row *rows = calloc(a->n_rows + 1, sizeof *rows);
    bool ok = sorted && rows;
    for (size_t i = 0; ok && i < a->n_rows; i++)
        sorted[i] = (struct sorted){ a->dict, by, i, &a->rows[i] };
    if (ok)
        qsort(sorted, a->n_rows, sizeof *sorted, compare_rows);
    for (size_t i = 0; ok && i < a->n_rows; i++)
        rows[i] = *sorted[i].row;
    free(sorted);
    if (!ok) {
        free(rows);
        return false;
    }
    free(a->rows);
    a->rows = rows;
    return true;
}

enum tr_status tr_metrics_finish(struct tr_metrics *a, enum tr_metrics_by by,
                                 const struct tr_metrics_row **rows, size_t *n,
                                 struct tr_error *err)
{
    struct tr_strtab *keys = tr_strtab_new();
    struct tr_buf text = { 0 };
    size_t n_ranges = 0;
    for (size_t s = 0; s < a->n_sources; s++)
        n_ranges += a->sources[s].n_ranges;
    a->rows = calloc(n_ranges + 1, sizeof *a->rows);
    a->cells = calloc(n_ranges * tr_strtab_count(a->counters) + 1, sizeof *a->cells);
    bool ok = keys && a->rows && a->cells && sort_counters(a) && make_rows(a, by, keys, &text) &&
              sort_rows(a, by);
    tr_strtab_free(keys);
    tr_buf_free(&text);
    *rows = a->rows;
    *n = ok ? a->n_rows : 0;
    return ok ? TR_OK : tr_fail_memory(err);
}

const char *tr_metrics_counter(const struct tr_metrics *a, size_t k, bool *real)
{
    if (k >= tr_strtab_count(a->counters) || !a->named)
        return NULL;
    *real = a->real[k];
    return tr_strtab_get(a->counters, a->named[k]);
}

void tr_metrics_found(const struct tr_metrics *a, uint32_t source, uint64_t *ranges,
                      uint64_t *launches)
{
    bool known = source < a->n_sources;
    *ranges = known ? a->sources[source].n_ranges : 0;
    *launches = known ? a->sources[source].n_launches : 0;
}
