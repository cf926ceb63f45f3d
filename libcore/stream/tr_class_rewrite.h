/* SPDX-License-Identifier: MIT */
/*
 * Classes for events: batches with a new column class, and perhaps new kinds.
 *
 * Labels are strings of the stream.  A dictionary that is still being read cannot take new strings, because its numbers
 * belong to the stream.  So the result has another dictionary: first the labels, and then the strings of the input as
 * they arrive.  Tracks, sources, clocks, columns and shapes keep their numbers.  All labels are sent, used or not, so
 * the result does not depend on the sizes of batches.
 *
 *     tr_class_rewrite_new(&r, in->dict, in->sorted, labels, n_labels, &err);
 *     tr_writer_start(w, tr_class_rewrite_dict(r), ...);
 *     while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
 *         ...fill in label[] and kind[], an entry per event...
 *         tr_class_rewrite_batch(r, b, label, kind, &out, &err);
 *     }
 *     tr_class_rewrite_sync(r, &err);
 *
 * Memory: one batch, and four bytes per string.  Not shared between threads.
 */
#ifndef TR_CLASS_REWRITE_H
#define TR_CLASS_REWRITE_H

#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_CLASS_NONE UINT32_MAX       /* the event gets no label */
#define TR_CLASS_KEEP (UINT32_MAX - 1) /* the event keeps its label, if any */

struct tr_class_rewrite;

/*
 * dict    of the input; may grow; must outlive this
 * sorted  whether the input is in canonical order: if not, tracks and sources may change until its end
 * labels  n of them, distinct; copied
 *
 * Returns TR_OK; TR_SYSTEM when memory ran out.
 */
enum tr_status tr_class_rewrite_new(struct tr_class_rewrite **out, const struct tr_dict *dict, bool sorted,
                                    const char *const *labels, size_t n, struct tr_error *err);
void tr_class_rewrite_free(struct tr_class_rewrite *r);

/* The dictionary of the labelled batches; owned by r. */
const struct tr_dict *tr_class_rewrite_dict(const struct tr_class_rewrite *r);

/* Copy the new rows of the input's dictionary; call it once more after the last batch. */
enum tr_status tr_class_rewrite_sync(struct tr_class_rewrite *r, struct tr_error *err);

/*
 * A batch with its labels.
 *
 * label  by event: number of a label, TR_CLASS_NONE or TR_CLASS_KEEP
 * kind   by event: enum tr_kind
 *
 * *out shares columns with in, and is valid as long as in and until the next call.
 */
enum tr_status tr_class_rewrite_batch(struct tr_class_rewrite *r, const struct tr_batch *in, const uint32_t *label,
                                      const uint8_t *kind, const struct tr_batch **out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
