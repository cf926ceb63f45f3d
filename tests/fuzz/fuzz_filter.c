/* SPDX-License-Identifier: MIT */
/*
 * The first line as an expression, the rest as a trace: what is selected does not depend on how the events
 * stand in batches, an event is selected by EXPR or by !(EXPR), and the stream of those selected is whole.
 */
#include "fuzz_text.h"

#include "expr/tr_expr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct selected {
    struct tr_buf marks; /* a byte per event */
    struct tr_buf stream;
};

/* TR_OK, or why the trace or its use with this expression was refused. */
static enum tr_status apply(const char *path, const char *text, size_t batch_events,
                            struct selected *out)
{
    struct tr_open_opts o = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    const struct tr_sink sink = { add_to_buf, &out->stream };
    const struct tr_batch *b;
    struct tr_writer *w = NULL;
    struct tr_input *in;
    struct tr_expr *e;
    o.tuning.batch_events = batch_events;
    if (tr_open(&in, path, &o, &err) != TR_OK)
        return TR_DAMAGED;
    must(tr_expr_compile(&e, text, &err) == TR_OK);
    enum tr_status st = tr_expr_bind(e, in, &err);
    if (st == TR_OK)
        must(tr_writer_new(&w, &sink, NULL, &err) == TR_OK &&
             tr_writer_start(w, in->dict, in->summary, NULL, in->sorted, &err) == TR_OK);
    while (st == TR_OK && (st = tr_input_next(in, &b, &err)) == TR_OK) {
        size_t before = out->marks.len;
        must(tr_buf_reserve(&out->marks, b->n));
        uint8_t *mask = out->marks.data + before;
        st = tr_expr_eval(e, b, mask, &err);
        out->marks.len += b->n;
        for (size_t i = 0; st == TR_OK && i < b->n; i++)
            must(mask[i] <= 1);
        if (st == TR_OK)
            must(tr_writer_select(w, b, mask, &err) == TR_OK);
    }
    if (st == TR_END)
        st = tr_writer_finish(w, &err);
    else
        tr_writer_abandon(w);
    tr_expr_free(e);
    tr_input_close(in);
    return st;
}

/* The stream is whole and has so many events. */
static void count(const struct tr_buf *stream, size_t n)
{
    struct tr_open_opts o = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    const struct tr_batch *b;
    struct tr_input *in;
    enum tr_status st = tr_open(&in, text_file(stream->data, stream->len), &o, &err);
    must(st == TR_OK);
    while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
        must(b->n <= n);
        n -= b->n;
    }
    must(st == TR_END && n == 0);
    tr_input_close(in);
}

static void free_selected(struct selected *s)
{
    tr_buf_free(&s->marks);
    tr_buf_free(&s->stream);
}

static void compare(const char *path, const char *text)
{
    struct selected all = { 0 }, one = { 0 }, none = { 0 };
    char negated[300];
    snprintf(negated, sizeof negated, "!(%s\n)", text);
    enum tr_status st = apply(path, text, 0, &all);
    must(apply(path, text, 1, &one) == st);
    if (st == TR_OK) {
        must(all.marks.len == one.marks.len &&
             (!all.marks.len || !memcmp(all.marks.data, one.marks.data, all.marks.len)));
        must(apply(path, negated, 3, &none) == TR_OK && none.marks.len == all.marks.len);
        size_t n = 0;
        for (size_t i = 0; i < all.marks.len; i++) {
            must(all.marks.data[i] + none.marks.data[i] == 1);
            n += all.marks.data[i];
        }
        count(&all.stream, n);
        count(&one.stream, n);
        count(&none.stream, all.marks.len - n);
    }
    free_selected(&all);
    free_selected(&one);
    free_selected(&none);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_expr *e;
    char text[256];
    const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
    size_t n = end ? (size_t)(end - data) : 0;
    if (!end || n >= sizeof text)
        return 0;
    memcpy(text, data, n);
    text[n] = '\0';
    enum tr_status st = tr_expr_compile(&e, text, &err);
    tr_expr_free(e);
    if (st == TR_OK)
        compare(text_file(end + 1, size - n - 1), text);
    return 0;
}
