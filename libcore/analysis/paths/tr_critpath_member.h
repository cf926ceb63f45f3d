/* SPDX-License-Identifier: MIT */
/*
 * The parts of a path by names, so that they are found again in another run.
 *
 *     struct tr_cp_finder *f = tr_cp_finder_new(c);
 *     tr_cp_members(f, group, &members, &n, err)         the parts of a path of this run
 *     tr_cp_find(f, &members[i], &found)                 a part of a path of another run, here
 *     tr_cp_finder_free(f);
 *
 * A moment is the start or the end of an event, or the time when all ranks have come to a collective of which the event
 * is a member.  The event is the one with this name and number: among the events of its name that have nodes, on its
 * rank, in order of time.
 */
#ifndef TR_CRITPATH_MEMBER_H
#define TR_CRITPATH_MEMBER_H

#include "analysis/critpath/tr_critpath.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_cp_moment {
    int64_t rank;       /* TR_I64_NONE: unknown */
    struct tr_str name; /* of the event */
    uint64_t nth;       /* from 0 */
    uint8_t side;       /* enum tr_cp_side */
};

struct tr_cp_member {
    struct tr_cp_moment from, to;
    uint64_t place; /* on its path, from 0 */
    uint8_t edge, bound;
    int64_t weight; /* ns */
};

/* A part of a path, in a run. */
struct tr_cp_found {
    int64_t weight; /* ns; TR_TIME_NONE: one of its moments is not there */
    bool on_path;   /* both moments are on a path of this run */
};

struct tr_cp_finder;

/* c is finished, and kept whole; borrowed.  NULL: out of memory. */
struct tr_cp_finder *tr_cp_finder_new(const struct tr_critpath *c);
void tr_cp_finder_free(struct tr_cp_finder *f);

/* The path of a group, in its order.  The caller frees *members; their names are those of the dictionary. */
enum tr_status tr_cp_members(const struct tr_cp_finder *f, size_t group, struct tr_cp_member **members, size_t *n,
                             struct tr_error *err);
struct tr_cp_found tr_cp_find(const struct tr_cp_finder *f, const struct tr_cp_member *m);

/* A path that was saved: members with names of their own. */
struct tr_cp_saved {
    struct tr_cp_member *v;
    size_t n, cap;
    struct tr_arena *names;
};
struct tr_cp_saved *tr_cp_saved_new(void); /* NULL: out of memory */
void tr_cp_saved_free(struct tr_cp_saved *s);
bool tr_cp_saved_add(struct tr_cp_saved *s, const struct tr_cp_member *m); /* false: out of memory */

const char *tr_cp_side_name(unsigned side); /* "start", "end", "all" */

#ifdef __cplusplus
}
#endif
#endif
