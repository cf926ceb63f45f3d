/* SPDX-License-Identifier: MIT */
/*
 * Reading an event stream: tr-stream(5).
 *
 * A reader is a struct tr_input.  It checks checksums, sizes and counts, that every number of a string, track or shape
 * exists, and that a sorted stream is in canonical order.  Before TR_END, it checks that the trailer agrees with
 * everything before it.  A stream is complete only if it ended with TR_END.
 *
 *     struct tr_input *in;
 *     struct tr_stream_bytes from = { read_fd, close_fd, &fd, NULL };
 *     if (tr_reader_open(&in, &from, "run.trs", &err) == TR_OK) {
 *         const char *const keys[] = { "correlation" };
 *         struct tr_projection want = { .fixed = TR_FIXED_BIT(TS) | TR_FIXED_BIT(DUR), .keys = keys, .n_keys = 1 };
 *         tr_input_want(in, &want);
 *         while ((st = tr_input_next(in, &b, &err)) == TR_OK)
 *             use(b);
 *     }
 *
 * Memory: the dictionary, for which there may be a limit, and one block of at most 16 MiB, stored, decompressed and as
 * columns.  When blocks are read in advance, there are up to six.  One thread at a time.  Errors name the input and the
 * block, byte or event at fault.
 *
 * The folder stream/format has the bytes of a stream.  Central: struct tr_reader, struct tr_writer, struct tr_block
 * (tr_block_int.h), struct tr__column (tr_column_int.h).
 */
#ifndef TR_READER_H
#define TR_READER_H

#include "base/tr_budget.h"
#include "stream/tr_input.h"
#include "stream/tr_provenance.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The source of the bytes.  read returns TR_OK with 1 to cap bytes, or with *got 0 at the end of the input, or a
 * failure with err filled in.  close may be NULL.
 */
struct tr_stream_bytes {
    enum tr_status (*read)(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err);
    void (*close)(void *ctx);
    void *ctx;
    bool (*skip)(void *ctx, uint64_t n); /* leave out n bytes; false: not possible, nothing has changed; may be NULL */
};

/*
 * Open a stream, and read everything before its first event: dictionary, provenance, and, if it is sorted, the summary.
 *
 * from  copied; closed by tr_input_close; if this call fails, the caller still owns it
 * name  for messages; copied
 *
 * Returns TR_OK; TR_DAMAGED: not a stream, another version, or damaged; TR_SYSTEM.
 */
enum tr_status tr_reader_open(struct tr_input **out, const struct tr_stream_bytes *from,
                              const char *name, struct tr_error *err);

/*
 * Where and how a stream is read.  The memory limit is for data that stays in memory for a whole stream: strings,
 * tracks, shapes, tables, the summary.  It is needed because a small file can expand to a very large dictionary.
 * budget and spill must outlive the reader.
 */
struct tr_reader_room {
    struct tr_budget *budget; /* this data is counted here, roughly; beyond it: TR_SYSTEM.  NULL: no limit */
    unsigned copies;          /* of this data that the caller makes; they count as well */
    struct tr_spill *spill;   /* if not NULL, strings go there, and do not count */
    bool grows;               /* the stream may end after any block: that is its end, without a trailer */
    enum tr_status (*idle)(void *ctx, struct tr_error *err); /* as in struct tr_open_opts; NULL: nothing to do */
    void *idle_ctx;
};

/* The same with a limit. */
enum tr_status tr_reader_open_within(struct tr_input **out, const struct tr_stream_bytes *from, const char *name,
                                     const struct tr_reader_room *room, struct tr_error *err);

/* Does a file that starts with these bytes look like a stream?  With fewer than 3 bytes, the answer is no. */
bool tr_reader_probe(const void *start, size_t len);

#ifdef __cplusplus
}
#endif
#endif
