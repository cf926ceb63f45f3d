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

/* memory_bytes for a program that may use max_memory bytes: a quarter of them, and at least 32 MiB. */
static inline uint64_t tr_spill_dir_share(uint64_t max_memory)
{
    const uint64_t min = UINT64_C(32) << 20;
    return max_memory / 4 > min ? max_memory / 4 : min;
}

/*
 * Fill in err with the reason why tables could not go to files; the tables themselves only report that memory ran out.
 * False: there was no failure, and err does not change.  s may be NULL.
 */
bool tr_spill_dir_failed(struct tr_spill *s, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
