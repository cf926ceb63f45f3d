/* SPDX-License-Identifier: MIT */
/*
 * Gives a stream random tables: of every source and of none, with columns of all types, and for each source one that
 * repeats when some of its events started.
 *
 *     add_tables SEED <stream >stream
 */
#include "../unit/side_make.h"

#define MAX_EVENTS 5u /* that a table repeats */

static enum tr_status to_stdout(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    (void)ctx;
    return fwrite(bytes, 1, n, stdout) == n ? TR_OK : tr_fail_sys(err, 5, "cannot write");
}

static enum tr_status from_stdin(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    *got = fread(buf, 1, cap, stdin);
    return TR_OK;
}

/* When events of a source started: the time, and which event. */
static void add_starts(struct tr_side_tables *list, const struct tr_batch *b, uint32_t source)
{
    static const unsigned types[] = { TR_SIDE_TIME, TR_SIDE_RECORD };
    struct tr_side_table *t = add_table(list, "starts", source, 2, types, 2);
    for (size_t i = 0; i < b->n && t->n_rows < MAX_EVENTS; i++) {
        if (b->dict->tracks[b->track[i]].source != source || b->ts[i] == TR_TIME_NONE)
            continue;
        const struct tr_side_value row[] = { { true, b->ts[i], b->track[i], NULL, 0 },
                                             { true, (int64_t)b->record[i], source, NULL, 0 } };
        NEED(tr_side_table_add(t, row));
    }
}

static void add_all(struct tr_side_tables *list, const struct tr_dict *d, const struct tr_batch *b, uint64_t seed)
{
    struct rng r = { seed };
    for (uint32_t s = 0; s <= d->n_sources; s++) {
        size_t first = rng_below(&r, N_ALL), n_columns = 1 + rng_below(&r, N_ALL - first);
        uint32_t source = s < d->n_sources ? s : UINT32_MAX;
        if (b && s < d->n_sources)
            add_starts(list, b, s);
        if (d->n_sources && d->n_tracks)
            add_rows(add_table(list, s & 1 ? "odd" : "even", source, n_columns, &all_types[first], N_ALL - first), d,
                     &r, rng_below(&r, 6));
    }
}

int main(int argc, char **argv)
{
    struct tr_stream_bytes from = { from_stdin, NULL, NULL, NULL };
    const struct tr_sink sink = { to_stdout, NULL };
    const struct tr_batch *b = NULL;
    struct tr_side_tables list = { NULL, 0, 0 };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in;
    struct tr_writer *w;
    NEED(argc == 2);
    NEED(tr_reader_open(&in, &from, "standard input", &err) == TR_OK);
    enum tr_status st = tr_input_next(in, &b, &err);
    NEED(st == TR_OK || st == TR_END);
    add_all(&list, in->dict, st == TR_OK ? b : NULL, strtoull(argv[1], NULL, 10));
    NEED(tr_writer_new(&w, &sink, NULL, &err) == TR_OK);
    tr_writer_tables(w, &list);
    NEED(tr_writer_start(w, in->dict, in->summary, in->provenance, in->sorted, &err) == TR_OK);
    for (; st == TR_OK; st = tr_input_next(in, &b, &err))
        NEED(tr_writer_batch(w, b, &err) == TR_OK);
    NEED(st == TR_END && tr_writer_finish(w, &err) == TR_OK && fflush(stdout) == 0);
    tr_input_close(in);
    tr_side_tables_free(&list);
    return 0;
}
