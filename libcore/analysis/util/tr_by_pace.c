/* SPDX-License-Identifier: MIT */
/* How long did annotations and device work of each name take, step by step? */
#include "analysis/util/tr_util_analyses.h"
#include "engine/tr_rows.h"
#include "vendor/tr_roles.h"

#include <stdlib.h>

#define NAMES 6u /* as many as a picture has colours */

struct pace {
    uint32_t group, name; /* a group is a step */
    struct tr_stats dur;
};

enum verdict { UNSEEN, NO, YES };

struct paces {
    struct tr_grouped all;
    const struct tr_name_test *test;
    const struct tr_dict *dict;
    uint8_t *verdicts; /* by string, enum verdict: does the name count? */
    size_t n_verdicts, cap_verdicts;
    uint32_t longest[NAMES]; /* names that are printed, if there is no test */
    size_t n_longest;
};

static const struct tr_table_column columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct pace, name), .names = true,
      .meaning = "the annotation, kernel, copy or memset" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct pace, dur), .meaning = "how many in the step" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct pace, dur), .of = "sum", .per = "count", .main = true,
      .meaning = "mean duration" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct pace, dur), .extra = true, .meaning = "sum of the durations" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct pace, dur), .extra = true, .meaning = "the shortest" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct pace, dur), .extra = true, .meaning = "the longest" },
};

static const struct tr_row_type type = {
    .name = "paces",
    .size = sizeof(struct pace),
    .key_size = offsetof(struct pace, name) + sizeof(uint32_t),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "sum,name",
};

static void release(void *state)
{
    struct paces *s = state;
    tr_grouped_free(&s->all);
    free(s->verdicts);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct paces *s = state;
    s->dict = in->dict;
    s->test = &((const struct tr_pace_options *)options)->name;
    return tr_grouped_start(&s->all, &type, in, TR_DEVICE_WORK | TR_ACTIVITY_BIT(TR_ACT_ANNOTATION), err);
}

/* Does a name count?  That of a step does not: it is another one in each.  False: out of memory. */
static bool judge(struct paces *s, uint32_t name, bool *yes)
{
    *yes = false;
    if (name == TR_NO_STR)
        return true;
    if (!tr_grow(&s->verdicts, &s->cap_verdicts, (size_t)name + 1, sizeof *s->verdicts))
        return false;
    while (s->n_verdicts <= name)
        s->verdicts[s->n_verdicts++] = UNSEEN;
    if (s->verdicts[name] == UNSEEN) {
        struct tr_str text = tr_dict_text(s->dict, name);
        bool step = tr_roles_of(s->dict->names, text.s, text.len) & TR_NAMED_STEP;
        bool fits = !step && (!s->test->match || s->test->match(s->test->self, text));
        s->verdicts[name] = fits ? YES : NO;
    }
    *yes = s->verdicts[name] == YES;
    return true;
}

static bool add(void *state, const struct tr_batch *b, size_t i, const struct tr_group_by_item *item)
{
    struct paces *s = state;
    bool yes;
    if (!judge(s, b->name[i], &yes))
        return false;
    if (!yes || s->all.work.groups[item->group].step == TR_GROUP_NONE)
        return true;
    struct pace *p = tr_rows_at(s->all.rows, &(struct pace){ .group = item->group, .name = b->name[i] });
    if (p)
        tr_stats_add(&p->dur, item->end - item->start);
    return p != NULL;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    (void)t;
    return tr_grouped_feed(state, b, keep, add, err);
}

/* ---- the names with the longest time over all steps ---- */

struct total {
    uint32_t name;
    int64_t sum; /* TR_TIME_NONE: does not fit */
};

static int by_name(const void *x, const void *y)
{
    const struct total *a = x, *b = y;
    return (a->name > b->name) - (a->name < b->name);
}

static bool comes_before(const struct paces *s, const struct total *a, const struct total *b)
{
    if (a->sum != b->sum)
        return b->sum != TR_TIME_NONE && (a->sum == TR_TIME_NONE || a->sum > b->sum);
    return tr_str_cmp(tr_dict_text(s->dict, a->name), tr_dict_text(s->dict, b->name)) < 0;
}

/* Put a total among the first ones. */
static void rank_total(const struct paces *s, struct total first[NAMES], size_t *n, const struct total *one)
{
    size_t at = *n;
    while (at > 0 && comes_before(s, one, &first[at - 1])) {
        if (at < NAMES)
            first[at] = first[at - 1];
        at--;
    }
    if (at < NAMES)
        first[at] = *one;
    *n += *n < NAMES;
}

static bool skip(void *self, const void *row)
{
    const struct paces *s = self;
    for (size_t i = 0; i < s->n_longest; i++)
        if (s->longest[i] == ((const struct pace *)row)->name)
            return false;
    return true;
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct paces *s = state;
    struct total first[NAMES];
    size_t n = tr_rows_count(s->all.rows);
    struct total *all = s->test->match ? NULL : malloc((n + 1) * sizeof *all);
    if (s->test->match)
        return TR_OK;
    if (!all)
        return tr_fail_memory(err);
    s->n_longest = 0;
    for (size_t i = 0; i < n; i++) {
        const struct pace *p = tr_rows_get(s->all.rows, i);
        all[i] = (struct total){ p->name, tr_stats_sum(&p->dur) };
    }
    qsort(all, n, sizeof *all, by_name);
    for (size_t i = 0, end; i < n; i = end) {
        struct total one = { all[i].name, 0 };
        for (end = i; end < n && all[end].name == one.name; end++)
            one.sum = tr_time_sum(one.sum, all[end].sum);
        rank_total(s, first, &s->n_longest, &one);
    }
    for (size_t i = 0; i < s->n_longest; i++)
        s->longest[i] = first[i].name;
    free(all);
    tr_rows_skip(s->all.rows, skip, s);
    return TR_OK;
}

static const struct tr_pace_options defaults = { .name = { NULL, NULL, NULL } };
static const struct tr_option options[] = {
    { 0, "name", "REGEX", TR_OPTION_NAMES, offsetof(struct tr_pace_options, name),
      .help = "these annotations, kernels, copies and memsets [the six names with the longest time]" },
    { 0 },
};

const struct tr_analysis tr_analysis_util_pace = {
    .name = "pace",
    .chart = &(const struct tr_chart){ TR_CHART_LINE, .x = "step", .y = { "mean" }, .series = "name", .facet = "rank" },
    .question = "Does each part of a step take as long in every step?",
    .nothing = "no annotation and no device work of a numbered step is selected",
    .groups = TR_PER_BIT(TR_PER_STEP),
    .group = TR_PER_STEP,
    TR_OPTIONS(options, defaults),
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME), .any_rank_order = true }, .host = true },
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct paces),
    .start = start,
    .feed = feed,
    .complete = complete,
    .rows = tr_rows_first,
    .free = release,
    .saving = &(const struct tr_saving){ .version = 1, TR_SAVED_ROWS(type) },
};
