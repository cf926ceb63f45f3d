/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: phases of the Trace Event Format among its track events. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include "vendor/tr_vocab.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    LEGACY_NAME = 1, LEGACY_PHASE = 2, LEGACY_DURATION = 3, LEGACY_ID = 6, LEGACY_ID_SCOPE = 7, LEGACY_BIND_ID = 8,
    LEGACY_LOCAL_ID = 10, LEGACY_GLOBAL_ID = 11, LEGACY_ENCLOSING = 12, LEGACY_DIRECTION = 13, LEGACY_SCOPE = 14,
    LEGACY_PID = 18, LEGACY_TID = 19,
};
enum { FLOW_IN = 1, FLOW_OUT = 2 };
enum { SCOPE_GLOBAL = 1, SCOPE_PROCESS = 2 };

static void take_field(struct tr__legacy *l, const struct tr__proto *m)
{
    switch (m->field) {
    case LEGACY_NAME:
        l->name = m->v;
        break;
    case LEGACY_PHASE:
        l->phase = m->v < 128 ? (char)m->v : 0;
        break;
    case LEGACY_DURATION:
        l->dur_us = tr__proto_int(m);
        break;
    case LEGACY_ID:
    case LEGACY_LOCAL_ID:
    case LEGACY_GLOBAL_ID:
        l->has_id = true;
        l->id = m->v;
        l->id_kind = m->field == LEGACY_ID ? 0 : m->field == LEGACY_LOCAL_ID ? 'l' : 'g';
        break;
    case LEGACY_BIND_ID:
        l->has_bind_id = true;
        l->bind_id = m->v;
        break;
    case LEGACY_ENCLOSING:
        l->enclosing = m->v != 0;
        break;
    case LEGACY_DIRECTION:
        l->direction = m->v;
        break;
    case LEGACY_SCOPE:
        l->scope = m->v;
        break;
    case LEGACY_PID:
        l->has_pid = true;
        l->pid = (int32_t)(uint32_t)m->v;
        break;
    case LEGACY_TID:
        l->has_tid = true;
        l->tid = (int32_t)(uint32_t)m->v;
        break;
    default:
        break;
    }
}

bool tr__perfetto_legacy(struct tr__legacy *l, struct tr__span data)
{
    struct tr__proto m = tr__proto_of(data.data, data.len);
    *l = (struct tr__legacy){ .set = true };
    while (tr__proto_next(&m)) {
        if (m.wire == TR__WIRE_VARINT)
            take_field(l, &m);
        else if (tr__proto_is(&m, LEGACY_ID_SCOPE, TR__WIRE_BYTES))
            l->id_scope = (struct tr__span){ m.data, m.len };
    }
    return !m.bad;
}

enum tr_phase tr__perfetto_legacy_phase(const struct tr__legacy *l)
{
    enum tr_phase phase = tr_vocab_phase(l->phase);
    return phase == TR_META ? TR_PHASE_UNKNOWN : phase;
}

static void add_number(struct tr_ingest *g, const char *key, uint64_t v)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%" PRIu64, v);
    tr_ingest_member_text(g, key, text, (size_t)n);
}

uint32_t tr__perfetto_legacy_id(struct tr__perfetto_reader *r, const struct tr__legacy *l)
{
    static const char word[] = "global ";
    char text[40], *const end = text + sizeof text, *p = end;
    uint64_t id = l->id;
    do
        *--p = (char)('0' + id % 10);
    while (id /= 10);
    if (l->id_kind == 'g')
        p = memcpy(p - (sizeof word - 1), word, sizeof word - 1);
    return tr_ingest_text(r->g, p, (size_t)(end - p));
}

/* The id.  Local ids, global ids and ids with a scope differ from those of other writers. */
static void add_id(struct tr__perfetto_reader *r, const struct tr__legacy *l)
{
    struct tr_str scope = { NULL, 0 };
    if (l->id_scope.len) {
        scope = tr__perfetto_str(r, tr__perfetto_string(r, l->id_scope.data, l->id_scope.len));
        if (scope.s)
            tr_ingest_member_text(r->g, "scope", scope.s, scope.len);
    }
    uint32_t id = tr__perfetto_legacy_id(r, l);
    tr_ingest_key(r->g, tr_ingest_text(r->g, "id", 2));
    tr__ingest_member_number(r->g, id);
}

void tr__perfetto_legacy_members(struct tr__perfetto_reader *r, const struct tr__legacy *l)
{
    if (l->has_id)
        add_id(r, l);
    if (l->enclosing)
        tr_ingest_member_text(r->g, "bp", "e", 1);
    if (l->has_bind_id && l->direction) {
        add_number(r->g, "bind_id", l->bind_id);
        if (l->direction & FLOW_IN)
            tr_ingest_member_true(r->g, "flow_in");
        if (l->direction & FLOW_OUT)
            tr_ingest_member_true(r->g, "flow_out");
    }
    if (l->scope == SCOPE_GLOBAL || l->scope == SCOPE_PROCESS)
        tr_ingest_member_text(r->g, "s", l->scope == SCOPE_GLOBAL ? "g" : "p", 1);
}
