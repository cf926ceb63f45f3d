/* SPDX-License-Identifier: MIT */
/* Why were device streams idle? */
#include "analysis/time/tr_stream_idle.h"
#include "analysis/time/tr_time_analyses.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct stream_idle_state {
    enum tr_per per;
    struct tr_stream_idle *idle;
};

static const struct tr_table_column own_columns[] = {
    { "cause", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "what the stream waited for" },
    { "idle", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "sum of the gaps" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, .unit = "%", .of = "idle",
      .meaning = "share of all gaps of the group" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of gaps, also of length 0" },
    { "mean", TR_CELL_TIME, TR_ROLE_RATIO, .of = "idle", .per = "count", .meaning = "mean gap" },
    { "std", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "standard deviation of the sample" },
    { "min", TR_CELL_TIME, TR_ROLE_MIN, .extra = true, .meaning = "shortest gap" },
    { "p25", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "25th percentile of the gaps" },
    { "p50", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "median gap" },
    { "p75", TR_CELL_TIME, TR_ROLE_QUANTILE, .extra = true, .meaning = "75th percentile of the gaps" },
    { "max", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "longest gap" },
    { "approx", TR_CELL_COUNT, TR_ROLE_MAX, .quiet = TR_QUIET_0,
      .meaning = "1: percentiles are approximate, to 2^-11 of their value" },
};

static void needs(const void *options, struct tr_needs *n)
{
    (void)options;
    n->want.fixed = TR_GROUP_BY_FIXED;
    n->want.any_rank_order = true;
}

static void release(void *state)
{
    struct stream_idle_state *s = state;
    tr_stream_idle_free(s->idle);
    free(s);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void **state,
                            struct tr_error *err)
{
    const struct tr_idle_options *o = options;
    struct stream_idle_state *s = *state = calloc(1, sizeof *s);
    if (!s)
        return tr_fail_memory(err);
    s->per = in->work.per;
    return tr_stream_idle_new(&in->work, o->threshold, in->distinct, in->dict, in->summary, in->sorted, in->select,
                       &s->idle, err);
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                           struct tr_table *t, struct tr_error *err)
{
    struct stream_idle_state *s = state;
    (void)t;
    return tr_stream_idle_feed(s->idle, b, keep, err);
}

/* Without gaps, there is no time. */
static void extreme(struct tr_table *t, const struct tr_stats *s, int64_t value)
{
    if (s->n)
        tr_table_time(t, value);
    else
        tr_table_absent(t);
}

static void add_row(struct tr_table *t, enum tr_per per, const struct tr_stream_idle_row *r)
{
    int64_t sum = tr_stats_sum(&r->stats);
    tr_group_cells(t, per, &r->key);
    tr_table_string(t, tr_stream_idle_cause_name(r->cause));
    tr_table_time(t, sum);
    tr_table_pct(t, sum, r->whole);
    tr_table_count(t, r->stats.n);
    tr_table_time_f(t, tr_stats_mean(&r->stats));
    tr_table_time_f(t, tr_stats_std(&r->stats));
    extreme(t, &r->stats, r->stats.min);
    tr_table_time_f(t, tr_hist_quantile(r->gaps, 25, 100));
    tr_table_time_f(t, tr_hist_quantile(r->gaps, 50, 100));
    tr_table_time_f(t, tr_hist_quantile(r->gaps, 75, 100));
    extreme(t, &r->stats, r->stats.max);
    tr_table_count(t, tr_hist_approx(r->gaps));
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct stream_idle_state *s = state;
    const struct tr_stream_idle_row *rows;
    size_t n;
    enum tr_status st = tr_stream_idle_finish(s->idle, &rows, &n, err);
    for (size_t i = 0; st == TR_OK && i < n; i++)
        add_row(t, s->per, &rows[i]);
    return st;
}

static enum tr_status options_text(const void *options, struct tr_buf *text, struct tr_error *err)
{
    const struct tr_idle_options *o = options;
    char line[40];
    snprintf(line, sizeof line, "threshold=%" PRId64, o->threshold);
    return tr_buf_add_str(text, line) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status save(void *state, struct tr_partial_out *out, struct tr_error *err)
{
    const struct stream_idle_state *s = state;
    (void)err;
    tr_stream_idle_save(s->idle, out);
    return TR_OK;
}

static enum tr_status load(void *state, struct tr_partial_in *in, struct tr_error *err)
{
    struct stream_idle_state *s = state;
    return tr_stream_idle_load(s->idle, in, err);
}

static const struct tr_saving saving = {
    .version = 1,
    .whole_ranks = true, /* a gap is between device work and the next of its stream */
    .tables = &tr_stream_idle_saved,
    .n_tables = 1,
    .options_text = options_text,
    .save = save,
    .load = load,
};

const struct tr_analysis tr_analysis_stream_idle = {
    .name = "stream-idle",
    .question = "Why were the streams of the devices idle?",
    .nothing = "no device work is selected",
    .groups = TR_PER_ANY,
    .group = TR_PER_STREAM,
    TR_OPTIONS(tr_idle_settings, tr_idle_defaults),
    .needs = needs,
    TR_OWN_COLUMNS(own_columns),
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .saving = &saving,
};
