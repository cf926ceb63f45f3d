/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: annotations become args. */
#include "formats/perfetto/tr_perfetto_annotation_int.h"
#include "formats/perfetto/tr_perfetto_event_int.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "json/tr_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define MAX_KEPT    65536u

/* ---- args ---- */

/* A double that is not a JSON number becomes a text. */
static void add_real(struct tr_ingest *g, double v)
{
    const char *text = isnan(v) ? "NaN" : v > 0 ? "Infinity" : "-Infinity";
    if (isfinite(v))
        tr_ingest_arg_real(g, NULL, v);
    else
        tr_ingest_arg_text(g, NULL, text, strlen(text));
}

static bool add_text(struct tr__annotations *n, const unsigned char *p, size_t len)
{
    const char *text = len ? (const char *)p : "";
    if (tr_utf8_valid(text, len)) {
        tr_ingest_arg_text(n->r->g, NULL, text, len);
        return true;
    }
    struct tr_str fixed = tr__perfetto_str(n->r, tr__perfetto_string(n->r, p, len));
    if (fixed.s)
        tr_ingest_arg_text(n->r->g, NULL, fixed.s, fixed.len);
    return fixed.s != NULL;
}

static bool add_number_of_text(struct tr__annotations *n, uint64_t number)
{
    uint32_t id = tr__perfetto_text_of(n->r, n->s, TR__TEXT_VALUE, number, n->offset);
    const struct tr__known_text *known = id == TR_NO_STR ? NULL : tr__perfetto_known(n->r, id);
    if (known)
        tr_ingest_arg_number(n->r->g, NULL, known->number);
    return known || id == TR_NO_STR;
}

/*
 * The bytes that identify a value that may be kept; length 0: it is not kept.  Of a list or object: a zero, its writer,
 * and the whole annotation, because numbers in it mean the same only in a settled file.
 */
static bool kept_as(struct tr__annotations *n, struct tr__proto whole, const struct tr__annotation *annotation,
                    struct tr__span *key)
{
    struct tr__perfetto_reader *r = n->r;
    const struct tr__proto *v = &annotation->value;
    size_t of = (size_t)(n->s - r->sequences), len = (size_t)(whole.end - whole.p);
    *key = (struct tr__span){ v->data, 0 };
    if (v->field == ANNOTATION_JSON && v->len && v->len <= TR__LONGEST_KEPT && (*v->data == '[' || *v->data == '{'))
        key->len = v->len;
    if (v->field == ANNOTATION_JSON || r->in_order || len > TR__LONGEST_KEPT)
        return true;
    r->kept.len = 0;
    if (!tr_buf_add(&r->kept, "", 1) || !tr_buf_add(&r->kept, &of, sizeof of) || !tr_buf_add(&r->kept, whole.p, len))
        return false;
    *key = (struct tr__span){ r->kept.data, r->kept.len };
    return true;
}

/*
 * Each value of at most TR__LONGEST_KEPT bytes is read once, while at most MAX_KEPT are known.  *at: its number in
 * values; TR_NO_STR: it is not kept.  True: the arg was passed on.
 */
static bool emitted_before(struct tr__annotations *n, const struct tr__annotation *annotation, struct tr__span key,
                           uint32_t *at)
{
    struct tr__perfetto_reader *r = n->r;
    *at = key.len ? tr_strtab_find(r->values, key.data, key.len) : TR_NO_STR;
    if (*at != TR_NO_STR) {
        bool json = annotation->value.field == ANNOTATION_JSON;
        *(json ? &r->near_values[tr__perfetto_near(key.data, key.len)]
               : tr__near_list(r, key.data + TR__LIST_AT, key.len - TR__LIST_AT)) = *at + 1;
        if (r->value_of[*at].number != TR_NO_STR)
            tr_ingest_arg_json_number(r->g, NULL, r->value_of[*at].number);
        return r->value_of[*at].number != TR_NO_STR;
    }
    uint32_t count = tr_strtab_count(r->values);
    if (key.len && count < MAX_KEPT && tr_grow(&r->value_of, &r->cap_value_of, count + (size_t)1, sizeof *r->value_of))
        *at = tr_strtab_add(r->values, key.data, key.len);
    if (*at != TR_NO_STR)
        r->value_of[*at] = (struct tr__kept_value){ .number = TR_NO_STR, .key = annotation->key };
    return false;
}

/* Add a nested value, or JSON: an array or object as JSON, any other value with its type. */
static bool add_json(struct tr__annotations *n, struct tr__proto whole, const struct tr__annotation *annotation)
{
    struct tr__span key;
    uint32_t at;
    if (!kept_as(n, whole, annotation, &key))
        return tr__perfetto_no_memory(n->r);
    if (emitted_before(n, annotation, key, &at))
        return true;
    uint64_t n_damaged = n->r->n_damaged;
    struct tr_buf *out = &n->r->json;
    struct tr_number number;
    out->len = 0;
    n->doc = (struct tr_json_doc){ .out = out };
    if (!tr__perfetto_put_annotation(n, whole, annotation))
        return tr__perfetto_no_memory(n->r);
    const char *p = (const char *)out->data;
    if (out->len > 1 && p[0] == '"') {
        unsigned defects;
        n->r->clean.len = 0;
        if (!tr_json_unescape(p + 1, out->len - 2, &n->r->clean, &defects))
            return tr__perfetto_no_memory(n->r);
        tr_ingest_arg_text(n->r->g, NULL, (const char *)n->r->clean.data, n->r->clean.len);
    } else if (out->len && (*p == 't' || *p == 'f')) {
        tr_ingest_arg_bool(n->r->g, NULL, *p == 't');
    } else if (out->len && tr_json_number(p, out->len, &number) && number.cls == TR_NUMBER_INT) {
        tr_ingest_arg_int(n->r->g, NULL, number.i);
    } else {
        uint32_t json = tr_ingest_json(n->r->g, p, out->len);
        tr_ingest_arg_json_number(n->r->g, NULL, json);
        if (at != TR_NO_STR && n->r->n_damaged == n_damaged) /* damage is counted each time */
            n->r->value_of[at].number = json;
        return true;
    }
    return true;
}

/* Add the value; the key was passed on before.  False: out of memory. */
static bool add_annotation(struct tr__annotations *n, struct tr__proto whole, const struct tr__annotation *annotation)
{
    struct tr_ingest *g = n->r->g;
    const struct tr__proto *v = &annotation->value;
    char text[24];
    switch (v->field) {
    case ANNOTATION_BOOL:
        tr_ingest_arg_bool(g, NULL, v->v != 0);
        return true;
    case ANNOTATION_UINT:
        tr_ingest_arg_uint(g, NULL, v->v);
        return true;
    case ANNOTATION_INT:
        tr_ingest_arg_int(g, NULL, tr__proto_int(v));
        return true;
    case ANNOTATION_DOUBLE:
        add_real(g, tr__proto_real(v));
        return true;
    case ANNOTATION_STRING:
        return add_text(n, v->data, v->len);
    case ANNOTATION_STRING_ID:
        return add_number_of_text(n, v->v);
    case ANNOTATION_POINTER:
        tr_ingest_arg_text(g, NULL, text, (size_t)snprintf(text, sizeof text, "0x%" PRIx64, v->v));
        return true;
    case ANNOTATION_JSON:
    case ANNOTATION_NESTED:
    case ANNOTATION_ENTRIES:
    case ANNOTATION_ELEMENTS:
        return add_json(n, whole, annotation);
    default:
        return true;
    }
}

/* ---- what args say about the event ---- */

static bool is(struct tr_str key, const char *word)
{
    return key.len == strlen(word) && !memcmp(key.s, word, key.len);
}

/* A number, or the first digits of a text as a number; TR_I64_NONE: neither. */
static int64_t whole_of(const struct tr__proto *v)
{
    uint64_t number;
    if ((v->field == ANNOTATION_INT || v->field == ANNOTATION_UINT) && v->v <= INT64_MAX)
        return (int64_t)v->v;
    if (v->field != ANNOTATION_STRING)
        return TR_I64_NONE;
    size_t i = 0;
    const char *p = v->len ? (const char *)v->data : "";
    while (i < v->len && (p[i] < '0' || p[i] > '9'))
        i++;
    return i < v->len && tr_num_digits(p + i, v->len - i, INT64_MAX, &number, NULL) ? (int64_t)number : TR_I64_NONE;
}

static const struct {
    const char *key;
    size_t at;
} known_keys[] = {
    { "correlation", offsetof(struct tr__known_args, correlation) },
    { "corr_id", offsetof(struct tr__known_args, correlation) },
    { "device", offsetof(struct tr__known_args, device) },
    { "agent", offsetof(struct tr__known_args, device) },
    { "stream", offsetof(struct tr__known_args, stream) },
    { "queue", offsetof(struct tr__known_args, stream) },
    { "context", offsetof(struct tr__known_args, context) },
    { "agent_ID", offsetof(struct tr__known_args, agent) },
    { "dst_agent", offsetof(struct tr__known_args, to) },
    { "src_agent", offsetof(struct tr__known_args, from) },
    { "copy_bytes", offsetof(struct tr__known_args, copied) },
    { "bytes", offsetof(struct tr__known_args, bytes) },
};

static uint8_t use_of(struct tr_str key)
{
    for (size_t i = 0; i < sizeof known_keys / sizeof *known_keys; i++)
        if (is(key, known_keys[i].key))
            return (uint8_t)(TR__USE_VALUE + i);
    return is(key, "Python id")                                     ? TR__USE_PYTHON
           : is(key, "Record function id") || is(key, "External id") ? TR__USE_OPERATOR
           : is(key, "grid")                                        ? TR__USE_GRID
                                                                    : TR__USE_NONE;
}

void tr__perfetto_use_value(struct tr__known_args *t, uint8_t use, const struct tr__proto *v)
{
    int64_t *to = (int64_t *)(void *)((char *)t + known_keys[use - TR__USE_VALUE].at);
    if (*to == TR_I64_NONE)
        *to = whole_of(v);
}

static bool has_key(struct tr__proto annotation)
{
    while (tr__proto_next(&annotation))
        if (tr__proto_is(&annotation, ANNOTATION_KEY_ID, TR__WIRE_VARINT)
                ? annotation.v
                : tr__proto_is(&annotation, ANNOTATION_KEY, TR__WIRE_BYTES))
            return true;
    return false;
}

bool tr__perfetto_add_annotation(struct tr__annotations *n, const struct tr__span *span,
                                 struct tr__known_args *known_args)
{
    struct tr__proto whole = tr__proto_of(span->data, span->len);
    struct tr__annotation annotation;
    if (!tr__perfetto_read_annotation(n, whole, true, &annotation))
        return false;
    if (annotation.key == TR_NO_STR) {
        if (!has_key(whole)) /* else its text is lost, which is counted */
            tr__perfetto_damaged(n->r, TR__BAD_VALUE, n->offset);
        return true;
    }
    struct tr__known_text *known = tr__perfetto_known(n->r, annotation.key);
    if (!known)
        return false;
    if (!known->use)
        known->use = use_of(tr__perfetto_str(n->r, annotation.key));
    tr__perfetto_use_annotation(known_args, known->use, &annotation.value);
    tr_ingest_key(n->r->g, known->number);
    return add_annotation(n, whole, &annotation);
}
