/* SPDX-License-Identifier: MIT */
/* Reports, for the files that make them, run them, and read and write partial results.  Internal to the folder api. */
#ifndef TR_API_REPORT_INT_H
#define TR_API_REPORT_INT_H

#include "analysis/tr_registry.h"
#include "api/tr_api_int.h"
#include "engine/tr_runner.h"
#include "table/tr_chart.h"

/* An analysis of the caller, in the form of the runner. */
struct tr__own {
    struct tr_analysis is;
    struct tr_analysis_def def;
    void *ctx;
};

struct tr__part {
    struct tr_view_use use; /* without a view: an analysis of the caller */
    struct tr__own own;
    struct tr_arena *texts; /* of options */
    char *saved;            /* options of a partial result */
    int per;                /* enum tr_per, or -1 */
    enum tr_unit unit;
    struct tr_arrange how;
    struct tr_picture picture; /* around the table, where it is drawn */
    struct tr_table *table, *described, *before; /* rows; columns alone; of events, beside partial results */
};

struct tr_report {
    struct tr__part **parts;
    size_t n, cap;
    struct tr_runner *runner; /* during the run: what it keeps is of the trace, which may be closed after that */
    bool ran, done;           /* there was a run; it has succeeded */
    void (*say)(void *ctx, const char *text);
    void *say_ctx;
    struct tr_open_opts open; /* of the files that options name */
    bool align;               /* compare ranks on one clock */
    struct tr_one_clock clock;
    struct tr_view_host host;
};

/* A further analysis, with default options.  NULL: out of memory. */
struct tr__part *tr__report_part(struct tr_report *r);
/* Make the tables of all analyses, and add these to a runner. */
enum tr_status tr__report_fill(struct tr_report *r, struct tr_runner *runner, struct tr_error *err);
/* What the runner needs of an analysis of either origin. */
const struct tr_analysis *tr__report_analysis(const struct tr__part *p);

/* ---- tr_api_partial.c ---- */

/* What partial results need of the input of a run; text: of the selection. */
enum tr_status tr__partial_prepare(const struct tr_report *r, const struct tr_trace *trace, bool saved,
                                   struct tr_buf *text, struct tr_analysis_in *in, struct tr_error *err);
/* Go on with a runner that has the partial results of the trace, too, if there are any. */
enum tr_status tr__partial_add(struct tr_report *r, const struct tr_trace *trace, const struct tr_analysis_in *in,
                               struct tr_error *err);
/* The tables as a stream without events. */
typedef enum tr_status tr__write(void *ctx, const void *bytes, size_t n, struct tr_error *err);
enum tr_status tr__partial_write(const struct tr_side_tables *tables, tr__write *write, void *ctx,
                                 struct tr_error *err);

#endif
