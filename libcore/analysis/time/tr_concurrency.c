/* SPDX-License-Identifier: MIT */
/* Time per set of classes of device work active at once. */
#include "analysis/time/tr_concurrency.h"

#include "base/tr_sort.h"
#include "model/tr_classify.h"

#include <stdlib.h>
#include <string.h>

#define NO_LABEL UINT32_MAX /* no string, and no rule */

struct class_name {
    char *name;
    int kind;     /* kind of that name, or -1 */
    uint32_t str; /* its number in the dictionary; TR_NO_STR while it is not there */
};

struct concurrency_state {
    struct tr_sweep sweep;
    int64_t first;
};

struct tr_concurrency {
    struct tr_group_by work;
    struct class_name classes[TR_SWEEP_MAX_CLASSES];
    unsigned n_classes;
    bool add_groups, with_none;
    bool loaded; /* sweeps have only sums */
    uint32_t kind_set[TR_N_KINDS];
    struct concurrency_state *states; /* by group */
    size_t n_states, cap_states;
    uint64_t *sums; /* of the sweeps as if they ended now: by group and set */
    uint32_t *label; /* class column of the batch, or numbers of rules */
    size_t cap_label;
    struct tr_classify judge; /* rules NULL: the class column counts */
    bool labelled;
    struct tr_concurrency_row *rows;
    size_t n_rows, cap_rows;
    char **names; /* by set; NULL: not needed yet */
};

/* ---- making ---- */

static enum tr_status set_classes(struct tr_concurrency *a, const struct tr_concurrency_opts *o, struct tr_error *err)
{
    if (o->n_classes > TR_SWEEP_MAX_CLASSES)
        return tr_fail(err, TR_USAGE, "more than %u classes", TR_SWEEP_MAX_CLASSES);
    for (unsigned c = 0; c < o->n_classes; c++) {
        size_t size = strlen(o->classes[c]) + 1;
        if (size == 1)
            return tr_fail(err, TR_USAGE, "a class without a name");
        for (unsigned k = 0; k < c; k++)
            if (strcmp(o->classes[k], o->classes[c]) == 0)
                return tr_fail(err, TR_USAGE, "class '%.80s' is given twice", o->classes[c]);
        char *name = malloc(size);
        if (!name)
            return tr_fail_memory(err);
        memcpy(name, o->classes[c], size);
        a->classes[a->n_classes++] = (struct class_name){ name, tr_kind_by_name(name), TR_NO_STR };
        if (a->classes[c].kind > TR_KIND_NONE)
            a->kind_set[a->classes[c].kind] |= 1u << c;
    }
    a->names = calloc((size_t)1 << a->n_classes, sizeof *a->names);
    return a->names ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_concurrency_new(const struct tr_concurrency_opts *opts, const struct tr_dict *dict,
                                  const struct tr_summary *summary, bool sorted, struct tr_select *select,
                                  struct tr_concurrency **states, struct tr_error *err)
{
    struct tr_concurrency *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->add_groups = opts->add_groups;
    a->with_none = opts->with_none;
    a->judge.rules = opts->rules;
    enum tr_status st = set_classes(a, opts, err);
    if (st == TR_OK)
        st = tr_group_by_init(&a->work, &opts->work, dict, summary, sorted, select, err);
    if (st == TR_OK)
        *states = a;
    else
        tr_concurrency_free(a);
    return st;
}

void tr_concurrency_free(struct tr_concurrency *a)
{
    if (!a)
        return;
    if (a->names)
        for (size_t set = 0; set < (size_t)1 << a->n_classes; set++)
            free(a->names[set]);
    free(a->names);
    for (unsigned c = 0; c < a->n_classes; c++)
        free(a->classes[c].name);
    for (size_t g = 0; g < a->n_states; g++)
        tr_sweep_free(&a->states[g].sweep);
    free(a->states);
    free(a->sums);
    free(a->label);
    tr_classify_free(&a->judge);
    free(a->rows);
    tr_group_by_free(&a->work);
    free(a);
}

/* ---- events ---- */

/* Sweeps for all groups so far. */
static bool more_states(struct tr_concurrency *a)
{
    if (!tr_grow(&a->states, &a->cap_states, a->work.n_groups, sizeof *a->states))
        return false;
    for (; a->n_states < a->work.n_groups; a->n_states++) {
        struct concurrency_state *s = &a->states[a->n_states];
        s->first = INT64_MAX;
        if (!tr_sweep_init(&s->sweep, a->n_classes))
            return false;
    }
    return true;
}

/* Class labels of the batch, and which of the classes the dictionary knows by now; or the rules for its events. */
static enum tr_status expand_labels(struct tr_concurrency *a, const struct tr_batch *b, struct tr_error *err)
{
    if (!tr_grow(&a->label, &a->cap_label, b->n, sizeof *a->label))
        return tr_fail_memory(err);
    if (a->judge.rules)
        return tr_classify_batch(&a->judge, b, a->label, err);
    for (unsigned c = 0; c < a->n_classes; c++)
        if (a->classes[c].str == TR_NO_STR)
            a->classes[c].str =
                tr_strtab_find(b->dict->strings, a->classes[c].name, strlen(a->classes[c].name));
    tr_batch_expand_str(b, TR_COL_CLASS, a->label);
    return TR_OK;
}

/* Is this the class of a label?  A label is the number of a string or of a rule. */
static bool is_class(const struct tr_concurrency *a, const struct class_name *c, uint32_t label)
{
    const struct tr_rule *rule = a->judge.rules ? tr_rules_get(a->judge.rules, label) : NULL;
    return rule ? rule->label && strcmp(rule->label, c->name) == 0 : !a->judge.rules && c->str == label;
}

static uint32_t set_of(const struct tr_concurrency *a, unsigned kind, uint32_t label)
{
    uint32_t set = kind < TR_N_KINDS ? a->kind_set[kind] : 0;
    for (unsigned c = 0; c < a->n_classes && label != NO_LABEL; c++)
        set |= is_class(a, &a->classes[c], label) ? 1u << c : 0;
    return set;
}

enum tr_status tr_concurrency_feed(struct tr_concurrency *a, const struct tr_batch *b, const uint8_t *keep,
                                   struct tr_error *err)
{
    struct tr_group_by *w = &a->work;
    struct tr_group_by_item item;
    enum tr_status st = tr_group_by_batch(w, b, keep, err);
    if (st != TR_OK)
        return st;
    st = expand_labels(a, b, err);
    if (st != TR_OK)
        return st;
    for (size_t i = 0; i < b->n; i++) {
        if (!tr_group_by_counts(w, i))
            continue;
        if (!tr_group_by_item(w, i, &item) || (item.group >= a->n_states && !more_states(a)))
            return tr_fail_memory(err);
        struct concurrency_state *s = &a->states[item.group];
        a->labelled |= a->label[i] != NO_LABEL;
        s->first = item.start < s->first ? item.start : s->first;
        tr_sweep_add(&s->sweep, item.start, item.end, set_of(a, b->kind[i], a->label[i]));
    }
    return TR_OK;
}

bool tr_concurrency_labelled(const struct tr_concurrency *a)
{
    return a->labelled;
}

/* ---- result ---- */

/* The name of a set, made once and kept. */
static const char *set_name(struct tr_concurrency *a, uint32_t set)
{
    struct tr_buf text = { 0 };
    if (a->names[set])
        return a->names[set];
    bool ok = set != 0 || tr_buf_add_str(&text, "none");
    for (unsigned c = 0; ok && c < a->n_classes; c++)
        if (set >> c & 1u)
            ok = (text.len == 0 || tr_buf_add_str(&text, "+")) &&
                 tr_buf_add_str(&text, a->classes[c].name);
    if (!ok || !tr_buf_add(&text, "", 1)) {
        tr_buf_free(&text);
        return NULL;
    }
    a->names[set] = (char *)text.data;
    return a->names[set];
}

TR_ORDER(by_sum, struct tr_concurrency_row, TR_DOWN(sum), strcmp(a->name, b->name))

static uint64_t add_cut(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Make the rows of one group from its times by set. */
static bool add_rows(struct tr_concurrency *a, const struct tr_group_key *key, const uint64_t *sum)
{
    size_t n_sets = (size_t)1 << a->n_classes, first = a->n_rows;
    uint64_t whole = 0;
    for (uint32_t set = a->with_none ? 0 : 1; set < n_sets; set++) {
        if (sum[set] == 0)
            continue;
        const char *name = set_name(a, set);
        if (!name || !tr_grow(&a->rows, &a->cap_rows, a->n_rows + 1, sizeof *a->rows))
            return false;
        a->rows[a->n_rows++] = (struct tr_concurrency_row){ *key, set, name, tr_time_of_length(sum[set]), 0 };
        whole = add_cut(whole, sum[set]);
    }
    for (size_t r = first; r < a->n_rows; r++)
        a->rows[r].whole = tr_time_of_length(whole);
    if (a->n_rows > first)
        qsort(a->rows + first, a->n_rows - first, sizeof *a->rows, by_sum);
    return true;
}

/* The times by set of a group if it ended now: its sweep is stretched over its span. */
static void end_sweep(const struct tr_concurrency *a, uint32_t group, const struct tr_range *work, uint64_t *sums)
{
    const struct concurrency_state *s = &a->states[group];
    struct tr_range span = tr_group_by_span(&a->work, group, work->from, work->to);
    struct tr_sweep sweep = s->sweep;
    sweep.sum_ns = sums;
    sums[0] += (uint64_t)(sweep.started ? s->first : span.from) - (uint64_t)span.from;
    tr_sweep_add(&sweep, sweep.started ? span.to : span.from, span.to, 0);
    tr_sweep_finish(&sweep);
}

/* The times of all groups.  More events may come after that. */
static enum tr_status end_sweeps(struct tr_concurrency *a, struct tr_error *err)
{
    const size_t n_sets = (size_t)1 << a->n_classes;
    enum tr_status st = tr_group_by_finish(&a->work, err);
    if (st != TR_OK)
        return st;
    if (!more_states(a))
        return tr_fail_memory(err);
    struct tr_range *spans = calloc(a->n_states + 1, sizeof *spans);
    uint64_t *sums = realloc(a->sums, (a->n_states + 1) * n_sets * sizeof *sums);
    a->sums = sums ? sums : a->sums;
    for (size_t g = 0; spans && g < a->n_states; g++)
        spans[g] = (struct tr_range){ a->states[g].first,
                                      a->states[g].sweep.started ? a->states[g].sweep.last_ns : INT64_MIN };
    bool ok = spans && sums && tr_group_by_widen(&a->work, spans);
    for (uint32_t g = 0; ok && g < a->n_states; g++) {
        memcpy(&sums[g * n_sets], a->states[g].sweep.sum_ns, n_sets * sizeof *sums);
        if (!a->loaded)
            end_sweep(a, g, &spans[g], &sums[g * n_sets]);
    }
    free(spans);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* The times of all groups of this capture, added up. */
static bool added_rows(struct tr_concurrency *a, int64_t capture, uint64_t *sum)
{
    const struct tr_group_key key = { TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, capture };
    size_t n_sets = (size_t)1 << a->n_classes;
    memset(sum, 0, n_sets * sizeof *sum);
    for (size_t g = 0; g < a->n_states; g++)
        for (size_t set = 0; set < n_sets && a->work.groups[g].capture == capture; set++)
            sum[set] = add_cut(sum[set], a->sums[g * n_sets + set]);
    return add_rows(a, &key, sum);
}

static bool all_rows(struct tr_concurrency *a, const uint32_t *order)
{
    int64_t last = 0;
    bool ok = true;
    if (!a->add_groups) {
        for (size_t g = 0; ok && g < a->n_states; g++)
            ok = add_rows(a, &a->work.groups[order[g]], &a->sums[order[g] * ((size_t)1 << a->n_classes)]);
        return ok;
    }
    uint64_t *sum = calloc((size_t)1 << a->n_classes, sizeof *sum);
    ok = sum != NULL;
    for (size_t g = 0; g < a->n_states; g++)
        last = a->work.groups[g].capture > last ? a->work.groups[g].capture : last;
    for (int64_t capture = 0; ok && capture <= last; capture++)
        ok = added_rows(a, capture, sum);
    free(sum);
    return ok;
}

enum tr_status tr_concurrency_finish(struct tr_concurrency *a, const struct tr_concurrency_row **rows, size_t *n,
                                     struct tr_error *err)
{
    enum tr_status st = end_sweeps(a, err);
    if (st != TR_OK)
        return st;
    uint32_t *order = tr_group_by_order(&a->work);
    a->n_rows = 0;
    bool ok = order && all_rows(a, order);
    free(order);
    if (!ok)
        return tr_fail_memory(err);
    *rows = a->rows;
    *n = a->n_rows;
    return TR_OK;
}

/* ---- partial results ---- */

struct saved {
    struct tr_group_key key;
    uint64_t set; /* bit c: class number c of the list in the options */
    uint64_t sum;
};

static const struct tr_saved_column columns[] = {
    { NULL, TR_SAVED_GROUP, offsetof(struct saved, key) },
    { "set", TR_SAVED_COUNT, offsetof(struct saved, set) },
    { "time", TR_SAVED_COUNT, offsetof(struct saved, sum) },
};

const struct tr_saved_table tr_concurrency_saved = TR_SAVED_TABLE("sets", columns);

enum tr_status tr_concurrency_save(struct tr_concurrency *a, struct tr_partial_out *out, struct tr_error *err)
{
    size_t n_sets = (size_t)1 << a->n_classes;
    enum tr_status st = end_sweeps(a, err);
    for (size_t g = 0; st == TR_OK && g < a->n_states; g++)
        for (size_t set = 0; set < n_sets; set++) {
            const struct saved r = { a->work.groups[g], set, a->sums[g * n_sets + set] };
            if (r.sum)
                tr_partial_put(out, 0, &r);
        }
    return st;
}

enum tr_status tr_concurrency_load(struct tr_concurrency *a, struct tr_partial_in *in, struct tr_error *err)
{
    struct saved r;
    uint32_t group;
    a->loaded = true;
    while (tr_partial_get(in, 0, &r) && tr_partial_group(in, &a->work, &r.key, &group)) {
        if (!more_states(a))
            return tr_fail_memory(err);
        uint64_t *sum = r.set >> a->n_classes ? NULL : &a->states[group].sweep.sum_ns[r.set];
        if (!sum || *sum || !r.sum) {
            tr_partial_wrong(in, "a set is there twice, or is no set");
            break;
        }
        *sum = r.sum;
    }
    return tr_partial_status(in, err);
}
