/* SPDX-License-Identifier: MIT */
/* Memory: the rows of the result, at the peak and at the end. */
#include "analysis/memory/tr_memory_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* By rank and device, the host last; unknown ones come after known ones. */
static int compare_pools(const struct tr_memory_pool *a, const struct tr_memory_pool *b)
{
    int c = compare_numbers(a->rank < 0 ? INT64_MAX : a->rank, b->rank < 0 ? INT64_MAX : b->rank);
    if (!c)
        c = a->host - b->host;
    if (!c)
        c = compare_numbers(a->device == TR_MEMORY_NONE ? INT64_MAX : a->device,
                            b->device == TR_MEMORY_NONE ? INT64_MAX : b->device);
    return c ? c : compare_numbers(a->source, b->source);
}

struct named_row {
    struct tr_memory_row row;
    struct tr_str name; /* no text: no category */
};

static int compare_rows(const void *x, const void *y)
{
    const struct named_row *a = x, *b = y;
    int c = compare_pools(&a->row.pool, &b->row.pool);
    if (!c)
        c = -compare_numbers(a->row.allocated, b->row.allocated);
    if (!c && a->name.s && b->name.s)
        c = tr_str_cmp(a->name, b->name);
    return c ? c : (a->name.s == NULL) - (b->name.s == NULL);
}

/* The memory of an account at a moment of its pool; false: none, or the moment never came. */
static bool row_at(const struct tr_memory *a, const struct tr__account *c, enum tr__moment m,
                   struct named_row *out)
{
    const struct tr__pool *p = &a->pools[c->pool];
    const struct tr__moment_of_pool *moment = &p->moments[m];
    bool changed = c->aside[m].of == moment->n;
    out->name = tr_dict_text_if(a->dict, c->category);
    out->row = (struct tr_memory_row){
        .pool = p->who,
        .ts = moment->ts,
        .category = c->category,
        .allocated = changed ? c->aside[m].bytes : c->bytes,
        .total = moment->total,
        .reserved = moment->reserved,
        .n_allocations = changed ? c->aside[m].n : c->n,
    };
    return moment->n && (out->row.allocated || out->row.n_allocations);
}

static enum tr_status rows_at(struct tr_memory *a, enum tr__moment m,
                              const struct tr_memory_row **rows, size_t *n, struct tr_error *err)
{
    struct named_row *found = calloc(a->n_accounts + 1, sizeof *found);
    free(a->rows);
    a->rows = calloc(a->n_accounts + 1, sizeof *a->rows);
    *n = 0;
    if (!found || !a->rows) {
        free(found);
        return tr_fail_memory(err);
    }
    for (size_t i = 0; i < a->n_accounts; i++)
        *n += row_at(a, &a->accounts[i], m, &found[*n]);
    qsort(found, *n, sizeof *found, compare_rows);
    for (size_t i = 0; i < *n; i++)
        a->rows[i] = found[i].row;
    free(found);
    *rows = a->rows;
    return TR_OK;
}

enum tr_status tr_memory_peak(struct tr_memory *a, const struct tr_memory_row **rows, size_t *n,
                              struct tr_error *err)
{
    return rows_at(a, TR__PEAK, rows, n, err);
}

enum tr_status tr_memory_end(struct tr_memory *a, const struct tr_memory_row **rows, size_t *n,
                             struct tr_error *err)
{
    return rows_at(a, TR__END, rows, n, err);
}

TR_ORDER(compare_sums, struct tr_memory_sum, compare_pools(&a->pool, &b->pool),
         TR_CMP(a->step == TR_MEMORY_NONE ? INT64_MAX : a->step, b->step == TR_MEMORY_NONE ? INT64_MAX : b->step))

enum tr_status tr_memory_sums(struct tr_memory *a, const struct tr_memory_sum **rows, size_t *n,
                              struct tr_error *err)
{
    free(a->sorted);
    a->sorted = calloc(a->n_sums + 1, sizeof *a->sorted);
    if (!a->sorted)
        return tr_fail_memory(err);
    for (size_t i = 0; i < a->n_sums; i++) {
        a->sorted[i] = a->sums[i];
        a->sorted[i].growth = tr__memory_add(a->sums[i].end, -a->sums[i].start);
    }
    qsort(a->sorted, a->n_sums, sizeof *a->sorted, compare_sums);
    *rows = a->sorted;
    *n = a->n_sums;
    return TR_OK;
}
