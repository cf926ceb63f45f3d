/* SPDX-License-Identifier: MIT */
/* tr-report: pictures of sections, and what they mean in a sentence. */
#include "report/report_html.h"

#include "base/tr_escape.h"
#include "sink/tr_html.h"
#include "vendor/tr_short_name.h"

#include <math.h>
#include <string.h>

/* ---- questions ---- */

const char *report_html_question(enum report_id id)
{
    static const char *const own[REPORT_N_SECTIONS] = {
        [REPORT_JOB] = "What was recorded?",
        [REPORT_TRUST] = "Is anything missing or doubtful in what was recorded?",
        [REPORT_HEADLINE] = "What are the main figures, as means per step and per rank?",
        [REPORT_STEPS] = "How long did each step take, and what was done in it?",
        [REPORT_BREAKDOWN] = "How much of their time did devices compute and communicate, and how much did they wait?",
        [REPORT_IDLE] = "What did the host do while nothing ran on its device?",
        [REPORT_KERNELS] = "Which names took the most time of the devices?",
        [REPORT_FAMILIES] = "Which families of operators take the time, and what share of the peak do they reach?",
        [REPORT_OUTLIERS] = "Which ranks have figures that are far from those of the others?",
        [REPORT_DEVICES] = "Do the devices of a rank work alike?",
        [REPORT_SHORT] = "Which work is so short that launching it costs more than doing it?",
    };
    const struct tr_analysis *a = report_sections[id].analysis;
    return own[id] ? own[id] : a ? a->question : NULL;
}

/* ---- pictures ---- */

enum tr_status report_html_draw(struct tr_table *t, const struct tr_chart *chart, const char *title,
                                struct tr_buf *out, struct tr_error *err)
{
    struct tr_error why = TR_ERROR_INIT;
    const struct tr_picture picture = { .chart = chart, .title = title };
    if (!t || tr_table_empty(t))
        return TR_OK;
    enum tr_status st = tr_html_figure(out, t, &picture, &why);
    return st == TR_OK || st == TR_USAGE ? TR_OK : tr_fail_memory(err);
}

const struct tr_table_column *report_html_label(const struct report *r, enum report_id id)
{
    const struct report_section *s = &report_sections[id];
    const struct tr_table_column *c = report_columns(r, s), *found = c;
    for (unsigned k = 0; k < s->n_keys; k++)
        if (c[k].type == TR_CELL_STRING && !(found->label && found->type == TR_CELL_STRING))
            found = &c[k];
    return found;
}

/* Are the figures of ranks in columns: one each, or median, minimum and maximum? */
static bool has_rank_columns(const struct report *r, enum report_id id)
{
    return r->n_ranks > 1 && r->o->per == REPORT_PER_ALL && !report_sections[id].of_job;
}

/* A bar for each row of the page: of each of a few ranks, or of the median with whiskers. */
static enum tr_status draw_rows(const struct report *r, enum report_id id, struct tr_table *t, struct tr_buf *out,
                                struct tr_error *err)
{
    const struct report_section *s = &report_sections[id];
    struct tr_chart chart = { TR_CHART_BAR, .x = report_html_label(r, id)->name };
    bool over = has_rank_columns(r, id);
    if (over && r->n_few)
        for (size_t k = 0; k < r->n_few; k++)
            chart.y[k] = r->few_names[k];
    else if (over) {
        chart.y[0] = "median";
        chart.low = "min";
        chart.high = "max";
    } else {
        chart.y[0] = s->main;
        chart.facet = r->n_ranks > 1 && !s->of_job ? "rank" : NULL;
    }
    if (r->n_captures > 1)
        chart.facet = "capture";
    if (id == REPORT_FAMILIES && !chart.y[1] && !chart.low) { /* a family has a row for each of its bounds */
        chart.kind = TR_CHART_STACKED;
        chart.series = "bound";
    }
    if (!chart.y[1] && s->n_keys > 1 && strcmp(report_columns(r, s)->name, "kind") == 0)
        chart.series = "kind";
    return report_html_draw(t, &chart, s->title, out, err);
}

/* What was done in each step; with many ranks, how long it took on each. */
static enum tr_status draw_steps(const struct report *r, struct tr_buf *out, struct tr_error *err)
{
    const struct tr_chart parts = { TR_CHART_STACKED, .x = "step",
                                    .y = { "compute", "exposed_comm", "exposed_memory", "other", "idle" },
                                    .facet = r->n_ranks > 1 ? "rank" : NULL };
    static const struct tr_chart times = { TR_CHART_HEAT, .x = "step", .y = { "rank", "time" } };
    if (!r->findings)
        return TR_OK;
    return report_html_draw(tr_findings_table(r->findings, TR_FACT_STEPS),
                            r->n_ranks <= REPORT_HTML_PANELS ? &parts : &times, report_sections[REPORT_STEPS].title,
                            out, err);
}

/* ---- the typical step ---- */

/* The ranks whose time lines are drawn: those of few ranks, of more the first ones and the last. */
struct drawn {
    double below, last; /* NaN: all */
};

static struct drawn drawn_ranks(const struct report *r)
{
    struct drawn drawn = { NAN, NAN };
    const struct tr_dict *d = r->in->dict;
    size_t n = 0;
    for (uint32_t i = 0; i < d->n_sources && r->n_ranks > REPORT_FEW_RANKS; i++) {
        double rank = (double)d->sources[i].rank;
        if (!tr_select_source(r->selected, i) || (n && rank == drawn.last))
            continue;
        drawn.last = rank;
        if (++n == REPORT_FEW_RANKS)
            drawn.below = rank;
    }
    return drawn;
}

/* The columns of a time line, looked up once. */
enum { RANK, DEVICE, STREAM, START, DUR, KIND, N_LANE_COLUMNS };
static const char *const lane_columns[N_LANE_COLUMNS] = { "rank", "device", "stream", "start", "dur", "kind" };

/* "rank 0 stream 7" */
static bool add_lane(const struct report *r, const struct tr_table *t, size_t row, const size_t *columns, bool devices,
                     struct tr_buf *out)
{
    double rank = report_cell_at(t, row, columns[RANK]), device = report_cell_at(t, row, columns[DEVICE]);
    double stream = report_cell_at(t, row, columns[STREAM]);
    bool ok = r->n_ranks <= 1 || isnan(rank) || tr_buf_print(out, "rank %.0f ", rank);
    ok = ok && (isnan(device) || !devices || tr_buf_print(out, "device %.0f ", device));
    return ok && (isnan(stream) ? tr_buf_add_str(out, "stream") : tr_buf_print(out, "stream %.0f", stream));
}

/* The lanes of a run; before: in front of their names. */
static bool add_lanes(const struct report *r, const char *before, struct tr_table *lanes)
{
    const struct tr_table *t = r->tables[REPORT_TYPICAL];
    const struct drawn drawn = drawn_ranks(r);
    const bool devices = report_several_devices(r);
    struct tr_buf lane = { 0 };
    size_t columns[N_LANE_COLUMNS];
    bool ok = true;
    for (size_t c = 0; t && c < N_LANE_COLUMNS; c++)
        columns[c] = tr_table_find(t, lane_columns[c]);
    for (size_t row = 0; ok && t && row < tr_table_rows(t); row++) {
        double rank = report_cell_at(t, row, columns[RANK]);
        lane.len = 0;
        if (rank >= drawn.below && rank != drawn.last)
            continue;
        ok = tr_buf_add_str(&lane, before) && add_lane(r, t, row, columns, devices, &lane);
        tr_table_text(lanes, (struct tr_str){ tr_buf_text(&lane), lane.len });
        tr_table_time_f(lanes, report_cell_at(t, row, columns[START]));
        tr_table_time_f(lanes, report_cell_at(t, row, columns[DUR]));
        tr_table_text(lanes, tr_table_get(t, row, columns[KIND]));
    }
    tr_buf_free(&lane);
    return ok;
}

/* A lane for each stream. */
static enum tr_status draw_typical(const struct report *r, struct tr_buf *out, struct tr_error *err)
{
    static const struct tr_table_column columns[] = {
        { .name = "lane", .type = TR_CELL_STRING, .role = TR_ROLE_KEY },
        { .name = "start", .type = TR_CELL_TIME },
        { .name = "dur", .type = TR_CELL_TIME },
        { .name = "kind", .type = TR_CELL_STRING },
    };
    static const struct tr_chart chart = {
        TR_CHART_BAND, .x = "start", .y = { "dur" }, .series = "kind", .facet = "lane"
    };
    struct tr_table *lanes = cli_table_held(r->cli);
    bool ok = lanes != NULL;
    if (ok)
        tr_table_columns(lanes, columns, sizeof columns / sizeof *columns);
    ok = ok && (!r->other || add_lanes(r->other, "base ", lanes)) && add_lanes(r, "", lanes);
    enum tr_status st = ok ? tr_table_status(lanes, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = report_html_draw(lanes, &chart, report_sections[REPORT_TYPICAL].title, out, err);
    tr_table_free(lanes);
    return st;
}

static bool add_typical(const struct report *r, struct tr_buf *out)
{
    const struct tr_table *t = r->tables[REPORT_TYPICAL];
    double step = tr_table_rows(t) ? report_cell(t, 0, "step") : NAN;
    if (isnan(step) || r->n_captures > 1)
        return true;
    return tr_buf_print(out, "Step %.0f has the median time of all steps: ", step) &&
           report_html_plain_time(out, (double)tr_step_times_of(&r->test.steps, 0, (int64_t)step)) &&
           tr_buf_add_str(out, ".");
}

static enum tr_status draw_own(const struct report *r, enum report_id id, struct tr_buf *out, struct tr_error *err)
{
    struct tr_chart chart = *report_sections[id].analysis->chart;
    if (r->n_ranks == 1)
        chart.facet = NULL;
    return report_html_draw(r->tables[id], &chart, report_sections[id].title, out, err);
}

enum tr_status report_html_picture(const struct report *r, enum report_id id, struct tr_table *t, struct tr_buf *out,
                                   struct tr_error *err)
{
    static const struct tr_chart compared = { TR_CHART_BAR, .x = "metric", .y = { "diff_pct" } };
    static const struct tr_chart peaks = { TR_CHART_BAR, .x = "rank", .y = { "peak_bytes" } };
    switch (id) {
    case REPORT_HEADLINE:
        return r->o->base.n ? report_html_draw(t, &compared, "Change of the main figures", out, err) : TR_OK;
    case REPORT_STEPS:
        return draw_steps(r, out, err);
    case REPORT_TYPICAL:
        return draw_typical(r, out, err);
    case REPORT_BREAKDOWN:
    case REPORT_IDLE:
        return draw_own(r, id, out, err);
    case REPORT_MEMORY:
        return r->n_ranks <= REPORT_HTML_PANELS ? draw_own(r, id, out, err)
                                        : report_html_draw(r->tables[id], &peaks, report_sections[id].title, out, err);
    default:
        return report_sections[id].main && report_sections[id].n_keys ? draw_rows(r, id, t, out, err) : TR_OK;
    }
}

/* ---- sentences ---- */

double report_html_sum(const struct tr_table *t, const char *column)
{
    double sum = 0;
    size_t at = t ? tr_table_find(t, column) : SIZE_MAX;
    for (size_t row = 0; t && row < tr_table_rows(t); row++) {
        double v = report_cell_at(t, row, at);
        sum += isnan(v) ? 0 : v;
    }
    return sum;
}

/* "Devices were busy 81.7 % of their time: 64.1 % with compute..." over all rows of the analysis. */
static bool add_shares(const struct report *r, struct tr_buf *out)
{
    static const struct {
        const char *column, *words;
    } parts[] = { { "compute", "compute" },
                  { "exposed_comm", "communication that no compute hides" },
                  { "exposed_memory", "copies and memsets alone" },
                  { "other", "other work alone" } };
    const struct tr_table *t = r->tables[REPORT_BREAKDOWN];
    double span = report_html_sum(t, "span");
    bool ok = true, first = true;
    if (!(span > 0))
        return true;
    ok = tr_buf_print(out, "Devices were busy %.1f\xc2\xa0%% of their time", 100 * report_html_sum(t, "busy") / span);
    for (size_t i = 0; ok && i < sizeof parts / sizeof *parts; i++) {
        double share = 100 * report_html_sum(t, parts[i].column) / span;
        if (share < 0.05)
            continue;
        ok = tr_buf_print(out, "%s %.1f\xc2\xa0%% %s", first ? ":" : ",", share, parts[i].words);
        first = false;
    }
    return ok && tr_buf_print(out, "; %.1f\xc2\xa0%% they were idle.", 100 * report_html_sum(t, "idle") / span);
}

#define WORTH_SAYING 1.05 /* times the median */

static bool add_slowest(const struct report *r, struct tr_buf *out)
{
    const struct tr_step_times *s = &r->test.steps;
    const struct tr_step_time *slowest = s->steps;
    for (size_t i = 1; i < s->n; i++)
        if (s->steps[i].dur > slowest->dur)
            slowest = &s->steps[i];
    if (s->n < 2)
        return true;
    return tr_buf_print(out, "%zu steps take ", s->n) && report_html_plain_time(out, s->mean) &&
           tr_buf_print(out, " in the mean; the slowest, step %lld, takes ", (long long)slowest->number) &&
           report_html_plain_time(out, (double)slowest->dur) &&
           ((double)slowest->dur < WORTH_SAYING * s->p50 ||
            tr_buf_print(out, ", %.2f times the median", (double)slowest->dur / s->p50)) &&
           tr_buf_add_str(out, ".");
}

/* A value in the unit of a column: a time, or a number. */
static bool add_value(struct tr_buf *out, const struct tr_table_column *c, double v)
{
    return c->type == TR_CELL_TIME ? report_html_plain_time(out, v)
                                   : tr_buf_print(out, "%.0f%s%s", v, c->unit ? " " : "", c->unit ? c->unit : "");
}

/* The figure of a row: of all of its ranks together, or of the median one. */
static double figure_of(const struct report *r, enum report_id id, const struct tr_table *t, size_t row)
{
    double sum = 0;
    if (!has_rank_columns(r, id))
        return report_cell(t, row, report_sections[id].main);
    if (!r->n_few)
        return report_cell(t, row, "median");
    for (size_t k = 0; k < r->n_few; k++) {
        double v = report_cell(t, row, r->few_names[k]);
        sum += isnan(v) ? 0 : v;
    }
    return sum;
}

#define NAME_COLUMNS 60u /* of a name in a sentence */

static bool add_name(const struct report *r, enum report_id id, const struct tr_table *t, size_t row,
                     struct tr_buf *out)
{
    const struct tr_table_column *label = report_html_label(r, id);
    size_t column = tr_table_find(t, label->name);
    if (label->type != TR_CELL_STRING)
        return tr_buf_print(out, "%s %.0f", label->name, tr_table_number(t, row, column));
    struct tr_str s = tr_table_get(t, row, column);
    struct tr_buf brief = { 0 };
    bool ok = s.len ? (label->names ? tr_short_name(s.s, s.len, &brief) : tr_buf_add(&brief, s.s, s.len)) &&
                          tr_escape_text(out, tr_buf_text(&brief), brief.len, NAME_COLUMNS, NULL)
                    : tr_buf_add_str(out, "(none)");
    tr_buf_free(&brief);
    return ok;
}

/* "First is aten::mm, with 34.1 % (57.9 ms of 169.8 ms)", of rows that add up. */
static bool add_largest(const struct report *r, enum report_id id, const struct tr_table *t, struct tr_buf *out)
{
    const struct report_section *s = &report_sections[id];
    const struct tr_table_column *c = report_columns(r, s);
    size_t most = SIZE_MAX, label = tr_table_find(t, report_html_label(r, id)->name);
    double sum = 0, largest = 0;
    for (const struct tr_table_column *end = c + report_n_columns(r, s); c < end && strcmp(c->name, s->main) != 0; c++)
        ;
    if (c->role != TR_ROLE_SUM && c->role != TR_ROLE_COUNT)
        return true;
    for (size_t row = 0; row < tr_table_rows(t); row++) {
        double v = figure_of(r, id, t, row);
        bool rest = report_html_label(r, id)->type == TR_CELL_STRING &&
                    tr_str_is(tr_table_get(t, row, label), "others");
        sum += isnan(v) ? 0 : v;
        if (v > largest && !rest) {
            largest = v;
            most = row;
        }
    }
    if (most == SIZE_MAX || tr_table_rows(t) < 2)
        return true;
    bool medians = has_rank_columns(r, id) && !r->n_few;
    return tr_buf_add_str(out, "First is ") && add_name(r, id, t, most, out) &&
           tr_buf_print(out, ", with %.1f\xc2\xa0%% (", 100 * largest / sum) && add_value(out, c, largest) &&
           tr_buf_add_str(out, " of ") && add_value(out, c, sum) &&
           tr_buf_add_str(out, medians                   ? ", as medians of the ranks)."
                               : has_rank_columns(r, id) ? " on all ranks)."
                                                         : ").");
}

static bool add_peak(const struct report *r, struct tr_buf *out)
{
    const struct tr_table *t = r->tables[REPORT_MEMORY];
    size_t most = SIZE_MAX;
    for (size_t row = 0; t && row < tr_table_rows(t); row++)
        if (!tr_str_is(tr_table_get(t, row, tr_table_find(t, "device")), "host") &&
            (most == SIZE_MAX || report_cell(t, row, "peak_bytes") > report_cell(t, most, "peak_bytes")))
            most = row;
    double peak = most == SIZE_MAX ? NAN : report_cell(t, most, "peak_bytes");
    double rank = most == SIZE_MAX ? NAN : report_cell(t, most, "rank");
    if (!(peak > 0))
        return true;
    return tr_buf_print(out, "At most %.2f GB were allocated", peak / 1e9) &&
           (!(r->n_ranks > 1) || isnan(rank) || tr_buf_print(out, ", on rank %.0f", rank)) && tr_buf_add_str(out, ".");
}

bool report_html_means(const struct report *r, enum report_id id, const struct tr_table *t, struct tr_buf *out)
{
    switch (id) {
    case REPORT_STEPS:
        return add_slowest(r, out);
    case REPORT_TYPICAL:
        return add_typical(r, out);
    case REPORT_BREAKDOWN:
        return add_shares(r, out);
    case REPORT_MEMORY:
        return add_peak(r, out);
    default:
        return report_sections[id].main && report_sections[id].n_keys && r->n_captures <= 1 &&
                       (r->o->per == REPORT_PER_ALL || r->n_ranks <= 1 || report_sections[id].of_job)
                   ? add_largest(r, id, t, out)
                   : true;
    }
}
