/* SPDX-License-Identifier: MIT */
/* What the tables of collectives share; not for users of libcore. */
#ifndef TR_COLLECTIVE_TABLE_INT_H
#define TR_COLLECTIVE_TABLE_INT_H

#include "analysis/tr_analyses.h"
#include "analysis/tr_comm.h"
#include "model/tr_eventmap.h"

/* What a table is made from. */
struct tr__comm_view {
    const struct tr_analysis_in *in;
    const struct tr_dict *dict;
    const struct tr_colls *c;
    const struct tr_steps *steps; /* stragglers by step, if not NULL */
    bool suspect;
    struct tr_table *t;
};

/* Fills the rows of a view; the collectives are matched. */
typedef enum tr_status tr__comm_rows(const struct tr__comm_view *v, struct tr_error *err);

/* The functions of an analysis of collectives; state is a struct tr__comm_state. */
struct tr__comm_state {
    struct tr_analysis_in in;
    void *matching; /* the service's */
};
void tr__comm_needs(const void *options, struct tr_needs *n);
enum tr_status tr__comm_start(const struct tr_analysis_in *in, const void *options, void **state,
                              struct tr_error *err);
/* lists_mismatches: the table is where a user is sent to see what is wrong. */
enum tr_status tr__comm_finish(void *state, struct tr_table *t, tr__comm_rows *rows,
                               bool lists_mismatches, struct tr_error *err);

/* The matching that all of them share, and what it has loaded. */
struct tr__comm_matching {
    struct tr_coll_finder *finder;
    struct tr_colls *colls; /* once rows are wanted */
    bool told; /* what a user must know about the numbers */
    /* Of partial results: sources of this dictionary by rank and number, tracks by source and number. */
    struct tr_eventmap sources, tracks;
    int64_t *shifts; /* by source: what its times lack to the base of the first */
    size_t cap_shifts;
};

/* Its state as a partial result, for all tables of collectives. */
#define TR__COMM_TABLES 3u
extern const struct tr_saved_table tr__comm_saved[TR__COMM_TABLES];
enum tr_status tr__comm_save(void *state, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr__comm_load(void *state, struct tr_partial_in *in, struct tr_error *err);

/* Of a table of collectives: saved under a name of its own. */
#define TR__COMM_SAVING(table_name)                                                                      \
    {                                                                                                    \
        .name = (table_name), .version = 3, .whole_ranks = true, .no_steps = true, .tables = tr__comm_saved, \
        .n_tables = TR__COMM_TABLES, .save = tr__comm_save, .load = tr__comm_load                        \
    }

/* Say how many collectives the table leaves out, and why, if it does. */
void tr__comm_tell_left(const struct tr__comm_view *v, const struct tr_comm_left *left);

/* ---- cells ---- */

void tr__comm_text_cell(const struct tr__comm_view *v, uint32_t string);
/* A number that is not negative; else the cell stays empty. */
void tr__comm_number_cell(const struct tr__comm_view *v, int64_t number);
void tr__comm_rate_cell(const struct tr__comm_view *v, double bytes_per_s);
void tr__comm_time_cell(const struct tr__comm_view *v, bool known, int64_t ns);
void tr__comm_rank_cell(const struct tr__comm_view *v, bool known, uint32_t party);
/* When, as in the file that a member comes from. */
void tr__comm_start_cell(const struct tr__comm_view *v, const struct tr_coll_member *m);
void tr__comm_how_cell(const struct tr__comm_view *v, const struct tr_coll *coll);
/* group, seq and name: what a collective is known by. */
void tr__comm_identity(const struct tr__comm_view *v, const struct tr_coll *coll);

#endif
