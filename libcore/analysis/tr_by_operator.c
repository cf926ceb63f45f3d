/* SPDX-License-Identifier: MIT */
/* What operators cost, one by one and by category. */
#include "analysis/tr_analyses.h"
#include "analysis/tr_operator_category.h"
#include "analysis/tr_operators.h"
#include "base/tr_mem.h"
#include "base/tr_strtab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char nobody[] = "(none)";

/* What tells rows apart beside the name, in the order of columns. */
enum { DIMS, TYPES, STRIDES, MODULE, CATEGORY, THREAD, STACK, N_KEYS };

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
    [MODULE] = { TR_OPERATOR_MODULE, { "module", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
                                       .meaning = "the innermost module around it, without its number" } },
    [CATEGORY] = { TR_OPERATOR_CATEGORY, { "category", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "what it is for" } },
    [THREAD] = { TR_OPERATOR_THREAD, { "thread", TR_CELL_STRING, TR_ROLE_KEY, .wide = true,
      .meaning = "that it ran on" } },
    [STACK] = { TR_OPERATOR_STACK, { "stack", TR_CELL_STRING, TR_ROLE_KEY, .names = true,
                                     .meaning = "the spans around it, outermost first, without steps" } },
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
      .meaning = "number of kernels, copies and fills that it launched itself" },
    { "device_self_busy", TR_CELL_TIME, TR_ROLE_SUM, .extra = true,
      .meaning = "as device_self, but overlapping work of one call counts once" },
    { "device_busy", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .of = "device_self_busy", .extra = true,
      .meaning = "as device, but overlapping work of one call counts once" },
};

static void operator_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    const struct tr_operator_options *o = options;
    tr_group_columns(t, in->work.per);
    tr_table_columns(t, &name_column, 1);
    for (unsigned k = 0; k < N_KEYS; k++)
        if (o->by & keys[k].by)
            tr_table_columns(t, &keys[k].column, 1);
    tr_table_columns(t, cost_columns, sizeof cost_columns / sizeof *cost_columns);
}

static void needs(const void *options, struct tr_needs *n)
{
    static const char *const args[] = { "Input Dims", "Input type", "Input Strides" };
    const struct tr_operator_options *o = options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD);
    n->want.derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK |
                      1u << TR_COL_N_DEVICE;
    n->want.any_rank_order = true;
    n->host = true;
    if (o->by & TR_OPERATOR_SHAPE) {
        n->want.keys = args;
        n->want.n_keys = sizeof args / sizeof *args;
    }
}

/* ---- the run ---- */

struct state {
    struct tr_analysis_in in;
    const struct tr_operator_options *options;
    struct tr_operators *operators;
    struct tr_rules *rules;
    struct tr_strtab *stacks;
};

static void release(void *state)
{
    struct state *s = state;
    tr_operators_free(s->operators);
    tr_rules_free(s->rules);
    tr_strtab_free(s->stacks);
    free(s);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err)
{
    struct state *s = *state = calloc(1, sizeof *s);
    if (!s || !(s->stacks = tr_strtab_new()))
        return tr_fail_memory(err);
    s->in = *in;
    s->options = options;
    return tr_operators_new(&in->work, s->options->by, in->dict, in->summary, in->sorted, in->select, &s->operators,
                            err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct state *s = state;
    (void)t;
    return tr_operators_feed(s->operators, b, keep, err);
}

/* ---- rows ---- */

struct sorted {
    const struct tr_operator_row *row;
    size_t place; /* of its group */
    struct tr_str name, keys[N_KEYS];
    int64_t whole; /* device work of the group */
};

static enum tr_status stack_of(struct state *s, const struct tr_operator_row *r, struct tr_buf *text,
                               struct tr_str *stack, struct tr_error *err)
{
    uint32_t id = TR_NO_STR;
    if (tr_operators_stack(s->operators, r->key.stack, text))
        id = tr_strtab_add(s->stacks, text->data ? (const char *)text->data : "", text->len);
    if (id == TR_NO_STR)
        return tr_fail_memory(err);
    *stack = (struct tr_str){ tr_strtab_get(s->stacks, id), tr_strtab_len(s->stacks, id) };
    return TR_OK;
}

static enum tr_status describe(struct state *s, const struct tr_operator_row *r, unsigned by, struct tr_buf *text,
                               struct sorted *v, struct tr_error *err)
{
    const struct tr_dict *d = s->in.dict;
    bool none = r->key.name == TR_NO_STR;
    enum tr_status st = TR_OK;
    *v = (struct sorted){ .row = r, .name = none ? tr_str_of(nobody) : tr_dict_text(d, r->key.name) };
    v->keys[DIMS] = tr_dict_text_if(d, r->key.dims);
    v->keys[TYPES] = tr_dict_text_if(d, r->key.types);
    v->keys[STRIDES] = tr_dict_text_if(d, r->key.strides);
    v->keys[MODULE] = tr_operators_text(s->operators, r->key.module);
    v->keys[THREAD] = tr_operators_text(s->operators, r->key.thread);
    if (none)
        v->keys[CATEGORY] = v->name;
    else if (by & TR_OPERATOR_CATEGORY)
        st = tr_operator_category(&s->rules, v->name, &v->keys[CATEGORY], err);
    if (st == TR_OK && !none && by & TR_OPERATOR_STACK)
        st = stack_of(s, r, text, &v->keys[STACK], err);
    return st;
}

/* Absent before any text. */
static int compare_texts(struct tr_str a, struct tr_str b)
{
    return !a.s || !b.s ? (a.s != NULL) - (b.s != NULL) : tr_str_cmp(a, b);
}

/* Largest first; what does not fit is the largest. */
static int compare_times(int64_t a, int64_t b)
{
    return a == b ? 0 : (uint64_t)a > (uint64_t)b ? -1 : 1;
}

static int by_cost(const void *x, const void *y)
{
    const struct sorted *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    int c = compare_times(a->row->device_self, b->row->device_self);
    c = c ? c : compare_times(a->row->host_self, b->row->host_self);
    c = c ? c : compare_texts(a->name, b->name);
    for (size_t k = 0; !c && k < N_KEYS; k++)
        c = compare_texts(a->keys[k], b->keys[k]);
    c = c ? c : compare_times(a->row->host, b->row->host);
    c = c ? c : compare_times(a->row->device, b->row->device);
    c = c ? c : (a->row->calls < b->row->calls) - (a->row->calls > b->row->calls);
    c = c ? c : compare_times(a->row->device_self_busy, b->row->device_self_busy); /* of deep stacks with one text */
    c = c ? c : compare_times(a->row->device_busy, b->row->device_busy);
    return c ? c : (a->row->kernels < b->row->kernels) - (a->row->kernels > b->row->kernels);
}

/* The device work of each group, in the order of keys, and the place of each group there. */
static enum tr_status sum_groups(const struct state *s, const struct tr_operator_row *rows, size_t n, size_t **places,
                                 int64_t **wholes, struct tr_error *err)
{
    const struct tr_group_by *w = tr_operators_groups(s->operators);
    uint32_t *order = tr_group_by_order(w);
    *places = calloc(w->n_groups + 1, sizeof **places);
    *wholes = calloc(w->n_groups + 1, sizeof **wholes);
    bool ok = order && *places && *wholes;
    for (size_t i = 0; ok && i < w->n_groups; i++)
        (*places)[order[i]] = i;
    for (size_t i = 0; ok && i < n; i++)
        (*wholes)[rows[i].key.group] = tr_time_sum((*wholes)[rows[i].key.group], rows[i].device_self);
    free(order);
    return ok ? TR_OK : tr_fail_memory(err);
}

/*
 * Which rows are shown: those that --op chooses of operators whose calls or work are selected; with a test of the work,
 * those that have some of it.
 */
static bool shown(struct state *s, const struct tr_operator_row *r)
{
    const struct tr_name_test *op = &s->options->op;
    if (tr_operators_where(s->operators) && !r->kernels_below)
        return false;
    if (!r->calls && !r->kernels_below)
        return false;
    if (!op->match)
        return true;
    return r->key.name != TR_NO_STR && op->match(op->self, tr_dict_text(s->in.dict, r->key.name));
}

/* All rows that are shown, in order.  *out is the caller's, to be freed. */
static enum tr_status sort_rows(struct state *s, unsigned by, struct sorted **out, size_t *n_out, struct tr_error *err)
{
    const struct tr_operator_row *rows;
    size_t n = 0, *places = NULL;
    int64_t *wholes = NULL;
    struct tr_buf text = { 0 };
    enum tr_status st = tr_operators_finish(s->operators, &rows, &n, err);
    *out = calloc(n + 1, sizeof **out);
    *n_out = 0;
    if (st == TR_OK && !*out)
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = sum_groups(s, rows, n, &places, &wholes, err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        struct sorted *v = &(*out)[*n_out];
        if (!shown(s, &rows[i]))
            continue;
        st = describe(s, &rows[i], by, &text, v, err);
        v->place = places[rows[i].key.group];
        v->whole = wholes[rows[i].key.group];
        ++*n_out;
    }
    if (st == TR_OK && *n_out)
        qsort(*out, *n_out, sizeof **out, by_cost);
    tr_buf_free(&text);
    free(places);
    free(wholes);
    return st;
}

/* Of work that no operator launched there are no calls. */
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

static void add_row(const struct state *s, struct tr_table *t, const struct sorted *v)
{
    const struct tr_operator_row *r = v->row;
    bool none = r->key.name == TR_NO_STR;
    tr_group_cells(t, s->in.work.per, &tr_operators_groups(s->operators)->groups[r->key.group]);
    tr_table_text(t, v->name);
    for (size_t k = 0; k < N_KEYS; k++)
        if (s->options->by & keys[k].by)
            tr_table_text(t, v->keys[k]);
    call_cells(t, r);
    tr_table_time(t, r->device_self);
    tr_table_time(t, r->device);
    tr_table_pct(t, r->device_self, v->whole);
    tr_table_count(t, r->kernels);
    tr_table_time(t, none ? TR_TIME_NONE : r->device_self_busy);
    tr_table_time(t, none ? TR_TIME_NONE : r->device_busy);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    struct sorted *rows = NULL;
    size_t n = 0;
    enum tr_status st = sort_rows(s, s->options->by, &rows, &n, err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        add_row(s, t, &rows[i]);
        st = tr_table_status(t, err);
    }
    free(rows);
    return st;
}

/* ---- partial results ---- */

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct state *s = state;
    return tr_operators_save(s->operators, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct state *s = state;
    return tr_operators_load(s->operators, in, err);
}

/* What tells rows apart; categories follow from names, and which operators are shown is no part of the state. */
static enum tr_status say(const void *options, struct tr_buf *text, struct tr_error *err)
{
    static const char *const names[] = { "shape ", "stack ", "module ", "thread " };
    const struct tr_operator_options *o = options;
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++)
        ok = !(o->by & 1u << i) || tr_buf_add_str(text, names[i]);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* Work may come from another file of its rank than its launch. */
static const struct tr_saving saving = { .version = 1,
                                         .whole_ranks = true,
                                         .tables = tr_operators_saved,
                                         .n_tables = TR_OPERATORS_TABLES,
                                         .say = say,
                                         .save = save,
                                         .load = load };

static const struct tr_operator_options defaults = { .op = { .match = NULL } };

#define GROUPS \
    (TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_STEP) | TR_PER_BIT(TR_PER_CAPTURE) | TR_PER_BIT(TR_PER_ALL))

const struct tr_analysis tr_analysis_operator = {
    .name = "operator",
    .question = "Which operators cost most, on the host and on the devices?",
    .nothing = "no operator and no device work is selected",
    .groups = GROUPS,
    .group = TR_PER_RANK,
    .defaults = &defaults,
    .needs = needs,
    .columns = operator_columns,
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .saving = &saving,
};

/* ---- categories ---- */

static const struct tr_table_column category_columns[] = {
    { "category", TR_CELL_STRING, TR_ROLE_KEY,
      .meaning = "category of the operators; (none): work without an operator" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "calls of its operators" },
    { "device_self", TR_CELL_TIME, TR_ROLE_SUM, .main = true,
      .meaning = "sum of durations of the work that they launched themselves" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "device_self",
      .meaning = "share of all device work of the group" },
    { "cum_pct", TR_CELL_RATIO, TR_ROLE_QUANTILE, 2, .unit = "%",
      .meaning = "share of this row and the rows above it" },
};

struct category {
    const struct sorted *first;
    uint64_t calls;
    int64_t device_self;
};

static int by_category(const void *x, const void *y)
{
    const struct sorted *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    return compare_texts(a->keys[CATEGORY], b->keys[CATEGORY]);
}

static int by_device(const void *x, const void *y)
{
    const struct category *a = x, *b = y;
    if (a->first->place != b->first->place)
        return a->first->place < b->first->place ? -1 : 1;
    int c = compare_times(a->device_self, b->device_self);
    return c ? c : compare_texts(a->first->keys[CATEGORY], b->first->keys[CATEGORY]);
}

static struct category *add_up(struct sorted *rows, size_t n, size_t *n_out)
{
    struct category *of = calloc(n + 1, sizeof *of);
    *n_out = 0;
    if (n)
        qsort(rows, n, sizeof *rows, by_category);
    for (size_t i = 0; of && i < n; i++) {
        if (!i || by_category(&rows[i - 1], &rows[i]) != 0)
            of[(*n_out)++].first = &rows[i];
        struct category *c = &of[*n_out - 1];
        c->calls += rows[i].row->calls;
        c->device_self = tr_time_sum(c->device_self, rows[i].row->device_self);
    }
    if (of && *n_out)
        qsort(of, *n_out, sizeof *of, by_device);
    return of;
}

static enum tr_status category_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    struct sorted *rows = NULL;
    size_t n = 0, n_rows = 0;
    int64_t so_far = 0;
    enum tr_status st = sort_rows(s, TR_OPERATOR_CATEGORY, &rows, &n_rows, err);
    struct category *of = st == TR_OK ? add_up(rows, n_rows, &n) : NULL;
    if (st == TR_OK && !of)
        st = tr_fail_memory(err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        const struct sorted *v = of[i].first;
        so_far = i && of[i - 1].first->place == v->place ? so_far : 0;
        so_far = tr_time_sum(so_far, of[i].device_self);
        tr_group_cells(t, s->in.work.per, &tr_operators_groups(s->operators)->groups[v->row->key.group]);
        tr_table_text(t, v->keys[CATEGORY]);
        tr_table_count(t, of[i].calls);
        tr_table_time(t, of[i].device_self);
        tr_table_pct(t, of[i].device_self, v->whole);
        tr_table_pct(t, so_far, v->whole);
        st = tr_table_status(t, err);
    }
    free(of);
    free(rows);
    return st;
}

const struct tr_analysis tr_analysis_category = {
    .name = "category",
    .question = "Which categories of operators cost most on the devices?",
    .nothing = "no operator and no device work is selected",
    .groups = GROUPS,
    .group = TR_PER_RANK,
    .defaults = &defaults,
    .needs = needs,
    TR_OWN_COLUMNS(category_columns),
    .start = start,
    .feed = feed,
    .finish = category_finish,
    .free = release,
    .saving = &saving,
};
