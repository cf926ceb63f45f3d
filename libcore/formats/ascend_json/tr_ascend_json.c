/* SPDX-License-Identifier: MIT */
/*
 * Dialect of Huawei's Ascend profiler: trace_view.json of torch_npu and MindSpore, msprof_*.json of msprof.
 *
 * Args say what a span is, because names of processes may come after thousands of spans:
 *
 *     Task Type, Physic Stream Id, connection_id   a task of a stream: a kernel, a copy, a wait, a part of a collective
 *     data_type, alg_type, count, connection_id    a collective
 *     task type, transport type, ...               a part of a collective once more, by link: an annotation
 *     level, connection_id                         a call of CANN
 *
 * "Computing", "Communication", "Communication(Not Overlapped)" and "Free" are sums that the profiler derived.  A call
 * and its work have the same connection_id.
 */
#include "formats/ascend_json/tr_ascend_tables_int.h"
#include "formats/common/tr_dialect_list_int.h"
#include "formats/common/tr_json_probe_int.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool speaks(const unsigned char *p, size_t n)
{
    static const char *const words[] = {
        "\"Ascend Hardware\"", "\"Physic Stream Id\"", "\"AscendCL@", "\"Node@launch\"", "\"enqueue_to_dequeue\"",
        "\"torch_to_npu\"", "torch_npu/",
    };
    size_t at = tr__json_start(p, n);
    bool any = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        any = any || tr__probe_holds(p, n, words[i]);
    /* or the start of torch's operators, whose times are texts, and whose shapes are in lines */
    any = any || (tr__probe_holds(p, n, "\"ts\": \"") && tr__probe_holds(p, n, ";\\r\\n"));
    return any && at < n && p[at] == '[';
}

static void *start(void)
{
    return calloc(1, 1); /* it has no state */
}

static bool is_one_of(struct tr_str s, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tr_str_is(s, words[i]))
            return true;
    return false;
}
#define IS_ONE_OF(s, words) is_one_of(s, words, sizeof(words) / sizeof *(words))

/* What a task of a stream is.  Parts of a collective are inside its span, and wait most of the time. */
static int of_task(struct tr_str type)
{
    static const char *const kernels[] = { "AI_CORE", "AI_VECTOR_CORE", "MIX_AIC", "MIX_AIV", "AI_CPU", "DSA_SQE",
                                           "KERNEL_AICORE", "KERNEL_AIVEC", "KERNEL_AICPU", "AIV_SQE" };
    static const char *const copies[] = { "PCIE_DMA_SQE", "SDMA_SQE", "MEMCPY_ASYNC" };
    static const char *const waits[] = { "EVENT_WAIT_SQE", "EVENT_RECORD_SQE", "NOTIFY_WAIT_SQE", "NOTIFY_RECORD_SQE",
                                         "EVENT_WAIT", "EVENT_RECORD" };
    if (IS_ONE_OF(type, kernels))
        return TR_ACT_KERNEL;
    if (IS_ONE_OF(type, copies))
        return TR_ACT_MEMCPY;
    return IS_ONE_OF(type, waits) ? TR_ACT_SYNC : TR_ACT_DEVICE_ANNOTATION;
}

static int of_call(struct tr_str level)
{
    return tr_str_is(level, "runtime") ? TR_ACT_DRIVER_API : TR_ACT_RUNTIME_API;
}

static int of_category(struct tr_str category)
{
    return tr_str_is(category, "enqueue") || tr_str_is(category, "dequeue") ? TR_ACT_CPU_OP : -1;
}

static void on_device(struct tr_dialect_event *e, int activity, int64_t stream)
{
    e->activity = activity;
    e->device = 0; /* a file is of one device, whose number only the files beside it have */
    e->stream = stream;
}

/* Collectives have streams of their own, numbered so that no stream of tasks has the number. */
#define GROUP_STREAMS 1000000

static bool event(void *ctx, struct tr_dialect_event *e)
{
    (void)ctx;
    if (e->phase != TR_SPAN)
        return true;
    struct tr_str type = tr_dialect_text(tr_dialect_arg(e, "Task Type"));
    struct tr_str level = tr_dialect_text(tr_dialect_arg(e, "level"));
    bool call = level.s && !type.s;
    if (type.s) {
        on_device(e, of_task(type), e->tid);
    } else if (tr_dialect_arg(e, "alg_type").s && tr_dialect_arg(e, "data_type").s) {
        on_device(e, TR_ACT_KERNEL, GROUP_STREAMS + e->tid);
        e->kind = TR_KIND_COMM;
    } else if (tr_dialect_arg(e, "transport type").s || tr_dialect_arg(e, "notify_id").s) {
        on_device(e, TR_ACT_DEVICE_ANNOTATION, GROUP_STREAMS + e->tid);
    } else {
        e->activity = call ? of_call(level) : of_category(tr_dialect_text(tr_dialect_member(e, "cat")));
    }
    if ((call || type.s || e->activity == TR_ACT_KERNEL) &&
        !tr_dialect_integer(tr_dialect_arg(e, "connection_id"), &e->link))
        e->link = TR_I64_NONE;
    return true;
}

/* The number in the name of the file profiler_info_N.json of a folder; -1: there is none, or several. */
static int64_t rank_in(const char *folder)
{
    int64_t rank = -1;
    size_t n = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        int64_t number = tr_dialect_number_after(tr_str_of(e->d_name), "profiler_info_");
        char name[64];
        snprintf(name, sizeof name, "profiler_info_%" PRId64 ".json", number);
        if (number != TR_I64_NONE && strcmp(name, e->d_name) == 0 && n++ == 0)
            rank = number;
    }
    if (d)
        closedir(d);
    return n == 1 ? rank : -1;
}

/* The profiler writes them beside the folder ASCEND_PROFILER_OUTPUT, in which traces are. */
static int64_t rank_beside(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (n + sizeof "./.." > sizeof folder)
        return -1;
    snprintf(folder, sizeof folder, "%.*s.", (int)n, path);
    int64_t rank = rank_in(folder);
    if (rank >= 0)
        return rank;
    snprintf(folder, sizeof folder, "%.*s..", (int)n, path);
    return rank_in(folder);
}

const struct tr_dialect tr_dialect_ascend = {
    .name = "ascend", .speaks = speaks, .quoted_times = true, .start = start, .event = event, .free = free,
    .rank = rank_beside, .tables = tr__ascend_tables,
};
