/* SPDX-License-Identifier: MIT */
/*
 * The device work that each step launched, and how long the step took with it.
 *
 *     st = tr_step_work_shared(in, &w, &err);          in start
 *     for (size_t i = 0; i < w->n; i++)                in complete: by rank, then by start
 *         ... w->rows[i]
 *
 * Analyses of one run share it, and the run owns it.  Selections choose work; steps are chosen at the end.
 *
 * When a step starts and ends with its work: tr_step_ends.h.
 */
#ifndef TR_STEP_WORK_H
#define TR_STEP_WORK_H

#include "analysis/time/tr_step_ends.h"
#include "base/tr_interval.h"
#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_step_row {
    struct tr_group_key key; /* rank and capture */
    uint32_t source;
    const struct tr_step *at;
    uint64_t pieces;      /* of work */
    struct tr_union busy; /* of this work */
    int64_t start, end;   /* of the step, with its work */
    int64_t between;      /* from the end of the step before */
    bool usable;          /* its times fit */
};

struct tr_step_work {
    struct tr_analysis_in in;
    struct tr_group_by work;
    const struct tr_summary *summary; /* of the ends */
    struct tr_steps *steps;
    struct tr_step_ends *ends; /* owner: the run */
    size_t *first; /* by source: the first of its steps */
    struct tr_step_row *all;
    size_t n_all;
    struct tr_step_row *rows; /* those that are selected, in order, at the end */
    size_t n;
    struct tr_step_columns launched; /* of this batch */
};

/* What it needs of a stream. */
void tr_step_work_needs(const void *options, struct tr_needs *n);

/* The one of the run.  TR_OK, TR_DAMAGED (not sorted), or TR_SYSTEM. */
enum tr_status tr_step_work_shared(const struct tr_analysis_in *in, struct tr_step_work **work, struct tr_error *err);

/* From the start of a step to its end; 0 or more. */
static inline int64_t tr_step_row_time(const struct tr_step_row *r)
{
    return r->end - r->start;
}

/* A number of a step; -1: not known. */
static inline int64_t tr_step_number(const struct tr_step *s, unsigned number)
{
    return s->about.known >> number & 1 ? s->about.of[number] : -1;
}

#ifdef __cplusplus
}
#endif
#endif
