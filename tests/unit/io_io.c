/* SPDX-License-Identifier: MIT */
/* tr_io.h: whole reads and writes. */
#include "io_tap.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>

static void pieces(void)
{
    struct feeder f;
    char text[] = "in pieces of three bytes", buf[64];
    size_t got;
    int fd = feed_start(&f, text, sizeof text, 3);
    ok(tr_read_full(fd, buf, 10, &got, NULL) == TR_OK && got == 10 && !memcmp(buf, text, 10),
       "a full read collects pieces");
    ok(tr_read_full(fd, buf, sizeof buf, &got, NULL) == TR_END && got == sizeof text - 10 &&
           !memcmp(buf, text + 10, got),
       "at the end it says how much there was");
    ok(tr_read_some(fd, buf, sizeof buf, &got, NULL) == TR_END && got == 0, "end of file");
    feed_end(&f);
    close(fd);
}

static void *slow_reader(void *arg)
{
    int fd = *(int *)arg;
    size_t sum = 0, got;
    char buf[997];
    usleep(20000);
    while (tr_read_some(fd, buf, sizeof buf, &got, NULL) == TR_OK)
        sum += got;
    return (void *)(uintptr_t)sum;
}

static void on_alarm(int sig)
{
    (void)sig;
}

/* Both ends do not block, and a timer interrupts all the while. */
static void nonblocking(void)
{
    int ends[2];
    pthread_t reader;
    void *sum;
    enum { LEN = 3000000 };
    char *data = calloc(1, LEN);
    if (!data || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        bail("socketpair");
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    struct sigaction act = { .sa_handler = on_alarm };
    sigaction(SIGALRM, &act, NULL);
    struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { { 0, 0 }, { 0, 0 } };
    setitimer(ITIMER_REAL, &often, NULL);
    pthread_create(&reader, NULL, slow_reader, &ends[1]);
    ok(tr_write_full(ends[0], data, LEN, NULL) == TR_OK, "a full write to a slow reader");
    close(ends[0]);
    pthread_join(reader, &sum);
    setitimer(ITIMER_REAL, &never, NULL);
    ok((uintptr_t)sum == LEN, "every byte arrives despite EAGAIN and EINTR");
    close(ends[1]);
    free(data);
}

static void failures(void)
{
    struct tr_error err = TR_ERROR_INIT;
    char c;
    size_t got;
    ok(tr_read_some(-1, &c, 1, &got, &err) == TR_SYSTEM && err.sys_errno == EBADF,
       "a failed read keeps errno");
    ok(tr_write_full(-1, "x", 1, &err) == TR_SYSTEM && err.sys_errno == EBADF,
       "a failed write keeps errno");
    int full = open("/dev/full", O_WRONLY);
    if (full < 0) {
        skip("full device", "there is no /dev/full");
        return;
    }
    ok(tr_write_full(full, "x", 1, &err) == TR_SYSTEM && err.sys_errno == ENOSPC,
       "a full device is ENOSPC");
    close(full);
}

static void positioned(void)
{
    char buf[16];
    size_t got;
    int fd = file_with("0123456789", 10);
    ok(tr_pread_full(fd, buf, 4, 3, &got, NULL) == TR_OK && !memcmp(buf, "3456", 4),
       "read at an offset");
    ok(tr_pread_full(fd, buf, 4, 8, &got, NULL) == TR_END && got == 2, "read over the end");
    ok(tr_pwrite_full(fd, "ab", 2, 12, NULL) == TR_OK &&
           tr_pread_full(fd, buf, 4, 10, &got, NULL) == TR_OK && !memcmp(buf, "\0\0ab", 4),
       "write at an offset");
    ok(tr_pread_full(fd, buf, 4, UINT64_MAX - 1, &got, NULL) == TR_SYSTEM, "offset too large");
    ok(tr_pwrite_full(fd, buf, 4, UINT64_MAX - 1, NULL) == TR_SYSTEM, "offset too large to write");
    ok(lseek(fd, 0, SEEK_CUR) == 0, "the position has not moved");
    close(fd);
}

int main(void)
{
    pieces();
    nonblocking();
    failures();
    positioned();
    return done_testing();
}
