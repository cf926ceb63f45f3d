/* SPDX-License-Identifier: MIT */
/* Which events of a run have an entry in which packed column. */
#include "stream/tr_layout_int.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "base/tr_wide_int.h"
#include "stream/tr_batch.h"
#include "stream/tr_format.h"
#include "stream/tr_wire_int.h"

#include <stdlib.h>
#include <string.h>

void tr__layout_free(struct tr__layout *l)
{
    free(l->local);
    free(l->local_shape);
    free(l->local_n);
    free(l->present);
    free(l->of_shape);
    free(l->of_column);
    for (size_t i = 0; i < sizeof l->lists / sizeof *l->lists; i++)
        free(l->lists[i].event);
    free(l->other);
    free(l->many);
    free(l->has);
    free(l->maps);
    free(l->bits);
    memset(l, 0, sizeof *l);
}

uint8_t tr__column_elem(const struct tr_column *c)
{
    return tr_type_is_string(c->type) ? 4 : 8;
}

uint8_t tr__column_reference(const struct tr_dict *d, uint32_t column)
{
    if (column == TR_COL_LAUNCH_TRACK)
        return TR_REF_TRACK;
    if (column == TR_COL_LAUNCH_RECORD || column == TR_COL_END_RECORD)
        return TR_REF_RECORD;
    return tr_type_is_string(d->columns[column].type) ? TR_REF_STRING : TR_REF_NONE;
}

/* With four tables, since an addition to the same counter would wait for the one before it. */
void tr__count_bytes(const uint8_t *v, size_t n, uint32_t count[256])
{
    uint32_t part[4][256] = { { 0 } };
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (unsigned k = 0; k < 4; k++)
            part[k][v[i + k]]++;
    for (; i < n; i++)
        part[0][v[i]]++;
    for (unsigned b = 0; b < 256; b++)
        count[b] = part[0][b] + part[1][b] + part[2][b] + part[3][b];
}

/* Grow an array; new elements are zero. */
static bool grow_zeroed(uint32_t **a, size_t *cap, size_t n)
{
    size_t before = *cap;
    if (!tr_grow(a, cap, n, sizeof **a))
        return false;
    memset(*a + before, 0, (*cap - before) * sizeof **a);
    return true;
}

static void forget(struct tr__layout *l)
{
    for (size_t i = 0; i < l->n_local; i++)
        l->of_shape[l->local_shape[i]] = 0;
    for (size_t i = 0; i < l->n_present; i++)
        l->of_column[l->present[i].column] = 0;
    l->n_local = l->n_present = l->n_lists = l->n_many = 0;
    l->have_maps = false;
}

/* A number for a shape that has none yet.  0: out of memory. */
static uint32_t number_shape(struct tr__layout *l, uint32_t s)
{
    if (!tr_grow(&l->local_shape, &l->cap_local_shape, l->n_local + 1, sizeof *l->local_shape) ||
        !tr_grow(&l->local_n, &l->cap_local_n, l->n_local + 1, sizeof *l->local_n))
        return 0;
    l->local_shape[l->n_local] = s;
    l->local_n[l->n_local] = 0;
    return l->of_shape[s] = (uint32_t)++l->n_local;
}

/* Number the shapes of the run in the order of their first event, and count their events. */
static bool number_shapes(struct tr__layout *l)
{
    const uint32_t *shape = l->shape, *of_shape = l->of_shape;
    uint16_t *local = l->local;
    uint32_t *count = l->local_n;
    for (size_t i = 0, n = l->n; i < n; i++) {
        uint32_t k = of_shape[shape[i]];
        if (!k) {
            if (!(k = number_shape(l, shape[i])))
                return false;
            count = l->local_n;
        }
        local[i] = (uint16_t)(k - 1);
        count[k - 1]++;
    }
    return true;
}

/* The row of a column, made if it is new; NULL: out of memory. */
static struct tr__present *row_of(struct tr__layout *l, const struct tr_dict *d, uint32_t column)
{
    uint32_t k = l->of_column[column];
    if (!k) {
        if (!tr_grow(&l->present, &l->cap_present, l->n_present + 1, sizeof *l->present))
            return NULL;
        l->present[l->n_present] = (struct tr__present){
            .column = column,
            .elem = tr__column_elem(&d->columns[column]),
            .reference = tr__column_reference(d, column),
        };
        l->of_column[column] = k = (uint32_t)++l->n_present;
    }
    return &l->present[k - 1];
}

static int by_column(const void *a, const void *b)
{
    uint32_t x = ((const struct tr__present *)a)->column,
             y = ((const struct tr__present *)b)->column;
    return x < y ? -1 : x > y;
}

static bool add_many(struct tr__layout *l, struct tr__present *p, size_t local)
{
    if (!tr_grow(&l->many, &l->cap_many, l->n_many + 1, sizeof *l->many))
        return false;
    l->many[l->n_many++] = (struct tr__layout_pair){ p->column, (uint16_t)local };
    p->many = true;
    return true;
}

static enum tr_status too_large(size_t max_bytes, struct tr_error *err)
{
    return tr_fail(err, TR_DAMAGED, "more than %zu bytes or %u columns in one block", max_bytes,
                   TR_MAX_SLOTS);
}

/* Add the columns of local shape i; *bytes grows by their entries. */
static enum tr_status add_shape(struct tr__layout *l, const struct tr_dict *d, size_t i,
                                size_t *bytes, size_t max_bytes, struct tr_error *err)
{
    const struct tr_shape *s = &d->shapes[l->local_shape[i]];
    for (uint32_t k = 0; k < s->n_slots; k++) {
        uint32_t column = s->slots[k].column;
        if (column == UINT32_MAX)
            continue;
        struct tr__present *p = row_of(l, d, column);
        if (!p || (i >= 64 && !add_many(l, p, i)))
            return tr_fail_memory(err);
        p->n += l->local_n[i];
        if (i < 64)
            p->shapes |= (uint64_t)1 << i;
        *bytes += (size_t)l->local_n[i] * p->elem;
        if (*bytes > max_bytes || l->n_present > TR_MAX_SLOTS)
            return too_large(max_bytes, err);
    }
    return TR_OK;
}

static enum tr_status add_derived(struct tr__layout *l, const struct tr_dict *d, size_t *bytes,
                                  struct tr_error *err)
{
    uint32_t count[256];
    tr__count_bytes(l->flags, l->n, count);
    for (uint32_t c = 0; c < TR_N_DERIVED; c++) {
        uint8_t flag = d->columns[c].flag;
        uint32_t n = 0;
        for (unsigned f = 0; f < 256; f++)
            n += f & flag ? count[f] : 0;
        if (!n)
            continue;
        struct tr__present *p = row_of(l, d, c);
        if (!p)
            return tr_fail_memory(err);
        p->n = n;
        p->flag = flag;
        *bytes += (size_t)n * p->elem;
    }
    return TR_OK;
}

TR_ORDER(by_pair, struct tr__layout_pair, TR_UP(column), TR_UP(local))

enum tr_status tr__layout_make(struct tr__layout *l, const struct tr_dict *dict,
                               const uint32_t *shape, const uint8_t *flags, size_t n,
                               size_t max_bytes, struct tr_error *err)
{
    forget(l);
    l->n = n;
    l->shape = shape;
    l->flags = flags;
    if (!grow_zeroed(&l->of_column, &l->cap_of_column, dict->n_columns))
        return tr_fail_memory(err);
    if (shape && (!tr_grow(&l->local, &l->cap_local, n, sizeof *l->local) ||
                  !grow_zeroed(&l->of_shape, &l->cap_of_shape, dict->n_shapes) || !number_shapes(l)))
        return tr_fail_memory(err);
    size_t bytes = 0;
    enum tr_status st = add_derived(l, dict, &bytes, err);
    for (size_t i = 0; i < l->n_local && st == TR_OK; i++)
        st = add_shape(l, dict, i, &bytes, max_bytes, err);
    if (st != TR_OK)
        return st;
    if (l->n_present)
        qsort(l->present, l->n_present, sizeof *l->present, by_column);
    for (size_t i = 0; i < l->n_present; i++)
        l->of_column[l->present[i].column] = (uint32_t)i + 1;
    if (l->n_many)
        qsort(l->many, l->n_many, sizeof *l->many, by_pair);
    return TR_OK;
}

enum tr_status tr__layout_count(struct tr__layout *l, const struct tr_batch *b, size_t max_bytes,
                                struct tr_error *err)
{
    size_t bytes = 0;
    forget(l);
    l->n = b->n;
    if (!grow_zeroed(&l->of_column, &l->cap_of_column, b->dict->n_columns))
        return tr_fail_memory(err);
    for (size_t c = 0; c < b->n_cols; c++) {
        if (!b->cols[c].n)
            continue;
        struct tr__present *p = row_of(l, b->dict, (uint32_t)c);
        if (!p)
            return tr_fail_memory(err);
        p->n = (uint32_t)b->cols[c].n;
        bytes += b->cols[c].n * p->elem;
        if (bytes > max_bytes || l->n_present > TR_MAX_SLOTS)
            return too_large(max_bytes, err);
    }
    return TR_OK;
}

/* ---- which events have an entry ---- */

#define MAPS_MAX 64u /* local shapes with a bitmap; the events of others are examined one by one */

static size_t words_for(size_t n)
{
    return (n + 63) / 64;
}

/* A bitmap of the events of each local shape.  False: out of memory. */
static bool make_maps(struct tr__layout *l)
{
    size_t n_words = words_for(l->n), n_maps = l->n_local < MAPS_MAX ? l->n_local : MAPS_MAX;
    if (l->have_maps)
        return true;
    if (!tr_grow(&l->maps, &l->cap_maps, n_maps * n_words + 1, sizeof *l->maps))
        return false;
    const uint16_t *local = l->local;
    uint64_t *maps = l->maps;
    memset(maps, 0, n_maps * n_words * sizeof *maps);
    for (size_t i = 0, n = l->n; i < n; i++)
        if (local[i] < MAPS_MAX)
            maps[local[i] * n_words + i / 64] |= (uint64_t)1 << (i % 64);
    l->have_maps = true;
    return true;
}

/* Fill in l->has for a column.  False: out of memory. */
static bool mark_shapes(struct tr__layout *l, const struct tr__present *p)
{
    if (!tr_grow(&l->has, &l->cap_has, l->n_local, 1))
        return false;
    for (size_t i = 0; i < l->n_local; i++)
        l->has[i] = i < 64 && p->shapes >> i & 1;
    size_t low = 0; /* the first pair of the column */
    TR_BOUND(low, l->n_many, mid, l->many[mid].column < p->column);
    for (; low < l->n_many && l->many[low].column == p->column; low++)
        l->has[l->many[low].local] = 1;
    return true;
}

void tr__bits_of_bytes(const uint8_t *v, uint8_t mask, size_t n, uint64_t *bits)
{
    unsigned shift = 0;
    size_t i = 0;
    while (mask >> shift > 1)
        shift++;
    memset(bits, 0, words_for(n) * sizeof *bits);
    for (; i + 8 <= n; i += 8) /* the multiplication moves eight bits to the top byte */
        bits[i / 64] |= ((tr__get64(v + i) >> shift & 0x0101010101010101u) * 0x0102040810204080u) >> 56 << (i % 64);
    for (; i < n; i++)
        bits[i / 64] |= (uint64_t)(v[i] >> shift & 1) << (i % 64);
}

TR_WIDE
static void add_bits(uint64_t *restrict to, const uint64_t *from, size_t n_words)
{
    for (size_t w = 0; w < n_words; w++)
        to[w] |= from[w];
}

const uint64_t *tr__layout_bits(struct tr__layout *l, const struct tr__present *p)
{
    size_t n_words = words_for(l->n);
    if (!tr_grow(&l->bits, &l->cap_bits, n_words + 1, sizeof *l->bits))
        return NULL;
    if (p->flag) {
        tr__bits_of_bytes(l->flags, p->flag, l->n, l->bits);
        return l->bits;
    }
    memset(l->bits, 0, n_words * sizeof *l->bits);
    if (p->many) {
        if (!mark_shapes(l, p))
            return NULL;
        for (size_t i = 0; i < l->n; i++)
            l->bits[i / 64] |= (uint64_t)l->has[l->local[i]] << (i % 64);
        return l->bits;
    }
    if (!make_maps(l))
        return NULL;
    const uint64_t *map = l->maps;
    for (uint64_t left = p->shapes; left; left >>= 1, map += n_words)
        if (left & 1)
            add_bits(l->bits, map, n_words);
    return l->bits;
}

/* The numbers of the bits that are set. */
static void list_bits(const uint64_t *bits, size_t n_words, uint16_t *event)
{
    for (size_t w = 0; w < n_words; w++)
        for (uint64_t left = bits[w]; left; left &= left - 1)
            *event++ = (uint16_t)(w * 64 + tr__lowest_bit(left));
}

const uint16_t *tr__layout_events(struct tr__layout *l, const struct tr__present *p)
{
    if (!p->many) {
        for (size_t i = 0; i < l->n_lists; i++)
            if (l->lists[i].shapes == p->shapes && l->lists[i].flag == p->flag)
                return l->lists[i].event;
    }
    bool keep = !p->many && l->n_lists < sizeof l->lists / sizeof *l->lists;
    struct tr__layout_list *list = &l->lists[keep ? l->n_lists : 0];
    uint16_t **event = keep ? &list->event : &l->other;
    const uint64_t *bits = tr__layout_bits(l, p);
    if (!bits || !tr_grow(event, keep ? &list->cap : &l->cap_other, p->n + 1, sizeof **event))
        return NULL;
    list_bits(bits, words_for(l->n), *event);
    if (keep) {
        list->shapes = p->shapes;
        list->flag = p->flag;
        l->n_lists++;
    }
    return *event;
}
