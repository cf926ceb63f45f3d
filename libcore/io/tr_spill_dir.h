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
 * memory_bytes  memory that tables may have before they go to files; the files may have half of this in memory
 * dir           folder of the files; copied
 *
 * NULL: out of memory.  It must outlive its tables.
 */
struct tr_spill *tr_spill_dir_new(uint64_t memory_bytes, const char *dir);
void tr_spill_dir_free(struct tr_spill *s);

/*
 * Fill in err with the reason why tables could not go to files; the tables themselves only report that memory ran out.
 * False: there was no failure, and err does not change.  s may be NULL.
 */
bool tr_spill_dir_failed(struct tr_spill *s, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
