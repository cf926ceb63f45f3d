/* SPDX-License-Identifier: MIT */
/* The known word that is nearest to an unknown one. */
#include "base/tr_near.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MAX_LEN 40u

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters have to be added, removed, replaced or swapped with the next one, to make b of a. */
static size_t letters_between(const char *a, size_t n, const char *b, size_t m)
{
    size_t d[MAX_LEN + 1][MAX_LEN + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (!i || !j) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = smaller(smaller(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = smaller(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

void tr_near_try(struct tr_near *near, const char *known)
{
    size_t len = strlen(known), max = near->len < 5 ? 1 : 2;
    if (near->len < 2 || near->len > MAX_LEN || len < 2 || len > MAX_LEN)
        return;
    bool starts = strncmp(known, near->word, near->len) == 0;
    size_t distance = starts ? 1 : letters_between(near->word, near->len, known, len);
    if (distance <= max && (!near->best || distance < near->distance)) {
        near->best = known;
        near->distance = distance;
    }
}

const char *tr_near_text(const struct tr_near *near, char text[TR_NEAR_TEXT])
{
    *text = '\0';
    if (near->best)
        snprintf(text, TR_NEAR_TEXT, " (did you mean '%s'?)", near->best);
    return text;
}
