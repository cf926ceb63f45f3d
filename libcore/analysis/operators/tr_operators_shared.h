/* SPDX-License-Identifier: MIT */
/*
 * Operators computed once for several analyses of a run, with the keys of all of them.
 *
 *     tr_operators_shared_get(in, shared, &operators, &err);           in start; the run owns and feeds them
 *     tr_operators_finish(operators, &err);                            in complete
 *     tr_operators_join(operators, in, by);                            rows with some of the keys
 *
 * What calls inside calls of the same row have is counted with the outer one.  So the times host, device and
 * device_busy of a row do not add up to those of rows with fewer keys: after joining, they are TR_TIME_NONE.
 */
#ifndef TR_OPERATORS_SHARED_H
#define TR_OPERATORS_SHARED_H

#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"

/* Call it in start.  Owner of *operators: the run. */
enum tr_status tr_operators_shared_get(const struct tr_analysis_in *in, const struct tr_operators_shared *shared,
                                       struct tr_operators **operators, struct tr_error *err);

#endif
