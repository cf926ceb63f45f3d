/* SPDX-License-Identifier: MIT */
/* Reader of rocpd: the format, and the tables of one process after those of another. */
#include "formats/rocpd/tr_rocpd_int.h"

#include <stdlib.h>
#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))

/* Each process has this table. */
static const char process_table[] = "rocpd_info_process";

/* The tables of the next process: with its suffix.  TR_END: there are no more. */
static enum tr_status next_process(void *own)
{
    struct tr__rocpd *r = own;
    struct tr__tables *t = r->t;
    const size_t len = sizeof process_table - 1;
    const char *table;
    bool first = r->table == 0;
    for (; (table = tr__db_table(t->db, r->table)) != NULL; r->table++) {
        /* a view without a suffix is that of all processes */
        if (strncmp(table, process_table, len) != 0 || (!table[len] && tr__db_is_view(t->db, table)))
            continue;
        t->suffix.len = 0;
        r->table++;
        r->set++;
        tr__rocpd_forget(r);
        return tr_buf_add_str(&t->suffix, table + len) ? tr__rocpd_about(r) : tr_fail_memory(t->err);
    }
    return first ? tr__rocpd_about(r) : TR_END; /* without processes, as well as it can be */
}

static enum tr_status start(void *own)
{
    enum tr_status st = next_process(own);
    return st == TR_END ? TR_OK : st;
}

static enum tr_status end(void *own)
{
    struct tr__rocpd *r = own;
    enum tr_status st = tr__tables_ranks(r->t);
    return st == TR_OK ? tr__tables_facts_end(r->t) : st;
}

static void release(void *own)
{
    struct tr__rocpd *r = own;
    tr__rocpd_forget(r);
    tr__numbers_free(&r->threads);
    tr__numbers_free(&r->agents);
    tr__numbers_free(&r->kernels);
    tr__numbers_free(&r->counters);
    tr__numbers_free(&r->counted_on);
    tr__numbers_free(&r->categories);
    tr__numbers_free(&r->memory_of);
    free(r->list);
    free(r->values);
    free(r->memory);
    free(r);
}

static void *make(struct tr__tables *t)
{
    struct tr__rocpd *r = calloc(1, sizeof *r);
    if (r)
        r->t = t;
    return r;
}

/* Calls before work, whose sizes they give. */
static const struct tr__tables_table *const tables[] = { &tr__rocpd_region,   &tr__rocpd_sample,
                                                         &tr__rocpd_dispatch, &tr__rocpd_copy,
                                                         &tr__rocpd_allocate, &tr__rocpd_hip_event,
                                                         &tr__rocpd_operation, &tr__rocpd_counter };
static const char *const keys[TR__ROCPD_N_KEYS] = {
    [TR__ROCPD_DEVICE] = "device", [TR__ROCPD_STREAM] = "stream", [TR__ROCPD_CORRELATION] = "correlation",
    [TR__ROCPD_EXTERNAL] = "external_correlation", [TR__ROCPD_GRID] = "grid", [TR__ROCPD_BLOCK] = "block",
    [TR__ROCPD_GRID_SIZE] = "grid_size", [TR__ROCPD_DISPATCH] = "dispatch_id", [TR__ROCPD_AGENT] = "agent_id",
    [TR__ROCPD_STREAM_ID] = "stream_id", [TR__ROCPD_THREAD] = "thread_id",
    [TR__ROCPD_PRIVATE] = "private_segment_size", [TR__ROCPD_GROUP] = "group_segment_size",
    [TR__ROCPD_RENAMED] = "renamed", [TR__ROCPD_BYTES] = "bytes", [TR__ROCPD_OPERATION] = "operation",
    [TR__ROCPD_SRC] = "src_agent_id", [TR__ROCPD_DST] = "dst_agent_id", [TR__ROCPD_MEMORY] = "Bytes",
    [TR__ROCPD_ADDR] = "Addr", [TR__ROCPD_DEVICE_TYPE] = "Device Type", [TR__ROCPD_DEVICE_ID] = "Device Id",
    [TR__ROCPD_VALUE] = "value",
};
static const char *const marks[] = { "rocpd_info_process", "rocpd_info_agent", "rocpd_kernel_dispatch",
                                     "rocpd_info_kernel_symbol" };
static const char *const about[] = { "rocpd_info_", "rocpd_metadata", "rocpd_event_", "rocpd_track", NULL };

const struct tr__schema tr__schema_rocpd = {
    .name = "rocpd", .marks = marks, .n_marks = N(marks), .tables = tables, .n_tables = N(tables), .keys = keys,
    .n_keys = N(keys), .strings = "rocpd_string", .string_id = "id", .string_text = "string", .device = "GPU",
    .stream = "queue", .about = about, .make = make, .start = start, .next = next_process, .end = end,
    .free = release,
};
