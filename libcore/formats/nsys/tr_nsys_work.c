/* SPDX-License-Identifier: MIT */
/* Reader of Nsight Systems' databases: work of devices, and waits for it. */
#include "formats/nsys/tr_nsys_int.h"

#include "base/tr_sort.h"
#include "stream/tr_dict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))

#define ALL_STREAMS UINT32_MAX /* in place of the number of a stream */

/* The columns that all tables of work begin with. */
#define COMMON "start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"
enum { START, END, DEVICE, CONTEXT, STREAM, CORRELATION, PID, OWN };

/* The process of a row; of one without it the first that made a call.  NULL: failed. */
static struct tr__tables_process *process_of(struct tr__nsys *r)
{
    int64_t pid = tr__scan_int(&r->t->scan, PID);
    if (pid == TR_I64_NONE && r->t->n_processes)
        return r->t->processes;
    return tr__nsys_process(r, pid == TR_I64_NONE ? 0 : pid);
}

/* Start an event on a stream. */
static enum tr_status begin(struct tr__nsys *r, const char *category, enum tr_activity activity)
{
    enum tr_status st = tr__tables_begin(r->t, TR_SPAN, START, END);
    if (st != TR_OK)
        return st;
    struct tr__tables_process *p = process_of(r);
    if (!p)
        return TR_SYSTEM;
    p->has_work |= activity != TR_ACT_SYNC;
    tr_ingest_category(r->t->g, category, strlen(category));
    tr_ingest_activity(r->t->g, activity);
    int64_t device = tr__scan_int(&r->t->scan, DEVICE), context = tr__scan_int(&r->t->scan, CONTEXT),
            correlation = tr__scan_int(&r->t->scan, CORRELATION), stream = tr__scan_int(&r->t->scan, STREAM);
    if (stream == ALL_STREAMS)
        stream = TR_I64_NONE;
    if (activity == TR_ACT_SYNC) /* its own number of the device may be wrong */
        device = tr__tables_device_of(r->t, tr__tables_process_number(r->t, p), context, device);
    tr__tables_correlate(r->t, p, correlation);
    tr__tables_arg_int(r->t, TR__NSYS_DEVICE, device);
    tr__tables_arg_int(r->t, TR__NSYS_CONTEXT, context);
    tr__tables_arg_int(r->t, TR__NSYS_STREAM, stream);
    tr__tables_arg_int(r->t, TR__NSYS_CORRELATION, correlation);
    return tr__tables_on_stream(r->t, p, device, context, stream);
}

/* The graph and the node of work, whose number is in one column. */
static void set_graph(struct tr__nsys *r, size_t node_column, size_t graph_column)
{
    int64_t node = tr__scan_int(&r->t->scan, node_column), graph = tr__scan_int(&r->t->scan, graph_column);
    if (node != TR_I64_NONE && node != 0)
        tr_ingest_graph(r->t->g, (int64_t)((uint64_t)node >> 32), node & UINT32_MAX);
    else if (graph != TR_I64_NONE && graph != 0)
        tr_ingest_graph(r->t->g, graph, TR_I64_NONE);
}

/* Three columns from here on. */
static void arg_dims(struct tr__nsys *r, size_t key, size_t column)
{
    const int64_t v[] = { tr__scan_int(&r->t->scan, column), tr__scan_int(&r->t->scan, column + 1),
                          tr__scan_int(&r->t->scan, column + 2) };
    tr__tables_arg_dims(r->t, key, v);
}

/* ---- kernels ---- */

enum {
    K_NAME = OWN, K_SHORT, K_MANGLED, K_REGISTERS, K_GRID, K_BLOCK = K_GRID + 3, K_STATIC = K_BLOCK + 3, K_DYNAMIC,
    K_LOCAL, K_NODE, K_GRAPH, K_CLUSTER
};
static const char *const kernel_columns[] = { COMMON, "demangledName", "shortName", "mangledName",
                                              "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY",
                                              "blockZ", "staticSharedMemory", "dynamicSharedMemory",
                                              "localMemoryPerThread", "graphNodeId", "graphId", "clusterX", "clusterY",
                                              "clusterZ" };

static enum tr_status kernel_names(struct tr__nsys *r, uint32_t *name, uint32_t *brief)
{
    enum tr_status st = tr__tables_text_at(r->t, K_NAME, name);
    if (st == TR_OK)
        st = tr__tables_text_at(r->t, K_SHORT, brief);
    if (st == TR_OK && *name == TR_NO_STR)
        *name = *brief;
    if (st == TR_OK && *name == TR_NO_STR)
        st = tr__tables_text_at(r->t, K_MANGLED, name);
    return st;
}

static void add_shared(struct tr__nsys *r)
{
    int64_t fixed = tr__scan_int(&r->t->scan, K_STATIC), given = tr__scan_int(&r->t->scan, K_DYNAMIC), sum;
    if (fixed != TR_I64_NONE && given != TR_I64_NONE && !__builtin_add_overflow(fixed, given, &sum))
        tr__tables_arg_int(r->t, TR__NSYS_SHARED, sum);
}

static enum tr_status take_kernel(void *own)
{
    struct tr__nsys *r = own;
    uint32_t name, brief;
    enum tr_status st = begin(r, "kernel", TR_ACT_KERNEL);
    if (st == TR_OK)
        st = kernel_names(r, &name, &brief);
    if (st != TR_OK)
        return st;
    tr_ingest_name_number(r->t->g, name);
    set_graph(r, K_NODE, K_GRAPH);
    tr__tables_arg_column(r->t, TR__NSYS_REGISTERS, K_REGISTERS);
    add_shared(r);
    int64_t local = tr__scan_int(&r->t->scan, K_LOCAL);
    tr__tables_arg_int(r->t, TR__NSYS_LOCAL, local == 0 ? TR_I64_NONE : local);
    arg_dims(r, TR__NSYS_GRID, K_GRID);
    arg_dims(r, TR__NSYS_BLOCK, K_BLOCK);
    if (tr__scan_int(&r->t->scan, K_CLUSTER) > 0)
        arg_dims(r, TR__NSYS_CLUSTER, K_CLUSTER);
    tr__tables_arg_text(r->t, TR__NSYS_SHORT_NAME, brief);
    return tr__tables_end(r->t);
}

const struct tr__tables_table tr__nsys_kernel = { "CUPTI_ACTIVITY_KIND_KERNEL", kernel_columns, N(kernel_columns),
                                                  take_kernel, NULL };

/* ---- copies and memsets ---- */

enum { C_BYTES = OWN, C_KIND, C_FROM, C_TO, C_FROM_DEVICE, C_TO_DEVICE, C_COUNT, C_NODE, C_GRAPH };
static const char *const copy_columns[] = { COMMON, "bytes", "copyKind", "srcKind", "dstKind", "srcDeviceId",
                                            "dstDeviceId", "copyCount", "graphNodeId", "graphId" };

const char *tr__nsys_memory_kind(int64_t kind)
{
    static const char *const kinds[] = { "Pageable", "Pinned",        "Device",        "Array",
                                         "Managed",  "Device Static", "Managed Static" };
    return kind >= 0 && kind < (int64_t)N(kinds) ? kinds[kind] : NULL;
}

/* As Kineto names copies: "Memcpy HtoD (Pinned -> Device)". */
static void name_copy(struct tr__nsys *r)
{
    static const char *const kinds[] = { NULL,   "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD",
                                         "DtoA", "DtoD", "HtoH", "PtoP", "HtoD", "DtoH", "DtoD" };
    int64_t kind = tr__scan_int(&r->t->scan, C_KIND);
    bool known = kind > 0 && kind < (int64_t)N(kinds), unified = known && kind > 10;
    const char *from = tr__nsys_memory_kind(tr__scan_int(&r->t->scan, C_FROM)),
               *to = tr__nsys_memory_kind(tr__scan_int(&r->t->scan, C_TO));
    char text[80];
    int n = snprintf(text, sizeof text, known ? "Memcpy %s" : "Memcpy", known ? kinds[kind] : "");
    if (unified)
        n += snprintf(text + n, sizeof text - (size_t)n, " (Unified)");
    else if (from && to)
        n += snprintf(text + n, sizeof text - (size_t)n, " (%s -> %s)", from, to);
    tr_ingest_name(r->t->g, text, (size_t)n);
}

static enum tr_status take_copy(void *own)
{
    struct tr__nsys *r = own;
    enum tr_status st = begin(r, "gpu_memcpy", TR_ACT_MEMCPY);
    if (st != TR_OK)
        return st;
    int64_t count = tr__scan_int(&r->t->scan, C_COUNT);
    name_copy(r);
    set_graph(r, C_NODE, C_GRAPH);
    tr__tables_arg_column(r->t, TR__NSYS_BYTES, C_BYTES);
    tr__tables_arg_column(r->t, TR__NSYS_FROM_DEVICE, C_FROM_DEVICE);
    tr__tables_arg_column(r->t, TR__NSYS_TO_DEVICE, C_TO_DEVICE);
    tr__tables_arg_int(r->t, TR__NSYS_N_COPIES, count > 1 ? count : TR_I64_NONE);
    return tr__tables_end(r->t);
}

const struct tr__tables_table tr__nsys_memcpy = { "CUPTI_ACTIVITY_KIND_MEMCPY", copy_columns, N(copy_columns),
                                                  take_copy, NULL };

enum { S_BYTES = OWN, S_VALUE, S_KIND, S_NODE, S_GRAPH };
static const char *const set_columns[] = { COMMON, "bytes", "value", "memKind", "graphNodeId", "graphId" };

static enum tr_status take_set(void *own)
{
    struct tr__nsys *r = own;
    enum tr_status st = begin(r, "gpu_memset", TR_ACT_MEMSET);
    if (st != TR_OK)
        return st;
    const char *kind = tr__nsys_memory_kind(tr__scan_int(&r->t->scan, S_KIND));
    char text[40];
    int n = snprintf(text, sizeof text, kind ? "Memset (%s)" : "Memset", kind ? kind : "");
    tr_ingest_name(r->t->g, text, (size_t)n);
    set_graph(r, S_NODE, S_GRAPH);
    tr__tables_arg_column(r->t, TR__NSYS_BYTES, S_BYTES);
    tr__tables_arg_column(r->t, TR__NSYS_VALUE, S_VALUE);
    return tr__tables_end(r->t);
}

const struct tr__tables_table tr__nsys_memset = { "CUPTI_ACTIVITY_KIND_MEMSET", set_columns, N(set_columns), take_set,
                                                  NULL };

/* ---- graphs ---- */

enum { G_GRAPH = OWN, G_EXEC };
static const char *const graph_columns[] = { COMMON, "graphId", "graphExecId" };

/* The launch of a graph whose nodes were not recorded. */
static enum tr_status take_graph(void *own)
{
    struct tr__nsys *r = own;
    char text[60];
    int64_t graph = tr__scan_int(&r->t->scan, G_GRAPH);
    enum tr_status st = begin(r, "cuda_graph", TR_ACT_KERNEL);
    if (st != TR_OK)
        return st;
    int n = graph == TR_I64_NONE ? snprintf(text, sizeof text, "CUDA Graph")
                                 : snprintf(text, sizeof text, "CUDA Graph %" PRId64, graph);
    tr_ingest_name(r->t->g, text, (size_t)n);
    tr_ingest_graph(r->t->g, graph, TR_I64_NONE);
    tr__tables_arg_column(r->t, TR__NSYS_GRAPH_EXEC, G_EXEC);
    r->facts[TR__NSYS_GRAPH_LAUNCHES]++;
    return tr__tables_end(r->t);
}

const struct tr__tables_table tr__nsys_graph = { "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", graph_columns, N(graph_columns),
                                                  take_graph, NULL };

/* ---- events and waits ---- */

enum { E_ID = OWN, E_TIME };
static const char *const event_columns[] = { COMMON, "eventId", "timestamp" };

/* Its record is kept for waits; it is an event where its time was recorded. */
static enum tr_status take_event(void *own)
{
    struct tr__nsys *r = own;
    int64_t event = tr__scan_int(&r->t->scan, E_ID), correlation = tr__scan_int(&r->t->scan, CORRELATION),
            stream = tr__scan_int(&r->t->scan, STREAM), time = tr__scan_int(&r->t->scan, E_TIME);
    const struct tr__tables_process *p = process_of(r);
    if (!p)
        return TR_SYSTEM;
    if (event != TR_I64_NONE && correlation != TR_I64_NONE) {
        if (r->n_recorded >= r->t->max_memory / sizeof *r->recorded)
            return tr_fail(r->t->err, TR_SYSTEM, "its CUDA events need more memory than -M allows");
        if (!tr_grow(&r->recorded, &r->cap_recorded, r->n_recorded + 1, sizeof *r->recorded))
            return tr_fail_memory(r->t->err);
        r->recorded[r->n_recorded++] =
            (struct tr__nsys_recorded){ tr__tables_process_number(r->t, p), event, correlation, stream };
    }
    if (time == TR_I64_NONE || time == 0) {
        r->facts[TR__NSYS_EVENTS_OFF]++;
        return TR_OK;
    }
    enum tr_status st = tr__tables_begin(r->t, TR_INSTANT, E_TIME, E_TIME);
    if (st == TR_OK)
        st = tr__tables_on_stream(r->t, p, tr__scan_int(&r->t->scan, DEVICE), tr__scan_int(&r->t->scan, CONTEXT),
                                  stream);
    if (st != TR_OK)
        return st;
    tr_ingest_name(r->t->g, "CUDA event", 10);
    tr_ingest_category(r->t->g, "cuda_event", 10);
    tr_ingest_activity(r->t->g, TR_ACT_OTHER);
    tr__tables_arg_int(r->t, TR__NSYS_STREAM, stream);
    tr__tables_arg_int(r->t, TR__NSYS_CORRELATION, correlation);
    tr__tables_arg_int(r->t, TR__NSYS_EVENT, event);
    return tr__tables_end(r->t);
}

const struct tr__tables_table tr__nsys_cuda_event = { "CUPTI_ACTIVITY_KIND_CUDA_EVENT", event_columns, N(event_columns),
                                                  take_event, NULL };

enum { W_TYPE = OWN, W_OLD_TYPE, W_EVENT };
static const char *const wait_columns[] = { COMMON, "syncType", "deprecatedSyncType", "eventId" };

TR_ORDER(by_event, struct tr__nsys_recorded, TR_UP(process), TR_UP(event), TR_UP(correlation))

static bool sort_events(void *own)
{
    struct tr__nsys *r = own;
    if (r->n_recorded)
        qsort(r->recorded, r->n_recorded, sizeof *r->recorded, by_event);
    return true;
}

/* The last record of an event before a call; numbers of calls grow with time. */
static void add_recorded(struct tr__nsys *r, uint32_t process, int64_t event, int64_t correlation)
{
    const struct tr__nsys_recorded key = { process, event, correlation, 0 };
    size_t at = 0;
    TR_BOUND(at, r->n_recorded, mid, by_event(&r->recorded[mid], &key) < 0);
    const struct tr__nsys_recorded *found = at ? &r->recorded[at - 1] : NULL;
    if (!found || found->process != process || found->event != event)
        return;
    tr__tables_arg_int(r->t, TR__NSYS_WAIT_STREAM, found->stream);
    tr__tables_arg_int(r->t, TR__NSYS_WAIT_RECORD, found->correlation);
}

static enum tr_status take_wait(void *own)
{
    struct tr__nsys *r = own;
    static const char *const names[] = { "Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync" };
    enum tr_status st = begin(r, "cuda_sync", TR_ACT_SYNC);
    if (st != TR_OK)
        return st;
    int64_t type = tr__scan_int(&r->t->scan, W_TYPE), event = tr__scan_int(&r->t->scan, W_EVENT),
            correlation = tr__scan_int(&r->t->scan, CORRELATION);
    if (type == TR_I64_NONE)
        type = tr__scan_int(&r->t->scan, W_OLD_TYPE);
    const char *name = names[type > 0 && type < (int64_t)N(names) ? type : 0];
    tr_ingest_name(r->t->g, name, strlen(name));
    if (event != TR_I64_NONE && event != UINT32_MAX) {
        tr__tables_arg_int(r->t, TR__NSYS_EVENT, event);
        if (correlation != TR_I64_NONE)
            add_recorded(r, tr__tables_process_number(r->t, process_of(r)), event, correlation);
    }
    return tr__tables_end(r->t);
}

const struct tr__tables_table tr__nsys_sync = { "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", wait_columns, N(wait_columns),
                                                  take_wait, sort_events };
