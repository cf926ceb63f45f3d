/* SPDX-License-Identifier: MIT */
/* Durations per name in each group. */
#include "analysis/sums/tr_name_stats.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "model/tr_open_spans.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    uint32_t group, name;
    uint8_t kind;
    struct tr_stats stats;
    struct tr_hist *durations; /* NULL: sums_only, or all so far are equal */
};

/* A span whose annotation may still come: it may start at the same time. */
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
    struct tr_spilling entries_in; /* where the entries are */
    struct tr_hash_index index; /* of entries by group, kind and name */
    struct tr_name_stats_row *rows;
    struct tr_spilling rows_in; /* where they are */
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
    a->entries_in.spill = a->rows_in.spill = a->index.spill = tr_strtab_spill(dict->strings); /* where the names are */
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
    for (size_t i = 0; i < a->n_entries; i++) {
        tr_spilling_touched(&a->entries_in);
        tr_hist_free(a->entries[i].durations);
    }
    for (size_t i = 0; i < a->n_others; i++)
        tr_hist_free(a->others[i]);
    tr_spilling_free(&a->entries_in, a->entries);
    tr_hash_index_free(&a->index);
    tr_spilling_free(&a->rows_in, a->rows);
    free(a->others);
    free(a->label);
    free(a);
}

/* ---- gathering ---- */

/* The entry of a name; it is made if it is new.  NULL: out of memory. */
static struct entry *entry_of(struct tr_name_stats *a, uint32_t group, uint8_t kind, uint32_t name)
{
    uint64_t hash = tr_mix64(((uint64_t)group << 32 | name) ^ 0xa0761d6478bd642fu, 0x9e3779b97f4a7c15u + kind);
    struct tr_hash_walk walk = tr_hash_index_walk(&a->index, hash);
    for (uint32_t i; (i = tr_hash_index_next(&walk)) != TR_HASH_NONE;) {
        struct entry *e = &a->entries[i];
        if (e->name == name && e->group == group && e->kind == kind)
            return e;
    }
    if (a->n_entries >= UINT32_MAX - 1 ||
        !tr_spilling_grow(&a->entries_in, &a->entries, &a->cap_entries, a->n_entries + 1, sizeof *a->entries) ||
        !tr_hash_index_add(&a->index, hash, (uint32_t)a->n_entries))
        return NULL;
    a->entries[a->n_entries] = (struct entry){ group, name, kind, TR_STATS_INIT, NULL };
    return &a->entries[a->n_entries++];
}

/* The durations of an entry; so far all may have been equal.  False: out of memory. */
static bool need_durations(const struct tr_name_stats *a, struct entry *e)
{
    if (e->durations || a->opts.sums_only)
        return true;
    e->durations = tr_hist_new(a->opts.distinct);
    return e->durations && (!e->stats.n || tr_hist_add(e->durations, e->stats.min, e->stats.n));
}

static bool add(struct tr_name_stats *a, uint32_t group, uint8_t kind, uint32_t name, int64_t dur)
{
    tr_spilling_touched(&a->entries_in);
    struct entry *e = entry_of(a, group, kind, name);
    if (!e || (e->stats.n && dur != e->stats.min && !need_durations(a, e)) ||
        (e->durations && !tr_hist_add(e->durations, dur, 1)))
        return false;
    tr_stats_add(&e->stats, dur);
    return true;
}

/* ---- the annotation around a span ---- */

static uint32_t shortest(const struct tr_open_spans_track *t)
{
    const struct tr_open_spans_span *best = NULL;
    for (size_t k = 0; k < t->len; k++)
        if (!t->spans[k].closed &&
            (!best || t->spans[k].end - t->spans[k].start <= best->end - best->start))
            best = &t->spans[k];
    return best ? (uint32_t)best->tag : TR_NO_STR;
}

/* All spans that start at this time have come. */
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

/* Take an event of a batch that the streams already know; false: out of memory. */
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
        if (!ok || !tr_group_by_counts(w, i) || b->dur[i] == TR_TIME_NONE ||
            (a->opts.shorter && b->dur[i] >= a->opts.shorter))
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
        return (uint64_t)x->sum > (uint64_t)y->sum ? -1 : 1; /* a value that does not fit is the largest */
    int c = tr_str_cmp(x->name, y->name);
    return c ? c : (x->kind > y->kind) - (x->kind < y->kind);
}

/* Add an entry to the sums of others.  False: out of memory. */
static bool add_entry(struct tr_stats *stats, struct tr_hist *durations, const struct entry *e)
{
    tr_stats_merge(stats, &e->stats);
    return !durations || (e->durations ? tr_hist_merge(durations, e->durations)
                                       : tr_hist_add(durations, e->stats.min, e->stats.n));
}

/* Entries of a group that are certain to be among the others. */
struct dropped {
    size_t n;
    int64_t whole, of_kind[TR_N_KINDS];
    struct tr_stats stats;
    struct tr_hist *durations;
    uint8_t kind; /* of the first */
    bool mixed;   /* there are more kinds */
};

/* Entries in the order of the table.  With a limit, each group has only as many as there can be rows, and one more. */
struct sorting {
    struct sorted *v;
    size_t n, cap, n_groups;
    uint32_t *place;         /* by group: index in the order of keys */
    struct dropped *dropped; /* by place */
};

static void sorting_free(struct sorting *s)
{
    for (size_t i = 0; s->dropped && i < s->n_groups; i++)
        tr_hist_free(s->dropped[i].durations);
    free(s->v);
    free(s->place);
    free(s->dropped);
}

static bool drop(const struct tr_name_stats *a, struct dropped *d, const struct sorted *s)
{
    if (!d->n) {
        d->kind = s->kind;
        d->stats = (struct tr_stats)TR_STATS_INIT;
        if (!a->opts.sums_only && !(d->durations = tr_hist_new(a->opts.distinct)))
            return false;
    }
    d->n++;
    d->mixed |= s->kind != d->kind;
    d->whole = tr_time_sum(d->whole, s->sum);
    d->of_kind[s->kind] = tr_time_sum(d->of_kind[s->kind], s->sum);
    return add_entry(&d->stats, d->durations, s->entry);
}

/* Sort the entries, and drop those beyond the limit. */
static bool prune(const struct tr_name_stats *a, struct sorting *s)
{
    size_t kept = 0, in_group = 0;
    bool ok = true;
    if (s->n)
        qsort(s->v, s->n, sizeof *s->v, by_rank_in_table);
    for (size_t i = 0; ok && a->opts.top && i < s->n; i++) {
        in_group = i && s->v[i].place == s->v[i - 1].place ? in_group + 1 : 0;
        if (in_group > a->opts.top)
            ok = drop(a, &s->dropped[s->v[i].place], &s->v[i]);
        else
            s->v[kept++] = s->v[i];
    }
    s->n = a->opts.top ? kept : s->n;
    return ok;
}

static bool room_to_sort(const struct tr_name_stats *a, struct sorting *s)
{
    if (s->n < s->cap)
        return true;
    if (a->opts.top && s->n && !prune(a, s))
        return false;
    return s->n < s->cap / 2 || tr_grow(&s->v, &s->cap, s->cap < 4096 ? 4096 : 2 * s->cap, sizeof *s->v);
}

static bool sort_entries(const struct tr_name_stats *a, struct sorting *s)
{
    uint32_t *order = tr_group_by_order(&a->work);
    s->n_groups = a->work.n_groups;
    s->place = calloc(s->n_groups + 1, sizeof *s->place);
    s->dropped = calloc(s->n_groups + 1, sizeof *s->dropped);
    bool ok = order && s->place && s->dropped;
    for (size_t g = 0; ok && g < s->n_groups; g++)
        s->place[order[g]] = (uint32_t)g;
    free(order);
    for (size_t i = 0; ok && i < a->n_entries; i++) {
        struct entry *e = &a->entries[i];
        tr_spilling_touched(&a->entries_in);
        ok = room_to_sort(a, s);
        if (ok)
            s->v[s->n++] = (struct sorted){ s->place[e->group], e->kind, tr_stats_sum(&e->stats),
                                            tr_dict_text(a->work.dict, e->name), e };
    }
    return ok && prune(a, s);
}

static bool add_row(struct tr_name_stats *a, const struct tr_name_stats_row *row)
{
    tr_name_stats_touched(a);
    if (!tr_spilling_grow(&a->rows_in, &a->rows, &a->cap_rows, a->n_rows + 1, sizeof *a->rows))
        return false;
    a->rows[a->n_rows++] = *row;
    return true;
}

void tr_name_stats_touched(const struct tr_name_stats *a)
{
    tr_spilling_touched(&a->rows_in);
    tr_spilling_touched(&a->entries_in);
}

/* One row for the names from s[0] to s[n - 1] and the dropped ones.  It differs from `like` in name and numbers. */
static bool add_others(struct tr_name_stats *a, const struct sorted *s, size_t n, const struct dropped *dropped,
                       struct tr_name_stats_row like)
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
    like.n_names = n + dropped->n;
    like.stats = (struct tr_stats)TR_STATS_INIT;
    like.durations = all;
    bool mixed = dropped->n && (dropped->mixed || dropped->kind != s[0].kind);
    if (dropped->n)
        tr_stats_merge(&like.stats, &dropped->stats);
    if (dropped->n && all && !tr_hist_merge(all, dropped->durations))
        return false;
    for (size_t i = 0; i < n; i++) {
        mixed |= s[i].kind != s[0].kind;
        if (!add_entry(&like.stats, all, s[i].entry))
            return false;
    }
    if (mixed) {
        like.kind = TR_KIND_NONE;
        like.kind_whole = TR_TIME_NONE;
    }
    if (all)
        tr_hist_seal(all);
    return add_row(a, &like);
}

/* Rows for the n names of one group. */
static bool add_rows(struct tr_name_stats *a, const struct sorted *s, size_t n, const struct dropped *dropped)
{
    int64_t whole = dropped->whole, sum = 0, of_kind[TR_N_KINDS];
    memcpy(of_kind, dropped->of_kind, sizeof of_kind);
    for (size_t i = 0; i < n; i++) {
        whole = tr_time_sum(whole, s[i].sum);
        of_kind[s[i].kind] = tr_time_sum(of_kind[s[i].kind], s[i].sum);
    }
    bool limited = a->opts.ratio < 1;
    for (size_t i = 0; i < n; i++) {
        struct entry *e = s[i].entry;
        bool reached = (limited && i && (double)sum >= a->opts.ratio * (double)whole) ||
                       (a->opts.top && i >= a->opts.top);
        if (!reached && !need_durations(a, e))
            return false;
        struct tr_name_stats_row row = { .key = a->work.groups[e->group],
                                         .kind = e->kind,
                                         .name = s[i].name,
                                         .n_names = 1,
                                         .first = (size_t)(e - a->entries),
                                         .stats = e->stats,
                                         .durations = e->durations,
                                         .whole = whole,
                                         .kind_whole = of_kind[s[i].kind] };
        if (reached)
            return add_others(a, s + i, n - i, dropped, row);
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
    struct sorting s = { .v = NULL };
    ok = ok && sort_entries(a, &s);
    for (size_t i = 0, end; ok && i < s.n; i = end) {
        for (end = i; end < s.n && s.v[end].place == s.v[i].place;)
            end++;
        ok = add_rows(a, s.v + i, end - i, &s.dropped[s.v[i].place]);
    }
    sorting_free(&s);
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
        struct entry *e = &a->entries[i];
        bool all_equal = !e->durations;
        if (!need_durations(a, e))
            return tr_fail_memory(err);
        const struct saved r = { .key = a->work.groups[e->group],
                                 .kind = tr_str_of(a->opts.by_kind ? tr_kind_name(e->kind) : NULL),
                                 .name = tr_dict_text_if(a->work.dict, e->name),
                                 .stats = e->stats,
                                 .durations = e->durations };
        tr_partial_put(out, 0, &r);
        if (all_equal) {
            tr_hist_free(e->durations);
            e->durations = NULL;
        }
    }
    return TR_OK;
}

/* The kind of a row; TR_N_KINDS: there is no kind of that name. */
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
        if (!e || !need_durations(a, e))
            return tr_fail_memory(err);
        if (!tr_partial_add_stats(in, &e->stats, &r.stats) ||
            (e->durations && !tr_partial_add_values(in, e->durations, r.durations)))
            break;
    }
    return tr_partial_status(in, err);
}
