/* SPDX-License-Identifier: MIT */
/*
 * Record batches of Arrow, made column by column.  Internal to the folder api.
 *
 *     struct tr__arrow a = { schema, array };
 *     if (tr__arrow_new(&a, 1, n_rows) && tr__arrow_numbers(&a, "l", &name, values, valid))
 *         ...the caller of the library releases schema and array...
 */
#ifndef TR_API_ARROW_INT_H
#define TR_API_ARROW_INT_H

#include "base/tr_str.h"
#include "tracepipe.h"

struct tr__arrow {
    struct ArrowSchema *schema;
    struct ArrowArray *array;
};

/* The name of a column, and facts about it. */
struct tr__arrow_name {
    const char *name, *suffix; /* suffix NULL: none */
    const char *const *about;  /* keys, each followed by its value, NULL: not known; then NULL.  NULL: no facts */
};

/* A record batch with room for columns.  False: out of memory, here and below. */
bool tr__arrow_new(struct tr__arrow *a, size_t n_columns, size_t n_rows);
void tr__arrow_free(struct tr__arrow *a); /* with its columns; after a failure of the functions below */

/* Add a column of values of 8 bytes, one for each row; valid: a byte for each. */
bool tr__arrow_numbers(struct tr__arrow *a, const char *format, const struct tr__arrow_name *name, const void *values,
                       const uint8_t *valid);
/* Add a column of texts; s NULL: absent. */
bool tr__arrow_texts(struct tr__arrow *a, const struct tr__arrow_name *name, const struct tr_str *texts);

/* ---- tr_api_batch_arrow.c ---- */

struct tr_dict;
/* The type that holds all values that the trace has had so far under a key of args. */
enum tr_cell tr__arrow_key_type(const struct tr_dict *d, const char *key);
/* The fields of events that are given if the caller names none; their number. */
#define TR__N_USUAL 32u
size_t tr__arrow_usual(const char *fields[TR__N_USUAL]);

#endif
