/* SPDX-License-Identifier: MIT */
/*
 * The account of each step: what the devices of a rank did in its time, as parts that add up.
 *
 *     time = lead + compute + exposed communication + exposed copies + other work + idle time by cause
 *
 * A moment counts for the first of compute, communication, memory and other of which work runs, on any stream of any
 * device of the rank; if nothing runs, for the cause of its gap (tr_idle.h).  Steps and their times are those of
 * tr_step_ends.h.  After the last work of a trace, the cause is TR_IDLE_EDGE.
 *
 *     st = tr_step_accounts_new(in, TR_IDLE_THRESHOLD, &a, err)
 *     for each batch: st = tr_step_accounts_feed(a, b, err)
 *     st = tr_step_accounts_finish(a, err)
 *     ... tr_step_accounts_rows(a, &n)
 *     tr_step_accounts_free(a);
 *
 * Steps are selected, not work: all work is read, because the end of a step depends on that of the step before.
 *
 * When a step ends is known only after the last event.  So stretches of time are kept, and those between which no step
 * can end are merged from time to time.  Memory: 40 bytes for each of them, a few dozen for each step of a rank; and
 * what tr_idle.h and tr_step_ends.h need.
 */
#ifndef TR_STEP_ACCOUNT_H
#define TR_STEP_ACCOUNT_H

#include "analysis/time/tr_idle.h"
#include "analysis/time/tr_step_ends.h"
#include "engine/tr_analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a moment counts for; then the causes of idle time: TR_ACCOUNT_IDLE + enum tr_idle_cause. */
enum tr_account { TR_ACCOUNT_COMPUTE, TR_ACCOUNT_COMM, TR_ACCOUNT_MEMORY, TR_ACCOUNT_OTHER, TR_ACCOUNT_IDLE };
#define TR_N_ACCOUNTS (TR_ACCOUNT_IDLE + TR_N_IDLE_CAUSES)

struct tr_step_account {
    struct tr_group_key key; /* rank and capture */
    uint32_t group;          /* in the order of ranks */
    struct tr_step_span step;
    int64_t of[TR_N_ACCOUNTS];         /* ns */
    uint32_t during[TR_N_IDLE_CAUSES]; /* what the launching thread did in the longest part; TR_NO_STR: not known */
    /*
     * Of the idle time, what the host would have avoided, had it not waited for the device: the gap in which a wait
     * ends, and later ones up to the end of the next step on the host, until they are as long as the wait was; without
     * loading of data, collectives of the host and unknown causes.
     */
    int64_t drained;
};

/* The idle time of a step. */
int64_t tr_step_account_idle(const struct tr_step_account *s);

struct tr_step_accounts;

/* What it needs of a stream. */
void tr_step_accounts_needs(struct tr_needs *n);

/* threshold: of tr_idle_new.  TR_OK, TR_DAMAGED (not sorted) or TR_SYSTEM; *out is to be freed in any case. */
enum tr_status tr_step_accounts_new(const struct tr_analysis_in *in, int64_t threshold, struct tr_step_accounts **out,
                                    struct tr_error *err);
void tr_step_accounts_free(struct tr_step_accounts *a);
enum tr_status tr_step_accounts_feed(struct tr_step_accounts *a, const struct tr_batch *b, struct tr_error *err);
enum tr_status tr_step_accounts_finish(struct tr_step_accounts *a, struct tr_error *err);

/* After finish: what a user should know of the selected steps, as tr_step_ends_remark says. */
bool tr_step_accounts_remark(const struct tr_step_accounts *a, enum tr_step_remark which, char *text, size_t size);

/* After finish: the selected steps by rank, then by start. */
const struct tr_step_account *tr_step_accounts_rows(const struct tr_step_accounts *a, size_t *n);

#ifdef __cplusplus
}
#endif
#endif
