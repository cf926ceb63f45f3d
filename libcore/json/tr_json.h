/* SPDX-License-Identifier: MIT */
/*
 * JSON text: finds the end of a value, repairs damage, and reads numbers and strings.
 *
 * Profilers may stop in the middle of a file, or forget to escape.  So text is read in two steps.  tr_json_scan finds
 * the end of a value; it looks only at brackets, strings and commas, and tolerates damage that can be repaired.
 * tr_json_clean writes the value as valid JSON.  The tokenizer gets only clean text (tr_json_tok.h).
 *
 * A quote closes a string only if the text after it can follow a string.  After a key this is `:`.  After a value it is
 * a matching bracket with valid text after it, or another member, perhaps without its comma.  So an unescaped quote in
 * a name is only counted.  But if another object starts inside a string of an object, the end of that object is
 * missing, and it is bad.  See tr_json_starts.
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
    TR_JSON_MORE, /* the text ends before the value, or before its end is certain */
    TR_JSON_BAD,  /* not a value, and it cannot be repaired */
};

#define TR_JSON_FIRST_KEY 64u /* largest number of bytes of a first key, with its quotes */

/* Keys with which the objects of a file start: a byte with its length before each.  Zero-initialise. */
struct tr_json_firsts {
    uint16_t len;
    char keys[254];
};

/* Add the key p[0..n), unless it is there, or there is no room, or it is not of letters, digits and `_`. */
void tr_json_firsts_add(struct tr_json_firsts *f, const char *key, size_t n);
bool tr_json_firsts_has(const struct tr_json_firsts *f, const char *key, size_t n);

/*
 * Does an object start whose first key has its opening quote at p[at]: a newline or a comma, `{`, one of
 * these keys, `:`?  Inside a string, the quotes of such a text are escaped.  If they are not, the string was never
 * closed: its writer stopped, or another writer wrote into the same file.
 *
 * DONE: yes; BAD: no; MORE: the text p[0..n) is too short to decide, and more will come (not last).
 */
enum tr_json_result tr_json_starts(const char *p, size_t n, size_t at, bool last,
                                   const struct tr_json_firsts *firsts);

#define TR_JSON_MAX_DEPTH 4096 /* brackets open at one time; beyond it a value is bad */

/*
 * Find the end of the value that starts at p[0] (no white space before it).
 *
 * n        number of bytes; last: there will be no more
 * firsts   the value is bad if an object with one of these keys starts inside a string of it; NULL: none.
 *          The first key of the value itself is one of them, and needs no newline or comma before it
 * len      on DONE: length of the value; else the offset of the first byte, string or word that is
 *          invalid there or does not end
 * defects  set on DONE: bits of the defects to repair
 */
enum tr_json_result tr_json_scan(const char *p, size_t n, bool last, const struct tr_json_firsts *firsts,
                                 size_t *len, unsigned *defects);

/*
 * Write the value at p as clean, minified JSON: strings are escaped, odd numbers become regular, commas are corrected.
 * NaN and infinities become NaN, Infinity, -Infinity if keep_nan, else null.  Invalid UTF-8 does not change.
 *
 * p, n, last  those of a call of tr_json_scan that returned DONE: the text after the value may decide how its quotes
 *             are read
 *
 * False: out of memory (or p is not such a value).
 */
bool tr_json_clean(const char *p, size_t n, bool last, bool keep_nan, struct tr_buf *out);

#define TR_JSON_REPAIR 8192u /* bytes that tr_json_repair looks at */

/* Does an object, as clean text, have what it needs?  Else members of it may have been taken for text. */
struct tr_json_whole {
    bool (*is)(void *ctx, const char *text, size_t len);
    void *ctx;
};

/*
 * Both in one step, for an object of a list of objects that was bad, or cannot end where it seemed to: here a quote
 * closes a string only if the rest of the object can be read after it, the object is whole, and then the list goes on
 * or ends.  So text with quotes that are not escaped, as {"device": "cpu", "n": 2}(12): run, stays one string.  In the
 * middle of a bracket of such a text no quote closes it, if the object can be read so.  If the rest cannot be read, the
 * last quote that closed a string is taken as part of it, and so on; so only the first TR_JSON_REPAIR bytes count.
 *
 * len  on DONE: length of the object; else the number of bytes that were read, each time
 */
enum tr_json_result tr_json_repair(const char *p, size_t n, bool last, const struct tr_json_firsts *firsts,
                                   const struct tr_json_whole *whole, size_t *len, unsigned *defects,
                                   struct tr_buf *out);

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
    TR_NUMBER_DOUBLE,  /* d: is printed as the same number */
    TR_NUMBER_TEXT,    /* none of these: kept as its text */
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
 * exact: false if digits below a nanosecond were rounded.  False: not a number, or beyond int64.
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
