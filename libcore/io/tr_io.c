/* SPDX-License-Identifier: MIT */
/* Whole reads and writes on descriptors. */
#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>
#include <unistd.h>

/* Linux transfers less than 2 GiB at once, and more than SSIZE_MAX is undefined by POSIX. */
#define MAX_TRANSFER ((size_t)1 << 30)

/* Should a call that failed with the current errno be repeated?  Waits if necessary. */
static bool try_again(int fd, short events)
{
    if (errno == EINTR)
        return true;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return false;
    struct pollfd p = { .fd = fd, .events = events };
    return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

static size_t clamp(size_t len)
{
    return len < MAX_TRANSFER ? len : MAX_TRANSFER;
}

int tr_open_fd(const char *path, int flags, mode_t mode)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

enum tr_status tr_read_some(int fd, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    ssize_t n;
    *got = 0;
    do
        n = read(fd, buf, clamp(cap));
    while (n < 0 && try_again(fd, POLLIN));
    if (n < 0)
        return tr_fail_sys(err, errno, "cannot read");
    *got = (size_t)n;
    return n ? TR_OK : TR_END;
}

enum tr_status tr_read_full(int fd, void *buf, size_t len, size_t *got, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    *got = 0;
    while (*got < len && st == TR_OK) {
        size_t n;
        st = tr_read_some(fd, (char *)buf + *got, len - *got, &n, err);
        *got += n;
    }
    return st;
}

enum tr_status tr_write_full(int fd, const void *buf, size_t len, struct tr_error *err)
{
    const char *p = buf;
    while (len) {
        ssize_t n = write(fd, p, clamp(len));
        if (n < 0) {
            if (!try_again(fd, POLLOUT))
                return tr_fail_sys(err, errno, "cannot write");
            continue;
        }
        p += n;
        len -= (size_t)n;
    }
    return TR_OK;
}

/* Are len bytes at an offset within the range of off_t? */
static bool offset_fits(uint64_t at, size_t len)
{
    uint64_t max = sizeof(off_t) < 8 ? INT32_MAX : INT64_MAX;
    return at <= max && len <= max - at;
}

enum tr_status tr_pread_full(int fd, void *buf, size_t len, uint64_t at, size_t *got,
                             struct tr_error *err)
{
    *got = 0;
    if (!offset_fits(at, len))
        return tr_fail_sys(err, EOVERFLOW, "cannot read at byte %llu", (unsigned long long)at);
    while (*got < len) {
        ssize_t n = pread(fd, (char *)buf + *got, clamp(len - *got), (off_t)(at + *got));
        if (n == 0)
            return TR_END;
        if (n > 0)
            *got += (size_t)n;
        else if (!try_again(fd, POLLIN))
            return tr_fail_sys(err, errno, "cannot read");
    }
    return TR_OK;
}

enum tr_status tr_pwrite_full(int fd, const void *buf, size_t len, uint64_t at,
                              struct tr_error *err)
{
    const char *p = buf;
    if (!offset_fits(at, len))
        return tr_fail_sys(err, EFBIG, "cannot write at byte %llu", (unsigned long long)at);
    while (len) {
        ssize_t n = pwrite(fd, p, clamp(len), (off_t)at);
        if (n < 0) {
            if (!try_again(fd, POLLOUT))
                return tr_fail_sys(err, errno, "cannot write");
            continue;
        }
        p += n;
        at += (uint64_t)n;
        len -= (size_t)n;
    }
    return TR_OK;
}

enum tr_status tr_read_file(const char *path, size_t max, struct tr_buf *out, struct tr_error *err)
{
    size_t before = out->len;
    int fd = tr_open_fd(path, O_RDONLY, 0);
    enum tr_status st = fd < 0 ? tr_fail_sys(err, errno, "cannot open") : TR_OK;
    while (st == TR_OK) {
        size_t got = 0;
        st = tr_buf_reserve(out, 65536) ? tr_read_some(fd, out->data + out->len, 65536, &got, err)
                                        : tr_fail_memory(err);
        out->len += got;
        if (st == TR_OK && out->len - before > max)
            st = tr_fail(err, TR_USAGE, "longer than %zu bytes", max);
    }
    if (fd >= 0)
        close(fd);
    if (st != TR_END)
        tr_error_input(err, path);
    return st == TR_END ? TR_OK : st;
}
