/* tr-align: bring the clocks of all ranks to one.  Manual: tr-align(1). */
#include <config.h>

#include "align.h"
#include "analysis/tr_anchors.h"
#include "analysis/tr_device_lag.h"
#include "cli/cli_again.h"
#include "cli/cli_analysis.h"
#include "cli/cli_expr.h"
#include "cli/cli_stream.h"

#include "expr/tr_expr.h"
#include "model/tr_collective.h"
#include "stream/tr_reader.h"
#include "stream/tr_resort.h"
#include "stream/tr_retime.h"

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
    struct tr_rank_set ranks;
    struct tr_anchors *anchors;
    struct tr_device_lag *devices;
    struct tr_clockfit *fit;
    size_t reference_at; /* among the ranks */
    int64_t origin;
    int64_t *offset, *drifts, *shift; /* by rank */
    uint64_t *left_out;               /* by rank: device work that the shift does not look at */
    uint8_t *mask;
    size_t cap_mask;
};

static const struct cli_opt align_opts[] = {
    { 0, "drift", NULL, CLI_FLAG, offsetof(struct align, drift),
      .help = "clocks run at different speeds: find drifts, too" },
    { 0, "anchor", "EXPR", CLI_STRING, offsetof(struct align, anchor),
      .help = "align starts of these events, the n-th of each rank [ends of collectives]" },
    { 0, "reference", "RANK", CLI_I64, offsetof(struct align, reference), .lo = 0, .hi = INT64_MAX,
      .help = "the rank whose clock all get [0, or the lowest]" },
    { 0, "min-anchors", "N", CLI_U64, offsetof(struct align, min_anchors), .lo = 1,
      .help = "exit 1 if a rank has fewer anchors [3]" },
    { 0, "offsets", "FILE", CLI_FILE, offsetof(struct align, offsets),
      .help = "take offsets from FILE: rank, offset, drift" },
    { 0, "device", NULL, CLI_FLAG, offsetof(struct align, device),
      .help = "move device clocks so that no work starts before its launch" },
    { 0, "report", NULL, CLI_FLAG, offsetof(struct align, report),
      .help = "print what was found instead of the stream" },
    { 0, "undo", NULL, CLI_FLAG, offsetof(struct align, undo),
      .help = "take the last alignment out of the stream" },
    { 0 },
};

static const struct cli_tool align_tool = {
    .name = "tr-align",
    .brief = "bring the clocks of all ranks to one",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_REPORT,
    .max_operands = CLI_ANY,
    .opts = align_opts,
};

static enum tr_status check_options(const struct align *a, struct tr_error *err)
{
    if (a->undo &&
        (a->anchor || a->offsets || a->reference >= 0 || a->drift || a->device || a->report))
        return tr_fail(err, TR_USAGE, "--undo goes with no other option of tr-align");
    if (a->offsets && (a->anchor || a->drift || a->report))
        return tr_fail(err, TR_USAGE, "--offsets leaves nothing to be found: not with %s",
                       a->anchor  ? "--anchor"
                       : a->drift ? "--drift"
                                  : "--report");
    return TR_OK;
}

/* ---- first reading ---- */

static bool allocate(struct align *a)
{
    size_t n = a->ranks.n + 1;
    a->offset = calloc(n, sizeof *a->offset);
    a->drifts = calloc(n, sizeof *a->drifts);
    a->shift = calloc(n, sizeof *a->shift);
    a->left_out = calloc(n, sizeof *a->left_out);
    return a->offset && a->drifts && a->shift && a->left_out;
}

/* The moment for which offsets are told: the reference's first event. */
static void find_origin(struct align *a, const struct tr_input *in)
{
    bool found = false;
    for (size_t s = 0; in->summary && s < in->summary->n; s++) {
        int64_t first = in->summary->sources[s].first_ts;
        if (a->reference_at >= a->ranks.n || a->ranks.of_source[s] != a->reference_at ||
            first == TR_TIME_NONE || (found && first >= a->origin))
            continue;
        a->origin = first;
        found = true;
    }
}

static enum tr_status know_ranks(struct align *a, const struct tr_input *in, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!in->sorted)
        st = tr_fail(err, TR_DAMAGED, "not in canonical order: cannot be aligned");
    if (st == TR_OK)
        st = tr_rank_set_init(&a->ranks, in->dict, err);
    if (st == TR_OK && !allocate(a))
        st = tr_fail_memory(err);
    if (st == TR_OK) {
        int64_t wanted = a->reference < 0 ? 0 : a->reference;
        a->reference_at = tr_rank_set_find(&a->ranks, wanted);
        if (a->reference_at == a->ranks.n && a->reference < 0)
            a->reference_at = 0;
        else if (a->reference_at == a->ranks.n && !a->offsets)
            st = tr_fail(err, TR_DAMAGED, "no rank %" PRId64 " to be the reference", wanted);
        find_origin(a, in);
    }
    if (st != TR_OK)
        tr_error_input(err, in->name);
    return st;
}

static enum tr_status begin(struct align *a, const struct tr_input *in, struct tr_error *err)
{
    enum tr_status st = know_ranks(a, in, err);
    if (st == TR_OK && !a->offsets)
        st = tr_anchors_new(&a->anchors, &a->ranks, in->dict, a->expr != NULL, err);
    if (st == TR_OK && a->expr) {
        st = tr_expr_bind(a->expr, in->dict, in->summary, in->sorted, err);
        if (st != TR_OK)
            tr_error_input(err, in->name);
    }
    if (st == TR_OK && a->device)
        st = tr_device_lag_new(&a->devices, &a->ranks, err);
    if (st == TR_OK && a->offsets)
        st = align_offsets_read(a->offsets, &a->ranks, a->offset, a->drifts, err);
    return st;
}

/* ---- the fit ---- */

static enum tr_status refuse(const struct align *a, size_t weak, uint64_t anchors,
                             const struct tr_input *in, struct tr_error *err)
{
    const char *what = a->expr ? "anchors" : "collectives";
    tr_error_input(err, in->name);
    if (anchors < a->min_anchors)
        return tr_fail(err, TR_NO,
                       "rank %" PRId64 " shares %" PRIu64 " %s with other ranks, at least %" PRIu64
                       " needed: nothing written",
                       a->ranks.rank[weak], anchors, what, a->min_anchors);
    return tr_fail(err, TR_NO,
                   "no %s lead from rank %" PRId64 " to rank %" PRId64 ": nothing written", what,
                   a->ranks.rank[weak], a->ranks.rank[a->reference_at]);
}

static void warn_of_misfit(struct cli *cli, const struct align *a, const struct tr_input *in)
{
    char what[200];
    size_t few, many;
    uint64_t n = tr_clockfit_violations(a->fit);
    if (a->expr && !tr_anchors_even(a->anchors, &few, &many)) {
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

static enum tr_status fit(struct cli *cli, struct align *a, const struct tr_input *in,
                          struct tr_error *err)
{
    const struct tr_clockfit_opts opts = { .origin = a->origin, .drift = a->drift };
    uint64_t anchors;
    if (a->ranks.n < 2) /* one clock is one clock */
        return TR_OK;
    enum tr_status st = tr_clockfit_new(&a->fit, a->ranks.n, a->reference_at, err);
    if (st == TR_OK)
        st = tr_anchors_give(a->anchors, a->device ? a->shift : NULL, a->fit, err);
    if (st != TR_OK)
        return st;
    size_t weak = tr_clockfit_weak(a->fit, a->min_anchors, &anchors);
    if (weak < a->ranks.n)
        return refuse(a, weak, anchors, in, err);
    st = tr_clockfit_solve(a->fit, &opts, err);
    for (size_t r = 0; r < a->ranks.n && st == TR_OK; r++) {
        struct tr_clockfit_row row;
        st = tr_clockfit_row(a->fit, r, &row, err);
        if (st != TR_OK) {
            tr_error_place(err, "rank %" PRId64, a->ranks.rank[r]);
            tr_error_input(err, in->name);
        }
        a->offset[r] = row.offset;
        a->drifts[r] = row.drift;
    }
    if (st == TR_OK)
        warn_of_misfit(cli, a, in);
    return st;
}

/* Offsets with drift hold at one moment, which is the reference's. */
static enum tr_status check_given(const struct align *a, const struct tr_input *in,
                                  struct tr_error *err)
{
    if (a->reference_at < a->ranks.n)
        return TR_OK;
    for (size_t r = 0; r < a->ranks.n; r++)
        if (a->drifts[r]) {
            tr_error_input(err, in->name);
            return tr_fail(err, TR_DAMAGED,
                           "rank %" PRId64 " is not there, to whose first event offsets refer",
                           a->reference);
        }
    return TR_OK;
}

static enum tr_status decide(struct cli *cli, struct align *a, const struct tr_input *in,
                             struct tr_error *err)
{
    for (size_t r = 0; r < a->ranks.n && a->device; r++) {
        a->shift[r] = tr_device_lag_shift(a->devices, r, &a->left_out[r]);
        if (a->left_out[r]) {
            char what[200];
            snprintf(what, sizeof what,
                     "rank %" PRId64 ": %" PRIu64
                     " kernels are far before their launch, more than clocks explain",
                     a->ranks.rank[r], a->left_out[r]);
            cli_warn(cli, in->name, "", what);
        }
    }
    return a->offsets ? check_given(a, in, err) : fit(cli, a, in, err);
}

/* ---- report ---- */

static enum tr_status report(struct cli *cli, const struct align *a, struct tr_error *err)
{
    struct tr_table *t = cli_table_new(cli);
    enum tr_status st = TR_OK;
    if (!t)
        return tr_fail_memory(err);
    tr_table_column(t, "rank", TR_CELL_INT, 0);
    tr_table_column(t, "anchors", TR_CELL_COUNT, 0);
    tr_table_column(t, "offset", TR_CELL_TIME, 0);
    tr_table_column(t, "drift_ppm", TR_CELL_RATIO, 6);
    tr_table_column(t, "residual_p50", TR_CELL_TIME, 0);
    tr_table_column(t, "residual_p99", TR_CELL_TIME, 0);
    tr_table_column(t, "residual_max", TR_CELL_TIME, 0);
    if (a->device)
        tr_table_column(t, "device", TR_CELL_TIME, 0);
    for (size_t r = 0; r < a->ranks.n && st == TR_OK; r++) {
        struct tr_clockfit_row row = { .residual_p50 = NAN,
                                       .residual_p99 = NAN,
                                       .residual_max = NAN };
        if (a->fit)
            st = tr_clockfit_row(a->fit, r, &row, err);
        tr_table_int(t, a->ranks.rank[r]);
        tr_table_count(t, row.anchors);
        tr_table_time(t, row.offset);
        tr_table_ratio(t, (double)row.drift / 1e6);
        tr_table_time_f(t, row.residual_p50);
        tr_table_time_f(t, row.residual_p99);
        tr_table_time_f(t, row.residual_max);
        if (a->device)
            tr_table_time(t, a->shift[r]);
        if (row.ignored)
            cli_note(cli, "rank %" PRId64 ": %" PRIu64 " anchors are too far off to count",
                     a->ranks.rank[r], row.ignored);
    }
    if (st == TR_OK)
        st = cli_table_write(cli, t, err);
    tr_table_free(t);
    return st;
}

/* ---- second reading ---- */

/*
 * The clock of a rank.  That of its device shows `shift` less than the host's: what is moved by that
 * first and then as the host, is moved by both at once.
 */
static void set_clocks(const struct align *a, struct tr_retime *retime)
{
    int64_t frame = a->reference_at < a->ranks.n ? a->ranks.rank[a->reference_at] : -1;
    if (a->offsets && frame >= 0 && (a->offset[a->reference_at] || a->drifts[a->reference_at]))
        frame = -1;
    for (size_t s = 0; s < a->ranks.n_sources; s++) {
        size_t r = a->ranks.of_source[s];
        struct tr_clock host = tr_clockfit_clock(a->offset[r], a->drifts[r], a->origin, frame);
        struct tr_clock device = host;
        device.origin -= a->shift[r];
        device.offset -= a->shift[r];
        tr_retime_set(retime, (uint32_t)s, &host, a->shift[r] ? &device : NULL);
    }
}

/* Move everything, sort it anew and write it. */
static enum tr_status rewrite(struct cli *cli, struct tr_input *in, struct tr_retime *retime,
                              struct tr_error *err)
{
    struct tr_resort *sort = NULL;
    struct tr_input *sorted = NULL;
    const struct tr_batch *b, *moved;
    const struct tr_dict *dict;
    const struct tr_summary *summary;
    enum tr_status st =
        tr_resort_new(&sort, in->dict, cli_max_memory(cli) / 2, cli_temp_dir(cli), err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = tr_retime_batch(retime, b, &moved, err);
        if (st != TR_OK)
            tr_error_input(err, in->name);
        else
            st = tr_resort_add(sort, moved, err);
    }
    if (st == TR_END)
        st = tr_retime_end(retime, in->summary, &dict, &summary, err);
    if (st == TR_OK) {
        st = tr_resort_input(sort, dict, summary, in->provenance, in->name, &sorted, err);
        sort = NULL;
    }
    if (st == TR_OK)
        st = cli_stream_copy(cli, sorted, 0, err);
    tr_input_close(sorted);
    tr_resort_free(sort);
    return st;
}

/* in: not read yet; NULL: to be opened again. */
static enum tr_status write_aligned(struct cli *cli, struct align *a, struct cli_again *source,
                                    struct tr_input *in, struct tr_error *err)
{
    struct tr_retime *retime = NULL;
    enum tr_status st = in ? TR_OK : cli_again_open(source, &in, err);
    if (st == TR_OK && in->dict->n_sources != a->ranks.n_sources) {
        tr_error_input(err, in->name);
        st = tr_fail(err, TR_DAMAGED, "has changed while it was read");
    }
    if (st == TR_OK)
        st = tr_retime_new(&retime, in->dict, err);
    if (st == TR_OK) {
        set_clocks(a, retime);
        st = rewrite(cli, in, retime, err);
    }
    tr_retime_free(retime);
    return st;
}

static enum tr_status undo(struct cli *cli, struct tr_error *err)
{
    struct tr_input *in;
    struct tr_retime *retime = NULL;
    enum tr_status st = cli_input_operands(cli, 0, &in, err);
    if (st == TR_OK && !in->sorted) {
        tr_error_input(err, in->name);
        st = tr_fail(err, TR_DAMAGED, "not in canonical order: cannot have been aligned");
    }
    if (st == TR_OK)
        st = tr_retime_new(&retime, in->dict, err);
    if (st == TR_OK && (st = tr_retime_undo(retime, err)) == TR_NO) {
        tr_error_input(err, in->name);
        tr_fail(err, TR_NO, "has not been aligned: nothing to take out, nothing written");
    }
    if (st == TR_OK)
        st = rewrite(cli, in, retime, err);
    tr_retime_free(retime);
    return st;
}

/* ---- the program ---- */

/* Only what finding collectives needs is decoded, where that is possible. */
static enum tr_status read_less(const struct align *a, const struct cli_again *source,
                                struct tr_input *in, struct tr_error *err)
{
    const struct tr_want want = { .fixed = TR_FIXED_ALL & ~TR_WANT(CAT),
                                  .derived = 1u << TR_COL_LAUNCH_TS,
                                  .keys = tr_coll_keys,
                                  .n_keys = TR_COLL_N_KEYS };
    if (source->copying || a->expr)
        return TR_OK;
    return tr_reader_want(in, &want) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status feed_anchors(struct align *a, const struct tr_batch *b, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (a->expr)
        st = tr_grow(&a->mask, &a->cap_mask, b->n + 1, 1) ? tr_expr_eval(a->expr, b, a->mask, err)
                                                          : tr_fail_memory(err);
    return st == TR_OK ? tr_anchors_feed(a->anchors, b, a->mask, err) : st;
}

static enum tr_status first_reading(struct cli *cli, struct align *a, struct cli_again *source,
                                    struct tr_error *err)
{
    struct tr_input *in;
    const struct tr_batch *b;
    enum tr_status st = cli_again_open(source, &in, err);
    if (st == TR_OK)
        st = begin(a, in, err);
    if (st == TR_OK)
        st = read_less(a, source, in, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = cli_again_keep(source, b, err);
        if (st == TR_OK && a->anchors)
            st = feed_anchors(a, b, err);
        if (st == TR_OK && a->devices)
            st = tr_device_lag_feed(a->devices, b, err);
    }
    if (st == TR_END)
        st = cli_again_done(source, err);
    return st == TR_OK ? decide(cli, a, in, err) : st;
}

/* Offsets that are given need one reading. */
static enum tr_status as_given(struct cli *cli, struct align *a, struct tr_error *err)
{
    struct tr_input *in;
    enum tr_status st = cli_input_operands(cli, 0, &in, err);
    if (st == TR_OK)
        st = begin(a, in, err);
    if (st == TR_OK)
        st = decide(cli, a, in, err);
    return st == TR_OK ? write_aligned(cli, a, NULL, in, err) : st;
}

static enum tr_status find_and_write(struct cli *cli, struct align *a, struct tr_error *err)
{
    struct cli_again source = { .cli = cli };
    enum tr_status st = first_reading(cli, a, &source, err);
    if (st == TR_OK)
        st = a->report ? report(cli, a, err) : write_aligned(cli, a, &source, NULL, err);
    cli_again_close(&source);
    return st;
}

static void release(struct align *a)
{
    tr_expr_free(a->expr);
    tr_anchors_free(a->anchors);
    tr_device_lag_free(a->devices);
    tr_rank_set_free(&a->ranks);
    tr_clockfit_free(a->fit);
    free(a->offset);
    free(a->drifts);
    free(a->shift);
    free(a->left_out);
    free(a->mask);
}

static enum tr_status align_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct align *a = arg;
    enum tr_status st = check_options(a, err);
    if (st == TR_OK && a->undo)
        return undo(cli, err);
    if (st == TR_OK && a->anchor)
        st = cli_expr_compile(cli, a->anchor, "expression of --anchor", &a->expr, err);
    if (st == TR_OK)
        st = a->offsets && !a->device ? as_given(cli, a, err) : find_and_write(cli, a, err);
    release(a);
    return st;
}

int main(int argc, char **argv)
{
    struct align a = { .reference = -1, .min_anchors = 3 };
    return cli_main(argc, argv, &align_tool, &a, align_run);
}
