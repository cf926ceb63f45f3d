/* SPDX-License-Identifier: MIT */
/* The public interface: two traces beside each other, as tr-diff compares them. */
#include "api/tr_api_compare_int.h"

#include "analysis/compare/tr_compared.h"
#include "analysis/compare/tr_diff.h"
#include "analysis/compare/tr_run_summary_table.h"
#include "base/tr_mem.h"
#include "table/tr_chart.h"
#include "table/tr_table_int.h"

#include <stdlib.h>
#include <string.h>

struct tr_comparison {
    struct tr_compare_options o;
    enum tr_diff_by by;
    unsigned refined; /* enum tr_diff_refined */
    int tree;         /* enum tr_tree_diff_view; -1: rows are compared */
    struct tr_diff *d;
    struct tr_step_times steps[2];       /* by enum tr_diff_run */
    struct tr_run_summary headlines[2];
    struct tr_table *rows, *headline;
};

void tr_comparison_free(struct tr_comparison *c)
{
    if (!c)
        return;
    tr_diff_free(c->d);
    tr_step_times_free(&c->steps[TR_DIFF_BASE]);
    tr_step_times_free(&c->steps[TR_DIFF_TEST]);
    tr_table_free(c->rows);
    tr_table_free(c->headline);
    free(c);
}

/* ---- options ---- */

static enum tr_status read_by(struct tr_comparison *c, struct tr_error *err)
{
    static const char *const trees[TR_N_TREE_DIFF] = { "tree", "tree,kernel", "tree,pair", "tree,node" };
    const char *by = c->o.by ? c->o.by : tr_diff_by_names[TR_DIFF_BY_NAME];
    for (c->tree = TR_N_TREE_DIFF - 1; c->tree >= 0 && strcmp(by, trees[c->tree]) != 0; c->tree--)
        ;
    if (c->tree >= 0)
        return c->o.profiler || c->o.changed_only
                   ? tr_fail(err, TR_USAGE, "a comparison by '%s' takes neither profiler nor changed_only", by)
                   : TR_OK;
    const size_t len = strcspn(by, ",");
    const char *key = by[len] ? by + len + 1 : "";
    int found = 0;
    while (tr_diff_by_names[found] && !tr_str_is((struct tr_str){ by, len }, tr_diff_by_names[found]))
        found++;
    c->by = (enum tr_diff_by)found;
    c->refined = strcmp(key, "shape") == 0  ? TR_DIFF_SHAPE
                 : strcmp(key, "args") == 0 ? TR_DIFF_SHAPE | TR_DIFF_ARGS
                                            : 0;
    if (!tr_diff_by_names[found] || (*key && (!c->refined || c->by != TR_DIFF_BY_OPERATOR)))
        return tr_fail(err, TR_USAGE, "rows cannot be compared by '%.80s'", by);
    return TR_OK;
}

/* ---- reading a run ---- */

/* What reads the events of a run. */
struct readers {
    struct tr_diff_feed *feed;
    struct tr_runner *runner;
    struct tr_run_summary_maker *maker;
    struct tr_steps_seen *seen;
    struct tr_step_ends *ends;
};

static void free_readers(struct readers *r)
{
    tr_diff_feed_free(r->feed);
    tr_runner_free(r->runner);
    tr_run_summary_maker_free(r->maker);
    tr_steps_seen_free(r->seen);
    tr_step_ends_free(r->ends);
}

static enum tr_status start_trace(const struct tr_comparison *c, struct tr_trace *t, struct readers *r,
                                  struct tr_error *err)
{
    struct tr_projection want = tr_diff_needs(c->by, c->refined);
    bool host = true;
    if (t->started)
        return tr_fail(err, TR_USAGE, "events of the trace have been read");
    r->runner = tr_runner_new();
    enum tr_status st = r->runner ? tr_run_summary_maker_new(r->runner, &r->maker, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_needs(r->runner, &want, &host, err);
    want.any_rank_order = false; /* rows depend on the order of all events */
    if (st == TR_OK && !t->in->sorted)
        st = tr_fail(err, TR_DAMAGED, "events are not in order of time");
    if (st == TR_OK)
        st = tr_partial_only(t->in->tables, NULL, err);
    if (st == TR_OK)
        st = tr__trace_start(t, &want, err);
    if (st == TR_OK)
        st = tr_select_found(t->select, t->in->summary, NULL, NULL, err);
    if (st != TR_OK)
        tr_error_input(err, t->in->name);
    return st;
}

static enum tr_status start_readers(struct tr_comparison *c, enum tr_diff_run run, struct tr_trace *t,
                                    struct readers *r, struct tr_error *err)
{
    const struct tr_diff_opts how = { .suspect = t->suspect, .profiler = c->o.profiler };
    const struct tr_analysis_in in = { .input = t->in,
                                       .dict = t->in->dict,
                                       .summary = t->in->summary,
                                       .tables = t->in->tables,
                                       .sorted = true,
                                       .select = t->select,
                                       .work.suspect = t->suspect,
                                       .max_memory = t->open.max_memory_bytes / 2,
                                       .temp_dir = t->open.temp_dir,
                                       .go_on = { tr__trace_go_on, t } };
    bool ok = (!t->n_tests || (r->seen = tr_steps_seen_new(t->in->summary)) != NULL) &&
              (r->ends = tr_step_ends_new(t->in->dict, t->in->summary)) != NULL;
    enum tr_status st = ok ? tr_diff_feed_new(c->d, run, &how, t->in->dict, t->in->summary, t->select, &r->feed, err)
                           : tr_fail_memory(err);
    return st == TR_OK ? tr_runner_start(r->runner, &in, err) : st;
}

static enum tr_status feed_all(struct tr_trace *t, const struct readers *r, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    while ((st = tr__trace_masked(t, &b, &keep, err)) == TR_OK) {
        if (!tr_step_ends_feed(r->ends, b, tr_select_where_alone(t->select)) ||
            (r->seen && !tr_steps_seen_feed(r->seen, b, keep)))
            return tr_fail_memory(err);
        st = tr_diff_feed(r->feed, b, keep, err);
        if (st == TR_OK)
            st = tr_runner_feed(r->runner, b, keep, err);
        if (st != TR_OK)
            return st;
    }
    return st == TR_END ? tr_diff_feed_end(r->feed, err) : st;
}

static enum tr_status read_run(struct tr_comparison *c, enum tr_diff_run run, struct tr_trace *t, struct tr_error *err)
{
    struct readers r = { NULL, NULL, NULL, NULL, NULL };
    enum tr_status st = start_trace(c, t, &r, err);
    if (st == TR_OK)
        st = start_readers(c, run, t, &r, err);
    if (st == TR_OK)
        st = feed_all(t, &r, err);
    if (st == TR_OK && (!tr_step_ends_finish(r.ends) ||
                        !tr_step_times_gather(&c->steps[run], t->in->dict, r.ends, t->select, r.seen) ||
                        !tr_step_times_seal(&c->steps[run])))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_finish(r.runner, err);
    if (st == TR_OK)
        st = tr_run_summary_maker_end(r.maker, &c->steps[run], &c->headlines[run], err);
    free_readers(&r);
    return st;
}

/* ---- tables ---- */

static const char question[] = "What changed from the base to the test?";

static enum tr_status new_table(const struct tr_arrange *how, struct tr_table **t, struct tr_error *err)
{
    *t = tr_table_new(TR_UNIT_US);
    return *t ? tr_table_arrange(*t, how, err) : tr_fail_memory(err);
}

static enum tr_status make_rows(struct tr_comparison *c, struct tr_error *err)
{
    static const struct tr_chart chart = { TR_CHART_BAR, .x = "name", .y = { "diff" }, .change = true,
                                           .sums = "total" };
    static const struct tr_picture picture = { .chart = &chart, .title = question };
    struct tr_diff_differences out;
    struct tr_table *sides[2] = { tr_table_new(TR_UNIT_US), tr_table_new(TR_UNIT_US) };
    const bool names = c->by == TR_DIFF_BY_NAME || c->by == TR_DIFF_BY_KERNEL || c->by == TR_DIFF_BY_OPERATOR;
    tr_diff_differences_columns(names, c->refined, c->rows);
    tr_table_picture(c->rows, &picture);
    enum tr_status st = sides[0] && sides[1] ? tr_table_ready(c->rows, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_diff_differences(c->d, c->refined, c->o.changed_only, sides, c->rows, &out, err);
    tr__table_complete(c->rows);
    tr_table_free(sides[0]);
    tr_table_free(sides[1]);
    return st == TR_OK ? tr_table_status(c->rows, err) : st;
}

static enum tr_status make_headline(struct tr_comparison *c, struct tr_error *err)
{
    static const struct tr_chart chart = { TR_CHART_BAR, .x = "metric", .y = { "diff_pct" }, .change = true };
    static const struct tr_picture picture = { .chart = &chart, .title = question };
    struct tr_run_summary_figure of[2][TR_N_RUN_SUMMARY];
    tr_table_columns(c->headline, tr_run_summary_columns, TR_N_RUN_SUMMARY_COLUMNS);
    tr_table_picture(c->headline, &picture);
    for (int run = 0; run < 2; run++)
        tr_run_summary_figures(&c->headlines[run], &c->steps[run], of[run]);
    for (int m = 0; m < TR_N_RUN_SUMMARY; m++)
        tr_run_summary_row(c->headline, (enum tr_run_summary_metric)m,
                           tr_run_summary_compare(of[TR_DIFF_BASE][m], of[TR_DIFF_TEST][m]));
    tr__table_complete(c->headline);
    return tr_table_status(c->headline, err);
}

/* A comparison with its options, and a table for its rows; also on failure, unless memory ran out. */
static enum tr_status new_comparison(struct tr_comparison **out, const struct tr_compare_options *options,
                                     struct tr_error *err)
{
    struct tr_comparison *c = *out = calloc(1, sizeof *c);
    if (!c)
        return tr_fail_memory(err);
    if (options && !tr__api_take(&c->o, sizeof c->o, options))
        return tr_fail(err, TR_USAGE, "the size of struct tr_compare_options is not set");
    const struct tr_arrange how = { .columns = c->o.columns, .sort = c->o.sort, .top = c->o.top };
    return new_table(&how, &c->rows, err);
}

/* Give a comparison to the caller, or release it. */
static enum tr_status give(struct tr_comparison **out, enum tr_status st)
{
    if (st != TR_OK) {
        tr_comparison_free(*out);
        *out = NULL;
    }
    return st;
}

static enum tr_status compare_runs(struct tr_comparison *c, struct tr_trace *const runs[2], struct tr_error *err)
{
    static const struct tr_picture no_chart = { .title = question };
    const struct tr_arrange plain = { .columns = "all" };
    enum tr_status st = read_by(c, err);
    if (st == TR_OK && c->tree >= 0) {
        st = tr__compare_trees((enum tr_tree_diff_view)c->tree, runs, c->rows, err);
        tr_table_picture(c->rows, &no_chart);
        tr__table_complete(c->rows);
        return st == TR_OK ? tr_table_status(c->rows, err) : st;
    }
    if (st == TR_OK)
        st = new_table(&plain, &c->headline, err);
    if (st == TR_OK && !(c->d = tr_diff_new(c->by, c->refined, runs[0]->open.max_memory_bytes / 2)))
        st = tr_fail_memory(err);
    for (int run = 0; run < 2 && st == TR_OK; run++) {
        tr_run_summary_init(&c->headlines[run]);
        st = read_run(c, (enum tr_diff_run)run, runs[run], err);
    }
    if (st == TR_OK) {
        tr_table_go_on(c->rows, &(struct tr_go_on){ tr__trace_go_on, runs[1] });
        st = make_rows(c, err);
    }
    return st == TR_OK ? make_headline(c, err) : st;
}

enum tr_status tr_compare(struct tr_comparison **out, struct tr_trace *base, struct tr_trace *test,
                          const struct tr_compare_options *options, struct tr_error *err)
{
    struct tr_trace *const runs[] = { base, test };
    enum tr_status st = new_comparison(out, options, err);
    if (st == TR_OK)
        st = compare_runs(*out, runs, err);
    return give(out, st);
}

/* ---- two tables ---- */

static enum tr_status compare_tables(struct tr_comparison *c, struct tr_table *const tables[2], const char *keys,
                                     struct tr_error *err)
{
    static const struct tr_picture picture = { .title = question };
    static const char *const names[] = { "the base", "the test" };
    struct tr_compared *compared;
    for (size_t i = 0; i < 2; i++)
        if (!tables[i] || tables[i]->cut)
            return tr_fail_text(err, TR_USAGE, tables[i] ? "a table with top does not have all rows"
                                                         : "there is no table");
    enum tr_status st = tr_compared_new(tables, names, 2, keys, &compared, err);
    if (st == TR_OK) {
        tr_compared_columns(compared, c->rows);
        tr_table_picture(c->rows, &picture);
        st = tr_table_ready(c->rows, err);
    }
    if (st == TR_OK)
        st = tr_compared_fill(compared, c->rows, err);
    tr_compared_free(compared);
    tr__table_complete(c->rows);
    return st == TR_OK ? tr_table_status(c->rows, err) : st;
}

enum tr_status tr_compare_tables(struct tr_comparison **out, struct tr_table *base, struct tr_table *test,
                                 const char *keys, const struct tr_compare_options *options, struct tr_error *err)
{
    struct tr_table *const tables[] = { base, test };
    enum tr_status st = new_comparison(out, options, err);
    if (st == TR_OK)
        st = compare_tables(*out, tables, keys, err);
    return give(out, st);
}

struct tr_table *tr_comparison_rows(struct tr_comparison *c)
{
    return c->rows;
}

struct tr_table *tr_comparison_headline(struct tr_comparison *c)
{
    return c->headline;
}
