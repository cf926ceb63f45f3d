/* SPDX-License-Identifier: MIT */
/* Archives, and data compressed with xz or bzip2, by libarchive. */
#include "io/tr_archive.h"

#include <string.h>

enum { TAR_BLOCK = 512, TAR_SUM = 148, TAR_SUM_LEN = 8, TAR_NAME_LEN = 100, TAR_SIZE = 124 };

/* The number in a checksum field: octal digits between blanks; -1: not a number. */
static long tar_sum(const unsigned char *p)
{
    long v = 0;
    int i = 0, digits = 0;
    while (i < TAR_SUM_LEN && p[i] == ' ')
        i++;
    for (; i < TAR_SUM_LEN && p[i] >= '0' && p[i] <= '7'; i++, digits++)
        v = v * 8 + (p[i] - '0');
    return digits && (i == TAR_SUM_LEN || p[i] == ' ' || p[i] == '\0') ? v : -1;
}

static bool is_tar(const unsigned char *p)
{
    long sum = 0;
    for (int i = 0; i < TAR_BLOCK; i++)
        sum += i >= TAR_SUM && i < TAR_SUM + TAR_SUM_LEN ? ' ' : p[i];
    return p[0] && tar_sum(p + TAR_SUM) == sum;
}

/* Can a tar header start like this?  A name, padded with zeros, then numbers. */
static bool may_be_tar(const unsigned char *p, size_t n)
{
    size_t i = 0;
    while (i < n && i < TAR_NAME_LEN && p[i] >= 0x20)
        i++;
    while (i < n && i < TAR_NAME_LEN && p[i] == 0)
        i++;
    if (i < n && i < TAR_NAME_LEN)
        return false;
    while (i < n && i < TAR_SIZE && (p[i] == 0 || p[i] == ' ' || (p[i] >= '0' && p[i] <= '7')))
        i++;
    return p[0] && (i == n || i == TAR_SIZE);
}

enum tr__container tr__container_of(const unsigned char *p, size_t n)
{
    static const unsigned char member[] = "PK\3\4", empty[] = "PK\5\6";
    size_t k = n < 4 ? n : 4;
    if (memcmp(p, member, k) == 0 || memcmp(p, empty, k) == 0)
        return n < 4 ? TR__NOT_YET_KNOWN : TR__ZIP;
    if (n >= TAR_BLOCK)
        return is_tar(p) ? TR__TAR : TR__NO_CONTAINER;
    return may_be_tar(p, n) ? TR__NOT_YET_KNOWN : TR__NO_CONTAINER;
}

static const char *const named[] = {
    [TR__ZIP] = "zip archive", [TR__TAR] = "tar archive", [TR__XZ] = "xz data", [TR__BZIP2] = "bzip2 data"
};

static enum tr_status refused(enum tr__container kind, const char *who, struct tr_error *err)
{
    return tr_fail(err, TR_DAMAGED, "%s, which this %s cannot %s", named[kind], who,
                   kind == TR__ZIP || kind == TR__TAR ? "read" : "decompress");
}

#ifndef HAVE_ARCHIVE

enum tr_status tr__archive_open(struct tr__archive **out, enum tr__container kind,
                                enum tr_status (*read)(void *self, void *buf, size_t cap,
                                                       size_t *got, struct tr_error *err),
                                void *self, struct tr_error *err)
{
    (void)out, (void)read, (void)self;
    return refused(kind, "build", err);
}

void tr__archive_free(struct tr__archive *a)
{
    (void)a;
}

enum tr_status tr__archive_next(struct tr__archive *a, const char **name, struct tr_error *err)
{
    (void)a, (void)name, (void)err;
    return TR_END;
}

enum tr_status tr__archive_read(void *archive, void *buf, size_t cap, size_t *got,
                                struct tr_error *err)
{
    (void)archive, (void)buf, (void)cap, (void)err;
    *got = 0;
    return TR_END;
}

bool tr__archive_in_member(const struct tr__archive *a)
{
    (void)a;
    return false;
}

uint64_t tr__archive_used(const struct tr__archive *a)
{
    (void)a;
    return 0;
}

#else

#include "base/tr_library.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions of the library that are used; configure reads their names here, too, a line each. */
#define FUNCTIONS(X) \
    X(new, archive_read_new) \
    X(free, archive_read_free) \
    X(open, archive_read_open) \
    X(zip, archive_read_support_format_zip_streamable) \
    X(tar, archive_read_support_format_tar) \
    X(raw, archive_read_support_format_raw) \
    X(append_filter, archive_read_append_filter) \
    X(next_header, archive_read_next_header) \
    X(data_block, archive_read_data_block) \
    X(filetype, archive_entry_filetype) \
    X(hardlink, archive_entry_hardlink) \
    X(pathname, archive_entry_pathname) \
    X(pathname_utf8, archive_entry_pathname_utf8) \
    X(filter_bytes, archive_filter_bytes) \
    X(errno_of, archive_errno) \
    X(error_string, archive_error_string) \
    X(set_error, archive_set_error)
FUNCTIONS(TR_LIBRARY_LINKED)
struct functions {
    FUNCTIONS(TR_LIBRARY_MEMBER)
};
static const struct tr_library_function functions[] = { FUNCTIONS(TR_LIBRARY_FUNCTION) };

#define LIBRARY "libarchive.so.13"
#define CHUNK ((size_t)256 << 10)
#define SMALL_CHUNK ((size_t)4 << 10) /* the place of damage is known with this accuracy, in bytes */

struct tr__archive {
    struct functions la;
    struct archive *a;
    enum tr_status (*read)(void *self, void *buf, size_t cap, size_t *got, struct tr_error *err);
    void *self;
    enum tr_status in_st; /* the failure of reading the archive's own bytes, if there was one */
    struct tr_error in_err;
    bool filter; /* not an archive, but compressed data */
    uint64_t n_members;
    bool in_member;
    bool dead; /* no more can be read */
    const unsigned char *block; /* of the member, and what is left of it */
    size_t block_len;
    uint64_t block_at, at; /* in the member: where the block starts, and where reading is */
    char name[1024];
    unsigned char buf[CHUNK];
};

static la_ssize_t feed(struct archive *la, void *data, const void **buf)
{
    struct tr__archive *a = data;
    size_t got;
    *buf = a->buf;
    enum tr_status st = a->read(a->self, a->buf, a->filter ? SMALL_CHUNK : CHUNK, &got, &a->in_err);
    if (st == TR_OK)
        return (la_ssize_t)got;
    if (st == TR_END)
        return 0;
    a->in_st = st;
    a->la.set_error(la, EIO, "input failed");
    return ARCHIVE_FATAL;
}

static int support(struct tr__archive *a, enum tr__container kind)
{
    if (kind == TR__ZIP) /* the seekable zip reader would give different results for a file and for a pipe */
        return a->la.zip(a->a);
    if (kind == TR__TAR)
        return a->la.tar(a->a);
    int rc = a->la.append_filter(a->a, kind == TR__XZ ? ARCHIVE_FILTER_XZ : ARCHIVE_FILTER_BZIP2);
    return rc == ARCHIVE_OK ? a->la.raw(a->a) : rc;
}

enum tr_status tr__archive_open(struct tr__archive **out, enum tr__container kind,
                                enum tr_status (*read)(void *self, void *buf, size_t cap,
                                                       size_t *got, struct tr_error *err),
                                void *self, struct tr_error *err)
{
    struct functions la;
    enum tr_status loaded = tr_library_load(LIBRARY, named[kind], functions, sizeof functions / sizeof *functions, &la,
                                            err);
    if (loaded != TR_OK)
        return loaded == TR_USAGE ? TR_DAMAGED : loaded;
    struct tr__archive *a = calloc(1, sizeof *a);
    if (!a || !(a->a = la.new())) {
        free(a);
        return tr_fail_memory(err);
    }
    a->la = la;
    a->read = read;
    a->self = self;
    a->filter = kind != TR__ZIP && kind != TR__TAR;
    int rc = support(a, kind);
    if (rc == ARCHIVE_OK) {
        rc = a->la.open(a->a, a, NULL, feed, NULL);
    } else { /* that of libarchive has been left out, or is another program */
        tr__archive_free(a);
        return refused(kind, "libarchive", err);
    }
    if (rc != ARCHIVE_OK && !a->filter) { /* a filter says so when it is read */
        enum tr_status st = a->in_st;
        if (st != TR_OK && err)
            *err = a->in_err;
        if (st == TR_OK)
            st = tr_fail(err, TR_DAMAGED, "cannot open the archive: %s",
                         a->la.error_string(a->a));
        tr__archive_free(a);
        return st;
    }
    *out = a;
    return TR_OK;
}

void tr__archive_free(struct tr__archive *a)
{
    if (!a)
        return;
    a->la.free(a->a);
    free(a);
}

static enum tr_status failed(struct tr__archive *a, struct tr_error *err)
{
    if (a->in_st != TR_OK) {
        if (err)
            *err = a->in_err;
        return a->in_st;
    }
    const char *why = a->la.error_string(a->a);
    if (a->la.errno_of(a->a) == ENOMEM)
        return tr_fail_memory(err);
    return tr_fail(err, TR_DAMAGED, "damaged archive (%s)", why ? why : "unknown reason");
}

enum tr_status tr__archive_next(struct tr__archive *a, const char **name, struct tr_error *err)
{
    struct archive_entry *e;
    a->in_member = false;
    if (a->dead)
        return TR_END;
    do {
        int rc = a->la.next_header(a->a, &e);
        if (rc == ARCHIVE_EOF) {
            a->dead = true;
            return TR_END;
        }
        /* Warnings concern times, owners and names in other character sets. */
        if (rc < ARCHIVE_WARN && rc != ARCHIVE_RETRY) {
            a->dead = true;
            return failed(a, err);
        }
        if (rc == ARCHIVE_RETRY)
            continue;
    } while (a->la.filetype(e) != AE_IFREG || a->la.hardlink(e));
    a->n_members++;
    a->in_member = true;
    a->block_len = 0;
    a->block_at = a->at = 0;
    const char *n = a->la.pathname_utf8(e); /* does not depend on the locale */
    if (!n)
        n = a->la.pathname(e);
    if (n && *n)
        snprintf(a->name, sizeof a->name, "%s", n);
    else
        snprintf(a->name, sizeof a->name, "member %llu", (unsigned long long)a->n_members);
    *name = a->name;
    return TR_OK;
}

/* Not archive_read_data, because it does not return bytes that it has decoded before damage. */
static enum tr_status next_block(struct tr__archive *a, struct tr_error *err)
{
    const void *block = NULL;
    la_int64_t at = 0;
    int rc;
    do
        rc = a->la.data_block(a->a, &block, &a->block_len, &at);
    while (rc == ARCHIVE_RETRY || (rc == ARCHIVE_OK && a->block_len == 0));
    if (rc == ARCHIVE_OK) {
        a->block = block;
        a->block_at = (uint64_t)at;
        return TR_OK;
    }
    a->block_len = 0;
    if (rc == ARCHIVE_EOF)
        return TR_END;
    a->dead = rc == ARCHIVE_FATAL;
    return failed(a, err);
}

enum tr_status tr__archive_read(void *archive, void *buf, size_t cap, size_t *got,
                                struct tr_error *err)
{
    struct tr__archive *a = archive;
    *got = 0;
    if (a->dead)
        return TR_END;
    if (a->block_len == 0) {
        enum tr_status st = next_block(a, err);
        if (st != TR_OK)
            return st;
    }
    if (a->at < a->block_at) { /* a hole */
        *got = cap < a->block_at - a->at ? cap : (size_t)(a->block_at - a->at);
        memset(buf, 0, *got);
    } else {
        *got = cap < a->block_len ? cap : a->block_len;
        memcpy(buf, a->block, *got);
        a->block += *got;
        a->block_len -= *got;
    }
    a->at += *got;
    return TR_OK;
}

bool tr__archive_in_member(const struct tr__archive *a)
{
    return a->in_member;
}

uint64_t tr__archive_used(const struct tr__archive *a)
{
    la_int64_t n = a->la.filter_bytes(a->a, -1);
    return n < 0 ? 0 : (uint64_t)n;
}

#endif
