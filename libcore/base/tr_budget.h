/* SPDX-License-Identifier: MIT */
/*
 * A budget: a limit of memory, in bytes, that several tables share.
 *
 * A table takes bytes from the budget before it allocates memory, and gives them back later.  The budget only counts;
 * it allocates nothing.  Any number of threads may use it.
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
/* The budget for data that stays in memory for whole streams, in a program that may use max_memory bytes: max_memory
 * again, and at least 64 MiB. */
uint64_t tr_budget_kept_bytes(uint64_t max_memory);
struct tr_budget *tr_budget_kept(uint64_t max_memory);
void tr_budget_free(struct tr_budget *b);

/* Take this number of bytes.  False: there are not enough left, and nothing was taken.  b NULL: there is no limit. */
bool tr_budget_take(struct tr_budget *b, uint64_t bytes);
void tr_budget_give(struct tr_budget *b, uint64_t bytes); /* give back bytes that were taken, or a part of them */

#ifdef __cplusplus
}
#endif
#endif
