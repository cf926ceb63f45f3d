/* SPDX-License-Identifier: MIT */
/* No damage goes unnoticed: cuts, flipped bits, bytes too many, blocks out of place, events out of
 * order. */
#include "stream_make.h"

static void small_stream(unsigned codec, uint64_t seed, size_t n, struct tr_buf *out)
{
    struct made m = make_stream(&(struct recipe){ seed, n, true, 0 });
    struct tr_writer_opts o = { codec, 0, 1, 16 };
    NEED(write_made(&m, &o, true, 0, out, NULL) == TR_OK);
    made_free(&m);
}

static void test_cuts(struct tap *t)
{
    for (unsigned codec = 0; codec < 2; codec++) {
        struct tr_buf s = { NULL, 0, 0 };
        bool good = true;
        small_stream(codec, 2, 40, &s);
        for (size_t len = 0; len < s.len; len++) {
            struct memory_source source = { .data = s.data, .len = len };
            struct tr_error err = TR_ERROR_INIT;
            char want[100];
            snprintf(want, sizeof want,
                     "ends at byte %zu without a trailer: the writer failed or was stopped", len);
            good &= read_text(&source, NULL, &err) == TR_DAMAGED && strcmp(err.what, want) == 0 &&
                    strcmp(err.input, "memory") == 0;
        }
        tap_ok(t, good, "cut at each of %zu bytes: damaged, and the byte is named", s.len);
        tr_buf_free(&s);
    }
}

static void test_flips(struct tap *t)
{
    for (unsigned codec = 0; codec < 2; codec++) {
        struct tr_buf s = { NULL, 0, 0 };
        bool good = true;
        small_stream(codec, 2, 24, &s);
        for (size_t bit = 0; bit < s.len * 8; bit++) {
            struct memory_source source = { .data = s.data, .len = s.len };
            struct tr_error err = TR_ERROR_INIT;
            s.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
            good &= read_text(&source, NULL, &err) == TR_DAMAGED && err.what[0];
            s.data[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        tap_ok(t, good, "each of %zu bits flipped: damaged", s.len * 8);
        tr_buf_free(&s);
    }
}

/* The same with true checksums: what comes after them must neither crash nor call another content
 * whole by mistake. */
static void test_repaired(struct tap *t)
{
    size_t n_whole = 0, n_damaged = 0;
    struct rng r = { 9 };
    for (unsigned codec = 0; codec < TR_N_CODECS; codec++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct tr_buf s = { NULL, 0, 0 };
            small_stream(codec, seed, 40, &s);
            unsigned char *copy = malloc(s.len);
            NEED(copy);
            for (unsigned i = 0; i < 1500; i++) {
                struct memory_source source = { .data = copy, .len = s.len };
                struct tr_error err = TR_ERROR_INIT;
                struct tr_buf text = { NULL, 0, 0 };
                memcpy(copy, s.data, s.len);
                for (uint64_t k = rng_below(&r, 3) + 1; k > 0; k--) {
                    size_t at = rng_below(&r, s.len);
                    uint64_t flip =
                        rng_below(&r, 2) ? rng_next(&r) : UINT64_C(1) << rng_below(&r, 8);
                    copy[at] = (unsigned char)(copy[at] ^ flip);
                }
                repair(copy, s.len);
                enum tr_status st = read_text(&source, &text, &err);
                NEED(st == TR_END || st == TR_DAMAGED);
                NEED(st == TR_END || err.what[0]);
                n_whole += st == TR_END;
                n_damaged += st == TR_DAMAGED;
                tr_buf_free(&text);
            }
            free(copy);
            tr_buf_free(&s);
        }
    tap_ok(t, n_damaged > n_whole,
           "changed under true checksums: %zu damaged, %zu another content", n_damaged, n_whole);
}

static enum tr_status read_bytes(const void *data, size_t len, struct tr_error *err)
{
    struct memory_source source = { .data = data, .len = len };
    *err = (struct tr_error)TR_ERROR_INIT;
    return read_text(&source, NULL, err);
}

static void test_joined(struct tap *t)
{
    struct tr_buf s = { NULL, 0, 0 };
    struct tr_error err;
    char place[64];
    small_stream(0, 3, 30, &s);
    size_t len = s.len;
    snprintf(place, sizeof place, "byte %zu", len);
    NEED(tr_buf_reserve(&s, len));
    NEED(tr_buf_add(&s, s.data, len));
    tap_ok(t,
           read_bytes(s.data, s.len, &err) == TR_DAMAGED && strstr(err.what, "tr-merge") &&
               strcmp(err.place, place) == 0,
           "two streams in one file: %s: %s", err.place, err.what);
    tap_ok(t, read_bytes(s.data, len + 1, &err) == TR_DAMAGED, "one byte too many");
    tr_buf_free(&s);
}

static void test_no_stream(struct tap *t)
{
    struct tr_error err;
    static const char json[] = "{\"traceEvents\": []}";
    unsigned char p[TR_PREAMBLE_BYTES], q[TR_PREAMBLE_BYTES];
    tap_ok(t,
           read_bytes(json, sizeof json, &err) == TR_DAMAGED &&
               strstr(err.what, "not an event stream"),
           "JSON: %s", err.what);
    tap_ok(t, read_bytes("{}", 2, &err) == TR_DAMAGED, "two bytes: %s", err.what);
    tap_ok(t, read_bytes(json, 0, &err) == TR_DAMAGED && strstr(err.what, "ends at byte 0"),
           "nothing: %s", err.what);
    tr__preamble_put(p);
    memcpy(q, p, sizeof q);
    memmove(q + 4, q + 5, 4); /* a zero byte lost on the way */
    tap_ok(t, read_bytes(q, sizeof q, &err) == TR_DAMAGED && strstr(err.what, "as text"),
           "text: %s", err.what);
    memcpy(q, p, sizeof q);
    q[8] = 3;
    repair(q, sizeof q);
    tap_ok(t, read_bytes(q, sizeof q, &err) == TR_DAMAGED && strstr(err.what, "version 3."),
           "major: %s", err.what);
    q[8] = 1; /* its checksum was another one */
    tap_ok(t, read_bytes(q, sizeof q, &err) == TR_DAMAGED && strcmp(err.what, "stream of format 1.x: parse the trace again") == 0,
           "1.x: %s", err.what);
    tap_ok(t,
           tr_reader_probe(p, 3) && tr_reader_probe(p, 16) && !tr_reader_probe(p, 2) &&
               !tr_reader_probe(json, 16),
           "streams are known by their first bytes");
}

/* Where block number n starts. */
static size_t block_at(const struct tr_buf *s, unsigned n)
{
    size_t at = TR_PREAMBLE_BYTES;
    while (n-- > 0)
        at += TR_BLOCK_BYTES + tr__get32(s->data + at + 8);
    return at;
}

static void test_blocks(struct tap *t)
{
    struct tr_buf s = { NULL, 0, 0 }, x = { NULL, 0, 0 };
    struct tr_error err;
    unsigned n = 0, first_events = 0;
    small_stream(0, 4, 60, &s);
    for (size_t at = TR_PREAMBLE_BYTES; at < s.len;
         at += TR_BLOCK_BYTES + tr__get32(s.data + at + 8), n++)
        if (!first_events && tr__get16(s.data + at) == TR_BLOCK_EVENTS)
            first_events = n;
    bool lost = true, twice = true;
    for (unsigned k = 0; k < n; k++) {
        size_t at = block_at(&s, k), end = k + 1 < n ? block_at(&s, k + 1) : s.len;
        x.len = 0;
        NEED(tr_buf_add(&x, s.data, at) && tr_buf_add(&x, s.data + end, s.len - end));
        repair(x.data, x.len);
        lost &= read_bytes(x.data, x.len, &err) == TR_DAMAGED;
        x.len = 0;
        NEED(tr_buf_add(&x, s.data, end) && tr_buf_add(&x, s.data + at, s.len - at));
        repair(x.data, x.len);
        twice &= read_bytes(x.data, x.len, &err) == TR_DAMAGED;
    }
    tap_ok(t, lost && twice, "each of %u blocks lost, or there twice: damaged", n);

    size_t at = block_at(&s, first_events);
    for (unsigned critical = 0; critical < 2; critical++) {
        unsigned char block[TR_BLOCK_BYTES + 4] = { 0 };
        tr__put16(block, 777);
        block[2] = (unsigned char)critical;
        tr__put32(block + 8, 4);
        tr__put32(block + 12, 4);
        x.len = 0;
        NEED(tr_buf_add(&x, s.data, at) && tr_buf_add(&x, block, sizeof block) &&
             tr_buf_add(&x, s.data + at, s.len - at));
        for (unsigned k = 0; k < n + 1; k++)
            tr__put32(x.data + block_at(&x, k) + 32, k);
        repair(x.data, x.len);
        /* The index cannot agree with a block that was put in, but the block itself is passed. */
        NEED(read_bytes(x.data, x.len, &err) == TR_DAMAGED);
        tap_ok(t, (strstr(err.what, critical ? "unknown and critical" : "the index") != NULL),
               "a block of an unknown type: %s", err.what);
    }
    tr_buf_free(&s);
    tr_buf_free(&x);
}

static void test_order(struct tap *t)
{
    static const struct {
        const char *what;
        int column; /* 0 ts, 1 dur, 2 record */
    } cases[] = { { "ts", 0 }, { "dur", 1 }, { "record", 2 } };
    for (size_t k = 0; k < 3; k++)
        for (unsigned edge = 0; edge < 2; edge++) {
            struct made m = make_stream(&(struct recipe){ 6, 40, true, 0 });
            struct tr_batch *b = m.batch;
            size_t i = edge ? 16 : 20; /* at the start of a block, or inside one */
            for (size_t e = 0; e < b->n; e++) {
                b->ts[e] = e < i ? (int64_t)e : (int64_t)e + 50;
                b->dur[e] = b->suspect[e] == TR_SUSPECT_NO ? b->dur[e] : 10;
                b->suspect[e] = TR_SUSPECT_NO;
            }
            b->ts[i] = b->ts[i - 1];
            b->dur[i] = b->dur[i - 1] = 10;
            b->track[i] = b->track[i - 1];
            b->record[i - 1] = 5;
            b->record[i] = 6;
            struct tr_buf good = { NULL, 0, 0 }, bad = { NULL, 0, 0 };
            struct tr_writer_opts o = { 0, 0, 1, 16 };
            struct tr_error err;
            NEED(write_made(&m, &o, true, 0, &good, NULL) == TR_OK);
            if (cases[k].column == 0)
                b->ts[i] -= 3;
            else if (cases[k].column == 1)
                b->dur[i]++;
            else
                b->record[i] = 4;
            NEED(write_made(&m, &o, true, 0, &bad, NULL) == TR_OK);
            char place[32];
            snprintf(place, sizeof place, "event %zu", i);
            bool whole = read_bytes(good.data, good.len, &err) == TR_END;
            tap_ok(t,
                   whole && read_bytes(bad.data, bad.len, &err) == TR_DAMAGED &&
                       strcmp(err.place, place) == 0 && strstr(err.what, "order"),
                   "out of order by %s: %s: %s", cases[k].what, err.place, err.what);
            tr_buf_free(&good);
            tr_buf_free(&bad);
            made_free(&m);
        }
}

static void test_sticky(struct tap *t)
{
    struct tr_buf s = { NULL, 0, 0 };
    small_stream(0, 3, 40, &s);
    struct memory_source source = { .data = s.data, .len = s.len - 1 };
    struct tr_stream_bytes from = { read_memory, NULL, &source, NULL };
    struct tr_error err = TR_ERROR_INIT, again = TR_ERROR_INIT;
    struct tr_input *in;
    const struct tr_batch *b;
    NEED(tr_reader_open(&in, &from, "memory", &err) == TR_OK);
    while (tr_input_next(in, &b, &err) == TR_OK)
        continue;
    tap_ok(t, tr_input_next(in, &b, &again) == TR_DAMAGED && strcmp(err.what, again.what) == 0,
           "damage stays damage at the next call");
    tr_input_close(in);
    tr_input_close(NULL);
    tr_buf_free(&s);
}

/* A stream read within a limit for what is kept as a whole: refused by a limit below, whole by one above. */
static void test_limit(struct tap *t)
{
    struct tr_buf s = { NULL, 0, 0 };
    size_t low = 0, high = (size_t)1 << 24;
    struct tr_error err = TR_ERROR_INIT;
    small_stream(0, 3, 40, &s);
    while (high - low > 1) { /* the smallest limit that is enough */
        size_t max = low + (high - low) / 2;
        struct memory_source source = { .data = s.data, .len = s.len };
        struct tr_stream_bytes from = { read_memory, NULL, &source, NULL };
        struct tr_error why = TR_ERROR_INIT;
        const struct tr_batch *b;
        struct tr_input *in;
        struct tr_budget *budget = tr_budget_new(max);
        NEED(budget);
        const struct tr_reader_room room = { .budget = budget, .copies = 1 };
        enum tr_status st = tr_reader_open_within(&in, &from, "memory", &room, &why);
        if (st == TR_OK) {
            while ((st = tr_input_next(in, &b, &why)) == TR_OK)
                continue;
            tr_input_close(in);
        }
        NEED(tr_budget_take(budget, max) && !tr_budget_take(budget, 1)); /* all of it has come back */
        tr_budget_free(budget);
        *(st == TR_END ? &high : &low) = max;
        if (st != TR_END)
            err = why;
        NEED(st == TR_END || (st == TR_SYSTEM && strstr(why.what, "more memory than -M allows")));
    }
    tap_ok(t, low > s.len / 8 && high < 64 * s.len, "of %zu bytes of stream, at least %zu are taken for kept", s.len, high);
    tap_ok(t, err.status == TR_SYSTEM && err.place[0], "a byte less is refused at its place: %s: %s", err.place, err.what);
    tr_buf_free(&s);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_cuts(&t);
    test_flips(&t);
    test_repaired(&t);
    test_joined(&t);
    test_no_stream(&t);
    test_blocks(&t);
    test_order(&t);
    test_sticky(&t);
    test_limit(&t);
    return tap_end(&t);
}
