/* SPDX-License-Identifier: MIT */
/* Rows of metrics: ranges, kernels with samples, and groups of them. */
#include "analysis/counters/tr_metrics_int.h"

#include <stdlib.h>
#include <string.h>

void tr__metric_add(struct tr_metric *sum, struct tr_metric m)
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

static bool order_metrics(struct tr_metrics *a)
{
    uint32_t n = tr_metric_values_count(a->values_of);
    a->place = calloc((size_t)n + 1, sizeof *a->place);
    a->named = calloc((size_t)n + 1, sizeof *a->named);
    a->real = calloc((size_t)n + 1, sizeof *a->real);
    if (!a->place || !a->named || !a->real ||
        (a->n_named = tr_metric_values_order(a->values_of, a->named)) == SIZE_MAX)
        return false;
    for (uint32_t i = 0; i < n; i++)
        a->place[i] = UINT32_MAX;
    for (uint32_t i = 0; i < a->n_named; i++)
        a->place[a->named[i]] = i;
    return true;
}

/* The row of a single range, without its metrics; k: its index among the ranges of its source. */
static struct tr_metrics_row row_of(const struct tr_metrics *a, const struct tr__metrics_range *r, size_t k)
{
    struct tr_metrics_row row = { .rank = a->dict->sources[r->source].rank,
                                  .source = r->source,
                                  .record = r->record,
                                  .ts = r->ts,
                                  .dur = r->dur,
                                  .name = r->name,
                                  .samples = r->samples,
                                  .device = r->device,
                                  .instance = r->number,
                                  .stack = TR_STACK_NONE,
                                  .count = 1 };
    const struct tr__metrics_source *s = r->source < a->n_sources ? &a->sources[r->source] : NULL;
    if (!a->ranged || r->of_file) {
        row.launched = r->has_launch;
        row.launch = r->launch;
        uint32_t owner = r->has_launch ? tr_eventmap_get(&a->owners, r->launch_source, r->launch) : TR_EVENTMAP_NONE;
        row.stack = owner == TR_EVENTMAP_NONE ? TR_STACK_NONE : owner - 1;
    } else if (s && s->n_ranges == s->n_launches) {
        row.launched = true;
        row.launch = s->launches[k].record;
        row.stack = s->launches[k].stack;
    }
    return row;
}

/* The common part of rows with the same rank: kernel, innermost operator or stack. */
static uint32_t key_of(const struct tr_metrics *a, const struct tr_metrics_row *r, enum tr_metrics_by by)
{
    if (by == TR_METRICS_KERNEL)
        return r->name;
    return by == TR_METRICS_STACK || r->stack == TR_STACK_NONE ? r->stack : a->stacks.frames[r->stack].name;
}

/* The row to which a range is added; NULL: out of memory. */
static struct tr_metrics_row *take_row(struct tr_metrics *a, enum tr_metrics_by by,
                                       struct tr_strtab *keys, const struct tr_metrics_row *range)
{
    size_t number = a->n_rows;
    if (by != TR_METRICS_RANGE && by != TR_METRICS_INSTANCE) {
        const int64_t key[] = { range->rank, key_of(a, range, by) };
        number = tr_strtab_add(keys, key, sizeof key);
        if (number == TR_NO_STR)
            return NULL;
    }
    struct tr_metrics_row *row = &a->rows[number];
    if (number < a->n_rows) {
        row->count++;
        row->samples += range->samples;
        row->dur = tr_time_sum(row->dur, range->dur);
        return row;
    }
    *row = *range;
    row->metrics = &a->cells[number * a->n_named];
    a->n_rows++;
    return row;
}

/* Add the metrics of a range to those of a row. */
static void add_metrics(struct tr_metrics *a, const struct tr__metrics_range *r, struct tr_metrics_cell *cells)
{
    for (size_t v = r->first_value; v < r->first_value + r->n_values; v++) {
        uint32_t place = a->place[a->values[v].metric];
        struct tr_metrics_cell *cell = &cells[place];
        enum tr_metric_of_rows how =
            r->of_file ? tr_metric_of_rows(tr_metric_values_name(a->values_of, a->values[v].metric)) : TR_METRIC_ADDED;
        if (how != TR_METRIC_FIRST || !cell->n)
            tr__metric_add(&cell->sum, a->values[v].m);
        cell->n += a->values[v].n;
        cell->mean = how == TR_METRIC_MEAN;
        cell->counts = how == TR_METRIC_ADDED;
        a->real[place] |= cell->mean;
        cell->time += r->time;
        a->real[place] |= cell->sum.is == TR_METRIC_REAL;
    }
}

static bool make_row(struct tr_metrics *a, enum tr_metrics_by by, struct tr_strtab *keys,
                     const struct tr__metrics_range *r, size_t k)
{
    bool absent = !r->n_values && (by != TR_METRICS_RANGE || !tr_metric_values_all(a->values_of));
    if (!r->keep || absent)
        return true;
    struct tr_metrics_row range = row_of(a, r, k);
    struct tr_metrics_row *row = take_row(a, by, keys, &range);
    if (!row)
        return false;
    add_metrics(a, r, &a->cells[(size_t)(row - a->rows) * a->n_named]);
    return true;
}

static bool make_rows(struct tr_metrics *a, enum tr_metrics_by by)
{
    struct tr_strtab *keys = tr_strtab_new();
    bool ok = keys;
    for (size_t s = 0; s < a->n_sources && a->ranged; s++)
        for (size_t k = 0; k < a->sources[s].n_ranges && ok; k++)
            ok = make_row(a, by, keys, &a->sources[s].ranges[k], k);
    for (size_t k = 0; k < a->n_kernels && !a->ranged && by != TR_METRICS_RANGE && ok; k++)
        ok = make_row(a, by, keys, &a->kernels[k], k);
    tr_strtab_free(keys);
    return ok;
}

struct sorted {
    const struct tr_metrics *a;
    enum tr_metrics_by by;
    size_t number;
    const struct tr_metrics_row *row;
};

static int compare_rows(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    const struct tr_metrics_row *r = x->row, *q = y->row;
    const struct tr_stacks *stacks = &x->a->stacks;
    const struct tr_dict *dict = x->a->dict;
    int c = 0;
    if (r->rank != q->rank)
        return r->rank < q->rank ? -1 : 1;
    if (x->by == TR_METRICS_INSTANCE && r->ts != q->ts)
        return r->ts < q->ts ? -1 : 1;
    if (x->by == TR_METRICS_INSTANCE && r->source == q->source && r->record != q->record)
        return r->record < q->record ? -1 : 1;
    if (x->by == TR_METRICS_RANGE || x->by == TR_METRICS_INSTANCE)
        return x->number < y->number ? -1 : 1;
    if (r->count != q->count)
        return r->count > q->count ? -1 : 1;
    if (x->by == TR_METRICS_KERNEL)
        c = tr_str_cmp(tr_dict_text(dict, r->name), tr_dict_text(dict, q->name));
    size_t n = tr_stacks_depth(stacks, r->stack), m = tr_stacks_depth(stacks, q->stack);
    if (x->by == TR_METRICS_OPERATOR && n && m)
        c = tr_str_cmp(tr_dict_text(dict, stacks->frames[r->stack].name),
                       tr_dict_text(dict, stacks->frames[q->stack].name));
    if (x->by == TR_METRICS_STACK)
        c = tr_stacks_cmp(stacks, dict, r->stack, q->stack);
    if (!c && n != m)
        c = n < m ? -1 : 1;
    return c ? c : x->number < y->number ? -1 : 1;
}

static bool sort_rows(struct tr_metrics *a, enum tr_metrics_by by)
{
    struct sorted *sorted = calloc(a->n_rows + 1, sizeof *sorted);
    struct tr_metrics_row *rows = calloc(a->n_rows + 1, sizeof *rows);
    bool ok = sorted && rows;
    for (size_t i = 0; ok && i < a->n_rows; i++)
        sorted[i] = (struct sorted){ a, by, i, &a->rows[i] };
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

/* Number each row among the rows of the same kernel in its rank. */
static bool number_instances(struct tr_metrics *a)
{
    struct tr_strtab *names = tr_strtab_new();
    uint64_t *seen = calloc(a->n_rows + 1, sizeof *seen);
    bool ok = names && seen;
    for (size_t i = 0; i < a->n_rows && ok; i++) {
        if (a->rows[i].instance) /* its file has it */
            continue;
        const int64_t key[] = { a->rows[i].rank, a->rows[i].name };
        uint32_t number = tr_strtab_add(names, key, sizeof key);
        ok = number != TR_NO_STR;
        if (ok)
            a->rows[i].instance = ++seen[number];
    }
    tr_strtab_free(names);
    free(seen);
    return ok;
}

enum tr_status tr_metrics_finish(struct tr_metrics *a, enum tr_metrics_by by,
                                 const struct tr_metrics_row **rows, size_t *n,
                                 struct tr_error *err)
{
    size_t most = a->n_kernels;
    for (size_t s = 0; s < a->n_sources; s++)
        most += a->sources[s].n_ranges;
    *rows = NULL;
    *n = 0;
    enum tr_status st = tr_metric_values_check(a->values_of, err);
    if (st != TR_OK)
        return st;
    bool ok = tr__metrics_close_instance(a) && tr__metrics_end_samples(a) && order_metrics(a);
    most = a->ranged ? most : a->n_kernels;
    a->rows = ok ? calloc(most + 1, sizeof *a->rows) : NULL;
    a->cells = ok ? calloc(most * a->n_named + 1, sizeof *a->cells) : NULL;
    ok = a->rows && a->cells && make_rows(a, by) && sort_rows(a, by) &&
         (by != TR_METRICS_INSTANCE || number_instances(a));
    *rows = a->rows;
    *n = ok ? a->n_rows : 0;
    return ok ? TR_OK : tr_fail_memory(err);
}

const char *tr_metrics_counter(const struct tr_metrics *a, size_t k, bool *real)
{
    if (k >= a->n_named || !a->named)
        return NULL;
    *real = a->real[k];
    return tr_metric_values_name(a->values_of, a->named[k]);
}
