/* SPDX-License-Identifier: MIT */
/*
 * The slots of an index that are in a file: base/tr_hash.h.
 *
 * The file is a table like the one in memory.  It is read and written a page at a time, and not mapped.  A look-up
 * reads the few slots at the place of its tag.  Many entries are added at a time, in the order of their tags, which is
 * the order of the file.  So n entries read and write about n pages at most, and never more than all pages of the file.
 *
 * Internal to libcore.
 */
#ifndef TR_HASH_FILE_INT_H
#define TR_HASH_FILE_INT_H

#include "base/tr_hash.h"

/* Move the entries from memory to the file, which is created if necessary.  False: no memory or disk left. */
bool tr__hash_file_add(struct tr_hash_index *x);
void tr__hash_file_free(struct tr__hash_file *f);

/* The first empty slot in memory.  The slots after it, and then the slots before it, are in the order of tags and of
 * arrival. */
static inline size_t tr__hash_first_empty(const struct tr_hash_index *x)
{
    size_t first = 0;
    while (x->slots[first].number)
        first++;
    return first;
}

#endif
