/* SPDX-License-Identifier: MIT */
/* The recorder: processes, threads and blocks. */
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "formats/recording/tr_recording_control.h"

#define MAX_DEPTH  256u /* open spans of a thread */
#define KNOWN      256u /* names that a thread knows to be in its block */
#define MAX_TEXT   TR_REC_TEXT
#define ROOM       (2 * (size_t)(MAX_TEXT + 32) + 64) /* for a record with two texts of any length */
#define RECORDS    (TR_REC_BYTES - TR_REC_HEAD)

/* A name that is in the block. */
struct known {
    const void *key;
    uint32_t block, at, len; /* at: of its text in the block */
    uint16_t number;
    bool chosen; /* by include and exclude */
};

/* A span that is open, recorded or not. */
struct open_span {
    const void *domain;
    uint8_t api;
    bool recorded;
};

struct capture {
    unsigned char *block; /* shared with a file */
    uint32_t used;        /* bytes of its records, as its head says */
    uint32_t number, n_names, n_lost, slot;
    int32_t tid;
    uint64_t thread;
    _Atomic bool busy; /* for signals that interrupt the thread */
    unsigned depth, too_deep;
    struct open_span open[MAX_DEPTH];
    struct known known[KNOWN];
};

/* At file scope: the interfaces that are called have no argument for it. */
static struct {
    char folder[PATH_MAX - 80];
    char host[256];
    int64_t zero, ring; /* of the clock, ns since 1970; ns that are kept, 0: all */
    _Atomic bool is_on;
    char *patterns;     /* include and exclude: a sign and a pattern each, with a zero byte; then an empty one */
    bool includes;      /* some of them include */
    bool is_single;     /* children are not recorded */
    const struct tr_rec_control *control;
    pthread_key_t ends;
    pthread_mutex_t lock; /* of what follows */
    int64_t start;        /* of this process; 0: it has written nothing */
    uint32_t part;        /* number of the file that is appended to */
    int64_t part_start;
    unsigned char **slots;
    uint32_t n_slots, *free_slots, n_free;
} process = { .lock = PTHREAD_MUTEX_INITIALIZER };
static const struct tr_rec_control no_control;
static _Atomic uint32_t seen_turn;
static _Atomic bool is_paused;
static _Atomic uint64_t last_number, last_thread;
static __thread struct capture *self;

/* ---- bytes ---- */

static void put(unsigned char *p, uint64_t v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (unsigned char)(v >> 8 * i);
}

static inline void put_word(unsigned char *p, uint64_t v)
{
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(p, &v, sizeof v);
#else
    put(p, v, sizeof v);
#endif
}

int64_t capture_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

uint64_t capture_number(void)
{
    return atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1;
}

static void make_head(unsigned char *p, int32_t tid, uint64_t thread, uint32_t number)
{
    memset(p, 0, TR_REC_HEAD);
    put(p + TR_REC_AT_SIZE, TR_REC_BYTES, 4);
    put(p + TR_REC_AT_NUMBER, number, 4);
    put(p + TR_REC_AT_PID, (uint64_t)getpid(), 4);
    put(p + TR_REC_AT_TID, (uint64_t)tid, 4);
    put(p + TR_REC_AT_START, (uint64_t)process.start, 8);
    put(p + TR_REC_AT_ZERO, (uint64_t)process.zero, 8);
    put(p + TR_REC_AT_THREAD, thread, 8);
    memcpy(p + TR_REC_AT_MAGIC, TR_REC_MAGIC, 8);
}

/* The number of used bytes is set after the bytes, so that what another process finds is whole. */
static void set_used(struct capture *c, uint32_t used)
{
    c->used = used;
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    atomic_store_explicit((_Atomic uint32_t *)(void *)(c->block + TR_REC_AT_USED), used, memory_order_release);
#else
    atomic_thread_fence(memory_order_release);
    put(c->block + TR_REC_AT_USED, used, 4);
#endif
}

/* ---- files ---- */

static void file_name(char *to, size_t n, const char *end)
{
    snprintf(to, n, "%s/%ld.%lld%s", process.folder, (long)getpid(), (long long)process.start, end);
}

static void part_name(char *to, size_t n, uint32_t part)
{
    char end[32];
    snprintf(end, sizeof end, ".%08u.trr", (unsigned)part);
    file_name(to, n, end);
}

/* A block: its head, and what follows. */
static bool write_block(int fd, const unsigned char *head, const unsigned char *records, size_t n)
{
    struct iovec parts[] = { { (void *)(uintptr_t)head, TR_REC_HEAD }, { (void *)(uintptr_t)records, n } };
    for (size_t at = 0; at < 2;) {
        ssize_t w = writev(fd, parts + at, 2 - (int)at);
        if (w < 0 && errno == EINTR)
            continue;
        if (w <= 0)
            return false;
        for (; at < 2 && (size_t)w >= parts[at].iov_len; at++)
            w -= (ssize_t)parts[at].iov_len;
        if (at < 2) {
            parts[at].iov_base = (unsigned char *)parts[at].iov_base + w;
            parts[at].iov_len -= (size_t)w;
        }
    }
    return true;
}

static size_t put_text_record(unsigned char *p, enum tr_rec_type type, const char *text)
{
    size_t len = strlen(text), words = 2 + (len + 7) / 8;
    memset(p, 0, 8 * words);
    p[0] = (unsigned char)type;
    put(p + 2, words, 2);
    put(p + 8, len, 8);
    memcpy(p + 16, text, len);
    return 8 * words;
}

/* The rank that a launcher of jobs gives.  False: none does. */
static bool launcher_rank(uint64_t *rank)
{
    static const char *const names[] = { "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "RANK" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *v = getenv(names[i]);
        char *end;
        if (!v || *v < '0' || *v > '9')
            continue;
        *rank = strtoull(v, &end, 10);
        if (!*end && *rank <= INT32_MAX)
            return true;
    }
    return false;
}

/* The name of the program, as the system has it. */
static void program_name(char *to, size_t n)
{
    int fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? read(fd, to, n - 1) : 0;
    if (fd >= 0)
        close(fd);
    to[got > 0 ? got : 0] = '\0';
    to[strcspn(to, "\n")] = '\0';
}

/* The first block of a file: what the process is. */
static bool write_about(int fd)
{
    unsigned char p[TR_REC_HEAD + 1024];
    char name[64];
    uint64_t rank;
    size_t n = TR_REC_HEAD;
    program_name(name, sizeof name);
    make_head(p, 0, 0, 0);
    n += put_text_record(p + n, TR_REC_HOST, process.host);
    n += put_text_record(p + n, TR_REC_PROCESS, name);
    if (launcher_rank(&rank)) {
        memset(p + n, 0, 16);
        p[n] = TR_REC_RANK;
        put(p + n + 2, 2, 2);
        put(p + n + 8, rank, 8);
        n += 16;
    }
    put(p + TR_REC_AT_SIZE, n, 4);
    put(p + TR_REC_AT_USED, n - TR_REC_HEAD, 4);
    return write_block(fd, p, p + TR_REC_HEAD, n - TR_REC_HEAD);
}

/* The file to append to; with a ring, a new one when the last began too long ago, and the one before that goes. */
static int open_part(void)
{
    char path[PATH_MAX];
    int64_t now = capture_now();
    if (process.ring && now - process.part_start > process.ring) {
        if (process.part > 1) {
            part_name(path, sizeof path, process.part - 1);
            unlink(path);
        }
        process.part++;
        process.part_start = now;
    }
    part_name(path, sizeof path, process.part);
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd >= 0 && !write_about(fd)) {
        close(fd);
        unlink(path);
        return -1;
    }
    return fd;
}

/* Append the block of a thread to the file, and start it anew. */
static void flush(struct capture *c)
{
    int saved = errno;
    unsigned char head[TR_REC_HEAD];
    memcpy(head, c->block, TR_REC_HEAD);
    put(head + TR_REC_AT_SIZE, TR_REC_HEAD + c->used, 4);
    pthread_mutex_lock(&process.lock);
    int fd = open_part();
    bool ok = fd >= 0 && write_block(fd, head, c->block + TR_REC_HEAD, c->used);
    if (fd >= 0)
        close(fd);
    pthread_mutex_unlock(&process.lock);
    c->n_lost += !ok;
    set_used(c, 0); /* killed from here on: the reader knows the number */
    c->n_names = 0;
    c->number += ok;
    put(c->block + TR_REC_AT_LOST, c->n_lost, 4);
    put(c->block + TR_REC_AT_NUMBER, c->number, 4);
    memset(c->known, 0, sizeof c->known);
    errno = saved;
}

/* ---- threads ---- */

/* A block of memory that is shared with the file of the process; the lock is held. */
static unsigned char *map_slot(uint32_t slot)
{
    char path[PATH_MAX];
    off_t at = (off_t)slot * (off_t)TR_REC_BYTES;
    unsigned char **slots = realloc(process.slots, (slot + (size_t)1) * sizeof *slots);
    uint32_t *free_slots = realloc(process.free_slots, (slot + (size_t)1) * sizeof *free_slots);
    process.slots = slots ? slots : process.slots;
    process.free_slots = free_slots ? free_slots : process.free_slots;
    if (!slots || !free_slots)
        return NULL;
    file_name(path, sizeof path, ".live");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0)
        return NULL;
    /* room on the disk, as a page that cannot be written would end the program */
    void *p = posix_fallocate(fd, at, TR_REC_BYTES) == 0
                  ? mmap(NULL, TR_REC_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, at)
                  : MAP_FAILED;
    close(fd);
    return p == MAP_FAILED ? NULL : p;
}

static bool take_slot(struct capture *c)
{
    if (process.n_free) {
        c->slot = process.free_slots[--process.n_free];
    } else {
        unsigned char *p = map_slot(process.n_slots);
        if (!p)
            return false;
        c->slot = process.n_slots;
        process.slots[process.n_slots++] = p;
    }
    c->block = process.slots[c->slot];
    return true;
}

/* The file that is appended to says what the process is, so it is there before any event is. */
static bool start_process(void)
{
    if (process.start)
        return true;
    process.start = process.part_start = capture_now();
    process.part = 1;
    int fd = open_part();
    if (fd < 0) {
        process.start = 0;
        return false;
    }
    close(fd);
    return true;
}

static struct capture *new_thread(void)
{
    int saved = errno;
    struct capture *c = process.is_on ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return NULL;
#ifdef SYS_gettid
    c->tid = (int32_t)syscall(SYS_gettid);
#else
    c->tid = (int32_t)getpid();
#endif
    pthread_mutex_lock(&process.lock);
    bool ok = start_process() && take_slot(c);
    if (!ok)
        process.is_on = false; /* the disk is full, or the folder is gone */
    pthread_mutex_unlock(&process.lock);
    if (!ok) {
        free(c);
        errno = saved;
        return NULL;
    }
    c->thread = atomic_fetch_add(&last_thread, 1) + 1;
    c->number = 1;
    make_head(c->block, c->tid, c->thread, 1);
    pthread_setspecific(process.ends, c);
    errno = saved;
    return self = c;
}

/* A thread ends: its block goes to the file, and is free for another one. */
static void end_thread(void *arg)
{
    struct capture *c = arg;
    atomic_store_explicit(&c->busy, true, memory_order_relaxed);
    if (c->used || c->n_lost)
        flush(c);
    pthread_mutex_lock(&process.lock);
    memset(c->block, 0, TR_REC_HEAD);
    process.free_slots[process.n_free++] = c->slot;
    pthread_mutex_unlock(&process.lock);
    self = NULL; /* destructors that run later may record: then it begins anew */
    free(c);
}

struct capture *capture_in(void)
{
    struct capture *c = self;
    if (!c && !(c = new_thread()))
        return NULL;
    if (atomic_load_explicit(&c->busy, memory_order_relaxed))
        return NULL;
    atomic_store_explicit(&c->busy, true, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    return c;
}

void capture_out(struct capture *c)
{
    atomic_signal_fence(memory_order_seq_cst);
    atomic_store_explicit(&c->busy, false, memory_order_relaxed);
}

/* ---- processes ---- */

/* A signal handler forks, while the thread is in here and may hold the lock. */
static bool is_inside(void)
{
    return self && atomic_load_explicit(&self->busy, memory_order_relaxed);
}

static void before_fork(void)
{
    if (!is_inside())
        pthread_mutex_lock(&process.lock);
}

static void after_fork(void)
{
    if (!is_inside())
        pthread_mutex_unlock(&process.lock);
}

/* The child writes files of its own; what its parent has not written is not the child's. */
static void in_child(void)
{
    if (is_inside()) {
        process.is_on = false; /* what is half done stays so */
        self = NULL;
        return;
    }
    if (process.is_single)
        process.is_on = false;
    for (uint32_t i = 0; i < process.n_slots; i++)
        munmap(process.slots[i], TR_REC_BYTES);
    process.n_slots = process.n_free = 0;
    process.start = 0;
    if (self) {
        pthread_setspecific(process.ends, NULL);
        free(self);
    }
    self = NULL;
    pthread_mutex_unlock(&process.lock);
}

/* TR_RECORD_CLOCK is HOST:NS: the time 0 of the clock as tr-record found it, for all processes of its machine. */
static void find_zero(void)
{
    struct timespec now;
    const char *clock = getenv("TR_RECORD_CLOCK"), *colon = clock ? strrchr(clock, ':') : NULL;
    if (gethostname(process.host, sizeof process.host - 1) != 0)
        process.host[0] = '\0';
    if (colon && strlen(process.host) == (size_t)(colon - clock) &&
        memcmp(clock, process.host, (size_t)(colon - clock)) == 0) {
        process.zero = strtoll(colon + 1, NULL, 10);
        return;
    }
    clock_gettime(CLOCK_REALTIME, &now);
    process.zero = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - capture_now();
}

/* TR_RECORD_NAMES: lines of a sign, + or -, and a pattern. */
static void read_patterns(void)
{
    const char *names = getenv("TR_RECORD_NAMES");
    size_t n = names ? strlen(names) : 0;
    if (!n || !(process.patterns = calloc(1, n + 2)))
        return;
    memcpy(process.patterns, names, n);
    for (char *p = process.patterns; *p; p += strlen(p) + 1) {
        process.includes |= *p == '+';
        p[strcspn(p, "\n")] = '\0';
    }
}

static void map_control(void)
{
    char path[PATH_MAX];
    process.control = &no_control;
    snprintf(path, sizeof path, "%s/" TR_REC_CONTROL, process.folder);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *p = fd >= 0 ? mmap(NULL, sizeof no_control, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (p != MAP_FAILED)
        process.control = p;
}

/* TR_RECORD_RANKS: the ranks that are recorded; TR_RECORD_PID: the only process that is. */
static bool is_wanted(void)
{
    const char *ranks = getenv("TR_RECORD_RANKS"), *pid = getenv("TR_RECORD_PID");
    uint64_t rank;
    process.is_single = pid != NULL;
    if (pid && strtoll(pid, NULL, 10) != (long long)getpid())
        return false;
    return !ranks || !launcher_rank(&rank) || tr_rec_in_ranks(ranks, rank) != 0;
}

/* Whoever spoke last, tr-record or the program, decides. */
static bool is_recording(void)
{
    uint32_t turn = __atomic_load_n(&process.control->turn, __ATOMIC_ACQUIRE);
    if (turn != atomic_load_explicit(&seen_turn, memory_order_relaxed)) {
        atomic_store(&seen_turn, turn);
        atomic_store(&is_paused, turn % 2 != 0);
    }
    return !atomic_load_explicit(&is_paused, memory_order_relaxed);
}

bool capture_is_on(void)
{
    return process.is_on;
}

bool capture_is_recording(void)
{
    return process.is_on && is_recording();
}

static bool program_decides(void)
{
    return !process.control->is_alone && atomic_load(&seen_turn) != TR_REC_STOPPED;
}

/* The environment with which a program starts says whether it is recorded, as what it sets later does. */
static void read_switch(void)
{
    is_recording();
    if (capture_switch() && program_decides())
        atomic_store(&is_paused, !capture_switched_on());
}

__attribute__((constructor)) static void start(void)
{
    const char *folder = getenv("TR_RECORD_FOLDER"), *ring = getenv("TR_RECORD_RING");
    int saved = errno;
    if (!folder || strlen(folder) >= sizeof process.folder || !is_wanted() ||
        pthread_key_create(&process.ends, end_thread) != 0)
        return;
    strcpy(process.folder, folder);
    process.ring = ring ? strtoll(ring, NULL, 10) : 0;
    find_zero();
    read_patterns();
    map_control();
    read_switch();
    pthread_atfork(before_fork, after_fork, in_child);
    process.is_on = true;
    errno = saved;
}

void capture_pause(bool pause)
{
    struct capture *c = capture_in();
    if (!c)
        return;
    is_recording();
    if (pause != atomic_load(&is_paused) && program_decides()) {
        atomic_store(&is_paused, false);
        capture_mark(c, TR_REC_OWN, CAPTURE_NONE, capture_kept(pause ? "recording paused" : "recording resumed"),
                     capture_now());
        atomic_store(&is_paused, pause);
    }
    capture_out(c);
}

/* ---- names ---- */

static bool is_chosen(const char *s)
{
    bool chosen = !process.includes;
    for (const char *p = process.patterns; p && *p; p += strlen(p) + 1)
        if (fnmatch(p + 1, s, 0) == 0) {
            if (*p == '-')
                return false;
            chosen = true;
        }
    return chosen;
}

static inline unsigned char *record_at(const struct capture *c)
{
    return c->block + TR_REC_HEAD + c->used;
}

static inline void put_first(unsigned char *p, unsigned type, unsigned api, size_t words, unsigned name, unsigned aux)
{
    put_word(p, type | (uint64_t)api << 8 | (uint64_t)words << 16 | (uint64_t)name << 32 | (uint64_t)aux << 48);
}

/* Write text of len bytes, cut to MAX_TEXT, after a word with its length; returns its words. */
static size_t put_text(unsigned char *p, const char *s, size_t len)
{
    size_t words = 1 + (len + 7) / 8;
    if (len)
        put_word(p + 8 * (words - 1), 0);
    put_word(p, len);
    memcpy(p + 8, s, len);
    return words;
}

static size_t bound(size_t len)
{
    return len < MAX_TEXT ? len : MAX_TEXT;
}

static void define(struct capture *c, struct known *k, const struct capture_text *text, size_t len)
{
    unsigned char *p = record_at(c);
    size_t words = 1 + put_text(p + 8, text->s, len);
    put_first(p, TR_REC_NAME, 0, words, c->n_names, 0);
    *k = (struct known){ text->key, c->number, c->used + 16, (uint32_t)len, (uint16_t)c->n_names, true };
    if (process.patterns) {
        char s[MAX_TEXT + 1];
        memcpy(s, text->s, len);
        s[len] = '\0';
        k->chosen = is_chosen(s);
    }
    c->n_names++;
    set_used(c, c->used + 8 * (uint32_t)words);
}

static size_t hash_bytes(const char *s, size_t n)
{
    uint64_t h = n;
    for (; n >= 8; s += 8, n -= 8) {
        uint64_t w;
        memcpy(&w, s, 8);
        h = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    for (; n; s++, n--)
        h = (h ^ (unsigned char)*s) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h >> 40);
}

/* The name with this text in the block; the room for it is there. */
static const struct known *known_name(struct capture *c, const struct capture_text *text)
{
    if (text->key) {
        struct known *k = &c->known[((uintptr_t)text->key >> 3 ^ (uintptr_t)text->key >> 11) % KNOWN];
        if (k->key != text->key || k->block != c->number)
            define(c, k, text, bound(text->len == CAPTURE_STRING ? strlen(text->s) : text->len));
        return k;
    }
    size_t len = bound(text->len == CAPTURE_STRING ? strlen(text->s) : text->len);
    struct known *k = &c->known[hash_bytes(text->s, len) % KNOWN];
    if (k->key || k->block != c->number || k->len != len ||
        memcmp(c->block + TR_REC_HEAD + k->at, text->s, len) != 0)
        define(c, k, text, len);
    return k;
}

static inline unsigned name_number(struct capture *c, const struct capture_text *text)
{
    return text->s ? known_name(c, text)->number : TR_REC_NO_NAME;
}

/* ---- records ---- */

/* There is room for a record with its names. */
static inline void make_room(struct capture *c)
{
    if (RECORDS - c->used < ROOM)
        flush(c);
}

/* The first word of an event's record, which is returned.  NULL: its name is not chosen. */
static inline unsigned char *start_event(struct capture *c, enum tr_rec_type type, enum tr_rec_api api,
                                         const struct capture_text *domain, const struct capture_text *name,
                                         size_t words)
{
    make_room(c);
    unsigned name_at = TR_REC_NO_NAME;
    if (name->s) {
        const struct known *k = known_name(c, name);
        name_at = k->number;
        if (!k->chosen && api != TR_REC_OWN)
            return NULL;
    }
    unsigned domain_at = name_number(c, domain);
    unsigned char *p = record_at(c);
    put_first(p, type, api, words, name_at, domain_at);
    return p;
}

/* A record of an event.  False: its name is not chosen. */
static bool put_event(struct capture *c, enum tr_rec_type type, enum tr_rec_api api, const struct capture_text *domain,
                      const struct capture_text *name, int64_t ts, size_t words, uint64_t third)
{
    unsigned char *p = start_event(c, type, api, domain, name, words);
    if (!p)
        return false;
    put_word(p + 8, (uint64_t)ts);
    if (words > 2)
        put_word(p + 16, third);
    set_used(c, c->used + 8 * (uint32_t)words);
    return true;
}

static const void *domain_key(const struct capture_text *domain)
{
    return domain->key ? domain->key : (const void *)domain->s;
}

bool capture_begin_at(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name,
                      int64_t ts)
{
    if (c->depth == MAX_DEPTH) {
        c->too_deep++;
        return false;
    }
    bool recorded = is_recording() && put_event(c, TR_REC_BEGIN, api, &domain, &name, ts, 2, 0);
    c->open[c->depth++] = (struct open_span){ domain_key(&domain), (uint8_t)api, recorded };
    return recorded;
}

bool capture_begin(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name)
{
    return capture_begin_at(c, api, domain, name, capture_now());
}

/* The innermost open span of the domain; UINT_MAX: none, or it is too deep to be known. */
static unsigned innermost(const struct capture *c, enum tr_rec_api api, const void *domain)
{
    unsigned i = c->too_deep ? 0 : c->depth;
    while (i > 0 && (c->open[i - 1].domain != domain || c->open[i - 1].api != api))
        i--;
    return i - 1;
}

bool capture_ends(struct capture *c, enum tr_rec_api api, struct capture_text domain)
{
    unsigned i = innermost(c, api, domain_key(&domain));
    return i != UINT_MAX && c->open[i].recorded;
}

unsigned capture_depth(const struct capture *c, enum tr_rec_api api, struct capture_text domain)
{
    unsigned n = 0;
    for (unsigned i = 0; i < c->depth; i++)
        n += c->open[i].domain == domain_key(&domain) && c->open[i].api == api;
    return n;
}

void capture_end_at(struct capture *c, enum tr_rec_api api, struct capture_text domain, int64_t ts)
{
    unsigned i = innermost(c, api, domain_key(&domain));
    c->too_deep -= c->too_deep > 0;
    if (i == UINT_MAX)
        return;
    bool recorded = c->open[i].recorded;
    c->depth--;
    for (; i < c->depth; i++)
        c->open[i] = c->open[i + 1];
    if (recorded)
        put_event(c, TR_REC_END, api, &domain, &CAPTURE_NONE, ts, 2, 0);
}

void capture_end(struct capture *c, enum tr_rec_api api, struct capture_text domain)
{
    capture_end_at(c, api, domain, capture_now());
}

void capture_id(struct capture *c, enum tr_rec_api api, uint64_t key)
{
    put_event(c, TR_REC_ID, api, &CAPTURE_NONE, &CAPTURE_NONE, (int64_t)key, 2, 0);
}

bool capture_open(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name,
                  uint64_t key, int64_t ts)
{
    return is_recording() && put_event(c, TR_REC_OPEN, api, &domain, &name, ts, 3, key);
}

void capture_close(struct capture *c, enum tr_rec_api api, uint64_t key, int64_t ts)
{
    put_event(c, TR_REC_CLOSE, api, &CAPTURE_NONE, &CAPTURE_NONE, ts, 3, key);
}

bool capture_mark(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name,
                  int64_t ts)
{
    return is_recording() && put_event(c, TR_REC_MARK, api, &domain, &name, ts, 2, 0);
}

void capture_counter(struct capture *c, enum tr_rec_api api, struct capture_text domain, struct capture_text name,
                     enum tr_rec_value type, uint64_t value, int64_t ts)
{
    if (!is_recording() || !put_event(c, TR_REC_COUNTER, api, &CAPTURE_NONE, &name, ts, 3, value))
        return;
    /* the type stands where other events have their domain, which is an arg then */
    put(record_at(c) - 24 + 6, type, 2);
    if (domain.s)
        capture_arg_text(c, "domain", domain);
}

/* ---- work of devices ---- */

bool capture_work(struct capture *c, enum tr_rec_api api, const struct capture_work *w)
{
    const size_t words = 5;
    unsigned char *p = start_event(c, TR_REC_WORK, api, &w->device, &w->name, words);
    if (!p)
        return false;
    put_word(p + 8, (uint64_t)w->ts);
    put_word(p + 16, (uint64_t)w->dur);
    put_word(p + 24, w->queue | (uint64_t)w->device_number << 32);
    put_word(p + 32, w->correlation);
    set_used(c, c->used + 8 * (uint32_t)words);
    return true;
}

void capture_launch(struct capture *c, uint64_t correlation)
{
    put_event(c, TR_REC_LAUNCH, TR_REC_OWN, &CAPTURE_NONE, &CAPTURE_NONE, (int64_t)correlation, 2, 0);
}

static void put_numbers(unsigned char *p, const uint64_t *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_word(p + 8 * i, numbers[i]);
}

void capture_after(struct capture *c, const uint64_t *correlations, size_t n)
{
    n = n < TR_REC_NUMBERS ? n : TR_REC_NUMBERS;
    make_room(c);
    unsigned char *p = record_at(c);
    put_first(p, TR_REC_AFTER, TR_REC_OWN, 1 + n, TR_REC_NO_NAME, TR_REC_NO_NAME);
    put_numbers(p + 8, correlations, n);
    set_used(c, c->used + 8 * (uint32_t)(1 + n));
}

/* ---- args ---- */

/* The start of an arg, up to its value; returns where that goes. */
static unsigned char *start_arg(struct capture *c, enum tr_rec_api api, uint64_t of, const struct capture_text *key,
                                enum tr_rec_value type, size_t value_words, size_t *words)
{
    unsigned name = name_number(c, key);
    unsigned char *p = record_at(c);
    *words = (of == CAPTURE_BEFORE ? 1u : 2u) + value_words;
    put_first(p, of == CAPTURE_BEFORE ? TR_REC_ARG : TR_REC_ARG_OF, api, *words, name, type);
    if (of != CAPTURE_BEFORE)
        put_word(p + 8, of);
    return p + 8 * (*words - value_words);
}

static void put_arg(struct capture *c, enum tr_rec_api api, uint64_t of, const struct capture_text *key,
                    enum tr_rec_value type, uint64_t value)
{
    size_t words;
    put_word(start_arg(c, api, of, key, type, 1, &words), value);
    set_used(c, c->used + 8 * (uint32_t)words);
}

void capture_arg(struct capture *c, enum tr_rec_api api, uint64_t of, struct capture_text key, enum tr_rec_value type,
                 uint64_t value)
{
    make_room(c);
    put_arg(c, api, of, &key, type, value);
}

void capture_arg_string(struct capture *c, enum tr_rec_api api, uint64_t of, struct capture_text key,
                        struct capture_text value)
{
    size_t words, len = bound(value.len == CAPTURE_STRING ? strlen(value.s) : value.len);
    make_room(c);
    put_text(start_arg(c, api, of, &key, TR_REC_STRING, 1 + (len + 7) / 8, &words), value.s, len);
    set_used(c, c->used + 8 * (uint32_t)words);
}

void capture_arg_int(struct capture *c, const char *key, int64_t value)
{
    capture_arg(c, TR_REC_OWN, CAPTURE_BEFORE, capture_kept(key), TR_REC_INT, (uint64_t)value);
}

void capture_arg_text(struct capture *c, const char *key, struct capture_text value)
{
    make_room(c);
    unsigned number = name_number(c, &value);
    put_arg(c, TR_REC_OWN, CAPTURE_BEFORE, &(struct capture_text){ key, CAPTURE_STRING, key }, TR_REC_TEXT_NAME,
            number);
}

void capture_arg_list(struct capture *c, const char *key, const uint64_t *numbers, size_t n)
{
    const struct capture_text text = capture_kept(key);
    size_t words;
    n = n < TR_REC_NUMBERS ? n : TR_REC_NUMBERS;
    make_room(c);
    unsigned char *p = start_arg(c, TR_REC_OWN, CAPTURE_BEFORE, &text, TR_REC_LIST, 1 + n, &words);
    put_word(p, n);
    put_numbers(p + 8, numbers, n);
    set_used(c, c->used + 8 * (uint32_t)words);
}

bool capture_is_thread(const struct capture *c, uint32_t number)
{
    return (uint32_t)c->tid == number;
}

void capture_thread_name(struct capture *c, const char *name)
{
    make_room(c);
    unsigned char *p = record_at(c);
    size_t words = 1 + put_text(p + 8, name, bound(strlen(name)));
    put_first(p, TR_REC_THREAD, 0, words, TR_REC_NO_NAME, TR_REC_NO_NAME);
    set_used(c, c->used + 8 * (uint32_t)words);
}

/* By hand: the locale of the program decides what the C library makes of it. */
const char *capture_wide(const void *wide, char *to, size_t n)
{
    const wchar_t *w = wide;
    size_t at = 0;
    for (; *w && at + 5 <= n; w++) {
        uint32_t u = (uint32_t)*w;
        unsigned more = u < 0x80 ? 0 : u < 0x800 ? 1 : u < 0x10000 ? 2 : 3;
        static const unsigned char first[] = { 0, 0xc0, 0xe0, 0xf0 };
        if (u > 0x10ffff)
            u = 0xfffd, more = 2;
        to[at++] = (char)(first[more] | u >> 6 * more);
        while (more-- > 0)
            to[at++] = (char)(0x80 | (u >> 6 * more & 0x3f));
    }
    to[at] = '\0';
    return to;
}
