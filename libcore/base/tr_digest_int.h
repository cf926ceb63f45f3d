/* SPDX-License-Identifier: MIT */
/*
 * SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104) of nettle, whose versions 3 and 4 take other parameters.
 * Internal to libcore and the programs.
 */
#ifndef TR_DIGEST_INT_H
#define TR_DIGEST_INT_H

#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <stddef.h>

#define TR__SHA256_LEN ((size_t)SHA256_DIGEST_SIZE)

/* The digest of len bytes. */
static inline void tr__sha256(const void *data, size_t len, unsigned char digest[TR__SHA256_LEN])
{
    struct sha256_ctx sha;
    sha256_init(&sha);
    sha256_update(&sha, len, data);
#if NETTLE_VERSION_MAJOR < 4
    sha256_digest(&sha, TR__SHA256_LEN, digest);
#else
    sha256_digest(&sha, digest);
#endif
}

/* The HMAC of a message under a key from hmac_sha256_set_key, which may be used again. */
static inline void tr__hmac(const struct hmac_sha256_ctx *key, const void *data, size_t len,
                            unsigned char digest[TR__SHA256_LEN])
{
    struct hmac_sha256_ctx hmac = *key;
    hmac_sha256_update(&hmac, len, data);
#if NETTLE_VERSION_MAJOR < 4
    hmac_sha256_digest(&hmac, TR__SHA256_LEN, digest);
#else
    hmac_sha256_digest(&hmac, digest);
#endif
}

#endif
