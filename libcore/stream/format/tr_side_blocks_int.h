/* SPDX-License-Identifier: MIT */
/*
 * Tables as blocks.  Internal to libcore; tr-stream(5), "Tables".
 */
#ifndef TR_SIDE_BLOCKS_INT_H
#define TR_SIDE_BLOCKS_INT_H

#include "stream/format/tr_block_out_int.h"
#include "stream/tr_side_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Send a table as one block or several.  TR_USAGE: it is beyond the limits of the format. */
enum tr_status tr__side_send(struct tr__block_out *f, const struct tr_side_table *t, struct tr_error *err);

/* Read the payload of a block: a new table, or more rows of the last one. */
enum tr_status tr__side_get(struct tr_side_tables *list, const struct tr_dict *dict, const unsigned char *payload,
                            size_t len, uint32_t n_items, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
