/* SPDX-License-Identifier: MIT */
/* tr-diff: what changed between two runs, and whether that is too much.  Manual: tr-diff(1). */
#include "cli/cli_partial.h"
#include "diff/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = { "text", "tsv", "csv", "json", "md", "svg", "vega",
                                       "junit", "sqlite", "xlsx", NULL };

/* Names of tables, in the order of enum diff_table; of views of rows, in the order of enum tr_diff_by; of others. */
static const char *const views[] = { "headline", "steps", "conditions", "name", "short-name", "kernel",
                                     "operator", "class", "step", "path", "tree", "table", "trend", NULL };
#define VIEW_TREE ((int)DIFF_ROWS + (int)TR_N_DIFF_BY)
#define VIEW_TABLE (VIEW_TREE + 1)
#define VIEW_TREND (VIEW_TABLE + 1)
/* Second words of --by: views of rows, in the order of enum tr_diff_by; tables of tree; what refines operators. */
static const char *const keys[] = { "name", "short-name", "kernel", "operator", "class", "step", "path",
                                    "pair", "node", "shape",    "args",  "tree", "table", NULL };
enum {
    KEY_KERNEL = 1 << TR_DIFF_BY_KERNEL,
    KEY_PAIR = 1 << TR_N_DIFF_BY,
    KEY_NODE = KEY_PAIR << 1,
    KEY_SHAPE = KEY_NODE << 1,
    KEY_ARGS = KEY_SHAPE << 1,
    KEY_TREE = KEY_ARGS << 1,
    KEY_TABLE = KEY_TREE << 1
};

static const struct tr_option diff_cli_opts[] = {
    { 0, "base", "FILE", TR_OPTION_LIST, offsetof(struct diff_opts, base), .many = true,
      .help = "traces of the base, up to the next option" },
    { 0, "test", "FILE", TR_OPTION_LIST, offsetof(struct diff_opts, test), .many = true,
      .help = "traces of the test, up to the next option" },
    { 0, "by", "TABLE[,KEY]", TR_OPTION_CHOICE, offsetof(struct diff_opts, table_by), .choices = views, .keys = keys,
      .help = "headline, steps (mean, median and deviation of their times), conditions, rows by name, short-name, "
              "kernel, operator, class, step (the events in it) or path, or tree [name]; operator,shape and "
              "operator,args: with the arguments; conditions,KEY: about rows by "
              "KEY; tree: points where the call trees differ; tree,kernel: the work there; tree,pair: names opposite "
              "each other; tree,node: the merged tree; table: the operands are tables that were printed before; trend: "
              "the headline of several runs, each an operand, and where it changed [of more than two operands]" },
    { 0, "keys", "LIST", TR_OPTION_TEXT, offsetof(struct diff_opts, keys),
      .help = "with --by table and --of: the columns by which rows are known [those of the view, else texts]" },
    { 0, "of", "PROGRAM", TR_OPTION_TEXT, offsetof(struct diff_opts, of_command),
      .help = "compare the runs by a view of another program, such as 'tr-breakdown --by timeline'" },
    { 0, "base-where", "EXPR", TR_OPTION_LIST, offsetof(struct diff_opts, where[TR_DIFF_BASE]),
      .help = "of the base, only events for which EXPR is true, too; may be repeated" },
    { 0, "test-where", "EXPR", TR_OPTION_LIST, offsetof(struct diff_opts, where[TR_DIFF_TEST]),
      .help = "the same for the test" },
    { 0, "attach-capture", "FILE", TR_OPTION_LIST, offsetof(struct diff_opts, captures),
      .help = "tree: operators of launched graphs, from traces (or a folder of them) of their captures; may be "
              "repeated" },
    { 0, "base-capture", "FILE", TR_OPTION_LIST, offsetof(struct diff_opts, own_captures[TR_DIFF_BASE]),
      .help = "the same for graphs of the base alone" },
    { 0, "test-capture", "FILE", TR_OPTION_LIST, offsetof(struct diff_opts, own_captures[TR_DIFF_TEST]),
      .help = "the same for graphs of the test alone" },
    { 0, "changed-only", NULL, TR_OPTION_FLAG, offsetof(struct diff_opts, changed_only),
      .help = "only rows in which anything differs" },
    { 0, "profiler", "include", TR_OPTION_CALL, offsetof(struct diff_opts, profiler), .call = cli_analysis_suspect,
      .help = "count the profiler's own spans, too" },
    { 0, "fail-if", "COND", TR_OPTION_LIST, offsetof(struct diff_opts, fail_if),
      .help = "exit 1 if COND is true for the headline, steps, a total or a row, such as 'step.p50_diff_pct > 3%' or "
              "'busy.diff_pct > 2% && busy.sigma > 4'; 3 if the data for it are missing; may "
              "be repeated; tr-diff(1) lists the names" },
    { 0, "min-coverage", "SHARE", TR_OPTION_DOUBLE, offsetof(struct diff_opts, min_coverage), .hi = 1,
      .help = "exit 5 if less than this share of device work has a launch, or of launches device work" },
    { 0, "save-partial", "FILE", TR_OPTION_FILE, offsetof(struct diff_opts, save),
      .help = "compare nothing; write all operands as a partial result, which can be a base; -: to the output" },
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct diff_opts, format),
      .choices = formats, .help = "format of the report [$TR_FORMAT, else text on a terminal, else tsv]" },
    CLI_SELECT_OPTS(struct diff_opts, a),
    { 0 },
};

static const struct cli_tool diff_tool = {
    .name = "tr-diff",
    .brief = "say what changed between two runs, and whether it is too much",
    .operands = "BASE TEST | RUN... | [FILE]...",
    .uses = CLI_INPUT | CLI_OUTPUT | CLI_UNIT | CLI_ARRANGE | CLI_RELATIVE | CLI_RANKS,
    .max_operands = CLI_ANY,
    .opts = diff_cli_opts,
    .examples = { "tr-diff --by operator --top 10 base.trs test.trs",
                  "tr-diff --fail-if 'step.diff_pct > 2%' base.trs test.trs" },
};

/* ---- which files are which run ---- */

/* Tables of a view, which are made from the runs, not printed before. */
static bool of_view(const struct diff_opts *o)
{
    return o->of_command || o->of_part;
}

static enum tr_status share_out(const struct cli *cli, const struct diff_opts *o,
                                struct diff_paths runs[2], struct tr_error *err)
{
    struct diff_paths all;
    all.v = cli_operands(cli, &all.n);
    runs[TR_DIFF_BASE] = (struct diff_paths){ o->base.items, o->base.n };
    runs[TR_DIFF_TEST] = (struct diff_paths){ o->test.items, o->test.n };
    if (o->save) {
        if (o->base.n || o->test.n || o->fail_if.n)
            return tr_fail(err, TR_USAGE,
                           "--save-partial compares nothing, so it goes with none of --base, --test and --fail-if");
        runs[TR_DIFF_BASE] = all;
    } else if (o->base.n && !o->test.n && all.n) { /* the operands are the test */
        runs[TR_DIFF_TEST] = all;
    } else if (o->base.n || o->test.n) {
        if (!o->base.n || !o->test.n)
            return tr_fail(err, TR_USAGE, "--test goes with --base, and --base with --test or operands");
        if (all.n)
            return tr_fail(err, TR_USAGE, "extra operand '%.200s' beside --base and --test",
                           all.v[0]);
    } else {
        if (of_view(o) && all.n > 2)
            return TR_OK; /* each operand is a run */
        bool parts = all.n == 1 && (o->where[TR_DIFF_BASE].n || o->where[TR_DIFF_TEST].n);
        if (all.n != 2 && !parts)
            return tr_fail(err, TR_USAGE,
                           "two operands are needed, BASE and TEST, not %zu "
                           "(or --base FILE... --test FILE..., or one with --base-where or --test-where)",
                           all.n);
        runs[TR_DIFF_BASE] = (struct diff_paths){ all.v, 1 };
        runs[TR_DIFF_TEST] = (struct diff_paths){ all.v + (parts ? 0 : 1), 1 };
    }
    return TR_OK;
}

/* The table of trees. */
static enum tr_status choose_tree(struct diff_opts *o, struct tr_error *err)
{
    static const unsigned of[TR_N_TREE_DIFF] = { 0, KEY_KERNEL, KEY_PAIR, KEY_NODE };
    for (int view = 0; view < TR_N_TREE_DIFF; view++)
        if (o->table_by.keys == of[view]) {
            o->of_tree = true;
            o->table = DIFF_ROWS;
            o->tree = (enum tr_tree_diff_view)view;
            return TR_OK;
        }
    return tr_fail(err, TR_USAGE, "tree takes one of kernel, pair and node");
}

/* --by gives the table, and the view of rows. */
static enum tr_status choose_table(struct diff_opts *o, struct tr_error *err)
{
    unsigned chosen = o->table_by.keys;
    int choice = o->table_by.choice;
    bool of_conditions = choice == (int)DIFF_GATE;
    o->of_trend = choice == VIEW_TREND;
    if (o->of_trend)
        return chosen ? tr_fail(err, TR_USAGE, "trend takes no second key") : TR_OK;
    if (o->of_command && choice >= 0 && choice != VIEW_TABLE && !(of_conditions && (!chosen || chosen == KEY_TABLE)))
        return tr_fail(err, TR_USAGE, "--of says what the tables are: --by is table or conditions");
    if (choice == VIEW_TREE)
        return choose_tree(o, err);
    o->of_tree = of_conditions && chosen == KEY_TREE;
    o->of_tables = choice == VIEW_TABLE || (of_conditions && chosen == KEY_TABLE) || of_view(o);
    if (o->of_tree || o->of_tables)
        o->table = of_conditions ? DIFF_GATE : DIFF_ROWS;
    if (choice == VIEW_TABLE && chosen)
        return tr_fail(err, TR_USAGE, "table takes no second key: --keys names columns");
    if (o->of_tree || o->of_tables)
        return TR_OK;
    o->by = DIFF_BY_UNSET;
    o->table = choice < 0 || choice >= DIFF_ROWS ? DIFF_ROWS : (enum diff_table)choice;
    if (choice >= DIFF_ROWS)
        o->by = choice - DIFF_ROWS;
    if (chosen & (KEY_SHAPE | KEY_ARGS)) {
        bool of_operators = o->by == TR_DIFF_BY_OPERATOR || (choice < DIFF_ROWS && chosen & 1u << TR_DIFF_BY_OPERATOR);
        if (!of_operators)
            return tr_fail(err, TR_USAGE, "shape and args refine operators: --by operator,shape");
        o->refined = TR_DIFF_SHAPE | (chosen & KEY_ARGS ? TR_DIFF_ARGS : 0);
        chosen &= ~(unsigned)(KEY_SHAPE | KEY_ARGS);
    }
    if (!chosen)
        return TR_OK;
    if (choice >= DIFF_ROWS)
        return tr_fail(err, TR_USAGE, "rows by %s take no second key", views[choice]);
    for (int by = 0; by < TR_N_DIFF_BY; by++)
        if (chosen == 1u << by)
            o->by = by;
    if (chosen & (KEY_TREE | KEY_TABLE))
        return tr_fail(err, TR_USAGE, "tree and table have no keys of rows, and none is theirs");
    if (chosen & (KEY_PAIR | KEY_NODE))
        return tr_fail(err, TR_USAGE, "pair and node are tables of tree: --by tree,pair");
    return o->by == DIFF_BY_UNSET ? tr_fail(err, TR_USAGE, "rows have only one key") : TR_OK;
}

static enum tr_status check_usage(const struct cli *cli, const struct diff_opts *o, struct tr_error *err)
{
    bool selects = cli_select_any(&o->a.select) || o->where[TR_DIFF_BASE].n || o->where[TR_DIFF_TEST].n ||
                   o->a.suspect || o->a.coverage;
    if (o->of_tables && !of_view(o) && (cli_partial(cli)->expect || cli_partial(cli)->min_ranks))
        return tr_fail(err, TR_USAGE, "tables do not say which ranks they are of: neither --expect-ranks nor "
                                      "--min-ranks goes with them");
    if (o->keys && !o->of_tables)
        return tr_fail(err, TR_USAGE, "--keys goes with --by table and --of");
    if (o->of_tables && !of_view(o) && selects)
        return tr_fail(err, TR_USAGE, "tables have no events to select");
    if (o->refined && o->save)
        return tr_fail(err, TR_USAGE, "a partial result has no arguments of operators");
    if (o->format == DIFF_JUNIT && !o->fail_if.n)
        return tr_fail(err, TR_USAGE, "-O junit is about conditions: --fail-if is needed");
    if ((o->of_tree || o->of_tables) &&
        (o->save || o->min_coverage >= 0 || o->changed_only || o->profiler))
        return tr_fail(err, TR_USAGE, "--by %s has no partial results and no coverage, and takes neither "
                                      "--changed-only nor --profiler", o->of_tree ? "tree" : "table");
    if (!o->of_tree && (o->captures.n || o->own_captures[TR_DIFF_BASE].n || o->own_captures[TR_DIFF_TEST].n))
        return tr_fail(err, TR_USAGE, "captures of graphs go with --by tree");
    if (o->of_tree && o->fail_if.n && o->tree != TR_TREE_DIFF_POINT)
        return tr_fail(err, TR_USAGE, "conditions are about the points of --by tree");
    if ((o->where[TR_DIFF_BASE].n || o->where[TR_DIFF_TEST].n) && o->save)
        return tr_fail(err, TR_USAGE, "a partial result has the selection of --where, not of one run");
    bool no_table = o->format == DIFF_JUNIT || o->save;
    if (o->changed_only && (no_table || o->table != DIFF_ROWS))
        return tr_fail(err, TR_USAGE, "--changed-only is about the rows of what differs");
    return no_table ? cli_table_none(cli, "a table of what differs", err) : TR_OK;
}

static enum tr_status check_trend(const struct diff_opts *o, struct tr_error *err)
{
    if (o->fail_if.n || o->save || o->base.n || o->test.n || o->changed_only || o->profiler || o->min_coverage >= 0 ||
        o->of_command || o->where[TR_DIFF_BASE].n || o->where[TR_DIFF_TEST].n)
        return tr_fail(err, TR_USAGE, "--by trend is about the headline of runs, each one operand: it takes neither "
                                      "conditions nor options of two runs");
    if (o->format == DIFF_JUNIT)
        return tr_fail(err, TR_USAGE, "-O junit is about conditions: --by trend has none");
    return TR_OK;
}

/* ---- the program ---- */

/* Sums over different numbers of steps do not have the same work. */
static void warn_of_steps(struct cli *cli, const struct diff *x)
{
    size_t base = x->sides[TR_DIFF_BASE].steps.n, test = x->sides[TR_DIFF_TEST].steps.n;
    char what[128];
    if (!base || !test || base == test)
        return;
    snprintf(what, sizeof what, "the base has %zu steps, the test %zu: select equally many with --step",
             base, test);
    cli_warn(cli, "", "", what);
}

static enum tr_status read_runs(struct cli *cli, const struct diff_opts *o, struct diff *x,
                                const struct diff_paths runs[2], struct tr_error *err)
{
    x->d = tr_diff_new(x->by, x->o->refined, diff_max_bytes(cli));
    enum tr_status st = x->d ? TR_OK : tr_fail_memory(err);
    for (int run = 0; run < (o->save ? 1 : 2) && st == TR_OK; run++)
        st = diff_read(cli, o, x, (enum tr_diff_run)run, runs[run].v, runs[run].n, err);
    return st;
}

/* Rows are those of partial results, unless --by says otherwise. */
static void choose_view(struct cli *cli, struct diff *x, const struct diff_paths runs[2])
{
    int by = x->o->refined ? -1 : diff_partial_view(cli, runs);
    if (x->o->by == DIFF_BY_UNSET && by >= 0)
        x->o->by = by;
    x->by = x->o->by == DIFF_BY_UNSET ? TR_DIFF_BY_NAME : (enum tr_diff_by)x->o->by;
}

/* The state of a comparison. */
struct comparison {
    struct diff *x;
    struct diff_paths runs[2];
    enum diff_table which;
    enum tr_status status; /* of conditions */
    struct tr_error why;
};

static void columns(const void *arg, struct tr_table *t)
{
    const struct comparison *c = arg;
    diff_columns(c->x->o, c->which, t);
}

/* All tables, from both runs; t: the one that is printed, NULL: none is. */
static enum tr_status compare(struct cli *cli, void *arg, struct tr_table *t, struct tr_error *err)
{
    struct comparison *c = arg;
    struct diff *x = c->x;
    enum tr_status st = read_runs(cli, x->o, x, c->runs, err);
    if (st == TR_OK)
        warn_of_steps(cli, x);
    for (int i = 0; i < DIFF_N_TABLES && st == TR_OK; i++) {
        x->tables[i] = t && i == (int)c->which ? t : cli_table_held(cli);
        if (!x->tables[i])
            st = tr_fail_memory(err);
        else if (x->tables[i] != t)
            diff_columns(x->o, (enum diff_table)i, x->tables[i]);
    }
    if (st == TR_OK)
        st = diff_fill(cli, x, err);
    if (st == TR_OK)
        st = diff_gate_judge(x, err);
    if (st == TR_OK)
        diff_fill_gate(x);
    if (st != TR_OK)
        return st;
    c->status = diff_gate_status(x, &c->why); /* while there are tables */
    if (x->o->format == DIFF_JUNIT)
        return diff_junit(cli, x, err);
    return c->which == DIFF_ROWS ? diff_page(cli, x, err) : TR_OK;
}

/* Decide which results are needed.  Conditions may need all of them. */
static void need(struct cli *cli, struct diff *x, enum diff_table which)
{
    const struct tr_row_sink *sink = cli_report_sink(cli);
    bool page = which == DIFF_ROWS && (sink == &tr_row_sink_text || sink == &tr_row_sink_md);
    x->rows = which == DIFF_ROWS || x->n_results;
    x->headline = which == DIFF_HEADLINE || page || x->n_results;
}

static enum tr_status report(struct cli *cli, struct diff *x, const struct diff_paths runs[2], struct tr_error *err)
{
    static const struct tr_chart charts[] = {
        [DIFF_ROWS] = { TR_CHART_BAR, .x = "name", .y = { "diff" }, .change = true, .sums = "total" },
        [DIFF_HEADLINE] = { TR_CHART_BAR, .x = "metric", .y = { "diff_pct" }, .change = true },
        [DIFF_STEPS] = { TR_CHART_BAR, .x = "statistic", .y = { "base", "test" } },
    };
    const unsigned which = (unsigned)x->o->table;
    const bool drawn = which < sizeof charts / sizeof *charts && charts[which].x;
    const struct cli_table table = { .columns = columns, .fill = compare, .chart = drawn ? &charts[which] : NULL,
                                     .question = "What changed from the base to the test?" };
    struct comparison c = { .x = x, .runs = { runs[0], runs[1] }, .which = x->o->table, .why = TR_ERROR_INIT };
    if (x->o->format == DIFF_MD)
        c.which = DIFF_ROWS; /* the others are above */
    need(cli, x, c.which);
    enum tr_status st = x->o->format == DIFF_JUNIT ? compare(cli, &c, NULL, err)
                                                   : cli_table_run(cli, &table, &c, err);
    for (int i = 0; i < DIFF_N_TABLES; i++)
        if (x->o->format == DIFF_JUNIT || i != (int)c.which)
            tr_table_free(x->tables[i]);
    if (st == TR_OK && c.which == DIFF_GATE)
        diff_gate_remark(cli, x);
    if (st == TR_OK && c.status != TR_OK)
        *err = c.why;
    return st == TR_OK ? c.status : st;
}

static enum tr_status diff_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct diff_opts *o = arg;
    struct diff x = { .o = o,
                      .rows = true,
                      .headline = true,
                      .sides = { { .what = "base", .coverage = 1 },
                                 { .what = "test", .coverage = 1 } } };
    struct diff_paths runs[2] = { { NULL, 0 }, { NULL, 0 } };
    size_t n;
    cli_operands(cli, &n);
    bool plain = o->table_by.choice < 0 && !o->save && !o->of_command;
    enum tr_status st = plain || (o->table_by.choice == (int)DIFF_GATE && !o->table_by.keys && !o->of_command)
                            ? diff_find_part(cli, o, err)
                            : TR_OK;
    if (n > 2 && plain && !o->of_part && !o->base.n && !o->test.n && !o->fail_if.n)
        o->table_by.choice = VIEW_TREND;
    if (st == TR_OK)
        st = choose_table(o, err);
    if (o->format >= 0 && o->format != DIFF_JUNIT && !o->save)
        cli_report_as(cli, formats[o->format]);
    tr_run_summary_init(&x.sides[TR_DIFF_BASE].headline);
    tr_run_summary_init(&x.sides[TR_DIFF_TEST].headline);
    if (st == TR_OK)
        st = check_usage(cli, o, err);
    if (st == TR_OK && o->of_trend)
        st = check_trend(o, err);
    if (st == TR_OK && !o->of_trend && (!o->of_tables || of_view(o)) && !cli_arrange(cli)->help_columns)
        st = share_out(cli, o, runs, err);
    x.by = TR_DIFF_BY_NAME;
    if (st == TR_OK && o->of_trend)
        runs[TR_DIFF_BASE].v = cli_operands(cli, &runs[TR_DIFF_BASE].n);
    if (st == TR_OK && !o->of_tables && !o->of_tree)
        choose_view(cli, &x, runs);
    if (st == TR_OK && o->save && strcmp(o->save, "-") != 0)
        st = cli_output_to(cli, o->save, err);
    if (st == TR_OK && !o->of_tables && !o->of_tree && !o->of_trend)
        st = diff_gate_compile(cli, o, &x, err);
    if (st == TR_OK)
        st = o->of_trend  ? diff_report_trend(cli, &x, err)
             : o->of_tables ? diff_report_tables(cli, &x, runs, err)
             : o->of_tree ? diff_report_trees(cli, &x, runs, err)
             : o->save ? read_runs(cli, o, &x, runs, err) : report(cli, &x, runs, err);
    diff_gate_free(&x);
    tr_step_times_free(&x.sides[TR_DIFF_BASE].steps);
    tr_step_times_free(&x.sides[TR_DIFF_TEST].steps);
    free(x.sides[TR_DIFF_BASE].ranks);
    free(x.sides[TR_DIFF_TEST].ranks);
    tr_diff_free(x.d);
    return st == TR_NO && cli_ranks_missing(cli) ? TR_COVERAGE : st;
}

int tr_diff_main(int argc, char **argv)
{
    struct diff_opts o = {
        .a = CLI_ANALYSIS_INIT, .table_by = { .choice = -1 }, .by = DIFF_BY_UNSET, .format = -1, .min_coverage = -1
    };
    return cli_main(argc, argv, &diff_tool, &o, diff_run);
}
