/* SPDX-License-Identifier: MIT */
/* Declarations that the tables of collectives share.  Internal to libcore. */
#ifndef TR_COLLECTIVE_TABLE_INT_H
#define TR_COLLECTIVE_TABLE_INT_H

#include "analysis/tr_analyses.h"
#include "analysis/tr_comm.h"
#include "model/tr_eventmap.h"

/* The data from which a table is made. */
struct tr__comm_view {
    const struct tr_analysis_in *in;
    const struct tr_dict *dict;
    const struct tr_colls *c;
    const struct tr_steps *steps; /* stragglers by step, if not NULL */
    bool suspect;
    struct tr_table *t;
    struct tr_buf *text; /* for a cell */
};

/* Add the rows of a table.  The collectives are already matched. */
typedef enum tr_status tr__comm_rows(const struct tr__comm_view *v, struct tr_error *err);

/* The functions of an analysis of collectives; state is a struct tr__comm_state. */
struct tr__comm_state {
    struct tr_analysis_in in;
    void *matching; /* the state of the service */
};
void tr__comm_needs(const void *options, struct tr_needs *n);
enum tr_status tr__comm_start(const struct tr_analysis_in *in, const void *options, void **state,
                              struct tr_error *err);
/* lists_mismatches: this is the table that warnings refer to for details. */
enum tr_status tr__comm_finish(void *state, struct tr_table *t, tr__comm_rows *rows,
                               bool lists_mismatches, struct tr_error *err);

/* The matching that all tables share, and the partial results that it has loaded. */
struct tr__comm_matching {
    struct tr_coll_finder *finder;
    struct tr_colls *colls; /* NULL until rows are needed */
    bool told; /* the warnings about the numbers were given */
    struct tr_buf text; /* of a cell */
    /* For partial results: sources of this dictionary by rank and number, tracks by source and number. */
    struct tr_eventmap sources, tracks;
    int64_t *shifts; /* by source: added to its times, so that they count from the base of the first source */
    size_t cap_shifts;
};

/* The state as a partial result, for all tables of collectives. */
#define TR__COMM_TABLES 3u
extern const struct tr_saved_table tr__comm_saved[TR__COMM_TABLES];
enum tr_status tr__comm_save(void *state, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr__comm_load(void *state, struct tr_partial_in *in, struct tr_error *err);

/* For a table of collectives: it is saved under its own name. */
#define TR__COMM_SAVING(table_name)                                                                      \
    {                                                                                                    \
        .name = (table_name), .version = 5, .whole_ranks = true, .no_steps = true, .tables = tr__comm_saved, \
        .n_tables = TR__COMM_TABLES, .save = tr__comm_save, .load = tr__comm_load                        \
    }

/* If the table leaves out collectives, report how many, and why. */
void tr__comm_tell_left(const struct tr__comm_view *v, const struct tr_comm_left *left);

/* ---- cells ---- */

void tr__comm_text_cell(const struct tr__comm_view *v, uint32_t string);
/* A number; a negative one leaves the cell empty. */
void tr__comm_number_cell(const struct tr__comm_view *v, int64_t number);
void tr__comm_rate_cell(const struct tr__comm_view *v, double bytes_per_s);
void tr__comm_time_cell(const struct tr__comm_view *v, bool known, int64_t ns);
void tr__comm_rank_cell(const struct tr__comm_view *v, bool known, uint32_t party);
/* The start of a member, as in its file. */
void tr__comm_start_cell(const struct tr__comm_view *v, const struct tr_coll_member *m);
void tr__comm_how_cell(const struct tr__comm_view *v, const struct tr_coll *coll);
/* The name of the group; of a group of devices, these. */
void tr__comm_group_cell(const struct tr__comm_view *v, const struct tr_coll *coll);
/* The cells group, seq and name, which identify a collective. */
void tr__comm_identity(const struct tr__comm_view *v, const struct tr_coll *coll);

#endif
