/* SPDX-License-Identifier: MIT */
/* A spill whose files are temporary ones in a folder. */
#ifndef TR_SPILL_DIR_H
#define TR_SPILL_DIR_H

#include "base/tr_spill.h"
#include "base/tr_status.h"

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

/*
 * Why tables could not go to files.  They themselves only say that there is no memory.  False: nothing failed, and err
 * has not changed.  s may be NULL.
 */
bool tr_spill_dir_failed(struct tr_spill *s, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
