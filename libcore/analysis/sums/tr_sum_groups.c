/* SPDX-License-Identifier: MIT */
/* Sums of groups: the groups as rows, and their saved form. */
#include "analysis/sums/tr_sum_int.h"

#include "base/tr_num.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- statistics ---- */

/* Of values at one time, the longest is the first and the shortest the last, in whatever order they come. */
static void see(struct tr__sum_group *x, bool is_new, int64_t first_ts, int64_t first, int64_t last_ts, int64_t last)
{
    if (is_new || first_ts < x->first_ts || (first_ts == x->first_ts && first > x->first)) {
        x->first_ts = first_ts;
        x->first = first;
    }
    if (is_new || last_ts > x->last_ts || (last_ts == x->last_ts && last < x->last)) {
        x->last_ts = last_ts;
        x->last = last;
    }
}

bool tr__sum_merge(void *group, const void *other, bool is_new)
{
    struct tr__sum_group *to = group;
    const struct tr__sum_group *from = other;
    see(to, is_new, from->first_ts, from->first, from->last_ts, from->last);
    return tr_sample_merge(&to->values, &from->values);
}

static int64_t millionths(int64_t v)
{
    return v > INT64_MAX / TR__SUM_FRACTION   ? INT64_MAX
           : v < INT64_MIN / TR__SUM_FRACTION ? INT64_MIN
                                              : v * TR__SUM_FRACTION;
}

/* Add sums of whole numbers to the group with the same keys in millionths.  False: out of memory. */
static bool add_scaled(struct tr_rows *rows, struct tr__sum_group x)
{
    const uint64_t n = (uint64_t)TR__SUM_FRACTION;
    bool sums = x.values.distinct == TR_SAMPLE_SUMS, made = !sums && !x.values.values; /* equal values have none */
    struct tr_hist *old = sums ? NULL : tr_sample_values(&x.values), *scaled = NULL;
    int64_t value;
    uint64_t count;
    size_t at = 0;
    x.fraction = 1;
    x.values.stats.min = millionths(x.values.stats.min);
    x.values.stats.max = millionths(x.values.stats.max);
    x.values.stats.sum = tr_u128_times(x.values.stats.sum, n);
    x.values.stats.squares = tr_u128_times(tr_u128_times(x.values.stats.squares, n), n);
    x.first = millionths(x.first);
    x.last = millionths(x.last);
    bool ok = true;
    if (!sums) {
        scaled = tr_hist_new(x.values.distinct);
        ok = old && scaled && (!tr_hist_approx(old) || tr_hist_coarsen(scaled));
        if (ok)
            tr_hist_seal(old);
        while (ok && tr_hist_next(old, &at, &value, &count))
            ok = tr_hist_add(scaled, millionths(value), count);
    }
    x.values.values = scaled;
    ok = ok && tr_rows_merge(rows, &x);
    tr_hist_free(scaled);
    if (made)
        tr_hist_free(old);
    return ok;
}

bool tr__sum_scale(struct tr_rows *rows, bool *scaled)
{
    size_t n = tr_rows_count(rows);
    bool ok = true;
    *scaled = false;
    for (size_t i = 0; i < n && !*scaled; i++)
        *scaled = ((const struct tr__sum_group *)tr_rows_get(rows, i))->fraction;
    for (size_t i = 0; ok && *scaled && i < n; i++) {
        const struct tr__sum_group *x = tr_rows_get(rows, i);
        ok = x->fraction || add_scaled(rows, *x);
    }
    return ok;
}

static bool add(struct tr__sum_group *x, int64_t ts, int64_t value)
{
    see(x, !x->values.stats.n, ts, value, ts, value);
    return tr_sample_add(&x->values, value);
}

bool tr__sum_add(struct tr_rows *rows, const struct tr__sum_group *key, int64_t ts, int64_t value)
{
    struct tr__sum_group *x = tr_rows_at(rows, key);
    return x && add(x, ts, value);
}

static bool has_codes(const struct tr__sum_group *x, const struct tr__sum_keys *k, size_t i)
{
    for (size_t c = 0; c < k->n; c++)
        if (x->codes[c] != k->columns[c].code[i])
            return false;
    return true;
}

bool tr__sum_add_event(struct tr_rows *rows, struct tr__sum_recent *recent, const struct tr__sum_keys *k, size_t i,
                       bool fraction, int64_t ts, int64_t value)
{
    uint64_t hash = 0;
    for (size_t c = 0; c < k->n; c++)
        hash = (hash ^ (uint64_t)k->columns[c].code[i]) * 0x9e3779b97f4a7c15u;
    uint32_t *row = &recent->row[hash >> 32 & (TR__SUM_RECENT - 1)];
    struct tr__sum_group *x = *row ? tr_rows_get(rows, *row - 1) : NULL;
    if (x && x->fraction == fraction && has_codes(x, k, i))
        return add(x, ts, value);
    struct tr__sum_group key = { .fraction = fraction };
    for (size_t c = 0; c < k->n; c++)
        key.codes[c] = k->columns[c].code[i];
    if (!(x = tr_rows_at(rows, &key)))
        return false;
    *row = (uint32_t)tr_rows_number(rows, x) + 1;
    return add(x, ts, value);
}

/* ---- order, and keys in partial results ---- */

/* Number of a key, in the name of its column. */
static size_t key_of(const struct tr_table_column *is)
{
    return (size_t)(is->name[3] - '0');
}

static bool no_text(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                    struct tr_str *text)
{
    (void)self;
    (void)is;
    (void)row;
    (void)room;
    *text = tr_str_of(NULL);
    return true;
}

/* Keys at the front that are numbers, in order; then the largest first; then by the other keys. */
static int compare(void *self, const struct tr_table_column *is, const void *a, const void *b)
{
    const struct tr__sum_keys *keys = self;
    const struct tr__sum_group *x = a, *y = b;
    const size_t leading = tr__sum_leading(keys->options);
    int c = 0;
    (void)is;
    for (size_t k = 0; !c && k < leading; k++)
        c = tr__sum_compare_codes(keys, k, x->codes[k], y->codes[k]);
    if (!c && keys->options->value != TR_SUM_OF_EVENT)
        c = tr_i128_cmp(y->values.stats.sum, x->values.stats.sum);
    if (!c)
        c = (x->values.stats.n < y->values.stats.n) - (x->values.stats.n > y->values.stats.n);
    for (size_t k = leading; !c && k < keys->n; k++)
        c = tr__sum_compare_codes(keys, k, x->codes[k], y->codes[k]);
    return c;
}

/* A number, or a text: a key that may hold texts has "n" or "t" before it. */
static bool save_code(void *self, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                      struct tr_str *text)
{
    const struct tr__sum_keys *keys = self;
    const size_t k = key_of(is);
    int64_t code = ((const struct tr__sum_group *)row)->codes[k];
    char number[32];
    bool plain = k < keys->n && keys->columns[k].number;
    if (k >= keys->n || (plain ? code == TR_I64_NONE : (code & 3) == TR__CODE_NONE))
        return no_text(self, is, row, room, text);
    snprintf(number, sizeof number, "%s%" PRId64, plain ? "" : "n", plain ? code : code >> 2);
    bool ok = plain || (code & 3) == TR__CODE_NUMBER
                  ? tr_buf_add_str(room, number)
                  : tr_buf_add_str(room, "t") && tr_buf_add_text(room, tr__sum_code_text(keys, code));
    *text = (struct tr_str){ (const char *)room->data, room->len };
    return ok;
}

static bool load_code(void *self, const struct tr_table_column *is, struct tr_partial_in *in, struct tr_str text,
                      void *to)
{
    struct tr__sum_keys *keys = self;
    const size_t k = key_of(is);
    int64_t number = 0, *code = to;
    bool plain = k < keys->n && keys->columns[k].number;
    *code = k >= keys->n ? 0 : plain ? TR_I64_NONE : TR__CODE_NONE;
    if (!text.s)
        return true;
    if (!plain && k < keys->n && text.len && text.s[0] == 't')
        return tr__sum_text_code(keys, text.s + 1, text.len - 1, code);
    size_t skip = !plain;
    if (k >= keys->n || text.len <= skip || (!plain && text.s[0] != 'n') ||
        !tr_num_plain(text.s + skip, text.len - skip, &number) ||
        (!plain && (number > INT64_MAX / 4 || number < INT64_MIN / 4)))
        tr_partial_wrong(in, "a key that is not a number");
    *code = plain ? number : (int64_t)((uint64_t)number << 2 | TR__CODE_NUMBER);
    return true;
}

static const struct tr_row_own own = { no_text, compare, save_code, load_code };

static const char *unit(unsigned fraction)
{
    return fraction ? "millionths" : "ones";
}

#define KEY(k) { "key" #k, TR_CELL_STRING, TR_ROLE_KEY, TR_OWN(struct tr__sum_group, codes[k]) }
static const struct tr_table_column columns[] = {
    { "unit", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct tr__sum_group, fraction), .word = unit, .n_words = 2 },
    KEY(0), KEY(1), KEY(2), KEY(3), KEY(4), KEY(5), KEY(6), KEY(7),
    { "value", TR_CELL_INT, TR_ROLE_SUM, TR_OF(struct tr__sum_group, values) },
    { "first_ts", TR_CELL_TIME, TR_ROLE_TIME, TR_OF(struct tr__sum_group, first_ts) },
    { "first", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct tr__sum_group, first) },
    { "last_ts", TR_CELL_TIME, TR_ROLE_TIME, TR_OF(struct tr__sum_group, last_ts) },
    { "last", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct tr__sum_group, last) },
};

const struct tr_row_type tr__sum_type = {
    .name = "groups",
    .size = sizeof(struct tr__sum_group),
    .key_size = offsetof(struct tr__sum_group, values),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "key0",
    .distinct = TR_ROWS_DISTINCT,
    .own = &own,
    .merge = tr__sum_merge,
};
const struct tr_saved_table tr__sum_saved = { .rows = &tr__sum_type };

/* ---- options in partial results ---- */

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

/* "args.KEY", with quotes: a key may have any bytes. */
static bool say_arg(const char *key, struct tr_buf *text)
{
    bool ok = tr_buf_add_str(text, "args.\"");
    for (; ok && *key; key++)
        ok = (*key != '"' && *key != '\\' ? true : tr_buf_add(text, "\\", 1)) && tr_buf_add(text, key, 1);
    return ok && tr_buf_add(text, "\"", 1);
}

/* A text of replace(), after a comma. */
static bool say_quoted(const char *s, struct tr_buf *text)
{
    bool ok = tr_buf_add_str(text, ",\"");
    for (; ok && *s; s++)
        ok = (*s != '"' || tr_buf_add(text, "\\", 1)) && tr_buf_add(text, s, 1);
    return ok && tr_buf_add(text, "\"", 1);
}

static bool say_key(const struct tr_sum_key *k, struct tr_buf *text)
{
    char figures[64];
    bool ok = true;
    *figures = '\0';
    if (k->from == TR_SUM_BIN)
        snprintf(figures, sizeof figures, "(%" PRId64 "ns)", k->bin);
    else if (k->depth)
        snprintf(figures, sizeof figures, "(%zu)", k->depth);
    if (k->replace)
        ok = tr_buf_add_str(text, "replace(");
    if (k->shorten)
        ok = ok && tr_buf_add_str(text, "short(");
    ok = ok && (k->from == TR_SUM_ARG ? say_arg(k->arg, text) : tr_buf_add_str(text, k->name));
    return ok && tr_buf_add_str(text, figures) && (!k->shorten || tr_buf_add_str(text, ")")) &&
           (!k->replace || (say_quoted(k->regex, text) && say_quoted(k->with, text) && tr_buf_add_str(text, ")")));
}

bool tr__sum_say_keys(const void *options, struct tr_buf *text)
{
    const struct tr_sum_options *o = options;
    bool ok = true;
    for (size_t i = 0; ok && i < o->n_keys; i++)
        ok = (!i || tr_buf_add(text, ",", 1)) && say_key(&o->keys[i], text);
    return ok;
}

bool tr__sum_say_value(const void *options, struct tr_buf *text)
{
    const struct tr_sum_options *o = options;
    if (o->value == TR_SUM_OF_ARG)
        return say_arg(o->arg, text);
    return tr_buf_add_str(text, o->value == TR_SUM_OF_SELF    ? "self"
                                : o->value == TR_SUM_OF_QUEUE ? "queue"
                                : o->value == TR_SUM_OF_EVENT ? "event"
                                                              : tr_event_fields[o->field].name);
}
