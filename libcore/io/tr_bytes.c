/* SPDX-License-Identifier: MIT */
/* The bytes of an input, decompressed by content. */
#include "io/tr_bytes.h"

#include "io/tr_archive.h"
#include "io/tr_follow.h"
#include "io/tr_io.h"
#include "io/tr_decoder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tr_bytes {
    int fd; /* -1: the input is in memory */
    const char *memory;
    struct tr_bytes_opts opts;
    uint64_t total, taken; /* taken: from memory */
    _Atomic uint64_t consumed; /* the position in the file after the last call; any thread may read it, for progress */
    struct tr__decoder file;
    struct tr__archive *archive;  /* NULL: none */
    struct tr__decoder member;    /* used if there is an archive */
    const char *member_name;
    char name[512];
    char full_name[1600];
};

static struct tr__decoder *top(struct tr_bytes *b)
{
    return b->archive ? &b->member : &b->file;
}

static enum tr_status read_fd(void *self, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    const struct tr_bytes *b = self;
    enum tr_status st = b->opts.follow ? tr_follow_read(b->opts.follow, b->fd, b->opts.path, buf, cap, got, err)
                                       : tr_read_some(b->fd, buf, cap, got, err);
    if (st == TR_SYSTEM)
        tr_error_input(err, b->name);
    return st;
}

/* Of a regular file; a file that grows is read as far as it was when it was opened. */
static bool skip_fd(void *self, uint64_t n)
{
    const struct tr_bytes *b = self;
    const uint64_t at = b->file.src.at + tr__peek_avail(&b->file.src);
    return at < b->total && n <= b->total - at && lseek(b->fd, (off_t)n, SEEK_CUR) >= 0;
}

static enum tr_status read_memory(void *self, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    struct tr_bytes *b = self;
    const size_t left = (size_t)(b->total - b->taken), n = cap < left ? cap : left;
    (void)err;
    if (n)
        memcpy(buf, b->memory + b->taken, n);
    b->taken += n;
    *got = n;
    return n ? TR_OK : TR_END;
}

/* The archive's own bytes, decompressed. */
static enum tr_status read_file(void *self, void *buf, size_t cap, size_t *got,
                                struct tr_error *err)
{
    struct tr_bytes *b = self;
    enum tr_status st = tr__decoder_read(&b->file, buf, cap, got, err);
    if (st == TR_DAMAGED || st == TR_SYSTEM)
        tr_error_input(err, b->name);
    return st;
}

/* The result of a call that reads: record the place, and add the name of the input to a failure. */
static enum tr_status named(struct tr_bytes *b, enum tr_status st, struct tr_error *err)
{
    atomic_store_explicit(&b->consumed, b->file.src.at, memory_order_relaxed);
    if (st == TR_DAMAGED || st == TR_SYSTEM)
        tr_error_input(err, b->full_name);
    return st;
}

static void learn_size(struct tr_bytes *b)
{
    struct stat s;
    if (fstat(b->fd, &s) != 0 || !S_ISREG(s.st_mode))
        return;
    off_t at = lseek(b->fd, 0, SEEK_CUR);
    if (at >= 0 && s.st_size > at)
        b->total = (uint64_t)(s.st_size - at);
#ifdef POSIX_FADV_SEQUENTIAL
    /* Only advice, so it is not a failure if the system ignores it. */
    (void)posix_fadvise(b->fd, at < 0 ? 0 : at, 0, POSIX_FADV_SEQUENTIAL);
#endif
}

static enum tr_status open_archive(struct tr_bytes *b, struct tr_error *err)
{
    const unsigned char *p;
    enum tr__container kind = TR__NOT_YET_KNOWN;
    for (size_t want = 1, n = 0; kind == TR__NOT_YET_KNOWN; want = n + 1) {
        enum tr_status st = tr__decoder_peek(&b->file, &p, &n, want, err);
        if (st == TR_SYSTEM)
            return st;
        if (st != TR_OK || n < want)
            return TR_OK; /* too few bytes for an archive; the first read returns the failure again */
        kind = tr__container_of(p, n);
    }
    if (kind == TR__NO_CONTAINER)
        return TR_OK;
    enum tr_status st = tr__archive_open(&b->archive, kind, read_file, b, err);
    if (st == TR_OK)
        st = tr_bytes_next_member(b, NULL, err);
    return st == TR_END ? TR_OK : st;
}

/* Detect what the source has. */
static enum tr_status start(struct tr_bytes **out, struct tr_bytes *b, const char *name, struct tr_error *err)
{
    snprintf(b->name, sizeof b->name, "%s", name);
    snprintf(b->full_name, sizeof b->full_name, "%s", name);
    b->file.src.self = b;
    enum tr_status st = tr__decoder_open(&b->file, b->opts.raw, b->opts.only_zlib, err);
    if (st == TR_OK && !b->opts.raw)
        st = open_archive(b, err);
    if (st == TR_OK) {
        *out = b;
        return st;
    }
    named(b, st, err);
    tr_bytes_close(b);
    return st;
}

enum tr_status tr_bytes_open(struct tr_bytes **out, int fd, const char *name,
                             const struct tr_bytes_opts *opts, struct tr_error *err)
{
    struct tr_bytes *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b) {
        if (!opts || !opts->keep_fd)
            close(fd);
        return tr_fail_memory(err);
    }
    b->fd = fd;
    if (opts)
        b->opts = *opts;
    learn_size(b);
    b->file.src.read = read_fd;
    b->file.src.skip = skip_fd;
    return start(out, b, name, err);
}

enum tr_status tr_bytes_open_memory(struct tr_bytes **out, const void *bytes, size_t n, const char *name,
                                    struct tr_error *err)
{
    struct tr_bytes *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return tr_fail_memory(err);
    b->fd = -1;
    b->memory = bytes;
    b->total = n;
    b->file.src.read = read_memory;
    return start(out, b, name, err);
}

void tr_bytes_close(struct tr_bytes *b)
{
    if (!b)
        return;
    tr__decoder_close(&b->member);
    tr__archive_free(b->archive);
    tr__decoder_close(&b->file);
    if (b->fd >= 0 && !b->opts.keep_fd)
        close(b->fd);
    free(b);
}

enum tr_status tr_bytes_read(struct tr_bytes *b, void *buf, size_t cap, size_t *got,
                             struct tr_error *err)
{
    return named(b, tr__decoder_read(top(b), buf, cap, got, err), err);
}

bool tr_bytes_skip(struct tr_bytes *b, uint64_t n)
{
    const struct tr__decoder *d = &b->file;
    bool can = !b->archive && !d->codec && d->done == TR_OK && d->peek_at == d->peek_len;
    return can && tr__peek_skip(&b->file.src, n) && named(b, TR_OK, NULL) == TR_OK;
}

enum tr_status tr_bytes_peek(struct tr_bytes *b, const unsigned char **p, size_t *n, size_t want,
                             struct tr_error *err)
{
    if (want > TR_BYTES_PEEK_MAX)
        want = TR_BYTES_PEEK_MAX;
    return named(b, tr__decoder_peek(top(b), p, n, want, err), err);
}

enum tr_status tr_bytes_resync(struct tr_bytes *b, uint64_t *skipped, struct tr_error *err)
{
    uint64_t n;
    enum tr_status st = tr__decoder_resync(top(b), &n, err);
    if (skipped)
        *skipped = n;
    return named(b, st, err);
}

enum tr_status tr_bytes_next_member(struct tr_bytes *b, const char **name, struct tr_error *err)
{
    struct tr__decoder *m = &b->member;
    if (!b->archive)
        return TR_END;
    tr__decoder_close(m);
    enum tr_status st = tr__archive_next(b->archive, &b->member_name, err);
    if (st != TR_OK) {
        m->done = TR_END;
        b->member_name = NULL;
        snprintf(b->full_name, sizeof b->full_name, "%s", b->name);
        return named(b, st, err);
    }
    snprintf(b->full_name, sizeof b->full_name, "%s(%s)", b->name, b->member_name);
    m->src.read = tr__archive_read;
    m->src.self = b->archive;
    st = tr__decoder_open(m, false, b->opts.only_zlib, &m->why);
    m->done = st;
    if (st == TR_DAMAGED)
        st = TR_OK; /* the member exists, but cannot be read; perhaps the next one can */
    if (st != TR_OK && err)
        *err = m->why;
    if (name)
        *name = b->member_name;
    return named(b, st, err);
}

const char *tr_bytes_name(const struct tr_bytes *b)
{
    return b->full_name;
}

const char *tr_bytes_member(const struct tr_bytes *b)
{
    return b->member_name;
}

const char *tr_bytes_codec(const struct tr_bytes *b)
{
    const struct tr__decoder *l = b->archive ? &b->member : &b->file;
    return l->codec ? l->codec->name : "none";
}

uint64_t tr_bytes_consumed(const struct tr_bytes *b)
{
    return atomic_load_explicit(&b->consumed, memory_order_relaxed);
}

uint64_t tr_bytes_total(const struct tr_bytes *b)
{
    return b->total;
}

uint64_t tr_bytes_trailing(const struct tr_bytes *b)
{
    return b->archive ? b->member.src.trailing : b->file.src.trailing;
}
