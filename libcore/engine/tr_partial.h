/* SPDX-License-Identifier: MIT */
/*
 * Partial results: the state of an analysis before it makes its rows, as tables of a stream.
 *
 * Several machines can each read some ranks and save the state.  Then one machine loads all saved states, and makes the
 * rows that one run over all ranks would make.
 *
 *     tr_runner_save(r, 0, &tables, &err);         where the events are, instead of tr_runner_finish
 *
 *     tr_runner_start_partials(all, &in, &err);    elsewhere, later
 *     tr_runner_load(all, 0, &tables, &err);       any number of times, in any order
 *     tr_runner_finish(all, &err);
 *
 * An analysis describes its state as tables of typed rows: a C struct for each table, and a list that says which member
 * is which column.  Saving writes rows; loading reads rows and adds each to the state.
 * So a row is complete: its group and keys are values, never numbers of a stream; times are absolute.  What many rows
 * share may be a row of another table, which they name by its number in the same partial result (tr_partial_of_row).
 * Rows with equal keys may come any number of times, from one partial result or from several, and are added
 * up; so loading several results merges them.  A state has only integers and extremes, for which the order does not
 * matter.
 *
 * In a stream the tables of the analysis NAME are
 *
 *     partial.NAME          one row for each partial result: version, per, suspect, distinct, options, selection,
 *                           captures, rows
 *     partial.NAME.ranks    its sources: rank (absent: unknown), capture, times, the base of a window, ranks of the
 *                           job, and a digest of the source
 *     partial.NAME.TABLE    the tables that the analysis describes
 *
 * So the tables of several partial results, one after the other in any order, are the partial result of all of them.
 * Captures (tr_captures.h) are numbered in each; loading numbers those of all, and changes the numbers in groups.
 *
 * Not shared between threads.
 */
#ifndef TR_PARTIAL_H
#define TR_PARTIAL_H

#include "base/tr_stats.h"
#include "engine/tr_group_by.h"
#include "model/calls/tr_stacks.h"
#include "stream/tr_side_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of a member of a row, and its columns. */
enum tr_saved {
    TR_SAVED_GROUP,  /* struct tr_group_key: those of rank, device, stream and step that the grouping uses */
    TR_SAVED_INT,    /* int64_t; TR_I64_NONE is absent */
    TR_SAVED_COUNT,  /* uint64_t */
    TR_SAVED_REAL,   /* double; NaN is absent */
    TR_SAVED_TEXT,   /* struct tr_str; no text is absent */
    TR_SAVED_SUM,    /* struct tr_u128, in halves */
    TR_SAVED_STATS,  /* struct tr_stats: n, min, max, and sum and squares in halves */
    TR_SAVED_VALUES, /* struct tr_hist *, which saving seals: its values and counts as bytes (tr_partial_int.h), and */
                     /* whether it is approximate; NULL is absent */
};

struct tr_saved_column {
    const char *name; /* for several columns, the part before the dot; for a group, none */
    enum tr_saved type;
    size_t offset; /* in the row */
};

struct tr_row_type; /* tr_rows.h */
struct tr_rows;
struct tr_saved_table {
    const char *name;
    const struct tr_saved_column *columns;
    size_t n_columns;
    const struct tr_row_type *rows; /* in place of columns: rows of this type (tr_rows_save, tr_rows_load) */
};

#define TR_SAVED_TABLE(name, columns) { (name), (columns), sizeof(columns) / sizeof *(columns), NULL }
#define TR_SAVED_MAX 64u /* columns of a table that are described */

struct tr_partial_out;
struct tr_partial_in;

/* The state is rows as they are printed, in this order (tr_kept.h). */
enum tr_kept_order { TR_KEPT_NOT, TR_KEPT_BY_RANK, TR_KEPT_BY_TIME };

/* The description of the state of an analysis. */
struct tr_saving {
    const char *name;   /* in names of tables, if several analyses have the same tables; NULL: name of the analysis */
    unsigned version;   /* of the tables and their meaning; other versions are refused */
    bool whole_ranks;   /* events of a rank depend on each other, so a rank must be in only one partial result */
    bool unions;        /* events of a group depend on each other: a group must not have several ranks (TR_PER_ALL) */
    bool all_captures;  /* rows are of all captures of a rank, and sums of theirs */
    bool of_service;    /* the state is that of a service: of the analyses of a page with these tables, one has it */
    bool no_steps;      /* groups by step (TR_PER_STEP) are refused, because they combine steps of several ranks */
    enum tr_kept_order kept; /* if set, there are no tables and functions */
    const char *(*refuses)(const void *options); /* the reason why not with them, one clause; NULL: none */
    bool stream_times;       /* the column ts of kept rows has times of the stream, not of files */
    const struct tr_saved_table *tables;
    size_t n_tables;
    /* Of rows (tr_rows.h) that are saved and loaded without functions: unless they are those that are printed. */
    struct tr_rows *(*rows)(void *state);
    /* Write all rows.  All batches have been fed or loaded before, and services have finished. */
    enum tr_status (*save)(void *state, struct tr_partial_out *out, struct tr_error *err);
    /* Read all rows of all tables, and add them.  The state was started with a dictionary without events. */
    enum tr_status (*load)(void *state, struct tr_partial_in *in, struct tr_error *err);
    /*
     * Of traces beside partial results: events is the state that has read them.  It was saved, and state has loaded
     * that among the others.  What is not in the saved form may be taken from it, before it is freed.
     */
    void (*beside)(void *state, void *events);
    const struct tr_saving *all; /* in place of this for a group over all ranks (TR_PER_ALL); NULL: this */
};

/*
 * Of analyses whose rows each belong to one rank and come from its events alone.  The second and third: of listings, by
 * time; with times of the stream.
 */
extern const struct tr_saving tr_saving_ranks, tr_saving_times, tr_saving_stream_times;

/* ---- for analyses ---- */

/* Write a row to table number i of the description.  A failure is kept, and reported by tr_partial_out_end. */
void tr_partial_put(struct tr_partial_out *out, size_t i, const void *row);

/*
 * Read the next row of table number i.  All members are set.  Texts belong to the table; values are valid until the
 * next call.  False: there are no more rows, or there was a failure, which tr_partial_status returns.
 */
bool tr_partial_get(struct tr_partial_in *in, size_t i, void *row);

/* The number of the partial result that the last row is of, from 0, in the order of rows. */
size_t tr_partial_of_row(const struct tr_partial_in *in);

/* TR_OK; TR_DAMAGED: a row is malformed; TR_SYSTEM. */
enum tr_status tr_partial_status(const struct tr_partial_in *in, struct tr_error *err);

/* Rows have impossible values, such as "more idle than span": tr_partial_status returns this as a failure. */
void tr_partial_wrong(struct tr_partial_in *in, const char *what);

/* The number of a text in the dictionary of the state; TR_NO_STR for no text.  If memory runs out, tr_partial_status
 * returns the failure. */
uint32_t tr_partial_string(struct tr_partial_in *in, struct tr_str text);

/* The dictionary of the state.  Rows may be added to it. */
struct tr_dict *tr_partial_dict(struct tr_partial_in *in);

/* The capture of a rank, from its number in the partial result that the last row is of. */
int64_t tr_partial_capture(const struct tr_partial_in *in, int64_t rank, int64_t number);

/* The number of a group.  False: out of memory, as above. */
bool tr_partial_group(struct tr_partial_in *in, struct tr_group_by *w, const struct tr_group_key *key, uint32_t *group);

/* Add; counts must stay within 63 bits.  False: a failure, which tr_partial_status returns. */
bool tr_partial_add_count(struct tr_partial_in *in, uint64_t *to, uint64_t from);
bool tr_partial_add_stats(struct tr_partial_in *in, struct tr_stats *to, const struct tr_stats *from);
bool tr_partial_add_values(struct tr_partial_in *in, struct tr_hist *to, const struct tr_hist *from);

/* A list of texts as one text: for each, LENGTH:BYTES, or - for no text.  Add a text.  False: out of memory. */
bool tr_partial_list_add(struct tr_buf *list, struct tr_str text);
/* Remove the first text from a list.  False: there is none; if the list is not empty, it is malformed. */
bool tr_partial_list_take(struct tr_str *list, struct tr_str *text);
/* Set list to the names of a stack; and the stack of such a list, TR_STACK_NONE where it is malformed.  False: out of
 * memory. */
bool tr_partial_list_stack(const struct tr_stacks *s, const struct tr_dict *dict, uint32_t stack, struct tr_buf *list);
bool tr_partial_stack(struct tr_partial_in *in, struct tr_stacks *s, struct tr_str list, uint32_t *stack);

/* ---- for programs ---- */

/* Values of rows that are kept for percentiles, unless the user says otherwise. */
#define TR_PARTIAL_DISTINCT 1024u

/* The options of partial results that a program takes over unless it is given others. */
struct tr_partial_about {
    uint64_t version;        /* struct tr_saving */
    uint64_t distinct;       /* struct tr_analysis_in */
    struct tr_str selection, options, per; /* belong to the tables */
    bool suspect;
};
/* How the names of their tables begin. */
#define TR_PARTIAL_TABLES "partial."
/* The view that a table is of, such as "time" of "partial.time.rows".  No text: of no partial result. */
struct tr_str tr_partial_view(const struct tr_side_table *t);
/* Are there partial results in a list of tables, of any analysis? */
bool tr_partial_any(const struct tr_side_tables *tables);
/*
 * All partial results in a list of tables are of one view, such as "time"; or those of other views have no rank that it
 * lacks, so that nothing is lost if only the view is loaded.  view NULL: there are none at all.  TR_DAMAGED: what there
 * is.
 */
enum tr_status tr_partial_only(const struct tr_side_tables *tables, const char *view, struct tr_error *err);
/* Are there tables of another view? */
bool tr_partial_others(const struct tr_side_tables *tables, const char *view);
/* What the first partial result of an analysis says.  False: there is none. */
bool tr_partial_describe(const struct tr_side_tables *tables, const struct tr_saving *saving, const char *analysis,
                         struct tr_partial_about *about);

/* ---- for the runner ---- */

/* The options of a partial result: it can only be loaded with the same options. */
struct tr_partial_head {
    const char *name; /* of the analysis */
    const struct tr_saving *saving;
    enum tr_per per;
    bool suspect;
    size_t distinct;       /* struct tr_analysis_in */
    bool captures;         /* saving: a rank has several, so tables show them */
    struct tr_str options; /* the text from say */
    struct tr_str selection;
};

/* Start saving.  NULL: out of memory. */
struct tr_partial_out *tr_partial_out_new(const struct tr_partial_head *head);
void tr_partial_out_free(struct tr_partial_out *out);
/* A source of events. */
struct tr_partial_source {
    int64_t rank;        /* -1: unknown */
    int64_t window_base; /* of the times of a window, ns since 1970; TR_TIME_NONE: there is no window */
    uint64_t capture;    /* its number in the partial result */
    struct tr_str host, job; /* of the tables */
    int64_t first, last; /* times of all its events, ns since 1970; TR_TIME_NONE: unknown */
    int64_t events;      /* their number; TR_I64_NONE: some may be in another stream */
    uint64_t world_size; /* ranks of its job; 0: unknown */
    uint64_t digest;     /* tr_summary_digest; 0: unknown */
};
void tr_partial_put_source(struct tr_partial_out *out, const struct tr_partial_source *source);
/* Add all tables to a list.  TR_OK or TR_SYSTEM. */
enum tr_status tr_partial_out_end(struct tr_partial_out *out, struct tr_side_tables *tables, struct tr_error *err);

/*
 * Start loading the partial result of an analysis from a list of tables.  TR_DAMAGED: there is none, it is malformed,
 * or it was made with other options.  tables and dict are borrowed until the end.
 */
enum tr_status tr_partial_in_new(const struct tr_partial_head *head, const struct tr_side_tables *tables,
                                 struct tr_dict *dict, struct tr_partial_in **out, struct tr_error *err);
void tr_partial_in_free(struct tr_partial_in *in);
/* Does a rank have several captures in one of them? */
bool tr_partial_captures(const struct tr_partial_in *in);
/* The next source, and the number of its partial result.  False: there are no more, or there was a failure. */
bool tr_partial_get_source(struct tr_partial_in *in, struct tr_partial_source *source, size_t *partial);

/* How captures are numbered: those of a rank in a partial result.  Call it after all sources, before other rows.  v:
 * sorted by rank, borrowed until the end. */
struct tr_partial_capture {
    size_t partial;
    int64_t rank, from, to;
};
void tr_partial_renumber(struct tr_partial_in *in, const struct tr_partial_capture *v, size_t n);
/* All rows have been read: check that there were as many as were saved.  Returns the same as tr_partial_status. */
enum tr_status tr_partial_in_end(struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
