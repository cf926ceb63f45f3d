/* Events as packets of Perfetto: slices, instants, counters, flows. */
#include "formats/perfetto/tr_perfetto_write.h"

#include "base/tr_hash.h"
#include "formats/tr_members.h"
#include "formats/perfetto/tr_perfetto_int.h"
#include "vendor/tr_vocab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Fields of InternedData, of what stands there, and of DebugAnnotation. */
enum { INTERNED_CATEGORY = 1, INTERNED_NAME = 2, INTERNED_KEY = 3 };
enum { ENTRY_ID = 1, ENTRY_TEXT = 2 };
enum { NOTE_KEY = 1, NOTE_BOOL = 2, NOTE_UINT = 3, NOTE_INT = 4, NOTE_DOUBLE = 5, NOTE_STRING = 6, NOTE_JSON = 9 };
enum { FLAG_CLEARED = 1, FLAG_NEEDED = 2 }; /* of a sequence: interned data begin here; are used */

/* A flow event that waits for a slice to belong to. */
struct flow {
    uint64_t id;
    uint32_t track;
    bool last;
};

struct tr_perfetto_writer {
    struct tr_members members;
    struct tr__perfetto_tracks tracks;
    const struct tr_dict *dict;
    int64_t shift;     /* added to times of the file so that none is below 0 */
    bool begun;
    uint8_t *interned; /* by string: bit 1 << INTERNED_* where it has been written */
    size_t n_interned, cap_interned;
    struct tr_buf event, note, entry, json, interning, packet, id;
    struct flow *flows; /* of one moment */
    size_t n_flows, cap_flows;
    int64_t flow_ts;
};

/* The earliest time of a source as the file has it; TR_TIME_NONE: it has none, or none that fits. */
static int64_t first_time(const struct tr_summary *s, const struct tr_dict *d, size_t i)
{
    int64_t ts = s->sources[i].first_ts;
    int64_t base = i < d->n_sources && d->sources[i].has_base ? d->sources[i].base_ns : 0;
    if (ts == TR_TIME_NONE || (base >= 0 ? ts > INT64_MAX - base : ts < INT64_MIN + 1 - base))
        return TR_TIME_NONE;
    return ts + base;
}

struct tr_perfetto_writer *tr_perfetto_writer_new(const struct tr_dict *dict, const struct tr_summary *summary)
{
    struct tr_perfetto_writer *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    size_t n = summary ? summary->n : 0;
    w->dict = w->members.dict = dict;
    for (size_t i = 0; i < n; i++) {
        int64_t ts = first_time(summary, dict, i);
        if (ts != TR_TIME_NONE && ts < -w->shift)
            w->shift = -ts;
    }
    if (tr__perfetto_tracks_init(&w->tracks, dict, (n > dict->n_sources ? n : dict->n_sources) > 1))
        return w;
    tr_perfetto_writer_free(w);
    return NULL;
}

void tr_perfetto_writer_free(struct tr_perfetto_writer *w)
{
    if (!w)
        return;
    tr_members_free(&w->members);
    tr__perfetto_tracks_free(&w->tracks);
    tr_buf_free(&w->event);
    tr_buf_free(&w->note);
    tr_buf_free(&w->entry);
    tr_buf_free(&w->json);
    tr_buf_free(&w->interning);
    tr_buf_free(&w->packet);
    tr_buf_free(&w->id);
    free(w->interned);
    free(w->flows);
    free(w);
}

/* ---- packets ---- */

/* The number of a string in one of the tables of interned data; its text goes out before it is used. */
static bool intern(struct tr_perfetto_writer *w, unsigned table, uint32_t string, uint64_t *id)
{
    size_t n = tr_strtab_count(w->dict->strings);
    *id = (uint64_t)string + 1;
    if (n > w->n_interned) {
        if (!tr_grow(&w->interned, &w->cap_interned, n, 1))
            return false;
        memset(w->interned + w->n_interned, 0, w->cap_interned - w->n_interned);
        w->n_interned = w->cap_interned;
    }
    if (w->interned[string] >> table & 1)
        return true;
    w->interned[string] |= (uint8_t)(1u << table);
    w->entry.len = 0;
    return tr__proto_u64(&w->entry, ENTRY_ID, *id) &&
           tr__perfetto_text(&w->tracks, &w->entry, ENTRY_TEXT, string) &&
           tr__proto_message(&w->interning, table, &w->entry);
}

static bool add_interned(struct tr_perfetto_writer *w, unsigned field, unsigned table, uint32_t string)
{
    uint64_t id;
    return string == TR_NO_STR || (intern(w, table, string, &id) && tr__proto_u64(&w->event, field, id));
}

/* Write w->event, with the interned data that it is the first to use. */
static bool put_event(struct tr_perfetto_writer *w, int64_t ts, struct tr_buf *out)
{
    struct tr_buf *p = &w->packet;
    p->len = 0;
    bool ok = tr__proto_u64(p, TR__PACKET_TIMESTAMP, (uint64_t)ts) && tr__proto_u64(p, TR__PACKET_SEQUENCE, 1) &&
              tr__proto_u64(p, TR__PACKET_FLAGS, w->begun ? FLAG_NEEDED : FLAG_CLEARED | FLAG_NEEDED) &&
              (!w->interning.len || tr__proto_message(p, TR__PACKET_INTERNED, &w->interning)) &&
              tr__proto_message(p, TR__PACKET_EVENT, &w->event) && tr__proto_message(out, TR__TRACE_PACKET, p);
    w->begun = true;
    w->interning.len = 0;
    return ok;
}

static bool begin_event(struct tr_perfetto_writer *w, unsigned type, uint64_t track)
{
    w->event.len = 0;
    return track && tr__proto_u64(&w->event, TR__EVENT_TYPE, type) &&
           tr__proto_u64(&w->event, TR__EVENT_TRACK, track);
}

/* ---- args ---- */

/* JSON without null, at which importers stop: outside of strings it becomes the text "null". */
static bool add_json(struct tr_perfetto_writer *w, const struct tr_buf *json)
{
    const char *p = (const char *)json->data, *end = p + json->len;
    bool inside = false, ok = true;
    w->json.len = 0;
    for (; ok && p < end; p++) {
        if (!inside && *p == 'n' && end - p >= 4) {
            ok = tr_buf_add(&w->json, "\"null\"", 6);
            p += 3;
            continue;
        }
        if (*p == '"')
            inside = !inside;
        size_t n = inside && *p == '\\' && p + 1 < end ? 2 : 1;
        ok = tr_buf_add(&w->json, p, n);
        p += n - 1;
    }
    return ok && tr__proto_message(&w->note, NOTE_JSON, &w->json);
}

static bool add_value(struct tr_perfetto_writer *w, unsigned type, int64_t v)
{
    struct tr_buf *n = &w->note;
    switch (type) {
    case TR_T_FALSE:
    case TR_T_TRUE:
        return tr__proto_u64(n, NOTE_BOOL, type == TR_T_TRUE);
    case TR_T_INT:
        return tr__proto_u64(n, NOTE_INT, (uint64_t)v);
    case TR_T_UINT:
        return tr__proto_u64(n, NOTE_UINT, (uint64_t)v);
    case TR_T_DECIMAL:
        return tr__proto_double(n, NOTE_DOUBLE, tr_decimal_double(v));
    case TR_T_DOUBLE:
        return tr__proto_double(n, NOTE_DOUBLE, tr_members_double(v));
    case TR_T_STRING:
        return tr__perfetto_text(&w->tracks, n, NOTE_STRING, (uint32_t)v);
    case TR_T_QUOTED: {
        char text[24];
        int len = snprintf(text, sizeof text, "%" PRId64, v);
        return tr__proto_bytes(n, NOTE_STRING, text, (size_t)len);
    }
    case TR_T_JSON:
    case TR_T_NUMBER:
        w->entry.len = 0;
        return tr_members_value(&w->members, type, v, &w->entry) && add_json(w, &w->entry);
    default:
        return tr__proto_bytes(n, NOTE_STRING, "null", 4);
    }
}

static bool add_note(struct tr_perfetto_writer *w, uint32_t key, unsigned type, int64_t v)
{
    uint64_t id;
    w->note.len = 0;
    return intern(w, INTERNED_KEY, key, &id) && tr__proto_u64(&w->note, NOTE_KEY, id) && add_value(w, type, v) &&
           tr__proto_message(&w->event, TR__EVENT_ANNOTATION, &w->note);
}

/* ---- one event ---- */

/* An event on its way out, and what was found among its members. */
struct event {
    const struct tr_batch *b;
    size_t i;
    int64_t ts; /* of the file */
    uint32_t track, name, cat;
    bool has_args; /* args are written as they come */
    bool ok;       /* memory sufficed */
};

static bool is_arg(const struct tr_slot *s)
{
    return s->role == TR_ROLE_COLUMN && (s->place == TR_PLACE_ARGS || s->place == TR_PLACE_END_ARGS);
}

/* One sample of a counter. */
static bool put_count(struct tr_perfetto_writer *w, const struct event *e, const struct tr_slot *s, int64_t v,
                      struct tr_buf *out)
{
    if (s->type != TR_T_INT && s->type != TR_T_UINT && s->type != TR_T_DECIMAL && s->type != TR_T_DOUBLE)
        return true;
    uint64_t track = tr__perfetto_counter(&w->tracks, e->track, e->name, s->key, out);
    double real = s->type == TR_T_DECIMAL  ? tr_decimal_double(v)
                  : s->type == TR_T_DOUBLE ? tr_members_double(v)
                                           : (double)(uint64_t)v;
    return begin_event(w, TR__COUNTER_EVENT, track) &&
           (s->type == TR_T_INT ? tr__proto_u64(&w->event, TR__EVENT_COUNT, (uint64_t)v)
                                : tr__proto_double(&w->event, TR__EVENT_DOUBLE_COUNT, real)) &&
           put_event(w, e->ts, out);
}

/* The id of a flow or an async event, as JSON, to w->id; nothing is taken. */
static bool find_id(struct tr_perfetto_writer *w, const struct event *e)
{
    const struct tr_shape *s = &w->dict->shapes[e->b->shape[e->i]];
    uint32_t key = tr_strtab_find(w->dict->strings, "id", 2);
    w->id.len = 0;
    for (uint32_t k = 0; k < s->n_slots; k++) {
        const struct tr_slot *slot = &s->slots[k];
        int64_t v;
        if (slot->role == TR_ROLE_COLUMN && slot->place == TR_PLACE_TOP && slot->key == key &&
            tr_type_has_entry(slot->type) && tr_members_peek(&w->members, slot->column, &v))
            return tr_members_value(&w->members, slot->type, v, &w->id);
    }
    return tr_buf_add(&w->id, "", 1); /* none: an id like no other */
}

/* Take all members of the event: args go to w->event, samples of counters out. */
static bool take_members(struct tr_perfetto_writer *w, const struct event *e, unsigned phase, struct tr_buf *out)
{
    const struct tr_shape *s = &w->dict->shapes[e->b->shape[e->i]];
    bool ok = true;
    for (uint32_t k = 0; k < s->n_slots && ok; k++) {
        const struct tr_slot *slot = &s->slots[k];
        int64_t v = 0;
        if (slot->role == TR_ROLE_COLUMN && tr_type_has_entry(slot->type) &&
            !tr_members_take(&w->members, slot->column, &v))
            continue;
        if (is_arg(slot) && phase == TR_COUNTER)
            ok = put_count(w, e, slot, v, out);
        else if (is_arg(slot) && e->has_args)
            ok = add_note(w, slot->key, slot->type, v);
    }
    return ok;
}

/* What the stream knows beyond the input. */
static bool take_derived(struct tr_perfetto_writer *w, const struct event *e, int64_t *derived)
{
    for (unsigned c = 0; c < TR_N_DERIVED; c++) {
        derived[c] = TR_I64_NONE;
        if (tr_members_derived(&w->members, e->i, c))
            tr_members_take(&w->members, c, &derived[c]);
    }
    uint32_t key = tr_strtab_find(w->dict->strings, "class", 5);
    return !e->has_args || derived[TR_COL_CLASS] == TR_I64_NONE || key == TR_NO_STR ||
           add_note(w, key, TR_T_STRING, derived[TR_COL_CLASS]);
}

/* The flow from a launch to its work: an id of the launch. */
static uint64_t launch_flow(uint32_t source, uint64_t record)
{
    const uint64_t of[] = { source, record };
    return tr_hash(of, sizeof of) | 1;
}

static bool add_flows(struct tr_perfetto_writer *w, const struct event *e, const int64_t *derived)
{
    uint32_t source = w->dict->tracks[e->track].source;
    bool ok = true;
    if (derived[TR_COL_N_DEVICE] > 0)
        ok = tr__proto_fixed64(&w->event, TR__EVENT_FLOW, launch_flow(source, e->b->record[e->i]));
    if (derived[TR_COL_LAUNCH_RECORD] != TR_I64_NONE && tr_is_device_work(e->b->activity[e->i]))
        ok = ok && tr__proto_fixed64(&w->event, TR__EVENT_FLOW,
                                     launch_flow(source, (uint64_t)derived[TR_COL_LAUNCH_RECORD]));
    size_t kept = 0;
    for (size_t k = 0; k < w->n_flows && ok; k++) {
        if (w->flows[k].track != e->track)
            w->flows[kept++] = w->flows[k];
        else
            ok = tr__proto_fixed64(&w->event, w->flows[k].last ? TR__EVENT_LAST_FLOW : TR__EVENT_FLOW,
                                   w->flows[k].id);
    }
    w->n_flows = kept;
    return ok;
}

/* A slice, an instant, or the begin of an async slice, with all that it has. */
static bool put_whole(struct tr_perfetto_writer *w, struct event *e, unsigned type, uint64_t track,
                      struct tr_buf *out)
{
    int64_t derived[TR_N_DERIVED];
    e->has_args = true;
    return begin_event(w, type, track) && add_interned(w, TR__EVENT_CATEGORY, INTERNED_CATEGORY, e->cat) &&
           add_interned(w, TR__EVENT_NAME, INTERNED_NAME, e->name) &&
           take_members(w, e, TR_SPAN, out) && take_derived(w, e, derived) &&
           (type != TR__SLICE_BEGIN || add_flows(w, e, derived)) && put_event(w, e->ts, out);
}

static bool put_span(struct tr_perfetto_writer *w, struct event *e, struct tr_buf *out)
{
    int64_t dur = e->b->dur[e->i];
    bool open = e->b->phase[e->i] == TR_BEGIN;
    if (!open && (dur == TR_TIME_NONE || e->b->suspect[e->i] != TR_SUSPECT_NO || e->ts > INT64_MAX - 1 - dur))
        return put_whole(w, e, TR__INSTANT_EVENT, tr__perfetto_instant(&w->tracks, e->track, e->ts, out), out);
    uint64_t track = tr__perfetto_slice(&w->tracks, e->track, e->ts, open ? INT64_MAX : e->ts + dur, out);
    return put_whole(w, e, TR__SLICE_BEGIN, track, out);
}

/* Flows that no slice took. */
static bool put_lone_flows(struct tr_perfetto_writer *w, struct tr_buf *out)
{
    bool ok = true;
    for (size_t k = 0; k < w->n_flows && ok; k++) {
        const struct flow *f = &w->flows[k];
        uint64_t track = tr__perfetto_instant(&w->tracks, f->track, w->flow_ts, out);
        ok = begin_event(w, TR__INSTANT_EVENT, track) &&
             tr__proto_fixed64(&w->event, f->last ? TR__EVENT_LAST_FLOW : TR__EVENT_FLOW, f->id) &&
             put_event(w, w->flow_ts, out);
    }
    w->n_flows = 0;
    return ok;
}

/* Flows of one category, name and id belong together; like pids, ids mean something inside one source only. */
static bool keep_flow(struct tr_perfetto_writer *w, const struct event *e, unsigned phase, struct tr_buf *out)
{
    const struct tr_strtab *s = w->dict->strings;
    if (e->cat != TR_NO_STR && tr_vocab_launch_flow(tr_strtab_get(s, e->cat), tr_strtab_len(s, e->cat)))
        return take_members(w, e, phase, out);
    if (!find_id(w, e) || !take_members(w, e, phase, out) ||
        !tr_grow(&w->flows, &w->cap_flows, w->n_flows + 1, sizeof *w->flows))
        return false;
    struct tr_str cat = tr_dict_text(w->dict, e->cat), name = tr_dict_text(w->dict, e->name);
    const uint64_t of[] = { w->dict->tracks[e->track].source, tr_hash(cat.s, cat.len), tr_hash(name.s, name.len),
                            tr_hash(w->id.data, w->id.len) };
    w->flows[w->n_flows++] = (struct flow){ tr_hash(of, sizeof of) | 1, e->track, phase == TR_FLOW_END };
    w->flow_ts = e->ts;
    return true;
}

static bool put_async(struct tr_perfetto_writer *w, struct event *e, unsigned phase, struct tr_buf *out)
{
    uint64_t track = find_id(w, e) ? tr__perfetto_async(&w->tracks, e->track, e->cat, e->name, w->id.data,
                                                        w->id.len, out)
                                   : 0;
    if (phase != TR_ASYNC_END)
        return put_whole(w, e, phase == TR_ASYNC_BEGIN ? TR__SLICE_BEGIN : TR__INSTANT_EVENT, track, out);
    return track && tr__perfetto_end_slice(&w->tracks, track, e->ts, out) && take_members(w, e, phase, out);
}

/* The time of an event in the file.  False: it does not fit. */
static bool file_time(const struct tr_perfetto_writer *w, const struct tr_source *s, int64_t *ts)
{
    const int64_t add[] = { s->has_base ? s->base_ns : 0, w->shift };
    for (unsigned k = 0; k < 2; k++) {
        if (add[k] >= 0 ? *ts > INT64_MAX - add[k] : *ts < INT64_MIN + 1 - add[k])
            return false;
        *ts += add[k];
    }
    if (*ts < 0)
        *ts = 0; /* an input without a summary */
    return true;
}

static bool put_one(struct tr_perfetto_writer *w, struct event *e, struct tr_buf *out)
{
    unsigned phase = e->b->phase[e->i];
    int64_t derived[TR_N_DERIVED];
    bool ok = w->n_flows == 0 || e->ts == w->flow_ts || put_lone_flows(w, out);
    if (!ok)
        return false;
    switch (phase) {
    case TR_SPAN:
    case TR_BEGIN:
        return put_span(w, e, out);
    case TR_INSTANT:
        return put_whole(w, e, TR__INSTANT_EVENT, tr__perfetto_instant(&w->tracks, e->track, e->ts, out), out);
    case TR_ASYNC_BEGIN:
    case TR_ASYNC_INSTANT:
    case TR_ASYNC_END:
        ok = put_async(w, e, phase, out);
        return ok && (phase != TR_ASYNC_END || take_derived(w, e, derived));
    case TR_FLOW_START:
    case TR_FLOW_STEP:
    case TR_FLOW_END:
        return keep_flow(w, e, phase, out) && take_derived(w, e, derived);
    default: /* samples of counters; of the others nothing */
        return take_members(w, e, phase, out) && take_derived(w, e, derived);
    }
}

static enum tr_status one_event(struct tr_perfetto_writer *w, const struct tr_batch *b, size_t i, struct tr_buf *out,
                                struct tr_error *err)
{
    struct event e = { .b = b, .i = i, .ts = b->ts[i], .track = b->track[i], .name = b->name[i], .cat = b->cat[i] };
    if (e.ts == TR_TIME_NONE || b->phase[i] == TR_META || b->phase[i] == TR_SPAN_END ||
        b->phase[i] == TR_PHASE_UNKNOWN) {
        tr_members_advance(&w->members, i);
        return TR_OK;
    }
    if (!file_time(w, &w->dict->sources[w->dict->tracks[e.track].source], &e.ts))
        return tr_fail(err, TR_DAMAGED, "record %llu: time out of range", (unsigned long long)b->record[i]);
    return put_one(w, &e, out) ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_perfetto_batch(struct tr_perfetto_writer *w, const struct tr_batch *b, size_t *at, size_t end,
                                 struct tr_buf *out, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    if (*at == 0 && !tr_members_begin(&w->members, b))
        return tr_fail_memory(err);
    while (st == TR_OK && *at < end && out->len < TR_TEXT_CHUNK)
        st = one_event(w, b, (*at)++, out, err);
    return st;
}

enum tr_status tr_perfetto_end(struct tr_perfetto_writer *w, struct tr_buf *out, struct tr_error *err)
{
    return put_lone_flows(w, out) && tr__perfetto_tracks_end(&w->tracks, out) ? TR_OK : tr_fail_memory(err);
}
