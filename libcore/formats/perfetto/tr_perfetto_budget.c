/* SPDX-License-Identifier: MIT */
/*
 * Which spans a trace of Perfetto leaves out so that it is not larger than asked.
 *
 * The first writing counts, for each thread or stream, the bytes of its spans by their durations, in classes of 1/64 of
 * a power of two.  Each thread may keep so many bytes, the same for all, that the sum is what is left beside everything
 * else; so threads with few spans keep all.  A thread with more keeps its longest spans.  Of the class where the bytes
 * end, it keeps some, spread evenly over time.
 */
#include "formats/perfetto/tr_perfetto_int.h"

#include "base/tr_sort.h"

#include <inttypes.h>
#include <stdlib.h>

#define CLASS_BITS 6
#define N_CLASSES  (1u << CLASS_BITS) /* of a power of two; smaller durations are classes of their own */
#define N_POWERS   (64u - CLASS_BITS)

/* The most bytes of the end of a span, and of what an interned string takes if it moves to another packet. */
#define END_BYTES    32u
#define INTERN_BYTES 16u

struct class {
    uint64_t bytes, n, largest; /* of one span */
};

/* A thread or stream. */
struct part {
    struct class *powers[N_POWERS]; /* NULL: no spans */
    unsigned first;                 /* from this class on, all are kept; of the class before it, `kept' */
    uint64_t kept, seen;
};

struct tr_perfetto_budget {
    struct part *parts;
    size_t n, cap;
    uint64_t written, spans, ends, interned;
    uint64_t n_spans, n_left_out;
    int64_t longest; /* that was left out */
    bool decided;
};

struct tr_perfetto_budget *tr_perfetto_budget_new(void)
{
    return calloc(1, sizeof(struct tr_perfetto_budget));
}

void tr_perfetto_budget_free(struct tr_perfetto_budget *b)
{
    for (size_t i = 0; b && i < b->n; i++)
        for (unsigned k = 0; k < N_POWERS; k++)
            free(b->parts[i].powers[k]);
    if (b)
        free(b->parts);
    free(b);
}

static unsigned class_of(int64_t dur)
{
    unsigned shift = 0;
    while (dur >> shift >= 2 * N_CLASSES)
        shift++;
    return dur < N_CLASSES ? (unsigned)dur : (shift + 1) * N_CLASSES + (unsigned)(dur >> shift) % N_CLASSES;
}

static struct part *part_of(struct tr_perfetto_budget *b, uint32_t thread)
{
    if (thread >= b->n) {
        if (!tr_grow(&b->parts, &b->cap, thread + (size_t)1, sizeof *b->parts))
            return NULL;
        memset(b->parts + b->n, 0, (thread + (size_t)1 - b->n) * sizeof *b->parts);
        b->n = thread + (size_t)1;
    }
    return &b->parts[thread];
}

/* ---- the first writing ---- */

bool tr__perfetto_budget_span(struct tr_perfetto_budget *b, uint32_t thread, int64_t dur, size_t bytes)
{
    struct part *p = part_of(b, thread);
    unsigned at = class_of(dur);
    struct class **power = p ? &p->powers[at / N_CLASSES] : NULL;
    if (!p || (!*power && !(*power = calloc(N_CLASSES, sizeof **power))))
        return false;
    struct class *c = &(*power)[at % N_CLASSES];
    uint64_t size = bytes + END_BYTES;
    c->bytes += size;
    c->largest = c->largest > size ? c->largest : size;
    c->n++;
    b->spans += bytes;
    b->n_spans++;
    return true;
}

void tr__perfetto_budget_add(struct tr_perfetto_budget *b, size_t written, size_t ends, size_t interned)
{
    b->written += written;
    b->ends += ends;
    b->interned += interned;
}

bool tr__perfetto_budget_measures(const struct tr_perfetto_budget *b)
{
    return b && !b->decided;
}

/* ---- the decision ---- */

static uint64_t bytes_of(const struct part *p)
{
    uint64_t sum = 0;
    for (unsigned k = 0; k < N_POWERS; k++)
        for (unsigned i = 0; p->powers[k] && i < N_CLASSES; i++)
            sum += p->powers[k][i].bytes;
    return sum;
}

/* Keep the longest spans of a part, up to so many bytes. */
static void keep_longest(struct part *p, uint64_t bytes)
{
    for (p->first = N_POWERS * N_CLASSES; p->first > 0; p->first--) {
        unsigned at = p->first - 1;
        const struct class *c = p->powers[at / N_CLASSES] ? &p->powers[at / N_CLASSES][at % N_CLASSES] : NULL;
        if (c && c->bytes > bytes) {
            p->kept = bytes / c->largest;
            return;
        }
        bytes -= c ? c->bytes : 0;
    }
}

TR_ORDER(by_size, uint64_t, TR_CMP(*a, *b))

/* The most bytes that a thread may keep, so that all together keep so many. */
static uint64_t most_of_each(uint64_t *sizes, size_t n, uint64_t left)
{
    qsort(sizes, n, sizeof *sizes, by_size);
    for (size_t i = 0; i < n; i++) {
        if (sizes[i] > left / (n - i))
            return left / (n - i);
        left -= sizes[i];
    }
    return UINT64_MAX;
}

enum tr_status tr_perfetto_budget_decide(struct tr_perfetto_budget *b, uint64_t max_bytes, struct tr_error *err)
{
    uint64_t fixed = b->written - b->spans - b->ends + b->interned * INTERN_BYTES;
    b->decided = true;
    if (b->written <= max_bytes)
        return TR_OK; /* nothing is left out */
    if (fixed > max_bytes)
        return tr_fail(err, TR_USAGE, "what is not a span may take %" PRIu64 " bytes, more than the budget", fixed);
    uint64_t *sizes = calloc(b->n + 1, sizeof *sizes);
    if (!sizes)
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++)
        sizes[i] = bytes_of(&b->parts[i]);
    uint64_t most = most_of_each(sizes, b->n, max_bytes - fixed);
    for (size_t i = 0; i < b->n; i++)
        keep_longest(&b->parts[i], most);
    free(sizes);
    return TR_OK;
}

/* ---- the second writing ---- */

static bool keeps(struct part *p, unsigned at)
{
    if (at + 1 != p->first || !p->powers[at / N_CLASSES] || !p->powers[at / N_CLASSES][at % N_CLASSES].n)
        return at >= p->first;
    uint64_t n = p->powers[at / N_CLASSES][at % N_CLASSES].n, i = p->seen++;
    return (i + 1) * p->kept / n > i * p->kept / n;
}

bool tr__perfetto_budget_keeps(struct tr_perfetto_budget *b, uint32_t thread, int64_t dur)
{
    if (!b || !b->decided || thread >= b->n || keeps(&b->parts[thread], class_of(dur)))
        return true;
    b->n_left_out++;
    b->longest = b->longest > dur ? b->longest : dur;
    return false;
}

uint64_t tr_perfetto_budget_left_out(const struct tr_perfetto_budget *b, uint64_t *n_spans, int64_t *longest)
{
    *n_spans = b->n_spans;
    *longest = b->longest;
    return b->n_left_out;
}
