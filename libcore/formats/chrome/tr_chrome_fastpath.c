/* SPDX-License-Identifier: MIT */
/*
 * The shortcut: events whose shape has been seen before, without tokens.
 *
 * A profiler prints all events of one kind by one format string, so the text between two values is the
 * same each time.  The tree holds these texts.  To read an event, compare the text before the next value, take the
 * value, and go on.  If no text matches, or a value is not plain, the event is read by tokens, which handle all cases.
 * Both ways must give the same rows; tests compare them.
 */
#include "formats/chrome/tr_chrome_digits_int.h"
#include "formats/chrome/tr_chrome_int.h"

#include "base/tr_bytes16_int.h"
#include "base/tr_hash.h"
#include "base/tr_num.h"

#include <stdlib.h>

#define MAX_MEMBERS 64u
#define MAX_EDGES 4096u
#define MAX_LITERAL 1024u
#define MAX_SIBLINGS 64u  /* edges of a node */
#define MAX_BRACKETS 100u /* open in one value */
#define LAST_TEXTS   16u  /* of an edge */
#define LAST_ARROWS  2u

/* Types of values, if they decide what follows. */
enum branch {
    B_STRING, B_QUOTED, B_HEX, B_INT, B_UINT, B_DECIMAL, B_JSON, B_TRUE, B_FALSE, B_NULL, B_ARROW, N_BRANCHES
};

struct tr__edge {
    const char *literal;
    uint32_t len;
    uint8_t use;
    bool ends;       /* the literal is the end of the event, of this ph and shape: */
    char ph;
    uint32_t shape;
    uint32_t last[LAST_TEXTS]; /* last texts at this place, by last_text or last_brackets, or TR_NO_STR */
    uint32_t arrows[LAST_ARROWS]; /* last categories with a * at this place, or TR_NO_STR */
    struct tr__edge *sibling;
    struct tr__node next[N_BRANCHES];
};

/* The first quote, backslash or control byte at or after p; text is padded, so one will be found. */
static inline const char *string_stop(const char *p)
{
#ifdef TR_HAVE_BYTES16
    const tr_bytes16 quote = tr_each16('"'), slash = tr_each16('\\'), low = tr_each16(0x1f);
    for (;; p += 16) {
        tr_bytes16 v = tr_load16(p);
        unsigned at = tr_first16(tr_or16(tr_or16(tr_equal16(v, quote), tr_equal16(v, slash)), tr_at_most16(v, low)));
        if (at < 16)
            return p + at;
    }
#else
    while (*p != '"' && *p != '\\' && (unsigned char)*p >= 0x20)
        p++;
    return p;
#endif
}

/* The closing quote of the string whose inside starts at p; NULL: none, or a raw control byte. */
static inline const char *string_end(const char *p, const char *end)
{
    for (;;) {
        p = string_stop(p);
        if (p >= end || *p == '"')
            return p < end ? p : NULL;
        if (*p != '\\' || p[1] == '\0')
            return NULL;
        p += 2;
    }
}

static inline const char *skip_blank(const char *p)
{
    while (tr_json_space(*p))
        p++;
    return p;
}

/* The first quote or bracket at or after p, which may lie behind the end; end: none. */
static inline const char *bracket_stop(const char *p, const char *end)
{
#ifdef TR_HAVE_BYTES16
    const tr_bytes16 quote = tr_each16('"'), open = tr_each16('{'), close = tr_each16('}'), bit = tr_each16(0x20);
    for (; p < end; p += 16) {
        tr_bytes16 v = tr_load16(p), w = tr_or16(v, bit); /* '[' and ']' are '{' and '}' without this bit */
        unsigned at = tr_first16(tr_or16(tr_equal16(v, quote), tr_or16(tr_equal16(w, open), tr_equal16(w, close))));
        if (at < 16)
            return p + at;
    }
    return end;
#else
    while (p < end && *p != '"' && *p != '[' && *p != '{' && *p != ']' && *p != '}')
        p++;
    return p;
#endif
}

/* The end of the array or object at p; NULL: none, or a quote that may not close its string. */
static const char *brackets_end(const char *p, const char *end)
{
    size_t depth = 0;
    for (; (p = bracket_stop(p, end)) < end; p++) {
        if (*p == '"') {
            p = string_end(p + 1, end);
            if (!p)
                return NULL;
            char after = *skip_blank(p + 1);
            if (after != ',' && after != ':' && after != ']' && after != '}')
                return NULL;
        } else if (*p == '[' || *p == '{') {
            if (++depth > MAX_BRACKETS)
                return NULL;
        } else if (--depth == 0) {
            return p + 1;
        }
    }
    return NULL;
}

static inline void put8(struct tr__event *e, int64_t v)
{
    memcpy(e->out, &v, 8);
    e->out += 8;
}

static inline void put4(struct tr__event *e, uint32_t v)
{
    memcpy(e->out, &v, 4);
    e->out += 4;
}

/*
 * Take a whole number of 19 or 20 digits, such as a hash that identifies a thread.  NULL: p has none, or one that is
 * not a 64-bit integer.
 */
static const char *long_integer(struct tr__edge *edge, struct tr__event *e, const char *p, enum branch *b)
{
    const char *from = p;
    uint64_t v = 0;
    unsigned c;
    for (; (c = (unsigned)(unsigned char)*p - '0') < 10; p++) {
        if (v > (UINT64_MAX - c) / 10)
            return NULL;
        v = v * 10 + c;
    }
    if (p - from < 19 || *from == '0' || *p == '.' || (*p | 32) == 'e' || edge->use == TR__USE_TS ||
        edge->use == TR__USE_DUR)
        return NULL;
    bool of_track = edge->use == TR__USE_PID || edge->use == TR__USE_TID;
    *b = v <= (uint64_t)INT64_MAX ? B_INT : B_UINT;
    if (of_track && *b == B_UINT) {
        tr__take_unsigned(e, (enum tr__use)edge->use, v);
        return p;
    }
    if (*b == B_INT && edge->use > TR__USE_ARG)
        tr__take_integer(e, (enum tr__use)edge->use, (int64_t)v);
    if (!of_track)
        put8(e, (int64_t)v);
    return p;
}

/* Take the number at p.  Returns the text after it and the branch, or NULL. */
static inline const char *short_number(struct tr__edge *edge, struct tr__event *e, const char *p,
                                       enum branch *b)
{
    struct tr__digits d;
    const char *start = p;
    *b = B_INT;
    if (edge->use == TR__USE_TS || edge->use == TR__USE_DUR)
        return tr__plain_time(p, edge->use == TR__USE_TS ? &e->ts : &e->dur);
    p = tr__plain_number(p, &d);
    if (!p)
        return long_integer(edge, e, start, b);
    if (d.neg && d.value == 0)
        return NULL;
    if (d.point) {
        if (edge->use == TR__USE_PID || edge->use == TR__USE_TID ||
            d.value > (uint64_t)TR_DECIMAL_MAX_MANTISSA)
            return NULL;
        *b = B_DECIMAL;
        put8(e, tr_decimal_make(d.neg ? -(int64_t)d.value : (int64_t)d.value, d.n_frac));
        return p;
    }
    int64_t v = d.neg ? -(int64_t)d.value : (int64_t)d.value;
    if (edge->use > TR__USE_ARG)
        tr__take_integer(e, (enum tr__use)edge->use, v);
    if (edge->use != TR__USE_PID && edge->use != TR__USE_TID)
        put8(e, v);
    return p;
}

/* The same for an integer arg in quotes whose inside starts at p; sets *b only for an integer. */
static inline const char *short_quoted(struct tr__event *e, const char *p, enum branch *b)
{
    const char *from = p;
    unsigned neg = *p == '-', c;
    uint64_t v = 0;
    p += neg;
    const char *digits = p;
    while ((c = (unsigned)(unsigned char)*p - '0') < 10 && p - digits < 19) {
        v = v * 10 + c;
        p++;
    }
    if (p == digits || *p != '"' || (*digits == '0' && p - from > 1))
        return NULL;
    *b = B_QUOTED;
    if (p - digits > 18)
        return NULL;
    put8(e, neg ? -(int64_t)v : (int64_t)v);
    return p + 1;
}

/* The same for a stamp in hexadecimal digits. */
static inline const char *short_hex(struct tr__event *e, const char *p, enum branch *b)
{
    const char *from = p;
    int64_t v = 0;
    if (p[1] != 'x')
        return NULL;
    for (p += 2; p - from < 17; p++) {
        unsigned digit = (unsigned)(unsigned char)*p - '0', letter = (unsigned)(unsigned char)*p - 'a';
        if (digit > 9 && letter > 5)
            break;
        v = v << 4 | (int64_t)(digit <= 9 ? digit : letter + 10);
    }
    if (p - from < 3 || *p != '"' || (from[2] == '0' && p - from > 3))
        return NULL;
    *b = B_HEX;
    put8(e, v);
    return p + 1;
}

/* Does the text at p go on with these n bytes? */
static inline bool goes_with(const char *p, const char *end, const char *text, size_t n)
{
    return (size_t)(end - p) > n && tr_same_bytes(p, text, n);
}

/*
 * Take the category of an arrow that equals text, except for the number of the work.  NULL: it does not, or the digits
 * are not those of a plain number.
 */
static inline const char *same_arrow(struct tr__event *e, const struct tr__text *t, const char *p, const char *end)
{
    const char *star = memchr(t->text, '*', t->len);
    const size_t at = (size_t)(star - t->text), rest = t->len - at - 1;
    if (!goes_with(p, end, t->text, at))
        return NULL;
    const char *digits = p += at;
    uint64_t v = 0;
    p = tr__all_digits(p, &v);
    if (p == digits || p - digits > 18 || (*digits == '0' && p - digits > 1) || !goes_with(p, end, star + 1, rest) ||
        p[rest] != '"')
        return NULL;
    e->work = (int64_t)v;
    return p + rest + 1;
}

/* Take the category of a flow event, if it is that of an arrow; *b is set only then. */
static const char *short_arrow(struct tr__parser *ps, struct tr__edge *edge, struct tr__event *e, const char *p,
                               const char *end, enum branch *b)
{
    uint32_t id;
    for (unsigned k = 0; k < LAST_ARROWS && (id = edge->arrows[k]) != TR_NO_STR; k++) {
        const char *q = same_arrow(e, &ps->lane.interner.texts[id], p, end);
        if (!q)
            continue;
        e->cat = id;
        put8(e, e->work);
        *b = B_ARROW;
        return q;
    }
    const char *q = string_end(p, end);
    if (!q || !tr__take_arrow(ps, e, p, (size_t)(q - p), &id) || id == TR_NO_STR)
        return NULL;
    memmove(edge->arrows + 1, edge->arrows, sizeof edge->arrows - sizeof *edge->arrows);
    edge->arrows[0] = id;
    *b = B_ARROW;
    return q + 1;
}

/*
 * The entry for a string of these n bytes.  Names of kernels often start with the same long words, so their ends decide
 * too.  Text is padded: eight bytes can be loaded.
 */
static inline uint32_t *last_text(struct tr__edge *edge, const char *p, size_t n)
{
    uint64_t h = n >= 8 ? tr_load64(p) ^ tr_load64(p + n - 8) << 1 : tr_load64(p) << 8 * (8 - n - !n);
    return &edge->last[(h + n) * 0x9e3779b97f4a7c15u >> 60];
}

/*
 * The entry for the array or object at p, whose end is not known yet: its first bytes decide.  What follows a short one
 * decides, too; it seldom differs.
 */
static inline uint32_t *last_brackets(struct tr__edge *edge, const char *p)
{
    return &edge->last[tr_mix64(tr_load64(p) ^ 0xa0761d6478bd642fu, tr_load64(p + 8) ^ 0xe7037ed1a0b428dbu) >> 60];
}

/* Take the string whose inside starts at p. */
static inline const char *short_string(struct tr__parser *ps, struct tr__edge *edge,
                                       struct tr__event *e, const char *p, const char *end,
                                       enum branch *b)
{
    bool stamp = edge->use == TR__USE_STAMP;
    if ((edge->use == TR__USE_ARG || stamp) && ((unsigned)(*p - '0') < 10 || *p == '-')) {
        const char *q = short_quoted(e, p, b);
        if (!q && *b != B_QUOTED && stamp && *p == '0')
            q = short_hex(e, p, b);
        if (q || *b == B_QUOTED)
            return q;
    }
    if (edge->use == TR__USE_PH) {
        if (p[0] == '"' || !tr__plain_phase(p, 1) || p[1] != '"')
            return NULL;
        e->ph = p[0];
        return p + 2;
    }
    if (edge->use == TR__USE_CAT && tr__flow_phase(e->ph)) {
        const char *q = short_arrow(ps, edge, e, p, end, b);
        if (q)
            return q;
    }
    const char *q = string_end(p, end);
    if (!q)
        return NULL;
    size_t n = (size_t)(q - p);
    uint32_t *last = last_text(edge, p, n), id = *last;
    const struct tr__text *t = id == TR_NO_STR ? NULL : &ps->lane.interner.texts[id];
    if (!t || t->raw_len != n || t->is_json || !tr_same_bytes(p, t->raw, n)) {
        if (edge->use == TR__USE_TS || edge->use == TR__USE_DUR)
            return NULL;
        id = tr__intern_text(&ps->lane.interner, p, n, false);
        if (id == TR_NO_STR || ps->lane.interner.texts[id].defects)
            return NULL;
        *last = id;
    }
    p = q + 1;
    if (edge->use > TR__USE_ARG) {
        tr__take_string(ps, e, (enum tr__use)edge->use, id);
        if (edge->use == TR__USE_NAME || edge->use == TR__USE_CAT || edge->use == TR__USE_PID ||
            edge->use == TR__USE_TID)
            return p;
    }
    put4(e, id);
    return p;
}

static inline const char *short_brackets(struct tr__parser *ps, struct tr__edge *edge,
                                         struct tr__event *e, const char *p, const char *end)
{
    if (edge->use == TR__USE_DUR)
        return NULL;
    uint32_t *last = last_brackets(edge, p), id = *last;
    const struct tr__text *t = id == TR_NO_STR ? NULL : &ps->lane.interner.texts[id];
    if (t && t->is_json && goes_with(p, end, t->raw, t->raw_len)) { /* its brackets close, so this ends where it does */
        put4(e, id);
        return p + t->raw_len;
    }
    const char *q = brackets_end(p, end);
    id = q ? tr__intern_text(&ps->lane.interner, p, (size_t)(q - p), true) : TR_NO_STR;
    if (id == TR_NO_STR || ps->lane.interner.texts[id].defects)
        return NULL;
    *last = id;
    put4(e, id);
    return q;
}

static inline const char *short_word(const struct tr__edge *edge, const char *p, enum branch *b)
{
    if (edge->use == TR__USE_DUR)
        return NULL;
    if (tr_same_bytes(p, "true", 4)) {
        *b = B_TRUE;
        return p + 4;
    }
    if (tr_same_bytes(p, "false", 5)) {
        *b = B_FALSE;
        return p + 5;
    }
    *b = B_NULL;
    return tr_same_bytes(p, "null", 4) ? p + 4 : NULL;
}

/* Does the text after an event confirm the end of the event? */
static inline bool goes_on(const char *p, const char *end)
{
    if (*p != ',')
        p = skip_blank(p);
    return p < end && (*p == ',' || *p == ']');
}

static inline struct tr__edge *follow(struct tr__node *node, const char *p, const char *end)
{
    struct tr__edge *before = NULL;
    for (struct tr__edge *e = node->edges; e; before = e, e = e->sibling) {
        if ((size_t)(end - p) < e->len || !tr_same_bytes(p, e->literal, e->len))
            continue;
        if (before) { /* most recently used first */
            before->sibling = e->sibling;
            e->sibling = node->edges;
            node->edges = e;
        }
        return e;
    }
    return NULL;
}

/* Take the value at p, which comes after the literal of an edge.  Returns the text after it and the branch, or NULL. */
static inline const char *short_value(struct tr__parser *ps, struct tr__edge *edge, struct tr__event *e, const char *p,
                                      const char *end, enum branch *b)
{
    char c = *p;
    *b = B_STRING;
    if (c == '"')
        return short_string(ps, edge, e, p + 1, end, b);
    if ((unsigned)(c - '0') < 10 || c == '-')
        return short_number(edge, e, p, b);
    if (c == '[' || c == '{') {
        *b = B_JSON;
        return short_brackets(ps, edge, e, p, end);
    }
    return short_word(edge, p, b);
}

/* ---- starts: the values of pid, tid, category and often name are those of an earlier event ---- */

#define STARTS      512u
#define MAX_BYTES  256u
#define HASHED      64u   /* bytes that choose the start of an event */
#define MAX_MISSES 4096u  /* more than the hits: starts do not help here */

struct tr__start {
    struct tr__event event;  /* what the values mean */
    struct tr__edge *edge;   /* whose literal ends where the text ends */
    uint32_t len;            /* 0: none */
    char text[MAX_BYTES];
};

/*
 * The first of two entries for an event that starts with these bytes; an entry is NULL until it is needed.  NULL:
 * starts are not used.
 */
static inline struct tr__start **starts_of(struct tr__parser *ps, const char *p)
{
    uint64_t h = 0;
    if (ps->n_missed > ps->n_started + MAX_MISSES)
        return NULL;
    if (!ps->starts && !(ps->starts = calloc(STARTS, sizeof *ps->starts)))
        return NULL;
    for (unsigned i = 0; i < HASHED; i += 16)
        h = tr_mix64(h ^ tr_load64(p + i), tr_load64(p + i + 8) ^ 0xa0761d6478bd642fu);
    return &ps->starts[h % STARTS & ~(size_t)1];
}

static inline bool starts_so(const struct tr__start *s, const char *p, const char *end)
{
    return s && s->len && (size_t)(end - p) > s->len && tr_same_bytes(p, s->text, s->len);
}

/*
 * The entry that the event at p shall have.  *max: the bytes that it may remember: if it starts like the one that is
 * there, those that are the same.
 */
static struct tr__start *choose_start(struct tr__parser *ps, struct tr__start **two, const char *p, const char *end,
                                      size_t *max)
{
    for (unsigned k = 0; k < 2; k++) {
        size_t n = 0;
        if (!two[k] && (two[k] = tr_arena_alloc(ps->lane.interner.arena, sizeof *two[k])) != NULL)
            two[k]->len = 0;
        *max = MAX_BYTES;
        if (!two[k])
            return NULL;
        while (n < two[k]->len && p + n < end && p[n] == two[k]->text[n])
            n++;
        *max = n >= HASHED ? n : MAX_BYTES;
        if (n >= HASHED || !two[k]->len)
            return two[k];
    }
    struct tr__start *oldest = two[0];
    two[0] = two[1];
    return two[1] = oldest;
}

/*
 * Read an event up to its first value that is kept in a column, or is a time, and remember what was read.  two NULL:
 * starts are not used.  Returns the edge of that value, and sets *p to it; or NULL.
 */
static struct tr__edge *read_start(struct tr__parser *ps, struct tr__start **two, const char **p, const char *end,
                                   struct tr__event *e)
{
    const char *from = *p, *at = from;
    const unsigned char *out = e->out;
    size_t len = 0, max = 0;
    struct tr__start *s = two ? choose_start(ps, two, from, end, &max) : NULL;
    struct tr__edge *edge = follow(&ps->root, at, end);
    if (s)
        s->len = 0;
    while (edge) {
        enum branch b;
        at += edge->len;
        if (edge->ends || e->out != out)
            break;
        if ((size_t)(at - from) <= max) {
            s->event = *e;
            s->edge = edge;
            len = (size_t)(at - from);
        }
        if (edge->use < TR__USE_PH || edge->use > TR__USE_TID || edge->use == TR__USE_TS || edge->use == TR__USE_DUR)
            break;
        at = short_value(ps, edge, e, at, end, &b);
        edge = at && at < end ? follow(&edge->next[b], at, end) : NULL;
    }
    if (len) {
        memcpy(s->text, from, len);
        s->len = (uint32_t)len;
    }
    *p = at;
    return edge;
}

/* The event ends at p, after the literal of the edge: is it one of this phase?  Returns the edge with its shape. */
static inline struct tr__edge *end_of(struct tr__edge *edge, const struct tr__event *e, const char *p, const char *end)
{
    const size_t len = edge->len;
    while (edge && !(edge->ends && edge->ph == e->ph && edge->len == len && tr_same_bytes(p - len, edge->literal, len)))
        edge = edge->sibling;
    return edge && goes_on(p, end) ? edge : NULL;
}

size_t tr__short_event(struct tr__parser *ps, const char *p, size_t n, struct tr__event *e,
                       uint64_t offset, enum tr__took *took)
{
    const char *from = p, *end = p + n;
    unsigned char *mem = tr_row_arena_reserve(&ps->lane.piece->rows, TR_ROW_HEADER + 8 * (MAX_MEMBERS + 1));
    struct tr__start **two = starts_of(ps, p);
    struct tr__edge *edge;
    if (!mem)
        return 0; /* reading by tokens will report it */
    const struct tr__start *s = !two                         ? NULL
                                : starts_so(two[0], p, end) ? two[0]
                                : starts_so(two[1], p, end) ? two[1]
                                                            : NULL;
    if (s) {
        ps->n_started++;
        *e = s->event;
        e->out = mem + TR_ROW_HEADER;
        edge = s->edge;
        p += s->len;
    } else {
        ps->n_missed++;
        tr__event_clear(e);
        e->out = mem + TR_ROW_HEADER;
        edge = read_start(ps, two, &p, end, e);
    }
    while (edge && !edge->ends) {
        enum branch b;
        p = short_value(ps, edge, e, p, end, &b);
        if (!p || p >= end || !(edge = follow(&edge->next[b], p, end)))
            return 0;
        p += edge->len;
    }
    if (!edge || !(edge = end_of(edge, e, p, end)))
        return 0;
    *took = tr__finish_event(ps, e, (struct tr_row *)(void *)mem, edge->shape, offset);
    return (size_t)(p - from);
}

/*
 * The edge of a node with this literal, added if there is none; ph: of the events that it ends, 0 for edges to values.
 * *full: the node has no room for another edge.  NULL: full, or out of memory.
 */
static struct tr__edge *add_edge(struct tr__parser *ps, struct tr__node *node, const char *literal,
                                 size_t len, char ph, bool ends, bool *full)
{
    unsigned n = 0;
    for (struct tr__edge *e = node->edges; e; e = e->sibling, n++)
        if (e->len == len && e->ends == ends && e->ph == ph && tr_same_bytes(e->literal, literal, len))
            return e;
    *full = n >= MAX_SIBLINGS;
    struct tr__edge *e = *full ? NULL : tr_arena_alloc(ps->lane.interner.arena, sizeof *e);
    if (!e)
        return NULL;
    memset(e, 0, sizeof *e);
    e->literal = tr_arena_copy(ps->lane.interner.arena, literal, len);
    e->len = (uint32_t)len;
    e->ends = ends;
    e->ph = ph;
    memset(e->last, 0xff, sizeof e->last);
    memset(e->arrows, 0xff, sizeof e->arrows);
    if (!e->literal)
        return NULL;
    e->sibling = node->edges;
    node->edges = e;
    ps->n_edges++;
    return e;
}

/* The branch of the value in the shortcut; N_BRANCHES: it has none. */
static enum branch branch_of(const struct tr__member *m, const struct tr_slot *slot)
{
    struct tr_number num;
    int64_t ns;
    bool exact;
    switch (m->raw[0]) {
    case '"':
        if (slot->type == TR_T_IN_CAT)
            return B_ARROW;
        if ((m->use == TR__USE_ARG || m->use == TR__USE_STAMP) && tr_num_plain(m->raw + 1, m->len - 2, &ns))
            return B_QUOTED;
        if (m->use == TR__USE_STAMP && tr_num_plain_hex(m->raw + 1, m->len - 2, &ns))
            return B_HEX;
        return B_STRING;
    case '[':
    case '{':
        return B_JSON;
    case 't':
        return B_TRUE;
    case 'f':
        return B_FALSE;
    case 'n':
        return B_NULL;
    default:
        if (m->use == TR__USE_TS || m->use == TR__USE_DUR)
            return tr_json_us_to_ns(m->raw, m->len, &ns, &exact) && exact ? B_INT : N_BRANCHES;
        if (!tr_json_number(m->raw, m->len, &num))
            return N_BRANCHES;
        if (num.cls == TR_NUMBER_INT || num.cls == TR_NUMBER_UINT)
            return num.cls == TR_NUMBER_INT ? B_INT : B_UINT;
        return num.cls == TR_NUMBER_DECIMAL ? B_DECIMAL : N_BRANCHES;
    }
}

/* Can the shortcut read every member, with a literal of reasonable length before it? */
static bool learnable(const struct tr__parser *ps, const char *p, size_t len,
                      const struct tr__member *m, size_t n, const struct tr_slot *slots)
{
    if (n > MAX_MEMBERS || ps->n_edges + n + 1 > MAX_EDGES)
        return false;
    const char *at = p;
    for (size_t i = 0; i < n; i++) {
        if (m[i].use == TR__USE_ARGS)
            continue;
        if (m[i].raw < at || (size_t)(m[i].raw - at) > MAX_LITERAL || branch_of(&m[i], &slots[i]) == N_BRANCHES)
            return false;
        bool quoted = m[i].raw[0] == '"';
        if (quoted && (m[i].use == TR__USE_TS || m[i].use == TR__USE_DUR))
            return false;
        if (quoted && m[i].use == TR__USE_PH && !tr__plain_phase(m[i].raw + 1, m[i].len - 2))
            return false;
        at = m[i].raw + m[i].len;
    }
    return (size_t)(p + len - at) <= MAX_LITERAL;
}

bool tr__short_learn(struct tr__parser *ps, const char *p, size_t len, const struct tr__member *m,
                     size_t n, uint32_t shape)
{
    const struct tr_slot *slots = ps->lane.interner.shapes[shape].slots; /* one for each member: none is void */
    if (!learnable(ps, p, len, m, n, slots))
        return true;
    struct tr__node *node = &ps->root;
    const char *at = p;
    bool full = false;
    for (size_t i = 0; i < n; i++) {
        if (m[i].use == TR__USE_ARGS)
            continue; /* its brackets belong to the literals */
        struct tr__edge *e = add_edge(ps, node, at, (size_t)(m[i].raw - at), 0, false, &full);
        if (!e)
            return full;
        e->use = m[i].use;
        node = &e->next[branch_of(&m[i], &slots[i])];
        at = m[i].raw + m[i].len;
    }
    struct tr__edge *e = add_edge(ps, node, at, (size_t)(p + len - at), ps->lane.interner.shapes[shape].ph, true,
                                  &full);
    if (!e)
        return full;
    e->shape = shape;
    return true;
}
