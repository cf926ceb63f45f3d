/* SPDX-License-Identifier: MIT */
/* tr-sum: sums, means and spreads of a value by any keys.  Manual: tr-sum(1). */
#include "analysis/sums/tr_sum.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "cli/cli_view.h"

struct sum {
    struct cli_analysis a;
    struct tr_sum_options options;
};

static enum tr_status parse_by(void *field, const char *value, struct tr_error *err)
{
    return tr_sum_parse_by(field, value, err);
}

static enum tr_status parse_value(void *field, const char *value, struct tr_error *err)
{
    return tr_sum_parse_value(field, value, err);
}

static enum tr_status parse_stat(void *field, const char *value, struct tr_error *err)
{
    return tr_sum_parse_stat(field, value, err);
}

static enum tr_status parse_hist(void *field, const char *value, struct tr_error *err)
{
    return tr_sum_parse_hist(field, value, err);
}

static const struct tr_option sum_opts[] = {
    { 0, "by", "KEY[,KEY]...", TR_OPTION_CALL, offsetof(struct sum, options), .call = parse_by,
      .help = "keys of the groups: fields, args.KEY, bin(TIME), operator, module, annotation, stack(N), short(KEY) "
              "[name]" },
    { 0, "value", "FIELD", TR_OPTION_CALL, offsetof(struct sum, options), .call = parse_value,
      .help = "value to sum up: dur, self, queue, args.KEY, another number; event: count only [dur]" },
    { 0, "stat", "LIST", TR_OPTION_CALL, offsetof(struct sum, options), .call = parse_stat,
      .help = "count, sum, share, mean, std, min, max, pNN, first, last [count,sum,share,mean,std,min,max]" },
    { 0, "hist", "BINS|log", TR_OPTION_CALL, offsetof(struct sum, options), .call = parse_hist, .if_bare = "20",
      .help = "print a histogram instead: this number of equal bins [20], or powers of two; of the first 5 groups, or "
              "--top N, and of all others together" },
    CLI_SELECT_OPTS(struct sum, a),
    { 0 },
};

static const struct cli_tool sum_tool = {
    .name = "tr-sum",
    .brief = "sum up events by any keys",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = sum_opts,
    .examples = { "tr-sum --by step,kind --where 'activity == kernel' job.trs",
                  "tr-sum --by operator --value self --stat count,sum,p99 --top 10 job.trs" },
};

static enum tr_status sum_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const struct cli_view view = { &tr_analysis_sum, .options = offsetof(struct sum, options) };
    struct sum *o = arg;
    enum tr_status st = o->options.n_keys ? TR_OK : tr_sum_parse_by(&o->options, "name", err);
    uint64_t top = o->options.hist != TR_SUM_NO_HIST ? cli_take_top(cli) : 0;
    if (top)
        o->options.hist_groups = top;
    return st != TR_OK ? st : cli_view_run(cli, &o->a, &view, o, err);
}

int main(int argc, char **argv)
{
    struct sum o = { .a = CLI_ANALYSIS_INIT, .options = TR_SUM_DEFAULTS };
    return cli_main(argc, argv, &sum_tool, &o, sum_run);
}
