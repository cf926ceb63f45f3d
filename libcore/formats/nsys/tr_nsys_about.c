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
#include "base/tr_sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N(list)     (sizeof(list) / sizeof *(list))
#define MAX_DEVICES 1024u
#define MAX_REPORTED 20u /* messages of the profiler */

/* Called for each row of a small table. */
typedef enum tr_status row_fn(struct tr__nsys *r, void *ctx);

static enum tr_status each(struct tr__nsys *r, const char *table, const char *const *columns, size_t n, row_fn *fn,
                           void *ctx)
{
    enum tr_status st = tr__scan_start(&r->scan, r->db, table, columns, n, r->err);
    while (st == TR_OK && (st = tr__scan_next(&r->scan, r->err)) == TR_OK)
        st = fn(r, ctx);
    tr__scan_end(&r->scan);
    if (r->scan.doubt)
        tr__nsys_bad_value(r);
    r->scan.doubt = false;
    return st == TR_END ? TR_OK : st;
}

static bool equals(struct tr_str s, const char *text)
{
    return s.len == strlen(text) && (!s.len || memcmp(s.s, text, s.len) == 0);
}

/* ---- the table of facts ---- */

/* Add a row; text: none if without bytes; n: TR_I64_NONE: none. */
static enum tr_status add_fact(struct tr__nsys *r, const char *fact, struct tr_str text, int64_t n)
{
    const struct tr_side_value row[] = {
        { .present = true, .text = fact, .len = strlen(fact) },
        { .present = text.s != NULL, .text = text.s, .len = text.len },
        { .present = n != TR_I64_NONE, .v = n },
    };
    if (!r->about)
        r->about = tr_side_table_new("nsys", 0);
    bool ok = r->about && (r->about->n_columns || (tr_side_table_column(r->about, "fact", TR_T_STRING) &&
                                                   tr_side_table_column(r->about, "text", TR_T_STRING) &&
                                                   tr_side_table_column(r->about, "n", TR_T_INT)));
    return ok && tr_side_table_add(r->about, row) ? TR_OK : tr_fail_memory(r->err);
}

/* ---- versions ---- */

static const char *const pair_columns[] = { "name", "value" };

static enum tr_status take_export(struct tr__nsys *r, void *ctx)
{
    struct tr_str name = tr__scan_text(&r->scan, 0), value = tr__scan_text(&r->scan, 1);
    char version[12];
    (void)ctx;
    if (equals(name, "EXPORT_PRODUCT_VERSION") && value.s)
        return add_fact(r, "product", value, TR_I64_NONE);
    if (!equals(name, "EXPORT_SCHEMA_VERSION") || !value.s)
        return TR_OK;
    if (value.len < sizeof version) {
        snprintf(version, sizeof version, "%.*s", (int)value.len, value.s);
        if (strspn(version, "0123456789.") == value.len)
            tr_ingest_version(r->g, version);
    }
    return add_fact(r, "schema", value, TR_I64_NONE);
}

/* ---- host and environment ---- */

/* The variables that give a rank, the best first. */
static const char *const rank_variables[] = { "RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID" };

struct environment {
    size_t best; /* the place of the variable in the list */
};

/* NAME=value or NAME="value". */
static void take_variable(struct tr__nsys *r, struct environment *e, const char *s, size_t n)
{
    for (; n && (*s == ' ' || *s == '\n'); n--)
        s++;
    const char *sign = memchr(s, '=', n);
    if (!sign)
        return;
    struct tr_str name = { s, (size_t)(sign - s) }, value = { sign + 1, n - (size_t)(sign - s) - 1 };
    if (value.len > 2 && value.s[0] == '"' && value.s[value.len - 1] == '"')
        value = (struct tr_str){ value.s + 1, value.len - 2 };
    int64_t rank;
    for (size_t i = 0; i < e->best; i++)
        if (equals(name, rank_variables[i]) && tr_num_plain(value.s, value.len, &rank) && rank >= 0) {
            r->rank = rank;
            e->best = i;
        }
}

static enum tr_status take_capture(struct tr__nsys *r, void *ctx)
{
    static const char variable[] = ":ENVIRONMENT_VARIABLE";
    const size_t len = sizeof variable - 1;
    struct tr_str name = tr__scan_text(&r->scan, 0), value = tr__scan_text(&r->scan, 1);
    if (!name.s || !value.s)
        return TR_OK;
    if (equals(name, "Hostname") && value.len)
        tr_ingest_host(r->g, value.s, value.len);
    else if (name.len > len && memcmp(name.s + name.len - len, variable, len) == 0)
        take_variable(r, ctx, value.s, value.len);
    else if (equals(name, "CUDA_GRAPH_TRACE_OPTIONS:MODE"))
        return add_fact(r, "cuda_graph_mode", value, TR_I64_NONE);
    return TR_OK;
}

/* Properties of the machine; one is the environment, joined by semicolons. */
static enum tr_status take_machine(struct tr__nsys *r, void *ctx)
{
    struct tr_str name = tr__scan_text(&r->scan, 0), value = tr__scan_text(&r->scan, 1);
    if (!name.s || !value.s)
        return TR_OK;
    if (equals(name, "Hostname") && value.len)
        tr_ingest_host(r->g, value.s, value.len);
    if (!equals(name, "DeviceEnvironment"))
        return TR_OK;
    for (size_t at = 0; at < value.len;) {
        const char *end = memchr(value.s + at, ';', value.len - at);
        size_t n = end ? (size_t)(end - value.s) - at : value.len - at;
        take_variable(r, ctx, value.s + at, n);
        at += n + 1;
    }
    return TR_OK;
}

static enum tr_status take_base(struct tr__nsys *r, void *ctx)
{
    int64_t base = tr__scan_int(&r->scan, 0);
    (void)ctx;
    if (base != TR_I64_NONE && base > 0)
        tr_ingest_base(r->g, base);
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
static enum tr_status take_device(struct tr__nsys *r, void *ctx)
{
    static const char *const keys[] = { "totalGlobalMem", "numSms",   "computeMajor",
                                        "computeMinor",   "warpSize", "maxThreadsPerBlock" };
    struct devices *d = ctx;
    int64_t id = tr__scan_int(&r->scan, D_ID);
    if (id == TR_I64_NONE)
        id = tr__scan_int(&r->scan, D_OLD_ID);
    if (id == TR_I64_NONE || d->n == MAX_DEVICES || tr__scan_int(&r->scan, D_NUMBERS + 1) == 0)
        return TR_OK; /* without multiprocessors, it does not run CUDA */
    struct tr_str name = tr__scan_text(&r->scan, D_NAME);
    bool ok = tr_buf_print(&d->json, "%s{\"id\":%lld", d->n++ ? "," : "[", (long long)id) &&
              (!name.s || (tr_buf_add_str(&d->json, ",\"name\":") && tr_escape_json(&d->json, name.s, name.len)));
    for (size_t i = 0; ok && i < N(keys); i++) {
        int64_t v = tr__scan_int(&r->scan, D_NUMBERS + i);
        ok = v == TR_I64_NONE || tr_buf_print(&d->json, ",\"%s\":%lld", keys[i], (long long)v);
    }
    return ok && tr_buf_add_str(&d->json, "}") ? TR_OK : tr_fail_memory(r->err);
}

static enum tr_status list_devices(struct tr__nsys *r)
{
    struct devices d = { .n = 0 };
    enum tr_status st = each(r, "TARGET_INFO_GPU", device_columns, N(device_columns), take_device, &d);
    if (st == TR_OK && d.n) {
        if (tr_buf_add_str(&d.json, "]"))
            tr_ingest_header(r->g, "deviceProperties", (const char *)d.json.data, d.json.len);
        else
            st = tr_fail_memory(r->err);
    }
    tr_buf_free(&d.json);
    return st;
}

enum tr_status tr__nsys_about(struct tr__nsys *r)
{
    static const char *const base[] = { "utcEpochNs" };
    struct environment e = { N(rank_variables) };
    r->rank = TR_I64_NONE;
    enum tr_status st = each(r, "EXPORT_META_DATA", pair_columns, 2, take_export, NULL);
    if (st == TR_OK)
        st = each(r, "META_DATA_EXPORT", pair_columns, 2, take_export, NULL);
    if (st == TR_OK)
        st = each(r, "META_DATA_CAPTURE", pair_columns, 2, take_capture, &e);
    if (st == TR_OK)
        st = each(r, "TARGET_INFO_SYSTEM_ENV", pair_columns, 2, take_machine, &e);
    if (st == TR_OK)
        st = each(r, "TARGET_INFO_SESSION_START_TIME", base, 1, take_base, NULL);
    return st == TR_OK ? list_devices(r) : st;
}

/* ---- names and ranks of processes ---- */

static struct tr__nsys_process *known(struct tr__nsys *r, int64_t global)
{
    uint32_t n = global == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->process_of, (uint64_t)global >> 24);
    return n == UINT32_MAX ? NULL : &r->processes[n];
}

static enum tr_status take_rank(struct tr__nsys *r, void *ctx)
{
    struct tr__nsys_process *p = known(r, tr__scan_int(&r->scan, 0));
    int64_t rank = tr__scan_int(&r->scan, 1);
    (void)ctx;
    if (p && rank != TR_I64_NONE && rank >= 0)
        p->rank = rank;
    return TR_OK;
}

enum tr_status tr__nsys_name_thread(struct tr__nsys *r, int64_t global, struct tr_str name)
{
    const struct tr__nsys_process *p = tr__nsys_process(r, global);
    uint32_t number = p && name.len ? tr__nsys_number(r, name) : TR_NO_STR;
    if (!p)
        return TR_SYSTEM;
    if (number != TR_NO_STR) { /* without what is no UTF-8 */
        bool clean = tr_utf8_valid(name.s, name.len);
        tr_ingest_thread(r->g, p->pid, tr__nsys_tid(global), clean ? name.s : (const char *)r->clean.data,
                         clean ? name.len : r->clean.len, TR_I64_NONE);
    }
    return TR_OK;
}

/* The name of a thread of a process that has events; "MPI Rank 3" is the rank of its process. */
static enum tr_status take_thread(struct tr__nsys *r, void *ctx)
{
    static const char mpi[] = "MPI Rank ";
    const size_t len = sizeof mpi - 1;
    int64_t tid = tr__scan_int(&r->scan, 0), id = tr__scan_int(&r->scan, 1), rank;
    struct tr__nsys_process *p = known(r, tid);
    struct tr_str name;
    (void)ctx;
    if (!p || id == TR_I64_NONE || !r->lookup.row)
        return TR_OK;
    enum tr_status st = tr__lookup(&r->lookup, id, &name, r->err);
    if (st != TR_OK)
        return st == TR_END ? TR_OK : st;
    if (p->rank == TR_I64_NONE && name.len > len && memcmp(name.s, mpi, len) == 0 &&
        tr_num_plain(name.s + len, name.len - len, &rank) && rank >= 0)
        p->rank = rank;
    return tr__nsys_name_thread(r, tid, name);
}

static enum tr_status take_process(struct tr__nsys *r, void *ctx)
{
    const struct tr__nsys_process *p = known(r, tr__scan_int(&r->scan, 0));
    struct tr_str name = tr__scan_text(&r->scan, 1);
    (void)ctx;
    if (!p || !name.len)
        return TR_OK;
    bool clean = tr_utf8_valid(name.s, name.len);
    r->clean.len = 0;
    if (!clean && !tr_utf8_add(&r->clean, name.s, name.len))
        return tr_fail_memory(r->err);
    tr_ingest_process(r->g, p->pid, clean ? name.s : (const char *)r->clean.data, clean ? name.len : r->clean.len,
                      TR_I64_NONE);
    return TR_OK;
}

TR_ORDER(by_rank, struct tr__nsys_process, TR_UP(rank), TR_UP(pid))
TR_ORDER(by_pid, struct tr__nsys_process, TR_UP(pid))

/* Processes with work on devices are ranks: by what is known of all of them, else by their pids. */
static enum tr_status give_ranks(struct tr__nsys *r)
{
    struct tr__nsys_process *v = calloc(r->n_processes + 1, sizeof *v);
    size_t n = 0;
    bool all = true;
    if (!v)
        return tr_fail_memory(r->err);
    for (size_t i = 0; i < r->n_processes; i++)
        if (r->processes[i].has_work)
            v[n++] = r->processes[i];
    for (size_t i = 0; i < n; i++)
        all &= v[i].rank != TR_I64_NONE;
    if (n)
        qsort(v, n, sizeof *v, all ? by_rank : by_pid);
    for (size_t i = 1; i < n; i++)
        all &= v[i].rank != v[i - 1].rank;
    if (!all && n)
        qsort(v, n, sizeof *v, by_pid);
    for (size_t i = 0; n > 1 && i < n; i++)
        tr_ingest_rank_of(r->g, v[i].pid, all ? v[i].rank : TR_I64_NONE);
    if (n < 2) {
        int64_t rank = n && v[0].rank != TR_I64_NONE ? v[0].rank : r->rank;
        if (rank != TR_I64_NONE)
            tr_ingest_rank(r->g, rank);
        for (size_t i = 0; i < r->n_processes && n; i++) /* so that no processes are taken for ranks */
            if (r->processes[i].has_work)
                tr_ingest_rank_of(r->g, r->processes[i].pid, TR_I64_NONE);
    }
    free(v);
    return TR_OK;
}

/* ---- what was not read ---- */

static enum tr_status take_message(struct tr__nsys *r, void *ctx)
{
    size_t *n = ctx;
    int64_t severity = tr__scan_int(&r->scan, 0);
    struct tr_str text = tr__scan_text(&r->scan, 1);
    if ((severity != 2 && severity != 3) || !text.s || *n == MAX_REPORTED)
        return TR_OK;
    ++*n;
    enum tr_status st = add_fact(r, severity == 3 ? "error" : "warning", text, TR_I64_NONE);
    if (st == TR_OK && severity == 3 && r->warn) {
        char what[240];
        size_t len = strcspn(text.s, "\n");
        snprintf(what, sizeof what, "its profiler says: %.*s", (int)(len < 200 ? len : 200), text.s);
        r->warn(r->warn_ctx, r->name, "", what);
    }
    return st;
}

/* Is it about the capture, or made by another program? */
static bool is_about(const char *table)
{
    static const char *const starts[] = { "ENUM_", "TARGET_INFO_", "META_DATA_", "EXPORT_META_DATA", "ANALYSIS_",
                                          "StringIds", "ThreadNames", "PROCESSES", "ProcessStreams", "MPI_RANKS",
                                          "NVTX_PAYLOAD_", "DIAGNOSTIC_EVENT", "sqlite_", "EXTRAP_" };
    bool found = false;
    for (size_t i = 0; !found && i < N(starts); i++)
        found = strncmp(table, starts[i], strlen(starts[i])) == 0;
    return found;
}

static enum tr_status list_left_out(struct tr__nsys *r, bool (*read)(const char *table))
{
    static const char *const names[TR__NSYS_N_FACTS] = {
        [TR__NSYS_CALL_COPIES] = "copies_of_calls_left_out", [TR__NSYS_WAIT_COPIES] = "copies_of_waits_left_out",
        [TR__NSYS_OPEN_RANGES] = "ranges_without_end",       [TR__NSYS_GRAPH_LAUNCHES] = "graph_launches_without_nodes",
        [TR__NSYS_EVENTS_OFF] = "cuda_events_without_time",  [TR__NSYS_BINARY] = "binary_payloads_not_read",
    };
    const struct tr_str none = { NULL, 0 };
    const char *table;
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < TR__NSYS_N_FACTS && st == TR_OK; i++)
        if (r->facts[i])
            st = add_fact(r, names[i], none, (int64_t)r->facts[i]);
    for (size_t i = 0; st == TR_OK && (table = tr__db_table(r->db, i)) != NULL; i++) {
        int64_t n = 0;
        if (!is_about(table) && !read(table))
            st = tr__db_about_rows(r->db, table, &n, r->err);
        if (st == TR_OK && n)
            st = add_fact(r, "rows_not_read", (struct tr_str){ table, strlen(table) }, n);
    }
    return st;
}

enum tr_status tr__nsys_about_end(struct tr__nsys *r, bool (*read)(const char *table))
{
    static const char *const ranks[] = { "globalTid", "rank" }, *const threads[] = { "globalTid", "nameId" },
                             *const processes[] = { "globalPid", "name" }, *const messages[] = { "severity", "text" };
    size_t n = 0;
    enum tr_status st = each(r, "MPI_RANKS", ranks, 2, take_rank, NULL);
    if (st == TR_OK)
        st = each(r, "ThreadNames", threads, 2, take_thread, NULL);
    if (st == TR_OK)
        st = each(r, "PROCESSES", processes, 2, take_process, NULL);
    if (st == TR_OK)
        st = give_ranks(r);
    if (st == TR_OK)
        st = each(r, "DIAGNOSTIC_EVENT", messages, 2, take_message, &n);
    if (st == TR_OK)
        st = list_left_out(r, read);
    if (st == TR_OK && r->about) {
        tr_ingest_table(r->g, r->about);
        r->about = NULL;
    }
    return st;
}
