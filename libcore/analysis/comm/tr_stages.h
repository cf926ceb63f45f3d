/* SPDX-License-Identifier: MIT */
/*
 * Stages: the parts of each step, in the same order on all ranks, each by the clock of its own rank.
 *
 *     tr_stages_new(in, &s, err)
 *     for each batch: tr_stages_feed(s, finder, b, err)
 *     tr_stages_finish(s, colls, err)
 *     for (k = 0; k < s->n_jobs; k++)   ... a step of all ranks: s->jobs[k]
 *     tr_stages_free(s);
 *
 * Marks divide a step: the annotations of its thread that are inside of no other one, as far as all ranks have them
 * equally often and in one order.  If there are none, the collectives in which all ranks of the step take part and
 * wait.  n marks make 2 n + 1 stages: each mark, the time before each, and the time after the last one.
 *
 * The end of a stage, as that of a step (tr_step_ends.h):
 *
 *   annotations  its end on the host, or of the compute and communication that was launched in it, or of the stage
 *                before: the latest of them
 *   collectives  the start or the end of the collective on its stream
 *   the last     the end of the step
 *
 * Collectives in which all ranks wait also cut the stage of annotations in which all ranks launch them, where they
 * start and where they end, because who comes late shows where they start.
 *
 * So stages of a rank add up to its step.  Times of two ranks are never compared, only durations.
 *
 * Memory: about 150 bytes for each annotation that can be a mark, each step and each kernel of a collective; the work
 * between them is added up while it is read.
 */
#ifndef TR_STAGES_H
#define TR_STAGES_H

#include "analysis/time/tr_step_ends.h"
#include "engine/tr_analysis.h"
#include "model/collectives/tr_collective.h"
#include "model/tr_eventmap.h"
#include "model/tr_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a moment counts for: device work of the first of these kinds, or why there is none. */
enum tr_stage_cause {
    TR_STAGE_COMPUTE,
    TR_STAGE_COMM,
    TR_STAGE_MEMORY,
    TR_STAGE_OTHER,
    TR_STAGE_HOST, /* the host had not yet launched the next work */
    TR_STAGE_IDLE, /* it had, or its launch is not known */
    TR_N_STAGE_CAUSES
};

/* An annotation on the host, or a collective on a device. */
struct tr_stage_mark {
    int64_t start, end;
    uint32_t name; /* of an annotation */
    size_t coll;   /* SIZE_MAX: an annotation */
    size_t stage;  /* that a collective cuts */
};

/* A step of a source. */
struct tr_stage_step {
    struct tr_step_span span;
    int64_t capture, rank; /* rank: INT64_MAX: not known */
    size_t job;
    struct tr_stage_mark *marks;
    size_t n_marks, cap_marks;
    int64_t *reach; /* by stage of its own annotations: the latest end of work launched in it, or TR_TIME_NONE */
    struct tr_stage_mark *cuts; /* collectives inside of its stages */
    size_t n_cuts, cap_cuts;
    int64_t *ends; /* of the parts into which stages are cut */
};

/* A step of all ranks: n of the steps from the first one, by rank. */
struct tr_stage_job {
    size_t first, n;
    size_t n_marks, n_parts; /* of each of them */
    size_t *stages;          /* by part */
};

struct tr_stages {
    const struct tr_analysis_in *in;
    struct tr_summary *summary;
    struct tr_steps *of;
    struct tr_step_ends *ends;
    struct tr_stage_source *sources; /* by number */
    size_t n_sources, cap_sources;
    struct tr_stage_step *steps; /* by capture, number and rank */
    size_t n_steps, cap_steps;
    struct tr_eventmap step_of; /* by source and place in the summary: a step */
    struct tr_stage_job *jobs;
    size_t n_jobs;
    bool read;   /* all events have been read */
    bool loaded; /* it is made of partial results, with the launches of members by source and record: */
    struct tr_stage_launch *launches;
    size_t n_launches, cap_launches;
    struct tr_eventmap launch_of;
    int64_t *launch_ts, *launch_dur, *launch_track; /* of a batch */
    size_t cap_launch_ts, cap_launch_dur, cap_launch_track;
};

/* What it needs of a stream. */
#define TR_STAGES_DERIVED (TR_STEPS_DERIVED | 1u << TR_COL_LAUNCH_DUR)

/* in stays valid.  *out is to be freed in any case. */
enum tr_status tr_stages_new(const struct tr_analysis_in *in, struct tr_stages **out, struct tr_error *err);
void tr_stages_free(struct tr_stages *s);
/* The finder has had the batch. */
enum tr_status tr_stages_feed(struct tr_stages *s, const struct tr_coll_finder *finder, const struct tr_batch *b,
                              struct tr_error *err);
enum tr_status tr_stages_finish(struct tr_stages *s, const struct tr_colls *colls, struct tr_error *err);

/* After finish: the step in which a member was launched; SIZE_MAX: none, or its times are impossible. */
size_t tr_stages_step(const struct tr_stages *s, const struct tr_colls *c, const struct tr_coll_member *m);

/* After finish: what a stretch of time of a source counts for, in ns; the parts add up to it. */
void tr_stages_account(const struct tr_stages *s, uint32_t source, int64_t from, int64_t to,
                       int64_t of[TR_N_STAGE_CAUSES]);

#ifdef __cplusplus
}
#endif
#endif
