/* SPDX-License-Identifier: MIT */
/* tr-report: the findings, on the page and in JSON. */
#include "report/report.h"

#include "base/tr_escape.h"
#include "chart/tr_chart_sinks.h"
#include "cli/cli_picture.h"
#include "json/tr_json_write.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MS_FROM     1e7  /* ns: longer times are said in ms */
#define BOUNDS_FROM 0.05 /* of the impact: nearer bounds are not said */

/* ---- sentences ---- */

static bool add_time(struct tr_buf *out, double ns, bool ms)
{
    return tr_buf_print(out, "%.1f %s", ns / (ms ? 1e6 : 1e3), ms ? "ms" : "us");
}

/* The sentence, its bounds if they are apart, and why it may be wrong. */
static bool add_what(struct tr_buf *out, const struct tr_finding *x)
{
    bool bounds = !isnan(x->impact) && x->high - x->low > BOUNDS_FROM * x->impact;
    bool ok = tr_buf_add(out, x->sentence.data, x->sentence.len);
    if (ok && bounds)
        ok = tr_buf_add_str(out, ". A fix saves ") && add_time(out, x->low, x->high >= MS_FROM) &&
             tr_buf_add_str(out, " to ") && add_time(out, x->high, x->high >= MS_FROM);
    if (ok && x->why.len)
        ok = tr_buf_print(out, " (%s confidence: ", tr_confidence_name(x->confidence)) &&
             tr_buf_add(out, x->why.data, x->why.len) && tr_buf_add_str(out, ")");
    return ok;
}

static bool add_command(const struct report *r, const struct tr_finding *x, size_t i, struct tr_buf *out)
{
    char rank[24];
    const struct report_command c = { .words = x->commands[i], .of_rank = x->rank != TR_I64_NONE };
    snprintf(rank, sizeof rank, "%lld", (long long)x->rank);
    return report_command(r, &c, c.of_rank && r->n_ranks > 1 ? rank : NULL, out);
}

/* ---- nothing was found ---- */

/* What was looked for, or, with a reason each, what could not be. */
static bool add_checks(const struct report *r, bool lacking, struct tr_buf *out)
{
    const char *why, *check;
    bool ok = true, first = true;
    for (size_t i = 0; ok && (check = tr_findings_checked(r->findings, i, &why)) != NULL; i++) {
        if ((why != NULL) != lacking)
            continue;
        ok = tr_buf_print(out, "%s%s", first ? "" : "; ", check) && (!why || tr_buf_print(out, " (%s)", why));
        first = false;
    }
    return ok;
}

static bool has_lacking(const struct report *r)
{
    const char *why;
    for (size_t i = 0; tr_findings_checked(r->findings, i, &why) != NULL; i++)
        if (why)
            return true;
    return false;
}

static bool add_nothing(const struct report *r, struct tr_buf *out)
{
    bool ok = tr_buf_add_str(out, "Nothing to fix was found. Looked for: ") && add_checks(r, false, out);
    return ok && (!has_lacking(r) || (tr_buf_add_str(out, ". Not looked for: ") && add_checks(r, true, out)));
}

/* ---- the page ---- */

static size_t n_shown(const struct report *r, size_t n)
{
    return r->o->findings && r->o->findings < n ? (size_t)r->o->findings : n;
}

static bool add_text(const struct report *r, const struct tr_finding *x, size_t number, struct tr_buf *out)
{
    struct tr_buf what = { 0 }, command = { 0 };
    bool md = r->o->format == REPORT_MD;
    bool ok = tr_buf_print(&what, "%zu. %s: ", number, tr_severity_name(x->severity)) && add_what(&what, x);
    ok = ok && (md ? tr_escape_text(out, (const char *)what.data, what.len, SIZE_MAX, NULL) && tr_buf_add_str(out, "\n")
                   : report_sentence(r, (const char *)what.data, what.len, out));
    for (size_t i = 0; ok && i < 1 && x->commands[i]; i++) {
        command.len = 0;
        ok = add_command(r, x, i, &command);
        if (ok && md)
            ok = tr_buf_add_str(out, "\n       ") &&
                 tr_escape_text(out, (const char *)command.data, command.len, SIZE_MAX, NULL) &&
                 tr_buf_add_str(out, "\n\n");
        else if (ok)
            ok = report_command_lines(r, (const char *)command.data, command.len, out);
    }
    tr_buf_free(&what);
    tr_buf_free(&command);
    return ok;
}

bool report_findings(const struct report *r, struct tr_buf *out)
{
    size_t n;
    const struct tr_finding *all = tr_findings_all(r->findings, &n);
    struct tr_buf text = { 0 };
    bool ok = true, nothing = true;
    for (size_t i = 0; i < n; i++)
        nothing = nothing && all[i].aside;
    for (size_t i = 0; ok && i < n_shown(r, n); i++)
        ok = add_text(r, &all[i], i + 1, out);
    if (ok && nothing)
        ok = add_nothing(r, &text) && report_sentence(r, (const char *)text.data, text.len, out);
    text.len = 0;
    if (ok && n > n_shown(r, n))
        ok = tr_buf_print(&text, "%zu more: --findings all", n - n_shown(r, n)) &&
             report_sentence(r, (const char *)text.data, text.len, out);
    tr_buf_free(&text);
    return ok;
}

/* ---- one table ---- */

enum tr_status report_findings_table(const struct report *r, struct tr_error *err)
{
    static const struct tr_row_sink *const sinks[] = { [REPORT_TSV] = &tr_row_sink_tsv, [REPORT_CSV] = &tr_row_sink_csv,
                                                       [REPORT_SVG] = &tr_row_sink_svg,
                                                       [REPORT_VEGA] = &tr_row_sink_vega };
    const struct tr_analysis *is = &tr_analysis_findings;
    struct tr_table *t = cli_table_as(r->cli, sinks[r->o->format], TR_UNIT_US, false);
    size_t n = cli_given(r->cli, "findings") && r->o->findings ? (size_t)r->o->findings : SIZE_MAX;
    if (!t)
        return tr_fail_memory(err);
    tr_findings_columns(t);
    enum tr_status st = tr_table_ready(t, err);
    if (st == TR_OK)
        st = tr_findings_rows(r->findings, n, t, err);
    if (st == TR_OK)
        st = cli_picture(r->cli, t, is->chart, is->question, &r->o->a.select, is->nothing, err);
    if (st == TR_OK)
        st = tr_table_end(t, err);
    tr_table_free(t);
    return st;
}

/* ---- JSON ---- */

static bool put_number(struct tr_json_doc *j, const char *key, double value)
{
    return tr_json_doc_key(j, tr_str_of(key)) && (isnan(value) ? tr_json_doc_null(j) : tr_json_doc_double(j, value));
}

static bool put_int(struct tr_json_doc *j, const char *key, int64_t value)
{
    return tr_json_doc_key(j, tr_str_of(key)) &&
           (value == TR_I64_NONE ? tr_json_doc_null(j) : tr_json_doc_i64(j, value));
}

static bool put_text(struct tr_json_doc *j, const char *key, const char *text, size_t len)
{
    return tr_json_doc_key(j, tr_str_of(key)) && tr_json_doc_str(j, (struct tr_str){ text, len });
}

static bool put_evidence(struct tr_json_doc *j, const struct tr_finding *x)
{
    bool ok = tr_json_doc_key(j, tr_str_of("evidence")) && tr_json_doc_open(j, '[');
    for (size_t i = 0; ok && i < x->n_evidence; i++)
        ok = tr_json_doc_open(j, '{') && put_text(j, "metric", x->evidence[i].metric, strlen(x->evidence[i].metric)) &&
             put_number(j, "value", x->evidence[i].value) && tr_json_doc_close(j);
    return ok && tr_json_doc_close(j);
}

static bool put_finding(const struct report *r, struct tr_json_doc *j, const struct tr_finding *x)
{
    struct tr_buf command = { 0 };
    const char *severity = tr_severity_name(x->severity), *confidence = tr_confidence_name(x->confidence);
    bool ok = tr_json_doc_open(j, '{') && put_text(j, "id", x->id, strlen(x->id)) &&
              put_text(j, "severity", severity, strlen(severity)) && put_number(j, "impact_us", x->impact / 1e3) &&
              put_number(j, "impact_us_low", x->low / 1e3) && put_number(j, "impact_us_high", x->high / 1e3) &&
              put_number(j, "impact_pct", x->pct) && put_text(j, "confidence", confidence, strlen(confidence)) &&
              put_int(j, "rank", x->rank) && put_int(j, "step", x->step) &&
              put_text(j, "sentence", tr_buf_text(&x->sentence), x->sentence.len) && add_command(r, x, 0, &command) &&
              put_text(j, "command", (const char *)command.data, command.len) && put_evidence(j, x) &&
              tr_json_doc_close(j);
    tr_buf_free(&command);
    return ok;
}

bool report_findings_json(const struct report *r, struct tr_buf *out)
{
    size_t n;
    const struct tr_finding *all = tr_findings_all(r->findings, &n);
    struct tr_json_doc j = { .out = out };
    bool ok = tr_json_doc_open(&j, '[');
    for (size_t i = 0; ok && i < n_shown(r, n); i++)
        ok = put_finding(r, &j, &all[i]);
    return ok && tr_json_doc_close(&j);
}
