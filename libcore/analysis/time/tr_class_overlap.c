/* SPDX-License-Identifier: MIT */
/* Which kinds or classes of device work ran at the same time? */
#include "analysis/time/tr_concurrency.h"
#include "analysis/time/tr_time_analyses.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = { "compute", "comm", "memory" };

struct class_overlap_state {
    struct tr_analysis_in in;
    struct tr_concurrency *states;
    struct tr_concurrency *judged; /* by the rules of the library; NULL: kinds only */
    struct tr_rules *rules;
    bool loaded;
    char *list; /* the names of the classes, split; NULL: kinds */
    const char *names[TR_SWEEP_MAX_CLASSES];
    unsigned n_names;
};

static void release(void *state)
{
    struct class_overlap_state *s = state;
    tr_concurrency_free(s->states);
    tr_concurrency_free(s->judged);
    tr_rules_free(s->rules);
    free(s->list);
}

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED;
    n->want.derived = 1u << TR_COL_CLASS;
    n->want.any_rank_order = true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct class_overlap_state *s = state;
    (void)t;
    enum tr_status st = tr_concurrency_feed(s->states, b, keep, err);
    return st == TR_OK && s->judged ? tr_concurrency_feed(s->judged, b, keep, err) : st;
}

/* Are the classes those of the library's rules, because no work has a class of its own? */
static bool use_judged(const struct class_overlap_state *s)
{
    return s->judged && !s->loaded && !tr_concurrency_labelled(s->states);
}

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    struct class_overlap_state *s = state;
    if (use_judged(s)) /* another part may have classes, so none is made up */
        return tr_fail(err, TR_USAGE, "no work has such a class: run tr-categorize first");
    return tr_concurrency_save(s->states, out, err);
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct class_overlap_state *s = state;
    s->loaded = true;
    return tr_concurrency_load(s->states, in, err);
}

static const struct tr_saving type_saving = { .version = 1,
                                              .whole_ranks = true,
                                              .unions = true,
                                              .tables = &tr_concurrency_saved,
                                              .n_tables = 1,
                                              .save = save,
                                              .load = load };
static const struct tr_saving classes_saving = { .version = 1,
                                                 .whole_ranks = true,
                                                 .unions = true,
                                                 .tables = &tr_concurrency_saved,
                                                 .n_tables = 1,
                                                 .save = save,
                                                 .load = load };

static void add_columns(struct tr_table *t, enum tr_per per, const char *set, const char *whole)
{
    const struct tr_table_column columns[] = {
        { set, TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct tr_concurrency_row, name),
          .meaning = "kinds or classes that ran at the same time, joined by +" },
        { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_concurrency_row, sum), .meaning = "for how long" },
        { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, TR_OF(struct tr_concurrency_row, whole), .unit = "%", .of = "sum",
          .meaning = whole },
    };
    tr_group_columns(t, per);
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

/* ---- kinds ---- */

static void columns_of_type(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    add_columns(t, in->grouped ? in->work.per : TR_PER_ALL, "kinds", "share of the sum of the rows");
}

static enum tr_status start_type(const struct tr_analysis_in *in, const void *options, void *state,
                                 struct tr_error *err)
{
    struct class_overlap_state *s = state;
    (void)options;
    /* Unless groups are requested, ranks are measured one by one and their times added. */
    const struct tr_concurrency_opts opts = {
        .work = in->work, .classes = kinds, .n_classes = sizeof kinds / sizeof *kinds, .add_groups = !in->grouped
    };
    return tr_concurrency_new(&opts, in->dict, in->summary, in->sorted, in->select, &s->states, err);
}

static enum tr_status finish_type(void *state, struct tr_table *t, struct tr_error *err)
{
    struct class_overlap_state *s = state;
    const struct tr_concurrency_row *rows;
    size_t n;
    enum tr_status st = tr_concurrency_finish(s->states, &rows, &n, err);
    if (st == TR_OK)
        tr_table_grouped_rows(t, rows, n, sizeof *rows);
    return st;
}

const struct tr_analysis tr_analysis_type = {
    .name = "type",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "kinds", .y = { "sum" } },
    .question = "Which kinds of device work ran at the same time?",
    .nothing = "no device work of these kinds is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .more = needs,
    .columns = columns_of_type,
    .state_size = sizeof(struct class_overlap_state),
    .start = start_type,
    .feed = feed,
    .finish = finish_type,
    .free = release,
    .saving = &type_saving,
};

/* ---- any classes ---- */

/* Rules judge by names. */
static void needs_of_classes(const void *options, struct tr_needs *n)
{
    needs(options, n);
    n->want.fixed |= TR_FIXED_BIT(NAME);
}

static void columns_of_classes(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)options;
    add_columns(t, in->work.per, "state", "share of the span");
}

/* Split the list of names at its commas; false: out of memory. */
static bool split(struct class_overlap_state *s, const char *list)
{
    s->list = strdup(list);
    for (char *at = s->list; at && s->n_names <= TR_SWEEP_MAX_CLASSES; s->n_names++) {
        char *comma = strchr(at, ',');
        if (s->n_names < TR_SWEEP_MAX_CLASSES)
            s->names[s->n_names] = at;
        at = comma ? comma + 1 : NULL;
        if (comma)
            *comma = '\0';
    }
    return s->list != NULL;
}

/* A class that is not a kind may have to come from the library's rules. */
static enum tr_status start_judging(struct class_overlap_state *s, struct tr_concurrency_opts opts,
                                    struct tr_error *err)
{
    enum tr_status st = TR_OK;
    bool kinds_only = true;
    for (unsigned k = 0; k < s->n_names && k < TR_SWEEP_MAX_CLASSES; k++)
        kinds_only &= tr_kind_by_name(s->names[k]) >= 0;
    if (kinds_only || s->n_names > TR_SWEEP_MAX_CLASSES)
        return TR_OK;
    st = tr_rules_new(&s->rules, err);
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && st == TR_OK; b++)
        st = tr_rules_add_builtin(s->rules, b, TR_RULES_IN_ORDER, err);
    opts.rules = s->rules;
    if (st == TR_OK)
        st = tr_concurrency_new(&opts, s->in.dict, s->in.summary, s->in.sorted, s->in.select, &s->judged, err);
    return st;
}

static enum tr_status start_classes(const struct tr_analysis_in *in, const void *options, void *state,
                                    struct tr_error *err)
{
    const struct tr_classes_options *o = options;
    struct class_overlap_state *s = state;
    if (!split(s, o->list))
        return tr_fail_memory(err);
    const struct tr_concurrency_opts opts = {
        .work = in->work, .classes = s->names, .n_classes = s->n_names, .with_none = true
    };
    s->in = *in;
    enum tr_status st = start_judging(s, opts, err);
    if (st == TR_OK)
        st = tr_concurrency_new(&opts, in->dict, in->summary, in->sorted, in->select, &s->states, err);
    if (st == TR_USAGE)
        tr_error_place(err, "option --classes");
    return st;
}

/* Is a name in a state, "compute+comm"? */
static bool names_state(const char *state, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = state; (at = strstr(at, name)) != NULL; at++)
        if ((at == state || at[-1] == '+') && (at[len] == '\0' || at[len] == '+'))
            return true;
    return false;
}

/* A class without work is most often a misspelt name; a kind may well have no work. */
static void warn_of_unused(const struct class_overlap_state *s, const struct tr_concurrency_row *rows, size_t n)
{
    for (unsigned k = 0; k < s->n_names; k++) {
        bool used = tr_kind_by_name(s->names[k]) >= 0;
        for (size_t i = 0; i < n && !used; i++)
            used = names_state(rows[i].name, s->names[k]);
        if (!used)
            tr_analysis_remark(&s->in, TR_REMARK_WARN, "option --classes",
                               "no work is of kind or class '%.150s' (see tr-categorize --by class)", s->names[k]);
    }
}

static enum tr_status finish_classes(void *state, struct tr_table *t, struct tr_error *err)
{
    struct class_overlap_state *s = state;
    const struct tr_concurrency_row *rows;
    size_t n;
    enum tr_status st = tr_concurrency_finish(use_judged(s) ? s->judged : s->states, &rows, &n, err);
    if (st != TR_OK)
        return st;
    if (use_judged(s))
        tr_analysis_remark(&s->in, TR_REMARK_RESULT, "",
                           "no work has a class: classes are those that tr-categorize would give");
    warn_of_unused(s, rows, n);
    tr_table_grouped_rows(t, rows, n, sizeof *rows);
    return TR_OK;
}

static const struct tr_classes_options classes_defaults = { .list = TR_CLASSES_DEFAULT };
static const struct tr_option classes_options[] = {
    { 0, "classes", "LIST", TR_OPTION_TEXT, offsetof(struct tr_classes_options, list),
      .help = "these kinds or classes [compute,comm,memory]" },
    { 0 },
};

const struct tr_analysis tr_analysis_classes = {
    .name = "classes",
    .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "rank", .y = { "sum" }, .series = "state" },
    .question = "Which of these kinds or classes ran at the same time?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    TR_OPTIONS(classes_options, classes_defaults),
    .more = needs_of_classes,
    .columns = columns_of_classes,
    .state_size = sizeof(struct class_overlap_state),
    .start = start_classes,
    .feed = feed,
    .finish = finish_classes,
    .free = release,
    .saving = &classes_saving,
};
