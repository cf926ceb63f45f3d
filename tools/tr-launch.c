/* tr-launch: how long launches took, and their work to start.  Manual: tr-launch(1). */
#include <config.h>

#include "analysis/tr_launches.h"
#include "cli/cli_analysis.h"

#include <stdlib.h>

struct launch {
    struct cli_analysis a;
    bool each;
    int64_t cpu_cutoff, delay_cutoff;
};

static const struct cli_opt launch_opts[] = {
    { 0, "each", NULL, CLI_FLAG, offsetof(struct launch, each),
      .help = "a row for each piece of device work that was launched" },
    { 0, "cpu-cutoff", "TIME", CLI_TIME, offsetof(struct launch, cpu_cutoff), .hi = INT64_MAX,
      .help = "calls longer than this are slow [50us]" },
    { 0, "delay-cutoff", "TIME", CLI_TIME, offsetof(struct launch, delay_cutoff), .hi = INT64_MAX,
      .help = "work that starts later than this after its call is late [100us]" },
    CLI_ANALYSIS_OPTS(struct launch, a),
    { 0 },
};

static const struct cli_tool launch_tool = {
    .name = "tr-launch",
    .brief = "say how long launches took, and their work to start",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT,
    .max_operands = CLI_ANY,
    .opts = launch_opts,
};

static const char why_empty[] = "no device work whose launch is known is selected";

/* ---- one row per name of call ---- */

static void summary_columns(struct tr_table *t, enum tr_per per)
{
    cli_group_columns(t, per);
    tr_table_column(t, "api", TR_CELL_STRING, 0);
    tr_table_column(t, "launches", TR_CELL_COUNT, 0);
    tr_table_column(t, "cpu_mean", TR_CELL_TIME, 0);
    tr_table_column(t, "queue_mean", TR_CELL_TIME, 0);
    tr_table_column(t, "gpu_mean", TR_CELL_TIME, 0);
    tr_table_column(t, "delay_p50", TR_CELL_TIME, 0);
    tr_table_column(t, "delay_p99", TR_CELL_TIME, 0);
    tr_table_column(t, "short_kernels", TR_CELL_COUNT, 0);
    tr_table_column(t, "slow_calls", TR_CELL_COUNT, 0);
    tr_table_column(t, "late_starts", TR_CELL_COUNT, 0);
    tr_table_column(t, "negative", TR_CELL_COUNT, 0);
    tr_table_column(t, "calls", TR_CELL_COUNT, 0);
    tr_table_column(t, "approx", TR_CELL_COUNT, 0);
}

static void summary_row(struct tr_table *t, enum tr_per per, const struct tr_launches_row *r)
{
    cli_group_cells(t, per, &r->key);
    tr_table_string(t, r->api);
    tr_table_count(t, r->pairs);
    tr_table_time_f(t, tr_stats_mean(&r->cpu));
    tr_table_time_f(t, tr_stats_mean(&r->queue));
    tr_table_time_f(t, tr_stats_mean(&r->gpu));
    tr_table_time_f(t, tr_hist_quantile(r->delays, 50, 100));
    tr_table_time_f(t, tr_hist_quantile(r->delays, 99, 100));
    tr_table_count(t, r->short_kernels);
    tr_table_count(t, r->slow_calls);
    tr_table_count(t, r->late_starts);
    tr_table_count(t, r->negative);
    if (per == TR_PER_DEVICE || per == TR_PER_STREAM) /* a call belongs to none */
        tr_table_absent(t);
    else
        tr_table_count(t, r->calls);
    tr_table_count(t, tr_hist_approx(r->delays));
}

static enum tr_status summary(struct cli *cli, struct launch *o, struct tr_table *t,
                              struct tr_error *err)
{
    struct tr_launches_opts opts = { .work = cli_analysis_work(&o->a, TR_PER_RANK),
                                     .cpu_cutoff = o->cpu_cutoff,
                                     .delay_cutoff = o->delay_cutoff };
    const struct tr_input *in = o->a.in;
    struct tr_launches *launches = NULL;
    const struct tr_launches_row *rows;
    const struct tr_batch *b;
    const uint8_t *keep;
    size_t n = 0;
    enum tr_status st =
        tr_launches_new(&opts, in->dict, in->summary, in->sorted, o->a.selected, &launches, err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        st = tr_launches_feed(launches, b, keep, err);
    if (st == TR_END)
        st = tr_launches_finish(launches, &rows, &n, err);
    summary_columns(t, opts.work.per);
    for (size_t i = 0; i < n; i++)
        summary_row(t, opts.work.per, &rows[i]);
    tr_launches_free(launches);
    return st == TR_OK ? cli_analysis_write(cli, &o->a, t, why_empty, err) : st;
}

/* ---- one row per piece of work ---- */

static void each_columns(struct tr_table *t)
{
    static const char *const times[] = { "cpu", "queue", "gpu", "delay" };
    cli_group_columns(t, TR_PER_STREAM);
    tr_table_column(t, "correlation", TR_CELL_INT, 0);
    tr_table_column(t, "api", TR_CELL_STRING, 0);
    tr_table_column(t, "name", TR_CELL_STRING, 0);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        tr_table_column(t, times[i], TR_CELL_TIME, 0);
    tr_table_column(t, "negative", TR_CELL_COUNT, 0);
    tr_table_column(t, "record", TR_CELL_COUNT, 0);
    tr_table_column(t, "launch_record", TR_CELL_COUNT, 0);
}

static void duration(struct tr_table *t, int64_t ns)
{
    if (ns == TR_TIME_NONE)
        tr_table_absent(t);
    else
        tr_table_time(t, ns);
}

static void each_row(struct tr_table *t, const struct tr_pairs *pairs, const struct tr_launch_pair *p,
                     int64_t correlation, int64_t launch_record)
{
    const struct tr_batch *b = pairs->streams.groups.batch;
    cli_group_cells(t, TR_PER_STREAM, &pairs->streams.groups.groups[p->group]);
    if (correlation == TR_TIME_NONE)
        tr_table_absent(t);
    else
        tr_table_int(t, correlation);
    tr_table_string(t, tr_dict_str(b->dict, p->api));
    tr_table_string(t, tr_dict_str(b->dict, b->name[p->event]));
    duration(t, p->cpu);
    tr_table_time(t, p->queue);
    duration(t, p->gpu);
    tr_table_time(t, p->delay);
    tr_table_count(t, p->negative);
    tr_table_count(t, b->record[p->event]);
    tr_table_count(t, (uint64_t)launch_record);
}

struct each {
    struct tr_pairs pairs;
    struct tr_numbers correlation;
    int64_t *launch_record;
    size_t cap_record;
};

static enum tr_status each_batch(struct each *e, struct tr_table *t, const struct tr_batch *b,
                                 const uint8_t *keep, struct tr_error *err)
{
    enum tr_status st = tr_pairs_batch(&e->pairs, b, keep, err);
    if (st != TR_OK)
        return st;
    if (!tr_grow(&e->launch_record, &e->cap_record, b->n, sizeof *e->launch_record) ||
        !tr_numbers_read(&e->correlation, b, TR_PLACE_ARGS, "correlation", NULL))
        return tr_fail_memory(err);
    tr_batch_expand_i64(b, TR_COL_LAUNCH_RECORD, 0, e->launch_record);
    for (size_t k = 0; k < e->pairs.n; k++) {
        const struct tr_launch_pair *p = &e->pairs.pairs[k];
        each_row(t, &e->pairs, p, tr_numbers_at(&e->correlation, p->event), e->launch_record[p->event]);
    }
    return TR_OK;
}

static enum tr_status each(struct cli *cli, struct launch *o, struct tr_table *t, struct tr_error *err)
{
    struct tr_work_opts work = cli_analysis_work(&o->a, TR_PER_STREAM);
    struct each e = { .launch_record = NULL };
    const struct tr_input *in = o->a.in;
    const struct tr_batch *b;
    const uint8_t *keep;
    work.per = TR_PER_STREAM;
    each_columns(t);
    enum tr_status st =
        tr_pairs_init(&e.pairs, &work, in->dict, in->summary, in->sorted, o->a.selected, err);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK) {
        st = each_batch(&e, t, b, keep, err);
        if (st == TR_OK)
            st = cli_table_flush(cli, t, err);
    }
    tr_pairs_free(&e.pairs);
    tr_numbers_free(&e.correlation);
    free(e.launch_record);
    return st == TR_END ? cli_analysis_write(cli, &o->a, t, why_empty, err) : st;
}

static enum tr_status launch_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const char *const keys[] = { "correlation" };
    struct launch *o = arg;
    struct tr_table *t = cli_table_new(cli);
    o->a.want = (struct tr_want){ .fixed = CLI_WANT_WORK | TR_WANT(NAME),
                                  .derived = 1u << TR_COL_LAUNCH_DUR | 1u << TR_COL_LAUNCH_NAME };
    if (o->each) {
        o->a.want.fixed |= TR_WANT(RECORD);
        o->a.want.derived |= 1u << TR_COL_LAUNCH_RECORD;
        o->a.want.keys = keys;
        o->a.want.n_keys = 1;
    }
    enum tr_status st = t ? cli_analysis_open(cli, &o->a, 0, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = o->each ? each(cli, o, t, err) : summary(cli, o, t, err);
    cli_analysis_close(&o->a);
    tr_table_free(t);
    return st;
}

int main(int argc, char **argv)
{
    struct launch o = { .a = CLI_ANALYSIS_INIT, .cpu_cutoff = 50000, .delay_cutoff = 100000 };
    return cli_main(argc, argv, &launch_tool, &o, launch_run);
}
