/*
 * A library to be preloaded that makes one call fail, as TR_FAULT says: "alloc N" the N-th allocation,
 * "read N" and "write N" the N-th such call (EIO, ENOSPC), "short 0" cuts every transfer to a few bytes,
 * "eintr 0" interrupts every second one.  Writes to standard error are left alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_ulong n_calls, n_transfers;
static unsigned long wanted;
static enum { NOTHING, ALLOC, READ, WRITE, SHORT, EINTR_EACH } fault;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_write)(int, const void *, size_t);

/* dlsym itself may allocate: from here, until the real functions are known; never given back. */
static _Alignas(16) char early[16384];
static size_t n_early;

static void *early_alloc(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > sizeof early - n_early)
        return NULL;
    n_early += size;
    return early + n_early - size;
}

static void find(const char *name, void *function)
{
    void *address = dlsym(RTLD_NEXT, name);
    memcpy(function, &address, sizeof address);
}

__attribute__((constructor)) static void begin(void)
{
    static const char *const names[] = { "", "alloc ", "read ", "write ", "short ", "eintr " };
    const char *what = getenv("TR_FAULT");

    find("calloc", &real_calloc);
    find("realloc", &real_realloc);
    find("read", &real_read);
    find("write", &real_write);
    find("malloc", &real_malloc);
    for (int i = 1; what && i < 6; i++) {
        if (strncmp(what, names[i], strlen(names[i])) == 0) {
            wanted = strtoul(what + strlen(names[i]), NULL, 10);
            fault = i;
        }
    }
}

static bool fails(int kind)
{
    return (int)fault == kind && atomic_fetch_add(&n_calls, 1) + 1 == wanted;
}

void *malloc(size_t size)
{
    if (!real_malloc)
        return early_alloc(size);
    if (fails(ALLOC)) {
        errno = ENOMEM;
        return NULL;
    }
    return real_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    if (!real_malloc)
        return early_alloc(n * size);
    if (fails(ALLOC)) {
        errno = ENOMEM;
        return NULL;
    }
    return real_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    if (!real_malloc)
        return NULL;
    if (fails(ALLOC)) {
        errno = ENOMEM;
        return NULL;
    }
    return real_realloc(p, size);
}

/* How much of n bytes to transfer; -1: fail with errno. */
static ssize_t share(size_t n)
{
    unsigned long turn = atomic_fetch_add(&n_transfers, 1);
    if (fault == EINTR_EACH && turn % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    size_t most = fault == SHORT ? 1 + turn % 1021 : n;
    return (ssize_t)(n < most ? n : most);
}

ssize_t read(int fd, void *bytes, size_t n)
{
    if (!real_read)
        find("read", &real_read);
    if (fails(READ)) {
        errno = EIO;
        return -1;
    }
    ssize_t some = share(n);
    return some < 0 ? -1 : real_read(fd, bytes, (size_t)some);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    if (!real_write)
        find("write", &real_write);
    if (fd == STDERR_FILENO)
        return real_write(fd, bytes, n);
    if (fails(WRITE)) {
        errno = ENOSPC;
        return -1;
    }
    ssize_t some = share(n);
    return some < 0 ? -1 : real_write(fd, bytes, (size_t)some);
}
