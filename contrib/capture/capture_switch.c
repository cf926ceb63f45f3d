/* SPDX-License-Identifier: MIT */
/*
 * The variable of the environment by which a program says that it is recorded.
 *
 * Another thread may change the environment at any time, so it is not read when something is recorded, but only where
 * it is changed: by functions of the C library, which the recorder, preloaded, has too.
 */
#include "capture.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

const char *capture_switch(void)
{
    static _Atomic(const char *) known; /* a copy, as the environment may go */
    const char *name = atomic_load(&known);
    if (!name) {
        const char *given = getenv("TR_RECORD_SWITCH");
        name = given ? strdup(given) : NULL;
        atomic_store(&known, name ? name : (name = ""));
    }
    return *name ? name : NULL;
}

bool capture_switched_on(void)
{
    const char *value = capture_switch() ? getenv(capture_switch()) : NULL;
    return value && *value != '0';
}

/* The environment has changed.  What it says counts when that changes, as other calls may have spoken since. */
static int changed(bool was_on, int rc)
{
    int saved = errno;
    bool on = capture_switched_on();
    if (on != was_on)
        capture_pause(!on);
    errno = saved;
    return rc;
}

static void *find(const char *name)
{
    void *at = dlsym(RTLD_NEXT, name);
    if (!at)
        errno = ENOSYS;
    return at;
}

/* A function of the C library, and then a look at what it changed. */
#define CHANGE(name, params, types, args)             \
    EXPORT int name params;                           \
    int name params                                   \
    {                                                 \
        bool was_on = capture_switched_on();          \
        void *found = find(#name);                    \
        int(*f) types = NULL;                         \
        memcpy(&f, &found, sizeof f);                 \
        return changed(was_on, f ? f args : -1);      \
    }
CHANGE(setenv, (const char *name, const char *value, int replace), (const char *, const char *, int),
       (name, value, replace))
CHANGE(unsetenv, (const char *name), (const char *), (name))
CHANGE(putenv, (char *text), (char *), (text))
CHANGE(clearenv, (void), (void), ())
