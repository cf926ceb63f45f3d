/* SPDX-License-Identifier: MIT */
/* External sort of rows: sorted runs, in memory or in a file, and their merge. */
#include "stream/sort/tr_external_sort_int.h"

#include "base/tr_mem.h"
#include "stream/sort/tr_run_file_int.h"

#include <stdlib.h>
#include <string.h>

/* A run in memory, or in the spill file. */
struct run {
    struct tr_row_arena rows;
    const struct tr_row_ref *refs; /* among the rows */
    size_t n, at;
    struct tr_file_run *spilled; /* NULL: in memory */
    struct tr_row_ref head;       /* the next row */
};

struct tr_external_sort {
    struct run *runs;
    size_t n, cap;
    size_t in_memory; /* runs [0, first_in_memory) are spilled */
    size_t first_in_memory;
    size_t max_memory;
    struct tr_run_file *spill;
    const char *temp_dir;
    const uint32_t *order_of;
    /* merging: runs in the order of their first rows; those that have started form a heap */
    struct run **order, **heap;
    size_t n_heap, next_run;
    bool started;
};

struct tr_external_sort *tr_external_sort_new(size_t max_memory_bytes, const char *temp_dir)
{
    struct tr_external_sort *r = calloc(1, sizeof *r);
    if (r) {
        r->max_memory = max_memory_bytes;
        r->temp_dir = temp_dir;
    }
    return r;
}

void tr_external_sort_order(struct tr_external_sort *r, const uint32_t *order_of)
{
    r->order_of = order_of;
}

static void free_run(struct run *run)
{
    if (run->rows.pool)
        tr_row_arena_release(&run->rows);
    tr_file_run_free(run->spilled);
    memset(run, 0, sizeof *run);
}

void tr_external_sort_free(struct tr_external_sort *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n; i++)
        free_run(&r->runs[i]);
    free(r->runs);
    free(r->order);
    free(r->heap);
    tr_run_file_free(r->spill);
    free(r);
}

/* Canonical order of the next rows of two runs. */
static bool before(const struct tr_external_sort *r, const struct run *a, const struct run *b)
{
    if (a->head.ts != b->head.ts)
        return a->head.ts < b->head.ts;
    return tr_row_cmp(a->head.row, b->head.row, r->order_of) < 0;
}

static void sift_down(struct tr_external_sort *r, size_t i)
{
    struct run *x = r->heap[i];
    for (;;) {
        size_t c = 2 * i + 1;
        if (c >= r->n_heap)
            break;
        if (c + 1 < r->n_heap && before(r, r->heap[c + 1], r->heap[c]))
            c++;
        if (!before(r, r->heap[c], x))
            break;
        r->heap[i] = r->heap[c];
        i = c;
    }
    r->heap[i] = x;
}

static void heap_push(struct tr_external_sort *r, struct run *x)
{
    size_t i = r->n_heap++;
    while (i > 0 && before(r, x, r->heap[(i - 1) / 2])) {
        r->heap[i] = r->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    r->heap[i] = x;
}

/* Step a run to its next row. */
static enum tr_status advance(struct run *run, struct tr_error *err)
{
    if (run->spilled)
        return tr_file_run_next(run->spilled, &run->head, err);
    if (run->at >= run->n)
        return TR_END;
    run->head = run->refs[run->at++];
    if (run->at + 8 < run->n)
        __builtin_prefetch(run->refs[run->at + 8].row);
    return TR_OK;
}

/* Sort the runs by their first rows: a heap sort with the heap that is used anyway. */
static enum tr_status start(struct tr_external_sort *r, struct run *runs, size_t n, struct tr_error *err)
{
    free(r->order);
    free(r->heap);
    r->order = calloc(n + 1, sizeof(struct run *));
    r->heap = calloc(n + 1, sizeof(struct run *));
    if (!r->order || !r->heap)
        return tr_fail_memory(err);
    r->n_heap = 0;
    for (size_t i = 0; i < n; i++) {
        enum tr_status st = advance(&runs[i], err);
        if (st == TR_OK)
            heap_push(r, &runs[i]);
        else if (st != TR_END)
            return st;
    }
    size_t k = 0;
    while (r->n_heap > 0) {
        r->order[k++] = r->heap[0];
        r->heap[0] = r->heap[--r->n_heap];
        if (r->n_heap)
            sift_down(r, 0);
    }
    r->next_run = 0;
    r->started = false;
    return TR_OK;
}

static enum tr_status next_row(struct tr_external_sort *r, const struct tr_row **row, struct tr_error *err)
{
    if (r->started) { /* the last row is still at the top */
        enum tr_status st = advance(r->heap[0], err);
        if (st == TR_END) {
            if (!r->heap[0]->spilled)
                tr_row_arena_release(&r->heap[0]->rows); /* the last row has been copied by now */
            r->heap[0] = r->heap[--r->n_heap];
        } else if (st != TR_OK) {
            return st;
        }
        if (r->n_heap)
            sift_down(r, 0);
    }
    while (r->order[r->next_run] &&
           (!r->n_heap || !before(r, r->heap[0], r->order[r->next_run])))
        heap_push(r, r->order[r->next_run++]);
    r->started = r->n_heap > 0;
    if (!r->n_heap)
        return TR_END;
    *row = r->heap[0]->head.row;
    return TR_OK;
}

/* Merge all runs in memory into one in the spill file. */
static enum tr_status spill(struct tr_external_sort *r, struct tr_error *err)
{
    const struct tr_row *row;
    size_t first = r->first_in_memory;
    struct run merged;
    enum tr_status st;
    if (!r->spill && (st = tr_run_file_new(&r->spill, r->temp_dir, err)) != TR_OK)
        return st;
    memset(&merged, 0, sizeof merged);
    st = start(r, r->runs + first, r->n - first, err);
    if (st == TR_OK)
        st = tr_file_run_start(r->spill, &merged.spilled, err);
    while (st == TR_OK && (st = next_row(r, &row, err)) == TR_OK)
        st = tr_file_run_write(merged.spilled, row, err);
    if (st == TR_END)
        st = tr_file_run_end(merged.spilled, err);
    for (size_t i = first; i < r->n; i++)
        free_run(&r->runs[i]);
    r->runs[first] = merged;
    r->n = first + 1;
    r->first_in_memory = r->n;
    r->in_memory = 0;
    return st;
}

enum tr_status tr_external_sort_add(struct tr_external_sort *r, struct tr_row_arena *rows,
                                    const struct tr_row_ref *refs, size_t n, struct tr_error *err)
{
    void *copy = NULL;
    if (n) {
        tr_row_arena_finish(rows);
        if ((copy = tr_row_arena_reserve(rows, n * sizeof *refs)) != NULL) {
            memcpy(copy, refs, n * sizeof *refs);
            tr_row_arena_commit(rows, n * sizeof *refs);
            tr_row_arena_finish(rows);
        }
    }
    struct run run = { .rows = *rows, .refs = copy, .n = n };
    rows->head = NULL;
    rows->bytes = 0;
    if ((n && !copy) || !tr_grow(&r->runs, &r->cap, r->n + 1, sizeof *r->runs)) {
        free_run(&run);
        return tr_fail_memory(err);
    }
    r->in_memory += run.rows.bytes;
    r->runs[r->n++] = run;
    return r->in_memory > r->max_memory ? spill(r, err) : TR_OK;
}

enum tr_status tr_external_sort_merge(struct tr_external_sort *r, const uint32_t *order_of, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (r->first_in_memory > 0 && r->first_in_memory < r->n)
        st = spill(r, err); /* leave the memory to the readers of the spilled runs */
    r->order_of = order_of;
    return st == TR_OK ? start(r, r->runs, r->n, err) : st;
}

enum tr_status tr_external_sort_next(struct tr_external_sort *r, const struct tr_row **row, struct tr_error *err)
{
    return next_row(r, row, err);
}
