/* SPDX-License-Identifier: MIT */
/*
 * Device work and its streams: for each of them its group, its stream, and the end of all earlier work of the
 * stream.
 *
 * Groups are those of the rows (tr_group_by.h).  Streams are always those of a device of a rank, whatever the groups
 * are.  The end of earlier work is the running maximum of the ends of the work that takes part, clipped like this work.
 * So work that overlaps other work, or is inside it, never moves this end back.
 *
 *     tr_queue_ends_batch(s, b, keep, err);
 *     for (size_t i = 0; i < b->n; i++)
 *         if (tr_group_by_counts(&s->groups, i)) {
 *             if (!tr_queue_ends_item(s, i, &item))
 *                 return tr_fail_memory(err);
 *             use(item.work.group, item.work.start, item.before);
 *         }
 *
 * Memory: some 100 bytes per stream, in addition to the groups.  Not shared between threads.
 */
#ifndef TR_QUEUE_ENDS_H
#define TR_QUEUE_ENDS_H

#include "engine/tr_group_by.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_queue_ends {
    struct tr_group_by groups, streams;
    int64_t *ends; /* by stream, of its work so far; TR_TIME_NONE: none yet */
    size_t n_ends, cap_ends;
};

struct tr_queue_ends_item {
    struct tr_group_by_item work; /* its group is one of groups */
    uint32_t stream;          /* a group of streams */
    int64_t before;           /* ns: end of all earlier work of the stream; TR_TIME_NONE: there is none */
};

/* As tr_group_by_init, with opts->per for the groups; call tr_queue_ends_free in any case. */
enum tr_status tr_queue_ends_init(struct tr_queue_ends *s, const struct tr_group_by_opts *opts,
                                  const struct tr_dict *dict, const struct tr_summary *summary, bool sorted,
                                  struct tr_select *select, struct tr_error *err);
void tr_queue_ends_free(struct tr_queue_ends *s);

/* As tr_group_by_batch. */
enum tr_status tr_queue_ends_batch(struct tr_queue_ends *s, const struct tr_batch *b, const uint8_t *keep,
                                   struct tr_error *err);

/*
 * The item of event i, which counts.  Call it once for each event that counts, in their order, because it updates the
 * end of the stream.  False: out of memory.
 */
bool tr_queue_ends_item(struct tr_queue_ends *s, size_t i, struct tr_queue_ends_item *item);

#ifdef __cplusplus
}
#endif
#endif
