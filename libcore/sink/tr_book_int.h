/* SPDX-License-Identifier: MIT */
/* What kinds of books share; not for users of libcore. */
#ifndef TR_BOOK_INT_H
#define TR_BOOK_INT_H

#include "sink/tr_book.h"

/* Is a name among others, without regard to case? */
bool tr__book_has(const char *const *names, size_t n, const char *name);

/* A name as UTF-8, with a number after it if it is among others.  Owned by the arena.  NULL: out of memory. */
const char *tr__book_name(const char *name, const char *const *others, size_t n, struct tr_arena *arena);

/*
 * The names of the columns of a table: as printed, as UTF-8, each different from the others; the first one is first,
 * unless that is NULL.  Owned by the arena.  NULL: out of memory.
 */
const char *const *tr__book_columns(const struct tr_table *t, const char *first, struct tr_arena *arena);

#endif
