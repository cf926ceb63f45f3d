/* SPDX-License-Identifier: MIT */
/* Names and their roles, vendor by vendor. */
#include "vendor/tr_roles.h"

#include <string.h>

enum where { IS, STARTS, CONTAINS };

static const struct {
    enum where where;
    const char *text;
    unsigned roles;
} names[] = {
    /* CUDA, runtime and driver */
    { IS, "cudaHostAlloc", TR_NAMED_LOCKED },
    { IS, "cudaLaunchKernel", TR_NAMED_LOCKED },
    { IS, "cudaMemcpyAsync", TR_NAMED_LOCKED },
    { IS, "cudaDeviceSynchronize", TR_NAMED_SYNC_OR_QUERY },
    { IS, "cudaStreamSynchronize", TR_NAMED_SYNC_OR_QUERY },
    { IS, "cudaEventSynchronize", TR_NAMED_SYNC_OR_QUERY },
    { IS, "cudaEventQuery", TR_NAMED_SYNC_OR_QUERY },
    { IS, "cuCtxSynchronize", TR_NAMED_SYNC_OR_QUERY },
    { IS, "cuStreamSynchronize", TR_NAMED_SYNC_OR_QUERY },
    { IS, "cuEventSynchronize", TR_NAMED_SYNC_OR_QUERY },
    { IS, "cuEventQuery", TR_NAMED_SYNC_OR_QUERY },
    /* CUDA, HIP and others with the same names of calls */
    { CONTAINS, "LaunchKernel", TR_NAMED_LAUNCH },
    { CONTAINS, "EnqueueKernelLaunch", TR_NAMED_LAUNCH }, /* SYCL */
    { CONTAINS, "AppendLaunchCooperativeKernel", TR_NAMED_LAUNCH }, /* Level Zero */
    { IS, "zeCommandQueueExecuteCommandLists", TR_NAMED_LAUNCH },
    { STARTS, "clEnqueueNDRangeKernel", TR_NAMED_LAUNCH }, /* OpenCL */
    { IS, "clFinish", TR_NAMED_SYNC },
    { IS, "clWaitForEvents", TR_NAMED_SYNC },
    { STARTS, "urEventWait", TR_NAMED_SYNC },
    { STARTS, "urQueueFinish", TR_NAMED_SYNC },
    { STARTS, "piEventsWait", TR_NAMED_SYNC },
    { STARTS, "piQueueFinish", TR_NAMED_SYNC },
    { CONTAINS, "GraphLaunch", TR_NAMED_GRAPH_LAUNCH },
    { CONTAINS, "Synchronize", TR_NAMED_SYNC },
    { CONTAINS, "EventRecord", TR_NAMED_EVENT_RECORD },
    { CONTAINS, "StreamWaitEvent", TR_NAMED_STREAM_WAIT },
    /* PyTorch */
    { STARTS, "ProfilerStep#", TR_NAMED_STEP | TR_NAMED_PROFILER },
    { STARTS, "PyTorch Profiler (", TR_NAMED_PROFILER },
    { STARTS, "__cupti_profiler__", TR_NAMED_PROFILER },
    { STARTS, "Iteration Start: ", TR_NAMED_PROFILER },
    { STARTS, "Record Window End", TR_NAMED_PROFILER },
    { CONTAINS, "autograd", TR_NAMED_AUTOGRAD },
    { CONTAINS, "autograd::", TR_NAMED_AUTOGRAD_OP },
    { CONTAINS, "forward", TR_NAMED_FORWARD },
    { CONTAINS, "## backward ##", TR_NAMED_BACKWARD },
    { CONTAINS, "recompute_fn", TR_NAMED_RECOMPUTE },
    { CONTAINS, "DataLoader", TR_NAMED_DATA_LOADING },
    { CONTAINS, "dataloader", TR_NAMED_DATA_LOADING },
    /* overheads that CUPTI reports; others, such as the loading of modules, belong to the program */
    { IS, "Buffer Flush", TR_NAMED_PROFILER_OVERHEAD },
    { IS, "Activity Buffer Request", TR_NAMED_PROFILER_OVERHEAD },
    { IS, "Instrumentation", TR_NAMED_PROFILER_OVERHEAD },
    { IS, "Resource", TR_NAMED_PROFILER_OVERHEAD },
    /* collectives of the host: Gloo, MPI */
    { STARTS, "gloo:", TR_NAMED_HOST_COLLECTIVE },
    { STARTS, "c10d::gloo", TR_NAMED_HOST_COLLECTIVE },
    { STARTS, "mpi:", TR_NAMED_HOST_COLLECTIVE },
    { STARTS, "MPI_", TR_NAMED_HOST_COLLECTIVE },
    { STARTS, "oneCCL::", TR_NAMED_HOST_COLLECTIVE },
};

static bool starts(const char *s, size_t n, const char *text, size_t m)
{
    return n >= m && memcmp(s, text, m) == 0;
}

static bool contains(const char *s, size_t n, const char *text, size_t m)
{
    for (size_t i = 0; i + m <= n; i++)
        if (s[i] == text[0] && memcmp(s + i, text, m) == 0)
            return true;
    return false;
}

static bool is(const char *s, size_t n, const char *text)
{
    return strlen(text) == n && memcmp(s, text, n) == 0;
}

unsigned tr_roles_of(const char *name, size_t len)
{
    unsigned roles = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t m = strlen(names[i].text);
        bool hit = names[i].where == IS       ? is(name, len, names[i].text)
                   : names[i].where == STARTS ? starts(name, len, names[i].text, m)
                                              : contains(name, len, names[i].text, m);
        roles |= hit ? names[i].roles : 0;
    }
    return roles;
}

enum tr_device_wait tr_device_wait_of(const char *name, size_t len)
{
    static const char *const waits[] = {
        [TR_WAIT_CONTEXT] = "Context Sync",
        [TR_WAIT_STREAM] = "Stream Sync",
        [TR_WAIT_EVENT] = "Event Sync",
        [TR_WAIT_STREAM_FOR_EVENT] = "Stream Wait Event",
    };
    unsigned w = TR_WAIT_CONTEXT;
    while (w < TR_WAIT_NONE && !is(name, len, waits[w]))
        w++;
    return (enum tr_device_wait)w;
}

/* Names of copies in CUPTI and Kineto: host, device, array, peer. */
static const char *const directions[TR_N_COPY_DIRECTIONS] = {
    "Memset",      "Memcpy HtoD", "Memcpy DtoH", "Memcpy DtoD", "Memcpy PtoP", "Memcpy HtoH",
    "Memcpy HtoA", "Memcpy AtoH", "Memcpy AtoA", "Memcpy AtoD", "Memcpy DtoA", "Memcpy Unknown",
};

/* The names of the same copies elsewhere, at any place in a name: flex of IBM's AIU, torch_spyre, OpenCL, HIP. */
static const struct {
    const char *word;
    unsigned direction;
} other_copies[] = {
    { " DmaI", 1 },         { " DmaO", 2 },          { "Memcpy (HtoD)", 1 },    { "Memcpy (DtoH)", 2 },
    { "clEnqueueWrite", 1 }, { "clEnqueueRead", 2 },  { "clEnqueueCopy", 3 },
    { "AppendMemoryFill", 0 }, { "clEnqueueFill", 0 }, { "hipMemset", 0 },
};

/*
 * The direction in a name of Level Zero, as in "zeCommandListAppendMemoryCopyRegion(M2D)"; -1: the name has none.
 * H and M are memory of the host; the place of S, which both share, is not known.
 */
static int level_zero_direction(const char *name, size_t len)
{
    enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST, DEVICE_TO_DEVICE, HOST_TO_HOST = 5 };
    static const char places[] = "DHM"; /* the first is the device */
    for (size_t i = 0; i + 5 <= len; i++) {
        if (name[i] != '(' || name[i + 2] != '2' || name[i + 4] != ')' || !contains(name, i, "Copy", 4))
            continue;
        const char *from = memchr(places, name[i + 1], 3), *to = memchr(places, name[i + 3], 3);
        if (!from || !to)
            continue;
        return from == places ? (to == places ? DEVICE_TO_DEVICE : DEVICE_TO_HOST)
                              : (to == places ? HOST_TO_DEVICE : HOST_TO_HOST);
    }
    return -1;
}

unsigned tr_copy_direction(const char *name, size_t len)
{
    unsigned d = 0;
    for (size_t i = 0; i < sizeof other_copies / sizeof *other_copies; i++)
        if (contains(name, len, other_copies[i].word, strlen(other_copies[i].word)))
            return other_copies[i].direction;
    int way = level_zero_direction(name, len);
    if (way >= 0)
        return (unsigned)way;
    while (d < TR_N_COPY_DIRECTIONS - 1 && !starts(name, len, directions[d], strlen(directions[d])))
        d++;
    return d;
}

const char *tr_copy_direction_name(unsigned direction)
{
    return directions[direction];
}

bool tr_is_backward_flow(const char *category, size_t len)
{
    return is(category, len, "fwdbwd");
}
