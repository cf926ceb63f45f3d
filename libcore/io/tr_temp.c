/* SPDX-License-Identifier: MIT */
/* Temporary files without a name. */
#include "io/tr_temp.h"

#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER ((size_t)256 << 10)

struct tr_temp {
    int fd;
    uint64_t on_disk; /* bytes before those in the buffer */
    size_t len;
    char dir[512];
    unsigned char buf[BUFFER];
};

static enum tr_status named_file(int *fd, const char *dir, struct tr_error *err)
{
    static const char pattern[] = "/tracepipe-XXXXXX";
    size_t n = strlen(dir);
    char *path = malloc(n + sizeof pattern);
    if (!path)
        return tr_fail_memory(err);
    memcpy(path, dir, n);
    enum tr_status st = TR_OK;
    do {
        memcpy(path + n, pattern, sizeof pattern);
        *fd = mkstemp(path);
    } while (*fd < 0 && errno == EINTR);
    if (*fd < 0) {
        st = tr_fail_sys(err, errno, "cannot make a temporary file there");
    } else {
        unlink(path);
        fcntl(*fd, F_SETFD, FD_CLOEXEC);
    }
    free(path);
    return st;
}

enum tr_status tr__temp_fd(int *fd, const char *dir, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    *fd = -1;
#ifdef O_TMPFILE
    *fd = tr_open_fd(dir, O_TMPFILE | O_EXCL | O_RDWR, S_IRUSR | S_IWUSR);
#endif
    if (*fd < 0) /* not every file system supports this; if the folder is the reason, the next call fails, too */
        st = named_file(fd, dir, err);
    if (st != TR_OK)
        tr_error_input(err, dir);
    return st;
}

enum tr_status tr_temp_open(struct tr_temp **out, const char *dir, struct tr_error *err)
{
    *out = NULL;
    struct tr_temp *t = malloc(sizeof *t);
    if (!t)
        return tr_fail_memory(err);
    t->on_disk = 0;
    t->len = 0;
    snprintf(t->dir, sizeof t->dir, "%s", dir);
    enum tr_status st = tr__temp_fd(&t->fd, dir, err);
    if (st != TR_OK) {
        free(t);
        return st;
    }
    *out = t;
    return TR_OK;
}

void tr_temp_free(struct tr_temp *t)
{
    if (!t)
        return;
    close(t->fd); /* the contents are not needed any more, and the result of this call does not matter */
    free(t);
}

static enum tr_status put(struct tr_temp *t, const void *buf, size_t len, struct tr_error *err)
{
    enum tr_status st = tr_pwrite_full(t->fd, buf, len, t->on_disk, err);
    if (st == TR_OK)
        t->on_disk += len;
    else
        tr_error_input(err, t->dir);
    return st;
}

enum tr_status tr_temp_flush(struct tr_temp *t, struct tr_error *err)
{
    enum tr_status st = t->len ? put(t, t->buf, t->len, err) : TR_OK;
    if (st == TR_OK)
        t->len = 0;
    return st;
}

enum tr_status tr_temp_write(struct tr_temp *t, const void *buf, size_t len, struct tr_error *err)
{
    if (len > BUFFER - t->len) {
        enum tr_status st = tr_temp_flush(t, err);
        if (st != TR_OK)
            return st;
        if (len >= BUFFER)
            return put(t, buf, len, err);
    }
    if (len)
        memcpy(t->buf + t->len, buf, len);
    t->len += len;
    return TR_OK;
}

uint64_t tr_temp_size(const struct tr_temp *t)
{
    return t->on_disk + t->len;
}

enum tr_status tr_temp_read_at(struct tr_temp *t, void *buf, size_t len, uint64_t at,
                               struct tr_error *err)
{
    enum tr_status st = TR_OK;
    size_t got;
    if (at > tr_temp_size(t) || len > tr_temp_size(t) - at)
        return tr_fail(err, TR_USAGE, "%zu bytes at byte %llu of a temporary file of %llu", len,
                       (unsigned long long)at, (unsigned long long)tr_temp_size(t));
    if (at + len > t->on_disk)
        st = tr_temp_flush(t, err);
    if (st == TR_OK)
        st = tr_pread_full(t->fd, buf, len, at, &got, err);
    if (st == TR_END)
        st = tr_fail_sys(err, EIO, "a temporary file has become shorter");
    if (st != TR_OK)
        tr_error_input(err, t->dir);
    return st;
}
