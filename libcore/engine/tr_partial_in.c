/* SPDX-License-Identifier: MIT */
/* Partial results as tables: reading of rows. */
#include "engine/tr_partial_int.h"

#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "base/tr_sort.h"
#include "stream/tr_wire_int.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How far have all tables of one name been read? */
struct place {
    size_t list, row; /* which table of the list, and its row */
    size_t partial;   /* which of those of its name */
    bool open;        /* this table is the right one */
};

struct tr_partial_in {
    struct tr_partial_head head;
    const struct tr_side_tables *tables;
    struct tr_dict *dict;
    struct tr__partial_table *describe;
    struct place *places;
    struct tr_hist *values[TR_SAVED_MAX]; /* of the last row */
    size_t n_values;
    uint64_t expected, rows;
    bool captures;
    size_t partial; /* that the last row is of */
    const struct tr_partial_capture *renumbered;
    size_t n_renumbered;
    enum tr_status status;
    struct tr_error err;
};

static bool fail(struct tr_partial_in *in, const char *table, const char *what)
{
    if (in->status == TR_OK)
        in->status = tr_fail(&in->err, TR_DAMAGED, "the partial result of '%s' is malformed: %s%s%s", in->head.name,
                             table ? table : "", table ? ": " : "", what);
    return false;
}

static bool fail_memory(struct tr_partial_in *in)
{
    if (in->status == TR_OK)
        in->status = tr_fail_memory(&in->err);
    return false;
}

void tr_partial_wrong(struct tr_partial_in *in, const char *what)
{
    fail(in, NULL, what);
}

enum tr_status tr_partial_status(const struct tr_partial_in *in, struct tr_error *err)
{
    if (in->status != TR_OK && err) {
        err->status = in->status;
        err->sys_errno = in->err.sys_errno;
        memcpy(err->what, in->err.what, sizeof err->what);
    }
    return in->status;
}

/* Does a table of a stream have the columns that it should have? */
static bool fits(const struct tr_side_table *t, const struct tr_saved_table *want)
{
    char name[TR_SIDE_MAX_NAME + 1];
    size_t n = 0;
    for (size_t c = 0; c < want->n_columns; c++)
        for (size_t p = 0; p < tr__partial_kinds[want->columns[c].type].n; p++, n++) {
            const struct tr__partial_column *part = &tr__partial_kinds[want->columns[c].type].parts[p];
            tr__partial_column_name(&want->columns[c], part, name);
            if (n >= t->n_columns || t->columns[n].type != part->type || strcmp(t->columns[n].name, name) != 0)
                return false;
        }
    return n == t->n_columns;
}

/* The next row of all tables of a name.  False: there is no more, or a table has other columns. */
static bool next_row(struct tr_partial_in *in, size_t i, struct tr_side_value *values)
{
    const struct tr_saved_table *want = &in->describe[i].is;
    struct place *at = &in->places[i];
    char name[TR_SIDE_MAX_NAME + 1];
    tr__partial_name(&in->head, want, name);
    for (; at->list < in->tables->n; at->partial += at->open, at->list++, at->row = 0, at->open = false) {
        const struct tr_side_table *t = in->tables->v[at->list];
        if (!at->open && strcmp(t->name, name) != 0)
            continue;
        if (!at->open && !fits(t, want))
            return fail(in, name, "other columns than this version writes");
        at->open = true;
        in->partial = at->partial;
        if (tr_side_table_row(t, &at->row, values))
            return true;
    }
    return false;
}

/* A number of digits from *s on, less than end.  False: no digits, or too large. */
static bool take_number(const char **s, const char *end, uint64_t max, uint64_t *v)
{
    bool over;
    size_t n = tr_num_digits(*s, (size_t)(end - *s), max, v, &over);
    *s += n;
    return n > 0 && !over;
}

static bool take_char(const char **s, const char *end, char c)
{
    if (*s == end || **s != c)
        return false;
    (*s)++;
    return true;
}

/* From the distances and the counts of values.  False: they are malformed, or there is no memory: *ok is false. */
static bool add_values(struct tr_hist *h, struct tr__in values, struct tr__in counts, uint64_t n, bool *ok)
{
    int64_t last = 0;
    bool good = true;
    for (uint64_t i = 0; i < n && good && *ok; i++) {
        uint64_t far = tr__in_varint(&values), count = tr__in_max(&counts, INT64_MAX);
        int64_t number = i ? (int64_t)((uint64_t)last + far) : tr__unzigzag(far);
        int64_t value = tr_hist_long(h, number);
        good = !values.bad && !counts.bad && (!i || number > last) && tr_hist_short(h, value) == number && count > 0 &&
               count <= INT64_MAX - tr_hist_count(h);
        *ok = !good || tr_hist_add(h, value, count);
        last = number;
    }
    return good && *ok && !tr__in_left(&counts);
}

/* The values of a row.  NULL: malformed, or out of memory. */
static struct tr_hist *get_values(struct tr_partial_in *in, const void *bytes, size_t len, bool approx)
{
    struct tr__in values = { bytes, (const unsigned char *)bytes + len, false }, counts;
    struct tr_hist *h = tr_hist_new(in->head.distinct);
    bool ok = h && (!approx || tr_hist_coarsen(h));
    uint64_t n = tr__in_max(&values, len);
    counts = values;
    for (uint64_t i = 0; i < n && !counts.bad; i++)
        tr__in_varint(&counts);
    if (ok && !counts.bad && add_values(h, values, counts, n, &ok) && tr_hist_approx(h) == approx)
        return h;
    if (ok)
        fail(in, NULL, "a list of values");
    else
        fail_memory(in);
    tr_hist_free(h);
    return NULL;
}

static bool get_group(struct tr_partial_in *in, const struct tr_side_value *v, struct tr_group_key *key)
{
    enum tr_per per = in->head.per;
    int64_t part[TR__PARTIAL_N_GROUP];
    const bool asked[TR__PARTIAL_N_GROUP] = { per != TR_PER_ALL, per == TR_PER_DEVICE || per == TR_PER_STREAM,
                                  per == TR_PER_STREAM, per == TR_PER_STEP, true };
    for (size_t i = 0; i < TR__PARTIAL_N_GROUP; i++) {
        part[i] = v[i].present ? v[i].v : TR_GROUP_NONE;
        if (v[i].present && (!asked[i] || v[i].v == TR_GROUP_NONE))
            return fail(in, NULL, "a group of another kind");
    }
    if (v[4].present && (part[4] <= 0 || part[4] > UINT32_MAX))
        return fail(in, NULL, "a capture");
    int64_t capture = tr_partial_capture(in, part[0], v[4].present ? part[4] : 0);
    *key = (struct tr_group_key){ part[0], part[1], part[2], part[3], capture };
    return capture >= 0 || fail(in, NULL, "captures of several ranks, which have other numbers among those of all");
}

void tr_partial_renumber(struct tr_partial_in *in, const struct tr_partial_capture *v, size_t n)
{
    in->renumbered = v;
    in->n_renumbered = n;
}

int64_t tr_partial_capture(const struct tr_partial_in *in, int64_t rank, int64_t number)
{
    int64_t to = TR_I64_NONE;
    bool any_rank = rank == TR_GROUP_NONE;
    size_t low = 0;
    for (size_t end = in->n_renumbered; low < end && !any_rank;) { /* they are sorted by rank */
        size_t mid = low + (end - low) / 2;
        if (in->renumbered[mid].rank < rank)
            low = mid + 1;
        else
            end = mid;
    }
    for (size_t i = low; i < in->n_renumbered && (any_rank || in->renumbered[i].rank == rank); i++) {
        const struct tr_partial_capture *c = &in->renumbered[i];
        if (c->partial != in->partial || c->from != number)
            continue;
        if (to != TR_I64_NONE && to != c->to)
            return -1;
        to = c->to;
    }
    return to == TR_I64_NONE ? number : to;
}

static bool get_stats(struct tr_partial_in *in, const struct tr_side_value *v, struct tr_stats *s)
{
    bool full = v[0].present && v[3].present && v[4].present && v[5].present && v[6].present;
    *s = (struct tr_stats)TR_STATS_INIT;
    s->n = full ? (uint64_t)v[0].v : 0;
    if (s->n) {
        s->min = v[1].present ? v[1].v : INT64_MAX;
        s->max = v[2].present ? v[2].v : INT64_MIN;
    }
    s->sum = (struct tr_u128){ (uint64_t)v[3].v, (uint64_t)v[4].v };
    s->squares = (struct tr_u128){ (uint64_t)v[5].v, (uint64_t)v[6].v };
    return (full && tr_stats_possible(s)) || fail(in, NULL, "sums that no values have");
}

static bool get_member(struct tr_partial_in *in, enum tr_saved type, const struct tr_side_value *v, void *to)
{
    switch (type) {
    case TR_SAVED_GROUP:
        return get_group(in, v, to);
    case TR_SAVED_SUM:
        *(struct tr_u128 *)to = (struct tr_u128){ (uint64_t)v[0].v, (uint64_t)v[1].v };
        return (v[0].present && v[1].present) || fail(in, NULL, "a sum that is absent");
    case TR_SAVED_STATS:
        return get_stats(in, v, to);
    case TR_SAVED_VALUES:
        if (v[0].present != v[1].present)
            return fail(in, NULL, "a list of values");
        in->values[in->n_values] = v[0].present ? get_values(in, v[0].text, v[0].len, v[1].v != 0) : NULL;
        *(struct tr_hist **)to = in->values[in->n_values++];
        return in->status == TR_OK;
    case TR_SAVED_TEXT:
        *(struct tr_str *)to = v->present ? (struct tr_str){ v->text ? v->text : "", v->len } : tr_str_of(NULL);
        return true;
    case TR_SAVED_COUNT:
        *(uint64_t *)to = v->present ? (uint64_t)v->v : 0;
        return v->present || fail(in, NULL, "a count that is absent");
    case TR_SAVED_REAL:
        *(double *)to = NAN;
        if (v->present)
            memcpy(to, &v->v, sizeof(double));
        return true;
    case TR_SAVED_INT:
        *(int64_t *)to = v->present ? v->v : TR_TIME_NONE;
        return true;
    }
    return false;
}

static void drop_values(struct tr_partial_in *in)
{
    while (in->n_values)
        tr_hist_free(in->values[--in->n_values]);
}

static bool get_row(struct tr_partial_in *in, size_t i, void *row)
{
    const struct tr_saved_table *t = &in->describe[i].is;
    struct tr_side_value values[TR__PARTIAL_MAX_VALUES], *v = values;
    drop_values(in);
    if (in->status != TR_OK || !next_row(in, i, values))
        return false;
    for (size_t c = 0; c < t->n_columns; v += tr__partial_kinds[t->columns[c++].type].n)
        if (!get_member(in, t->columns[c].type, v, (char *)row + t->columns[c].offset))
            return false;
    return true;
}

bool tr_partial_get(struct tr_partial_in *in, size_t i, void *row)
{
    bool got = get_row(in, TR__PARTIAL_N_COMMON + i, row);
    in->rows += got;
    return got;
}

size_t tr_partial_of_row(const struct tr_partial_in *in)
{
    return in->partial;
}

bool tr_partial_captures(const struct tr_partial_in *in)
{
    return in->captures;
}

bool tr_partial_get_source(struct tr_partial_in *in, struct tr_partial_source *source, size_t *partial)
{
    if (!get_row(in, TR__PARTIAL_SOURCES, source))
        return false;
    if (source->rank != TR_I64_NONE && source->rank < 0)
        return fail(in, NULL, "a rank below 0");
    if (source->capture > UINT32_MAX || source->world_size > UINT32_MAX)
        return fail(in, NULL, "a source");
    source->rank = source->rank == TR_I64_NONE ? -1 : source->rank;
    *partial = in->partial;
    return true;
}

/* ---- the heads ---- */

static bool same_text(struct tr_str a, struct tr_str b)
{
    return !a.s == !b.s && tr_str_cmp(a, b) == 0;
}

#define WHY 240u

/* "other events were selected: 'x' and 'y'", with both texts as far as there is room. */
static void both_texts(char why[WHY], const char *what, struct tr_str a, struct tr_str b)
{
    snprintf(why, WHY, "%s: '%.*s' and '%.*s'", what, (int)(a.len > 80 ? 80 : a.len), a.s ? a.s : "",
             (int)(b.len > 80 ? 80 : b.len), b.s ? b.s : "");
}

/* Does a partial result not fit the request?  Then why has the reason. */
static bool differs(const struct tr__partial_head_row *a, const struct tr__partial_head_row *b, char why[WHY])
{
    why[0] = '\0';
    if (a->version != b->version)
        snprintf(why, WHY, "it was saved by another version: %" PRIu64 " and %" PRIu64, a->version, b->version);
    else if (!same_text(a->per, b->per))
        both_texts(why, "it has other groups (--per)", a->per, b->per);
    else if (!same_text(a->selection, b->selection))
        both_texts(why, "other events were selected", a->selection, b->selection);
    else if (a->suspect != b->suspect)
        snprintf(why, WHY, "other events were selected (--suspect)");
    else if (a->distinct != b->distinct)
        snprintf(why, WHY, "another number of distinct values was kept: %" PRIu64 " and %" PRIu64, a->distinct,
                 b->distinct);
    else if (!same_text(a->options, b->options))
        both_texts(why, "other options were given", a->options, b->options);
    return why[0] != '\0';
}

static const char prefix[] = TR_PARTIAL_TABLES;

/* Name the analyses that there are. */
static enum tr_status fail_absent(const struct tr_side_tables *tables, const char *asked, struct tr_error *err)
{
    char there[200] = "";
    for (size_t i = 0; i < tables->n; i++) {
        const char *name = tables->v[i]->name;
        size_t len = strlen(there);
        if (strncmp(name, prefix, sizeof prefix - 1) != 0 || strchr(name + sizeof prefix - 1, '.') ||
            strstr(there, name + sizeof prefix - 1))
            continue;
        snprintf(there + len, sizeof there - len, "%s%s", len ? ", " : "", name + sizeof prefix - 1);
    }
    return tr_fail(err, TR_DAMAGED, "there is no partial result of '%s'%s%s", asked, there[0] ? ", only of " : "",
                   there);
}

static enum tr_status read_heads(struct tr_partial_in *in, struct tr_error *err)
{
    const struct tr__partial_head_row asked = tr__partial_head_row(&in->head, 0);
    struct tr__partial_head_row row;
    size_t n = 0;
    for (; get_row(in, TR__PARTIAL_HEAD, &row); n++) {
        char why[WHY];
        if (differs(&row, &asked, why))
            return tr_fail(err, TR_DAMAGED, "a partial result of '%s' cannot be merged: %s", in->head.name, why);
        in->captures |= row.captures != 0;
        if (!tr_partial_add_count(in, &in->expected, row.rows))
            break;
    }
    if (in->status != TR_OK)
        return tr_partial_status(in, err);
    return n ? TR_OK : fail_absent(in->tables, in->head.name, err);
}

enum tr_status tr_partial_in_new(const struct tr_partial_head *head, const struct tr_side_tables *tables,
                                 struct tr_dict *dict, struct tr_partial_in **out, struct tr_error *err)
{
    struct tr_partial_in *in = *out = calloc(1, sizeof *in);
    if (!in)
        return tr_fail_memory(err);
    in->head = *head;
    in->tables = tables;
    in->dict = dict;
    size_t n;
    in->describe = tr__partial_tables(head->saving, &n);
    in->places = in->describe ? calloc(n, sizeof *in->places) : NULL;
    return in->places ? read_heads(in, err) : tr_fail_memory(err);
}

void tr_partial_in_free(struct tr_partial_in *in)
{
    if (!in)
        return;
    drop_values(in);
    free(in->places);
    free(in->describe);
    free(in);
}

enum tr_status tr_partial_in_end(struct tr_partial_in *in, struct tr_error *err)
{
    struct tr_side_value values[TR_SIDE_MAX_COLUMNS];
    for (size_t i = 0; in->status == TR_OK && i < in->head.saving->n_tables; i++)
        if (next_row(in, TR__PARTIAL_N_COMMON + i, values))
            fail(in, NULL, "rows that such options do not have");
    if (in->status == TR_OK && in->rows != in->expected)
        fail(in, NULL, "rows are missing");
    return tr_partial_status(in, err);
}

/* ---- adding to the results so far ---- */

struct tr_dict *tr_partial_dict(struct tr_partial_in *in)
{
    return in->dict;
}

uint32_t tr_partial_string(struct tr_partial_in *in, struct tr_str text)
{
    uint32_t id = text.s ? tr_strtab_add(in->dict->strings, text.s, text.len) : TR_NO_STR;
    if (text.s && id == TR_NO_STR)
        fail_memory(in);
    return id;
}

bool tr_partial_group(struct tr_partial_in *in, struct tr_group_by *w, const struct tr_group_key *key, uint32_t *group)
{
    return in->status == TR_OK && (tr_group_by_key_group(w, key, group) || fail_memory(in));
}

/* Plausible counts in files are far from 2^63, and so are their sums. */
bool tr_partial_add_count(struct tr_partial_in *in, uint64_t *to, uint64_t from)
{
    if (in->status != TR_OK || from > INT64_MAX || *to > INT64_MAX - from)
        return fail(in, NULL, "counts beyond 63 bits");
    *to += from;
    return true;
}

bool tr_partial_add_stats(struct tr_partial_in *in, struct tr_stats *to, const struct tr_stats *from)
{
    uint64_t n = to->n;
    if (!tr_partial_add_count(in, &n, from->n))
        return false;
    tr_stats_merge(to, from);
    return true;
}

bool tr_partial_add_values(struct tr_partial_in *in, struct tr_hist *to, const struct tr_hist *from)
{
    uint64_t n = tr_hist_count(to);
    return tr_partial_add_count(in, &n, tr_hist_count(from)) && (tr_hist_merge(to, from) || fail_memory(in));
}

bool tr_partial_list_take(struct tr_str *list, struct tr_str *text)
{
    const char *s = list->s, *end = s + list->len;
    uint64_t len = 0;
    *text = tr_str_of(NULL);
    if (take_char(&s, end, '-')) {
        *list = (struct tr_str){ s, list->len - 1 };
        return true;
    }
    if (!list->len || !take_number(&s, end, list->len, &len) || !take_char(&s, end, ':') || len > (size_t)(end - s))
        return false;
    *text = (struct tr_str){ s, (size_t)len };
    *list = (struct tr_str){ s + len, (size_t)(end - s) - (size_t)len };
    return true;
}

bool tr_partial_list_stack(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t stack, struct tr_buf *list)
{
    size_t n = tr_stacks_depth(s, stack);
    uint32_t *names = calloc(n + 1, sizeof *names);
    bool ok = names != NULL;
    list->len = 0;
    if (ok)
        tr_stacks_names(s, stack, n, names);
    for (size_t i = 0; ok && i < n; i++)
        ok = tr_partial_list_add(list, tr_dict_text_if(dict, names[i]));
    free(names);
    return ok;
}

bool tr_partial_stack(struct tr_partial_in *in, struct tr_stacks *s, struct tr_str list, uint32_t *stack)
{
    struct tr_str text;
    bool ok = true;
    *stack = TR_STACK_NONE;
    while (ok && tr_partial_list_take(&list, &text)) {
        uint32_t name = tr_partial_string(in, text);
        ok = tr_partial_status(in, NULL) != TR_OK || tr_stacks_inner(s, *stack, name, stack);
    }
    if (list.len || *stack == TR_STACK_NONE)
        tr_partial_wrong(in, "a list of names");
    return ok;
}

/* ---- for programs ---- */

struct tr_str tr_partial_view(const struct tr_side_table *t)
{
    const char *name = t->name + sizeof prefix - 1;
    bool is = strncmp(t->name, prefix, sizeof prefix - 1) == 0;
    return is ? (struct tr_str){ name, strcspn(name, ".") } : tr_str_of(NULL);
}

bool tr_partial_any(const struct tr_side_tables *tables)
{
    return tr_partial_others(tables, "");
}

bool tr_partial_others(const struct tr_side_tables *tables, const char *view)
{
    bool others = false;
    for (size_t i = 0; tables && i < tables->n && !others; i++) {
        struct tr_str of = tr_partial_view(tables->v[i]);
        others = of.s && !tr_str_is(of, view);
    }
    return others;
}

/* A source of a partial result; first: TR_TIME_NONE, unknown. */
struct source {
    int64_t rank, first;
};
TR_ORDER(by_source, struct source, TR_UP(rank), TR_UP(first))

/* The next row of a table "partial.NAME.ranks"; false: there is none, or it is another table. */
static bool next_source(const struct tr_side_table *t, const struct tr_saved_table *want, size_t *at, struct source *s)
{
    const size_t len = strlen(t->name), end = strlen(want->name) + 1;
    struct tr_side_value v[TR_SIDE_MAX_COLUMNS];
    if (len <= end || t->name[len - end] != '.' || strcmp(t->name + len - end + 1, want->name) != 0 ||
        !fits(t, want) || !tr_side_table_row(t, at, v))
        return false;
    *s = (struct source){ v[0].present ? v[0].v : TR_I64_NONE, v[5].present ? v[5].v : TR_TIME_NONE };
    return true;
}

static bool has_source(const struct source *v, size_t n, const struct source *s)
{
    size_t i = 0;
    TR_BOUND(i, n, mid, v[mid].rank < s->rank);
    while (i < n && v[i].rank == s->rank && v[i].first != s->first && v[i].first != TR_TIME_NONE &&
           s->first != TR_TIME_NONE)
        i++;
    return i < n && v[i].rank == s->rank;
}

/* Do others have a source that the view, whose sources are v, lacks? */
static enum tr_status check_others(const struct tr_side_tables *tables, const struct tr_saved_table *want,
                                   const char *view, const struct source *v, size_t n, struct tr_error *err)
{
    struct source s;
    for (size_t i = 0; i < tables->n; i++) {
        struct tr_str of = tr_partial_view(tables->v[i]);
        if (!of.s || tr_str_is(of, view))
            continue;
        for (size_t at = 0; next_source(tables->v[i], want, &at, &s);)
            if (!has_source(v, n, &s))
                return tr_fail(err, TR_DAMAGED, "rank %" PRId64 " has a partial result of '%.*s', but none of '%s'",
                               s.rank == TR_I64_NONE ? -1 : s.rank, (int)of.len, of.s, view);
    }
    return TR_OK;
}

enum tr_status tr_partial_only(const struct tr_side_tables *tables, const char *view, struct tr_error *err)
{
    const struct tr_saving none = { .version = 0 };
    struct source *v = NULL, s;
    size_t n = 0, cap = 0, n_tables;
    if (!tr_partial_others(tables, view ? view : ""))
        return TR_OK;
    if (!view)
        return tr_fail(err, TR_DAMAGED, "partial results have no events, which are needed here");
    struct tr__partial_table *describe = tr__partial_tables(&none, &n_tables);
    bool ok = describe != NULL, found = false;
    const struct tr_saved_table *want = ok ? &describe[TR__PARTIAL_SOURCES].is : NULL;
    for (size_t i = 0; i < tables->n && ok; i++) {
        struct tr_str of = tr_partial_view(tables->v[i]);
        if (!of.s || !tr_str_is(of, view))
            continue;
        found = true;
        for (size_t at = 0; ok && next_source(tables->v[i], want, &at, &s);)
            if ((ok = tr_grow(&v, &cap, n + 1, sizeof *v)))
                v[n++] = s;
    }
    if (n)
        qsort(v, n, sizeof *v, by_source);
    enum tr_status st = !ok      ? tr_fail_memory(err)
                        : !found ? fail_absent(tables, view, err)
                                 : check_others(tables, want, view, v, n, err);
    free(describe);
    free(v);
    return st;
}

bool tr_partial_describe(const struct tr_side_tables *tables, const struct tr_saving *saving, const char *analysis,
                         struct tr_partial_about *about)
{
    struct tr_partial_in in = { .head = { .name = saving->name ? saving->name : analysis, .saving = saving },
                                .tables = tables };
    struct place place = { 0 };
    struct tr__partial_head_row row;
    size_t n;
    in.describe = tr__partial_tables(saving, &n);
    in.places = &place; /* of the table of heads, which comes first */
    bool found = in.describe && get_row(&in, TR__PARTIAL_HEAD, &row);
    if (found)
        *about = (struct tr_partial_about){ row.version, row.distinct,       row.selection,
                                             row.options, row.per, row.suspect != 0 };
    free(in.describe);
    return found;
}
