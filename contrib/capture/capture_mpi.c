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

/* ---- communicators ---- */

/* What stays the same of a communicator; an attribute of it, so that it goes with it. */
struct about_comm {
    int size, n_peers;  /* ranks of this side, and of the other side, if there are two */
    size_t len;         /* of the list of ranks */
    bool cut;           /* the list is too long to be an arg */
    unsigned hash;      /* of all ranks */
    char ranks[1024];   /* of the whole job, as [0, 2]; "": all of them */
};

static struct {
    pthread_mutex_t lock;
    int key;
    bool made;
} comms = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int forget(handle comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    free(value);
    return 0;
}

/* A communicator that is made of another one has other ranks. */
static int do_not_copy(handle comm, int key, void *extra, void *value, void *to, int *flag)
{
    (void)comm, (void)key, (void)extra, (void)value, (void)to;
    return *flag = 0;
}

static handle world(void)
{
    return is_open_mpi() ? dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") : (handle)(uintptr_t)0x44000000;
}

/* The ranks of a communicator as those of the whole job.  False: that is not known. */
static bool world_ranks(handle comm, int n, int *to)
{
    handle group = NULL, all = NULL; /* a number is in the first bytes of one */
    int *from = malloc((size_t)n * sizeof *from);
    for (int i = 0; from && i < n; i++)
        from[i] = i;
    bool ok = from && CALL(Comm_group, (handle, handle *), (comm, &group)) == 0 &&
              CALL(Comm_group, (handle, handle *), (world(), &all)) == 0 &&
              CALL(Group_translate_ranks, (handle, int, const int *, handle, int *), (group, n, from, all, to)) == 0;
    if (group)
        CALL(Group_free, (handle *), (&group));
    if (all)
        CALL(Group_free, (handle *), (&all));
    free(from);
    return ok;
}

static void list_ranks(struct about_comm *a, handle comm)
{
    int n_world = 0, *ranks = a->size > 0 ? malloc((size_t)a->size * sizeof *ranks) : NULL;
    bool ok = ranks && world_ranks(comm, a->size, ranks) && CALL(Comm_size, (handle, int *), (world(), &n_world)) == 0;
    bool all = ok && a->size == n_world;
    for (int i = 0; ok && i < a->size; i++) {
        all &= ranks[i] == i;
        a->hash = (a->hash ^ (unsigned)ranks[i]) * 0x01000193u;
    }
    for (int i = 0; ok && !all && i < a->size; i++) {
        int room = (int)(sizeof a->ranks - a->len);
        int len = snprintf(a->ranks + a->len, (size_t)room, "%s%d%s", i ? ", " : "[", ranks[i],
                           i + 1 == a->size ? "]" : "");
        a->cut |= len >= room;
        if (a->cut)
            break;
        a->len += (size_t)len;
    }
    free(ranks);
}

static struct about_comm *make_about(handle comm)
{
    struct about_comm *a = calloc(1, sizeof *a);
    int two = 0;
    if (!a)
        return NULL;
    CALL(Comm_size, (handle, int *), (comm, &a->size));
    a->n_peers = a->size;
    if (CALL(Comm_test_inter, (handle, int *), (comm, &two)) == 0 && two)
        CALL(Comm_remote_size, (handle, int *), (comm, &a->n_peers));
    list_ranks(a, comm);
    return a;
}

/* NULL: nothing is known. */
static const struct about_comm *about(handle comm)
{
    struct about_comm *a = NULL;
    int flag = 0;
    pthread_mutex_lock(&comms.lock);
    if (!comms.made)
        comms.made = CALL(Comm_create_keyval,
                          (int (*)(handle, int, void *, void *, void *, int *), int (*)(handle, int, void *, void *),
                           int *, void *),
                          (do_not_copy, forget, &comms.key, NULL)) == 0;
    if (comms.made)
        CALL(Comm_get_attr, (handle, int, void *, int *), (comm, comms.key, &a, &flag));
    if (comms.made && !flag && (a = make_about(comm)) &&
        CALL(Comm_set_attr, (handle, int, void *), (comm, comms.key, a)) != 0) {
        free(a);
        a = NULL;
    }
    pthread_mutex_unlock(&comms.lock);
    return a;
}

/* How many ranks this side has, and how many the other has, or the only one. */
static int n_own(handle comm)
{
    const struct about_comm *a = about(comm);
    return a ? a->size : 0;
}

static int n_peers(handle comm)
{
    const struct about_comm *a = about(comm);
    return a ? a->n_peers : 0;
}

/* Communicators may have one name, such as those of a split; then their ranks tell them apart. */
static void add_comm(struct capture *c, handle comm)
{
    char name[512 + 16] = "";
    int len = 0;
    const struct about_comm *a = about(comm);
    if (CALL(Comm_get_name, (handle, char *, int *), (comm, name, &len)) != 0 || len < 0 || len >= 512)
        len = 0;
    if (a && a->cut)
        len += snprintf(name + len, 16, "@%08x", a->hash);
    if (len > 0)
        capture_arg_text(c, "Process Group Name", (struct capture_text){ name, (size_t)len, NULL });
    if (a && a->len && !a->cut)
        capture_arg_text(c, "Process Group Ranks", (struct capture_text){ a->ranks, a->len, NULL });
    if (a)
        capture_arg_int(c, "Group size", a->size);
}

/* ---- calls ---- */

static void add_bytes(struct capture *c, const char *key, int64_t bytes)
{
    if (bytes >= 0)
        capture_arg_int(c, key, bytes);
}

/* The start of a call.  NULL: it is not recorded, and has no args. */
static struct capture *enter_at(enum tr_rec_api api, const char *name, int64_t ts)
{
    struct capture *c = capture_in();
    if (c && !capture_begin_at(c, api, CAPTURE_NONE, capture_kept(name), ts)) {
        capture_out(c);
        return NULL;
    }
    return c;
}

static struct capture *enter(enum tr_rec_api api, const char *name)
{
    return enter_at(api, name, capture_now());
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

/* Its place in the table, which is locked.  NULL: it is not known. */
static struct request *find_request(uint64_t key)
{
    if (!key || !requests.cap)
        return NULL;
    size_t i = place(key) % requests.cap;
    while (requests.at[i].handle && requests.at[i].handle != key)
        i = (i + 1) % requests.cap;
    return requests.at[i].handle ? &requests.at[i] : NULL;
}

/* It is complete; its handle may be that of another one already. */
static void end_request(const struct request *r)
{
    pthread_mutex_lock(&requests.lock);
    struct request *at = find_request(r->handle);
    if (at && at->number == r->number) {
        size_t i = (size_t)(at - requests.at);
        at->handle = 0;
        requests.n--;
        for (size_t k = (i + 1) % requests.cap; requests.at[k].handle; k = (k + 1) % requests.cap) {
            struct request moved = requests.at[k]; /* those after it may be found at their place only */
            requests.at[k].handle = 0;
            requests.n--;
            put_request(moved.handle, moved.number);
        }
    }
    pthread_mutex_unlock(&requests.lock);
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

static void enter_send(const char *name, int n, handle type, int to, int tag, handle comm)
{
    struct capture *c = enter(TR_REC_MPI_P2P, name);
    if (c) {
        add_bytes(c, "ssize", bytes_of(n, type));
        capture_arg_int(c, "dst", to);
        capture_arg_int(c, "tag", tag);
        add_comm(c, comm);
    }
    entered(c);
}

#define SEND(name)                                                                                          \
    EXPORT int MPI_##name(const void *buf, int n, handle type, int to, int tag, handle comm);               \
    int MPI_##name(const void *buf, int n, handle type, int to, int tag, handle comm)                       \
    {                                                                                                       \
        enter_send("MPI_" #name, n, type, to, tag, comm);                                                   \
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
        enter_send("MPI_" #name, n, type, to, tag, comm);                                                    \
        int rc = CALL(name, (const void *, int, handle, int, int, handle, void *),                           \
                      (buf, n, type, to, tag, comm, request));                                               \
        struct capture *c = leave(TR_REC_MPI_P2P);                                                           \
        if (c && rc == 0)                                                                                    \
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

/* The requests of a call, as they were before it: those that it completes lose their handles. */
struct waiting {
    size_t n;
    struct request *v, few[16];
};

static void look(struct waiting *w, int n, const void *list)
{
    w->n = n > 0 && list ? (size_t)n : 0;
    w->v = w->n <= sizeof w->few / sizeof *w->few ? w->few : malloc(w->n * sizeof *w->v);
    w->n = w->v ? w->n : 0;
    pthread_mutex_lock(&requests.lock);
    for (size_t i = 0; i < w->n; i++) {
        const struct request *r = find_request(request_handle(list, i));
        w->v[i] = r ? *r : (struct request){ 0, 0 };
    }
    pthread_mutex_unlock(&requests.lock);
}

/* The known requests among those that are complete: all, or which[0 ... n-1]; moved to the front, and forgotten. */
static size_t complete(struct waiting *w, const int *which, int n)
{
    struct request *done = n > 0 ? malloc((size_t)n * sizeof *done) : NULL;
    size_t n_done = 0;
    for (int i = 0; done && i < n; i++) {
        int at = which ? which[i] : i;
        if (at < 0 || (size_t)at >= w->n || !w->v[at].number)
            continue;
        end_request(&w->v[at]);
        done[n_done++] = w->v[at];
    }
    if (n_done)
        memcpy(w->v, done, n_done * sizeof *done);
    free(done);
    return n_done;
}

/* The end of a call that completed some. */
static int waited(struct waiting *w, size_t n_done, bool one, int rc)
{
    char text[TR_REC_TEXT];
    size_t len = 0;
    struct capture *c = leave(TR_REC_MPI_WAIT);
    for (size_t i = 0; c && !one && i < n_done && len + 32 < sizeof text; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%llu", len ? ", " : "",
                                (unsigned long long)w->v[i].number);
    if (c && one && n_done)
        end_int(c, "request", (int64_t)w->v[0].number);
    if (len)
        capture_arg_string(c, TR_REC_OWN, CAPTURE_INNERMOST, capture_kept("requests"),
                           (struct capture_text){ text, len, NULL });
    left(c, TR_REC_MPI_WAIT);
    if (w->v != w->few)
        free(w->v);
    return rc;
}

/* The same for a call that only looks, and is a span if it found some. */
static int tested(const char *name, int64_t from, struct waiting *w, size_t n_done, bool one, int rc)
{
    if (n_done) {
        entered(enter_at(TR_REC_MPI_WAIT, name, from));
        return waited(w, n_done, one, rc);
    }
    if (w->v != w->few)
        free(w->v);
    return rc;
}

/* A call that waits: its parameters, what is passed on, its requests, and which of them are complete after it. */
#define WAIT(name, one, params, types, args, n_list, list, which, n_which) \
    EXPORT int MPI_##name params;                                          \
    int MPI_##name params                                                  \
    {                                                                      \
        struct waiting w;                                                  \
        look(&w, n_list, list);                                            \
        entered(enter(TR_REC_MPI_WAIT, "MPI_" #name));                     \
        int rc = CALL(name, types, args);                                  \
        return waited(&w, complete(&w, which, n_which), one, rc);          \
    }
#define TEST(name, one, params, types, args, n_list, list, which, n_which)                         \
    EXPORT int MPI_##name params;                                                                  \
    int MPI_##name params                                                                          \
    {                                                                                              \
        struct waiting w;                                                                          \
        int64_t from = capture_now();                                                              \
        look(&w, n_list, list);                                                                    \
        int rc = CALL(name, types, args);                                                          \
        return tested("MPI_" #name, from, &w, complete(&w, which, rc == 0 ? (n_which) : 0), one, rc); \
    }
WAIT(Wait, true, (void *request, void *status), (void *, void *), (request, status), 1, request, NULL, 1)
WAIT(Waitall, false, (int n, void *list, void *statuses), (int, void *, void *), (n, list, statuses), n, list, NULL, n)
WAIT(Waitany, true, (int n, void *list, int *at, void *status), (int, void *, int *, void *), (n, list, at, status), n,
     list, at, rc == 0)
WAIT(Waitsome, false, (int n, void *list, int *n_done, int *at, void *statuses), (int, void *, int *, int *, void *),
     (n, list, n_done, at, statuses), n, list, at, rc == 0 ? *n_done : 0)
TEST(Test, true, (void *request, int *flag, void *status), (void *, int *, void *), (request, flag, status), 1, request,
     NULL, *flag != 0)
TEST(Testall, false, (int n, void *list, int *flag, void *statuses), (int, void *, int *, void *),
     (n, list, flag, statuses), n, list, NULL, *flag ? n : 0)
TEST(Testany, true, (int n, void *list, int *at, int *flag, void *status), (int, void *, int *, int *, void *),
     (n, list, at, flag, status), n, list, at, *flag != 0)
TEST(Testsome, false, (int n, void *list, int *n_done, int *at, void *statuses), (int, void *, int *, int *, void *),
     (n, list, n_done, at, statuses), n, list, at, *n_done)

/* Nobody waits for it. */
EXPORT int MPI_Request_free(void *request);
int MPI_Request_free(void *request)
{
    struct waiting w;
    look(&w, 1, request);
    int rc = CALL(Request_free, (void *), (request));
    complete(&w, NULL, 1);
    return rc;
}

/* ---- collectives ---- */

/* Bytes of an array with a count for each rank. */
static int64_t bytes_of_all(const int *counts, int n, handle type)
{
    int64_t sum = 0;
    for (int i = 0; counts && i < n; i++)
        sum += counts[i];
    return counts ? bytes_of(sum, type) : -1;
}

static int64_t bytes_of_own(const int *counts, handle comm, handle type)
{
    int rank = -1;
    return counts && CALL(Comm_rank, (handle, int *), (comm, &rank)) == 0 && rank >= 0 && rank < n_own(comm)
               ? bytes_of(counts[rank], type)
               : -1;
}

/* MPI_IN_PLACE: what is given is what is got, and its sizes are those; 1 of Open MPI, -1 of MPICH. */
static bool in_place(const void *from)
{
    return (uintptr_t)from == 1 || (uintptr_t)from == UINTPTR_MAX;
}

static void add_sizes(struct capture *c, int64_t gives, int64_t gets, handle comm)
{
    add_bytes(c, "ssize", gives);
    add_bytes(c, "dsize", gets);
    add_comm(c, comm);
}

/*
 * A collective, and the one of its kind that does not block: the parameters of its function, what is passed on, and the
 * bytes that this rank gives and gets.
 */
#define THESE(...) __VA_ARGS__
#define COLLECTIVE(name, iname, params, types, args, comm, gives, gets) \
    EXPORT int MPI_##name(THESE params);                                \
    int MPI_##name(THESE params)                                        \
    {                                                                   \
        struct capture *c = enter(TR_REC_MPI_COLLECTIVE, "MPI_" #name); \
        if (c)                                                          \
            add_sizes(c, gives, gets, comm);                            \
        entered(c);                                                     \
        int rc = CALL(name, types, args);                               \
        left(leave(TR_REC_MPI_COLLECTIVE), TR_REC_MPI_COLLECTIVE);      \
        return rc;                                                      \
    }                                                                   \
    EXPORT int MPI_##iname(THESE params, void *request);                \
    int MPI_##iname(THESE params, void *request)                        \
    {                                                                   \
        struct capture *c = enter(TR_REC_MPI_COLLECTIVE, "MPI_" #iname); \
        if (c)                                                          \
            add_sizes(c, gives, gets, comm);                            \
        entered(c);                                                     \
        int rc = CALL(iname, (THESE types, void *), (THESE args, request)); \
        if ((c = leave(TR_REC_MPI_COLLECTIVE)) && rc == 0)              \
            start_request(c, request);                                  \
        left(c, TR_REC_MPI_COLLECTIVE);                                 \
        return rc;                                                      \
    }

/* Of what only the root gives or gets, the sizes are those of the other side. */
COLLECTIVE(Barrier, Ibarrier, (handle comm), (handle), (comm), comm, -1, -1)
COLLECTIVE(Bcast, Ibcast, (void *buf, int n, handle type, int root, handle comm), (void *, int, handle, int, handle),
           (buf, n, type, root, comm), comm, bytes_of(n, type), -1)
COLLECTIVE(Reduce, Ireduce, (const void *from, void *to, int n, handle type, handle op, int root, handle comm),
           (const void *, void *, int, handle, handle, int, handle), (from, to, n, type, op, root, comm), comm,
           bytes_of(n, type), -1)
COLLECTIVE(Allreduce, Iallreduce, (const void *from, void *to, int n, handle type, handle op, handle comm),
           (const void *, void *, int, handle, handle, handle), (from, to, n, type, op, comm), comm, bytes_of(n, type),
           bytes_of(n, type))
COLLECTIVE(Scan, Iscan, (const void *from, void *to, int n, handle type, handle op, handle comm),
           (const void *, void *, int, handle, handle, handle), (from, to, n, type, op, comm), comm, bytes_of(n, type),
           bytes_of(n, type))
COLLECTIVE(Exscan, Iexscan, (const void *from, void *to, int n, handle type, handle op, handle comm),
           (const void *, void *, int, handle, handle, handle), (from, to, n, type, op, comm), comm, bytes_of(n, type),
           bytes_of(n, type))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
           (const void *from, void *to, int n, handle type, handle op, handle comm),
           (const void *, void *, int, handle, handle, handle), (from, to, n, type, op, comm), comm,
           bytes_of((int64_t)n * n_own(comm), type), bytes_of(n, type))
COLLECTIVE(Reduce_scatter, Ireduce_scatter,
           (const void *from, void *to, const int *counts, handle type, handle op, handle comm),
           (const void *, void *, const int *, handle, handle, handle), (from, to, counts, type, op, comm), comm,
           bytes_of_all(counts, n_own(comm), type), bytes_of_own(counts, comm, type))
COLLECTIVE(Gather, Igather,
           (const void *from, int n, handle type, void *to, int m, handle type_to, int root, handle comm),
           (const void *, int, handle, void *, int, handle, int, handle), (from, n, type, to, m, type_to, root, comm),
           comm, in_place(from) ? bytes_of(m, type_to) : bytes_of(n, type), -1)
COLLECTIVE(Gatherv, Igatherv,
           (const void *from, int n, handle type, void *to, const int *counts, const int *at, handle type_to, int root,
            handle comm),
           (const void *, int, handle, void *, const int *, const int *, handle, int, handle),
           (from, n, type, to, counts, at, type_to, root, comm), comm,
           in_place(from) ? bytes_of_own(counts, comm, type_to) : bytes_of(n, type), -1)
COLLECTIVE(Scatter, Iscatter,
           (const void *from, int n, handle type, void *to, int m, handle type_to, int root, handle comm),
           (const void *, int, handle, void *, int, handle, int, handle), (from, n, type, to, m, type_to, root, comm),
           comm, -1, in_place(to) ? bytes_of(n, type) : bytes_of(m, type_to))
COLLECTIVE(Scatterv, Iscatterv,
           (const void *from, const int *counts, const int *at, handle type, void *to, int m, handle type_to, int root,
            handle comm),
           (const void *, const int *, const int *, handle, void *, int, handle, int, handle),
           (from, counts, at, type, to, m, type_to, root, comm), comm, -1,
           in_place(to) ? bytes_of_own(counts, comm, type) : bytes_of(m, type_to))
COLLECTIVE(Allgather, Iallgather, (const void *from, int n, handle type, void *to, int m, handle type_to, handle comm),
           (const void *, int, handle, void *, int, handle, handle), (from, n, type, to, m, type_to, comm), comm,
           in_place(from) ? bytes_of(m, type_to) : bytes_of(n, type),
           bytes_of((int64_t)m * n_peers(comm), type_to))
COLLECTIVE(Allgatherv, Iallgatherv,
           (const void *from, int n, handle type, void *to, const int *counts, const int *at, handle type_to,
            handle comm),
           (const void *, int, handle, void *, const int *, const int *, handle, handle),
           (from, n, type, to, counts, at, type_to, comm), comm,
           in_place(from) ? bytes_of_own(counts, comm, type_to) : bytes_of(n, type),
           bytes_of_all(counts, n_peers(comm), type_to))
COLLECTIVE(Alltoall, Ialltoall, (const void *from, int n, handle type, void *to, int m, handle type_to, handle comm),
           (const void *, int, handle, void *, int, handle, handle), (from, n, type, to, m, type_to, comm), comm,
           bytes_of((int64_t)m * n_peers(comm), type_to), bytes_of((int64_t)m * n_peers(comm), type_to))
COLLECTIVE(Alltoallv, Ialltoallv,
           (const void *from, const int *counts, const int *at, handle type, void *to, const int *counts_to,
            const int *at_to, handle type_to, handle comm),
           (const void *, const int *, const int *, handle, void *, const int *, const int *, handle, handle),
           (from, counts, at, type, to, counts_to, at_to, type_to, comm), comm,
           bytes_of_all(in_place(from) ? counts_to : counts, n_peers(comm), in_place(from) ? type_to : type),
           bytes_of_all(counts_to, n_peers(comm), type_to))

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
