/* SPDX-License-Identifier: MIT */
/*
 * Reader of the JSON that rocprofv3 writes: { "rocprofiler-sdk-tool": [ process, ... ] }.
 *
 * A process has its identity (metadata), its devices (agents), names (strings, kernel_symbols, counters), values of
 * counters (callback_records) and events (buffer_records), usually in this order.  The text is read once and never held
 * as a whole: lists are read element by element.  If records come before a table with their names, they are skipped and
 * read in a second walk.
 *
 * The record of an event is its position among all elements of buffer_records, from 0; those of a second walk come
 * after all others.  If a process has values of counters and no dispatches, the dispatches of the counters are used.
 */
#include "formats/rocprof_json/tr_rocprof_int.h"

#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_json_defects_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_reader_open_int.h"

#include <stdlib.h>
#include <string.h>

#define WINDOW    ((size_t)256 << 10)
#define MAX_VALUE ((size_t)15 << 20) /* bytes of one element */
#define MAX_DEPTH 5u
#define TOOL      "rocprofiler-sdk-tool"

enum place { OUTSIDE, TOP, PROCESSES, PROCESS, STRINGS, CALLBACKS, BUFFERS, LIST };

/* How the values of a list, or a member of a process, are used. */
enum what { RECORDS, METADATA, AGENTS, COUNTERS, KERNELS, KINDS, MARKERS, COLLECTIONS };

/* A member that is read: its place, its key (NULL: any), its first byte, its use or the place it leads to. */
static const struct {
    enum place at;
    const char *key;
    char bracket;
    enum place to; /* OUTSIDE: the value is taken as a whole */
    enum what what;
} members[] = {
    { TOP, TOOL, '[', PROCESSES, RECORDS },
    { TOP, TOOL, '{', PROCESS, RECORDS },
    { PROCESSES, NULL, '{', PROCESS, RECORDS },
    { PROCESS, "metadata", '{', OUTSIDE, METADATA },
    { PROCESS, "agents", '[', LIST, AGENTS },
    { PROCESS, "counters", '[', LIST, COUNTERS },
    { PROCESS, "kernel_symbols", '[', LIST, KERNELS },
    { PROCESS, "strings", '{', STRINGS, RECORDS },
    { PROCESS, "callback_records", '{', CALLBACKS, RECORDS },
    { PROCESS, "buffer_records", '{', BUFFERS, RECORDS },
    { STRINGS, "buffer_records", '[', LIST, KINDS },
    { STRINGS, "marker_api", '[', LIST, MARKERS },
    { CALLBACKS, "counter_collection", '[', LIST, COLLECTIONS },
    { BUFFERS, NULL, '[', LIST, RECORDS },
};

#define ALL_TABLES (1u << METADATA | 1u << AGENTS | 1u << KERNELS | 1u << KINDS | 1u << COLLECTIONS)

/* One process, and its parts so far. */
struct process {
    struct tr__rocprof_tables tables;
    unsigned seen;            /* bits 1 << enum what */
    uint64_t n_dispatches, n_collections;
    bool late;                /* records were skipped */
};

struct rocprof {
    struct tr__window w;
    struct tr_ingest *g; /* while the text is read */
    struct tr_error *err;
    struct {
        enum place place;
        enum what what;
    } stack[MAX_DEPTH + 1];
    unsigned depth;
    char list[64]; /* key of the list of records */
    size_t want;   /* bytes of text that the next step needs */
    struct tr__rocprof_pass pass; /* skips a value that is not needed */
    bool second;   /* the second walk */
    bool seen_tool, ended, seen_rest, lost;
    struct process *processes;
    size_t n_processes, cap_processes, at_process; /* at_process: number + 1 of the current one */
    size_t n_in_list;
    uint64_t n_records, n_events;
    struct tr__rocprof_object object;
    struct tr_buf clean;
};

enum took { TOOK, MORE, BAD, FAILED };

static enum took out_of_memory(struct rocprof *r)
{
    tr_fail_memory(r->err);
    return FAILED;
}

static void count(struct rocprof *r, enum tr_damage_cause cause)
{
    if (!r->second) /* the second walk meets the same damage again */
        tr_ingest_damaged(r->g, cause, tr__window_offset(&r->w));
    r->lost |= tr_damage_cause_loses(cause);
}

static struct process *process(struct rocprof *r)
{
    return &r->processes[r->at_process - 1];
}

/* ---- values ---- */

static bool take_table(struct rocprof *r, enum what what)
{
    struct tr__rocprof_tables *t = &process(r)->tables;
    struct tr__rocprof_object *o = &r->object;
    switch (what) {
    case METADATA:
        return tr__rocprof_metadata(t, o, r->g);
    case AGENTS:
        return tr__rocprof_agent(t, o, r->g);
    case COUNTERS:
        return tr__rocprof_counter(t, o);
    case KERNELS:
        return tr__rocprof_kernel(t, o);
    case KINDS:
        return tr__rocprof_kind(t, o, r->n_in_list);
    case MARKERS:
        return tr__rocprof_marker(t, o);
    default:
        process(r)->n_collections++;
        return tr__rocprof_collection(t, o);
    }
}

/* Is it a list of samples of program counters?  They have no time. */
static bool is_samples(const char *list)
{
    return strncmp(list, "pc_sample_", 10) == 0;
}

/* Are the records of this list read in this walk? */
static bool reads_records(struct rocprof *r, enum what what)
{
    struct process *p = process(r);
    bool in_order = (p->seen & ALL_TABLES) == ALL_TABLES && !p->late;
    if (what == COLLECTIONS)
        return r->second && p->n_dispatches == 0;
    if (r->second)
        return p->late;
    p->late |= !in_order;
    return in_order;
}

static enum took take_record(struct rocprof *r, const char *list)
{
    static const struct tr_ingest_cause sample = { "pc_sample", "sample of a program counter, left out", true };
    if (is_samples(list)) {
        r->n_records++;
        tr_ingest_damaged_by(r->g, &sample, tr__window_offset(&r->w));
        return TOOK;
    }
    enum tr_status st = tr__rocprof_record(&process(r)->tables, &r->object, list, r->n_records++, r->g, r->err);
    if (st == TR_END) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, tr__window_offset(&r->w));
        r->lost = true;
        r->object.doubt = false; /* it is counted as a whole */
        return TOOK;
    }
    r->n_events += st == TR_OK;
    return st == TR_OK ? TOOK : FAILED;
}

static enum took take_by_use(struct rocprof *r, enum what what)
{
    if (what != RECORDS && !r->second)
        return take_table(r, what) ? TOOK : out_of_memory(r);
    if (what == COLLECTIONS && reads_records(r, what)) {
        r->object.base = tr__rocprof_within(&r->object, 0, "dispatch_data", TR_JSON_OBJECT);
        if (r->object.base && tr__rocprof_int(&r->object, r->object.base, "start_timestamp") != TR_TIME_NONE)
            return take_record(r, "kernel_dispatch");
        return TOOK;
    }
    if (what != RECORDS)
        return TOOK;
    process(r)->n_dispatches += !r->second && strcmp(r->list, "kernel_dispatch") == 0;
    return reads_records(r, what) ? take_record(r, r->list) : TOOK;
}

/* An object, clean and tokenized.  What of it is not understood is counted, once. */
static enum took take_object(struct rocprof *r, enum what what)
{
    static const struct tr_ingest_cause doubt = { "bad_value", "name or value that cannot be read", true };
    r->object.base = 0;
    r->object.doubt = false;
    enum took took = take_by_use(r, what);
    if (r->object.doubt)
        tr_ingest_damaged_by(r->g, &doubt, tr__window_offset(&r->w));
    return took;
}

/* An element that is no object; it has a number anyway. */
static enum took take_other(struct rocprof *r, enum what what)
{
    if (what == RECORDS && reads_records(r, what))
        r->n_records++;
    count(r, TR_DAMAGE_NOT_AN_OBJECT);
    return TOOK;
}

/* Take the value here as a whole. */
static enum took take_value(struct rocprof *r, enum what what)
{
    const char *p = r->w.p + r->w.at;
    size_t n = r->w.n - r->w.at, len;
    unsigned defects;
    enum tr_json_result found = tr_json_scan(p, n, r->w.last, NULL, &len, &defects);
    if (found != TR_JSON_DONE)
        return found == TR_JSON_MORE ? MORE : BAD;
    r->object.text = p;
    if (defects) {
        enum tr_damage_cause causes[TR__N_DEFECTS];
        unsigned n_causes = tr__defect_causes(defects, causes);
        for (unsigned i = 0; i < n_causes; i++)
            count(r, causes[i]);
        r->clean.len = 0;
        if (!tr_json_clean(p, n, r->w.last, true, &r->clean))
            return out_of_memory(r);
        r->object.text = (const char *)r->clean.data;
    }
    if (!tr_json_tokenize(&r->object.tokens, r->object.text, defects ? r->clean.len : len))
        return r->object.tokens.no_memory ? out_of_memory(r) : BAD;
    enum took took = r->object.tokens.tok[0].kind == TR_JSON_OBJECT ? take_object(r, what) : take_other(r, what);
    r->w.at += len;
    r->n_in_list++;
    return took;
}

/* ---- the text around them ---- */

static bool start_process(struct rocprof *r)
{
    if (r->second)
        return ++r->at_process <= r->n_processes;
    if (!tr_grow(&r->processes, &r->cap_processes, r->n_processes + 1, sizeof *r->processes))
        return false;
    memset(&r->processes[r->n_processes], 0, sizeof *r->processes);
    if (!tr__rocprof_tables_init(&r->processes[r->n_processes].tables))
        return false;
    r->at_process = ++r->n_processes;
    return true;
}

/* Is something else than null in the place of a member that is read? */
static bool is_misplaced(enum place at, const char *key, size_t key_len, char first)
{
    for (size_t i = 0; i < sizeof members / sizeof *members && first != 'n'; i++)
        if (members[i].at == at &&
            (!members[i].key || (strlen(members[i].key) == key_len && !memcmp(members[i].key, key, key_len))))
            return true;
    return false;
}

/* The value of a member, or an element: take it, enter it, or skip it. */
static enum took value(struct rocprof *r, const char *key, size_t key_len)
{
    enum place at = r->stack[r->depth].place;
    char c = r->w.p[r->w.at];
    size_t i = 0, n = sizeof members / sizeof *members;
    if (at == LIST)
        return take_value(r, r->stack[r->depth].what);
    for (; i < n; i++)
        if (members[i].at == at && members[i].bracket == c &&
            (!members[i].key || (strlen(members[i].key) == key_len && !memcmp(members[i].key, key, key_len))))
            break;
    if (i < n && members[i].to == OUTSIDE) {
        process(r)->seen |= 1u << members[i].what;
        return take_value(r, members[i].what);
    }
    bool misplaced = i == n && is_misplaced(at, key, key_len, c);
    if (i == n && (c == '{' || c == '[')) {
        if (misplaced)
            count(r, TR_DAMAGE_BAD_HEADER);
        r->pass = (struct tr__rocprof_pass){ .open = 1 };
    }
    if (i == n && r->pass.open == 0) {
        size_t len;
        unsigned defects;
        enum tr_json_result found = tr_json_scan(r->w.p + r->w.at, r->w.n - r->w.at, r->w.last, NULL, &len, &defects);
        if (found == TR_JSON_DONE && misplaced)
            count(r, TR_DAMAGE_BAD_HEADER);
        r->w.at += found == TR_JSON_DONE ? len : 0;
        return found == TR_JSON_DONE ? TOOK : found == TR_JSON_MORE ? MORE : BAD;
    }
    r->w.at++;
    if (i == n)
        return TOOK;
    if (members[i].to == PROCESS && !start_process(r))
        return out_of_memory(r);
    r->seen_tool |= members[i].at == TOP;
    r->n_in_list = 0;
    r->stack[++r->depth].place = members[i].to;
    r->stack[r->depth].what = members[i].what;
    if (members[i].to == LIST) {
        process(r)->seen |= 1u << members[i].what;
        size_t len = key_len < sizeof r->list ? key_len : sizeof r->list - 1;
        if (members[i].what == RECORDS) {
            memcpy(r->list, key, len);
            r->list[len] = '\0';
        }
    }
    return TOOK;
}

/* A key, its colon, and the start of the value: all must be in the window. */
static enum took member(struct rocprof *r)
{
    size_t from = r->w.at, len;
    unsigned defects;
    enum tr_json_result found = tr_json_scan(r->w.p + from, r->w.n - from, r->w.last, NULL, &len, &defects);
    if (found != TR_JSON_DONE)
        return found == TR_JSON_MORE ? MORE : BAD;
    r->w.at += len;
    const char *colon = tr__window_skip_blanks(&r->w);
    bool is_colon = colon && *colon == ':';
    r->w.at += is_colon;
    const char *start = is_colon ? tr__window_skip_blanks(&r->w) : NULL;
    enum took took = MORE;
    if (colon && !is_colon)
        took = BAD;
    else if (start)
        took = value(r, r->w.p + from + 1, len - 2);
    if (took == MORE || took == BAD)
        r->w.at = from;
    return took;
}

static void leave(struct rocprof *r)
{
    if (r->stack[r->depth].place == CALLBACKS)
        process(r)->seen |= 1u << COLLECTIONS;
    if (r->stack[r->depth].place == STRINGS)
        process(r)->seen |= 1u << KINDS;
    r->w.at++;
    r->depth--;
    r->ended = r->depth == 0;
}

static enum took step(struct rocprof *r)
{
    enum place at = r->stack[r->depth].place;
    char c = r->w.p[r->w.at];
    if (r->depth == 0) {
        if (c != '{')
            return BAD;
        r->w.at++;
        r->stack[++r->depth].place = TOP;
        return TOOK;
    }
    if (c == ',') {
        r->w.at++;
        return TOOK;
    }
    if (c == (at == LIST || at == PROCESSES ? ']' : '}')) {
        leave(r);
        return TOOK;
    }
    if (at == LIST || at == PROCESSES)
        return value(r, NULL, 0);
    return c == '"' ? member(r) : BAD;
}

/* ---- damage ---- */

/* Handle text that could not be read (BAD), or does not end (MORE). */
static enum tr_status fix(struct rocprof *r, enum took took)
{
    size_t n = r->w.n - r->w.at;
    bool in_list = r->depth > 0 && r->stack[r->depth].place == LIST;
    if (took == MORE && !r->w.last && n < MAX_VALUE) {
        r->want = 2 * n > WINDOW ? 2 * n : WINDOW;
        return TR_OK;
    }
    if (took == MORE && r->w.last) {
        count(r, TR_DAMAGE_TRUNCATED);
        r->w.at = r->w.n;
        r->ended = true;
        return TR_OK;
    }
    if (in_list && r->stack[r->depth].what == RECORDS && reads_records(r, RECORDS))
        r->n_records++; /* it has a number anyway */
    count(r, took == MORE ? TR_DAMAGE_TOO_LONG : in_list ? TR_DAMAGE_BAD_EVENT : TR_DAMAGE_BAD_HEADER);
    tr__rocprof_find_again(&r->w);
    return TR_OK;
}

/* ---- reading ---- */

static bool second_walk_needed(const struct rocprof *r)
{
    bool needed = false;
    for (size_t i = 0; i < r->n_processes; i++)
        needed |= r->processes[i].late || (r->processes[i].n_dispatches == 0 && r->processes[i].n_collections > 0);
    return needed && !r->second;
}

static enum tr_status start_again(struct rocprof *r)
{
    r->second = true;
    r->ended = false;
    r->depth = 0;
    r->pass.open = 0;
    r->at_process = 0;
    tr__window_rewind(&r->w);
    return tr_ingest_rewind(r->g, r->err);
}

/* After the end there may be blanks. */
static void pass_over_rest(struct rocprof *r)
{
    if (!r->seen_rest && tr__window_skip_blanks(&r->w)) {
        count(r, TR_DAMAGE_TRAILING_BYTES);
        r->seen_rest = true;
    }
    r->w.at = r->w.n;
}

static enum tr_status at_end(struct rocprof *r)
{
    if (!r->ended)
        count(r, TR_DAMAGE_TRUNCATED);
    if (second_walk_needed(r))
        return start_again(r);
    if (!r->seen_tool)
        return tr_fail(r->err, TR_DAMAGED, "no '" TOOL "' in this JSON: not what rocprofv3 writes");
    if (r->n_events == 0 && r->lost)
        return tr_fail(r->err, TR_DAMAGED, "no record could be read");
    return TR_END;
}

static enum tr_status read_text(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct rocprof *r = ctx;
    enum took took = TOOK;
    r->g = g;
    r->err = err;
    enum tr_status st = tr__window_fill(&r->w, g, r->want > WINDOW ? r->want : WINDOW, err);
    r->want = 0;
    while (st == TR_OK && took == TOOK && !r->ended) {
        if (r->pass.open > 0)
            tr__rocprof_pass(&r->pass, &r->w);
        else if (tr__window_skip_blanks(&r->w) && r->w.at < r->w.n)
            took = step(r);
        if (r->w.at >= r->w.n)
            break;
        if (took == BAD || (took == MORE && (r->w.last || r->w.n - r->w.at >= MAX_VALUE))) {
            st = fix(r, took);
            took = TOOK;
        }
    }
    if (took == FAILED)
        return err->status;
    if (st == TR_OK && took == MORE)
        st = fix(r, took);
    if (r->ended)
        pass_over_rest(r);
    return st == TR_OK && r->w.last && r->w.at >= r->w.n ? at_end(r) : st;
}

static void release(void *ctx)
{
    struct rocprof *r = ctx;
    for (size_t i = 0; i < r->n_processes; i++)
        tr__rocprof_tables_free(&r->processes[i].tables);
    free(r->processes);
    tr__window_free(&r->w);
    tr_json_tokens_free(&r->object.tokens);
    tr_buf_free(&r->object.scratch);
    tr_buf_free(&r->clean);
    free(r);
}

static enum tr_status open_rocprof(const struct tr_format *f, struct tr_input **out,
                                   const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                   struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "rocprof-json", read_text, release };
    return tr__reader_open(out, &reader, sizeof(struct rocprof), NULL, NULL, bytes, opts, err);
}

/* The text has this format if its first key is that of the tool. */
static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    static const char key[] = "\"" TOOL "\"";
    size_t at = tr__json_start(p, n);
    if (at == n || p[at] != '{')
        return 0;
    at = tr__json_blanks(p, n, at + 1);
    return n - at >= sizeof key - 1 && !memcmp(p + at, key, sizeof key - 1) ? 95 : 0;
}

const struct tr_format tr_format_rocprof_json = {
    .name = "rocprof-json",
    .brief = "JSON of AMD's rocprofv3 (rocprofiler-sdk)",
    .probe = probe,
    .needs_seek = true,
    .open = open_rocprof,
};
