/* SPDX-License-Identifier: MIT */
/* Options from a table: parsing with getopt_long, and the typed values. */
#include "base/tr_num.h"
#include "cli/cli_priv.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPTS   96  /* of one program, the common ones included */
#define FIRST_LONG 256 /* what getopt_long returns for option number 0 by its long name */

/* The options of a program by number, and their form for getopt_long. */
struct parser {
    const struct cli_opt *opts[MAX_OPTS];
    void *fields[MAX_OPTS]; /* the struct that each belongs to */
    int n;
    struct option longs[MAX_OPTS + 1];
    char shorts[2 * MAX_OPTS + 2];
};

bool cli__opt_used(const struct cli *cli, const struct cli_opt *o)
{
    return o->needs == 0 || (cli->tool->uses & o->needs) != 0;
}

static bool collect(struct cli *cli, struct parser *p)
{
    for (int t = 0; t < 2; t++) {
        for (const struct cli_opt *o = cli->tables[t]; o && o->name; o++) {
            if (!cli__opt_used(cli, o))
                continue;
            if (p->n == MAX_OPTS)
                return false;
            p->opts[p->n] = o;
            p->fields[p->n++] = (char *)cli->fields[t] + o->offset;
        }
    }
    return true;
}

static void start_parsing(struct parser *p)
{
    char *s = p->shorts;
    *s++ = ':'; /* lets getopt distinguish a missing value from an unknown option */
    for (int i = 0; i < p->n; i++) {
        const struct cli_opt *o = p->opts[i];
        p->longs[i].name = o->name;
        p->longs[i].has_arg = o->type == CLI_FLAG ? no_argument
                              : o->if_bare        ? optional_argument
                                                  : required_argument;
        p->longs[i].val = FIRST_LONG + i;
        if (o->letter) {
            *s++ = o->letter;
            if (o->type != CLI_FLAG)
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

/* The number of a word among words; -1, with err filled in: it is not one of them. */
static int find_word(const char *const *words, const char *word, size_t len, struct tr_error *err)
{
    char all[256] = "";
    for (int i = 0; words[i]; i++) {
        if (strlen(words[i]) == len && memcmp(words[i], word, len) == 0)
            return i;
        size_t n = strlen(all);
        snprintf(all + n, sizeof all - n, "%s%s", i ? ", " : "", words[i]);
    }
    tr_fail(err, TR_USAGE, "'%.*s' is not one of %s", (int)(len < 80 ? len : 80), word, all);
    return -1;
}

static enum tr_status set_choice(const struct cli_opt *o, int *field, const char *value,
                                 struct tr_error *err)
{
    size_t len = o->keys ? strcspn(value, ",") : strlen(value);
    int choice = find_word(o->choices, value, len, err);
    if (choice < 0)
        return TR_USAGE;
    *field = choice;
    if (!o->keys)
        return TR_OK;
    struct cli_by *by = (struct cli_by *)(void *)field; /* field is its first member */
    by->keys = 0;
    for (value += len; *value; value += len) {
        value++;
        len = strcspn(value, ",");
        int key = find_word(o->keys, value, len, err);
        if (key < 0)
            return TR_USAGE;
        by->keys |= 1u << key;
    }
    return TR_OK;
}

static enum tr_status add_to_list(struct cli_list *list, const char *value, struct tr_error *err)
{
    if (!tr_grow(&list->items, &list->cap, list->n + 1, sizeof list->items[0]))
        return tr_fail_memory(err);
    list->items[list->n++] = value;
    return TR_OK;
}

/* Store a value of option o in its field. */
static enum tr_status set_value(const struct cli_opt *o, void *field, const char *value,
                                struct tr_error *err)
{
    bool has_lo = o->lo != 0 || o->hi != 0, has_hi = o->hi != 0 || o->lo < 0;
    uint64_t ulo = has_lo ? (uint64_t)o->lo : 0, uhi = has_hi ? (uint64_t)o->hi : UINT64_MAX;
    int64_t lo = has_lo ? o->lo : INT64_MIN, hi = has_hi ? o->hi : INT64_MAX;

    if (o->type == CLI_FLAG) {
        *(bool *)field = true;
        return TR_OK;
    }
    if (!value)
        value = o->if_bare;
    switch (o->type) {
    case CLI_FLAG:
        break;
    case CLI_U64:
        return tr_num_u64(value, ulo, uhi, field, err);
    case CLI_I64:
        return tr_num_i64(value, lo, hi, field, err);
    case CLI_DOUBLE:
        return tr_num_double(value, has_lo ? (double)lo : -1e300, has_hi ? (double)hi : 1e300,
                             field, err);
    case CLI_SIZE:
        return tr_num_size(value, ulo, uhi, field, err);
    case CLI_TIME:
        return tr_num_time(value, lo, hi, field, err);
    case CLI_STRING:
    case CLI_FILE:
    case CLI_DIR:
        *(const char **)field = value;
        break;
    case CLI_CHOICE:
        return set_choice(o, field, value, err);
    case CLI_LIST:
        return add_to_list(field, value, err);
    case CLI_CALL:
        return o->call(field, value, err);
    }
    return TR_OK;
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
    int n_start = 0;
    for (i = 0; i < p->n && len > 2; i++)
        n_start += strncmp(p->opts[i]->name, word + 2, len - 2) == 0;
    return tr_fail(err, TR_USAGE, "%s option '%.*s' (see %s --help)",
                   n_start > 1 ? "ambiguous" : "unknown", (int)(len < 80 ? len : 80), word,
                   program);
}

static void note_given(struct cli *cli, const struct cli_opt *o)
{
    for (size_t i = 0; i < 64 && cli->tables[0] && cli->tables[0][i].name; i++)
        if (&cli->tables[0][i] == o)
            cli->given |= UINT64_C(1) << i;
}

bool cli_given(const struct cli *cli, const char *name)
{
    for (size_t i = 0; i < 64 && cli->tables[0] && cli->tables[0][i].name; i++)
        if (strcmp(cli->tables[0][i].name, name) == 0)
            return cli->given >> i & 1;
    return false;
}

enum tr_status cli__parse(struct cli *cli, int argc, char **argv, struct tr_error *err)
{
    struct parser p = { .n = 0 };
    int c;

    if (!collect(cli, &p))
        return tr_fail(err, TR_USAGE, "more than %d options", MAX_OPTS);
    start_parsing(&p);
    opterr = 0; /* messages are ours */
    while ((c = getopt_long(argc, argv, p.shorts, p.longs, NULL)) != -1) {
        if (c == '?' || c == ':')
            return explain(&p, c, argv[optind - 1], cli->name, err);
        int i = option_number(&p, c);
        note_given(cli, p.opts[i]);
        enum tr_status st = set_value(p.opts[i], p.fields[i], optarg, err);
        while (st == TR_OK && p.opts[i]->many && optind < argc &&
               (argv[optind][0] != '-' || !argv[optind][1]))
            st = set_value(p.opts[i], p.fields[i], argv[optind++], err);
        if (st != TR_OK) {
            tr_error_place(err, "option --%s", p.opts[i]->name);
            return st;
        }
    }
    cli->operands = (const char *const *)argv + optind;
    cli->n_operands = (size_t)(argc - optind);
    return TR_OK;
}

void cli__free_lists(struct cli *cli)
{
    for (int t = 0; t < 2; t++) {
        for (const struct cli_opt *o = cli->tables[t]; o && o->name; o++) {
            if (o->type == CLI_LIST) {
                struct cli_list *list = (void *)((char *)cli->fields[t] + o->offset);
                free(list->items);
                *list = (struct cli_list){ 0 };
            }
        }
    }
}
