/* SPDX-License-Identifier: MIT */
/* Sums of groups: the groups, in memory or as runs in a file. */
#include "analysis/sums/tr_sum_int.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

#define PIECE (1u << 18) /* bytes of groups that are allocated at a time */

struct tr__sum_groups {
    const struct tr__sum_keys *keys;
    bool hist, fits;
    bool ended;
    bool fraction; /* values are millionths */
    size_t distinct, max_memory;
    const char *temp_dir;
    size_t size; /* of a group */
    /* Groups in blocks of memory, so that none moves, and their numbers by hash. */
    unsigned char **pieces;
    size_t n_pieces, cap_pieces, per_piece;
    size_t n;
    struct tr_hash_index index;
    size_t hist_bytes;
    uint32_t recent;           /* the last that was found */
    struct tr_record_sort *runs; /* NULL: all fit */
    struct tr__sum_group **order; /* after the end, if all fit */
    size_t next;
    struct tr__sum_group *merged[2]; /* otherwise: the present group, and the one after it */
    bool waiting;                    /* merged[1] holds one */
    struct tr_buf packed;
    struct tr_u128 total;
};

size_t tr__sum_group_size(const struct tr__sum_groups *g)
{
    return g->size;
}

static void clear_group(struct tr__sum_group *x)
{
    x->stats = (struct tr_stats)TR_STATS_INIT;
    x->first = (struct tr__sum_at){ INT64_MAX, INT64_MIN };
    x->last = (struct tr__sum_at){ INT64_MIN, INT64_MAX };
    x->values = NULL;
    x->fraction = 0;
}

enum tr_status tr__sum_groups_new(struct tr__sum_groups **out, const struct tr__sum_keys *keys, bool hist,
                                  size_t distinct, size_t max_memory, const char *temp_dir, struct tr_error *err)
{
    struct tr__sum_groups *g = *out = calloc(1, sizeof *g);
    if (!g)
        return tr_fail_memory(err);
    g->keys = keys;
    g->hist = hist;
    g->distinct = distinct;
    g->max_memory = max_memory;
    g->temp_dir = temp_dir;
    g->size = sizeof(struct tr__sum_group) + keys->n * sizeof(int64_t);
    g->per_piece = PIECE / g->size;
    g->recent = TR_HASH_NONE;
    for (size_t i = 0; i < 2; i++) {
        g->merged[i] = calloc(1, g->size);
        if (!g->merged[i])
            return tr_fail_memory(err);
        clear_group(g->merged[i]);
    }
    return TR_OK;
}

static struct tr__sum_group *group_at(const struct tr__sum_groups *g, size_t i)
{
    return (struct tr__sum_group *)(void *)(g->pieces[i / g->per_piece] + i % g->per_piece * g->size);
}

static void free_values(struct tr__sum_groups *g)
{
    for (size_t i = 0; g->hist && i < g->n; i++)
        tr_hist_free(group_at(g, i)->values);
    g->hist_bytes = 0;
}

void tr__sum_groups_free(struct tr__sum_groups *g)
{
    if (!g)
        return;
    free_values(g);
    for (size_t i = 0; i < g->n_pieces; i++)
        free(g->pieces[i]);
    free(g->pieces);
    for (size_t i = 0; i < 2; i++) {
        if (g->merged[i])
            tr_hist_free(g->merged[i]->values);
        free(g->merged[i]);
    }
    tr_hash_index_free(&g->index);
    tr_record_sort_free(g->runs);
    tr_buf_free(&g->packed);
    free(g->order);
    free(g);
}

/* ---- one group ---- */

/* Of values at one time, the longest is the first and the shortest the last, in whatever order they come. */
static void see(struct tr__sum_group *x, struct tr__sum_at first, struct tr__sum_at last)
{
    if (first.ts < x->first.ts || (first.ts == x->first.ts && first.value > x->first.value))
        x->first = first;
    if (last.ts > x->last.ts || (last.ts == x->last.ts && last.value < x->last.value))
        x->last = last;
}

static int64_t millionths(int64_t v)
{
    return v > INT64_MAX / TR__SUM_FRACTION   ? INT64_MAX
           : v < INT64_MIN / TR__SUM_FRACTION ? INT64_MIN
                                              : v * TR__SUM_FRACTION;
}

/* Convert sums of whole numbers to millionths. */
static bool scale(const struct tr__sum_groups *g, struct tr__sum_group *x)
{
    const uint64_t n = (uint64_t)TR__SUM_FRACTION;
    struct tr_hist *old = x->values;
    int64_t value;
    uint64_t count;
    size_t at = 0;
    x->fraction = 1;
    if (!x->stats.n)
        return true;
    x->stats.min = millionths(x->stats.min);
    x->stats.max = millionths(x->stats.max);
    x->stats.sum = tr_u128_times(x->stats.sum, n);
    x->stats.squares = tr_u128_times(tr_u128_times(x->stats.squares, n), n);
    x->first.value = millionths(x->first.value);
    x->last.value = millionths(x->last.value);
    if (!old)
        return true;
    x->values = tr_hist_new(g->distinct);
    bool ok = x->values != NULL && (!tr_hist_approx(old) || tr_hist_coarsen(x->values));
    tr_hist_seal(old);
    while (ok && tr_hist_next(old, &at, &value, &count))
        ok = tr_hist_add(x->values, millionths(value), count);
    tr_hist_free(old);
    return ok;
}

bool tr__sum_groups_scale(struct tr__sum_groups *g)
{
    bool ok = true;
    g->fraction = true;
    g->hist_bytes = 0;
    for (size_t i = 0; ok && i < g->n; i++) {
        struct tr__sum_group *x = group_at(g, i);
        ok = scale(g, x);
        g->hist_bytes += x->values ? tr_hist_bytes(x->values) : 0;
    }
    return ok;
}

bool tr__sum_join(const struct tr__sum_groups *g, struct tr__sum_group *to, const struct tr__sum_group *from)
{
    tr_stats_merge(&to->stats, &from->stats);
    see(to, from->first, from->last);
    if (!from->values)
        return true;
    if (!to->values)
        to->values = tr_hist_new(g->distinct);
    return to->values && tr_hist_merge(to->values, from->values);
}

bool tr__sum_pack(const struct tr__sum_groups *g, const struct tr__sum_group *x, struct tr_buf *out)
{
    size_t at = 0;
    int64_t value;
    uint64_t count, approx = x->values && tr_hist_approx(x->values);
    out->len = 0;
    if (!tr_buf_add(out, x, g->size))
        return false;
    if (!x->values)
        return true;
    if (!tr_buf_add(out, &approx, sizeof approx))
        return false;
    size_t n_at = out->len;
    uint64_t n = 0;
    bool ok = tr_buf_add(out, &n, sizeof n);
    tr_hist_seal(x->values);
    for (; ok && tr_hist_next(x->values, &at, &value, &count); n++)
        ok = tr_buf_add(out, &value, sizeof value) && tr_buf_add(out, &count, sizeof count);
    if (ok)
        memcpy(out->data + n_at, &n, sizeof n);
    return ok;
}

bool tr__sum_unpack(const struct tr__sum_groups *g, const void *record, struct tr__sum_group *x)
{
    const unsigned char *p = (const unsigned char *)record + g->size;
    struct tr_hist *old = x->values;
    uint64_t approx, n;
    memcpy(x, record, g->size);
    tr_hist_free(old);
    if (!x->values)
        return true;
    memcpy(&approx, p, sizeof approx);
    memcpy(&n, p + sizeof approx, sizeof n);
    p += sizeof approx + sizeof n;
    x->values = tr_hist_new(g->distinct);
    if (!x->values || (approx && !tr_hist_coarsen(x->values)))
        return false;
    for (; n; n--, p += 16) {
        int64_t value;
        uint64_t count;
        memcpy(&value, p, sizeof value);
        memcpy(&count, p + 8, sizeof count);
        if (!tr_hist_add(x->values, value, count))
            return false;
    }
    return true;
}

/* ---- finding ---- */

static uint64_t hash_of(const int64_t *codes, size_t n)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t k = 0; k < n; k++)
        h = tr_mix64(h ^ (uint64_t)codes[k], UINT64_C(0xe7037ed1a0b428db));
    return h;
}

static bool same(const int64_t *a, const int64_t *b, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (a[k] != b[k])
            return false;
    return true;
}

static int by_keys(void *self, const void *a, const void *b)
{
    const struct tr__sum_groups *g = self;
    const struct tr__sum_group *x = a, *y = b;
    int c = 0;
    for (size_t k = 0; !c && k < g->keys->n; k++)
        c = tr__sum_compare_codes(g->keys, k, x->codes[k], y->codes[k]);
    return c;
}

/* The groups in memory by their keys, in g->order. */
static bool sort(struct tr__sum_groups *g)
{
    const void **tmp = calloc(g->n / 2 + 1, sizeof *tmp);
    g->order = calloc(g->n + 1, sizeof *g->order);
    bool ok = tmp && g->order;
    for (size_t i = 0; ok && i < g->n; i++)
        g->order[i] = group_at(g, i);
    if (ok)
        tr_records_order((const void **)(void *)g->order, tmp, g->n, by_keys, g);
    free((void *)tmp);
    return ok;
}

/* Write all groups to a file, as a run. */
static enum tr_status spill(struct tr__sum_groups *g, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!g->runs)
        st = tr_record_sort_new(&g->runs, g->max_memory / 2, g->temp_dir, by_keys, g, err);
    if (st == TR_OK && !sort(g))
        st = tr_fail_memory(err);
    for (size_t i = 0; i < g->n && st == TR_OK; i++) {
        st = tr__sum_pack(g, g->order[i], &g->packed) ? TR_OK : tr_fail_memory(err);
        if (st == TR_OK)
            st = tr_record_sort_put(g->runs, g->packed.data, g->packed.len, err);
    }
    if (st == TR_OK)
        st = tr_record_sort_cut(g->runs, err);
    free(g->order);
    g->order = NULL;
    free_values(g);
    tr_hash_index_free(&g->index);
    g->n = 0;
    g->recent = TR_HASH_NONE;
    return st;
}

/* Is there room for another group?  Sorting needs 12 bytes per group, and the index doubles. */
static bool is_full(const struct tr__sum_groups *g)
{
    size_t index = tr_hash_index_bytes(&g->index);
    if (g->index.mask && (g->n + 1) * 2 > g->index.mask)
        index *= 3;
    return g->n && g->n * (g->size + 12) + index + g->hist_bytes + PIECE > g->max_memory;
}

static enum tr_status add_group(struct tr__sum_groups *g, const int64_t *codes, uint64_t hash, uint32_t *number,
                                struct tr_error *err)
{
    if (is_full(g) || g->n >= TR_HASH_NONE - 1) {
        enum tr_status st = spill(g, err);
        if (st != TR_OK)
            return st;
    }
    if (g->n == g->n_pieces * g->per_piece) {
        if (!tr_grow(&g->pieces, &g->cap_pieces, g->n_pieces + 1, sizeof *g->pieces) ||
            !(g->pieces[g->n_pieces] = malloc(g->per_piece * g->size)))
            return tr_fail_memory(err);
        g->n_pieces++;
    }
    struct tr__sum_group *x = group_at(g, g->n);
    clear_group(x);
    x->fraction = g->fraction;
    memcpy(x->codes, codes, g->keys->n * sizeof *codes);
    if (g->hist && !(x->values = tr_hist_new(g->distinct)))
        return tr_fail_memory(err);
    if (!tr_hash_index_add(&g->index, hash, (uint32_t)g->n)) {
        tr_hist_free(x->values);
        return tr_fail_memory(err);
    }
    if (g->hist)
        g->hist_bytes += tr_hist_bytes(x->values);
    *number = (uint32_t)g->n++;
    return TR_OK;
}

/* The group of these codes; it is made if it is new. */
static enum tr_status find(struct tr__sum_groups *g, const int64_t *codes, struct tr__sum_group **out,
                           struct tr_error *err)
{
    const size_t n = g->keys->n;
    if (g->recent != TR_HASH_NONE && same(group_at(g, g->recent)->codes, codes, n)) {
        *out = group_at(g, g->recent);
        return TR_OK;
    }
    uint64_t hash = hash_of(codes, n);
    struct tr_hash_walk walk = tr_hash_index_walk(&g->index, hash);
    uint32_t i;
    while ((i = tr_hash_index_next(&walk)) != TR_HASH_NONE)
        if (same(group_at(g, i)->codes, codes, n))
            break;
    enum tr_status st = i == TR_HASH_NONE ? add_group(g, codes, hash, &i, err) : TR_OK;
    if (st == TR_OK) {
        g->recent = i;
        *out = group_at(g, i);
    }
    return st;
}

enum tr_status tr__sum_groups_add(struct tr__sum_groups *g, const int64_t *codes, int64_t ts, int64_t value,
                                  struct tr_error *err)
{
    struct tr__sum_group *x = NULL;
    enum tr_status st = find(g, codes, &x, err);
    if (st != TR_OK)
        return st;
    const struct tr__sum_at at = { ts, value };
    tr_stats_add(&x->stats, value);
    see(x, at, at);
    if (!g->hist)
        return TR_OK;
    g->hist_bytes -= tr_hist_bytes(x->values);
    bool ok = tr_hist_add(x->values, value, 1);
    g->hist_bytes += tr_hist_bytes(x->values);
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr__sum_groups_join(struct tr__sum_groups *g, const struct tr__sum_group *from, struct tr_error *err)
{
    struct tr__sum_group *x = NULL;
    enum tr_status st = find(g, from->codes, &x, err);
    if (st != TR_OK)
        return st;
    if (g->hist)
        g->hist_bytes -= tr_hist_bytes(x->values);
    bool ok = tr__sum_join(g, x, from);
    if (g->hist)
        g->hist_bytes += tr_hist_bytes(x->values);
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr__sum_groups_join_saved(struct tr__sum_groups *g, struct tr__sum_group *x,
                                         const struct tr_hist *values, struct tr_error *err)
{
    bool ok = true;
    if (values && g->hist)
        ok = (x->values = tr_hist_new(g->distinct)) != NULL && tr_hist_merge(x->values, values);
    if (ok && x->fraction && !g->fraction)
        ok = tr__sum_groups_scale(g);
    if (ok && g->fraction && !x->fraction)
        ok = scale(g, x);
    enum tr_status st = ok ? tr__sum_groups_join(g, x, err) : tr_fail_memory(err);
    tr_hist_free(x->values);
    x->values = NULL;
    return st;
}

/* ---- the end ---- */

double tr__sum_groups_total(const struct tr__sum_groups *g)
{
    const struct tr_stats all = { .n = 1, .sum = g->total };
    return tr_stats_mean(&all);
}

bool tr__sum_groups_fit(const struct tr__sum_groups *g)
{
    return g->fits;
}

void tr__sum_groups_rewind(struct tr__sum_groups *g)
{
    g->next = 0;
    g->total = (struct tr_u128){ 0, 0 };
}

static void add_total(struct tr__sum_groups *g, const struct tr__sum_group *x)
{
    g->total = tr_u128_add(g->total, x->stats.sum);
}

enum tr_status tr__sum_groups_end(struct tr__sum_groups *g, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (g->ended)
        return TR_OK;
    g->ended = true;
    g->fits = !g->runs;
    if (g->fits)
        return sort(g) ? TR_OK : tr_fail_memory(err);
    if (g->n)
        st = spill(g, err);
    for (size_t i = 0; i < g->n_pieces; i++)
        free(g->pieces[i]);
    g->n_pieces = 0;
    return st == TR_OK ? tr_record_sort_merge(g->runs, err) : st;
}

/* The next record as a group of its own; TR_END: no more. */
static enum tr_status read_group(struct tr__sum_groups *g, struct tr__sum_group *to, struct tr_error *err)
{
    const void *bytes;
    size_t n;
    enum tr_status st = tr_record_sort_next(g->runs, &bytes, &n, err);
    if (st != TR_OK)
        return st;
    bool ok = tr__sum_unpack(g, bytes, to) && (!g->fraction || to->fraction || scale(g, to));
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr__sum_groups_next(struct tr__sum_groups *g, struct tr__sum_group **group, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (g->fits) {
        if (g->next == g->n)
            return TR_END;
        *group = g->order[g->next++];
        add_total(g, *group);
        return TR_OK;
    }
    if (!g->waiting) {
        st = read_group(g, g->merged[1], err);
        if (st != TR_OK)
            return st;
    }
    struct tr__sum_group *x = g->merged[1];
    g->merged[1] = g->merged[0];
    g->merged[0] = x;
    g->waiting = false;
    while ((st = read_group(g, g->merged[1], err)) == TR_OK && by_keys(g, x, g->merged[1]) == 0)
        if (!tr__sum_join(g, x, g->merged[1]))
            return tr_fail_memory(err);
    if (st != TR_OK && st != TR_END)
        return st;
    g->waiting = st == TR_OK;
    *group = x;
    add_total(g, x);
    return TR_OK;
}
