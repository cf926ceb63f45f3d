/* SPDX-License-Identifier: MIT */
/* Work in a copy of the process. */
#include "io/tr_copy.h"

#include "io/tr_io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the copy writes to the pipe, before its bytes. */
struct answer {
    enum tr_status st;
    struct tr_error err;
    size_t len;
};

void tr_copy_end(int copy, enum tr_status st, const struct tr_error *err, const struct tr_buf *out)
{
    struct answer a;
    memset(&a, 0, sizeof a);
    a.st = st;
    a.err = *err;
    a.len = out ? out->len : 0;
    if (tr_write_full(copy, &a, sizeof a, NULL) == TR_OK && a.len)
        tr_write_full(copy, out->data, out->len, NULL);
    _exit(0);
}

static enum tr_status ended_early(struct tr_error *err)
{
    return tr_fail(err, TR_SYSTEM, "a copy of the process ended early");
}

static enum tr_status read_answer(int fd, struct tr_buf *out, struct tr_error *err)
{
    struct answer a;
    size_t got = 0;
    enum tr_status st = tr_read_full(fd, &a, sizeof a, &got, err);
    if (st != TR_OK)
        return st == TR_END ? ended_early(err) : st;
    if (a.st != TR_OK && err)
        *err = a.err;
    if (!out || !a.len)
        return a.st;
    if (!tr_buf_reserve(out, a.len))
        return tr_fail_memory(err);
    st = tr_read_full(fd, out->data + out->len, a.len, &got, err);
    if (st != TR_OK)
        return st == TR_END ? ended_early(err) : st;
    out->len += a.len;
    return a.st;
}

enum tr_status tr_copy_start(struct tr_spill *spill, struct tr_buf *out, int *copy, struct tr_error *err)
{
    int ends[2];
    *copy = -1;
    if (pipe(ends) != 0)
        return tr_fail_sys(err, errno, "cannot make a pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    if (spill)
        spill->hold(spill);
    const pid_t pid = fork();
    const int reason = errno;
    const bool whole = !spill || spill->release(spill, pid == 0);
    if (pid == 0) {
        close(ends[0]);
        if (!whole)
            tr_copy_end(ends[1], tr_fail_memory(err), err, NULL);
        *copy = ends[1];
        return TR_OK;
    }
    close(ends[1]);
    enum tr_status st = pid < 0 ? tr_fail_sys(err, reason, "cannot copy the process") : read_answer(ends[0], out, err);
    close(ends[0]); /* a copy whose answer was not read to its end ends, too */
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return st;
}

enum tr_status tr_in_copy(struct tr_spill *spill, tr_copy_work *work, void *self, struct tr_buf *out,
                          struct tr_error *err)
{
    int copy;
    enum tr_status st = tr_copy_start(spill, out, &copy, err);
    if (copy >= 0) {
        struct tr_error why = TR_ERROR_INIT;
        struct tr_buf own = { NULL, 0, 0 };
        st = work(self, &own, &why);
        tr_copy_end(copy, st, &why, &own);
    }
    return st;
}
