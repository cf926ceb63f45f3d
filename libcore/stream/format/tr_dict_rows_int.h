/* SPDX-License-Identifier: MIT */
/*
 * Dictionary and summary blocks: their rows as bytes, and back.  Internal to libcore; tr-stream(5),
 * "Dictionaries" and "Summary".
 *
 * The payload of these blocks is a list of rows, each with its length in front, so a later minor version can add fields
 * at the end of a row.  Strings, columns and shapes are numbered in their order.  Rows of sources and tracks contain
 * their number; a row with a known number replaces the old one.
 */
#ifndef TR_DICT_ROWS_INT_H
#define TR_DICT_ROWS_INT_H

#include "stream/format/tr_block_int.h"
#include "stream/tr_dict.h"
#include "stream/tr_summary.h"

#define TR_MAX_MEMBERS (TR_MAX_SLOTS - TR_N_DERIVED) /* of a shape: with the derived ones, its columns fit in a block */

#ifdef __cplusplus
extern "C" {
#endif

/* Append row number i of the dictionary for blocks of this type.  False: out of memory. */
bool tr__dict_row_put(const struct tr_dict *d, enum tr_block_type type, size_t i, struct tr_buf *row);

/* The number of rows of the dictionary for blocks of this type. */
size_t tr__dict_row_count(const struct tr_dict *d, enum tr_block_type type);

/* The state of a reader, in addition to its dictionary. */
struct tr__dict_rows {
    struct tr_dict *dict;
    size_t n_strings, n_columns; /* received; the dictionary starts with the derived columns */
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
 * Read a summary block.  The rows of a summary of many sources are in several blocks.
 *
 * s       the summary so far, without sources at first; it is cleared when the first row of another
 *         summary arrives
 * n_have  rows that have arrived; the summary is complete when it equals s->n
 */
enum tr_status tr__summary_get(struct tr_summary *s, size_t *n_have, const struct tr_dict *dict,
                               const unsigned char *payload, size_t len, uint32_t n_items,
                               struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
