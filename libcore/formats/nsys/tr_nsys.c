/* SPDX-License-Identifier: MIT */
/* Reader of the SQLite databases that Nsight Systems exports: the format, and the order of its tables. */
#include "formats/nsys/tr_nsys_int.h"

#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_not_read_int.h"
#include "stream/tr_dict.h"

#include <stdlib.h>
#include <string.h>

#define N(list)      (sizeof(list) / sizeof *(list))
#define ROWS         4096u               /* that are read at a time */
#define MIN_MEMORY   ((size_t)16 << 20)  /* of lists of rows, whatever the limit */
#define MAX_NAMES    65536u              /* bytes of names of tables that are looked at */
#define POSSIBLE     30                  /* a database whose tables are not in its first bytes */

/* Calls before work, whose process they give where it has none; the names of NVTX before its ranges. */
static const struct tr__nsys_table *const tables[TR__NSYS_TABLES] = {
    &tr__nsys_runtime, &tr__nsys_runtime_again, &tr__nsys_runtime_rest, &tr__nsys_kernel, &tr__nsys_memcpy,
    &tr__nsys_memset, &tr__nsys_graph, &tr__nsys_cuda_event, &tr__nsys_sync, &tr__nsys_overhead,
    &tr__nsys_profiler_overhead, &tr__nsys_nvtx_names, &tr__nsys_nvtx, &tr__nsys_osrt, &tr__nsys_cudnn,
    &tr__nsys_cublas, &tr__nsys_mpi_p2p, &tr__nsys_mpi_collectives, &tr__nsys_mpi_start_wait, &tr__nsys_mpi_other,
    &tr__nsys_metric_names, &tr__nsys_metrics, &tr__nsys_memory,
};

static bool is_read(const char *table)
{
    bool found = false;
    for (size_t i = 0; !found && i < N(tables); i++)
        found = strncmp(table, tables[i]->name, strlen(tables[i]->name)) == 0;
    return found;
}

/* ---- opening ---- */

static bool make_keys(struct tr__nsys *r)
{
    static const char *const names[TR__NSYS_N_KEYS] = {
        [TR__NSYS_DEVICE] = "device", [TR__NSYS_CONTEXT] = "context", [TR__NSYS_STREAM] = "stream",
        [TR__NSYS_CORRELATION] = "correlation", [TR__NSYS_REGISTERS] = "registers per thread",
        [TR__NSYS_SHARED] = "shared memory", [TR__NSYS_LOCAL] = "local memory per thread", [TR__NSYS_GRID] = "grid",
        [TR__NSYS_BLOCK] = "block", [TR__NSYS_CLUSTER] = "cluster", [TR__NSYS_SHORT_NAME] = "short_name",
        [TR__NSYS_BYTES] = "bytes", [TR__NSYS_VALUE] = "value", [TR__NSYS_N_COPIES] = "copies",
        [TR__NSYS_FROM_DEVICE] = "fromDevice", [TR__NSYS_TO_DEVICE] = "toDevice",
        [TR__NSYS_GRAPH_EXEC] = "graph_exec_id", [TR__NSYS_EVENT] = "event id",
        [TR__NSYS_WAIT_STREAM] = "wait_on_stream",
        [TR__NSYS_WAIT_RECORD] = "wait_on_cuda_event_record_corr_id", [TR__NSYS_RETURNED] = "returned",
        [TR__NSYS_NESTING] = "nesting", [TR__NSYS_MISSING] = "missing", [TR__NSYS_TAG] = "tag",
        [TR__NSYS_SEND_SIZE] = "ssize", [TR__NSYS_RECV_SIZE] = "dsize", [TR__NSYS_SRC] = "src",
        [TR__NSYS_DST] = "dst", [TR__NSYS_ROOT] = "root", [TR__NSYS_COMM] = "comm", [TR__NSYS_DOMAIN] = "domain",
        [TR__NSYS_DOMAIN_ID] = "domain_id", [TR__NSYS_CATEGORY] = "category", [TR__NSYS_PAYLOAD] = "payload",
        [TR__NSYS_OP_ID] = "op_id", [TR__NSYS_SEQ] = "Sequence number", [TR__NSYS_DIMS] = "Input Dims",
        [TR__NSYS_INPUT_OPS] = "input_op_ids", [TR__NSYS_COUNTED] = "value", [TR__NSYS_MEMORY] = "Bytes",
        [TR__NSYS_ADDR] = "Addr", [TR__NSYS_DEVICE_TYPE] = "Device Type", [TR__NSYS_DEVICE_ID] = "Device Id",
        [TR__NSYS_MEMORY_KIND] = "Memory Kind",
    };
    bool ok = true;
    for (size_t i = 0; i < TR__NSYS_N_KEYS; i++)
        ok = (r->keys[i] = tr_ingest_text(r->g, names[i], strlen(names[i]))) != TR_NO_STR && ok;
    return ok;
}

/* Is it a database of Nsight Systems?  If not, the failure says what it is. */
static enum tr_status check_tables(struct tr__nsys *r)
{
    struct tr_buf names = { 0 };
    const char *table;
    bool ok = true, own = tr__db_find(r->db, "META_DATA_EXPORT") != NULL;
    if (tr__db_find(r->db, "StringIds"))
        return TR_OK;
    for (size_t i = 0; ok && names.len < MAX_NAMES && (table = tr__db_table(r->db, i)) != NULL; i++) {
        ok = (!i || tr_buf_add_str(&names, ", ")) && tr_buf_add_str(&names, table);
        own |= is_read(table);
    }
    ok = ok && tr_buf_add(&names, "", 1);
    const char *what = ok ? tr__not_read_database(names.data, names.len) : NULL;
    enum tr_status st = !ok    ? tr_fail_memory(r->err)
                        : what ? tr_fail(r->err, TR_DAMAGED, "%s", what)
                        : own  ? TR_OK
                               : tr_fail(r->err, TR_DAMAGED,
                                         "an SQLite database that no known profiler has written (its tables: %.200s)",
                                         names.len > 1 ? (const char *)names.data : "none");
    tr_buf_free(&names);
    return st;
}

/* Texts of a table without an index are all read at once. */
static enum tr_status read_strings(struct tr__nsys *r)
{
    static const char *const columns[] = { "id", "value" };
    enum tr_status st = tr__scan_start(&r->scan, r->db, "StringIds", columns, N(columns), r->err);
    while (st == TR_OK && (st = tr__scan_next(&r->scan, r->err)) == TR_OK) {
        int64_t id = tr__scan_int(&r->scan, 0);
        struct tr_str text = tr__scan_text(&r->scan, 1);
        bool whole = id != TR_I64_NONE && text.s;
        uint32_t number = whole ? tr__nsys_number(r, text) : TR_NO_STR,
                 api = whole ? tr__nsys_number(r, tr__nsys_without_version(text)) : TR_NO_STR;
        if (number != TR_NO_STR && (!tr__numbers_set(&r->strings, (uint64_t)id, number) ||
                                    !tr__numbers_set(&r->api_names, (uint64_t)id, api)))
            st = tr_fail_memory(r->err);
    }
    tr__scan_end(&r->scan);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status start(struct tr__nsys *r)
{
    enum tr_status st = tr__db_open(&r->db, r->g, "an SQLite database", r->err);
    if (st == TR_OK)
        st = check_tables(r);
    if (st == TR_OK && !make_keys(r))
        st = tr_fail_memory(r->err);
    if (st == TR_OK)
        st = tr__lookup_start(&r->lookup, r->db, "StringIds", "id", "value", r->err);
    if (st == TR_END)
        st = read_strings(r);
    return st == TR_OK ? tr__nsys_about(r) : st;
}

/* ---- rows ---- */

/* The next table that is there and is wanted.  TR_END: there is none. */
static enum tr_status next_table(struct tr__nsys *r)
{
    enum tr_status st = TR_END;
    tr__scan_end(&r->scan);
    r->scanning = false;
    for (; r->table < N(tables) && st == TR_END; r->table++) {
        const struct tr__nsys_table *t = tables[r->table];
        if (!t->wanted || t->wanted(r))
            st = tr__scan_start(&r->scan, r->db, t->name, t->columns, t->n, r->err);
        if (st == TR_OK)
            break;
    }
    r->scanning = st == TR_OK;
    return st;
}

static enum tr_status read_row(struct tr__nsys *r)
{
    enum tr_status st = tr__scan_next(&r->scan, r->err);
    if (st == TR_END) {
        r->table++;
        return next_table(r);
    }
    if (st == TR_OK)
        st = tables[r->table]->row(r);
    if (st == TR_END) { /* an event that was begun is replaced by the next one */
        static const struct tr_ingest_cause cause = { "bad_row", "row without what an event needs, lost", true };
        tr_ingest_damaged_by(r->g, &cause, TR_NO_OFFSET);
        st = TR_OK;
    }
    if (r->scan.doubt)
        tr__nsys_bad_value(r);
    r->scan.doubt = false;
    r->record++;
    return st;
}

static enum tr_status read_rows(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct tr__nsys *r = ctx;
    enum tr_status st = TR_OK;
    r->g = g;
    r->err = err;
    if (!r->db) {
        st = start(r);
        if (st == TR_OK)
            st = next_table(r);
    }
    for (unsigned i = 0; i < ROWS && st == TR_OK; i++)
        st = read_row(r);
    if (st != TR_END)
        return st;
    st = tr__nsys_about_end(r, is_read);
    return st == TR_OK ? TR_END : st;
}

static void release(void *ctx)
{
    struct tr__nsys *r = ctx;
    tr__scan_end(&r->scan);
    tr__lookup_end(&r->lookup);
    tr__db_close(r->db);
    tr__numbers_free(&r->strings);
    tr__numbers_free(&r->api_names);
    tr__numbers_free(&r->receives);
    tr__numbers_free(&r->process_of);
    tr__numbers_free(&r->pids);
    tr_strtab_free(r->stream_keys);
    tr_strtab_free(r->domain_keys);
    tr_side_table_free(r->about);
    tr_buf_free(&r->text);
    tr_buf_free(&r->clean);
    free(r->processes);
    free(r->streams);
    free(r->copies);
    free(r->recorded);
    free(r->domains);
    free(r->metrics);
    free(r);
}

static enum tr_status open_nsys(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                                const struct tr_open_opts *opts, struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "nsys", read_rows, release };
    struct tr__nsys *r = calloc(1, sizeof *r);
    if (r) {
        r->max_memory = opts->max_memory_bytes / 4 > MIN_MEMORY ? opts->max_memory_bytes / 4 : MIN_MEMORY;
        r->warn = opts->warn;
        r->warn_ctx = opts->warn_ctx;
        r->name = bytes->name;
        r->stream_keys = tr_strtab_new();
        r->domain_keys = tr_strtab_new();
        for (size_t i = 0; i < N(r->dims); i++)
            r->dims[i].number = TR_NO_STR;
        for (size_t i = 0; i < N(r->likes); i++)
            r->likes[i].like.shape = UINT32_MAX;
        for (size_t i = 0; i < N(r->waits); i++)
            r->waits[i].name = TR_I64_NONE;
    }
    if (!r || !r->stream_keys || !r->domain_keys) {
        if (r)
            release(r);
        if (bytes->close)
            bytes->close(bytes->ctx);
        return tr_fail_memory(err);
    }
    return tr_ingest_open(out, &reader, r, bytes, opts, err);
}

/* The list of tables may be anywhere, so each database that is not surely of another sort is one. */
static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    static const char *const names[] = { "CUPTI_ACTIVITY_KIND_", "TARGET_INFO_SYSTEM_ENV", "META_DATA_EXPORT",
                                         "EXPORT_META_DATA", "NVTX_EVENTS", "ANALYSIS_DETAILS", "OSRT_API",
                                         "ENUM_NSYS_EVENT_TYPE" };
    (void)f;
    if (!tr__db_starts(p, n) || tr__db_is_own(p, n))
        return 0;
    if (tr__db_start_has(p, n, names, N(names)))
        return 95;
    return tr__not_read_database(p, n) ? 0 : POSSIBLE; /* too little for a file of a folder */
}

const struct tr_format tr_format_nsys = {
    .name = "nsys",
    .brief = "SQLite databases exported by Nsight Systems (*.sqlite)",
    .probe = probe,
    .needs_seek = true,
    .at_any_place = true,
    .open = open_nsys,
};
