/* SPDX-License-Identifier: MIT */
/*
 * A job that is watched by the logs of NCCL's inspector while they grow: which group takes longest, which ranks are
 * behind, and which have stopped.
 *
 *     struct tr_log_watch *w = tr_log_watch_new();
 *     st = tr_log_watch_feed(w, b, "node1-pid900.log", &err);     batches of what is new, of any log
 *     st = tr_log_watch_look(w, say, self, &err);                  after each look at all logs
 *
 * A rank has stopped if it is behind others of its communicator, and nothing came of it in TR_LOG_LOOKS looks in a row,
 * but of the others did.  Numbers of collectives are compared, and no times: logs have no common clock.
 *
 * Memory: some 100 bytes for each rank of each communicator.
 */
#ifndef TR_LOG_WATCH_H
#define TR_LOG_WATCH_H

#include "base/tr_status.h"
#include "stream/tr_batch.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_LOG_LOOKS 3u

struct tr_log_watch;

struct tr_log_watch *tr_log_watch_new(void); /* NULL: out of memory */
void tr_log_watch_free(struct tr_log_watch *w);

/* Events of a log; others are ignored.  file: its name.  TR_OK; TR_SYSTEM: out of memory. */
enum tr_status tr_log_watch_feed(struct tr_log_watch *w, const struct tr_batch *b, const char *file,
                                 struct tr_error *err);

/*
 * All logs have been read as they are now: say what is new since the last look, a line at a time.  Nothing is said if
 * nothing is new.
 *
 *   slowest   the communicator whose ranks spent most time in collectives since the last look, in the mean
 *   behind    a rank that has fewer collectives than others of its communicator, the farthest first, at most ten
 *   stopped   see above; once
 *   goes on   a rank that had stopped
 *   silent    nothing came of any rank of a communicator in TR_LOG_LOOKS looks; once
 */
typedef enum tr_status tr_log_say(void *self, const char *line, struct tr_error *err);
enum tr_status tr_log_watch_look(struct tr_log_watch *w, tr_log_say *say, void *self, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
