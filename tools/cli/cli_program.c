/* SPDX-License-Identifier: MIT */
/* Views of other programs, from a command line or a partial result. */
#include "cli/cli_program.h"

#include "analysis/tr_saved_view.h"
#include "cli/cli_graphs.h"
#include "cli/cli_priv.h"
#include "cli/cli_view.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* ---- a command line ---- */

/* A frame that only reads options. */
struct cli_command {
    struct cli cli;
    struct cli_tool tool;
    struct cli_analysis a;
    char **words; /* the first has all texts */
    int n;
};

static const struct tr_option command_opts[] = { CLI_ANALYSIS_OPTS(struct cli_command, a), { 0 } };

/* Of the common options, the one that changes no rows. */
static const struct tr_option quiet_opts[] = {
    { 'q', "quiet", NULL, TR_OPTION_FLAG, offsetof(struct cli_common, quiet), .help = "" }, { 0 }
};

/* The next word of a line, without its quotes, at *to; NULL: there is none, or a quote has no end. */
static char *next_word(const char **line, char **to, bool *open)
{
    const char *s = *line + strspn(*line, " \t\n");
    char *word = *to, quote = 0;
    if (!*s)
        return NULL;
    for (; *s && (quote || !strchr(" \t\n", *s)); s++) {
        if (quote ? *s == quote : *s == '\'' || *s == '"')
            quote = quote ? 0 : *s;
        else if (*s == '\\' && s[1] && (!quote || (quote == '"' && strchr("\"\\$`", s[1]))))
            *(*to)++ = *++s;
        else
            *(*to)++ = *s;
    }
    *(*to)++ = '\0';
    *line = s;
    *open = quote;
    return quote ? NULL : word;
}

/* The words of a line, with room for one NULL after them. */
static enum tr_status split(struct cli_command *c, const char *line, struct tr_error *err)
{
    size_t len = strlen(line) + 1;
    bool open = false;
    char *text = malloc(len), *to = text, *word;
    c->words = calloc(len / 2 + 3, sizeof *c->words);
    if (!text || !c->words) {
        free(text);
        return tr_fail_memory(err);
    }
    c->words[0] = text;
    while ((word = next_word(&line, &to, &open)) != NULL)
        c->words[c->n++] = word;
    if (open)
        return tr_fail(err, TR_USAGE, "a quote has no end");
    return c->n ? TR_OK : tr_fail(err, TR_USAGE, "it names no program");
}

static const struct tr_view *views_of(const char *program)
{
    const char *name = strncmp(program, "tr-", 3) == 0 ? program + 3 : "";
    for (const struct tr_program *p = tr_programs; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p->views;
    return NULL;
}

static enum tr_status parse(struct cli_command *c, struct tr_error *err)
{
    c->tool = (struct cli_tool){ .name = c->words[0], .views = views_of(c->words[0]), .opts = command_opts };
    if (!c->tool.views)
        return tr_fail(err, TR_USAGE,
                       "'%.80s' is no program with views: save what it prints, and compare with --by table",
                       c->words[0]);
    c->cli.tool = &c->tool;
    c->cli.name = c->tool.name;
    cli__views_start(&c->cli);
    c->cli.tables[0] = c->cli.views.opts;
    c->cli.tables[1] = command_opts;
    c->cli.tables[2] = quiet_opts;
    c->cli.fields[0] = &c->cli.views;
    c->cli.fields[1] = c;
    c->cli.fields[2] = &c->cli.common;
    optind = 0; /* getopt starts anew */
    enum tr_status st = cli__parse(&c->cli, c->n, c->words, err);
    if (st == TR_OK && c->cli.n_operands)
        st = tr_fail(err, TR_USAGE, "'%.80s': the files are the operands of the comparison", c->cli.operands[0]);
    if (st == TR_OK && c->cli.views.n_chosen > 1)
        st = tr_fail(err, TR_USAGE, "a comparison has one view: --by was given %zu times", c->cli.views.n_chosen);
    return st == TR_OK ? cli_view_choose(&c->cli, err) : st;
}

enum tr_status cli_program_read(struct cli_program *p, const char *line, const struct cli_analysis *a,
                                struct tr_error *err)
{
    struct cli_command *c = calloc(1, sizeof *c);
    *p = (struct cli_program){ .a = *a, .command = c };
    if (!c)
        return tr_fail_memory(err);
    c->a = *a;
    enum tr_status st = split(c, line, err);
    if (st == TR_OK)
        st = parse(c, err);
    p->a = c->a;
    p->use = c->cli.views.chosen[0].use;
    return st;
}

/* ---- a partial result ---- */

enum tr_status cli_program_of_partial(struct cli *cli, struct cli_program *p, const struct tr_side_tables *tables,
                                      const struct cli_analysis *a, struct tr_error *err)
{
    const char *name = NULL, *own;
    struct tr_saved_view view;
    *p = (struct cli_program){ .a = *a };
    for (size_t i = 0; (own = tr_saved_view_name(tables, i)) != NULL; i++) {
        if (strcmp(own, "diff") == 0 || strcmp(own, "report") == 0)
            return TR_NO;
        if (name)
            return tr_fail(err, TR_USAGE, "it has partial results of %.60s and of %.60s: --of says which is compared",
                           name, own);
        name = own;
    }
    if (!name)
        return TR_NO;
    enum tr_status st = tr_saved_view_open(&view, tables, name, err);
    p->use = view.use;
    p->texts = view.texts;
    p->a.per = p->a.per < 0 ? view.per : p->a.per;
    p->a.suspect |= view.suspect;
    const struct tr_view_host host = cli_view_host(cli);
    return st == TR_OK ? tr_view_ready(&p->use, &host, err) : st;
}

void cli_program_free(struct cli_program *p)
{
    struct cli_command *c = p->command;
    if (c) {
        cli__views_free(&c->cli);
        free(c->words ? c->words[0] : NULL);
        free(c->words);
        free(c);
    } else if (p->use.view) {
        tr_view_close(&p->use);
    }
    free(p->a.select.where.items);
    free(p->texts);
    *p = (struct cli_program){ .command = NULL };
}
