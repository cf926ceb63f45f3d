/* SPDX-License-Identifier: MIT */
/* Reading a file that grows. */
#include "io/tr_follow.h"

#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define WAIT_MS 50

/* Let the descriptor stand for the file that has this name now. */
static enum tr_status take_new(int fd, const char *path, struct tr_error *err)
{
    const int now = tr_open_fd(path, O_RDONLY, 0);
    if (now < 0)
        return errno == ENOENT ? TR_OK : tr_fail_sys(err, errno, "cannot open");
    const int done = dup2(now, fd), reason = errno;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    close(now);
    return done < 0 ? tr_fail_sys(err, reason, "cannot open") : TR_OK;
}

/* At the end of a file: is it still the one that was read?  A name that is missing may come again. */
static enum tr_status compare(const struct tr_follow *f, int fd, const struct stat *is, const char *path,
                              struct tr_error *err)
{
    struct stat named;
    if (path && stat(path, &named) == 0 && (named.st_dev != is->st_dev || named.st_ino != is->st_ino)) {
        enum tr_status st = f->changed(f->ctx, path, "was replaced", err);
        return st == TR_OK ? take_new(fd, path, err) : st;
    }
    if (!path || lseek(fd, 0, SEEK_CUR) <= is->st_size)
        return TR_OK;
    enum tr_status st = f->changed(f->ctx, path, "was cut", err);
    if (st == TR_OK && lseek(fd, 0, SEEK_SET) < 0)
        st = tr_fail_sys(err, errno, "cannot be read again");
    return st;
}

enum tr_status tr_follow_read(const struct tr_follow *f, int fd, const char *path, void *buf, size_t cap, size_t *got,
                              struct tr_error *err)
{
    bool waits = false;
    *got = 0;
    for (;;) {
        struct stat is;
        struct pollfd ready = { .fd = fd, .events = POLLIN };
        enum tr_status st = f->look(f->ctx, waits, err);
        if (st != TR_OK)
            return st;
        const bool file = fstat(fd, &is) == 0 && S_ISREG(is.st_mode);
        if (!file && (waits = poll(&ready, 1, WAIT_MS) <= 0))
            continue;
        st = tr_read_some(fd, buf, cap, got, err);
        if (st != TR_END || !file)
            return st;
        st = compare(f, fd, &is, path, err);
        if (st != TR_OK)
            return st;
        if (waits)
            poll(NULL, 0, WAIT_MS);
        waits = true;
    }
}
