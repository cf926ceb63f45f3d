/* tr-categorize: which rules there are, and which of them takes a name. */
#include <config.h>

#include "categorize.h"

#include "formats/tr_rules_json.h"
#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX ((size_t)64 << 20) /* bytes of a file of rules */

static const struct tr_rules_builtin *builtin(const char *name)
{
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name; b++)
        if (strcmp(b->name, name) == 0)
            return b;
    return NULL;
}

/* ---- reading them ---- */

static enum tr_status read_file(const char *path, struct tr_buf *out, struct tr_error *err)
{
    int fd = tr_open_fd(path, O_RDONLY, 0);
    enum tr_status st = TR_OK;
    if (fd < 0)
        return tr_fail_sys(err, errno,
                           "cannot open, and no rules of this name come with the program");
    while (st == TR_OK) {
        size_t got = 0;
        st = tr_buf_reserve(out, 65536) ? tr_read_some(fd, out->data + out->len, 65536, &got, err)
                                        : tr_fail_memory(err);
        out->len += got;
        if (st == TR_OK && out->len > FILE_MAX)
            st = tr_fail(err, TR_USAGE, "longer than %zu bytes", FILE_MAX);
    }
    close(fd);
    return st == TR_END ? TR_OK : st;
}

/* A name that comes with the program, else a file. */
static enum tr_status add_rules(struct tr_rules *r, const char *name,
                                const struct tr_rules_opts *opts, struct tr_error *err)
{
    static const struct tr_rules_opts plain = { TR_RULES_IN_ORDER, false };
    const struct tr_rules_builtin *b = builtin(name);
    struct tr_buf text = { 0 };
    if (b)
        return tr_rules_ini(r, name, b->text, strlen(b->text), &plain, err);
    enum tr_status st = read_file(name, &text, err);
    if (st == TR_OK)
        st = tr_rules_read(r, name, text.data ? (const char *)text.data : "", text.len, opts, err);
    if (st != TR_OK)
        tr_error_input(err, name);
    tr_buf_free(&text);
    return st;
}

enum tr_status categorize_rules(const struct categorize *o, struct tr_rules **out,
                                struct tr_error *err)
{
    const struct tr_rules_opts opts = { (enum tr_rule_order)o->precedence, o->keep_spaces };
    enum tr_status st = tr_rules_new(out, err);
    for (size_t i = 0; i < o->rules.n && st == TR_OK; i++)
        st = add_rules(*out, o->rules.items[i], &opts, err);
    for (const struct tr_rules_builtin *b = tr_rules_builtins;
         !o->rules.n && b->name && st == TR_OK; b++)
        st = add_rules(*out, b->name, &opts, err);
    return st;
}

/* ---- showing them ---- */

enum tr_status categorize_list(struct cli *cli, struct tr_error *err)
{
    static const struct tr_rules_opts plain = { TR_RULES_IN_ORDER, false };
    struct tr_table *t = cli_table_new(cli);
    struct tr_rules *r = NULL;
    enum tr_status st = t ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK) {
        tr_table_column(t, "name", TR_CELL_STRING, 0);
        tr_table_column(t, "rules", TR_CELL_COUNT, 0);
        tr_table_column(t, "classes", TR_CELL_COUNT, 0);
    }
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && st == TR_OK; b++) {
        size_t n_labels;
        st = tr_rules_new(&r, err);
        if (st == TR_OK)
            st = add_rules(r, b->name, &plain, err);
        if (st == TR_OK) {
            tr_table_string(t, b->name);
            tr_table_count(t, tr_rules_count(r));
            tr_rules_labels(r, &n_labels);
            tr_table_count(t, n_labels);
        }
        tr_rules_free(r);
        r = NULL;
    }
    if (st == TR_OK)
        st = tr_table_end(t, err);
    tr_table_free(t);
    return st;
}

enum tr_status categorize_print(struct cli *cli, const char *name, struct tr_error *err)
{
    const struct tr_rules_builtin *b = builtin(name);
    int fd;
    if (!b) {
        tr_error_place(err, "option --print-rules");
        return tr_fail(err, TR_USAGE, "no rules '%.200s' come with the program: see --list-rules",
                       name);
    }
    enum tr_status st = cli_output(cli, false, &fd, err);
    return st == TR_OK ? cli_write(cli, b->text, strlen(b->text), err) : st;
}

/* Columns and cells of a rule: class, kind, where it stands, what it says. */
static void rule_columns(struct tr_table *t)
{
    static const char *const names[] = { "class", "kind", "rules" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        tr_table_column(t, names[i], TR_CELL_STRING, 0);
    tr_table_column(t, "line", TR_CELL_COUNT, 0);
    tr_table_column(t, "condition", TR_CELL_STRING, 0);
    tr_table_column(t, "text", TR_CELL_STRING, 0);
    tr_table_column(t, "wins", TR_CELL_STRING, 0);
}

static void rule_cells(struct tr_table *t, const struct tr_rules *rules, uint32_t number)
{
    const struct tr_rule *r = tr_rules_get(rules, number);
    tr_table_string(t, r->label);
    tr_table_string(t, r->kind == TR_KIND_NONE ? NULL : tr_kind_name(r->kind));
    tr_table_string(t, tr_rules_source(rules, r->set));
    if (r->line)
        tr_table_count(t, r->line);
    else
        tr_table_absent(t);
    tr_table_string(t, tr_rule_condition_name(r->condition));
    tr_table_string(t, r->text);
    tr_table_string(t, tr_rules_order(rules, r->set) == TR_RULES_LONGEST ? "longest" : "first");
}

enum tr_status categorize_show(struct cli *cli, const struct tr_rules *rules, struct tr_error *err)
{
    struct tr_table *t = cli_table_new(cli);
    if (!t)
        return tr_fail_memory(err);
    tr_table_column(t, "about", TR_CELL_STRING, 0);
    rule_columns(t);
    for (uint32_t i = 0; i < tr_rules_count(rules); i++) {
        tr_table_string(t, tr_rule_target_name(tr_rules_get(rules, i)->target));
        rule_cells(t, rules, i);
    }
    enum tr_status st = tr_table_end(t, err);
    tr_table_free(t);
    return st;
}

/* Rows for one name: by each kind of rule that takes it, or one that says that none does. */
static enum tr_status explain(struct tr_table *t, struct tr_rules *rules, const char *name,
                              bool *taken, struct tr_error *err)
{
    bool any = false;
    for (unsigned target = 0; target < TR_N_RULE_TARGETS; target++) {
        uint32_t number;
        enum tr_status st =
            tr_rules_match(rules, (enum tr_rule_target)target, name, strlen(name), &number, err);
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

enum tr_status categorize_explain(struct cli *cli, const struct cli_list *names,
                                  struct tr_rules *rules, struct tr_error *err)
{
    struct tr_table *t = cli_table_new(cli);
    enum tr_status st = t ? TR_OK : tr_fail_memory(err);
    bool taken = true;
    if (st == TR_OK) {
        tr_table_column(t, "name", TR_CELL_STRING, 0);
        tr_table_column(t, "as", TR_CELL_STRING, 0);
        rule_columns(t);
    }
    for (size_t i = 0; i < names->n && st == TR_OK; i++)
        st = explain(t, rules, names->items[i], &taken, err);
    if (st == TR_OK)
        st = tr_table_end(t, err);
    tr_table_free(t);
    return st == TR_OK && !taken ? TR_NO : st;
}
