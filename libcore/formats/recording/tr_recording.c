/* SPDX-License-Identifier: MIT */
/*
 * Reader of recordings: from bytes to blocks, and the threads that they are of.
 *
 * A block that was read before is left out.  After a block that is missing, the spans that were open have no end: they
 * may have ended in it.
 */
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "formats/common/tr_window_int.h"
#include "formats/recording/tr_recording_int.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BLOCK   (4 * TR_REC_BYTES)
#define WINDOW      (4 * (size_t)MAX_BLOCK)
#define MAX_THREADS (1u << 20)

struct tr__rec_reader {
    struct tr__window w;
    struct tr__rec_thread *threads;
    size_t n_threads, cap_threads;
    struct tr__numbers thread_of; /* by hash of what identifies it */
    struct tr__numbers process_of; /* the same of its process */
    uint32_t n_processes;
    struct tr__rec_records records;
    bool any, lost; /* lost: bytes that are no block were counted, and no block came since */
};

/* ---- threads ---- */

static uint64_t thread_key(const unsigned char *head, uint64_t turn)
{
    unsigned char key[32];
    memcpy(key, head + TR_REC_AT_PID, 4);
    memset(key + 4, 0, 4);
    memcpy(key + 8, head + TR_REC_AT_START, 8);
    memcpy(key + 16, head + TR_REC_AT_THREAD, 8);
    memcpy(key + 24, &turn, 8);
    return tr_hash(key, sizeof key);
}

/* False: out of memory. */
static bool number_process(struct tr__rec_reader *r, const unsigned char *head, uint32_t *number)
{
    unsigned char key[12];
    memcpy(key, head + TR_REC_AT_PID, 4);
    memcpy(key + 4, head + TR_REC_AT_START, 8);
    uint64_t hash = tr_hash(key, sizeof key);
    *number = tr__numbers_get(&r->process_of, hash);
    if (*number != UINT32_MAX)
        return true;
    *number = r->n_processes++;
    return tr__numbers_set(&r->process_of, hash, *number);
}

/* The thread of a block; NULL: out of memory, or there are too many. */
static struct tr__rec_thread *thread_of(struct tr__rec_reader *r, const unsigned char *head)
{
    struct tr__rec_thread want = {
        .start = tr__rec_u64(head + TR_REC_AT_START),
        .number = tr__rec_u64(head + TR_REC_AT_THREAD),
        .pid = (int32_t)tr__rec_u32(head + TR_REC_AT_PID),
        .tid = (int32_t)tr__rec_u32(head + TR_REC_AT_TID),
    };
    for (uint64_t turn = 0;; turn++) {
        uint64_t key = thread_key(head, turn);
        uint32_t at = tr__numbers_get(&r->thread_of, key);
        if (at == UINT32_MAX) {
            if (r->n_threads == MAX_THREADS ||
                !tr_grow(&r->threads, &r->cap_threads, r->n_threads + 1, sizeof *r->threads) ||
                !number_process(r, head, &want.process) ||
                !tr__numbers_set(&r->thread_of, key, (uint32_t)r->n_threads))
                return NULL;
            r->threads[r->n_threads] = want;
            return &r->threads[r->n_threads++];
        }
        struct tr__rec_thread *t = &r->threads[at];
        if (t->start == want.start && t->number == want.number && t->pid == want.pid && t->tid == want.tid)
            return t;
    }
}

/* ---- blocks ---- */

static enum tr_status take_thread_block(struct tr__rec_reader *r, const unsigned char *head, struct tr__rec_block *b,
                                        struct tr_ingest *g, struct tr_error *err)
{
    static const struct tr_ingest_cause missing = { "missing_block", "blocks of a thread that are missing", true };
    static const struct tr_ingest_cause dropped = { "unwritten_block", "blocks that could not be written", true };
    struct tr__rec_thread *t = thread_of(r, head);
    uint32_t number = tr__rec_u32(head + TR_REC_AT_NUMBER), lost = tr__rec_u32(head + TR_REC_AT_LOST);
    enum tr_status st = TR_OK;
    if (!t)
        return tr_fail_memory(err);
    if (number <= t->block)
        return TR_OK;
    if (number != t->block + 1) {
        if (!r->records.first)
            tr_ingest_damaged_by(g, &missing, b->offset);
        st = tr__rec_thread_end(&r->records, t);
    }
    for (uint32_t n = 0; t->lost != lost && n < 1000; t->lost = ++n < 1000 ? t->lost + 1 : lost)
        tr_ingest_damaged_by(g, &dropped, b->offset);
    t->block = number;
    return st == TR_OK ? tr__rec_block_read(&r->records, t, b, t->pid) : st;
}

/* The block at the start of the window, of which all is there. */
static enum tr_status take_block(struct tr__rec_reader *r, const unsigned char *head, size_t used, struct tr_ingest *g,
                                 struct tr_error *err)
{
    int32_t pid = (int32_t)tr__rec_u32(head + TR_REC_AT_PID);
    struct tr__rec_block b = {
        .p = head + TR_REC_HEAD,
        .n = used,
        .offset = tr__window_offset(&r->w) + TR_REC_HEAD,
        .zero = (int64_t)tr__rec_u64(head + TR_REC_AT_ZERO),
    };
    r->records.g = g;
    r->records.err = err;
    if (!r->any)
        tr_ingest_base(g, 0); /* times are since 1970 */
    r->any = true;
    r->lost = false;
    return tr__rec_u32(head + TR_REC_AT_TID) ? take_thread_block(r, head, &b, g, err)
                                             : tr__rec_block_read(&r->records, NULL, &b, pid);
}

static bool is_head(const char *p)
{
    return memcmp(p, TR_REC_MAGIC, 8) == 0;
}

/* The first head from here on, of n bytes; n: there is none. */
static size_t find_head(const char *p, size_t n)
{
    for (size_t at = 0; at < n; at++) {
        const char *first = memchr(p + at, TR_REC_MAGIC[0], n - at);
        at = first ? (size_t)(first - p) : n;
        if (n - at >= 8 && is_head(p + at))
            return at;
    }
    return n;
}

/* What is no block: a hole, whose bytes are zero, or damage. */
static void skip_bytes(struct tr__rec_reader *r, struct tr_ingest *g)
{
    static const struct tr_ingest_cause bytes = { "bytes_of_no_block", "bytes of no block, left out", true };
    const char *p = r->w.p + r->w.at;
    size_t n = r->w.n - r->w.at, to = 1 + find_head(p + 1, n - 1);
    if (to == n && !r->w.last && n > 8)
        to -= 7; /* a head may begin there */
    bool hole = *p == 0 && memcmp(p, p + 1, to - 1) == 0;
    if (!hole && !r->lost)
        tr_ingest_damaged_by(g, &bytes, tr__window_offset(&r->w));
    r->lost |= !hole;
    r->w.at += to;
}

/* A block that ends at the next head: its process was killed while it wrote it, and there may be a copy. */
static enum tr_status leave_out(struct tr__rec_reader *r, const unsigned char *head, size_t bytes, struct tr_error *err)
{
    struct tr__rec_thread *t = thread_of(r, head);
    uint32_t number = tr__rec_u32(head + TR_REC_AT_NUMBER);
    if (!t)
        return tr_fail_memory(err);
    t->cut = number > t->cut ? number : t->cut;
    r->w.at += bytes;
    return TR_OK;
}

/* One block, or bytes up to the next one. */
static enum tr_status read_part(struct tr__rec_reader *r, struct tr_ingest *g, struct tr_error *err)
{
    const char *p = r->w.p + r->w.at;
    const unsigned char *head = (const unsigned char *)p;
    size_t n = r->w.n - r->w.at;
    bool cut = n < TR_REC_HEAD;
    if (n < 8 || !is_head(p)) {
        skip_bytes(r, g);
        return TR_OK;
    }
    size_t size = cut ? n : tr__rec_u32(head + TR_REC_AT_SIZE), used = cut ? 0 : tr__rec_u32(head + TR_REC_AT_USED);
    if (!cut && (size < TR_REC_HEAD || size % 8 || size > MAX_BLOCK || used > size - TR_REC_HEAD)) {
        skip_bytes(r, g);
        return TR_OK;
    }
    size_t next = 8 + find_head(p + 8, (size < n ? size : n) - 8);
    if (!cut && next < size && next < n)
        return leave_out(r, head, next, err);
    if (cut || TR_REC_HEAD + used > n) {
        tr_ingest_damaged(g, TR_DAMAGE_TRUNCATED, tr__window_offset(&r->w));
        used = cut ? 0 : (n - TR_REC_HEAD) / 8 * 8;
    }
    enum tr_status st = cut ? TR_OK : take_block(r, head, used, g, err);
    r->w.at += size < n ? size : n;
    return st;
}

/* All threads come to their end. */
static enum tr_status end_all(struct tr__rec_reader *r)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < r->n_threads; i++) {
        if (r->threads[i].cut > r->threads[i].block)
            tr_ingest_damaged(r->records.g, TR_DAMAGE_TRUNCATED, TR_NO_OFFSET);
        st = tr__rec_thread_end(&r->records, &r->threads[i]);
    }
    if (st == TR_OK)
        st = tr__rec_overlapped_end(&r->records);
    return st == TR_OK ? tr__rec_devices_end(&r->records) : st;
}

static enum tr_status read_blocks(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct tr__rec_reader *r = ctx;
    enum tr_status st = tr__window_fill(&r->w, g, WINDOW, err);
    r->records.g = g;
    r->records.err = err;
    while (st == TR_OK && (r->w.last ? r->w.at < r->w.n : r->w.n - r->w.at >= MAX_BLOCK))
        st = read_part(r, g, err);
    if (st != TR_OK || !r->w.last || r->w.at < r->w.n)
        return st;
    if (!r->any)
        return tr_fail(err, TR_DAMAGED, "a recording without a whole block");
    st = end_all(r);
    return st == TR_OK ? TR_END : st;
}

static void release(void *ctx)
{
    struct tr__rec_reader *r = ctx;
    for (size_t i = 0; i < r->n_threads; i++)
        tr__rec_thread_free(&r->threads[i]);
    free(r->threads);
    tr__numbers_free(&r->thread_of);
    tr__numbers_free(&r->process_of);
    tr__rec_records_free(&r->records);
    tr__window_free(&r->w);
    free(r);
}

static enum tr_status open_recording(const struct tr_format *f, struct tr_input **out,
                                     const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                     struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "recording", read_blocks, release };
    return tr__reader_open(out, &reader, sizeof(struct tr__rec_reader), NULL, NULL, bytes, opts, err);
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    return n >= 8 && is_head((const char *)p) ? 100 : 0;
}

const struct tr_format tr_format_recording = {
    .name = "recording",
    .brief = "what tr-record's recorder writes in a watched program",
    .probe = probe,
    .open = open_recording,
};
