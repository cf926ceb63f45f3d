/* SPDX-License-Identifier: MIT */
/* tr-report: the findings as HTML. */
#include "report/report_html.h"

#include "sink/tr_html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t n_shown(const struct report *r, size_t n)
{
    return r->o->findings && r->o->findings < n ? (size_t)r->o->findings : n;
}

/* ---- headline ---- */

#define SHORT_CLAUSE 24u /* bytes: a shorter one says too little alone */

/* The first clause of a sentence. */
static size_t clause(const char *s, size_t len)
{
    for (size_t i = SHORT_CLAUSE; i + 1 < len; i++)
        if ((s[i] == ',' || s[i] == ':' || s[i] == '.') && s[i + 1] == ' ')
            return i;
    return len;
}

/* What costs the most; if nothing costs time, what a reader has to know first. */
static const struct tr_finding *main_finding(const struct report *r)
{
    size_t n = 0;
    const struct tr_finding *all = r->findings && r->shown[REPORT_FINDINGS] ? tr_findings_all(r->findings, &n) : NULL;
    for (size_t i = 0; i < n; i++)
        if (!all[i].aside && !isnan(all[i].impact))
            return &all[i];
    return n && all[0].severity <= TR_SEVERITY_MEDIUM ? all : NULL;
}

bool report_html_headline(const struct report *r, struct tr_buf *out)
{
    const struct tr_finding *x = main_finding(r);
    if (!x)
        return tr_buf_add_str(out, r->shown[REPORT_FINDINGS] ? "Nothing to fix was found"
                                                             : "Where the time of the job went");
    bool ok = report_html_sentence(out, tr_buf_text(&x->sentence), x->sentence.len);
    out->len = clause(tr_buf_text(out), out->len);
    return ok;
}

/* ---- a finding ---- */

/* The section that a command of a finding prints, if it is on the page. */
static const struct report_section *section_of(const struct report *r, const struct tr_finding *x)
{
    for (size_t i = 0; i < TR_FINDING_COMMANDS && x->commands[i]; i++)
        for (int id = 0; id < REPORT_N_SECTIONS; id++)
            for (size_t k = 0; k < REPORT_MAX_COMMANDS && report_sections[id].commands[k].words; k++)
                if (report_has_section(r, (enum report_id)id) && id != REPORT_OUTLIERS &&
                    strcmp(report_sections[id].commands[k].words, x->commands[i]) == 0)
                    return &report_sections[id];
    return NULL;
}

/* The step as a bar, and in it what a fix saves, with a line over its bounds. */
static bool add_share(const struct tr_finding *x, struct tr_buf *out)
{
    double step = x->pct > 0 ? x->impact / x->pct * 100 : NAN;
    if (!(step > 0))
        return true;
    double from = fmin(fmax(x->low / step, 0), 1), at = fmin(x->impact / step, 1), to = fmin(x->high / step, 1);
    return tr_buf_print(out,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"share\" viewBox=\"0 0 1000 16\" "
                        "preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"1000\" height=\"9\" y=\"0.5\" "
                        "class=\"whole\" vector-effect=\"non-scaling-stroke\"/><rect width=\"%.1f\" height=\"9\" "
                        "y=\"0.5\" class=\"cut\"/><path d=\"M%.1f 13.5H%.1f\" class=\"span\" "
                        "vector-effect=\"non-scaling-stroke\"/></svg>\n",
                        at * 1000, from * 1000, to * 1000);
}

static bool add_impact(const struct tr_finding *x, struct tr_buf *out)
{
    bool ok = tr_buf_print(out, "<div><span class=\"grade\">%s</span>\n", tr_severity_name(x->severity));
    if (ok && !isnan(x->impact)) {
        ok = tr_buf_add_str(out, "<p class=\"saving\">\xe2\x88\x92") && report_html_time(out, x->impact) &&
             tr_buf_add_str(out, "</p>\n") &&
             (isnan(x->pct) || tr_buf_print(out, "<p class=\"minor\">%.1f\xc2\xa0%% of a step</p>\n", x->pct)) &&
             add_share(x, out) && tr_buf_add_str(out, "<p class=\"minor\">") && report_html_plain_time(out, x->low) &&
             tr_buf_add_str(out, " to ") && report_html_plain_time(out, x->high) && tr_buf_add_str(out, "</p>\n");
    }
    return ok && tr_buf_add_str(out, "</div>\n");
}

static bool add_evidence(const struct tr_finding *x, struct tr_buf *out)
{
    bool ok =
        !x->n_evidence || tr_buf_add_str(out, "<details><summary>Evidence</summary><div class=\"scroll\"><table>"
                                              "<thead><tr><th>metric</th><th class=\"num\">value</th></tr></thead>"
                                              "<tbody>\n");
    for (size_t i = 0; ok && i < x->n_evidence; i++) {
        char value[40];
        snprintf(value, sizeof value, "%.3f", x->evidence[i].value);
        ok = tr_buf_add_str(out, "<tr>") &&
             tr_html_element(out, "td", x->evidence[i].metric, strlen(x->evidence[i].metric)) &&
             tr_html_element(out, "td class=\"num\"", isnan(x->evidence[i].value) ? "" : value,
                             isnan(x->evidence[i].value) ? 0 : strlen(value)) &&
             tr_buf_add_str(out, "</tr>\n");
    }
    return ok && (!x->n_evidence || tr_buf_add_str(out, "</tbody></table></div></details>\n"));
}

static bool add_commands(const struct report *r, const struct tr_finding *x, struct tr_buf *out)
{
    bool ok = true;
    char rank[24];
    snprintf(rank, sizeof rank, "%lld", (long long)x->rank);
    for (size_t i = 0; ok && i < 1 && x->commands[i]; i++) {
        struct tr_buf command = { 0 };
        const struct report_command c = { .words = x->commands[i], .of_rank = x->rank != TR_I64_NONE };
        ok = report_command(r, &c, c.of_rank && r->n_ranks > 1 ? rank : NULL, &command) &&
             tr_html_command(out, (const char *)command.data, command.len, false);
        tr_buf_free(&command);
    }
    return ok;
}

/* That another finding explains this one, why it may be wrong, and where its figures are. */
static bool add_lines(const struct report *r, const struct tr_finding *all, const struct tr_finding *x,
                      struct tr_buf *out)
{
    const struct report_section *s = section_of(r, x);
    bool ok = !x->cause ||
              tr_buf_print(out, "<p class=\"minor\">Finding %zu explains it.</p>\n", (size_t)(x->cause - all) + 1);
    ok = ok && tr_buf_print(out, "<p class=\"minor\">Confidence: %s", tr_confidence_name(x->confidence)) &&
         (!x->why.len || (tr_buf_add_str(out, ", because ") && tr_html_text(out, tr_buf_text(&x->why), x->why.len)));
    if (ok && s)
        ok = tr_buf_print(out, ". Figures: <a href=\"#%s\">", s->name) &&
             tr_html_text(out, s->title, strlen(s->title)) && tr_buf_add_str(out, "</a>");
    return ok && tr_buf_add_str(out, "</p>\n");
}

static bool add_finding(const struct report *r, const struct tr_finding *all, size_t i, struct tr_buf *out)
{
    const struct tr_finding *x = &all[i];
    struct tr_buf sentence = { 0 };
    bool ok = report_html_sentence(&sentence, tr_buf_text(&x->sentence), x->sentence.len) &&
              tr_buf_print(out, "<article class=\"finding %s\" id=\"finding-%zu\">\n", tr_severity_name(x->severity),
                           i + 1) &&
              add_impact(x, out) && tr_buf_print(out, "<div><h3><span class=\"number\">%zu</span>", i + 1) &&
              tr_html_text(out, tr_buf_text(&sentence), sentence.len) && tr_buf_add_str(out, "</h3>\n") &&
              add_lines(r, all, x, out) && tr_buf_add_str(out, "<div class=\"more\">\n") && add_evidence(x, out) &&
              add_commands(r, x, out) && tr_buf_add_str(out, "</div></div>\n") && report_html_part(r, x, out) &&
              tr_buf_add_str(out, "</article>\n");
    tr_buf_free(&sentence);
    return ok;
}

/* ---- all of them ---- */

/* What was looked for; what could not be, with the reason. */
static bool add_checked(const struct report *r, struct tr_buf *out)
{
    const char *why, *check;
    bool ok = tr_buf_add_str(out, "<details class=\"others\"><summary>What was looked for</summary><ul>\n");
    for (size_t i = 0; ok && (check = tr_findings_checked(r->findings, i, &why)) != NULL; i++) {
        ok = tr_buf_add_str(out, "<li>") && tr_html_text(out, check, strlen(check));
        if (ok && why)
            ok = tr_buf_add_str(out, " \xe2\x80\x94 not possible: ") && tr_html_text(out, why, strlen(why));
        ok = ok && tr_buf_add_str(out, "</li>\n");
    }
    return ok && tr_buf_add_str(out, "</ul></details>\n");
}

static bool add_scale(const struct report *r, struct tr_buf *out)
{
    size_t n;
    double step = tr_findings_step(r->findings, &n);
    if (!n)
        return tr_buf_add_str(out, "<p class=\"question\">What a fix would save, the most first.</p>\n");
    return tr_buf_add_str(out, "<p class=\"question\">What a fix would save of each step of ") &&
           report_html_plain_time(out, step) && tr_buf_add_str(out, ", the most first.</p>\n");
}

bool report_html_findings(const struct report *r, struct tr_buf *out)
{
    size_t n;
    const struct tr_finding *all = tr_findings_all(r->findings, &n);
    const size_t shown = n_shown(r, n);
    bool ok = tr_buf_add_str(out, "<section id=\"findings\"><h2>Findings</h2>\n") && add_scale(r, out);
    ok = ok && (shown ? tr_buf_add_str(out, "<div class=\"findings\">\n")
                      : tr_buf_add_str(out, "<p class=\"means\">Nothing to fix was found.</p>\n"));
    for (size_t i = 0; ok && i < shown; i++)
        ok = add_finding(r, all, i, out);
    ok = ok && (!shown || tr_buf_add_str(out, "</div>\n"));
    if (ok && n > shown)
        ok = tr_buf_print(out, "<p class=\"notes\">%zu more: --findings all</p>\n", n - shown);
    return ok && add_checked(r, out) && tr_buf_add_str(out, "</section>\n");
}
