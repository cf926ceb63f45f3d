/* SPDX-License-Identifier: MIT */
/* tr-replay: calls that reproduce operators in isolation.  Manual: tr-replay(1). */
#include "replay/replay.h"

static const char *const formats[] = { "text", "tsv", "csv",  "json",   "md", "python",
                                       "svg",  "vega", "html", "sqlite", "xlsx", NULL };

static const struct tr_option replay_opts[] = {
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct replay, format), .choices = formats,
      .help = "a table: text, tsv, csv, md, sqlite, xlsx; a picture of it: svg, vega; both: html; calls: json, or "
              "python, a script [$TR_FORMAT, else text on a terminal, else tsv]" },
    CLI_SELECT_OPTS(struct replay, a),
    { 0 },
};

static const struct cli_tool replay_tool = {
    .name = "tr-replay",
    .brief = "make calls that reproduce operators of a trace in isolation",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_OUTPUT | CLI_UNIT | CLI_ARRANGE | CLI_PARTIAL,
    .max_operands = CLI_ANY,
    .opts = replay_opts,
    .views = tr_replay_views,
    .examples = { "tr-replay --op '^aten::(mm|addmm)$' rank0.json.gz",
                  "tr-replay -O python -n 20 rank0.json.gz" },
};

static enum tr_status write_calls(struct cli *cli, struct replay *o, struct tr_error *err)
{
    bool python = o->format == REPLAY_PYTHON;
    struct replay_writer w = { .cli = cli };
    int fd;
    struct tr_replay_options *options = cli_view_options(cli);
    options->take = python ? replay_python_call : replay_json_call;
    options->self = &w;
    enum tr_status st = cli_output(cli, false, &fd, err);
    if (st == TR_OK)
        st = python ? replay_python_start(&w, err) : replay_json_start(&w, err);
    if (st == TR_OK)
        st = cli_view_feed(cli, &o->a, err);
    if (st == TR_OK)
        st = python ? replay_python_end(&w, err) : replay_json_end(&w, err);
    tr_buf_free(&w.text);
    return st;
}

static enum tr_status replay_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct replay *o = arg;
    bool saved = cli_partial(cli)->save, calls = !saved && (o->format == REPLAY_JSON || o->format == REPLAY_PYTHON);
    enum tr_status st = calls ? cli_arrange_none(cli, "-O text, tsv, csv and md", err) : TR_OK;
    if (st == TR_OK)
        st = cli_view_choose(cli, err);
    if (st == TR_OK && o->format >= 0 && !calls && !saved)
        cli_report_as(cli, formats[o->format]);
    if (st != TR_OK)
        return st;
    return calls ? write_calls(cli, o, err) : cli_view_run(cli, &o->a, err);
}

int tr_replay_main(int argc, char **argv)
{
    return cli_main(argc, argv, &replay_tool, &(struct replay){ .a = CLI_ANALYSIS_INIT, .format = -1 }, replay_run);
}
