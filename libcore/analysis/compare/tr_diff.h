/* SPDX-License-Identifier: MIT */
/*
 * The sums of two runs: for each row, the events of both runs that belong to it.
 *
 *     struct tr_diff *d = tr_diff_new(TR_DIFF_BY_NAME, 0, 0);
 *     for each run:
 *         tr_diff_feed_new(d, run, &opts, in->dict, in->summary, selected, &feed, &err);
 *         while (...)
 *             st = tr_diff_feed(feed, b, keep, &err);
 *         st = tr_diff_feed_end(feed, &err);
 *         tr_diff_feed_free(feed);
 *     tr_diff_table(d, TR_DIFF_BASE, base);     tr_diff_table(d, TR_DIFF_TEST, test);
 *     tr_table_join(base, test, tr_diff_join(0), t, &err);
 *
 * Events make a row by their side, host or device, and a text:
 *
 *   name        host spans and device work: the event's name
 *   short-name  its short name: tr_short_name
 *   kernel      device work only: its name
 *   operator    operators: their name; device work: the name of the innermost operator around its
 *               launch, empty if there is none
 *   class       the event's class, empty if it has none
 *   step        the number of the step of its host time, empty if there is none; in captures after the
 *               first (tr_captures.h) with the capture, as in "15 (capture 1)"
 *   path        operators and annotations: the names from the outermost to the event, with " > "
 *               between; device work: the same for its launch.  A step that takes part is
 *               ProfilerStep here, without its number.  Deeper events count at level TR_DIFF_LEVELS.
 *
 * Rows by operator can be refined by the arguments of the operator: device work by those of the operator that launched
 * it.
 *
 * Host spans are those of model/calls/tr_call_path.h, device work is kernels, copies and memsets.  Spans of the
 * profiler, such as steps and the flush of its buffers, take part only on request: they are not work of the program,
 * and their names have numbers in them.
 *
 *   count  events
 *   dur    sum of their durations, nested or not; a missing end counts as 0, and impossible
 *          durations are left out unless requested
 *   self   host: time without other events that take part inside on the same thread, so
 *          no time of a thread counts twice; device: the duration
 *
 * One pass over each run in canonical order.  Memory: 250 bytes for each row and the text of its name, which both runs
 * share; 8 bytes per string of the stream that is being read; the memory of tr_call_path.h; for operator and path also
 * 120 bytes per launch until its work has come.  Not shared between threads.
 *
 * The folder analysis/compare puts runs beside each other.  Central: struct tr_diff (here), struct tr_tree_diff,
 * struct tr_run_summary.
 */
#ifndef TR_DIFF_H
#define TR_DIFF_H

#include "base/tr_stats.h"
#include "model/selection/tr_select.h"
#include "stream/tr_projection.h"
#include "table/tr_table_join.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_DIFF_LEVELS 64u

enum tr_diff_by {
    TR_DIFF_BY_NAME,
    TR_DIFF_BY_SHORT_NAME,
    TR_DIFF_BY_KERNEL,
    TR_DIFF_BY_OPERATOR,
    TR_DIFF_BY_CLASS,
    TR_DIFF_BY_STEP,
    TR_DIFF_BY_PATH,
    TR_N_DIFF_BY
};
extern const char *const tr_diff_by_names[]; /* "name" and so on, NULL at the end */

/* What refines rows by operator, as a set.  Values of arguments come with shapes. */
enum tr_diff_refined { TR_DIFF_SHAPE = 1 << 0, TR_DIFF_ARGS = 1 << 1 };
#define TR_DIFF_MORE 4u /* texts that can refine a name: shapes, types, strides, values */

enum tr_diff_run { TR_DIFF_BASE, TR_DIFF_TEST };

struct tr_diff_sums {
    struct tr_stats dur; /* ns; its n is the number of events */
    struct tr_u128 self; /* ns, two's complement */
};

struct tr_diff_row {
    const char *name; /* len bytes and a zero */
    size_t len;
    bool device;
    struct tr_diff_sums sums[2]; /* by run */
};

struct tr_diff;

/* refined: enum tr_diff_refined.  max_bytes: for rows and their names; 0: no limit.  NULL: out of memory. */
struct tr_diff *tr_diff_new(enum tr_diff_by by, unsigned refined, size_t max_bytes);
void tr_diff_free(struct tr_diff *d);

/* Add sums that are already known, for example from a partial result.  TR_OK or TR_SYSTEM. */
enum tr_status tr_diff_add(struct tr_diff *d, enum tr_diff_run run, bool device, const char *name,
                           size_t len, const struct tr_diff_sums *sums, struct tr_error *err);

/*
 * All rows, host before device, then by name.  Owner: d, until it is changed or freed.
 *
 * TR_OK or TR_SYSTEM.
 */
enum tr_status tr_diff_rows(struct tr_diff *d, const struct tr_diff_row **rows, size_t *n,
                            struct tr_error *err);

/* In ns; TR_TIME_NONE: it does not fit. */
int64_t tr_diff_self(const struct tr_diff_sums *s);

/* ---- runs as tables ---- */

/*
 * The columns of the table of a run: side as its group, because host and device are never added up; name, and what
 * refines it, as its keys; count; dur (inclusive); self; mean; and the variance of dur.  This is the variance of a sum
 * of independent durations: count times that of a single duration.
 */
#define TR_N_DIFF_COLUMNS (7u + TR_DIFF_MORE) /* at most */
/* Their number.  names: rows have names of events, which can be shortened. */
size_t tr_diff_columns(bool names, unsigned refined, struct tr_table_column columns[TR_N_DIFF_COLUMNS]);
/* Add the rows of a run to a table of these columns, by name.  The table keeps a failure. */
void tr_diff_table(struct tr_diff *d, enum tr_diff_run run, struct tr_table *t);

/* The join of two such tables, and the order of rows: the largest contribution to the difference first. */
const struct tr_table_join *tr_diff_join(unsigned refined);
extern const char tr_diff_order[];

/*
 * The table of what differs: its columns, and then its rows, the join of both runs, with a total for each side that has
 * events.  names, refined: as above.
 */
void tr_diff_differences_columns(bool names, unsigned refined, struct tr_table *t);
struct tr_diff_differences {
    size_t n_rows;    /* without the totals */
    size_t totals[2]; /* rows of the host, and of the device; SIZE_MAX: it has no events */
};
/*
 * sides         two tables without columns, which get those of the runs
 * changed_only  hide rows in which nothing differs, and the total of a side that has no others
 */
enum tr_status tr_diff_differences(struct tr_diff *d, unsigned refined, bool changed_only,
                                   struct tr_table *const sides[2], struct tr_table *t,
                                   struct tr_diff_differences *out, struct tr_error *err);

/* ---- reading a run ---- */

struct tr_diff_opts {
    bool suspect;  /* events with impossible times, too */
    bool profiler; /* spans of the profiler, too */
};

/* The columns of events that it needs, beside those of steps (tr_steps.h). */
struct tr_projection tr_diff_needs(enum tr_diff_by by, unsigned refined);

struct tr_diff_feed;

/*
 * select  of that input, whose window clips; must outlive the feed
 *
 * TR_OK or TR_SYSTEM; feed is set on TR_OK only.
 */
enum tr_status tr_diff_feed_new(struct tr_diff *d, enum tr_diff_run run,
                                const struct tr_diff_opts *opts, const struct tr_dict *dict,
                                const struct tr_summary *summary, struct tr_select *select,
                                struct tr_diff_feed **feed, struct tr_error *err);
void tr_diff_feed_free(struct tr_diff_feed *f);

/* The next batch; keep as tr_select_mask gives it.  TR_OK or TR_SYSTEM. */
enum tr_status tr_diff_feed(struct tr_diff_feed *f, const struct tr_batch *b, const uint8_t *keep,
                            struct tr_error *err);

/* After the last batch.  TR_OK or TR_SYSTEM. */
enum tr_status tr_diff_feed_end(struct tr_diff_feed *f, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
