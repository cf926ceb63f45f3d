/* SPDX-License-Identifier: MIT */
/*
 * Names of device work as Intel's unitrace writes them: what is added to the name of a kernel or command.
 *
 *     Tile #1: gemm[SIMD16 {56; 1; 1} {64; 8; 1}]    gemm: width of its instructions, groups, items of a group
 *     gemm {56; 1; 1} {64; 8; 1}]                    the same without a width, which unitrace did not know
 *     zeCommandListAppendMemoryCopy(M2D)[4096]       zeCommandListAppendMemoryCopy(M2D): bytes
 */
#ifndef TR_INTEL_NAME_H
#define TR_INTEL_NAME_H

#include "base/tr_str.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name without these additions; a name without them does not change. */
struct tr_str tr_intel_bare_name(struct tr_str name);

/* The size of a copy or memset from its name; -1: the name does not state it. */
int64_t tr_intel_copy_bytes(struct tr_str name);

/* The tile of "Tile #1: ..."; -1: the name does not state it. */
int64_t tr_intel_tile(struct tr_str name);

#define TR_INTEL_SIMD_ANY INT64_C(-1) /* "SIMD_ANY" */

struct tr_intel_shape {
    int64_t simd;                /* width of the instructions; 0: the name does not state it */
    bool sized;                  /* the name states the groups, too */
    int64_t groups[3], items[3]; /* number of groups, items of a group */
};

/* The shape of a kernel.  False: the name does not state it, or has another form. */
bool tr_intel_shape(struct tr_str name, struct tr_intel_shape *out);

#ifdef __cplusplus
}
#endif
#endif
