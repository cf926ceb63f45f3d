/* SPDX-License-Identifier: MIT */
/* Rows of operators, of their work, and of work that is owned: columns, texts, partial results. */
#include "analysis/operators/tr_operators_int.h"

#include <string.h>

/* ---- texts ---- */

struct tr_str tr_operators_text(const struct tr_operators *a, uint32_t text)
{
    return text == UINT32_MAX
               ? tr_str_of(NULL)
               : (struct tr_str){ tr_strtab_get(a->keys.texts, text), tr_strtab_len(a->keys.texts, text) };
}

static const struct tr_operator_opening *opening_in(const struct tr_rows *rows, size_t i, bool owned)
{
    const void *row = tr_rows_get(rows, i);
    return owned ? &((const struct tr_operator_owned *)row)->opening : &((const struct tr_operator_row *)row)->opening;
}

/* The row of each name that has its first kernel; of one time, the smaller name counts. */
static bool find_openings(struct tr_operators *a, bool owned)
{
    const struct tr_rows *rows = owned ? a->owners.rows : a->rows;
    struct tr_number_map *of = &a->openings[owned];
    bool ok = true;
    a->opened[owned] = true;
    of->in.spill = tr_strtab_spill(a->keys.dict->strings); /* where the names are */
    for (size_t i = 0; ok && i < tr_rows_count(rows); i++) {
        uint32_t name = ((const struct tr_operator_key *)tr_rows_get(rows, i))->name;
        const struct tr_operator_opening o = *opening_in(rows, i, owned);
        if (name == TR_NO_STR || o.start == TR_I64_NONE)
            continue;
        uint32_t known = tr_number_of(of, name);
        if (known != TR_NUMBER_UNKNOWN) {
            const struct tr_operator_opening other = *opening_in(rows, known - 1, owned);
            if (other.start < o.start ||
                (other.start == o.start && tr_str_cmp(tr_dict_text_if(a->keys.dict, other.kernel),
                                                      tr_dict_text_if(a->keys.dict, o.kernel)) <= 0))
                continue;
        }
        ok = tr_number_map_set(of, name, (uint32_t)i + 1);
    }
    return ok;
}

struct tr_str tr_operators_category(struct tr_operators *a, uint32_t name, bool owned)
{
    struct tr_str label = tr_str_of(NULL);
    if (!a->opened[owned] && !find_openings(a, owned))
        return label;
    uint32_t row = tr_number_of(&a->openings[owned], name);
    uint32_t kernel = row == TR_NUMBER_UNKNOWN ? TR_NO_STR
                                               : opening_in(owned ? a->owners.rows : a->rows, row - 1, owned)->kernel;
    return tr_operator_category(&a->categories, a->keys.dict, name, kernel, &label, NULL) == TR_OK ? label
                                                                                                   : tr_str_of(NULL);
}

bool tr_operators_fused(struct tr_operators *a, struct tr_str kernel, struct tr_buf *out)
{
    return tr_operator_fused(&a->categories, kernel, out, NULL) == TR_OK;
}

static uint32_t number_of(const struct tr_table_column *is, const void *row)
{
    uint32_t number;
    memcpy(&number, (const char *)row + is->at, sizeof number);
    return number;
}

#define KERNEL_COLUMN "first_kernel"

static bool is(const struct tr_table_column *column, const char *name)
{
    return strcmp(column->name, name) == 0;
}

static bool stack_text(const struct tr_operators *a, const struct tr_stacks *s, uint32_t stack, const char *between,
                       struct tr_buf *room, struct tr_str *text)
{
    bool ok = tr_stacks_text(s, a->keys.dict, stack, between, room);
    *text = (struct tr_str){ room->data ? (const char *)room->data : "", room->len };
    return ok;
}

/* A stack is a text for each call, even if nothing is around it. */
static bool own_text(void *self, const struct tr_table_column *c, const void *row, struct tr_buf *room,
                     struct tr_str *text)
{
    struct tr_operators *a = self;
    const struct tr_operator_key *key = row;
    uint32_t number = number_of(c, row);
    if (is(c, KERNEL_COLUMN)) {
        *text = tr_dict_text_if(a->keys.dict, number);
        return true;
    }
    if (is(c, "work"))
        return number == TR_STACK_NONE || stack_text(a, &a->works, number, "; ", room, text);
    if (is(c, "stack"))
        return key->name == TR_NO_STR || stack_text(a, &a->keys.stacks, number, " > ", room, text);
    if (!is(c, "category")) {
        *text = tr_operators_text(a, number);
        return true;
    }
    if (number != TR_NO_STR)
        *text = tr_operators_category(a, number, false);
    return number == TR_NO_STR || text->s;
}

static bool save_own(void *self, const struct tr_table_column *c, const void *row, struct tr_buf *room,
                     struct tr_str *text)
{
    const struct tr_operators *a = self;
    bool work = is(c, "work"), list = work || is(c, "stack");
    uint32_t number = number_of(c, row);
    if (is(c, KERNEL_COLUMN)) {
        *text = tr_dict_text_if(a->keys.dict, number);
        return true;
    }
    if (!list || number == TR_STACK_NONE) {
        *text = list ? tr_str_of(NULL) : tr_operators_text(a, number);
        return true;
    }
    bool ok = tr_partial_list_stack(work ? &a->works : &a->keys.stacks, a->keys.dict, number, room);
    *text = (struct tr_str){ (const char *)room->data, room->len };
    return ok;
}

static bool load_own(void *self, const struct tr_table_column *c, struct tr_partial_in *in, struct tr_str text,
                     void *to)
{
    struct tr_operators *a = self;
    uint32_t *number = to;
    *number = UINT32_MAX;
    if (!text.s)
        return true;
    if (is(c, KERNEL_COLUMN)) {
        *number = tr_partial_string(in, text);
        return true;
    }
    if (is(c, "work") || is(c, "stack"))
        return tr_partial_stack(in, is(c, "work") ? &a->works : &a->keys.stacks, text, number);
    *number = tr_strtab_add(a->keys.texts, text.s, text.len);
    return *number != TR_NO_STR;
}

static const struct tr_row_own own = { .text = own_text, .save = save_own, .load = load_own };

/* ---- columns ---- */

#define OF(name) TR_OF(struct tr_operator_row, name)
static const char *phase_name(unsigned phase)
{
    static const char *const of_training[] = { "forward", "backward", "optimizer" };
    return phase < TR_PHASE_FORWARD ? tr_step_phase_name(phase) : of_training[phase - TR_PHASE_FORWARD];
}

/* clang-format off */
#define KEYS                                                                                                          \
    { "name", TR_CELL_STRING, TR_ROLE_KEY, OF(key.name), .names = true, .label = true, .none = "(none)",               \
      .meaning = "name of the operator; (none): work without an operator" },                                         \
    { "shapes", TR_CELL_STRING, TR_ROLE_KEY, OF(key.dims), .wide = true, .meaning = "shapes of the arguments" },       \
    { "dtypes", TR_CELL_STRING, TR_ROLE_KEY, OF(key.types), .wide = true, .meaning = "types of the arguments" },       \
    { "strides", TR_CELL_STRING, TR_ROLE_KEY, OF(key.strides), .extra = true, .wide = true,                           \
      .meaning = "strides of the arguments" },                                                                       \
    { "args", TR_CELL_STRING, TR_ROLE_KEY, OF(key.args), .extra = true, .wide = true,                                 \
      .meaning = "values of the arguments" },                                                                        \
    { "module", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr_operator_row, key.module), .wide = true,                \
      .meaning = "the innermost module around it, without its number" },                                             \
    { "category", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr_operator_row, key.name), .none = "(none)",            \
      .meaning = "what it is for" },                                                                                 \
    { "thread", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr_operator_row, key.thread), .wide = true,                \
      .meaning = "that it ran on" },                                                                                 \
    { "recompute", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr_operator_row, key.recompute),                        \
      .meaning = "yes: below PyTorch's function that computes again what a checkpoint left out" },                   \
    { "step_phase", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct tr_operator_row, key.phase), .word = phase_name,        \
      .n_words = TR_N_OPERATOR_PHASES, .meaning = "phase of its step" },                                              \
    { "stack", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr_operator_row, key.stack), .names = true,                 \
      .meaning = "the spans around it, outermost first, without steps" }
/* clang-format on */

enum { NAME, FIRST_KEY, N_KEYS = 10, FIRST_COST = FIRST_KEY + N_KEYS, N_COSTS = 9 };
static const unsigned keys[N_KEYS] = { TR_OPERATOR_SHAPE,  TR_OPERATOR_SHAPE,     TR_OPERATOR_SHAPE,
                                       TR_OPERATOR_ARGS,   TR_OPERATOR_MODULE,    TR_OPERATOR_CATEGORY,
                                       TR_OPERATOR_THREAD, TR_OPERATOR_RECOMPUTE, TR_OPERATOR_PHASE,
                                       TR_OPERATOR_STACK };

static const struct tr_table_column columns[] = {
    KEYS,
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, OF(calls), .with = "name", .meaning = "number of calls" },
    { "host_self", TR_CELL_TIME, TR_ROLE_SUM, OF(host_self), .with = "name",
      .meaning = "host time in the operator, without operators inside it" },
    { "host", TR_CELL_TIME, TR_ROLE_INCLUSIVE, OF(host), .with = "name", .extra = true, .of = "host_self",
      .meaning = "host time in the operator" },
    { "device_self", TR_CELL_TIME, TR_ROLE_SUM, OF(device_self), .main = true,
      .meaning = "sum of durations of the work that it launched itself" },
    { "device", TR_CELL_TIME, TR_ROLE_INCLUSIVE, OF(device), .extra = true, .of = "device_self",
      .meaning = "sum of durations of the work that it and operators inside it launched" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "device_self",
      .meaning = "share of all device work of the group" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, OF(kernels), .extra = true,
      .meaning = "number of kernels, copies and memsets that it launched itself" },
    { "device_self_busy", TR_CELL_TIME, TR_ROLE_SUM, OF(device_self_busy), .with = "name", .extra = true,
      .meaning = "as device_self, but overlapping work of one call counts once" },
    { "device_busy", TR_CELL_TIME, TR_ROLE_INCLUSIVE, OF(device_busy), .with = "name", .of = "device_self_busy",
      .extra = true, .meaning = "as device, but overlapping work of one call counts once" },
    /* in no table */
    { "opening", TR_CELL_TIME, TR_ROLE_TIME, OF(opening.start) },
    { KERNEL_COLUMN, TR_CELL_STRING, TR_ROLE_TEXT, TR_OWN(struct tr_operator_row, opening.kernel), .kept = "opening" },
    { "kernels_below", TR_CELL_COUNT, TR_ROLE_COUNT, OF(kernels_below) },

    /* for the calls that launched work themselves */
    { "launchers", TR_CELL_COUNT, TR_ROLE_COUNT, OF(own), .with = "self_min", .extra = true,
      .meaning = "calls that launched work themselves; what follows is about these" },
    { "self_mean", TR_CELL_TIME, TR_ROLE_MEAN, OF(own), .per = "launchers", .extra = true,
      .meaning = "of a call: time of the work that it launched itself; what overlaps counts once" },
    { "self_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, OF(own), .percent = 50, .extra = true, .meaning = "median of that" },
    { "self_std", TR_CELL_TIME, TR_ROLE_QUANTILE, OF(own), .extra = true,
      .meaning = "standard deviation of the sample" },
    { "self_min", TR_CELL_TIME, TR_ROLE_MIN, OF(own), .extra = true, .meaning = "the minimum" },
    { "self_max", TR_CELL_TIME, TR_ROLE_MAX, OF(own), .extra = true, .meaning = "the maximum" },
    { "mean", TR_CELL_TIME, TR_ROLE_MEAN, OF(all), .per = "launchers", .extra = true,
      .meaning = "the same of the work that it and operators inside it launched" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, OF(all), .percent = 50, .extra = true, .meaning = "median of that" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, OF(all), .extra = true, .meaning = "standard deviation of the sample" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, OF(all), .extra = true, .meaning = "the minimum" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, OF(all), .extra = true, .meaning = "the maximum" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, OF(all), .extra = true, .meaning = "added up" },
    { "first", TR_CELL_TIME, TR_ROLE_TIME, OF(since), .extra = true,
      .meaning = "start of the first of them, after the first of all" },
    { "record", TR_CELL_COUNT, TR_ROLE_QUANTILE, OF(record), .with = "self_min", .kept = "start", .extra = true,
      .meaning = "its place in its file, from 0" },
    { "work", TR_CELL_STRING, TR_ROLE_TEXT, TR_OWN(struct tr_operator_row, names), .kept = "start", .extra = true,
      .wide = true, .meaning = "names of the work that it launched itself, with '; ' between" },
    { "start", TR_CELL_TIME, TR_ROLE_TIME, OF(start) },
};
enum { N_OF_CALLS = FIRST_COST + N_COSTS + 3, N_ALL = sizeof columns / sizeof *columns };

static const struct tr_table_column work_columns[] = {
    KEYS,
    { "kernel", TR_CELL_STRING, TR_ROLE_KEY, OF(key.kernel), .names = true,
      .meaning = "the kernel, copy or memset that it launched itself" },
    { "stream", TR_CELL_INT, TR_ROLE_KEY, OF(key.stream), .extra = true, .meaning = "that it ran on" },
    { "position", TR_CELL_COUNT, TR_ROLE_KEY, OF(key.position),
      .meaning = "its place in the order in which the work of a call began, from 1" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, OF(kernels), .meaning = "how often" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, OF(device_self), .main = true, .meaning = "sum of durations" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "sum",
      .meaning = "share of all device work of the group" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, OF(own), .of = "sum", .per = "count", .meaning = "mean duration" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, OF(own), .extra = true, .meaning = "standard deviation of the sample" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, OF(own), .extra = true, .meaning = "shortest duration" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, OF(own), .percent = 50, .extra = true, .meaning = "median duration" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, OF(own), .meaning = "longest duration" },
    /* in no table */
    { "opening", TR_CELL_TIME, TR_ROLE_TIME, OF(opening.start) },
    { KERNEL_COLUMN, TR_CELL_STRING, TR_ROLE_TEXT, TR_OWN(struct tr_operator_row, opening.kernel), .kept = "opening" },
};
enum { KERNEL = FIRST_COST, STREAM, POSITION, COUNT, N_OF_WORK = sizeof work_columns / sizeof *work_columns - 2 };

static const char *backward(unsigned number)
{
    return number ? "backward" : NULL;
}

#undef OF
#define OF(name) TR_OF(struct tr_operator_owned, name)
static const struct tr_table_column owned_columns[] = {
    KEYS,
    { "step", TR_CELL_STRING, TR_ROLE_KEY, OF(key.step) },
    { "model", TR_CELL_STRING, TR_ROLE_KEY, OF(key.model) },
    { "api", TR_CELL_STRING, TR_ROLE_KEY, OF(key.api) },
    { "kernel", TR_CELL_STRING, TR_ROLE_KEY, OF(key.kernel) },
    { "node", TR_CELL_INT, TR_ROLE_KEY, OF(key.position) },
    { "inside", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr_operator_owned, key.inside) },
    { "part", TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr_operator_owned, key.part) },
    { "backward", TR_CELL_STRING, TR_ROLE_KEY, OF(key.backward), .word = backward, .n_words = 2 },
    { "pieces", TR_CELL_COUNT, TR_ROLE_COUNT, OF(pieces) },
    { "host", TR_CELL_TIME, TR_ROLE_SUM, OF(host) },
    { "device", TR_CELL_TIME, TR_ROLE_SUM, OF(device) },
    { "inverse", TR_CELL_DOUBLE, TR_ROLE_SUM, OF(inverse) },
    { "inverses", TR_CELL_COUNT, TR_ROLE_COUNT, OF(n_inverse) },
    { "record", TR_CELL_COUNT, TR_ROLE_MIN, OF(record), .kept = "start" },
    { "start", TR_CELL_TIME, TR_ROLE_TIME, OF(start) },
    { "opening", TR_CELL_TIME, TR_ROLE_TIME, OF(opening.start) },
    { KERNEL_COLUMN, TR_CELL_STRING, TR_ROLE_TEXT, TR_OWN(struct tr_operator_owned, opening.kernel),
      .kept = "opening" },
};

void tr_operators_columns(struct tr_table *t, unsigned by)
{
    const struct tr_table_column *all = by & TR_OPERATOR_KERNEL ? work_columns : columns;
    tr_table_columns(t, &all[NAME], 1);
    for (size_t k = 0; k < N_KEYS; k++)
        if (by & keys[k])
            tr_table_columns(t, &all[FIRST_KEY + k], 1);
    if (by & TR_OPERATOR_KERNEL) {
        tr_table_columns(t, &all[KERNEL], by & TR_OPERATOR_POSITION ? 3 : 2);
        tr_table_columns(t, &all[COUNT], N_OF_WORK - COUNT);
        return;
    }
    tr_table_columns(t, &all[FIRST_COST], N_COSTS);
    if (by & TR_OPERATOR_LAUNCHED)
        tr_table_columns(t, &all[N_OF_CALLS], N_ALL - N_OF_CALLS - 1);
}

/* ---- types ---- */

#define BY_COST "host_self,name,shapes,dtypes,strides,args,module,thread,recompute,step_phase,stack"
#define OPERATOR_ROWS(NAME, COLUMNS, N, ORDER)                                                                      \
    {                                                                                                               \
        .name = (NAME), .size = sizeof(struct tr_operator_row), .key_size = offsetof(struct tr_operator_key, step), \
        .columns = (COLUMNS), .n_columns = (N), .order = (ORDER), .own = &own                                       \
    }
static const struct tr_row_type of_calls =
    OPERATOR_ROWS("operators", columns, N_OF_CALLS,
                  "device_self," BY_COST ",host,device,calls,device_self_busy,device_busy,kernels");
static const struct tr_row_type of_launchers =
    OPERATOR_ROWS("launchers", columns, N_ALL,
                  "device_self," BY_COST ",host,device,calls,device_self_busy,device_busy,kernels");
static const struct tr_row_type of_work =
    OPERATOR_ROWS("work", work_columns, sizeof work_columns / sizeof *work_columns,
                  "sum,name,shapes,dtypes,strides,args,module,thread,recompute,step_phase,stack,kernel,position,"
                  "stream,count");
const struct tr_row_type tr_operators_owned_type = { .name = "owned",
                                                     .size = sizeof(struct tr_operator_owned),
                                                     .key_size = sizeof(struct tr_operator_key),
                                                     .columns = owned_columns,
                                                     .n_columns = sizeof owned_columns / sizeof *owned_columns,
                                                     .own = &own };

const struct tr_row_type *tr_operators_type(unsigned by)
{
    return by & TR_OPERATOR_KERNEL ? &of_work : by & TR_OPERATOR_LAUNCHED ? &of_launchers : &of_calls;
}

struct tr_rows *tr_operators_more(struct tr_operators *a, const struct tr_analysis_in *in,
                                  const struct tr_row_type *type)
{
    struct tr_rows *r = tr_rows_new(type, in, &a->work, false);
    if (r)
        tr_rows_owner(r, a);
    return r;
}

/* ---- rows with fewer keys ---- */

static void reduce(struct tr_operator_key *key, unsigned by)
{
    const struct tr_operator_key k = *key;
    *key = (struct tr_operator_key)TR_OPERATOR_KEY_INIT;
    key->group = k.group;
    key->name = k.name;
    if (by & TR_OPERATOR_SHAPE) {
        key->dims = k.dims;
        key->types = k.types;
        key->strides = k.strides;
    }
    key->args = by & TR_OPERATOR_ARGS ? k.args : TR_NO_STR;
    key->stack = by & TR_OPERATOR_STACK ? k.stack : UINT32_MAX;
    key->module = by & (TR_OPERATOR_MODULE | TR_OPERATOR_TREE) ? k.module : UINT32_MAX;
    key->thread = by & TR_OPERATOR_THREAD ? k.thread : UINT32_MAX;
    key->recompute = by & TR_OPERATOR_RECOMPUTE ? k.recompute : UINT32_MAX;
    key->phase = by & TR_OPERATOR_PHASE ? k.phase : 0;
    if (by & TR_OPERATOR_KERNEL) {
        key->kernel = k.kernel;
        key->stream = k.stream;
    }
    key->position = by & TR_OPERATOR_POSITION ? k.position : TR_I64_NONE;
}

struct tr_rows *tr_operators_join(struct tr_operators *a, const struct tr_analysis_in *in, unsigned by)
{
    struct tr_rows *joined = tr_operators_more(a, in, tr_operators_type(by));
    for (size_t i = 0; joined && i < tr_rows_count(a->rows); i++) {
        struct tr_operator_row row = *tr__operators_row(a, (uint32_t)i), *to;
        reduce(&row.key, by);
        row.host = row.device = row.device_busy = TR_TIME_NONE;
        if ((to = tr_rows_merge(joined, &row)))
            continue;
        tr_rows_free(joined);
        joined = NULL;
    }
    return joined;
}

/* ---- partial results ---- */

/* Values for all rows, each 0 or 1. */
struct saved_all {
    /* Was work tested?  Were there operators, shapes of arguments, Python frames? */
    uint64_t where, operators, shapes, python;
};

const struct tr_saved_column tr_operators_all[TR_OPERATORS_ALL] = {
    { "where", TR_SAVED_COUNT, offsetof(struct saved_all, where) },
    { "operators", TR_SAVED_COUNT, offsetof(struct saved_all, operators) },
    { "shapes", TR_SAVED_COUNT, offsetof(struct saved_all, shapes) },
    { "python", TR_SAVED_COUNT, offsetof(struct saved_all, python) },
};

enum { OF_CALLS, OF_LAUNCHERS, OF_WORK, OF_ALL };
const struct tr_saved_table tr_operators_saved[TR_OPERATORS_TABLES] = {
    [OF_CALLS] = { .rows = &of_calls },
    [OF_LAUNCHERS] = { .rows = &of_launchers },
    [OF_WORK] = { .rows = &of_work },
    [OF_ALL] = TR_SAVED_TABLE("selection", tr_operators_all),
};

static size_t table_of(const struct tr_operators *a)
{
    return a->keys.by & TR_OPERATOR_KERNEL ? OF_WORK : a->keys.by & TR_OPERATOR_LAUNCHED ? OF_LAUNCHERS : OF_CALLS;
}

enum tr_status tr_operators_save(struct tr_operators *a, bool owned, struct tr_partial_out *out, struct tr_error *err)
{
    enum tr_status st = tr_rows_save(owned ? a->owners.rows : a->rows, out, owned ? 0 : table_of(a), err);
    tr_partial_put(out, owned ? 1 : OF_ALL,
                   &(struct saved_all){ a->where, a->keys.operators, a->keys.shapes, a->keys.python });
    return st;
}

/* Does a row have a key that was not requested? */
static bool foreign(unsigned by, const struct tr_operator_key *k)
{
    return (!(by & TR_OPERATOR_SHAPE) && (k->dims & k->types & k->strides) != TR_NO_STR) ||
           (!(by & TR_OPERATOR_ARGS) && k->args != TR_NO_STR) ||
           (!(by & TR_OPERATOR_STACK) && k->stack != UINT32_MAX) ||
           (!(by & (TR_OPERATOR_MODULE | TR_OPERATOR_TREE)) && k->module != UINT32_MAX) ||
           (!(by & TR_OPERATOR_THREAD) && k->thread != UINT32_MAX) ||
           (!(by & TR_OPERATOR_RECOMPUTE) && k->recompute != UINT32_MAX) || (!(by & TR_OPERATOR_PHASE) && k->phase);
}

enum tr_status tr_operators_load(struct tr_operators *a, bool owned, struct tr_partial_in *in, struct tr_error *err)
{
    struct tr_rows *rows = owned ? a->owners.rows : a->rows;
    struct saved_all all;
    enum tr_status st = tr_rows_load(rows, in, owned ? 0 : table_of(a), err);
    for (size_t i = 0; st == TR_OK && i < tr_rows_count(rows); i++) {
        const struct tr_operator_key *k = tr_rows_get(rows, i);
        if (foreign(a->keys.by, k))
            tr_partial_wrong(in, "a key that was not asked for");
    }
    while (st == TR_OK && tr_partial_get(in, owned ? 1 : OF_ALL, &all)) {
        if (all.where > 1 || all.operators > 1 || all.shapes > 1 || all.python > 1)
            tr_partial_wrong(in, "a yes or no that is neither 0 nor 1");
        a->where |= all.where;
        a->keys.operators |= all.operators;
        a->keys.shapes |= all.shapes;
        a->keys.python |= all.python;
    }
    return st == TR_OK ? tr_partial_status(in, err) : st;
}
