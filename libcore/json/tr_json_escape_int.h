/* Pieces of string escaping that the files of json/ share; see tr_json_write.h for the rules. */
#ifndef TR_JSON_ESCAPE_INT_H
#define TR_JSON_ESCAPE_INT_H

#include "base/tr_mem.h"

/*
 * Length of the UTF-8 character at p (n bytes are left, at least 1), or 0 if there is none;
 * *bad is then the length of the part that could have begun one (Unicode, "Substitution of
 * Maximal Subparts").
 */
size_t tr__json_utf8(const unsigned char *p, size_t n, size_t *bad);

/* Length of the part at the beginning of s that needs no escape; whole characters only. */
size_t tr__json_plain_prefix(const char *s, size_t len);

/* Append the escape for what stands at s where the plain part ends; *used: bytes it stands for. */
bool tr__json_escape(struct tr_buf *out, const char *s, size_t len, size_t *used);

#endif
