/* SPDX-License-Identifier: MIT */
/* Are the numbers that the recorder has of OpenCL those of its headers?  Prints those that are not. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>

#include "capture_opencl.h"

#include <stdio.h>

#define SAME(own, theirs)                                                                 \
    do {                                                                                  \
        n++;                                                                              \
        if ((long long)(own) != (long long)(theirs))                                      \
            printf(#own ": %lld, not %lld\n", (long long)(own), (long long)(theirs));     \
    } while (0)
#define AT(name) SAME(AT_##name, offsetof(struct _cl_icd_dispatch, name) / sizeof(void *))

int main(void)
{
    int n = 0;
#include "functions.h" /* the test makes it: AT(NAME); for each */
    SAME(DEVICE_NAME, CL_DEVICE_NAME);
    SAME(DEVICE_VERSION, CL_DEVICE_VERSION);
    SAME(QUEUE_DEVICE, CL_QUEUE_DEVICE);
    SAME(QUEUE_PROPERTIES, CL_QUEUE_PROPERTIES);
    SAME(QUEUE_PROPERTIES_ARRAY, CL_QUEUE_PROPERTIES_ARRAY);
    SAME(QUEUE_OUT_OF_ORDER, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    SAME(QUEUE_PROFILING, CL_QUEUE_PROFILING_ENABLE);
    SAME(QUEUE_ON_DEVICE, CL_QUEUE_ON_DEVICE);
    SAME(IMAGE_ELEMENT_SIZE, CL_IMAGE_ELEMENT_SIZE);
    SAME(KERNEL_FUNCTION_NAME, CL_KERNEL_FUNCTION_NAME);
    SAME(EVENT_COMMAND_QUEUE, CL_EVENT_COMMAND_QUEUE);
    SAME(EVENT_STATUS, CL_EVENT_COMMAND_EXECUTION_STATUS);
    SAME(STATUS_COMPLETE, CL_COMPLETE);
    SAME(PROFILING_QUEUED, CL_PROFILING_COMMAND_QUEUED);
    SAME(PROFILING_QUEUED + 1, CL_PROFILING_COMMAND_SUBMIT);
    SAME(PROFILING_QUEUED + 2, CL_PROFILING_COMMAND_START);
    SAME(PROFILING_QUEUED + 3, CL_PROFILING_COMMAND_END);
    SAME(NO_PROFILING, CL_PROFILING_INFO_NOT_AVAILABLE);
    SAME(INVALID_VALUE, CL_INVALID_VALUE);
    SAME(LAYER_API_VERSION, CL_LAYER_API_VERSION);
    SAME(LAYER_NAME, CL_LAYER_NAME);
    SAME(LAYER_VERSION_100, CL_LAYER_API_VERSION_100);
    printf("%d\n", n);
    return 0;
}
