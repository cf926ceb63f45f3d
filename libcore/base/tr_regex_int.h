/* SPDX-License-Identifier: MIT */
/*
 * Declarations that the files of regular expressions share.  Internal to libcore.
 *
 *   tr_regex_parse.c  makes a tree from a text
 *   tr_regex.c        makes a program from the tree, and runs it
 */
#ifndef TR_REGEX_INT_H
#define TR_REGEX_INT_H

#include "base/tr_regex.h"

#include <stdbool.h>

#define TR__RE_NONE UINT32_MAX

/* Conditions on a place between two characters. */
enum tr__re_test {
    TR__RE_START, TR__RE_END, TR__RE_WORD_EDGE, TR__RE_NO_EDGE, TR__RE_WORD_START, TR__RE_WORD_END
};

enum tr__re_kind { TR__RE_SET, TR__RE_TEST, TR__RE_GROUP, TR__RE_BRANCH, TR__RE_REPEAT };

struct tr__re_node {
    uint8_t kind, test;
    uint16_t height;       /* of the tree below it, at least 1; bounded, so recursion over the tree is safe */
    uint32_t child, next;  /* first branch of a group, first part of a branch, or number of a set; next sibling */
    uint32_t min, max;     /* of a repetition; max TR__RE_NONE: any number */
};

struct tr__re_set { /* bit c: byte c is in it */
    uint32_t bits[8];
};

struct tr__re_tree {
    struct tr__re_node *nodes;
    struct tr__re_set *sets;
    size_t n_nodes, cap_nodes, n_sets, cap_sets;
    const char *why; /* the mistake; NULL: none */
    size_t at;       /* its place, in bytes from 0 */
    bool no_memory;
};

static inline bool tr__re_has(const struct tr__re_set *s, unsigned char c)
{
    return (s->bits[c >> 5] >> (c & 31) & 1) != 0;
}

static inline bool tr__re_is_word(unsigned char c)
{
    return (c | 32) - 'a' + 0u < 26u || c - '0' + 0u < 10u || c == '_';
}

/* Parse an expression.  Returns the root of the tree; TR__RE_NONE: t has the reason.  The caller zeroes and frees t. */
uint32_t tr__regex_parse(struct tr__re_tree *t, const char *text, bool any_case);

#endif
