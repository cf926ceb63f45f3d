/* SPDX-License-Identifier: MIT */
/*
 * Kinds of device work that run at the same time: the time of each set of classes.
 *
 * The caller names the classes: a kind (compute, comm, memory, other), or a class label of tr-categorize.  An event may
 * belong to several.  In each group, a class is the union of its intervals.  The times of all sets, with the empty one,
 * add up to the group's span.  Rows are ordered by group, then the longest first, then by name.  A set that never
 * occurs has no row.
 *
 * One pass over events in canonical order; memory per group is 2^classes sums.
 */
#ifndef TR_CONCURRENCY_H
#define TR_CONCURRENCY_H

#include "base/tr_interval.h"
#include "base/tr_mem.h"
#include "engine/tr_group_by.h"
#include "engine/tr_partial.h"
#include "model/tr_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_concurrency_opts {
    struct tr_group_by_opts work;
    const char *const *classes; /* copied */
    unsigned n_classes;         /* at most TR_SWEEP_MAX_CLASSES */
    bool add_groups;            /* add up the times of all groups; only captures have separate rows */
    bool with_none;             /* the empty set has a row and is part of the whole */
    struct tr_rules *rules;     /* borrowed: these rules give the classes; NULL: classes of the stream */
};

struct tr_concurrency_row {
    struct tr_group_key key;
    uint32_t set;       /* bit c: class number c is active */
    const char *name;   /* the names joined by "+", "none" for the empty set */
    int64_t sum, whole; /* ns, TR_TIME_NONE: does not fit; whole: of all rows of the group */
};

struct tr_concurrency;

/* As tr_busy_new; TR_USAGE: too many classes, an empty name, or the same name twice. */
enum tr_status tr_concurrency_new(const struct tr_concurrency_opts *opts, const struct tr_dict *dict,
                                  const struct tr_summary *summary, bool sorted, struct tr_select *select,
                                  struct tr_concurrency **states, struct tr_error *err);
void tr_concurrency_free(struct tr_concurrency *a);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_concurrency_feed(struct tr_concurrency *a, const struct tr_batch *b, const uint8_t *keep,
                                   struct tr_error *err);

/* Does any work so far have a class? */
bool tr_concurrency_labelled(const struct tr_concurrency *a);

/* The result, after the last batch; owned by the analysis. */
enum tr_status tr_concurrency_finish(struct tr_concurrency *a, const struct tr_concurrency_row **rows, size_t *n,
                                     struct tr_error *err);

/*
 * Save, after the last batch, and load as table 0 of a partial result: the times of sets.  Each set of a group must
 * occur only once.
 */
extern const struct tr_saved_table tr_concurrency_saved;
enum tr_status tr_concurrency_save(struct tr_concurrency *a, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr_concurrency_load(struct tr_concurrency *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
