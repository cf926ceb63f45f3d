/* SPDX-License-Identifier: MIT */
/*
 * Findings: what makes a job slow, and what a fix would save.
 *
 * A kind of finding is a rule over finished analyses: a condition, a sentence, and an impact.  The impact is the time
 * per step that a fix would save, from accounting, with bounds; never the size of something alone.  Kinds are one file
 * each (tr_finding_ID.c), in the list of tr_findings.c; they see the job through tr_finding.h.
 *
 *     struct tr_findings *f = tr_findings_new(&opts);
 *     st = tr_findings_add(f, runner, make_table, self, &err);   the analyses that rules read, before the run
 *     ...run...
 *     st = tr_findings_finish(f, &about, &err);
 *     all = tr_findings_all(f, &n);                              in the order of a page
 *     tr_findings_free(f);                                       before the runner
 *
 * Order: those about the inputs; then by impact, the largest first; then notes.  A finding that another one explains
 * stands after that one, and names it.
 *
 * The folder analysis/findings has rules and nothing else: it computes from tables of other analyses.  Central: struct
 * tr_finding (here), struct tr_finding_kind (tr_finding.h), struct tr_job (tr_job.h).
 */
#ifndef TR_FINDINGS_H
#define TR_FINDINGS_H

#include "engine/tr_runner.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_severity { TR_SEVERITY_HIGH, TR_SEVERITY_MEDIUM, TR_SEVERITY_LOW, TR_SEVERITY_NOTE };
enum tr_confidence { TR_CONFIDENCE_HIGH, TR_CONFIDENCE_MEDIUM, TR_CONFIDENCE_LOW };
/* Their names in tables and JSON: "high"; "?": there is no such one. */
const char *tr_severity_name(unsigned severity);
const char *tr_confidence_name(unsigned confidence);

#define TR_FINDING_EVIDENCE 6u
#define TR_FINDING_COMMANDS 2u

struct tr_finding_evidence {
    const char *metric; /* with its unit, as a column is called: "host_busy_us" */
    double value;
};

struct tr_finding {
    const char *id; /* "host_bound": part of the interface */
    bool aside;     /* it says nothing about where time goes */
    enum tr_severity severity;
    enum tr_confidence confidence;
    double impact, low, high; /* ns per step; NaN: it costs no time, or that is not known */
    double pct;               /* impact as a share of the step */
    int64_t rank, step;       /* TR_I64_NONE: it is not about one */
    struct tr_buf sentence;   /* text */
    struct tr_buf why;        /* why the confidence is not high; empty: it is */
    struct tr_finding_evidence evidence[TR_FINDING_EVIDENCE];
    size_t n_evidence;
    const char *commands[TR_FINDING_COMMANDS]; /* programs with options, without files; NULL: no more */
    const char *part;                          /* column of TR_FACT_STEPS that has what it is about; NULL: none */
    const struct tr_finding *cause;            /* it explains this one; NULL: none does */
    size_t place;                              /* among the kinds, for equal impacts */
};

/* The tables that rules read: of analyses, each with its options. */
enum tr_fact {
    TR_FACT_TIME,
    TR_FACT_STEPS,
    TR_FACT_IDLE,
    TR_FACT_INFERENCE, /* its steps */
    TR_FACT_KERNELS,
    TR_FACT_SHORT, /* kernels, copies and memsets below 10 us */
    TR_FACT_OPERATORS,
    TR_FACT_RECOMPUTE, /* operators, those of recomputation apart */
    TR_FACT_ROOFLINE,  /* operators with models; NULL: no models were given */
    TR_FACT_COMM,
    TR_FACT_COLLECTIVES, /* one by one */
    TR_FACT_GROUPS,      /* sums over the collectives of each process group */
    TR_FACT_MEMORY,
    TR_FACT_CHAINS,   /* kernels in a row that work element by element */
    TR_FACT_OVERHEAD, /* of the profiler */
    TR_FACT_LAUNCHES,
    TR_FACT_STAGES,  /* of steps */
    TR_FACT_BUBBLES, /* of pipelines */
    TR_N_FACTS
};

struct tr_findings;

/* What other analyses of the run use, too; borrowed until it is freed. */
struct tr_operators_shared;
struct tr_graph_calls;
struct tr_models;
struct tr_peaks;
struct tr_findings_opts {
    const struct tr_operators_shared *operators; /* with TR_OPERATOR_RECOMPUTE; NULL: none is shared */
    struct tr_models *models;                    /* NULL: operators are not held against what their device can do */
    struct tr_peaks *peaks;                      /* NULL: those of the device that the trace names */
};
struct tr_findings *tr_findings_new(const struct tr_findings_opts *opts); /* NULL: out of memory */
void tr_findings_free(struct tr_findings *f);

/* Set a limit of a kind: "host_bound.share=5".  TR_USAGE: there is no such limit, or it is no number. */
enum tr_status tr_findings_limit(struct tr_findings *f, const char *text, struct tr_error *err);

/* Add the analyses to a runner.  make: makes an empty table that holds its rows; NULL: out of memory. */
typedef struct tr_table *tr_findings_make(void *self);
enum tr_status tr_findings_add(struct tr_findings *f, struct tr_runner *r, tr_findings_make *make, void *self,
                               struct tr_error *err);
/* An analysis that it adds, and its options. */
const struct tr_analysis *tr_findings_analysis(const struct tr_findings *f, enum tr_fact fact, const void **options);
/* The table of an analysis that it added, for others that show it.  Owned by f. */
struct tr_table *tr_findings_table(const struct tr_findings *f, enum tr_fact fact);

/* What the tables do not have.  Borrowed until f is freed. */
struct tr_info;
struct tr_findings_about {
    const struct tr_dict *dict;
    const struct tr_summary *summary;
    const struct tr_select *selected;
    const struct tr_info *info; /* finished; NULL: nothing is known about trust */
    int64_t world_size;         /* of the job, as the traces say; 0: not known */
};

/* After the run.  TR_OK or TR_SYSTEM. */
enum tr_status tr_findings_finish(struct tr_findings *f, const struct tr_findings_about *about, struct tr_error *err);

/* In the order of a page. */
const struct tr_finding *tr_findings_all(const struct tr_findings *f, size_t *n);

/* What was looked for, and what could not be: kind number i; NULL: there are no more.  *why: NULL: it was. */
const char *tr_findings_checked(const struct tr_findings *f, size_t i, const char **why);

/* The step that impacts are of: its mean time in ns, and how many are behind it; 0 steps: all of the trace. */
double tr_findings_step(const struct tr_findings *f, size_t *n);

/* As a table: a row for each of the first n. */
void tr_findings_columns(struct tr_table *t);
enum tr_status tr_findings_rows(const struct tr_findings *f, size_t n, struct tr_table *t, struct tr_error *err);

/* The largest number of ranks that selected sources say; 0: none says it. */
int64_t tr_findings_world_size(const struct tr_dict *dict, const struct tr_select *selected);

/* Keys of operators that rules need (struct tr_findings_opts). */
#define TR_FINDINGS_OPERATORS (TR_OPERATOR_RECOMPUTE | TR_OPERATOR_SHAPE | TR_OPERATOR_ARGS)

/* Findings as an analysis of a run, with all that they read. */
struct tr_findings_options {
    struct tr_option_list limits;   /* as for tr_findings_limit */
    struct tr_models *models;       /* as in struct tr_findings_opts, like peaks */
    struct tr_peaks *peaks;
    struct tr_option_list captures; /* files that graphs is read from */
    struct tr_graph_calls *graphs;  /* captures; NULL: none */
    bool no_align;                  /* ranks are compared by the clocks that they have */
};
extern const struct tr_analysis tr_analysis_findings;

#ifdef __cplusplus
}
#endif
#endif
