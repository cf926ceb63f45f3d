/* SPDX-License-Identifier: MIT */
/* The text around the events: members of the outer object, commas, ends. */
#include "formats/chrome/tr_chrome_doc_int.h"

#include <stdlib.h>

static void count(struct tr__text_view *t, enum tr_damage_cause cause)
{
    tr__count(t->ps->lane.piece, cause, t->offset + t->at);
}

static void skip_blanks(struct tr__text_view *t)
{
    while (t->at < t->n && tr_json_space(t->p[t->at]))
        t->at++;
}

void tr__position_init(struct tr__position *pos)
{
    static const char *const keys[] = { "ph",  "name", "cat",   "ts",      "pid", "tid", "dur",   "id",
                                        "tts", "args", "tdur",  "id2",     "s",   "bp",  "scope", "bind_id",
                                        "sf",  "esf",  "stack", "estack",  "cname" };
    memset(pos, 0, sizeof *pos);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        tr_json_firsts_add(&pos->firsts, keys[i], strlen(keys[i]));
}

/* Learn the first key of the event just read. */
static void learn_first(struct tr__text_view *t)
{
    size_t quote = tr__blanks_end(t, t->at + 1), after = tr__string_end(t, quote, t->n);
    t->pos->n_learnt++;
    if (t->p[quote] == '"' && after < t->n)
        tr_json_firsts_add(&t->pos->firsts, t->p + quote + 1, after - quote - 2);
}

static enum tr__took take_object(struct tr__text_view *t)
{
    size_t len;
    bool last;
    size_t n = tr__view(t, t->at, &last);
    switch (tr__take_event(t->ps, t->p + t->at, n, last, t->offset + t->at, &len)) {
    case TR__LONG:
        count(t, TR_DAMAGE_TOO_LONG);
        t->ps->lane.piece->n_elements++;
        /* fall through */
    case TR__TOOK:
        if (t->pos->n_learnt < TR__LEARN_EVENTS)
            learn_first(t);
        t->at += len;
        t->pos->state = TR__EVENTS_VALUE;
        tr__got_over(t, len);
        return TR__TOOK;
    case TR__BAD:
        return tr__lose_event(t, TR_DAMAGE_BAD_EVENT, len);
    case TR__MORE:
        if (last)
            return tr__lose_event(t, TR_DAMAGE_TRUNCATED, len);
        return tr__too_long(t, t->at) ? tr__lose_event(t, TR_DAMAGE_TOO_LONG, 0) : TR__MORE;
    default:
        return TR__NO_MEMORY;
    }
}

/*
 * Can what follows the string p[0..len) follow an element?  If not, its opening quote is a stray one, and the closing
 * quote in fact opens a string.  n, last: the view.
 */
static enum tr__took string_ends(const char *p, size_t len, size_t n, bool last)
{
    while (len < n && tr_json_space(p[len]))
        len++;
    if (len >= n)
        return last || n >= TR__MAX_EVENT ? TR__TOOK : TR__MORE;
    return p[len] == ',' || p[len] == ']' || p[len] == '{' ? TR__TOOK : TR__BAD;
}

static enum tr__took take_element(struct tr__text_view *t)
{
    size_t len;
    unsigned defects;
    bool last;
    if (t->p[t->at] == '{')
        return take_object(t);
    size_t n = tr__view(t, t->at, &last);
    switch (tr_json_scan(t->p + t->at, n, last, NULL, &len, &defects)) {
    case TR_JSON_DONE:
        if (t->p[t->at] == '"') {
            enum tr__took ends = string_ends(t->p + t->at, len, n, last);
            if (ends != TR__TOOK)
                return ends == TR__MORE ? TR__MORE : tr__lose_event(t, TR_DAMAGE_BAD_EVENT, 0);
        }
        count(t, TR_DAMAGE_NOT_AN_OBJECT);
        t->ps->lane.piece->n_elements++;
        t->at += len;
        t->pos->state = TR__EVENTS_VALUE;
        return TR__TOOK;
    case TR_JSON_MORE:
        if (last)
            return tr__lose_event(t, TR_DAMAGE_TRUNCATED, len);
        return tr__too_long(t, t->at) ? tr__lose_event(t, TR_DAMAGE_TOO_LONG, 0) : TR__MORE;
    default:
        return tr__lose_event(t, TR_DAMAGE_BAD_EVENT, len);
    }
}

static enum tr__took in_events(struct tr__text_view *t)
{
    char c = t->p[t->at];
    struct tr__position *pos = t->pos;
    if (c == ']') {
        t->at++;
        pos->state = pos->bare_array ? TR__AT_END : TR__IN_OBJECT;
        return TR__TOOK;
    }
    if (c == ',') {
        if (pos->state != TR__EVENTS_VALUE)
            count(t, TR_DAMAGE_EXTRA_COMMA);
        t->at++;
        pos->state = TR__EVENTS_COMMA;
        return TR__TOOK;
    }
    if (pos->state == TR__EVENTS_VALUE) {
        if (c != '{')
            return tr__lose_event(t, TR_DAMAGE_BAD_EVENT, 0);
        count(t, TR_DAMAGE_MISSING_COMMA);
        pos->state = TR__EVENTS_COMMA;
    }
    return take_element(t);
}

/* Keep a member; n, last: as for tr_json_scan. */
static bool add_header(struct tr__text_view *t, const char *key, size_t key_len, const char *value, size_t n,
                       bool last, unsigned value_defects)
{
    struct tr__piece *pc = t->ps->lane.piece;
    struct tr_buf k = { 0 }, v = { 0 };
    unsigned defects = 0;
    bool ok = tr_grow(&pc->header, &pc->cap_header, pc->n_header + 1, sizeof *pc->header) &&
              tr_json_unescape(key, key_len, &k, &defects) && tr_buf_add(&k, "", 1) &&
              tr_json_clean(value, n, last, false, &v) && tr_buf_add(&v, "", 1);
    tr__count_defects(pc, defects | value_defects, t->offset + t->at);
    if (ok && v.len > TR__MAX_EVENT) {
        count(t, TR_DAMAGE_BAD_HEADER);
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

static const char events_key[] = "traceEvents\"";
#define EVENTS_KEY_LEN (sizeof events_key - 1)

/*
 * The array of events after p[at]: the offset after its bracket.  The first quote of the key is not needed; it may seem
 * to close an earlier string that was never closed.  SIZE_MAX: none; then *at is where to look again when there is more
 * text.
 */
static size_t find_events_key(const struct tr__text_view *t, size_t *at)
{
    size_t i = *at;
    while (i < t->n) {
        const char *key = memchr(t->p + i, events_key[0], t->n - i);
        if (!key)
            break;
        i = (size_t)(key - t->p);
        size_t n = t->n - i < EVENTS_KEY_LEN ? t->n - i : EVENTS_KEY_LEN;
        if (memcmp(key, events_key, n) == 0) {
            size_t after = tr__blanks_end(t, i + n);
            if (after < t->n && t->p[after] == ':')
                after = tr__blanks_end(t, after + 1);
            if (after < t->n && t->p[after] == '[')
                return after + 1;
            if (after >= t->n) {
                *at = i;
                return SIZE_MAX;
            }
        }
        i++;
    }
    *at = t->n;
    return SIZE_MAX;
}

static void start_events(struct tr__text_view *t, size_t at)
{
    if (t->pos->seen_events)
        count(t, TR_DAMAGE_SECOND_TRACE);
    else if (t->ps->lane.piece->events_at == SIZE_MAX) /* else: of a trace after the first one */
        t->ps->lane.piece->events_at = t->ps->lane.piece->n_header;
    t->pos->seen_events = true;
    t->at = at;
    t->pos->state = TR__EVENTS_FIRST;
}

/*
 * Damage among the members of the outer object: go on at the next events, wherever they start.  cut: the text ends in
 * this member.
 */
static enum tr__took lost_in_object(struct tr__text_view *t, bool cut)
{
    size_t from = t->at, more = t->at, events;
    bool seen = t->pos->seen_events;
    events = seen ? SIZE_MAX : find_events_key(t, &more);
    if (events == SIZE_MAX && !seen && !t->last && !tr__too_long(t, t->at))
        return TR__MORE;
    if (events != SIZE_MAX) {
        tr__count(t->ps->lane.piece, TR_DAMAGE_BAD_HEADER, t->offset + from);
        start_events(t, events);
        return TR__TOOK;
    }
    if (seen && !cut) {
        t->pos->state = TR__EVENTS_LOST;
    } else if (!seen && !t->last) {
        t->pos->state = TR__OBJECT_LOST;
        t->at = more;
    } else if (!seen || tr__resynchronise(t, false) != TR__TOOK) {
        t->at = t->n;
        t->pos->state = TR__IGNORE;
        tr__count(t->ps->lane.piece, cut ? TR_DAMAGE_TRUNCATED : TR_DAMAGE_BAD_HEADER, t->offset + from);
        return TR__TOOK;
    }
    tr__count(t->ps->lane.piece, TR_DAMAGE_BAD_HEADER, t->offset + from);
    return TR__TOOK;
}

/* The same, if the damage was too long to keep. */
static enum tr__took find_events(struct tr__text_view *t)
{
    size_t more = t->at, events = find_events_key(t, &more);
    if (events != SIZE_MAX) {
        start_events(t, events);
        return TR__TOOK;
    }
    t->at = more;
    if (!t->last)
        return TR__MORE;
    t->at = t->n;
    t->pos->state = TR__IGNORE;
    return TR__TOOK;
}

/* A member does not end within the view. */
static enum tr__took unfinished(struct tr__text_view *t)
{
    if (tr__too_long(t, t->at))
        return lost_in_object(t, false);
    return t->last ? lost_in_object(t, true) : TR__MORE;
}

/* One member of the outer object, or its end. */
static enum tr__took in_object(struct tr__text_view *t)
{
    char c = t->p[t->at];
    size_t len, at;
    unsigned defects;
    bool last;
    if (c == ',') {
        t->at++;
        return TR__TOOK;
    }
    if (c == '}') {
        t->at++;
        t->pos->state = TR__AT_END;
        return TR__TOOK;
    }
    if (c != '"')
        return lost_in_object(t, false);
    size_t end = t->at + tr__view(t, t->at, &last);
    size_t after = tr__string_end(t, t->at, end), key_len = after - t->at; /* with its quotes */
    if (after > end)
        return unfinished(t);
    at = tr__blanks_end(t, after);
    if (at < end && t->p[at] == ':')
        at = tr__blanks_end(t, at + 1);
    if (at >= end)
        return unfinished(t);
    const char *key = t->p + t->at;
    if (key_len == EVENTS_KEY_LEN + 1 && !memcmp(key + 1, events_key, EVENTS_KEY_LEN) && t->p[at] == '[') {
        start_events(t, at + 1);
        return TR__TOOK;
    }
    switch (tr_json_scan(t->p + at, end - at, last, NULL, &len, &defects)) {
    case TR_JSON_DONE:
        if (!add_header(t, key + 1, key_len - 2, t->p + at, end - at, last, defects))
            return TR__NO_MEMORY;
        t->at = at + len;
        return TR__TOOK;
    case TR_JSON_MORE:
        return unfinished(t);
    default:
        return lost_in_object(t, false);
    }
}

static enum tr__took at_start(struct tr__text_view *t)
{
    char c = t->p[t->at];
    if (!t->pos->seen_bracket && t->offset + t->at == 0 && (unsigned char)c == 0xef) {
        if (t->n - t->at < 3 && !t->last)
            return TR__MORE;
        if (t->n - t->at >= 3 && !memcmp(t->p + t->at, "\xef\xbb\xbf", 3)) {
            count(t, TR_DAMAGE_BYTE_ORDER_MARK);
            t->at += 3;
            return TR__TOOK;
        }
    }
    if (c == '{' || c == '[') {
        t->pos->seen_bracket = true;
        t->pos->bare_array = c == '[';
        t->ps->lane.piece->bare_array |= c == '['; /* one of several traces */
        t->pos->state = c == '[' ? TR__EVENTS_FIRST : TR__IN_OBJECT;
        t->pos->seen_events |= c == '[';
        t->at++;
        return TR__TOOK;
    }
    t->pos->state = TR__IGNORE;
    t->at = t->n;
    return TR__TOOK;
}

/* After the end: another trace, more events of another writer to the same file, or meaningless bytes. */
static enum tr__took at_end(struct tr__text_view *t)
{
    char c = t->p[t->at];
    enum tr__took event = c == '{' ? tr__looks_like_event(t, t->at, false) : TR__BAD;
    if (event == TR__MORE)
        return TR__MORE;
    if (event == TR__TOOK) {
        count(t, TR_DAMAGE_SECOND_TRACE);
        t->pos->state = TR__EVENTS_COMMA;
        t->pos->after_end = true;
    } else if (c == '{' || c == '[') {
        count(t, TR_DAMAGE_SECOND_TRACE);
        t->pos->state = TR__AT_START;
        t->pos->seen_events = t->pos->after_end = false;
    } else {
        count(t, TR_DAMAGE_TRAILING_BYTES);
        t->pos->state = TR__EVENTS_LOST;
    }
    return TR__TOOK;
}

enum tr__took tr__take_text(struct tr__parser *ps, struct tr__position *pos, const char *p, size_t n,
                            bool last, uint64_t offset, size_t *used)
{
    struct tr__text_view t = { ps, pos, p, n, 0, last, offset };
    enum tr__took took = TR__TOOK;
    ps->firsts = &pos->firsts;
    ps->repairs = &pos->repairs;
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
        case TR__EVENTS_LOST:
            took = tr__find_event(&t);
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
                    (pos->state >= TR__EVENTS_FIRST && pos->state <= TR__EVENTS_LOST && !pos->after_end &&
                     (!pos->bare_array || pos->state == TR__EVENTS_FIRST)); /* an array of events may lack its end */
        if (open)
            tr__count(ps->lane.piece, TR_DAMAGE_TRUNCATED, offset + n);
    }
    return took;
}
