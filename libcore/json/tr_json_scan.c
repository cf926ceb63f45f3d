/* SPDX-License-Identifier: MIT */
/* Finds the end of a value, and writes it in clean form.  One scan of the text does both. */
#include "json/tr_json.h"

#include "base/tr_escape.h"
#include "base/tr_num.h"

#include <string.h>

/* The place of the scan in the grammar. */
enum expect {
    WANT_VALUE,        /* after `:`, or at the very start */
    WANT_ITEM_OR_END,  /* after `[` or a comma in an array */
    WANT_KEY_OR_END,   /* after `{` or a comma in an object */
    WANT_COLON,
    WANT_COMMA_OR_END,
};

struct walk {
    const char *p;
    size_t n, at;
    bool last, keep_nan;
    const struct tr_json_firsts *firsts; /* of objects that may start in a string; NULL: not looked for */
    unsigned defects;
    size_t depth;
    uint64_t is_object[TR_JSON_MAX_DEPTH / 64]; /* a bit per open bracket */
    struct tr_buf *out;                         /* NULL: only look */
    bool comma_due;                             /* a comma goes before the next item written */
    struct choices *choices; /* NULL: each quote is read in one way */
};

/* A quote that was taken for the end of a string, and the state of the walk there. */
struct choice {
    size_t string, quote, from, out_len, depth; /* from: of the part of the string that is not written yet */
    uint64_t brackets;
    unsigned defects;
    bool high;
};

#define MAX_CHOICES 128u
#define MAX_READ    (4u * TR_JSON_REPAIR) /* bytes that may be read again */

struct choices {
    bool balanced; /* a string with quotes in it does not end in the middle of a bracket */
    size_t n, read;
    struct choice at[MAX_CHOICES];
};

static bool in_object(const struct walk *w)
{
    size_t d = w->depth - 1;
    return w->is_object[d / 64] >> (d % 64) & 1;
}

static bool emit(struct walk *w, const char *s, size_t n)
{
    return !w->out || tr_buf_add(w->out, s, n);
}

static size_t skip_space(const struct walk *w, size_t at)
{
    while (at < w->n && tr_json_space(w->p[at]))
        at++;
    return at;
}

enum closing { CLOSES, INNER, UNSURE, TORN /* the string has no end: an object starts in it */ };

static enum closing unsure(const struct walk *w)
{
    return w->last ? CLOSES : UNSURE;
}

/* Does a key with its colon start at the quote p[at]?  in_doubt: the answer if the text ends in it. */
static enum closing key_follows(const struct walk *w, size_t at, enum closing in_doubt)
{
    enum closing unsure = w->last ? in_doubt : UNSURE;
    for (at++; at < w->n; at++) {
        char c = w->p[at];
        if (c == '\\') {
            at++;
        } else if (c == '"') {
            at = skip_space(w, at + 1);
            if (at >= w->n)
                return unsure;
            return w->p[at] == ':' ? CLOSES : INNER;
        }
    }
    return unsure;
}

/* The text that may follow the comma after a string value. */
static enum closing member_follows(const struct walk *w, size_t at)
{
    at = skip_space(w, at);
    if (at >= w->n)
        return unsure(w);
    char c = w->p[at];
    if (w->depth == 0)
        return CLOSES;
    if (in_object(w)) {
        if (c == '"')
            return key_follows(w, at, CLOSES);
        return c == '}' || c == ',' ? CLOSES : INNER;
    }
    return c && strchr("\"{[]-+.0123456789tfnNiI,", c) ? CLOSES : INNER;
}

/* Does the quote before p[at] close the string? */
static enum closing closes(const struct walk *w, size_t at, bool key)
{
    at = skip_space(w, at);
    if (at >= w->n)
        return unsure(w);
    char c = w->p[at];
    if (key)
        return c == ':' ? CLOSES : INNER;
    if (w->depth == 0)
        return CLOSES; /* a single string: there is no context */
    if (c == ',')
        return member_follows(w, at + 1);
    if (c == '"' && in_object(w))
        return key_follows(w, at, INNER); /* perhaps a comma is missing */
    if (c != (in_object(w) ? '}' : ']'))
        return INNER;
    at = skip_space(w, at + 1);
    if (at >= w->n)
        return unsure(w);
    c = w->p[at];
    if (c == '"')
        return key_follows(w, at, INNER); /* again without a comma */
    if (c == '{' || c == '\0')
        return w->depth == 1 ? CLOSES : INNER;
    return c == ',' || c == '}' || c == ']' ? CLOSES : INNER;
}

/* Does a new value start at the quote p[at], inside a string of this one?  With a brace, a first key and a colon. */
static enum closing starts_anew(const struct walk *w, size_t at)
{
    size_t before = at, key = skip_space(w, 1), n = 1;
    while (before > 0 && tr_json_space(w->p[before - 1]))
        before--;
    if (before == 0 || w->p[before - 1] != '{' || w->p[0] != '{' || w->p[key] != '"')
        return INNER;
    while (key + n < at && n < TR_JSON_FIRST_KEY && w->p[key + n] != '"')
        n += w->p[key + n] == '\\' ? 2 : 1;
    n++; /* the key with its quotes */
    if (key + n > at || n > TR_JSON_FIRST_KEY || memcmp(w->p + at, w->p + key, n < w->n - at ? n : w->n - at) != 0)
        return INNER;
    at = at + n <= w->n ? skip_space(w, at + n) : w->n;
    if (at >= w->n)
        return w->last ? INNER : UNSURE;
    return w->p[at] == ':' ? TORN : INNER;
}

/* The meaning of a quote p[at] that does not close its string. */
static enum closing inner_is(const struct walk *w, size_t at)
{
    enum tr_json_result starts = w->firsts ? tr_json_starts(w->p, w->n, at, w->last, w->firsts) : TR_JSON_BAD;
    if (starts == TR_JSON_BAD)
        return starts_anew(w, at);
    return starts == TR_JSON_DONE ? TORN : UNSURE;
}

/* The meaning of the quote p[at] for the string around it. */
static enum closing quote_is(const struct walk *w, size_t at, bool key)
{
    enum closing q = closes(w, at + 1, key);
    return q == INNER ? inner_is(w, at) : q;
}

static bool is_hex4(const char *p)
{
    for (int i = 0; i < 4; i++)
        if (!((p[i] >= '0' && p[i] <= '9') || ((p[i] | 32) >= 'a' && (p[i] | 32) <= 'f')))
            return false;
    return true;
}

static bool emit_control(struct walk *w, unsigned char c)
{
    return !w->out || tr_escape_hex(w->out, "\\u00", c);
}

/* The quote p[at] closes the string at w->at; perhaps it does not.  False: too many such quotes, or too deep. */
static bool note_choice(struct walk *w, size_t at, size_t from, bool high)
{
    struct choices *c = w->choices;
    if (c->n == MAX_CHOICES || w->depth > 64)
        return false;
    c->at[c->n++] = (struct choice){ w->at,    at,           from, w->out->len, w->depth, w->is_object[0],
                                     w->defects, high };
    return true;
}

/* Is a bracket open in p[from..to)? */
static bool in_bracket(const struct walk *w, size_t from, size_t to)
{
    size_t n = 0;
    for (; from < to; from++) {
        n += w->p[from] == '{' || w->p[from] == '[' || w->p[from] == '(';
        n -= n > 0 && (w->p[from] == '}' || w->p[from] == ']' || w->p[from] == ')');
    }
    return n > 0;
}

/*
 * Walk over the string whose opening quote is at w->at, from p[i] on; what is before p[from] is written.  high: it has
 * bytes from 0x80 on; inner: it has a quote in it.
 */
static enum tr_json_result walk_string_from(struct walk *w, bool key, size_t from, size_t i, bool high, bool inner)
{
    bool choose = w->choices && !key && w->depth > 0;
    for (; i < w->n; i++) {
        unsigned char c = (unsigned char)w->p[i];
        if (c == '"') {
            enum closing q = quote_is(w, i, key);
            if (q == CLOSES && choose && inner && w->choices->balanced && in_bracket(w, w->at, i))
                q = inner_is(w, i);
            if (q == CLOSES && choose && !note_choice(w, i, from, high))
                return TR_JSON_BAD;
            if (q == CLOSES)
                break;
            if (q != INNER)
                return q == UNSURE ? TR_JSON_MORE : TR_JSON_BAD;
            w->defects |= TR_JSON_INNER_QUOTE;
            inner = true;
            if (!emit(w, w->p + from, i - from) || !emit(w, "\\\"", 2))
                return TR_JSON_BAD;
            from = i + 1;
        } else if (c == '\\') {
            if (i + 1 >= w->n || (w->p[i + 1] == 'u' && i + 5 >= w->n && !w->last))
                return TR_JSON_MORE;
            char e = w->p[i + 1];
            if (choose && inner && e == '"')
                return TR_JSON_BAD; /* its writer escapes quotes, so this is a part of something else */
            bool unicode = e == 'u' && i + 5 < w->n && is_hex4(w->p + i + 2);
            if (unicode || (e && strchr("\"\\/bfnrt", e))) {
                i += unicode ? 5 : 1;
            } else { /* unknown escape: the backslash is plain text */
                w->defects |= TR_JSON_BAD_ESCAPE;
                if (!emit(w, w->p + from, i - from) || !emit(w, "\\\\", 2))
                    return TR_JSON_BAD;
                from = i + 1;
            }
        } else if (c < 0x20) {
            w->defects |= TR_JSON_CONTROL;
            if (!emit(w, w->p + from, i - from) || !emit_control(w, c))
                return TR_JSON_BAD;
            from = i + 1;
        } else if (c >= 0x80) {
            high = true;
        }
    }
    if (i >= w->n)
        return TR_JSON_MORE;
    if (high && !tr_utf8_valid(w->p + w->at, i - w->at))
        w->defects |= TR_JSON_BAD_UTF8;
    w->at = i + 1;
    return emit(w, w->p + from, i + 1 - from) ? TR_JSON_DONE : TR_JSON_BAD;
}

static enum tr_json_result walk_string(struct walk *w, bool key)
{
    return walk_string_from(w, key, w->at, w->at + 1, false, false);
}

static bool word_is(const char *p, size_t n, const char *word)
{
    size_t i = 0;
    for (; i < n && word[i]; i++)
        if ((p[i] | 32) != word[i])
            return false;
    return i == n && !word[i];
}

/* Write a number regularly: 03 as 3, +1 as 1, .5 as 0.5, 1. as 1.0, -1.-22 as -1.022. */
static enum tr_json_result regular_number(struct walk *w, const char *p, size_t n)
{
    struct tr_num_parts v;
    if (!tr_num_split(&v, p, n))
        return TR_JSON_BAD;
    bool odd = v.plus || v.minus_fraction || !v.n_whole || (v.point && !v.n_fraction);
    for (; v.n_whole > 1 && *v.whole == '0'; odd = true) {
        v.whole++;
        v.n_whole--;
    }
    /* two parts, each with its sign: thousandths */
    size_t pad = v.minus_fraction && v.n_fraction < 3 ? 3 - v.n_fraction : 0;
    if (odd)
        w->defects |= TR_JSON_ODD_NUMBER;
    bool ok = emit(w, "-", v.minus || v.minus_fraction ? 1 : 0) &&
              (v.n_whole ? emit(w, v.whole, v.n_whole) : emit(w, "0", 1));
    if (v.point)
        ok = ok && emit(w, ".", 1) && emit(w, "000", pad) &&
             (v.n_fraction ? emit(w, v.fraction, v.n_fraction) : emit(w, "0", pad ? 0 : 1));
    return ok && emit(w, v.exponent, v.n_exponent) ? TR_JSON_DONE : TR_JSON_BAD;
}

/* Walk over a number or a bare word. */
static enum tr_json_result walk_primitive(struct walk *w)
{
    size_t end = w->at;
    while (end < w->n && !tr_json_space(w->p[end]) && !strchr(",:]}[{\"", w->p[end]))
        end++;
    bool cut = end >= w->n; /* perhaps in its middle */
    if (cut && !w->last)
        return TR_JSON_MORE;
    const char *p = w->p + w->at;
    size_t n = end - w->at;
    if (n == 0)
        return TR_JSON_BAD;
    enum tr_json_result res;
    if ((n == 4 && !memcmp(p, "true", 4)) || (n == 5 && !memcmp(p, "false", 5)) ||
        (n == 4 && !memcmp(p, "null", 4))) {
        res = emit(w, p, n) ? TR_JSON_DONE : TR_JSON_BAD;
    } else {
        size_t sign = *p == '-' || *p == '+' ? 1u : 0u;
        bool inf = word_is(p + sign, n - sign, "inf") || word_is(p + sign, n - sign, "infinity");
        if (inf || word_is(p + sign, n - sign, "nan")) {
            const char *word = !w->keep_nan ? "null" : !inf ? "NaN" : *p == '-' ? "-Infinity" : "Infinity";
            w->defects |= TR_JSON_NOT_A_NUMBER;
            res = emit(w, word, strlen(word)) ? TR_JSON_DONE : TR_JSON_BAD;
        } else {
            res = regular_number(w, p, n);
        }
    }
    if (res == TR_JSON_DONE)
        w->at = end;
    return res == TR_JSON_BAD && cut ? TR_JSON_MORE : res;
}

static bool open_bracket(struct walk *w, char c)
{
    if (w->depth >= TR_JSON_MAX_DEPTH)
        return false;
    uint64_t bit = UINT64_C(1) << (w->depth % 64);
    if (c == '{')
        w->is_object[w->depth / 64] |= bit;
    else
        w->is_object[w->depth / 64] &= ~bit;
    w->depth++;
    w->at++;
    return emit(w, &c, 1);
}

/* The comma that belongs before the item that comes now. */
static bool emit_due_comma(struct walk *w)
{
    bool due = w->comma_due;
    w->comma_due = false;
    return !due || emit(w, ",", 1);
}

static enum tr_json_result walk_value(struct walk *w, enum expect *want)
{
    char c = w->p[w->at];
    enum tr_json_result res;
    if (!emit_due_comma(w))
        return TR_JSON_BAD;
    if (c == '{' || c == '[') {
        *want = c == '{' ? WANT_KEY_OR_END : WANT_ITEM_OR_END;
        return open_bracket(w, c) ? TR_JSON_DONE : TR_JSON_BAD;
    }
    res = c == '"' ? walk_string(w, false) : walk_primitive(w);
    *want = WANT_COMMA_OR_END;
    w->comma_due = true;
    return res;
}

/* One step between brackets, with the byte c at w->at. */
static enum tr_json_result walk_step(struct walk *w, enum expect *want)
{
    char c = w->p[w->at];
    if (c == '}' || c == ']') {
        if (*want == WANT_VALUE || *want == WANT_COLON || (c == '}') != in_object(w))
            return TR_JSON_BAD;
        w->depth--;
        w->at++;
        *want = WANT_COMMA_OR_END;
        w->comma_due = true;
        return emit(w, &c, 1) ? TR_JSON_DONE : TR_JSON_BAD;
    }
    if (c == ',') {
        if (*want == WANT_VALUE || *want == WANT_COLON)
            return TR_JSON_BAD;
        if (*want != WANT_COMMA_OR_END)
            w->defects |= TR_JSON_EXTRA_COMMA;
        *want = in_object(w) ? WANT_KEY_OR_END : WANT_ITEM_OR_END;
        w->at++;
        return TR_JSON_DONE;
    }
    if (*want == WANT_COMMA_OR_END) {
        w->defects |= TR_JSON_MISSING_COMMA;
        *want = in_object(w) ? WANT_KEY_OR_END : WANT_ITEM_OR_END;
    }
    if (*want == WANT_KEY_OR_END) {
        if (c != '"' || !emit_due_comma(w))
            return TR_JSON_BAD;
        *want = WANT_COLON;
        return walk_string(w, true);
    }
    if (*want == WANT_COLON) {
        if (c != ':')
            return TR_JSON_BAD;
        *want = WANT_VALUE;
        w->at++;
        return emit(w, ":", 1) ? TR_JSON_DONE : TR_JSON_BAD;
    }
    return walk_value(w, want);
}

/* Walk on to the end of the value. */
static enum tr_json_result walk_on(struct walk *w, enum expect want)
{
    enum tr_json_result res = TR_JSON_DONE;
    while (res == TR_JSON_DONE && w->depth > 0) {
        w->at = skip_space(w, w->at);
        if (w->at >= w->n)
            return TR_JSON_MORE;
        res = walk_step(w, &want);
    }
    return res;
}

static enum tr_json_result walk(struct walk *w)
{
    enum expect want = WANT_VALUE;
    if (w->n == 0)
        return w->last ? TR_JSON_BAD : TR_JSON_MORE;
    enum tr_json_result res = walk_value(w, &want);
    return res == TR_JSON_DONE ? walk_on(w, want) : res;
}

enum tr_json_result tr_json_scan(const char *p, size_t n, bool last, const struct tr_json_firsts *firsts,
                                 size_t *len, unsigned *defects)
{
    struct walk w;
    w.p = p;
    w.n = n;
    w.at = 0;
    w.last = last;
    w.keep_nan = true;
    w.firsts = firsts;
    w.defects = 0;
    w.depth = 0;
    w.out = NULL;
    w.comma_due = false;
    w.choices = NULL;
    enum tr_json_result res = walk(&w);
    *len = w.at;
    *defects = w.defects;
    return res;
}

/* Can what follows the value follow an element: a comma and another object, the end of the list, of the text? */
static enum closing element_follows(const struct walk *w)
{
    size_t at = skip_space(w, w->at), n = 0;
    if (at < w->n && w->p[at] == ',')
        at = skip_space(w, at + 1);
    if (at >= w->n)
        return unsure(w);
    if (w->p[at] != '{')
        return w->p[at] == ']' ? CLOSES : INNER;
    at = skip_space(w, at + 1);
    if (at >= w->n)
        return unsure(w);
    if (w->p[at] != '"')
        return w->p[at] == '}' ? CLOSES : INNER; /* empty, as the last one often is */
    while (at + 1 + n < w->n && w->p[at + 1 + n] != '"')
        n++;
    if (at + 1 + n >= w->n)
        return unsure(w);
    return !w->firsts || tr_json_firsts_has(w->firsts, w->p + at + 1, n) ? CLOSES : INNER;
}

/* The last quote that was taken for the end of a string is part of it: walk on from there. */
static enum tr_json_result walk_again(struct walk *w)
{
    struct choices *all = w->choices;
    const struct choice c = all->at[--all->n];
    all->read += w->at > c.quote ? w->at - c.quote : 1;
    w->at = c.string;
    w->depth = c.depth;
    w->is_object[0] = c.brackets;
    w->defects = c.defects | TR_JSON_INNER_QUOTE;
    w->out->len = c.out_len;
    enum closing q = inner_is(w, c.quote);
    if (q != INNER)
        return q == UNSURE ? TR_JSON_MORE : TR_JSON_BAD;
    if (!emit(w, w->p + c.from, c.quote - c.from) || !emit(w, "\\\"", 2))
        return TR_JSON_BAD;
    enum tr_json_result res = walk_string_from(w, false, c.quote + 1, c.quote + 1, c.high, true);
    w->comma_due = true;
    return res == TR_JSON_DONE ? walk_on(w, WANT_COMMA_OR_END) : res;
}

/* Read the object in one way after the other, until it is whole. */
static enum tr_json_result repair(struct walk *w, const struct tr_json_whole *whole)
{
    enum tr_json_result res = walk(w);
    for (;;) {
        enum closing end = res == TR_JSON_DONE ? element_follows(w) : res == TR_JSON_MORE ? unsure(w) : INNER;
        if (end == UNSURE)
            return TR_JSON_MORE;
        if (res == TR_JSON_DONE && end == CLOSES && whole->is(whole->ctx, (const char *)w->out->data, w->out->len))
            return TR_JSON_DONE;
        if (!w->choices->n || w->choices->read > MAX_READ)
            return TR_JSON_BAD;
        res = walk_again(w);
    }
}

enum tr_json_result tr_json_repair(const char *p, size_t n, bool last, const struct tr_json_firsts *firsts,
                                   const struct tr_json_whole *whole, size_t *len, unsigned *defects,
                                   struct tr_buf *out)
{
    struct walk w;
    struct choices choices;
    bool cut = n > TR_JSON_REPAIR;
    enum tr_json_result res = TR_JSON_BAD;
    choices.read = w.at = 0;
    w.p = p;
    w.n = cut ? TR_JSON_REPAIR : n;
    w.last = last || cut;
    w.keep_nan = true;
    w.firsts = firsts;
    w.out = out;
    w.choices = &choices;
    for (unsigned way = 0; way < 2 && res == TR_JSON_BAD; way++) {
        choices.balanced = way == 0;
        choices.read += w.at;
        choices.n = out->len = 0;
        w.at = w.depth = 0;
        w.defects = 0;
        w.comma_due = false;
        res = repair(&w, whole);
    }
    *len = res == TR_JSON_DONE ? w.at : w.at + choices.read;
    *defects = w.defects;
    return res;
}

bool tr_json_clean(const char *p, size_t n, bool last, bool keep_nan, struct tr_buf *out)
{
    struct walk w;
    w.p = p;
    w.n = n;
    w.at = 0;
    w.last = last;
    w.keep_nan = keep_nan;
    w.firsts = NULL; /* the scan has looked for them */
    w.defects = 0;
    w.depth = 0;
    w.out = out;
    w.comma_due = false;
    w.choices = NULL;
    return walk(&w) == TR_JSON_DONE;
}
