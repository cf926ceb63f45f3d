/*
 * Progress accounting: how much is done, and how much there is to do, in bytes.
 *
 * Readers add what they have consumed; whoever shows progress looks at it when it likes.  All
 * functions may be called from any thread at any time; each value is exact, the pair need not be of
 * one moment.
 */
#ifndef TR_PROGRESS_H
#define TR_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_progress;

struct tr_progress *tr_progress_new(void); /* NULL: out of memory */
void tr_progress_free(struct tr_progress *p);

/*
 * Announce one more input of so many bytes; 0: its size is unknown, and so the total is from now
 * on.
 */
void tr_progress_add_input(struct tr_progress *p, uint64_t bytes);
void tr_progress_add_done(struct tr_progress *p, uint64_t bytes);

/* Bytes done of all inputs; any thread may ask. */
uint64_t tr_progress_done(const struct tr_progress *p);
/*
 * The total of all inputs, set in *bytes; false if it is unknown (*bytes then holds what is known).
 */
bool tr_progress_total(const struct tr_progress *p, uint64_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
