/* SPDX-License-Identifier: MIT */
/* The output of tr-filter, redacted if asked for. */
#ifndef FILTER_IO_H
#define FILTER_IO_H

#include "cli/cli_main.h"
#include "cli/cli_stream.h"
#include "model/selection/tr_redact.h"
#include "stream/sort/tr_spool.h"
#include "stream/tr_batch_select.h"

/*
 * The stream that is written.  A redacted stream reveals nothing about events that are not in it (tr_extract.h), and
 * its summary comes before its events.  So the events wait in a temporary file until all have been chosen.
 */
struct filter_out {
    struct cli *cli;
    bool redact, keep_known;
    bool extracts; /* nothing is redacted, but, as there, the stream knows only its own events */
    bool leave;    /* at the end, write nothing after all */
    const struct tr_sink *sink; /* a file that is written instead of the output; NULL: none */
    const char *key_file; /* NULL: a new key for this run */
    const struct tr_input *in;
    struct tr_writer *writer;
    struct tr_redact *redactor;
    struct tr_extract *extract;
    struct tr_spool *spool;       /* chosen events, which wait to be redacted */
    struct tr_selector *selector; /* makes batches of the chosen events for the spool */
    struct tr_batch *selected;
    struct tr_buf key;
    struct tr_summary *summary;
    bool (*keeps)(void *self, uint32_t source); /* may events of a source be selected? */
    bool (*keeps_step)(void *self, uint32_t source, const struct tr_step *step); /* the same for events of a step */
    void *keeps_self;
    struct tr_side_tables tables; /* of the output: those of the input, borrowed; those of an extract, owned */
};

enum tr_status filter_out_start(struct filter_out *o, const struct tr_input *in,
                                struct tr_error *err);
/* The events that the mask keeps; NULL: all of them. */
enum tr_status filter_out_batch(struct filter_out *o, const struct tr_batch *b,
                                const uint8_t *mask, struct tr_error *err);
/* Finish the stream if st is TR_OK; otherwise, abandon it.  Releases everything. */
enum tr_status filter_out_end(struct filter_out *o, enum tr_status st, struct tr_error *err);

#endif
