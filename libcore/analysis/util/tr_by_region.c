/* SPDX-License-Identifier: MIT */
/* When were ranks little used, and why? */
#include "analysis/time/tr_idle.h"
#include "analysis/time/tr_time_analyses.h"
#include "analysis/util/tr_util_analyses.h"
#include "analysis/util/tr_util_int.h"

#include <stdlib.h>

struct regions {
    struct tr_analysis_in in;
    const struct tr_region_options *o;
    struct tr_idle *idle;
    struct tr_group_by *work; /* of idle */
    struct tr_time_bins bins; /* idle time by cause */
    struct tr_range *spans;   /* by group: first to last work */
    size_t n_spans, cap_spans;
};

static void release(void *state)
{
    struct regions *s = state;
    tr_time_bins_free(&s->bins);
    tr_idle_free(s->idle);
    free(s->spans);
}

/* A gap that is cut at the ends of bins; or one at the edge of a window, which has one cause. */
static bool see_gap(void *self, const struct tr_idle_gap *gap)
{
    struct regions *s = self;
    bool ok = true;
    if (gap->n_parts == 1)
        return tr_time_bins_add(&s->bins, gap->group, gap->parts[0].cause, gap->start, gap->end);
    for (size_t i = 0; ok && i < gap->n_parts; i++)
        ok = tr_time_bins_add_at(&s->bins, gap->group, gap->parts[i].cause, gap->start, (uint64_t)gap->parts[i].ns);
    return ok;
}

static int64_t cut(void *self, uint32_t group, int64_t ts)
{
    return tr_time_bins_edge(&((struct regions *)self)->bins, group, ts);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    struct regions *s = state;
    s->in = *in;
    s->o = options;
    enum tr_status st = tr_idle_new(&in->work, s->o->threshold, in->dict, in->summary, in->sorted, in->select, see_gap,
                                    s, &s->idle, err);
    if (st != TR_OK)
        return st;
    tr_idle_set_cut(s->idle, cut);
    s->work = tr_idle_groups(s->idle);
    return tr_time_bins_init(&s->bins, s->o->bin, TR_N_IDLE_CAUSES, &s->in, s->work) ? TR_OK : tr_fail_memory(err);
}

static bool more_spans(struct regions *s)
{
    if (!tr_grow(&s->spans, &s->cap_spans, s->work->n_groups + 1, sizeof *s->spans))
        return false;
    while (s->n_spans < s->work->n_groups)
        s->spans[s->n_spans++] = (struct tr_range){ INT64_MAX, INT64_MIN };
    return true;
}

/* Work that counts: bins reach it before gaps are cut. */
static bool reach(struct regions *s, size_t i)
{
    struct tr_group_by_item item;
    if (!tr_group_by_item(s->work, i, &item) || !more_spans(s))
        return false;
    struct tr_range *span = &s->spans[item.group];
    span->from = item.start < span->from ? item.start : span->from;
    span->to = item.end > span->to ? item.end : span->to;
    return tr_time_bins_work(&s->bins, item.group, item.start, item.end);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct regions *s = state;
    (void)t;
    enum tr_status st = tr_group_by_batch(s->work, b, keep, err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++)
        if (tr_group_by_counts(s->work, i) && !reach(s, i))
            st = tr_fail_memory(err);
    if (st == TR_OK && (st = tr_idle_feed(s->idle, b, keep, err)) != TR_OK && s->bins.too_many)
        st = tr_time_bins_fail(&s->bins, err);
    return st;
}

/* ---- rows ---- */

struct row {
    int64_t start, length, busy, cause_idle;
    const char *cause;
};

static const struct tr_table_column columns[] = {
    { "start", TR_CELL_TIME, TR_ROLE_KEY, TR_OF(struct row, start), .label = true,
      .meaning = "start of the stretch, as in its file" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, length), .main = true, .meaning = "its length" },
    { "busy_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 2, .unit = "%", .of = "busy", .per = "dur",
      .meaning = "share of it with any device work" },
    { "cause", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, cause),
      .meaning = "the largest cause of its idle time, as in tr-breakdown --by cause" },
    { "cause_idle", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, cause_idle), .extra = true,
      .meaning = "idle time by that cause" },
    { "busy", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct row, busy), .extra = true, .meaning = "any device work ran" },
};

/* Bins beside each other. */
struct stretch {
    int64_t start, end;
    uint64_t idle[TR_N_IDLE_CAUSES], all;
};

static void put(const struct regions *s, struct tr_table *t, uint32_t group, const struct stretch *of)
{
    const struct tr_group_key *key = &s->work->groups[group];
    unsigned max = 0;
    for (unsigned c = 1; c < TR_N_IDLE_CAUSES; c++)
        max = of->idle[c] > of->idle[max] ? c : max;
    const struct row row = { .start = tr_group_file_time(s->in.dict, key, of->start),
                             .length = of->end - of->start,
                             .busy = of->end - of->start - (int64_t)of->all,
                             .cause_idle = (int64_t)of->idle[max],
                             .cause = of->all ? tr_idle_cause_name(max) : NULL };
    tr_table_row(t, &(struct tr_row){ .group = key, .row = &row });
}

/* Bin number n within a span. */
static struct stretch bin_of(const struct regions *s, uint32_t group, int64_t n, struct tr_range span)
{
    struct tr_range bin = tr_time_bins_range(&s->bins, group, n);
    struct stretch one = { .start = bin.from > span.from ? bin.from : span.from,
                           .end = bin.to < span.to ? bin.to : span.to };
    for (unsigned c = 0; c < TR_N_IDLE_CAUSES; c++) {
        one.idle[c] = tr_time_bins_sum(&s->bins, group, c, n);
        one.all += one.idle[c];
    }
    return one;
}

static enum tr_status rows_of(const struct regions *s, struct tr_table *t, uint32_t group, struct tr_range span,
                              struct tr_error *err)
{
    struct stretch now = { 0 };
    bool open = false;
    int64_t n = tr_time_bins_number(&s->bins, group, span.from);
    int64_t last = tr_time_bins_number(&s->bins, group, span.to - 1);
    for (; n <= last; n++) {
        struct stretch bin = bin_of(s, group, n, span);
        uint64_t length = (uint64_t)(bin.end - bin.start);
        bool low = 100.0 * (double)(length - bin.all) < s->o->below * (double)length;
        if (open && !low)
            put(s, t, group, &now);
        if (open && low) {
            now.end = bin.end;
            now.all += bin.all;
            for (unsigned c = 0; c < TR_N_IDLE_CAUSES; c++)
                now.idle[c] += bin.idle[c];
        } else {
            now = bin;
        }
        open = low;
    }
    if (open)
        put(s, t, group, &now);
    return tr_table_status(t, err);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct regions *s = state;
    enum tr_status st = tr_group_by_finish(s->work, err);
    if (st != TR_OK)
        return st;
    uint32_t *order = tr_group_by_order(s->work);
    bool ok = order && more_spans(s) && tr_util_spans(s->work, order, s->spans, &s->bins) &&
              tr_group_remark_devices(&s->in, s->work, NULL);
    st = ok ? tr_util_room(&s->bins, s->spans, s->n_spans, err) : tr_fail_memory(err);
    if (st == TR_OK && (st = tr_idle_finish(s->idle, err)) != TR_OK && s->bins.too_many)
        st = tr_time_bins_fail(&s->bins, err);
    for (size_t i = 0; st == TR_OK && i < s->n_spans; i++)
        if (s->spans[order[i]].from < s->spans[order[i]].to)
            st = rows_of(s, t, order[i], s->spans[order[i]], err);
    free(order);
    tr_time_bins_remark(&s->bins);
    return st;
}

static const struct tr_region_options defaults = { .below = 50, .threshold = TR_IDLE_THRESHOLD };
static const struct tr_option options[] = {
    TR_UTIL_BIN(struct tr_region_options),
    { 0, "below", "PCT", TR_OPTION_DOUBLE, offsetof(struct tr_region_options, below), .lo = 0, .hi = 100,
      .help = "bins that are busy for less than this are of low use [50]" },
    { 0, "threshold", "TIME", TR_OPTION_TIME, offsetof(struct tr_region_options, threshold), .lo = 0, .hi = INT64_MAX,
      .help = "a shorter wait after the launch is overhead of the device [30us]" },
    { 0 },
};

const struct tr_analysis tr_analysis_util_region = {
    .name = "region",
    .chart = &(const struct tr_chart){ TR_CHART_BAND, .x = "start", .y = { "dur" }, .series = "cause",
                                       .facet = "rank" },
    .question = "When were the devices little used, and why?",
    .nothing = "no bin is busy for less than --below, or no device work is selected",
    .groups = TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_DEVICE),
    .group = TR_PER_RANK,
    TR_OPTIONS(options, defaults),
    .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME),
                         .derived = 1u << TR_COL_LAUNCH_TS | 1u << TR_COL_LAUNCH_DUR | 1u << TR_COL_LAUNCH_TRACK,
                         .any_rank_order = true } },
    TR_OWN_COLUMNS(columns),
    .state_size = sizeof(struct regions),
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .unsaved = TR_UTIL_UNSAVED,
};
