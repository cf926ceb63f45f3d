/* SPDX-License-Identifier: MIT */
/*
 * Calls of operators in words, as a trace in memory: "aten::mm [40960,1536] [1536,6144] bf16".
 *
 * tr-roofline --shape reads that trace as it reads any other, so a call in words has the figures of a call in a trace.
 * The calls take no time.
 */
#ifndef ROOFLINE_SHAPE_H
#define ROOFLINE_SHAPE_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "vendor/tr_models.h"

/* The arguments of a call, as traces write them: texts in JSON. */
struct roofline_call {
    struct tr_str op; /* in the words */
    struct tr_buf dims, types, strides, args;
};

/*
 * Read a call from words.  TR_OK; TR_USAGE: they are malformed, and err says where; TR_SYSTEM.  In any case, free it.
 */
enum tr_status roofline_call_read(struct roofline_call *c, const char *words, struct tr_error *err);
void roofline_call_free(struct roofline_call *c);

/* The arguments for a model. */
struct tr_model_args roofline_call_args(const struct roofline_call *c);

/* Append the events of call number n: the operator, its launch, its kernel.  False: out of memory. */
bool roofline_call_events(const struct roofline_call *c, size_t n, struct tr_buf *events);

#endif
