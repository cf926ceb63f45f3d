/* SPDX-License-Identifier: MIT */
/*
 * tr-record: the command.
 *
 * While it runs, tr-record ignores what a terminal sends to both of them, and passes on what is sent to it alone, so
 * that the stream of a program that was stopped is still made.
 */
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t child; /* at file scope, because a handler has no other arguments */

static void pass_on(int signo)
{
    int saved = errno;
    if (child > 0)
        kill((pid_t)child, signo);
    errno = saved;
}

static const struct {
    int signo;
    void (*handler)(int);
} signals[] = { { SIGINT, SIG_IGN }, { SIGQUIT, SIG_IGN }, { SIGTERM, pass_on }, { SIGHUP, pass_on } };
#define N_SIGNALS (sizeof signals / sizeof *signals)

/* In the child: run the command, or say through the pipe why not. */
static void run_child(const char *const *command, bool single, const struct sigaction *before, int say)
{
    char pid[24];
    snprintf(pid, sizeof pid, "%ld", (long)getpid());
    if (single)
        setenv("TR_RECORD_PID", pid, 1);
    for (size_t i = 0; i < N_SIGNALS; i++) {
        struct sigaction as = before[i];
        if (as.sa_handler != SIG_IGN) /* handlers are those of tr-record */
            as.sa_handler = SIG_DFL;
        sigaction(signals[i].signo, &as, NULL);
    }
    execvp(command[0], (char *const *)(uintptr_t)command);
    int why = errno;
    ssize_t w = write(say, &why, sizeof why);
    _exit(w == (ssize_t)sizeof why ? 127 : 126);
}

/* Why the command did not start; 0: it did. */
static int start_failure(int fd)
{
    int why = 0;
    ssize_t n;
    while ((n = read(fd, &why, sizeof why)) < 0 && errno == EINTR)
        ;
    return n == (ssize_t)sizeof why ? why : 0;
}

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Wait up to a time for a child to end; 0: without a limit. */
static void wait_until(const sigset_t *ends, int64_t at)
{
    int64_t left = at - now_ns();
    if (!at)
        sigwaitinfo(ends, NULL);
    else if (left > 0)
        sigtimedwait(ends, NULL, &(struct timespec){ left / 1000000000, (long)(left % 1000000000) });
}

/* Until the command ends, recording starts and stops when it is time.  SIGCHLD waits for us. */
static int wait_for(pid_t pid, struct record_session *s, const struct record *o)
{
    sigset_t ends;
    int status = 0;
    int64_t start = now_ns(), on = o->after ? start + o->after : 0, off = o->until ? start + o->until : 0;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    for (pid_t got; (got = waitpid(pid, &status, WNOHANG)) != pid && (got == 0 || errno == EINTR);) {
        if (on && now_ns() >= on) {
            record_session_pause(s, false);
            on = 0;
        }
        if (off && now_ns() >= off) {
            record_session_pause(s, true);
            off = 0;
        }
        wait_until(&ends, on ? on : off);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* What counts are the last moments before the end. */
static int64_t first_time(int64_t ring)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return ring ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec - ring : 0;
}

enum tr_status record_run(struct record_session *s, struct record *o, const char *const *command, bool its_output,
                          struct tr_error *err)
{
    struct sigaction before[N_SIGNALS];
    sigset_t ends, mask;
    int say[2];
    if (pipe(say) != 0 || fcntl(say[1], F_SETFD, FD_CLOEXEC) != 0 || fcntl(say[0], F_SETFD, FD_CLOEXEC) != 0)
        return tr_fail_sys(err, errno, "cannot make a pipe");
    for (size_t i = 0; i < N_SIGNALS; i++) {
        struct sigaction sa = { .sa_handler = signals[i].handler };
        sigemptyset(&sa.sa_mask);
        sigaction(signals[i].signo, &sa, &before[i]);
    }
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &mask);
    pid_t pid = fork();
    if (pid == 0) {
        sigprocmask(SIG_SETMASK, &mask, NULL);
        if (its_output)
            dup2(STDERR_FILENO, STDOUT_FILENO);
        run_child(command, o->single, before, say[1]);
    }
    int why = pid < 0 ? errno : 0;
    child = (sig_atomic_t)pid;
    close(say[1]);
    if (pid > 0) {
        why = start_failure(say[0]);
        o->status = wait_for(pid, s, o);
        o->status = why ? 0 : o->status;
        s->first = first_time(o->ring);
    }
    sigprocmask(SIG_SETMASK, &mask, NULL);
    child = 0;
    close(say[0]);
    for (size_t i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i].signo, &before[i], NULL);
    return why ? tr_fail_sys(err, why, "cannot run '%.200s'", command[0]) : TR_OK;
}
