/* SPDX-License-Identifier: MIT */
/* Records in order: runs in a temporary file, merged by a heap. */
#include "stream/sort/tr_record_sort.h"

#include "base/tr_mem.h"
#include "io/tr_temp.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RUNS  256u     /* side by side; more are merged into one first */
#define MAX_PIECE (1u << 20)
#define HEAD       16u     /* bytes before each record in memory: its length, and room to align it */

/* A run in a file: the part that was not read yet, and the piece that is in memory. */
struct run {
    uint64_t at, end; /* in the file */
    unsigned char *piece;
    size_t n_piece, cap_piece, used;
    uint64_t *record; /* the current one: its length, then its bytes; NULL: the run is over */
    size_t cap_record;
};

struct tr_record_sort {
    size_t max_memory;
    const char *temp_dir;
    tr_record_compare *compare;
    void *self;
    struct tr_temp *file;
    struct run *runs;
    size_t n_runs, cap_runs;
    uint64_t run_start;
    /* Added records that are not in a file: records with a head, one after the other; and their offsets. */
    unsigned char *held;
    size_t n_held, cap_held;
    size_t *places;
    size_t n_places, cap_places;
    const void **order; /* these records, after sorting */
    size_t next;
    size_t *heap; /* numbers of runs */
    size_t n_heap;
    bool moved; /* the record at the top of the heap was given out; its run must advance */
};

enum tr_status tr_record_sort_new(struct tr_record_sort **out, size_t max_memory, const char *temp_dir,
                                  tr_record_compare *compare, void *self, struct tr_error *err)
{
    struct tr_record_sort *s = *out = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->max_memory = max_memory;
    s->temp_dir = temp_dir;
    s->compare = compare;
    s->self = self;
    return TR_OK;
}

static void free_runs(struct tr_record_sort *s)
{
    for (size_t i = 0; i < s->n_runs; i++) {
        free(s->runs[i].piece);
        free(s->runs[i].record);
    }
    s->n_runs = 0;
    free(s->heap);
    s->heap = NULL;
}

static void free_held(struct tr_record_sort *s)
{
    free(s->held);
    free(s->places);
    free((void *)s->order);
    s->held = NULL;
    s->places = NULL;
    s->order = NULL;
    s->n_held = s->cap_held = s->n_places = s->cap_places = 0;
}

void tr_record_sort_free(struct tr_record_sort *s)
{
    if (!s)
        return;
    free_runs(s);
    free_held(s);
    free(s->runs);
    tr_temp_free(s->file);
    free(s);
}

/* ---- order ---- */

void tr_records_order(const void **records, const void **tmp, size_t n, tr_record_compare *compare, void *self)
{
    if (n < 2)
        return;
    size_t half = n / 2, a = 0, b = half, to = 0;
    tr_records_order(records, tmp, half, compare, self);
    tr_records_order(records + half, tmp, n - half, compare, self);
    if (compare(self, records[half - 1], records[half]) <= 0)
        return;
    memcpy(tmp, records, half * sizeof *tmp);
    while (a < half && b < n)
        records[to++] = compare(self, tmp[a], records[b]) <= 0 ? tmp[a++] : records[b++];
    memcpy(records + to, tmp + a, (half - a) * sizeof *tmp);
}

/* ---- runs ---- */

static enum tr_status put(struct tr_record_sort *s, const void *bytes, size_t n, struct tr_error *err)
{
    const uint64_t len = n;
    enum tr_status st = s->file ? TR_OK : tr_temp_open(&s->file, s->temp_dir, err);
    if (st == TR_OK)
        st = tr_temp_write(s->file, &len, sizeof len, err);
    return st == TR_OK ? tr_temp_write(s->file, bytes, n, err) : st;
}

static enum tr_status merge_runs(struct tr_record_sort *s, struct tr_error *err);

static enum tr_status cut(struct tr_record_sort *s, struct tr_error *err)
{
    uint64_t end = s->file ? tr_temp_size(s->file) : 0;
    if (end == s->run_start)
        return TR_OK;
    if (!tr_grow(&s->runs, &s->cap_runs, s->n_runs + 1, sizeof *s->runs))
        return tr_fail_memory(err);
    s->runs[s->n_runs++] = (struct run){ .at = s->run_start, .end = end };
    s->run_start = end;
    return TR_OK;
}

enum tr_status tr_record_sort_put(struct tr_record_sort *s, const void *bytes, size_t n, struct tr_error *err)
{
    return put(s, bytes, n, err);
}

enum tr_status tr_record_sort_cut(struct tr_record_sort *s, struct tr_error *err)
{
    enum tr_status st = cut(s, err);
    return st == TR_OK && s->n_runs >= MAX_RUNS ? merge_runs(s, err) : st;
}

/* ---- added records ---- */

/* Its records in order. */
static bool sort_held(struct tr_record_sort *s)
{
    const void **tmp = calloc(s->n_places / 2 + 1, sizeof *tmp);
    s->order = calloc(s->n_places + 1, sizeof *s->order);
    bool ok = tmp && s->order;
    for (size_t i = 0; ok && i < s->n_places; i++)
        s->order[i] = s->held + s->places[i];
    if (ok)
        tr_records_order(s->order, tmp, s->n_places, s->compare, s->self);
    free((void *)tmp);
    return ok;
}

static size_t held_length(const void *record)
{
    uint64_t len;
    memcpy(&len, (const unsigned char *)record - HEAD, sizeof len);
    return (size_t)len;
}

static enum tr_status write_held(struct tr_record_sort *s, struct tr_error *err)
{
    if (!s->n_places)
        return TR_OK;
    enum tr_status st = sort_held(s) ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; i < s->n_places && st == TR_OK; i++)
        st = put(s, s->order[i], held_length(s->order[i]), err);
    free((void *)s->order);
    s->order = NULL;
    s->n_places = s->n_held = 0;
    return st == TR_OK ? tr_record_sort_cut(s, err) : st;
}

enum tr_status tr_record_sort_add(struct tr_record_sort *s, const void *bytes, size_t n, struct tr_error *err)
{
    const uint64_t len = n;
    size_t room = HEAD + (n + 15) / 16 * 16;
    /* The offsets, and the two arrays of pointers for sorting, count, too. */
    size_t bytes_held = s->n_held + room + (s->n_places + 1) * 3 * sizeof *s->places;
    if (s->n_places && bytes_held > s->max_memory) {
        enum tr_status st = write_held(s, err);
        if (st != TR_OK)
            return st;
    }
    size_t want = s->n_held + room;
    if (want > s->cap_held) { /* to the limit, and not to 1.5 times the limit */
        size_t cap = s->cap_held + s->cap_held / 2 + 65536;
        cap = cap > s->max_memory ? s->max_memory : cap;
        cap = cap < want ? want : cap;
        unsigned char *held = realloc(s->held, cap);
        if (!held)
            return tr_fail_memory(err);
        s->held = held;
        s->cap_held = cap;
    }
    if (!tr_grow(&s->places, &s->cap_places, s->n_places + 1, sizeof *s->places))
        return tr_fail_memory(err);
    memcpy(s->held + s->n_held, &len, sizeof len);
    memcpy(s->held + s->n_held + HEAD, bytes, n);
    s->places[s->n_places++] = s->n_held + HEAD;
    s->n_held += room;
    return TR_OK;
}

/* ---- merging ---- */

/* Copy n bytes of a run, piece by piece. */
static enum tr_status copy(struct tr_record_sort *s, struct run *r, void *to, size_t n, struct tr_error *err)
{
    unsigned char *out = to;
    while (n) {
        if (r->used == r->n_piece) {
            uint64_t left = r->end - r->at;
            r->n_piece = left < r->cap_piece ? (size_t)left : r->cap_piece;
            r->used = 0;
            enum tr_status st = tr_temp_read_at(s->file, r->piece, r->n_piece, r->at, err);
            if (st != TR_OK)
                return st;
            r->at += r->n_piece;
        }
        size_t some = r->n_piece - r->used < n ? r->n_piece - r->used : n;
        memcpy(out, r->piece + r->used, some);
        r->used += some;
        out += some;
        n -= some;
    }
    return TR_OK;
}

/* The next record of a run. */
static enum tr_status advance(struct tr_record_sort *s, struct run *r, struct tr_error *err)
{
    uint64_t len;
    if (r->used == r->n_piece && r->at == r->end) {
        free(r->record);
        free(r->piece);
        r->record = NULL;
        r->piece = NULL;
        return TR_OK;
    }
    enum tr_status st = copy(s, r, &len, sizeof len, err);
    if (st != TR_OK)
        return st;
    size_t words = HEAD / sizeof *r->record + ((size_t)len + 7) / 8;
    if (!tr_grow(&r->record, &r->cap_record, words, sizeof *r->record))
        return tr_fail_memory(err);
    r->record[0] = len;
    return copy(s, r, r->record + HEAD / sizeof *r->record, (size_t)len, err);
}

static const void *record_of(const struct run *r)
{
    return r->record + HEAD / sizeof *r->record;
}

static bool before(const struct tr_record_sort *s, size_t a, size_t b)
{
    int c = s->compare(s->self, record_of(&s->runs[a]), record_of(&s->runs[b]));
    return c ? c < 0 : a < b;
}

static void sink(struct tr_record_sort *s, size_t at)
{
    size_t run = s->heap[at];
    for (size_t child; (child = 2 * at + 1) < s->n_heap; at = child) {
        if (child + 1 < s->n_heap && before(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!before(s, s->heap[child], run))
            break;
        s->heap[at] = s->heap[child];
    }
    s->heap[at] = run;
}

static enum tr_status start(struct tr_record_sort *s, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    size_t piece = s->max_memory / (s->n_runs + 1);
    piece = piece > MAX_PIECE ? MAX_PIECE : piece < 4096 ? 4096 : piece;
    s->n_heap = 0;
    s->moved = false;
    s->heap = calloc(s->n_runs + 1, sizeof *s->heap);
    if (!s->heap)
        return tr_fail_memory(err);
    for (size_t i = 0; i < s->n_runs && st == TR_OK; i++) {
        struct run *r = &s->runs[i];
        uint64_t size = r->end - r->at;
        r->cap_piece = size < piece ? (size_t)size : piece;
        r->piece = malloc(r->cap_piece);
        st = r->piece ? advance(s, r, err) : tr_fail_memory(err);
        s->heap[s->n_heap++] = i;
    }
    for (size_t i = s->n_heap; i-- > 0 && st == TR_OK;)
        sink(s, i);
    return st;
}

static enum tr_status next_of_runs(struct tr_record_sort *s, const void **bytes, size_t *n, struct tr_error *err)
{
    if (s->moved) {
        struct run *first = &s->runs[s->heap[0]];
        enum tr_status st = advance(s, first, err);
        if (st != TR_OK)
            return st;
        if (!first->record)
            s->heap[0] = s->heap[--s->n_heap];
        if (s->n_heap)
            sink(s, 0);
        s->moved = s->n_heap != 0;
    }
    if (!s->n_heap)
        return TR_END;
    s->moved = true;
    *bytes = record_of(&s->runs[s->heap[0]]);
    *n = (size_t)s->runs[s->heap[0]].record[0];
    return TR_OK;
}

/* All runs become one, in a new file. */
static enum tr_status merge_runs(struct tr_record_sort *s, struct tr_error *err)
{
    struct tr_temp *old = s->file, *fresh = NULL;
    const void *bytes;
    size_t n;
    enum tr_status st = start(s, err);
    if (st == TR_OK)
        st = tr_temp_open(&fresh, s->temp_dir, err);
    while (st == TR_OK && (st = next_of_runs(s, &bytes, &n, err)) == TR_OK) {
        s->file = fresh;
        st = put(s, bytes, n, err);
        s->file = old;
    }
    free_runs(s);
    if (st != TR_END) {
        tr_temp_free(fresh);
        return st;
    }
    tr_temp_free(old);
    s->file = fresh;
    s->run_start = 0;
    return cut(s, err);
}

enum tr_status tr_record_sort_merge(struct tr_record_sort *s, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!s->file && !s->n_runs)
        return sort_held(s) ? TR_OK : tr_fail_memory(err);
    st = write_held(s, err);
    free_held(s);
    return st == TR_OK ? start(s, err) : st;
}

enum tr_status tr_record_sort_next(struct tr_record_sort *s, const void **bytes, size_t *n, struct tr_error *err)
{
    if (s->n_runs)
        return next_of_runs(s, bytes, n, err);
    if (s->next == s->n_places)
        return TR_END;
    *bytes = s->order[s->next++];
    *n = held_length(*bytes);
    return TR_OK;
}
