/* SPDX-License-Identifier: MIT */
/* tr-memory: device memory over time, from allocation events.  Manual: tr-memory(1). */
#include "analysis/memory/tr_memory_analyses.h"
#include "cli/cli_view.h"

static const char *const by_names[] = { "series", "peak", "end", "summary", NULL };

/* The key of allocations: one key, or the category. */
static const char *const key_names[] = { "operator", "top-operator", "annotation", "all", NULL };
static const enum tr_memory_by keys[] = { TR_MEMORY_OPERATOR, TR_MEMORY_TOP, TR_MEMORY_ANNOTATION,
                                          TR_MEMORY_ALL };
#define ANY_KEY 0xfu

struct memory {
    struct cli_analysis a;
    struct tr_option_by by;
    struct tr_memory_options options;
};

static const struct cli_view views[] = {
    { .analysis = &tr_analysis_memory_series, .options = offsetof(struct memory, options), .keys = ANY_KEY },
    { .analysis = &tr_analysis_memory_peak, .options = offsetof(struct memory, options), .keys = ANY_KEY },
    { .analysis = &tr_analysis_memory_end, .options = offsetof(struct memory, options), .keys = ANY_KEY },
    { .analysis = &tr_analysis_memory_summary, .options = offsetof(struct memory, options) },
};

static const struct tr_option memory_opts[] = {
    { 0, "by", "TABLE[,KEY]", TR_OPTION_CHOICE, offsetof(struct memory, by), .choices = by_names, .keys = key_names,
      .help = "series: memory over time; peak, end: allocations at the peak or at the end; summary: totals of each "
              "device [series]; KEY of series, peak, end: operator, top-operator, annotation or all [category]" },
    CLI_ANALYSIS_OPTS(struct memory, a),
    { 0 },
};

static const struct cli_tool memory_tool = {
    .name = "tr-memory",
    .brief = "say how much memory was allocated, when, and for what",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = memory_opts,
    .examples = { "tr-memory --by summary rank*.json.gz",
                  "tr-memory --by peak,operator --top 10 job.trs" },
};

static enum tr_status memory_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct memory *o = arg;
    enum tr_status st = cli_view_check(cli, views, sizeof views / sizeof *views, o->by, key_names, err);
    if (st == TR_OK && (o->by.keys & (o->by.keys - 1)))
        return tr_fail(err, TR_USAGE, "option --by: one of operator, top-operator, annotation and all");
    for (unsigned k = 0; key_names[k]; k++)
        if (o->by.keys >> k & 1)
            o->options.by = keys[k];
    return st == TR_OK ? cli_view_run(cli, &o->a, &views[o->by.choice], o, err) : st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &memory_tool, &(struct memory){ .a = CLI_ANALYSIS_INIT },
                    memory_run);
}
