/* SPDX-License-Identifier: MIT */
/* tr-critpath: the critical path of a step or of another window.  Manual: tr-critpath(1). */
#include "critpath/critpath.h"

#include "analysis/critpath/tr_critpath_analyses.h"
#include "base/tr_num.h"
#include "cli/cli_stream.h"
#include "cli/cli_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct tr_option critpath_opts[] = {
    { 0, "mark", NULL, TR_OPTION_FLAG, offsetof(struct critpath, mark),
      .help = "pass the stream on, with the path marked" },
    { 0, "what-if", "'EXPR scale=X'", TR_OPTION_LIST, offsetof(struct critpath, what_if),
      .views = "bound",
      .help = "compute the path again, with the own time of such events multiplied by X" },
    CLI_ANALYSIS_OPTS(struct critpath, a),
    { 0 },
};

static const struct cli_tool critpath_tool = {
    .name = "tr-critpath",
    .brief = "find the critical path of a step or of another window",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = critpath_opts,
    .views = tr_critpath_views,
    .dict_copies = 1,
    .examples = { "tr-critpath --step 16 rank0.json.gz",
                  "tr-critpath --what-if 'kind == compute scale=0.5' job.trs" },
};

/* ---- what-if ---- */

/* "EXPR scale=X": the scale, and the end of the expression. */
static enum tr_status parse_scale(const char *text, double *scale, size_t *expr_len,
                                  struct tr_error *err)
{
    const char *last = NULL;
    for (const char *at = text; (at = strstr(at, "scale=")) != NULL; at++)
        last = at == text || at[-1] == ' ' ? at : last;
    if (!last)
        return tr_fail(err, TR_USAGE, "option --what-if: '%.80s' does not end with scale=X", text);
    struct tr_error why = TR_ERROR_INIT;
    if (tr_num_double(last + 6, 0, 1e6, scale, &why) != TR_OK)
        return tr_fail(err, TR_USAGE, "option --what-if: scale: %.200s", why.what);
    *expr_len = (size_t)(last - text);
    while (*expr_len && text[*expr_len - 1] == ' ')
        --*expr_len;
    if (!*expr_len)
        return tr_fail(err, TR_USAGE, "option --what-if: '%.80s' does not say for which events",
                       text);
    return TR_OK;
}

static enum tr_status parse_rule(struct cli *cli, struct critpath_rules *r, const char *text,
                                 struct tr_error *err)
{
    size_t len = 0;
    enum tr_status st = parse_scale(text, &r->scales[r->n], &len, err);
    char *expr = st == TR_OK ? malloc(len + 1) : NULL;
    if (st != TR_OK)
        return st;
    if (!expr)
        return tr_fail_memory(err);
    memcpy(expr, text, len);
    expr[len] = '\0';
    st = cli_expr_compile(cli, expr, "expression of --what-if", &r->tests[r->n], err);
    r->n += st == TR_OK;
    free(expr);
    return st;
}

static enum tr_status parse_rules(struct cli *cli, struct critpath *o, struct tr_error *err)
{
    struct critpath_rules *r = &o->rules;
    enum tr_status st = TR_OK;
    if (o->what_if.n > TR_CP_MAX_RULES)
        return tr_fail(err, TR_USAGE, "option --what-if: at most %u of them", TR_CP_MAX_RULES);
    r->tests = calloc(o->what_if.n + 1, sizeof(struct tr_expr *));
    r->scales = calloc(o->what_if.n + 1, sizeof *r->scales);
    if (!r->tests || !r->scales)
        return tr_fail_memory(err);
    for (size_t i = 0; i < o->what_if.n && st == TR_OK; i++)
        st = parse_rule(cli, r, o->what_if.items[i], err);
    return st;
}

static enum tr_status bind_rules(struct critpath *o, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < o->rules.n && st == TR_OK && !o->rules.bound; k++)
        st = tr_expr_bind(o->rules.tests[k], o->a.in, err);
    o->rules.bound = true;
    return st;
}

/* The number of the first rule that an event satisfies. */
static enum tr_status find_rules(void *self, const struct tr_batch *b, const uint8_t **of_event,
                                 struct tr_error *err)
{
    struct critpath *o = self;
    struct critpath_rules *r = &o->rules;
    enum tr_status st = bind_rules(o, err);
    if (st != TR_OK)
        return st;
    if (!tr_grow(&r->of_event, &r->cap_of_event, b->n, 1) ||
        !tr_grow(&r->mask, &r->cap_mask, b->n, 1))
        return tr_fail_memory(err);
    memset(r->of_event, TR_CP_NO_RULE, b->n);
    for (size_t k = r->n; k-- > 0 && st == TR_OK;) {
        st = tr_expr_eval(r->tests[k], b, r->mask, err);
        for (size_t i = 0; i < b->n && st == TR_OK; i++)
            if (r->mask[i])
                r->of_event[i] = (uint8_t)k;
    }
    *of_event = r->of_event;
    return st;
}

static void free_rules(struct critpath_rules *r)
{
    for (size_t k = 0; k < r->n; k++)
        tr_expr_free(r->tests[k]);
    free(r->tests);
    free(r->scales);
    free(r->of_event);
    free(r->mask);
}

/* ---- the program ---- */

static enum tr_status check_options(struct cli *cli, const struct critpath *o, struct tr_error *err)
{
    const struct tr_critpath_options *options = cli_view_options(cli);
    if (o->mark && cli_given(cli, "by"))
        return tr_fail(err, TR_USAGE, "--mark passes the stream on: --by is about tables");
    if (o->mark && o->what_if.n)
        return tr_fail(err, TR_USAGE, "--mark passes the stream on: --what-if is for the view bound");
    if (o->a.per >= 0 && o->a.per != TR_PER_RANK && o->a.per != TR_PER_ALL)
        return tr_fail(err, TR_USAGE,
                       "paths are those of a rank or of all ranks: --per is rank or all, not %s",
                       cli_analysis_per[o->a.per]);
    if (!options->annotation && (options->first || options->last))
        return tr_fail(err, TR_USAGE, "option --instance needs --annotation");
    return TR_OK;
}

/* Columns of what-if expressions. */
static enum tr_status choose_columns(struct critpath *o, struct tr_error *err)
{
    size_t cap = 0;
    bool ok = true;
    for (size_t k = 0; ok && k < o->rules.n; k++) {
        const struct tr_projection *w = &tr_expr_needs(o->rules.tests[k])->want;
        o->want.fixed |= w->fixed;
        o->want.derived |= w->derived;
        ok = tr_grow(&o->keys, &cap, o->want.n_keys + w->n_keys, sizeof *o->keys);
        for (size_t i = 0; ok && i < w->n_keys; i++)
            o->keys[o->want.n_keys++] = w->keys[i];
    }
    o->want.keys = o->keys;
    return ok ? TR_OK : tr_fail_memory(err);
}

/* Add the rules to the options of the view. */
static void set_rules(struct critpath *o, struct tr_critpath_options *options)
{
    options->rules = o->rules.n ? find_rules : NULL;
    options->rules_self = o;
    options->scales = o->rules.scales;
    options->rule_texts = o->what_if.items;
    options->n_rules = o->rules.n;
    options->rules_want = &o->want;
    options->whole = !cli_select_any(&o->a.select);
}

/* ---- the stream with the path ---- */

static enum tr_status read_all(struct critpath *o, void *graph, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    while ((st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        if ((st = tr_critpath_service.feed(graph, b, keep, err)) != TR_OK)
            return st;
    if (st == TR_END)
        st = tr_critpath_service.finish(graph, err);
    if (st == TR_ABSENT)
        tr_error_input(err, o->a.in->name);
    return st;
}

static enum tr_status mark(struct cli *cli, struct critpath *o, struct tr_error *err)
{
    struct cli_listener listener = { cli, &o->a };
    const struct tr_analysis_in in = cli_view_in(&listener);
    const struct tr_critpath_key key = { cli_view_options(cli), o->a.per < 0 ? TR_PER_RANK : (enum tr_per)o->a.per };
    void *graph = NULL;
    enum tr_status st = tr_critpath_service.start(&in, &key, &graph, err);
    if (st == TR_OK)
        st = read_all(o, graph, err);
    if (st == TR_OK)
        st = critpath_mark(cli, o, tr_critpath_of(graph), err);
    if (graph)
        tr_critpath_service.free(graph);
    return st;
}

static enum tr_status pass_on(struct cli *cli, struct critpath *o, struct tr_error *err)
{
    struct cli_overlay twice = { .again.cli = cli };
    int fd;
    enum tr_status st = cli_output(cli, true, &fd, err);
    o->a.twice = &twice;
    o->a.host = true;
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK)
        st = mark(cli, o, err);
    cli_analysis_close(&o->a);
    cli_overlay_close(&twice);
    return st;
}

static enum tr_status critpath_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct critpath *o = arg;
    enum tr_status st = cli_view_choose(cli, err);
    if (st == TR_OK)
        st = check_options(cli, o, err);
    if (st == TR_OK && o->mark)
        st = cli_table_none(cli, "the tables, not with --mark", err);
    if (st == TR_OK)
        st = parse_rules(cli, o, err);
    if (st == TR_OK)
        st = choose_columns(o, err);
    if (st == TR_OK)
        set_rules(o, cli_view_options(cli));
    if (st == TR_OK)
        st = o->mark ? pass_on(cli, o, err) : cli_view_run(cli, &o->a, err);
    free_rules(&o->rules);
    free(o->keys);
    return st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &critpath_tool, &(struct critpath){ .a = CLI_ANALYSIS_INIT }, critpath_run);
}
