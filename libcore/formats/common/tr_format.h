/* SPDX-License-Identifier: MIT */
/*
 * A format that can be opened: an entry of the registry.
 *
 * A format of the library is a folder formats/NAME/ and a line in formats/common/tr_format_list_int.h.  Formats of the
 * caller are a list in struct tr_open_opts; no format registers itself.
 *
 * The folder formats/common has what formats share.  Central: struct tr_format (here), struct tr__window
 * (tr_window_int.h), struct tr__proto (tr_proto_read_int.h), struct tr__numbers.
 */
#ifndef TR_INPUT_FORMAT_H
#define TR_INPUT_FORMAT_H

#include "ingest/tr_ingest.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_PROBE_BYTES (64u << 10) /* maximum of decompressed bytes that are used to detect a format */
#define TR_PROBE_SURE  80          /* with this score, the first few bytes are enough */

/* Its functions get the format, so a format of a caller can be a larger struct. */
struct tr_format {
    const char *name, *brief;
    /*
     * How likely is it that an input with this start has this format?  From 0: it does not, to 100: it certainly has.
     * The first call has few bytes (64, or the whole input).  If no score is TR_PROBE_SURE or more, a second call has
     * TR_PROBE_BYTES.  The best score wins; two equal ones are an error that names the formats.
     */
    int (*probe)(const struct tr_format *f, const unsigned char *prefix, size_t n);
    bool needs_seek; /* it reads its input twice: a file is read again, other inputs are copied to a file first */
    bool at_any_place; /* with needs_seek: it reads at any place; what is compressed is copied to a file first, too */
    bool is_stream;  /* it is a stream of events: damage in compressed data is an error, and is not salvaged */
    /*
     * Open it.  bytes: copied; closed when they have been read, by tr_input_close, or on failure.
     * TR_OK; TR_DAMAGED: it has no trace, or it is damaged and opts->strict is set; TR_SYSTEM.
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
