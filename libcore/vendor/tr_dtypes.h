/* SPDX-License-Identifier: MIT */
/* Types of tensors, by the names that frameworks give them. */
#ifndef TR_DTYPES_H
#define TR_DTYPES_H

#include "base/tr_str.h"

/* Bytes of an element, of packed types those of a pack; 0: it is not known. */
unsigned tr_dtype_size(struct tr_str dtype);

/* "fp32", "bf16" and so on, as peaks are named by; NULL: the type has none. */
const char *tr_dtype_precision(struct tr_str dtype);

#endif
