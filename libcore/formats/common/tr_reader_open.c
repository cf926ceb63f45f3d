/* SPDX-License-Identifier: MIT */
/* How formats open an input. */
#include "formats/common/tr_reader_open_int.h"

#include <stdlib.h>

void *tr__reader_state(size_t size, tr__reader_init *init, const void *of, void (*release)(void *state),
                       const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts, struct tr_error *err)
{
    void *state = calloc(1, size);
    if (state && (!init || init(state, of, bytes, opts)))
        return state;
    if (state)
        release(state);
    if (bytes->close)
        bytes->close(bytes->ctx);
    tr_fail_memory(err);
    return NULL;
}

enum tr_status tr__reader_open(struct tr_input **out, const struct tr_ingest_reader *reader, size_t size,
                               tr__reader_init *init, const void *of, const struct tr_ingest_bytes *bytes,
                               const struct tr_open_opts *opts, struct tr_error *err)
{
    void *state = tr__reader_state(size, init, of, reader->free, bytes, opts, err);
    return state ? tr_ingest_open(out, reader, state, bytes, opts, err) : TR_SYSTEM;
}
