/* SPDX-License-Identifier: MIT */
/*
 * Functions in two versions: TR_WIDE before a function that is one loop over columns has it compiled
 * for any processor of the kind and for newer ones with wider registers; the loader takes what fits.
 * Both give the same results: such functions calculate in integers only.  To be included after config.h.
 * TR_WIDE_PART before a function that such functions call makes it a part of each version.
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
