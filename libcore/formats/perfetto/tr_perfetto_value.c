/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: values of annotations as JSON. */
#include "formats/perfetto/tr_perfetto_annotation_int.h"

#include "json/tr_json.h"

#include <inttypes.h>
#include <stdio.h>

/* NestedValue, the older form of nested values. */
enum {
    NESTED_TYPE = 1, NESTED_KEYS = 2, NESTED_VALUES = 3, NESTED_ELEMENTS = 4, NESTED_INT = 5, NESTED_DOUBLE = 6,
    NESTED_BOOL = 7, NESTED_STRING = 8,
};
enum { NESTED_DICT = 1, NESTED_ARRAY = 2 };


#define MAX_NESTED 24u /* levels of a value; deeper levels are left out */

static bool is_key(uint32_t field)
{
    return field == ANNOTATION_KEY_ID || field == ANNOTATION_KEY;
}

bool tr__perfetto_read_annotation(struct tr__annotations *n, struct tr__proto m, bool keyed,
                                  struct tr__annotation *annotation)
{
    *annotation = (struct tr__annotation){ .key = TR_NO_STR };
    while (tr__proto_next(&m)) {
        if (keyed && tr__proto_is(&m, ANNOTATION_KEY_ID, TR__WIRE_VARINT)) {
            annotation->key = tr__perfetto_text_of(n->r, n->s, TR__TEXT_KEY, m.v, n->offset);
        } else if (keyed && tr__proto_is(&m, ANNOTATION_KEY, TR__WIRE_BYTES)) {
            annotation->key = tr__perfetto_string(n->r, m.data, m.len);
            if (annotation->key == TR_NO_STR)
                return false;
        } else if (!is_key(m.field) && (!annotation->value.field || annotation->value.field < ANNOTATION_ENTRIES)) {
            annotation->value = m; /* the first of several elements or entries */
        }
    }
    if (m.bad)
        tr__perfetto_damaged(n->r, TR__BAD_VALUE, n->offset);
    return true;
}

/* ---- nested values as JSON ---- */

static bool put_text(struct tr__annotations *n, const struct tr__proto *m)
{
    return tr_json_doc_str(&n->doc, (struct tr_str){ m->len ? (const char *)m->data : "", m->len });
}

static bool put_real(struct tr__annotations *n, double v)
{
    return tr_json_doc_double(&n->doc, v);
}

static bool put_pointer(struct tr__annotations *n, uint64_t v)
{
    char text[24];
    int len = snprintf(text, sizeof text, "0x%" PRIx64, v);
    return tr_json_doc_str(&n->doc, (struct tr_str){ text, (size_t)len });
}

/* Too deep: write a mark in its place. */
static bool put_nothing(struct tr__annotations *n)
{
    tr__perfetto_damaged(n->r, TR__BAD_VALUE, n->offset);
    return tr_json_doc_null(&n->doc);
}

static bool put_list(struct tr__annotations *n, struct tr__proto whole, uint32_t field)
{
    bool dict = field == ANNOTATION_ENTRIES, ok;
    if (n->doc.depth >= MAX_NESTED)
        return put_nothing(n);
    ok = tr_json_doc_open(&n->doc, dict ? '{' : '[');
    while (ok && tr__proto_next(&whole)) {
        struct tr__annotation annotation;
        if (!tr__proto_is(&whole, field, TR__WIRE_BYTES))
            continue;
        ok = tr__perfetto_read_annotation(n, tr__proto_inner(&whole), dict, &annotation);
        if (ok && dict) {
            struct tr_str key = tr__perfetto_str(n->r, annotation.key);
            ok = tr_json_doc_key(&n->doc, key.s ? key : (struct tr_str){ "", 0 });
        }
        ok = ok && tr__perfetto_put_annotation(n, tr__proto_inner(&whole), &annotation);
    }
    return ok && tr_json_doc_close(&n->doc);
}

static bool put_nested(struct tr__annotations *n, struct tr__proto m);

static bool put_nested_list(struct tr__annotations *n, struct tr__proto m, bool dict)
{
    struct tr__proto keys = m;
    if (n->doc.depth >= MAX_NESTED)
        return put_nothing(n);
    bool ok = tr_json_doc_open(&n->doc, dict ? '{' : '[');
    while (ok && tr__proto_next(&m)) {
        if (!tr__proto_is(&m, dict ? NESTED_VALUES : NESTED_ELEMENTS, TR__WIRE_BYTES))
            continue;
        if (dict) { /* keys and values are separate lists */
            bool found = false;
            while (!found && tr__proto_next(&keys))
                found = tr__proto_is(&keys, NESTED_KEYS, TR__WIRE_BYTES);
            if (!found) {
                tr__perfetto_damaged(n->r, TR__BAD_VALUE, n->offset);
                break;
            }
            ok = tr_json_doc_key(&n->doc, (struct tr_str){ keys.len ? (const char *)keys.data : "", keys.len });
        }
        ok = ok && put_nested(n, tr__proto_inner(&m));
    }
    return ok && tr_json_doc_close(&n->doc);
}

static bool put_nested(struct tr__annotations *n, struct tr__proto m)
{
    struct tr__proto last = m, k = m;
    uint64_t type = 0;
    for (; tr__proto_next(&k); last = k)
        type = tr__proto_is(&k, NESTED_TYPE, TR__WIRE_VARINT) ? k.v : type;
    if (k.bad)
        tr__perfetto_damaged(n->r, TR__BAD_VALUE, n->offset);
    if (type == NESTED_DICT || type == NESTED_ARRAY)
        return put_nested_list(n, m, type == NESTED_DICT);
    switch (last.field) {
    case NESTED_INT:
        return tr_json_doc_i64(&n->doc, tr__proto_int(&last));
    case NESTED_DOUBLE:
        return put_real(n, tr__proto_real(&last));
    case NESTED_BOOL:
        return tr_json_doc_bool(&n->doc, last.v != 0);
    case NESTED_STRING:
        return put_text(n, &last);
    default:
        return tr_json_doc_null(&n->doc);
    }
}

/* JSON that is a text in the file.  A text that is not JSON becomes a string. */
static bool put_json(struct tr__annotations *n, const struct tr__proto *m)
{
    const char *p = m->len ? (const char *)m->data : "";
    return tr_json_doc_next(&n->doc) && tr_json_add_text(n->doc.out, p, m->len, true);
}

bool tr__perfetto_put_annotation(struct tr__annotations *n, struct tr__proto whole,
                                 const struct tr__annotation *annotation)
{
    const struct tr__proto *v = &annotation->value;
    struct tr_str text;
    switch (v->field) {
    case ANNOTATION_BOOL:
        return tr_json_doc_bool(&n->doc, v->v != 0);
    case ANNOTATION_UINT:
        return tr_json_doc_u64(&n->doc, v->v);
    case ANNOTATION_INT:
        return tr_json_doc_i64(&n->doc, tr__proto_int(v));
    case ANNOTATION_DOUBLE:
        return put_real(n, tr__proto_real(v));
    case ANNOTATION_STRING:
        return put_text(n, v);
    case ANNOTATION_STRING_ID:
        text = tr__perfetto_str(n->r, tr__perfetto_text_of(n->r, n->s, TR__TEXT_VALUE, v->v, n->offset));
        return tr_json_doc_str(&n->doc, text.s ? text : (struct tr_str){ "", 0 });
    case ANNOTATION_POINTER:
        return put_pointer(n, v->v);
    case ANNOTATION_JSON:
        return put_json(n, v);
    case ANNOTATION_NESTED:
        return put_nested(n, tr__proto_inner(v));
    case ANNOTATION_ENTRIES:
    case ANNOTATION_ELEMENTS:
        return put_list(n, whole, v->field);
    default:
        return tr_json_doc_null(&n->doc);
    }
}

