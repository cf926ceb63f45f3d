/* SPDX-License-Identifier: MIT */
/*
 * Streams that wait to be merged: files of the user, or temporary files with several streams each.
 * Internal to libcore.
 */
#ifndef TR_MERGE_TEMP_INT_H
#define TR_MERGE_TEMP_INT_H

#include "formats/tr_open_int.h"

struct tr__merge_temp; /* a temporary file with streams; it is released with its last user */
struct tr__section;

/* A stream to merge, and the ranks of its sources. */
struct tr__item {
    const char *path; /* of a regular file; NULL: on a shelf */
    struct tr__section *section;
    char *name; /* for messages */
    struct tr_merge_rank *ranks;
    size_t n_sources;
};

struct tr__items {
    struct tr__item *v;
    size_t n, cap;
};

struct tr__merge_temp *tr__merge_temp_new(const char *dir, struct tr_error *err); /* NULL: failed */
void tr__merge_temp_release(struct tr__merge_temp *s); /* for its creator; items on it remain */

/* Copy an input to a shelf. */
enum tr_status tr__merge_temp_put(struct tr__item *item, struct tr_input *in, struct tr__merge_temp *shelf,
                                  unsigned n_threads, struct tr_error *err);

enum tr_status tr__merge_temp_flush(struct tr__merge_temp *s, struct tr_error *err); /* from now on it is read */

/* Append an item with the name and the number of sources of an input.  NULL: out of memory. */
struct tr__item *tr__items_add(struct tr__items *list, const struct tr_input *in);
void tr__items_free(struct tr__items *list);

/* Open n items and merge them; they are used up. */
enum tr_status tr__items_merge(struct tr__item *items, size_t n, const struct tr_open_opts *opts,
                               struct tr_input **out, struct tr_error *err);

#endif
