/* SPDX-License-Identifier: MIT */
/*
 * Which kernels of a stream follow each other that one kernel could replace?
 *
 * A chain is three or more kernels in a row on a stream that work element by element, as rules say (class elementwise,
 * tr-rules(5)).  One kernel that does all of it reads its input and writes its output once, so it takes about as long
 * as the longest of them.
 */
#include "analysis/sums/tr_sums_analyses.h"
#include "base/tr_mem.h"
#include "engine/tr_rows.h"
#include "model/tr_rules.h"

#include <stdlib.h>
#include <string.h>

#define MIN_CHAIN 3u

/* Chains that start with the same kernel. */
struct row {
    uint32_t group, first;
    struct tr_stats chains; /* their kernels' durations in sum */
    uint64_t kernels;
    int64_t longest; /* sum of the longest kernel of each */
};

static const struct tr_table_column columns[] = {
    { "first", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, first), .names = true,
      .meaning = "the kernel that the chains start with" },
    { "chains", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, chains), .meaning = "how many" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, kernels), .meaning = "kernels in them" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, chains), .meaning = "sum of their durations" },
    { "longest", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, longest),
      .meaning = "sum of the longest kernel of each chain: what one kernel would take" },
};

static const struct tr_row_type type = {
    .name = "chains",
    .size = sizeof(struct row),
    .key_size = offsetof(struct row, chains),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "sum,first",
};

/* The chain that a stream is in. */
struct chain {
    uint32_t group, first;
    uint64_t n;
    int64_t sum, longest;
};

struct chains {
    struct tr_grouped all;
    struct tr_rules *rules;
    const struct tr_dict *dict;
    uint8_t *known; /* by string: 0 not asked yet, 1 not element by element, 2 element by element */
    size_t n_known, cap_known;
    struct chain *open; /* by track */
    size_t n_open, cap_open;
};

static void release(void *state)
{
    struct chains *s = state;
    tr_grouped_free(&s->all);
    tr_rules_free(s->rules);
    free(s->known);
    free(s->open);
}

static enum tr_status load_rules(struct chains *s, struct tr_error *err)
{
    enum tr_status st = tr_rules_new(&s->rules, err);
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && st == TR_OK; b++)
        st = tr_rules_add_builtin(s->rules, b, TR_RULES_BY_CONTENT, err);
    return st;
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct chains *s = state;
    (void)options;
    s->dict = in->dict;
    return tr_grouped_start(&s->all, &type, in, 0, err);
}

/* Does a kernel work element by element? */
static enum tr_status ask(struct chains *s, uint32_t name, bool *yes, struct tr_error *err)
{
    uint32_t number;
    size_t had = s->n_known;
    if (name >= had) {
        if (!tr_grow(&s->known, &s->cap_known, name + (size_t)1, 1))
            return tr_fail_memory(err);
        memset(s->known + had, 0, name + (size_t)1 - had);
        s->n_known = name + (size_t)1;
    }
    if (!s->known[name]) {
        struct tr_str text = tr_dict_text(s->dict, name);
        enum tr_status st = s->rules ? TR_OK : load_rules(s, err);
        if (st == TR_OK)
            st = tr_rules_match(s->rules, TR_RULE_DEVICE, text.s, text.len, &number, err);
        if (st != TR_OK && st != TR_NO)
            return st;
        const struct tr_rule *r = st == TR_OK ? tr_rules_get(s->rules, number) : NULL;
        s->known[name] = r && r->label && strcmp(r->label, "elementwise") == 0 ? 2 : 1;
    }
    *yes = s->known[name] == 2;
    return TR_OK;
}

static bool close_chain(struct chains *s, struct chain *c)
{
    struct row *r = NULL;
    if (c->n >= MIN_CHAIN) {
        r = tr_rows_at(s->all.rows, &(struct row){ .group = c->group, .first = c->first });
        if (!r)
            return false;
        tr_stats_add(&r->chains, c->sum);
        r->kernels += c->n;
        r->longest = tr_time_sum(r->longest, c->longest);
    }
    *c = (struct chain){ .n = 0 };
    return true;
}

static enum tr_status add(struct chains *s, const struct tr_batch *b, size_t i, struct tr_error *err)
{
    struct tr_group_by_item item;
    uint32_t track = b->track[i];
    bool yes = false;
    if (!tr_group_by_item(&s->all.work, i, &item) ||
        (track >= s->n_open && !tr_grow(&s->open, &s->cap_open, track + (size_t)1, sizeof *s->open)))
        return tr_fail_memory(err);
    for (; s->n_open <= track; s->n_open++)
        s->open[s->n_open] = (struct chain){ .n = 0 };
    enum tr_status st = b->activity[i] == TR_ACT_KERNEL ? ask(s, b->name[i], &yes, err) : TR_OK;
    struct chain *c = &s->open[track];
    int64_t dur = item.end - item.start;
    if (st == TR_OK && c->n && (!yes || c->group != item.group) && !close_chain(s, c))
        return tr_fail_memory(err);
    if (st != TR_OK || !yes)
        return st;
    if (!c->n)
        *c = (struct chain){ .group = item.group, .first = b->name[i] };
    c->n++;
    c->sum = tr_time_sum(c->sum, dur);
    c->longest = dur > c->longest ? dur : c->longest;
    return TR_OK;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct chains *s = state;
    (void)t;
    enum tr_status st = tr_group_by_batch(&s->all.work, b, keep, err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++)
        if (tr_group_by_counts(&s->all.work, i) && b->dur[i] != TR_TIME_NONE)
            st = add(s, b, i, err);
    return st;
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    struct chains *s = state;
    for (size_t i = 0; i < s->n_open; i++)
        if (!close_chain(s, &s->open[i]))
            return tr_fail_memory(err);
    return TR_OK;
}

const struct tr_analysis tr_analysis_chain = {
    .name = "chain",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "first", .y = { "sum", "longest" }, .facet = "rank" },
    .question = "Which kernels in a row work element by element, so that one could replace them?",
    .nothing = "no three kernels in a row of a stream work element by element",
    .groups = TR_PER_ANY,
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME), .any_rank_order = true } },
    TR_OWN_COLUMNS(columns),
    .complete = complete,
    .rows = tr_rows_first,
    .state_size = sizeof(struct chains),
    .start = start,
    .feed = feed,
    .free = release,
    /* A chain is on one stream of a file. */
    .saving = &(const struct tr_saving){ .version = 1, .whole_ranks = true, TR_SAVED_ROWS(type) },
};
