/* SPDX-License-Identifier: MIT */
/* tr-diff --of, and partial results of views: the rows of an analysis of each run, as described tables. */
#include "diff/diff.h"

#include "cli/cli_partial.h"
#include "cli/cli_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The view of a partial result.  TR_NO: the file has none. */
static enum tr_status read_part(struct cli *cli, const char *path, const struct cli_analysis *a, struct cli_program *p,
                                struct tr_error *err)
{
    struct tr_input *in = cli_partial_open(cli, path);
    *p = (struct cli_program){ .a = *a };
    if (!in)
        return TR_NO;
    enum tr_status st = cli_program_of_partial(cli, p, in->tables, a, err);
    tr_input_close(in);
    if (st != TR_OK && st != TR_NO)
        tr_error_input(err, path);
    return st;
}

static enum tr_status find_in(struct cli *cli, struct diff_opts *o, const struct diff_paths *files,
                              struct tr_error *err)
{
    const struct cli_analysis none = CLI_ANALYSIS_INIT;
    struct cli_program p;
    enum tr_status st = TR_NO;
    for (size_t i = 0; i < files->n && st == TR_NO; i++) {
        st = read_part(cli, files->v[i], &none, &p, err);
        if (st == TR_OK)
            o->of_part = files->v[i];
        cli_program_free(&p);
    }
    return st == TR_NO ? TR_OK : st;
}

enum tr_status diff_find_part(struct cli *cli, struct diff_opts *o, struct tr_error *err)
{
    struct diff_paths all[] = { { o->base.items, o->base.n }, { NULL, 0 }, { o->test.items, o->test.n } };
    all[1].v = cli_operands(cli, &all[1].n);
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && st == TR_OK && !o->of_part; i++)
        st = find_in(cli, o, &all[i], err);
    return st;
}

/* The rows of one run, and which events they are of. */
static enum tr_status make_table(struct cli *cli, const struct diff_opts *o, size_t run, const char *name,
                                 const struct diff_paths *files,
                                 struct tr_table **t, struct tr_buf *selection, struct tr_error *err)
{
    struct cli_program p = { .command = NULL };
    struct cli_analysis a;
    enum tr_status st = diff_select_run(o, run ? TR_DIFF_TEST : TR_DIFF_BASE, &a, err);
    if (st != TR_OK)
        return st;
    if (name)
        a.run = name;
    st = o->of_part ? read_part(cli, o->of_part, &a, &p, err) : cli_program_read(&p, o->of_command, &a, err);
    if (st != TR_OK && !o->of_part && !err->place[0])
        tr_error_place(err, "option --of");
    if (st == TR_OK)
        st = cli_analysis_table(cli, &p.a, p.use.analysis, p.use.options, files->v, files->n, t, selection, err);
    if (st == TR_OK && p.a.in)
        cli_input_close(cli, p.a.in);
    cli_program_free(&p);
    return st;
}

/* What is compared must be of events that were selected alike, unless each run has its own expressions. */
static enum tr_status check_selection(const struct diff_opts *o, const struct tr_buf *base, const struct tr_buf *test,
                                      struct tr_error *err)
{
    bool own = o->where[TR_DIFF_BASE].n || o->where[TR_DIFF_TEST].n;
    if (own || (base->len == test->len && (!base->len || memcmp(base->data, test->data, base->len) == 0)))
        return TR_OK;
    return tr_fail(err, TR_DAMAGED, "the runs have other events: '%.80s' and '%.80s'",
                   base->len ? (const char *)base->data : "", test->len ? (const char *)test->data : "");
}

enum tr_status diff_view_tables(struct cli *cli, const struct diff_opts *o, const struct diff_paths *runs, size_t n,
                                struct tr_table **tables, struct tr_error *err)
{
    struct tr_buf selections[TR_COMPARED_MAX] = { { 0 } };
    enum tr_status st = n > TR_COMPARED_MAX
                            ? tr_fail(err, TR_USAGE, "at most %u runs can be compared by a view", TR_COMPARED_MAX)
                            : TR_OK;
    for (size_t i = 0; i < n && st == TR_OK; i++) {
        char name[32];
        snprintf(name, sizeof name, "run %zu", i + 1);
        st = make_table(cli, o, i, n > 2 ? name : NULL, &runs[i], &tables[i], &selections[i], err);
        if (st == TR_OK && i && runs[i].v)
            st = check_selection(o, &selections[0], &selections[i], err);
    }
    for (size_t i = 0; i < n && i < TR_COMPARED_MAX; i++)
        tr_buf_free(&selections[i]);
    return st;
}
