/* SPDX-License-Identifier: MIT */
/*
 * flood: traces made to exhaust whoever reads them, of any size, to standard output.
 *
 *     flood KIND N
 *
 * Each has intact events around what is monstrous: ok0 and ok1, and more where the table below says so.
 * Kinds with "bomb" in their name are packed: N is what comes out of them.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void fail(const char *what)
{
    fprintf(stderr, "flood: %s\n", what);
    exit(2);
}

static void put(const char *text)
{
    if (fputs(text, stdout) == EOF)
        exit(1); /* whoever reads has seen enough */
}

static void put_bytes(const void *p, size_t n)
{
    if (fwrite(p, 1, n, stdout) != n)
        exit(1);
}

/* n times the same byte. */
static void repeat(char c, uint64_t n)
{
    static char block[1 << 16];
    memset(block, c, sizeof block);
    for (; n > sizeof block; n -= sizeof block)
        put_bytes(block, sizeof block);
    put_bytes(block, (size_t)n);
}

static void event(const char *name, uint64_t ts)
{
    printf("{\"ph\": \"X\", \"name\": \"%s\", \"pid\": 1, \"tid\": 1, \"ts\": %" PRIu64
           ", \"dur\": 1}",
           name, ts);
}

static const char start[] = "{\"traceEvents\": [\n";

static void first(void)
{
    put(start);
    event("ok0", 1);
    put(",\n");
}

static void last(void)
{
    event("ok1", 3);
    put("\n]}\n");
}

/* ---- one event, or one member, that is too much ---- */

static void string(uint64_t n)
{
    first();
    put("{\"ph\": \"X\", \"ts\": 2, \"name\": \"");
    repeat('x', n);
    put("\"},\n");
    last();
}

static void header_string(uint64_t n)
{
    put("{\"before\": \"");
    repeat('x', n);
    put("\", \"traceEvents\": [\n");
    event("ok0", 1);
    put(",\n");
    last();
}

/* The string is never closed, so all that follows might be in it. */
static void open_string(uint64_t n)
{
    first();
    put("{\"ph\": \"X\", \"ts\": 2, \"name\": \"");
    repeat('x', n);
    put("\n");
    last();
}

static void nesting(uint64_t n)
{
    first();
    put("{\"ph\": \"X\", \"ts\": 2, \"name\": \"deep\", \"args\": {\"x\": ");
    repeat('[', n);
    repeat(']', n);
    put("}},\n");
    last();
}

static void args(uint64_t n)
{
    first();
    put("{\"ph\": \"X\", \"ts\": 2, \"name\": \"many\", \"args\": {");
    for (uint64_t i = 0; i < n; i++)
        printf("%s\"k%" PRIu64 "\": %" PRIu64, i ? ", " : "", i, i);
    put("}},\n");
    last();
}

/* ---- bytes that mean nothing ---- */

static void commas(uint64_t n)
{
    first();
    repeat(',', n);
    last();
}

static void braces(uint64_t n)
{
    first();
    repeat('{', n);
    put("\n");
    last();
}

static void quotes(uint64_t n)
{
    first();
    repeat('"', n);
    put(",\n");
    last();
}

static void blanks(uint64_t n)
{
    first();
    repeat(' ', n);
    last();
}

static void zeros(uint64_t n)
{
    first();
    repeat('\0', n);
    last();
}

/* Each event starts, and a list in it has no end: all that follows is inside. */
static void unfinished(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        put("{\"ph\": \"X\", \"args\": [");
    put("\n");
    last();
}

static void half_events(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"X\", \"name\": \"n%" PRIu64 "\", \"ts\": \n", i);
    last();
}

/* ---- many of what is kept: N events, all intact ---- */

static void names(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"X\", \"name\": \"name %" PRIu64
               "\", \"pid\": 1, \"tid\": 1, \"ts\": 2, \"dur\": 1},\n",
               i);
    last();
}

static void keys(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"X\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": 2, \"dur\": 1, "
               "\"args\": {\"k%" PRIu64 "\": 1}},\n",
               i);
    last();
}

/* The same few keys, in an order that is never the same: a shape for each event. */
static void shapes(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++) {
        put("{\"ph\": \"X\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": 2, \"dur\": 1, "
            "\"args\": {");
        for (unsigned bit = 0; bit < 24; bit++)
            printf("%s\"%c\": %s", bit ? ", " : "", (int)('a' + bit), i >> bit & 1 ? "1" : "true");
        put("}},\n");
    }
    last();
}

static void tracks(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"X\", \"name\": \"n\", \"pid\": 1, \"tid\": %" PRIu64
               ", \"ts\": 2, \"dur\": 1},\n",
               i + 2);
    last();
}

static void steps(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%" PRIu64
               "\", \"pid\": 1, "
               "\"tid\": 1, \"ts\": 2, \"dur\": 1},\n",
               i);
    last();
}

/* Kernels that all run at one time, each on a stream of its own. */
static void kernels(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, "
               "\"ts\": 2, \"dur\": 1000, "
               "\"args\": {\"device\": 0, \"stream\": %" PRIu64 "}},\n",
               i);
    last();
}

/* Kernels one after another, each with a name of its own. */
static void kernel_names(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"void kernel_%" PRIu64 "<float>(int)\", "
               "\"pid\": 0, \"tid\": 7, \"ts\": %" PRIu64 ", \"dur\": 1, \"args\": {\"device\": 0, \"stream\": 7}},\n",
               i, 2 * i + 2);
    last();
}

/* Spans open at one time, each a nanosecond later than the one before; ended inside out. */
static void open_spans(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"X\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": %" PRIu64
               ".%03" PRIu64 ", \"dur\": 90000000},\n",
               2 + i / 1000, i % 1000);
    last();
}

static void starts(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"B\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": 2},\n");
    last();
}

static void ends(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"E\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": 2},\n");
    last();
}

static void header_members(uint64_t n)
{
    put("{");
    for (uint64_t i = 0; i < n; i++)
        printf("\"h%" PRIu64 "\": %" PRIu64 ",\n", i, i);
    put(start + 1);
    event("ok0", 1);
    put(",\n");
    last();
}

static void thread_names(uint64_t n)
{
    first();
    for (uint64_t i = 0; i < n; i++)
        printf("{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 1, \"tid\": %" PRIu64
               ", \"args\": {\"name\": \"the same\"}},\n",
               i % 1000);
    last();
}

static void traces(uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        first();
        last();
    }
}

/* ---- packed ---- */

#define PART ((uint64_t)16 << 20)

struct packer {
    int window_bits; /* as for deflateInit2 */
    unsigned char *out;
    size_t n, cap;
    uint32_t crc;
    uint64_t raw;
};

static void pack(struct packer *p, z_stream *z, const void *data, size_t n, int flush)
{
    z->next_in = (unsigned char *)(uintptr_t)data;
    z->avail_in = (unsigned)n;
    p->crc = (uint32_t)crc32(p->crc, data, (unsigned)n);
    p->raw += n;
    do {
        if (p->cap - p->n < 65536) {
            p->cap = p->cap * 2 + 65536;
            p->out = realloc(p->out, p->cap);
            if (!p->out)
                fail("no memory");
        }
        z->next_out = p->out + p->n;
        z->avail_out = (unsigned)(p->cap - p->n < 1u << 30 ? p->cap - p->n : 1u << 30);
        size_t before = z->avail_out;
        if (deflate(z, flush) == Z_STREAM_ERROR)
            fail("deflate");
        p->n += before - z->avail_out;
    } while (z->avail_out == 0);
}

/* A text and n blanks after it, as one member. */
static void pack_blanks(struct packer *p, const char *text, uint64_t n, const char *after)
{
    static char block[1 << 16];
    z_stream z = { 0 };
    memset(block, ' ', sizeof block);
    if (deflateInit2(&z, 6, Z_DEFLATED, p->window_bits, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        fail("deflate");
    pack(p, &z, text, strlen(text), Z_NO_FLUSH);
    for (; n > 0; n -= n < sizeof block ? n : sizeof block)
        pack(p, &z, block, n < sizeof block ? (size_t)n : sizeof block, Z_NO_FLUSH);
    pack(p, &z, after, strlen(after), Z_FINISH);
    deflateEnd(&z);
}

static const char first_text[] =
    "{\"traceEvents\": [\n{\"ph\": \"X\", \"name\": \"ok0\", \"pid\": 1, \"tid\": 1, "
    "\"ts\": 1, \"dur\": 1},\n";
static const char last_text[] =
    "{\"ph\": \"X\", \"name\": \"ok1\", \"pid\": 1, \"tid\": 1, \"ts\": 3, \"dur\": 1}]}\n";

/* Members of 16 MiB of blanks, each a thousandth of that. */
static void gzip_bomb(uint64_t n)
{
    struct packer head = { .window_bits = 31 }, part = head, tail = head;
    pack_blanks(&head, first_text, 0, "");
    pack_blanks(&part, "", PART, "");
    pack_blanks(&tail, "", 0, last_text);
    put_bytes(head.out, head.n);
    for (; n >= PART; n -= PART)
        put_bytes(part.out, part.n);
    put_bytes(tail.out, tail.n);
    free(head.out);
    free(part.out);
    free(tail.out);
}

static void put_le(uint64_t v, unsigned n)
{
    for (; n > 0; n--, v >>= 8)
        putchar((int)(v & 255));
}

/* One member of a zip archive, below 4 GiB. */
static void zip_bomb(uint64_t n)
{
    struct packer p = { .window_bits = -15 };
    pack_blanks(&p, first_text, n, last_text);
    if (p.raw > UINT32_MAX)
        fail("a zip member has less than 4 GiB");
    put("PK\3\4");
    put_le(20, 2);
    put_le(0, 2);
    put_le(8, 2);
    put_le(0, 4);
    put_le(p.crc, 4);
    put_le(p.n, 4);
    put_le(p.raw, 4);
    put_le(9, 2);
    put_le(0, 2);
    put("rank0.jso");
    put_bytes(p.out, p.n);
    free(p.out);
}

static const struct {
    const char *kind;
    void (*make)(uint64_t n);
} kinds[] = {
    { "string", string },
    { "header-string", header_string },
    { "open-string", open_string },
    { "nesting", nesting },
    { "args", args },
    { "commas", commas },
    { "braces", braces },
    { "quotes", quotes },
    { "blanks", blanks },
    { "zeros", zeros },
    { "unfinished", unfinished },
    { "half-events", half_events },
    { "names", names },
    { "keys", keys },
    { "shapes", shapes },
    { "tracks", tracks },
    { "steps", steps },
    { "kernels", kernels },
    { "kernel-names", kernel_names },
    { "open-spans", open_spans },
    { "begins", starts },
    { "ends", ends },
    { "header-members", header_members },
    { "thread-names", thread_names },
    { "traces", traces },
    { "gzip-bomb", gzip_bomb },
    { "zip-bomb", zip_bomb },
};

int main(int argc, char **argv)
{
    if (argc != 3)
        fail("usage: flood KIND N");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (!strcmp(argv[1], kinds[i].kind)) {
            kinds[i].make(strtoull(argv[2], NULL, 10));
            return fflush(stdout) == 0 ? 0 : 1;
        }
    }
    fail("no such kind");
    return 2;
}
