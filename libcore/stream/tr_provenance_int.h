/* SPDX-License-Identifier: MIT */
/* Rows of provenance blocks.  Internal to libcore; tr-stream(5), "Provenance". */
#ifndef TR_PROVENANCE_INT_H
#define TR_PROVENANCE_INT_H

#include "base/tr_mem.h"
#include "stream/tr_provenance.h"

/* Write a run as a row of a block; read all runs of a block. */
bool tr__run_put(const struct tr_run *run, struct tr_buf *row);
enum tr_status tr__runs_get(struct tr_provenance *p, const unsigned char *payload, size_t len,
                            uint32_t n_items, struct tr_error *err);

#endif
