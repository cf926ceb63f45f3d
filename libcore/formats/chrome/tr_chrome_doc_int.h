/* SPDX-License-Identifier: MIT */
/*
 * The text of a file while its way is made through it.  Internal to libcore.
 *
 *   tr_chrome_doc.c   what stands where it should: members of the outer object, events, commas, ends
 *   tr_chrome_resync.c  finding the way again after damage
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
 * How much of the text a value at p[at] may take: what is there, or the limit.  Looking no further than
 * the limit makes the result the same for all sizes of pieces.  *last: the text ends where the view does.
 */
static inline size_t tr__view(const struct tr__text_view *t, size_t at, bool *last)
{
    size_t n = t->n - at;
    *last = t->last && n <= TR__MAX_EVENT;
    return n <= TR__MAX_EVENT ? n : TR__MAX_EVENT;
}

/* A value at p[at] does not end: is that for good? */
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

/* After the string whose opening quote is at p[at]; more than end if it has no end before that. */
static inline size_t tr__string_end(const struct tr__text_view *t, size_t at, size_t end)
{
    for (at++; at < end && t->p[at] != '"'; at++)
        at += t->p[at] == '\\';
    return at + 1;
}

/*
 * Does an event object seem to start at p[at] == '{': members, the key "ph" among them?  torn: or may it be
 * one that begins as events do, and in which another object begins where none can stand?
 * TR__MORE: too near the end of the text to tell.
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
 * cause  TR_CAUSE_TRUNCATED if the text ends in it, unless something can be found after it
 * where  how far it is good; there, it is damaged
 */
enum tr__took tr__lose_event(struct tr__text_view *t, enum tr_cause cause, size_t where);

/* Somewhere after damage: go on at the next event, which may be at t->at itself. */
enum tr__took tr__find_event(struct tr__text_view *t);

/* So many bytes have been got over. */
void tr__got_over(struct tr__text_view *t, size_t n);

#endif
