/* SPDX-License-Identifier: MIT */
/*
 * Fixed columns are gathered by the numbers of the events that are kept.  Which entries of a packed
 * column are kept follows from two bitmaps over the events, 64 at a time: who has an entry, and who
 * is kept.  Columns that the same shapes have share the result.
 */
#include "stream/tr_batch_select.h"

#include "base/tr_mem.h"
#include "base/tr_wide_int.h"
#include "stream/tr_format.h"
#include "stream/tr_layout_int.h"

#include <stdlib.h>
#include <string.h>

#define N_LISTS 64u /* results that are kept for other columns of the same shapes */

struct list {
    uint64_t shapes;
    uint8_t flag;
    uint32_t *entry; /* those to keep, from 0 */
    size_t n, cap;
};

struct tr_selector {
    struct tr__layout layout;
    uint64_t *kept; /* bitmap: event is kept */
    size_t cap_kept;
    struct list lists[N_LISTS], other;
    size_t n_lists;
    size_t *at;
    size_t cap_at;
};

struct tr_selector *tr_selector_new(void)
{
    return calloc(1, sizeof(struct tr_selector));
}

void tr_selector_free(struct tr_selector *s)
{
    if (!s)
        return;
    tr__layout_free(&s->layout);
    for (size_t i = 0; i < N_LISTS; i++)
        free(s->lists[i].entry);
    free(s->other.entry);
    free(s->kept);
    free(s->at);
    free(s);
}

/* ---- fixed columns ---- */

#define ROOM 8u /* events that are written after the kept ones */

/* Apply to each fixed column. */
#define EACH_FIXED(DO) \
    DO(ts);            \
    DO(dur);           \
    DO(record);        \
    DO(track);         \
    DO(shape);         \
    DO(name);          \
    DO(cat);           \
    DO(phase);         \
    DO(activity);      \
    DO(kind);          \
    DO(suspect);       \
    DO(flags)

#define COPY_ONE(column) out->column[n] = in->column[i]
#define COPY_EIGHT(column) memcpy(out->column + n, in->column + i, 8 * sizeof *in->column)
#define COPY_MIXED(column)              \
    for (unsigned k = 0; k < 8; k++)    \
    out->column[n + k] = in->column[index[k]]
#define COPY_LISTED(column) gather(out->column + n, in->column + from, sizeof *in->column, index, stay)

/*
 * Eight events at a time: in most cases, all of them or none of them are kept.  In other cases, eight entries are
 * written, too, start with the kept events.  So there is no branch for each event; out has room for eight.
 */
static void copy_many(const struct tr_batch *in, const uint8_t *mask, size_t from, size_t to, struct tr_batch *out)
{
    static const uint8_t none[8] = { 0 }, all[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    size_t n = out->n, i = from;
    for (; to - i >= 8; i += 8) {
        if (!memcmp(mask + i, none, 8))
            continue;
        if (!memcmp(mask + i, all, 8)) {
            EACH_FIXED(COPY_EIGHT);
            n += 8;
            continue;
        }
        size_t index[8], stay = 0;
        for (size_t k = 0; k < 8; k++) {
            index[k] = i; /* until it is known better */
            index[stay] = i + k;
            stay += mask[i + k];
        }
        EACH_FIXED(COPY_MIXED);
        n += stay;
    }
    for (; i < to; n += mask[i++]) {
        EACH_FIXED(COPY_ONE);
    }
    out->n = n;
}

#define PIECE 512u /* events of which the kept ones are counted at a time */

/* Four entries at a time, so up to three are written after the n that count; index has them, too. */
static inline void gather(void *restrict to, const void *restrict from, size_t size, const uint16_t *index, size_t n)
{
    for (size_t i = 0; i < n; i += 4)
        for (size_t k = i; k < i + 4; k++)
            if (size == 8)
                ((uint64_t *)to)[k] = ((const uint64_t *)from)[index[k]];
            else if (size == 4)
                ((uint32_t *)to)[k] = ((const uint32_t *)from)[index[k]];
            else
                ((uint8_t *)to)[k] = ((const uint8_t *)from)[index[k]];
}

/* Few of at most PIECE events are kept: they are listed, and the list is used for each column. */
static void copy_few(const struct tr_batch *in, const uint8_t *mask, size_t from, size_t to, struct tr_batch *out)
{
    uint16_t index[PIECE + 4];
    size_t n = out->n, stay = 0;
    for (size_t i = from; i < to; i++) {
        index[stay] = (uint16_t)(i - from);
        stay += mask[i];
    }
    memset(index + stay, 0, 4 * sizeof *index);
    EACH_FIXED(COPY_LISTED);
    out->n = n + stay;
}

static void copy_fixed(const struct tr_batch *in, const uint8_t *mask, size_t from, size_t to, struct tr_batch *out)
{
    for (size_t end; from < to; from = end) {
        size_t kept = 0;
        end = to - from < PIECE ? to : from + PIECE;
        for (size_t i = from; i < end; i++)
            kept += mask[i];
        if (kept > (end - from) / 2)
            copy_many(in, mask, from, end, out);
        else if (kept)
            copy_few(in, mask, from, end, out);
    }
}

/* ---- bitmaps ---- */

static size_t words_for(size_t n)
{
    return (n + 63) / 64;
}

TR_WIDE_PART uint32_t count_bits(uint64_t v)
{
    v -= v >> 1 & 0x5555555555555555u;
    v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)((v * 0x0101010101010101u) >> 56);
}

/*
 * The entries to keep, given who has one and who is kept: the number of an entry is the number of those
 * that have one before it.
 */
TR_WIDE
static size_t list_entries(const uint64_t *has, const uint64_t *kept, size_t n_words,
                           uint32_t *entry)
{
    size_t n = 0;
    uint32_t at = 0;
    for (size_t w = 0; w < n_words; w++) {
        uint64_t all = has[w], keep = all & kept[w];
        uint32_t end = at + count_bits(all);
        if (keep == all)
            while (at < end)
                entry[n++] = at++;
        for (; at < end && keep; keep &= keep - 1)
            entry[n++] = at + count_bits(all & ((keep & (0 - keep)) - 1));
        at = end;
    }
    return n;
}

/* ---- packed columns ---- */

/* The entries of a column that are kept; NULL: out of memory. */
static const struct list *entries_of(struct tr_selector *s, const struct tr__present *p)
{
    if (!p->many)
        for (size_t i = 0; i < s->n_lists; i++)
            if (s->lists[i].shapes == p->shapes && s->lists[i].flag == p->flag)
                return &s->lists[i];
    bool share = !p->many && s->n_lists < N_LISTS;
    struct list *l = share ? &s->lists[s->n_lists] : &s->other;
    const uint64_t *has = tr__layout_bits(&s->layout, p);
    if (!has || !tr_grow(&l->entry, &l->cap, p->n + 1, sizeof *l->entry))
        return NULL;
    l->shapes = p->shapes;
    l->flag = p->flag;
    l->n = list_entries(has, s->kept, words_for(s->layout.n), l->entry);
    s->n_lists += share;
    return l;
}

/* "restrict": otherwise, the list would be read again after each entry. */
static void gather_strings(uint32_t *restrict to, const uint32_t *from,
                           const uint32_t *restrict entry, size_t n)
{
    for (size_t k = 0; k < n; k++)
        to[k] = from[entry[k]];
}

static void gather_numbers(int64_t *restrict to, const int64_t *from,
                           const uint32_t *restrict entry, size_t n)
{
    for (size_t k = 0; k < n; k++)
        to[k] = from[entry[k]];
}

static enum tr_status copy_column(struct tr_selector *s, const struct tr_batch *in,
                                  const struct tr__present *p, size_t *at, struct tr_batch *out,
                                  struct tr_error *err)
{
    if (p->column >= in->n_cols || in->cols[p->column].n < *at + p->n)
        return tr_fail(err, TR_DAMAGED, "column '%.80s' ends before its events do",
                       tr_dict_str(in->dict, in->dict->columns[p->column].key));
    const struct tr_col *from = &in->cols[p->column];
    struct tr_col *to = &out->cols[p->column];
    const struct list *l = entries_of(s, p);
    if (!l || !tr_col_reserve(to, to->n + l->n, in->dict->columns[p->column].type))
        return tr_fail_memory(err);
    if (l->n == 0)
        ; /* the columns may have no memory yet */
    else if (p->elem == 4)
        gather_strings(to->v.str + to->n, from->v.str + *at, l->entry, l->n);
    else
        gather_numbers(to->v.i64 + to->n, from->v.i64 + *at, l->entry, l->n);
    to->n += l->n;
    *at += p->n;
    return TR_OK;
}

static enum tr_status copy_piece(struct tr_selector *s, const struct tr_batch *in,
                                 const uint8_t *mask, size_t from, size_t to, size_t *at,
                                 struct tr_batch *out, struct tr_error *err)
{
    struct tr__layout *l = &s->layout;
    enum tr_status st = tr__layout_make(l, in->dict, in->shape + from, in->flags + from, to - from,
                                        SIZE_MAX, err);
    if (st != TR_OK)
        return st;
    s->n_lists = 0;
    if (!tr_grow(&s->kept, &s->cap_kept, words_for(l->n), sizeof *s->kept) ||
        !tr_batch_reserve(out, out->n + (to - from) + ROOM))
        return tr_fail_memory(err);
    tr__bits_of_bytes(mask + from, 1, l->n, s->kept);
    copy_fixed(in, mask, from, to, out);
    for (size_t i = 0; i < l->n_present && st == TR_OK; i++)
        st = copy_column(s, in, &l->present[i], &at[l->present[i].column], out, err);
    return st;
}

enum tr_status tr_batch_select_range(struct tr_selector *s, const struct tr_batch *in,
                                     const uint8_t *mask, size_t from, size_t to, size_t *at,
                                     struct tr_batch *out, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!tr_batch_reserve_cols(out, in->dict->n_columns))
        return tr_fail_memory(err);
    for (size_t end; from < to && st == TR_OK; from = end) {
        end = to - from < TR_MAX_EVENTS ? to : from + TR_MAX_EVENTS;
        st = copy_piece(s, in, mask, from, end, at, out, err);
    }
    return st;
}

/* The frames, which most batches do not have. */
static bool copy_frames(const struct tr_batch *in, const uint8_t *mask, struct tr_batch *out)
{
    size_t n = 0;
    if (!in->frame) {
        free(out->frame);
        out->frame = NULL;
        out->cap_frame = 0;
        return true;
    }
    if (!tr_grow(&out->frame, &out->cap_frame, out->n + 1, sizeof *out->frame))
        return false;
    for (size_t i = 0; i < in->n; i++)
        if (mask[i])
            out->frame[n++] = in->frame[i];
    return true;
}

enum tr_status tr_batch_select(struct tr_selector *s, const struct tr_batch *in,
                               const uint8_t *mask, struct tr_batch *out, struct tr_error *err)
{
    size_t n_columns = in->dict->n_columns;
    tr_batch_clear(out);
    out->dict = in->dict;
    if (!tr_grow(&s->at, &s->cap_at, n_columns, sizeof *s->at))
        return tr_fail_memory(err);
    memset(s->at, 0, n_columns * sizeof *s->at);
    enum tr_status st = tr_batch_select_range(s, in, mask, 0, in->n, s->at, out, err);
    return st == TR_OK && !copy_frames(in, mask, out) ? tr_fail_memory(err) : st;
}
