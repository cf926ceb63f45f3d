/* SPDX-License-Identifier: MIT */
/*
 * The output of one file: a large buffer and number printing by hand.
 *
 * gen_room() is called once for each element; after it GEN_ELEMENT_MAX bytes may be put without a
 * check, and the bytes put since then stay in the buffer, so that a planted defect can edit them.
 */
#ifndef GEN_OUT_H
#define GEN_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GEN_ELEMENT_MAX 65536u

struct gen_str {
    const char *s;
    size_t n;
};
#define GEN_STR(lit)                                                                               \
    {                                                                                              \
        lit, sizeof(lit) - 1                                                                       \
    }

struct gen_out {
    char *buf;
    size_t len, cap;
    uint64_t before; /* bytes put before buf[0] */
    uint64_t limit;  /* the file ends after so many bytes, whatever is put */
    int fd;          /* -1: only count */
    const char *path;
};

void gen_out_open(struct gen_out *o, const char *path); /* NULL: only count the bytes */
void gen_out_flush(struct gen_out *o);
void gen_out_close(struct gen_out *o);
/* Replace old_n bytes at offset at of the buffer. */
void gen_out_edit(struct gen_out *o, size_t at, size_t old_n, const char *s, size_t n);

static inline void gen_room(struct gen_out *o)
{
    if (o->cap - o->len < GEN_ELEMENT_MAX)
        gen_out_flush(o);
}

static inline uint64_t gen_pos(const struct gen_out *o)
{
    return o->before + o->len;
}

static inline void gen_put(struct gen_out *o, const char *s, size_t n)
{
    memcpy(o->buf + o->len, s, n);
    o->len += n;
}

#define GEN_LIT(o, lit) gen_put(o, lit, sizeof(lit) - 1)

static inline void gen_str(struct gen_out *o, struct gen_str s)
{
    gen_put(o, s.s, s.n);
}

static inline void gen_cstr(struct gen_out *o, const char *s)
{
    gen_put(o, s, strlen(s));
}

void gen_u64(struct gen_out *o, uint64_t v);
void gen_i64(struct gen_out *o, int64_t v);
/* Nanoseconds as microseconds with three decimals; trim: without trailing zeros, as Python prints.
 */
void gen_us(struct gen_out *o, int64_t ns, bool trim);
/* The same less half a nanosecond, which readers round up to ns. */
void gen_half_us(struct gen_out *o, int64_t ns);
/* a / b with 16 decimals, truncated. */
void gen_ratio(struct gen_out *o, uint64_t a, uint64_t b);

#endif
