/* SPDX-License-Identifier: MIT */
/*
 * Writing JSON: values appended to a struct tr_buf.
 *
 * The output is always valid JSON.  The input may be damaged: strings with raw control bytes or invalid UTF-8, numbers
 * such as NaN or 03, arrays without commas.  Nothing here depends on the locale.
 *
 * Every function returns false when memory ran out; the buffer is then incomplete but valid memory.
 *
 *     struct tr_json_doc j = { .out = &buf };
 *     ok = tr_json_doc_open(&j, '{') && tr_json_doc_key(&j, tr_str_of("rank")) && tr_json_doc_i64(&j, 3) &&
 *          tr_json_doc_close(&j);
 */
#ifndef TR_JSON_WRITE_H
#define TR_JSON_WRITE_H

#include "base/tr_mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strings: tr_escape_json of base/tr_escape.h. */

/* A whole number.  False, here and below: out of memory. */
bool tr_json_add_i64(struct tr_buf *out, int64_t v);
bool tr_json_add_u64(struct tr_buf *out, uint64_t v);

/*
 * The exact decimal mantissa / 10^scale, scale below 64: 1234 and 2 give 12.34, 1230 and 2 give
 * 12.30.
 */
bool tr_json_add_scaled(struct tr_buf *out, int64_t mantissa, unsigned scale);

/*
 * ns nanoseconds in microseconds: three decimals at most, trailing zeros left out (1500 gives
 * 1.5).
 */
bool tr_json_add_us(struct tr_buf *out, int64_t ns);

/*
 * A double with the fewest of 15, 16 and 17 digits that read back as the same value; NaN and infinities are strings
 * ("NaN").
 */
bool tr_json_add_double(struct tr_buf *out, double v);

/*
 * The text of a number in some input.  Valid JSON is copied.  03, +1, .5, 1. and -1.-22 (which is -1.022, see the
 * Kineto dialect in tr-parse(1)) are corrected.  Anything else becomes a string.
 */
bool tr_json_add_number(struct tr_buf *out, const char *text, size_t len);

/*
 * The JSON text of a value in some input, often an array or object.  Valid text is copied.  Wrong strings, numbers and
 * commas are corrected as above; a text that cannot be corrected becomes one string.  one_line: leave out line breaks
 * and tabs between tokens.
 */
bool tr_json_add_text(struct tr_buf *out, const char *text, size_t len, bool one_line);

/*
 * A document: commas, and indentation if wanted.  Zero-initialise, set out; depth at most
 * TR_JSON_DEPTH, beyond which tr_json_doc_open returns false.
 */
#define TR_JSON_DEPTH 32
struct tr_json_doc {
    struct tr_buf *out;
    unsigned indent;     /* spaces per level; 0: all in one line */
    unsigned flat_below; /* with indent: levels from this one on are in one line; 0: none */
    unsigned depth;
    bool after_key; /* a key is waiting for its value */
    bool has_member[TR_JSON_DEPTH + 1];
    char close[TR_JSON_DEPTH + 1];
};
bool tr_json_doc_open(struct tr_json_doc *j, char bracket); /* '{' or '[' */
bool tr_json_doc_close(struct tr_json_doc *j);              /* the one opened last */
bool tr_json_doc_key(struct tr_json_doc *j, struct tr_str key);
bool tr_json_doc_next(struct tr_json_doc *j); /* a value follows that the caller appends */
bool tr_json_doc_str(struct tr_json_doc *j, struct tr_str s); /* no text: null */
bool tr_json_doc_i64(struct tr_json_doc *j, int64_t v);
bool tr_json_doc_u64(struct tr_json_doc *j, uint64_t v);
bool tr_json_doc_double(struct tr_json_doc *j, double v);
bool tr_json_doc_bool(struct tr_json_doc *j, bool v);
bool tr_json_doc_null(struct tr_json_doc *j);

#ifdef __cplusplus
}
#endif
#endif
