/* The text around the events: members of the outer object, commas, ends, and finding the way after damage. */
#include "formats/tr_chrome_int.h"

#include <stdlib.h>

#define CANDIDATE 4096u     /* bytes in which what seems to be an event must show its "ph" */
#define CANDIDATE_DEPTH 8u  /* brackets open before it */
#define TAIL_BYTES (1u << 20) /* what may stand behind the events, when the last of them is damaged */
#define TAIL_TRIES 256u
#define MAX_IN_VAIN (64u << 20)
#define GOOD_FOR 16u /* a byte got over makes up for so many that were read in vain */

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

/*
 * How much of the text a value at p[at] may take: what is there, or the limit.  Looking no further than
 * the limit makes the result the same for all sizes of pieces.  *last: the text ends where the view does.
 */
static size_t view(const struct text *t, size_t at, bool *last)
{
    size_t n = t->n - at;
    *last = t->last && n <= TR__MAX_EVENT;
    return n <= TR__MAX_EVENT ? n : TR__MAX_EVENT;
}

/* A value at p[at] does not end: is that for good? */
static bool too_long(const struct text *t, size_t at)
{
    return t->n - at > TR__MAX_EVENT;
}

static size_t blanks_end(const struct text *t, size_t at)
{
    while (at < t->n && tr_json_space(t->p[at]))
        at++;
    return at;
}

/* Behind the string whose opening quote is at p[at]; more than end if it has no end before that. */
static size_t string_end(const struct text *t, size_t at, size_t end)
{
    for (at++; at < end && t->p[at] != '"'; at++)
        at += t->p[at] == '\\';
    return at + 1;
}

/*
 * Does an event object seem to start at p[at] == '{': members, the key "ph" among them?
 * TR__MORE: too near the end of the text to tell.
 */
static enum tr__took looks_like_event(const struct text *t, size_t at)
{
    size_t end = at + CANDIDATE < t->n ? at + CANDIDATE : t->n;
    size_t i = blanks_end(t, at + 1);
    unsigned depth = 1;
    bool first = true;
    while (i < end) {
        char c = t->p[i];
        if (first && c != '"')
            return TR__BAD;
        if (c == '"') {
            size_t from = i + 1;
            i = string_end(t, i, end);
            size_t len = i - 1 - from, colon = blanks_end(t, i);
            if (i > end || colon >= end)
                break;
            if (t->p[colon] == ':' && depth == 1 && len == 2 && !memcmp(t->p + from, "ph", 2))
                return TR__TOOK;
            if (first && t->p[colon] != ':')
                return TR__BAD;
            first = false;
            continue;
        }
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        if (depth == 0 || depth > CANDIDATE_DEPTH)
            return TR__BAD;
        i++;
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

/* Do members of the outer object follow at p[at], and then its end and that of the text? */
static bool members_to_the_end(const struct text *t, size_t at)
{
    size_t len;
    unsigned defects;
    for (;;) {
        at = blanks_end(t, at);
        if (at < t->n && t->p[at] == '}')
            return blanks_end(t, at + 1) == t->n;
        if (at >= t->n || t->p[at] != ',')
            return false;
        at = blanks_end(t, at + 1);
        if (at >= t->n || t->p[at] != '"')
            return false;
        at = blanks_end(t, string_end(t, at, t->n));
        if (at >= t->n || t->p[at] != ':')
            return false;
        at = blanks_end(t, at + 1);
        if (at >= t->n || tr_json_scan(t->p + at, t->n - at, true, &len, &defects) != TR_JSON_DONE)
            return false;
        at += len;
    }
}

/*
 * The last event is damaged, at p[from]: go on at the end of the array of events, for what follows it may
 * be the time base.  False: there is none.
 */
static bool find_array_end(struct text *t, size_t from)
{
    size_t i = t->n - from > TAIL_BYTES ? t->n - TAIL_BYTES : from;
    for (unsigned tries = 0; tries < TAIL_TRIES && i < t->n; tries++, i++) {
        const char *bracket = memchr(t->p + i, ']', t->n - i);
        if (!bracket)
            return false;
        i = (size_t)(bracket - t->p);
        if (t->pos->bare_array ? blanks_end(t, i + 1) == t->n : members_to_the_end(t, i + 1)) {
            t->at = i;
            t->pos->state = TR__EVENTS_VALUE;
            return true;
        }
    }
    return false;
}

/* Give up what stands behind damage. */
static void drop_rest(struct text *t)
{
    t->at = t->n;
    t->pos->state = TR__AT_END;
}

/* So many bytes have been got over. */
static void progress(struct text *t, size_t n)
{
    size_t *in_vain = &t->pos->in_vain;
    *in_vain -= *in_vain < GOOD_FOR * n ? *in_vain : GOOD_FOR * n;
}

/*
 * The event at t->at is damaged: count it and go on behind it.
 *
 * cause  TR_CAUSE_TRUNCATED if the text ends in it, unless something can be found behind it
 * where  how far it is good; there, it is damaged
 *
 * The next event is looked for right behind the brace that this one begins with.  But text made for it could
 * have every brace read to the limit and given up; so where much was read in vain before, it is looked for
 * behind all that was read.
 */
static enum tr__took lose_event(struct text *t, enum tr_cause cause, size_t where)
{
    size_t from = t->at;
    bool cut = cause == TR_CAUSE_TRUNCATED, element = t->pos->state != TR__EVENTS_VALUE;
    bool keep = t->n - from <= TR__MAX_EVENT + CANDIDATE;
    size_t seen = cause == TR_CAUSE_TOO_LONG ? TR__MAX_EVENT : where;
    bool skip = seen > 0 && t->pos->in_vain > MAX_IN_VAIN;
    t->at = skip ? from + seen - 1 : from;
    enum tr__took took = resynchronise(t);
    if (took != TR__TOOK)
        t->at = from;
    if (took == TR__MORE && keep)
        return TR__MORE; /* decide when more of the text is there */
    if (skip)
        progress(t, seen);
    else
        t->pos->in_vain += seen;
    t->ps->piece->n_elements += element; /* else it stands between two */
    bool has_tail = !cut || (from + where < t->n && t->p[from + where] == '"'); /* else it is a whole text */
    if (took == TR__TOOK || (took == TR__BAD && keep && has_tail && find_array_end(t, from + where))) {
        tr__count(t->ps->piece, cut ? TR_CAUSE_BAD_EVENT : cause, t->offset + from);
        return TR__TOOK;
    }
    if (!cut)
        tr__count(t->ps->piece, cause, t->offset + from);
    if (took == TR__MORE) { /* forget it but for what a candidate needs */
        t->at = t->n - CANDIDATE;
        t->pos->state = TR__EVENTS_LOST;
        return TR__TOOK;
    }
    if (cut || (keep && !t->pos->bare_array))
        tr__count(t->ps->piece, TR_CAUSE_TRUNCATED, t->offset + from);
    drop_rest(t);
    return TR__TOOK;
}

static enum tr__took take_object(struct text *t)
{
    size_t len;
    bool last;
    size_t n = view(t, t->at, &last);
    switch (tr__take_event(t->ps, t->p + t->at, n, last, t->offset + t->at, &len)) {
    case TR__LONG:
        count(t, TR_CAUSE_TOO_LONG);
        t->ps->piece->n_elements++;
        /* fall through */
    case TR__TOOK:
        t->at += len;
        t->pos->state = TR__EVENTS_VALUE;
        progress(t, len);
        return TR__TOOK;
    case TR__BAD:
        return lose_event(t, TR_CAUSE_BAD_EVENT, len);
    case TR__MORE:
        if (last)
            return lose_event(t, TR_CAUSE_TRUNCATED, len);
        return too_long(t, t->at) ? lose_event(t, TR_CAUSE_TOO_LONG, 0) : TR__MORE;
    default:
        return TR__NO_MEMORY;
    }
}

static enum tr__took take_element(struct text *t)
{
    size_t len;
    unsigned defects;
    bool last;
    if (t->p[t->at] == '{')
        return take_object(t);
    size_t n = view(t, t->at, &last);
    switch (tr_json_scan(t->p + t->at, n, last, &len, &defects)) {
    case TR_JSON_DONE:
        count(t, TR_CAUSE_NOT_AN_OBJECT);
        t->ps->piece->n_elements++;
        t->at += len;
        t->pos->state = TR__EVENTS_VALUE;
        return TR__TOOK;
    case TR_JSON_MORE:
        if (last)
            return lose_event(t, TR_CAUSE_TRUNCATED, len);
        return too_long(t, t->at) ? lose_event(t, TR_CAUSE_TOO_LONG, 0) : TR__MORE;
    default:
        return lose_event(t, TR_CAUSE_BAD_EVENT, len);
    }
}

/* Somewhere behind damage: t->at may be the next event itself. */
static enum tr__took find_event(struct text *t)
{
    t->at--; /* resynchronise looks behind the place it is given */
    enum tr__took took = resynchronise(t);
    if (took == TR__TOOK)
        return TR__TOOK;
    t->at++;
    if (took == TR__BAD)
        drop_rest(t);
    else if (t->n - t->at > CANDIDATE)
        t->at = t->n - CANDIDATE;
    return took == TR__BAD ? TR__TOOK : TR__MORE;
}

static enum tr__took in_events(struct text *t)
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
            count(t, TR_CAUSE_EXTRA_COMMA);
        t->at++;
        pos->state = TR__EVENTS_COMMA;
        return TR__TOOK;
    }
    if (pos->state == TR__EVENTS_VALUE) {
        if (c != '{')
            return lose_event(t, TR_CAUSE_BAD_EVENT, 0);
        count(t, TR_CAUSE_MISSING_COMMA);
        pos->state = TR__EVENTS_COMMA;
    }
    return take_element(t);
}

/* Keep a member; n, last: as given to tr_json_scan. */
static bool add_header(struct text *t, const char *key, size_t key_len, const char *value, size_t n,
                       bool last, unsigned value_defects)
{
    struct tr__piece *pc = t->ps->piece;
    struct tr_buf k = { 0 }, v = { 0 };
    unsigned defects = 0;
    bool ok = tr_grow(&pc->header, &pc->cap_header, pc->n_header + 1, sizeof *pc->header) &&
              tr_json_unescape(key, key_len, &k, &defects) && tr_buf_add(&k, "", 1) &&
              tr_json_clean(value, n, last, false, &v) && tr_buf_add(&v, "", 1);
    tr__count_defects(pc, defects | value_defects, t->offset + t->at);
    if (ok && v.len > TR__MAX_EVENT) {
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

static const char events_key[] = "traceEvents\"";
#define EVENTS_KEY_LEN (sizeof events_key - 1)

/*
 * The array of events behind p[at]: the offset behind its bracket.  The key's first quote is not asked for;
 * it may seem to be the last of a string that was never closed.
 * SIZE_MAX: none; *at is then set to where more of the text may show one.
 */
static size_t find_events_key(const struct text *t, size_t *at)
{
    size_t i = *at;
    while (i < t->n) {
        const char *key = memchr(t->p + i, events_key[0], t->n - i);
        if (!key)
            break;
        i = (size_t)(key - t->p);
        size_t n = t->n - i < EVENTS_KEY_LEN ? t->n - i : EVENTS_KEY_LEN;
        if (memcmp(key, events_key, n) == 0) {
            size_t behind = blanks_end(t, i + n);
            if (behind < t->n && t->p[behind] == ':')
                behind = blanks_end(t, behind + 1);
            if (behind < t->n && t->p[behind] == '[')
                return behind + 1;
            if (behind >= t->n) {
                *at = i;
                return SIZE_MAX;
            }
        }
        i++;
    }
    *at = t->n;
    return SIZE_MAX;
}

static void begin_events(struct text *t, size_t at)
{
    if (t->pos->seen_events)
        count(t, TR_CAUSE_SECOND_TRACE);
    else if (t->ps->piece->events_at == SIZE_MAX) /* else: of a trace behind the first one */
        t->ps->piece->events_at = t->ps->piece->n_header;
    t->pos->seen_events = true;
    t->at = at;
    t->pos->state = TR__EVENTS_FIRST;
}

/*
 * Damage among the members of the outer object: go on at the events, or at more of them, wherever they
 * come.  cut: the text ends in this member.
 */
static enum tr__took lost_in_object(struct text *t, bool cut)
{
    size_t from = t->at, more = t->at, events;
    bool seen = t->pos->seen_events;
    events = seen ? SIZE_MAX : find_events_key(t, &more);
    if (events == SIZE_MAX && !seen && !t->last && !too_long(t, t->at))
        return TR__MORE;
    if (events != SIZE_MAX) {
        tr__count(t->ps->piece, TR_CAUSE_BAD_HEADER, t->offset + from);
        begin_events(t, events);
        return TR__TOOK;
    }
    if (seen && !cut) {
        t->pos->state = TR__EVENTS_LOST;
    } else if (!seen && !t->last) {
        t->pos->state = TR__OBJECT_LOST;
        t->at = more;
    } else if (!seen || resynchronise(t) != TR__TOOK) {
        t->at = t->n;
        t->pos->state = TR__IGNORE;
        tr__count(t->ps->piece, cut ? TR_CAUSE_TRUNCATED : TR_CAUSE_BAD_HEADER, t->offset + from);
        return TR__TOOK;
    }
    tr__count(t->ps->piece, TR_CAUSE_BAD_HEADER, t->offset + from);
    return TR__TOOK;
}

/* The same, where the damage was too long to be kept. */
static enum tr__took find_events(struct text *t)
{
    size_t more = t->at, events = find_events_key(t, &more);
    if (events != SIZE_MAX) {
        begin_events(t, events);
        return TR__TOOK;
    }
    t->at = more;
    if (!t->last)
        return TR__MORE;
    t->at = t->n;
    t->pos->state = TR__IGNORE;
    return TR__TOOK;
}

/* A member does not end in sight. */
static enum tr__took unfinished(struct text *t)
{
    if (too_long(t, t->at))
        return lost_in_object(t, false);
    return t->last ? lost_in_object(t, true) : TR__MORE;
}

/* One member of the outer object, or its end. */
static enum tr__took in_object(struct text *t)
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
    size_t end = t->at + view(t, t->at, &last);
    size_t behind = string_end(t, t->at, end), key_len = behind - t->at; /* with its quotes */
    if (behind > end)
        return unfinished(t);
    at = blanks_end(t, behind);
    if (at < end && t->p[at] == ':')
        at = blanks_end(t, at + 1);
    if (at >= end)
        return unfinished(t);
    const char *key = t->p + t->at;
    if (key_len == EVENTS_KEY_LEN + 1 && !memcmp(key + 1, events_key, EVENTS_KEY_LEN) && t->p[at] == '[') {
        begin_events(t, at + 1);
        return TR__TOOK;
    }
    switch (tr_json_scan(t->p + at, end - at, last, &len, &defects)) {
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

/* Behind the end: another trace, more events of a writer that shared the file, or bytes that mean nothing. */
static enum tr__took at_end(struct text *t)
{
    char c = t->p[t->at];
    enum tr__took event = c == '{' ? looks_like_event(t, t->at) : TR__BAD;
    if (event == TR__MORE)
        return TR__MORE;
    if (event == TR__TOOK) {
        count(t, TR_CAUSE_SECOND_TRACE);
        t->pos->state = TR__EVENTS_COMMA;
        t->pos->behind_end = true;
    } else if (c == '{' || c == '[') {
        count(t, TR_CAUSE_SECOND_TRACE);
        t->pos->state = TR__AT_START;
        t->pos->seen_events = t->pos->behind_end = false;
    } else {
        count(t, TR_CAUSE_TRAILING_BYTES);
        t->pos->state = TR__EVENTS_LOST;
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
        case TR__EVENTS_LOST:
            took = find_event(&t);
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
                    (pos->state >= TR__EVENTS_FIRST && pos->state <= TR__EVENTS_LOST && !pos->bare_array &&
                     !pos->behind_end);
        if (open)
            tr__count(ps->piece, TR_CAUSE_TRUNCATED, offset + n);
    }
    return took;
}
