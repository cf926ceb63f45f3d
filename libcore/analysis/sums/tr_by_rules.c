/* SPDX-License-Identifier: MIT */
/* Results of rules for names: time per class, over ranks, and names without a class. */
#include "analysis/sums/tr_name_stats.h"
#include "analysis/sums/tr_reported_names.h"
#include "analysis/sums/tr_sums_analyses.h"

#include <stdlib.h>

struct rules_state {
    struct tr_analysis_in in;
    const struct tr_rules_options *options;
    struct tr_name_stats *names;
    struct tr_name_sum *sums;
    struct tr_reported_names reported;
};

/* ---- what is read ---- */

static enum tr_status check(const void *options, struct tr_error *err)
{
    const struct tr_rules_options *o = options;
    return o && o->rules ? TR_OK : tr_fail(err, TR_USAGE, "no rules are given");
}

static void needs(const void *options, struct tr_needs *n)
{
    const struct tr_rules_options *o = options;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME);
    n->host = o->target == TR_RULE_OPERATOR;
}

static void release(void *state)
{
    struct rules_state *s = state;
    tr_name_stats_free(s->names);
    free(s->sums);
    tr_reported_names_free(&s->reported);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    const struct tr_rules_options *o = options;
    struct tr_name_stats_opts opts = { .work = in->work, .by_kind = o->compat >= 0, .sums_only = true };
    struct rules_state *s = state;
    s->in = *in;
    s->options = o;
    if (o->target == TR_RULE_OPERATOR)
        opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_CPU_OP) | TR_ACTIVITY_BIT(TR_ACT_COMM_RECORD);
    return tr_name_stats_new(&opts, in, &s->names, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct rules_state *s = state;
    (void)t;
    return tr_name_stats_feed(s->names, b, keep, err);
}

static struct tr_reported_opts reported_of(const struct rules_state *s)
{
    return (struct tr_reported_opts){ .host = s->options->target == TR_RULE_OPERATOR,
                                      .by_rank = s->in.work.per != TR_PER_ALL,
                                      .totals = s->options->compat >= 0 };
}

/* The names in the reports of the stream. */
static enum tr_status read_reports(void *state, struct tr_error *err)
{
    struct rules_state *s = state;
    const struct tr_reported_opts opts = reported_of(s);
    return tr_reported_names_read(&s->reported, s->in.dict, s->in.tables, &opts, err);
}

/* The names that were read; without any, those of reports. */
static enum tr_status finish_names(struct rules_state *s, const struct tr_name_sum **rows, size_t *n,
                                   struct tr_error *err)
{
    const struct tr_reported_opts opts = reported_of(s);
    enum tr_status st = tr_name_sums(s->names, &s->sums, n, err);
    *rows = s->sums;
    if (st != TR_OK || *n > 0)
        return st;
    tr_reported_names_end(&s->reported, &opts);
    *rows = s->reported.rows;
    *n = s->reported.n;
    return TR_OK;
}

/* ---- sums ---- */

#define CLASS(type)                                             \
    { "class", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(type, label), \
      .meaning = "class that the rules give; empty: no rule matches the name" }
#define SUMS(type)                                                                                       \
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(type, count), .meaning = "how often" },               \
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(type, sum), .meaning = "sum of durations" },               \
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, TR_OF(type, whole), .unit = "%", .of = "sum",              \
      .meaning = "share of the sum of the group" }

static const struct tr_table_column class_columns[] = { CLASS(struct tr_class_sum), SUMS(struct tr_class_sum) };

/* Sums of classes per group. */
static enum tr_status class_sums(struct rules_state *s, struct tr_class_sum **sums, size_t *n, struct tr_error *err)
{
    const struct tr_name_sum *of_names;
    size_t n_names;
    enum tr_status st = finish_names(s, &of_names, &n_names, err);
    if (st == TR_OK)
        st = tr_class_sums(s->options->rules, s->options->target, of_names, n_names, sums, n, err);
    return st;
}

static enum tr_status class_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct rules_state *s = state;
    struct tr_class_sum *rows = NULL;
    size_t n = 0;
    enum tr_status st = class_sums(s, &rows, &n, err);
    if (st == TR_OK)
        tr_table_grouped_rows(t, rows, n, sizeof *rows);
    free(rows);
    return st;
}

/* ---- over ranks ---- */

struct across {
    const char *label;
    double count, sum, whole;
    uint64_t n_ranks;
};

static enum tr_across across_of(const struct tr_rules_options *o)
{
    return o->across >= 0 ? (enum tr_across)o->across : o->compat >= 0 ? TR_ACROSS_MEAN : TR_ACROSS_SUM;
}

/* Sums and means add up over classes; other statistics do not. */
static void across_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    const struct tr_rules_options *o = options;
    bool adds = across_of(o) == TR_ACROSS_SUM || across_of(o) == TR_ACROSS_MEAN;
    const struct tr_table_column columns[] = {
        CLASS(struct across),
        { "count", TR_CELL_RATIO, adds ? TR_ROLE_COUNT : TR_ROLE_QUANTILE, 3, TR_OF(struct across, count),
          .meaning = "number of events; with --across, the statistic" },
        { "sum", TR_CELL_TIME, adds ? TR_ROLE_SUM : TR_ROLE_QUANTILE, TR_OF(struct across, sum),
          .meaning = "sum of durations; with --across, the statistic" },
        { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, TR_OF(struct across, whole), .unit = "%", .of = "sum",
          .meaning = "share of the column" },
        { "ranks", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct across, n_ranks),
          .meaning = "number of ranks that have the class" },
    };
    (void)in;
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

/* Statistics of classes; as in unitrace, sums of statistics of names. */
static enum tr_status across_sums(struct rules_state *s, struct tr_class_across **rows, size_t *n,
                                  struct tr_error *err)
{
    const struct tr_rules_options *o = s->options;
    const struct tr_name_sum *names = NULL;
    struct tr_class_sum *sums = NULL;
    size_t n_names = 0;
    bool skip = o->absent >= 0 ? o->absent == TR_ACROSS_SKIP : o->compat >= 0;
    enum tr_status st = o->compat >= 0 ? finish_names(s, &names, &n_names, err) : class_sums(s, &sums, &n_names, err);
    if (st == TR_OK && o->compat >= 0)
        st = tr_class_across_names(o->rules, o->target, names, n_names, across_of(o), skip, rows, n, err);
    else if (st == TR_OK)
        st = tr_class_across(sums, n_names, across_of(o), skip, rows, n, err);
    free(sums);
    return st;
}

static enum tr_status across_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct rules_state *s = state;
    const struct tr_rules_options *o = s->options;
    struct tr_class_across *rows = NULL;
    size_t n = 0;
    double whole = 0;
    enum tr_status st = across_sums(s, &rows, &n, err);
    for (size_t i = 0; i < n; i++)
        whole += rows[i].sum;
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        const struct across row = { rows[i].label, rows[i].count, rows[i].sum, whole, rows[i].n_ranks };
        if (o->take)
            st = o->take(o->self, &rows[i], err);
        else
            tr_table_row(t, &(struct tr_row){ .row = &row });
    }
    free(rows);
    return st;
}

/* ---- names without a class ---- */

static const struct tr_table_column unmatched_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct tr_name_sum, name), .names = true,
      .meaning = "name without a class" },
    SUMS(struct tr_name_sum),
};

static enum tr_status unmatched_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct rules_state *s = state;
    const struct tr_rules_options *o = s->options;
    const struct tr_name_sum *rows;
    size_t n;
    enum tr_status st = finish_names(s, &rows, &n, err);
    for (size_t i = 0; st == TR_OK && i < n; i++) {
        uint32_t rule;
        st = tr_rules_match(o->rules, o->target, rows[i].name.s, rows[i].name.len, &rule, err);
        bool classless = st == TR_NO || (st == TR_OK && !tr_rules_get(o->rules, rule)->label);
        if (classless)
            tr_table_grouped_rows(t, &rows[i], 1, sizeof rows[i]);
        st = st == TR_NO ? TR_OK : st;
    }
    return st;
}

static const char nothing[] = "no work of this side that has a duration is selected";

/* ---- partial results: names, to which any rules can be applied ---- */

struct saved_report {
    int64_t rank;
    struct tr_str name;
    uint64_t comm, count;
    int64_t sum;
};

static const struct tr_saved_column report_columns[] = {
    { "rank", TR_SAVED_INT, offsetof(struct saved_report, rank) },
    { "name", TR_SAVED_TEXT, offsetof(struct saved_report, name) },
    { "comm", TR_SAVED_COUNT, offsetof(struct saved_report, comm) },
    { "count", TR_SAVED_COUNT, offsetof(struct saved_report, count) },
    { "sum", TR_SAVED_INT, offsetof(struct saved_report, sum) },
};

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct rules_state *s = state;
    for (size_t i = 0; i < s->reported.n; i++) {
        const struct tr_name_sum *r = &s->reported.rows[i];
        const struct saved_report row = { r->key.rank == TR_GROUP_NONE ? TR_I64_NONE : r->key.rank, r->name,
                                          r->kind == TR_KIND_COMM, r->count, r->sum };
        tr_partial_put(out, 1, &row);
    }
    return tr_rows_save(tr_name_stats_rows(s->names), out, 0, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct rules_state *s = state;
    struct saved_report row;
    while (tr_partial_get(in, 1, &row)) {
        uint32_t name = tr_partial_string(in, row.name);
        if (!row.name.s || row.count > INT64_MAX)
            tr_partial_wrong(in, "a row of a report");
        else if (name != TR_NO_STR &&
                 !tr_reported_names_add(&s->reported, row.rank == TR_I64_NONE ? TR_GROUP_NONE : row.rank,
                                        tr_dict_text(tr_partial_dict(in), name),
                                        row.comm ? TR_KIND_COMM : TR_KIND_COMPUTE, (int64_t)row.count, row.sum))
            return tr_fail_memory(err);
    }
    enum tr_status st = tr_partial_status(in, err);
    return st == TR_OK ? tr_rows_load(tr_name_stats_rows(s->names), in, 0, err) : st;
}

static const struct tr_saved_table saved[] = { { .rows = &tr_name_stats_type },
                                               TR_SAVED_TABLE("reports", report_columns) };
static const struct tr_saving saving = { .version = 4, .tables = saved, .n_tables = 2, .save = save, .load = load };

const char *const tr_across_names[] = {
    [TR_ACROSS_SUM] = "sum",          [TR_ACROSS_MEAN] = "mean",
    [TR_ACROSS_MEDIAN] = "median",    [TR_ACROSS_MIN] = "min",
    [TR_ACROSS_SECOND_MIN] = "min+1", [TR_ACROSS_MAX] = "max",
    [TR_ACROSS_SECOND_MAX] = "max-1", [TR_N_ACROSS] = NULL,
};
const char *const tr_absent_names[] = { [TR_ACROSS_ZERO] = "zero", [TR_ACROSS_SKIP] = "skip", NULL };
const char *const tr_rule_order_names[] = { [TR_RULES_BY_CONTENT] = "by-content",
                                           [TR_RULES_IN_ORDER] = "first",
                                           [TR_RULES_LONGEST] = "longest", NULL };
const char *const tr_rule_target_names[] = { [TR_RULE_DEVICE] = "device", [TR_RULE_OPERATOR] = "host", NULL };
static const struct tr_rules_options defaults = TR_RULES_DEFAULTS;
static const char *const compats[] = { "unitrace", NULL };
static const struct tr_option settings[] = {
    { 0, "across", "STAT", TR_OPTION_CHOICE, offsetof(struct tr_rules_options, across), .shown = true,
      .choices = tr_across_names,
      .help = "sum, mean, median, min, min+1, max or max-1 over ranks [sum; compat: mean]" },
    { 0, "absent", "HOW", TR_OPTION_CHOICE, offsetof(struct tr_rules_options, absent), .shown = true,
      .choices = tr_absent_names, .help = "a rank without the class is zero or skipped [zero; compat: skip]" },
    { 0, "compat", "unitrace", TR_OPTION_CHOICE, offsetof(struct tr_rules_options, compat), .choices = compats,
      .help = "the statistic of each name, as in unitrace, and sums of these" },
    { 0, "side", "SIDE", TR_OPTION_CHOICE, offsetof(struct tr_rules_options, target), .choices = tr_rule_target_names,
      .help = "device work, or operators of the host [device]" },
    { 0 },
};
#define SIDE_ALONE (&settings[3])

const struct tr_analysis tr_analysis_rules = {
    .name = "rules",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "class", .y = { "sum" } },
    .question = "Which classes, by rules on names, took the time?",
    .nothing = nothing,
    .groups = TR_PER_ANY,
    .group = TR_PER_ALL,
    TR_OPTIONS(SIDE_ALONE, defaults),
    .check = check,
    .more = needs,
    TR_OWN_COLUMNS(class_columns),
    .state_size = sizeof(struct rules_state),
    .start = start,
    .feed = feed,
    .complete = read_reports,
    .finish = class_finish,
    .free = release,
    .saving = &saving,
};

const struct tr_analysis tr_analysis_rules_across = {
    .name = "rules-across",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "class", .y = { "sum" } },
    .question = "How much time do classes, by rules on names, take on a typical rank?",
    .nothing = nothing,
    .group = TR_PER_RANK,
    TR_OPTIONS(settings, defaults),
    .check = check,
    .more = needs,
    .columns = across_columns,
    .state_size = sizeof(struct rules_state),
    .start = start,
    .feed = feed,
    .complete = read_reports,
    .finish = across_finish,
    .free = release,
    .saving = &saving,
};

const struct tr_analysis tr_analysis_unmatched = {
    .name = "unmatched",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "sum" } },
    .question = "Which names without a class took the time?",
    .nothing = "all selected names have a class",
    .groups = TR_PER_ANY,
    .group = TR_PER_ALL,
    TR_OPTIONS(SIDE_ALONE, defaults),
    .check = check,
    .more = needs,
    TR_OWN_COLUMNS(unmatched_columns),
    .state_size = sizeof(struct rules_state),
    .start = start,
    .feed = feed,
    .complete = read_reports,
    .finish = unmatched_finish,
    .free = release,
    .saving = &saving,
};
