/* SPDX-License-Identifier: MIT */
/* Redaction of each string, source and column of a stream. */
#include "model/selection/tr_redact.h"

#include "base/tr_digest_int.h"
#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "model/selection/tr_redact_int.h"
#include "model/tr_kinds.h"
#include "stream/tr_number_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ways to test a text; the rules for members come first. */
enum use {
    AS_TOKEN = TR__R_TOKEN,
    AS_NAME = TR__N_RULES,
    AS_CAT,
    AS_MESH,
    AS_FORMAT,
    AS_NUMBER, /* the text of a number */
    AS_KEY,
    AS_JSON, /* a rule on top of this: in JSON text */
    N_USES = AS_JSON + TR__N_RULES
};

#define MAX_NUMBER (INT64_C(1) << 22) /* of processes and threads, on Linux */

struct column {
    uint32_t to; /* number in the new dictionary, UINT32_MAX: goes */
    enum use use;
};

struct tr_redact {
    const struct tr_dict *in;
    struct tr_dict *out;
    bool sorted, keep_known;
    bool as_is; /* nothing is redacted */
    const struct tr_extract *extract; /* NULL: all stay */
    struct hmac_sha256_ctx key;
    struct tr_rules *kinds;
    struct tr_number_map maps[N_USES]; /* by string number, for each use */
    struct column *columns;
    uint32_t *shapes; /* number in the new dictionary */
    size_t n_columns, n_shapes, cap_columns, cap_shapes;
    size_t n_sources, n_tracks; /* rows of the stream's dictionary that have been processed */
    struct tr_batch *batch;
};

/* --- texts ------------------------------------------------------------------------------------ */

static bool passes(const struct tr_redact *r, enum use use, const char *s, size_t len)
{
    bool known;
    if (r->as_is)
        return true;
    switch (use) {
    case AS_NAME:
        return strlen(s) == len && (tr__redact_name_passes(s) || (r->keep_known && tr__redact_is_known(s)));
    case AS_CAT:
        return tr__redact_cat_passes(s) && strlen(s) == len;
    case AS_MESH:
        return tr__redact_mesh_passes(s) && strlen(s) == len;
    case AS_FORMAT:
        return tr__redact_format_passes(s, len);
    case AS_NUMBER:
        return tr__redact_number_passes(s) && strlen(s) == len;
    case AS_KEY:
        tr__redact_rule(TR_PLACE_TOP, (struct tr_str){ s, len }, &known);
        if (!known)
            tr__redact_rule(TR_PLACE_ARGS, (struct tr_str){ s, len }, &known);
        return known;
    default:
        return !len ||
               tr__redact_passes((enum tr__rule)(use >= AS_JSON ? use - AS_JSON : use), s, len);
    }
}

static uint32_t add_token(struct tr_redact *r, enum use use, const char *s, size_t len)
{
    static const char hex[] = "0123456789abcdef";
    unsigned char digest[TR__SHA256_LEN];
    char token[32];
    size_t n = 0;
    if (use == AS_NUMBER) /* a number of another form would be invalid */
        return tr_strtab_add(r->out->strings, "NaN", 3);
    tr__hmac(&r->key, s, len, digest);
    if (use >= AS_JSON)
        token[n++] = '"';
    if (use == AS_NAME) {
        enum tr_kind kind;
        struct tr_error err = TR_ERROR_INIT;
        if (tr_kind_of_kernel(r->kinds, s, len, &kind, &err) != TR_OK)
            return TR_NO_STR;
        if (kind != TR_KIND_COMPUTE)
            n = (size_t)snprintf(token, sizeof token, "%s_", tr_kind_name(kind));
    }
    token[n++] = 'x';
    for (unsigned i = 0; i < 8; i++) {
        token[n++] = hex[digest[i] >> 4];
        token[n++] = hex[digest[i] & 15];
    }
    if (use >= AS_JSON)
        token[n++] = '"';
    return tr_strtab_add(r->out->strings, token, n);
}

/* The number of a text in the new dictionary.  False: out of memory. */
static bool map_text(struct tr_redact *r, enum use use, uint32_t id, uint32_t *to)
{
    *to = tr_number_of(&r->maps[use], id);
    if (*to != TR_NUMBER_UNKNOWN || id == TR_NO_STR)
        return true;
    const char *s = tr_strtab_get(r->in->strings, id);
    size_t len = tr_strtab_len(r->in->strings, id);
    *to = passes(r, use, s, len) ? tr_strtab_add(r->out->strings, s, len) : add_token(r, use, s, len);
    return tr_number_map_set(&r->maps[use], id, *to);
}

/* A replacement for a number that may not pass; equal numbers have equal replacements of at most 52 bits. */
static int64_t number_token(const struct tr_redact *r, const char *digits, size_t len)
{
    unsigned char digest[TR__SHA256_LEN];
    uint64_t made = 0;
    tr__hmac(&r->key, digits, len, digest);
    for (unsigned i = 0; i < 8; i++)
        made = made << 8 | digest[i];
    return (int64_t)(made >> 13 | (uint64_t)1 << 51);
}

/*
 * The number of a process, thread, device or stream.  Numbers that a system gives out pass.  A larger number may be an
 * address in memory, or anything else, and is replaced by another number.
 */
static int64_t map_number(const struct tr_redact *r, int64_t number)
{
    char text[24];
    if (r->as_is || number == TR_I64_NONE || (number >= -MAX_NUMBER && number <= MAX_NUMBER))
        return number;
    return number_token(r, text, (size_t)snprintf(text, sizeof text, "%" PRId64, number));
}

/* An integer in quotes is a text, such as a telephone number: it is redacted like other texts. */
static int64_t map_quoted(const struct tr_redact *r, enum use use, bool hex, int64_t number)
{
    char text[TR_NUM_HEX];
    size_t len = hex ? tr_num_print_hex(number, text) : (size_t)snprintf(text, sizeof text, "%" PRId64, number);
    return passes(r, use, text, len) ? number : number_token(r, text, len);
}

/* --- dictionary rows -------------------------------------------------------------------------- */

/* For a pid or a tid: the replacement of a number from 2^63 on is less than 2^63. */
static uint8_t number_type(uint8_t type, int64_t id)
{
    return type == TR_T_UINT && id >= 0 ? TR_T_INT : type;
}

static bool map_track(struct tr_redact *r, const struct tr_track *from, struct tr_track *to)
{
    uint32_t text;
    *to = *from;
    to->device = map_number(r, from->device);
    to->context = map_number(r, from->context);
    to->stream = map_number(r, from->stream);
    to->pid = map_number(r, from->pid);
    to->tid = map_number(r, from->tid);
    to->pid_type = number_type(from->pid_type, to->pid);
    to->tid_type = number_type(from->tid_type, to->tid);
    if (tr_track_pid_is_text(from)) {
        if (!map_text(r, AS_TOKEN, (uint32_t)from->pid, &text))
            return false;
        to->pid = text;
    }
    if (tr_track_tid_is_text(from)) {
        if (!map_text(r, AS_TOKEN, (uint32_t)from->tid, &text))
            return false;
        to->tid = text;
    }
    return map_text(r, AS_TOKEN, from->process_name, &to->process_name) &&
           map_text(r, AS_TOKEN, from->thread_name, &to->thread_name) &&
           map_text(r, AS_TOKEN, from->labels, &to->labels);
}

/* The members of the JSON object. */
static bool map_header(struct tr_redact *r, const struct tr_source *from, struct tr_source *to)
{
    to->header_keys = calloc(from->n_header + 1, sizeof *to->header_keys);
    to->header_values = calloc(from->n_header + 1, sizeof *to->header_values);
    bool ok = to->header_keys && to->header_values;
    for (size_t i = 0; ok && i < from->n_header; i++)
        ok = map_text(r, AS_TOKEN, from->header_keys[i], &to->header_keys[i]) &&
             map_text(r, AS_TOKEN, from->header_values[i], &to->header_values[i]);
    to->n_header = from->n_header;
    to->events_at = from->events_at;
    return ok;
}

/* The header arrays of the result belong to the caller, also on failure. */
static bool map_source(struct tr_redact *r, uint32_t number, struct tr_source *to)
{
    const struct tr_source *from = &r->in->sources[number];
    *to = *from;
    to->whole = r->as_is && r->extract ? tr_extract_whole(r->extract, number) : 0;
    to->pid = map_number(r, from->pid);
    to->header_keys = to->header_values = NULL;
    to->n_header = to->events_at = 0;
    if (r->as_is && !map_header(r, from, to))
        return false;
    return map_text(r, AS_TOKEN, from->name, &to->name) &&
           map_text(r, AS_TOKEN, from->host, &to->host) &&
           map_text(r, AS_TOKEN, from->job, &to->job) &&
           map_text(r, AS_MESH, from->mesh, &to->mesh) &&
           map_text(r, AS_FORMAT, from->format, &to->format);
}

/* Numbers of the redacted stream; TR_EXTRACT_GONE: it is not in there. */
static uint32_t number_of_source(const struct tr_redact *r, size_t source)
{
    return r->extract ? tr_extract_source(r->extract, (uint32_t)source) : (uint32_t)source;
}

static uint32_t number_of_track(const struct tr_redact *r, size_t track)
{
    return r->extract ? tr_extract_track(r->extract, (uint32_t)track) : (uint32_t)track;
}

static bool sync_sources(struct tr_redact *r)
{
    struct tr_source source;
    for (size_t i = r->sorted ? r->n_sources : 0; i < r->in->n_sources; i++) {
        uint32_t to = number_of_source(r, i);
        if (to == TR_EXTRACT_GONE)
            continue;
        bool ok = map_source(r, (uint32_t)i, &source);
        bool again = ok && to < r->out->n_sources;
        if (again) {
            free(r->out->sources[to].header_keys);
            free(r->out->sources[to].header_values);
            r->out->sources[to] = source;
        } else {
            ok = ok && tr_dict_add_source(r->out, &source) != UINT32_MAX; /* copies them */
            free(source.header_keys);
            free(source.header_values);
        }
        if (!ok)
            return false;
    }
    r->n_sources = r->in->n_sources;
    return true;
}

static bool sync_clocks(struct tr_redact *r) /* numbers only */
{
    size_t n = r->in->n_clocks;
    const struct tr_clock *clocks = r->extract ? tr_extract_clocks(r->extract, &n) : r->in->clocks;
    while (r->out->n_clocks < n)
        if (tr_dict_add_clock(r->out, &clocks[r->out->n_clocks]) == UINT32_MAX)
            return false;
    return true;
}

static bool sync_tracks(struct tr_redact *r)
{
    struct tr_track track;
    for (size_t i = r->sorted ? r->n_tracks : 0; i < r->in->n_tracks; i++) {
        uint32_t to = number_of_track(r, i);
        if (to == TR_EXTRACT_GONE)
            continue;
        if (!map_track(r, &r->in->tracks[i], &track))
            return false;
        if (r->extract)
            tr_extract_renumber(r->extract, &track);
        if (to < r->out->n_tracks)
            r->out->tracks[to] = track;
        else if (tr_dict_add_track(r->out, &track) == UINT32_MAX)
            return false;
    }
    r->n_tracks = r->in->n_tracks;
    return true;
}

/* The new column; UINT32_MAX if its values are removed. */
static bool sync_columns(struct tr_redact *r)
{
    if (!tr_grow(&r->columns, &r->cap_columns, r->in->n_columns, sizeof *r->columns))
        return false;
    for (; r->n_columns < r->in->n_columns; r->n_columns++) {
        struct tr_column c = r->in->columns[r->n_columns];
        struct column *to = &r->columns[r->n_columns];
        bool known;
        enum tr__rule rule =
            tr__redact_rule((enum tr_place)c.place, tr_dict_text(r->in, c.key), &known);
        to->use = (enum use)(c.type == TR_T_JSON ? AS_JSON + (unsigned)rule : (unsigned)rule);
        to->to = UINT32_MAX;
        if (c.place == TR_PLACE_DERIVED) {
            to->to = (uint32_t)r->n_columns;
            if (r->n_columns == TR_COL_LAUNCH_NAME)
                to->use = AS_NAME;
            continue;
        }
        if (c.type == TR_T_IN_CAT && !r->as_is)
            continue;
        bool number = !r->as_is && c.type != TR_T_QUOTED && c.type != TR_T_HEX &&
                      (!tr_type_is_string(c.type) || c.type == TR_T_NUMBER);
        if (number && !tr__redact_numbers_pass(rule))
            continue;
        if (c.type == TR_T_NUMBER && !r->as_is)
            to->use = AS_NUMBER;
        if (!map_text(r, AS_KEY, c.key, &c.key))
            return false;
        to->to = tr_dict_add_column(r->out, &c);
        if (to->to == UINT32_MAX)
            return false;
    }
    return true;
}

static bool map_slot(struct tr_redact *r, const struct tr_slot *from, struct tr_slot *to)
{
    *to = *from;
    if (from->column != UINT32_MAX) {
        to->column = r->columns[from->column].to;
        if (to->column == UINT32_MAX)
            to->type = TR_T_NULL;
        if (from->type == TR_T_IN_CAT && !r->as_is) { /* the category is a token, which has no place for a number */
            to->column = UINT32_MAX;
            to->role = TR_ROLE_CAT;
            to->type = TR_T_STRING;
        }
    }
    return map_text(r, AS_KEY, from->key, &to->key);
}

static bool sync_shapes(struct tr_redact *r)
{
    if (!tr_grow(&r->shapes, &r->cap_shapes, r->in->n_shapes, sizeof *r->shapes))
        return false;
    for (; r->n_shapes < r->in->n_shapes; r->n_shapes++) {
        struct tr_shape s = r->in->shapes[r->n_shapes];
        const struct tr_slot *from = s.slots;
        bool ok = true;
        s.slots = malloc((s.n_slots + 1) * sizeof *s.slots);
        if (!s.slots)
            return false;
        for (uint32_t k = 0; k < s.n_slots && ok; k++)
            ok = map_slot(r, &from[k], &s.slots[k]);
        uint32_t to = ok ? tr_dict_add_shape(r->out, &s) : UINT32_MAX;
        free(s.slots);
        if (to == UINT32_MAX)
            return false;
        r->shapes[r->n_shapes] = to;
    }
    return true;
}

/* --- a batch ---------------------------------------------------------------------------------- */

#define COPY(column) memcpy(out->column, in->column, in->n * sizeof *in->column)

static bool map_events(struct tr_redact *r, const struct tr_batch *in)
{
    struct tr_batch *out = r->batch;
    if (!in->n)
        return true;
    if (!tr_batch_reserve(out, in->n))
        return false;
    COPY(ts);
    COPY(dur);
    COPY(record);
    COPY(phase);
    COPY(activity);
    COPY(kind);
    COPY(suspect);
    COPY(flags);
    for (size_t i = 0; i < in->n; i++) {
        out->track[i] = number_of_track(r, in->track[i]);
        out->shape[i] = r->shapes[in->shape[i]];
        if (!map_text(r, AS_NAME, in->name[i], &out->name[i]) ||
            !map_text(r, AS_CAT, in->cat[i], &out->cat[i]))
            return false;
    }
    out->n = in->n;
    return true;
}

static bool map_column(struct tr_redact *r, const struct tr_col *in, const struct column *how)
{
    struct tr_col *out = &r->batch->cols[how->to];
    uint8_t type = r->out->columns[how->to].type;
    if (!tr_col_reserve(out, in->n, (enum tr_type)type))
        return false;
    if (type == TR_T_QUOTED || type == TR_T_HEX) {
        for (size_t k = 0; k < in->n; k++)
            out->v.i64[k] = map_quoted(r, how->use, type == TR_T_HEX, in->v.i64[k]);
    } else if (how->to == TR_COL_LAUNCH_TRACK) {
        for (size_t k = 0; k < in->n; k++)
            out->v.i64[k] = number_of_track(r, (size_t)in->v.i64[k]);
    } else if (!tr_type_is_string(type)) {
        memcpy(out->v.i64, in->v.i64, in->n * sizeof *in->v.i64);
    } else {
        for (size_t k = 0; k < in->n; k++)
            if (!map_text(r, how->use, in->v.str[k], &out->v.str[k]))
                return false;
    }
    out->n = in->n;
    return true;
}

enum tr_status tr_redact_sync(struct tr_redact *r, struct tr_error *err)
{
    return sync_sources(r) && sync_clocks(r) && sync_tracks(r) && sync_columns(r) && sync_shapes(r)
               ? TR_OK
               : tr_fail_memory(err);
}

enum tr_status tr_redact_batch(struct tr_redact *r, const struct tr_batch *in,
                               const struct tr_batch **out, struct tr_error *err)
{
    enum tr_status st = tr_redact_sync(r, err);
    if (st != TR_OK)
        return st;
    tr_batch_clear(r->batch);
    r->batch->dict = r->out;
    if (!map_events(r, in) || !tr_batch_reserve_cols(r->batch, r->out->n_columns))
        return tr_fail_memory(err);
    for (size_t c = 0; c < in->n_cols; c++)
        if (in->cols[c].n && r->columns[c].to != UINT32_MAX &&
            !map_column(r, &in->cols[c], &r->columns[c]))
            return tr_fail_memory(err);
    *out = r->batch;
    return TR_OK;
}

/* --- start and end ---------------------------------------------------------------------------- */

enum tr_status tr_redact_new(struct tr_redact **out, const struct tr_dict *dict, bool sorted,
                             const struct tr_redact_opts *opts, struct tr_error *err)
{
    *out = NULL;
    if (opts->key && opts->key_len < TR_REDACT_MIN_KEY)
        return tr_fail(err, TR_USAGE, "the key has %zu bytes, at least %u are needed", opts->key_len,
                       TR_REDACT_MIN_KEY);
    struct tr_redact *r = calloc(1, sizeof *r);
    if (!r)
        return tr_fail_memory(err);
    r->in = dict;
    r->sorted = sorted;
    r->keep_known = opts->keep_known;
    r->extract = opts->extract;
    r->as_is = !opts->key;
    r->out = tr_dict_like(dict);
    r->batch = tr_batch_new();
    if (opts->key)
        hmac_sha256_set_key(&r->key, opts->key_len, opts->key);
    enum tr_status st = r->out && r->batch ? tr_kind_rules(&r->kinds, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_redact_sync(r, err);
    if (st != TR_OK) {
        tr_redact_free(r);
        return st;
    }
    *out = r;
    return TR_OK;
}

void tr_redact_free(struct tr_redact *r)
{
    if (!r)
        return;
    for (unsigned u = 0; u < N_USES; u++)
        tr_number_map_free(&r->maps[u]);
    tr_rules_free(r->kinds);
    free(r->columns);
    free(r->shapes);
    tr_batch_free(r->batch);
    tr_dict_free(r->out);
    free(r);
}

const struct tr_dict *tr_redact_dict(const struct tr_redact *r)
{
    return r->out;
}
