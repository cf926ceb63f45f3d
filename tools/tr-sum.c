/* SPDX-License-Identifier: MIT */
/* tr-sum: sums, means and spreads of a value by any keys.  Manual: tr-sum(1). */
#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/sums/tr_sum.h"
#include "analysis/util/tr_util_analyses.h"
#include "cli/cli_book.h"
#include "cli/cli_view.h"

struct sum {
    struct cli_analysis a;
    int recipe; /* -1: none */
};

/* ---- reports of nsys stats ---- */

/* What a report is made of, and how its columns are called there. */
struct recipe {
    const char *where, *by, *value, *stat, *columns;
    const struct tr_table_heading *headings;
    const struct tr_analysis *analysis; /* in place of sums; NULL: none */
    const void *options;                /* of it */
    int per;                            /* how it groups */
};

#define HEADINGS(...) .headings = (const struct tr_table_heading[]) { __VA_ARGS__, { NULL, NULL } }
#define TIMES(count)                                                                                                 \
    { "pct", "Time (%)" }, { "sum", "Total Time" }, { "count", count }, { "mean", "Avg" }, { "p50", "Med" },         \
    { "min", "Min" }, { "max", "Max" }, { "std", "StdDev" }
#define OF_TIMES "dur", "share,sum,count,mean,p50,min,max,std"
#define TIME_COLUMNS "pct,sum,count,mean,p50,min,max,std,"
#define KERNELS "activity == kernel && cat != cuda_graph" /* the launch of a graph is none there */

/* Five figures of a time of launches. */
#define FIVE_COLUMNS(of) of "_mean," of "_p50," of "_min," of "_max," of "_std,"
#define FIVE(of, letter)                                                                                             \
    { of "_mean", letter "Avg" }, { of "_p50", letter "Med" }, { of "_min", letter "Min" },                          \
    { of "_max", letter "Max" }, { of "_std", letter "StdDev" }

static const char *const recipe_names[] = {
    "cuda_gpu_kern_sum", "cuda_gpu_kern_gb_sum", "cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum", "cuda_gpu_sum",
    "cuda_api_sum", "cuda_api_gpu_sum", "cuda_kern_exec_sum", "nvtx_sum", "nvtx_pushpop_sum", "nvtx_startend_sum",
    "nvtx_gpu_proj_sum", "osrt_sum", "mpi_event_sum", NULL,
};
static const struct recipe recipes[] = { /* in this order */
    { KERNELS, "name", OF_TIMES, TIME_COLUMNS "name",
      HEADINGS(TIMES("Instances"), { "name", "Name" }) },
    { KERNELS, "name,grid,block", OF_TIMES, TIME_COLUMNS "grid,block,name",
      HEADINGS(TIMES("Instances"), { "grid", "GridXYZ" }, { "block", "BlockXYZ" }, { "name", "Name" }) },
    { "activity in (memcpy, memset)", "name", OF_TIMES, TIME_COLUMNS "name",
      HEADINGS(TIMES("Count"), { "name", "Operation" }) },
    { "activity in (memcpy, memset)", "name", "bytes", "sum,count,mean,p50,min,max,std",
      "sum,count,mean,p50,min,max,std,name",
      HEADINGS({ "sum", "Total (bytes)" }, { "count", "Count" }, { "mean", "Avg (bytes)" }, { "p50", "Med (bytes)" },
               { "min", "Min (bytes)" }, { "max", "Max (bytes)" }, { "std", "StdDev (bytes)" },
               { "name", "Operation" }) },
    { "activity in (kernel, memcpy, memset) && cat != cuda_graph", "activity,name", OF_TIMES,
      TIME_COLUMNS "activity,name",
      HEADINGS(TIMES("Instances"), { "activity", "Category" }, { "name", "Operation" }) },
    { "activity in (runtime_api, driver_api)", "name", OF_TIMES, TIME_COLUMNS "name",
      HEADINGS(TIMES("Num Calls"), { "name", "Name" }) },
    { "activity in (runtime_api, driver_api, kernel, memcpy, memset) && cat != cuda_graph", "activity,name", OF_TIMES,
      TIME_COLUMNS "activity,name",
      HEADINGS(TIMES("Instances"), { "activity", "Category" }, { "name", "Operation" }) },
    { .columns = "rank,device,launches,queued," FIVE_COLUMNS("total") FIVE_COLUMNS("cpu") FIVE_COLUMNS("queue")
                 FIVE_COLUMNS("gpu") "api,name",
      HEADINGS({ "rank", "Rank" }, { "device", "DevId" }, { "launches", "Count" }, { "queued", "QCount" },
               FIVE("total", "T"), FIVE("cpu", "A"), FIVE("queue", "Q"), FIVE("gpu", "K"), { "api", "API Name" },
               { "name", "Kernel Name" }),
      .analysis = &tr_analysis_launch_kernel, .per = TR_PER_DEVICE },
    { "activity == annotation || cat == nvtx_op", "name", OF_TIMES, TIME_COLUMNS "name",
      HEADINGS(TIMES("Instances"), { "name", "Range" }) },
    { "(activity == annotation || cat == nvtx_op) && phase == span", "name", OF_TIMES, TIME_COLUMNS "name",
      HEADINGS(TIMES("Instances"), { "name", "Range" }) },
    { "phase == async_begin && (activity == annotation || cat == user_annotation)", "name", OF_TIMES,
      TIME_COLUMNS "name", HEADINGS(TIMES("Instances"), { "name", "Range" }) },
    { .columns = "name,device,launching_host,launching,device_mean,device_p50,device_min,device_max,device_std,kernels,"
                 "kernels_mean",
      HEADINGS({ "name", "Range" }, { "device", "Total Proj Time" }, { "launching_host", "Total Range Time" },
               { "launching", "Range Instances" }, { "device_mean", "Proj Avg" }, { "device_p50", "Proj Med" },
               { "device_min", "Proj Min" }, { "device_max", "Proj Max" }, { "device_std", "Proj StdDev" },
               { "kernels", "Total GPU Ops" }, { "kernels_mean", "Avg GPU Ops" }),
      .analysis = &tr_analysis_util_annotation, .options = &tr_projection_launching, .per = TR_PER_ALL },
    { "activity == os_api", "name", OF_TIMES, TIME_COLUMNS "name",
      HEADINGS(TIMES("Num Calls"), { "name", "Name" }) },
    { "activity == host_comm", "name", OF_TIMES, TIME_COLUMNS "name",
      HEADINGS(TIMES("Instances"), { "name", "Name" }) },
};
_Static_assert(sizeof recipe_names / sizeof *recipe_names == sizeof recipes / sizeof *recipes + 1, "a name for each");

/* As if the user had given the options that the report is made of. */
static enum tr_status follow(struct cli *cli, struct sum *s, struct tr_sum_options *o, struct tr_error *err)
{
    static const char *const own[] = { "by", "value", "stat", "hist" };
    static const struct tr_option where = { .name = "where", .type = TR_OPTION_LIST };
    const struct recipe *r = &recipes[s->recipe];
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (cli_given(cli, own[i]))
            return tr_fail(err, TR_USAGE, "--recipe says what is summed up: it does not go with --%s", own[i]);
    enum tr_status st = r->where ? tr_option_set(&where, &s->a.select.where, r->where, err) : TR_OK;
    if (st == TR_OK && r->by)
        st = tr_sum_parse_by(o, r->by, err);
    if (st == TR_OK && r->value)
        st = tr_sum_parse_value(o, r->value, err);
    if (st == TR_OK && r->stat)
        st = tr_sum_parse_stat(o, r->stat, err);
    cli_columns_default(cli, r->columns);
    cli_headings(cli, r->headings);
    cli_name_table(cli, recipe_names[s->recipe]);
    if (r->analysis || tr_sum_is_time(o))
        cli_unit_default(cli, CLI_NS);
    if (r->analysis)
        s->a.per = r->per;
    const struct tr_analysis *analysis = r->analysis ? r->analysis : cli_view(cli)->analysis;
    return st == TR_OK ? cli_analysis_run(cli, &s->a, analysis, r->analysis ? r->options : o, err) : st;
}

static const struct tr_option sum_opts[] = {
    { 0, "recipe", "NAME", TR_OPTION_CHOICE, offsetof(struct sum, recipe), .choices = recipe_names,
      .help = "a report of nsys stats, with its columns: cuda_gpu_kern_sum, cuda_gpu_kern_gb_sum, "
              "cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum, cuda_gpu_sum, cuda_api_sum, cuda_api_gpu_sum, "
              "cuda_kern_exec_sum, nvtx_sum, nvtx_pushpop_sum, nvtx_startend_sum, nvtx_gpu_proj_sum, osrt_sum, "
              "mpi_event_sum" },
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
        return follow(cli, s, o, err);
    uint64_t top = st == TR_OK && o->hist != TR_SUM_NO_HIST ? cli_take_top(cli) : 0;
    if (top)
        o->hist_groups = top;
    return st == TR_OK ? cli_view_run(cli, &s->a, err) : st;
}

int tr_sum_main(int argc, char **argv)
{
    return cli_main(argc, argv, &sum_tool, &(struct sum){ .a = CLI_ANALYSIS_INIT, .recipe = -1 }, sum_run);
}
