/* SPDX-License-Identifier: MIT */
/* tr-stalls: instructions of kernels that are stalled, by cause, and what they wait for.  Manual: tr-stalls(1). */
#include "cli/cli_view.h"
#include "formats/tr_asm_files.h"
#include "vendor/tr_asm.h"

struct stalls {
    struct cli_analysis a;
    const char *annotate;
};

static const struct tr_option stalls_opts[] = {
    { 0, "annotate", "FILE", TR_OPTION_TEXT, offsetof(struct stalls, annotate),
      .help = "print this dump with an address before each instruction" },
    CLI_ANALYSIS_OPTS(struct stalls, a),
    { 0 },
};

static const struct cli_tool stalls_tool = {
    .name = "tr-stalls",
    .brief = "say which instructions of kernels are stalled, by what, and what they wait for",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL,
    .max_operands = CLI_ANY,
    .opts = stalls_opts,
    .views = tr_stalls_views,
    .examples = { "tr-stalls metrics_0.csv", "tr-stalls --by cause --top 3 --asm dumps metrics_0.csv" },
};

/* The dump of --annotate, with addresses. */
static enum tr_status annotate(struct cli *cli, const char *path, struct tr_error *err)
{
    struct tr_buf text = { 0 }, out = { 0 };
    int fd;
    enum tr_status st = tr_asm_file_text(path, &text, err);
    if (st == TR_OK && !tr_asm_annotate(&out, text.data ? (const char *)text.data : "", text.len))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = cli_output(cli, false, &fd, err);
    if (st == TR_OK && out.len)
        st = cli_write(cli, out.data, out.len, err);
    tr_buf_free(&text);
    tr_buf_free(&out);
    return st;
}

static enum tr_status check(struct cli *cli, const struct stalls *o, struct tr_error *err)
{
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    if (o->a.suspect || cli_given(cli, "drop-last-step"))
        return tr_fail(err, TR_USAGE, "--%s has no effect here: stalls have no times",
                       o->a.suspect ? "suspect" : "drop-last-step");
    if (!o->annotate)
        return TR_OK;
    if (n)
        return tr_fail(err, TR_USAGE, "extra operand '%.200s': --annotate reads no metrics", operands[0]);
    if (cli_given(cli, "by") || cli_given(cli, "asm"))
        return tr_fail(err, TR_USAGE, "--%s is for tables", cli_given(cli, "by") ? "by" : "asm");
    if (cli_select_any(&o->a.select) || o->a.coverage || o->a.per >= 0)
        return tr_fail(err, TR_USAGE, "selection, grouping and --coverage are for tables");
    return cli_table_none(cli, "--by", err);
}

static enum tr_status stalls_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct stalls *o = arg;
    enum tr_status st = check(cli, o, err);
    if (st != TR_OK)
        return st;
    return o->annotate ? annotate(cli, o->annotate, err) : cli_view_run(cli, &o->a, err);
}

int tr_stalls_main(int argc, char **argv)
{
    return cli_main(argc, argv, &stalls_tool, &(struct stalls){ .a = CLI_ANALYSIS_INIT }, stalls_run);
}
