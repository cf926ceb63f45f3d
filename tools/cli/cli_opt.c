/* SPDX-License-Identifier: MIT */
/* Options from a table: parsing with getopt_long. */
#include "base/tr_near.h"
#include "cli/cli_priv.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTS   CLI_MAX_OPTS
#define FIRST_LONG 256 /* what getopt_long returns for option number 0 by its long name */

/* The options of a program by number, and their form for getopt_long. */
struct parser {
    const struct tr_option *opts[MAX_OPTS];
    void *fields[MAX_OPTS]; /* the members */
    int tables[MAX_OPTS];
    int n;
    struct option longs[MAX_OPTS + 1];
    char shorts[2 * MAX_OPTS + 3];
};

bool cli__opt_used(const struct cli *cli, const struct tr_option *o)
{
    return o->needs == 0 || (cli->tool->uses & o->needs) != 0;
}

static bool collect(struct cli *cli, struct parser *p)
{
    for (int t = 0; t < 3; t++) {
        for (const struct tr_option *o = cli->tables[t]; o && o->name; o++) {
            if (!cli__opt_used(cli, o))
                continue;
            if (p->n == MAX_OPTS)
                return false;
            p->opts[p->n] = o;
            p->tables[p->n] = t;
            p->fields[p->n++] = (char *)cli->fields[t] + o->offset;
        }
    }
    return true;
}

static void start_parsing(struct parser *p, bool command)
{
    char *s = p->shorts;
    if (command)
        *s++ = '+'; /* lets getopt stop at the first operand */
    *s++ = ':'; /* lets getopt distinguish a missing value from an unknown option */
    for (int i = 0; i < p->n; i++) {
        const struct tr_option *o = p->opts[i];
        p->longs[i].name = o->name;
        p->longs[i].has_arg = o->type == TR_OPTION_FLAG ? no_argument
                              : o->if_bare        ? optional_argument
                                                  : required_argument;
        p->longs[i].val = FIRST_LONG + i;
        if (o->letter) {
            *s++ = o->letter;
            if (o->type != TR_OPTION_FLAG)
                *s++ = ':';
        }
    }
    *s = '\0';
}

static int option_number(const struct parser *p, int c)
{
    if (c >= FIRST_LONG)
        return c - FIRST_LONG;
    for (int i = 0; i < p->n; i++)
        if (p->opts[i]->letter && p->opts[i]->letter == c)
            return i;
    return -1;
}

/* getopt_long returned '?' or ':'.  word: the argument at which it stopped. */
static enum tr_status explain(const struct parser *p, int c, const char *word, const char *program,
                              struct tr_error *err)
{
    int i = optopt ? option_number(p, optopt) : -1;
    if (c == ':' && i >= 0)
        return tr_fail(err, TR_USAGE, "option '--%s' needs a value: %s (see %s --help)",
                       p->opts[i]->name, p->opts[i]->arg, program);
    if (i >= 0)
        return tr_fail(err, TR_USAGE, "option '--%s' takes no value (see %s --help)",
                       p->opts[i]->name, program);
    if (optopt)
        return tr_fail(err, TR_USAGE, "unknown option '-%c' (see %s --help)", optopt, program);

    size_t len = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : strlen(word);
    int n_start = 0, shown = (int)(len < 80 ? len : 80);
    struct tr_near near = { .word = word + 2, .len = len > 2 ? len - 2 : 0 };
    for (i = 0; i < p->n && len > 2; i++) {
        n_start += strncmp(p->opts[i]->name, word + 2, len - 2) == 0;
        if (!p->opts[i]->hidden)
            tr_near_try(&near, p->opts[i]->name);
    }
    if (n_start <= 1 && near.best)
        return tr_fail(err, TR_USAGE, "unknown option '%.*s' (did you mean '--%s'? see %s --help)", shown, word,
                       near.best, program);
    return tr_fail(err, TR_USAGE, "%s option '%.*s' (see %s --help)", n_start > 1 ? "ambiguous" : "unknown", shown,
                   word, program);
}

static enum tr_status take_value(struct cli *cli, const struct parser *p, int i, const char *value,
                                 struct tr_error *err)
{
    if (cli__of_views(cli, p->opts[i]))
        return cli__views_keep(cli, p->opts[i], value, err);
    enum tr_status st = tr_option_set(p->opts[i], p->fields[i], value, err);
    return st == TR_OK && p->tables[i] == 0 ? cli__views_add(cli, p->opts[i], err) : st;
}

enum tr_status cli__parse(struct cli *cli, int argc, char **argv, struct tr_error *err)
{
    struct parser p = { .n = 0 };
    int c;

    if (!collect(cli, &p))
        return tr_fail(err, TR_USAGE, "more than %d options", MAX_OPTS);
    start_parsing(&p, (cli->tool->uses & CLI_COMMAND) != 0);
    opterr = 0; /* messages are ours */
    while ((c = getopt_long(argc, argv, p.shorts, p.longs, NULL)) != -1) {
        if (c == '?' || c == ':')
            return explain(&p, c, argv[optind - 1], cli->name, err);
        int i = option_number(&p, c);
        if (p.tables[i] < 2)
            cli__note_given(cli, p.opts[i]);
        enum tr_status st = take_value(cli, &p, i, optarg, err);
        while (st == TR_OK && p.opts[i]->many && optind < argc &&
               (argv[optind][0] != '-' || !argv[optind][1]))
            st = take_value(cli, &p, i, argv[optind++], err);
        if (st != TR_OK) {
            tr_error_place(err, "option --%s", p.opts[i]->name);
            return st;
        }
    }
    cli->operands = (const char *const *)argv + optind;
    cli->n_operands = (size_t)(argc - optind);
    return TR_OK;
}

void cli__free_options(struct cli *cli)
{
    for (int t = 1; t < 3; t++)
        tr_option_free(cli->tables[t], cli->fields[t]);
}
