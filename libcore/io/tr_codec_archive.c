/* SPDX-License-Identifier: MIT */
/* xz and bzip2, with libarchive.  At damage, up to 64 KiB before it are lost, and everything after it. */
#include "io/tr_archive.h"
#include "io/tr_codec.h"

#include <stdlib.h>
#include <string.h>

#define XZ_INDEX_AT  ((size_t)12)
#define BZIP2_END_AT ((size_t)4)

struct filter {
    struct tr__peek *src;
    struct tr__archive *archive;
    const char *name;
    bool empty; /* it is empty, which is not damage */
};

static enum tr_status feed(void *src, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    return tr__peek_read(src, buf, cap, got, err);
}

static void filter_close(void *state)
{
    struct filter *f = state;
    tr__archive_free(f->archive);
    free(f);
}

/* Data that end too early are incomplete; any other damage has a place. */
static enum tr_status with_place(struct filter *f, enum tr_status st, struct tr_error *err)
{
    if (st != TR_DAMAGED || f->src->ended == TR_DAMAGED)
        return st;
    uint64_t used = tr__archive_used(f->archive);
    if (f->src->ended == TR_END && used == f->src->at)
        return tr__peek_cut(f->src, f->name, err);
    tr_error_place(err, "compressed byte %llu", (unsigned long long)(used ? used : f->src->at));
    return tr_fail(err, TR_DAMAGED, "damaged %s data", f->name);
}

/* The first thing after the header: in xz an index in place of a block, in bzip2 the end in place of one. */
static bool holds_nothing(const struct tr__peek *src, enum tr__container kind)
{
    const unsigned char *p = tr__peek_data(src);
    size_t n = tr__peek_avail(src);
    return kind == TR__XZ ? n > XZ_INDEX_AT && p[XZ_INDEX_AT] == 0 : n > BZIP2_END_AT && p[BZIP2_END_AT] == 0x17;
}

static enum tr_status filter_open(void **state, struct tr__peek *src, enum tr__container kind, const char *name,
                                  struct tr_error *err)
{
    struct filter *f = calloc(1, sizeof *f);
    if (!f)
        return tr_fail_memory(err);
    f->src = src;
    f->name = name;
    enum tr_status st = tr__peek_fill(src, XZ_INDEX_AT + 1, err);
    if (st == TR_OK && (f->empty = holds_nothing(src, kind))) {
        *state = f;
        return TR_OK;
    }
    if (st == TR_OK)
        st = tr__archive_open(&f->archive, kind, feed, src, err);
    if (st == TR_OK)
        *state = f;
    else
        free(f);
    return st;
}

static enum tr_status filter_read(void *state, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    struct filter *f = state;
    const char *name;
    enum tr_status st = TR_OK;
    *got = 0;
    if (f->empty)
        return TR_END;
    if (!tr__archive_in_member(f->archive))
        st = tr__archive_next(f->archive, &name, err);
    if (st == TR_OK)
        st = tr__archive_read(f->archive, buf, cap, got, err);
    return with_place(f, st, err);
}

static enum tr_status xz_open(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err)
{
    (void)only_zlib;
    return filter_open(state, src, TR__XZ, "xz", err);
}

static enum tr_status bzip2_open(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err)
{
    (void)only_zlib;
    return filter_open(state, src, TR__BZIP2, "bzip2", err);
}

/* Does the text start with the len bytes at magic, as far as its bytes go? */
static bool starts(const unsigned char *p, size_t n, const char *magic, size_t len)
{
    return memcmp(p, magic, n < len ? n : len) == 0;
}

#define XZ_MAGIC "\xfd" "7zXZ"
#define XZ_MAGIC_LEN ((size_t)6) /* with the zero that ends it */

static bool xz_magic(const unsigned char *p, size_t n)
{
    return starts(p, n, XZ_MAGIC, XZ_MAGIC_LEN);
}

static bool xz_starts(const unsigned char *p, size_t n)
{
    return n >= XZ_MAGIC_LEN && xz_magic(p, n);
}

#define BZIP2_LEVEL_AT ((size_t)3)
#define BZIP2_MAGIC_LEN ((size_t)10)

/* "BZh", a digit, and six bytes: a block (pi) or the end of all (the square root of pi). */
static bool bzip2_magic(const unsigned char *p, size_t n)
{
    static const char block[] = "1AY&SY", end[] = "\x17rE8P\x90";
    if (!starts(p, n, "BZh", BZIP2_LEVEL_AT))
        return false;
    if (n <= BZIP2_LEVEL_AT)
        return true;
    p += BZIP2_LEVEL_AT;
    n -= BZIP2_LEVEL_AT + 1;
    return *p >= '1' && *p <= '9' && (!n || starts(p + 1, n, block, 6) || starts(p + 1, n, end, 6));
}

static bool bzip2_starts(const unsigned char *p, size_t n)
{
    return n >= BZIP2_MAGIC_LEN && bzip2_magic(p, n);
}

const struct tr__codec tr__codec_xz = {
    .name = "xz", .open = xz_open, .read = filter_read, .magic = xz_magic, .starts = xz_starts, .close = filter_close,
};

const struct tr__codec tr__codec_bzip2 = {
    .name = "bzip2",
    .open = bzip2_open,
    .read = filter_read,
    .magic = bzip2_magic,
    .starts = bzip2_starts,
    .close = filter_close,
};
