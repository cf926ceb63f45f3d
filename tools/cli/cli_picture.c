/* SPDX-License-Identifier: MIT */
/* What stands around the picture of a table. */
#include "cli/cli_picture.h"

#include "cli/cli_priv.h"

#include <inttypes.h>
#include <string.h>

/* The views of the program that have a chart, for a message. */
static bool add_views(const struct cli *cli, struct tr_buf *text)
{
    bool any = false, ok = true;
    const struct tr_view *views = cli->tool->views;
    for (const struct tr_view *v = views && views[1].analysis ? views : NULL; ok && v && v->analysis; v++)
        if (v->analysis->chart) {
            ok = tr_buf_add_str(text, any ? ", " : "; --by has it for ") && tr_buf_add_str(text, v->name);
            any = true;
        }
    return ok && (any || !views || tr_buf_add_str(text, ", and no table of this program has one")) &&
           tr_buf_add(text, "", 1);
}

enum tr_status cli_picture_possible(struct cli *cli, bool has_chart, struct tr_error *err)
{
    if (cli->common.bars && cli_report_format(cli) != CLI_TEXT && cli_format_given(cli))
        return tr_fail(err, TR_USAGE, "--bars is a form of text, and goes with -O text");
    if (cli->common.size.width && !(cli_report_format(cli) == CLI_SVG || cli_report_format(cli) == CLI_VEGA))
        return tr_fail(err, TR_USAGE, "--size is about pictures, and goes with -O svg and -O vega");
    bool draws = cli_report_format(cli) == CLI_SVG || cli_report_format(cli) == CLI_VEGA ||
                 (cli_bars(cli) && cli_report_format(cli) == CLI_TEXT);
    if (has_chart || !draws || cli_arrange(cli)->help_columns || (!cli_bars(cli) && cli_format_forget(cli)))
        return TR_OK;
    struct tr_buf views = { 0 };
    enum tr_status st = add_views(cli, &views)
                            ? tr_fail(err, TR_USAGE, "this table has no natural picture%s", tr_buf_text(&views))
                            : tr_fail_memory(err);
    tr_buf_free(&views);
    return st;
}

static bool add_input(struct tr_buf *text, const char *path)
{
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        len--;
    const char *name = path;
    for (size_t i = 0; i + 1 < len; i++)
        if (path[i] == '/')
            name = path + i + 1;
    return strcmp(path, "-") == 0 ? tr_buf_add_str(text, "standard input")
                                  : tr_buf_add(text, name, len - (size_t)(name - path));
}

/* "rank0.json, rank1.json", or "rank0.json, … (64 files)". */
static bool add_inputs(const struct cli *cli, struct tr_buf *text)
{
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    bool ok = n ? add_input(text, operands[0]) : tr_buf_add_str(text, "standard input");
    if (ok && n == 2)
        ok = tr_buf_add_str(text, ", ") && add_input(text, operands[1]);
    else if (ok && n > 2)
        ok = tr_buf_print(text, ", \xe2\x80\xa6 (%zu files)", n);
    return ok && tr_buf_add(text, "", 1);
}

static bool add_selection(const struct cli_select *select, struct tr_buf *text)
{
    size_t start = text->len;
    const struct tr_select_opts *o = select ? &select->opts : NULL;
    bool step = o && o->has_steps && o->steps.from == o->steps.to;
    bool ok = !step || tr_buf_print(text, "step %" PRId64 " ", o->steps.from);
    ok = ok && (!select || (step && !o->has_time && !o->has_host_time && !o->drop_last_step && !select->where.n) ||
                cli_select_text(select, text));
    if (ok && select && text->len == start)
        ok = tr_buf_add_str(text, "whole trace");
    while (ok && text->len > start && text->data[text->len - 1] == ' ')
        text->len--;
    return ok && tr_buf_add(text, "", 1);
}

enum tr_status cli_picture_about(struct cli *cli, const char *question, const struct cli_select *select,
                                 const struct tr_picture **is, struct tr_error *err)
{
    struct cli_picture *p = &cli->picture;
    p->inputs.len = p->selection.len = 0;
    if (!add_inputs(cli, &p->inputs) || !add_selection(select, &p->selection))
        return tr_fail_memory(err);
    p->is = (struct tr_picture){ .title = question,
                                 .inputs = tr_buf_text(&p->inputs),
                                 .selection = tr_buf_text(&p->selection),
                                 .command = cli_command_line(cli),
                                 .width = cli->common.size.width,
                                 .height = cli->common.size.height };
    *is = &p->is;
    return TR_OK;
}

enum tr_status cli_picture(struct cli *cli, struct tr_table *t, const struct tr_chart *chart, const char *question,
                           const struct cli_select *select, const char *nothing, struct tr_error *err)
{
    const struct tr_picture *is;
    enum tr_status st = cli_picture_about(cli, question, select, &is, err);
    cli->picture.is.chart = chart;
    cli->picture.is.nothing = nothing;
    if (st == TR_OK)
        tr_table_picture(t, is);
    return st;
}
