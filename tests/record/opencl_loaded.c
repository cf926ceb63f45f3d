/* SPDX-License-Identifier: MIT */
/*
 * A program that loads OpenCL itself, from the library that its argument names: it looks what is there, unloads it,
 * loads it again, gives work, does not wait for it, unloads it, and ends.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *library;

static void *find(const char *name)
{
    void *at = dlsym(library, name);
    if (!at) {
        fprintf(stderr, "no %s\n", name);
        exit(1);
    }
    return at;
}

/* The function of the library with this name, whose types are those of the header. */
#define CALL(name) ((__typeof__(name) *)find(#name))

static void load(const char *path)
{
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
}

static int give_work(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int rc, state = 1, zero = 0;
    cl_event event;
    if (CALL(clGetPlatformIDs)(1, &platform, NULL) != CL_SUCCESS ||
        CALL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 1;
    cl_context context = CALL(clCreateContext)(NULL, 1, &device, NULL, NULL, &rc);
    cl_command_queue queue = CALL(clCreateCommandQueueWithProperties)(context, device, NULL, &rc);
    cl_mem buffer = CALL(clCreateBuffer)(context, CL_MEM_READ_WRITE, 4096, NULL, &rc);
    if (CALL(clEnqueueFillBuffer)(queue, buffer, &zero, sizeof zero, 0, 4096, 0, NULL, &event) != CL_SUCCESS ||
        CALL(clFlush)(queue) != CL_SUCCESS)
        return 1;
    for (int i = 0; i < 1000 && state != CL_COMPLETE; i++) {
        nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
        CALL(clGetEventInfo)(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    }
    return state != CL_COMPLETE;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "libOpenCL.so.1";
    cl_uint n;
    load(path);
    CALL(clGetPlatformIDs)(0, NULL, &n);
    dlclose(library);
    load(path);
    int rc = give_work();
    dlclose(library);
    return rc;
}
