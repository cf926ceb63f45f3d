/* SPDX-License-Identifier: MIT */
/* Events as packets of Perfetto: slices, instants, counters. */
#include "formats/perfetto/tr_perfetto_write.h"

#include "formats/perfetto/tr_perfetto_int.h"

#include <stdlib.h>

/* The earliest time of a source in the file; TR_TIME_NONE: it has none, or it does not fit. */
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
    if (tr__perfetto_tracks_init(&w->tracks, dict, (n > dict->n_sources ? n : dict->n_sources) > 1) &&
        tr__perfetto_flows_init(&w->flows))
        return w;
    tr_perfetto_writer_free(w);
    return NULL;
}

void tr_perfetto_writer_stages(struct tr_perfetto_writer *w)
{
    w->stages = true;
}

void tr_perfetto_writer_budget(struct tr_perfetto_writer *w, struct tr_perfetto_budget *budget)
{
    w->budget = budget;
}

int64_t tr_perfetto_writer_shift(const struct tr_perfetto_writer *w)
{
    return w->shift;
}

void tr_perfetto_writer_free(struct tr_perfetto_writer *w)
{
    if (!w)
        return;
    tr_members_free(&w->members);
    tr__perfetto_tracks_free(&w->tracks);
    tr__perfetto_flows_free(&w->flows);
    tr_buf_free(&w->event);
    tr_buf_free(&w->annotation);
    tr_buf_free(&w->entry);
    tr_buf_free(&w->json);
    tr_buf_free(&w->interning);
    tr_buf_free(&w->packet);
    tr_buf_free(&w->id);
    tr_buf_free(&w->legacy);
    free(w->interned);
    free(w->shapes);
    free(w);
}

/* ---- members ---- */

static enum tr__perfetto_member member_of(const struct tr_perfetto_writer *w, const struct tr_slot *s)
{
    static const char *const names[TR__N_MEMBERS] = {
        [TR__MEMBER_ID] = "id",             [TR__MEMBER_BIND_ID] = "bind_id", [TR__MEMBER_FLOW_IN] = "flow_in",
        [TR__MEMBER_FLOW_OUT] = "flow_out", [TR__MEMBER_SCOPE] = "s",         [TR__MEMBER_BIND_POINT] = "bp",
        [TR__MEMBER_TTS] = "tts",           [TR__MEMBER_TDUR] = "tdur",       [TR__MEMBER_ID2] = "id2",
        [TR__MEMBER_ID_SCOPE] = "scope",    [TR__MEMBER_OF] = "of",
    };
    if (s->place != TR_PLACE_TOP || s->role != TR_ROLE_COLUMN)
        return TR__MEMBER_OTHER;
    struct tr_str key = tr_dict_text(w->dict, s->key);
    for (unsigned m = 1; m < TR__N_MEMBERS; m++)
        if (strlen(names[m]) == key.len && memcmp(names[m], key.s, key.len) == 0)
            return (enum tr__perfetto_member)m;
    return TR__MEMBER_OTHER;
}

/* The members of a shape, found once; bit 0 is set.  0: out of memory. */
static unsigned members_of(struct tr_perfetto_writer *w, uint32_t shape)
{
    if (shape >= w->n_shapes) {
        if (!tr_grow(&w->shapes, &w->cap_shapes, w->dict->n_shapes, sizeof *w->shapes))
            return 0;
        memset(w->shapes + w->n_shapes, 0, (w->cap_shapes - w->n_shapes) * sizeof *w->shapes);
        w->n_shapes = w->cap_shapes;
    }
    if (!w->shapes[shape]) {
        const struct tr_shape *s = &w->dict->shapes[shape];
        unsigned found = 1;
        for (uint32_t k = 0; k < s->n_slots; k++)
            found |= 1u << member_of(w, &s->slots[k]);
        w->shapes[shape] = (uint16_t)found;
    }
    return w->shapes[shape];
}

/* The slot of a member in the shape of the event, and its value, which is not taken. */
static const struct tr_slot *peek(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e,
                                  enum tr__perfetto_member member, int64_t *v)
{
    uint32_t shape = e->b->shape[e->i];
    const struct tr_shape *s = &w->dict->shapes[shape];
    if (!(members_of(w, shape) >> member & 1))
        return NULL;
    *v = 0;
    for (uint32_t k = 0; k < s->n_slots; k++)
        if (member_of(w, &s->slots[k]) == member &&
            (!tr_type_has_entry(s->slots[k].type) || tr_members_peek(&w->members, s->slots[k].column, v)))
            return &s->slots[k];
    return NULL;
}

/* Is the member this text? */
static bool says(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, enum tr__perfetto_member member,
                 const char *what)
{
    int64_t v;
    const struct tr_slot *s = peek(w, e, member, &v);
    if (!s || s->type != TR_T_STRING)
        return false;
    struct tr_str text = tr_dict_text(w->dict, (uint32_t)v);
    return text.len == strlen(what) && memcmp(text.s, what, text.len) == 0;
}

/* Append a member as JSON to w->id, if the event has it. */
static bool add_id(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, enum tr__perfetto_member member)
{
    int64_t v;
    const struct tr_slot *s = peek(w, e, member, &v);
    return !s || !tr_type_has_entry(s->type) || tr_members_value(&w->members, s->type, v, &w->id);
}

/* An id as JSON to w->id; empty: there is none. */
static bool find_id(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, enum tr__perfetto_member member)
{
    w->id.len = 0;
    return add_id(w, e, member);
}

static bool is_arg(const struct tr_slot *s)
{
    return s->role == TR_ROLE_COLUMN && (s->place == TR_PLACE_ARGS || s->place == TR_PLACE_END_ARGS);
}

/* Write one sample of a counter; members that are not numbers are ignored.  Its id is in w->id. */
static bool put_count(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, const struct tr_slot *s,
                      int64_t v, struct tr_buf *out)
{
    bool ok = true;
    w->event.len = 0;
    if (!tr__perfetto_count(w, s->type, v, &ok))
        return ok;
    uint64_t track = tr__perfetto_counter(&w->tracks, e->track, e->name, &w->id, s->key, out);
    return ok && tr__perfetto_start(w, TR__COUNTER_EVENT, track) && tr__perfetto_count(w, s->type, v, &ok) && ok &&
           tr__perfetto_put(w, e->ts, out);
}

/* Write the members of an event. */
enum use { SKIPPED, AS_ARGS, AS_SAMPLES };

/* Take all members of the event: args go to w->event, samples of counters out. */
static bool take_members(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, enum use use,
                         struct tr_buf *out)
{
    uint32_t shape = e->b->shape[e->i];
    const struct tr_shape *s = &w->dict->shapes[shape];
    bool timed = use == AS_ARGS && members_of(w, shape) & (1u << TR__MEMBER_TTS | 1u << TR__MEMBER_TDUR);
    bool ok = true;
    for (uint32_t k = 0; k < s->n_slots && ok; k++) {
        const struct tr_slot *slot = &s->slots[k];
        enum tr__perfetto_member member;
        int64_t v = 0;
        if (slot->role == TR_ROLE_COLUMN && tr_type_has_entry(slot->type) &&
            !tr_members_take(&w->members, slot->column, &v))
            continue;
        if (is_arg(slot))
            ok = use == AS_SAMPLES ? put_count(w, e, slot, v, out)
                                   : use != AS_ARGS || tr__perfetto_annotation(w, slot->key, slot->type, v);
        else if (timed && ((member = member_of(w, slot)) == TR__MEMBER_TTS || member == TR__MEMBER_TDUR))
            ok = tr__perfetto_annotation(w, slot->key, slot->type, v);
    }
    return ok;
}

/* Take the derived columns of the stream; a class becomes an arg, too. */
static bool take_derived(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, enum use use)
{
    for (unsigned c = 0; c < TR_N_DERIVED; c++) {
        e->derived[c] = TR_I64_NONE;
        if (tr_members_derived(&w->members, e->i, c))
            tr_members_take(&w->members, c, &e->derived[c]);
    }
    if (use != AS_ARGS || e->derived[TR_COL_CLASS] == TR_I64_NONE)
        return true;
    uint32_t key = tr_strtab_find(w->dict->strings, "class", 5);
    return key == TR_NO_STR || tr__perfetto_annotation(w, key, TR_T_STRING, e->derived[TR_COL_CLASS]);
}

static bool take(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, enum use use, struct tr_buf *out)
{
    return take_members(w, e, use, out) && take_derived(w, e, use);
}

/* ---- one event ---- */

/* The arrow of an event with a bind_id. */
static bool add_bind(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e)
{
    int64_t v;
    const struct tr_slot *in = peek(w, e, TR__MEMBER_FLOW_IN, &v), *out = peek(w, e, TR__MEMBER_FLOW_OUT, &v);
    bool comes = in && in->type == TR_T_TRUE, goes = out && out->type == TR_T_TRUE;
    if ((!comes && !goes) || !(members_of(w, e->b->shape[e->i]) >> TR__MEMBER_BIND_ID & 1))
        return true;
    return find_id(w, e, TR__MEMBER_BIND_ID) && (!w->id.len || tr__perfetto_add_bind(w, e, comes, goes));
}

/* Write a slice or an instant with all its members. */
static bool put_whole(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, unsigned type, uint64_t track,
                      struct tr_buf *out)
{
    return tr__perfetto_start(w, type, track) &&
           tr__perfetto_interned(w, TR__EVENT_CATEGORY, TR__INTERNED_CATEGORY, e->cat) &&
           tr__perfetto_interned(w, TR__EVENT_NAME, TR__INTERNED_NAME, e->name) && add_bind(w, e) &&
           take(w, e, AS_ARGS, out) && (type != TR__SLICE_BEGIN || tr__perfetto_add_links(w, e)) &&
           tr__perfetto_put(w, e->ts, out);
}

/* An instant on the track of its thread, its process or its source.  One with flows is a slice that ends at once. */
static bool put_instant(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, struct tr_buf *out)
{
    uint64_t track = says(w, e, TR__MEMBER_SCOPE, "g")   ? tr__perfetto_whole(&w->tracks, e->track, out)
                     : says(w, e, TR__MEMBER_SCOPE, "p") ? tr__perfetto_process(&w->tracks, e->track, out)
                                                         : tr__perfetto_instant(&w->tracks, e->track, e->ts, out);
    if (!tr__perfetto_flows_wait(w, e->track, e->ts))
        return put_whole(w, e, TR__INSTANT_EVENT, track, out);
    return put_whole(w, e, TR__SLICE_BEGIN, track, out) &&
           tr__perfetto_instant_flows(w, e->track, track, e->ts, out) &&
           tr__perfetto_end_slice(&w->tracks, track, e->ts, out);
}

/* What the links of the stream say, before any member is taken. */
static unsigned peek_links(struct tr_perfetto_writer *w, struct tr__perfetto_event *e)
{
    static const unsigned columns[] = { TR_COL_N_DEVICE, TR_COL_LAUNCH_RECORD };
    for (unsigned k = 0; k < 2; k++) {
        e->derived[columns[k]] = TR_I64_NONE;
        if (tr_members_derived(&w->members, e->i, columns[k]))
            tr_members_peek(&w->members, columns[k], &e->derived[columns[k]]);
    }
    return tr__perfetto_links(e);
}

/* Write a slice that is open from now on, and count its bytes for the budget. */
static bool put_slice(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, uint64_t track, uint32_t thread,
                      const struct tr__perfetto_open *slice, struct tr_buf *out)
{
    size_t before = out->len, entries = w->entry_bytes;
    bool ends = slice->end != INT64_MAX, stage = w->stages && ends && tr_is_device_work(e->b->activity[e->i]);
    if (!put_whole(w, e, TR__SLICE_BEGIN, track, out) || (stage && !tr__perfetto_stage(w, e, out)))
        return false;
    return !ends || !tr__perfetto_budget_measures(w->budget) ||
           tr__perfetto_budget_span(w->budget, thread, slice->end - slice->start,
                                    out->len - before - (w->entry_bytes - entries));
}

/* Of a slice that is left out, only the arrows of its launch count: other work of it has the next numbers. */
static bool skip_slice(struct tr_perfetto_writer *w, struct tr__perfetto_event *e)
{
    w->event.len = 0;
    return take(w, e, SKIPPED, NULL) && tr__perfetto_add_links(w, e);
}

static bool put_span(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, struct tr_buf *out)
{
    int64_t dur = e->b->dur[e->i];
    bool open = e->b->phase[e->i] == TR_BEGIN ||
                (dur == TR_TIME_NONE && w->dict->shapes[e->b->shape[e->i]].ph == 'B'); /* its end never came */
    if (!open && (dur == TR_TIME_NONE || e->b->suspect[e->i] != TR_SUSPECT_NO || e->ts > INT64_MAX - 1 - dur))
        return put_whole(w, e, TR__INSTANT_EVENT, tr__perfetto_instant(&w->tracks, e->track, e->ts, out), out);
    uint32_t thread = tr__perfetto_thread(&w->tracks, e->track);
    bool kept = open || tr__perfetto_budget_keeps(w->budget, thread, dur);
    unsigned links = peek_links(w, e) | (e->b->phase[e->i] == TR_BEGIN ? TR__UNPAIRED : 0) | (kept ? 0 : TR__LEFT_OUT);
    const struct tr__perfetto_open slice = {
        .start = e->ts, .end = open ? INT64_MAX : e->ts + dur, .links = (uint8_t)links
    };
    uint64_t track = tr__perfetto_slice(&w->tracks, e->track, &slice, out);
    return track && (kept ? put_slice(w, e, track, thread, &slice, out) : skip_slice(w, e)) &&
           tr__perfetto_next_flows(w, e->track, track, e->ts, links, out);
}

/* The end of a slice, with its args. */
static bool put_end(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, uint64_t track, struct tr_buf *out)
{
    return tr__perfetto_start(w, TR__SLICE_END, track) && take(w, e, AS_ARGS, out) &&
           tr__perfetto_put(w, e->ts, out);
}

/* An end that is not joined with its start, in an unsorted stream. */
static bool put_span_end(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, struct tr_buf *out)
{
    bool ok;
    uint64_t track = tr__perfetto_close(&w->tracks, e->track, e->ts, out, &ok);
    return ok && (track ? put_end(w, e, track, out) : take(w, e, SKIPPED, out));
}

/* A start that was joined with its end is written with it; the args are those of both. */
static bool put_async(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, unsigned phase, struct tr_buf *out)
{
    int64_t dur = e->b->flags[e->i] & TR_FROM_BE && e->b->suspect[e->i] == TR_SUSPECT_NO ? e->b->dur[e->i]
                                                                                          : TR_TIME_NONE;
    uint64_t track = find_id(w, e, TR__MEMBER_ID) && add_id(w, e, TR__MEMBER_ID2) && add_id(w, e, TR__MEMBER_ID_SCOPE)
                         ? tr__perfetto_async(&w->tracks, e->track, e->cat, e->name, &w->id, out)
                         : 0;
    if (phase == TR_ASYNC_END)
        return put_end(w, e, track, out);
    return put_whole(w, e, phase == TR_ASYNC_BEGIN ? TR__SLICE_BEGIN : TR__INSTANT_EVENT, track, out) &&
           (dur == TR_TIME_NONE || tr__perfetto_end_slice(&w->tracks, track, e->ts + dur, out));
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

static enum tr__flow_at flow_at(struct tr_perfetto_writer *w, const struct tr__perfetto_event *e, unsigned phase)
{
    if (phase == TR_FLOW_END && !says(w, e, TR__MEMBER_BIND_POINT, "e"))
        return TR__FLOW_NEXT;
    return says(w, e, TR__MEMBER_OF, "instant") ? TR__FLOW_AT_INSTANT
           : says(w, e, TR__MEMBER_OF, "end")   ? TR__FLOW_AT_END
                                                : TR__FLOW_AROUND;
}

static bool put_one(struct tr_perfetto_writer *w, struct tr__perfetto_event *e, struct tr_buf *out)
{
    unsigned phase = e->b->phase[e->i];
    if (w->flows.n && e->ts != w->flows.ts && !tr__perfetto_now_flows(w, out))
        return false;
    switch (phase) {
    case TR_SPAN:
    case TR_BEGIN:
        return put_span(w, e, out);
    case TR_SPAN_END:
        return put_span_end(w, e, out);
    case TR_INSTANT:
        return put_instant(w, e, out);
    case TR_ASYNC_BEGIN:
    case TR_ASYNC_INSTANT:
    case TR_ASYNC_END:
        return put_async(w, e, phase, out);
    case TR_FLOW_START:
    case TR_FLOW_STEP:
    case TR_FLOW_END:
        return find_id(w, e, TR__MEMBER_ID) && tr__perfetto_keep_flow(w, e, phase, flow_at(w, e, phase), out) &&
               take(w, e, SKIPPED, out);
    case TR_COUNTER:
        return find_id(w, e, TR__MEMBER_ID) && take(w, e, AS_SAMPLES, out);
    default:
        return take(w, e, SKIPPED, out);
    }
}

static enum tr_status one_event(struct tr_perfetto_writer *w, const struct tr_batch *b, size_t i, struct tr_buf *out,
                                struct tr_error *err)
{
    struct tr__perfetto_event e = {
        .b = b, .i = i, .ts = b->ts[i], .track = b->track[i], .name = b->name[i], .cat = b->cat[i]
    };
    if (e.ts == TR_TIME_NONE || b->phase[i] == TR_META || b->phase[i] == TR_PHASE_UNKNOWN) {
        tr_members_advance(&w->members, i);
        return TR_OK;
    }
    if (!file_time(w, &w->dict->sources[w->dict->tracks[e.track].source], &e.ts))
        return tr_fail(err, TR_DAMAGED, "record %llu: time out of range", (unsigned long long)b->record[i]);
    return members_of(w, b->shape[i]) && put_one(w, &e, out) ? TR_OK : tr_fail_memory(err);
}

/* So many bytes have been written. */
static void count(struct tr_perfetto_writer *w, size_t bytes)
{
    if (tr__perfetto_budget_measures(w->budget))
        tr__perfetto_budget_add(w->budget, bytes, w->tracks.ends, w->n_entries);
    w->tracks.ends = w->n_entries = 0;
}

enum tr_status tr_perfetto_batch(struct tr_perfetto_writer *w, const struct tr_batch *b, size_t *at, size_t end,
                                 struct tr_buf *out, struct tr_error *err)
{
    enum tr_status st = TR_OK;
    size_t before = out->len;
    if (*at == 0 && !tr_members_start(&w->members, b))
        return tr_fail_memory(err);
    while (st == TR_OK && *at < end && out->len < TR_TEXT_CHUNK)
        st = one_event(w, b, (*at)++, out, err);
    count(w, out->len - before);
    return st;
}

enum tr_status tr_perfetto_end(struct tr_perfetto_writer *w, struct tr_buf *out, struct tr_error *err)
{
    size_t before = out->len;
    bool ok = tr__perfetto_now_flows(w, out) && tr__perfetto_lanes_end(&w->tracks, out);
    count(w, out->len - before);
    return ok ? TR_OK : tr_fail_memory(err);
}
