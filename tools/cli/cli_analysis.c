/* SPDX-License-Identifier: MIT */
/* Selection, grouping and tables for the programs that analyse device work. */
#include "cli/cli_analysis.h"

#include "cli/cli_book.h"
#include "cli/cli_partial.h"
#include "sink/tr_sinks.h"
#include "vendor/tr_short_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const cli_analysis_per[] = { "rank", "device", "stream", "step", "capture", "all",
                                         "spread", "host", "tp", "pp", "dp", "ep", "node", NULL };

enum tr_status cli_analysis_host_time(void *field, const char *value, struct tr_error *err)
{
    return tr_select_parse_host_time(field, value, err);
}

enum tr_status cli_analysis_suspect(void *field, const char *value, struct tr_error *err)
{
    bool *suspect = field;
    if (strcmp(value, "include") != 0)
        return tr_fail(err, TR_USAGE, "'%.80s' is not 'include'", value);
    *suspect = true;
    return TR_OK;
}

/* ---- reasons why a table is empty, or does not exist ---- */

static void explain(struct cli *cli, struct cli_analysis *a, const char *place, const char *what)
{
    a->explained = true;
    cli_warn(cli, a->in->name, place, what);
}

static bool any_steps(const struct tr_summary *sum)
{
    for (size_t i = 0; i < sum->n; i++)
        if (sum->sources[i].n_steps)
            return true;
    return false;
}

/* Inputs without a time line, by their formats, and what reads them; NULL: it is another one. */
static const char *timeless(struct tr_str format)
{
    static const struct {
        const char *format, *what;
    } known[] = {
        { "pytorch-et", "an execution trace has no times: --attach of 'tr-breakdown --by node' joins it to a trace" },
        { "chakra", "an execution trace has no times: 'tr-critpath --by chain' finds its longest chain" },
        { "chakra-json", "an execution trace has no times: 'tr-critpath --by chain' finds its longest chain" },
        { "nccl-inspector", "a log of NCCL's inspector has no kernels: see 'tr-comm --by log' and its keys" },
        { "flight-rec", "a dump of the flight recorder has no kernels: see 'tr-comm --by verdict'" },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (tr_str_is(format, known[i].format))
            return known[i].what;
    return NULL;
}

/* A row of zeros has a reason.  Without a warning, a user would search for it in the model. */
static void warn_of_nothing(struct cli *cli, struct cli_analysis *a)
{
    const struct tr_summary *sum = a->in->summary;
    if (a->per == TR_PER_STEP && !any_steps(sum))
        cli_warn(cli, a->in->name, "option --per",
                 "the trace has no steps (host annotations ProfilerStep#n, or of an inference engine)");
    for (uint32_t i = 0; !a->host && i < sum->n && i < a->in->dict->n_sources; i++) {
        const uint64_t *n = sum->sources[i].n_activity;
        const char *name = tr_dict_str(a->in->dict, a->in->dict->sources[i].name);
        struct tr_str format = tr_dict_text_if(a->in->dict, a->in->dict->sources[i].format);
        bool reports = a->reports && tr_str_is(format, "unitrace-text");
        if (!reports && tr_select_source(a->select.selected, i) && !n[TR_ACT_KERNEL] && !n[TR_ACT_MEMCPY] &&
            !n[TR_ACT_MEMSET])
            explain(cli, a, sum->n > 1 ? name : "",
                    timeless(format) ? timeless(format)
                    : a->in->dict->sources[i].partial ? "no device work: there is none in the part of the trace that "
                                                   "could be read"
                                                 : "no device work: the trace has no kernel, copy or memset");
    }
}

enum tr_status cli_analysis_want(const struct cli_analysis *a, struct tr_error *err)
{
    struct tr_projection want = a->want;
    cli_select_want(&want);
    want.any_rank_order &= !a->twice; /* an input that is written again must be in order */
    if (a->coverage) {
        want.fixed |= TR_COVERAGE_FIXED;
        want.derived |= TR_COVERAGE_DERIVED;
    }
    return cli_expr_want(a->in, &want, a->select.tests, a->select.n_tests, err);
}

enum tr_status cli_analysis_open(struct cli *cli, struct cli_analysis *a, size_t first,
                                 struct tr_error *err)
{
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    return cli_analysis_open_paths(cli, a, n > first ? operands + first : NULL,
                                   n > first ? n - first : 0, err);
}

enum tr_status cli_analysis_open_paths(struct cli *cli, struct cli_analysis *a,
                                       const char *const *paths, size_t n, struct tr_error *err)
{
    enum tr_status st = cli_select_compile(cli, &a->select, err);
    a->cli = cli;
    if (st == TR_OK && a->coverage && !(a->covered = tr_coverage_new(a->suspect)))
        st = tr_fail_memory(err);
    if (st == TR_OK && a->made)
        a->in = a->made;
    else if (st == TR_OK)
        st = a->twice ? cli_overlay_open(a->twice, &a->in, err)
                      : cli_input_open(cli, paths, n, &a->in, err);
    if (st != TR_OK)
        return st;
    if (!a->in->sorted) {
        tr_error_input(err, a->in->name);
        return tr_fail(err, TR_DAMAGED, "events are not in order of time: make the stream without --no-sort");
    }
    if (!a->partials && !a->twice) /* one that is written again keeps its tables */
        st = cli_partial_only(cli, a->in, paths, n, NULL, err);
    if (st == TR_OK)
        st = cli_analysis_want(a, err);
    if (st == TR_OK)
        st = cli_select_bind(&a->select, a->in, err);
    if (st == TR_OK)
        warn_of_nothing(cli, a);
    return st;
}

/* " (12.34 %)"; empty if the whole is 0. */
static const char *share(char *out, size_t size, double part, double whole)
{
    *out = '\0';
    if (whole > 0)
        snprintf(out, size, " (%.2f %%)", part / whole * 100);
    return out;
}

/* Microseconds of a time of work. */
static const char *microseconds(char *out, size_t size, int64_t ns)
{
    if (ns == TR_TIME_NONE)
        snprintf(out, size, "more than 64 bits of");
    else
        snprintf(out, size, "%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
    return out;
}

static void say_coverage(const struct cli_analysis *a)
{
    struct tr_coverage_counts n = tr_coverage_all(a->covered);
    bool fits = n.time != TR_TIME_NONE && n.time_by_operator != TR_TIME_NONE;
    char pct[3][32], us[2][32];
    cli_remark(a->cli,
               "coverage: launches with device work %" PRIu64 " of %" PRIu64
               "%s, device work with a launch %" PRIu64 " of %" PRIu64
               "%s, device time launched by operators %s of %s us%s",
               n.launches_used, n.launches,
               share(pct[0], sizeof pct[0], (double)n.launches_used, (double)n.launches), n.work_launched,
               n.work, share(pct[1], sizeof pct[1], (double)n.work_launched, (double)n.work),
               microseconds(us[0], sizeof us[0], n.time_by_operator), microseconds(us[1], sizeof us[1], n.time),
               share(pct[2], sizeof pct[2], (double)n.time_by_operator, fits ? (double)n.time : 0));
}

enum tr_status cli_analysis_next(struct cli_analysis *a, const struct tr_batch **b,
                                 const uint8_t **keep, struct tr_error *err)
{
    enum tr_status st = tr_input_next(a->in, b, err);
    if (a->twice && st == TR_OK)
        st = cli_overlay_see(a->twice, *b, err);
    if (a->twice && st == TR_END) {
        enum tr_status done = cli_reread_done(&a->twice->again, err);
        st = done == TR_OK ? TR_END : done;
    }
    if (st == TR_OK)
        st = cli_select_mask(&a->select, *b, keep, err);
    if (st == TR_OK && a->covered)
        st = tr_coverage_add(a->covered, *b, *keep, err);
    if (st == TR_END && a->covered)
        say_coverage(a);
    if (st == TR_END) {
        enum tr_status done = cli_select_end(&a->select, err);
        st = done == TR_OK ? TR_END : done;
    }
    return st;
}

void cli_analysis_close(struct cli_analysis *a)
{
    cli_select_free(&a->select);
    tr_coverage_free(a->covered);
    a->covered = NULL;
}

enum tr_status cli_analysis_per_rank(const struct cli_analysis *a, const char *view,
                                     struct tr_error *err)
{
    if (a->per < 0 || a->per == TR_PER_RANK)
        return TR_OK;
    return tr_fail(err, TR_USAGE, "%s has rows only for ranks, so --per %s has no effect",
                   view, cli_analysis_per[a->per]);
}

struct tr_group_by_opts cli_analysis_work(const struct cli_analysis *a, enum tr_per if_unset)
{
    enum tr_per per = a->per < 0 || a->per >= TR_PER_SPREAD ? if_unset : (enum tr_per)a->per;
    return (struct tr_group_by_opts){ .per = per, .suspect = a->suspect };
}

static enum tr_unit table_unit(const struct cli *cli)
{
    static const enum tr_unit units[] = {
        [CLI_NS] = TR_UNIT_NS, [CLI_US] = TR_UNIT_US, [CLI_MS] = TR_UNIT_MS, [CLI_S] = TR_UNIT_S
    };
    return units[cli_unit(cli)];
}

struct tr_table *cli_table_held(const struct cli *cli)
{
    struct tr_table *t = tr_table_new(table_unit(cli));
    if (t) {
        tr_table_width(t, cli_width(cli));
        tr_table_colour(t, cli_colour(cli));
        tr_table_spill(t, cli_spill(cli));
    }
    return t;
}

static enum tr_status write_table(void *cli, const void *bytes, size_t n, struct tr_error *err)
{
    int fd;
    enum tr_status st = cli_output(cli, false, &fd, err);
    return st == TR_OK ? cli_write(cli, bytes, n, err) : st;
}

struct tr_arrange cli_arrangement(const struct cli *cli)
{
    const struct cli_arrange *arrange = cli_arrange(cli);
    return (struct tr_arrange){ .columns = arrange->columns,
                                .sort = arrange->sort,
                                .top = arrange->top,
                                .top_per = arrange->top_per,
                                .has_unit = cli_unit_given(cli),
                                .human = arrange->human,
                                .csv_safe = arrange->csv_safe,
                                .headings = arrange->headings,
                                .shorten = arrange->short_names ? tr_short_name : NULL };
}

static struct tr_table *new_table(struct cli *cli, const struct tr_row_sink *sink, enum tr_unit unit,
                                  const struct tr_arrange *how)
{
    bool book = cli_book(cli), ok = true;
    struct tr_table *t = tr_table_new(book && cli_book_ns(cli) ? TR_UNIT_NS : unit);
    if (!t)
        return NULL;
    if (cli_arrange(cli)->csv_safe && sink == &tr_row_sink_csv)
        sink = &tr_row_sink_csv_safe;
    tr_table_width(t, cli_width(cli));
    tr_table_colour(t, cli_colour(cli));
    tr_table_spill(t, cli_spill(cli));
    if (book)
        ok = cli_book_table(cli, t, sink);
    else
        tr_table_output(t, sink, write_table, cli);
    if (ok && tr_table_temp_dir(t, cli_temp_dir(cli)) && (!how || tr_table_arrange(t, how, NULL) == TR_OK))
        return t;
    tr_table_free(t);
    return NULL;
}

struct tr_table *cli_table_as(struct cli *cli, const struct tr_row_sink *sink, enum tr_unit unit, bool arranged)
{
    const struct tr_arrange how = cli_arrangement(cli);
    return new_table(cli, sink, unit, arranged ? &how : NULL);
}

struct tr_table *cli_table_arranged(struct cli *cli, const struct tr_arrange *how)
{
    return new_table(cli, cli_report_sink(cli), table_unit(cli), how);
}

struct tr_table *cli_table_plain(struct cli *cli)
{
    return cli_table_as(cli, cli_report_sink(cli), table_unit(cli), false);
}

struct tr_table *cli_table_new(struct cli *cli)
{
    return cli_table_as(cli, cli_report_sink(cli), table_unit(cli), true);
}

const struct tr_row_sink *cli_report_sink(const struct cli *cli)
{
    static const struct tr_row_sink *const sinks[] = {
        [CLI_TEXT] = &tr_row_sink_text, [CLI_TSV] = &tr_row_sink_tsv, [CLI_CSV] = &tr_row_sink_csv,
        [CLI_JSON] = &tr_row_sink_json, [CLI_MD] = &tr_row_sink_md,     [CLI_SVG] = &tr_row_sink_svg,
        [CLI_VEGA] = &tr_row_sink_vega, [CLI_HTML] = &tr_row_sink_html,
        [CLI_SQLITE] = &tr_row_sink_sqlite, [CLI_XLSX] = &tr_row_sink_xlsx,
    };
    enum cli_format format = cli_report_format(cli);
    return format == CLI_TEXT && cli_bars(cli) ? &tr_row_sink_bars : sinks[format];
}

void cli_analysis_empty(struct cli *cli, const struct cli_analysis *a, const struct tr_table *t, const char *if_empty)
{
    if (tr_table_empty(t) && !a->explained && !a->select.where_empty && if_empty && !cli_quiet(cli))
        cli_remark(cli, "%s: nothing to show%s: %s", a->in->name, tr_select_survived(a->select.selected), if_empty);
}
