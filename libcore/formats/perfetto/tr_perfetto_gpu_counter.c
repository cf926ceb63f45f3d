/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: counters of devices. */
#include "formats/perfetto/tr_perfetto_event_int.h"

#include <inttypes.h>
#include <stdio.h>

/* GpuCounterEvent. */
enum { COUNTER_DESCRIPTOR = 1, COUNTER_VALUE = 2, COUNTER_DEVICE = 3, COUNTER_DESCRIPTOR_ID = 4 };

/* A counter in a descriptor. */
enum { SPEC_ID = 1, SPEC_NAME = 2, SPEC_DIRECTION = 11, DIRECTION_FORWARDS = 2 };

static bool add_counter(struct tr__perfetto_reader *r, struct tr__sequence *s, uint64_t number, uint32_t name,
                        uint32_t forwards)
{
    if (s)
        return tr__perfetto_set(r, s, TR__TEXT_COUNTER, number, name) &&
               tr__perfetto_set(r, s, TR__COUNTS_FORWARDS, number, forwards);
    return (tr__numbers_set(&r->gpu_counters, number, name) && tr__numbers_set(&r->gpu_forwards, number, forwards)) ||
           tr__perfetto_no_memory(r);
}

/* Names of the counters of a descriptor, by the number of the descriptor and of the counter. */
static bool add_counters(struct tr__perfetto_reader *r, struct tr__sequence *s, uint64_t descriptor, struct tr__proto m)
{
    bool ok = true;
    while (ok && tr__proto_next(&m)) {
        if (!tr__proto_is(&m, 1, TR__WIRE_BYTES))
            continue;
        uint64_t id = 0;
        uint32_t name = TR_NO_STR;
        bool forwards = false;
        for (struct tr__proto k = tr__proto_inner(&m); ok && tr__proto_next(&k);) {
            if (tr__proto_is(&k, SPEC_ID, TR__WIRE_VARINT))
                id = (uint32_t)k.v;
            else if (tr__proto_is(&k, SPEC_NAME, TR__WIRE_BYTES))
                ok = (name = tr__perfetto_string(r, k.data, k.len)) != TR_NO_STR;
            else if (tr__proto_is(&k, SPEC_DIRECTION, TR__WIRE_VARINT))
                forwards = k.v == DIRECTION_FORWARDS;
        }
        if (ok && name != TR_NO_STR)
            ok = add_counter(r, s, descriptor << 32 | id, name, forwards);
    }
    return ok;
}

bool tr__perfetto_gpu_counters(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__proto m)
{
    struct tr__span descriptor = { NULL, 0 };
    uint64_t id = 0, device = UINT64_MAX;
    while (tr__proto_next(&m)) {
        if (tr__proto_is(&m, 1, TR__WIRE_VARINT))
            id = (uint32_t)m.v;
        else if (m.field == 2)
            descriptor = (struct tr__span){ m.data, m.len };
        else if (tr__proto_is(&m, 3, TR__WIRE_VARINT))
            device = m.v & INT32_MAX;
    }
    return (device == UINT64_MAX || tr__perfetto_set(r, s, TR__OF_COUNTERS, id, (uint32_t)device)) &&
           add_counters(r, s, id, tr__proto_of(descriptor.data, descriptor.len));
}

/*
 * From when on a value holds.  It is about the time up to its own, from the value before it on; so its event is at
 * the time of that one.  Of the first value, and of one before others in the file, the start is not known: such an
 * event is at the value's own time.  *ts: its own time, then that of its event.  False: out of memory.
 */
static bool start_of(struct tr__perfetto_reader *r, uint64_t counter, int64_t *ts)
{
    uint32_t at = tr__numbers_get(&r->gpu_series, counter);
    if (at == UINT32_MAX) {
        at = (uint32_t)r->n_gpu_last;
        if (r->n_gpu_last == UINT32_MAX - 1 ||
            !tr_grow(&r->gpu_last, &r->cap_gpu_last, r->n_gpu_last + 1, sizeof *r->gpu_last) ||
            !tr__numbers_set(&r->gpu_series, counter, at))
            return tr__perfetto_no_memory(r);
        r->gpu_last[r->n_gpu_last++] = *ts;
    }
    int64_t last = r->gpu_last[at];
    if (last < *ts) {
        r->gpu_last[at] = *ts;
        *ts = last;
    }
    return true;
}

static enum tr_status emit_value(struct tr__perfetto_reader *r, int64_t ts, int64_t device, uint32_t name, uint64_t id,
                                 const struct tr__proto *value)
{
    char text[40];
    struct tr_str s = tr__perfetto_str(r, name);
    struct tr_ingest_track at = TR_INGEST_TRACK_INIT;
    double real = tr__proto_real(value);
    if (!s.len) {
        s.s = text;
        s.len = (size_t)snprintf(text, sizeof text, "counter %" PRIu64, id);
    }
    tr_ingest_begin(r->g, TR_COUNTER, ts, TR_TIME_NONE);
    tr_ingest_record(r->g, r->n_events++);
    tr_ingest_name(r->g, s.s, s.len);
    at.pid = device;
    tr_ingest_track(r->g, &at);
    if (value->wire == TR__WIRE_64)
        tr_ingest_arg_real(r->g, "value", real);
    else
        tr_ingest_arg_int(r->g, "value", tr__proto_int(value));
    return tr_ingest_end(r->g, r->err);
}

/* Pass on a value, or leave that to the emitter. */
static enum tr_status take_value(struct tr__perfetto_reader *r, const struct tr__sequence *s, uint64_t descriptor,
                                 int64_t ts, int64_t device, uint64_t id, const struct tr__proto *value)
{
    uint64_t number = descriptor << 32 | id;
    uint32_t name = tr__numbers_get(descriptor ? &s->texts[TR__TEXT_COUNTER] : &r->gpu_counters, number);
    uint32_t forwards = tr__numbers_get(descriptor ? &s->texts[TR__COUNTS_FORWARDS] : &r->gpu_forwards, number);
    if (r->role == TR__HELPER) {
        r->n_events++;
        return TR_OK;
    }
    uint64_t series = (uint64_t)device << 32 | (name != UINT32_MAX ? name : id ^ UINT32_MAX);
    if (forwards != 1 && !start_of(r, series, &ts))
        return TR_SYSTEM;
    return emit_value(r, ts, device, name, id, value);
}

static enum tr_status take_values(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                  const struct tr__packet *packet)
{
    struct tr__proto m = tr__proto_of(packet->body.data, packet->body.len);
    uint64_t descriptor = 0, n_values = 0;
    int64_t ts, device = TR_I64_NONE;
    enum tr_status st = TR_OK;
    for (struct tr__proto k = m; tr__proto_next(&k);) {
        if (tr__proto_is(&k, COUNTER_DESCRIPTOR, TR__WIRE_BYTES)) {
            if (!add_counters(r, NULL, 0, tr__proto_inner(&k)))
                return TR_SYSTEM;
        } else if (tr__proto_is(&k, COUNTER_DEVICE, TR__WIRE_VARINT)) {
            device = (int32_t)(uint32_t)k.v;
        } else if (tr__proto_is(&k, COUNTER_DESCRIPTOR_ID, TR__WIRE_VARINT)) {
            descriptor = (uint32_t)k.v;
        }
    }
    uint32_t of = descriptor ? tr__numbers_get(&s->texts[TR__OF_COUNTERS], descriptor) : UINT32_MAX;
    if (device == TR_I64_NONE)
        device = of == UINT32_MAX ? 0 : of;
    bool timed = tr__perfetto_time(r, packet, &ts);
    while (st == TR_OK && tr__proto_next(&m)) {
        struct tr__proto value = { 0 };
        uint64_t id = 0;
        if (!tr__proto_is(&m, COUNTER_VALUE, TR__WIRE_BYTES))
            continue;
        if (n_values++ == TR__MAX_OF_EVENT) {
            if (r->role != TR__EMITTER) /* a helper has counted it */
                tr__perfetto_damaged(r, TR__BAD_VALUE, packet->offset);
            break;
        }
        for (struct tr__proto k = tr__proto_inner(&m); tr__proto_next(&k);) {
            if (k.field == 1)
                id = (uint32_t)k.v;
            else if (tr__proto_is(&k, 2, TR__WIRE_VARINT) || tr__proto_is(&k, 3, TR__WIRE_64))
                value = k;
        }
        if (!value.field || !timed)
            return TR_END;
        st = take_value(r, s, descriptor, ts, device, id, &value);
    }
    return st;
}

enum tr_status tr__perfetto_gpu_counter(struct tr__perfetto_reader *r, struct tr__sequence *s,
                                        const struct tr__packet *packet)
{
    struct tr__later later = { .what = TR__LATER_COUNTERS, .record = r->n_events, .packet = *packet };
    enum tr_status st = take_values(r, s, packet);
    if (r->role == TR__HELPER && r->n_events > later.record && tr__perfetto_keep_later(r, &later) != TR_OK)
        return TR_SYSTEM;
    return st;
}
