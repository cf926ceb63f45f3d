/* SPDX-License-Identifier: MIT */
/* gzip and zlib data, whole, cut and damaged: both decoders give the same. */
#include "io_tap.h"

#include <zlib.h>

/* Compress; window_bits as for deflateInit2 (31: gzip, 15: zlib). */
static void add_deflated(struct tr_buf *out, const void *p, size_t n, int level, int strategy,
                         int window_bits)
{
    z_stream z = { 0 };
    if (deflateInit2(&z, level, Z_DEFLATED, window_bits, 8, strategy) != Z_OK)
        bail("deflateInit2");
    size_t cap = deflateBound(&z, (uLong)n) + 64;
    if (!tr_buf_reserve(out, cap))
        bail("memory");
    z.next_in = (Bytef *)(uintptr_t)p;
    z.avail_in = (uInt)n;
    z.next_out = out->data + out->len;
    z.avail_out = (uInt)cap;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END)
        bail("deflate");
    out->len += cap - z.avail_out;
    deflateEnd(&z);
}

struct result {
    enum tr_status st;
    struct tr_buf data;
    int n_resyncs;
    uint64_t trailing;
    struct tr_error err;
};

/* Read everything, getting over damage up to max_resyncs times; st is that of the last read. */
static struct result decode(const struct tr_buf *in, bool only_zlib, size_t cap, int max_resyncs)
{
    struct result r = { 0 };
    struct tr_bytes *b;
    struct tr_bytes_opts opts = { .only_zlib = only_zlib };
    r.st = tr_bytes_open(&b, file_with(in->data, in->len), "test", &opts, &r.err);
    if (r.st != TR_OK)
        return r;
    while ((r.st = slurp(b, cap, &r.data, &r.err)) == TR_DAMAGED && r.n_resyncs < max_resyncs &&
           tr_bytes_resync(b, NULL, NULL) == TR_OK)
        r.n_resyncs++;
    r.trailing = tr_bytes_trailing(b);
    tr_bytes_close(b);
    return r;
}

static bool equal(const struct result *a, const struct result *b)
{
    return a->st == b->st && same(&a->data, b->data.data, b->data.len) &&
           a->n_resyncs == b->n_resyncs && a->trailing == b->trailing &&
           strcmp(a->err.place, b->err.place) == 0 && strcmp(a->err.what, b->err.what) == 0;
}

static void free_result(struct result *r)
{
    tr_buf_free(&r->data);
}

static void whole(void)
{
    struct tr_buf text = trace_text(900000, 1);
    static const struct { const char *name; int level, strategy, bits; } kinds[] = {
        { "gzip -1", 1, Z_DEFAULT_STRATEGY, 31 }, { "gzip -6", 6, Z_DEFAULT_STRATEGY, 31 },
        { "gzip -9", 9, Z_DEFAULT_STRATEGY, 31 }, { "stored", 0, Z_DEFAULT_STRATEGY, 31 },
        { "fixed codes", 6, Z_FIXED, 31 },        { "Huffman only", 6, Z_HUFFMAN_ONLY, 31 },
        { "zlib", 6, Z_DEFAULT_STRATEGY, 15 },    { "zlib, small window", 6, 0, 9 },
    };
    static const size_t caps[] = { 1, 7, 4096, 65536, 1 << 20 };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct tr_buf z = { 0 };
        size_t bad = 0;
        add_deflated(&z, text.data, text.len, kinds[k].level, kinds[k].strategy, kinds[k].bits);
        for (size_t c = 0; c < sizeof caps / sizeof *caps; c++) {
            for (int only_zlib = 0; only_zlib < 2; only_zlib++) {
                struct result r = decode(&z, only_zlib, caps[c], 0);
                bad += r.st != TR_END || !same(&r.data, text.data, text.len) || r.trailing;
                free_result(&r);
            }
        }
        ok(bad == 0, "%s, reads of 1 byte to 1 MiB", kinds[k].name);
        tr_buf_free(&z);
    }
    tr_buf_free(&text);
}

/* Every cut of a small file, and many of a large one. */
static void cuts(void)
{
    struct tr_buf text = trace_text(12000, 2), z = { 0 };
    static const int strategies[] = { Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY };
    for (int k = 0; k < 3; k++) {
        size_t unequal = 0, wrong = 0, shorter = 0, before = 0;
        z.len = 0;
        add_deflated(&z, text.data, text.len, 6, strategies[k], 31);
        for (size_t n = 2; n < z.len; n++) {
            struct tr_buf cut = { z.data, n, n };
            struct result a = decode(&cut, false, 1 << 16, 0), b = decode(&cut, true, 1 << 16, 0);
            unequal += !equal(&a, &b);
            wrong += a.st != TR_DAMAGED || memcmp(a.data.data ? a.data.data : text.data, text.data,
                                                  a.data.len) != 0;
            shorter += a.data.len < before;
            before = a.data.len;
            free_result(&a);
            free_result(&b);
        }
        ok(!wrong, "cut at every byte: damaged, and what came before is right (%d)", k);
        ok(!shorter && before == text.len, "a later cut gives no less (%d)", k);
        ok(!unequal, "cut at every byte: both decoders agree (%d)", k);
    }
    tr_buf_free(&z);
    tr_buf_free(&text);

    text = trace_text(12000000, 3);
    add_deflated(&z, text.data, text.len, 6, Z_DEFAULT_STRATEGY, 31);
    size_t unequal = 0, few = 0;
    for (size_t i = 1; i < 12; i++) {
        size_t n = z.len / 12 * i + i * 37;
        struct tr_buf cut = { z.data, n, n };
        struct result a = decode(&cut, false, 1 << 18, 0), b = decode(&cut, true, 1 << 18, 0);
        unequal += !equal(&a, &b);
        few += a.data.len < text.len / 13 * i;
        free_result(&a);
        free_result(&b);
    }
    ok(!unequal && !few, "cuts of a large file (%zu compressed bytes)", z.len);
    tr_buf_free(&z);
    tr_buf_free(&text);
}

static void flips(void)
{
    struct tr_buf text = trace_text(150000, 4), z = { 0 };
    uint32_t seed = 5;
    size_t unequal = 0, missed = 0, lost = 0, tails = 0;
    enum { TRIES = 1500 };
    add_deflated(&z, text.data, text.len, 6, Z_DEFAULT_STRATEGY, 31);
    for (int i = 0; i < TRIES; i++) {
        size_t at = 10 + next_random(&seed) % (z.len - 10);
        unsigned char bit = (unsigned char)(1u << next_random(&seed) % 8);
        z.data[at] ^= bit;
        struct result a = decode(&z, false, 1 << 14, 0), b = decode(&z, true, 1 << 14, 0);
        size_t less = a.data.len < b.data.len ? a.data.len : b.data.len;
        missed += a.st != TR_DAMAGED || b.st != TR_DAMAGED;
        unequal += less && memcmp(a.data.data, b.data.data, less) != 0;
        tails += a.data.len != b.data.len;
        /* Up to the block with the damage all is intact; blocks are below 64 KiB of this text. */
        size_t sure = (size_t)((double)at / (double)z.len * (double)text.len);
        sure = sure > 120000 ? sure - 120000 : 0;
        lost += a.data.len < sure || (sure && memcmp(a.data.data, text.data, sure) != 0);
        free_result(&a);
        free_result(&b);
        z.data[at] ^= bit;
    }
    printf("# %zu of %d results differ in their length\n", tails, TRIES);
    ok(!missed, "no flipped bit goes unnoticed");
    ok(!lost, "what comes before is delivered");
    ok(!unequal, "both decoders deliver the same bytes");
    ok(tails <= TRIES / 500, "and as many, but for the odd block whose damaged code is incomplete");
    tr_buf_free(&z);
    tr_buf_free(&text);
}

static void members(void)
{
    struct tr_buf text = trace_text(300000, 6), z = { 0 }, want = { 0 };
    for (size_t i = 0; i < 5; i++)
        add_deflated(&z, text.data + i * 60000, 60000, 6, Z_DEFAULT_STRATEGY, 31);
    size_t members_end = z.len;
    tr_buf_add(&want, text.data, 300000);
    struct result r = decode(&z, false, 1 << 16, 0);
    ok(r.st == TR_END && same(&r.data, want.data, want.len) && !r.trailing, "five members");
    free_result(&r);

    for (int i = 0; i < 3000; i++)
        tr_buf_add(&z, "", 1);
    r = decode(&z, false, 1 << 16, 0);
    ok(r.st == TR_END && same(&r.data, want.data, want.len) && !r.trailing, "padding by zeros");
    free_result(&r);

    add_deflated(&z, text.data, 1000, 6, Z_DEFAULT_STRATEGY, 31);
    r = decode(&z, false, 1 << 16, 0);
    ok(r.st == TR_END && r.data.len == 301000, "a member after padding");
    free_result(&r);

    tr_buf_add_str(&z, "some other bytes");
    for (int only_zlib = 0; only_zlib < 2; only_zlib++) {
        r = decode(&z, only_zlib, 1 << 16, 0);
        ok(r.st == TR_END && r.data.len == 301000 && r.trailing == 16, "garbage is counted");
        free_result(&r);
    }
    z.len = members_end;
    tr_buf_add(&z, "\x1f\x8b\x08", 3);
    r = decode(&z, false, 1 << 16, 0);
    ok(r.st == TR_DAMAGED && same(&r.data, want.data, want.len), "a cut header is damage");
    free_result(&r);
    z.len = members_end - 3;
    r = decode(&z, false, 1 << 16, 0);
    ok(r.st == TR_DAMAGED && same(&r.data, want.data, want.len), "a cut trailer is damage");
    free_result(&r);
    tr_buf_free(&z);
    tr_buf_free(&want);
    tr_buf_free(&text);
}

/* Header fields that compressors write seldom. */
static void headers(void)
{
    struct tr_buf text = trace_text(5000, 7), plain = { 0 }, z = { 0 };
    add_deflated(&plain, text.data, text.len, 6, Z_DEFAULT_STRATEGY, 31);
    tr_buf_add(&z, "\x1f\x8b\x08\x1e\0\0\0\0\0\3\5\0extraname\0comment\0hc", 10 + 7 + 5 + 8 + 2);
    tr_buf_add(&z, plain.data + 10, plain.len - 10);
    struct result r = decode(&z, false, 1 << 16, 0);
    ok(r.st == TR_END && same(&r.data, text.data, text.len), "extra field, name, comment, CRC");
    free_result(&r);
    z.data[2] = 7;
    r = decode(&z, false, 1 << 16, 0);
    ok(r.st == TR_DAMAGED && r.data.len == 0 && strstr(r.err.what, "method"), "unknown method");
    free_result(&r);
    tr_buf_free(&z);

    add_deflated(&z, text.data, text.len, 6, Z_DEFAULT_STRATEGY, 15);
    z.data[z.len - 1] ^= 1;
    r = decode(&z, false, 1 << 16, 0);
    ok(r.st == TR_DAMAGED && same(&r.data, text.data, text.len), "wrong Adler-32 of zlib data");
    free_result(&r);
    z.data[z.len - 1] ^= 1;
    tr_buf_add_str(&z, "tail");
    r = decode(&z, false, 1 << 16, 0);
    ok(r.st == TR_END && r.trailing == 4, "bytes after zlib data are counted");
    free_result(&r);
    tr_buf_free(&z);
    tr_buf_free(&plain);
    tr_buf_free(&text);
}

static void resync(void)
{
    struct tr_buf text = trace_text(600000, 8), z = { 0 };
    size_t starts[6];
    for (size_t i = 0; i < 6; i++) {
        starts[i] = z.len;
        add_deflated(&z, text.data + i * 100000, 100000, 6, Z_DEFAULT_STRATEGY, 31);
    }
    struct result r[2];
    const unsigned char *tail = text.data + 300000;
    for (int k = 0; k < 4; k++) {
        size_t at = k == 0 ? starts[3] - 8 : k == 1 ? starts[3] - 2 : k == 2 ? starts[2] + 1 :
                    starts[2] + 4000;
        unsigned char old[64];
        size_t n = k == 3 ? sizeof old : 1;
        memcpy(old, z.data + at, n);
        for (size_t i = 0; i < n; i++)
            z.data[at + i] ^= 0x55;
        for (int only_zlib = 0; only_zlib < 2; only_zlib++)
            r[only_zlib] = decode(&z, only_zlib, 1 << 15, 10);
        ok(r[0].st == TR_END && r[0].n_resyncs >= 1 && r[0].data.len >= 500000 &&
               !memcmp(r[0].data.data, text.data, 200000) &&
               !memcmp(r[0].data.data + r[0].data.len - 300000, tail, 300000),
           "the members after a damaged one are found (%d)", k);
        ok(equal(&r[0], &r[1]), "by both decoders alike (%d)", k);
        free_result(&r[0]);
        free_result(&r[1]);
        memcpy(z.data + at, old, n);
    }
    for (size_t i = 0; i < 64; i++) {
        z.data[starts[1] + 4000 + i] ^= 0x55;
        z.data[starts[3] + 4000 + i] ^= 0x55;
    }
    for (int only_zlib = 0; only_zlib < 2; only_zlib++)
        r[only_zlib] = decode(&z, only_zlib, 1 << 15, 10);
    ok(r[0].st == TR_END && r[0].n_resyncs >= 2 && r[0].data.len >= 400000 &&
           !memcmp(r[0].data.data + r[0].data.len - 200000, text.data + 400000, 200000) && equal(&r[0], &r[1]),
       "two damaged members: by both decoders alike");
    free_result(&r[0]);
    free_result(&r[1]);
    struct tr_bytes *b;
    struct tr_buf out = { 0 };
    struct tr_error err = TR_ERROR_INIT, again = TR_ERROR_INIT;
    uint64_t skipped = 99;
    tr_bytes_open(&b, file_with(z.data, starts[1] - 20), "cut.gz", NULL, &err);
    ok(slurp(b, 5000, &out, &err) == TR_DAMAGED && slurp(b, 5000, &out, &again) == TR_DAMAGED &&
           !strcmp(err.what, again.what) && !strcmp(err.input, "cut.gz") && err.place[0],
       "damage is said again, with name and place");
    ok(tr_bytes_resync(b, &skipped, &err) == TR_END && slurp(b, 5000, &out, &err) == TR_END,
       "without another member the end is the end");
    tr_bytes_close(b);
    tr_buf_free(&out);
    tr_buf_free(&z);
    tr_buf_free(&text);
}

/*
 * A member that was cut, and others after it: its decoder has read far into them before it sees damage, or the end of
 * the input.  They are found all the same.
 */
static void after_a_cut(void)
{
    struct tr_buf text = trace_text(60000, 9), z = { 0 };
    static const unsigned char stored[] = { 31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 1, 0xff, 0xff, 0, 0 }; /* 65535 bytes follow */
    for (int k = 0; k < 2; k++) {
        z.len = 0;
        if (k == 0)
            tr_buf_add(&z, stored, sizeof stored);
        else
            add_deflated(&z, text.data, 30000, 6, Z_DEFAULT_STRATEGY, 31);
        z.len = k == 0 ? z.len : z.len / 2;
        for (size_t i = 0; i < 20; i++)
            add_deflated(&z, text.data + 50000 + 100 * i, 100, 6, Z_DEFAULT_STRATEGY, 31);
        struct result r[2];
        for (int only_zlib = 0; only_zlib < 2; only_zlib++)
            r[only_zlib] = decode(&z, only_zlib, 1 << 15, 30);
        ok(r[0].st == TR_END && r[0].n_resyncs >= 1 && r[0].data.len >= 2000 &&
               !memcmp(r[0].data.data + r[0].data.len - 2000, text.data + 50000, 2000) && equal(&r[0], &r[1]),
           "members after one that was cut: all are found (%d), by both decoders", k);
        free_result(&r[0]);
        free_result(&r[1]);
    }
    tr_buf_free(&z);
    tr_buf_free(&text);
}

int main(void)
{
    whole();
    cuts();
    flips();
    members();
    headers();
    resync();
    after_a_cut();
    return done_testing();
}
