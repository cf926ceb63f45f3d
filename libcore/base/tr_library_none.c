/* SPDX-License-Identifier: MIT */
/* In the place of tr_library_find.c, for a program that is linked statically: it loads nothing. */
#include "base/tr_library.h"

void *tr_library_find(const char *file, const char *function)
{
    (void)file;
    (void)function;
    return NULL;
}

bool tr_library_can_load(void)
{
    return false;
}
