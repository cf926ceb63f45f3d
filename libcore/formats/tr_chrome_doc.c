/* The text around the events: members of the outer object, commas, ends, and finding the way after damage. */
#include "formats/tr_chrome_int.h"

#include <stdlib.h>

#define NEAR_START 512u /* bytes behind its { in which a candidate's "ph" must stand */

struct text {
    struct tr__parser *ps;
    struct tr__position *pos;
    const char *p;
    size_t n, at;
    bool last;
    uint64_t offset;
};

void tr__piece_free(struct tr__piece *pc)
{
    if (pc->rows.pool)
        tr_rows_release(&pc->rows);
    free(pc->refs);
    free(pc->ends);
    free(pc->launches);
    free(pc->work);
    free(pc->names);
    for (size_t i = 0; i < pc->n_header; i++) {
        free(pc->header[i].key);
        free(pc->header[i].value);
    }
    free(pc->header);
    free(pc->sum.steps);
    memset(pc, 0, sizeof *pc);
}

static void count(struct text *t, enum tr_cause cause)
{
    tr__count(t->ps->piece, cause, t->offset + t->at);
}

static void skip_blanks(struct text *t)
{
    while (t->at < t->n && tr_json_space(t->p[t->at]))
        t->at++;
}

/* Does an event object seem to start at p[at] == '{'?  TR__MORE: too near the end to tell. */
static enum tr__took looks_like_event(const struct text *t, size_t at)
{
    size_t end = at + NEAR_START < t->n ? at + NEAR_START : t->n;
    size_t i = at + 1;
    while (i < end && tr_json_space(t->p[i]))
        i++;
    if (i < end && t->p[i] != '"')
        return TR__BAD;
    for (; i + 4 < end; i++) {
        if (memcmp(t->p + i, "\"ph\"", 4))
            continue;
        size_t k = i + 4;
        while (k < end && tr_json_space(t->p[k]))
            k++;
        if (k < end && t->p[k] == ':')
            return TR__TOOK;
    }
    return end == t->n && !t->last ? TR__MORE : TR__BAD;
}

/*
 * After damage at t->at: go on at the next place behind it where an event seems to start.
 * TR__BAD: there is none before the end of the file.
 */
static enum tr__took resynchronise(struct text *t)
{
    for (size_t i = t->at + 1; i < t->n; i++) {
        const char *brace = memchr(t->p + i, '{', t->n - i);
        if (!brace)
            break;
        i = (size_t)(brace - t->p);
        enum tr__took took = looks_like_event(t, i);
        if (took == TR__TOOK) {
            t->at = i;
            t->pos->state = TR__EVENTS_COMMA;
        }
        if (took != TR__BAD)
            return took;
    }
    return t->last ? TR__BAD : TR__MORE;
}

/* The event at t->at is damaged: count it and find the next one. */
static enum tr__took lose_event(struct text *t, enum tr_cause cause)
{
    size_t from = t->at;
    enum tr__took took = resynchronise(t);
    if (took == TR__MORE && t->n - from <= TR__MAX_EVENT + NEAR_START)
        return TR__MORE; /* decide when more of the text is there */
    tr__count(t->ps->piece, cause, t->offset + from);
    t->ps->piece->n_elements++;
    if (took == TR__TOOK)
        return took;
    if (took == TR__MORE) { /* too long to keep: forget it but for what a candidate needs */
        t->at = t->n - NEAR_START;
        t->pos->state = TR__EVENTS_LOST;
        return TR__TOOK;
    }
    t->at = t->n;
    t->pos->state = TR__AT_END;
    return TR__TOOK;
}

static enum tr__took take_element(struct text *t)
{
    size_t len;
    unsigned defects;
    const char *p = t->p + t->at;
    size_t n = t->n - t->at;
    if (*p == '{') {
        enum tr__took took = tr__take_event(t->ps, p, n, t->last, t->offset + t->at, &len);
        if (took == TR__TOOK) {
            t->at += len;
            t->pos->state = TR__EVENTS_VALUE;
        } else if (took == TR__MUCH) {
            count(t, TR_CAUSE_TOO_LONG);
            t->ps->piece->n_elements++;
            t->at += len;
            t->pos->state = TR__EVENTS_VALUE;
            return TR__TOOK;
        } else if (took == TR__BAD) {
            return lose_event(t, TR_CAUSE_BAD_EVENT);
        } else if (took == TR__LONG || (took == TR__MORE && n > TR__MAX_EVENT)) {
            return lose_event(t, TR_CAUSE_TOO_LONG);
        } else if (took == TR__MORE && t->last) {
            size_t from = t->at;
            if (resynchronise(t) == TR__TOOK) {
                tr__count(t->ps->piece, TR_CAUSE_BAD_EVENT, t->offset + from);
                t->ps->piece->n_elements++;
                return TR__TOOK;
            }
            count(t, TR_CAUSE_TRUNCATED);
            t->at = t->n;
            t->pos->state = TR__AT_END;
            return TR__TOOK;
        }
        return took;
    }
    switch (tr_json_scan(p, n, t->last, &len, &defects)) {
    case TR_JSON_DONE:
        count(t, TR_CAUSE_NOT_AN_OBJECT);
        t->ps->piece->n_elements++;
        t->at += len;
        t->pos->state = TR__EVENTS_VALUE;
        return TR__TOOK;
    case TR_JSON_MORE:
        if (t->last || n > TR__MAX_EVENT)
            return lose_event(t, t->last ? TR_CAUSE_TRUNCATED : TR_CAUSE_TOO_LONG);
        return TR__MORE;
    default:
        return lose_event(t, TR_CAUSE_BAD_EVENT);
    }
}

static enum tr__took in_events(struct text *t)
{
    char c = t->p[t->at];
    struct tr__position *pos = t->pos;
    if (pos->state == TR__EVENTS_LOST) {
        t->at--; /* resynchronise looks behind the place it is given */
        enum tr__took took = resynchronise(t);
        t->at += took == TR__TOOK ? 0 : 1;
        if (took == TR__MORE && t->n - t->at > NEAR_START)
            t->at = t->n - NEAR_START;
        if (took == TR__BAD) {
            t->at = t->n;
            pos->state = TR__AT_END;
            return TR__TOOK;
        }
        return took;
    }
    if (c == ']') {
        t->at++;
        pos->state = pos->bare_array ? TR__AT_END : TR__IN_OBJECT;
        return TR__TOOK;
    }
    if (c == ',') {
        if (pos->state != TR__EVENTS_VALUE)
            count(t, TR_CAUSE_EXTRA_COMMA);
        t->at++;
        pos->state = TR__EVENTS_COMMA;
        return TR__TOOK;
    }
    if (pos->state == TR__EVENTS_VALUE) {
        if (c != '{')
            return lose_event(t, TR_CAUSE_BAD_EVENT);
        count(t, TR_CAUSE_MISSING_COMMA);
        pos->state = TR__EVENTS_COMMA;
    }
    return take_element(t);
}

static bool add_header(struct text *t, const char *key, size_t key_len, const char *value,
                       size_t value_len)
{
    struct tr__piece *pc = t->ps->piece;
    struct tr_buf k = { 0 }, v = { 0 };
    unsigned defects = 0;
    bool ok = tr_grow(&pc->header, &pc->cap_header, pc->n_header + 1, sizeof *pc->header) &&
              tr_json_unescape(key, key_len, &k, &defects) && tr_buf_add(&k, "", 1) &&
              tr_json_clean(value, value_len, false, &v) && tr_buf_add(&v, "", 1);
    if (ok && v.len > TR__MAX_EVENT) { /* what has to be escaped gets longer */
        count(t, TR_CAUSE_BAD_HEADER);
        tr_buf_free(&k);
        tr_buf_free(&v);
    } else if (ok) {
        pc->header[pc->n_header++] = (struct tr__header_entry){
            (char *)k.data, (char *)v.data, k.len - 1, v.len - 1
        };
    } else {
        tr_buf_free(&k);
        tr_buf_free(&v);
    }
    return ok;
}

/* Damage among the members of the outer object: look for the events, else give the rest up. */
static enum tr__took lost_in_object(struct text *t)
{
    bool at_end = t->at == t->n;
    count(t, t->last && at_end ? TR_CAUSE_TRUNCATED : TR_CAUSE_BAD_HEADER);
    if (t->pos->seen_events || at_end) {
        t->at = t->n;
        t->pos->state = TR__IGNORE;
    } else {
        t->at++;
        t->pos->state = TR__OBJECT_LOST;
    }
    return TR__TOOK;
}

static enum tr__took find_events(struct text *t)
{
    static const char events[] = "\"traceEvents\"";
    const size_t len = sizeof events - 1;
    while (t->at + len <= t->n) {
        const char *quote = memchr(t->p + t->at, '"', t->n - t->at - len + 1);
        t->at = quote ? (size_t)(quote - t->p) : t->n - len + 1;
        if (quote && memcmp(quote, events, len) == 0) {
            t->pos->state = TR__IN_OBJECT;
            return TR__TOOK;
        }
        t->at += quote != NULL;
    }
    if (!t->last)
        return TR__MORE; /* its beginning may stand here */
    t->at = t->n;
    t->pos->state = TR__IGNORE;
    return TR__TOOK;
}

/* One member of the outer object, or its end. */
static enum tr__took in_object(struct text *t)
{
    static const char events[] = "traceEvents";
    char c = t->p[t->at];
    size_t len, key_len, value;
    unsigned defects;
    if (c == ',') {
        t->at++;
        return TR__TOOK;
    }
    if (c == '}') {
        t->at++;
        t->pos->state = TR__AT_END;
        return TR__TOOK;
    }
    const char *p = t->p + t->at;
    const char *q = c == '"' ? p + 1 : NULL;
    while (q && q < t->p + t->n && *q != '"')
        q += *q == '\\' ? 2 : 1;
    if (!q)
        return lost_in_object(t);
    if (q >= t->p + t->n)
        return t->last || t->n - t->at > TR__MAX_EVENT ? lost_in_object(t) : TR__MORE;
    key_len = (size_t)(q - p) - 1;
    value = (size_t)(q - t->p) + 1;
    for (bool colon = false; value < t->n; value++) {
        if (t->p[value] == ':' && !colon)
            colon = true;
        else if (!tr_json_space(t->p[value]))
            break;
    }
    if (value >= t->n) {
        t->at = t->last ? t->n : t->at;
        return t->last ? lost_in_object(t) : TR__MORE;
    }
    if (key_len == sizeof events - 1 && !memcmp(p + 1, events, key_len) && t->p[value] == '[') {
        if (t->pos->seen_events)
            count(t, TR_CAUSE_SECOND_TRACE);
        else
            t->ps->piece->events_at = t->ps->piece->n_header;
        t->pos->seen_events = true;
        t->at = value + 1;
        t->pos->state = TR__EVENTS_FIRST;
        return TR__TOOK;
    }
    switch (tr_json_scan(t->p + value, t->n - value, t->last, &len, &defects)) {
    case TR_JSON_DONE:
        if (len > TR__MAX_EVENT || key_len >= TR__MAX_EVENT)
            return lost_in_object(t);
        if (!add_header(t, p + 1, key_len, t->p + value, len))
            return TR__NO_MEMORY;
        t->at = value + len;
        return TR__TOOK;
    case TR_JSON_MORE:
        if (!t->last && t->n - value <= TR__MAX_EVENT)
            return TR__MORE;
        if (t->last)
            t->at = t->n;
        return lost_in_object(t);
    default:
        return lost_in_object(t);
    }
}

static enum tr__took at_start(struct text *t)
{
    char c = t->p[t->at];
    if (!t->pos->seen_bracket && t->offset + t->at == 0 && (unsigned char)c == 0xef) {
        if (t->n - t->at < 3 && !t->last)
            return TR__MORE;
        if (t->n - t->at >= 3 && !memcmp(t->p + t->at, "\xef\xbb\xbf", 3)) {
            count(t, TR_CAUSE_BYTE_ORDER_MARK);
            t->at += 3;
            return TR__TOOK;
        }
    }
    if (c == '{' || c == '[') {
        t->pos->seen_bracket = true;
        t->pos->bare_array = c == '[';
        t->ps->piece->bare_array = c == '[';
        t->pos->state = c == '[' ? TR__EVENTS_FIRST : TR__IN_OBJECT;
        t->pos->seen_events |= c == '[';
        t->at++;
        return TR__TOOK;
    }
    t->pos->state = TR__IGNORE;
    t->at = t->n;
    return TR__TOOK;
}

/* Behind the end: another trace, or bytes that mean nothing. */
static enum tr__took at_end(struct text *t)
{
    char c = t->p[t->at];
    if (c == '{' || c == '[') {
        count(t, TR_CAUSE_SECOND_TRACE);
        t->pos->state = TR__AT_START;
        t->pos->seen_events = false;
    } else {
        count(t, TR_CAUSE_TRAILING_BYTES);
        t->pos->state = TR__IGNORE;
    }
    return TR__TOOK;
}

enum tr__took tr__take_text(struct tr__parser *ps, struct tr__position *pos, const char *p, size_t n,
                            bool last, uint64_t offset, size_t *used)
{
    struct text t = { ps, pos, p, n, 0, last, offset };
    enum tr__took took = TR__TOOK;
    while (took == TR__TOOK) {
        skip_blanks(&t);
        if (t.at >= t.n)
            break;
        switch (pos->state) {
        case TR__AT_START:
            took = at_start(&t);
            break;
        case TR__IN_OBJECT:
            took = in_object(&t);
            break;
        case TR__OBJECT_LOST:
            took = find_events(&t);
            break;
        case TR__AT_END:
            took = at_end(&t);
            break;
        case TR__IGNORE:
            t.at = t.n;
            break;
        default:
            took = in_events(&t);
        }
    }
    *used = t.at;
    if (took == TR__TOOK && last) {
        bool open = pos->state == TR__IN_OBJECT ||
                    (pos->state >= TR__EVENTS_FIRST && pos->state <= TR__EVENTS_LOST && !pos->bare_array);
        if (open)
            tr__count(ps->piece, TR_CAUSE_TRUNCATED, offset + n);
    }
    return took;
}
