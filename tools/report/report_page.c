/* SPDX-License-Identifier: MIT */
/* tr-report: the page. */
#include "report/report.h"

#include "base/tr_escape.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- commands ---- */

/* A command; files may have any name, which JSON escapes later. */
static bool add_command(const struct report *r, const struct report_command *c, struct tr_buf *out)
{
    struct tr_buf command = { 0 };
    bool ok =
        report_command(r, c, NULL, &command) &&
        (r->o->format == REPORT_JSON ? tr_buf_add(out, command.data, command.len)
                                     : tr_escape_text(out, (const char *)command.data, command.len, SIZE_MAX, NULL));
    tr_buf_free(&command);
    return ok;
}

/* All commands of a section, with a separator between. */
static bool add_commands(const struct report *r, const struct report_section *s, const char *between,
                         struct tr_buf *out)
{
    bool ok = true;
    for (size_t i = 0; i < sizeof s->commands / sizeof *s->commands && s->commands[i].words && ok; i++)
        ok = (!i || tr_buf_add_str(out, between)) && add_command(r, &s->commands[i], out);
    return ok;
}

/* ---- sections ---- */

static bool add_json(struct report_page *page, const struct report_section *s, const struct tr_buf *rows)
{
    struct tr_buf command = { 0 }, *out = &page->out;
    size_t len = rows->len;
    while (len && rows->data[len - 1] == '\n')
        len--;
    bool ok = tr_buf_add_str(out, page->n ? ",\n\"" : "{\n\"") && tr_buf_add_str(out, s->name) &&
              tr_buf_add_str(out, "\": {\"title\": ") && tr_escape_json(out, s->title, strlen(s->title));
    if (ok && s->commands[0].words)
        ok = add_commands(page->r, s, "; ", &command) && tr_buf_add_str(out, ", \"command\": ") &&
             tr_escape_json(out, (const char *)command.data, command.len);
    ok = ok && tr_buf_add_str(out, ", \"rows\": ") && tr_buf_add(out, rows->data, len) && tr_buf_add_str(out, "}");
    tr_buf_free(&command);
    return ok;
}

static bool add_markdown(struct report_page *page, const struct report_section *s, const struct tr_buf *rows)
{
    struct tr_buf *out = &page->out;
    bool ok =
        tr_buf_add_str(out, page->n ? "\n## " : "## ") && tr_buf_add_str(out, s->title) && tr_buf_add_str(out, "\n\n");
    if (ok && s->commands[0].words)
        ok = tr_buf_add_str(out, "    ") && add_commands(page->r, s, "\n    ", out) && tr_buf_add_str(out, "\n\n");
    return ok && tr_buf_add(out, rows->data, rows->len);
}

/* Its first command, which prints the figures of the table. */
static bool add_command_lines(const struct report *r, const struct report_section *s, struct tr_buf *out)
{
    struct tr_buf command = { 0 };
    bool ok = !s->commands[0].words || (report_command(r, &s->commands[0], NULL, &command) &&
                                        report_command_lines(r, (const char *)command.data, command.len, out));
    tr_buf_free(&command);
    return ok;
}

static bool add_text(struct report_page *page, const struct report_section *s, const struct tr_buf *rows)
{
    struct tr_buf *out = &page->out;
    bool ok =
        tr_buf_add_str(out, page->n ? "\n# " : "# ") && tr_buf_add_str(out, s->title) && tr_buf_add_str(out, "\n");
    ok = ok && add_command_lines(page->r, s, out);
    return ok && tr_buf_add(out, rows->data, rows->len);
}

/* The text of sections that are always shown, if they have no findings. */
static bool add_nothing(const struct report *r, struct tr_buf *rows)
{
    return tr_buf_add_str(rows, r->o->format == REPORT_JSON ? "[]" : "no problems found\n");
}

/* Below the devices: those of a rank that work much less than another one, in the order of the table. */
static bool add_unlike_devices(const struct report *r, struct tr_buf *rows)
{
    const struct tr_table *t = r->tables[REPORT_DEVICES];
    const size_t n = tr_table_rows(t), ranks = tr_table_find(t, "rank"), captures = tr_table_find(t, "capture");
    const size_t devices = tr_table_find(t, "device"), busy = tr_table_find(t, "busy");
    struct tr_device_work *v = calloc(n + 1, sizeof *v);
    char text[TR_UNLIKE_TEXT], line[TR_UNLIKE_TEXT + 64];
    bool ok = v != NULL;
    for (size_t i = 0, end; ok && i < n; i = end) {
        const double rank = report_cell_at(t, i, ranks), capture = report_cell_at(t, i, captures);
        for (end = i; end < n && report_cell_at(t, end, ranks) == rank && report_cell_at(t, end, captures) == capture;
             end++)
            v[end - i] = (struct tr_device_work){ (int64_t)report_cell_at(t, end, devices),
                                                  report_cell_at(t, end, busy) };
        end += end == i; /* a rank that is unknown is equal to none */
        if (end - i < 2 || !tr_devices_unlike(v, end - i, text))
            continue;
        if (r->n_ranks > 1)
            snprintf(line, sizeof line, "Rank %.0f: %s.\n", rank, text);
        else
            snprintf(line, sizeof line, "%s%s.\n", "D", text + 1);
        ok = tr_buf_add_str(rows, line);
    }
    free(v);
    return ok;
}

static enum tr_status add_table(struct report_page *page, enum report_id id, struct tr_table *t, struct tr_error *err)
{
    static const struct tr_row_sink *const sinks[] = {
        [REPORT_TEXT] = &tr_row_sink_text,
        [REPORT_MD] = &tr_row_sink_md,
        [REPORT_JSON] = &tr_row_sink_json,
    };
    const struct report_section *s = &report_sections[id];
    int format = page->r->o->format;
    struct tr_buf rows = { 0 };
    bool ok = true;
    enum tr_status st = tr_table_status(t, err);
    if (st == TR_OK && tr_table_empty(t))
        ok = add_nothing(page->r, &rows);
    else if (st == TR_OK)
        st = tr_table_write(t, sinks[format], &rows, err);
    if (st == TR_OK && id == REPORT_DEVICES && format != REPORT_JSON)
        ok = ok && add_unlike_devices(page->r, &rows);
    if (st == TR_OK)
        ok = ok && (format == REPORT_JSON ? add_json(page, s, &rows)
                    : format == REPORT_MD ? add_markdown(page, s, &rows)
                                          : add_text(page, s, &rows));
    page->n++;
    tr_buf_free(&rows);
    return st == TR_OK && !ok ? tr_fail_memory(err) : st;
}

/* ---- the whole ---- */

bool report_make_rows(const struct report *r, enum report_id id, struct tr_table *t)
{
    switch (id) {
    case REPORT_JOB:
        return report_job(r, t);
    case REPORT_TRUST:
        return report_trust(r, t);
    case REPORT_HEADLINE:
        report_headline(r, t);
        return true;
    case REPORT_STEPS:
        report_steps(r, t);
        return true;
    case REPORT_OUTLIERS:
        return report_outliers(r, t);
    default:
        return report_rows(r, id, t);
    }
}

/* Findings come first, and are no table. */
static enum tr_status add_findings(struct report_page *page, struct tr_error *err)
{
    const struct report *r = page->r;
    bool json = r->o->format == REPORT_JSON;
    bool ok = tr_buf_add_str(&page->out, json                        ? "{\n\"version\": 1,\n\"findings\": "
                                         : r->o->format == REPORT_MD ? "## Findings\n\n"
                                                                     : "# Findings\n") &&
              (json ? report_findings_json(r, &page->out) : report_findings(r, &page->out));
    page->n++;
    return ok ? TR_OK : tr_fail_memory(err);
}

static enum tr_status add_section(struct report_page *page, enum report_id id, struct tr_error *err)
{
    if (id == REPORT_FINDINGS)
        return add_findings(page, err);
    struct tr_table *t = cli_table_held(page->r->cli);
    enum tr_status st = t && report_make_rows(page->r, id, t) ? TR_OK : tr_fail_memory(err);
    bool always = id == REPORT_TRUST;
    if (st == TR_OK)
        st = tr_table_status(t, err); /* a table that ran out of memory may be empty */
    if (st == TR_OK && (always || !tr_table_empty(t)))
        st = add_table(page, id, t, err);
    tr_table_free(t);
    return st;
}

/* The rows of a rank's devices are next to each other. */
bool report_several_devices(const struct report *r)
{
    const struct tr_table *t = r->tables[REPORT_DEVICES];
    size_t ranks = t ? tr_table_find(t, "rank") : SIZE_MAX, captures = t ? tr_table_find(t, "capture") : SIZE_MAX;
    for (size_t i = 1; t && i < tr_table_rows(t); i++)
        if (report_cell_at(t, i, ranks) == report_cell_at(t, i - 1, ranks) &&
            report_cell_at(t, i, captures) == report_cell_at(t, i - 1, captures))
            return true;
    return false;
}

static bool infers(const struct report *r)
{
    const struct tr_summary *s = r->in->summary;
    for (uint32_t i = 0; i < s->n && i < r->in->dict->n_sources; i++)
        if (tr_select_source(r->selected, i) && tr_summary_infers(&s->sources[i]))
            return true;
    return false;
}

bool report_has_section(const struct report *r, enum report_id id)
{
    const struct report_section *s = &report_sections[id];
    return r->shown[id] && (r->device || id != REPORT_BREAKDOWN) && (!s->several || r->n_ranks > 1) &&
           (!s->devices || report_several_devices(r)) && (!s->infers || infers(r));
}

/* A command that later ones need. */
static bool add_setting(struct report_page *page)
{
    const struct tr_buf *set = &page->r->setting;
    if (!set->len)
        return true;
    if (page->r->o->format == REPORT_MD)
        return tr_buf_add_str(&page->out, "    ") &&
               tr_escape_text(&page->out, (const char *)set->data, set->len, SIZE_MAX, NULL) &&
               tr_buf_add_str(&page->out, "\n\n");
    return report_command_lines(page->r, (const char *)set->data, set->len, &page->out) &&
           tr_buf_add_str(&page->out, "\n");
}

enum tr_status report_write(const struct report *r, struct tr_error *err)
{
    struct report_page page = { .r = r };
    enum tr_status st = add_setting(&page) ? TR_OK : tr_fail_memory(err);
    for (int id = 0; id < REPORT_N_SECTIONS && st == TR_OK; id++)
        if (report_has_section(r, (enum report_id)id))
            st = add_section(&page, (enum report_id)id, err);
    if (st == TR_OK && r->o->format == REPORT_JSON && !tr_buf_add_str(&page.out, page.n ? "\n}\n" : "{}\n"))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = cli_write_report(r->cli, &page.out, err);
    tr_buf_free(&page.out);
    return st;
}
