/* tr-memory: device memory over time, from allocation events.  Manual: tr-memory(1). */
#include "analysis/tr_analyses.h"
#include "cli/cli_view.h"

static const char *const by_names[] = { "category",   "operator", "top-operator",
                                        "annotation", "all",      NULL };

struct memory {
    struct cli_analysis a;
    int by;
    bool peak, end, summary;
    struct tr_memory_options options;
};

static const struct cli_opt memory_opts[] = {
    { 0, "by", "WHAT", CLI_CHOICE, offsetof(struct memory, by), .choices = by_names,
      .help = "category, or operator, top-operator, annotation that allocated, or all [category]" },
    { 0, "peak", NULL, CLI_FLAG, offsetof(struct memory, peak),
      .help = "what was allocated when it was most" },
    { 0, "end", NULL, CLI_FLAG, offsetof(struct memory, end),
      .help = "what is still allocated at the end" },
    { 0, "summary", NULL, CLI_FLAG, offsetof(struct memory, summary),
      .help = "allocations, frees, growth, peak, unused reserve of each device" },
    CLI_ANALYSIS_OPTS(struct memory, a),
    { 0 },
};

static const struct cli_tool memory_tool = {
    .name = "tr-memory",
    .brief = "say how much memory was allocated, when, and for what",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = memory_opts,
};

static enum tr_status check_options(const struct memory *o, struct tr_error *err)
{
    if (o->peak + o->end + o->summary > 1)
        return tr_fail(err, TR_USAGE, "options --peak, --end and --summary exclude each other");
    if (o->summary && o->by != TR_MEMORY_CATEGORY)
        return tr_fail(err, TR_USAGE, "option --by is not for --summary, which knows no categories");
    return TR_OK;
}

static enum tr_status memory_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct memory *o = arg;
    const struct cli_view view = {
        .analysis = o->summary ? &tr_analysis_memory_summary
                    : o->peak  ? &tr_analysis_memory_peak
                    : o->end   ? &tr_analysis_memory_end
                               : &tr_analysis_memory_series,
        .options = offsetof(struct memory, options),
    };
    enum tr_status st = check_options(o, err);
    o->options.by = (enum tr_memory_by)o->by;
    return st == TR_OK ? cli_view_run(cli, &o->a, &view, o, err) : st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &memory_tool, &(struct memory){ .a = CLI_ANALYSIS_INIT },
                    memory_run);
}
