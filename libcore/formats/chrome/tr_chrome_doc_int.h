/* SPDX-License-Identifier: MIT */
/*
 * Walking through the text of a file.  Internal to libcore.
 *
 *   tr_chrome_doc.c   regular text: members of the outer object, events, commas, ends
 *   tr_chrome_resync.c  finds the next event after damage
 */
#ifndef TR_CHROME_DOC_INT_H
#define TR_CHROME_DOC_INT_H

#include "formats/chrome/tr_chrome_int.h"

struct tr__text_view {
    struct tr__parser *ps;
    struct tr__position *pos;
    const char *p;
    size_t n, at;
    bool last;
    uint64_t offset;
};

/*
 * How much of the text may a value at p[at] take?  All of it, or up to the limit.  With the limit, the result is the
 * same for all sizes of pieces.  *last: the text ends with the view.
 */
static inline size_t tr__view(const struct tr__text_view *t, size_t at, bool *last)
{
    size_t n = t->n - at;
    *last = t->last && n <= TR__MAX_EVENT;
    return n <= TR__MAX_EVENT ? n : TR__MAX_EVENT;
}

/* A value at p[at] does not end: is it too long, whatever text follows? */
static inline bool tr__too_long(const struct tr__text_view *t, size_t at)
{
    return t->n - at > TR__MAX_EVENT;
}

static inline size_t tr__blanks_end(const struct tr__text_view *t, size_t at)
{
    while (at < t->n && tr_json_space(t->p[at]))
        at++;
    return at;
}

/* The place after the string whose opening quote is at p[at]; larger than end if the string does not end before it. */
static inline size_t tr__string_end(const struct tr__text_view *t, size_t at, size_t end)
{
    for (at++; at < end && t->p[at] != '"'; at++)
        at += t->p[at] == '\\';
    return at + 1;
}

/*
 * Does an event object seem to start at p[at] == '{': members, the key "ph" among them?  torn: or may it be a broken
 * event, which starts like one, but another object starts at a wrong place inside it?  TR__MORE: too near the end of
 * the text to decide.
 */
enum tr__took tr__looks_like_event(const struct tr__text_view *t, size_t at, bool torn);

/*
 * After damage at t->at: go on at the next place after it where an event seems to start; torn: as above.
 * TR__BAD: there is none before the end of the file.
 */
enum tr__took tr__resynchronise(struct tr__text_view *t, bool torn);

/*
 * The event at t->at is damaged: count it and go on after it.
 *
 * cause  TR_DAMAGE_TRUNCATED if the text ends in it, unless something can be found after it
 * where  how far it is good; there, it is damaged
 */
enum tr__took tr__lose_event(struct tr__text_view *t, enum tr_damage_cause cause, size_t where);

/* Somewhere after damage: go on at the next event, which may be at t->at itself. */
enum tr__took tr__find_event(struct tr__text_view *t);

/* Count n bytes as read with a result. */
void tr__got_over(struct tr__text_view *t, size_t n);

#endif
