/* SPDX-License-Identifier: MIT */
/* Signals that end a program: what is not complete is removed first. */
#include "cli/cli_priv.h"

/* Signals that end a program by default, and that are sent to it or that it cannot prevent. */
static const int deadly[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE,
                              SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU };
#define N_DEADLY (sizeof deadly / sizeof deadly[0])

/* What removes files, in the order in which it was given.  At file scope, because a handler has no other arguments. */
enum { MAX_CLEANERS = 4 };
static void (*cleaners[MAX_CLEANERS])(void);
static volatile sig_atomic_t n_cleaners;

static void clean(int signo)
{
    for (sig_atomic_t i = 0; i < n_cleaners; i++)
        cleaners[i]();
    raise(signo); /* SA_RESETHAND: now with the usual effect */
}

static volatile sig_atomic_t asked;

/* The first signal asks for the end; the next one ends the program. */
static void ask(int signo)
{
    struct sigaction sa = { .sa_handler = clean, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&sa.sa_mask);
    asked = 1;
    sigaction(signo, &sa, NULL);
}

void cli__ask_on_signal(int signo)
{
    struct sigaction old, sa = { .sa_handler = ask };
    sigemptyset(&sa.sa_mask);
    if (sigaction(signo, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
        sigaction(signo, &sa, NULL);
}

bool cli__end_asked(void)
{
    return asked;
}

static void add_cleaner(void (*cleaner)(void))
{
    for (sig_atomic_t i = 0; i < n_cleaners; i++)
        if (cleaners[i] == cleaner)
            return;
    if (n_cleaners < MAX_CLEANERS) {
        cleaners[n_cleaners] = cleaner;
        n_cleaners++; /* a signal before this does not see it */
    }
}

void cli__watch_signals(void (*cleaner)(void))
{
    add_cleaner(cleaner);
    for (size_t i = 0; i < N_DEADLY; i++) {
        struct sigaction old, sa = { .sa_handler = clean, .sa_flags = (int)SA_RESETHAND };
        sigemptyset(&sa.sa_mask);
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(deadly[i], &sa, NULL);
    }
}

/* Let deadly signals wait. */
void cli__hold_signals(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < N_DEADLY; i++)
        sigaddset(&set, deadly[i]);
    pthread_sigmask(SIG_BLOCK, &set, before);
}
