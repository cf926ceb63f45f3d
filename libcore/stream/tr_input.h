/* SPDX-License-Identifier: MIT */
/*
 * An input of events: a stream file, a trace parsed in memory, or several inputs merged.  Programs and analyses use
 * only this interface.
 *
 *     struct tr_input *in;
 *     const struct tr_batch *b;
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         use(b);
 *     if (st != TR_END)
 *         ...err has the reason; nothing computed so far is a result
 *
 * One thread at a time.  Batches stay valid until the next call on the same input.
 */
#ifndef TR_INPUT_H
#define TR_INPUT_H

#include "stream/tr_batch.h"
#include "stream/tr_projection.h"
#include "stream/tr_provenance.h"
#include "stream/tr_side_table.h"
#include "stream/tr_summary.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_input;

/* Times of a source that are needed: from <= t < to; none if from is not less. */
struct tr_needed {
    int64_t from, to;
};

/* The functions of an implementation; self is its state, which contains the struct tr_input. */
struct tr_input_ops {
    enum tr_status (*next)(void *self, const struct tr_batch **batch, struct tr_error *err);
    void (*close)(void *self); /* releases self, and with it the struct tr_input inside it */
    bool (*want)(void *self, const struct tr_projection *want); /* NULL: batches always have all columns */
    void (*ahead)(void *self, unsigned n_blocks);         /* NULL: nothing is read in advance */
    void (*only)(void *self, const struct tr_needed *needed); /* NULL: all events come */
    void (*drop_rows)(void *self, const char *begin);     /* of tables; NULL: they stay to the end */
};

struct tr_input {
    const struct tr_input_ops *ops;
    void *self;
    const struct tr_dict *dict;
    /*
     * Owned by the input.  Never NULL, and at one address from opening to closing, so a writer may have it before it is
     * complete.  Of a sorted input, it is complete before the first batch, and does not change.  Of an unsorted input,
     * it is filled in with the batches, and complete after the last one; until then its rows may move.
     */
    const struct tr_summary *summary;
    /* Tables; NULL: none.  Sorted: all of them before the first batch, else as they arrive. */
    const struct tr_side_tables *tables;
    const struct tr_provenance *provenance; /* program runs that made the input; NULL: none, a trace */
    bool sorted;                      /* canonical order; the implementation checks it */
    struct tr_owners *owners;         /* what is around the events (service/tr_owners.h); NULL: nobody has asked */
    char name[512];                   /* for messages */
};

/*
 * The next batch.
 * Returns TR_OK, TR_END (no more events, and the input is complete), or TR_DAMAGED / TR_SYSTEM with err filled in.
 */
static inline enum tr_status tr_input_next(struct tr_input *in, const struct tr_batch **batch,
                                           struct tr_error *err)
{
    return in->ops->next(in->self, batch, err);
}

/*
 * Choose the columns that batches need, before the first batch; other columns need not be decoded.  A fixed column that
 * was left out is a NULL array, and a packed one has no entries.  So batches with a choice of columns cannot be passed
 * to a writer.  The order of a sorted stream is checked only by ts, unless dur, suspect, track and record are read as
 * well.  Inputs other than streams and merged streams may keep all columns.  With want->any_rank_order, the input still
 * counts as sorted, but only the events of each rank are in order.
 * False: out of memory, and nothing changed.
 */
bool tr_input_want(struct tr_input *in, const struct tr_projection *want);

/*
 * Let threads read and decode n_blocks (1 to 5) in advance, from the next tr_input_next on, if the input supports it.
 * The batches are the same.  If the input is closed while such a thread waits for bytes, its read may return after
 * tr_input_close.
 */
void tr_input_ahead(struct tr_input *in, unsigned n_blocks);

/*
 * Before the first batch of a sorted input: of each source (by its number in the dictionary), only events without ts
 * and those that meet these times are needed.  A stream then leaves out blocks that have none of them.  It does not
 * read these blocks if it is a file, does not check their contents, and does not compare the trailer's numbers of
 * phases.  Other events that are not needed may still come.
 */
void tr_input_only(struct tr_input *in, const struct tr_needed *needed);

/*
 * Once all tables have come: nobody reads the rows of those any more whose names begin so.  They may be released now;
 * then the tables have none.
 */
void tr_input_drop_rows(struct tr_input *in, const char *begin);

/* Close and release; NULL is allowed. */
void tr_input_close(struct tr_input *in);

#ifdef __cplusplus
}
#endif
#endif
