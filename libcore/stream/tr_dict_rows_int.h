/* SPDX-License-Identifier: MIT */
/*
 * Dictionary and summary blocks: their rows as bytes, and back.  Internal to libcore; tr-stream(5),
 * "Dictionaries" and "Summary".
 *
 * The payload of these blocks is a list of rows, each with its length in front, so that a later
 * minor version can add fields at the end of a row.  Strings, columns and shapes are numbered as
 * they come; rows of sources and tracks bear their number, and one that exists is replaced.
 */
#ifndef TR_DICT_ROWS_INT_H
#define TR_DICT_ROWS_INT_H

#include "stream/tr_block_int.h"
#include "stream/tr_dict.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Append row number i of the dictionary that blocks of this type carry.  False: out of memory. */
bool tr__dict_row_put(const struct tr_dict *d, enum tr_block_type type, size_t i, struct tr_buf *row);

/* How many rows the dictionary has for blocks of this type. */
size_t tr__dict_row_count(const struct tr_dict *d, enum tr_block_type type);

/* The state of a reader beside the dictionary that it fills. */
struct tr__dict_rows {
    struct tr_dict *dict;
    size_t n_strings, n_columns; /* received; the dictionary begins with the derived columns */
    struct tr_strtab *columns;   /* received, by content: no two are equal */
    uint32_t *seen;              /* by column: last shape that uses it, + 1 */
    size_t cap_seen;
};
void tr__dict_rows_free(struct tr__dict_rows *r); /* not the dictionary */

/* Take in a dictionary block of n_items rows.  TR_OK, TR_DAMAGED or TR_SYSTEM. */
enum tr_status tr__dict_rows_get(struct tr__dict_rows *r, enum tr_block_type type,
                            const unsigned char *payload, size_t len, uint32_t n_items,
                            struct tr_error *err);

/* Append the fields that precede the rows of a summary block, or row number i. */
bool tr__summary_put_head(const struct tr_summary *s, struct tr_buf *out);
bool tr__summary_put_row(const struct tr_summary *s, size_t i, struct tr_buf *row);

/*
 * Take in a summary block.  A summary of many sources spans several blocks, whose rows follow one
 * another.
 *
 * s       what has arrived, with no sources at first; begun anew in place when the first row of another
 *         summary comes
 * n_have  rows that have arrived; the summary is complete when it equals s->n
 */
enum tr_status tr__summary_get(struct tr_summary *s, size_t *n_have, const struct tr_dict *dict,
                               const unsigned char *payload, size_t len, uint32_t n_items,
                               struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
