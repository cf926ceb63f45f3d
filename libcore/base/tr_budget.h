/* SPDX-License-Identifier: MIT */
/*
 * A number of bytes that several share, each of whom takes of it before it takes memory, and gives back.
 *
 * It is a count: nothing is allocated.  May be used by any number of threads.
 */
#ifndef TR_BUDGET_H
#define TR_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_budget;

struct tr_budget *tr_budget_new(uint64_t bytes); /* NULL: out of memory */
/* For what is kept of all streams of a program that may use so much: as much again, and 64 MiB at least. */
uint64_t tr_budget_kept_bytes(uint64_t max_memory);
struct tr_budget *tr_budget_kept(uint64_t max_memory);
void tr_budget_free(struct tr_budget *b);

/* Take so many bytes.  False: so many are not left, and none has been taken.  b NULL: there is no limit. */
bool tr_budget_take(struct tr_budget *b, uint64_t bytes);
void tr_budget_give(struct tr_budget *b, uint64_t bytes); /* what has been taken, or part of it */

#ifdef __cplusplus
}
#endif
#endif
