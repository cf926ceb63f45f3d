/* SPDX-License-Identifier: MIT */
/*
 * What did annotations of the host cost on the device?
 *
 * The projection of one annotation is the time from the first start to the last end of the device work that was
 * launched inside of it, on its thread.  Work counts for each annotation around its launch.
 *
 * One pass over events in canonical order.  Memory: 120 bytes per annotation until it has ended and its work has come,
 * 16 per stretch of that work, 50 per launch whose work has not come.
 */
#include "analysis/util/tr_util_analyses.h"
#include "base/tr_freelist.h"
#include "base/tr_union_length.h"
#include "engine/tr_rows.h"
#include "model/calls/tr_call_path.h"
#include "service/tr_pending.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct annotation {
    uint32_t group, name, source;
    uint32_t outer;   /* the annotation around it; NONE: there is none */
    size_t pending;   /* launches inside of it whose work has not all come, and annotations inside that are kept */
    int64_t end;      /* of its span */
    int64_t host;     /* ns in the window */
    bool live, counts;
    uint64_t n_work;
    struct tr_union_length work;
};

/* Work that came before its launch. */
struct early {
    struct tr_group_by_item at;
    uint32_t next;
};

/* A launch: the annotation around it, and its work that came before it. */
struct launch {
    uint32_t annotation, early;
};

struct projected {
    uint32_t group, name;
    uint64_t count, work;
    int64_t host, device, busy, launching_host;
    struct tr_sample each; /* times on the device of those that launched work */
};

struct projections {
    struct tr_grouped all;
    const struct tr_projection_options *options;
    struct tr_call_path *path;
    struct tr_pending launches;
    struct tr_freelist places, early_places;
    struct annotation *annotations;
    struct early *early;
    int64_t *come_to; /* by source */
    size_t n_come, cap_come;
    size_t sweep_at;
};

static const struct tr_table_column columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct projected, name), .names = true, .meaning = "the annotation" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct projected, count), .meaning = "how often it was entered" },
    { "host", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct projected, host), .meaning = "sum of its times on the host" },
    { "device", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct projected, device), .main = true,
      .meaning = "sum of its times on the device: each from the first to the last work launched inside of it" },
    { "busy_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "busy", .per = "device",
      .meaning = "share of this time in which this work ran" },
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct projected, work), .extra = true,
      .meaning = "kernels, copies and memsets that were launched inside of it" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct projected, busy), .extra = true,
      .meaning = "time in which this work ran" },
    { "launching", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct projected, each), .extra = true,
      .meaning = "how often work was launched inside of it; the columns below are about these" },
    { "launching_host", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct projected, launching_host), .extra = true,
      .meaning = "sum of their times on the host" },
    { "device_mean", TR_CELL_TIME, TR_ROLE_MEAN, TR_OF(struct projected, each), .per = "launching", .extra = true,
      .meaning = "mean of their times on the device" },
    { "device_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct projected, each), .percent = 50, .extra = true,
      .meaning = "median of the same" },
    { "device_min", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct projected, each), .extra = true,
      .meaning = "smallest of the same" },
    { "device_max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct projected, each), .extra = true,
      .meaning = "largest of the same" },
    { "device_std", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct projected, each), .extra = true,
      .meaning = "standard deviation of the same, of the sample" },
    { "kernels_mean", TR_CELL_RATIO, TR_ROLE_RATIO, 1, .of = "kernels", .per = "launching", .extra = true,
      .meaning = "kernels, copies and memsets of each" },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, TR_OF(struct projected, each), .quiet = TR_QUIET_0,
      .meaning = "1: medians are approximate, to 2^-11 of their value" },
};

static const struct tr_row_type type = {
    .name = "projections",
    .size = sizeof(struct projected),
    .key_size = offsetof(struct projected, name) + sizeof(uint32_t),
    .columns = columns,
    .n_columns = sizeof columns / sizeof *columns,
    .order = "device,host,name",
    .distinct = (size_t)1 << 20,
};

static void release(void *state)
{
    struct projections *s = state;
    for (size_t i = 0; i < s->places.n; i++)
        tr_union_length_free(&s->annotations[i].work);
    free(s->annotations);
    free(s->early);
    free(s->come_to);
    tr_freelist_free(&s->places);
    tr_freelist_free(&s->early_places);
    tr_pending_free(&s->launches);
    tr_call_path_free(s->path);
    tr_grouped_free(&s->all);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    static const struct launch none = { NONE, NONE };
    struct projections *s = state;
    s->options = options;
    s->sweep_at = 1024;
    tr_pending_init(&s->launches, in->dict, &none, sizeof none);
    if (!(s->path = tr_call_path_new()))
        return tr_fail_memory(err);
    return tr_grouped_start(&s->all, &type, in, 0, err);
}

/* ---- annotations ---- */

/* An annotation of which nothing more comes is counted.  False: out of memory, here and below. */
static bool close_annotation(struct projections *s, uint32_t number)
{
    struct annotation *a = &s->annotations[number];
    if (a->counts || a->n_work) {
        struct projected *row = tr_rows_at(s->all.rows, &(struct projected){ .group = a->group, .name = a->name });
        if (!row)
            return false;
        const struct tr_union_length_piece *first = a->work.room + a->work.first;
        row->count += a->counts;
        row->host = tr_time_sum(row->host, a->counts ? a->host : 0);
        row->work += a->n_work;
        row->busy = tr_time_sum(row->busy, tr_time_of_length(tr_union_length_ns(&a->work)));
        if (a->work.n) {
            int64_t device = tr_time_diff(first[a->work.n - 1].end, first->start);
            row->device = tr_time_sum(row->device, device);
            row->launching_host = tr_time_sum(row->launching_host, a->counts ? a->host : 0);
            if (device != TR_TIME_NONE && !tr_sample_add(&row->each, device))
                return false;
        }
    }
    if (a->outer != NONE)
        s->annotations[a->outer].pending--;
    tr_union_length_free(&a->work);
    a->live = false;
    tr_freelist_give(&s->places, number);
    return true;
}

static bool close_annotations(struct projections *s, bool all)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < s->places.n; i++)
        for (uint32_t k = i, outer; ok && k != NONE; k = outer) {
            const struct annotation *a = &s->annotations[k];
            outer = a->outer;
            if (!a->live || (!all && (a->pending || a->end >= s->come_to[a->source])))
                break;
            ok = close_annotation(s, k);
            outer = all ? NONE : outer;
        }
    size_t left = tr_freelist_used(&s->places);
    s->sweep_at = left < 512 ? 1024 : left * 2;
    return ok;
}

static bool open_annotation(struct projections *s, const struct tr_batch *b, size_t i, struct tr_call *span,
                            uint32_t outer, bool counts)
{
    uint32_t number = tr_freelist_take(&s->places, &s->annotations, sizeof *s->annotations);
    if (number == NONE)
        return false;
    uint32_t source = s->all.work.dict->tracks[b->track[i]].source;
    int64_t from = tr_select_clip(s->all.work.select, source, span->start);
    int64_t to = span->dur == INT64_MAX ? from : tr_select_clip(s->all.work.select, source, span->end);
    struct annotation *a = &s->annotations[number];
    *a = (struct annotation){ .name = b->name[i],
                              .source = source,
                              .outer = outer,
                              .end = span->end,
                              .host = tr_time_diff(to, from),
                              .live = true,
                              .counts = counts };
    if (outer != NONE)
        s->annotations[outer].pending++;
    span->tag = (uint64_t)number + 1;
    return tr_group_by_group(&s->all.work, i, &a->group);
}

/* ---- launches and their work ---- */

static bool give(struct projections *s, uint32_t annotation, const struct tr_group_by_item *at)
{
    bool ok = true;
    for (uint32_t k = annotation; ok && k != NONE; k = s->annotations[k].outer) {
        struct annotation *a = &s->annotations[k];
        a->n_work++;
        ok = tr_union_length_add(&a->work, at->start, at->end);
    }
    return ok;
}

static bool add_launch(struct projections *s, const struct tr_batch *b, size_t i, uint32_t annotation)
{
    uint32_t number;
    bool ok = tr_pending_call(&s->launches, b, i, annotation != NONE, &number);
    if (!ok || number == TR_PENDING_NONE)
        return ok;
    struct launch *l = tr_pending_at(&s->launches, number);
    l->annotation = annotation;
    for (uint32_t e = l->early, next; ok && e != NONE; e = next) {
        next = s->early[e].next;
        ok = give(s, annotation, &s->early[e].at);
        tr_freelist_give(&s->early_places, e);
    }
    l->early = NONE;
    if (annotation != NONE && !tr_pending_is_whole(&s->launches, number))
        s->annotations[annotation].pending++;
    tr_pending_settle(&s->launches, number);
    return ok;
}

static bool keep_early(struct projections *s, struct launch *l, const struct tr_group_by_item *at)
{
    uint32_t e = tr_freelist_take(&s->early_places, &s->early, sizeof *s->early);
    if (e == NONE)
        return false;
    s->early[e] = (struct early){ *at, l->early };
    l->early = e;
    return true;
}

static bool add_work(struct projections *s, const struct tr_batch *b, size_t i)
{
    struct tr_group_by_item at;
    uint32_t number;
    bool counts = tr_group_by_counts(&s->all.work, i);
    if (!tr_pending_work(&s->launches, b, i, &number) || (counts && !tr_group_by_item(&s->all.work, i, &at)))
        return false;
    if (number == TR_PENDING_NONE)
        return true;
    struct launch *l = tr_pending_at(&s->launches, number);
    if (!tr_pending_has_come(&s->launches, number))
        return !counts || keep_early(s, l, &at);
    bool ok = !counts || give(s, l->annotation, &at);
    if (l->annotation != NONE)
        s->annotations[l->annotation].pending -= tr_pending_is_whole(&s->launches, number);
    tr_pending_settle(&s->launches, number);
    return ok;
}

static bool add_call(struct projections *s, const struct tr_batch *b, size_t i, const uint8_t *keep,
                     struct tr_error *err)
{
    struct tr_callpath path;
    if (tr_call_path_enter(s->path, b, i, &path, err) != TR_OK)
        return false;
    struct tr_call *span = &path.open[path.depth];
    uint64_t around = path.depth ? path.open[path.depth - 1].tag : 0;
    bool suspect = b->suspect[i] != TR_SUSPECT_NO && !s->all.work.opts.suspect;
    span->tag = around;
    if (b->activity[i] == TR_ACT_ANNOTATION &&
        !open_annotation(s, b, i, span, around ? (uint32_t)(around - 1) : NONE, (!keep || keep[i]) && !suspect))
        return false;
    return !(b->flags[i] & TR_HAS_DEVICE) || add_launch(s, b, i, span->tag ? (uint32_t)(span->tag - 1) : NONE);
}

static bool more_sources(struct projections *s)
{
    size_t n = s->all.work.dict->n_sources;
    if (!tr_grow(&s->come_to, &s->cap_come, n, sizeof *s->come_to))
        return false;
    while (s->n_come < n)
        s->come_to[s->n_come++] = TR_TIME_NONE;
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct projections *s = state;
    const uint8_t *host = s->all.work.select ? tr_select_before_where(s->all.work.select, keep) : keep;
    (void)t;
    enum tr_status st = tr_group_by_batch(&s->all.work, b, keep, err);
    if (st != TR_OK)
        return st;
    bool ok = tr_pending_batch(&s->launches, b) && more_sources(s);
    for (size_t i = 0; ok && i < b->n; i++) {
        if (tr_is_call(b, i))
            ok = add_call(s, b, i, host, err);
        else if (b->phase[i] == TR_SPAN && tr_is_device_work(b->activity[i]))
            ok = add_work(s, b, i);
        s->come_to[s->all.work.dict->tracks[b->track[i]].source] = b->ts[i];
    }
    if (ok && tr_freelist_used(&s->places) >= s->sweep_at)
        ok = close_annotations(s, false);
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status complete(void *state, struct tr_error *err)
{
    return close_annotations(state, true) ? TR_OK : tr_fail_memory(err);
}

static bool launched_nothing(void *self, const void *row)
{
    (void)self;
    return !((const struct projected *)row)->each.stats.n;
}

static void cut_rows(const void *options, struct tr_rows_cut *cut)
{
    const struct tr_projection_options *o = options;
    cut->skip = o->launching_only ? launched_nothing : NULL;
}

static const struct tr_projection_options defaults;
static const struct tr_option settings[] = {
    { 0, "launching-only", NULL, TR_OPTION_FLAG, offsetof(struct tr_projection_options, launching_only),
      .hidden = true },
    { 0 },
};
const struct tr_projection_options tr_projection_launching = { .launching_only = true };

const struct tr_analysis tr_analysis_util_annotation = {
    .name = "annotation",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "name", .y = { "device", "host" }, .facet = "rank" },
    .question = "What did annotated parts of the program cost on the device?",
    .nothing = "no annotations of the host are selected",
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_ALL),
    .group = TR_PER_RANK,
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(FLAGS),
                         .derived = TR_PENDING_DERIVED,
                         .any_rank_order = true },
               .host = true },
    TR_OPTIONS(settings, defaults),
    TR_OWN_COLUMNS(columns),
    .cut = cut_rows,
    .state_size = sizeof(struct projections),
    .start = start,
    .feed = feed,
    .complete = complete,
    .rows = tr_rows_first,
    .free = release,
    .saving = &(const struct tr_saving){ .name = "projection", .version = 2, .whole_ranks = true,
                                         TR_SAVED_ROWS(type) },
};
