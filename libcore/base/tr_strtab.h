/* SPDX-License-Identifier: MIT */
/*
 * A table of distinct byte strings, numbered from 0 in the order of their first arrival.
 *
 * Strings may have any byte, also zero.  A zero byte is added after each string.  Strings do not move until the table
 * is freed.  Not shared between threads while it grows or is searched.  TR_NO_STR (tracepipe.h) means "no string"; as
 * the result of tr_strtab_add, it means "out of memory".
 */
#ifndef TR_STRTAB_H
#define TR_STRTAB_H

#include "base/tr_spill.h"
#include "tracepipe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_strtab;

struct tr_strtab *tr_strtab_new(void); /* NULL: out of memory */
/* A table that goes to files when memory is short; spill may be NULL.  And the spill of a table. */
struct tr_strtab *tr_strtab_new_in(struct tr_spill *spill);
struct tr_spill *tr_strtab_spill(const struct tr_strtab *t);
void tr_strtab_free(struct tr_strtab *t); /* also frees all strings */

/* The number of a string, which is added if it is new.  TR_NO_STR: out of memory, or the table has 2^32-2 strings. */
uint32_t tr_strtab_add(struct tr_strtab *t, const void *s, size_t len);
/* The same for a string that the table surely does not have, as in a copy of another table: cheaper. */
uint32_t tr_strtab_add_new(struct tr_strtab *t, const void *s, size_t len);
/* This string will soon be added or found.  For many at a time: their places in the index are loaded meanwhile. */
void tr_strtab_expect(const struct tr_strtab *t, const void *s, size_t len);
/* The number of a string; TR_NO_STR: the table does not have it. */
uint32_t tr_strtab_find(const struct tr_strtab *t, const void *s, size_t len);

const char *tr_strtab_get(const struct tr_strtab *t, uint32_t id); /* id < tr_strtab_count() */
size_t tr_strtab_len(const struct tr_strtab *t, uint32_t id);
uint32_t tr_strtab_count(const struct tr_strtab *t);
size_t tr_strtab_bytes(const struct tr_strtab *t); /* memory held */

#ifdef __cplusplus
}
#endif
#endif
