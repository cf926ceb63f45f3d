/* SPDX-License-Identifier: MIT */
/*
 * Which sequences of device work host spans launch, how often, and how long that takes.
 *
 * A call is a host span of a chosen kind; it owns what was launched inside it on its thread.  Of
 * several around a launch the innermost or the outermost owns the work (so that no work has two
 * owners).  The names of a call's work, in order, make its sequence; calls with the same name and
 * the same sequence make a row.
 *
 *   order            by start of the launch, work of one launch by its own start; or all by its own start
 *   to launch        from the start of the call to the start of its first launch
 *   launch to start  from there to the start of the first work of that launch; below 0 if clocks differ
 *
 * Only selected events take part, and impossible ones are left out: a call that is not selected owns
 * nothing, and work whose launch is not selected belongs to nobody.  Spans nest as in
 * model/tr_call_path.h.
 *
 * Rows come per group in the order of keys; the group is that of the first work of a call.  Within a
 * group the most frequent come first, then by name and sequence.
 *
 * One pass over events in canonical order.  Memory: 100 bytes per call and 50 per launch and per
 * piece of work, from the call's start to the arrival of all its work; 300 per distinct sequence and
 * 4 for each name in it; with occurrences 40 for each.
 */
#ifndef TR_SEQUENCES_H
#define TR_SEQUENCES_H

#include "analysis/tr_partial.h"
#include "analysis/tr_group_by.h"
#include "base/tr_stats.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_sequences_opts {
    struct tr_group_by_opts work; /* groups, and what counts as work */
    uint32_t callers;         /* activities of calls, by TR_ACTIVITY_BIT; 0: any host span */
    bool (*match)(void *self, struct tr_str name); /* names of calls; NULL: all */
    void *match_self;
    bool outermost;      /* else innermost */
    bool by_start;       /* order of work; else by launch */
    uint64_t min_length; /* shorter sequences are left out; calls without work always are */
    bool occurrences;    /* keep a list of the calls */
};

struct tr_sequences_row {
    struct tr_group_key key;
    struct tr_str name;   /* of the calls */
    const uint32_t *work; /* string numbers of the names of work, in order */
    size_t n_work;
    uint64_t count;               /* calls */
    struct tr_stats to_launch; /* ns */
    struct tr_stats launch_to_start;
    struct tr_stats work_dur; /* sums of the work of single calls */
    struct tr_stats call_dur; /* spans without an end count as 0 */
};

/* A call that makes part of a row. */
struct tr_occurrence {
    uint64_t record;
    int64_t ts, dur; /* ns; dur INT64_MAX: it never ends */
    uint32_t track;
    uint32_t row;
};

struct tr_sequences;

/* Parameters as for tr_group_by_init; a is set on TR_OK only. */
enum tr_status tr_sequences_new(const struct tr_sequences_opts *opts, const struct tr_dict *dict,
                                const struct tr_summary *summary, bool sorted,
                                struct tr_select *select, struct tr_sequences **a,
                                struct tr_error *err);
void tr_sequences_free(struct tr_sequences *a);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_sequences_feed(struct tr_sequences *a, const struct tr_batch *b,
                                 const uint8_t *keep, struct tr_error *err);

/* The result, after the last batch.  Owner: the analysis, until it is freed. */
enum tr_status tr_sequences_finish(struct tr_sequences *a, const struct tr_sequences_row **rows,
                                   size_t *n, struct tr_error *err);

/* After that: the calls in the rows, in canonical order. */
const struct tr_occurrence *tr_sequences_occurrences(const struct tr_sequences *a, size_t *n);

/* Work so far that counted, and how much of it no call owns. */
void tr_sequences_coverage(const struct tr_sequences *a, uint64_t *work, uint64_t *unowned);

/*
 * Save, after the last batch, and load as tables 0 and 1 of a partial result: sequences, and how much work there
 * was.  Occurrences are not kept.
 */
#define TR_SEQUENCES_TABLES 2u
extern const struct tr_saved_table tr_sequences_saved[TR_SEQUENCES_TABLES];
enum tr_status tr_sequences_save(struct tr_sequences *a, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr_sequences_load(struct tr_sequences *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
