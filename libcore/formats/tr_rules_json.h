/* SPDX-License-Identifier: MIT */
/*
 * Rules from a file of either form: the text of tr-rules(5), or a schema of unitrace in JSON.
 *
 * Such a schema is an object with members ignore_spaces, direct and reverse.  direct and reverse are trees: next maps
 * pieces of names to nodes; category is the class of names that start so, and next[""] that of the name that ends
 * there.  reverse has endings, spelt backwards.  The longest text wins.
 * Source: tr-rules(5), "SCHEMAS OF UNITRACE".
 */
#ifndef TR_RULES_JSON_H
#define TR_RULES_JSON_H

#include "model/tr_rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As tr_rules_ini, for either form: a file that starts with a brace is JSON. */
enum tr_status tr_rules_read(struct tr_rules *r, const char *name, const char *text, size_t len,
                             const struct tr_rules_opts *opts, struct tr_error *err);

#ifdef __cplusplus
}
#endif
#endif
