/* SPDX-License-Identifier: MIT */
/* tr-diff --of: the table that a command prints of the files of a run. */
#include "diff/diff.h"

#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void free_arguments(char **argv)
{
    for (size_t i = 0; argv && argv[i]; i++)
        free(argv[i]);
    free(argv);
}

/* A copy of a text after another one.  NULL: out of memory. */
static char *joined(const char *before, const char *text)
{
    char *all = malloc(strlen(before) + strlen(text) + 1);
    if (all) {
        strcpy(all, before);
        strcat(all, text);
    }
    return all;
}

/* The command takes no name of a file for an option. */
static char *as_operand(const char *path)
{
    return joined(path[0] == '-' && path[1] ? "./" : "", path);
}

/* sh -c 'COMMAND "$@"' tr-diff FILE...  NULL: out of memory. */
static char **arguments(const char *command, const struct diff_paths *files)
{
    char **argv = calloc(files->n + 5, sizeof *argv);
    bool ok = argv && (argv[0] = joined("", "sh")) && (argv[1] = joined("", "-c")) &&
              (argv[2] = joined(command, " \"$@\"")) && (argv[3] = joined("", "tr-diff"));
    for (size_t i = 0; ok && i < files->n; i++)
        ok = (argv[4 + i] = as_operand(files->v[i])) != NULL;
    if (ok)
        return argv;
    free_arguments(argv);
    return NULL;
}

/* Its output goes to a pipe; signals are those of a program that a shell starts. */
static int spawn(char **argv, const int ends[2], pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, pipes;
    sigemptyset(&none);
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    int e = posix_spawn_file_actions_init(&files);
    if (e)
        return e;
    if ((e = posix_spawnattr_init(&how)) == 0) {
        e = posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
        if (!e)
            e = posix_spawnattr_setsigmask(&how, &none);
        if (!e)
            e = posix_spawnattr_setsigdefault(&how, &pipes);
        if (!e)
            e = posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        if (!e)
            e = posix_spawnp(pid, "sh", &files, &how, argv, environ);
        posix_spawnattr_destroy(&how);
    }
    posix_spawn_file_actions_destroy(&files);
    return e;
}

enum tr_status diff_command_start(const char *command, const struct diff_paths *files, struct diff_command *c,
                                  struct tr_error *err)
{
    int ends[2];
    char **argv = arguments(command, files);
    *c = (struct diff_command){ .text = command, .fd = -1 };
    if (!argv)
        return tr_fail_memory(err);
    int e = pipe(ends) ? errno : 0;
    if (!e) {
        /* other ends than standard ones are of this process alone */
        if (fcntl(ends[0], F_SETFD, FD_CLOEXEC) || fcntl(ends[1], F_SETFD, FD_CLOEXEC))
            e = errno;
        if (!e)
            e = spawn(argv, ends, &c->pid);
        close(ends[1]);
        if (e)
            close(ends[0]);
        else
            c->fd = ends[0];
    }
    free_arguments(argv);
    return e ? tr_fail_sys(err, e, "cannot run the command of --of") : TR_OK;
}

enum tr_status diff_command_end(struct diff_command *c, struct tr_error *err)
{
    int status;
    while (waitpid(c->pid, &status, 0) < 0)
        if (errno != EINTR)
            return tr_fail_sys(err, errno, "cannot wait for the command of --of");
    if (WIFSIGNALED(status))
        return tr_fail(err, TR_SYSTEM, "'%.200s' was ended by signal %d", c->text, WTERMSIG(status));
    int code = WEXITSTATUS(status);
    if (!code)
        return TR_OK;
    return tr_fail(err, code == 2 || code == 127 ? TR_USAGE : code == 3 ? TR_DAMAGED : TR_SYSTEM,
                   "'%.200s' ended with status %d", c->text, code);
}
