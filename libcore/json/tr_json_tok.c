/* SPDX-License-Identifier: MIT */
/* Tokens of one JSON value, by jsmn. */
#include "json/tr_json_tok.h"

#include <stdlib.h>
#include <string.h>

#define JSMN_STATIC
#define JSMN_PARENT_LINKS /* without them jsmn is quadratic in the number of siblings */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
#include <jsmn.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static enum tr_json_kind kind_of(jsmntype_t type)
{
    switch (type) {
    case JSMN_OBJECT:
        return TR_JSON_OBJECT;
    case JSMN_ARRAY:
        return TR_JSON_ARRAY;
    case JSMN_STRING:
        return TR_JSON_STRING;
    default:
        return TR_JSON_PRIMITIVE;
    }
}

#define LONG_TEXT (64u << 10)  /* its tokens are counted before room is made for them */
#define KEEP_TOKENS (64u << 10) /* memory for more tokens is released by the next text that is not long */

/* tr_grow, but a failure is noted. */
static bool grow(struct tr_json_tokens *t, void *array, size_t *cap, size_t n, size_t elem)
{
    t->no_memory = !tr_grow(array, cap, n, elem);
    return !t->no_memory;
}

bool tr_json_tokenize(struct tr_json_tokens *t, const char *text, size_t len)
{
    jsmn_parser parser;
    int got;
    t->no_memory = false;
    if (len > TR_JSON_TOKENS_MAX)
        return false;
    size_t room = 256;
    if (len < LONG_TEXT && t->cap_raw > KEEP_TOKENS)
        tr_json_tokens_free(t);
    if (len >= LONG_TEXT) { /* jsmn only counts when it is given no array */
        jsmn_init(&parser);
        got = jsmn_parse(&parser, text, len, NULL, 0);
        room = got > 0 ? (size_t)got : room;
    }
    if (!grow(t, &t->raw, &t->cap_raw, room, sizeof(jsmntok_t)))
        return false;
    jsmn_init(&parser);
    for (;;) {
        got = jsmn_parse(&parser, text, len, t->raw, (unsigned)t->cap_raw);
        if (got != JSMN_ERROR_NOMEM)
            break;
        if (!grow(t, &t->raw, &t->cap_raw, t->cap_raw * 2, sizeof(jsmntok_t)))
            return false;
    }
    if (got <= 0 || !grow(t, &t->tok, &t->cap, (size_t)got, sizeof *t->tok))
        return false;
    const jsmntok_t *raw = t->raw;
    t->n = (size_t)got;
    for (size_t i = 0; i < t->n; i++)
        t->tok[i] = (struct tr_json_token){ kind_of(raw[i].type), raw[i].start, raw[i].end,
                                            raw[i].size, raw[i].parent };
    return t->n == 1 || tr_json_next(t, 0) == t->n;
}

size_t tr_json_next(const struct tr_json_tokens *t, size_t i)
{
    if (i >= t->n) /* the value of a key that has none */
        return t->n;
    int end = t->tok[i].end;
    size_t j = i + 1;
    while (j < t->n && t->tok[j].start < end)
        j++;
    return j;
}

size_t tr_json_member(const struct tr_json_tokens *t, const char *text, size_t i, const char *key)
{
    if (i >= t->n || t->tok[i].kind != TR_JSON_OBJECT)
        return 0;
    size_t n = strlen(key), found = 0, end = tr_json_next(t, i);
    for (size_t k = i + 1; k + 1 < end; k = tr_json_next(t, k + 1)) {
        const struct tr_json_token *tok = &t->tok[k];
        if ((size_t)(tok->end - tok->start) == n && !memcmp(text + tok->start, key, n))
            found = k + 1; /* the last one wins */
    }
    return found;
}

void tr_json_tokens_free(struct tr_json_tokens *t)
{
    free(t->tok);
    free(t->raw);
    memset(t, 0, sizeof *t);
}
