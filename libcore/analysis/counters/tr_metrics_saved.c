/* SPDX-License-Identifier: MIT */
/* Metrics as partial results: single ranges and kernels with samples, before they become rows of any view. */
#include "analysis/counters/tr_metrics_int.h"

#include <math.h>

struct saved_range {
    struct tr_metrics_row row; /* without its name, stack and metrics */
    struct tr_str name, stack; /* no stack: no operators */
    double time;
    uint64_t launched, sampled, of_file, n_values; /* its values are the next ones of all */
};

#define OF(name, type, member) { name, TR_SAVED_##type, offsetof(struct saved_range, member) }
static const struct tr_saved_column range_columns[] = {
    OF("rank", INT, row.rank), OF("record", COUNT, row.record), OF("ts", INT, row.ts), OF("start", INT, row.start),
    OF("dur", INT, row.dur), OF("launch", COUNT, row.launch), OF("samples", COUNT, row.samples),
    OF("instance", COUNT, row.instance), OF("device", INT, row.device), OF("name", TEXT, name),
    OF("stack", TEXT, stack), OF("time", REAL, time), OF("launched", COUNT, launched), OF("sampled", COUNT, sampled),
    OF("of_file", COUNT, of_file), OF("values", COUNT, n_values),
};
#undef OF

struct saved_value {
    struct tr_str metric;
    uint64_t n, real;
    int64_t i;
    double d;
};

#define OF(name, type, member) { name, TR_SAVED_##type, offsetof(struct saved_value, member) }
static const struct tr_saved_column value_columns[] = {
    OF("metric", TEXT, metric), OF("n", COUNT, n), OF("is_real", COUNT, real), OF("value", INT, i), OF("real", REAL, d),
};
#undef OF

static const struct tr_saved_column name_columns[] = { { "metric", TR_SAVED_TEXT, 0 } };

struct saved_unmatched {
    int64_t rank;
    struct tr_str name;
    uint64_t ranges, launches;
};

#define OF(name, type) { #name, TR_SAVED_##type, offsetof(struct saved_unmatched, name) }
static const struct tr_saved_column unmatched_columns[] = {
    OF(rank, INT), OF(name, TEXT), OF(ranges, COUNT), OF(launches, COUNT),
};
#undef OF

#define OF(name) { #name, TR_SAVED_COUNT, offsetof(struct tr_metrics_found, name) }
static const struct tr_saved_column found_columns[] = {
    OF(sources), OF(ranges), OF(joined), OF(ambiguous), OF(files), OF(samples),
};
#undef OF

enum { RANGES, VALUES, NAMES, UNMATCHED, FOUND };
const struct tr_saved_table tr_metrics_saved[TR_METRICS_TABLES] = {
    [RANGES] = TR_SAVED_TABLE("ranges", range_columns),
    [VALUES] = TR_SAVED_TABLE("values", value_columns),
    [NAMES] = TR_SAVED_TABLE("names", name_columns),
    [UNMATCHED] = TR_SAVED_TABLE("unmatched", unmatched_columns),
    [FOUND] = TR_SAVED_TABLE("found", found_columns),
};

/* ---- saving ---- */

struct saving {
    struct tr_metrics *a;
    struct tr_partial_out *out;
    struct tr_buf text;
};

static struct tr_str name_of(const struct tr_metrics *a, uint32_t metric)
{
    return tr_str_of(tr_metric_values_name(a->values_of, metric));
}

static void put_value(const struct tr_metrics *a, const struct tr_metric_value *v, struct tr_partial_out *out)
{
    bool real = v->m.is == TR_METRIC_REAL;
    const struct saved_value r = { name_of(a, v->metric), v->n, real, real ? TR_I64_NONE : v->m.v.i,
                                   real ? v->m.v.d : NAN };
    tr_partial_put(out, VALUES, &r);
}

/* Ranges without values have rows only if all metrics are wanted. */
static bool put_range(void *self, const struct tr__metrics_range *r, const struct tr_metrics_row *row, bool sampled)
{
    struct saving *s = self;
    const struct tr_metrics *a = s->a;
    struct saved_range saved = { .row = *row,
                                 .name = tr_dict_text_if(a->dict, row->name),
                                 .time = r->time,
                                 .launched = row->launched,
                                 .sampled = sampled,
                                 .of_file = r->of_file,
                                 .n_values = r->n_values };
    saved.row.rank = row->rank < 0 ? TR_I64_NONE : row->rank;
    if (!r->n_values && !tr_metric_values_all(a->values_of))
        return true;
    if (row->stack != TR_STACK_NONE) {
        if (!tr_partial_list_stack(&a->stacks, a->dict, row->stack, &s->text))
            return false;
        saved.stack = (struct tr_str){ (const char *)s->text.data, s->text.len };
    }
    tr_partial_put(s->out, RANGES, &saved);
    for (size_t v = r->first_value; v < r->first_value + r->n_values; v++)
        put_value(a, &a->values[v], s->out);
    return true;
}

enum tr_status tr_metrics_save(struct tr_metrics *a, struct tr_partial_out *out, struct tr_error *err)
{
    struct saving s = { .a = a, .out = out };
    bool ok = tr__metrics_each(a, put_range, &s);
    for (uint32_t m = 0; m < tr_metric_values_count(a->values_of); m++) {
        struct tr_str name = name_of(a, m);
        tr_partial_put(out, NAMES, &name);
    }
    for (size_t i = 0; i < a->n_unmatched; i++) {
        const struct tr_metrics_unmatched *u = &a->unmatched[i];
        const struct saved_unmatched r = { u->rank < 0 ? TR_I64_NONE : u->rank, tr_dict_text_if(a->dict, u->name),
                                           u->ranges, u->launches };
        tr_partial_put(out, UNMATCHED, &r);
    }
    tr_partial_put(out, FOUND, &a->found);
    tr_buf_free(&s.text);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- loading ---- */

/* False: out of memory, here and below. */
static bool load_range(struct tr_metrics *a, struct tr_partial_in *in, const struct saved_range *r, size_t *n_values)
{
    struct tr__metrics_loaded l = { .row = r->row, .sampled = r->sampled };
    if (!r->name.s || (r->row.rank < 0 && r->row.rank != TR_I64_NONE) || r->n_values > UINT32_MAX) {
        tr_partial_wrong(in, "a range");
        return true;
    }
    l.row.rank = r->row.rank == TR_I64_NONE ? -1 : r->row.rank;
    l.row.name = tr_partial_string(in, r->name);
    l.row.launched = r->launched;
    l.row.stack = TR_STACK_NONE;
    l.row.count = 1;
    l.is = (struct tr__metrics_range){ .first_value = *n_values, .n_values = (unsigned)r->n_values, .time = r->time,
                                       .of_file = r->of_file, .keep = true };
    *n_values += (size_t)r->n_values;
    if ((r->stack.s && !tr_partial_stack(in, &a->stacks, r->stack, &l.row.stack)) ||
        !tr_grow(&a->loaded, &a->cap_loaded, a->n_loaded + 1, sizeof *a->loaded))
        return false;
    a->loaded[a->n_loaded++] = l;
    return true;
}

static bool load_value(struct tr_metrics *a, struct tr_partial_in *in, const struct saved_value *r)
{
    struct tr_metric_value v = { .n = (uint32_t)r->n, .m.is = r->real ? TR_METRIC_REAL : TR_METRIC_INT };
    if (!r->metric.s || r->n > UINT32_MAX) {
        tr_partial_wrong(in, "a value");
        return true;
    }
    if (r->real)
        v.m.v.d = r->d;
    else
        v.m.v.i = r->i;
    v.metric = tr_metric_values_add(a->values_of, r->metric);
    if (v.metric == TR_NO_STR || !tr_grow(&a->values, &a->cap_values, a->n_values + 1, sizeof *a->values))
        return false;
    a->values[a->n_values++] = v;
    return true;
}

static bool load_unmatched(struct tr_metrics *a, struct tr_partial_in *in, const struct saved_unmatched *r)
{
    const struct tr_metrics_unmatched u = { r->rank == TR_I64_NONE ? -1 : r->rank, tr_partial_string(in, r->name),
                                            r->ranges, r->launches };
    if (!tr_grow(&a->unmatched, &a->cap_unmatched, a->n_unmatched + 1, sizeof *a->unmatched))
        return false;
    a->unmatched[a->n_unmatched++] = u;
    return true;
}

static void load_found(struct tr_metrics *a, struct tr_partial_in *in, const struct tr_metrics_found *f)
{
    struct tr_metrics_found *to = &a->found;
    tr_partial_add_count(in, &to->sources, f->sources);
    tr_partial_add_count(in, &to->ranges, f->ranges);
    tr_partial_add_count(in, &to->joined, f->joined);
    tr_partial_add_count(in, &to->samples, f->samples);
    to->ambiguous |= f->ambiguous;
    to->files |= f->files;
    a->ranged |= f->ranges > 0;
}

enum tr_status tr_metrics_load(struct tr_metrics *a, struct tr_partial_in *in, struct tr_error *err)
{
    struct saved_range range;
    struct saved_value value;
    struct saved_unmatched unmatched;
    struct tr_metrics_found found;
    struct tr_str name;
    size_t n_values = a->n_values;
    bool ok = true;
    while (ok && tr_partial_get(in, RANGES, &range))
        ok = load_range(a, in, &range, &n_values);
    while (ok && tr_partial_get(in, VALUES, &value))
        ok = load_value(a, in, &value);
    while (ok && tr_partial_get(in, NAMES, &name))
        if (name.s)
            ok = tr_metric_values_add(a->values_of, name) != TR_NO_STR;
        else
            tr_partial_wrong(in, "a metric without a name");
    while (ok && tr_partial_get(in, UNMATCHED, &unmatched))
        ok = load_unmatched(a, in, &unmatched);
    while (ok && tr_partial_get(in, FOUND, &found))
        load_found(a, in, &found);
    if (ok && a->n_values != n_values)
        tr_partial_wrong(in, "values of no range, or ranges without theirs");
    return ok ? tr_partial_status(in, err) : tr_fail_memory(err);
}
