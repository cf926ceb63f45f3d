/* SPDX-License-Identifier: MIT */
/*
 * Durations per name: how often spans of each name ran in a group, and for how long.
 *
 * The spans that count are those of tr_group_by: device work by default, or annotations and other spans by their
 * activities.  With by_kind, work of different kinds has separate rows, for example a copy and a kernel with the same
 * name.  With by_class, the class of a span replaces its name; "": it has none.  Spans without a duration are left out,
 * because an absent duration is not 0.  Rows are in the order of group keys; in a group, the largest sum comes first,
 * then by name, then by kind.
 *
 * With by_cover, the name of a span is replaced by that of the shortest device annotation that is open on its stream
 * when it starts (half-open intervals; of equal ones, the last one).  Without such an annotation, the name is empty.
 * Annotations count here whether they are selected or not.  Events must be in canonical order.
 *
 * A limit on the names of a group keeps the largest ones: the fewest names whose sums reach ratio of the whole, and at
 * most top.  One row without a name then has all other names, with the statistics of their single durations.
 *
 * One pass over events in any order of time.  Memory: 150 bytes per group and name, and 200 bytes per row of the
 * result, which go to files together with the names (tr_strtab_new_in); 50 bytes per row of the result to sort it.
 * Without sums_only, each name with different durations also needs 100 bytes, and 16 to 64 bytes per distinct
 * duration, up to TR_NAME_STATS_DISTINCT.  With more distinct durations, percentiles are approximate (tr_hist_new).
 */
#ifndef TR_NAME_STATS_H
#define TR_NAME_STATS_H

#include "base/tr_stats.h"
#include "engine/tr_group_by.h"
#include "engine/tr_partial.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_NAME_STATS_DISTINCT ((size_t)1 << 17)

struct tr_name_stats_opts {
    struct tr_group_by_opts work;
    bool by_kind;
    bool by_cover;
    bool by_class;
    bool sums_only; /* no percentiles */
    int64_t shorter; /* ns: events that last less than this; 0: all */
    uint64_t top; /* 0: no limit */
    size_t distinct; /* distinct durations of a row for exact percentiles; 0: TR_NAME_STATS_DISTINCT */
    double ratio; /* of the sum of the group, above 0; 1 or more: no limit */
};

struct tr_name_stats_row {
    struct tr_group_key key;
    enum tr_kind kind;      /* TR_KIND_NONE without by_kind, and for others of several kinds */
    struct tr_str name;     /* no text: all others */
    uint64_t n_names;       /* number of names that the row sums up */
    size_t first;           /* in the order of the first events of rows, these numbers increase */
    struct tr_stats stats;  /* of durations, ns */
    const struct tr_hist *durations; /* sealed; ns; NULL with sums_only */
    int64_t whole;          /* sum of the group, ns; TR_TIME_NONE: does not fit */
    int64_t kind_whole;     /* the same for its kind only; also TR_TIME_NONE for several kinds */
};

struct tr_name_stats;

/* Parameters as for tr_group_by_init; names is set on TR_OK only. */
enum tr_status tr_name_stats_new(const struct tr_name_stats_opts *opts, const struct tr_dict *dict,
                                 const struct tr_summary *summary, bool sorted, struct tr_select *select,
                                 struct tr_name_stats **names, struct tr_error *err);
void tr_name_stats_free(struct tr_name_stats *a);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_name_stats_feed(struct tr_name_stats *a, const struct tr_batch *b, const uint8_t *keep,
                                  struct tr_error *err);

/* The result, after the last batch.  Owner: the analysis, until it is freed. */
enum tr_status tr_name_stats_finish(struct tr_name_stats *a, const struct tr_name_stats_row **rows, size_t *n,
                                    struct tr_error *err);

/* Call it after some rows of the result have been looked at: they may be in a file. */
void tr_name_stats_touched(const struct tr_name_stats *a);

/* Save, after the last batch, and load as table 0 of a partial result: rows of names before any limit. */
extern const struct tr_saved_table tr_name_stats_saved;
enum tr_status tr_name_stats_save(struct tr_name_stats *a, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr_name_stats_load(struct tr_name_stats *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
