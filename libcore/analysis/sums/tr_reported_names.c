/* SPDX-License-Identifier: MIT */
/* Time per name from the tables of reports. */
#include "analysis/sums/tr_reported_names.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

/* The columns that are used; SIZE_MAX: the table does not have it. */
enum { SECTION, NAME, CALLS, TIME, N_COLUMNS };

static bool find_columns(const struct tr_side_table *t, const char *const names[N_COLUMNS], size_t at[N_COLUMNS])
{
    for (unsigned k = 0; k < N_COLUMNS; k++) {
        at[k] = SIZE_MAX;
        for (size_t i = 0; names[k] && i < t->n_columns; i++)
            if (strcmp(t->columns[i].name, names[k]) == 0 && t->columns[i].type == (k <= NAME ? TR_T_STRING : TR_T_INT))
                at[k] = i;
        if (names[k] && at[k] == SIZE_MAX)
            return false;
    }
    return true;
}

static struct tr_str text_of(const struct tr_side_value *v)
{
    return (struct tr_str){ v->present ? v->text : NULL, v->present ? v->len : 0 };
}

bool tr_reported_names_add(struct tr_reported_names *out, int64_t rank, struct tr_str name, enum tr_kind kind,
                           int64_t calls, int64_t ns)
{
    if (!tr_grow(&out->rows, &out->cap, out->n + 1, sizeof *out->rows))
        return false;
    struct tr_name_sum *r = &out->rows[out->n++];
    memset(r, 0, sizeof *r);
    r->key = (struct tr_group_key){ rank, TR_GROUP_NONE, TR_GROUP_NONE, TR_GROUP_NONE, 0 };
    r->kind = kind;
    r->name = name;
    r->count = (uint64_t)calls;
    r->sum = ns;
    return true;
}

struct reading {
    struct tr_reported_names *out;
    const struct tr_dict *dict;
    const struct tr_reported_opts *opts;
};

static bool take_row(const struct reading *g, int64_t rank, const size_t at[N_COLUMNS], const struct tr_side_value *row)
{
    struct tr_str section = text_of(&row[at[SECTION]]), name = text_of(&row[at[NAME]]);
    bool ccl = tr_str_is(section, "ccl"), total = at[CALLS] == SIZE_MAX;
    if (!name.s || !row[at[TIME]].present || (!total && !row[at[CALLS]].present))
        return true;
    if (tr_str_is(section, "host") != g->opts->host || (!g->opts->host && !ccl && !tr_str_is(section, "device")))
        return true;
    if (total && tr_str_is(name, "execution"))
        name = tr_str_of("Wallclock");
    else if (total && tr_str_is(name, "L0"))
        name = tr_str_of("L0_backend");
    else if (total)
        return true; /* only these have a name there */
    return tr_reported_names_add(g->out, rank, name, ccl ? TR_KIND_COMM : TR_KIND_COMPUTE,
                                 total ? 1 : row[at[CALLS]].v, row[at[TIME]].v);
}

static enum tr_status take_tables(const struct reading *g, const struct tr_side_tables *tables, const char *name,
                                  const char *const columns[N_COLUMNS], struct tr_error *err)
{
    size_t at[N_COLUMNS];
    for (size_t i = 0; i < tables->n; i++) {
        const struct tr_side_table *t = tables->v[i];
        struct tr_side_value row[TR_SIDE_MAX_COLUMNS];
        if (strcmp(t->name, name) != 0 || t->source >= g->dict->n_sources || !find_columns(t, columns, at))
            continue;
        int64_t rank = g->dict->sources[t->source].rank;
        for (size_t from = 0; tr_side_table_row(t, &from, row);)
            if (!take_row(g, rank >= 0 ? rank : TR_GROUP_NONE, at, row))
                return tr_fail_memory(err);
    }
    return TR_OK;
}

TR_ORDER(by_name, struct tr_name_sum, TR_UP(key.rank), tr_str_cmp(a->name, b->name), TR_UP(kind), TR_UP(first))

static int by_sum(const void *a, const void *b)
{
    const struct tr_name_sum *x = a, *y = b;
    int64_t p = x->sum, q = y->sum;
    if (x->key.rank != y->key.rank)
        return x->key.rank < y->key.rank ? -1 : 1;
    return p != q ? (p > q ? -1 : 1) : by_name(a, b);
}

TR_ORDER(by_rank, struct tr_name_sum, TR_UP(key.rank), TR_UP(first))

/* Number the rows by rank: device work comes before collectives. */
static void number(struct tr_reported_names *out)
{
    size_t place = 0;
    for (size_t i = 0; i < out->n; i++)
        out->rows[i].first = i;
    qsort(out->rows, out->n, sizeof *out->rows, by_rank);
    for (unsigned comm = 0; comm < 2; comm++)
        for (size_t i = 0; i < out->n; i++)
            if ((out->rows[i].kind == TR_KIND_COMM) == (comm == 1))
                out->rows[i].first = place++;
}

/* Add up the rows of one name, as of several backends. */
static void join(struct tr_reported_names *out)
{
    size_t n = 0;
    qsort(out->rows, out->n, sizeof *out->rows, by_name);
    for (size_t i = 0; i < out->n; i++) {
        struct tr_name_sum *r = &out->rows[i], *last = n ? &out->rows[n - 1] : NULL;
        if (last && last->key.rank == r->key.rank && last->kind == r->kind && !tr_str_cmp(last->name, r->name))
            *last = (struct tr_name_sum){ last->key,   last->name,
                                          last->kind,  last->first,
                                          last->count + r->count, tr_time_sum(last->sum, r->sum),
                                          0 };
        else
            out->rows[n++] = *r;
    }
    out->n = n;
}

void tr_reported_names_end(struct tr_reported_names *out, const struct tr_reported_opts *opts)
{
    size_t end;
    if (!out->n)
        return;
    number(out);
    for (size_t i = 0; i < out->n && !opts->by_rank; i++)
        out->rows[i].key.rank = TR_GROUP_NONE;
    join(out);
    qsort(out->rows, out->n, sizeof *out->rows, by_sum);
    for (size_t i = 0; i < out->n; i = end) {
        int64_t sum = 0;
        for (end = i; end < out->n && out->rows[end].key.rank == out->rows[i].key.rank; end++)
            sum = tr_time_sum(sum, out->rows[end].sum);
        for (size_t k = i; k < end; k++)
            out->rows[k].whole = sum;
    }
}

enum tr_status tr_reported_names_read(struct tr_reported_names *out, const struct tr_dict *dict,
                                      const struct tr_side_tables *tables, const struct tr_reported_opts *opts,
                                      struct tr_error *err)
{
    static const char *const totals[N_COLUMNS] = { "section", "quantity", NULL, "time_ns" };
    static const char *const summary[N_COLUMNS] = { "section", "name", "calls", "time_ns" };
    const struct reading g = { out, dict, opts };
    enum tr_status st = TR_OK;
    if (tables && opts->totals)
        st = take_tables(&g, tables, "timing_totals", totals, err);
    return tables && st == TR_OK ? take_tables(&g, tables, "timing_summary", summary, err) : st;
}

enum tr_status tr_reported_names(struct tr_reported_names *out, const struct tr_dict *dict,
                                 const struct tr_side_tables *tables, const struct tr_reported_opts *opts,
                                 struct tr_error *err)
{
    enum tr_status st = tr_reported_names_read(out, dict, tables, opts, err);
    if (st == TR_OK)
        tr_reported_names_end(out, opts);
    return st;
}

void tr_reported_names_free(struct tr_reported_names *r)
{
    free(r->rows);
    *r = (struct tr_reported_names){ 0 };
}
