/* SPDX-License-Identifier: MIT */
/*
 * Names cut to a width, so that no two of them look alike.
 *
 * A name that is too wide loses its middle.  If another name already looks like the result, the name is cut around the
 * place where the two differ.  If that also looks like another name, it ends in a number.  All names are UTF-8 without
 * control characters (tr_escape_text); widths are columns of a terminal (tr_width.h).
 *
 *     struct tr_elider *c = tr_elider_new(16);
 *     tr_elider_form(c, "elementwise_kernel<add>", 23, &form);    "eleme..._kernel<add>" if that were 16 wide
 *
 * An elider takes names one by one, and each is printed at once.  The same name is always cut in the same way.
 * Not shared between threads.
 */
#ifndef TR_ELIDE_H
#define TR_ELIDE_H

#include "base/tr_mem.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR_ELIDE_MIN 8u /* the smallest width that names are cut to */

/*
 * Append a name without its middle, and a mark after it, in at most width columns; width must be at least TR_ELIDE_MIN.
 * False: out of memory.
 */
bool tr_elide_middle(struct tr_buf *out, const char *s, size_t len, size_t width, const char *mark);

/* The same, but without the bytes between the start and the byte `differ', where the name differs from others. */
bool tr_elide_around(struct tr_buf *out, const char *s, size_t len, size_t width, size_t differ);

/* Length of the common start of two names, in bytes. */
size_t tr_elide_common(const char *a, size_t a_len, const char *b, size_t b_len);

struct tr_elider;

struct tr_elider *tr_elider_new(size_t width); /* NULL: out of memory */
void tr_elider_free(struct tr_elider *c);
size_t tr_elider_width(const struct tr_elider *c);

/* The printed form of a name, valid until the elider is freed.  False: out of memory. */
bool tr_elider_form(struct tr_elider *c, const char *s, size_t len, struct tr_str *form);

#ifdef __cplusplus
}
#endif
#endif
