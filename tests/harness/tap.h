/* SPDX-License-Identifier: MIT */
/*
 * TAP from C: each test is a function and runs in a process of its own, so that a crash is one failure.
 *
 *     static void test_add(void) { CHECK(add(1, 2) == 3); }
 *     static const struct tap_test tests[] = { { "adds", test_add } };
 *     int main(void) { return tap_run(tests, sizeof tests / sizeof tests[0]); }
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct tap_test {
    const char *name;
    void (*run)(void);
};

static bool tap_failed;

static inline void tap_check(bool good, const char *file, int line, const char *text)
{
    if (!good) {
        printf("# %s:%d: %s\n", file, line, text);
        tap_failed = true;
    }
}

static inline void tap_check_str(const char *have, const char *want, const char *file, int line)
{
    if (strcmp(have, want) != 0) {
        printf("# %s:%d: have \"%s\"\n# %s:%d: want \"%s\"\n", file, line, have, file, line, want);
        tap_failed = true;
    }
}

#define CHECK(condition)      tap_check(condition, __FILE__, __LINE__, #condition)
#define CHECK_STR(have, want) tap_check_str(have, want, __FILE__, __LINE__)

static inline int tap_run(const struct tap_test *tests, size_t n)
{
    bool all_good = true;
    printf("1..%zu\n", n);
    for (size_t i = 0; i < n; i++) {
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            tests[i].run();
            fflush(stdout);
            _exit(tap_failed);
        }
        bool good = child > 0 && waitpid(child, &status, 0) == child && status == 0;
        if (child > 0 && WIFSIGNALED(status))
            printf("# ended by signal %d\n", WTERMSIG(status));
        printf("%sok %zu - %s\n", good ? "" : "not ", i + 1, tests[i].name);
        all_good = all_good && good;
    }
    return all_good ? 0 : 1;
}

#endif
