/* SPDX-License-Identifier: MIT */
/*
 * Rows kept as they are printed: the saved form of every analysis whose rows each belong to one rank, and come from
 * the events of this rank alone.
 *
 * Such an analysis needs no saved form of its own: it names tr_saving_ranks, or, as a listing, tr_saving_times.  In a
 * run whose state is saved, the runner gives it a table in memory in place of that which is printed.  Loading adds the
 * rows of partial results to such a table.  They are printed in the order of one run: by rank (known ones first), or
 * by time and rank; rows of a rank stay in the order in which the analysis added them.
 *
 * A listing says the time of each row before it adds the row (tr_analysis_at), since times are printed as in their
 * files.
 *
 * Remarks belong to the rows, so they are kept, too, and given when the rows are printed: each once, by rank, with the
 * sum of its numbers (tr_analysis_remark_sum).
 */
#ifndef TR_KEPT_H
#define TR_KEPT_H

#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr__kept_row {
    int64_t rank, ts, dur; /* rank -1: unknown; ts, dur: of a listing, ns since 1970 */
    uint64_t place;        /* among the rows of the rank */
    size_t row;            /* in the table */
};

struct tr__kept_remark {
    int64_t rank;
    uint64_t place, how;
    struct tr_str at, text; /* at: its place, no text: none */
    int64_t n;              /* in place of # in the text; TR_I64_NONE: none */
};

struct tr_kept {
    struct tr_table *table; /* its rows, in any order */
    struct tr__kept_row *rows;
    size_t n_rows, cap_rows;
    struct tr__kept_remark *remarks;
    size_t n_remarks, cap_remarks;
    struct tr_arena *texts; /* of remarks */
    int64_t ts, dur;        /* of the next row */
    int64_t base;           /* that times of a stream with all ranks count from; TR_TIME_NONE: unknown so far */
    bool no_memory;
    bool complete; /* all rows of the analysis have been added */
    size_t rank, capture; /* columns */
    enum tr_kept_order by;
    struct tr_saving saving; /* with the tables that follow from the columns */
    struct tr_saved_table tables[3];
    struct tr_saved_column *columns;
};

/* For an analysis with this saving; the columns are those of its table.  spill: for rows, may be NULL.  NULL: out of
 * memory. */
struct tr_kept *tr__kept_new(const struct tr_saving *saving, const struct tr_table *like, struct tr_spill *spill);
void tr__kept_free(struct tr_kept *k);

/* Can a table be kept?  NULL: yes; else the reason why not. */
const char *tr__kept_refuses(const struct tr_table *t, enum tr_per per);

/* Keep a remark; n: TR_I64_NONE for none. */
void tr__kept_remark(struct tr_kept *k, enum tr_remark_kind how, const char *place, const char *text, int64_t n);

/* rank: the lowest of the partial result, for its remarks. */
enum tr_status tr__kept_save(struct tr_kept *k, int64_t rank, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr__kept_load(struct tr_kept *k, struct tr_partial_in *in, struct tr_error *err);

/* Give remarks, and add all rows to a table with the same columns. */
enum tr_status tr__kept_print(struct tr_kept *k, struct tr_table *t, tr_remark_fn *remark, void *self,
                              struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
