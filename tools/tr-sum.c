/* SPDX-License-Identifier: MIT */
/* tr-sum: sums, means and spreads of a value by any keys.  Manual: tr-sum(1). */
#include "analysis/sums/tr_sum.h"
#include "cli/cli_view.h"

struct sum {
    struct cli_analysis a;
    int recipe; /* -1: none */
};

/* ---- reports of nsys stats ---- */

/* What a report is made of, and how its columns are called there. */
struct recipe {
    const char *where, *by, *value, *stat, *columns;
    struct tr_sum_heading headings[14];
};

#define TIMES(count)                                                                                                 \
    { "pct", "Time (%)" }, { "sum", "Total Time" }, { "count", count }, { "mean", "Avg" }, { "p50", "Med" },         \
    { "min", "Min" }, { "max", "Max" }, { "std", "StdDev" }
#define OF_TIMES "share,sum,count,mean,p50,min,max,std"
#define TIME_COLUMNS "pct,sum,count,mean,p50,min,max,std,"

static const char *const recipe_names[] = { "cuda_gpu_kern_sum", "cuda_gpu_kern_gb_sum", "cuda_gpu_mem_time_sum",
                                            "cuda_gpu_mem_size_sum", "cuda_gpu_sum", "cuda_api_sum", "nvtx_sum",
                                            NULL };
static const struct recipe recipes[] = { /* in this order */
    { "activity == kernel", "name", "dur", OF_TIMES, TIME_COLUMNS "name", { TIMES("Instances"), { "name", "Name" } } },
    { "activity == kernel", "name,grid,block", "dur", OF_TIMES, TIME_COLUMNS "grid,block,name",
      { TIMES("Instances"), { "grid", "GridXYZ" }, { "block", "BlockXYZ" }, { "name", "Name" } } },
    { "activity in (memcpy, memset)", "name", "dur", OF_TIMES, TIME_COLUMNS "name",
      { TIMES("Count"), { "name", "Operation" } } },
    { "activity in (memcpy, memset)", "name", "bytes", "sum,count,mean,p50,min,max,std",
      "sum,count,mean,p50,min,max,std,name",
      { { "sum", "Total (bytes)" }, { "count", "Count" }, { "mean", "Avg (bytes)" }, { "p50", "Med (bytes)" },
        { "min", "Min (bytes)" }, { "max", "Max (bytes)" }, { "std", "StdDev (bytes)" }, { "name", "Operation" } } },
    { "activity in (kernel, memcpy, memset)", "activity,name", "dur", OF_TIMES, TIME_COLUMNS "activity,name",
      { TIMES("Instances"), { "activity", "Category" }, { "name", "Operation" } } },
    { "activity in (runtime_api, driver_api)", "name", "dur", OF_TIMES, TIME_COLUMNS "name",
      { TIMES("Num Calls"), { "name", "Name" } } },
    { "activity == annotation", "name", "dur", OF_TIMES, TIME_COLUMNS "name",
      { TIMES("Instances"), { "name", "Range" } } },
};

/* As if the user had given the options that the report is made of. */
static enum tr_status follow(struct cli *cli, struct sum *s, struct tr_sum_options *o, struct tr_error *err)
{
    static const char *const own[] = { "by", "value", "stat", "hist" };
    static const struct tr_option where = { .name = "where", .type = TR_OPTION_LIST };
    const struct recipe *r = &recipes[s->recipe];
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (cli_given(cli, own[i]))
            return tr_fail(err, TR_USAGE, "--recipe says what is summed up: it does not go with --%s", own[i]);
    enum tr_status st = tr_option_set(&where, &s->a.select.where, r->where, err);
    if (st == TR_OK)
        st = tr_sum_parse_by(o, r->by, err);
    if (st == TR_OK)
        st = tr_sum_parse_value(o, r->value, err);
    if (st == TR_OK)
        st = tr_sum_parse_stat(o, r->stat, err);
    o->headings = r->headings;
    cli_columns_default(cli, r->columns);
    if (st == TR_OK && tr_sum_is_time(o))
        cli_unit_default(cli, CLI_NS);
    return st;
}

static const struct tr_option sum_opts[] = {
    { 0, "recipe", "NAME", TR_OPTION_CHOICE, offsetof(struct sum, recipe), .choices = recipe_names,
      .help = "a report of nsys stats, with its columns: cuda_gpu_kern_sum, cuda_gpu_kern_gb_sum, "
              "cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum, cuda_gpu_sum, cuda_api_sum, nvtx_sum" },
    CLI_SELECT_OPTS(struct sum, a),
    { 0 },
};

static const struct cli_tool sum_tool = {
    .name = "tr-sum",
    .brief = "sum up events by any keys",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = sum_opts,
    .views = tr_sum_views,
    .examples = { "tr-sum --by step,kind --where 'activity == kernel' job.trs",
                  "tr-sum --by operator --value self --stat count,sum,p99 --top 10 job.trs" },
};

static enum tr_status sum_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct sum *s = arg;
    enum tr_status st = cli_view_choose(cli, err);
    struct tr_sum_options *o = cli_view_options(cli);
    if (st == TR_OK && s->recipe >= 0)
        st = follow(cli, s, o, err);
    uint64_t top = st == TR_OK && o->hist != TR_SUM_NO_HIST ? cli_take_top(cli) : 0;
    if (top)
        o->hist_groups = top;
    return st == TR_OK ? cli_view_run(cli, &s->a, err) : st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &sum_tool, &(struct sum){ .a = CLI_ANALYSIS_INIT, .recipe = -1 }, sum_run);
}
