/* SPDX-License-Identifier: MIT */
/*
 * What a kind of finding is, and what its rule can use.
 *
 *     static const struct tr_finding_limit limits[] = { { "share", 3, "%", "of a step" }, { NULL } };
 *
 *     static void look(struct tr_findings *f)
 *     {
 *         const struct tr_job *job = tr_finding_job(f);
 *         double ns = job->median[TR_ACCOUNT_IDLE + TR_IDLE_DATA_LOADING];
 *         if (!tr_finding_matters(f, ns, 0))
 *             return;
 *         struct tr_finding *x = tr_finding_add(f, ns, ns, ns);
 *         tr_finding_say(f, x, "Loading of data keeps devices idle ");
 *         ...
 *     }
 *
 * Rules see the same for any order of ranks and inputs, and never compare times of clocks.
 */
#ifndef TR_FINDING_H
#define TR_FINDING_H

#include "analysis/findings/tr_findings.h"
#include "analysis/findings/tr_job.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A limit of a condition; users can set it. */
struct tr_finding_limit {
    const char *name; /* NULL ends the list */
    double value;
    const char *unit, *meaning;
};

/* What a kind rests on: if trust doubts it, the confidence of its findings is low, with the reason. */
enum { TR_FINDING_ON_WORK = 1, TR_FINDING_ON_LAUNCHES = 2 };

struct tr_finding_kind {
    const char *id;
    unsigned grounds;
    bool aside;
    const char *checks; /* what it looks for, as in "whether devices wait for their hosts" */
    const struct tr_finding_limit *limits;
    const char *commands[TR_FINDING_COMMANDS];
    const char *part; /* the column of the table of steps that has what it is about; NULL: none has */
    /* Why it cannot be looked for in this trace; NULL: it can. */
    const char *(*lacks)(const struct tr_findings *f);
    void (*look)(struct tr_findings *f);
};

extern const struct tr_finding_kind *const tr_finding_kinds[]; /* ended by NULL */
extern const struct tr_finding_kind tr_finding_straggler;

/* ---- for rules ---- */

/* The account of the job. */
const struct tr_job *tr_finding_job(const struct tr_findings *f);
/* What the tables do not have. */
const struct tr_findings_about *tr_finding_about(const struct tr_findings *f);
/* The table of an analysis; NULL: it was not run. */
const struct tr_table *tr_finding_table(const struct tr_findings *f, enum tr_fact fact);

/* Ranks times steps, over which tables add up: a sum divided by it is that of a rank in a step. */
double tr_finding_parts(const struct tr_findings *f);

/*
 * The time per step that devices wait for hosts that do something else than wait for the device, without the rank that
 * is a straggler: what would be saved.  A kind that explains a part of it takes that away from those after it.
 */
double tr_finding_starved(const struct tr_findings *f);
void tr_finding_take_starved(struct tr_findings *f, double ns);
/* The same for time that communication takes and that ranks wait in it: what is left of ns. */
double tr_finding_waits(const struct tr_findings *f, double ns);
void tr_finding_take_waits(struct tr_findings *f, double ns);

/* The part of short kernels and copies (TR_FACT_SHORT), 0 to 1, whose time a kind explains: those after it do not. */
double tr_finding_short_taken(const struct tr_findings *f);
void tr_finding_take_short(struct tr_findings *f, double part);

/* Does a row of TR_FACT_LAUNCHES launch graphs, by the name of its call? */
bool tr_finding_of_graphs(const struct tr_findings *f, const struct tr_table *launches, size_t row);

/*
 * Copies and memsets, sums of their durations in ns: all; copies for which the host waits, because pageable memory
 * takes part; other copies between host and device, or between devices.  The rest is the device's own, or has no known
 * direction.
 */
struct tr_finding_copies {
    double all, pageable, moved;
};
/* Of TR_FACT_KERNELS or TR_FACT_SHORT. */
struct tr_finding_copies tr_finding_copies_of(const struct tr_findings *f, enum tr_fact fact);
/* Is a row of such a table one of those that are moved? */
bool tr_finding_is_moved(const struct tr_findings *f, const struct tr_table *kernels, size_t row);

/* Limit number i of the kind that looks. */
double tr_finding_limit(const struct tr_findings *f, size_t i);
/* Is a time per step more than limit number i, in percent of the step? */
bool tr_finding_matters(const struct tr_findings *f, double ns, size_t i);

/*
 * Add a finding of the kind that looks: impact with bounds, ns per step; NaN: none.  Its severity follows from the
 * impact; without one, it is a note.  The result is valid until the next one is added; NULL: out of memory, which f
 * keeps, and the functions below accept.
 */
struct tr_finding *tr_finding_add(struct tr_findings *f, double impact, double low, double high);
/* Go on with its sentence; a time, as in "33.3 ms"; a share of the step, as in " (12.3 %)"; a name from the trace. */
void tr_finding_say(struct tr_findings *f, struct tr_finding *x, const char *fmt, ...) TR_PRINTF(3, 4);
/* "each step"; "the recording" if the trace has no steps. */
const char *tr_finding_each_step(const struct tr_findings *f);
void tr_finding_say_time(struct tr_findings *f, struct tr_finding *x, double ns);
void tr_finding_say_share(struct tr_findings *f, struct tr_finding *x, double ns);
void tr_finding_say_name(struct tr_findings *f, struct tr_finding *x, struct tr_str name);
void tr_finding_doubt(struct tr_findings *f, struct tr_finding *x, enum tr_confidence confidence, const char *fmt, ...)
    TR_PRINTF(4, 5);
void tr_finding_evidence(struct tr_finding *x, const char *metric, double value);

/* A rule is out of memory. */
void tr_finding_no_memory(struct tr_findings *f);

/* Of a table: a number (NaN: no such cell); a text; the sum of a column over rows with a text; the row with most. */
double tr_fact_number(const struct tr_table *t, size_t row, const char *column);
struct tr_str tr_fact_text(const struct tr_table *t, size_t row, const char *column);
size_t tr_fact_rows(const struct tr_table *t);
/* rank: TR_I64_NONE: all; key NULL: all rows. */
double tr_fact_sum(const struct tr_table *t, int64_t rank, const char *column, const char *key, const char *text);
size_t tr_fact_largest(const struct tr_table *t, int64_t rank, const char *column, const char *key, const char *text);

#ifdef __cplusplus
}
#endif
#endif
