/* SPDX-License-Identifier: MIT */
/*
 * Operators computed once for several analyses of a run, with the keys of all of them.
 *
 *     tr_operators_shared_get(in, shared, &operators, &err);           in start; the run owns and feeds them
 *     tr_operators_finish(operators, &rows, &n, &err);                 in finish, for rows with all keys
 *     tr_operators_join(&joined, operators, by, rows, n, &err);        rows with some of the keys
 *     tr_operators_joined_free(&joined);
 *
 * What calls inside calls of the same row have is counted with the outer one.  So the times host, device and
 * device_busy of a row do not add up to those of rows with fewer keys: after joining, they are TR_TIME_NONE.
 */
#ifndef TR_OPERATORS_SHARED_H
#define TR_OPERATORS_SHARED_H

#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "base/tr_hash.h"

struct tr_operators_joined {
    struct tr_operator_row *rows;
    size_t n, cap;
    struct tr_spilling in;
    struct tr_hash_index of;
};

/* Call it in start.  Owner of *operators: the run. */
enum tr_status tr_operators_shared_get(const struct tr_analysis_in *in, const struct tr_operators_shared *shared,
                                       struct tr_operators **operators, struct tr_error *err);

/* Rows with the keys by, a part of those that the operators have.  joined is zero at first.  TR_OK or TR_SYSTEM. */
enum tr_status tr_operators_join(struct tr_operators_joined *joined, const struct tr_operators *a, unsigned by,
                                 const struct tr_operator_row *rows, size_t n, struct tr_error *err);
void tr_operators_joined_free(struct tr_operators_joined *joined);

#endif
