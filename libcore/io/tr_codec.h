/* SPDX-License-Identifier: MIT */
/*
 * The interface of decoders for tr_bytes.  Internal to io.
 *
 * A decoder reads from a tr__peek and gives decoded bytes.  It returns TR_OK with *got > 0, TR_END, or a failure.
 * After a failure it is called again only if resync has returned TR_OK.
 */
#ifndef TR_CODEC_H
#define TR_CODEC_H

#include "io/tr_peek_buffer.h"

struct tr__codec {
    const char *name;
    enum tr_status (*open)(void **state, struct tr__peek *src, bool only_zlib, struct tr_error *err);
    enum tr_status (*read)(void *state, void *buf, size_t cap, size_t *got, struct tr_error *err);
    /*
     * Can a member (frame) start with these 1 to 4 bytes?  And can a member be decoded that starts with these n bytes,
     * as far as they show?
     */
    bool (*magic)(const unsigned char *p, size_t n);
    bool (*starts)(const unsigned char *p, size_t n);
    /*
     * Forget the present member; the input is at the start of another one.  NULL: streams of this kind have only one
     * member.
     */
    void (*restart)(void *state);
    void (*close)(void *state);
};

extern const struct tr__codec tr__codec_gzip;
extern const struct tr__codec tr__codec_zlib;
extern const struct tr__codec tr__codec_lz4;
extern const struct tr__codec tr__codec_zstd; /* without zstd, open fails */
extern const struct tr__codec tr__codec_xz, tr__codec_bzip2; /* without libarchive, open fails */

/* Do the first min(n, 4) bytes agree with a magic number that is stored little-endian? */
bool tr__magic_is(const unsigned char *p, size_t n, uint32_t magic, uint32_t mask);

/*
 * After the end of a member: skip padding of zeros and look for the next one.
 * Returns TR_OK         the input is at the start of a member
 *         TR_END        nothing follows, or bytes that belong to no member (counted in src->trailing)
 *         TR_DAMAGED    other bytes, and then a member; the input is at this member
 *         TR_SYSTEM     the input failed
 */
enum tr_status tr__next_member(struct tr__peek *src, const struct tr__codec *codec, struct tr_error *err);

/*
 * Search the input from its position for the start of a member.
 * Returns TR_OK with the input at the member; TR_END: there is none, and the input is at its end; or a failure.
 * *skipped: number of bytes before the member.
 */
enum tr_status tr__find_member(struct tr__peek *src, const struct tr__codec *codec, uint64_t *skipped,
                               struct tr_error *err);

#endif
