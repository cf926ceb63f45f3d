/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: annotations become args. */
#include "formats/perfetto/tr_perfetto_event_int.h"
#include "formats/perfetto/tr_perfetto_note_int.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"
#include "ingest/tr_ingest_args_int.h"
#include "json/tr_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define EXPONENT     INT64_C(0x7ff0000000000000) /* of a double */
#define LONGEST_KEPT 512u
#define MOST_KEPT    65536u
#define MOST_AT_ONCE 16u /* args that are passed on together */

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

static bool add_text(struct tr__notes *n, const unsigned char *p, size_t len)
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

static bool add_number_of_text(struct tr__notes *n, uint64_t number)
{
    uint32_t id = tr__perfetto_text_of(n->r, n->s, TR__TEXT_VALUE, number, n->offset);
    const struct tr__known_text *known = id == TR_NO_STR ? NULL : tr__perfetto_known(n->r, id);
    if (known)
        tr_ingest_arg_number(n->r->g, NULL, known->number);
    return known || id == TR_NO_STR;
}

#define LIST_AT (1 + sizeof(size_t)) /* where the annotation begins in the bytes that identify a list or object */

/*
 * The bytes that identify a value that may be kept; length 0: it is not kept.  Of a list or object: a zero, its writer,
 * and the whole annotation, because numbers in it mean the same only in a settled file.
 */
static bool kept_as(struct tr__notes *n, struct tr__proto whole, const struct tr__note *note, struct tr__span *key)
{
    struct tr__perfetto_reader *r = n->r;
    const struct tr__proto *v = &note->value;
    size_t of = (size_t)(n->s - r->sequences), len = (size_t)(whole.end - whole.p);
    *key = (struct tr__span){ v->data, 0 };
    if (v->field == NOTE_JSON && v->len && v->len <= LONGEST_KEPT && (*v->data == '[' || *v->data == '{'))
        key->len = v->len;
    if (v->field == NOTE_JSON || r->in_order || len > LONGEST_KEPT)
        return true;
    r->kept.len = 0;
    if (!tr_buf_add(&r->kept, "", 1) || !tr_buf_add(&r->kept, &of, sizeof of) || !tr_buf_add(&r->kept, whole.p, len))
        return false;
    *key = (struct tr__span){ r->kept.data, r->kept.len };
    return true;
}

/* The place of such an annotation in the table of recent values. */
static inline uint32_t *near_list(struct tr__perfetto_reader *r, const unsigned char *p, size_t len)
{
    return &r->near_values[tr_hash(p, len) % TR__NEAR_TEXTS];
}

/*
 * Each value of at most LONGEST_KEPT bytes is read once, while at most MOST_KEPT are known.  *at: its number in
 * values; TR_NO_STR: it is not kept.  True: the arg was passed on.
 */
static bool told_before(struct tr__notes *n, const struct tr__note *note, struct tr__span key, uint32_t *at)
{
    struct tr__perfetto_reader *r = n->r;
    *at = key.len ? tr_strtab_find(r->values, key.data, key.len) : TR_NO_STR;
    if (*at != TR_NO_STR) {
        bool json = note->value.field == NOTE_JSON;
        *(json ? &r->near_values[tr__perfetto_near(key.data, key.len)]
               : near_list(r, key.data + LIST_AT, key.len - LIST_AT)) = *at + 1;
        if (r->value_of[*at].number != TR_NO_STR)
            tr_ingest_arg_json_number(r->g, NULL, r->value_of[*at].number);
        return r->value_of[*at].number != TR_NO_STR;
    }
    uint32_t count = tr_strtab_count(r->values);
    if (key.len && count < MOST_KEPT && tr_grow(&r->value_of, &r->cap_value_of, count + (size_t)1, sizeof *r->value_of))
        *at = tr_strtab_add(r->values, key.data, key.len);
    if (*at != TR_NO_STR)
        r->value_of[*at] = (struct tr__kept_value){ .number = TR_NO_STR, .key = note->key };
    return false;
}

/* Add a nested value, or JSON: an array or object as JSON, any other value with its type. */
static bool add_json(struct tr__notes *n, struct tr__proto whole, const struct tr__note *note)
{
    struct tr__span key;
    uint32_t at;
    if (!kept_as(n, whole, note, &key))
        return tr__perfetto_no_memory(n->r);
    if (told_before(n, note, key, &at))
        return true;
    uint64_t n_damaged = n->r->n_damaged;
    struct tr_buf *out = &n->r->json;
    struct tr_number number;
    out->len = 0;
    n->doc = (struct tr_json_doc){ .out = out };
    if (!tr__perfetto_put_note(n, whole, note))
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
static bool add_note(struct tr__notes *n, struct tr__proto whole, const struct tr__note *note)
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

/* A JSON text that was added before as an array or an object: its number in the builder; TR_NO_STR: it was not. */
static inline uint32_t known_json(const struct tr__perfetto_reader *r, const unsigned char *p, size_t len)
{
    uint32_t near = r->near_values[tr__perfetto_near(p, len)];
    if (!near || tr_strtab_len(r->values, near - 1) != len || memcmp(tr_strtab_get(r->values, near - 1), p, len) != 0)
        return TR_NO_STR;
    return r->value_of[near - 1].number;
}

/* The same for a list or object, by its whole annotation. */
static inline uint32_t known_list(const struct tr__notes *n, const struct tr__span *note, uint32_t key)
{
    struct tr__perfetto_reader *r = n->r;
    size_t of = (size_t)(n->s - r->sequences);
    uint32_t near = r->in_order ? 0 : *near_list(r, note->data, note->len);
    if (!near || tr_strtab_len(r->values, near - 1) != LIST_AT + note->len || r->value_of[near - 1].key != key)
        return TR_NO_STR;
    const char *text = tr_strtab_get(r->values, near - 1);
    bool same = !*text && !memcmp(text + 1, &of, sizeof of) && !memcmp(text + LIST_AT, note->data, note->len);
    return same ? r->value_of[near - 1].number : TR_NO_STR;
}

/* The value of an annotation, if it is complete in its field at p.  False: it is not, or has more to it. */
static inline bool plain_value(const struct tr__perfetto_reader *r, const unsigned char *p, const unsigned char *end,
                               struct tr__proto *value, struct tr__arg *arg)
{
    switch (*p++) {
    case TR__PROTO_KEY(NOTE_INT, TR__WIRE_VARINT):
        value->field = NOTE_INT;
        arg->type = TR_T_INT;
        return tr__proto_take(&p, end, &value->v) && (arg->bits = (int64_t)value->v, p == end);
    case TR__PROTO_KEY(NOTE_UINT, TR__WIRE_VARINT):
        value->field = NOTE_UINT;
        if (!tr__proto_take(&p, end, &value->v))
            return false;
        arg->type = value->v > INT64_MAX ? TR_T_UINT : TR_T_INT;
        arg->bits = (int64_t)value->v;
        return p == end;
    case TR__PROTO_KEY(NOTE_BOOL, TR__WIRE_VARINT):
        value->field = NOTE_BOOL;
        if (!tr__proto_take(&p, end, &value->v))
            return false;
        arg->type = value->v ? TR_T_TRUE : TR_T_FALSE;
        return p == end;
    case TR__PROTO_KEY(NOTE_DOUBLE, TR__WIRE_64):
        value->field = NOTE_DOUBLE;
        arg->type = TR_T_DOUBLE;
        arg->bits = end - p == 8 ? (int64_t)((uint64_t)tr__proto_fixed32(p + 4) << 32 | tr__proto_fixed32(p)) : 0;
        return end - p == 8 && (arg->bits & EXPONENT) != EXPONENT; /* infinities and NaN are texts */
    case TR__PROTO_KEY(NOTE_STRING, TR__WIRE_BYTES):
        value->field = NOTE_STRING;
        if (!tr__proto_take_bytes(&p, end, &value->data, &value->len) || p != end || !value->len ||
            value->len > LONGEST_KEPT || !tr_utf8_valid((const char *)value->data, value->len))
            return false;
        arg->type = TR_T_STRING;
        return true; /* its number is looked up when its key is known */
    case TR__PROTO_KEY(NOTE_JSON, TR__WIRE_BYTES):
        value->field = NOTE_JSON;
        if (!tr__proto_take_bytes(&p, end, &value->data, &value->len) || p != end || !value->len)
            return false;
        arg->type = TR_T_JSON;
        arg->bits = known_json(r, value->data, value->len);
        return arg->bits != TR_NO_STR;
    default:
        return false;
    }
}

/* Is the text of a key, after the mark of its field, the key that came here last time?  Then *p moves past it. */
static inline uint32_t expected_key(const struct tr__notes *n, const unsigned char **p, const unsigned char *end)
{
    uint32_t key = n->last < n->r->n_known ? n->r->known[n->last].after : TR_NO_STR;
    if (key == TR_NO_STR)
        return TR_NO_STR;
    const struct tr__known_text *k = &n->r->known[key];
    if (k->len > 127 || end - *p <= (ptrdiff_t)k->len || **p != k->len || !tr_same_bytes(*p + 1, k->text, k->len))
        return TR_NO_STR;
    *p += 1 + k->len;
    return key;
}

/* The key of an annotation at *p, which moves past it: its number among texts; UINT32_MAX: it is not there first. */
static inline uint32_t plain_key(const struct tr__notes *n, const unsigned char **p, const unsigned char *end)
{
    struct tr__span text;
    uint64_t id;
    uint32_t near, expected;
    switch (*(*p)++) {
    case TR__PROTO_KEY(NOTE_KEY_ID, TR__WIRE_VARINT):
        return tr__proto_take(p, end, &id) && id ? tr__numbers_get(&n->s->texts[TR__TEXT_KEY], id) : UINT32_MAX;
    case TR__PROTO_KEY(NOTE_KEY, TR__WIRE_BYTES):
        expected = expected_key(n, p, end);
        if (expected != TR_NO_STR)
            return expected;
        if (!tr__proto_take_bytes(p, end, &text.data, &text.len))
            return UINT32_MAX;
        near = n->r->near_texts[tr__perfetto_near(text.data, text.len)];
        return near && tr__perfetto_is(n->r, near - 1, text.data, text.len) ? near - 1 : UINT32_MAX;
    default:
        return UINT32_MAX;
    }
}

/* Is this the mark of a field that makes a list or an object? */
static inline bool is_list(unsigned char mark)
{
    return mark == TR__PROTO_KEY(NOTE_NESTED, TR__WIRE_BYTES) || mark == TR__PROTO_KEY(NOTE_ENTRIES, TR__WIRE_BYTES) ||
           mark == TR__PROTO_KEY(NOTE_ELEMENTS, TR__WIRE_BYTES);
}

/* The key comes after the one before it, or is the first one after the name. */
static inline void note_key(struct tr__notes *n, uint32_t key)
{
    if (n->last < n->r->n_known)
        n->r->known[n->last].after = key;
    n->last = key;
}

/*
 * Most annotations have first their key, and then a number, a text, or a value that was there before.  False: this
 * one has more, or its key comes for the first time.
 */
static inline bool read_plain(struct tr__notes *n, const struct tr__span *note, struct tr__told_args *told,
                              struct tr__arg *arg)
{
    const unsigned char *p = note->data, *end = p + note->len;
    struct tr__proto value = { 0 };
    uint32_t key = p < end ? plain_key(n, &p, end) : UINT32_MAX;
    const struct tr__known_text *known = key < n->r->n_known ? &n->r->known[key] : NULL;
    if (!known || known->number == TR_NO_STR || !known->use || p == end)
        return false;
    if (is_list(*p)) {
        arg->type = TR_T_JSON;
        arg->bits = known_list(n, note, key);
        if (arg->bits == TR_NO_STR)
            return false;
    } else if (!plain_value(n->r, p, end, &value, arg)) {
        return false;
    }
    note_key(n, key);
    arg->key = known->number;
    if (value.field == NOTE_STRING && (arg->bits = tr_ingest_text(n->r->g, (const char *)value.data, value.len)) ==
                                          TR_NO_STR)
        return true; /* out of memory, which the builder knows */
    if (known->use != USE_NONE)
        note_told(told, known->use, &value);
    return true;
}

/* Add any annotation.  False: out of memory. */
static bool tell_note(struct tr__notes *n, const struct tr__span *span, struct tr__told_args *told)
{
    struct tr__proto whole = tr__proto_of(span->data, span->len);
    struct tr__note note;
    if (!tr__perfetto_read_note(n, whole, true, &note))
        return false;
    if (note.key == TR_NO_STR)
        return true;
    struct tr__known_text *known = tr__perfetto_known(n->r, note.key);
    if (!known)
        return false;
    if (!known->use)
        known->use = use_of(tr__perfetto_str(n->r, note.key));
    note_told(told, known->use, &note.value);
    note_key(n, note.key);
    tr_ingest_key(n->r->g, known->number);
    return add_note(n, whole, &note);
}

bool tr__perfetto_notes(struct tr__perfetto_reader *r, struct tr__sequence *s, const struct tr__track_event *e,
                        struct tr__told_args *told)
{
    struct tr__notes n = { .r = r, .s = s, .offset = e->offset, .last = e->name };
    struct tr__arg args[MOST_AT_ONCE];
    size_t n_args = 0;
    bool ok = true;
    *told = (struct tr__told_args){ .correlation = TR_I64_NONE, .device = TR_I64_NONE, .stream = TR_I64_NONE,
                                    .context = TR_I64_NONE, .agent = TR_I64_NONE, .from = TR_I64_NONE,
                                    .to = TR_I64_NONE };
    for (size_t i = 0; ok && i < r->n_notes; i++) {
        bool plain = read_plain(&n, &r->notes[i], told, &args[n_args]);
        n_args += plain;
        if (n_args && (!plain || n_args == MOST_AT_ONCE)) {
            tr__ingest_args(r->g, args, n_args);
            n_args = 0;
        }
        if (!plain)
            ok = tell_note(&n, &r->notes[i], told);
    }
    if (n_args)
        tr__ingest_args(r->g, args, n_args);
    return ok;
}
