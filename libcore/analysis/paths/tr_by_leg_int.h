/* SPDX-License-Identifier: MIT */
/* The legs of the path of all ranks, as rows of a table. */
#ifndef TR_BY_LEG_INT_H
#define TR_BY_LEG_INT_H

#include "analysis/critpath/tr_critpath_contract.h"
#include "engine/tr_analysis.h"

void tr__critpath_leg_columns(const struct tr_analysis_in *in, const void *options, struct tr_table *t);
/* Of a graph with opts.join; of graphs that were joined. */
enum tr_status tr__critpath_legs(const struct tr_critpath *c, const struct tr_dict *dict, struct tr_table *t,
                                 struct tr_error *err);
enum tr_status tr__critpath_joined_legs(const struct cp_joined *joined, const struct tr_colls *colls,
                                        const struct tr_dict *dict, struct tr_table *t, struct tr_error *err);

#endif
