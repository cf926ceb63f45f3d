/* SPDX-License-Identifier: MIT */
/* Helpers of the tests of libcore/io: TAP lines, and data through files and pipes. */
#ifndef IO_TAP_H
#define IO_TAP_H

#include "base/tr_mem.h"
#include "base/tr_status.h"
#include "io/tr_bytes.h"
#include "io/tr_io.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int tap_n, tap_failed;

__attribute__((format(printf, 2, 3), unused)) static bool ok(bool good, const char *fmt, ...)
{
    va_list ap;
    printf("%sok %d - ", good ? "" : "not ", ++tap_n);
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
    putchar('\n');
    fflush(stdout);
    tap_failed += !good;
    return good;
}

__attribute__((unused)) static void skip(const char *what, const char *why)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_n, what, why);
}

__attribute__((unused)) static int done_testing(void)
{
    printf("1..%d\n", tap_n);
    return tap_failed != 0;
}

__attribute__((noreturn, unused)) static void bail(const char *what)
{
    printf("Bail out! %s: %s\n", what, strerror(errno));
    exit(99);
}

/* The same numbers in every run. */
__attribute__((unused)) static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Text that looks like a trace and compresses like one; about len bytes. */
__attribute__((unused)) static struct tr_buf trace_text(size_t len, uint32_t seed)
{
    struct tr_buf b = { 0 };
    char line[200];
    for (uint64_t ts = 1000; b.len < len;) {
        uint32_t r = next_random(&seed);
        ts += r % 977;
        snprintf(line, sizeof line,
                 "{\"ph\": \"X\", \"name\": \"op_%u\", \"pid\": %u, \"ts\": %llu.%03u, "
                 "\"dur\": %u, \"args\": {\"id\": %u}},\n",
                 r % 61, r % 7, (unsigned long long)ts, r % 1000, r % 4099,
                 next_random(&seed));
        if (!tr_buf_add_str(&b, line))
            bail("memory");
    }
    return b;
}

__attribute__((unused)) static int file_with(const void *p, size_t n)
{
    FILE *f = tmpfile();
    struct tr_error err = TR_ERROR_INIT;
    if (!f)
        bail("tmpfile");
    int fd = dup(fileno(f));
    fclose(f);
    if (fd < 0 || tr_write_full(fd, p, n, &err) != TR_OK || lseek(fd, 0, SEEK_SET) != 0)
        bail("temporary file");
    return fd;
}

struct feeder {
    pthread_t thread;
    int fd;
    const unsigned char *p;
    size_t n, chunk;
};

__attribute__((unused)) static void *feed(void *arg)
{
    struct feeder *f = arg;
    for (size_t at = 0; at < f->n;) {
        size_t n = f->n - at < f->chunk ? f->n - at : f->chunk;
        if (tr_write_full(f->fd, f->p + at, n, NULL) != TR_OK)
            break;
        at += n;
    }
    close(f->fd);
    return NULL;
}

/* The reading end of a pipe into which the bytes are written in pieces; finish by feed_end. */
__attribute__((unused)) static int feed_start(struct feeder *f, const void *p, size_t n,
                                              size_t chunk)
{
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    if (pipe(ends) != 0)
        bail("pipe");
    f->fd = ends[1];
    f->p = p;
    f->n = n;
    f->chunk = chunk;
    if (pthread_create(&f->thread, NULL, feed, f) != 0)
        bail("thread");
    return ends[0];
}

__attribute__((unused)) static void feed_end(struct feeder *f)
{
    pthread_join(f->thread, NULL);
}

/* Read a source to its end or first failure, cap bytes at a time. */
__attribute__((unused)) static enum tr_status slurp(struct tr_bytes *b, size_t cap,
                                                    struct tr_buf *out, struct tr_error *err)
{
    for (;;) {
        size_t got;
        if (!tr_buf_reserve(out, cap))
            bail("memory");
        enum tr_status st = tr_bytes_read(b, out->data + out->len, cap, &got, err);
        if (st != TR_OK)
            return st;
        if (got == 0 || got > cap)
            return TR_USAGE;
        out->len += got;
    }
}

__attribute__((unused)) static bool same(const struct tr_buf *a, const void *p, size_t n)
{
    return a->len == n && (n == 0 || memcmp(a->data, p, n) == 0);
}

#endif
