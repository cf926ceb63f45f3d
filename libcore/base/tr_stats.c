/* SPDX-License-Identifier: MIT */
/* Exact statistics of integers: sums, deviation, percentiles. */
#include "base/tr_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sums ---- */

static double to_double(struct tr_u128 a)
{
    return (double)a.hi * 18446744073709551616.0 + (double)a.lo;
}

void tr_stats_merge(struct tr_stats *s, const struct tr_stats *from)
{
    if (from->n == 0)
        return;
    s->n += from->n;
    s->min = from->min < s->min ? from->min : s->min;
    s->max = from->max > s->max ? from->max : s->max;
    s->sum = tr_u128_add(s->sum, from->sum);
    s->squares = tr_u128_add(s->squares, from->squares);
}

int64_t tr_stats_sum(const struct tr_stats *s)
{
    bool minus = tr_i128_is_negative(s->sum);
    struct tr_u128 size = minus ? tr_i128_negate(s->sum) : s->sum;
    if (size.hi || size.lo > INT64_MAX)
        return TR_TIME_NONE;
    return minus ? -(int64_t)size.lo : (int64_t)size.lo;
}

double tr_stats_mean(const struct tr_stats *s)
{
    if (s->n == 0)
        return NAN;
    bool minus = tr_i128_is_negative(s->sum);
    double sum = to_double(minus ? tr_i128_negate(s->sum) : s->sum);
    return (minus ? -sum : sum) / (double)s->n;
}

/* 256 bits, least significant word first: what n * squares and sum * sum need. */
struct wide {
    uint64_t w[4];
};

static struct wide mul_wide(struct tr_u128 a, struct tr_u128 b)
{
    struct wide r = { { 0, 0, 0, 0 } };
    const uint64_t x[2] = { a.lo, a.hi }, y[2] = { b.lo, b.hi };
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < 2; k++) {
            struct tr_u128 p = tr_u128_mul(x[i], y[k]);
            uint64_t add[2] = { p.lo, p.hi };
            uint64_t carry = 0;
            for (unsigned j = i + k; j < 4; j++) {
                uint64_t part = j - i - k < 2 ? add[j - i - k] : 0;
                uint64_t t = r.w[j] + part, c = t < part;
                r.w[j] = t + carry;
                carry = c + (r.w[j] < t);
            }
        }
    }
    return r;
}

static bool below_wide(const struct wide *a, const struct wide *b)
{
    for (unsigned j = 4; j-- > 0;)
        if (a->w[j] != b->w[j])
            return a->w[j] < b->w[j];
    return false;
}

bool tr_stats_possible(const struct tr_stats *s)
{
    if (s->n == 0)
        return !s->sum.hi && !s->sum.lo && !s->squares.hi && !s->squares.lo;
    if (s->n > INT64_MAX || s->min > s->max || tr_i128_cmp(s->sum, tr_i128_mul(s->min, (int64_t)s->n)) < 0 ||
        tr_i128_cmp(s->sum, tr_i128_mul(s->max, (int64_t)s->n)) > 0)
        return false;
    struct tr_u128 sum = tr_i128_is_negative(s->sum) ? tr_i128_negate(s->sum) : s->sum;
    struct wide a = mul_wide(s->squares, (struct tr_u128){ 0, s->n });
    struct wide b = mul_wide(sum, sum);
    return !below_wide(&a, &b);
}

/* a - b for a >= b, as a double with an error of a few units in the last place. */
static double sub_wide(const struct wide *a, const struct wide *b)
{
    uint64_t borrow = 0, d[4];
    for (unsigned j = 0; j < 4; j++) {
        uint64_t t = a->w[j] - b->w[j];
        uint64_t under = a->w[j] < b->w[j];
        d[j] = t - borrow;
        borrow = under | (t < borrow);
    }
    double r = 0;
    for (unsigned j = 4; j-- > 0;)
        r = r * 18446744073709551616.0 + (double)d[j];
    return r;
}

double tr_stats_std(const struct tr_stats *s)
{
    if (s->n < 2)
        return NAN;
    struct tr_u128 sum = tr_i128_is_negative(s->sum) ? tr_i128_negate(s->sum) : s->sum;
    struct wide a = mul_wide(s->squares, (struct tr_u128){ 0, s->n });
    struct wide b = mul_wide(sum, sum);
    double n = (double)s->n;
    return sqrt(sub_wide(&a, &b) / n / (n - 1));
}

/* ---- histogram ---- */

struct cell {
    int64_t value;
    uint64_t count; /* 0: empty slot */
};

struct tr_hist {
    struct cell *cells;
    size_t mask, used, limit;
    uint64_t count;
    bool approx, sealed; /* sealed: the used cells come first, in the order of values */
};

#define HIST_FIRST 8u /* slots; a power of two */
#define KEEP_BITS  11u

struct tr_hist *tr_hist_new(size_t max_distinct)
{
    struct tr_hist *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->cells = calloc(HIST_FIRST, sizeof *h->cells);
    h->mask = HIST_FIRST - 1;
    h->limit = max_distinct;
    if (!h->cells) {
        free(h);
        return NULL;
    }
    return h;
}

void tr_hist_free(struct tr_hist *h)
{
    if (!h)
        return;
    free(h->cells);
    free(h);
}

/* The middle of all values with the same highest bits. */
static int64_t coarse(int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    unsigned bits = 0;
    for (uint64_t v = size; v; v >>= 1)
        bits++;
    if (bits <= KEEP_BITS)
        return value;
    unsigned cut = bits - KEEP_BITS;
    size = (size >> cut << cut) | (UINT64_C(1) << (cut - 1));
    if (size > INT64_MAX)
        return INT64_MIN;
    return value < 0 ? -(int64_t)size : (int64_t)size;
}

#define KEEP_HALF (INT64_C(1) << (KEEP_BITS - 1)) /* coarse values of each number of bits */

/* Values of up to KEEP_BITS bits are their own numbers; coarse values of more bits follow. */
int64_t tr_hist_short(const struct tr_hist *h, int64_t value)
{
    uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    unsigned cut = 0;
    if (!h->approx)
        return value;
    for (; size >> cut >> KEEP_BITS; cut++)
        ;
    int64_t number = (int64_t)(size >> cut) + (int64_t)cut * KEEP_HALF;
    return value < 0 ? -number : number;
}

int64_t tr_hist_long(const struct tr_hist *h, int64_t number)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    if (!h->approx || size < 2 * KEEP_HALF)
        return number;
    uint64_t cut = size / KEEP_HALF - 1;
    if (cut > 64 - KEEP_BITS)
        return number < 0 ? INT64_MIN : INT64_MAX;
    size = (size - cut * KEEP_HALF) << cut | UINT64_C(1) << (cut - 1);
    if (size > INT64_MAX)
        return INT64_MIN;
    return number < 0 ? -(int64_t)size : (int64_t)size;
}

/* The slot of a value, or the empty slot for it. */
static size_t find_cell(const struct cell *cells, size_t mask, int64_t value)
{
    uint64_t x = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(x ^ x >> 32) & mask;
    while (cells[i].count && cells[i].value != value)
        i = (i + 1) & mask;
    return i;
}

static bool rebuild(struct tr_hist *h, size_t n_slots)
{
    struct cell *cells = calloc(n_slots, sizeof *cells);
    if (!cells)
        return false;
    size_t used = 0, n = h->sealed ? h->used : h->mask + 1;
    for (size_t i = 0; i < n; i++) {
        if (h->cells[i].count == 0)
            continue;
        int64_t value = h->approx ? coarse(h->cells[i].value) : h->cells[i].value;
        size_t at = find_cell(cells, n_slots - 1, value);
        used += cells[at].count == 0;
        cells[at].value = value;
        cells[at].count += h->cells[i].count;
    }
    free(h->cells);
    h->cells = cells;
    h->mask = n_slots - 1;
    h->used = used;
    h->sealed = false;
    return true;
}

bool tr_hist_add(struct tr_hist *h, int64_t value, uint64_t count)
{
    if (count == 0)
        return true;
    if (h->sealed && !rebuild(h, h->mask + 1))
        return false;
    if (h->approx)
        value = coarse(value);
    size_t at = find_cell(h->cells, h->mask, value);
    if (h->cells[at].count == 0) {
        bool full = h->limit && !h->approx && h->used >= h->limit;
        if (full || h->used * 2 > h->mask) {
            h->approx |= full;
            if (!rebuild(h, full ? h->mask + 1 : (h->mask + 1) * 2)) {
                h->approx &= !full;
                return false;
            }
            return tr_hist_add(h, value, count);
        }
        h->used++;
        h->cells[at].value = value;
    }
    h->cells[at].count += count;
    h->count += count;
    return true;
}

bool tr_hist_merge(struct tr_hist *h, const struct tr_hist *from)
{
    size_t n = from->sealed ? from->used : from->mask + 1;
    for (size_t i = 0; i < n; i++)
        if (!tr_hist_add(h, from->cells[i].value, from->cells[i].count))
            return false;
    return !from->approx || tr_hist_coarsen(h);
}

bool tr_hist_coarsen(struct tr_hist *h)
{
    if (h->approx)
        return true;
    h->approx = true;
    return rebuild(h, h->mask + 1);
}

uint64_t tr_hist_count(const struct tr_hist *h)
{
    return h->count;
}

bool tr_hist_approx(const struct tr_hist *h)
{
    return h->approx;
}

size_t tr_hist_bytes(const struct tr_hist *h)
{
    return sizeof *h + (h->mask + 1) * sizeof *h->cells;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = ((const struct cell *)a)->value, y = ((const struct cell *)b)->value;
    return (x > y) - (x < y);
}

void tr_hist_seal(struct tr_hist *h)
{
    size_t n = 0;
    if (h->sealed)
        return;
    for (size_t i = 0; i <= h->mask; i++)
        if (h->cells[i].count)
            h->cells[n++] = h->cells[i];
    qsort(h->cells, n, sizeof *h->cells, by_value);
    h->sealed = true;
}

bool tr_hist_next(const struct tr_hist *h, size_t *at, int64_t *value, uint64_t *count)
{
    if (*at >= h->used)
        return false;
    *value = h->cells[*at].value;
    *count = h->cells[(*at)++].count;
    return true;
}

double tr_hist_quantile(const struct tr_hist *h, uint64_t num, uint64_t den)
{
    if (h->count == 0)
        return NAN;
    /* (count - 1) * num / den without overflow, as rank and remainder */
    uint64_t last = h->count - 1;
    uint64_t rank = last / den * num + last % den * num / den;
    uint64_t rest = last % den * num % den;
    size_t i = 0;
    uint64_t before = 0; /* values in cells below i */
    while (before + h->cells[i].count <= rank)
        before += h->cells[i++].count;
    int64_t low = h->cells[i].value;
    if (rest == 0 || rank + 1 < before + h->cells[i].count)
        return (double)low;
    uint64_t gap = (uint64_t)h->cells[i + 1].value - (uint64_t)low;
    return (double)low + (double)gap * ((double)rest / (double)den);
}
