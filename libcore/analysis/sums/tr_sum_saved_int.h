/* SPDX-License-Identifier: MIT */
/* Partial results of sums of groups.  Internal to tr_by_sum.c. */
#ifndef TR_SUM_SAVED_INT_H
#define TR_SUM_SAVED_INT_H

#include "analysis/sums/tr_sum_int.h"

extern const struct tr_saved_table tr__sum_saved;

/* Keys and value of struct tr_sum_options, as parts of the options that the state depends on. */
bool tr__sum_say_keys(const void *options, struct tr_buf *text);
bool tr__sum_say_value(const void *options, struct tr_buf *text);
/* Is a key or the value a time of the trace?  It counts from the base of its file. */
bool tr__sum_has_moments(const struct tr_sum_options *o);

/* Save all groups, after the end of adding; they can be read again. */
enum tr_status tr__sum_save(const struct tr__sum_keys *k, struct tr__sum_groups *g, struct tr_partial_out *out,
                            struct tr_error *err);
enum tr_status tr__sum_load(struct tr__sum_keys *k, struct tr__sum_groups *g, struct tr_partial_in *in,
                            struct tr_error *err);

#endif
