/* SPDX-License-Identifier: MIT */
/* How near do operators come to the peak of their device?  As tables. */
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/operators/tr_operators_shared.h"
#include "analysis/roofline/tr_device_peaks.h"
#include "analysis/roofline/tr_roofline.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "base/tr_mem.h"
#include "model/tr_eventmap.h"
#include "vendor/tr_inductor.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

static const char *bound_name(unsigned bound)
{
    static const char *const names[] = { NULL, "memory", "compute", "mixed" };
    return bound < sizeof names / sizeof *names ? names[bound] : NULL;
}

static const char *suspect_name(unsigned suspect)
{
    return suspect ? "above its roof" : NULL;
}

#define OF(name) TR_OF(struct tr_roofline_row, name)
#define OWN(name) TR_OWN(struct tr_roofline_row, name)
static const struct tr_table_column columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, OWN(key.name), .names = true, .label = true, .none = "(none)",
      .meaning = "the operator; (none): work of none" },
    { "family", TR_CELL_STRING, TR_ROLE_KEY, OWN(key.family), .label = true,
      .meaning = "of its model; empty: it has none; (none): work of no operator" },
    { "category", TR_CELL_STRING, TR_ROLE_TEXT, OWN(key.name), .extra = true, .none = "(none)",
      .meaning = "what it is for" },
    { "shapes", TR_CELL_STRING, TR_ROLE_KEY, OF(key.dims), .wide = true, .meaning = "of its arguments" },
    { "dtypes", TR_CELL_STRING, TR_ROLE_KEY, OF(key.types), .wide = true, .meaning = "types of its arguments" },
    { "strides", TR_CELL_STRING, TR_ROLE_KEY, OF(key.strides), .extra = true, .wide = true,
      .meaning = "of its arguments" },
    { "args", TR_CELL_STRING, TR_ROLE_KEY, OF(key.args), .extra = true, .wide = true,
      .meaning = "values of its arguments" },
    { "params", TR_CELL_STRING, TR_ROLE_KEY, OWN(key.params), .wide = true,
      .meaning = "what the model makes of its arguments" },
    { "thread", TR_CELL_STRING, TR_ROLE_KEY, OWN(key.thread), .wide = true, .meaning = "that it ran on" },
    { "recompute", TR_CELL_STRING, TR_ROLE_KEY, OWN(key.recompute),
      .meaning = "yes: below PyTorch's function that computes again what a checkpoint left out" },
    { "api", TR_CELL_STRING, TR_ROLE_KEY, OF(key.api), .meaning = "of work of no operator: the call that launched it" },
    { "kernel", TR_CELL_STRING, TR_ROLE_KEY, OF(key.kernel), .wide = true,
      .meaning = "of work of no operator: the kernel, copy or memset" },
    { "node", TR_CELL_INT, TR_ROLE_KEY, OF(key.node), .meaning = "of work of no operator: its node of a graph" },
    { "fused", TR_CELL_STRING, TR_ROLE_TEXT, OWN(key.name), .wide = true,
      .meaning = "operators that inductor made this kernel of" },
    { "source", TR_CELL_STRING, TR_ROLE_TEXT, OWN(key.name), .wide = true,
      .meaning = "lines of generated code that define it" },

    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, OF(calls), .meaning = "that device work counts with" },
    { "device", TR_CELL_TIME, TR_ROLE_SUM, OF(device), .main = true,
      .meaning = "time of that work; of one call what overlaps counts once" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "device",
      .meaning = "share of all such time of the group" },
    { "model_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, OF(model_pct), .unit = "%", .extra = true,
      .meaning = "share of device of the calls whose arguments the model knows; what follows is about these" },
    { "flop", TR_CELL_RATIO, TR_ROLE_SUM, 0, OF(flops), .extra = true, .meaning = "their operations, added up" },
    { "bytes", TR_CELL_RATIO, TR_ROLE_SUM, 0, OF(bytes), .unit = "bytes", .extra = true,
      .meaning = "their bytes, added up" },
    { "flop_per_byte", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, OF(flop_per_byte), .extra = true,
      .meaning = "operations for each byte" },
    { "spec", TR_CELL_STRING, TR_ROLE_TEXT, OWN(spec), .extra = true,
      .meaning = "the peak that bounds them; empty: unknown, or they differ" },
    { "tflops", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, OF(tflops), .meaning = "10^12 operations per second" },
    { "tb_s", TR_CELL_RATIO, TR_ROLE_QUANTILE, 3, OF(tb_s), .meaning = "10^12 bytes per second" },
    { "bound", TR_CELL_STRING, TR_ROLE_TEXT, OF(bound), .word = bound_name, .n_words = TR_BOUND_MIXED + 1,
      .meaning = "by what: compute, memory, mixed" },
    { "roofline", TR_CELL_TIME, TR_ROLE_SUM, OF(roofline), .extra = true,
      .meaning = "the minimum time that the device needs for them" },
    { "roofline_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, OF(roofline_pct), .unit = "%", .main = true,
      .meaning = "share of their time that this is" },
    { "suspect", TR_CELL_STRING, TR_ROLE_TEXT, OF(suspect), .word = suspect_name, .n_words = 2, .quiet = TR_QUIET_0,
      .meaning = "above its roof: roofline_pct is above 100; another device (--arch), a cache, or a wrong model" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, OF(pieces), .extra = true, .meaning = "kernels, copies and memsets" },
    { "host", TR_CELL_TIME, TR_ROLE_INCLUSIVE, OF(host), .extra = true, .meaning = "time of the host in the calls" },
    { "mean", TR_CELL_TIME, TR_ROLE_MEAN, OF(device), .with = "calls", .per = "calls", .extra = true,
      .meaning = "device time of a call" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, OF(device), .with = "calls", .extra = true,
      .meaning = "standard deviation of that" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, OF(device), .with = "calls", .extra = true, .meaning = "the minimum" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, OF(device), .with = "calls", .extra = true, .meaning = "the maximum" },
    { "tflops_mean", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, OF(tflops_mean), .extra = true,
      .meaning = "mean of the rates of the calls" },
    { "tb_s_mean", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, OF(tb_s_mean), .extra = true,
      .meaning = "the same of bytes" },
    { "roofline_mean_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 9, OF(roofline_mean_pct), .unit = "%", .extra = true,
      .meaning = "the same of roofline_pct" },
    { "record", TR_CELL_COUNT, TR_ROLE_QUANTILE, OF(record), .extra = true,
      .meaning = "place of the first call in its file, from 0" },
};
enum { NAME, FAMILY, CATEGORY, DIMS, PARAMS = DIMS + 4, THREAD, RECOMPUTE, API, KERNEL, NODE, FUSED, SOURCE, COSTS };
#define N_COLUMNS (sizeof columns / sizeof *columns)

static void columns_of(const struct tr_analysis_in *in, unsigned by, bool families, bool code, struct tr_table *t)
{
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, &columns[families ? FAMILY : NAME], families ? 1 : 3);
    if (by & TR_ROOFLINE_SHAPE)
        tr_table_columns(t, &columns[DIMS], 4);
    if (by & TR_ROOFLINE_PARAMS)
        tr_table_columns(t, &columns[PARAMS], 1);
    if (by & TR_ROOFLINE_THREAD)
        tr_table_columns(t, &columns[THREAD], 1);
    if (by & TR_ROOFLINE_RECOMPUTE)
        tr_table_columns(t, &columns[RECOMPUTE], 1);
    if (by & TR_ROOFLINE_API)
        tr_table_columns(t, &columns[API], 1);
    if (by & TR_ROOFLINE_KERNEL)
        tr_table_columns(t, &columns[KERNEL], 1);
    if (by & TR_ROOFLINE_NODE)
        tr_table_columns(t, &columns[NODE], 1);
    if (by & TR_ROOFLINE_FUSED || code)
        tr_table_columns(t, &columns[FUSED], code ? 2 : 1);
    tr_table_columns(t, &columns[COSTS], N_COLUMNS - COSTS);
}

static void operator_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    const struct tr_roofline_options *o = options;
    columns_of(in, o->by, false, o->inductor, t);
}

static void family_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    columns_of(in, 0, true, false, t);
}

static void needs(const void *options, struct tr_needs *n)
{
    const struct tr_roofline_options *o = options;
    tr_operators_needs(TR_OPERATOR_SHAPE | TR_OPERATOR_ARGS, n);
    n->want.n_keys += o && o->backward ? 2 : 1; /* what models need */
    if (o && o->by & TR_ROOFLINE_API)
        n->want.derived |= 1u << TR_COL_LAUNCH_NAME;
    if (o && o->by & TR_ROOFLINE_NODE)
        n->want.derived |= 1u << TR_COL_GRAPH_ID | 1u << TR_COL_GRAPH_NODE;
}

static enum tr_status check(const void *options, struct tr_error *err)
{
    const struct tr_roofline_options *o = options;
    return o && o->models ? TR_OK : tr_fail(err, TR_USAGE, "there are no models");
}

/* ---- the run ---- */

#define BACKWARD 4u
#define ASKED    8u
#define ASKS     16u
#define PARTS    32u
#define STEP     64u
#define MODEL    3u

struct roofline_state {
    struct tr_analysis_in in;
    struct tr_roofline roofline;
    struct tr_device_peaks peaks;
    uint8_t *modelled; /* by name: 0 not looked up yet, 1 no, or own work alone, 2 yes, 3 and it needs the step; */
                       /* and BACKWARD if its backward pass has one, ASKED, ASKS and PARTS as models say, STEP if */
                       /* parts need the step */
    size_t n_modelled, cap_modelled;
    struct tr_eventmap part_of; /* by operator and kernel */
};

static void release(void *state)
{
    struct roofline_state *s = state;
    tr_roofline_free(&s->roofline);
    if (!s->roofline.options || !s->roofline.options->shared) /* else the run does it */
        tr_operators_free(s->roofline.operators);
    tr_strtab_free(s->roofline.texts);
    free(s->modelled);
    tr_eventmap_free(&s->part_of);
    tr_device_peaks_free(&s->peaks);
}

/* As in modelled. */
static uint8_t model_of(struct roofline_state *s, uint32_t name)
{
    if (name < s->n_modelled && s->modelled[name])
        return s->modelled[name];
    bool known = tr_grow(&s->modelled, &s->cap_modelled, (size_t)name + 1, 1);
    for (; known && s->n_modelled <= name; s->n_modelled++)
        s->modelled[s->n_modelled] = 0;
    const struct tr_models *models = s->roofline.options->models;
    struct tr_str text = tr_dict_text(s->in.dict, name);
    const struct tr_model *model = tr_models_find(models, text);
    bool own = tr_models_own(models, text);
    size_t n_parts;
    const struct tr_model *const *parts = tr_models_parts(models, text, &n_parts);
    uint8_t is = !model || own ? 1 : tr_model_needs_step(model) ? 3 : 2;
    for (size_t i = 0; i < n_parts; i++)
        is |= (uint8_t)(PARTS | (tr_model_needs_step(parts[i]) ? STEP : 0));
    is |= tr_models_asked(models, text) ? ASKED : 0;
    is |= tr_models_ask(models, text, tr_str_of(NULL)) ? ASKS : 0;
    if (s->roofline.options->backward && tr_roofline_name(s->in.dict, name, true, &s->roofline.name, &text) &&
        tr_models_find(s->roofline.options->models, text))
        is |= BACKWARD;
    if (known)
        s->modelled[name] = is;
    return is;
}

static bool has_model(void *self, uint32_t name)
{
    return (model_of(self, name) & MODEL) > 1;
}

static bool needs_step(void *self, uint32_t name)
{
    uint8_t is = model_of(self, name);
    return (is & MODEL) > 2 || is & STEP;
}

static bool has_backward(void *self, uint32_t name)
{
    return model_of(self, name) & BACKWARD;
}

static bool asked(void *self, uint32_t name)
{
    return model_of(self, name) & ASKED;
}

static bool asks(void *self, uint32_t outer, uint32_t inside)
{
    struct roofline_state *s = self;
    if (!(model_of(s, outer) & ASKS))
        return false;
    return inside == TR_NO_STR || tr_models_ask(s->roofline.options->models, tr_dict_text(s->in.dict, outer),
                                                tr_dict_text(s->in.dict, inside));
}

static unsigned parts_of(void *self, uint32_t name)
{
    struct roofline_state *s = self;
    size_t n = 0;
    if (model_of(s, name) & PARTS)
        (void)tr_models_parts(s->roofline.options->models, tr_dict_text(s->in.dict, name), &n);
    return (unsigned)n;
}

static unsigned part_of(void *self, uint32_t name, uint32_t kernel)
{
    struct roofline_state *s = self;
    uint32_t known = tr_eventmap_get(&s->part_of, name, kernel);
    if (known != TR_EVENTMAP_NONE)
        return known;
    size_t n, i = 0;
    const struct tr_model *const *parts = tr_models_parts(s->roofline.options->models, tr_dict_text(s->in.dict, name),
                                                          &n);
    while (i < n && !tr_model_takes(parts[i], tr_dict_text(s->in.dict, kernel)))
        i++;
    (void)tr_eventmap_put(&s->part_of, name, kernel, (uint32_t)i); /* without memory it is asked again */
    return (unsigned)i;
}

static struct tr_str part_text(void *self, uint32_t name, unsigned number)
{
    struct roofline_state *s = self;
    size_t n;
    return tr_model_kernels(tr_models_parts(s->roofline.options->models, tr_dict_text(s->in.dict, name), &n)[number]);
}

static unsigned nobody_keys(unsigned by)
{
    return (by & TR_ROOFLINE_API ? TR_NOBODY_API : 0u) | (by & TR_ROOFLINE_KERNEL ? TR_NOBODY_KERNEL : 0u) |
           (by & TR_ROOFLINE_NODE ? TR_NOBODY_NODE : 0u);
}

/* ---- texts of rows ---- */

/* What inductor made the kernel of a row of, and where; no text: it did not make it. */
static bool generated(struct roofline_state *s, const struct tr_roofline_row *r, bool source, struct tr_buf *room,
                      struct tr_str *text)
{
    struct tr_str kernel = tr_dict_text_if(s->in.dict, r->key.name == TR_NO_STR ? r->key.kernel : r->key.name);
    const struct tr_inductor *code = s->roofline.options->inductor;
    const struct tr_inductor_kernel *k = code ? tr_inductor_find(code, kernel) : NULL;
    *text = tr_str_of(NULL);
    if (k)
        *text = source ? k->sources : k->ops;
    if (text->s || source || !tr_inductor_fused(kernel).s)
        return true;
    room->len = 0;
    bool ok = tr_operators_fused(s->roofline.operators, kernel, room);
    *text = (struct tr_str){ (const char *)room->data, room->len };
    return ok;
}

static bool text_of(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                    struct tr_str *text)
{
    struct roofline_state *s = self;
    const struct tr_roofline_row *r = row;
    switch (is->at) {
    case offsetof(struct tr_roofline_row, key.name):
        if (strcmp(is->name, "fused") == 0 || strcmp(is->name, "source") == 0)
            return generated(s, r, is->name[0] == 's', room, text);
        if (is->role == TR_ROLE_KEY || r->key.name == TR_NO_STR)
            return tr_roofline_name(s->in.dict, r->key.name, r->key.backward, room, text);
        *text = tr_operators_category(s->roofline.operators, r->key.name, true);
        return text->s != NULL;
    case offsetof(struct tr_roofline_row, key.thread):
        *text = tr_operators_text(s->roofline.operators, r->key.thread);
        return true;
    case offsetof(struct tr_roofline_row, key.recompute):
        *text = tr_operators_text(s->roofline.operators, r->key.recompute);
        return true;
    case offsetof(struct tr_roofline_row, key.family):
        *text = tr_roofline_text(&s->roofline, r->key.family);
        return true;
    case offsetof(struct tr_roofline_row, key.params):
        *text = tr_roofline_text(&s->roofline, r->key.params);
        return true;
    default:
        *text = tr_roofline_text(&s->roofline, r->spec);
        return true;
    }
}

static const struct tr_row_own own = { .text = text_of };
static const struct tr_row_type type = {
    .name = "roofline",
    .size = sizeof(struct tr_roofline_row),
    .key_size = sizeof(struct tr_roofline_key),
    .columns = columns,
    .n_columns = N_COLUMNS,
    .order = "device,name,family,shapes,dtypes,strides,args,params,thread,recompute,api,kernel,node",
    .own = &own,
};

static bool skip(void *self, const void *row)
{
    struct roofline_state *s = self;
    const struct tr_roofline_row *r = row;
    const struct tr_name_test *op = &s->roofline.options->op;
    struct tr_str name = tr_str_of(NULL);
    return op->match && (!tr_roofline_name(s->in.dict, r->key.name, r->key.backward, &s->roofline.name, &name) ||
                         !name.s || !op->match(op->self, name));
}

static enum tr_status start_any(const struct tr_analysis_in *in, const void *options, bool families, void *state,
                                struct tr_error *err)
{
    struct roofline_state *s = state;
    if (!(s->roofline.texts = tr_strtab_new_in(tr_strtab_spill(in->dict->strings))))
        return tr_fail_memory(err);
    const struct tr_roofline_options *o = options;
    unsigned by = TR_OPERATOR_SHAPE | TR_OPERATOR_ARGS | (o->by & TR_ROOFLINE_THREAD ? TR_OPERATOR_THREAD : 0) |
                  (o->by & TR_ROOFLINE_RECOMPUTE ? TR_OPERATOR_RECOMPUTE : 0);
    const struct tr_operator_models models = { .has = has_model, .needs_step = needs_step,
                                               .has_backward = o->backward ? has_backward : NULL,
                                               .asked = asked, .asks = asks, .parts = parts_of, .part_of = part_of,
                                               .part = part_text, .self = s, .nested = o->nested,
                                               .nobody = families ? 0 : nobody_keys(o->by) };
    s->in = *in;
    s->roofline.options = o;
    s->roofline.families = families;
    s->roofline.dict = in->dict;
    enum tr_status st = o->shared ? tr_operators_shared_get(in, o->shared, &s->roofline.operators, err)
                                  : tr_operators_new(in, by, &s->roofline.operators, err);
    if (st == TR_OK)
        st = tr_operators_models(s->roofline.operators, in, &models, err);
    if (st == TR_OK && !(s->roofline.rows = tr_rows_new(&type, in, tr_operators_groups(s->roofline.operators), true)))
        st = tr_fail_memory(err);
    if (st != TR_OK)
        return st;
    tr_rows_owner(s->roofline.rows, s);
    tr_rows_skip(s->roofline.rows, skip, s);
    if (!o->shared)
        tr_operators_captures(s->roofline.operators, o->graphs);
    return tr_device_peaks_sources(&s->peaks, in) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    return start_any(in, options, false, state, err);
}

static enum tr_status start_families(const struct tr_analysis_in *in, const void *options, void *state,
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

/* ---- the result ---- */

static struct tr_rows *rows(void *state)
{
    return ((struct roofline_state *)state)->roofline.rows;
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct roofline_state *s = state;
    struct tr_roofline *r = &s->roofline;
    enum tr_status st = tr_operators_finish(r->operators, err);
    if (st == TR_OK)
        st = tr_device_peaks_choose(&s->peaks, &s->in, r->options->peaks, r->options->measured, err);
    r->peaks = s->peaks.use;
    if (st != TR_OK || (r->options->shared && !tr_operators_shaped(r->operators)))
        return st; /* without shapes no model knows anything */
    return tr_roofline_make(r, err);
}

static struct tr_str label_of(const struct roofline_state *s, const struct tr_roofline_row *row)
{
    return s->roofline.families ? tr_roofline_text(&s->roofline, row->key.family)
                                : tr_dict_text_if(s->in.dict, row->key.name);
}

/* No device is faster than its peaks.  Short work may be of what a cache has: rows below a percent of all time do not
 * count. */
static void remark_impossible(const struct roofline_state *s, int64_t whole)
{
    struct tr_str name = tr_str_of(NULL);
    double most = 100;
    size_t n = 0;
    for (size_t i = 0; i < tr_rows_count(s->roofline.rows); i++) {
        const struct tr_roofline_row *row = tr_rows_get(s->roofline.rows, i);
        struct tr_str label = label_of(s, row);
        if (!(row->roofline_pct > 100) || !label.s || tr_stats_sum(&row->device) < whole / 100)
            continue;
        bool first = !(row->roofline_pct < most) && tr_str_cmp(label, name) < 0; /* rows are in no order */
        if (row->roofline_pct > most || first)
            name = label;
        most = fmax(most, row->roofline_pct);
        n++;
    }
    if (n)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, NULL,
                           "%zu row%s faster than %s (%.*s: %.0f percent): %s, a cache, or a model that counts too "
                           "much",
                           n, n == 1 ? " is" : "s are",
                           s->peaks.measured ? "what was measured" : "the device can be",
                           (int)(name.len < 80 ? name.len : 80), name.s, most,
                           s->peaks.measured ? "a slow measurement (--measured)" : "another device (--arch)");
}

/* Messages about the result: the share of time that has a model, and what the trace lacks. */
static void remark(const struct roofline_state *s)
{
    int64_t whole = 0, known = 0;
    const struct tr_roofline *r = &s->roofline;
    enum tr_remark_kind how = r->options->shared ? TR_REMARK_RESULT : TR_REMARK_WARN;
    if (r->options->graphs)
        tr_graph_counts_remark(tr_operators_graphs(r->operators), &s->in, NULL);
    for (size_t i = 0; i < tr_rows_count(r->rows); i++) {
        const struct tr_roofline_row *row = tr_rows_get(r->rows, i);
        whole = tr_time_sum(whole, tr_stats_sum(&row->device));
        known = tr_time_sum(known, row->known_device);
    }
    if (whole > 0 && !r->options->nested && !r->options->backward)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, NULL, "%.1f percent of the device time has a model",
                           100 * (double)known / (double)whole);
    remark_impossible(s, whole);
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

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    (void)t;
    (void)err;
    remark(state);
    return TR_OK;
}

/* ---- partial results: work by the arguments of its calls; models and peaks are applied when all has come ---- */

#define DEVICES 2u /* table of the names of devices */
static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct roofline_state *s = state;
    tr_device_peaks_save(&s->peaks, out, DEVICES);
    return tr_operators_save(s->roofline.operators, true, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct roofline_state *s = state;
    enum tr_status st = tr_operators_load(s->roofline.operators, true, in, err);
    return st == TR_OK ? tr_device_peaks_load(&s->peaks, in, DEVICES, err) : st;
}

/* Work and its launch may come from different files of a rank. */
static const struct tr_saved_table tables[] = {
    { .rows = &tr_operators_owned_type },
    { .name = "selection", .columns = tr_operators_all, .n_columns = TR_OPERATORS_ALL },
    { .name = "devices", .columns = tr_device_peaks_columns, .n_columns = 1 },
};
static const struct tr_saving saving = { .name = "roofline", .version = 3, .whole_ranks = true, .tables = tables,
                                         .n_tables = 3, .save = save, .load = load };

#define GROUPS \
    (TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_STEP) | TR_PER_BIT(TR_PER_CAPTURE) | TR_PER_BIT(TR_PER_ALL))

static bool say_models(const void *field, struct tr_buf *text)
{
    struct tr_models *const *models = field;
    char mark[24];
    snprintf(mark, sizeof mark, "%" PRIx64, tr_models_mark(*models));
    return tr_buf_add_str(text, mark);
}

static const struct tr_roofline_options defaults = { .by = 0 };
static const char *const key_names[] = { "shape", "params", "thread", "recompute", "api", "kernel", "node", "fused",
                                         NULL };
static const struct tr_option settings[] = {
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct tr_roofline_options, op),
      .shown = true, .help = "only such operators [all]" },
    /* From here on also for families. */
    { 0, "nested", NULL, TR_OPTION_FLAG, offsetof(struct tr_roofline_options, nested),
      .help = "rows of operators inside of others that have a model, too; then work counts several times" },
    { 0, "backward", NULL, TR_OPTION_FLAG, offsetof(struct tr_roofline_options, backward),
      .help = "rows of backward passes that have a model, too; then work counts several times" },
    { 0, "keys", "LIST", TR_OPTION_BITS, offsetof(struct tr_roofline_options, by), .choices = key_names,
      .hidden = true },
    { 0, "models", "FILE", TR_OPTION_CALL, offsetof(struct tr_roofline_options, models), .say = say_models,
      .hidden = true },
    { 0, "captures", "FILE", TR_OPTION_CALL, offsetof(struct tr_roofline_options, graphs),
      .say = tr_operator_say_captures, .hidden = true },
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
    .more = needs,
    .columns = operator_columns,
    .state_size = sizeof(struct roofline_state),
    .start = start,
    .feed = feed,
    .complete = complete,
    .rows = rows,
    .finish = finish,
    .free = release,
    .saving = &saving,
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
    .more = needs,
    .columns = family_columns,
    .state_size = sizeof(struct roofline_state),
    .start = start_families,
    .feed = feed,
    .complete = complete,
    .rows = rows,
    .finish = finish,
    .free = release,
    .saving = &saving,
};
