/* SPDX-License-Identifier: MIT */
/* tr-categorize: options, and declarations that its files share. */
#ifndef CATEGORIZE_H
#define CATEGORIZE_H

#include "analysis/sums/tr_sums_analyses.h"
#include "cli/cli_analysis.h"

enum categorize_by { CATEGORIZE_CLASS, CATEGORIZE_UNMATCHED };

struct categorize {
    struct cli_analysis a;
    struct tr_option_list explain;
    bool list_rules, show_rules;
    const char *print_rules;
    int by;                        /* enum categorize_by, or CATEGORIZE_NOT_GIVEN */
    struct tr_rules_options table; /* of --by; its rules are those of the stream, too */
};
#define CATEGORIZE_NOT_GIVEN (-1)

/* The options that need no trace: --list-rules, --print-rules, --show-rules, --explain.  TR_NO: no rule matches a name.
 * */
enum tr_status categorize_list(struct cli *cli, struct tr_error *err);
enum tr_status categorize_print(struct cli *cli, const char *name, struct tr_error *err);
enum tr_status categorize_show(struct cli *cli, struct tr_rules *rules, struct tr_error *err);
enum tr_status categorize_explain(struct cli *cli, const struct tr_option_list *names, struct tr_rules *rules,
                                  struct tr_error *err);

/* --by */
enum tr_status categorize_report(struct cli *cli, struct categorize *o, struct tr_error *err);

#endif
