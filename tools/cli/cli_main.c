/* SPDX-License-Identifier: MIT */
/* The frame that all programs share: from descriptors and options to messages and exit status. */
#include "cli/cli_priv.h"

#include "base/tr_budget.h"
#include "io/tr_reopened_files.h"
#include "io/tr_spill_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * A descriptor that the parent closed would be given to the next file that is opened, and messages
 * would end up in it.  It gets /dev/null in the wrong direction, so that using it is an error.
 */
static bool open_standard_fds(void)
{
    static const int direction[3] = { O_WRONLY, O_RDONLY, O_RDONLY };
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", direction[fd]) != fd)
            return false;
    return true;
}

/*
 * A reader that goes away ends the program quietly even if the parent ignored the signal; a file
 * that grows beyond a limit is an error with a message.
 */
static void set_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN);
#endif
}

static char *make_command_line(const char *name, int argc, char **argv)
{
    struct tr_buf b = { 0 };
    bool ok = tr_buf_add_str(&b, name);
    for (int i = 1; i < argc && ok; i++)
        ok = tr_buf_add_str(&b, " ") && cli_add_word(&b, argv[i]);
    if (!ok || !tr_buf_add(&b, "", 1)) {
        tr_buf_free(&b);
        return NULL;
    }
    return (char *)b.data;
}

static void set_defaults(struct cli *cli)
{
    cli__fit_address_space();
    cli->common = (struct cli_common){
        .threads = cli__default_threads(),
        .max_memory = cli__default_memory(),
        .temp_dir = cli__default_temp_dir(),
        .format = -1,
        .unit = -1,
    };
}

static void warn_from_library(void *cli, const char *input, const char *place, const char *what)
{
    cli_warn(cli, input, place, what);
}

static bool fill_open_opts(struct cli *cli)
{
    const struct cli_common *c = &cli->common;
    cli->open_opts = (struct tr_open_opts){
        .n_threads = (unsigned)c->threads,
        .max_memory_bytes = c->max_memory > SIZE_MAX ? SIZE_MAX : (size_t)c->max_memory,
        .temp_dir = c->temp_dir,
        .input_format = c->input_format,
        .rank = -1,
        .strict = c->strict,
        .depth = c->depth ? (unsigned)c->depth : 2,
        .renumber = c->renumber,
        .keep_names = true,
        .progress = cli__progress,
        .progress_ctx = cli,
        .warn = warn_from_library,
        .warn_ctx = cli,
        .seen = tr_reopened_files_new(),
        .n_copies = cli->tool->dict_copies,
        .follow = cli__follow(cli),
        .idle = c->every || c->follow ? cli__idle : NULL,
        .idle_ctx = cli,
    };
    cli->open_opts.budget = tr_budget_kept(cli->open_opts.max_memory_bytes);
    cli->open_opts.spill =
        tr_spill_dir_new(tr_spill_dir_share(cli->open_opts.max_memory_bytes), cli->open_opts.temp_dir);
    return cli->open_opts.seen && cli->open_opts.budget && cli->open_opts.spill;
}

static enum tr_status check_operands(const struct cli *cli, struct tr_error *err)
{
    const struct cli_tool *t = cli->tool;
    size_t n = cli->n_operands;
    if (n < (size_t)t->min_operands)
        return tr_fail(err, TR_USAGE, "missing operand: %s (see %s --help)", t->operands,
                       cli->name);
    if (t->max_operands != CLI_ANY && n > (size_t)t->max_operands)
        return tr_fail(err, TR_USAGE, "extra operand '%.200s' (see %s --help)",
                       cli->operands[t->max_operands], cli->name);
    return TR_OK;
}

typedef bool text_maker(const struct cli *cli, struct tr_buf *b);

/* --help and its like: a text on standard output. */
static enum tr_status print_text(struct cli *cli, text_maker *make, struct tr_error *err)
{
    struct tr_buf b = { 0 };
    enum tr_status st;
    int fd;

    cli->common.output = NULL;
    if (!make(cli, &b))
        st = tr_fail_memory(err);
    else if ((st = cli__output_open(cli, err)) == TR_OK)
        st = cli_output(cli, false, &fd, err);
    cli->out.pages = false;
    if (st == TR_OK)
        st = cli_write(cli, b.data, b.len, err);
    tr_buf_free(&b);
    return st;
}

static bool is_done(enum tr_status st)
{
    return st == TR_OK || st == TR_END || st == TR_NO || st == TR_COVERAGE || st == TR_MISSING;
}

static enum tr_status run_tool(struct cli *cli, int argc, char **argv, void *arg, cli_run *run,
                               struct tr_error *err)
{
    enum tr_status st;

    cli->command_line = make_command_line(cli->name, argc, argv);
    if (!cli->command_line)
        return tr_fail_memory(err);
    if ((st = cli__parse(cli, argc, argv, err)) != TR_OK)
        return st;
    if (cli->common.help)
        return print_text(cli, cli__help, err);
    if (cli->common.version)
        return print_text(cli, cli__version, err);
    if (cli->common.option_table)
        return print_text(cli, cli__option_table, err);
    if ((st = check_operands(cli, err)) != TR_OK || (st = cli__format_default(cli, err)) != TR_OK)
        return st;
    if (!fill_open_opts(cli))
        return tr_fail_memory(err);
    if ((st = cli__is_book(cli) ? cli__book_open(cli, err) : cli__output_open(cli, err)) != TR_OK)
        return st;
    cli__progress_start(cli);
    do
        st = run(cli, arg, err);
    while (cli__inputs_anew(cli, err));
    cli__progress_stop(cli);
    return st;
}

static int exit_code(enum tr_status st)
{
    switch (st) {
    case TR_OK:
    case TR_END:
        return 0;
    case TR_NO:
        return 1;
    case TR_USAGE:
        return 2;
    case TR_DAMAGED:
    case TR_MISSING:
    case TR_ABSENT:
        return 3;
    case TR_SYSTEM:
        return 4;
    case TR_COVERAGE:
        return 5;
    }
    return 4;
}

int cli_main(int argc, char **argv, const struct cli_tool *tool, void *arg, cli_run *run)
{
    struct cli cli = { .tool = tool, .name = tool->name, .out = { .fd = -1 } };
    struct tr_error err = TR_ERROR_INIT;

    if (!open_standard_fds())
        return exit_code(TR_SYSTEM);
    set_signals();
    pthread_mutex_init(&cli.lock, NULL);
    cli.main_thread = pthread_self();
    set_defaults(&cli);
    cli__views_start(&cli);
    cli.tables[0] = cli.views.opts;
    cli.tables[1] = tool->opts;
    cli.tables[2] = cli__common_opts();
    cli.fields[0] = &cli.views;
    cli.fields[1] = arg;
    cli.fields[2] = &cli.common;

    enum tr_status st = run_tool(&cli, argc, argv, arg, run, &err);
    if (st == TR_SYSTEM && err.sys_errno == ENOMEM)
        tr_spill_dir_failed(cli.open_opts.spill, &err); /* the folder is why */
    cli__views_free(&cli); /* its captures are in the budget of the inputs */
    cli__inputs_close(&cli);
    struct tr_error write_err = TR_ERROR_INIT;
    enum tr_status written = cli__book_end(&cli, is_done(st), &write_err);
    if (written == TR_OK && is_done(st))
        written = cli__output_commit(&cli, &write_err);
    if (written != TR_OK) {
        st = written;
        err = write_err;
    }
    cli__every_leave(&cli, is_done(st) ? TR_OK : st, &err);
    cli__output_abandon(&cli);
    cli__pager_end(); /* messages come below what it shows */
    if (is_done(st))
        cli__remarks_end(&cli);
    cli__warnings_end(&cli);
    if ((st == TR_OK || st == TR_END) && cli.ranks_missing)
        st = TR_COVERAGE;
    err.status = st;
    if (err.what[0] || !is_done(st))
        cli__print_error(&cli, &err);

    tr_buf_free(&cli.below);
    cli__free_options(&cli);
    tr_buf_free(&cli.picture.inputs);
    tr_buf_free(&cli.picture.selection);
    free(cli.command_line);
    pthread_mutex_destroy(&cli.lock);
    return exit_code(st);
}

const char *const *cli_operands(const struct cli *cli, size_t *n)
{
    *n = cli->n_operands;
    return cli->operands;
}

bool cli_verbose(const struct cli *cli)
{
    return cli->common.verbose;
}

bool cli_provenance(const struct cli *cli)
{
    return !cli->common.no_provenance;
}

const char *cli_command_line(const struct cli *cli)
{
    return cli->command_line;
}

unsigned cli_threads(const struct cli *cli)
{
    return cli->open_opts.n_threads;
}

size_t cli_max_memory(const struct cli *cli)
{
    return cli->open_opts.max_memory_bytes;
}

const char *cli_temp_dir(const struct cli *cli)
{
    return cli->open_opts.temp_dir;
}

struct tr_open_opts *cli_open_opts(struct cli *cli)
{
    return &cli->open_opts;
}

struct tr_spill *cli_spill(const struct cli *cli)
{
    return cli->open_opts.spill;
}

enum cli_unit cli_unit(const struct cli *cli)
{
    if (cli_book_ns(cli))
        return CLI_NS;
    return cli->common.unit < 0 ? CLI_US : (enum cli_unit)cli->common.unit;
}
