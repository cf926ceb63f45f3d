/* SPDX-License-Identifier: MIT */
/* Redaction: which members and which texts may pass. */
#include "model/selection/tr_redact_int.h"

#include "base/tr_num.h"
#include "model/tr_rules.h"

#include <string.h>

struct rule {
    const char *key;
    enum tr__rule rule;
};

/* Members outside args.  Times, names and so on have separate columns. */
static const struct rule top_rules[] = {
    { "ph", TR__R_PHASE },       { "name", TR__R_TOKEN },    { "cat", TR__R_TOKEN },
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
    { "In split size", TR__R_LIST },
    { "Input Dims", TR__R_LIST },
    { "Input Strides", TR__R_LIST },
    { "Input dims", TR__R_LIST },
    { "Input type", TR__R_DTYPE },
    { "Op count", TR__R_COUNT },
    { "Out msg nelems", TR__R_COUNT },
    { "Out split size", TR__R_LIST },
    { "Output Dims", TR__R_LIST },
    { "Output type", TR__R_DTYPE },
    { "Process Group Description", TR__R_TOKEN },
    { "Process Group Name", TR__R_INDEX },
    { "Process Group Ranks", TR__R_LIST },
    { "Python id", TR__R_COUNT },
    { "Python module id", TR__R_COUNT },
    { "Python parent id", TR__R_COUNT },
    { "Rank", TR__R_INDEX },
    { "Record function id", TR__R_COUNT },
    { "Seq", TR__R_COUNT },
    { "Sequence number", TR__R_COUNT },
    { "Total Allocated", TR__R_COUNT },
    { "Total Reserved", TR__R_COUNT },
    { "block", TR__R_LIST },
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
    { "grid", TR__R_LIST },
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

enum tr__rule tr__redact_rule(enum tr_place place, struct tr_str key, bool *known)
{
    bool top = place == TR_PLACE_TOP || place == TR_PLACE_END_TOP;
    const struct rule *rules = top ? top_rules : args_rules;
    size_t n = top ? sizeof top_rules / sizeof *top_rules : sizeof args_rules / sizeof *args_rules;
    *known = true;
    if (place == TR_PLACE_DERIVED)
        return tr_str_is(key, "class") ? TR__R_CLASS : TR__R_TOKEN; /* of the others only launch_name is text */
    for (size_t i = 0; i < n; i++)
        if (tr_str_is(key, rules[i].key))
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

/* The number of digits at the start of s. */
static size_t n_digits(const char *s)
{
    return strspn(s, "0123456789");
}

/* A whole number, a JSON array of whole numbers, or "..." for the part of a long array that the profiler left out. */
static const char *after_element(const char *s)
{
    if (strncmp(s, "...", 3) == 0)
        return s + 3;
    s += *s == '-';
    size_t n = n_digits(s);
    return n && n <= 19 ? s + n : NULL;
}

/* A JSON array of whole numbers and of such arrays. */
static bool is_list(const char *s)
{
    size_t depth = 0;
    bool value = false; /* one has just been read */
    do {
        s += *s == ' ';
        if (*s == '[' && !value) {
            depth++;
            s++;
        } else if (*s == ']' && depth) {
            depth--;
            s++;
            value = true;
        } else if (*s == ',' && depth && value) {
            s++;
            value = false;
        } else if (value || !depth || !(s = after_element(s))) {
            return false;
        } else {
            value = true;
        }
    } while (depth);
    return !*s;
}

/* The letters of the Trace Event Format. */
static bool is_phase(const char *s, size_t len)
{
    return len == 1 && strchr("BEXiICbneSTpFstfPNODMVvRc()", s[0]);
}

/* A class from the rules "[CLASS ...]" that come with the library. */
static bool is_class(const char *s, size_t len)
{
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name && len &&
             strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == len; b++)
        for (const char *p = b->text; (p = strstr(p, "\n[")) != NULL;) {
            p += 2;
            if (strncmp(p, s, len) == 0 && p[len] == ' ')
                return true;
        }
    return false;
}

bool tr__redact_numbers_pass(enum tr__rule rule)
{
    return rule == TR__R_COUNT || rule == TR__R_LIST || rule == TR__R_INDEX;
}

bool tr__redact_passes(enum tr__rule rule, const char *text, size_t len)
{
    switch (rule) {
    case TR__R_LIST:
        return strlen(text) == len && is_list(text);
    case TR__R_INDEX:
        return len <= 4 && n_digits(text) == len;
    case TR__R_PHASE:
        return is_phase(text, len);
    case TR__R_CLASS:
        return is_class(text, len);
    case TR__R_DTYPE:
        return is_dtype(text, len);
    case TR__R_WORD:
        return IS_ONE_OF(words, text, len);
    default:
        return false;
    }
}

bool tr__redact_number_passes(const char *s)
{
    static const char *const others[] = { "NaN", "nan", "Infinity", "inf", "-Infinity", "-inf" };
    if (IS_ONE_OF(others, s, strlen(s)))
        return true;
    size_t len = *s == '+' ? 0 : tr_num_scan(s, SIZE_MAX);
    return len && !s[len];
}

bool tr__redact_mesh_passes(const char *s)
{
    static const char *const axes[] = { "TP=", "DP=", "PP=", "EP=", "CP=", "SP=" };
    while (*s) {
        if (strlen(s) < 4 || !IS_ONE_OF(axes, s, 3))
            return false;
        s += 3;
        size_t n = n_digits(s);
        if (!n || n > 6 || (s[n] != '\0' && (s[n] != ' ' || !s[n + 1])))
            return false;
        s += n + (s[n] == ' ');
    }
    return true;
}

bool tr__redact_format_passes(const char *text, size_t len)
{
    static const char *const formats[] = { "chrome", "kineto", "memory-timeline", "unitrace" };
    return IS_ONE_OF(formats, text, len);
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
        "torch_to_npu",
    };
    static const char step[] = "ProfilerStep#";
    if (IS_ONE_OF(names, text, strlen(text)))
        return true;
    size_t n = strlen(step);
    if (strncmp(text, step, n) != 0)
        return false;
    text += n;
    return *text && n_digits(text) == strlen(text) && strlen(text) <= 9;
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
