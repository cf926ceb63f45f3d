/* SPDX-License-Identifier: MIT */
/* tr-roofline: how near operators come to what their device can do.  Manual: tr-roofline(1). */
#include "analysis/roofline/tr_roofline_analyses.h"
#include "cli/cli_view.h"
#include "vendor/tr_models.h"
#include "vendor/tr_peaks.h"

#include <stdio.h>
#include <string.h>

struct roofline {
    struct cli_analysis a;
    bool list_archs;
    const char *explain;
};

static const struct tr_option roofline_opts[] = {
    { 0, "list-archs", NULL, TR_OPTION_FLAG, offsetof(struct roofline, list_archs),
      .help = "print the devices that the program knows, as a file to begin with" },
    { 0, "explain", "NAME", TR_OPTION_TEXT, offsetof(struct roofline, explain),
      .help = "print the model of this operator, or why it has none" },
    CLI_ANALYSIS_OPTS(struct roofline, a),
    { 0 },
};

static const struct cli_tool roofline_tool = {
    .name = "tr-roofline",
    .brief = "say how near operators come to what their device can do",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = roofline_opts,
    .views = tr_roofline_views,
    .examples = { "tr-roofline --arch H100 rank0.json.gz",
                  "tr-roofline --arch MI300X --by operator,params --top 10 job.trs" },
};

/* ---- what needs no trace ---- */

static enum tr_status print_text(struct cli *cli, const char *text, size_t len, struct tr_error *err)
{
    int fd;
    enum tr_status st = cli_output(cli, false, &fd, err);
    return st == TR_OK ? cli_write(cli, text, len, err) : st;
}

static bool add_section(const struct tr_model *m, struct tr_buf *text)
{
    char head[256];
    snprintf(head, sizeof head, "# %.200s, line %u\n", tr_model_file(m), tr_model_line(m));
    return (!text->len || tr_buf_add(text, "\n", 1)) && tr_buf_add_str(text, head) &&
           tr_buf_add_text(text, tr_model_text(m)) && tr_buf_add(text, "\n", 1);
}

/* The model, those of some of the kernels, or why there is none. */
static enum tr_status explain(struct cli *cli, const char *name, struct tr_error *err)
{
    const struct tr_roofline_options *o = cli_view_options(cli);
    const struct tr_model *m = tr_models_find(o->models, tr_str_of(name));
    size_t n;
    const struct tr_model *const *parts = tr_models_parts(o->models, tr_str_of(name), &n);
    const struct tr_model *why = m || n ? NULL : tr_models_why(o->models, tr_str_of(name));
    struct tr_buf text = { 0 };
    if (!m && !n && !why)
        return TR_NO;
    bool ok = (!m || add_section(m, &text)) && (!why || add_section(why, &text));
    for (size_t i = 0; ok && i < n; i++)
        ok = add_section(parts[i], &text);
    enum tr_status st = ok ? print_text(cli, (const char *)text.data, text.len, err) : tr_fail_memory(err);
    tr_buf_free(&text);
    return st == TR_OK && why ? TR_NO : st;
}

static enum tr_status check(struct cli *cli, const struct roofline *o, struct tr_error *err)
{
    static const char *const other[] = { "by", "arch", "models", "nested", "backward", "op", "spec", "attach-capture",
                                         "inductor-cache" };
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
    return alone ? cli_table_none(cli, "--by", err) : TR_OK;
}

static enum tr_status roofline_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct roofline *o = arg;
    enum tr_status st = check(cli, o, err);
    if (st == TR_OK)
        st = cli_view_choose(cli, err);
    if (st != TR_OK)
        return st;
    if (o->list_archs)
        return print_text(cli, tr_peaks_builtin, strlen(tr_peaks_builtin), err);
    return o->explain ? explain(cli, o->explain, err) : cli_view_run(cli, &o->a, err);
}

int tr_roofline_main(int argc, char **argv)
{
    return cli_main(argc, argv, &roofline_tool, &(struct roofline){ .a = CLI_ANALYSIS_INIT }, roofline_run);
}
