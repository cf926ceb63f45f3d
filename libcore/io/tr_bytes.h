/* SPDX-License-Identifier: MIT */
/*
 * The decompressed bytes of an input, for readers of all formats.
 *
 * The input is a descriptor of a file or a pipe; it need not be seekable.  Its first bytes decide its kind: gzip (any
 * number of members), zlib, LZ4 frames, and, if they are built in, zstd frames, xz, bzip2, and zip and tar archives,
 * also compressed ones.  The regular files of an archive are read one after the other, in the order of the archive.
 * They may be compressed, too.  All other data are passed on unchanged.
 *
 *     enum tr_status st = tr_bytes_open(&b, fd, "trace.json.gz", NULL, &err);
 *     while (st == TR_OK && (st = tr_bytes_read(b, buf, sizeof buf, &n, &err)) == TR_OK)
 *         use(buf, n);
 *     if (st != TR_END)
 *         ...err has the reason; all bytes before the failure have been delivered
 *     tr_bytes_close(b);
 *
 * Data are decoded directly into the caller's buffer, so large buffers (256 KiB and more) are fast.
 * The bytes do not depend on how the input arrives, or on the size of the reads.
 *
 * One thread at a time, unless a function says otherwise.
 *
 * The folder io is about bytes outside of memory.  Central: struct tr_bytes (here), struct
 * tr_temp, struct tr_spill_dir, struct tr_pool.
 */
#ifndef TR_BYTES_H
#define TR_BYTES_H

#include "base/tr_status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_BYTES_PEEK_MAX ((size_t)64 << 10)

struct tr_bytes;
struct tr_follow;

struct tr_bytes_opts {
    bool keep_fd;   /* do not close the descriptor */
    bool raw;       /* pass everything on unchanged */
    bool only_zlib; /* do not use ISA-L for gzip and zlib; for comparisons */
    const struct tr_follow *follow; /* the input grows (tr_follow.h); borrowed, as path is; NULL: it does not */
    const char *path;               /* for that, the name of the file; NULL: it has none */
};

/*
 * Open an input.  An archive is opened at its first member.
 *
 * fd    readable; read from its present position on.  Unless keep_fd is set, b owns it, also on failure
 * name  for messages; copied
 * opts  NULL: all defaults
 *
 * The call waits for the bytes that decide the kind of the input: usually a few, at most 512, or some more if they
 * start like zlib data or with frames to skip.
 *
 * Returns TR_OK; TR_DAMAGED: an archive without a readable start, or a format that is not built in; TR_SYSTEM.  The
 * first read of an empty input returns TR_END.
 */
enum tr_status tr_bytes_open(struct tr_bytes **out, int fd, const char *name,
                             const struct tr_bytes_opts *opts, struct tr_error *err);
/* The same for n bytes in memory, which are borrowed. */
enum tr_status tr_bytes_open_memory(struct tr_bytes **out, const void *bytes, size_t n, const char *name,
                                    struct tr_error *err);
void tr_bytes_close(struct tr_bytes *b);

/*
 * Read at most cap > 0 bytes; fewer if fewer are available.
 *
 * Returns TR_OK       *got > 0 bytes
 *         TR_END      the end of this member
 *         TR_DAMAGED  compressed data are damaged or cut.  All bytes before have been delivered; for
 *                     xz and bzip2, up to 64 KiB may be missing.  Returned again until
 *                     tr_bytes_resync or tr_bytes_next_member
 *         TR_SYSTEM   read or memory failure
 */
enum tr_status tr_bytes_read(struct tr_bytes *b, void *buf, size_t cap, size_t *got,
                             struct tr_error *err);

/*
 * Leave out the next n bytes of a file that is not compressed, without reading them.  False: this is not possible, or
 * the file ends before; then nothing has changed.
 */
bool tr_bytes_skip(struct tr_bytes *b, uint64_t n);

/*
 * Look at the next want (1 to TR_BYTES_PEEK_MAX) bytes without consuming them.
 *
 * *p and *n are set to the available bytes: at least want, or fewer if the member ends or is damaged after them.
 * Valid until the next call on b.
 * Returns TR_OK with *n > 0; TR_END, TR_DAMAGED or TR_SYSTEM as tr_bytes_read would.
 */
enum tr_status tr_bytes_peek(struct tr_bytes *b, const unsigned char **p, size_t *n, size_t want,
                             struct tr_error *err);

/*
 * After TR_DAMAGED: continue after the damage, at the next intact gzip member, LZ4 or zstd frame.
 * *skipped (may be NULL) is the number of compressed bytes that were skipped.  The number of lost decompressed bytes is
 * unknown.
 *
 * Returns TR_OK      found; reads continue there
 *         TR_END     not found, or data of this kind have only one member; reads return TR_END
 *         TR_SYSTEM  the input failed
 */
enum tr_status tr_bytes_resync(struct tr_bytes *b, uint64_t *skipped, struct tr_error *err);

/*
 * Go to the next member of the archive.  The present member may have been read or not.
 *
 * *name (may be NULL) is valid until the next call on b.
 * Returns TR_OK, TR_END (no more members, or not an archive), TR_DAMAGED or TR_SYSTEM.
 */
enum tr_status tr_bytes_next_member(struct tr_bytes *b, const char **name, struct tr_error *err);

/* Name for messages: that of the input, with "(MEMBER)" after it for a member of an archive. */
const char *tr_bytes_name(const struct tr_bytes *b);
/* Name of the member; NULL if the input is not an archive. */
const char *tr_bytes_member(const struct tr_bytes *b);
/* The compression of the innermost layer: "none", "gzip", "zlib", "lz4", "zstd", "xz", "bzip2". */
const char *tr_bytes_codec(const struct tr_bytes *b);
/* Number of bytes of the descriptor that have been used so far.  Another thread may read at the same time. */
uint64_t tr_bytes_consumed(const struct tr_bytes *b);
/* Size of the input if the descriptor is a regular file; otherwise 0. */
uint64_t tr_bytes_total(const struct tr_bytes *b);
/*
 * Number of bytes after the last gzip member (frame), other than zeros, that belong to no member; known at TR_END.
 */
uint64_t tr_bytes_trailing(const struct tr_bytes *b);

#ifdef __cplusplus
}
#endif
#endif
