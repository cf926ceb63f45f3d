/* SPDX-License-Identifier: MIT */
/* Types of tensors, by the names that frameworks give them. */
#ifndef TR_DTYPES_H
#define TR_DTYPES_H

#include "base/tr_str.h"

/* Bytes of an element; for packed types, bytes of a pack.  0: not known. */
unsigned tr_dtype_size(struct tr_str dtype);

/* "fp32", "bf16" and so on, as in the names of peaks; NULL: the type has none. */
const char *tr_dtype_precision(struct tr_str dtype);

/* The name of a type of PyTorch's tensors in Python: "float32", "bfloat16"; NULL: it has none. */
const char *tr_dtype_torch(struct tr_str dtype);

/*
 * The name of a type that people call differently: "bf16", "bfloat16" and "c10::BFloat16" are "c10::BFloat16"; a name
 * that only XLA has stays.  No text: the type is not known.
 */
struct tr_str tr_dtype_called(struct tr_str word);

#endif
