/* SPDX-License-Identifier: MIT */
/* Packets of events for Perfetto; interned strings; args and their values. */
#include "formats/perfetto/tr_perfetto_int.h"

#include "base/tr_num.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Fields of the entries of InternedData, and of DebugAnnotation. */
enum { ENTRY_ID = 1, ENTRY_TEXT = 2 };
enum {
    ANNOTATION_KEY = 1,
    ANNOTATION_BOOL = 2,
    ANNOTATION_UINT = 3,
    ANNOTATION_INT = 4,
    ANNOTATION_DOUBLE = 5,
    ANNOTATION_STRING = 6,
    ANNOTATION_JSON = 9
};
enum { FLAG_CLEARED = 1, FLAG_NEEDED = 2 }; /* of a sequence: interned data start here; interned data are used */

#define NUMBER_TEXT 400 /* longer numbers remain texts: no double has so many digits before the point */

/* ---- packets ---- */

/* The number of a string in one of the tables of interned data.  Its text is written before its first use. */
static bool intern(struct tr_perfetto_writer *w, unsigned table, uint32_t string, uint64_t *id)
{
    size_t n = tr_strtab_count(w->dict->strings);
    *id = (uint64_t)string + 1;
    if (n > w->n_interned) {
        if (!tr_grow(&w->interned, &w->cap_interned, n, 1))
            return false;
        memset(w->interned + w->n_interned, 0, w->cap_interned - w->n_interned);
        w->n_interned = w->cap_interned;
    }
    if (w->interned[string] >> table & 1)
        return true;
    w->interned[string] |= (uint8_t)(1u << table);
    w->entry.len = 0;
    return tr__proto_u64(&w->entry, ENTRY_ID, *id) &&
           tr__perfetto_text(&w->tracks, &w->entry, ENTRY_TEXT, string) && tr__perfetto_intern_entry(w, table);
}

bool tr__perfetto_intern_entry(struct tr_perfetto_writer *w, unsigned table)
{
    w->n_entries++;
    return tr__proto_message(&w->interning, table, &w->entry);
}

bool tr__perfetto_interned(struct tr_perfetto_writer *w, unsigned field, unsigned table, uint32_t string)
{
    uint64_t id;
    return string == TR_NO_STR || (intern(w, table, string, &id) && tr__proto_u64(&w->event, field, id));
}

bool tr__perfetto_start(struct tr_perfetto_writer *w, unsigned type, uint64_t track)
{
    w->event.len = 0;
    return track && (!type || tr__proto_u64(&w->event, TR__EVENT_TYPE, type)) &&
           tr__proto_u64(&w->event, TR__EVENT_TRACK, track);
}

bool tr__perfetto_put(struct tr_perfetto_writer *w, int64_t ts, struct tr_buf *out)
{
    return tr__perfetto_put_as(w, TR__PACKET_EVENT, ts, out);
}

bool tr__perfetto_put_as(struct tr_perfetto_writer *w, unsigned field, int64_t ts, struct tr_buf *out)
{
    struct tr_buf *p = &w->packet;
    p->len = 0;
    bool ok = tr__proto_u64(p, TR__PACKET_TIMESTAMP, (uint64_t)ts) && tr__proto_u64(p, TR__PACKET_SEQUENCE, 1) &&
              tr__proto_u64(p, TR__PACKET_FLAGS, w->started ? FLAG_NEEDED : FLAG_CLEARED | FLAG_NEEDED) &&
              (!w->interning.len || tr__proto_message(p, TR__PACKET_INTERNED, &w->interning)) &&
              tr__proto_message(p, field, &w->event) && tr__proto_message(out, TR__TRACE_PACKET, p);
    w->started = true;
    w->entry_bytes += w->interning.len;
    w->interning.len = 0;
    return ok;
}

/* ---- values ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t string_length(const char *p, const char *end)
{
    const char *q = p + 1;
    while (q < end && *q != '"')
        q += *q == '\\' && q + 1 < end ? 2 : 1;
    return (size_t)(q - p) + (q < end);
}

/* Leave out a member whose key starts at out->data[key]; returns where to read on. */
static const char *drop_member(struct tr_buf *out, size_t key, const char *p, const char *end)
{
    out->len = key;
    while (p < end && is_blank(*p))
        p++;
    if (p < end && *p == ',')
        return p + 1;
    while (out->len && (is_blank((char)out->data[out->len - 1]) || out->data[out->len - 1] == ','))
        out->len--;
    return p;
}

static bool without_null(struct tr_buf *out, const char *p, const char *end)
{
    size_t key = 0;
    char before = 0; /* the last byte that is not a blank */
    bool ok = true;
    while (ok && p < end) {
        size_t n = *p == '"' ? string_length(p, end) : 1;
        if (*p == 'n' && end - p >= 4 && before == ':') {
            p = drop_member(out, key, p + 4, end);
            before = 0;
            continue;
        }
        if (*p == '"')
            key = out->len;
        before = is_blank(*p) ? before : *p;
        ok = *p == 'n' && end - p >= 4 ? tr_buf_add(out, "\"null\"", 6) : tr_buf_add(out, p, n);
        p += *p == 'n' && end - p >= 4 ? 4 : n;
    }
    return ok;
}

/*
 * JSON without null, at which importers stop.  A member of an object that is null is left out.  In an array, where the
 * others would change their places, it becomes the text "null".
 */
static bool add_json(struct tr_perfetto_writer *w, const struct tr_buf *json)
{
    const char *p = (const char *)json->data, *end = p + json->len;
    if (!memchr(p, 'n', json->len))
        return tr__proto_message(&w->annotation, ANNOTATION_JSON, json);
    w->json.len = 0;
    return without_null(&w->json, p, end) && tr__proto_message(&w->annotation, ANNOTATION_JSON, &w->json);
}

/* Does a double have exactly the value of a whole number?  For other numbers, the nearest double is enough. */
static bool same_whole(const char *text, double v)
{
    char digits[NUMBER_TEXT];
    if (text[strspn(text, "-0123456789")])
        return true;
    snprintf(digits, sizeof digits, "%.0f", v);
    return strcmp(digits, text) == 0;
}

/* Is any digit of the number other than 0, up to its exponent? */
static bool is_zero(const char *text)
{
    size_t n = strcspn(text, "eE");
    return strcspn(text, "123456789") >= n;
}

/* The text of a number as a double.  False: no double has this value, or it is not a number. */
static bool number_double(const struct tr_perfetto_writer *w, uint32_t string, double *v)
{
    char text[NUMBER_TEXT];
    struct tr_str s = tr_dict_text(w->dict, string);
    if (s.len >= sizeof text)
        return false;
    memcpy(text, s.s, s.len);
    text[s.len] = 0;
    return tr_num_decimal(text, v) && isfinite(*v) && (*v != 0 || is_zero(text)) && same_whole(text, *v);
}

/* A number that is not plain: an integer, a double, or else its text. */
static bool add_number(struct tr_perfetto_writer *w, uint32_t string)
{
    struct tr_str s = tr_dict_text(w->dict, string);
    int64_t whole;
    double v;
    if (tr_num_plain(s.s, s.len, &whole))
        return tr__proto_u64(&w->annotation, ANNOTATION_INT, (uint64_t)whole);
    if (number_double(w, string, &v))
        return tr__proto_double(&w->annotation, ANNOTATION_DOUBLE, v);
    return tr__perfetto_text(&w->tracks, &w->annotation, ANNOTATION_STRING, string);
}

static bool add_value(struct tr_perfetto_writer *w, unsigned type, int64_t v)
{
    struct tr_buf *n = &w->annotation;
    switch (type) {
    case TR_T_FALSE:
    case TR_T_TRUE:
        return tr__proto_u64(n, ANNOTATION_BOOL, type == TR_T_TRUE);
    case TR_T_INT:
        return tr__proto_u64(n, ANNOTATION_INT, (uint64_t)v);
    case TR_T_UINT:
        return tr__proto_u64(n, ANNOTATION_UINT, (uint64_t)v);
    case TR_T_DECIMAL:
        return tr__proto_double(n, ANNOTATION_DOUBLE, tr_decimal_double(v));
    case TR_T_DOUBLE:
        return tr__proto_double(n, ANNOTATION_DOUBLE, tr_members_double(v));
    case TR_T_STRING:
        return tr__perfetto_text(&w->tracks, n, ANNOTATION_STRING, (uint32_t)v);
    case TR_T_QUOTED: {
        char text[24];
        int len = snprintf(text, sizeof text, "%" PRId64, v);
        return tr__proto_bytes(n, ANNOTATION_STRING, text, (size_t)len);
    }
    case TR_T_HEX: {
        char text[TR_NUM_HEX];
        size_t len = tr_num_print_hex(v, text);
        return tr__proto_bytes(n, ANNOTATION_STRING, text, len);
    }
    case TR_T_NUMBER:
        return add_number(w, (uint32_t)v);
    case TR_T_JSON:
        w->entry.len = 0;
        return tr_members_value(&w->members, type, v, &w->entry) && add_json(w, &w->entry);
    default:
        return true;
    }
}

bool tr__perfetto_annotation(struct tr_perfetto_writer *w, uint32_t key, unsigned type, int64_t v)
{
    uint64_t id;
    if (type == TR_T_NULL)
        return true;
    w->annotation.len = 0;
    return intern(w, TR__INTERNED_KEY, key, &id) && tr__proto_u64(&w->annotation, ANNOTATION_KEY, id) &&
           add_value(w, type, v) && tr__proto_message(&w->event, TR__EVENT_ANNOTATION, &w->annotation);
}

/* The number that a text says, also as ".75", "5." and between blanks.  False: it is not a finite number. */
static bool text_double(struct tr_str s, double *v)
{
    char text[NUMBER_TEXT + 1];
    size_t n = 0;
    for (; s.len && is_blank(*s.s); s.s++)
        s.len--;
    while (s.len && is_blank(s.s[s.len - 1]))
        s.len--;
    const char *point = s.len ? memchr(s.s, '.', s.len) : NULL;
    if (s.len >= NUMBER_TEXT || (point && memchr(point + 1, '.', (size_t)(s.s + s.len - point - 1))))
        return false;
    for (size_t i = 0; i < s.len; i++) { /* a point gets a digit before it, and loses its place if none follows */
        bool before = i && tr_num_is_digit(s.s[i - 1]), after = i + 1 < s.len && tr_num_is_digit(s.s[i + 1]);
        if (s.s[i] == '.' && !before && after)
            text[n++] = '0';
        if (s.s[i] != '.' || after || !before)
            text[n++] = s.s[i];
    }
    text[n] = 0;
    return strlen(text) == n && tr_num_decimal(text, v) && isfinite(*v);
}

bool tr__perfetto_count(struct tr_perfetto_writer *w, unsigned type, int64_t v, bool *ok)
{
    double real;
    switch (type) {
    case TR_T_INT:
    case TR_T_QUOTED:
        *ok = tr__proto_u64(&w->event, TR__EVENT_COUNT, (uint64_t)v);
        return true;
    case TR_T_UINT:
        real = (double)(uint64_t)v;
        break;
    case TR_T_DECIMAL:
        real = tr_decimal_double(v);
        break;
    case TR_T_DOUBLE:
        real = tr_members_double(v);
        break;
    case TR_T_NUMBER:
    case TR_T_STRING:
        if (!text_double(tr_dict_text(w->dict, (uint32_t)v), &real))
            return false;
        break;
    default:
        return false;
    }
    *ok = tr__proto_double(&w->event, TR__EVENT_DOUBLE_COUNT, real);
    return true;
}
