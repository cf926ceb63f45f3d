/* SPDX-License-Identifier: MIT */
/* A growing array of bytes that moves to a temporary file when it gets large. */
#include "io/tr_mmap_array.h"

#include "io/tr_io.h"
#include "io/tr_temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS MAP_ANON
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

/* With 32 bits, all arrays of a program and its heap have to share 2 to 4 GiB of addresses. */
#define MAX_LIMIT (sizeof(void *) < 8 ? (uint64_t)1 << 28 : (uint64_t)1 << 40)
#define MIN_LIMIT ((uint64_t)64 << 20) /* fail if less than this can be reserved */
#define MIN_STEP ((uint64_t)1 << 20)
#define MAX_STEP ((uint64_t)256 << 20) /* disk space allocated in addition to the requested size */

struct tr_mmap_array {
    unsigned char *base;
    uint64_t size, limit, memory;
    size_t page;
    int fd; /* -1: in memory */
    char *dir;
};

/* Reserve address space; if there is not as much, try smaller and smaller sizes. */
static bool reserve(struct tr_mmap_array *m, uint64_t limit)
{
    for (limit = limit < MAX_LIMIT ? limit : MAX_LIMIT;; limit /= 2) {
        m->limit = (limit + m->page - 1) / m->page * m->page;
        void *p = mmap(NULL, (size_t)m->limit, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p != MAP_FAILED) {
            m->base = p;
            return true;
        }
        if (limit / 2 < MIN_LIMIT)
            return false;
    }
}

enum tr_status tr_mmap_array_open(struct tr_mmap_array **out, const char *dir, uint64_t memory_bytes,
                                  uint64_t limit_bytes, struct tr_error *err)
{
    *out = NULL;
    if (limit_bytes == 0)
        return tr_fail(err, TR_USAGE, "limit of 0 bytes");
    struct tr_mmap_array *m = calloc(1, sizeof *m);
    if (!m || !(m->dir = strdup(dir))) {
        free(m);
        return tr_fail_memory(err);
    }
    m->fd = -1;
    m->memory = memory_bytes;
    m->page = (size_t)sysconf(_SC_PAGESIZE);
    if (!reserve(m, limit_bytes)) {
        int why = errno;
        free(m->dir);
        free(m);
        return tr_fail_sys(err, why, "cannot reserve address space");
    }
    *out = m;
    return TR_OK;
}

void tr_mmap_array_free(struct tr_mmap_array *m)
{
    if (!m)
        return;
    munmap(m->base, (size_t)m->limit);
    if (m->fd >= 0)
        close(m->fd);
    free(m->dir);
    free(m);
}

/* Allocate disk space for [from, to) of a file; new bytes are zero. */
static int allocate(int fd, uint64_t from, uint64_t to)
{
#if defined _POSIX_ADVISORY_INFO && _POSIX_ADVISORY_INFO > 0
    int rc;
    do
        rc = posix_fallocate(fd, (off_t)from, (off_t)(to - from));
    while (rc == EINTR);
    if (rc != EOPNOTSUPP && rc != EINVAL)
        return rc;
#endif
    /* The system or the file system does not support it, and the C library does not emulate it. */
    static const unsigned char zeros[4096];
    struct tr_error err = TR_ERROR_INIT;
    for (uint64_t at = from; at < to; at += sizeof zeros) {
        size_t n = to - at < sizeof zeros ? (size_t)(to - at) : sizeof zeros;
        if (tr_pwrite_full(fd, zeros, n, at, &err) != TR_OK)
            return err.sys_errno;
    }
    return 0;
}

static enum tr_status no_space(const struct tr_mmap_array *m, int why, struct tr_error *err)
{
    tr_error_input(err, m->dir);
    return tr_fail_sys(err, why, "cannot enlarge a temporary file there");
}

/* Map bytes [from, to) of the file at their place. */
static bool map_file(struct tr_mmap_array *m, int fd, uint64_t from, uint64_t to)
{
    return mmap(m->base + from, (size_t)(to - from), PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_FIXED, fd, (off_t)from) != MAP_FAILED;
}

/* Move from memory to a new file of the given size. */
static enum tr_status spill(struct tr_mmap_array *m, uint64_t size, struct tr_error *err)
{
    int fd;
    enum tr_status st = tr__temp_fd(&fd, m->dir, err);
    if (st != TR_OK)
        return st;
    int rc = allocate(fd, 0, size);
    if (rc) {
        st = no_space(m, rc, err);
        goto out;
    }
    st = tr_pwrite_full(fd, m->base, (size_t)m->size, 0, err);
    if (st != TR_OK) {
        tr_error_input(err, m->dir);
        goto out;
    }
    if (!map_file(m, fd, 0, size)) {
        st = tr_fail_sys(err, errno, "cannot map a temporary file");
        goto out;
    }
    m->fd = fd;
    m->size = size;
    fd = -1;
out:
    if (fd >= 0)
        close(fd);
    return st;
}

/* The size to grow to: at least want, with some room, in whole pages, within the limit. */
static uint64_t next_size(const struct tr_mmap_array *m, uint64_t want)
{
    uint64_t step = m->size / 4;
    step = step < MIN_STEP ? MIN_STEP : step > MAX_STEP ? MAX_STEP : step;
    uint64_t size = m->size + step < want ? want : m->size + step;
    if (want <= m->memory && size > m->memory)
        size = m->memory;
    size = (size + m->page - 1) / m->page * m->page;
    return size < m->limit ? size : m->limit;
}

enum tr_status tr_mmap_array_grow(struct tr_mmap_array *m, uint64_t size_bytes, struct tr_error *err)
{
    if (size_bytes <= m->size)
        return TR_OK;
    if (size_bytes > m->limit)
        return tr_fail_sys(err, ENOMEM, "%llu bytes needed, at most %llu allowed for",
                           (unsigned long long)size_bytes, (unsigned long long)m->limit);
    uint64_t size = next_size(m, size_bytes);
    if (m->fd < 0 && size_bytes > m->memory)
        return spill(m, size, err);
    if (m->fd < 0) {
        if (mprotect(m->base + m->size, (size_t)(size - m->size), PROT_READ | PROT_WRITE) != 0)
            return tr_fail_sys(err, errno, "cannot enlarge an array");
    } else {
        int rc = allocate(m->fd, m->size, size);
        if (rc)
            return no_space(m, rc, err);
        if (!map_file(m, m->fd, m->size, size))
            return tr_fail_sys(err, errno, "cannot map a temporary file");
    }
    m->size = size;
    return TR_OK;
}

void *tr_mmap_array_data(const struct tr_mmap_array *m)
{
    return m->base;
}

uint64_t tr_mmap_array_size(const struct tr_mmap_array *m)
{
    return m->size;
}

uint64_t tr_mmap_array_limit(const struct tr_mmap_array *m)
{
    return m->limit;
}

bool tr_mmap_array_on_disk(const struct tr_mmap_array *m)
{
    return m->fd >= 0;
}

void tr_mmap_array_trim(struct tr_mmap_array *m)
{
#ifdef MADV_DONTNEED
    /* Private memory would lose its contents; pages of a shared file mapping stay in the file. */
    if (m->fd >= 0)
        (void)madvise(m->base, (size_t)m->size, MADV_DONTNEED);
#else
    (void)m;
#endif
}

bool tr_mmap_array_own(struct tr_mmap_array *m)
{
    if (m->fd < 0)
        return true;
    if (mmap(m->base, (size_t)m->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, m->fd, 0) == MAP_FAILED)
        return false;
    close(m->fd);
    m->fd = -1;
    m->memory = m->limit;
    return true;
}
