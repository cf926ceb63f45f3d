/* SPDX-License-Identifier: MIT */
/* Reader of Nsight Systems' databases: metrics of GPUs as counters, and allocations of memory. */
#include "formats/nsys/tr_nsys_int.h"

#include "stream/tr_dict.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))

#define MAX_METRICS 4096u /* of all GPUs; others have no name */

/* ---- metrics ---- */

enum { NAMED_TYPE, NAMED_ID, NAMED_NAME };
static const char *const name_columns[] = { "typeId", "metricId", "metricName" };

static enum tr_status take_name(void *own)
{
    struct tr__nsys *r = own;
    int64_t type = tr__scan_int(&r->t->scan, NAMED_TYPE), id = tr__scan_int(&r->t->scan, NAMED_ID);
    struct tr_str name = tr__scan_text(&r->t->scan, NAMED_NAME);
    if (type == TR_I64_NONE || id == TR_I64_NONE || !name.s)
        return TR_END;
    if (r->n_metrics == MAX_METRICS)
        return TR_END;
    if (!tr_grow(&r->metrics, &r->cap_metrics, r->n_metrics + 1, sizeof *r->metrics))
        return tr_fail_memory(r->t->err);
    r->metrics[r->n_metrics++] = (struct tr__nsys_metric){ type, id, tr__tables_number(r->t, name) };
    return TR_OK;
}

const struct tr__tables_table tr__nsys_metric_names = { "TARGET_INFO_GPU_METRICS", name_columns, N(name_columns),
                                                  take_name, NULL };

enum { AT, OF_TYPE, OF_ID, VALUE };
static const char *const metric_columns[] = { "timestamp", "typeId", "metricId", "value" };

/* Samples come in turn, so it is nearly always the next one.  NULL: it has no name. */
static const struct tr__nsys_metric *find(struct tr__nsys *r, int64_t type, int64_t id)
{
    for (size_t i = 0; i < r->n_metrics; i++) {
        size_t at = (r->metric + 1 + i) % r->n_metrics;
        if (r->metrics[at].type == type && r->metrics[at].id == id) {
            r->metric = at;
            return &r->metrics[at];
        }
    }
    return NULL;
}

/* The lowest byte of the type is the number of the GPU. */
static enum tr_status take_metric(void *own)
{
    struct tr__nsys *r = own;
    int64_t type = tr__scan_int(&r->t->scan, OF_TYPE), id = tr__scan_int(&r->t->scan, OF_ID),
            value = tr__scan_int(&r->t->scan, VALUE);
    const struct tr__nsys_metric *m = find(r, type, id);
    struct tr_ingest_track at = TR_INGEST_TRACK_INIT;
    char text[40];
    bool whole = value != TR_I64_NONE && type != TR_I64_NONE;
    enum tr_status st = whole ? tr__tables_begin(r->t, TR_COUNTER, AT, AT) : TR_END;
    if (st != TR_OK)
        return st;
    if (m) {
        tr_ingest_name_number(r->t->g, m->name);
    } else {
        int n = snprintf(text, sizeof text, "metric %" PRId64, id);
        tr_ingest_name(r->t->g, text, (size_t)n);
    }
    int n = snprintf(text, sizeof text, "GPU %u", (unsigned)(type & 0xff));
    at.pid_text = text;
    at.pid_len = (size_t)n;
    tr_ingest_track(r->t->g, &at);
    tr_ingest_activity(r->t->g, TR_ACT_OTHER);
    tr__tables_arg_int(r->t, TR__NSYS_COUNTED, value);
    return tr__tables_end(r->t);
}

const struct tr__tables_table tr__nsys_metrics = { "GPU_METRICS", metric_columns, N(metric_columns), take_metric,
                                                  NULL };

/* ---- memory ---- */

enum { START, PID, DEVICE, BYTES, ADDRESS, KIND, OPERATION };
static const char *const memory_columns[] = { "start",   "globalPid", "deviceId",           "bytes",
                                              "address", "memKind",   "memoryOperationType" };

/* As Kineto's events of memory: negative bytes are freed.  Memory of the host that devices read has device type 0. */
static enum tr_status take_memory(void *own)
{
    struct tr__nsys *r = own;
    int64_t bytes = tr__scan_int(&r->t->scan, BYTES), kind = tr__scan_int(&r->t->scan, KIND),
            what = tr__scan_int(&r->t->scan, OPERATION), device = tr__scan_int(&r->t->scan, DEVICE);
    if (bytes == TR_I64_NONE || bytes < 0 || (what != 0 && what != 1))
        return TR_END;
    enum tr_status st = tr__tables_begin(r->t, TR_INSTANT, START, START);
    if (st == TR_OK)
        st = tr__nsys_on_thread(r, tr__scan_int(&r->t->scan, PID));
    if (st != TR_OK)
        return st;
    bool host = kind == 0 || kind == 1;
    tr_ingest_name(r->t->g, "[memory]", 8);
    tr_ingest_category(r->t->g, "cpu_instant_event", 17);
    tr_ingest_activity(r->t->g, TR_ACT_MEMORY_INSTANT);
    tr__tables_arg_int(r->t, TR__NSYS_MEMORY, what == 1 ? -bytes : bytes);
    tr__tables_arg_column(r->t, TR__NSYS_ADDR, ADDRESS);
    tr__tables_arg_int(r->t, TR__NSYS_DEVICE_TYPE, !host);
    tr__tables_arg_int(r->t, TR__NSYS_DEVICE_ID, host ? -1 : device);
    const char *name = tr__nsys_memory_kind(kind);
    if (name)
        tr__tables_arg_text(r->t, TR__NSYS_MEMORY_KIND, tr_ingest_text(r->t->g, name, strlen(name)));
    return tr__tables_end(r->t);
}

const struct tr__tables_table tr__nsys_memory = { "CUDA_GPU_MEMORY_USAGE_EVENTS", memory_columns, N(memory_columns),
                                                  take_memory, NULL };
