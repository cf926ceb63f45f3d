#include "base/tr_sha256.h"

#include <string.h>

static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void compress(uint32_t h[8], const unsigned char *p)
{
    uint32_t w[64], v[8];
    for (unsigned i = 0; i < 16; i++, p += 4)
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (unsigned i = 16; i < 64; i++) {
        uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    memcpy(v, h, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
        uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (unsigned i = 0; i < 8; i++)
        h[i] += v[i];
}

void tr_sha256_init(struct tr_sha256 *s)
{
    static const uint32_t start[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    memcpy(s->h, start, sizeof start);
    s->len = 0;
}

void tr_sha256_add(struct tr_sha256 *s, const void *data, size_t len)
{
    const unsigned char *p = data;
    while (len) {
        size_t at = s->len % 64, n = 64 - at < len ? 64 - at : len;
        memcpy(s->block + at, p, n);
        s->len += n;
        p += n;
        len -= n;
        if (s->len % 64 == 0)
            compress(s->h, s->block);
    }
}

void tr_sha256_end(struct tr_sha256 *s, unsigned char digest[TR_SHA256_LEN])
{
    static const unsigned char pad[64] = { 0x80 };
    uint64_t bits = s->len * 8;
    unsigned char tail[8];
    for (unsigned i = 0; i < 8; i++)
        tail[i] = (unsigned char)(bits >> (56 - 8 * i));
    size_t at = s->len % 64;
    tr_sha256_add(s, pad, (at < 56 ? 56 : 120) - at);
    tr_sha256_add(s, tail, sizeof tail);
    for (unsigned i = 0; i < TR_SHA256_LEN; i++)
        digest[i] = (unsigned char)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void tr_hmac_init(struct tr_hmac *m, const void *key, size_t key_len)
{
    unsigned char block[64] = { 0 };
    if (key_len > sizeof block) {
        tr_sha256_init(&m->inner);
        tr_sha256_add(&m->inner, key, key_len);
        tr_sha256_end(&m->inner, block);
    } else if (key_len) {
        memcpy(block, key, key_len);
    }
    for (unsigned i = 0; i < sizeof block; i++)
        block[i] ^= 0x36;
    tr_sha256_init(&m->inner);
    tr_sha256_add(&m->inner, block, sizeof block);
    for (unsigned i = 0; i < sizeof block; i++)
        block[i] ^= 0x36 ^ 0x5c;
    tr_sha256_init(&m->outer);
    tr_sha256_add(&m->outer, block, sizeof block);
}

void tr_hmac(const struct tr_hmac *m, const void *data, size_t len,
             unsigned char digest[TR_SHA256_LEN])
{
    struct tr_sha256 s = m->inner;
    tr_sha256_add(&s, data, len);
    tr_sha256_end(&s, digest);
    s = m->outer;
    tr_sha256_add(&s, digest, TR_SHA256_LEN);
    tr_sha256_end(&s, digest);
}
