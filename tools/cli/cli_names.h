/* SPDX-License-Identifier: MIT */
/*
 * An option that selects names by a regular expression: extended, unanchored, as =~ of tr-expr(7).
 *
 *     struct cli_names op;                                    zero-initialised
 *     { 0, "op", "REGEX", CLI_CALL, offsetof(struct tool, op), .call = cli_names_parse, ... }
 */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "engine/tr_analysis.h"

#include <stdbool.h>

struct cli_names {
    bool given;
    struct tr_regex *re;
    char *text; /* as given */
};

enum tr_status cli_names_parse(void *field, const char *value, struct tr_error *err);
bool cli_names_match(void *names, struct tr_str name); /* true if the option was not given */
struct tr_name_test cli_names_test(struct cli_names *n); /* for the options of an analysis */
void cli_names_free(struct cli_names *n);

#endif
