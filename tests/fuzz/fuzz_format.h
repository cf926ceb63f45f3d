/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a trace of a format: refused with a reason, or read.  However they are handed out, with much memory or
 * little, in one piece or in many, the same stream comes of it, which a reader takes; --strict takes what nothing was
 * fixed in.
 */
#ifndef FUZZ_FORMAT_H
#define FUZZ_FORMAT_H

#include "fuzz_text.h"

/* Of what was fixed, is the same asked each time? */
#define SAME(st, fixed, exact) ((st) == TR_OK && ((exact) || !(fixed)))

static inline int fuzz_format_exact(const char *format, const uint8_t *data, size_t size, bool exact)
{
    struct tr_open_opts o = TR_OPEN_OPTS_INIT;
    struct tr_buf first = { 0 }, other = { 0 };
    bool fixed = false, ignored = false;
    const char *path = text_file(data, size);
    o.temp_dir = "/tmp";
    o.input_format = format;
    o.tuning.batch_events = BATCH;
    enum tr_status st = read_trace(path, &o, &first, &fixed);
    o.max_memory_bytes = (size_t)1 << 20;
    must(read_trace(path, &o, &other, &ignored) == st);
    must(!SAME(st, fixed, exact) || (other.len == first.len && !memcmp(other.data, first.data, first.len)));
    o.n_threads = 2;
    o.tuning.piece_bytes = 1;
    must(read_trace(path, &o, &other, &ignored) == st);
    must(!SAME(st, fixed, exact) || (other.len == first.len && !memcmp(other.data, first.data, first.len)));
    o.n_threads = 1;
    o.tuning.piece_bytes = 0;
    o.strict = true;
    must((read_trace(path, &o, &other, &ignored) == TR_OK) == (st == TR_OK && !fixed));
    o.strict = false;
    o.no_sort = true;
    must(read_trace(path, &o, &other, &ignored) == st);
    if (st == TR_OK)
        read_back(&first, &other);
    tr_buf_free(&first);
    tr_buf_free(&other);
    return 0;
}

static inline int fuzz_format(const char *format, const uint8_t *data, size_t size)
{
    return fuzz_format_exact(format, data, size, true);
}

#endif
