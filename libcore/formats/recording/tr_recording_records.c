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
#include "json/tr_json_write.h"
#include "stream/tr_dict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_OPEN  65536u /* spans of a thread, or overlapping ones; further ones have no end */
#define MAX_ARGS  1024u  /* of an event */
#define MAX_DEVICES 4096u /* with names */

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
    return name < r->n_names ? r->names[name].number : TR_NO_STR;
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
        r->names[r->n_names++] = (struct tr__rec_name){ TR_NO_STR, { NULL, 0 } };
    r->names[rec->name] = (struct tr__rec_name){ tr_ingest_text(r->g, text.s, text.len), text };
    return TR_OK;
}

/* ---- args ---- */

/* The numbers from a word on, as JSON: its number in the builder.  TR_NO_STR: they are cut, too many, or no memory. */
static uint32_t list_text(struct tr__rec_records *r, const struct record *rec, size_t at, uint64_t n, uint64_t plus)
{
    char text[21 * TR_REC_NUMBERS + 3] = "[";
    size_t len = 1;
    if (n > TR_REC_NUMBERS || n > rec->n / 8 - at)
        return TR_NO_STR;
    for (size_t i = 0; i < n; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%llu", i ? "," : "",
                                (unsigned long long)(word(rec, at + i) + plus));
    text[len++] = ']';
    return tr_ingest_json(r->g, text, len);
}

/* Of a value that changes, the last one counts. */
static enum tr_status put_arg(const struct tr__rec_records *r, struct tr__rec_args *args, struct tr__rec_arg a)
{
    for (size_t i = 0; i < args->n; i++)
        if (args->v[i].key == a.key) {
            args->v[i] = a;
            return TR_OK;
        }
    if (!tr_grow(&args->v, &args->cap, args->n + 1, sizeof *args->v))
        return tr_fail_memory(r->err);
    args->v[args->n++] = a;
    return TR_OK;
}

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
    if (a.type == TR_REC_LIST)
        a.value = list_text(r, rec, at + 1, word(rec, at), 0);
    if ((a.type == TR_REC_TEXT_NAME || a.type == TR_REC_LIST) && a.value == TR_NO_STR)
        return TR_END;
    return put_arg(r, args, a);
}

static void give_args(struct tr__rec_records *r, const struct tr__rec_event *e)
{
    if (e->domain != TR_NO_STR)
        tr_ingest_arg_number(r->g, "domain", e->domain);
    if (e->type == TR_REC_WORK) {
        tr_ingest_arg_int(r->g, "device", e->device);
        tr_ingest_arg_int(r->g, "stream", e->queue);
    }
    if (e->correlation != TR_I64_NONE)
        tr_ingest_arg_int(r->g, "correlation", e->correlation);
    for (size_t i = 0; i < e->args.n; i++) {
        const struct tr__rec_arg *a = &e->args.v[i];
        double real;
        memcpy(&real, &a->value, sizeof real);
        tr_ingest_key(r->g, a->key);
        if (a->type == TR_REC_TEXT_NAME)
            tr_ingest_arg_number(r->g, NULL, (uint32_t)a->value);
        else if (a->type == TR_REC_LIST)
            tr_ingest_arg_json_number(r->g, NULL, (uint32_t)a->value);
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
    [TR_REC_OPENCL] = { "opencl", TR_ACT_RUNTIME_API },
    [TR_REC_KERNEL] = { "kernel", TR_ACT_KERNEL },
    [TR_REC_COPY] = { "gpu_memcpy", TR_ACT_MEMCPY },
    [TR_REC_MEMSET] = { "gpu_memset", TR_ACT_MEMSET },
    [TR_REC_SYNC] = { "opencl_sync", TR_ACT_SYNC },
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
    if (e->type == TR_REC_WORK) {
        track.side = TR_SIDE_DEVICE;
        track.tid = track.stream = e->queue;
        track.device = e->device;
    }
    tr_ingest_track(r->g, &track);
    if (e->correlation != TR_I64_NONE)
        tr_ingest_correlate(r->g, TR_LINK_SOURCE, e->correlation);
}

static enum tr_status give(struct tr__rec_records *r, const struct tr__rec_event *e, enum tr_phase phase, int64_t dur)
{
    tr_ingest_begin(r->g, phase, e->ts, dur);
    tr_ingest_record(r->g, r->record++);
    describe(r, e, e->pid, e->tid);
    give_args(r, e);
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
        give_args(r, e);
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
    else if (e->type == TR_REC_WORK)
        st = give(r, e, TR_SPAN, e->dur);
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
        .correlation = TR_I64_NONE,
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

/* ---- work of devices ---- */

/* Correlations of the first process are as it gave them; those of others are different ones. */
static int64_t correlation_of(const struct tr__rec_thread *t, uint64_t own)
{
    return (int64_t)((own & UINT64_C(0xffffffffff)) | (uint64_t)(t->process & 0x3fffff) << 40);
}

static enum tr_status name_device(struct tr__rec_records *r, uint32_t device, unsigned name)
{
    size_t had = r->n_devices;
    if (device >= MAX_DEVICES || name >= r->n_names || !r->names[name].text.s)
        return TR_OK;
    if (!tr_grow(&r->devices, &r->cap_devices, device + (size_t)1, sizeof *r->devices))
        return tr_fail_memory(r->err);
    for (r->n_devices = device < had ? had : device + (size_t)1; had < r->n_devices; had++)
        r->devices[had] = NULL;
    if (!r->devices[device])
        r->devices[device] = strndup(r->names[name].text.s, r->names[name].text.len);
    return r->devices[device] ? TR_OK : tr_fail_memory(r->err);
}

static enum tr_status start_work(struct tr__rec_records *r, const struct tr__rec_thread *t,
                                 const struct tr__rec_block *b, const struct record *rec, struct tr__rec_event *e)
{
    if (rec->n < 32) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, rec->offset);
        return TR_OK;
    }
    start_event(r, t, b, rec, e);
    e->domain = TR_NO_STR;
    e->key = 0;
    e->dur = (int64_t)word(rec, 1);
    e->queue = (uint32_t)word(rec, 2);
    e->device = (uint32_t)(word(rec, 2) >> 32);
    e->correlation = correlation_of(t, word(rec, 3));
    return name_device(r, e->device, rec->aux);
}

/* What the pending work waited for is an arg that critical paths know. */
static enum tr_status wait_for(struct tr__rec_records *r, struct tr__rec_thread *t, const struct record *rec)
{
    struct tr__rec_arg a = { tr_ingest_text(r->g, "event wait ids", 14), TR_REC_LIST, 0 };
    uint64_t plus = (uint64_t)correlation_of(t, 0);
    a.value = t->pending.type == TR_REC_WORK ? list_text(r, rec, 0, rec->n / 8, plus) : TR_NO_STR;
    if (a.key != TR_NO_STR && a.value != TR_NO_STR)
        return put_arg(r, &t->pending.args, a);
    tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, rec->offset);
    return TR_OK;
}

enum tr_status tr__rec_devices_end(struct tr__rec_records *r)
{
    struct tr_buf b = { 0 };
    struct tr_json_doc j = { .out = &b };
    bool ok = tr_json_doc_open(&j, '[');
    for (size_t i = 0; ok && i < r->n_devices; i++)
        if (r->devices[i])
            ok = tr_json_doc_open(&j, '{') && tr_json_doc_key(&j, tr_str_of("id")) &&
                 tr_json_doc_u64(&j, i) && tr_json_doc_key(&j, tr_str_of("name")) &&
                 tr_json_doc_str(&j, tr_str_of(r->devices[i])) && tr_json_doc_close(&j);
    ok = ok && tr_json_doc_close(&j);
    if (ok && r->n_devices)
        tr_ingest_header(r->g, "deviceProperties", (const char *)b.data, b.len);
    tr_buf_free(&b);
    return ok ? TR_OK : tr_fail_memory(r->err);
}

/* ---- args of events ---- */

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
    if (rec->type == TR_REC_AFTER)
        return wait_for(r, t, rec);
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
    case TR_REC_WORK:
        st = start_work(r, t, b, rec, &t->pending);
        break;
    case TR_REC_LAUNCH:
        if (t->open.n)
            t->open.v[t->open.n - 1].correlation = correlation_of(t, word(rec, 0));
        return TR_OK;
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
    int64_t ended = (int64_t)((uint64_t)t->pending.ts + (uint64_t)t->pending.dur);
    t->pending.early = ended < r->first && rec->type != TR_REC_OPEN;
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
    for (size_t i = 0; i < r->n_devices; i++)
        free(r->devices[i]);
    free(r->devices);
    free(r->names);
}
