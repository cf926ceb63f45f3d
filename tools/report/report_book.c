/* SPDX-License-Identifier: MIT */
/* tr-report: its sections as tables of a database, or of a folder. */
#include "report/report.h"

#include "cli/cli_book.h"

static enum tr_status add_rows(const struct report *r, enum report_id id, struct tr_table *t, struct tr_error *err)
{
    size_t n = cli_given(r->cli, "findings") && r->o->findings ? (size_t)r->o->findings : SIZE_MAX;
    if (id != REPORT_FINDINGS)
        return report_make_rows(r, id, t) ? tr_table_status(t, err) : tr_fail_memory(err);
    tr_findings_columns(t);
    return tr_findings_rows(r->findings, n, t, err);
}

enum tr_status report_book_write(const struct report *r, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    char name[CLI_TABLE_NAME];
    for (int id = 0; id < REPORT_N_SECTIONS && st == TR_OK; id++) {
        if (!report_has_section(r, (enum report_id)id))
            continue;
        cli_table_of_view(r->cli, report_sections[id].name, name);
        cli_name_table(r->cli, name);
        struct tr_table *t = cli_table_plain(r->cli);
        if (t)
            tr_table_hold(t); /* some rows are made from others of their table */
        st = t ? add_rows(r, (enum report_id)id, t, err) : tr_fail_memory(err);
        if (st == TR_OK && !tr_table_empty(t))
            st = tr_table_end(t, err);
        tr_table_free(t);
    }
    return st;
}
