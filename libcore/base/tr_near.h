/* SPDX-License-Identifier: MIT */
/*
 * "Did you mean": the known word that is nearest to one that is unknown, and so most likely misspelt.
 *
 *     struct tr_near near = { .word = "operatr", .len = 7 };
 *     for (size_t i = 0; i < n; i++)
 *         tr_near_try(&near, known[i]);
 *     char hint[TR_NEAR_TEXT];
 *     printf("'operatr'%s is unknown", tr_near_text(&near, hint)); // 'operatr' (did you mean 'operator'?) is unknown
 *
 * Near are words that begin with it, and words that differ in one letter: one more, one less, another one, or two that
 * changed places; in two letters if the word has at least five.
 */
#ifndef TR_NEAR_H
#define TR_NEAR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TR_NEAR_TEXT 100u

struct tr_near {
    const char *word; /* it need not end with a zero */
    size_t len;
    const char *best; /* NULL: none is near */
    size_t distance;  /* of the best one */
};

/* Is this known word nearer than those before? */
void tr_near_try(struct tr_near *near, const char *known);

/* " (did you mean 'x'?)", or "". */
const char *tr_near_text(const struct tr_near *near, char text[TR_NEAR_TEXT]);

#ifdef __cplusplus
}
#endif
#endif
