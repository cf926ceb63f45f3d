/* SPDX-License-Identifier: MIT */
/*
 * Values of packed columns as JSON, for the writers of events as text.
 *
 * The caller walks the events of a batch in order.  For every member of an event's shape with a packed column, it takes
 * or skips exactly one value of that column.  Whether a string needs escapes is checked once per string, not once per
 * event.
 *
 * Owner: the caller; zero-initialise, set dict, release with tr_members_free.  One thread.
 */
#ifndef TR_MEMBERS_H
#define TR_MEMBERS_H

#include "base/tr_mem.h"
#include "stream/tr_batch.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_TEXT_CHUNK (256u * 1024u) /* bytes in the buffer at which writers of events return */

struct tr_members {
    const struct tr_dict *dict;
    const struct tr_batch *batch;
    size_t *cursor; /* next entry, by column */
    size_t cap_cursor;
    uint8_t *known; /* by string number: results of this check */
    size_t n_known, cap_known;
    struct tr_buf scratch;
};

/* Start a batch: every column at its first entry.  False: out of memory. */
bool tr_members_start(struct tr_members *m, const struct tr_batch *b);
void tr_members_free(struct tr_members *m);

/*
 * The next entry of a column as stored (doubles as bits, strings as their number).  False: none
 * left.
 */
bool tr_members_take(struct tr_members *m, uint32_t column, int64_t *value);

/* The same, but the entry is not taken. */
bool tr_members_peek(const struct tr_members *m, uint32_t column, int64_t *value);

/*
 * Move past event i: one entry for each of its members and derived columns.  For callers of peek.
 */
void tr_members_advance(struct tr_members *m, size_t i);

/* The next entry of a column appended as JSON; null if there is none.  False: out of memory. */
bool tr_members_json(struct tr_members *m, uint32_t column, struct tr_buf *out);

/* A stored value of a type appended as JSON (types that have entries).  False: out of memory. */
bool tr_members_value(struct tr_members *m, unsigned type, int64_t value, struct tr_buf *out);

/* String number id in quotes. */
bool tr_members_str(struct tr_members *m, uint32_t id, struct tr_buf *out);

/* Does this event have an entry in derived column c? */
static inline bool tr_members_derived(const struct tr_members *m, size_t i, unsigned column)
{
    return (m->batch->flags[i] & m->dict->columns[column].flag) != 0;
}

/* The double whose bits a column holds. */
static inline double tr_members_double(int64_t bits)
{
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#ifdef __cplusplus
}
#endif
#endif
