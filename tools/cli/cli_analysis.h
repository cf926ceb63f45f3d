/* SPDX-License-Identifier: MIT */
/*
 * Common code of the programs that analyse device work: selection, grouping, and the way from an input
 * to a table.
 *
 *     struct tool { struct cli_analysis a; };
 *     static const struct tr_option opts[] = { CLI_ANALYSIS_OPTS(struct tool, a), { 0 } };
 *
 *     st = cli_analysis_open(cli, &tool->a, 0, err);
 *     while ((st = cli_analysis_next(&tool->a, &b, &keep, err)) == TR_OK)
 *         ...
 *     cli_analysis_close(&tool->a);
 */
#ifndef CLI_ANALYSIS_H
#define CLI_ANALYSIS_H

#include "analysis/calls/tr_coverage.h"
#include "cli/cli_main.h"
#include "cli/cli_overlay.h"
#include "cli/cli_select.h"
#include "engine/tr_analysis.h"
#include "stream/tr_input.h"
#include "table/tr_table.h"

struct cli_analysis {
    struct cli_select select;
    int per; /* enum tr_per, or -1: the default of the view */
    bool suspect;
    bool coverage; /* print the coverage of the selected work at the end */
    /*
     * Columns that the analysis reads itself; those of selection and grouping are added.  All columns, unless the
     * program sets fewer before cli_analysis_open.
     */
    struct tr_projection want;
    bool host; /* it is about the host: missing device work needs no warning */
    bool partials; /* partial results are read, and checked by cli_partial_only; else they are refused */
    bool reports; /* sums of text reports count, too, so a report without device work has results */
    enum tr_status *answer; /* as in struct tr_analysis_in */
    struct tr_one_clock *one_clock; /* put ranks on one clock where they are compared; NULL: clocks stay */
    const char *run; /* of several, which: "base"; NULL: there is one */
    struct cli_overlay *twice; /* to write the input again; NULL: it is not written */
    struct tr_input *made; /* an input that the program made, in place of files; NULL: there is none */
    struct tr_input *in; /* from cli_analysis_open on */
    struct cli *cli;
    bool explained; /* the reason for an empty table has been printed */
    struct tr_coverage *covered; /* NULL: not requested */
};
#define CLI_ANALYSIS_INIT                                   \
    {                                                       \
        .select = CLI_SELECT_INIT, .per = -1,                 \
        .want = { .fixed = TR_FIXED_ALL, .all_packed = true } \
    }

enum tr_status cli_analysis_host_time(void *field, const char *value, struct tr_error *err);
enum tr_status cli_analysis_suspect(void *field, const char *value, struct tr_error *err);
extern const char *const cli_analysis_per[]; /* names of enum tr_per, and node */
#define CLI_PER_NODE (TR_PER_EP + 1) /* the same as TR_PER_HOST: no format knows more of a node than its host */

/* Rows of an option table; member is the struct cli_analysis in the program's struct of options. */
/* clang-format off */
#define CLI_ANALYSIS_OPTS(type, member)                                                            \
    { 0, "per", "GROUP", TR_OPTION_CHOICE, offsetof(type, member.per), .choices = cli_analysis_per,      \
      .help = "a row for each rank, device, stream, step, capture, one for all; or the spread over ranks, "  \
              "of all, of a host (or node), or of a place in the job's mesh: tp, pp, dp, ep [rank]" },               \
    CLI_SELECT_OPTS(type, member)

/* The same for programs that know no groups. */
#define CLI_SELECT_OPTS(type, member)                                                              \
    CLI_EVENT_OPTS(type, member.select),                                                           \
    { 0, "host-time", "FROM..TO", TR_OPTION_CALL, offsetof(type, member.select.opts),                    \
      .call = cli_analysis_host_time, .help = "only what the host started or launched then" },     \
    { 0, "drop-last-step", NULL, TR_OPTION_FLAG, offsetof(type, member.select.opts.drop_last_step),      \
      .help = "only what comes before the last step or was launched before it" },                  \
    { 0, "suspect", "include", TR_OPTION_CALL, offsetof(type, member.suspect),                           \
      .call = cli_analysis_suspect, .help = "count events with impossible times, too" },            \
    { 0, "coverage", NULL, TR_OPTION_FLAG, offsetof(type, member.coverage),                              \
      .help = "say on standard error how much of the work is explained" }
/* clang-format on */

/*
 * Open inputs as cli_input_open does, and the selection over them.  They must be sorted.  TR_ABSENT: no input has the
 * selected rank, step or window.
 */
enum tr_status cli_analysis_open_paths(struct cli *cli, struct cli_analysis *a,
                                       const char *const *paths, size_t n, struct tr_error *err);
/* The same for the operands from number first on. */
enum tr_status cli_analysis_open(struct cli *cli, struct cli_analysis *a, size_t first,
                                 struct tr_error *err);
/* Choose the columns of the open input again, before its first batch, if a->want has changed. */
enum tr_status cli_analysis_want(const struct cli_analysis *a, struct tr_error *err);
/*
 * The next batch and its mask (NULL: all events), or TR_END; with --coverage, its line is printed
 * then.
 */
enum tr_status cli_analysis_next(struct cli_analysis *a, const struct tr_batch **b,
                                 const uint8_t **keep, struct tr_error *err);
void cli_analysis_close(struct cli_analysis *a); /* the selection; the frame closes the input */

/* For views whose rows are always for ranks: TR_USAGE if --per is something else. */
enum tr_status cli_analysis_per_rank(const struct cli_analysis *a, const char *view,
                                     struct tr_error *err);

/* The options for tr_group_by_init, with the default grouping of the view. */
struct tr_group_by_opts cli_analysis_work(const struct cli_analysis *a, enum tr_per if_unset);

/*
 * A table in the unit of --unit.  A new one is written with -O, --columns, --sort and so on.  A plain one, for further
 * information about the result, is written with -O only.  A held one waits for tr_table_write.  NULL: out of memory.
 */
struct tr_table *cli_table_new(struct cli *cli);
struct tr_table *cli_table_plain(struct cli *cli);
struct tr_table *cli_table_held(const struct cli *cli);
const struct tr_row_sink *cli_report_sink(const struct cli *cli); /* of -O */
/* For a program that defines -O and --unit itself; arranged: a new one, else plain. */
struct tr_table *cli_table_as(struct cli *cli, const struct tr_row_sink *sink, enum tr_unit unit, bool arranged);

/* The options for the form of a table; and a new table with some of them. */
struct tr_arrange cli_arrangement(const struct cli *cli);
struct tr_table *cli_table_arranged(struct cli *cli, const struct tr_arrange *how);

/*
 * Before the end of a table.  if_empty: the reason if the table has no rows; it is printed then, unless it is NULL or a
 * warning has already given the reason.
 */
void cli_analysis_empty(struct cli *cli, const struct cli_analysis *a, const struct tr_table *t, const char *if_empty);

#endif
