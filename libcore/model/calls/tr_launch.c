/* SPDX-License-Identifier: MIT */
/* Launch links: host calls by their correlation number, found when device work comes. */
#include "model/calls/tr_launch.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "stream/format/tr_paged_int.h"
#include "stream/tr_event.h"

#include <stdlib.h>
#include <string.h>

/*
 * A slot of the hash: entry number + 1, or a group of entries that share a number; 0: it is free.  The high half is a
 * mark made of the number, so that entries of other numbers are rarely looked at.
 */
#define GROUP 0x80000000u

#define AHEAD 16u /* entries until the slot of a number is needed */

struct group {
    size_t first, n; /* in ordered[] */
};

struct tr_launch_table {
    struct tr_paged entries; /* struct tr_launch */
    struct tr_paged slots;   /* uint64_t */
    size_t mask;
    uint32_t *ordered; /* entries that share a number: by number, then start; outer calls left out */
    size_t n_ordered, cap_ordered;
    struct group *groups;
    size_t n_groups, cap_groups;
};

struct tr_launch_table *tr_launch_new(size_t max_bytes, const char *temp_dir)
{
    struct tr_launch_table *t = calloc(1, sizeof *t);
    if (t) {
        tr_paged_init(&t->entries, sizeof(struct tr_launch), max_bytes, temp_dir);
        tr_paged_init(&t->slots, sizeof(uint64_t), max_bytes, temp_dir);
    }
    return t;
}

void tr_launch_free(struct tr_launch_table *t)
{
    if (!t)
        return;
    tr_paged_free(&t->entries);
    tr_paged_free(&t->slots);
    free(t->ordered);
    free(t->groups);
    free(t);
}

static struct tr_launch *entry(const struct tr_launch_table *t, size_t i)
{
    return tr_paged_at(&t->entries, i);
}

static uint64_t *slot(const struct tr_launch_table *t, size_t i)
{
    return tr_paged_at(&t->slots, i);
}

enum tr_status tr_launch_add(struct tr_launch_table *t, const struct tr_launch *l, struct tr_error *err)
{
    if (t->entries.n >= GROUP - 2)
        return tr_fail(err, TR_DAMAGED, "more than 2147483645 launches in one trace");
    return tr_paged_add(&t->entries, l, 1, err);
}

bool tr_launch_own(struct tr_launch_table *t)
{
    return tr_paged_own(&t->entries) && tr_paged_own(&t->slots);
}

void tr_launch_trim(struct tr_launch_table *t)
{
    tr_paged_trim(&t->entries);
    tr_paged_trim(&t->slots);
}

/* Numbers mostly increase by one: neighbours stay together, and groups of them are scattered. */
static size_t slot_of(const struct tr_launch_table *t, int64_t correlation)
{
    uint64_t c = (uint64_t)correlation;
    return (size_t)(((c >> 6) * 0x9e3779b97f4a7c15u >> 20) << 6 | (c & 63)) & t->mask;
}

static int64_t number_in(const struct tr_launch_table *t, uint32_t s)
{
    return entry(t, s & GROUP ? t->ordered[t->groups[s & ~GROUP].first] : s - 1)->correlation;
}

static uint64_t mark_of(int64_t correlation)
{
    return ((uint64_t)correlation * 0xe7037ed1a0b428dbu >> 32) << 32;
}

static size_t find_slot(const struct tr_launch_table *t, int64_t correlation)
{
    const uint64_t mark = mark_of(correlation), low = UINT32_MAX;
    size_t i = slot_of(t, correlation);
    for (uint64_t s; (s = *slot(t, i)) != 0; i = (i + 1) & t->mask)
        if ((s & ~low) == mark && number_in(t, (uint32_t)s) == correlation)
            break;
    return i;
}

struct sort_item {
    int64_t correlation, ts, end;
    uint64_t record;
    uint32_t entry;
};

TR_ORDER(by_number_and_start, struct sort_item, TR_UP(correlation), TR_UP(ts), TR_DOWN(end), TR_UP(record))

/* Order the entries that share numbers and leave out calls that contain another of their number. */
static bool make_groups(struct tr_launch_table *t, struct sort_item *items, size_t n)
{
    qsort(items, n, sizeof *items, by_number_and_start);
    if (!tr_grow(&t->ordered, &t->cap_ordered, n, sizeof *t->ordered))
        return false;
    for (size_t i = 0; i < n;) {
        size_t first = t->n_ordered, k = i;
        for (; k < n && items[k].correlation == items[i].correlation; k++) {
            bool outer = k + 1 < n && items[k + 1].correlation == items[k].correlation &&
                         items[k + 1].end <= items[k].end;
            if (!outer)
                t->ordered[t->n_ordered++] = items[k].entry;
        }
        if (!tr_grow(&t->groups, &t->cap_groups, t->n_groups + 1, sizeof *t->groups))
            return false;
        uint64_t *at = slot(t, find_slot(t, items[i].correlation));
        t->groups[t->n_groups] = (struct group){ first, t->n_ordered - first };
        *at = mark_of(items[i].correlation) | GROUP | (uint32_t)t->n_groups++;
        i = k;
    }
    return true;
}

static bool push(struct sort_item **items, size_t *n, size_t *cap, const struct tr_launch *l,
                 uint32_t entry)
{
    if (!tr_grow(items, cap, *n + 1, sizeof **items))
        return false;
    int64_t end = l->dur == TR_TIME_NONE || l->dur < 0 || l->ts > INT64_MAX - l->dur ? l->ts
                                                                                      : l->ts + l->dur;
    (*items)[(*n)++] = (struct sort_item){ l->correlation, l->ts, end, l->record, entry };
    return true;
}

/* Enter all entries into the hash; those that share a number are listed in items. */
static bool index_entries(struct tr_launch_table *t, unsigned char *shared, struct sort_item **items,
                          size_t *n_items)
{
    size_t cap = 0;
    for (size_t e = 0; e < t->entries.n; e++) {
        if (e % (1u << 16) == 0)
            tr_launch_trim(t);
        if (e + AHEAD < t->entries.n)
            tr_launch_expect(t, entry(t, e + AHEAD)->correlation);
        const int64_t correlation = entry(t, e)->correlation;
        uint64_t *at = slot(t, find_slot(t, correlation));
        if (!*at) {
            *at = mark_of(correlation) | (uint32_t)(e + 1);
            continue;
        }
        uint32_t head = (uint32_t)*at - 1;
        if (!(shared[head / 8] >> (head % 8) & 1)) {
            shared[head / 8] |= (unsigned char)(1u << (head % 8));
            if (!push(items, n_items, &cap, entry(t, head), head))
                return false;
        }
        if (!push(items, n_items, &cap, entry(t, e), (uint32_t)e))
            return false;
    }
    return true;
}

enum tr_status tr_launch_finish(struct tr_launch_table *t, struct tr_error *err)
{
    size_t size = 256, n_items = 0;
    struct sort_item *items = NULL;
    while (size < t->entries.n * 2)
        size *= 2;
    t->mask = size - 1;
    enum tr_status st = tr_paged_add(&t->slots, NULL, size, err);
    if (st != TR_OK)
        return st;
    unsigned char *shared = calloc(t->entries.n / 8 + 1, 1); /* a bit per entry: already among the items */
    if (!shared || !index_entries(t, shared, &items, &n_items) ||
        (n_items > 0 && !make_groups(t, items, n_items)))
        st = tr_fail_memory(err);
    free(items);
    free(shared);
    return st;
}

/* The number of calls of the group that start at or before ts. */
static size_t started_by(const struct tr_launch_table *t, const struct group *g, int64_t ts)
{
    size_t lo = 0;
    TR_BOUND(lo, g->n, mid, entry(t, t->ordered[g->first + mid])->ts <= ts);
    return lo;
}

struct tr_launch *tr_launch_find(const struct tr_launch_table *t, int64_t correlation, int64_t ts)
{
    uint32_t s = (uint32_t)*slot(t, find_slot(t, correlation));
    if (!s)
        return NULL;
    if (!(s & GROUP))
        return entry(t, s - 1);
    const struct group *g = &t->groups[s & ~GROUP];
    size_t n = started_by(t, g, ts);
    return entry(t, t->ordered[g->first + (n ? n - 1 : 0)]);
}

void tr_launch_expect(const struct tr_launch_table *t, int64_t correlation)
{
#if defined(__GNUC__)
    __builtin_prefetch(slot(t, slot_of(t, correlation)));
#else
    (void)t;
    (void)correlation;
#endif
}

const struct tr_launch *tr_launch_of_record(const struct tr_launch_table *t, int64_t correlation,
                                            int64_t ts, uint64_t record)
{
    uint32_t s = (uint32_t)*slot(t, find_slot(t, correlation));
    if (!s)
        return NULL;
    if (!(s & GROUP)) {
        const struct tr_launch *l = entry(t, s - 1);
        return l->record == record ? l : NULL;
    }
    const struct group *g = &t->groups[s & ~GROUP];
    for (size_t n = started_by(t, g, ts); n > 0; n--) {
        const struct tr_launch *l = entry(t, t->ordered[g->first + n - 1]);
        if (l->record == record)
            return l;
        if (l->ts != ts)
            break;
    }
    return NULL;
}

uint32_t tr_launch_number(const struct tr_launch_table *t, const struct tr_launch *l)
{
    return (uint32_t)(l - entry(t, 0));
}

const struct tr_launch *tr_launch_at(const struct tr_launch_table *t, uint32_t number)
{
    return entry(t, number);
}

struct tr_launch *tr_launch_walk(const struct tr_launch_table *t, size_t number)
{
    return tr_paged_walk(&t->entries, number);
}

size_t tr_launch_n(const struct tr_launch_table *t)
{
    return t->entries.n;
}
