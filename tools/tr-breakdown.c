/* tr-breakdown: where the time of the devices went.  Manual: tr-breakdown(1). */
#include <config.h>

#include "analysis/tr_idle.h"
#include "analysis/tr_names.h"
#include "breakdown.h"
#include "cli/cli_analysis.h"

enum view {
    VIEW_TIME,
    VIEW_TYPE,
    VIEW_IDLE,
    VIEW_KERNEL,
    VIEW_CLASS,
    VIEW_ANNOTATION,
    VIEW_OPERATOR,
    VIEW_TREE,
    VIEW_NESTING
};
static const char *const view_names[] = { "time",       "type",     "idle", "kernel",  "class",
                                          "annotation", "operator", "tree", "nesting", NULL };

enum side { SIDE_HOST, SIDE_DEVICE, SIDE_WORK };
static const char *const side_names[] = { "host", "device", "work", NULL };

struct breakdown {
    struct cli_analysis a;
    int by, side;
    int64_t threshold;
    uint64_t top;
    double ratio;
    bool join_backward;
    struct cli_names op;
};

static const struct cli_opt breakdown_opts[] = {
    { 0, "by", "VIEW", CLI_CHOICE, offsetof(struct breakdown, by), .choices = view_names,
      .help = "time, type, idle, kernel, class, annotation, operator, tree or nesting [time]" },
    { 0, "threshold", "TIME", CLI_TIME, offsetof(struct breakdown, threshold), .lo = 0, .hi = INT64_MAX,
      .help = "idle: gaps below it are waits of the device itself [30us]" },
    { 0, "top", "N", CLI_U64, offsetof(struct breakdown, top),
      .help = "kernel, class, annotation: the N longest names, then others [all]" },
    { 0, "ratio", "R", CLI_DOUBLE, offsetof(struct breakdown, ratio),
      .help = "kernel, class, annotation: names until they make R of the sum, then others [1]" },
    { 0, "side", "SIDE", CLI_CHOICE, offsetof(struct breakdown, side), .choices = side_names,
      .help = "annotation: those of the host, of the device, or device work under them [host]" },
    { 0, "op", "REGEX", CLI_CALL, offsetof(struct breakdown, op), .call = cli_names_parse,
      .help = "operator: only operators with such names own kernels [all]" },
    { 0, "join-backward", NULL, CLI_FLAG, offsetof(struct breakdown, join_backward),
      .help = "tree: the thread of the backward pass belongs to the steps of the main one" },
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

/* ---- idle ---- */

static void quantiles(struct tr_table *t, const struct tr_hist *h, const uint64_t *percent, size_t n)
{
    for (size_t i = 0; i < n; i++)
        tr_table_time_f(t, tr_hist_quantile(h, percent[i], 100));
}

/* A time of no events is no time. */
static void extreme(struct tr_table *t, const struct tr_stats *s, int64_t value)
{
    if (s->n)
        tr_table_time(t, value);
    else
        tr_table_absent(t);
}

static void idle_columns(struct tr_table *t, enum tr_per per)
{
    static const char *const times[] = { "mean", "std", "min", "p25", "p50", "p75", "max" };
    cli_group_columns(t, per);
    tr_table_column(t, "cause", TR_CELL_STRING, 0);
    tr_table_column(t, "idle", TR_CELL_TIME, 0);
    tr_table_column(t, "pct", TR_CELL_RATIO, 2);
    tr_table_column(t, "count", TR_CELL_COUNT, 0);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        tr_table_column(t, times[i], TR_CELL_TIME, 0);
    tr_table_column(t, "approx", TR_CELL_COUNT, 0);
}

static void idle_row(struct tr_table *t, enum tr_per per, const struct tr_idle_row *r)
{
    int64_t sum = tr_stats_sum(&r->stats);
    cli_group_cells(t, per, &r->key);
    tr_table_string(t, tr_idle_cause_name(r->cause));
    tr_table_time(t, sum);
    tr_table_pct(t, sum, r->whole);
    tr_table_count(t, r->stats.n);
    tr_table_time_f(t, tr_stats_mean(&r->stats));
    tr_table_time_f(t, tr_stats_std(&r->stats));
    extreme(t, &r->stats, r->stats.min);
    quantiles(t, r->gaps, (const uint64_t[]){ 25, 50, 75 }, 3);
    extreme(t, &r->stats, r->stats.max);
    tr_table_count(t, tr_hist_approx(r->gaps));
}

static enum tr_status by_idle(struct breakdown *o, struct tr_table *t, struct tr_error *err)
{
    struct tr_work_opts work = cli_analysis_work(&o->a, TR_PER_STREAM);
    const struct tr_input *in = o->a.in;
    struct tr_idle *idle = NULL;
    const struct tr_idle_row *rows;
    const struct tr_batch *b;
    const uint8_t *keep;
    size_t n = 0;
    enum tr_status st = tr_idle_new(&work, o->threshold, in->dict, in->summary, in->sorted,
                                    o->a.selected, &idle, err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        st = tr_idle_feed(idle, b, keep, err);
    if (st == TR_END)
        st = tr_idle_finish(idle, &rows, &n, err);
    idle_columns(t, work.per);
    for (size_t i = 0; i < n; i++)
        idle_row(t, work.per, &rows[i]);
    tr_idle_free(idle);
    return st;
}

/* ---- kernel, class, annotation ---- */

static void names_columns(struct tr_table *t, enum tr_per per, int view)
{
    static const char *const times[] = { "mean", "std", "min", "p50", "p99", "max" };
    cli_group_columns(t, per);
    if (view == VIEW_KERNEL)
        tr_table_column(t, "kind", TR_CELL_STRING, 0);
    tr_table_column(t, view == VIEW_CLASS ? "class" : "name", TR_CELL_STRING, 0);
    tr_table_column(t, "count", TR_CELL_COUNT, 0);
    tr_table_column(t, "sum", TR_CELL_TIME, 0);
    if (view != VIEW_ANNOTATION)
        tr_table_column(t, "pct", TR_CELL_RATIO, 2);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        tr_table_column(t, times[i], TR_CELL_TIME, 0);
    tr_table_column(t, view == VIEW_CLASS ? "classes" : "names", TR_CELL_COUNT, 0);
    tr_table_column(t, "approx", TR_CELL_COUNT, 0);
}

static void names_row(struct tr_table *t, enum tr_per per, int view, const struct tr_names_row *r)
{
    int64_t sum = tr_stats_sum(&r->stats);
    cli_group_cells(t, per, &r->key);
    if (view == VIEW_KERNEL)
        tr_table_string(t, tr_kind_name(r->kind));
    if (view == VIEW_CLASS && r->name && !*r->name)
        tr_table_absent(t);
    else
        tr_table_string(t, r->name ? r->name : "others");
    tr_table_count(t, r->stats.n);
    tr_table_time(t, sum);
    if (view != VIEW_ANNOTATION)
        tr_table_pct(t, sum, r->whole);
    tr_table_time_f(t, tr_stats_mean(&r->stats));
    tr_table_time_f(t, tr_stats_std(&r->stats));
    tr_table_time(t, r->stats.min);
    quantiles(t, r->durations, (const uint64_t[]){ 50, 99 }, 2);
    tr_table_time(t, r->stats.max);
    tr_table_count(t, r->n_names);
    tr_table_count(t, tr_hist_approx(r->durations));
}

/* A class without anything in it but the empty one is most often a stream that nobody has categorized. */
static void warn_of_no_class(struct cli *cli, const struct breakdown *o,
                             const struct tr_names_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!rows[i].name || *rows[i].name)
            return;
    if (n)
        cli_warn(cli, o->a.in->name, "", "no work has a class: tr-categorize sets it");
}

static enum tr_status by_name(struct cli *cli, struct breakdown *o, struct tr_table *t,
                              struct tr_error *err)
{
    struct tr_names_opts opts = { .work = cli_analysis_work(&o->a, TR_PER_RANK),
                                  .by_kind = o->by == VIEW_KERNEL,
                                  .by_class = o->by == VIEW_CLASS,
                                  .top = o->top,
                                  .ratio = o->ratio };
    const struct tr_input *in = o->a.in;
    struct tr_names *names = NULL;
    const struct tr_names_row *rows;
    const struct tr_batch *b;
    const uint8_t *keep;
    size_t n = 0;
    opts.by_cover = o->by == VIEW_ANNOTATION && o->side == SIDE_WORK;
    if (o->by == VIEW_ANNOTATION && !opts.by_cover)
        opts.work.activities = TR_ACTIVITY_BIT(
            o->side == SIDE_HOST ? TR_ACT_ANNOTATION : TR_ACT_DEVICE_ANNOTATION);
    enum tr_status st =
        tr_names_new(&opts, in->dict, in->summary, in->sorted, o->a.selected, &names, err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        st = tr_names_feed(names, b, keep, err);
    if (st == TR_END)
        st = tr_names_finish(names, &rows, &n, err);
    names_columns(t, opts.work.per, o->by);
    for (size_t i = 0; i < n; i++)
        names_row(t, opts.work.per, o->by, &rows[i]);
    if (st == TR_OK && o->by == VIEW_CLASS)
        warn_of_no_class(cli, o, rows, n);
    tr_names_free(names);
    return st;
}

static enum tr_status make_table(struct cli *cli, struct breakdown *o, struct tr_table *t,
                                 struct tr_error *err)
{
    switch (o->by) {
    case VIEW_TYPE:
        return by_type(o, t, err);
    case VIEW_IDLE:
        return by_idle(o, t, err);
    case VIEW_KERNEL:
    case VIEW_CLASS:
    case VIEW_ANNOTATION:
        return by_name(cli, o, t, err);
    case VIEW_OPERATOR:
        return breakdown_operator(cli, &o->a, &o->op, t, err);
    case VIEW_TREE:
        return breakdown_tree(cli, &o->a, o->join_backward, t, err);
    case VIEW_NESTING:
        return breakdown_nesting(&o->a, t, err);
    default:
        return by_time(o, t, err);
    }
}

static const char *const why_empty[] = {
    [VIEW_TIME] = "no device work is selected",
    [VIEW_TYPE] = "no device work of these kinds is selected",
    [VIEW_IDLE] = "no device work is selected",
    [VIEW_KERNEL] = "no device work is selected",
    [VIEW_ANNOTATION] = "no annotations of this side are selected",
    [VIEW_OPERATOR] = "no kernel that is selected was launched by an operator",
    [VIEW_TREE] = "no spans are selected",
    [VIEW_NESTING] = "no source is selected",
};

static enum tr_status breakdown_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct breakdown *o = arg;
    struct tr_table *t = cli_table_new(cli);
    bool names = o->by == VIEW_KERNEL || o->by == VIEW_ANNOTATION;
    o->a.want = (struct tr_want){ .fixed = CLI_WANT_WORK | (names ? TR_WANT(NAME) : 0) };
    if (o->by == VIEW_TREE || o->by == VIEW_NESTING)
        o->a.want = breakdown_want_tree;
    if (o->by == VIEW_OPERATOR)
        o->a.want = breakdown_want_operator;
    o->a.host = (o->by == VIEW_ANNOTATION && o->side != SIDE_WORK) || o->by == VIEW_TREE || o->by == VIEW_NESTING;
    if (o->by == VIEW_TYPE || o->by == VIEW_CLASS)
        o->a.want.derived = 1u << TR_COL_CLASS;
    enum tr_status st = t ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK && (o->by == VIEW_TREE || o->by == VIEW_NESTING))
        st = cli_analysis_per_rank(&o->a, view_names[o->by], err);
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK)
        st = make_table(cli, o, t, err);
    if (st == TR_OK)
        st = cli_analysis_write(cli, &o->a, t, why_empty[o->by], err);
    cli_analysis_close(&o->a);
    tr_table_free(t);
    return st;
}

int main(int argc, char **argv)
{
    struct breakdown o = { .a = CLI_ANALYSIS_INIT, .threshold = TR_IDLE_THRESHOLD_NS, .ratio = 1 };
    int code = cli_main(argc, argv, &breakdown_tool, &o, breakdown_run);
    cli_names_free(&o.op);
    return code;
}
