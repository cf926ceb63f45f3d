/* SPDX-License-Identifier: MIT */
/*
 * Durations per name: how often spans of each name ran in a group, and for how long.
 *
 * The spans that count are those of tr_group_by: device work by default, annotations or others by their
 * activities.  With by_kind, work of different kinds has separate rows (a copy and a kernel of one
 * name are two).  With by_class, the class of a span replaces its name, "" if it has none.  Spans
 * without a duration are left out: none is not 0.  Rows are per group in the order of keys; within a
 * group the largest sum first, then by name, then by kind.
 *
 * With by_cover, the name of a span is that of the shortest device annotation that is open on its stream when
 * it starts (half-open intervals; of equal ones the one that comes last); none: the empty name.  Annotations cover
 * whether they are selected or not.  Events have to come in canonical order then.
 *
 * A limit on the names of a group leaves the largest of them: the fewest whose sums reach
 * ratio of the whole, at most top.  One row without a name then stands for all others, with the
 * statistics of their single durations.
 *
 * One pass over events in any order of time; memory: 150 bytes per group and name, which go where the names go
 * (tr_strtab_new_in); 150 bytes more per row of the result; and unless sums are all that is asked for, of names whose
 * durations differ, 100 bytes and 16 to 64 bytes per distinct duration, up to TR_NAME_STATS_DISTINCT; beyond it
 * percentiles are approximate (tr_hist_new).
 */
#ifndef TR_NAME_STATS_H
#define TR_NAME_STATS_H

#include "analysis/tr_partial.h"
#include "analysis/tr_group_by.h"
#include "base/tr_stats.h"

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
    uint64_t top; /* 0: no limit */
    size_t distinct; /* durations of a row until percentiles are approximate; 0: TR_NAME_STATS_DISTINCT */
    double ratio; /* of the sum of the group, above 0; 1 or more: no limit */
};

struct tr_name_stats_row {
    struct tr_group_key key;
    enum tr_kind kind;      /* TR_KIND_NONE without by_kind, and for others of several kinds */
    struct tr_str name;     /* no text: all others */
    uint64_t n_names;       /* number of names that the row sums up */
    size_t first;           /* rows have appeared in the order of these numbers */
    struct tr_stats stats;  /* of durations, ns */
    const struct tr_hist *durations; /* sealed; ns; NULL with sums_only */
    int64_t whole;          /* sum of the group, ns; TR_TIME_NONE: does not fit */
    int64_t kind_whole;     /* the same of its kind alone; TR_TIME_NONE for several kinds, too */
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

/* Save, after the last batch, and load as table 0 of a partial result: rows of names before any limit. */
extern const struct tr_saved_table tr_name_stats_saved;
enum tr_status tr_name_stats_save(struct tr_name_stats *a, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr_name_stats_load(struct tr_name_stats *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
