/* SPDX-License-Identifier: MIT */
/* Views of other programs, from a command line or a partial result. */
#include "cli/cli_program.h"

#include "cli/cli_graphs.h"
#include "cli/cli_priv.h"
#include "cli/cli_view.h"
#include "engine/tr_partial.h"

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

/* The name of the analysis of a table "partial.NAME"; NULL: it is another table. */
static const char *analysis_name(const struct tr_side_table *t)
{
    static const char prefix[] = "partial.";
    const char *name = t->name + sizeof prefix - 1;
    return strncmp(t->name, prefix, sizeof prefix - 1) == 0 && !strchr(name, '.') ? name : NULL;
}

/* The first option after o whose " NAME=" is in the text, which is set to the place of it; else to the end. */
static const struct tr_option *next_option(const struct tr_option *o, char **text)
{
    char *end = *text + strlen(*text), *first = end;
    const struct tr_option *next = NULL;
    for (o++; o->name; o++) {
        size_t len = strlen(o->name);
        for (char *at = strchr(*text, ' '); at && at < first; at = strchr(at + 1, ' '))
            if (strncmp(at + 1, o->name, len) == 0 && at[1 + len] == '=') {
                first = at;
                next = o;
            }
    }
    *text = first;
    return next;
}

/* Set options from the text of tr_option_state, which is changed; loading compares the result with the text. */
static enum tr_status set_options(const struct tr_option *list, void *options, char *text, struct tr_error *err)
{
    const struct tr_option *o = list;
    enum tr_status st = TR_OK;
    while (o && o->name && (strncmp(text, o->name, strlen(o->name)) != 0 || text[strlen(o->name)] != '='))
        o++;
    while (st == TR_OK && o && o->name && *text) {
        char *value = text + strlen(o->name) + 1, *end = value;
        const struct tr_option *next = next_option(o, &end);
        text = *end ? end + 1 : end;
        *end = '\0';
        if (o->type != TR_OPTION_CALL || o->call) /* others are files; loading compares what is in them */
            st = tr_option_set(o, (char *)options + o->offset, value, err);
        o = next;
    }
    return st;
}

/* A view with the options of a partial result. */
static enum tr_status take_view(struct cli *cli, struct cli_program *p, const struct tr_view *view,
                                const struct tr_analysis *a, const struct tr_partial_about *about, struct tr_error *err)
{
    enum tr_status st = tr_view_open(&p->use, view, err);
    p->use.analysis = a;
    for (int per = 0; per <= TR_PER_ALL; per++)
        if (tr_str_is(about->per, tr_per_name((enum tr_per)per)) && p->a.per < 0 && per != (int)a->group)
            p->a.per = per;
    p->a.suspect |= about->suspect;
    p->texts = calloc(about->options.len + 1, 1);
    if (st == TR_OK && !p->texts)
        st = tr_fail_memory(err);
    if (st == TR_OK && about->options.len) {
        memcpy(p->texts, about->options.s, about->options.len);
        st = set_options(a->options, p->use.options, p->texts, err);
    }
    const struct tr_view_host host = cli_view_host(cli);
    return st == TR_OK ? tr_view_ready(&p->use, &host, err) : st;
}

/* Is it the partial result of an analysis?  Two programs may have views of one name. */
static bool is_of(const struct tr_analysis *a, const char *name, const struct tr_side_tables *tables,
                  struct tr_partial_about *about)
{
    return a->saving && strcmp(a->saving->name ? a->saving->name : a->name, name) == 0 &&
           tr_partial_describe(tables, a->saving, a->name, about) && about->version == a->saving->version;
}

/* The analysis of a view, or of one of its keys, that the tables are a partial result of.  NULL: there is none. */
static const struct tr_analysis *analysis_of(const struct tr_view *view, const char *name,
                                             const struct tr_side_tables *tables, struct tr_partial_about *about)
{
    const struct tr_analysis *a = view->analysis;
    bool found = is_of(a, name, tables, about);
    for (const struct tr_view_key *k = view->keys; !found && k && k->name; k++) {
        a = k->analysis ? k->analysis : a;
        found = is_of(a, name, tables, about);
    }
    return found ? a : NULL;
}

enum tr_status cli_program_of_partial(struct cli *cli, struct cli_program *p, const struct tr_side_tables *tables,
                                      const struct cli_analysis *a, struct tr_error *err)
{
    const char *name = NULL;
    const struct tr_analysis *of = NULL;
    const struct tr_view *view = NULL;
    struct tr_partial_about about;
    *p = (struct cli_program){ .a = *a };
    for (size_t i = 0; i < tables->n; i++) {
        const char *own = analysis_name(tables->v[i]);
        if (own && (strcmp(own, "diff") == 0 || strcmp(own, "report") == 0))
            return TR_NO;
        if (own && name && strcmp(own, name) != 0)
            return tr_fail(err, TR_USAGE, "it has partial results of %.60s and of %.60s: --of says which is compared",
                           name, own);
        name = own ? own : name;
    }
    for (size_t i = 0; name && !of && (view = tr_view_at(i)) != NULL; i++)
        of = analysis_of(view, name, tables, &about);
    if (!name)
        return TR_NO;
    if (!of)
        return tr_fail(err, TR_USAGE,
                       "it has a partial result of %.60s, which is no view of this version, or was saved by another",
                       name);
    return take_view(cli, p, view, of, &about, err);
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
