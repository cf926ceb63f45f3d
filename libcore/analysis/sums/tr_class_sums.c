/* SPDX-License-Identifier: MIT */
/* Time per class: the durations per name, classified by rules. */
#include "analysis/sums/tr_class_sums.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- per group ---- */

static int by_sum(const void *a, const void *b)
{
    const struct tr_class_sum *x = a, *y = b;
    if (!x->label || !y->label)
        return !x->label - !y->label;
    if (x->sum != y->sum)
        return x->sum > y->sum ? -1 : 1;
    return strcmp(x->label, y->label);
}

/* The rule that takes a name; NULL: none. */
static enum tr_status rule_of(struct tr_rules *rules, enum tr_rule_target target, struct tr_str name,
                              const struct tr_rule **rule, struct tr_error *err)
{
    uint32_t number;
    enum tr_status st = tr_rules_match(rules, target, name.s, name.len, &number, err);
    *rule = st == TR_OK ? tr_rules_get(rules, number) : NULL;
    return st == TR_NO ? TR_OK : st;
}

/* The n names of one group; per: room for each label and one without. */
static enum tr_status sum_group(struct tr_rules *rules, enum tr_rule_target target,
                                const struct tr_name_sum *rows, size_t n, struct tr_class_sum *per,
                                size_t n_labels, struct tr_error *err)
{
    memset(per, 0, (n_labels + 1) * sizeof *per);
    for (size_t i = 0; i < n; i++) {
        const struct tr_rule *rule;
        enum tr_status st = rule_of(rules, target, rows[i].name, &rule, err);
        if (st != TR_OK)
            return st;
        struct tr_class_sum *c = &per[rule && rule->label ? rule->class_id : n_labels];
        c->key = rows[i].key;
        c->label = rule ? rule->label : NULL;
        c->whole = rows[i].whole;
        c->count += rows[i].count;
        c->sum = tr_time_sum(c->sum, rows[i].sum);
    }
    return TR_OK;
}

static size_t group_end(const struct tr_name_sum *rows, size_t from, size_t n)
{
    size_t end = from;
    while (end < n && memcmp(&rows[end].key, &rows[from].key, sizeof rows[from].key) == 0)
        end++;
    return end;
}

enum tr_status tr_class_sums(struct tr_rules *rules, enum tr_rule_target target, const struct tr_name_sum *rows,
                             size_t n, struct tr_class_sum **out, size_t *n_out, struct tr_error *err)
{
    size_t n_labels, cap = 0, end;
    tr_rules_labels(rules, &n_labels);
    struct tr_class_sum *per = calloc(n_labels + 1, sizeof *per);
    enum tr_status st = per ? TR_OK : tr_fail_memory(err);
    *out = NULL;
    *n_out = 0;
    for (size_t i = 0; i < n && st == TR_OK; i = end) {
        end = group_end(rows, i, n);
        st = sum_group(rules, target, rows + i, end - i, per, n_labels, err);
        if (st == TR_OK && !tr_grow(out, &cap, *n_out + n_labels + 1, sizeof **out))
            st = tr_fail_memory(err);
        if (st != TR_OK)
            break;
        qsort(per, n_labels + 1, sizeof *per, by_sum);
        for (size_t k = 0; k <= n_labels; k++)
            if (per[k].count)
                (*out)[(*n_out)++] = per[k];
    }
    free(per);
    return st;
}

/* ---- over ranks ---- */

/* Half of the sum of two values that are not negative, rounded down on request. */
static double middle(int64_t a, int64_t b, bool whole)
{
    double half = (double)a / 2 + (double)b / 2;
    return whole ? floor(half) : half;
}

/* Sorted values, after `absent` values of 0. */
struct sample {
    const int64_t *v;
    size_t n, absent;
};

static int64_t at(const struct sample *s, size_t i)
{
    return i < s->absent ? 0 : s->v[i - s->absent];
}

static double second(const struct sample *s, bool largest, bool whole)
{
    size_t all = s->n + s->absent;
    if (all == 2)
        return middle(at(s, 0), at(s, 1), whole);
    return (double)at(s, all < 2 ? 0 : largest ? all - 2 : 1);
}

/* The statistic of n values, n > 0, and of `absent` values of 0.  Sorts v.  NaN: a value does not fit. */
static double statistic(int64_t *v, size_t n, size_t absent, enum tr_across across, bool whole)
{
    const struct sample s = { v, n, absent };
    size_t all = n + absent;
    double sum = 0;
    qsort(v, n, sizeof *v, tr_by_i64);
    if (v[0] == TR_TIME_NONE)
        return NAN;
    for (size_t i = 0; i < n; i++)
        sum += (double)v[i];
    switch (across) {
    case TR_ACROSS_MEAN:
        return sum / (double)all;
    case TR_ACROSS_MEDIAN:
        return middle(at(&s, (all - 1) / 2), at(&s, all / 2), false);
    case TR_ACROSS_MIN:
        return (double)at(&s, 0);
    case TR_ACROSS_SECOND_MIN:
        return second(&s, false, whole);
    case TR_ACROSS_MAX:
        return (double)at(&s, all - 1);
    case TR_ACROSS_SECOND_MAX:
        return second(&s, true, whole);
    default:
        return sum;
    }
}

/* An item with values over ranks, for which there is a statistic. */
struct item {
    const char *label;
    struct tr_str name;
    bool comm;
    size_t first;
    int64_t count, sum;
};

/* Puts the values of an item, one of each rank that has it, next to each other. */
static int by_item(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (!x->label || !y->label) {
        if (x->label || y->label)
            return !x->label - !y->label;
    } else if (x->label != y->label) {
        return strcmp(x->label, y->label); /* equal labels are one string */
    }
    int c = tr_str_cmp(x->name, y->name);
    if (c)
        return c;
    if (x->comm != y->comm)
        return x->comm - y->comm;
    return (x->first > y->first) - (x->first < y->first);
}

static bool same_item(const struct item *a, const struct item *b)
{
    return a->label == b->label && a->comm == b->comm && tr_str_cmp(a->name, b->name) == 0;
}

static bool same_class(const struct tr_class_across *c, const struct item *i)
{
    return c->label == i->label && (c->label || c->comm == i->comm);
}

/* The statistic of one item, from items[0] to items[n - 1]. */
static void put_statistic(const struct item *items, size_t n, size_t absent, enum tr_across across,
                          bool whole, int64_t *v, struct tr_class_across *to)
{
    for (size_t i = 0; i < n; i++)
        v[i] = items[i].count;
    to->count += statistic(v, n, absent, across, whole);
    for (size_t i = 0; i < n; i++)
        v[i] = items[i].sum;
    to->sum += statistic(v, n, absent, across, whole);
    to->n_ranks = n > to->n_ranks ? n : to->n_ranks;
}

static int by_typical(const void *a, const void *b)
{
    const struct tr_class_across *x = a, *y = b;
    if (!x->label || !y->label)
        return !x->label - !y->label;
    if (isnan(x->sum) || isnan(y->sum)) /* beyond 64 bits: first */
        return isnan(x->sum) && isnan(y->sum) ? strcmp(x->label, y->label) : isnan(x->sum) ? -1 : 1;
    if (x->sum < y->sum || x->sum > y->sum)
        return x->sum > y->sum ? -1 : 1;
    return strcmp(x->label, y->label);
}

enum tr_status tr_class_across(const struct tr_class_sum *sums, size_t n, enum tr_across across, bool skip_absent,
                               struct tr_class_across **out, size_t *n_out, struct tr_error *err)
{
    struct item *items = calloc(n + 1, sizeof *items);
    int64_t *v = calloc(n + 1, sizeof *v);
    struct tr_class_across *rows = calloc(n + 1, sizeof *rows);
    size_t n_ranks = 0, n_rows = 0, end;
    if (!items || !v || !rows) {
        free(rows);
        rows = NULL;
        n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        items[i] =
            (struct item){ sums[i].label, tr_str_of(""), false, i, (int64_t)sums[i].count, sums[i].sum };
        n_ranks += i == 0 || memcmp(&sums[i].key, &sums[i - 1].key, sizeof sums[i].key) != 0;
    }
    if (n)
        qsort(items, n, sizeof *items, by_item);
    for (size_t i = 0; i < n; i = end) {
        for (end = i; end < n && same_item(&items[i], &items[end]);)
            end++;
        rows[n_rows].label = items[i].label;
        put_statistic(items + i, end - i, skip_absent ? 0 : n_ranks - (end - i), across, false, v, &rows[n_rows++]);
    }
    if (n_rows)
        qsort(rows, n_rows, sizeof *rows, by_typical);
    free(items);
    free(v);
    *out = rows;
    *n_out = n_rows;
    return rows ? TR_OK : tr_fail_memory(err);
}

/* A name, and its items. */
struct span {
    size_t first, from, n;
};

TR_ORDER(by_first, struct span, TR_UP(first))

static enum tr_status make_items(struct tr_rules *rules, enum tr_rule_target target,
                                 const struct tr_name_sum *rows, size_t n, struct item *items,
                                 struct tr_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct tr_name_sum *r = &rows[i];
        const struct tr_rule *rule;
        enum tr_status st = rule_of(rules, target, r->name, &rule, err);
        if (st != TR_OK)
            return st;
        enum tr_kind kind = rule && rule->kind != TR_KIND_NONE ? rule->kind : r->kind;
        items[i] = (struct item){ rule ? rule->label : NULL, r->name,
                                  kind == TR_KIND_COMM,      r->first,
                                  (int64_t)r->count,       r->sum };
    }
    if (n)
        qsort(items, n, sizeof *items, by_item);
    return TR_OK;
}

/* Find runs of items of one name, ordered by first appearance. */
static size_t make_spans(const struct item *items, size_t n, struct span *spans)
{
    size_t n_spans = 0, end;
    for (size_t i = 0; i < n; i = end) {
        for (end = i; end < n && same_item(&items[i], &items[end]);)
            end++;
        spans[n_spans++] = (struct span){ items[i].first, i, end - i };
    }
    if (n_spans)
        qsort(spans, n_spans, sizeof *spans, by_first);
    return n_spans;
}

enum tr_status tr_class_across_names(struct tr_rules *rules, enum tr_rule_target target,
                                     const struct tr_name_sum *rows, size_t n, enum tr_across across,
                                     bool skip_absent, struct tr_class_across **out, size_t *n_out,
                                     struct tr_error *err)
{
    struct item *items = calloc(n + 1, sizeof *items);
    struct span *spans = calloc(n + 1, sizeof *spans);
    int64_t *v = calloc(n + 1, sizeof *v);
    struct tr_class_across *made = calloc(n + 1, sizeof *made);
    size_t n_spans = 0, n_made = 0, n_ranks = 0, k;
    enum tr_status st = items && spans && v && made ? make_items(rules, target, rows, n, items, err)
                                                    : tr_fail_memory(err);
    for (size_t i = 0; i < n && !skip_absent; i++)
        n_ranks += i == 0 || memcmp(&rows[i].key, &rows[i - 1].key, sizeof rows[i].key) != 0;
    if (st == TR_OK)
        n_spans = make_spans(items, n, spans);
    for (size_t i = 0; i < n_spans; i++) {
        const struct item *of = &items[spans[i].from];
        for (k = 0; k < n_made && !same_class(&made[k], of);)
            k++;
        if (k == n_made)
            made[n_made++] = (struct tr_class_across){ .label = of->label, .comm = of->comm };
        put_statistic(of, spans[i].n, n_ranks > spans[i].n ? n_ranks - spans[i].n : 0, across, true, v, &made[k]);
    }
    free(items);
    free(spans);
    free(v);
    if (st != TR_OK) {
        free(made);
        return st;
    }
    *out = made;
    *n_out = n_made;
    return TR_OK;
}
