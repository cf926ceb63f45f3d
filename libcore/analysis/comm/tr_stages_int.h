/* SPDX-License-Identifier: MIT */
/* Stages: what is known of each source, inside of this room. */
#ifndef TR_STAGES_INT_H
#define TR_STAGES_INT_H

#include "analysis/comm/tr_stages.h"

/* A stretch of time up to `end`, from the end of the one before. */
struct tr_stretch {
    int64_t end;
    uint8_t cause; /* enum tr_stage_cause */
};

/* The annotations of a step, by start; n of them divide it into 2 n + 1 stages. */
struct tr_stage_marks {
    struct tr_stage_mark *v;
    size_t n, cap;
    int64_t *reach; /* by stage: the latest end of work launched in it; TR_TIME_NONE: none */
    size_t n_reach, cap_reach;
};

struct tr_stage_source {
    struct tr_stretch *stretches;
    size_t n_stretches, cap_stretches, limit; /* limit: merge them when there are so many */
    int64_t now, ends[TR_STAGE_HOST];         /* stretches are known up to now; ends of work that has started */
    int64_t *moments;                         /* starts and ends of members of collectives and of messages */
    size_t n_moments, cap_moments;
    struct tr_stage_marks *marks; /* by place of the step in the summary */
    size_t n_places;
};

/* When a member of a collective was launched, of a partial result. */
struct tr_stage_launch {
    int64_t ts;
    uint64_t place; /* of its step */
};

/* Room for what is known of each source.  False: out of memory; so for all below. */
bool tr__stages_know_sources(struct tr_stages *s);

/* A bound between stages by marks: bound 0 is the start of the first mark, bound 1 its end. */
int64_t tr__stage_bound(const struct tr_stage_mark *marks, size_t i);
/* The stage in which a time of the host is. */
size_t tr__stage_at(const struct tr_stage_mark *marks, size_t n, int64_t ts);

/* Cut the stretches of a source at these moments, which are sorted, and merge those between them. */
bool tr__stages_cut(struct tr_stages *s, uint32_t source, int64_t *moments, size_t n_moments);
/* All moments of a source at which, as far as is known, a stage or a message can start or end; not in order. */
bool tr__stages_moments(const struct tr_stages *s, uint32_t source, int64_t **times, size_t *n, size_t *cap);

/* After the last batch: the steps, with their marks, by job. */
bool tr__stages_end_reading(struct tr_stages *s);

/* When a member was launched, by the clock of its rank, and the place of the step of that moment. */
struct tr_stage_launch tr__stages_launch(const struct tr_stages *s, bool host, const struct tr_coll_member *m);

/* As partial results: tables after those of the matching (TR__COMM_OWN_TABLES). */
#define TR__STAGES_TABLES 4u
extern const struct tr_saved_column tr__stages_steps[8], tr__stages_marks[8], tr__stages_launches[5],
    tr__stages_stretches[4];
struct tr__comm_matching;
/* Before the matching.  TR_OK or TR_SYSTEM. */
enum tr_status tr__stages_save(struct tr_stages *s, const struct tr_coll_gathered *g, struct tr_partial_out *out,
                               struct tr_error *err);
/* After the sources.  False: out of memory; tr_partial_status says what is wrong in rows. */
bool tr__stages_load(const struct tr__comm_matching *m, struct tr_partial_in *in);

#endif
