/* SPDX-License-Identifier: MIT */
/* Durations per name in each group. */
#include "analysis/tr_name_stats.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "model/tr_open_spans.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    uint32_t group, name;
    uint8_t kind;
    struct tr_stats stats;
    struct tr_hist *durations;
};

/* A span whose annotation may still come: it may begin at the same time. */
struct uncovered {
    uint32_t stream, group;
    uint8_t kind;
    int64_t dur;
};

/* by_cover only. */
struct cover {
    struct tr_group_by streams;
    struct tr_open_spans *open; /* device annotations by stream; tag: name */
    struct uncovered *spans; /* that start at now */
    size_t n_spans, cap_spans;
    int64_t now;
};

struct tr_name_stats {
    struct tr_group_by work;
    struct cover cover;
    struct tr_name_stats_opts opts;
    struct entry *entries;
    size_t n_entries, cap_entries;
    struct tr_hash_index index; /* of entries by group, kind and name */
    struct tr_name_stats_row *rows;
    struct tr_hist **others; /* of rows without a name */
    size_t n_rows, cap_rows, n_others, cap_others;
    uint32_t *label; /* by_class: of this batch */
    size_t cap_label;
};

static enum tr_status cover_init(struct cover *c, const struct tr_dict *dict,
                                 const struct tr_summary *summary, bool sorted, struct tr_error *err)
{
    const struct tr_group_by_opts streams = { .per = TR_PER_STREAM,
                                              .activities =
                                                  TR_DEVICE_WORK | TR_ACTIVITY_BIT(TR_ACT_DEVICE_ANNOTATION) };
    c->now = TR_TIME_NONE;
    c->open = tr_open_spans_new();
    if (!c->open)
        return tr_fail_memory(err);
    return tr_group_by_init(&c->streams, &streams, dict, summary, sorted, NULL, err);
}

enum tr_status tr_name_stats_new(const struct tr_name_stats_opts *opts, const struct tr_dict *dict,
                                 const struct tr_summary *summary, bool sorted, struct tr_select *select,
                                 struct tr_name_stats **names, struct tr_error *err)
{
    struct tr_name_stats *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->opts = *opts;
    if (!opts->distinct)
        a->opts.distinct = TR_NAME_STATS_DISTINCT;
    enum tr_status st = tr_group_by_init(&a->work, &opts->work, dict, summary, sorted, select, err);
    if (st == TR_OK && opts->by_cover)
        st = cover_init(&a->cover, dict, summary, sorted, err);
    if (st == TR_OK)
        *names = a;
    else
        tr_name_stats_free(a);
    return st;
}

void tr_name_stats_free(struct tr_name_stats *a)
{
    if (!a)
        return;
    tr_group_by_free(&a->work);
    tr_group_by_free(&a->cover.streams);
    tr_open_spans_free(a->cover.open);
    free(a->cover.spans);
    for (size_t i = 0; i < a->n_entries; i++)
        tr_hist_free(a->entries[i].durations);
    for (size_t i = 0; i < a->n_others; i++)
        tr_hist_free(a->others[i]);
    free(a->entries);
    tr_hash_index_free(&a->index);
    free(a->rows);
    free(a->others);
    free(a->label);
    free(a);
}

/* ---- gathering ---- */

/* The entry of a name, new if need be; NULL: out of memory. */
static struct entry *entry_of(struct tr_name_stats *a, uint32_t group, uint8_t kind, uint32_t name)
{
    uint64_t hash = tr_mix64(((uint64_t)group << 32 | name) ^ 0xa0761d6478bd642fu, 0x9e3779b97f4a7c15u + kind);
    struct tr_hash_walk walk = tr_hash_index_walk(&a->index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;) {
        struct entry *e = &a->entries[i];
        if (e->name == name && e->group == group && e->kind == kind)
            return e;
    }
    struct entry fresh = { group, name, kind, TR_STATS_INIT, NULL };
    if (!a->opts.sums_only)
        fresh.durations = tr_hist_new(a->opts.distinct);
    if ((!fresh.durations && !a->opts.sums_only) || a->n_entries >= UINT32_MAX - 1 ||
        !tr_grow(&a->entries, &a->cap_entries, a->n_entries + 1, sizeof *a->entries) ||
        !tr_hash_index_add(&a->index, hash, (uint32_t)a->n_entries)) {
        tr_hist_free(fresh.durations);
        return NULL;
    }
    a->entries[a->n_entries] = fresh;
    return &a->entries[a->n_entries++];
}

static bool add(struct tr_name_stats *a, uint32_t group, uint8_t kind, uint32_t name, int64_t dur)
{
    struct entry *e = entry_of(a, group, kind, name);
    if (!e || (e->durations && !tr_hist_add(e->durations, dur, 1)))
        return false;
    tr_stats_add(&e->stats, dur);
    return true;
}

/* ---- under which annotation ---- */

static uint32_t shortest(const struct tr_open_spans_track *t)
{
    const struct tr_open_spans_span *best = NULL;
    for (size_t k = 0; k < t->len; k++)
        if (!t->spans[k].closed &&
            (!best || t->spans[k].end - t->spans[k].start <= best->end - best->start))
            best = &t->spans[k];
    return best ? (uint32_t)best->tag : TR_NO_STR;
}

/* All that begins at this time has come. */
static bool name_covered(struct tr_name_stats *a)
{
    struct cover *c = &a->cover;
    bool ok = true;
    for (size_t i = 0; ok && i < c->n_spans; i++) {
        const struct uncovered *u = &c->spans[i];
        struct tr_open_spans_track *t = tr_open_spans_at(c->open, u->stream, c->now);
        ok = t && add(a, u->group, u->kind, shortest(t), u->dur);
    }
    c->n_spans = 0;
    return ok;
}

/* An event of a batch that the streams were turned to; false: out of memory. */
static bool come_to(struct tr_name_stats *a, const struct tr_batch *b, size_t i, uint32_t *stream)
{
    struct cover *c = &a->cover;
    struct tr_group_by_item item;
    *stream = UINT32_MAX;
    if (!tr_group_by_counts(&c->streams, i))
        return true;
    if (b->ts[i] != c->now && !name_covered(a))
        return false;
    c->now = b->ts[i];
    if (!tr_group_by_item(&c->streams, i, &item))
        return false;
    *stream = item.group;
    if (b->activity[i] != TR_ACT_DEVICE_ANNOTATION || item.end == item.start)
        return true;
    int64_t end = tr_span_inner_end(b, i);
    end = end == TR_TIME_NONE || end > item.end ? item.end : end; /* a window may have cut it */
    struct tr_open_spans_track *t = tr_open_spans_at(c->open, item.group, item.start);
    return t && tr_open_spans_push(t, item.start, end, b->name[i], false);
}

static bool add_uncovered(struct cover *c, const struct uncovered *u)
{
    if (!tr_grow(&c->spans, &c->cap_spans, c->n_spans + 1, sizeof *c->spans))
        return false;
    c->spans[c->n_spans++] = *u;
    return true;
}

enum tr_status tr_name_stats_feed(struct tr_name_stats *a, const struct tr_batch *b, const uint8_t *keep,
                                  struct tr_error *err)
{
    struct tr_group_by *w = &a->work;
    struct tr_group_by_item item;
    bool by_cover = a->opts.by_cover, ok = true;
    enum tr_status st = tr_group_by_batch(w, b, keep, err);
    if (st == TR_OK && by_cover)
        st = tr_group_by_batch(&a->cover.streams, b, NULL, err);
    if (st != TR_OK)
        return st;
    const uint32_t *names = b->name;
    if (a->opts.by_class) {
        if (!tr_grow(&a->label, &a->cap_label, b->n, sizeof *a->label))
            return tr_fail_memory(err);
        tr_batch_expand_str(b, TR_COL_CLASS, a->label);
        names = a->label;
    }
    for (size_t i = 0; ok && i < b->n; i++) {
        uint32_t stream = UINT32_MAX;
        ok = !by_cover || come_to(a, b, i, &stream);
        if (!ok || !tr_group_by_counts(w, i) || b->dur[i] == TR_TIME_NONE)
            continue;
        ok = tr_group_by_item(w, i, &item);
        uint8_t kind = a->opts.by_kind ? b->kind[i] : TR_KIND_NONE;
        const struct uncovered u = { stream, item.group, kind, item.end - item.start };
        if (ok && by_cover && stream != UINT32_MAX)
            ok = add_uncovered(&a->cover, &u);
        else if (ok)
            ok = add(a, u.group, kind, by_cover ? TR_NO_STR : names[i], u.dur);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- the result ---- */

struct sorted {
    uint32_t place; /* of the group in the order of keys */
    uint8_t kind;
    int64_t sum;
    struct tr_str name;
    struct entry *entry;
};

static int by_rank_in_table(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->sum != y->sum)
        return (uint64_t)x->sum > (uint64_t)y->sum ? -1 : 1; /* what does not fit is the largest */
    int c = tr_str_cmp(x->name, y->name);
    return c ? c : (x->kind > y->kind) - (x->kind < y->kind);
}

static struct sorted *sort_entries(const struct tr_name_stats *a)
{
    size_t n_groups = a->work.n_groups;
    uint32_t *order = tr_group_by_order(&a->work), *place = calloc(n_groups + 1, sizeof *place);
    struct sorted *sorted = calloc(a->n_entries + 1, sizeof *sorted);
    for (size_t g = 0; order && place && g < n_groups; g++)
        place[order[g]] = (uint32_t)g;
    for (size_t i = 0; order && place && sorted && i < a->n_entries; i++) {
        struct entry *e = &a->entries[i];
        sorted[i] = (struct sorted){ place[e->group],
                                     e->kind,
                                     tr_stats_sum(&e->stats),
                                     tr_dict_text(a->work.dict, e->name),
                                     e };
    }
    if (order && place && sorted)
        qsort(sorted, a->n_entries, sizeof *sorted, by_rank_in_table);
    if (!order || !place) {
        free(sorted);
        sorted = NULL;
    }
    free(order);
    free(place);
    return sorted;
}

static bool add_row(struct tr_name_stats *a, const struct tr_name_stats_row *row)
{
    if (!tr_grow(&a->rows, &a->cap_rows, a->n_rows + 1, sizeof *a->rows))
        return false;
    a->rows[a->n_rows++] = *row;
    return true;
}

/* One row for the names from s[0] to s[n - 1]; it differs from `like` in name and numbers. */
static bool add_others(struct tr_name_stats *a, const struct sorted *s, size_t n, struct tr_name_stats_row like)
{
    struct tr_hist *all = NULL;
    if (!a->opts.sums_only) {
        if (!tr_grow(&a->others, &a->cap_others, a->n_others + 1, sizeof *a->others) ||
            !(all = tr_hist_new(a->opts.distinct)))
            return false;
        a->others[a->n_others++] = all;
    }
    like.name = tr_str_of(NULL);
    like.first = (size_t)(s[0].entry - a->entries);
    like.n_names = n;
    like.stats = (struct tr_stats)TR_STATS_INIT;
    like.durations = all;
    for (size_t i = 0; i < n; i++) {
        if (s[i].kind != s[0].kind) {
            like.kind = TR_KIND_NONE;
            like.kind_whole = TR_TIME_NONE;
        }
        tr_stats_merge(&like.stats, &s[i].entry->stats);
        if (all && !tr_hist_merge(all, s[i].entry->durations))
            return false;
    }
    if (all)
        tr_hist_seal(all);
    return add_row(a, &like);
}

/* Rows for the n names of one group. */
static bool add_rows(struct tr_name_stats *a, const struct sorted *s, size_t n)
{
    int64_t whole = 0, sum = 0, of_kind[TR_N_KINDS] = { 0 };
    for (size_t i = 0; i < n; i++) {
        whole = tr_time_sum(whole, s[i].sum);
        of_kind[s[i].kind] = tr_time_sum(of_kind[s[i].kind], s[i].sum);
    }
    bool limited = a->opts.ratio < 1;
    for (size_t i = 0; i < n; i++) {
        struct entry *e = s[i].entry;
        struct tr_name_stats_row row = { .key = a->work.groups[e->group],
                                         .kind = e->kind,
                                         .name = s[i].name,
                                         .n_names = 1,
                                         .first = (size_t)(e - a->entries),
                                         .stats = e->stats,
                                         .durations = e->durations,
                                         .whole = whole,
                                         .kind_whole = of_kind[s[i].kind] };
        bool reached = limited && i && (double)sum >= a->opts.ratio * (double)whole;
        if (reached || (a->opts.top && i >= a->opts.top))
            return add_others(a, s + i, n - i, row);
        sum = tr_time_sum(sum, s[i].sum);
        if (e->durations)
            tr_hist_seal(e->durations);
        if (!add_row(a, &row))
            return false;
    }
    return true;
}

enum tr_status tr_name_stats_finish(struct tr_name_stats *a, const struct tr_name_stats_row **rows, size_t *n,
                                    struct tr_error *err)
{
    bool ok = !a->opts.by_cover || name_covered(a);
    struct sorted *s = ok ? sort_entries(a) : NULL;
    ok = s != NULL;
    for (size_t i = 0, end; ok && i < a->n_entries; i = end) {
        for (end = i; end < a->n_entries && s[end].place == s[i].place;)
            end++;
        ok = add_rows(a, s + i, end - i);
    }
    free(s);
    *rows = a->rows;
    *n = a->n_rows;
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- partial results ---- */

struct saved {
    struct tr_group_key key;
    struct tr_str kind, name;
    struct tr_stats stats;
    struct tr_hist *durations;
};

static const struct tr_saved_column columns[] = {
    { NULL, TR_SAVED_GROUP, offsetof(struct saved, key) },
    { "kind", TR_SAVED_TEXT, offsetof(struct saved, kind) },
    { "name", TR_SAVED_TEXT, offsetof(struct saved, name) },
    { "dur", TR_SAVED_STATS, offsetof(struct saved, stats) },
    { "dur", TR_SAVED_VALUES, offsetof(struct saved, durations) },
};

const struct tr_saved_table tr_name_stats_saved = TR_SAVED_TABLE("names", columns);

enum tr_status tr_name_stats_save(struct tr_name_stats *a, struct tr_partial_out *out, struct tr_error *err)
{
    if (a->opts.by_cover && !name_covered(a))
        return tr_fail_memory(err);
    for (size_t i = 0; i < a->n_entries; i++) {
        const struct entry *e = &a->entries[i];
        const struct saved r = { .key = a->work.groups[e->group],
                                 .kind = tr_str_of(a->opts.by_kind ? tr_kind_name(e->kind) : NULL),
                                 .name = tr_dict_text_if(a->work.dict, e->name),
                                 .stats = e->stats,
                                 .durations = e->durations };
        tr_partial_put(out, 0, &r);
    }
    return TR_OK;
}

/* The kind of a row; TR_N_KINDS: there is none of that name. */
static unsigned kind_of(const struct tr_name_stats *a, struct tr_str text)
{
    unsigned kind = 0;
    if (!a->opts.by_kind)
        return text.s ? TR_N_KINDS : TR_KIND_NONE;
    while (kind < TR_N_KINDS && !tr_str_is(text, tr_kind_name((enum tr_kind)kind)))
        kind++;
    return kind;
}

enum tr_status tr_name_stats_load(struct tr_name_stats *a, struct tr_partial_in *in, struct tr_error *err)
{
    struct saved r;
    uint32_t group;
    while (tr_partial_get(in, 0, &r) && tr_partial_group(in, &a->work, &r.key, &group)) {
        unsigned kind = kind_of(a, r.kind);
        uint32_t name = tr_partial_string(in, r.name);
        if (kind == TR_N_KINDS || !r.durations != a->opts.sums_only || !r.stats.n ||
            (r.durations && tr_hist_count(r.durations) != r.stats.n))
            tr_partial_wrong(in, "durations of a name");
        if (tr_partial_status(in, err) != TR_OK)
            break;
        struct entry *e = entry_of(a, group, (uint8_t)kind, name);
        if (!e)
            return tr_fail_memory(err);
        if (!tr_partial_add_stats(in, &e->stats, &r.stats) ||
            (e->durations && !tr_partial_add_values(in, e->durations, r.durations)))
            break;
    }
    return tr_partial_status(in, err);
}
