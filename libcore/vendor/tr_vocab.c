/* SPDX-License-Identifier: MIT */
/* The activity that a category string of a trace means. */
#include "vendor/tr_vocab.h"

#include "base/tr_num.h"
#include "vendor/tr_names.h"
#include "vendor/tr_step_sums.h"

#include <stdbool.h>
#include <string.h>

enum tr_activity tr_vocab_category(const char *cat, size_t len)
{
    const struct tr_name_rule *rule = tr_name_list_find(&tr_names_categories, cat, len);
    return rule ? (enum tr_activity)rule->means : TR_ACT_OTHER;
}

static bool starts_with(const char *s, size_t n, const char *prefix)
{
    size_t m = strlen(prefix);
    return n >= m && !memcmp(s, prefix, m);
}

static bool is(const char *s, size_t n, const char *word)
{
    return strlen(word) == n && !memcmp(s, word, n);
}

static bool contains(const char *s, size_t n, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= n; i++)
        if (!memcmp(s + i, word, len))
            return true;
    return false;
}

/* The number after "ProfilerStep#"; a step without a number, or with one of ten digits, is an ordinary annotation. */
static bool step_number(const char *s, size_t n, int64_t *step)
{
    static const char prefix[] = "ProfilerStep#";
    const size_t from = sizeof prefix - 1;
    uint64_t v = 0;
    if (!starts_with(s, n, prefix) || n == from || n > from + 9 ||
        tr_num_digits(s + from, n - from, INT64_MAX, &v, NULL) != n - from)
        return false;
    *step = (int64_t)v;
    return true;
}

static bool has_upper(const char *s, size_t n, size_t at)
{
    return n > at && s[at] >= 'A' && s[at] <= 'Z';
}

/* MPI without its communication: what only describes, starts or ends. */
static bool is_mpi_management(const char *s, size_t n)
{
    static const char *const starts[] = { "Comm_", "Group_", "Info_", "Type_", "Op_", "Init", "Finalize", "Get_" };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (starts_with(s, n, starts[i]))
            return true;
    return false;
}

/* Calls and commands as unitrace names them; TR_NAME_PLAIN: another name. */
static enum tr_vocab_name intel_call(const char *s, size_t n)
{
    static const char mpi[] = "MPI::MPI_", tile[] = "Tile #";
    if (starts_with(s, n, mpi))
        return is_mpi_management(s + sizeof mpi - 1, n - (sizeof mpi - 1)) ? TR_NAME_RUNTIME_CALL : TR_NAME_HOST_COMM;
    if (starts_with(s, n, "oneCCL::"))
        return TR_NAME_HOST_COMM;
    if (starts_with(s, n, tile)) {
        const char *colon = memchr(s, ':', n);
        size_t at = colon ? (size_t)(colon - s) + 2 : n;
        s += at < n ? at : n;
        n -= at < n ? at : n;
    }
    if ((starts_with(s, n, "ur") || starts_with(s, n, "pi")) && has_upper(s, n, 2))
        return TR_NAME_RUNTIME_CALL;
    bool ze = starts_with(s, n, "ze") && (has_upper(s, n, 2) || has_upper(s, n, 3));
    if (!ze && !(starts_with(s, n, "cl") && has_upper(s, n, 2)))
        return TR_NAME_PLAIN;
    if (contains(s, n, "Fill"))
        return TR_NAME_INTEL_MEMSET;
    if (contains(s, n, "AppendMemoryCopy") || contains(s, n, "AppendImageCopy"))
        return TR_NAME_INTEL_COPY;
    if (starts_with(s, n, "clEnqueue") &&
        (contains(s, n, "Read") || contains(s, n, "Write") || contains(s, n, "Copy") || contains(s, n, "Memcpy")))
        return TR_NAME_INTEL_COPY;
    return TR_NAME_INTEL_CALL;
}

enum tr_vocab_name tr_vocab_name(const char *s, size_t n, int64_t *step)
{
    static const struct {
        const char *name;
        enum tr_vocab_name cls;
    } names[] = {
        { "record_param_comms", TR_NAME_COMM_RECORD },
        { "[memory]", TR_NAME_MEMORY_INSTANT },
        { "aiuScheduleWait", TR_NAME_WAIT_CALL },
        { "process_name", TR_NAME_PROCESS_NAME },
        { "process_labels", TR_NAME_PROCESS_LABELS },
        { "process_sort_index", TR_NAME_PROCESS_SORT },
        { "thread_name", TR_NAME_THREAD_NAME },
        { "thread_sort_index", TR_NAME_THREAD_SORT },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is(s, n, names[i].name))
            return names[i].cls;
    if (step_number(s, n, step))
        return TR_NAME_STEP;
    if (tr_step_about_read((struct tr_str){ s, n }, &(struct tr_step_about){ 0 }))
        return TR_NAME_INFERENCE_STEP;
    if (starts_with(s, n, "Memset") || starts_with(s, n, "hipMemset"))
        return TR_NAME_DEVICE_MEMSET;
    if (starts_with(s, n, "Memcpy") || starts_with(s, n, "hipMemcpy") || starts_with(s, n, "dma"))
        return TR_NAME_DEVICE_COPY;
    if ((contains(s, n, " DmaI") || contains(s, n, " DmaO")) && !contains(s, n, "Rdma"))
        return TR_NAME_STAMPED_COPY;
    return contains(s, n, " Cmpt Prep") ? TR_NAME_STAMPED_WAIT : intel_call(s, n);
}

enum tr_activity tr_vocab_stamped(enum tr_vocab_name name)
{
    return name == TR_NAME_STAMPED_WAIT ? TR_ACT_OTHER : name == TR_NAME_STAMPED_COPY ? TR_ACT_MEMCPY : TR_ACT_KERNEL;
}

static enum tr_activity of_kernel(enum tr_vocab_name name)
{
    switch (name) {
    case TR_NAME_DEVICE_COPY:
    case TR_NAME_INTEL_COPY:
        return TR_ACT_MEMCPY;
    case TR_NAME_DEVICE_MEMSET:
    case TR_NAME_INTEL_MEMSET:
        return TR_ACT_MEMSET;
    case TR_NAME_INTEL_CALL:
        return TR_ACT_SYNC;
    default:
        return TR_ACT_KERNEL;
    }
}

static enum tr_activity of_host_call(enum tr_vocab_name name)
{
    switch (name) {
    case TR_NAME_INTEL_CALL:
    case TR_NAME_INTEL_COPY:
    case TR_NAME_INTEL_MEMSET:
        return TR_ACT_DRIVER_API;
    case TR_NAME_RUNTIME_CALL:
        return TR_ACT_RUNTIME_API;
    case TR_NAME_HOST_COMM:
        return TR_ACT_HOST_COMM;
    default:
        return TR_ACT_CPU_OP;
    }
}

enum tr_activity tr_vocab_activity(enum tr_activity of_category, enum tr_vocab_name name,
                                   enum tr_phase phase)
{
    if (name == TR_NAME_MEMORY_INSTANT)
        return phase == TR_INSTANT || phase == TR_META ? TR_ACT_MEMORY_INSTANT : of_category;
    if (phase != TR_SPAN && phase != TR_BEGIN && phase != TR_SPAN_END)
        return TR_ACT_OTHER; /* flows and counters use categories of other activities */
    if (name == TR_NAME_COMM_RECORD && of_category == TR_ACT_CPU_OP)
        return TR_ACT_COMM_RECORD;
    if (name == TR_NAME_STEP && of_category == TR_ACT_CPU_OP) /* until 2022, steps were operators */
        return TR_ACT_ANNOTATION;
    if (of_category == TR_ACT_KERNEL)
        return of_kernel(name);
    return of_category == TR_ACT_CPU_OP ? of_host_call(name) : of_category;
}

int64_t tr_vocab_stream_of_thread(enum tr_activity activity, int64_t tid)
{
    const int64_t sync_rows = 1000000;
    return activity == TR_ACT_SYNC && tid >= sync_rows && tid < 2 * sync_rows ? tid - sync_rows : tid;
}

bool tr_vocab_launch_flow(const char *cat, size_t len)
{
    int64_t work, rank;
    return is(cat, len, "ac2g") || is(cat, len, "async_gpu") || is(cat, len, "async_cpu_to_gpu") ||
           tr_vocab_arrow(cat, len, &work, &rank) == TR_ARROW_TO_WORK;
}

/* What stands before the number of the work, *n bytes.  TR_ARROW_NONE: it is no category of an arrow. */
static enum tr_vocab_arrow arrow_start(const char *cat, size_t len, size_t *n)
{
    static const char cl[] = "CL_", flow[] = "Flow_";
    size_t at = starts_with(cat, len, cl) ? sizeof cl - 1 : 0;
    if (!starts_with(cat + at, len - at, flow))
        return TR_ARROW_NONE;
    at += sizeof flow - 1;
    bool to = starts_with(cat + at, len - at, "H2D_");
    if (!to && !starts_with(cat + at, len - at, "D2H_"))
        return TR_ARROW_NONE;
    *n = at + 4;
    return to ? TR_ARROW_TO_WORK : TR_ARROW_FROM_WORK;
}

enum tr_vocab_arrow tr_vocab_arrow(const char *cat, size_t len, int64_t *work, int64_t *rank)
{
    const int64_t apart = INT64_C(1) << 40; /* ranks are smaller */
    size_t at;
    enum tr_vocab_arrow arrow = arrow_start(cat, len, &at);
    if (arrow == TR_ARROW_NONE)
        return TR_ARROW_NONE;
    uint64_t w = 0, r;
    bool many = at < len && cat[at] == '*';
    size_t n = many ? 1 : tr_num_digits(cat + at, len - at, INT64_MAX, &w, NULL);
    if (n == 0 || at + n == len || cat[at + n] != '_')
        return TR_ARROW_NONE;
    at += n + 1;
    n = tr_num_digits(cat + at, len - at, (uint64_t)apart - 1, &r, NULL);
    if (n == 0 || at + n != len)
        return TR_ARROW_NONE;
    *work = many ? TR_I64_NONE : (int64_t)w;
    *rank = (int64_t)r + (cat[0] == 'C' ? apart : 0);
    return arrow;
}

bool tr_vocab_arrow_digits(const char *cat, size_t len, size_t *at, size_t *n)
{
    int64_t work, rank;
    if (tr_vocab_arrow(cat, len, &work, &rank) == TR_ARROW_NONE || work == TR_I64_NONE)
        return false;
    arrow_start(cat, len, at);
    for (*n = 0; cat[*at + *n] != '_';)
        ++*n;
    return *n <= 18 && (*n == 1 || cat[*at] != '0');
}

bool tr_vocab_has_arrows(const char *cat, size_t len)
{
    return is(cat, len, "gpu_op") || is(cat, len, "cpu_op");
}

bool tr_vocab_of_tile(const char *name, size_t len)
{
    return starts_with(name, len, "Tile #");
}

bool tr_vocab_blocking_mpi(const char *name, size_t len)
{
    static const char mpi[] = "MPI::MPI_", init[] = "_init";
    const size_t at = sizeof mpi - 1, n_init = sizeof init - 1;
    return starts_with(name, len, mpi) && has_upper(name, len, at) &&
           !(name[at] == 'I' && len > at + 1 && !has_upper(name, len, at + 1)) &&
           memcmp(name + len - n_init, init, n_init) != 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Is a word in lower case at the start of a text, and no letter after it? */
static bool word_here(const char *s, size_t n, const char *word)
{
    size_t len = 0;
    while (word[len] && len < n && (s[len] | 0x20) == word[len])
        len++;
    return !word[len] && (len == n || !is_letter(s[len]));
}

bool tr_vocab_like_device(const char *name, size_t len)
{
    static const char *const words[] = { "gpu", "npu", "tpu", "xpu", "hpu", "ipu", "dcu", "mlu", "aiu", "cuda", "hip",
                                         "device", "accelerator", "stream", "kernels" };
    for (size_t i = 0; i < len; i++)
        for (size_t k = 0; (i == 0 || !is_letter(name[i - 1])) && k < sizeof words / sizeof *words; k++)
            if (word_here(name + i, len - i, words[k]))
                return true;
    return false;
}

enum tr_phase tr_vocab_phase(char ph)
{
    switch (ph) {
    case 'X':
        return TR_SPAN;
    case 'B':
        return TR_BEGIN;
    case 'E':
        return TR_SPAN_END;
    case 'i':
    case 'I':
    case 'R':
        return TR_INSTANT;
    case 'C':
        return TR_COUNTER;
    case 's':
        return TR_FLOW_START;
    case 't':
        return TR_FLOW_STEP;
    case 'f':
        return TR_FLOW_END;
    case 'b':
    case 'S':
        return TR_ASYNC_BEGIN;
    case 'n':
    case 'T':
    case 'p':
        return TR_ASYNC_INSTANT;
    case 'e':
    case 'F':
        return TR_ASYNC_END;
    case 'M':
        return TR_META;
    default:
        return TR_PHASE_UNKNOWN;
    }
}

char tr_vocab_letter(enum tr_phase phase)
{
    static const char letters[TR_N_PHASES] = {
        [TR_SPAN] = 'X',        [TR_INSTANT] = 'i',       [TR_COUNTER] = 'C',   [TR_FLOW_START] = 's',
        [TR_FLOW_STEP] = 't',   [TR_FLOW_END] = 'f',      [TR_ASYNC_BEGIN] = 'b', [TR_ASYNC_INSTANT] = 'n',
        [TR_ASYNC_END] = 'e',   [TR_META] = 'M',          [TR_BEGIN] = 'B',     [TR_SPAN_END] = 'E',
        [TR_PHASE_UNKNOWN] = '?',
    };
    return letters[phase];
}
