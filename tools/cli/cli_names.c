/* SPDX-License-Identifier: MIT */
/* Names chosen by a regular expression. */
#include "cli/cli_names.h"

#include "base/tr_regex.h"

#include <stdlib.h>
#include <string.h>

enum tr_status cli_names_parse(void *field, const char *value, struct tr_error *err)
{
    struct cli_names *n = field;
    cli_names_free(n);
    n->text = strdup(value);
    if (!n->text)
        return tr_fail_memory(err);
    char why[TR_REGEX_WHY];
    enum tr_status st = tr_regex_compile(&n->re, value, why);
    n->given = st == TR_OK;
    if (st == TR_USAGE)
        return tr_fail(err, st, "'%.80s' is not a regular expression: %s", value, why);
    return st == TR_SYSTEM ? tr_fail_memory(err) : TR_OK;
}

bool cli_names_match(void *names, struct tr_str name)
{
    struct cli_names *n = names;
    return !n->given || tr_regex_has(n->re, name);
}

struct tr_name_test cli_names_test(struct cli_names *n)
{
    return n->given ? (struct tr_name_test){ cli_names_match, n, n->text }
                    : (struct tr_name_test){ NULL, NULL, NULL };
}

void cli_names_free(struct cli_names *n)
{
    tr_regex_free(n->re);
    free(n->text);
    n->re = NULL;
    n->text = NULL;
    n->given = false;
}
