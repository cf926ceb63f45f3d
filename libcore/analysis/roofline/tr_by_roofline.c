/* SPDX-License-Identifier: MIT */
/* How near do operators come to the peak of their device?  As tables. */
#include "analysis/operators/tr_operator_category.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/operators/tr_operators_shared.h"
#include "analysis/roofline/tr_device_peaks.h"
#include "analysis/roofline/tr_roofline.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "base/tr_mem.h"
#include "stream/sort/tr_record_sort.h"
#include "stream/sort/tr_record_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char nobody[] = "(none)";

static const struct tr_table_column name_column = { "name", TR_CELL_STRING, TR_ROLE_KEY, .names = true, .label = true,
                                                    .meaning = "the operator; (none): work of none" };
static const struct tr_table_column family_column = {
    "family", TR_CELL_STRING, TR_ROLE_KEY, .label = true,
    .meaning = "of its model; empty: it has none; (none): work of no operator"
};
static const struct tr_table_column category_column = { "category", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true,
                                                        .meaning = "what it is for" };
static const struct tr_table_column shape_columns[] = {
    { "shapes", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .meaning = "of its arguments" },
    { "dtypes", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .meaning = "types of its arguments" },
    { "strides", TR_CELL_STRING, TR_ROLE_KEY, .extra = true, .wide = true, .meaning = "of its arguments" },
    { "args", TR_CELL_STRING, TR_ROLE_KEY, .extra = true, .wide = true, .meaning = "values of its arguments" },
};
static const struct tr_table_column params_column = { "params", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
                                                      .meaning = "what the model makes of its arguments" };
static const struct tr_table_column thread_column = { "thread", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
                                                      .meaning = "that it ran on" };
static const struct tr_table_column recompute_column = {
    "recompute", TR_CELL_STRING, TR_ROLE_KEY,
    .meaning = "yes: below PyTorch's function that computes again what a checkpoint left out"
};
static const struct tr_table_column cost_columns[] = {
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "that device work counts with" },
    { "device", TR_CELL_TIME, TR_ROLE_SUM, .main = true,
      .meaning = "time of that work; of one call what overlaps counts once" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "device",
      .meaning = "share of all such time of the group" },
    { "model_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .unit = "%", .extra = true,
      .meaning = "share of device of the calls whose arguments the model knows; what follows is about these" },
    { "flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, .extra = true, .meaning = "their operations, added up" },
    { "bytes", TR_CELL_RATIO, TR_ROLE_SUM, 0, .unit = "bytes", .extra = true, .meaning = "their bytes, added up" },
    { "flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .extra = true, .meaning = "operations for each byte" },
    { "spec", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true,
      .meaning = "the peak that bounds them; empty: unknown, or they differ" },
    { "tflops", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .meaning = "10^12 operations per second" },
    { "tb_s", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, .meaning = "10^12 bytes per second" },
    { "bound", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "by what: compute, memory, mixed" },
    { "roofline", TR_CELL_TIME, TR_ROLE_SUM, .extra = true,
      .meaning = "the minimum time that the device needs for them" },
    { "roofline_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .unit = "%", .main = true,
      .meaning = "share of their time that this is" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true, .meaning = "kernels, copies and memsets" },
    { "host", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .extra = true, .meaning = "time of the host in the calls" },
    { "mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "device time of a call" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "standard deviation of that" },
    { "min", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the minimum" },
    { "max", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the maximum" },
    { "tflops_mean", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, .extra = true,
      .meaning = "mean of the rates of the calls" },
    { "tb_s_mean", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, .extra = true, .meaning = "the same of bytes" },
    { "roofline_mean_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, .unit = "%", .extra = true,
      .meaning = "the same of roofline_pct" },
    { "record", TR_CELL_COUNT, TR_ROLE_QUANTILE, .extra = true,
      .meaning = "place of the first call in its file, from 0" },
};

static void columns_of(const struct tr_analysis_in *in, unsigned by, bool families, struct tr_table *t)
{
    tr_group_columns(t, in->work.per);
    if (!families)
        tr_table_columns(t, &name_column, 1);
    tr_table_columns(t, &family_column, 1);
    if (!families)
        tr_table_columns(t, &category_column, 1);
    if (by & TR_ROOFLINE_SHAPE)
        tr_table_columns(t, shape_columns, sizeof shape_columns / sizeof *shape_columns);
    if (by & TR_ROOFLINE_PARAMS)
        tr_table_columns(t, &params_column, 1);
    if (by & TR_ROOFLINE_THREAD)
        tr_table_columns(t, &thread_column, 1);
    if (by & TR_ROOFLINE_RECOMPUTE)
        tr_table_columns(t, &recompute_column, 1);
    tr_table_columns(t, cost_columns, sizeof cost_columns / sizeof *cost_columns);
}

static void operator_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    const struct tr_roofline_options *o = options;
    columns_of(in, o->by, false, t);
}

static void family_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    columns_of(in, 0, true, t);
}

static void needs(const void *options, struct tr_needs *n)
{
    static const char *const args[] = { "hlo_op",     "hlo_module", "module_name",   "hlo_operation",
                                        "Input Dims", "Input type", "Input Strides", "Concrete Inputs",
                                        "Sequence number" };
    const struct tr_roofline_options *o = options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD);
    n->want.derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK |
                      1u << TR_COL_N_DEVICE;
    n->want.any_rank_order = true;
    n->want.keys = args;
    n->want.n_keys = sizeof args / sizeof *args - (o && o->backward ? 0 : 1);
    n->host = true;
}

static enum tr_status check(const void *options, struct tr_error *err)
{
    const struct tr_roofline_options *o = options;
    return o && o->models ? TR_OK : tr_fail(err, TR_USAGE, "there are no models");
}

/* ---- the run ---- */

#define BACKWARD 4u

struct roofline_state {
    struct tr_analysis_in in;
    struct tr_roofline roofline;
    struct tr_device_peaks peaks;
    struct tr_operator_categories categories;
    uint8_t *modelled; /* by name: 0 not looked up yet, 1 no, 2 yes, 3 yes, and its model needs the step; */
                       /* and BACKWARD if its backward pass has one */
    size_t n_modelled, cap_modelled;
    int64_t *wholes; /* by group: device time */
    size_t *places;
    struct tr_buf packed; /* a row and its texts */
};

static void release(void *state)
{
    struct roofline_state *s = state;
    tr_roofline_free(&s->roofline);
    if (!s->roofline.options || !s->roofline.options->shared) /* else the run does it */
        tr_operators_free(s->roofline.operators);
    tr_strtab_free(s->roofline.texts);
    tr_operator_categories_free(&s->categories);
    free(s->modelled);
    free(s->wholes);
    free(s->places);
    tr_buf_free(&s->packed);
    free(s);
}

/* As in modelled. */
static uint8_t model_of(struct roofline_state *s, uint32_t name)
{
    bool known = tr_grow(&s->modelled, &s->cap_modelled, (size_t)name + 1, 1);
    for (; known && s->n_modelled <= name; s->n_modelled++)
        s->modelled[s->n_modelled] = 0;
    if (known && s->modelled[name])
        return s->modelled[name];
    const struct tr_model *model = tr_models_find(s->roofline.options->models, tr_dict_text(s->in.dict, name));
    uint8_t is = !model ? 1 : tr_model_needs_step(model) ? 3 : 2;
    struct tr_str text;
    if (s->roofline.options->backward && tr_roofline_name(s->in.dict, name, true, &s->roofline.name, &text) &&
        tr_models_find(s->roofline.options->models, text))
        is |= BACKWARD;
    if (known)
        s->modelled[name] = is;
    return is;
}

static bool has_model(void *self, uint32_t name)
{
    return (model_of(self, name) & ~BACKWARD) > 1;
}

static bool needs_step(void *self, uint32_t name)
{
    return (model_of(self, name) & ~BACKWARD) > 2;
}

static bool has_backward(void *self, uint32_t name)
{
    return model_of(self, name) & BACKWARD;
}

static enum tr_status start_any(const struct tr_analysis_in *in, const void *options, bool families, void **state,
                                struct tr_error *err)
{
    struct roofline_state *s = *state = calloc(1, sizeof *s);
    if (!s || !(s->roofline.texts = tr_strtab_new_in(tr_strtab_spill(in->dict->strings))))
        return tr_fail_memory(err);
    const struct tr_roofline_options *o = options;
    unsigned by = TR_OPERATOR_SHAPE | TR_OPERATOR_ARGS | (o->by & TR_ROOFLINE_THREAD ? TR_OPERATOR_THREAD : 0) |
                  (o->by & TR_ROOFLINE_RECOMPUTE ? TR_OPERATOR_RECOMPUTE : 0);
    const struct tr_operator_models models = { has_model, needs_step, o->backward ? has_backward : NULL, s, o->nested };
    s->in = *in;
    s->roofline.options = o;
    s->roofline.families = families;
    s->roofline.dict = in->dict;
    enum tr_status st = o->shared ? tr_operators_shared_get(in, o->shared, &s->roofline.operators, err)
                                  : tr_operators_new(&in->work, by, in->dict, in->summary, in->sorted, in->select,
                                                     &s->roofline.operators, err);
    if (st == TR_OK)
        st = tr_device_peaks_choose(&s->peaks, in, o->peaks, err);
    s->roofline.peaks = s->peaks.use;
    if (st == TR_OK)
        tr_operators_models(s->roofline.operators, &models);
    if (st == TR_OK && !o->shared)
        tr_operators_captures(s->roofline.operators, o->graphs);
    return st;
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err)
{
    return start_any(in, options, false, state, err);
}

static enum tr_status start_families(const struct tr_analysis_in *in, const void *options, void **state,
                                     struct tr_error *err)
{
    return start_any(in, options, true, state, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct roofline_state *s = state;
    (void)t;
    return s->roofline.options->shared ? TR_OK : tr_operators_feed(s->roofline.operators, b, keep, err);
}

/* ---- rows ---- */

/* A row to be sorted; its texts follow it. */
enum { NAME, FAMILY, DIMS, TYPES, STRIDES, ARGS, PARAMS, THREAD, RECOMPUTE, N_TEXTS };
struct sorted {
    struct tr_roofline_row row;
    int64_t device;
    uint32_t place; /* of its group */
};

static struct tr_str text_of(struct roofline_state *s, const struct tr_roofline_key *k, size_t text)
{
    const struct tr_dict *d = s->in.dict;
    struct tr_roofline *r = &s->roofline;
    struct tr_str name;
    switch (text) {
    case NAME:
        return tr_roofline_name(d, k->name, k->backward, &r->name, &name) ? name : tr_str_of(NULL);
    case FAMILY:
        return tr_roofline_text(r, k->family);
    case DIMS:
        return tr_dict_text_if(d, k->dims);
    case TYPES:
        return tr_dict_text_if(d, k->types);
    case STRIDES:
        return tr_dict_text_if(d, k->strides);
    case ARGS:
        return tr_dict_text_if(d, k->args);
    case PARAMS:
        return tr_roofline_text(r, k->params);
    case THREAD:
        return tr_operators_text(r->operators, k->thread);
    default:
        return tr_operators_text(r->operators, k->recompute);
    }
}

/* A row with its texts, in s->packed.  False: out of memory. */
static bool pack(struct roofline_state *s, const struct tr_roofline_row *r)
{
    struct sorted v = { .row = *r, .device = tr_stats_sum(&r->device), .place = (uint32_t)s->places[r->key.group] };
    bool ok = tr_record_start(&s->packed, &v, sizeof v);
    for (size_t k = 0; ok && k < N_TEXTS; k++) {
        struct tr_str text = text_of(s, &r->key, k);
        bool lost = k == NAME && !text.s && r->key.name != TR_NO_STR; /* no memory for it */
        ok = !lost && tr_record_add_text(&s->packed, text);
    }
    return ok;
}

/* The longest first. */
static int by_time(void *self, const void *x, const void *y)
{
    const struct sorted *a = x, *b = y;
    (void)self;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    if (a->device != b->device)
        return (uint64_t)a->device > (uint64_t)b->device ? -1 : 1;
    return tr_record_compare_texts((const char *)(a + 1), (const char *)(b + 1), N_TEXTS);
}

static bool shown(struct roofline_state *s, const struct tr_roofline_row *r)
{
    const struct tr_name_test *op = &s->roofline.options->op;
    if (!op->match)
        return true;
    struct tr_str name = text_of(s, &r->key, NAME);
    return name.s && op->match(op->self, name);
}

static double quotient(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* The model's values for the calls whose arguments it knows. */
static void model_cells(struct tr_table *t, const struct roofline_state *s, const struct tr_roofline_row *r)
{
    double ns = (double)r->known_device;
    if (!r->known) {
        tr_table_ratio(t, tr_stats_sum(&r->device) > 0 ? 0 : NAN);
        for (unsigned i = 0; i < 9; i++)
            tr_table_absent(t);
        return;
    }
    tr_table_pct(t, r->known_device, tr_stats_sum(&r->device));
    tr_table_ratio(t, r->flops);
    tr_table_ratio(t, r->bytes);
    tr_table_ratio(t, quotient(r->flops, r->bytes));
    tr_table_text(t, tr_roofline_text(&s->roofline, r->spec));
    tr_table_ratio(t, quotient(r->flops, ns * 1000));
    tr_table_ratio(t, quotient(r->bytes, ns * 1000));
    tr_table_string(t, isnan(r->roofline) ? NULL
                       : r->compute_bound ? (r->memory_bound ? "mixed" : "compute")
                                          : "memory");
    tr_table_time_f(t, r->roofline);
    tr_table_ratio(t, quotient(100 * r->roofline, ns));
}

static enum tr_status key_cells(struct tr_table *t, struct roofline_state *s, const struct sorted *v,
                                struct tr_error *err)
{
    const struct tr_roofline *f = &s->roofline;
    const char *at = (const char *)(v + 1);
    struct tr_str text[N_TEXTS];
    unsigned by = f->families ? 0 : f->options->by;
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < N_TEXTS; k++)
        text[k] = tr_record_next_text(&at);
    struct tr_str name = text[NAME].s ? text[NAME] : tr_str_of(nobody), category = name;
    tr_group_cells(t, s->in.work.per, &tr_operators_groups(f->operators)->groups[v->row.key.group]);
    if (!f->families)
        tr_table_text(t, name);
    tr_table_text(t, text[FAMILY]);
    if (!f->families && text[NAME].s)
        st = tr_operator_category(&s->categories, s->in.dict, v->row.key.name, &category, err);
    if (!f->families)
        tr_table_text(t, category);
    for (size_t k = DIMS; by & TR_ROOFLINE_SHAPE && k <= ARGS; k++)
        tr_table_text(t, text[k]);
    if (by & TR_ROOFLINE_PARAMS)
        tr_table_text(t, text[PARAMS]);
    if (by & TR_ROOFLINE_THREAD)
        tr_table_text(t, text[THREAD]);
    if (by & TR_ROOFLINE_RECOMPUTE)
        tr_table_text(t, text[RECOMPUTE]);
    return st;
}

static enum tr_status add_row(struct tr_table *t, struct roofline_state *s, const struct sorted *v,
                              struct tr_error *err)
{
    const struct tr_roofline_row *r = &v->row;
    /* Work without launches can be a call of what it names, but is of no call of the host. */
    bool called = r->start != INT64_MAX, counted = called || r->known || r->key.name != TR_NO_STR;
    int64_t device = v->device;
    enum tr_status st = key_cells(t, s, v, err);
    if (counted)
        tr_table_count(t, r->device.n);
    else
        tr_table_absent(t);
    tr_table_time(t, device);
    tr_table_pct(t, device, s->wholes[r->key.group]);
    model_cells(t, s, r);
    tr_table_count(t, r->pieces);
    tr_table_time(t, called ? r->host : TR_TIME_NONE);
    tr_table_time_f(t, counted ? tr_stats_mean(&r->device) : NAN);
    tr_table_time_f(t, counted ? tr_stats_std(&r->device) : NAN);
    tr_table_time(t, counted ? r->device.min : TR_TIME_NONE);
    tr_table_time(t, counted ? r->device.max : TR_TIME_NONE);
    tr_table_ratio(t, r->known ? quotient(r->per_flops / 1000, (double)r->n_inverse) : NAN);
    tr_table_ratio(t, r->known ? quotient(r->per_bytes / 1000, (double)r->n_inverse) : NAN);
    tr_table_ratio(t, r->known ? quotient(r->per_roofline * 100, (double)r->n_inverse) : NAN);
    if (called)
        tr_table_count(t, r->record);
    else
        tr_table_absent(t);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

/* Messages about the result: the share of time that has a model, and what the trace lacks. */
static void remark(const struct roofline_state *s)
{
    int64_t whole = 0, known = 0;
    const struct tr_roofline *r = &s->roofline;
    enum tr_remark_kind how = r->options->shared ? TR_REMARK_RESULT : TR_REMARK_WARN;
    if (r->options->graphs)
        tr_graph_counts_remark(tr_operators_graphs(r->operators), &s->in, NULL);
    for (size_t i = 0; i < r->n_rows; i++) {
        tr_spilling_touched(&r->rows_in);
        whole = tr_time_sum(whole, tr_stats_sum(&r->rows[i].device));
        known = tr_time_sum(known, r->rows[i].known_device);
    }
    if (whole > 0 && !r->options->nested && !r->options->backward)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, NULL, "%.1f percent of the device time has a model",
                           100 * (double)known / (double)whole);
    if (!r->options->op.match)
        tr_operators_remark_unlinked(r->operators, &s->in);
    if (!r->no_shapes)
        tr_operators_remark(r->operators,
                            TR_OPERATOR_SHAPE | (r->options->by & TR_ROOFLINE_RECOMPUTE ? TR_OPERATOR_RECOMPUTE : 0u),
                            how, &s->in);
    if (r->no_shapes)
        tr_analysis_remark(&s->in, how, NULL,
                           "calls of operators with a model without shapes in the trace (record_shapes): %" PRIu64,
                           r->no_shapes);
    if (r->no_step)
        tr_analysis_remark(&s->in, how, NULL,
                           "calls whose model needs the requests of their step, which no annotation has: %" PRIu64,
                           r->no_step);
}

/* The device time of each group, and its index in the order of keys. */
static enum tr_status sum_groups(struct roofline_state *s, struct tr_error *err)
{
    const struct tr_roofline *r = &s->roofline;
    const struct tr_group_by *w = tr_operators_groups(r->operators);
    uint32_t *order = tr_group_by_order(w);
    s->wholes = calloc(w->n_groups + 1, sizeof *s->wholes);
    s->places = calloc(w->n_groups + 1, sizeof *s->places);
    bool ok = order && s->wholes && s->places;
    for (size_t i = 0; ok && i < w->n_groups; i++)
        s->places[order[i]] = i;
    for (size_t i = 0; ok && i < r->n_rows; i++) {
        int64_t *whole = &s->wholes[r->rows[i].key.group];
        tr_spilling_touched(&r->rows_in);
        *whole = tr_time_sum(*whole, tr_stats_sum(&r->rows[i].device));
    }
    free(order);
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct roofline_state *s = state;
    const struct tr_operator_row *rows;
    struct tr_record_sort *order = NULL;
    const void *v;
    size_t n = 0, len;
    enum tr_status st = tr_operators_finish(s->roofline.operators, &rows, &n, err);
    if (s->roofline.options->shared && !tr_operators_shaped(s->roofline.operators))
        n = 0; /* no model knows anything */
    if (st == TR_OK)
        st = tr_roofline_make(&s->roofline, rows, n, err);
    if (st == TR_OK)
        st = sum_groups(s, err);
    if (st == TR_OK)
        st = tr_record_sort_new(&order, s->in.max_memory / 16, s->in.temp_dir, by_time, NULL, err);
    for (size_t i = 0; st == TR_OK && i < s->roofline.n_rows; i++) {
        const struct tr_roofline_row *r = &s->roofline.rows[i];
        tr_spilling_touched(&s->roofline.rows_in);
        if (shown(s, r))
            st = pack(s, r) ? tr_record_sort_add(order, s->packed.data, s->packed.len, err) : tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = tr_record_sort_merge(order, err);
    while (st == TR_OK && (st = tr_record_sort_next(order, &v, &len, err)) == TR_OK)
        st = add_row(t, s, v, err);
    st = st == TR_END ? TR_OK : st;
    if (st == TR_OK)
        remark(s);
    tr_record_sort_free(order);
    return st;
}

#define GROUPS \
    (TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_STEP) | TR_PER_BIT(TR_PER_CAPTURE) | TR_PER_BIT(TR_PER_ALL))

static const struct tr_roofline_options defaults = { .by = 0 };
static const struct tr_option settings[] = {
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct tr_roofline_options, op),
      .help = "only such operators [all]" },
    /* From here on also for families. */
    { 0, "nested", NULL, TR_OPTION_FLAG, offsetof(struct tr_roofline_options, nested),
      .help = "rows of operators inside of others that have a model, too; then work counts several times" },
    { 0, "backward", NULL, TR_OPTION_FLAG, offsetof(struct tr_roofline_options, backward),
      .help = "rows of backward passes that have a model, too; then work counts several times" },
    { 0 },
};

const struct tr_analysis tr_analysis_roofline = {
    .name = "operator",
    .chart = &(const struct tr_chart){ TR_CHART_ROOFLINE, .x = "flop_per_byte", .y = { "tflops" }, .series = "spec",
                                       .log_x = true, .log_y = true },
    .question = "How near do operators come to what their device can do?",
    .nothing = "no device work is selected",
    .groups = GROUPS,
    .group = TR_PER_RANK,
    TR_OPTIONS(settings, defaults),
    .check = check,
    .needs = needs,
    .columns = operator_columns,
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .unsaved = "models are applied to all calls together",
};

const struct tr_analysis tr_analysis_roofline_family = {
    .name = "family",
    .chart = &(const struct tr_chart){ TR_CHART_ROOFLINE, .x = "flop_per_byte", .y = { "tflops" },
                                       .series = "family", .log_x = true, .log_y = true },
    .question = "How near do families of operators come to what their device can do?",
    .nothing = "no device work is selected",
    .groups = GROUPS,
    .group = TR_PER_RANK,
    TR_OPTIONS(&settings[1], defaults),
    .check = check,
    .needs = needs,
    .columns = family_columns,
    .start = start_families,
    .feed = feed,
    .finish = finish,
    .free = release,
    .unsaved = "models are applied to all calls together",
};
