/* SPDX-License-Identifier: MIT */
/* Numbers in execution traces of Chakra, and their names.  Internal to libcore. */
#ifndef TR_ET_NAMES_INT_H
#define TR_ET_NAMES_INT_H

#include <stdint.h>

/* The kind of a node, as the schema of Chakra names it; NULL: unknown. */
const char *tr__et_chakra_kind(int64_t type);
/* The collective of a comm_type; NULL: unknown. */
const char *tr__et_chakra_collective(int64_t type);

#endif
