/* SPDX-License-Identifier: MIT */
/* A spill whose files are temporary ones in a folder. */
#ifndef TR_SPILL_DIR_H
#define TR_SPILL_DIR_H

#include "base/tr_spill.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * memory_bytes  that tables may have before they go to files; half of it is what files may have in memory
 * dir           folder of the files; copied
 *
 * NULL: out of memory.  It has to outlive its tables.
 */
struct tr_spill *tr_spill_dir_new(uint64_t memory_bytes, const char *dir);
void tr_spill_dir_free(struct tr_spill *s);

#ifdef __cplusplus
}
#endif
#endif
