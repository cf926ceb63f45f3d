/* SPDX-License-Identifier: MIT */
/* The deflate decoder by ISA-L. */
#include "io/tr_inflate_isal.h"

#ifndef HAVE_ISAL

enum tr_status tr__isal_new(struct tr__isal **out)
{
    *out = NULL;
    return TR_OK;
}

void tr__isal_free(struct tr__isal *z)
{
    (void)z;
}

void tr__isal_reset(struct tr__isal *z)
{
    (void)z;
}

enum tr_status tr__isal_run(struct tr__isal *z, const unsigned char *in, size_t n_in, bool last,
                            unsigned char *out, size_t cap, ptrdiff_t *used, size_t *made,
                            struct tr_error *err)
{
    (void)z, (void)in, (void)n_in, (void)last, (void)out, (void)cap;
    *used = 0;
    *made = 0;
    return tr_fail(err, TR_USAGE, "ISA-L is not built in");
}

uint32_t tr__isal_crc32(const struct tr__isal *z, uint32_t crc, const unsigned char *p, size_t n)
{
    (void)z, (void)p, (void)n;
    return crc;
}

#else

#include "base/tr_library.h"
#include "base/tr_mem.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define WINDOW ((size_t)32 << 10)   /* how far deflate looks back */
#define SEGMENT ((size_t)256 << 10) /* input between two marks; far more than a block in practice */
#define MAX_OUT ((size_t)1 << 30)

/* The functions of the library that are used. */
#define FUNCTIONS(X) \
    X(init, isal_inflate_init) X(reset, isal_inflate_reset) X(inflate, isal_inflate) X(crc32, crc32_gzip_refl)
FUNCTIONS(TR_LIBRARY_LINKED)
struct functions {
    FUNCTIONS(TR_LIBRARY_MEMBER)
};
static const struct tr_library_function functions[] = { FUNCTIONS(TR_LIBRARY_FUNCTION) };

/* A place in the stream where decoding can start again. */
struct mark {
    bool at_start; /* of the stream: state is not set */
    size_t log_at; /* input taken before it, as an index into the log */
    uint64_t out;  /* output delivered before it */
    struct inflate_state state;
};

struct tr__isal {
    struct functions isal;
    struct inflate_state state;
    struct mark marks[2];
    unsigned old;      /* the older of the marks */
    struct tr_buf log; /* the input since the older mark */
    uint64_t out;      /* bytes delivered since the reset */
    z_stream zlib;
    bool zlib_open;
    enum { BY_ISAL, BY_ZLIB, DRAINING } mode;
    size_t zlib_at;           /* log bytes that zlib has taken */
    enum tr_status zlib_done; /* TR_OK, or how zlib's part has ended */
    unsigned char scratch[(size_t)64 << 10];
};

enum tr_status tr__isal_new(struct tr__isal **out)
{
    struct functions isal;
    struct tr_error ignored = TR_ERROR_INIT;
    enum tr_status st = tr_library_load("libisal.so.2", "ISA-L", functions, sizeof functions / sizeof *functions, &isal,
                                        &ignored);
    *out = NULL;
    if (st != TR_OK)
        return st == TR_USAGE ? TR_OK : st;
    struct tr__isal *z = *out = malloc(sizeof *z); /* most of it is buffers, which are not cleared */
    if (!z)
        return TR_SYSTEM;
    z->isal = isal;
    z->log = (struct tr_buf){ .len = 0 };
    z->zlib = (z_stream){ .next_in = NULL };
    z->zlib_open = false;
    z->zlib_at = 0;
    z->zlib_done = TR_OK;
    isal.init(&z->state);
    tr__isal_reset(z);
    return TR_OK;
}

void tr__isal_free(struct tr__isal *z)
{
    if (!z)
        return;
    if (z->zlib_open)
        inflateEnd(&z->zlib);
    tr_buf_free(&z->log);
    free(z);
}

void tr__isal_reset(struct tr__isal *z)
{
    z->isal.reset(&z->state);
    z->state.crc_flag = ISAL_DEFLATE;
    for (int i = 0; i < 2; i++) {
        z->marks[i].at_start = true;
        z->marks[i].log_at = 0;
        z->marks[i].out = 0;
    }
    z->old = 0;
    z->log.len = 0;
    z->out = 0;
    z->mode = BY_ISAL;
}

/* Give ISA-L some input; returns the numbers of bytes used and made, and its status. */
static bool step(struct tr__isal *z, const unsigned char *in, size_t n_in, unsigned char *out, size_t cap,
                 size_t *used, size_t *made)
{
    struct inflate_state *s = &z->state;
    /* ISA-L checks distances against this 32-bit count, which must not wrap in long streams. */
    if (s->total_out > MAX_OUT)
        s->total_out = 1u << 20;
    s->next_in = (uint8_t *)(uintptr_t)in; /* ISA-L does not write to it */
    s->avail_in = (uint32_t)n_in;
    s->next_out = out;
    s->avail_out = (uint32_t)cap;
    int rc = z->isal.inflate(s);
    /* At an error near the end, it may count bytes as used that do not exist. */
    bool beyond = s->avail_in > n_in;
    *used = beyond ? n_in : n_in - s->avail_in;
    *made = cap - s->avail_out;
    return rc >= 0 && !beyond;
}

/* Keep the input, and from time to time the state. */
static bool remember(struct tr__isal *z, const unsigned char *in, size_t n)
{
    if (!tr_buf_add(&z->log, in, n))
        return false;
    struct mark *newer = &z->marks[!z->old];
    if (z->log.len - newer->log_at < SEGMENT)
        return true;
    struct mark *m = &z->marks[z->old];
    size_t drop = newer->log_at;
    memmove(z->log.data, z->log.data + drop, z->log.len - drop);
    z->log.len -= drop;
    newer->log_at = 0;
    m->at_start = false;
    m->log_at = z->log.len;
    m->out = z->out;
    m->state = z->state;
    z->old = !z->old;
    return true;
}

/*
 * From the older mark, decode byte by byte up to the first block boundary whose place in the log is known.  ISA-L stops
 * there, because a block header needs more bytes.  *bit: the place of the boundary; *out: the size of the output
 * before.
 */
static bool find_boundary(struct tr__isal *z, uint64_t *bit, uint64_t *out)
{
    struct inflate_state *s = &z->state;
    const struct mark *m = &z->marks[z->old];
    if (m->at_start)
        z->isal.reset(s);
    else
        *s = m->state;
    *out = m->out;
    for (size_t fed = 0;;) {
        int64_t ahead = s->read_in_length + 8 * (int64_t)s->tmp_in_size; /* bits not decoded */
        bool flushed = s->tmp_out_processed == s->tmp_out_valid;
        if ((s->block_state == ISAL_BLOCK_NEW_HDR || s->block_state == ISAL_BLOCK_HDR) && flushed &&
            ahead >= 0 && (uint64_t)ahead <= (uint64_t)fed * 8) {
            *bit = (uint64_t)fed * 8 - (uint64_t)ahead;
            return *out <= z->out;
        }
        if (fed == z->log.len && flushed)
            return false;
        size_t used, made;
        if (!step(z, z->log.data + fed, fed < z->log.len, z->scratch, sizeof z->scratch, &used, &made) ||
            s->block_state == ISAL_BLOCK_FINISH)
            return false;
        fed += used;
        *out += made;
    }
}

/* Set zlib up at a block boundary, with the output before it as its window. */
static bool start_zlib(struct tr__isal *z, uint64_t bit)
{
    int rc = z->zlib_open ? inflateReset(&z->zlib) : inflateInit2(&z->zlib, -MAX_WBITS);
    if (rc != Z_OK)
        return false;
    z->zlib_open = true;
    size_t have = (size_t)z->state.tmp_out_processed, n = have < WINDOW ? have : WINDOW;
    if (n && inflateSetDictionary(&z->zlib, z->state.tmp_out_buffer + have - n, (uInt)n) != Z_OK)
        return false;
    int skip = (int)(bit % 8);
    z->zlib_at = (size_t)(bit / 8);
    if (skip) {
        if (inflatePrime(&z->zlib, 8 - skip, z->log.data[z->zlib_at] >> skip) != Z_OK)
            return false;
        z->zlib_at++;
    }
    return true;
}

/*
 * The data at the end of the log are damaged, or the input ended too early.  Let zlib continue from the last known
 * block boundary, and skip the output that was already delivered.
 */
static bool hand_over(struct tr__isal *z)
{
    uint64_t bit, out;
    if (!find_boundary(z, &bit, &out) || !start_zlib(z, bit))
        return false;
    z->zlib_done = TR_OK;
    while (out < z->out && z->zlib_done == TR_OK) {
        uint64_t rest = z->out - out;
        size_t cap = rest < sizeof z->scratch ? (size_t)rest : sizeof z->scratch, used, made;
        z->zlib_done = tr__zlib_run(&z->zlib, z->log.data + z->zlib_at, z->log.len - z->zlib_at,
                                    z->scratch, cap, &used, &made, NULL);
        z->zlib_at += used;
        out += made;
        if (!used && !made)
            break;
    }
    return z->zlib_done != TR_OK || out == z->out;
}

/* Decode with zlib: first the rest of the log, then new input. */
static enum tr_status run_zlib(struct tr__isal *z, const unsigned char *in, size_t n_in,
                               unsigned char *out, size_t cap, ptrdiff_t *used, size_t *made)
{
    size_t n;
    *used = 0;
    *made = 0;
    if (z->zlib_done == TR_OK && z->zlib_at < z->log.len) {
        z->zlib_done = tr__zlib_run(&z->zlib, z->log.data + z->zlib_at, z->log.len - z->zlib_at,
                                    out, cap, &n, made, NULL);
        z->zlib_at += n;
    }
    if (z->zlib_done == TR_OK && !*made && z->zlib_at == z->log.len) {
        z->zlib_done = tr__zlib_run(&z->zlib, in, n_in, out, cap, &n, made, NULL);
        *used = (ptrdiff_t)n;
    }
    if (z->zlib_done != TR_OK && z->zlib_at < z->log.len) {
        size_t back = z->log.len - z->zlib_at;
        *used = back < (size_t)TR__INFLATE_BACK ? -(ptrdiff_t)back : -TR__INFLATE_BACK;
    }
    return z->zlib_done;
}

/* No boundary was found: deliver the output of ISA-L before the damage. */
static enum tr_status drain(struct tr__isal *z, unsigned char *out, size_t cap, size_t *made)
{
    struct inflate_state *s = &z->state;
    size_t n = (size_t)(s->tmp_out_valid - s->tmp_out_processed);
    *made = n < cap ? n : cap;
    memcpy(out, s->tmp_out_buffer + s->tmp_out_processed, *made);
    s->tmp_out_processed += (int32_t)*made;
    return *made == n ? TR_DAMAGED : TR_OK;
}

/*
 * ISA-L has found a fault after making some bytes, or is at a loss for more input.  The last of
 * those bytes may come from a match that is the fault, so zlib makes them again.
 */
static enum tr_status fault(struct tr__isal *z, const unsigned char *in, size_t n_in,
                            unsigned char *out, size_t cap, ptrdiff_t *used, size_t *made)
{
    struct inflate_state *saved = malloc(sizeof *saved);
    enum tr_status st;
    if (!saved)
        return TR_SYSTEM;
    *saved = z->state;
    if (hand_over(z)) {
        z->mode = BY_ZLIB;
        st = run_zlib(z, in, n_in, out, cap, used, made);
    } else {
        size_t more;
        z->mode = DRAINING;
        z->state = *saved;
        *used = 0;
        st = drain(z, out + *made, cap - *made, &more);
        *made += more;
    }
    free(saved);
    return st;
}

static enum tr_status run_isal(struct tr__isal *z, const unsigned char *in, size_t n_in, bool last,
                               unsigned char *out, size_t cap, ptrdiff_t *used, size_t *made)
{
    size_t n;
    bool good = step(z, in, n_in < SEGMENT ? n_in : SEGMENT, out,
                     cap < MAX_OUT ? cap : MAX_OUT, &n, made);
    if (good && z->state.block_state == ISAL_BLOCK_FINISH) {
        *used = (ptrdiff_t)n - z->state.read_in_length / 8;
        return TR_END;
    }
    if (!good || (last && !n && !*made)) {
        if (!tr_buf_add(&z->log, in, n))
            return TR_SYSTEM;
        enum tr_status st = fault(z, in + n, n_in - n, out, cap, used, made);
        *used += (ptrdiff_t)n;
        return st;
    }
    *used = (ptrdiff_t)n;
    z->out += *made;
    return remember(z, in, n) ? TR_OK : TR_SYSTEM;
}

enum tr_status tr__isal_run(struct tr__isal *z, const unsigned char *in, size_t n_in, bool last,
                            unsigned char *out, size_t cap, ptrdiff_t *used, size_t *made,
                            struct tr_error *err)
{
    enum tr_status st;
    *used = 0;
    *made = 0;
    if (z->mode == DRAINING)
        st = drain(z, out, cap, made);
    else if (z->mode == BY_ZLIB)
        st = run_zlib(z, in, n_in, out, cap, used, made);
    else
        st = run_isal(z, in, n_in, last, out, cap, used, made);
    if (st == TR_SYSTEM)
        return tr_fail_memory(err);
    return st == TR_DAMAGED ? tr_fail(err, st, "damaged deflate data") : st;
}

uint32_t tr__isal_crc32(const struct tr__isal *z, uint32_t crc, const unsigned char *p, size_t n)
{
    return z->isal.crc32(crc, p, n);
}

#endif
