/* tr-breakdown: where the time of the devices went.  Manual: tr-breakdown(1). */
#include <config.h>

#include "cli/cli_analysis.h"

enum view { VIEW_TIME, VIEW_TYPE };
static const char *const view_names[] = { "time", "type", NULL };

struct breakdown {
    struct cli_analysis a;
    int by;
};

static const struct cli_opt breakdown_opts[] = {
    { 0, "by", "VIEW", CLI_CHOICE, offsetof(struct breakdown, by), .choices = view_names,
      .help = "time or type [time]" },
    CLI_ANALYSIS_OPTS(struct breakdown, a),
    { 0 },
};

static const struct cli_tool breakdown_tool = {
    .name = "tr-breakdown",
    .brief = "say where the time of the devices went",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT,
    .max_operands = CLI_ANY,
    .opts = breakdown_opts,
};

/* ---- time ---- */

static void time_columns(struct tr_table *t, enum tr_per per)
{
    static const char *const times[] = { "span",  "busy",       "idle",         "compute",
                                         "comm",  "memory",     "exposed_comm", "exposed_memory",
                                         "other", "non_compute" };
    cli_group_columns(t, per);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        tr_table_column(t, times[i], TR_CELL_TIME, 0);
    tr_table_column(t, "idle_pct", TR_CELL_RATIO, 2);
    tr_table_column(t, "compute_pct", TR_CELL_RATIO, 2);
    tr_table_column(t, "non_compute_pct", TR_CELL_RATIO, 2);
}

static void time_row(struct tr_table *t, enum tr_per per, const struct tr_busy_row *r)
{
    const int64_t times[] = { r->span,  r->busy,       r->idle,         r->compute,
                              r->comm,  r->memory,     r->exposed_comm, r->exposed_memory,
                              r->other, r->non_compute };
    cli_group_cells(t, per, &r->key);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        tr_table_time(t, times[i]);
    tr_table_pct(t, r->idle, r->span);
    tr_table_pct(t, r->compute, r->span);
    tr_table_pct(t, r->non_compute, r->span);
}

static enum tr_status by_time(struct breakdown *o, struct tr_table *t, struct tr_error *err)
{
    struct tr_work_opts work = cli_analysis_work(&o->a, TR_PER_RANK);
    struct tr_busy *busy;
    const struct tr_busy_row *rows;
    size_t n;
    enum tr_status st = cli_run_busy(&o->a, &work, &busy, &rows, &n, err);
    if (st == TR_OK) {
        time_columns(t, work.per);
        for (size_t i = 0; i < n; i++)
            time_row(t, work.per, &rows[i]);
    }
    tr_busy_free(busy);
    return st;
}

/* ---- type ---- */

static enum tr_status by_type(struct breakdown *o, struct tr_table *t, struct tr_error *err)
{
    static const char *const kinds[] = { "compute", "comm", "memory" };
    /* Without --per, ranks are taken apart and their times added. */
    bool together = o->a.per < 0;
    struct tr_states_opts opts = { .work = cli_analysis_work(&o->a, TR_PER_RANK),
                                   .classes = kinds,
                                   .n_classes = 3,
                                   .add_groups = together };
    struct tr_states *states;
    const struct tr_states_row *rows;
    size_t n;
    enum tr_status st = cli_run_states(&o->a, &opts, &states, &rows, &n, err);
    if (st == TR_OK)
        cli_states_table(t, together ? TR_PER_ALL : opts.work.per, "kinds", rows, n);
    tr_states_free(states);
    return st;
}

static enum tr_status breakdown_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct breakdown *o = arg;
    struct tr_table *t = cli_table_new(cli);
    o->a.want = (struct tr_want){ .fixed = CLI_WANT_WORK };
    if (o->by == VIEW_TYPE)
        o->a.want.derived = 1u << TR_COL_CLASS;
    enum tr_status st = t ? cli_analysis_open(cli, &o->a, 0, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = o->by == VIEW_TYPE ? by_type(o, t, err) : by_time(o, t, err);
    if (st == TR_OK)
        st = cli_table_write(cli, t, err);
    cli_analysis_close(&o->a);
    tr_table_free(t);
    return st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &breakdown_tool, &(struct breakdown){ .a = CLI_ANALYSIS_INIT },
                    breakdown_run);
}
