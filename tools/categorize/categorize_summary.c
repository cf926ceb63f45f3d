/* SPDX-License-Identifier: MIT */
/* tr-categorize: the time of classes, and names without a class. */
#include "categorize/categorize.h"

#include "cli/cli_view.h"
#include "json/tr_json_write.h"

#include <stdlib.h>
#include <string.h>

/* {"CLASS_time": ns, "CLASS_calls": number, ...}: numbers are whole if the statistic is one of the values. */
static bool unitrace_member(struct tr_json_doc *j, struct tr_buf *key, const char *label, const char *what,
                            double value)
{
    key->len = 0;
    return tr_buf_add_str(key, label) && tr_buf_add_str(key, what) &&
           tr_json_doc_key(j, (struct tr_str){ (const char *)key->data, key->len }) && tr_json_doc_double(j, value);
}

struct unitrace {
    struct tr_json_doc j;
    struct tr_buf key;
};

static enum tr_status add_class(void *self, const struct tr_class_across *row, struct tr_error *err)
{
    struct unitrace *u = self;
    const char *label = row->label ? row->label : row->comm ? "comm" : "device";
    return unitrace_member(&u->j, &u->key, label, "_time", row->sum) &&
                   unitrace_member(&u->j, &u->key, label, "_calls", row->count)
               ? TR_OK
               : tr_fail_memory(err);
}

static enum tr_status compat(struct cli *cli, struct categorize *o, struct tr_error *err)
{
    struct tr_buf out = { 0 };
    struct unitrace u = { .j = { .out = &out, .indent = 2 } };
    o->table.take = add_class;
    o->table.self = &u;
    enum tr_status st = tr_json_doc_open(&u.j, '{') ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = cli_analysis_feed(cli, &o->a, &tr_analysis_rules_across, &o->table, err);
    if (st == TR_OK)
        st = tr_json_doc_close(&u.j) && tr_buf_add_str(&out, "\n") ? cli_write_report(cli, &out, err)
                                                                   : tr_fail_memory(err);
    tr_buf_free(&out);
    tr_buf_free(&u.key);
    return st;
}

enum tr_status categorize_report(struct cli *cli, struct categorize *o, struct tr_error *err)
{
    const struct tr_analysis *a = o->by == CATEGORIZE_UNMATCHED ? &tr_analysis_unmatched
                                  : o->table.across >= 0        ? &tr_analysis_rules_across
                                                                : &tr_analysis_rules;
    return o->table.compat >= 0 ? compat(cli, o, err) : cli_analysis_run(cli, &o->a, a, &o->table, err);
}
