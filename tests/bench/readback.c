/* SPDX-License-Identifier: MIT */
/*
 * readback: read an event stream with every column decoded and every value touched.
 *
 *     readback FILE
 *
 * Prints "events N values V sum S"; the sum is over all values modulo 2^64, so that no reading can
 * be left out.  Status 3: the stream is damaged, 4: it cannot be read.
 */
#include "stream/format/tr_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct tally {
    uint64_t n_events, n_values, sum;
};

static enum tr_status read_bytes(void *ctx, void *buf, size_t cap, size_t *got,
                                 struct tr_error *err)
{
    const int *fd = ctx;
    ssize_t n;

    do
        n = read(*fd, buf, cap);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return tr_fail_sys(err, errno, "cannot be read");
    *got = (size_t)n;
    return TR_OK;
}

static void add_packed(struct tally *t, const struct tr_batch *b)
{
    for (size_t c = 0; c < b->n_cols; c++) {
        const struct tr_col *col = &b->cols[c];

        if (tr_type_is_string(b->dict->columns[c].type))
            for (size_t i = 0; i < col->n; i++)
                t->sum += col->v.str[i];
        else
            for (size_t i = 0; i < col->n; i++)
                t->sum += (uint64_t)col->v.i64[i];
        t->n_values += col->n;
    }
}

static void add_batch(struct tally *t, const struct tr_batch *b)
{
    for (size_t i = 0; i < b->n; i++) {
        t->sum += (uint64_t)b->ts[i] + (uint64_t)b->dur[i] + b->record[i];
        t->sum += (uint64_t)b->track[i] + b->shape[i] + b->name[i] + b->cat[i];
        t->sum += (uint64_t)b->phase[i] + b->activity[i] + b->kind[i] + b->suspect[i] + b->flags[i];
    }
    t->n_events += b->n;
    t->n_values += 12 * b->n;
    add_packed(t, b);
}

int main(int argc, char **argv)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_stream_bytes from = { .read = read_bytes };
    struct tally t = { 0 };
    struct tr_input *in = NULL;
    const struct tr_batch *b;
    enum tr_status st;
    int fd;

    if (argc != 2) {
        fprintf(stderr, "usage: readback FILE\n");
        return 2;
    }
    fd = open(argv[1], O_RDONLY);
    if (fd < 0) {
        perror(argv[1]);
        return 4;
    }
    from.ctx = &fd;
    st = tr_reader_open(&in, &from, argv[1], &err);
    while (st == TR_OK && (st = tr_input_next(in, &b, &err)) == TR_OK)
        add_batch(&t, b);
    tr_input_close(in);
    close(fd);
    if (st != TR_END) {
        fprintf(stderr, "readback: %s: %s%s%s\n", argv[1], err.place,
                err.place[0] != 0 ? ": " : "", err.what);
        return st == TR_DAMAGED ? 3 : 4;
    }
    printf("events %" PRIu64 " values %" PRIu64 " sum %" PRIu64 "\n", t.n_events, t.n_values,
           t.sum);
    return 0;
}
