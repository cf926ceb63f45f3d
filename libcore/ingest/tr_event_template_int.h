/* SPDX-License-Identifier: MIT */
/*
 * The builder: an event like one before it, for formats whose events repeat.  Internal to libcore.
 *
 *     tr_ingest_begin(g, ...) ... tr_ingest_end(g, err);    an event
 *     tr__event_template_of(g, &p)                             what others have in common with it
 *     memcpy(p.values + place, &number, 8);                 other values, of the same types
 *     tr__event_template_add(g, &p, &when, record, correlation)   one of them
 */
#ifndef TR_EVENT_TEMPLATE_INT_H
#define TR_EVENT_TEMPLATE_INT_H

#include "ingest/tr_ingest_args_int.h"
#include "ingest/tr_lane_int.h"

enum { TR__EVENT_TEMPLATE_VALUES = 192 }; /* bytes of values; a multiple of 64 */

/* All of an event but its times, its record and the number of its correlation. */
struct tr__event_template {
    struct tr_row row; /* its header */
    enum tr__lane_note note;
    int64_t pid; /* as tr__lane_pid_of says */
    size_t n_values;
    unsigned char values[TR__EVENT_TEMPLATE_VALUES]; /* as in a row, in the order in which they were added */
};

struct tr__event_template_times {
    int64_t ts, dur; /* ns; ts is known, and dur if that of the template is */
    unsigned ts_ps, dur_ps;
};

/* The template of the last event that was added.  False: it cannot be one. */
bool tr__event_template_of(const struct tr_ingest *g, struct tr__event_template *p);

/* Can the number of a correlation be given so? */
static inline bool tr__event_template_plain_link(int64_t number)
{
    return number != 0 && number > -(INT64_C(1) << 62);
}

/* Add an event.  correlation: a plain one if the template has one.  False: out of memory. */
bool tr__event_template_add(struct tr_ingest *g, const struct tr__event_template *p,
                            const struct tr__event_template_times *when, uint64_t record, int64_t correlation);

/* The same for the start of a span that waits in its nest, see tr_ingest_nested: all but its time, record and args. */
struct tr__start_template {
    struct tr_row row;
    struct tr__event event;
};

/* The template of the last event that was added.  False: it does not wait in a nest, or cannot be one. */
bool tr__start_template_of(struct tr_ingest *g, struct tr__start_template *t);

/*
 * Add a start, with args of the same types.  correlation: a plain one if the template has one.  *taken becomes false if
 * the nest does not take it; then nothing was added.  False: out of memory.
 */
bool tr__start_template_add(struct tr_ingest *g, const struct tr__start_template *t, uint32_t nest, int64_t ts,
                            uint64_t record, int64_t correlation, const struct tr__arg *args, size_t n, bool *taken);

/* The values of args, in place of those that an event begins with in its template. */
void tr__event_template_args(struct tr__event_template *p, const struct tr__arg *args, size_t n);

/* What was counted as damage so far, in this piece. */
uint64_t tr__ingest_n_damaged(const struct tr_ingest *g);

#endif
