/* SPDX-License-Identifier: MIT */
/* Finds the next event after damage among the events. */
#include "formats/chrome/tr_chrome_doc_int.h"

#define CANDIDATE 4096u     /* bytes in which a possible event must have its "ph" */
#define CANDIDATE_DEPTH 8u  /* brackets open before it */
#define TAIL_BYTES (1u << 20) /* the most text after the events, if the last event is damaged */
#define TAIL_TRIES 256u
#define MAX_IN_VAIN (64u << 20)
#define GOOD_FOR 16u /* bytes that may be read without result, per byte of progress */

/* Does an object with a key of events start at the brace p[at]?  The value of a member does not count. */
static enum tr_json_result starts(const struct tr__text_view *t, size_t at)
{
    size_t quote = tr__blanks_end(t, at + 1), before = at;
    while (before > 0 && tr_json_space(t->p[before - 1]))
        before--;
    if (before > 0 && t->p[before - 1] == ':')
        return TR_JSON_BAD;
    return tr_json_starts(t->p, t->n, quote, t->last, &t->pos->firsts);
}

enum tr__took tr__looks_like_event(const struct tr__text_view *t, size_t at, bool torn)
{
    size_t end = at + CANDIDATE < t->n ? at + CANDIDATE : t->n;
    size_t i = tr__blanks_end(t, at + 1);
    unsigned depth = 1, objects = 1; /* a bit for each open bracket, that of the innermost is the last */
    bool first = true;
    char before = '{'; /* the last byte that is not a blank */
    torn = torn && starts(t, at) == TR_JSON_DONE;
    while (i < end) {
        char c = t->p[i];
        if (first && c != '"')
            return TR__BAD;
        if (c == '"') {
            size_t from = i + 1;
            i = tr__string_end(t, i, end);
            size_t len = i - 1 - from, colon = tr__blanks_end(t, i);
            if (i > end || colon >= end)
                break;
            if (t->p[colon] == ':' && depth == 1 && len == 2 && !memcmp(t->p + from, "ph", 2))
                return TR__TOOK;
            enum tr_json_result next = tr_json_starts(t->p, t->n, i - 1, t->last, &t->pos->firsts);
            if (next != TR_JSON_BAD)
                return next == TR_JSON_MORE ? TR__MORE : torn ? TR__TOOK : TR__BAD;
            if (first && t->p[colon] != ':')
                return TR__BAD;
            first = false;
            before = c;
            continue;
        }
        if (torn && (objects & 1) && ((c == '{' && before != ':') || c == ']'))
            return TR__TOOK; /* neither can be there */
        if (c == '{' || c == '[')
            objects = objects << 1 | (c == '{');
        else if (c == '}' || c == ']')
            objects >>= 1;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        if (depth == 0 || depth > CANDIDATE_DEPTH)
            return TR__BAD;
        if (!tr_json_space(c))
            before = c;
        i++;
    }
    return end == t->n && !t->last ? TR__MORE : TR__BAD;
}

enum tr__took tr__resynchronise(struct tr__text_view *t, bool torn)
{
    for (size_t i = t->at + 1; i < t->n; i++) {
        const char *brace = memchr(t->p + i, '{', t->n - i);
        if (!brace)
            break;
        i = (size_t)(brace - t->p);
        enum tr__took took = tr__looks_like_event(t, i, torn);
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
static bool members_to_the_end(const struct tr__text_view *t, size_t at)
{
    size_t len;
    unsigned defects;
    for (;;) {
        at = tr__blanks_end(t, at);
        if (at < t->n && t->p[at] == '}')
            return tr__blanks_end(t, at + 1) == t->n;
        if (at >= t->n || t->p[at] != ',')
            return false;
        at = tr__blanks_end(t, at + 1);
        if (at >= t->n || t->p[at] != '"')
            return false;
        at = tr__blanks_end(t, tr__string_end(t, at, t->n));
        if (at >= t->n || t->p[at] != ':')
            return false;
        at = tr__blanks_end(t, at + 1);
        if (at >= t->n || tr_json_scan(t->p + at, t->n - at, true, NULL, &len, &defects) != TR_JSON_DONE)
            return false;
        at += len;
    }
}

bool tr__holds_the_end(const char *p, size_t len)
{
    const struct tr__text_view event = { .p = p, .n = len };
    for (size_t i = len, tries = 0; i > 0 && len - i < TAIL_BYTES && tries < TAIL_TRIES; i--) {
        if (p[i - 1] != ']')
            continue;
        if (members_to_the_end(&event, i))
            return true;
        tries++;
    }
    return false;
}

/*
 * The last event is damaged, at p[from]: go on at the end of the array of events, because the time base may follow it.
 * False: there is no such end.
 */
static bool find_array_end(struct tr__text_view *t, size_t from)
{
    size_t i = t->n - from > TAIL_BYTES ? t->n - TAIL_BYTES : from;
    for (unsigned tries = 0; tries < TAIL_TRIES && i < t->n; tries++, i++) {
        const char *bracket = memchr(t->p + i, ']', t->n - i);
        if (!bracket)
            return false;
        i = (size_t)(bracket - t->p);
        if (t->pos->bare_array ? tr__blanks_end(t, i + 1) == t->n : members_to_the_end(t, i + 1)) {
            t->at = i;
            t->pos->state = TR__EVENTS_VALUE;
            return true;
        }
    }
    return false;
}

/* Give up the text after damage. */
static void drop_rest(struct tr__text_view *t)
{
    t->at = t->n;
    t->pos->state = TR__AT_END;
}

void tr__got_over(struct tr__text_view *t, size_t n)
{
    size_t *in_vain = &t->pos->in_vain, *repairs = &t->pos->repairs;
    *in_vain -= *in_vain < GOOD_FOR * n ? *in_vain : GOOD_FOR * n;
    *repairs -= *repairs < GOOD_FOR * n ? *repairs : GOOD_FOR * n;
}

/*
 * The search for the next event starts right after the first brace of this one.  In malicious text, each brace could be
 * read up to the limit without result.  So if much was read without result, the search starts after all text that was
 * read.
 */
enum tr__took tr__lose_event(struct tr__text_view *t, enum tr_damage_cause cause, size_t where)
{
    size_t from = t->at;
    bool cut = cause == TR_DAMAGE_TRUNCATED, element = t->pos->state != TR__EVENTS_VALUE;
    bool keep = t->n - from <= TR__MAX_EVENT + CANDIDATE;
    size_t seen = cause == TR_DAMAGE_TOO_LONG ? TR__MAX_EVENT : where;
    bool skip = seen > 0 && t->pos->in_vain > MAX_IN_VAIN;
    t->at = skip ? from + seen - 1 : from;
    enum tr__took took = tr__resynchronise(t, true);
    if (took != TR__TOOK)
        t->at = from;
    if (took == TR__MORE && keep)
        return TR__MORE; /* decide when more of the text is there */
    if (skip)
        tr__got_over(t, seen);
    else
        t->pos->in_vain += seen;
    t->ps->lane.piece->n_elements += element; /* else it is between two */
    bool has_tail = !cut || (from + where < t->n && t->p[from + where] == '"'); /* else it is a whole text */
    if (took == TR__TOOK || (took == TR__BAD && keep && has_tail && find_array_end(t, from + where))) {
        tr__count(t->ps->lane.piece, cut ? TR_DAMAGE_BAD_EVENT : cause, t->offset + from);
        return TR__TOOK;
    }
    if (!cut)
        tr__count(t->ps->lane.piece, cause, t->offset + from);
    if (took == TR__MORE) { /* forget it, except what a candidate needs */
        t->at = t->n - CANDIDATE;
        t->pos->state = TR__EVENTS_LOST;
        return TR__TOOK;
    }
    if (cut || (keep && !t->pos->bare_array))
        tr__count(t->ps->lane.piece, TR_DAMAGE_TRUNCATED, t->offset + from);
    drop_rest(t);
    return TR__TOOK;
}

enum tr__took tr__find_event(struct tr__text_view *t)
{
    t->at--; /* tr__resynchronise searches after the given place */
    enum tr__took took = tr__resynchronise(t, false);
    if (took == TR__TOOK)
        return TR__TOOK;
    t->at++;
    if (took == TR__BAD)
        drop_rest(t);
    else if (t->n - t->at > CANDIDATE)
        t->at = t->n - CANDIDATE;
    return took == TR__BAD ? TR__TOOK : TR__MORE;
}
