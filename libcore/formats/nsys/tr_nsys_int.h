/* SPDX-License-Identifier: MIT */
/*
 * Reader of the SQLite databases that Nsight Systems exports: what its files share.  Internal to libcore.
 *
 *   tr_nsys.c           the tables, and their order
 *   tr_nsys_ids.c       processes and threads
 *   tr_nsys_calls.c     calls of the host: CUDA, the operating system, MPI, libraries; overhead
 *   tr_nsys_work.c      kernels, copies, memsets, graphs, waits
 *   tr_nsys_nvtx.c      ranges and marks of NVTX
 *   tr_nsys_counters.c  metrics of GPUs, memory
 *   tr_nsys_about.c     the capture: versions, host, devices, ranks, names; what was not read
 */
#ifndef TR_NSYS_INT_H
#define TR_NSYS_INT_H

#include "formats/tables/tr_tables_int.h"

/* Keys of args.  Those of Kineto are named as there. */
enum tr__nsys_key {
    TR__NSYS_DEVICE, TR__NSYS_CONTEXT, TR__NSYS_STREAM, TR__NSYS_CORRELATION, TR__NSYS_REGISTERS, TR__NSYS_SHARED,
    TR__NSYS_LOCAL, TR__NSYS_GRID, TR__NSYS_BLOCK, TR__NSYS_CLUSTER, TR__NSYS_SHORT_NAME, TR__NSYS_BYTES,
    TR__NSYS_VALUE, TR__NSYS_N_COPIES, TR__NSYS_FROM_DEVICE, TR__NSYS_TO_DEVICE, TR__NSYS_GRAPH_EXEC, TR__NSYS_EVENT,
    TR__NSYS_WAIT_STREAM, TR__NSYS_WAIT_RECORD, TR__NSYS_RETURNED, TR__NSYS_NESTING, TR__NSYS_MISSING, TR__NSYS_TAG,
    TR__NSYS_SEND_SIZE, TR__NSYS_RECV_SIZE, TR__NSYS_SRC, TR__NSYS_DST, TR__NSYS_ROOT, TR__NSYS_COMM, TR__NSYS_DOMAIN,
    TR__NSYS_DOMAIN_ID, TR__NSYS_CATEGORY, TR__NSYS_PAYLOAD, TR__NSYS_OP_ID, TR__NSYS_SEQ, TR__NSYS_DIMS,
    TR__NSYS_INPUT_OPS, TR__NSYS_COUNTED, TR__NSYS_MEMORY, TR__NSYS_ADDR, TR__NSYS_DEVICE_TYPE, TR__NSYS_DEVICE_ID,
    TR__NSYS_MEMORY_KIND, TR__NSYS_N_KEYS
};

/* What was left out, or is of note; see the table of facts in tr_nsys_about.c. */
enum tr__nsys_fact {
    TR__NSYS_CALL_COPIES, TR__NSYS_WAIT_COPIES, TR__NSYS_OPEN_RANGES, TR__NSYS_GRAPH_LAUNCHES, TR__NSYS_EVENTS_OFF,
    TR__NSYS_BINARY, TR__NSYS_N_FACTS
};

/* The record of a CUDA event on a stream. */
struct tr__nsys_recorded {
    uint32_t process;
    int64_t event, correlation, stream;
};

struct tr__nsys {
    struct tr__tables *t;
    uint64_t facts[TR__NSYS_N_FACTS];
    struct tr__numbers api_names; /* id to number of the name without its version */
    struct tr__numbers receives;  /* id to 1: a call of MPI that receives, or 0 */
    uint64_t *copies; /* process and correlation of calls that may be there twice; the top bit: it is there */
    size_t n_copies, cap_copies;
    struct tr__nsys_recorded *recorded;
    size_t n_recorded, cap_recorded;
    struct { /* the last wait of a thread of MPI, by a hash of the thread */
        int64_t tid, start, end, name;
    } waits[64];
    struct tr_strtab *domain_keys; /* process and domain, or category, of NVTX */
    uint32_t *domains;             /* by number of key: number of text */
    size_t cap_domains;
    struct tr__nsys_metric {
        int64_t type, id;
        uint32_t name;
    } *metrics;
    size_t n_metrics, cap_metrics, metric; /* metric: the last one */
};

/* ---- tr_nsys_ids.c ---- */

/* The process of a globalPid or globalTid.  NULL: out of memory, or more processes than there can be. */
struct tr__tables_process *tr__nsys_process(struct tr__nsys *r, int64_t global);
static inline int64_t tr__nsys_tid(int64_t global)
{
    return global & 0xffffff;
}

/* Set the track of the event: a thread, by a globalTid.  TR_OK, or a failure. */
enum tr_status tr__nsys_on_thread(struct tr__nsys *r, int64_t global);

/* ---- the others ---- */

const char *tr__nsys_memory_kind(int64_t kind); /* CUpti_ActivityMemoryKind; NULL: unknown */

extern const struct tr__tables_table tr__nsys_runtime, tr__nsys_runtime_again, tr__nsys_runtime_rest, tr__nsys_osrt,
    tr__nsys_overhead, tr__nsys_profiler_overhead, tr__nsys_cudnn, tr__nsys_cublas, tr__nsys_mpi_p2p,
    tr__nsys_mpi_collectives, tr__nsys_mpi_start_wait, tr__nsys_mpi_other;
extern const struct tr__tables_table tr__nsys_kernel, tr__nsys_memcpy, tr__nsys_memset, tr__nsys_graph,
    tr__nsys_cuda_event, tr__nsys_sync;
extern const struct tr__tables_table tr__nsys_nvtx_names, tr__nsys_nvtx;
extern const struct tr__tables_table tr__nsys_metric_names, tr__nsys_metrics, tr__nsys_memory;

/* The name of a call without the version of the interface at its end: cudaLaunchKernel_v7000. */
struct tr_str tr__nsys_without_version(struct tr_str name);
/* A name of a thread.  TR_OK, or a failure. */
enum tr_status tr__nsys_name_thread(struct tr__nsys *r, int64_t global, struct tr_str name);

/* What is known before the events, and after them. */
enum tr_status tr__nsys_about(void *own);
enum tr_status tr__nsys_about_end(void *own);

#endif
