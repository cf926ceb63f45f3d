/* SPDX-License-Identifier: MIT */
/*
 * Rows of a table as bytes, in memory as in blocks.  Internal to libcore.
 */
#ifndef TR_SIDE_TABLE_INT_H
#define TR_SIDE_TABLE_INT_H

#include "stream/tr_side_table.h"
#include "stream/tr_wire_int.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of the next row.  The length may be anything. */
struct tr__in tr__side_next_row(struct tr__in *in);

/* The values of a row; a malformed one sets in->bad. */
void tr__side_get_row(const struct tr_side_table *t, struct tr__in *in, struct tr_side_value *values);

#ifdef __cplusplus
}
#endif
#endif
