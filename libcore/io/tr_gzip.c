/* SPDX-License-Identifier: MIT */
/* gzip by zlib. */
#include "io/tr_gzip.h"

#include <zlib.h>

#define CHUNK ((size_t)1 << 18)

enum tr_status tr_gzip(const void *bytes, size_t len, struct tr_buf *out, struct tr_error *err)
{
    z_stream z = { .zalloc = Z_NULL };
    int done = Z_OK;
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return tr_fail_memory(err);
    z.next_in = (z_const Bytef *)bytes;
    while (done == Z_OK) {
        if (!z.avail_in) {
            z.avail_in = (uInt)(len < CHUNK ? len : CHUNK);
            len -= z.avail_in;
        }
        if (!tr_buf_reserve(out, CHUNK))
            break;
        z.next_out = out->data + out->len;
        z.avail_out = (uInt)CHUNK;
        done = deflate(&z, len ? Z_NO_FLUSH : Z_FINISH);
        out->len += CHUNK - z.avail_out;
    }
    deflateEnd(&z);
    return done == Z_STREAM_END ? TR_OK : tr_fail_memory(err);
}
