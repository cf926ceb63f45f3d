/* SPDX-License-Identifier: MIT */
/* Rows of groups: found by key, ordered, cut and printed. */
#include "engine/tr_rows_int.h"

#include "base/tr_mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool starts_empty(const struct tr_table_column *is)
{
    switch (is->member) {
    case TR_MEMBER_SAMPLE:
    case TR_MEMBER_STATS:
    case TR_MEMBER_OWN:
    case TR_MEMBER_REAL:
        return true;
    case TR_MEMBER_I64:
        return is->role == TR_ROLE_MIN || is->role == TR_ROLE_MAX || is->role == TR_ROLE_TIME;
    default:
        return false;
    }
}

/* Each member once.  A type with more of them than can be saved has no rows. */
static void find_start(const struct tr_row_type *type, struct tr__row_start *start)
{
    for (size_t c = 0; c < type->n_columns; c++) {
        const struct tr_table_column *is = &type->columns[c];
        size_t k = 0;
        while (k < start->n && start->is[k]->at != is->at)
            k++;
        start->samples |= is->member == TR_MEMBER_SAMPLE;
        if (is->at >= type->key_size && starts_empty(is) && k == start->n && k < TR_SAVED_MAX)
            start->is[start->n++] = is;
    }
}

struct tr_rows *tr_rows_new(const struct tr_row_type *type, const struct tr_analysis_in *in, struct tr_group_by *groups,
                            bool sums_only)
{
    struct tr_rows *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->type = type;
    r->at.size = type->size;
    find_start(type, &r->start);
    r->dict = in->dict;
    r->groups = groups;
    r->distinct = sums_only ? TR_SAMPLE_SUMS : in->distinct ? in->distinct : type->distinct;
    r->max_memory = in->rows_memory;
    r->temp_dir = in->temp_dir;
    r->at.in.spill = r->index.spill = tr_strtab_spill(in->dict->strings); /* where the names are */
    return r;
}

void tr__row_free(const struct tr_row_type *type, void *row)
{
    for (size_t c = 0; c < type->n_columns; c++)
        if (type->columns[c].member == TR_MEMBER_SAMPLE)
            tr_sample_free((struct tr_sample *)(void *)((char *)row + type->columns[c].at));
}

struct tr_rows *tr_rows_first(void *state)
{
    return *(struct tr_rows **)state;
}

static bool has_percentiles(const struct tr_row_type *type)
{
    for (size_t k = 0; k < type->n_columns; k++)
        if (type->columns[k].percent)
            return true;
    return false;
}

enum tr_status tr_grouped_start(struct tr_grouped *g, const struct tr_row_type *type, const struct tr_analysis_in *in,
                                unsigned activities, struct tr_error *err)
{
    struct tr_group_by_opts work = in->work;
    work.activities = activities ? activities : work.activities;
    if (!(g->rows = tr_rows_new(type, in, &g->work, !has_percentiles(type))))
        return tr_fail_memory(err);
    return tr_group_by_init(&g->work, &work, in->dict, in->summary, in->sorted, in->select, err);
}

void tr_grouped_free(void *state)
{
    struct tr_grouped *g = state;
    tr_rows_free(g->rows);
    tr_group_by_free(&g->work);
}

enum tr_status tr_grouped_feed(void *state, const struct tr_batch *b, const uint8_t *keep, tr_grouped_add *add,
                               struct tr_error *err)
{
    struct tr_grouped *g = state;
    struct tr_group_by_item item;
    enum tr_status st = tr_group_by_batch(&g->work, b, keep, err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++)
        if (tr_group_by_counts(&g->work, i) && b->dur[i] != TR_TIME_NONE &&
            !(tr_group_by_item(&g->work, i, &item) && add(state, b, i, &item)))
            st = tr_fail_memory(err);
    return st;
}

void tr_rows_free(struct tr_rows *r)
{
    if (!r)
        return;
    for (size_t i = 0; r->start.samples && i < r->n; i++)
        tr__row_free(r->type, tr_rows_get(r, i));
    tr_spilling_free(&r->at.in, r->at.rows);
    tr_hash_index_free(&r->index);
    for (size_t i = 0; i < TR__ROW_ROOMS; i++)
        tr_buf_free(&r->room[i]);
    free(r);
}

void tr_rows_owner(struct tr_rows *r, void *self)
{
    r->self = self;
}

void tr_rows_skip(struct tr_rows *r, bool (*skip)(void *self, const void *row), void *self)
{
    r->skip = skip;
    r->skip_self = self;
}

/* ---- finding ---- */

size_t tr_rows_count(const struct tr_rows *r)
{
    return r->n;
}

size_t tr_rows_number(const struct tr_rows *r, const void *row)
{
    size_t at = (size_t)((const char *)row - r->at.rows);
    return at == r->last * r->type->size ? r->last : at / r->type->size;
}

const struct tr_group_key *tr_rows_group(const struct tr_rows *r, const void *row)
{
    return &r->groups->groups[*(const uint32_t *)row];
}

void tr__row_init(const struct tr_rows *r, void *row, const void *key)
{
    memset(row, 0, r->type->size);
    memcpy(row, key, r->type->key_size);
    for (size_t k = 0; k < r->start.n; k++) {
        const struct tr_table_column *is = r->start.is[k];
        void *at = (char *)row + is->at;
        if (is->member == TR_MEMBER_SAMPLE)
            tr_sample_init(at, r->distinct);
        else if (is->member == TR_MEMBER_STATS)
            *(struct tr_stats *)at = (struct tr_stats)TR_STATS_INIT;
        else if (is->member == TR_MEMBER_OWN)
            *(uint32_t *)at = UINT32_MAX;
        else if (is->member == TR_MEMBER_REAL)
            *(double *)at = NAN;
        else
            *(int64_t *)at = TR_I64_NONE;
    }
}

static uint64_t hash_of(const void *key, size_t n)
{
    uint64_t a = 0, b = 0;
    if (n > 16)
        return tr_hash(key, n);
    if (n == 16) {
        a = tr_load64(key);
        b = tr_load64((const char *)key + 8);
    } else {
        memcpy(&a, key, n < 8 ? n : 8);
        if (n > 8)
            memcpy(&b, (const char *)key + 8, n - 8);
    }
    return tr_mix64(a ^ 0xa0761d6478bd642fu, b + 0x9e3779b97f4a7c15u);
}

static inline bool same_key(const char *a, const char *b, size_t n)
{
    if (n == 16) /* the most frequent */
        return tr_load64(a) == tr_load64(b) && tr_load64(a + 8) == tr_load64(b + 8);
    return tr_same_bytes(a, b, n);
}

void *tr_rows_at(struct tr_rows *r, const void *key)
{
    const struct tr_row_type *type = r->type;
    tr_spilling_touched(&r->at.in);
    if (r->n && same_key(r->at.rows + r->last * type->size, key, type->key_size))
        return r->at.rows + r->last * type->size;
    uint64_t hash = hash_of(key, type->key_size);
    struct tr_hash_walk walk = tr_hash_index_walk(&r->index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;)
        if (same_key(r->at.rows + i * type->size, key, type->key_size))
            return r->at.rows + (r->last = i) * type->size;
    if (r->n >= UINT32_MAX - 1 || !tr_spilling_grow(&r->at.in, &r->at.rows, &r->cap, r->n + 1, type->size) ||
        !tr_hash_index_add(&r->index, hash, (uint32_t)r->n))
        return NULL;
    r->last = r->n++;
    void *row = r->at.rows + r->last * type->size;
    tr__row_init(r, row, key);
    return row;
}

bool tr_rows_add(struct tr_rows *r, const void *row)
{
    tr_spilling_touched(&r->at.in);
    if (r->n >= UINT32_MAX - 1 || !tr_spilling_grow(&r->at.in, &r->at.rows, &r->cap, r->n + 1, r->type->size))
        return false;
    memcpy(r->at.rows + r->n++ * r->type->size, row, r->type->size);
    return true;
}

/* ---- members as values ---- */

const struct tr_table_column *tr__row_column(const struct tr_row_type *type, const char *name, size_t len)
{
    for (size_t c = 0; c < type->n_columns; c++)
        if (strlen(type->columns[c].name) == len && memcmp(type->columns[c].name, name, len) == 0)
            return &type->columns[c];
    return NULL;
}

static int64_t of_stats(const struct tr_stats *s, enum tr_column_role role)
{
    switch (role) {
    case TR_ROLE_COUNT:
        return s->n <= INT64_MAX ? (int64_t)s->n : TR_I64_NONE;
    case TR_ROLE_MIN:
        return s->n ? s->min : TR_I64_NONE;
    case TR_ROLE_MAX:
        return s->n ? s->max : TR_I64_NONE;
    default:
        return tr_stats_sum(s);
    }
}

/* An integer member; TR_I64_NONE: absent, or it does not fit. */
int64_t tr__row_integer(const void *row, const struct tr_table_column *is)
{
    const void *at = (const char *)row + is->at;
    switch (is->member) {
    case TR_MEMBER_I64:
        return *(const int64_t *)at;
    case TR_MEMBER_U64:
        return *(const uint64_t *)at <= INT64_MAX ? (int64_t) * (const uint64_t *)at : TR_I64_NONE;
    case TR_MEMBER_U32:
    case TR_MEMBER_OWN:
        return *(const uint32_t *)at;
    case TR_MEMBER_U8:
        return *(const uint8_t *)at;
    case TR_MEMBER_FLAG:
        return *(const bool *)at;
    case TR_MEMBER_STATS:
        return of_stats(at, is->role);
    case TR_MEMBER_SAMPLE:
        return of_stats(&((const struct tr_sample *)at)->stats, is->role);
    default:
        return TR_I64_NONE;
    }
}

bool tr__row_has_text(const struct tr_table_column *is)
{
    return is->member == TR_MEMBER_TEXT || is->member == TR_MEMBER_OWN ||
           (is->member == TR_MEMBER_U32 && !is->word && is->type == TR_CELL_STRING);
}

struct tr_str tr__row_text(const struct tr_rows *r, const void *row, const struct tr_table_column *is, unsigned room)
{
    const void *at = (const char *)row + is->at;
    struct tr_buf *own = (struct tr_buf *)&r->room[room % TR__ROW_ROOMS]; /* no part of the rows */
    struct tr_str text = tr_str_of(NULL);
    if (is->member == TR_MEMBER_TEXT) {
        text = *(const struct tr_str *)at;
    } else if (is->member == TR_MEMBER_U32) {
        text = tr_dict_text_if(r->dict, *(const uint32_t *)at);
    } else if (!r->type->own->text(r->self, is, row, own, &text)) {
        *(bool *)&r->failed = true;
        text = tr_str_of(NULL);
    }
    return text;
}

int tr__compare_texts(const struct tr_table_column *is, struct tr_str a, struct tr_str b)
{
    a = a.s ? a : tr_str_of(is->none);
    b = b.s ? b : tr_str_of(is->none);
    return !a.s || !b.s ? (a.s != NULL) - (b.s != NULL) : tr_str_cmp(a, b);
}

/* As numbers without sign, so that what does not fit is the largest; sums below 0 do not occur. */
static int compare_integers(int64_t a, int64_t b)
{
    if (a == TR_I64_NONE || b == TR_I64_NONE)
        return (a == TR_I64_NONE) - (b == TR_I64_NONE);
    return (a > b) - (a < b);
}

int tr__row_compare(const struct tr_rows *r, const struct tr_table_column *is, const void *a, const void *b)
{
    const struct tr_row_own *own = is->member == TR_MEMBER_OWN ? r->type->own : NULL;
    if (own && own->compare)
        return own->compare(r->self, is, a, b);
    if (tr__row_has_text(is))
        return tr__compare_texts(is, tr__row_text(r, a, is, 0), tr__row_text(r, b, is, 1));
    if (is->member == TR_MEMBER_REAL) {
        double x = *(const double *)(const void *)((const char *)a + is->at);
        double y = *(const double *)(const void *)((const char *)b + is->at);
        return isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
    }
    return compare_integers(tr__row_integer(a, is), tr__row_integer(b, is));
}

/* ---- combining ---- */

static bool absent(const struct tr_rows *r, const void *row, const struct tr_table_column *is)
{
    if (is->member == TR_MEMBER_OWN)
        return *(const uint32_t *)(const void *)((const char *)row + is->at) == UINT32_MAX;
    if (tr__row_has_text(is))
        return !tr__row_text(r, row, is, 0).s;
    return is->member == TR_MEMBER_I64 && tr__row_integer(row, is) == TR_I64_NONE;
}

static size_t size_of(enum tr_member member)
{
    switch (member) {
    case TR_MEMBER_TEXT:
        return sizeof(struct tr_str);
    case TR_MEMBER_U32:
    case TR_MEMBER_OWN:
        return sizeof(uint32_t);
    case TR_MEMBER_SUM:
        return sizeof(struct tr_u128);
    case TR_MEMBER_U8:
        return sizeof(uint8_t);
    case TR_MEMBER_FLAG:
        return sizeof(bool);
    default:
        return sizeof(int64_t);
    }
}

/* Of values that are not added up, the smallest is kept, or the largest: so the order of rows does not matter. */
static void keep_one(const struct tr_rows *r, const struct tr_table_column *is, void *to, const void *from)
{
    int order = tr__row_compare(r, is, from, to);
    if (absent(r, from, is) || !(absent(r, to, is) || (is->role == TR_ROLE_MAX ? order > 0 : order < 0)))
        return;
    memcpy((char *)to + is->at, (const char *)from + is->at, size_of(is->member));
}

static bool merge_member(const struct tr_rows *r, const struct tr_table_column *is, void *to, const void *from,
                         bool is_new)
{
    const void *p = (const char *)from + is->at;
    void *at = (char *)to + is->at;
    bool adds = is->role == TR_ROLE_SUM || is->role == TR_ROLE_COUNT || is->role == TR_ROLE_INCLUSIVE;
    if (is->member == TR_MEMBER_SAMPLE)
        return tr_sample_merge(at, p);
    if (is->member == TR_MEMBER_STATS) {
        tr_stats_merge(at, p);
    } else if (is_new) {
        memcpy(at, p, size_of(is->member));
    } else if (is->member == TR_MEMBER_SUM) {
        *(struct tr_u128 *)at = tr_u128_add(*(struct tr_u128 *)at, *(const struct tr_u128 *)p);
    } else if (is->member == TR_MEMBER_U64 && adds) {
        uint64_t more = *(const uint64_t *)p;
        *(uint64_t *)at = *(uint64_t *)at > UINT64_MAX - more ? UINT64_MAX : *(uint64_t *)at + more;
    } else if (is->member == TR_MEMBER_I64 && adds) {
        *(int64_t *)at = tr_time_sum(*(int64_t *)at, *(const int64_t *)p);
    } else {
        keep_one(r, is, to, from);
    }
    return true;
}

/* Is this the first column that reads its member, and the member no key? */
static bool is_figure(const struct tr_row_type *type, size_t c)
{
    const struct tr_table_column *is = &type->columns[c];
    if (!is->member || is->member == TR_MEMBER_GROUP || is->at < type->key_size)
        return false;
    for (size_t k = 0; k < c; k++)
        if (type->columns[k].member == is->member && type->columns[k].at == is->at)
            return false;
    return true;
}

static bool is_kept_with(const struct tr_table_column *is, const char *time)
{
    return is->kept && strcmp(is->kept, time) == 0;
}

/* Members that are kept with a time come from the earlier row, or, of one time, from the row with the smaller ones. */
static void keep_with_time(const struct tr_rows *r, const char *name, void *to, const void *from, bool is_new)
{
    const struct tr_row_type *type = r->type;
    const struct tr_table_column *time = tr__row_column(type, name, strlen(name));
    int order = is_new ? -1 : time ? tr__row_compare(r, time, from, to) : 0;
    for (size_t c = 0; !order && c < type->n_columns; c++)
        order = is_kept_with(&type->columns[c], name) ? tr__row_compare(r, &type->columns[c], from, to) : 0;
    for (size_t c = 0; order < 0 && c < type->n_columns; c++)
        if (is_kept_with(&type->columns[c], name))
            memcpy((char *)to + type->columns[c].at, (const char *)from + type->columns[c].at,
                   size_of(type->columns[c].member));
}

/* The same for each of the times. */
static void keep_with_times(const struct tr_rows *r, void *to, const void *from, bool is_new)
{
    const struct tr_row_type *type = r->type;
    for (size_t c = 0; c < type->n_columns; c++) {
        const char *time = type->columns[c].kept;
        bool first = time != NULL;
        for (size_t k = 0; first && k < c; k++)
            first = !is_kept_with(&type->columns[k], time);
        if (first)
            keep_with_time(r, time, to, from, is_new);
    }
}

bool tr__row_merge(const struct tr_rows *r, void *to, const void *from, bool is_new)
{
    bool ok = true;
    if (r->type->merge)
        return r->type->merge(to, from, is_new);
    keep_with_times(r, to, from, is_new);
    for (size_t c = 0; ok && c < r->type->n_columns; c++)
        ok = r->type->columns[c].kept || !is_figure(r->type, c) ||
             merge_member(r, &r->type->columns[c], to, from, is_new);
    return ok;
}

void *tr_rows_merge(struct tr_rows *r, const void *row)
{
    size_t n = r->n;
    void *to = tr_rows_at(r, row);
    return to && tr__row_merge(r, to, row, r->n > n) ? to : NULL;
}
