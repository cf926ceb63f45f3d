/* SPDX-License-Identifier: MIT */
/* Files of profilers that are not read, for messages.  Internal to libcore. */
#ifndef TR_NOT_READ_INT_H
#define TR_NOT_READ_INT_H

#include <stddef.h>

/* What the input is and what to do, for "is ..."; NULL: it is not known.  p[0..n) is its start. */
const char *tr__not_read(const char *name, const unsigned char *p, size_t n);
/* The same for an SQLite database, by the names of its tables, which are somewhere in p[0..n). */
const char *tr__not_read_database(const unsigned char *p, size_t n);

#endif
