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

static enum tr_status parse_instances(void *field, const char *value, struct tr_error *err)
{
    struct tr_select_opts as_steps = TR_SELECT_ALL;
    struct tr_range *range = field;
    enum tr_status st = tr_select_parse_steps(&as_steps, value, err);
    if (st == TR_OK && (as_steps.steps.from < 0 || as_steps.steps.to == INT64_MAX))
        return tr_fail(err, TR_USAGE, "'%.80s' is not N or A..B, counted from 0", value);
    if (st == TR_OK)
        *range = as_steps.steps;
    return st;
}

static const char *const by_names[] = { "bound", "path", "edge", "count", NULL };

#define OPTIONS offsetof(struct critpath, options)

static const struct cli_view views[] = {
    { &tr_analysis_critpath, "bound", .options = OPTIONS, .takes = { "what-if" } },
    { .analysis = &tr_analysis_critpath_path, .options = OPTIONS },
    { &tr_analysis_critpath_edges, "edge", .options = OPTIONS },
    { &tr_analysis_critpath_counts, "count", .options = OPTIONS },
};

static const struct tr_option critpath_opts[] = {
    { 0, "annotation", "NAME", TR_OPTION_TEXT, offsetof(struct critpath, annotation),
      .help = "only the window of a host annotation whose name contains NAME" },
    { 0, "instance", "A[..B]", TR_OPTION_CALL, offsetof(struct critpath, instances),
      .call = parse_instances, .help = "number of the annotation, or from A to B, counted from 0 [0]" },
    { 0, "by", "TABLE", TR_OPTION_CHOICE, offsetof(struct critpath, by), .choices = by_names,
      .help = "bound: what the path is bound by, in sum; path: each piece of it; edge: each edge of the graph; count: "
              "what is in the graph and could not be explained [bound]" },
    { 0, "mark", NULL, TR_OPTION_FLAG, offsetof(struct critpath, mark),
      .help = "pass the stream on, with the path marked" },
    { 0, "what-if", "'EXPR scale=X'", TR_OPTION_LIST, offsetof(struct critpath, what_if),
      .help = "bound: compute the path again, with the own time of such events multiplied by X" },
    { 0, "gaps", NULL, TR_OPTION_FLAG, offsetof(struct critpath, gaps),
      .help = "time between the outermost spans of a thread counts, too" },
    { 0, "launch-edges", NULL, TR_OPTION_FLAG, offsetof(struct critpath, launch_edges),
      .help = "no work on a device begins before its launch, even if times change" },
    { 0, "data", "REGEX", TR_OPTION_NAMES, offsetof(struct critpath, data),
      .help = "host spans with such names load data" },
    CLI_ANALYSIS_OPTS(struct critpath, a),
    { 0 },
};

static const struct cli_tool critpath_tool = {
    .name = "tr-critpath",
    .brief = "find the critical path of a step or of another window",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_REPORT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = critpath_opts,
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
        st = tr_expr_bind(o->rules.tests[k], o->a.in->dict, o->a.in->summary, true, err);
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

static enum tr_status check_options(const struct cli *cli, const struct critpath *o, struct tr_error *err)
{
    enum tr_status st = cli_view_check(cli, views, sizeof views / sizeof *views, o->by, NULL, err);
    if (st != TR_OK)
        return st;
    if (o->mark && cli_given(cli, "by"))
        return tr_fail(err, TR_USAGE, "--mark passes the stream on: --by is about tables");
    if (o->mark && o->what_if.n)
        return tr_fail(err, TR_USAGE, "--mark passes the stream on: --what-if is for the view bound");
    if (o->a.per >= 0 && o->a.per != TR_PER_RANK && o->a.per != TR_PER_ALL)
        return tr_fail(err, TR_USAGE,
                       "paths are those of a rank or of all ranks: --per is rank or all, not %s",
                       cli_analysis_per[o->a.per]);
    if (!o->annotation && (o->instances.from || o->instances.to))
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

static void set_options(struct critpath *o)
{
    o->options = (struct tr_critpath_options){
        .annotation = o->annotation,
        .first = (uint64_t)o->instances.from,
        .last = (uint64_t)o->instances.to,
        .gaps = o->gaps,
        .launch_edges = o->launch_edges,
        .rules = o->rules.n ? find_rules : NULL,
        .rules_self = o,
        .scales = o->rules.scales,
        .rule_texts = o->what_if.items,
        .n_rules = o->rules.n,
        .rules_want = &o->want,
        .whole = !cli_select_any(&o->a.select),
    };
    if (o->data.match)
        o->options.data = o->data;
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
    const struct tr_critpath_key key = { &o->options, o->a.per < 0 ? TR_PER_RANK : (enum tr_per)o->a.per };
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
    enum tr_status st = check_options(cli, o, err);
    if (st == TR_OK && o->mark)
        st = cli_table_none(cli, "the tables, not with --mark", err);
    if (st == TR_OK)
        st = parse_rules(cli, o, err);
    if (st == TR_OK)
        st = choose_columns(o, err);
    set_options(o);
    if (st == TR_OK)
        st = o->mark ? pass_on(cli, o, err) : cli_view_run(cli, &o->a, &views[o->by.choice], o, err);
    free_rules(&o->rules);
    free(o->keys);
    return st;
}

int main(int argc, char **argv)
{
    struct critpath o = { .a = CLI_ANALYSIS_INIT };
    return cli_main(argc, argv, &critpath_tool, &o, critpath_run);
}
