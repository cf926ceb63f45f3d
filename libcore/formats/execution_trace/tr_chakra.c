/* SPDX-License-Identifier: MIT */
/*
 * Reader of execution traces of Chakra, a graph of work that simulators read: messages of protocol buffers, each with
 * its length before it.  The first one has facts about the trace, each other one is a node.  They become tables
 * (tr_et_tables_int.h) of a source without events.
 */
#include "base/tr_escape.h"
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_proto_read_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "formats/common/tr_window_int.h"
#include "formats/execution_trace/tr_et_names_int.h"
#include "formats/execution_trace/tr_et_tables_int.h"
#include "json/tr_json_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW      ((size_t)1 << 20)
#define MAX_MESSAGE ((size_t)16 << 20) /* bytes */

/* Fields, as the public schema numbers them. */
enum { METADATA_VERSION = 1, METADATA_ATTR = 2 };
enum {
    NODE_ID = 1, NODE_NAME = 2, NODE_TYPE = 3, NODE_CTRL_DEPS = 4, NODE_DATA_DEPS = 5, NODE_START = 6,
    NODE_DURATION = 7, NODE_INPUTS = 8, NODE_OUTPUTS = 9, NODE_ATTR = 10
};
enum { IO_VALUES = 1, IO_SHAPES = 2, IO_TYPES = 3 };
enum { ATTR_NAME = 1, ATTR_DOC = 2, ATTR_FIRST = 3, ATTR_LAST = 32 };

static const char *const kinds[] = { "INVALID_NODE",   "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
                                     "COMP_NODE",      "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE" };
static const char *const collectives[] = { "all_reduce", "reduce",     "all_gather",     "gather",
                                           "scatter",    "broadcast",  "all_to_all",     "reduce_scatter",
                                           "reduce_scatter_block", "barrier" };

const char *tr__et_chakra_kind(int64_t type)
{
    return type >= 0 && type < (int64_t)(sizeof kinds / sizeof *kinds) ? kinds[type] : NULL;
}

const char *tr__et_chakra_collective(int64_t type)
{
    return type >= 0 && type < (int64_t)(sizeof collectives / sizeof *collectives) ? collectives[type] : NULL;
}

struct reader {
    struct tr__et t;
    struct tr__window w;
    size_t want;
    bool any; /* the first message was read */
    int64_t rank;
    uint64_t offset;
    struct tr_buf text, others;
    struct tr_ingest *g;
    struct tr_error *err;
};

static void bad_value(struct reader *r)
{
    static const struct tr_ingest_cause cause = { "bad_value", "value of another kind than its member has, left out",
                                                  true };
    tr_ingest_damaged_by(r->g, &cause, r->offset);
}

/* ---- attributes ---- */

/* Types of values of attributes: field 3 + 2 * type has one value, the next field a list of such. */
enum { A_DOUBLE, A_FLOAT, A_INT32, A_INT64, A_UINT32, A_UINT64, A_SINT32, A_SINT64, A_FIXED32, A_FIXED64, A_SFIXED32,
       A_SFIXED64, A_BOOL, A_STRING, A_BYTES };

struct attribute {
    struct tr_str name;
    bool has, list;
    unsigned type;
    struct tr__proto value; /* its field */
};

static struct attribute attribute_of(const struct tr__proto *field)
{
    struct tr__proto m = tr__proto_inner(field);
    struct attribute a = { .name = { "", 0 } };
    while (tr__proto_next(&m)) {
        if (tr__proto_is(&m, ATTR_NAME, TR__WIRE_BYTES))
            a.name = (struct tr_str){ (const char *)m.data, m.len };
        if (m.field < ATTR_FIRST || m.field > ATTR_LAST)
            continue;
        a.has = true;
        a.type = (m.field - ATTR_FIRST) / 2;
        a.list = (m.field - ATTR_FIRST) % 2;
        a.value = m;
    }
    a.has &= !m.bad;
    return a;
}

/* An integer of a type.  False: the field has none, or it does not fit. */
static bool integer(unsigned type, const struct tr__proto *m, int64_t *v)
{
    if (m->wire == TR__WIRE_BYTES || type <= A_FLOAT || type >= A_STRING)
        return false;
    *v = (int64_t)m->v;
    if (type == A_SINT32 || type == A_SINT64)
        *v = (int64_t)(m->v >> 1 ^ (0 - (m->v & 1)));
    else if (type == A_INT32 || type == A_SFIXED32)
        *v = (int32_t)(uint32_t)m->v;
    return true;
}

/* Append a value as JSON. */
static bool add_json(struct tr_buf *out, unsigned type, const struct tr__proto *m)
{
    int64_t v;
    if (m->wire == TR__WIRE_BYTES)
        return tr_escape_json(out, (const char *)m->data, m->len);
    if (type <= A_FLOAT)
        return tr_json_add_double(out, tr__proto_real(m));
    if (!integer(type, m, &v))
        return tr_buf_add(out, "null", 4);
    if (type == A_BOOL)
        return tr_buf_add(out, v ? "true" : "false", v ? 4 : 5);
    return type == A_UINT64 || type == A_FIXED64 ? tr_json_add_u64(out, (uint64_t)v) : tr_json_add_i64(out, v);
}

/* The message of a list: its elements are field 1, packed or not. */
static bool add_list(struct tr_buf *out, const struct attribute *a)
{
    static const uint8_t wires[] = { TR__WIRE_64, TR__WIRE_32, 0, 0, 0, 0, 0, 0, TR__WIRE_32, TR__WIRE_64, TR__WIRE_32,
                                     TR__WIRE_64, 0, TR__WIRE_BYTES, TR__WIRE_BYTES };
    struct tr__proto m = tr__proto_inner(&a->value);
    bool ok = tr_buf_add(out, "[", 1), first = true;
    while (ok && tr__proto_next(&m)) {
        struct tr__proto one = m;
        const unsigned char *p = NULL;
        bool text = wires[a->type] == TR__WIRE_BYTES;
        while (ok && m.field == 1 && (text ? p == NULL : tr__proto_element(&m, &p, wires[a->type], &one.v))) {
            one.wire = wires[a->type];
            ok = (first || tr_buf_add(out, ",", 1)) && add_json(out, a->type, &one);
            first = false;
            p = text ? m.end : p;
        }
    }
    return ok && tr_buf_add(out, "]", 1);
}

static bool add_attribute_json(struct tr_buf *out, const struct attribute *a)
{
    if (!a->has)
        return tr_buf_add(out, "null", 4);
    return a->list ? add_list(out, a) : add_json(out, a->type, &a->value);
}

static bool add_attribute(struct reader *r, const struct tr__proto *field)
{
    struct attribute a = attribute_of(field);
    enum tr__et_column c = tr__et_attribute(TR__ET_CHAKRA, a.name);
    int64_t v;
    if (field->wire != TR__WIRE_BYTES) {
        bad_value(r);
        return true;
    }
    if (c == TR__ET_N_COLUMNS)
        return tr_buf_add(&r->others, r->others.len ? "," : "[", 1) &&
               tr_buf_add(&r->others, "{\"name\":", sizeof "{\"name\":" - 1) &&
               tr_escape_json(&r->others, a.name.s, a.name.len) &&
               tr_buf_add(&r->others, ",\"value\":", sizeof ",\"value\":" - 1) &&
               add_attribute_json(&r->others, &a) && tr_buf_add(&r->others, "}", 1);
    if (!a.has)
        return true;
    if (tr__et_type(c) == TR_T_STRING && !a.list && a.value.wire == TR__WIRE_BYTES)
        return !a.value.len || tr__et_text(&r->t, c, (const char *)a.value.data, a.value.len);
    if (tr__et_type(c) == TR_T_STRING) {
        r->text.len = 0;
        return add_attribute_json(&r->text, &a) && tr__et_text(&r->t, c, (const char *)r->text.data, r->text.len);
    }
    if (!a.list && integer(a.type, &a.value, &v) && (tr__et_type(c) != TR_SIDE_BOOL || v == 0 || v == 1))
        tr__et_int(&r->t, c, v);
    else
        bad_value(r);
    return true;
}

/* ---- messages ---- */

static bool add_side(struct reader *r, const struct tr__proto *field, bool out)
{
    struct tr__proto m = tr__proto_inner(field);
    bool ok = true;
    while (ok && tr__proto_next(&m)) {
        const char *text = (const char *)m.data;
        if (m.wire != TR__WIRE_BYTES)
            bad_value(r);
        else if (m.field == IO_VALUES)
            ok = tr__et_values(&r->t, out, text, m.len);
        else if (m.field == IO_SHAPES || m.field == IO_TYPES)
            ok = tr__et_text(&r->t, m.field == IO_SHAPES ? out ? TR__ET_OUT_SHAPES : TR__ET_IN_SHAPES
                                    : out                ? TR__ET_OUT_TYPES
                                                         : TR__ET_IN_TYPES,
                             text, m.len);
    }
    if (m.bad)
        bad_value(r);
    return ok;
}

static bool add_depends(struct reader *r, const struct tr__proto *m, const char *kind)
{
    const unsigned char *p = NULL;
    uint64_t v;
    bool ok = true;
    while (ok && tr__proto_element(m, &p, TR__WIRE_VARINT, &v))
        ok = tr__et_depends(&r->t, v, kind);
    return ok;
}

static void add_time(struct reader *r, enum tr__et_column c, uint64_t us)
{
    if (us <= INT64_MAX / 1000)
        tr__et_int(&r->t, c, (int64_t)us * 1000);
    else
        bad_value(r);
}

static bool take_kind(struct reader *r, int64_t type)
{
    char number[24];
    const char *kind = tr__et_chakra_kind(type);
    snprintf(number, sizeof number, "%" PRId64, type);
    kind = kind ? kind : number;
    return tr__et_text(&r->t, TR__ET_KIND, kind, strlen(kind));
}

/* False: out of memory. */
static bool take_field(struct reader *r, const struct tr__proto *m)
{
    switch (m->field) {
    case NODE_NAME:
        return m->wire != TR__WIRE_BYTES || tr__et_text(&r->t, TR__ET_NAME, (const char *)m->data, m->len);
    case NODE_TYPE:
        return take_kind(r, (int64_t)m->v);
    case NODE_CTRL_DEPS:
        return add_depends(r, m, "control");
    case NODE_DATA_DEPS:
        return add_depends(r, m, "data");
    case NODE_START:
        if (m->v) /* writers that know none write 0 */
            add_time(r, TR__ET_START, m->v);
        return true;
    case NODE_DURATION:
        add_time(r, TR__ET_DUR, m->v);
        return true;
    case NODE_INPUTS:
    case NODE_OUTPUTS:
        return add_side(r, m, m->field == NODE_OUTPUTS);
    case NODE_ATTR:
        return add_attribute(r, m);
    default:
        return true; /* of a later version */
    }
}

static enum tr_status take_node(struct reader *r, const unsigned char *p, size_t n)
{
    struct tr__proto m = tr__proto_of(p, n);
    bool ok = true;
    tr__et_int(&r->t, TR__ET_ID, 0); /* as fields without a value have it; tensors need it, wherever it stands */
    while (tr__proto_next(&m))
        if (tr__proto_is(&m, NODE_ID, TR__WIRE_VARINT))
            tr__et_int(&r->t, TR__ET_ID, tr__proto_int(&m));
    if (m.bad) {
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_EVENT, r->offset);
        tr__et_drop(&r->t);
        return TR_OK;
    }
    r->others.len = 0;
    for (m = tr__proto_of(p, n); ok && tr__proto_next(&m);)
        ok = take_field(r, &m);
    if (r->others.len)
        ok = ok && tr_buf_add(&r->others, "]", 1) &&
             tr__et_text(&r->t, TR__ET_ATTRS, (const char *)r->others.data, r->others.len);
    const char *collective = tr__et_has(&r->t, TR__ET_COMM_TYPE)
                                 ? tr__et_chakra_collective(r->t.values[TR__ET_COMM_TYPE].v) : NULL;
    ok = ok && (!collective || tr__et_text(&r->t, TR__ET_COLLECTIVE, collective, strlen(collective)));
    return ok ? tr__et_node(&r->t, r->err) : tr_fail_memory(r->err);
}

/* Facts become members of the header. */
static enum tr_status take_metadata(struct reader *r, const unsigned char *p, size_t n)
{
    struct tr__proto m = tr__proto_of(p, n);
    bool ok = true;
    r->any = true;
    while (ok && tr__proto_next(&m)) {
        struct attribute a = { .name = { "version", 7 }, .has = true, .type = A_STRING, .value = m };
        if (m.wire != TR__WIRE_BYTES || m.field > METADATA_ATTR)
            continue;
        if (m.field == METADATA_ATTR)
            a = attribute_of(&m);
        r->text.len = r->others.len = 0;
        ok = tr_buf_add(&r->others, a.name.s, a.name.len) && tr_buf_add(&r->others, "", 1) &&
             add_attribute_json(&r->text, &a);
        if (ok && a.name.len)
            tr_ingest_header(r->g, (const char *)r->others.data, (const char *)r->text.data, r->text.len);
    }
    if (m.bad)
        tr_ingest_damaged(r->g, TR_DAMAGE_BAD_HEADER, r->offset);
    return ok ? TR_OK : tr_fail_memory(r->err);
}

/* ---- the file ---- */

/* The next message.  TR_OK: more bytes are needed; TR_END: go on. */
static enum tr_status take_message(struct reader *r)
{
    const unsigned char *p = (const unsigned char *)r->w.p + r->w.at, *end = (const unsigned char *)r->w.p + r->w.n;
    uint64_t len = 0;
    r->offset = tr__window_offset(&r->w);
    const unsigned char *m = tr__proto_varint(p, end, &len);
    if ((!m && end - p >= 10) || len > MAX_MESSAGE) {
        if (!r->any)
            return tr_fail(r->err, TR_DAMAGED, "no execution trace of Chakra: it does not start with a message");
        tr_ingest_damaged(r->g, TR_DAMAGE_TOO_LONG, r->offset);
        r->w.at = r->w.n; /* no later message can be found */
        r->want = 0;
        return TR_END;
    }
    if (!m || len > (uint64_t)(end - m)) {
        r->want = len + 10 > WINDOW ? (size_t)len + 10 : WINDOW;
        if (!r->w.last)
            return TR_OK;
        if (!r->any)
            return tr_fail(r->err, TR_DAMAGED, "no execution trace of Chakra: it ends in its first message");
        tr_ingest_damaged(r->g, TR_DAMAGE_TRUNCATED, r->offset);
        r->w.at = r->w.n;
        return TR_END;
    }
    enum tr_status st = r->any ? take_node(r, m, (size_t)len) : take_metadata(r, m, (size_t)len);
    r->w.at += (size_t)(m - p) + (size_t)len;
    return st == TR_OK ? TR_END : st;
}

static enum tr_status read_some(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct reader *r = ctx;
    bool lost = r->want == 0;
    r->g = g;
    r->err = err;
    enum tr_status st = tr__window_fill(&r->w, g, lost ? WINDOW : r->want, err);
    if (st != TR_OK)
        return st;
    if (r->rank >= 0)
        tr_ingest_rank(g, r->rank);
    if (lost)
        r->w.at = r->w.n;
    r->want = lost ? 0 : WINDOW;
    for (st = TR_END; st == TR_END && r->w.at < r->w.n;)
        st = take_message(r);
    if (st != TR_OK && st != TR_END)
        return st;
    if (!r->w.last || r->w.at < r->w.n)
        return TR_OK;
    if (!r->any)
        return tr_fail(err, TR_DAMAGED, "no execution trace of Chakra: it is empty");
    st = tr__et_give(&r->t, g, err);
    return st == TR_OK ? TR_END : st;
}

static void release(void *ctx)
{
    struct reader *r = ctx;
    tr__et_free(&r->t);
    tr__window_free(&r->w);
    tr_buf_free(&r->text);
    tr_buf_free(&r->others);
    free(r);
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct reader *r = state;
    (void)of;
    r->want = WINDOW;
    r->rank = tr__et_rank(bytes->name ? bytes->name : "");
    return tr__et_init(&r->t, TR__ET_CHAKRA, opts);
}

static enum tr_status open_trace(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                                 const struct tr_open_opts *opts, struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "chakra", read_some, release };
    return tr__reader_open(out, &reader, sizeof(struct reader), init, NULL, bytes, opts, err);
}

/* The first message has texts, of which the first attribute says the schema, pid or the like. */
static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    uint64_t len;
    const unsigned char *m = tr__proto_varint(p, p + n, &len);
    (void)f;
    if (!m || !len || len > TR_PROBE_BYTES)
        return 0;
    bool whole = len <= (uint64_t)(p + n - m), named = false;
    struct tr__proto message = tr__proto_of(m, whole ? (size_t)len : (size_t)(p + n - m));
    while (tr__proto_next(&message)) {
        struct tr__proto a = tr__proto_inner(&message);
        if (message.wire != TR__WIRE_BYTES || message.field > METADATA_ATTR)
            return 0;
        if (message.field == METADATA_VERSION)
            continue;
        if (!tr__proto_next(&a) || !tr__proto_is(&a, ATTR_NAME, TR__WIRE_BYTES) || !a.len)
            return 0;
        for (size_t i = 0; i < a.len; i++)
            if (!(a.data[i] == '_' || (a.data[i] >= 'a' && a.data[i] <= 'z')))
                return 0;
        named = true;
    }
    return named && (!whole || !message.bad) ? 91 : 0;
}

const struct tr_format tr_format_chakra = {
    .name = "chakra",
    .brief = "execution trace of Chakra, as protocol buffers: a graph of work with durations",
    .probe = probe,
    .open = open_trace,
};
