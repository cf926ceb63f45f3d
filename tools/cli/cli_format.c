/* SPDX-License-Identifier: MIT */
/* The format of tables: -O, else TR_FORMAT, else by the kind of output. */
#include "cli/cli_priv.h"
#include "sink/tr_sinks.h"

#include <stdlib.h>
#include <string.h>

/* The option -O, of the program or of the frame, and its value.  NULL: there is none. */
static const struct tr_option *option(const struct cli *cli, int **value, bool *given)
{
    for (int table = 1; table < 3; table++)
        for (const struct tr_option *o = cli->tables[table]; o && o->name; o++)
            if (strcmp(o->name, "output-format") == 0 && o->type == TR_OPTION_CHOICE && cli__opt_used(cli, o)) {
                *value = (int *)(void *)((char *)cli->fields[table] + o->offset);
                *given = table == 2 ? **value >= 0 : cli_given(cli, o->name);
                return o;
            }
    return NULL;
}

static bool is_choice(const struct tr_option *o, const char *name)
{
    size_t i = 0;
    while (o->choices[i] && strcmp(o->choices[i], name) != 0)
        i++;
    return o->choices[i] != NULL;
}

enum tr_status cli__format_default(struct cli *cli, struct tr_error *err)
{
    const char *name = getenv("TR_FORMAT");
    int *value;
    bool given;
    const struct tr_option *o = option(cli, &value, &given);
    if (!o || given || cli->common.bars || !name || !*name)
        return TR_OK;
    const struct tr_row_sink *sink = tr_row_sink_by_name(name);
    if (sink && (!is_choice(o, name) || (sink->book && !cli->common.output)))
        return TR_OK; /* what works without the variable works with it */
    cli->common.format_before = *value;
    enum tr_status st = tr_option_set(o, value, name, err);
    if (st == TR_OK && !sink)
        st = tr_fail(err, TR_USAGE, "'%.80s' is not a format of tables", name);
    if (st != TR_OK)
        tr_error_place(err, "TR_FORMAT");
    cli->common.format_default = st == TR_OK;
    return st;
}

bool cli_format_forget(struct cli *cli)
{
    int *value;
    bool given;
    if (!cli->common.format_default || !option(cli, &value, &given))
        return false;
    *value = cli->common.format_before;
    cli->common.format_default = false;
    return true;
}

const char *cli__format_name(const struct cli *cli)
{
    int *value;
    bool given;
    const struct tr_option *o = option(cli, &value, &given);
    return o && (given || cli->common.format_default) ? o->choices[*value] : NULL;
}

bool cli__format_is_text(const struct cli *cli)
{
    int *value;
    bool given;
    const struct tr_option *o = option(cli, &value, &given);
    return o && (*value < 0 || !o->choices[*value] ? cli_report_format(cli) == CLI_TEXT
                                                   : strcmp(o->choices[*value], "text") == 0);
}

bool cli_format_given(const struct cli *cli)
{
    return cli->common.format >= 0 && !cli->common.format_default;
}

bool cli_format_chosen(const struct cli *cli)
{
    return cli->common.format >= 0;
}

enum cli_format cli_report_format(const struct cli *cli)
{
    if (cli->common.format >= 0)
        return (enum cli_format)cli->common.format;
    return cli->common.bars || cli__is_terminal(cli, cli->out.fd) ? CLI_TEXT : CLI_TSV;
}
