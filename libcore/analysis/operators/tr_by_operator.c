/* SPDX-License-Identifier: MIT */
/* What do operators cost, and the kernels that they launch?  One by one. */
#include "analysis/operators/tr_by_operator_int.h"

#include <stdlib.h>

static unsigned keys_of(const struct tr_operator_options *o)
{
    bool launched = o->by & TR_OPERATOR_ARGS && !(o->by & TR_OPERATOR_KERNEL);
    return o->by | (launched ? (unsigned)TR_OPERATOR_LAUNCHED : 0u);
}

static void operator_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    tr_group_columns(t, in->work.per);
    tr_operators_columns(t, keys_of(options));
}

void tr__by_operator_needs(const void *options, struct tr_needs *n)
{
    const struct tr_operator_options *o = options;
    tr_operators_needs(o->shared ? o->shared->by : o->by, n);
}

/* ---- the run ---- */

void tr__by_operator_free(void *state)
{
    struct tr__by_operator *s = state;
    tr_rows_free(s->sums);
    tr_rows_free(s->joined);
    tr_strtab_free(s->texts);
    if (!s->options || !s->options->shared)
        tr_operators_free(s->operators);
}

bool tr__by_operator_hides(const struct tr__by_operator *s, const struct tr_operator_row *r)
{
    const struct tr_name_test *op = &s->options->op;
    bool none = s->options->by & TR_OPERATOR_KERNEL ? !r->kernels
                                                    : !r->kernels_below &&
                                                          (tr_operators_where(s->operators) || !r->calls);
    return none || (op->match && (r->key.name == TR_NO_STR ||
                                  !op->match(op->self, tr_dict_text(s->in.dict, r->key.name))));
}

enum tr_status tr__by_operator_start(const struct tr_analysis_in *in, const void *options, void *state,
                                     struct tr_error *err)
{
    struct tr__by_operator *s = state;
    s->in = *in;
    s->options = options;
    if (s->options->shared)
        return tr_operators_shared_get(in, s->options->shared, &s->operators, err);
    enum tr_status st = tr_operators_new(in, keys_of(s->options), &s->operators, err);
    if (st == TR_OK)
        tr_operators_captures(s->operators, s->options->graphs);
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

struct tr_rows *tr__by_operator_rows(void *state)
{
    struct tr__by_operator *s = state;
    return s->joined ? s->joined : tr_operators_rows(s->operators);
}

static bool skip(void *self, const void *row)
{
    struct tr__by_operator *s = self;
    bool skipped = tr__by_operator_hides(s, row);
    s->n_shown += !skipped;
    return skipped;
}

enum tr_status tr__by_operator_complete(struct tr__by_operator *s, bool sums, struct tr_error *err)
{
    unsigned by = s->options->by;
    enum tr_status st = tr_operators_finish(s->operators, err);
    if (st != TR_OK || !s->options->shared || s->joined)
        return st;
    /* a table whose data the trace does not have is absent */
    bool absent = (!(!by && !sums) && !tr_operators_any(s->operators)) ||
                  (by & TR_OPERATOR_SHAPE && !tr_operators_shaped(s->operators));
    s->joined = absent ? tr_operators_more(s->operators, &s->in, tr_operators_type(keys_of(s->options)))
                       : tr_operators_join(s->operators, &s->in, keys_of(s->options));
    return s->joined ? TR_OK : tr_fail_memory(err);
}

/* The start of the first call of a row, after the first of all. */
static void find_since(const struct tr_rows *rows)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < tr_rows_count(rows); i++) {
        const struct tr_operator_row *r = tr_rows_get(rows, i);
        first = r->start != TR_I64_NONE && r->start < first ? r->start : first;
    }
    for (size_t i = 0; i < tr_rows_count(rows); i++) {
        struct tr_operator_row *r = tr_rows_get(rows, i);
        if (r->start != TR_I64_NONE)
            r->since = (double)tr_time_diff(r->start, first);
    }
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct tr__by_operator *s = state;
    enum tr_status st = tr__by_operator_complete(s, false, err);
    if (st == TR_OK && keys_of(s->options) & TR_OPERATOR_LAUNCHED && !s->options->shared)
        find_since(tr__by_operator_rows(s));
    if (st == TR_OK)
        tr_rows_skip(tr__by_operator_rows(s), skip, s);
    return st;
}

enum tr_status tr__by_operator_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct tr__by_operator *s = state;
    (void)t;
    (void)err;
    if (s->options->graphs)
        tr_graph_counts_remark(tr_operators_graphs(s->operators), &s->in, NULL);
    if (!s->n_shown)
        return TR_OK;
    tr_operators_remark(s->operators, s->options->by, s->options->shared ? TR_REMARK_RESULT : TR_REMARK_WARN, &s->in);
    if (!s->options->op.match)
        tr_operators_remark_unlinked(s->operators, &s->in);
    return TR_OK;
}

/* ---- partial results ---- */

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    return tr_operators_save(((struct tr__by_operator *)state)->operators, false, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    return tr_operators_load(((struct tr__by_operator *)state)->operators, false, in, err);
}

/* Work and its launch may come from different files of a rank. */
const struct tr_saving tr__by_operator_saving = { .version = 5,
                                         .whole_ranks = true,
                                         .tables = tr_operators_saved,
                                         .n_tables = TR_OPERATORS_TABLES,
                                         .save = save,
                                         .load = load };

const struct tr_operator_options tr__by_operator_defaults = { .op = { .match = NULL } };

bool tr_operator_say_captures(const void *graphs, struct tr_buf *text)
{
    const struct tr_graph_calls *const *g = graphs;
    return !*g || tr_buf_add(text, "1", 1);
}

/* Keys of TR_OPERATOR_SHAPE and so on.  Categories follow from names. */
static const char *const key_names[] = { "shape", "stack",     "module", "thread",   "",
                                         "args",  "recompute", "kernel", "position", "step_phase", "tree", NULL };
const struct tr_option tr__by_operator_settings[] = {
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct tr_operator_options, op),
      .shown = true, .help = "only operators whose names match" },
    { 0, "keys", "LIST", TR_OPTION_BITS, offsetof(struct tr_operator_options, by), .choices = key_names,
      .hidden = true },
    { 0, "captures", "FILE", TR_OPTION_CALL, offsetof(struct tr_operator_options, graphs),
      .say = tr_operator_say_captures, .hidden = true },
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
    .more = tr__by_operator_needs,
    .columns = operator_columns,
    .state_size = sizeof(struct tr__by_operator),
    .start = tr__by_operator_start,
    .feed = tr__by_operator_feed,
    .complete = complete,
    .rows = tr__by_operator_rows,
    .finish = tr__by_operator_finish,
    .free = tr__by_operator_free,
    .saving = &tr__by_operator_saving,
};
