/* SPDX-License-Identifier: MIT */
/* Reader of Nsight Systems' databases: calls of the host. */
#include "formats/nsys/tr_nsys_int.h"

#include "base/tr_sort.h"
#include "stream/tr_dict.h"

#include <stdlib.h>
#include <string.h>

#define N(list) (sizeof(list) / sizeof *(list))

enum { CLASS_RUNTIME = 0, CLASS_DRIVER = 1, CLASS_CALL = 27, CLASS_ONLY_START = 31, CLASS_ONLY_END = 32 };

/* ---- CUDA ---- */

enum { CALL_START, CALL_END, CALL_CLASS, CALL_TID, CALL_CORRELATION, CALL_NAME, CALL_RETURNED };
static const char *const call_columns[] = { "start", "end", "eventClass", "globalTid", "correlationId", "nameId",
                                            "returnValue" };

struct tr_str tr__nsys_without_version(struct tr_str s)
{
    size_t at = s.len;
    while (at > 0 && s.s[at - 1] >= '0' && s.s[at - 1] <= '9')
        at--;
    bool version = at < s.len && at > 2 && s.s[at - 1] == 'v' && s.s[at - 2] == '_';
    return (struct tr_str){ s.s, version ? at - 2 : s.len };
}

/* The name of a call. */
static enum tr_status call_name(struct tr__nsys *r, uint32_t *name)
{
    int64_t id = tr__scan_int(&r->t->scan, CALL_NAME);
    struct tr_str text;
    *name = TR_NO_STR;
    if (id == TR_I64_NONE)
        return TR_OK;
    *name = tr__numbers_get(&r->api_names, (uint64_t)id);
    if (*name != UINT32_MAX)
        return TR_OK;
    enum tr_status st = r->t->searched ? tr__tables_text(r->t, id, &text) : TR_END;
    if (st == TR_END)
        return tr__tables_text_of(r->t, id, name);
    if (st == TR_OK) {
        *name = tr__tables_number(r->t, tr__nsys_without_version(text));
        if (*name != TR_NO_STR && !tr__numbers_set(&r->api_names, (uint64_t)id, *name))
            st = tr_fail_memory(r->t->err);
    }
    return st;
}

static enum tr_status add_call(struct tr__nsys *r, bool driver)
{
    uint32_t name;
    int64_t tid = tr__scan_int(&r->t->scan, CALL_TID), correlation = tr__scan_int(&r->t->scan, CALL_CORRELATION),
            returned = tr__scan_int(&r->t->scan, CALL_RETURNED);
    enum tr_status st = tr__tables_begin(r->t, TR_SPAN, CALL_START, CALL_END);
    if (st == TR_OK)
        st = call_name(r, &name);
    if (st == TR_OK)
        st = tr__nsys_on_thread(r, tid);
    if (st != TR_OK)
        return st;
    tr_ingest_name_number(r->t->g, name);
    tr_ingest_category(r->t->g, driver ? "cuda_driver" : "cuda_runtime", driver ? 11 : 12);
    tr_ingest_activity(r->t->g, driver ? TR_ACT_DRIVER_API : TR_ACT_RUNTIME_API);
    if (tid != TR_I64_NONE)
        tr__tables_correlate(r->t, tr__nsys_process(r, tid), correlation);
    tr__tables_arg_int(r->t, TR__NSYS_CORRELATION, correlation);
    tr__tables_arg_int(r->t, TR__NSYS_RETURNED, returned == 0 ? TR_I64_NONE : returned);
    return tr__tables_end(r->t);
}

/* A call as a number; 0: it has none.  The top bit is free.  TR_OK, or a failure. */
static enum tr_status call_key(struct tr__nsys *r, uint64_t *key)
{
    int64_t tid = tr__scan_int(&r->t->scan, CALL_TID), correlation = tr__scan_int(&r->t->scan, CALL_CORRELATION);
    *key = 0;
    if (tid == TR_I64_NONE || correlation <= 0 || correlation > UINT32_MAX)
        return TR_OK;
    const struct tr__tables_process *p = tr__nsys_process(r, tid);
    if (p)
        *key = (uint64_t)tr__tables_process_number(r->t, p) << 32 | (uint64_t)correlation;
    return p ? TR_OK : TR_SYSTEM;
}

#define THERE (UINT64_C(1) << 63)

/* Without classes, each row is a call. */
static bool is_call(int64_t class)
{
    return class == CLASS_RUNTIME || class == CLASS_DRIVER || class == TR_I64_NONE;
}

/*
 * A row that may be the copy of a call, which a back trace adds with the number of the call.  It is an event only if
 * that call is not there.
 */
static enum tr_status keep_copy(struct tr__nsys *r)
{
    uint64_t key;
    if (call_key(r, &key) != TR_OK)
        return TR_SYSTEM;
    if (r->n_copies >= r->t->max_memory / sizeof *r->copies)
        return tr_fail(r->t->err, TR_SYSTEM, "its calls with back traces need more memory than -M allows");
    if (!tr_grow(&r->copies, &r->cap_copies, r->n_copies + 1, sizeof *r->copies))
        return tr_fail_memory(r->t->err);
    r->copies[r->n_copies++] = key;
    return TR_OK;
}

static enum tr_status take_call(void *own)
{
    struct tr__nsys *r = own;
    int64_t class = tr__scan_int(&r->t->scan, CALL_CLASS);
    return is_call(class) ? add_call(r, class == CLASS_DRIVER) : keep_copy(r);
}

const struct tr__tables_table tr__nsys_runtime = { "CUPTI_ACTIVITY_KIND_RUNTIME", call_columns, N(call_columns),
                                                  take_call, NULL };

TR_ORDER(by_key, uint64_t, TR_CMP(*a & ~THERE, *b & ~THERE))

static bool has_copies(void *own)
{
    struct tr__nsys *r = own;
    if (r->n_copies)
        qsort(r->copies, r->n_copies, sizeof *r->copies, by_key);
    return r->n_copies > 0;
}

/* The first of the copies of a call. */
static uint64_t *find_copy(struct tr__nsys *r, uint64_t key)
{
    size_t at = 0;
    TR_BOUND(at, r->n_copies, mid, (r->copies[mid] & ~THERE) < key);
    return key && at < r->n_copies && (r->copies[at] & ~THERE) == key ? &r->copies[at] : NULL;
}

static enum tr_status mark_call(void *own)
{
    struct tr__nsys *r = own;
    uint64_t key = 0, *copy;
    enum tr_status st = is_call(tr__scan_int(&r->t->scan, CALL_CLASS)) ? call_key(r, &key) : TR_OK;
    if ((copy = find_copy(r, key)) != NULL)
        *copy |= THERE;
    r->t->scan.doubt = false; /* counted before, also below */
    return st;
}

const struct tr__tables_table tr__nsys_runtime_again = { "CUPTI_ACTIVITY_KIND_RUNTIME", call_columns, N(call_columns),
                                                       mark_call, has_copies };

static bool has_rest(void *own)
{
    struct tr__nsys *r = own;
    return r->n_copies > 0;
}

static enum tr_status take_rest(void *own)
{
    struct tr__nsys *r = own;
    uint64_t key = 0;
    bool call = is_call(tr__scan_int(&r->t->scan, CALL_CLASS));
    enum tr_status st = call ? TR_OK : call_key(r, &key);
    r->t->scan.doubt = false;
    if (call || st != TR_OK)
        return st;
    const uint64_t *copy = find_copy(r, key);
    if (!copy || !(*copy & THERE))
        return add_call(r, false);
    r->facts[TR__NSYS_CALL_COPIES]++;
    return TR_OK;
}

const struct tr__tables_table tr__nsys_runtime_rest = { "CUPTI_ACTIVITY_KIND_RUNTIME", call_columns, N(call_columns),
                                                  take_rest, has_rest };

/* ---- spans with a name on a thread ---- */

enum { SPAN_START, SPAN_END, SPAN_TID, SPAN_NAME, SPAN_CLASS, SPAN_RETURNED, SPAN_NESTING };
static const char *const span_columns[] = { "start", "end", "globalTid", "nameId", "eventClass", "returnValue",
                                            "nestingLevel" };

static enum tr_status begin_span(struct tr__nsys *r, enum tr_phase phase, const char *category,
                                 enum tr_activity activity)
{
    uint32_t name;
    enum tr_status st = tr__tables_begin(r->t, phase, SPAN_START, SPAN_END);
    if (st == TR_OK)
        st = tr__tables_text_at(r->t, SPAN_NAME, &name);
    if (st == TR_OK)
        st = tr__nsys_on_thread(r, tr__scan_int(&r->t->scan, SPAN_TID));
    if (st != TR_OK)
        return st;
    tr_ingest_name_number(r->t->g, name);
    tr_ingest_category(r->t->g, category, strlen(category));
    tr_ingest_activity(r->t->g, activity);
    return TR_OK;
}

static enum tr_status take_osrt(void *own)
{
    struct tr__nsys *r = own;
    int64_t class = tr__scan_int(&r->t->scan, SPAN_CLASS), returned = tr__scan_int(&r->t->scan, SPAN_RETURNED);
    bool part = class == CLASS_ONLY_START || class == CLASS_ONLY_END;
    enum tr_status st = begin_span(r, part ? TR_INSTANT : TR_SPAN, "os_op", TR_ACT_OS_API);
    if (st != TR_OK)
        return st;
    if (part)
        tr__tables_arg_text(r->t, TR__NSYS_MISSING,
                          tr_ingest_text(r->t->g, class == CLASS_ONLY_START ? "end" : "start",
                                         class == CLASS_ONLY_START ? 3 : 5));
    tr__tables_arg_int(r->t, TR__NSYS_RETURNED, returned == 0 ? TR_I64_NONE : returned);
    tr__tables_arg_column(r->t, TR__NSYS_NESTING, SPAN_NESTING);
    return tr__tables_end(r->t);
}

static enum tr_status take_overhead(void *own)
{
    struct tr__nsys *r = own;
    enum tr_status st = begin_span(r, TR_SPAN, "overhead", TR_ACT_OVERHEAD);
    return st == TR_OK ? tr__tables_end(r->t) : st;
}

static enum tr_status take_library(void *own)
{
    struct tr__nsys *r = own;
    enum tr_status st = begin_span(r, TR_SPAN, "cpu_op", TR_ACT_CPU_OP);
    return st == TR_OK ? tr__tables_end(r->t) : st;
}

#define SPANS(name, take) { name, span_columns, N(span_columns), take, NULL }
const struct tr__tables_table tr__nsys_osrt = SPANS("OSRT_API", take_osrt);
const struct tr__tables_table tr__nsys_overhead = SPANS("CUPTI_ACTIVITY_KIND_OVERHEAD", take_overhead);
const struct tr__tables_table tr__nsys_profiler_overhead = SPANS("PROFILER_OVERHEAD", take_overhead);
const struct tr__tables_table tr__nsys_cudnn = SPANS("CUDNN_EVENTS", take_library);
const struct tr__tables_table tr__nsys_cublas = SPANS("CUBLAS_EVENTS", take_library);

/* ---- MPI ---- */

enum { MPI_START, MPI_END, MPI_TID, MPI_NAME, MPI_COMM, MPI_TAG, MPI_PEER, MPI_SIZE, MPI_RECV_SIZE, MPI_ROOT };
static const char *const mpi_columns[] = { "start", "end",        "globalTid", "textId",   "commHandle",
                                           "tag",   "remoteRank", "size",      "recvSize", "rootRank" };

/* A call that waits for several requests has a row for each of them. */
static bool is_same_wait(struct tr__nsys *r)
{
    int64_t tid = tr__scan_int(&r->t->scan, MPI_TID), start = tr__scan_int(&r->t->scan, MPI_START),
            end = tr__scan_int(&r->t->scan, MPI_END), name = tr__scan_int(&r->t->scan, MPI_NAME);
    size_t at = (size_t)((uint64_t)tid % (sizeof r->waits / sizeof *r->waits));
    bool same = r->waits[at].name != TR_I64_NONE && r->waits[at].tid == tid && r->waits[at].start == start &&
                r->waits[at].end == end && r->waits[at].name == name;
    r->waits[at].tid = tid;
    r->waits[at].start = start;
    r->waits[at].end = end;
    r->waits[at].name = name;
    return same;
}

/* Does a call of this name receive from its partner?  Each name is looked at once.  TR_OK, or a failure. */
static enum tr_status receives(struct tr__nsys *r, bool *does)
{
    static const char *const starts[] = { "MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Imrecv" };
    int64_t id = tr__scan_int(&r->t->scan, MPI_NAME);
    uint32_t known = id == TR_I64_NONE ? 0 : tr__numbers_get(&r->receives, (uint64_t)id);
    struct tr_str text;
    *does = known == 1;
    if (known != UINT32_MAX || !r->t->searched)
        return TR_OK;
    enum tr_status st = tr__tables_text(r->t, id, &text);
    for (size_t i = 0; st == TR_OK && i < N(starts); i++)
        *does |= text.len >= strlen(starts[i]) && memcmp(text.s, starts[i], strlen(starts[i])) == 0;
    if (st == TR_OK || st == TR_END)
        st = tr__numbers_set(&r->receives, (uint64_t)id, *does) ? TR_OK : tr_fail_memory(r->t->err);
    return st;
}

static enum tr_status take_mpi(struct tr__nsys *r, const char *category)
{
    uint32_t name = TR_NO_STR;
    int64_t size = tr__scan_int(&r->t->scan, MPI_SIZE), peer = tr__scan_int(&r->t->scan, MPI_PEER);
    bool from = false;
    enum tr_status st = tr__tables_begin(r->t, TR_SPAN, MPI_START, MPI_END);
    if (st == TR_OK)
        st = tr__tables_text_at(r->t, MPI_NAME, &name);
    if (st == TR_OK && peer != TR_I64_NONE)
        st = receives(r, &from);
    if (st == TR_OK)
        st = tr__nsys_on_thread(r, tr__scan_int(&r->t->scan, MPI_TID));
    if (st != TR_OK)
        return st;
    tr_ingest_name_number(r->t->g, name);
    tr_ingest_category(r->t->g, category, strlen(category));
    tr_ingest_activity(r->t->g, TR_ACT_HOST_COMM);
    tr__tables_arg_int(r->t, from ? TR__NSYS_RECV_SIZE : TR__NSYS_SEND_SIZE, size);
    if (!from)
        tr__tables_arg_column(r->t, TR__NSYS_RECV_SIZE, MPI_RECV_SIZE);
    tr__tables_arg_int(r->t, from ? TR__NSYS_SRC : TR__NSYS_DST, peer);
    tr__tables_arg_column(r->t, TR__NSYS_TAG, MPI_TAG);
    tr__tables_arg_column(r->t, TR__NSYS_ROOT, MPI_ROOT);
    tr__tables_arg_column(r->t, TR__NSYS_COMM, MPI_COMM);
    return tr__tables_end(r->t);
}

static enum tr_status take_p2p(void *own)
{
    struct tr__nsys *r = own;
    return take_mpi(r, "mpi_p2p");
}

static enum tr_status take_collective(void *own)
{
    struct tr__nsys *r = own;
    return take_mpi(r, "mpi_collective");
}

static enum tr_status take_wait(void *own)
{
    struct tr__nsys *r = own;
    if (!is_same_wait(r))
        return take_mpi(r, "mpi_start_wait");
    r->facts[TR__NSYS_WAIT_COPIES]++;
    return TR_OK;
}

static enum tr_status take_other(void *own)
{
    struct tr__nsys *r = own;
    return take_mpi(r, "mpi_other");
}

#define MPI(name, take) { name, mpi_columns, N(mpi_columns), take, NULL }
const struct tr__tables_table tr__nsys_mpi_p2p = MPI("MPI_P2P_EVENTS", take_p2p);
const struct tr__tables_table tr__nsys_mpi_collectives = MPI("MPI_COLLECTIVES_EVENTS", take_collective);
const struct tr__tables_table tr__nsys_mpi_start_wait = MPI("MPI_START_WAIT_EVENTS", take_wait);
const struct tr__tables_table tr__nsys_mpi_other = MPI("MPI_OTHER_EVENTS", take_other);
