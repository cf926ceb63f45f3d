/*
 * SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104), for keyed tokens.  Not written to withstand
 * measurements of its running time.
 */
#ifndef TR_SHA256_H
#define TR_SHA256_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_SHA256_LEN 32u

struct tr_sha256 {
    uint32_t h[8];
    uint64_t len;
    unsigned char block[64];
};

/* Init, add bytes in any pieces, end: the digest of all. */
void tr_sha256_init(struct tr_sha256 *s);
void tr_sha256_add(struct tr_sha256 *s, const void *data, size_t len);
void tr_sha256_end(struct tr_sha256 *s, unsigned char digest[TR_SHA256_LEN]);

/* A key made ready: both ends of the computation that depend on it alone. */
struct tr_hmac {
    struct tr_sha256 inner, outer;
};

/* Make a key ready, then the code of any number of messages; the key may have any length. */
void tr_hmac_init(struct tr_hmac *m, const void *key, size_t key_len);
void tr_hmac(const struct tr_hmac *m, const void *data, size_t len,
             unsigned char digest[TR_SHA256_LEN]);

#ifdef __cplusplus
}
#endif
#endif
