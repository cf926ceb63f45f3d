/* tr-overlap: which kinds of device work run at the same time.  Manual: tr-overlap(1). */
#include <config.h>

#include "cli/cli_analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct overlap {
    struct cli_analysis a;
    const char *classes; /* names, with commas between; NULL: communication under compute */
};

static const struct cli_opt overlap_opts[] = {
    { 0, "classes", "LIST", CLI_STRING, offsetof(struct overlap, classes),
      .help = "time of every combination of these kinds or classes" },
    CLI_ANALYSIS_OPTS(struct overlap, a),
    { 0 },
};

static const struct cli_tool overlap_tool = {
    .name = "tr-overlap",
    .brief = "say which kinds of device work ran at the same time",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT,
    .max_operands = CLI_ANY,
    .opts = overlap_opts,
};

/* ---- communication and compute ---- */

static void fill_overlap(struct tr_table *t, enum tr_per per, const struct tr_busy_row *rows,
                         size_t n)
{
    cli_group_columns(t, per);
    tr_table_column(t, "comm", TR_CELL_TIME, 0);
    tr_table_column(t, "compute", TR_CELL_TIME, 0);
    tr_table_column(t, "memory", TR_CELL_TIME, 0);
    tr_table_column(t, "overlap", TR_CELL_TIME, 0);
    tr_table_column(t, "overlap_pct", TR_CELL_RATIO, 2);
    tr_table_column(t, "exposed_comm", TR_CELL_TIME, 0);
    for (size_t i = 0; i < n; i++) {
        cli_group_cells(t, per, &rows[i].key);
        tr_table_time(t, rows[i].comm);
        tr_table_time(t, rows[i].compute);
        tr_table_time(t, rows[i].memory);
        tr_table_time(t, rows[i].overlap);
        tr_table_pct(t, rows[i].overlap, rows[i].comm);
        tr_table_time(t, rows[i].exposed_comm);
    }
}

static enum tr_status comm_under_compute(struct overlap *o, struct tr_table *t,
                                         struct tr_error *err)
{
    struct tr_work_opts work = cli_analysis_work(&o->a, TR_PER_RANK);
    struct tr_busy *busy;
    const struct tr_busy_row *rows;
    size_t n;
    enum tr_status st = cli_run_busy(&o->a, &work, &busy, &rows, &n, err);
    if (st == TR_OK)
        fill_overlap(t, work.per, rows, n);
    tr_busy_free(busy);
    return st;
}

/* ---- any classes ---- */

/* Split a list at its commas, in place.  Returns the number of names, at most max + 1. */
static unsigned split(char *list, const char **names, unsigned max)
{
    unsigned n = 0;
    for (char *at = list; at; n++) {
        if (n == max)
            return max + 1;
        char *comma = strchr(at, ',');
        names[n] = at;
        at = comma ? comma + 1 : NULL;
        if (comma)
            *comma = '\0';
    }
    return n;
}

/* Is a name in a state, "compute+comm"? */
static bool names_state(const char *state, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = state; (at = strstr(at, name)) != NULL; at++)
        if ((at == state || at[-1] == '+') && (at[len] == '\0' || at[len] == '+'))
            return true;
    return false;
}

/* A class that nothing has is most often a name that is written wrong; kinds may well be absent. */
static void warn_of_unused(struct cli *cli, const struct overlap *o, const struct tr_states_opts *opts,
                           const struct tr_states_row *rows, size_t n)
{
    for (unsigned k = 0; k < opts->n_classes; k++) {
        bool used = tr_kind_by_name(opts->classes[k]) >= 0;
        char what[256];
        for (size_t i = 0; i < n && !used; i++)
            used = names_state(rows[i].name, opts->classes[k]);
        if (used)
            continue;
        snprintf(what, sizeof what, "no work is of kind or class '%.150s'", opts->classes[k]);
        cli_warn(cli, o->a.in->name, "option --classes", what);
    }
}

static enum tr_status combinations(struct cli *cli, struct overlap *o, char *list, struct tr_table *t,
                                   struct tr_error *err)
{
    const char *names[TR_SWEEP_MAX_CLASSES];
    struct tr_states_opts opts = { .work = cli_analysis_work(&o->a, TR_PER_RANK),
                                   .classes = names,
                                   .n_classes = split(list, names, TR_SWEEP_MAX_CLASSES),
                                   .with_none = true };
    struct tr_states *states;
    const struct tr_states_row *rows;
    size_t n;
    enum tr_status st = cli_run_states(&o->a, &opts, &states, &rows, &n, err);
    if (st == TR_OK) {
        warn_of_unused(cli, o, &opts, rows, n);
        cli_states_table(t, opts.work.per, "state", rows, n);
    } else if (st == TR_USAGE) {
        tr_error_place(err, "option --classes");
    }
    tr_states_free(states);
    return st;
}

static enum tr_status overlap_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct overlap *o = arg;
    struct tr_table *t = cli_table_new(cli);
    char *list = o->classes ? strdup(o->classes) : NULL;
    enum tr_status st;
    o->a.want = (struct tr_want){ .fixed = CLI_WANT_WORK };
    if (list)
        o->a.want.derived = 1u << TR_COL_CLASS;
    if (!t || (o->classes && !list))
        st = tr_fail_memory(err);
    else
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK)
        st = list ? combinations(cli, o, list, t, err) : comm_under_compute(o, t, err);
    if (st == TR_OK)
        st = cli_analysis_write(cli, &o->a, t, "no device work is selected", err);
    cli_analysis_close(&o->a);
    tr_table_free(t);
    free(list);
    return st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &overlap_tool, &(struct overlap){ .a = CLI_ANALYSIS_INIT },
                    overlap_run);
}
