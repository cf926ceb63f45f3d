/* SPDX-License-Identifier: MIT */
/* tr-align: put the times of all ranks on one clock.  Manual: tr-align(1). */
#include "align/align.h"
#include "analysis/clocks/tr_align.h"
#include "cli/cli_analysis.h"
#include "cli/cli_expr.h"
#include "cli/cli_partial.h"
#include "cli/cli_reread.h"
#include "cli/cli_stream.h"
#include "cli/cli_view.h"

#include "expr/tr_expr.h"
#include "model/collectives/tr_collective.h"
#include "stream/format/tr_reader.h"
#include "stream/sort/tr_resort.h"
#include "stream/tr_clock_apply.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct align {
    const char *anchor, *offsets;
    int64_t reference; /* rank; -1: 0, or the lowest there is */
    uint64_t min_anchors;
    bool drift, device, report, undo;

    /* While it runs. */
    struct tr_expr *expr;
    struct tr_align to;
    uint8_t *mask;
    size_t cap_mask;
};

static const struct tr_option align_opts[] = {
    { 0, "drift", NULL, TR_OPTION_FLAG, offsetof(struct align, drift),
      .help = "clocks run at different speeds: find drifts, too" },
    { 0, "anchor", "EXPR", TR_OPTION_TEXT, offsetof(struct align, anchor),
      .help = "align starts of these events, the n-th of each rank [ends of collectives]" },
    { 0, "reference", "RANK", TR_OPTION_I64, offsetof(struct align, reference), .lo = 0, .hi = INT64_MAX,
      .help = "put all ranks on the clock of this rank [0, or the lowest]" },
    { 0, "min-anchors", "N", TR_OPTION_U64, offsetof(struct align, min_anchors), .lo = 1,
      .help = "exit 1 if a rank has fewer anchors [3]" },
    { 0, "offsets", "FILE", TR_OPTION_FILE, offsetof(struct align, offsets),
      .help = "take offsets from FILE: rank, offset, drift" },
    { 0, "device", NULL, TR_OPTION_FLAG, offsetof(struct align, device),
      .help = "move device clocks so that no work starts before its launch" },
    { 0, "report", NULL, TR_OPTION_FLAG, offsetof(struct align, report),
      .help = "print what was found instead of the stream" },
    { 0, "undo", NULL, TR_OPTION_FLAG, offsetof(struct align, undo),
      .help = "take the last alignment out of the stream" },
    { 0 },
};

static const struct cli_tool align_tool = {
    .name = "tr-align",
    .brief = "put the times of all ranks on one clock",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_REPORT | CLI_ARRANGE | CLI_RANKS,
    .max_operands = CLI_ANY,
    .opts = align_opts,
    .examples = { "tr-align --drift -o aligned.trs rank*.json.gz",
                  "tr-align --report rank*.json.gz" },
};

static enum tr_status check_options(const struct cli *cli, const struct align *a, struct tr_error *err)
{
    bool limit = cli_given(cli, "min-anchors");
    if (a->undo &&
        (limit || a->anchor || a->offsets || a->reference >= 0 || a->drift || a->device || a->report))
        return tr_fail(err, TR_USAGE, "--undo goes with no other option of tr-align");
    if (a->offsets && (a->anchor || a->drift || a->report || limit))
        return tr_fail(err, TR_USAGE, "--offsets gives all offsets, so it excludes %s",
                       a->anchor   ? "--anchor"
                       : a->drift  ? "--drift"
                       : a->report ? "--report"
                                   : "--min-anchors");
    return TR_OK;
}

/* ---- first reading ---- */

static enum tr_status start(struct align *a, struct tr_input *in, struct tr_error *err)
{
    const struct tr_align_opts opts = { .reference = a->reference,
                                        .min_anchors = a->min_anchors,
                                        .drift = a->drift,
                                        .device = a->device,
                                        .marked = a->expr != NULL,
                                        .given = a->offsets != NULL };
    enum tr_status st = tr_align_init(&a->to, &opts, in, err);
    if (st == TR_OK && a->expr) {
        st = tr_expr_bind(a->expr, in, err);
        if (st != TR_OK)
            tr_error_input(err, in->name);
    }
    if (st == TR_OK && a->offsets)
        st = align_offsets_read(a->offsets, &a->to.ranks, a->reference >= 0, a->to.offset, a->to.drift, err);
    return st;
}

/* ---- results ---- */

static void warn_of_misfit(struct cli *cli, const struct align *a, const struct tr_input *in)
{
    char what[200];
    size_t few, many;
    uint64_t n = tr_clockfit_violations(a->to.fit);
    if (a->expr && !tr_anchors_even(a->to.anchors, &few, &many)) {
        snprintf(what, sizeof what,
                 "some ranks have %zu anchors, others %zu: the n-th may not belong together", few,
                 many);
        cli_warn(cli, in->name, "", what);
    }
    if (n) {
        snprintf(what, sizeof what,
                 "%" PRIu64 " collectives end on some rank before they start on another", n);
        cli_warn(cli, in->name, "", what);
    }
}

static void warn_of_lags(struct cli *cli, const struct align *a, const struct tr_input *in)
{
    for (size_t r = 0; r < a->to.ranks.n; r++) {
        char what[200];
        if (!a->to.left_out[r])
            continue;
        snprintf(what, sizeof what,
                 "rank %" PRId64 ": %" PRIu64
                 " kernels are far before their launch, more than clocks explain",
                 a->to.ranks.rank[r], a->to.left_out[r]);
        cli_warn(cli, in->name, "", what);
    }
}

static void add_to(struct tr_error *err, const char *text)
{
    size_t len = strlen(err->what);
    snprintf(err->what + len, sizeof err->what - len, "%s", text);
}

static enum tr_status decide(struct cli *cli, struct align *a, const struct tr_input *in,
                             struct tr_error *err)
{
    enum tr_status st = cli_ranks_there(cli, &(struct cli_ranks){ .dict = in->dict }, err);
    if (st == TR_OK)
        st = tr_align_solve(&a->to, in->name, err);
    if (st == TR_NO)
        add_to(err, ": nothing written");
    warn_of_lags(cli, a, in);
    if (st == TR_OK && a->to.fit)
        warn_of_misfit(cli, a, in);
    return st;
}

/* ---- report ---- */

struct report_row {
    struct tr_clockfit_row fit;
    int64_t rank, device;
    double drift_ppm, drift_se_ppm;
};
static const struct tr_table_column report_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct report_row, rank), .meaning = "the rank" },
    { "anchors", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct report_row, fit.anchors),
      .meaning = "number of moments that it shares with other ranks" },
    { "offset", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct report_row, fit.offset),
      .meaning = "its clock less that of the reference rank, at the first event of the reference" },
    { "drift_ppm", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct report_row, drift_ppm), .unit = "ppm",
      .meaning = "how much faster its clock runs" },
    { "residual_p50", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct report_row, fit.residual_p50),
      .meaning = "median distance of its anchors from the fit" },
    { "residual_p99", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct report_row, fit.residual_p99),
      .meaning = "99th percentile of the distance" },
    { "residual_max", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct report_row, fit.residual_max),
      .meaning = "largest distance" },
    { "ignored", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct report_row, fit.ignored),
      .meaning = "number of anchors that are too far off and left out" },
    { "offset_se", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct report_row, fit.offset_se),
      .meaning = "standard error of the offset" },
    { "drift_se_ppm", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct report_row, drift_se_ppm), .unit = "ppm",
      .meaning = "standard error of the drift" },
    { "device", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct report_row, device),
      .meaning = "shift of the times of its devices, in addition" },
};

static void add_columns(const void *o, struct tr_table *t)
{
    size_t n = sizeof report_columns / sizeof *report_columns;
    tr_table_columns(t, report_columns, ((const struct align *)o)->device ? n : n - 1);
}

static enum tr_status add_rows(struct cli *cli, const struct align *a, struct tr_table *t,
                               struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t r = 0; r < a->to.ranks.n && st == TR_OK; r++) {
        struct tr_clockfit_row row = { .residual_p50 = NAN,
                                       .residual_p99 = NAN,
                                       .residual_max = NAN };
        if (a->to.fit)
            st = tr_clockfit_row(a->to.fit, r, &row, err);
        const struct report_row shown = { .fit = row,
                                          .rank = a->to.ranks.rank[r],
                                          .device = a->device ? a->to.shift[r] : TR_TIME_NONE,
                                          .drift_ppm = (double)row.drift / 1e6,
                                          .drift_se_ppm = row.drift_se * 1e6 };
        tr_table_row(t, &(struct tr_row){ .row = &shown });
        if (row.ignored)
            cli_note(cli, "rank %" PRId64 ": %" PRIu64 " anchors are too far off to count",
                     a->to.ranks.rank[r], row.ignored);
    }
    return st;
}

/* ---- second reading ---- */

static void set_clocks(const struct align *a, struct tr_clock_apply *retime)
{
    for (uint32_t s = 0; s < a->to.ranks.n_sources; s++) {
        struct tr_clock host, device;
        bool differ = tr_align_clocks(&a->to, s, &host, &device);
        tr_clock_apply_set(retime, s, &host, differ ? &device : NULL);
    }
}

/* Move all events, sort them again and write them. */
static enum tr_status rewrite(struct cli *cli, struct tr_input *in, struct tr_clock_apply *retime, struct tr_error *err)
{
    struct tr_resort *sort = NULL;
    struct tr_input *sorted = NULL;
    const struct tr_batch *b, *moved;
    const struct tr_dict *dict;
    const struct tr_summary *summary;
    enum tr_status st =
        tr_resort_new(&sort, in->dict, cli_max_memory(cli) / 2, cli_temp_dir(cli), err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = tr_clock_apply_batch(retime, b, &moved, err);
        if (st != TR_OK)
            tr_error_input(err, in->name);
        else
            st = tr_resort_add(sort, moved, err);
    }
    if (st == TR_END)
        st = tr_clock_apply_end(retime, in->summary, &dict, &summary, err);
    if (st == TR_OK) {
        st = tr_resort_input(sort, dict, summary, in->provenance, in->tables, in->name, &sorted, err);
        sort = NULL;
    }
    if (st == TR_OK)
        st = cli_stream_copy(cli, sorted, 0, err);
    tr_input_close(sorted);
    tr_resort_free(sort);
    return st;
}

/* in: not read yet; NULL: open it again. */
static enum tr_status write_aligned(struct cli *cli, struct align *a, struct cli_reread *reread, struct tr_input *in,
                                    struct tr_error *err)
{
    struct tr_clock_apply *retime = NULL;
    enum tr_status st = in ? TR_OK : cli_reread_open(reread, &in, err);
    if (st == TR_OK && in->dict->n_sources != a->to.ranks.n_sources) {
        tr_error_input(err, in->name);
        st = tr_fail(err, TR_DAMAGED, "has changed while it was read");
    }
    if (st == TR_OK)
        st = tr_clock_apply_new(&retime, in->dict, err);
    if (st == TR_OK) {
        set_clocks(a, retime);
        st = rewrite(cli, in, retime, err);
    }
    tr_clock_apply_free(retime);
    return st;
}

static enum tr_status undo(struct cli *cli, struct tr_error *err)
{
    struct tr_input *in;
    struct tr_clock_apply *retime = NULL;
    enum tr_status st = cli_input_operands(cli, 0, &in, err);
    if (st == TR_OK)
        st = cli_ranks_there(cli, &(struct cli_ranks){ .dict = in->dict }, err);
    if (st == TR_OK && !in->sorted) {
        tr_error_input(err, in->name);
        st = tr_fail(err, TR_DAMAGED, "not in canonical order: cannot have been aligned");
    }
    if (st == TR_OK)
        st = tr_clock_apply_new(&retime, in->dict, err);
    if (st == TR_OK && (st = tr_clock_apply_undo(retime, err)) == TR_NO) {
        tr_error_input(err, in->name);
        tr_fail(err, TR_NO, "has not been aligned: nothing to undo, nothing written");
    }
    if (st == TR_OK)
        st = rewrite(cli, in, retime, err);
    tr_clock_apply_free(retime);
    return st;
}

/* ---- the program ---- */

/* Decode only the columns that are needed to find collectives, if possible. */
static enum tr_status read_less(const struct align *a, const struct cli_reread *reread, struct tr_input *in,
                                struct tr_error *err)
{
    const struct tr_projection want = { .fixed = TR_FIXED_ALL & ~TR_FIXED_BIT(CAT),
                                        .derived = 1u << TR_COL_LAUNCH_TS,
                                        .keys = tr_coll_keys,
                                        .n_keys = TR_COLL_N_KEYS };
    if (reread->copying || a->expr)
        return TR_OK;
    return tr_input_want(in, &want) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status feed(struct align *a, const struct tr_batch *b, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (a->expr)
        st = tr_grow(&a->mask, &a->cap_mask, b->n + 1, 1) ? tr_expr_eval(a->expr, b, a->mask, err)
                                                          : tr_fail_memory(err);
    return st == TR_OK ? tr_align_feed(&a->to, b, a->mask, err) : st;
}

static enum tr_status first_reading(struct cli *cli, struct align *a, struct cli_reread *reread, struct tr_error *err)
{
    struct tr_input *in;
    const struct tr_batch *b;
    enum tr_status st = cli_reread_open(reread, &in, err);
    if (st == TR_OK)
        st = start(a, in, err);
    if (st == TR_OK)
        st = read_less(a, reread, in, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = cli_reread_keep(reread, b, err);
        if (st == TR_OK)
            st = feed(a, b, err);
    }
    if (st == TR_END)
        st = cli_reread_done(reread, err);
    return st == TR_OK ? decide(cli, a, in, err) : st;
}

/* Offsets that are given need one reading. */
static enum tr_status as_given(struct cli *cli, struct align *a, struct tr_error *err)
{
    struct tr_input *in;
    enum tr_status st = cli_input_operands(cli, 0, &in, err);
    if (st == TR_OK)
        st = start(a, in, err);
    if (st == TR_OK)
        st = decide(cli, a, in, err);
    return st == TR_OK ? write_aligned(cli, a, NULL, in, err) : st;
}

static enum tr_status find_and_write(struct cli *cli, struct align *a, struct tr_error *err)
{
    struct cli_reread reread = { .cli = cli };
    enum tr_status st = first_reading(cli, a, &reread, err);
    if (st == TR_OK)
        st = write_aligned(cli, a, &reread, NULL, err);
    cli_reread_close(&reread);
    return st;
}

static enum tr_status find_and_report(struct cli *cli, void *o, struct tr_table *t, struct tr_error *err)
{
    struct align *a = o;
    struct cli_reread reread = { .cli = cli };
    enum tr_status st = first_reading(cli, a, &reread, err);
    if (st == TR_OK)
        st = add_rows(cli, a, t, err);
    cli_reread_close(&reread);
    return st;
}

static void release(struct align *a)
{
    tr_expr_free(a->expr);
    tr_align_free(&a->to);
    free(a->mask);
}

static enum tr_status align_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const struct tr_chart chart = { TR_CHART_BAR, .x = "rank", .y = { "offset" } };
    static const struct cli_table report = { .columns = add_columns, .fill = find_and_report, .chart = &chart };
    struct align *a = arg;
    enum tr_status st = check_options(cli, a, err);
    if (st == TR_OK && !a->report)
        st = cli_table_none(cli, "--report", err);
    if (st == TR_OK && a->undo)
        return undo(cli, err);
    if (st == TR_OK && a->anchor)
        st = cli_expr_compile(cli, a->anchor, "expression of --anchor", &a->expr, err);
    if (st == TR_OK && a->report)
        st = cli_table_run(cli, &report, a, err);
    else if (st == TR_OK)
        st = a->offsets && !a->device ? as_given(cli, a, err) : find_and_write(cli, a, err);
    release(a);
    return st;
}

int tr_align_main(int argc, char **argv)
{
    struct align a = { .reference = -1, .min_anchors = TR_ALIGN_ANCHORS };
    return cli_main(argc, argv, &align_tool, &a, align_run);
}
