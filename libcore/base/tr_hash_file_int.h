/* SPDX-License-Identifier: MIT */
/*
 * The slots of an index that are in a file: base/tr_hash.h.
 *
 * The file is a table like that in memory, read and written a page at a time, not mapped.  A look-up reads the few
 * slots where its tag has its place.  Entries are added many at a time, in the order of their tags, which is that of the
 * file.  So n of them read and write about n pages at most, and no more pages than there are.
 *
 * Internal to libcore.
 */
#ifndef TR_HASH_FILE_INT_H
#define TR_HASH_FILE_INT_H

#include "base/tr_hash.h"

/* Add the entries of memory to those of the file, which is made if there is none.  False: no memory or disk left. */
bool tr__hash_file_add(struct tr_hash_index *x);
void tr__hash_file_free(struct tr__hash_file *f);

/* The first empty slot in memory.  Those after it, and then those before, are in the order of tags and of arrival. */
static inline size_t tr__hash_first_empty(const struct tr_hash_index *x)
{
    size_t first = 0;
    while (x->slots[first].number)
        first++;
    return first;
}

#endif
