/* SPDX-License-Identifier: MIT */
/*
 * Functions in two versions.  TR_WIDE before a function compiles it twice: for all processors, and for newer ones with
 * wider registers.  The loader chooses the version.  It is for functions that are one loop over columns.  They compute
 * with integers only, so both versions give the same results.  Include this file after config.h.
 * TR_WIDE_PART before a function that they call makes it a part of each version.
 */
#ifndef TR_WIDE_INT_H
#define TR_WIDE_INT_H

#ifdef TR_HAVE_CLONES
#define TR_WIDE __attribute__((target_clones("arch=x86-64-v3", "default")))
#define TR_WIDE_PART static inline __attribute__((always_inline))
#else
#define TR_WIDE
#define TR_WIDE_PART static inline
#endif

#endif
