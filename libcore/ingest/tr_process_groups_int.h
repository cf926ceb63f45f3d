/* SPDX-License-Identifier: MIT */
/*
 * The process groups of a file that was merged from the traces of several processes.
 *
 * Numbers of correlation and devices mean something in one process only: in a merged file, each rank has a launch
 * number 1 and a device 0.  The host process of a rank and its devices have different pids, so a rank is a group of
 * processes.  Each group becomes a source of its own, with the records of the file.
 *
 * Groups come from labels, in pids ("[TP00-DP01] 500"), in names of processes ("Rank 3: python") or in their labels.
 * Without labels, host processes that launch work are different groups if two of them use a number of correlation at
 * different times, or launch work of the same device number under different pids.  Processes of devices without a label
 * belong to the group whose launches fit their work.  A pid that several groups share is divided by its work: each
 * launch gets work in the order of time.
 *
 *   tr_process_groups.c  finds the groups
 *   tr_process_match.c   groups of devices, by launches
 *   tr_process_rows.c    moves rows to the sources of their groups
 *
 * Internal to libcore/ingest.
 */
#ifndef TR_PROCESS_GROUPS_INT_H
#define TR_PROCESS_GROUPS_INT_H

#include "ingest/tr_ingest_int.h"
#include "model/tr_rank.h"

#define TR__NO_GROUP UINT32_MAX

struct tr__process {
    uint32_t label;  /* among the labels; TR__NO_GROUP: none */
    uint32_t group;  /* TR__NO_GROUP: not known */
    uint8_t by;      /* what gave the label: the higher, the better */
    bool mixed;      /* it has labels of several groups */
    bool shared;     /* its work is that of several groups */
    uint64_t n_launches, n_work;
    int64_t number;  /* pid as a number, TR_I64_NONE: it is none */
};

struct tr__group {
    struct tr_rank_label label; /* text is empty without one */
    struct tr_source_summary sum;
    int64_t pid; /* of the first host event */
    uint64_t pid_record;
};

struct tr__groups {
    struct tr__group *v; /* in the order of their ranks */
    size_t n;
    struct tr__process *processes;
    size_t n_processes, cap_processes;
    struct tr_strtab *keys; /* of processes */
    uint32_t **of;          /* process, by interner and track */
    size_t n_of;
    uint32_t *order; /* place in canonical order, by group */
};

/* The process of a track. */
static inline struct tr__process *tr__process_of(const struct tr__groups *g, size_t interner, uint32_t track)
{
    return &g->processes[g->of[interner][track]];
}

/* The groups of processes that have none; links of launches and work become those of their group. */
enum tr_status tr__groups_match(struct tr__source_state *l, struct tr__groups *g, struct tr_error *err);

/* Are the processes that launch work those of a merged file, though no label says so?  Then each is a group. */
enum tr_status tr__groups_by_launches(struct tr__source_state *l, struct tr__groups *g, struct tr_error *err);

#endif
