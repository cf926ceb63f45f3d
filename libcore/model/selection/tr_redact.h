/* SPDX-License-Identifier: MIT */
/*
 * Redaction: a stream for other people, without names and texts.  Only what is listed here is kept.
 *
 *   kept     times, phases, activities, kinds; classes of the rules that come with the library; ranks,
 *            mesh coordinates; pids, tids, devices and streams that are numbers up to 2^22 (larger
 *            ones become other numbers); record numbers; names of known categories, flows,
 *            metadata events and ProfilerStep#n; the members and args that
 *            tr_redact_rules.c lists: shapes, strides, types, sizes, launch geometry,
 *            correlation and the like
 *   a token  every other name and text: names of events, processes,
 *            threads, hosts, files; unknown phases and categories; text in the place of a number,
 *            except lists of whole numbers and names of process groups up to 9999; keys and texts of unknown args
 *   removed  numbers of unknown args (replaced by null); header members of the JSON
 *            object; a span from a start and an end becomes one complete event, without
 *            the members of the start alone
 *
 * A token is "x" and 16 hexadecimal digits: the first 64 bits of HMAC-SHA-256 of the text under the
 * caller's key.  Equal texts have equal tokens everywhere, so ranks redacted with one key can still be compared.
 * The kind of a kernel follows from its name.  Where that is not compute, the token of the name starts with the kind,
 * as in "comm_x0123456789abcdef": so other formats, which have only the name, keep the kind (tr_kind_of_token).
 * Without the key, nobody can check a guess at a text.
 *
 *     struct tr_redact_opts opts = { .key = key, .key_len = len };
 *     tr_redact_new(&r, in->dict, in->sorted, &opts, &err);
 *     tr_writer_start(w, tr_redact_dict(r), ...);
 *     for each batch b:
 *         tr_redact_batch(r, b, &out, &err);
 *
 * Without an extract (tr_extract.h) tracks and sources keep their numbers, so the summary of the stream stays valid.
 * With one they get its numbers, and the summary is that of the extract.  Not shared between threads.
 */
#ifndef TR_REDACT_H
#define TR_REDACT_H

#include "model/selection/tr_extract.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_REDACT_MIN_KEY 16u /* bytes */

struct tr_redact;

struct tr_redact_opts {
    const void *key; /* copied; NULL: nothing is redacted, only what the extract lacks is left out */
    size_t key_len;  /* bytes, at least TR_REDACT_MIN_KEY */
    bool keep_known; /* keep names of events from public libraries: see tr__redact_is_known */
    const struct tr_extract *extract; /* complete, of the events to come; NULL: keep all sources and tracks */
};

/*
 * Prepare for one stream.
 *
 * dict    of the stream; may grow; must outlive this
 * sorted  whether the stream is in canonical order; if not, tracks are checked again for each batch
 * opts    the extract must outlive this
 *
 * Returns TR_OK; TR_USAGE: the key is too short; TR_SYSTEM: out of memory.
 */
enum tr_status tr_redact_new(struct tr_redact **out, const struct tr_dict *dict, bool sorted,
                             const struct tr_redact_opts *opts, struct tr_error *err);
void tr_redact_free(struct tr_redact *r);

/* The dictionary of the redacted batches; owned by r. */
const struct tr_dict *tr_redact_dict(const struct tr_redact *r);

/* Add the new rows of the stream's dictionary; tr_redact_batch also does this. */
enum tr_status tr_redact_sync(struct tr_redact *r, struct tr_error *err);

/* A redacted batch.  *out is owned by r and valid until the next call. */
enum tr_status tr_redact_batch(struct tr_redact *r, const struct tr_batch *in,
                               const struct tr_batch **out, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
