/* SPDX-License-Identifier: MIT */
/*
 * A format that can be opened: what its line in the registry says.
 *
 * A format of the library is a folder formats/NAME/ and a line in formats/tr_formats_int.h.  Further formats of a
 * caller are a list in struct tr_open_opts; nothing registers itself.
 */
#ifndef TR_INPUT_FORMAT_H
#define TR_INPUT_FORMAT_H

#include "ingest/tr_ingest.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_PROBE_BYTES (64u << 10) /* as many bytes, decompressed, a format is told from at most */
#define TR_PROBE_SURE  80          /* a score from which on the first few bytes are enough */

/* Its functions are given the format, so that those of callers can have more to them. */
struct tr_format {
    const char *name, *brief;
    /*
     * How much does an input that begins so look like this format?  0: not at all; 100: it can be nothing else.
     * The first time it is asked with few bytes (64, or all that there are); if no format is sure then, with
     * TR_PROBE_BYTES.  The best score wins; equal ones are an error that names the formats.
     */
    int (*probe)(const struct tr_format *f, const unsigned char *prefix, size_t n);
    bool needs_seek; /* the bytes can be rewound: a file is read again, all else is copied to a temporary file */
    bool is_stream;  /* it is a stream of events already: damage in compressed data is no salvage */
    /*
     * Open it.  bytes: copied; closed when they have been read, by tr_input_close, or on failure.
     * TR_OK; TR_DAMAGED: it holds no trace, or opts->strict and there is damage; TR_SYSTEM.
     */
    enum tr_status (*open)(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                           const struct tr_open_opts *opts, struct tr_error *err);
};

/* The formats of the library, *n, in the order in which they are listed; static. */
const struct tr_format *const *tr_formats(size_t *n);

#ifdef __cplusplus
}
#endif
#endif
