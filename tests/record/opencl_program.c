/* SPDX-License-Identifier: MIT */
/*
 * A program of OpenCL, on the first device of the first platform.  Its argument says what it does; see main.  It fails
 * if it does not get the results that it expects, and says at which line.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_icd.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define N 4096u
#define BYTES (N * sizeof(float))

static _Atomic int failed; /* line of the first check that failed */

static void check(int ok, int line)
{
    int none = 0;
    if (!ok)
        atomic_compare_exchange_strong(&failed, &none, line);
}
#define CHECK(what) check(what, __LINE__)

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_mem a, b;
static float values[N];

static const char *const source =
    "__kernel void set(__global float *a, float v) { a[get_global_id(0)] = v; }\n"
    "__kernel void add(__global float *a, __global const float *b) { a[get_global_id(0)] += b[get_global_id(0)]; }\n"
    "__kernel void work(__global float *a, int n)\n"
    "{ float v = a[get_global_id(0)]; for (int i = 0; i < n; i++) v = v * 0.5f + 1.0f; a[get_global_id(0)] = v; }\n"
    "__kernel void plane(__global float *a) { a[get_global_id(1) * 64 + get_global_id(0)] = 3.0f; }\n";

static cl_command_queue new_queue(cl_command_queue_properties bits)
{
    cl_int rc = 1;
    const cl_queue_properties about[] = { CL_QUEUE_PROPERTIES, bits, 0 };
    cl_command_queue q = clCreateCommandQueueWithProperties(context, device, bits ? about : NULL, &rc);
    CHECK(q && rc == CL_SUCCESS);
    return q;
}

static cl_kernel new_kernel(const char *name)
{
    cl_int rc = 1;
    cl_kernel k = clCreateKernel(program, name, &rc);
    CHECK(k && rc == CL_SUCCESS);
    CHECK(clSetKernelArg(k, 0, sizeof a, &a) == CL_SUCCESS);
    return k;
}

static void run(cl_command_queue q, cl_kernel k, cl_uint n_waits, const cl_event *waits, cl_event *event)
{
    const size_t global = N, local = 64;
    CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, n_waits, waits, event) == CL_SUCCESS);
}

static void start(void)
{
    cl_int rc = 1;
    CHECK(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &rc);
    CHECK(context && rc == CL_SUCCESS);
    a = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &rc);
    b = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &rc);
    CHECK(a && b && rc == CL_SUCCESS);
    program = clCreateProgramWithSource(context, 1, (const char **)(size_t)&source, NULL, &rc);
    CHECK(program && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS);
}

static const cl_icd_dispatch *driver_of(cl_context c)
{
    return *(const cl_icd_dispatch **)(void *)c;
}

static void nap(long ms)
{
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static int has_times(cl_event event)
{
    cl_ulong at[4];
    for (cl_uint i = 0; i < 4; i++) {
        cl_int rc = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *at, &at[i], NULL);
        if (rc != CL_SUCCESS) {
            CHECK(rc == CL_PROFILING_INFO_NOT_AVAILABLE);
            return 0;
        }
    }
    return at[0] <= at[1] && at[1] <= at[2] && at[2] <= at[3];
}

/* One queue in order: all sorts of copies, memsets and kernels, and calls that wait. */
static void in_order(void)
{
    const float one = 1, two = 2;
    const size_t plane[] = { 64, 16 }, origin[] = { 0, 0, 0 }, region[] = { 64, 4, 2 };
    cl_command_queue q = new_queue(0);
    cl_kernel set = new_kernel("set"), add = new_kernel("add"), wide = new_kernel("plane");
    cl_int rc = 1;
    for (unsigned i = 0; i < N; i++)
        values[i] = 5;
    CHECK(clEnqueueWriteBuffer(q, b, CL_FALSE, 0, BYTES, values, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueFillBuffer(q, a, &one, sizeof one, 0, BYTES, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clSetKernelArg(add, 1, sizeof b, &b) == CL_SUCCESS);
    run(q, add, 0, NULL, NULL);
    run(q, add, 0, NULL, NULL);
    CHECK(clEnqueueReadBuffer(q, a, CL_TRUE, 0, BYTES, values, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(values[0] == 11 && values[N - 1] == 11);
    CHECK(clSetKernelArg(set, 1, sizeof two, &two) == CL_SUCCESS);
    run(q, set, 0, NULL, NULL);
    CHECK(clEnqueueCopyBuffer(q, a, b, 0, 0, BYTES / 2, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueNDRangeKernel(q, wide, 2, NULL, plane, NULL, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueReadBufferRect(q, a, CL_FALSE, origin, origin, region, 0, 0, 0, 0, values, 0, NULL, NULL) ==
          CL_SUCCESS);
    CHECK(clFinish(q) == CL_SUCCESS);
    float *at = clEnqueueMapBuffer(q, b, CL_TRUE, CL_MAP_READ, 0, 1024, 0, NULL, NULL, &rc);
    CHECK(at && rc == CL_SUCCESS && at[0] == 2);
    CHECK(clEnqueueUnmapMemObject(q, b, at, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueBarrierWithWaitList(q, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clFinish(q) == CL_SUCCESS);
    /* what cannot be done is a call, and no work */
    CHECK(clEnqueueReadBuffer(q, a, CL_TRUE, BYTES, BYTES, values, 0, NULL, NULL) != CL_SUCCESS);
    CHECK(clReleaseKernel(set) == CL_SUCCESS && clReleaseKernel(add) == CL_SUCCESS);
    CHECK(clReleaseKernel(wide) == CL_SUCCESS);
    CHECK(clReleaseCommandQueue(q) == CL_SUCCESS);
}

/* Shared virtual memory, if the device has it: with a queue of the older function. */
static void shared(void)
{
    cl_int rc = 1, zero = 0;
    cl_command_queue q = clCreateCommandQueue(context, device, 0, &rc);
    CHECK(q && rc == CL_SUCCESS);
    char *from = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    char *to = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    CHECK(from && to);
    CHECK(clEnqueueSVMMemFill(q, from, &zero, sizeof zero, 256, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueSVMMemcpy(q, CL_TRUE, to, from, 128, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, to, 64, 0, NULL, NULL) == CL_SUCCESS && to[5] == 0);
    CHECK(clEnqueueSVMUnmap(q, to, 0, NULL, NULL) == CL_SUCCESS);
    CHECK(clFinish(q) == CL_SUCCESS);
    clSVMFree(context, from);
    clSVMFree(context, to);
    CHECK(clReleaseCommandQueue(q) == CL_SUCCESS);
}

/* A diamond of events, over a queue out of order and one in order: work, then add and a write, then set after both. */
static void events(void)
{
    const float one = 1;
    const int n = 20000; /* it takes longer than the calls after it */
    cl_event e[4], other[16], user;
    cl_command_queue any = new_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), q = new_queue(0);
    cl_kernel set = new_kernel("set"), add = new_kernel("add"), work = new_kernel("work");
    cl_kernel plane = new_kernel("plane");
    CHECK(clSetKernelArg(set, 1, sizeof one, &one) == CL_SUCCESS);
    CHECK(clSetKernelArg(add, 1, sizeof b, &b) == CL_SUCCESS);
    CHECK(clSetKernelArg(work, 1, sizeof n, &n) == CL_SUCCESS);
    user = clCreateUserEvent(context, NULL);
    CHECK(user != NULL);
    CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS && clReleaseEvent(user) == CL_SUCCESS);
    run(any, work, 0, NULL, &e[0]);
    CHECK(clRetainEvent(e[0]) == CL_SUCCESS && clReleaseEvent(e[0]) == CL_SUCCESS);
    run(any, add, 1, &e[0], &e[1]);
    CHECK(clEnqueueWriteBuffer(q, b, CL_FALSE, 0, 256, values, 1, &e[0], &e[2]) == CL_SUCCESS);
    run(any, set, 2, &e[1], &e[3]);
    CHECK(clFlush(any) == CL_SUCCESS && clFlush(q) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &e[3]) == CL_SUCCESS);
    for (int i = 0; i < 4; i++)
        CHECK(!has_times(e[i]) && clReleaseEvent(e[i]) == CL_SUCCESS);
    /* events that the driver makes without the loader, some where others were */
    for (int i = 0; i < 16; i++)
        CHECK(clEnqueueFillBuffer(q, a, &one, sizeof one, 0, 64, 0, NULL, &other[i]) == CL_SUCCESS);
    CHECK(clFinish(q) == CL_SUCCESS);
    for (int i = 0; i < 16; i++)
        CHECK(clReleaseEvent(other[i]) == CL_SUCCESS);
    for (int i = 0; i < 16; i++)
        CHECK(driver_of(context)->clEnqueueMarkerWithWaitList(q, 0, NULL, &other[i]) == CL_SUCCESS);
    run(q, plane, 16, other, NULL);
    for (int i = 0; i < 16; i++)
        CHECK(clReleaseEvent(other[i]) == CL_SUCCESS);
    CHECK(clFinish(any) == CL_SUCCESS && clFinish(q) == CL_SUCCESS);
}

/* What a program can ask about its queue is as it made it. */
static void ask(cl_command_queue_properties bits)
{
    cl_queue_properties list[8] = { 9, 9, 9, 9 };
    cl_command_queue_properties got = 99;
    size_t n = 0;
    cl_event event;
    cl_command_queue q = new_queue(bits);
    cl_kernel k = new_kernel("work");
    const int few = 10;
    cl_uint n_made = 99;
    cl_kernel one;
    CHECK(clCreateKernelsInProgram(program, 1, &one, &n_made) == CL_INVALID_VALUE && n_made == 99);
    CHECK(clSetKernelArg(k, 1, sizeof few, &few) == CL_SUCCESS);
    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof got, &got, NULL) == CL_SUCCESS && got == bits);
    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &n) == CL_SUCCESS);
    CHECK(n == (bits ? 3 * sizeof *list : 0));
    CHECK(bits ? list[0] == CL_QUEUE_PROPERTIES && list[1] == bits && list[2] == 0 : list[0] == 9);
    CHECK(list[3] == 9);
    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, bits ? 8 : 0, list, &n) == (bits ? CL_INVALID_VALUE : 0));
    run(q, k, 0, NULL, &event);
    CHECK(clFinish(q) == CL_SUCCESS);
    CHECK(has_times(event) == ((bits & CL_QUEUE_PROFILING_ENABLE) != 0));
    CHECK(clRetainCommandQueue(q) == CL_SUCCESS && clReleaseCommandQueue(q) == CL_SUCCESS);
    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof got, &got, NULL) == CL_SUCCESS && got == bits);
    CHECK(clReleaseCommandQueue(q) == CL_SUCCESS); /* the event keeps it */
    CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
    CHECK(has_times(event) == ((bits & CL_QUEUE_PROFILING_ENABLE) != 0));
    CHECK(clReleaseEvent(event) == CL_SUCCESS);
}

/* Times of a queue are turned on and off, which the recorder does alone: the driver can do only what is so already. */
static void change(void)
{
    cl_command_queue_properties old = 99, got = 99;
    cl_command_queue q = new_queue(0);
    cl_kernel k = new_kernel("plane");
    cl_event event;
    for (cl_bool on = CL_TRUE;; on = CL_FALSE) {
        CHECK(clSetCommandQueueProperty(q, CL_QUEUE_PROFILING_ENABLE, on, &old) == CL_SUCCESS);
        CHECK(old == (on ? 0 : CL_QUEUE_PROFILING_ENABLE));
        CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof got, &got, NULL) == CL_SUCCESS);
        CHECK(got == (on ? CL_QUEUE_PROFILING_ENABLE : 0));
        run(q, k, 0, NULL, &event);
        CHECK(clFinish(q) == CL_SUCCESS && has_times(event) == (int)on && clReleaseEvent(event) == CL_SUCCESS);
        if (!on)
            break;
    }
    CHECK(clSetCommandQueueProperty(q, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_TRUE, &old) != CL_SUCCESS);
    CHECK(old == CL_QUEUE_PROFILING_ENABLE);
}

/* Queues that the driver makes without the loader, as an extension does: one is where one was that is released. */
static void ask_driver(void)
{
    cl_command_queue gone[8], made[8], q = NULL;
    const cl_queue_properties about[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0 };
    cl_command_queue_properties got = 0;
    cl_int rc = 1;
    cl_event event, marker;
    cl_kernel k = new_kernel("work");
    const int few = 10;
    CHECK(clSetKernelArg(k, 1, sizeof few, &few) == CL_SUCCESS);
    for (int i = 0; i < 8; i++)
        gone[i] = new_queue(0);
    for (int i = 0; i < 8; i++)
        CHECK(clReleaseCommandQueue(gone[i]) == CL_SUCCESS);
    for (int i = 0; i < 8; i++) {
        made[i] = driver_of(context)->clCreateCommandQueueWithProperties(context, device, about, &rc);
        CHECK(made[i] && rc == CL_SUCCESS);
        for (int j = 0; j < 8; j++)
            q = !q || made[i] == gone[j] ? made[i] : q;
    }
    CHECK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof got, &got, NULL) == CL_SUCCESS);
    CHECK(got == CL_QUEUE_PROFILING_ENABLE);
    CHECK(clEnqueueMarkerWithWaitList(q, 0, NULL, &marker) == CL_SUCCESS);
    run(q, k, 0, NULL, &event);
    CHECK(clFinish(q) == CL_SUCCESS && has_times(event) && has_times(marker));
    CHECK(clReleaseEvent(event) == CL_SUCCESS && clReleaseEvent(marker) == CL_SUCCESS);
    for (int i = 0; i < 8; i++)
        CHECK(clReleaseCommandQueue(made[i]) == CL_SUCCESS);
}

/* Events are released at once, and nothing waits; or the program is killed after a part of it. */
static void never_waits(int killed)
{
    const int n = 100;
    const size_t one = 1;
    cl_int state = 1;
    cl_event last;
    cl_command_queue q = new_queue(0);
    cl_kernel k = new_kernel("work");
    CHECK(clSetKernelArg(k, 1, sizeof n, &n) == CL_SUCCESS);
    for (int i = 0; i < 500; i++) {
        cl_event event;
        run(q, k, 0, NULL, &event);
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
    }
    if (killed) {
        const int for_long = 10000000;
        CHECK(clFinish(q) == CL_SUCCESS && clSetKernelArg(k, 1, sizeof for_long, &for_long) == CL_SUCCESS);
        run(q, k, 0, NULL, NULL);
        if (!failed)
            raise(SIGKILL);
    }
    CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL, &last) == CL_SUCCESS && clFlush(q) == CL_SUCCESS);
    for (int i = 0; i < 1000 && state != CL_COMPLETE; i++) {
        nap(20);
        clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    }
}

/* Work that fails, as what it waits for does, and work that is not done at the exit. */
static void lose(void)
{
    cl_event no = clCreateUserEvent(context, NULL), never = clCreateUserEvent(context, NULL), event;
    cl_command_queue q = new_queue(0), late = new_queue(0);
    cl_kernel k = new_kernel("plane");
    run(q, k, 0, NULL, NULL);
    CHECK(clFinish(q) == CL_SUCCESS);
    run(q, k, 1, &no, &event);
    CHECK(clSetUserEventStatus(no, -1) == CL_SUCCESS);
    CHECK(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    run(late, k, 1, &never, NULL);
}

/* Threads with a queue each, and one that they share. */
static cl_command_queue common;

static void *thread(void *arg)
{
    const int n = 10;
    cl_command_queue q = new_queue(0);
    cl_kernel k = new_kernel("work");
    (void)arg;
    CHECK(clSetKernelArg(k, 1, sizeof n, &n) == CL_SUCCESS);
    for (int i = 0; i < 200; i++) {
        cl_event event;
        run(q, k, 0, NULL, &event);
        run(common, k, 1, &event, NULL);
        if (i % 50 == 49)
            CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
        CHECK(clReleaseEvent(event) == CL_SUCCESS);
    }
    CHECK(clFinish(q) == CL_SUCCESS && clReleaseCommandQueue(q) == CL_SUCCESS);
    return NULL;
}

static void threads(void)
{
    pthread_t t[4];
    common = new_queue(0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&t[i], NULL, thread, NULL) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    CHECK(clFinish(common) == CL_SUCCESS);
}

/* How long a call takes that gives work: its median, in ns. */
static int by_value(const void *x, const void *y)
{
    long long p = *(const long long *)x, q = *(const long long *)y;
    return (p > q) - (p < q);
}

static void measure(void)
{
    enum { CALLS = 5000 };
    static long long took[CALLS];
    const int n = 1;
    cl_command_queue q = new_queue(0);
    cl_kernel k = new_kernel("work");
    CHECK(clSetKernelArg(k, 1, sizeof n, &n) == CL_SUCCESS);
    for (int i = 0; i < CALLS; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        run(q, k, 0, NULL, NULL);
        clock_gettime(CLOCK_MONOTONIC, &to);
        took[i] = (to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec;
        if (i % 50 == 49)
            CHECK(clFinish(q) == CL_SUCCESS);
    }
    qsort(took, CALLS, sizeof *took, by_value);
    printf("%lld\n", took[CALLS / 2]);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "order";
    start();
    if (strcmp(what, "order") == 0)
        in_order();
    else if (strcmp(what, "shared") == 0)
        shared();
    else if (strcmp(what, "events") == 0)
        events();
    else if (strcmp(what, "ask") == 0)
        ask(0), ask(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), ask(CL_QUEUE_PROFILING_ENABLE), ask_driver();
    else if (strcmp(what, "change") == 0)
        change();
    else if (strcmp(what, "never") == 0 || strcmp(what, "killed") == 0)
        never_waits(*what == 'k');
    else if (strcmp(what, "lose") == 0)
        lose();
    else if (strcmp(what, "threads") == 0)
        threads();
    else if (strcmp(what, "measure") == 0)
        measure();
    if (failed)
        fprintf(stderr, "the check of line %d failed\n", failed);
    return failed != 0;
}
