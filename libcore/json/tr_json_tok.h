/* SPDX-License-Identifier: MIT */
/*
 * Tokens of one JSON value, by jsmn.  The only place where jsmn is used.
 *
 * Tokens are in the order of the text: an object is followed by key, value, key, value ...; tr_json_next skips a value
 * with its children.  Offsets count from the start of the text.
 */
#ifndef TR_JSON_TOK_H
#define TR_JSON_TOK_H

#include "json/tr_json.h"

#ifdef __cplusplus
extern "C" {
#endif

enum tr_json_kind { TR_JSON_OBJECT, TR_JSON_ARRAY, TR_JSON_STRING, TR_JSON_PRIMITIVE };

struct tr_json_token {
    enum tr_json_kind kind;
    int start, end; /* strings: without their quotes */
    int size;       /* members of an object, items of an array, 1 for a key */
    int parent;
};

/* Zero-initialise; keeps its memory between calls; release with tr_json_tokens_free. */
struct tr_json_tokens {
    struct tr_json_token *tok;
    size_t n;
    void *raw; /* jsmn's own array */
    size_t cap, cap_raw;
    bool no_memory; /* why the last call failed */
};

#define TR_JSON_TOKENS_MAX (64u << 20) /* bytes of text in one call */

/* Tokenize clean text.  False: not one JSON value, too long, or out of memory (t->no_memory). */
bool tr_json_tokenize(struct tr_json_tokens *t, const char *text, size_t len);

/* The token after value i and all its children; t->n at the end, and if there is no value i. */
size_t tr_json_next(const struct tr_json_tokens *t, size_t i);

/* The value of member key in object token i, or 0 (never a value: token 0 is the root). */
size_t tr_json_member(const struct tr_json_tokens *t, const char *text, size_t i, const char *key);

/* Release the memory; the structure may be used again. */
void tr_json_tokens_free(struct tr_json_tokens *t);

#ifdef __cplusplus
}
#endif
#endif
