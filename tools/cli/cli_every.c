/* SPDX-License-Identifier: MIT */
/* Tables of a run that goes on. */
#include "cli/cli_every.h"

#include "cli/cli_priv.h"
#include "io/tr_copy.h"

#include <errno.h>
#include <string.h>
#include <time.h>

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

struct copy {
    struct cli *cli;
    cli_every_print *print;
    void *self;
};

/* In the copy: a file is replaced now, and what is said of the input comes at the end of the run. */
static enum tr_status print_now(void *self, struct tr_buf *out, struct tr_error *err)
{
    const struct copy *c = self;
    struct cli *cli = c->cli;
    (void)out;
    pthread_mutex_unlock(&cli->lock);
    signal(SIGPIPE, SIG_IGN);
    cli->common.quiet = true;
    enum tr_status st = cli->out.target ? cli__output_again(cli, err) : TR_OK;
    if (st == TR_OK)
        st = c->print(c->self, err);
    if (st == TR_OK && cli->out.target)
        st = cli__output_commit(cli, err);
    if (st != TR_OK && cli->out.target)
        cli__output_abandon(cli);
    return st;
}

enum tr_status cli_every(struct cli *cli, const char *input, cli_every_print *print, void *self, struct tr_error *err)
{
    struct copy c = { cli, print, self };
    struct tr_error why = TR_ERROR_INIT;
    if (!cli->common.every || now() - cli->every.last < cli->common.every)
        return TR_OK;
    pthread_mutex_lock(&cli->lock);
    enum tr_status st = tr_in_copy(cli_spill(cli), print_now, &c, NULL, &why);
    pthread_mutex_unlock(&cli->lock);
    cli->every.printed |= st == TR_OK;
    cli->every.last = now();
    if (st == TR_SYSTEM && why.sys_errno == EPIPE)
        raise(SIGPIPE); /* as if this process had written */
    if (st == TR_SYSTEM) {
        *err = why;
        return st;
    }
    if (st != TR_OK)
        cli_warn(cli, why.input[0] ? why.input : input, why.place, why.what);
    return TR_OK;
}
