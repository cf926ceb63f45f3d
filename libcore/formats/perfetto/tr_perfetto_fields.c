/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: the fields of a track event. */
#include "formats/perfetto/tr_perfetto_event_int.h"

/* TrackEvent. */
enum {
    EVENT_DELTA_US = 1, EVENT_CATEGORY_ID = 3, EVENT_NOTE = 4, EVENT_LEGACY = 6, EVENT_NAME_ID = 10,
    EVENT_EXTRA_VALUES = 12, EVENT_TIME_US = 16, EVENT_THREAD_US = 17, EVENT_INSTRUCTIONS = 20,
    EVENT_CATEGORY = 22, EVENT_NAME = 23,
    EVENT_COUNT = 30, EVENT_EXTRA_TRACKS = 31, EVENT_OLD_FLOW = 36, EVENT_OLD_LAST_FLOW = 42, EVENT_DOUBLE_COUNT = 44,
    EVENT_EXTRA_DOUBLE_TRACKS = 45, EVENT_EXTRA_DOUBLES = 46, EVENT_FLOW = 47, EVENT_LAST_FLOW = 48,
    EVENT_WORK = 3000, EVENT_API = 3001, /* extensions of PyTorch: the work of a launch, and its API */
};
enum { WORK_IDS = 1 };

#define LONGEST_CATEGORY 4096u /* longer ones are left out */

/* One more category: several are joined by commas, as in the Trace Event Format. */
static bool add_category(struct tr__perfetto_reader *r, struct tr__track_event *e, uint32_t id)
{
    if (!e->n_categories && id < r->n_known && r->known[id].number != TR_NO_STR &&
        r->known[id].len <= LONGEST_CATEGORY) { /* as nearly always */
        e->n_categories = 1;
        e->category = id;
        return true;
    }
    struct tr_str text = tr__perfetto_str(r, id), first = tr__perfetto_str(r, e->category);
    if (!text.s)
        return true;
    if (text.len + (e->n_categories > 1 ? r->category.len : first.len) > LONGEST_CATEGORY) {
        tr__perfetto_damaged(r, TR__BAD_VALUE, e->offset);
        return true;
    }
    if (e->n_categories++ == 0) {
        e->category = id;
        return true;
    }
    return (e->n_categories > 2 || tr_buf_add_text(&r->category, first)) && tr_buf_add_str(&r->category, ",") &&
           tr_buf_add_text(&r->category, text);
}

/* Append all numbers of a field to a list; those beyond the largest length are counted. */
#define ADD_ALL(m, wire, list, type)                                                                       \
    for (p = NULL; ok && tr__proto_element(m, &p, wire, &v);)                                              \
        if (r->n_##list == TR__MAX_OF_EVENT) {                                                             \
            tr__perfetto_damaged(r, TR__BAD_VALUE, r->at);                                                 \
            break;                                                                                         \
        } else if ((ok = tr_grow(&r->list, &r->cap_##list, r->n_##list + 1, sizeof *r->list))) {           \
            r->list[r->n_##list++] = (type)v;                                                              \
        }

/* Lists that few events have. */
static bool take_list(struct tr__perfetto_reader *r, const struct tr__proto *m)
{
    const unsigned char *p;
    uint64_t v = 0;
    bool ok = true;
    switch (m->field) {
    case EVENT_EXTRA_VALUES:
        ADD_ALL(m, TR__WIRE_VARINT, extra_values, int64_t)
        break;
    case EVENT_EXTRA_TRACKS:
        ADD_ALL(m, TR__WIRE_VARINT, extra_tracks, uint64_t)
        break;
    case EVENT_EXTRA_DOUBLE_TRACKS:
        ADD_ALL(m, TR__WIRE_VARINT, extra_double_tracks, uint64_t)
        break;
    case EVENT_EXTRA_DOUBLES:
        ADD_ALL(m, TR__WIRE_64, extra_doubles, int64_t)
        break;
    case EVENT_OLD_FLOW:
        ADD_ALL(m, TR__WIRE_VARINT, flow_ids, uint64_t)
        break;
    case EVENT_FLOW:
        ADD_ALL(m, TR__WIRE_64, flow_ids, uint64_t)
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
            ADD_ALL(&m, TR__WIRE_64, flow_ids, uint64_t)
        } else if (m.field == EVENT_OLD_LAST_FLOW) {
            ADD_ALL(&m, TR__WIRE_VARINT, flow_ids, uint64_t)
        }
    }
    return ok;
}

static bool take_number(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__track_event *e,
                        const struct tr__proto *m)
{
    switch (m->field) {
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
    case EVENT_THREAD_US:
    case EVENT_INSTRUCTIONS:
        e->thread[m->field == EVENT_INSTRUCTIONS] = tr__proto_int(m);
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

static bool add_annotation(struct tr__perfetto_reader *r, struct tr__span annotation)
{
    if (!tr_grow(&r->annotations, &r->cap_annotations, r->n_annotations + 1, sizeof *r->annotations))
        return false;
    r->annotations[r->n_annotations++] = annotation;
    return true;
}

/* The first id of the work of a launch. */
static void take_work(struct tr__perfetto_reader *r, struct tr__track_event *e, struct tr__proto m)
{
    for (uint64_t v; tr__proto_next(&m);) {
        const unsigned char *p = NULL;
        if (!e->work && m.field == WORK_IDS && tr__proto_element(&m, &p, TR__WIRE_VARINT, &v))
            e->work = v;
    }
    if (m.bad)
        tr__perfetto_damaged(r, TR__BAD_PART, e->offset);
}

/* Fields that hold bytes.  A name or category without a number. */
static bool take_bytes(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__track_event *e,
                       const struct tr__proto *m)
{
    const unsigned char *p = NULL;
    uint64_t v;
    uint32_t id;
    bool ok = true;
    switch (m->field) {
    case EVENT_NOTE:
        return add_annotation(r, (struct tr__span){ m->data, m->len });
    case EVENT_LEGACY:
        if (!tr__perfetto_legacy(&e->legacy, (struct tr__span){ m->data, m->len }))
            tr__perfetto_damaged(r, TR__BAD_PART, e->offset);
        return true;
    case EVENT_WORK:
        take_work(r, e, tr__proto_inner(m));
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

/* Any field.  False: out of memory. */
static bool take_field(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__track_event *e,
                       const struct tr__proto *m)
{
    if (m->wire == TR__WIRE_VARINT)
        return take_number(r, s, e, m);
    if (m->wire == TR__WIRE_BYTES)
        return take_bytes(r, s, e, m);
    if (!tr__proto_is(m, EVENT_DOUBLE_COUNT, TR__WIRE_64))
        return take_list(r, m);
    e->real = tr__proto_real(m);
    e->has_real = true;
    return true;
}

bool tr__perfetto_read_event(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span body,
                             struct tr__track_event *e, bool *whole)
{
    const unsigned char *p = body.data, *end = p ? p + body.len : p;
    bool ok = true, last = false;
    *whole = true;
    r->n_annotations = r->n_flow_ids = r->n_extra_tracks = r->n_extra_double_tracks = 0;
    r->n_extra_values = r->n_extra_doubles = r->category.len = 0;
    while (ok && *whole && p < end) {
        struct tr__span annotation;
        struct tr__proto m;
        uint64_t v;
        switch (*p++) { /* most fields are these */
        case TR__PROTO_KEY(EVENT_NOTE, TR__WIRE_BYTES):
            *whole = tr__proto_take_bytes(&p, end, &annotation.data, &annotation.len);
            ok = !*whole || add_annotation(r, annotation);
            for (; ok && *whole && tr__proto_is_short(p, end, EVENT_NOTE); p += 2 + p[1]) /* more of them */
                ok = add_annotation(r, (struct tr__span){ p + 2, p[1] });
            break;
        case TR__PROTO_KEY(TR__EVENT_TYPE, TR__WIRE_VARINT):
            *whole = tr__proto_take(&p, end, &v);
            e->type = *whole ? v : e->type;
            break;
        case TR__PROTO_KEY(TR__EVENT_TRACK, TR__WIRE_VARINT):
            *whole = tr__proto_take(&p, end, &v);
            e->track = *whole ? v : e->track;
            e->has_track |= *whole;
            break;
        case TR__PROTO_KEY(EVENT_NAME_ID, TR__WIRE_VARINT):
            *whole = tr__proto_take(&p, end, &v);
            e->name = *whole ? tr__perfetto_text_of(r, s, TR__TEXT_NAME, v, e->offset) : e->name;
            break;
        case TR__PROTO_KEY(EVENT_CATEGORY_ID, TR__WIRE_VARINT):
            *whole = tr__proto_take(&p, end, &v);
            ok = !*whole || add_category(r, e, tr__perfetto_text_of(r, s, TR__TEXT_CATEGORY, v, e->offset));
            break;
        case TR__FIRST_OF_FLOW:
            if (tr__perfetto_is_flow(p, end) && r->n_flow_ids < TR__MAX_OF_EVENT) {
                ok = tr_grow(&r->flow_ids, &r->cap_flow_ids, r->n_flow_ids + 1, sizeof *r->flow_ids);
                if (ok)
                    r->flow_ids[r->n_flow_ids++] = tr__perfetto_flow_id(p);
                p += TR__REST_OF_FLOW;
                break;
            }
            /* fall through */
        default:
            m = tr__proto_of(p - 1, (size_t)(end - p) + 1);
            *whole = tr__proto_next(&m);
            ok = !*whole || take_field(r, s, e, &m);
            last |= *whole && (m.field == EVENT_LAST_FLOW || m.field == EVENT_OLD_LAST_FLOW);
            p = m.p;
        }
    }
    r->n_flows_going = r->n_flow_ids;
    ok = ok && (!last || take_last_flows(r, tr__proto_of(body.data, body.len)));
    return ok || tr__perfetto_no_memory(r);
}
