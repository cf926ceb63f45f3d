/* SPDX-License-Identifier: MIT */
/* Reading ahead in a thread: the same events, the same refusals, and an end at any time. */
#include "stream_make.h"

#include <fcntl.h>
#include <unistd.h>

struct outcome {
    enum tr_status st;
    struct tr_error err;
    struct tr_buf text; /* of the events that came before it, and of the dictionary */
    size_t n_batches;
};

/* A copy that the reader releases: it may read on when its input has been closed. */
static struct tr_stream_bytes copy_of(const struct tr_buf *s, size_t len)
{
    struct memory_source *m = malloc(sizeof *m + len + 1);
    NEED(m);
    unsigned char *data = (unsigned char *)(m + 1);
    memcpy(data, s->data, len);
    *m = (struct memory_source){ .data = data, .len = len };
    return (struct tr_stream_bytes){ read_memory, free, m, NULL };
}

/* Read at most max batches. */
static struct outcome read_stream(const struct tr_buf *s, size_t len, unsigned ahead, size_t max)
{
    struct tr_stream_bytes from = copy_of(s, len);
    struct outcome o = { .err = TR_ERROR_INIT };
    struct tr_input *in;
    const struct tr_batch *b;
    o.st = tr_reader_open(&in, &from, "memory", &o.err);
    if (o.st != TR_OK) {
        free(from.ctx);
        return o;
    }
    if (ahead)
        tr_input_ahead(in, ahead);
    while (o.n_batches < max && (o.st = tr_input_next(in, &b, &o.err)) == TR_OK) {
        text_of_batch(b, &o.text);
        o.n_batches++;
    }
    if (o.st != TR_OK) {
        struct tr_error again = TR_ERROR_INIT;
        NEED(tr_input_next(in, &b, &again) == o.st);
        text_of_dict(in->dict, &o.text);
    }
    tr_input_close(in);
    return o;
}

static bool same_ahead(const struct tr_buf *s, size_t len, unsigned ahead, size_t max)
{
    struct outcome a = read_stream(s, len, 0, max), b = read_stream(s, len, ahead, max);
    bool same = a.st == b.st && a.n_batches == b.n_batches && same_bytes(&a.text, &b.text);
    if (a.st == TR_DAMAGED)
        same = same && !strcmp(a.err.what, b.err.what) && !strcmp(a.err.place, b.err.place) &&
               !strcmp(a.err.input, b.err.input);
    tr_buf_free(&a.text);
    tr_buf_free(&b.text);
    return same;
}

static bool same_outcome(const struct tr_buf *s, size_t len, size_t max)
{
    return same_ahead(s, len, 5, max) && same_ahead(s, len, 1, max);
}

static void stream_of(uint64_t seed, size_t n, unsigned codec, struct tr_buf *out)
{
    struct made m = make_stream(&(struct recipe){ .seed = seed, .n_events = n, .sorted = seed % 2 == 0 });
    struct tr_writer_opts o = { codec, 0, 1, 16 };
    NEED(write_made(&m, &o, true, 0, out, NULL) == TR_OK);
    made_free(&m);
}

static void test_same(struct tap *t)
{
    bool whole = true, early = true;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct tr_buf s = { NULL, 0, 0 };
        stream_of(seed, 300, (unsigned)(seed % TR_N_CODECS), &s);
        whole &= same_outcome(&s, s.len, SIZE_MAX);
        for (size_t max = 0; max < 12; max++)
            early &= same_outcome(&s, s.len, max);
        tr_buf_free(&s);
    }
    tap_ok(t, whole, "a stream is the same");
    tap_ok(t, early, "and so are its first batches");
}

static void test_damage(struct tap *t)
{
    bool cuts = true, flips = true;
    struct tr_buf s = { NULL, 0, 0 };
    stream_of(2, 60, 0, &s);
    for (size_t len = 0; len < s.len; len += 3)
        cuts &= same_outcome(&s, len, SIZE_MAX);
    for (size_t bit = 0; bit < s.len * 8; bit += 13) {
        s.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        flips &= same_outcome(&s, s.len, SIZE_MAX);
        repair(s.data, s.len);
        flips &= same_outcome(&s, s.len, SIZE_MAX);
        s.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        repair(s.data, s.len);
    }
    tap_ok(t, cuts, "cut streams are refused in the same words");
    tap_ok(t, flips, "and so are changed ones");
    tr_buf_free(&s);
}

/* ---- an input that waits ---- */

struct waiting {
    int fd, closed; /* where bytes come from; what is written to when the source is closed */
};

static enum tr_status read_waiting(void *ctx, void *buf, size_t cap, size_t *got,
                                   struct tr_error *err)
{
    struct waiting *w = ctx;
    ssize_t n = read(w->fd, buf, cap);
    (void)err;
    NEED(n >= 0);
    *got = (size_t)n;
    return TR_OK;
}

static void close_waiting(void *ctx)
{
    struct waiting *w = ctx;
    NEED(write(w->closed, "c", 1) == 1);
}

/* All but the last bytes of a stream come; what can be read is read, and the input closed. */
static void test_waiting(struct tap *t)
{
    int data[2], closed[2];
    char c;
    struct tr_buf s = { NULL, 0, 0 };
    stream_of(4, 100, 0, &s);
    NEED(pipe(data) == 0 && pipe(closed) == 0 && s.len < 60000);
    NEED(write(data[1], s.data, s.len - 100) == (ssize_t)(s.len - 100));
    struct waiting w = { data[0], closed[1] };
    struct tr_stream_bytes from = { read_waiting, close_waiting, &w, NULL };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in;
    const struct tr_batch *b;
    NEED(tr_reader_open(&in, &from, "pipe", &err) == TR_OK);
    tr_input_ahead(in, 5);
    size_t n = 0;
    while (n < 100 && tr_input_next(in, &b, &err) == TR_OK)
        n += b->n;
    tap_ok(t, n == 100, "events are handed out while their input waits");
    tr_input_close(in);
    tap_ok(t, true, "such an input can be closed");
    close(data[1]);
    tap_ok(t, read(closed[0], &c, 1) == 1, "and its source is closed in the end");
    close(data[0]);
    close(closed[0]);
    close(closed[1]);
    tr_buf_free(&s);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_same(&t);
    test_damage(&t);
    test_waiting(&t);
    return tap_end(&t);
}
