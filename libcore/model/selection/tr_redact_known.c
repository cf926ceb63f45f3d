/* SPDX-License-Identifier: MIT */
/* Redaction: names of public libraries, which reveal nothing about their users. */
#include "model/selection/tr_redact_int.h"

#include <string.h>

/* Namespaces of public libraries; names in them are kept. */
static const char *const namespaces[] = {
    "aten",          "at",        "c10",         "c10d",     "prim",       "prims",    "torch",
    "autograd",      "cutlass",   "cute",        "cublas",   "cublasLt",   "cudnn",    "cudnn_ops",
    "cudnn_cnn",     "cufft",     "cusparse",    "cusolver", "curand",     "cub",      "thrust",
    "cuda",          "cudaGraph", "std",         "nccl",     "rccl",       "nvshmem",  "flash",
    "pytorch_flash", "fmha",      "gemm_kernel", "rocprim",  "hipcub",     "rocblas",  "hipblaslt",
    "miopen",        "ck",        "ck_tile",     "rocrand",  "rocsolver",  "oneapi",   "oneccl",
    "dnnl",          "onednn",    "sycl",        "fbgemm",   "fbgemm_gpu", "xformers", "flashinfer",
    "deep_ep",       "vllm",      "sgl_kernel",  "aiter",    "triton",
};

/* Prefixes of single identifiers. */
static const char *const prefixes[] = {
    "ncclDevKernel",
    "ncclKernel",
    "ncclFunction",
    "ncclSym",
    "ncclGroup",
    "cutlass_",
    "cublas",
    "cudnn",
    "cudnnSeqData",
    "ampere_",
    "volta_",
    "turing_",
    "hopper_",
    "maxwell_",
    "pascal_",
    "sm50_",
    "sm60_",
    "sm70_",
    "sm72_",
    "sm75_",
    "sm80_",
    "sm86_",
    "sm89_",
    "sm90_",
    "sm100_",
    "sm120_",
    "nvjet_",
    "Cijk_",
    "rocblas_",
    "miopen",
    "__nv_",
    "splitKreduce",
    "gemv2T_",
    "gemv2N_",
    "gemvNSP_",
    "gemvNSP",
    "gemmSN_",
    "gemmk1_",
    "dot_kernel",
    "reduce_1Block_kernel",
    "scal_kernel",
    "fft2d_",
    "implicit_convolve_",
    "explicit_convolve_",
    "winograd_",
    "nchwToNhwc",
    "nhwcToNchw",
    "computeOffsets",
    "nvshmem",
    "nvshmemi_",
    "__amd_rocclr_",
    "igemm_",
    "batched_transpose_",
};

/* Calls of runtimes and drivers: one of these prefixes, then a capital letter. */
static const char *const calls[] = { "cuda", "cu", "hip", "hsa_", "nccl", "zeCommand", "urEnqueue" };

/* Common words: of C++, and of names that profilers and PyTorch make. */
static const char *const words[] = {
    "void",
    "bool",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "half",
    "unsigned",
    "signed",
    "const",
    "auto",
    "true",
    "false",
    "struct",
    "class",
    "enum",
    "operator",
    "lambda",
    "anonymous",
    "unnamed",
    "namespace",
    "type",
    "instance",
    "clone",
    "kd",
    "size_t",
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "__half",
    "__half2",
    "__nv_bfloat16",
    "bfloat16",
    "hip_bfloat16",
    "__hip_bfloat16",
    "float2",
    "float4",
    "int2",
    "int4",
    "uint4",
    "ushort",
    "uint",
    "ul",
    "u",
    "Memcpy",
    "Memset",
    "HtoD",
    "DtoH",
    "DtoD",
    "HtoH",
    "PtoP",
    "HtoA",
    "AtoH",
    "DtoA",
    "AtoD",
    "AtoA",
    "Host",
    "Device",
    "Pageable",
    "Pinned",
    "Managed",
    "Array",
    "Unknown",
    "Context",
    "Stream",
    "Event",
    "Sync",
    "Wait",
    "Record",
    "Synchronize",
    "Iteration",
    "Start",
    "PyTorch",
    "Profiler",
    "Activity",
    "Buffer",
    "Request",
    "Flush",
    "Instrumentation",
    "Resource",
    "Command",
    "Full",
    "Lazy",
    "Function",
    "Loading",
    "Runtime",
    "Triggered",
    "Module",
    "Optimizer",
    "step",
    "zero_grad",
    "SGD",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "RAdam",
    "RMSprop",
    "Adagrad",
    "Adadelta",
    "LBFGS",
    "enumerate",
    "DataLoader",
    "_SingleProcessDataLoaderIter",
    "_MultiProcessingDataLoaderIter",
    "__next__",
    "DistributedDataParallel",
    "forward",
    "backward",
    "evaluate_function",
    "record_param_comms",
    "AccumulateGrad",
    "CopyBackwards",
    "CopySlices",
    "detach",
    "detach_",
    "out",
    "Tensor",
    "Scalar",
    "default",
    "memory",
    "TorchDynamo",
    "Cache",
    "Lookup",
    "CompiledFunction",
    "CompiledFunctionBackward",
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(const char *const *list, size_t n, struct tr_str word)
{
    for (size_t i = 0; i < n; i++)
        if (tr_str_is(word, list[i]))
            return true;
    return false;
}

static bool starts_with(struct tr_str word, const char *with)
{
    size_t n = strlen(with);
    return word.len >= n && memcmp(word.s, with, n) == 0;
}

/* "AddmmBackward0": a node of autograd that PyTorch makes itself; nodes of users have no number. */
static bool is_autograd_node(struct tr_str word)
{
    static const char end[] = "Backward";
    size_t n = word.len;
    while (n && is_digit(word.s[n - 1]))
        n--;
    return n < word.len && n > strlen(end) && memcmp(word.s + n - strlen(end), end, strlen(end)) == 0;
}

static bool is_call(struct tr_str word)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        size_t n = strlen(calls[i]);
        bool capital = starts_with(word, calls[i]) && word.len > n && word.s[n] >= 'A' && word.s[n] <= 'Z';
        if (capital && !memchr(word.s + n, '_', word.len - n))
            return true;
        /* cuLaunchKernel_ptsz, cuMemcpyAsync_v2 */
        const char *tail = capital ? memchr(word.s + n, '_', word.len - n) : NULL;
        struct tr_str form = { tail, tail ? (size_t)(word.s + word.len - tail) : 0 };
        if (tail &&
            (tr_str_is(form, "_v2") || tr_str_is(form, "_v3") || tr_str_is(form, "_ptsz") || tr_str_is(form, "_ptds")))
            return true;
    }
    return false;
}

static bool is_known_word(struct tr_str word, bool names_a_space)
{
    if (names_a_space && is_one_of(namespaces, sizeof namespaces / sizeof *namespaces, word))
        return true;
    if (is_one_of(words, sizeof words / sizeof *words, word))
        return true;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (starts_with(word, prefixes[i]))
            return true;
    /* a parameter of a template */
    if (word.len == 1 || (word.len == 2 && word.s[0] >= 'A' && word.s[0] <= 'Z' && is_digit(word.s[1])))
        return true;
    return is_call(word) || is_autograd_node(word);
}

/* "nccl:all_reduce": ProcessGroupNCCL's annotations. */
static bool is_nccl(const char *name, struct tr_str word)
{
    static const char start[] = "nccl:";
    size_t n = strlen(start);
    if (strncmp(name, start, n) != 0)
        return false;
    return word.s == name ? word.len == n - 1 : word.s == name + n && tr__redact_passes(TR__R_WORD, word.s, word.len);
}

static bool is_known_number(const char *from, const char *to)
{
    size_t n = strspn(from, "0123456789"), len = (size_t)(to - from);
    if (n < len && from[n] == 'x') {
        size_t m = strspn(from + n + 1, "0123456789");
        return n <= 6 && m <= 6 && n + 1 + m == len;
    }
    return n <= 6 && len <= n + 3;
}

bool tr__redact_is_known(const char *name)
{
    const char *p = name;
    while (*p) {
        const char *from = p;
        if ((unsigned char)*p >= 0x80 || (unsigned char)*p < ' ')
            return false;
        if (!is_letter(*p) && !is_digit(*p)) {
            p++;
            continue;
        }
        while (is_letter(*p) || is_digit(*p))
            p++;
        if (is_digit(*from)) { /* a number, perhaps with a suffix: 4096ul, or a size: 32x32 */
            if (!is_known_number(from, p))
                return false;
            continue;
        }
        /* after "::" in a namespace, class or function that was tested before */
        bool inside = from - name > 2 && from[-1] == ':' && from[-2] == ':' &&
                      (is_letter(from[-3]) || is_digit(from[-3]) || strchr(")>}", from[-3]));
        struct tr_str word = { from, (size_t)(p - from) };
        if (!inside && !is_known_word(word, p[0] == ':' && p[1] == ':') && !is_nccl(name, word))
            return false;
    }
    return *name;
}
