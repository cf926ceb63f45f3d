/* SPDX-License-Identifier: MIT */
/* tr-record: run a program, and record what it does.  Manual: tr-record(1). */
#include "cli/cli_stream.h"
#include "io/tr_io.h"
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The list is passed on to programs as it is. */
static enum tr_status read_ranks(void *field, const char *value, struct tr_error *err)
{
    if (tr_rec_in_ranks(value, 0) < 0)
        return tr_fail(err, TR_USAGE, "'%.80s' is no list of ranks, such as 0,3,8..15", value);
    *(const char **)field = value;
    return TR_OK;
}

/* Not one of those that tr-record sets. */
static enum tr_status read_variable(void *field, const char *value, struct tr_error *err)
{
    if (!*value || strchr(value, '=') || strncmp(value, "TR_RECORD_", 10) == 0)
        return tr_fail(err, TR_USAGE, "'%.80s' is no name of a variable of a program", value);
    *(const char **)field = value;
    return TR_OK;
}

static const struct tr_option record_opts[] = {
    { 0, "start-paused", NULL, TR_OPTION_FLAG, offsetof(struct record, paused),
      .help = "record nothing until the program resumes by itself, or --resume does" },
    { 0, "start-after", "TIME", TR_OPTION_TIME, offsetof(struct record, after), .lo = 1,
      .help = "record from this time after the start on" },
    { 0, "stop-after", "TIME", TR_OPTION_TIME, offsetof(struct record, until), .lo = 1,
      .help = "record up to this time after the start" },
    { 0, "ring", "TIME", TR_OPTION_TIME, offsetof(struct record, ring), .lo = 1,
      .help = "keep the last TIME before the end" },
    { 0, "session", "NAME", TR_OPTION_TEXT, offsetof(struct record, name),
      .help = "give the session a name, by which the next three options find it" },
    { 0, "pause", "NAME", TR_OPTION_TEXT, offsetof(struct record, pause),
      .help = "instead of a command: pause this session" },
    { 0, "resume", "NAME", TR_OPTION_TEXT, offsetof(struct record, resume),
      .help = "instead of a command: resume this session" },
    { 0, "stop", "NAME", TR_OPTION_TEXT, offsetof(struct record, stop),
      .help = "instead of a command: let this session record no more; its programs go on" },
    { 0, "switch", "VARIABLE", TR_OPTION_CALL, offsetof(struct record, switched), .call = read_variable,
      .help = "record a program while its environment has VARIABLE, unless that begins with 0" },
    { 0, "include", "PATTERN", TR_OPTION_LIST, offsetof(struct record, include),
      .help = "record only what has a name like this, as a shell matches names; may be repeated" },
    { 0, "exclude", "PATTERN", TR_OPTION_LIST, offsetof(struct record, exclude),
      .help = "do not record what has a name like this; may be repeated" },
    { 0, "ranks", "LIST", TR_OPTION_CALL, offsetof(struct record, ranks), .call = read_ranks,
      .help = "record only these ranks, as in 0,3,8..15, and processes without a rank" },
    { 0, "no-follow-child", NULL, TR_OPTION_FLAG, offsetof(struct record, single),
      .help = "record the process of the command only, and not its children" },
    { 0, "folder", "FOLDER", TR_OPTION_FILE, offsetof(struct record, folder),
      .help = "keep what each process writes in FOLDER, which is made or is empty, and may be shared by machines" },
    { 0, "result-dir", "FOLDER", TR_OPTION_FILE, offsetof(struct record, results),
      .help = "write a stream for each application, FOLDER/[rank_RANK.]APPLICATION.PID/trace.trs, in place of one" },
    { 0 },
};

static const struct cli_tool record_tool = {
    .name = "tr-record",
    .brief = "run a program, and record its ranges, marks and messages",
    .operands = "COMMAND [ARG]...",
    .uses = CLI_STREAM | CLI_COMMAND,
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

static enum tr_status write_to(void *fd, const void *bytes, size_t n, struct tr_error *err)
{
    return tr_write_full(*(const int *)fd, bytes, n, err);
}

/* What one application did, as a stream in a folder of its own; nothing if it cannot be made. */
static enum tr_status write_result(struct cli *cli, const char *folder, const char *path, const char *name,
                                   struct tr_error *err)
{
    char to[PATH_MAX];
    int fd;
    struct tr_input *in;
    struct tr_writer *w = NULL;
    const struct tr_batch *b;
    const struct tr_sink sink = { write_to, &fd };
    bool fits = snprintf(to, sizeof to, "%s/%s/trace.trs", folder, name) < (int)sizeof to;
    char *slash = strrchr(to, '/');
    *slash = '\0';
    if (!fits || mkdir(to, 0777) != 0)
        return tr_fail_sys(err, fits ? errno : ENAMETOOLONG, "cannot make '%.400s'", to);
    *slash = '/';
    fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return tr_fail_sys(err, errno, "cannot make '%.400s'", to);
    enum tr_status st = cli_input_open(cli, &path, 1, &in, err);
    if (st == TR_OK) {
        const struct cli_stream out = { .in = in, .dict = in->dict, .summary = in->summary,
                                        .sink = &sink, .packed = true };
        st = cli_stream_start(cli, &out, &w, err);
        while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK)
            st = tr_writer_batch(w, b, err);
        if (w)
            st = cli_stream_end(w, st, err);
        cli_input_close(cli, in);
    }
    if (close(fd) != 0 && (st == TR_OK || st == TR_END))
        st = tr_fail_sys(err, errno, "cannot write '%.400s'", to);
    if (st != TR_OK && st != TR_END)
        unlink(to);
    return st;
}

static enum tr_status make_streams(struct cli *cli, const struct record *o, const struct record_session *s,
                                   struct tr_error *err)
{
    struct record_joined joined = { .n = 0 };
    struct tr_input *in;
    enum tr_status st = record_join(s, o->results != NULL, &joined, err);
    if (st == TR_OK && joined.n == 0)
        st = tr_fail(err, TR_ABSENT, "nothing was recorded: no process made a call that is recorded");
    for (size_t i = 0; o->results && (st == TR_OK || st == TR_END) && i < joined.n; i++)
        st = write_result(cli, o->results, joined.paths[i], joined.names[i], err);
    if (!o->results && st == TR_OK)
        st = cli_input_open(cli, (const char *const *)joined.paths, joined.n, &in, err);
    if (!o->results && st == TR_OK)
        st = cli_stream_copy(cli, in, 0, err);
    if (st == TR_OK || st == TR_END)
        cli_note(cli, "%zu processes, %zu %s", joined.n_processes, joined.n, o->results ? "applications" : "ranks");
    record_joined_free(&joined);
    return st;
}

/* Options that do not go together. */
static enum tr_status check(struct cli *cli, const struct record *o, struct tr_error *err)
{
    bool steers = o->pause || o->resume || o->stop;
    size_t n;
    cli_operands(cli, &n);
    if (steers && n)
        return tr_fail(err, TR_USAGE, "--pause, --resume and --stop are about a session that runs: no COMMAND");
    if (!steers && !n)
        return tr_fail(err, TR_USAGE, "missing operand: %s (see tr-record --help)", record_tool.operands);
    if (o->until && o->until <= o->after)
        return tr_fail(err, TR_USAGE, "--stop-after is not later than --start-after");
    if (o->results && strcmp(cli_output_name(cli), "standard output") != 0)
        return tr_fail(err, TR_USAGE, "-o and --result-dir exclude each other");
    if (o->name && o->switched)
        return tr_fail(err, TR_USAGE, "--session and --switch exclude each other: who decides?");
    return TR_OK;
}

static enum tr_status record_run_all(struct cli *cli, void *arg, struct tr_error *err)
{
    struct record *o = arg;
    struct record_session s = { .path = "", .lock = -1 };
    size_t n;
    const char *const *command = cli_operands(cli, &n);
    enum tr_status st = check(cli, o, err);
    if (st == TR_OK && !n)
        return record_steer(cli, o, err);
    if (st == TR_OK && !o->results)
        st = choose_output(cli, err);
    if (st == TR_OK)
        st = record_session_start(&s, cli, o, err);
    if (st == TR_OK)
        st = record_run(&s, o, command, !o->results && strcmp(cli_output_name(cli), "standard output") == 0, err);
    if (st == TR_OK)
        st = make_streams(cli, o, &s, err);
    record_session_end(&s);
    return st;
}

int tr_record_main(int argc, char **argv)
{
    struct record o = { .status = 0 };
    int code = cli_main(argc, argv, &record_tool, &o, record_run_all);
    return o.status ? o.status : code; /* that of the command says more */
}
