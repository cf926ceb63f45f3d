/* SPDX-License-Identifier: MIT */
/*
 * The width of text on a terminal, in columns.  Most characters take one column; those of East Asian scripts and emoji
 * take two; combining marks take none.  Text is UTF-8, and an invalid byte takes one column.  A control character takes
 * one, too; escape it first (tr_escape_text).
 *
 *     tr_width("gemm", 4)  4        tr_width("\xe8\xa1\xa8", 3)  2        tr_width("e\xcc\x81", 3)  1
 *
 * Nothing here depends on the locale.  Source: Unicode Standard Annex 11 (East Asian Width), general categories.
 */
#ifndef TR_WIDTH_H
#define TR_WIDTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Columns of a character by its code point: 0, 1 or 2. */
unsigned tr_width_of(uint32_t c);

/* Length in bytes of the character at s, where len > 0 bytes are left; *width: its columns. */
size_t tr_width_char(const char *s, size_t len, unsigned *width);

/* Columns of len bytes of text. */
size_t tr_width(const char *s, size_t len);

/* The longest start of a text that has at most max columns: its end, in bytes.  Marks stay with their character. */
size_t tr_width_head(const char *s, size_t len, size_t max);

/* The longest end of a text that has at most max columns: its start, in bytes. */
size_t tr_width_tail(const char *s, size_t len, size_t max);

#ifdef __cplusplus
}
#endif
#endif
