/* SPDX-License-Identifier: MIT */
/* Durations per name in each group. */
#include "analysis/sums/tr_name_stats.h"

#include "base/tr_mem.h"
#include "model/tr_kinds.h"
#include "model/tr_open_spans.h"

#include <stdlib.h>
#include <string.h>

/* A span whose annotation may still come: it may start at the same time. */
struct uncovered {
    uint32_t stream, group, kind;
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
    struct tr_rows *rows;
    uint32_t *label; /* by_class: of this batch */
    size_t cap_label;
};

const struct tr_table_column tr_name_stats_columns[] = {
    { "kind", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct tr_name_stats_row, kind), .word = tr_kind_word,
      .n_words = TR_N_KINDS, .meaning = "compute, comm, memory or other" },
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct tr_name_stats_row, name), .names = true,
      .meaning = "the kernel, copy or memset" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct tr_name_stats_row, dur), .meaning = "how often" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct tr_name_stats_row, dur), .main = true,
      .meaning = "sum of durations" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "sum", .meaning = "share of the sum of the group" },
    { "kind_pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .extra = true, .unit = "%", .of = "sum", .within = "kind",
      .meaning = "share of the sum of its kind in the group" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, TR_OF(struct tr_name_stats_row, dur), .of = "sum", .per = "count",
      .meaning = "mean duration" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct tr_name_stats_row, dur), .extra = true,
      .meaning = "standard deviation of the sample" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct tr_name_stats_row, dur), .extra = true,
      .meaning = "shortest duration" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct tr_name_stats_row, dur), .percent = 50, .extra = true,
      .meaning = "median duration" },
    { "p99", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct tr_name_stats_row, dur), .percent = 99, .extra = true,
      .meaning = "99th percentile of durations" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct tr_name_stats_row, dur), .meaning = "longest duration" },
    { "names", TR_CELL_COUNT, TR_ROLE_COUNT, .quiet = TR_QUIET_1, .meaning = "number of names that the row sums up" },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct tr_name_stats_row, dur), .quiet = TR_QUIET_0,
      .meaning = "1: percentiles are approximate, to 2^-11 of their value" },
};
_Static_assert(sizeof tr_name_stats_columns / sizeof *tr_name_stats_columns == TR_N_NAME_STATS, "all columns");

const struct tr_row_type tr_name_stats_type = {
    .name = "names",
    .size = sizeof(struct tr_name_stats_row),
    .key_size = offsetof(struct tr_name_stats_row, kind) + sizeof(uint32_t),
    .columns = tr_name_stats_columns,
    .n_columns = TR_N_NAME_STATS,
    .order = "sum,name,kind",
    .distinct = TR_ROWS_DISTINCT,
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

enum tr_status tr_name_stats_new(const struct tr_name_stats_opts *opts, const struct tr_analysis_in *in,
                                 struct tr_name_stats **names, struct tr_error *err)
{
    struct tr_name_stats *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->opts = *opts;
    enum tr_status st = tr_group_by_init(&a->work, &opts->work, in->dict, in->summary, in->sorted, in->select, err);
    if (st == TR_OK && opts->by_cover)
        st = cover_init(&a->cover, in->dict, in->summary, in->sorted, err);
    if (st == TR_OK && !(a->rows = tr_rows_new(&tr_name_stats_type, in, &a->work, opts->sums_only)))
        st = tr_fail_memory(err);
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
    tr_rows_free(a->rows);
    tr_group_by_free(&a->work);
    tr_group_by_free(&a->cover.streams);
    tr_open_spans_free(a->cover.open);
    free(a->cover.spans);
    free(a->label);
    free(a);
}

/* ---- gathering ---- */

static bool add(struct tr_name_stats *a, uint32_t group, uint32_t kind, uint32_t name, int64_t dur)
{
    const struct tr_name_stats_row key = { .group = group, .name = name, .kind = kind };
    struct tr_name_stats_row *r = tr_rows_at(a->rows, &key);
    return r && tr_sample_add(&r->dur, dur);
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
        uint32_t kind = a->opts.by_kind ? b->kind[i] : TR_KIND_NONE;
        const struct uncovered u = { stream, item.group, kind, item.end - item.start };
        if (ok && by_cover && stream != UINT32_MAX)
            ok = add_uncovered(&a->cover, &u);
        else if (ok)
            ok = add(a, u.group, kind, by_cover ? TR_NO_STR : names[i], u.dur);
    }
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- the result ---- */

enum tr_status tr_name_stats_complete(struct tr_name_stats *a, struct tr_error *err)
{
    return !a->opts.by_cover || name_covered(a) ? TR_OK : tr_fail_memory(err);
}

struct tr_rows *tr_name_stats_rows(struct tr_name_stats *a)
{
    return a->rows;
}

/* ---- for rules ---- */

enum tr_status tr_name_sums(struct tr_name_stats *a, struct tr_name_sum **sums, size_t *n, struct tr_error *err)
{
    enum tr_status st = tr_name_stats_complete(a, err);
    uint32_t *order = st == TR_OK ? tr_rows_order(a->rows) : NULL;
    *n = tr_rows_count(a->rows);
    *sums = order ? malloc((*n + 1) * sizeof **sums) : NULL;
    if (!*sums)
        *n = 0;
    for (size_t i = 0, end; i < *n; i = end) {
        int64_t whole = 0;
        const struct tr_name_stats_row *first = tr_rows_get(a->rows, order[i]);
        uint32_t group = first->group;
        for (end = i; end < *n; end++) {
            const struct tr_name_stats_row *r = tr_rows_get(a->rows, order[end]);
            if (r->group != group)
                break;
            (*sums)[end] = (struct tr_name_sum){ .key = a->work.groups[group],
                                                 .name = tr_dict_text(a->work.dict, r->name),
                                                 .kind = r->kind,
                                                 .first = order[end],
                                                 .count = r->dur.stats.n,
                                                 .sum = tr_stats_sum(&r->dur.stats) };
            whole = tr_time_sum(whole, (*sums)[end].sum);
        }
        for (size_t k = i; k < end; k++)
            (*sums)[k].whole = whole;
    }
    free(order);
    return st == TR_OK && !*sums ? tr_fail_memory(err) : st;
}
