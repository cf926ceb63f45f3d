/* SPDX-License-Identifier: MIT */
/* Expressions: their messages, and the columns that they need. */
#include "cli/cli_expr.h"

#include "service/tr_owners.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum tr_status cli_expr_compile(struct cli *cli, const char *text, const char *given_as,
                                struct tr_expr **out, struct tr_error *err)
{
    struct tr_buf shown = { 0 };
    enum tr_status st = tr_expr_compile(out, text, err);
    if (st != TR_USAGE)
        return st;
    tr_error_input(err, given_as);
    if (!tr_expr_caret(text, err, &shown))
        shown.len = 0;
    cli_show_below(cli, &shown);
    return st;
}

enum tr_status cli_expr_remark(struct cli *cli, const char *given_as, struct tr_expr *const *tests, size_t n,
                               const struct tr_summary *summary, struct tr_error *err)
{
    struct tr_buf why = { 0 };
    bool ok = true;
    for (size_t k = 0; k < n && ok && !why.len; k++)
        ok = tr_expr_absent(tests[k], summary, &why);
    if (ok)
        cli_remark(cli, "%s selects no event%s%.*s", given_as, why.len ? ": " : "", (int)why.len,
                   why.len ? (const char *)why.data : "");
    tr_buf_free(&why);
    return ok ? TR_OK : tr_fail_memory(err);
}

void cli_owners_warn(struct cli *cli, struct tr_input *in)
{
    uint64_t lost = in->owners ? tr_owners_lost(in->owners) : 0;
    char what[160];
    if (!lost)
        return;
    snprintf(what, sizeof what,
             "what is around %" PRIu64 " kernels, copies and memsets is not known: a filter left out the calls that "
             "launched them",
             lost);
    cli_warn(cli, in->name, "", what);
}

enum tr_status cli_expr_want(struct tr_input *in, const struct tr_projection *own, struct tr_expr *const *tests,
                             size_t n, struct tr_error *err)
{
    struct tr_projection want = *own;
    const char **keys = NULL;
    size_t cap = 0;
    bool ok = tr_grow(&keys, &cap, want.n_keys + 1, sizeof *keys);
    for (size_t i = 0; i < own->n_keys && ok; i++)
        keys[i] = own->keys[i];
    for (size_t k = 0; k < n && ok; k++) {
        const struct tr_projection *w = &tr_expr_needs(tests[k])->want;
        want.fixed |= w->fixed;
        want.derived |= w->derived;
        want.any_rank_order &= !tr_expr_needs(tests[k])->all_order;
        ok = tr_grow(&keys, &cap, want.n_keys + w->n_keys, sizeof *keys);
        for (size_t i = 0; i < w->n_keys && ok; i++)
            keys[want.n_keys++] = w->keys[i];
    }
    want.keys = keys;
    ok = ok && tr_input_want(in, &want);
    free(keys);
    return ok ? TR_OK : tr_fail_memory(err);
}
