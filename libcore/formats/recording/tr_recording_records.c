/* SPDX-License-Identifier: MIT */
/*
 * Reader of recordings: from records to events.
 *
 * A task or range that nests is a span, written when it has ended, with all args that it got until then.  One that may
 * overlap others is an async span, whose id is the number of its start.  Ranges of programs have the category
 * user_annotation, as those of other formats have; oneCCL's domain of ITT, whose tasks are collectives, is named as
 * unitrace does it.
 */
#include "formats/recording/tr_recording_int.h"

#include "base/tr_mem.h"
#include "base/tr_str.h"
#include "stream/tr_dict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPEN  65536u /* spans of a thread, or overlapping ones; further ones have no end */
#define MAX_ARGS  1024u  /* of an event */

/* The record at hand. */
struct record {
    unsigned type, api, name, aux;
    const unsigned char *p; /* behind its first word */
    size_t n;               /* bytes of it there, a multiple of 8 */
    uint64_t offset;
};

static uint64_t word(const struct record *r, size_t i)
{
    return 8 * i + 8 <= r->n ? tr__rec_u64(r->p + 8 * i) : 0;
}

/* ---- names ---- */

static uint32_t text_number(const struct tr__rec_records *r, unsigned name)
{
    return name < r->n_names ? r->names[name] : TR_NO_STR;
}

/* A text after a word with the number of its bytes.  False: it is cut. */
static bool text_of(const struct record *rec, size_t at, struct tr_str *text)
{
    uint64_t len = word(rec, at);
    if (8 * (at + 1) > rec->n || len > rec->n - 8 * (at + 1))
        return false;
    *text = (struct tr_str){ (const char *)rec->p + 8 * (at + 1), (size_t)len };
    return true;
}

static enum tr_status define_name(struct tr__rec_records *r, const struct record *rec)
{
    struct tr_str text;
    if (!text_of(rec, 0, &text)) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, rec->offset);
        return TR_OK;
    }
    if (rec->name == TR_REC_NO_NAME)
        return TR_OK;
    if (!tr_grow(&r->names, &r->cap_names, rec->name + (size_t)1, sizeof *r->names))
        return tr_fail_memory(r->err);
    while (r->n_names <= rec->name)
        r->names[r->n_names++] = TR_NO_STR;
    r->names[rec->name] = tr_ingest_text(r->g, text.s, text.len);
    return TR_OK;
}

/* ---- args ---- */

/* TR_OK; TR_END: the record is damaged; TR_SYSTEM. */
static enum tr_status add_arg(struct tr__rec_records *r, const struct record *rec, size_t at, struct tr__rec_args *args)
{
    struct tr__rec_arg a = { text_number(r, rec->name), (uint8_t)rec->aux, word(rec, at) };
    struct tr_str text;
    if (a.key == TR_NO_STR || rec->aux >= TR_REC_N_VALUES || 8 * (at + 1) > rec->n || args->n == MAX_ARGS)
        return TR_END;
    if (a.type == TR_REC_STRING) {
        if (!text_of(rec, at, &text))
            return TR_END;
        a.value = tr_ingest_text(r->g, text.s, text.len);
        a.type = TR_REC_TEXT_NAME;
    } else if (a.type == TR_REC_TEXT_NAME) {
        a.value = a.value <= TR_REC_NO_NAME ? text_number(r, (unsigned)a.value) : TR_NO_STR;
    }
    if (a.type == TR_REC_TEXT_NAME && a.value == TR_NO_STR)
        return TR_END;
    for (size_t i = 0; i < args->n; i++)
        if (args->v[i].key == a.key) { /* of a value that changes, the last one counts */
            args->v[i] = a;
            return TR_OK;
        }
    if (!tr_grow(&args->v, &args->cap, args->n + 1, sizeof *args->v))
        return tr_fail_memory(r->err);
    args->v[args->n++] = a;
    return TR_OK;
}

static void give_args(struct tr__rec_records *r, const struct tr__rec_event *e, bool domain)
{
    if (domain && e->domain != TR_NO_STR)
        tr_ingest_arg_number(r->g, "domain", e->domain);
    for (size_t i = 0; i < e->args.n; i++) {
        const struct tr__rec_arg *a = &e->args.v[i];
        double real;
        memcpy(&real, &a->value, sizeof real);
        tr_ingest_key(r->g, a->key);
        if (a->type == TR_REC_TEXT_NAME)
            tr_ingest_arg_number(r->g, NULL, (uint32_t)a->value);
        else if (a->type == TR_REC_REAL)
            tr_ingest_arg_real(r->g, NULL, real);
        else if (a->type == TR_REC_UINT)
            tr_ingest_arg_uint(r->g, NULL, a->value);
        else
            tr_ingest_arg_int(r->g, NULL, (int64_t)a->value);
    }
}

/* ---- events ---- */

static const struct {
    const char *category;
    enum tr_activity activity;
} apis[TR_REC_N_APIS] = {
    [TR_REC_OWN] = { "recording", TR_ACT_OTHER },
    [TR_REC_ITT] = { "user_annotation", TR_ACT_ANNOTATION },
    [TR_REC_NVTX] = { "user_annotation", TR_ACT_ANNOTATION },
    [TR_REC_ROCTX] = { "user_annotation", TR_ACT_ANNOTATION },
    [TR_REC_MPI_P2P] = { "mpi_p2p", TR_ACT_HOST_COMM },
    [TR_REC_MPI_COLLECTIVE] = { "mpi_collective", TR_ACT_HOST_COMM },
    [TR_REC_MPI_WAIT] = { "mpi_start_wait", TR_ACT_HOST_COMM },
    [TR_REC_MPI_OTHER] = { "mpi_other", TR_ACT_RUNTIME_API },
    [TR_REC_ONECCL] = { "cpu_op", TR_ACT_HOST_COMM },
};

static void describe(struct tr__rec_records *r, const struct tr__rec_event *e, int64_t pid, int64_t tid)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    track.pid = pid;
    track.tid = tid;
    if (e->name != TR_NO_STR)
        tr_ingest_name_number(r->g, e->name);
    tr_ingest_category(r->g, apis[e->api].category, strlen(apis[e->api].category));
    tr_ingest_activity(r->g, e->type == TR_REC_COUNTER || e->type == TR_REC_MARK ? TR_ACT_OTHER
                                                                                 : apis[e->api].activity);
    tr_ingest_track(r->g, &track);
}

static enum tr_status give(struct tr__rec_records *r, const struct tr__rec_event *e, enum tr_phase phase, int64_t dur)
{
    tr_ingest_begin(r->g, phase, e->ts, dur);
    tr_ingest_record(r->g, r->record++);
    describe(r, e, e->pid, e->tid);
    give_args(r, e, true);
    return tr_ingest_end(r->g, r->err);
}

static enum tr_status give_async_part(struct tr__rec_records *r, const struct tr__rec_event *e, enum tr_phase phase,
                                      int64_t ts, int64_t pid, int64_t tid)
{
    char id[24];
    int len = snprintf(id, sizeof id, "%llu", (unsigned long long)e->record);
    tr_ingest_begin(r->g, phase, ts, TR_TIME_NONE);
    tr_ingest_record(r->g, phase == TR_ASYNC_BEGIN ? e->record : r->record++);
    describe(r, e, pid, tid);
    if (phase == TR_ASYNC_BEGIN)
        give_args(r, e, true);
    tr_ingest_member_text(r->g, "id", id, (size_t)len);
    return tr_ingest_end(r->g, r->err);
}

/* An async span that has ended, or never will (end is TR_TIME_NONE). */
static enum tr_status give_async(struct tr__rec_records *r, const struct tr__rec_event *e, int64_t end, int64_t pid,
                                 int64_t tid)
{
    enum tr_status st = give_async_part(r, e, TR_ASYNC_BEGIN, e->ts, e->pid, e->tid);
    if (end == TR_TIME_NONE)
        tr_ingest_damaged(r->g, TR_DAMAGE_UNMATCHED_BEGIN, TR_NO_OFFSET);
    return st != TR_OK || end == TR_TIME_NONE ? st : give_async_part(r, e, TR_ASYNC_END, end, pid, tid);
}

static uint64_t overlapped_key(unsigned api, int64_t pid, uint64_t key)
{
    return key ^ (uint64_t)api << 60 ^ (uint64_t)pid << 32;
}

/* Keys of spans that have ended are forgotten when they are many. */
static bool forget_ended(struct tr__rec_records *r)
{
    if (r->overlapped_of.n < 2 * r->overlapped.n + 1024)
        return true;
    tr__numbers_clear(&r->overlapped_of);
    bool ok = true;
    for (uint32_t i = 0; ok && i < r->overlapped.n; i++) {
        const struct tr__rec_event *e = &r->overlapped.v[i];
        ok = !e->type || tr__numbers_set(&r->overlapped_of, overlapped_key(e->api, e->pid, e->key), i);
    }
    return ok;
}

/* A free place among the open async spans, whose args are empty; NULL: out of memory. */
static struct tr__rec_event *place_for(struct tr__rec_records *r, uint32_t *at)
{
    *at = r->n_free ? r->free[--r->n_free] : (uint32_t)r->overlapped.n;
    if (*at < r->overlapped.n)
        return &r->overlapped.v[*at];
    if (!tr_grow(&r->overlapped.v, &r->overlapped.cap, *at + (size_t)1, sizeof *r->overlapped.v) ||
        !tr_grow(&r->free, &r->cap_free, *at + (size_t)1, sizeof *r->free))
        return NULL;
    r->overlapped.n++;
    return memset(&r->overlapped.v[*at], 0, sizeof *r->overlapped.v);
}

/* An async span is open from now on. */
static enum tr_status begin_async(struct tr__rec_records *r, struct tr__rec_event *e)
{
    uint32_t at;
    e->record = r->record++;
    if (r->n_free == 0 && r->overlapped.n == MAX_OPEN)
        return give_async(r, e, TR_TIME_NONE, 0, 0);
    struct tr__rec_event *to = place_for(r, &at);
    if (!to || !forget_ended(r) || !tr__numbers_set(&r->overlapped_of, overlapped_key(e->api, e->pid, e->key), at))
        return tr_fail_memory(r->err);
    struct tr__rec_args args = { to->args.v, 0, to->args.cap };
    *to = *e;
    e->args = args; /* to be used again */
    return TR_OK;
}

static struct tr__rec_event *find_async(struct tr__rec_records *r, unsigned api, int64_t pid, uint64_t key)
{
    uint32_t at = tr__numbers_get(&r->overlapped_of, overlapped_key(api, pid, key));
    struct tr__rec_event *e = at < r->overlapped.n ? &r->overlapped.v[at] : NULL;
    return e && e->type && e->api == api && e->pid == pid && e->key == key ? e : NULL;
}

/* The last record is complete. */
static enum tr_status settle(struct tr__rec_records *r, struct tr__rec_thread *t)
{
    struct tr__rec_event *e = &t->pending;
    enum tr_status st = TR_OK;
    if (e->early)
        ;
    else if (e->type == TR_REC_MARK)
        st = give(r, e, TR_INSTANT, TR_TIME_NONE);
    else if (e->type == TR_REC_COUNTER)
        st = give(r, e, TR_COUNTER, TR_TIME_NONE);
    else if (e->type == TR_REC_OPEN)
        st = begin_async(r, e);
    e->type = 0;
    return st;
}

/* ---- spans ---- */

static void start_event(const struct tr__rec_records *r, const struct tr__rec_thread *t, const struct tr__rec_block *b,
                        const struct record *rec, struct tr__rec_event *e)
{
    struct tr__rec_args args = { e->args.v, 0, e->args.cap };
    *e = (struct tr__rec_event){
        .type = (uint8_t)rec->type,
        .api = (uint8_t)rec->api,
        .name = text_number(r, rec->name),
        .domain = rec->type == TR_REC_COUNTER || rec->aux == TR_REC_NO_NAME ? TR_NO_STR : text_number(r, rec->aux),
        .ts = (int64_t)(word(rec, 0) + (uint64_t)b->zero),
        .key = word(rec, 1),
        .pid = t->pid,
        .tid = t->tid,
        .args = args,
    };
}

/* A push: args of an event that was here before are used again. */
static enum tr_status begin_span(struct tr__rec_records *r, struct tr__rec_thread *t, const struct tr__rec_block *b,
                                 const struct record *rec)
{
    size_t had = t->open.cap;
    if (t->open.n == MAX_OPEN) {
        struct tr__rec_event e = { .type = 0 };
        start_event(r, t, b, rec, &e);
        tr_ingest_damaged(r->g, TR_DAMAGE_UNMATCHED_BEGIN, rec->offset);
        return give(r, &e, TR_SPAN, TR_TIME_NONE);
    }
    if (!tr_grow(&t->open.v, &t->open.cap, t->open.n + 1, sizeof *t->open.v))
        return tr_fail_memory(r->err);
    memset(t->open.v + had, 0, (t->open.cap - had) * sizeof *t->open.v);
    start_event(r, t, b, rec, &t->open.v[t->open.n]);
    t->open.v[t->open.n++].key = 0;
    return TR_OK;
}

static enum tr_status end_span(struct tr__rec_records *r, struct tr__rec_thread *t, const struct tr__rec_block *b,
                               const struct record *rec)
{
    uint32_t domain = rec->aux == TR_REC_NO_NAME ? TR_NO_STR : text_number(r, rec->aux);
    int64_t end = (int64_t)(word(rec, 0) + (uint64_t)b->zero);
    size_t i = t->open.n;
    while (i > 0 && (t->open.v[i - 1].api != rec->api || t->open.v[i - 1].domain != domain))
        i--;
    if (i == 0) {
        if (!r->first) /* else the start was before what is kept */
            tr_ingest_damaged(r->g, TR_DAMAGE_UNMATCHED_END, rec->offset);
        return TR_OK;
    }
    struct tr__rec_event e = t->open.v[--i];
    enum tr_status st = end < r->first ? TR_OK : give(r, &e, TR_SPAN, end - e.ts);
    t->open.n--;
    memmove(t->open.v + i, t->open.v + i + 1, (t->open.n - i) * sizeof *t->open.v);
    t->open.v[t->open.n] = e; /* its args are used again */
    return st;
}

static enum tr_status close_span(struct tr__rec_records *r, const struct tr__rec_thread *t,
                                 const struct tr__rec_block *b, const struct record *rec)
{
    struct tr__rec_event *e = find_async(r, rec->api, t->pid, word(rec, 1));
    if (!e) /* its start was not recorded */
        return TR_OK;
    e->type = 0;
    r->free[r->n_free++] = (uint32_t)(e - r->overlapped.v);
    int64_t end = (int64_t)(word(rec, 0) + (uint64_t)b->zero);
    return end < r->first ? TR_OK : give_async(r, e, end, t->pid, t->tid);
}

/* The value of a counter is its first arg. */
static enum tr_status start_counter(struct tr__rec_records *r, struct tr__rec_thread *t, const struct tr__rec_block *b,
                                    const struct record *rec)
{
    struct tr__rec_event *e = &t->pending;
    start_event(r, t, b, rec, e);
    struct tr__rec_arg a = { tr_ingest_text(r->g, "value", 5), (uint8_t)rec->aux, word(rec, 1) };
    e->key = 0;
    if (rec->aux > TR_REC_REAL || a.key == TR_NO_STR) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, rec->offset);
        e->type = 0;
        return TR_OK;
    }
    if (!tr_grow(&e->args.v, &e->args.cap, 1, sizeof *e->args.v))
        return tr_fail_memory(r->err);
    e->args.v[e->args.n++] = a;
    return TR_OK;
}

/* The event that a key of ITT is of: an open span of the thread, or one that overlaps others. */
static struct tr__rec_event *find_open(struct tr__rec_records *r, struct tr__rec_thread *t, unsigned api, uint64_t key)
{
    for (size_t i = t->open.n; i > 0; i--)
        if (!key || (t->open.v[i - 1].api == api && t->open.v[i - 1].key == key))
            return &t->open.v[i - 1];
    return find_async(r, api, t->pid, key);
}

static enum tr_status take_arg(struct tr__rec_records *r, struct tr__rec_thread *t, const struct record *rec)
{
    bool of = rec->type == TR_REC_ARG_OF;
    enum tr_status st = of ? settle(r, t) : TR_OK;
    struct tr__rec_event *e = st != TR_OK         ? NULL
                              : of              ? find_open(r, t, rec->api, word(rec, 0))
                              : t->pending.type ? &t->pending
                              : t->open.n       ? &t->open.v[t->open.n - 1]
                                                : NULL;
    static const struct tr_ingest_cause alone = { "arg_without_event", "args of no open span, left out", true };
    if (st != TR_OK)
        return st;
    if (!e) {
        if (!of) /* else its event was not recorded */
            tr_ingest_damaged_by(r->g, &alone, rec->offset);
        return TR_OK;
    }
    st = add_arg(r, rec, of, &e->args);
    if (st == TR_END)
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, rec->offset);
    return st == TR_END ? TR_OK : st;
}

/* ---- blocks ---- */

static enum tr_status about_process(struct tr__rec_records *r, const struct record *rec, int64_t pid)
{
    struct tr_str text = { NULL, 0 };
    if (rec->type == TR_REC_RANK)
        tr_ingest_rank(r->g, (int64_t)word(rec, 0));
    else if (rec->type == TR_REC_FIRST)
        r->first = (int64_t)word(rec, 0);
    else if (!text_of(rec, 0, &text))
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, rec->offset);
    else if (rec->type == TR_REC_HOST)
        tr_ingest_host(r->g, text.s, text.len);
    else
        tr_ingest_process(r->g, pid, text.s, text.len, TR_I64_NONE);
    return TR_OK;
}

static enum tr_status take(struct tr__rec_records *r, struct tr__rec_thread *t, const struct tr__rec_block *b,
                           const struct record *rec, int64_t pid)
{
    enum tr_status st;
    struct tr_str text;
    bool about = rec->type == TR_REC_HOST || rec->type == TR_REC_PROCESS || rec->type == TR_REC_RANK ||
                 rec->type == TR_REC_FIRST;
    if (rec->type == TR_REC_NAME)
        return define_name(r, rec);
    if (about)
        return about_process(r, rec, pid);
    if (!t || rec->n < 8) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, rec->offset);
        return TR_OK;
    }
    if (rec->type == TR_REC_ARG || rec->type == TR_REC_ARG_OF)
        return take_arg(r, t, rec);
    if ((st = settle(r, t)) != TR_OK)
        return st;
    switch ((enum tr_rec_type)rec->type) {
    case TR_REC_BEGIN:
        return begin_span(r, t, b, rec);
    case TR_REC_END:
        return end_span(r, t, b, rec);
    case TR_REC_CLOSE:
        return close_span(r, t, b, rec);
    case TR_REC_COUNTER:
        st = start_counter(r, t, b, rec);
        break;
    case TR_REC_MARK:
    case TR_REC_OPEN:
        start_event(r, t, b, rec, &t->pending);
        break;
    case TR_REC_ID:
        if (t->open.n)
            t->open.v[t->open.n - 1].key = word(rec, 0);
        return TR_OK;
    case TR_REC_THREAD:
        if (text_of(rec, 0, &text))
            tr_ingest_thread(r->g, t->pid, t->tid, text.s, text.len, TR_I64_NONE);
        return TR_OK;
    default:
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, rec->offset);
        return TR_OK;
    }
    t->pending.early = t->pending.ts < r->first && rec->type != TR_REC_OPEN;
    return st;
}

enum tr_status tr__rec_block_read(struct tr__rec_records *r, struct tr__rec_thread *t, const struct tr__rec_block *b,
                                  int64_t pid)
{
    enum tr_status st = TR_OK;
    r->n_names = 0;
    for (size_t at = 0; st == TR_OK && at < b->n;) {
        const unsigned char *p = b->p + at;
        size_t words = b->n - at >= 8 ? tr__rec_u16(p + 2) : 0;
        if (words == 0 || words > (b->n - at) / 8) {
            tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, b->offset + at); /* where the next one starts is not known */
            break;
        }
        struct record rec = { p[0],  p[1] < TR_REC_N_APIS ? p[1] : TR_REC_OWN, tr__rec_u16(p + 4), tr__rec_u16(p + 6),
                              p + 8, 8 * (words - 1),                          b->offset + at };
        st = take(r, t, b, &rec, pid);
        at += 8 * words;
    }
    return st;
}

enum tr_status tr__rec_thread_end(struct tr__rec_records *r, struct tr__rec_thread *t)
{
    enum tr_status st = settle(r, t);
    for (size_t i = 0; st == TR_OK && i < t->open.n; i++) {
        tr_ingest_damaged(r->g, TR_DAMAGE_UNMATCHED_BEGIN, TR_NO_OFFSET);
        st = give(r, &t->open.v[i], TR_SPAN, TR_TIME_NONE);
    }
    t->open.n = 0;
    return st;
}

enum tr_status tr__rec_overlapped_end(struct tr__rec_records *r)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < r->overlapped.n; i++)
        if (r->overlapped.v[i].type)
            st = give_async(r, &r->overlapped.v[i], TR_TIME_NONE, 0, 0);
    return st;
}

static void events_free(struct tr__rec_events *e)
{
    for (size_t i = 0; i < e->cap; i++)
        free(e->v[i].args.v);
    free(e->v);
}

void tr__rec_thread_free(struct tr__rec_thread *t)
{
    events_free(&t->open);
    free(t->pending.args.v);
}

void tr__rec_records_free(struct tr__rec_records *r)
{
    for (size_t i = 0; i < r->overlapped.n; i++)
        free(r->overlapped.v[i].args.v);
    free(r->overlapped.v);
    free(r->free);
    tr__numbers_free(&r->overlapped_of);
    free(r->names);
}
