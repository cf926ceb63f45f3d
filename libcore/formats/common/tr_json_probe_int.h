/* SPDX-License-Identifier: MIT */
/*
 * The start of a text, mostly of JSON, to detect formats.  Internal to libcore.
 */
#ifndef TR_JSON_PROBE_INT_H
#define TR_JSON_PROBE_INT_H

#include "json/tr_json.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The first byte from at on that is not white space; n: none. */
static inline size_t tr__json_blanks(const unsigned char *p, size_t n, size_t at)
{
    while (at < n && tr_json_space((char)p[at]))
        at++;
    return at;
}

/* The first byte of a text after a byte order mark and white space; n: none. */
static inline size_t tr__json_start(const unsigned char *p, size_t n)
{
    return tr__json_blanks(p, n, n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0);
}

/* Does it contain these letters? */
bool tr__probe_holds(const unsigned char *p, size_t n, const char *letters);

#endif
