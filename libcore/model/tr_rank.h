/* SPDX-License-Identifier: MIT */
/*
 * Ranks and mesh coordinates from file names.
 *
 * The rank of a source comes from the user, else from the trace, else from its file name, else from its position among
 * the inputs (tr-parse(1), "Ranks").  This is the third rule.
 */
#ifndef TR_RANK_H
#define TR_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Rank in a file name: "rank-3", "rank_3", "rank3" anywhere in its last component (any case), or
 * APP.PID.RANK.json.  False: none.
 */
bool tr_rank_from_name(const char *path, int64_t *rank);

/*
 * Mesh coordinates in a file name ("TP-0-DP-1-PP-0", "dp0_pp1_tp2") as "TP=0 DP=1 PP=0", in the order
 * found, names in upper case; as many as fit.  Returns the length written to out, 0: none.
 */
size_t tr_mesh_from_name(const char *path, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
