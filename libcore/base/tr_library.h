/* SPDX-License-Identifier: MIT */
/*
 * Libraries that are loaded when they are needed, because linking them would cost every start of a program.
 *
 *     #define FUNCTIONS(X) X(open, sqlite3_open_v2) X(close, sqlite3_close)
 *     FUNCTIONS(TR_LIBRARY_LINKED)
 *     struct functions { FUNCTIONS(TR_LIBRARY_MEMBER) };
 *     static const struct tr_library_function functions[] = { FUNCTIONS(TR_LIBRARY_FUNCTION) };
 *
 *     st = tr_library_load("libsqlite3.so.0", "-O sqlite", functions, n, &to, err);
 *
 * A program may be linked with such a library all the same, as that of `make static' is: then its functions are taken,
 * and nothing is loaded.
 */
#ifndef TR_LIBRARY_H
#define TR_LIBRARY_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_library_function {
    const char *name;
    void (*linked)(void); /* NULL: the program is not linked with the library */
};

#ifdef __ELF__
#define TR_LIBRARY_LINKED(member, function) extern __typeof__(function) function __attribute__((weak));
#define TR_LIBRARY_FUNCTION(member, function) { #function, (void (*)(void))(function) },
#else
#define TR_LIBRARY_LINKED(member, function)
#define TR_LIBRARY_FUNCTION(member, function) { #function, NULL },
#endif
#define TR_LIBRARY_MEMBER(member, function) __typeof__(&function) member;

/*
 * Find n functions and set the pointers at to, a struct of them in this order.  The library stays until the program
 * ends.  TR_USAGE: `what' needs the library, and it cannot be loaded.  TR_SYSTEM: out of memory.
 */
enum tr_status tr_library_load(const char *file, const char *what, const struct tr_library_function *functions,
                               size_t n, void *to, struct tr_error *err);

/* A function of a library that is loaded for it; NULL: there is none. */
void *tr_library_find(const char *file, const char *function);

/* False: this program is linked statically, and loads nothing. */
bool tr_library_can_load(void);

#ifdef __cplusplus
}
#endif
#endif
