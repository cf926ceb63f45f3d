/* SPDX-License-Identifier: MIT */
/* tr-replay: calls that reproduce operators in isolation.  Manual: tr-replay(1). */
#include "replay/replay.h"

#include <string.h>

#define FILE_MAX ((size_t)16 << 20) /* bytes of a file of schemas */

static const char *const formats[] = { "text", "tsv", "csv", "json", "md", "python", NULL };

static const struct tr_option replay_opts[] = {
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct replay, format), .choices = formats,
      .help = "a table: text, tsv, csv, md; calls: json, or python, a script [text on a terminal, else tsv]" },
    { 0, "op", "REGEX", TR_OPTION_NAMES, offsetof(struct replay, op),
      .help = "only operators with such names [all]" },
    { 'n', "limit", "N", TR_OPTION_U64, offsetof(struct replay, limit), .lo = 1,
      .help = "at most N calls, those with the longest device time [all]" },
    { 0, "schemas", "FILE", TR_OPTION_LIST, offsetof(struct replay, schemas),
      .help = "more schemas of operators; they go before those that come with the program" },
    CLI_SELECT_OPTS(struct replay, a),
    { 0 },
};

static const struct cli_tool replay_tool = {
    .name = "tr-replay",
    .brief = "make calls that reproduce operators of a trace in isolation",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_OUTPUT | CLI_UNIT | CLI_ARRANGE,
    .max_operands = CLI_ANY,
    .opts = replay_opts,
    .examples = { "tr-replay --op '^aten::(mm|addmm)$' rank0.json.gz",
                  "tr-replay -O python -n 20 rank0.json.gz" },
};

static const struct cli_view view = { .analysis = &tr_analysis_replay, .options = offsetof(struct replay, options) };

/* Those that come with the program, then those of files: the last ones are tried first. */
static enum tr_status read_schemas(const struct tr_option_list *files, struct tr_schemas **out, struct tr_error *err)
{
    struct tr_schemas *s = *out = tr_schemas_new();
    enum tr_status st = s ? tr_schemas_read(s, "operators.schemas", tr_schemas_builtin, strlen(tr_schemas_builtin), err)
                          : tr_fail_memory(err);
    for (size_t i = 0; i < files->n && st == TR_OK; i++) {
        struct tr_buf text = { 0 };
        st = cli_read_file(files->items[i], FILE_MAX, &text, err);
        if (st == TR_OK)
            st = tr_schemas_read(s, files->items[i], text.data ? (const char *)text.data : "", text.len, err);
        tr_buf_free(&text);
    }
    return st;
}

static enum tr_status write_calls(struct cli *cli, struct replay *o, struct tr_error *err)
{
    bool python = o->format == REPLAY_PYTHON;
    struct replay_writer w = { .cli = cli };
    int fd;
    o->options.take = python ? replay_python_call : replay_json_call;
    o->options.self = &w;
    enum tr_status st = cli_output(cli, false, &fd, err);
    if (st == TR_OK)
        st = python ? replay_python_start(&w, err) : replay_json_start(&w, err);
    if (st == TR_OK)
        st = cli_view_feed(cli, &o->a, &view, o, err);
    if (st == TR_OK)
        st = python ? replay_python_end(&w, err) : replay_json_end(&w, err);
    tr_buf_free(&w.text);
    return st;
}

static enum tr_status replay_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct replay *o = arg;
    struct tr_schemas *schemas = NULL;
    bool calls = o->format == REPLAY_JSON || o->format == REPLAY_PYTHON;
    enum tr_status st = calls ? cli_arrange_none(cli, "-O text, tsv, csv and md", err) : TR_OK;
    if (st == TR_OK)
        st = read_schemas(&o->schemas, &schemas, err);
    o->options.schemas = schemas;
    o->options.limit = o->limit;
    o->options.op = o->op;
    if (st == TR_OK && o->format >= 0 && !calls)
        cli_report_as(cli, (enum cli_format)o->format);
    if (st == TR_OK)
        st = calls ? write_calls(cli, o, err) : cli_view_run(cli, &o->a, &view, o, err);
    tr_schemas_free(schemas);
    return st;
}

int main(int argc, char **argv)
{
    struct replay o = { .a = CLI_ANALYSIS_INIT, .format = -1 };
    return cli_main(argc, argv, &replay_tool, &o, replay_run);
}
