/* tr-critpath: the chain of work that a window could not be shorter than.  Manual: tr-critpath(1). */
#include <config.h>

#include "critpath.h"

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

static const struct cli_opt critpath_opts[] = {
    { 0, "annotation", "NAME", CLI_STRING, offsetof(struct critpath, annotation),
      .help = "only the window of a host annotation whose name contains NAME" },
    { 0, "instance", "A[..B]", CLI_CALL, offsetof(struct critpath, instances),
      .call = parse_instances, .help = "which of them, or from which to which, from 0 [0]" },
    { 0, "path", NULL, CLI_FLAG, offsetof(struct critpath, path), .help = "list the path" },
    { 0, "edges", NULL, CLI_FLAG, offsetof(struct critpath, edges),
      .help = "list all edges of the graph" },
    { 0, "counts", NULL, CLI_FLAG, offsetof(struct critpath, counts),
      .help = "say what is in the graph, and what could not be explained" },
    { 0, "overlay", NULL, CLI_FLAG, offsetof(struct critpath, overlay),
      .help = "pass the stream on with the path marked and drawn" },
    { 0, "what-if", "'EXPR scale=X'", CLI_LIST, offsetof(struct critpath, what_if),
      .help = "time the graph again with the own time of such events multiplied by X" },
    { 0, "gaps", NULL, CLI_FLAG, offsetof(struct critpath, gaps),
      .help = "time between the outermost spans of a thread counts, too" },
    { 0, "launch-edges", NULL, CLI_FLAG, offsetof(struct critpath, launch_edges),
      .help = "no work on a device begins before its launch, however times change" },
    { 0, "data", "REGEX", CLI_CALL, offsetof(struct critpath, data), .call = cli_names_parse,
      .help = "host spans with such names load data" },
    CLI_ANALYSIS_OPTS(struct critpath, a),
    { 0 },
};

static const struct cli_tool critpath_tool = {
    .name = "tr-critpath",
    .brief = "find the chain of work that a window could not be shorter than",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_REPORT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = critpath_opts,
};

/* ---- what-if ---- */

/* "EXPR scale=X": the scale, and where the expression ends. */
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

/* The number of the first rule that an event satisfies. */
static enum tr_status find_rules(struct critpath_rules *r, const struct tr_batch *b,
                                 const uint8_t **of_event, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    *of_event = NULL;
    if (r->n == 0)
        return TR_OK;
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

static enum tr_status bind_rules(struct critpath *o, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (size_t k = 0; k < o->rules.n && st == TR_OK; k++)
        st = tr_expr_bind(o->rules.tests[k], o->a.in->dict, o->a.in->summary, true, err);
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

/* ---- what would make a table empty ---- */

static void warn_of_annotation(struct cli *cli, const struct critpath *o,
                               const struct tr_critpath *c)
{
    uint32_t names[6];
    uint64_t found = tr_critpath_instances(c);
    size_t n = tr_critpath_annotations(c, names, 6);
    char what[512];
    int len;
    if (found > 0)
        len =
            snprintf(what, sizeof what, "instance %" PRId64 ": there are only %" PRIu64 ", from 0",
                     o->instances.to, found);
    else
        len = snprintf(what, sizeof what, "no annotation contains '%.80s'; %s", o->annotation,
                       n ? "there are " : "the input has none");
    for (size_t i = 0; found == 0 && i < n && len > 0 && (size_t)len < sizeof what; i++)
        len += snprintf(what + len, sizeof what - (size_t)len, i < 5 ? "%s'%.60s'" : "%s...",
                        i ? ", " : "", tr_dict_str(o->a.in->dict, names[i]));
    cli_warn(cli, o->a.in->name, "option --annotation", what);
}

static void warn_of_nothing(struct cli *cli, const struct critpath *o, const struct tr_critpath *c)
{
    if (tr_critpath_groups(c))
        return;
    if (o->annotation && tr_critpath_instances(c) <= (uint64_t)o->instances.to)
        warn_of_annotation(cli, o, c);
    else
        cli_warn(cli, o->a.in->name, "",
                 "no path: there are no operators, no runtime calls and no device work here");
}

/* Device work that nothing launched, as far as the trace tells, waits for its stream alone. */
static void warn_of_launches(struct cli *cli, const struct critpath *o)
{
    const struct tr_summary *s = o->a.in->summary;
    size_t n_without = 0;
    char what[200];
    for (size_t i = 0; s && i < s->n; i++) {
        uint64_t work = 0;
        for (unsigned a = 0; a < TR_N_ACTIVITIES; a++)
            work += tr_is_device_work(a) ? s->sources[i].n_activity[a] : 0;
        n_without += work > 0 && s->sources[i].n_device_linked == 0;
    }
    if (n_without == 0)
        return;
    int n = s->n == 1 ? 0 : snprintf(what, sizeof what, "%zu of %zu sources: ", n_without, s->n);
    snprintf(what + n, sizeof what - (size_t)n,
             "no device work has a known launch: the path is a chain of work that waited for its stream, "
             "and may be far shorter than the trace");
    cli_warn(cli, o->a.in->name, "", what);
}

/* What makes a path through several ranks doubtful. */
static enum tr_status warn_of_ranks(struct cli *cli, const struct critpath *o,
                                    const struct tr_critpath *c, struct tr_error *err)
{
    struct tr_cp_counts n;
    char what[160];
    if (o->a.per != TR_PER_ALL || o->a.in->dict->n_sources < 2 || !tr_critpath_groups(c))
        return TR_OK;
    enum tr_status st = tr_critpath_counts(c, 0, &n, err);
    if (st != TR_OK)
        return st;
    if (!n.edges[TR_CP_TRANSFER])
        cli_warn(cli, o->a.in->name, "",
                 "no collective joins the ranks: the path is that of one of them");
    snprintf(what, sizeof what,
             "%" PRIu64 " of %" PRIu64
             " ends of collectives come before the last rank does: the clocks "
             "of the ranks differ, which tr-align mends",
             n.early_ends, n.edges[TR_CP_TRANSFER]);
    if (n.early_ends)
        cli_warn(cli, o->a.in->name, "", what);
    return TR_OK;
}

/* ---- the program ---- */

static enum tr_status check_options(const struct critpath *o, struct tr_error *err)
{
    if (o->path + o->edges + o->counts + o->overlay > 1)
        return tr_fail(err, TR_USAGE,
                       "of --path, --edges, --counts and --overlay only one can be used");
    if (o->what_if.n && (o->path || o->edges || o->counts || o->overlay))
        return tr_fail(err, TR_USAGE, "--what-if works with the summary only");
    if (o->a.per >= 0 && o->a.per != TR_PER_RANK && o->a.per != TR_PER_ALL)
        return tr_fail(err, TR_USAGE,
                       "paths are those of a rank, or of all: --per %s means nothing here",
                       cli_analysis_per[o->a.per]);
    if (!o->annotation && (o->instances.from || o->instances.to))
        return tr_fail(err, TR_USAGE, "option --instance needs --annotation");
    return TR_OK;
}

/* Paths of ranks by themselves, of all events: see tr_critpath.h. */
static bool any_rank_order(const struct critpath *o)
{
    const struct tr_select_opts *s = &o->a.select;
    bool selects = s->n_ranks || s->has_steps || s->has_time || s->has_host_time || s->drop_last_step || o->a.where.n;
    return !o->annotation && !selects && !o->edges && o->a.per != TR_PER_ALL;
}

/* Columns of the graph, of collectives where they join ranks, and of what-if expressions. */
static enum tr_status choose_columns(struct critpath *o, const char ***keys, struct tr_error *err)
{
    size_t n = 0, cap = 0;
    struct tr_want want = { .fixed = TR_FIXED_ALL & ~TR_WANT(CAT), .derived = TR_CP_DERIVED };
    bool ok = tr_grow(keys, &cap, TR_CP_N_KEYS + TR_COLL_N_KEYS, sizeof **keys);
    for (size_t i = 0; ok && i < TR_CP_N_KEYS; i++)
        (*keys)[n++] = tr_cp_keys[i];
    for (size_t i = 0; ok && o->a.per == TR_PER_ALL && i < TR_COLL_N_KEYS; i++)
        (*keys)[n++] = tr_coll_keys[i];
    for (size_t k = 0; ok && k < o->rules.n; k++) {
        const struct tr_want *w = &tr_expr_needs(o->rules.tests[k])->want;
        want.fixed |= w->fixed;
        want.derived |= w->derived;
        ok = tr_grow(keys, &cap, n + w->n_keys, sizeof **keys);
        for (size_t i = 0; ok && i < w->n_keys; i++)
            (*keys)[n++] = w->keys[i];
    }
    want.keys = *keys;
    want.n_keys = n;
    want.any_rank_order = any_rank_order(o);
    if (!o->overlay) /* which passes everything on */
        o->a.want = want;
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status read_all(struct critpath *o, struct tr_critpath *c, struct tr_colls **colls,
                               struct tr_error *err)
{
    struct tr_coll_finder *finder = NULL;
    const struct tr_batch *b;
    const uint8_t *keep, *rules;
    enum tr_status st = TR_OK;
    if (o->a.per == TR_PER_ALL)
        st = tr_coll_finder_new(o->a.in->dict, o->a.selected, &finder, err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK) {
        st = find_rules(&o->rules, b, &rules, err);
        if (st == TR_OK)
            st = tr_critpath_feed(c, b, keep, rules, err);
        if (st == TR_OK && finder)
            st = tr_coll_feed(finder, b, keep, err);
    }
    if (st == TR_END)
        st = TR_OK;
    if (st == TR_OK && finder)
        st = tr_coll_match(finder, colls, err);
    tr_coll_finder_free(finder);
    return st;
}

/* t: NULL with --overlay. */
static enum tr_status report(struct cli *cli, struct critpath *o, struct tr_critpath *c,
                             struct tr_table *t, struct tr_error *err)
{
    enum tr_status st = warn_of_ranks(cli, o, c, err);
    if (st != TR_OK)
        return st;
    warn_of_nothing(cli, o, c);
    warn_of_launches(cli, o);
    return t ? critpath_rows(cli, o, c, t, err) : critpath_mark(cli, o, c, err);
}

static enum tr_status work(struct cli *cli, struct critpath *o, struct tr_table *t, struct tr_error *err)
{
    const struct tr_cp_opts opts = {
        .annotation = o->annotation,
        .first = (uint64_t)o->instances.from,
        .last = (uint64_t)o->instances.to,
        .join = o->a.per == TR_PER_ALL,
        .launch_edges = o->launch_edges || o->rules.n,
        .gaps = o->gaps || o->a.per == TR_PER_ALL,
        .suspect = o->a.suspect,
        .data = o->data.given ? cli_names_match : NULL,
        .data_self = &o->data,
        .scale = o->rules.scales,
        .n_scale = o->rules.n,
    };
    struct tr_critpath *c = NULL;
    struct tr_colls *colls = NULL;
    enum tr_status st = tr_critpath_new(&opts, o->a.in->dict, o->a.selected, &c, err);
    if (st == TR_OK)
        st = read_all(o, c, &colls, err);
    if (st == TR_OK && o->data.no_memory)
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_critpath_finish(c, colls, err);
    tr_colls_free(colls);
    if (st == TR_OK)
        st = report(cli, o, c, t, err);
    tr_critpath_free(c);
    return st;
}

/* From opening the input on. */
static enum tr_status find_path(struct cli *cli, void *options, struct tr_table *t, struct tr_error *err)
{
    struct critpath *o = options;
    enum tr_status st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK)
        st = bind_rules(o, err);
    return st == TR_OK ? work(cli, o, t, err) : st;
}

static enum tr_status overlay(struct cli *cli, struct critpath *o, struct tr_error *err)
{
    struct cli_overlay twice = { .again.cli = cli };
    int fd;
    enum tr_status st = cli_output(cli, true, &fd, err);
    o->a.twice = &twice;
    if (st == TR_OK)
        st = find_path(cli, o, NULL, err);
    cli_analysis_close(&o->a);
    cli_overlay_close(&twice);
    return st;
}

static enum tr_status critpath_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const struct cli_table table = { critpath_columns, find_path };
    struct critpath *o = arg;
    const char **keys = NULL;
    enum tr_status st = check_options(o, err);
    if (st == TR_OK && o->overlay)
        st = cli_table_none(cli, "the tables, not with --overlay", err);
    if (st == TR_OK)
        st = parse_rules(cli, o, err);
    if (st == TR_OK)
        st = choose_columns(o, &keys, err);
    o->a.host = true;
    if (st == TR_OK)
        st = o->overlay ? overlay(cli, o, err) : cli_table_run(cli, &table, o, err);
    cli_analysis_close(&o->a);
    free_rules(&o->rules);
    free(keys);
    return st;
}

int main(int argc, char **argv)
{
    struct critpath o = { .a = CLI_ANALYSIS_INIT };
    int code = cli_main(argc, argv, &critpath_tool, &o, critpath_run);
    cli_names_free(&o.data);
    return code;
}
