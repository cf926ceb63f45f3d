/* SPDX-License-Identifier: MIT */
/* What the tables of operators, tr_by_operator.c and tr_by_category.c, share. */
#ifndef TR_BY_OPERATOR_INT_H
#define TR_BY_OPERATOR_INT_H

#include "analysis/operators/tr_operator_category.h"
#include "analysis/operators/tr_operators.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/operators/tr_operators_shared.h"
#include "base/tr_strtab.h"

struct tr__by_operator {
    struct tr_analysis_in in;
    const struct tr_operator_options *options;
    struct tr_operators *operators; /* owner: the run, if they are shared */
    struct tr_operators_joined joined; /* rows of the shared ones with the keys of this analysis */
    struct tr_operator_categories categories;
    struct tr_strtab *texts; /* categories */
    bool sums; /* rows are sums of several operators */
    /* the answer */
    const struct tr_operator_row *rows;
    size_t *places; /* by group: its place */
    int64_t *wholes; /* by group: its device work */
    int64_t first;  /* start of the first call that launched work */
    struct tr_buf work;         /* names of work */
    struct tr_buf text, packed; /* a stack; a row and its texts */
};

#define TR__BY_OPERATOR_GROUPS \
    (TR_PER_BIT(TR_PER_RANK) | TR_PER_BIT(TR_PER_STEP) | TR_PER_BIT(TR_PER_CAPTURE) | TR_PER_BIT(TR_PER_ALL))

extern const struct tr_saving tr__by_operator_saving;
extern const struct tr_operator_options tr__by_operator_defaults;
extern const struct tr_option tr__by_operator_settings[];

/* For struct tr_analysis. */
void tr__by_operator_needs(const void *options, struct tr_needs *n);
enum tr_status tr__by_operator_start(const struct tr_analysis_in *in, const void *options, void **state,
                                     struct tr_error *err);
enum tr_status tr__by_operator_feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                                    struct tr_error *err);
void tr__by_operator_free(void *state);

/* Take all rows, in no order, and sum up their groups.  Of shared operators, none without the data that keys need. */
enum tr_status tr__by_operator_take(struct tr__by_operator *s, size_t *n, struct tr_error *err);

/*
 * Is a row shown?  It is if --op chooses its operator, and calls or work of it are selected.  If work is tested, some
 * of its work must pass.  Rows of work are shown if they are asked for, and no others then.
 */
bool tr__by_operator_shown(struct tr__by_operator *s, const struct tr_operator_row *r);

enum tr_status tr__by_operator_category(struct tr__by_operator *s, const struct tr_operator_row *r,
                                        struct tr_str *category, struct tr_error *err);

/* Remark what the trace does not have. */
void tr__by_operator_remark(const struct tr__by_operator *s);

/* Call it after some rows have been looked at. */
static inline void tr__by_operator_touched(const struct tr__by_operator *s)
{
    tr_operators_touched(s->operators);
    tr_spilling_touched(&s->joined.in);
}

/* Largest first; a value that does not fit is the largest. */
static inline int tr__by_operator_compare(int64_t a, int64_t b)
{
    return a == b ? 0 : (uint64_t)a > (uint64_t)b ? -1 : 1;
}

#endif
