/* SPDX-License-Identifier: MIT */
/* The rank of a trace, from its member "distributedInfo". */
#ifndef TR_METADATA_RANK_H
#define TR_METADATA_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR__RANK_MEMBER "distributedInfo"

/*
 * Read "rank" from the value of the member, JSON of len bytes: an integer from 0 on, plain or in quotes.  *rank is -1
 * if there is none.  False: out of memory.
 */
bool tr__metadata_rank(const char *json, size_t len, int64_t *rank);

#endif
