/* SPDX-License-Identifier: MIT */
/* What do operators cost?  One by one, and by category. */
#include "analysis/tr_analyses.h"
#include "analysis/tr_operator_category.h"
#include "analysis/tr_operators.h"
#include "base/tr_mem.h"
#include "base/tr_strtab.h"
#include "model/tr_eventmap.h"
#include "stream/tr_record_sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char nobody[] = "(none)";

/* The keys of rows in addition to the name, in the order of columns. */
enum { DIMS, TYPES, STRIDES, ARGS, MODULE, CATEGORY, THREAD, RECOMPUTE, STACK, N_KEYS };

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

/* For the calls that launched work themselves. */
static const struct tr_table_column launched_columns[] = {
    { "launchers", TR_CELL_COUNT, TR_ROLE_COUNT, .extra = true,
      .meaning = "calls that launched work themselves; what follows is about these" },
    { "self_mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true,
      .meaning = "of a call: time of the work that it launched itself; what overlaps counts once" },
    { "self_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "median of that" },
    { "self_std", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "standard deviation of the sample" },
    { "self_min", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the least" },
    { "self_max", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the most" },
    { "mean", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true,
      .meaning = "the same of the work that it and operators inside it launched" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "median of that" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "standard deviation of the sample" },
    { "min", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the least" },
    { "max", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "the most" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, .extra = true, .meaning = "added up" },
    { "first", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true,
      .meaning = "begin of the first of them, after the first of all" },
    { "record", TR_CELL_COUNT, TR_ROLE_QUANTILE, .extra = true, .meaning = "its place in its file, from 0" },
    { "work", TR_CELL_STRING, TR_ROLE_TEXT, .extra = true, .wide = true,
      .meaning = "names of the work that it launched itself, with '; ' between" },
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
    if (o->by & TR_OPERATOR_ARGS)
        tr_table_columns(t, launched_columns, sizeof launched_columns / sizeof *launched_columns);
}

static void needs(const void *options, struct tr_needs *n)
{
    static const char *const args[] = { "hlo_op", "Input Dims", "Input type", "Input Strides", "Concrete Inputs" };
    const struct tr_operator_options *o = options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD);
    n->want.derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_LAUNCH_TRACK |
                      1u << TR_COL_N_DEVICE;
    n->want.any_rank_order = true;
    n->host = true;
    n->want.keys = args;
    n->want.n_keys = !(o->by & TR_OPERATOR_SHAPE) ? 1 : o->by & TR_OPERATOR_ARGS ? 5 : 4;
}

/* ---- the run ---- */

struct state {
    struct tr_analysis_in in;
    const struct tr_operator_options *options;
    struct tr_operators *operators;
    struct tr_rules *rules;
    struct tr_strtab *texts; /* categories */
    /* the answer */
    const struct tr_operator_row *rows;
    size_t *places; /* by group: its place */
    int64_t *wholes; /* by group: its device work */
    int64_t first;  /* start of the first call that launched work */
    struct tr_buf work;         /* names of work */
    struct tr_buf text, packed; /* a stack; a row and its texts */
};

static void release(void *state)
{
    struct state *s = state;
    tr_operators_free(s->operators);
    tr_rules_free(s->rules);
    tr_strtab_free(s->texts);
    tr_buf_free(&s->work);
    tr_buf_free(&s->text);
    tr_buf_free(&s->packed);
    free(s->places);
    free(s->wholes);
    free(s);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state, struct tr_error *err)
{
    struct state *s = *state = calloc(1, sizeof *s);
    if (!s || !(s->texts = tr_strtab_new()))
        return tr_fail_memory(err);
    s->in = *in;
    s->options = options;
    s->first = INT64_MAX;
    enum tr_status st = tr_operators_new(&in->work, s->options->by, in->dict, in->summary, in->sorted, in->select,
                                         &s->operators, err);
    if (st == TR_OK && s->options->by & TR_OPERATOR_ARGS)
        tr_operators_want_launched(s->operators);
    return st;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct state *s = state;
    (void)t;
    return tr_operators_feed(s->operators, b, keep, err);
}

/* ---- rows ---- */

/*
 * A row to be sorted, with all of its output, so that printing reads nothing else: there may be more rows than fit in
 * memory.  The bytes of its texts follow it: its name, and its keys except the category.
 */
struct sorted {
    struct tr_operator_row row;
    struct tr_operator_launched launched; /* own.n 0: nothing */
    uint32_t place;                       /* of its group */
    uint32_t len[1 + N_KEYS];             /* of the texts; NO_TEXT: absent */
};
#define NO_TEXT UINT32_MAX

static struct tr_str name_of(const struct state *s, const struct tr_operator_row *r)
{
    return r->key.name == TR_NO_STR ? tr_str_of(nobody) : tr_dict_text(s->in.dict, r->key.name);
}

/* The text of a key except the category, which follows from the name; stack: the number that s->work holds. */
static struct tr_str key_text(const struct state *s, const struct tr_operator_key *key, size_t k)
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
    case STACK:
        return s->options->by & TR_OPERATOR_STACK && key->name != TR_NO_STR
                   ? (struct tr_str){ s->text.data ? (const char *)s->text.data : "", s->text.len }
                   : tr_str_of(NULL);
    default:
        return tr_str_of(NULL);
    }
}

static enum tr_status category_of(struct state *s, const struct tr_operator_row *r, struct tr_str *category,
                                  struct tr_error *err)
{
    *category = tr_str_of(nobody);
    return r->key.name == TR_NO_STR ? TR_OK : tr_operator_category(&s->rules, name_of(s, r), category, err);
}

/* Row i with its texts, in s->packed.  False: out of memory. */
static bool pack(struct state *s, size_t i)
{
    const struct tr_operator_row *r = &s->rows[i];
    const struct tr_operator_launched *l = tr_operators_launched(s->operators, i);
    struct sorted v = { .row = *r, .place = (uint32_t)s->places[r->key.group] };
    if (l)
        v.launched = *l;
    bool ok = !(s->options->by & TR_OPERATOR_STACK) || r->key.name == TR_NO_STR ||
              tr_operators_stack(s->operators, r->key.stack, &s->text);
    s->packed.len = 0;
    ok = ok && tr_buf_add(&s->packed, &v, sizeof v);
    for (size_t k = 0; ok && k <= N_KEYS; k++) {
        struct tr_str text = k ? key_text(s, &r->key, k - 1) : name_of(s, r);
        v.len[k] = text.s ? (uint32_t)text.len : NO_TEXT;
        ok = !text.s || tr_buf_add_text(&s->packed, text);
    }
    if (ok)
        memcpy(s->packed.data, &v, sizeof v);
    return ok;
}

/* The next text of a row; *at: where it begins, then moved on. */
static struct tr_str next_text(const struct sorted *v, size_t k, const char **at)
{
    struct tr_str text = { *at, v->len[k] };
    if (v->len[k] == NO_TEXT)
        return tr_str_of(NULL);
    *at += text.len;
    return text;
}

/* Absent before any text. */
static int compare_texts(struct tr_str a, struct tr_str b)
{
    return !a.s || !b.s ? (a.s != NULL) - (b.s != NULL) : tr_str_cmp(a, b);
}

/* Largest first; a value that does not fit is the largest. */
static int compare_times(int64_t a, int64_t b)
{
    return a == b ? 0 : (uint64_t)a > (uint64_t)b ? -1 : 1;
}

static int by_cost(void *self, const void *x, const void *y)
{
    const struct sorted *v = x, *w = y;
    const struct tr_operator_row *a = &v->row, *b = &w->row;
    const char *left = (const char *)(v + 1), *right = (const char *)(w + 1);
    (void)self;
    if (v->place != w->place)
        return v->place < w->place ? -1 : 1;
    int c = compare_times(a->device_self, b->device_self);
    c = c ? c : compare_times(a->host_self, b->host_self);
    for (size_t k = 0; !c && k <= N_KEYS; k++)
        c = compare_texts(next_text(v, k, &left), next_text(w, k, &right));
    c = c ? c : compare_times(a->host, b->host);
    c = c ? c : compare_times(a->device, b->device);
    c = c ? c : (a->calls < b->calls) - (a->calls > b->calls);
    c = c ? c : compare_times(a->device_self_busy, b->device_self_busy); /* for deep stacks with the same text */
    c = c ? c : compare_times(a->device_busy, b->device_busy);
    return c ? c : (a->kernels < b->kernels) - (a->kernels > b->kernels);
}

/* Sum up the device work of each group, and find the index of each group in the order of keys. */
static enum tr_status sum_groups(struct state *s, size_t n, struct tr_error *err)
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
        const struct tr_operator_launched *l = tr_operators_launched(s->operators, i);
        *whole = tr_time_sum(*whole, s->rows[i].device_self);
        s->first = l && l->start < s->first ? l->start : s->first;
        tr_operators_touched(s->operators);
    }
    free(order);
    return ok ? TR_OK : tr_fail_memory(err);
}

/*
 * Is a row shown?  It is if --op chooses its operator, and calls or work of it are selected.  If work is tested, some
 * of its work must pass.
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

/* Take all rows, in no order, and sum up their groups. */
static enum tr_status take_rows(struct state *s, size_t *n, struct tr_error *err)
{
    enum tr_status st = tr_operators_finish(s->operators, &s->rows, n, err);
    return st == TR_OK ? sum_groups(s, *n, err) : st;
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
static enum tr_status launched_cells(struct tr_table *t, struct state *s, const struct tr_operator_launched *l,
                                     struct tr_error *err)
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

static enum tr_status add_row(struct state *s, struct tr_table *t, const struct sorted *v, struct tr_error *err)
{
    const struct tr_operator_row *r = &v->row;
    bool none = r->key.name == TR_NO_STR;
    const char *at = (const char *)(v + 1);
    struct tr_str category;
    enum tr_status st = TR_OK;
    tr_group_cells(t, s->in.work.per, &tr_operators_groups(s->operators)->groups[r->key.group]);
    tr_table_text(t, next_text(v, 0, &at));
    for (size_t k = 0; st == TR_OK && k < N_KEYS; k++) {
        struct tr_str text = next_text(v, 1 + k, &at);
        if (!(s->options->by & keys[k].by))
            continue;
        if (k == CATEGORY)
            st = category_of(s, r, &category, err);
        tr_table_text(t, k == CATEGORY ? category : text);
    }
    call_cells(t, r);
    tr_table_time(t, r->device_self);
    tr_table_time(t, r->device);
    tr_table_pct(t, r->device_self, s->wholes[r->key.group]);
    tr_table_count(t, r->kernels);
    tr_table_time(t, none ? TR_TIME_NONE : r->device_self_busy);
    tr_table_time(t, none ? TR_TIME_NONE : r->device_busy);
    if (st == TR_OK && s->options->by & TR_OPERATOR_ARGS)
        st = launched_cells(t, s, v->launched.own.n ? &v->launched : NULL, err);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

/* Sort the rows: those that do not fit in memory go to a file, with their texts. */
static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    size_t n = 0, n_shown = 0, len;
    const void *v;
    struct tr_record_sort *order = NULL;
    enum tr_status st = take_rows(s, &n, err);
    if (st == TR_OK)
        st = tr_record_sort_new(&order, s->in.max_memory / 8, s->in.temp_dir, by_cost, NULL, err);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        tr_operators_touched(s->operators);
        if (!shown(s, &s->rows[i]))
            continue;
        n_shown++;
        st = pack(s, i) ? tr_record_sort_add(order, s->packed.data, s->packed.len, err) : tr_fail_memory(err);
    }
    if (st == TR_OK)
        st = tr_record_sort_merge(order, err);
    while (st == TR_OK && (st = tr_record_sort_next(order, &v, &len, err)) == TR_OK)
        st = add_row(s, t, v, err);
    st = st == TR_END ? TR_OK : st;
    const char *lack = st == TR_OK && n_shown ? tr_operators_lack(s->operators) : NULL;
    if (lack)
        tr_analysis_tell(&s->in, TR_TELL_WARN, NULL, "the trace has %s", lack);
    tr_record_sort_free(order);
    return st;
}

/* ---- partial results ---- */

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct state *s = state;
    if (s->options->by & TR_OPERATOR_ARGS)
        return tr_fail(err, TR_USAGE, "rows of arguments with their values are not kept as a partial result");
    return tr_operators_save(s->operators, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct state *s = state;
    return tr_operators_load(s->operators, in, err);
}

/* The keys of rows.  Categories follow from names, and which operators are shown does not change the state. */
static enum tr_status say(const void *options, struct tr_buf *text, struct tr_error *err)
{
    static const char *const names[] = { "shape ", "stack ", "module ", "thread ", "", "args ", "recompute " };
    const struct tr_operator_options *o = options;
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++)
        ok = !(o->by & 1u << i) || tr_buf_add_str(text, names[i]);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* Work and its launch may come from different files of a rank. */
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
    uint32_t group, place, text; /* place of the group; number of the category among s->texts */
    const struct state *s;
    uint64_t calls;
    int64_t device_self;
};

struct categories {
    struct category *of;
    size_t n, cap;
    struct tr_eventmap place; /* by group and text */
};

static struct tr_str text_of(const struct category *c)
{
    return (struct tr_str){ tr_strtab_get(c->s->texts, c->text), tr_strtab_len(c->s->texts, c->text) };
}

static int by_device(const void *x, const void *y)
{
    const struct category *a = x, *b = y;
    if (a->place != b->place)
        return a->place < b->place ? -1 : 1;
    int c = compare_times(a->device_self, b->device_self);
    return c ? c : tr_str_cmp(text_of(a), text_of(b));
}

static enum tr_status add_up(struct state *s, struct categories *all, const struct tr_operator_row *r,
                             struct tr_error *err)
{
    struct tr_str category;
    enum tr_status st = category_of(s, r, &category, err);
    if (st != TR_OK)
        return st;
    uint32_t text = tr_strtab_add(s->texts, category.s, category.len);
    uint32_t place = text == TR_NO_STR ? 0 : tr_eventmap_get(&all->place, r->key.group, text);
    if (text != TR_NO_STR && place == TR_EVENTMAP_NONE) {
        place = (uint32_t)all->n;
        if (!tr_grow(&all->of, &all->cap, all->n + 1, sizeof *all->of) ||
            !tr_eventmap_put(&all->place, r->key.group, text, place))
            return tr_fail_memory(err);
        all->of[all->n++] = (struct category){ r->key.group, (uint32_t)s->places[r->key.group], text, s, 0, 0 };
    }
    if (text == TR_NO_STR)
        return tr_fail_memory(err);
    all->of[place].calls += r->calls;
    all->of[place].device_self = tr_time_sum(all->of[place].device_self, r->device_self);
    return TR_OK;
}

static enum tr_status category_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct state *s = state;
    struct categories all = { .n = 0 };
    size_t n = 0;
    int64_t so_far = 0;
    enum tr_status st = take_rows(s, &n, err);
    for (size_t i = 0; i < n && st == TR_OK; i++, tr_operators_touched(s->operators))
        if (shown(s, &s->rows[i]))
            st = add_up(s, &all, &s->rows[i], err);
    if (all.n)
        qsort(all.of, all.n, sizeof *all.of, by_device);
    for (size_t i = 0; i < all.n && st == TR_OK; i++) {
        const struct category *c = &all.of[i];
        int64_t whole = s->wholes[c->group];
        so_far = i && all.of[i - 1].place == c->place ? so_far : 0;
        so_far = tr_time_sum(so_far, c->device_self);
        tr_group_cells(t, s->in.work.per, &tr_operators_groups(s->operators)->groups[c->group]);
        tr_table_text(t, text_of(c));
        tr_table_count(t, c->calls);
        tr_table_time(t, c->device_self);
        tr_table_pct(t, c->device_self, whole);
        tr_table_pct(t, so_far, whole);
        st = tr_table_status(t, err);
    }
    free(all.of);
    tr_eventmap_free(&all.place);
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
