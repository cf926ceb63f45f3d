/* SPDX-License-Identifier: MIT */
/* All kinds of findings: the analyses that they read, their order, and the table. */
#include "analysis/findings/tr_findings_int.h"

#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/info/tr_info.h"
#include "analysis/memory/tr_memory_analyses.h"
#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "analysis/time/tr_time_analyses.h"
#include "base/tr_num.h"
#include "model/tr_source_facts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIGH_PCT   10.0 /* of a step */
#define MEDIUM_PCT 3.0

/* ---- what rules read ---- */

static const struct tr_name_stats_options sums = { .ratio = 1, .sums_only = true };
static const struct tr_name_stats_options short_sums = { .ratio = 1, .sums_only = true, .shorter = 10000 };
static const struct tr_idle_options idle_sums = { .threshold = TR_IDLE_THRESHOLD, .sums_only = true };

static const struct {
    const struct tr_analysis *analysis;
    const void *options;
} facts[TR_N_FACTS] = {
    [TR_FACT_TIME] = { &tr_analysis_time, NULL },
    [TR_FACT_STEPS] = { &tr_analysis_step, NULL },
    [TR_FACT_IDLE] = { &tr_analysis_idle, &idle_sums },
    [TR_FACT_INFERENCE] = { &tr_analysis_inference, NULL },
    [TR_FACT_KERNELS] = { &tr_analysis_kernel, &sums },
    [TR_FACT_SHORT] = { &tr_analysis_kernel, &short_sums },
    [TR_FACT_OPERATORS] = { &tr_analysis_operator, NULL },
    [TR_FACT_RECOMPUTE] = { &tr_analysis_operator, NULL },
    [TR_FACT_ROOFLINE] = { &tr_analysis_roofline, NULL },
    [TR_FACT_COMM] = { &tr_analysis_comm_name, NULL },
    [TR_FACT_COLLECTIVES] = { &tr_analysis_collective, NULL },
    [TR_FACT_GROUPS] = { &tr_analysis_comm_group, NULL },
    [TR_FACT_MEMORY] = { &tr_analysis_memory_summary, NULL },
    [TR_FACT_CHAINS] = { &tr_analysis_chain, NULL },
    [TR_FACT_OVERHEAD] = { &tr_analysis_overhead, NULL },
    [TR_FACT_LAUNCHES] = { &tr_analysis_api, &tr_launch_means },
    [TR_FACT_STAGES] = { &tr_analysis_stage, NULL },
    [TR_FACT_BUBBLES] = { &tr_analysis_bubble, NULL },
};

struct tr_findings *tr_findings_new(const struct tr_findings_opts *opts)
{
    struct tr_findings *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    for (; tr_finding_kinds[f->n_kinds]; f->n_kinds++) {
        const struct tr_finding_limit *l = tr_finding_kinds[f->n_kinds]->limits;
        for (size_t i = 0; l && l[i].name; i++)
            f->limits[f->n_kinds][i] = l[i].value;
    }
    f->modelled = opts->models != NULL;
    f->operators = (struct tr_operator_options){ .shared = opts->operators };
    f->recompute = (struct tr_operator_options){ .shared = opts->operators, .by = TR_OPERATOR_RECOMPUTE };
    f->roofline = (struct tr_roofline_options){
        .by = TR_ROOFLINE_PARAMS, .shared = opts->operators, .models = opts->models, .peaks = opts->peaks
    };
    return f;
}

void tr_findings_free(struct tr_findings *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < TR_N_FACTS; i++)
        tr_table_free(f->tables[i]);
    for (size_t i = 0; i < f->n; i++) {
        tr_buf_free(&f->v[i].sentence);
        tr_buf_free(&f->v[i].why);
    }
    tr_job_free(&f->job);
    free(f->v);
    free(f);
}

enum tr_status tr_findings_limit(struct tr_findings *f, const char *text, struct tr_error *err)
{
    for (size_t k = 0; k < f->n_kinds; k++) {
        size_t len = strlen(tr_finding_kinds[k]->id);
        const struct tr_finding_limit *l = tr_finding_kinds[k]->limits;
        if (strncmp(text, tr_finding_kinds[k]->id, len) != 0 || text[len] != '.')
            continue;
        for (size_t i = 0; l && l[i].name; i++) {
            size_t n = strlen(l[i].name);
            if (strncmp(text + len + 1, l[i].name, n) == 0 && text[len + 1 + n] == '=')
                return tr_num_double(text + len + 1 + n + 1, 0, 1e18, &f->limits[k][i], err);
        }
    }
    return tr_fail(err, TR_USAGE, "there is no limit '%.80s': KIND.LIMIT=NUMBER, as in host_bound.share=5", text);
}

static const void *options_of(const struct tr_findings *f, enum tr_fact fact)
{
    switch (fact) {
    case TR_FACT_OPERATORS:
        return &f->operators;
    case TR_FACT_RECOMPUTE:
        return &f->recompute;
    case TR_FACT_ROOFLINE:
        return &f->roofline;
    default:
        return facts[fact].options;
    }
}

const struct tr_analysis *tr_findings_analysis(const struct tr_findings *f, enum tr_fact fact, const void **options)
{
    *options = options_of(f, fact);
    return facts[fact].analysis;
}

enum tr_status tr_findings_add(struct tr_findings *f, struct tr_runner *r, tr_findings_make *make, void *self,
                               struct tr_error *err)
{
    enum tr_status st = TR_OK;
    for (unsigned i = 0; i < TR_N_FACTS && st == TR_OK; i++) {
        if (i == TR_FACT_ROOFLINE && !f->modelled)
            continue;
        f->tables[i] = make(self);
        st = f->tables[i] ? tr_runner_add(r, facts[i].analysis, options_of(f, (enum tr_fact)i), -1, f->tables[i], err)
                          : tr_fail_memory(err);
    }
    return st;
}

struct tr_table *tr_findings_table(const struct tr_findings *f, enum tr_fact fact)
{
    return f->tables[fact];
}

/* ---- the order ---- */

/* Without an impact: alarms come first, notes last. */
static int class_of(const struct tr_finding *x)
{
    return !isnan(x->impact) ? 1 : x->severity <= TR_SEVERITY_MEDIUM ? 0 : (int)x->severity;
}

static int by_impact(const void *x, const void *y)
{
    const struct tr_finding *a = x, *b = y;
    if (class_of(a) != class_of(b))
        return class_of(a) - class_of(b);
    if (!isnan(a->impact) && a->impact != b->impact)
        return a->impact > b->impact ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void grade(const struct tr_findings *f, struct tr_finding *x)
{
    if (isnan(x->impact))
        return;
    x->pct = f->job.step > 0 ? 100 * x->impact / f->job.step : 0;
    x->severity = x->pct >= HIGH_PCT ? TR_SEVERITY_HIGH : x->pct >= MEDIUM_PCT ? TR_SEVERITY_MEDIUM : TR_SEVERITY_LOW;
}

/* ---- doubts ---- */

/* The first reason to doubt what a source says of its work or launches, appended.  False: there is none. */
static bool doubt(struct tr_findings *f, const struct tr_info_source *n, unsigned grounds, struct tr_buf *why)
{
    static const enum tr_doubt of_work[] = { TR_DOUBT_UNIT, TR_DOUBT_CAUSALITY, TR_DOUBT_SWALLOWED,
                                             TR_DOUBT_LONE_WORK };
    static const enum tr_doubt of_launches[] = { TR_DOUBT_LAUNCHES, TR_DOUBT_LINKS };
    const enum tr_doubt *list = grounds == TR_FINDING_ON_WORK ? of_work : of_launches;
    size_t n_list =
        grounds == TR_FINDING_ON_WORK ? sizeof of_work / sizeof *of_work : sizeof of_launches / sizeof *of_launches;
    for (size_t i = 0; i < n_list; i++)
        if (tr_info_doubts(n, list[i])) {
            f->failed |= !tr_info_doubt_text(n, list[i], why);
            why->len = strcspn(tr_buf_text(why), ":"); /* what to do about it is not for this place */
            return true;
        }
    return false;
}

/* No finding rests on data that trust doubts without saying so. */
static void qualify(struct tr_findings *f, struct tr_finding *x)
{
    const struct tr_findings_about *about = &f->about;
    unsigned grounds = tr_finding_kinds[x->place]->grounds;
    for (size_t i = 0; about->info && i < about->info->n_sources && i < about->dict->n_sources; i++) {
        struct tr_buf why = { 0 };
        int64_t rank = about->dict->sources[i].rank;
        if (!tr_select_source(about->selected, (uint32_t)i) || (x->rank != TR_I64_NONE && x->rank != rank))
            continue;
        bool any =
            (grounds & TR_FINDING_ON_WORK && doubt(f, &about->info->sources[i], TR_FINDING_ON_WORK, &why)) ||
            (grounds & TR_FINDING_ON_LAUNCHES && doubt(f, &about->info->sources[i], TR_FINDING_ON_LAUNCHES, &why));
        if (any && rank >= 0 && f->job.n_ranks > 1)
            tr_finding_doubt(f, x, TR_CONFIDENCE_LOW, "rank %" PRId64 ": %.*s", rank, (int)why.len, tr_buf_text(&why));
        else if (any)
            tr_finding_doubt(f, x, TR_CONFIDENCE_LOW, "%.*s", (int)why.len, tr_buf_text(&why));
        tr_buf_free(&why);
        if (any)
            return;
    }
}

enum tr_status tr_findings_finish(struct tr_findings *f, const struct tr_findings_about *about, struct tr_error *err)
{
    f->about = *about;
    const struct tr_job_tables tables = { .steps = f->tables[TR_FACT_STEPS],
                                          .times = f->tables[TR_FACT_TIME],
                                          .idle = f->tables[TR_FACT_IDLE],
                                          .inference = f->tables[TR_FACT_INFERENCE],
                                          .comm = f->tables[TR_FACT_COMM],
                                          .collectives = f->tables[TR_FACT_COLLECTIVES],
                                          .kernels = f->tables[TR_FACT_KERNELS] };
    f->failed |= !tr_job_read(&f->job, &tables);
    for (size_t k = 0; k < f->n_kinds && !f->failed; k++)
        if (tr_finding_kinds[k] == &tr_finding_straggler) /* its limits */
            tr_job_find_straggler(&f->job, f->limits[k][0], f->limits[k][1]);
    for (f->kind = 0; f->kind < f->n_kinds && !f->failed; f->kind++) {
        f->looking = tr_finding_kinds[f->kind];
        if (!f->looking->lacks || !f->looking->lacks(f))
            f->looking->look(f);
    }
    for (size_t i = 0; i < f->n; i++) {
        grade(f, &f->v[i]);
        qualify(f, &f->v[i]);
    }
    if (f->n)
        qsort(f->v, f->n, sizeof *f->v, by_impact);
    return f->failed ? tr_fail_memory(err) : TR_OK;
}

const char *tr_findings_checked(const struct tr_findings *f, size_t i, const char **why)
{
    if (i >= f->n_kinds)
        return NULL;
    *why = tr_finding_kinds[i]->lacks ? tr_finding_kinds[i]->lacks(f) : NULL;
    return tr_finding_kinds[i]->checks;
}

double tr_findings_step(const struct tr_findings *f, size_t *n)
{
    *n = f->job.numbered ? f->job.n_steady : 0;
    return f->job.step;
}

/* ---- as a table ---- */

const char *tr_severity_name(unsigned severity)
{
    static const char *const names[] = { "high", "medium", "low", "note" };
    return severity < sizeof names / sizeof *names ? names[severity] : "?";
}

const char *tr_confidence_name(unsigned confidence)
{
    static const char *const names[] = { "high", "medium", "low" };
    return confidence < sizeof names / sizeof *names ? names[confidence] : "?";
}

struct row {
    const char *id, *command;
    uint32_t severity, confidence;
    double impact, low, high, pct; /* us */
    int64_t rank, step;
    struct tr_str sentence, evidence;
};

#define IMPACT(title, of, what) \
    { title, TR_CELL_RATIO, TR_ROLE_TEXT, 3, TR_OF(struct row, of), .unit = "us", .meaning = what }
#define TEXT(title, of, ...) { title, TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, of), __VA_ARGS__ }
static const struct tr_table_column columns[] = {
    { "id", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, id), .meaning = "kind of the finding" },
    TEXT("severity", severity, .word = tr_severity_name, .n_words = 4,
         .meaning = "high, medium, low, or note (no alarm)"),
    IMPACT("impact_us", impact, "time per step that a fix would save"),
    IMPACT("impact_us_low", low, "its lower bound"),
    IMPACT("impact_us_high", high, "its upper bound"),
    { "impact_pct", TR_CELL_RATIO, TR_ROLE_TEXT, 2, TR_OF(struct row, pct), .unit = "%",
      .meaning = "the impact as a share of the step" },
    TEXT("confidence", confidence, .word = tr_confidence_name, .n_words = 3, .meaning = "high, medium or low"),
    { "rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, rank), .meaning = "the rank that it is about; empty: all" },
    { "step", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct row, step), .meaning = "the step that it is about; empty: all" },
    TEXT("sentence", sentence, .wide = true, .meaning = "what was found"),
    TEXT("command", command, .wide = true, .meaning = "what shows its figures"),
    TEXT("evidence", evidence, .wide = true, .meaning = "figures behind it, as metric=value"),
};

void tr_findings_columns(struct tr_table *t)
{
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

static bool put(struct tr_table *t, const struct tr_finding *x)
{
    struct tr_buf evidence = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < x->n_evidence; i++)
        ok = tr_buf_print(&evidence, "%s%s=%.10g", i ? ";" : "", x->evidence[i].metric, x->evidence[i].value);
    const struct row row = { .id = x->id,
                             .command = x->commands[0],
                             .severity = x->severity,
                             .confidence = x->confidence,
                             .impact = x->impact / 1e3,
                             .low = x->low / 1e3,
                             .high = x->high / 1e3,
                             .pct = x->pct,
                             .rank = x->rank,
                             .step = x->step,
                             .sentence = { tr_buf_text(&x->sentence), x->sentence.len },
                             .evidence = { tr_buf_text(&evidence), evidence.len } };
    tr_table_row(t, &(struct tr_row){ .row = &row });
    tr_buf_free(&evidence);
    return ok;
}

int64_t tr_findings_world_size(const struct tr_dict *d, const struct tr_select *selected)
{
    int64_t world = 0;
    for (uint32_t i = 0; i < d->n_sources; i++) {
        int64_t n = tr_select_source(selected, i) ? tr_source_world_size(d, &d->sources[i]) : 0;
        world = n > world ? n : world;
    }
    return world;
}

enum tr_status tr_findings_rows(const struct tr_findings *f, size_t n, struct tr_table *t, struct tr_error *err)
{
    for (size_t i = 0; i < f->n && i < n; i++)
        if (!put(t, &f->v[i]))
            return tr_fail_memory(err);
    return tr_table_status(t, err);
}
