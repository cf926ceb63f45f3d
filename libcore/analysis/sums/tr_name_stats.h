/* SPDX-License-Identifier: MIT */
/*
 * Durations per name: how often spans of each name ran in a group, and for how long.
 *
 * The spans that count are those of tr_group_by: device work by default, or annotations and other spans by their
 * activities.  With by_kind, work of different kinds has separate rows, for example a copy and a kernel with the same
 * name.  With by_class, the class of a span replaces its name; "": it has none.  Spans without a duration are left out,
 * because an absent duration is not 0.  In a group, the largest sum comes first, then by name, then by kind.
 *
 * With by_cover, the name of a span is replaced by that of the shortest device annotation that is open on its stream
 * when it starts (half-open intervals; of equal ones, the last one).  Without such an annotation, the name is empty.
 * Annotations count here whether they are selected or not.  Events must be in canonical order.
 *
 * One pass over events in any order of time.  Rows are those of tr_rows.h; percentiles are exact for up to 2^17
 * distinct durations of a name, unless the run limits them.
 */
#ifndef TR_NAME_STATS_H
#define TR_NAME_STATS_H

#include "engine/tr_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_name_stats_opts {
    struct tr_group_by_opts work;
    bool by_kind;
    bool by_cover;
    bool by_class;
    bool sums_only;  /* no percentiles */
    int64_t shorter; /* ns: events that last less than this; 0: all */
};

struct tr_name_stats_row {
    uint32_t group, name; /* name: string; TR_NO_STR: none */
    uint32_t kind;        /* enum tr_kind; TR_KIND_NONE without by_kind */
    struct tr_sample dur; /* ns */
};
/* All columns that such rows can have, in this order. */
enum {
    TR_NAME_STATS_KIND,
    TR_NAME_STATS_NAME,
    TR_NAME_STATS_COUNT,
    TR_NAME_STATS_SUM,
    TR_NAME_STATS_PCT,
    TR_NAME_STATS_KIND_PCT,
    TR_NAME_STATS_MEAN,
    TR_NAME_STATS_STD,
    TR_NAME_STATS_MIN,
    TR_NAME_STATS_P50,
    TR_NAME_STATS_P99,
    TR_NAME_STATS_MAX,
    TR_NAME_STATS_NAMES,
    TR_NAME_STATS_APPROX,
    TR_N_NAME_STATS
};
extern const struct tr_table_column tr_name_stats_columns[TR_N_NAME_STATS];
extern const struct tr_row_type tr_name_stats_type;

struct tr_name_stats;

/* names is set on TR_OK only.  TR_OK, TR_DAMAGED (not sorted), TR_SYSTEM. */
enum tr_status tr_name_stats_new(const struct tr_name_stats_opts *opts, const struct tr_analysis_in *in,
                                 struct tr_name_stats **names, struct tr_error *err);
void tr_name_stats_free(struct tr_name_stats *a);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_name_stats_feed(struct tr_name_stats *a, const struct tr_batch *b, const uint8_t *keep,
                                  struct tr_error *err);

/* After the last batch, before rows are used. */
enum tr_status tr_name_stats_complete(struct tr_name_stats *a, struct tr_error *err);
struct tr_rows *tr_name_stats_rows(struct tr_name_stats *a);

/* ---- count and sum alone, for rules ---- */

struct tr_name_sum {
    struct tr_group_key key;
    struct tr_str name;
    enum tr_kind kind;
    size_t first; /* in the order of the first events of rows, these numbers increase */
    uint64_t count;
    int64_t sum;   /* ns; TR_TIME_NONE: does not fit */
    int64_t whole; /* sum of the group, ns; likewise */
};

/* All rows, in their order; group by group.  The caller frees *sums; names belong to the dictionary. */
enum tr_status tr_name_sums(struct tr_name_stats *a, struct tr_name_sum **sums, size_t *n, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
