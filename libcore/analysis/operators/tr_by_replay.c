/* SPDX-License-Identifier: MIT */
/* Which calls reproduce the operators of a trace? */
#include "analysis/operators/tr_replay.h"

#include "analysis/operators/tr_operators.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A call with the texts that are made of it; texts that cannot be made are absent. */
struct row {
    struct tr_replay_call c;
    const char *refused;
    struct tr_str overload, pos_args, keyword_args;
};

static const struct tr_table_column columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, c.name), .names = true, .label = true,
      .meaning = "the operator" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, c.calls),
      .meaning = "number of its calls with these arguments" },
    { "device", TR_CELL_TIME, TR_ROLE_INCLUSIVE, TR_OF(struct row, c.device), .of = "device_self", .main = true,
      .meaning = "sum of durations of the work that it and operators inside it launched" },
    { "device_self", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, c.device_self), .extra = true,
      .meaning = "sum of durations of the work that it launched itself" },
    { "host", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, c.host), .extra = true,
      .meaning = "host time in the operator" },
    { "refused", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, refused), .quiet = TR_QUIET_SAME,
      .meaning = "why the call cannot be made again; empty: it can" },
    { "overload", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, overload), .extra = true,
      .meaning = "of its schema" },
    { "shapes", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, c.dims), .wide = true,
      .meaning = "shapes of the arguments" },
    { "dtypes", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, c.types), .wide = true,
      .meaning = "types of the arguments" },
    { "strides", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, c.strides), .extra = true, .wide = true,
      .meaning = "strides of the arguments" },
    { "args", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, c.args), .extra = true, .wide = true,
      .meaning = "values of the arguments" },
    { "pos_args", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, pos_args), .extra = true, .wide = true,
      .meaning = "arguments by position: name, type and value of each, as JSON" },
    { "keyword_args", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, keyword_args), .extra = true, .wide = true,
      .meaning = "the same for arguments with keywords" },
};

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    tr_operators_needs(TR_OPERATOR_SHAPE | TR_OPERATOR_ARGS, n);
    n->all_in_any_order = true;
}

static enum tr_status check(const void *options, struct tr_error *err)
{
    const struct tr_replay_options *o = options;
    return o && o->schemas ? TR_OK : tr_fail(err, TR_USAGE, "there are no schemas");
}

/* ---- the run ---- */

struct replay_state {
    struct tr_analysis_in in;
    const struct tr_replay_options *options;
    struct tr_operators *operators;
    struct tr_buf pos, keywords;
    struct tr_table *t;
    bool work; /* calls without work do not count */
    uint64_t refused[TR_N_REFUSALS], n, assumed; /* sets of arguments */
};

static void release(void *state)
{
    struct replay_state *s = state;
    tr_operators_free(s->operators);
    tr_buf_free(&s->pos);
    tr_buf_free(&s->keywords);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct replay_state *s = state;
    s->in = *in;
    s->options = options;
    return tr_operators_new(in, TR_OPERATOR_SHAPE | TR_OPERATOR_ARGS, &s->operators, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct replay_state *s = state;
    (void)t;
    return tr_operators_feed(s->operators, b, keep, err);
}

/* ---- calls ---- */

static enum tr_status add_row(struct replay_state *s, const struct tr_replay_call *c, struct tr_table *t,
                              struct tr_error *err)
{
    bool made = c->bound.schema != NULL;
    s->pos.len = s->keywords.len = 0;
    if (made && !(tr_replay_args(&c->bound, false, false, &s->pos) &&
                  tr_replay_args(&c->bound, true, false, &s->keywords)))
        return tr_fail_memory(err);
    struct row row = { .c = *c, .refused = made ? NULL : tr_refusal_text(c->bound.refused) };
    if (made) {
        row.overload = c->bound.schema->overload;
        row.pos_args = (struct tr_str){ (const char *)s->pos.data, s->pos.len };
        row.keyword_args = (struct tr_str){ (const char *)s->keywords.data, s->keywords.len };
    }
    tr_table_row(t, &(struct tr_row){ .row = &row });
    return tr_table_status(t, err);
}

static bool shown(const struct replay_state *s, const struct tr_operator_row *r)
{
    const struct tr_name_test *op = &s->options->op;
    if (r->key.name == TR_NO_STR || !(s->work ? r->kernels_below : r->calls))
        return false;
    return !op->match || op->match(op->self, tr_dict_text(s->in.dict, r->key.name));
}

/* Bind a call, count it, and show it if the limit is not reached. */
static enum tr_status add_call(void *self, const void *row, const struct tr_str *texts, struct tr_error *err)
{
    struct replay_state *s = self;
    const struct tr_replay_options *o = s->options;
    const struct tr_operator_row *r = row;
    struct tr_replay_call c = { .name = texts[TR_OPERATOR_TEXT_NAME],   .dims = texts[TR_OPERATOR_TEXT_DIMS],
                                .types = texts[TR_OPERATOR_TEXT_TYPES], .strides = texts[TR_OPERATOR_TEXT_STRIDES],
                                .args = texts[TR_OPERATOR_TEXT_ARGS],   .calls = r->calls,
                                .device = r->device, .device_self = r->device_self, .host = r->host };
    if (!shown(s, r))
        return TR_OK;
    const struct tr_model_args call = { .op = c.name, .dims = c.dims, .types = c.types, .strides = c.strides,
                                        .concrete = c.args };
    struct tr_arena *arena = tr_arena_new(4096);
    enum tr_status st = arena ? tr_schemas_bind(o->schemas, &call, arena, &c.bound, err) : tr_fail_memory(err);
    bool reached = o->limit && s->n - s->refused[TR_REFUSED_NOT] >= o->limit;
    if (st == TR_OK && !reached)
        st = o->take ? o->take(o->self, &c, err) : add_row(s, &c, s->t, err);
    if (st == TR_OK && c.bound.schema)
        s->assumed += !reached && c.bound.assumed;
    if (st == TR_OK && !c.bound.schema) {
        s->refused[c.bound.refused]++;
        s->refused[TR_REFUSED_NOT]++; /* all of them */
    }
    s->n++;
    tr_arena_free(arena);
    return st;
}

/* How many were refused, and why. */
static void remark(const struct replay_state *s)
{
    char text[400];
    size_t len = 0;
    for (size_t i = 1; i < TR_N_REFUSALS; i++)
        if (s->refused[i] && len < sizeof text)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%s %" PRIu64, len ? ", " : "",
                                    tr_refusal_text((enum tr_refusal)i), s->refused[i]);
    if (len)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, NULL, "refused sets of arguments: %" PRIu64 " of %" PRIu64 " (%s)",
                           s->refused[TR_REFUSED_NOT], s->n, text);
    if (s->assumed)
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, NULL,
                           "calls with defaults where the trace has no value: %" PRIu64, s->assumed);
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    return tr_operators_finish(((struct replay_state *)state)->operators, err);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct replay_state *s = state;
    struct tr_rows *rows = tr_operators_rows(s->operators);
    s->t = t;
    s->work = tr_operators_where(s->operators);
    for (size_t i = 0; i < tr_rows_count(rows) && !s->work; i++)
        s->work = ((const struct tr_operator_row *)tr_rows_get(rows, i))->kernels_below > 0;
    enum tr_status st = tr_rows_each(rows, "device,host,name,shapes,dtypes,strides,args", add_call, s, err);
    if (st == TR_OK)
        remark(s);
    return st;
}

/* ---- partial results ---- */

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    return tr_operators_save(((struct replay_state *)state)->operators, false, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    return tr_operators_load(((struct replay_state *)state)->operators, false, in, err);
}

/* Work and its launch may come from different files of a rank. */
static const struct tr_saving saving = { .version = 2, .whole_ranks = true, .tables = tr_operators_saved,
                                         .n_tables = TR_OPERATORS_TABLES, .save = save, .load = load };

static const struct tr_replay_options defaults = { .schemas = NULL };
static const struct tr_option settings[] = {
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct tr_replay_options, op),
      .shown = true, .help = "only operators with such names [all]" },
    { 'n', "limit", "N", TR_OPTION_U64, offsetof(struct tr_replay_options, limit), .lo = 1,
      .shown = true,
      .help = "at most N calls, those with the longest device time [all]" },
    { 0 },
};

const struct tr_analysis tr_analysis_replay = {
    .name = "replay",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "device_self" } },
    .question = "Which calls reproduce the operators of a trace?",
    .nothing = "no calls of operators are selected",
    .groups = 0,
    .group = TR_PER_ALL,
    TR_OPTIONS(settings, defaults),
    .check = check,
    .more = needs,
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct replay_state),
    .start = start,
    .feed = feed,
    .complete = complete,
    .finish = finish,
    .free = release,
    .saving = &saving,
};

/* ---- arguments as JSON ---- */

static bool add_text(struct tr_buf *out, struct tr_str text)
{
    const struct tr_value v = tr_value_text(text);
    return tr_value_print(&v, out);
}

static bool add_tensor(const struct tr_bound_arg *a, struct tr_buf *out)
{
    const char *init = tr_tensor_init_name(a->init);
    char below[32];
    snprintf(below, sizeof below, ",\"below\":%" PRId64, a->below);
    return tr_buf_add_str(out, "{\"shape\":") && tr_value_print(&a->shape, out) && tr_buf_add_str(out, ",\"dtype\":") &&
           add_text(out, a->dtype) && tr_buf_add_str(out, ",\"strides\":") && tr_value_print(&a->strides, out) &&
           tr_buf_add_str(out, ",\"init\":") && (init ? add_text(out, tr_str_of(init)) : tr_buf_add_str(out, "null")) &&
           (a->init != TR_INIT_INDEX || tr_buf_add_str(out, below)) &&
           (!a->host || tr_buf_add_str(out, ",\"device\":\"cpu\"")) && tr_buf_add(out, "}", 1);
}

/* A value, also of a list; a real number stays one: 1.0. */
static bool add_value(const struct tr_value *v, struct tr_buf *out)
{
    size_t from = out->len;
    bool ok = true;
    if (v->type == TR_VALUE_LIST) {
        ok = tr_buf_add(out, "[", 1);
        for (size_t i = 0; ok && i < v->n; i++)
            ok = (!i || tr_buf_add(out, ",", 1)) && add_value(&v->of.items[i], out);
        return ok && tr_buf_add(out, "]", 1);
    }
    ok = tr_value_print(v, out);
    if (ok && v->type == TR_VALUE_REAL && !memchr(out->data + from, '.', out->len - from) &&
        !memchr(out->data + from, 'e', out->len - from))
        ok = tr_buf_add(out, ".0", 2);
    return ok;
}

bool tr_replay_args(const struct tr_bound *b, bool keywords, bool objects, struct tr_buf *out)
{
    bool ok = tr_buf_add(out, "[", 1), first = true;
    for (size_t i = 0; ok && i < b->n; i++) {
        const struct tr_bound_arg *a = &b->args[i];
        if (a->arg->keyword != keywords)
            continue;
        ok = (first || tr_buf_add(out, ",", 1)) && tr_buf_add_str(out, objects ? "{\"arg_name\":" : "[") &&
             add_text(out, a->arg->name) && tr_buf_add_str(out, objects ? ",\"arg_type\":" : ",") &&
             add_text(out, a->arg->type) && tr_buf_add_str(out, objects ? ",\"value\":" : ",") &&
             (a->tensor ? add_tensor(a, out) : objects ? add_value(&a->value, out) : tr_value_print(&a->value, out)) &&
             (!objects || !a->assumed || tr_buf_add_str(out, ",\"assumed\":true")) &&
             tr_buf_add_str(out, objects ? "}" : "]");
        first = false;
    }
    return ok && tr_buf_add(out, "]", 1);
}
