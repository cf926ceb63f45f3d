/* SPDX-License-Identifier: MIT */
/*
 * measure: run a command and say what it cost.
 *
 *     measure FILE COMMAND [ARG...]
 *
 * Appends one line to FILE: wall seconds, user seconds, system seconds, peak memory in KiB (of the
 * largest process among the command and the children it waited for), exit status, page faults; tab separated.
 * A command ended by signal N has status 128+N, one that could not be started 127, as in the shell.
 * Ends with the command's status.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#define MAXRSS_UNIT 1024 /* ru_maxrss is in bytes there, in KiB elsewhere */
#else
#define MAXRSS_UNIT 1
#endif

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct timespec start, end;
    struct rusage use;
    double wall;
    int wstatus, status;
    pid_t child;
    FILE *out;

    if (argc < 3) {
        fprintf(stderr, "usage: measure FILE COMMAND [ARG...]\n");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    child = fork();
    if (child < 0) {
        perror("measure: fork");
        return 4;
    }
    if (child == 0) {
        execvp(argv[2], argv + 2);
        fprintf(stderr, "measure: cannot run '%s': %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    while (wait4(child, &wstatus, 0, &use) < 0) {
        if (errno != EINTR) {
            perror("measure: wait4");
            return 4;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    wall = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
    status = WIFEXITED(wstatus) ? WEXITSTATUS(wstatus) : 128 + WTERMSIG(wstatus);

    out = fopen(argv[1], "a");
    if (out == NULL) {
        fprintf(stderr, "measure: cannot write '%s': %s\n", argv[1], strerror(errno));
        return 4;
    }
    fprintf(out, "%.4f\t%.4f\t%.4f\t%ld\t%d\t%ld\n", wall, seconds(use.ru_utime), seconds(use.ru_stime),
            (long)use.ru_maxrss / MAXRSS_UNIT, status, (long)use.ru_minflt + (long)use.ru_majflt);
    if (fclose(out) != 0) {
        fprintf(stderr, "measure: cannot write '%s': %s\n", argv[1], strerror(errno));
        return 4;
    }
    return status;
}
