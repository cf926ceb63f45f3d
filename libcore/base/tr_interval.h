/* SPDX-License-Identifier: MIT */
/*
 * Interval arithmetic over a stream: lengths of unions, and time per set of classes active at once.
 *
 * Intervals are half-open, [start, end), in ns, and ordered by start.  Only open intervals are kept, so memory does not
 * grow with the number of intervals.  Intervals that touch merge.  An end before the start counts as an empty interval.
 * Sums are unsigned 64-bit, so a union longer than INT64_MAX is exact, too.
 *
 *     struct tr_union busy = TR_UNION_INIT;
 *     while (next(&start, &end))
 *         tr_union_add(&busy, start, end);
 *     printf("%" PRIu64 "\n", busy.sum_ns);
 *
 * Not shared between threads while it is fed.
 */
#ifndef TR_INTERVAL_H
#define TR_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Length of the union of all intervals so far, and the largest end among them. */
struct tr_union {
    uint64_t sum_ns;
    int64_t end_ns; /* INT64_MIN: none yet */
};
#define TR_UNION_INIT \
    {                 \
        0, INT64_MIN  \
    }

/* Add an interval whose start is not before that of any interval added earlier. */
static inline void tr_union_add(struct tr_union *u, int64_t start_ns, int64_t end_ns)
{
    int64_t from = start_ns > u->end_ns ? start_ns : u->end_ns;
    uint64_t fresh = (uint64_t)end_ns - (uint64_t)from;
    u->sum_ns += end_ns > from ? fresh : 0;
    u->end_ns = end_ns > u->end_ns ? end_ns : u->end_ns;
}

/*
 * A sweep over intervals that belong to classes: how long each set of classes was active at once.
 *
 * A set is a bit mask over at most TR_SWEEP_MAX_CLASSES classes.  The times of all sets, also the empty one, add up to
 * the time from the first start to the last end.  Because starts are ordered, only the largest end of each class has to
 * be kept.
 */
#define TR_SWEEP_MAX_CLASSES 16u

struct tr_sweep {
    unsigned n_classes;
    uint32_t active; /* classes open at time now */
    bool started;
    int64_t now_ns;  /* all time before this is counted */
    int64_t last_ns; /* largest end of any interval, also of those without a class */
    int64_t end_ns[TR_SWEEP_MAX_CLASSES];
    uint64_t *sum_ns; /* 2^n_classes entries, by set; valid after tr_sweep_finish; owned */
};

/* False: out of memory, or more than TR_SWEEP_MAX_CLASSES. */
bool tr_sweep_init(struct tr_sweep *s, unsigned n_classes);
void tr_sweep_free(struct tr_sweep *s);

/*
 * Add an interval that belongs to all classes of a set.  An interval with the empty set only extends the whole time.
 * Its start is not before that of any interval added earlier.
 */
void tr_sweep_add(struct tr_sweep *s, int64_t start_ns, int64_t end_ns, uint32_t classes);

/* Count the classes that are still open up to their ends.  Nothing may be added afterwards. */
void tr_sweep_finish(struct tr_sweep *s);

#ifdef __cplusplus
}
#endif
#endif
