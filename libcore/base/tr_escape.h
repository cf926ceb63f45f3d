/* SPDX-License-Identifier: MIT */
/*
 * Text on its way out: UTF-8 checked and repaired, and strings as JSON, TSV and a terminal want them.
 *
 * Names come from traces that may be damaged, so they may hold any byte.  Whatever goes in, what comes out is
 * what the format allows.  Nothing here depends on the locale.
 *
 * Functions that append return false when memory ran out; the buffer is then incomplete but valid memory.
 */
#ifndef TR_ESCAPE_H
#define TR_ESCAPE_H

#include "base/tr_mem.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Length of the UTF-8 character at s (len > 0 bytes are left): 1 to 4, or 0 if there is none; *bad is then the
 * length of the part that could have begun one (Unicode, "Substitution of Maximal Subparts").
 */
size_t tr_utf8_char(const char *s, size_t len, size_t *bad);

/* Is it UTF-8 from end to end, without surrogates and overlong forms?  An empty text is. */
bool tr_utf8_valid(const char *s, size_t len);

/* Append text made valid: each sequence that is no UTF-8, as tr_utf8_char measures it, becomes U+FFFD. */
bool tr_utf8_add(struct tr_buf *out, const char *s, size_t len);

/*
 * Append a JSON string in quotes: control characters below 0x20, quote and backslash escaped, in the shortest
 * form there is; what is no UTF-8 becomes U+FFFD as above.
 */
bool tr_escape_json(struct tr_buf *out, const char *s, size_t len);

/* Bytes at the beginning of s that stand in JSON as they are, so that only quotes are added; whole characters. */
size_t tr_escape_json_plain(const char *s, size_t len);

/* The escape for what stands at s where the plain part ends, len > 0; *used: bytes it stands for. */
bool tr_escape_json_one(struct tr_buf *out, const char *s, size_t len, size_t *used);

/*
 * May what stands at s, len > 0 bytes are left, be shown as it is?  *n: bytes of it.  It may not, and each of its n
 * bytes is written as \xHH, if it is no UTF-8, a control character (U+0000 to U+001F, U+007F to U+009F), a mark
 * that turns or hides text (U+061C, U+200B to U+200F, U+202A to U+202E, U+2060 to U+206F, U+FEFF, U+FFF9 to U+FFFB,
 * U+E0000 to U+E007F), or ends a line (U+2028, U+2029).  A terminal or an editor would obey it, or show one name as
 * another.  All that writes text for people asks here.
 */
bool tr_escape_plain(const char *s, size_t len, size_t *n);

/* Append n bytes as \xHH each. */
bool tr_escape_bytes(struct tr_buf *out, const char *s, size_t n);

/* Append a cell of TSV: \\ \t \n \r, what is not plain as \xHH, everything else as it is. */
bool tr_escape_tsv(struct tr_buf *out, const char *s, size_t len);

/*
 * Append text for a terminal: what is not plain (tr_escape_plain) as \xHH, and at most max >= 3
 * columns (tr_width.h), the last three "..." if there were more.  *width, unless NULL: columns appended.
 */
bool tr_escape_text(struct tr_buf *out, const char *s, size_t len, size_t max, size_t *width);

/* Append a byte as two lower-case hexadecimal digits after the text before, which has at most 8 bytes. */
bool tr_escape_hex(struct tr_buf *out, const char *before, unsigned char byte);

#ifdef __cplusplus
}
#endif
#endif
