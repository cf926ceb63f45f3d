/* SPDX-License-Identifier: MIT */
/*
 * A batch: up to a few thousand events as columns.  Events are passed between programs' parts in batches.
 *
 * A fixed column has one entry for each event.  A packed column has entries only for the events that have the value:
 * those whose shape has a slot of that column, or, for a derived column, those whose flags have the column's bit.
 * So a loop over all events needs a cursor for each packed column.  tr_batch_expand_* does this for one column: the
 * result has one entry for each event.
 *
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         for (size_t i = 0; i < b->n; i++)
 *             if (tr_is_device_work(b->activity[i]))
 *                 busy += tr_dur_used(b->dur[i], b->suspect[i]);
 *
 * Events are in canonical order unless the input is unsorted: events without ts first, then by ts, longer events first
 * (an absent duration is the longest), then by source and record (tr-stream(5), "Canonical order").
 */
#ifndef TR_BATCH_H
#define TR_BATCH_H

#include "stream/tr_dict.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_BATCH_MAX 8192u /* events in a batch that tr-parse makes; readers accept any number */

/* A packed column in memory: int64 entries, or string numbers for types that hold them. */
struct tr_col {
    size_t n, cap;
    union {
        int64_t *i64; /* INT, UINT (as bits), DECIMAL, DOUBLE (as bits), QUOTED */
        uint32_t *str; /* STRING, JSON, NUMBER */
    } v;
};

struct tr_batch {
    size_t n, cap;
    const struct tr_dict *dict;
    int64_t *ts, *dur;   /* ns or TR_TIME_NONE */
    uint64_t *record;    /* index of the element in its source's traceEvents */
    uint32_t *track, *shape;
    uint32_t *name, *cat; /* string numbers; cat TR_NO_STR: none */
    uint8_t *phase, *activity, *kind, *suspect, *flags;
    struct tr_col *cols; /* by column number */
    uint32_t *frame;     /* frames around the events (service/tr_owners.h); NULL: nobody has asked for them */
    size_t cap_frame;
    size_t n_cols;       /* may be less than dict->n_columns: the other columns have no entries in this batch */
};

struct tr_batch *tr_batch_new(void); /* without events; NULL: out of memory */
void tr_batch_free(struct tr_batch *b);
void tr_batch_clear(struct tr_batch *b); /* no events, memory kept */
bool tr_batch_reserve(struct tr_batch *b, size_t n_events); /* false: out of memory */
bool tr_batch_reserve_cols(struct tr_batch *b, size_t n_cols);
bool tr_col_reserve(struct tr_col *c, size_t n, enum tr_type type);

static inline bool tr_type_is_string(unsigned type)
{
    return type == TR_T_STRING || type == TR_T_JSON || type == TR_T_NUMBER;
}
/* Are values of this type in a column?  null, false and true are not. */
static inline bool tr_type_has_entry(unsigned type)
{
    return type >= TR_T_INT;
}

/* Does event i have an entry in packed column c? */
bool tr_batch_has(const struct tr_batch *b, size_t i, uint32_t column);

/*
 * One entry for each event from a packed column; events without an entry get the value absent.  out has room for b->n.
 */
void tr_batch_expand_i64(const struct tr_batch *b, uint32_t column, int64_t absent, int64_t *out);
void tr_batch_expand_str(const struct tr_batch *b, uint32_t column, uint32_t *out); /* TR_NO_STR */

/*
 * The entries of a packed column, each with its event:
 *
 *     struct tr_entries e;
 *     for (tr_entries_start(&e, b, column); tr_entries_next(&e);)
 *         ...e.value of event e.event; for a string, its number...
 */
struct tr_entries {
    const struct tr_batch *b;
    uint32_t column;
    size_t event; /* of the current entry */
    int64_t value;
    size_t at, n;        /* entries read so far, and entries of the column */
    uint8_t known[1024]; /* by shape: 0 unknown, 1 no, 2 yes; larger shapes are checked each time */
};
void tr_entries_start(struct tr_entries *e, const struct tr_batch *b, uint32_t column);
bool tr_entries_next(struct tr_entries *e); /* false: there are no more */

/*
 * The duration that counts for the order: 0 if the event is suspect for another reason than TR_SUSPECT_BEFORE_BASE.
 * (An event before its time base keeps its duration: the base may become known after the events are sorted.)
 */
static inline int64_t tr_order_dur(int64_t dur, unsigned suspect)
{
    return suspect == TR_SUSPECT_NO || suspect == TR_SUSPECT_BEFORE_BASE ? dur : 0;
}

/*
 * Compare two events by start and duration (tr_order_dur): <0, 0, >0.  If this is 0, the order of their sources
 * decides, then their records.
 */
static inline int tr_order_cmp(int64_t ts_a, int64_t dur_a, int64_t ts_b, int64_t dur_b)
{
    if (ts_a != ts_b) /* TR_TIME_NONE is the smallest value, so events without ts come first */
        return ts_a < ts_b ? -1 : 1;
    if (dur_a == dur_b)
        return 0;
    if (dur_a == TR_TIME_NONE || dur_b == TR_TIME_NONE)
        return dur_a == TR_TIME_NONE ? -1 : 1;
    return dur_a > dur_b ? -1 : 1;
}

#ifdef __cplusplus
}
#endif
#endif
