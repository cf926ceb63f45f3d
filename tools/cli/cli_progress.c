/* SPDX-License-Identifier: MIT */
/* The progress line: drawn on standard error when the work takes long, and cleared after it. */
#include "cli/cli_priv.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_DRAW_S 0.5 /* shorter work shows nothing */
#define REDRAW_S     0.1

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cli__progress_start(struct cli *cli)
{
    struct cli_progress *p = &cli->progress;
    int when = cli->common.progress;
    p->on =
        when == CLI_ALWAYS || (when == CLI_AUTO && !cli->common.quiet && cli_is_interactive(cli));
    p->start = p->last = now_s();
}

static void print_size(char *out, size_t size, double bytes)
{
    if (bytes < 1e9)
        snprintf(out, size, "%.1f MB", bytes / 1e6);
    else
        snprintf(out, size, "%.2f GB", bytes / 1e9);
}

static void draw(const struct cli *cli, double done, double total, double elapsed_s)
{
    char line[200], have[32], all[32];
    double mb_s = elapsed_s > 0 ? done / 1e6 / elapsed_s : 0;
    int n;

    print_size(have, sizeof have, done);
    if (total > 0 && done > 0) {
        long left_s = done < total ? (long)(elapsed_s * (total - done) / done) : 0;
        print_size(all, sizeof all, total);
        n = snprintf(line, sizeof line, "\r%s: %3.0f%%  %s of %s  %.0f MB/s  %ld:%02ld left\x1b[K",
                     cli->name, 100 * done / total, have, all, mb_s, left_s / 60, left_s % 60);
    } else {
        n = snprintf(line, sizeof line, "\r%s: %s  %.0f MB/s\x1b[K", cli->name, have, mb_s);
    }
    if (n > 0 && write(STDERR_FILENO, line, strlen(line)) < 0)
        return; /* a terminal that has gone is no reason to stop the work */
}

bool cli__progress(void *arg, uint64_t done_bytes, uint64_t total_bytes)
{
    struct cli *cli = arg;
    struct cli_progress *p = &cli->progress;

    /* after another program in a pipeline, that program shows the progress */
    if (total_bytes == 0 && cli->common.progress != CLI_ALWAYS)
        return true;
    pthread_mutex_lock(&cli->lock);
    double now = p->on ? now_s() : 0;
    if (p->on && now - p->start >= FIRST_DRAW_S && now - p->last >= REDRAW_S) {
        draw(cli, (double)done_bytes, (double)total_bytes, now - p->start);
        p->last = now;
        p->drawn = true;
    }
    pthread_mutex_unlock(&cli->lock);
    return true;
}

void cli__progress_clear(struct cli *cli)
{
    static const char clear[] = "\r\x1b[K";
    if (cli->progress.drawn && write(STDERR_FILENO, clear, sizeof clear - 1) > 0)
        cli->progress.drawn = false;
}

void cli__progress_stop(struct cli *cli)
{
    pthread_mutex_lock(&cli->lock);
    cli__progress_clear(cli);
    cli->progress.on = false;
    pthread_mutex_unlock(&cli->lock);
}
