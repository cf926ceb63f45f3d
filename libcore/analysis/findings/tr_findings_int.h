/* SPDX-License-Identifier: MIT */
/* The findings of a job while they are made.  Internal to the folder. */
#ifndef TR_FINDINGS_INT_H
#define TR_FINDINGS_INT_H

#include "analysis/findings/tr_finding.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/roofline/tr_roofline_analyses.h"

#define TR__MAX_LIMITS 8u
#define TR__MAX_KINDS  64u

struct tr_findings {
    struct tr_operator_options operators, recompute;
    struct tr_roofline_options roofline;
    bool modelled;
    struct tr_table *tables[TR_N_FACTS];
    double limits[TR__MAX_KINDS][TR__MAX_LIMITS]; /* by kind */
    size_t n_kinds;
    size_t kind; /* number of the one that looks */
    const struct tr_finding_kind *looking;
    struct tr_findings_about about;
    struct tr_job job;
    double taken; /* of starved time */
    double taken_waits; /* of ranks for each other, likewise */
    double taken_short; /* part of short kernels and copies */
    struct tr_finding *v;
    size_t n, cap;
    bool failed; /* out of memory */
};

#endif
