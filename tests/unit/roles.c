/* Names of vendors: roles, waits on the device, directions of copies, kinds of kernels. */
#include "harness/tap.h"
#include "vendor/tr_kinds.h"
#include "vendor/tr_roles.h"

#include <string.h>

static unsigned roles(const char *name)
{
    return tr_roles_of(name, strlen(name));
}

static void test_roles(void)
{
    static const struct {
        const char *name;
        unsigned roles;
    } cases[] = {
        { "cudaLaunchKernel", TR_NAMED_LAUNCH | TR_NAMED_LOCKED },
        { "cudaLaunchKernelExC", TR_NAMED_LAUNCH },
        { "cuLaunchKernel", TR_NAMED_LAUNCH },
        { "hipLaunchKernel", TR_NAMED_LAUNCH },
        { "hipExtModuleLaunchKernel", TR_NAMED_LAUNCH },
        { "cudaGraphLaunch", TR_NAMED_GRAPH_LAUNCH },
        { "hipGraphLaunch", TR_NAMED_GRAPH_LAUNCH },
        { "cudaHostAlloc", TR_NAMED_LOCKED },
        { "cudaMemcpyAsync", TR_NAMED_LOCKED },
        { "cudaMemcpy", 0 },
        { "cudaDeviceSynchronize", TR_NAMED_SYNC | TR_NAMED_SYNC_OR_QUERY },
        { "cuEventSynchronize", TR_NAMED_SYNC | TR_NAMED_SYNC_OR_QUERY },
        { "hipStreamSynchronize", TR_NAMED_SYNC },
        { "cudaEventQuery", TR_NAMED_SYNC_OR_QUERY },
        { "cudaEventRecord", TR_NAMED_EVENT_RECORD },
        { "hipEventRecord", TR_NAMED_EVENT_RECORD },
        { "ProfilerStep#12", TR_NAMED_STEP },
        { "a ProfilerStep#12", 0 },
        { "autograd::engine::evaluate_function: MmBackward0",
          TR_NAMED_AUTOGRAD | TR_NAMED_AUTOGRAD_OP },
        { "pt_autograd_0", TR_NAMED_AUTOGRAD },
        { "## forward ##", TR_NAMED_FORWARD },
        { "## backward ##", TR_NAMED_BACKWARD },
        { "aten::mm", 0 },
        { "", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (roles(cases[i].name) != cases[i].roles) {
            printf("# %s has roles %x\n", cases[i].name, roles(cases[i].name));
            CHECK(false);
        }
    CHECK(tr_roles_of("cudaEventRecordXYZ", 10) == 0); /* a name ends where it is said to end */
}

static void test_device(void)
{
    CHECK(tr_device_wait_of("Context Sync", 12) == TR_WAIT_CONTEXT &&
          tr_device_wait_of("Stream Sync", 11) == TR_WAIT_STREAM &&
          tr_device_wait_of("Event Sync", 10) == TR_WAIT_EVENT &&
          tr_device_wait_of("Stream Wait Event", 17) ==
              TR_WAIT_STREAM_FOR_EVENT); /* waits that the device shows */
    CHECK(tr_device_wait_of("Stream Sync ", 12) == TR_WAIT_NONE &&
          tr_device_wait_of("", 0) == TR_WAIT_NONE); /* other rows are no waits */
    static const char name[] = "Memcpy HtoD (Pinned -> Device)";
    CHECK(strcmp(tr_copy_direction_name(tr_copy_direction(name, strlen(name))), "Memcpy HtoD") ==
          0);                                             /* the direction of a copy */
    CHECK(tr_copy_direction("Memset (Device)", 15) == 0); /* a fill is the first */
    CHECK(tr_copy_direction("Memcpy", 6) == TR_N_COPY_DIRECTIONS - 1 &&
          tr_copy_direction("hipMemcpy HtoD", 14) ==
              TR_N_COPY_DIRECTIONS - 1); /* a name that tells nothing known */
    CHECK(tr_is_backward_flow("fwdbwd", 6) && !tr_is_backward_flow("fwdbw", 5) &&
          !tr_is_backward_flow("ac2g", 4)); /* flows from forward to backward */
    CHECK(tr_kind_of(TR_ACT_KERNEL, "ncclDevKernel_AllReduce", 23) == TR_KIND_COMM &&
          tr_kind_of(TR_ACT_KERNEL, "void ncclKernel_X", 17) == TR_KIND_COMM &&
          tr_kind_of(TR_ACT_KERNEL, "gemm", 4) == TR_KIND_COMPUTE &&
          tr_kind_of(TR_ACT_KERNEL, "Memcpy DtoD", 11) == TR_KIND_MEMORY &&
          tr_kind_of(TR_ACT_MEMSET, "x", 1) == TR_KIND_MEMORY &&
          tr_kind_of(TR_ACT_CPU_OP, "nccl", 4) == TR_KIND_NONE); /* kinds of device work */
}

static const struct tap_test tests[] = {
    { "roles of calls and of parts of a framework", test_roles },
    { "waits, copies and kernels of the device", test_device },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
