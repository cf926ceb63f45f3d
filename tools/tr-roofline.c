/* SPDX-License-Identifier: MIT */
/* tr-roofline: how near operators come to what their device can do.  Manual: tr-roofline(1). */
#include "analysis/roofline/tr_roofline_analyses.h"
#include "cli/cli_graphs.h"
#include "cli/cli_models.h"
#include "cli/cli_view.h"
#include "vendor/tr_models.h"

#include <stdio.h>
#include <string.h>

enum { VIEW_OPERATOR, VIEW_FAMILY, VIEW_KERNEL, VIEW_POINT, VIEW_ROOF, VIEW_PRECISION };
static const char *const view_names[] = { "operator", "family", "kernel", "point", "roof", "precision", NULL };
enum { KEY_SHAPE, KEY_PARAMS, KEY_THREAD, KEY_RECOMPUTE };
static const char *const key_names[] = { "shape", "params", "thread", "recompute", NULL };

struct roofline {
    struct cli_analysis a;
    struct tr_option_by by;
    const char *arch;
    struct tr_option_list models, captures;
    bool list_archs, nested;
    const char *explain;
    struct tr_name_test op;
    struct tr_roofline_options options;
    struct tr_kernel_roofline_options of_kernels;
    struct tr_peaks peaks;
};

static const struct tr_option roofline_opts[] = {
    { 0, "by", "TABLE[,KEY]...", TR_OPTION_CHOICE, offsetof(struct roofline, by),
      .choices = view_names, .keys = key_names,
      .help = "operator, family [operator]; operator,KEY: shape, params, thread, recompute; of metric files: kernel, "
              "point, roof, precision" },
    { 0, "arch", "FILE|NAME", TR_OPTION_TEXT, offsetof(struct roofline, arch),
      .help = "peaks of this device: one of --list-archs, a file, or none [that of the trace, if it names one of "
              "them]" },
    { 0, "list-archs", NULL, TR_OPTION_FLAG, offsetof(struct roofline, list_archs),
      .help = "print the devices that the program knows, as a file to begin with" },
    { 0, "models", "FILE", TR_OPTION_LIST, offsetof(struct roofline, models),
      .help = "more models of operators; they go before those that come with the program" },
    { 0, "explain", "NAME", TR_OPTION_TEXT, offsetof(struct roofline, explain),
      .help = "print the model of this operator" },
    { 0, "spec", "NAME", TR_OPTION_TEXT, offsetof(struct roofline, of_kernels.spec),
      .help = "point, roof: this precision, as matrix_bf16 [that with the most operations]" },
    { 0, "nested", NULL, TR_OPTION_FLAG, offsetof(struct roofline, nested),
      .help = "rows of operators inside of others that have a model, too; then work counts several times" },
    { 0, "backward", NULL, TR_OPTION_FLAG, offsetof(struct roofline, options.backward),
      .help = "rows of backward passes that have a model, too; then work counts several times" },
    { 0, "attach-capture", "FILE", TR_OPTION_LIST, offsetof(struct roofline, captures),
      .help = "operator, family: work of launched graphs is that of the operators in this trace of their capture, "
              "or in a folder of such; may be repeated" },
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct roofline, op),
      .help = "operator: only such operators [all]" },
    CLI_ANALYSIS_OPTS(struct roofline, a),
    { 0 },
};

static const struct cli_tool roofline_tool = {
    .name = "tr-roofline",
    .brief = "say how near operators come to what their device can do",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = roofline_opts,
    .examples = { "tr-roofline --arch H100 rank0.json.gz",
                  "tr-roofline --arch MI300X --by operator,params --top 10 job.trs" },
};

static const struct cli_view views[] = {
    [VIEW_OPERATOR] = { .analysis = &tr_analysis_roofline,
                        .options = offsetof(struct roofline, options),
                        .takes = { "op", "models", "nested", "backward", "arch", "attach-capture" },
                        .keys = 1u << KEY_SHAPE | 1u << KEY_PARAMS | 1u << KEY_THREAD | 1u << KEY_RECOMPUTE },
    [VIEW_FAMILY] = { .analysis = &tr_analysis_roofline_family,
                      .options = offsetof(struct roofline, options),
                      .takes = { "models", "nested", "backward", "arch", "attach-capture" } },
    [VIEW_KERNEL] = { .analysis = &tr_analysis_roofline_kernel,
                      .options = offsetof(struct roofline, of_kernels),
                      .takes = { "arch" },
                      .lacks = { "suspect", "drop-last-step" } },
    [VIEW_POINT] = { .analysis = &tr_analysis_roofline_point,
                     .options = offsetof(struct roofline, of_kernels),
                     .takes = { "spec", "arch" },
                     .lacks = { "suspect", "drop-last-step" } },
    [VIEW_ROOF] = { .analysis = &tr_analysis_roofline_roof,
                    .options = offsetof(struct roofline, of_kernels),
                    .takes = { "spec", "arch" },
                    .lacks = { "suspect", "drop-last-step" } },
    [VIEW_PRECISION] = { .analysis = &tr_analysis_roofline_precision,
                         .options = offsetof(struct roofline, of_kernels),
                         .takes = { "arch" },
                         .lacks = { "suspect", "drop-last-step" } },
};

/* ---- what needs no trace ---- */

static enum tr_status print_text(struct cli *cli, const char *text, size_t len, struct tr_error *err)
{
    int fd;
    enum tr_status st = cli_output(cli, false, &fd, err);
    return st == TR_OK ? cli_write(cli, text, len, err) : st;
}

static enum tr_status explain(struct cli *cli, const struct roofline *o, struct tr_error *err)
{
    const struct tr_model *m = tr_models_find(o->options.models, tr_str_of(o->explain));
    struct tr_buf text = { 0 };
    char head[256];
    if (!m)
        return TR_NO;
    snprintf(head, sizeof head, "# %.200s, line %u\n", tr_model_file(m), tr_model_line(m));
    bool ok = tr_buf_add_str(&text, head) && tr_buf_add_text(&text, tr_model_text(m)) && tr_buf_add(&text, "\n", 1);
    enum tr_status st = ok ? print_text(cli, (const char *)text.data, text.len, err) : tr_fail_memory(err);
    tr_buf_free(&text);
    return st;
}

static enum tr_status check(struct cli *cli, const struct roofline *o, struct tr_error *err)
{
    static const char *const other[] = { "by", "arch", "models", "nested", "backward", "op", "spec", "attach-capture" };
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    bool alone = o->list_archs || o->explain;
    if (o->list_archs && o->explain)
        return tr_fail(err, TR_USAGE, "only one of --list-archs and --explain");
    if (alone && n)
        return tr_fail(err, TR_USAGE, "extra operand '%.200s': --list-archs and --explain read no trace", operands[0]);
    for (size_t i = 0; alone && i < sizeof other / sizeof *other; i++)
        if (cli_given(cli, other[i]) && !(o->explain && strcmp(other[i], "models") == 0))
            return tr_fail(err, TR_USAGE, "--%s is for tables", other[i]);
    if (alone && (cli_select_any(&o->a.select) || o->a.suspect || o->a.coverage || o->a.per >= 0))
        return tr_fail(err, TR_USAGE, "selection, grouping and --coverage are for tables");
    if (alone)
        return cli_table_none(cli, "--by", err);
    return cli_view_check(cli, views, sizeof views / sizeof *views, o->by, key_names, err);
}

static enum tr_status roofline_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const unsigned bits[] = { TR_ROOFLINE_SHAPE, TR_ROOFLINE_PARAMS, TR_ROOFLINE_THREAD,
                                     TR_ROOFLINE_RECOMPUTE };
    struct roofline *o = arg;
    struct tr_models *models = NULL;
    enum tr_status st = check(cli, o, err);
    if (st == TR_OK)
        st = cli_models_read(&o->models, &models, err);
    if (st == TR_OK && o->arch)
        st = cli_peaks_read(o->arch, &o->peaks, err);
    for (unsigned k = 0; k < sizeof bits / sizeof *bits; k++)
        o->options.by |= o->by.keys >> k & 1 ? bits[k] : 0;
    o->options.nested = o->nested;
    o->options.models = models;
    o->options.peaks = o->of_kernels.peaks = o->arch ? &o->peaks : NULL;
    o->options.op = o->op;
    if (st == TR_OK && o->list_archs)
        st = print_text(cli, tr_peaks_builtin, strlen(tr_peaks_builtin), err);
    else if (st == TR_OK && o->explain)
        st = explain(cli, o, err);
    else if (st == TR_OK && o->captures.n)
        st = cli_graphs_read(cli, &o->captures, &o->options.graphs, err);
    if (st == TR_OK && !o->list_archs && !o->explain)
        st = cli_view_run(cli, &o->a, &views[o->by.choice], o, err);
    tr_graph_calls_free(o->options.graphs);
    tr_models_free(models);
    return st;
}

int main(int argc, char **argv)
{
    struct roofline o = { .a = CLI_ANALYSIS_INIT };
    return cli_main(argc, argv, &roofline_tool, &o, roofline_run);
}
