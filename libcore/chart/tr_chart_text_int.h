/* SPDX-License-Identifier: MIT */
/*
 * Text of pictures: its width in pixels, and names cut to a width.  Widths are those of DejaVu Sans, the widest of the
 * fonts that a picture asks for, so text with another of these fonts needs no more room.
 */
#ifndef TR_CHART_TEXT_INT_H
#define TR_CHART_TEXT_INT_H

#include "base/tr_mem.h"

/* The width of UTF-8 text in a font of so many pixels. */
double tr__text_px(const char *s, size_t len, double px, bool bold);

/*
 * Append text for people: characters that are not plain (tr_escape_plain) as \xHH.  So the rest of the functions here
 * get valid UTF-8.  At most the first 4,096 bytes are used.  False: out of memory.
 */
bool tr__text_plain(struct tr_buf *out, const char *s, size_t len);

/* Append a text that fits into a width, with its end left out if it is too wide.  False: out of memory. */
bool tr__text_cut_end(struct tr_buf *out, const char *s, size_t len, double px, double width);

/*
 * The same with the middle left out.  differ > 0: the place, in bytes, where it differs from another text, and that
 * has to be seen.
 */
bool tr__text_cut_middle(struct tr_buf *out, const char *s, size_t len, double px, double width, size_t differ);

/* Append the name of a function without return type, namespaces and parameters.  False: out of memory. */
bool tr__text_brief(struct tr_buf *out, const char *s, size_t len);

/* Append the name of a column as words: blanks for underscores.  False: out of memory. */
bool tr__text_words(struct tr_buf *out, const char *s, size_t len);

#endif
