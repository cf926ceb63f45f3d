/* SPDX-License-Identifier: MIT */
/*
 * OpenCL: what its files share.
 *
 * The loader of drivers asks the library for a table of functions, which it calls in place of the driver's
 * (capture_opencl.c).  Calls that give work to a device are followed until the work is done (capture_opencl_work.c).
 *
 * It is compiled without the headers of OpenCL, so that it is always there: the numbers of functions in the table, of
 * properties and of states are parts of its binary interface, and tests/record/opencl_numbers.c compares them with the
 * headers.
 */
#ifndef CAPTURE_OPENCL_H
#define CAPTURE_OPENCL_H

#include "capture.h"

#include <string.h>

struct queue;
struct job;
typedef void *handle;
typedef void (*callback)(void); /* only passed on */

/* Functions by their number in the table. */
enum {
    AT_clGetDeviceInfo = 3,
    AT_clCreateContext = 4,
    AT_clCreateContextFromType = 5,
    AT_clReleaseContext = 7,
    AT_clCreateCommandQueue = 9,
    AT_clRetainCommandQueue = 10,
    AT_clReleaseCommandQueue = 11,
    AT_clGetCommandQueueInfo = 12,
    AT_clSetCommandQueueProperty = 13,
    AT_clCreateBuffer = 14,
    AT_clCreateImage2D = 15,
    AT_clCreateImage3D = 16,
    AT_clReleaseMemObject = 18,
    AT_clGetImageInfo = 21,
    AT_clCreateSampler = 22,
    AT_clCreateProgramWithSource = 26,
    AT_clCreateProgramWithBinary = 27,
    AT_clReleaseProgram = 29,
    AT_clBuildProgram = 30,
    AT_clCreateKernel = 34,
    AT_clCreateKernelsInProgram = 35,
    AT_clReleaseKernel = 37,
    AT_clSetKernelArg = 38,
    AT_clGetKernelInfo = 39,
    AT_clWaitForEvents = 41,
    AT_clGetEventInfo = 42,
    AT_clRetainEvent = 43,
    AT_clReleaseEvent = 44,
    AT_clGetEventProfilingInfo = 45,
    AT_clFlush = 46,
    AT_clFinish = 47,
    AT_clEnqueueReadBuffer = 48,
    AT_clEnqueueWriteBuffer = 49,
    AT_clEnqueueCopyBuffer = 50,
    AT_clEnqueueReadImage = 51,
    AT_clEnqueueWriteImage = 52,
    AT_clEnqueueCopyImage = 53,
    AT_clEnqueueCopyImageToBuffer = 54,
    AT_clEnqueueCopyBufferToImage = 55,
    AT_clEnqueueMapBuffer = 56,
    AT_clEnqueueMapImage = 57,
    AT_clEnqueueUnmapMemObject = 58,
    AT_clEnqueueNDRangeKernel = 59,
    AT_clEnqueueTask = 60,
    AT_clEnqueueNativeKernel = 61,
    AT_clEnqueueMarker = 62,
    AT_clEnqueueWaitForEvents = 63,
    AT_clEnqueueBarrier = 64,
    AT_clEnqueueAcquireGLObjects = 72,
    AT_clEnqueueReleaseGLObjects = 73,
    AT_clCreateSubBuffer = 82,
    AT_clCreateUserEvent = 84,
    AT_clSetUserEventStatus = 85,
    AT_clEnqueueReadBufferRect = 86,
    AT_clEnqueueWriteBufferRect = 87,
    AT_clEnqueueCopyBufferRect = 88,
    AT_clCreateSubDevices = 93,
    AT_clCreateImage = 96,
    AT_clCreateProgramWithBuiltInKernels = 97,
    AT_clCompileProgram = 98,
    AT_clLinkProgram = 99,
    AT_clEnqueueFillBuffer = 102,
    AT_clEnqueueFillImage = 103,
    AT_clEnqueueMigrateMemObjects = 104,
    AT_clEnqueueMarkerWithWaitList = 105,
    AT_clEnqueueBarrierWithWaitList = 106,
    AT_clCreateCommandQueueWithProperties = 123,
    AT_clCreatePipe = 124,
    AT_clSVMAlloc = 126,
    AT_clSVMFree = 127,
    AT_clEnqueueSVMFree = 128,
    AT_clEnqueueSVMMemcpy = 129,
    AT_clEnqueueSVMMemFill = 130,
    AT_clEnqueueSVMMap = 131,
    AT_clEnqueueSVMUnmap = 132,
    AT_clCreateSamplerWithProperties = 133,
    AT_clSetKernelArgSVMPointer = 134,
    AT_clSetKernelExecInfo = 135,
    AT_clCloneKernel = 137,
    AT_clCreateProgramWithIL = 138,
    AT_clEnqueueSVMMigrateMem = 139,
    AT_clGetDeviceAndHostTimer = 140,
    AT_clCreateBufferWithProperties = 146,
    AT_clCreateImageWithProperties = 147,
};

/* Properties that are asked for, and values of them. */
enum {
    DEVICE_NAME = 0x102b,
    DEVICE_VERSION = 0x102f,
    QUEUE_DEVICE = 0x1091,
    QUEUE_PROPERTIES = 0x1093,
    QUEUE_PROPERTIES_ARRAY = 0x1098,
    QUEUE_OUT_OF_ORDER = 1 << 0,
    QUEUE_PROFILING = 1 << 1,
    QUEUE_ON_DEVICE = 1 << 2,
    IMAGE_ELEMENT_SIZE = 0x1111,
    KERNEL_FUNCTION_NAME = 0x1190,
    EVENT_COMMAND_QUEUE = 0x11d0,
    EVENT_STATUS = 0x11d3,
    STATUS_COMPLETE = 0,
    PROFILING_QUEUED = 0x1280, /* and three more: submitted, start, end */
    NO_PROFILING = -7,
    INVALID_VALUE = -30,
    LAYER_API_VERSION = 0x4240,
    LAYER_NAME = 0x4241,
    LAYER_VERSION_100 = 100,
};

/* What the loader or the next layer would have called. */
extern void *const *capture_opencl_real;
extern uint32_t capture_opencl_n_real;

#define HAS_REAL(name) (AT_##name < capture_opencl_n_real && capture_opencl_real[AT_##name])
/* Call the function of this name and these types. */
#define REAL(result, name, types, args)                                   \
    ({                                                                    \
        result(*f_) types = NULL;                                         \
        memcpy(&f_, &capture_opencl_real[AT_##name], sizeof f_);          \
        f_ args;                                                          \
    })

/* ---- queues ---- */

/* A queue is made.  hides: it gives times of its work that the program has not asked for; given: what it has. */
void capture_opencl_queue(handle queue, handle device, uint64_t properties, bool hides, const uint64_t *given);
/* The program has one reference more, or gives one back; without any, its handle may be that of another queue. */
void capture_opencl_count_queue(handle queue, int by);
/* Does the queue give times that the program has not asked for?  given: what it has, up to a 0; NULL: nothing. */
bool capture_opencl_hides(handle queue, const uint64_t **given);
/* The same of a queue that an event has, which may be released. */
bool capture_opencl_hides_event(handle queue);
bool capture_opencl_is_timed(handle queue); /* by the program, or by us */
/* These properties of a queue were turned on or off, as the program sees it: its times are only hidden. */
void capture_opencl_changed(handle queue, uint64_t properties, bool on);

/* ---- work ---- */

/* A call that gives work to a queue. */
struct enqueue {
    const char *name; /* of the call; a literal */
    struct queue *queue;
    struct job *job;
    handle *event, own; /* where the event of the work goes */
    bool asked, entered, recorded, followed; /* the program wants the event; a span is open, and recorded; so is work */
    int64_t from;
};

struct work {
    enum tr_rec_api api;
    int64_t bytes;    /* -1: not known */
    handle kernel;    /* NULL: the work is named as its call */
    uint32_t n_dims;  /* of a kernel */
    const size_t *global, *local;
};

struct enqueue capture_opencl_enqueue(const char *name, handle queue, handle *event, uint32_t n_waits,
                                      const handle *waits);
handle *capture_opencl_event(struct enqueue *e); /* what the call is given as the place of the event */
/* The call has returned.  blocks: after the end of its work. */
void capture_opencl_enqueued(struct enqueue *e, int32_t rc, const struct work *w, bool blocks);

/* An event that is not of such work, or a kernel, has this handle from now on.  queue: that of the event, or NULL. */
void capture_opencl_other_event(handle queue, handle event);
void capture_opencl_count_event(handle event, int by); /* as of queues */
void capture_opencl_new_kernel(handle kernel);
/* What is mapped to a place has that many bytes; -1: not known. */
void capture_opencl_mapped(const void *at, int64_t bytes);
int64_t capture_opencl_mapped_bytes(const void *at);

/* Queues that a call waits for: those that have been given nothing after the work that it waits for. */
struct waits {
    uint32_t n;
    struct {
        struct queue *queue;
        uint64_t last; /* the work that was given to it last */
    } few[8];
};
void capture_opencl_waits(struct waits *w, uint32_t n, const handle *events);
void capture_opencl_waits_all(struct waits *w, handle queue);
/* The call returns now.  recorded: as a span, which is the innermost one. */
void capture_opencl_waited(const struct waits *w, int64_t from, bool recorded);

/* Record all work that is done. */
void capture_opencl_collect(void);
/* A process was forked: queues and their work are those of its parent. */
void capture_opencl_forget(void);

#endif
