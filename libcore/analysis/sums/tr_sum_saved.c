/* SPDX-License-Identifier: MIT */
/* Sums of groups as partial results. */
#include "analysis/sums/tr_sum_saved_int.h"

#include "base/tr_num.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A group. keys: a list with a text for each key.  A key that may hold texts has "n" or "t" before it. */
struct saved {
    struct tr_str keys;
    struct tr_stats stats;
    int64_t first_ts, first, last_ts, last; /* times absolute */
    int64_t fraction;
    struct tr_hist *values;
};

static const struct tr_saved_column columns[] = {
    { "keys", TR_SAVED_TEXT, offsetof(struct saved, keys) },
    { "stats", TR_SAVED_STATS, offsetof(struct saved, stats) },
    { "first_ts", TR_SAVED_INT, offsetof(struct saved, first_ts) },
    { "first", TR_SAVED_INT, offsetof(struct saved, first) },
    { "last_ts", TR_SAVED_INT, offsetof(struct saved, last_ts) },
    { "last", TR_SAVED_INT, offsetof(struct saved, last) },
    { "fraction", TR_SAVED_INT, offsetof(struct saved, fraction) },
    { "values", TR_SAVED_VALUES, offsetof(struct saved, values) },
};
const struct tr_saved_table tr__sum_saved = TR_SAVED_TABLE("groups", columns);

/* ---- options ---- */

/* Times as in a file are those of one file. */
static bool is_moment(enum tr_field_id f)
{
    return f == TR_FIELD_TS || f == TR_FIELD_END || f == TR_FIELD_LAUNCH_TS;
}

bool tr__sum_has_moments(const struct tr_sum_options *o)
{
    bool moment = o->value == TR_SUM_OF_FIELD && is_moment(o->field);
    for (size_t i = 0; i < o->n_keys; i++)
        moment |= o->keys[i].from == TR_SUM_BIN || (o->keys[i].from == TR_SUM_FIELD && is_moment(o->keys[i].field));
    return moment;
}

bool tr__sum_say_keys(const void *options, struct tr_buf *text)
{
    const struct tr_sum_options *o = options;
    char more[64];
    bool ok = true;
    for (size_t i = 0; ok && i < o->n_keys; i++) {
        const struct tr_sum_key *k = &o->keys[i];
        snprintf(more, sizeof more, "(%d %d %" PRId64 " %zu)", (int)k->from, k->shorten, k->bin, k->depth);
        ok = tr_buf_add_str(text, k->name) && tr_buf_add_str(text, more);
    }
    return ok;
}

bool tr__sum_say_value(const void *options, struct tr_buf *text)
{
    const struct tr_sum_options *o = options;
    char kind[40];
    snprintf(kind, sizeof kind, "%d %d ", (int)o->value, (int)o->field);
    return tr_buf_add_str(text, kind) && tr_buf_add_str(text, o->arg);
}

/* ---- saving ---- */

static bool add_code(const struct tr__sum_keys *k, size_t column, int64_t code, struct tr_buf *list,
                     struct tr_buf *text)
{
    char number[32];
    bool plain = k->columns[column].number, is_number = plain || (code & 3) == TR__CODE_NUMBER;
    if (plain ? code == TR_I64_NONE : (code & 3) == TR__CODE_NONE)
        return tr_partial_list_add(list, tr_str_of(NULL));
    snprintf(number, sizeof number, "%s%" PRId64, plain ? "" : "n", plain ? code : code >> 2);
    if (is_number)
        return tr_partial_list_add(list, tr_str_of(number));
    text->len = 0;
    return tr_buf_add_str(text, "t") && tr_buf_add_text(text, tr__sum_code_text(k, code)) &&
           tr_partial_list_add(list, (struct tr_str){ (const char *)text->data, text->len });
}

/* The base of the stream's times; 0 for loaded results, which have none. */
static int64_t base_of(const struct tr_dict *d)
{
    return d->n_sources ? d->sources[0].base_ns : 0;
}

static int64_t absolute(int64_t ts, int64_t base)
{
    return ts == TR_TIME_NONE ? ts : tr_time_sum(ts, base);
}

enum tr_status tr__sum_save(const struct tr__sum_keys *k, struct tr__sum_groups *g, struct tr_partial_out *out,
                            struct tr_error *err)
{
    struct tr_buf list = { 0 }, text = { 0 };
    struct tr__sum_group *x = NULL;
    int64_t base = base_of(k->dict);
    enum tr_status st = tr__sum_groups_fit(g) ? TR_OK
                                              : tr_fail(err, TR_SYSTEM, "the groups need more memory than -M allows");
    while (st == TR_OK && (st = tr__sum_groups_next(g, &x, err)) == TR_OK) {
        list.len = 0;
        for (size_t i = 0; i < k->n && st == TR_OK; i++)
            st = add_code(k, i, x->codes[i], &list, &text) ? TR_OK : tr_fail_memory(err);
        const struct saved row = { .keys = { (const char *)list.data, list.len },
                                   .stats = x->stats,
                                   .first_ts = absolute(x->first.ts, base),
                                   .first = x->first.value,
                                   .last_ts = absolute(x->last.ts, base),
                                   .last = x->last.value,
                                   .fraction = x->fraction,
                                   .values = x->values };
        if (st == TR_OK)
            tr_partial_put(out, 0, &row);
    }
    tr__sum_groups_rewind(g);
    tr_buf_free(&list);
    tr_buf_free(&text);
    return st == TR_END ? TR_OK : st;
}

/* ---- loading ---- */

/* False: malformed, or out of memory; the status of in shows which. */
static bool take_code(struct tr__sum_keys *k, size_t column, struct tr_str *list, struct tr_partial_in *in,
                      int64_t *code)
{
    struct tr_str text;
    int64_t number = 0;
    bool plain = k->columns[column].number;
    if (!tr_partial_list_take(list, &text)) {
        tr_partial_wrong(in, "fewer keys than asked for");
        return false;
    }
    *code = plain ? TR_I64_NONE : TR__CODE_NONE;
    if (!text.s)
        return true;
    if (!plain && text.len && text.s[0] == 't')
        return tr__sum_text_code(k, text.s + 1, text.len - 1, code);
    size_t skip = !plain;
    if (text.len <= skip || (!plain && text.s[0] != 'n') || !tr_num_plain(text.s + skip, text.len - skip, &number) ||
        (!plain && (number > INT64_MAX / 4 || number < INT64_MIN / 4))) {
        tr_partial_wrong(in, "a key that is not a number");
        return false;
    }
    *code = plain ? number : (int64_t)((uint64_t)number << 2 | TR__CODE_NUMBER);
    return true;
}

static enum tr_status load_row(struct tr__sum_keys *k, struct tr__sum_groups *g, struct tr_partial_in *in,
                               const struct saved *row, struct tr__sum_group *x, struct tr_error *err)
{
    struct tr_str list = row->keys;
    for (size_t i = 0; i < k->n; i++)
        if (!take_code(k, i, &list, in, &x->codes[i])) {
            enum tr_status st = tr_partial_status(in, err);
            return st == TR_OK ? tr_fail_memory(err) : st;
        }
    if (list.len || (row->fraction & ~INT64_C(1)) != 0) {
        tr_partial_wrong(in, "a group with more keys, or of another scale, than there are");
        return tr_partial_status(in, err);
    }
    x->stats = row->stats;
    x->first = (struct tr__sum_at){ row->first_ts, row->first };
    x->last = (struct tr__sum_at){ row->last_ts, row->last };
    x->fraction = row->fraction;
    x->values = NULL;
    return tr__sum_groups_join_saved(g, x, row->values, err);
}

enum tr_status tr__sum_load(struct tr__sum_keys *k, struct tr__sum_groups *g, struct tr_partial_in *in,
                            struct tr_error *err)
{
    struct saved row;
    struct tr__sum_group *x = calloc(1, tr__sum_group_size(g));
    enum tr_status st = x ? TR_OK : tr_fail_memory(err);
    while (st == TR_OK && tr_partial_get(in, 0, &row))
        st = load_row(k, g, in, &row, x, err);
    free(x);
    return st == TR_OK ? tr_partial_status(in, err) : st;
}
