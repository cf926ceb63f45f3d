/* SPDX-License-Identifier: MIT */
/*
 * Reader of the logs of NCCL's and RCCL's inspector: a JSON object for each collective of a process.
 *
 *     {"header": {"id": "0x7f8c", "comm_name": "tp", "rank": 0, "n_ranks": 4, "nnodes": 1},
 *      "metadata": {"hostname": "node1", "pid": 9000, ...},
 *      "coll_perf": {"coll": "AllReduce", "coll_sn": 3, "coll_msg_size_bytes": 1048576, "coll_exec_time_us": 430,
 *                    "coll_timing_source": "kernel_gpu", "coll_algobw_gbs": 2.4, "coll_busbw_gbs": 3.6, ...}}
 *
 * A send or receive has p2p_perf with the same members.  Some writers have the members of header and metadata at the
 * top.  Each object becomes an event of the category nccl_inspector with these args: comm, comm_name, comm_rank,
 * n_ranks, nnodes, seq, bytes, exec_ns, timing_source, algbw_gbs, busbw_gbs, and peer of p2p.  It is an instant without
 * a time, unless the log is verbose: then it is a span from the first start of a kernel, as long as the execution.
 */
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "formats/common/tr_window_int.h"
#include "json/tr_json_tok.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW    ((size_t)1 << 20)
#define MAX_VALUE ((size_t)1 << 20) /* bytes of an object; a verbose one has a few thousand */
#define CATEGORY  "nccl_inspector"

struct reader {
    struct tr__window w;
    struct tr_json_tokens tokens;
    struct tr_buf clean, text;
    const char *of; /* the text of the tokens */
    uint64_t record;
    bool any;
    struct tr_ingest *g;
    struct tr_error *err;
};

/* ---- values ---- */

/* The token of a member of object i; 0: it has none. */
static size_t member(const struct reader *r, size_t i, const char *key)
{
    return tr_json_member(&r->tokens, r->of, i, key);
}

/* A member of the header or the metadata, which may be at the top. */
static size_t of_part(const struct reader *r, const char *part, const char *key)
{
    size_t at = member(r, 0, part), i = at ? member(r, at, key) : 0;
    return i ? i : member(r, 0, key);
}

static struct tr_str token(const struct reader *r, size_t i)
{
    const struct tr_json_token *t = &r->tokens.tok[i];
    return (struct tr_str){ r->of + t->start, (size_t)(t->end - t->start) };
}

static bool number(const struct reader *r, size_t i, struct tr_number *n)
{
    struct tr_str s = i ? token(r, i) : (struct tr_str){ NULL, 0 };
    return s.len && r->tokens.tok[i].kind == TR_JSON_PRIMITIVE && tr_json_number(s.s, s.len, n);
}

static int64_t integer(const struct reader *r, size_t i, int64_t otherwise)
{
    struct tr_number n;
    return number(r, i, &n) && n.cls == TR_NUMBER_INT ? n.i : otherwise;
}

/* A time in us, whole or decimal, as ns. */
static int64_t time_of(const struct reader *r, size_t i)
{
    struct tr_number n;
    int64_t ns;
    bool exact;
    struct tr_str s = i ? token(r, i) : (struct tr_str){ NULL, 0 };
    return number(r, i, &n) && tr_json_us_to_ns(s.s, s.len, &ns, &exact) ? ns : TR_TIME_NONE;
}

static void add_integer(struct reader *r, const char *key, size_t i)
{
    int64_t v = integer(r, i, TR_I64_NONE);
    if (v != TR_I64_NONE)
        tr_ingest_arg_int(r->g, key, v);
}

static void add_text(struct reader *r, const char *key, size_t i)
{
    unsigned defects = 0;
    r->text.len = 0;
    if (i && r->tokens.tok[i].kind == TR_JSON_STRING &&
        tr_json_unescape(token(r, i).s, token(r, i).len, &r->text, &defects))
        tr_ingest_arg_text(r->g, key, r->text.len ? (const char *)r->text.data : "", r->text.len);
}

static void add_real(struct reader *r, const char *key, size_t i)
{
    struct tr_number n;
    if (!number(r, i, &n) || n.cls == TR_NUMBER_TEXT)
        return;
    tr_ingest_arg_real(r->g, key,
                       n.cls == TR_NUMBER_DOUBLE    ? n.d
                       : n.cls == TR_NUMBER_DECIMAL ? tr_decimal_double(tr_decimal_make(n.i, n.scale))
                                                    : (double)n.i);
}

/* ---- an object ---- */

/* The first start of a kernel in a verbose log, else that of the call; TR_TIME_NONE: the log is not verbose. */
static int64_t start_of(const struct reader *r, size_t perf, bool p2p)
{
    size_t when = member(r, perf, "event_trace_ts");
    int64_t first = TR_TIME_NONE;
    if (!when)
        return TR_TIME_NONE;
    size_t kernels = member(r, when, "kernel_events");
    for (size_t i = kernels ? kernels + 1 : 0; kernels && i < tr_json_next(&r->tokens, kernels);
         i = tr_json_next(&r->tokens, i)) {
        bool object = r->tokens.tok[i].kind == TR_JSON_OBJECT;
        int64_t t = object ? time_of(r, member(r, i, "kernel_start_ts")) : TR_TIME_NONE;
        first = t != TR_TIME_NONE && (first == TR_TIME_NONE || t < first) ? t : first;
    }
    return first != TR_TIME_NONE ? first : time_of(r, member(r, when, p2p ? "p2p_start_ts" : "coll_start_ts"));
}

static enum tr_status take_event(struct reader *r, size_t perf, bool p2p)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    int64_t exec = time_of(r, member(r, perf, p2p ? "p2p_exec_time_us" : "coll_exec_time_us"));
    int64_t ts = start_of(r, perf, p2p);
    size_t name = member(r, perf, p2p ? "p2p" : "coll"), host = of_part(r, "metadata", "hostname");
    bool span = ts != TR_TIME_NONE && exec != TR_TIME_NONE;
    track.pid = integer(r, of_part(r, "metadata", "pid"), 0);
    track.tid = track.pid;
    if (host && r->tokens.tok[host].kind == TR_JSON_STRING)
        tr_ingest_host(r->g, token(r, host).s, token(r, host).len);
    tr_ingest_begin(r->g, span ? TR_SPAN : TR_INSTANT, ts, span ? exec : TR_TIME_NONE);
    tr_ingest_record(r->g, r->record++);
    if (name && r->tokens.tok[name].kind == TR_JSON_STRING)
        tr_ingest_name(r->g, token(r, name).s, token(r, name).len);
    tr_ingest_category(r->g, CATEGORY, sizeof CATEGORY - 1);
    tr_ingest_track(r->g, &track);
    add_text(r, "comm", of_part(r, "header", "id"));
    add_text(r, "comm_name", of_part(r, "header", "comm_name"));
    add_integer(r, "comm_rank", of_part(r, "header", "rank"));
    add_integer(r, "n_ranks", of_part(r, "header", "n_ranks"));
    add_integer(r, "nnodes", of_part(r, "header", "nnodes"));
    add_integer(r, "seq", member(r, perf, p2p ? "p2p_sn" : "coll_sn"));
    add_integer(r, "bytes", member(r, perf, p2p ? "p2p_msg_size_bytes" : "coll_msg_size_bytes"));
    if (exec != TR_TIME_NONE)
        tr_ingest_arg_int(r->g, "exec_ns", exec);
    add_text(r, "timing_source", member(r, perf, p2p ? "p2p_timing_source" : "coll_timing_source"));
    add_real(r, "algbw_gbs", member(r, perf, p2p ? "p2p_algobw_gbs" : "coll_algobw_gbs"));
    add_real(r, "busbw_gbs", member(r, perf, p2p ? "p2p_busbw_gbs" : "coll_busbw_gbs"));
    if (p2p)
        add_integer(r, "peer", member(r, perf, "p2p_peer"));
    r->any = true;
    return tr_ingest_end(r->g, r->err);
}

static enum tr_status take_object(struct reader *r, const char *p, size_t len, size_t n, unsigned defects,
                                  uint64_t offset)
{
    r->of = p;
    if (defects) {
        r->clean.len = 0;
        if (!tr_json_clean(p, n, r->w.last, false, &r->clean))
            return tr_fail_memory(r->err);
        r->of = (const char *)r->clean.data;
        len = r->clean.len;
    }
    if (!tr_json_tokenize(&r->tokens, r->of, len) && r->tokens.no_memory)
        return tr_fail_memory(r->err);
    bool object = r->tokens.n && r->tokens.tok[0].kind == TR_JSON_OBJECT;
    size_t coll = object ? member(r, 0, "coll_perf") : 0, p2p = object && !coll ? member(r, 0, "p2p_perf") : 0;
    size_t perf = coll ? coll : p2p;
    if (perf && r->tokens.tok[perf].kind == TR_JSON_OBJECT)
        return take_event(r, perf, p2p != 0);
    tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, offset);
    r->record++;
    return TR_OK;
}

/* ---- the log ---- */

/* Leave out what cannot be read, up to the next line that starts an object. */
static void skip_line(struct reader *r, enum tr_damage_cause cause)
{
    tr_ingest_damaged(r->g, cause, tr__window_offset(&r->w));
    const char *p = r->w.p + r->w.at, *newline = memchr(p, '\n', r->w.n - r->w.at);
    r->w.at = newline ? (size_t)(newline - r->w.p) + 1 : r->w.n;
    r->record++;
}

static enum tr_status read_some(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct reader *r = ctx;
    r->g = g;
    r->err = err;
    enum tr_status st = tr__window_fill(&r->w, g, WINDOW, err);
    while (st == TR_OK && tr__window_skip_blanks(&r->w)) {
        const char *p = r->w.p + r->w.at;
        size_t n = r->w.n - r->w.at, len;
        unsigned defects;
        enum tr_json_result found = *p == '{' ? tr_json_scan(p, n, r->w.last, NULL, &len, &defects) : TR_JSON_BAD;
        if (found == TR_JSON_MORE && !r->w.last && n < MAX_VALUE)
            return TR_OK;
        if (found == TR_JSON_DONE) {
            st = take_object(r, p, len, n, defects, tr__window_offset(&r->w));
            r->w.at += len;
        } else {
            bool cut = r->w.last && !memchr(p, '\n', n);
            skip_line(r, cut ? TR_DAMAGE_TRUNCATED : TR_DAMAGE_BAD_EVENT);
        }
    }
    if (st != TR_OK || !r->w.last)
        return st;
    if (r->any)
        return TR_END;
    return tr_fail(err, TR_DAMAGED, "no log of NCCL's inspector: no object has coll_perf or p2p_perf");
}

static void release(void *ctx)
{
    struct reader *r = ctx;
    tr__window_free(&r->w);
    tr_json_tokens_free(&r->tokens);
    tr_buf_free(&r->clean);
    tr_buf_free(&r->text);
    free(r);
}

static enum tr_status open_log(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                               const struct tr_open_opts *opts, struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "nccl-inspector", read_some, release };
    return tr__reader_open(out, &reader, sizeof(struct reader), NULL, NULL, bytes, opts, err);
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    size_t at = tr__json_start(p, n);
    if (at == n || p[at] != '{')
        return 0;
    return tr__probe_holds(p, n, "\"coll_perf\"") || tr__probe_holds(p, n, "\"p2p_perf\"") ? 93 : 0;
}

const struct tr_format tr_format_nccl_inspector = {
    .name = "nccl-inspector",
    .brief = "log of the inspector of NCCL or RCCL: a line for each collective of a process",
    .probe = probe,
    .open = open_log,
};
