/* SPDX-License-Identifier: MIT */
/* Findings as an analysis: the tables that its rules read are made by a runner of its own. */
#include "analysis/findings/tr_findings.h"
#include "analysis/info/tr_info.h"
#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "stream/tr_batch_select.h"

#include <stdlib.h>
#include <string.h>

struct by_findings {
    struct tr_analysis_in in;
    struct tr_operators_shared shared;
    struct tr_findings *findings;
    struct tr_runner *runner;
    struct tr_info *info;
    struct tr_selector *selector;
    struct tr_batch *part;
    struct tr_one_clock clock;
};

static void columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t)
{
    (void)in;
    (void)options;
    tr_findings_columns(t);
}

static void release(void *state)
{
    struct by_findings *s = state;
    tr_runner_free(s->runner); /* its analyses have options of the findings */
    tr_findings_free(s->findings);
    tr_info_free(s->info);
    tr_selector_free(s->selector);
    tr_batch_free(s->part);
}

static struct tr_table *make_table(void *self)
{
    (void)self;
    return tr_table_new(TR_UNIT_US);
}

/* What rows of the tables lack is no part of findings. */
static void remark(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    const struct by_findings *s = self;
    if (how == TR_REMARK_WARN)
        tr_analysis_remark(&s->in, how, place, "%s", text);
}

static enum tr_status add_tables(struct by_findings *s, const struct tr_findings_options *o, struct tr_error *err)
{
    struct tr_projection want = { .fixed = TR_FIXED_ALL, .all_packed = true };
    bool host;
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < o->limits.n; i++)
        st = tr_findings_limit(s->findings, o->limits.items[i], err);
    if (st == TR_OK)
        st = tr_findings_add(s->findings, s->runner, make_table, NULL, err);
    return st == TR_OK ? tr_runner_needs(s->runner, &want, &host, err) : st;
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    const struct tr_findings_options *o = options;
    struct by_findings *s = state;
    s->in = *in;
    s->shared = (struct tr_operators_shared){ TR_FINDINGS_OPERATORS, o->graphs };
    const struct tr_findings_opts opts = { &s->shared, o->models, o->peaks };
    s->findings = tr_findings_new(&opts);
    s->runner = tr_runner_new();
    s->info = tr_info_new();
    s->selector = tr_selector_new();
    s->part = tr_batch_new();
    if (!s->findings || !s->runner || !s->info || !s->selector || !s->part)
        return tr_fail_memory(err);
    enum tr_status st = add_tables(s, o, err);
    struct tr_analysis_in own = *in;
    own.work = (struct tr_group_by_opts){ .suspect = in->work.suspect };
    own.grouped = false;
    own.services = NULL;
    s->clock = (struct tr_one_clock){ .tolerance = TR_ONE_MOMENT };
    own.one_clock = o->no_align ? NULL : &s->clock;
    own.remark = remark;
    own.remark_self = s;
    return st == TR_OK ? tr_runner_start(s->runner, &own, err) : st;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct by_findings *s = state;
    (void)t;
    enum tr_status st = tr_runner_feed(s->runner, b, keep, err);
    if (st == TR_OK && keep && memchr(keep, 0, b->n)) {
        st = tr_batch_select(s->selector, b, keep, s->part, err);
        b = s->part;
    }
    return st == TR_OK ? tr_info_add(s->info, b, err) : st;
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct by_findings *s = state;
    const struct tr_findings_about about = { .dict = s->in.dict,
                                             .summary = s->in.summary,
                                             .selected = s->in.select,
                                             .info = s->info,
                                             .world_size = tr_findings_world_size(s->in.dict, s->in.select) };
    enum tr_status st = tr_runner_finish(s->runner, err);
    if (st == TR_OK)
        st = tr_info_finish(s->info, s->in.dict, err);
    if (st == TR_OK)
        st = tr_findings_finish(s->findings, &about, err);
    return st == TR_OK ? tr_findings_rows(s->findings, SIZE_MAX, t, err) : st;
}

static const struct tr_findings_options defaults = { .models = NULL };
static const struct tr_option settings[] = {
    { 0, "set", "LIMIT", TR_OPTION_LIST, offsetof(struct tr_findings_options, limits),
      .help = "set a limit of a kind of findings, as in host_bound.share=10; may be repeated" },
    { 0, "no-align", NULL, TR_OPTION_FLAG, offsetof(struct tr_findings_options, no_align),
      .help = "compare ranks by the clocks that they have, also if collectives show that these differ" },
    { 0 },
};

const struct tr_analysis tr_analysis_findings = {
    .name = "findings",
    .question = "What makes the job slow, and what would a fix save?",
    .nothing = "nothing to fix was found",
    .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "sentence", .y = { "impact_us" }, .low = "impact_us_low",
                                       .high = "impact_us_high" },
    TR_OPTIONS(settings, defaults),
    .needs = { .want = { .fixed = TR_FIXED_ALL, .all_packed = true }, .host = true, .memory = TR_MEMORY_SORTS },
    .columns = columns,
    .state_size = sizeof(struct by_findings),
    .start = start,
    .feed = feed,
    .finish = finish,
    .free = release,
    .unsaved = "it is made from many tables, which tr-report --save-partial saves",
};
