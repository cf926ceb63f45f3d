/* SPDX-License-Identifier: MIT */
/* Events as Trace Event Format. */
#include "formats/chrome/tr_chrome_write.h"

#include "base/tr_escape.h"
#include "formats/chrome/tr_chrome_plan_int.h"
#include "formats/common/tr_members.h"
#include "formats/common/tr_overlaps.h"
#include "formats/common/tr_viewer.h"
#include "json/tr_json.h"
#include "json/tr_json_write.h"

#include <stdlib.h>
#include <string.h>

struct tr_chrome_writer {
    const struct tr_dict *dict;
    struct tr_members members;
    struct tr_chrome_plans plans, async; /* async: for spans that become a start and an end */
    const uint32_t *lanes;   /* by event of the batch; NULL: all are on their own threads */
    struct tr_strtab *names; /* metadata events with the names of lanes, as JSON objects */
    uint64_t n_async;
    struct tr_viewer *viewer; /* several sources; else NULL */
    int64_t common_base;      /* several sources: the time that their times count from, if has_base */
    bool has_base;
    bool started, any; /* the part before the events is out; an event is out */
    bool bare_array;   /* no object around the events */
    uint32_t n_before; /* members written before the events; a live source may get more later */
    uint32_t name_process, name_sort; /* names of metadata events that are written anew for viewers */
    struct tr_buf scratch;
};

struct tr_chrome_writer *tr_chrome_writer_new(const struct tr_dict *dict, size_t n_sources)
{
    struct tr_chrome_writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->dict = w->members.dict = dict;
    w->async.async = true;
    if (n_sources > 1 && !tr_dict_one_file(dict)) {
        w->viewer = tr_viewer_new(dict);
        if (!w->viewer) {
            tr_chrome_writer_free(w);
            return NULL;
        }
    }
    return w;
}

void tr_chrome_writer_free(struct tr_chrome_writer *w)
{
    if (!w)
        return;
    tr_members_free(&w->members);
    tr__chrome_plans_free(&w->plans);
    tr__chrome_plans_free(&w->async);
    tr_strtab_free(w->names);
    tr_viewer_free(w->viewer);
    tr_buf_free(&w->scratch);
    free(w);
}

void tr_chrome_writer_lanes(struct tr_chrome_writer *w, const uint32_t *lanes)
{
    w->lanes = lanes;
}

/* ---- the text around the events ---------------------------------------------------------- */

static size_t str_len(const struct tr_dict *d, uint32_t id)
{
    return id == TR_NO_STR ? 0 : tr_strtab_len(d->strings, id);
}

static bool add_member(struct tr_chrome_writer *w, const struct tr_source *s, uint32_t i,
                       struct tr_buf *out)
{
    const struct tr_dict *d = w->dict;
    uint32_t k = s->header_keys[i], v = s->header_values[i];
    if (!tr_escape_json(out, tr_dict_str(d, k), str_len(d, k)) || !tr_buf_add(out, ": ", 2))
        return false;
    if (w->viewer && w->has_base && tr_str_is(tr_dict_text(d, k), "baseTimeNanoseconds"))
        return tr_json_add_i64(out, w->common_base);
    return tr_json_add_text(out, tr_dict_str(d, v), str_len(d, v), false);
}

/* Members from number first on, before number end; each before or after a comma and a new line. */
static bool add_members(struct tr_chrome_writer *w, const struct tr_source *s, uint32_t first,
                        uint32_t end, bool comma_first, struct tr_buf *out)
{
    bool ok = true;
    for (uint32_t i = first; i < end && ok; i++)
        ok = (!comma_first || tr_buf_add(out, ",\n", 2)) && add_member(w, s, i, out) &&
             (comma_first || tr_buf_add(out, ",\n", 2));
    return ok;
}

/* The array that describes the sources. */
static bool add_sources(struct tr_chrome_writer *w, struct tr_buf *out)
{
    const struct tr_dict *d = w->dict;
    bool ok = tr_buf_add_str(out, ",\n\"tracepipeSources\": [");
    for (size_t i = 0; i < d->n_sources && ok; i++) {
        const struct tr_source *s = &d->sources[i];
        struct tr_json_doc j = { .out = out };
        ok = tr_buf_add_str(out, i ? ",\n" : "\n") && tr_json_doc_open(&j, '{') &&
             tr_json_doc_key(&j, tr_str_of("rank")) &&
             (s->rank < 0 ? tr_json_doc_null(&j) : tr_json_doc_i64(&j, s->rank)) &&
             tr_json_doc_key(&j, tr_str_of("name")) &&
             tr_json_doc_str(&j, tr_dict_text_if(d, s->name)) &&
             tr_json_doc_key(&j, tr_str_of("host")) &&
             tr_json_doc_str(&j, tr_dict_text_if(d, s->host)) &&
             tr_json_doc_key(&j, tr_str_of("header")) && tr_json_doc_open(&j, '{');
        for (uint32_t k = 0; k < s->n_header && ok; k++)
            ok = tr_json_doc_key(&j, tr_dict_text(d, s->header_keys[k])) && tr_json_doc_next(&j) &&
                 tr_json_add_text(out, tr_dict_str(d, s->header_values[k]),
                                  str_len(d, s->header_values[k]), true);
        ok = ok && tr_json_doc_close(&j) && tr_json_doc_close(&j);
    }
    return ok && tr_buf_add_str(out, "\n]");
}

static bool start(struct tr_chrome_writer *w, struct tr_buf *out)
{
    const struct tr_source *s = w->dict->n_sources ? &w->dict->sources[0] : NULL;
    w->started = true;
    for (size_t i = 0; i < w->dict->n_sources; i++) {
        const struct tr_source *other = &w->dict->sources[i];
        if (other->has_base && (!w->has_base || other->file_base_ns < w->common_base)) {
            w->common_base = other->file_base_ns;
            w->has_base = true;
        }
    }
    w->bare_array = !w->viewer && s && s->bare_array;
    if (w->bare_array)
        return tr_buf_add(out, "[", 1);
    if (s)
        w->n_before = s->events_at < s->n_header ? s->events_at : s->n_header;
    return tr_buf_add(out, "{\n", 2) && (!s || add_members(w, s, 0, w->n_before, false, out)) &&
           tr_buf_add_str(out, "\"traceEvents\": [");
}

static bool add_lanes(struct tr_chrome_writer *w, struct tr_buf *out)
{
    bool ok = true;
    for (uint32_t i = 0; w->names && ok && i < tr_strtab_count(w->names); i++)
        ok = tr_buf_add(out, ",\n", 2) &&
             tr_buf_add(out, tr_strtab_get(w->names, i), tr_strtab_len(w->names, i));
    return ok;
}

enum tr_status tr_chrome_end(struct tr_chrome_writer *w, struct tr_buf *out, struct tr_error *err)
{
    bool ok = w->started || start(w, out);
    const struct tr_source *s = w->dict->n_sources ? &w->dict->sources[0] : NULL;
    if (w->viewer)
        ok = ok && (w->any || tr_buf_add(out, "\n", 1)) && tr_viewer_names(w->viewer, w->any, out);
    ok = ok && add_lanes(w, out) && tr_buf_add(out, "\n]", 2);
    if (!w->bare_array) {
        ok = ok && (!s || add_members(w, s, w->n_before, s->n_header, true, out)) &&
             (!w->viewer || add_sources(w, out)) && tr_buf_add(out, "\n}", 2);
    }
    return ok && tr_buf_add(out, "\n", 1) ? TR_OK : tr_fail_memory(err);
}

/* ---- events --------------------------------------------------------------------------------- */

/* One event on its way out. */
struct event {
    const struct tr_batch *b;
    size_t i;
    int64_t ts;  /* in the time of the file; TR_TIME_NONE: none */
    int64_t end; /* of a joined span: ts of its E */
    int64_t dur;
    uint64_t async; /* number of its async event; 0: none */
    uint32_t lane;
    const struct tr_track *track;
};

static bool add_time(int64_t ns, bool quoted, struct tr_buf *out)
{
    if (ns == TR_TIME_NONE)
        return tr_buf_add(out, "null", 4);
    return (!quoted || tr_buf_add(out, "\"", 1)) && tr_json_add_us(out, ns) &&
           (!quoted || tr_buf_add(out, "\"", 1));
}

/* A pid or tid of the input: its value, with the JSON type that this member has. */
static bool add_number(struct tr_chrome_writer *w, unsigned track_type, int64_t value,
                       unsigned type, struct tr_buf *out)
{
    if (track_type == TR_T_STRING)
        return tr_members_str(&w->members, (uint32_t)value, out);
    char text[TR_TRACK_DIGITS];
    size_t len = tr_track_digits(track_type, track_type == TR_T_NULL ? 0 : value, text), quote = type == TR_T_STRING;
    return tr_buf_add(out, "\"", quote) && tr_buf_add(out, text, len) && tr_buf_add(out, "\"", quote);
}

static bool add_pid(struct tr_chrome_writer *w, const struct event *e, unsigned type,
                    struct tr_buf *out)
{
    uint64_t pid;
    if (!w->viewer)
        return add_number(w, e->track->pid_type, e->track->pid, type, out);
    return tr_viewer_pid(w->viewer, e->b->track[e->i], &pid) && tr_json_add_u64(out, pid);
}

/* "stream 7 (2)": the name or kind of the thread, and its lane. */
static bool lane_name(struct tr_chrome_writer *w, const struct event *e, struct tr_buf *out)
{
    const struct tr_track *t = e->track;
    struct tr_str name = tr_dict_text_if(w->dict, t->thread_name);
    char digits[TR_TRACK_DIGITS];
    tr_track_digits(t->tid_type, t->tid, digits);
    if (!name.s && tr_track_tid_is_text(t))
        name = tr_dict_text_if(w->dict, (uint32_t)t->tid);
    return (name.s ? tr_buf_add_text(out, name)
                   : tr_buf_add_str(out, t->side == TR_SIDE_DEVICE ? "stream " : "thread ") &&
                         tr_buf_add_str(out, digits)) &&
           tr_buf_add_str(out, " (") && tr_json_add_u64(out, e->lane + (uint64_t)1) && tr_buf_add(out, ")", 1);
}

/* Keep the metadata event that names the lane, at the first event of the lane. */
static bool note_lane(struct tr_chrome_writer *w, const struct event *e, const struct tr_buf *tid)
{
    struct tr_buf text = { 0 }, name = { 0 };
    bool ok = (w->names || (w->names = tr_strtab_new())) &&
              tr_buf_add_str(&text, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":") &&
              add_pid(w, e, e->track->pid_type, &text) && tr_buf_add_str(&text, ",\"tid\":") &&
              tr_buf_add(&text, tid->data, tid->len) && tr_buf_add_str(&text, ",\"args\":{\"name\":") &&
              lane_name(w, e, &name) && tr_escape_json(&text, (const char *)name.data, name.len) &&
              tr_buf_add_str(&text, "}}") && tr_strtab_add(w->names, text.data, text.len) != TR_NO_STR;
    tr_buf_free(&text);
    tr_buf_free(&name);
    return ok;
}

/* The tid; for a further lane a text, because no number is certain to be free. */
static bool add_tid(struct tr_chrome_writer *w, const struct event *e, unsigned type, struct tr_buf *out)
{
    const struct tr_track *t = e->track;
    struct tr_buf tid = { 0 }, text = { 0 };
    char digits[TR_TRACK_DIGITS];
    if (!e->lane)
        return add_number(w, t->tid_type, t->tid, type, out);
    tr_track_digits(t->tid_type, t->tid, digits);
    bool ok = (tr_track_tid_is_text(t) ? tr_buf_add_text(&text, tr_dict_text(w->dict, (uint32_t)t->tid))
                                       : tr_buf_add_str(&text, digits)) &&
              tr_buf_add_str(&text, " (") && tr_json_add_u64(&text, e->lane + (uint64_t)1) &&
              tr_buf_add(&text, ")", 1) && tr_escape_json(&tid, (const char *)text.data, text.len) &&
              note_lane(w, e, &tid) && tr_buf_add(out, tid.data, tid.len);
    tr_buf_free(&tid);
    tr_buf_free(&text);
    return ok;
}

static bool add_async(const struct event *e, struct tr_buf *out)
{
    return tr_buf_add_str(out, "\"overlap-") && tr_json_add_u64(out, e->async) && tr_buf_add(out, "\"", 1);
}

/* The value of a column as JSON text in the scratch buffer. */
static bool to_scratch(struct tr_chrome_writer *w, uint32_t column)
{
    w->scratch.len = 0;
    return column == UINT32_MAX || tr_members_json(&w->members, column, &w->scratch);
}

/*
 * The fixed column cannot give back every time: a time may have digits below a nanosecond, or be in quotes.  Such a
 * text is kept in a column.  It is valid while it agrees with the fixed column, because a program that moves an event
 * changes only the fixed column.
 */
static bool add_exact(struct tr_chrome_writer *w, uint32_t column, int64_t ns, struct tr_buf *out)
{
    int64_t found;
    bool exact;
    if (!to_scratch(w, column))
        return false;
    const char *text = (const char *)w->scratch.data;
    size_t len = w->scratch.len, quote = len >= 2 && text[0] == '"';
    if (ns == TR_TIME_NONE ||
        (tr_json_us_to_ns(text + quote, len - 2 * quote, &found, &exact) && found == ns))
        return tr_buf_add(out, text, len);
    return add_time(ns, quote, out);
}

static bool add_id(struct tr_chrome_writer *w, uint32_t source, uint32_t column, struct tr_buf *out)
{
    uint64_t id;
    return to_scratch(w, column) &&
           tr_viewer_id(w->viewer, source, (const char *)w->scratch.data, w->scratch.len, &id) &&
           tr_json_add_u64(out, id);
}

static bool add_scope(struct tr_chrome_writer *w, uint32_t source, uint32_t column,
                      struct tr_buf *out)
{
    struct tr_buf name = { 0 };
    bool ok = to_scratch(w, column) && tr_json_add_u64(&name, source) &&
              tr_buf_add(&name, ":", 1) && tr_buf_add(&name, w->scratch.data, w->scratch.len) &&
              tr_escape_json(out, (const char *)name.data, name.len);
    tr_buf_free(&name);
    return ok;
}

/* A category whose first * stands for the number in the column. */
static bool add_numbered(struct tr_chrome_writer *w, uint32_t column, uint32_t cat, struct tr_buf *out)
{
    int64_t number;
    const size_t from = out->len;
    if (!tr_members_str(&w->members, cat, out))
        return false;
    size_t len = out->len - from;
    const unsigned char *star = memchr(out->data + from, '*', len);
    if (!tr_members_take(&w->members, column, &number) || !star)
        return true;
    const size_t at = (size_t)(star - out->data);
    w->scratch.len = 0;
    if (!tr_json_add_i64(&w->scratch, number) || !tr_buf_reserve(out, w->scratch.len))
        return false;
    const size_t n = w->scratch.len;
    memmove(out->data + at + n, out->data + at + 1, out->len - at - 1);
    memcpy(out->data + at, w->scratch.data, n);
    out->len += n - 1;
    return true;
}

static bool add_step(struct tr_chrome_writer *w, const struct tr_chrome_step *s, struct event *e,
                     struct tr_buf *out)
{
    const struct tr_batch *b = e->b;
    int64_t unused;
    switch (s->what) {
    case TR_CHROME_VALUE:
        return tr_members_json(&w->members, s->column, out);
    case TR_CHROME_SKIP:
        tr_members_take(&w->members, s->column, &unused);
        return true;
    case TR_CHROME_NAME:
    case TR_CHROME_CAT:
        return tr_members_value(&w->members, s->type == TR_T_STRING ? TR_T_STRING : TR_T_JSON,
                                s->what == TR_CHROME_NAME ? b->name[e->i] : b->cat[e->i], out);
    case TR_CHROME_IN_CAT:
        return add_numbered(w, s->column, b->cat[e->i], out);
    case TR_CHROME_TS:
        return add_time(e->ts, s->type == TR_T_STRING, out);
    case TR_CHROME_DUR:
        return add_time(e->dur, s->type == TR_T_STRING, out);
    case TR_CHROME_PID:
        return add_pid(w, e, s->type, out);
    case TR_CHROME_TID:
        return add_tid(w, e, s->type, out);
    case TR_CHROME_EXACT_TS:
        return add_exact(w, s->column, e->ts, out);
    case TR_CHROME_EXACT_DUR:
        return add_exact(w, s->column, e->dur, out);
    case TR_CHROME_ID:
        return add_id(w, e->track->source, s->column, out);
    case TR_CHROME_SCOPE:
        return add_scope(w, e->track->source, s->column, out);
    case TR_CHROME_END:
        e->ts = e->end;
        return true;
    case TR_CHROME_ASYNC:
        return add_async(e, out);
    default:
        return true;
    }
}

static bool add_event(struct tr_chrome_writer *w, struct event *e, struct tr_buf *out)
{
    const struct tr_chrome_plans *plans = e->async ? &w->async : &w->plans;
    const struct tr_chrome_plan *plan = &plans->plans[e->b->shape[e->i]];
    const struct tr_chrome_step *s = plan->n ? plans->steps + plan->first : NULL;
    const unsigned char *text = plans->text.data;
    for (size_t k = 0; k < plan->n; k++)
        if (!tr_buf_add(out, text + s[k].text_at, s[k].text_len) || !add_step(w, &s[k], e, out))
            return false;
    return tr_buf_add(out, text + plan->tail_at, plan->tail_len);
}

static bool separate(struct tr_chrome_writer *w, struct tr_buf *out)
{
    bool ok = tr_buf_add(out, ",\n", w->any ? 2 : 0) && tr_buf_add(out, "\n", w->any ? 0 : 1);
    w->any = true;
    return ok;
}

/* a + b, false if it does not fit. */
static bool add_checked(int64_t a, int64_t b, int64_t *sum)
{
    if (b >= 0 ? a > INT64_MAX - b : a < INT64_MIN + 1 - b)
        return false;
    *sum = a + b;
    return true;
}

/* The time of an event in the written file.  False: it does not fit. */
static bool file_time(const struct tr_chrome_writer *w, const struct tr_source *s, int64_t ts,
                      int64_t *out)
{
    int64_t shift = 0;
    *out = ts;
    if (ts == TR_TIME_NONE || !s->has_base)
        return true;
    int64_t base = w->viewer ? w->common_base : s->file_base_ns;
    if (base == INT64_MIN || !add_checked(s->base_ns, -base, &shift))
        return false;
    return add_checked(ts, shift, out);
}

static bool viewer_gets_anew(const struct tr_chrome_writer *w, const struct tr_batch *b, size_t i)
{
    return w->viewer && b->phase[i] == TR_META &&
           (b->name[i] == w->name_process || b->name[i] == w->name_sort);
}

static enum tr_status one_event(struct tr_chrome_writer *w, const struct tr_batch *b, size_t i,
                                struct tr_buf *out, struct tr_error *err)
{
    const struct tr_track *t = &w->dict->tracks[b->track[i]];
    struct event e = { .b = b, .i = i, .dur = b->dur[i], .track = t };
    uint64_t pid;
    if (t->source && !w->viewer && !tr_dict_one_file(w->dict))
        return tr_fail(err, TR_DAMAGED, "a second source appears where one was announced");
    if (viewer_gets_anew(w, b, i)) {
        tr_members_advance(&w->members, i);
        return tr_viewer_pid(w->viewer, b->track[i], &pid) ? TR_OK : tr_fail_memory(err);
    }
    if (!file_time(w, &w->dict->sources[t->source], b->ts[i], &e.ts))
        return tr_fail(err, TR_DAMAGED, "record %llu: time out of range",
                       (unsigned long long)b->record[i]);
    e.end = e.ts;
    if (w->lanes && w->lanes[i] != TR_LANE_NONE) {
        e.lane = w->lanes[i];
        e.async = b->phase[i] == TR_ASYNC_BEGIN ? ++w->n_async : 0;
    }
    if ((e.async || (b->flags[i] & TR_FROM_BE)) && e.ts != TR_TIME_NONE && e.dur != TR_TIME_NONE &&
        !add_checked(e.ts, e.dur, &e.end))
        return tr_fail(err, TR_DAMAGED, "record %llu: end out of range",
                       (unsigned long long)b->record[i]);
    return separate(w, out) && add_event(w, &e, out) ? TR_OK : tr_fail_memory(err);
}

static bool start_batch(struct tr_chrome_writer *w, const struct tr_batch *b)
{
    w->name_process = tr_strtab_find(w->dict->strings, "process_name", 12);
    w->name_sort = tr_strtab_find(w->dict->strings, "process_sort_index", 18);
    return tr_members_start(&w->members, b) &&
           tr__chrome_plan(&w->plans, w->dict, w->viewer != NULL) &&
           (!w->lanes || tr__chrome_plan(&w->async, w->dict, w->viewer != NULL));
}

enum tr_status tr_chrome_batch(struct tr_chrome_writer *w, const struct tr_batch *b, size_t *at,
                               size_t end, struct tr_buf *out, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (!w->started && !start(w, out))
        return tr_fail_memory(err);
    if (*at == 0 && !start_batch(w, b))
        return tr_fail_memory(err);
    while (st == TR_OK && *at < end && out->len < TR_TEXT_CHUNK)
        st = one_event(w, b, (*at)++, out, err);
    return st;
}
