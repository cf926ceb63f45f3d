/* SPDX-License-Identifier: MIT */
/* One column as bytes and back; checksum; varints. */
#include "stream_make.h"

#include "stream/format/tr_column_int.h"

/* Worked out by a second implementation: tests/spec/xxh3.py. */
#define CHECKSUM_EMPTY UINT64_C(0x2d06800538d394c2)
#define CHECKSUM_DIGITS UINT64_C(0x72dcb18b67a17dff)
#define CHECKSUM_HUNDRED UINT64_C(0x6dbb812cf19d012e)

#define MAX_N 3000u

static void test_checksum(struct tap *t)
{
    unsigned char p[100];
    for (unsigned i = 0; i < sizeof p; i++)
        p[i] = (unsigned char)(i * 7);
    /* Values of the definition in tr-stream(5), so that they never change by accident. */
    tap_ok(t,
           tr__checksum("", 0) == CHECKSUM_EMPTY &&
               tr__checksum("123456789", 9) == CHECKSUM_DIGITS &&
               tr__checksum(p, 100) == CHECKSUM_HUNDRED,
           "the checksum has its known values");
    bool good = true;
    for (size_t len = 0; len < sizeof p; len++) {
        uint64_t sum = tr__checksum(p, len);
        good &= len == 0 || tr__checksum(p, len - 1) != sum;
        for (size_t bit = 0; bit < len * 8; bit++) {
            p[bit / 8] ^= (unsigned char)(1u << bit % 8);
            good &= tr__checksum(p, len) != sum;
            p[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
    }
    tap_ok(t, good, "every flipped bit changes the checksum, at every length");
}

static void test_varints(struct tap *t)
{
    static const uint64_t values[] = { 0,     1,          127,       128,       16383,
                                       16384, UINT32_MAX, INT64_MAX, UINT64_MAX };
    struct tr_buf b = { NULL, 0, 0 };
    struct tr__out o = { &b, false };
    bool good = true;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        tr__out_varint(&o, values[i]);
        tr__out_signed(&o, (int64_t)values[i]);
        tr__out_signed(&o, (int64_t)(0 - values[i]));
    }
    struct tr__in in = { b.data, b.data + b.len, false };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        good &= tr__in_varint(&in) == values[i];
        good &= tr__in_signed(&in) == (int64_t)values[i];
        good &= tr__in_signed(&in) == (int64_t)(0 - values[i]);
    }
    tap_ok(t, good && !in.bad && in.p == in.end, "varints come back");
    static const unsigned char bad[][11] = {
        { 0x80, 0x00 },
        { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02 },
        { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01 },
    };
    for (size_t i = 0; i < 3; i++) {
        struct tr__in x = { bad[i], bad[i] + 11, false };
        tr__in_varint(&x);
        good &= x.bad;
    }
    struct tr__in cut = { bad[1], bad[1] + 4, false };
    tr__in_varint(&cut);
    tap_ok(t, good && cut.bad, "longer than needed, beyond 64 bits, or cut short: refused");
    tr_buf_free(&b);
}

enum pattern { CONSTANT, SMALL, STEPS, ABSENT, EXTREMES, RANDOM, BY_CONTEXT, N_PATTERNS };

static void fill(struct rng *r, enum pattern pattern, unsigned elem, const uint16_t *slot, size_t n,
                 int64_t *v)
{
    int64_t running[TR_CONTEXT_SLOTS] = { 0 };
    for (size_t i = 0; i < n; i++) {
        switch (pattern) {
        case CONSTANT:
            v[i] = elem == 8 ? INT64_MIN : 200;
            break;
        case SMALL:
            v[i] = 100 + (int64_t)rng_below(r, 50);
            break;
        case STEPS:
            v[i] = (int64_t)i * 3 + (int64_t)rng_below(r, 2);
            break;
        case ABSENT:
            v[i] = rng_below(r, 2) ? INT64_MIN : (int64_t)rng_below(r, 300) - 150;
            break;
        case EXTREMES:
            v[i] = rng_value(r);
            break;
        case RANDOM:
            v[i] = (int64_t)rng_next(r);
            break;
        default:
            v[i] = running[slot[i]] += slot[i] + (int64_t)(rng_below(r, 50) == 0);
        }
        if (elem == 4)
            v[i] = (int64_t)(((uint64_t)v[i] & 0xffffffff) ^ 0x80000000) - 0x80000000;
        else if (elem == 1)
            v[i] = (int64_t)((uint64_t)v[i] & 0xff);
    }
}

/* The entries as the batch of a stream has them. */
static const void *narrow(const int64_t *v, size_t n, unsigned elem)
{
    static union {
        uint32_t u32[MAX_N];
        uint8_t u8[MAX_N];
    } to;
    for (size_t i = 0; i < n; i++)
        if (elem == 4)
            to.u32[i] = (uint32_t)v[i];
        else if (elem == 1)
            to.u8[i] = (uint8_t)v[i];
    return elem == 8 ? (const void *)v : &to;
}

static bool same_column(const int64_t *v, const void *got, unsigned elem, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t g = elem == 8   ? ((const uint64_t *)got)[i]
                     : elem == 4 ? ((const uint32_t *)got)[i]
                                 : ((const uint8_t *)got)[i];
        uint64_t mask = elem == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * elem) - 1;
        if (g != ((uint64_t)v[i] & mask))
            return false;
    }
    return true;
}

static void test_columns(struct tap *t, enum tr_codec codec, int level)
{
    static const unsigned elems[] = { 1, 4, 8 };
    struct tr__packer *pack = codec == TR_CODEC_NONE ? NULL : tr__packer_new(codec, level);
    struct tr__column_room room = { 0 }, other = { 0 };
    struct rng r = { 11 };
    struct tr_buf out = { NULL, 0, 0 };
    static int64_t v[MAX_N];
    static uint64_t got[MAX_N];
    static uint16_t slot[2][2 * MAX_N], event[MAX_N];
    bool good = true;
    unsigned used[4] = { 0 };
    for (unsigned round = 0; round < 3 * N_PATTERNS * 12; round++) {
        enum pattern pattern = round % N_PATTERNS;
        unsigned elem = elems[round / N_PATTERNS % 3];
        size_t n = round % 5 ? 1 + rng_below(&r, MAX_N) : 1 + rng_below(&r, 4);
        for (size_t i = 0; i < 2 * MAX_N; i++) {
            slot[0][i] = (uint16_t)rng_below(&r, 9);
            slot[1][i] = (uint16_t)rng_below(&r, TR_CONTEXT_SLOTS);
        }
        for (size_t i = 0; i < n; i++)
            event[i] = (uint16_t)(2 * i + rng_below(&r, 2));
        struct tr__contexts x = { { NULL, slot[0], slot[1], NULL }, round % 2 ? event : NULL };
        uint16_t mine[MAX_N];
        for (size_t i = 0; i < n; i++)
            mine[i] = slot[0][x.event ? event[i] : i];
        fill(&r, pattern, elem, mine, n, v);
        struct tr__column c = { .id = 1 }, back;
        unsigned char head[TR_COLUMN_BYTES];
        out.len = 0;
        if (pack)
            NEED(tr__column_encode(&room, pack, v, n, elem, &x, &c, &out));
        else
            NEED(tr__base_encode(narrow(v, n, elem), n, elem, &c, &out));
        tr__column_put(&c, head);
        tr__column_get(&back, head);
        good &= out.len == c.stored;
        good &= tr__column_decode(&other, &back, out.data, elem, &x, got, NULL) == TR_OK;
        good &= same_column(v, got, elem, n);
        good &= c.stored <= n * elem;
        used[c.encoding]++;
    }
    tap_ok(t, good, "columns come back, codec %d level %d", (int)codec, level);
    bool all = used[TR_ENC_CONSTANT] && used[TR_ENC_BASE];
    if (codec != TR_CODEC_NONE)
        all = all && used[TR_ENC_PLANES] && used[TR_ENC_DELTA];
    tap_ok(t, all, "and use every encoding that they may: %u %u %u %u", used[0], used[1], used[2],
           used[3]);
    tr_buf_free(&out);
    tr__column_room_free(&room);
    tr__column_room_free(&other);
    tr__packer_free(pack);
}

static void test_widths(struct tap *t)
{
    struct tr_buf out = { NULL, 0, 0 };
    const int64_t v[] = { INT64_MIN, 1000, 1254 }, w[] = { 5000000000, 5000000255, 5000000001 };
    struct tr__column c = { .id = 1 };
    NEED(tr__base_encode(v, 3, 8, &c, &out));
    tap_ok(t,
           c.encoding == TR_ENC_BASE && c.width == 1 && c.base == 1000 &&
               c.flags == TR_COLUMN_ABSENT,
           "absent entries do not widen a column");
    NEED(tr__base_encode(w, 3, 8, &c, &out));
    tap_ok(t, c.width == 1 && c.stored == 3 && !c.flags, "offsets count from the smallest entry");
    tr_buf_free(&out);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_checksum(&t);
    test_varints(&t);
    test_columns(&t, TR_CODEC_NONE, 0);
    test_columns(&t, TR_CODEC_LZ4, 0);
    test_columns(&t, TR_CODEC_LZ4, 9);
    test_columns(&t, TR_CODEC_ZLIB, 0);
    test_widths(&t);
    return tap_end(&t);
}
