/* SPDX-License-Identifier: MIT */
/* Several tables in one text. */
#include "cli/cli_several.h"

#include "cli/cli_book.h"
#include "sink/tr_sinks.h"

#include <string.h>

enum tr_status cli_several_possible(struct cli *cli, struct tr_error *err)
{
    const struct tr_row_sink *sink = cli_report_sink(cli);
    if (cli_book(cli) || sink == &tr_row_sink_text || sink == &tr_row_sink_md || sink == &tr_row_sink_json ||
        sink == &tr_row_sink_html)
        return TR_OK;
    if (cli_format_forget(cli))
        return cli_several_possible(cli, err);
    return tr_fail(err, TR_USAGE,
                   "one table is printed as %s: several go to text, md, json, html, sqlite, xlsx, "
                   "or csv in a folder (-o DIR/)",
                   cli_bars(cli) ? "bars" : sink->name);
}

static bool add_heading(struct cli_several *s, const struct tr_row_sink *sink, const char *name, const char *title)
{
    struct tr_buf *out = &s->out;
    if (sink == &tr_row_sink_json)
        return tr_buf_print(out, "%s\"%s\": ", s->n ? ",\n" : "{\n", name);
    if (sink == &tr_row_sink_html)
        return (s->n || (tr_html_start(out, title) && tr_html_element(out, "h1", title, strlen(title)))) &&
               tr_buf_add_str(out, "<section>\n") && tr_html_element(out, "h2", name, strlen(name));
    return tr_buf_print(out, sink == &tr_row_sink_md ? "%s## %s\n\n" : "%s# %s\n", s->n ? "\n" : "", name);
}

static bool add_foot(struct cli_several *s, const struct tr_row_sink *sink)
{
    if (sink == &tr_row_sink_html)
        return tr_buf_add_str(&s->out, "</section>\n");
    while (sink == &tr_row_sink_json && s->out.len && s->out.data[s->out.len - 1] == '\n')
        s->out.len--;
    return true;
}

static enum tr_status flush(struct cli_several *s, struct tr_error *err)
{
    enum tr_status st = cli_write_report(s->cli, &s->out, err);
    s->out.len = 0;
    return st;
}

enum tr_status cli_several_add(struct cli_several *s, const char *name, struct tr_table *t,
                               const struct tr_picture *is, struct tr_error *err)
{
    const struct tr_row_sink *sink = cli_report_sink(s->cli);
    const struct tr_row_sink *rows = sink == &tr_row_sink_html ? &tr_html_section : sink;
    const char *title = is && is->inputs ? is->inputs : "tracepipe";
    enum tr_status st = add_heading(s, sink, name, title) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_table_write(t, rows, &s->out, err);
    if (st == TR_OK && !add_foot(s, sink))
        st = tr_fail_memory(err);
    s->n++;
    return st == TR_OK ? flush(s, err) : st;
}

enum tr_status cli_several_end(struct cli_several *s, enum tr_status st, struct tr_error *err)
{
    const struct tr_row_sink *sink = cli_report_sink(s->cli);
    if (st == TR_OK && s->n) {
        bool ok = sink == &tr_row_sink_json   ? tr_buf_add_str(&s->out, "\n}\n")
                  : sink == &tr_row_sink_html ? tr_html_end(&s->out)
                                              : true;
        st = ok ? flush(s, err) : tr_fail_memory(err);
    }
    tr_buf_free(&s->out);
    return st;
}
