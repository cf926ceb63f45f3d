/* SPDX-License-Identifier: MIT */
/*
 * Time per class in each group: rules applied to the durations per name (tr_name_stats); and statistics over ranks.
 *
 *     tr_name_sums(names, &rows, &n, &err);
 *     tr_class_sums(rules, TR_RULE_DEVICE, rows, n, &sums, &n_sums, &err);
 *     tr_class_across(sums, n_sums, TR_ACROSS_MEDIAN, &typical, &n_typical, &err);
 *
 * Definition: tr-categorize(1), "OUTPUT".
 */
#ifndef TR_CLASS_SUMS_H
#define TR_CLASS_SUMS_H

#include "analysis/sums/tr_name_stats.h"
#include "model/tr_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_class_sum {
    struct tr_group_key key;
    const char *label; /* the class; NULL: none */
    uint64_t count;
    int64_t sum, whole; /* ns; whole: of the group */
};

/*
 * One row for each class of each group, in the order of groups, the largest sum first, then by label; the row without a
 * class is last.  The caller frees *out, which points into the rules.
 * rows: from tr_name_sums, without by_kind.  TR_OK, TR_SYSTEM.
 */
enum tr_status tr_class_sums(struct tr_rules *rules, enum tr_rule_target target, const struct tr_name_sum *rows,
                             size_t n, struct tr_class_sum **out, size_t *n_out, struct tr_error *err);

/* A statistic over ranks.  The second smallest of two values is their mean; of one value, the value. */
enum tr_across {
    TR_ACROSS_SUM,
    TR_ACROSS_MEAN,
    TR_ACROSS_MEDIAN,
    TR_ACROSS_MIN,
    TR_ACROSS_SECOND_MIN,
    TR_ACROSS_MAX,
    TR_ACROSS_SECOND_MAX,
    TR_N_ACROSS
};

struct tr_class_across {
    const char *label; /* NULL: none */
    bool comm;         /* by name: communication without a class */
    double count, sum; /* ns */
    size_t n_ranks;    /* number of ranks that have the class */
};

/*
 * A statistic of each class over the ranks.  A rank without the class counts as 0; with skip_absent, it does not count.
 * The largest comes first.  The caller frees *out.  sums: with ranks as groups.
 */
enum tr_status tr_class_across(const struct tr_class_sum *sums, size_t n, enum tr_across across, bool skip_absent,
                               struct tr_class_across **out, size_t *n_out, struct tr_error *err);

/*
 * The same as in unitrace: the statistic is computed for each name over the ranks that have it, and the names of a
 * class are added up.  Without skip_absent, a rank without the name counts as 0.  Classes are in the order of their
 * first event.  The second smallest and largest of two whole numbers are rounded down.  rows: as above, but with
 * by_kind.
 */
enum tr_status tr_class_across_names(struct tr_rules *rules, enum tr_rule_target target,
                                     const struct tr_name_sum *rows, size_t n, enum tr_across across,
                                     bool skip_absent, struct tr_class_across **out, size_t *n_out,
                                     struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
