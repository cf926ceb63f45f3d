/* SPDX-License-Identifier: MIT */
/*
 * Reader of Nsight Systems' databases: what they say of the capture, and what was not read.
 *
 * The environment of the program is in several tables, with passwords and keys in it.  Only the variables that give a
 * rank are looked at; nothing of it goes to the stream.
 */
#include "formats/nsys/tr_nsys_int.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(list)     (sizeof(list) / sizeof *(list))
#define MAX_DEVICES 1024u
#define MAX_REPORTED 20u /* messages of the profiler */

/* ---- versions ---- */

static const char *const pair_columns[] = { "name", "value" };

static enum tr_status take_export(void *own, void *ctx)
{
    struct tr__nsys *r = own;
    struct tr_str name = tr__scan_text(&r->t->scan, 0), value = tr__scan_text(&r->t->scan, 1);
    char version[12];
    (void)ctx;
    if (tr__tables_equals(name, "EXPORT_PRODUCT_VERSION") && value.s)
        return tr__tables_fact(r->t, "product", value, TR_I64_NONE);
    if (!tr__tables_equals(name, "EXPORT_SCHEMA_VERSION") || !value.s)
        return TR_OK;
    if (value.len < sizeof version) {
        snprintf(version, sizeof version, "%.*s", (int)value.len, value.s);
        if (strspn(version, "0123456789.") == value.len)
            tr_ingest_version(r->t->g, version);
    }
    return tr__tables_fact(r->t, "schema", value, TR_I64_NONE);
}

/* ---- host and environment ---- */

/* NAME=value or NAME="value". */
static void take_variable(struct tr__tables_environment *e, const char *s, size_t n)
{
    for (; n && (*s == ' ' || *s == '\n'); n--)
        s++;
    const char *sign = memchr(s, '=', n);
    if (!sign)
        return;
    struct tr_str name = { s, (size_t)(sign - s) }, value = { sign + 1, n - (size_t)(sign - s) - 1 };
    if (value.len > 2 && value.s[0] == '"' && value.s[value.len - 1] == '"')
        value = (struct tr_str){ value.s + 1, value.len - 2 };
    tr__tables_variable(e, name, value);
}

static enum tr_status take_capture(void *own, void *ctx)
{
    struct tr__nsys *r = own;
    static const char variable[] = ":ENVIRONMENT_VARIABLE";
    const size_t len = sizeof variable - 1;
    struct tr_str name = tr__scan_text(&r->t->scan, 0), value = tr__scan_text(&r->t->scan, 1);
    if (!name.s || !value.s)
        return TR_OK;
    if (tr__tables_equals(name, "Hostname") && value.len)
        tr_ingest_host(r->t->g, value.s, value.len);
    else if (name.len > len && memcmp(name.s + name.len - len, variable, len) == 0)
        take_variable(ctx, value.s, value.len);
    else if (tr__tables_equals(name, "CUDA_GRAPH_TRACE_OPTIONS:MODE"))
        return tr__tables_fact(r->t, "cuda_graph_mode", value, TR_I64_NONE);
    return TR_OK;
}

/* Properties of the machine; one is the environment, joined by semicolons. */
static enum tr_status take_machine(void *own, void *ctx)
{
    struct tr__nsys *r = own;
    struct tr_str name = tr__scan_text(&r->t->scan, 0), value = tr__scan_text(&r->t->scan, 1);
    if (!name.s || !value.s)
        return TR_OK;
    if (tr__tables_equals(name, "Hostname") && value.len)
        tr_ingest_host(r->t->g, value.s, value.len);
    if (!tr__tables_equals(name, "DeviceEnvironment"))
        return TR_OK;
    for (size_t at = 0; at < value.len;) {
        const char *end = memchr(value.s + at, ';', value.len - at);
        size_t n = end ? (size_t)(end - value.s) - at : value.len - at;
        take_variable(ctx, value.s + at, n);
        at += n + 1;
    }
    return TR_OK;
}

static enum tr_status take_base(void *own, void *ctx)
{
    struct tr__nsys *r = own;
    int64_t base = tr__scan_int(&r->t->scan, 0);
    (void)ctx;
    if (base != TR_I64_NONE && base > 0)
        tr_ingest_base(r->t->g, base);
    return TR_OK;
}

/* ---- devices ---- */

static const char *const device_columns[] = { "id",           "deviceId",       "name",
                                              "totalMemory",  "smCount",        "computeMajor",
                                              "computeMinor", "threadsPerWarp", "maxThreadsPerBlock" };
enum { D_ID, D_OLD_ID, D_NAME, D_NUMBERS };

struct devices {
    struct tr_buf json;
    size_t n;
};

/* As Kineto lists devices. */
static enum tr_status take_device(void *own, void *ctx)
{
    struct tr__nsys *r = own;
    static const char *const keys[] = { "totalGlobalMem", "numSms",   "computeMajor",
                                        "computeMinor",   "warpSize", "maxThreadsPerBlock" };
    struct devices *d = ctx;
    int64_t id = tr__scan_int(&r->t->scan, D_ID);
    if (id == TR_I64_NONE)
        id = tr__scan_int(&r->t->scan, D_OLD_ID);
    if (id == TR_I64_NONE || d->n == MAX_DEVICES || tr__scan_int(&r->t->scan, D_NUMBERS + 1) == 0)
        return TR_OK; /* without multiprocessors, it does not run CUDA */
    struct tr_str name = tr__scan_text(&r->t->scan, D_NAME);
    bool ok = tr_buf_print(&d->json, "%s{\"id\":%lld", d->n++ ? "," : "[", (long long)id) &&
              (!name.s || (tr_buf_add_str(&d->json, ",\"name\":") && tr_escape_json(&d->json, name.s, name.len)));
    for (size_t i = 0; ok && i < N(keys); i++) {
        int64_t v = tr__scan_int(&r->t->scan, D_NUMBERS + i);
        ok = v == TR_I64_NONE || tr_buf_print(&d->json, ",\"%s\":%lld", keys[i], (long long)v);
    }
    return ok && tr_buf_add_str(&d->json, "}") ? TR_OK : tr_fail_memory(r->t->err);
}

static enum tr_status list_devices(struct tr__nsys *r)
{
    struct devices d = { .n = 0 };
    enum tr_status st = tr__tables_each(r->t, "TARGET_INFO_GPU", device_columns, N(device_columns), take_device, &d);
    if (st == TR_OK && d.n) {
        if (tr_buf_add_str(&d.json, "]"))
            tr_ingest_header(r->t->g, "deviceProperties", (const char *)d.json.data, d.json.len);
        else
            st = tr_fail_memory(r->t->err);
    }
    tr_buf_free(&d.json);
    return st;
}

enum tr_status tr__nsys_about(void *own)
{
    static const char *const base[] = { "utcEpochNs" };
    struct tr__nsys *r = own;
    struct tr__tables_environment e = { SIZE_MAX, TR_I64_NONE };
    enum tr_status st = tr__tables_each(r->t, "EXPORT_META_DATA", pair_columns, 2, take_export, NULL);
    if (st == TR_OK)
        st = tr__tables_each(r->t, "META_DATA_EXPORT", pair_columns, 2, take_export, NULL);
    if (st == TR_OK)
        st = tr__tables_each(r->t, "META_DATA_CAPTURE", pair_columns, 2, take_capture, &e);
    if (st == TR_OK)
        st = tr__tables_each(r->t, "TARGET_INFO_SYSTEM_ENV", pair_columns, 2, take_machine, &e);
    if (st == TR_OK)
        st = tr__tables_each(r->t, "TARGET_INFO_SESSION_START_TIME", base, 1, take_base, NULL);
    r->t->rank = e.rank;
    if (st == TR_OK)
        st = tr__tables_strings(r->t);
    return st == TR_OK ? list_devices(r) : st;
}

/* ---- names and ranks of processes ---- */

static struct tr__tables_process *known(struct tr__nsys *r, int64_t global)
{
    return global == TR_I64_NONE ? NULL : tr__tables_known(r->t, (uint64_t)global >> 24);
}

static enum tr_status take_rank(void *own, void *ctx)
{
    struct tr__nsys *r = own;
    struct tr__tables_process *p = known(r, tr__scan_int(&r->t->scan, 0));
    int64_t rank = tr__scan_int(&r->t->scan, 1);
    (void)ctx;
    if (p && rank != TR_I64_NONE && rank >= 0)
        p->rank = rank;
    return TR_OK;
}

enum tr_status tr__nsys_name_thread(struct tr__nsys *r, int64_t global, struct tr_str name)
{
    const struct tr__tables_process *p = tr__nsys_process(r, global);
    return p ? tr__tables_name_thread(r->t, p->pid, tr__nsys_tid(global), name) : TR_SYSTEM;
}

/* The name of a thread of a process that has events; "MPI Rank 3" is the rank of its process. */
static enum tr_status take_thread(void *own, void *ctx)
{
    struct tr__nsys *r = own;
    static const char mpi[] = "MPI Rank ";
    const size_t len = sizeof mpi - 1;
    int64_t tid = tr__scan_int(&r->t->scan, 0), id = tr__scan_int(&r->t->scan, 1), rank;
    struct tr__tables_process *p = known(r, tid);
    struct tr_str name;
    (void)ctx;
    if (!p || id == TR_I64_NONE || !r->t->searched)
        return TR_OK;
    enum tr_status st = tr__tables_text(r->t, id, &name);
    if (st != TR_OK)
        return st == TR_END ? TR_OK : st;
    if (p->rank == TR_I64_NONE && name.len > len && memcmp(name.s, mpi, len) == 0 &&
        tr_num_plain(name.s + len, name.len - len, &rank) && rank >= 0)
        p->rank = rank;
    return tr__nsys_name_thread(r, tid, name);
}

static enum tr_status take_process(void *own, void *ctx)
{
    struct tr__nsys *r = own;
    const struct tr__tables_process *p = known(r, tr__scan_int(&r->t->scan, 0));
    struct tr_str name = tr__scan_text(&r->t->scan, 1);
    (void)ctx;
    return p ? tr__tables_name_process(r->t, p->pid, name) : TR_OK;
}

/* ---- what was not read ---- */

static enum tr_status take_message(void *own, void *ctx)
{
    struct tr__nsys *r = own;
    size_t *n = ctx;
    int64_t severity = tr__scan_int(&r->t->scan, 0);
    struct tr_str text = tr__scan_text(&r->t->scan, 1);
    if ((severity != 2 && severity != 3) || !text.s || *n == MAX_REPORTED)
        return TR_OK;
    ++*n;
    enum tr_status st = tr__tables_fact(r->t, severity == 3 ? "error" : "warning", text, TR_I64_NONE);
    if (st == TR_OK && severity == 3 && r->t->warn) {
        char what[240];
        size_t len = strcspn(text.s, "\n");
        snprintf(what, sizeof what, "its profiler says: %.*s", (int)(len < 200 ? len : 200), text.s);
        r->t->warn(r->t->warn_ctx, r->t->name, "", what);
    }
    return st;
}

static enum tr_status list_left_out(struct tr__nsys *r)
{
    static const char *const names[TR__NSYS_N_FACTS] = {
        [TR__NSYS_CALL_COPIES] = "copies_of_calls_left_out", [TR__NSYS_WAIT_COPIES] = "copies_of_waits_left_out",
        [TR__NSYS_OPEN_RANGES] = "ranges_without_end",       [TR__NSYS_GRAPH_LAUNCHES] = "graph_launches_without_nodes",
        [TR__NSYS_EVENTS_OFF] = "cuda_events_without_time",  [TR__NSYS_BINARY] = "binary_payloads_not_read",
    };
    const struct tr_str none = { NULL, 0 };
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < TR__NSYS_N_FACTS && st == TR_OK; i++)
        if (r->facts[i])
            st = tr__tables_fact(r->t, names[i], none, (int64_t)r->facts[i]);
    return st == TR_OK ? tr__tables_facts_end(r->t) : st;
}

enum tr_status tr__nsys_about_end(void *own)
{
    static const char *const ranks[] = { "globalTid", "rank" }, *const threads[] = { "globalTid", "nameId" },
                             *const processes[] = { "globalPid", "name" }, *const messages[] = { "severity", "text" };
    struct tr__nsys *r = own;
    size_t n = 0;
    enum tr_status st = tr__tables_each(r->t, "MPI_RANKS", ranks, 2, take_rank, NULL);
    if (st == TR_OK)
        st = tr__tables_each(r->t, "ThreadNames", threads, 2, take_thread, NULL);
    if (st == TR_OK)
        st = tr__tables_each(r->t, "PROCESSES", processes, 2, take_process, NULL);
    if (st == TR_OK)
        st = tr__tables_ranks(r->t);
    if (st == TR_OK)
        st = tr__tables_each(r->t, "DIAGNOSTIC_EVENT", messages, 2, take_message, &n);
    return st == TR_OK ? list_left_out(r) : st;
}
