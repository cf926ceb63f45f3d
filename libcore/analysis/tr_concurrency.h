/* SPDX-License-Identifier: MIT */
/*
 * Which kinds of device work run at the same time: time per set of classes active at once.
 *
 * The classes are given by name: a kind (compute, comm, memory, other) or a class label as
 * tr-categorize sets it; an event may belong to several.  Per group, each class is the union of its
 * intervals; the times of all sets, the empty one included, add up to the group's span.  Rows come
 * per group in the order of keys, within a group the longest first, then by name; sets that never
 * occur have no row.
 *
 * One pass over events in canonical order; memory per group is 2^classes sums.
 */
#ifndef TR_CONCURRENCY_H
#define TR_CONCURRENCY_H

#include "analysis/tr_partial.h"
#include "analysis/tr_group_by.h"
#include "base/tr_interval.h"
#include "base/tr_mem.h"
#include "model/tr_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_concurrency_opts {
    struct tr_group_by_opts work;
    const char *const *classes; /* copied */
    unsigned n_classes;         /* at most TR_SWEEP_MAX_CLASSES */
    bool add_groups;            /* add the times of all groups up, under a key that tells captures apart alone */
    bool with_none;             /* the empty set is a row and part of the whole */
    struct tr_rules *rules;     /* borrowed: classes are those that these give to names; NULL: those of the stream */
};

struct tr_concurrency_row {
    struct tr_group_key key;
    uint32_t set;       /* bit c: class number c is active */
    const char *name;   /* the names joined by "+", "none" for the empty set */
    int64_t sum, whole; /* ns, TR_TIME_NONE: does not fit; whole: of all rows of the group */
};

struct tr_concurrency;

/* As tr_busy_new; TR_USAGE for too many classes, an empty name or one that comes twice. */
enum tr_status tr_concurrency_new(const struct tr_concurrency_opts *opts, const struct tr_dict *dict,
                                  const struct tr_summary *summary, bool sorted, struct tr_select *select,
                                  struct tr_concurrency **states, struct tr_error *err);
void tr_concurrency_free(struct tr_concurrency *a);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_concurrency_feed(struct tr_concurrency *a, const struct tr_batch *b, const uint8_t *keep,
                                   struct tr_error *err);

/* So far: has any work a class? */
bool tr_concurrency_labelled(const struct tr_concurrency *a);

/* The result, after the last batch; owned by the analysis. */
enum tr_status tr_concurrency_finish(struct tr_concurrency *a, const struct tr_concurrency_row **rows, size_t *n,
                                     struct tr_error *err);

/*
 * Save, after the last batch, and load as table 0 of a partial result: times of sets.  Each set of a group
 * comes once.
 */
extern const struct tr_saved_table tr_concurrency_saved;
enum tr_status tr_concurrency_save(struct tr_concurrency *a, struct tr_partial_out *out, struct tr_error *err);
enum tr_status tr_concurrency_load(struct tr_concurrency *a, struct tr_partial_in *in, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
