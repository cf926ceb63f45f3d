/* tr-categorize: what classes cost, and what has none. */
#include <config.h>

#include "categorize.h"

#include "json/tr_json_write.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static enum tr_status read_names(struct categorize *o, const struct tr_names_opts *opts,
                                 struct tr_names **names, const struct tr_names_row **rows,
                                 size_t *n, struct tr_error *err)
{
    const struct tr_input *in = o->a.in;
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st =
        tr_names_new(opts, in->dict, in->summary, in->sorted, o->a.selected, names, err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        st = tr_names_feed(*names, b, keep, err);
    return st == TR_END ? tr_names_finish(*names, rows, n, err) : st;
}

static enum tr_rule_target target_of(const struct categorize *o)
{
    return o->side == CATEGORIZE_HOST ? TR_RULE_OPERATOR : TR_RULE_DEVICE;
}

/* ---- sums ---- */

static enum tr_status fill_sums(const struct categorize *o, struct tr_rules *rules, enum tr_per per,
                                const struct tr_names_row *names, size_t n, struct tr_table *t,
                                struct tr_error *err)
{
    struct tr_class_sum *rows = NULL;
    size_t n_rows = 0;
    enum tr_status st = tr_class_sums(rules, target_of(o), names, n, &rows, &n_rows, err);
    tr_group_columns(t, per);
    tr_table_column(t, "class", TR_CELL_STRING, 0);
    tr_table_column(t, "count", TR_CELL_COUNT, 0);
    tr_table_column(t, "sum", TR_CELL_TIME, 0);
    tr_table_column(t, "pct", TR_CELL_RATIO, 2);
    for (size_t i = 0; i < n_rows && st == TR_OK; i++) {
        tr_group_cells(t, per, &rows[i].key);
        tr_table_string(t, rows[i].label);
        tr_table_count(t, rows[i].count);
        tr_table_time(t, rows[i].sum);
        tr_table_pct(t, rows[i].sum, rows[i].whole);
    }
    free(rows);
    return st;
}

/* ---- over ranks ---- */

static enum tr_status fill_across(const struct categorize *o, struct tr_rules *rules,
                                  const struct tr_names_row *names, size_t n, struct tr_table *t,
                                  struct tr_error *err)
{
    struct tr_class_sum *sums = NULL;
    struct tr_class_across *rows = NULL;
    size_t n_sums = 0, n_rows = 0;
    double whole = 0;
    enum tr_status st = tr_class_sums(rules, target_of(o), names, n, &sums, &n_sums, err);
    if (st == TR_OK)
        st = tr_class_across(sums, n_sums, (enum tr_across)o->across, &rows, &n_rows, err);
    tr_table_column(t, "class", TR_CELL_STRING, 0);
    tr_table_column(t, "count", TR_CELL_RATIO, 3);
    tr_table_column(t, "sum", TR_CELL_TIME, 0);
    tr_table_column(t, "pct", TR_CELL_RATIO, 2);
    tr_table_column(t, "ranks", TR_CELL_COUNT, 0);
    for (size_t i = 0; i < n_rows; i++)
        whole += rows[i].sum;
    for (size_t i = 0; i < n_rows && st == TR_OK; i++) {
        tr_table_string(t, rows[i].label);
        tr_table_ratio(t, rows[i].count);
        tr_table_time_f(t, rows[i].sum);
        if (whole > 0)
            tr_table_ratio(t, 100 * rows[i].sum / whole);
        else
            tr_table_absent(t);
        tr_table_count(t, rows[i].n_ranks);
    }
    free(sums);
    free(rows);
    return st;
}

/* {"CLASS_time": ns, "CLASS_calls": number, ...}: numbers are whole where the statistic is one of values. */
static bool unitrace_member(struct tr_json_doc *j, struct tr_buf *key, const char *label,
                            const char *what, double value)
{
    key->len = 0;
    return tr_buf_add_str(key, label) && tr_buf_add_str(key, what) && tr_buf_add(key, "", 1) &&
           tr_json_doc_key(j, (const char *)key->data) && tr_json_doc_double(j, value);
}

static enum tr_status write_unitrace(struct cli *cli, const struct categorize *o,
                                     struct tr_rules *rules, const struct tr_names_row *names,
                                     size_t n, struct tr_error *err)
{
    enum tr_across across =
        o->across == CATEGORIZE_NOT_GIVEN ? TR_ACROSS_MEAN : (enum tr_across)o->across;
    struct tr_buf out = { 0 }, key = { 0 };
    struct tr_json_doc j = { .out = &out, .indent = 2 };
    struct tr_class_across *rows = NULL;
    size_t n_rows = 0;
    enum tr_status st =
        tr_class_across_names(rules, target_of(o), names, n, across, &rows, &n_rows, err);
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

/* ---- names without a class ---- */

static bool same_group(const struct tr_names_row *a, const struct tr_names_row *b)
{
    return a->key.rank == b->key.rank && a->key.device == b->key.device &&
           a->key.stream == b->key.stream && a->key.step == b->key.step;
}

static enum tr_status fill_unmatched(const struct categorize *o, struct tr_rules *rules,
                                     enum tr_per per, const struct tr_names_row *names, size_t n,
                                     struct tr_table *t, struct tr_error *err)
{
    uint64_t shown = 0;
    tr_group_columns(t, per);
    tr_table_column(t, "name", TR_CELL_STRING, 0);
    tr_table_column(t, "count", TR_CELL_COUNT, 0);
    tr_table_column(t, "sum", TR_CELL_TIME, 0);
    tr_table_column(t, "pct", TR_CELL_RATIO, 2);
    for (size_t i = 0; i < n; i++) {
        const struct tr_names_row *r = &names[i];
        uint32_t rule;
        if (i && !same_group(r, &names[i - 1]))
            shown = 0;
        enum tr_status st =
            tr_rules_match(rules, target_of(o), r->name.s, r->name.len, &rule, err);
        if (st == TR_SYSTEM)
            return st;
        if ((st == TR_OK && tr_rules_get(rules, rule)->label) || shown++ >= o->unmatched)
            continue;
        tr_group_cells(t, per, &r->key);
        tr_table_text(t, r->name);
        tr_table_count(t, r->stats.n);
        tr_table_time(t, tr_stats_sum(&r->stats));
        tr_table_pct(t, tr_stats_sum(&r->stats), r->whole);
    }
    return TR_OK;
}

/* ---- the report ---- */

enum tr_status categorize_report(struct cli *cli, struct categorize *o, struct tr_rules *rules,
                                 struct tr_error *err)
{
    bool compat = o->compat != CATEGORIZE_NOT_GIVEN, across = o->across != CATEGORIZE_NOT_GIVEN;
    struct tr_names_opts opts = { .work = cli_analysis_work(&o->a, compat || across ? TR_PER_RANK
                                                                                    : TR_PER_ALL),
                                  .by_kind = compat,
                                  .sums_only = true,
                                  .ratio = 1 };
    struct tr_names *names = NULL;
    const struct tr_names_row *rows = NULL;
    struct tr_table *t = cli_table_new(cli);
    size_t n = 0;
    if (o->side == CATEGORIZE_HOST)
        opts.work.activities = TR_ACTIVITY_BIT(TR_ACT_CPU_OP) | TR_ACTIVITY_BIT(TR_ACT_COMM_RECORD);
    o->a.host = o->side == CATEGORIZE_HOST;
    o->a.want = (struct tr_want){ .fixed = TR_WORK_FIXED | TR_WANT(NAME) };
    enum tr_status st = t ? cli_analysis_open(cli, &o->a, 0, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = read_names(o, &opts, &names, &rows, &n, err);
    if (st == TR_OK && compat)
        st = write_unitrace(cli, o, rules, rows, n, err);
    else if (st == TR_OK && o->unmatched)
        st = fill_unmatched(o, rules, opts.work.per, rows, n, t, err);
    else if (st == TR_OK)
        st = across ? fill_across(o, rules, rows, n, t, err)
                    : fill_sums(o, rules, opts.work.per, rows, n, t, err);
    if (st == TR_OK && !compat)
        st = tr_table_end(t, err);
    tr_names_free(names);
    tr_table_free(t);
    return st;
}
