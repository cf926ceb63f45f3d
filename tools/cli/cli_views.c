/* SPDX-License-Identifier: MIT */
/* The options of the views of a program, as options of its command line. */
#include "cli/cli_graphs.h"
#include "cli/cli_priv.h"
#include "cli/cli_view.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which options there are ---- */

static bool has_word(const char *const *words, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

/* There are several views to choose from; then --by is the first of their options. */
static bool has_by(const struct cli *cli)
{
    const struct tr_view *v = cli->tool->views;
    return v && v[0].analysis && v[1].analysis;
}

/* --by, with the names of the views and their keys. */
static void add_by(struct cli *cli)
{
    struct cli_views *s = &cli->views;
    size_t n_keys = 0;
    bool several = false;
    for (size_t i = 0; cli->tool->views[i].analysis; i++) {
        const struct tr_view *v = &cli->tool->views[i];
        s->names[i] = v->name;
        for (const struct tr_view_key *k = v->keys; k && k->name; k++) {
            several |= k > v->keys && !v->one_key;
            if (!has_word(s->keys, n_keys, k->name))
                s->keys[n_keys++] = k->name;
        }
    }
    s->opts[s->n_opts++] = (struct tr_option){ .name = "by",
                                               .arg = several  ? "TABLE[,KEY]..."
                                                      : n_keys ? "TABLE[,KEY]"
                                                               : "TABLE",
                                               .type = TR_OPTION_CHOICE,
                                               .offset = offsetof(struct cli_views, by),
                                               .help = "", /* cli__option_help puts it together */
                                               .choices = s->names,
                                               .keys = n_keys ? s->keys : NULL };
}

void cli__views_start(struct cli *cli)
{
    struct cli_views *s = &cli->views;
    const struct tr_option *o;
    if (has_by(cli))
        add_by(cli);
    for (const struct tr_view *v = cli->tool->views; v && v->analysis; v++)
        for (size_t i = 0; (o = tr_view_option(v, i)) != NULL; i++) {
            size_t at = 0;
            while (at < s->n_opts && strcmp(s->opts[at].name, o->name) != 0)
                at++;
            if (at == s->n_opts && at < CLI_MAX_VIEW_OPTS)
                s->opts[s->n_opts++] = *o;
        }
}

bool cli__of_views(const struct cli *cli, const struct tr_option *o)
{
    const struct tr_option *first = cli->views.opts + has_by(cli);
    return o >= first && o < cli->views.opts + cli->views.n_opts;
}

/* ---- options that were given ---- */

/* Is the value valid?  Files are read later. */
static enum tr_status try_value(const struct cli *cli, const struct tr_option *o, const char *value,
                                struct tr_error *err)
{
    const struct tr_option alone[] = { *o, { .name = NULL } };
    const struct tr_view *v = cli->tool->views;
    while (!tr_view_option_named(v, o->name))
        v++;
    for (const struct tr_option *file = v->files; file && file->name; file++)
        if (strcmp(file->name, o->name) == 0)
            return TR_OK;
    char *options = malloc(v->analysis->options_size);
    if (!options)
        return tr_fail_memory(err);
    memcpy(options, v->analysis->defaults, v->analysis->options_size);
    enum tr_status st = tr_option_set(o, options + o->offset, value, err);
    tr_option_free(alone, options);
    free(options);
    return st;
}

enum tr_status cli__views_keep(struct cli *cli, const struct tr_option *o, const char *value, struct tr_error *err)
{
    struct cli_views *s = &cli->views;
    enum tr_status st = try_value(cli, o, value, err);
    if (st == TR_OK && !tr_grow(&s->values, &s->cap_values, s->n_values + 1, sizeof *s->values))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        s->values[s->n_values++] = (struct cli_value){ o->name, value };
    return st;
}

void cli__note_given(struct cli *cli, const struct tr_option *o)
{
    if (!cli_given(cli, o->name))
        cli->given[cli->n_given++] = o->name;
}

bool cli_given(const struct cli *cli, const char *name)
{
    return has_word(cli->given, cli->n_given, name);
}

void cli__views_free(struct cli *cli)
{
    for (size_t i = 0; i < cli->views.n_chosen; i++)
        tr_view_close(&cli->views.chosen[i].use);
    free(cli->views.values);
}

/* ---- which views have an option ---- */

static bool in_list(const char *list, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, len) == 0 && (at[len] == ',' || !at[len]))
            return true;
    return false;
}

/* o: of a view, or of the program. */
static bool takes(const struct cli *cli, const struct tr_view *v, const struct tr_option *o)
{
    return cli__of_views(cli, o) ? tr_view_option_named(v, o->name) != NULL : !o->views || in_list(o->views, v->name);
}

static const char *help_of(const struct cli *cli, const struct tr_view *v, const struct tr_option *o)
{
    return cli__of_views(cli, o) ? tr_view_option_named(v, o->name)->help : o->help;
}

/* The views from v on that have an option with this help (NULL: any help); how many there are. */
static size_t add_names(const struct cli *cli, const struct tr_view *v, const struct tr_option *o, const char *help,
                        char *text, size_t size)
{
    size_t n = 0;
    for (; v->analysis; v++) {
        size_t len = strlen(text);
        if (takes(cli, v, o) && (!help || strcmp(help_of(cli, v, o), help) == 0))
            snprintf(text + len, size - len, "%s%s", n++ ? ", " : "", v->name);
    }
    return n;
}

static void add_text(char *text, size_t size, const char *fmt, ...) TR_PRINTF(3, 4);
static void add_text(char *text, size_t size, const char *fmt, ...)
{
    size_t len = strlen(text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text + len, size - len, fmt, ap);
    va_end(ap);
}

/* What each view is, its keys (once, if the next view has the same), and which is the default. */
static void by_help(const struct tr_view *views, char *text, size_t size)
{
    *text = '\0';
    for (const struct tr_view *v = views; v->analysis; v++) {
        const struct tr_view_key *keys = v[1].keys == v->keys ? NULL : v->keys;
        const char *open = v > views && v[-1].keys == v->keys ? " (KEY of these: " : " (KEY: ";
        if (v > views)
            add_text(text, size, v->brief ? "; " : ", ");
        add_text(text, size, v->brief ? "%s: %s" : "%s", v->name, v->brief);
        for (const struct tr_view_key *k = keys; k && k->name; k++)
            add_text(text, size, "%s%s%s", k == keys ? open : ", ", k->name, k[1].name ? "" : ")");
    }
    add_text(text, size, " [%s]", views->name);
}

void cli__option_help(const struct cli *cli, const struct tr_option *o, char *text, size_t size)
{
    const char *seen[8];
    size_t n_seen = 0, n_views = 0;
    *text = '\0';
    while (cli->tool->views && cli->tool->views[n_views].analysis)
        n_views++;
    if (has_by(cli) && o == cli->views.opts)
        by_help(cli->tool->views, text, size);
    else if (!cli__of_views(cli, o) && !o->views)
        snprintf(text, size, "%s", o->help);
    else
        for (const struct tr_view *v = cli->tool->views; v->analysis; v++) {
            const char *help = takes(cli, v, o) ? help_of(cli, v, o) : NULL;
            if (!help || has_word(seen, n_seen, help) || n_seen == sizeof seen / sizeof *seen)
                continue;
            size_t len = strlen(text), before = len + (n_seen ? 2 : 0);
            snprintf(text + len, size - len, "%s", n_seen ? "; " : "");
            bool all = add_names(cli, v, o, help, text, size) == n_views;
            len = all ? before : strlen(text);
            snprintf(text + len, size - len, "%s%s", all ? "" : ": ", help);
            seen[n_seen++] = help;
        }
}

/* ---- the views that were chosen ---- */

void cli__name_of_view(const char *view, const char *const *keys, unsigned chosen, char name[CLI_TABLE_NAME])
{
    size_t n = 0;
    for (const char *c = view; *c && n + 1 < CLI_TABLE_NAME; c++)
        name[n++] = *c;
    for (unsigned k = 0; keys && keys[k]; k++)
        for (const char *c = keys[k]; chosen >> k & 1 && *c && n + 2 < CLI_TABLE_NAME; c++) {
            if (c == keys[k])
                name[n++] = '_';
            name[n++] = *c;
        }
    name[n] = '\0';
}

enum tr_status cli__views_add(struct cli *cli, const struct tr_option *o, struct tr_error *err)
{
    struct cli_views *s = &cli->views;
    char name[CLI_TABLE_NAME];
    if (!has_by(cli) || o != s->opts)
        return TR_OK;
    cli__name_of_view(s->names[s->by.choice], s->keys, s->by.keys, name);
    for (size_t i = 0; i < s->n_chosen; i++)
        if (strcmp(s->chosen[i].name, name) == 0)
            return tr_fail(err, TR_USAGE, "the view %s is asked for twice", s->names[s->by.choice]);
    if (s->n_chosen == CLI_MAX_VIEWS)
        return tr_fail(err, TR_USAGE, "more than %d views", CLI_MAX_VIEWS);
    s->chosen[s->n_chosen].by = s->by;
    memcpy(s->chosen[s->n_chosen++].name, name, sizeof name);
    return TR_OK;
}

static const struct tr_view *chosen(const struct cli *cli, size_t i)
{
    return &cli->tool->views[cli->views.chosen[i].by.choice];
}

/* The names of the views that were chosen. */
static const char *who(const struct cli *cli, char text[300])
{
    *text = '\0';
    for (size_t i = 0; i < cli->views.n_chosen; i++)
        add_text(text, 300, "%s%s", i ? ", " : "", chosen(cli, i)->name);
    return text;
}

static enum tr_status refuse(const struct cli *cli, const struct tr_option *o, struct tr_error *err)
{
    char known[200] = "", names[300];
    bool one = cli->views.n_chosen == 1;
    add_names(cli, cli->tool->views, o, NULL, known, sizeof known);
    return tr_fail(err, TR_USAGE, "the view%s %s do%s not take --%s, which is for %s", one ? "" : "s", who(cli, names),
                   one ? "es" : "", o->name, known);
}

/* Does one of the views take this option? */
static bool any_takes(const struct cli *cli, const struct tr_option *o)
{
    size_t i = 0;
    while (i < cli->views.n_chosen && !takes(cli, chosen(cli, i), o))
        i++;
    return i < cli->views.n_chosen;
}

static bool lacks(const struct tr_view *v, const char *name)
{
    size_t k = 0, n = sizeof v->lacks / sizeof *v->lacks;
    while (k < n && v->lacks[k] && strcmp(v->lacks[k], name) != 0)
        k++;
    return k < n && v->lacks[k];
}

/* An option has to fit at least one view. */
static enum tr_status check(const struct cli *cli, struct tr_error *err)
{
    const struct tr_view *v = chosen(cli, 0);
    char names[300];
    for (size_t i = 0; i < cli->views.n_opts; i++)
        if (cli__of_views(cli, &cli->views.opts[i]) && cli_given(cli, cli->views.opts[i].name) &&
            !any_takes(cli, &cli->views.opts[i]))
            return refuse(cli, &cli->views.opts[i], err);
    for (const struct tr_option *o = cli->tool->opts; o && o->name; o++)
        if (cli_given(cli, o->name) && !any_takes(cli, o))
            return refuse(cli, o, err);
    for (size_t k = 0; k < sizeof v->lacks / sizeof *v->lacks && v->lacks[k]; k++) {
        size_t n = 0;
        while (n < cli->views.n_chosen && lacks(chosen(cli, n), v->lacks[k]))
            n++;
        if (cli_given(cli, v->lacks[k]) && n == cli->views.n_chosen)
            return tr_fail(err, TR_USAGE, "the view%s %s do%s not take --%s", n == 1 ? "" : "s", who(cli, names),
                           n == 1 ? "es" : "", v->lacks[k]);
    }
    return TR_OK;
}

/* A view with those of the options that it has. */
static enum tr_status open_view(struct cli *cli, struct cli_chosen *c, struct tr_error *err)
{
    const struct cli_views *s = &cli->views;
    const struct tr_view *v = &cli->tool->views[c->by.choice];
    enum tr_status st = tr_view_open(&c->use, v, err);
    for (unsigned k = 0; s->keys[k] && st == TR_OK; k++)
        if (c->by.keys >> k & 1)
            st = tr_view_refine(&c->use, s->keys[k], err);
    if (st != TR_OK && c->use.refined)
        tr_error_place(err, "option --by");
    for (size_t i = 0; i < s->n_values && st == TR_OK; i++) {
        if (!tr_view_option_named(v, s->values[i].name))
            continue; /* another view has it */
        st = tr_view_set(&c->use, s->values[i].name, s->values[i].value, err);
        if (st != TR_OK && !err->input[0])
            tr_error_place(err, "option --%s", s->values[i].name);
    }
    const struct tr_view_host host = cli_view_host(cli);
    return st == TR_OK ? tr_view_ready(&c->use, &host, err) : st;
}

void cli_view_default(struct cli *cli, const char *name, const char *key)
{
    struct cli_views *s = &cli->views;
    int at = 0;
    unsigned k = 0;
    while (cli->tool->views[at].analysis && strcmp(cli->tool->views[at].name, name) != 0)
        at++;
    if (s->n_chosen || !cli->tool->views[at].analysis)
        return;
    while (key && s->keys[k] && strcmp(s->keys[k], key) != 0)
        k++;
    s->chosen[s->n_chosen].by = (struct tr_option_by){ at, key && s->keys[k] ? 1u << k : 0 };
    cli__name_of_view(name, s->keys, s->chosen[s->n_chosen].by.keys, s->chosen[s->n_chosen].name);
    s->n_chosen++;
}

enum tr_status cli_view_choose(struct cli *cli, struct tr_error *err)
{
    struct cli_views *s = &cli->views;
    if (s->chosen[0].use.view)
        return TR_OK;
    if (!s->n_chosen)
        cli__name_of_view(cli->tool->views->name, NULL, 0, s->chosen[s->n_chosen++].name);
    enum tr_status st = check(cli, err);
    for (size_t i = 0; st == TR_OK && i < s->n_chosen; i++)
        st = open_view(cli, &s->chosen[i], err);
    return st;
}

const struct tr_view *cli_view(const struct cli *cli)
{
    return chosen(cli, 0);
}

void *cli_view_options(struct cli *cli)
{
    return cli->views.chosen[0].use.options;
}
