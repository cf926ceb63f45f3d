/* SPDX-License-Identifier: MIT */
/* tr-report: the page as HTML. */
#include "report/report_html.h"

#include "sink/tr_html.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The sections so far, with links to them. */
struct page {
    const struct report *r;
    struct tr_buf links, body;
};

/* ---- the top of the page ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : strcmp(path, "-") == 0 ? "standard input" : path;
}

static bool add_inputs(const char *const *paths, size_t n, struct tr_buf *out)
{
    bool ok = tr_html_text(out, base_name(paths[0]), strlen(base_name(paths[0])));
    if (ok && n == 2)
        ok = tr_buf_add_str(out, ", ") && tr_html_text(out, base_name(paths[1]), strlen(base_name(paths[1])));
    return ok && (n <= 2 || tr_buf_print(out, ", \xe2\x80\xa6 (%zu files)", n));
}

static bool add_selection(const struct report *r, struct tr_buf *out)
{
    struct tr_buf text = { 0 };
    bool ok = cli_select_text(&r->o->a.select, &text) &&
              (!text.len || (tr_buf_add_str(out, " \xc2\xb7 ") && tr_html_text(out, tr_buf_text(&text), text.len)));
    tr_buf_free(&text);
    return ok;
}

static bool add_fact(struct tr_buf *out, const char *name, const char *s, size_t len)
{
    return !len || (tr_buf_add_str(out, "<div>") && tr_html_element(out, "dt", name, strlen(name)) &&
                    tr_html_element(out, "dd", s, len) && tr_buf_add_str(out, "</div>\n"));
}

static bool add_text_fact(const struct tr_table *job, const char *column, const char *name, struct tr_buf *out)
{
    struct tr_str s = tr_table_get(job, 0, tr_table_find(job, column));
    return add_fact(out, name, s.s ? s.s : "", s.len);
}

static bool add_job(const struct report *r, struct tr_buf *out)
{
    struct tr_table *job = cli_table_held(r->cli);
    struct tr_buf text = { 0 };
    bool ok = job && report_job(r, job) && tr_buf_add_str(out, "<dl class=\"facts\">\n") &&
              add_text_fact(job, "format", "Format", out) && add_text_fact(job, "device", "Device", out);
    double ranks = ok ? report_cell(job, 0, "ranks") : 0, world = ok ? report_cell(job, 0, "world_size") : NAN;
    ok = ok &&
         (isnan(world) ? tr_buf_print(&text, "%.0f", ranks) : tr_buf_print(&text, "%.0f of %.0f", ranks, world)) &&
         add_fact(out, "Ranks", tr_buf_text(&text), text.len);
    text.len = 0;
    ok = ok && (!r->test.steps.n || tr_buf_print(&text, "%zu", r->test.steps.n)) &&
         add_fact(out, "Steps", tr_buf_text(&text), text.len);
    text.len = 0;
    ok = ok && report_html_plain_time(&text, report_cell(job, 0, "recorded")) &&
         add_fact(out, "Recorded", tr_buf_text(&text), text.len) && tr_buf_add_str(out, "</dl>\n");
    tr_buf_free(&text);
    tr_table_free(job);
    return ok;
}

/* A doubt: "rank 3: what, 12 (4.1 %)". */
static bool add_doubt(const struct tr_table *t, size_t row, struct tr_buf *out)
{
    double rank = report_cell(t, row, "rank"), count = report_cell(t, row, "count"), pct = report_cell(t, row, "pct");
    struct tr_str what = tr_table_get(t, row, tr_table_find(t, "finding"));
    return tr_buf_add_str(out, "<li>") && (isnan(rank) || tr_buf_print(out, "rank %.0f: ", rank)) &&
           tr_html_text(out, what.s ? what.s : "", what.len) && (isnan(count) || tr_buf_print(out, ": %.0f", count)) &&
           (isnan(pct) || tr_buf_print(out, " (%.2f\xc2\xa0%%)", pct)) && tr_buf_add_str(out, "</li>\n");
}

#define MAX_DOUBTS 4u

/* Can the figures be trusted? */
static bool add_trust(const struct report *r, struct tr_buf *out)
{
    struct tr_table *t = r->info ? cli_table_held(r->cli) : NULL;
    if (!r->info || !r->shown[REPORT_TRUST])
        return true;
    bool ok = t && report_trust(r, t);
    size_t n = ok ? tr_table_rows(t) : 0;
    bool aligned = n && r->n_ranks > 1 && r->clock.aligned; /* the last row, which is no doubt */
    n -= aligned;
    ok = ok && (n ? tr_buf_add_str(out, "<div class=\"trust\"><span class=\"sign doubt\">!</span><div>"
                                        "<b>Before you trust these figures:</b><ul>\n")
                  : tr_buf_add_str(out, "<div class=\"trust\"><span class=\"sign\">\xe2\x9c\x93</span><div>"
                                        "<b>No problems of the recording were found.</b><ul>\n"));
    for (size_t row = 0; ok && row < n && row < MAX_DOUBTS; row++)
        ok = add_doubt(t, row, out);
    if (ok && n > MAX_DOUBTS)
        ok = tr_buf_print(out, "<li><a href=\"#trust\">%zu more</a></li>\n", n - MAX_DOUBTS);
    ok = ok && (!aligned || add_doubt(t, n, out)) && tr_buf_add_str(out, "</ul></div></div>\n");
    tr_table_free(t);
    return ok;
}

/* ---- main figures ---- */

static bool add_tile(struct tr_buf *out, const char *name, const struct tr_buf *value, const struct tr_buf *below)
{
    return tr_buf_add_str(out, "<div>") && tr_html_element(out, "dt", name, strlen(name)) &&
           tr_buf_add_str(out, "<dd>") && tr_buf_add(out, value->data, value->len) &&
           tr_buf_add_str(out, "</dd><dd>") && tr_buf_add(out, below->data, below->len) &&
           tr_buf_add_str(out, "</dd></div>\n");
}

/* How it differs from the base. */
static bool add_change(const struct report *r, enum tr_run_summary_metric m, struct tr_buf *out)
{
    double base = r->base.of[m].value, test = r->test.of[m].value;
    if (!r->o->base.n || !isfinite(base))
        return true;
    return tr_buf_print(out, "%sbase ", out->len ? "; " : "") && report_html_plain_time(out, base) &&
           (!(base > 0) || tr_buf_print(out, ", %+.1f\xc2\xa0%%", 100 * (test - base) / base));
}

static bool add_step_tile(const struct report *r, struct tr_buf *out)
{
    const struct tr_step_times *s = &r->test.steps;
    struct tr_buf value = { 0 }, below = { 0 };
    bool ok = true;
    if (s->n)
        ok = report_html_time(&value, s->mean) && tr_buf_add_str(&below, "median ") &&
             report_html_plain_time(&below, s->p50) && add_change(r, TR_RUN_SUMMARY_STEP_TIME, &below) &&
             add_tile(out, "Step time, mean", &value, &below);
    tr_buf_free(&value);
    tr_buf_free(&below);
    return ok;
}

/* A part of the time of devices. */
static bool add_part_tile(const struct report *r, enum tr_run_summary_metric m, const char *name, struct tr_buf *out)
{
    double part = r->test.of[m].value;
    double whole = r->test.of[TR_RUN_SUMMARY_BUSY].value + r->test.of[TR_RUN_SUMMARY_IDLE].value;
    struct tr_buf value = { 0 }, below = { 0 };
    bool ok = true;
    if (isfinite(part) && whole > 0 && (part > 0 || m != TR_RUN_SUMMARY_EXPOSED_COMM))
        ok = tr_buf_print(&value, "%.1f\xc2\xa0<span class=\"unit\">%%</span>", 100 * part / whole) &&
             report_html_plain_time(&below, part) && tr_buf_add_str(&below, r->n_ranks > 1 ? " per rank" : "") &&
             add_change(r, m, &below) && add_tile(out, name, &value, &below);
    tr_buf_free(&value);
    tr_buf_free(&below);
    return ok;
}

static bool add_tiles(const struct report *r, struct tr_buf *out)
{
    if (!r->wanted[REPORT_HEADLINE] || !(r->device || r->test.steps.n))
        return true;
    return tr_buf_add_str(out, "<dl class=\"tiles\">\n") && add_step_tile(r, out) &&
           (!r->device || (add_part_tile(r, TR_RUN_SUMMARY_COMPUTE, "Devices compute", out) &&
                           add_part_tile(r, TR_RUN_SUMMARY_EXPOSED_COMM, "Communication not hidden", out) &&
                           add_part_tile(r, TR_RUN_SUMMARY_IDLE, "Devices idle", out))) &&
           tr_buf_add_str(out, "</dl>\n");
}

static bool add_top(const struct report *r, const struct tr_buf *headline, struct tr_buf *out)
{
    size_t n;
    const char *const *paths = report_inputs(r, &n);
    bool ok = tr_html_start(out, tr_buf_text(headline)) &&
              tr_buf_add_str(out, "<header>\n<p class=\"kicker\">tracepipe "
                                  "report \xc2\xb7 ") &&
              add_inputs(paths, n, out) && add_selection(r, out);
    if (ok && r->o->base.n)
        ok = tr_buf_add_str(out, " \xc2\xb7 base: ") &&
             add_inputs((const char *const *)r->o->base.items, r->o->base.n, out);
    return ok && tr_buf_add_str(out, "</p>\n") && tr_html_element(out, "h1", tr_buf_text(headline), headline->len) &&
           (!r->shown[REPORT_JOB] || add_job(r, out)) && add_trust(r, out) && add_tiles(r, out) &&
           tr_buf_add_str(out, "</header>\n");
}

/* ---- sections ---- */

/* A link to a section, which has its name with a capital. */
static bool add_link(struct page *p, const char *name)
{
    return tr_buf_print(&p->links, "<li><a href=\"#%s\">%c%s</a></li>\n", name, name[0] - 'a' + 'A', name + 1);
}

static bool add_commands(const struct report *r, const struct report_section *s, struct tr_buf *out)
{
    struct tr_buf all = { 0 };
    bool ok = true;
    for (size_t i = 0; ok && i < REPORT_MAX_COMMANDS && s->commands[i].words; i++)
        ok = (!i || tr_buf_add_str(&all, "\n")) && report_command(r, &s->commands[i], NULL, &all);
    /* a line each: no command has an end of line, because of how its words are quoted */
    ok = ok && (!all.len || (tr_buf_add_str(out, "<details class=\"command\"><summary>Command</summary><pre>")));
    for (size_t at = 0, len; ok && at < all.len; at += len + 1) {
        const char *s_at = (const char *)all.data + at, *end = memchr(s_at, '\n', all.len - at);
        len = end ? (size_t)(end - s_at) : all.len - at;
        ok = (!at || tr_buf_add_str(out, "\n")) && tr_html_text(out, s_at, len);
    }
    ok = ok && (!all.len || tr_buf_add_str(out, "</pre></details>\n"));
    tr_buf_free(&all);
    return ok;
}

static enum tr_status add_rows(struct page *p, struct tr_table *t, const char *title, bool open, struct tr_error *err)
{
    bool ok = tr_buf_print(&p->body, "<details%s><summary>%s</summary>\n", open ? " open=\"open\"" : "", title);
    enum tr_status st = ok ? tr_table_write(t, &tr_html_rows, &p->body, err) : tr_fail_memory(err);
    return st == TR_OK && !tr_buf_add_str(&p->body, "</details>\n") ? tr_fail_memory(err) : st;
}

/* The rows are arranged when they are drawn, so the sentences are made before.  base: its table, or NULL. */
static enum tr_status add_picture(struct page *p, enum report_id id, struct tr_table *t, const struct tr_table *base,
                                  struct tr_error *err)
{
    struct tr_buf means = { 0 }, before = { 0 };
    bool ok = report_html_means(p->r, id, t, &means) && (!base || report_html_means(p->r->other, id, base, &before));
    enum tr_status st = !ok                               ? tr_fail_memory(err)
                        : report_html_compares(p->r, id) ? report_html_compared(p->r, id, &p->body, err)
                                                         : report_html_picture(p->r, id, t, &p->body, err);
    if (st == TR_OK && !report_html_compares(p->r, id))
        st = report_html_ranks(p->r, id, &p->body, err);
    ok = !means.len || tr_html_element(&p->body, "p class=\"means\"", tr_buf_text(&means), means.len);
    if (ok && before.len)
        ok = tr_buf_add_str(&p->body, "<p class=\"notes\">The base: ") &&
             tr_html_text(&p->body, tr_buf_text(&before), before.len) && tr_buf_add_str(&p->body, "</p>\n");
    tr_buf_free(&means);
    tr_buf_free(&before);
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

/* The rows of a section of the base; NULL: it is not compared there, or has none.  False: out of memory. */
static bool rows_of_base(const struct report *r, enum report_id id, struct tr_table **t)
{
    *t = NULL;
    if (!r->other || id == REPORT_HEADLINE || id == REPORT_JOB || id == REPORT_TRUST ||
        !report_has_section(r->other, id))
        return true;
    *t = cli_table_held(r->cli);
    if (!*t || !report_make_rows(r->other, id, *t))
        return false;
    if (tr_table_empty(*t)) {
        tr_table_free(*t);
        *t = NULL;
    }
    return true;
}

static enum tr_status add_table(struct page *p, enum report_id id, struct tr_table *t, struct tr_table *base,
                                struct tr_error *err)
{
    const struct report_section *s = &report_sections[id];
    const char *question = report_html_question(id);
    bool ok = add_link(p, s->name) && tr_buf_print(&p->body, "<section id=\"%s\">", s->name) &&
              tr_html_element(&p->body, "h2", s->title, strlen(s->title)) &&
              (!question || tr_html_element(&p->body, "p class=\"question\"", question, strlen(question)));
    size_t before = p->body.len;
    enum tr_status st = ok ? add_picture(p, id, t, base, err) : tr_fail_memory(err);
    bool drawn = p->body.len > before;
    if (st == TR_OK && !tr_buf_add_str(&p->body, "<div class=\"more\">\n"))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = add_rows(p, t, "Table", !drawn, err);
    if (st == TR_OK && base)
        st = add_rows(p, base, "Table of the base", false, err);
    if (st == TR_OK && !(add_commands(p->r, s, &p->body) && tr_buf_add_str(&p->body, "</div></section>\n")))
        st = tr_fail_memory(err);
    return st;
}

static enum tr_status add_section(struct page *p, enum report_id id, struct tr_error *err)
{
    if (!report_has_section(p->r, id))
        return TR_OK;
    if (id == REPORT_FINDINGS)
        return add_link(p, "findings") && report_html_findings(p->r, &p->body) ? TR_OK : tr_fail_memory(err);
    struct tr_table *t = cli_table_held(p->r->cli), *base = NULL;
    enum tr_status st = t && report_make_rows(p->r, id, t) && rows_of_base(p->r, id, &base) ? tr_table_status(t, err)
                                                                                          : tr_fail_memory(err);
    if (st == TR_OK && base)
        st = tr_table_status(base, err);
    if (st == TR_OK && !tr_table_empty(t))
        st = add_table(p, id, t, base, err);
    tr_table_free(t);
    tr_table_free(base);
    return st;
}

/* ---- the whole ---- */

/* What makes this page, and the command that others need before them. */
static bool add_foot(const struct report *r, struct tr_buf *out)
{
    const char *made = cli_command_line(r->cli);
    return tr_buf_add_str(out, "<section id=\"about\"><h2>About this page</h2>\n"
                               "<p class=\"question\">It is complete: it loads nothing, and works without a network. "
                               "The commands print the same figures, with more rows and columns.</p>\n") &&
           (!r->setting.len ||
            (tr_buf_add_str(out, "<p class=\"notes\">First, so that other commands know the inputs:</p>\n") &&
             tr_html_element(out, "pre", tr_buf_text(&r->setting), r->setting.len))) &&
           tr_buf_add_str(out, "<p class=\"notes\">Made by</p>\n") && tr_html_element(out, "pre", made, strlen(made)) &&
           tr_buf_add_str(out, "</section>\n");
}

static bool put_together(struct page *p, struct tr_buf *out)
{
    struct tr_buf headline = { 0 };
    bool ok = report_html_headline(p->r, &headline) && tr_buf_add(&headline, "", 1);
    headline.len -= ok;
    ok = ok && add_link(p, "about") && add_top(p->r, &headline, out) &&
         tr_buf_add_str(out, "<div class=\"split\">\n<nav><ol>\n") && tr_buf_add(out, p->links.data, p->links.len) &&
         tr_buf_add_str(out, "</ol></nav>\n<main>\n") && tr_buf_add(out, p->body.data, p->body.len) &&
         add_foot(p->r, out) && tr_buf_add_str(out, "</main>\n</div>\n") && tr_html_end(out);
    tr_buf_free(&headline);
    return ok;
}

/* These are what the top of the page says in short. */
static bool is_last(const struct report *r, enum report_id id)
{
    return id == REPORT_JOB || id == REPORT_TRUST || (id == REPORT_HEADLINE && !r->o->base.n);
}

enum tr_status report_html_write(const struct report *r, struct tr_error *err)
{
    struct page page = { .r = r };
    struct tr_buf out = { 0 };
    enum tr_status st = TR_OK;
    for (int last = 0; last < 2; last++)
        for (int id = 0; id < REPORT_N_SECTIONS && st == TR_OK; id++)
            if (is_last(r, (enum report_id)id) == last)
                st = add_section(&page, (enum report_id)id, err);
    if (st == TR_OK && !put_together(&page, &out))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = cli_write_report(r->cli, &out, err);
    tr_buf_free(&page.links);
    tr_buf_free(&page.body);
    tr_buf_free(&out);
    return st;
}
