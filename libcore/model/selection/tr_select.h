/* SPDX-License-Identifier: MIT */
/*
 * The selection for all analyses: the events of a stream that take part, and the window.
 *
 *     struct tr_select_opts opts = TR_SELECT_ALL;
 *     tr_select_parse_steps(&opts, "3..5", &err);
 *     struct tr_select *sel = tr_select_new(&opts, in->dict, in->summary, in->sorted, &err);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
 *         st = tr_select_mask(sel, b, &keep, &err);
 *         for (size_t i = 0; i < b->n; i++)
 *             if (!keep || keep[i])
 *                 ...
 *     }
 *
 * An event takes part if it passes all of these tests:
 *
 *   ranks           its source has one of the ranks
 *   steps           its host time is in a step with one of the numbers (model/tr_steps.h)
 *   drop_last_step  its host time is before the start of its source's last step; a source with
 *                   fewer than two different step numbers keeps all events
 *   host_time       its host time is in the range
 *   time            the event overlaps the window, or, without length, is in it;
 *                   analyses then clip it to tr_select_window
 *   where           a test of the caller
 *
 * Host time is the event's start; for device work and waits on the device, it is the start of their launch
 * (tr_event_host_time).  So device work without a known launch fails every test of host time.
 * For events without ts (metadata), only the tests ranks and where apply.
 *
 * Times of users count like the ts members of a file, without its base: stream = file +
 * file_base_ns - base_ns (struct tr_source).  There is one window for all sources.  If their bases differ, the times
 * are those of the first source with the lowest rank.  Times with a sign, as in "+1ms..+2ms", count from the start of
 * each source (tr_job_start.h), and hosts and captures whose clocks do not compare have separate windows.  Ranges are
 * half-open.  Not shared between threads.
 *
 * The folder model/selection chooses events.  Central: struct tr_select (here), struct tr_related
 * (tr_related_events.h), struct tr_redact.
 */
#ifndef TR_SELECT_H
#define TR_SELECT_H

#include "base/tr_mem.h"
#include "stream/tr_input.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A range of int64; times in ns, from <= t < to; ranks and steps from <= n <= to. */
struct tr_range {
    int64_t from, to;
};
#define TR_RANGE_ALL         \
    {                        \
        INT64_MIN, INT64_MAX \
    }
#define TR_SELECT_MAX_RANKS 256u /* ranges in a list of ranks */

struct tr_select_opts {
    struct tr_range ranks[TR_SELECT_MAX_RANKS];
    size_t n_ranks; /* 0: every rank, also unknown ones */
    bool has_steps, has_time, has_host_time, drop_last_step;
    struct tr_range steps;
    struct tr_range time, host_time; /* INT64_MIN, INT64_MAX: open on that side */
    bool time_relative, host_time_relative; /* they count from the start of each source (tr_job_start.h) */
    /*
     * Clear keep[i] for events of the batch that do not take part; it is 1 for events that passed all other tests.
     * NULL: no such test.
     */
    enum tr_status (*where)(void *self, const struct tr_batch *b, uint8_t *keep,
                            struct tr_error *err);
    void *where_self;
};
#define TR_SELECT_ALL                                                          \
    {                                                                          \
        .steps = TR_RANGE_ALL, .time = TR_RANGE_ALL, .host_time = TR_RANGE_ALL \
    }

/*
 * Parse the text of an option: "A[..B]", either side of ".." may be missing; a list "0,3,8..15" (also
 * "8-15"); "FROM..TO", decimal numbers in us, or with one of the units ns, us, ms, s.
 * Return TR_OK, or TR_USAGE with err filled in and the options unchanged.
 */
enum tr_status tr_select_parse_steps(struct tr_select_opts *o, const char *text,
                                     struct tr_error *err);
enum tr_status tr_select_parse_ranks(struct tr_select_opts *o, const char *text,
                                     struct tr_error *err);
enum tr_status tr_select_parse_time(struct tr_select_opts *o, const char *text,
                                    struct tr_error *err);
enum tr_status tr_select_parse_host_time(struct tr_select_opts *o, const char *text,
                                         struct tr_error *err);

/*
 * Append a selection as a text, which partial results and pictures show: "step=3..5 where=dur > 1us "; nothing if it is
 * all events.  Ranks are left out.  where: the n expressions of the test.  False: out of memory.
 */
bool tr_select_text(const struct tr_select_opts *o, const char *const *where, size_t n, struct tr_buf *text);

struct tr_select;

/*
 * Prepare a selection for one stream.
 *
 * opts     copied
 * dict     of the stream; may grow while it is read
 * summary  of the stream; used only during this call
 * sorted   whether the stream is in canonical order
 * sel      set on TR_OK, NULL otherwise
 *
 * Returns TR_OK; TR_DAMAGED: a test needs steps, launches or the start, but they are unknown while the stream is read,
 * because it is not sorted; TR_SYSTEM: out of memory.
 */
enum tr_status tr_select_new(const struct tr_select_opts *opts, const struct tr_dict *dict,
                             const struct tr_summary *summary, bool sorted, struct tr_select **sel,
                             struct tr_error *err);
void tr_select_free(struct tr_select *s);

/* For messages: " in the part that could be read" if the tail of a selected source is missing, else "". */
const char *tr_select_survived(const struct tr_select *s);

/* Called for an option, such as "option --time", that the stream covers only in part. */
typedef void tr_select_report(void *self, const char *option, const char *text);

/*
 * Does the stream have the selected ranks, steps and times?
 *
 * summary  of the stream, which is sorted; it describes whole sources, also after a filter
 * report   called for a range that the stream has only in part; may be NULL
 *
 * Returns TR_OK; TR_ABSENT, with the option as place: no source has a selected rank, or range of ranks; no source that
 * is selected by rank has such a step; or a window, time or host_time, is outside of the span of these sources (if a
 * source has impossible times, its span is not certain, and only report is called); TR_SYSTEM: out of memory.
 */
enum tr_status tr_select_found(struct tr_select *s, const struct tr_summary *summary, tr_select_report *report,
                               void *self, struct tr_error *err);

/*
 * One byte per event of the batch, 1: it takes part; or NULL: all do.  Valid until the next call.
 */
enum tr_status tr_select_mask(struct tr_select *s, const struct tr_batch *b, const uint8_t **keep,
                              struct tr_error *err);

/*
 * The same without the test where: for analyses of device work that need its launches, also those that where does not
 * select.  keep: the result of tr_select_mask for this batch.
 */
const uint8_t *tr_select_before_where(const struct tr_select *s, const uint8_t *keep);

/*
 * The test where alone, for the batch of the last tr_select_mask: one byte per event, 0: it failed.  Events that other
 * tests leave out pass it.  NULL: there is no such test; s may be NULL.
 */
const uint8_t *tr_select_where_alone(const struct tr_select *s);

/* Is there a test where? */
bool tr_select_has_where(const struct tr_select *s);

/* Is there a test of times, that is, of steps or a window? */
bool tr_select_timed(const struct tr_select *s);

/* Is device work chosen by when it was launched: by steps, or by times of the host? */
bool tr_select_by_launch(const struct tr_select *s);

/* Leave a source out, whatever its rank; or take it in again.  False: out of memory. */
bool tr_select_hide(struct tr_select *s, uint32_t source, bool hidden);

/* Could events of this source take part?  By its rank, unless it is hidden. */
bool tr_select_source(const struct tr_select *s, uint32_t source);

/*
 * Does a step of a source take part?  Its rank and number are tested, and its start as host time.  If there is a
 * window, the whole step must be inside.
 */
bool tr_select_step(struct tr_select *s, uint32_t source, const struct tr_step *step);
/* The same, but if there is a window, any part of the step must be inside. */
bool tr_select_part_of_step(struct tr_select *s, uint32_t source, const struct tr_step *step);

/*
 * Is there a window (option time)?  If so, window is set to the window of a source, in ns of the stream; an open side
 * is INT64_MIN or INT64_MAX.  Call it when the sources are known, that is, after the first batch.
 */
bool tr_select_windowed(const struct tr_select *s);
bool tr_select_window(struct tr_select *s, uint32_t source, struct tr_range *window);

/*
 * Times that the events of a source meet which take part, except those without ts, for tr_input_only.  summary: of the
 * stream, which is sorted.
 */
struct tr_needed tr_select_needed(struct tr_select *s, const struct tr_summary *summary, uint32_t source);

/* A time of a source, moved into its window if it is outside; s may be NULL, or have no window. */
int64_t tr_select_clip(struct tr_select *s, uint32_t source, int64_t ts);

/* The base of the times of its window, in ns of the epoch if the source has it: its file's base, or its start. */
int64_t tr_select_window_base(const struct tr_select *s, uint32_t source);

/* The number of different starts that the times of windows count from; 0: they are times of files. */
size_t tr_select_starts(const struct tr_select *s);

/* From a ts of a source to the time of the stream, and back; cut to the range of int64. */
int64_t tr_source_to_stream(const struct tr_source *source, int64_t file_ns);
int64_t tr_source_to_file(const struct tr_source *source, int64_t stream_ns);

/*
 * Have some of the selected sources a time base and others none, so that times of different sources do not compare?
 * Alignment (tr-align) ends this.  select: NULL: all sources.
 */
bool tr_bases_differ(const struct tr_dict *d, const struct tr_select *select);

#ifdef __cplusplus
}
#endif
#endif
