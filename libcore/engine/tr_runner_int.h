/* SPDX-License-Identifier: MIT */
/* What the parts of the runner share: its analyses and services, and the jobs that they are divided into. */
#ifndef TR_RUNNER_INT_H
#define TR_RUNNER_INT_H

#include "engine/tr_kept.h"
#include "engine/tr_runner.h"
#include "io/tr_pool.h"

#include <sys/types.h>

/* A source of a partial result that was loaded. */
struct tr__source {
    struct tr_partial_source is; /* texts in the dictionary of the runner; the capture among those of all */
    size_t partial;              /* which one, of those that the last call loaded; SIZE_MAX: an earlier one */
    uint64_t own;                /* the capture there */
};

/* One analysis of the run. */
struct part {
    struct tr_runner *runner;
    const struct tr_analysis *analysis;
    const void *options;
    int per; /* enum tr_per, or -1 */
    struct tr_table *table;
    struct tr_analysis_in in;
    struct tr_one_clock clock; /* in.one_clock, if the run has one: jobs run at the same time */
    void *state;
    struct part *twin;                /* it runs with the state of this one; NULL: it has its own */
    struct tr_kept *kept;             /* rows that are kept for saving, or were loaded; NULL: none */
    struct tr_buf options_text;       /* its options, for partial results */
    const char *saved_as;     /* the name of its partial results; NULL: that of the analysis */
    bool captures;            /* of a partial result that was loaded: a rank has several */
    struct tr__source *sources; /* of all partial results that were loaded */
    size_t n_sources, cap_sources;
    int64_t *ranks;           /* theirs, ascending */
    size_t n_ranks;
    size_t job;               /* its place among the jobs */
    struct tr_buf remarks;    /* made while jobs run; they are passed on afterwards */
    bool lost;                /* there was no memory for a remark */
    bool completed;           /* its function complete has been called */
    bool apart;               /* times of its ranks would be compared, but some have a time base and others none */
};

/* How its state is saved; NULL: it is not. */
static inline const struct tr_saving *tr__part_saving(const struct part *p)
{
    return tr_saving_of(p->analysis, p->in.work.per);
}

struct shared {
    const struct tr_service *service;
    void *options; /* a copy */
    void *state;
    size_t job;
    const struct part *first; /* the analysis that asked first */
};

/* Analyses that share services, and these services, or one function of the program.  Jobs have nothing in common. */
struct job {
    struct tr_runner *runner;
    size_t number;
    tr_runner_take *take; /* of the program; NULL: analyses */
    void *self;
    enum tr_status st;
    struct tr_error err;
    int64_t ns; /* that it took the last time */
};

struct tr_services {
    struct shared *v;
    size_t n, cap;
    bool apart; /* each analysis loads into its own services, unless another one loads for it */
    bool ended;
    struct part *parts;  /* those of the runner */
    size_t n_parts, asking; /* the one that starts */
};

struct tr_runner {
    struct part *parts;
    size_t n, cap;
    struct tr_one_clock *one_clock; /* of the run; NULL: none */
    struct tr_services services;
    struct job *jobs;
    struct job **order; /* the longest first */
    size_t n_jobs, n_own; /* n_own: those of the program */
    struct { tr_runner_take *take; void *self; } own[TR_RUNNER_OWN];
    struct tr_pool *pool; /* NULL: jobs run one after the other */
    pid_t process;        /* that has its threads */
    bool running;
    /* What the jobs do at present. */
    enum tr_status (*act)(struct job *j, struct tr_error *err);
    const struct tr_batch *batch;
    const uint8_t *keep;
    void (*remark)(void *self, enum tr_remark_kind how, const char *place, const char *text);
    void *remark_self;
    const char **keys; /* of all analyses */
    size_t n_keys, cap_keys;
    /* Of a run without events. */
    struct tr_dict *dict;
    struct tr_summary *summary;
};

/* Jobs: tr_runner_jobs.c. */

/* Call a function for each job, perhaps several at a time, and pass on remarks.  Returns the first failure. */
enum tr_status tr__runner_jobs(struct tr_runner *r, enum tr_status (*act)(struct job *j, struct tr_error *err),
                               struct tr_error *err);
/* The analyses have started: divide the run into jobs. */
enum tr_status tr__runner_divide(struct tr_runner *r, unsigned threads, struct tr_error *err);
void tr__runner_jobs_free(struct tr_runner *r);
/* The remarks of an analysis. */
void tr__runner_remark(void *self, enum tr_remark_kind how, const char *place, const char *text);

/* An analysis has all its data: call its function complete, once. */
enum tr_status tr__runner_complete(struct part *p, struct tr_error *err);
/* Add the rows of an analysis to its table, or to the rows that are kept, once. */
enum tr_status tr__runner_rows(struct part *p, struct tr_error *err);
/* Rows are kept from now on. */
enum tr_status tr__runner_keep(struct part *p, struct tr_error *err);
/* The analysis that saves and loads the state of this one: an earlier one whose state is that of the same service, or
 * itself. */
struct part *tr__runner_saver(struct part *parts, struct part *p);
/* All services end, once. */
enum tr_status tr__runner_end_services(struct tr_services *s, struct tr_error *err);

#endif
