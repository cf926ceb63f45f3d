/* SPDX-License-Identifier: MIT */
/*
 * Sixteen bytes of text at a time, to find the first one that ends a word.
 *
 * Where the processor has vectors of this size in every model (SSE2, NEON), TR_HAVE_BYTES16 is defined: load 16 bytes,
 * compare each, and ask for the first that is marked.  Elsewhere callers go byte by byte.  More at a time does not pay:
 * between two quotes or brackets of a trace lie some 12 bytes.
 */
#ifndef TR_BYTES16_INT_H
#define TR_BYTES16_INT_H

#if defined(__SSE2__)
#include <emmintrin.h>
#define TR_HAVE_BYTES16 1

typedef __m128i tr_bytes16; /* of text, or marks: 0xff or 0 for each byte */

static inline tr_bytes16 tr_load16(const char *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline tr_bytes16 tr_each16(char c)
{
    return _mm_set1_epi8(c);
}

static inline tr_bytes16 tr_or16(tr_bytes16 a, tr_bytes16 b)
{
    return _mm_or_si128(a, b);
}

static inline tr_bytes16 tr_equal16(tr_bytes16 a, tr_bytes16 b)
{
    return _mm_cmpeq_epi8(a, b);
}

/* a <= b, both unsigned. */
static inline tr_bytes16 tr_at_most16(tr_bytes16 a, tr_bytes16 b)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(a, b), a);
}

/* The first byte that is marked, 0 to 15; 16: none. */
static inline unsigned tr_first16(tr_bytes16 marks)
{
    return (unsigned)__builtin_ctz((unsigned)_mm_movemask_epi8(marks) | 1u << 16);
}

#elif defined(__aarch64__) && defined(__ARM_NEON) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_neon.h>
#define TR_HAVE_BYTES16 1

typedef uint8x16_t tr_bytes16;

static inline tr_bytes16 tr_load16(const char *p)
{
    return vld1q_u8((const uint8_t *)(const void *)p);
}

static inline tr_bytes16 tr_each16(char c)
{
    return vdupq_n_u8((uint8_t)c);
}

static inline tr_bytes16 tr_or16(tr_bytes16 a, tr_bytes16 b)
{
    return vorrq_u8(a, b);
}

static inline tr_bytes16 tr_equal16(tr_bytes16 a, tr_bytes16 b)
{
    return vceqq_u8(a, b);
}

static inline tr_bytes16 tr_at_most16(tr_bytes16 a, tr_bytes16 b)
{
    return vcleq_u8(a, b);
}

static inline unsigned tr_first16(tr_bytes16 marks)
{
    uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(marks), 4); /* four bits of each mark */
    uint64_t bits = vget_lane_u64(vreinterpret_u64_u8(halves), 0);
    return bits ? (unsigned)__builtin_ctzll(bits) / 4 : 16;
}
#endif
#endif
