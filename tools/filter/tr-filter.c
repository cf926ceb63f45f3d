/* SPDX-License-Identifier: MIT */
/* tr-filter: pass on the events that an expression selects.  Manual: tr-filter(1). */
#include "io/tr_io.h"
#include "cli/cli_expr.h"
#include "filter/filter_passes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct tr_option filter_opts[] = {
    { 'e', "expr", "EXPR", TR_OPTION_LIST, offsetof(struct filter, exprs),
      .help = "select events for which EXPR is true: conditions on name, cat, activity (kernel, memcpy, ...), kind "
              "(compute, comm, ...), ts, dur, stream, step, args and other fields, joined by &&, || and !; see "
              "tr-expr(7); if repeated, one must be true" },
    { 0, "expr-file", "FILE", TR_OPTION_FILE, offsetof(struct filter, expr_file),
      .help = "read an expression from FILE" },
    { 'v', "invert", NULL, TR_OPTION_FLAG, offsetof(struct filter, choice.invert),
      .help = "select events for which no expression is true" },
    { 'n', "limit", "N", TR_OPTION_U64, offsetof(struct filter, max), .help = "at most N selected events [all]" },
    { 'c', "count", NULL, TR_OPTION_FLAG, offsetof(struct filter, count),
      .help = "print the number of selected events instead of writing them" },
    { 0, "exit-status", NULL, TR_OPTION_FLAG, offsetof(struct filter, exit_status),
      .help = "exit 1 if nothing was selected" },
    { 0, "parents", NULL, TR_OPTION_FLAG, offsetof(struct filter, context.parents),
      .help = "with the spans around selected events on their tracks" },
    { 0, "children", NULL, TR_OPTION_FLAG, offsetof(struct filter, context.children),
      .help = "with everything inside selected spans on their tracks" },
    { 0, "linked", NULL, TR_OPTION_FLAG, offsetof(struct filter, context.linked),
      .help = "with the launches of device work, and the device work of launches" },
    { 0, "closure", NULL, TR_OPTION_FLAG, offsetof(struct filter, context.closure),
      .help = "with what events need to stand alone: launches, annotations, flows, metadata" },
    { 0, "within", "EXPR", TR_OPTION_LIST, offsetof(struct filter, within),
      .help = "only events inside spans that EXPR selects, of the same rank; if repeated, or with --outside, all must "
              "hold" },
    { 0, "outside", "EXPR", TR_OPTION_LIST, offsetof(struct filter, outside),
      .help = "only events outside of these spans" },
    { 0, "redact", NULL, TR_OPTION_FLAG, offsetof(struct filter, redact),
      .help = "replace names by tokens, but not times, ranks, process numbers, shapes of tensors, grids of kernels, "
              "names of steps; leave command lines out; without it, the output has all names of the trace, also of "
              "events that are left out" },
    { 0, "redact-key", "FILE", TR_OPTION_FILE, offsetof(struct filter, redact_key),
      .help = "key of the tokens [a new one for each run]" },
    { 0, "keep-known", NULL, TR_OPTION_FLAG, offsetof(struct filter, keep_known),
      .help = "with --redact: keep names that look like those of PyTorch, CUDA, HIP, NCCL and other public libraries" },
    { 0, "split", "KEY", TR_OPTION_CALL, offsetof(struct filter, split.by), .call = filter_split_parse,
      .help = "a stream for each rank, step, phase or time:TIME; -o names them, with %s for the part" },
    CLI_EVENT_OPTS_TIME(struct filter, select,
                        "events that overlap this window, whole: us as in the trace, or +0ms..+10ms from the start"),
    { 0 },
};

static const struct cli_tool filter_tool = {
    .name = "tr-filter",
    .brief = "pass on the events that an expression selects",
    .operands = "[EXPR] [FILE]...",
    .uses = CLI_INPUT | CLI_STREAM,
    .max_operands = CLI_ANY,
    .opts = filter_opts,
    .examples = { "tr-filter 'kind == comm && dur > 1ms && name =~ \"All\"' rank*.json.gz | tr-view",
                  "tr-filter --redact --closure --step 16 job.trs | tr-view -O chrome >x.json" },
};

/* ---- expressions ---- */

static enum tr_status add_test(struct cli *cli, struct tr_choice *to, const char *text,
                               const char *given_as, struct tr_error *err)
{
    struct tr_expr *e;
    enum tr_status st = cli_expr_compile(cli, text, given_as, &e, err);
    return st != TR_OK ? st : tr_choice_add(to, e) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status add_file(struct cli *cli, struct filter *f, struct tr_error *err)
{
    struct tr_buf text = { 0 };
    enum tr_status st = tr_read_file(f->expr_file, TR_EXPR_MAX_LEN, &text, err);
    if (st == TR_OK && !tr_buf_add(&text, "", 1))
        st = tr_fail_memory(err);
    if (st == TR_OK && memchr(text.data, '\0', text.len - 1)) {
        st = tr_fail(err, TR_USAGE, "the expression holds a zero byte");
        tr_error_input(err, f->expr_file);
    }
    if (st == TR_OK)
        st = add_test(cli, &f->choice, (const char *)text.data, f->expr_file, err);
    tr_buf_free(&text);
    return st;
}

/* The first operand is an expression.  It may be left out with a selection, --within, --outside or --redact. */
static enum tr_status add_operand(struct cli *cli, struct filter *f, struct tr_error *err)
{
    size_t n;
    const char *const *operands = cli_operands(cli, &n);
    bool needed = !f->split.by.what && !cli_select_any(&f->select) && !f->redact && !f->within.n && !f->outside.n;
    if (!n || (!needed && strcmp(operands[0], "-") == 0))
        return needed ? tr_fail(err, TR_USAGE, "an expression is missing (see tr-expr(7))") : TR_OK;
    enum tr_status st = add_test(cli, &f->choice, operands[0], "expression", err);
    f->first_file = st == TR_OK;
    if (st == TR_USAGE && access(operands[0], F_OK) == 0) {
        cli_show_below(cli, &(struct tr_buf){ 0 });
        *err = (struct tr_error)TR_ERROR_INIT;
        if (!needed)
            return TR_OK;
        return tr_fail(err, TR_USAGE, "an expression is missing in front of '%.200s' (see tr-expr(7))", operands[0]);
    }
    return st;
}

static enum tr_status compile_all(struct cli *cli, struct filter *f, struct tr_error *err)
{
    enum tr_status st = cli_select_compile(cli, &f->select, err);
    for (size_t k = 0; k < f->exprs.n && st == TR_OK; k++)
        st = add_test(cli, &f->choice, f->exprs.items[k], "expression", err);
    if (st == TR_OK && f->expr_file)
        st = add_file(cli, f, err);
    if (st == TR_OK && !f->exprs.n && !f->expr_file)
        st = add_operand(cli, f, err);
    for (size_t k = 0; k < f->within.n && st == TR_OK; k++)
        st = add_test(cli, &f->windows, f->within.items[k], "expression of --within", err);
    for (size_t k = 0; k < f->outside.n && st == TR_OK; k++)
        st = add_test(cli, &f->windows, f->outside.items[k], "expression of --outside", err);
    return st;
}

/* ---- the program ---- */

/* Can events of a source be selected, by its rank and host? */
static bool keeps(void *self, uint32_t source)
{
    struct filter *f = self;
    for (size_t k = 0; k < f->within.n; k++)
        if (tr_expr_source(f->windows.tests[k], source) == TR_EXPR_NO_EVENT)
            return false;
    if (!tr_select_source(f->select.selected, source))
        return false;
    for (size_t k = 0; k < f->select.n_tests; k++)
        if (tr_expr_source(f->select.tests[k], source) == TR_EXPR_NO_EVENT)
            return false;
    return tr_choice_source(&f->choice, source);
}

static bool keeps_step(void *self, uint32_t source, const struct tr_step *step)
{
    struct filter *f = self;
    return tr_select_part_of_step(f->select.selected, source, step);
}

static enum tr_status print_count(struct cli *cli, const struct filter *f, struct tr_error *err)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%" PRIu64 "\n", f->n_chosen);
    return cli_write(cli, text, (size_t)n, err);
}

/* Options that contradict each other. */
static enum tr_status check(const struct filter *f, struct tr_error *err)
{
    const struct tr_related_opts *o = &f->context;
    if (f->count && f->redact)
        return tr_fail(err, TR_USAGE, "--count prints a number: leave --redact out");
    if (f->redact_key && !f->redact)
        return tr_fail(err, TR_USAGE, "--redact-key needs --redact");
    if (f->keep_known && !f->redact)
        return tr_fail(err, TR_USAGE, "--keep-known needs --redact");
    if (f->split.by.what && (f->count || f->redact || f->within.n || f->outside.n || f->max != UINT64_MAX ||
                             o->parents || o->children || o->linked || o->closure))
        return tr_fail(err, TR_USAGE, "--split can be given with expressions, -v, --rank, --step, --time and --where "
                                      "only: select first, and split the result");
    return TR_OK;
}

/* The output is one stream or a number; of --split it is several streams. */
static enum tr_status run_one(struct cli *cli, struct filter *f, struct cli_reread *reread, struct tr_error *err)
{
    struct filter_out out = {
        .cli = cli, .redact = f->redact, .keep_known = f->keep_known, .key_file = f->redact_key,
        .keeps = keeps, .keeps_step = keeps_step, .keeps_self = f
    };
    struct filter_out *to = f->count ? NULL : &out;
    int fd;
    enum tr_status st = cli_output(cli, !f->count, &fd, err);
    if (st == TR_OK)
        st = filter_pass_on(cli, f, reread, to, err);
    if (to)
        return filter_out_end(to, st, err);
    return st == TR_OK ? print_count(cli, f, err) : st;
}

static enum tr_status filter_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct filter *f = arg;
    struct cli_reread reread = { .cli = cli };
    enum tr_status st = check(f, err);
    if (st == TR_OK)
        st = compile_all(cli, f, err);
    reread.first = f->first_file;
    if (st == TR_OK)
        st = f->split.by.what ? filter_split_all(cli, f, &reread, err) : run_one(cli, f, &reread, err);
    cli_reread_close(&reread); /* its dictionary was also that of the writer */
    cli_select_free(&f->select);
    tr_choice_free(&f->choice);
    tr_choice_free(&f->windows);
    return st == TR_OK && f->exit_status && !f->n_chosen ? TR_NO : st;
}

int tr_filter_main(int argc, char **argv)
{
    struct filter f = { .max = UINT64_MAX, .select = CLI_SELECT_INIT };
    return cli_main(argc, argv, &filter_tool, &f, filter_run);
}
