/* SPDX-License-Identifier: MIT */
/* tr-report: where did the time go, and what to look at next, on one page.  Manual: tr-report(1). */
#include "report/report.h"

#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "stream/tr_batch_select.h"

#include <string.h>

/* Keep the options that the commands of the page also have, as given. */
static enum tr_status take_rank(void *field, const char *value, struct tr_error *err)
{
    struct report_opts *o = field;
    o->rank = value;
    return cli_select_ranks(&o->a.select.opts, value, err);
}

static enum tr_status take_step(void *field, const char *value, struct tr_error *err)
{
    struct report_opts *o = field;
    o->step = value;
    return cli_select_steps(&o->a.select.opts, value, err);
}

static enum tr_status take_time(void *field, const char *value, struct tr_error *err)
{
    struct report_opts *o = field;
    o->time = value;
    return cli_select_time(&o->a.select.opts, value, err);
}

static const char *const formats[] = { "text", "md", "json", NULL };
static const char *const groups[] = { "all", "rank", NULL };

static const struct tr_option report_cli_opts[] = {
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct report_opts, format), .choices = formats,
      .help = "text, md or json [text]" },
    { 0, "sections", "LIST", TR_OPTION_TEXT, offsetof(struct report_opts, sections),
      .help = "only these sections: trust, headline, steps, breakdown, devices, idle, kernels, operators, categories, "
              "families, comm, stragglers, memory, launches, counters, next [these]; in addition: timeline, short, "
              "shapes, parents, roofline; or all" },
    { 0, "top", "N", TR_OPTION_U64, offsetof(struct report_opts, top), .lo = 0, .hi = INT64_MAX,
      .help = "rows of a table; 0: all [5]" },
    { 0, "arch", "FILE|NAME", TR_OPTION_TEXT, offsetof(struct report_opts, arch),
      .help = "families, roofline: peaks of this device: one of tr-roofline --list-archs, a file, or none [that of the "
              "trace, if it names one of them]" },
    { 0, "per", "GROUP", TR_OPTION_CHOICE, offsetof(struct report_opts, per), .choices = groups,
      .help = "rank: figures of each rank; all: their median, minimum and maximum [all]" },
    { 0, "base", "FILE", TR_OPTION_LIST, offsetof(struct report_opts, base), .many = true,
      .help = "traces to compare the headline with, up to the next option" },
    { 0, "step", "A[..B]", TR_OPTION_CALL, 0, .call = take_step, .help = "only steps A to B" },
    { 0, "time", "FROM..TO", TR_OPTION_CALL, 0, .call = take_time,
      .help = "only this window: us as in the trace, or +0ms..+10ms" },
    { 0, "rank", "LIST", TR_OPTION_CALL, 0, .call = take_rank, .help = "only these ranks, as in 0,3,8..15" },
    { 0, "where", "EXPR", TR_OPTION_LIST, offsetof(struct report_opts, a.select.where),
      .help = "only events for which EXPR is true; if repeated, all must be true" },
    { 0 },
};

static const struct cli_tool report_tool = {
    .name = "tr-report",
    .brief = "say on one page where the time went, and what to look at next",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_OUTPUT | CLI_UNIT,
    .max_operands = CLI_ANY,
    .opts = report_cli_opts,
    .examples = { "tr-report rank*.json.gz",
                  "tr-report --sections headline --base base.trs -- test.trs" },
};

/* ---- which sections ---- */

static enum tr_status want(struct report *r, const char *name, size_t len, struct tr_error *err)
{
    bool all = len == 3 && memcmp(name, "all", len) == 0;
    for (int id = 0; id < REPORT_N_SECTIONS; id++)
        r->shown[id] |= all;
    for (int id = 0; id < REPORT_N_SECTIONS; id++)
        if (strlen(report_sections[id].name) == len && memcmp(report_sections[id].name, name, len) == 0) {
            r->shown[id] = true;
            return TR_OK;
        }
    return all ? TR_OK
               : tr_fail(err, TR_USAGE, "there is no section '%.*s'", len > 80 ? 80 : (int)len, name);
}

static enum tr_status choose(struct report *r, struct tr_error *err)
{
    static const enum report_id advised[] = { REPORT_TRUST,     REPORT_BREAKDOWN, REPORT_DEVICES,
                                              REPORT_IDLE,      REPORT_KERNELS,   REPORT_SHORT,
                                              REPORT_OPERATORS, REPORT_COMM,      REPORT_STRAGGLERS,
                                              REPORT_LAUNCHES }; /* they decide what to look at next */
    enum tr_status st = TR_OK;
    const char *list = r->o->sections;
    for (int id = 0; id < REPORT_N_SECTIONS && !list; id++)
        r->shown[id] = !report_sections[id].detail;
    while (list && st == TR_OK) {
        size_t len = strcspn(list, ",");
        st = want(r, list, len, err);
        list = list[len] ? list + len + 1 : NULL;
    }
    r->shown[REPORT_OUTLIERS] |= r->shown[REPORT_BREAKDOWN];
    r->shown[REPORT_BREAKDOWN] |= r->shown[REPORT_OUTLIERS];
    r->shown[REPORT_HEADLINE] |= r->o->base.n > 0;
    memcpy(r->wanted, r->shown, sizeof r->wanted);
    for (size_t i = 0; r->shown[REPORT_NEXT] && i < sizeof advised / sizeof *advised; i++)
        r->wanted[advised[i]] = true;
    return st;
}

/* ---- one pass ---- */

/* Everything that reads the events. */
struct pass {
    struct cli_analysis *a;
    struct tr_runner *runner;
    struct tr_run_summary_maker *headline;
    struct tr_step_ends *ends;
};

static enum tr_status take_steps(void *self, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    const struct pass *p = self;
    (void)keep;
    return tr_step_ends_feed(p->ends, b, tr_select_where_alone(p->a->select.selected)) ? TR_OK : tr_fail_memory(err);
}

/* Add an analysis whose table is no section. */
static enum tr_status add_table(const struct report *r, const struct pass *p, const struct tr_analysis *analysis,
                                const void *options, int per, struct tr_table **t, struct tr_error *err)
{
    *t = cli_table_held(r->cli);
    return *t ? tr_runner_add(p->runner, analysis, options, per, *t, err) : tr_fail_memory(err);
}

/* Those for what to look at next. */
static enum tr_status prepare_next(struct report *r, const struct pass *p, struct tr_error *err)
{
    enum tr_status st = add_table(r, p, &tr_analysis_idle, report_sections[REPORT_IDLE].options, -1, &r->during, err);
    if (st == TR_OK && r->o->step)
        st = add_table(r, p, &tr_analysis_step, NULL, TR_PER_ALL, &r->chosen, err);
    return st;
}

/* Add the analyses of the sections, and say which columns they need. */
static enum tr_status prepare(struct report *r, struct pass *p, struct tr_error *err)
{
    p->runner = tr_runner_new();
    enum tr_status st = p->runner ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = report_operators_prepare(r, err);
    for (int id = 0; id < REPORT_N_SECTIONS && st == TR_OK; id++) {
        const struct tr_analysis *analysis = report_sections[id].analysis;
        if (!r->wanted[id] || !analysis)
            continue;
        r->tables[id] = cli_table_held(r->cli);
        st = r->tables[id] ? tr_runner_add(p->runner, analysis, report_options_of(r, (enum report_id)id),
                                           report_sections[id].devices ? TR_PER_DEVICE : -1, r->tables[id], err)
                           : tr_fail_memory(err);
        if (st == TR_OK)
            report_columns_of(r, (enum report_id)id);
    }
    if (st == TR_OK && r->wanted[REPORT_TRUST])
        st = add_table(r, p, &tr_analysis_comm_group, NULL, -1, &r->groups, err);
    if (st == TR_OK && r->shown[REPORT_NEXT])
        st = prepare_next(r, p, err);
    if (st == TR_OK && r->wanted[REPORT_HEADLINE])
        st = tr_run_summary_maker_new(p->runner, &p->headline, err);
    p->a->want = (struct tr_projection){ .fixed = TR_GROUP_BY_FIXED, .derived = TR_STEPS_DERIVED };
    if (st == TR_OK)
        tr_runner_add_observer(p->runner, take_steps, p);
    if (st == TR_OK)
        st = tr_runner_needs(p->runner, &p->a->want, &p->a->host, err);
    if (st == TR_OK && r->wanted[REPORT_TRUST]) {
        r->info = tr_info_new();
        r->selector = tr_selector_new();
        r->part = tr_batch_new();
        st = r->info && r->selector && r->part ? TR_OK : tr_fail_memory(err);
        tr_runner_add_observer(p->runner, report_trust_add, r);
        p->a->want.fixed |= TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR) | TR_FIXED_BIT(RECORD) | TR_FIXED_BIT(TRACK) |
                            TR_FIXED_BIT(ACTIVITY) | TR_FIXED_BIT(KIND) | TR_FIXED_BIT(SUSPECT) | TR_COVERAGE_FIXED;
        p->a->want.derived |= TR_COVERAGE_DERIVED;
        if (cli_select_any(&p->a->select)) /* copying events needs all columns */
            p->a->want = (struct tr_projection){ .fixed = TR_FIXED_ALL, .all_packed = true };
    }
    p->a->host = true; /* the page says itself that there is no device work */
    return st;
}

static void remark(void *self, enum tr_remark_kind how, const char *place, const char *text)
{
    const struct cli_listener *l = self;
    if (how == TR_REMARK_WARN)
        cli_warn(l->cli, l->a->in->name, place, text);
    else
        cli_note(l->cli, "%s", text);
}

static enum tr_status read_events(struct report *r, struct pass *p, struct tr_error *err)
{
    struct cli_listener listener = { r->cli, p->a };
    struct tr_analysis_in in = cli_view_in(&listener);
    const struct tr_batch *b;
    const uint8_t *keep;
    size_t n = 1;
    for (int id = 0; id < REPORT_N_SECTIONS; id++)
        n += r->tables[id] != NULL;
    n += r->groups != NULL;
    n += r->during != NULL;
    n += r->chosen != NULL;
    in.max_memory /= n;
    in.remark = remark;
    p->ends = tr_step_ends_new(in.dict, in.summary);
    enum tr_status st = p->ends ? tr_runner_start(p->runner, &in, err) : tr_fail_memory(err);
    while (st == TR_OK && (st = cli_analysis_next(p->a, &b, &keep, err)) == TR_OK)
        st = tr_runner_feed(p->runner, b, keep, err);
    if (st == TR_END)
        st = tr_runner_finish(p->runner, err);
    if (st == TR_OK && r->info)
        st = tr_info_finish(r->info, p->a->in->dict, err);
    return st;
}

/* The results from the summary, and the headline. */
static enum tr_status sum_up(struct report *r, const struct pass *p, struct tr_error *err)
{
    const struct tr_input *in = p->a->in;
    struct report_figures *to = &r->test;
    r->in = in;
    r->selected = p->a->select.selected;
    r->n_ranks = report_n_ranks(r, SIZE_MAX, false);
    for (uint32_t i = 0; i < in->dict->n_sources; i++)
        if (tr_select_source(r->selected, i) && in->dict->sources[i].capture >= r->n_captures)
            r->n_captures = in->dict->sources[i].capture + (size_t)1;
    r->device = report_n_ranks(r, SIZE_MAX, true) > 0;
    if (!tr_step_ends_finish(p->ends) ||
        !tr_step_times_gather(&to->steps, in->dict, p->ends, p->a->select.selected, NULL) ||
        !tr_step_times_seal(&to->steps))
        return tr_fail_memory(err);
    if (!p->headline)
        return TR_OK;
    enum tr_status st = tr_run_summary_maker_end(p->headline, &to->steps, &to->headline, err);
    if (st == TR_OK)
        tr_run_summary_figures(&to->headline, &to->steps, to->of);
    return st;
}

static void clear(struct report *r, struct pass *p)
{
    tr_runner_free(p->runner);
    tr_run_summary_maker_free(p->headline);
    tr_step_ends_free(p->ends);
    for (int id = 0; id < REPORT_N_SECTIONS; id++)
        tr_table_free(r->tables[id]);
    tr_table_free(r->groups);
    tr_table_free(r->during);
    tr_table_free(r->chosen);
    tr_info_free(r->info);
    tr_models_free(r->operators.models);
    tr_selector_free(r->selector);
    tr_batch_free(r->part);
    tr_step_times_free(&r->test.steps);
    tr_step_times_free(&r->base.steps);
    cli_analysis_close(p->a);
}

/*
 * A list of --base without an end takes the inputs, too.  Without this, the page would wait for standard input, or
 * the base be refused for a rank that is in it twice.
 */
static enum tr_status check_base(const struct cli *cli, const struct report_opts *o, struct tr_error *err)
{
    size_t n;
    cli_operands(cli, &n);
    if (n || o->base.n < 2)
        return TR_OK;
    return tr_fail(err, TR_USAGE, "--base took %s files: end its list with --, as in --base A -- B",
                   o->base.n == 2 ? "both" : "all");
}

/* What a reader should know of the steps that the page shows. */
static void remark_on_steps(struct cli *cli, const struct report *r, const struct pass *p)
{
    char text[200];
    if (!r->test.steps.n || !(r->shown[REPORT_HEADLINE] || r->shown[REPORT_STEPS] || r->shown[REPORT_NEXT]))
        return;
    for (int which = 0; which < TR_N_STEP_REMARKS && !cli_quiet(cli); which++)
        if (tr_step_ends_remark(p->ends, p->a->select.selected, (enum tr_step_remark)which, text, sizeof text))
            cli_remark(cli, "%s", text);
}

static enum tr_status report_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct report_opts *o = arg;
    struct cli_analysis a = o->a;
    struct report r = { .cli = cli, .o = o };
    struct pass p = { .a = &a };
    enum tr_status st = choose(&r, err);
    if (st == TR_OK)
        st = check_base(cli, o, err);
    if (st == TR_OK && o->base.n)
        st = report_read_base(&r, err);
    if (st == TR_OK)
        st = prepare(&r, &p, err);
    if (st == TR_OK)
        st = cli_analysis_open(cli, &a, 0, err);
    if (st == TR_OK)
        st = read_events(&r, &p, err);
    if (st == TR_ABSENT)
        tr_error_input(err, a.in->name);
    if (st == TR_OK)
        st = sum_up(&r, &p, err);
    if (st == TR_OK)
        st = report_write(&r, err);
    if (st == TR_OK)
        remark_on_steps(cli, &r, &p);
    if (st == TR_OK && o->step && r.device && !cli_quiet(cli) &&
        (r.shown[REPORT_HEADLINE] || r.shown[REPORT_BREAKDOWN] || r.shown[REPORT_IDLE]))
        cli_remark(cli, "idle time before the first selected work does not count: see tr-breakdown --by step");
    clear(&r, &p);
    return st;
}

int main(int argc, char **argv)
{
    struct report_opts o = { .a = CLI_ANALYSIS_INIT, .top = 5 };
    return cli_main(argc, argv, &report_tool, &o, report_run);
}
