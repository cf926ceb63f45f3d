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
                                  .start = tr_source_to_file(&a->dict->sources[r->source], r->ts),
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

static bool take(tr__metrics_take *fn, void *self, const struct tr_metrics *a, const struct tr__metrics_range *r,
                 size_t k, bool sampled)
{
    struct tr_metrics_row row = row_of(a, r, k);
    return fn(self, r, &row, sampled);
}

bool tr__metrics_each(const struct tr_metrics *a, tr__metrics_take *fn, void *self)
{
    bool ok = true;
    for (size_t s = 0; s < a->n_sources; s++)
        for (size_t k = 0; k < a->sources[s].n_ranges && ok; k++)
            ok = !a->sources[s].ranges[k].keep || take(fn, self, a, &a->sources[s].ranges[k], k, false);
    for (size_t k = 0; k < a->n_kernels && !a->ranged && ok; k++)
        ok = take(fn, self, a, &a->kernels[k], k, true);
    for (size_t k = 0; k < a->n_loaded && ok; k++)
        if (a->loaded[k].sampled == !a->ranged) /* ranges of any rank decide if samples of the others make rows */
            ok = fn(self, &a->loaded[k].is, &a->loaded[k].row, a->loaded[k].sampled);
    return ok;
}

struct making {
    struct tr_metrics *a;
    enum tr_metrics_by by;
    struct tr_strtab *keys;
};

static bool make_row(void *self, const struct tr__metrics_range *r, const struct tr_metrics_row *range, bool sampled)
{
    const struct making *m = self;
    struct tr_metrics *a = m->a;
    bool of_range = m->by == TR_METRICS_RANGE;
    if ((sampled && of_range) || (!r->n_values && !(of_range && tr_metric_values_all(a->values_of))))
        return true;
    struct tr_metrics_row *row = take_row(a, m->by, m->keys, range);
    if (!row)
        return false;
    add_metrics(a, r, &a->cells[(size_t)(row - a->rows) * a->n_named]);
    return true;
}

static bool make_rows(struct tr_metrics *a, enum tr_metrics_by by)
{
    struct making m = { a, by, tr_strtab_new() };
    bool ok = m.keys && tr__metrics_each(a, make_row, &m);
    tr_strtab_free(m.keys);
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
    size_t max = a->n_loaded;
    for (size_t s = 0; s < a->n_sources; s++)
        max += a->sources[s].n_ranges;
    *rows = NULL;
    *n = 0;
    enum tr_status st = tr_metric_values_check(a->values_of, err);
    if (st != TR_OK)
        return st;
    bool ok = order_metrics(a);
    max += a->ranged ? 0 : a->n_kernels;
    a->rows = ok ? calloc(max + 1, sizeof *a->rows) : NULL;
    a->cells = ok ? calloc(max * a->n_named + 1, sizeof *a->cells) : NULL;
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

/* ---- instances ---- */

/* Add a value to those of the open instance. */
static bool add_value(struct tr_metrics *a, struct tr_metric_value v)
{
    if (!tr_grow(&a->sums, &a->cap_sums, (size_t)v.metric + 1, sizeof *a->sums))
        return false;
    for (; a->n_sums <= v.metric; a->n_sums++)
        a->sums[a->n_sums] = (struct tr_metric_value){ .n = 0 };
    struct tr_metric_value *sum = &a->sums[v.metric];
    if (!sum->n) {
        if (!tr_grow(&a->summed, &a->cap_summed, a->n_summed + 1, sizeof *a->summed))
            return false;
        a->summed[a->n_summed++] = v.metric;
        *sum = v;
        return true;
    }
    if (tr_metric_of_rows(tr_metric_values_name(a->values_of, v.metric)) == TR_METRIC_FIRST)
        return true;
    tr__metric_add(&sum->m, v.m);
    sum->n += sum->n < UINT32_MAX;
    return true;
}

bool tr__metrics_close_instance(struct tr_metrics *a)
{
    if (!a->instance_open)
        return true;
    struct tr__metrics_source *s = &a->sources[a->open_source];
    struct tr__metrics_range *r = &s->ranges[s->n_ranges - 1];
    a->instance_open = false;
    if (!tr_grow(&a->values, &a->cap_values, a->n_values + a->n_summed + 1, sizeof *a->values))
        return false;
    r->first_value = a->n_values;
    r->n_values = a->n_summed;
    for (size_t k = 0; k < a->n_summed; k++) {
        a->values[a->n_values++] = a->sums[a->summed[k]];
        a->sums[a->summed[k]].n = 0;
    }
    a->n_summed = 0;
    if (r->time > 0 && r->time < 9e18)
        r->dur = (int64_t)(r->time + 0.5);
    return true;
}

/* Which kernels are those of the file?  Those of its rank; of any, if only the order of inputs gives the rank. */
static uint32_t group_of(const struct tr_metrics *a, uint32_t source)
{
    const struct tr_source *s = &a->dict->sources[source];
    bool known =
        s->rank >= 0 && s->rank < UINT32_MAX - 2 && s->rank_rule != TR_RANK_ORDER && s->rank_rule != TR_RANK_NONE;
    return known ? (uint32_t)s->rank + 1 : 0;
}

static bool open_instance(struct tr_metrics *a, const struct tr_batch *b, size_t i, uint32_t source, bool keep)
{
    const struct tr_track *track = &a->dict->tracks[b->track[i]];
    struct tr__metrics_source *s = &a->sources[source];
    int64_t number = tr_arg_int(&a->row_instance, i), id = tr_arg_int(&a->row_id, i);
    if (!tr__metrics_close_instance(a) || !tr_grow(&s->ranges, &s->cap_ranges, s->n_ranges + 1, sizeof *s->ranges))
        return false;
    s->from_file = true;
    s->ranges[s->n_ranges++] = (struct tr__metrics_range){
        .record = b->record[i], .ts = TR_TIME_NONE, .dur = TR_TIME_NONE, .name = b->name[i], .source = source,
        .keep = keep, .of_file = true, .number = number > 0 ? (uint64_t)number : TR_METRICS_NO_INSTANCE,
        .device = track->pid_type == TR_T_INT ? track->pid : TR_I64_NONE };
    a->instance_open = true;
    a->open_source = source;
    a->open_track = b->track[i];
    if (id == TR_I64_NONE || number <= 0)
        return true;
    if (!tr_grow(&a->of_id, &a->cap_of_id, a->n_of_id + 1, sizeof *a->of_id))
        return false;
    uint32_t group = group_of(a, source);
    a->of_id[a->n_of_id] = (struct tr__metrics_of_id){ source, s->n_ranges - 1, -1 };
    return tr_eventmap_has(&a->ids, group, (uint64_t)id) ||
           tr_eventmap_put(&a->ids, group, (uint64_t)id, (uint32_t)a->n_of_id++);
}

/* Does a row belong to the open instance? */
static bool continues(const struct tr_metrics *a, const struct tr_batch *b, size_t i, uint32_t source)
{
    if (!a->instance_open || a->open_source != source || a->open_track != b->track[i])
        return false;
    const struct tr__metrics_source *s = &a->sources[source];
    const struct tr__metrics_range *r = &s->ranges[s->n_ranges - 1];
    int64_t number = tr_arg_int(&a->row_instance, i);
    return r->name == b->name[i] && r->number == (number > 0 ? (uint64_t)number : TR_METRICS_NO_INSTANCE);
}

bool tr__metrics_add_row(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep)
{
    uint32_t source = a->dict->tracks[b->track[i]].source;
    const struct tr_metric_value *of;
    size_t n;
    a->ranged = true;
    if (!tr_metric_values_of(a->values_of, i, &of, &n))
        return false;
    if (!continues(a, b, i, source) && !open_instance(a, b, i, source, keep))
        return false;
    struct tr__metrics_source *s = &a->sources[source];
    struct tr__metrics_range *r = &s->ranges[s->n_ranges - 1];
    r->keep |= keep;
    r->samples++;
    for (size_t k = 0; k < n; k++) {
        if (tr_metric_is_time(tr_metric_values_name(a->values_of, of[k].metric)))
            r->time += tr_metric_number(of[k].m);
        if (tr_metric_values_wanted(a->values_of, of[k].metric) && !add_value(a, of[k]))
            return false;
    }
    return true;
}

/* ---- kernels ---- */

/* The instance with this number, of the rank or of any; NULL: none. */
static struct tr__metrics_of_id *find_instance(struct tr_metrics *a, uint32_t source, int64_t id)
{
    int64_t rank = a->dict->sources[source].rank;
    uint32_t found = TR_EVENTMAP_NONE;
    if (rank >= 0 && rank < UINT32_MAX - 2)
        found = tr_eventmap_get(&a->ids, (uint32_t)rank + 1, (uint64_t)id);
    if (found == TR_EVENTMAP_NONE)
        found = tr_eventmap_get(&a->ids, 0, (uint64_t)id);
    return found == TR_EVENTMAP_NONE ? NULL : &a->of_id[found];
}

bool tr__metrics_claim(struct tr_metrics *a, const struct tr_batch *b, size_t i, bool keep)
{
    struct tr_arg_value v = tr_arg_at(&a->kernel_id, i);
    uint32_t source = a->dict->tracks[b->track[i]].source;
    struct tr__metrics_of_id *of = NULL;
    if (v.type == TR_T_INT + 1 || v.type == TR_T_QUOTED + 1)
        of = find_instance(a, source, v.v);
    if (!of)
        return true;
    if (!tr__metrics_close_instance(a))
        return false;
    if (of->kernel_source >= 0) { /* another tile of the kernel */
        a->found.ambiguous |= a->dict->sources[of->kernel_source].rank != a->dict->sources[source].rank;
        return true;
    }
    struct tr__metrics_range *r = &a->sources[of->source].ranges[of->range];
    int64_t track = a->launch_track[i];
    of->kernel_source = source;
    r->source = source;
    r->record = b->record[i];
    r->ts = b->ts[i];
    r->dur = tr_dur_used(b->dur[i], b->suspect[i]);
    r->keep = keep;
    r->has_launch = track >= 0 && a->launch_record[i] != TR_I64_NONE;
    if (r->has_launch) {
        r->launch_source = a->dict->tracks[track].source;
        r->launch = (uint64_t)a->launch_record[i];
    }
    a->found.joined++;
    return true;
}
