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
 * Compile an expression.  If it makes no sense, the message names what it was given as, and the
 * expression is shown below it, with a caret under the place.
 *
 * given_as  "expression", "expression of --where", the name of a file
 * out       to be released with tr_expr_free; NULL unless the result is TR_OK
 */
enum tr_status cli_expr_compile(struct cli *cli, const char *text, const char *given_as,
                                struct tr_expr **out, struct tr_error *err);

/*
 * Have only those columns decoded that the program itself reads and those that n expressions look
 * at.  Before the first batch.
 */
enum tr_status cli_expr_want(struct tr_input *in, const struct tr_projection *own, struct tr_expr *const *tests,
                             size_t n, struct tr_error *err);

#endif
