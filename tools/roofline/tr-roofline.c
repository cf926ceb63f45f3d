/* SPDX-License-Identifier: MIT */
/* tr-roofline: how near operators come to what their device can do.  Manual: tr-roofline(1). */
#include "analysis/roofline/tr_roofline_analyses.h"
#include "cli/cli_view.h"
#include "roofline/roofline_shape.h"
#include "vendor/tr_models.h"
#include "vendor/tr_peaks.h"

#include <stdio.h>
#include <string.h>

struct roofline {
    struct cli_analysis a;
    bool list_archs;
    const char *explain;
    struct tr_option_list shapes;
};

static const struct tr_option roofline_opts[] = {
    { 0, "list-archs", NULL, TR_OPTION_FLAG, offsetof(struct roofline, list_archs),
      .help = "print the devices that the program knows, as a file to begin with" },
    { 0, "explain", "NAME", TR_OPTION_TEXT, offsetof(struct roofline, explain),
      .help = "print the model of this operator, or why it has none" },
    { 0, "shape", "CALL", TR_OPTION_LIST, offsetof(struct roofline, shapes), .views = "operator,family",
      .help = "no trace but a call in words, such as 'aten::mm [128,64] [64,32] bf16'; may be repeated" },
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
                  "tr-roofline --arch MI300X --shape 'aten::mm [4096,512] [512,1024] bf16'" },
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

/* ---- calls in words ---- */

/* The rest of the line that begins so; empty: there is none. */
static struct tr_str line_after(struct tr_str text, const char *start)
{
    const size_t n = strlen(start);
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.s + at, '\n', text.len - at);
        const size_t len = end ? (size_t)(end - text.s) - at : text.len - at;
        if (len > n && memcmp(text.s + at, start, n) == 0)
            return (struct tr_str){ text.s + at + n, len - n };
        at += len + 1;
    }
    return tr_str_of("");
}

/* Has the operator a model for these arguments?  *no: it has none for any. */
static enum tr_status try_call(struct cli *cli, const struct roofline_call *c, bool *no, struct tr_error *err)
{
    const struct tr_roofline_options *o = cli_view_options(cli);
    const struct tr_model *m = tr_models_find(o->models, c->op), *why = tr_models_why(o->models, c->op);
    const struct tr_model_args args = roofline_call_args(c);
    const int len = (int)(c->op.len < 80 ? c->op.len : 80);
    struct tr_model_result result = { 0 };
    size_t n_parts;
    (void)tr_models_parts(o->models, c->op, &n_parts);
    *no = !m;
    if (!m) {
        struct tr_str text = why ? tr_model_text(why) : tr_str_of(NULL);
        struct tr_str reason = line_after(text, "why = ");
        cli_remark(cli, "%.*s has no model%s%.*s", len, c->op.s,
                   n_parts ? ", only some of its kernels have (--explain)" : reason.len ? ": " : "", (int)reason.len,
                   reason.len ? reason.s : "");
        return TR_OK;
    }
    enum tr_status st = tr_model_apply(m, &args, &result, NULL, err);
    if (st == TR_OK && !result.known)
        st = tr_fail(err, TR_USAGE, "the model of %.*s does not hold for these arguments%s (--explain)", len, c->op.s,
                     tr_model_needs_step(m) ? ", or needs the requests of a step" : "");
    return st;
}

/* Make the trace of the calls that --shape gives. */
static enum tr_status make_trace(struct cli *cli, struct roofline *o, struct tr_buf *trace, bool *lacks,
                                 struct tr_error *err)
{
    enum tr_status st = tr_buf_add_str(trace, "{\"traceEvents\":[") ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < o->shapes.n; i++) {
        struct roofline_call c;
        bool no = false;
        st = roofline_call_read(&c, o->shapes.items[i], err);
        if (st == TR_OK)
            st = try_call(cli, &c, &no, err);
        if (st == TR_OK && !roofline_call_events(&c, i, trace))
            st = tr_fail_memory(err);
        if (st == TR_USAGE)
            tr_error_place(err, "option --shape");
        *lacks |= no;
        roofline_call_free(&c);
    }
    return st != TR_OK || tr_buf_add_str(trace, "]}") ? st : tr_fail_memory(err);
}

static enum tr_status shapes(struct cli *cli, struct roofline *o, struct tr_error *err)
{
    const struct tr_roofline_options *options = cli_view_options(cli);
    struct tr_buf trace = { 0 };
    char columns[200];
    bool lacks = false, families = strcmp(cli_view(cli)->name, "family") == 0;
    /* Columns of times would be empty. */
    snprintf(columns, sizeof columns, "%sfamily%s%s%s,flop,bytes,flop_per_byte,spec,bound,roofline",
             families ? "" : "name,", families ? "" : ",category",
             !families && options->by & TR_ROOFLINE_SHAPE ? ",shapes,dtypes,args" : "",
             !families && options->by & TR_ROOFLINE_PARAMS ? ",params" : "");
    cli_columns_default(cli, columns);
    o->a.per = TR_PER_ALL;
    enum tr_status st = make_trace(cli, o, &trace, &lacks, err);
    if (st == TR_OK)
        st = cli_input_text(cli, "--shape", &trace, &o->a.made, err);
    if (st == TR_OK)
        st = cli_view_run(cli, &o->a, err);
    tr_buf_free(&trace);
    return st == TR_OK && lacks ? TR_NO : st;
}

/* ---- a run ---- */

/* --shape takes the place of inputs, and of what is chosen of them. */
static enum tr_status check_shapes(struct cli *cli, const struct roofline *o, struct tr_error *err)
{
    static const char *const other[] = { "attach-capture", "inductor-cache", "nested", "backward" };
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    if (n)
        return tr_fail(err, TR_USAGE, "extra operand '%.200s': --shape reads no trace", operands[0]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (cli_given(cli, other[i]))
            return tr_fail(err, TR_USAGE, "--%s is about traces: it does not go with --shape", other[i]);
    if (cli_select_any(&o->a.select) || o->a.suspect || o->a.coverage || o->a.per >= 0)
        return tr_fail(err, TR_USAGE,
                       "selection, grouping and --coverage are about traces: they do not go with --shape");
    if (cli_partial(cli)->save || cli_every_given(cli) || cli_follow_given(cli) || cli_relative(cli))
        return tr_fail(err, TR_USAGE, "%s is about traces: it does not go with --shape",
                       cli_partial(cli)->save   ? "--save-partial"
                       : cli_every_given(cli)   ? "--every"
                       : cli_follow_given(cli)  ? "--follow"
                                                : "--relative");
    return TR_OK;
}

static enum tr_status check(struct cli *cli, const struct roofline *o, struct tr_error *err)
{
    static const char *const other[] = { "by", "arch", "models", "nested", "backward", "op", "spec", "attach-capture",
                                         "inductor-cache", "shape", "measured" };
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
    if (st == TR_OK && o->shapes.n)
        st = check_shapes(cli, o, err);
    if (st == TR_OK && o->shapes.n)
        cli_view_default(cli, "operator", "shape");
    if (st == TR_OK)
        st = cli_view_choose(cli, err);
    if (st != TR_OK)
        return st;
    if (o->shapes.n)
        return shapes(cli, o, err);
    if (o->list_archs)
        return print_text(cli, tr_peaks_builtin, strlen(tr_peaks_builtin), err);
    return o->explain ? explain(cli, o->explain, err) : cli_view_run(cli, &o->a, err);
}

int tr_roofline_main(int argc, char **argv)
{
    return cli_main(argc, argv, &roofline_tool, &(struct roofline){ .a = CLI_ANALYSIS_INIT }, roofline_run);
}
