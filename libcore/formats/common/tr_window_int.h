/* SPDX-License-Identifier: MIT */
/*
 * A window on the text of an input: the part of it that is in memory, for formats that use the builder.
 * Internal to libcore.
 */
#ifndef TR_WINDOW_INT_H
#define TR_WINDOW_INT_H

#include "ingest/tr_ingest.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TR__WINDOW_PAD 64u /* zero bytes after the text */

/* Zero-initialise. */
struct tr__window {
    char *p;         /* text, n bytes of it */
    size_t n, cap;
    size_t at;       /* the text before it is not needed any more */
    uint64_t offset; /* of p in the input */
    bool last;       /* no more will come */
};

/*
 * Forget the text before at, and read until the window has at least want bytes, or the rest of the input.
 * TR_OK, or a failure.
 */
enum tr_status tr__window_fill(struct tr__window *w, struct tr_ingest *g, size_t want, struct tr_error *err);

/* The offset of the window in the input. */
static inline uint64_t tr__window_offset(const struct tr__window *w)
{
    return w->offset + w->at;
}

/* The next byte that is not white space; NULL: there is none in the window. */
const char *tr__window_skip_blanks(struct tr__window *w);

void tr__window_rewind(struct tr__window *w); /* to be filled from the start */
void tr__window_free(struct tr__window *w);

/* Count a line of the text that has no known form. */
void tr__line_lost(struct tr_ingest *g, uint64_t offset);

#ifdef __cplusplus
}
#endif
#endif
