/* SPDX-License-Identifier: MIT */
/*
 * MPI, by its profiling interface: the recorder is preloaded, its MPI_X is found before that of the library, and calls
 * PMPI_X.  It is compiled without the header of an implementation, so that one recorder serves all: handles are
 * pointers in some (Open MPI) and 32-bit numbers in others (MPICH), and both are passed on as they came, in a register
 * of the size of a pointer.  What differs in memory, requests and statuses, is read by what the library is.
 *
 * Recorded are calls of C; a binding of Fortran that calls PMPI_X is not seen.
 */
#include "capture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define FAILED 16 /* MPI_ERR_OTHER or near it: PMPI_X is not there */

typedef void *handle;

/* ---- the library ---- */

static bool is_open_mpi(void)
{
    static _Atomic int known; /* 0: not yet */
    int is = atomic_load_explicit(&known, memory_order_relaxed);
    if (!is) {
        is = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") ? 2 : 1;
        atomic_store_explicit(&known, is, memory_order_relaxed);
    }
    return is == 2;
}

static void *find(_Atomic(void *) *known, const char *name)
{
    void *f = atomic_load_explicit(known, memory_order_relaxed);
    if (!f) {
        f = dlsym(RTLD_DEFAULT, name);
        atomic_store_explicit(known, f, memory_order_relaxed);
    }
    return f;
}

/* Call PMPI_name, a function of these types. */
#define CALL(name, types, args)                              \
    ({                                                       \
        static _Atomic(void *) known_;                       \
        void *found_ = find(&known_, "PMPI_" #name);         \
        int(*f_) types = NULL;                               \
        memcpy(&f_, &found_, sizeof f_);                     \
        f_ ? f_ args : FAILED;                               \
    })

/* ---- what is known of a call ---- */

static int64_t bytes_of(int64_t count, handle type)
{
    int size = 0;
    return count >= 0 && CALL(Type_size, (handle, int *), (type, &size)) == 0 && size >= 0 ? count * size : -1;
}

static int size_of_comm(handle comm)
{
    int n = 0;
    return CALL(Comm_size, (handle, int *), (comm, &n)) == 0 ? n : 0;
}

static void add_comm(struct capture *c, handle comm)
{
    char name[512] = "";
    int len = 0;
    if (CALL(Comm_get_name, (handle, char *, int *), (comm, name, &len)) == 0 && len > 0)
        capture_arg_text(c, "Process Group Name", (struct capture_text){ name, (size_t)len, NULL });
    capture_arg_int(c, "Group size", size_of_comm(comm));
}

static void add_bytes(struct capture *c, const char *key, int64_t bytes)
{
    if (bytes >= 0)
        capture_arg_int(c, key, bytes);
}

/* The start of a call.  NULL: it is not recorded, and has no args. */
static struct capture *enter(enum tr_rec_api api, const char *name)
{
    struct capture *c = capture_in();
    if (c && !capture_begin(c, api, CAPTURE_NONE, capture_kept(name))) {
        capture_out(c);
        return NULL;
    }
    return c;
}

/* Its args are said; others may record during the call. */
static void entered(struct capture *c)
{
    if (c)
        capture_out(c);
}

/* The end of a call; its last args go before left.  NULL: none. */
static struct capture *leave(enum tr_rec_api api)
{
    struct capture *c = capture_in();
    if (c && !capture_ends(c, api, CAPTURE_NONE)) {
        capture_end(c, api, CAPTURE_NONE); /* of one that was not recorded */
        capture_out(c);
        return NULL;
    }
    return c;
}

static void left(struct capture *c, enum tr_rec_api api)
{
    if (!c)
        return;
    capture_end(c, api, CAPTURE_NONE);
    capture_out(c);
}

static void end_int(struct capture *c, const char *key, int64_t value)
{
    capture_arg(c, TR_REC_OWN, CAPTURE_INNERMOST, capture_kept(key), TR_REC_INT, (uint64_t)value);
}

/* ---- requests ---- */

/* Requests that are not complete, by handle; the number of each is that of its call. */
static struct {
    pthread_mutex_t lock;
    struct request {
        uint64_t handle, number;
    } *at; /* handle 0: free */
    size_t cap, n;
} requests = { .lock = PTHREAD_MUTEX_INITIALIZER };

static uint64_t request_handle(const void *request, size_t i)
{
    uint64_t wide = 0;
    uint32_t narrow;
    if (sizeof(void *) == 8 && is_open_mpi()) {
        memcpy(&wide, (const char *)request + 8 * i, 8);
        return wide;
    }
    memcpy(&narrow, (const char *)request + 4 * i, 4);
    return narrow;
}

static size_t place(uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static void put_request(uint64_t key, uint64_t number)
{
    size_t i = place(key) % requests.cap;
    while (requests.at[i].handle && requests.at[i].handle != key)
        i = (i + 1) % requests.cap;
    requests.n += requests.at[i].handle == 0;
    requests.at[i] = (struct request){ key, number };
}

static bool grow_requests(void)
{
    struct request *old = requests.at;
    size_t n = requests.cap, cap = n ? 2 * n : 256;
    struct request *at = calloc(cap, sizeof *at);
    if (!at)
        return false;
    requests.at = at;
    requests.cap = cap;
    requests.n = 0;
    for (size_t i = 0; i < n; i++)
        if (old[i].handle)
            put_request(old[i].handle, old[i].number);
    free(old);
    return true;
}

/* A call started a request; its number is an arg of both. */
static void start_request(struct capture *c, const void *request)
{
    uint64_t key = request_handle(request, 0), number = capture_number();
    pthread_mutex_lock(&requests.lock);
    if (key && (2 * (requests.n + 1) < requests.cap || grow_requests()))
        put_request(key, number);
    pthread_mutex_unlock(&requests.lock);
    end_int(c, "request", (int64_t)number);
}

/* The number of a request, and no more; 0: none. */
static uint64_t end_request(uint64_t key)
{
    uint64_t number = 0;
    pthread_mutex_lock(&requests.lock);
    size_t i = requests.cap ? place(key) % requests.cap : 0;
    while (key && requests.cap && requests.at[i].handle && requests.at[i].handle != key)
        i = (i + 1) % requests.cap;
    if (key && requests.cap && requests.at[i].handle) {
        number = requests.at[i].number;
        requests.at[i].handle = 0;
        requests.n--;
        for (size_t k = (i + 1) % requests.cap; requests.at[k].handle; k = (k + 1) % requests.cap) {
            struct request moved = requests.at[k]; /* those after it may be found at their place only */
            requests.at[k].handle = 0;
            requests.n--;
            put_request(moved.handle, moved.number);
        }
    }
    pthread_mutex_unlock(&requests.lock);
    return number;
}

/* ---- messages ---- */

/* MPI_STATUS_IGNORE is a small number, and then the recorder has a status of its own. */
struct own_status {
    int words[32];
};

static int *status_of(void *status, struct own_status *own)
{
    return (uintptr_t)status > 16 ? status : own->words;
}

/* From whom a message came, and how many bytes it has. */
static void end_receive(struct capture *c, int *status, handle type)
{
    const int *of = is_open_mpi() ? status : status + 2;
    int count = -1;
    int64_t bytes = CALL(Get_count, (void *, handle, int *), (status, type, &count)) == 0 ? bytes_of(count, type) : -1;
    end_int(c, "src", of[0]);
    end_int(c, "tag", of[1]);
    if (bytes >= 0)
        end_int(c, "dsize", bytes);
}

#define SEND(name)                                                                                          \
    EXPORT int MPI_##name(const void *buf, int n, handle type, int to, int tag, handle comm);               \
    int MPI_##name(const void *buf, int n, handle type, int to, int tag, handle comm)                       \
    {                                                                                                       \
        struct capture *c = enter(TR_REC_MPI_P2P, "MPI_" #name);                                            \
        if (c) {                                                                                            \
            add_bytes(c, "ssize", bytes_of(n, type));                                                       \
            capture_arg_int(c, "dst", to);                                                                  \
            capture_arg_int(c, "tag", tag);                                                                 \
            add_comm(c, comm);                                                                              \
        }                                                                                                   \
        entered(c);                                                                                         \
        int rc = CALL(name, (const void *, int, handle, int, int, handle), (buf, n, type, to, tag, comm));  \
        left(leave(TR_REC_MPI_P2P), TR_REC_MPI_P2P);                                                        \
        return rc;                                                                                          \
    }
SEND(Send)
SEND(Ssend)
SEND(Bsend)
SEND(Rsend)

#define ISEND(name)                                                                                          \
    EXPORT int MPI_##name(const void *buf, int n, handle type, int to, int tag, handle comm, void *request); \
    int MPI_##name(const void *buf, int n, handle type, int to, int tag, handle comm, void *request)         \
    {                                                                                                        \
        struct capture *c = enter(TR_REC_MPI_P2P, "MPI_" #name);                                             \
        if (c) {                                                                                             \
            add_bytes(c, "ssize", bytes_of(n, type));                                                        \
            capture_arg_int(c, "dst", to);                                                                   \
            capture_arg_int(c, "tag", tag);                                                                  \
            add_comm(c, comm);                                                                               \
        }                                                                                                    \
        entered(c);                                                                                          \
        int rc = CALL(name, (const void *, int, handle, int, int, handle, void *),                           \
                      (buf, n, type, to, tag, comm, request));                                               \
        if ((c = leave(TR_REC_MPI_P2P)) && rc == 0)                                                          \
            start_request(c, request);                                                                       \
        left(c, TR_REC_MPI_P2P);                                                                             \
        return rc;                                                                                           \
    }
ISEND(Isend)
ISEND(Issend)
ISEND(Ibsend)
ISEND(Irsend)

EXPORT int MPI_Recv(void *buf, int n, handle type, int from, int tag, handle comm, void *status);
int MPI_Recv(void *buf, int n, handle type, int from, int tag, handle comm, void *status)
{
    struct own_status own;
    int *to = status_of(status, &own);
    struct capture *c = enter(TR_REC_MPI_P2P, "MPI_Recv");
    if (c)
        add_comm(c, comm);
    entered(c);
    int rc = CALL(Recv, (void *, int, handle, int, int, handle, void *), (buf, n, type, from, tag, comm, to));
    if ((c = leave(TR_REC_MPI_P2P)) && rc == 0)
        end_receive(c, to, type);
    left(c, TR_REC_MPI_P2P);
    return rc;
}

EXPORT int MPI_Irecv(void *buf, int n, handle type, int from, int tag, handle comm, void *request);
int MPI_Irecv(void *buf, int n, handle type, int from, int tag, handle comm, void *request)
{
    struct capture *c = enter(TR_REC_MPI_P2P, "MPI_Irecv");
    if (c) {
        add_bytes(c, "dsize", bytes_of(n, type));
        capture_arg_int(c, "src", from);
        capture_arg_int(c, "tag", tag);
        add_comm(c, comm);
    }
    entered(c);
    int rc = CALL(Irecv, (void *, int, handle, int, int, handle, void *), (buf, n, type, from, tag, comm, request));
    if ((c = leave(TR_REC_MPI_P2P)) && rc == 0)
        start_request(c, request);
    left(c, TR_REC_MPI_P2P);
    return rc;
}

EXPORT int MPI_Sendrecv(const void *sent, int n_sent, handle type_sent, int to, int tag_sent, void *got, int n_got,
                        handle type_got, int from, int tag_got, handle comm, void *status);
int MPI_Sendrecv(const void *sent, int n_sent, handle type_sent, int to, int tag_sent, void *got, int n_got,
                 handle type_got, int from, int tag_got, handle comm, void *status)
{
    struct own_status own;
    int *at = status_of(status, &own);
    struct capture *c = enter(TR_REC_MPI_P2P, "MPI_Sendrecv");
    if (c) {
        add_bytes(c, "ssize", bytes_of(n_sent, type_sent));
        capture_arg_int(c, "dst", to);
        capture_arg_int(c, "stag", tag_sent);
        add_comm(c, comm);
    }
    entered(c);
    int rc = CALL(Sendrecv, (const void *, int, handle, int, int, void *, int, handle, int, int, handle, void *),
                  (sent, n_sent, type_sent, to, tag_sent, got, n_got, type_got, from, tag_got, comm, at));
    if ((c = leave(TR_REC_MPI_P2P)) && rc == 0)
        end_receive(c, at, type_got);
    left(c, TR_REC_MPI_P2P);
    return rc;
}

/* ---- waiting ---- */

EXPORT int MPI_Wait(void *request, void *status);
int MPI_Wait(void *request, void *status)
{
    uint64_t key = request ? request_handle(request, 0) : 0;
    struct capture *c = enter(TR_REC_MPI_WAIT, "MPI_Wait");
    entered(c);
    int rc = CALL(Wait, (void *, void *), (request, status));
    uint64_t number = end_request(key);
    if ((c = leave(TR_REC_MPI_WAIT)) && number)
        end_int(c, "request", (int64_t)number);
    left(c, TR_REC_MPI_WAIT);
    return rc;
}

EXPORT int MPI_Waitall(int n, void *list, void *statuses);
int MPI_Waitall(int n, void *list, void *statuses)
{
    size_t count = n > 0 ? (size_t)n : 0, len = 0;
    uint64_t *keys = count ? malloc(count * sizeof *keys) : NULL;
    char text[TR_REC_TEXT];
    for (size_t i = 0; keys && i < count; i++)
        keys[i] = request_handle(list, i);
    struct capture *c = enter(TR_REC_MPI_WAIT, "MPI_Waitall");
    entered(c);
    int rc = CALL(Waitall, (int, void *, void *), (n, list, statuses));
    for (size_t i = 0; keys && i < count; i++) {
        uint64_t number = end_request(keys[i]);
        if (number && len + 32 < sizeof text)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%llu", len ? ", " : "",
                                    (unsigned long long)number);
    }
    free(keys);
    if ((c = leave(TR_REC_MPI_WAIT)) && len)
        capture_arg_string(c, TR_REC_OWN, CAPTURE_INNERMOST, capture_kept("requests"),
                           (struct capture_text){ text, len, NULL });
    left(c, TR_REC_MPI_WAIT);
    return rc;
}

/* ---- collectives ---- */

/* A collective: the parameters of its function, what is passed on, and the bytes that this rank gives and gets. */
#define COLLECTIVE(name, params, types, args, comm, gives, gets) \
    EXPORT int MPI_##name params;                                \
    int MPI_##name params                                        \
    {                                                            \
        struct capture *c = enter(TR_REC_MPI_COLLECTIVE, "MPI_" #name); \
        if (c) {                                                 \
            add_bytes(c, "ssize", gives);                        \
            add_bytes(c, "dsize", gets);                         \
            add_comm(c, comm);                                   \
        }                                                        \
        entered(c);                                              \
        int rc = CALL(name, types, args);                        \
        left(leave(TR_REC_MPI_COLLECTIVE), TR_REC_MPI_COLLECTIVE); \
        return rc;                                               \
    }

/* A buffer that is MPI_IN_PLACE is one of two: what is given is what is got then; the sizes are those of the call. */
COLLECTIVE(Barrier, (handle comm), (handle), (comm), comm, -1, -1)
COLLECTIVE(Bcast, (void *buf, int n, handle type, int root, handle comm), (void *, int, handle, int, handle),
           (buf, n, type, root, comm), comm, bytes_of(n, type), -1)
COLLECTIVE(Reduce, (const void *from, void *to, int n, handle type, handle op, int root, handle comm),
           (const void *, void *, int, handle, handle, int, handle), (from, to, n, type, op, root, comm), comm,
           bytes_of(n, type), -1)
COLLECTIVE(Allreduce, (const void *from, void *to, int n, handle type, handle op, handle comm),
           (const void *, void *, int, handle, handle, handle), (from, to, n, type, op, comm), comm, bytes_of(n, type),
           bytes_of(n, type))
COLLECTIVE(Scan, (const void *from, void *to, int n, handle type, handle op, handle comm),
           (const void *, void *, int, handle, handle, handle), (from, to, n, type, op, comm), comm, bytes_of(n, type),
           bytes_of(n, type))
COLLECTIVE(Reduce_scatter_block, (const void *from, void *to, int n, handle type, handle op, handle comm),
           (const void *, void *, int, handle, handle, handle), (from, to, n, type, op, comm), comm,
           bytes_of((int64_t)n * size_of_comm(comm), type), bytes_of(n, type))
COLLECTIVE(Gather,
           (const void *from, int n, handle type, void *to, int m, handle type_to, int root, handle comm),
           (const void *, int, handle, void *, int, handle, int, handle), (from, n, type, to, m, type_to, root, comm),
           comm, bytes_of(n, type), -1)
COLLECTIVE(Scatter,
           (const void *from, int n, handle type, void *to, int m, handle type_to, int root, handle comm),
           (const void *, int, handle, void *, int, handle, int, handle), (from, n, type, to, m, type_to, root, comm),
           comm, -1, bytes_of(m, type_to))
COLLECTIVE(Allgather, (const void *from, int n, handle type, void *to, int m, handle type_to, handle comm),
           (const void *, int, handle, void *, int, handle, handle), (from, n, type, to, m, type_to, comm), comm,
           bytes_of(m, type_to), bytes_of((int64_t)m * size_of_comm(comm), type_to))
COLLECTIVE(Alltoall, (const void *from, int n, handle type, void *to, int m, handle type_to, handle comm),
           (const void *, int, handle, void *, int, handle, handle), (from, n, type, to, m, type_to, comm), comm,
           bytes_of((int64_t)m * size_of_comm(comm), type_to), bytes_of((int64_t)m * size_of_comm(comm), type_to))

/* ---- start and end ---- */

EXPORT int MPI_Init(int *argc, char ***argv);
int MPI_Init(int *argc, char ***argv)
{
    entered(enter(TR_REC_MPI_OTHER, "MPI_Init"));
    int rc = CALL(Init, (int *, char ***), (argc, argv));
    left(leave(TR_REC_MPI_OTHER), TR_REC_MPI_OTHER);
    return rc;
}

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    entered(enter(TR_REC_MPI_OTHER, "MPI_Init_thread"));
    int rc = CALL(Init_thread, (int *, char ***, int, int *), (argc, argv, required, provided));
    left(leave(TR_REC_MPI_OTHER), TR_REC_MPI_OTHER);
    return rc;
}

EXPORT int MPI_Finalize(void);
int MPI_Finalize(void)
{
    entered(enter(TR_REC_MPI_OTHER, "MPI_Finalize"));
    int rc = CALL(Finalize, (void), ());
    left(leave(TR_REC_MPI_OTHER), TR_REC_MPI_OTHER);
    return rc;
}
