/* SPDX-License-Identifier: MIT */
/*
 * Reader of the SQLite databases of Huawei's Ascend profiler: ascend_pytorch_profiler_*.db, msprof_*.db.
 *
 *   CANN_API               calls of CANN, by their level: acl, node, runtime, hccl
 *   PYTORCH_API            operators, the queue between them and CANN, Python, ranges of the user
 *   TASK                   tasks of streams; those of COMPUTE_TASK_INFO are kernels, those of COMMUNICATION_TASK_INFO
 *                          parts of a collective, and others of the type AI_CORE are wrappers around such
 *   COMMUNICATION_OP       collectives
 *   MSTX_EVENTS            ranges of the user
 *   OP_MEMORY              allocations of torch_npu
 *   AICORE_FREQ and so on  counters
 *
 * A call and its work have the same connectionId; CONNECTION_IDS joins the operators of PyTorch to it.  Times are ns
 * since 1970; those of PYTORCH_API are texts.
 */
#include "formats/tables/tr_tables_int.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "base/tr_sort.h"
#include "stream/tr_dict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))
#define GROUP_STREAMS 1000000 /* collectives have streams of their own, whose numbers no stream of tasks has */

enum key { DEVICE, STREAM, TASK_TYPE, TASK_ID, CONNECTION, OP_TYPE, BLOCK_DIM, SHAPES, DTYPES, OUT_SHAPES, LEVEL,
           DATA_TYPE, ALG_TYPE, COUNT, GROUP, SEQUENCE, BYTES, TOTAL, RESERVED, DEVICE_TYPE, DEVICE_ID,
           TORCH_OP, N_KEYS };
static const char *const keys[N_KEYS] = {
    [DEVICE] = "device", [STREAM] = "stream", [TASK_TYPE] = "Task Type", [TASK_ID] = "Task Id",
    [CONNECTION] = "connection_id", [OP_TYPE] = "op_type", [BLOCK_DIM] = "Block Dim", [SHAPES] = "Input Shapes",
    [DTYPES] = "Input Data Types", [OUT_SHAPES] = "Output Shapes", [LEVEL] = "level", [DATA_TYPE] = "data_type",
    [ALG_TYPE] = "alg_type", [COUNT] = "count", [GROUP] = "group", [SEQUENCE] = "Sequence number",
    [BYTES] = "Bytes", [TOTAL] = "Total Allocated", [RESERVED] = "Total Reserved", [DEVICE_TYPE] = "Device Type",
    [DEVICE_ID] = "Device Id", [TORCH_OP] = "torch_op",
};

/* An operator of PyTorch has a number, which stands for several connections. */
struct connection {
    int64_t id, connection;
};

struct ascend {
    struct tr__tables *t;
    struct tr__scan compute, parts; /* rows by number of a task */
    struct tr__numbers levels;      /* id of a kind of call to the number of its name */
    struct tr__numbers data_types;  /* id to the number of the name */
    struct tr__numbers types;       /* id of a type of tasks to an enum work */
    struct connection *connections;
    size_t n_connections, cap_connections;
    struct tr__numbers operators;   /* connection to the number of the operator's name */
    int64_t device;                 /* the first one; TR_I64_NONE: not known */
    uint32_t runtime, op, trace, mstx; /* names of kinds of calls */
};

/* A number, which may be a text. */
static int64_t number_at(struct ascend *r, size_t column)
{
    struct tr__scan *s = &r->t->scan;
    bool before = s->doubt;
    int64_t v = tr__scan_int(s, column);
    if (v != TR_I64_NONE || !tr__scan_has(s, column))
        return v;
    s->doubt = before;
    struct tr_str text = tr__scan_text(s, column);
    return text.len && tr_num_plain(text.s, text.len, &v) ? v : TR_I64_NONE;
}

static struct tr__tables_process *process_of(struct ascend *r, int64_t pid)
{
    pid = pid == TR_I64_NONE ? 0 : pid;
    return tr__tables_process(r->t, (uint64_t)pid, pid);
}

/* Set the track to a thread: the process is the upper half of the number. */
static enum tr_status on_thread(struct ascend *r, int64_t global)
{
    struct tr_ingest_track at = TR_INGEST_TRACK_INIT;
    if (global != TR_I64_NONE) {
        const struct tr__tables_process *p = process_of(r, (int64_t)((uint64_t)global >> 32));
        if (!p)
            return TR_SYSTEM;
        at.pid = p->pid;
        at.tid = global & UINT32_MAX;
    }
    tr_ingest_track(r->t->g, &at);
    return TR_OK;
}

static void connect(struct ascend *r, int64_t connection)
{
    if (connection == TR_I64_NONE || connection < 0 || connection == UINT32_MAX)
        return;
    tr_ingest_correlate(r->t->g, TR_LINK_SOURCE, connection);
    tr__tables_arg_int(r->t, CONNECTION, connection);
}

static enum tr_status arg_text(struct ascend *r, enum key key, struct tr__scan *s, size_t column)
{
    uint32_t number;
    enum tr_status st = tr__tables_text_of(r->t, tr__scan_int(s, column), &number);
    if (st == TR_OK)
        tr__tables_arg_text(r->t, key, number);
    return st;
}

/* ---- calls ---- */

enum { API_START, API_END, API_TYPE, API_TID, API_CONNECTION, API_NAME };
static const char *const api_columns[] = { "startNs", "endNs", "type", "globalTid", "connectionId", "name" };

static enum tr_status take_call(void *own)
{
    struct ascend *r = own;
    struct tr__tables *t = r->t;
    int64_t type = tr__scan_int(&t->scan, API_TYPE);
    uint32_t name, level = type == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->levels, (uint64_t)type);
    enum tr_status st = tr__tables_begin(t, TR_SPAN, API_START, API_END);
    if (st == TR_OK)
        st = tr__tables_text_at(t, API_NAME, &name);
    if (st == TR_OK)
        st = on_thread(r, tr__scan_int(&t->scan, API_TID));
    if (st != TR_OK)
        return st;
    tr_ingest_name_number(t->g, name);
    tr_ingest_category(t->g, "cann", 4);
    tr_ingest_activity(t->g, level == r->runtime ? TR_ACT_DRIVER_API : TR_ACT_RUNTIME_API);
    if (level != UINT32_MAX)
        tr__tables_arg_text(t, LEVEL, level);
    connect(r, tr__scan_int(&t->scan, API_CONNECTION));
    return tr__tables_end(t);
}

static const struct tr__tables_table cann = { "CANN_API", api_columns, N(api_columns), take_call, NULL };

/* ---- operators ---- */

enum { T_START, T_END, T_TYPE, T_TID, T_NAME, T_SEQUENCE, T_SHAPES, T_DTYPES, T_CONNECTION };
static const char *const torch_columns[] = { "startNs",        "endNs",       "type",        "globalTid",   "name",
                                             "sequenceNumber", "inputShapes", "inputDtypes", "connectionId" };

TR_ORDER(by_id, struct connection, TR_UP(id), TR_UP(connection))

static enum tr_status take_connection(void *own, void *ctx)
{
    struct ascend *r = own;
    struct connection c = { tr__scan_int(&r->t->scan, 0), tr__scan_int(&r->t->scan, 1) };
    (void)ctx;
    if (c.id == TR_I64_NONE || c.connection == TR_I64_NONE)
        return TR_OK;
    if (r->n_connections >= r->t->max_memory / sizeof c)
        return tr_fail(r->t->err, TR_SYSTEM, "its connections need more memory than -M allows");
    if (!tr_grow(&r->connections, &r->cap_connections, r->n_connections + 1, sizeof c))
        return tr_fail_memory(r->t->err);
    r->connections[r->n_connections++] = c;
    return TR_OK;
}

/* The operator of each of its connections.  False: out of memory. */
static bool connect_operator(struct ascend *r, int64_t id, uint32_t name)
{
    size_t at = 0;
    bool ok = true;
    TR_BOUND(at, r->n_connections, mid, r->connections[mid].id < id);
    for (; ok && at < r->n_connections && r->connections[at].id == id; at++)
        ok = tr__numbers_set(&r->operators, (uint64_t)r->connections[at].connection, name);
    return ok;
}

static enum tr_status describe_operator(struct ascend *r)
{
    struct tr__scan *s = &r->t->scan;
    int64_t sequence = tr__scan_int(s, T_SEQUENCE);
    tr__tables_arg_int(r->t, SEQUENCE, sequence < 0 ? TR_I64_NONE : sequence);
    enum tr_status st = arg_text(r, SHAPES, s, T_SHAPES);
    return st == TR_OK ? arg_text(r, DTYPES, s, T_DTYPES) : st;
}

static enum tr_status take_operator(void *own)
{
    static const char python[] = "python_function", annotation[] = "user_annotation", operator[] = "cpu_op",
                      queue[] = "queue";
    struct ascend *r = own;
    struct tr__tables *t = r->t;
    int64_t type = tr__scan_int(&t->scan, T_TYPE);
    uint32_t name, kind = type == TR_I64_NONE ? r->op : tr__numbers_get(&r->levels, (uint64_t)type);
    enum tr_status st = tr__tables_begin_at(t, TR_SPAN, number_at(r, T_START), number_at(r, T_END));
    if (st == TR_OK)
        st = tr__tables_text_at(t, T_NAME, &name);
    if (st == TR_OK)
        st = on_thread(r, tr__scan_int(&t->scan, T_TID));
    if (st != TR_OK)
        return st;
    const char *category = kind == r->trace ? python : kind == r->mstx ? annotation : kind == r->op ? operator : queue;
    tr_ingest_name_number(t->g, name);
    tr_ingest_category(t->g, category, strlen(category));
    if (category == queue)
        tr_ingest_activity(t->g, TR_ACT_CPU_OP);
    int64_t id = tr__scan_int(&t->scan, T_CONNECTION);
    if (kind == r->op && id != TR_I64_NONE && name != TR_NO_STR && !connect_operator(r, id, name))
        return tr_fail_memory(t->err);
    st = describe_operator(r);
    return st == TR_OK ? tr__tables_end(t) : st;
}

static const struct tr__tables_table torch = { "PYTORCH_API", torch_columns, N(torch_columns), take_operator, NULL };

/* ---- ranges of the user ---- */

enum { X_START, X_END, X_TEXT, X_TID };
static const char *const mstx_columns[] = { "startNs", "endNs", "message", "globalTid" };

static enum tr_status take_range(void *own)
{
    struct ascend *r = own;
    struct tr__tables *t = r->t;
    int64_t start = number_at(r, X_START), end = number_at(r, X_END);
    uint32_t name;
    enum tr_status st = tr__tables_begin_at(t, start == end ? TR_INSTANT : TR_SPAN, start, end);
    if (st == TR_OK)
        st = tr__tables_text_at(t, X_TEXT, &name);
    if (st == TR_OK)
        st = on_thread(r, tr__scan_int(&t->scan, X_TID));
    if (st != TR_OK)
        return st;
    tr_ingest_name_number(t->g, name);
    tr_ingest_category(t->g, "user_annotation", 15);
    tr_ingest_activity(t->g, TR_ACT_ANNOTATION);
    return tr__tables_end(t);
}

static const struct tr__tables_table mstx = { "MSTX_EVENTS", mstx_columns, N(mstx_columns), take_range, NULL };

/* ---- tasks ---- */

enum { K_START, K_END, K_DEVICE, K_CONNECTION, K_GLOBAL, K_PID, K_TYPE, K_STREAM, K_TASK };
static const char *const task_columns[] = { "startNs",   "endNs",    "deviceId", "connectionId", "globalTaskId",
                                            "globalPid", "taskType", "streamId", "taskId" };
enum { I_NAME, I_TYPE, I_BLOCK, I_SHAPES, I_DTYPES, I_OUT };
static const char *const info_columns[] = { "name", "opType", "blockDim", "inputShapes", "inputDataTypes",
                                            "outputShapes" };

/* What a task is that is no kernel, by its type; each type is looked at once. */
static enum tr_status of_type(struct ascend *r, int64_t id, enum tr_activity *activity)
{
    static const struct {
        const char *start;
        enum tr_activity activity;
    } known[] = {
        { "MEMCPY", TR_ACT_MEMCPY }, { "PCIE_DMA", TR_ACT_MEMCPY }, { "SDMA_SQE", TR_ACT_MEMCPY },
        { "EVENT_", TR_ACT_SYNC },   { "NOTIFY_", TR_ACT_SYNC },
    };
    struct tr_str text = { NULL, 0 };
    uint32_t at = id == TR_I64_NONE ? TR_ACT_DEVICE_ANNOTATION : tr__numbers_get(&r->types, (uint64_t)id);
    *activity = (enum tr_activity)at;
    if (at != UINT32_MAX)
        return TR_OK;
    enum tr_status st = tr__tables_text(r->t, id, &text);
    *activity = TR_ACT_DEVICE_ANNOTATION;
    for (size_t i = 0; i < N(known); i++)
        if (text.len >= strlen(known[i].start) && memcmp(text.s, known[i].start, strlen(known[i].start)) == 0)
            *activity = known[i].activity;
    if (st != TR_SYSTEM)
        st = tr__numbers_set(&r->types, (uint64_t)id, (uint32_t)*activity) ? TR_OK : tr_fail_memory(r->t->err);
    return st;
}

/* What it is: a row of compute tasks makes it a kernel, one of communication a part of a collective. */
static enum tr_status classify(struct ascend *r, enum tr_activity *activity, struct tr__scan **info)
{
    struct tr__tables *t = r->t;
    int64_t task = tr__scan_int(&t->scan, K_GLOBAL);
    enum tr_status st = task == TR_I64_NONE ? TR_END : tr__find(&r->compute, task, t->err);
    *info = st == TR_OK ? &r->compute : NULL;
    *activity = TR_ACT_KERNEL;
    if (st != TR_END)
        return st;
    st = task == TR_I64_NONE ? TR_END : tr__find(&r->parts, task, t->err);
    *activity = TR_ACT_DEVICE_ANNOTATION;
    return st == TR_END ? of_type(r, tr__scan_int(&t->scan, K_TYPE), activity) : st;
}

static enum tr_status describe_kernel(struct ascend *r, struct tr__scan *info)
{
    enum tr_status st = arg_text(r, OP_TYPE, info, I_TYPE);
    tr__tables_arg_int(r->t, BLOCK_DIM, tr__scan_int(info, I_BLOCK));
    if (st == TR_OK)
        st = arg_text(r, SHAPES, info, I_SHAPES);
    if (st == TR_OK)
        st = arg_text(r, DTYPES, info, I_DTYPES);
    return st == TR_OK ? arg_text(r, OUT_SHAPES, info, I_OUT) : st;
}

/* The operator of PyTorch, which may have run on another thread than the call. */
static void name_operator(struct ascend *r, int64_t connection)
{
    uint32_t name = connection == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->operators, (uint64_t)connection);
    if (name != UINT32_MAX)
        tr__tables_arg_text(r->t, TORCH_OP, name);
}

static const char *category_of(enum tr_activity activity)
{
    return activity == TR_ACT_KERNEL   ? "kernel"
           : activity == TR_ACT_MEMCPY ? "gpu_memcpy"
           : activity == TR_ACT_SYNC   ? "sync"
                                       : "task";
}

static enum tr_status take_task(void *own)
{
    struct ascend *r = own;
    struct tr__tables *t = r->t;
    struct tr__scan *info;
    enum tr_activity activity;
    uint32_t type, name;
    int64_t device = tr__scan_int(&t->scan, K_DEVICE), stream = tr__scan_int(&t->scan, K_STREAM);
    enum tr_status st = tr__tables_begin(t, TR_SPAN, K_START, K_END);
    if (st == TR_OK)
        st = classify(r, &activity, &info);
    if (st == TR_OK)
        st = tr__tables_text_at(t, K_TYPE, &type);
    if (st == TR_OK)
        st = tr__tables_text_of(t, info ? tr__scan_int(info, I_NAME) : TR_I64_NONE, &name);
    struct tr__tables_process *p = st == TR_OK ? process_of(r, tr__scan_int(&t->scan, K_PID)) : NULL;
    if (!p)
        return st == TR_OK ? TR_SYSTEM : st;
    p->has_work |= activity == TR_ACT_KERNEL || activity == TR_ACT_MEMCPY;
    r->device = r->device == TR_I64_NONE ? device : r->device;
    tr_ingest_name_number(t->g, name == TR_NO_STR ? type : name);
    tr_ingest_category(t->g, category_of(activity), strlen(category_of(activity)));
    tr_ingest_activity(t->g, activity);
    tr__tables_arg_int(t, DEVICE, device);
    tr__tables_arg_int(t, STREAM, stream);
    tr__tables_arg_text(t, TASK_TYPE, type);
    tr__tables_arg_column(t, TASK_ID, K_TASK);
    connect(r, tr__scan_int(&t->scan, K_CONNECTION));
    if (info)
        st = describe_kernel(r, info);
    if (activity == TR_ACT_KERNEL || activity == TR_ACT_MEMCPY)
        name_operator(r, tr__scan_int(&t->scan, K_CONNECTION));
    if (st == TR_OK)
        st = tr__tables_on_stream(t, p, device, TR_I64_NONE, stream);
    return st == TR_OK ? tr__tables_end(t) : st;
}

static const struct tr__tables_table tasks = { "TASK", task_columns, N(task_columns), take_task, NULL };

/* ---- collectives ---- */

enum { C_NAME, C_START, C_END, C_CONNECTION, C_GROUP, C_DATA, C_ALG, C_COUNT, C_TYPE, C_DEVICE };
static const char *const comm_columns[] = { "opName",    "startNs",  "endNs",   "connectionId", "groupName",
                                            "dataType",  "algType",  "count",   "opType",       "deviceId" };

static enum tr_status describe_collective(struct ascend *r)
{
    struct tr__scan *s = &r->t->scan;
    int64_t type = tr__scan_int(s, C_DATA);
    uint32_t name = type == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->data_types, (uint64_t)type);
    if (name != UINT32_MAX)
        tr__tables_arg_text(r->t, DATA_TYPE, name);
    enum tr_status st = arg_text(r, ALG_TYPE, s, C_ALG);
    tr__tables_arg_column(r->t, COUNT, C_COUNT);
    if (st == TR_OK)
        st = arg_text(r, GROUP, s, C_GROUP);
    return st == TR_OK ? arg_text(r, OP_TYPE, s, C_TYPE) : st;
}

static enum tr_status take_collective(void *own)
{
    struct ascend *r = own;
    struct tr__tables *t = r->t;
    uint32_t name;
    int64_t device = tr__scan_int(&t->scan, C_DEVICE), group = tr__scan_int(&t->scan, C_GROUP);
    enum tr_status st = tr__tables_begin(t, TR_SPAN, C_START, C_END);
    if (st == TR_OK)
        st = tr__tables_text_at(t, C_NAME, &name);
    if (st != TR_OK)
        return st;
    if (!t->n_processes && !process_of(r, TR_I64_NONE))
        return TR_SYSTEM;
    struct tr__tables_process *p = t->processes;
    p->has_work = true;
    device = device == TR_I64_NONE ? r->device : device;
    tr_ingest_name_number(t->g, name);
    tr_ingest_category(t->g, "collective", 10);
    tr_ingest_activity(t->g, TR_ACT_KERNEL);
    tr_ingest_kind(t->g, TR_KIND_COMM);
    tr__tables_arg_int(t, DEVICE, device);
    connect(r, tr__scan_int(&t->scan, C_CONNECTION));
    st = describe_collective(r);
    int64_t stream = GROUP_STREAMS + (group >= 0 && group < INT32_MAX ? group : 0);
    if (st == TR_OK)
        st = tr__tables_on_stream(t, p, device, TR_I64_NONE, stream);
    return st == TR_OK ? tr__tables_end(t) : st;
}

/* After the tasks, which say the process and the device. */
static const struct tr__tables_table collectives = { "COMMUNICATION_OP", comm_columns, N(comm_columns),
                                                     take_collective, NULL };

/* ---- memory ---- */

enum { M_SIZE, M_AT, M_FREED_AT, M_TOTAL, M_RESERVED, M_FREED_TOTAL, M_FREED_RESERVED, M_DEVICE };
static const char *const memory_columns[] = { "size", "allocationTime", "releaseTime", "allocationTotalAllocated",
                                              "allocationTotalReserved", "releaseTotalAllocated",
                                              "releaseTotalReserved", "deviceId" };

/* As Kineto's events of memory: negative bytes are freed. */
static enum tr_status add_memory(struct ascend *r, int64_t at, int64_t bytes, size_t total)
{
    struct tr__tables *t = r->t;
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    enum tr_status st = tr__tables_begin_at(t, TR_INSTANT, at, at);
    if (st != TR_OK)
        return st;
    if (t->n_processes)
        track.pid = t->processes[0].pid;
    tr_ingest_track(t->g, &track);
    tr_ingest_name(t->g, "[memory]", 8);
    tr_ingest_category(t->g, "cpu_instant_event", 17);
    tr_ingest_activity(t->g, TR_ACT_MEMORY_INSTANT);
    tr__tables_arg_int(t, BYTES, bytes);
    tr__tables_arg_column(t, TOTAL, total);
    tr__tables_arg_column(t, RESERVED, total + 1);
    tr__tables_arg_int(t, DEVICE_TYPE, 1);
    tr__tables_arg_column(t, DEVICE_ID, M_DEVICE);
    return tr__tables_end(t);
}

static enum tr_status take_memory(void *own)
{
    struct ascend *r = own;
    int64_t bytes = tr__scan_int(&r->t->scan, M_SIZE), at = number_at(r, M_AT), freed = number_at(r, M_FREED_AT);
    enum tr_status st = bytes == TR_I64_NONE || bytes < 0 || (at == TR_I64_NONE && freed == TR_I64_NONE) ? TR_END
                                                                                                         : TR_OK;
    if (st == TR_OK && at != TR_I64_NONE)
        st = add_memory(r, at, bytes, M_TOTAL);
    if (st == TR_OK && freed != TR_I64_NONE) {
        r->t->record += at != TR_I64_NONE;
        st = add_memory(r, freed, -bytes, M_FREED_TOTAL);
    }
    return st;
}

static const struct tr__tables_table memory = { "OP_MEMORY", memory_columns, N(memory_columns), take_memory, NULL };

/* ---- counters ---- */

enum { N_TIME, N_DEVICE, N_KIND, N_NUMBER, N_VALUE };

/* A counter of a device; of several kinds, its name says which.  Columns of values are the names of its series. */
static enum tr_status add_counter(struct ascend *r, const char *name, size_t n)
{
    struct tr__tables *t = r->t;
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    struct tr_str kind = { NULL, 0 };
    int64_t at = number_at(r, N_TIME), device = tr__scan_int(&t->scan, N_DEVICE), id = tr__scan_int(&t->scan, N_KIND),
            number = tr__scan_int(&t->scan, N_NUMBER);
    char text[96], on[40], what[24] = "";
    double value;
    enum tr_status st = tr__tables_begin_at(t, TR_COUNTER, at, at);
    if (st == TR_OK && id != TR_I64_NONE && tr__tables_text(t, id, &kind) == TR_SYSTEM)
        st = TR_SYSTEM;
    if (st != TR_OK)
        return st;
    if (number != TR_I64_NONE)
        snprintf(what, sizeof what, " %" PRId64, number);
    bool named = kind.len && kind.len < 30 && tr_utf8_valid(kind.s, kind.len);
    int len = snprintf(text, sizeof text, "%s%s%s%.*s", name, what, named ? " " : "", named ? (int)kind.len : 0,
                       named ? kind.s : "");
    tr_ingest_name(t->g, text, (size_t)len);
    track.pid_text = on;
    track.pid_len = (size_t)(device == TR_I64_NONE ? snprintf(on, sizeof on, "NPU")
                                                   : snprintf(on, sizeof on, "NPU %" PRId64, device));
    tr_ingest_track(t->g, &track);
    tr_ingest_activity(t->g, TR_ACT_OTHER);
    for (size_t i = 0; i < n; i++)
        if (tr__scan_real(&t->scan, N_VALUE + i, &value))
            tr__tables_arg_value(t, tr_ingest_text(t->g, t->scan.columns[N_VALUE + i],
                                                   strlen(t->scan.columns[N_VALUE + i])), value);
    return tr__tables_end(t);
}

#define COUNTER(id, table, name, ...)                                                                      \
    static const char *const id##_columns[] = { "timestampNs", "deviceId", __VA_ARGS__ };                  \
    static enum tr_status take_##id(void *own)                                                             \
    {                                                                                                      \
        return add_counter(own, name, N(id##_columns) - N_VALUE);                                          \
    }                                                                                                      \
    static const struct tr__tables_table id = { table, id##_columns, N(id##_columns), take_##id, NULL }
/* name of the counter; columns of its kind and number, none if there is no such column; columns of its values */
COUNTER(freq, "AICORE_FREQ", "AI Core Freq", "-", "-", "freq");
COUNTER(hbm, "HBM", "HBM", "type", "hbmId", "bandwidth");
COUNTER(llc, "LLC", "LLC", "mode", "llcId", "hitRate", "throughput");
COUNTER(npu_mem, "NPU_MEM", "NPU MEM", "type", "-", "ddr", "hbm");

/* ---- the format ---- */

static enum tr_status take_name(void *own, void *ctx)
{
    struct ascend *r = own;
    int64_t id = tr__scan_int(&r->t->scan, 0);
    struct tr_str name = tr__scan_text(&r->t->scan, 1);
    uint32_t number = id != TR_I64_NONE && name.s ? tr__tables_number(r->t, name) : TR_NO_STR;
    return number == TR_NO_STR || tr__numbers_set(ctx, (uint64_t)id, number) ? TR_OK : tr_fail_memory(r->t->err);
}

static enum tr_status take_metadata(void *own, void *ctx)
{
    struct ascend *r = own;
    struct tr_str name = tr__scan_text(&r->t->scan, 0), value = tr__scan_text(&r->t->scan, 1);
    char version[8];
    (void)ctx;
    if (!tr__tables_equals(name, "SCHEMA_VERSION") || !value.len || value.len >= sizeof version)
        return TR_OK;
    snprintf(version, sizeof version, "%.*s", (int)value.len, value.s);
    if (strspn(version, "0123456789.") == value.len)
        tr_ingest_version(r->t->g, version);
    return TR_OK;
}

static enum tr_status take_host(void *own, void *ctx)
{
    struct ascend *r = own;
    struct tr_str name = tr__scan_text(&r->t->scan, 0);
    (void)ctx;
    if (name.len)
        tr_ingest_host(r->t->g, name.s, name.len);
    return TR_OK;
}

static enum tr_status take_rank(void *own, void *ctx)
{
    struct ascend *r = own;
    int64_t rank = tr__scan_int(&r->t->scan, 0), device = tr__scan_int(&r->t->scan, 1);
    size_t *n = ctx;
    r->t->rank = ++*n == 1 && rank >= 0 ? rank : TR_I64_NONE; /* of several, none is that of the file */
    r->device = *n == 1 ? device : r->device;
    return TR_OK;
}

/* The rank in the name that torch_npu gives a file. */
static int64_t rank_of_name(const char *path)
{
    static const char start[] = "ascend_pytorch_profiler_";
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    int64_t rank;
    if (!name || strncmp(name, start, sizeof start - 1) != 0)
        return TR_I64_NONE;
    name += sizeof start - 1;
    return tr_num_plain(name, strspn(name, "0123456789"), &rank) ? rank : TR_I64_NONE;
}

static enum tr_status start(void *own)
{
    static const char *const pair[] = { "id", "name" }, *const metadata[] = { "name", "value" },
                             *const host[] = { "hostName" }, *const rank[] = { "rankId", "deviceId" },
                             *const connection[] = { "id", "connectionId" };
    struct ascend *r = own;
    struct tr__tables *t = r->t;
    size_t n = 0;
    enum tr_status st = tr__tables_each(t, "META_DATA", metadata, 2, take_metadata, NULL);
    if (st == TR_OK)
        st = tr__tables_each(t, "HOST_INFO", host, 1, take_host, NULL);
    if (st == TR_OK)
        st = tr__tables_each(t, "RANK_DEVICE_MAP", rank, 2, take_rank, &n);
    if (st == TR_OK)
        st = tr__tables_each(t, "ENUM_API_TYPE", pair, 2, take_name, &r->levels);
    if (st == TR_OK)
        st = tr__tables_each(t, "ENUM_HCCL_DATA_TYPE", pair, 2, take_name, &r->data_types);
    if (st == TR_OK)
        st = tr__tables_each(t, "CONNECTION_IDS", connection, 2, take_connection, NULL);
    if (r->n_connections)
        qsort(r->connections, r->n_connections, sizeof *r->connections, by_id);
    if (st == TR_OK)
        st = tr__tables_strings(t);
    if (st == TR_OK)
        st = tr__tables_find(t, &r->compute, "COMPUTE_TASK_INFO", "globalTaskId", info_columns, N(info_columns));
    if (st == TR_OK || st == TR_END)
        st = tr__tables_find(t, &r->parts, "COMMUNICATION_TASK_INFO", "globalTaskId", info_columns, 1);
    if (t->rank == TR_I64_NONE)
        t->rank = rank_of_name(t->name);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status end(void *own)
{
    struct ascend *r = own;
    enum tr_status st = tr__tables_ranks(r->t);
    return st == TR_OK ? tr__tables_facts_end(r->t) : st;
}

static void release(void *own)
{
    struct ascend *r = own;
    tr__scan_end(&r->compute);
    tr__scan_end(&r->parts);
    tr__numbers_free(&r->levels);
    tr__numbers_free(&r->data_types);
    tr__numbers_free(&r->types);
    tr__numbers_free(&r->operators);
    free(r->connections);
    free(r);
}

static void *make(struct tr__tables *t)
{
    struct ascend *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->t = t;
    r->device = TR_I64_NONE;
    r->runtime = tr_ingest_text(t->g, "runtime", 7);
    r->op = tr_ingest_text(t->g, "op", 2);
    r->trace = tr_ingest_text(t->g, "trace", 5);
    r->mstx = tr_ingest_text(t->g, "mstx", 4);
    return r;
}

static const struct tr__tables_table *const tables[] = { &cann,   &torch, &mstx, &tasks, &collectives,
                                                         &memory, &freq,  &hbm,  &llc,   &npu_mem };
static const char *const marks[] = { "COMPUTE_TASK_INFO", "COMMUNICATION_OP", "CANN_API", "PYTORCH_API",
                                     "RANK_DEVICE_MAP", "STRING_IDS" };
static const char *const about[] = { "ENUM_", "META_DATA", "HOST_INFO", "NPU_INFO", "SESSION_TIME_INFO",
                                     "RANK_DEVICE_MAP", "CONNECTION_IDS", "COMPUTE_TASK_INFO",
                                     "COMMUNICATION_TASK_INFO", "OVERLAP_ANALYSIS", "STEP_TIME", "status_info",
                                     "connectionCats", NULL };

const struct tr__schema tr__schema_ascend = {
    .name = "ascend-db", .marks = marks, .n_marks = N(marks), .tables = tables, .n_tables = N(tables), .keys = keys,
    .n_keys = N(keys), .strings = "STRING_IDS", .string_id = "id", .string_text = "value", .device = "NPU",
    .stream = "stream", .about = about, .make = make, .start = start, .end = end, .free = release,
};
