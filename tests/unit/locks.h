/* SPDX-License-Identifier: MIT */
/*
 * Included by a test that uses threads: what is unlocked was locked by that very thread.
 *
 * Mutexes are made such that they check this, and who unlocks one that is not his, or waits with it, ends the test.
 * A lock that is missing shows at once, and not only when threads happen to meet.  Elsewhere than in glibc, and with
 * sanitizers, which look at the same, nothing is done.
 */
#ifndef LOCKS_H
#define LOCKS_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#include <dlfcn.h>

#define NEXT_DEFINITION ((void *)-1L) /* RTLD_NEXT, which only _GNU_SOURCE names */

static void lock_failed(const char *what, int rc)
{
    printf("Bail out! %s: %s\n", what, strerror(rc));
    fflush(stdout);
    abort();
}

/* The real function, looked up when it is first called. */
typedef int on_mutex(pthread_mutex_t *);
typedef int on_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
#define FIND(real, name)                                                  \
    do {                                                                  \
        void *address = (real) ? NULL : dlsym(NEXT_DEFINITION, name);     \
        if (address)                                                      \
            memcpy(&(real), &address, sizeof(real));                      \
    } while (0)

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *given)
{
    pthread_mutexattr_t checked;
    static on_mutex_init *real;
    (void)given;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    FIND(real, "pthread_mutex_init");
    int rc = real(m, &checked);
    pthread_mutexattr_destroy(&checked);
    return rc;
}

int pthread_mutex_lock(pthread_mutex_t *m)
{
    static on_mutex *real;
    FIND(real, "pthread_mutex_lock");
    int rc = real(m);
    if (rc)
        lock_failed("a mutex cannot be locked", rc);
    return rc;
}

int pthread_mutex_unlock(pthread_mutex_t *m)
{
    static on_mutex *real;
    FIND(real, "pthread_mutex_unlock");
    int rc = real(m);
    if (rc)
        lock_failed("a mutex that is not locked is unlocked", rc);
    return rc;
}
#endif

#endif
