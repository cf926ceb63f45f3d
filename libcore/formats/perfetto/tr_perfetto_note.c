/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: annotations become args. */
#include "formats/perfetto/tr_perfetto_read_int.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "json/tr_json.h"
#include "json/tr_json_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* DebugAnnotation. */
enum {
    NOTE_KEY_ID = 1, NOTE_BOOL = 2, NOTE_UINT = 3, NOTE_INT = 4, NOTE_DOUBLE = 5, NOTE_STRING = 6, NOTE_POINTER = 7,
    NOTE_NESTED = 8, NOTE_JSON = 9, NOTE_KEY = 10, NOTE_ENTRIES = 11, NOTE_ELEMENTS = 12, NOTE_STRING_ID = 17,
};
/* NestedValue, the older form of nested values. */
enum {
    NESTED_TYPE = 1, NESTED_KEYS = 2, NESTED_VALUES = 3, NESTED_ELEMENTS = 4, NESTED_INT = 5, NESTED_DOUBLE = 6,
    NESTED_BOOL = 7, NESTED_STRING = 8,
};
enum { NESTED_DICT = 1, NESTED_ARRAY = 2 };

#define LONGEST_KEPT 512u
#define MOST_KEPT    65536u
#define MOST_NESTED 24u /* levels of a value; deeper levels are left out */

struct notes {
    struct tr__perfetto_reader *r;
    struct tr__sequence *s;
    uint64_t offset;
    struct tr_json_doc doc;
};

/* The part of an annotation that has its value, and its key. */
struct note {
    struct tr__proto value; /* field 0: no value */
    uint32_t key;           /* TR_NO_STR: no key */
};

static bool is_key(uint32_t field)
{
    return field == NOTE_KEY_ID || field == NOTE_KEY;
}

/* False: out of memory. */
static bool read_note(struct notes *n, struct tr__proto m, bool keyed, struct note *note)
{
    *note = (struct note){ .key = TR_NO_STR };
    while (tr__proto_next(&m)) {
        if (keyed && tr__proto_is(&m, NOTE_KEY_ID, TR__WIRE_VARINT)) {
            note->key = tr__perfetto_text_of(n->r, n->s, TR__TEXT_KEY, m.v, n->offset);
        } else if (keyed && tr__proto_is(&m, NOTE_KEY, TR__WIRE_BYTES)) {
            note->key = tr__perfetto_string(n->r, m.data, m.len);
            if (note->key == TR_NO_STR)
                return false;
        } else if (!is_key(m.field) && (!note->value.field || note->value.field < NOTE_ENTRIES)) {
            note->value = m; /* the first of several elements or entries */
        }
    }
    if (m.bad)
        tr__perfetto_damaged(n->r, TR__BAD_VALUE, n->offset);
    return true;
}

/* ---- nested values as JSON ---- */

static bool put_note(struct notes *n, struct tr__proto whole, const struct note *note);

static bool put_text(struct notes *n, const struct tr__proto *m)
{
    return tr_json_doc_str(&n->doc, (struct tr_str){ m->len ? (const char *)m->data : "", m->len });
}

static bool put_real(struct notes *n, double v)
{
    return tr_json_doc_double(&n->doc, v);
}

static bool put_pointer(struct notes *n, uint64_t v)
{
    char text[24];
    int len = snprintf(text, sizeof text, "0x%" PRIx64, v);
    return tr_json_doc_str(&n->doc, (struct tr_str){ text, (size_t)len });
}

/* Too deep: write a mark in its place. */
static bool put_nothing(struct notes *n)
{
    tr__perfetto_damaged(n->r, TR__BAD_VALUE, n->offset);
    return tr_json_doc_null(&n->doc);
}

static bool put_list(struct notes *n, struct tr__proto whole, uint32_t field)
{
    bool dict = field == NOTE_ENTRIES, ok;
    if (n->doc.depth >= MOST_NESTED)
        return put_nothing(n);
    ok = tr_json_doc_open(&n->doc, dict ? '{' : '[');
    while (ok && tr__proto_next(&whole)) {
        struct note note;
        if (!tr__proto_is(&whole, field, TR__WIRE_BYTES))
            continue;
        ok = read_note(n, tr__proto_inner(&whole), dict, &note);
        if (ok && dict) {
            struct tr_str key = tr__perfetto_str(n->r, note.key);
            ok = tr_json_doc_key(&n->doc, key.s ? key : (struct tr_str){ "", 0 });
        }
        ok = ok && put_note(n, tr__proto_inner(&whole), &note);
    }
    return ok && tr_json_doc_close(&n->doc);
}

static bool put_nested(struct notes *n, struct tr__proto m);

static bool put_nested_list(struct notes *n, struct tr__proto m, bool dict)
{
    struct tr__proto keys = m;
    if (n->doc.depth >= MOST_NESTED)
        return put_nothing(n);
    bool ok = tr_json_doc_open(&n->doc, dict ? '{' : '[');
    while (ok && tr__proto_next(&m)) {
        if (!tr__proto_is(&m, dict ? NESTED_VALUES : NESTED_ELEMENTS, TR__WIRE_BYTES))
            continue;
        if (dict) { /* keys and values are separate lists */
            bool found = false;
            while (!found && tr__proto_next(&keys))
                found = tr__proto_is(&keys, NESTED_KEYS, TR__WIRE_BYTES);
            if (!found)
                break;
            ok = tr_json_doc_key(&n->doc, (struct tr_str){ keys.len ? (const char *)keys.data : "", keys.len });
        }
        ok = ok && put_nested(n, tr__proto_inner(&m));
    }
    return ok && tr_json_doc_close(&n->doc);
}

static bool put_nested(struct notes *n, struct tr__proto m)
{
    struct tr__proto last = m;
    uint64_t type = 0;
    for (struct tr__proto k = m; tr__proto_next(&k); last = k)
        type = tr__proto_is(&k, NESTED_TYPE, TR__WIRE_VARINT) ? k.v : type;
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
static bool put_json(struct notes *n, const struct tr__proto *m)
{
    const char *p = m->len ? (const char *)m->data : "";
    return tr_json_doc_next(&n->doc) && tr_json_add_text(n->doc.out, p, m->len, true);
}

static bool put_note(struct notes *n, struct tr__proto whole, const struct note *note)
{
    const struct tr__proto *v = &note->value;
    struct tr_str text;
    switch (v->field) {
    case NOTE_BOOL:
        return tr_json_doc_bool(&n->doc, v->v != 0);
    case NOTE_UINT:
        return tr_json_doc_u64(&n->doc, v->v);
    case NOTE_INT:
        return tr_json_doc_i64(&n->doc, tr__proto_int(v));
    case NOTE_DOUBLE:
        return put_real(n, tr__proto_real(v));
    case NOTE_STRING:
        return put_text(n, v);
    case NOTE_STRING_ID:
        text = tr__perfetto_str(n->r, tr__perfetto_text_of(n->r, n->s, TR__TEXT_VALUE, v->v, n->offset));
        return tr_json_doc_str(&n->doc, text.s ? text : (struct tr_str){ "", 0 });
    case NOTE_POINTER:
        return put_pointer(n, v->v);
    case NOTE_JSON:
        return put_json(n, v);
    case NOTE_NESTED:
        return put_nested(n, tr__proto_inner(v));
    case NOTE_ENTRIES:
    case NOTE_ELEMENTS:
        return put_list(n, whole, v->field);
    default:
        return tr_json_doc_null(&n->doc);
    }
}

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

static bool add_text(struct notes *n, const unsigned char *p, size_t len)
{
    const char *text = len ? (const char *)p : "";
    if (tr_utf8_valid(text, len)) {
        tr_ingest_arg_text(n->r->g, NULL, text, len);
        return true;
    }
    struct tr_str mended = tr__perfetto_str(n->r, tr__perfetto_string(n->r, p, len));
    if (mended.s)
        tr_ingest_arg_text(n->r->g, NULL, mended.s, mended.len);
    return mended.s != NULL;
}

static bool add_number_of_text(struct notes *n, uint64_t number)
{
    uint32_t id = tr__perfetto_text_of(n->r, n->s, TR__TEXT_VALUE, number, n->offset);
    const struct tr__known_text *known = id == TR_NO_STR ? NULL : tr__perfetto_known(n->r, id);
    if (known)
        tr_ingest_arg_number(n->r->g, NULL, known->number);
    return known || id == TR_NO_STR;
}

/*
 * Each JSON text of at most LONGEST_KEPT bytes is read once, while at most MOST_KEPT are known.  *at: its number in
 * values; TR_NO_STR: it is not kept.  True: the arg was passed on.
 */
static bool told_before(struct notes *n, const struct note *note, uint32_t *at)
{
    struct tr__perfetto_reader *r = n->r;
    const struct tr__proto *v = &note->value;
    bool known = v->field == NOTE_JSON && v->len && v->len <= LONGEST_KEPT && (*v->data == '[' || *v->data == '{');
    *at = known ? tr_strtab_find(r->values, v->data, v->len) : TR_NO_STR;
    if (*at != TR_NO_STR) {
        if (r->value_of[*at] != TR_NO_STR)
            tr_ingest_arg_json_number(r->g, NULL, r->value_of[*at]);
        return r->value_of[*at] != TR_NO_STR;
    }
    uint32_t count = tr_strtab_count(r->values);
    if (known && count < MOST_KEPT && tr_grow(&r->value_of, &r->cap_value_of, count + (size_t)1, sizeof *r->value_of))
        *at = tr_strtab_add(r->values, v->data, v->len);
    return false;
}

/* Add a nested value, or JSON: an array or object as JSON, any other value with its type. */
static bool add_json(struct notes *n, struct tr__proto whole, const struct note *note)
{
    uint32_t at;
    if (told_before(n, note, &at))
        return true;
    struct tr_buf *out = &n->r->json;
    struct tr_number number;
    out->len = 0;
    n->doc = (struct tr_json_doc){ .out = out };
    if (!put_note(n, whole, note))
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
        if (at != TR_NO_STR)
            n->r->value_of[at] = json;
        return true;
    }
    if (at != TR_NO_STR)
        n->r->value_of[at] = TR_NO_STR;
    return true;
}

/* Add the value; the key was passed on before.  False: out of memory. */
static bool add_note(struct notes *n, struct tr__proto whole, const struct note *note)
{
    struct tr_ingest *g = n->r->g;
    const struct tr__proto *v = &note->value;
    char text[24];
    switch (v->field) {
    case NOTE_BOOL:
        tr_ingest_arg_bool(g, NULL, v->v != 0);
        return true;
    case NOTE_UINT:
        tr_ingest_arg_uint(g, NULL, v->v);
        return true;
    case NOTE_INT:
        tr_ingest_arg_int(g, NULL, tr__proto_int(v));
        return true;
    case NOTE_DOUBLE:
        add_real(g, tr__proto_real(v));
        return true;
    case NOTE_STRING:
        return add_text(n, v->data, v->len);
    case NOTE_STRING_ID:
        return add_number_of_text(n, v->v);
    case NOTE_POINTER:
        tr_ingest_arg_text(g, NULL, text, (size_t)snprintf(text, sizeof text, "0x%" PRIx64, v->v));
        return true;
    case NOTE_JSON:
    case NOTE_NESTED:
    case NOTE_ENTRIES:
    case NOTE_ELEMENTS:
        return add_json(n, whole, note);
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
    if ((v->field == NOTE_INT || v->field == NOTE_UINT) && v->v <= INT64_MAX)
        return (int64_t)v->v;
    if (v->field != NOTE_STRING)
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
} told_keys[] = {
    { "correlation", offsetof(struct tr__told_args, correlation) },
    { "corr_id", offsetof(struct tr__told_args, correlation) },
    { "device", offsetof(struct tr__told_args, device) },
    { "agent", offsetof(struct tr__told_args, device) },
    { "stream", offsetof(struct tr__told_args, stream) },
    { "queue", offsetof(struct tr__told_args, stream) },
    { "context", offsetof(struct tr__told_args, context) },
    { "agent_ID", offsetof(struct tr__told_args, agent) },
    { "dst_agent", offsetof(struct tr__told_args, to) },
    { "src_agent", offsetof(struct tr__told_args, from) },
};

enum { USE_NONE = 1, USE_PYTHON, USE_OPERATOR, USE_GRID, USE_TOLD }; /* USE_TOLD: and more, by place in told_keys */

static uint8_t use_of(struct tr_str key)
{
    for (size_t i = 0; i < sizeof told_keys / sizeof *told_keys; i++)
        if (is(key, told_keys[i].key))
            return (uint8_t)(USE_TOLD + i);
    return is(key, "Python id")                                     ? USE_PYTHON
           : is(key, "Record function id") || is(key, "External id") ? USE_OPERATOR
           : is(key, "grid")                                        ? USE_GRID
                                                                    : USE_NONE;
}

static void note_told(struct tr__told_args *t, uint8_t use, const struct tr__proto *v)
{
    t->is_python |= use == USE_PYTHON;
    t->is_operator |= use == USE_OPERATOR;
    t->has_grid |= use == USE_GRID;
    if (use < USE_TOLD)
        return;
    int64_t *to = (int64_t *)(void *)((char *)t + told_keys[use - USE_TOLD].at);
    if (*to == TR_I64_NONE)
        *to = whole_of(v);
}

/* Most annotations have only the number of their key, and a value.  False: this one has more. */
static bool read_plain(struct notes *n, struct tr__proto *m, uint32_t *key)
{
    if (!tr__proto_next(m) || !tr__proto_is(m, NOTE_KEY_ID, TR__WIRE_VARINT))
        return false;
    uint64_t id = m->v;
    if (!tr__proto_next(m) || m->p != m->end || is_key(m->field))
        return false;
    *key = tr__perfetto_text_of(n->r, n->s, TR__TEXT_KEY, id, n->offset);
    return true;
}

bool tr__perfetto_notes(struct tr__perfetto_reader *r, struct tr__sequence *s, uint64_t offset,
                        struct tr__told_args *told)
{
    struct notes n = { .r = r, .s = s, .offset = offset };
    bool ok = true;
    *told = (struct tr__told_args){ .correlation = TR_I64_NONE, .device = TR_I64_NONE, .stream = TR_I64_NONE,
                                    .context = TR_I64_NONE, .agent = TR_I64_NONE, .from = TR_I64_NONE,
                                    .to = TR_I64_NONE };
    for (size_t i = 0; ok && i < r->n_notes; i++) {
        struct tr__proto whole = tr__proto_of(r->notes[i].data, r->notes[i].len);
        struct note note = { .value = whole };
        if (!read_plain(&n, &note.value, &note.key))
            ok = read_note(&n, whole, true, &note);
        if (!ok || note.key == TR_NO_STR)
            continue;
        struct tr__known_text *known = tr__perfetto_known(r, note.key);
        ok = known != NULL;
        if (!ok)
            break;
        if (!known->use)
            known->use = use_of(tr__perfetto_str(r, note.key));
        note_told(told, known->use, &note.value);
        tr_ingest_key(r->g, known->number);
        ok = add_note(&n, whole, &note);
    }
    return ok;
}
