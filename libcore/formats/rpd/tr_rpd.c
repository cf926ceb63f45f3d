/* SPDX-License-Identifier: MIT */
/*
 * Reader of the SQLite databases of rocmProfileData (*.rpd), of its schemas 2 and 3.
 *
 *   rocpd_api          calls of the host, and ranges of roctx with their text
 *   rocpd_op           work of devices, by its type
 *   rocpd_api_ops      which call launched which work; a launch of a graph has many
 *   rocpd_kernelapi    grids and blocks of the calls that launch a kernel
 *   rocpd_copyapi      bytes of the calls that copy
 *   rocpd_monitor      clocks and the like over time
 *
 * The numbers of GPUs are those of the machine's nodes, so the first may be 2; those of rocpd_monitor are others.  The
 * writer leaves out a size of 2 GiB or more, and 0: an empty text stands for both.
 */
#include "formats/tables/tr_tables_int.h"

#include "base/tr_num.h"
#include "base/tr_sort.h"
#include "stream/tr_dict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))
#define MAX_MONITORS 4096u /* of all devices; others have no last value at their end */

enum key { CORRELATION, DEVICE, STREAM, OPERATION, GRID, BLOCK, GRID_SIZE, PRIVATE, GROUP, BYTES, HANDLE, TEXT, VALUE,
           N_KEYS };
static const char *const keys[N_KEYS] = {
    [CORRELATION] = "correlation", [DEVICE] = "device", [STREAM] = "stream", [OPERATION] = "operation",
    [GRID] = "grid", [BLOCK] = "block", [GRID_SIZE] = "grid_size", [PRIVATE] = "private_segment_size",
    [GROUP] = "group_segment_size", [BYTES] = "bytes", [HANDLE] = "stream_handle", [TEXT] = "args",
    [VALUE] = "value",
};

/* Work and the call that launched it. */
struct link {
    int64_t op, api;
};

struct rpd {
    struct tr__tables *t;
    struct link *links;
    size_t n_links, cap_links;
    uint32_t empty; /* number of the text without bytes */
    struct tr__scan calls, kernels, copies, texts; /* rows by number */
    struct tr__numbers kinds, types;               /* id of a text to an enum kind; to a place in the list of types */
    struct tr__numbers items;                      /* id of a text to whether its call counts a grid in work items */
    struct monitor {
        int64_t device, end;
        uint32_t type, name;
        double value;
    } *monitors;
    size_t n_monitors, cap_monitors;
};

/* ---- calls ---- */

enum { API_ID, API_PID, API_TID, API_START, API_END, API_NAME, API_ARGS, API_DOMAIN };
static const char *const api_columns[] = { "id", "pid", "tid", "start", "end", "apiName_id", "args_id", "domain_id" };

enum kind { CALL, MARKER, OVERHEAD, OTHER };

static bool starts(struct tr_str s, const char *start)
{
    return s.len >= strlen(start) && memcmp(s.s, start, strlen(start)) == 0;
}

/* By its name; a domain that has one says it, too. */
static enum kind kind_of(struct tr_str name)
{
    static const char writes[] = "::writeRows";
    const size_t len = sizeof writes - 1;
    if (tr__tables_equals(name, "UserMarker"))
        return MARKER;
    if (starts(name, "hip"))
        return CALL;
    bool own = (name.len > len && memcmp(name.s + name.len - len, writes, len) == 0) ||
               tr__tables_equals(name, "hcc_activity_callback") || starts(name, "rpd");
    return own ? OVERHEAD : OTHER;
}

/* The kind of a call by the number of its name; each name is looked at once. */
static enum tr_status call_kind(struct rpd *r, int64_t id, enum kind *kind)
{
    struct tr_str name = { NULL, 0 };
    uint32_t known = id == TR_I64_NONE ? OTHER : tr__numbers_get(&r->kinds, (uint64_t)id);
    *kind = (enum kind)known;
    if (known != UINT32_MAX)
        return TR_OK;
    enum tr_status st = tr__tables_text(r->t, id, &name);
    if (st == TR_SYSTEM)
        return st;
    *kind = name.s ? kind_of(name) : CALL;
    return tr__numbers_set(&r->kinds, (uint64_t)id, *kind) ? TR_OK : tr_fail_memory(r->t->err);
}

/* The text of a call.  Those of schema 3 are in a table of their own. */
static enum tr_status text_of_call(struct rpd *r, struct tr_str *text)
{
    int64_t id = tr__scan_int(&r->t->scan, API_ARGS);
    *text = (struct tr_str){ NULL, 0 };
    if (id == TR_I64_NONE)
        return TR_OK;
    enum tr_status st = r->texts.rows ? tr__find(&r->texts, id, r->t->err) : tr__tables_text(r->t, id, text);
    if (st == TR_OK && r->texts.rows)
        *text = tr__scan_text(&r->texts, 0);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status name_call(struct rpd *r, enum kind kind)
{
    static const enum tr_activity activities[] = { TR_ACT_RUNTIME_API, TR_ACT_ANNOTATION, TR_ACT_OVERHEAD,
                                                   TR_ACT_OTHER };
    static const char *const categories[] = { "hip_api", "roctx", "overhead", "other" };
    struct tr__tables *t = r->t;
    struct tr_str text;
    uint32_t name;
    bool op = false;
    enum tr_status st = tr__tables_text_at(t, API_NAME, &name);
    if (st == TR_OK)
        st = text_of_call(r, &text);
    if (st != TR_OK)
        return st;
    if (kind == MARKER && text.len) {
        name = tr__tables_range(t, text, &op);
        op |= starts(text, "aten::"); /* a tool has taken off what follows the name */
    } else if (text.len) {
        tr__tables_arg_text(t, TEXT, tr__tables_number(t, text));
    }
    tr_ingest_name_number(t->g, name);
    tr_ingest_category(t->g, op ? "nvtx_op" : categories[kind], strlen(op ? "nvtx_op" : categories[kind]));
    tr_ingest_activity(t->g, op ? TR_ACT_CPU_OP : activities[kind]);
    return TR_OK;
}

static enum tr_status take_call(void *own)
{
    struct rpd *r = own;
    struct tr__tables *t = r->t;
    struct tr_ingest_track at = TR_INGEST_TRACK_INIT;
    int64_t id = tr__scan_int(&t->scan, API_ID), pid = tr__scan_int(&t->scan, API_PID),
            start = tr__scan_int(&t->scan, API_START), end = tr__scan_int(&t->scan, API_END);
    enum kind kind;
    enum tr_status st = call_kind(r, tr__scan_int(&t->scan, API_NAME), &kind);
    if (st == TR_OK)
        st = tr__tables_begin_at(t, kind == MARKER && start == end ? TR_INSTANT : TR_SPAN, start, end);
    if (st == TR_OK)
        st = name_call(r, kind);
    if (st != TR_OK)
        return st;
    const struct tr__tables_process *p = tr__tables_process(t, (uint64_t)pid, pid);
    if (!p)
        return TR_SYSTEM;
    at.pid = p->pid;
    at.tid = tr__scan_int(&t->scan, API_TID);
    tr_ingest_track(t->g, &at);
    if (kind == CALL && id != TR_I64_NONE) {
        tr_ingest_correlate(t->g, TR_LINK_SOURCE, id);
        tr__tables_arg_int(t, CORRELATION, id);
    }
    return tr__tables_end(t);
}

static const struct tr__tables_table api = { "rocpd_api", api_columns, N(api_columns), take_call, NULL };

/* ---- links ---- */

enum { LINK_OP, LINK_API };
static const char *const link_columns[] = { "op_id", "api_id" };

static enum tr_status take_link(void *own)
{
    struct rpd *r = own;
    struct link link = { tr__scan_int(&r->t->scan, LINK_OP), tr__scan_int(&r->t->scan, LINK_API) };
    if (link.op == TR_I64_NONE || link.api == TR_I64_NONE)
        return TR_END;
    if (r->n_links >= r->t->max_memory / sizeof link)
        return tr_fail(r->t->err, TR_SYSTEM, "its links of calls and work need more memory than -M allows");
    if (!tr_grow(&r->links, &r->cap_links, r->n_links + 1, sizeof link))
        return tr_fail_memory(r->t->err);
    r->links[r->n_links++] = link;
    return TR_OK;
}

static const struct tr__tables_table links = { "rocpd_api_ops", link_columns, N(link_columns), take_link, NULL };

TR_ORDER(by_op, struct link, TR_UP(op), TR_UP(api))

static bool sort_links(void *own)
{
    struct rpd *r = own;
    if (r->n_links)
        qsort(r->links, r->n_links, sizeof *r->links, by_op);
    return true;
}

/* The call of work, the first if there are several; TR_I64_NONE: none. */
static int64_t call_of(const struct rpd *r, int64_t op)
{
    size_t at = 0;
    TR_BOUND(at, r->n_links, mid, r->links[mid].op < op);
    return at < r->n_links && r->links[at].op == op ? r->links[at].api : TR_I64_NONE;
}

/* ---- work ---- */

enum { OP_ID, OP_GPU, OP_QUEUE, OP_START, OP_END, OP_TEXT, OP_TYPE };
static const char *const op_columns[] = { "id", "gpuId", "queueId", "start", "end", "description_id", "opType_id" };

/* What work of a type is, and its name as other formats have it; NULL: that of its description or type. */
static const struct {
    const char *start, *name, *category;
    enum tr_activity activity;
} types[] = {
    { "KernelExecution", NULL, "kernel_dispatch", TR_ACT_KERNEL },
    { "Task", NULL, "kernel_dispatch", TR_ACT_KERNEL }, /* of a graph */
    { "CopyHostToDevice", "Memcpy HtoD", "memory_copy", TR_ACT_MEMCPY },
    { "CopyDeviceToHost", "Memcpy DtoH", "memory_copy", TR_ACT_MEMCPY },
    { "CopyDeviceToDevice", "Memcpy DtoD", "memory_copy", TR_ACT_MEMCPY },
    { "CopyHostToHost", "Memcpy HtoH", "memory_copy", TR_ACT_MEMCPY },
    { "Copy", "Memcpy", "memory_copy", TR_ACT_MEMCPY },
    { "Fill", "Memset", "memory_set", TR_ACT_MEMSET },
    { "Barrier", NULL, "sync", TR_ACT_SYNC },
    { "Marker", NULL, "sync", TR_ACT_SYNC },
    { "", NULL, "other", TR_ACT_DEVICE_ANNOTATION },
};

/* The place of a type in the list; each is looked at once. */
static enum tr_status type_of(struct rpd *r, int64_t id, size_t *type)
{
    struct tr_str text = { NULL, 0 };
    uint32_t known = id == TR_I64_NONE ? N(types) - 1 : tr__numbers_get(&r->types, (uint64_t)id);
    *type = known;
    if (known != UINT32_MAX)
        return TR_OK;
    enum tr_status st = tr__tables_text(r->t, id, &text);
    if (st == TR_SYSTEM)
        return st;
    for (*type = 0; *type + 1 < N(types) && !(text.s && starts(text, types[*type].start)); ++*type)
        continue;
    return tr__numbers_set(&r->types, (uint64_t)id, (uint32_t)*type) ? TR_OK : tr_fail_memory(r->t->err);
}

static enum tr_status name_work(struct rpd *r, size_t type)
{
    struct tr__tables *t = r->t;
    uint32_t name, operation;
    enum tr_status st = tr__tables_text_at(t, OP_TYPE, &operation);
    if (st == TR_OK)
        st = tr__tables_text_at(t, OP_TEXT, &name);
    if (st != TR_OK)
        return st;
    if (types[type].name)
        tr_ingest_name(t->g, types[type].name, strlen(types[type].name));
    else
        tr_ingest_name_number(t->g, name == TR_NO_STR || name == r->empty ? operation : name);
    tr__tables_arg_text(t, OPERATION, operation);
    return TR_OK;
}

/* A size; an empty text is none. */
static int64_t size_at(struct tr__scan *s, size_t column)
{
    return tr__scan_empty(s, column) ? TR_I64_NONE : tr__scan_int(s, column);
}

enum { C_STREAM, C_SIZE };
static const char *const copy_columns[] = { "stream", "size" };
enum { K_STREAM, K_GRID, K_GROUP = K_GRID + 3, K_SHARED = K_GROUP + 3, K_PRIVATE };
static const char *const kernel_columns[] = { "stream", "gridX", "gridY", "gridZ", "workgroupX", "workgroupY",
                                              "workgroupZ", "groupSegmentSize", "privateSegmentSize" };
enum { O_PID, O_NAME };
static const char *const owner_columns[] = { "pid", "apiName_id" };

static void add_handle(struct rpd *r, struct tr__scan *s, size_t column)
{
    struct tr_str text = tr__scan_empty(s, column) ? (struct tr_str){ NULL, 0 } : tr__scan_text(s, column);
    if (text.len)
        tr__tables_arg_text(r->t, HANDLE, tr__tables_number(r->t, text));
}

/* The size of a grid is that of the call: in work items for calls of modules, else in groups.  TR_OK, or a failure. */
static enum tr_status add_kernel(struct rpd *r, int64_t call, bool items)
{
    struct tr__scan *s = &r->kernels;
    int64_t grid[3], group[3];
    enum tr_status st = tr__find(s, call, r->t->err);
    if (st != TR_OK)
        return st == TR_END ? TR_OK : st;
    for (size_t i = 0; i < 3; i++) {
        grid[i] = size_at(s, K_GRID + i);
        group[i] = size_at(s, K_GROUP + i);
    }
    if (items) {
        tr__tables_arg_groups(r->t, GRID, BLOCK, GRID_SIZE, grid, group);
    } else {
        tr__tables_arg_dims(r->t, GRID, grid);
        tr__tables_arg_dims(r->t, BLOCK, group);
    }
    tr__tables_arg_int(r->t, PRIVATE, size_at(s, K_PRIVATE));
    tr__tables_arg_int(r->t, GROUP, size_at(s, K_SHARED));
    add_handle(r, s, K_STREAM);
    return TR_OK;
}

static enum tr_status add_copy(struct rpd *r, int64_t call)
{
    enum tr_status st = tr__find(&r->copies, call, r->t->err);
    if (st != TR_OK)
        return st == TR_END ? TR_OK : st;
    int64_t bytes = size_at(&r->copies, C_SIZE);
    tr__tables_arg_int(r->t, BYTES, bytes > 0 ? bytes : TR_I64_NONE);
    add_handle(r, &r->copies, C_STREAM);
    return TR_OK;
}

/* Does this call count a grid in work items?  Each name is looked at once. */
static enum tr_status counts_items(struct rpd *r, int64_t name, bool *items)
{
    struct tr_str text = { NULL, 0 };
    uint32_t known = name == TR_I64_NONE ? false : tr__numbers_get(&r->items, (uint64_t)name);
    *items = known == true;
    if (known != UINT32_MAX)
        return TR_OK;
    enum tr_status st = tr__tables_text(r->t, name, &text);
    *items = st == TR_OK && starts(text, "hipExtModuleLaunch");
    if (st == TR_SYSTEM)
        return st;
    return tr__numbers_set(&r->items, (uint64_t)name, *items) ? TR_OK : tr_fail_memory(r->t->err);
}

/* Args of the call; *p: its process. */
static enum tr_status add_call(struct rpd *r, int64_t call, enum tr_activity activity, struct tr__tables_process **p)
{
    struct tr__tables *t = r->t;
    bool items;
    enum tr_status st = call == TR_I64_NONE ? TR_END : tr__find(&r->calls, call, t->err);
    int64_t pid = st == TR_OK ? tr__scan_int(&r->calls, O_PID) : TR_I64_NONE;
    if (st == TR_SYSTEM)
        return st;
    if (pid == TR_I64_NONE) /* not known: as the first call */
        pid = t->n_processes ? (int64_t)t->processes[0].key : 0;
    *p = tr__tables_process(t, (uint64_t)pid, pid);
    if (!*p)
        return TR_SYSTEM;
    if (st == TR_OK)
        st = counts_items(r, tr__scan_int(&r->calls, O_NAME), &items);
    if (st == TR_OK && activity == TR_ACT_KERNEL)
        st = add_kernel(r, call, items);
    else if (st == TR_OK && activity == TR_ACT_MEMCPY)
        st = add_copy(r, call);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status take_work(void *own)
{
    struct rpd *r = own;
    struct tr__tables *t = r->t;
    struct tr__tables_process *p;
    size_t type = 0;
    int64_t device = tr__scan_int(&t->scan, OP_GPU), queue = tr__scan_int(&t->scan, OP_QUEUE),
            call = call_of(r, tr__scan_int(&t->scan, OP_ID));
    enum tr_status st = tr__tables_begin(t, TR_SPAN, OP_START, OP_END);
    if (st == TR_OK)
        st = type_of(r, tr__scan_int(&t->scan, OP_TYPE), &type);
    if (st != TR_OK)
        return st;
    tr_ingest_category(t->g, types[type].category, strlen(types[type].category));
    tr_ingest_activity(t->g, types[type].activity);
    tr__tables_arg_int(t, DEVICE, device);
    tr__tables_arg_int(t, STREAM, queue);
    tr__tables_arg_int(t, CORRELATION, call);
    if (call != TR_I64_NONE)
        tr_ingest_correlate(t->g, TR_LINK_SOURCE, call);
    st = name_work(r, type);
    if (st == TR_OK)
        st = add_call(r, call, types[type].activity, &p);
    if (st != TR_OK)
        return st;
    p->has_work |= types[type].activity != TR_ACT_SYNC && types[type].activity != TR_ACT_DEVICE_ANNOTATION;
    st = tr__tables_on_stream(t, p, device, TR_I64_NONE, queue);
    return st == TR_OK ? tr__tables_end(t) : st;
}

static const struct tr__tables_table ops = { "rocpd_op", op_columns, N(op_columns), take_work, sort_links };

/* ---- monitors ---- */

enum { M_DEVICE_TYPE, M_DEVICE, M_TYPE, M_START, M_END, M_VALUE };
static const char *const monitor_columns[] = { "deviceType", "deviceId", "monitorType", "start", "end", "value" };

static enum tr_status add_value(struct rpd *r, const struct monitor *m, int64_t at)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    char text[40];
    enum tr_status st = tr__tables_begin_at(r->t, TR_COUNTER, at, at);
    if (st != TR_OK)
        return st;
    int n = snprintf(text, sizeof text, "monitor of GPU %" PRId64, m->device);
    track.pid_text = text;
    track.pid_len = (size_t)n;
    tr_ingest_track(r->t->g, &track);
    tr_ingest_name_number(r->t->g, m->name);
    tr_ingest_activity(r->t->g, TR_ACT_OTHER);
    tr__tables_arg_value(r->t, r->t->keys[VALUE], m->value);
    return tr__tables_end(r->t);
}

static struct monitor *monitor_of(struct rpd *r, int64_t device, uint32_t type, uint32_t name)
{
    for (size_t i = 0; i < r->n_monitors; i++)
        if (r->monitors[i].device == device && r->monitors[i].type == type && r->monitors[i].name == name)
            return &r->monitors[i];
    if (r->n_monitors == MAX_MONITORS || !tr_grow(&r->monitors, &r->cap_monitors, r->n_monitors + 1,
                                                  sizeof *r->monitors))
        return NULL;
    r->monitors[r->n_monitors] = (struct monitor){ device, TR_I64_NONE, type, name, 0 };
    return &r->monitors[r->n_monitors++];
}

/* A value holds from its start to its end, so it is there once more at its end if no other value starts there. */
static enum tr_status take_monitor(void *own)
{
    struct rpd *r = own;
    struct tr__scan *s = &r->t->scan;
    struct tr_str type = tr__scan_text(s, M_DEVICE_TYPE), name = tr__scan_text(s, M_TYPE), text = { NULL, 0 };
    int64_t device = tr__scan_int(s, M_DEVICE), start = tr__scan_int(s, M_START), end = tr__scan_int(s, M_END);
    char number[40];
    double value;
    enum tr_status st = TR_OK;
    if (!name.len || device == TR_I64_NONE || start == TR_I64_NONE)
        return TR_END;
    text = tr__scan_text(s, M_VALUE);
    snprintf(number, sizeof number, "%.*s", (int)(text.len < sizeof number ? text.len : 0), text.s ? text.s : "");
    if (!tr_num_decimal(number, &value))
        return TR_END;
    struct monitor m = { device, end, type.len ? tr__tables_number(r->t, type) : 0, tr__tables_number(r->t, name),
                         value };
    struct monitor *last = monitor_of(r, m.device, m.type, m.name);
    if (last && last->end != TR_I64_NONE && last->end < start) {
        st = add_value(r, last, last->end);
        r->t->record++;
    }
    if (last)
        *last = m;
    return st == TR_OK ? add_value(r, &m, start) : st;
}

static const struct tr__tables_table monitors = { "rocpd_monitor", monitor_columns, N(monitor_columns), take_monitor,
                                                  NULL };

/* ---- the format ---- */

static const struct tr__tables_table *const tables[] = { &api, &links, &ops, &monitors };

static enum tr_status take_metadata(void *own, void *ctx)
{
    struct rpd *r = own;
    struct tr_str tag = tr__scan_text(&r->t->scan, 0), value = tr__scan_text(&r->t->scan, 1);
    char *version = ctx;
    if (tr__tables_equals(tag, "schema_version") && value.len && value.len < 8 &&
        memchr(value.s, 0, value.len) == NULL)
        snprintf(version, 8, "%.*s", (int)value.len, value.s);
    return TR_OK;
}

static enum tr_status start(void *own)
{
    static const char *const metadata[] = { "tag", "value" }, *const text[] = { "string" };
    struct rpd *r = own;
    struct tr__tables *t = r->t;
    char version[8] = "";
    r->empty = tr_ingest_text(t->g, "", 0);
    enum tr_status st = tr__tables_each(t, "rocpd_metadata", metadata, 2, take_metadata, version);
    if (st == TR_OK && version[0] && strspn(version, "0123456789.") == strlen(version))
        tr_ingest_version(t->g, version);
    if (st == TR_OK)
        st = tr__tables_strings(t);
    const struct {
        struct tr__scan *scan;
        const char *table, *id;
        const char *const *columns;
        size_t n;
    } found[] = {
        { &r->calls, "rocpd_api", "id", owner_columns, N(owner_columns) },
        { &r->kernels, "rocpd_kernelapi", "api_ptr_id", kernel_columns, N(kernel_columns) },
        { &r->copies, "rocpd_copyapi", "api_ptr_id", copy_columns, N(copy_columns) },
        { &r->texts, "rocpd_ustring", "id", text, 1 },
    };
    for (size_t i = 0; i < N(found) && st == TR_OK; i++) {
        st = tr__tables_find(t, found[i].scan, found[i].table, found[i].id, found[i].columns, found[i].n);
        st = st == TR_END ? TR_OK : st;
    }
    return st;
}

static enum tr_status end(void *own)
{
    struct rpd *r = own;
    enum tr_status st = TR_OK;
    r->t->table = N(tables) - 1; /* that of monitors */
    for (size_t i = 0; i < r->n_monitors && st == TR_OK; i++)
        if (r->monitors[i].end != TR_I64_NONE) {
            st = add_value(r, &r->monitors[i], r->monitors[i].end);
            r->t->record++;
        }
    if (st == TR_OK)
        st = tr__tables_ranks(r->t);
    return st == TR_OK ? tr__tables_facts_end(r->t) : st;
}

static void release(void *own)
{
    struct rpd *r = own;
    tr__scan_end(&r->calls);
    tr__scan_end(&r->kernels);
    tr__scan_end(&r->copies);
    tr__scan_end(&r->texts);
    tr__numbers_free(&r->types);
    tr__numbers_free(&r->kinds);
    tr__numbers_free(&r->items);
    free(r->links);
    free(r->monitors);
    free(r);
}

static void *make(struct tr__tables *t)
{
    struct rpd *r = calloc(1, sizeof *r);
    if (r)
        r->t = t;
    return r;
}

static const char *const marks[] = { "rocpd_api_ops", "rocpd_kernelapi", "rocpd_copyapi" };
static const char *const about[] = { "rocpd_metadata", "rocpd_kernelapi", "rocpd_copyapi", "rocpd_ustring",
                                     "rocpd_kernelcodeobject", "rocpd_barrierop", "rocpd_op_inputSignals", "ext_",
                                     NULL };

const struct tr__schema tr__schema_rpd = {
    .name = "rpd", .marks = marks, .n_marks = N(marks), .tables = tables, .n_tables = N(tables), .keys = keys,
    .n_keys = N(keys), .strings = "rocpd_string", .string_id = "id", .string_text = "string", .device = "GPU",
    .stream = "queue", .about = about, .make = make, .start = start, .end = end, .free = release,
};
