/* SPDX-License-Identifier: MIT */
/*
 * Values of formulas: numbers, truth values, texts and lists of them, or nothing.
 *
 * Whole numbers have 64 bits; a result that does not fit is real.  A result of an absent value is absent, too.  So a
 * formula has no result, instead of a wrong one, if a call lacks the argument.
 *
 * Texts and items of lists are borrowed: they live in the arena that made them.  A zero byte follows each text.
 */
#ifndef TR_VALUE_H
#define TR_VALUE_H

#include "base/tr_mem.h"
#include "base/tr_str.h"

#include <stdbool.h>
#include <stdint.h>

#define TR_VALUE_MAX_ITEMS 65536u /* of a list */
#define TR_VALUE_MAX_DEPTH 8u     /* lists in lists */

enum tr_value_type { TR_VALUE_ABSENT, TR_VALUE_BOOL, TR_VALUE_INT, TR_VALUE_REAL, TR_VALUE_TEXT, TR_VALUE_LIST };

struct tr_value {
    enum tr_value_type type;
    size_t n; /* bytes of a text, items of a list */
    union {
        int64_t i; /* of a truth value 0 or 1 */
        double r;
        const char *s;
        const struct tr_value *items;
    } of;
};

static inline struct tr_value tr_value_none(void)
{
    struct tr_value v = { TR_VALUE_ABSENT, 0, { 0 } };
    return v;
}

static inline struct tr_value tr_value_int(int64_t i)
{
    struct tr_value v = { TR_VALUE_INT, 0, { 0 } };
    v.of.i = i;
    return v;
}

static inline struct tr_value tr_value_bool(bool b)
{
    struct tr_value v = { TR_VALUE_BOOL, 0, { 0 } };
    v.of.i = b;
    return v;
}

struct tr_value tr_value_real(double r); /* absent unless finite */
struct tr_value tr_value_text(struct tr_str text); /* absent if there is no text */

/* Is it a number or a truth value, and which one? */
bool tr_value_number(const struct tr_value *v, double *number);

/* The words that type(x) gives: "absent", "bool", "int", "real", "text", "list". */
const char *tr_value_type_name(enum tr_value_type type);

/*
 * A value as traces write arguments: a list in brackets with commas, a text in quotes, a number, True or False.
 * Anything else is plain text; an empty text is absent.  False: out of memory, or larger than the limits.
 */
bool tr_value_read(struct tr_arena *a, struct tr_str text, struct tr_value *v);

/* Append the value as JSON; absent is null.  False: out of memory. */
bool tr_value_print(const struct tr_value *v, struct tr_buf *out);

#endif
