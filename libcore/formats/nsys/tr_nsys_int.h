/* SPDX-License-Identifier: MIT */
/*
 * Reader of the SQLite databases that Nsight Systems exports: what its files share.  Internal to libcore.
 *
 *   tr_nsys.c           the format; the tables, and their order
 *   tr_nsys_ids.c       processes, threads, streams, texts; events
 *   tr_nsys_calls.c     calls of the host: CUDA, the operating system, MPI, libraries; overhead
 *   tr_nsys_work.c      kernels, copies, memsets, graphs, waits
 *   tr_nsys_nvtx.c      ranges and marks of NVTX
 *   tr_nsys_counters.c  metrics of GPUs, memory
 *   tr_nsys_about.c     the capture: versions, host, devices, ranks, names; what was not read
 *
 * Tables are read one after the other, each once, and its columns by name: tables and columns come and go with the
 * versions.  A row becomes an event; its number over all tables is the record.
 */
#ifndef TR_NSYS_INT_H
#define TR_NSYS_INT_H

#include "formats/common/tr_numbers_int.h"
#include "formats/sqlite/tr_sqlite_int.h"
#include "ingest/tr_ingest_args_int.h"

#include "base/tr_mem.h"
#include "base/tr_strtab.h"

#define TR__NSYS_ARGS   24u /* of one event */
#define TR__NSYS_TABLES 23u /* that become events, in their order */

/* Keys of args.  Those of Kineto are named as there. */
enum tr__nsys_key {
    TR__NSYS_DEVICE, TR__NSYS_CONTEXT, TR__NSYS_STREAM, TR__NSYS_CORRELATION, TR__NSYS_REGISTERS, TR__NSYS_SHARED,
    TR__NSYS_LOCAL, TR__NSYS_GRID, TR__NSYS_BLOCK, TR__NSYS_CLUSTER, TR__NSYS_SHORT_NAME, TR__NSYS_BYTES,
    TR__NSYS_VALUE, TR__NSYS_N_COPIES, TR__NSYS_FROM_DEVICE, TR__NSYS_TO_DEVICE, TR__NSYS_GRAPH_EXEC, TR__NSYS_EVENT,
    TR__NSYS_WAIT_STREAM, TR__NSYS_WAIT_RECORD, TR__NSYS_RETURNED, TR__NSYS_NESTING, TR__NSYS_MISSING, TR__NSYS_TAG,
    TR__NSYS_SEND_SIZE, TR__NSYS_RECV_SIZE, TR__NSYS_SRC, TR__NSYS_DST, TR__NSYS_ROOT, TR__NSYS_COMM, TR__NSYS_DOMAIN,
    TR__NSYS_DOMAIN_ID, TR__NSYS_CATEGORY, TR__NSYS_PAYLOAD, TR__NSYS_OP_ID, TR__NSYS_SEQ, TR__NSYS_DIMS,
    TR__NSYS_INPUT_OPS, TR__NSYS_COUNTED, TR__NSYS_MEMORY, TR__NSYS_ADDR, TR__NSYS_DEVICE_TYPE, TR__NSYS_DEVICE_ID,
    TR__NSYS_MEMORY_KIND, TR__NSYS_N_KEYS
};

/* What was left out, or is of note; see the table of facts in tr_nsys_about.c. */
enum tr__nsys_fact {
    TR__NSYS_CALL_COPIES, TR__NSYS_WAIT_COPIES, TR__NSYS_OPEN_RANGES, TR__NSYS_GRAPH_LAUNCHES, TR__NSYS_EVENTS_OFF,
    TR__NSYS_BINARY, TR__NSYS_N_FACTS
};

struct tr__nsys_process {
    uint64_t key;  /* globalPid without its lower 24 bits */
    int64_t pid;
    int64_t rank;  /* TR_I64_NONE: not known */
    bool has_work; /* on a device */
};

/* A stream of a device, as a track. */
struct tr__nsys_stream {
    uint32_t process;
    int64_t device, context, stream;
    uint32_t tid; /* number of its text, plus 1 */
};

/* The last event of a table: most have args of the same keys and types. */
struct tr__nsys_like {
    uint32_t keys[TR__NSYS_ARGS];
    uint8_t types[TR__NSYS_ARGS];
    size_t n;
    struct tr__like like;
};

/* The record of a CUDA event on a stream. */
struct tr__nsys_recorded {
    uint32_t process;
    int64_t event, correlation, stream;
};

struct tr__nsys;

/* A table that becomes events. */
struct tr__nsys_table {
    const char *name;
    const char *const *columns;
    size_t n;
    /* Take a row.  TR_OK; TR_END: it has not what an event needs; or a failure. */
    enum tr_status (*row)(struct tr__nsys *r);
    bool (*wanted)(struct tr__nsys *r); /* is it read?  NULL: yes */
};

struct tr__nsys {
    struct tr_ingest *g; /* while it is read */
    struct tr_error *err;
    const char *name;    /* of the input */
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    void *warn_ctx;
    size_t max_memory; /* for lists of rows, in bytes */
    struct tr__db *db;
    struct tr__scan scan;
    bool scanning;
    size_t table; /* that is read, or will be next */
    uint64_t record;
    uint64_t facts[TR__NSYS_N_FACTS];
    uint32_t keys[TR__NSYS_N_KEYS];

    struct tr__lookup lookup;       /* of texts; or, if that would be slow, all are in strings */
    struct tr__numbers strings;     /* id to number of text */
    struct tr__numbers api_names;   /* id to number of the name without its version */
    struct tr__numbers receives;    /* id to 1: a call of MPI that receives, or 0 */
    struct tr__nsys_process *processes;
    size_t n_processes, cap_processes;
    struct tr__numbers process_of, pids; /* key, pid to number in the list */
    struct tr_strtab *stream_keys;
    struct tr__nsys_stream *streams; /* by number of key */
    size_t cap_streams;
    uint32_t stream; /* the last one */
    struct { /* names of the last sizes of grids and blocks */
        int64_t x, y, z;
        uint32_t number;
    } dims[64];

    uint64_t *copies; /* process and correlation of calls that may be there twice; the top bit: it is there */
    size_t n_copies, cap_copies;
    struct tr__nsys_recorded *recorded;
    size_t n_recorded, cap_recorded;
    struct { /* the last wait of a thread of MPI, by a hash of the thread */
        int64_t tid, start, end, name;
    } waits[64];
    struct tr_strtab *domain_keys; /* process and domain, or category, of NVTX */
    uint32_t *domains;             /* by number of key: number of text */
    size_t cap_domains;
    struct tr__nsys_metric {
        int64_t type, id;
        uint32_t name;
    } *metrics;
    size_t n_metrics, cap_metrics, metric; /* metric: the last one */

    struct tr__arg args[TR__NSYS_ARGS]; /* of the event that is made */
    size_t n_args;
    struct tr__nsys_like likes[TR__NSYS_TABLES];
    struct tr_buf text, clean;

    int64_t rank; /* by the environment; TR_I64_NONE: unknown */
    struct tr_buf schema, product; /* versions */
    struct tr_side_table *about;   /* what is known, and was left out */
};

/* ---- tr_nsys_ids.c ---- */

/* Count a value that is not what it should be, and is left out. */
void tr__nsys_bad_value(struct tr__nsys *r);

/* The number of a text, invalid UTF-8 replaced; TR_NO_STR: it is too long (counted), or memory ran out. */
uint32_t tr__nsys_number(struct tr__nsys *r, struct tr_str text);
/* The number of the text that a column names, or a number names; TR_NO_STR: none.  TR_OK, or a failure. */
enum tr_status tr__nsys_text_of(struct tr__nsys *r, int64_t id, uint32_t *number);
enum tr_status tr__nsys_text_at(struct tr__nsys *r, size_t column, uint32_t *number);

/* The process of a globalPid or globalTid.  NULL: out of memory, or more processes than there can be. */
struct tr__nsys_process *tr__nsys_process(struct tr__nsys *r, int64_t global);
static inline uint32_t tr__nsys_process_number(const struct tr__nsys *r, const struct tr__nsys_process *p)
{
    return (uint32_t)(p - r->processes);
}
static inline int64_t tr__nsys_tid(int64_t global)
{
    return global & 0xffffff;
}

/* Set the track of the event: a thread, by a column of globalTid, or a stream of a device.  TR_OK, or a failure. */
enum tr_status tr__nsys_on_thread(struct tr__nsys *r, int64_t global);
enum tr_status tr__nsys_on_stream(struct tr__nsys *r, const struct tr__nsys_process *p, int64_t device,
                                  int64_t context, int64_t stream);
/* The device of a context, known from earlier rows; otherwise: as given. */
int64_t tr__nsys_device_of(const struct tr__nsys *r, uint32_t process, int64_t context, int64_t otherwise);

/* Link the event to others of its process with the same number. */
void tr__nsys_correlate(struct tr__nsys *r, const struct tr__nsys_process *p, int64_t correlation);

/*
 * Start an event with the times of two columns.  TR_END: it has no start.
 */
enum tr_status tr__nsys_begin(struct tr__nsys *r, enum tr_phase phase, size_t start, size_t end);
enum tr_status tr__nsys_end(struct tr__nsys *r);

/* Args of the event; absent ones are left out. */
void tr__nsys_arg_int(struct tr__nsys *r, enum tr__nsys_key key, int64_t value);
void tr__nsys_arg_column(struct tr__nsys *r, enum tr__nsys_key key, size_t column);
void tr__nsys_arg_real(struct tr__nsys *r, enum tr__nsys_key key, double value);
void tr__nsys_arg_text(struct tr__nsys *r, enum tr__nsys_key key, uint32_t number);
void tr__nsys_arg_json(struct tr__nsys *r, enum tr__nsys_key key, uint32_t number);
/* Three columns from here on, as [x,y,z]. */
void tr__nsys_arg_dims(struct tr__nsys *r, enum tr__nsys_key key, size_t column);

/* ---- the others ---- */

const char *tr__nsys_memory_kind(int64_t kind); /* CUpti_ActivityMemoryKind; NULL: unknown */

extern const struct tr__nsys_table tr__nsys_runtime, tr__nsys_runtime_again, tr__nsys_runtime_rest, tr__nsys_osrt,
    tr__nsys_overhead, tr__nsys_profiler_overhead, tr__nsys_cudnn, tr__nsys_cublas, tr__nsys_mpi_p2p,
    tr__nsys_mpi_collectives, tr__nsys_mpi_start_wait, tr__nsys_mpi_other;
extern const struct tr__nsys_table tr__nsys_kernel, tr__nsys_memcpy, tr__nsys_memset, tr__nsys_graph,
    tr__nsys_cuda_event, tr__nsys_sync;
extern const struct tr__nsys_table tr__nsys_nvtx_names, tr__nsys_nvtx;
extern const struct tr__nsys_table tr__nsys_metric_names, tr__nsys_metrics, tr__nsys_memory;

/* The name of a call without the version of the interface at its end: cudaLaunchKernel_v7000. */
struct tr_str tr__nsys_without_version(struct tr_str name);
/* A name of a thread; one without bytes is none.  TR_OK, or a failure. */
enum tr_status tr__nsys_name_thread(struct tr__nsys *r, int64_t global, struct tr_str name);

/* Facts that are known before events, and those after them.  read: is a table among those that are read? */
enum tr_status tr__nsys_about(struct tr__nsys *r);
enum tr_status tr__nsys_about_end(struct tr__nsys *r, bool (*read)(const char *table));

#endif
