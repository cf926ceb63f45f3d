/* SPDX-License-Identifier: MIT */
/* tr-categorize: classes of events, by rules on their names.  Manual: tr-categorize(1). */
#include "analysis/tr_view_files.h"
#include "categorize/categorize.h"
#include "cli/cli_graphs.h"
#include "cli/cli_stream.h"
#include "cli/cli_view.h"
#include "model/tr_classify.h"
#include "stream/tr_class_rewrite.h"

#include <stdlib.h>

static const char *const by_names[] = { [CATEGORIZE_CLASS] = "class", [CATEGORIZE_UNMATCHED] = "unmatched", NULL };
static const char *const compats[] = { "unitrace", NULL };
static const struct tr_option categorize_opts[] = {
    { 0, "rules", "FILE|NAME", TR_OPTION_LIST, offsetof(struct categorize, table.files),
      .help = "use these rules, a file or one of --list-rules; may be repeated [all of --list-rules]" },
    { 0, "precedence", "WHICH", TR_OPTION_CHOICE, offsetof(struct categorize, table.precedence),
      .choices = tr_rule_order_names,
      .help = "in files, the first rule wins or the longest [first; longest in schemas of unitrace]" },
    { 0, "keep-spaces", NULL, TR_OPTION_FLAG, offsetof(struct categorize, table.keep_spaces),
      .help = "in files, do not ignore blanks and tabs" },
    { 0, "list-rules", NULL, TR_OPTION_FLAG, offsetof(struct categorize, list_rules),
      .help = "list the rules that come with the program" },
    { 0, "print-rules", "NAME", TR_OPTION_TEXT, offsetof(struct categorize, print_rules),
      .help = "print one of them, as a file to change" },
    { 0, "show-rules", NULL, TR_OPTION_FLAG, offsetof(struct categorize, show_rules),
      .help = "show each rule as the program read it" },
    { 0, "explain", "NAME", TR_OPTION_LIST, offsetof(struct categorize, explain),
      .help = "say which rule matches this name of a kernel or operator" },
    { 0, "by", "TABLE", TR_OPTION_CHOICE, offsetof(struct categorize, by), .choices = by_names,
      .help = "print a table instead of the stream: class, or unmatched (names that no rule matches)" },
    { 0, "side", "SIDE", TR_OPTION_CHOICE, offsetof(struct categorize, table.target), .choices = tr_rule_target_names,
      .help = "tables: of device work or of operators of the host [device]" },
    { 0, "across", "STAT", TR_OPTION_CHOICE, offsetof(struct categorize, table.across), .choices = tr_across_names,
      .help = "class: sum, mean, median, min, min+1, max or max-1 over ranks" },
    { 0, "absent", "HOW", TR_OPTION_CHOICE, offsetof(struct categorize, table.absent), .choices = tr_absent_names,
      .help = "across: a rank without the class, or with --compat the name, is zero or skipped [zero; compat: skip]" },
    { 0, "compat", "unitrace", TR_OPTION_CHOICE, offsetof(struct categorize, table.compat), .choices = compats,
      .help = "class: JSON as unitrace writes it" },
    CLI_ANALYSIS_OPTS(struct categorize, a),
    { 0 },
};

static const struct cli_tool categorize_tool = {
    .name = "tr-categorize",
    .brief = "give events a class by rules on their names",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = categorize_opts,
    .dict_copies = 1,
    .examples = { "tr-categorize --by class rank0.json.gz", "tr-categorize job.trs | tr-filter 'class == gemm' -c" },
};

/* ---- the stream ---- */

struct labels {
    const struct tr_rules *rules;
    struct tr_classify classify;
    struct tr_class_rewrite *relabel;
    uint32_t *rule, *label; /* by event of the batch */
    uint8_t *kind;
    size_t cap_rule, cap_label, cap_kind;
};

static enum tr_status label_batch(struct labels *l, const struct tr_batch *b, const struct tr_batch **out,
                                  struct tr_error *err)
{
    if (!tr_grow(&l->rule, &l->cap_rule, b->n, sizeof *l->rule) ||
        !tr_grow(&l->label, &l->cap_label, b->n, sizeof *l->label) ||
        !tr_grow(&l->kind, &l->cap_kind, b->n, sizeof *l->kind))
        return tr_fail_memory(err);
    enum tr_status st = tr_classify_batch(&l->classify, b, l->rule, err);
    for (size_t i = 0; i < b->n && st == TR_OK; i++) {
        l->label[i] = TR_CLASS_NONE;
        l->kind[i] = b->kind[i];
        if (l->rule[i] == TR_RULE_NONE)
            continue;
        const struct tr_rule *r = tr_rules_get(l->rules, l->rule[i]);
        if (r->label)
            l->label[i] = r->class_id;
        if (r->kind != TR_KIND_NONE)
            l->kind[i] = (uint8_t)r->kind;
    }
    return st == TR_OK ? tr_class_rewrite_batch(l->relabel, b, l->label, l->kind, out, err) : st;
}

static enum tr_status copy_labelled(struct cli *cli, struct labels *l, struct tr_input *in, struct tr_error *err)
{
    struct tr_writer *w;
    const struct tr_batch *b;
    const struct cli_stream out = { .in = in, .dict = tr_class_rewrite_dict(l->relabel), .summary = in->summary };
    enum tr_status st = cli_stream_start(cli, &out, &w, err);
    if (st != TR_OK)
        return st;
    while ((st = tr_input_next(in, &b, err)) == TR_OK) {
        st = label_batch(l, b, &b, err);
        if (st == TR_OK)
            st = tr_writer_batch(w, b, err);
        if (st != TR_OK)
            break;
    }
    if (st == TR_END && tr_class_rewrite_sync(l->relabel, err) != TR_OK)
        st = TR_SYSTEM;
    return cli_stream_end(w, st, err);
}

static enum tr_status write_stream(struct cli *cli, struct tr_rules *rules, struct tr_error *err)
{
    struct labels l = { .rules = rules, .classify = { .rules = rules } };
    struct tr_input *in = NULL;
    size_t n;
    int fd;
    const char *const *labels = tr_rules_labels(rules, &n);
    enum tr_status st = cli_output(cli, true, &fd, err);
    if (st == TR_OK)
        st = cli_input_operands(cli, 0, &in, err);
    if (st == TR_OK)
        st = tr_class_rewrite_new(&l.relabel, in->dict, in->sorted, labels, n, err);
    if (st == TR_OK)
        st = copy_labelled(cli, &l, in, err);
    if (st == TR_DAMAGED && in)
        tr_error_input(err, in->name);
    tr_classify_free(&l.classify);
    tr_class_rewrite_free(l.relabel);
    free(l.rule);
    free(l.label);
    free(l.kind);
    return st;
}

/* ---- which of all this ---- */

static bool selects(const struct categorize *o)
{
    return cli_select_any(&o->a.select) || o->a.suspect || o->a.coverage;
}

/* Options that have a meaning only with others. */
static enum tr_status check(struct cli *cli, const struct categorize *o, struct tr_error *err)
{
    bool table = o->by != CATEGORIZE_NOT_GIVEN, compat = o->table.compat >= 0;
    bool across = o->table.across >= 0;
    bool other = o->list_rules || o->print_rules || o->show_rules || o->explain.n;
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    int n_modes = o->list_rules + (o->print_rules != NULL) + o->show_rules + (o->explain.n > 0) + table;
    if (n_modes > 1)
        return tr_fail(err, TR_USAGE,
                       "only one of --list-rules, --print-rules, --show-rules, --explain "
                       "and --by");
    if (other && n)
        return tr_fail(err, TR_USAGE, "extra operand '%.200s': rules are shown and explained without a trace",
                       operands[0]);
    if (!table && (selects(o) || o->a.per >= 0))
        return tr_fail(err, TR_USAGE,
                       "selection, grouping and --coverage are for --by: the stream gets all its classes");
    if ((compat || across) && o->by != CATEGORIZE_CLASS)
        return tr_fail(err, TR_USAGE, "--across and --compat are for --by class");
    if ((compat || across) && o->a.per >= 0)
        return tr_fail(err, TR_USAGE, "a statistic over ranks has no groups: leave --per out");
    if (compat && cli_report_format(cli) != CLI_JSON)
        return tr_fail(err, TR_USAGE, "--compat unitrace is JSON: add -O json");
    if (o->table.absent >= 0 && !across && !compat)
        return tr_fail(err, TR_USAGE, "--absent is about ranks: it goes with --across or --compat");
    if ((o->list_rules || o->print_rules) && (o->table.files.n || o->table.precedence || o->table.keep_spaces))
        return tr_fail(err, TR_USAGE, "options for files of rules do not apply to built-in rules");
    if (compat)
        return cli_arrange_none(cli, "--by class, not as unitrace has it", err);
    if (n_modes == 0 || o->print_rules)
        return cli_table_none(cli, "--by, --explain, --show-rules and --list-rules", err);
    return TR_OK;
}

static enum tr_status categorize_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct categorize *o = arg;
    o->a.reports = true;
    const struct tr_view_host host = cli_view_host(cli);
    enum tr_status st = check(cli, o, err);
    if (st == TR_OK && o->list_rules)
        return categorize_list(cli, err);
    if (st == TR_OK && o->print_rules)
        return categorize_print(cli, o->print_rules, err);
    if (st == TR_OK)
        st = tr_view_rules_ready(&o->table, &host, err);
    struct tr_rules *rules = o->table.rules;
    if (st == TR_OK && o->show_rules)
        st = categorize_show(cli, rules, err);
    else if (st == TR_OK && o->explain.n)
        st = categorize_explain(cli, &o->explain, rules, err);
    else if (st == TR_OK && (o->by != CATEGORIZE_NOT_GIVEN))
        st = categorize_report(cli, o, err);
    else if (st == TR_OK)
        st = write_stream(cli, rules, err);
    cli_analysis_close(&o->a);
    tr_view_rules_release(&o->table);
    return st;
}

int tr_categorize_main(int argc, char **argv)
{
    struct categorize o = { .a = CLI_ANALYSIS_INIT,
                            .by = CATEGORIZE_NOT_GIVEN,
                            .table = TR_RULES_DEFAULTS };
    return cli_main(argc, argv, &categorize_tool, &o, categorize_run);
}
