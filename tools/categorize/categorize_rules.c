/* SPDX-License-Identifier: MIT */
/* tr-categorize: the list of rules, and the rule that matches a name. */
#include "categorize/categorize.h"

#include "cli/cli_view.h"
#include "formats/tr_model_files.h"

#include <string.h>

/* ---- reading them ---- */

enum tr_status categorize_rules(const struct categorize *o, struct tr_rules **out, struct tr_error *err)
{
    const struct tr_rules_opts opts = { (enum tr_rule_order)o->precedence, o->keep_spaces };
    bool files = false;
    for (size_t i = 0; i < o->rules.n; i++)
        files |= tr_rules_builtin_named(o->rules.items[i]) == NULL;
    if (!files && (o->precedence != TR_RULES_BY_CONTENT || o->keep_spaces))
        return tr_fail(err, TR_USAGE, "--precedence and --keep-spaces are about files that --rules names");
    enum tr_status st = tr_rules_new(out, err);
    for (size_t i = 0; i < o->rules.n && st == TR_OK; i++)
        st = tr_rules_load(*out, o->rules.items[i], &opts, err);
    for (const struct tr_rules_builtin *b = tr_rules_builtins; !o->rules.n && b->name && st == TR_OK; b++)
        st = tr_rules_load(*out, b->name, &opts, err);
    return st;
}

/* ---- showing them ---- */

static void list_columns(const void *o, struct tr_table *t)
{
    static const struct tr_table_column columns[] = {
        { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "name for --rules" },
        { "rules", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of them" },
        { "classes", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of classes" },
    };
    (void)o;
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

static enum tr_status list_rows(struct cli *cli, void *o, struct tr_table *t, struct tr_error *err)
{
    static const struct tr_rules_opts plain = { TR_RULES_IN_ORDER, false };
    struct tr_rules *r = NULL;
    enum tr_status st = TR_OK;
    (void)cli;
    (void)o;
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && st == TR_OK; b++) {
        size_t n_labels;
        st = tr_rules_new(&r, err);
        if (st == TR_OK)
            st = tr_rules_load(r, b->name, &plain, err);
        if (st == TR_OK) {
            tr_table_string(t, b->name);
            tr_table_count(t, tr_rules_count(r));
            tr_rules_labels(r, &n_labels);
            tr_table_count(t, n_labels);
        }
        tr_rules_free(r);
        r = NULL;
    }
    return st;
}

enum tr_status categorize_list(struct cli *cli, struct tr_error *err)
{
    static const struct cli_table table = { .columns = list_columns, .fill = list_rows };
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

/* Columns and cells of a rule: class, kind, its place, its text.  role: of the columns of its place. */
static void rule_columns(struct tr_table *t, enum tr_column_role role)
{
    const struct tr_table_column columns[] = {
        { "class", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "that the rule gives; empty: none" },
        { "kind", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "that the rule sets; empty: none" },
        { "rules", TR_CELL_STRING, role, .meaning = "the file, or the set that comes with the program" },
        { "line", TR_CELL_COUNT, role == TR_ROLE_KEY ? role : TR_ROLE_QUANTILE, .meaning = "its line there" },
        { "condition", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "how names are compared with the text" },
        { "text", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .meaning = "text that names are compared with" },
        { "wins", TR_CELL_STRING, TR_ROLE_TEXT, .meaning = "rule that wins in the file: the first, or the longest" },
    };
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
}

static void rule_cells(struct tr_table *t, const struct tr_rules *rules, uint32_t number)
{
    const struct tr_rule *r = tr_rules_get(rules, number);
    tr_table_string(t, r->label);
    tr_table_string(t, r->kind == TR_KIND_NONE ? NULL : tr_kind_name(r->kind));
    tr_table_string(t, tr_rules_name(rules, r->set));
    if (r->line)
        tr_table_count(t, r->line);
    else
        tr_table_absent(t);
    tr_table_string(t, tr_rule_condition_name(r->condition));
    tr_table_string(t, r->text);
    tr_table_string(t, tr_rules_order(rules, r->set) == TR_RULES_LONGEST ? "longest" : "first");
}

static void show_columns(const void *o, struct tr_table *t)
{
    static const struct tr_table_column about = { "about", TR_CELL_STRING, TR_ROLE_TEXT,
                                                  .meaning = "device for device work, or operator" };
    (void)o;
    tr_table_columns(t, &about, 1);
    rule_columns(t, TR_ROLE_KEY);
}

static enum tr_status show_rows(struct cli *cli, void *o, struct tr_table *t, struct tr_error *err)
{
    const struct tr_rules *rules = o;
    (void)cli;
    for (uint32_t i = 0; i < tr_rules_count(rules); i++) {
        tr_table_string(t, tr_rule_target_name(tr_rules_get(rules, i)->target));
        rule_cells(t, rules, i);
    }
    return tr_table_status(t, err);
}

enum tr_status categorize_show(struct cli *cli, struct tr_rules *rules, struct tr_error *err)
{
    static const struct cli_table table = { .columns = show_columns, .fill = show_rows };
    return cli_table_run(cli, &table, rules, err);
}

/* Rows for one name: one for each kind of rule that matches it, or one row for no match. */
static enum tr_status explain(struct tr_table *t, struct tr_rules *rules, const char *name, bool *taken,
                              struct tr_error *err)
{
    bool any = false;
    for (unsigned target = 0; target < TR_N_RULE_TARGETS; target++) {
        uint32_t number;
        enum tr_status st = tr_rules_match(rules, (enum tr_rule_target)target, name, strlen(name), &number, err);
        if (st == TR_SYSTEM)
            return st;
        if (st == TR_NO)
            continue;
        tr_table_string(t, name);
        tr_table_string(t, tr_rule_target_name((enum tr_rule_target)target));
        rule_cells(t, rules, number);
        any = true;
    }
    if (!any) {
        tr_table_string(t, name);
        for (unsigned i = 0; i < 8; i++)
            tr_table_absent(t);
    }
    *taken = *taken && any;
    return TR_OK;
}

struct question {
    const struct tr_option_list *names;
    struct tr_rules *rules;
    bool taken; /* each of them, by some rule */
};

static void explain_columns(const void *o, struct tr_table *t)
{
    static const struct tr_table_column columns[] = {
        { "name", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "name that was given" },
        { "as", TR_CELL_STRING, TR_ROLE_KEY, .meaning = "device for device work, or operator; empty: no rule" },
    };
    (void)o;
    tr_table_columns(t, columns, sizeof columns / sizeof *columns);
    rule_columns(t, TR_ROLE_TEXT);
}

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
    static const struct cli_table table = { .columns = explain_columns, .fill = explain_rows };
    struct question q = { names, rules, true };
    enum tr_status st = cli_table_run(cli, &table, &q, err);
    return st == TR_OK && !q.taken ? TR_NO : st;
}
