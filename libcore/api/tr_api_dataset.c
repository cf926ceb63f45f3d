/* SPDX-License-Identifier: MIT */
/* The public interface: data sets, which are traces that were read once and are asked any number of times. */
#include "api/tr_api_int.h"

#include "io/tr_mmap_array.h"

#include <stdlib.h>
#include <string.h>

struct tr_dataset {
    struct tr_mmap_array *bytes; /* a stream */
    uint64_t n;
    char *name; /* of the inputs, for messages */
};

static enum tr_status keep_bytes(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    struct tr_dataset *d = ctx;
    enum tr_status st = tr_mmap_array_grow(d->bytes, d->n + n, err);
    if (st == TR_OK && n)
        memcpy((char *)tr_mmap_array_data(d->bytes) + d->n, bytes, n);
    d->n += st == TR_OK ? n : 0;
    return st;
}

static enum tr_status read_all(struct tr_dataset *d, struct tr_trace *trace, struct tr_error *err)
{
    struct tr_output_options how = TR_OUTPUT_OPTIONS_INIT;
    struct tr_output *o = NULL;
    const struct tr_batch *b;
    how.compress = "lz4";
    how.threads = trace->open.n_threads;
    enum tr_status st = tr_output_open_to(&o, keep_bytes, d, trace, &how, err);
    while (st == TR_OK && (st = tr_trace_next(trace, &b, err)) == TR_OK)
        st = tr_output_batch(o, b, err);
    if (st == TR_END)
        return tr_output_finish(o, err);
    tr_output_abandon(o);
    return st;
}

enum tr_status tr_dataset_new(struct tr_dataset **out, struct tr_trace *trace, struct tr_error *err)
{
    struct tr_dataset *d = calloc(1, sizeof *d);
    *out = NULL;
    if (!d)
        return tr_fail_memory(err);
    enum tr_status st = trace->started ? tr_fail(err, TR_USAGE, "events of the trace have been read") : TR_OK;
    if (st == TR_OK && !(d->name = strdup(trace->in->name)))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_mmap_array_open(&d->bytes, trace->open.temp_dir, trace->open.max_memory_bytes / 2, UINT64_MAX, err);
    if (st == TR_OK)
        st = read_all(d, trace, err);
    if (st == TR_OK)
        *out = d;
    else
        tr_dataset_free(d);
    return st;
}

void tr_dataset_free(struct tr_dataset *d)
{
    if (!d)
        return;
    tr_mmap_array_free(d->bytes);
    free(d->name);
    free(d);
}

enum tr_status tr_dataset_open(const struct tr_dataset *d, struct tr_trace **out,
                               const struct tr_trace_options *options, struct tr_error *err)
{
    const struct tr_memory_input bytes = { sizeof bytes, d->name, tr_mmap_array_data(d->bytes), (size_t)d->n };
    const struct tr_memory_input *const inputs[] = { &bytes };
    return tr_trace_open_memory(out, inputs, 1, options, err);
}
