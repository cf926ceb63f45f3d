/* SPDX-License-Identifier: MIT */
/* What the tables of operators, tr_by_operator.c and tr_by_category.c, share. */
#ifndef TR_BY_OPERATOR_INT_H
#define TR_BY_OPERATOR_INT_H

#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/operators/tr_operators_shared.h"

struct tr__by_operator {
    struct tr_analysis_in in;
    const struct tr_operator_options *options;
    struct tr_operators *operators; /* owner: the run, if they are shared */
    struct tr_rows *joined;   /* rows of the shared ones with the keys of this analysis; NULL: they are not shared */
    struct tr_rows *sums;     /* of several operators */
    struct tr_strtab *texts;  /* names of these */
    uint64_t n_shown;
};

#define TR__BY_OPERATOR_GROUPS \
    (TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_STEP) | TR_PER_BIT(TR_PER_CAPTURE) | TR_PER_BIT(TR_PER_ALL))

extern const struct tr_saving tr__by_operator_saving;
extern const struct tr_operator_options tr__by_operator_defaults;
extern const struct tr_option tr__by_operator_settings[];

/* For struct tr_analysis. */
void tr__by_operator_needs(const void *options, struct tr_needs *n);
enum tr_status tr__by_operator_start(const struct tr_analysis_in *in, const void *options, void *state,
                                     struct tr_error *err);
enum tr_status tr__by_operator_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                    struct tr_error *err);
struct tr_rows *tr__by_operator_rows(void *state);
void tr__by_operator_free(void *state);

/* All rows are complete.  Of shared operators, there are none without the data that keys need. */
enum tr_status tr__by_operator_complete(struct tr__by_operator *s, bool sums, struct tr_error *err);

/*
 * Is a row not shown?  It is shown if --op chooses its operator, and calls or work of it are selected.  If work is
 * tested, some of its work must pass.
 */
bool tr__by_operator_hides(const struct tr__by_operator *s, const struct tr_operator_row *r);

/* Remark what the trace does not have. */
enum tr_status tr__by_operator_finish(void *state, struct tr_table *t, struct tr_error *err);

#endif
