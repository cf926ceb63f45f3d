/* SPDX-License-Identifier: MIT */
/*
 * An input of events, whatever it comes from: a stream file, a raw trace parsed in memory, or several
 * merged.  Programs and analyses know only this.
 *
 *     struct tr_input *in;
 *     const struct tr_batch *b;
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *         use(b);
 *     if (st != TR_END)
 *         ...err says why; nothing computed so far may pass for a result
 *
 * One thread at a time.  Batches stay valid until the next call on the same input.
 */
#ifndef TR_INPUT_H
#define TR_INPUT_H

#include "stream/tr_batch.h"
#include "stream/tr_provenance.h"
#include "stream/tr_side_table.h"
#include "stream/tr_summary.h"
#include "stream/tr_projection.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tr_input;

/* What an implementation provides; self is its own state, of which the struct tr_input is a member. */
struct tr_input_ops {
    enum tr_status (*next)(void *self, const struct tr_batch **batch, struct tr_error *err);
    void (*close)(void *self); /* releases self, and with it the struct tr_input inside it */
    bool (*want)(void *self, const struct tr_projection *want); /* NULL: all columns are always there */
    void (*ahead)(void *self, unsigned n_blocks);         /* NULL: nothing is read ahead */
};

struct tr_input {
    const struct tr_input_ops *ops;
    void *self;
    const struct tr_dict *dict;
    /*
     * Belongs to the input.  Never NULL, and at one address from opening to closing, so that a writer may have
     * it before it is complete.  Sorted: complete before the first batch, and unchanged from then on.  Else it
     * is filled in while batches come, and complete after the last: until then its rows may move.
     */
    const struct tr_summary *summary;
    /* Side data; NULL: none.  Sorted: all of them before the first batch, else as they come. */
    const struct tr_side_tables *tables;
    const struct tr_provenance *provenance; /* program runs that led here; NULL: none, a raw trace */
    bool sorted;                      /* canonical order; the implementation checks it */
    char name[512];                   /* for messages */
};

/*
 * The next batch.
 * Returns TR_OK, TR_END (proper end seen), or TR_DAMAGED / TR_SYSTEM with err filled in.
 */
static inline enum tr_status tr_input_next(struct tr_input *in, const struct tr_batch **batch,
                                           struct tr_error *err)
{
    return in->ops->next(in->self, batch, err);
}

/*
 * Say which columns of batches to come will be read, before the first is asked for; the others need not be
 * decoded.  Until then all are there.  A fixed column that was left out is a NULL array, a packed one has no
 * entries: so batches with a choice of columns cannot be passed to a writer.  The order of a sorted stream is
 * checked by ts alone unless dur, suspect, track and record are read as well.  Inputs that are no stream, nor
 * merged of streams, may keep all their columns.  With want->any_rank_order the input still counts as sorted,
 * but its events do so for each rank only.
 * False: out of memory, nothing changed.
 */
bool tr_input_want(struct tr_input *in, const struct tr_projection *want);

/*
 * Have threads read and decode n_blocks (1 to 5) ahead, from the next tr_input_next on, where the input knows how.
 * What is read is the same.  If the input is closed before its end while such a thread waits for its bytes, that
 * call may return after tr_input_close.
 */
void tr_input_ahead(struct tr_input *in, unsigned n_blocks);

/* Close and release; NULL is allowed. */
void tr_input_close(struct tr_input *in);

#ifdef __cplusplus
}
#endif
#endif
