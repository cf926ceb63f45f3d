/* SPDX-License-Identifier: MIT */
/* tr-report: what makes a job slow, what a fix would save, and where the time went.  Manual: tr-report(1). */
#include "report/report_saved.h"

#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "cli/cli_book.h"
#include "cli/cli_every.h"
#include "cli/cli_graphs.h"
#include "cli/cli_partial.h"
#include "report/report_html.h"
#include "base/tr_num.h"
#include "stream/tr_batch_select.h"

#include <stdio.h>
#include <stdlib.h>
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

static enum tr_status take_findings(void *field, const char *value, struct tr_error *err)
{
    uint64_t *n = field;
    *n = 0;
    return strcmp(value, "all") == 0 ? TR_OK : tr_num_u64(value, 1, INT64_MAX, n, err);
}

static const char *const formats[] = { "text", "md",  "json", "html",   "tsv",
                                       "csv",  "svg", "vega", "sqlite", "xlsx", NULL };
static const char *const groups[] = { "all", "rank", NULL };

static const struct tr_option report_cli_opts[] = {
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct report_opts, format), .choices = formats,
      .help = "text, md, json, html, sqlite, xlsx, or csv in a folder (-o DIR/); of the section findings alone also "
              "tsv, csv, svg or vega [$TR_FORMAT, else text]" },
    { 0, "sections", "LIST", TR_OPTION_TEXT, offsetof(struct report_opts, sections),
      .help = "only these sections: findings, job, trust, headline, steps, breakdown, devices, idle, kernels, "
              "operators, categories, families, comm, stragglers, inference, memory, launches, counters [these; html: "
              "typical, too]; in addition: timeline, short, shapes, parents, roofline; or all" },
    { 0, "findings", "N", TR_OPTION_CALL, offsetof(struct report_opts, findings), .call = take_findings,
      .help = "print at most N findings, or all [7]" },
    { 0, "set", "LIMIT", TR_OPTION_LIST, offsetof(struct report_opts, limits),
      .help = "set a limit of a kind of findings, as in host_bound.share=10; may be repeated" },
    { 0, "top", "N", TR_OPTION_U64, offsetof(struct report_opts, top), .lo = 0, .hi = INT64_MAX,
      .help = "rows of a table; 0: all [5; html: 12]" },
    { 0, "arch", "FILE|NAME", TR_OPTION_TEXT, offsetof(struct report_opts, arch),
      .help = "families, roofline: peaks of this device: one of tr-roofline --list-archs, a file, or none [that of the "
              "trace, if it names one of them]" },
    { 0, "attach-capture", "FILE", TR_OPTION_LIST, offsetof(struct report_opts, captures),
      .help = "work of launched graphs is that of the operators in this trace of their capture, or in a folder of "
              "such; may be repeated" },
    { 0, "no-align", NULL, TR_OPTION_FLAG, offsetof(struct report_opts, no_align),
      .help = "compare ranks by the clocks that they have, also if collectives show that these differ" },
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
    .brief = "say what makes a job slow, what a fix would save, and where the time went",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_OUTPUT | CLI_UNIT | CLI_PARTIAL,
    .max_operands = CLI_ANY,
    .opts = report_cli_opts,
    .examples = { "tr-report rank*.json.gz", "tr-report --sections headline --base base.trs -- test.trs" },
};

/* ---- which sections ---- */

static bool is_of_format(const struct report *r, int id)
{
    return !report_sections[id].page || r->o->format == REPORT_HTML;
}

static enum tr_status want(struct report *r, const char *name, size_t len, struct tr_error *err)
{
    bool all = len == 3 && memcmp(name, "all", len) == 0;
    if (len == 4 && memcmp(name, "next", len) == 0) { /* its name of before */
        r->shown[REPORT_FINDINGS] = true;
        return TR_OK;
    }
    for (int id = 0; id < REPORT_N_SECTIONS; id++)
        r->shown[id] |= all && is_of_format(r, id);
    for (int id = 0; id < REPORT_N_SECTIONS; id++)
        if (strlen(report_sections[id].name) == len && memcmp(report_sections[id].name, name, len) == 0) {
            r->shown[id] = true;
            return TR_OK;
        }
    return all ? TR_OK : tr_fail(err, TR_USAGE, "there is no section '%.*s'", len > 80 ? 80 : (int)len, name);
}

static enum tr_status choose(struct report *r, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    const char *list = r->o->sections;
    for (int id = 0; id < REPORT_N_SECTIONS && !list; id++)
        r->shown[id] = !report_sections[id].detail && is_of_format(r, id);
    while (list && st == TR_OK) {
        size_t len = strcspn(list, ",");
        st = want(r, list, len, err);
        list = list[len] ? list + len + 1 : NULL;
    }
    if (st == TR_OK && r->o->format >= REPORT_TSV && !cli_book(r->cli))
        for (int id = 0; id < REPORT_N_SECTIONS; id++)
            if (r->shown[id] != (id == REPORT_FINDINGS))
                return tr_fail(err, TR_USAGE, "one table is %s: add --sections findings%s",
                               r->o->format >= REPORT_SVG ? "drawn as svg or vega" : "printed as tsv or csv",
                               r->o->format == REPORT_CSV ? ", or -O csv -o DIR/ for all" : "");
    r->shown[REPORT_OUTLIERS] |= r->shown[REPORT_BREAKDOWN];
    r->shown[REPORT_BREAKDOWN] |= r->shown[REPORT_OUTLIERS];
    r->shown[REPORT_HEADLINE] |= r->o->base.n > 0;
    memcpy(r->wanted, r->shown, sizeof r->wanted);
    r->wanted[REPORT_TRUST] |= r->shown[REPORT_FINDINGS];
    return st;
}

/* ---- one pass ---- */

#define MAX_ANALYSES (REPORT_N_SECTIONS + TR_N_FACTS + 8)

/* Everything that reads the events. */
struct pass {
    struct cli_analysis *a;
    struct cli_listener listener;
    struct tr_analysis_in in;
    struct tr_buf selection; /* as text, for partial results */
    struct tr_runner *runner;
    char names[MAX_ANALYSES][40]; /* of the partial results of its analyses */
    struct tr_run_summary_maker *headline;
    struct tr_step_ends *ends;
    char step_remarks[TR_N_STEP_REMARKS][200];
};

static enum tr_status take_steps(void *self, const struct tr_batch *b, const uint8_t *keep, struct tr_error *err)
{
    const struct pass *p = self;
    (void)keep;
    return tr_step_ends_feed(p->ends, b, tr_select_where_alone(p->a->select.selected)) ? TR_OK : tr_fail_memory(err);
}

/* Name the analyses that were added last. */
static void name_analyses(struct pass *p, size_t first, const char *name)
{
    size_t n = tr_runner_count(p->runner);
    for (size_t i = first; i < n && i < MAX_ANALYSES; i++) {
        snprintf(p->names[i], sizeof p->names[i], n - first > 1 ? REPORT_PARTIAL ".%s%zu" : REPORT_PARTIAL ".%s",
                 name, i - first);
        tr_runner_save_as(p->runner, i, p->names[i]);
    }
}

/* Add an analysis, with a table. */
static enum tr_status add_table(const struct report *r, struct pass *p, const char *name,
                                const struct tr_analysis *analysis, const void *options, int per, struct tr_table **t,
                                struct tr_error *err)
{
    *t = cli_table_held(r->cli);
    enum tr_status st = *t ? tr_runner_add(p->runner, analysis, options, per, *t, err) : tr_fail_memory(err);
    if (st == TR_OK)
        name_analyses(p, tr_runner_count(p->runner) - 1, name);
    return st;
}

/* Can an analysis be saved? */
static bool saves(const struct report *r, const struct tr_analysis *analysis, const void *options, int per)
{
    struct tr_error ignored = TR_ERROR_INIT;
    struct tr_runner *one = tr_runner_new();
    struct tr_table *t = cli_table_held(r->cli);
    bool yes = one && t && tr_runner_add(one, analysis, options, per, t, &ignored) == TR_OK &&
               tr_runner_saves(one, 0, &ignored) == TR_OK;
    tr_runner_free(one);
    tr_table_free(t);
    return yes;
}

static int per_of(int id)
{
    return report_sections[id].devices ? TR_PER_DEVICE : -1;
}

/* Say which of the sections that were asked for partial results do not have, and leave them out. */
static enum tr_status leave_out(struct report *r, const bool *there, struct tr_error *err)
{
    struct tr_buf names = { 0 };
    bool ok = true;
    for (int id = 0; id < REPORT_N_SECTIONS; id++) {
        if (r->shown[id] && !there[id] && !report_sections[id].page)
            ok = ok && tr_buf_print(&names, "%s%s", names.len ? ", " : "", report_sections[id].name);
        r->shown[id] &= there[id];
        r->wanted[id] &= there[id];
    }
    if (ok && names.len && !cli_quiet(r->cli))
        cli_remark(r->cli, "partial results do not have these sections: %s", tr_buf_text(&names));
    tr_buf_free(&names);
    return ok ? TR_OK : tr_fail_memory(err);
}

static bool saves_findings(const struct report *r)
{
    const struct tr_findings_opts opts = { &r->operators.shared, r->operators.models, NULL };
    struct tr_findings *f = tr_findings_new(&opts);
    bool yes = f != NULL;
    for (unsigned i = 0; yes && i < TR_N_FACTS; i++) {
        const void *options;
        const struct tr_analysis *analysis = tr_findings_analysis(f, (enum tr_fact)i, &options);
        yes = saves(r, analysis, options, -1);
    }
    tr_findings_free(f);
    return yes;
}

static enum tr_status refuse_captures(struct tr_error *err)
{
    return tr_fail(err, TR_USAGE, "--attach-capture is about operators of traces: a saved page does not have them");
}

/* Sections that cannot be saved have no part in one. */
static enum tr_status check_saving(struct report *r, struct tr_error *err)
{
    bool there[REPORT_N_SECTIONS];
    if (r->o->captures.n)
        return refuse_captures(err);
    if (r->o->base.n)
        return tr_fail(err, TR_USAGE, "--base is about the page: it goes with runs that print what was saved");
    enum tr_status st = report_operators_prepare(r, err);
    for (int id = 0; id < REPORT_N_SECTIONS && st == TR_OK; id++)
        there[id] = id == REPORT_FINDINGS ? saves_findings(r)
                    : !report_sections[id].analysis
                        ? true
                        : saves(r, report_sections[id].analysis, report_options_of(r, (enum report_id)id), per_of(id));
    tr_models_free(r->operators.models);
    r->operators.models = NULL;
    return st == TR_OK ? leave_out(r, there, err) : st;
}

static struct tr_table *held(void *report)
{
    return cli_table_held(((struct report *)report)->cli);
}

/* The analyses of findings, some of which sections show. */
static enum tr_status prepare_findings(struct report *r, struct pass *p, struct tr_error *err)
{
    static const enum tr_fact shown[REPORT_N_SECTIONS] = {
        [REPORT_BREAKDOWN] = TR_FACT_TIME,      [REPORT_KERNELS] = TR_FACT_KERNELS, [REPORT_SHORT] = TR_FACT_SHORT,
        [REPORT_OPERATORS] = TR_FACT_OPERATORS, [REPORT_COMM] = TR_FACT_COMM,       [REPORT_MEMORY] = TR_FACT_MEMORY,
        [REPORT_LAUNCHES] = TR_FACT_LAUNCHES,
    };
    const struct tr_findings_opts opts = { &r->operators.shared, r->operators.models,
                                           r->o->arch ? &r->operators.peaks : NULL };
    size_t first = tr_runner_count(p->runner);
    r->findings = tr_findings_new(&opts);
    enum tr_status st = r->findings ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < r->o->limits.n; i++)
        st = tr_findings_limit(r->findings, r->o->limits.items[i], err);
    if (st == TR_OK)
        st = tr_findings_add(r->findings, p->runner, held, r, err);
    for (unsigned id = 0; st == TR_OK && id < REPORT_N_SECTIONS; id++)
        if (id == REPORT_BREAKDOWN || shown[id]) {
            r->tables[id] = tr_findings_table(r->findings, shown[id]);
            report_columns_of(r, (enum report_id)id);
        }
    if (st == TR_OK)
        name_analyses(p, first, "findings");
    return st;
}

static enum tr_status prepare_headline(struct pass *p, struct tr_error *err)
{
    size_t first = tr_runner_count(p->runner);
    enum tr_status st = tr_run_summary_maker_new(p->runner, &p->headline, err);
    if (st == TR_OK)
        name_analyses(p, first, "headline");
    return st;
}

/* Add the analyses of the sections, and say which columns they need. */
static enum tr_status prepare(struct report *r, struct pass *p, struct tr_error *err)
{
    p->runner = tr_runner_new();
    enum tr_status st = p->runner ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = report_operators_prepare(r, err);
    if (st == TR_OK && r->wanted[REPORT_FINDINGS])
        st = prepare_findings(r, p, err);
    for (int id = 0; id < REPORT_N_SECTIONS && st == TR_OK; id++) {
        const struct report_section *s = &report_sections[id];
        if (!r->wanted[id] || !s->analysis || r->tables[id])
            continue;
        r->own[id] = true;
        st = add_table(r, p, s->name, s->analysis, report_options_of(r, (enum report_id)id), per_of(id), &r->tables[id],
                       err);
        if (st == TR_OK)
            report_columns_of(r, (enum report_id)id);
    }
    if (st == TR_OK && r->wanted[REPORT_TRUST])
        st = add_table(r, p, "groups", &tr_analysis_comm_group, NULL, -1, &r->groups, err);
    if (st == TR_OK && r->wanted[REPORT_HEADLINE])
        st = prepare_headline(p, err);
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

/* The input of the analyses; what partial results say holds unless other options are given. */
static enum tr_status make_in(struct report *r, struct pass *p, struct tr_error *err)
{
    const struct cli_partial *partial = cli_partial(r->cli);
    p->listener = (struct cli_listener){ r->cli, p->a };
    p->in = cli_view_in(&p->listener);
    p->in.remark = remark;
    r->clock = (struct tr_one_clock){ .tolerance = TR_ONE_MOMENT };
    p->in.one_clock = r->o->no_align ? NULL : &r->clock;
    uint64_t distinct = partial->distinct   ? partial->distinct
                        : r->saved.distinct ? r->saved.distinct
                        : partial->save     ? REPORT_DISTINCT
                                            : 0;
    p->in.distinct = distinct < SIZE_MAX ? (size_t)distinct : SIZE_MAX; /* as many as fit an address */
    bool ok = cli_select_text(&p->a->select, &p->selection);
    if (ok && !p->selection.len)
        ok = tr_buf_add_text(&p->selection, r->saved.selection);
    if (!ok || (p->selection.len && !tr_buf_add(&p->selection, "", 1)))
        return tr_fail_memory(err);
    p->in.selection = p->selection.len ? (const char *)p->selection.data : NULL;
    p->ends = tr_step_ends_new(p->in.dict, p->in.summary);
    return p->ends ? TR_OK : tr_fail_memory(err);
}

struct so_far {
    struct report *r;
    struct pass *p;
};
static enum tr_status page_so_far(void *so_far, struct tr_error *err);

/* Through the runner, to its end. */
static enum tr_status read_events(struct report *r, struct pass *p, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    struct so_far so_far = { r, p };
    enum tr_status st = make_in(r, p, err);
    if (st == TR_OK)
        st = tr_runner_start(p->runner, &p->in, err);
    while (st == TR_OK && (st = cli_analysis_next(p->a, &b, &keep, err)) == TR_OK)
        if ((st = tr_runner_feed(p->runner, b, keep, err)) == TR_OK)
            st = cli_every(r->cli, p->a->in->name, page_so_far, &so_far, err);
    return st == TR_END ? TR_OK : st;
}

static void clear(struct report *r, struct pass *p)
{
    tr_runner_free(p->runner);
    tr_run_summary_maker_free(p->headline);
    tr_step_ends_free(p->ends);
    tr_buf_free(&p->selection);
    *p = (struct pass){ .a = p->a };
    for (int id = 0; id < REPORT_N_SECTIONS; id++) {
        if (r->own[id])
            tr_table_free(r->tables[id]);
        r->own[id] = false;
        r->tables[id] = NULL;
    }
    tr_table_free(r->groups);
    tr_findings_free(r->findings);
    r->groups = NULL;
    r->findings = NULL;
    tr_info_free(r->info);
    tr_models_free(r->operators.models);
    tr_selector_free(r->selector);
    tr_batch_free(r->part);
    r->info = NULL;
    r->operators.models = NULL;
    r->selector = NULL;
    r->part = NULL;
}

/* ---- partial results among the inputs ---- */

/* The events of the other inputs go through a runner of their own, which is loaded with the partial results. */
static enum tr_status load_all(struct report *r, struct pass *p, struct tr_error *err)
{
    struct report of_events = { .cli = r->cli, .o = r->o, .of_partial = r->of_partial, .saved = r->saved };
    struct pass own = { .a = p->a };
    memcpy(of_events.shown, r->shown, sizeof r->shown);
    memcpy(of_events.wanted, r->wanted, sizeof r->wanted);
    enum tr_status st = prepare(&of_events, &own, err);
    if (st == TR_OK)
        st = cli_analysis_want(p->a, err);
    if (st == TR_OK)
        st = read_events(&of_events, &own, err);
    struct tr_info *info = r->info;
    struct tr_step_ends *ends = p->ends;
    r->info = of_events.info;
    p->ends = own.ends;
    of_events.info = info;
    own.ends = ends;
    if (st == TR_OK && r->info)
        st = tr_info_finish(r->info, r->in->dict, err);
    if (st == TR_OK)
        st = report_saved_load(r, p->runner, own.runner, &r->test.steps, err);
    clear(&of_events, &own);
    return st;
}

static enum tr_status read_partials(struct report *r, struct pass *p, struct tr_error *err)
{
    struct tr_select *select = p->a->select.selected;
    bool there[REPORT_N_SECTIONS];
    if (r->o->captures.n)
        return refuse_captures(err);
    if (cli_every_given(r->cli))
        return tr_fail(err, TR_USAGE, "--every is about events that come in: a page of saved ones is printed once");
    clear(r, p);
    r->in = p->a->in;
    enum tr_status st = report_saved_open(r, r->in, err);
    memcpy(there, r->wanted, sizeof there);
    if (st == TR_OK)
        st = leave_out(r, there, err);
    if (st == TR_OK)
        st = prepare(r, p, err);
    if (st == TR_OK)
        st = make_in(r, p, err);
    if (st == TR_OK)
        st = tr_runner_start_partials(p->runner, &p->in, err);
    if (st == TR_OK)
        st = report_saved_hide(r, select, true, err);
    if (st == TR_OK && r->n_of_partial < r->in->dict->n_sources)
        return load_all(r, p, err);
    if (st == TR_OK && r->info)
        st = tr_info_finish(r->info, r->in->dict, err);
    return st == TR_OK ? report_saved_load(r, p->runner, NULL, &r->test.steps, err) : st;
}

static enum tr_status read_inputs(struct report *r, struct pass *p, struct tr_error *err)
{
    size_t n;
    const char *const *operands = cli_operands(r->cli, &n);
    r->in = p->a->in;
    r->selected = p->a->select.selected;
    enum tr_status st = cli_partial_only(r->cli, r->in, operands, n, REPORT_PARTIAL, err);
    if (st == TR_OK && report_saved_any(r->in))
        return read_partials(r, p, err);
    if (st == TR_OK)
        st = read_events(r, p, err);
    return st == TR_OK && r->info ? tr_info_finish(r->info, r->in->dict, err) : st;
}

/* Steps, and what a reader should know of them.  Those of partial results are there already. */
static enum tr_status find_steps(struct report *r, struct pass *p, struct tr_error *err)
{
    struct tr_select *select = p->a->select.selected;
    if (!tr_step_ends_finish(p->ends) || !tr_step_times_gather(&r->test.steps, r->in->dict, p->ends, select, NULL) ||
        !tr_step_times_seal(&r->test.steps))
        return tr_fail_memory(err);
    for (int k = 0; k < TR_N_STEP_REMARKS; k++)
        if (!tr_step_ends_remark(p->ends, select, (enum tr_step_remark)k, p->step_remarks[k], sizeof *p->step_remarks))
            p->step_remarks[k][0] = '\0';
    return report_saved_hide(r, select, false, err);
}

/* The results from the summary, and the headline. */
static enum tr_status sum_up(struct report *r, const struct pass *p, struct tr_error *err)
{
    const struct tr_input *in = r->in;
    struct report_figures *to = &r->test;
    r->n_ranks = report_n_ranks(r, SIZE_MAX, false);
    for (uint32_t i = 0; i < in->dict->n_sources; i++)
        if (tr_select_source(r->selected, i) && in->dict->sources[i].capture >= r->n_captures)
            r->n_captures = in->dict->sources[i].capture + (size_t)1;
    r->device = report_n_ranks(r, SIZE_MAX, true) > 0;
    report_few_ranks(r);
    enum tr_status st = tr_runner_finish(p->runner, err);
    if (st != TR_OK || !p->headline)
        return st;
    st = tr_run_summary_maker_end(p->headline, &to->steps, &to->headline, err);
    if (st == TR_OK)
        tr_run_summary_figures(&to->headline, &to->steps, to->of);
    return st;
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

/* What a reader should know of the page. */
static void remark_on_page(struct cli *cli, const struct report *r, const struct pass *p)
{
    bool steps = r->test.steps.n && (r->shown[REPORT_HEADLINE] || r->shown[REPORT_STEPS] || r->shown[REPORT_FINDINGS]);
    if (cli_quiet(cli))
        return;
    if (*r->clock.why && r->n_ranks > 1 && r->shown[REPORT_TRUST] && !report_one_clock(r))
        cli_remark(cli, "the clocks of the ranks are not aligned: %s", r->clock.why);
    for (int which = 0; which < TR_N_STEP_REMARKS && steps; which++)
        if (p->step_remarks[which][0])
            cli_remark(cli, "%s", p->step_remarks[which]);
    if (r->o->step && r->device && (r->shown[REPORT_HEADLINE] || r->shown[REPORT_BREAKDOWN] || r->shown[REPORT_IDLE]))
        cli_remark(cli, "idle time before the first selected work does not count: see tr-breakdown --by step");
}

static enum tr_status find(struct report *r, struct tr_error *err)
{
    const struct tr_findings_about about = {
        .dict = r->in->dict, .summary = r->in->summary, .selected = r->selected, .info = r->info,
        .world_size = report_world_size(r)
    };
    return tr_findings_finish(r->findings, &about, err);
}

static enum tr_status write(struct report *r, const struct pass *p, struct tr_error *err)
{
    const char *save = cli_partial(r->cli)->save;
    const struct tr_partial_about about = { .distinct = p->in.distinct, .selection = tr_str_of(p->in.selection) };
    const struct report_saving saving = { r, r->in, p->a->select.selected, p->runner, p->ends, &about };
    if (save)
        return report_save(&saving, r->cli, save, err);
    enum tr_status st = sum_up(r, p, err);
    if (st == TR_OK && r->findings)
        st = find(r, err);
    if (st == TR_OK && !report_name_inputs(r))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = cli_every_next(r->cli, err);
    if (st == TR_OK)
        st = cli_book(r->cli)              ? report_book_write(r, err)
             : r->o->format >= REPORT_TSV  ? report_findings_table(r, err)
             : r->o->format == REPORT_HTML ? report_html_write(r, err)
                                           : report_write(r, err);
    if (st == TR_OK)
        remark_on_page(r->cli, r, p);
    return st;
}

/* The page of a run that ends now. */
static enum tr_status page_so_far(void *so_far, struct tr_error *err)
{
    const struct so_far *x = so_far;
    enum tr_status st = x->r->info ? tr_info_finish(x->r->info, x->r->in->dict, err) : TR_OK;
    if (st == TR_OK)
        st = find_steps(x->r, x->p, err);
    return st == TR_OK ? write(x->r, x->p, err) : st;
}

/* The sections of the run of --base, for a page that shows both; what its figures are compared with. */
static enum tr_status read_base(struct report *r, struct report *base, struct pass *p, struct tr_error *err)
{
    const struct tr_option_list *files = &r->o->base;
    if (r->o->format != REPORT_HTML)
        return report_read_base(r, err);
    memcpy(base->shown, r->shown, sizeof r->shown);
    memcpy(base->wanted, r->wanted, sizeof r->wanted);
    base->wanted[REPORT_TRUST] = false;
    base->operators.graphs = r->operators.graphs;
    enum tr_status st = prepare(base, p, err);
    if (st == TR_OK)
        st = cli_analysis_open_paths(r->cli, p->a, files->items, files->n, err);
    if (st == TR_OK)
        st = read_inputs(base, p, err);
    if (st == TR_OK)
        st = find_steps(base, p, err);
    if (st == TR_OK)
        st = sum_up(base, p, err);
    r->other = base;
    r->base = base->test;
    return st;
}

/* Release what a run holds. */
static void end_run(struct report *r, struct pass *p)
{
    clear(r, p);
    report_saved_free(r);
    tr_buf_free(&r->inputs);
    tr_buf_free(&r->setting);
    tr_step_times_free(&r->test.steps);
    cli_analysis_close(p->a);
}

static enum tr_status report_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct report_opts *o = arg;
    struct cli_analysis a = o->a, a_of_base = o->a;
    struct report r = { .cli = cli, .o = o }, base = { .cli = cli, .o = o };
    struct pass p = { .a = &a }, p_of_base = { .a = &a_of_base };
    enum tr_status st = choose(&r, err);
    if (cli_book(cli))
        cli_report_as(cli, formats[o->format]);
    if (o->format == REPORT_HTML && !cli_given(cli, "top"))
        o->top = REPORT_HTML_TOP; /* they are folded away */
    if (st == TR_OK)
        st = check_base(cli, o, err);
    if (st == TR_OK && cli_partial(cli)->save)
        st = check_saving(&r, err);
    if (st == TR_OK)
        st = cli_every_possible(cli, err);
    if (st == TR_OK && o->captures.n)
        st = cli_graphs_read(cli, &o->captures, &r.operators.graphs, err);
    if (st == TR_OK && o->base.n)
        st = read_base(&r, &base, &p_of_base, err);
    if (st == TR_OK)
        st = prepare(&r, &p, err);
    a.partials = true;
    if (st == TR_OK)
        st = cli_analysis_open(cli, &a, 0, err);
    if (st == TR_OK)
        st = read_inputs(&r, &p, err);
    if (st == TR_OK)
        st = find_steps(&r, &p, err);
    if (st == TR_ABSENT)
        tr_error_input(err, a.in->name);
    if (st == TR_OK)
        st = write(&r, &p, err);
    if (st == TR_OK)
        st = cli_ranks_there(cli, &(struct cli_ranks){ .dict = r.in->dict, .selected = r.selected }, err);
    end_run(&r, &p);
    if (!r.other)
        tr_step_times_free(&r.base.steps);
    end_run(&base, &p_of_base);
    tr_graph_calls_free(r.operators.graphs);
    return st;
}

int tr_report_main(int argc, char **argv)
{
    struct report_opts o = { .a = CLI_ANALYSIS_INIT, .top = 5, .findings = 7 };
    return cli_main(argc, argv, &report_tool, &o, report_run);
}
