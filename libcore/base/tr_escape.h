/* SPDX-License-Identifier: MIT */
/*
 * Text for output: checks and repairs UTF-8, and escapes strings for JSON, TSV and terminals.
 *
 * Names come from traces that may be damaged, so they may have any byte.  The output is always valid in its format.
 * Nothing here depends on the locale.
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
 * Length of the UTF-8 character at s (len > 0 bytes are left): 1 to 4, or 0 if it is invalid.  *bad is then the length
 * of the invalid sequence (Unicode, "Substitution of Maximal Subparts").
 */
size_t tr_utf8_char(const char *s, size_t len, size_t *bad);

/* Is it UTF-8 from end to end, without surrogates and overlong forms?  An empty text is. */
bool tr_utf8_valid(const char *s, size_t len);

/* Append text as valid UTF-8: each invalid sequence (see tr_utf8_char) becomes U+FFFD. */
bool tr_utf8_add(struct tr_buf *out, const char *s, size_t len);

/*
 * Append a JSON string in quotes: control characters below 0x20, quote and backslash escaped, in the shortest
 * form; invalid UTF-8 becomes U+FFFD as above.
 */
bool tr_escape_json(struct tr_buf *out, const char *s, size_t len);

/* Number of bytes at the start of s that need no escape in JSON; only whole characters. */
size_t tr_escape_json_plain(const char *s, size_t len);

/* The escape for the character at s, where the plain part ends, len > 0; *used: bytes that it stands for. */
bool tr_escape_json_one(struct tr_buf *out, const char *s, size_t len, size_t *used);

/*
 * May the character at s be shown without an escape?  len > 0 bytes are left; *n: bytes of the character.  If not, each
 * of its n bytes is written as \xHH.  These are escaped, because a terminal or an editor would obey them, or show one
 * name as another: invalid UTF-8; control characters (U+0000 to U+001F, U+007F to U+009F); marks that turn or hide text
 * (U+061C, U+200B to U+200F, U+202A to U+202E, U+2060 to U+206F, U+FEFF, U+FFF9 to U+FFFB, U+E0000 to U+E007F); ends of
 * lines (U+2028, U+2029).  All output for people uses this function.
 */
bool tr_escape_plain(const char *s, size_t len, size_t *n);

/* Append n bytes as \xHH each. */
bool tr_escape_bytes(struct tr_buf *out, const char *s, size_t n);

/* Append a cell of TSV: \\ \t \n \r, other characters that are not plain as \xHH, all others unchanged. */
bool tr_escape_tsv(struct tr_buf *out, const char *s, size_t len);

/*
 * Append text for a terminal: characters that are not plain (tr_escape_plain) as \xHH, and at most max >= 3
 * columns (tr_width.h), the last three "..." if there were more.  *width, unless NULL: columns appended.
 */
bool tr_escape_text(struct tr_buf *out, const char *s, size_t len, size_t max, size_t *width);

/* Append a byte as two lower-case hexadecimal digits after the text before, which has at most 8 bytes. */
bool tr_escape_hex(struct tr_buf *out, const char *before, unsigned char byte);

#ifdef __cplusplus
}
#endif
#endif
