/* SPDX-License-Identifier: MIT */
/* One call of zlib, for both sides of tr_inflate.h. */
#include "io/tr_inflate_isal.h"

#include <zlib.h>

enum tr_status tr__zlib_run(struct z_stream_s *s, const unsigned char *in, size_t n_in,
                            unsigned char *out, size_t cap, size_t *used, size_t *made,
                            struct tr_error *err)
{
    size_t in_max = n_in < UINT_MAX ? n_in : UINT_MAX, out_max = cap < UINT_MAX ? cap : UINT_MAX;
    s->next_in = (z_const Bytef *)(uintptr_t)in; /* zlib does not write to it */
    s->avail_in = (uInt)in_max;
    s->next_out = out;
    s->avail_out = (uInt)out_max;
    int rc = inflate(s, Z_NO_FLUSH);
    *used = in_max - s->avail_in;
    *made = out_max - s->avail_out;
    switch (rc) {
    case Z_OK:
    case Z_BUF_ERROR: /* no progress was possible: the input is used up */
        return TR_OK;
    case Z_STREAM_END:
        return TR_END;
    case Z_MEM_ERROR:
        return tr_fail_memory(err);
    default:
        return tr_fail(err, TR_DAMAGED, "damaged deflate data");
    }
}
