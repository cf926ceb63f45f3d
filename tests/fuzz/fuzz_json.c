/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a trace: refused with a reason, or read.  However they are read (by shapes seen before or
 * token by token, in pieces of any size, with much memory or little, by several threads), the same stream
 * comes of it, which a reader takes; --strict takes what nothing was fixed in, and nothing else.
 */
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct tr_tuning tunings[] = {
        { .tokenize_all = true, .piece_bytes = 1, .batch_events = BATCH },
        { .piece_bytes = 7, .batch_events = BATCH },
        { .piece_bytes = 97, .batch_events = BATCH },
    };
    struct tr_open_opts o = TR_OPEN_OPTS_INIT;
    struct tr_buf first = { 0 }, other = { 0 };
    bool fixed = false, ignored = false;
    if (size > 3 && !memcmp(data, "\x89TR", 3))
        return 0; /* a stream: fuzz_stream */
    const char *path = text_file(data, size);
    o.temp_dir = "/tmp";
    o.tuning.batch_events = BATCH;
    enum tr_status st = read_trace(path, &o, &first, &fixed);
    for (size_t i = 0; i < sizeof tunings / sizeof tunings[0]; i++) {
        o.tuning = tunings[i];
        o.n_threads = i == 2 && size % 16 == 0 ? 2 : 1; /* threads take time */
        o.max_memory_bytes = (size_t)(i == 1 ? 1 : 256) << 20;
        must(read_trace(path, &o, &other, &ignored) == st);
        must(st != TR_OK || (other.len == first.len && !memcmp(other.data, first.data, first.len)));
    }
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
