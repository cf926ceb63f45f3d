/* SPDX-License-Identifier: MIT */
/*
 * Ranks and mesh coordinates from file names, and from labels of processes in files that were merged from several.
 *
 * The rank of a source comes from the user, else from the trace, else from its file name, else from its position among
 * the inputs (tr-parse(1), "Ranks").  Names of files are the third rule; labels belong to the second one.
 */
#ifndef TR_RANK_H
#define TR_RANK_H

#include "base/tr_str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Rank in a file name: "rank-3", "rank_3", "rank3" anywhere in its last component (any case), or
 * APP.PID.RANK.json, or that of the folder of unitrace that it is in.  False: none.
 */
bool tr_rank_from_name(const char *path, int64_t *rank);

/*
 * unitrace writes the files of a process to a folder, [rank_RANK.]APP.PID.  They are of one run: a trace, reports, a
 * log.  Such a path ends with the folder and the name of one of these files.
 */
struct tr_result_folder {
    const char *name; /* of the folder, in the path: len bytes */
    size_t len;
    int64_t rank, pid; /* rank -1: none */
};

/* False: the path does not lead to a file of such a folder. */
bool tr_result_folder(const char *path, struct tr_result_folder *out);

/* Do two paths lead to files of one such folder? */
bool tr_result_folder_same(const char *a, const char *b);

/*
 * PyTorch names a recording WORKER.TIME.pt.trace.json, by default with HOST_PID for WORKER.  Do two paths lead to
 * recordings of one worker?
 */
bool tr_same_worker(const char *a, const char *b);

/*
 * Mesh coordinates in a file name ("TP-0-DP-1-PP-0", "dp0_pp1_tp2") as "TP=0 DP=1 PP=0", in the order
 * found, names in upper case; as many as fit.  Returns the length written to out, 0: none.
 */
size_t tr_mesh_from_name(const char *path, char *out, size_t size);

/* The number of a mesh, as of tr_mesh_from_name, on an axis such as "tp" or "TP"; -1: it has none. */
int64_t tr_mesh_place(const char *mesh, const char *axis);

/*
 * The axes along which a process group goes, as a set of bits; 0: unknown.  Either as its name or description says
 * ("mesh_tp", "tp:0", "TENSOR_MODEL_PARALLEL_GROUP", "dp_cp"), or those on which meshes of its ranks differ.
 */
#define TR_MESH_PP (1u << 2) /* pipelines */
unsigned tr_mesh_axes_of_name(struct tr_str name);
unsigned tr_mesh_axes_between(const char *mesh, const char *other);
/* As users write them: "tp", "dp+cp".  Returns out. */
#define TR_MESH_ROLE 18u
const char *tr_mesh_role(unsigned axes, char out[TR_MESH_ROLE]);

/*
 * What a label of a process says of its rank: "[TP00-DP01] 500", "[rank 3] GPU 0", "Rank 3: python",
 * "RANK 3 HOST<node1>".
 */
struct tr_rank_label {
    char text[64];  /* equal for the processes of one rank */
    char mesh[64];  /* as of tr_mesh_from_name; empty: none */
    char host[128]; /* empty: unknown */
    int64_t rank;   /* -1: unknown; mesh may give it, see tr_ranks_from_meshes */
    size_t len;     /* bytes of the label's text that belong to the label */
};

/* any: whatever stands in brackets at the start is a label.  False: there is none. */
bool tr_rank_from_label(const char *text, size_t len, bool any, struct tr_rank_label *out);

/*
 * The ranks of n different labels with meshes.  Axes that are needed to distinguish the labels count, TP first; of
 * these, TP changes fastest, then CP, SP, EP, DP and PP, as in Megatron.  False: they cannot be distinguished.
 */
bool tr_ranks_from_meshes(struct tr_rank_label *labels, size_t n);

#ifdef __cplusplus
}
#endif
#endif
