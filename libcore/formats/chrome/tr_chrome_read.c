/* SPDX-License-Identifier: MIT */
/*
 * Reading one file by several threads.
 *
 * A thread takes the next piece of text, which is cut where an event seems to start, and reads it with this guess.
 * Pieces are then committed in order.  At that time the end of the piece before is known.  If the guess was wrong, the
 * piece is read again from there.  So the result is the same as reading from the first byte to the last, and a wrong
 * guess only costs time.
 */
#include "formats/chrome/tr_chrome_read_int.h"

#include "io/tr_pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PIECE_BYTES (512u << 10) /* what is read stays in the cache until its rows are made */
#define FIRST_PIECE_BYTES (128u << 10)
#define MAX_MARK 96u

struct worker;

struct reading {
    struct tr__source_state *l;
    struct tr__file *file;
    struct tr__chrome *chrome;
    const struct tr_ingest_bytes *bytes;
    size_t piece_bytes;

    pthread_mutex_t read_lock;
    uint64_t offset; /* of the next piece */
    uint64_t next_seq;
    struct tr_buf carry; /* text after the last cut */
    bool eof, in_parallel, guess_next;
    struct tr__position guess; /* the assumed start of a piece, when pieces are read in parallel */
    char mark[MAX_MARK]; /* how events start here: text from the previous } to the first key */
    size_t mark_len, mark_brace;

    pthread_mutex_t commit_lock;
    pthread_cond_t committed;
    uint64_t commit_seq;
    struct tr__position pos;
    struct tr_buf left; /* text not yet read, before the next piece */
    enum tr_status status;
    struct tr_error err;
    atomic_bool stop; /* status is no longer TR_OK */
    bool damaged_text; /* the input itself was cut or damaged */
    bool live;         /* one thread, and rows are handed out piece by piece */
    struct worker *workers;
};

struct worker {
    struct reading *r;
    struct tr__parser *ps;
    char *buf;
    size_t cap, n;
    uint64_t seq, offset;
    bool last, guess;
    struct tr__piece piece; /* being read */
    pthread_t thread;
};

static void fail(struct reading *r, enum tr_status st, const struct tr_error *err)
{
    if (r->status == TR_OK) {
        r->status = st;
        r->err = *err;
        atomic_store(&r->stop, true);
    }
}

static bool reserve(struct worker *w, size_t n)
{
    if (n + TR__PAD <= w->cap)
        return true;
    size_t cap = n + n / 4 + TR__PAD;
    char *buf = realloc(w->buf, cap);
    if (!buf)
        return false;
    w->buf = buf;
    w->cap = cap;
    return true;
}

/* Fill the worker's buffer up to n bytes, or to the end of the input. */
static enum tr_status fill(struct worker *w, size_t n, struct tr_error *err)
{
    struct reading *r = w->r;
    size_t before = w->n;
    while (w->n < n && !r->eof && !(r->live && w->n > before)) { /* live: the available text is enough */
        size_t got = 0;
        enum tr_status st = tr__chrome_bytes(r->chrome, w->buf + w->n, n - w->n, &got, err);
        if (st == TR_OK) {
            w->n += got;
        } else if (st == TR_END) {
            r->eof = true;
        } else if (st == TR_DAMAGED && !r->l->opts->strict) {
            r->eof = r->damaged_text = true;
            *err = (struct tr_error)TR_ERROR_INIT;
        } else {
            return st;
        }
    }
    return TR_OK;
}

/* The last place in p[0..n) that looks like the start of an event; 0: none. */
static size_t find_cut(const struct reading *r, const char *p, size_t n)
{
    if (!r->mark_len || n < r->mark_len + 1)
        return 0;
    for (size_t i = n - r->mark_len; i > 0; i--)
        if (p[i] == '}' && !memcmp(p + i, r->mark, r->mark_len))
            return i + r->mark_brace;
    return 0;
}

/* Take the next piece of text; with the read lock held.  TR_END: there is none. */
static enum tr_status take_piece(struct worker *w, struct tr_error *err)
{
    struct reading *r = w->r;
    size_t want = r->in_parallel ? r->piece_bytes
                                 : r->piece_bytes < FIRST_PIECE_BYTES ? r->piece_bytes : FIRST_PIECE_BYTES;
    if (!r->in_parallel && want < r->left.len) /* the rest is read again with each piece */
        want = r->left.len;
    if (r->eof && r->carry.len == 0 && r->next_seq > 0)
        return TR_END;
    if (!reserve(w, r->carry.len + want))
        return tr_fail_memory(err);
    if (r->carry.len)
        memcpy(w->buf, r->carry.data, r->carry.len);
    w->n = r->carry.len;
    r->carry.len = 0;
    enum tr_status st = fill(w, w->n + want, err);
    if (st != TR_OK)
        return st;
    w->seq = r->next_seq++;
    w->offset = r->offset;
    w->guess = r->guess_next;
    w->last = r->eof;
    r->guess_next = false;
    if (!w->last && r->in_parallel) {
        size_t cut = find_cut(r, w->buf, w->n);
        if (cut) {
            if (!tr_buf_add(&r->carry, w->buf + cut, w->n - cut))
                return tr_fail_memory(err);
            w->n = cut;
            r->guess_next = true;
        }
    }
    r->offset += w->n;
    memset(w->buf + w->n, 0, TR__PAD);
    return TR_OK;
}

/* Learn how events start, from two neighbouring events just read. */
static void learn_mark(struct reading *r, const char *p, size_t n)
{
    for (size_t i = n; i > 1 && !r->mark_len; i--) {
        if (p[i - 1] != '{')
            continue;
        size_t from = i - 1, to = i;
        while (from > 0 && (tr_json_space(p[from - 1]) || p[from - 1] == ','))
            from--;
        while (to < n && tr_json_space(p[to]))
            to++;
        if (from == 0 || p[from - 1] != '}' || to >= n || p[to] != '"')
            continue;
        const char *quote = memchr(p + to + 1, '"', n - to - 1);
        size_t len = quote ? (size_t)(quote - p) + 1 - (from - 1) : MAX_MARK;
        if (len >= MAX_MARK || !memchr(p + from, ',', i - from))
            continue;
        memcpy(r->mark, p + from - 1, len);
        r->mark_len = len;
        r->mark_brace = i - 1 - (from - 1);
    }
}

/* Read a piece from a position on.  used: length of the complete text. */
static enum tr_status read_piece(struct worker *w, struct tr__position *pos, const char *p, size_t n,
                                 uint64_t offset, size_t *used, struct tr_error *err)
{
    if (tr__take_text(w->ps, pos, p, n, w->last, offset, used) == TR__NO_MEMORY)
        return tr__lane_failed(&w->ps->lane, err);
    return w->r->live ? TR_OK : tr__piece_sort(w->ps->lane.piece, err);
}

/* The guess was wrong, or there was none: read the piece from where the one before it ended. */
static enum tr_status read_again(struct worker *w, struct tr__position *pos, size_t *used, size_t *n,
                                 struct tr_error *err)
{
    struct reading *r = w->r;
    size_t left = r->left.len;
    *pos = r->pos;
    *n = left + w->n;
    if (!reserve(w, *n))
        return tr_fail_memory(err);
    memmove(w->buf + left, w->buf, w->n);
    if (left)
        memcpy(w->buf, r->left.data, left);
    memset(w->buf + *n, 0, TR__PAD);
    tr__piece_reset(&w->ps->lane, w->ps->lane.piece, r->l->pool);
    return read_piece(w, pos, w->buf, *n, w->offset - left, used, err);
}

/* Commit the worker's piece, with the commit lock held and in its turn. */
static enum tr_status commit(struct worker *w, struct tr__position *pos, size_t used, struct tr_error *err)
{
    struct reading *r = w->r;
    size_t n = w->n;
    enum tr_status st = TR_OK;
    if (!w->guess || r->left.len > 0 || r->pos.state != TR__EVENTS_COMMA ||
        r->pos.bare_array != r->guess.bare_array || r->pos.after_end || r->pos.in_vain > 0 || r->pos.repairs > 0)
        st = read_again(w, pos, &used, &n, err);
    if (st == TR_OK)
        st = tr__piece_commit_findings(r->file, w->ps->lane.piece, w->ps->lane.interner_no, err);
    if (st == TR_OK && !r->live)
        st = tr__piece_commit_rows(r->l, w->ps->lane.piece, err);
    if (st != TR_OK)
        return st;
    r->pos = *pos;
    r->left.len = 0;
    if (!tr_buf_add(&r->left, w->buf + used, n - used))
        return tr_fail_memory(err);
    if (!r->live && !r->in_parallel && r->pos.state >= TR__EVENTS_FIRST && r->pos.state <= TR__EVENTS_VALUE &&
        r->pos.n_learnt >= TR__LEARN_EVENTS) {
        learn_mark(r, w->buf, used);
        r->guess = r->pos;
        r->guess.state = TR__EVENTS_COMMA;
        r->guess.seen_events = r->guess.seen_bracket = true;
        r->guess.after_end = false;
        r->guess.in_vain = r->guess.repairs = 0;
        r->in_parallel = r->mark_len > 0 && !r->chrome->spoken;
    }
    return tr_open_progress(r->l->opts, w->offset + w->n, 0, err);
}

/* Take, read and commit one piece.  False: no more to do. */
static bool work_once(struct worker *w)
{
    struct reading *r = w->r;
    struct tr_error err = TR_ERROR_INIT;
    struct tr__position pos;
    size_t used = 0;
    pthread_mutex_lock(&r->read_lock);
    enum tr_status st = atomic_load(&r->stop) ? TR_END : take_piece(w, &err);
    bool alone = st == TR_OK && !r->in_parallel; /* no other thread reads until this piece is committed */
    if (!alone)
        pthread_mutex_unlock(&r->read_lock);
    if (st == TR_END)
        return false;
    tr__piece_reset(&w->ps->lane, &w->piece, r->l->pool);
    if (w->guess)
        pos = r->guess;
    if (st == TR_OK && w->guess)
        st = read_piece(w, &pos, w->buf, w->n, w->offset, &used, &err);
    pthread_mutex_lock(&r->commit_lock);
    while (st == TR_OK && r->commit_seq != w->seq && r->status == TR_OK)
        pthread_cond_wait(&r->committed, &r->commit_lock);
    if (st == TR_OK && r->status == TR_OK)
        st = commit(w, &pos, used, &err);
    if (st != TR_OK)
        fail(r, st, &err);
    r->commit_seq++;
    bool go_on = r->status == TR_OK && !w->last;
    pthread_cond_broadcast(&r->committed);
    pthread_mutex_unlock(&r->commit_lock);
    if (alone)
        pthread_mutex_unlock(&r->read_lock);
    return go_on;
}

static void *run_worker(void *arg)
{
    while (work_once(arg))
        ;
    return NULL;
}

/* Let n workers read; the caller's thread is the first of them. */
static enum tr_status run_workers(struct reading *r, struct worker *workers, unsigned n)
{
    unsigned started = 1;
    while (started < n && tr_thread_start(&workers[started].thread, run_worker, &workers[started], NULL) == TR_OK)
        started++; /* fewer threads are enough */
    run_worker(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    return r->status;
}

static void reading_init(struct reading *r, struct tr__chrome *c, struct tr__source_state *l, struct worker *workers)
{
    memset(r, 0, sizeof *r);
    tr__position_init(&r->pos);
    r->workers = workers;
    r->l = l;
    r->file = &l->file;
    r->bytes = &c->bytes;
    r->chrome = c;
    r->piece_bytes = l->opts->tuning.piece_bytes ? l->opts->tuning.piece_bytes : PIECE_BYTES;
    pthread_mutex_init(&r->read_lock, NULL);
    pthread_mutex_init(&r->commit_lock, NULL);
    pthread_cond_init(&r->committed, NULL);
    for (unsigned k = 0; k < l->n_threads; k++) {
        r->workers[k].r = r;
        r->workers[k].ps = &c->parsers[k];
        memset(r->workers[k].ps->lane.last_track, 0, sizeof r->workers[k].ps->lane.last_track);
    }
}

/* The text has ended. */
static void reading_ended(struct reading *r)
{
    r->chrome->seen_bracket = r->pos.seen_bracket;
    tr__bytes_ended(r->file, r->bytes, r->damaged_text, r->eof, r->offset);
}

static void reading_free(struct reading *r)
{
    for (unsigned k = 0; r->workers && k < r->l->n_threads; k++) {
        free(r->workers[k].buf);
        tr__piece_free(&r->workers[k].piece);
    }
    free(r->workers);
    tr_buf_free(&r->carry);
    tr_buf_free(&r->left);
    pthread_mutex_destroy(&r->read_lock);
    pthread_mutex_destroy(&r->commit_lock);
    pthread_cond_destroy(&r->committed);
}

enum tr_status tr__chrome_read(struct tr__chrome *c, struct tr__source_state *l, struct tr_error *err)
{
    struct reading r;
    struct worker *workers = calloc(l->n_threads, sizeof *workers);
    if (!workers)
        return tr_fail_memory(err);
    reading_init(&r, c, l, workers);
    enum tr_status st = run_workers(&r, workers, l->n_threads);
    if (st != TR_OK && err)
        *err = r.err;
    reading_ended(&r);
    reading_free(&r);
    return st;
}

struct tr__chrome_live {
    struct reading r;
    bool ended;
};

enum tr_status tr__chrome_next(struct tr__chrome *c, struct tr__source_state *l, struct tr__piece *piece,
                               struct tr_error *err)
{
    struct tr__chrome_live *v = c->live;
    struct tr__position pos;
    if (!v) {
        struct worker *workers = calloc(l->n_threads, sizeof *workers);
        if (!workers || !(v = calloc(1, sizeof *v))) {
            free(workers);
            return tr_fail_memory(err);
        }
        reading_init(&v->r, c, l, workers);
        v->r.live = true;
        c->live = v;
    }
    if (v->ended)
        return TR_END;
    struct worker *w = &v->r.workers[0];
    enum tr_status st = take_piece(w, err);
    if (st == TR_OK) {
        w->guess = false; /* read from the end of the piece before */
        tr__piece_reset(&w->ps->lane, piece, l->pool);
        st = commit(w, &pos, 0, err);
    }
    v->ended = st != TR_OK || w->last;
    if (v->ended)
        reading_ended(&v->r);
    return st;
}

void tr__chrome_live_free(struct tr__chrome_live *v)
{
    if (!v)
        return;
    reading_free(&v->r);
    free(v);
}
