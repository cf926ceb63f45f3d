/* SPDX-License-Identifier: MIT */
/*
 * OpenCL: work of devices.
 *
 * Queues are made so that events of their work have times.  The event of a call is kept until it is complete, which is
 * looked at in later calls, and at the exit: a few at each call for the same queue, all after a call that has waited.
 * There is no callback: it would run in a thread of the driver, perhaps while the process ends.
 *
 * A device has a clock of its own.  If the driver gives a time of it and of the host at once, that places it.  Else
 * work does: it was put into the queue after its call began, and before that returned, and had ended when its state was
 * looked at.  The earliest place within these bounds is taken, as most calls put it there at once.  Clocks drift:
 * bounds that exclude each other begin anew.
 */
#include "capture_opencl.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define MAP_START  64u
#define NAMES      256u
#define AT_A_CALL  2u                  /* events that are looked at */
#define TIMER_NS   INT64_C(100000000)  /* so long, the place of a clock counts */
#define NARROW_NS  INT64_C(20000)

/* ---- locks ---- */

/* A signal handler that interrupts a thread here may end the program: then its exit must not wait for this thread. */
static __thread unsigned inside;

static void go_in(void)
{
    inside++;
    atomic_signal_fence(memory_order_seq_cst);
}

static void go_out(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    inside--;
}

static void lock(pthread_mutex_t *m)
{
    go_in();
    pthread_mutex_lock(m);
}

static void unlock(pthread_mutex_t *m)
{
    pthread_mutex_unlock(m);
    go_out();
}

/* ---- maps from handles ---- */

struct map {
    pthread_mutex_t lock;
    struct entry {
        const void *key;
        uint64_t value;
        int64_t held; /* references of the program */
    } *v;
    size_t n, cap; /* a power of 2, and twice n or more */
};

static struct entry *place_of(struct entry *v, size_t cap, const void *key)
{
    size_t at = (size_t)((uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (cap - 1);
    while (v[at].key && v[at].key != key)
        at = (at + 1) & (cap - 1);
    return &v[at];
}

static bool grow(struct map *m)
{
    size_t cap = m->cap ? 2 * m->cap : MAP_START;
    struct entry *v = calloc(cap, sizeof *v);
    for (size_t i = 0; v && i < m->cap; i++)
        if (m->v[i].key)
            *place_of(v, cap, m->v[i].key) = m->v[i];
    if (!v)
        return false;
    struct entry *old = m->v; /* freed last: another thread may fork in between */
    m->v = v;
    atomic_signal_fence(memory_order_seq_cst);
    m->cap = cap;
    atomic_signal_fence(memory_order_seq_cst);
    free(old);
    return true;
}

/* 0: it has none. */
static uint64_t map_get(struct map *m, const void *key)
{
    lock(&m->lock);
    uint64_t value = m->cap && key ? place_of(m->v, m->cap, key)->value : 0;
    unlock(&m->lock);
    return value;
}

/* Entries are never removed: handles are addresses, which are used again. */
static void map_set(struct map *m, const void *key, uint64_t value)
{
    lock(&m->lock);
    struct entry *e = key && m->cap ? place_of(m->v, m->cap, key) : NULL;
    if (key && (!e || !e->key) && value) {
        bool room = 2 * (m->n + 1) <= m->cap || grow(m);
        e = room ? place_of(m->v, m->cap, key) : NULL;
        m->n += room;
    }
    if (e && (e->key || value))
        *e = (struct entry){ key, value, 1 };
    unlock(&m->lock);
}

/* Without a reference of the program, it has no value. */
static void map_count(struct map *m, const void *key, int by)
{
    lock(&m->lock);
    struct entry *e = key && m->cap ? place_of(m->v, m->cap, key) : NULL;
    if (e && e->value && (e->held += by) <= 0)
        e->value = 0;
    unlock(&m->lock);
}

static struct map queues = { .lock = PTHREAD_MUTEX_INITIALIZER }, kernels = { .lock = PTHREAD_MUTEX_INITIALIZER },
                  events = { .lock = PTHREAD_MUTEX_INITIALIZER }, mapped = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- names ---- */

static struct {
    pthread_mutex_t lock;
    struct name {
        struct name *next;
        char text[];
    } *v[NAMES];
} names = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The same text always at the same place, which stays; NULL: out of memory. */
static const char *keep(const char *text)
{
    size_t len = strlen(text), h = len;
    for (size_t i = 0; i < len; i++)
        h = 31 * h + (unsigned char)text[i];
    lock(&names.lock);
    struct name *n = names.v[h % NAMES];
    while (n && strcmp(n->text, text) != 0)
        n = n->next;
    if (!n && (n = malloc(sizeof *n + len + 1))) {
        memcpy(n->text, text, len + 1);
        n->next = names.v[h % NAMES];
        names.v[h % NAMES] = n;
    }
    unlock(&names.lock);
    return n ? n->text : NULL;
}

static const char *kernel_name(handle kernel)
{
    char text[TR_REC_TEXT + 1] = "";
    size_t n = 0;
    const char *name = (const char *)(uintptr_t)map_get(&kernels, kernel);
    if (name)
        return name;
    int32_t rc = REAL(int32_t, clGetKernelInfo, (handle, uint32_t, size_t, void *, size_t *),
                      (kernel, KERNEL_FUNCTION_NAME, sizeof text - 1, text, &n));
    name = keep(rc == 0 && *text ? text : "kernel");
    map_set(&kernels, kernel, (uintptr_t)name);
    return name;
}

void capture_opencl_new_kernel(handle kernel)
{
    map_set(&kernels, kernel, 0);
}

void capture_opencl_count_event(handle event, int by)
{
    map_count(&events, event, by);
}

void capture_opencl_mapped(const void *at, int64_t bytes)
{
    map_set(&mapped, at, (uint64_t)bytes + 1);
}

int64_t capture_opencl_mapped_bytes(const void *at)
{
    return (int64_t)map_get(&mapped, at) - 1;
}

/* ---- devices and their clocks ---- */

struct device {
    struct device *next;
    handle handle;
    uint32_t number;
    const char *name;
    bool has_timer, is_placed;
    int64_t low, high; /* ns to be added to its times: between these */
    int64_t add;       /* what is added */
    int64_t read;      /* when its timer was read */
};

static struct {
    pthread_mutex_t lock;
    struct device *first;
    uint32_t n;
} devices = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void device_text(handle device, uint32_t what, char *text, size_t n)
{
    *text = '\0';
    if (REAL(int32_t, clGetDeviceInfo, (handle, uint32_t, size_t, void *, size_t *),
             (device, what, n, text, NULL)) != 0)
        *text = '\0';
    text[n - 1] = '\0';
}

/* From version 2.1 on; tables of older drivers end before that function. */
static bool may_have_timer(handle device)
{
    char text[256];
    device_text(device, DEVICE_VERSION, text, sizeof text);
    const char *dot = strncmp(text, "OpenCL ", 7) == 0 ? strchr(text, '.') : NULL;
    int major = dot ? atoi(text + 7) : 0, minor = dot ? atoi(dot + 1) : 0;
    return HAS_REAL(clGetDeviceAndHostTimer) && (major > 2 || (major == 2 && minor >= 1));
}

static void at_exit(void);

static struct device *device_of(handle h)
{
    char text[256];
    device_text(h, DEVICE_NAME, text, sizeof text);
    lock(&devices.lock);
    struct device *d = devices.first;
    while (d && d->handle != h)
        d = d->next;
    bool is_new = !d && (d = calloc(1, sizeof *d));
    if (is_new) {
        d->handle = h;
        d->number = devices.n++;
        d->name = keep(*text ? text : "device");
        d->has_timer = may_have_timer(h);
        d->next = devices.first;
        devices.first = d;
    }
    unlock(&devices.lock);
    if (is_new)
        atexit(at_exit); /* its driver is loaded, so that this comes before what the driver does at the exit */
    return d;
}

/*
 * The time of the device lies between two of the host; a thread may have been stopped between these.  Where the place
 * that it had still is between them, it stays, so that times do not jump.
 */
static void read_timer(struct device *d)
{
    bool was_placed = d->is_placed;
    d->high = INT64_MAX;
    d->low = 0;
    for (int i = 0; i < 3 && d->has_timer && d->high - d->low > NARROW_NS; i++) {
        uint64_t own, host;
        int64_t from = capture_now();
        d->has_timer = REAL(int32_t, clGetDeviceAndHostTimer, (handle, uint64_t *, uint64_t *),
                            (d->handle, &own, &host)) == 0;
        int64_t to = capture_now();
        if (d->has_timer && to - from < d->high - d->low) {
            d->low = from - (int64_t)own;
            d->high = to - (int64_t)own;
        }
        d->read = to;
    }
    d->is_placed = d->has_timer;
    if (!d->is_placed)
        return;
    if (!was_placed)
        d->add = d->low + (d->high - d->low) / 2;
    d->add = d->add < d->low ? d->low : d->add > d->high ? d->high : d->add;
}

/* queued, submitted, start and end of work, as the device has them */
struct times {
    int64_t at[4];
};

static void narrow(struct device *d, const struct times *t, int64_t from, int64_t to, int64_t seen)
{
    int64_t first = t->at[0] > 0 ? t->at[0] : t->at[2];
    int64_t low = from - first, high = seen - t->at[3];
    if (t->at[0] > 0 && to - first < high)
        high = to - first;
    int64_t both_low = d->is_placed && d->low > low ? d->low : low;
    int64_t both_high = d->is_placed && d->high < high ? d->high : high;
    bool fits = both_low <= both_high;
    d->low = fits ? both_low : low;
    d->high = fits ? both_high : high;
    d->add = d->low;
    d->is_placed = true;
}

/* Work says where the clock is: its call was between two times, and it was seen to be done. */
static void place_clock(struct device *d, const struct times *t, int64_t from, int64_t to, int64_t seen)
{
    lock(&devices.lock);
    if (d->has_timer && (!d->is_placed || seen - d->read > TIMER_NS))
        read_timer(d);
    if (!d->has_timer)
        narrow(d, t, from, to, seen);
    unlock(&devices.lock);
}

/* What to add to times of the device. */
static int64_t clock_of(struct device *d)
{
    lock(&devices.lock);
    int64_t add = d->add;
    unlock(&devices.lock);
    return add;
}

/* ---- queues ---- */

struct queue {
    uint32_t number;
    struct device *device;
    bool is_timed, in_order;
    bool hides;            /* the program did not ask for times */
    _Atomic int64_t held;  /* references of the program */
    uint64_t *given;       /* its properties, up to a 0; NULL: none */
    _Atomic uint64_t last; /* the work that was given to it last */
    struct queue *next;
    struct job *jobs, **end; /* its work that is not done, in order */
};
static _Atomic uint32_t n_queues;
static struct {
    pthread_mutex_t lock;
    struct queue *first;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER }; /* and the jobs of all */

static uint64_t *copy_list(const uint64_t *list)
{
    size_t n = 1;
    while (list && list[n - 1])
        n += 2;
    uint64_t *copy = list ? malloc(n * sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, list, n * sizeof *copy);
    return copy;
}

/* The last one that was seen to have this handle, which the program may have released. */
static struct queue *last_queue(handle h)
{
    return (struct queue *)(uintptr_t)map_get(&queues, h);
}

static struct queue *held_queue(handle h)
{
    struct queue *q = last_queue(h);
    return q && atomic_load(&q->held) > 0 ? q : NULL;
}

/* The lock is held.  NULL: out of memory. */
static struct queue *new_queue(void)
{
    struct queue *q = calloc(1, sizeof *q);
    if (!q)
        return NULL;
    q->end = &q->jobs;
    q->next = all.first;
    return all.first = q;
}

/* What a queue that was released had is used again.  is_new: just made; else another thread may have found it, too. */
static struct queue *add_queue(handle h, handle device, uint64_t properties, bool hides, const uint64_t *given,
                               bool is_new)
{
    struct device *d = device_of(device);
    uint64_t *list = copy_list(given);
    lock(&all.lock);
    struct queue *q = d ? last_queue(h) : NULL;
    bool found = q && !is_new && atomic_load(&q->held) > 0;
    q = q || !d ? q : new_queue();
    if (q && !found) {
        free(q->given);
        q->given = list;
        list = NULL;
        q->number = atomic_fetch_add(&n_queues, 1) + 1;
        q->device = d;
        q->is_timed = (properties & QUEUE_PROFILING) && !(properties & QUEUE_ON_DEVICE);
        q->in_order = !(properties & QUEUE_OUT_OF_ORDER);
        q->hides = hides;
        atomic_store(&q->last, 0);
        atomic_store(&q->held, 1);
        map_set(&queues, h, (uintptr_t)q);
    }
    unlock(&all.lock);
    free(list);
    return q;
}

void capture_opencl_queue(handle queue, handle device, uint64_t properties, bool hides, const uint64_t *given)
{
    add_queue(queue, device, properties, hides, given, true);
}

void capture_opencl_count_queue(handle queue, int by)
{
    struct queue *q = held_queue(queue);
    if (q)
        atomic_fetch_add(&q->held, by);
}

static uint64_t ask_queue(handle queue, uint32_t what)
{
    uint64_t value = 0; /* or a handle */
    return REAL(int32_t, clGetCommandQueueInfo, (handle, uint32_t, size_t, void *, size_t *),
                (queue, what, sizeof value, &value, NULL)) == 0
               ? value
               : 0;
}

/* Of a queue that was made by an extension, as it is. */
static struct queue *queue_of(handle h)
{
    struct queue *q = held_queue(h);
    handle device = q || !h ? NULL : (handle)(uintptr_t)ask_queue(h, QUEUE_DEVICE);
    return device ? add_queue(h, device, ask_queue(h, QUEUE_PROPERTIES), false, NULL, false) : q;
}

bool capture_opencl_hides(handle queue, const uint64_t **given)
{
    const struct queue *q = held_queue(queue);
    *given = q ? q->given : NULL;
    return q && q->hides;
}

bool capture_opencl_hides_event(handle queue)
{
    const struct queue *q = last_queue(queue);
    return q && q->hides;
}

bool capture_opencl_is_timed(handle queue)
{
    const struct queue *q = held_queue(queue);
    return q && q->is_timed;
}

void capture_opencl_changed(handle queue, uint64_t properties, bool on)
{
    struct queue *q = held_queue(queue);
    if (q && (properties & QUEUE_OUT_OF_ORDER))
        q->in_order = !on;
    if (q && (properties & QUEUE_PROFILING)) {
        q->is_timed |= on;
        q->hides = q->is_timed && !on;
    }
}

void capture_opencl_other_event(handle queue, handle event)
{
    if (queue)
        queue_of(queue); /* if it is new, the event is not of one that had its handle */
    map_set(&events, event, 0);
}

/* ---- work that is not done ---- */

struct job {
    struct job *next;
    handle event;
    enum tr_rec_api api;
    const char *name;
    struct device *device;
    uint32_t queue;
    bool in_order;
    uint64_t correlation;
    int64_t from, to; /* of the call */
    int64_t bytes;
    uint32_t n_dims;  /* of a kernel; with local sizes: has_local */
    bool has_local;
    uint64_t global[3], local[3];
    struct times times;
    int64_t seen;     /* when it was seen to be done; 0: it has failed, or has no times */
    size_t n_after;
    uint64_t after[];
};

/* Put a chain of jobs before or behind the others of a queue. */
static void put_jobs(struct queue *q, struct job *first, struct job **end, bool before)
{
    if (!first)
        return;
    lock(&all.lock);
    if (before) {
        *end = q->jobs;
        q->end = q->jobs ? q->end : end;
        q->jobs = first;
    } else {
        *q->end = first;
        q->end = end;
    }
    unlock(&all.lock);
}

/* The first n jobs of a queue, which belong to the caller. */
static struct job *take_jobs(struct queue *q, size_t n)
{
    lock(&all.lock);
    struct job *first = q->jobs, **end = &q->jobs;
    while (n-- > 0 && *end)
        end = &(*end)->next;
    struct job *rest = *end;
    *end = NULL;
    q->jobs = rest;
    q->end = rest ? q->end : &q->jobs;
    unlock(&all.lock);
    return end == &q->jobs ? NULL : first;
}

static void add_sizes(struct capture *c, const struct job *j)
{
    uint64_t groups[3];
    bool whole = j->has_local;
    for (size_t i = 0; i < 3; i++)
        whole &= j->local[i] != 0;
    for (size_t i = 0; whole && i < 3; i++)
        groups[i] = j->global[i] / j->local[i] + (j->global[i] % j->local[i] != 0);
    if (whole) {
        capture_arg_list(c, "grid", groups, 3);
        capture_arg_list(c, "block", j->local, 3);
    }
    capture_arg_list(c, "grid_size", j->global, 3);
}

/* ---- work that is not recorded ---- */

static _Atomic uint64_t n_lost, n_said;

/* A counter of the stream says how much there is. */
static void say_lost(void)
{
    uint64_t n = atomic_load(&n_lost);
    struct capture *c = n != atomic_load(&n_said) && capture_is_recording() ? capture_in() : NULL;
    if (!c)
        return;
    atomic_store(&n_said, n);
    capture_counter(c, TR_REC_OWN, CAPTURE_NONE, capture_kept("work not recorded"), TR_REC_UINT, n, capture_now());
    capture_out(c);
}

/* ---- work that is done ---- */

static void record(const struct job *j, int64_t add)
{
    const int64_t *at = j->times.at;
    const struct capture_work w = {
        .name = capture_kept(j->name),
        .device = capture_kept(j->device->name),
        .ts = at[2] + add,
        .dur = at[3] - at[2],
        .device_number = j->device->number,
        .queue = j->queue,
        .correlation = j->correlation,
    };
    struct capture *c = capture_in();
    if (!c) {
        atomic_fetch_add(&n_lost, 1);
        return;
    }
    if (capture_work(c, j->api, &w)) {
        if (j->n_dims)
            add_sizes(c, j);
        if (j->bytes >= 0)
            capture_arg_int(c, "bytes", j->bytes);
        if (at[0] > 0 && at[1] >= at[0] && at[2] >= at[1]) {
            capture_arg_int(c, "queued_ns", at[1] - at[0]);
            capture_arg_int(c, "submitted_ns", at[2] - at[1]);
        }
        if (j->n_after)
            capture_after(c, j->after, j->n_after);
    }
    capture_out(c);
}

/* False: it is not done. */
static bool is_done(struct job *j)
{
    int32_t state = 0;
    bool ok = REAL(int32_t, clGetEventInfo, (handle, uint32_t, size_t, void *, size_t *),
                   (j->event, EVENT_STATUS, sizeof state, &state, NULL)) == 0;
    if (ok && state > STATUS_COMPLETE)
        return false;
    int64_t seen = capture_now();
    ok = ok && state == STATUS_COMPLETE;
    for (uint32_t i = 0; ok && i < 4; i++) {
        uint64_t ns = 0;
        ok = REAL(int32_t, clGetEventProfilingInfo, (handle, uint32_t, size_t, void *, size_t *),
                  (j->event, PROFILING_QUEUED + i, sizeof ns, &ns, NULL)) == 0;
        j->times.at[i] = (int64_t)ns;
    }
    j->seen = ok && j->times.at[2] > 0 && j->times.at[3] >= j->times.at[2] ? seen : 0;
    return true;
}

/* Look at the first n jobs of a queue.  In a queue in order, nothing is done before what is in front of it. */
static void collect(struct queue *q, size_t n)
{
    go_in();
    struct job *done = NULL, **done_end = &done, *left = NULL, **left_end = &left;
    for (struct job *next, *j = take_jobs(q, n); j; j = next) {
        struct job ***end = (left && j->in_order) || !is_done(j) ? &left_end : &done_end;
        next = j->next;
        j->next = NULL;
        **end = j;
        *end = &j->next;
    }
    put_jobs(q, left, left_end, q->in_order);
    for (struct job *j = done; j; j = j->next) /* all say where the clock is, before it is used */
        if (j->seen)
            place_clock(j->device, &j->times, j->from, j->to, j->seen);
    for (struct job *next, *j = done; j; j = next) {
        next = j->next;
        if (j->seen)
            record(j, clock_of(j->device));
        else
            atomic_fetch_add(&n_lost, 1);
        REAL(int32_t, clReleaseEvent, (handle), (j->event));
        free(j);
    }
    say_lost();
    go_out();
}

void capture_opencl_collect(void)
{
    lock(&all.lock);
    struct queue *q = all.first; /* the list only grows, at its front */
    unlock(&all.lock);
    for (; q; q = q->next)
        collect(q, SIZE_MAX);
}

/* Once, before any driver ends.  Work that is not done by then is left alone, as its driver may end before others. */
static void at_exit(void)
{
    static _Atomic bool was_here;
    if (inside || atomic_exchange(&was_here, true))
        return;
    capture_opencl_collect();
    for (struct queue *q = all.first; q; q = q->next)
        for (struct job *j = take_jobs(q, SIZE_MAX); j; j = j->next)
            atomic_fetch_add(&n_lost, 1);
    say_lost();
}

void capture_opencl_forget(void)
{
    static struct map *const maps[] = { &queues, &kernels, &events, &mapped };
    pthread_mutex_init(&all.lock, NULL);
    pthread_mutex_init(&devices.lock, NULL);
    pthread_mutex_init(&names.lock, NULL);
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        pthread_mutex_init(&maps[i]->lock, NULL);
    atomic_store(&n_lost, 0);
    atomic_store(&n_said, 0);
    for (struct queue *q = all.first; q; q = q->next) { /* their events are the parent's */
        q->jobs = NULL;
        q->end = &q->jobs;
    }
}

/* ---- calls that give work ---- */

/* With what the work will wait for, as far as that is recorded: the call may put its event there.  NULL: no memory. */
static struct job *new_job(uint32_t n_waits, const handle *waits)
{
    uint64_t after[TR_REC_NUMBERS];
    size_t n = 0;
    for (uint32_t i = 0; waits && i < n_waits && n < TR_REC_NUMBERS; i++)
        if ((after[n] = map_get(&events, waits[i])))
            n++;
    struct job *j = calloc(1, sizeof *j + n * sizeof *after);
    if (j && n)
        memcpy(j->after, after, n * sizeof *after);
    if (j)
        j->n_after = n;
    else
        atomic_fetch_add(&n_lost, 1);
    return j;
}

struct enqueue capture_opencl_enqueue(const char *name, handle queue, handle *event, uint32_t n_waits,
                                      const handle *waits)
{
    struct enqueue e = { .name = name, .queue = queue_of(queue), .event = event, .asked = event != NULL };
    bool follows = e.queue && e.queue->is_timed && capture_is_recording();
    struct capture *c = capture_in();
    e.job = follows && c ? new_job(n_waits, waits) : NULL;
    e.followed = e.job != NULL;
    e.from = capture_now();
    if (!c)
        return e;
    e.entered = true;
    e.recorded = capture_begin_at(c, TR_REC_OPENCL, CAPTURE_NONE, capture_kept(name), e.from);
    capture_out(c);
    return e;
}

handle *capture_opencl_event(struct enqueue *e)
{
    return e->followed && !e->asked ? &e->own : e->event;
}

static void set_sizes(struct job *j, const struct work *w)
{
    j->n_dims = w->n_dims;
    j->has_local = w->local != NULL;
    for (size_t i = 0; i < 3; i++) {
        j->global[i] = i < w->n_dims && w->global ? w->global[i] : 1;
        j->local[i] = i < w->n_dims && w->local ? w->local[i] : 1;
    }
}

/* Keep the event of the work until it is done.  0: the work is not followed. */
static uint64_t follow(const struct enqueue *e, const struct work *w, int64_t to)
{
    struct job *j = e->job;
    struct queue *q = e->queue;
    handle event = e->asked ? *e->event : e->own;
    if (e->asked && REAL(int32_t, clRetainEvent, (handle), (event)) != 0) {
        free(j);
        atomic_fetch_add(&n_lost, 1);
        return 0;
    }
    j->event = event;
    j->api = w->api;
    j->name = w->kernel ? kernel_name(w->kernel) : e->name;
    j->name = j->name ? j->name : e->name;
    j->device = q->device;
    j->queue = q->number;
    j->in_order = q->in_order;
    j->correlation = capture_number();
    j->from = e->from;
    j->to = to;
    j->bytes = w->bytes;
    set_sizes(j, w);
    uint64_t correlation = j->correlation;
    atomic_store(&q->last, correlation);
    put_jobs(q, j, &j->next, false);
    return correlation;
}

/* A queue has nothing left to do, and a call has waited for that. */
static void record_wait(struct capture *c, const struct queue *q, int64_t from, int64_t to, uint64_t correlation)
{
    const struct capture_work w = {
        .name = capture_kept("Stream Sync"),
        .device = capture_kept(q->device->name),
        .ts = from,
        .dur = to - from,
        .device_number = q->device->number,
        .queue = q->number,
        .correlation = correlation,
    };
    capture_work(c, TR_REC_SYNC, &w);
}

void capture_opencl_enqueued(struct enqueue *e, int32_t rc, const struct work *w, bool blocks)
{
    int64_t to = capture_now();
    struct queue *q = e->followed && rc == 0 ? e->queue : NULL;
    uint64_t correlation = q ? follow(e, w, to) : 0;
    if (!q)
        free(e->job);
    struct capture *c = e->entered ? capture_in() : NULL;
    if (e->asked && rc == 0)
        map_set(&events, *e->event, correlation);
    if (c) {
        if (correlation && blocks && q->in_order && atomic_load(&q->last) == correlation)
            record_wait(c, q, e->from, to, correlation);
        if (correlation && e->recorded)
            capture_launch(c, correlation);
        capture_end_at(c, TR_REC_OPENCL, CAPTURE_NONE, to);
        capture_out(c);
    }
    if (blocks)
        capture_opencl_collect();
    else if (q)
        collect(q, AT_A_CALL);
}

/* ---- calls that wait ---- */

/* all_of_it: the call waits for all work of the queue; else for the last, before which others end only in order. */
static void add_wait(struct waits *w, struct queue *q, uint64_t last, bool all_of_it)
{
    bool room = w->n < sizeof w->few / sizeof *w->few;
    for (uint32_t i = 0; room && i < w->n; i++)
        room = w->few[i].queue != q;
    if (!room || !last || !q || !q->is_timed || !(q->in_order || all_of_it) || atomic_load(&q->last) != last)
        return;
    w->few[w->n].queue = q;
    w->few[w->n++].last = last;
}

void capture_opencl_waits(struct waits *w, uint32_t n, const handle *list)
{
    w->n = 0;
    for (uint32_t i = 0; list && i < n && i < TR_REC_NUMBERS && capture_is_recording(); i++) {
        handle queue = NULL;
        uint64_t last = map_get(&events, list[i]);
        if (last && REAL(int32_t, clGetEventInfo, (handle, uint32_t, size_t, void *, size_t *),
                         (list[i], EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL)) == 0)
            add_wait(w, last_queue(queue), last, false);
    }
}

void capture_opencl_waits_all(struct waits *w, handle queue)
{
    struct queue *q = capture_is_recording() ? queue_of(queue) : NULL;
    w->n = 0;
    if (q)
        add_wait(w, q, atomic_load(&q->last), true);
}

void capture_opencl_waited(const struct waits *w, int64_t from, bool recorded)
{
    int64_t to = capture_now();
    struct capture *c = w->n ? capture_in() : NULL;
    uint64_t correlation = 0;
    if (!c)
        return;
    for (uint32_t i = 0; i < w->n; i++)
        if (atomic_load(&w->few[i].queue->last) == w->few[i].last) {
            correlation = correlation ? correlation : capture_number();
            record_wait(c, w->few[i].queue, from, to, correlation);
        }
    if (correlation && recorded)
        capture_launch(c, correlation);
    capture_out(c);
}
