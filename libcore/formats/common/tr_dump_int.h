/* SPDX-License-Identifier: MIT */
/*
 * Dumps of PyTorch, as JSON or as pickles: one value, which is read as a whole, and whose lists are taken item by item.
 * Internal to libcore.
 */
#ifndef TR_DUMP_INT_H
#define TR_DUMP_INT_H

#include "base/tr_str.h"
#include "ingest/tr_ingest.h"
#include "json/tr_json_tok.h"
#include "stream/format/tr_paged_int.h"

/* The bytes of a dump: beyond a part of -M, they are in a temporary file. */
void tr__dump_init(struct tr_paged *text, const struct tr_open_opts *opts);

/*
 * Read the text of the input; that of a pickle is JSON.  A pickle has equal texts and lists once, JSON each time, so it
 * is growth times as large at most, and 1 GiB.  what: the dump, for messages.  once: lists that are not written each
 * time (tr_pickle_int.h), NULL: there are none; at stays as it is if the text is no pickle.
 */
struct tr__pickle_once;
enum tr_status tr__dump_read(struct tr_paged *text, struct tr_ingest *g, const char *what, unsigned growth,
                             struct tr__pickle_once *once, struct tr_error *err);

/*
 * Call fn for each member of the object that a text is, the key with its quotes.  *cut: the text ends before the
 * object; then the last member is cut, too.  False: it is no object.
 */
bool tr__dump_members(struct tr_paged *text, void (*fn)(void *ctx, struct tr_str key, struct tr_str value, bool cut),
                      void *ctx, bool *cut);

/*
 * The next object or list in a list of the text, from *at on, which is 0 for the first.  s NULL: there is none;
 * *broken: it is cut.
 */
struct tr_str tr__dump_next(struct tr_paged *text, struct tr_str list, size_t *at, bool *broken);

/*
 * Append the first frame that is not torch's own, as "train_step (train.py:41)", else the first one.  frames: a list of
 * frames among the tokens of a text; what is no list has no frame.  False: there is no frame.
 */
bool tr__dump_where(const struct tr_json_tokens *t, const char *text, size_t frames, struct tr_buf *out);

#endif
