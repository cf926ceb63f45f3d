/* SPDX-License-Identifier: MIT */
/* The tables of one name, of all inputs, as tr-view shows them. */
#include "view/view_table.h"

#include "analysis/info/tr_side_rows.h"
#include "cli/cli_view.h"

/* Tables are valid only after their stream has ended without a failure.  Of its events, only the order is checked. */
static enum tr_status read_all(struct tr_input *in, struct tr_error *err)
{
    const struct tr_projection want = { .fixed = TR_FIXED_BIT(TS) };
    const struct tr_batch *b;
    enum tr_status st = tr_input_want(in, &want) ? TR_OK : tr_fail_memory(err);
    while (st == TR_OK)
        st = tr_input_next(in, &b, err);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status read_and_print(struct cli *cli, const char *name, struct tr_table *t, struct tr_error *err)
{
    struct tr_input *in = NULL;
    enum tr_status st = cli_input_operands(cli, 0, &in, err);
    if (st == TR_OK)
        st = read_all(in, err);
    if (st == TR_OK)
        st = tr_side_rows(in->dict, in->tables, name, t, err);
    if (st == TR_DAMAGED && in)
        tr_error_input(err, in->name);
    return st == TR_OK ? tr_table_end(t, err) : st;
}

/* The columns that every table has.  The others depend on the table itself. */
static enum tr_status help_columns(struct cli *cli, struct tr_table *t, const struct tr_row_sink *sink,
                                   struct tr_error *err)
{
    tr_side_rows_columns(t);
    cli_remark(cli, "the table has more columns: tr-info lists them");
    return cli_table_describe(cli, t, NULL, sink, err);
}

enum tr_status view_table(struct cli *cli, const char *name, const struct tr_row_sink *sink, enum tr_unit unit,
                          struct tr_error *err)
{
    struct tr_table *t = cli_table_as(cli, sink, unit, true);
    if (!t)
        return tr_fail_memory(err);
    enum tr_status st = cli_arrange(cli)->help_columns ? help_columns(cli, t, sink, err)
                                                       : read_and_print(cli, name, t, err);
    tr_table_free(t);
    return st;
}
