/* SPDX-License-Identifier: MIT */
/*
 * The time of collectives: waiting for the last rank, transfer of data, and the rank that the others waited for.
 *
 *     for (size_t i = 0; i < c->n; i++)
 *         if (tr_collective_measure(dict, c, i, false, &t))
 *             use(&t);
 *
 * For one collective, over its members with possible times:
 *
 *   spread    last start - first start
 *   transfer  earliest end - last start: the time in which all ranks take part.  Negative: a rank ended
 *             before another one started, which for most collectives means that their clocks differ
 *   dur_min   the shortest duration.  The last rank waits for nobody, so this is close to the
 *             time of the transfer, and does not depend on clocks
 *   algbw     bytes / dur_min, and busbw, algbw times tr_coll_bus_factor of the group's size.  Unknown for calls and
 *             records of the host, and for groups of one rank
 *
 * Spread and transfer compare clocks of different ranks (tr-align(1)).  If some members have a time base and others
 * none, and they were not aligned, then they do not compare: spread, transfer, end_spread and wait are TR_TIME_NONE.
 */
#ifndef TR_COLLECTIVE_TIMES_H
#define TR_COLLECTIVE_TIMES_H

#include "base/tr_stats.h"
#include "model/collectives/tr_collective.h"
#include "model/tr_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_collective_times {
    uint32_t n; /* members with possible times, at least 1 */
    bool compared; /* there are several, and their times compare */
    uint32_t first,
        last; /* indexes of the members that started first and last; of equal starts, the first party */
    /* ns; end_spread: last - first end; TR_TIME_NONE: does not fit */
    int64_t spread, transfer, end_spread, dur_min, dur_max;
    int64_t wait;        /* sum of the times that members waited for the last one, ns, or TR_TIME_NONE */
    int64_t bytes;       /* -1: unknown, or not the same for all */
    double algbw, busbw; /* bytes per second; 0: unknown */
    bool early;          /* transfer is negative, although all ranks wait in this collective */
};

/*
 * Measure one collective.  suspect: take members with impossible times, too.
 * False: no member has usable times; *t is empty then.
 */
bool tr_collective_measure(const struct tr_dict *dict, const struct tr_colls *c, size_t coll,
                           bool suspect, struct tr_collective_times *t);

/*
 * A collective in which all ranks wait ends everywhere within microseconds, however far apart its starts are.
 * If ends are as far apart as starts, the clocks differ.
 */
bool tr_collective_skewed(const struct tr_collective_times *t);

/* Are all members of one file, which has one clock? */
bool tr_collective_of_one_source(const struct tr_colls *c, const struct tr_coll *coll);

/*
 * In which groups do the clocks of ranks differ by more than what is shown of their collectives: in most of those in
 * which all ranks wait, ends are as far apart as starts, or a rank ends before another one starts.  Sets c->differ.
 * False: out of memory.
 */
bool tr_collective_find_differ(const struct tr_dict *dict, struct tr_colls *c, bool suspect);

static inline bool tr_collective_differs(const struct tr_colls *c, const struct tr_coll *coll)
{
    return c->differ && c->differ[coll->group];
}

/* Selected collectives, and those of them that a table leaves out, by the first reason that holds. */
struct tr_collective_left {
    uint64_t chosen;
    uint64_t one_sided; /* not every rank waits for all others */
    uint64_t alone;     /* only one rank has it */
    uint64_t untimed;   /* impossible times, on all ranks or all but one */
    uint64_t no_base;   /* its members have time bases of two kinds */
};

/* Is a collective selected?  It is if one of its members passed the selection. */
bool tr_collective_picked(const struct tr_colls *c, size_t coll);

/* ---- sums over collectives ---- */

enum tr_collective_by { TR_COLLECTIVE_BY_NAME, TR_COLLECTIVE_BY_SIZE, TR_COLLECTIVE_BY_GROUP };

struct tr_collective_stat {
    struct tr_stats stats;
    struct tr_hist *hist;
};

/* One row: a name; a name, type of element and size; or a group. */
struct tr_collective_sum {
    size_t coll;                      /* the first of them, for their common values */
    int64_t bytes;                    /* TR_COLLECTIVE_BY_SIZE; -1: unknown */
    struct tr_collective_stat dur, spread;  /* ns; dur: dur_min; spread: of those with several members */
    struct tr_collective_stat ends;   /* ns; end_spread, of kernels of several members in which all ranks wait */
    struct tr_collective_stat algbw, busbw; /* bytes per second, rounded; of those that have one */
    bool differ;                            /* tr_collective_differs, of one of them */
};

struct tr_collective_sums {
    struct tr_collective_sum *v; /* by sum of durations, largest first, then by first collective */
    size_t n, cap;
    struct tr_collective_left left; /* untimed ones */
};

/* The sums of the selected collectives.  TR_OK or TR_SYSTEM; free *out in either case. */
enum tr_status tr_collective_sum_up(const struct tr_dict *dict, const struct tr_colls *c,
                                    enum tr_collective_by by, bool suspect, struct tr_collective_sums *out,
                                    struct tr_error *err);
void tr_collective_sums_free(struct tr_collective_sums *s);

/* ---- stragglers ---- */

/*
 * A party in the collectives in which all ranks wait, with at least two members: those for which
 * tr_coll_is_sync holds, alltoallv, and those whose type is unknown or sendrecv.
 */
struct tr_collective_lag {
    uint32_t party;
    int64_t step; /* TR_I64_NONE: none, or not asked for */
    uint64_t n;
    uint64_t n_last, n_first; /* if all start at the same time, no party is first or last */
    struct tr_stats lag;      /* ns after the first to start */
    struct tr_stats wait;     /* ns that it waited for the last to start */
    int64_t caused;           /* ns that the others waited for it, where it came last; TR_TIME_NONE: does not fit */
    int64_t dur;              /* ns, sum of its durations; TR_TIME_NONE: does not fit */
    bool differ;              /* tr_collective_differs, of one of them */
};

struct tr_collective_lags {
    struct tr_collective_lag *v; /* by step, then by wait caused, largest first (also what does not fit), then party */
    size_t n, cap;
    struct tr_collective_left left;
};

/*
 * steps: make a row for each step; NULL: all steps together.  The step of a collective is the one in which the first of
 * its parties launched it, of those with a known launch in a step.
 */
enum tr_status tr_collective_lag_of_all(const struct tr_dict *dict, const struct tr_colls *c,
                                        const struct tr_steps *steps, bool suspect,
                                        struct tr_collective_lags *out, struct tr_error *err);
void tr_collective_lags_free(struct tr_collective_lags *l);

/* A text for messages about collectives that end on a rank before another rank starts. */
#define TR_COLLECTIVE_NOT_ALIGNED ": the clocks of the ranks differ, so run tr-align first"
#define TR_COLLECTIVE_ALIGNED     ", although the clocks were aligned: tr-align --report says how well"

#ifdef __cplusplus
}
#endif
#endif
