/* SPDX-License-Identifier: MIT */
/*
 * Any stream as a saved partial result: refused with a reason, or made into rows; what is loaded and saved again gives
 * the same rows.  The bytes are those of a file that --save-partial writes.  The fuzzer changes values, rows and tables
 * in it, and not the packed bytes, of which nearly all changes are found by a checksum.
 */
#include "../unit/stream_make.h"

#include "tracepipe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum tr_status add_bytes(void *ctx, const void *bytes, size_t n, struct tr_error *err)
{
    (void)err;
    NEED(tr_buf_add(ctx, bytes, n));
    return TR_OK;
}

static void print_all(struct tr_report *r, struct tr_buf *out)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_table *t;
    for (size_t i = 0; (t = tr_report_table(r, i)) != NULL; i++)
        NEED(tr_table_print(t, "tsv", add_bytes, out, &err) == TR_OK);
}

/* Add the rows of all partial results to out; or, saved, one partial result of them. */
static enum tr_status make(const void *data, size_t size, bool saved, struct tr_buf *out)
{
    struct tr_trace_options o = TR_TRACE_OPTIONS_INIT;
    const struct tr_memory_input input = { .size = sizeof input, .name = "fuzz", .bytes = data, .n = size };
    const struct tr_memory_input *inputs[] = { &input };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_report *r = tr_report_new();
    struct tr_trace *t = NULL;
    o.input_format = "stream";
    o.temp_dir = "/tmp";
    NEED(r);
    enum tr_status st = tr_trace_open_memory(&t, inputs, 1, &o, &err);
    if (st == TR_OK)
        st = tr_report_add_saved(r, t, &err);
    for (size_t i = 0; st == TR_OK && !saved && tr_report_name(r, i); i++)
        st = tr_report_set(r, "columns", "all", &err);
    if (st == TR_OK)
        st = saved ? tr_report_save(r, t, add_bytes, out, &err) : tr_report_run(r, t, &err);
    if (st == TR_OK && !saved)
        print_all(r, out);
    NEED(st == TR_OK || (err.what[0] && st != TR_SYSTEM));
    tr_report_free(r);
    tr_trace_close(t);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tr_buf rows = { NULL, 0, 0 }, saved = { NULL, 0, 0 }, again = { NULL, 0, 0 };
    if (make(size ? (const void *)data : "", size, false, &rows) == TR_OK && make(data, size, true, &saved) == TR_OK) {
        NEED(make(saved.data, saved.len, false, &again) == TR_OK);
        NEED(same_bytes(&rows, &again));
    }
    tr_buf_free(&rows);
    tr_buf_free(&saved);
    tr_buf_free(&again);
    return 0;
}

#ifdef TR_FUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

enum change { RENAME, RETYPE, DROP_ROW, DOUBLE_ROW, COPY_VALUE, ABSENT, VALUE, NEAR = 11, N_CHANGES = 16, NOTHING };

static void change_value(struct tr_side_value *v, unsigned type, uint64_t what, struct rng *r, struct tr_buf *text)
{
    const int64_t near = (int64_t)((uint64_t)v->v + rng_below(r, 5) - 2);
    v->present = true;
    v->v = type == TR_SIDE_BOOL ? !v->v : what >= NEAR ? near : rng_value(r);
    if (!tr_type_is_string(type))
        return;
    text->len = 0;
    NEED(tr_buf_add(text, v->len ? v->text : "", v->len) && tr_buf_reserve(text, 64));
    v->len = LLVMFuzzerMutate(text->data, v->len, v->len + 64);
    v->text = (const char *)text->data;
}

/* A copy of a table, with a change of one value, row or column; r NULL: with none. */
static struct tr_side_table *copy_of(const struct tr_side_table *from, struct rng *r, struct tr_buf *text)
{
    const uint64_t what = r && from->n_columns ? rng_below(r, N_CHANGES) : NOTHING;
    const uint64_t column = r ? rng_below(r, from->n_columns) : 0, row = r ? rng_below(r, from->n_rows) : 0;
    const uint64_t source = r ? rng_below(r, row + 1) : 0; /* the row that a value comes from */
    struct tr_side_value values[TR_SIDE_MAX_COLUMNS], other = { .present = false };
    struct tr_side_table *t = tr_side_table_new(from->name, from->source);
    uint64_t n = 0;
    NEED(t);
    for (size_t i = 0; i < from->n_columns; i++)
        NEED(tr_side_table_column(t, what == RENAME && i == column ? "renamed" : from->columns[i].name,
                                  what == RETYPE && i == column ? TR_T_INT : from->columns[i].type));
    for (size_t at = 0; tr_side_table_row(from, &at, values); n++) {
        struct tr_side_value *v = &values[column];
        if (n == source && what == COPY_VALUE)
            other = *v;
        if (n == row && what == DROP_ROW)
            continue;
        if (n == row && what == DOUBLE_ROW)
            NEED(tr_side_table_add(t, values));
        if (n == row && what == COPY_VALUE)
            *v = other;
        if (n == row && what == ABSENT)
            v->present = !v->present;
        if (n == row && what >= VALUE && what < N_CHANGES)
            change_value(v, from->columns[column].type, what, r, text);
        if (what == RETYPE) /* a text is no number */
            values[column] = (struct tr_side_value){ .present = true, .v = values[column].v };
        NEED(tr_side_table_add(t, values));
    }
    return t;
}

/* The tables of a stream with changes in one, two of them in another order, or one less, as another stream. */
static bool write_changed(const struct tr_side_tables *from, struct rng *r, struct tr_buf *out)
{
    const struct tr_writer_opts how = { .codec = TR_CODEC_NONE };
    const size_t which = rng_below(r, from->n), swap = rng_below(r, 24) ? which : rng_below(r, from->n);
    const bool drops = from->n > 1 && rng_below(r, 64) == 0;
    struct tr_side_tables tables = { NULL, 0, 0 };
    struct tr_buf text = { NULL, 0, 0 };
    struct tr_sink sink = { sink_to_buf, out };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_dict *dict = tr_dict_new();
    struct tr_summary *summary = tr_summary_new(0);
    struct tr_writer *w;
    NEED(dict && summary);
    for (size_t i = 0; i < from->n; i++) {
        const struct tr_side_table *t = from->v[i == which ? swap : i == swap ? which : i];
        if (t->source != UINT32_MAX) /* its events are not here */
            continue;
        if (i != which || !drops)
            NEED(tr_side_tables_add(&tables, copy_of(t, i == which ? r : NULL, &text)));
    }
    NEED(tr_writer_new(&w, &sink, &how, &err) == TR_OK);
    tr_writer_tables(w, &tables);
    enum tr_status st = tr_writer_start(w, dict, summary, NULL, true, &err);
    if (st == TR_OK)
        st = tr_writer_finish(w, &err);
    else
        tr_writer_abandon(w);
    tr_summary_free(summary);
    tr_dict_free(dict);
    tr_side_tables_free(&tables);
    tr_buf_free(&text);
    return st == TR_OK;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    struct memory_source memory = { .data = data, .len = size };
    struct tr_stream_bytes from = { read_memory, NULL, &memory, NULL };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf out = { NULL, 0, 0 };
    struct rng r = { seed };
    struct tr_input *in = NULL;
    const struct tr_batch *b;
    bool done = tr_reader_open(&in, &from, "fuzz", &err) == TR_OK && tr_input_next(in, &b, &err) == TR_END &&
                in->tables->n && rng_below(&r, 64) && write_changed(in->tables, &r, &out) && out.len <= max;
    if (done && out.len)
        memcpy(data, out.data, out.len);
    size = done ? out.len : LLVMFuzzerMutate(data, size, max);
    if (!done)
        repair(data, size);
    if (in)
        tr_input_close(in);
    tr_buf_free(&out);
    return size;
}
#endif
