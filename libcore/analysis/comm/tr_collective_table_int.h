/* SPDX-License-Identifier: MIT */
/* Declarations that the tables of collectives share.  Internal to libcore. */
#ifndef TR_COLLECTIVE_TABLE_INT_H
#define TR_COLLECTIVE_TABLE_INT_H

#include "analysis/comm/tr_collective_times.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "base/tr_mem.h"
#include "model/tr_eventmap.h"

/* The data from which a table is made. */
struct tr__comm_view {
    const struct tr_analysis_in *in;
    const struct tr_dict *dict;
    const struct tr_colls *c;
    const struct tr_steps *steps; /* stragglers by step, if not NULL */
    bool suspect;
    int64_t gpus_per_node; /* 0: unknown */
    struct tr_table *t;
    struct tr_buf *text; /* for a cell */
};

/* Add the rows of a table.  The collectives are already matched. */
typedef enum tr_status tr__comm_rows(const struct tr__comm_view *v, struct tr_error *err);

/* Their options, of those with columns about nodes. */
extern const struct tr_comm_options tr__comm_defaults;
extern const struct tr_option tr__comm_node_options[];

/* The functions of an analysis of collectives; state is a struct tr__comm_state. */
struct tr__comm_state {
    struct tr_analysis_in in;
    const struct tr_comm_options *options; /* NULL: the defaults */
    void *matching; /* the state of the service */
};
void tr__comm_needs(const void *options, struct tr_needs *n);
enum tr_status tr__comm_start(const struct tr_analysis_in *in, const void *options, void *state,
                              struct tr_error *err);
/* lists_mismatches: this is the table that warnings refer to for details. */
enum tr_status tr__comm_finish(void *state, struct tr_table *t, tr__comm_rows *rows,
                               bool lists_mismatches, struct tr_error *err);

/* The matching that all tables share, and the partial results that it has loaded. */
struct tr__comm_matching {
    struct tr_coll_finder *finder;
    struct tr_colls *colls; /* NULL until rows are needed */
    bool warned; /* the warnings about the numbers were given */
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
#define TR__COMM_SAVING(table_name)                                                                          \
    {                                                                                                        \
        .name = (table_name), .version = 6, .whole_ranks = true, .no_steps = true, .tables = tr__comm_saved, \
        .n_tables = TR__COMM_TABLES, .save = tr__comm_save, .load = tr__comm_load                            \
    }

/* If the table leaves out collectives, report how many, and why. */
void tr__comm_remark_left(const struct tr__comm_view *v, const struct tr_collective_left *left);

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

/* ---- ranks and nodes ---- */

#define TR__COMM_MAX_RANKS ((size_t)1 << 20) /* of a group */

/* Remove the next number of a list such as "[0, 1, 2]".  False: there is none, or "..." stands for it. */
bool tr__comm_list_next(struct tr_str *list, int64_t *number);

/* The ranks of the group of a collective, as far as the trace lists them.  False: out of memory. */
struct tr__comm_list {
    int64_t *v;
    size_t n, cap;
};
bool tr__comm_ranks(const struct tr__comm_view *v, const struct tr_coll *coll, struct tr__comm_list *out);

/* The entry of its header in which a source lists the devices of its node; no text: there is none. */
#define TR__COMM_DEVICES "deviceProperties"
struct tr_str tr__comm_devices(const struct tr_dict *dict, const struct tr_source *source);
/* Devices of a node as the traces say; 0: they do not. */
int64_t tr__comm_gpus_per_node(const struct tr_dict *dict);
/* The number of a rank's node. */
void tr__comm_node_cell(const struct tr__comm_view *v, uint32_t party);
/* "intra" or "inter": are the ranks of a collective, or two ranks, on one node? */
void tr__comm_span_cell(const struct tr__comm_view *v, const struct tr_coll *coll);
void tr__comm_span_text(const struct tr__comm_view *v, int64_t a, int64_t b);

#endif
