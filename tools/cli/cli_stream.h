/* SPDX-License-Identifier: MIT */
/*
 * Writes an event stream from a program: the output, its codec, and the run in the provenance.
 *
 *     struct cli_stream out = { .in = in, .dict = in->dict, .summary = in->summary };
 *     st = cli_stream_start(cli, &out, &w, err);
 *     ...
 *     st = cli_stream_end(w, st, err);
 */
#ifndef CLI_STREAM_H
#define CLI_STREAM_H

#include "cli/cli_main.h"
#include "stream/format/tr_writer.h"
#include "stream/tr_input.h"

/* The stream to write. */
struct cli_stream {
    const struct tr_input *in; /* the input: its provenance, and whether it is sorted */
    const struct tr_dict *dict;
    const struct tr_summary *summary; /* may be NULL */
    const struct tr_side_tables *tables; /* NULL: those of in */
    size_t block_events;              /* 0: default */
    bool no_provenance;               /* always leave it out */
    bool small;                       /* compressed as well as possible: it is small, and kept */
    const struct tr_sink *sink;       /* a regular file that is written instead of the output; NULL: none */
    bool packed;                      /* compressed as in a file, whatever the output is */
};

/* Open the output as a stream and write the blocks before its first event. */
enum tr_status cli_stream_start(struct cli *cli, const struct cli_stream *s, struct tr_writer **w,
                                struct tr_error *err);

/*
 * End the stream.  It is finished if st is TR_OK, TR_END or TR_NO; otherwise, it is abandoned without a trailer.
 * Returns st, or the status of a failed finish.
 */
enum tr_status cli_stream_end(struct tr_writer *w, enum tr_status st, struct tr_error *err);

/* Write all of an input as a stream. */
enum tr_status cli_stream_copy(struct cli *cli, struct tr_input *in, size_t block_events,
                               struct tr_error *err);

/* With --verbose, print the rank of each source, and its rule. */
void cli_report_ranks(struct cli *cli, const struct tr_input *in);

#endif
