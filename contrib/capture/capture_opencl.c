/* SPDX-License-Identifier: MIT */
/*
 * OpenCL, by the layers of its loader (CL/cl_layer.h).  OPENCL_LAYERS names the library; the loader calls clInitLayer
 * in it with the table of functions that it would call, and calls those in the table that it gets in their place.
 *
 * Recorded are calls that make things, give work, wait, and release; not those that only ask, count references, or
 * belong to Direct3D and the like.  Queues are made with times of their work; what the program can ask about that is
 * answered as if they were not.
 */
#include "capture_opencl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

void *const *capture_opencl_real;
uint32_t capture_opencl_n_real;

/* ---- calls ---- */

struct call {
    bool entered, recorded;
    int64_t from;
};

static struct call enter(const char *name)
{
    struct call call = { .from = capture_now() };
    struct capture *c = capture_in();
    if (!c)
        return call;
    call.entered = true;
    call.recorded = capture_begin_at(c, TR_REC_OPENCL, CAPTURE_NONE, capture_kept(name), call.from);
    capture_out(c);
    return call;
}

static void leave(const struct call *call)
{
    struct capture *c = call->entered ? capture_in() : NULL;
    if (!c)
        return;
    capture_end(c, TR_REC_OPENCL, CAPTURE_NONE);
    capture_out(c);
}

/* A function of the table, of this result, parameters, types and args. */
#define CALL(result, name, params, types, args)             \
    static result call_##name params                        \
    {                                                       \
        const struct call call = enter(#name);              \
        result r = REAL(result, name, types, args);         \
        leave(&call);                                       \
        return r;                                           \
    }

CALL(handle, clCreateContext,
     (const intptr_t *about, uint32_t n, const handle *devices, callback notify, void *data, int32_t *rc),
     (const intptr_t *, uint32_t, const handle *, callback, void *, int32_t *), (about, n, devices, notify, data, rc))
CALL(handle, clCreateContextFromType,
     (const intptr_t *about, uint64_t type, callback notify, void *data, int32_t *rc),
     (const intptr_t *, uint64_t, callback, void *, int32_t *), (about, type, notify, data, rc))
CALL(handle, clCreateBuffer, (handle context, uint64_t flags, size_t n, void *from, int32_t *rc),
     (handle, uint64_t, size_t, void *, int32_t *), (context, flags, n, from, rc))
CALL(handle, clCreateBufferWithProperties,
     (handle context, const uint64_t *about, uint64_t flags, size_t n, void *from, int32_t *rc),
     (handle, const uint64_t *, uint64_t, size_t, void *, int32_t *), (context, about, flags, n, from, rc))
CALL(handle, clCreateSubBuffer, (handle buffer, uint64_t flags, uint32_t type, const void *about, int32_t *rc),
     (handle, uint64_t, uint32_t, const void *, int32_t *), (buffer, flags, type, about, rc))
CALL(handle, clCreateImage,
     (handle context, uint64_t flags, const void *format, const void *about, void *from, int32_t *rc),
     (handle, uint64_t, const void *, const void *, void *, int32_t *), (context, flags, format, about, from, rc))
CALL(handle, clCreateImageWithProperties,
     (handle context, const uint64_t *with, uint64_t flags, const void *format, const void *about, void *from,
      int32_t *rc),
     (handle, const uint64_t *, uint64_t, const void *, const void *, void *, int32_t *),
     (context, with, flags, format, about, from, rc))
CALL(handle, clCreateImage2D,
     (handle context, uint64_t flags, const void *format, size_t x, size_t y, size_t row, void *from, int32_t *rc),
     (handle, uint64_t, const void *, size_t, size_t, size_t, void *, int32_t *),
     (context, flags, format, x, y, row, from, rc))
CALL(handle, clCreateImage3D,
     (handle context, uint64_t flags, const void *format, size_t x, size_t y, size_t z, size_t row, size_t slice,
      void *from, int32_t *rc),
     (handle, uint64_t, const void *, size_t, size_t, size_t, size_t, size_t, void *, int32_t *),
     (context, flags, format, x, y, z, row, slice, from, rc))
CALL(handle, clCreatePipe,
     (handle context, uint64_t flags, uint32_t n, uint32_t max, const intptr_t *about, int32_t *rc),
     (handle, uint64_t, uint32_t, uint32_t, const intptr_t *, int32_t *), (context, flags, n, max, about, rc))
CALL(handle, clCreateSampler, (handle context, uint32_t scaled, uint32_t at, uint32_t filter, int32_t *rc),
     (handle, uint32_t, uint32_t, uint32_t, int32_t *), (context, scaled, at, filter, rc))
CALL(handle, clCreateSamplerWithProperties, (handle context, const uint64_t *about, int32_t *rc),
     (handle, const uint64_t *, int32_t *), (context, about, rc))
CALL(handle, clCreateProgramWithSource,
     (handle context, uint32_t n, const char **texts, const size_t *lens, int32_t *rc),
     (handle, uint32_t, const char **, const size_t *, int32_t *), (context, n, texts, lens, rc))
CALL(handle, clCreateProgramWithBinary,
     (handle context, uint32_t n, const handle *devices, const size_t *lens, const unsigned char **code, int32_t *rcs,
      int32_t *rc),
     (handle, uint32_t, const handle *, const size_t *, const unsigned char **, int32_t *, int32_t *),
     (context, n, devices, lens, code, rcs, rc))
CALL(handle, clCreateProgramWithBuiltInKernels,
     (handle context, uint32_t n, const handle *devices, const char *names, int32_t *rc),
     (handle, uint32_t, const handle *, const char *, int32_t *), (context, n, devices, names, rc))
CALL(handle, clCreateProgramWithIL, (handle context, const void *code, size_t len, int32_t *rc),
     (handle, const void *, size_t, int32_t *), (context, code, len, rc))
CALL(int32_t, clBuildProgram,
     (handle program, uint32_t n, const handle *devices, const char *options, callback notify, void *data),
     (handle, uint32_t, const handle *, const char *, callback, void *), (program, n, devices, options, notify, data))
CALL(int32_t, clCompileProgram,
     (handle program, uint32_t n, const handle *devices, const char *options, uint32_t n_heads, const handle *heads,
      const char **names, callback notify, void *data),
     (handle, uint32_t, const handle *, const char *, uint32_t, const handle *, const char **, callback, void *),
     (program, n, devices, options, n_heads, heads, names, notify, data))
CALL(handle, clLinkProgram,
     (handle context, uint32_t n, const handle *devices, const char *options, uint32_t n_programs,
      const handle *programs, callback notify, void *data, int32_t *rc),
     (handle, uint32_t, const handle *, const char *, uint32_t, const handle *, callback, void *, int32_t *),
     (context, n, devices, options, n_programs, programs, notify, data, rc))
CALL(int32_t, clSetKernelArg, (handle kernel, uint32_t at, size_t n, const void *value),
     (handle, uint32_t, size_t, const void *), (kernel, at, n, value))
CALL(int32_t, clSetKernelArgSVMPointer, (handle kernel, uint32_t at, const void *value),
     (handle, uint32_t, const void *), (kernel, at, value))
CALL(int32_t, clSetKernelExecInfo, (handle kernel, uint32_t what, size_t n, const void *value),
     (handle, uint32_t, size_t, const void *), (kernel, what, n, value))
CALL(int32_t, clCreateSubDevices, (handle device, const intptr_t *about, uint32_t n, handle *to, uint32_t *n_to),
     (handle, const intptr_t *, uint32_t, handle *, uint32_t *), (device, about, n, to, n_to))
CALL(void *, clSVMAlloc, (handle context, uint64_t flags, size_t n, uint32_t align),
     (handle, uint64_t, size_t, uint32_t), (context, flags, n, align))
CALL(int32_t, clSetUserEventStatus, (handle event, int32_t status), (handle, int32_t), (event, status))
CALL(int32_t, clFlush, (handle queue), (handle), (queue))
CALL(int32_t, clEnqueueWaitForEvents, (handle queue, uint32_t n, const handle *waits),
     (handle, uint32_t, const handle *), (queue, n, waits))
CALL(int32_t, clEnqueueBarrier, (handle queue), (handle), (queue))
CALL(int32_t, clReleaseMemObject, (handle object), (handle), (object))
CALL(int32_t, clReleaseProgram, (handle program), (handle), (program))
CALL(int32_t, clReleaseKernel, (handle kernel), (handle), (kernel))

/* A last look at work, while its context is there. */
static int32_t call_clReleaseContext(handle context)
{
    capture_opencl_collect();
    const struct call call = enter("clReleaseContext");
    int32_t rc = REAL(int32_t, clReleaseContext, (handle), (context));
    leave(&call);
    return rc;
}

static void call_clSVMFree(handle context, void *at)
{
    const struct call call = enter("clSVMFree");
    REAL(void, clSVMFree, (handle, void *), (context, at));
    leave(&call);
}

/* ---- kernels ---- */

static handle call_clCreateKernel(handle program, const char *name, int32_t *rc)
{
    const struct call call = enter("clCreateKernel");
    handle kernel = REAL(handle, clCreateKernel, (handle, const char *, int32_t *), (program, name, rc));
    leave(&call);
    capture_opencl_new_kernel(kernel);
    return kernel;
}

static handle call_clCloneKernel(handle from, int32_t *rc)
{
    const struct call call = enter("clCloneKernel");
    handle kernel = REAL(handle, clCloneKernel, (handle, int32_t *), (from, rc));
    leave(&call);
    capture_opencl_new_kernel(kernel);
    return kernel;
}

static int32_t call_clCreateKernelsInProgram(handle program, uint32_t n, handle *kernels, uint32_t *n_ret)
{
    uint32_t made = 0;
    const struct call call = enter("clCreateKernelsInProgram");
    int32_t rc = REAL(int32_t, clCreateKernelsInProgram, (handle, uint32_t, handle *, uint32_t *),
                      (program, n, kernels, &made));
    leave(&call);
    for (uint32_t i = 0; rc == 0 && kernels && i < made && i < n; i++)
        capture_opencl_new_kernel(kernels[i]);
    if (n_ret && rc == 0)
        *n_ret = made;
    return rc;
}

/* ---- queues ---- */

static int32_t call_clRetainCommandQueue(handle queue)
{
    int32_t rc = REAL(int32_t, clRetainCommandQueue, (handle), (queue));
    if (rc == 0)
        capture_opencl_count_queue(queue, 1);
    return rc;
}

/* A last look at work, while its queue is there.  It counts before, as the handle may be used again at once. */
static int32_t call_clReleaseCommandQueue(handle queue)
{
    capture_opencl_collect();
    const struct call call = enter("clReleaseCommandQueue");
    capture_opencl_count_queue(queue, -1);
    int32_t rc = REAL(int32_t, clReleaseCommandQueue, (handle), (queue));
    leave(&call);
    return rc;
}

static handle call_clCreateCommandQueue(handle context, handle device, uint64_t properties, int32_t *rc)
{
    bool asked = properties & QUEUE_PROFILING;
    const struct call call = enter("clCreateCommandQueue");
    handle queue = REAL(handle, clCreateCommandQueue, (handle, handle, uint64_t, int32_t *),
                        (context, device, properties | QUEUE_PROFILING, rc));
    bool is_timed = queue != NULL;
    if (!queue && !asked)
        queue = REAL(handle, clCreateCommandQueue, (handle, handle, uint64_t, int32_t *),
                     (context, device, properties, rc));
    if (queue)
        capture_opencl_queue(queue, device, properties | (is_timed ? QUEUE_PROFILING : 0), is_timed && !asked, NULL);
    leave(&call);
    return queue;
}

/* Properties with times of work, to be freed; NULL: out of memory.  *bits: as they are then. */
static uint64_t *with_times(const uint64_t *given, uint64_t *bits)
{
    size_t n = 0;
    bool found = false;
    while (given && given[n])
        n += 2;
    uint64_t *list = malloc((n + 3) * sizeof *list);
    *bits = 0;
    for (size_t i = 0; list && i < n; i += 2) {
        bool here = given[i] == QUEUE_PROPERTIES;
        list[i] = given[i];
        list[i + 1] = given[i + 1] | (here ? QUEUE_PROFILING : 0);
        *bits |= here ? list[i + 1] : 0;
        found |= here;
    }
    if (list && !found) {
        list[n++] = QUEUE_PROPERTIES;
        list[n++] = *bits = QUEUE_PROFILING;
    }
    if (list)
        list[n] = 0;
    return list;
}

static uint64_t bits_of(const uint64_t *given)
{
    for (; given && *given; given += 2)
        if (*given == QUEUE_PROPERTIES)
            return given[1];
    return 0;
}

static handle call_clCreateCommandQueueWithProperties(handle context, handle device, const uint64_t *given, int32_t *rc)
{
    uint64_t bits = 0, before = bits_of(given);
    uint64_t *list = before & QUEUE_ON_DEVICE ? NULL : with_times(given, &bits);
    const struct call call = enter("clCreateCommandQueueWithProperties");
    handle queue = list ? REAL(handle, clCreateCommandQueueWithProperties,
                               (handle, handle, const uint64_t *, int32_t *), (context, device, list, rc))
                        : NULL;
    bool is_timed = queue != NULL;
    if (!queue)
        queue = REAL(handle, clCreateCommandQueueWithProperties, (handle, handle, const uint64_t *, int32_t *),
                     (context, device, given, rc));
    if (queue)
        capture_opencl_queue(queue, device, is_timed ? bits : before, is_timed && !(before & QUEUE_PROFILING), given);
    free(list);
    leave(&call);
    return queue;
}

/* The list of properties is the one that the program gave. */
static int32_t give_list(const uint64_t *given, size_t n, void *to, size_t *n_ret)
{
    size_t len = 1;
    while (given && given[len - 1])
        len += 2;
    len = given ? len * sizeof *given : 0;
    if (to && n < len)
        return INVALID_VALUE;
    if (to && len)
        memcpy(to, given, len);
    if (n_ret)
        *n_ret = len;
    return 0;
}

static int32_t ask_queue(handle queue, uint32_t what, size_t n, void *to, size_t *n_ret)
{
    return REAL(int32_t, clGetCommandQueueInfo, (handle, uint32_t, size_t, void *, size_t *),
                (queue, what, n, to, n_ret));
}

/* The driver's list is longer than the program's, so that it is never written to where that has room for its own. */
static int32_t call_clGetCommandQueueInfo(handle queue, uint32_t what, size_t n, void *to, size_t *n_ret)
{
    const uint64_t *given;
    bool hides = (what == QUEUE_PROPERTIES || what == QUEUE_PROPERTIES_ARRAY) && capture_opencl_hides(queue, &given);
    if (hides && what == QUEUE_PROPERTIES_ARRAY && ask_queue(queue, what, 0, NULL, NULL) == 0)
        return give_list(given, n, to, n_ret);
    int32_t rc = ask_queue(queue, what, n, to, n_ret);
    if (!hides || what != QUEUE_PROPERTIES)
        return rc;
    uint64_t bits;
    if (rc == 0 && to && n >= sizeof bits) {
        memcpy(&bits, to, sizeof bits);
        bits &= ~(uint64_t)QUEUE_PROFILING;
        memcpy(to, &bits, sizeof bits);
    }
    return rc;
}

/* Times that the queue has stay, and are hidden where the program does not want them. */
static int32_t call_clSetCommandQueueProperty(handle queue, uint64_t bits, uint32_t on, uint64_t *old)
{
    const uint64_t *given;
    uint64_t was = 0, rest = bits & ~(uint64_t)QUEUE_PROFILING;
    bool hides = capture_opencl_hides(queue, &given);
    bool stays = !on && bits != rest && capture_opencl_is_timed(queue), none = stays && !rest;
    int32_t rc = REAL(int32_t, clSetCommandQueueProperty, (handle, uint64_t, uint32_t, uint64_t *),
                      (queue, stays && rest ? rest : bits, none ? 1 : on, &was));
    if (rc == 0)
        capture_opencl_changed(queue, bits, on);
    if (rc == 0 && old)
        *old = hides ? was & ~(uint64_t)QUEUE_PROFILING : was;
    return rc;
}

static int32_t call_clGetEventProfilingInfo(handle event, uint32_t what, size_t n, void *to, size_t *n_ret)
{
    handle queue = NULL;
    if (REAL(int32_t, clGetEventInfo, (handle, uint32_t, size_t, void *, size_t *),
             (event, EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL)) == 0 &&
        capture_opencl_hides_event(queue))
        return NO_PROFILING;
    return REAL(int32_t, clGetEventProfilingInfo, (handle, uint32_t, size_t, void *, size_t *),
                (event, what, n, to, n_ret));
}

/* ---- calls that wait ---- */

static int32_t call_clFinish(handle queue)
{
    struct waits w;
    capture_opencl_waits_all(&w, queue);
    const struct call call = enter("clFinish");
    int32_t rc = REAL(int32_t, clFinish, (handle), (queue));
    if (rc == 0)
        capture_opencl_waited(&w, call.from, call.recorded);
    leave(&call);
    capture_opencl_collect();
    return rc;
}

static int32_t call_clWaitForEvents(uint32_t n, const handle *events)
{
    struct waits w;
    capture_opencl_waits(&w, n, events);
    const struct call call = enter("clWaitForEvents");
    int32_t rc = REAL(int32_t, clWaitForEvents, (uint32_t, const handle *), (n, events));
    if (rc == 0) /* work that fails may end before what is in front of it */
        capture_opencl_waited(&w, call.from, call.recorded);
    leave(&call);
    capture_opencl_collect();
    return rc;
}

/* ---- events ---- */

static int32_t call_clRetainEvent(handle event)
{
    int32_t rc = REAL(int32_t, clRetainEvent, (handle), (event));
    if (rc == 0)
        capture_opencl_count_event(event, 1);
    return rc;
}

static int32_t call_clReleaseEvent(handle event)
{
    capture_opencl_count_event(event, -1);
    return REAL(int32_t, clReleaseEvent, (handle), (event));
}

static handle call_clCreateUserEvent(handle context, int32_t *rc)
{
    const struct call call = enter("clCreateUserEvent");
    handle event = REAL(handle, clCreateUserEvent, (handle, int32_t *), (context, rc));
    leave(&call);
    capture_opencl_other_event(NULL, event);
    return event;
}

static int32_t call_clEnqueueMarker(handle queue, handle *event)
{
    const struct call call = enter("clEnqueueMarker");
    int32_t rc = REAL(int32_t, clEnqueueMarker, (handle, handle *), (queue, event));
    leave(&call);
    if (rc == 0 && event)
        capture_opencl_other_event(queue, *event);
    return rc;
}

#define OTHER(name, params, types, args)                    \
    static int32_t call_##name params                       \
    {                                                       \
        const struct call call = enter(#name);              \
        int32_t rc = REAL(int32_t, name, types, args);      \
        leave(&call);                                       \
        if (rc == 0 && event)                               \
            capture_opencl_other_event(queue, *event);      \
        return rc;                                          \
    }
#define OF_WAITS  uint32_t n_waits, const handle *waits, handle *event
#define OF_TYPES  uint32_t, const handle *, handle *

OTHER(clEnqueueMarkerWithWaitList, (handle queue, OF_WAITS), (handle, OF_TYPES), (queue, n_waits, waits, event))
OTHER(clEnqueueBarrierWithWaitList, (handle queue, OF_WAITS), (handle, OF_TYPES), (queue, n_waits, waits, event))
OTHER(clEnqueueAcquireGLObjects, (handle queue, uint32_t n, const handle *objects, OF_WAITS),
      (handle, uint32_t, const handle *, OF_TYPES), (queue, n, objects, n_waits, waits, event))
OTHER(clEnqueueReleaseGLObjects, (handle queue, uint32_t n, const handle *objects, OF_WAITS),
      (handle, uint32_t, const handle *, OF_TYPES), (queue, n, objects, n_waits, waits, event))
OTHER(clEnqueueSVMFree, (handle queue, uint32_t n, void **list, callback free_them, void *data, OF_WAITS),
      (handle, uint32_t, void **, callback, void *, OF_TYPES), (queue, n, list, free_them, data, n_waits, waits, event))

/* ---- calls that give work ---- */

/* -1: not known; sizes are what the program gives, and may be anything. */
static int64_t known(uint64_t bytes)
{
    return bytes <= INT64_MAX ? (int64_t)bytes : -1;
}

static int64_t bytes_of(const size_t *region, uint64_t element)
{
    return region ? known((uint64_t)region[0] * region[1] * region[2] * element) : -1;
}

static int64_t image_bytes(handle image, const size_t *region)
{
    size_t element = 0;
    int32_t rc = REAL(int32_t, clGetImageInfo, (handle, uint32_t, size_t, void *, size_t *),
                      (image, IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL));
    return rc == 0 && element ? bytes_of(region, element) : -1;
}

/* A size of 0 is that of all that is there. */
static int64_t sum_of(const size_t *sizes, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!sizes || !sizes[i])
            return -1;
        sum += sizes[i];
    }
    return known(sum);
}

/*
 * A copy or memset: its bytes, which are looked at if the call took its arguments, and whether it waits for the work;
 * parameters, types and args before the list of waits.
 */
#define THESE(...) __VA_ARGS__
#define ENQUEUE(name, kind, n_bytes, blocks, params, types, args)                                          \
    static int32_t call_##name(handle queue, THESE params, OF_WAITS)                                       \
    {                                                                                                      \
        struct enqueue e = capture_opencl_enqueue(#name, queue, event, n_waits, waits);                    \
        int32_t rc = REAL(int32_t, name, (handle, THESE types, OF_TYPES),                                  \
                          (queue, THESE args, n_waits, waits, capture_opencl_event(&e)));                  \
        const struct work w = { .api = kind, .bytes = e.followed && rc == 0 ? n_bytes : -1 };              \
        capture_opencl_enqueued(&e, rc, &w, blocks);                                                       \
        return rc;                                                                                         \
    }

ENQUEUE(clEnqueueReadBuffer, TR_REC_COPY, known(n), blocking,
        (handle buffer, uint32_t blocking, size_t at, size_t n, void *to),
        (handle, uint32_t, size_t, size_t, void *), (buffer, blocking, at, n, to))
ENQUEUE(clEnqueueWriteBuffer, TR_REC_COPY, known(n), blocking,
        (handle buffer, uint32_t blocking, size_t at, size_t n, const void *from),
        (handle, uint32_t, size_t, size_t, const void *), (buffer, blocking, at, n, from))
ENQUEUE(clEnqueueReadBufferRect, TR_REC_COPY, bytes_of(region, 1), blocking,
        (handle buffer, uint32_t blocking, const size_t *at, const size_t *at_to, const size_t *region, size_t row,
         size_t slice, size_t row_to, size_t slice_to, void *to),
        (handle, uint32_t, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t, void *),
        (buffer, blocking, at, at_to, region, row, slice, row_to, slice_to, to))
ENQUEUE(clEnqueueWriteBufferRect, TR_REC_COPY, bytes_of(region, 1), blocking,
        (handle buffer, uint32_t blocking, const size_t *at, const size_t *at_from, const size_t *region, size_t row,
         size_t slice, size_t row_from, size_t slice_from, const void *from),
        (handle, uint32_t, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t,
         const void *),
        (buffer, blocking, at, at_from, region, row, slice, row_from, slice_from, from))
ENQUEUE(clEnqueueCopyBuffer, TR_REC_COPY, known(n), false,
        (handle from, handle to, size_t at, size_t at_to, size_t n),
        (handle, handle, size_t, size_t, size_t), (from, to, at, at_to, n))
ENQUEUE(clEnqueueCopyBufferRect, TR_REC_COPY, bytes_of(region, 1), false,
        (handle from, handle to, const size_t *at, const size_t *at_to, const size_t *region, size_t row, size_t slice,
         size_t row_to, size_t slice_to),
        (handle, handle, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t),
        (from, to, at, at_to, region, row, slice, row_to, slice_to))
ENQUEUE(clEnqueueReadImage, TR_REC_COPY, image_bytes(image, region), blocking,
        (handle image, uint32_t blocking, const size_t *at, const size_t *region, size_t row, size_t slice, void *to),
        (handle, uint32_t, const size_t *, const size_t *, size_t, size_t, void *),
        (image, blocking, at, region, row, slice, to))
ENQUEUE(clEnqueueWriteImage, TR_REC_COPY, image_bytes(image, region), blocking,
        (handle image, uint32_t blocking, const size_t *at, const size_t *region, size_t row, size_t slice,
         const void *from),
        (handle, uint32_t, const size_t *, const size_t *, size_t, size_t, const void *),
        (image, blocking, at, region, row, slice, from))
ENQUEUE(clEnqueueCopyImage, TR_REC_COPY, image_bytes(from, region), false,
        (handle from, handle to, const size_t *at, const size_t *at_to, const size_t *region),
        (handle, handle, const size_t *, const size_t *, const size_t *), (from, to, at, at_to, region))
ENQUEUE(clEnqueueCopyImageToBuffer, TR_REC_COPY, image_bytes(from, region), false,
        (handle from, handle to, const size_t *at, const size_t *region, size_t at_to),
        (handle, handle, const size_t *, const size_t *, size_t), (from, to, at, region, at_to))
ENQUEUE(clEnqueueCopyBufferToImage, TR_REC_COPY, image_bytes(to, region), false,
        (handle from, handle to, size_t at, const size_t *at_to, const size_t *region),
        (handle, handle, size_t, const size_t *, const size_t *), (from, to, at, at_to, region))
ENQUEUE(clEnqueueUnmapMemObject, TR_REC_COPY, capture_opencl_mapped_bytes(at), false, (handle object, void *at),
        (handle, void *), (object, at))
ENQUEUE(clEnqueueMigrateMemObjects, TR_REC_COPY, -1, false, (uint32_t n, const handle *objects, uint64_t flags),
        (uint32_t, const handle *, uint64_t), (n, objects, flags))
ENQUEUE(clEnqueueFillBuffer, TR_REC_MEMSET, known(n), false,
        (handle buffer, const void *pattern, size_t pattern_n, size_t at, size_t n),
        (handle, const void *, size_t, size_t, size_t), (buffer, pattern, pattern_n, at, n))
ENQUEUE(clEnqueueFillImage, TR_REC_MEMSET, image_bytes(image, region), false,
        (handle image, const void *colour, const size_t *at, const size_t *region),
        (handle, const void *, const size_t *, const size_t *), (image, colour, at, region))
ENQUEUE(clEnqueueSVMMemFill, TR_REC_MEMSET, known(n), false,
        (void *at, const void *pattern, size_t pattern_n, size_t n),
        (void *, const void *, size_t, size_t), (at, pattern, pattern_n, n))
ENQUEUE(clEnqueueSVMUnmap, TR_REC_COPY, capture_opencl_mapped_bytes(at), false, (void *at), (void *), (at))
ENQUEUE(clEnqueueSVMMigrateMem, TR_REC_COPY, sum_of(sizes, n), false,
        (uint32_t n, const void **list, const size_t *sizes, uint64_t flags),
        (uint32_t, const void **, const size_t *, uint64_t), (n, list, sizes, flags))
ENQUEUE(clEnqueueNativeKernel, TR_REC_KERNEL, -1, false,
        (callback function, void *args, size_t n, uint32_t n_objects, const handle *objects, const void **places),
        (callback, void *, size_t, uint32_t, const handle *, const void **),
        (function, args, n, n_objects, objects, places))

/* Here, whether the call blocks comes first. */
static int32_t call_clEnqueueSVMMemcpy(handle queue, uint32_t blocking, void *to, const void *from, size_t n, OF_WAITS)
{
    struct enqueue e = capture_opencl_enqueue("clEnqueueSVMMemcpy", queue, event, n_waits, waits);
    int32_t rc = REAL(int32_t, clEnqueueSVMMemcpy, (handle, uint32_t, void *, const void *, size_t, OF_TYPES),
                      (queue, blocking, to, from, n, n_waits, waits, capture_opencl_event(&e)));
    const struct work w = { .api = TR_REC_COPY, .bytes = known(n) };
    capture_opencl_enqueued(&e, rc, &w, blocking);
    return rc;
}

static int32_t call_clEnqueueSVMMap(handle queue, uint32_t blocking, uint64_t flags, void *at, size_t n, OF_WAITS)
{
    struct enqueue e = capture_opencl_enqueue("clEnqueueSVMMap", queue, event, n_waits, waits);
    int32_t rc = REAL(int32_t, clEnqueueSVMMap, (handle, uint32_t, uint64_t, void *, size_t, OF_TYPES),
                      (queue, blocking, flags, at, n, n_waits, waits, capture_opencl_event(&e)));
    const struct work w = { .api = TR_REC_COPY, .bytes = known(n) };
    if (e.followed && rc == 0)
        capture_opencl_mapped(at, w.bytes);
    capture_opencl_enqueued(&e, rc, &w, blocking);
    return rc;
}

static void *call_clEnqueueMapBuffer(handle queue, handle buffer, uint32_t blocking, uint64_t flags, size_t from,
                                     size_t n, OF_WAITS, int32_t *rc_to)
{
    int32_t rc = INVALID_VALUE;
    struct enqueue e = capture_opencl_enqueue("clEnqueueMapBuffer", queue, event, n_waits, waits);
    void *at = REAL(void *, clEnqueueMapBuffer,
                    (handle, handle, uint32_t, uint64_t, size_t, size_t, OF_TYPES, int32_t *),
                    (queue, buffer, blocking, flags, from, n, n_waits, waits, capture_opencl_event(&e), &rc));
    const struct work w = { .api = TR_REC_COPY, .bytes = known(n) };
    if (e.followed && at)
        capture_opencl_mapped(at, w.bytes);
    capture_opencl_enqueued(&e, rc, &w, blocking);
    if (rc_to)
        *rc_to = rc;
    return at;
}

static void *call_clEnqueueMapImage(handle queue, handle image, uint32_t blocking, uint64_t flags, const size_t *from,
                                    const size_t *region, size_t *row, size_t *slice, OF_WAITS, int32_t *rc_to)
{
    int32_t rc = INVALID_VALUE;
    struct enqueue e = capture_opencl_enqueue("clEnqueueMapImage", queue, event, n_waits, waits);
    void *at = REAL(void *, clEnqueueMapImage,
                    (handle, handle, uint32_t, uint64_t, const size_t *, const size_t *, size_t *, size_t *, OF_TYPES,
                     int32_t *),
                    (queue, image, blocking, flags, from, region, row, slice, n_waits, waits,
                     capture_opencl_event(&e), &rc));
    const struct work w = { .api = TR_REC_COPY, .bytes = e.followed && rc == 0 ? image_bytes(image, region) : -1 };
    if (e.followed && at)
        capture_opencl_mapped(at, w.bytes);
    capture_opencl_enqueued(&e, rc, &w, blocking);
    if (rc_to)
        *rc_to = rc;
    return at;
}

static int32_t call_clEnqueueNDRangeKernel(handle queue, handle kernel, uint32_t n_dims, const size_t *from,
                                           const size_t *global, const size_t *local, OF_WAITS)
{
    struct enqueue e = capture_opencl_enqueue("clEnqueueNDRangeKernel", queue, event, n_waits, waits);
    int32_t rc = REAL(int32_t, clEnqueueNDRangeKernel,
                      (handle, handle, uint32_t, const size_t *, const size_t *, const size_t *, OF_TYPES),
                      (queue, kernel, n_dims, from, global, local, n_waits, waits, capture_opencl_event(&e)));
    const struct work w = { TR_REC_KERNEL, -1, kernel, n_dims, global, local };
    capture_opencl_enqueued(&e, rc, &w, false);
    return rc;
}

static int32_t call_clEnqueueTask(handle queue, handle kernel, OF_WAITS)
{
    static const size_t one = 1;
    struct enqueue e = capture_opencl_enqueue("clEnqueueTask", queue, event, n_waits, waits);
    int32_t rc = REAL(int32_t, clEnqueueTask, (handle, handle, OF_TYPES),
                      (queue, kernel, n_waits, waits, capture_opencl_event(&e)));
    const struct work w = { TR_REC_KERNEL, -1, kernel, 1, &one, &one };
    capture_opencl_enqueued(&e, rc, &w, false);
    return rc;
}

/* ---- the layer ---- */

typedef void (*function)(void);
#define OWN(name) { AT_##name, (function)call_##name }
static const struct {
    uint32_t number;
    function at;
} own[] = {
    OWN(clCreateContext),
    OWN(clCreateContextFromType),
    OWN(clReleaseContext),
    OWN(clCreateCommandQueue),
    OWN(clRetainCommandQueue),
    OWN(clReleaseCommandQueue),
    OWN(clGetCommandQueueInfo),
    OWN(clSetCommandQueueProperty),
    OWN(clCreateBuffer),
    OWN(clCreateImage2D),
    OWN(clCreateImage3D),
    OWN(clReleaseMemObject),
    OWN(clCreateSampler),
    OWN(clCreateProgramWithSource),
    OWN(clCreateProgramWithBinary),
    OWN(clReleaseProgram),
    OWN(clBuildProgram),
    OWN(clCreateKernel),
    OWN(clCreateKernelsInProgram),
    OWN(clReleaseKernel),
    OWN(clSetKernelArg),
    OWN(clWaitForEvents),
    OWN(clRetainEvent),
    OWN(clReleaseEvent),
    OWN(clGetEventProfilingInfo),
    OWN(clFlush),
    OWN(clFinish),
    OWN(clEnqueueReadBuffer),
    OWN(clEnqueueWriteBuffer),
    OWN(clEnqueueCopyBuffer),
    OWN(clEnqueueReadImage),
    OWN(clEnqueueWriteImage),
    OWN(clEnqueueCopyImage),
    OWN(clEnqueueCopyImageToBuffer),
    OWN(clEnqueueCopyBufferToImage),
    OWN(clEnqueueMapBuffer),
    OWN(clEnqueueMapImage),
    OWN(clEnqueueUnmapMemObject),
    OWN(clEnqueueNDRangeKernel),
    OWN(clEnqueueTask),
    OWN(clEnqueueNativeKernel),
    OWN(clEnqueueMarker),
    OWN(clEnqueueWaitForEvents),
    OWN(clEnqueueBarrier),
    OWN(clEnqueueAcquireGLObjects),
    OWN(clEnqueueReleaseGLObjects),
    OWN(clCreateSubBuffer),
    OWN(clCreateUserEvent),
    OWN(clSetUserEventStatus),
    OWN(clEnqueueReadBufferRect),
    OWN(clEnqueueWriteBufferRect),
    OWN(clEnqueueCopyBufferRect),
    OWN(clCreateSubDevices),
    OWN(clCreateImage),
    OWN(clCreateProgramWithBuiltInKernels),
    OWN(clCompileProgram),
    OWN(clLinkProgram),
    OWN(clEnqueueFillBuffer),
    OWN(clEnqueueFillImage),
    OWN(clEnqueueMigrateMemObjects),
    OWN(clEnqueueMarkerWithWaitList),
    OWN(clEnqueueBarrierWithWaitList),
    OWN(clCreateCommandQueueWithProperties),
    OWN(clCreatePipe),
    OWN(clSVMAlloc),
    OWN(clSVMFree),
    OWN(clEnqueueSVMFree),
    OWN(clEnqueueSVMMemcpy),
    OWN(clEnqueueSVMMemFill),
    OWN(clEnqueueSVMMap),
    OWN(clEnqueueSVMUnmap),
    OWN(clCreateSamplerWithProperties),
    OWN(clSetKernelArgSVMPointer),
    OWN(clSetKernelExecInfo),
    OWN(clCloneKernel),
    OWN(clCreateProgramWithIL),
    OWN(clEnqueueSVMMigrateMem),
    OWN(clCreateBufferWithProperties),
    OWN(clCreateImageWithProperties),
};

EXPORT int32_t clGetLayerInfo(uint32_t what, size_t n, void *to, size_t *n_ret);
EXPORT int32_t clInitLayer(uint32_t n, void *const *real, uint32_t *n_ret, void *const **table);

int32_t clGetLayerInfo(uint32_t what, size_t n, void *to, size_t *n_ret)
{
    static const uint32_t version = LAYER_VERSION_100;
    static const char name[] = "tracepipe";
    const void *value = what == LAYER_API_VERSION ? (const void *)&version : name;
    size_t len = what == LAYER_API_VERSION ? sizeof version : sizeof name;
    if ((what != LAYER_API_VERSION && what != LAYER_NAME) || (to && n < len))
        return INVALID_VALUE;
    if (to)
        memcpy(to, value, len);
    if (n_ret)
        *n_ret = len;
    return 0;
}

/*
 * The loader stays, even if the program closes it: it is called at the exit, and a new one would ask for a second
 * table.
 */
static void keep_loaded(const void *at)
{
    Dl_info in;
    if (dladdr(at, &in) && in.dli_fname)
        dlopen(in.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Once only: a list may name the library twice, as that of a tr-record within another does. */
int32_t clInitLayer(uint32_t n, void *const *real, uint32_t *n_ret, void *const **table)
{
    static _Atomic bool was_here;
    void **mine = real && n_ret && table && !atomic_exchange(&was_here, true) ? malloc(n * sizeof *mine) : NULL;
    if (!mine)
        return INVALID_VALUE;
    memcpy(mine, real, n * sizeof *mine);
    if (capture_is_on())
        keep_loaded(__builtin_return_address(0));
    for (size_t i = 0; capture_is_on() && i < sizeof own / sizeof *own; i++)
        if (own[i].number < n && real[own[i].number])
            memcpy(&mine[own[i].number], &own[i].at, sizeof *mine);
    capture_opencl_real = real;
    capture_opencl_n_real = n;
    *n_ret = n;
    *table = mine;
    pthread_atfork(NULL, NULL, capture_opencl_forget);
    return 0;
}
