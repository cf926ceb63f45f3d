/* SPDX-License-Identifier: MIT */
/* --follow: an input that grows. */
#include "cli/cli_priv.h"

#include "stream/format/tr_writer.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/*
 * A trace is sorted after it was read, so tables of what is there so far are those of a copy of the process in which it
 * ends here.  A stream has its events as it is read: cli_every prints their tables.
 */
static enum tr_status look(void *self, bool waits, struct tr_error *err)
{
    struct cli *cli = self;
    if (cli->every.copied || (waits && cli__end_asked()))
        return TR_END;
    if (cli->follow.is_stream)
        return TR_OK;
    cli->every.fresh |= !waits;
    enum tr_status st = waits && cli->writer ? tr_writer_flush(cli->writer, err) : TR_OK;
    return st == TR_OK ? cli__every_ends_here(cli, err) : st;
}

enum tr_status cli__idle(void *self, struct tr_error *err)
{
    struct cli *cli = self;
    if (!pthread_equal(cli->main_thread, pthread_self()))
        return TR_OK; /* the program may be at work */
    enum tr_status st = cli->common.follow && cli->writer ? tr_writer_flush(cli->writer, err) : TR_OK;
    return st == TR_OK ? cli__every_idle(cli, err) : st;
}

static enum tr_status changed(void *self, const char *path, const char *how, struct tr_error *err)
{
    struct cli *cli = self;
    char what[64];
    tr_error_input(err, path);
    if (cli->out.written && cli->follow.is_stream)
        return tr_fail(err, TR_DAMAGED, "%s, and some of it is already written", how);
    snprintf(what, sizeof what, "%s: it is read from its start", how);
    cli_warn(cli, path, "", what);
    cli->anew = !cli->out.written;
    return cli->anew ? tr_fail_sys(err, ESTALE, "%s", how) : TR_OK;
}

bool cli_pause(int64_t ns)
{
    const int64_t slice = 50000000;
    for (; ns > 0 && !cli__end_asked(); ns -= slice) {
        const struct timespec t = { 0, (long)(ns < slice ? ns : slice) };
        nanosleep(&t, NULL);
    }
    return !cli__end_asked();
}

struct tr_follow *cli__follow(struct cli *cli)
{
    if (!cli->common.follow)
        return NULL;
    cli->follow = (struct tr_follow){ .look = look, .changed = changed, .ctx = cli };
    cli__ask_on_signal(SIGINT);
    cli__ask_on_signal(SIGTERM);
    return &cli->follow;
}
