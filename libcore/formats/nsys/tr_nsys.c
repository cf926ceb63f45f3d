/* SPDX-License-Identifier: MIT */
/* Reader of the SQLite databases that Nsight Systems exports: the format, and the order of its tables. */
#include "formats/nsys/tr_nsys_int.h"

#include <stdlib.h>

#define N(list) (sizeof(list) / sizeof *(list))

/* Calls before work, whose process they give where it has none; the names of NVTX before its ranges. */
static const struct tr__tables_table *const tables[] = {
    &tr__nsys_runtime, &tr__nsys_runtime_again, &tr__nsys_runtime_rest, &tr__nsys_kernel, &tr__nsys_memcpy,
    &tr__nsys_memset, &tr__nsys_graph, &tr__nsys_cuda_event, &tr__nsys_sync, &tr__nsys_overhead,
    &tr__nsys_profiler_overhead, &tr__nsys_nvtx_names, &tr__nsys_nvtx, &tr__nsys_osrt, &tr__nsys_cudnn,
    &tr__nsys_cublas, &tr__nsys_mpi_p2p, &tr__nsys_mpi_collectives, &tr__nsys_mpi_start_wait, &tr__nsys_mpi_other,
    &tr__nsys_metric_names, &tr__nsys_metrics, &tr__nsys_memory,
};

static const char *const keys[TR__NSYS_N_KEYS] = {
    [TR__NSYS_DEVICE] = "device", [TR__NSYS_CONTEXT] = "context", [TR__NSYS_STREAM] = "stream",
    [TR__NSYS_CORRELATION] = "correlation", [TR__NSYS_REGISTERS] = "registers per thread",
    [TR__NSYS_SHARED] = "shared memory", [TR__NSYS_LOCAL] = "local memory per thread", [TR__NSYS_GRID] = "grid",
    [TR__NSYS_BLOCK] = "block", [TR__NSYS_CLUSTER] = "cluster", [TR__NSYS_SHORT_NAME] = "short_name",
    [TR__NSYS_BYTES] = "bytes", [TR__NSYS_VALUE] = "value", [TR__NSYS_N_COPIES] = "copies",
    [TR__NSYS_FROM_DEVICE] = "fromDevice", [TR__NSYS_TO_DEVICE] = "toDevice",
    [TR__NSYS_GRAPH_EXEC] = "graph_exec_id", [TR__NSYS_EVENT] = "event id",
    [TR__NSYS_WAIT_STREAM] = "wait_on_stream",
    [TR__NSYS_WAIT_RECORD] = "wait_on_cuda_event_record_corr_id", [TR__NSYS_RETURNED] = "returned",
    [TR__NSYS_NESTING] = "nesting", [TR__NSYS_MISSING] = "missing", [TR__NSYS_TAG] = "tag",
    [TR__NSYS_SEND_SIZE] = "ssize", [TR__NSYS_RECV_SIZE] = "dsize", [TR__NSYS_SRC] = "src",
    [TR__NSYS_DST] = "dst", [TR__NSYS_ROOT] = "root", [TR__NSYS_COMM] = "comm", [TR__NSYS_DOMAIN] = "domain",
    [TR__NSYS_DOMAIN_ID] = "domain_id", [TR__NSYS_CATEGORY] = "category", [TR__NSYS_PAYLOAD] = "payload",
    [TR__NSYS_OP_ID] = "op_id", [TR__NSYS_SEQ] = "Sequence number", [TR__NSYS_DIMS] = "Input Dims",
    [TR__NSYS_INPUT_OPS] = "input_op_ids", [TR__NSYS_COUNTED] = "value", [TR__NSYS_MEMORY] = "Bytes",
    [TR__NSYS_ADDR] = "Addr", [TR__NSYS_DEVICE_TYPE] = "Device Type", [TR__NSYS_DEVICE_ID] = "Device Id",
    [TR__NSYS_MEMORY_KIND] = "Memory Kind",
};

static void release(void *own)
{
    struct tr__nsys *r = own;
    tr__numbers_free(&r->api_names);
    tr__numbers_free(&r->receives);
    tr_strtab_free(r->domain_keys);
    free(r->copies);
    free(r->recorded);
    free(r->domains);
    free(r->metrics);
    free(r);
}

static void *make(struct tr__tables *t)
{
    struct tr__nsys *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->t = t;
    r->domain_keys = tr_strtab_new();
    for (size_t i = 0; i < N(r->waits); i++)
        r->waits[i].name = TR_I64_NONE;
    if (r->domain_keys)
        return r;
    release(r);
    return NULL;
}

static const char *const marks[] = { "StringIds", "META_DATA_EXPORT", "EXPORT_META_DATA", "CUPTI_ACTIVITY_KIND_",
                                     "TARGET_INFO_", "NVTX_EVENTS", "ANALYSIS_DETAILS", "OSRT_API",
                                     "ENUM_NSYS_EVENT_TYPE", "GPU_METRICS" };
static const char *const about[] = { "ENUM_", "TARGET_INFO_", "META_DATA_", "EXPORT_META_DATA", "ANALYSIS_",
                                     "ThreadNames", "PROCESSES", "ProcessStreams", "MPI_RANKS", "NVTX_PAYLOAD_",
                                     "DIAGNOSTIC_EVENT", "EXTRAP_", NULL };

const struct tr__schema tr__schema_nsys = {
    .name = "nsys", .marks = marks, .n_marks = N(marks), .tables = tables, .n_tables = N(tables), .keys = keys,
    .n_keys = N(keys), .strings = "StringIds", .string_id = "id", .string_text = "value", .device = "GPU",
    .stream = "stream", .about = about, .make = make, .start = tr__nsys_about, .end = tr__nsys_about_end,
    .free = release,
};
