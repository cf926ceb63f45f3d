/* SPDX-License-Identifier: MIT */
/* Sums over events of two runs, side by side. */
#include "analysis/compare/tr_diff.h"

#include "analysis/compare/tr_diff_int.h"
#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "engine/tr_group_by.h"
#include "model/tr_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tr_diff_by_names[] = { "name",  "short-name", "kernel", "operator",
                                         "class", "step",       "path",   NULL };

struct tr_diff *tr_diff_new(enum tr_diff_by by, unsigned refined, size_t max_bytes)
{
    struct tr_diff *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->by = by;
    d->refined = refined;
    d->max_bytes = max_bytes ? max_bytes : SIZE_MAX;
    d->keys = tr_strtab_new();
    if (d->keys)
        return d;
    tr_diff_free(d);
    return NULL;
}

void tr_diff_free(struct tr_diff *d)
{
    if (!d)
        return;
    tr_strtab_free(d->keys);
    free(d->entries);
    tr_hash_index_free(&d->index);
    free(d->rows);
    free(d->by_name);
    free(d);
}

/* ---- entries ---- */

uint32_t tr__diff_entry_of_key(struct tr_diff *d, bool device, const struct tr__diff_key *key)
{
    uint64_t hash = tr_mix64((uint64_t)key->name * 2 + device, 0x9e3779b97f4a7c15u);
    for (size_t i = 0; i < TR_DIFF_MORE && d->refined; i++)
        hash = tr_mix64(hash ^ key->more[i], 0xe7037ed1a0b428dbu); /* a product with more[i] would be 0 for 0 */
    struct tr_hash_walk walk = tr_hash_index_walk(&d->index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (memcmp(&d->entries[i].key, key, sizeof *key) == 0 && d->entries[i].device == device)
            return i;
    d->full = tr_strtab_bytes(d->keys) + d->n * sizeof *d->entries > d->max_bytes;
    if (d->full || d->n >= TR__NO_ENTRY - 1 || !tr_grow(&d->entries, &d->cap, d->n + 1, sizeof *d->entries) ||
        !tr_hash_index_add(&d->index, hash, (uint32_t)d->n))
        return TR__NO_ENTRY;
    d->entries[d->n] = (struct tr__diff_entry){
        .key = *key,
        .device = device,
        .sums = { { .dur = TR_STATS_INIT }, { .dur = TR_STATS_INIT } },
    };
    return (uint32_t)d->n++;
}

uint32_t tr__diff_entry(struct tr_diff *d, bool device, const char *name, size_t len)
{
    struct tr__diff_key key = { .name = tr_strtab_add(d->keys, name, len) };
    for (size_t i = 0; i < TR_DIFF_MORE; i++)
        key.more[i] = TR_NO_STR;
    return key.name == TR_NO_STR ? TR__NO_ENTRY : tr__diff_entry_of_key(d, device, &key);
}

enum tr_status tr__diff_fail(const struct tr_diff *d, struct tr_error *err)
{
    if (d->full)
        return tr_fail(err, TR_SYSTEM, "names of rows need more memory than -M allows");
    return tr_fail_memory(err);
}

enum tr_status tr_diff_add(struct tr_diff *d, enum tr_diff_run run, bool device, const char *name,
                           size_t len, const struct tr_diff_sums *sums, struct tr_error *err)
{
    uint32_t number = tr__diff_entry(d, device, name, len);
    if (number == TR__NO_ENTRY)
        return tr__diff_fail(d, err);
    struct tr_diff_sums *to = &d->entries[number].sums[run];
    tr_stats_merge(&to->dur, &sums->dur);
    to->self = tr_u128_add(to->self, sums->self);
    return TR_OK;
}

/* ---- numbers ---- */

int64_t tr_diff_self(const struct tr_diff_sums *s)
{
    struct tr_stats sum = { .sum = s->self };
    return tr_stats_sum(&sum);
}

/* The variance of a sum of independent durations. */
static double variance(const struct tr_stats *s)
{
    double std = tr_stats_std(s);
    return (double)s->n * std * std;
}

/* ---- rows ---- */

TR_ORDER(by_name, struct tr_diff_row, TR_UP(device), memcmp(a->name, b->name, a->len < b->len ? a->len : b->len),
         TR_UP(len))

enum tr_status tr_diff_rows(struct tr_diff *d, const struct tr_diff_row **rows, size_t *n,
                            struct tr_error *err)
{
    free(d->rows);
    d->rows = calloc(d->n + 1, sizeof *d->rows);
    *rows = d->rows;
    *n = 0;
    if (!d->rows)
        return tr_fail_memory(err);
    for (size_t i = 0; i < d->n; i++) {
        const struct tr__diff_entry *e = &d->entries[i];
        if (!e->sums[0].dur.n && !e->sums[1].dur.n)
            continue;
        d->rows[(*n)++] = (struct tr_diff_row){ tr_strtab_get(d->keys, e->key.name),
                                                tr_strtab_len(d->keys, e->key.name),
                                                e->device,
                                                { e->sums[0], e->sums[1] } };
    }
    if (*n)
        qsort(d->rows, *n, sizeof *d->rows, by_name);
    return TR_OK;
}

/* ---- tables ---- */

#define COLUMNS(more)                                                                                       \
    "name," more "side,base_count,test_count,base,test,diff_count,diff,diff_self,change,diff_pct,"          \
    "base_self,test_self,base_mean,test_mean,noise,sigma"
#define EXTRA "base_count,test_count,diff_count,diff,change,base_self,test_self,base_mean,test_mean,noise"

const struct tr_table_join *tr_diff_join(unsigned refined)
{
    static const struct tr_table_join plain = { .main = "dur", .columns = COLUMNS(""), .extra = EXTRA };
    static const struct tr_table_join shape = { .main = "dur",
                                                .columns = COLUMNS("shapes,dtypes,strides,"),
                                                .extra = EXTRA };
    static const struct tr_table_join args = { .main = "dur",
                                               .columns = COLUMNS("shapes,dtypes,strides,args,"),
                                               .extra = EXTRA };
    return refined & TR_DIFF_ARGS ? &args : refined ? &shape : &plain;
}

const char tr_diff_order[] = "diff_self:size,diff:size,side:desc,name:asc";

/* The number of texts that rows are known by, besides the name. */
static size_t more_of(unsigned refined)
{
    return refined & TR_DIFF_ARGS ? TR_DIFF_MORE : refined ? TR_DIFF_MORE - 1 : 0;
}

size_t tr_diff_columns(bool names, unsigned refined, struct tr_table_column columns[TR_N_DIFF_COLUMNS])
{
    static const struct tr_table_column all[TR_N_DIFF_COLUMNS] = {
        { "name", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .label = true,
          .meaning = "name of the row, see the view" },
        { "shapes", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .meaning = "shapes of the arguments of the operator" },
        { "dtypes", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .meaning = "types of the arguments" },
        { "strides", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .extra = true,
          .meaning = "strides of the arguments" },
        { "args", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .extra = true, .meaning = "values of the arguments" },
        { "side", TR_CELL_STRING, TR_ROLE_GROUP, .meaning = "host or device" },
        { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "events" },
        { "dur", TR_CELL_TIME, TR_ROLE_INCLUSIVE, .of = "self",
          .meaning = "sum of durations; time in nested events counts twice" },
        { "self", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of self times; no time counts twice" },
        { "mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "dur", .per = "count", .meaning = "mean duration" },
        { "variance", TR_CELL_DOUBLE, TR_ROLE_VARIANCE, .of = "dur" },
    };
    size_t more = more_of(refined), rest = TR_N_DIFF_COLUMNS - 1 - TR_DIFF_MORE;
    memcpy(columns, all, (1 + more) * sizeof *all);
    memcpy(columns + 1 + more, all + 1 + TR_DIFF_MORE, rest * sizeof *all);
    columns[0].names = names;
    return 1 + more + rest;
}

/* What is absent comes last, as in the order of tables. */
static int compare_texts(struct tr_str a, struct tr_str b)
{
    return a.s && b.s ? tr_str_cmp(a, b) : (a.s == NULL) - (b.s == NULL);
}

static int by_side_and_name(const void *x, const void *y)
{
    const struct tr__diff_named *a = x, *b = y;
    int c = b->device - a->device; /* as their texts are ordered */
    c = c ? c : compare_texts(a->name, b->name);
    for (size_t i = 0; i < TR_DIFF_MORE && !c; i++)
        c = compare_texts(a->more[i], b->more[i]);
    return c;
}

static struct tr_str text_of(const struct tr_diff *d, uint32_t number)
{
    return number == TR_NO_STR ? tr_str_of(NULL)
                               : (struct tr_str){ tr_strtab_get(d->keys, number), tr_strtab_len(d->keys, number) };
}

/* Entries in the order of the keys of a table; its rows then come in that order.  False: out of memory. */
static bool sort_by_key(struct tr_diff *d)
{
    if (d->by_name && d->n_by_name == d->n)
        return true;
    free(d->by_name);
    d->by_name = calloc(d->n + 1, sizeof *d->by_name);
    if (!d->by_name)
        return false;
    d->n_by_name = d->n;
    for (size_t i = 0; i < d->n; i++) {
        const struct tr__diff_entry *e = &d->entries[i];
        struct tr__diff_named *to = &d->by_name[i];
        *to = (struct tr__diff_named){ .name = text_of(d, e->key.name), .entry = (uint32_t)i, .device = e->device };
        for (size_t k = 0; k < TR_DIFF_MORE; k++)
            to->more[k] = text_of(d, e->key.more[k]);
    }
    if (d->n)
        qsort(d->by_name, d->n, sizeof *d->by_name, by_side_and_name);
    return true;
}

void tr_diff_table(struct tr_diff *d, enum tr_diff_run run, struct tr_table *t)
{
    if (!sort_by_key(d)) {
        tr_table_no_memory(t);
        return;
    }
    for (size_t i = 0; i < d->n; i++) {
        const struct tr__diff_named *e = &d->by_name[i];
        const struct tr_diff_sums *s = &d->entries[e->entry].sums[run];
        if (!s->dur.n)
            continue;
        tr_table_text(t, e->name);
        for (size_t k = 0; k < more_of(d->refined); k++)
            tr_table_text(t, e->more[k]);
        tr_table_string(t, e->device ? "device" : "host");
        tr_table_count(t, s->dur.n);
        tr_table_time(t, tr_stats_sum(&s->dur));
        tr_table_time(t, tr_diff_self(s));
        tr_table_time_f(t, tr_stats_mean(&s->dur));
        tr_table_ratio(t, variance(&s->dur));
    }
}

/* ---- what differs ---- */

void tr_diff_differences_columns(bool names, unsigned refined, struct tr_table *t)
{
    struct tr_table_column columns[TR_N_DIFF_COLUMNS];
    tr_table_join_columns(columns, tr_diff_columns(names, refined, columns), tr_diff_join(refined), t);
    tr_table_order(t, tr_diff_order);
}

/* Does nothing differ in a row? */
static bool same(const struct tr_table *t, size_t row)
{
    static const char *const names[] = { "diff_count", "diff", "diff_self" };
    bool is = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        is = is && tr_table_number(t, row, tr_table_find(t, names[i])) == 0;
    return is;
}

static bool of_device(const struct tr_table *t, size_t row)
{
    return tr_str_is(tr_table_get(t, row, tr_table_find(t, "side")), "device");
}

static void hide_same(struct tr_table *t, size_t n_rows)
{
    bool others[2] = { false, false };
    for (size_t row = 0; row < n_rows; row++) {
        if (same(t, row))
            tr_table_hide(t, row);
        else
            others[of_device(t, row)] = true;
    }
    for (size_t row = n_rows, n = tr_table_rows(t); row < n; row++)
        if (!others[of_device(t, row)])
            tr_table_hide(t, row);
}

enum tr_status tr_diff_differences(struct tr_diff *d, unsigned refined, bool changed_only,
                                   struct tr_table *const sides[2], struct tr_table *t,
                                   struct tr_diff_differences *out, struct tr_error *err)
{
    struct tr_table_column columns[TR_N_DIFF_COLUMNS];
    for (int run = 0; run < 2; run++) {
        tr_table_columns(sides[run], columns, tr_diff_columns(false, refined, columns));
        tr_diff_table(d, (enum tr_diff_run)run, sides[run]);
    }
    enum tr_status st = tr_table_join(sides[TR_DIFF_BASE], sides[TR_DIFF_TEST], tr_diff_join(refined), t, err);
    if (st != TR_OK)
        return st;
    *out = (struct tr_diff_differences){ tr_table_rows(t), { SIZE_MAX, SIZE_MAX } };
    if (out->n_rows)
        tr_table_total(t, "total");
    for (size_t row = out->n_rows, n = tr_table_rows(t); row < n; row++)
        out->totals[of_device(t, row)] = row;
    if (changed_only)
        hide_same(t, out->n_rows);
    return tr_table_status(t, err);
}

struct tr_projection tr_diff_needs(enum tr_diff_by by, unsigned refined)
{
    static const char *const arguments[] = { "Input Dims", "Input type", "Input Strides", "Concrete Inputs" };
    struct tr_projection want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD),
                                  .derived = TR_STEPS_DERIVED, .keys = arguments };
    want.n_keys = refined & TR_DIFF_ARGS ? 4 : refined ? 3 : 0;
    if (by == TR_DIFF_BY_OPERATOR || by == TR_DIFF_BY_PATH)
        want.derived |= 1u << TR_COL_LAUNCH_RECORD | 1u << TR_COL_N_DEVICE;
    if (by == TR_DIFF_BY_CLASS)
        want.derived |= 1u << TR_COL_CLASS;
    return want;
}
