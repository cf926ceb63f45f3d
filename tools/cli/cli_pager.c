/* SPDX-License-Identifier: MIT */
/* A pager for tables as text on a terminal.  tr-options(7), "Pager", says when there is one. */
#include "cli/cli_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The end of the pipe that is written to, and the process; at file scope, because a handler has no other arguments. */
static volatile int pipe_end = -1;
static volatile pid_t pager;

/* The terminal is the pager's until it has ended. */
static void end_pager(void)
{
    int reason = errno;
    if (pipe_end >= 0)
        close(pipe_end);
    pipe_end = -1;
    while (pager > 0 && waitpid(pager, NULL, 0) < 0 && errno == EINTR)
        ;
    pager = 0;
    errno = reason;
}

void cli__pager_end(void)
{
    end_pager();
}

static const char *command(void)
{
    const char *own = getenv("TR_PAGER"), *usual = getenv("PAGER");
    const char *name = own ? own : usual ? usual : "less";
    return *name && strcmp(name, "cat") != 0 ? name : NULL;
}

/* What is given to a shell: if there is no such program, nothing has read the text, and it is printed as it is. */
static const char by_shell[] = "trap : INT; (eval \"$1\"); s=$?; case $s in 126|127) exec cat ;; esac; exit $s";

/* The words of a command; one that only a shell understands is given to it.  False: too many of them. */
static bool split(char *text, const char **words, size_t max)
{
    size_t n = 0;
    if (strpbrk(text, "|&;<>()$`\\\"'*?[#~=%\n\t")) {
        const char *const all[] = { "sh", "-c", by_shell, "sh", text, NULL };
        memcpy(words, all, sizeof all);
        return true;
    }
    for (char *rest = NULL, *w = strtok_r(text, " ", &rest); w && n < max; w = strtok_r(NULL, " ", &rest))
        words[n++] = w;
    words[n < max ? n : 0] = NULL;
    return n && n < max;
}

/* The environment, with options for less if the user has none.  NULL: out of memory. */
static const char **with_options(void)
{
    static const char options[] = "LESS=FRSX"; /* end on one screen, colours, cut long lines, keep the screen */
    size_t n = 0;
    while (environ[n])
        n++;
    const char **env = malloc((n + 2) * sizeof *env);
    if (!env)
        return NULL;
    memcpy(env, environ, n * sizeof *env);
    if (!getenv("LESS"))
        env[n++] = options;
    env[n] = NULL;
    return env;
}

/* Start it with this standard input.  0: it runs. */
static int spawn(const char *const *words, int input, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    const char **env = with_options();
    int reason = env ? posix_spawn_file_actions_init(&files) : ENOMEM;
    if (reason == 0) {
        reason = posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
        if (reason == 0)
            reason = posix_spawnp(pid, words[0], &files, NULL, (char *const *)(const void *)words,
                                  (char *const *)(const void *)env);
        posix_spawn_file_actions_destroy(&files);
    }
    free(env);
    return reason;
}

static void start(const char *name)
{
    const char *words[16];
    char text[1024];
    int ends[2];
    pid_t pid;
    if (strlen(name) >= sizeof text || !split(strcpy(text, name), words, sizeof words / sizeof *words) ||
        pipe(ends) != 0)
        return;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    bool runs = spawn(words, ends[0], &pid) == 0;
    close(ends[0]);
    if (!runs) {
        close(ends[1]);
        return;
    }
    pipe_end = ends[1];
    pager = pid;
    signal(SIGPIPE, SIG_IGN); /* a pager that ends early is no failure */
    cli__watch_signals(end_pager);
}

int cli__pager(struct cli *cli)
{
    struct cli_out *out = &cli->out;
    if (pipe_end >= 0)
        return pipe_end;
    if (!out->pages || out->fd != STDOUT_FILENO || !isatty(out->fd) || !cli__format_is_text(cli))
        return out->fd;
    out->pages = false; /* it was tried */
    const char *name = command();
    if (name)
        start(name);
    return pipe_end >= 0 ? pipe_end : out->fd;
}
