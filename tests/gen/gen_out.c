/* SPDX-License-Identifier: MIT */
/* The output of one file: a large buffer, and numbers printed by hand. */
#include "gen_out.h"
#include "gen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void gen_out_open(struct gen_out *o, const char *path)
{
    memset(o, 0, sizeof *o);
    o->cap = 1u << 20;
    o->buf = gen_alloc(o->cap, 1);
    o->limit = UINT64_MAX;
    o->path = path;
    o->fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (path && o->fd < 0)
        gen_die(4, "cannot write '%s': %s", path, strerror(errno));
}

void gen_out_flush(struct gen_out *o)
{
    uint64_t keep = o->limit > o->before ? o->limit - o->before : 0;
    size_t n = keep < o->len ? (size_t)keep : o->len;

    for (size_t done = 0; o->fd >= 0 && done < n;) {
        ssize_t w = write(o->fd, o->buf + done, n - done);
        if (w < 0 && errno != EINTR)
            gen_die(4, "cannot write '%s': %s", o->path, strerror(errno));
        done += w > 0 ? (size_t)w : 0;
    }
    o->before += o->len;
    o->len = 0;
}

void gen_out_close(struct gen_out *o)
{
    gen_out_flush(o);
    if (o->fd >= 0 && close(o->fd))
        gen_die(4, "cannot write '%s': %s", o->path, strerror(errno));
    free(o->buf);
    o->buf = NULL;
}

void gen_out_edit(struct gen_out *o, size_t at, size_t old_n, const char *s, size_t n)
{
    char *p = o->buf + at;
    memmove(p + n, p + old_n, o->len - at - old_n);
    memcpy(p, s, n);
    o->len = o->len - old_n + n;
}

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

void gen_u64(struct gen_out *o, uint64_t v)
{
    char tmp[20], *p = tmp + sizeof tmp;
    while (v >= 100) {
        p -= 2;
        memcpy(p, pairs + 2 * (v % 100), 2);
        v /= 100;
    }
    if (v >= 10) {
        p -= 2;
        memcpy(p, pairs + 2 * v, 2);
    } else {
        *--p = (char)('0' + v);
    }
    gen_put(o, p, (size_t)(tmp + sizeof tmp - p));
}

void gen_i64(struct gen_out *o, int64_t v)
{
    if (v < 0)
        GEN_LIT(o, "-");
    gen_u64(o, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

void gen_us(struct gen_out *o, int64_t ns, bool trim)
{
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    uint32_t frac = (uint32_t)(v % 1000);
    char f[4] = { '.', (char)('0' + frac / 100), (char)('0' + frac / 10 % 10),
                  (char)('0' + frac % 10) };
    size_t n = 4;

    if (ns < 0)
        GEN_LIT(o, "-");
    gen_u64(o, v / 1000);
    while (trim && n > 2 && f[n - 1] == '0')
        n--;
    gen_put(o, f, n);
}

void gen_half_us(struct gen_out *o, int64_t ns)
{
    if (ns == 0)
        GEN_LIT(o, "-");
    gen_us(o, ns > 0 ? ns - 1 : ns, false);
    GEN_LIT(o, "5");
}

void gen_ratio(struct gen_out *o, uint64_t a, uint64_t b)
{
    if (!b)
        b = 1;
    gen_u64(o, a / b);
    GEN_LIT(o, ".");
    uint64_t rest = a % b; /* b is a duration: 10 * rest does not overflow */
    for (int i = 0; i < 16; i++) {
        rest *= 10;
        o->buf[o->len++] = (char)('0' + rest / b);
        rest %= b;
    }
}
