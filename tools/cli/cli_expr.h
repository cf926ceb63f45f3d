/* SPDX-License-Identifier: MIT */
/*
 * Expressions that users write in operands and options: tr-expr(7).
 */
#ifndef CLI_EXPR_H
#define CLI_EXPR_H

#include "cli/cli_main.h"
#include "expr/tr_expr.h"
#include "stream/tr_input.h"

/*
 * Compile an expression.  If it is not valid, the message names its origin, and the expression is shown below it, with
 * a caret under the place.
 *
 * given_as  the origin: "expression", "expression of --where", the name of a file
 * out       release it with tr_expr_free; NULL unless the result is TR_OK
 */
enum tr_status cli_expr_compile(struct cli *cli, const char *text, const char *given_as,
                                struct tr_expr **out, struct tr_error *err);

/*
 * Decode only the columns that the program reads, and those that n expressions read.  Before the first batch.
 */
enum tr_status cli_expr_want(struct tr_input *in, const struct tr_projection *own, struct tr_expr *const *tests,
                             size_t n, struct tr_error *err);

/* A warning that what is around some events is not known, because the input has lost their launches.  At its end. */
void cli_owners_warn(struct cli *cli, struct tr_input *in);

/*
 * A remark that expressions select no event, with the first name or step that no input has.  After the end of an input
 * for which they are bound.
 *
 * given_as  "--where"
 * summary   of the stream; may be NULL
 */
enum tr_status cli_expr_remark(struct cli *cli, const char *given_as, struct tr_expr *const *tests, size_t n,
                               const struct tr_summary *summary, struct tr_error *err);

#endif
