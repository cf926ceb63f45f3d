/* SPDX-License-Identifier: MIT */
/*
 * A library to be preloaded that makes calls of a program fail.  TR_FAULT is "KIND N VALUE": the N-th
 * call of that kind fails with errno VALUE, with "KIND+" that one and all later ones.  Beside them:
 *
 *     short 0 0     transfers are cut to one byte; "short 0 N": to 1..N bytes, by turns
 *     eintr 0 0     every second call that may wait is interrupted
 *     signal N S    the process sends itself the signal S when the N-th call has been made
 *
 * TR_FAULT_REPORT names a file of struct report, which counts the calls, and whether one was made to fail.
 * Reads and writes of standard error are left alone, and so are programs that the program runs.
 */
#define _GNU_SOURCE
#include "fault/inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* REAL(function): its next definition, found when it is first called. */
#define REAL(name)                 \
    static __typeof__(name) *real; \
    find(#name, &real)

static struct report own_report, *report = &own_report;
static enum fault_kind fault;
static bool lasting, short_transfers, interrupts;
static int signal_wanted;
static unsigned long wanted, value, n_turns;
static __thread bool exempt; /* what this thread calls is not the program's business */

/* dlsym itself may allocate: from here, until the real functions are known. */
static _Alignas(16) char early[16384];
static size_t n_early;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);

static void find(const char *name, void *function)
{
    void *address;
    memcpy(&address, function, sizeof address);
    if (address)
        return;
    address = dlsym(RTLD_NEXT, name);
    memcpy(function, &address, sizeof address);
}

static void map_report(const char *path)
{
    int fd = open(path, O_RDWR);
    void *p =
        fd < 0 ? MAP_FAILED : mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    if (p != MAP_FAILED)
        report = p;
}

__attribute__((constructor)) static void start(void)
{
    static const char *const names[] = FAULT_NAMES;
    const char *what = getenv("TR_FAULT"), *path = getenv("TR_FAULT_REPORT");
    size_t len = what ? strcspn(what, "+ ") : 0;

    unsetenv("LD_PRELOAD"); /* programs that it runs do not fail */
    find("calloc", &real_calloc);
    find("realloc", &real_realloc);
    find("free", &real_free);
    find("malloc", &real_malloc);
    if (path)
        map_report(path);
    memset(report->calls, 0, sizeof report->calls);
    if (!what)
        return;
    char *numbers = (char *)what + len + (what[len] == '+');
    wanted = strtoul(numbers, &numbers, 10);
    value = strtoul(numbers, &numbers, 10);
    short_transfers = strncmp(what, "short", 5) == 0;
    interrupts = strncmp(what, "eintr", 5) == 0;
    signal_wanted = strncmp(what, "signal", 6) == 0 ? (int)value : 0;
    for (int k = 1; k < FAULT_KINDS; k++)
        if (strncmp(what, names[k], len) == 0 && names[k][len] == '\0')
            fault = (enum fault_kind)k;
    lasting = what[len] == '+';
}

/* Count a call; true: it has to fail, errno is set. */
static bool fails(enum fault_kind kind)
{
    if (exempt)
        return false;
    unsigned long n = __atomic_add_fetch(&report->calls[kind], 1, __ATOMIC_RELAXED);
    if (fault != kind || (lasting ? n < wanted : n != wanted))
        return false;
    report->fired = 1;
    errno = (int)value;
    return true;
}

/* The call has been made: is it time for the signal? */
static void made(void)
{
    int saved = errno;
    if (__atomic_add_fetch(&report->calls[FAULT_NONE], 1, __ATOMIC_RELAXED) == wanted &&
        signal_wanted) {
        report->fired = 1;
        kill(getpid(), signal_wanted);
    }
    errno = saved;
}

static unsigned long turn(void)
{
    return __atomic_fetch_add(&n_turns, 1, __ATOMIC_RELAXED);
}

static bool interrupted(void)
{
    if (!interrupts || turn() % 2)
        return false;
    report->fired = 1;
    errno = EINTR;
    return true;
}

/* How much of n bytes to transfer. */
static size_t share(size_t n)
{
    if (!short_transfers)
        return n;
    report->fired = 1;
    size_t max = value ? 1 + turn() * 7919 % value : 1;
    return n < max ? n : max;
}

/* ---- memory ---- */

static void *early_alloc(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > sizeof early - n_early)
        return NULL;
    n_early += size;
    return early + n_early - size;
}

void *malloc(size_t size)
{
    if (!real_malloc)
        return early_alloc(size);
    return fails(FAULT_ALLOC) ? NULL : real_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    if (!real_malloc)
        return early_alloc(n * size);
    return fails(FAULT_ALLOC) ? NULL : real_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    if (!real_malloc)
        return NULL;
    return fails(FAULT_ALLOC) ? NULL : real_realloc(p, size);
}

void free(void *p)
{
    if (real_free && ((char *)p < early || (char *)p >= early + sizeof early))
        real_free(p);
}

int posix_memalign(void **p, size_t align, size_t size)
{
    REAL(posix_memalign);
    return fails(FAULT_ALLOC) ? errno : real(p, align, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    REAL(aligned_alloc);
    return fails(FAULT_ALLOC) ? NULL : real(align, size);
}

void *mmap(void *at, size_t len, int protection, int flags, int fd, off_t offset)
{
    REAL(mmap);
    return fails(FAULT_MAP) ? MAP_FAILED : real(at, len, protection, flags, fd, offset);
}

int mprotect(void *at, size_t len, int protection)
{
    REAL(mprotect);
    return fails(FAULT_MAP) ? -1 : real(at, len, protection);
}

/* ---- transfers ---- */

ssize_t read(int fd, void *bytes, size_t n)
{
    REAL(read);
    if (fd == STDERR_FILENO)
        return real(fd, bytes, n);
    ssize_t done = fails(FAULT_READ) || interrupted() ? -1 : real(fd, bytes, share(n));
    made();
    return done;
}

ssize_t pread(int fd, void *bytes, size_t n, off_t at)
{
    REAL(pread);
    ssize_t done = fails(FAULT_READ) || interrupted() ? -1 : real(fd, bytes, share(n), at);
    made();
    return done;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    REAL(write);
    if (fd == STDERR_FILENO)
        return real(fd, bytes, n);
    ssize_t done = fails(FAULT_WRITE) || interrupted() ? -1 : real(fd, bytes, share(n));
    made();
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    REAL(pwrite);
    ssize_t done = fails(FAULT_WRITE) || interrupted() ? -1 : real(fd, bytes, share(n), at);
    made();
    return done;
}

int posix_fallocate(int fd, off_t at, off_t n)
{
    REAL(posix_fallocate);
    int reason = fails(FAULT_ALLOCATE) || interrupted() ? errno : real(fd, at, n);
    made();
    return reason;
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    REAL(poll);
    return interrupted() ? -1 : real(fds, n, timeout);
}

/* ---- files ---- */

int open(const char *path, int flags, ...)
{
    REAL(open);
    mode_t mode = 0;
    va_list ap;
    va_start(ap, flags);
    if (flags & (O_CREAT | O_TMPFILE))
        mode = va_arg(ap, mode_t);
    va_end(ap);
    int fd = fails(FAULT_OPEN) || interrupted() ? -1 : real(path, flags, mode);
    made();
    return fd;
}

int mkstemp(char *path)
{
    REAL(mkstemp);
    int fd = fails(FAULT_OPEN) || interrupted() ? -1 : real(path);
    made();
    return fd;
}

/* Also what fails is closed, as on Linux. */
int close(int fd)
{
    REAL(close);
    int done = real(fd);
    if (fails(FAULT_CLOSE) || interrupted())
        done = -1;
    made();
    return done;
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    int done = fails(FAULT_RENAME) ? -1 : real(from, to);
    made();
    return done;
}

int fchmod(int fd, mode_t mode)
{
    REAL(fchmod);
    int done = fails(FAULT_CHMOD) ? -1 : real(fd, mode);
    made();
    return done;
}

int fsync(int fd)
{
    REAL(fsync);
    int done = fails(FAULT_SYNC) || interrupted() ? -1 : real(fd);
    made();
    return done;
}

/* ---- threads ---- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    REAL(pthread_create);
    return fails(FAULT_THREAD) ? errno : real(thread, attr, run, arg);
}

#ifdef __GLIBC__
/* Sanitizers call it in each new thread, and end the program where memory fails in it. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    REAL(pthread_getattr_np);
    exempt = true;
    int reason = real(thread, attr);
    exempt = false;
    return reason;
}
#endif

#if defined __GLIBC__ && !defined __USE_FILE_OFFSET64
/* What programs call that are compiled for large files; where off_t has 64 bits the same functions. */
__typeof__(open) open64 __attribute__((alias("open")));
__typeof__(mkstemp) mkstemp64 __attribute__((alias("mkstemp")));
#if __SIZEOF_LONG__ == 8
__typeof__(pread) pread64 __attribute__((alias("pread")));
__typeof__(pwrite) pwrite64 __attribute__((alias("pwrite")));
__typeof__(mmap) mmap64 __attribute__((alias("mmap")));
__typeof__(posix_fallocate) posix_fallocate64 __attribute__((alias("posix_fallocate")));
#endif
#endif
