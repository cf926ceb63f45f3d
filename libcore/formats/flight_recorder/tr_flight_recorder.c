/* SPDX-License-Identifier: MIT */
/*
 * Reader of dumps of PyTorch's flight recorder: the last collectives that a rank called, as JSON or as a pickle.
 *
 *     {"pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}},
 *      "pg_status": {"0": {"last_enqueued_collective": 7, ...}},
 *      "entries": [{"process_group": ["0", "default_pg"], "collective_seq_id": 5, "profiling_name": "nccl:all_reduce",
 *                   "state": "started", "time_created_ns": ..., "input_sizes": [[1024]], ...}, ...]}
 *
 * Each entry becomes an event of the category flight_recorder at the time of its call: a span if the recorder knows how
 * long it took, else an instant.  Its members become args; process_group becomes Process Group Name, Description and
 * Ranks, as Kineto has them, and the arg where is the first frame of its stack that is not torch's own.  Each process
 * group becomes an instant without a time, process_group, with the numbers of pg_status, and with completed_before: a
 * call of some group of this rank is complete.
 *
 * The rank is only in the name of the file.
 */
#include "formats/common/tr_dump_int.h"
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "model/tr_rank.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GROWTH   32u /* a pickle as JSON is so many times as large, at most */
#define CATEGORY  "flight_recorder"

/* A process group of the dump.  Texts are raw, as in JSON without their quotes. */
struct group {
    struct tr_str name, desc, ranks, status; /* status: its object in pg_status, from an entry that has its number */
};

struct reader {
    struct tr_paged text; /* bytes */
    struct tr_buf entry;
    bool read;
    struct tr_str entries, config, status; /* members of the dump; s NULL: it has none */
    bool completed;                        /* by status, a call of some group is complete */
    bool cut;
    struct group *groups;
    size_t n_groups, cap_groups, given; /* given: groups whose events were made */
    size_t at;                          /* in entries */
    uint64_t record;
    int64_t rank;
    struct tr_json_tokens tokens;
    const char *tokens_of; /* the text of the tokens */
    struct tr_ingest *g;
    struct tr_error *err;
};

/* ---- values ---- */

static struct tr_str token(const struct reader *r, size_t i)
{
    const struct tr_json_token *t = &r->tokens.tok[i];
    return (struct tr_str){ r->tokens_of + t->start, (size_t)(t->end - t->start) };
}

static bool tokenize(struct reader *r, struct tr_str text)
{
    r->tokens_of = text.s;
    return tr_json_tokenize(&r->tokens, text.s, text.len);
}

/* The text of a member of object i; s NULL: it has none. */
static struct tr_str member(const struct reader *r, size_t i, const char *key)
{
    size_t at = tr_json_member(&r->tokens, r->tokens_of, i, key);
    return at ? token(r, at) : (struct tr_str){ NULL, 0 };
}

static bool same(struct tr_str a, struct tr_str b)
{
    return tr_str_cmp(a, b) == 0;
}

static int64_t integer(struct tr_str s, int64_t otherwise)
{
    struct tr_number n;
    return s.s && tr_json_number(s.s, s.len, &n) && n.cls == TR_NUMBER_INT ? n.i : otherwise;
}

/* ---- the dump ---- */

static void take_member(void *ctx, struct tr_str key, struct tr_str value, bool cut)
{
    struct reader *r = ctx;
    if (tr_str_is(key, "\"entries\""))
        r->entries = value;
    else if (!cut && tr_str_is(key, "\"pg_config\""))
        r->config = value;
    else if (!cut && tr_str_is(key, "\"pg_status\""))
        r->status = value;
}

static bool add_group(struct reader *r, const struct group *g)
{
    if (!tr_grow(&r->groups, &r->cap_groups, r->n_groups + 1, sizeof *g))
        return false;
    r->groups[r->n_groups++] = *g;
    return true;
}

static bool find_groups(struct reader *r)
{
    if (!r->config.s || !tokenize(r, r->config) || r->tokens.tok[0].kind != TR_JSON_OBJECT)
        return !r->tokens.no_memory;
    for (size_t i = 1; i < r->tokens.n; i = tr_json_next(&r->tokens, i + 1)) {
        struct group g = { .name = member(r, i + 1, "name"), .desc = member(r, i + 1, "desc"),
                           .ranks = member(r, i + 1, "ranks") };
        if (!g.name.s)
            g.name = token(r, i);
        if (!add_group(r, &g))
            return false;
    }
    return true;
}

static struct group *find_group(struct reader *r, struct tr_str name, struct tr_str desc)
{
    for (size_t i = 0; i < r->n_groups; i++)
        if (same(r->groups[i].name, name) && (!desc.s || !r->groups[i].desc.s || same(r->groups[i].desc, desc)))
            return &r->groups[i];
    return NULL;
}

/* Has a group completed a call?  Then a dump without completed entries leaves those out. */
static bool find_completed(struct reader *r)
{
    if (!r->status.s || !tokenize(r, r->status))
        return !r->tokens.no_memory;
    for (size_t i = 1; i < r->tokens.n; i = tr_json_next(&r->tokens, i + 1))
        if (r->tokens.tok[i + 1].kind == TR_JSON_OBJECT &&
            integer(member(r, i + 1, "last_completed_collective"), 0) > 0)
            r->completed = true;
    return true;
}

/* The numbers of pg_status go by a number that only entries join to a group. */
static bool find_status(struct reader *r, struct tr_str number, struct group *g)
{
    char key[24];
    if (g->status.s || !r->status.s || !number.s || number.len >= sizeof key)
        return true;
    memcpy(key, number.s, number.len);
    key[number.len] = '\0';
    if (!tokenize(r, r->status))
        return !r->tokens.no_memory;
    size_t at = tr_json_member(&r->tokens, r->tokens_of, 0, key);
    if (at && r->tokens.tok[at].kind == TR_JSON_OBJECT)
        g->status = token(r, at);
    return true;
}

/* ---- events ---- */

/* The value of a number that is no integer of 64 bits with a sign. */
static double real(const struct tr_number *n)
{
    return n->cls == TR_NUMBER_DOUBLE ? n->d
           : n->cls == TR_NUMBER_UINT ? (double)n->u
                                      : tr_decimal_double(tr_decimal_make(n->i, n->scale));
}

/* Append a value of JSON as an arg. */
static void add_arg(struct reader *r, const char *key, size_t i)
{
    struct tr_str s = token(r, i);
    struct tr_number n;
    unsigned defects = 0;
    r->entry.len = 0;
    switch (r->tokens.tok[i].kind) {
    case TR_JSON_STRING:
        if (tr_json_unescape(s.s, s.len, &r->entry, &defects))
            tr_ingest_arg_text(r->g, key, (const char *)r->entry.data, r->entry.len);
        return;
    case TR_JSON_PRIMITIVE:
        if (s.s[0] == 't' || s.s[0] == 'f')
            tr_ingest_arg_bool(r->g, key, s.s[0] == 't');
        else if (s.s[0] != 'n' && tr_json_number(s.s, s.len, &n) && n.cls == TR_NUMBER_INT)
            tr_ingest_arg_int(r->g, key, n.i);
        else if (s.s[0] != 'n' && tr_json_number(s.s, s.len, &n) && n.cls != TR_NUMBER_TEXT)
            tr_ingest_arg_real(r->g, key, real(&n));
        return;
    default:
        if (tr_json_clean(s.s, s.len, true, false, &r->entry))
            tr_ingest_arg_json(r->g, key, (const char *)r->entry.data, r->entry.len);
    }
}

static void add_text(struct reader *r, const char *key, struct tr_str raw)
{
    unsigned defects = 0;
    r->entry.len = 0;
    if (raw.s && tr_json_unescape(raw.s, raw.len, &r->entry, &defects))
        tr_ingest_arg_text(r->g, key, r->entry.len ? (const char *)r->entry.data : "", r->entry.len);
}

static void add_group_args(struct reader *r, const struct group *g)
{
    add_text(r, "Process Group Name", g->name);
    add_text(r, "Process Group Description", g->desc);
    add_text(r, "Process Group Ranks", g->ranks);
}

static struct tr_ingest_track track_of(int64_t thread)
{
    struct tr_ingest_track t = TR_INGEST_TRACK_INIT;
    t.pid = 0;
    t.tid = thread;
    return t;
}

static enum tr_status group_event(struct reader *r, const struct group *g)
{
    static const char *const numbers[] = { "last_enqueued_collective", "last_started_collective",
                                           "last_completed_collective" };
    struct tr_ingest_track track = track_of(0);
    tr_ingest_begin(r->g, TR_INSTANT, TR_TIME_NONE, TR_TIME_NONE);
    tr_ingest_record(r->g, r->record++);
    tr_ingest_name(r->g, "process_group", sizeof "process_group" - 1);
    tr_ingest_category(r->g, CATEGORY, sizeof CATEGORY - 1);
    tr_ingest_track(r->g, &track);
    add_group_args(r, g);
    tr_ingest_arg_bool(r->g, "completed_before", r->completed);
    if (g->status.s && tokenize(r, g->status))
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            int64_t v = integer(member(r, 0, numbers[i]), TR_I64_NONE);
            if (v != TR_I64_NONE)
                tr_ingest_arg_int(r->g, numbers[i], v);
        }
    return tr_ingest_end(r->g, r->err);
}

static int64_t duration(struct tr_str ms)
{
    struct tr_number n;
    if (!ms.s || ms.s[0] == 'n' || !tr_json_number(ms.s, ms.len, &n) || n.cls == TR_NUMBER_TEXT)
        return TR_TIME_NONE;
    double ns = (n.cls == TR_NUMBER_INT ? (double)n.i : real(&n)) * 1e6;
    return ns >= 0 && ns < 9e18 ? llround(ns) : TR_TIME_NONE;
}

/* Members that are said in another way. */
static bool is_said(struct tr_str key)
{
    return tr_str_is(key, "profiling_name") || tr_str_is(key, "process_group") || tr_str_is(key, "time_created_ns") ||
           tr_str_is(key, "thread_id");
}

static enum tr_status entry_event(struct reader *r, struct tr_str entry, uint64_t offset)
{
    if (!tokenize(r, entry) || r->tokens.tok[0].kind != TR_JSON_OBJECT) {
        if (r->tokens.no_memory)
            return tr_fail_memory(r->err);
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, offset);
        r->record++;
        return TR_OK;
    }
    struct group own = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 } }, *g;
    size_t pair = tr_json_member(&r->tokens, entry.s, 0, "process_group");
    if (pair && r->tokens.tok[pair].kind == TR_JSON_ARRAY && r->tokens.tok[pair].size >= 2) {
        own.name = token(r, pair + 1);
        own.desc = token(r, tr_json_next(&r->tokens, pair + 1));
    }
    g = find_group(r, own.name, own.desc);
    struct tr_str number = member(r, 0, "pg_id"), name = member(r, 0, "profiling_name");
    if (!g && own.name.s) { /* a group that the dump does not list, or whose list is cut off */
        if (!add_group(r, &own))
            return tr_fail_memory(r->err);
        g = &r->groups[r->n_groups - 1];
    }
    if (g && (!find_status(r, number, g) || !tokenize(r, entry)))
        return tr_fail_memory(r->err);
    int64_t ts = integer(member(r, 0, "time_created_ns"), TR_TIME_NONE), dur = duration(member(r, 0, "duration_ms"));
    struct tr_ingest_track track = track_of(integer(member(r, 0, "thread_id"), 0));
    if (ts == TR_TIME_NONE)
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_TIME, offset);
    tr_ingest_begin(r->g, ts != TR_TIME_NONE && dur != TR_TIME_NONE ? TR_SPAN : TR_INSTANT, ts,
                    ts != TR_TIME_NONE ? dur : TR_TIME_NONE);
    tr_ingest_record(r->g, r->record++);
    r->entry.len = 0;
    unsigned defects = 0;
    if (name.s && tr_json_unescape(name.s, name.len, &r->entry, &defects))
        tr_ingest_name(r->g, r->entry.len ? (const char *)r->entry.data : "", r->entry.len);
    tr_ingest_category(r->g, CATEGORY, sizeof CATEGORY - 1);
    tr_ingest_track(r->g, &track);
    if (g)
        add_group_args(r, g);
    for (size_t i = 1; i < r->tokens.n; i = tr_json_next(&r->tokens, i + 1)) {
        struct tr_str key = token(r, i);
        char text[64];
        if (is_said(key) || key.len >= sizeof text)
            continue;
        memcpy(text, key.s, key.len);
        text[key.len] = '\0';
        add_arg(r, text, i + 1);
    }
    r->entry.len = 0;
    if (tr__dump_where(&r->tokens, entry.s, tr_json_member(&r->tokens, entry.s, 0, "frames"), &r->entry))
        tr_ingest_arg_text(r->g, "where", (const char *)r->entry.data, r->entry.len);
    return tr_ingest_end(r->g, r->err);
}

/* ---- reading ---- */

static enum tr_status start(struct reader *r)
{
    enum tr_status st = tr__dump_read(&r->text, r->g, "a dump of the flight recorder", GROWTH, NULL, r->err);
    if (st != TR_OK)
        return st;
    r->read = true;
    if (!tr__dump_members(&r->text, take_member, r, &r->cut) || !(r->entries.s || r->config.s))
        return tr_fail(r->err, TR_DAMAGED, "no dump of the flight recorder: it has neither entries nor pg_config");
    if (!find_groups(r) || !find_completed(r))
        return tr_fail_memory(r->err);
    if (r->rank >= 0)
        tr_ingest_rank(r->g, r->rank);
    return TR_OK;
}

static enum tr_status read_some(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct reader *r = ctx;
    bool broken;
    r->g = g;
    r->err = err;
    enum tr_status st = r->read ? TR_OK : start(r);
    for (int i = 0; st == TR_OK && i < 256; i++) {
        struct tr_str entry = tr__dump_next(&r->text, r->entries, &r->at, &broken);
        uint64_t offset = entry.s ? (uint64_t)(entry.s - (const char *)r->text.data) : 0;
        if (!entry.s && r->given < r->n_groups) {
            st = group_event(r, &r->groups[r->given++]);
        } else if (!entry.s) {
            if (r->cut)
                tr_ingest_damaged(g, TR_DAMAGE_TRUNCATED, r->text.n);
            return TR_END;
        } else if (!broken) {
            st = entry_event(r, entry, offset);
        }
    }
    return st;
}

static void release(void *ctx)
{
    struct reader *r = ctx;
    tr_paged_free(&r->text);
    tr_buf_free(&r->entry);
    tr_json_tokens_free(&r->tokens);
    free(r->groups);
    free(r);
}

/* The digits at the end of a name, before .json and the like. */
static int64_t rank_of_name(const char *path)
{
    int64_t rank;
    if (tr_rank_from_name(path, &rank))
        return rank;
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    size_t end = strcspn(name, "."), from = end;
    while (from > 0 && name[from - 1] >= '0' && name[from - 1] <= '9')
        from--;
    rank = -1;
    for (size_t i = from; i < end && end - from <= 9; i++)
        rank = (rank < 0 ? 0 : rank * 10) + (name[i] - '0');
    return rank;
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct reader *r = state;
    (void)of;
    tr__dump_init(&r->text, opts);
    r->rank = rank_of_name(bytes->name ? bytes->name : "");
    return true;
}

static enum tr_status open_dump(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                                const struct tr_open_opts *opts, struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "flight-rec", read_some, release };
    return tr__reader_open(out, &reader, sizeof(struct reader), init, NULL, bytes, opts, err);
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    size_t at = tr__json_start(p, n);
    bool pickle = n > 2 && p[0] == 0x80 && p[1] <= 5;
    if (!pickle && (at == n || p[at] != '{'))
        return 0;
    const char *quote = pickle ? "" : "\"";
    static const char *const keys[] = { "pg_config", "collective_seq_id", "comm_lib_version", "pg_status" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s%s%s", quote, keys[i], quote);
        if (tr__probe_holds(p, n, key))
            return 92;
    }
    return 0;
}

const struct tr_format tr_format_flight_recorder = {
    .name = "flight-recorder",
    .brief = "dump of PyTorch's flight recorder, as JSON or a pickle: the last collectives of a rank",
    .probe = probe,
    .open = open_dump,
};
