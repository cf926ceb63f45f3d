/* SPDX-License-Identifier: MIT */
/* Partial results of sums of groups.  Internal to tr_by_sum.c. */
#ifndef TR_SUM_SAVED_INT_H
#define TR_SUM_SAVED_INT_H

#include "analysis/sums/tr_sum_int.h"

extern const struct tr_saved_table tr__sum_saved;

/* The options that the state depends on; values: the state has all values. */
enum tr_status tr__sum_say(const struct tr_sum_options *o, bool values, struct tr_buf *text, struct tr_error *err);

/* Save all groups, after the end of adding; they can be read again. */
enum tr_status tr__sum_save(const struct tr__sum_keys *k, struct tr__sum_groups *g, struct tr_partial_out *out,
                            struct tr_error *err);
enum tr_status tr__sum_load(struct tr__sum_keys *k, struct tr__sum_groups *g, struct tr_partial_in *in,
                            struct tr_error *err);

#endif
