/* SPDX-License-Identifier: MIT */
/* Finding a compression by its magic number, and the next member of an input. */
#include "io/tr_codec.h"

#include <string.h>

/*
 * The number of bytes that are needed to decide whether a member starts at a place, except at the end of the input.
 */
#define LOOK ((size_t)32 << 10)

bool tr__magic_is(const unsigned char *p, size_t n, uint32_t magic, uint32_t mask)
{
    for (size_t i = 0; i < n && i < 4; i++)
        if ((p[i] ^ magic >> 8 * i) & mask >> 8 * i & 0xff)
            return false;
    return true;
}

enum tr_status tr__find_member(struct tr__peek *src, const struct tr__codec *codec, uint64_t *skipped,
                               struct tr_error *err)
{
    enum tr_status st;
    *skipped = 0;
    while ((st = tr__peek_fill(src, LOOK, err)) == TR_OK) {
        size_t n = tr__peek_avail(src), i = 0;
        /* A place with fewer bytes than this waits for more, unless the input has ended. */
        size_t end = src->ended == TR_OK ? n - LOOK + 1 : n;
        while (i < end && !codec->starts(tr__peek_data(src) + i, n - i))
            i++;
        tr__peek_use(src, (ptrdiff_t)i);
        *skipped += i;
        if (i < end)
            return TR_OK;
    }
    return st;
}

enum tr_status tr__next_member(struct tr__peek *src, const struct tr__codec *codec, struct tr_error *err)
{
    enum tr_status st;
    while ((st = tr__peek_fill(src, 1, err)) == TR_OK && *tr__peek_data(src) == 0)
        tr__peek_use(src, 1);
    if (st != TR_OK)
        return st;
    st = tr__peek_fill(src, 4, err);
    if (st != TR_OK || codec->magic(tr__peek_data(src), tr__peek_avail(src)))
        return st;
    uint64_t skipped, at = src->at;
    st = tr__find_member(src, codec, &skipped, err);
    if (st == TR_OK && skipped) {
        tr_error_place(err, "compressed byte %llu", (unsigned long long)at);
        return tr_fail(err, TR_DAMAGED, "%llu bytes between %s members belong to none",
                       (unsigned long long)skipped, codec->name);
    }
    if (st == TR_END)
        src->trailing += skipped;
    return st;
}
