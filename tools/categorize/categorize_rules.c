/* SPDX-License-Identifier: MIT */
/* tr-categorize: the list of rules, and the rule that matches a name. */
#include "categorize/categorize.h"

#include "cli/cli_view.h"
#include "formats/tr_model_files.h"

#include <string.h>

struct set_row {
    const char *name;
    uint64_t rules, classes;
};
static const struct tr_table_column set_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct set_row, name), .meaning = "name for --rules" },
    { "rules", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct set_row, rules), .meaning = "number of them" },
    { "classes", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct set_row, classes), .meaning = "number of classes" },
};

static enum tr_status list_rows(struct cli *cli, void *o, struct tr_table *t, struct tr_error *err)
{
    static const struct tr_rules_opts plain = { TR_RULES_IN_ORDER, false };
    enum tr_status st = TR_OK;
    (void)cli;
    (void)o;
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && st == TR_OK; b++) {
        struct tr_rules *r = NULL;
        size_t n_labels;
        st = tr_rules_new(&r, err);
        if (st == TR_OK)
            st = tr_rules_load(r, b->name, &plain, err);
        if (st == TR_OK) {
            tr_rules_labels(r, &n_labels);
            tr_table_row(t, &(struct tr_row){ .row = &(struct set_row){ b->name, tr_rules_count(r), n_labels } });
        }
        tr_rules_free(r);
    }
    return st;
}

enum tr_status categorize_list(struct cli *cli, struct tr_error *err)
{
    static const struct cli_table table = { .fill = list_rows, CLI_COLUMNS(set_columns) };
    return cli_table_run(cli, &table, NULL, err);
}

enum tr_status categorize_print(struct cli *cli, const char *name, struct tr_error *err)
{
    const struct tr_rules_builtin *b = tr_rules_builtin_named(name);
    int fd;
    if (!b) {
        tr_error_place(err, "option --print-rules");
        return tr_fail(err, TR_USAGE, "no rules '%.200s' come with the program: see --list-rules", name);
    }
    enum tr_status st = cli_output(cli, false, &fd, err);
    return st == TR_OK ? cli_write(cli, b->text, strlen(b->text), err) : st;
}

/* A rule, and the name that it matches; without a rule, the name alone. */
struct rule_row {
    const char *name, *about, *label, *kind, *set, *condition, *text, *wins;
    int64_t line;
};

/* role: of the columns of its place. */
#define RULE_COLUMNS(role)                                                                                         \
    { "class", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct rule_row, label),                                        \
      .meaning = "that the rule gives; empty: none" },                                                             \
    { "kind", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct rule_row, kind),                                          \
      .meaning = "that the rule sets; empty: none" },                                                              \
    { "rules", TR_CELL_STRING, (role), TR_OF(struct rule_row, set),                                                \
      .meaning = "the file, or the set that comes with the program" },                                             \
    { "line", TR_CELL_COUNT, (role) == TR_ROLE_KEY ? TR_ROLE_KEY : TR_ROLE_QUANTILE, TR_OF(struct rule_row, line), \
      .meaning = "its line there" },                                                                               \
    { "condition", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct rule_row, condition),                                \
      .meaning = "how names are compared with the text" },                                                         \
    { "text", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct rule_row, text), .wide = true,                            \
      .meaning = "text that names are compared with" },                                                            \
    { "wins", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct rule_row, wins),                                          \
      .meaning = "rule that wins in the file: the first, or the longest" }

static const struct tr_table_column show_columns[] = {
    { "about", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct rule_row, about),
      .meaning = "device for device work, or operator" },
    RULE_COLUMNS(TR_ROLE_KEY),
};
static const struct tr_table_column explain_columns[] = {
    { "name", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct rule_row, name), .meaning = "name that was given" },
    { "as", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct rule_row, about),
      .meaning = "device for device work, or operator; empty: no rule" },
    RULE_COLUMNS(TR_ROLE_TEXT),
};

/* as: what the rule is about; for a name, as what it takes the name. */
static void add_rule(struct tr_table *t, const struct tr_rules *rules, uint32_t number, const char *name,
                     enum tr_rule_target as)
{
    const struct tr_rule *r = tr_rules_get(rules, number);
    bool longest = tr_rules_order(rules, r->set) == TR_RULES_LONGEST;
    const struct rule_row row = { .name = name,
                                  .about = tr_rule_target_name(as),
                                  .label = r->label,
                                  .kind = r->kind == TR_KIND_NONE ? NULL : tr_kind_name(r->kind),
                                  .set = tr_rules_name(rules, r->set),
                                  .line = r->line ? (int64_t)r->line : TR_I64_NONE,
                                  .condition = tr_rule_condition_name(r->condition),
                                  .text = r->text,
                                  .wins = longest ? "longest" : "first" };
    tr_table_row(t, &(struct tr_row){ .row = &row });
}

static enum tr_status show_rows(struct cli *cli, void *o, struct tr_table *t, struct tr_error *err)
{
    const struct tr_rules *rules = o;
    (void)cli;
    for (uint32_t i = 0; i < tr_rules_count(rules); i++)
        add_rule(t, rules, i, NULL, tr_rules_get(rules, i)->target);
    return tr_table_status(t, err);
}

enum tr_status categorize_show(struct cli *cli, struct tr_rules *rules, struct tr_error *err)
{
    static const struct cli_table table = { .fill = show_rows, CLI_COLUMNS(show_columns) };
    return cli_table_run(cli, &table, rules, err);
}

/* Rows for one name: one for each kind of rule that matches it, or one row for no match. */
static enum tr_status explain(struct tr_table *t, struct tr_rules *rules, const char *name, bool *taken,
                              struct tr_error *err)
{
    bool any = false;
    for (unsigned k = 0; k < TR_N_RULE_TARGETS; k++) {
        const enum tr_rule_target as = (enum tr_rule_target)k;
        uint32_t number;
        enum tr_status st = tr_rules_match(rules, as, name, strlen(name), &number, err);
        if (st == TR_SYSTEM)
            return st;
        if (st == TR_NO)
            continue;
        add_rule(t, rules, number, name, as);
        any = true;
    }
    if (!any)
        tr_table_row(t, &(struct tr_row){ .row = &(struct rule_row){ .name = name, .line = TR_I64_NONE } });
    *taken = *taken && any;
    return TR_OK;
}

struct question {
    const struct tr_option_list *names;
    struct tr_rules *rules;
    bool taken; /* each of them, by some rule */
};

static enum tr_status explain_rows(struct cli *cli, void *o, struct tr_table *t, struct tr_error *err)
{
    struct question *q = o;
    enum tr_status st = TR_OK;
    (void)cli;
    for (size_t i = 0; i < q->names->n && st == TR_OK; i++)
        st = explain(t, q->rules, q->names->items[i], &q->taken, err);
    return st;
}

enum tr_status categorize_explain(struct cli *cli, const struct tr_option_list *names, struct tr_rules *rules,
                                  struct tr_error *err)
{
    static const struct cli_table table = { .fill = explain_rows, CLI_COLUMNS(explain_columns) };
    struct question q = { names, rules, true };
    enum tr_status st = cli_table_run(cli, &table, &q, err);
    return st == TR_OK && !q.taken ? TR_NO : st;
}
