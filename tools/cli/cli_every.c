/* SPDX-License-Identifier: MIT */
/* Tables of a run that goes on. */
#include "cli/cli_every.h"

#include "cli/cli_priv.h"
#include "io/tr_copy.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void)
{
    struct timespec t = { 0, 0 };
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool is_format(const struct cli *cli, const char *name)
{
    const char *format = cli__format_name(cli);
    return format && strcmp(format, name) == 0;
}

static bool on_screen(const struct cli *cli)
{
    return cli__format_is_text(cli) && cli__is_terminal(cli, cli->out.fd);
}

static bool reads_pipe(const struct cli *cli)
{
    struct stat is;
    const bool reads_stdin = !cli->n_operands || (cli->n_operands == 1 && strcmp(cli->operands[0], "-") == 0);
    return reads_stdin && fstat(STDIN_FILENO, &is) == 0 && (S_ISFIFO(is.st_mode) || S_ISSOCK(is.st_mode));
}

enum tr_status cli_every_possible(struct cli *cli, struct tr_error *err)
{
    if (!cli->common.every)
        return TR_OK;
    if (cli->common.partial.save)
        return tr_fail(err, TR_USAGE, "--every prints tables, and --save-partial none");
    if (cli_book(cli))
        return tr_fail(err, TR_USAGE, "--every: -O %s has the tables of the end of a run", cli__format_name(cli));
    if (!cli->out.target && (is_format(cli, "svg") || is_format(cli, "vega") || is_format(cli, "html")))
        return tr_fail(err, TR_USAGE, "--every: -O %s needs a file that is replaced: -o", cli__format_name(cli));
    cli->every.last = now();
    if (!cli->common.follow && reads_pipe(cli))
        cli__ask_on_signal(SIGINT); /* it also goes to the program that writes, which ends; the rest is read */
    return TR_OK;
}

enum tr_status cli_every_stream_possible(struct cli *cli, struct tr_error *err)
{
    if (!cli->common.every)
        return TR_OK;
    if (!cli->common.follow)
        return tr_fail(err, TR_USAGE, "--every goes with --follow");
    if (!cli->out.target)
        return tr_fail(err, TR_USAGE, "--every needs a file that is replaced: -o");
    if (cli->open_opts.no_sort)
        return tr_fail(err, TR_USAGE, "--every: with --no-sort, all events are written as they come");
    cli->every.last = now();
    return TR_OK;
}

enum tr_status cli_every_next(struct cli *cli, struct tr_error *err)
{
    char text[64];
    struct tm tm;
    const time_t t = time(NULL);
    int fd;
    if (!cli->common.every || cli->out.target || (!cli->every.printed && !on_screen(cli)))
        return TR_OK;
    enum tr_status st = cli_output(cli, false, &fd, err);
    if (st != TR_OK)
        return st;
    if (on_screen(cli))
        return cli_write(cli, "\033[H\033[2J", 7, err);
    if (is_format(cli, "json") || !gmtime_r(&t, &tm))
        return TR_OK;
    return cli_write(cli, text, strftime(text, sizeof text, "\n%Y-%m-%dT%H:%M:%SZ\n", &tm), err);
}

/* Something is there that was not printed, and it is time. */
static bool is_due(const struct cli *cli)
{
    return cli->common.every && !cli->every.copied && cli->every.fresh && now() - cli->every.last >= cli->common.every;
}

/* In the copy: a file is replaced now, and what is said of the input comes at the end of the run. */
static enum tr_status start_copy(struct cli *cli, struct tr_error *err)
{
    pthread_mutex_unlock(&cli->lock);
    signal(SIGPIPE, SIG_IGN);
    cli->common.quiet = true;
    cli->progress.on = false;
    return cli->out.target ? cli__output_again(cli, err) : TR_OK;
}

/* After the copy has ended. */
static enum tr_status after_copy(struct cli *cli, enum tr_status st, const struct tr_error *why, struct tr_error *err)
{
    pthread_mutex_unlock(&cli->lock);
    cli->every.printed |= st == TR_OK;
    cli->every.fresh = false;
    cli->every.last = now();
    if (st == TR_SYSTEM && why->sys_errno == EPIPE)
        raise(SIGPIPE); /* as if this process had written */
    if (st == TR_SYSTEM)
        *err = *why;
    return st;
}

static enum tr_status print_now(void *self, struct tr_buf *out, struct tr_error *err)
{
    struct cli *cli = self;
    (void)out;
    enum tr_status st = start_copy(cli, err);
    if (st == TR_OK)
        st = cli->every.print(cli->every.self, err);
    if (st == TR_OK && cli->out.target)
        st = cli__output_commit(cli, err);
    if (st != TR_OK && cli->out.target)
        cli__output_abandon(cli);
    return st;
}

static enum tr_status print_if_due(struct cli *cli, struct tr_error *err)
{
    struct tr_error why = TR_ERROR_INIT;
    if (!is_due(cli))
        return TR_OK;
    pthread_mutex_lock(&cli->lock);
    enum tr_status st = tr_in_copy(cli->open_opts.spill, print_now, cli, NULL, &why);
    st = after_copy(cli, st, &why, err);
    if (st != TR_OK && st != TR_SYSTEM)
        cli_warn(cli, why.input[0] ? why.input : cli->every.input, why.place, why.what);
    return st == TR_SYSTEM ? st : TR_OK;
}

enum tr_status cli_every(struct cli *cli, const char *input, cli_every_print *print, void *self, struct tr_error *err)
{
    struct cli_every_state *e = &cli->every;
    if (cli->follow.look && !cli->follow.is_stream)
        return TR_OK; /* the trace has ended: the last table comes soon */
    e->input = input;
    e->print = print;
    e->self = self;
    e->fresh = true;
    return print_if_due(cli, err);
}

enum tr_status cli__every_idle(struct cli *cli, struct tr_error *err)
{
    return cli->every.print ? print_if_due(cli, err) : TR_OK;
}

enum tr_status cli__every_ends_here(struct cli *cli, struct tr_error *err)
{
    struct tr_error why = TR_ERROR_INIT;
    if (!is_due(cli))
        return TR_OK;
    pthread_mutex_lock(&cli->lock);
    enum tr_status st = tr_copy_start(cli->open_opts.spill, NULL, &cli->every.copy, &why);
    if (cli->every.copy >= 0) {
        cli->every.copied = cli->follow.copied = true;
        st = start_copy(cli, &why);
        if (st != TR_OK)
            tr_copy_end(cli->every.copy, st, &why, NULL);
        return TR_END;
    }
    st = after_copy(cli, st, &why, err);
    if (st == TR_USAGE) /* that is about options, and does not change */
        *err = why;
    return st == TR_SYSTEM || st == TR_USAGE ? st : TR_OK; /* perhaps there is no event so far */
}

void cli__every_leave(struct cli *cli, enum tr_status st, const struct tr_error *err)
{
    if (!cli->every.copied)
        return;
    if (cli->out.target)
        cli__output_abandon(cli); /* what is left of it */
    tr_copy_end(cli->every.copy, st, err, NULL);
}
