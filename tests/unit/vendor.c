/* SPDX-License-Identifier: MIT */
/* What vendors call things: every entry of every table, stated once more; names that almost fit; limits. */
#include "harness/tap.h"

#include "model/tr_kinds.h"
#include "vendor/tr_intel_name.h"
#include "vendor/tr_roles.h"
#include "vendor/tr_vocab.h"

#define N(array) (sizeof(array) / sizeof *(array))

static char text[200];

/* A word with its first or last letter gone, or one more at an end: all are other words. */
static size_t almost(const char *word, unsigned k)
{
    size_t n = strlen(word);
    switch (k) {
    case 0:
        return (size_t)snprintf(text, sizeof text, "%sx", word);
    case 1:
        return (size_t)snprintf(text, sizeof text, "x%s", word);
    case 2:
        return (size_t)snprintf(text, sizeof text, "%.*s", (int)n - 1, word);
    default:
        return (size_t)snprintf(text, sizeof text, "%s", word + 1);
    }
}

/* ---- categories ---- */

static const struct {
    const char *category;
    enum tr_activity activity;
} categories[] = {
    { "cpu_op", TR_ACT_CPU_OP },
    { "Operator", TR_ACT_CPU_OP },
    { "user_annotation", TR_ACT_ANNOTATION },
    { "marker_api", TR_ACT_ANNOTATION },
    { "python_function", TR_ACT_PYTHON },
    { "cuda_runtime", TR_ACT_RUNTIME_API },
    { "hip_runtime", TR_ACT_RUNTIME_API },
    { "hip_api", TR_ACT_RUNTIME_API },
    { "xpu_runtime", TR_ACT_RUNTIME_API },
    { "mtia_runtime", TR_ACT_RUNTIME_API },
    { "privateuse1_runtime", TR_ACT_RUNTIME_API },
    { "Runtime", TR_ACT_RUNTIME_API },
    { "cuda_driver", TR_ACT_DRIVER_API },
    { "hip_driver", TR_ACT_DRIVER_API },
    { "hsa_api", TR_ACT_DRIVER_API },
    { "xpu_driver", TR_ACT_DRIVER_API },
    { "privateuse1_driver", TR_ACT_DRIVER_API },
    { "kernel", TR_ACT_KERNEL },
    { "kernel_dispatch", TR_ACT_KERNEL },
    { "mtia_ccp_events", TR_ACT_KERNEL },
    { "Kernel", TR_ACT_KERNEL },
    { "gpu_memcpy", TR_ACT_MEMCPY },
    { "memory_copy", TR_ACT_MEMCPY },
    { "Memcpy", TR_ACT_MEMCPY },
    { "gpu_memset", TR_ACT_MEMSET },
    { "Memset", TR_ACT_MEMSET },
    { "cuda_sync", TR_ACT_SYNC },
    { "xpu_sync", TR_ACT_SYNC },
    { "gpu_user_annotation", TR_ACT_DEVICE_ANNOTATION },
    { "overhead", TR_ACT_OVERHEAD },
    { "cpu_instant_event", TR_ACT_OTHER },
    { "", TR_ACT_OTHER },
    { "Cpu_op", TR_ACT_OTHER },
    { "cpu_op,user_annotation", TR_ACT_OTHER },
};

static void test_categories(void)
{
    for (size_t i = 0; i < N(categories); i++) {
        const char *c = categories[i].category;
        if (tr_vocab_category(c, strlen(c)) != categories[i].activity)
            printf("# '%s'\n", c);
        CHECK(tr_vocab_category(c, strlen(c)) == categories[i].activity);
        for (unsigned k = 0; *c && k < 4; k++) {
            size_t n = almost(c, k);
            CHECK(tr_vocab_category(text, n) == TR_ACT_OTHER);
        }
    }
    CHECK(tr_vocab_category("kernel_", 6) == TR_ACT_KERNEL); /* as far as the length says */
    CHECK(tr_vocab_category("kernel\0", 7) == TR_ACT_OTHER);
}

static void test_device_side(void)
{
    for (unsigned a = 0; a < TR_N_ACTIVITIES; a++)
        CHECK(!tr_vocab_on_device(a) == !(a == TR_ACT_KERNEL || a == TR_ACT_MEMCPY || a == TR_ACT_MEMSET ||
                                          a == TR_ACT_SYNC || a == TR_ACT_DEVICE_ANNOTATION));
}

static void test_sync_rows(void)
{
    CHECK(tr_vocab_stream_of_thread(TR_ACT_SYNC, 7) == 7);
    CHECK(tr_vocab_stream_of_thread(TR_ACT_SYNC, 999999) == 999999);
    CHECK(tr_vocab_stream_of_thread(TR_ACT_SYNC, 1000000) == 0);
    CHECK(tr_vocab_stream_of_thread(TR_ACT_SYNC, 1000007) == 7);
    CHECK(tr_vocab_stream_of_thread(TR_ACT_KERNEL, 1000007) == 1000007);
}

/* ---- names that refine them ---- */

static enum tr_vocab_name name_of(const char *s)
{
    int64_t step = -7;
    enum tr_vocab_name name = tr_vocab_name(s, strlen(s), &step);
    CHECK(name == TR_NAME_STEP || step == -7);
    return name;
}

static void test_names(void)
{
    static const struct {
        const char *name;
        enum tr_vocab_name is;
    } whole[] = {
        { "record_param_comms", TR_NAME_COMM_RECORD },
        { "[memory]", TR_NAME_MEMORY_INSTANT },
        { "process_name", TR_NAME_PROCESS_NAME },
        { "process_labels", TR_NAME_PROCESS_LABELS },
        { "process_sort_index", TR_NAME_PROCESS_SORT },
        { "thread_name", TR_NAME_THREAD_NAME },
        { "thread_sort_index", TR_NAME_THREAD_SORT },
    }, starts[] = {
        { "Memcpy", TR_NAME_DEVICE_COPY },    { "hipMemcpy", TR_NAME_DEVICE_COPY }, { "dma", TR_NAME_DEVICE_COPY },
        { "Memset", TR_NAME_DEVICE_MEMSET },    { "hipMemset", TR_NAME_DEVICE_MEMSET },
    };
    for (size_t i = 0; i < N(whole); i++) {
        CHECK(name_of(whole[i].name) == whole[i].is);
        for (unsigned k = 0; k < 4; k++) {
            almost(whole[i].name, k);
            CHECK(name_of(text) == TR_NAME_PLAIN);
        }
    }
    for (size_t i = 0; i < N(starts); i++) {
        CHECK(name_of(starts[i].name) == starts[i].is);
        almost(starts[i].name, 0);
        CHECK(name_of(text) == starts[i].is);
        for (unsigned k = 1; k < 4; k++) {
            almost(starts[i].name, k);
            CHECK(name_of(text) == TR_NAME_PLAIN);
        }
    }
    CHECK(name_of("") == TR_NAME_PLAIN);
    CHECK(name_of("memcpy") == TR_NAME_PLAIN);
    CHECK(name_of("cudaMemsetAsync") == TR_NAME_PLAIN);
}

static void test_intel_names(void)
{
    static const struct {
        const char *name;
        enum tr_vocab_name is;
    } cases[] = {
        { "zeEventHostSynchronize", TR_NAME_INTEL_CALL },
        { "zeCommandListAppendBarrier", TR_NAME_INTEL_CALL },
        { "zeCommandListAppendMemoryCopy(M2D)[1024]", TR_NAME_INTEL_COPY },
        { "zeCommandListAppendImageCopyFromMemory", TR_NAME_INTEL_COPY },
        { "zeCommandListAppendMemoryFill", TR_NAME_INTEL_MEMSET },
        { "Tile #0: zeCommandListAppendMemoryCopy(D2M)[64]", TR_NAME_INTEL_COPY },
        { "Tile #0", TR_NAME_PLAIN },
        { "Tile #0: Gemm", TR_NAME_PLAIN },
        { "clFinish", TR_NAME_INTEL_CALL },
        { "clEnqueueWriteBuffer", TR_NAME_INTEL_COPY },
        { "clEnqueueSVMMemcpy", TR_NAME_INTEL_COPY },
        { "clEnqueueFillBuffer", TR_NAME_INTEL_MEMSET },
        { "urEnqueueKernelLaunch", TR_NAME_RUNTIME_CALL },
        { "piQueueFinish", TR_NAME_RUNTIME_CALL },
        { "MPI::MPI_Comm_rank", TR_NAME_RUNTIME_CALL },
        { "MPI::MPI_Init", TR_NAME_RUNTIME_CALL },
        { "MPI::MPI_Allreduce", TR_NAME_HOST_COMM },
        { "oneCCL::allreduce", TR_NAME_HOST_COMM },
        { "ze", TR_NAME_PLAIN },
        { "zebra", TR_NAME_PLAIN },
        { "clock", TR_NAME_PLAIN },
        { "url", TR_NAME_PLAIN },
        { "MPI_Allreduce", TR_NAME_PLAIN },
    };
    for (size_t i = 0; i < N(cases); i++) {
        if (name_of(cases[i].name) != cases[i].is)
            printf("# '%s'\n", cases[i].name);
        CHECK(name_of(cases[i].name) == cases[i].is);
    }
}

static void test_steps(void)
{
    static const struct {
        const char *name;
        int64_t step; /* -1: no step */
    } cases[] = {
        { "ProfilerStep#0", 0 },
        { "ProfilerStep#7", 7 },
        { "ProfilerStep#9", 9 },
        { "ProfilerStep#10", 10 },
        { "ProfilerStep#00012", 12 },
        { "ProfilerStep#123456789", 123456789 },
        { "ProfilerStep#999999999", 999999999 }, /* 9 digits are the most, as in a redacted name */
        { "ProfilerStep#1000000000", -1 },
        { "ProfilerStep#0000000001", -1 },
        { "ProfilerStep#", -1 },
        { "ProfilerStep", -1 },
        { "profilerStep#1", -1 },
        { "ProfilerStep#-1", -1 },
        { "ProfilerStep# 1", -1 },
        { "ProfilerStep#1 ", -1 },
        { "ProfilerStep#1a", -1 },
        { "ProfilerStep#/", -1 }, /* neighbours of the digits */
        { "ProfilerStep#:", -1 },
        { "ProfilerStep#1/", -1 },
        { "ProfilerStep#1:", -1 },
        { " ProfilerStep#1", -1 },
    };
    for (size_t i = 0; i < N(cases); i++) {
        int64_t step = -7;
        bool is = cases[i].step >= 0;
        enum tr_vocab_name name = tr_vocab_name(cases[i].name, strlen(cases[i].name), &step);
        if (name != (is ? TR_NAME_STEP : TR_NAME_PLAIN) || step != (is ? cases[i].step : -7))
            printf("# '%s'\n", cases[i].name);
        CHECK(name == (is ? TR_NAME_STEP : TR_NAME_PLAIN));
        CHECK(step == (is ? cases[i].step : -7));
    }
}

/* Names that refine the activity of their category, in spans; every other pair leaves it as it is. */
static const struct {
    enum tr_activity of_category;
    enum tr_vocab_name name;
    enum tr_activity is;
} refined[] = {
    { TR_ACT_CPU_OP, TR_NAME_COMM_RECORD, TR_ACT_COMM_RECORD },
    { TR_ACT_CPU_OP, TR_NAME_STEP, TR_ACT_ANNOTATION },
    { TR_ACT_CPU_OP, TR_NAME_INTEL_CALL, TR_ACT_DRIVER_API },
    { TR_ACT_CPU_OP, TR_NAME_INTEL_COPY, TR_ACT_DRIVER_API },
    { TR_ACT_CPU_OP, TR_NAME_INTEL_MEMSET, TR_ACT_DRIVER_API },
    { TR_ACT_CPU_OP, TR_NAME_RUNTIME_CALL, TR_ACT_RUNTIME_API },
    { TR_ACT_CPU_OP, TR_NAME_HOST_COMM, TR_ACT_HOST_COMM },
    { TR_ACT_KERNEL, TR_NAME_DEVICE_COPY, TR_ACT_MEMCPY },
    { TR_ACT_KERNEL, TR_NAME_INTEL_COPY, TR_ACT_MEMCPY },
    { TR_ACT_KERNEL, TR_NAME_DEVICE_MEMSET, TR_ACT_MEMSET },
    { TR_ACT_KERNEL, TR_NAME_INTEL_MEMSET, TR_ACT_MEMSET },
    { TR_ACT_KERNEL, TR_NAME_INTEL_CALL, TR_ACT_SYNC },
};

static enum tr_activity expected(enum tr_activity a, enum tr_vocab_name name, enum tr_phase phase)
{
    bool timed = phase == TR_SPAN || phase == TR_BEGIN || phase == TR_SPAN_END;
    if (name == TR_NAME_MEMORY_INSTANT)
        return phase == TR_INSTANT || phase == TR_META ? TR_ACT_MEMORY_INSTANT : a;
    if (!timed)
        return TR_ACT_OTHER;
    for (size_t i = 0; i < N(refined); i++)
        if (refined[i].of_category == a && refined[i].name == name)
            return refined[i].is;
    return a;
}

static void test_activities(void)
{
    for (int a = 0; a < TR_N_ACTIVITIES; a++)
        for (int n = TR_NAME_PLAIN; n <= TR_NAME_THREAD_SORT; n++)
            for (int p = 0; p < TR_N_PHASES; p++)
                CHECK(tr_vocab_activity((enum tr_activity)a, (enum tr_vocab_name)n, (enum tr_phase)p) ==
                      expected((enum tr_activity)a, (enum tr_vocab_name)n, (enum tr_phase)p));
}

/* ---- flows, phases ---- */

static void test_flows(void)
{
    static const char *const words[] = { "ac2g", "async_gpu", "fwdbwd" };
    for (unsigned w = 0; w < 3; w++) {
        CHECK(tr_vocab_launch_flow(words[w], strlen(words[w])) == (w < 2));
        CHECK(tr_is_backward_flow(words[w], strlen(words[w])) == (w == 2));
        for (unsigned k = 0; k < 4; k++) {
            size_t n = almost(words[w], k);
            CHECK(!tr_vocab_launch_flow(text, n) && !tr_is_backward_flow(text, n));
        }
    }
    CHECK(!tr_vocab_launch_flow("", 0) && !tr_is_backward_flow("", 0));
}

static void test_blocking_mpi(void)
{
    static const struct {
        const char *name;
        bool blocks;
    } calls[] = {
        { "MPI::MPI_Barrier", true },        { "MPI::MPI_Allreduce", true },  { "MPI::MPI_Ibarrier", false },
        { "MPI::MPI_Iallreduce", false },    { "MPI::MPI_Alltoall_init", false }, { "MPI::MPI_", false },
        { "MPI::Device_put", false },        { "oneCCL::allreduce", false },  { "MPI_Barrier", false },
        { "MPI::MPI_barrier", false },       { "", false },
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        CHECK(tr_vocab_blocking_mpi(calls[i].name, strlen(calls[i].name)) == calls[i].blocks);
}

static void test_copy_bytes(void)
{
    static const struct {
        const char *name;
        int64_t bytes;
    } copies[] = {
        { "zeCommandListAppendMemoryCopy(M2D)[4096]", 4096 },
        { "zeCommandListAppendMemoryCopy(D2M)[0]", 0 },
        { "Tile #0: zeCommandListAppendMemoryCopy(D2D)[17 bytes]", 17 },
        { "zeCommandListAppendMemoryFill[64]", 64 },
        { "clEnqueueWriteBuffer[8]", 8 },
        { "zeCommandListAppendMemoryCopy(M2D)", -1 },
        { "zeCommandListAppendMemoryCopy(M2D)[]", -1 },
        { "zeCommandListAppendMemoryCopy(M2D)[1 byte]", -1 },
        { "zeCommandListAppendMemoryCopy(M2D)[-1]", -1 },
        { "zeCommandListAppendMemoryCopy(M2D)[4096] ", -1 },
        { "zeCommandListAppendMemoryCopy(M2D)[9223372036854775807]", INT64_MAX },
        { "zeCommandListAppendMemoryCopy(M2D)[9223372036854775808]", -1 },
        { "zeCommandListAppendBarrier[4096]", -1 },
        { "gemm[4096]", -1 },
        { "gemm[SIMD16 {1; 1; 1} {64; 1; 1}]", -1 },
        { "[4096]", -1 },
        { "]", -1 },
        { "", -1 },
    };
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        CHECK(tr_intel_copy_bytes(tr_str_of(copies[i].name)) == copies[i].bytes);
}

static void test_shapes(void)
{
    static const struct {
        const char *name;
        bool good, sized;
        int64_t simd, groups[3], items[3];
    } kernels[] = {
        { "gemm[SIMD32 {64; 2; 1} {256; 4; 8}]", true, true, 32, { 64, 2, 1 }, { 256, 4, 8 } },
        { "Tile #1: g[SIMD_ANY {0; 1; 4294967295} {1; 1; 1}]", true, true, -1, { 0, 1, 4294967295 }, { 1, 1, 1 } },
        { "g[1][SIMD8]", true, false, 8, { 0 }, { 0 } },
        { "g[SIMD_ANY]", true, false, -1, { 0 }, { 0 } },
        { "f<int>::{lambda()#1} {64; 2; 1} {256; 4; 8}]", true, true, 0, { 64, 2, 1 }, { 256, 4, 8 } },
        { "a[3] {64; 2; 1} {256; 4; 8}]", true, true, 0, { 64, 2, 1 }, { 256, 4, 8 } },
        { " {64; 2; 1} {256; 4; 8}]", false, false, 0, { 0 }, { 0 } }, /* no name */
        { "{64; 2; 1} {256; 4; 8}]", false, false, 0, { 0 }, { 0 } },
        { "g {64; 2; 1} {256; 4; 8}", false, false, 0, { 0 }, { 0 } },
        { "g {256; 4; 8}]", false, false, 0, { 0 }, { 0 } },
        { "g{64; 2; 1} {256; 4; 8}]", false, false, 0, { 0 }, { 0 } },
        { "}]", false, false, 0, { 0 }, { 0 } },
        { "[SIMD8]", false, false, 0, { 0 }, { 0 } }, /* no name */
        { "g[SIMD]", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD32x]", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD32 {64; 2; 1}]", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD32 {64; 2; 1} {256; 4; 8}", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD32 {64; 2; 1} {256; 4; 8]", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD32 {64; 2; 1} {256; 4; 8} ]", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD32 {64; 2; 1} {256; 4}]", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD32 {64; -2; 1} {256; 4; 8}]", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD32 {64;2;1} {256; 4; 8}]", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD32 {64; 2; 9223372036854775808} {256; 4; 8}]", false, false, 0, { 0 }, { 0 } },
        { "g[SIMD99999999999999999999]", false, false, 0, { 0 }, { 0 } },
        { "g[4096]", false, false, 0, { 0 }, { 0 } },
        { "", false, false, 0, { 0 }, { 0 } },
    };
    static const struct {
        const char *name;
        int64_t tile;
    } tiles[] = { { "Tile #0: g", 0 }, { "Tile #12: g", 12 }, { "Tile #1:", 1 },   { "Tile #1", -1 },
                  { "Tile #: g", -1 }, { "Tile #x: g", -1 },  { "tile #1: g", -1 }, { "g", -1 },
                  { "Tile #99999999999999999999: g", -1 },    { "", -1 } };
    struct tr_intel_shape s;
    for (size_t i = 0; i < N(kernels); i++) {
        bool good = tr_intel_shape(tr_str_of(kernels[i].name), &s);
        CHECK(good == kernels[i].good);
        CHECK(!good || (s.simd == kernels[i].simd && s.sized == kernels[i].sized));
        CHECK(!good || !s.sized || (!memcmp(s.groups, kernels[i].groups, sizeof s.groups) &&
                                    !memcmp(s.items, kernels[i].items, sizeof s.items)));
    }
    for (size_t i = 0; i < N(tiles); i++)
        CHECK(tr_intel_tile(tr_str_of(tiles[i].name)) == tiles[i].tile);
}

/* Arrows of unitrace: their category has a number of its own. */
static void test_arrows(void)
{
    static const struct {
        const char *cat;
        enum tr_vocab_arrow arrow;
        int64_t work, rank;
    } arrows[] = {
        { "Flow_H2D_12_3", TR_ARROW_TO_WORK, 12, 3 },
        { "Flow_D2H_12_3", TR_ARROW_FROM_WORK, 12, 3 },
        { "CL_Flow_H2D_1_0", TR_ARROW_TO_WORK, 1, INT64_C(1) << 40 },
        { "CL_Flow_D2H_0_5", TR_ARROW_FROM_WORK, 0, (INT64_C(1) << 40) + 5 },
        { "Flow_H2D_*_3", TR_ARROW_TO_WORK, TR_I64_NONE, 3 },
        { "CL_Flow_D2H_*_0", TR_ARROW_FROM_WORK, TR_I64_NONE, INT64_C(1) << 40 },
        { "Flow_H2D_**_3", TR_ARROW_NONE, 0, 0 },
        { "Flow_H2D_*", TR_ARROW_NONE, 0, 0 },
        { "Flow_H2H_1_0", TR_ARROW_NONE, 0, 0 },
        { "Flow_D2H_1_", TR_ARROW_NONE, 0, 0 },
        { "Flow_D2H__1", TR_ARROW_NONE, 0, 0 },
        { "Flow_H2D_1", TR_ARROW_NONE, 0, 0 },
        { "Flow_H2D_1_0 ", TR_ARROW_NONE, 0, 0 },
        { "CL_CL_Flow_H2D_1_0", TR_ARROW_NONE, 0, 0 },
        { "Flow_", TR_ARROW_NONE, 0, 0 },
        { "CL_", TR_ARROW_NONE, 0, 0 },
        { "", TR_ARROW_NONE, 0, 0 },
    };
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        int64_t work = 0, rank = 0;
        size_t n = strlen(arrows[i].cat);
        CHECK(tr_vocab_arrow(arrows[i].cat, n, &work, &rank) == arrows[i].arrow);
        CHECK(arrows[i].arrow == TR_ARROW_NONE || (work == arrows[i].work && rank == arrows[i].rank));
        CHECK(tr_vocab_launch_flow(arrows[i].cat, n) == (arrows[i].arrow == TR_ARROW_TO_WORK));
    }
    static const struct {
        const char *cat;
        size_t at, n; /* n 0: none */
    } digits[] = {
        { "Flow_H2D_12_3", 9, 2 },
        { "CL_Flow_D2H_0_5", 12, 1 },
        { "Flow_H2D_123456789012345678_0", 9, 18 },
        { "Flow_H2D_1234567890123456789_0", 0, 0 },
        { "Flow_H2D_012_3", 0, 0 },
        { "Flow_H2D_*_3", 0, 0 },
        { "Flow_H2D_12", 0, 0 },
    };
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
        size_t at = 0, n = 0;
        bool found = tr_vocab_arrow_digits(digits[i].cat, strlen(digits[i].cat), &at, &n);
        CHECK(found == (digits[i].n > 0));
        CHECK(!found || (at == digits[i].at && n == digits[i].n));
    }
}

static void test_phases(void)
{
    static const struct {
        const char *letters; /* the first one is written */
        enum tr_phase phase;
    } phases[] = {
        { "X", TR_SPAN },        { "iIR", TR_INSTANT },   { "C", TR_COUNTER },        { "s", TR_FLOW_START },
        { "t", TR_FLOW_STEP },   { "f", TR_FLOW_END },    { "bS", TR_ASYNC_BEGIN },   { "nTp", TR_ASYNC_INSTANT },
        { "eF", TR_ASYNC_END },  { "M", TR_META },        { "B", TR_BEGIN },          { "E", TR_SPAN_END },
    };
    CHECK(N(phases) + 1 == TR_N_PHASES);
    for (int c = 0; c < 256; c++) {
        enum tr_phase want = TR_PHASE_UNKNOWN;
        for (size_t i = 0; i < N(phases); i++)
            if (c && strchr(phases[i].letters, c))
                want = phases[i].phase;
        CHECK(tr_vocab_phase((char)c) == want);
    }
    for (size_t i = 0; i < N(phases); i++)
        CHECK(tr_vocab_letter(phases[i].phase) == phases[i].letters[0]);
    CHECK(tr_vocab_letter(TR_PHASE_UNKNOWN) == '?');
}

/* ---- kinds ---- */

static struct tr_rules *kind_rules;

static enum tr_kind kind_of(const char *name, size_t len)
{
    enum tr_kind kind = TR_KIND_NONE;
    struct tr_error err = TR_ERROR_INIT;
    CHECK(tr_kind_of_kernel(kind_rules, name, len, &kind, &err) == TR_OK);
    return kind;
}

static enum tr_kind kind(const char *name)
{
    return kind_of(name, strlen(name));
}

/* Files that set kinds are asked first, and every rule of them sets one; names need no zero at their end. */
static void test_kind_files(void)
{
    bool before = true;
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name; b++) {
        CHECK(before || !b->kinds);
        before = b->kinds;
    }
    CHECK(tr_rules_builtins[0].kinds);
    for (uint32_t i = 0; i < tr_rules_count(kind_rules); i++) {
        const struct tr_rule *rule = tr_rules_get(kind_rules, i);
        CHECK(rule->kind != TR_KIND_NONE && rule->condition != TR_RULE_MATCHES);
    }
}

static void test_kinds(void)
{
    static const struct {
        const char *starts;
        enum tr_kind kind;
    } rules[] = {
        { "nccl", TR_KIND_COMM },          { "rccl", TR_KIND_COMM },
        { "hccl", TR_KIND_COMM },          { "oneccl", TR_KIND_COMM },
        { "mscclKernel", TR_KIND_COMM },   { "nvshmem", TR_KIND_COMM },
        { "Memcpy", TR_KIND_MEMORY },      { "Memset", TR_KIND_MEMORY },
        { "hipMemcpy", TR_KIND_MEMORY },   { "hipMemset", TR_KIND_MEMORY },
        { "dma", TR_KIND_MEMORY },         { "Stream Wait Event", TR_KIND_OTHER },
        { "runFunction", TR_KIND_OTHER },  { "job_exe", TR_KIND_OTHER },
        { "packet", TR_KIND_OTHER },       { "pe_exe", TR_KIND_OTHER },
        { "cpum_exe_subgraph", TR_KIND_OTHER },
        { "collective_subgraph_execution", TR_KIND_OTHER },
    };
    for (size_t i = 0; i < N(rules); i++) {
        CHECK(kind(rules[i].starts) == rules[i].kind);
        almost(rules[i].starts, 0);
        CHECK(kind(text) == rules[i].kind);
        for (unsigned k = 1; k < 4; k++) {
            almost(rules[i].starts, k);
            CHECK(kind(text) == TR_KIND_COMPUTE);
        }
    }
    static const char *const anywhere[] = { "ncclKernel", "ncclDevKernel" };
    for (size_t i = 0; i < N(anywhere); i++) {
        snprintf(text, sizeof text, "void %s_Sum", anywhere[i]);
        CHECK(kind(text) == TR_KIND_COMM);
        snprintf(text, sizeof text, "void %s", anywhere[i]); /* ends with the name */
        CHECK(kind(text) == TR_KIND_COMM);
        CHECK(kind_of(text, strlen(text) - 1) == TR_KIND_COMPUTE);
    }
    CHECK(kind("") == TR_KIND_COMPUTE);
    CHECK(kind("ampere_sgemm_128x64_tn") == TR_KIND_COMPUTE);
}

/* ---- roles ---- */

static unsigned roles(const char *name)
{
    return tr_roles_of(NULL, name, strlen(name));
}

static void test_roles(void)
{
    static const struct {
        const char *name;
        unsigned roles;
    } whole[] = {
        { "cudaHostAlloc", TR_NAMED_LOCKED },
        { "cudaLaunchKernel", TR_NAMED_LOCKED | TR_NAMED_LAUNCH },
        { "cudaMemcpyAsync", TR_NAMED_LOCKED },
        { "cudaDeviceSynchronize", TR_NAMED_SYNC_OR_QUERY | TR_NAMED_SYNC },
        { "cudaStreamSynchronize", TR_NAMED_SYNC_OR_QUERY | TR_NAMED_SYNC },
        { "cudaEventSynchronize", TR_NAMED_SYNC_OR_QUERY | TR_NAMED_SYNC },
        { "cudaEventQuery", TR_NAMED_SYNC_OR_QUERY },
        { "cuCtxSynchronize", TR_NAMED_SYNC_OR_QUERY | TR_NAMED_SYNC },
        { "cuStreamSynchronize", TR_NAMED_SYNC_OR_QUERY | TR_NAMED_SYNC },
        { "cuEventSynchronize", TR_NAMED_SYNC_OR_QUERY | TR_NAMED_SYNC },
        { "cuEventQuery", TR_NAMED_SYNC_OR_QUERY },
    }, anywhere[] = {
        { "LaunchKernel", TR_NAMED_LAUNCH },
        { "GraphLaunch", TR_NAMED_GRAPH_LAUNCH },
        { "Synchronize", TR_NAMED_SYNC },
        { "EventRecord", TR_NAMED_EVENT_RECORD },
        { "autograd", TR_NAMED_AUTOGRAD },
        { "autograd::", TR_NAMED_AUTOGRAD | TR_NAMED_AUTOGRAD_OP },
        { "forward", TR_NAMED_FORWARD },
        { "## backward ##", TR_NAMED_BACKWARD },
    };
    const unsigned exact = TR_NAMED_LOCKED | TR_NAMED_SYNC_OR_QUERY;
    for (size_t i = 0; i < N(whole); i++) {
        CHECK(roles(whole[i].name) == whole[i].roles);
        for (unsigned k = 0; k < 4; k++) {
            almost(whole[i].name, k);
            CHECK((roles(text) & exact) == 0);
        }
    }
    for (size_t i = 0; i < N(anywhere); i++) {
        CHECK(roles(anywhere[i].name) == anywhere[i].roles);
        for (unsigned k = 0; k < 2; k++) {
            almost(anywhere[i].name, k);
            CHECK(roles(text) == anywhere[i].roles);
        }
        for (unsigned k = 2; k < 4; k++) {
            almost(anywhere[i].name, k);
            CHECK((roles(text) & anywhere[i].roles & ~(unsigned)TR_NAMED_AUTOGRAD) == 0);
        }
    }
    CHECK(roles("autogra") == 0 && roles("utograd") == 0);
    CHECK(roles("Iteration Start: PyTorch Profiler") == TR_NAMED_PROFILER &&
          roles("PyTorch Profiler (0)") == TR_NAMED_PROFILER &&
          roles("my PyTorch Profiler (0)") == 0);
    CHECK(roles("torch/utils/checkpoint.py(1400): recompute_fn") == TR_NAMED_RECOMPUTE);
    CHECK(roles("Buffer Flush") == TR_NAMED_PROFILER_OVERHEAD && roles("Buffer Flush 2") == 0);
    CHECK(roles("ProfilerStep#") == (TR_NAMED_STEP | TR_NAMED_PROFILER) &&
          roles("ProfilerStep#4 x") == (TR_NAMED_STEP | TR_NAMED_PROFILER));
    CHECK(roles(" ProfilerStep#4") == 0 && roles("ProfilerStep4") == 0);
    CHECK(roles("") == 0 && roles("aten::mm") == 0);
}

static void test_waits(void)
{
    static const char *const waits[] = { "Context Sync", "Stream Sync", "Event Sync", "Stream Wait Event" };
    static const enum tr_device_wait is[] = { TR_WAIT_CONTEXT, TR_WAIT_STREAM, TR_WAIT_EVENT,
                                              TR_WAIT_STREAM_FOR_EVENT };
    for (unsigned i = 0; i < N(waits); i++) {
        CHECK(tr_device_wait_of(NULL, waits[i], strlen(waits[i])) == is[i]);
        for (unsigned k = 0; k < 4; k++) {
            size_t n = almost(waits[i], k);
            CHECK(tr_device_wait_of(NULL, text, n) == TR_WAIT_NONE);
        }
    }
    CHECK(tr_device_wait_of(NULL, "", 0) == TR_WAIT_NONE);
}

static void test_directions(void)
{
    static const char *const names[] = { "Memset",      "Memcpy HtoD", "Memcpy DtoH", "Memcpy DtoD",
                                         "Memcpy PtoP", "Memcpy HtoH", "Memcpy HtoA", "Memcpy AtoH",
                                         "Memcpy AtoA", "Memcpy AtoD", "Memcpy DtoA", "Memcpy Unknown" };
    const unsigned unknown = TR_COPY_UNKNOWN;
    CHECK(N(names) == TR_N_COPY_DIRECTIONS);
    for (unsigned d = 0; d < N(names); d++) {
        CHECK_STR(tr_copy_direction_name(d), names[d]);
        CHECK(tr_copy_direction(NULL, names[d], strlen(names[d])) == d);
        snprintf(text, sizeof text, "%s (Pinned -> Device)", names[d]);
        CHECK(tr_copy_direction(NULL, text, strlen(text)) == d);
        for (unsigned k = 1; k < 4; k++) {
            size_t n = almost(names[d], k);
            CHECK(tr_copy_direction(NULL, text, n) == unknown);
        }
    }
    CHECK(tr_copy_direction(NULL, "", 0) == unknown);
}

/* Level Zero: from each place to each, in the commands of unitrace. */
static void test_level_zero_directions(void)
{
    static const char places[] = "DHMS";
    static const char *const copies[] = { "MemoryCopy", "MemoryCopyRegion", "MemoryCopyFromContext", "ImageCopy",
                                          "ImageCopyRegion", "ImageCopyFromMemory", "ImageCopyToMemory" };
    static const char *const ways[4][4] = {
        { "Memcpy DtoD", "Memcpy DtoH", "Memcpy DtoH", "Memcpy Unknown" },
        { "Memcpy HtoD", "Memcpy HtoH", "Memcpy HtoH", "Memcpy Unknown" },
        { "Memcpy HtoD", "Memcpy HtoH", "Memcpy HtoH", "Memcpy Unknown" },
        { "Memcpy Unknown", "Memcpy Unknown", "Memcpy Unknown", "Memcpy Unknown" },
    };
    for (size_t c = 0; c < N(copies); c++)
        for (size_t from = 0; from < 4; from++)
            for (size_t to = 0; to < 4; to++) {
                snprintf(text, sizeof text, "Tile #0: zeCommandListAppend%s(%c2%c)[64]", copies[c], places[from],
                         places[to]);
                CHECK_STR(tr_copy_direction_name(tr_copy_direction(NULL, text, strlen(text))), ways[from][to]);
            }
    static const char *const others[] = { "zeCommandListAppendMemoryCopy(M2D", "zeCommandListAppendMemoryCopy[M2D]",
                                          "zeCommandListAppendMemoryCopy(MtoD)", "Append(M2D)", "(M2D)" };
    for (size_t i = 0; i < N(others); i++)
        CHECK(tr_copy_direction(NULL, others[i], strlen(others[i])) == TR_N_COPY_DIRECTIONS - 1);
    CHECK(tr_copy_direction(NULL, "zeCommandListAppendMemoryFill(D)[64]", 36) == 0);
    CHECK(tr_copy_direction(NULL, "hipMemsetAsync", 14) == 0);
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "activities of categories", test_categories },
        { "activities on the device's side", test_device_side },
        { "streams of rows of waits", test_sync_rows },
        { "names that refine activities", test_names },
        { "names of unitrace that refine activities", test_intel_names },
        { "numbers of steps", test_steps },
        { "activities of category, name and phase", test_activities },
        { "categories of flows", test_flows },
        { "arrows of unitrace", test_arrows },
        { "sizes in names of unitrace", test_copy_bytes },
        { "shapes and tiles in names of unitrace", test_shapes },
        { "calls of MPI that return when all is done", test_blocking_mpi },
        { "letters of phases", test_phases },
        { "files that set kinds", test_kind_files },
        { "kinds of kernels", test_kinds },
        { "roles of names", test_roles },
        { "waits on the device", test_waits },
        { "directions of copies", test_directions },
        { "directions of copies of Level Zero", test_level_zero_directions },
    };
    struct tr_error err = TR_ERROR_INIT;
    if (tr_kind_rules(&kind_rules, &err) != TR_OK)
        return 1;
    int status = tap_run(tests, N(tests));
    tr_rules_free(kind_rules);
    return status;
}
