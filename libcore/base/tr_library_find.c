/* SPDX-License-Identifier: MIT */
/* Loading of libraries: a file of its own, because a program that is linked statically has another in its place. */
#include "base/tr_library.h"

#include <dlfcn.h>

void *tr_library_find(const char *file, const char *function)
{
    void *library = dlopen(file, RTLD_NOW);
    return library ? dlsym(library, function) : NULL;
}

bool tr_library_can_load(void)
{
    return true;
}
