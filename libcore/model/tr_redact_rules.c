#include "model/tr_redact_int.h"

#include <string.h>

struct rule {
    const char *key;
    enum tr__rule rule;
};

/* Members beside args.  Times, names and the like stand in columns of their own. */
static const struct rule top_rules[] = {
    { "ph", TR__R_KEEP },        { "name", TR__R_TOKEN },    { "cat", TR__R_TOKEN },
    { "ts", TR__R_COUNT },       { "dur", TR__R_COUNT },     { "pid", TR__R_COUNT },
    { "tid", TR__R_COUNT },      { "args", TR__R_TOKEN },    { "id", TR__R_COUNT },
    { "bp", TR__R_WORD },        { "s", TR__R_WORD },        { "tts", TR__R_COUNT },
    { "tdur", TR__R_COUNT },     { "bind_id", TR__R_COUNT }, { "flow_in", TR__R_COUNT },
    { "flow_out", TR__R_COUNT }, { "scope", TR__R_TOKEN },   { "id2", TR__R_TOKEN },
};

static const struct rule args_rules[] = {
    { "Bytes", TR__R_COUNT },
    { "Collective name", TR__R_WORD },
    { "Device Id", TR__R_COUNT },
    { "Device Type", TR__R_COUNT },
    { "Ev Idx", TR__R_COUNT },
    { "External id", TR__R_COUNT },
    { "Fwd thread id", TR__R_COUNT },
    { "Global rank start", TR__R_COUNT },
    { "Global rank stride", TR__R_COUNT },
    { "Group size", TR__R_COUNT },
    { "In msg nelems", TR__R_COUNT },
    { "In split size", TR__R_COUNT },
    { "Input Dims", TR__R_COUNT },
    { "Input Strides", TR__R_COUNT },
    { "Input dims", TR__R_COUNT },
    { "Input type", TR__R_DTYPE },
    { "Op count", TR__R_COUNT },
    { "Out msg nelems", TR__R_COUNT },
    { "Out split size", TR__R_COUNT },
    { "Output Dims", TR__R_COUNT },
    { "Output type", TR__R_DTYPE },
    { "Process Group Description", TR__R_TOKEN },
    { "Process Group Name", TR__R_COUNT },
    { "Process Group Ranks", TR__R_COUNT },
    { "Python id", TR__R_COUNT },
    { "Python module id", TR__R_COUNT },
    { "Python parent id", TR__R_COUNT },
    { "Rank", TR__R_COUNT },
    { "Record function id", TR__R_COUNT },
    { "Seq", TR__R_COUNT },
    { "Sequence number", TR__R_COUNT },
    { "Total Allocated", TR__R_COUNT },
    { "Total Reserved", TR__R_COUNT },
    { "block", TR__R_COUNT },
    { "blocks per SM", TR__R_COUNT },
    { "bytes", TR__R_COUNT },
    { "cbid", TR__R_COUNT },
    { "context", TR__R_COUNT },
    { "correlation", TR__R_COUNT },
    { "device", TR__R_COUNT },
    { "dtype", TR__R_DTYPE },
    { "est. achieved occupancy %", TR__R_COUNT },
    { "external id", TR__R_COUNT },
    { "graph id", TR__R_COUNT },
    { "graph node id", TR__R_COUNT },
    { "grid", TR__R_COUNT },
    { "labels", TR__R_TOKEN },
    { "memory bandwidth (GB/s)", TR__R_COUNT },
    { "name", TR__R_TOKEN },
    { "num_stages", TR__R_COUNT },
    { "num_warps", TR__R_COUNT },
    { "queued", TR__R_COUNT },
    { "registers per thread", TR__R_COUNT },
    { "seq_num", TR__R_COUNT },
    { "shared memory", TR__R_COUNT },
    { "size", TR__R_COUNT },
    { "sort_index", TR__R_COUNT },
    { "stream", TR__R_COUNT },
    { "stream_id", TR__R_COUNT },
    { "wait_on_cuda_event_id", TR__R_COUNT },
    { "wait_on_cuda_event_record_corr_id", TR__R_COUNT },
    { "wait_on_stream", TR__R_COUNT },
    { "warps per SM", TR__R_COUNT },
};

enum tr__rule tr__redact_rule(enum tr_place place, const char *key, bool *known)
{
    bool top = place == TR_PLACE_TOP || place == TR_PLACE_END_TOP;
    const struct rule *rules = top ? top_rules : args_rules;
    size_t n = top ? sizeof top_rules / sizeof *top_rules : sizeof args_rules / sizeof *args_rules;
    *known = true;
    if (place == TR_PLACE_DERIVED)
        return strcmp(key, "launch_name") == 0 ? TR__R_TOKEN : TR__R_KEEP;
    for (size_t i = 0; i < n; i++)
        if (strcmp(rules[i].key, key) == 0)
            return rules[i].rule;
    *known = false;
    return TR__R_TOKEN;
}

static bool is_one_of(const char *const *words, size_t n, const char *text, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(words[i]) == len && memcmp(words[i], text, len) == 0)
            return true;
    return false;
}
#define IS_ONE_OF(words, text, len) is_one_of(words, sizeof words / sizeof *words, text, len)

static const char *const dtypes[] = {
    "",
    "Bool",
    "Byte",
    "Char",
    "Double",
    "Float",
    "Half",
    "BFloat16",
    "Int",
    "Long",
    "Short",
    "Float8_e4m3fn",
    "Float8_e5m2",
    "bool",
    "double",
    "float",
    "half",
    "bfloat16",
    "int",
    "long",
    "long int",
    "short",
    "short int",
    "char",
    "signed char",
    "unsigned char",
    "unsigned int",
    "unsigned long",
    "unsigned short",
    "Scalar",
    "ScalarList",
    "Tensor",
    "TensorList",
    "GenericList",
    "Device",
    "Layout",
    "None",
    "c10::BFloat16",
    "c10::Half",
    "c10::complex<float>",
    "c10::complex<double>",
    "c10::Float8_e4m3fn",
    "c10::Float8_e5m2",
    "c10::Float8_e4m3fnuz",
    "c10::Float8_e5m2fnuz",
    "float8_e4m3fn",
    "float8_e5m2",
};

static const char *const words[] = {
    "e",
    "g",
    "p",
    "t", /* bp; scope of an instant */
    "allreduce",
    "all_reduce",
    "allgather",
    "all_gather",
    "_allgather_base",
    "all_gather_base",
    "allgather_into_tensor_coalesced",
    "reduce_scatter",
    "_reduce_scatter_base",
    "reduce_scatter_base",
    "reduce_scatter_tensor_coalesced",
    "all_to_all",
    "all_to_allv",
    "alltoall",
    "alltoall_base",
    "broadcast",
    "reduce",
    "gather",
    "scatter",
    "send",
    "recv",
    "barrier",
    "wait",
    "coalesced",
    "nccl:coalesced",
};

/* A type, or a JSON array of types and of such arrays. */
static bool is_dtype(const char *s, size_t len)
{
    if (!len || s[0] != '[')
        return IS_ONE_OF(dtypes, s, len);
    for (size_t i = 0; i < len; i++) {
        if (strchr("[], ", s[i]))
            continue;
        const char *end = s[i] == '"' ? memchr(s + i + 1, '"', len - i - 1) : NULL;
        if (!end || !IS_ONE_OF(dtypes, s + i + 1, (size_t)(end - s) - i - 1))
            return false;
        i = (size_t)(end - s);
    }
    return true;
}

bool tr__redact_passes(enum tr__rule rule, const char *text, size_t len)
{
    switch (rule) {
    case TR__R_KEEP:
        return true;
    case TR__R_COUNT:
        return strspn(text, "0123456789+-.[], ") == len;
    case TR__R_DTYPE:
        return is_dtype(text, len);
    case TR__R_WORD:
        return IS_ONE_OF(words, text, len);
    default:
        return false;
    }
}

bool tr__redact_name_passes(const char *text)
{
    static const char *const names[] = {
        "",
        "process_name",
        "process_labels",
        "process_sort_index",
        "thread_name",
        "thread_sort_index",
        "ac2g",
        "fwdbwd",
        "async_cpu_to_gpu",
    };
    static const char step[] = "ProfilerStep#";
    if (IS_ONE_OF(names, text, strlen(text)))
        return true;
    size_t n = strlen(step);
    return strncmp(text, step, n) == 0 && text[n] && !text[n + strspn(text + n, "0123456789")];
}

bool tr__redact_cat_passes(const char *text)
{
    static const char *const cats[] = {
        "",
        "Kernel",
        "Memcpy",
        "Memset",
        "Operator",
        "Runtime",
        "Trace",
        "ac2g",
        "async_cpu_to_gpu",
        "async_gpu",
        "collective_comm",
        "cpu_instant_event",
        "cpu_op",
        "cuda_driver",
        "cuda_profiler_range",
        "cuda_runtime",
        "cuda_sync",
        "fwdbwd",
        "gpu_memcpy",
        "gpu_memset",
        "gpu_user_annotation",
        "hip_driver",
        "hip_runtime",
        "kernel",
        "mtia_ccp_events",
        "mtia_runtime",
        "overhead",
        "python_function",
        "user_annotation",
        "xpu_driver",
        "xpu_runtime",
    };
    return IS_ONE_OF(cats, text, strlen(text));
}
