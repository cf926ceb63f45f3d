#include "analysis/tr_diff.h"

#include "analysis/tr_diff_int.h"
#include "base/tr_hash.h"
#include "base/tr_mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 256u

const char *const tr_diff_by_names[] = { "name",  "short-name", "kernel", "operator",
                                         "class", "step",       "tree",   NULL };

struct tr_diff *tr_diff_new(enum tr_diff_by by, size_t max_bytes)
{
    struct tr_diff *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->by = by;
    d->max_bytes = max_bytes ? max_bytes : SIZE_MAX;
    d->mask = FIRST_SLOTS - 1;
    d->keys = tr_strtab_new();
    d->slots = calloc(FIRST_SLOTS, sizeof *d->slots);
    if (d->keys && d->slots)
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
    free(d->slots);
    free(d->rows);
    free(d);
}

/* ---- entries ---- */

static size_t slot_of(const struct tr_diff *d, bool device, uint32_t key)
{
    size_t i = (size_t)tr_mix64((uint64_t)key * 2 + device, 0x9e3779b97f4a7c15u) & d->mask;
    for (; d->slots[i]; i = (i + 1) & d->mask) {
        const struct tr__diff_entry *e = &d->entries[d->slots[i] - 1];
        if (e->key == key && e->device == device)
            break;
    }
    return i;
}

static bool more_slots(struct tr_diff *d)
{
    uint32_t *slots = calloc((d->mask + 1) * 2, sizeof *slots);
    if (!slots)
        return false;
    free(d->slots);
    d->slots = slots;
    d->mask = d->mask * 2 + 1;
    for (size_t i = 0; i < d->n; i++)
        d->slots[slot_of(d, d->entries[i].device, d->entries[i].key)] = (uint32_t)i + 1;
    return true;
}

uint32_t tr__diff_entry_of_key(struct tr_diff *d, bool device, uint32_t key)
{
    size_t slot = slot_of(d, device, key);
    if (d->slots[slot])
        return d->slots[slot] - 1;
    d->full = tr_strtab_bytes(d->keys) + d->n * sizeof *d->entries > d->max_bytes;
    if (d->full || d->n >= TR__NO_ENTRY - 1 ||
        !tr_grow(&d->entries, &d->cap, d->n + 1, sizeof *d->entries))
        return TR__NO_ENTRY;
    d->entries[d->n++] = (struct tr__diff_entry){
        .key = key,
        .device = device,
        .sums = { { .dur = TR_STATS_INIT }, { .dur = TR_STATS_INIT } },
    };
    d->slots[slot] = (uint32_t)d->n;
    if (d->n * 2 > d->mask && !more_slots(d))
        return TR__NO_ENTRY;
    return (uint32_t)(d->n - 1);
}

uint32_t tr__diff_entry(struct tr_diff *d, bool device, const char *name, size_t len)
{
    uint32_t key = tr_strtab_add(d->keys, name, len);
    return key == TR_NO_STR ? TR__NO_ENTRY : tr__diff_entry_of_key(d, device, key);
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

int64_t tr_diff_minus(int64_t a, int64_t b)
{
    return tr_time_diff(a, b);
}

static bool equal(struct tr_u128 a, struct tr_u128 b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

bool tr_diff_same(const struct tr_diff_sums *a, const struct tr_diff_sums *b)
{
    return a->dur.n == b->dur.n && equal(a->dur.sum, b->dur.sum) && equal(a->self, b->self);
}

/* The variance of a sum of independent durations. */
static double variance(const struct tr_stats *s)
{
    double std = s->n ? tr_stats_std(s) : 0;
    return (double)s->n * std * std;
}

double tr_diff_noise(const struct tr_diff_row *row)
{
    return sqrt(variance(&row->sums[TR_DIFF_BASE].dur) + variance(&row->sums[TR_DIFF_TEST].dur));
}

/* ---- rows ---- */

static uint64_t size_of_difference(int64_t base, int64_t test)
{
    return base < test ? (uint64_t)test - (uint64_t)base : (uint64_t)base - (uint64_t)test;
}

static uint64_t self_change(const struct tr_diff_row *r)
{
    return size_of_difference(tr_diff_self(&r->sums[0]), tr_diff_self(&r->sums[1]));
}

static uint64_t dur_change(const struct tr_diff_row *r)
{
    return size_of_difference(tr_stats_sum(&r->sums[0].dur), tr_stats_sum(&r->sums[1].dur));
}

static int by_contribution(const void *x, const void *y)
{
    const struct tr_diff_row *a = x, *b = y;
    uint64_t p = self_change(a), q = self_change(b);
    if (p == q) {
        p = dur_change(a);
        q = dur_change(b);
    }
    if (p != q)
        return p > q ? -1 : 1;
    if (a->device != b->device)
        return a->device ? 1 : -1;
    int c = memcmp(a->name, b->name, a->len < b->len ? a->len : b->len);
    return c ? c : (a->len > b->len) - (a->len < b->len);
}

enum tr_status tr_diff_rows(struct tr_diff *d, const struct tr_diff_row **rows, size_t *n,
                            struct tr_diff_row *total, struct tr_error *err)
{
    free(d->rows);
    d->rows = calloc(d->n + 1, sizeof *d->rows);
    *rows = d->rows;
    *n = 0;
    *total = (struct tr_diff_row){ .name = "total", .len = 5 };
    if (!d->rows)
        return tr_fail_memory(err);
    for (size_t i = 0; i < d->n; i++) {
        const struct tr__diff_entry *e = &d->entries[i];
        if (!e->sums[0].dur.n && !e->sums[1].dur.n)
            continue;
        d->rows[(*n)++] = (struct tr_diff_row){ tr_strtab_get(d->keys, e->key),
                                                tr_strtab_len(d->keys, e->key),
                                                e->device,
                                                { e->sums[0], e->sums[1] } };
        for (int run = 0; run < 2; run++) {
            total->sums[run].dur.n += e->sums[run].dur.n;
            total->sums[run].self = tr_u128_add(total->sums[run].self, e->sums[run].self);
        }
    }
    if (*n)
        qsort(d->rows, *n, sizeof *d->rows, by_contribution);
    return TR_OK;
}
