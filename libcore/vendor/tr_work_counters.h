/* SPDX-License-Identifier: MIT */
/*
 * Hardware counters of all vendors that count the work of a kernel: operations and bytes.
 *
 * A counter counts instructions or requests of one kind.  Its weight is how many operations or bytes one of them is:
 * a multiply and add in one instruction is two operations.
 *
 *     const struct tr_work_counter *c = tr_work_counter_find(tr_metric_base("XVE_INST_EXECUTED_FP32[events]"));
 *     if (c)
 *         operations[c->work] += c->weight * value;
 *
 * Several counters of a kernel may count the same work in different ways: "FETCH_SIZE" is computed from
 * "TCC_EA_RDREQ_sum" and others.  Then those of the lowest way count, and the others do not.
 */
#ifndef TR_WORK_COUNTERS_H
#define TR_WORK_COUNTERS_H

#include "base/tr_str.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What counters count: operations of a unit and precision, and bytes. */
enum tr_work {
    TR_WORK_VECTOR_FP16,
    TR_WORK_VECTOR_FP32,
    TR_WORK_VECTOR_FP64,
    TR_WORK_MATRIX_BF16,
    TR_WORK_MATRIX_FP16,
    TR_WORK_MATRIX_FP32, /* also tf32, in which NVIDIA's units compute them */
    TR_WORK_MATRIX_FP64,
    TR_WORK_MATRIX_FP8,
    TR_WORK_MATRIX_INT8,
    TR_WORK_SPECS, /* how many these are */
    TR_WORK_L3_READ = TR_WORK_SPECS,
    TR_WORK_L3_WRITE,
    TR_WORK_MEMORY_READ,
    TR_WORK_MEMORY_WRITE,
    TR_WORK_MEMORY, /* read and written */
    TR_WORKS
};

struct tr_work_counter {
    const char *name;
    uint8_t work, way;
    int16_t weight; /* operations or bytes */
};

/* The name of a unit and precision, as in files of peaks: "vector_fp16". */
const char *tr_work_spec(enum tr_work work);

/* base: the name of a counter without a unit in brackets.  NULL: it counts no work. */
const struct tr_work_counter *tr_work_counter_find(struct tr_str base);

#ifdef __cplusplus
}
#endif
#endif
