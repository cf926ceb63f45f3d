/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: track events become events. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include "base/tr_num.h"
#include "vendor/tr_vocab.h"


/* TrackEvent, and its types. */
enum {
    EVENT_DELTA_US = 1, EVENT_CATEGORY_ID = 3, EVENT_NOTE = 4, EVENT_LEGACY = 6, EVENT_TYPE = 9, EVENT_NAME_ID = 10,
    EVENT_TRACK = 11, EVENT_EXTRA_VALUES = 12, EVENT_TIME_US = 16, EVENT_CATEGORY = 22, EVENT_NAME = 23,
    EVENT_COUNT = 30, EVENT_EXTRA_TRACKS = 31, EVENT_OLD_FLOW = 36, EVENT_OLD_LAST_FLOW = 42, EVENT_DOUBLE_COUNT = 44,
    EVENT_EXTRA_DOUBLE_TRACKS = 45, EVENT_EXTRA_DOUBLES = 46, EVENT_FLOW = 47, EVENT_LAST_FLOW = 48,
    EVENT_WORK = 3000, EVENT_API = 3001, /* extensions of PyTorch: the work of a launch, and its API */
};
enum { WORK_IDS = 1 };
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };

struct event {
    uint64_t type, track, offset;
    bool has_track, has_count, has_real, has_time, is_delta, has_category;
    char scope; /* of an instant: p, g; 0: its thread */
    int64_t count, time_us;
    double real;
    uint32_t name, category; /* texts; category: the first one */
    struct tr__legacy legacy;
    uint64_t n_categories;
    int64_t ts;
    enum tr_phase phase;
    enum tr_activity activity; /* of its category */
    struct tr_ingest_track at;
    uint32_t nest;      /* for tr_ingest_nested */
    uint32_t source;    /* text: the source of its correlation numbers; TR_NO_STR: the file */
    uint64_t work, api; /* the id of the work that it launched; its API */
};

/* ---- fields ---- */

/* One more category: several are joined by commas, as in the Trace Event Format. */
static bool add_category(struct tr__perfetto_reader *r, struct event *e, uint32_t id)
{
    struct tr_str text = tr__perfetto_str(r, id), first = tr__perfetto_str(r, e->category);
    if (!text.s || text.len + (e->n_categories > 1 ? r->category.len : first.len) > 4096)
        return true;
    if (e->n_categories++ == 0) {
        e->category = id;
        return true;
    }
    return (e->n_categories > 2 || tr_buf_add_text(&r->category, first)) && tr_buf_add_str(&r->category, ",") &&
           tr_buf_add_text(&r->category, text);
}

#define ADD_ALL(m, wire, list, type)                                                        \
    for (p = NULL; ok && tr__proto_element(m, &p, wire, &v);)                             \
        if ((ok = tr_grow(&r->list, &r->cap_##list, r->n_##list + 1, sizeof *r->list)))   \
            r->list[r->n_##list++] = (type)v

/* Lists that few events have. */
static bool take_list(struct tr__perfetto_reader *r, const struct tr__proto *m)
{
    const unsigned char *p;
    uint64_t v = 0;
    bool ok = true;
    switch (m->field) {
    case EVENT_EXTRA_VALUES:
        ADD_ALL(m, TR__WIRE_VARINT, extra_values, int64_t);
        break;
    case EVENT_EXTRA_TRACKS:
        ADD_ALL(m, TR__WIRE_VARINT, extra_tracks, uint64_t);
        break;
    case EVENT_EXTRA_DOUBLE_TRACKS:
        ADD_ALL(m, TR__WIRE_VARINT, extra_double_tracks, uint64_t);
        break;
    case EVENT_EXTRA_DOUBLES:
        ADD_ALL(m, TR__WIRE_64, extra_doubles, int64_t);
        break;
    case EVENT_OLD_FLOW:
        ADD_ALL(m, TR__WIRE_VARINT, flow_ids, uint64_t);
        break;
    case EVENT_FLOW:
        ADD_ALL(m, TR__WIRE_64, flow_ids, uint64_t);
        break;
    default:
        break;
    }
    return ok;
}

/* Flows that end here come after all others. */
static bool take_last_flows(struct tr__perfetto_reader *r, struct tr__proto m)
{
    const unsigned char *p;
    uint64_t v = 0;
    bool ok = true;
    r->n_flows_going = r->n_flow_ids;
    while (ok && tr__proto_next(&m)) {
        if (m.field == EVENT_LAST_FLOW) {
            ADD_ALL(&m, TR__WIRE_64, flow_ids, uint64_t);
        } else if (m.field == EVENT_OLD_LAST_FLOW) {
            ADD_ALL(&m, TR__WIRE_VARINT, flow_ids, uint64_t);
        }
    }
    return ok;
}

static bool take_number(struct tr__perfetto_reader *r, struct tr__sequence *s, struct event *e,
                        const struct tr__proto *m)
{
    switch (m->field) {
    case EVENT_TYPE:
        e->type = m->v;
        return true;
    case EVENT_TRACK:
        e->track = m->v;
        e->has_track = true;
        return true;
    case EVENT_NAME_ID:
        e->name = tr__perfetto_text_of(r, s, TR__TEXT_NAME, m->v, e->offset);
        return true;
    case EVENT_COUNT:
        e->count = tr__proto_int(m);
        e->has_count = true;
        return true;
    case EVENT_API:
        e->api = m->v;
        return true;
    case EVENT_DELTA_US:
    case EVENT_TIME_US:
        e->time_us = tr__proto_int(m);
        e->has_time = true;
        e->is_delta = m->field == EVENT_DELTA_US;
        return true;
    case EVENT_CATEGORY_ID:
        return add_category(r, e, tr__perfetto_text_of(r, s, TR__TEXT_CATEGORY, m->v, e->offset));
    default:
        return take_list(r, m);
    }
}

static bool add_note(struct tr__perfetto_reader *r, const struct tr__proto *m)
{
    if (!tr_grow(&r->notes, &r->cap_notes, r->n_notes + 1, sizeof *r->notes))
        return false;
    r->notes[r->n_notes++] = (struct tr__span){ m->data, m->len };
    return true;
}

/* Fields that hold bytes.  A name or category without a number. */
static bool take_bytes(struct tr__perfetto_reader *r, struct tr__sequence *s, struct event *e,
                       const struct tr__proto *m)
{
    const unsigned char *p = NULL;
    uint64_t v;
    uint32_t id;
    bool ok = true;
    switch (m->field) {
    case EVENT_NOTE:
        return add_note(r, m);
    case EVENT_LEGACY:
        tr__perfetto_legacy(&e->legacy, (struct tr__span){ m->data, m->len });
        return true;
    case EVENT_WORK:
        for (struct tr__proto k = tr__proto_inner(m); !e->work && tr__proto_next(&k); p = NULL)
            if (k.field == WORK_IDS && tr__proto_element(&k, &p, TR__WIRE_VARINT, &v))
                e->work = v;
        return true;
    case EVENT_NAME:
        e->name = tr__perfetto_string(r, m->data, m->len);
        return e->name != TR_NO_STR;
    case EVENT_CATEGORY:
        return (id = tr__perfetto_string(r, m->data, m->len)) != TR_NO_STR && add_category(r, e, id);
    case EVENT_CATEGORY_ID:
        while (ok && tr__proto_element(m, &p, TR__WIRE_VARINT, &v))
            ok = add_category(r, e, tr__perfetto_text_of(r, s, TR__TEXT_CATEGORY, v, e->offset));
        return ok;
    default:
        return take_list(r, m);
    }
}

/* False: out of memory.  *whole: its fields are those of a message. */
static bool read_event(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span body, struct event *e,
                       bool *whole)
{
    struct tr__proto m = tr__proto_of(body.data, body.len);
    bool ok = true, last = false;
    r->n_notes = r->n_flow_ids = r->n_extra_tracks = r->n_extra_double_tracks = 0;
    r->n_extra_values = r->n_extra_doubles = r->category.len = 0;
    while (ok && !m.bad) {
        while (ok && tr__proto_short(&m, EVENT_NOTE)) /* like most fields */
            ok = add_note(r, &m);
        if (!ok || !tr__proto_next(&m))
            break;
        last |= m.field == EVENT_LAST_FLOW || m.field == EVENT_OLD_LAST_FLOW;
        if (m.wire == TR__WIRE_VARINT) {
            ok = take_number(r, s, e, &m);
        } else if (m.wire == TR__WIRE_BYTES) {
            ok = take_bytes(r, s, e, &m);
        } else if (tr__proto_is(&m, EVENT_DOUBLE_COUNT, TR__WIRE_64)) {
            e->real = tr__proto_real(&m);
            e->has_real = true;
        } else {
            ok = take_list(r, &m);
        }
    }
    *whole = !m.bad;
    r->n_flows_going = r->n_flow_ids;
    ok = ok && (!last || take_last_flows(r, tr__proto_of(body.data, body.len)));
    return ok || tr__perfetto_no_memory(r);
}

/* ---- counters ---- */

/* One sample.  "power: W" is the member W of power.  A name without a member gets its unit as member, or "value". */
static enum tr_status tell_sample(struct tr__perfetto_reader *r, uint64_t uuid, int64_t ts, bool is_real, int64_t whole,
                                  double real)
{
    struct tr__tree_track *t = tr__tree_track(r, uuid);
    struct tr_ingest_track at;
    if (!t || !tr__tree_place(r, t, &at))
        return TR_SYSTEM;
    if (t->incremental && !is_real) {
        t->sum = (int64_t)((uint64_t)t->sum + (uint64_t)whole);
        whole = t->sum;
    }
    struct tr_str name = tr__perfetto_str(r, t->name), unit = tr__perfetto_str(r, t->unit);
    const char *key = unit.len ? unit.s : "value";
    size_t len = name.len;
    for (size_t i = 0; !unit.len && i + 2 < name.len; i++)
        if (name.s[i] == ':' && name.s[i + 1] == ' ')
            len = i;
    if (len < name.len)
        key = name.s + len + 2;
    int64_t scaled = t->multiplier > 1 && whole <= INT64_MAX / t->multiplier && whole >= INT64_MIN / t->multiplier
                         ? whole * t->multiplier : whole;
    tr_ingest_begin(r->g, TR_COUNTER, ts, TR_TIME_NONE);
    tr_ingest_record(r->g, r->n_events++);
    tr_ingest_name(r->g, name.s ? name.s : "counter", name.s ? len : 7);
    at.tid_text = NULL;
    at.tid = TR_I64_NONE;
    tr_ingest_track(r->g, &at);
    if (is_real)
        tr_ingest_arg_real(r->g, key, real);
    else
        tr_ingest_arg_int(r->g, key, scaled);
    return tr_ingest_end(r->g, r->err);
}

/* Extra counter values of an event. */
static enum tr_status tell_extra(struct tr__perfetto_reader *r, const struct tr__sequence *s, int64_t ts)
{
    const uint64_t *tracks = r->n_extra_tracks ? r->extra_tracks : s->counters;
    const uint64_t *doubles = r->n_extra_double_tracks ? r->extra_double_tracks : s->double_counters;
    size_t n = r->n_extra_tracks ? r->n_extra_tracks : s->n_counters;
    size_t n_doubles = r->n_extra_double_tracks ? r->n_extra_double_tracks : s->n_double_counters;
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < n && i < r->n_extra_values; i++)
        st = tell_sample(r, tracks[i], ts, false, r->extra_values[i], 0);
    for (size_t i = 0; st == TR_OK && i < n_doubles && i < r->n_extra_doubles; i++) {
        double v;
        memcpy(&v, &r->extra_doubles[i], sizeof v);
        st = tell_sample(r, doubles[i], ts, true, 0, v);
    }
    return st;
}

/* ---- flows ---- */

static enum tr_status wait(struct tr__perfetto_reader *r, const struct tr__later *what)
{
    if (!tr_grow(&r->later, &r->cap_later, r->n_later + 1, sizeof *r->later))
        return tr_fail_memory(r->err);
    struct tr__later *l = &r->later[r->n_later++];
    *l = *what;
    l->at.pid_number = l->at.tid_number = 0; /* another builder passes it on */
    return TR_OK;
}

/* The number of a short text that is frequent; it is looked up once. */
static uint32_t known(struct tr__perfetto_reader *r, uint32_t *number, const char *text)
{
    if (!*number)
        *number = tr_ingest_text(r->g, text, strlen(text)) + 1; /* TR_NO_STR: 0 again */
    return *number - 1;
}

static enum tr_status put_flow(struct tr__perfetto_reader *r, enum tr_phase phase, const struct tr__later *flow,
                               const char *category, uint64_t record)
{
    char text[24], *digits = text + sizeof text;
    uint64_t id = flow->id;
    tr_ingest_begin(r->g, phase, flow->ts, TR_TIME_NONE);
    tr_ingest_record(r->g, record);
    tr_ingest_name_number(r->g, known(r, &r->flow_texts[0], "flow"));
    tr_ingest_category_number(r->g, known(r, &r->flow_texts[1 + (*category == 'a')], category));
    tr_ingest_track(r->g, &flow->at);
    do {
        *--digits = (char)('0' + id % 10);
    } while (id /= 10);
    uint32_t number = tr_ingest_text(r->g, digits, (size_t)(text + sizeof text - digits));
    tr_ingest_key(r->g, known(r, &r->flow_texts[3], "id"));
    tr__ingest_member_number(r->g, number);
    tr_ingest_key(r->g, known(r, &r->flow_texts[4], "bp"));
    tr__ingest_member_number(r->g, known(r, &r->flow_texts[5], "e"));
    return tr_ingest_end(r->g, r->err);
}

enum tr_status tr__perfetto_tell_flow(struct tr__perfetto_reader *r, const struct tr__later *flow)
{
    bool begun = tr__numbers_get(&r->flows, flow->id) == 1;
    uint64_t record = r->n_events++;
    if (!tr__numbers_set(&r->flows, flow->id, !flow->last))
        return tr_fail_memory(r->err);
    if (flow->last && !begun)
        return TR_OK;
    enum tr_phase phase = !begun ? TR_FLOW_START : flow->last ? TR_FLOW_END : TR_FLOW_STEP;
    return put_flow(r, phase, flow, "flow", record);
}

/*
 * If launch and work are joined by their correlation, flows link the same events, and have the category of such flows.
 */
static enum tr_status tell_launch_flow(struct tr__perfetto_reader *r, const struct tr__later *flow, bool work)
{
    return put_flow(r, work ? TR_FLOW_END : TR_FLOW_START, flow, "ac2g", r->n_events++);
}

/* Pass on the ids of flows as flow events at the slice. */
static enum tr_status tell_flows(struct tr__perfetto_reader *r, const struct event *e, bool correlated)
{
    bool work = correlated && tr_vocab_on_device(e->activity);
    bool launch = work || (correlated && (e->activity == TR_ACT_RUNTIME_API || e->activity == TR_ACT_DRIVER_API));
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < r->n_flow_ids; i++) {
        struct tr__later flow = { .what = TR__LATER_FLOW, .id = r->flow_ids[i], .last = i >= r->n_flows_going,
                                  .ts = e->ts, .at = e->at, .record = r->n_events };
        if (launch) {
            st = tell_launch_flow(r, &flow, work);
        } else if (r->role == TR__HELPER) {
            st = wait(r, &flow);
            r->n_events++;
        } else {
            st = tr__perfetto_tell_flow(r, &flow);
        }
    }
    return st;
}

/* ---- one event ---- */

static enum tr_phase phase_of(const struct event *e)
{
    static const enum tr_phase phases[] = { TR_PHASE_UNKNOWN, TR_BEGIN, TR_SPAN_END, TR_INSTANT, TR_COUNTER };
    if (e->legacy.set && e->legacy.phase)
        return tr__perfetto_legacy_phase(&e->legacy);
    return e->type < sizeof phases / sizeof *phases ? phases[e->type] : TR_PHASE_UNKNOWN;
}

/* Where it happened; false: out of memory. */
static bool place(struct tr__perfetto_reader *r, const struct tr__sequence *s, struct event *e)
{
    struct tr__tree_track *t = tr__perfetto_track_of(r, s, e->has_track, e->track);
    if (!t || !tr__tree_place(r, t, &e->at))
        return false;
    e->source = t->scope;
    e->nest = t->nest;
    if (e->phase == TR_INSTANT && !e->legacy.set)
        e->scope = t->kind == TR__TREE_PROCESS ? 'p' : e->at.pid == TR_I64_NONE && !e->at.pid_text ? 'g' : 0;
    if (e->legacy.has_pid) {
        e->at.pid = e->legacy.pid;
        e->at.pid_text = NULL;
    }
    if (e->legacy.has_tid) {
        e->at.tid = e->legacy.tid;
        e->at.tid_text = NULL;
    }
    return true;
}

/*
 * The device of a copy, by its direction: from the agents of earlier dispatches, else from rocprofv3's numbers of
 * agents.
 */
static int64_t device_of_copy(const struct tr__perfetto_reader *r, const struct event *e,
                              const struct tr__told_args *told)
{
    static const char back[] = "MEMORY_COPY_DEVICE_TO_HOST";
    uint32_t to = told->to == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->agents, (uint64_t)told->to);
    uint32_t from = told->from == TR_I64_NONE ? UINT32_MAX : tr__numbers_get(&r->agents, (uint64_t)told->from);
    struct tr_str name = tr__perfetto_str(r, e->name);
    if (to != UINT32_MAX || from != UINT32_MAX)
        return to != UINT32_MAX ? to : from;
    return name.len == sizeof back - 1 && !memcmp(name.s, back, name.len) ? told->from : told->to;
}

/* The number after a word in the name of a track, as in "COMPUTE AGENT [4] STREAM [2] (GPU)"; TR_I64_NONE: none. */
static int64_t number_after(struct tr_str name, const char *word)
{
    size_t n = strlen(word);
    uint64_t v;
    for (size_t i = 0; i + n < name.len; i++)
        if (!memcmp(name.s + i, word, n))
            return tr_num_digits(name.s + i + n, name.len - i - n, INT64_MAX, &v, NULL) ? (int64_t)v : TR_I64_NONE;
    return TR_I64_NONE;
}

/* The stream in the name of a separate row, else the stream in the args. */
static int64_t stream_of_row(const struct event *e, const struct tr__told_args *told)
{
    struct tr_str row = { e->at.tid_text, e->at.tid_len };
    int64_t stream = number_after(row, "STREAM [");
    if (stream == TR_I64_NONE)
        stream = told->stream;
    return stream == TR_I64_NONE ? number_after(row, "QUEUE [") : stream;
}

/* Does its device depend on the agents of earlier events? */
static bool needs_agents(const struct event *e, const struct tr__told_args *told)
{
    return told->device == TR_I64_NONE && (e->at.pid_text || e->at.tid_text) &&
           (told->to != TR_I64_NONE || told->from != TR_I64_NONE);
}

/* From now on, the device of an agent is known. */
static bool tell_agent(struct tr__perfetto_reader *r, uint64_t agent, uint32_t device)
{
    if (tr__numbers_get(&r->agents, agent) == device)
        return true;
    if (!tr__numbers_set(&r->agents, agent, device))
        return tr__perfetto_no_memory(r);
    return r->role != TR__HELPER ||
           wait(r, &(struct tr__later){ .what = TR__LATER_AGENT, .id = agent, .ts = device }) == TR_OK;
}

/* Device and stream from the args, else from the numbers of process and thread.  False: out of memory. */
static bool place_on_device(struct tr__perfetto_reader *r, struct event *e, const struct tr__told_args *told)
{
    bool thread = !e->at.pid_text && !e->at.tid_text; /* a separate row does not give the device */
    e->at.device = told->device != TR_I64_NONE ? told->device : thread ? e->at.pid : device_of_copy(r, e, told);
    e->at.stream = e->at.tid_text ? stream_of_row(e, told) : told->stream == TR_I64_NONE ? e->at.tid : told->stream;
    e->at.context = told->context;
    e->at.side = tr_vocab_on_device(e->activity) ? TR_SIDE_DEVICE : TR_SIDE_HOST;
    bool told_agent = told->agent != TR_I64_NONE && told->device >= 0 && told->device < INT32_MAX;
    return !told_agent || tell_agent(r, (uint64_t)told->agent, (uint32_t)told->device);
}

/* The event waits, and so do all begins and ends at its place. */
static enum tr_status tell_later(struct tr__perfetto_reader *r, const struct event *e, const struct tr__packet *packet,
                                 uint64_t record)
{
    r->n_events += r->n_flow_ids;
    if (e->nest != UINT32_MAX && !tr__nest_leave(r->g, e->nest))
        return tr_fail_memory(r->err);
    return wait(r, &(struct tr__later){ .what = TR__LATER_EVENT, .record = record, .packet = *packet });
}

/* The time in ns.  False: it has no time, or it is out of range. */
static bool time_of(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__packet *packet,
                    struct event *e)
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
static bool tell_texts(struct tr__perfetto_reader *r, struct event *e)
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

static bool begins(struct tr_str s, const char *word)
{
    size_t n = strlen(word);
    return s.len >= n && !memcmp(s.s, word, n);
}

/* The activity of a span without a category, by the args of PyTorch and the names of calls. */
static enum tr_activity activity_by_args(const struct tr__perfetto_reader *r, const struct event *e, const struct tr__told_args *t)
{
    int64_t step;
    struct tr_str name = e->name == TR_NO_STR ? (struct tr_str){ "", 0 } : tr__perfetto_str(r, e->name);
    enum tr_vocab_name what = tr_vocab_name(name.s, name.len, &step);
    bool correlated = t->correlation != TR_I64_NONE, call = begins(name, "cuda") || begins(name, "hip");
    bool driver = name.len > 2 && begins(name, "cu") && name.s[2] >= 'A' && name.s[2] <= 'Z';
    if (driver && (e->api || e->work || correlated))
        return TR_ACT_DRIVER_API;
    if (e->api || e->work || (correlated && call))
        return TR_ACT_RUNTIME_API;
    if (t->is_python)
        return TR_ACT_PYTHON;
    if (t->device != TR_I64_NONE && t->stream != TR_I64_NONE)
        return what == TR_NAME_DEVICE_COPY   ? TR_ACT_MEMCPY
               : what == TR_NAME_DEVICE_FILL ? TR_ACT_MEMSET
               : t->has_grid                 ? TR_ACT_KERNEL
                                             : TR_ACT_DEVICE_ANNOTATION;
    if (what == TR_NAME_STEP)
        return TR_ACT_ANNOTATION;
    return t->is_operator ? tr_vocab_activity(TR_ACT_CPU_OP, what, TR_SPAN) : TR_ACT_OTHER;
}

/* Correlation numbers of one of several sources are valid in that source only. */
static bool correlate(struct tr__perfetto_reader *r, const struct event *e, int64_t number)
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
static bool is_end(const struct tr__perfetto_reader *r, const struct event *e)
{
    return e->phase == TR_SPAN_END && e->name == TR_NO_STR && e->category == TR_NO_STR && !e->legacy.set && !r->n_notes &&
           !r->n_flow_ids;
}

static enum tr_status tell_end(struct tr__perfetto_reader *r, const struct event *e)
{
    tr_ingest_begin(r->g, e->phase, e->ts, TR_TIME_NONE);
    tr_ingest_record(r->g, r->n_events++);
    if (e->nest != UINT32_MAX && r->role != TR__TELLER)
        tr_ingest_nested(r->g, e->nest);
    tr_ingest_track(r->g, &e->at);
    return tr_ingest_end(r->g, r->err);
}

static enum tr_status tell(struct tr__perfetto_reader *r, struct tr__sequence *s, struct event *e,
                           const struct tr__packet *packet)
{
    struct tr__told_args told;
    struct tr_ingest *g = r->g;
    int64_t dur = TR_TIME_NONE;
    if (e->phase == TR_SPAN)
        dur = e->legacy.dur_us >= 0 && e->legacy.dur_us < INT64_MAX / 1000 ? e->legacy.dur_us * 1000 : TR_TIME_NONE;
    tr_ingest_begin(g, e->phase, e->ts, dur);
    tr_ingest_record(g, r->n_events++);
    if (!tell_texts(r, e) || !tr__perfetto_notes(r, s, e->offset, &told))
        return TR_SYSTEM;
    if (r->role == TR__HELPER && needs_agents(e, &told))
        return tell_later(r, e, packet, r->n_events - 1);
    if (e->nest != UINT32_MAX && r->role != TR__TELLER)
        tr_ingest_nested(g, e->nest);
    if (!e->has_category && (e->phase == TR_BEGIN || e->phase == TR_SPAN) &&
        (e->activity = activity_by_args(r, e, &told)) != TR_ACT_OTHER)
        tr_ingest_activity(g, e->activity);
    if (told.correlation == TR_I64_NONE && e->work && e->work <= INT64_MAX)
        tr_ingest_arg_int(g, "correlation", told.correlation = (int64_t)e->work);
    if (!place_on_device(r, e, &told))
        return TR_SYSTEM;
    tr_ingest_track(g, &e->at);
    bool correlated = told.correlation != TR_I64_NONE && told.correlation != 0;
    if (correlated && !correlate(r, e, told.correlation))
        return TR_SYSTEM;
    if (e->legacy.set)
        tr__perfetto_legacy_members(r, &e->legacy);
    if (e->scope)
        tr_ingest_member_text(g, "s", &e->scope, 1);
    enum tr_status st = tr_ingest_end(g, r->err);
    return st == TR_OK && r->n_flow_ids ? tell_flows(r, e, correlated) : st;
}

enum tr_status tr__perfetto_track_event(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                        const struct tr__packet *packet)
{
    struct event e = { .offset = packet->offset, .source = TR_NO_STR, .name = TR_NO_STR, .category = TR_NO_STR };
    bool whole;
    if (!read_event(r, s, packet->body, &e, &whole))
        return TR_SYSTEM;
    if (e.name == TR_NO_STR && e.legacy.name)
        e.name = tr__perfetto_text_of(r, s, TR__TEXT_NAME, e.legacy.name, e.offset);
    e.phase = phase_of(&e);
    if (!whole || !time_of(r, s, packet, &e) || (e.type == TYPE_COUNTER && !e.has_count && !e.has_real))
        return TR_END;
    enum tr_status st = r->role == TR__TELLER ? TR_OK : tell_extra(r, s, e.ts);
    if (st != TR_OK || (!e.type && !e.legacy.phase))
        return st;
    if (e.type == TYPE_COUNTER && !e.legacy.phase)
        return tell_sample(r, e.has_track ? e.track : s->default_track, e.ts, e.has_real, e.count, e.real);
    if (!place(r, s, &e))
        return TR_SYSTEM;
    return is_end(r, &e) && !e.work ? tell_end(r, &e) : tell(r, s, &e, packet);
}
