/* SPDX-License-Identifier: MIT */
/* What do operators cost, and the kernels that they launch?  One by one. */
#include "analysis/operators/tr_by_operator_int.h"

#include "analysis/operators/tr_operators_analyses.h"
#include "base/tr_mem.h"
#include "stream/sort/tr_record_sort.h"
#include "stream/sort/tr_record_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char nobody[] = "(none)";

/* The keys of rows in addition to the name, in the order of columns. */
enum { DIMS, TYPES, STRIDES, ARGS, MODULE, CATEGORY, THREAD, RECOMPUTE, STACK, KERNEL, N_KEYS };

static const struct {
    unsigned by;
    struct tr_table_column column;
} keys[N_KEYS] = {
    [DIMS] = { TR_OPERATOR_SHAPE, { "shapes", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
      .meaning = "shapes of the arguments" } },
    [TYPES] = { TR_OPERATOR_SHAPE, { "dtypes", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
      .meaning = "types of the arguments" } },
    [STRIDES] = { TR_OPERATOR_SHAPE, { "strides", TR_CELL_STRING, TR_ROLE_KEY, .extra = true, .wide = true,
      .meaning = "strides of the arguments" } },
    [ARGS] = { TR_OPERATOR_ARGS, { "args", TR_CELL_STRING, TR_ROLE_KEY, .extra = true, .wide = true,
      .meaning = "values of the arguments" } },
    [MODULE] = { TR_OPERATOR_MODULE, { "module", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
                                       .meaning = "the innermost module around it, without its number" } },
    [CATEGORY] = { TR_OPERATOR_CATEGORY, { "category", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "what it is for" } },
    [THREAD] = { TR_OPERATOR_THREAD, { "thread", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
      .meaning = "that it ran on" } },
    [RECOMPUTE] = { TR_OPERATOR_RECOMPUTE, { "recompute", TR_CELL_STRING, TR_ROLE_KEY,
      .meaning = "yes: below PyTorch's function that computes again what a checkpoint left out" } },
    [STACK] = { TR_OPERATOR_STACK, { "stack", TR_CELL_STRING, TR_ROLE_KEY, .names = true,
                                     .meaning = "the spans around it, outermost first, without steps" } },
    [KERNEL] = { TR_OPERATOR_KERNEL, { "kernel", TR_CELL_STRING, TR_ROLE_KEY, .names = true,
                                       .meaning = "the kernel, copy or memset that it launched itself" } },
};

static const struct tr_table_column name_column = { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .label = true,
                                                    .meaning = "name of the operator; (none): work without an "
                                                               "operator" };
static const struct tr_table_column cost_columns[] = {
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of calls" },
    { "host_self", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "host time in the operator, without operators inside it" },
    { "host", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .extra = true, .of = "host_self",
      .meaning = "host time in the operator" },
    { "device_self", TR_CELL_TIME, TR_ROLE_SUM, .main = true,
      .meaning = "sum of durations of the work that it launched itself" },
    { "device", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .extra = true, .of = "device_self",
      .meaning = "sum of durations of the work that it and operators inside it launched" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "device_self",
      .meaning = "share of all device work of the group" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true,
      .meaning = "number of kernels, copies and memsets that it launched itself" },
    { "device_self_busy", TR_CELL_TIME, TR_ROLE_SUM, .extra = true,
      .meaning = "as device_self, but overlapping work of one call counts once" },
    { "device_busy", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .of = "device_self_busy", .extra = true,
      .meaning = "as device, but overlapping work of one call counts once" },
};

/* For the calls that launched work themselves. */
static const struct tr_table_column launched_columns[] = {
    { "launchers", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true,
      .meaning = "calls that launched work themselves; what follows is about these" },
    { "self_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true,
      .meaning = "of a call: time of the work that it launched itself; what overlaps counts once" },
    { "self_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "median of that" },
    { "self_std", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "standard deviation of the sample" },
    { "self_min", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the minimum" },
    { "self_max", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the maximum" },
    { "mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true,
      .meaning = "the same of the work that it and operators inside it launched" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "median of that" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "standard deviation of the sample" },
    { "min", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the minimum" },
    { "max", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the maximum" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "added up" },
    { "first", TR_CELL_TIME, TR_ROLE_TIME, .extra = true,
      .meaning = "start of the first of them, after the first of all" },
    { "record", TR_CELL_COUNT, TR_ROLE_QUANTILE, .extra = true, .meaning = "its place in its file, from 0" },
    { "work", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true, .wide = true,
      .meaning = "names of the work that it launched itself, with '; ' between" },
};

/* Of rows of work. */
static const struct tr_table_column stream_column = { "stream", TR_CELL_INT, TR_ROLE_KEY, .extra = true,
                                                      .meaning = "that it ran on" };
static const struct tr_table_column position_column = {
    "position", TR_CELL_COUNT, TR_ROLE_KEY,
    .meaning = "its place in the order in which the work of a call began, from 1"
};
static const struct tr_table_column kernel_columns[] = {
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "how often" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, .main = true, .meaning = "sum of durations" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "sum",
      .meaning = "share of all device work of the group" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "sum", .per = "count", .meaning = "mean duration" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "standard deviation of the sample" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "shortest duration" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "median duration" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "longest duration" },
};

static void operator_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    const struct tr_operator_options *o = options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, &name_column, 1);
    for (unsigned k = 0; k < N_KEYS; k++)
        if (o->by & keys[k].by)
            tr_table_columns(t, &keys[k].column, 1);
    if (o->by & TR_OPERATOR_KERNEL) {
        tr_table_columns(t, &stream_column, 1);
        if (o->by & TR_OPERATOR_POSITION)
            tr_table_columns(t, &position_column, 1);
        tr_table_columns(t, kernel_columns, sizeof kernel_columns / sizeof *kernel_columns);
        return;
    }
    tr_table_columns(t, cost_columns, sizeof cost_columns / sizeof *cost_columns);
    if (o->by & TR_OPERATOR_ARGS)
        tr_table_columns(t, launched_columns, sizeof launched_columns / sizeof *launched_columns);
}

void tr__by_operator_needs(const void *options, struct tr_needs *n)
{
    static const char *const args[] = { "hlo_op",     "hlo_module",    "module_name",    "Input Dims",
                                        "Input type", "Input Strides", "Concrete Inputs" };
    const struct tr_operator_options *o = options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD);
    n->want.derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK |
                      1u << TR_COL_N_DEVICE;
    n->want.any_rank_order = true;
    n->host = true;
    n->want.keys = args;
    unsigned by = o->shared ? o->shared->by : o->by;
    n->want.n_keys = !(by & TR_OPERATOR_SHAPE) ? 3 : by & TR_OPERATOR_ARGS ? 7 : 6;
}

/* ---- the run ---- */

void tr__by_operator_free(void *state)
{
    struct tr__by_operator *s = state;
    if (!s->options || !s->options->shared)
        tr_operators_free(s->operators);
    tr_operators_joined_free(&s->joined);
    tr_operator_categories_free(&s->categories);
    tr_strtab_free(s->texts);
    tr_buf_free(&s->work);
    tr_buf_free(&s->text);
    tr_buf_free(&s->packed);
    free(s->places);
    free(s->wholes);
    free(s);
}

enum tr_status tr__by_operator_start(const struct tr_analysis_in *in, const void *options, void **state,
                                     struct tr_error *err)
{
    struct tr__by_operator *s = *state = calloc(1, sizeof *s);
    if (!s || !(s->texts = tr_strtab_new()))
        return tr_fail_memory(err);
    s->in = *in;
    s->options = options;
    s->first = INT64_MAX;
    if (s->options->shared)
        return tr_operators_shared_get(in, s->options->shared, &s->operators, err);
    enum tr_status st = tr_operators_new(&in->work, s->options->by, in->dict, in->summary, in->sorted, in->select,
                                         &s->operators, err);
    if (st == TR_OK)
        tr_operators_captures(s->operators, s->options->graphs);
    if (st == TR_OK && s->options->by & TR_OPERATOR_ARGS && !(s->options->by & TR_OPERATOR_KERNEL))
        tr_operators_want_launched(s->operators);
    return st;
}

enum tr_status tr__by_operator_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                    struct tr_error *err)
{
    struct tr__by_operator *s = state;
    (void)t;
    return s->options->shared ? TR_OK : tr_operators_feed(s->operators, b, keep, err);
}

/* ---- rows ---- */

/*
 * A row to be sorted, with all of its output, so that printing reads nothing else: there may be more rows than fit in
 * memory.  Its texts follow it: its name, and its keys, of which the category is absent.
 */
struct sorted {
    struct tr_operator_row row;
    struct tr_operator_launched launched; /* own.n 0: nothing */
    int64_t stream;                       /* of a row of work */
    uint32_t place;                       /* of its group */
};
#define N_TEXTS (1 + N_KEYS)

static struct tr_str name_of(const struct tr__by_operator *s, const struct tr_operator_row *r)
{
    return r->key.name == TR_NO_STR ? tr_str_of(nobody) : tr_dict_text(s->in.dict, r->key.name);
}

/* The text of a key except the category, which follows from the name; stack: the number that s->work holds. */
static struct tr_str key_text(const struct tr__by_operator *s, const struct tr_operator_key *key, size_t k)
{
    switch (k) {
    case DIMS:
        return tr_dict_text_if(s->in.dict, key->dims);
    case TYPES:
        return tr_dict_text_if(s->in.dict, key->types);
    case STRIDES:
        return tr_dict_text_if(s->in.dict, key->strides);
    case ARGS:
        return tr_dict_text_if(s->in.dict, key->args);
    case MODULE:
        return tr_operators_text(s->operators, key->module);
    case THREAD:
        return tr_operators_text(s->operators, key->thread);
    case RECOMPUTE:
        return tr_operators_text(s->operators, key->recompute);
    case KERNEL:
        return tr_dict_text_if(s->in.dict, key->kernel);
    case STACK:
        return s->options->by & TR_OPERATOR_STACK && key->name != TR_NO_STR
                   ? (struct tr_str){ s->text.data ? (const char *)s->text.data : "", s->text.len }
                   : tr_str_of(NULL);
    default:
        return tr_str_of(NULL);
    }
}

enum tr_status tr__by_operator_category(struct tr__by_operator *s, const struct tr_operator_row *r,
                                        struct tr_str *category, struct tr_error *err)
{
    *category = tr_str_of(nobody);
    return r->key.name == TR_NO_STR ? TR_OK
                                    : tr_operator_category(&s->categories, s->in.dict, r->key.name, category, err);
}

/* Statistics of row i. */
static const struct tr_operator_launched *launched_of(const struct tr__by_operator *s, size_t i)
{
    return s->options->shared ? NULL : tr_operators_launched(s->operators, i);
}

/* Row i with its texts, in s->packed.  False: out of memory. */
static bool pack(struct tr__by_operator *s, size_t i)
{
    const struct tr_operator_row *r = &s->rows[i];
    const struct tr_operator_launched *l = launched_of(s, i);
    struct sorted v = { .row = *r, .place = (uint32_t)s->places[r->key.group] };
    if (l)
        v.launched = *l;
    v.stream = r->key.stream == UINT32_MAX ? TR_I64_NONE : s->in.dict->tracks[r->key.stream].stream;
    bool ok = !(s->options->by & TR_OPERATOR_STACK) || r->key.name == TR_NO_STR ||
              tr_operators_stack(s->operators, r->key.stack, &s->text);
    ok = ok && tr_record_start(&s->packed, &v, sizeof v) && tr_record_add_text(&s->packed, name_of(s, r));
    for (size_t k = 0; ok && k < N_KEYS; k++)
        ok = tr_record_add_text(&s->packed, key_text(s, &r->key, k));
    return ok;
}

static int by_cost(void *self, const void *x, const void *y)
{
    const struct sorted *v = x, *w = y;
    const struct tr_operator_row *a = &v->row, *b = &w->row;
    (void)self;
    if (v->place != w->place)
        return v->place < w->place ? -1 : 1;
    int c = tr__by_operator_compare(a->device_self, b->device_self);
    c = c ? c : tr__by_operator_compare(a->host_self, b->host_self);
    c = c ? c : tr_record_compare_texts((const char *)(v + 1), (const char *)(w + 1), N_TEXTS);
    c = c ? c : (a->key.position > b->key.position) - (a->key.position < b->key.position);
    c = c ? c : (v->stream > w->stream) - (v->stream < w->stream);
    c = c ? c : tr__by_operator_compare(a->host, b->host);
    c = c ? c : tr__by_operator_compare(a->device, b->device);
    c = c ? c : (a->calls < b->calls) - (a->calls > b->calls);
    c = c ? c
          : tr__by_operator_compare(a->device_self_busy, b->device_self_busy); /* for deep stacks with the same text */
    c = c ? c : tr__by_operator_compare(a->device_busy, b->device_busy);
    return c ? c : (a->kernels < b->kernels) - (a->kernels > b->kernels);
}

/* Sum up the device work of each group, and find the index of each group in the order of keys. */
static enum tr_status sum_groups(struct tr__by_operator *s, size_t n, struct tr_error *err)
{
    const struct tr_group_by *w = tr_operators_groups(s->operators);
    uint32_t *order = tr_group_by_order(w);
    s->places = calloc(w->n_groups + 1, sizeof *s->places);
    s->wholes = calloc(w->n_groups + 1, sizeof *s->wholes);
    bool ok = order && s->places && s->wholes;
    for (size_t i = 0; ok && i < w->n_groups; i++)
        s->places[order[i]] = i;
    for (size_t i = 0; ok && i < n; i++) {
        int64_t *whole = &s->wholes[s->rows[i].key.group];
        const struct tr_operator_launched *l = launched_of(s, i);
        *whole = tr_time_sum(*whole, s->rows[i].device_self);
        s->first = l && l->start < s->first ? l->start : s->first;
        tr__by_operator_touched(s);
    }
    free(order);
    return ok ? TR_OK : tr_fail_memory(err);
}

bool tr__by_operator_shown(struct tr__by_operator *s, const struct tr_operator_row *r)
{
    const struct tr_name_test *op = &s->options->op;
    bool work = r->key.stream != UINT32_MAX;
    if (work != ((s->options->by & TR_OPERATOR_KERNEL) != 0))
        return false;
    if (!work && tr_operators_where(s->operators) && !r->kernels_below)
        return false;
    if (!work && !r->calls && !r->kernels_below)
        return false;
    if (!op->match)
        return true;
    return r->key.name != TR_NO_STR && op->match(op->self, tr_dict_text(s->in.dict, r->key.name));
}

/* The rows of shared operators, with the keys of this analysis. */
static enum tr_status join(struct tr__by_operator *s, size_t *n, struct tr_error *err)
{
    unsigned by = s->options->by;
    bool plain = !by && !s->sums, any = tr_operators_any(s->operators);
    if (!(plain || any) || (by & TR_OPERATOR_SHAPE && !tr_operators_shaped(s->operators)))
        *n = 0;
    enum tr_status st = tr_operators_join(&s->joined, s->operators, by, s->rows, *n, err);
    s->rows = s->joined.rows;
    *n = s->joined.n;
    return st;
}

enum tr_status tr__by_operator_take(struct tr__by_operator *s, size_t *n, struct tr_error *err)
{
    enum tr_status st = tr_operators_finish(s->operators, &s->rows, n, err);
    if (st == TR_OK && s->options->shared)
        st = join(s, n, err);
    if (st == TR_OK && s->options->graphs)
        tr_graph_counts_remark(tr_operators_graphs(s->operators), &s->in, NULL);
    return st == TR_OK ? sum_groups(s, *n, err) : st;
}

void tr__by_operator_remark(const struct tr__by_operator *s)
{
    tr_operators_remark(s->operators, s->options->by, s->options->shared ? TR_REMARK_RESULT : TR_REMARK_WARN, &s->in);
    if (!s->options->op.match)
        tr_operators_remark_unlinked(s->operators, &s->in);
}

/* Work that no operator launched has no calls. */
static void call_cells(struct tr_table *t, const struct tr_operator_row *r)
{
    bool none = r->key.name == TR_NO_STR;
    if (none) {
        tr_table_absent(t);
        tr_table_absent(t);
        tr_table_absent(t);
        return;
    }
    tr_table_count(t, r->calls);
    tr_table_time(t, r->host_self);
    tr_table_time(t, r->host);
}

/* Statistics of calls that launched work. */
static enum tr_status launched_cells(struct tr_table *t, struct tr__by_operator *s,
                                     const struct tr_operator_launched *l, struct tr_error *err)
{
    if (!l) {
        for (size_t i = 0; i < sizeof launched_columns / sizeof *launched_columns; i++)
            tr_table_absent(t);
        return TR_OK;
    }
    tr_table_count(t, l->own.n);
    for (unsigned all = 0; all < 2; all++) {
        const struct tr_stats *stats = all ? &l->all : &l->own;
        tr_table_time_f(t, tr_stats_mean(stats));
        tr_table_time_f(t, all ? l->all_p50 : l->own_p50);
        tr_table_time_f(t, tr_stats_std(stats));
        tr_table_time(t, stats->min);
        tr_table_time(t, stats->max);
    }
    tr_table_time(t, tr_stats_sum(&l->all));
    tr_table_time(t, tr_time_diff(l->start, s->first));
    tr_table_count(t, l->record);
    if (!tr_operators_work(s->operators, l->work, &s->work))
        return tr_fail_memory(err);
    tr_table_text(t, (struct tr_str){ (const char *)s->work.data, s->work.len });
    return TR_OK;
}

static void work_cells(struct tr_table *t, const struct tr__by_operator *s, const struct sorted *v)
{
    const struct tr_operator_row *r = &v->row;
    const struct tr_stats *d = &v->launched.own;
    if (v->stream == TR_I64_NONE)
        tr_table_absent(t);
    else
        tr_table_int(t, v->stream);
    if (s->options->by & TR_OPERATOR_POSITION && r->key.position == UINT32_MAX)
        tr_table_absent(t);
    else if (s->options->by & TR_OPERATOR_POSITION)
        tr_table_count(t, r->key.position);
    tr_table_count(t, r->kernels);
    tr_table_time(t, r->device_self);
    tr_table_pct(t, r->device_self, s->wholes[r->key.group]);
    tr_table_time_f(t, d->n ? tr_stats_mean(d) : NAN);
    tr_table_time_f(t, d->n ? tr_stats_std(d) : NAN);
    tr_table_time(t, d->n ? d->min : TR_TIME_NONE);
    tr_table_time_f(t, d->n ? v->launched.own_p50 : NAN);
    tr_table_time(t, d->n ? d->max : TR_TIME_NONE);
}

static void cost_cells(struct tr_table *t, const struct tr__by_operator *s, const struct tr_operator_row *r)
{
    bool none = r->key.name == TR_NO_STR;
    call_cells(t, r);
    tr_table_time(t, r->device_self);
    tr_table_time(t, r->device);
    tr_table_pct(t, r->device_self, s->wholes[r->key.group]);
    tr_table_count(t, r->kernels);
    tr_table_time(t, none ? TR_TIME_NONE : r->device_self_busy);
    tr_table_time(t, none ? TR_TIME_NONE : r->device_busy);
}

static enum tr_status add_row(struct tr__by_operator *s, struct tr_table *t, const struct sorted *v,
                              struct tr_error *err)
{
    const struct tr_operator_row *r = &v->row;
    const char *at = (const char *)(v + 1);
    struct tr_str category;
    enum tr_status st = TR_OK;
    tr_group_cells(t, s->in.work.per, &tr_operators_groups(s->operators)->groups[r->key.group]);
    tr_table_text(t, tr_record_next_text(&at));
    for (size_t k = 0; st == TR_OK && k < N_KEYS; k++) {
        struct tr_str text = tr_record_next_text(&at);
        if (!(s->options->by & keys[k].by))
            continue;
        if (k == CATEGORY)
            st = tr__by_operator_category(s, r, &category, err);
        tr_table_text(t, k == CATEGORY ? category : text);
    }
    if (s->options->by & TR_OPERATOR_KERNEL) {
        work_cells(t, s, v);
        return st == TR_OK ? tr_table_status(t, err) : st;
    }
    cost_cells(t, s, r);
    if (st == TR_OK && s->options->by & TR_OPERATOR_ARGS)
        st = launched_cells(t, s, v->launched.own.n ? &v->launched : NULL, err);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

/* Sort the rows: those that do not fit in memory go to a file, with their texts. */
static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct tr__by_operator *s = state;
    size_t n = 0, n_shown = 0, len;
    const void *v;
    struct tr_record_sort *order = NULL;
    enum tr_status st = tr__by_operator_take(s, &n, err);
    if (st == TR_OK)
        st = tr_record_sort_new(&order, s->in.max_memory / 16, s->in.temp_dir, by_cost, NULL, err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        tr__by_operator_touched(s);
        if (!tr__by_operator_shown(s, &s->rows[i]))
            continue;
        n_shown++;
        st = pack(s, i) ? tr_record_sort_add(order, s->packed.data, s->packed.len, err) : tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = tr_record_sort_merge(order, err);
    while (st == TR_OK && (st = tr_record_sort_next(order, &v, &len, err)) == TR_OK)
        st = add_row(s, t, v, err);
    st = st == TR_END ? TR_OK : st;
    if (st == TR_OK && n_shown)
        tr__by_operator_remark(s);
    tr_record_sort_free(order);
    return st;
}

/* ---- partial results ---- */

static const char *refuses(const void *options)
{
    const struct tr_operator_options *o = options;
    return o->by & TR_OPERATOR_ARGS     ? "rows of arguments have their values"
           : o->by & TR_OPERATOR_KERNEL ? "rows of the kernels of operators are not kept"
                                        : NULL;
}

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct tr__by_operator *s = state;
    return tr_operators_save(s->operators, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct tr__by_operator *s = state;
    return tr_operators_load(s->operators, in, err);
}

/* Work and its launch may come from different files of a rank. */
const struct tr_saving tr__by_operator_saving = { .version = 3,
                                         .whole_ranks = true,
                                         .refuses = refuses,
                                         .tables = tr_operators_saved,
                                         .n_tables = TR_OPERATORS_TABLES,
                                         .save = save,
                                         .load = load };

const struct tr_operator_options tr__by_operator_defaults = { .op = { .match = NULL } };

static bool say_captures(const void *graphs, struct tr_buf *text)
{
    const struct tr_graph_calls *const *g = graphs;
    return !*g || tr_buf_add(text, "1", 1);
}

/* Keys of TR_OPERATOR_SHAPE and so on.  Categories follow from names. */
static const char *const key_names[] = { "shape", "stack",     "module", "thread",   "",
                                         "args",  "recompute", "kernel", "position", NULL };
const struct tr_option tr__by_operator_settings[] = {
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct tr_operator_options, op),
      .shown = true, .help = "only operators whose names match" },
    { 0, "keys", "LIST", TR_OPTION_BITS, offsetof(struct tr_operator_options, by), .choices = key_names,
      .hidden = true },
    { 0, "captures", "FILE", TR_OPTION_CALL, offsetof(struct tr_operator_options, graphs), .say = say_captures,
      .hidden = true },
    { 0 },
};

const struct tr_analysis tr_analysis_operator = {
    .name = "operator",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "device_self" }, .facet = "rank" },
    .question = "Which operators cost most, on the host and on the devices?",
    .nothing = "no operator and no device work is selected",
    .groups = TR__BY_OPERATOR_GROUPS,
    .group = TR_PER_RANK,
    TR_OPTIONS(tr__by_operator_settings, tr__by_operator_defaults),
    .needs = tr__by_operator_needs,
    .columns = operator_columns,
    .start = tr__by_operator_start,
    .feed = tr__by_operator_feed,
    .finish = finish,
    .free = tr__by_operator_free,
    .saving = &tr__by_operator_saving,
};
