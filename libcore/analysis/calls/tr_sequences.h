/* SPDX-License-Identifier: MIT */
/*
 * Sequences of device work that host spans launch: which ones, how often, and how long they take.
 *
 * A call is a host span of a chosen kind.  It owns the work that was launched inside it on its thread.  If several
 * calls are around a launch, only the innermost, or only the outermost, owns the work.  So no work has two owners.  The
 * names of a call's work, in order, are its sequence.  Calls with the same name and the same sequence are one row.
 *
 *   order            by start of the launch, and work of one launch by its own start; or all work by its own start
 *   to launch        from the start of the call to the start of its first launch
 *   launch to start  from there to the start of the first work of that launch; negative if clocks differ
 *
 * Only selected events with possible times take part.  A call that is not selected owns no work, and work whose launch
 * is not selected has no owner.  Spans nest as in model/calls/tr_call_path.h.
 *
 * Rows are in the order of group keys.  The group of a call is that of its first work.  In a group, the most frequent
 * sequence comes first, then by name and sequence.
 *
 * One pass over events in canonical order.  Memory: 100 bytes per call, and 50 per launch and per event of device work,
 * from the start of the call until all its work has come; 350 per distinct sequence, and 60 for each name in it
 * that others do not start with; with occurrences, 40 for each.
 */
#ifndef TR_SEQUENCES_H
#define TR_SEQUENCES_H

#include "engine/tr_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_sequences_opts {
    struct tr_group_by_opts work; /* groups, and the events that count as work */
    uint32_t callers;         /* activities of calls, by TR_ACTIVITY_BIT; 0: any host span */
    bool (*match)(void *self, struct tr_str name); /* names of calls; NULL: all */
    void *match_self;
    bool outermost;      /* the outermost call owns the work; otherwise, the innermost */
    bool by_start;       /* order of work by its start; otherwise, by launch */
    uint64_t min_length; /* shorter sequences are left out; calls without work are always left out */
    bool occurrences;    /* keep a list of the calls */
};

/* All calls with one name and one sequence. */
struct tr_sequences_row {
    uint32_t group, name;
    uint32_t work; /* names of work, in order: a stack, the first one outermost */
    uint64_t count;           /* calls */
    uint64_t n_work, kernels; /* names, and those of all calls; known when complete */
    struct tr_stats to_launch, launch_to_start; /* ns */
    struct tr_stats work_dur; /* for each call, the sum of the durations of its work */
    struct tr_stats call_dur; /* spans without an end count as 0 */
};
extern const struct tr_row_type tr_sequences_type;

/* The columns of rows: those of sequences, then those of patterns, which have name and sequence in one text. */
#define TR_SEQUENCE_COLUMNS 8u
#define TR_PATTERN_COLUMNS 5u
extern const struct tr_table_column tr_sequences_columns[TR_SEQUENCE_COLUMNS + TR_PATTERN_COLUMNS];

/* A call of a row. */
struct tr_occurrence {
    uint64_t record;
    int64_t ts, dur; /* ns; dur INT64_MAX: it never ends */
    uint32_t track;
    uint32_t row;
};

struct tr_sequences;

/* a is set on TR_OK only. */
enum tr_status tr_sequences_new(const struct tr_sequences_opts *opts, const struct tr_analysis_in *in,
                                struct tr_sequences **a, struct tr_error *err);
void tr_sequences_free(struct tr_sequences *a);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_sequences_feed(struct tr_sequences *a, const struct tr_batch *b,
                                 const uint8_t *keep, struct tr_error *err);

/* After the last batch: count the calls that are still open. */
enum tr_status tr_sequences_complete(struct tr_sequences *a, struct tr_error *err);
struct tr_rows *tr_sequences_rows(const struct tr_sequences *a);
/* The names of work of a row, n_work numbers of strings. */
void tr_sequences_names(const struct tr_sequences *a, const struct tr_sequences_row *row, uint32_t *names);

/* After that, once: the calls in canonical order; their rows are places in the order (tr_rows_order).  NULL: out of
 * memory. */
const struct tr_occurrence *tr_sequences_occurrences(struct tr_sequences *a, const uint32_t *order, size_t *n);

/* The number of events of device work that counted so far, and how many of them no call owns. */
void tr_sequences_coverage(const struct tr_sequences *a, uint64_t *work, uint64_t *unowned);

/*
 * Save, after the last batch, and load as tables 0 and 1 of a partial result: sequences, and the amount of work.
 * Occurrences are not saved.
 */
#define TR_SEQUENCES_TABLES 2u
extern const struct tr_saved_table tr_sequences_saved[TR_SEQUENCES_TABLES];
enum tr_status tr_sequences_save(struct tr_sequences *a, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr_sequences_load(struct tr_sequences *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
