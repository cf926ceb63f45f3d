/* SPDX-License-Identifier: MIT */
/*
 * JSON text: finding where a value ends, mending what is broken, reading numbers and strings.
 *
 * Trace files are written by profilers that die in the middle and that forget to escape.  So text is
 * read in two steps: tr_json_scan finds the end of one value with nothing but brackets, strings and
 * commas, tolerating what can be mended; and tr_json_clean writes the same value as proper JSON.
 * Only clean text goes to the tokenizer (tr_json_tok.h).
 *
 * A quote closes a string only where the text that follows can follow a string: `:` after a key; after
 * a value a closing bracket that fits and what may stand after it, or another member, its comma missing
 * perhaps.  So a name with an unescaped quote in it costs nothing but a count.  But an object in whose string
 * another object begins is bad: its end is missing.  See tr_json_begins.
 *
 * Pure functions over bytes; no allocation except in the output buffer.  Any thread.
 */
#ifndef TR_JSON_H
#define TR_JSON_H

#include "base/tr_mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Defects found in a text, as bits. */
enum {
    TR_JSON_BAD_ESCAPE = 1,
    TR_JSON_CONTROL = 2,        /* raw control byte in a string */
    TR_JSON_BAD_UTF8 = 4,
    TR_JSON_LONE_SURROGATE = 8,
    TR_JSON_INNER_QUOTE = 16,
    TR_JSON_NOT_A_NUMBER = 32,  /* NaN, inf, -Infinity ... */
    TR_JSON_ODD_NUMBER = 64,    /* 03, +1, .5, 1., -1.-22 */
    TR_JSON_MISSING_COMMA = 128,
    TR_JSON_EXTRA_COMMA = 256,
};

enum tr_json_result {
    TR_JSON_DONE, /* a whole value */
    TR_JSON_MORE, /* the text ends before the value does (or before that can be told) */
    TR_JSON_BAD,  /* not a value, and not one that can be mended */
};

#define TR_JSON_FIRST_KEY 64u /* bytes of a first key, with its quotes, that is looked for */

/* Keys with which the objects of a file begin: a byte with its length before each.  Zero-initialise. */
struct tr_json_firsts {
    uint16_t len;
    char keys[254];
};

/* Add the key p[0..n), unless it is there, or there is no room, or it is not of letters, digits and `_`. */
void tr_json_firsts_add(struct tr_json_firsts *f, const char *key, size_t n);

/*
 * Does an object begin whose first key has its opening quote at p[at]: a newline or a comma, `{`, one of
 * these keys, `:`?  Inside a string such a text has its quotes escaped, so where it has not, the string was
 * never closed: its writer died, or another one wrote into the same file.
 *
 * DONE: yes; BAD: no; MORE: the text p[0..n) ends before that can be told, and more will come (not last).
 */
enum tr_json_result tr_json_begins(const char *p, size_t n, size_t at, bool last,
                                   const struct tr_json_firsts *firsts);

#define TR_JSON_MAX_DEPTH 4096 /* brackets open at one time; beyond it a value is bad */

/*
 * Find the end of the value that starts at p[0] (no white space before it).
 *
 * n        bytes there are; last: no more will come
 * firsts   the value is bad if an object with one of these keys begins inside a string of it; NULL: none.
 *          The first key of the value itself is one of them, and needs no newline or comma before it
 * len      set on DONE: length of the value; else how far it is good: the offset of the byte, or of
 *          the string or word, that cannot stand there or does not end
 * defects  bits of what has to be mended (set on DONE)
 */
enum tr_json_result tr_json_scan(const char *p, size_t n, bool last, const struct tr_json_firsts *firsts,
                                 size_t *len, unsigned *defects);

/*
 * Write the value at p as clean, minified JSON: strings escaped, odd numbers made regular, commas put
 * right.  NaN and infinities become NaN, Infinity, -Infinity if keep_nan, else null.  Bytes that are no
 * UTF-8 stay as they are.
 *
 * p, n, last  as given to a call of tr_json_scan that said DONE: what follows the value may decide how
 *             its quotes are taken
 *
 * False: out of memory (or p is not such a value).
 */
bool tr_json_clean(const char *p, size_t n, bool last, bool keep_nan, struct tr_buf *out);

/*
 * Decode the inside of a JSON string (without its quotes): escapes to UTF-8 bytes; unknown escapes and
 * raw bytes stay as found, a lone surrogate becomes U+FFFD.  Defects are or-ed in.  False: out of memory.
 */
bool tr_json_unescape(const char *p, size_t n, struct tr_buf *out, unsigned *defects);

/* How a number is kept. */
enum tr_number_class {
    TR_NUMBER_INT,     /* i */
    TR_NUMBER_UINT,    /* u: above INT64_MAX */
    TR_NUMBER_DECIMAL, /* mantissa i, scale: exact */
    TR_NUMBER_DOUBLE,  /* d: prints back as the same number */
    TR_NUMBER_TEXT,    /* only the text gives it back */
};
struct tr_number {
    enum tr_number_class cls;
    int64_t i;
    uint64_t u;
    double d;
    unsigned scale; /* decimals: value = i / 10^scale, scale < 64, |i| < 2^57 */
};

/* Classify a regular JSON number p[0..n).  False: not a number. */
bool tr_json_number(const char *p, size_t n, struct tr_number *out);

/*
 * Decimal microseconds to nanoseconds, digit by digit, half up; exponents allowed.
 * exact: set to whether nothing below a nanosecond was lost.  False: no number, or beyond int64.
 */
bool tr_json_us_to_ns(const char *p, size_t n, int64_t *ns, bool *exact);

static inline bool tr_json_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

#ifdef __cplusplus
}
#endif
#endif
