/* SPDX-License-Identifier: MIT */
/*
 * Selection of events by the options --rank, --step, --time and --where: tr-options(7).
 *
 *     struct tool { struct cli_select select; };          initialised with CLI_SELECT_INIT
 *     static const struct tr_option opts[] = { CLI_EVENT_OPTS(struct tool, select), { 0 } };
 *
 *     st = cli_select_compile(cli, &tool->select, err);   before anything is opened
 *     st = cli_select_bind(&tool->select, in, err);       each time the input has been opened
 *     while ((st = tr_input_next(in, &b, err)) == TR_OK)
 *         st = cli_select_mask(&tool->select, b, &keep, err);
 *     if (st == TR_END)
 *         st = cli_select_end(&tool->select, err);
 *     cli_select_free(&tool->select);
 */
#ifndef CLI_SELECT_H
#define CLI_SELECT_H

#include "cli/cli_expr.h"
#include "cli/cli_main.h"
#include "model/selection/tr_select.h"
#include "stream/tr_input.h"

struct cli_select {
    struct tr_select_opts opts;
    struct tr_option_list where; /* expressions, all of which must hold */

    /* During the run. */
    struct cli *cli;
    struct tr_input *in;
    struct tr_expr **tests; /* where */
    size_t n_tests;
    struct tr_select *selected; /* NULL: not bound */
    bool found;                 /* the inputs have the selected ranks, steps and times */
    bool where_read, where_found; /* an event was tested by where; one passed */
    bool where_empty;             /* none passed, and a remark said so */
};
#define CLI_SELECT_INIT         \
    {                           \
        .opts = TR_SELECT_ALL   \
    }

enum tr_status cli_select_steps(void *field, const char *value, struct tr_error *err);
enum tr_status cli_select_time(void *field, const char *value, struct tr_error *err);
enum tr_status cli_select_ranks(void *field, const char *value, struct tr_error *err);

/* Rows of an option table; member is the struct cli_select in the program's struct of options. */
/* clang-format off */
#define CLI_EVENT_OPTS(type, member)                                                               \
    CLI_EVENT_OPTS_TIME(type, member, "only this window: us as in the trace, or +0ms..+10ms")
/* time: the help of --time. */
#define CLI_EVENT_OPTS_TIME(type, member, time)                                                    \
    { 0, "step", "A[..B]", TR_OPTION_CALL, offsetof(type, member.opts), .call = cli_select_steps,        \
      .help = "only steps A to B" },                                                               \
    { 0, "time", "FROM..TO", TR_OPTION_CALL, offsetof(type, member.opts), .call = cli_select_time,       \
      .help = time },                                                                              \
    { 0, "rank", "LIST", TR_OPTION_CALL, offsetof(type, member.opts), .call = cli_select_ranks,          \
      .help = "only these ranks, as in 0,3,8..15" },                                               \
    { 0, "where", "EXPR", TR_OPTION_LIST, offsetof(type, member.where),                                  \
      .help = "only events for which EXPR is true; if repeated, all must be true" }
/* clang-format on */

/* Is there any selection? */
bool cli_select_any(const struct cli_select *s);

/*
 * Append the selection of events as a text that is equal for equal selections, for partial results; without ranks,
 * which these name themselves.  False: out of memory.
 */
bool cli_select_text(const struct cli_select *s, struct tr_buf *text);

/* Compile the expressions, before anything is opened. */
enum tr_status cli_select_compile(struct cli *cli, struct cli_select *s, struct tr_error *err);

/*
 * Start with an input that was opened, the first time or again.  TR_ABSENT: no input has the selected rank, step or
 * window; TR_DAMAGED: steps of an unsorted stream.
 */
enum tr_status cli_select_bind(struct cli_select *s, struct tr_input *in, struct tr_error *err);

/*
 * Only the selected events are needed, not what is around them: let the input leave out the others, as far as it can
 * (tr_input_only).  After cli_select_bind, and before the first batch.
 */
enum tr_status cli_select_only(struct cli_select *s, struct tr_input *in, struct tr_error *err);

/* The columns that it reads, without those of the expressions: cli_expr_want with its tests. */
void cli_select_want(struct tr_projection *want);

/* One byte for each event of the batch; NULL: all are selected. */
enum tr_status cli_select_mask(struct cli_select *s, const struct tr_batch *b, const uint8_t **keep,
                               struct tr_error *err);

/*
 * After the end of the input: for an unsorted input, check now whether it has the selected ranks and times.  A remark
 * says if --where selected nothing.
 */
enum tr_status cli_select_end(struct cli_select *s, struct tr_error *err);
void cli_select_free(struct cli_select *s);

#endif
