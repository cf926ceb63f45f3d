/* SPDX-License-Identifier: MIT */
/*
 * The list of all analyses, by programs and their views.  Programs, the public interface and tests read it.  Nothing in
 * an analysis knows it: it is above them all.
 *
 *     struct tr_view_use use;
 *     st = tr_view_open(&use, tr_view_find("breakdown.operator"), &err);
 *     st = tr_view_refine(&use, "shape", &err);
 *     st = tr_view_set(&use, "op", "^aten::", &err);
 *     st = tr_view_ready(&use, &host, &err);
 *     ...tr_runner_add(r, use.analysis, use.options, -1, t, &err)...
 *     tr_view_close(&use);          after the runner
 */
#ifndef TR_REGISTRY_H
#define TR_REGISTRY_H

#include "analysis/tr_capture_files.h"
#include "engine/tr_analysis.h"

/* A key that refines a view, as in --by operator,shape. */
struct tr_view_key {
    const char *name; /* NULL ends the list */
    unsigned by;      /* added to the member `by' of the options; its value if there is one key only */
    const struct tr_analysis *analysis; /* used instead of that of the view; NULL: the same */
};

struct tr_view {
    const char *name;  /* the value of --by; of a program with one view, the name of its analysis */
    const char *full;  /* PROGRAM.NAME */
    const char *brief; /* what its rows are, a few words for the help of --by; NULL: as the view before says */
    const struct tr_analysis *analysis;
    size_t by_at;                   /* the member `by' of its options, an unsigned or an enum */
    unsigned by;                    /* its value without keys */
    const struct tr_view_key *keys; /* NULL: none */
    bool one_key;                   /* at most one at a time */
    /* Options that are read by the functions below, such as names of files; NULL: none. */
    const struct tr_option *files;
    /* All options have been set: read what lists of them name, in place of what was read before.  NULL: nothing. */
    enum tr_status (*ready)(void *options, const struct tr_view_host *host, struct tr_error *err);
    void (*release)(void *options);                               /* what these functions made */
    const char *lacks[2]; /* options for all views that have no effect on it, ended by NULL unless there are 2 */
};

struct tr_program {
    const char *name;            /* "breakdown" is tr-breakdown; NULL ends the list */
    const struct tr_view *views; /* the first one is the default; ended by a view without an analysis */
};
extern const struct tr_program tr_programs[];
extern const struct tr_view tr_breakdown_views[], tr_categorize_views[], tr_comm_views[], tr_counters_views[],
    tr_critpath_views[], tr_flame_views[], tr_launch_views[], tr_memory_views[], tr_metrics_views[], tr_overlap_views[],
    tr_patterns_views[], tr_replay_views[], tr_roofline_views[], tr_stalls_views[], tr_sum_views[],
    tr_util_views[];

/* View number i over all programs.  NULL: there are no more. */
const struct tr_view *tr_view_at(size_t i);

/* The view with the name PROGRAM.VIEW, or the first one of PROGRAM.  NULL: there is none. */
const struct tr_view *tr_view_find(const char *name);

/* Analysis number i, each once.  NULL: there are no more. */
const struct tr_analysis *tr_registry_analysis(size_t i);

/* ---- a view with its options: tr_view.c ---- */

struct tr_view_use {
    const struct tr_view *view;
    const struct tr_analysis *analysis; /* after its keys */
    void *options;                      /* its struct of options; NULL: it has none */
    bool refined;
    bool ready;                         /* nothing has been set since tr_view_ready */
};

/* Option number i of a view, also of files.  NULL: there are no more. */
const struct tr_option *tr_view_option(const struct tr_view *view, size_t i);
/* NULL: the view has no such option. */
const struct tr_option *tr_view_option_named(const struct tr_view *view, const char *name);

/* Start with all defaults.  In any case, call tr_view_close. */
enum tr_status tr_view_open(struct tr_view_use *use, const struct tr_view *view, struct tr_error *err);
void tr_view_plain(struct tr_view_use *use); /* without keys again */
/* TR_USAGE: the view cannot be refined by this key, or not by several. */
enum tr_status tr_view_refine(struct tr_view_use *use, const char *key, struct tr_error *err);
/* Set an option, as tr_option_set does.  Texts are borrowed.  TR_USAGE also if the view has no such option. */
enum tr_status tr_view_set(struct tr_view_use *use, const char *name, const char *value, struct tr_error *err);
/* All options have been set: get what is missing.  Later calls do nothing, unless more has been set. */
enum tr_status tr_view_ready(struct tr_view_use *use, const struct tr_view_host *host, struct tr_error *err);
void tr_view_close(struct tr_view_use *use);

#endif
