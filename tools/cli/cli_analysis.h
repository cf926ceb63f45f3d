/*
 * What the programs that analyse device work share: selection, grouping, and the way from an input
 * to a table.
 *
 *     struct tool { struct cli_analysis a; };
 *     static const struct cli_opt opts[] = { CLI_ANALYSIS_OPTS(struct tool, a), { 0 } };
 *
 *     st = cli_analysis_open(cli, &tool->a, 0, err);
 *     while ((st = cli_analysis_next(&tool->a, &b, &keep, err)) == TR_OK)
 *         ...
 *     cli_analysis_close(&tool->a);
 */
#ifndef CLI_ANALYSIS_H
#define CLI_ANALYSIS_H

#include "analysis/tr_busy.h"
#include "analysis/tr_coverage.h"
#include "analysis/tr_states.h"
#include "cli/cli_expr.h"
#include "cli/cli_main.h"
#include "cli/cli_overlay.h"
#include "model/tr_select.h"
#include "stream/tr_input.h"
#include "table/tr_table.h"

struct cli_analysis {
    struct tr_select_opts select;
    int per; /* enum tr_per, or -1: the view's own */
    bool suspect;
    struct cli_list where; /* expressions, all of which must hold */
    bool coverage; /* say at the end how much of the selected work is explained */
    /*
     * Columns that the analysis reads itself; what selection and grouping need is added.  All of
     * them unless the program says less before cli_analysis_open.
     */
    struct tr_want want;
    bool host; /* it is about the host: that there is no device work is no reason to warn */
    struct cli_overlay *twice; /* the input is to be written again; NULL: it is not */
    struct tr_input *in; /* from cli_analysis_open on */
    struct tr_select *selected;
    struct tr_expr **tests; /* where */
    size_t n_tests;
    struct cli *cli;
    bool told; /* why there may be nothing to say */
    struct tr_coverage *covered; /* NULL: nobody asked */
};
#define CLI_ANALYSIS_INIT                                   \
    {                                                       \
        .select = TR_SELECT_ALL, .per = -1,                 \
        .want = { .fixed = TR_FIXED_ALL, .all_packed = true } \
    }

/* What tr_work reads, for analyses that read no other column. */
#define CLI_WANT_WORK                                                       \
    (TR_WANT(TS) | TR_WANT(DUR) | TR_WANT(TRACK) | TR_WANT(PHASE) |          \
     TR_WANT(ACTIVITY) | TR_WANT(KIND) | TR_WANT(SUSPECT))

enum tr_status cli_analysis_steps(void *field, const char *value, struct tr_error *err);
enum tr_status cli_analysis_time(void *field, const char *value, struct tr_error *err);
enum tr_status cli_analysis_host_time(void *field, const char *value, struct tr_error *err);
enum tr_status cli_analysis_ranks(void *field, const char *value, struct tr_error *err);
enum tr_status cli_analysis_suspect(void *field, const char *value, struct tr_error *err);
extern const char *const cli_analysis_per[]; /* names of enum tr_per */

/* Rows of an option table; member is the struct cli_analysis in the program's struct of options. */
/* clang-format off */
#define CLI_ANALYSIS_OPTS(type, member)                                                            \
    { 0, "per", "GROUP", CLI_CHOICE, offsetof(type, member.per), .choices = cli_analysis_per,      \
      .help = "a row for each rank, device, stream, step, or one for all [rank]" },                \
    CLI_SELECT_OPTS(type, member)

/* The same for programs that know no groups. */
#define CLI_SELECT_OPTS(type, member)                                                              \
    { 0, "step", "A[..B]", CLI_CALL, offsetof(type, member.select), .call = cli_analysis_steps,    \
      .help = "only steps A to B" },                                                               \
    { 0, "time", "FROM..TO", CLI_CALL, offsetof(type, member.select), .call = cli_analysis_time,   \
      .help = "only this window, in us as in the trace" },                                         \
    { 0, "host-time", "FROM..TO", CLI_CALL, offsetof(type, member.select),                         \
      .call = cli_analysis_host_time, .help = "only what the host started or launched then" },     \
    { 0, "rank", "LIST", CLI_CALL, offsetof(type, member.select), .call = cli_analysis_ranks,      \
      .help = "only these ranks, as in 0,3,8..15" },                                               \
    { 0, "where", "EXPR", CLI_LIST, offsetof(type, member.where),                                  \
      .help = "only events for which EXPR is true; several: all of them" },                        \
    { 0, "drop-last-step", NULL, CLI_FLAG, offsetof(type, member.select.drop_last_step),           \
      .help = "only what comes before the last step or was launched before it" },                  \
    { 0, "suspect", "include", CLI_CALL, offsetof(type, member.suspect),                           \
      .call = cli_analysis_suspect, .help = "count events with impossible times, too" },            \
    { 0, "coverage", NULL, CLI_FLAG, offsetof(type, member.coverage),                              \
      .help = "say on standard error how much of the work is explained" }
/* clang-format on */

/* Open inputs as cli_input_open does, and the selection over them.  They must be sorted. */
enum tr_status cli_analysis_open_paths(struct cli *cli, struct cli_analysis *a,
                                       const char *const *paths, size_t n, struct tr_error *err);
/* The same for the operands from number first on. */
enum tr_status cli_analysis_open(struct cli *cli, struct cli_analysis *a, size_t first,
                                 struct tr_error *err);
/*
 * The next batch and its mask (NULL: all events), or TR_END; with --coverage, its line is printed
 * then.
 */
enum tr_status cli_analysis_next(struct cli_analysis *a, const struct tr_batch **b,
                                 const uint8_t **keep, struct tr_error *err);
void cli_analysis_close(struct cli_analysis *a); /* the selection; the frame closes the input */

/* For views whose rows are always about ranks: TR_USAGE if --per asks for something else. */
enum tr_status cli_analysis_per_rank(const struct cli_analysis *a, const char *view,
                                     struct tr_error *err);

/* What tr_work_init wants to know, with the grouping a view has when none is asked for. */
struct tr_work_opts cli_analysis_work(const struct cli_analysis *a, enum tr_per if_unset);

/* Columns and cells that say which group a row is about. */
void cli_group_columns(struct tr_table *t, enum tr_per per);
void cli_group_cells(struct tr_table *t, enum tr_per per, const struct tr_group_key *key);

/*
 * Run an analysis over an open input from start to end.  *busy and *states are to be freed, also
 * after a failure; they own the rows.
 */
enum tr_status cli_run_busy(struct cli_analysis *a, const struct tr_work_opts *work,
                            struct tr_busy **busy, const struct tr_busy_row **rows, size_t *n,
                            struct tr_error *err);
enum tr_status cli_run_states(struct cli_analysis *a, const struct tr_states_opts *opts,
                              struct tr_states **states, const struct tr_states_row **rows,
                              size_t *n, struct tr_error *err);

/* A table of states: group, set under the given name, sum, percentage of the group's whole. */
void cli_states_table(struct tr_table *t, enum tr_per per, const char *set_column,
                      const struct tr_states_row *rows, size_t n);

/* A table in the unit of --unit; NULL: out of memory.  Write one in the format of -O. */
struct tr_table *cli_table_new(const struct cli *cli);
enum tr_status cli_table_write(struct cli *cli, struct tr_table *t, struct tr_error *err);

/*
 * The same for an analysis, which owes a reason where there is nothing to say.  if_empty: why the table
 * may have no rows; said if it has none, unless a warning has told already.
 */
enum tr_status cli_analysis_write(struct cli *cli, const struct cli_analysis *a, struct tr_table *t,
                                  const char *if_empty, struct tr_error *err);

/*
 * For listings too long to hold: write the rows so far, if they are many; text, which needs all of
 * them for its widths, goes to a temporary file first.  To be ended by cli_table_write.
 */
enum tr_status cli_table_flush(struct cli *cli, struct tr_table *t, struct tr_error *err);

#endif
