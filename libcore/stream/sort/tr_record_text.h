/* SPDX-License-Identifier: MIT */
/*
 * Records with texts, for tr_record_sort.h.
 *
 * A record is a struct of fixed size and, after it, its texts: each has a length and its bytes, or is absent.  So a
 * record in a temporary file can be compared and printed without anything else.
 *
 *     tr_record_start(&buf, &fixed, sizeof fixed);          write
 *     tr_record_add_text(&buf, name);                       any number of texts
 *     const char *at = (const char *)(fixed + 1);           read
 *     struct tr_str name = tr_record_next_text(&at);        in the same order, and no more than were added
 */
#ifndef TR_RECORD_TEXT_H
#define TR_RECORD_TEXT_H

#include "base/tr_mem.h"
#include "base/tr_str.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start a record in *record, whose memory is used again.  False: out of memory. */
bool tr_record_start(struct tr_buf *record, const void *fixed, size_t size);

/* Add a text of less than 4 GiB; .s NULL: absent, which is not the empty text.  False: out of memory. */
bool tr_record_add_text(struct tr_buf *record, struct tr_str text);

/* The next text, which points into the record; *at moves on. */
struct tr_str tr_record_next_text(const char **at);

/* Compare the next n texts of two records by their bytes; an absent text comes first.  As strcmp. */
int tr_record_compare_texts(const char *left, const char *right, size_t n);

#ifdef __cplusplus
}
#endif
#endif
