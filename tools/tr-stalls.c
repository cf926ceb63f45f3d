/* SPDX-License-Identifier: MIT */
/* tr-stalls: instructions of kernels that are stalled, by cause, and what they wait for.  Manual: tr-stalls(1). */
#include "analysis/roofline/tr_roofline_analyses.h"
#include "cli/cli_view.h"
#include "formats/tr_asm_files.h"
#include "vendor/tr_asm.h"

static const char *const by_names[] = { "kernel", "instruction", "cause", "wait", NULL };
enum { VIEW_KERNEL, VIEW_INSTRUCTION, VIEW_CAUSE, VIEW_WAIT };

struct stalls {
    struct cli_analysis a;
    struct tr_option_by by;
    struct tr_option_list dumps;
    const char *annotate;
    struct tr_asm_files files;
    struct tr_stalls_options options;
};

static const struct cli_view views[] = {
    [VIEW_KERNEL] = { &tr_analysis_stall_kernel, "kernel", .options = offsetof(struct stalls, options) },
    [VIEW_INSTRUCTION] = { &tr_analysis_stall_instruction, "instruction", .options = offsetof(struct stalls, options),
                           .takes = { "asm" } },
    [VIEW_CAUSE] = { &tr_analysis_stall_cause, "cause", .options = offsetof(struct stalls, options),
                     .takes = { "asm" } },
    [VIEW_WAIT] = { &tr_analysis_stall_wait, "wait", .options = offsetof(struct stalls, options), .takes = { "asm" } },
};

static const struct tr_option stalls_opts[] = {
    { 0, "by", "TABLE", TR_OPTION_CHOICE, offsetof(struct stalls, by), .choices = by_names,
      .help = "kernel: sums; instruction: each address; cause: addresses by cause, most stalls first; wait: for which "
              "earlier instructions [kernel]" },
    { 0, "asm", "FILE", TR_OPTION_LIST, offsetof(struct stalls, dumps),
      .help = "dumps of the kernels' instructions: a folder with files *.asm, or a file" },
    { 0, "annotate", "FILE", TR_OPTION_TEXT, offsetof(struct stalls, annotate),
      .help = "print this dump with an address before each instruction" },
    CLI_ANALYSIS_OPTS(struct stalls, a),
    { 0 },
};

static const struct cli_tool stalls_tool = {
    .name = "tr-stalls",
    .brief = "say which instructions of kernels are stalled, by what, and what they wait for",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = stalls_opts,
    .examples = { "tr-stalls metrics_0.csv", "tr-stalls --by cause --top 3 --asm dumps metrics_0.csv" },
};

static enum tr_status load(void *self, struct tr_str kernel, struct tr_buf *text, struct tr_error *err)
{
    return tr_asm_files_load(self, kernel, text, err);
}

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
        return cli_view_check(cli, views, sizeof views / sizeof *views, o->by, NULL, err);
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
    if (st == TR_OK && o->annotate)
        return annotate(cli, o->annotate, err);
    for (size_t i = 0; i < o->dumps.n && st == TR_OK; i++)
        st = tr_asm_files_add(&o->files, o->dumps.items[i], err);
    if (o->dumps.n)
        o->options = (struct tr_stalls_options){ load, &o->files };
    return st == TR_OK ? cli_view_run(cli, &o->a, &views[o->by.choice], o, err) : st;
}

int main(int argc, char **argv)
{
    struct stalls o = { .a = CLI_ANALYSIS_INIT };
    int code = cli_main(argc, argv, &stalls_tool, &o, stalls_run);
    tr_asm_files_free(&o.files);
    return code;
}
