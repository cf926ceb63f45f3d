/* SPDX-License-Identifier: MIT */
/*
 * The job as findings see it: the account of a usual step, of each rank and of all.
 *
 * Steady steps are those after the start.  Of three and more, the first one is left out, because at its start the
 * host has not run ahead, and so are those after it that take more than 1.2 times the median of all.  Without numbered
 * steps, the whole trace is one.
 *
 * Ranks wait for each other in collectives, so their steps take equally long, and the time of a step does not say whose
 * fault it is.  In each step, the rank that others wait for has the shortest exposed communication, which is what the
 * transfer itself takes.  What a rank has beyond that is its wait, and its own time is its step without it:
 *
 *     transfer(step)   = min over ranks of exposed communication
 *     wait(rank, step) = exposed communication - transfer
 *     own(rank, step)  = time - wait
 *
 * So no clocks are compared.  This holds where all ranks of the job take part in the collectives of a step; where
 * ranks send and receive (pipelines), waits are bubbles, and own times differ by design.
 */
#ifndef TR_JOB_H
#define TR_JOB_H

#include "analysis/time/tr_step_account.h"
#include "table/tr_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Means over the steady steps, in ns per step. */
struct tr_job_rank {
    int64_t rank; /* TR_I64_NONE: not known */
    size_t n;     /* steady steps */
    double time, wait, own;
    double of[TR_N_ACCOUNTS], drained;
    size_t last; /* steps in which its own time is the longest of all */
};

/* A step of a rank, ns. */
struct tr_job_part {
    int64_t rank, capture, number;
    size_t place;                                             /* of the rank */
    double time, host, wait, own, of[TR_N_ACCOUNTS], drained; /* host: its time on the host */
};

struct tr_job_step {
    int64_t number;
    const struct tr_job_part *parts;      /* by rank */
    unsigned phase;                       /* steps of one phase compare: enum tr_step_phase */
    double relative;                      /* its compute, as a part of the median of its phase */
    double time, host;                    /* on its slowest rank */
    double own_max, own_second;           /* own times of ranks: the longest and the next */
    double compute;                       /* the mean over ranks */
    double transfer;
    bool steady;
    size_t n, last; /* ranks that have it; the place of the one with the longest own time */
};

struct tr_job {
    struct tr_job_part *parts; /* by step, then by rank */
    size_t n_parts;
    struct tr_job_rank *ranks; /* by number */
    size_t n_ranks;
    struct tr_job_step *steps;             /* in order of time */
    size_t n_steps, n_steady, warm;        /* warm: the first steps that are left out because they take longer */
    bool phases;                           /* steps of inference, whose times differ by design */
    bool pipeline;                         /* most communication is between two ranks */
    size_t straggler;                      /* place of the rank that the others wait for; SIZE_MAX: none */
    double compute;                        /* of a step, mean over ranks and steady steps */
    bool numbered;                         /* there are numbered steps; else the trace is one */
    double step;                           /* mean time of steady steps */
    double median[TR_N_ACCOUNTS], drained; /* medians over ranks of their means */
    double own, transfer;                  /* median over ranks; mean over steps */
    double waiting; /* the part of collectives in which ranks wait for the last one, by their durations: 0 to 1 */
};

/* Tables, all by rank: of steps (tr_analysis_step), times (tr_analysis_time), idle time (tr_analysis_idle), steps of
 * inference (tr_analysis_inference) and collectives by name (tr_analysis_comm_name). */
struct tr_job_tables {
    const struct tr_table *steps, *times, *idle, *inference, *comm, *collectives, *kernels;
};
/* False: out of memory. */
bool tr_job_read(struct tr_job *job, const struct tr_job_tables *tables);
void tr_job_free(struct tr_job *job);

/*
 * What a step would be shorter without some time of each of its ranks, in the mean over steady steps: the longest own
 * time, minus the longest own time without it.  without: a rank that is left out, as if it were not slower than the
 * others; SIZE_MAX: none.
 */
typedef double tr_job_time(const struct tr_job_part *p);
double tr_job_saving(const struct tr_job *job, tr_job_time *time, size_t without);

/*
 * Find the rank that is last in so many percent of the steady steps, and saves so many percent of the step if it is
 * not slower than the next one.
 */
void tr_job_find_straggler(struct tr_job *job, double share_pct, double steps_pct);
/* What would be saved then, ns per step. */
double tr_job_straggler_saving(const struct tr_job *job, size_t place);
/* What a rank does for longer than the median rank: the account with the largest difference, which is *ns. */
unsigned tr_job_longer(const struct tr_job *job, size_t place, double *ns);

/*
 * Is a rank slower because it has more work, as with experts or sequences of unequal size?  Then some of its kernels
 * take longer than on the median rank, and others do not; a slow device makes all of them longer.  kernels: sums by
 * name (tr_analysis_kernel).  False also if memory is short.
 */
bool tr_job_uneven(const struct tr_job *job, size_t place, const struct tr_table *kernels);

/* The median of a value over ranks: with an even number, the lower one. */
double tr_job_median(const struct tr_job *job, size_t offset);

#ifdef __cplusplus
}
#endif
#endif
