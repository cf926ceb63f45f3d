/* SPDX-License-Identifier: MIT */
/* UTF-8: characters, and what is none. */
#include "base/tr_escape.h"

size_t tr_utf8_char(const char *s, size_t len, size_t *bad)
{
    const unsigned char *p = (const unsigned char *)s;
    unsigned char c = p[0], low = 0x80, high = 0xbf;
    size_t want;
    *bad = 1;
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c <= 0xdf) {
        want = 2;
    } else if (c >= 0xe0 && c <= 0xef) {
        want = 3;
        low = c == 0xe0 ? 0xa0 : low;
        high = c == 0xed ? 0x9f : high;
    } else if (c >= 0xf0 && c <= 0xf4) {
        want = 4;
        low = c == 0xf0 ? 0x90 : low;
        high = c == 0xf4 ? 0x8f : high;
    } else {
        return 0;
    }
    for (size_t i = 1; i < want; i++) {
        if (i >= len || p[i] < low || p[i] > high)
            return 0;
        low = 0x80;
        high = 0xbf;
        *bad = i + 1;
    }
    return want;
}
