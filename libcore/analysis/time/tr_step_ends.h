/* SPDX-License-Identifier: MIT */
/*
 * How long does a step take?
 *
 * The host launches the work of a step, and may go on to the next step before that work ends.  So a step ends when its
 * interval on the host and its work have both ended, and never before the step before it:
 *
 *     E(N) = max(E(N-1), host end of N, end of its work on the main stream of each device)
 *
 * Its time is E(N) - E(N-1), so the times of steps add up.  Its work is what was launched in it (model/tr_steps.h).
 *
 *   main stream   of a device: the stream whose compute takes longest under steps; without compute, whose kernels do.
 *                 Other streams, such as those of copies, prefetches and collectives, move no end.  Suspect work moves
 *                 none, either.
 *   first step    It starts at the later of its host start and the end of left-over work: work on the main stream
 *                 without a step that all starts before the first work of a step there.  If such work also starts
 *                 later, launches are missing, and the host start counts.  The time before its first work is its lead.
 *   inference     A step starts at the later of E(N-1) and its own host start; the time from E(N-1) to it is between.
 *   sequence      The steps of a process.  If a number comes on two threads of a process, each thread has a sequence.
 *
 * Steps of a TPU are those of the device: their annotation there takes the place of the interval on the host.
 *
 *     tr_step_ends_new(dict, summary)
 *     for each batch: tr_step_ends_feed(e, b, keep)
 *     tr_step_ends_finish(e)
 *     ... tr_step_ends_rows(e, &n)
 *     tr_step_ends_free(e)
 *
 * Memory: 64 bytes for each stream that has work of a step, of each step; 16 for each event of a batch.
 */
#ifndef TR_STEP_ENDS_H
#define TR_STEP_ENDS_H

#include "model/selection/tr_select.h"
#include "stream/tr_batch.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_step_ends;

/* A step whose times fit in 64 bits. */
struct tr_step_span {
    uint32_t source;
    size_t place;        /* among the steps of its source in the summary */
    struct tr_step at;   /* on the host */
    int64_t start, end;  /* ns, start <= end */
    int64_t lead;        /* ns from its start to its first work, or its end if that is earlier; 0 unless it is the
                          * first of its sequence */
    int64_t between;     /* ns from the end of the step before to its start; 0 unless it is of inference */
};

/* Neither is needed after the call, but the dictionary must be the one of the batches.  NULL: out of memory. */
struct tr_step_ends *tr_step_ends_new(const struct tr_dict *dict, const struct tr_summary *summary);
/* The same for a summary that stays as it is until they are freed: of a million steps, a copy takes 140 MB. */
struct tr_step_ends *tr_step_ends_new_in(const struct tr_dict *dict, const struct tr_summary *summary);
void tr_step_ends_free(struct tr_step_ends *e);

/*
 * Those that analyses of one run share, which the run owns: they get each batch before the analyses, with the work for
 * which tr_select_where_alone is true.  Call it in start.  TR_OK or TR_SYSTEM.
 */
struct tr_analysis_in;
enum tr_status tr_step_ends_shared(const struct tr_analysis_in *in, struct tr_step_ends **ends, struct tr_error *err);

/* The steps that they know: valid until they are freed. */
const struct tr_summary *tr_step_ends_summary(const struct tr_step_ends *e);

/*
 * The next batch, with kinds and the columns of TR_STEPS_DERIVED.  keep: the work that counts, as from
 * tr_select_where_alone; NULL: all.  False: out of memory.
 */
bool tr_step_ends_feed(struct tr_step_ends *e, const struct tr_batch *b, const uint8_t *keep);

/* After the last batch.  False: out of memory. */
bool tr_step_ends_finish(struct tr_step_ends *e);

/* After finish: the steps of all sources, by source and start. */
const struct tr_step_span *tr_step_ends_rows(const struct tr_step_ends *e, size_t *n);

static inline int64_t tr_step_span_time(const struct tr_step_span *s)
{
    return s->end - s->start;
}

/*
 * Before or after finish: add the times of a source that can be ends, starts, or the first work of a step, as far as
 * they are known, to a list of numbers.  False: out of memory.
 */
bool tr_step_ends_bounds(const struct tr_step_ends *e, uint32_t source, int64_t **times, size_t *n, size_t *cap);

/* After finish: what a user should know of the selected steps. */
enum tr_step_remark {
    TR_STEP_REMARK_LAUNCHES, /* launches are missing, so that left-over work is not known */
    TR_STEP_REMARK_HOST,     /* the times of steps differ from those of the host by more than 10 % */
    TR_N_STEP_REMARKS
};
/* The text of a remark; false: there is no such remark. */
bool tr_step_ends_remark(const struct tr_step_ends *e, struct tr_select *select, enum tr_step_remark which, char *text,
                         size_t size);

#ifdef __cplusplus
}
#endif
#endif
