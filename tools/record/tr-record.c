/* SPDX-License-Identifier: MIT */
/* tr-record: run a program, and record what it does.  Manual: tr-record(1). */
#include "cli/cli_stream.h"
#include "record/record.h"

#include <string.h>

static const struct tr_option record_opts[] = {
    { 0, "start-paused", NULL, TR_OPTION_FLAG, offsetof(struct record, paused),
      .help = "record nothing until the program resumes by itself" },
    { 0, "start-after", "TIME", TR_OPTION_TIME, offsetof(struct record, after), .lo = 1,
      .help = "record from this time after the start on" },
    { 0, "stop-after", "TIME", TR_OPTION_TIME, offsetof(struct record, until), .lo = 1,
      .help = "record up to this time after the start" },
    { 0, "ring", "TIME", TR_OPTION_TIME, offsetof(struct record, ring), .lo = 1,
      .help = "keep the last TIME before the end" },
    { 0, "include", "PATTERN", TR_OPTION_LIST, offsetof(struct record, include),
      .help = "record only what has a name like this, as a shell matches names; may be repeated" },
    { 0, "exclude", "PATTERN", TR_OPTION_LIST, offsetof(struct record, exclude),
      .help = "do not record what has a name like this; may be repeated" },
    { 0, "folder", "FOLDER", TR_OPTION_FILE, offsetof(struct record, folder),
      .help = "keep what each process writes in FOLDER, which is made or is empty, and may be shared by machines" },
    { 0 },
};

static const struct cli_tool record_tool = {
    .name = "tr-record",
    .brief = "run a program, and record its ranges, marks and messages",
    .operands = "COMMAND [ARG]...",
    .uses = CLI_STREAM | CLI_COMMAND,
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .opts = record_opts,
    .examples = { "tr-record -o job.trs true", "tr-record -o - true | tr-view" },
};

/* Without -o, a file: standard output is the command's. */
static enum tr_status choose_output(struct cli *cli, struct tr_error *err)
{
    struct tr_error given = TR_ERROR_INIT;
    int fd;
    enum tr_status st = cli_output_to(cli, "record.trs", &given);
    if (st != TR_OK && st != TR_USAGE) {
        *err = given;
        return st;
    }
    return cli_output(cli, true, &fd, err);
}

static enum tr_status make_stream(struct cli *cli, const struct record_session *s, struct tr_error *err)
{
    struct record_joined joined = { .n = 0 };
    struct tr_input *in;
    enum tr_status st = record_join(s, &joined, err);
    if (st == TR_OK && joined.n == 0)
        st = tr_fail(err, TR_ABSENT, "nothing was recorded: no process made a call that is recorded");
    if (st == TR_OK)
        st = cli_input_open(cli, (const char *const *)joined.paths, joined.n, &in, err);
    if (st == TR_OK)
        st = cli_stream_copy(cli, in, 0, err);
    if (st == TR_OK || st == TR_END)
        cli_note(cli, "%zu processes, %zu ranks", joined.n_processes, joined.n);
    record_joined_free(&joined);
    return st;
}

static enum tr_status record_run_all(struct cli *cli, void *arg, struct tr_error *err)
{
    struct record *o = arg;
    struct record_session s = { .path = "" };
    size_t n;
    const char *const *command = cli_operands(cli, &n);
    if (o->until && o->until <= o->after)
        return tr_fail(err, TR_USAGE, "--stop-after is not later than --start-after");
    enum tr_status st = choose_output(cli, err);
    if (st == TR_OK)
        st = record_session_start(&s, cli, o, err);
    if (st == TR_OK)
        st = record_run(&s, o, command, strcmp(cli_output_name(cli), "standard output") == 0, err);
    if (st == TR_OK)
        st = make_stream(cli, &s, err);
    record_session_end(&s);
    return st;
}

int tr_record_main(int argc, char **argv)
{
    struct record o = { .status = 0 };
    int code = cli_main(argc, argv, &record_tool, &o, record_run_all);
    return o.status ? o.status : code; /* that of the command says more */
}
