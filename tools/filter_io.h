/* tr-filter's input, read several times if need be, and its output, redacted if asked for. */
#ifndef FILTER_IO_H
#define FILTER_IO_H

#include "cli/cli_main.h"
#include "cli/cli_stream.h"
#include "model/tr_redact.h"
#include "stream/tr_batch_select.h"
#include "stream/tr_spool.h"

/* Read a whole file of at most max bytes; a zero byte is added and counted. */
enum tr_status filter_read_file(const char *path, size_t max, struct tr_buf *out,
                                struct tr_error *err);

/*
 * The files from operand first on, to be read from the start as often as needed: again if all of
 * them are event streams in regular files, else from a copy that the first reading makes.
 */
struct filter_in {
    struct cli *cli;
    size_t first;
    bool opened;            /* before */
    struct tr_spool *spool; /* NULL: files are opened again */
    bool copying;           /* the first reading is under way */
    struct tr_input *in;    /* of the copy */
};

enum tr_status filter_in_open(struct filter_in *f, struct tr_input **in, struct tr_error *err);
enum tr_status filter_in_keep(struct filter_in *f, const struct tr_batch *b, struct tr_error *err);
enum tr_status filter_in_done(struct filter_in *f, struct tr_error *err); /* read to its end */
void filter_in_close(struct filter_in *f);

/* The stream that is written. */
struct filter_out {
    struct cli *cli;
    bool redact;
    const char *key_file; /* NULL: a key of this run's own */
    const struct tr_input *in;
    struct tr_writer *writer;
    struct tr_redact *redactor;
    struct tr_selector *selector; /* what the redactor gets, as a batch of its own */
    struct tr_batch *selected;
    struct tr_summary *summary;
};

enum tr_status filter_out_begin(struct filter_out *o, const struct tr_input *in,
                                struct tr_error *err);
/* The events that the mask keeps; NULL: all of them. */
enum tr_status filter_out_batch(struct filter_out *o, const struct tr_batch *b,
                                const uint8_t *mask, struct tr_error *err);
/* Finish the stream if st is TR_OK, else abandon it; releases everything. */
enum tr_status filter_out_end(struct filter_out *o, enum tr_status st, struct tr_error *err);

#endif
