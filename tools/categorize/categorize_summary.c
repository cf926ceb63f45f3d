/* SPDX-License-Identifier: MIT */
/* tr-categorize: the time of classes, and names without a class. */
#include "categorize/categorize.h"

#include "analysis/sums/tr_reported_names.h"
#include "analysis/sums/tr_sums_analyses.h"

#include "cli/cli_view.h"
#include "json/tr_json_write.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static enum tr_status read_names(struct categorize *o, const struct tr_name_stats_opts *opts,
                                 const struct tr_analysis_in *in, struct tr_name_stats **names,
                                 struct tr_name_sum **rows, size_t *n, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st = tr_name_stats_new(opts, in, names, err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        st = tr_name_stats_feed(*names, b, keep, err);
    return st == TR_END ? tr_name_sums(*names, rows, n, err) : st;
}

/* ---- as unitrace ---- */

/* {"CLASS_time": ns, "CLASS_calls": number, ...}: numbers are whole if the statistic is one of the values. */
static bool unitrace_member(struct tr_json_doc *j, struct tr_buf *key, const char *label, const char *what,
                            double value)
{
    key->len = 0;
    return tr_buf_add_str(key, label) && tr_buf_add_str(key, what) &&
           tr_json_doc_key(j, (struct tr_str){ (const char *)key->data, key->len }) && tr_json_doc_double(j, value);
}

static enum tr_status write_unitrace(struct cli *cli, const struct categorize *o, struct tr_rules *rules,
                                     const struct tr_name_sum *names, size_t n, struct tr_error *err)
{
    enum tr_across across = o->across == CATEGORIZE_NOT_GIVEN ? TR_ACROSS_MEAN : (enum tr_across)o->across;
    struct tr_buf out = { 0 }, key = { 0 };
    struct tr_json_doc j = { .out = &out, .indent = 2 };
    struct tr_class_across *rows = NULL;
    size_t n_rows = 0;
    enum tr_status st = tr_class_across_names(rules, (enum tr_rule_target)o->side, names, n, across,
                                              o->absent != TR_ACROSS_ZERO, &rows, &n_rows, err);
    bool ok = st == TR_OK && tr_json_doc_open(&j, '{');
    for (size_t i = 0; ok && i < n_rows; i++) {
        const char *label = rows[i].label ? rows[i].label : rows[i].comm ? "comm" : "device";
        ok = unitrace_member(&j, &key, label, "_time", rows[i].sum) &&
             unitrace_member(&j, &key, label, "_calls", rows[i].count);
    }
    ok = ok && tr_json_doc_close(&j) && tr_buf_add_str(&out, "\n");
    if (st == TR_OK)
        st = ok ? cli_write_report(cli, &out, err) : tr_fail_memory(err);
    free(rows);
    tr_buf_free(&out);
    tr_buf_free(&key);
    return st;
}

static enum tr_status compat(struct cli *cli, struct categorize *o, struct tr_rules *rules, struct tr_error *err)
{
    struct tr_name_stats_opts opts = { .work = cli_analysis_work(&o->a, TR_PER_RANK),
                                       .by_kind = true,
                                       .sums_only = true };
    struct cli_listener listener = { cli, &o->a };
    struct tr_name_stats *names = NULL;
    struct tr_name_sum *rows = NULL;
    struct tr_reported_names reported = { 0 };
    size_t n = 0;
    if (o->side == TR_RULE_OPERATOR)
        opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_CPU_OP) | TR_ACTIVITY_BIT(TR_ACT_COMM_RECORD);
    o->a.host = o->side == TR_RULE_OPERATOR;
    o->a.want = (struct tr_projection){ .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) };
    enum tr_status st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK) {
        const struct tr_analysis_in in = cli_view_in(&listener);
        st = read_names(o, &opts, &in, &names, &rows, &n, err);
    }
    bool reports = st == TR_OK && n == 0;
    if (reports) {
        const struct tr_reported_opts wanted = { .host = o->side == TR_RULE_OPERATOR, .by_rank = true, .totals = true };
        st = tr_reported_names(&reported, o->a.in->dict, o->a.in->tables, &wanted, err);
        n = reported.n;
    }
    if (st == TR_OK)
        st = write_unitrace(cli, o, rules, reports ? reported.rows : rows, n, err);
    free(rows);
    tr_reported_names_free(&reported);
    tr_name_stats_free(names);
    return st;
}

/* ---- tables ---- */

enum tr_status categorize_report(struct cli *cli, struct categorize *o, struct tr_rules *rules, struct tr_error *err)
{
    bool across = o->across != CATEGORIZE_NOT_GIVEN;
    if (o->compat != CATEGORIZE_NOT_GIVEN)
        return compat(cli, o, rules, err);
    o->table = (struct tr_rules_options){ .rules = rules, .target = (enum tr_rule_target)o->side };
    if (across)
        o->table.across = (enum tr_across)o->across;
    o->table.absent = o->absent == TR_ACROSS_SKIP ? TR_ACROSS_SKIP : TR_ACROSS_ZERO;
    const struct tr_analysis *a = o->by == CATEGORIZE_UNMATCHED ? &tr_analysis_unmatched
                                  : across                      ? &tr_analysis_rules_across
                                                                : &tr_analysis_rules;
    return cli_analysis_run(cli, &o->a, a, &o->table, err);
}
