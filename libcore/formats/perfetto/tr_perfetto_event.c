/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: track events become events. */
#include "formats/perfetto/tr_perfetto_event_int.h"

#include "vendor/tr_vocab.h"

#define LONGEST_END 24u /* type and track, of any size */

static enum tr_phase phase_of(const struct tr__track_event *e)
{
    static const enum tr_phase phases[] = { TR_PHASE_UNKNOWN, TR_BEGIN, TR_SPAN_END, TR_INSTANT, TR_COUNTER };
    if (e->legacy.set && e->legacy.phase)
        return tr__perfetto_legacy_phase(&e->legacy);
    return e->type < sizeof phases / sizeof *phases ? phases[e->type] : TR_PHASE_UNKNOWN;
}

/* The event waits, and so do all starts and ends at its place. */
static enum tr_status emit_later(struct tr__perfetto_reader *r, const struct tr__track_event *e,
                                 const struct tr__packet *packet, uint64_t record)
{
    r->n_events = record + 1 + r->n_flow_ids;
    if (e->nest != UINT32_MAX && !tr__nest_leave(r->g, e->nest))
        return tr_fail_memory(r->err);
    struct tr__later later = { .what = TR__LATER_EVENT, .record = record, .packet = *packet };
    return tr__perfetto_keep_later(r, &later);
}

/* The time in ns.  False: it has no time, or it is out of range. */
static bool time_of(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__packet *packet,
                    struct tr__track_event *e)
{
    if (!e->has_time)
        return tr__perfetto_time(r, packet, &e->ts);
    uint64_t us = (uint64_t)e->time_us + (e->is_delta ? (uint64_t)s->time_us : 0);
    s->time_us = e->is_delta ? (int64_t)us : s->time_us;
    e->ts = us <= INT64_MAX / 1000 ? (int64_t)us * 1000 : 0;
    return us <= INT64_MAX / 1000;
}

/* The activity of the first category; it is looked up once per text. */
static enum tr_activity activity_of(struct tr__perfetto_reader *r, uint32_t category, struct tr__known_text *known)
{
    if (known->activity == TR_N_ACTIVITIES) {
        struct tr_str text = tr__perfetto_str(r, category);
        const char *comma = text.len ? memchr(text.s, ',', text.len) : NULL;
        size_t len = comma ? (size_t)(comma - text.s) : text.len;
        known->activity = (uint8_t)(text.len ? tr_vocab_category(text.s, len) : TR_ACT_OTHER);
    }
    return (enum tr_activity)known->activity;
}

/* Pass on the name and category; set the activity.  False: out of memory. */
static bool emit_texts(struct tr__perfetto_reader *r, struct tr__track_event *e)
{
    struct tr__known_text *name = e->name == TR_NO_STR ? NULL : tr__perfetto_known(r, e->name);
    if (name)
        tr_ingest_name_number(r->g, name->number);
    struct tr__known_text *category = e->category == TR_NO_STR ? NULL : tr__perfetto_known(r, e->category);
    if ((!name && e->name != TR_NO_STR) || (!category && e->category != TR_NO_STR))
        return false;
    e->activity = category ? activity_of(r, e->category, category) : TR_ACT_OTHER;
    e->has_category = e->n_categories > 1 || (category && !category->empty);
    if (e->n_categories > 1)
        tr_ingest_category(r->g, (const char *)r->category.data, r->category.len);
    else if (e->has_category)
        tr_ingest_category_number(r->g, category->number);
    return true;
}

static bool starts(struct tr_str s, const char *word)
{
    size_t n = strlen(word);
    return s.len >= n && !memcmp(s.s, word, n);
}

/* What vendors mean by the name of the event, which emit_texts has made known; it is looked up once per text. */
static enum tr_vocab_name named(struct tr__perfetto_reader *r, const struct tr__track_event *e, struct tr_str name)
{
    int64_t step;
    if (e->name == TR_NO_STR)
        return tr_vocab_name("", 0, &step);
    struct tr__known_text *known = &r->known[e->name];
    if (!known->name)
        known->name = (uint8_t)(tr_vocab_name(name.s, name.len, &step) + 1);
    return (enum tr_vocab_name)(known->name - 1);
}

/* The activity of a span without a category, by the args of PyTorch and the names of calls. */
static enum tr_activity activity_by_args(struct tr__perfetto_reader *r, const struct tr__track_event *e,
                                         const struct tr__known_args *t)
{
    struct tr_str name = e->name == TR_NO_STR ? (struct tr_str){ "", 0 } : tr__perfetto_str(r, e->name);
    enum tr_vocab_name what = named(r, e, name);
    bool correlated = t->correlation != TR_I64_NONE, call = starts(name, "cuda") || starts(name, "hip");
    bool driver = name.len > 2 && starts(name, "cu") && name.s[2] >= 'A' && name.s[2] <= 'Z';
    if (driver && (e->api || e->work || correlated))
        return TR_ACT_DRIVER_API;
    if (e->api || e->work || (correlated && call))
        return TR_ACT_RUNTIME_API;
    if (t->uses & 1u << TR__USE_PYTHON)
        return TR_ACT_PYTHON;
    if (t->device != TR_I64_NONE && t->stream != TR_I64_NONE)
        return what == TR_NAME_DEVICE_COPY   ? TR_ACT_MEMCPY
               : what == TR_NAME_DEVICE_MEMSET ? TR_ACT_MEMSET
               : t->uses & 1u << TR__USE_GRID               ? TR_ACT_KERNEL
                                             : TR_ACT_DEVICE_ANNOTATION;
    if (what == TR_NAME_STEP)
        return TR_ACT_ANNOTATION;
    return t->uses & 1u << TR__USE_OPERATOR ? tr_vocab_activity(TR_ACT_CPU_OP, what, TR_SPAN) : TR_ACT_OTHER;
}

/* Correlation numbers of one of several sources are valid in that source only. */
static bool correlate(struct tr__perfetto_reader *r, const struct tr__track_event *e, int64_t number)
{
    struct tr_str scope = tr__perfetto_str(r, e->source);
    if (!scope.s) {
        tr_ingest_correlate(r->g, TR_LINK_SOURCE, number);
        return true;
    }
    r->clean.len = 0;
    if (!tr_buf_add(&r->clean, scope.s, scope.len) || !tr_buf_add(&r->clean, &number, sizeof number))
        return tr__perfetto_no_memory(r);
    tr_ingest_correlate_text(r->g, TR_LINK_SOURCE, (const char *)r->clean.data, r->clean.len);
    return true;
}

/* Is it only the end of a span? */
static bool is_end(const struct tr__perfetto_reader *r, const struct tr__track_event *e)
{
    return e->phase == TR_SPAN_END && e->name == TR_NO_STR && e->category == TR_NO_STR && !e->legacy.set &&
           e->thread[0] == TR_I64_NONE && e->thread[1] == TR_I64_NONE && !r->n_annotations && !r->n_flow_ids;
}

static enum tr_status emit_end(struct tr__perfetto_reader *r, const struct tr__track_event *e)
{
    tr_ingest_begin(r->g, e->phase, e->ts, TR_TIME_NONE);
    tr_ingest_record(r->g, r->n_events++);
    if (e->nest != UINT32_MAX && r->role != TR__EMITTER)
        tr_ingest_nested(r->g, e->nest);
    tr_ingest_track(r->g, &e->at);
    return tr_ingest_end(r->g, r->err);
}

/* What the thread had used until then.  The args of the start and the end of a span come together, so they differ. */
static bool emit_thread_counts(struct tr_ingest *g, const struct tr__track_event *e)
{
    static const char *const keys[][2] = { { "thread_time_us", "end_thread_time_us" },
                                           { "thread_instructions", "end_thread_instructions" } };
    bool found = false;
    for (unsigned k = 0; k < 2; k++)
        if (e->thread[k] != TR_I64_NONE) {
            tr_ingest_arg_int(g, keys[k][e->phase == TR_SPAN_END], e->thread[k]);
            found = true;
        }
    return found;
}

/* Args that follow from the fields and annotations.  Then the shape is not that of the annotations alone. */
static void emit_more(struct tr__perfetto_reader *r, const struct tr__track_event *e, struct tr__known_args *known_args)
{
    bool number = known_args->correlation == TR_I64_NONE && e->work && e->work <= INT64_MAX;
    bool size = known_args->copied != TR_I64_NONE && known_args->bytes == TR_I64_NONE;
    if (number)
        tr_ingest_arg_int(r->g, "correlation", known_args->correlation = (int64_t)e->work);
    if (size)
        tr_ingest_arg_int(r->g, "bytes", known_args->copied);
    bool counts = emit_thread_counts(r->g, e);
    if (number || size || counts)
        r->last_step = UINT32_MAX;
}

/* w: the first of its annotations; all: they are all */
static enum tr_status emit_event(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__track_event *e,
                                 const struct tr__packet *packet, struct tr__walk *w, bool all)
{
    struct tr_ingest *g = r->g;
    struct tr__known_args *known_args = &w->known_args;
    int64_t dur = TR_TIME_NONE;
    uint64_t first = r->n_events;
    bool before = e->phase == TR_INSTANT && r->n_flow_ids; /* flows of an instant come before it */
    if (e->phase == TR_SPAN)
        dur = e->legacy.dur_us >= 0 && e->legacy.dur_us < INT64_MAX / 1000 ? e->legacy.dur_us * 1000 : TR_TIME_NONE;
    tr_ingest_begin(g, e->phase, e->ts, dur);
    tr_ingest_record(g, before ? first + r->n_flow_ids : first);
    r->n_events += !before;
    if (!emit_texts(r, e) || !tr__perfetto_annotations(r, s, e, w))
        return TR_SYSTEM;
    if (r->role == TR__HELPER && tr__perfetto_needs_agents(e, known_args))
        return emit_later(r, e, packet, first);
    if (e->nest != UINT32_MAX && r->role != TR__EMITTER)
        tr_ingest_nested(g, e->nest);
    bool calls = e->activity == TR_ACT_OTHER && (e->api || e->work); /* whatever its category */
    if ((!e->has_category || calls) && (e->phase == TR_BEGIN || e->phase == TR_SPAN) &&
        (e->activity = activity_by_args(r, e, known_args)) != TR_ACT_OTHER)
        tr_ingest_activity(g, e->activity);
    emit_more(r, e, known_args);
    if (!tr__perfetto_event_track_on_device(r, e, known_args))
        return TR_SYSTEM;
    tr_ingest_track(g, &e->at);
    bool correlated = known_args->correlation != TR_I64_NONE && known_args->correlation != 0;
    if (correlated && !correlate(r, e, known_args->correlation))
        return TR_SYSTEM;
    if (e->legacy.set)
        tr__perfetto_legacy_members(r, &e->legacy);
    if (e->scope)
        tr_ingest_member_text(g, "s", &e->scope, 1);
    enum tr_status st = tr_ingest_end(g, r->err);
    if (r->last_step != UINT32_MAX)
        tr__perfetto_learn_shape(r);
    if (st == TR_OK && all)
        tr__perfetto_keep_template(r, e, w);
    if (st == TR_OK && r->n_flow_ids)
        st = tr__perfetto_emit_flows(r, e, correlated);
    r->n_events += before;
    return st;
}

/*
 * Most ends are nothing but the end of what started last on their track.  *taken: it was such an end.  False: out of
 * memory.
 */
static bool end_at_once(struct tr__perfetto_reader *r, const struct tr__packet *packet, bool *taken)
{
    uint64_t type = 0, track = 0;
    bool ok = true, has_track = false;
    *taken = false;
    if (!packet->body.len) /* or a number in place of an event */
        return true;
    const unsigned char *p = packet->body.data, *end = p + packet->body.len;
    while (ok && p < end) {
        switch (*p++) {
        case TR__PROTO_KEY(TR__EVENT_TYPE, TR__WIRE_VARINT):
            ok = tr__proto_take(&p, end, &type) && type == TR__TYPE_END;
            break;
        case TR__PROTO_KEY(TR__EVENT_TRACK, TR__WIRE_VARINT):
            ok = has_track = tr__proto_take(&p, end, &track);
            break;
        default:
            ok = false;
        }
    }
    bool plain = ok && has_track && type && packet->timed && !packet->lost_clock;
    uint32_t at = plain ? tr__tree_find(r, track) : UINT32_MAX;
    if (at == UINT32_MAX || r->tracks[at].nest == UINT32_MAX)
        return true;
    if (!tr__nest_end(r->g, r->tracks[at].nest, packet->time, r->n_events, taken))
        return false;
    r->n_events += *taken;
    return true;
}

enum tr_status tr__perfetto_track_event(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                        const struct tr__packet *packet)
{
    bool whole, ended = false;
    if (packet->body.len <= LONGEST_END && r->role != TR__EMITTER && !end_at_once(r, packet, &ended))
        return tr_fail_memory(r->err);
    if (ended)
        return TR_OK;
    struct tr__track_event e = { .offset = packet->offset, .source = TR_NO_STR, .name = TR_NO_STR,
                                 .category = TR_NO_STR, .thread = { TR_I64_NONE, TR_I64_NONE } };
    if (!tr__perfetto_read_event(r, s, packet->body, &e, &whole))
        return TR_SYSTEM;
    if (e.name == TR_NO_STR && e.legacy.name)
        e.name = tr__perfetto_text_of(r, s, TR__TEXT_NAME, e.legacy.name, e.offset);
    e.phase = phase_of(&e);
    if (!whole || !time_of(r, s, packet, &e) || (e.type == TR__TYPE_COUNTER && !e.has_count && !e.has_real))
        return TR_END;
    bool extra = (r->n_extra_values || r->n_extra_doubles) && r->role != TR__EMITTER;
    enum tr_status st = extra ? tr__perfetto_emit_extra(r, s, e.ts) : TR_OK;
    if (st == TR_OK && !e.type && !e.legacy.phase) /* at most the values of counters */
        return r->n_extra_values || r->n_extra_doubles ? TR_OK : TR_END;
    if (st != TR_OK)
        return st;
    if (e.type == TR__TYPE_COUNTER && !e.legacy.phase)
        return tr__perfetto_emit_sample(r, e.has_track ? e.track : s->default_track, e.ts, e.has_real, e.count, e.real);
    struct tr__walk w;
    tr__perfetto_walk_start(&w);
    bool all = tr__perfetto_may_be_like(r, &e) && tr__perfetto_walk(r, s, &e, &w);
    if (all && tr__perfetto_from_template(r, &e, &w, &st))
        return st;
    if (!tr__perfetto_event_track(r, s, &e))
        return TR_SYSTEM;
    return is_end(r, &e) && !e.work ? emit_end(r, &e) : emit_event(r, s, &e, packet, &w, all);
}
