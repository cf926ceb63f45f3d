/* The views of tr-breakdown that are about host spans. */
#ifndef BREAKDOWN_H
#define BREAKDOWN_H

#include "cli/cli_analysis.h"
#include "cli/cli_names.h"

/* What they read of a stream. */
extern const struct tr_want breakdown_want_tree, breakdown_want_operator;

/* Rows go to t, columns too; long tables are written in pieces, so t is to be ended as usual. */
enum tr_status breakdown_tree(struct cli_analysis *a, bool join_backward,
                              struct tr_table *t, struct tr_error *err);
enum tr_status breakdown_nesting(struct cli_analysis *a, struct tr_table *t, struct tr_error *err);

/* op: names of the operators that count. */
enum tr_status breakdown_operator(struct cli *cli, struct cli_analysis *a, struct cli_names *op,
                                  struct tr_table *t, struct tr_error *err);

#endif
