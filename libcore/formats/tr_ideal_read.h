/* SPDX-License-Identifier: MIT */
/*
 * Ideal cycles from the output of a compiler of IBM's AIU: a log, or a folder of PyTorch's cache, which has a file
 * inductor-spyre/KERNEL/perf/ideal_cycles.json for each kernel: a list of objects with ideal_cycles and op_category.
 */
#ifndef TR_IDEAL_READ_H
#define TR_IDEAL_READ_H

#include "vendor/tr_ideal.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Add the tables of a log or folder, as file number ideal->n_files.  TR_OK; TR_NO: it has none; TR_SYSTEM. */
enum tr_status tr_ideal_read(struct tr_ideal *ideal, const char *path, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
