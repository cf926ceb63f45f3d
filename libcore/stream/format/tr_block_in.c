/* SPDX-License-Identifier: MIT */
/* Reads blocks: they are read, checked and decoded in advance of the reader. */
#include "stream/format/tr_block_in_int.h"

#include "io/tr_pool.h"
#include "stream/format/tr_index_int.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#define IDLE_NS 50000000
#define N_SLOTS 6u /* blocks in memory: the current one of the reader, and those in advance */

struct tr__blocks {
    struct tr_stream_bytes from;
    const struct tr_dict *dict;
    struct tr__wanted wanted;
    bool limited; /* only blocks that meet these times are needed */
    struct tr_needed times;
    /* Of the side that reads. */
    bool timed; /* a block with times has come, so all events after it have times */
    uint64_t offset, chain;
    uint32_t n_blocks;
    uint64_t n_sent;    /* strings that have come */
    uint32_t n_strings; /* already in the dictionary; they are sent, too */
    struct tr__block_in slots[N_SLOTS]; /* without a thread only the first */
    /* The thread, and the data that are shared with it. */
    size_t n_slots;      /* in use */
    bool ahead, started; /* ahead: requested; started: running, or ended and not yet joined */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t n_read, n_taken; /* number of blocks put into slots so far, and number that the reader has finished */
    bool reading;           /* the thread is in from.read, which may wait for ever */
    bool stop, over;        /* no more blocks are needed; the thread has ended */
    bool orphan;            /* it releases all this when it ends */
    bool held;              /* the reader has a block from the slots */
    enum tr_status (*idle)(void *ctx, struct tr_error *err);
    void *idle_ctx;
    struct tr__block_in failed;
};

/* ---- bytes ---- */

/* Record whether the thread is in a read.  False: the thread must end, and must not access anything else. */
static bool mark_reading(struct tr__blocks *b, bool reading)
{
    if (!b->started)
        return true;
    pthread_mutex_lock(&b->lock);
    bool go_on = !b->stop;
    b->reading = reading && go_on;
    if (b->reading)
        pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    return go_on;
}

/* Read len bytes; *got is less at the end of the input.  TR_END: stopped. */
static enum tr_status fill(struct tr__blocks *b, void *buf, size_t len, size_t *got,
                           struct tr_error *err)
{
    *got = 0;
    while (*got < len) {
        size_t n = 0;
        if (!mark_reading(b, true))
            return TR_END;
        enum tr_status st =
            b->from.read(b->from.ctx, (unsigned char *)buf + *got, len - *got, &n, err);
        if (!mark_reading(b, false))
            return TR_END;
        if (st != TR_OK)
            return st;
        if (n == 0)
            break;
        *got += n;
    }
    b->offset += *got;
    return TR_OK;
}

static enum tr_status cut_short(const struct tr__blocks *b, struct tr_error *err)
{
    return tr_fail(err, TR_DAMAGED,
                   "ends at byte %" PRIu64 " without a trailer: "
                   "the writer failed or was stopped",
                   b->offset);
}

static enum tr_status read_preamble(struct tr__blocks *b, struct tr_error *err)
{
    unsigned char p[TR_PREAMBLE_BYTES];
    size_t got;
    enum tr_status st = fill(b, p, sizeof p, &got, err);
    if (st != TR_OK)
        return st;
    if (got < sizeof p && (got < 3 || tr_reader_probe(p, got)))
        return cut_short(b, err);
    if (got < sizeof p)
        return tr_fail(err, TR_DAMAGED, "is not an event stream");
    return tr__preamble_check(p, err);
}

/* ---- one block ---- */

/* Does a block of events meet none of the times that are needed? */
static bool needless(struct tr__blocks *b, const struct tr_block *k)
{
    bool later = b->timed;
    if (!b->limited || k->type != TR_BLOCK_EVENTS || k->start == TR_TIME_NONE)
        return false;
    b->timed = true;
    return later && (b->times.from >= b->times.to || k->end < b->times.from || k->start >= b->times.to);
}

/* The payload of a block; what is not needed is passed over, and, where that is not possible, read and forgotten. */
static enum tr_status read_payload(struct tr__blocks *b, struct tr__block_in *in, struct tr_error *err)
{
    const uint32_t n = in->block.stored;
    size_t got;
    if (in->skipped && b->from.skip && b->from.skip(b->from.ctx, n)) {
        b->offset += n;
        return TR_OK;
    }
    if (!tr_grow(&in->stored, &in->cap_stored, n, 1))
        return tr_fail_memory(err);
    enum tr_status st = fill(b, in->stored, n, &got, err);
    if (st == TR_OK && got < n) {
        in->cut = true;
        return cut_short(b, err);
    }
    if (st == TR_OK && !in->skipped && tr__checksum(in->stored, n) != in->block.check)
        return tr_fail(err, TR_DAMAGED, "the checksum of the %s block does not match",
                       tr__block_name(in->block.type));
    return st;
}

static enum tr_status read_block(struct tr__blocks *b, struct tr__block_in *in)
{
    unsigned char head[TR_BLOCK_BYTES];
    struct tr_error *err = &in->err;
    size_t got;
    enum tr_status st = fill(b, head, sizeof head, &got, err);
    if (st == TR_OK && got < sizeof head) {
        in->cut = true;
        return cut_short(b, err);
    }
    if (st == TR_OK)
        st = tr__block_get(&in->block, head, err);
    if (st != TR_OK)
        return st;
    if (in->block.number != b->n_blocks)
        return tr_fail(err, TR_DAMAGED, "has number %u: blocks are missing or out of place",
                       in->block.number);
    in->skipped = needless(b, &in->block);
    st = read_payload(b, in, err);
    if (st != TR_OK)
        return st;
    if (in->block.type != TR_BLOCK_TRAILER)
        b->chain = tr__chain(b->chain, head);
    b->n_blocks++;
    return TR_OK;
}

static void next_block(struct tr__blocks *b, struct tr__block_in *in)
{
    in->number = b->n_blocks;
    in->at = b->offset;
    in->cut = in->decoded = in->skipped = false;
    in->block = (struct tr_block){ .type = 0 };
    in->err = (struct tr_error)TR_ERROR_INIT;
    in->n_strings = b->n_sent > UINT32_MAX     ? UINT32_MAX
                    : b->n_sent > b->n_strings ? (uint32_t)b->n_sent
                                               : b->n_strings;
    in->st = read_block(b, in);
    in->end = b->offset;
    in->chain = b->chain;
    if (in->st == TR_OK && in->block.type == TR_BLOCK_STRINGS)
        b->n_sent += in->block.n_items;
}

/* Programs that seek use the range in a block's header, so it must be right. */
static enum tr_status check_range(const struct tr_batch *v, const struct tr_block *b,
                                  struct tr_error *err)
{
    int64_t start, end;
    if (!v->dur || !v->suspect)
        return TR_OK;
    tr__events_span(v->ts, v->dur, v->suspect, v->n, &start, &end);
    if (start != b->start || end != b->end)
        return tr_fail(err, TR_DAMAGED,
                       "events from %" PRId64 " to %" PRId64 " ns, the block's header "
                       "says %" PRId64 " to %" PRId64,
                       start, end, b->start, b->end);
    for (size_t i = 0; end == INT64_MAX && i < v->n; i++)
        if (v->suspect[i] == TR_SUSPECT_NO && v->dur[i] > 0 && v->ts[i] > INT64_MAX - v->dur[i])
            return tr_fail(err, TR_DAMAGED, "the end of an event leaves the range of 64 bits, and it is not marked");
    return TR_OK;
}

static void decode(const struct tr__blocks *b, struct tr__block_in *in)
{
    in->decoded = true;
    in->decode_st = TR_OK;
    if (!in->view.decoder && !tr__view_init(&in->view, b->dict))
        in->decode_st = tr_fail_memory(&in->err);
    else if (in->block.codec != TR_CODEC_NONE)
        in->decode_st =
            tr_fail(&in->err, TR_DAMAGED, "an event block with codec %u", in->block.codec);
    else
        in->decode_st = tr__view_decode(&in->view, &b->wanted, &in->block, in->stored,
                                        in->n_strings, &in->err);
    if (in->decode_st == TR_OK)
        in->decode_st = check_range(&in->view.batch, &in->block, &in->err);
    if (in->decode_st == TR_OK)
        tr__events_phases(in->view.batch.phase, in->view.batch.n, in->n_phase);
}

/* ---- the thread ---- */

/* Must the reader process a block of this type before later blocks can be decoded? */
static bool must_wait(unsigned type)
{
    return type != TR_BLOCK_EVENTS && type != TR_BLOCK_STRINGS && type != TR_BLOCK_INDEX;
}

/* Pass a block to the reader, and wait for a free slot.  False: stopped. */
static bool hand_over(struct tr__blocks *b, const struct tr__block_in *in)
{
    size_t room = must_wait(in->block.type) ? 1 : b->n_slots;
    pthread_mutex_lock(&b->lock);
    b->n_read++;
    pthread_cond_broadcast(&b->changed);
    while (!b->stop && b->n_read - b->n_taken >= room)
        pthread_cond_wait(&b->changed, &b->lock);
    bool go_on = !b->stop;
    pthread_mutex_unlock(&b->lock);
    return go_on;
}

static void release(struct tr__blocks *b)
{
    for (size_t i = 0; i < N_SLOTS; i++) {
        tr__view_free(&b->slots[i].view);
        free(b->slots[i].stored);
    }
    tr__wanted_free(&b->wanted);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

static void close_bytes(struct tr__blocks *b)
{
    if (b->from.close)
        b->from.close(b->from.ctx);
}

static void *read_ahead(void *arg)
{
    struct tr__blocks *b = arg;
    struct tr__block_in *in;
    do {
        in = &b->slots[b->n_read % b->n_slots];
        next_block(b, in);
        if (in->st == TR_OK && in->block.type == TR_BLOCK_EVENTS && !in->skipped)
            decode(b, in);
    } while (in->st == TR_OK && in->block.type != TR_BLOCK_TRAILER && hand_over(b, in));
    pthread_mutex_lock(&b->lock);
    bool orphan = b->orphan;
    b->n_read++; /* the trailer, or why there is none */
    b->over = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
    if (orphan) {
        close_bytes(b);
        release(b);
    }
    return NULL;
}

/* Stop the thread.  True: it has ended.  False: it waits for input, and will release everything itself. */
static bool stop_thread(struct tr__blocks *b)
{
    pthread_mutex_lock(&b->lock);
    b->stop = true;
    pthread_cond_broadcast(&b->changed);
    while (!b->over && !b->reading)
        pthread_cond_wait(&b->changed, &b->lock);
    bool ended = b->over;
    pthread_t thread = b->thread;
    b->orphan = !ended;
    pthread_mutex_unlock(&b->lock);
    if (ended)
        pthread_join(thread, NULL);
    else
        pthread_detach(thread);
    return ended;
}

/* ---- the reader's side ---- */

enum tr_status tr__blocks_open(struct tr__blocks **out, const struct tr_stream_bytes *from,
                               const struct tr_dict *dict, struct tr_error *err)
{
    struct tr__blocks *b = calloc(1, sizeof *b);
    if (!b)
        return tr_fail_memory(err);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    tr__wanted_init(&b->wanted);
    b->from = *from;
    b->dict = dict;
    b->n_strings = tr_strtab_count(dict->strings);
    enum tr_status st = read_preamble(b, err);
    if (st == TR_OK)
        *out = b;
    else
        release(b);
    return st;
}

void tr__blocks_abandon(struct tr__blocks *b)
{
    if (b)
        release(b);
}

void tr__blocks_close(struct tr__blocks *b)
{
    if (b->started && !stop_thread(b))
        return;
    close_bytes(b);
    release(b);
}

bool tr__blocks_want(struct tr__blocks *b, const struct tr_projection *want)
{
    return b->started || (tr__wanted_choose(&b->wanted, want) && tr__wanted_learn(&b->wanted, b->dict));
}

const struct tr__wanted *tr__blocks_wanted(const struct tr__blocks *b)
{
    return &b->wanted;
}

void tr__blocks_only(struct tr__blocks *b, const struct tr_needed *times)
{
    if (b->started)
        return;
    b->limited = true;
    b->times = *times;
}

void tr__blocks_ahead(struct tr__blocks *b, unsigned n_blocks)
{
    if (b->started || n_blocks == 0)
        return;
    b->n_slots = n_blocks < N_SLOTS ? n_blocks + 1 : N_SLOTS;
    b->ahead = true;
}

/* With the lock held: wait for a change.  False: idle has failed, and the lock is released. */
static bool wait_for_thread(struct tr__blocks *b)
{
    struct timespec until;
    if (!b->idle) {
        pthread_cond_wait(&b->changed, &b->lock);
        return true;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += IDLE_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (pthread_cond_timedwait(&b->changed, &b->lock, &until) == 0)
        return true;
    pthread_mutex_unlock(&b->lock);
    b->failed.st = b->idle(b->idle_ctx, &b->failed.err);
    if (b->failed.st != TR_OK)
        return false;
    pthread_mutex_lock(&b->lock);
    return true;
}

/* Give back the slot of the block before and wait for the next one. */
static const struct tr__block_in *take_from_thread(struct tr__blocks *b)
{
    pthread_mutex_lock(&b->lock);
    b->n_taken += b->held;
    b->held = false;
    pthread_cond_broadcast(&b->changed);
    while (b->n_read == b->n_taken)
        if (!wait_for_thread(b))
            return &b->failed;
    struct tr__block_in *in = &b->slots[b->n_taken % b->n_slots];
    pthread_mutex_unlock(&b->lock);
    b->held = true;
    return in;
}

void tr__blocks_idle(struct tr__blocks *b, enum tr_status (*idle)(void *ctx, struct tr_error *err), void *ctx)
{
    b->idle = idle;
    b->idle_ctx = ctx;
}

const struct tr__block_in *tr__blocks_next(struct tr__blocks *b)
{
    if (!tr__wanted_learn(&b->wanted, b->dict)) {
        b->failed.st = tr_fail_memory(&b->failed.err);
        return &b->failed;
    }
    if (b->ahead && !b->started) {
        b->started = true; /* before it runs, because the thread reads it */
        if (tr_thread_start(&b->thread, read_ahead, b, NULL) != TR_OK)
            b->started = b->ahead = false;
    }
    if (b->started)
        return take_from_thread(b);
    next_block(b, &b->slots[0]);
    return &b->slots[0];
}

enum tr_status tr__blocks_events(struct tr__blocks *b, const struct tr_batch **events,
                                 const uint32_t **n_phase, struct tr_error *err)
{
    struct tr__block_in *in = &b->slots[b->started ? b->n_taken % b->n_slots : 0];
    if (!in->decoded)
        decode(b, in);
    if (in->decode_st != TR_OK && err)
        *err = in->err;
    *events = &in->view.batch;
    *n_phase = in->n_phase;
    return in->decode_st;
}

enum tr_status tr__blocks_more(struct tr__blocks *b, bool *more, struct tr_error *err)
{
    unsigned char byte;
    size_t got;
    enum tr_status st = fill(b, &byte, 1, &got, err);
    *more = st == TR_OK && got;
    return st;
}
