/* SPDX-License-Identifier: MIT */
/* tr-comm --follow FOLDER: logs of NCCL's inspector while they grow. */
#include "comm/comm.h"

#include "analysis/comm/tr_log_watch.h"
#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "cli/cli_graphs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_EVERY INT64_C(5000000000) /* ns */
#define MAX_PART      ((size_t)64 << 20)  /* bytes of a log that are read at a time */

/* A log, and how much of it was read. */
struct log {
    char *path;
    off_t at;
    bool good, refused; /* lines of it were read; it is no log, which was said */
};

struct follow {
    struct cli *cli;
    struct tr_log_watch *watch;
    struct log *logs;
    size_t n, cap;
    struct tr_buf part;
};

/* A line, after the time of this look. */
static enum tr_status say(void *self, const char *line, struct tr_error *err)
{
    struct follow *f = self;
    char at[32] = "";
    struct tm tm;
    const time_t t = time(NULL);
    if (gmtime_r(&t, &tm))
        strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ ", &tm);
    enum tr_status st = cli_write(f->cli, at, strlen(at), err);
    if (st == TR_OK)
        st = cli_write(f->cli, line, strlen(line), err);
    return st == TR_OK ? cli_write(f->cli, "\n", 1, err) : st;
}

/* ---- the folder ---- */

static bool is_log(const char *name)
{
    size_t n = strlen(name);
    return *name != '.' && ((n > 4 && !strcmp(name + n - 4, ".log")) || (n > 6 && !strcmp(name + n - 6, ".jsonl")));
}

static bool add_log(struct follow *f, const char *folder, const char *name)
{
    struct tr_buf path = { 0 };
    bool ok = tr_buf_print(&path, "%s/%s", folder, name);
    for (size_t i = 0; ok && i < f->n; i++)
        if (!strcmp(f->logs[i].path, (const char *)path.data)) {
            tr_buf_free(&path);
            return true;
        }
    ok = ok && tr_grow(&f->logs, &f->cap, f->n + 1, sizeof *f->logs);
    if (ok)
        f->logs[f->n++] = (struct log){ .path = (char *)path.data };
    else
        tr_buf_free(&path);
    return ok;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct log *)a)->path, ((const struct log *)b)->path);
}

/* Logs may come later. */
static enum tr_status find_logs(struct follow *f, const char *folder, struct tr_error *err)
{
    DIR *dir = opendir(folder);
    bool ok = true;
    if (!dir)
        return tr_fail_sys(err, errno, "%s: cannot open", folder);
    for (struct dirent *e; ok && (e = readdir(dir));)
        if (is_log(e->d_name))
            ok = add_log(f, folder, e->d_name);
    closedir(dir);
    if (f->n)
        qsort(f->logs, f->n, sizeof *f->logs, by_path);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- a log ---- */

/* The whole lines that are new, at most MAX_PART bytes.  False: the log cannot be read now. */
static bool read_part(struct follow *f, struct log *log)
{
    struct stat is;
    int fd = open(log->path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && fstat(fd, &is) == 0;
    f->part.len = 0;
    if (ok && is.st_size < log->at)
        log->at = 0; /* it was replaced */
    size_t want = ok ? (size_t)(is.st_size - log->at) : 0;
    want = want < MAX_PART ? want : MAX_PART;
    ok = ok && tr_buf_reserve(&f->part, want + 1);
    while (ok && f->part.len < want) {
        ssize_t got = pread(fd, f->part.data + f->part.len, want - f->part.len, log->at + (off_t)f->part.len);
        if (got <= 0 && errno != EINTR)
            break;
        f->part.len += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    while (f->part.len && f->part.data[f->part.len - 1] != '\n')
        f->part.len--;
    return ok;
}

static enum tr_status feed_part(struct follow *f, const struct log *log, struct tr_error *err)
{
    const struct tr_open_memory memory = { log->path, f->part.data, f->part.len };
    struct tr_open_opts opts = *cli_view_host(f->cli).open;
    const char *slash = strrchr(log->path, '/');
    const struct tr_batch *b;
    struct tr_input *in = NULL;
    opts.follow = NULL;
    opts.memory = &memory;
    opts.input_format = "nccl-inspector";
    enum tr_status st = tr_open(&in, log->path, &opts, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK)
        st = tr_log_watch_feed(f->watch, b, slash ? slash + 1 : log->path, err);
    tr_input_close(in);
    return st == TR_END ? TR_OK : st;
}

/* Read what is new of a log.  What is no log is said once, and left out. */
static enum tr_status read_log(struct follow *f, struct log *log, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    while (st == TR_OK && !log->refused && read_part(f, log) && f->part.len) {
        st = feed_part(f, log, err);
        log->at += (off_t)f->part.len;
        log->good |= st == TR_OK;
        if (st != TR_DAMAGED)
            continue;
        log->refused = !log->good; /* a later line can be damaged */
        cli_warn(f->cli, log->path, "", err->what);
        *err = (struct tr_error)TR_ERROR_INIT;
        st = TR_OK;
    }
    return st;
}

enum tr_status comm_follow(struct cli *cli, const char *folder, struct tr_error *err)
{
    struct follow f = { .cli = cli, .watch = tr_log_watch_new() };
    int64_t every = cli_every_time(cli) ? cli_every_time(cli) : DEFAULT_EVERY;
    int fd;
    enum tr_status st = f.watch ? cli_output(cli, false, &fd, err) : tr_fail_memory(err);
    do {
        if (st == TR_OK)
            st = find_logs(&f, folder, err);
        for (size_t i = 0; st == TR_OK && i < f.n; i++)
            st = read_log(&f, &f.logs[i], err);
        if (st == TR_OK)
            st = tr_log_watch_look(f.watch, say, &f, err);
    } while (st == TR_OK && cli_pause(every));
    for (size_t i = 0; i < f.n; i++)
        free(f.logs[i].path);
    free(f.logs);
    tr_buf_free(&f.part);
    tr_log_watch_free(f.watch);
    return st;
}
