/*
 * A table of distinct byte strings, numbered from 0 in the order of their first arrival.
 *
 * Strings may hold any byte, zero included; a terminating zero is added so that they print.
 * They stay where they are until the table is freed.  Not shared between threads while it grows.
 */
#ifndef TR_STRTAB_H
#define TR_STRTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_NO_STR UINT32_MAX /* "no string", and "out of memory" where a number is returned */

struct tr_strtab;

struct tr_strtab *tr_strtab_new(void); /* NULL: out of memory */
void tr_strtab_free(struct tr_strtab *t); /* and all strings */

/* The number of a string, added if it is new.  TR_NO_STR: out of memory, or 2^32-2 strings held. */
uint32_t tr_strtab_add(struct tr_strtab *t, const void *s, size_t len);
/* The same with a hash that the caller has computed by tr_hash. */
uint32_t tr_strtab_add_hashed(struct tr_strtab *t, const void *s, size_t len, uint64_t hash);
/* The number of a string, or TR_NO_STR if the table does not hold it. */
uint32_t tr_strtab_find(const struct tr_strtab *t, const void *s, size_t len);

const char *tr_strtab_get(const struct tr_strtab *t, uint32_t id); /* id < tr_strtab_count() */
size_t tr_strtab_len(const struct tr_strtab *t, uint32_t id);
uint32_t tr_strtab_count(const struct tr_strtab *t);
size_t tr_strtab_bytes(const struct tr_strtab *t); /* memory held */

/*
 * A fast hash of bytes: not for adversaries by itself, so tables that use it on foreign input mix in
 * more of the key when a probe grows long.  Same value on every machine.
 */
static inline uint64_t tr_mix64(uint64_t a, uint64_t b)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 u128;
    u128 m = (u128)a * b;
    return (uint64_t)m ^ (uint64_t)(m >> 64);
#else
    uint64_t ah = a >> 32, al = (uint32_t)a, bh = b >> 32, bl = (uint32_t)b;
    uint64_t mid = ah * bl + ((al * bl) >> 32), mid2 = al * bh + (uint32_t)mid;
    return (a * b) ^ (ah * bh + (mid >> 32) + (mid2 >> 32));
#endif
}

static inline uint64_t tr_load64(const void *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

static inline uint64_t tr_hash(const void *data, size_t len)
{
    const unsigned char *p = (const unsigned char *)data;
    uint64_t h = 0x9e3779b97f4a7c15u ^ len;
    while (len > 16) {
        h = tr_mix64(tr_load64(p) ^ 0xa0761d6478bd642fu, tr_load64(p + 8) ^ h);
        p += 16;
        len -= 16;
    }
    uint64_t a = 0, b = 0;
    if (len >= 8) {
        a = tr_load64(p);
        b = tr_load64(p + len - 8);
    } else if (len >= 4) {
        uint32_t x, y;
        memcpy(&x, p, 4);
        memcpy(&y, p + len - 4, 4);
        a = x;
        b = y;
    } else if (len) {
        a = ((uint64_t)p[0] << 16) | ((uint64_t)p[len / 2] << 8) | p[len - 1];
    }
    return tr_mix64(a ^ 0xe7037ed1a0b428dbu, b ^ h ^ 0x8ebc6af09c88c6e3u);
}

#ifdef __cplusplus
}
#endif
#endif
