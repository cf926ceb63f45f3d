/* SPDX-License-Identifier: MIT */
/*
 * Streams of the C library for libtrcore.so of wheels.  libbz2.a, as most systems have it, can become part of a program,
 * but not of a shared library, because it takes the addresses of these from the program.
 */
#include <dlfcn.h>
#include <stdio.h>

#undef stdin
#undef stdout
#undef stderr
__attribute__((visibility("hidden"))) FILE *stdin, *stdout, *stderr;

static FILE *find(const char *name)
{
    FILE **stream = dlsym(RTLD_DEFAULT, name);
    return stream ? *stream : NULL;
}

__attribute__((constructor)) static void find_all(void)
{
    stdin = find("stdin");
    stdout = find("stdout");
    stderr = find("stderr");
}
