/* SPDX-License-Identifier: MIT */
/* Sources that claim to be one rank: refuse or renumber them. */
#include "stream/merge/tr_rank_conflict.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "io/tr_io.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *copy_text(const char *s)
{
    size_t n = strlen(s) + 1;
    char *copy = malloc(n);
    if (copy)
        memcpy(copy, s, n);
    return copy;
}

/* The time of a source, counted from its base. */
static void find_span(struct tr_rank_claim *c, const struct tr_summary *s)
{
    if (!s || c->number >= s->n || s->sources[c->number].first_ts == TR_TIME_NONE)
        return;
    c->start = s->sources[c->number].first_ts;
    c->end = s->sources[c->number].last_end;
    memcpy(c->n_activity, s->sources[c->number].n_activity, sizeof c->n_activity);
    if (c->end <= c->start) /* a single moment */
        c->end = c->start < INT64_MAX ? c->start + 1 : c->start;
}

bool tr_rank_conflicts_add(struct tr_rank_conflicts *c, const struct tr_input *in, size_t input)
{
    const struct tr_dict *d = in->dict;
    if (!tr_grow(&c->v, &c->cap, c->n + d->n_sources + 1, sizeof *c->v))
        return false;
    for (uint32_t k = 0; k < d->n_sources; k++) {
        const struct tr_source *s = &d->sources[k];
        struct tr_rank_claim *claim = &c->v[c->n++];
        *claim = (struct tr_rank_claim){ .input = input,
                                         .number = k,
                                         .n = (uint32_t)d->n_sources,
                                         .rank = s->rank,
                                         .rule = s->rank_rule,
                                         .pid = s->pid,
                                         .base_ns = s->base_ns,
                                         .part = tr_part_of(d, in->summary, k),
                                         .name = copy_text(tr_dict_str(d, s->name)),
                                         .of_input = copy_text(in->name) };
        if (s->host != TR_NO_STR)
            claim->host = copy_text(tr_dict_str(d, s->host));
        find_span(claim, in->summary);
        if (!claim->name || !claim->of_input || (s->host != TR_NO_STR && !claim->host))
            return false;
    }
    return true;
}

void tr_rank_conflicts_free(struct tr_rank_conflicts *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->v[i].host);
        free(c->v[i].name);
        free(c->v[i].of_input);
    }
    free(c->v);
    *c = (struct tr_rank_conflicts){ NULL, 0, 0 };
}

/* The sum of two times, as high and low part: it may leave 64 bits. */
struct sum {
    int64_t high, low;
};

static struct sum sum_of(int64_t x, int64_t y)
{
    int64_t low = (x & 0xffffffff) + (y & 0xffffffff);
    return (struct sum){ (x >> 32) + (y >> 32) + (low >> 32), low & 0xffffffff };
}

static bool starts_before_end(const struct tr_rank_claim *a, const struct tr_rank_claim *b)
{
    struct sum start = sum_of(a->base_ns, a->start), end = sum_of(b->base_ns, b->end);
    return start.high != end.high ? start.high < end.high : start.low < end.low;
}

static bool same_host(const struct tr_rank_claim *a, const struct tr_rank_claim *b)
{
    return a->host && b->host ? strcmp(a->host, b->host) == 0 : a->host == b->host;
}

bool tr_rank_claims_overlap(const struct tr_rank_claim *a, const struct tr_rank_claim *b)
{
    return a->start < a->end && b->start < b->end && starts_before_end(a, b) && starts_before_end(b, a);
}

/* Do two sources claim to be one process of one rank at one time? */
static bool collide(const struct tr_rank_claim *a, const struct tr_rank_claim *b)
{
    return a->rank == b->rank && a->pid == b->pid && a->pid != TR_I64_NONE && same_host(a, b) &&
           tr_rank_claims_overlap(a, b);
}

/* Do two open files have the same bytes from here on? */
static bool same_rest(int fd, int other)
{
    char x[16384], y[16384];
    size_t n, m;
    struct tr_error ignored = TR_ERROR_INIT;
    enum tr_status st, st_other;
    do {
        n = m = 0;
        st = tr_read_full(fd, x, sizeof x, &n, &ignored);
        st_other = tr_read_full(other, y, sizeof y, &m, &ignored);
    } while (st == TR_OK && st_other == TR_OK && !memcmp(x, y, sizeof x));
    return st == TR_END && st_other == TR_END && n == m && !memcmp(x, y, n);
}

/* Are two files the same? */
static bool same_bytes(const char *a, const char *b)
{
    struct stat s, t;
    if (stat(a, &s) != 0 || stat(b, &t) != 0 || !S_ISREG(s.st_mode) || !S_ISREG(t.st_mode) || s.st_size != t.st_size)
        return false;
    int fd = tr_open_fd(a, O_RDONLY, 0), other = tr_open_fd(b, O_RDONLY, 0);
    bool same = fd >= 0 && other >= 0 && same_rest(fd, other);
    if (fd >= 0)
        close(fd);
    if (other >= 0)
        close(other);
    return same;
}

/*
 * Do two sources with the same times claim to be one rank?  The order of inputs gives a trace another rank each time.
 * So the ranks of two such traces do not count: they are one if they have one name, or are copies of one file.
 */
static bool same_rank(const struct tr_rank_claim *a, const struct tr_rank_claim *b)
{
    bool order = a->rule == TR_RANK_ORDER, other = b->rule == TR_RANK_ORDER;
    if (order && other)
        return (a->name[0] && !strcmp(a->name, b->name)) || same_bytes(a->of_input, b->of_input);
    return a->rank == b->rank || ((order || other) && a->pid != TR_I64_NONE);
}

/* Do two sources have the same times and work?  Metadata and the like may have been left out of one of them. */
static bool same_work(const struct tr_rank_claim *a, const struct tr_rank_claim *b)
{
    struct sum start = sum_of(a->base_ns, a->start), other_start = sum_of(b->base_ns, b->start);
    struct sum end = sum_of(a->base_ns, a->end), other_end = sum_of(b->base_ns, b->end);
    if (a->pid != b->pid || a->start >= a->end || !same_host(a, b) || start.high != other_start.high ||
        start.low != other_start.low || end.high != other_end.high || end.low != other_end.low)
        return false;
    for (unsigned i = 0; i < TR_N_ACTIVITIES; i++)
        if (i != TR_ACT_OTHER && a->n_activity[i] != b->n_activity[i])
            return false;
    return true;
}

static bool same_events(const struct tr_rank_claim *a, const struct tr_rank_claim *b)
{
    return same_work(a, b) && same_rank(a, b);
}

static bool of_one_source(const struct tr_rank_claim *a, const struct tr_rank_claim *b)
{
    return a->rank == b->rank && same_host(a, b) && tr_parts_of_one(&a->part, &b->part);
}

/* Is it a mistake to give both sources?  With renumber, they may hold the same events. */
static bool conflict(const struct tr_rank_claim *a, const struct tr_rank_claim *b, bool renumber)
{
    if (of_one_source(a, b))
        return !tr_parts_join(&a->part, &b->part) || same_bytes(a->of_input, b->of_input);
    return collide(a, b) || (!renumber && same_events(a, b));
}

/* Name a source by its input, and also by its own name if the input has several. */
static void describe(const struct tr_rank_claim *c, char *out, size_t size)
{
    if (c->n == 1)
        snprintf(out, size, "%s", c->of_input);
    else if (c->name[0])
        snprintf(out, size, "%s: %.200s", c->of_input, c->name);
    else
        snprintf(out, size, "%s: source %u", c->of_input, c->number);
}

static enum tr_status refuse(const struct tr_rank_claim *first, const struct tr_rank_claim *second,
                             struct tr_error *err)
{
    char a[800], b[800];
    describe(first, a, sizeof a);
    describe(second, b, sizeof b);
    tr_error_input(err, b);
    if (same_events(first, second))
        return tr_fail(err, TR_DAMAGED, "has the same events as %s (rank %" PRId64 "): leave one of them out", a,
                       first->rank);
    if (of_one_source(first, second))
        return tr_fail(err, TR_DAMAGED, "has events that are in %s, too (rank %" PRId64 "): leave one of them out", a,
                       first->rank);
    return tr_fail(
        err, TR_DAMAGED,
        "is rank %" PRId64 ", process %" PRId64 " at the same time as %s: "
        "give one of them another rank (tr-parse --rank, tr-merge --ranks), or let that be "
        "done (--renumber)",
        second->rank, second->pid, a);
}

/* The ranks in use, ascending. */
struct ranks {
    int64_t *v;
    size_t n, cap;
};

static size_t rank_place(const struct ranks *r, int64_t rank)
{
    size_t low = 0;
    TR_BOUND(low, r->n, mid, r->v[mid] < rank);
    return low;
}

static bool rank_add(struct ranks *r, int64_t rank)
{
    size_t at = rank_place(r, rank);
    if (at < r->n && r->v[at] == rank)
        return true;
    if (!tr_grow(&r->v, &r->cap, r->n + 1, sizeof *r->v))
        return false;
    memmove(r->v + at + 1, r->v + at, (r->n - at) * sizeof *r->v);
    r->v[at] = rank;
    r->n++;
    return true;
}

/* The smallest free rank that is larger than a given one and not negative; -1: there is none. */
static int64_t next_free(const struct ranks *r, int64_t above)
{
    int64_t rank = above < 0 ? -1 : above;
    size_t at = rank == INT64_MAX ? r->n : rank_place(r, rank + 1);
    do {
        if (rank == INT64_MAX)
            return -1;
        rank++;
    } while (at < r->n && r->v[at++] == rank);
    return rank;
}

static int by_rank(const void *a, const void *b)
{
    const struct tr_rank_claim *x = *(struct tr_rank_claim *const *)a, *y = *(struct tr_rank_claim *const *)b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/*
 * Give free ranks to all n sources of an input.  All of them, because their order must not change: the order of the
 * events depends on it.
 */
static enum tr_status renumber_input(struct tr_rank_claim *own, size_t n, struct ranks *used, struct tr_error *err)
{
    struct tr_rank_claim **sorted = calloc(n, sizeof(struct tr_rank_claim *));
    int64_t from = 0, to = -1;
    enum tr_status st = sorted ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; i < n && st == TR_OK; i++)
        sorted[i] = &own[i];
    if (st == TR_OK)
        qsort(sorted, n, sizeof(struct tr_rank_claim *), by_rank);
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        struct tr_rank_claim *c = sorted[i];
        if (i == 0 || c->rank != from) {
            from = c->rank;
            to = next_free(used, to > from ? to : from);
            if (to < 0)
                st = tr_fail(err, TR_DAMAGED, "no rank above %" PRId64 " is free", from);
            else if (!rank_add(used, to))
                st = tr_fail_memory(err);
        }
        c->rule = TR_RANK_RENUMBERED;
        c->rank = to;
    }
    free(sorted);
    return st;
}

/* Hashes of the entries of a source in by_events; 0: it has no such entry. */
struct keys {
    bool order;
    uint64_t name, bytes;
};

/*
 * The sources of the inputs before one, found by what those in conflict have in common: the rank; or, where the order
 * of inputs gave one of them its rank, the events, and if it gave both, a name or the bytes of the file, too.
 */
struct near {
    const struct tr_rank_claim *v;
    struct keys *keys; /* of each source */
    struct tr_hash_index by_rank, by_events;
    bool renumber; /* only ranks count */
};

enum { OF_ORDER = 1, OF_OTHERS, OF_NAME, OF_BYTES }; /* entries of by_events; of the first two, only the first counts */

static uint64_t rank_hash(const struct tr_rank_claim *c)
{
    return tr_hash(&c->rank, sizeof c->rank);
}

static uint64_t events_hash(const struct tr_rank_claim *c, uint64_t entry, uint64_t more)
{
    struct sum start = sum_of(c->base_ns, c->start), end = sum_of(c->base_ns, c->end);
    const uint64_t key[] = { (uint64_t)start.high, (uint64_t)start.low, (uint64_t)end.high, (uint64_t)end.low,
                             (uint64_t)c->pid, c->host ? tr_hash(c->host, strlen(c->host)) : 0, entry, more };
    uint64_t h = tr_hash(key, sizeof key);
    for (unsigned i = 0; i < TR_N_ACTIVITIES; i++)
        if (i != TR_ACT_OTHER)
            h = tr_mix64(h ^ c->n_activity[i], UINT64_C(0x9e3779b97f4a7c15));
    return h;
}

/* The size and the first bytes of the file of a source; 0: it is none. */
static uint64_t file_hash(const struct tr_rank_claim *c)
{
    unsigned char start[4096];
    struct stat file;
    size_t n = 0;
    struct tr_error ignored = TR_ERROR_INIT;
    if (stat(c->of_input, &file) != 0 || !S_ISREG(file.st_mode))
        return 0;
    int fd = tr_open_fd(c->of_input, O_RDONLY, 0);
    bool ok = fd >= 0 && tr_read_full(fd, start, sizeof start, &n, &ignored) != TR_SYSTEM;
    if (fd >= 0)
        close(fd);
    return ok ? tr_hash(start, n) ^ (uint64_t)file.st_size : 0;
}

static struct keys keys_of(const struct tr_rank_claim *c)
{
    struct keys k = { .order = c->rule == TR_RANK_ORDER };
    if (k.order && c->name[0])
        k.name = events_hash(c, OF_NAME, tr_hash(c->name, strlen(c->name)));
    uint64_t file = k.order ? file_hash(c) : 0;
    if (file)
        k.bytes = events_hash(c, OF_BYTES, file);
    return k;
}

/* The first source with this hash that is in conflict with c, if it comes before one that was found. */
static const struct tr_rank_claim *first_near(const struct near *near, const struct tr_hash_index *x, uint64_t hash,
                                              const struct tr_rank_claim *c, const struct tr_rank_claim *found)
{
    struct tr_hash_walk w = tr_hash_index_walk(x, hash);
    for (uint32_t i; (i = tr_hash_index_next(&w)) != TR_HASH_NONE && (!found || &near->v[i] < found);)
        if (conflict(&near->v[i], c, near->renumber))
            return &near->v[i];
    return found;
}

static const struct tr_rank_claim *find_conflict(struct near *near, size_t i)
{
    const struct tr_rank_claim *c = &near->v[i];
    const struct tr_hash_index *x = &near->by_events;
    const struct tr_rank_claim *found = first_near(near, &near->by_rank, rank_hash(c), c, NULL);
    if (near->renumber)
        return found;
    struct keys k = near->keys[i] = keys_of(c);
    if (c->pid != TR_I64_NONE)
        found = first_near(near, x, events_hash(c, k.order ? OF_OTHERS : OF_ORDER, 0), c, found);
    if (k.name)
        found = first_near(near, x, k.name, c, found);
    return k.bytes ? first_near(near, x, k.bytes, c, found) : found;
}

/* Add a source to by_events, unless it has no time or one with the same times and work is there. */
static bool add_first(struct near *near, uint64_t hash, size_t i)
{
    if (near->v[i].start >= near->v[i].end)
        return true;
    struct tr_hash_walk w = tr_hash_index_walk(&near->by_events, hash);
    for (uint32_t other; (other = tr_hash_index_next(&w)) != TR_HASH_NONE;)
        if (same_work(&near->v[other], &near->v[i]))
            return true;
    return tr_hash_index_add(&near->by_events, hash, (uint32_t)i);
}

static bool near_add(struct near *near, size_t i)
{
    const struct tr_rank_claim *c = &near->v[i];
    const struct keys *k = &near->keys[i];
    if (!tr_hash_index_add(&near->by_rank, rank_hash(c), (uint32_t)i))
        return false;
    return near->renumber || (add_first(near, events_hash(c, k->order ? OF_ORDER : OF_OTHERS, 0), i) &&
                              (!k->name || tr_hash_index_add(&near->by_events, k->name, (uint32_t)i)) &&
                              (!k->bytes || tr_hash_index_add(&near->by_events, k->bytes, (uint32_t)i)));
}

enum tr_status tr_rank_conflicts_settle(struct tr_rank_conflicts *c, bool renumber, struct tr_error *err)
{
    struct ranks used = { NULL, 0, 0 };
    struct near near = { .v = c->v, .keys = calloc(c->n + 1, sizeof *near.keys), .renumber = renumber };
    enum tr_status st = near.keys ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; i < c->n && st == TR_OK; i++)
        if (!rank_add(&used, c->v[i].rank))
            st = tr_fail_memory(err);
    for (size_t i = 0, n; i < c->n && st == TR_OK; i += n) {
        const struct tr_rank_claim *with = NULL, *own = NULL;
        n = c->v[i].n;
        for (size_t k = i; k < i + n && !with; k++)
            if ((with = find_conflict(&near, k)) != NULL)
                own = &c->v[k];
        if (with)
            st = renumber ? renumber_input(&c->v[i], n, &used, err) : refuse(with, own, err);
        for (size_t k = i; k < i + n && st == TR_OK; k++)
            if (!near_add(&near, k))
                st = tr_fail_memory(err);
    }
    tr_hash_index_free(&near.by_rank);
    tr_hash_index_free(&near.by_events);
    free(near.keys);
    free(used.v);
    return st;
}
