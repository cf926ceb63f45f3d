/* SPDX-License-Identifier: MIT */
/* Event streams, among the formats that can be opened. */
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_reader_open_int.h"

#include "stream/format/tr_reader.h"

#include <stdlib.h>

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    return tr_reader_probe(p, n) ? 100 : 0;
}

/* The bytes of an input report their end by TR_END; those of a stream reader report it by zero bytes. */
static enum tr_status read_bytes(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    const struct tr_ingest_bytes *bytes = ctx;
    enum tr_status st = bytes->read(bytes->ctx, buf, cap, got, err);
    if (st != TR_END)
        return st;
    *got = 0;
    return TR_OK;
}

static bool skip_bytes(void *ctx, uint64_t n)
{
    const struct tr_ingest_bytes *bytes = ctx;
    return bytes->skip && bytes->skip(bytes->ctx, n);
}

static void close_bytes(void *ctx)
{
    struct tr_ingest_bytes *bytes = ctx;
    if (bytes->close)
        bytes->close(bytes->ctx);
    free(bytes);
}

static enum tr_status open_stream(const struct tr_format *f, struct tr_input **out,
                                  const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                  struct tr_error *err)
{
    (void)f;
    struct tr_ingest_bytes *own = tr__reader_state(sizeof *own, NULL, NULL, free, bytes, opts, err);
    if (!own)
        return TR_SYSTEM;
    *own = *bytes;
    const struct tr_stream_bytes from = { read_bytes, close_bytes, own, skip_bytes };
    const struct tr_reader_room room = { .budget = opts->budget,
                                          .copies = opts->n_copies,
                                          .spill = opts->spill,
                                          .grows = opts->follow != NULL,
                                          .idle = opts->idle,
                                          .idle_ctx = opts->idle_ctx };
    enum tr_status st = tr_reader_open_within(out, &from, bytes->name, &room, err);
    if (st != TR_OK)
        close_bytes(own);
    return st;
}

const struct tr_format tr_format_stream = {
    .name = "stream",
    .brief = "tracepipe's own event stream",
    .probe = probe,
    .is_stream = true,
    .open = open_stream,
};
