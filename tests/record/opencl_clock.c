/* SPDX-License-Identifier: MIT */
/*
 * A layer of OpenCL between the recorder and the driver, for which the clock of the device is an hour ahead.  With
 * OPENCL_CLOCK in the environment, it says what time it is there.  Properties of queues can be turned on later, as in
 * OpenCL 1.0, if they are on already.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>

#include <stdlib.h>
#include <time.h>

static const struct _cl_icd_dispatch *real;
static struct _cl_icd_dispatch table;

/* The driver's times are of this clock, or close to it: what matters is that they grow as fast. */
static cl_ulong now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (cl_ulong)t.tv_sec * 1000000000 + (cl_ulong)t.tv_nsec;
}

static cl_ulong moved(cl_ulong ns)
{
    return ns + (cl_ulong)3600 * 1000000000;
}

static cl_int CL_API_CALL profiling(cl_event event, cl_profiling_info what, size_t n, void *to, size_t *n_ret)
{
    cl_int rc = real->clGetEventProfilingInfo(event, what, n, to, n_ret);
    if (rc == CL_SUCCESS && to)
        *(cl_ulong *)to = moved(*(cl_ulong *)to);
    return rc;
}

static cl_int CL_API_CALL timer(cl_device_id device, cl_ulong *own, cl_ulong *host)
{
    (void)device;
    if (!getenv("OPENCL_CLOCK"))
        return CL_INVALID_OPERATION;
    *host = now();
    *own = moved(*host);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL set_property(cl_command_queue queue, cl_command_queue_properties bits, cl_bool on,
                                       cl_command_queue_properties *old)
{
    cl_command_queue_properties is;
    cl_int rc = real->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof is, &is, NULL);
    if (rc != CL_SUCCESS || !on || (bits & ~is))
        return CL_INVALID_OPERATION;
    if (old)
        *old = is;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t n, void *to, size_t *n_ret)
{
    if (what != CL_LAYER_API_VERSION || (to && n < sizeof(cl_layer_api_version)))
        return CL_INVALID_VALUE;
    if (to)
        *(cl_layer_api_version *)to = CL_LAYER_API_VERSION_100;
    if (n_ret)
        *n_ret = sizeof(cl_layer_api_version);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint n, const struct _cl_icd_dispatch *target, cl_uint *n_ret,
                                            const struct _cl_icd_dispatch **layer)
{
    if (n < sizeof table / sizeof(void *))
        return CL_INVALID_VALUE;
    real = target;
    table = *target;
    table.clGetEventProfilingInfo = profiling;
    table.clGetDeviceAndHostTimer = timer;
    table.clSetCommandQueueProperty = set_property;
    *n_ret = sizeof table / sizeof(void *);
    *layer = &table;
    return CL_SUCCESS;
}
