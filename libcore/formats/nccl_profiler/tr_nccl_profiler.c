/* SPDX-License-Identifier: MIT */
/*
 * Reader of what NCCL's example profiler plugin writes: a line for each start and end.  It looks like JSON, and is not:
 * pointers and names of types stand without quotes.
 *
 *     [
 *     {"name": "AllReduce", "cat": "COLL", "ph": "b", "id": 0, "pid": 7, "tid": 1, "ts": 764237.294, "args": {
 *      "SeqNum": 0, "CommHash": 6738, "Rank": 1, "Count": 32768, "Datatype": ncclFloat32, "Algorithm": "RING", ...}},
 *     {"name": "KernelCh", "cat": "GPU", "ph": "b", ..., "args": {"StartGpuClk": 1756, "StopGpuClk": 1879, ...}},
 *     ...
 *     {}]
 *
 * A start and its end, which have one name, category and id, become a span with their args.  A collective, send or
 * receive gets the category nccl_profiler, and the args comm, comm_rank, seq, bytes, exec_ns, timing_source and peer as
 * formats/nccl_inspector has them: its execution is the longest channel of a kernel inside it, by the clock of the
 * device; without one it is that of the span, by the clock of the host.
 */
#include "base/tr_hash.h"
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "formats/common/tr_window_int.h"
#include "json/tr_json_tok.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW   ((size_t)1 << 20)
#define MAX_LINE ((size_t)1 << 20) /* bytes */
#define MAX_OPEN 4096u             /* starts without an end at one time */
#define CATEGORY "nccl_profiler"

/* A start whose end has not come. */
struct open {
    char *text; /* as clean JSON */
    size_t len;
    int64_t ts;
    uint64_t record, key; /* key: of name, category and id */
    int64_t channel; /* ns: the longest channel of kernels inside it; TR_TIME_NONE: none */
};

struct reader {
    struct tr__window w;
    struct tr_json_tokens tokens;
    struct tr_buf line, clean, text;
    const char *of; /* the text of the tokens */
    struct open open[MAX_OPEN];
    size_t n_open;
    uint64_t record;
    bool any;
    struct tr_ingest *g;
    struct tr_error *err;
};

/* ---- values ---- */

static struct tr_str token(const struct reader *r, size_t i)
{
    const struct tr_json_token *t = &r->tokens.tok[i];
    return (struct tr_str){ r->of + t->start, (size_t)(t->end - t->start) };
}

static bool tokenize(struct reader *r, const char *text, size_t len)
{
    r->of = text;
    return tr_json_tokenize(&r->tokens, text, len) && r->tokens.tok[0].kind == TR_JSON_OBJECT;
}

static size_t member(const struct reader *r, size_t object, const char *key)
{
    return tr_json_member(&r->tokens, r->of, object, key);
}

/* The object of args; SIZE_MAX: there is none. */
static size_t args_of(const struct reader *r)
{
    size_t at = member(r, 0, "args");
    return at && r->tokens.tok[at].kind == TR_JSON_OBJECT ? at : SIZE_MAX;
}

static struct tr_str text_of(const struct reader *r, size_t object, const char *key)
{
    size_t at = object == SIZE_MAX ? 0 : member(r, object, key);
    return at ? token(r, at) : (struct tr_str){ NULL, 0 };
}

static int64_t integer(const struct reader *r, size_t object, const char *key, int64_t otherwise)
{
    struct tr_number n;
    struct tr_str s = text_of(r, object, key);
    return s.s && tr_json_number(s.s, s.len, &n) && n.cls == TR_NUMBER_INT ? n.i : otherwise;
}

static int64_t time_of(const struct reader *r)
{
    int64_t ns;
    bool exact;
    struct tr_str s = text_of(r, 0, "ts");
    return s.s && tr_json_us_to_ns(s.s, s.len, &ns, &exact) && ns > 0 ? ns : TR_TIME_NONE; /* 0: it was not taken */
}

/* Of the name, the category and the id, which a start and its end share. */
static uint64_t key_of(const struct reader *r)
{
    static const char *const keys[] = { "name", "cat", "id" };
    uint64_t key = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct tr_str s = text_of(r, 0, keys[i]);
        key = tr_mix64(key + UINT64_C(0x9e3779b97f4a7c15), tr_hash(s.s ? s.s : "", s.len) | 1);
    }
    return key;
}

static void add_arg(struct reader *r, const char *key, size_t i)
{
    struct tr_number n;
    struct tr_str s = token(r, i);
    unsigned defects = 0;
    r->text.len = 0;
    if (r->tokens.tok[i].kind == TR_JSON_STRING) {
        if (tr_json_unescape(s.s, s.len, &r->text, &defects))
            tr_ingest_arg_text(r->g, key, r->text.len ? (const char *)r->text.data : "", r->text.len);
    } else if (r->tokens.tok[i].kind != TR_JSON_PRIMITIVE) {
        tr_ingest_arg_json(r->g, key, s.s, s.len);
    } else if (tr_json_number(s.s, s.len, &n)) {
        if (n.cls == TR_NUMBER_INT)
            tr_ingest_arg_int(r->g, key, n.i);
        else if (n.cls == TR_NUMBER_UINT)
            tr_ingest_arg_uint(r->g, key, n.u);
        else
            tr_ingest_arg_real(r->g, key, n.cls == TR_NUMBER_DOUBLE ? n.d
                                                                    : tr_decimal_double(tr_decimal_make(n.i, n.scale)));
    }
}

static int64_t element_size(struct tr_str type)
{
    static const struct {
        const char *name;
        int64_t bytes;
    } types[] = { { "ncclInt8", 1 },    { "ncclUint8", 1 },   { "ncclInt32", 4 },   { "ncclUint32", 4 },
                  { "ncclInt64", 8 },   { "ncclUint64", 8 },  { "ncclFloat16", 2 }, { "ncclFloat32", 4 },
                  { "ncclFloat64", 8 }, { "ncclBfloat16", 2 }, { "ncclFloat8e4m3", 1 }, { "ncclFloat8e5m2", 1 } };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (tr_str_is(type, types[i].name))
            return types[i].bytes;
    return 0;
}

/* ---- events ---- */

/* What a collective, send or receive has as in a log of the inspector. */
static void add_collective(struct reader *r, size_t args, const struct open *o, int64_t dur)
{
    struct tr_str comm = text_of(r, args, "CommHash");
    int64_t seq = integer(r, args, "SeqNum", TR_I64_NONE), rank = integer(r, args, "Rank", TR_I64_NONE);
    int64_t count = integer(r, args, "Count", -1), size = element_size(text_of(r, args, "Datatype"));
    int64_t peer = integer(r, args, "Peer", TR_I64_NONE), exec = o->channel != TR_TIME_NONE ? o->channel : dur;
    const char *source = o->channel != TR_TIME_NONE ? "kernel_gpu" : "collective_cpu";
    if (comm.s)
        tr_ingest_arg_text(r->g, "comm", comm.s, comm.len);
    if (rank != TR_I64_NONE)
        tr_ingest_arg_int(r->g, "comm_rank", rank);
    if (seq != TR_I64_NONE)
        tr_ingest_arg_int(r->g, "seq", seq);
    if (size && count >= 0 && count <= INT64_MAX / size)
        tr_ingest_arg_int(r->g, "bytes", count * size);
    if (exec != TR_TIME_NONE) {
        tr_ingest_arg_int(r->g, "exec_ns", exec);
        tr_ingest_arg_text(r->g, "timing_source", source, strlen(source));
    }
    if (peer != TR_I64_NONE)
        tr_ingest_arg_int(r->g, "peer", peer);
}

static void add_args(struct reader *r, size_t args)
{
    char key[64];
    size_t end = args == SIZE_MAX ? 0 : tr_json_next(&r->tokens, args);
    for (size_t i = args + 1; i < end; i = tr_json_next(&r->tokens, i + 1)) {
        struct tr_str k = token(r, i);
        if (!k.len || k.len >= sizeof key)
            continue;
        memcpy(key, k.s, k.len);
        key[k.len] = '\0';
        add_arg(r, key, i + 1);
    }
}

/* A span whose start is o.  end: TR_TIME_NONE: it is missing. */
static enum tr_status give_span(struct reader *r, const struct open *o, int64_t end)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    if (!tokenize(r, o->text, o->len))
        return tr_fail_memory(r->err);
    size_t args = args_of(r);
    struct tr_str name = text_of(r, 0, "name"), cat = text_of(r, 0, "cat");
    int64_t dur = o->ts != TR_TIME_NONE && end != TR_TIME_NONE && end >= o->ts ? end - o->ts : TR_TIME_NONE;
    bool collective = text_of(r, args, "CommHash").s != NULL;
    track.pid = integer(r, 0, "pid", 0);
    track.tid = integer(r, 0, "tid", 0);
    tr_ingest_begin(r->g, dur != TR_TIME_NONE ? TR_SPAN : TR_INSTANT, o->ts, dur);
    tr_ingest_record(r->g, o->record);
    if (name.s)
        tr_ingest_name(r->g, name.s, name.len);
    if (collective)
        tr_ingest_category(r->g, CATEGORY, sizeof CATEGORY - 1);
    else if (cat.s)
        tr_ingest_category(r->g, cat.s, cat.len);
    tr_ingest_activity(r->g, TR_ACT_OTHER);
    tr_ingest_track(r->g, &track);
    add_args(r, args);
    if (collective)
        add_collective(r, args, o, dur);
    r->any = true;
    return tr_ingest_end(r->g, r->err);
}

/* The time of a channel of a kernel, of its start or its end, counts for all spans around it. */
static void see_channel(struct reader *r)
{
    size_t args = args_of(r);
    int64_t from = integer(r, args, "StartGpuClk", 0), to = integer(r, args, "StopGpuClk", 0);
    for (size_t i = 0; from > 0 && to > from && i < r->n_open; i++)
        if (r->open[i].channel == TR_TIME_NONE || to - from > r->open[i].channel)
            r->open[i].channel = to - from;
}

static enum tr_status take_start(struct reader *r, uint64_t offset)
{
    struct open o = { .len = r->clean.len, .ts = time_of(r), .record = r->record++, .key = key_of(r),
                      .channel = TR_TIME_NONE };
    if (r->n_open == MAX_OPEN) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, offset);
        return TR_OK;
    }
    if (!(o.text = malloc(o.len + 1)))
        return tr_fail_memory(r->err);
    memcpy(o.text, r->clean.data, o.len);
    r->open[r->n_open++] = o;
    see_channel(r);
    return TR_OK;
}

static void close_open(struct reader *r, size_t i)
{
    free(r->open[i].text);
    memmove(&r->open[i], &r->open[i + 1], (r->n_open - i - 1) * sizeof *r->open);
    r->n_open--;
}

/* The last start of the same name, category and id. */
static enum tr_status take_end(struct reader *r, uint64_t offset)
{
    int64_t end = time_of(r);
    uint64_t key = key_of(r);
    size_t i = r->n_open;
    see_channel(r);
    while (i > 0 && r->open[i - 1].key != key)
        i--;
    const struct open alone = { .text = (char *)r->clean.data, .len = r->clean.len, .ts = end, .record = r->record++,
                                .channel = TR_TIME_NONE };
    if (!i) {
        tr_ingest_damaged(r->g, TR_DAMAGE_UNMATCHED_END, offset);
        return give_span(r, &alone, TR_TIME_NONE);
    }
    enum tr_status st = give_span(r, &r->open[i - 1], end);
    close_open(r, i - 1);
    return st;
}

/* ---- lines ---- */

/* Copy a line with quotes around values that lack them. */
static bool quote_values(struct reader *r, const char *p, size_t n)
{
    bool string = false, value = false, ok = true;
    r->line.len = 0;
    for (size_t i = 0; ok && i < n; i++) {
        bool bare = !string && value && (p[i] == '_' || ((p[i] | 32) >= 'a' && (p[i] | 32) <= 'z') ||
                                         (p[i] == '0' && i + 1 < n && (p[i + 1] | 32) == 'x'));
        size_t len = 1;
        while (bare && i + len < n && !strchr(",}] \t", p[i + len]))
            len++;
        bool word = bare && ((len == 4 && (!memcmp(p + i, "true", 4) || !memcmp(p + i, "null", 4))) ||
                             (len == 5 && !memcmp(p + i, "false", 5)));
        bool quote = bare && !word;
        ok = (!quote || tr_buf_add(&r->line, "\"", 1)) && tr_buf_add(&r->line, p + i, len) &&
             (!quote || tr_buf_add(&r->line, "\"", 1));
        string = bare ? string : string ? p[i] != '"' || p[i - 1] == '\\' : p[i] == '"';
        value = !string && (p[i] == ':' || (value && (p[i] == ' ' || p[i] == '\t')));
        i += len - 1;
    }
    return ok;
}

static enum tr_status take_line(struct reader *r, const char *p, size_t n, uint64_t offset)
{
    size_t len;
    unsigned defects;
    while (n && strchr(" \t\r[", *p)) {
        p++;
        n--;
    }
    while (n && strchr(" \t\r,]", p[n - 1]))
        n--;
    if (!n || (n == 2 && !memcmp(p, "{}", 2)))
        return TR_OK;
    if (!quote_values(r, p, n))
        return tr_fail_memory(r->err);
    const char *line = (const char *)r->line.data;
    r->clean.len = 0;
    bool ok = *line == '{' && tr_json_scan(line, r->line.len, true, NULL, &len, &defects) == TR_JSON_DONE &&
              len == r->line.len;
    if (ok && !tr_json_clean(line, r->line.len, true, false, &r->clean))
        return tr_fail_memory(r->err);
    ok = ok && tokenize(r, (const char *)r->clean.data, r->clean.len);
    struct tr_str phase = ok ? text_of(r, 0, "ph") : (struct tr_str){ NULL, 0 };
    if (tr_str_is(phase, "b"))
        return take_start(r, offset);
    if (tr_str_is(phase, "e"))
        return take_end(r, offset);
    if (r->tokens.no_memory)
        return tr_fail_memory(r->err);
    tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, offset);
    r->record++;
    return TR_OK;
}

/* Starts whose ends are missing. */
static enum tr_status end_all(struct reader *r)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < r->n_open; i++) {
        tr_ingest_damaged(r->g, TR_DAMAGE_UNMATCHED_BEGIN, TR_NO_OFFSET);
        st = give_span(r, &r->open[i], TR_TIME_NONE);
    }
    while (r->n_open)
        free(r->open[--r->n_open].text);
    return st;
}

static enum tr_status read_some(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct reader *r = ctx;
    r->g = g;
    r->err = err;
    enum tr_status st = tr__window_fill(&r->w, g, WINDOW, err);
    while (st == TR_OK && r->w.at < r->w.n) {
        const char *p = r->w.p + r->w.at, *newline = memchr(p, '\n', r->w.n - r->w.at);
        size_t n = newline ? (size_t)(newline - p) : r->w.n - r->w.at;
        uint64_t offset = tr__window_offset(&r->w);
        bool whole = newline || r->w.last;
        if (!whole && n < MAX_LINE)
            return TR_OK;
        if (whole)
            st = take_line(r, p, n, offset);
        else
            tr_ingest_damaged(g, TR_DAMAGE_TOO_LONG, offset);
        r->w.at += n + (newline != NULL);
    }
    if (st != TR_OK || !r->w.last)
        return st;
    st = end_all(r);
    if (st != TR_OK)
        return st;
    return r->any ? TR_END : tr_fail(err, TR_DAMAGED, "no trace of NCCL's example profiler: it has no span");
}

static void release(void *ctx)
{
    struct reader *r = ctx;
    while (r->n_open)
        free(r->open[--r->n_open].text);
    tr__window_free(&r->w);
    tr_json_tokens_free(&r->tokens);
    tr_buf_free(&r->line);
    tr_buf_free(&r->clean);
    tr_buf_free(&r->text);
    free(r);
}

static enum tr_status open_trace(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                                 const struct tr_open_opts *opts, struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "nccl-profiler", read_some, release };
    return tr__reader_open(out, &reader, sizeof(struct reader), NULL, NULL, bytes, opts, err);
}

/* Its first event is of a group or of the profiler; no other writer of such lists has these categories. */
static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    static const char *const categories[] = { "\"GROUP\"", "\"GROUP_API\"", "\"COLL\"", "\"COLL_API\"", "\"P2P\"",
                                              "\"P2P_API\"", "\"KERNEL_LAUNCH\"", "\"PROXY\"" };
    size_t at = tr__json_start(p, n);
    (void)f;
    if (at == n || p[at] != '[' || !tr__probe_holds(p, n, "\"ph\": \"b\""))
        return 0;
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        if (tr__probe_holds(p, n, categories[i]))
            return 92;
    return 0;
}

const struct tr_format tr_format_nccl_profiler = {
    .name = "nccl-profiler",
    .brief = "trace of NCCL's example profiler: collectives, sends and receives of a process, and their parts",
    .probe = probe,
    .open = open_trace,
};
